import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry

/// How a graphic is drawn; lengths in DIP.
public struct Symbol: Sendable, Equatable {
  public var kind = SymbolKind.none
  public var markerStyle = MarkerStyle.circle
  public var fillStyle = FillStyle.solid
  /// The style of a line, or of the outline of a fill or a marker.
  public var lineStyle = LineStyle.solid
  /// The colour of a marker or a fill. The strokes of a cross or an X have this colour.
  public var color = RGBA.clear
  /// The colour of a line or an outline.
  public var lineColor = RGBA.clear
  /// The size of a marker.
  public var size = 0.0
  /// The angle of a marker, degrees clockwise.
  public var angle = 0.0
  /// The offset of the marker's centre from the point, right and down.
  public var offset = Point(x: 0, y: 0)
  /// The width of a line or an outline; 0 means no line.
  public var lineWidth = 0.0
  /// `angle` is clockwise from the map's north. If false, from the top of the screen.
  public var rotatesWithMap = false

  public init() {}

  public static let largestSize = 1e7

  /// Throws if a number is out of its range.
  public func check() throws(EngineError) {
    guard size >= 0, size <= Self.largestSize else {
      throw EngineError(.invalidArgument, "The symbol's size \(size) DIP is not within 0 to 1e7.")
    }
    guard lineWidth >= 0, lineWidth <= Self.largestSize else {
      throw EngineError(.invalidArgument, "The symbol's line width \(lineWidth) DIP is not within 0 to 1e7.")
    }
    guard angle.isFinite else { throw EngineError(.invalidArgument, "The symbol's angle \(angle) is not finite.") }
    for offset in [offset.x, offset.y] where !(offset.magnitude <= Self.largestSize) {
      throw EngineError(.invalidArgument, "The symbol's offset \(offset) DIP is not within -1e7 to 1e7.")
    }
  }
}

extension RGBA {
  static let clear = RGBA(red: 0, green: 0, blue: 0, alpha: 0)
}

extension Symbol: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    for color in [color, lineColor] {
      hasher.combine(color.red)
      hasher.combine(color.green)
      hasher.combine(color.blue)
    }
    hasher.combine(size)
    hasher.combine(lineWidth)
    hasher.combine(angle)
  }
}

// MARK: On the screen

/// What decides how large a symbol is on the screen, and how it is turned.
struct SymbolScale: Sendable {
  /// What sizes are multiplied by.
  var factor: Double
  /// The view's, in degrees.
  var rotation: Double
}

extension Symbol {
  /// How wide the outline becomes that shows the selection of a fill that has none.
  static let selectionWidth = 2.0

  /// The symbol as it is drawn: with final sizes, and the angle on the screen.
  func resolved(_ scale: SymbolScale) -> Symbol {
    var symbol = self
    symbol.size *= scale.factor
    symbol.lineWidth *= scale.factor
    symbol.offset = Point(x: offset.x * scale.factor, y: offset.y * scale.factor)
    if rotatesWithMap {
      // Where north is up on a map that shows the compass direction r at its top: r degrees to the left.
      symbol.angle = angle - scale.rotation
      symbol.rotatesWithMap = false
    }
    return symbol
  }

  /// The symbol of a selected graphic: markers and lines in the selection's colour, fills with an outline in it.
  func selected(_ color: RGBA) -> Symbol {
    var symbol = self
    switch kind {
    case .none: break
    case .marker:
      symbol.color = color
      symbol.lineColor = color
    case .line: symbol.lineColor = color
    case .fill:
      if lineWidth == 0 || lineStyle == .null {
        symbol.lineWidth = Self.selectionWidth
        symbol.lineStyle = .solid
      }
      symbol.lineColor = color
    }
    return symbol
  }

  /// How far the symbol reaches beyond the geometry at most when its sizes are multiplied by a factor.
  @inline(__always)
  func reach(factor: Double, isSelected: Bool) -> Double {
    switch kind {
    case .none: return 0
    // Half the box's diagonal, and its outline. In any direction: on the map the screen may be turned.
    case .marker:
      let (x, y) = (offset.x, offset.y)
      let away = x == 0 && y == 0 ? 0 : vectorLength(x, y)
      return (size * 0.7072 + away) * factor + max(1, lineWidth * factor)
    // Joins may be pointed.
    case .line: return lineWidth * factor * 2
    case .fill: return max(lineWidth * factor, isSelected ? Self.selectionWidth : 0) * 2
    }
  }

  func draws(_ kind: GeometryKind) -> Bool {
    switch self.kind {
    case .none: false
    case .marker: kind == .point || kind == .multipoint
    case .line: kind == .polyline || kind == .polygon
    case .fill: kind == .polygon
    }
  }
}
