import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_geometry_create_overlay") @implementation
public func ald_geometry_create_overlay(
  _ a: ald_geometry, _ b: ald_geometry, _ operation: ald_overlay_operation, _ grid_size: Double,
  _ out_overlay: Out<ald_geometry>, _ out_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  enterMakingRelated(out_overlay, argument: 5, out_receipt, error) { () throws(EngineError) in
    let (first, second) = try twoGeometries(a, b)
    let operation: OverlayOperation = try enumerator(operation, "operation", "ald_overlay_operation", 3)
    try requireRange(grid_size, 0...1e100, "grid_size", 4)
    return try first.overlaid(with: second, operation, gridSize: grid_size)
  }
}

@_cdecl("ald_geometry_array_create_union") @implementation
public func ald_geometry_array_create_union(
  _ geometry_array: ald_geometry_array, _ grid_size: Double, _ out_union: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry_array, out_union, argument: 3, error) { (array) throws(EngineError) in
    try requireRange(grid_size, 0...1e100, "grid_size", 2)
    return try blaming(1, try array.united(gridSize: grid_size))
  }
}

@_cdecl("ald_geometry_create_clipped") @implementation
public func ald_geometry_create_clipped(
  _ geometry: ald_geometry, _ envelope: ald_envelope, _ out_clipped: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry, out_clipped, argument: 3, error) { (geometry) throws(EngineError) in
    try blaming(1, try geometry.requireUsable())
    return try blaming(2, try geometry.clipped(to: Envelope(envelope)))
  }
}

@_cdecl("ald_geometry_array_create_clipped") @implementation
public func ald_geometry_array_create_clipped(
  _ geometry_array: ald_geometry_array, _ envelope: ald_envelope, _ out_clipped: Out<ald_geometry_array>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry_array, out_clipped, argument: 3, error) { (array) throws(EngineError) in
    try blaming(1, try array.requireUsable())
    return try blaming(2, try array.clipped(to: Envelope(envelope)))
  }
}

@_cdecl("ald_geometry_create_cut") @implementation
public func ald_geometry_create_cut(
  _ geometry: ald_geometry, _ cutter: ald_geometry, _ out_pieces: Out<ald_geometry_array>,
  _ out_left_count: Out<UInt32>, _ out_right_count: Out<UInt32>, _ out_receipt: Out<ald_projection_receipt>,
  _ error: Out<ald_error>
) -> ald_status {
  var counts = (left: UInt32(0), right: UInt32(0))
  return enterMakingRelated(out_pieces, argument: 3, out_receipt, error) { () throws(EngineError) in
    let (subject, cutter) = try twoGeometries(geometry, cutter)
    let cut = try blaming(["cutter": 2], try subject.cut(by: cutter))
    counts = (UInt32(clamping: cut.value.leftCount), UInt32(clamping: cut.value.rightCount))
    return Related(value: cut.value.array, receipt: cut.receipt)
  } then: {
    out_left_count?.pointee = counts.left
    out_right_count?.pointee = counts.right
  }
}

@_cdecl("ald_geometry_create_convex_hull") @implementation
public func ald_geometry_create_convex_hull(
  _ geometry: ald_geometry, _ out_hull: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  making(of: geometry, out_hull, argument: 2, error) { (geometry) throws(EngineError) in try geometry.convexHull() }
}

@_cdecl("ald_geometry_array_create_convex_hulls") @implementation
public func ald_geometry_array_create_convex_hulls(
  _ geometry_array: ald_geometry_array, _ out_hulls: Out<ald_geometry_array>, _ error: Out<ald_error>
) -> ald_status {
  making(of: geometry_array, out_hulls, argument: 2, error) { (array) throws(EngineError) in try array.convexHulls() }
}

@_cdecl("ald_geometry_create_minimum_rectangle") @implementation
public func ald_geometry_create_minimum_rectangle(
  _ geometry: ald_geometry, _ out_rectangle: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  making(of: geometry, out_rectangle, argument: 2, error) { (geometry) throws(EngineError) in
    try geometry.minimumRectangle()
  }
}

@_cdecl("ald_geometry_create_boundary") @implementation
public func ald_geometry_create_boundary(
  _ geometry: ald_geometry, _ out_boundary: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  making(of: geometry, out_boundary, argument: 2, error) { (geometry) throws(EngineError) in try geometry.boundary() }
}

