import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_planar_buffer_measure_error") @implementation
public func ald_planar_buffer_measure_error(
  _ spatial_reference: ald_spatial_reference, _ place: ald_point, _ distance: Double, _ unit: ald_unit,
  _ out_measured: UnsafeMutablePointer<ald_planar_buffer_error>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let reference = try resolve(spatial_reference, 1)
    try requireFinite(place, "place", 2)
    guard distance.isFinite else {
      throw EngineError(.invalidArgument, "distance is \(distance), which is not finite.", argument: 3)
    }
    let metres = try blaming(4) { () throws(EngineError) in
      try lengthUnit(unit, "unit", 4).convert(distance, to: .metre)
    }
    let out = try requireOut(out_measured, "ald_planar_buffer_error", 5)
    let found = try PlanarBufferError.measure(reference, at: Point(place), distance: metres)
    write(
      ald_planar_buffer_error(
        struct_size: 0, reserved: 0, min_m: found.minimum, max_m: found.maximum, mean_m: found.mean,
        worst_azimuth_deg: found.worstAzimuth, worst_at: ald_point(found.worstPlace),
        planar_area_m2: found.planarArea, geodesic_area_m2: found.geodesicArea),
      to: out)
  }
}
