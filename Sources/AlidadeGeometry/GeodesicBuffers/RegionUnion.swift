import AlidadeBase
import AlidadeCoordinates
import CGEOS
import Glibc

/// What a buffer is combined from: regions that are united, or shells of which the regions around their boundaries are
/// taken away.
struct BufferPiece {
  var isNegative = false
  /// Each a shell and its holes.
  var interiors: [[EarthRegion]] = []
  var boundary: [EarthRegion] = []

  /// The box on the map within which the piece lies.
  func box(_ frame: RegionFrame?) -> Envelope? {
    var box: Envelope?
    for region in interiors.compactMap(\.first) + (isNegative ? [] : boundary) {
      guard let other = frame.map({ $0.box(region) }) ?? Envelope(around: region.line) else { continue }
      if box?.extend(around: other) == nil { box = other }
    }
    return box
  }

  /// The polygons on the map that the piece is the union of, and those that are taken away from it.
  ///
  /// - Parameter frame: nil for a plane that does not repeat itself.
  func place(_ frame: RegionFrame?, _ plane: EarthPlane?) throws(EngineError) -> PlacedPiece {
    let planar = try PlanarRegions(in: box(frame))
    func placed(_ region: EarthRegion) throws(EngineError) -> PlanarRegion {
      if let frame { return try frame.place(region, planar, plane) }
      if region.isComplement, let plane { throw plane.hole() }
      return try region.polygon(shift: 0, planar)
    }
    var around: [[[Point]]] = []
    for region in boundary { around += try planar.polygons(try placed(region)) }
    var shells: [[[Point]]] = []
    for rings in interiors {
      var inside: PlanarRegion?
      for ring in rings where !ring.line.isEmpty {
        let region = try placed(ring)
        inside = try inside.map { (shell) throws(EngineError) in try planar.difference(shell, region) } ?? region
      }
      if let inside { shells += try planar.polygons(inside) }
    }
    return isNegative ? PlacedPiece(polygons: shells, removed: around) : PlacedPiece(polygons: around + shells)
  }
}

/// Polygons on the map, each a shell and its holes.
struct PlacedPiece: Sendable {
  var polygons: [[[Point]]]
  var removed: [[[Point]]] = []
}

/// Unites pieces by space, on all cores: those whose boxes are apart have nothing to do with each other.
struct RegionUnion {
  let frame: RegionFrame?
  let plane: EarthPlane?
  let isSplit: Bool
  let workers: Workers
  let policy: Policy

  func polygons(_ pieces: [BufferPiece]) throws(EngineError) -> [[[Point]]] {
    let boxed = pieces.compactMap { piece in piece.box(frame).map { (piece: piece, box: $0) } }
    let placed =
      try workers.map(boxed.count, slice: 16) { (index) throws(EngineError) in
        try boxed[index].piece.place(frame, plane)
      } ?? []
    let groups = BoxGroups(boxed.map(\.box)).groups
    let united = try workers.map(groups.count, slice: 16) { (number) throws(EngineError) in
      try split(union(groups[number].map { placed[$0] }))
    }
    let polygons = (united ?? []).flatMap { $0 }
    // What has no vertex has no buffer either.
    guard !polygons.isEmpty || boxed.allSatisfy(\.piece.isNegative) else { throw Self.tooSmall }
    return polygons
  }

  private func union(_ pieces: [PlacedPiece]) throws(EngineError) -> [[[Point]]] {
    if pieces.count == 1, let only = pieces.first, only.polygons.count == 1, only.removed.isEmpty {
      return only.polygons
    }
    let rings = pieces.lazy.flatMap { $0.polygons + $0.removed }.joined()
    let largest = rings.joined().reduce(0) { max($0, $1.x.magnitude, $1.y.magnitude) }
    var region = BufferRegion(0, largest: largest, PlanarBufferStyle(), segments: 1, policy)
    for piece in pieces where !piece.removed.isEmpty {
      try region.add(polygons: piece.polygons.map(\.oriented), without: piece.removed.map(\.oriented))
    }
    let polygons = pieces.filter(\.removed.isEmpty).flatMap(\.polygons)
    for polygon in HilbertCurve.sorted(polygons, at: { $0.first?.first ?? Point(x: 0, y: 0) }) {
      try region.add(rings: polygon.oriented)
    }
    return try region.polygons(workers)
  }

