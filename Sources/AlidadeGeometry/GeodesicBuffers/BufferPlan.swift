import AlidadeBase
import AlidadeCoordinates

/// The regions that a buffer is combined from.
struct BufferPlan {
  private let isNegative: Bool
  /// Each a shell and its holes.
  private var interiors: [[EarthRegion]] = []
  private var boundary: [EarthRegion] = []
  /// Whole buffers of lines and polygons.
  private var whole: [EarthRegion] = []
  private(set) var achievedDeviation = 0.0
  /// Of all outlines.
  private(set) var vertexCount = 0

  var regions: [EarthRegion] { interiors.joined().filter { !$0.line.isEmpty } + boundary + whole }

  /// What can be united by itself.
  var pieces: [BufferPiece] {
    let ready = whole.map { BufferPiece(boundary: [$0]) }
    if isNegative {
      let others = BufferPiece(isNegative: true, interiors: interiors, boundary: boundary)
      return interiors.isEmpty ? ready : ready + [others]
    }
    return boundary.map { BufferPiece(boundary: [$0]) } + interiors.map { BufferPiece(interiors: [$0]) } + ready
  }

  init(
    _ settings: GeodesicBuffer, _ figure: GeodesicFigure, distance: Double, vertexLimit: Int
  ) throws(EngineError) {
    let geodesic = settings.geodesic
    isNegative = distance < 0
    let size = distance.magnitude
    try settings.check(distance: distance)
    let allowed = try settings.allowedDeviation(for: distance)
    var edges = EdgePaths(settings, share: allowed / 4)
    let maximumDeviation = allowed - edges.maximumDeviation
    var segments = SegmentOutline(
      geodesic, distance: size, maximumDeviation: maximumDeviation, plane: settings.plane, vertexLimit: vertexLimit)
    var corridor =
      settings.isRound
      ? nil : CorridorOutline(settings, distance: size, maximumDeviation: maximumDeviation, vertexLimit: vertexLimit)
    func outline(_ path: [Point]) throws(EngineError) {
      if try corridor?.add(path) == nil { try Self.add(path, to: &segments) }
    }
    var polygons: [(corners: [[Point]], rings: [[Point]])] = []
    for polygon in figure.polygons {
      let corners = polygon.filter { !$0.isEmpty }
      var rings: [[Point]] = []
      for ring in corners { rings.append(try edges.geodesics(ring + ring.prefix(1))) }
      polygons.append((corners, rings))
    }
    let offsets = OffsetMaker(settings, distance: size, maximumDeviation: maximumDeviation, vertexLimit: vertexLimit)
    // Inwards a polygon may come near to another's boundary.
    if isNegative, let region = try offsets.region(polygons.map(\.rings), isNegative: true) {
      add(region)
      polygons = []
    }
    for (corners, rings) in polygons {
      if !isNegative, let region = try offsets.region([rings], isNegative: false) {
        add(region)
        continue
      }
      // The inside's own edges are covered by the buffer of the boundary: they need not be exact, but within it.
      let inside = min(maximumDeviation, max(size / 2, GeodesicBuffer.leastDeviation))
      var regions: [EarthRegion] = []
      for (corners, ring) in zip(corners, rings) {
        regions.append(
          settings.curve == .shapePreserving
            ? try Self.interior(ofStraight: corners)
            : try Self.interior(of: ring, geodesic, maximumDeviation: inside, settings.plane))
        try outline(ring)
      }
      interiors.append(regions)
    }
    if !isNegative {
      for point in figure.points { try outline([edges.place(of: point)]) }
      for line in figure.lines {
        let path = try edges.geodesics(line)
        if let region = try offsets.region(path) { add(region) } else { try outline(path) }
      }
    }
    boundary = segments.regions + (corridor?.regions ?? [])
    vertexCount &+= segments.vertexCount &+ (corridor?.vertexCount ?? 0)
    achievedDeviation =
      max(achievedDeviation, segments.achievedDeviation, corridor?.achievedDeviation ?? 0) + edges.achievedDeviation
  }

  private mutating func add(_ region: OffsetRegion) {
    whole += region.polygons.compactMap { EarthRegion($0) }
    vertexCount &+= region.vertexCount
    achievedDeviation = max(achievedDeviation, region.achievedDeviation)
  }

  private static func add(_ path: [Point], to outline: inout SegmentOutline) throws(EngineError) {
    guard let first = path.first else { return }
    if path.allSatisfy({ $0 == first }) { return try outline.add(first) }
    for (point, next) in zip(path, path.dropFirst()) where point != next { try outline.add(point, next) }
  }

