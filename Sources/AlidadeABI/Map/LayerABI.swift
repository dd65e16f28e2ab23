import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeMap
import CAlidade

@_cdecl("ald_raster_layer_create") @implementation
public func ald_raster_layer_create(
  _ raster: ald_raster, _ out_layer: Out<ald_layer>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_layer, argument: 2, error) { () throws(EngineError) in
    let source = try resolveLoadable(raster, 1)
    return try blamingAll(1) { () throws(EngineError) in
      if let source = source as? LoadableRaster { return try RasterLayer(source: source) }
      return try RasterLayer(raster: try resolve(raster, 1))
    }
  }
}

@_cdecl("ald_raster_layer_get_raster") @implementation
public func ald_raster_layer_get_raster(
  _ layer: ald_layer, _ out_raster: Out<ald_raster>, _ error: Out<ald_error>
) -> ald_status {
  out_raster?.pointee = ald_raster(id: 0)
  return enter(error) { () throws(EngineError) in
    guard let out_raster else { throw missing("The out handle", 2) }
    out_raster.pointee = ald_raster(id: try HandleTable.shared.lend(try resolveRasterLayer(layer, 1).lentRaster))
  }
}

@_cdecl("ald_layer_set_visible") @implementation
public func ald_layer_set_visible(_ layer: ald_layer, _ visible: UInt32, _ error: Out<ald_error>) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in
    layer.isVisible = try switched(visible, "visible", 2)
  }
}

@_cdecl("ald_layer_is_visible") @implementation
public func ald_layer_is_visible(
  _ layer: ald_layer, _ out_visible: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(layer, out_visible, "out_visible", argument: 2, error) { (layer) throws(EngineError) in
    layer.isVisible ? 1 : 0
  }
}

@_cdecl("ald_raster_layer_set_renderer") @implementation
public func ald_raster_layer_set_renderer(
  _ layer: ald_layer, _ renderer: In<ald_raster_renderer>, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolveRasterLayer(layer, 1)
    try blaming(2, try layer.setRenderer(try rendererFromC(renderer, 2)))
  }
}

@_cdecl("ald_raster_layer_get_renderer") @implementation
public func ald_raster_layer_get_renderer(
  _ layer: ald_layer, _ out_renderer: Out<ald_raster_renderer>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(out_renderer, argument: 2, error) { () throws(EngineError) in
    let layer = try resolveRasterLayer(layer, 1)
    let resolved = try layer.resolvedRenderer()
    let numbers = resolved.bands.map { Int32(truncatingIfNeeded: $0 &+ 1) } + [0, 0, 0]
    // Three bands may have a range each; then there is no single range to report.
    let oneRange = resolved.ranges.first.flatMap { first in
      resolved.ranges.allSatisfy { $0 == first } ? first : nil
    }
    let all =
      (oneRange != nil ? ALD_RASTER_RENDERER_HAS_RANGE : 0) | ALD_RASTER_RENDERER_HAS_AZIMUTH
      | ALD_RASTER_RENDERER_HAS_ALTITUDE
    return ald_raster_renderer(
      struct_size: 0, kind: resolved.kind.rawValue, fields: ald_raster_renderer_fields(truncatingIfNeeded: all),
      ramp_count: 0, ramp: nil, bands: (numbers[0], numbers[1], numbers[2]), reserved: 0,
      minimum: oneRange?.0 ?? 0, maximum: oneRange?.1 ?? 0,
      gamma: resolved.gamma, azimuth_deg: resolved.azimuth, altitude_deg: resolved.altitude,
      z_factor: resolved.zFactor)
  }
}

