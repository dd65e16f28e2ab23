import AlidadeBase
import AlidadeCoordinates
import CGEOS

extension GEOSSession {
  /// Throws unless a polygon is valid.
  func requireValid(_ object: borrowing GEOSObject) throws(EngineError) {
    var words: UnsafeMutablePointer<CChar>?
    var location: OpaquePointer?
    let answer = GEOSisValidDetail_r(handle, object.pointer, 0, &words, &location)
    defer {
      GEOSFree_r(handle, words)
      GEOSGeom_destroy_r(handle, location)
    }
    if answer == 1 { return }
    guard answer == 0 else { throw failure("Whether a polygon is valid could not be told") }
    var (x, y) = (Double.nan, Double.nan)
    if let location {
      _ = GEOSGeomGetX_r(handle, location, &x)
      _ = GEOSGeomGetY_r(handle, location, &y)
    }
    throw EngineError(
      .invalidArgument,
      "The polygon is not valid at (\(x), \(y)): \(words.map { String(cString: $0) } ?? ""). Repair it first, with "
        + "ald_geometry_create_repaired.", argument: 1, domain: .geos)
  }
}
