import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

/// Options from C.
private func bufferStyle(
  _ pointer: In<ald_buffer_options>, _ argument: Int32
) throws(EngineError) -> PlanarBufferStyle {
  var style = PlanarBufferStyle()
  let given = try read(pointer, "ald_buffer_options", argument, zero: ald_buffer_options())
  style.cap = try enumerator(given.cap, "ald_buffer_options.cap", "ald_buffer_cap", argument)
  style.join = try enumerator(given.join, "ald_buffer_options.join", "ald_buffer_join", argument)
  style.side = try enumerator(given.side, "ald_buffer_options.side", "ald_buffer_side", argument)
  style.unit = try optionalUnit(given.unit, "ald_buffer_options", argument)
  if given.maximum_deviation != 0 {
    guard given.quadrant_segments == 0 else {
      throw EngineError(
        .invalidArgument, "Both quadrant_segments and maximum_deviation are given; one of them must be 0.",
        argument: argument)
    }
    style.resolution = .maximumDeviation(given.maximum_deviation)
  } else if given.quadrant_segments != 0 {
    style.resolution = .quadrantSegments(Int(truncatingIfNeeded: given.quadrant_segments))
  }
  if given.mitre_limit != 0 { style.mitreLimit = given.mitre_limit }
  if given.right_distance != 0 { style.rightDistance = given.right_distance }
  try blaming(argument, try style.check())
  return style
}

/// Numbers that come in, which need not be aligned: one for each of so many things, or fewer. The count follows the
/// pointer in the function's declaration.
func inputNumbers(
  _ pointer: In<Double>, _ count: Int, _ what: String, perEachOf things: Int, _ thing: String, pointerArgument: Int32
) throws(EngineError) -> HeapArray<Double> {
  try requireCapacity(count, pointerArgument &+ 1)
  // Before the array is touched: so many are not there.
  guard count >= 1, count <= max(1, things) else {
    throw EngineError(
      .invalidArgument, "There are \(count) \(what) and \(things) \(thing); give one each, or fewer, but one at least.",
      argument: pointerArgument &+ 1)
  }
  guard let pointer else { throw missing("The array of \(what)", pointerArgument) }
  let numbers = try HeapArray<Double>(count: count)
  for index in 0..<count {
    numbers.buffer[index] = UnsafeRawPointer(pointer + index).loadUnaligned(as: Double.self)
  }
  return numbers
}

/// Says which argument the engine blames of a function that makes buffers.
private func blamingBuffer<Result>(
  options: Int32, _ body: () throws(EngineError) -> Result
) throws(EngineError) -> Result {
  try blaming(["distance": 2, "options": options, "centres": 1, "radii": 2], try body())
}

@_cdecl("ald_geometry_create_buffer") @implementation
public func ald_geometry_create_buffer(
  _ geometry: ald_geometry, _ distance: Double, _ options: In<ald_buffer_options>, _ out_geometry: Out<ald_geometry>,
  _ error: Out<ald_error>
) -> ald_status {
  return enterMaking(geometry, out_geometry, argument: 4, error) { (geometry) throws(EngineError) in
    let style = try bufferStyle(options, 3)
    return try blamingBuffer(options: 3) { () throws(EngineError) in try geometry.buffered(distance, style) }
  }
}

@_cdecl("ald_geometry_array_create_buffers") @implementation
public func ald_geometry_array_create_buffers(
  _ geometry_array: ald_geometry_array, _ distances: In<Double>, _ distance_count: Int,
  _ options: In<ald_buffer_options>, _ out_array: Out<ald_geometry_array>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry_array, out_array, argument: 5, error) { (array) throws(EngineError) in
    let numbers = try inputNumbers(
      distances, distance_count, "distances", perEachOf: array.count, "geometries", pointerArgument: 2)
    let style = try bufferStyle(options, 4)
    return try blamingBuffer(options: 4) { () throws(EngineError) in
      try array.buffered(UnsafeBufferPointer(numbers.buffer), style)
    }
  }
}

@_cdecl("ald_geometry_array_create_buffer_union") @implementation
public func ald_geometry_array_create_buffer_union(
  _ geometry_array: ald_geometry_array, _ distances: In<Double>, _ distance_count: Int,
  _ options: In<ald_buffer_options>, _ out_geometry: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry_array, out_geometry, argument: 5, error) { (array) throws(EngineError) in
    let numbers = try inputNumbers(
      distances, distance_count, "distances", perEachOf: array.count, "geometries", pointerArgument: 2)
    let style = try bufferStyle(options, 4)
    return try blamingBuffer(options: 4) { () throws(EngineError) in
      try array.bufferUnion(UnsafeBufferPointer(numbers.buffer), style)
    }
  }
}

