import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry
import Synchronization

/// How an overlay is shown and edited.
public struct GraphicsOverlayOptions: Sendable, Equatable {
  public var isHidden = false
  /// The opacity of the overlay as a whole.
  public var opacity = 1.0
  /// The farthest scale at which the overlay is drawn; 0: no limit.
  public var minScale = 0.0
  /// The closest scale at which the overlay is drawn; 0 means no limit.
  public var maxScale = 0.0
  /// Symbols have their given size at the map's reference scale, if the map has one.
  public var scalesSymbols = false
  public var selectionColor = RGBA(red: 0, green: 255, blue: 255, alpha: 255)
  /// The number of edits that are kept for undo; 0 keeps none.
  public var undoLimit = EditHistory.defaultLimit

  public init() {}

  func check() throws(EngineError) {
    guard opacity >= 0, opacity <= 1 else {
      throw EngineError(.invalidArgument, "The opacity \(opacity) is not within 0 to 1.")
    }
    for scale in [minScale, maxScale] where scale != 0 && !MapView.scales.contains(scale) {
      throw EngineError(.invalidArgument, "The scale 1 : \(scale) is not within 1 : 1e-6 to 1 : 1e15.")
    }
    guard undoLimit >= 0, undoLimit <= EditHistory.largestLimit else {
      throw EngineError(.invalidArgument, "\(undoLimit) edits cannot be kept for undo; at most 10,000 can.")
    }
  }

  /// Whether the overlay is drawn at a scale; both limits are still within.
  func isShown(at scale: Double) -> Bool { !isHidden && isInRange(scale) }

  func isInRange(_ scale: Double) -> Bool { ScaleRange(minScale: minScale, maxScale: maxScale).contains(scale) }
}

/// Graphics that a host draws over a map.
public final class GraphicsOverlay: RuntimeObject, @unchecked Sendable {  // right: what changes is under a Lock
  let state: Lock<State>

  /// How many graphics an overlay may have.
  public static let graphicLimit = 16_777_216

  struct State: Sendable {
    var options: GraphicsOverlayOptions
    var name = ""
    var renderer: GraphicsRenderer?
    var popup: PopupDefinition?
    var graphics = GraphicList()
    var names = AttributeNameTable()
    var selection: Set<UInt64> = []
    var history = EditHistory()
    var nextID: UInt64 = 1
    /// Goes up with every change.
    var generation: UInt64 = 0
    /// Goes up with every change of the renderer.
    var rendererGeneration: UInt64 = 0
    /// Which graphics have changed, or their selection.
    var log = ChangeLog()
    /// Identity of the view that has the overlay; 0: none.
    var viewIdentity: UInt64 = 0
  }

  /// No two overlays of a process have the same.
  let identity: UInt64
  private static let lastIdentity = Atomic<UInt64>(0)

  public init(
    runtime: Runtime, options: GraphicsOverlayOptions = GraphicsOverlayOptions()
  ) throws(EngineError) {
    try options.check()
    state = Lock(State(options: options))
    identity = Self.lastIdentity.add(1, ordering: .relaxed).newValue
    super.init(runtime: runtime)
    let byteLimit = Int(clamping: runtime.policy.maxRequestBytes)
    state.withLock { state in
      state.history.limit = options.undoLimit
      state.history.byteLimit = byteLimit
    }
  }

  public override var handleKind: HandleKind { .graphicsOverlay }

  // MARK: How it is shown

  public var options: GraphicsOverlayOptions { state.withLock { $0.options } }

  public func setOptions(_ options: GraphicsOverlayOptions) throws(EngineError) {
    try options.check()
    // What is forgotten ends after the lock is free, here and below.
    let forgotten = state.withLock { state -> [EditStep] in
      if options != state.options { state.generation &+= 1 }
      state.options = options
      state.history.limit = options.undoLimit
      return state.history.trim()
    }
    _ = forgotten
  }