private func rendererFromC(
  _ pointer: In<ald_raster_renderer>, _ argument: Int32
) throws(EngineError) -> RasterRenderer {
  var renderer = RasterRenderer()
  let given = try read(pointer, "ald_raster_renderer", argument, zero: ald_raster_renderer())
  try requireFlags(given.reserved, known: 0, "ald_raster_renderer.reserved", argument)
  try requireFlags(
    given.fields,
    known: ALD_RASTER_RENDERER_HAS_RANGE | ALD_RASTER_RENDERER_HAS_AZIMUTH | ALD_RASTER_RENDERER_HAS_ALTITUDE,
    "ald_raster_renderer.fields", argument)
  let isLevel = given.minimum == 0 && given.maximum == 0
  for (bit, isZero, field, flag) in [
    (ALD_RASTER_RENDERER_HAS_RANGE, isLevel, "minimum or maximum", "RANGE"),
    (ALD_RASTER_RENDERER_HAS_AZIMUTH, given.azimuth_deg == 0, "azimuth_deg", "AZIMUTH"),
    (ALD_RASTER_RENDERER_HAS_ALTITUDE, given.altitude_deg == 0, "altitude_deg", "ALTITUDE"),
  ] {
    _ = try isGiven(
      given.fields & bit != 0, orZero: isZero, "ald_raster_renderer.\(field)", "ALD_RASTER_RENDERER_HAS_\(flag)",
      argument)
  }
  renderer.kind = try enumerator(given.kind, "ald_raster_renderer.kind", "kind of renderer", argument)
  renderer.bands = [given.bands.0, given.bands.1, given.bands.2]
  if given.fields & ALD_RASTER_RENDERER_HAS_RANGE != 0 { renderer.range = (given.minimum, given.maximum) }
  if given.gamma != 0 { renderer.gamma = given.gamma }
  if given.fields & ALD_RASTER_RENDERER_HAS_AZIMUTH != 0 { renderer.azimuth = given.azimuth_deg }
  if given.fields & ALD_RASTER_RENDERER_HAS_ALTITUDE != 0 { renderer.altitude = given.altitude_deg }
  renderer.zFactor = given.z_factor
  renderer.ramp = try rampFromC(given, argument)
  return renderer
}

private func rampFromC(_ given: ald_raster_renderer, _ argument: Int32) throws(EngineError) -> [RGBA] {
  guard given.ramp_count > 0 else { return [] }
  guard (2...65536).contains(given.ramp_count) else {
    throw EngineError(.invalidArgument, "A ramp has 2 to 65536 colours, not \(given.ramp_count).", argument: argument)
  }
  guard let colors = given.ramp else { throw missing("ald_raster_renderer.ramp", argument) }
  return (0..<Int(truncatingIfNeeded: given.ramp_count)).map { index in
    let color = colors[index]
    return RGBA(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
  }
}

@_cdecl("ald_raster_layer_create_from_path") @implementation
public func ald_raster_layer_create_from_path(
  _ runtime: ald_runtime, _ path: In<CChar>, _ options: In<ald_raster_open_options>, _ out_layer: Out<ald_layer>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_layer, argument: 4, error) { (runtime) throws(EngineError) in
    let path = try string(path, "path", 2)
    let reference = try openingReference(options, 3, runtime)
    return try blaming(2, try RasterLayer(runtime: runtime, path: path, spatialReference: reference))
  }
}

@_cdecl("ald_layer_load") @implementation
public func ald_layer_load(_ layer: ald_layer, _ error: Out<ald_error>) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in try layer.load() }
}

@_cdecl("ald_layer_load_async") @implementation
public func ald_layer_load_async(
  _ layer: ald_layer, _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>,
  _ error: Out<ald_error>
) -> ald_status {
  enterLoading(request_options, 2, out_request, 3, isRetry: false, error) { () throws(EngineError) in
    try resolve(layer, 1)
  }
}

@_cdecl("ald_layer_retry_load") @implementation
public func ald_layer_retry_load(_ layer: ald_layer, _ error: Out<ald_error>) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in try layer.retryLoad() }
}

@_cdecl("ald_layer_retry_load_async") @implementation
public func ald_layer_retry_load_async(
  _ layer: ald_layer, _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>,
  _ error: Out<ald_error>
) -> ald_status {
  enterLoading(request_options, 2, out_request, 3, isRetry: true, error) { () throws(EngineError) in
    try resolve(layer, 1)
  }
}

@_cdecl("ald_layer_cancel_load") @implementation
public func ald_layer_cancel_load(_ layer: ald_layer, _ error: Out<ald_error>) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in layer.cancelLoad() }
}

@_cdecl("ald_layer_get_load_info") @implementation
public func ald_layer_get_load_info(
  _ layer: ald_layer, _ out_info: Out<ald_load_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(layer, out_info, argument: 2, error) { (layer) throws(EngineError) in
    ald_load_info(layer.loadInfo)
  }
}

