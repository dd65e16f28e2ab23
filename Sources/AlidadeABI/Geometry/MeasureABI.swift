import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

/// A column of doubles of the host's, one behind the other, at any address.
///
/// Right to share: the threads that work on a call each touch numbers of their own.
private struct Numbers: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer

  init?(_ pointer: Out<Double>) {
    guard let pointer else { return nil }
    base = UnsafeMutableRawPointer(pointer)
  }

  /// For a column that is only read, and may be NULL only if it is empty.
  init(reading pointer: In<Double>, count: Int, _ name: String, _ argument: Int32) throws(EngineError) {
    base = try start(of: pointer, count, name, argument)
  }

  subscript(index: Int) -> Double {
    get { (base + index &* 8).loadUnaligned(as: Double.self) }
    // storeBytes needs no alignment.
    nonmutating set { (base + index &* 8).storeBytes(of: newValue, as: Double.self) }
  }
}

@_cdecl("ald_spatial_reference_geodesic_inverse") @implementation
public func ald_spatial_reference_geodesic_inverse(
  _ spatial_reference: ald_spatial_reference, _ curve_type: ald_curve_type, _ from_xy: In<Double>,
  _ from_stride_bytes: Int, _ to_xy: In<Double>, _ to_stride_bytes: Int, _ count: Int, _ out_distances_m: Out<Double>,
  _ out_azimuths_deg: Out<Double>, _ out_end_azimuths_deg: Out<Double>, _ error: Out<ald_error>
) -> ald_status {
  enter(spatial_reference, error) { (reference) throws(EngineError) in
    let policy = reference.runtime.policy
    let curve: CurveType = try enumerator(curve_type, "curve_type", "ald_curve_type", 2)
    let ways = try blaming(2, try EarthWays(reference, curve))
    let from = try StridedPoints(
      from_xy, stride: from_stride_bytes, count: count, policy, argument: 3, countArgument: 7)
    let to = try StridedPoints(
      to_xy, stride: to_stride_bytes, count: count, policy, argument: 5, countArgument: 7)
    let (distances, azimuths) = (Numbers(out_distances_m), Numbers(out_azimuths_deg))
    let ends = Numbers(out_end_azimuths_deg)
    try ways.inverse(count: count, from: { from.load($0) }, to: { to.load($0) }) { index, way in
      distances?[index] = way.length
      azimuths?[index] = way.azimuth
      ends?[index] = way.endAzimuth
    }
  }
}

@_cdecl("ald_spatial_reference_geodesic_direct") @implementation
public func ald_spatial_reference_geodesic_direct(
  _ spatial_reference: ald_spatial_reference, _ curve_type: ald_curve_type, _ from_xy: In<Double>,
  _ from_stride_bytes: Int, _ azimuths_deg: In<Double>, _ distances_m: In<Double>, _ count: Int, _ out_xy: Out<Double>,
  _ out_stride_bytes: Int, _ out_end_azimuths_deg: Out<Double>, _ error: Out<ald_error>
) -> ald_status {
  enter(spatial_reference, error) { (reference) throws(EngineError) in
    let policy = reference.runtime.policy
    let curve: CurveType = try enumerator(curve_type, "curve_type", "ald_curve_type", 2)
    let ways = try blaming(2, try EarthWays(reference, curve))
    let from = try StridedPoints(
      from_xy, stride: from_stride_bytes, count: count, policy, argument: 3, countArgument: 7)
    let output = try StridedPoints(
      out_xy, stride: out_stride_bytes, count: count, policy, argument: 8, countArgument: 7)
    let azimuths = try Numbers(reading: azimuths_deg, count: count, "azimuths_deg", 5)
    let distances = try Numbers(reading: distances_m, count: count, "distances_m", 6)
    let ends = Numbers(out_end_azimuths_deg)
    try ways.direct(count: count, from: { from.load($0) }, { (azimuths[$0], distances[$0]) }) { index, point, azimuth in
      output.store(point, at: index)
      ends?[index] = azimuth
    }
  }
}

