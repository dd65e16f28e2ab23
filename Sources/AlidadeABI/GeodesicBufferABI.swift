import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_geometry_create_geodesic_buffer") @implementation
public func ald_geometry_create_geodesic_buffer(
  _ geometry: ald_geometry, _ distance: Double, _ options: UnsafePointer<ald_geodesic_buffer_options>?,
  _ out_buffer: UnsafeMutablePointer<ald_geometry>?, _ out_report: UnsafeMutablePointer<ald_geodesic_buffer_report>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  var report: GeodesicBufferReport?
  let status = enterMaking(out_buffer, argument: 4, error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    guard distance.isFinite else {
      throw EngineError(.invalidArgument, "distance is \(distance), which is not finite.", argument: 2)
    }
    let choice = try geodesicBufferOptions(options, 3)
    try requireReport(out_report, 5)
    let made = try geometry.geodesicBuffer(distance: distance, options: choice)
    report = made.report
    return made.geometry
  }
  write(report, to: out_report, status)
  return status
}

@_cdecl("ald_geometry_array_create_geodesic_buffers") @implementation
public func ald_geometry_array_create_geodesic_buffers(
  _ geometry_array: ald_geometry_array, _ distances: UnsafePointer<Double>?, _ distance_count: Int,
  _ options: UnsafePointer<ald_geodesic_buffer_options>?, _ out_buffers: UnsafeMutablePointer<ald_geometry_array>?,
  _ out_report: UnsafeMutablePointer<ald_geodesic_buffer_report>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  var report: GeodesicBufferReport?
  let status = enterMaking(out_buffers, argument: 5, error) { () throws(EngineError) in
    let array = try resolve(geometry_array, 1)
    let numbers = try inputDistances(distances, distance_count, of: array, 2)
    let choice = try geodesicBufferOptions(options, 4)
    try requireReport(out_report, 6)
    let made = try array.geodesicBuffers(distances: numbers, options: choice)
    report = made.report
    return made.array
  }
  write(report, to: out_report, status)
  return status
}

@_cdecl("ald_geometry_array_create_geodesic_buffer_union") @implementation
public func ald_geometry_array_create_geodesic_buffer_union(
  _ geometry_array: ald_geometry_array, _ distances: UnsafePointer<Double>?, _ distance_count: Int,
  _ options: UnsafePointer<ald_geodesic_buffer_options>?, _ out_buffer: UnsafeMutablePointer<ald_geometry>?,
  _ out_report: UnsafeMutablePointer<ald_geodesic_buffer_report>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  var report: GeodesicBufferReport?
  let status = enterMaking(out_buffer, argument: 5, error) { () throws(EngineError) in
    let array = try resolve(geometry_array, 1)
    let numbers = try inputDistances(distances, distance_count, of: array, 2)
    let choice = try geodesicBufferOptions(options, 4)
    try requireReport(out_report, 6)
    let made = try array.geodesicBufferUnion(distances: numbers, options: choice)
    report = made.report
    return made.geometry
  }
  write(report, to: out_report, status)
  return status
}

/// A curve type from C.
func curveType(_ number: ald_curve_type, _ name: String, _ argument: Int32) throws(EngineError) -> CurveType {
  switch Int(truncatingIfNeeded: number) {
  case ALD_CURVE_GEODESIC: return .geodesic
  case ALD_CURVE_LOXODROME: return .loxodrome
  case ALD_CURVE_GREAT_ELLIPTIC: return .greatElliptic
  case ALD_CURVE_NORMAL_SECTION: return .normalSection
  case ALD_CURVE_SHAPE_PRESERVING: return .shapePreserving
  default:
    throw EngineError(.invalidArgument, "\(name) is \(number), which is no ald_curve_type.", argument: argument)
  }
}

/// Options from C.
private func geodesicBufferOptions(
  _ pointer: UnsafePointer<ald_geodesic_buffer_options>?, _ argument: Int32
) throws(EngineError) -> GeodesicBufferOptions {
  var options = GeodesicBufferOptions()
  guard let pointer else { return options }
  let name = "ald_geodesic_buffer_options"
  let given = try read(pointer, name, argument, zero: ald_geodesic_buffer_options())
  let unwrapped = UInt32(truncatingIfNeeded: ALD_GEODESIC_BUFFER_UNWRAPPED)
  try requireFlags(given.flags, known: unwrapped, "\(name).flags", argument)
  options.isSplit = given.flags & unwrapped == 0
  options.unit = try lengthUnit(given.unit, "\(name).unit", argument)
  options.curve = try curveType(given.curve_type, "\(name).curve_type", argument)
  options.cap = try bufferCap(given.cap, "\(name).cap", argument)
  options.join = try bufferJoin(given.join, "\(name).join", argument)
  if given.mitre_limit != 0 { options.mitreLimit = given.mitre_limit }
  guard given.maximum_deviation.isFinite, given.maximum_deviation >= 0 else {
    throw EngineError(
      .invalidArgument, "\(name).maximum_deviation is \(given.maximum_deviation); it must be 0 or more.",
      argument: argument)
  }
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
  _ pointer: UnsafePointer<Double>?, _ count: Int, of array: GeometryArray, _ argument: Int32
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

private func requireReport(
  _ pointer: UnsafeMutablePointer<ald_geodesic_buffer_report>?, _ argument: Int32
) throws(EngineError) {
  if pointer != nil { _ = try requireOut(pointer, "ald_geodesic_buffer_report", argument) }
}

/// Writes a report, once the host has the buffer.
private func write(
  _ report: GeodesicBufferReport?, to pointer: UnsafeMutablePointer<ald_geodesic_buffer_report>?, _ status: ald_status
) {
  guard let report, let pointer, status == Status.ok.rawValue else { return }
  write(
    ald_geodesic_buffer_report(
      struct_size: 0, reserved: 0, maximum_deviation_m: report.maximumDeviation,
      achieved_deviation_m: report.achievedDeviation),
    to: pointer)
}
