import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// What lies to the left of a closed line on the earth, in longitude and latitude or in a plane.
struct EarthRegion {
  /// Closed, up to whole turns around the world. On a map that repeats itself x hangs together, and may be anything.
  let line: [Point]
  /// How often the line goes eastwards around the earth: 1 with the north pole to its left, -1 with the south pole, else 0.
  let turns: Double
  /// What is outside of the ring on the map is meant: it holds both poles.
  let isComplement: Bool
  /// What is left out inside of the line, on the same map; only of regions that are put together there, and are valid.
  private(set) var holes: [[Point]] = []
  private(set) var isValid = false

  /// - Parameter isLarge: whether it may be more than half of the earth. If not, a ring that runs clockwise does so by
  ///   rounding: it encloses next to nothing.
  init(leftOf line: [Point], turns: Double, isLarge: Bool) throws(EngineError) {
    guard turns.magnitude <= 1 else {
      throw EngineError(
        .invalidArgument, "A ring or its buffer's outline goes around the earth \(turns) times, and has no inside.")
    }
    self.line = line
    self.turns = turns
    isComplement = turns == 0 && isLarge && Self.signedArea(line) < 0
  }

  /// A valid polygon on the map of longitudes and latitudes.
  init?(_ polygon: [[Point]]) {
    guard let shell = polygon.first else { return nil }
    (line, turns, isComplement, isValid) = (shell, 0, false, true)
    holes = Array(polygon.dropFirst())
  }

  /// The polygon, so far to the east.
  func polygon(shift: Double, _ planar: PlanarRegions) throws(EngineError) -> OpaquePointer {
    func moved(_ ring: [Point]) -> [Point] { shift == 0 ? ring : ring.map { Point(x: $0.x + shift, y: $0.y) } }
    if isValid { return try planar.polygon([moved(line)] + holes.map(moved)) }
    return try planar.valid(try planar.polygon(moved(line)))
  }

