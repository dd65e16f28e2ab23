import AlidadeBase
import AlidadeCoordinates

/// The constraints of a camera. A value.
public struct CameraConstraints: Sendable, Equatable {
  /// The farthest: the largest denominator that is allowed; nil: no limit.
  public var minScale: Double?
  /// The closest: the smallest denominator that is allowed; nil: no limit.
  public var maxScale: Double?
  /// A box in map units that the camera must not leave; nil: none. It has an extent in both directions.
  public var maxExtent: Envelope?
  public var extentRule: ExtentRule
  /// The rotation that the camera keeps; nil: it may turn.
  public var lockedRotation: Double?
  /// Fingers can pull the camera past the limits of scale and extent, with growing resistance; it springs back when they
  /// let go.
  public var isElastic: Bool

  public init(
    minScale: Double? = nil, maxScale: Double? = nil, maxExtent: Envelope? = nil, extentRule: ExtentRule = .visibleArea,
    lockedRotation: Double? = nil, isElastic: Bool = false
  ) {
    self.minScale = minScale
    self.maxScale = maxScale
    self.maxExtent = maxExtent
    self.extentRule = extentRule
    self.lockedRotation = lockedRotation
    self.isElastic = isElastic
  }

  public static let none = CameraConstraints()

  /// Throws unless all limits are valid for a camera.
  public func check() throws(EngineError) {
    for (name, scale) in [("min_scale", minScale), ("max_scale", maxScale)] {
      if let scale, !Camera.scales.contains(scale) {
        throw EngineError(.invalidArgument, "\(name) is 1 : \(scale); it must be within 1 : 1e-6 to 1 : 1e15.")
      }
    }
    if let minScale, let maxScale, minScale < maxScale {
      throw EngineError(
        .invalidArgument,
        "min_scale 1 : \(minScale) is closer than max_scale 1 : \(maxScale). min_scale is the farthest, with the larger "
          + "denominator.")
    }
    if let box = maxExtent {
      guard box.xMin < box.xMax, box.yMin < box.yMax, (box.xMax - box.xMin).isFinite, (box.yMax - box.yMin).isFinite
      else {
        throw EngineError(
          .invalidArgument,
          "The maximum extent \(box.xMin), \(box.yMin) to \(box.xMax), \(box.yMax) has no width or height, or no finite "
            + "one.")
      }
    }
    if let lockedRotation, !lockedRotation.isFinite {
      throw EngineError(.invalidArgument, "The locked rotation \(lockedRotation) is not finite.")
    }
  }
}

extension CameraConstraints {
  /// A camera that keeps to the constraints, and which of them it took.
  ///
  /// The rotation comes first, then the scale, then the centre. Doing it twice changes nothing. Where the constraints
  /// contradict each other (the maximum extent is smaller than what the closest scale shows) the scale's limits win,
  /// and the middle of the extent is in the middle of the view.
  ///
  /// - Parameter screen: the screen point whose map point stays where it is while scale and rotation change; nil: the
  ///   anchor, so that the centre stays.
  public func clamped(
    _ camera: Camera, in viewport: Viewport, about screen: Point? = nil
  ) -> (camera: Camera, clamps: CameraClamps) {
    var clamps: CameraClamps = []
    var rotation = camera.rotation
    if let lockedRotation, Camera.normalised(lockedRotation) != rotation {
      rotation = Camera.normalised(lockedRotation)
      clamps.insert(.rotation)
    }
    let (scale, scaleClamps) = limited(scale: camera.scale, rotation: rotation, in: viewport)
    clamps.formUnion(scaleClamps)
    var result = camera
    if scale != camera.scale || rotation != camera.rotation {
      result = camera.with(scale: scale, rotation: rotation, about: screen ?? viewport.anchor, in: viewport)
      // A finger so far away that the centre would be infinite holds nothing.
      if result.scale != scale {
        result = camera.with(scale: scale, rotation: rotation, about: viewport.anchor, in: viewport)
      }
    }
    let (center, centerClamps) = limited(center: result, in: viewport)
    clamps.formUnion(centerClamps)
    return (result.with(center: center), clamps)
  }

