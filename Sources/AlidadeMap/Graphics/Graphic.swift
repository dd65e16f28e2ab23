import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// A symbol that many graphics may share.
final class SharedSymbol: Sendable {
  let symbol: Symbol
  init(_ symbol: Symbol) { self.symbol = symbol }
}

/// A graphic as an overlay keeps it. It never changes: an edit replaces it, and undo restores the old one.
///
/// Right to share: all fields are constant but `image`, which is touched with the overlay's lock held and only then.
final class Graphic: @unchecked Sendable {
  let id: UInt64
  let columns: GeometryColumns
  let row: Int
  let zIndex: Int32
  let isHidden: Bool
  /// nil: the renderer's.
  let symbol: SharedSymbol?
  /// In the order of their names' numbers; none is null.
  let attributes: [GraphicAttribute]
  /// In the spatial reference that it was drawn in last; nil: not known yet.
  var image: GraphicImage?

  init(
    id: UInt64, columns: GeometryColumns, row: Int, zIndex: Int32, isHidden: Bool, symbol: SharedSymbol?,
    attributes: [GraphicAttribute], image: GraphicImage? = nil
  ) {
    self.id = id
    self.columns = columns
    self.row = row
    self.zIndex = zIndex
    self.isHidden = isHidden
    self.symbol = symbol
    self.attributes = attributes
    self.image = image
  }

  func value(_ name: Int32?) -> GraphicValue {
    guard let name else { return .null }
    return attributes.first { $0.name == name }?.value ?? .null
  }
}

/// The properties of a graphic, for the host.
public struct GraphicFacts: Sendable {
  public let id: UInt64
  public let zIndex: Int32
  public let isHidden: Bool
  public let isSelected: Bool
  /// nil: the renderer's.
  public let symbol: Symbol?
  /// The number of attributes that are not null.
  public let attributeCount: Int
}

/// Properties of many graphics in addition to their geometries; nil means the default, or no change.
public struct GraphicColumns: Sendable {
  /// An attribute of many graphics.
  public struct Attribute: Sendable {
    public var name: String
    /// A value for each graphic.
    public var values: [GraphicValue]

    public init(name: String, values: [GraphicValue]) {
      self.name = name
      self.values = values
    }
  }

  public let count: Int
  public var zIndexes: [Int32]?
  public var isHidden: [Bool]?
  /// For each graphic the index of its own symbol in `symbols`; nil for a graphic without a symbol of its own.
  public var symbolIndexes: [Int?]?
  public var symbols: [Symbol] = []
  public var attributes: [Attribute] = []

  public static let attributeLimit = 1000

  public init(count: Int) { self.count = count }

  /// Nothing is named that a graphic could change by.
  var saysNothing: Bool { zIndexes == nil && isHidden == nil && symbolIndexes == nil && attributes.isEmpty }

  /// Throws unless all columns are as long as they should be, and what they hold is right.
  func check() throws(EngineError) {
    for length in [zIndexes?.count, isHidden?.count, symbolIndexes?.count] + attributes.map({ $0.values.count }) {
      guard length == nil || length == count else {
        throw EngineError(.invalidArgument, "A column has \(length ?? 0) values; there are \(count) graphics.")
      }
    }
    for symbol in symbols { try symbol.check() }
    for case let index? in symbolIndexes ?? [] where !symbols.indices.contains(index) {
      throw EngineError(.invalidArgument, "There is no symbol \(index); there are \(symbols.count), from 0.")
    }
    guard attributes.count <= Self.attributeLimit else {
      throw EngineError(
        .invalidArgument, "There are \(attributes.count) attributes; at most 1,000 can be given at once.")
    }
    var names: Set<TextBytes> = []
    for attribute in attributes {
      guard !attribute.name.isEmpty else { throw EngineError(.invalidArgument, "An attribute has an empty name.") }
      guard names.insert(TextBytes(attribute.name)).inserted else {
        throw EngineError(.invalidArgument, "Two attributes have the name \(attribute.name).")
      }
    }
  }
}

/// Columns on their way into graphics: symbols are shared, and names have numbers.
struct GraphicChanges {
  private let columns: GraphicColumns?
  private let symbols: [SharedSymbol]
  /// For each attribute of the columns the number of its name, in rising order.
  private let names: [(number: Int32, attribute: Int)]

  init(_ columns: GraphicColumns?, _ table: inout AttributeNameTable) throws(EngineError) {
    self.columns = columns
    symbols = columns?.symbols.map(SharedSymbol.init) ?? []
    var names: [(number: Int32, attribute: Int)] = []
    for (index, attribute) in (columns?.attributes ?? []).enumerated() {
      names.append((try table.intern(attribute.name), index))
    }
    self.names = names.sorted { $0.number < $1.number }
  }

  /// A graphic that is new.
  func graphic(_ index: Int, id: UInt64, _ geometry: GeometryColumns, _ row: Int) -> Graphic {
    Graphic(
      id: id, columns: geometry, row: row, zIndex: columns?.zIndexes?[index] ?? 0,
      isHidden: columns?.isHidden?[index] ?? false, symbol: symbol(index, nil), attributes: attributes(index, []))
  }

  /// What becomes of a graphic.
  func changed(_ graphic: Graphic, _ index: Int, geometry: GeometryColumns?) -> Graphic {
    Graphic(
      id: graphic.id, columns: geometry ?? graphic.columns, row: geometry == nil ? graphic.row : index,
      zIndex: columns?.zIndexes?[index] ?? graphic.zIndex, isHidden: columns?.isHidden?[index] ?? graphic.isHidden,
      symbol: symbol(index, graphic.symbol), attributes: attributes(index, graphic.attributes),
      image: geometry == nil ? graphic.image : nil)
  }

  private func symbol(_ index: Int, _ before: SharedSymbol?) -> SharedSymbol? {
    guard let indexes = columns?.symbolIndexes else { return before }
    return indexes[index].map { symbols[$0] }
  }

  /// Both are in the order of the names' numbers, and so is what comes out.
  private func attributes(_ index: Int, _ before: [GraphicAttribute]) -> [GraphicAttribute] {
    guard let columns, !names.isEmpty else { return before }
    var merged: [GraphicAttribute] = []
    merged.reserveCapacity(before.count &+ names.count)
    var rest = before[...]
    for (number, attribute) in names {
      while let next = rest.first, next.name < number { merged.append(rest.removeFirst()) }
      if rest.first?.name == number { rest = rest.dropFirst() }
      let value = columns.attributes[attribute].values[index]
      if value != .null { merged.append(GraphicAttribute(name: number, value: value)) }
    }
    return merged + rest
  }
}
