import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry
import CAlidade

@_cdecl("ald_feature_set_get_info") @implementation
public func ald_feature_set_get_info(
  _ feature_set: ald_feature_set, _ out_info: Out<ald_feature_set_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(feature_set, out_info, argument: 2, error) { (set) throws(EngineError) in
    let flags = bits(
      (set.geometries != nil, ALD_FEATURE_SET_HAS_GEOMETRIES), (set.trouble.isIncomplete, ALD_FEATURE_SET_INCOMPLETE))
    return ald_feature_set_info(
      struct_size: 0, flags: flags, feature_count: UInt32(clamping: set.count),
      field_count: UInt32(clamping: set.columns.count),
      unreadable_count: UInt32(clamping: set.trouble.unreadableCount), reserved: 0,
      first_reason: FeatureSetTexts.of(set).firstReason)
  }
}

@_cdecl("ald_feature_set_get_columns") @implementation
public func ald_feature_set_get_columns(
  _ feature_set: ald_feature_set, _ out_columns: Out<ald_feature_columns>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(feature_set, out_columns, argument: 2, error) { (set) throws(EngineError) in
    ald_feature_columns(
      struct_size: 0, feature_count: UInt32(clamping: set.count), ids: set.ids.buffer.baseAddress,
      feature_flags: set.flags.buffer.baseAddress)
  }
}

@_cdecl("ald_feature_set_get_geometries") @implementation
public func ald_feature_set_get_geometries(
  _ feature_set: ald_feature_set, _ out_array: Out<ald_geometry_array>, _ error: Out<ald_error>
) -> ald_status {
  enterLending(out_array, argument: 2, error) { () throws(EngineError) in
    return try known(
      resolve(feature_set, 1).geometries,
      or: EngineError(
        .notFound, "The set has no geometries: the query left them out, or the layer has none.", argument: 1))
  }
}

@_cdecl("ald_feature_set_get_attribute") @implementation
public func ald_feature_set_get_attribute(
  _ feature_set: ald_feature_set, _ feature_index: UInt32, _ field_index: UInt32, _ out_value: Out<ald_attribute_value>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(feature_set, out_value, argument: 4, error) { (set) throws(EngineError) in
    let row = try entry(feature_index, of: set.count, "feature", 2)
    let column = set.columns[try entry(field_index, of: set.columns.count, "field", 3)]
    return cValue(column, row)
  }
}

@_cdecl("ald_feature_set_get_attribute_column") @implementation
public func ald_feature_set_get_attribute_column(
  _ feature_set: ald_feature_set, _ field_index: UInt32, _ out_column: Out<ald_attribute_column>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(feature_set, out_column, argument: 3, error) { (set) throws(EngineError) in
    let place = try entry(field_index, of: set.columns.count, "field", 2)
    let column = set.columns[place]
    let type = column.field.type
    var given = ald_attribute_column()
    given.type = type.rawValue
    given.field_index = UInt32(clamping: set.fieldIndexes[place])
    given.feature_count = UInt32(clamping: set.count)
    given.states = column.states.buffer.baseAddress
    switch type {
    case .integer, .integerList: given.integers = column.integers.buffer.baseAddress
    case .real, .realList: given.reals = column.reals.buffer.baseAddress
    case .date, .time, .dateTime: given.date_times = cDates(column)
    case .text, .binary: given.bytes = column.bytes.buffer.baseAddress
    case .textList: given.texts = column.entries.flatMap { UnsafePointer($0.buffer.baseAddress) }
    }
    switch type {
    case .text, .binary, .integerList, .realList, .textList: given.offsets = column.offsets.buffer.baseAddress
    default: break
    }
    return given
  }
}

/// The dates of a column as C sees them: the struct is laid out like C's.
private func cDates(_ column: FeatureColumn) -> UnsafePointer<ald_date_time>? {
  column.dates.buffer.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: ald_date_time.self) }
}

