import CGDAL

/// GDAL's options for opening a file, by driver.
enum OpeningOptions {
  static func of(driver: String?, path: String, for content: DataContent) -> [String] {
    if content == .raster, driver != "GPKG" { return [] }
    return switch driver {
    // GML's driver would write a file with its findings next to the file.
    case "GML": ["WRITE_GFS=NO", "DOWNLOAD_SCHEMA=NO"]
    // No lock, no journal, nothing written next to it. The mark keeps GDAL from warning that SQLite's driver does not
    // list the option, which it has.
    case "GPKG", "SQLite": makesImmutable(path) ? ["@IMMUTABLE=YES"] : []
    case "GeoJSON": ["FEATURE_SERVER_PAGING=NO"]
    case "CSV":
      [
        "AUTODETECT_TYPE=YES",
        names("X", "lon,long,longitude,lng,x,easting,xcoord,x_coord,coord_x,point_x,decimallongitude"),
        names("Y", "lat,latitude,y,northing,ycoord,y_coord,coord_y,point_y,decimallatitude"),
        names("Z", "z,elevation,elev,altitude,alt,height"),
        names("GEOM", "wkt,geom,geometry,the_geom,wkt_geom,geom_wkt"),
      ]
    default: []
    }
  }

  /// Whether a database is opened as immutable. MBTiles' driver has no option for that, and GDAL 3.6 turns a name with
  /// a percent sign into an address that leads to another file.
  static func makesImmutable(_ path: String) -> Bool {
    !path.lowercased().hasSuffix(".mbtiles") && !path.contains("%")
  }

  /// In both cases: what GDAL takes for the same follows the host's locale, and in Turkish I is no i.
  private static func names(_ what: String, _ names: String) -> String {
    "\(what)_POSSIBLE_NAMES=\(names),\(names.uppercased())"
  }
}
