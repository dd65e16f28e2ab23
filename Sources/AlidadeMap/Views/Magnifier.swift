import AlidadeBase
import AlidadeCoordinates

/// How a magnifier stands.
public struct MagnifierStanding: Sendable, Equatable {
  public var isShown = false
  /// Whether the map moves because the finger is near a side of the view.
  public var isPanning = false
  /// Where the finger was said to be; NaN while hidden, as all that follows.
  public var finger = Point.nan
  /// The screen point of the view that is in the magnifier's middle: the finger, kept inside the view.
  public var target = Point.nan
  /// The map point there, in the map's spatial reference.
  public var mapPoint = Point.nan
  /// Where on the view's screen the host draws the magnifier, y down.
  public var box = Envelope(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan)
}

/// A second camera, bound to a view: it shows what lies under a finger, larger.
///
/// It keeps the view, and the view does not know it. A view shows one magnifier at a time.
public final class Magnifier: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  /// The view that is magnified.
  public let boundView: MapView
  /// The content of the magnifier, as a view of its own: every function that reads a view accepts it. While the
  /// magnifier is hidden, these functions throw `notReady`. The view cannot be moved.
  public let view: MapView
  private let lens = Lens()

  public init(of view: MapView, options: MagnifierOptions = MagnifierOptions()) throws(EngineError) {
    try options.check()
    guard view.magnification == nil else {
      throw EngineError(
        .invalidArgument, "The view is a magnifier's. Magnify the view that it magnifies, with a larger factor.")
    }
    lens.options = options
    boundView = view
    self.view = MapView(map: view.map, magnification: (lens, view))
    super.init(runtime: view.runtime)
  }

  deinit { boundView.endMagnifying(with: lens) }

  public override var handleKind: HandleKind { .magnifier }

  public var options: MagnifierOptions { lens.options }

  public func setOptions(_ options: MagnifierOptions) throws(EngineError) {
    try options.check()
    lens.options = options
  }

  /// Throws unless a finger can be there.
  public func check(_ finger: Point) throws(EngineError) { try boundView.check(finger) }

  /// Shows the magnifier at a screen point of the view, or moves it there. Near a side of the view the map begins to
  /// pan, where that is allowed, and goes on while time passes.
  public func show(at finger: Point) throws(EngineError) { try boundView.magnify(with: lens, at: finger) }

  /// Hides the magnifier, and ends its panning.
  public func hide() { boundView.endMagnifying(with: lens) }

  public func standing() throws(EngineError) -> MagnifierStanding {
    guard let finger = boundView.finger(of: lens) else { return MagnifierStanding() }
    let frame = try boundView.frame()
    let place = LensPlace(finger: finger, in: frame, lens.options)
    return MagnifierStanding(
      isShown: true, isPanning: boundView.isDrifting, finger: finger, target: place.target,
      mapPoint: frame.mapPoint(place.target), box: place.box)
  }

  /// The frames of the view and of the magnifier, of one moment.
  public func frames() throws(EngineError) -> (view: ViewFrame, magnifier: ViewFrame) {
    try boundView.frames(through: lens)
  }
}
