import AlidadeBase
import AlidadeMap
import CAlidade

@_cdecl("ald_group_layer_create") @implementation
public func ald_group_layer_create(
  _ runtime: ald_runtime, _ out_layer: UnsafeMutablePointer<ald_layer>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_layer, argument: 2, error) { () throws(EngineError) in
    GroupLayer(runtime: try resolve(runtime, 1))
  }
}

@_cdecl("ald_group_layer_add") @implementation
public func ald_group_layer_add(
  _ group: ald_layer, _ layer: ald_layer, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (group, layer) = try groupAndLayer(group, layer)
    try blaming(2) { () throws(EngineError) in try group.add(layer) }
  }
}

@_cdecl("ald_group_layer_insert") @implementation
public func ald_group_layer_insert(
  _ group: ald_layer, _ layer: ald_layer, _ index: UInt32, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (group, layer) = try groupAndLayer(group, layer)
    try blamingPlace(3) { () throws(EngineError) in try group.insert(layer, at: Int(truncatingIfNeeded: index)) }
  }
}

@_cdecl("ald_group_layer_move") @implementation
public func ald_group_layer_move(
  _ group: ald_layer, _ layer: ald_layer, _ index: UInt32, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (group, layer) = try groupAndLayer(group, layer)
    try blaming(2) { () throws(EngineError) in try group.move(layer, to: Int(truncatingIfNeeded: index)) }
  }
}

@_cdecl("ald_group_layer_remove") @implementation
public func ald_group_layer_remove(
  _ group: ald_layer, _ layer: ald_layer, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (group, layer) = try groupAndLayer(group, layer)
    try blaming(2) { () throws(EngineError) in try group.remove(layer) }
  }
}

@_cdecl("ald_group_layer_count") @implementation
public func ald_group_layer_count(
  _ group: ald_layer, _ out_count: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let group = try resolveGroupLayer(group, 1)
    guard let out_count else { throw missing("out_count", 2) }
    out_count.pointee = UInt32(clamping: group.layers.count)
  }
}

@_cdecl("ald_group_layer_at") @implementation
public func ald_group_layer_at(
  _ group: ald_layer, _ index: UInt32, _ out_layer: UnsafeMutablePointer<ald_layer>?,
  _ error: UnsafeMutablePointer<ald_error>?
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
  let layer = try resolve(layer, 2)
  try requireSameRuntime(group, layer, 2)
  return (group, layer)
}

/// Blames what `body` throws on the layer, the second argument, or on the place if there is none.
func blamingPlace<Result>(
  _ argument: Int32, _ body: () throws(EngineError) -> Result
) throws(EngineError) -> Result {
  do throws(EngineError) { return try body() } catch {
    throw error.blaming(argument: error.status == .notFound ? argument : 2)
  }
}

/// One layer of several, by the host's number.
func layer(at index: UInt32, of layers: [Layer], _ owner: String) throws(EngineError) -> Layer {
  let position = Int(truncatingIfNeeded: index)
  guard position < layers.count else {
    throw EngineError(.notFound, "There is no layer \(index); \(owner) has \(layers.count), from 0.", argument: 2)
  }
  return layers[position]
}
