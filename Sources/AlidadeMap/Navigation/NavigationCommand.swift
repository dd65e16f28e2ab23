import AlidadeBase
import AlidadeCoordinates

/// Everything that moves a view, as a value: what a log holds a line of each.
enum NavigationCommand: Sendable {
  case advance(seconds: Double)
  case touch(TouchPhase, id: UInt64, at: Point, time: Double)
  case gesture(Gesture)
  case wheel(notches: Double, at: Point)
  case key(NavigationKey)
  case animate(to: Camera, Animation)
  /// A magnifier at the view's edge: DIP/s that the map moves, right and down.
  case drift(Point)
  case stop
  case interaction(InteractionOptions)
  // The settings of calls. For the set-up of a view, the log's first lines.
  case camera(Camera)
  case size(width: Double, height: Double, pixelDensity: Double, Insets)
  case constraints(CameraConstraints)
}

// MARK: Writing

extension NavigationCommand {
  /// A word and numbers. Numbers are the shortest that read back as the same.
  var line: String {
    switch self {
    case .advance(let seconds): "advance \(seconds)"
    case .touch(let phase, let id, let point, let time):
      "touch \(phase.rawValue) \(id) \(point.x) \(point.y) \(time)"
    case .gesture(let gesture):
      "gesture \(gesture.kind.rawValue) \(gesture.phase.rawValue) \(gesture.point.x) \(gesture.point.y) "
        + "\(gesture.scaleFactor) \(gesture.rotation) \(gesture.velocity.x) \(gesture.velocity.y)"
    case .wheel(let notches, let point): "wheel \(notches) \(point.x) \(point.y)"
    case .key(let key): "key \(key.rawValue)"
    case .animate(let camera, let animation):
      "animate \(camera.center.x) \(camera.center.y) \(camera.scale) \(camera.rotation) \(animation.curve.rawValue) "
        + "\(animation.flies ? 1 : 0) \(Self.text(animation.duration))"
    case .drift(let velocity): "drift \(velocity.x) \(velocity.y)"
    case .stop: "stop"
    case .interaction(let options):
      "interaction \(options.switches.rawValue) \(options.zoomFactor) \(options.snapThreshold)"
    case .camera(let camera): "camera \(camera.center.x) \(camera.center.y) \(camera.scale) \(camera.rotation)"
    case .size(let width, let height, let density, let insets):
      "size \(width) \(height) \(density) \(insets.top) \(insets.right) \(insets.bottom) \(insets.left)"
    case .constraints(let limits):
      "constraints \(Self.text(limits.minScale)) \(Self.text(limits.maxScale)) \(Self.text(limits.maxExtent?.xMin)) "
        + "\(Self.text(limits.maxExtent?.yMin)) \(Self.text(limits.maxExtent?.xMax)) "
        + "\(Self.text(limits.maxExtent?.yMax)) \(limits.extentRule.rawValue) \(Self.text(limits.lockedRotation))"
        + (limits.isElastic ? " elastic" : "")
    }
  }

  /// "-": none.
  private static func text(_ number: Double?) -> String { number.map { "\($0)" } ?? "-" }
}

// MARK: Reading

extension NavigationCommand {
  /// nil if the line is not valid: an unknown word, or numbers that are missing, too many or of the wrong kind.
  init?(line: Substring) {
    var words = Words(line)
    switch words.next() {
    case "advance": self = .advance(seconds: words.number())
    case "touch":
      guard let phase = TouchPhase(rawValue: words.integer()) else { return nil }
      self = .touch(phase, id: words.id(), at: words.point(), time: words.number())
    case "gesture":
      guard let kind = GestureKind(rawValue: words.integer()), let phase = GesturePhase(rawValue: words.integer())
      else { return nil }
      var gesture = Gesture(kind, phase, at: words.point())
      gesture.scaleFactor = words.number()
      gesture.rotation = words.number()
      gesture.velocity = words.point()
      self = .gesture(gesture)
    case "wheel": self = .wheel(notches: words.number(), at: words.point())
    case "key":
      guard let key = NavigationKey(rawValue: words.integer()) else { return nil }
      self = .key(key)
    case "animate":
      let camera = words.camera()
      var animation = Animation()
      guard let curve = AnimationCurve(rawValue: words.integer()) else { return nil }
      animation.curve = curve
      animation.flies = words.integer() != 0
      animation.duration = words.optionalNumber()
      self = .animate(to: camera, animation)
    case "drift": self = .drift(words.point())
    case "stop": self = .stop
    case "interaction":
      var options = InteractionOptions()
      options.switches = InteractionOptions.Switches(rawValue: UInt32(truncatingIfNeeded: words.id()))
      options.zoomFactor = words.number()
      options.snapThreshold = words.number()
      self = .interaction(options)
    case "camera": self = .camera(words.camera())
    case "size":
      let (width, height, density) = (words.number(), words.number(), words.number())
      let insets = Insets(top: words.number(), right: words.number(), bottom: words.number(), left: words.number())
      self = .size(width: width, height: height, pixelDensity: density, insets)
    case "constraints":
      var limits = CameraConstraints(minScale: words.optionalNumber(), maxScale: words.optionalNumber())
      let box = (words.optionalNumber(), words.optionalNumber(), words.optionalNumber(), words.optionalNumber())
      if let xMin = box.0, let yMin = box.1, let xMax = box.2, let yMax = box.3 {
        limits.maxExtent = Envelope(xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax)
      }
      guard let rule = CameraConstraints.ExtentRule(rawValue: words.integer()) else { return nil }
      limits.extentRule = rule
      limits.lockedRotation = words.optionalNumber()
      limits.isElastic = words.skip("elastic")
      self = .constraints(limits)
    default: return nil
    }
    guard words.areRight else { return nil }
  }

  /// The words of a line, one after the other.
  private struct Words {
    private var rest: Substring
    private var isWrong = false

    init(_ line: Substring) { rest = line }

    /// Whether all that was asked for was there, and nothing more.
    var areRight: Bool { !isWrong && rest.allSatisfy { $0 == " " } }

    mutating func next() -> Substring {
      rest = rest.drop { $0 == " " }
      let word = rest.prefix { $0 != " " }
      rest = rest[word.endIndex...]
      return word
    }

    /// Whether a word came next; it is left out then.
    mutating func skip(_ word: Substring) -> Bool {
      let before = rest
      if next() == word { return true }
      rest = before
      return false
    }

    mutating func number() -> Double {
      if let value = Double(next()), value.isFinite { return value }
      isWrong = true
      return 0
    }

    mutating func optionalNumber() -> Double? {
      let before = rest
      if next() == "-" { return nil }
      rest = before
      return number()
    }

    mutating func integer() -> Int32 {
      if let value = Int32(next(), radix: 10) { return value }
      isWrong = true
      return -1
    }

    mutating func id() -> UInt64 {
      if let value = UInt64(next(), radix: 10) { return value }
      isWrong = true
      return 0
    }

    mutating func point() -> Point { Point(x: number(), y: number()) }

    mutating func camera() -> Camera {
      let (center, scale, rotation) = (point(), number(), number())
      return Camera(center: center, scale: scale, rotation: rotation)
    }
  }
}
