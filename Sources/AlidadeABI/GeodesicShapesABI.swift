import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_geometry_create_geodesic_ellipse") @implementation
public func ald_geometry_create_geodesic_ellipse(
  _ spatial_reference: ald_spatial_reference, _ ellipse: UnsafePointer<ald_geodesic_ellipse>?,
  _ out_geometry: UnsafeMutablePointer<ald_geometry>?, _ out_achieved_deviation_m: UnsafeMutablePointer<Double>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_geometry, argument: 3, error) { () throws(EngineError) in
    let reference = try resolve(spatial_reference, 1)
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

@_cdecl("ald_geometry_create_geodesic_sector") @implementation
public func ald_geometry_create_geodesic_sector(
  _ spatial_reference: ald_spatial_reference, _ sector: UnsafePointer<ald_geodesic_sector>?,
  _ out_geometry: UnsafeMutablePointer<ald_geometry>?, _ out_achieved_deviation_m: UnsafeMutablePointer<Double>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_geometry, argument: 3, error) { () throws(EngineError) in
    let reference = try resolve(spatial_reference, 1)
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
