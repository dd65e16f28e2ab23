import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry
import CAlidade

/// Options from C.
private func meshOptions(_ pointer: In<ald_mesh_options>, _ argument: Int32) throws(EngineError) -> MeshOptions {
  var options = MeshOptions()
  let given = try read(pointer, "ald_mesh_options", argument, zero: ald_mesh_options())
  try requireFlags(
    given.flags, known: ALD_MESH_CLOCKWISE | ALD_MESH_BOTTOM | ALD_MESH_WALLS_ONLY, "ald_mesh_options.flags", argument)
  options.isClockwise = given.flags & ALD_MESH_CLOCKWISE != 0
  options.hasBottom = given.flags & ALD_MESH_BOTTOM != 0
  options.hasWallsOnly = given.flags & ALD_MESH_WALLS_ONLY != 0
  if given.maximum_deviation_m != 0 { options.maximumDeviation = given.maximum_deviation_m }
  options.ribbon.width = given.line_width_m
  options.ribbon.cap = try enumerator(given.line_cap, "ald_mesh_options.line_cap", "ald_buffer_cap", argument)
  options.ribbon.join = try enumerator(given.line_join, "ald_mesh_options.line_join", "ald_buffer_join", argument)
  if given.mitre_limit != 0 { options.ribbon.mitreLimit = given.mitre_limit }
  if given.quadrant_segments != 0 { options.ribbon.quadrantSegments = Int(truncatingIfNeeded: given.quadrant_segments) }
  if given.band != 0 { options.band = Int(truncatingIfNeeded: given.band) &- 1 }
  if given.metres_per_band_unit != 0 { options.metresPerBandUnit = given.metres_per_band_unit }
  options.skirt = given.skirt_m
  let box = given.texture_envelope
  if box.x_min != 0 || box.y_min != 0 || box.x_max != 0 || box.y_max != 0 { options.textureEnvelope = Envelope(box) }
  try blaming(argument, try options.check())
  return options
}

/// What a mesh of an array is made of, from C. Its arguments are the same in the two functions that make one.
private struct ArrayMesh: Sendable {
  let frame: EngineFrame
  let array: GeometryArray
  let raster: Raster?
  let extrusions: HeapArray<Double>?
  let options: MeshOptions

  init(
    _ frame: ald_engine_frame, _ array: ald_geometry_array, _ raster: ald_raster, _ extrusions: In<Double>,
    _ extrusionCount: Int, _ options: In<ald_mesh_options>
  ) throws(EngineError) {
    self.frame = try resolve(frame, 1)
    self.array = try resolve(array, 2, with: self.frame)
    self.raster = try meshRaster(raster, self.frame, 3)
    self.extrusions =
      extrusions == nil && extrusionCount == 0
      ? nil
      : try inputNumbers(
        extrusions, extrusionCount, "extrusions", perEachOf: self.array.count, "geometries", pointerArgument: 4)
    self.options = try meshOptions(options, 6)
    let (frame, raster, options) = (self.frame, self.raster, self.options)
    try blaming(["options": 6, "raster": 3], try frame.checkMesh(options, raster))
  }

  func make() throws(EngineError) -> Mesh {
    try blaming(
      ["geometry": 2, "raster": 3, "extrusions": 4, "options": 6],
      try frame.mesh(of: array.columns, 0..<array.count, extrusions: extrusions, over: raster, options))
  }
}

/// What a mesh of terrain is made of, from C. Its arguments are the same in the two functions that make one.
private struct TerrainMesh: Sendable {
  let frame: EngineFrame
  let raster: Raster
  let reference: SpatialReference?
  let envelope: Envelope?
  let options: MeshOptions

  init(
    _ frame: ald_engine_frame, _ raster: ald_raster, _ reference: ald_spatial_reference, _ envelope: In<ald_envelope>,
    _ options: In<ald_mesh_options>
  ) throws(EngineError) {
    self.frame = try resolve(frame, 1)
    self.raster = try resolve(raster, 2, with: self.frame)
    self.reference = try resolveOptional(reference, 3, with: self.frame)
    self.envelope = envelope.map { Envelope($0.pointee) }
    self.options = try meshOptions(options, 5)
    let (frame, raster, options) = (self.frame, self.raster, self.options)
    let box = self.envelope
    try blaming(["options": 5, "raster": 2, "envelope": 4], try frame.checkTerrainMesh(box, options, raster))
  }

  func make() throws(EngineError) -> Mesh {
    try blaming(
      ["raster": 2, "envelope": 4, "options": 5], try frame.terrainMesh(of: raster, in: reference, envelope, options))
  }
}

private func meshRaster(
  _ handle: ald_raster, _ frame: EngineFrame, _ argument: Int32
) throws(EngineError) -> Raster? {
  guard handle.id != 0 else { return nil }
  return try resolve(handle, argument, with: frame)
}