@_cdecl("ald_runtime_fill_circles") @implementation
public func ald_runtime_fill_circles(
  _ runtime: ald_runtime, _ xy: In<Double>, _ stride_bytes: Int, _ count: Int, _ radii: In<Double>, _ radius_count: Int,
  _ quadrant_segments: UInt32, _ out_vertex_xy: Out<Double>, _ out_stride_bytes: Int, _ vertex_capacity: Int,
  _ error: Out<ald_error>
) -> ald_status {
  enter(runtime, error) { (runtime) throws(EngineError) in
    let centres = try StridedPoints(
      xy, stride: stride_bytes, count: count, runtime.policy, argument: 2, countArgument: 4)
    let numbers = try inputNumbers(
      radii, radius_count, "radii", perEachOf: count, "centres", pointerArgument: 5)
    let segments = Int(truncatingIfNeeded: quadrant_segments)
    try blaming(7, try ArcResolution.quadrantSegments(segments).check())
    let vertexCount = CircleFill.vertexCount(circles: count, segments: segments)
    let target = try StridedPoints(
      out_vertex_xy, stride: out_stride_bytes, count: vertexCount, runtime.policy, argument: 8, countArgument: 4)
    try requireRoom(out_vertex_xy, vertex_capacity, for: vertexCount, "vertices", "out_vertex_xy", 10)
    try fill(centres, UnsafeBufferPointer(numbers.buffer), segments, target, runtime.workers)
    withExtendedLifetime(numbers) {}
  }
}

private func fill(
  _ centres: StridedPoints, _ radii: UnsafeBufferPointer<Double>, _ segments: Int, _ target: StridedPoints,
  _ workers: Workers
) throws(EngineError) {
  let circles = try blaming(
    ["centres": 2, "radii": 5],
    try CircleFill(
      centres: UnsafeRawPointer(centres.base), stride: centres.stride, count: centres.count, radii: radii,
      segments: segments))
  try circles.write(to: target.base, stride: target.stride, workers: workers)
}

@_cdecl("ald_spatial_reference_measure_buffer_error") @implementation
public func ald_spatial_reference_measure_buffer_error(
  _ spatial_reference: ald_spatial_reference, _ point: ald_point, _ distance: Double, _ unit: ald_unit,
  _ out_measured: Out<ald_planar_buffer_error>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(spatial_reference, out_measured, argument: 5, error) { (reference) throws(EngineError) in
    try requireFinite(point, "point", 2)
    try requireFinite(distance, "distance", 3)
    let metres = try blaming(4, try lengthUnit(unit, "unit", 4).convert(distance, to: .metre))
    let found = try PlanarBufferError.measure(reference, at: Point(point), distance: metres)
    return ald_planar_buffer_error(
      struct_size: 0, reserved: 0, min_m: found.minimum, max_m: found.maximum, mean_m: found.mean,
      worst_azimuth_deg: found.worstAzimuth, worst_point: ald_point(found.worstPlace),
      planar_area_m2: found.planarArea, geodesic_area_m2: found.geodesicArea)
  }
}

@_cdecl("ald_geometry_create_geodesic_buffer") @implementation
public func ald_geometry_create_geodesic_buffer(
  _ geometry: ald_geometry, _ distance: Double, _ options: In<ald_geodesic_buffer_options>,
  _ out_buffer: Out<ald_geometry>, _ out_report: Out<ald_geodesic_buffer_report>, _ error: Out<ald_error>
) -> ald_status {
  var report = ald_geodesic_buffer_report()
  return enterMaking(geometry, out_buffer, argument: 4, error) { (geometry) throws(EngineError) in
    try requireFinite(distance, "distance", 2)
    let choice = try geodesicBufferOptions(options, 3)
    _ = try optionalOut(out_report, 5)
    let made = try blamingBuffer(options: 3) { () throws(EngineError) in
      try geometry.geodesicBuffer(distance: distance, options: choice)
    }
    report = ald_geodesic_buffer_report(made.report)
    return made.geometry
  } then: { _ in
    write(report, to: out_report)
  }
}

