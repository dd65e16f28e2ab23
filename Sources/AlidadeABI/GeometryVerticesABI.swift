import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

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
  _ pointer: UnsafePointer<ald_densify_options>?, _ argument: Int32
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
  _ geometry: ald_geometry, _ options: UnsafePointer<ald_densify_options>?,
  _ out_densified: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_densified, argument: 3, error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    let (density, measure, unit) = try densifyOptions(options, 2)
    return try geometry.densified(density, measure, unit: unit)
  }
}

@_cdecl("ald_geometry_array_create_densified") @implementation
public func ald_geometry_array_create_densified(
  _ geometry_array: ald_geometry_array, _ options: UnsafePointer<ald_densify_options>?,
  _ out_densified: UnsafeMutablePointer<ald_geometry_array>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_densified, argument: 3, error) { () throws(EngineError) in
    let array = try resolve(geometry_array, 1)
    let (density, measure, unit) = try densifyOptions(options, 2)
    return try array.densified(density, measure, unit: unit)
  }
}

/// Throws unless a distance and an azimuth are numbers; they follow the geometry in the declaration.
private func requireCourse(_ distance: Double, _ azimuth: Double) throws(EngineError) {
  for (value, name, argument) in [(distance, "distance", Int32(2)), (azimuth, "azimuth_deg", 3)] where !value.isFinite {
    throw EngineError(.invalidArgument, "\(name) is \(value), which is not finite.", argument: argument)
  }
}

@_cdecl("ald_geometry_create_moved") @implementation
public func ald_geometry_create_moved(
  _ geometry: ald_geometry, _ distance: Double, _ azimuth_deg: Double, _ options: UnsafePointer<ald_measure_options>?,
  _ out_moved: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_moved, argument: 5, error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    try requireCourse(distance, azimuth_deg)
    let (measure, unit) = try measureOptions(options, 4)
    return try geometry.moved(by: distance, azimuth: azimuth_deg, measure, unit: unit)
  }
}

@_cdecl("ald_geometry_array_create_moved") @implementation
public func ald_geometry_array_create_moved(
  _ geometry_array: ald_geometry_array, _ distance: Double, _ azimuth_deg: Double,
  _ options: UnsafePointer<ald_measure_options>?, _ out_moved: UnsafeMutablePointer<ald_geometry_array>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_moved, argument: 5, error) { () throws(EngineError) in
    let array = try resolve(geometry_array, 1)
    try requireCourse(distance, azimuth_deg)
    let (measure, unit) = try measureOptions(options, 4)
    return try array.moved(by: distance, azimuth: azimuth_deg, measure, unit: unit)
  }
}

@_cdecl("ald_geometry_create_normalized") @implementation
public func ald_geometry_create_normalized(
  _ geometry: ald_geometry, _ out_normalized: UnsafeMutablePointer<ald_geometry>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_normalized, argument: 2, error) { () throws(EngineError) in
    try resolve(geometry, 1).normalized()
  }
}

@_cdecl("ald_geometry_array_create_normalized") @implementation
public func ald_geometry_array_create_normalized(
  _ geometry_array: ald_geometry_array, _ out_normalized: UnsafeMutablePointer<ald_geometry_array>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_normalized, argument: 2, error) { () throws(EngineError) in
    try resolve(geometry_array, 1).normalized()
  }
}
