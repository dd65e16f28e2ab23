import AlidadeBase
import AlidadeCoordinates
import CGDAL
import Glibc

/// Projects features to the spatial reference of the geometry that they are tested against. Edges are straight in the
/// spatial reference of the features: where their images bend near that geometry, vertices are added.
struct FeatureProjection: Sendable {
  private let projector: Projector
  private let from: SpatialReference
  /// Around the geometry.
  private let area: Envelope
  /// Of the target; nil: it does not repeat itself.
  private let world: Double?
  /// How many worlds of the target one unit of x is where the features are; nil if they do not repeat themselves.
  private let worldsPerUnit: Double?
  /// The poles where the features are, and how far to the north or south they are in the target, if that is a world that
  /// repeats itself, and the features' is not.
  private let poles: [(place: Point, y: Double)]
  /// How far the image of an edge may be away from the line between its ends.
  private let tolerance: Double

  /// Each pass cuts an edge in three.
  private static let mostPasses = 12
  private static let mostVertices = 1 << 20

  /// nil: nothing has to be projected.
  init?(from: SpatialReference, to: SpatialReference, around area: Envelope) throws(EngineError) {
    var flat = ProjectionOptions()
    flat.ignoresVertical = true
    projector = try Projector.between(from, to, options: flat)
    if projector.isIdentity { return nil }
    self.from = from
    self.area = area
    world = to.system.worldWidth
    worldsPerUnit = from.system.worldWidth.map { 1 / $0 }
    let size = hypot(area.xMax - area.xMin, area.yMax - area.yMin)
    let place = max(area.xMin.magnitude, area.xMax.magnitude, area.yMin.magnitude, area.yMax.magnitude)
    tolerance = max(size * 1e-6, place * 1e-11)
    poles = world != nil && worldsPerUnit == nil ? try Self.poles(from, to) : []
  }

  private static func poles(
    _ from: SpatialReference, _ to: SpatialReference
  ) throws(EngineError) -> [(place: Point, y: Double)] {
    guard from.kind != .local, to.kind != .local else { return [] }
    let globe = try SpatialReference.make(runtime: from.runtime, authority: "EPSG", code: 4326)
    let (there, on) = (try Projector.between(globe, from), try Projector.between(globe, to))
    var found: [(place: Point, y: Double)] = []
    for latitude in [90.0, -90] {
      guard let place = try there.project(Point(x: 0, y: latitude)),
        let image = try on.project(Point(x: 0, y: latitude * (1 - nearPole)))
      else { continue }
      found.append((place, image.y))
    }
    return found
  }

  /// How far from a pole, as a part of its latitude, a position stands for a pole without an image.
  private static let nearPole = 1e-7

  /// The image of a geometry, for the caller to destroy; nil: some of it has none, or it is torn apart near the area.
  func image(of geometry: OGRGeometryH) throws(EngineError) -> OGRGeometryH? {
    guard let image = Self.linearCopy(of: geometry) else { return nil }
    var isWhole = true
    var shell: ClosedRange<Double>?
    do throws(EngineError) {
      for (path, role) in Self.paths(of: image) where isWhole {
        if role != .hole { shell = nil }
        isWhole = try project(path, role, &shell)
      }
    } catch {
      OGR_G_DestroyGeometry(image)
      throw error
    }
    if isWhole { return image }
    OGR_G_DestroyGeometry(image)
    return nil
  }

  // MARK: Paths

  /// What a path is of its geometry.
  enum Role {
    case points, line, shell, hole
  }

  /// A flat copy of a geometry with lines instead of curves and polygons instead of surfaces.
  static func linearCopy(of geometry: OGRGeometryH) -> OGRGeometryH? {
    let hasCurves = OGR_G_HasCurveGeometry(geometry, 0) != 0
    guard var copy = hasCurves ? OGR_G_GetLinearGeometry(geometry, 0, nil) : OGR_G_Clone(geometry) else { return nil }
    switch OGR_GT_Flatten(OGR_G_GetGeometryType(copy)) {
    case wkbTIN, wkbPolyhedralSurface: copy = OGR_G_ForceToMultiPolygon(copy)
    case wkbTriangle: copy = OGR_G_ForceToPolygon(copy)
    default: break
    }
    OGR_G_FlattenTo2D(copy)
    return copy
  }

