import AlidadeBase

/// How an overlay chooses symbols for graphics that have none of their own.
public struct GraphicsRenderer: Sendable {
  /// A class of a renderer by unique values.
  public struct UniqueClass: Sendable {
    /// A value for each field.
    public var values: [GraphicValue]
    public var symbol: Symbol

    public init(values: [GraphicValue], symbol: Symbol) {
      self.values = values
      self.symbol = symbol
    }
  }

  /// A class of a renderer by class breaks: what is above the class before, up to its own bound.
  public struct Break: Sendable {
    public var upperBound: Double
    public var symbol: Symbol

    public init(upperBound: Double, symbol: Symbol) {
      self.upperBound = upperBound
      self.symbol = symbol
    }
  }

  public let kind: Kind
  /// The symbol of a simple renderer. For other renderers, the symbol of graphics that no class contains.
  public let symbol: Symbol
  public let fields: [String]
  public let uniqueClasses: [UniqueClass]
  public let breaks: [Break]
  /// The least number that is in the first class.
  public let minimum: Double
  private let classes: [[GraphicKey]: Int]

  public static let fieldLimit = 8
  public static let classLimit = 65_536

  public init(_ symbol: Symbol) throws(EngineError) {
    try self.init(.simple, symbol, fields: [], unique: [], breaks: [], minimum: 0)
  }

  public init(
    fields: [String], classes: [UniqueClass], defaultSymbol: Symbol = Symbol()
  ) throws(EngineError) {
    try self.init(.uniqueValue, defaultSymbol, fields: fields, unique: classes, breaks: [], minimum: 0)
  }

  public init(
    field: String, minimum: Double, breaks: [Break], defaultSymbol: Symbol = Symbol()
  ) throws(EngineError) {
    try self.init(.classBreaks, defaultSymbol, fields: [field], unique: [], breaks: breaks, minimum: minimum)
  }

  private init(
    _ kind: Kind, _ symbol: Symbol, fields: [String], unique: [UniqueClass], breaks: [Break], minimum: Double
  ) throws(EngineError) {
    self.kind = kind
    self.symbol = symbol
    self.fields = fields
    uniqueClasses = unique
    self.breaks = breaks
    self.minimum = minimum
    try symbol.check()
    guard unique.count <= Self.classLimit, breaks.count <= Self.classLimit else {
      throw EngineError(.invalidArgument, "A renderer has at most 65,536 classes.")
    }
    guard kind != .uniqueValue || (1...Self.fieldLimit).contains(fields.count) else {
      throw EngineError(
        .invalidArgument, "A renderer by unique values looks at 1 to 8 attributes, not at \(fields.count).")
    }
    var classes: [[GraphicKey]: Int] = [:]
    for (index, one) in unique.enumerated() {
      guard one.values.count == fields.count else {
        throw EngineError(
          .invalidArgument, "Class \(index) has \(one.values.count) values; there are \(fields.count) attributes.")
      }
      try one.symbol.check()
      let keys = one.values.compactMap(GraphicKey.init)
      // The first of equal classes counts; one with NaN has nothing.
      if keys.count == fields.count, classes[keys] == nil { classes[keys] = index }
    }
    self.classes = classes
    try Self.check(breaks, minimum)
  }

  private static func check(_ breaks: [Break], _ minimum: Double) throws(EngineError) {
    guard minimum.isFinite else { throw EngineError(.invalidArgument, "The minimum \(minimum) is not finite.") }
    for (index, one) in breaks.enumerated() {
      try one.symbol.check()
      let least = index == 0 ? minimum : breaks[index &- 1].upperBound
      guard one.upperBound.isFinite, index == 0 ? one.upperBound >= least : one.upperBound > least else {
        throw EngineError(
          .invalidArgument, "The upper bound \(index) is \(one.upperBound), which does not rise from \(least).")
      }
    }
  }
}

// MARK: Choosing

extension GraphicsRenderer {
  /// The number of symbols: the symbol of graphics that no class contains, and the symbols of the classes.
  var symbolCount: Int { 1 &+ uniqueClasses.count &+ breaks.count }

  /// A symbol; 0 is that of what is in no class, class i has i + 1.
  func symbol(_ number: Int) -> Symbol {
    if number >= 1, number <= uniqueClasses.count { return uniqueClasses[number &- 1].symbol }
    if number >= 1, number <= breaks.count { return breaks[number &- 1].symbol }
    return symbol
  }

  /// How far any of the symbols reaches beyond a geometry at most.
  var reach: Double { (0..<symbolCount).reduce(0) { max($0, symbol($1).reach(factor: 1, isSelected: false)) } }

  /// The number of the symbol for a graphic.
  ///
  /// - Parameter value: of the attribute with this number in `fields`.
  func symbolNumber(_ value: (Int) -> GraphicValue) -> Int {
    switch kind {
    case .simple: return 0
    case .uniqueValue:
      var keys: [GraphicKey] = []
      keys.reserveCapacity(fields.count)
      for field in fields.indices {
        guard let key = GraphicKey(value(field)) else { return 0 }
        keys.append(key)
      }
      return classes[keys].map { $0 &+ 1 } ?? 0
    case .classBreaks:
      let number = value(0)
      guard number.isNumber, !number.isBelow(minimum) else { return 0 }
      // The first class whose upper bound is not below the number.
      var (low, high) = (0, breaks.count)
      while low < high {
        let middle = (low &+ high) / 2
        if number.isAbove(breaks[middle].upperBound) { low = middle &+ 1 } else { high = middle }
      }
      return low < breaks.count ? low &+ 1 : 0
    }
  }
}
