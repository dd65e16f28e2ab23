import AlidadeCoordinates
import Glibc

/// How far something follows a finger that pulls it past an edge: less and less, and never farther than the reach. What
/// UIScrollView does: the first DIP past the edge moves things by 0.55 DIP.
struct RubberBand {
  static let stiffness = 0.55
  /// Octaves that a scale can be pulled past its limit.
  static let octaves = 1.0
  /// Seconds in which what is let go springs back.
  static let springTime = 0.3
  static let springCurve = AnimationCurve.easeOutCubic

  /// How far it can be pulled at all.
  let reach: Double

  /// - Parameter pull: how far the finger is past the edge, to either side.
  func stretch(_ pull: Double) -> Double {
    let way = (1 - 1 / (pull.magnitude * Self.stiffness / reach + 1)) * reach
    return pull < 0 ? -way : way
  }

  /// The pull that leads to a stretch.
  func pull(_ stretch: Double) -> Double {
    let way = min(stretch.magnitude, reach * (1 - 1e-9))
    let pull = (1 / (1 - way / reach) - 1) * reach / Self.stiffness
    return stretch < 0 ? -pull : pull
  }
}

extension CameraConstraints {
  // A camera that fingers pull past the limits. The scale comes first, and the centre's limits are those that hold at the
  // scale that is shown.

  /// The scale that is shown when fingers ask for a scale beyond the limits.
  func pulled(scale: Double, rotation: Double, in viewport: Viewport) -> Double {
    let limit = limited(scale: scale, rotation: rotation, in: viewport).scale
    guard limit != scale else { return limit }
    let octaves = RubberBand(reach: RubberBand.octaves).stretch(log2(scale / limit))
    return min(max(limit * exp2(octaves), Camera.scales.lowerBound), Camera.scales.upperBound)
  }

  /// The scale that fingers ask for when one is shown: `pulled` backwards.
  func asked(scale: Double, rotation: Double, in viewport: Viewport) -> Double {
    let limit = limited(scale: scale, rotation: rotation, in: viewport).scale
    guard limit != scale else { return scale }
    return limit * exp2(RubberBand(reach: RubberBand.octaves).pull(log2(scale / limit)))
  }

  /// The camera that is shown when fingers ask for a centre beyond the limits. Its scale is a scale that is shown.
  func pulled(_ camera: Camera, in viewport: Viewport) -> Camera {
    replacing(camera, in: viewport) { band, way in band.stretch(way) }
  }

  /// The camera whose centre fingers ask for when one is shown: `pulled` backwards.
  func asked(_ camera: Camera, in viewport: Viewport) -> Camera {
    replacing(camera, in: viewport) { band, way in band.pull(way) }
  }

  private func replacing(
    _ camera: Camera, in viewport: Viewport, _ way: (RubberBand, Double) -> Double
  ) -> Camera {
    let limit = limited(center: camera, in: viewport).center
    guard limit != camera.center else { return camera }
    let band = RubberBand(reach: min(viewport.width, viewport.height))
    let unitsPerDip = viewport.unitsPerDip(scale: camera.scale)
    var center = camera.center
    // The limit lies in the extent's own copy of the world.
    if let width = viewport.worldWidth { center = center.unwrapped(near: limit.x, width: width) }
    func moved(_ from: Double, _ to: Double) -> Double {
      from == to ? from : from + way(band, (to - from) / unitsPerDip) * unitsPerDip
    }
    return camera.with(center: Point(x: moved(limit.x, center.x), y: moved(limit.y, center.y)))
  }
}

extension Navigator {
  /// Whether the camera may be beyond its limits now: fingers hold it there, or it springs back.
  var mayBeStretched: Bool { isSpringing || (live.map { $0.session == session?.number && !$0.isIgnored } ?? false) }

  var isSpringing: Bool {
    if case .spring = motion { return true }
    return false
  }

  /// Takes the camera back at once if nothing holds it beyond its limits now.
  func keepLimits(on stage: inout NavigationStage) {
    if !mayBeStretched { stage = withinLimits(stage) }
  }

  /// The start of a movement that replaces a pull or a spring: `keepLimits` takes the camera back, and the movement's
  /// path must not begin where it was.
  func withinLimits(_ stage: NavigationStage) -> NavigationStage {
    guard stage.constraints.isElastic else { return stage }
    var kept = stage
    kept.camera = stage.constraints.clamped(stage.camera, in: stage.viewport).camera
    return kept
  }

  /// Lets a camera that was pulled past its limits spring back; false if it was not.
  mutating func springBack(on stage: NavigationStage) -> Bool {
    guard stage.constraints.isElastic, session != nil else { return false }
    let end = stage.constraints.clamped(stage.camera, in: stage.viewport).camera
    guard end != stage.camera else { return false }
    start(
      .spring(
        Flight(
          from: stage.camera, to: end, in: stage.viewport, worldWidth: nil, flies: false,
          curve: RubberBand.springCurve, duration: RubberBand.springTime)))
    return true
  }
}
