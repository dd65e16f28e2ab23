import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry

/// A graphic that is not drawn and should be.
public struct OverlayFailure: Sendable {
  public let overlayIndex: Int
  public let graphicID: UInt64
  public let reason: OverlayFailureReason
  /// Why a vertex has no image.
  public let pointStatus: PointStatus
  /// The vertex, as it was given; NaN if it is no single one.
  public let vertex: Point
}

/// How many graphics became what. All counts together are all graphics.
public struct OverlayCounts: Sendable, Equatable {
  public var drawn = 0
  public var hidden = 0
  public var outside = 0
  public var unsymbolized = 0
  public var empty = 0
  public var failed = 0
  /// The number of drawn graphics that a ballpark operation projected.
  public var ballpark = 0
}

/// The items to draw for a view's overlays in a frame, in draw order and in screen coordinates. Immutable.
public final class OverlayDrawing: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  /// An overlay of the drawing; its items follow each other.
  public struct Part: Sendable {
    public let overlay: GraphicsOverlay
    public let generation: UInt64
    public let opacity: Double
    public let items: Range<Int>
  }

  /// Whether the drawing shows a feature layer: its one part has no overlay that the host knows.
  public let isOfLayer: Bool
  public let frame: ViewFrame
  public let parts: [Part]
  public let counts: OverlayCounts
  public let failures: [OverlayFailure]
  public let items: OverlayItems
  /// With their final sizes, angles on the screen, and colours.
  public let symbols: [Symbol]

  public override var handleKind: HandleKind { .overlayDrawing }

  /// An overlay on its way into a drawing.
  enum Source {
    case layout(OverlayLayout)
    /// The overlay is not drawn; its graphics are counted all the same.
    case hidden(OverlayMoment)
  }

  init(_ sources: [Source], in frame: ViewFrame, isOfLayer: Bool = false) throws(EngineError) {
    let runtime = frame.map.runtime
    let sizes = sources.map { source in
      if case .layout(let layout) = source { layout.size } else { OverlayItems.Place() }
    }
    let items = try OverlayItems(sizes, runtime.policy)
    var symbols: [Symbol] = []
    var parts: [Part] = []
    var counts = OverlayCounts()
    var failures: [OverlayFailure] = []
    var writer = OverlayItems.Place()
    for (index, source) in sources.enumerated() {
      let (first, moment) = (writer.item, source.moment)
      switch source {
      case .layout(let layout):
        layout.write(to: items, from: &writer, overlay: index, firstSymbol: symbols.count)
        symbols += layout.symbols
        counts.add(layout.counts)
        failures += layout.failures(overlay: index)
      case .hidden: counts.hidden &+= moment.graphicCount
      }
      parts.append(
        Part(
          overlay: moment.overlay, generation: moment.generation, opacity: moment.options.opacity,
          items: first..<writer.item))
    }
    self.frame = frame
    self.isOfLayer = isOfLayer
    self.parts = parts
    self.counts = counts
    self.failures = failures
    self.items = items
    self.symbols = symbols
    super.init(runtime: runtime)
  }
}

extension OverlayDrawing.Source {
  fileprivate var moment: OverlayMoment {
    switch self {
    case .layout(let layout): layout.moment
    case .hidden(let moment): moment
    }
  }
}

extension OverlayCounts {
  mutating func add(_ other: OverlayCounts) {
    drawn &+= other.drawn
    hidden &+= other.hidden
    outside &+= other.outside
    unsymbolized &+= other.unsymbolized
    empty &+= other.empty
    failed &+= other.failed
    ballpark &+= other.ballpark
  }
}
