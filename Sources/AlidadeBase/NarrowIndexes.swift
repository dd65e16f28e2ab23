// Arrays of triangles and links hold indexes of 32 bits, to be half as large.

extension Array {
  @inlinable @inline(__always)
  public subscript(at index: some FixedWidthInteger) -> Element {
    get { self[Int(truncatingIfNeeded: index)] }
    _modify { yield &self[Int(truncatingIfNeeded: index)] }
  }
}

extension UnsafeBufferPointer {
  @inlinable @inline(__always)
  public subscript(at index: some FixedWidthInteger) -> Element { self[Int(truncatingIfNeeded: index)] }
}

extension UnsafeMutableBufferPointer {
  @inlinable @inline(__always)
  public subscript(at index: some FixedWidthInteger) -> Element {
    get { self[Int(truncatingIfNeeded: index)] }
    nonmutating _modify { yield &self[Int(truncatingIfNeeded: index)] }
  }
}
