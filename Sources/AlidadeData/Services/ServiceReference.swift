import AlidadeBase
import AlidadeCoordinates
import CGDAL

extension SpatialReference {
  /// Whether services that follow the authority's order of axes name y before x.
  var isYFirst: Bool {
    get throws(EngineError) {
      guard authority == "EPSG", let code = Int32(self.code, radix: 10) else { return false }
      return try GDALGuard.call(for: runtime) { (_) throws(EngineError) in
        guard let reference = OSRNewSpatialReference(nil) else { return false }
        defer { OSRRelease(reference) }
        guard OSRImportFromEPSGA(reference, code) == OGRERR_NONE else { return false }
        return OSREPSGTreatsAsLatLong(reference) != 0 || OSREPSGTreatsAsNorthingEasting(reference) != 0
      }
    }
  }

  /// A spatial reference by the name that a service gives it: "EPSG:3857", "CRS:84", a URN or an address.
  static func ofService(_ name: String, _ runtime: Runtime) throws(EngineError) -> SpatialReference {
    let parts = name.split { $0 == ":" || $0 == "/" }.map(String.init)
    let code = parts.last ?? ""
    let text =
      switch code.uppercased() {
      case "84" where name.uppercased().contains("CRS"), "CRS84": "OGC:CRS84"
      case "900913", "102100", "102113": "EPSG:3857"
      default: name.uppercased().contains("EPSG") ? "EPSG:\(code)" : name
      }
    return try make(runtime: runtime, text: text)
  }
}

extension Envelope {
  /// A box of longitudes and latitudes in another spatial reference, as far as it has an image there.
  func fromDegrees(to reference: SpatialReference, _ runtime: Runtime) throws(EngineError) -> Envelope? {
    let degrees = try SpatialReference.make(runtime: runtime, text: "OGC:CRS84")
    var box = self
    // In Mercator the poles are infinitely far away.
    if reference.system.worldWidth != nil, reference.kind == .projected {
      (box.yMin, box.yMax) = (max(box.yMin, -85.06), min(box.yMax, 85.06))
    }
    var beyond = 0.0
    if let world = reference.system.worldWidth, box.xMax > 180 {
      beyond = (box.xMax - 180) / 360 * world
      box.xMax = 180
    }
    // All of the world has no useful image where a projection is not meant for it.
    if let area = reference.system.areaOfUse, reference.kind == .projected, box.xMax - box.xMin > 180,
      area.west < area.east, area.south < area.north
    {
      let (west, east) = (max(box.xMin, area.west), min(box.xMax, area.east))
      let (south, north) = (max(box.yMin, area.south), min(box.yMax, area.north))
      if west < east, south < north { box = Envelope(xMin: west, yMin: south, xMax: east, yMax: north) }
    }
    var image = try box.projected(from: degrees, to: reference).envelope
    image.xMax += beyond
    return image
  }
}
