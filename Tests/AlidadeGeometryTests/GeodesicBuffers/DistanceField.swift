import AlidadeCoordinates
import AlidadeGeometry
import Glibc
import Testing

/// Distances to a figure by searching along its segments: slow, and with no part of what makes buffers.
struct DistanceField {
  let geodesic: Geodesic
  private var segments: [(line: GeodesicLine, length: Double)] = []
  private var points: [Point] = []
  private let rings: [[Point]]

  init(_ geodesic: Geodesic, _ figure: GeodesicFigure) {
    self.geodesic = geodesic
    rings = figure.polygons.flatMap { $0 }
    points = figure.points
    for path in figure.lines + rings.map({ $0 + $0.prefix(1) }) {
      for (a, b) in zip(path, path.dropFirst()) where a != b {
        let way = geodesic.inverse(from: a, to: b)
        segments.append((geodesic.line(from: a, azimuth: way.azimuth), way.length))
      }
      points += path.prefix(1)
    }
  }

  /// Metres to the nearest point of the points and lines, polygons being their boundaries here.
  func distance(_ place: Point) -> Double {
    var best = points.map { geodesic.distance(from: place, to: $0) }.min() ?? .infinity
    for (line, length) in segments {
      let at = { (s: Double) in geodesic.distance(from: place, to: line.position(at: s).point) }
      let steps = 24
      let coarse = (0...steps).map { at(length * Double($0) / Double(steps)) }
      let nearest = coarse.indices.min { coarse[$0] < coarse[$1] } ?? 0
      best = min(best, coarse[nearest])
      if coarse[nearest] > best + length / Double(steps) { continue }
      // The golden section around the nearest.
      var low = length * Double(max(0, nearest - 1)) / Double(steps)
      var high = length * Double(min(steps, nearest + 1)) / Double(steps)
      let ratio = (5.0.squareRoot() - 1) / 2
      var (s, t) = (high - ratio * (high - low), low + ratio * (high - low))
      var (atS, atT) = (at(s), at(t))
      while high - low > 1e-4 * max(1, best * 1e-3) {
        if atS < atT {
          (high, t, atT) = (t, s, atS)
          s = high - ratio * (high - low)
          atS = at(s)
        } else {
          (low, s, atS) = (s, t, atT)
          t = low + ratio * (high - low)
          atT = at(t)
        }
        best = min(best, atS, atT)
      }
    }
    return best
  }
}

extension GeodesicRegion {
  /// By counting crossings of rings northwards of a point.
  func contains(_ place: Point) -> Bool {
    var inside = false
    for x in [place.x, place.x + 360, place.x - 360] {
      for ring in polygons.joined() {
        for (a, b) in zip(ring, ring.dropFirst()) where (a.x > x) != (b.x > x) {
          if a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y) > place.y { inside.toggle() }
        }
      }
    }
    return inside
  }

  /// Edges but those along the sides of the map of the world.
  var edges: [(Point, Point)] {
    let onSide = { (a: Point, b: Point) in
      (a.x == b.x && self.seams.contains(a.x)) || (a.y == b.y && a.y.magnitude == 90)
    }
    return polygons.joined().flatMap { ring in zip(ring, ring.dropFirst()).filter { !onSide($0, $1) } }
  }

  /// The meridians -180 and 180, where a region is split.
  private var seams: Set<Double> { [-180, 180] }
}

/// Reproducible random numbers (SplitMix64).
struct Random: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

extension EarthCurve {
  /// Metres from a point to the nearest point of a geodesic, by ever closer looks.
  func distance(to place: Point, on geodesic: Geodesic) -> Double {
    var (low, high, best) = (0.0, 1.0, Double.infinity)
    for _ in 0..<13 {
      let steps = (0...20).map { low + (high - low) * Double($0) / 20 }
      let distances = steps.map { geodesic.distance(from: place, to: point(at: $0)) }
      let nearest = distances.indices.min { distances[$0] < distances[$1] } ?? 0
      best = min(best, distances[nearest])
      (low, high) = (steps[max(0, nearest - 1)], steps[min(20, nearest + 1)])
    }
    return best
  }
}