// MARK: What a layer lacks

@_cdecl("ald_layer_set_spatial_reference") @implementation
public func ald_layer_set_spatial_reference(
  _ layer: ald_layer, _ spatial_reference: ald_spatial_reference, _ error: Out<ald_error>
) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in
    let reference = try resolveOptional(spatial_reference, 2, with: layer)
    try layer.setSpatialReference(reference)
  }
}

@_cdecl("ald_layer_get_spatial_reference") @implementation
public func ald_layer_get_spatial_reference(
  _ layer: ald_layer, _ out_spatial_reference: Out<ald_spatial_reference>, _ error: Out<ald_error>
) -> ald_status {
  enterLending(layer, out_spatial_reference, argument: 2, error) { (layer) throws(EngineError) in
    try blaming(1, try layer.requireSpatialReference())
  }
}

@_cdecl("ald_layer_get_warning_count") @implementation
public func ald_layer_get_warning_count(
  _ layer: ald_layer, _ out_count: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(layer, out_count, "out_count", argument: 2, error) { (layer) throws(EngineError) in
    UInt32(clamping: layer.warnings.count)
  }
}

@_cdecl("ald_layer_get_warning_at") @implementation
public func ald_layer_get_warning_at(
  _ layer: ald_layer, _ index: UInt32, _ out_kind: Out<ald_layer_warning_kind>, _ buffer: Out<CChar>,
  _ capacity_bytes: Int, _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in
    let warnings = layer.warnings
    let position = try entry(index, of: warnings.count, "warning", owner: "the layer has", 2)
    try copyOut(warnings[position].text, buffer, capacity_bytes, out_size_bytes, bufferArgument: 4)
    out_kind?.pointee = warnings[position].kind.rawValue
  }
}

@_cdecl("ald_layer_get_info") @implementation
public func ald_layer_get_info(
  _ layer: ald_layer, _ out_info: Out<ald_layer_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(layer, out_info, argument: 2, error) { (layer) throws(EngineError) in
    let info = layer.info
    let flags = bits(
      (info.isVisible, ALD_LAYER_VISIBLE), (info.isShown, ALD_LAYER_SHOWN), (info.isInBasemap, ALD_LAYER_IN_BASEMAP))
    return ald_layer_info(
      struct_size: 0, kind: layer.kind.rawValue, flags: flags,
      depth: UInt32(clamping: info.depth), opacity: info.opacity, effective_opacity: info.effectiveOpacity,
      min_scale: info.range.minScale, max_scale: info.range.maxScale,
      effective_min_scale: info.effectiveRange.minScale, effective_max_scale: info.effectiveRange.maxScale,
      group: try lent(info.group), map: try lent(info.map), generation: info.generation,
      load_status: layer.toldLoadStatus.rawValue, reserved32: 0, reserved: (0, 0, 0))
  }
}

@_cdecl("ald_layer_set_opacity") @implementation
public func ald_layer_set_opacity(_ layer: ald_layer, _ opacity: Double, _ error: Out<ald_error>) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in
    try blaming(2, try layer.setOpacity(opacity))
  }
}

@_cdecl("ald_layer_set_scale_range") @implementation
public func ald_layer_set_scale_range(
  _ layer: ald_layer, _ min_scale: Double, _ max_scale: Double, _ error: Out<ald_error>
) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in
    try layer.setScaleRange(try scaleRange(min_scale, max_scale))
  }
}

@_cdecl("ald_layer_set_text") @implementation
public func ald_layer_set_text(
  _ layer: ald_layer, _ kind: ald_layer_text_kind, _ text: In<CChar>, _ error: Out<ald_error>
) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in try setText(of: layer, kind, text) }
}

@_cdecl("ald_layer_get_text") @implementation
public func ald_layer_get_text(
  _ layer: ald_layer, _ kind: ald_layer_text_kind, _ buffer: Out<CChar>, _ capacity_bytes: Int,
  _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in
    try copyText(of: layer, kind, buffer, capacity_bytes, out_size_bytes)
  }
}

