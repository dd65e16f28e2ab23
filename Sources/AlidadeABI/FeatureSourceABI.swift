import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry
import CAlidade

@_cdecl("ald_feature_source_open") @implementation
public func ald_feature_source_open(
  _ runtime: ald_runtime, _ source_path: UnsafePointer<CChar>?, _ options: UnsafePointer<ald_feature_source_options>?,
  _ out_source: UnsafeMutablePointer<ald_feature_source>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_source, argument: 4, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let path = try string(source_path, "source_path", 2)
    let options = try sourceOptions(options, 3, runtime)
    return try blaming(2) { () throws(EngineError) in
      try FeatureSource.open(runtime: runtime, path: path, options: options)
    }
  }
}

@_cdecl("ald_feature_source_open_async") @implementation
public func ald_feature_source_open_async(
  _ runtime: ald_runtime, _ source_path: UnsafePointer<CChar>?, _ options: UnsafePointer<ald_feature_source_options>?,
  _ request_options: UnsafePointer<ald_request_options>?, _ out_request: UnsafeMutablePointer<ald_request>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterRequesting(out_request, argument: 5, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let path = try string(source_path, "source_path", 2)
    let options = try sourceOptions(options, 3, runtime)
    let request = try requestOptions(request_options, 4)
    return try blaming(2) { () throws(EngineError) in
      try FeatureSource.openRequest(runtime: runtime, path: path, options: options, request: request)
    }
  }
}

/// A source's opening options from C.
func sourceOptions(
  _ pointer: UnsafePointer<ald_feature_source_options>?, _ argument: Int32, _ runtime: Runtime
) throws(EngineError) -> FeatureSourceOptions {
  var options = FeatureSourceOptions()
  guard let pointer else { return options }
  let given = try read(pointer, "ald_feature_source_options", argument, zero: ald_feature_source_options())
  let hasIndex = UInt32(truncatingIfNeeded: ALD_FEATURE_SOURCE_HAS_LAYER_INDEX)
  try requireFlags(given.fields, known: hasIndex, "ald_feature_source_options.fields", argument)
  try requireFlags(given.reserved, known: 0, "ald_feature_source_options.reserved", argument)
  options.layerName = try optionalString(given.layer_name, "layer_name", argument)
  try requireBit(
    given.fields & hasIndex != 0, orZero: given.layer_index == 0, "ald_feature_source_options.layer_index",
    "ALD_FEATURE_SOURCE_HAS_LAYER_INDEX", argument)
  if given.fields & hasIndex != 0 { options.layerIndex = Int(truncatingIfNeeded: given.layer_index) }
  options.definition = try optionalString(given.definition_expression, "definition_expression", argument)
  options.statement = try optionalString(given.statement, "statement", argument)
  options.spatialReference = try resolveOptional(given.spatial_reference, argument)
  try requireSameRuntime(runtime, options.spatialReference, argument)
  options.curveTolerance = given.curve_tolerance
  // Said before the file is looked at, and blamed on the options.
  let all = options
  try blaming(argument) { () throws(EngineError) in try FeatureSource.check(all, runtime.policy) }
  return options
}

@_cdecl("ald_request_take_feature_source") @implementation
public func ald_request_take_feature_source(
  _ request: ald_request, _ out_source: UnsafeMutablePointer<ald_feature_source>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_source, argument: 2, error) { () throws(EngineError) in
    try takeResult(of: request, .openFeatureSource, FeatureSource.self, "a source of features")
  }
}

@_cdecl("ald_feature_source_get_info") @implementation
public func ald_feature_source_get_info(
  _ feature_source: ald_feature_source, _ out_info: UnsafeMutablePointer<ald_feature_source_info>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    let out = try requireOut(out_info, "ald_feature_source_info", 2)
    let (facts, texts) = (source.facts, FeatureSourceTexts.of(source))
    write(
      ald_feature_source_info(
        struct_size: 0, facts: cFacts(source), sublayer_count: UInt32(clamping: facts.sublayers.count),
        layer_index: facts.layerIndex.map { UInt32(clamping: $0) } ?? .max,
        field_count: UInt32(clamping: facts.fields.count), geometry_kind: facts.geometryKind?.rawValue ?? 0,
        id_stability: facts.idStability.rawValue, reserved: 0, feature_count: facts.featureCount ?? -1,
        extent: cEnvelope(facts.extent), path: texts.path, driver: texts.driver, layer_name: texts.layerName,
        definition_expression: texts.definition),
      to: out)
  }
}

