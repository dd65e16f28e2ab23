import AlidadeBase
import AlidadeMap
import CAlidade

// What is said of many graphics, from C.

/// - Parameter count: how many graphics there are; the columns must be for as many, before any is read.
func graphicColumns(
  _ pointer: UnsafePointer<ald_graphic_columns>?, for count: Int, _ policy: Policy, _ argument: Int32
) throws(EngineError) -> GraphicColumns? {
  guard let pointer else { return nil }
  let name = "ald_graphic_columns"
  let given = try read(pointer, name, argument, zero: ald_graphic_columns())
  guard Int(truncatingIfNeeded: given.graphic_count) == count else {
    throw EngineError(
      .invalidArgument, "\(name).graphic_count is \(given.graphic_count); there are \(count) graphics.",
      argument: argument)
  }
  guard given.attribute_count <= 1000 else {
    throw EngineError(
      .invalidArgument, "\(name).attribute_count is \(given.attribute_count); 1,000 is the most.", argument: argument)
  }
  try blaming(argument) { () throws(EngineError) in
    try policy.check(points: Int(truncatingIfNeeded: given.symbol_count))
    try policy.check(
      bytes: count, MemoryLayout<GraphicValue>.stride, Int(truncatingIfNeeded: given.attribute_count) &+ 1)
  }
  var columns = GraphicColumns(count: count)
  columns.zIndexes = given.z_indexes.map { loaded($0, count) }
  if let flags = given.graphic_flags { columns.isHidden = try hidden(flags, count, name, argument) }
  columns.symbols = try symbols(given.symbols, given.symbol_count, "\(name).symbols", argument)
  if let indexes = given.symbol_indexes {
    columns.symbolIndexes = loaded(indexes, count).map { $0 == .max ? nil : Int(truncatingIfNeeded: $0) }
  }
  if given.attribute_count > 0 {
    guard let attributes = given.attributes else { throw missing("\(name).attributes", argument) }
    for index in 0..<Int(truncatingIfNeeded: given.attribute_count) {
      let attribute = UnsafeRawPointer(attributes + index).loadUnaligned(as: ald_graphic_attributes.self)
      columns.attributes.append(try column(attribute, count, "\(name).attributes[\(index)]", argument))
    }
  }
  return columns
}

/// Numbers at any address.
private func loaded<Number: BitwiseCopyable>(_ pointer: UnsafePointer<Number>, _ count: Int) -> [Number] {
  (0..<count).map { UnsafeRawPointer(pointer + $0).loadUnaligned(as: Number.self) }
}

/// The same for numbers that must be there.
private func numbers<Number: BitwiseCopyable>(
  _ pointer: UnsafePointer<Number>?, _ count: Int, _ name: String, _ argument: Int32
) throws(EngineError) -> [Number] {
  guard count > 0 else { return [] }
  guard let pointer else { throw missing(name, argument) }
  return loaded(pointer, count)
}

private func hidden(
  _ flags: UnsafePointer<UInt8>, _ count: Int, _ name: String, _ argument: Int32
) throws(EngineError) -> [Bool] {
  let hidden = UInt8(truncatingIfNeeded: ALD_GRAPHIC_HIDDEN)
  var bits: [Bool] = []
  bits.reserveCapacity(count)
  for index in 0..<count {
    guard flags[index] & ~hidden == 0 else {
      throw EngineError(
        .invalidArgument, "\(name).graphic_flags[\(index)] is \(flags[index]), which has unknown bits.",
        argument: argument)
    }
    bits.append(flags[index] != 0)
  }
  return bits
}

private func column(
  _ given: ald_graphic_attributes, _ count: Int, _ name: String, _ argument: Int32
) throws(EngineError) -> GraphicColumns.Attribute {
  try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
  var values: [GraphicValue] = []
  values.reserveCapacity(count)
  switch Int(truncatingIfNeeded: given.type) {
  case ALD_GRAPHIC_NULL: values = [GraphicValue](repeating: .null, count: count)
  case ALD_GRAPHIC_INTEGER:
    values = try numbers(given.integers, count, "\(name).integers", argument).map(GraphicValue.integer)
  case ALD_GRAPHIC_REAL:
    values = try numbers(given.reals, count, "\(name).reals", argument).map(GraphicValue.real)
  case ALD_GRAPHIC_TEXT:
    for index in 0..<count {
      guard let texts = given.texts else { throw missing("\(name).texts", argument) }
      let text = try optionalString(texts[index], "\(name).texts[\(index)]", argument)
      values.append(text.map(GraphicValue.text) ?? .null)
    }
  default:
    throw EngineError(.invalidArgument, "\(name).type is \(given.type), which is no type.", argument: argument)
  }
  if let nulls = given.nulls {
    for index in 0..<count where nulls[index] != 0 {
      guard nulls[index] == 1 else {
        throw EngineError(
          .invalidArgument, "\(name).nulls[\(index)] is \(nulls[index]); it must be 0 or 1.", argument: argument)
      }
      values[index] = .null
    }
  }
  return GraphicColumns.Attribute(name: try string(given.name, "\(name).name", argument), values: values)
}
