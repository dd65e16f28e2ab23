import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeMap
import CAlidade

@_cdecl("ald_view_read_cell") @implementation
public func ald_view_read_cell(
  _ view: ald_view, _ layer: ald_layer, _ screen_point: ald_point, _ out_cell: Out<ald_cell>,
  _ out_values: Out<ald_band_value>, _ value_capacity: Int, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let layer = try resolveRasterLayer(layer, 2)
    try requireFinite(screen_point, "screen_point", 3)
    guard let out_cell else { throw missing("out_cell", 4) }
    let content = try blaming(2, try layer.content())
    let count = content.raster.facts.bands.count
    try requireRoom(out_values, value_capacity, for: count, "values", "out_values", 6)
    try withUnsafeTemporaryAllocation(of: BandValue.self, capacity: count) { (values) throws(EngineError) in
      let cell = try view.cell(of: layer, content, at: Point(screen_point), into: values)
      out_cell.pointee = ald_cell(cell)
      store(values, to: out_values, ald_band_value.init)
    }
  }
}

@_cdecl("ald_view_identify_layer") @implementation
public func ald_view_identify_layer(
  _ view: ald_view, _ layer: ald_layer, _ screen_point: ald_point, _ tolerance_dip: Double, _ max_results: UInt32,
  _ options: In<ald_identify_options>, _ out_new_result: Out<ald_identify_result>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(view, out_new_result, argument: 7, error) { (view) throws(EngineError) in
    let layer = try resolve(layer, 2, with: view)
    let choice = try identifyOptions(screen_point, tolerance_dip, max_results, options, 3)
    return try view.identify(.layer(layer), at: Point(screen_point), options: choice)
  }
}

@_cdecl("ald_view_identify_layer_async") @implementation
public func ald_view_identify_layer_async(
  _ view: ald_view, _ layer: ald_layer, _ screen_point: ald_point, _ tolerance_dip: Double, _ max_results: UInt32,
  _ options: In<ald_identify_options>, _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>,
  _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(view, out_request, argument: 8, error) { (view) throws(EngineError) in
    let layer = try resolve(layer, 2, with: view)
    let choice = try identifyOptions(screen_point, tolerance_dip, max_results, options, 3)
    let request = try requestOptions(request_options, 7)
    return try view.identifyRequest(.layer(layer), at: Point(screen_point), options: choice, request: request)
  }
}

@_cdecl("ald_view_identify_layers") @implementation
public func ald_view_identify_layers(
  _ view: ald_view, _ screen_point: ald_point, _ tolerance_dip: Double, _ max_results: UInt32,
  _ options: In<ald_identify_options>, _ out_new_result: Out<ald_identify_result>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(view, out_new_result, argument: 6, error) { (view) throws(EngineError) in
    let choice = try identifyOptions(screen_point, tolerance_dip, max_results, options, 2)
    return try view.identify(.layers, at: Point(screen_point), options: choice)
  }
}

@_cdecl("ald_view_identify_layers_async") @implementation
public func ald_view_identify_layers_async(
  _ view: ald_view, _ screen_point: ald_point, _ tolerance_dip: Double, _ max_results: UInt32,
  _ options: In<ald_identify_options>, _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>,
  _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(view, out_request, argument: 7, error) { (view) throws(EngineError) in
    let choice = try identifyOptions(screen_point, tolerance_dip, max_results, options, 2)
    let request = try requestOptions(request_options, 6)
    return try view.identifyRequest(.layers, at: Point(screen_point), options: choice, request: request)
  }
}

@_cdecl("ald_view_identify_graphics_overlay") @implementation
public func ald_view_identify_graphics_overlay(
  _ view: ald_view, _ overlay: ald_graphics_overlay, _ screen_point: ald_point, _ tolerance_dip: Double,
  _ max_results: UInt32, _ options: In<ald_identify_options>, _ out_new_result: Out<ald_identify_result>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(view, out_new_result, argument: 7, error) { (view) throws(EngineError) in
    let overlay = try resolve(overlay, 2, with: view)
    let choice = try identifyOptions(screen_point, tolerance_dip, max_results, options, 3)
    return try view.identify(.overlay(overlay), at: Point(screen_point), options: choice)
  }
}

