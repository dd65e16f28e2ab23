import AlidadeBase
import AlidadeCoordinates

/// An array of vertices of the host's: three floats each, a stride apart, at any address.
///
/// Right to share: the threads that work on a call each touch vertices of their own.
struct VertexBuffer: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  private let stride: Int

  private static let vertexSize = 12

  /// Checks an array before it is touched; nil if it is empty. The stride follows it in the function's declaration.
  init?(
    _ pointer: UnsafeMutablePointer<Float>?, stride: Int, count: Int, pointerArgument: Int32, countArgument: Int32
  ) throws(EngineError) {
    let step = stride == 0 ? Self.vertexSize : stride
    // A size beyond PTRDIFF_MAX arrives as a negative number.
    guard step >= Self.vertexSize else {
      throw EngineError(
        .invalidArgument, "The stride \(UInt(bitPattern: stride)) is less than a vertex's 12 bytes, or too large.",
        argument: pointerArgument &+ 1)
    }
    guard count >= 0, !count.multipliedReportingOverflow(by: step).overflow else {
      throw EngineError(
        .invalidArgument, "\(UInt(bitPattern: count)) vertices, \(step) bytes apart, are more than memory can hold.",
        argument: countArgument)
    }
    if count == 0 { return nil }
    guard let pointer else { throw missing("The array of vertices", pointerArgument) }
    base = UnsafeMutableRawPointer(pointer)
    self.stride = step
  }

  @inline(__always)
  func store(_ vertex: EngineVertex, at index: Int) {
    let address = base + index &* stride
    // storeBytes needs no alignment.
    address.storeBytes(of: vertex.x, as: Float.self)
    (address + 4).storeBytes(of: vertex.y, as: Float.self)
    (address + 8).storeBytes(of: vertex.z, as: Float.self)
  }

  @inline(__always)
  func load(_ index: Int) -> EngineVertex {
    let address = base + index &* stride
    return EngineVertex(
      x: address.loadUnaligned(as: Float.self), y: (address + 4).loadUnaligned(as: Float.self),
      z: (address + 8).loadUnaligned(as: Float.self))
  }
}

/// Throws if so many vertices are more than the policy allows.
func requireVertexRoom(_ count: Int, _ policy: Policy, _ argument: Int32) throws(EngineError) {
  try blaming(argument) { () throws(EngineError) in
    try policy.check(points: count)
    // A point, a height, a status and a mark.
    try policy.check(bytes: count, 16 &+ 8 &+ 1 &+ 4)
  }
}
