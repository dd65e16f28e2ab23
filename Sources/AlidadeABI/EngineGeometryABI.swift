import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_engine_frame_geometry_to_vertices") @implementation
public func ald_engine_frame_geometry_to_vertices(
  _ frame: ald_engine_frame, _ geometry: ald_geometry, _ options: UnsafePointer<ald_projection_options>?,
  _ out_vertices: UnsafeMutablePointer<Float>?, _ vertex_stride_bytes: Int, _ vertex_capacity: Int,
  _ out_statuses: UnsafeMutablePointer<ald_point_status>?, _ out_report: UnsafeMutablePointer<ald_vertex_report>?,
  _ out_receipt: UnsafeMutablePointer<ald_projection_receipt>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    let frame = try resolve(frame, 1)
    let geometry = try resolve(geometry, 2)
    try requireSameRuntime(frame, geometry, 2)
    let source = try blaming(2) { () throws(EngineError) in try geometry.requireSpatialReference() }
    let choice = try frameProjection(options, frame, 3)
    let count = geometry.columns.vertexCount(geometry.row)
    let output = try vertexRoom(out_vertices, vertex_stride_bytes, vertex_capacity, for: count)
    let row = geometry.row
    let columns = try blaming(2) { () throws(EngineError) in
      try geometry.columns.coordinates(ofGeometries: row..<(row &+ 1), frame.runtime.policy)
    }
    try writeVertices(
      columns, in: source, choice, 3, of: frame, to: output, out_statuses, out_report, 8, out_receipt)
  }
}

@_cdecl("ald_engine_frame_geometry_array_to_vertices") @implementation
public func ald_engine_frame_geometry_array_to_vertices(
  _ frame: ald_engine_frame, _ geometry_array: ald_geometry_array, _ options: UnsafePointer<ald_projection_options>?,
  _ out_vertices: UnsafeMutablePointer<Float>?, _ vertex_stride_bytes: Int, _ vertex_capacity: Int,
  _ out_statuses: UnsafeMutablePointer<ald_point_status>?, _ out_report: UnsafeMutablePointer<ald_vertex_report>?,
  _ out_receipt: UnsafeMutablePointer<ald_projection_receipt>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    let frame = try resolve(frame, 1)
    let array = try resolve(geometry_array, 2)
    try requireSameRuntime(frame, array, 2)
    let source = try blaming(2) { () throws(EngineError) in try array.requireSpatialReference() }
    let choice = try frameProjection(options, frame, 3)
    let count = array.columns.vertexCount
    let output = try vertexRoom(out_vertices, vertex_stride_bytes, vertex_capacity, for: count)
    let columns = try blaming(2) { () throws(EngineError) in
      try array.columns.coordinates(ofGeometries: 0..<array.count, frame.runtime.policy)
    }
    try writeVertices(
      columns, in: source, choice, 3, of: frame, to: output, out_statuses, out_report, 8, out_receipt)
  }
}

/// The host's array for the vertices of geometries, the fourth argument, before it is touched; nil if there are none.
private func vertexRoom(
  _ pointer: UnsafeMutablePointer<Float>?, _ stride: Int, _ capacity: Int, for count: Int
) throws(EngineError) -> VertexBuffer? {
  // The room that the host says it has must be possible, too.
  if capacity > 0, pointer == nil { throw missing("The array of vertices", 4) }
  _ = try VertexBuffer(pointer, stride: stride, count: capacity, pointerArgument: 4, countArgument: 6)
  guard capacity >= count else {
    throw EngineError(
      .bufferTooSmall, "There are \(count) vertices; the array has room for \(capacity).", argument: 6)
  }
  return try VertexBuffer(pointer, stride: stride, count: count, pointerArgument: 4, countArgument: 6)
}
