import AlidadeCoordinates
import Glibc

extension Navigator {
  // MARK: Wheel and keys

  /// - Parameter notches: of a wheel; more than 0 is in.
  mutating func wheel(_ notches: Double, at point: Point, on stage: inout NavigationStage) {
    guard options.allows(.wheel), notches != 0 else { return }
    if session?.gesture != .wheel { begin(.gesture, .wheel) }
    session?.quietTime = clock + Self.wheelRest
    let about = pivot(point, stage)
    let scale = limited(stage.camera.scale / pow(options.zoomFactor, notches), stage)
    apply(stage.camera.scaled(to: scale, about: about, in: stage.viewport), about: about, isPan: false, on: &stage)
  }

  mutating func press(_ key: NavigationKey, on stage: NavigationStage) {
    guard options.allows(.key) else { return }
    let stage = withinLimits(stage)
    var glide = Glide(
      stage.camera, about: stage.viewport.anchor, duration: Self.glideTime, curve: Self.glideCurve)
    // What an earlier key has not done yet is added.
    if session?.gesture == .key, case .glide(let earlier) = motion {
      let rest = 1 - earlier.done(after: elapsed)
      glide.endScale = earlier.endScale
      glide.turn = earlier.turn * rest
      glide.way = Point(x: earlier.way.x * rest, y: earlier.way.y * rest)
    }
    switch key {
    case .left where options.pans: glide.way.x += Self.keyWay
    case .right where options.pans: glide.way.x -= Self.keyWay
    case .up where options.pans: glide.way.y += Self.keyWay
    case .down where options.pans: glide.way.y -= Self.keyWay
    case .zoomIn where options.zooms: glide.endScale = limited(glide.endScale / options.zoomFactor, stage)
    case .zoomOut where options.zooms: glide.endScale = limited(glide.endScale * options.zoomFactor, stage)
    case .rotateLeft: glide.turn -= Self.keyTurn
    case .rotateRight: glide.turn += Self.keyTurn
    case .northUp: glide.turn = Camera.turn(from: stage.camera.rotation, to: 0)
    case .left, .right, .up, .down, .zoomIn, .zoomOut: return
    }
    glide.endRotation = key == .northUp ? 0 : stage.camera.rotation + glide.turn
    if session?.gesture != .key { begin(.gesture, .key) }
    start(.glide(glide))
    // What keys have turned stays as it was turned.
    session?.hasSettled = true
  }

  // MARK: Magnifiers

  /// Pans on and on, as a finger that drags a magnifier along the view's edge asks for.
  ///
  /// - Parameter velocity: of the map, DIP/s, right and down; (0, 0) ends it.
  mutating func drift(_ velocity: Point, on stage: NavigationStage) {
    guard velocity != Point(x: 0, y: 0), options.drifts else { return endDrift() }
    let stage = withinLimits(stage)
    // A long press is what drags a magnifier.
    if !isDrifting { begin(.gesture, .longPress) }
    start(.drift(velocity, from: stage.camera))
  }

  mutating func endDrift() {
    if isDrifting { end(isInterrupted: false) }
  }

  // MARK: Animations

  /// Begins an animation to a camera, or as near to it as the constraints allow.
  mutating func animate(to target: Camera, _ animation: Animation, on stage: NavigationStage) {
    let stage = withinLimits(stage)
    let end = stage.constraints.clamped(target, in: stage.viewport).camera
    begin(.animation, nil, userData: animation.userData)
    start(
      .flight(
        Flight(
          from: stage.camera, to: end, in: stage.viewport,
          worldWidth: stage.constraints.endsSideways(in: stage.viewport) ? nil : stage.viewport.worldWidth,
          flies: animation.flies, curve: animation.curve, duration: animation.duration)))
  }
}

/// How an animation runs.
public struct Animation: Sendable {
  public var curve = AnimationCurve.linear
  /// Out, across and in again, as far out as the way is long.
  public var flies = false
  /// Seconds; nil: a flight's own, or a quarter of a second.
  public var duration: Double?
  /// Handed back when it is over.
  public var userData: UInt = 0

  public init() {}

  public static let longest = 3600.0
}