  /// A ring around a pole as a polygon that reaches beyond a map of the world: as many turns as that takes, and back along
  /// the pole's side of the map. One turn for each map, put side by side, would leave slits of rounding between them.
  func ring(around pole: Double, from west: Double, to east: Double, in world: MapOfWorld) -> [Point] {
    let eastwards = turns > 0 ? line : line.reversed()
    guard let first = eastwards.first, let extent = Envelope(around: line) else { return [] }
    // The line may reach farther to both sides than its ends.
    let slack = extent.xMax - extent.xMin
    var ring: [Point] = []
    var shift = world.width * ((west - slack - first.x) / world.width).rounded(.down)
    while first.x + shift < east + slack {
      ring += eastwards.dropLast().map { Point(x: $0.x + shift, y: $0.y) }
      shift += world.width
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

/// A map of the world, cut open at a meridian where that cuts through nothing, if there is such a meridian.
struct RegionFrame {
  let world: MapOfWorld
  /// x of the left side, within the world; the right side is the world's width farther.
  let seam: Double
  /// The seam cuts through nothing.
  let isClear: Bool

  init(for regions: [EarthRegion], in world: MapOfWorld) {
    self.world = world
    let width = world.width
    var spans: [(west: Double, east: Double)] = []
    for region in regions {
      guard region.turns == 0, !region.isComplement, let extent = Envelope(around: region.line),
        extent.xMax - extent.xMin < width
      else {
        (seam, isClear) = (world.west, false)
        return
      }
      let west = extent.xMin - width * ((extent.xMin - world.west) / width).rounded(.down)
      spans.append((west, west + (extent.xMax - extent.xMin)))
    }
    // What crosses no side of the world stays where it is.
    if spans.allSatisfy({ $0.east < world.west + width }) {
      (seam, isClear) = (world.west, true)
      return
    }
    spans.sort { $0.west < $1.west }
    var best = (width: 0.0, middle: world.west)
    // The first span once more, a turn later, closes the circle.
    var east = spans.first?.east ?? 0
    for (west, end) in spans.dropFirst() + spans.prefix(1).map({ ($0.west + width, $0.east + width) }) {
      if west - east > best.width { best = (west - east, (west + east) / 2) }
      east = max(east, end)
    }
    isClear = best.width > width * 3e-9
    let middle = isClear ? best.middle : world.west
    seam = middle - width * ((middle - world.west) / width).rounded(.down)
  }

  /// A box on the map that holds the region; of one that goes around the earth or over the seam as wide as the map.
  func box(_ region: EarthRegion) -> Envelope? {
    guard region.turns == 0, !region.isComplement else {
      return Envelope(
        xMin: seam, yMin: -.greatestFiniteMagnitude / 4, xMax: seam + world.width, yMax: .greatestFiniteMagnitude / 4)
    }
    guard var box = Envelope(around: region.line) else { return nil }
    let shift = world.width * ((seam - box.xMin) / world.width).rounded(.up)
    (box.xMin, box.xMax) = (box.xMin + shift, box.xMax + shift)
    if box.xMax > seam + world.width { (box.xMin, box.xMax) = (seam, seam + world.width) }
    return box
  }

  /// The part of the map that a region covers.
  func place(_ region: EarthRegion, _ planar: PlanarRegions, _ plane: EarthPlane?) throws(EngineError) -> OpaquePointer
  {
    if region.turns != 0 {
      guard let pole = region.turns > 0 ? world.north : world.south else { throw noPole(plane) }
      let ring = region.ring(around: pole, from: seam, to: seam + world.width, in: world)
      return try planar.intersection(try planar.valid(try planar.polygon(ring)), try whole(planar, plane))
    }
    guard let extent = Envelope(around: region.line) else { throw EngineError(.internal, "A region has no outline.") }
    var parts: [OpaquePointer] = []
    var shift = world.width * ((seam - extent.xMin) / world.width).rounded(.down)
    while extent.xMin + shift < seam + world.width {
      if extent.xMax + shift > seam {
        let polygon = try region.polygon(shift: shift, planar)
        let fits = extent.xMin + shift >= seam && extent.xMax + shift <= seam + world.width
        let strip = { () throws(EngineError) in
          try planar.box(seam, extent.yMin - 1, seam + world.width, extent.yMax + 1)
        }
        parts.append(fits ? polygon : try planar.intersection(polygon, try strip()))
      }
      shift += world.width
    }
    let covered = try planar.union(parts)
    return region.isComplement ? try planar.difference(try whole(planar, plane), covered) : covered
  }

  private func whole(_ planar: PlanarRegions, _ plane: EarthPlane?) throws(EngineError) -> OpaquePointer {
    guard let south = world.south, let north = world.north else { throw noPole(plane) }
    return try planar.box(seam, south, seam + world.width, north)
  }

  private func noPole(_ plane: EarthPlane?) -> EngineError {
    plane?.hole() ?? EngineError(.internal, "The map of the world has no poles.")
  }

  /// A polygon's parts within the sides of the world.
  func split(_ polygon: [[Point]]) throws(EngineError) -> [[[Point]]] {
    guard seam != world.west, let extent = polygon.first.flatMap({ Envelope(around: $0) }) else { return [polygon] }
    let (west, east) = (world.west, world.west + world.width)
    if extent.xMin >= west, extent.xMax <= east { return [polygon] }
    let planar = try PlanarRegions()
    let region = try planar.polygon(polygon)
    var parts: [[[Point]]] = []
    for turn in [-world.width, 0, world.width] {
      let side = try planar.box(turn + west, extent.yMin - 1, turn + east, extent.yMax + 1)
      for part in try planar.polygons(try planar.intersection(region, side)) {
        parts.append(part.map { ring in ring.map { Point(x: $0.x - turn, y: $0.y) } })
      }
    }
    return parts
  }
}