@_cdecl("ald_geometry_create_centroid") @implementation
public func ald_geometry_create_centroid(
  _ geometry: ald_geometry, _ out_point: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  making(of: geometry, out_point, argument: 2, error) { (geometry) throws(EngineError) in try geometry.centroid() }
}

@_cdecl("ald_geometry_create_point_on_surface") @implementation
public func ald_geometry_create_point_on_surface(
  _ geometry: ald_geometry, _ out_point: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  making(of: geometry, out_point, argument: 2, error) { (geometry) throws(EngineError) in try geometry.pointOnSurface()
  }
}

@_cdecl("ald_geometry_minimum_clearance") @implementation
public func ald_geometry_minimum_clearance(
  _ geometry: ald_geometry, _ out_clearance: Out<Double>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(geometry, out_clearance, "out_clearance", argument: 2, error) { (geometry) throws(EngineError) in
    try blaming(1, try geometry.minimumClearance())
  }
}

@_cdecl("ald_geometry_create_merged_lines") @implementation
public func ald_geometry_create_merged_lines(
  _ geometry: ald_geometry, _ out_lines: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  making(of: geometry, out_lines, argument: 2, error) { (geometry) throws(EngineError) in try geometry.mergedLines() }
}

@_cdecl("ald_geometry_create_enclosed_polygons") @implementation
public func ald_geometry_create_enclosed_polygons(
  _ geometry: ald_geometry, _ out_polygons: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  making(of: geometry, out_polygons, argument: 2, error) { (geometry) throws(EngineError) in
    try geometry.enclosedPolygons()
  }
}

@_cdecl("ald_geometry_is_simple") @implementation
public func ald_geometry_is_simple(
  _ geometry: ald_geometry, _ out_simple: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(geometry, out_simple, "out_simple", argument: 2, error) { (geometry) throws(EngineError) in
    try blaming(1, try geometry.isSimple()) ? 1 : 0
  }
}

@_cdecl("ald_geometry_create_simple") @implementation
public func ald_geometry_create_simple(
  _ geometry: ald_geometry, _ out_geometry: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  making(of: geometry, out_geometry, argument: 2, error) { (geometry) throws(EngineError) in try geometry.simple() }
}

@_cdecl("ald_geometry_array_create_simple") @implementation
public func ald_geometry_array_create_simple(
  _ geometry_array: ald_geometry_array, _ out_array: Out<ald_geometry_array>, _ error: Out<ald_error>
) -> ald_status {
  making(of: geometry_array, out_array, argument: 2, error) { (array) throws(EngineError) in try array.simple() }
}

@_cdecl("ald_geometry_create_generalized") @implementation
public func ald_geometry_create_generalized(
  _ geometry: ald_geometry, _ max_deviation: Double, _ method: ald_generalize_method, _ out_geometry: Out<ald_geometry>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry, out_geometry, argument: 4, error) { (geometry) throws(EngineError) in
    try requireRange(max_deviation, 0...1e100, "max_deviation", 2)
    let method: GeneralizeMethod = try enumerator(method, "method", "ald_generalize_method", 3)
    return try blaming(1, try geometry.generalized(maxDeviation: max_deviation, method))
  }
}

@_cdecl("ald_geometry_array_create_generalized") @implementation
public func ald_geometry_array_create_generalized(
  _ geometry_array: ald_geometry_array, _ max_deviation: Double, _ method: ald_generalize_method,
  _ out_array: Out<ald_geometry_array>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry_array, out_array, argument: 4, error) { (array) throws(EngineError) in
    try requireRange(max_deviation, 0...1e100, "max_deviation", 2)
    let method: GeneralizeMethod = try enumerator(method, "method", "ald_generalize_method", 3)
    return try blaming(1, try array.generalized(maxDeviation: max_deviation, method))
  }
}

@_cdecl("ald_geometry_create_offset_curve") @implementation
public func ald_geometry_create_offset_curve(
  _ geometry: ald_geometry, _ distance: Double, _ options: In<ald_offset_options>, _ out_curve: Out<ald_geometry>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry, out_curve, argument: 4, error) { (geometry) throws(EngineError) in
    try requireRange(distance, -1e100...1e100, "distance", 2)
    let options = try offsetOptions(options, 3)
    return try blaming(1, try geometry.offsetCurve(distance: distance, options))
  }
}