@_cdecl("ald_view_identify_graphics_overlays") @implementation
public func ald_view_identify_graphics_overlays(
  _ view: ald_view, _ screen_point: ald_point, _ tolerance_dip: Double, _ max_results: UInt32,
  _ options: In<ald_identify_options>, _ out_new_result: Out<ald_identify_result>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(view, out_new_result, argument: 6, error) { (view) throws(EngineError) in
    let choice = try identifyOptions(screen_point, tolerance_dip, max_results, options, 2)
    return try view.identify(.overlays, at: Point(screen_point), options: choice)
  }
}

@_cdecl("ald_view_identify") @implementation
public func ald_view_identify(
  _ view: ald_view, _ screen_point: ald_point, _ tolerance_dip: Double, _ max_results: UInt32,
  _ options: In<ald_identify_options>, _ out_new_result: Out<ald_identify_result>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(view, out_new_result, argument: 6, error) { (view) throws(EngineError) in
    let choice = try identifyOptions(screen_point, tolerance_dip, max_results, options, 2)
    return try view.identify(.everything, at: Point(screen_point), options: choice)
  }
}

@_cdecl("ald_view_identify_async") @implementation
public func ald_view_identify_async(
  _ view: ald_view, _ screen_point: ald_point, _ tolerance_dip: Double, _ max_results: UInt32,
  _ options: In<ald_identify_options>, _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>,
  _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(view, out_request, argument: 7, error) { (view) throws(EngineError) in
    let choice = try identifyOptions(screen_point, tolerance_dip, max_results, options, 2)
    let request = try requestOptions(request_options, 6)
    return try view.identifyRequest(.everything, at: Point(screen_point), options: choice, request: request)
  }
}

@_cdecl("ald_request_take_identify_result") @implementation
public func ald_request_take_identify_result(
  _ request: ald_request, _ out_result: Out<ald_identify_result>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_result, argument: 2, error) { () throws(EngineError) in
    try takeResult(of: request, .identify, IdentifyResult.self, "an identify result")
  }
}

@_cdecl("ald_identify_result_get_info") @implementation
public func ald_identify_result_get_info(
  _ result: ald_identify_result, _ out_info: Out<ald_identify_result_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(result, out_info, argument: 2, error) { (result) throws(EngineError) in
    let flags = bits(
      (result.parts.contains(where: \.isLimitExceeded), ALD_IDENTIFY_RESULT_LIMIT_EXCEEDED),
      (result.parts.contains { $0.error != nil }, ALD_IDENTIFY_RESULT_HAS_ERRORS))
    return ald_identify_result_info(
      struct_size: 0, element_count: UInt32(clamping: result.elements.count),
      part_count: UInt32(clamping: result.parts.count), flags: flags,
      map_point: ald_point(result.mapPoint), view_generation: result.viewGeneration)
  }
}

@_cdecl("ald_identify_result_get_element_at") @implementation
public func ald_identify_result_get_element_at(
  _ result: ald_identify_result, _ index: UInt32, _ out_element: Out<ald_identify_element>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(result, out_element, argument: 3, error) { (result) throws(EngineError) in
    let position = try entry(index, of: result.elements.count, "element", 2)
    let element = result.elements[position]
    let texts = ResultTexts.of(result)
    return ald_identify_element(
      struct_size: 0, kind: element.kind.rawValue, layer: try lent(element.layer), overlay: try lent(element.overlay),
      id: element.id, part_index: UInt32(clamping: result.partNumbers[position]),
      attribute_count: UInt32(clamping: element.attributes.count), sublayer: texts.sublayer(position),
      text: texts.text(position))
  }
}

