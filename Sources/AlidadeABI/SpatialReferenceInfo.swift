import AlidadeCoordinates
import CAlidade

// The facts about a spatial reference as C's struct.

/// The texts of an `ald_spatial_reference_info`, in the order of its fields.
func infoTexts(of system: CoordinateSystem) -> [String] {
  [
    system.name, system.authority, system.code, system.unitName, system.datumName, system.ellipsoidName,
    system.areaOfUse?.name ?? "", system.vertical?.name ?? "", system.vertical?.datumName ?? "",
    system.vertical?.unitName ?? "",
  ]
}

extension ald_spatial_reference_info {
  /// - Parameter texts: those of `infoTexts`, which live as long as the handle.
  init(_ system: CoordinateSystem, _ texts: CTexts) {
    self.init()
    kind = system.kind.rawValue
    metres_per_unit = system.metresPerUnit
    semi_major_axis_m = system.semiMajorAxis
    (name, authority, code, unit_name) = (texts[0], texts[1], texts[2], texts[3])
    flags = Self.flags(of: system)
    unit = system.unit?.rawValue ?? ald_unit(ALD_UNIT_NONE)
    inverse_flattening = system.inverseFlattening
    prime_meridian_deg = system.primeMeridian
    world_width = system.worldWidth ?? 0
    area_west_deg = system.areaOfUse?.west ?? .nan
    area_south_deg = system.areaOfUse?.south ?? .nan
    area_east_deg = system.areaOfUse?.east ?? .nan
    area_north_deg = system.areaOfUse?.north ?? .nan
    metres_per_vertical_unit = system.vertical?.metresPerUnit ?? .nan
    (datum_name, ellipsoid_name, area_name) = (texts[4], texts[5], texts[6])
    (vertical_name, vertical_datum_name, vertical_unit_name) = (texts[7], texts[8], texts[9])
    vertical_unit = system.vertical?.unit?.rawValue ?? ald_unit(ALD_UNIT_NONE)
  }

  private static func flags(of system: CoordinateSystem) -> ald_spatial_reference_flags {
    let flags = [
      (system.vertical != nil, ALD_SPATIAL_REFERENCE_HAS_VERTICAL),
      (system.vertical?.isEllipsoidal == true, ALD_SPATIAL_REFERENCE_ELLIPSOIDAL_HEIGHT),
      (system.vertical?.isDepth == true, ALD_SPATIAL_REFERENCE_DEPTH),
      (system.isDatumEnsemble, ALD_SPATIAL_REFERENCE_DATUM_ENSEMBLE),
      (system.worldWidth != nil, ALD_SPATIAL_REFERENCE_CAN_WRAP),
    ]
    return flags.reduce(0) { $1.0 ? $0 | ald_spatial_reference_flags(truncatingIfNeeded: $1.1) : $0 }
  }
}