@_cdecl("ald_geometry_array_create_geodesic_buffers") @implementation
public func ald_geometry_array_create_geodesic_buffers(
  _ geometry_array: ald_geometry_array, _ distances: In<Double>, _ distance_count: Int,
  _ options: In<ald_geodesic_buffer_options>, _ out_buffers: Out<ald_geometry_array>,
  _ out_report: Out<ald_geodesic_buffer_report>, _ error: Out<ald_error>
) -> ald_status {
  var report = ald_geodesic_buffer_report()
  return enterMaking(geometry_array, out_buffers, argument: 5, error) { (array) throws(EngineError) in
    let numbers = try inputDistances(distances, distance_count, of: array, 2)
    let choice = try geodesicBufferOptions(options, 4)
    _ = try optionalOut(out_report, 6)
    let made = try blamingBuffer(options: 4) { () throws(EngineError) in
      try array.geodesicBuffers(distances: numbers, options: choice)
    }
    report = ald_geodesic_buffer_report(made.report)
    return made.array
  } then: { _ in
    write(report, to: out_report)
  }
}

@_cdecl("ald_geometry_array_create_geodesic_buffer_union") @implementation
public func ald_geometry_array_create_geodesic_buffer_union(
  _ geometry_array: ald_geometry_array, _ distances: In<Double>, _ distance_count: Int,
  _ options: In<ald_geodesic_buffer_options>, _ out_buffer: Out<ald_geometry>,
  _ out_report: Out<ald_geodesic_buffer_report>, _ error: Out<ald_error>
) -> ald_status {
  var report = ald_geodesic_buffer_report()
  return enterMaking(geometry_array, out_buffer, argument: 5, error) { (array) throws(EngineError) in
    let numbers = try inputDistances(distances, distance_count, of: array, 2)
    let choice = try geodesicBufferOptions(options, 4)
    _ = try optionalOut(out_report, 6)
    let made = try blamingBuffer(options: 4) { () throws(EngineError) in
      try array.geodesicBufferUnion(distances: numbers, options: choice)
    }
    report = ald_geodesic_buffer_report(made.report)
    return made.geometry
  } then: { _ in
    write(report, to: out_report)
  }
}

/// Options from C.
private func geodesicBufferOptions(
  _ pointer: In<ald_geodesic_buffer_options>, _ argument: Int32
) throws(EngineError) -> GeodesicBufferOptions {
  var options = GeodesicBufferOptions()
  let name = "ald_geodesic_buffer_options"
  let given = try read(pointer, name, argument, zero: ald_geodesic_buffer_options())
  try requireFlags(given.flags, known: ALD_GEODESIC_BUFFER_UNWRAPPED, "\(name).flags", argument)
  options.isSplit = given.flags & ALD_GEODESIC_BUFFER_UNWRAPPED == 0
  options.unit = try lengthUnit(given.unit, "\(name).unit", argument)
  options.curve = try enumerator(given.curve_type, "\(name).curve_type", "ald_curve_type", argument)
  options.cap = try enumerator(given.cap, "\(name).cap", "ald_buffer_cap", argument)
  options.join = try enumerator(given.join, "\(name).join", "ald_buffer_join", argument)
  if given.mitre_limit != 0 { options.mitreLimit = given.mitre_limit }
  // The limit of mitres is that of planar buffers.
  var style = PlanarBufferStyle()
  style.mitreLimit = options.mitreLimit
  try blaming(argument, try style.check())
  try requireNotNegative(given.maximum_deviation, "\(name).maximum_deviation", argument)
  if given.maximum_deviation > 0 { options.maximumDeviation = given.maximum_deviation }
  return options
}

/// A unit of length from C; 0: metres.
func lengthUnit(_ number: ald_unit, _ name: String, _ argument: Int32) throws(EngineError) -> Unit {
  if number == 0 { return .metre }
  guard let unit = Unit(rawValue: number), unit.kind == .length else {
    throw EngineError(.invalidArgument, "\(name) is \(number), which is no unit of length.", argument: argument)
  }
  return unit
}

/// Distances from C. The count follows the pointer in the function's declaration.
private func inputDistances(
  _ pointer: In<Double>, _ count: Int, of array: GeometryArray, _ argument: Int32
) throws(EngineError) -> [Double] {
  try requireCapacity(count, argument &+ 1)
  guard count > 0, count <= max(1, array.count) else {
    throw EngineError(
      .invalidArgument,
      "There are \(count) distances for \(array.count) geometries; at least one and at most one for "
        + "each is needed.", argument: argument &+ 1)
  }
  guard let pointer else { throw missing("The array of distances", argument) }
  return (0..<count).map { UnsafeRawPointer(pointer + $0).loadUnaligned(as: Double.self) }
}

extension ald_geodesic_buffer_report {
  fileprivate init(_ report: GeodesicBufferReport) {
    self.init(
      struct_size: 0, reserved: 0, maximum_deviation_m: report.maximumDeviation,
      achieved_deviation_m: report.achievedDeviation)
  }
}