@_cdecl("ald_identify_result_get_part_at") @implementation
public func ald_identify_result_get_part_at(
  _ result: ald_identify_result, _ index: UInt32, _ out_part: Out<ald_identify_part>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(result, out_part, argument: 3, error) { (result) throws(EngineError) in
    let position = try entry(index, of: result.parts.count, "part", 2)
    let part = result.parts[position]
    return ald_identify_part(
      struct_size: 0, parent_index: part.parent.map { UInt32(clamping: $0) } ?? .max, layer: try lent(part.layer),
      overlay: try lent(part.overlay), first_element: UInt32(clamping: part.elements.lowerBound),
      element_count: UInt32(clamping: part.elements.count), hit_count: UInt32(clamping: part.hitCount),
      reasons: part.reasons.rawValue, generation: part.generation, status: (part.error?.status ?? .ok).rawValue,
      reserved: 0, message: ResultTexts.of(result).message(position))
  }
}

@_cdecl("ald_identify_result_get_cell_at") @implementation
public func ald_identify_result_get_cell_at(
  _ result: ald_identify_result, _ element_index: UInt32, _ out_cell: Out<ald_identify_cell>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(result, out_cell, argument: 3, error) { (result) throws(EngineError) in
    let position = try entry(element_index, of: result.elements.count, "element", 2)
    let cell = try known(
      result.elements[position].cell,
      or: EngineError(.notFound, "Element \(element_index) is not a raster cell.", argument: 2))
    let nowhere = Envelope(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan)
    return ald_identify_cell(
      struct_size: 0, column: cell.cell.index.column, row: cell.cell.index.row, verdict: cell.cell.verdict.rawValue,
      band_count: UInt32(clamping: cell.values.count), has_map_polygon: cell.polygon == nil ? 0 : 1,
      raster_polygon: five(cell.rasterPolygon), polygon: five(cell.polygon),
      extent: ald_envelope(cell.extent ?? nowhere), center: ald_point(cell.center ?? .nan),
      values: UnsafePointer(ResultTexts.of(result).elements[position].values))
  }
}

@_cdecl("ald_identify_result_get_evidence_at") @implementation
public func ald_identify_result_get_evidence_at(
  _ result: ald_identify_result, _ element_index: UInt32, _ out_evidence: Out<ald_identify_evidence>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(result, out_evidence, argument: 3, error) { (result) throws(EngineError) in
    let position = try entry(element_index, of: result.elements.count, "element", 2)
    let evidence = try known(
      result.elements[position].evidence,
      or: EngineError(.notFound, "Element \(element_index) is a raster cell: it holds the point.", argument: 2))
    return ald_identify_evidence(
      struct_size: 0, zone: evidence.zone.rawValue, distance_dip: evidence.distance,
      nearest_distance_dip: evidence.nearestDistance, distance_m: evidence.metres,
      nearest_point: ald_point(evidence.nearest), z: evidence.z, m: evidence.m,
      member_index: UInt32(clamping: evidence.member), part_index: UInt32(clamping: evidence.part),
      path_index: UInt32(clamping: evidence.path),
      segment_index: evidence.segment < 0 ? .max : UInt32(clamping: evidence.segment),
      vertex_index: UInt32(clamping: evidence.vertex), z_index: evidence.zIndex,
      draw_rank: UInt32(clamping: position), reserved: 0)
  }
}

@_cdecl("ald_identify_result_create_geometry") @implementation
public func ald_identify_result_create_geometry(
  _ result: ald_identify_result, _ element_index: UInt32, _ out_geometry: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(result, out_geometry, argument: 3, error) { (result) throws(EngineError) in
    try result.elements[try entry(element_index, of: result.elements.count, "element", 2)].geometry()
  }
}

@_cdecl("ald_identify_result_get_attribute_at") @implementation
public func ald_identify_result_get_attribute_at(
  _ result: ald_identify_result, _ element_index: UInt32, _ index: UInt32, _ out_attribute: Out<ald_attribute>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(result, out_attribute, argument: 4, error) { (result) throws(EngineError) in
    let position = try entry(element_index, of: result.elements.count, "element", 2)
    let attributes = result.elements[position].attributes
    let number = try entry(index, of: attributes.count, "attribute", 3)
    return attribute(attributes[number], ResultTexts.of(result).attribute(position, number))
  }
}