@_cdecl("ald_layer_set_property") @implementation
public func ald_layer_set_property(
  _ layer: ald_layer, _ key: In<CChar>, _ text: In<CChar>, _ error: Out<ald_error>
) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in try setProperty(of: layer, key, text) }
}

@_cdecl("ald_layer_get_property") @implementation
public func ald_layer_get_property(
  _ layer: ald_layer, _ key: In<CChar>, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in
    try copyProperty(of: layer, key, buffer, capacity_bytes, out_size_bytes)
  }
}

@_cdecl("ald_layer_get_property_count") @implementation
public func ald_layer_get_property_count(
  _ layer: ald_layer, _ out_count: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(layer, out_count, "out_count", argument: 2, error) { (layer) throws(EngineError) in
    UInt32(clamping: layer.properties.count)
  }
}

@_cdecl("ald_layer_get_property_key_at") @implementation
public func ald_layer_get_property_key_at(
  _ layer: ald_layer, _ index: UInt32, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in
    try copyPropertyKey(of: layer, index, buffer, capacity_bytes, out_size_bytes)
  }
}

@_cdecl("ald_layer_get_full_extent") @implementation
public func ald_layer_get_full_extent(
  _ layer: ald_layer, _ spatial_reference: ald_spatial_reference, _ out_extent: Out<ald_envelope>,
  _ error: Out<ald_error>
) -> ald_status {
  enterGetting(layer, out_extent, "out_extent", argument: 3, error) { (layer) throws(EngineError) in
    let target = try resolveOptional(spatial_reference, 2, with: layer)
    return ald_envelope(try dataExtent(try layer.fullExtent(in: target)))
  }
}

@_cdecl("ald_group_layer_create") @implementation
public func ald_group_layer_create(
  _ runtime: ald_runtime, _ out_layer: Out<ald_layer>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_layer, argument: 2, error) { (runtime) throws(EngineError) in
    GroupLayer(runtime: runtime)
  }
}

@_cdecl("ald_group_layer_add_layer") @implementation
public func ald_group_layer_add_layer(_ group: ald_layer, _ layer: ald_layer, _ error: Out<ald_error>) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (group, layer) = try groupAndLayer(group, layer)
    try blaming(2, try group.add(layer))
  }
}

@_cdecl("ald_group_layer_insert_layer") @implementation
public func ald_group_layer_insert_layer(
  _ group: ald_layer, _ layer: ald_layer, _ index: UInt32, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (group, layer) = try groupAndLayer(group, layer)
    try blamingPlace(3) { () throws(EngineError) in try group.insert(layer, at: Int(truncatingIfNeeded: index)) }
  }
}

@_cdecl("ald_group_layer_move_layer") @implementation
public func ald_group_layer_move_layer(
  _ group: ald_layer, _ layer: ald_layer, _ index: UInt32, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (group, layer) = try groupAndLayer(group, layer)
    try blaming(2, try group.move(layer, to: Int(truncatingIfNeeded: index)))
  }
}

@_cdecl("ald_group_layer_remove_layer") @implementation
public func ald_group_layer_remove_layer(
  _ group: ald_layer, _ layer: ald_layer, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (group, layer) = try groupAndLayer(group, layer)
    try blaming(2, try group.remove(layer))
  }
}

@_cdecl("ald_group_layer_get_layer_count") @implementation
public func ald_group_layer_get_layer_count(
  _ group: ald_layer, _ out_count: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(out_count, "out_count", argument: 2, error) { () throws(EngineError) in
    let group = try resolveGroupLayer(group, 1)
    return UInt32(clamping: group.layers.count)
  }
}

@_cdecl("ald_group_layer_get_layer_at") @implementation
public func ald_group_layer_get_layer_at(
  _ group: ald_layer, _ index: UInt32, _ out_layer: Out<ald_layer>, _ error: Out<ald_error>
) -> ald_status {
  enterLending(out_layer, argument: 3, error) { () throws(EngineError) in
    try layer(at: index, of: try resolveGroupLayer(group, 1).layers, "the group")
  }
}

/// A layer that must be a group.
func resolveGroupLayer(_ handle: ald_layer, _ argument: Int32) throws(EngineError) -> GroupLayer {
  guard let group = try resolve(handle, argument) as? GroupLayer else {
    throw EngineError(.invalidArgument, "The layer is no group.", argument: argument)
  }
  return group
}