@_cdecl("ald_geometry_create_label_point") @implementation
public func ald_geometry_create_label_point(
  _ geometry: ald_geometry, _ tolerance: Double, _ out_point: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry, out_point, argument: 3, error) { (geometry) throws(EngineError) in
    try requireRange(tolerance, 0...1e100, "tolerance", 2)
    return try blaming(1, try geometry.labelPoint(tolerance: tolerance))
  }
}

@_cdecl("ald_geometry_array_create_label_points") @implementation
public func ald_geometry_array_create_label_points(
  _ geometry_array: ald_geometry_array, _ tolerance: Double, _ out_points: Out<ald_geometry_array>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry_array, out_points, argument: 3, error) { (array) throws(EngineError) in
    try requireRange(tolerance, 0...1e100, "tolerance", 2)
    return try blaming(1, try array.labelPoints(tolerance: tolerance))
  }
}

/// Runs an entry point that creates an object from its first argument alone, which is to blame for any failure.
private func making<Handle: ObjectHandle, Made: ObjectHandle>(
  of handle: Handle, _ out: Out<Made>, argument: Int32, _ error: Out<ald_error>,
  _ make: (Handle.Object) throws(EngineError) -> Made.Object
) -> ald_status {
  enterMaking(out, argument: argument, error) { () throws(EngineError) in
    let object = try resolve(handle, 1)
    return try blaming(1, try make(object))
  }
}

private func offsetOptions(_ pointer: In<ald_offset_options>, _ argument: Int32) throws(EngineError) -> OffsetOptions {
  var options = OffsetOptions()
  let name = "ald_offset_options"
  let given = try read(pointer, name, argument, zero: ald_offset_options())
  try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
  options.join = try enumerator(given.join, "\(name).join", "ald_offset_join", argument)
  if given.quadrant_segments != 0 {
    try requireRange(Double(given.quadrant_segments), 1...1024, "\(name).quadrant_segments", argument)
    options.quadrantSegments = Int32(clamping: given.quadrant_segments)
  }
  if given.mitre_limit != 0 {
    try requireRange(given.mitre_limit, 1...1e6, "\(name).mitre_limit", argument)
    options.mitreLimit = given.mitre_limit
  }
  return options
}

/// Throws unless fields of a struct are finite.
func requireFinite(
  _ values: [Double], _ fields: [String], _ name: String, _ argument: Int32
) throws(EngineError) {
  for (value, field) in zip(values, fields) where !value.isFinite {
    throw EngineError(.invalidArgument, "\(name).\(field) is \(value), which is not finite.", argument: argument)
  }
}

/// Where vertices are added, from C.
private func densifyOptions(
  _ pointer: In<ald_densify_options>, _ argument: Int32
) throws(EngineError) -> (Density, Measure, Unit?) {
  let name = "ald_densify_options"
  guard let pointer else { throw missing("The \(name)", argument) }
  let given = try read(pointer, name, argument, zero: ald_densify_options())
  try requireFinite(
    [given.longest_segment, given.maximum_deviation], ["longest_segment", "maximum_deviation"], name, argument)
  var density = Density()
  if given.longest_segment != 0 { density.longestSegment = given.longest_segment }
  if given.maximum_deviation != 0 { density.maximumDeviation = given.maximum_deviation }
  return (
    density, try measure(given.kind, given.curve_type, name, argument), try optionalUnit(given.unit, name, argument)
  )
}

@_cdecl("ald_geometry_create_densified") @implementation
public func ald_geometry_create_densified(
  _ geometry: ald_geometry, _ options: In<ald_densify_options>, _ out_densified: Out<ald_geometry>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry, out_densified, argument: 3, error) { (geometry) throws(EngineError) in
    let (density, measure, unit) = try densifyOptions(options, 2)
    return try geometry.densified(density, measure, unit: unit)
  }
}

@_cdecl("ald_geometry_array_create_densified") @implementation
public func ald_geometry_array_create_densified(
  _ geometry_array: ald_geometry_array, _ options: In<ald_densify_options>, _ out_densified: Out<ald_geometry_array>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry_array, out_densified, argument: 3, error) { (array) throws(EngineError) in
    let (density, measure, unit) = try densifyOptions(options, 2)
    return try array.densified(density, measure, unit: unit)
  }
}