@_cdecl("ald_identify_result_find_attribute") @implementation
public func ald_identify_result_find_attribute(
  _ result: ald_identify_result, _ element_index: UInt32, _ name: In<CChar>, _ out_attribute: Out<ald_attribute>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(result, out_attribute, argument: 4, error) { (result) throws(EngineError) in
    let position = try entry(element_index, of: result.elements.count, "element", 2)
    let wanted = try string(name, "name", 3)
    let attributes = result.elements[position].attributes
    let number = try known(
      attributes.firstIndex { $0.isNamed(wanted) },
      or: EngineError(.notFound, "The element has no attribute \"\(wanted)\".", argument: 3))
    return attribute(attributes[number], ResultTexts.of(result).attribute(position, number))
  }
}

// MARK: Misses

@_cdecl("ald_view_why_not_layer") @implementation
public func ald_view_why_not_layer(
  _ view: ald_view, _ layer: ald_layer, _ screen_point: ald_point, _ tolerance_dip: Double, _ max_results: UInt32,
  _ options: In<ald_identify_options>, _ out_why_not: Out<ald_why_not>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(view, out_why_not, argument: 7, error) { (view) throws(EngineError) in
    let layer = try resolve(layer, 2, with: view)
    let choice = try identifyOptions(screen_point, tolerance_dip, max_results, options, 3)
    return try whyNot(try view.whyNot(layer, at: Point(screen_point), options: choice))
  }
}

@_cdecl("ald_view_why_not_feature") @implementation
public func ald_view_why_not_feature(
  _ view: ald_view, _ layer: ald_layer, _ feature_id: Int64, _ screen_point: ald_point, _ tolerance_dip: Double,
  _ max_results: UInt32, _ options: In<ald_identify_options>, _ out_why_not: Out<ald_why_not>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(view, out_why_not, argument: 8, error) { (view) throws(EngineError) in
    let layer = try resolveFeatureLayer(layer, 2)
    try requireSameRuntime(view, layer, 2)
    let choice = try identifyOptions(screen_point, tolerance_dip, max_results, options, 4)
    return try whyNot(try view.whyNot(feature: feature_id, of: layer, at: Point(screen_point), options: choice))
  }
}

@_cdecl("ald_view_why_not_graphic") @implementation
public func ald_view_why_not_graphic(
  _ view: ald_view, _ overlay: ald_graphics_overlay, _ graphic_id: UInt64, _ screen_point: ald_point,
  _ tolerance_dip: Double, _ max_results: UInt32, _ options: In<ald_identify_options>, _ out_why_not: Out<ald_why_not>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(view, out_why_not, argument: 8, error) { (view) throws(EngineError) in
    let overlay = try resolve(overlay, 2, with: view)
    let choice = try identifyOptions(screen_point, tolerance_dip, max_results, options, 4)
    return try whyNot(try view.whyNot(graphic: graphic_id, of: overlay, at: Point(screen_point), options: choice))
  }
}

// MARK: Parts