  /// Each point, line and ring of a geometry.
  static func paths(of geometry: OGRGeometryH) -> [(path: OGRGeometryH, role: Role)] {
    let members = (0..<max(0, OGR_G_GetGeometryCount(geometry))).compactMap { OGR_G_GetGeometryRef(geometry, $0) }
    switch OGR_GT_Flatten(OGR_G_GetGeometryType(geometry)) {
    case wkbPoint: return OGR_G_IsEmpty(geometry) == 0 ? [(geometry, .points)] : []
    case wkbLineString: return [(geometry, .line)]
    case wkbPolygon: return members.enumerated().map { ($1, $0 == 0 ? .shell : .hole) }
    default: return members.flatMap { paths(of: $0) }
    }
  }

  /// False if it has no image that could be used.
  ///
  /// - Parameter shell: from where to where the images of the shell reach in x; set by a shell, and asked for by a hole.
  private func project(
    _ path: OGRGeometryH, _ role: Role, _ shell: inout ClosedRange<Double>?
  ) throws(EngineError) -> Bool {
    let count = max(0, OGR_G_GetPointCount(path))
    guard count > 0 else { return true }
    var places = (0..<count).map { Point(x: OGR_G_GetX(path, $0), y: OGR_G_GetY(path, $0)) }
    guard var images = try project(places) else { return false }
    if role == .points {
      OGR_G_SetPoint_2D(path, 0, images[0].x, images[0].y)
      return true
    }
    hangTogether(places, &images)
    guard try bend(&places, &images) else { return false }
    // What was the shorter path between two vertices may not be so with the vertices between them.
    if worldsPerUnit == nil { hangTogether(places, &images) }
    guard role == .line || close(places, &images) else { return false }
    if let world, role != .line {
      let (low, high) = images.reduce((Double.infinity, -Double.infinity)) { (min($0.0, $1.x), max($0.1, $1.x)) }
      if role == .shell, low <= high { shell = low...high }
      if role == .hole, let shell {
        // Holes lie within their shell.
        let turns = ((low - shell.lowerBound) / world + 1e-9).rounded(.down)
        if turns != 0 { for index in images.indices { images[index].x -= turns * world } }
      }
    }
    guard let number = Int32(exactly: images.count) else { return false }
    images.withUnsafeBufferPointer { buffer in
      guard let base = UnsafeRawPointer(buffer.baseAddress) else { return }
      let stride = Int32(truncatingIfNeeded: MemoryLayout<Point>.stride)
      OGR_G_SetPoints(path, number, base, stride, base + MemoryLayout<Double>.stride, stride, nil, 0)
    }
    return true
  }

  /// nil if a point has no image. A position next to a pole replaces a pole without an image.
  private func project(_ places: [Point]) throws(EngineError) -> [Point]? {
    var images = places
    try project(&images)
    guard images.contains(where: { !$0.isFinite }) else { return images }
    guard from.kind == .geographic, let width = from.system.worldWidth else { return nil }
    let limit = width / 4 * (1 - Self.nearPole)
    for index in images.indices where !images[index].isFinite {
      guard places[index].y.magnitude >= limit, places[index].y.magnitude <= width / 4,
        let image = try projector.project(Point(x: places[index].x, y: places[index].y > 0 ? limit : -limit))
      else { return nil }
      images[index] = image
    }
    return images
  }

