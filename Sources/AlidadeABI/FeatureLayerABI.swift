import AlidadeBase
import AlidadeData
import AlidadeMap
import CAlidade

/// A layer that must be a feature layer.
func resolveFeatureLayer(_ handle: ald_layer, _ argument: Int32) throws(EngineError) -> FeatureLayer {
  guard let layer = try resolve(handle, argument) as? FeatureLayer else {
    throw EngineError(.invalidArgument, "The layer is no feature layer.", argument: argument)
  }
  return layer
}

@_cdecl("ald_feature_layer_create") @implementation
public func ald_feature_layer_create(
  _ feature_source: ald_feature_source, _ out_layer: UnsafeMutablePointer<ald_layer>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_layer, argument: 2, error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    return try blaming(1) { () throws(EngineError) -> Layer in try FeatureLayer(source: source) }
  }
}

@_cdecl("ald_feature_layer_create_from_path") @implementation
public func ald_feature_layer_create_from_path(
  _ runtime: ald_runtime, _ source_path: UnsafePointer<CChar>?, _ options: UnsafePointer<ald_feature_source_options>?,
  _ out_layer: UnsafeMutablePointer<ald_layer>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_layer, argument: 4, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let path = try string(source_path, "source_path", 2)
    let options = try sourceOptions(options, 3, runtime)
    return try blaming(2) { () throws(EngineError) -> Layer in
      try FeatureLayer(runtime: runtime, path: path, options: options)
    }
  }
}

@_cdecl("ald_feature_layer_source") @implementation
public func ald_feature_layer_source(
  _ layer: ald_layer, _ out_source: UnsafeMutablePointer<ald_feature_source>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLending(out_source, argument: 2, error) { () throws(EngineError) in
    let layer = try resolveFeatureLayer(layer, 1)
    return try blaming(1) { () throws(EngineError) in try layer.requireSource() }
  }
}

@_cdecl("ald_feature_layer_set_definition") @implementation
public func ald_feature_layer_set_definition(
  _ layer: ald_layer, _ definition_expression: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolveFeatureLayer(layer, 1)
    let definition = try optionalString(definition_expression, "definition_expression", 2)
    try blaming(2) { () throws(EngineError) in try layer.setDefinition(definition) }
  }
}

@_cdecl("ald_feature_layer_definition") @implementation
public func ald_feature_layer_definition(
  _ layer: ald_layer, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ out_size: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolveFeatureLayer(layer, 1)
    try copyOut(layer.definition ?? "", buffer, capacity, out_size, bufferArgument: 2)
  }
}

@_cdecl("ald_feature_layer_set_renderer") @implementation
public func ald_feature_layer_set_renderer(
  _ layer: ald_layer, _ renderer: UnsafePointer<ald_graphics_renderer>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolveFeatureLayer(layer, 1)
    layer.setRenderer(try graphicsRenderer(renderer, 2))
  }
}

@_cdecl("ald_view_create_feature_drawing") @implementation
public func ald_view_create_feature_drawing(
  _ view: ald_view, _ layer: ald_layer, _ options: UnsafePointer<ald_overlay_drawing_options>?,
  _ out_drawing: UnsafeMutablePointer<ald_overlay_drawing>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_drawing, argument: 4, error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    let layer = try resolveFeatureLayer(layer, 2)
    try requireSameRuntime(view, layer, 2)
    let keepsOutside = try drawingKeepsOutside(options, 3)
    return try blaming(2) { () throws(EngineError) in try view.drawing(of: layer, keepsOutside: keepsOutside) }
  }
}
