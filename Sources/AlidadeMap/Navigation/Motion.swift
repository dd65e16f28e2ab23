import AlidadeCoordinates
import Glibc

/// A camera on its way, without a finger: what a view does by itself while time passes.
enum Motion: Sendable {
  case glide(Glide)
  case flight(Flight)
  case fling(Fling, from: Camera)
  /// DIP/s, right and down, until something ends it.
  case drift(Point, from: Camera)
  /// A movement from beyond the limits back to them.
  case spring(Flight)

  /// Seconds.
  var duration: Double {
    switch self {
    case .glide(let glide): glide.duration
    case .flight(let flight), .spring(let flight): flight.duration
    case .fling(let fling, _): fling.duration
    case .drift: .infinity
    }
  }

  /// Where the camera is, some seconds after the beginning.
  func camera(after seconds: Double, in viewport: Viewport) -> Camera {
    switch self {
    case .glide(let glide): return glide.camera(after: seconds, in: viewport)
    case .flight(let flight), .spring(let flight): return flight.camera(after: seconds)
    case .fling(let fling, let start):
      let way = fling.way(after: seconds)
      return start.panned(dx: way.x, dy: way.y, in: viewport)
    case .drift(let velocity, let start):
      return start.panned(dx: velocity.x * seconds, dy: velocity.y * seconds, in: viewport)
    }
  }
}

/// A step of a zoom, a turn and a way on the screen, about a screen point: what taps and keys do.
struct Glide: Sendable {
  var start: Camera
  /// Absolute, so that the end has exactly these.
  var endScale: Double
  var endRotation: Double
  /// The turn in degrees, in the shorter direction or more.
  var turn = 0.0
  /// DIP, right and down.
  var way = Point(x: 0, y: 0)
  /// The screen point whose map point stays.
  var about: Point
  var duration: Double
  var curve: AnimationCurve

  init(_ start: Camera, about: Point, duration: Double, curve: AnimationCurve) {
    self.start = start
    endScale = start.scale
    endRotation = start.rotation
    self.about = about
    self.duration = duration
    self.curve = curve
  }

  func done(after seconds: Double) -> Double { curve.value(at: seconds / duration) }

  func camera(after seconds: Double, in viewport: Viewport) -> Camera {
    let part = done(after: seconds)
    let isOver = seconds >= duration
    let scale = isOver ? endScale : start.scale * exp(log(endScale / start.scale) * part)
    let rotation = isOver ? endRotation : start.rotation + turn * part
    let turned = start.with(scale: scale, rotation: rotation, about: about, in: viewport)
    return turned.panned(dx: way.x * part, dy: way.y * part, in: viewport)
  }
}

/// An animation from one camera to another.
struct Flight: Sendable {
  let start: Camera
  let end: Camera
  /// From the first centre to the second, in the shorter direction where the world repeats itself.
  private let way: Point
  private let turn: Double
  /// nil: straight on, about the one point that stays on the screen.
  private let path: FlyPath?
  /// Seconds.
  let duration: Double
  private let curve: AnimationCurve

  /// - Parameters:
  ///   - worldWidth: nil: the way must not go around the world.
  ///   - duration: seconds; nil: what the flight says, or a quarter of a second.
  init(
    from start: Camera, to end: Camera, in viewport: Viewport, worldWidth: Double?, flies: Bool,
    curve: AnimationCurve, duration: Double?
  ) {
    self.start = start
    self.end = end
    var dx = end.center.x - start.center.x
    if let width = worldWidth {
      let copies = (dx / width).rounded()
      if copies.isFinite { dx -= copies * width }
    }
    way = Point(x: dx, y: end.center.y - start.center.y)
    turn = Camera.turn(from: start.rotation, to: end.rotation)
    self.curve = curve
    let extent = max(viewport.width, viewport.height)
    path =
      flies
      ? FlyPath(
        startWidth: viewport.unitsPerDip(scale: start.scale) * extent,
        endWidth: viewport.unitsPerDip(scale: end.scale) * extent, distance: hypot(way.x, way.y)) : nil
    self.duration = duration ?? path?.duration ?? Self.defaultDuration
  }

  static let defaultDuration = 0.25

  func camera(after seconds: Double) -> Camera {
    // Exactly, whatever the formulas' last digits are.
    guard seconds < duration else { return end }
    let part = curve.value(at: seconds / duration)
    let zoom = log(end.scale / start.scale)
    var (done, growth) = (part, exp(zoom * part))
    if let path {
      (done, growth) = path.place(at: part)
    } else if zoom.magnitude > 1e-9 {
      // The centre moves as the scale does, so that the screen grows about one point.
      done = expm1(zoom * part) / expm1(zoom)
    }
    let center = Point(x: start.center.x + way.x * done, y: start.center.y + way.y * done)
    let scale = min(max(start.scale * growth, Camera.scales.lowerBound), Camera.scales.upperBound)
    guard center.isFinite, scale.isFinite else { return start }
    return Camera(center: center, scale: scale, rotation: start.rotation + turn * part)
  }
}

extension CameraConstraints {
  /// Whether there is an end to the east and to the west, in a world that repeats itself.
  func endsSideways(in viewport: Viewport) -> Bool {
    guard let width = viewport.worldWidth, let maxExtent else { return false }
    // As wide as the world but for some ulp is all the way round.
    return maxExtent.xMax - maxExtent.xMin < width * (1 - 1e-9)
  }

  /// A camera that a move leads to, no farther from the extent than half a world: beyond that another copy of the
  /// extent would be nearer, and the camera would be taken to its other side.
  func onOneSide(_ camera: Camera, of before: Camera, in viewport: Viewport) -> Camera {
    guard let width = viewport.worldWidth, let maxExtent, endsSideways(in: viewport) else { return camera }
    let middle = Self.middle(of: maxExtent, cornerWays(camera, in: viewport))
    let here = middle + ((before.center.x - middle) / width).rounded() * width
    let x = min(max(camera.center.x, here - 0.49 * width), here + 0.49 * width)
    return x == camera.center.x ? camera : camera.with(center: Point(x: x, y: camera.center.y))
  }
}
