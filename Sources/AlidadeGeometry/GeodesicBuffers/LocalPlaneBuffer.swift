import AlidadeBase
import AlidadeCoordinates
import Glibc

/// Geodesic buffers of lines and polygons that are small against the earth, as planar buffers in a plane of their own.
///
/// The plane keeps angles (`LocalPlane`). Where its scale lies between 1 and k, a curve is at most k times as long in the
/// plane as on the earth, and not shorter; so what has a distance D in the plane has one between D / k and D on the
/// earth. With D = d (1 + k) / 2 this is d to within d (k - 1) / 2. To that come what geodesics bend in the plane, the
/// chords of arcs, and by how much lines that are straight in longitude and latitude are bent in the plane.
struct LocalPlaneBuffer {
  private let settings: GeodesicBuffer
  /// Metres.
  private let distance: Double
  private let maximumDeviation: Double
  private let vertexLimit: Int

  /// Shares of the deviation: of the scale, of bent edges of the input and of the result. The rest is for arcs.
  private static let scaleShare = 0.1
  private static let edgeShare = 0.05
  private static let mapShare = 0.25
  /// Metres: positions are exact to some 1e-8 m.
  private static let rounding = 1e-7
  private static let leastDeviation = 1e-5
  /// How often strips along the paths may cover the box around them on the average, if at more corners than a few the
  /// strips on the inner side are longer than the edges. `OffsetRegion` leaves out early what others cover, and is faster
  /// beyond that.
  private static let greatestCover = 0.25
  private static let fewCorners = 64

  init(_ settings: GeodesicBuffer, distance: Double, maximumDeviation: Double, vertexLimit: Int) {
    self.settings = settings
    self.distance = distance
    self.maximumDeviation = maximumDeviation
    self.vertexLimit = vertexLimit
  }

  /// What lies within the distance of a line of geodesics; nil if another way must be taken.
  func region(_ line: [Point]) throws(EngineError) -> MapRegion? {
    try region([[line]], direction: 0) { (region, paths) throws(EngineError) in
      try region.add(line: paths[0][0], .both)
      return true
    }
  }

  /// The same of polygons, or what lies inside of them by more than the distance.
  ///
  /// - Parameter polygons: shells and holes, closed, of geodesics.
  func region(_ polygons: [[[Point]]], isNegative: Bool) throws(EngineError) -> MapRegion? {
    try region(polygons, direction: isNegative ? -1 : 1) { (region, paths) throws(EngineError) in
      let oriented = paths.map(\.oriented)
      for rings in oriented {
        guard try isValid(rings) else { return false }
      }
      try region.add(rings: Array(oriented.joined()))
      return true
    }
  }

  /// - Parameters:
  ///   - direction: 1 outwards from polygons, -1 inwards, 0 around lines.
  ///   - add: adds to the planar region what is in the plane; false if that cannot be.
  private func region(
    _ groups: [[[Point]]], direction: Double,
    _ add: (inout BufferRegion, [[[Point]]]) throws(EngineError) -> Bool
  ) throws(EngineError) -> MapRegion? {
    guard maximumDeviation >= Self.leastDeviation, maximumDeviation <= distance / 20,
      let plane = LocalFrame(settings.geodesic, groups, distance: distance)
    else { return nil }
    let scaleError = distance * (plane.greatestScale - 1) / 2
    guard scaleError <= Self.scaleShare * maximumDeviation,
      let (paths, edgeError) = try plane.images(groups, tolerance: Self.edgeShare * maximumDeviation),
      !isCrowded(paths, direction)
    else { return nil }
    let fixed = scaleError + edgeError + Self.mapShare * maximumDeviation + Self.rounding
    let radius = distance * (1 + plane.greatestScale) / 2
    let segments = try ArcResolution.maximumDeviation(maximumDeviation - fixed).segments(radius: radius)
    guard Self.quarters(paths) * Double(segments) < Double(vertexLimit) else { return nil }
    let largest = paths.joined().joined().reduce(0) { max($0, $1.x.magnitude, $1.y.magnitude) }
    var region = BufferRegion(
      direction < 0 ? -radius : radius, largest: largest + radius, PlanarBufferStyle(), segments: segments,
      settings.policy)
    guard try add(&region, paths) else { return nil }
    let planar = try region.polygons(settings.workers ?? Workers(threadCount: 1))
    guard let (polygons, mapError) = try plane.places(planar, tolerance: Self.mapShare * maximumDeviation),
      try isValid(Array(polygons.joined()))
    else { return nil }
    let arcError = radius * (1 - cos(0.25 * .pi / Double(segments)))
    return MapRegion(
      polygons: polygons, vertexCount: polygons.joined().reduce(0) { $0 &+ $1.count },
      achievedDeviation: scaleError + edgeError + mapError + arcError + Self.rounding)
  }

