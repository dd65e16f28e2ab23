import AlidadeBase
import AlidadeCoordinates

/// How a magnifier shows a point; lengths in DIP.
public struct MagnifierOptions: Sendable, Equatable {
  /// How many times as large things are as in the view.
  public var factor = 2.0
  /// The size of the magnifier's own screen.
  public var width = 120.0
  public var height = 120.0
  /// The distance from the finger to the magnifier's box.
  public var lift = 40.0
  /// A finger that is nearer than this to a side of what the insets leave free of the view pans the map.
  public var edge = 40.0
  /// DIP/s with which it does so at the side itself; less farther in.
  public var panSpeed = 400.0

  public init() {}

  public static let factors = 1.0...1000.0
  public static let largestLength = 1e4

  /// Throws unless all numbers are valid for a magnifier.
  public func check() throws(EngineError) {
    guard Self.factors.contains(factor) else {
      throw EngineError(.invalidArgument, "The factor \(factor) is not within 1 to 1000.")
    }
    for (name, length) in [("width", width), ("height", height), ("edge", edge), ("pan speed", panSpeed)] {
      guard length > 0, length <= Self.largestLength else {
        throw EngineError(.invalidArgument, "The \(name) \(length) DIP is not more than 0 and at most 1e4.")
      }
    }
    guard lift >= 0, lift <= Self.largestLength else {
      throw EngineError(.invalidArgument, "The lift \(lift) DIP is not within 0 to 1e4.")
    }
  }
}

/// What a magnifier's view looks through at another view. It knows neither of the two.
final class Lens: Sendable {
  private let state = Lock(State())

  private struct State {
    var options = MagnifierOptions()
    var generation: UInt64 = 0
    /// The last frame, and what it was made of.
    var made: (frame: ViewFrame, base: ViewFrame, target: Point, options: MagnifierOptions)?
  }

  var options: MagnifierOptions {
    get { state.withLock { $0.options } }
    set { state.withLock { $0.options = newValue } }
  }

  /// What the lens shows of a view: its camera is nearer by the factor, and looks at what lies under a screen point.
  func frame(of base: ViewFrame, at target: Point) throws(EngineError) -> ViewFrame {
    let center = base.mapPoint(target)
    guard center.isFinite else {
      throw EngineError(.notReady, "The centre of the magnifier has no finite map point.")
    }
    return state.withLock { state in
      let options = state.options
      if let made = state.made, made.base === base, made.target == target, made.options == options { return made.frame }
      let scale = min(max(base.scale / options.factor, Camera.scales.lowerBound), Camera.scales.upperBound)
      let viewport = Viewport(
        width: options.width, height: options.height, metresPerUnit: base.viewport.metresPerUnit,
        worldWidth: base.viewport.worldWidth)
      state.generation &+= 1
      let frame = ViewFrame(
        map: base.map, spatialReference: base.spatialReference,
        camera: Camera(center: center, scale: scale, rotation: base.rotation), viewport: viewport,
        pixelDensity: base.pixelDensity, generation: state.generation)
      state.made = (frame, base, target, options)
      return frame
    }
  }
}

/// Where a magnifier is on the screen of the view that it magnifies.
struct LensPlace {
  /// What the magnifier shows in its middle: the finger, kept inside the view.
  let target: Point
  /// Where the host draws the magnifier, y down.
  let box: Envelope
  /// The drift of the map, DIP/s, right and down, while the finger is near a side; (0, 0) elsewhere.
  let drift: Point

  init(finger: Point, in frame: ViewFrame, _ options: MagnifierOptions) {
    target = Point(x: min(max(finger.x, 0), frame.width), y: min(max(finger.y, 0), frame.height))
    let room = frame.room(margin: 0)
    box = Self.box(target, in: room, options)
    // The view goes where the finger is, so the map goes the other way.
    drift = Point(
      x: Self.speed(target.x, from: room.xMin, to: room.xMax, options),
      y: Self.speed(target.y, from: room.yMin, to: room.yMax, options))
  }

  /// Above the finger, or below it without enough space above; inside the free area as far as it fits.
  private static func box(_ target: Point, in room: Envelope, _ options: MagnifierOptions) -> Envelope {
    let above = target.y - options.lift - options.height
    let below = target.y + options.lift
    let isBelow = above < room.yMin && below + options.height <= room.yMax
    let left = kept(target.x - options.width / 2, length: options.width, from: room.xMin, to: room.xMax)
    let top = kept(isBelow ? below : above, length: options.height, from: room.yMin, to: room.yMax)
    return Envelope(xMin: left, yMin: top, xMax: left + options.width, yMax: top + options.height)
  }

  private static func kept(_ start: Double, length: Double, from low: Double, to high: Double) -> Double {
    max(low, min(start, high - length))
  }

  private static func speed(_ place: Double, from low: Double, to high: Double, _ options: MagnifierOptions) -> Double {
    func depth(_ distance: Double) -> Double { min(max((options.edge - distance) / options.edge, 0), 1) }
    return (depth(place - low) - depth(high - place)) * options.panSpeed
  }
}
