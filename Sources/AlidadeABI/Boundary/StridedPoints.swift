import AlidadeBase
import AlidadeCoordinates

/// Where an array of the host's begins. For an empty array, which may be NULL, the address is not used.
func start(
  of pointer: UnsafeRawPointer?, _ count: Int, _ what: String, _ argument: Int32
) throws(EngineError) -> UnsafeMutableRawPointer {
  guard let start = count == 0 ? UnsafeRawPointer(bitPattern: 16) : pointer else { throw missing(what, argument) }
  return UnsafeMutableRawPointer(mutating: start)
}

/// The bytes from one element of an array of the host's to the next; 0 stands for the size of an element. Throws if an
/// element does not fit, or all of them are more than memory can hold.
func checkedStride(
  _ stride: Int, _ count: Int, of element: String, _ size: Int, argument: Int32, countArgument: Int32
) throws(EngineError) -> Int {
  let step = stride == 0 ? size : stride
  // A size beyond PTRDIFF_MAX arrives as a negative number.
  guard step >= size else {
    throw EngineError(
      .invalidArgument,
      "The stride \(UInt(bitPattern: stride)) is less than the \(size) bytes of a \(element), or too large.",
      argument: argument)
  }
  guard count >= 0, !count.multipliedReportingOverflow(by: step).overflow else {
    throw EngineError(
      .invalidArgument,
      "The \(UInt(bitPattern: count)) elements, \(step) bytes apart, are more than memory can hold.",
      argument: countArgument)
  }
  return step
}

/// An array of points of the host's: two doubles each, a stride apart, at any address.
///
/// Right to share: the threads that work on a call each touch points of their own.
struct StridedPoints: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let stride: Int
  let count: Int

  private static let pointSize = 16

  /// Checks an array before it is touched. The stride follows it in the function's declaration. An array that the host
  /// lets us read only must not be stored to.
  init(
    _ pointer: UnsafeRawPointer?, stride: Int, count: Int, _ policy: Policy, argument: Int32, countArgument: Int32
  ) throws(EngineError) {
    self.stride = try checkedStride(
      stride, count, of: "point", Self.pointSize, argument: argument &+ 1, countArgument: countArgument)
    try blamingAll(countArgument) { () throws(EngineError) in
      try policy.check(points: count)
      try policy.check(bytes: count, Self.pointSize)
    }
    base = try start(of: pointer, count, "The array of points", argument)
    self.count = count
  }

  @inline(__always)
  func load(_ index: Int) -> Point {
    let address = base + index &* stride
    return Point(x: address.loadUnaligned(as: Double.self), y: (address + 8).loadUnaligned(as: Double.self))
  }

  @inline(__always)
  func store(_ point: Point, at index: Int) {
    let address = base + index &* stride
    // storeBytes needs no alignment.
    address.storeBytes(of: point.x, as: Double.self)
    (address + 8).storeBytes(of: point.y, as: Double.self)
  }

  /// The points follow each other without gaps.
  var isDense: Bool { stride == Self.pointSize }

  /// As `load`, for points without gaps.
  @inline(__always)
  func loadDense(_ index: Int) -> Point {
    let address = base + index &* Self.pointSize
    return Point(x: address.loadUnaligned(as: Double.self), y: (address + 8).loadUnaligned(as: Double.self))
  }

  /// As `store`, for points without gaps.
  @inline(__always)
  func storeDense(_ point: Point, at index: Int) {
    let address = base + index &* Self.pointSize
    address.storeBytes(of: point.x, as: Double.self)
    (address + 8).storeBytes(of: point.y, as: Double.self)
  }

  /// The points in an array of our own.
  func loaded() throws(EngineError) -> HeapArray<Point> {
    let points = try HeapArray<Point>(count: count)
    for index in 0..<count { points.buffer[index] = load(index) }
    return points
  }
}

/// The vertices of a line or of rings: finite, and at least so many. The stride and the count follow the array in the
/// function's declaration.
func vertices(
  _ pointer: In<Double>, stride: Int, count: Int, atLeast least: Int, _ policy: Policy, pointerArgument: Int32
) throws(EngineError) -> HeapArray<Point> {
  let input = try StridedPoints(
    pointer, stride: stride, count: count, policy, argument: pointerArgument, countArgument: pointerArgument &+ 2)
  guard count >= least else {
    throw EngineError(
      .invalidArgument, "There are \(count) vertices; at least \(least) are needed.", argument: pointerArgument &+ 2)
  }
  let points = try input.loaded()
  if let bad = points.buffer.firstIndex(where: { !$0.isFinite }) {
    throw EngineError(
      .invalidArgument, "Vertex \(bad) is (\(points.buffer[bad].x), \(points.buffer[bad].y)), which is not finite.",
      argument: pointerArgument)
  }
  return points
}
