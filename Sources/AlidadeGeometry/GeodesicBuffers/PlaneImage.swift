import AlidadeBase
import AlidadeCoordinates
import Glibc

/// Polygons in longitude and latitude as polygons of a plane.
///
/// An edge that is straight in longitude and latitude is bent in the plane. The points at a quarter, a half and three
/// quarters of the straight line between the images of its ends go back to the earth. How far they lie from the points
/// at the same shares of the edge, and the polynomial through these distances, bounds how far the two are apart. Edges
/// are divided until that is little enough.
struct PlaneImage {
  let plane: EarthPlane
  let earth: Earth
  /// Metres.
  let maximumDeviation: Double
  let vertexLimit: Int

  /// For what the polynomial leaves out: it is of the fourth degree, and edges are short.
  private static let margin = 1.01
  /// An edge that is farther off than so many times what is allowed does not lie in one piece of the map.
  private static let hopeless = 1e5
  private static let mostRounds = 8

  /// The same region in the plane; nil if another way must be taken, as where the map is cut open.
  func region(_ region: MapRegion) throws(EngineError) -> MapRegion? {
    var deviation = 0.0
    var polygons: [[[Point]]] = []
    var left = vertexLimit
    for polygon in region.polygons {
      var rings: [[Point]] = []
      for ring in polygon {
        guard let (image, worst) = try image(of: ring, &left), isSameWayRound(image, ring) else { return nil }
        deviation = max(deviation, worst)
        rings.append(rings.first.map { moved(image, near: $0) } ?? image)
      }
      polygons.append(rings)
    }
    guard try CrossingOutline.arePlain(polygons.joined().map { Array($0.dropLast()) }) else { return nil }
    return MapRegion(
      polygons: polygons, vertexCount: vertexLimit &- left, achievedDeviation: region.achievedDeviation + deviation)
  }

  /// A closed ring in the plane, and how far it is from the one in degrees, metres.
  private func image(of ring: [Point], _ left: inout Int) throws(EngineError) -> (ring: [Point], deviation: Double)? {
    var places = ring
    for _ in 0..<Self.mostRounds {
      try TimeLimit.check()
      guard places.count <= left else { return nil }
      var image = places
      try image.withUnsafeMutableBufferPointer { (points) throws(EngineError) in try plane.images(of: points) }
      let deviations = try deviations(places, image)
      guard let worst = deviations.max(), worst < Self.hopeless * maximumDeviation else { return nil }
      if worst <= maximumDeviation {
        guard let first = image.first, let last = image.last,
          plane.world.map({ (last.x - first.x).magnitude < $0.width / 2 }) ?? true
        else { return nil }
        image[image.count &- 1] = first
        left &-= image.count
        return (image, worst)
      }
      places = divided(places, deviations)
    }
    return nil
  }

  /// How far each straight line between images is from the edge between the positions in degrees, metres; infinite where
  /// that is not known.
  private func deviations(_ places: [Point], _ images: [Point]) throws(EngineError) -> [Double] {
    var samples: [Point] = []
    samples.reserveCapacity(4 &* images.count)
    for index in images.indices.dropFirst() {
      let (a, b) = (images[index &- 1], images[index])
      for share in [0, 0.25, 0.5, 0.75] {
        samples.append(Point(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y)))
      }
    }
    try samples.withUnsafeMutableBufferPointer { (points) throws(EngineError) in try plane.places(of: points) }
    return places.indices.dropFirst().map { index in
      let (a, b) = (places[index &- 1], places[index])
      let metres = earth.metresPerRadian(latitude: (a.y + b.y) / 2)
      func error(_ part: Int) -> Vector {
        let (share, place) = (Double(part) / 4, samples[4 &* index &- 4 &+ part])
        let (x, y) = (a.x + share * (b.x - a.x), a.y + share * (b.y - a.y))
        return Vector(
          remainder(place.x - x, 360) * Earth.radian * metres.parallel, (place.y - y) * Earth.radian * metres.meridian,
          0)
      }
      return greatest(error(1), error(2), error(3)) + error(0).length + ChordPath.rounding
    }
  }

  /// The greatest length between 0 and 1 of a difference that vanishes at both, by its values at 1/4, 1/2 and 3/4; the
  /// same as `ChordPath` does.
  private func greatest(_ first: Vector, _ second: Vector, _ third: Vector) -> Double {
    let (g1, g2, g3) = (first * (16 / 3), second * 4, third * (16 / 3))
    let bend = max((g1 - g2).length, (g3 - g2).length)
    // No parabola follows that: the edge has to be divided, unless all of it is far below what is allowed.
    let isLopsided = bend > 0.15 * g2.length
    var greatest = 0.0
    for step in 1..<16 {
      let u = Double(step) / 16
      let v = 4 * u - 2
      let g = g2 + (g3 - g1) * (v / 2) + (g3 + g1 - g2 * 2) * (v * v / 2)
      let length = (g * (u * (1 - u))).length
      if !(length <= greatest) { greatest = length.isFinite ? length : .infinity }
    }
    return greatest * (isLopsided ? 4 : Self.margin)
  }

  private func divided(_ places: [Point], _ deviations: [Double]) -> [Point] {
    var result = Array(places.prefix(1))
    for (index, deviation) in deviations.enumerated() {
      let (a, b) = (places[index], places[index &+ 1])
      let wanted = (1.05 * deviation / maximumDeviation).squareRoot().rounded(.up)
      let count = deviation > maximumDeviation ? min(16, max(2, wanted)) : 1
      for part in stride(from: 1, to: count, by: 1) {
        let share = part / count
        result.append(Point(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y)))
      }
      result.append(b)
    }
    return result
  }

  /// Whether the inside is still the inside. A ring around what the plane cannot show, such as the point opposite to the
  /// centre of an azimuthal map, is turned inside out.
  private func isSameWayRound(_ image: [Point], _ ring: [Point]) -> Bool {
    let (area, before) = (EarthRegion.signedArea(image), EarthRegion.signedArea(ring))
    return (area > 0) == (plane.isMirrored ? before < 0 : before > 0)
  }

  /// A hole in the same copy of the world as its shell.
  private func moved(_ ring: [Point], near shell: [Point]) -> [Point] {
    guard let width = plane.world?.width, let box = Envelope(around: ring), let whole = Envelope(around: shell) else {
      return ring
    }
    let shift = ((whole.xMin + whole.xMax - box.xMin - box.xMax) / 2 / width).rounded() * width
    return shift == 0 ? ring : ring.map { Point(x: $0.x + shift, y: $0.y) }
  }
}