private func cFacts(_ source: FeatureSource) -> UInt32 {
  let facts = source.facts
  var bits = 0
  if facts.hasGeometry { bits |= ALD_FEATURE_SOURCE_HAS_GEOMETRY }
  if facts.hasZ { bits |= ALD_FEATURE_SOURCE_HAS_Z }
  if facts.hasM { bits |= ALD_FEATURE_SOURCE_HAS_M }
  if facts.hasCurves { bits |= ALD_FEATURE_SOURCE_HAS_CURVES }
  if facts.featureCount != nil { bits |= ALD_FEATURE_SOURCE_HAS_COUNT }
  if facts.extent != nil { bits |= ALD_FEATURE_SOURCE_HAS_EXTENT }
  if source.spatialReference != nil { bits |= ALD_FEATURE_SOURCE_HAS_SPATIAL_REFERENCE }
  if facts.findsByID { bits |= ALD_FEATURE_SOURCE_FINDS_IDS }
  return UInt32(truncatingIfNeeded: bits)
}

@_cdecl("ald_feature_source_spatial_reference") @implementation
public func ald_feature_source_spatial_reference(
  _ feature_source: ald_feature_source, _ out_spatial_reference: UnsafeMutablePointer<ald_spatial_reference>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLending(out_spatial_reference, argument: 2, error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    guard let reference = source.spatialReference else {
      throw EngineError(.notFound, source.withoutSpatialReference().message, argument: 1)
    }
    return reference
  }
}

@_cdecl("ald_feature_source_sublayer") @implementation
public func ald_feature_source_sublayer(
  _ feature_source: ald_feature_source, _ index: UInt32, _ out_name: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ out_has_geometry: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    let place = try entry(index, of: source.facts.sublayers.count, "layer", 2)
    guard let out_name else { throw missing("out_name", 3) }
    out_name.pointee = FeatureSourceTexts.of(source).sublayerName(place)
    out_has_geometry?.pointee = source.facts.sublayers[place].hasGeometry ? 1 : 0
  }
}

@_cdecl("ald_feature_source_field_info") @implementation
public func ald_feature_source_field_info(
  _ feature_source: ald_feature_source, _ index: UInt32, _ out_info: UnsafeMutablePointer<ald_field_info>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    let place = try entry(index, of: source.facts.fields.count, "field", 2)
    let out = try requireOut(out_info, "ald_field_info", 3)
    let (field, texts) = (source.facts.fields[place], FeatureSourceTexts.of(source))
    let flags = (field.isNullable ? ALD_FIELD_NULLABLE : 0) | (field.isUnique ? ALD_FIELD_UNIQUE : 0)
    write(
      ald_field_info(
        struct_size: 0, type: field.type.rawValue, subtype: field.subtype.rawValue,
        flags: UInt32(truncatingIfNeeded: flags), width: field.width, precision: field.precision,
        name: texts.fieldName(place), alias: texts.fieldAlias(place)),
      to: out)
  }
}

/// An index of the host's into a list.
func entry(_ index: UInt32, of count: Int, _ what: String, _ argument: Int32) throws(EngineError) -> Int {
  guard Int(truncatingIfNeeded: index) < count else {
    throw EngineError(.notFound, "There is no \(what) \(index); there are \(count), from 0.", argument: argument)
  }
  return Int(truncatingIfNeeded: index)
}

// MARK: Reading

@_cdecl("ald_feature_source_query") @implementation
public func ald_feature_source_query(
  _ feature_source: ald_feature_source, _ query: UnsafePointer<ald_feature_query>?,
  _ out_set: UnsafeMutablePointer<ald_feature_set>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_set, argument: 3, error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    let query = try featureQuery(query, 2, source)
    return try blaming(2) { () throws(EngineError) in try source.query(query) }
  }
}

@_cdecl("ald_feature_source_query_async") @implementation
public func ald_feature_source_query_async(
  _ feature_source: ald_feature_source, _ query: UnsafePointer<ald_feature_query>?,
  _ request_options: UnsafePointer<ald_request_options>?, _ out_request: UnsafeMutablePointer<ald_request>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterRequesting(out_request, argument: 4, error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    let query = try featureQuery(query, 2, source)
    let request = try requestOptions(request_options, 3)
    return try blaming(2) { () throws(EngineError) in try source.queryRequest(query, request: request) }
  }
}

@_cdecl("ald_request_take_feature_set") @implementation
public func ald_request_take_feature_set(
  _ request: ald_request, _ out_set: UnsafeMutablePointer<ald_feature_set>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_set, argument: 2, error) { () throws(EngineError) in
    try takeResult(of: request, .queryFeatures, FeatureSet.self, "a set of features")
  }
}