  private static var tooSmall: EngineError {
    EngineError(
      .limitExceeded,
      "The buffer vanishes in rounding: it is smaller than the distance between neighbouring coordinates there.")
  }

  private func split(_ polygons: [[[Point]]]) throws(EngineError) -> [[[Point]]] {
    guard isSplit, let frame else { return polygons }
    var parts: [[[Point]]] = []
    for polygon in polygons { parts += try frame.split(polygon) }
    return parts
  }
}

/// Boxes that hang together: no box of a group touches one of another. Groups may be larger than they need be.
struct BoxGroups {
  /// In the order of their first boxes; within a group from west to east.
  private(set) var groups: [[Int]] = []

  /// What is active in a row of the map while a line sweeps it from west to east.
  private struct Entry {
    var low: Double
    var high: Double
    var east: Double
    var box: Int
  }

  init(_ boxes: [Envelope]) {
    guard boxes.count > 1, let south = boxes.map(\.yMin).min(), let north = boxes.map(\.yMax).max() else {
      groups = boxes.isEmpty ? [] : [[0]]
      return
    }
    // Rows as high as boxes are on average, so that a box is in few of them.
    let mean = boxes.reduce(0) { $0 + ($1.yMax - $1.yMin) } / Double(boxes.count)
    let height = max(mean, (north - south) / 4096, .leastNormalMagnitude)
    var rows = [[Entry]](repeating: [], count: 4098)
    func row(_ y: Double) -> Int { Int(exactly: min(4097, max(0, ((y - south) / height).rounded(.down)))) ?? 0 }
    var parents = Array(boxes.indices)
    func root(_ box: Int) -> Int {
      var box = box
      while parents[box] != box {
        parents[box] = parents[parents[box]]
        box = parents[box]
      }
      return box
    }
    let order = boxes.indices.sorted { boxes[$0].xMin < boxes[$1].xMin }
    for index in order {
      let box = boxes[index]
      for number in row(box.yMin)...max(row(box.yMin), row(box.yMax)) {
        var entry = Entry(low: box.yMin, high: box.yMax, east: box.xMax, box: index)
        // Entries of a row that touch become one, so that boxes at one position stay few.
        rows[number].removeAll { other in
          if other.east < box.xMin { return true }
          guard other.low <= entry.high, other.high >= entry.low else { return false }
          parents[root(other.box)] = root(index)
          entry.low = min(entry.low, other.low)
          entry.high = max(entry.high, other.high)
          entry.east = max(entry.east, other.east)
          return true
        }
        rows[number].append(entry)
      }
    }
    var numbers: [Int: Int] = [:]
    for index in boxes.indices {
      let root = root(index)
      if numbers[root] == nil {
        numbers[root] = groups.count
        groups.append([])
      }
    }
    for index in order {
      if let number = numbers[root(index)] { groups[number].append(index) }
    }
  }
}

/// What lies to the left of a closed line on the earth, in longitude and latitude or in a plane.
struct EarthRegion {
  /// Closed, up to whole turns around the world. On a map that repeats itself x hangs together, and may be anything.
  let line: [Point]
  /// How often the line goes eastwards around the earth: 1 with the north pole to its left, -1 with the south pole,
  /// otherwise 0.
  let turns: Double
  /// What is outside of the ring on the map is meant: it holds both poles.
  let isComplement: Bool
  /// What is left out inside of the line, on the same map; only of regions that are put together there, and are valid.
  private(set) var holes: [[Point]] = []
  private(set) var isValid = false

  /// - Parameters:
  ///   - isLarge: whether it may be more than half of the earth, or contain a position that is not in the plane. If not,
  ///     a ring that runs clockwise does so by rounding: it encloses next to nothing.
  ///   - plane: of the line, and how far it may be from what it stands for, in metres; nil: longitude and latitude.
  init(
    leftOf line: [Point], turns: Double, isLarge: Bool, in plane: (plane: EarthPlane, earth: Earth, deviation: Double)?
  ) throws(EngineError) {
    guard turns.magnitude <= 1 else {
      throw EngineError(
        .invalidArgument, "A ring or its buffer's outline goes around the earth \(turns) times, and has no inside.")
    }
    self.line = line
    self.turns = turns
    isComplement = if turns == 0, isLarge { try Self.isTurnedOver(line, plane) } else { false }
  }

