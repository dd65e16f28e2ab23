import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

/// How something is measured, from C.
func measure(
  _ kind: ald_measure_kind, _ curve: ald_curve_type, _ name: String, _ argument: Int32
) throws(EngineError) -> Measure {
  let type = try curveType(curve, "\(name).curve_type", argument)
  switch Int(truncatingIfNeeded: kind) {
  case ALD_MEASURE_GEODESIC: return .geodesic(type)
  case ALD_MEASURE_PLANAR:
    guard type == .geodesic else {
      throw EngineError(
        .invalidArgument, "\(name).curve_type is \(curve), and edges in the plane are straight: leave it 0.",
        argument: argument)
    }
    return .planar
  default:
    throw EngineError(
      .invalidArgument, "\(name).kind is \(kind), which is no ald_measure_kind.", argument: argument)
  }
}

/// A unit from C; nil for none.
func optionalUnit(_ number: ald_unit, _ name: String, _ argument: Int32) throws(EngineError) -> Unit? {
  if number == Int32(truncatingIfNeeded: ALD_UNIT_NONE) { return nil }
  guard let unit = Unit(rawValue: number) else {
    throw EngineError(.invalidArgument, "\(name).unit is \(number), which is no unit.", argument: argument)
  }
  return unit
}

/// Options from C.
func measureOptions(
  _ pointer: UnsafePointer<ald_measure_options>?, _ argument: Int32
) throws(EngineError) -> (Measure, Unit?) {
  guard let pointer else { return (.planar, nil) }
  let name = "ald_measure_options"
  let given = try read(pointer, name, argument, zero: ald_measure_options())
  return (try measure(given.kind, given.curve_type, name, argument), try optionalUnit(given.unit, name, argument))
}

@_cdecl("ald_geometry_area") @implementation
public func ald_geometry_area(
  _ geometry: ald_geometry, _ options: UnsafePointer<ald_measure_options>?, _ out_area: UnsafeMutablePointer<Double>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    let (measure, unit) = try measureOptions(options, 2)
    guard let out_area else { throw missing("out_area", 3) }
    out_area.pointee = try geometry.area(measure, unit: unit)
  }
}

@_cdecl("ald_geometry_length") @implementation
public func ald_geometry_length(
  _ geometry: ald_geometry, _ options: UnsafePointer<ald_measure_options>?,
  _ out_length: UnsafeMutablePointer<Double>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    let (measure, unit) = try measureOptions(options, 2)
    guard let out_length else { throw missing("out_length", 3) }
    out_length.pointee = try geometry.length(measure, unit: unit)
  }
}

/// Numbers of geometries into the host's array.
private func store(
  _ numbers: HeapArray<Double>, _ out: UnsafeMutablePointer<Double>?
) {
  for (index, number) in numbers.buffer.enumerated() {
    // storeBytes needs no alignment.
    out.map { UnsafeMutableRawPointer($0 + index).storeBytes(of: number, as: Double.self) }
  }
}

/// Throws unless there is room for a number of each geometry.
private func requireRoom(
  _ out: UnsafeMutablePointer<Double>?, _ capacity: Int, _ count: Int
) throws(EngineError) {
  try requireCapacity(capacity, 4)
  guard count > 0 else { return }
  guard out != nil else { throw missing("out_measures", 3) }
  guard capacity >= count else {
    throw EngineError(
      .bufferTooSmall, "There are \(count) geometries; out_measures has room for \(capacity) numbers.", argument: 3)
  }
}

@_cdecl("ald_geometry_array_areas") @implementation
public func ald_geometry_array_areas(
  _ geometry_array: ald_geometry_array, _ options: UnsafePointer<ald_measure_options>?,
  _ out_measures: UnsafeMutablePointer<Double>?, _ measure_capacity: Int, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let array = try resolve(geometry_array, 1)
    let (measure, unit) = try measureOptions(options, 2)
    try requireRoom(out_measures, measure_capacity, array.count)
    store(try array.areas(measure, unit: unit), out_measures)
  }
}

@_cdecl("ald_geometry_array_lengths") @implementation
public func ald_geometry_array_lengths(
  _ geometry_array: ald_geometry_array, _ options: UnsafePointer<ald_measure_options>?,
  _ out_measures: UnsafeMutablePointer<Double>?, _ measure_capacity: Int, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let array = try resolve(geometry_array, 1)
    let (measure, unit) = try measureOptions(options, 2)
    try requireRoom(out_measures, measure_capacity, array.count)
    store(try array.lengths(measure, unit: unit), out_measures)
  }
}
