import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// What lies to the left of a closed line on the earth.
struct EarthRegion {
  /// Closed, up to whole turns of longitude. Longitudes hang together, and may be anything.
  let line: [Point]
  /// How often the line goes eastwards around the earth: 1 with the north pole to its left, -1 with the south pole, else 0.
  let turns: Double

  init(leftOf line: [Point], turns: Double) throws(EngineError) {
    guard turns.magnitude <= 1 else {
      throw EngineError(.internal, "The outline of a geodesic region goes around the earth \(turns) times.")
    }
    self.line = line
    self.turns = turns
  }

  /// What is outside of the ring on the map is meant: it holds both poles.
  var isComplement: Bool { turns == 0 && Self.signedArea(line) < 0 }

  /// A ring around a pole as a polygon that reaches beyond a map of the world: as many turns as that takes, and back along
  /// the pole's side of the map. One turn for each map, put side by side, would leave slits of rounding between them.
  func ring(around pole: Double, from west: Double, to east: Double) -> [Point] {
    let eastwards = turns > 0 ? line : line.reversed()
    guard let first = eastwards.first, let extent = Envelope(around: line) else { return [] }
    // The line may reach farther to both sides than its ends.
    let slack = extent.xMax - extent.xMin
    var ring: [Point] = []
    var shift = 360 * ((west - slack - first.x) / 360).rounded(.down)
    while first.x + shift < east + slack {
      ring += eastwards.dropLast().map { Point(x: $0.x + shift, y: $0.y) }
      shift += 360
    }
    guard let start = ring.first, let end = ring.last else { return [] }
    return ring + [Point(x: end.x, y: pole), Point(x: start.x, y: pole), start]
  }

  /// Square degrees, positive if the ring runs counter-clockwise.
  static func signedArea(_ ring: [Point]) -> Double {
    guard let first = ring.first else { return 0 }
    var sum = 0.0
    for (a, b) in zip(ring, ring.dropFirst()) {
      sum += (a.x - first.x) * (b.y - first.y) - (b.x - first.x) * (a.y - first.y)
    }
    return sum / 2
  }
}

/// A map of the world in longitude and latitude, cut open at a meridian where that cuts through nothing, if there is
/// such a meridian.
struct RegionFrame {
  /// The longitude of the left side, -180 up to 180; the right side is 360 degrees farther.
  let seam: Double
  /// The seam cuts through nothing.
  let isClear: Bool

  init(for regions: [EarthRegion]) {
    var spans: [(west: Double, east: Double)] = []
    for region in regions {
      guard region.turns == 0, !region.isComplement, let extent = Envelope(around: region.line),
        extent.xMax - extent.xMin < 360
      else {
        (seam, isClear) = (-180, false)
        return
      }
      let west = extent.xMin - 360 * (extent.xMin / 360).rounded(.down)
      spans.append((west, west + (extent.xMax - extent.xMin)))
    }
    spans.sort { $0.west < $1.west }
    var best = (width: 0.0, middle: 180.0)
    // The first span once more, a turn later, closes the circle.
    var east = spans.first?.east ?? 0
    for (west, end) in spans.dropFirst() + spans.prefix(1).map({ ($0.west + 360, $0.east + 360) }) {
      if west - east > best.width { best = (west - east, (west + east) / 2) }
      east = max(east, end)
    }
    isClear = best.width > 1e-6
    let middle = isClear ? best.middle : 180
    seam = middle - 360 * ((middle + 180) / 360).rounded(.down)
  }

  /// The part of the map that a region covers.
  func place(_ region: EarthRegion, _ planar: PlanarRegions) throws(EngineError) -> OpaquePointer {
    let world = try planar.box(seam, -90, seam + 360, 90)
    if region.turns != 0 {
      let ring = region.ring(around: 90 * region.turns, from: seam, to: seam + 360)
      return try planar.intersection(try planar.valid(try planar.polygon(ring)), world)
    }
    guard let extent = Envelope(around: region.line) else { throw EngineError(.internal, "A region has no outline.") }
    var parts: [OpaquePointer] = []
    var shift = 360 * ((seam - extent.xMin) / 360).rounded(.down)
    while extent.xMin + shift < seam + 360 {
      if extent.xMax + shift > seam {
        let ring = shift == 0 ? region.line : region.line.map { Point(x: $0.x + shift, y: $0.y) }
        let polygon = try planar.valid(try planar.polygon(ring))
        let fits = extent.xMin + shift >= seam && extent.xMax + shift <= seam + 360
        parts.append(fits ? polygon : try planar.intersection(polygon, world))
      }
      shift += 360
    }
    let covered = try planar.union(parts)
    return region.isComplement ? try planar.difference(world, covered) : covered
  }

  /// The region's parts between the meridians -180 and 180.
  func split(_ region: OpaquePointer, _ planar: PlanarRegions) throws(EngineError) -> OpaquePointer {
    guard seam != -180, let extent = planar.extent(region) else { return region }
    if extent.west >= -180, extent.east <= 180 { return region }
    var parts: [OpaquePointer] = []
    for turn in [-360.0, 0, 360] {
      let part = try planar.intersection(region, try planar.box(turn - 180, -90, turn + 180, 90))
      if !planar.isEmpty(part) { parts.append(try planar.moved(part, by: -turn)) }
    }
    return try planar.union(parts)
  }
}