@_cdecl("ald_geometry_create_moved") @implementation
public func ald_geometry_create_moved(
  _ geometry: ald_geometry, _ distance: Double, _ azimuth_deg: Double, _ options: In<ald_measure_options>,
  _ out_moved: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry, out_moved, argument: 5, error) { (geometry) throws(EngineError) in
    try requireFinite(distance, "distance", 2)
    try requireFinite(azimuth_deg, "azimuth_deg", 3)
    let (measure, unit) = try measureOptions(options, 4)
    return try geometry.moved(by: distance, azimuth: azimuth_deg, measure, unit: unit)
  }
}

@_cdecl("ald_geometry_array_create_moved") @implementation
public func ald_geometry_array_create_moved(
  _ geometry_array: ald_geometry_array, _ distance: Double, _ azimuth_deg: Double, _ options: In<ald_measure_options>,
  _ out_moved: Out<ald_geometry_array>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry_array, out_moved, argument: 5, error) { (array) throws(EngineError) in
    try requireFinite(distance, "distance", 2)
    try requireFinite(azimuth_deg, "azimuth_deg", 3)
    let (measure, unit) = try measureOptions(options, 4)
    return try array.moved(by: distance, azimuth: azimuth_deg, measure, unit: unit)
  }
}

@_cdecl("ald_geometry_create_normalized") @implementation
public func ald_geometry_create_normalized(
  _ geometry: ald_geometry, _ out_normalized: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry, out_normalized, argument: 2, error) { (geometry) throws(EngineError) in
    try geometry.normalized()
  }
}

@_cdecl("ald_geometry_array_create_normalized") @implementation
public func ald_geometry_array_create_normalized(
  _ geometry_array: ald_geometry_array, _ out_normalized: Out<ald_geometry_array>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry_array, out_normalized, argument: 2, error) { (geometry_array) throws(EngineError) in
    try geometry_array.normalized()
  }
}

@_cdecl("ald_geometry_create_projected") @implementation
public func ald_geometry_create_projected(
  _ geometry: ald_geometry, _ to: ald_spatial_reference, _ options: In<ald_projection_options>,
  _ missing_images: UInt32, _ out_statuses: Out<ald_point_status>, _ out_operations: Out<UInt32>,
  _ vertex_capacity: Int, _ out_geometry: Out<ald_geometry>, _ out_receipt: Out<ald_projection_receipt>,
  _ error: Out<ald_error>
) -> ald_status {
  out_geometry?.pointee = ald_geometry(id: 0)
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(geometry, error) { (geometry) throws(EngineError) in
    _ = try blaming(1, try geometry.requireSpatialReference())
    let target = try resolve(to, 2, with: geometry)
    let choice = try projectionOptions(options, 3)
    try requireSameRuntime(geometry, choice.transformation, 3)
    let missing = try missingImages(missing_images, knows: .areLeftOut, 4)
    let output = try VertexMarksOut(out_statuses, out_operations, vertex_capacity, argument: 5)
    guard let out_geometry else { throw AlidadeABI.missing("The out handle", 8) }
    try output.requireRoom(for: geometry.columns.vertexCount(geometry.row))
    let projected = try blamingTransformation(choice, 3) { () throws(EngineError) in
      try geometry.projected(to: target, options: choice, missingImages: missing)
    }
    let receipt = try giveReceipt(projected.receipt, out_receipt)
    try give(projected.geometry, to: out_geometry, beside: receipt)
    out_receipt?.pointee = receipt
    output.store(projected.marks)
  }
}