  /// What a ring encloses whose edges are straight on the map: it may be more than half of the earth.
  private static func interior(ofStraight corners: [Point]) throws(EngineError) -> EarthRegion {
    let ring = corners + corners.prefix(1)
    guard corners.count > 2 else { return try EarthRegion(leftOf: [], turns: 0, isLarge: false) }
    return try EarthRegion(leftOf: ring, turns: 0, isLarge: false)
  }

  /// What a ring of geodesics encloses.
  private static func interior(
    of ring: [Point], _ geodesic: Geodesic, maximumDeviation: Double, _ plane: EarthPlane?
  ) throws(EngineError) -> EarthRegion {
    let (area, perimeter) = geodesic.areaAndPerimeter(of: ring)
    // Counter-clockwise around the smaller part.
    let corners = area < 0 ? ring.reversed() : ring
    var path = ChordPath(
      Earth(geodesic.ellipsoid), maximumDeviation: maximumDeviation, edges: plane.map { .planar($0) } ?? .straight)
    for (index, corner) in corners.enumerated() {
      let next = corners[index &+ 1 < corners.count ? index &+ 1 : 0]
      let way = geodesic.inverse(from: corner, to: next)
      if way.length == 0 { continue }
      let line = geodesic.line(from: corner, azimuth: way.azimuth)
      let pieces = Int(exactly: (way.length / 500_000).rounded(.up)) ?? 1
      try path.append(pieces: pieces) { line.position(at: $0 * way.length).point }
    }
    let turns = try path.close()
    guard path.points.count > 2 else { return try EarthRegion(leftOf: [], turns: 0, isLarge: false) }
    // What holds both poles has an outline that goes from one to the other and back. A ring as thin as rounding runs
    // in no direction.
    let isWide = area.magnitude > 1e-6 * perimeter
    let poleToPole = 2 * .pi * geodesic.ellipsoid.curvatureRadii.lowerBound * 0.95
    return try EarthRegion(
      leftOf: path.points, turns: turns, isLarge: isWide && (plane != nil || perimeter > poleToPole))
  }
}

/// Lines of any curves as lines of geodesics.
private struct EdgePaths {
  private let settings: GeodesicBuffer
  private let earth: Earth
  /// What geodesics may be off from the curves that they stand for, metres.
  let maximumDeviation: Double
  private(set) var achievedDeviation = 0.0

  init(_ settings: GeodesicBuffer, share: Double) {
    self.settings = settings
    earth = Earth(settings.geodesic.ellipsoid)
    maximumDeviation = settings.curve == .geodesic ? 0 : share
  }

  /// Where on the earth a vertex is.
  func place(of vertex: Point) throws(EngineError) -> Point {
    guard let plane = settings.plane else {
      guard vertex.isFinite, vertex.y.magnitude <= 90, vertex.x.magnitude <= 1e6 else {
        throw EngineError(.invalidArgument, "\(vertex.x), \(vertex.y) is no longitude and latitude in degrees.")
      }
      return vertex
    }
    let place = plane.place(of: vertex)
    guard place.isFinite else {
      throw EngineError(
        .projectionFailed, "The vertex (\(vertex.x), \(vertex.y)) has no place on the earth in \(plane.name).")
    }
    return place
  }

  /// - Parameter path: vertices in the plane, if there is one.
  mutating func geodesics(_ path: [Point]) throws(EngineError) -> [Point] {
    var places: [Point] = []
    places.reserveCapacity(path.count)
    for vertex in path { places.append(try place(of: vertex)) }
    if settings.curve != .shapePreserving, settings.plane == nil {
      for (from, to) in zip(places, places.dropFirst()) where (to.x - from.x).magnitude >= 360 {
        throw EngineError(
          .invalidArgument,
          "The edge from \(from.x), \(from.y) to \(to.x), \(to.y) goes all around the earth, and the curve between the "
            + "two does not. Give vertices between them, or the curve type that preserves the shape.")
      }
    }
    if settings.curve == .geodesic { return places }
    let geodesic = settings.geodesic
    var line: ChordPath
    if let plane = settings.plane, settings.curve == .shapePreserving {
      line = ChordPath(
        earth, maximumDeviation: maximumDeviation, edges: .geodesic(geodesic), vertexLimit: settings.vertexLimit)
      for (from, to) in zip(path, path.dropFirst()) where from != to {
        try line.append(pieces: 8) {
          plane.place(of: Point(x: from.x + $0 * (to.x - from.x), y: from.y + $0 * (to.y - from.y)))
        }
      }
      if line.points.isEmpty { return places }
    } else {
      line = try EarthCurve.densified(
        places, settings.curve, on: geodesic, edges: .geodesic(geodesic), maximumDeviation: maximumDeviation,
        vertexLimit: settings.vertexLimit)
    }
    achievedDeviation = max(achievedDeviation, line.achievedDeviation)
    return line.points
  }
}
