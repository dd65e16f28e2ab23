import CGDAL

/// GDAL's options for opening a file, by driver.
struct OpeningOptions {
  private let list: [String]

  static func of(driver: String?, path: String, for content: DataContent = .vector) -> OpeningOptions {
    if content == .raster, driver != "GPKG" { return OpeningOptions(list: []) }
    return switch driver {
    // GML's driver would write a file with its findings next to the file.
    case "GML": OpeningOptions(list: ["WRITE_GFS=NO", "DOWNLOAD_SCHEMA=NO"])
    // No lock, no journal, nothing written next to it. The mark keeps GDAL from warning that SQLite's driver does not
    // list the option, which it has.
    case "GPKG", "SQLite": OpeningOptions(list: makesImmutable(path) ? ["@IMMUTABLE=YES"] : [])
    case "GeoJSON": OpeningOptions(list: ["FEATURE_SERVER_PAGING=NO"])
    case "CSV":
      OpeningOptions(list: [
        "AUTODETECT_TYPE=YES", "X_POSSIBLE_NAMES=\(xNames)", "Y_POSSIBLE_NAMES=\(yNames)", "Z_POSSIBLE_NAMES=\(zNames)",
        "GEOM_POSSIBLE_NAMES=wkt,geom,geometry,the_geom,wkt_geom,geom_wkt",
      ])
    default: OpeningOptions(list: [])
    }
  }

  /// Whether a database is opened as immutable. MBTiles' driver has no option for that, and GDAL 3.6 turns a name with
  /// a percent sign into an address that leads to another file.
  static func makesImmutable(_ path: String) -> Bool {
    !path.lowercased().hasSuffix(".mbtiles") && !path.contains("%")
  }

  private static let xNames = "lon,long,longitude,lng,x,easting,xcoord,x_coord,coord_x,point_x,decimallongitude"
  private static let yNames = "lat,latitude,y,northing,ycoord,y_coord,coord_y,point_y,decimallatitude"
  private static let zNames = "z,elevation,elev,altitude,alt,height"

  func withList<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
    AlidadeData.withList(list, body)
  }
}
