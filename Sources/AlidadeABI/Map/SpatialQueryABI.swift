import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry
import AlidadeMap
import CAlidade

@_cdecl("ald_feature_layer_query") @implementation
public func ald_feature_layer_query(
  _ layer: ald_layer, _ geometry: ald_geometry, _ options: In<ald_match_options>,
  _ out_new_match_set: Out<ald_match_set>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_new_match_set, argument: 4, error) { () throws(EngineError) in
    let layer = try resolveFeatureLayer(layer, 1)
    let geometry = try comparedGeometry(geometry, layer)
    let condition = try matchCondition(options, 3)
    _ = try blaming(1, try layer.requireSource())
    return try blaming(2, try layer.matches(geometry, condition))
  }
}

@_cdecl("ald_feature_layer_query_async") @implementation
public func ald_feature_layer_query_async(
  _ layer: ald_layer, _ geometry: ald_geometry, _ options: In<ald_match_options>,
  _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>, _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(out_request, argument: 5, error) { () throws(EngineError) in
    let layer = try resolveFeatureLayer(layer, 1)
    let geometry = try comparedGeometry(geometry, layer)
    let condition = try matchCondition(options, 3)
    let request = try requestOptions(request_options, 4)
    return try blaming(1, try layer.matchRequest(geometry, condition, request: request))
  }
}

@_cdecl("ald_feature_layer_query_pairs") @implementation
public func ald_feature_layer_query_pairs(
  _ a: ald_layer, _ b: ald_layer, _ options: In<ald_match_options>, _ out_new_match_set: Out<ald_match_set>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_new_match_set, argument: 4, error) { () throws(EngineError) in
    let (first, second) = try twoFeatureLayers(a, b)
    let condition = try matchCondition(options, 3)
    return try blaming(1, try first.pairs(with: second, condition))
  }
}

@_cdecl("ald_feature_layer_query_pairs_async") @implementation
public func ald_feature_layer_query_pairs_async(
  _ a: ald_layer, _ b: ald_layer, _ options: In<ald_match_options>, _ request_options: In<ald_request_options>,
  _ out_request: Out<ald_request>, _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(out_request, argument: 5, error) { () throws(EngineError) in
    let (first, second) = try twoFeatureLayers(a, b)
    let condition = try matchCondition(options, 3)
    let request = try requestOptions(request_options, 4)
    return try blaming(1, try first.pairRequest(with: second, condition, request: request))
  }
}

@_cdecl("ald_graphics_overlay_query") @implementation
public func ald_graphics_overlay_query(
  _ overlay: ald_graphics_overlay, _ geometry: ald_geometry, _ options: In<ald_match_options>,
  _ out_new_match_set: Out<ald_match_set>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(overlay, out_new_match_set, argument: 4, error) { (overlay) throws(EngineError) in
    let geometry = try comparedGeometry(geometry, overlay)
    let condition = try matchCondition(options, 3)
    return try blaming(2, try overlay.matches(geometry, condition))
  }
}

@_cdecl("ald_graphics_overlay_query_async") @implementation
public func ald_graphics_overlay_query_async(
  _ overlay: ald_graphics_overlay, _ geometry: ald_geometry, _ options: In<ald_match_options>,
  _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>, _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(overlay, out_request, argument: 5, error) { (overlay) throws(EngineError) in
    let geometry = try comparedGeometry(geometry, overlay)
    let condition = try matchCondition(options, 3)
    let request = try requestOptions(request_options, 4)
    return try overlay.matchRequest(geometry, condition, request: request)
  }
}

private func comparedGeometry(_ geometry: ald_geometry, _ object: HandleObject) throws(EngineError) -> Geometry {
  return try resolve(geometry, 2, with: object)
}

private func twoFeatureLayers(
  _ a: ald_layer, _ b: ald_layer
) throws(EngineError) -> (FeatureLayer, FeatureLayer) {
  let (first, second) = (try resolveFeatureLayer(a, 1), try resolveFeatureLayer(b, 2))
  try requireSameRuntime(first, second, 2)
  return (first, second)
}

