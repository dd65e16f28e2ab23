import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeMap
import CAlidade

@_cdecl("ald_view_cell_at") @implementation
public func ald_view_cell_at(
  _ view: ald_view, _ layer: ald_layer, _ screen_dip: ald_point, _ out_cell: UnsafeMutablePointer<ald_cell>?,
  _ out_values: UnsafeMutablePointer<ald_band_value>?, _ value_capacity: Int, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    let layer = try resolveRasterLayer(layer, 2)
    try requireFinite(screen_dip, "screen_dip", 3)
    guard let out_cell else { throw missing("out_cell", 4) }
    let content = try blaming(2) { () throws(EngineError) in try layer.content() }
    let count = content.raster.facts.bands.count
    try requireCapacity(value_capacity, 6)
    guard out_values == nil || value_capacity >= count else {
      throw EngineError(
        .bufferTooSmall, "\(count) values are needed; out_values has room for \(value_capacity).", argument: 6)
    }
    try withUnsafeTemporaryAllocation(of: BandValue.self, capacity: count) { (values) throws(EngineError) in
      let cell = try view.cell(of: layer, content, at: Point(screen_dip), into: values)
      out_cell.pointee = ald_cell(cell)
      if let out_values { for index in 0..<count { out_values[index] = ald_band_value(values[index]) } }
    }
  }
}

@_cdecl("ald_view_identify_layer") @implementation
public func ald_view_identify_layer(
  _ view: ald_view, _ layer: ald_layer, _ screen_dip: ald_point, _ tolerance_dip: Double, _ max_results: UInt32,
  _ options: UnsafePointer<ald_identify_options>?, _ out_result: UnsafeMutablePointer<ald_identify_result>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_result, argument: 7, error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    let layer = try resolveRasterLayer(layer, 2)
    try requireFinite(screen_dip, "screen_dip", 3)
    let choice = try identifyOptions(options, 6, tolerance: tolerance_dip, maxResults: max_results)
    return try view.identify(layer, at: Point(screen_dip), options: choice)
  }
}

@_cdecl("ald_view_identify_layer_async") @implementation
public func ald_view_identify_layer_async(
  _ view: ald_view, _ layer: ald_layer, _ screen_dip: ald_point, _ tolerance_dip: Double, _ max_results: UInt32,
  _ options: UnsafePointer<ald_identify_options>?, _ request_options: UnsafePointer<ald_request_options>?,
  _ out_request: UnsafeMutablePointer<ald_request>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterRequesting(out_request, argument: 8, error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    let layer = try resolveRasterLayer(layer, 2)
    try requireFinite(screen_dip, "screen_dip", 3)
    let choice = try identifyOptions(options, 6, tolerance: tolerance_dip, maxResults: max_results)
    let request = try requestOptions(request_options, 7)
    return try view.identifyRequest(layer, at: Point(screen_dip), options: choice, request: request)
  }
}

@_cdecl("ald_request_take_identify_result") @implementation
public func ald_request_take_identify_result(
  _ request: ald_request, _ out_result: UnsafeMutablePointer<ald_identify_result>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_result, argument: 2, error) { () throws(EngineError) in
    try takeResult(of: request, .identifyLayer, IdentifyResult.self, "an identify result")
  }
}

@_cdecl("ald_identify_result_get_info") @implementation
public func ald_identify_result_get_info(
  _ result: ald_identify_result, _ out_info: UnsafeMutablePointer<ald_identify_result_info>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let result = try resolve(result, 1)
    let out = try requireOut(out_info, "ald_identify_result_info", 2)
    write(
      ald_identify_result_info(
        struct_size: 0, element_count: UInt32(clamping: result.elements.count),
        layer: ald_layer(id: try HandleTable.shared.lend(result.layer)), map_point: ald_point(result.mapPoint)),
      to: out)
  }
}

@_cdecl("ald_identify_result_element") @implementation
public func ald_identify_result_element(
  _ result: ald_identify_result, _ index: UInt32, _ out_element: UnsafeMutablePointer<ald_identify_element>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let result = try resolve(result, 1)
    let position = try elementIndex(index, of: result)
    let out = try requireOut(out_element, "ald_identify_element", 3)
    let element = result.elements[position]
    let texts = ResultTexts.of(result).elements[position]
    let nowhere = Envelope(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan)
    write(
      ald_identify_element(
        struct_size: 0, kind: ald_element_kind(truncatingIfNeeded: ALD_ELEMENT_RASTER_CELL),
        column: element.cell.index.column, row: element.cell.index.row, verdict: element.cell.verdict.rawValue,
        attribute_count: UInt32(clamping: texts.attributeCount), band_count: UInt32(clamping: texts.bandCount),
        has_map_polygon: element.polygon == nil ? 0 : 1, raster_polygon: five(element.rasterPolygon),
        polygon: five(element.polygon), extent: ald_envelope(element.extent ?? nowhere),
        center: ald_point(element.center ?? .nan), values: UnsafePointer(texts.values), text: texts.text),
      to: out)
  }
}

