import AlidadeBase
import AlidadeCoordinates
import CAlidade

// Columns of coordinates of the host's: doubles a stride apart, at any address.

private let numberSize = MemoryLayout<Double>.size

/// A column.
struct NumberColumn {
  let base: UnsafeMutableRawPointer
  let stride: Int

  init?(_ pointer: UnsafePointer<Double>?, _ stride: Int) {
    guard let pointer else { return nil }
    base = UnsafeMutableRawPointer(mutating: pointer)
    self.stride = stride
  }

  @inline(__always)
  subscript(index: Int) -> Double {
    get { (base + index &* stride).loadUnaligned(as: Double.self) }
    // storeBytes needs no alignment.
    nonmutating set { (base + index &* stride).storeBytes(of: newValue, as: Double.self) }
  }

  /// Whether a number of one column lies on a part of a number of the other, unless they are the same column.
  func collides(with other: NumberColumn, count: Int) -> Bool {
    let (a, b) = (UInt(bitPattern: base), UInt(bitPattern: other.base))
    if a == b, stride == other.stride { return false }
    // Sizes were checked before, so the ends do not overflow but at the very end of the address space.
    let length = UInt(bitPattern: count &- 1)
    let (lastA, lastB) = (
      a &+ length &* UInt(bitPattern: stride) &+ UInt(bitPattern: numberSize),
      b &+ length &* UInt(bitPattern: other.stride) &+ UInt(bitPattern: numberSize)
    )
    guard a < lastB, b < lastA else { return false }
    // Interleaved with one stride, they collide only if their places in it do.
    guard stride == other.stride else { return true }
    let step = UInt(bitPattern: stride)
    let apart = a > b ? (a &- b) % step : (b &- a) % step
    return apart < UInt(bitPattern: numberSize) || step &- apart < UInt(bitPattern: numberSize)
  }
}

private func checkedStride(_ stride: Int, _ name: String, _ argument: Int32) throws(EngineError) -> Int {
  let step = stride == 0 ? numberSize : stride
  guard step >= numberSize else {
    throw EngineError(
      .invalidArgument,
      "\(name).stride_bytes is \(UInt(bitPattern: stride)), which is less than a number's 8 bytes, or too large.",
      argument: argument)
  }
  return step
}

private func requireRoom(_ count: Int, _ stride: Int, _ name: String, _ argument: Int32) throws(EngineError) {
  guard count >= 0, !count.multipliedReportingOverflow(by: stride).overflow else {
    throw EngineError(
      .invalidArgument,
      "\(UInt(bitPattern: count)) points of \(name), \(stride) bytes apart, are more than memory can hold.",
      argument: argument)
  }
}

/// Columns that are read.
struct CoordinatesIn {
  let count: Int
  private let x: NumberColumn?
  private let y: NumberColumn?
  private let z: NumberColumn?
  private let t: NumberColumn?

  /// Checks columns before they are touched.
  init(_ pointer: UnsafePointer<ald_coordinates>?, _ policy: Policy, _ argument: Int32) throws(EngineError) {
    let name = "ald_coordinates"
    guard let pointer else { throw missing("The \(name)", argument) }
    let given = try read(pointer, name, argument, zero: ald_coordinates())
    try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
    count = given.count
    let stride = try checkedStride(given.stride_bytes, name, argument)
    try requireRoom(count, stride, name, argument)
    let size = MemoryLayout<Point>.size &+ 2 &* numberSize
    try blaming(argument) { [count] () throws(EngineError) in
      try policy.check(points: count)
      try policy.check(bytes: count, size)
    }
    (x, y) = (NumberColumn(given.x, stride), NumberColumn(given.y, stride))
    (z, t) = (NumberColumn(given.z, stride), NumberColumn(given.t, stride))
    if count > 0, x == nil || y == nil { throw missing("\(name).\(x == nil ? "x" : "y")", argument) }
  }

  var hasHeights: Bool { z != nil }

  /// The columns in arrays of our own; heights also if they are wanted alone.
  func loaded(withHeights: Bool) throws(EngineError) -> CoordinateColumns {
    let points = try HeapArray<Point>(count: count)
    if let x, let y {
      for index in 0..<count { points.buffer[index] = Point(x: x[index], y: y[index]) }
    }
    var columns = CoordinateColumns(points: points)
    if z != nil || withHeights { columns.z = try load(z) }
    if t != nil { columns.t = try load(t) }
    return columns
  }

  private func load(_ column: NumberColumn?) throws(EngineError) -> HeapArray<Double> {
    let numbers = try HeapArray<Double>(count: count)
    for index in 0..<count { numbers.buffer[index] = column?[index] ?? 0 }
    return numbers
  }

  fileprivate func collides(with output: NumberColumn) -> Bool {
    [x, y, z, t].contains { $0?.collides(with: output, count: count) ?? false }
  }
}

/// Columns that are written.
struct CoordinatesOut {
  private let x: NumberColumn?
  private let y: NumberColumn?
  private let z: NumberColumn?

  /// Checks columns before they are touched, and that they do not lie on those of the input.
  init(
    _ pointer: UnsafePointer<ald_coordinate_images>?, _ input: CoordinatesIn, _ argument: Int32
  ) throws(EngineError) {
    try self.init(pointer, count: input.count, argument, isTaken: input.collides)
  }

  /// - Parameter isTaken: whether a column must not be written.
  init(
    _ pointer: UnsafePointer<ald_coordinate_images>?, count: Int, _ argument: Int32,
    isTaken: (NumberColumn) -> Bool = { _ in false }
  ) throws(EngineError) {
    let name = "ald_coordinate_images"
    guard let pointer else { throw missing("The \(name)", argument) }
    let given = try read(pointer, name, argument, zero: ald_coordinate_images())
    try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
    let stride = try checkedStride(given.stride_bytes, name, argument)
    try requireRoom(count, stride, name, argument)
    (x, y, z) = (NumberColumn(given.x, stride), NumberColumn(given.y, stride), NumberColumn(given.z, stride))
    guard count > 0 else { return }
    if x == nil || y == nil { throw missing("\(name).\(x == nil ? "x" : "y")", argument) }
    let columns = [x, y, z].compactMap { $0 }
    for (number, column) in columns.enumerated() {
      let isTwice = columns[..<number].contains {
        $0.base == column.base || $0.collides(with: column, count: count)
      }
      guard !isTwice, !isTaken(column) else {
        throw EngineError(
          .invalidArgument,
          "A column of \(name) overlaps another column. Only the very columns of the input may be written, with the same "
            + "stride.", argument: argument)
      }
    }
  }

  var hasHeights: Bool { z != nil }

  func store(_ columns: CoordinateColumns) {
    guard let x, let y else { return }
    for (index, point) in columns.points.buffer.enumerated() {
      x[index] = point.x
      y[index] = point.y
    }
    guard let z, let heights = columns.z else { return }
    for (index, height) in heights.buffer.enumerated() { z[index] = height }
  }
}
