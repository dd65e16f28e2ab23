import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_engine_frame_create") @implementation
public func ald_engine_frame_create(
  _ spatial_reference: ald_spatial_reference, _ origin: ald_point, _ height: Double,
  _ options: In<ald_engine_frame_options>, _ out_frame: Out<ald_engine_frame>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(spatial_reference, out_frame, argument: 5, error) { (reference) throws(EngineError) in
    try requireFinite(origin, "origin", 2)
    try requireFinite(height, "height", 3)
    return try EngineFrame(at: Point(origin), height: height, in: reference, try frameOptions(options, 4))
  }
}

/// Options from C.
private func frameOptions(
  _ pointer: In<ald_engine_frame_options>, _ argument: Int32
) throws(EngineError) -> EngineFrameOptions {
  var options = EngineFrameOptions()
  let name = "ald_engine_frame_options"
  let given = try read(pointer, name, argument, zero: ald_engine_frame_options())
  try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
  options.kind = try enumerator(given.kind, "\(name).kind", "ald_engine_frame_kind", argument)
  options.axes = try enumerator(given.axes, "\(name).axes", "ald_engine_axes", argument)
  if given.metres_per_unit != 0 {
    try requireRange(given.metres_per_unit, 1e-6...1e6, "\(name).metres_per_unit", argument)
    options.metresPerUnit = given.metres_per_unit
  }
  return options
}

@_cdecl("ald_engine_frame_get_info") @implementation
public func ald_engine_frame_get_info(
  _ frame: ald_engine_frame, _ out_info: Out<ald_engine_frame_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(frame, out_info, argument: 2, error) { (frame) throws(EngineError) in
    var info = ald_engine_frame_info()
    info.flags = bits(
      (frame.axes.isLeftHanded, ALD_ENGINE_FRAME_LEFT_HANDED), (frame.isBallpark, ALD_ENGINE_FRAME_BALLPARK))
    info.kind = frame.kind.rawValue
    info.axes = frame.axes.rawValue
    info.metres_per_unit = frame.metresPerUnit
    withUnsafeMutableBytes(of: &info.local_to_world) { $0.copyBytes(from: bytes(of: frame.toWorld)) }
    withUnsafeMutableBytes(of: &info.world_to_local) { $0.copyBytes(from: bytes(of: frame.toLocal)) }
    info.origin = ald_point(frame.origin)
    info.origin_height = frame.originHeight
    info.longitude_deg = frame.longitude
    info.latitude_deg = frame.latitude
    info.ellipsoidal_height_m = frame.ellipsoidalHeight
    info.meridian_scale = frame.distortion.meridianScale
    info.parallel_scale = frame.distortion.parallelScale
    info.convergence_deg = frame.distortion.convergence
    return info
  }
}

/// A map as the bytes of a C matrix.
private func bytes(of map: AffineMap) -> [UInt8] { map.elements.withUnsafeBytes { Array($0) } }

// MARK: Vertices

@_cdecl("ald_engine_frame_to_vertices") @implementation
public func ald_engine_frame_to_vertices(
  _ frame: ald_engine_frame, _ spatial_reference: ald_spatial_reference, _ options: In<ald_projection_options>,
  _ coordinates: In<ald_coordinates>, _ out_vertices: Out<Float>, _ vertex_stride_bytes: Int,
  _ out_statuses: Out<ald_point_status>, _ out_report: Out<ald_vertex_report>,
  _ out_new_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  out_new_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(frame, error) { (frame) throws(EngineError) in
    let source = try resolveOptional(spatial_reference, 2, with: frame)
    let choice = try frameProjection(options, frame, 3)
    let input = try CoordinatesIn(coordinates, frame.runtime.policy, 4)
    let output = try VertexBuffer(
      out_vertices, stride: vertex_stride_bytes, count: input.count, pointerArgument: 5, countArgument: 4)
    let columns = try input.loaded(withHeights: true)
    try writeVertices(
      columns, in: source, choice, 3, of: frame, to: output, out_statuses, out_report, 8, out_new_receipt)
  }
}