  /// - Parameter direction: of polygons; 0 for lines, which have both sides.
  private func isCrowded(_ groups: [[[Point]]], _ direction: Double) -> Bool {
    guard var box = groups.first?.first.flatMap({ Envelope(around: $0) }) else { return false }
    var (length, corners, tightCorners) = (0.0, 0, 0)
    for paths in groups {
      for (number, path) in paths.enumerated() {
        _ = Envelope(around: path).map { box.extend(around: $0) }
        // Holes have their outside inside.
        let side = direction * (EarthRegion.signedArea(path) > 0 ? 1 : -1) * (number == 0 ? 1 : -1)
        var before = Point(x: 0, y: 0)
        var lengthBefore = 0.0
        for index in path.indices.dropFirst() {
          let edge = Point(x: path[index].x - path[index &- 1].x, y: path[index].y - path[index &- 1].y)
          let edgeLength = edge.square(from: Point(x: 0, y: 0)).squareRoot()
          length += edgeLength
          let sine = before.x * edge.y - before.y * edge.x
          let cosine = before.x * edge.x + before.y * edge.y
          // The tangent of half of the turn is sine / (1 + cosine); here both are multiplied by both lengths.
          let reach = 2 * distance * sine.magnitude / (lengthBefore * edgeLength + cosine)
          if side * sine <= 0, reach > min(lengthBefore, edgeLength) { tightCorners &+= 1 }
          (before, lengthBefore) = (edge, edgeLength)
        }
        corners &+= path.count
      }
    }
    let area = (box.xMax - box.xMin + 2 * distance) * (box.yMax - box.yMin + 2 * distance)
    let cover = 2 * distance * length / area
    return cover > Self.greatestCover && (cover > 1 || tightCorners > Self.fewCorners &+ corners / 20)
  }

  /// How many right angles arcs may turn in all.
  private static func quarters(_ groups: [[[Point]]]) -> Double {
    groups.joined().reduce(0) { $0 + 4 + $1.withUnsafeBufferPointer(PlanarBufferTask.turn) / (0.5 * .pi) }
  }

  /// Whether closed rings neither cross nor come near themselves or each other.
  private func isValid(_ rings: [[Point]]) throws(EngineError) -> Bool {
    try CrossingOutline.arePlain(rings.map { Array($0.dropLast()) })
  }
}

/// Polygons in longitude and latitude, shells first.
struct MapRegion {
  var polygons: [[[Point]]]
  var vertexCount: Int
  /// Metres.
  var achievedDeviation: Double
}

/// The plane around a figure.
private struct LocalFrame {
  private let geodesic: Geodesic
  private let plane: LocalPlane
  /// In reach of the buffer.
  let greatestScale: Double
  /// Per metre, of geodesics against straight lines of the plane.
  private let bend: Double
  private let centreLatitude: Double
  /// Radians: no latitude is greater, and nowhere does north differ more from the plane's y.
  private let greatestLatitude: Double
  private let convergence: Double
  /// Longitudes of the first path hang together with this one.
  private let west: Double

  /// Degrees: farther out scales are too great for any deviation.
  private static let widest = 20.0
  /// How many vertices may be added to some, so that straight lines are near enough. `OffsetRegion` needs fewer.
  private static func mostAdded(to count: Int) -> Int { count / 4 &+ 16 }

  /// nil where there is none.
  init?(_ geodesic: Geodesic, _ groups: [[[Point]]], distance: Double) {
    guard let first = groups.first?.first?.first else { return nil }
    self.geodesic = geodesic
    west = first.x
    var box = (west: first.x, east: first.x, south: first.y, north: first.y)
    for point in groups.joined().joined() {
      let x = point.unwrapped(near: first.x, width: 360).x
      box = (min(box.west, x), max(box.east, x), min(box.south, point.y), max(box.north, point.y))
    }
    let radius = geodesic.ellipsoid.leastRadius
    let reach = 1.1 * distance / radius
    let greatest = max(box.south.magnitude, box.north.magnitude) * Earth.radian + reach
    guard box.east - box.west < Self.widest, greatest < LocalPlane.greatestLatitude * Earth.radian,
      let plane = LocalPlane(
        geodesic.ellipsoid, centre: Point(x: (box.west + box.east) / 2, y: (box.south + box.north) / 2))
    else { return nil }
    self.plane = plane
    // The parallel is longest nearest to the equator.
    let least = box.south * box.north > 0 ? min(box.south.magnitude, box.north.magnitude) : 0
    let half = (box.east - box.west) / 2 * Earth.radian
    let width = 1.01 * geodesic.ellipsoid.semiMajorAxis * half * cos(least * Earth.radian)
    let easting = width * (1 + half * half) + 1.1 * distance
    greatestScale = plane.greatestScale(easting)
    bend = plane.bend(easting)
    centreLatitude = (box.south + box.north) / 2 * Earth.radian
    greatestLatitude = greatest
    convergence = 1.02 * half + reach * max(1, tan(greatest))
  }