@_cdecl("ald_engine_frame_create_geometry_mesh") @implementation
public func ald_engine_frame_create_geometry_mesh(
  _ frame: ald_engine_frame, _ geometry: ald_geometry, _ raster: ald_raster, _ extrusion_m: Double,
  _ options: In<ald_mesh_options>, _ out_mesh: Out<ald_mesh>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(frame, out_mesh, argument: 6, error) { (frame) throws(EngineError) in
    let geometry = try resolve(geometry, 2, with: frame)
    let raster = try meshRaster(raster, frame, 3)
    let options = try meshOptions(options, 5)
    let extrusions = try HeapArray<Double>(count: 1, repeating: extrusion_m)
    return try blaming(
      ["geometry": 2, "raster": 3, "extrusions": 4, "options": 5],
      try frame.mesh(
        of: geometry.columns, geometry.row..<(geometry.row &+ 1), extrusions: extrusions, over: raster, options))
  }
}

@_cdecl("ald_engine_frame_create_geometry_array_mesh") @implementation
public func ald_engine_frame_create_geometry_array_mesh(
  _ frame: ald_engine_frame, _ geometry_array: ald_geometry_array, _ raster: ald_raster, _ extrusions_m: In<Double>,
  _ extrusion_count: Int, _ options: In<ald_mesh_options>, _ out_mesh: Out<ald_mesh>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_mesh, argument: 7, error) { () throws(EngineError) in
    try ArrayMesh(frame, geometry_array, raster, extrusions_m, extrusion_count, options).make()
  }
}

@_cdecl("ald_engine_frame_create_geometry_array_mesh_async") @implementation
public func ald_engine_frame_create_geometry_array_mesh_async(
  _ frame: ald_engine_frame, _ geometry_array: ald_geometry_array, _ raster: ald_raster, _ extrusions_m: In<Double>,
  _ extrusion_count: Int, _ options: In<ald_mesh_options>, _ request_options: In<ald_request_options>,
  _ out_request: Out<ald_request>, _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(out_request, argument: 8, error) { () throws(EngineError) in
    let mesh = try ArrayMesh(frame, geometry_array, raster, extrusions_m, extrusion_count, options)
    let request = try requestOptions(request_options, 7)
    return try mesh.frame.meshRequest(request) { () throws(EngineError) in try mesh.make() }
  }
}

@_cdecl("ald_engine_frame_create_terrain_mesh") @implementation
public func ald_engine_frame_create_terrain_mesh(
  _ frame: ald_engine_frame, _ raster: ald_raster, _ spatial_reference: ald_spatial_reference,
  _ envelope: In<ald_envelope>, _ options: In<ald_mesh_options>, _ out_mesh: Out<ald_mesh>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_mesh, argument: 6, error) { () throws(EngineError) in
    try TerrainMesh(frame, raster, spatial_reference, envelope, options).make()
  }
}

@_cdecl("ald_engine_frame_create_terrain_mesh_async") @implementation
public func ald_engine_frame_create_terrain_mesh_async(
  _ frame: ald_engine_frame, _ raster: ald_raster, _ spatial_reference: ald_spatial_reference,
  _ envelope: In<ald_envelope>, _ options: In<ald_mesh_options>, _ request_options: In<ald_request_options>,
  _ out_request: Out<ald_request>, _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(out_request, argument: 7, error) { () throws(EngineError) in
    let mesh = try TerrainMesh(frame, raster, spatial_reference, envelope, options)
    let request = try requestOptions(request_options, 6)
    return try mesh.frame.meshRequest(request) { () throws(EngineError) in try mesh.make() }
  }
}

@_cdecl("ald_request_take_mesh") @implementation
public func ald_request_take_mesh(
  _ request: ald_request, _ out_mesh: Out<ald_mesh>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_mesh, argument: 2, error) { () throws(EngineError) in
    try takeResult(of: request, .createMesh, Mesh.self, "a mesh")
  }
}

@_cdecl("ald_mesh_get_info") @implementation
public func ald_mesh_get_info(_ mesh: ald_mesh, _ out_info: Out<ald_mesh_info>, _ error: Out<ald_error>) -> ald_status {
  enterFilling(mesh, out_info, argument: 2, error) { (mesh) throws(EngineError) in
    ald_mesh_info(
      struct_size: 0, vertex_count: UInt32(clamping: mesh.vertexCount),
      triangle_count: UInt32(clamping: mesh.triangleCount),
      dropped_triangle_count: UInt32(clamping: mesh.report.droppedCount), deviation_m: mesh.report.deviation,
      worst_rounding_m: mesh.report.worstRounding, farthest_m: mesh.report.farthest)
  }
}

@_cdecl("ald_mesh_get_columns") @implementation
public func ald_mesh_get_columns(
  _ mesh: ald_mesh, _ out_columns: Out<ald_mesh_columns>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(mesh, out_columns, argument: 2, error) { (mesh) throws(EngineError) in
    ald_mesh_columns(
      struct_size: 0, vertex_count: UInt32(clamping: mesh.vertexCount),
      index_count: UInt32(clamping: mesh.indices.buffer.count),
      geometry_count: UInt32(clamping: mesh.geometryCount),
      positions: UnsafePointer(mesh.positions.buffer.baseAddress),
      normals: UnsafePointer(mesh.normals.buffer.baseAddress),
      texture_coordinates: UnsafePointer(mesh.textures.buffer.baseAddress),
      indices: UnsafePointer(mesh.indices.buffer.baseAddress),
      vertex_offsets: UnsafePointer(mesh.vertexOffsets.buffer.baseAddress),
      index_offsets: UnsafePointer(mesh.indexOffsets.buffer.baseAddress))
  }
}