/// Brings coordinates, in place, into a frame, and what came of them to the host.
///
/// - Parameter argument: the number of the options; `reportArgument` is that of the report.
func writeVertices(
  _ columns: CoordinateColumns, in source: SpatialReference?, _ options: ProjectionOptions, _ argument: Int32,
  of frame: EngineFrame, to output: VertexBuffer, _ out_statuses: Out<ald_point_status>,
  _ out_report: Out<ald_vertex_report>, _ reportArgument: Int32, _ out_receipt: Out<ald_projection_receipt>
) throws(EngineError) {
  let report = try optionalOut(out_report, reportArgument)
  let framed = try blamingChoice(options, argument) { () throws(EngineError) in
    try frame.framed(columns, in: source, options)
  }
  let receipt = try giveReceipt(
    try ProjectionReceipt(
      framed.outcome.tally, by: framed.projector, chosen: options.transformation, runtime: frame.runtime), out_receipt)
  let found = try releasing(receipt) { () throws(EngineError) in
    try frame.vertices(framed) { output.store($1, at: $0) }
  }
  out_receipt?.pointee = receipt
  store(framed.outcome.statuses.buffer, to: out_statuses) { $0.rawValue }
  write(ald_vertex_report(found, count: columns.points.buffer.count), to: report)
}

extension ald_vertex_report {
  fileprivate init(_ report: VertexReport, count: Int) {
    self.init(
      struct_size: 0, reserved: 0, vertex_count: UInt64(clamping: count),
      failed_count: UInt64(clamping: report.failedCount), worst_rounding_m: report.worstRounding,
      worst_index: report.worstIndex.map { UInt64(clamping: $0) } ?? .max, farthest_m: report.farthest)
  }
}

@_cdecl("ald_engine_frame_from_vertices") @implementation
public func ald_engine_frame_from_vertices(
  _ frame: ald_engine_frame, _ spatial_reference: ald_spatial_reference, _ options: In<ald_projection_options>,
  _ vertices: In<Float>, _ vertex_stride_bytes: Int, _ count: Int, _ images: In<ald_projected_coordinates>,
  _ out_statuses: Out<ald_point_status>, _ out_new_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  out_new_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(frame, error) { (frame) throws(EngineError) in
    let target = try resolveOptional(spatial_reference, 2, with: frame)
    let choice = try frameProjection(options, frame, 3)
    let input = try VertexBuffer(
      vertices, stride: vertex_stride_bytes, count: count, pointerArgument: 4, countArgument: 6)
    try requireVertexRoom(count, frame.runtime.policy, 6)
    let output = try CoordinatesOut(images, count: count, 7)
    let found = try blamingChoice(choice, 3) { () throws(EngineError) in
      try frame.coordinates(ofVertices: count, in: target, choice) { input.load($0).point }
    }
    let receipt = try giveReceipt(
      try ProjectionReceipt(
        found.outcome.tally, by: found.projector, chosen: choice.transformation, runtime: frame.runtime),
      out_new_receipt)
    output.store(found.columns)
    out_new_receipt?.pointee = receipt
    store(found.outcome.statuses.buffer, to: out_statuses) { $0.rawValue }
  }
}

/// How coordinates are projected into a frame or out of it.
func frameProjection(
  _ pointer: In<ald_projection_options>, _ frame: EngineFrame, _ argument: Int32
) throws(EngineError) -> ProjectionOptions {
  let options = try projectionOptions(pointer, argument)
  try requireSameRuntime(frame, options.transformation, argument)
  return options
}

/// What is wrong with a choice is the fault of the options.
private func blamingChoice<Result>(
  _ options: ProjectionOptions, _ argument: Int32, _ body: () throws(EngineError) -> Result
) throws(EngineError) -> Result {
  guard options.transformation != nil || options.isInverse else { return try body() }
  return try blaming(argument, try body())
}

/// Runs what may still fail; then the host does not get the receipt either.
private func releasing<Result>(
  _ receipt: ald_projection_receipt, _ body: () throws(EngineError) -> Result
) throws(EngineError) -> Result {
  do throws(EngineError) { return try body() } catch {
    if receipt.id != 0 { HandleTable.shared.release(receipt.id, .projectionReceipt) }
    throw error
  }
}