/// How something is measured, from C.
func measure(
  _ kind: ald_measure_kind, _ curve: ald_curve_type, _ name: String, _ argument: Int32
) throws(EngineError) -> Measure {
  let type: CurveType = try enumerator(curve, "\(name).curve_type", "ald_curve_type", argument)
  switch kind {
  case ALD_MEASURE_KIND_GEODESIC: return .geodesic(type)
  case ALD_MEASURE_KIND_PLANAR:
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
  if number == ALD_UNIT_NONE { return nil }
  return try enumerator(number, "\(name).unit", "ald_unit", argument)
}

/// Options from C.
func measureOptions(_ pointer: In<ald_measure_options>, _ argument: Int32) throws(EngineError) -> (Measure, Unit?) {
  let name = "ald_measure_options"
  let given = try read(pointer, name, argument, zero: ald_measure_options())
  return (try measure(given.kind, given.curve_type, name, argument), try optionalUnit(given.unit, name, argument))
}

@_cdecl("ald_geometry_area") @implementation
public func ald_geometry_area(
  _ geometry: ald_geometry, _ options: In<ald_measure_options>, _ out_area: Out<Double>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(geometry, out_area, "out_area", argument: 3, error) { (geometry) throws(EngineError) in
    let (measure, unit) = try measureOptions(options, 2)
    return try geometry.area(measure, unit: unit)
  }
}

@_cdecl("ald_geometry_length") @implementation
public func ald_geometry_length(
  _ geometry: ald_geometry, _ options: In<ald_measure_options>, _ out_length: Out<Double>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(geometry, out_length, "out_length", argument: 3, error) { (geometry) throws(EngineError) in
    let (measure, unit) = try measureOptions(options, 2)
    return try geometry.length(measure, unit: unit)
  }
}

/// Numbers of geometries into the host's array.
private func store(_ numbers: HeapArray<Double>, _ out: Out<Double>) {
  for (index, number) in numbers.buffer.enumerated() {
    // storeBytes needs no alignment.
    out.map { UnsafeMutableRawPointer($0 + index).storeBytes(of: number, as: Double.self) }
  }
}

/// Throws unless the capacity suffices for a number for each geometry.
private func requireRoom(_ out: Out<Double>, _ capacity: Int, _ count: Int) throws(EngineError) {
  try requireCapacity(capacity, 4)
  guard count > 0 else { return }
  guard out != nil else { throw missing("out_measures", 3) }
  guard capacity >= count else {
    throw EngineError(
      .bufferTooSmall, "There are \(count) geometries; out_measures can hold \(capacity) numbers.", argument: 3)
  }
}

@_cdecl("ald_geometry_array_areas") @implementation
public func ald_geometry_array_areas(
  _ geometry_array: ald_geometry_array, _ options: In<ald_measure_options>, _ out_measures: Out<Double>,
  _ measure_capacity: Int, _ error: Out<ald_error>
) -> ald_status {
  enter(geometry_array, error) { (array) throws(EngineError) in
    let (measure, unit) = try measureOptions(options, 2)
    try requireRoom(out_measures, measure_capacity, array.count)
    store(try array.areas(measure, unit: unit), out_measures)
  }
}

@_cdecl("ald_geometry_array_lengths") @implementation
public func ald_geometry_array_lengths(
  _ geometry_array: ald_geometry_array, _ options: In<ald_measure_options>, _ out_measures: Out<Double>,
  _ measure_capacity: Int, _ error: Out<ald_error>
) -> ald_status {
  enter(geometry_array, error) { (array) throws(EngineError) in
    let (measure, unit) = try measureOptions(options, 2)
    try requireRoom(out_measures, measure_capacity, array.count)
    store(try array.lengths(measure, unit: unit), out_measures)
  }
}

@_cdecl("ald_geometry_distance") @implementation
public func ald_geometry_distance(
  _ a: ald_geometry, _ b: ald_geometry, _ options: In<ald_measure_options>, _ out_distance: Out<ald_distance>,
  _ out_new_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  enterRelating(out_new_receipt, error) { () throws(EngineError) in
    let first = try resolve(a, 1)
    let second = try resolve(b, 2, with: first)
    let (measure, unit) = try measureOptions(options, 3)
    _ = try requireOut(out_distance, 4)
    return try first.distance(to: second, measure, unit: unit)
  } write: { found in
    write(
      ald_distance(
        struct_size: 0, reserved: 0, distance: found.distance, point_a: ald_point(found.first),
        point_b: ald_point(found.second)),
      to: out_distance)
  }
}

@_cdecl("ald_geometry_nearest") @implementation
public func ald_geometry_nearest(
  _ geometry: ald_geometry, _ point: ald_point, _ search: UInt32, _ options: In<ald_measure_options>,
  _ out_nearest: Out<ald_nearest_point>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(geometry, out_nearest, argument: 5, error) { (geometry) throws(EngineError) in
    try requireFinite(point, "point", 2)
    try requireFlags(search, known: ALD_NEAREST_SEARCH_ON_BOUNDARY | ALD_NEAREST_SEARCH_VERTEX, "search", 3)
    let (measure, unit) = try measureOptions(options, 4)
    let found =
      search & ALD_NEAREST_SEARCH_VERTEX != 0
      ? try geometry.nearestVertex(to: Point(point), measure, unit: unit)
      : try geometry.nearestCoordinate(
        to: Point(point), measure, unit: unit, onBoundary: search & ALD_NEAREST_SEARCH_ON_BOUNDARY != 0)
    return ald_nearest_point(
      struct_size: 0, flags: found.isInside ? ALD_NEAREST_INSIDE : 0,
      part: UInt32(clamping: found.part), path: UInt32(clamping: found.path), vertex: UInt32(clamping: found.vertex),
      reserved: 0, share: found.share, distance: found.distance, point: ald_point(found.point))
  }
}