/// What is looked for, from C.
private func matchCondition(_ pointer: In<ald_match_options>, _ argument: Int32) throws(EngineError) -> MatchCondition {
  let name = "ald_match_options"
  let given = try read(pointer, name, argument, zero: ald_match_options())
  let kind: MatchKind = try enumerator(given.kind, "\(name).kind", "ald_match_kind", argument)
  func require(_ isZero: Bool, _ field: String, unless kinds: MatchKind...) throws(EngineError) {
    guard isZero || kinds.contains(kind) else {
      throw EngineError(
        .invalidArgument, "\(name).\(field) is given, and does not belong to the kind \(given.kind). Leave it 0.",
        argument: argument)
    }
  }
  try require(given.predicate == 0, "predicate", unless: .predicate)
  try require(given.matrix_pattern == nil, "matrix_pattern", unless: .matrixPattern)
  try require(given.measure_kind == 0, "measure_kind", unless: .withinDistance, .nearest)
  try require(given.max_distance == 0, "max_distance", unless: .withinDistance, .nearest)
  try require(given.unit == 0, "unit", unless: .withinDistance, .nearest)
  try require(given.max_count == 0, "max_count", unless: .nearest)
  let condition: MatchCondition
  switch kind {
  case .predicate:
    condition = .predicate(
      given.predicate == 0
        ? .intersects : try enumerator(given.predicate, "\(name).predicate", "ald_predicate", argument))
  case .matrixPattern: condition = .pattern(try string(given.matrix_pattern, "\(name).matrix_pattern", argument))
  case .withinDistance, .nearest:
    try requireNotNegative(given.max_distance, "\(name).max_distance", argument)
    let isAnywhere = kind == .nearest && given.max_distance == 0
    let most = kind == .withinDistance || given.max_count == .max ? .max : Int(clamping: max(1, given.max_count))
    condition = .distance(
      within: isAnywhere ? .infinity : given.max_distance, most: most,
      try measure(given.measure_kind, 0, name, argument), try optionalUnit(given.unit, name, argument))
  }
  try blaming(argument, try condition.check())
  return condition
}

@_cdecl("ald_request_take_match_set") @implementation
public func ald_request_take_match_set(
  _ request: ald_request, _ out_match_set: Out<ald_match_set>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_match_set, argument: 2, error) { () throws(EngineError) in
    try takeResult(of: request, .queryMatches, MatchSet.self, "a set of matches")
  }
}

@_cdecl("ald_match_set_get_info") @implementation
public func ald_match_set_get_info(
  _ match_set: ald_match_set, _ out_info: Out<ald_match_set_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(match_set, out_info, argument: 2, error) { (set) throws(EngineError) in
    ald_match_set_info(
      struct_size: 0, match_count: UInt32(clamping: set.count), skipped_count: UInt64(clamping: set.skippedCount),
      first_reason: MatchSetTexts.of(set).firstReason)
  }
}

@_cdecl("ald_match_set_get_columns") @implementation
public func ald_match_set_get_columns(
  _ match_set: ald_match_set, _ out_columns: Out<ald_match_columns>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(match_set, out_columns, argument: 2, error) { (set) throws(EngineError) in
    ald_match_columns(
      struct_size: 0, match_count: UInt32(clamping: set.count), ids: UnsafePointer(set.ids.buffer.baseAddress),
      other_ids: UnsafePointer(set.otherIDs?.buffer.baseAddress),
      distances: UnsafePointer(set.distances?.buffer.baseAddress))
  }
}

/// The C form of a set's text; lives as long as the set.
private final class MatchSetTexts: Sendable {
  private let texts: CTexts

  private init(_ set: MatchSet) { texts = CTexts([set.firstReason]) }

  static func of(_ set: MatchSet) -> MatchSetTexts { set.attachment { MatchSetTexts(set) } }

  var firstReason: UnsafePointer<CChar>? { texts[0] }
}