  private func project(_ points: inout [Point]) throws(EngineError) {
    var failure: EngineError?
    points.withUnsafeMutableBufferPointer { buffer in
      do throws(EngineError) { try projector.project(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Moves each image next to the previous one as its original lies next to the previous original, otherwise to the
  /// nearest copy.
  private func hangTogether(_ places: [Point], _ images: inout [Point]) {
    guard let world else { return }
    for index in images.indices.dropFirst() {
      let leap = worldsPerUnit.map { (places[index].x - places[index &- 1].x) * $0 } ?? 0
      let turns = (leap - (images[index].x - images[index &- 1].x) / world).rounded()
      if turns != 0, turns.isFinite { images[index].x += turns * world }
    }
  }

  // MARK: Edges

  /// Puts vertices into edges whose images bend near the area. False if one does not become straight: the map is torn
  /// there.
  private func bend(_ places: inout [Point], _ images: inout [Point]) throws(EngineError) -> Bool {
    // Edges by their first vertices.
    var open = Array(places.indices.dropLast())
    let most = max(Self.mostVertices, places.count &* 4)
    for _ in 0..<Self.mostPasses {
      if open.isEmpty { return true }
      var thirds: [Point] = []
      thirds.reserveCapacity(open.count &* 2)
      for edge in open {
        let (a, b) = (places[edge], places[edge &+ 1])
        thirds.append(Point(x: a.x + (b.x - a.x) / 3, y: a.y + (b.y - a.y) / 3))
        thirds.append(Point(x: b.x - (b.x - a.x) / 3, y: b.y - (b.y - a.y) / 3))
      }
      guard var between = try project(thirds) else { return false }
      var cut: [Int] = []
      for (number, edge) in open.enumerated() {
        let (a, b) = (images[edge], images[edge &+ 1])
        let first = Point(x: a.x + (b.x - a.x) / 3, y: a.y + (b.y - a.y) / 3)
        let second = Point(x: b.x - (b.x - a.x) / 3, y: b.y - (b.y - a.y) / 3)
        if let world {
          between[number &* 2] = between[number &* 2].unwrapped(near: first.x, width: world)
          between[number &* 2 &+ 1] = between[number &* 2 &+ 1].unwrapped(near: second.x, width: world)
        }
        let off = max(
          Self.distance(first, between[number &* 2]), Self.distance(second, between[number &* 2 &+ 1]))
        if off > tolerance, isNear(a, b, off) { cut.append(number) }
      }
      guard places.count < most else { return false }
      let (oldPlaces, oldImages) = (places, images)
      (places, images) = ([], [])
      places.reserveCapacity(oldPlaces.count &+ cut.count &* 2)
      images.reserveCapacity(oldPlaces.count &+ cut.count &* 2)
      var next: [Int] = []
      var from = 0
      for number in cut {
        let edge = open[number]
        places += oldPlaces[from...edge]
        images += oldImages[from...edge]
        let start = places.count &- 1
        places += thirds[(number &* 2)...(number &* 2 &+ 1)]
        images += between[(number &* 2)...(number &* 2 &+ 1)]
        next += [start, start &+ 1, start &+ 2]
        from = edge &+ 1
      }
      places += oldPlaces[from...]
      images += oldImages[from...]
      open = next
    }
    return open.isEmpty
  }

  private static func distance(_ a: Point, _ b: Point) -> Double { hypot(a.x - b.x, a.y - b.y) }

  /// Whether an edge whose image is so far off may come to the area.
  private func isNear(_ a: Point, _ b: Point, _ off: Double) -> Bool {
    var x = (a.x + b.x) / 2 - (area.xMin + area.xMax) / 2
    if let world { x.formRemainder(dividingBy: world) }
    let y = (a.y + b.y) / 2 - (area.yMin + area.yMax) / 2
    let reach = off * 4
    return x.magnitude <= (a.x - b.x).magnitude / 2 + (area.xMax - area.xMin) / 2 + reach
      && y.magnitude <= (a.y - b.y).magnitude / 2 + (area.yMax - area.yMin) / 2 + reach
  }

  // MARK: Rings

  /// Leads a ring that goes once around the world over the pole in it. False if it does not close all the same.
  private func close(_ places: [Point], _ images: inout [Point]) -> Bool {
    guard let first = images.first, let last = images.last else { return true }
    if let world, (last.x - first.x).magnitude > world / 2 {
      let inside = poles.filter { Self.holds($0.place, places) }
      guard inside.count == 1, let pole = inside.first else { return false }
      images.append(Point(x: last.x, y: pole.y))
      images.append(Point(x: first.x, y: pole.y))
      images.append(first)
    } else {
      images[images.count &- 1] = first
    }
    return true
  }

  /// Whether a point lies in a ring.
  private static func holds(_ point: Point, _ ring: [Point]) -> Bool {
    var isInside = false
    for (a, b) in zip(ring, ring.dropFirst()) where (a.y > point.y) != (b.y > point.y) {
      if point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x) { isInside.toggle() }
    }
    return isInside
  }
}
