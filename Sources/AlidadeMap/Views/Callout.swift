import AlidadeBase
import AlidadeCoordinates

/// Options for the layout of a callout; lengths in DIP.
public struct CalloutOptions: Sendable, Equatable {
  /// The offset from the anchor's screen point to the leader's tip, right and down.
  public var offset = Point(x: 0, y: 0)
  /// The size of the box that the host will draw.
  public var width = 0.0
  public var height = 0.0
  /// The distance from the leader's tip to the box.
  public var leaderLength = 0.0
  /// The width of the leader where it meets the box.
  public var leaderWidth = 0.0
  /// The distance that stays free between the box and the insets, on each side.
  public var margin = 0.0
  /// The side that is tried first.
  public var placement = CalloutPlacement.automatic
  /// The offset turns with the map, as if it were given at rotation 0.
  public var rotatesOffsetWithMap = false

  public init() {}
}

/// A text at a point of a view's map. The host draws it where `layout` says.
///
/// It is anchored to a map point, so it follows the view. It keeps the view; the view does not keep it.
public final class Callout: RuntimeObject, @unchecked Sendable {  // right: what changes is under a Lock
  public let view: MapView
  private let state = Lock(State())

  /// How far the leader's tip is above the finger while dragging, in DIP.
  public static let dragLift = 70.0

  struct Content: Sendable {
    /// In the map's spatial reference.
    var anchor: Point
    var isLifted: Bool
    var title: String
    var text: String
  }

  struct State: Sendable {
    /// nil while it is hidden.
    var content: Content?
    var options = CalloutOptions()
    var generation: UInt64 = 0
    var textGeneration: UInt64 = 0

    mutating func show(_ content: Content) {
      let (title, text) = (self.content?.title, self.content?.text)
      if title != content.title || text != content.text { textGeneration &+= 1 }
      self.content = content
      generation &+= 1
    }

    /// Whether it was shown.
    mutating func dismiss() -> Bool {
      guard content != nil else { return false }
      content = nil
      generation &+= 1
      textGeneration &+= 1
      return true
    }
  }

  public init(view: MapView, options: CalloutOptions = CalloutOptions()) throws(EngineError) {
    self.view = view
    super.init(runtime: view.runtime)
    try setOptions(options)
  }

  public override var handleKind: HandleKind { .callout }

  // MARK: Options

  public var options: CalloutOptions { state.withLock { $0.options } }

  public func setOptions(_ options: CalloutOptions) throws(EngineError) {
    try Self.check(options)
    change { $0 = options }
  }

  /// Sets the size of the box and nothing else, once the host has measured the text.
  public func setSize(width: Double, height: Double) throws(EngineError) {
    try Self.checkLength(width, "width")
    try Self.checkLength(height, "height")
    change {
      $0.width = width
      $0.height = height
    }
  }

  private func change(_ body: (inout CalloutOptions) -> Void) {
    state.withLock { state in
      let before = state.options
      body(&state.options)
      if state.options != before { state.generation &+= 1 }
    }
  }

  private static func check(_ options: CalloutOptions) throws(EngineError) {
    for offset in [options.offset.x, options.offset.y] where !(offset.magnitude <= MapView.largestSize) {
      throw EngineError(.invalidArgument, "The offset \(offset) DIP is not within -1e7 to 1e7.")
    }
    try checkLength(options.width, "width")
    try checkLength(options.height, "height")
    try checkLength(options.leaderLength, "leader's length")
    try checkLength(options.leaderWidth, "leader's width")
    try checkLength(options.margin, "margin")
  }

  private static func checkLength(_ length: Double, _ name: String) throws(EngineError) {
    guard length >= 0, length <= MapView.largestSize else {
      throw EngineError(.invalidArgument, "The \(name) \(length) DIP is not within 0 to 1e7.")
    }
  }

  // MARK: Showing

  /// Shows the callout at a point.
  ///
  /// - Parameters:
  ///   - reference: the spatial reference of `location`; nil means that of the map.
  ///   - isDragging: the leader's tip is `dragLift` above the point, so that no finger covers it.
  public func show(
    at location: Point, in reference: SpatialReference? = nil, title: String = "", text: String = "",
    isDragging: Bool = false
  ) throws(EngineError) {
    guard location.isFinite else {
      throw EngineError(.invalidArgument, "The location (\(location.x), \(location.y)) is not finite.")
    }
    let anchor = try image(of: location, from: reference)
    state.withLock { $0.show(Content(anchor: anchor, isLifted: isDragging, title: title, text: text)) }
  }