  private static func isTurnedOver(
    _ line: [Point], _ plane: (plane: EarthPlane, earth: Earth, deviation: Double)?
  ) throws(EngineError) -> Bool {
    let area = signedArea(line)
    guard let plane else { return area < 0 }
    guard plane.plane.isMirrored ? area > 0 : area < 0 else { return false }
    // What is as narrow as that runs in no direction.
    let length = zip(line, line.dropFirst()).reduce(0) { $0 + hypot($1.0.x - $1.1.x, $1.0.y - $1.1.y) }
    let some = stride(from: 0, to: line.count, by: max(1, line.count / 8)).map { line[$0] }
    return try area.magnitude > length * plane.deviation * plane.plane.unitsPerMetre(around: some, plane.earth)
  }

  /// A valid polygon on the map.
  init?(_ polygon: [[Point]]) {
    guard let shell = polygon.first else { return nil }
    (line, turns, isComplement, isValid) = (shell, 0, false, true)
    holes = Array(polygon.dropFirst())
  }

  /// The polygon, so far to the east.
  func polygon(shift: Double, _ planar: PlanarRegions) throws(EngineError) -> PlanarRegion {
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

  /// A box on the map that contains the region. For a region that goes around the earth or across the seam, it is as
  /// wide as the map.
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
  func place(_ region: EarthRegion, _ planar: PlanarRegions, _ plane: EarthPlane?) throws(EngineError) -> PlanarRegion {
    if region.turns != 0 {
      guard let pole = region.turns > 0 ? world.north : world.south else { throw noPole(plane) }
      let ring = region.ring(around: pole, from: seam, to: seam + world.width, in: world)
      return try planar.intersection(try planar.valid(try planar.polygon(ring)), try whole(planar, plane))
    }
    guard let extent = Envelope(around: region.line) else { throw EngineError(.internal, "A region has no outline.") }
    var parts: [PlanarRegion] = []
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

  private func whole(_ planar: PlanarRegions, _ plane: EarthPlane?) throws(EngineError) -> PlanarRegion {
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

/// A region as GEOS has it; it ends with its last holder.
final class PlanarRegion {
  let pointer: OpaquePointer
  /// Whose session it is of.
  private let owner: PlanarRegions

  init(_ object: consuming GEOSObject, of owner: PlanarRegions) {
    pointer = object.release()
    self.owner = owner
  }

  deinit { GEOSGeom_destroy_r(owner.handle, pointer) }
}

/// Makes regions with GEOS.
final class PlanarRegions {
  private let session: GEOSSession
  fileprivate var handle: OpaquePointer { session.handle }
  /// What is taken off coordinates on the way in, and added on the way out. Where GEOS cannot do without, it snaps to
  /// 1e-12 of the largest coordinate: next to the origin that is little.
  private let origin: Point

  /// - Parameter box: where the regions lie, if that is known.
  init(in box: Envelope? = nil) throws(EngineError) {
    session = try GEOSSession()
    origin = box.map { Point(x: Self.origin($0.xMin, $0.xMax), y: Self.origin($0.yMin, $0.yMax)) } ?? Point(x: 0, y: 0)
  }

  /// A number of few digits in the middle, so that taking it off is exact; 0 where the middle is not far off.
  private static func origin(_ low: Double, _ high: Double) -> Double {
    let middle = low + (high - low) / 2
    guard middle.isFinite, high - low < middle.magnitude / 16 else { return 0 }
    let step = middle.binade.magnitude * 0x1p-20
    return (middle / step).rounded() * step
  }

  private func keep(_ geometry: OpaquePointer?, _ what: String) throws(EngineError) -> PlanarRegion {
    let region = PlanarRegion(try session.taken(geometry, what), of: self)
    // GEOS itself cannot be stopped: its one way to do so stops all that the process does with it.
    try TimeLimit.check()
    return region
  }

  /// As GEOS has it, and as the host does.
  func relative(_ point: Point) -> Point { Point(x: point.x - origin.x, y: point.y - origin.y) }
  func absolute(_ point: Point) -> Point { Point(x: point.x + origin.x, y: point.y + origin.y) }

  private func inside(_ ring: [Point]) -> [Point] {
    origin.x == 0 && origin.y == 0 ? ring : ring.map { Point(x: $0.x - origin.x, y: $0.y - origin.y) }
  }

  /// A polygon inside a closed ring.
  func polygon(_ ring: [Point]) throws(EngineError) -> PlanarRegion { try polygon([ring]) }

  /// A polygon of a shell and its holes.
  func polygon(_ rings: [[Point]]) throws(EngineError) -> PlanarRegion {
    let polygon = PlanarRegion(try session.polygon(rings.map(inside)), of: self)
    try TimeLimit.check()
    return polygon
  }

  /// Lines cut where they meet, so that they meet in their ends alone, and each stretch once; relative to the origin.
  func noded(_ lines: [[Point]]) throws(EngineError) -> [[Point]] {
    var made = GEOSParts(in: session)
    for line in lines {
      let sequence = inside(line).withUnsafeBufferPointer { session.sequence($0) }
      made.append(
        try session.taken(sequence.flatMap { GEOSGeom_createLineString_r(handle, $0) }, "A line could not be made"))
    }
    let all = try keep(made.collection(GEOS_MULTILINESTRING), "Lines could not be collected")
    let united = try keep(GEOSUnaryUnion_r(handle, all.pointer), "Lines could not be cut where they meet")
    var found: [[Point]] = []
    for index in 0..<max(0, GEOSGetNumGeometries_r(handle, united.pointer)) {
      if let line = GEOSGetGeometryN_r(handle, united.pointer, index) { found.append(try relativePoints(line)) }
    }
    return found
  }

  /// 1 where the third point lies to the left of the line from the first to the second, -1 to its right, without rounding.
  func orientation(_ a: Point, _ b: Point, _ c: Point) -> Int32 {
    GEOSOrientationIndex_r(handle, a.x, a.y, b.x, b.y, c.x, c.y)
  }

  func box(_ xMin: Double, _ yMin: Double, _ xMax: Double, _ yMax: Double) throws(EngineError) -> PlanarRegion {
    try keep(
      GEOSGeom_createRectangle_r(handle, xMin - origin.x, yMin - origin.y, xMax - origin.x, yMax - origin.y),
      "A box could not be made")
  }

  func intersection(_ first: PlanarRegion, _ second: PlanarRegion) throws(EngineError) -> PlanarRegion {
    try polygonal(
      keep(GEOSIntersection_r(handle, first.pointer, second.pointer), "Two regions could not be intersected"))
  }

  func difference(_ first: PlanarRegion, _ second: PlanarRegion) throws(EngineError) -> PlanarRegion {
    try polygonal(
      keep(GEOSDifference_r(handle, first.pointer, second.pointer), "A region could not be taken out of another"))
  }

  /// Whether polygons are valid, also together.
  func areValid(_ polygons: [PlanarRegion]) throws(EngineError) -> Bool {
    let all = try collected(polygons, GEOS_MULTIPOLYGON)
    return GEOSisValid_r(handle, all.pointer) == 1
  }

  /// A ring that rounding has made touch or cross itself is put right (GEOS's linework method: what is enclosed counts).
  func valid(_ region: PlanarRegion) throws(EngineError) -> PlanarRegion {
    if GEOSisValid_r(handle, region.pointer) == 1 { return region }
    return try polygonal(keep(GEOSMakeValid_r(handle, region.pointer), "A region could not be put right"))
  }

  /// The polygons alone: overlays leave behind points and lines where regions touch, and take no such collections.
  private func polygonal(_ region: PlanarRegion) throws(EngineError) -> PlanarRegion {
    guard GEOSGeomTypeId_r(handle, region.pointer) == Int32(truncatingIfNeeded: GEOS_GEOMETRYCOLLECTION.rawValue) else {
      return region
    }
    var parts: [PlanarRegion] = []
    for index in 0..<max(0, GEOSGetNumGeometries_r(handle, region.pointer)) {
      guard let part = GEOSGetGeometryN_r(handle, region.pointer, index), GEOSGeom_getDimensions_r(handle, part) == 2
      else { continue }
      parts.append(try keep(GEOSGeom_clone_r(handle, part), "A region could not be copied"))
    }
    return try union(parts)
  }

  /// Of more vertices parts are united first, so that the time is looked at in between.
  private static let unionSize = 20_000

  func union(_ regions: [PlanarRegion]) throws(EngineError) -> PlanarRegion {
    if regions.count == 1, let only = regions.first { return only }
    if regions.count > 2, regions.reduce(0, { $0 &+ vertexCount($1) }) > Self.unionSize {
      let half = regions.count / 2
      return try union([try union(Array(regions[..<half])), try union(Array(regions[half...]))])
    }
    let all = try collected(regions, GEOS_GEOMETRYCOLLECTION)
    return try keep(GEOSUnaryUnion_r(handle, all.pointer), "Regions could not be united")
  }

  private func vertexCount(_ region: PlanarRegion) -> Int {
    max(0, Int(truncatingIfNeeded: GEOSGetNumCoordinates_r(handle, region.pointer)))
  }

  private func collected(_ regions: [PlanarRegion], _ type: GEOSGeomTypes) throws(EngineError) -> PlanarRegion {
    var copies = GEOSParts(in: session)
    for region in regions {
      copies.append(try session.taken(GEOSGeom_clone_r(handle, region.pointer), "A region could not be copied"))
    }
    return try keep(copies.collection(type), "Regions could not be collected")
  }

  /// The rings of each polygon, the shell first; lines and points, which overlays leave behind, are left out.
  func polygons(_ region: PlanarRegion) throws(EngineError) -> [[[Point]]] { try polygons(region.pointer) }

  private func polygons(_ region: OpaquePointer) throws(EngineError) -> [[[Point]]] {
    let count = GEOSGetNumGeometries_r(handle, region)
    var found: [[[Point]]] = []
    for index in 0..<max(0, count) {
      guard let part = GEOSGetGeometryN_r(handle, region, index) else { continue }
      let type = GEOSGeomTypeId_r(handle, part)
      if type == Int32(truncatingIfNeeded: GEOS_POLYGON.rawValue) {
        if GEOSisEmpty_r(handle, part) == 0 { found.append(try rings(part)) }
      } else if type > Int32(truncatingIfNeeded: GEOS_POLYGON.rawValue) {
        found += try polygons(part)
      }
    }
    return found
  }

  private func rings(_ polygon: OpaquePointer) throws(EngineError) -> [[Point]] {
    guard let shell = GEOSGetExteriorRing_r(handle, polygon) else { throw session.failure("A polygon has no shell") }
    var rings = [try points(shell)]
    for index in 0..<max(0, GEOSGetNumInteriorRings_r(handle, polygon)) {
      guard let hole = GEOSGetInteriorRingN_r(handle, polygon, index) else {
        throw session.failure("A polygon's hole is missing")
      }
      rings.append(try points(hole))
    }
    return rings
  }

  private func points(_ ring: OpaquePointer) throws(EngineError) -> [Point] {
    let points = try relativePoints(ring)
    return origin.x == 0 && origin.y == 0 ? points : points.map(absolute)
  }

  private func relativePoints(_ ring: OpaquePointer) throws(EngineError) -> [Point] {
    var count: UInt32 = 0
    guard let sequence = GEOSGeom_getCoordSeq_r(handle, ring), GEOSCoordSeq_getSize_r(handle, sequence, &count) == 1
    else { throw session.failure("A ring could not be read") }
    var points = [Point](repeating: .nan, count: Int(truncatingIfNeeded: count))
    let copied = points.withUnsafeMutableBytes {
      GEOSCoordSeq_copyToBuffer_r(handle, sequence, $0.baseAddress?.assumingMemoryBound(to: Double.self), 0, 0)
    }
    guard copied == 1 else { throw session.failure("A ring could not be read") }
    return points
  }
}