@_cdecl("ald_feature_source_count") @implementation
public func ald_feature_source_count(
  _ feature_source: ald_feature_source, _ query: UnsafePointer<ald_feature_query>?,
  _ out_count: UnsafeMutablePointer<Int64>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    let query = try featureQuery(query, 2, source)
    guard let out_count else { throw missing("out_count", 3) }
    out_count.pointee = try blaming(2) { () throws(EngineError) in try source.count(query) }
  }
}

@_cdecl("ald_feature_source_warning") @implementation
public func ald_feature_source_warning(
  _ feature_source: ald_feature_source, _ out_unreadable_count: UnsafeMutablePointer<UInt32>?,
  _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ out_size: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    let wantsText = buffer != nil || capacity != 0 || out_size != nil
    if wantsText {
      try copyOut(source.warning, buffer, capacity, out_size, bufferArgument: 3)
    } else if out_unreadable_count == nil {
      throw EngineError(.invalidArgument, "Neither the number nor the text is asked for.", argument: 2)
    }
    out_unreadable_count?.pointee = UInt32(clamping: source.trouble.unreadableCount)
  }
}

/// A query from C, copied.
func featureQuery(
  _ pointer: UnsafePointer<ald_feature_query>?, _ argument: Int32, _ source: FeatureSource
) throws(EngineError) -> FeatureQuery {
  var query = FeatureQuery()
  guard let pointer else { return query }
  let given = try read(pointer, "ald_feature_query", argument, zero: ald_feature_query())
  func bit(_ flag: Int) -> UInt32 { UInt32(truncatingIfNeeded: flag) }
  let (hasEnvelope, hasIDs) = (bit(ALD_FEATURE_QUERY_HAS_ENVELOPE), bit(ALD_FEATURE_QUERY_HAS_IDS))
  let (hasFields, isPlain) = (bit(ALD_FEATURE_QUERY_HAS_FIELDS), bit(ALD_FEATURE_QUERY_WITHOUT_GEOMETRY))
  try requireFlags(
    given.flags, known: hasEnvelope | hasIDs | hasFields | isPlain, "ald_feature_query.flags", argument)
  try requireBit(
    given.flags & hasEnvelope != 0, orZero: isZero(given.envelope) && given.envelope_spatial_reference.id == 0,
    "ald_feature_query.envelope", "ALD_FEATURE_QUERY_HAS_ENVELOPE", argument)
  try requireBit(
    given.flags & hasIDs != 0, orZero: given.ids == nil && given.id_count == 0, "ald_feature_query.ids",
    "ALD_FEATURE_QUERY_HAS_IDS", argument)
  try requireBit(
    given.flags & hasFields != 0, orZero: given.field_indexes == nil && given.field_count == 0,
    "ald_feature_query.field_indexes", "ALD_FEATURE_QUERY_HAS_FIELDS", argument)
  query.condition = try optionalString(given.where, "where", argument)
  let geometry = try resolveOptional(given.geometry, argument)
  let reference = try resolveOptional(given.envelope_spatial_reference, argument)
  query.spatialReference = try resolveOptional(given.spatial_reference, argument)
  for object: HandleObject? in [geometry, reference, query.spatialReference] {
    try requireSameRuntime(source, object, argument)
  }
  if let geometry {
    guard given.flags & hasEnvelope == 0 else {
      throw EngineError(
        .invalidArgument, "Both an envelope and a geometry are given; one is needed.", argument: argument)
    }
    query.area = .geometry(geometry)
  } else if given.flags & hasEnvelope != 0 {
    query.area = .envelope(Envelope(given.envelope), reference)
  }
  if given.flags & hasIDs != 0 {
    query.ids = try list(given.ids, given.id_count, "ids", source.runtime.policy, argument)
  }
  if given.flags & hasFields != 0 {
    let fields = try list(given.field_indexes, given.field_count, "field_indexes", source.runtime.policy, argument)
    query.fields = fields.map { Int(truncatingIfNeeded: $0) }
  }
  query.withoutGeometry = given.flags & isPlain != 0
  if given.limit != 0 { query.limit = Int(clamping: given.limit) }
  query.offset = Int(clamping: given.offset)
  return query
}

/// A list of numbers from C.
private func list<Number>(
  _ pointer: UnsafePointer<Number>?, _ count: UInt32, _ what: String, _ policy: Policy, _ argument: Int32
) throws(EngineError) -> [Number] {
  let count = Int(truncatingIfNeeded: count)
  guard count > 0 else { return [] }
  guard let pointer else { throw missing(what, argument) }
  try blaming(argument) { () throws(EngineError) in
    try policy.check(points: count)
    try policy.check(bytes: count, MemoryLayout<Number>.stride)
  }
  return Array(UnsafeBufferPointer(start: pointer, count: count))
}