@_cdecl("ald_identify_result_attribute") @implementation
public func ald_identify_result_attribute(
  _ result: ald_identify_result, _ element: UInt32, _ index: UInt32,
  _ out_attribute: UnsafeMutablePointer<ald_attribute>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let result = try resolve(result, 1)
    let position = try elementIndex(element, of: result)
    let attributes = result.elements[position].attributes
    let number = Int(truncatingIfNeeded: index)
    guard number < attributes.count else {
      throw EngineError(
        .notFound, "There is no attribute \(index); the element has \(attributes.count), from 0.", argument: 3)
    }
    let out = try requireOut(out_attribute, "ald_attribute", 4)
    write(attribute(attributes[number], number, ResultTexts.of(result).elements[position]), to: out)
  }
}

@_cdecl("ald_identify_result_attribute_named") @implementation
public func ald_identify_result_attribute_named(
  _ result: ald_identify_result, _ element: UInt32, _ name: UnsafePointer<CChar>?,
  _ out_attribute: UnsafeMutablePointer<ald_attribute>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let result = try resolve(result, 1)
    let position = try elementIndex(element, of: result)
    let wanted = try string(name, "name", 3)
    let out = try requireOut(out_attribute, "ald_attribute", 4)
    let attributes = result.elements[position].attributes
    guard let number = attributes.firstIndex(where: { equalIgnoringASCIICase($0.name, wanted) }) else {
      throw EngineError(.notFound, "The element has no attribute \"\(wanted)\".", argument: 3)
    }
    write(attribute(attributes[number], number, ResultTexts.of(result).elements[position]), to: out)
  }
}

// MARK: Parts

/// How to identify, from C. Tolerance and number of results are the arguments 4 and 5.
private func identifyOptions(
  _ options: UnsafePointer<ald_identify_options>?, _ argument: Int32, tolerance: Double, maxResults: UInt32
) throws(EngineError) -> IdentifyOptions {
  try requireRange(tolerance, 0...Double.greatestFiniteMagnitude, "tolerance_dip", 4)
  var choice = IdentifyOptions()
  choice.tolerance = tolerance
  choice.maxResults = maxResults == 0 ? 1 : Int(truncatingIfNeeded: maxResults)
  guard let options else { return choice }
  let given = try read(options, "ald_identify_options", argument, zero: ald_identify_options())
  let skip = UInt32(truncatingIfNeeded: ALD_IDENTIFY_SKIP_EMPTY_CELLS)
  try requireFlags(given.flags, known: skip, "ald_identify_options.flags", argument)
  choice.skipsEmptyCells = given.flags & skip != 0
  return choice
}

private func elementIndex(_ index: UInt32, of result: IdentifyResult) throws(EngineError) -> Int {
  let position = Int(truncatingIfNeeded: index)
  guard position < result.elements.count else {
    throw EngineError(
      .notFound, "There is no element \(index); the result has \(result.elements.count), from 0.", argument: 2)
  }
  return position
}

private func attribute(_ source: Attribute, _ number: Int, _ texts: ResultTexts.Element) -> ald_attribute {
  var result = ald_attribute()
  result.role = source.role.rawValue
  result.band = source.band
  result.name = texts.name(number)
  result.text = texts.text(number)
  result.real = .nan
  func type(_ value: Int) -> ald_attribute_type { ald_attribute_type(truncatingIfNeeded: value) }
  switch source.value {
  case .null: result.type = type(ALD_ATTRIBUTE_NULL)
  case .integer(let value):
    result.type = type(ALD_ATTRIBUTE_INTEGER)
    result.integer = value
    result.real = Double(value)
  case .unsigned(let value):
    result.type = type(ALD_ATTRIBUTE_UNSIGNED)
    result.unsigned_integer = value
    result.real = Double(value)
  case .real(let value):
    result.type = type(ALD_ATTRIBUTE_REAL)
    result.real = value
  case .complex(let real, let imaginary):
    result.type = type(ALD_ATTRIBUTE_COMPLEX)
    result.real = real
    result.imaginary = imaginary
  case .text: result.type = type(ALD_ATTRIBUTE_TEXT)
  }
  return result
}

/// Whether two names are equal but for the case of ASCII letters.
private func equalIgnoringASCIICase(_ a: String, _ b: String) -> Bool {
  func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte &+ 32 : byte }
  return a.utf8.elementsEqual(b.utf8) { lower($0) == lower($1) }
}
