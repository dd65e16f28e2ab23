import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_geodesic_circles_fill") @implementation
public func ald_geodesic_circles_fill(
  _ spatial_reference: ald_spatial_reference, _ xy: UnsafePointer<Double>?, _ stride_bytes: Int, _ count: Int,
  _ radii_m: UnsafePointer<Double>?, _ radius_count: Int, _ vertices_per_circle: UInt32,
  _ out_vertex_xy: UnsafeMutablePointer<Double>?, _ out_stride_bytes: Int, _ vertex_capacity: Int,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let reference = try resolve(spatial_reference, 1)
    let policy = reference.runtime.policy
    let centres = try StridedPoints(
      xy, stride: stride_bytes, count: count, policy, pointerArgument: 2, strideArgument: 3, countArgument: 4)
    let radii = try inputNumbers(
      radii_m, radius_count, "radii", perEachOf: count, "centres", pointerArgument: 5)
    let vertices = Int(truncatingIfNeeded: vertices_per_circle)
    guard GeodesicCircleFill.vertexCounts.contains(vertices) else {
      throw EngineError(
        .invalidArgument, "vertices_per_circle is \(vertices); a circle has 3 to 1048576 vertices.", argument: 7)
    }
    let circles = try blaming(1) { () throws(EngineError) in
      try GeodesicCircleFill(reference, vertexCount: vertices)
    }
    for index in 0..<radii.buffer.count {
      try blaming(5) { () throws(EngineError) in try circles.check(radius: radii.buffer[index]) }
    }
    try requireCapacity(vertex_capacity, 10)
    let (product, overflow) = count.multipliedReportingOverflow(by: vertices)
    let needed = overflow ? Int.max : product
    let target = try StridedPoints(
      UnsafeMutableRawPointer(out_vertex_xy), stride: out_stride_bytes, count: needed, policy, pointerArgument: 8,
      strideArgument: 9, countArgument: 4)
    guard vertex_capacity >= needed else {
      throw EngineError(
        .bufferTooSmall, "\(needed) vertices are needed; there is room for \(vertex_capacity).", argument: 10)
    }
    guard let centres, let target else { return }
    try circles.write(
      count: count, centre: { centres.load($0) }, radius: { radii.buffer[min($0, radii.buffer.count &- 1)] },
      put: { target.store($2, at: $0 &* vertices &+ $1) })
  }
}