  public var name: String {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }

  public var renderer: GraphicsRenderer? { state.withLock { $0.renderer } }

  /// - Parameter renderer: nil: graphics without a symbol of their own are not drawn.
  public func setRenderer(_ renderer: GraphicsRenderer?) {
    state.withLock {
      $0.renderer = renderer
      $0.rendererGeneration &+= 1
      $0.generation &+= 1
    }
  }

  /// How the graphics read in popups; nil: they have none.
  public var popup: PopupDefinition? {
    get { state.withLock { $0.popup } }
    set {
      state.withLock {
        $0.popup = newValue
        $0.generation &+= 1
      }
    }
  }

  // MARK: Facts

  public struct Facts: Sendable {
    public let options: GraphicsOverlayOptions
    public let generation: UInt64
    public let graphicCount: Int
    public let selectedCount: Int
    public let undoCount: Int
    public let redoCount: Int
  }

  /// The facts about the overlay at one moment.
  public var facts: Facts {
    state.withLock { state in
      Facts(
        options: state.options, generation: state.generation, graphicCount: state.graphics.count,
        selectedCount: state.selection.count, undoCount: state.history.undoable.count,
        redoCount: state.history.redoable.count)
    }
  }

  /// The ids of the graphics in draw order.
  public func graphicIDs(selectedOnly: Bool = false) -> [UInt64] {
    let (graphics, selection) = state.withLock { ($0.graphics, $0.selection) }
    let ids = graphics.inDrawOrder.map(\.id)
    return selectedOnly ? ids.filter(selection.contains) : ids
  }

  public func facts(of id: UInt64) throws(EngineError) -> GraphicFacts {
    let (graphic, isSelected) = state.withLock { ($0.graphics[id], $0.selection.contains(id)) }
    guard let graphic else { throw Self.noGraphic(id) }
    return GraphicFacts(
      id: id, zIndex: graphic.zIndex, isHidden: graphic.isHidden, isSelected: isSelected,
      symbol: graphic.symbol?.symbol, attributeCount: graphic.attributes.count)
  }

  /// The geometry of a graphic, as it was given.
  public func geometry(of id: UInt64) throws(EngineError) -> Geometry {
    guard let graphic = state.withLock({ $0.graphics[id] }) else { throw Self.noGraphic(id) }
    return try graphic.columns.geometry(graphic.row, runtime: runtime)
  }

  /// The graphics of this moment, by rising ids.
  var graphicsNow: [Graphic] { state.withLock { $0.graphics.graphics } }

  /// The names of all attributes, by their numbers.
  var attributeNames: [String] { state.withLock { $0.names.names } }

  /// The names of a graphic's attributes that are not null.
  public func attributeNames(of id: UInt64) throws(EngineError) -> [String] {
    let (graphic, names) = state.withLock { ($0.graphics[id], $0.names) }
    guard let graphic else { throw Self.noGraphic(id) }
    return graphic.attributes.map { names.names[Int(truncatingIfNeeded: $0.name)] }
  }

  /// The value of an attribute of a graphic; null if the graphic does not have the attribute.
  public func value(_ name: String, of id: UInt64) throws(EngineError) -> GraphicValue {
    let (graphic, number) = state.withLock { ($0.graphics[id], $0.names.number(name)) }
    guard let graphic else { throw Self.noGraphic(id) }
    return graphic.value(number)
  }

  static func noGraphic(_ id: UInt64) -> EngineError {
    EngineError(.notFound, "There is no graphic \(id) in the overlay: it was never there, or has been removed.")
  }

  // MARK: The view

  /// Joins a view; false if the overlay is in one already.
  func join(_ viewIdentity: UInt64) -> Bool {
    state.withLock { state in
      guard state.viewIdentity == 0 else { return false }
      state.viewIdentity = viewIdentity
      return true
    }
  }

  func leave() { state.withLock { $0.viewIdentity = 0 } }
}