/// How to identify, from C.
///
/// - Parameter argument: the parameter of the point; tolerance, number of results and options follow.
private func identifyOptions(
  _ screen: ald_point, _ tolerance: Double, _ maxResults: UInt32, _ options: In<ald_identify_options>, _ argument: Int32
) throws(EngineError) -> IdentifyOptions {
  try requireFinite(screen, "screen_point", argument)
  try requireRange(tolerance, 0...Double.greatestFiniteMagnitude, "tolerance_dip", argument &+ 1)
  var choice = IdentifyOptions()
  choice.tolerance = tolerance
  choice.maxResults = maxResults == 0 ? 1 : Int(truncatingIfNeeded: maxResults)
  let last = argument &+ 3
  let given = try read(options, "ald_identify_options", last, zero: ald_identify_options())
  try requireFlags(
    given.flags, known: ALD_IDENTIFY_SKIP_EMPTY_CELLS | ALD_IDENTIFY_INCLUDE_HIDDEN | ALD_IDENTIFY_POPUPS_ONLY,
    "ald_identify_options.flags", last)
  choice.skipsEmptyCells = given.flags & ALD_IDENTIFY_SKIP_EMPTY_CELLS != 0
  choice.includesHidden = given.flags & ALD_IDENTIFY_INCLUDE_HIDDEN != 0
  choice.popupsOnly = given.flags & ALD_IDENTIFY_POPUPS_ONLY != 0
  try requireCapacity(given.area_count, last)
  guard given.area_count > 0 else { return choice }
  guard let area = given.area else { throw missing("ald_identify_options.area", last) }
  guard given.area_count <= 100_000 else {
    throw EngineError(.invalidArgument, "An area has at most 100,000 corners.", argument: last)
  }
  choice.area = UnsafeBufferPointer(start: area, count: given.area_count).map { Point($0) }
  return choice
}

private func whyNot(_ answer: WhyNot) throws(EngineError) -> ald_why_not {
  ald_why_not(
    struct_size: 0, reasons: answer.reasons.rawValue, hidden_by: try lent(answer.hiddenBy),
    out_of_scale_by: try lent(answer.outOfScaleBy), scale_factor: answer.scaleFactor, distance_dip: answer.distance,
    vertex: ald_point(answer.vertex), point_status: UInt32(truncatingIfNeeded: answer.pointStatus.rawValue),
    status: (answer.error?.status ?? .ok).rawValue)
}

private func attribute(_ source: Attribute, _ texts: AttributeTexts) -> ald_attribute {
  var result = ald_attribute()
  result.role = source.role.rawValue
  result.band = source.band
  result.name = texts.name
  result.alias = texts.alias
  result.text = texts.text
  result.real = .nan
  switch source.value {
  case .null: result.type = ALD_ATTRIBUTE_TYPE_NULL
  case .integer(let value):
    result.type = ALD_ATTRIBUTE_TYPE_INTEGER
    result.integer = value
    result.real = Double(value)
  case .unsigned(let value):
    result.type = ALD_ATTRIBUTE_TYPE_UNSIGNED
    result.unsigned_integer = value
    result.real = Double(value)
  case .real(let value):
    result.type = ALD_ATTRIBUTE_TYPE_REAL
    result.real = value
  case .complex(let real, let imaginary):
    result.type = ALD_ATTRIBUTE_TYPE_COMPLEX
    result.real = real
    result.imaginary = imaginary
  case .text: result.type = ALD_ATTRIBUTE_TYPE_TEXT
  case .date(let date, let kind):
    result.type =
      kind == .date ? ALD_ATTRIBUTE_TYPE_DATE : kind == .time ? ALD_ATTRIBUTE_TYPE_TIME : ALD_ATTRIBUTE_TYPE_DATE_TIME
    result.date_time = ald_date_time(
      second: date.second, year: date.year, utc_offset_min: date.utcOffset, zone: date.zone.rawValue, month: date.month,
      day: date.day, hour: date.hour, minute: date.minute, reserved: 0)
  case .binary(let bytes):
    result.type = ALD_ATTRIBUTE_TYPE_BINARY
    result.element_count = bytes.count
    result.bytes = texts.list?.assumingMemoryBound(to: UInt8.self)
  case .integers(let list):
    result.type = ALD_ATTRIBUTE_TYPE_INTEGER_LIST
    result.element_count = list.count
    result.integers = texts.list?.assumingMemoryBound(to: Int64.self)
  case .reals(let list):
    result.type = ALD_ATTRIBUTE_TYPE_REAL_LIST
    result.element_count = list.count
    result.reals = texts.list?.assumingMemoryBound(to: Double.self)
  case .texts(let list):
    result.type = ALD_ATTRIBUTE_TYPE_TEXT_LIST
    result.element_count = list.count
    result.texts = texts.list?.assumingMemoryBound(to: UnsafePointer<CChar>?.self)
  }
  return result
}

