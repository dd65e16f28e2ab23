import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_geometry_create_convex_hull") @implementation
public func ald_geometry_create_convex_hull(
  _ geometry: ald_geometry, _ out_hull: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  making(of: geometry, out_hull, argument: 2, error) { (geometry) throws(EngineError) in try geometry.convexHull() }
}

@_cdecl("ald_geometry_array_create_convex_hulls") @implementation
public func ald_geometry_array_create_convex_hulls(
  _ geometry_array: ald_geometry_array, _ out_hulls: UnsafeMutablePointer<ald_geometry_array>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  making(of: geometry_array, out_hulls, argument: 2, error) { (array) throws(EngineError) in try array.convexHulls() }
}

@_cdecl("ald_geometry_create_minimum_rectangle") @implementation
public func ald_geometry_create_minimum_rectangle(
  _ geometry: ald_geometry, _ out_rectangle: UnsafeMutablePointer<ald_geometry>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  making(of: geometry, out_rectangle, argument: 2, error) { (geometry) throws(EngineError) in
    try geometry.minimumRectangle()
  }
}

@_cdecl("ald_geometry_create_boundary") @implementation
public func ald_geometry_create_boundary(
  _ geometry: ald_geometry, _ out_boundary: UnsafeMutablePointer<ald_geometry>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  making(of: geometry, out_boundary, argument: 2, error) { (geometry) throws(EngineError) in try geometry.boundary() }
}

@_cdecl("ald_geometry_create_centroid") @implementation
public func ald_geometry_create_centroid(
  _ geometry: ald_geometry, _ out_point: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  making(of: geometry, out_point, argument: 2, error) { (geometry) throws(EngineError) in try geometry.centroid() }
}

@_cdecl("ald_geometry_create_point_on_surface") @implementation
public func ald_geometry_create_point_on_surface(
  _ geometry: ald_geometry, _ out_point: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  making(of: geometry, out_point, argument: 2, error) { (geometry) throws(EngineError) in try geometry.pointOnSurface()
  }
}

@_cdecl("ald_geometry_minimum_clearance") @implementation
public func ald_geometry_minimum_clearance(
  _ geometry: ald_geometry, _ out_clearance: UnsafeMutablePointer<Double>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    guard let out_clearance else { throw missing("out_clearance", 2) }
    out_clearance.pointee = try blaming(1) { () throws(EngineError) in try geometry.minimumClearance() }
  }
}

@_cdecl("ald_geometry_create_merged_lines") @implementation
public func ald_geometry_create_merged_lines(
  _ geometry: ald_geometry, _ out_lines: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  making(of: geometry, out_lines, argument: 2, error) { (geometry) throws(EngineError) in try geometry.mergedLines() }
}

@_cdecl("ald_geometry_create_enclosed_polygons") @implementation
public func ald_geometry_create_enclosed_polygons(
  _ geometry: ald_geometry, _ out_polygons: UnsafeMutablePointer<ald_geometry>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  making(of: geometry, out_polygons, argument: 2, error) { (geometry) throws(EngineError) in
    try geometry.enclosedPolygons()
  }
}

@_cdecl("ald_geometry_is_simple") @implementation
public func ald_geometry_is_simple(
  _ geometry: ald_geometry, _ out_simple: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    guard let out_simple else { throw missing("out_simple", 2) }
    out_simple.pointee = try blaming(1) { () throws(EngineError) in try geometry.isSimple() } ? 1 : 0
  }
}

@_cdecl("ald_geometry_create_simple") @implementation
public func ald_geometry_create_simple(
  _ geometry: ald_geometry, _ out_geometry: UnsafeMutablePointer<ald_geometry>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  making(of: geometry, out_geometry, argument: 2, error) { (geometry) throws(EngineError) in try geometry.simple() }
}

@_cdecl("ald_geometry_array_create_simple") @implementation
public func ald_geometry_array_create_simple(
  _ geometry_array: ald_geometry_array, _ out_array: UnsafeMutablePointer<ald_geometry_array>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  making(of: geometry_array, out_array, argument: 2, error) { (array) throws(EngineError) in try array.simple() }
}