/// A value as C sees it.
private func cValue(_ column: FeatureColumn, _ row: Int) -> ald_attribute_value {
  let (type, state) = (column.field.type, column.state(row))
  var value = ald_attribute_value()
  value.type = type.rawValue
  value.state = Int32(truncatingIfNeeded: state.rawValue)
  value.real = .nan
  switch type {
  case .integer: value.integer = column.integers[row]
  case .real: value.real = column.reals[row]
  case .date, .time, .dateTime: if let dates = cDates(column) { value.date_time = dates[row] }
  case .text:
    value.element_count = UInt32(clamping: column.range(row).count &- 1)
    if state == .value { value.text = column.text(row) }
  case .binary:
    let range = column.range(row)
    value.element_count = UInt32(clamping: range.count)
    value.bytes = column.bytes.buffer.baseAddress.map { $0 + range.lowerBound }
  case .integerList:
    let range = column.range(row)
    value.element_count = UInt32(clamping: range.count)
    value.integers = column.integers.buffer.baseAddress.map { $0 + range.lowerBound }
  case .realList:
    let range = column.range(row)
    value.element_count = UInt32(clamping: range.count)
    value.reals = column.reals.buffer.baseAddress.map { $0 + range.lowerBound }
  case .textList:
    let range = column.range(row)
    value.element_count = UInt32(clamping: range.count)
    value.texts = column.entries.flatMap { UnsafePointer($0.buffer.baseAddress) }.map { $0 + range.lowerBound }
  }
  return value
}

@_cdecl("ald_feature_source_open") @implementation
public func ald_feature_source_open(
  _ runtime: ald_runtime, _ path: In<CChar>, _ options: In<ald_feature_source_options>,
  _ out_source: Out<ald_feature_source>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_source, argument: 4, error) { (runtime) throws(EngineError) in
    let path = try string(path, "path", 2)
    let options = try sourceOptions(options, 3, runtime)
    return try blaming(2, try FeatureSource.open(runtime: runtime, path: path, options: options))
  }
}

@_cdecl("ald_feature_source_open_async") @implementation
public func ald_feature_source_open_async(
  _ runtime: ald_runtime, _ path: In<CChar>, _ options: In<ald_feature_source_options>,
  _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>, _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(runtime, out_request, argument: 5, error) { (runtime) throws(EngineError) in
    let path = try string(path, "path", 2)
    let options = try sourceOptions(options, 3, runtime)
    let request = try requestOptions(request_options, 4)
    return try blaming(
      2, try FeatureSource.openRequest(runtime: runtime, path: path, options: options, request: request))
  }
}

/// A source's opening options from C.
func sourceOptions(
  _ pointer: In<ald_feature_source_options>, _ argument: Int32, _ runtime: Runtime
) throws(EngineError) -> FeatureSourceOptions {
  var options = FeatureSourceOptions()
  let given = try read(pointer, "ald_feature_source_options", argument, zero: ald_feature_source_options())
  try requireFlags(
    given.fields, known: ALD_FEATURE_SOURCE_HAS_LAYER_INDEX, "ald_feature_source_options.fields", argument)
  try requireFlags(given.reserved, known: 0, "ald_feature_source_options.reserved", argument)
  options.layerName = try optionalString(given.layer_name, "layer_name", argument)
  let hasIndex = try isGiven(
    given.fields & ALD_FEATURE_SOURCE_HAS_LAYER_INDEX != 0, orZero: given.layer_index == 0,
    "ald_feature_source_options.layer_index",
    "ALD_FEATURE_SOURCE_HAS_LAYER_INDEX", argument)
  if hasIndex { options.layerIndex = Int(truncatingIfNeeded: given.layer_index) }
  options.definition = try optionalString(given.definition_expression, "definition_expression", argument)
  options.statement = try optionalString(given.statement, "statement", argument)
  options.spatialReference = try resolveOptional(given.spatial_reference, argument, with: runtime)
  options.curveTolerance = given.curve_tolerance
  // Said before the file is looked at, and blamed on the options.
  let all = options
  try blaming(argument, try FeatureSource.check(all, runtime.policy))
  return options
}

@_cdecl("ald_request_take_feature_source") @implementation
public func ald_request_take_feature_source(
  _ request: ald_request, _ out_source: Out<ald_feature_source>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_source, argument: 2, error) { () throws(EngineError) in
    try takeResult(of: request, .openFeatureSource, FeatureSource.self, "a source of features")
  }
}

@_cdecl("ald_feature_source_get_info") @implementation
public func ald_feature_source_get_info(
  _ feature_source: ald_feature_source, _ out_info: Out<ald_feature_source_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(feature_source, out_info, argument: 2, error) { (source) throws(EngineError) in
    let (facts, texts) = (source.facts, FeatureSourceTexts.of(source))
    return ald_feature_source_info(
      struct_size: 0, facts: cFacts(source), sublayer_count: UInt32(clamping: facts.sublayers.count),
      layer_index: facts.layerIndex.map { UInt32(clamping: $0) } ?? .max,
      field_count: UInt32(clamping: facts.fields.count), geometry_kind: facts.geometryKind?.rawValue ?? 0,
      id_stability: facts.idStability.rawValue, reserved: 0, feature_count: facts.featureCount ?? -1,
      extent: cEnvelope(facts.extent), path: texts.path, driver: texts.driver, layer_name: texts.layerName,
      definition_expression: texts.definition)
  }
}