/// The C form of a result's texts and lists; lives as long as the result.
final class ResultTexts: Sendable {
  /// For each element its text and its sublayer, and the name, the text and the alias of each attribute. Then the message
  /// of each part.
  private let texts: CTexts
  private let messagesStart: Int
  let elements: [Element]

  struct Element: Sendable {
    fileprivate let start: Int
    /// Of a raster cell. Right to share, here and below: written once, in init.
    nonisolated(unsafe) let values: UnsafeMutablePointer<ald_band_value>?
    /// The values of attributes that are lists or bytes.
    nonisolated(unsafe) fileprivate var lists: [Int: UnsafeMutableRawPointer] = [:]
    private var entries: [CTexts] = []
    /// Title and text, then label and text of each row.
    let popup: CTexts?

    init(_ element: IdentifyElement, start: Int) {
      self.start = start
      values = element.cell.map { cell in
        let values = UnsafeMutablePointer<ald_band_value>.allocate(capacity: max(1, cell.values.count))
        for (index, value) in cell.values.enumerated() { (values + index).initialize(to: ald_band_value(value)) }
        return values
      }
      popup = element.popup.map { popup in
        CTexts([popup.title, popup.text] + popup.fields.flatMap { [$0.label, $0.text] })
      }
      let attributes = element.attributes
      for number in attributes.indices {
        switch attributes[number].value {
        case .binary(let bytes): lists[number] = Self.copy(bytes)
        case .integers(let list): lists[number] = Self.copy(list)
        case .reals(let list): lists[number] = Self.copy(list)
        case .texts(let list):
          let texts = CTexts(list)
          entries.append(texts)
          lists[number] = Self.copy(list.indices.map { texts[$0] })
        case .null, .integer, .unsigned, .real, .complex, .text, .date: break
        }
      }
    }

    private static func copy<Value: BitwiseCopyable>(_ list: [Value]) -> UnsafeMutableRawPointer {
      let size = max(1, list.count &* MemoryLayout<Value>.stride)
      let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<Value>.alignment)
      memory.initializeMemory(as: Value.self, from: list, count: list.count)
      return memory
    }
  }

  init(_ result: IdentifyResult) {
    var count = 0
    elements = result.elements.map { element in
      defer { count &+= 2 &+ 3 &* element.attributes.count }
      return Element(element, start: count)
    }
    messagesStart = count
    texts = CTexts { visit in
      for element in result.elements {
        visit(element.text)
        visit(element.sublayer)
        // By index here and above: a loop's own copy of an attribute would count the references of all its fields.
        let attributes = element.attributes
        for number in attributes.indices {
          visit(attributes[number].name)
          visit(attributes[number].text)
          visit(attributes[number].alias)
        }
      }
      for part in result.parts { visit(part.error?.message ?? "") }
    }
  }

  deinit {
    for element in elements {
      element.values?.deallocate()
      for list in element.lists.values { list.deallocate() }
    }
  }

  func text(_ element: Int) -> UnsafePointer<CChar>? { texts[elements[element].start] }
  func sublayer(_ element: Int) -> UnsafePointer<CChar>? { texts[elements[element].start &+ 1] }
  func message(_ part: Int) -> UnsafePointer<CChar>? { texts[messagesStart &+ part] }

  fileprivate func attribute(_ element: Int, _ number: Int) -> AttributeTexts {
    let start = elements[element].start &+ 2 &+ 3 &* number
    return AttributeTexts(
      name: texts[start], text: texts[start &+ 1], alias: texts[start &+ 2],
      list: UnsafeRawPointer(elements[element].lists[number]))
  }

  static func of(_ result: IdentifyResult) -> ResultTexts { result.attachment { ResultTexts(result) } }
}

/// What the C form of an attribute points to.
private struct AttributeTexts {
  let name: UnsafePointer<CChar>?
  let text: UnsafePointer<CChar>?
  let alias: UnsafePointer<CChar>?
  let list: UnsafeRawPointer?
}