@_cdecl("ald_spatial_reference_fill_geodesic_circles") @implementation
public func ald_spatial_reference_fill_geodesic_circles(
  _ spatial_reference: ald_spatial_reference, _ xy: In<Double>, _ stride_bytes: Int, _ count: Int,
  _ radii_m: In<Double>, _ radius_count: Int, _ vertices_per_circle: UInt32, _ out_vertex_xy: Out<Double>,
  _ out_stride_bytes: Int, _ vertex_capacity: Int, _ error: Out<ald_error>
) -> ald_status {
  enter(spatial_reference, error) { (reference) throws(EngineError) in
    let policy = reference.runtime.policy
    let centres = try StridedPoints(
      xy, stride: stride_bytes, count: count, policy, argument: 2, countArgument: 4)
    let radii = try inputNumbers(
      radii_m, radius_count, "radii", perEachOf: count, "centres", pointerArgument: 5)
    let vertices = Int(truncatingIfNeeded: vertices_per_circle)
    try requireRange(vertices, GeodesicCircleFill.vertexCounts, "vertices_per_circle", 7)
    let circles = try blaming(1, try GeodesicCircleFill(reference, vertexCount: vertices))
    try blaming(5, try circles.check(radii: radii))
    let needed = circles.vertexCount(circles: count)
    let target = try StridedPoints(
      out_vertex_xy, stride: out_stride_bytes, count: needed, policy, argument: 8, countArgument: 4)
    try requireRoom(out_vertex_xy, vertex_capacity, for: needed, "vertices", "out_vertex_xy", 10)
    try circles.write(
      count: count, centre: { centres.load($0) }, radius: { radii.buffer[min($0, radii.buffer.count &- 1)] },
      put: { target.store($2, at: $0 &* vertices &+ $1) })
  }
}

@_cdecl("ald_spatial_reference_create_geodesic_ellipse") @implementation
public func ald_spatial_reference_create_geodesic_ellipse(
  _ spatial_reference: ald_spatial_reference, _ ellipse: In<ald_geodesic_ellipse>, _ out_geometry: Out<ald_geometry>,
  _ out_achieved_deviation_m: Out<Double>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(spatial_reference, out_geometry, argument: 3, error) { (reference) throws(EngineError) in
    let name = "ald_geodesic_ellipse"
    guard let ellipse else { throw missing("The \(name)", 2) }
    let given = try read(ellipse, name, 2, zero: ald_geodesic_ellipse())
    try requireFinite(
      [
        given.center.x, given.center.y, given.semi_axis_1, given.semi_axis_2, given.axis_azimuth_deg,
        given.maximum_deviation,
      ],
      ["center.x", "center.y", "semi_axis_1", "semi_axis_2", "axis_azimuth_deg", "maximum_deviation"], name, 2)
    let unit = try optionalUnit(given.unit, name, 2)
    let made = try Geometry.make(
      GeodesicEllipse(
        centre: Point(given.center), semiAxis1: given.semi_axis_1, semiAxis2: given.semi_axis_2,
        azimuth: given.axis_azimuth_deg),
      in: reference, unit: unit, maximumDeviation: given.maximum_deviation == 0 ? nil : given.maximum_deviation)
    out_achieved_deviation_m?.pointee = made.achievedDeviation
    return made.geometry
  }
}

@_cdecl("ald_spatial_reference_create_geodesic_sector") @implementation
public func ald_spatial_reference_create_geodesic_sector(
  _ spatial_reference: ald_spatial_reference, _ sector: In<ald_geodesic_sector>, _ out_geometry: Out<ald_geometry>,
  _ out_achieved_deviation_m: Out<Double>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(spatial_reference, out_geometry, argument: 3, error) { (reference) throws(EngineError) in
    let name = "ald_geodesic_sector"
    guard let sector else { throw missing("The \(name)", 2) }
    let given = try read(sector, name, 2, zero: ald_geodesic_sector())
    try requireFinite(
      [
        given.center.x, given.center.y, given.radius, given.start_azimuth_deg, given.angle_deg,
        given.maximum_deviation,
      ],
      ["center.x", "center.y", "radius", "start_azimuth_deg", "angle_deg", "maximum_deviation"], name, 2)
    let unit = try optionalUnit(given.unit, name, 2)
    let made = try Geometry.make(
      GeodesicSector(
        centre: Point(given.center), radius: given.radius, azimuth: given.start_azimuth_deg, angle: given.angle_deg),
      in: reference, unit: unit, maximumDeviation: given.maximum_deviation == 0 ? nil : given.maximum_deviation)
    out_achieved_deviation_m?.pointee = made.achievedDeviation
    return made.geometry
  }
}