private func groupAndLayer(
  _ group: ald_layer, _ layer: ald_layer
) throws(EngineError) -> (group: GroupLayer, layer: Layer) {
  let group = try resolveGroupLayer(group, 1)
  let layer = try resolve(layer, 2, with: group)
  return (group, layer)
}

/// Blames the errors of `body` on the layer, the second argument, or on the index if there is no such index.
func blamingPlace<Result>(
  _ argument: Int32, _ body: () throws(EngineError) -> Result
) throws(EngineError) -> Result {
  do throws(EngineError) { return try body() } catch {
    throw error.blaming(argument: error.status == .notFound ? argument : 2)
  }
}

/// One layer of several, by the host's number.
func layer(at index: UInt32, of layers: [Layer], _ owner: String) throws(EngineError) -> Layer {
  let position = try entry(index, of: layers.count, "layer", owner: "\(owner) has", 2)
  return layers[position]
}

/// A layer that must be a feature layer.
func resolveFeatureLayer(_ handle: ald_layer, _ argument: Int32) throws(EngineError) -> FeatureLayer {
  guard let layer = try resolve(handle, argument) as? FeatureLayer else {
    throw EngineError(.invalidArgument, "The layer is no feature layer.", argument: argument)
  }
  return layer
}

@_cdecl("ald_feature_layer_create") @implementation
public func ald_feature_layer_create(
  _ feature_source: ald_feature_source, _ out_layer: Out<ald_layer>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(feature_source, out_layer, argument: 2, error) { (source) throws(EngineError) in
    try blaming(1, try FeatureLayer(source: source))
  }
}

@_cdecl("ald_feature_layer_create_from_path") @implementation
public func ald_feature_layer_create_from_path(
  _ runtime: ald_runtime, _ path: In<CChar>, _ options: In<ald_feature_source_options>, _ out_layer: Out<ald_layer>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_layer, argument: 4, error) { (runtime) throws(EngineError) in
    let path = try string(path, "path", 2)
    let options = try sourceOptions(options, 3, runtime)
    return try blaming(2, try FeatureLayer(runtime: runtime, path: path, options: options))
  }
}

@_cdecl("ald_feature_layer_get_source") @implementation
public func ald_feature_layer_get_source(
  _ layer: ald_layer, _ out_source: Out<ald_feature_source>, _ error: Out<ald_error>
) -> ald_status {
  enterLending(out_source, argument: 2, error) { () throws(EngineError) in
    let layer = try resolveFeatureLayer(layer, 1)
    return try blaming(1, try layer.requireSource())
  }
}

@_cdecl("ald_feature_layer_set_definition") @implementation
public func ald_feature_layer_set_definition(
  _ layer: ald_layer, _ definition_expression: In<CChar>, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolveFeatureLayer(layer, 1)
    let definition = try optionalString(definition_expression, "definition_expression", 2)
    try blaming(2, try layer.setDefinition(definition))
  }
}

@_cdecl("ald_feature_layer_get_definition") @implementation
public func ald_feature_layer_get_definition(
  _ layer: ald_layer, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolveFeatureLayer(layer, 1)
    try copyOut(layer.definition ?? "", buffer, capacity_bytes, out_size_bytes, bufferArgument: 2)
  }
}

@_cdecl("ald_feature_layer_set_renderer") @implementation
public func ald_feature_layer_set_renderer(
  _ layer: ald_layer, _ renderer: In<ald_graphics_renderer>, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolveFeatureLayer(layer, 1)
    layer.setRenderer(try graphicsRenderer(renderer, 2))
  }
}

@_cdecl("ald_view_create_feature_drawing") @implementation
public func ald_view_create_feature_drawing(
  _ view: ald_view, _ layer: ald_layer, _ options: In<ald_overlay_drawing_options>,
  _ out_drawing: Out<ald_overlay_drawing>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(view, out_drawing, argument: 4, error) { (view) throws(EngineError) in
    let layer = try resolveFeatureLayer(layer, 2)
    try requireSameRuntime(view, layer, 2)
    let keepsOutside = try drawingKeepsOutside(options, 3)
    return try blaming(2, try view.drawing(of: layer, keepsOutside: keepsOutside))
  }
}
