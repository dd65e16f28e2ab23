import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// Areas of polygons that are given by one ring, in the plane of their coordinates.
public enum PlanarArea {
  /// How much of `ring` lies inside `other`, 0 to 1 of the area of `ring`.
  ///
  /// Rings need not be closed. A ring that crosses itself, as an outline may after projecting, is first made valid
  /// (GEOS's linework method).
  public static func fraction(of ring: [Point], inside other: [Point]) throws(EngineError) -> Double {
    let session = try GEOSSession()
    let subject = try polygon(ring, session)
    let cover = try polygon(other, session)
    let common = try session.taken(
      GEOSIntersection_r(session.handle, subject.pointer, cover.pointer),
      "The part that two polygons share could not be computed")
    var whole = 0.0
    var part = 0.0
    guard GEOSArea_r(session.handle, subject.pointer, &whole) == 1,
      GEOSArea_r(session.handle, common.pointer, &part) == 1
    else {
      throw session.failure("The area of a polygon could not be computed")
    }
    return whole > 0 ? min(1, part / whole) : 0
  }

  /// A valid polygon from a ring.
  private static func polygon(_ ring: [Point], _ session: borrowing GEOSSession) throws(EngineError) -> GEOSObject {
    guard let first = ring.first else { throw EngineError(.internal, "A polygon needs points.") }
    let closed = ring.last == first ? ring : ring + [first]
    let polygon = try session.polygon([closed])
    if GEOSisValid_r(session.handle, polygon.pointer) == 1 { return polygon }
    let crossings = crossingCount(closed)
    guard crossings <= closed.count else {
      throw EngineError(
        .projectionFailed,
        "A ring of \(closed.count) points crosses itself at \(crossings) points and encloses no area. Check "
          + "the georeference of the layer's data.")
    }
    return try session.taken(
      GEOSMakeValid_r(session.handle, polygon.pointer), "A polygon that crosses itself could not be repaired")
  }

  /// The number of points at which the segments of a closed ring cross each other. Segments that only touch are not
  /// counted.
  ///
  /// GEOS needs seconds to repair the few thousand crossings of an outline whose coordinates are nonsense.
  private static func crossingCount(_ ring: [Point]) -> Int {
    func side(_ a: Point, _ b: Point, _ c: Point) -> Double { (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) }
    let segments = Array(zip(ring, ring.dropFirst()))
    var count = 0
    for (index, (a, b)) in segments.enumerated() {
      for (c, d) in segments.dropFirst(index &+ 2) {
        let apart = side(a, b, c).sign != side(a, b, d).sign && side(c, d, a).sign != side(c, d, b).sign
        if apart { count &+= 1 }
      }
    }
    return count
  }
}