@_cdecl("ald_geometry_array_create_projected") @implementation
public func ald_geometry_array_create_projected(
  _ geometry_array: ald_geometry_array, _ to: ald_spatial_reference, _ options: In<ald_projection_options>,
  _ missing_images: UInt32, _ out_geometry_statuses: Out<ald_point_status>, _ geometry_capacity: Int,
  _ out_statuses: Out<ald_point_status>, _ out_operations: Out<UInt32>, _ vertex_capacity: Int,
  _ out_array: Out<ald_geometry_array>, _ out_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  out_array?.pointee = ald_geometry_array(id: 0)
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(geometry_array, error) { (array) throws(EngineError) in
    _ = try blaming(1, try array.requireSpatialReference())
    let target = try resolve(to, 2, with: array)
    let choice = try projectionOptions(options, 3)
    try requireSameRuntime(array, choice.transformation, 3)
    let missing = try missingImages(missing_images, knows: [.areLeftOut, .emptyTheGeometry], 4)
    try requireMarkRoom(out_geometry_statuses == nil, geometry_capacity, "out_geometry_statuses is", 6)
    let output = try VertexMarksOut(out_statuses, out_operations, vertex_capacity, argument: 7)
    guard let out_array else { throw AlidadeABI.missing("The out handle", 10) }
    try requireRoom(
      out_geometry_statuses, geometry_capacity, for: array.count, "statuses", "out_geometry_statuses", 6)
    try output.requireRoom(for: array.columns.vertexCount)
    let projected = try blamingTransformation(choice, 3) { () throws(EngineError) in
      try array.projected(to: target, options: choice, missingImages: missing)
    }
    let receipt = try giveReceipt(projected.receipt, out_receipt)
    try give(projected.array, to: out_array, beside: receipt)
    out_receipt?.pointee = receipt
    output.store(projected.marks)
    store(projected.statuses.buffer, to: out_geometry_statuses) { $0.rawValue }
  }
}

private func missingImages(
  _ flags: UInt32, knows known: MissingImages, _ argument: Int32
) throws(EngineError) -> MissingImages {
  try requireFlags(flags, known: known.rawValue, "missing_images", argument)
  return MissingImages(rawValue: flags)
}

/// What is wrong with the choice of a transformation is the fault of the options; single vertices are not.
private func blamingTransformation<Result>(
  _ options: ProjectionOptions, _ argument: Int32, _ body: () throws(EngineError) -> Result
) throws(EngineError) -> Result {
  guard options.transformation != nil || options.isInverse else { return try body() }
  do throws(EngineError) { return try body() } catch {
    throw error.status == .projectionFailed ? error : error.blaming(argument: argument)
  }
}

/// A receipt's handle, if one is wanted; otherwise the receipt is not created.
func giveReceipt(
  _ receipt: @autoclosure () throws(EngineError) -> ProjectionReceipt?, _ out: Out<ald_projection_receipt>
) throws(EngineError) -> ald_projection_receipt {
  guard out != nil, let receipt = try receipt() else { return ald_projection_receipt(id: 0) }
  return ald_projection_receipt(id: try HandleTable.shared.give(receipt))
}

/// Gives the host the second of two objects; without it, it does not get the first either.
func give<Handle: ObjectHandle>(
  _ object: Handle.Object, to out: UnsafeMutablePointer<Handle>, beside receipt: ald_projection_receipt
) throws(EngineError) {
  do throws(EngineError) { out.pointee = Handle(id: try HandleTable.shared.give(object)) } catch {
    if receipt.id != 0 { HandleTable.shared.release(receipt.id, .projectionReceipt) }
    throw error
  }
}

// MARK: Marks

private func requireMarkRoom(
  _ isMissing: Bool, _ capacity: Int, _ what: String, _ argument: Int32
) throws(EngineError) {
  try requireCapacity(capacity, argument)
  if isMissing, capacity != 0 {
    throw EngineError(.invalidArgument, "\(what) NULL, and the capacity is \(capacity).", argument: argument)
  }
}

/// Columns of the host's for what becomes of vertices.
private struct VertexMarksOut {
  private let statuses: Out<ald_point_status>
  private let operations: Out<UInt32>
  private let capacity: Int
  private let argument: Int32

  /// - Parameter argument: the number of the first; the other and the capacity follow in the function's declaration.
  init(
    _ statuses: Out<ald_point_status>, _ operations: Out<UInt32>, _ capacity: Int, argument: Int32
  ) throws(EngineError) {
    self.statuses = statuses
    self.operations = operations
    self.capacity = capacity
    self.argument = argument &+ 2
    try requireMarkRoom(
      statuses == nil && operations == nil, capacity, "out_statuses and out_operations are", argument &+ 2)
  }

  func requireRoom(for count: Int) throws(EngineError) {
    guard statuses == nil && operations == nil || capacity >= count else {
      throw EngineError(
        .bufferTooSmall, "There are \(count) vertices; the marks can hold \(capacity).", argument: argument)
    }
  }

  func store(_ marks: VertexMarks) {
    if let statuses {
      for index in 0..<marks.count { statuses[index] = marks.status(index).rawValue }
    }
    if let operations {
      for index in 0..<marks.count { operations[index] = marks.operation(index) }
    }
  }
}