  /// A scale within the limits that hold at a rotation. A gesture about a finger takes this first, and zooms then.
  public func limited(
    scale: Double, rotation: Double, in viewport: Viewport
  ) -> (scale: Double, clamps: CameraClamps) {
    var clamps: CameraClamps = []
    var result = scale
    func keep(_ limited: Double, _ clamp: CameraClamps) {
      if limited != result { clamps.insert(clamp) }
      result = limited
    }
    keep(min(max(result, Camera.scales.lowerBound), Camera.scales.upperBound), .range)
    if let largest = largestScale(rotation: rotation, in: viewport) { keep(min(result, largest), .extentScale) }
    if let minScale { keep(min(result, minScale), .minScale) }
    // The closest comes last: a view has to show something.
    if let maxScale { keep(max(result, maxScale), .maxScale) }
    return (result, clamps)
  }

  /// The scale at which the view, with its corners, just fits into the maximum extent; nil if nothing has to fit.
  private func largestScale(rotation: Double, in viewport: Viewport) -> Double? {
    guard let maxExtent, extentRule == .visibleArea else { return nil }
    let (sine, cosine) = sineAndCosine(degrees: rotation)
    let width = viewport.width * cosine.magnitude + viewport.height * sine.magnitude
    let height = viewport.width * sine.magnitude + viewport.height * cosine.magnitude
    var unitsPerDip = (maxExtent.yMax - maxExtent.yMin) / height
    // All the way round the world there is no end in x.
    if !goesAround(maxExtent, viewport) { unitsPerDip = min(unitsPerDip, (maxExtent.xMax - maxExtent.xMin) / width) }
    let scale = viewport.scale(unitsPerDip: unitsPerDip)
    return scale.isNaN ? nil : max(scale, Camera.scales.lowerBound)
  }

  /// Whether the extent holds the whole way round a world that repeats itself.
  private func goesAround(_ extent: Envelope, _ viewport: Viewport) -> Bool {
    viewport.worldWidth.map { extent.isAround($0) } ?? false
  }

  func limited(center camera: Camera, in viewport: Viewport) -> (center: Point, clamps: CameraClamps) {
    guard let maxExtent else { return (camera.center, []) }
    let ways = cornerWays(camera, in: viewport)
    var center = camera.center
    var clamps: CameraClamps = []
    if !goesAround(maxExtent, viewport) {
      var x = center.x
      if let width = viewport.worldWidth {
        // A point in another copy of the world is in the extent as well.
        x = center.unwrapped(near: Self.middle(of: maxExtent, ways), width: width).x
      }
      let limited = Self.limited(x, maxExtent.xMin - ways.xMin, maxExtent.xMax - ways.xMax)
      if limited != x { clamps.insert(.extentX) }
      center.x = limited
    }
    let limited = Self.limited(center.y, maxExtent.yMin - ways.yMin, maxExtent.yMax - ways.yMax)
    if limited != center.y { clamps.insert(.extentY) }
    center.y = limited
    return (center, clamps)
  }

  /// The middle, in x, of where a centre may be: half a world from it another copy of the extent is as near.
  static func middle(of extent: Envelope, _ ways: Envelope) -> Double {
    (extent.xMin - ways.xMin) / 2 + (extent.xMax - ways.xMax) / 2
  }

  /// From the centre to what must stay inside: the box of the view's corners, or the centre itself.
  func cornerWays(_ camera: Camera, in viewport: Viewport) -> Envelope {
    let nothing = Envelope(xMin: 0, yMin: 0, xMax: 0, yMax: 0)
    guard extentRule == .visibleArea else { return nothing }
    let transform = camera.transform(in: viewport)
    let ways = viewport.corners.map {
      transform.mapOffset(dx: $0.x - transform.anchor.x, dy: $0.y - transform.anchor.y)
    }
    return Envelope(around: ways) ?? nothing
  }

  /// The nearest number in a range; its middle if there is none in it.
  private static func limited(_ value: Double, _ low: Double, _ high: Double) -> Double {
    if low > high { return low / 2 + high / 2 }
    return min(max(value, low), high)
  }
}