  /// By how much straight lines in longitude and latitude bend against an edge in the plane at most, per metre.
  ///
  /// Against a geodesic it is tan(latitude) sin(A) (1 + cos(A)^2) / radius, A its azimuth.
  private func mapBend(_ a: Point, _ b: Point, length: Double) -> Double {
    // Along the meridian, latitudes grow with y by 1 / radius at most, and by 1 % less at least. Away from it,
    // latitudes are smaller.
    let radius = geodesic.ellipsoid.leastRadius
    func latitude(_ y: Double) -> Double { abs(centreLatitude + y / radius) + 0.011 * abs(y) / radius }
    let slope = tan(min(greatestLatitude, max(latitude(a.y), latitude(b.y))))
    let sine = min(1, abs(b.x - a.x) / length + convergence)
    let cosine = min(1, abs(b.y - a.y) / length + convergence)
    return 1.03 * slope * sine * (1 + cosine * cosine) / radius + bend
  }

  /// The paths in the plane, and how far straight lines are from the geodesics there, metres; nil if there are too many
  /// long edges.
  func images(
    _ groups: [[[Point]]], tolerance: Double
  ) throws(EngineError) -> (paths: [[[Point]]], deviation: Double)? {
    let longest = (8 * tolerance / bend).squareRoot()
    var deviation = 0.0
    var result: [[[Point]]] = []
    for paths in groups {
      var images: [[Point]] = []
      for path in paths {
        guard let first = path.first else { return nil }
        var last = first.unwrapped(near: west, width: 360)
        var places = path
        for index in places.indices {
          last = places[index].unwrapped(near: last.x, width: 360)
          places[index] = last
        }
        // Around a pole the ends differ by a turn.
        guard path.first != path.last || places.first == places.last else { return nil }
        guard var image = projected(places) else { return nil }
        var square = 0.0
        for index in image.indices.dropFirst() { square = max(square, image[index].square(from: image[index &- 1])) }
        if square > longest * longest {
          guard let more = try divided(places, image, longest), let divided = projected(more) else { return nil }
          image = divided
          square = longest * longest
        }
        deviation = max(deviation, square / 8 * bend)
        guard image.contains(where: { $0 != image[0] }) else { return nil }
        images.append(image)
      }
      result.append(images)
    }
    return (result, deviation)
  }

  private func projected(_ places: [Point]) -> [Point]? {
    var image = places
    return image.withUnsafeMutableBufferPointer({ plane.project($0) }) ? image : nil
  }

  /// A path with points on the geodesics that are longer in the plane than so many metres; nil if that takes very many.
  private func divided(
    _ places: [Point], _ image: [Point], _ longest: Double
  ) throws(EngineError) -> [Point]? {
    var left = Self.mostAdded(to: places.count)
    var result = Array(places.prefix(1))
    for index in places.indices.dropFirst() {
      let length = image[index].square(from: image[index &- 1]).squareRoot()
      guard let count = Int(exactly: (1.01 * length / longest).rounded(.up)), count <= left &+ 1 else {
        return nil
      }
      if index & 1023 == 0 { try TimeLimit.check() }
      if count > 1 {
        left &-= count &- 1
        let way = geodesic.inverse(from: places[index &- 1], to: places[index])
        let line = geodesic.line(from: places[index &- 1], azimuth: way.azimuth)
        for part in 1..<count {
          let point = line.position(at: way.length * Double(part) / Double(count)).point
          result.append(point.unwrapped(near: places[index &- 1].x, width: 360))
        }
      }
      result.append(places[index])
    }
    return result
  }

  /// The polygons in longitude and latitude, and how far straight lines there are from those in the plane, metres; nil
  /// if that takes very many vertices.
  func places(
    _ polygons: [[[Point]]], tolerance: Double
  ) throws(EngineError) -> (polygons: [[[Point]]], deviation: Double)? {
    var deviation = 0.0
    var left = Self.mostAdded(to: polygons.joined().reduce(0) { $0 &+ $1.count })
    var result: [[[Point]]] = []
    for polygon in polygons {
      var places: [[Point]] = []
      for ring in polygon {
        var points = Array(ring.prefix(1))
        points.reserveCapacity(ring.count)
        for index in ring.indices.dropFirst() {
          let (a, b) = (ring[index &- 1], ring[index])
          if index & 1023 == 0 { try TimeLimit.check() }
          let length = b.square(from: a).squareRoot()
          let error = length > 0 ? length * length / 8 * mapBend(a, b, length: length) : 0
          let count = max(1, (error / tolerance).squareRoot().rounded(.up))
          guard count <= Double(left &+ 1) else { return nil }
          left &-= (Int(exactly: count) ?? 1) &- 1
          deviation = max(deviation, error / (count * count))
          for part in stride(from: 1, to: count, by: 1) {
            let share = part / count
            points.append(Point(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y)))
          }
          points.append(b)
        }
        guard points.withUnsafeMutableBufferPointer({ plane.unproject($0) }) else { return nil }
        points[points.count &- 1] = points[0]
        places.append(points)
      }
      result.append(places)
    }
    return (result, deviation)
  }
}

extension Point {
  fileprivate func square(from other: Point) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return dx * dx + dy * dy
  }
}