@_cdecl("ald_engine_frame_geometry_to_vertices") @implementation
public func ald_engine_frame_geometry_to_vertices(
  _ frame: ald_engine_frame, _ geometry: ald_geometry, _ options: In<ald_projection_options>,
  _ out_vertices: Out<Float>, _ vertex_stride_bytes: Int, _ vertex_capacity: Int, _ out_statuses: Out<ald_point_status>,
  _ out_report: Out<ald_vertex_report>, _ out_new_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  out_new_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(frame, error) { (frame) throws(EngineError) in
    let geometry = try resolve(geometry, 2, with: frame)
    let source = try blaming(2, try geometry.requireSpatialReference())
    let choice = try frameProjection(options, frame, 3)
    let count = geometry.columns.vertexCount(geometry.row)
    let output = try vertexRoom(out_vertices, vertex_stride_bytes, vertex_capacity, for: count)
    let row = geometry.row
    let columns = try blaming(2, try geometry.columns.coordinates(ofGeometries: row..<(row &+ 1), frame.runtime.policy))
    try writeVertices(
      columns, in: source, choice, 3, of: frame, to: output, out_statuses, out_report, 8, out_new_receipt)
  }
}

@_cdecl("ald_engine_frame_geometry_array_to_vertices") @implementation
public func ald_engine_frame_geometry_array_to_vertices(
  _ frame: ald_engine_frame, _ geometry_array: ald_geometry_array, _ options: In<ald_projection_options>,
  _ out_vertices: Out<Float>, _ vertex_stride_bytes: Int, _ vertex_capacity: Int, _ out_statuses: Out<ald_point_status>,
  _ out_report: Out<ald_vertex_report>, _ out_new_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  out_new_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(frame, error) { (frame) throws(EngineError) in
    let array = try resolve(geometry_array, 2, with: frame)
    let source = try blaming(2, try array.requireSpatialReference())
    let choice = try frameProjection(options, frame, 3)
    let count = array.columns.vertexCount
    let output = try vertexRoom(out_vertices, vertex_stride_bytes, vertex_capacity, for: count)
    let columns = try blaming(2, try array.columns.coordinates(ofGeometries: 0..<array.count, frame.runtime.policy))
    try writeVertices(
      columns, in: source, choice, 3, of: frame, to: output, out_statuses, out_report, 8, out_new_receipt)
  }
}

/// The host's array for the vertices of geometries, the fourth argument, before it is touched.
private func vertexRoom(
  _ pointer: Out<Float>, _ stride: Int, _ capacity: Int, for count: Int
) throws(EngineError) -> VertexBuffer {
  // The capacity that the host states must be possible, too.
  let output = try VertexBuffer(pointer, stride: stride, count: capacity, pointerArgument: 4, countArgument: 6)
  guard capacity >= count else {
    throw EngineError(
      .bufferTooSmall, "There are \(count) vertices; the array can hold \(capacity).", argument: 6)
  }
  return output
}

/// An array of vertices of the host's: three floats each, a stride apart, at any address.
///
/// Right to share: the threads that work on a call each touch vertices of their own.
struct VertexBuffer: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  private let stride: Int

  private static let vertexSize = 12

  /// Checks an array before it is touched. The stride follows it in the function's declaration. An array that the host
  /// lets us read only must not be stored to.
  init(
    _ pointer: In<Float>, stride: Int, count: Int, pointerArgument: Int32, countArgument: Int32
  ) throws(EngineError) {
    self.stride = try checkedStride(
      stride, count, of: "vertex", Self.vertexSize, argument: pointerArgument &+ 1, countArgument: countArgument)
    base = try start(of: pointer, count, "The array of vertices", pointerArgument)
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
  try blamingAll(argument) { () throws(EngineError) in
    try policy.check(points: count)
    // A point, a height, a status and a mark.
    try policy.check(bytes: count, 16 &+ 8 &+ 1 &+ 4)
  }
}
