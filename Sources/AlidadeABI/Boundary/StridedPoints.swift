import AlidadeBase
import AlidadeCoordinates

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
    // A size beyond PTRDIFF_MAX arrives as a negative number.
    let step = stride == 0 ? Self.pointSize : stride
    guard step >= Self.pointSize else {
      throw EngineError(
        .invalidArgument, "The stride \(UInt(bitPattern: stride)) is less than a point's 16 bytes, or too large.",
        argument: argument &+ 1)
    }
    guard count >= 0, !count.multipliedReportingOverflow(by: step).overflow else {
      throw EngineError(
        .invalidArgument, "\(UInt(bitPattern: count)) points, \(step) bytes apart, are more than memory can hold.",
        argument: countArgument)
    }
    try blaming(countArgument) { () throws(EngineError) in
      try policy.check(points: count)
      try policy.check(bytes: count, Self.pointSize)
    }
    // Of an empty array no address is used.
    guard let start = count == 0 ? UnsafeRawPointer(bitPattern: Self.pointSize) : pointer else {
      throw missing("The array of points", argument)
    }
    base = UnsafeMutableRawPointer(mutating: start)
    self.stride = step
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
  _ pointer: UnsafePointer<Double>?, stride: Int, count: Int, atLeast least: Int, _ policy: Policy,
  pointerArgument: Int32
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