private func cFacts(_ source: FeatureSource) -> UInt32 {
  let facts = source.facts
  return bits(
    (facts.hasGeometry, ALD_FEATURE_SOURCE_HAS_GEOMETRY), (facts.hasZ, ALD_FEATURE_SOURCE_HAS_Z),
    (facts.hasM, ALD_FEATURE_SOURCE_HAS_M), (facts.hasCurves, ALD_FEATURE_SOURCE_HAS_CURVES),
    (facts.featureCount != nil, ALD_FEATURE_SOURCE_HAS_COUNT), (facts.extent != nil, ALD_FEATURE_SOURCE_HAS_EXTENT),
    (source.spatialReference != nil, ALD_FEATURE_SOURCE_HAS_SPATIAL_REFERENCE),
    (facts.findsByID, ALD_FEATURE_SOURCE_FINDS_IDS))
}

@_cdecl("ald_feature_source_get_spatial_reference") @implementation
public func ald_feature_source_get_spatial_reference(
  _ feature_source: ald_feature_source, _ out_spatial_reference: Out<ald_spatial_reference>, _ error: Out<ald_error>
) -> ald_status {
  enterLending(feature_source, out_spatial_reference, argument: 2, error) { (source) throws(EngineError) in
    return try known(
      source.spatialReference, or: EngineError(.notFound, source.withoutSpatialReference().message, argument: 1))
  }
}

@_cdecl("ald_feature_source_get_sublayer_at") @implementation
public func ald_feature_source_get_sublayer_at(
  _ feature_source: ald_feature_source, _ index: UInt32, _ out_name: Out<In<CChar>>, _ out_has_geometry: Out<UInt32>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(feature_source, error) { (source) throws(EngineError) in
    let place = try entry(index, of: source.facts.sublayers.count, "layer", 2)
    guard let out_name else { throw missing("out_name", 3) }
    out_name.pointee = FeatureSourceTexts.of(source).sublayerName(place)
    out_has_geometry?.pointee = source.facts.sublayers[place].hasGeometry ? 1 : 0
  }
}

@_cdecl("ald_feature_source_get_field_at") @implementation
public func ald_feature_source_get_field_at(
  _ feature_source: ald_feature_source, _ index: UInt32, _ out_info: Out<ald_field_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(feature_source, out_info, argument: 3, error) { (source) throws(EngineError) in
    let place = try entry(index, of: source.facts.fields.count, "field", 2)
    let (field, texts) = (source.facts.fields[place], FeatureSourceTexts.of(source))
    let flags = (field.isNullable ? ALD_FIELD_NULLABLE : 0) | (field.isUnique ? ALD_FIELD_UNIQUE : 0)
    return ald_field_info(
      struct_size: 0, type: field.type.rawValue, subtype: field.subtype.rawValue,
      flags: flags, width: field.width, precision: field.precision,
      name: texts.fieldName(place), alias: texts.fieldAlias(place))
  }
}

// MARK: Reading

@_cdecl("ald_feature_source_query") @implementation
public func ald_feature_source_query(
  _ feature_source: ald_feature_source, _ query: In<ald_feature_query>, _ out_new_feature_set: Out<ald_feature_set>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(feature_source, out_new_feature_set, argument: 3, error) { (source) throws(EngineError) in
    let query = try featureQuery(query, 2, source)
    return try blaming(2, try source.query(query))
  }
}

@_cdecl("ald_feature_source_query_async") @implementation
public func ald_feature_source_query_async(
  _ feature_source: ald_feature_source, _ query: In<ald_feature_query>, _ request_options: In<ald_request_options>,
  _ out_request: Out<ald_request>, _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(feature_source, out_request, argument: 4, error) { (source) throws(EngineError) in
    let query = try featureQuery(query, 2, source)
    let request = try requestOptions(request_options, 3)
    return try blaming(2, try source.queryRequest(query, request: request))
  }
}

@_cdecl("ald_request_take_feature_set") @implementation
public func ald_request_take_feature_set(
  _ request: ald_request, _ out_feature_set: Out<ald_feature_set>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_feature_set, argument: 2, error) { () throws(EngineError) in
    try takeResult(of: request, .queryFeatures, FeatureSet.self, "a set of features")
  }
}

