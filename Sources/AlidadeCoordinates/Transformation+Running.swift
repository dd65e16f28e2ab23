import AlidadeBase
import CPROJ

extension Transformation {
  /// Takes points through the transformation in place, from the coordinates of its source to those of its target. One
  /// that has no image becomes NaN. Throws `missingGrid` if a grid is not there.
  func run(_ points: UnsafeMutableBufferPointer<Point>) throws(EngineError) {
    try requireUsable()
    guard let base = points.baseAddress else { return }
    try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      guard let operation = ProjObject(proj_create(session.context, pipeline), in: session) else {
        throw session.failure(.unsupported, "The transformation \(name) cannot be run")
      }
      let stride = MemoryLayout<Point>.stride
      let coordinates = UnsafeMutableRawPointer(base).assumingMemoryBound(to: Double.self)
      proj_trans_generic(
        operation.pointer, PJ_FWD, coordinates, stride, points.count, coordinates + 1, stride, points.count, nil, 0, 0,
        nil, 0, 0)
      proj_errno_reset(operation.pointer)
      // PROJ answers infinity for what it cannot do.
      for index in points.indices where !(points[index].x.magnitude < 1e15 && points[index].y.magnitude < 1e15) {
        points[index] = .nan
      }
    }
  }
}
