import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeMap
import CAlidade

// Symbols, from C and to C.

extension RGBA {
  init(_ color: ald_rgba) {
    self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
  }
}

extension Symbol {
  /// A symbol from C. Throws if it is not valid, or a number is out of its range.
  init(_ given: ald_symbol, _ name: String, _ argument: Int32) throws(EngineError) {
    self.init()
    kind = try enumerator(given.kind, "\(name).kind", "ald_symbol_kind", argument)
    markerStyle = try enumerator(given.marker_style, "\(name).marker_style", "ald_marker_style", argument)
    fillStyle = try enumerator(given.fill_style, "\(name).fill_style", "ald_fill_style", argument)
    lineStyle = try enumerator(given.line_style, "\(name).line_style", "ald_line_style", argument)
    try requireFlags(given.flags, known: ALD_SYMBOL_ROTATE_WITH_MAP, "\(name).flags", argument)
    try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
    color = RGBA(given.color)
    lineColor = RGBA(given.line_color)
    size = given.size_dip
    angle = given.angle_deg
    offset = Point(given.offset_dip)
    lineWidth = given.line_width_dip
    rotatesWithMap = given.flags & ALD_SYMBOL_ROTATE_WITH_MAP != 0
    try blaming(argument, try check())
  }
}

extension ald_symbol {
  init(_ symbol: Symbol) {
    self.init(
      kind: symbol.kind.rawValue,
      flags: symbol.rotatesWithMap ? ALD_SYMBOL_ROTATE_WITH_MAP : 0,
      marker_style: symbol.markerStyle.rawValue, fill_style: symbol.fillStyle.rawValue,
      line_style: symbol.lineStyle.rawValue, color: ald_rgba(symbol.color), line_color: ald_rgba(symbol.lineColor),
      reserved: 0, size_dip: symbol.size, angle_deg: symbol.angle, offset_dip: ald_point(symbol.offset),
      line_width_dip: symbol.lineWidth)
  }
}

/// Symbols that come in; the pointer may be NULL if there are none.
func symbols(
  _ pointer: In<ald_symbol>, _ count: UInt32, _ name: String, _ argument: Int32
) throws(EngineError) -> [Symbol] {
  guard count > 0 else { return [] }
  guard let pointer else { throw missing(name, argument) }
  var symbols: [Symbol] = []
  for index in 0..<Int(truncatingIfNeeded: count) {
    let given = UnsafeRawPointer(pointer + index).loadUnaligned(as: ald_symbol.self)
    symbols.append(try Symbol(given, "\(name)[\(index)]", argument))
  }
  return symbols
}

/// Values of attributes that come in.
func graphicValue(_ given: ald_graphic_value, _ name: String, _ argument: Int32) throws(EngineError) -> GraphicValue {
  try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
  switch given.type {
  case ALD_GRAPHIC_VALUE_TYPE_NULL: return .null
  case ALD_GRAPHIC_VALUE_TYPE_INTEGER: return .integer(given.integer)
  case ALD_GRAPHIC_VALUE_TYPE_REAL: return .real(given.real)
  case ALD_GRAPHIC_VALUE_TYPE_TEXT: return .text(try string(given.text, "\(name).text", argument))
  default:
    throw EngineError(.invalidArgument, "\(name).type is \(given.type), which is no type.", argument: argument)
  }
}

extension ald_graphic_value {
  /// A value without its text, which is copied out on its own.
  init(_ value: GraphicValue) {
    self.init()
    switch value {
    case .null: type = ALD_GRAPHIC_VALUE_TYPE_NULL
    case .integer(let number):
      type = ALD_GRAPHIC_VALUE_TYPE_INTEGER
      integer = number
    case .real(let number):
      type = ALD_GRAPHIC_VALUE_TYPE_REAL
      real = number
    case .text: type = ALD_GRAPHIC_VALUE_TYPE_TEXT
    }
  }
}