@_cdecl("ald_feature_source_query_count") @implementation
public func ald_feature_source_query_count(
  _ feature_source: ald_feature_source, _ query: In<ald_feature_query>, _ out_count: Out<UInt64>,
  _ error: Out<ald_error>
) -> ald_status {
  enterGetting(feature_source, out_count, "out_count", argument: 3, error) { (source) throws(EngineError) in
    let query = try featureQuery(query, 2, source)
    return UInt64(clamping: try blaming(2, try source.count(query)))
  }
}

@_cdecl("ald_feature_source_get_warning") @implementation
public func ald_feature_source_get_warning(
  _ feature_source: ald_feature_source, _ out_unreadable_count: Out<UInt32>, _ buffer: Out<CChar>,
  _ capacity_bytes: Int, _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(feature_source, error) { (source) throws(EngineError) in
    let wantsText = buffer != nil || capacity_bytes != 0 || out_size_bytes != nil
    if wantsText {
      try copyOut(source.warning, buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
    } else if out_unreadable_count == nil {
      throw EngineError(.invalidArgument, "Neither the number nor the text is asked for.", argument: 2)
    }
    out_unreadable_count?.pointee = UInt32(clamping: source.trouble.unreadableCount)
  }
}

/// A query from C, copied.
func featureQuery(
  _ pointer: In<ald_feature_query>, _ argument: Int32, _ source: FeatureSource
) throws(EngineError) -> FeatureQuery {
  var query = FeatureQuery()
  let given = try read(pointer, "ald_feature_query", argument, zero: ald_feature_query())
  try requireFlags(
    given.flags,
    known: ALD_FEATURE_QUERY_HAS_ENVELOPE | ALD_FEATURE_QUERY_HAS_IDS | ALD_FEATURE_QUERY_HAS_FIELDS
      | ALD_FEATURE_QUERY_WITHOUT_GEOMETRY, "ald_feature_query.flags", argument)
  let hasEnvelope = try isGiven(
    given.flags & ALD_FEATURE_QUERY_HAS_ENVELOPE != 0,
    orZero: isZero(given.envelope) && given.envelope_spatial_reference.id == 0,
    "ald_feature_query.envelope", "ALD_FEATURE_QUERY_HAS_ENVELOPE", argument)
  let hasIDs = try isGiven(
    given.flags & ALD_FEATURE_QUERY_HAS_IDS != 0, orZero: given.ids == nil && given.id_count == 0,
    "ald_feature_query.ids",
    "ALD_FEATURE_QUERY_HAS_IDS", argument)
  let hasFields = try isGiven(
    given.flags & ALD_FEATURE_QUERY_HAS_FIELDS != 0, orZero: given.field_indexes == nil && given.field_count == 0,
    "ald_feature_query.field_indexes", "ALD_FEATURE_QUERY_HAS_FIELDS", argument)
  query.condition = try optionalString(given.where, "where", argument)
  let geometry = try resolveOptional(given.geometry, argument)
  let reference = try resolveOptional(given.envelope_spatial_reference, argument)
  query.spatialReference = try resolveOptional(given.spatial_reference, argument)
  for object: HandleObject? in [geometry, reference, query.spatialReference] {
    try requireSameRuntime(source, object, argument)
  }
  if let geometry {
    guard !hasEnvelope else {
      throw EngineError(
        .invalidArgument, "Both an envelope and a geometry are given; one is needed.", argument: argument)
    }
    query.area = .geometry(geometry)
  } else if hasEnvelope {
    query.area = .envelope(Envelope(given.envelope), reference)
  }
  if hasIDs {
    query.ids = try list(given.ids, given.id_count, "ids", source.runtime.policy, argument)
  }
  if hasFields {
    let fields = try list(given.field_indexes, given.field_count, "field_indexes", source.runtime.policy, argument)
    query.fields = fields.map { Int(truncatingIfNeeded: $0) }
  }
  query.withoutGeometry = given.flags & ALD_FEATURE_QUERY_WITHOUT_GEOMETRY != 0
  if given.limit != 0 { query.limit = Int(clamping: given.limit) }
  query.offset = Int(clamping: given.offset)
  return query
}

/// A list of numbers from C.
private func list<Number>(
  _ pointer: In<Number>, _ count: UInt32, _ what: String, _ policy: Policy, _ argument: Int32
) throws(EngineError) -> [Number] {
  let count = Int(truncatingIfNeeded: count)
  guard count > 0 else { return [] }
  guard let pointer else { throw missing(what, argument) }
  try blamingAll(argument) { () throws(EngineError) in
    try policy.check(points: count)
    try policy.check(bytes: count, MemoryLayout<Number>.stride)
  }
  return Array(UnsafeBufferPointer(start: pointer, count: count))
}

@_cdecl("ald_feature_source_build_index") @implementation
public func ald_feature_source_build_index(
  _ feature_source: ald_feature_source, _ error: Out<ald_error>
) -> ald_status {
  enter(feature_source, error) { (source) throws(EngineError) in
    try blaming(1, try source.buildIndex())
  }
}

@_cdecl("ald_feature_source_build_index_async") @implementation
public func ald_feature_source_build_index_async(
  _ feature_source: ald_feature_source, _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>,
  _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(feature_source, out_request, argument: 3, error) { (source) throws(EngineError) in
    try source.indexRequest(try requestOptions(request_options, 2))
  }
}

@_cdecl("ald_feature_source_get_index_info") @implementation
public func ald_feature_source_get_index_info(
  _ feature_source: ald_feature_source, _ out_info: Out<ald_feature_index_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(feature_source, out_info, argument: 2, error) { (source) throws(EngineError) in
    let (status, index) = (source.indexStatus.status, source.index)
    return ald_feature_index_info(
      struct_size: 0, index_status: status.rawValue, feature_count: UInt64(clamping: index?.count ?? 0),
      size_bytes: UInt64(clamping: index?.byteCount ?? 0), extent: cEnvelope(index?.bounds))
  }
}

@_cdecl("ald_feature_source_query_ids") @implementation
public func ald_feature_source_query_ids(
  _ feature_source: ald_feature_source, _ envelope: ald_envelope, _ spatial_reference: ald_spatial_reference,
  _ out_feature_ids: Out<Int64>, _ capacity: Int, _ out_count: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(feature_source, error) { (source) throws(EngineError) in
    let reference = try resolveOptional(spatial_reference, 3, with: source)
    let list = try OutputList(out_feature_ids, capacity: capacity, out_count, arrayArgument: 4)
    let ids = try blaming(2, try source.ids(in: .envelope(Envelope(envelope), reference)))
    try list.write(Array(ids.buffer), "ids") { $0 }
  }
}

@_cdecl("ald_feature_source_query_nearest") @implementation
public func ald_feature_source_query_nearest(
  _ feature_source: ald_feature_source, _ point: ald_point, _ spatial_reference: ald_spatial_reference,
  _ max_distance: Double, _ out_features: Out<ald_nearest_feature>, _ max_count: Int, _ out_count: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(feature_source, error) { (source) throws(EngineError) in
    try requireFinite(point, "point", 2)
    let reference = try resolveOptional(spatial_reference, 3, with: source)
    try requireNotNegative(max_distance, "max_distance", 4)
    guard let out_features else { throw missing("out_features", 5) }
    try requireCapacity(max_count, 6)
    guard let out_count else { throw missing("out_count", 7) }
    let found = try blaming(
      2,
      try source.nearest(
        to: Point(point), in: reference, most: max_count, within: max_distance == 0 ? .infinity : max_distance))
    store(found, to: out_features) { ald_nearest_feature(feature_id: $0.id, distance: $0.distance) }
    out_count.pointee = found.count
  }
}

/// The C form of a source's texts; lives as long as the source.
final class FeatureSourceTexts: Sendable {
  private let texts: CTexts
  private let fieldCount: Int

  private init(_ source: FeatureSource) {
    let facts = source.facts
    fieldCount = facts.fields.count
    texts = CTexts(
      [facts.path, facts.driver, facts.layerName, source.definition ?? ""]
        + facts.fields.flatMap { [$0.name, $0.alias] } + facts.sublayers.map(\.name))
  }

  static func of(_ source: FeatureSource) -> FeatureSourceTexts {
    source.attachment { FeatureSourceTexts(source) }
  }

  var path: UnsafePointer<CChar>? { texts[0] }
  var driver: UnsafePointer<CChar>? { texts[1] }
  var layerName: UnsafePointer<CChar>? { texts[2] }
  var definition: UnsafePointer<CChar>? { texts[3] }
  func fieldName(_ index: Int) -> UnsafePointer<CChar>? { texts[4 &+ 2 &* index] }
  func fieldAlias(_ index: Int) -> UnsafePointer<CChar>? { texts[5 &+ 2 &* index] }
  func sublayerName(_ index: Int) -> UnsafePointer<CChar>? { texts[4 &+ 2 &* fieldCount &+ index] }
}

/// The C form of a set's text; lives as long as the set.
final class FeatureSetTexts: Sendable {
  private let texts: CTexts

  private init(_ set: FeatureSet) { texts = CTexts([set.trouble.firstReason]) }

  static func of(_ set: FeatureSet) -> FeatureSetTexts { set.attachment { FeatureSetTexts(set) } }

  var firstReason: UnsafePointer<CChar>? { texts[0] }
}
