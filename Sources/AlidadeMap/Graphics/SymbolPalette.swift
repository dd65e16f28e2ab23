import AlidadeBase

/// The symbols of an overlay's graphics, each once, and who has which.
struct SymbolPalette {
  let symbols: TableColumn<Symbol>
  private let renderer: GraphicsRenderer?
  /// Of the renderer's attributes.
  private var fields: [Int32?]
  /// The numbers of the renderer's symbols; -1: not looked up yet; -2: draws nothing.
  private var ofRenderer: [Int32]
  private var numbers: [Symbol: Int32] = [:]
  /// At least what any of the symbols reaches, but for outlines that have a width of their own.
  private var largest = 0.0
  /// The own symbol that was asked for last: those that are added together share theirs.
  private var last: (symbol: SharedSymbol, number: Int32?)?

  init(_ renderer: GraphicsRenderer?, _ names: AttributeNameTable) throws(EngineError) {
    symbols = try TableColumn()
    self.renderer = renderer
    fields = (renderer?.fields ?? []).map(names.number)
    ofRenderer = [Int32](repeating: -1, count: renderer?.symbolCount ?? 0)
  }

  /// An attribute that the renderer looks at may have come up only now.
  mutating func learn(_ names: AttributeNameTable) { fields = (renderer?.fields ?? []).map(names.number) }

  /// The number of a graphic's symbol; nil if it has none.
  mutating func number(for graphic: Graphic) throws(EngineError) -> Int32? {
    if let shared = graphic.symbol {
      if let last, last.symbol === shared { return last.number }
      let number = try number(of: shared.symbol)
      last = (shared, number)
      return number
    }
    guard let renderer else { return nil }
    let choice = renderer.symbolNumber { graphic.value(fields[$0]) }
    if ofRenderer[choice] == -1 { ofRenderer[choice] = try number(of: renderer.symbol(choice)) ?? -2 }
    return ofRenderer[choice] >= 0 ? ofRenderer[choice] : nil
  }

  private mutating func number(of symbol: Symbol) throws(EngineError) -> Int32? {
    guard symbol.kind != .none else { return nil }
    if let known = numbers[symbol] { return known }
    let number = Int32(truncatingIfNeeded: symbols.count)
    try symbols.append(symbol)
    largest = max(largest, Self.extent(symbol))
    numbers[symbol] = number
    return number
  }

  /// Keeps some of the symbols. Returns the new number of each.
  mutating func keep(_ isKept: [Bool]) throws(EngineError) -> [Int32] {
    var found = [Int32](repeating: -1, count: isKept.count)
    let kept = isKept.indices.filter { isKept[$0] }
    try symbols.keep(kept)
    (numbers, last, largest) = ([:], nil, 0)
    for (number, old) in kept.enumerated() {
      found[old] = Int32(truncatingIfNeeded: number)
      numbers[symbols[number]] = found[old]
      largest = max(largest, Self.extent(symbols[number]))
    }
    for choice in ofRenderer.indices where ofRenderer[choice] >= 0 {
      ofRenderer[choice] = found[Int(truncatingIfNeeded: ofRenderer[choice])]
    }
    return found
  }

  private static func extent(_ symbol: Symbol) -> Double {
    symbol.size + symbol.lineWidth * 2 + vectorLength(symbol.offset.x, symbol.offset.y)
  }

  /// How far any of the symbols reaches at most, sizes being multiplied by a factor.
  func reach(factor: Double) -> Double { largest * factor + Symbol.selectionWidth * 2 }
}
