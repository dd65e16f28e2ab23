import AlidadeBase
import Glibc

/// The poles that lie in a box.
struct PolesOfBox {
  /// A pole, and a ring around it inside the box; the ring is empty if the pole lies on the box's edge.
  struct Pole {
    var place: Point
    var ring: [Point]
  }

  private(set) var places: [Pole] = []
  private(set) var isNorth = false
  private(set) var isSouth = false

  private static let ringCount = 128

  /// - Parameter target: where it is geographic, its poles are meant; they lie some metres from those of other datums.
  init(of box: Envelope, in reference: SpatialReference, for target: SpatialReference) throws(EngineError) {
    guard reference.kind != .local, target.kind != .local else { return }
    let globe =
      target.kind == .geographic
      ? target : try SpatialReference.make(runtime: reference.runtime, authority: "EPSG", code: 4326)
    guard let width = globe.system.worldWidth else { return }
    let there = try Projector.between(globe, reference)
    let back = try Projector.between(reference, globe)
    let middle = Point(x: box.xMin + (box.xMax - box.xMin) / 2, y: box.yMin + (box.yMax - box.yMin) / 2)
    // Where a pole is a line, the point of it above the middle of the box counts.
    let longitude = try back.project(middle)?.x ?? 0
    for (latitude, isNorthern) in [(width / 4, true), (-width / 4, false)] {
      guard var place = try there.project(Point(x: longitude, y: latitude)) else { continue }
      if let world = reference.system.worldWidth { place = place.unwrapped(near: middle.x, width: world) }
      // How far inside, in either direction; rounding must not push a pole off an edge.
      let inside = min(place.x - box.xMin, box.xMax - place.x, place.y - box.yMin, box.yMax - place.y)
      let size = box.xMax - box.xMin + box.yMax - box.yMin
      let slack = 1e-9 * size + 1e-12 * (place.x.magnitude + place.y.magnitude)
      guard inside >= -slack else { continue }
      place.x = min(max(place.x, box.xMin), box.xMax)
      place.y = min(max(place.y, box.yMin), box.yMax)
      guard let image = try back.project(place), (image.y - latitude).magnitude < 1e-6 * width else { continue }
      if isNorthern { isNorth = true } else { isSouth = true }
      places.append(Pole(place: place, ring: inside > slack ? Self.ring(around: place, radius: inside / 2) : []))
    }
  }

  private static func ring(around center: Point, radius: Double) -> [Point] {
    (0..<ringCount).map { index in
      let angle = 2 * Double.pi * Double(index) / Double(ringCount)
      return Point(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
    }
  }
}