@_cdecl("ald_geometry_create_generalized") @implementation
public func ald_geometry_create_generalized(
  _ geometry: ald_geometry, _ max_deviation: Double, _ method: ald_generalize_method,
  _ out_geometry: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_geometry, argument: 4, error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    try requireRange(max_deviation, 0...1e100, "max_deviation", 2)
    let method = try generalizeMethod(method, 3)
    return try blaming(1) { () throws(EngineError) in
      try geometry.generalized(maxDeviation: max_deviation, method)
    }
  }
}

@_cdecl("ald_geometry_array_create_generalized") @implementation
public func ald_geometry_array_create_generalized(
  _ geometry_array: ald_geometry_array, _ max_deviation: Double, _ method: ald_generalize_method,
  _ out_array: UnsafeMutablePointer<ald_geometry_array>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_array, argument: 4, error) { () throws(EngineError) in
    let array = try resolve(geometry_array, 1)
    try requireRange(max_deviation, 0...1e100, "max_deviation", 2)
    let method = try generalizeMethod(method, 3)
    return try blaming(1) { () throws(EngineError) in try array.generalized(maxDeviation: max_deviation, method) }
  }
}

@_cdecl("ald_geometry_create_offset_curve") @implementation
public func ald_geometry_create_offset_curve(
  _ geometry: ald_geometry, _ distance: Double, _ options: UnsafePointer<ald_offset_options>?,
  _ out_curve: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_curve, argument: 4, error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    try requireRange(distance, -1e100...1e100, "distance", 2)
    let options = try offsetOptions(options, 3)
    return try blaming(1) { () throws(EngineError) in try geometry.offsetCurve(distance: distance, options) }
  }
}

@_cdecl("ald_geometry_create_label_point") @implementation
public func ald_geometry_create_label_point(
  _ geometry: ald_geometry, _ tolerance: Double, _ out_point: UnsafeMutablePointer<ald_geometry>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_point, argument: 3, error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    try requireRange(tolerance, 0...1e100, "tolerance", 2)
    return try blaming(1) { () throws(EngineError) in try geometry.labelPoint(tolerance: tolerance) }
  }
}

@_cdecl("ald_geometry_array_create_label_points") @implementation
public func ald_geometry_array_create_label_points(
  _ geometry_array: ald_geometry_array, _ tolerance: Double, _ out_points: UnsafeMutablePointer<ald_geometry_array>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_points, argument: 3, error) { () throws(EngineError) in
    let array = try resolve(geometry_array, 1)
    try requireRange(tolerance, 0...1e100, "tolerance", 2)
    return try blaming(1) { () throws(EngineError) in try array.labelPoints(tolerance: tolerance) }
  }
}

/// Runs an entry point that makes an object of its first argument alone, which is to blame for whatever fails.
private func making<Handle: ObjectHandle, Made: ObjectHandle>(
  of handle: Handle, _ out: UnsafeMutablePointer<Made>?, argument: Int32, _ error: UnsafeMutablePointer<ald_error>?,
  _ make: (Handle.Object) throws(EngineError) -> Made.Object
) -> ald_status {
  enterMaking(out, argument: argument, error) { () throws(EngineError) in
    let object = try resolve(handle, 1)
    return try blaming(1) { () throws(EngineError) in try make(object) }
  }
}

private func generalizeMethod(_ number: Int32, _ argument: Int32) throws(EngineError) -> GeneralizeMethod {
  guard let method = GeneralizeMethod(rawValue: number) else {
    throw EngineError(
      .invalidArgument, "method is \(number), which is no ald_generalize_method.", argument: argument)
  }
  return method
}

private func offsetOptions(
  _ pointer: UnsafePointer<ald_offset_options>?, _ argument: Int32
) throws(EngineError) -> OffsetOptions {
  var options = OffsetOptions()
  guard let pointer else { return options }
  let name = "ald_offset_options"
  let given = try read(pointer, name, argument, zero: ald_offset_options())
  try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
  guard let join = OffsetJoin(rawValue: given.join) else {
    throw EngineError(
      .invalidArgument, "\(name).join is \(given.join), which is no ald_offset_join.", argument: argument)
  }
  options.join = join
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