  /// Shows the callout for an element of a result, with the element's text. The result is not kept.
  ///
  /// - Parameter atCenter: anchors the callout at the centre of a cell, or at the point of a geometry that is nearest
  ///   to the identified point. Otherwise it is anchored at the identified point.
  public func show(
    for result: IdentifyResult, element index: Int = 0, atCenter: Bool = false, isDragging: Bool = false
  ) throws(EngineError) {
    guard result.elements.indices.contains(index) else {
      throw EngineError(.notFound, "There is no element \(index); the result has \(result.elements.count), from 0.")
    }
    let element = result.elements[index]
    var place = result.mapPoint
    if atCenter {
      guard let center = element.cell?.center ?? element.evidence?.nearest else {
        throw EngineError(
          .projectionFailed,
          "The element has no centre on the map: its corners cannot all be projected. Anchor it where it was tapped.")
      }
      place = center
    }
    let anchor = try image(of: place, from: result.spatialReference)
    state.withLock { $0.show(Content(anchor: anchor, isLifted: isDragging, title: "", text: element.text)) }
  }

  /// Moves the callout under a finger, lifted.
  ///
  /// - Parameter result: the result under the finger. The callout shows the text of its topmost element, and is
  ///   dismissed if there is no element. nil means that the result is not known yet: a shown callout keeps its text,
  ///   and a hidden one stays hidden.
  public func drag(to screen: Point, _ result: IdentifyResult? = nil) throws(EngineError) -> CalloutAction {
    guard screen.isFinite else {
      throw EngineError(.invalidArgument, "The screen point (\(screen.x), \(screen.y)) is not finite.")
    }
    let anchor = try view.frame().mapPoint(screen)
    if let result {
      guard let element = result.elements.first else { return dismissed() }
      return shown(Content(anchor: anchor, isLifted: true, title: "", text: element.text))
    }
    return state.withLock { state in
      guard var content = state.content else { return .unchanged }
      content.anchor = anchor
      content.isLifted = true
      state.show(content)
      return .shownAgain
    }
  }

  /// Handles a tap. If it hit something, the callout shows the topmost element at the tapped point. If it hit nothing,
  /// the callout disappears.
  public func handleTap(_ result: IdentifyResult) throws(EngineError) -> CalloutAction {
    guard let element = result.elements.first else { return dismissed() }
    let anchor = try image(of: result.mapPoint, from: result.spatialReference)
    return shown(Content(anchor: anchor, isLifted: false, title: "", text: element.text))
  }

  /// Hides the callout. Does nothing if it is hidden.
  public func dismiss() { _ = dismissed() }

  private func shown(_ content: Content) -> CalloutAction {
    state.withLock { state in
      let wasShown = state.content != nil
      state.show(content)
      return wasShown ? .shownAgain : .shown
    }
  }

  private func dismissed() -> CalloutAction {
    state.withLock { $0.dismiss() ? .dismissed : .unchanged }
  }

  /// A point in the map's spatial reference.
  private func image(of place: Point, from reference: SpatialReference?) throws(EngineError) -> Point {
    let target = try view.map.requireSpatialReference()
    guard let reference, reference !== target else { return place }
    guard let image = try Projector.between(reference, target).project(place) else {
      throw EngineError(
        .projectionFailed,
        "The point (\(place.x), \(place.y)) cannot be projected from \(reference.name) to \(target.name).")
    }
    return image
  }

  // MARK: Reading

  /// The title; empty while the callout is hidden.
  public var title: String { state.withLock { $0.content?.title ?? "" } }

  /// The text; empty while the callout is hidden.
  public var text: String { state.withLock { $0.content?.text ?? "" } }

  /// Where to draw the callout in the current state of the view.
  public func layout() throws(EngineError) -> CalloutLayout {
    let now = state.withLock { $0 }
    let frame = try view.frame()
    return CalloutLayout(now, in: frame, clearOf: view.magnifierBox(in: frame))
  }
}
