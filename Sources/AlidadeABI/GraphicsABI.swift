import AlidadeBase
import AlidadeGeometry
import AlidadeMap
import CAlidade

// MARK: Edits

@_cdecl("ald_graphics_overlay_add") @implementation
public func ald_graphics_overlay_add(
  _ overlay: ald_graphics_overlay, _ geometry_array: ald_geometry_array,
  _ columns: UnsafePointer<ald_graphic_columns>?, _ out_first_id: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    let array = try resolve(geometry_array, 2)
    try requireSameRuntime(overlay, array, 2)
    let columns = try graphicColumns(columns, for: array.count, overlay.runtime.policy, 3)
    let id = try blaming(3) { () throws(EngineError) in try overlay.add(array, columns) }
    out_first_id?.pointee = id
  }
}

@_cdecl("ald_graphics_overlay_add_one") @implementation
public func ald_graphics_overlay_add_one(
  _ overlay: ald_graphics_overlay, _ geometry: ald_geometry, _ columns: UnsafePointer<ald_graphic_columns>?,
  _ out_graphic_id: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    let geometry = try resolve(geometry, 2)
    try requireSameRuntime(overlay, geometry, 2)
    let columns = try graphicColumns(columns, for: 1, overlay.runtime.policy, 3)
    let id = try blaming(3) { () throws(EngineError) in try overlay.add(geometry, columns) }
    out_graphic_id?.pointee = id
  }
}

@_cdecl("ald_graphics_overlay_update") @implementation
public func ald_graphics_overlay_update(
  _ overlay: ald_graphics_overlay, _ graphic_ids: UnsafePointer<UInt64>?, _ graphic_count: Int,
  _ geometry_array: ald_geometry_array, _ columns: UnsafePointer<ald_graphic_columns>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    let ids = try graphicIDs(graphic_ids, graphic_count, overlay.runtime.policy)
    let array = try resolveOptional(geometry_array, 4)
    try requireSameRuntime(overlay, array, 4)
    let columns = try graphicColumns(columns, for: ids.count, overlay.runtime.policy, 5)
    try overlay.update(ids, geometries: array, columns)
  }
}

@_cdecl("ald_graphics_overlay_set_geometry") @implementation
public func ald_graphics_overlay_set_geometry(
  _ overlay: ald_graphics_overlay, _ graphic_id: UInt64, _ geometry: ald_geometry,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    let geometry = try resolve(geometry, 3)
    try requireSameRuntime(overlay, geometry, 3)
    try blaming(2) { () throws(EngineError) in try overlay.setGeometry(geometry, of: graphic_id) }
  }
}

@_cdecl("ald_graphics_overlay_remove") @implementation
public func ald_graphics_overlay_remove(
  _ overlay: ald_graphics_overlay, _ graphic_ids: UnsafePointer<UInt64>?, _ graphic_count: Int,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    let ids = try graphicIDs(graphic_ids, graphic_count, overlay.runtime.policy)
    try blaming(2) { () throws(EngineError) in try overlay.remove(ids) }
  }
}

@_cdecl("ald_graphics_overlay_clear") @implementation
public func ald_graphics_overlay_clear(
  _ overlay: ald_graphics_overlay, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolve(overlay, 1).removeAll() }
}

// MARK: Selection

@_cdecl("ald_graphics_overlay_select") @implementation
public func ald_graphics_overlay_select(
  _ overlay: ald_graphics_overlay, _ graphic_ids: UnsafePointer<UInt64>?, _ graphic_count: Int, _ selected: Int32,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    let ids = try graphicIDs(graphic_ids, graphic_count, overlay.runtime.policy)
    guard selected == 0 || selected == 1 else {
      throw EngineError(.invalidArgument, "selected is \(selected); it must be 0 or 1.", argument: 4)
    }
    try blaming(2) { () throws(EngineError) in try overlay.select(ids, isSelected: selected == 1) }
  }
}

@_cdecl("ald_graphics_overlay_clear_selection") @implementation
public func ald_graphics_overlay_clear_selection(
  _ overlay: ald_graphics_overlay, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolve(overlay, 1).clearSelection() }
}

// MARK: Undo

@_cdecl("ald_graphics_overlay_begin_undo_group") @implementation
public func ald_graphics_overlay_begin_undo_group(
  _ overlay: ald_graphics_overlay, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolve(overlay, 1).beginUndoGroup() }
}

@_cdecl("ald_graphics_overlay_end_undo_group") @implementation
public func ald_graphics_overlay_end_undo_group(
  _ overlay: ald_graphics_overlay, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolve(overlay, 1).endUndoGroup() }
}

@_cdecl("ald_graphics_overlay_undo") @implementation
public func ald_graphics_overlay_undo(
  _ overlay: ald_graphics_overlay, _ out_changed_count: UnsafeMutablePointer<UInt32>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let count = try resolve(overlay, 1).undo()
    out_changed_count?.pointee = UInt32(clamping: count)
  }
}

@_cdecl("ald_graphics_overlay_redo") @implementation
public func ald_graphics_overlay_redo(
  _ overlay: ald_graphics_overlay, _ out_changed_count: UnsafeMutablePointer<UInt32>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let count = try resolve(overlay, 1).redo()
    out_changed_count?.pointee = UInt32(clamping: count)
  }
}

@_cdecl("ald_graphics_overlay_clear_history") @implementation
public func ald_graphics_overlay_clear_history(
  _ overlay: ald_graphics_overlay, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolve(overlay, 1).clearHistory() }
}

// MARK: Reading

@_cdecl("ald_graphics_overlay_list") @implementation
public func ald_graphics_overlay_list(
  _ overlay: ald_graphics_overlay, _ list_flags: UInt32, _ out_graphic_ids: UnsafeMutablePointer<UInt64>?,
  _ capacity: Int, _ out_count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    let selected = UInt32(truncatingIfNeeded: ALD_GRAPHIC_LIST_SELECTED)
    try requireFlags(list_flags, known: selected, "list_flags", 2)
    let output = try OutputList(out_graphic_ids, capacity: capacity, out_count, arrayArgument: 3)
    try output.write(overlay.graphicIDs(selectedOnly: list_flags & selected != 0), "graphics") { $0 }
  }
}

@_cdecl("ald_graphics_overlay_get_graphic") @implementation
public func ald_graphics_overlay_get_graphic(
  _ overlay: ald_graphics_overlay, _ graphic_id: UInt64, _ out_graphic: UnsafeMutablePointer<ald_graphic>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    let out = try requireOut(out_graphic, "ald_graphic", 3)
    let facts = try blaming(2) { () throws(EngineError) in try overlay.facts(of: graphic_id) }
    var flags: UInt32 = 0
    if facts.isHidden { flags |= UInt32(truncatingIfNeeded: ALD_GRAPHIC_HIDDEN) }
    if facts.isSelected { flags |= UInt32(truncatingIfNeeded: ALD_GRAPHIC_SELECTED) }
    if facts.symbol != nil { flags |= UInt32(truncatingIfNeeded: ALD_GRAPHIC_HAS_SYMBOL) }
    write(
      ald_graphic(
        struct_size: 0, flags: flags, graphic_id: graphic_id, z_index: facts.zIndex,
        attribute_count: UInt32(clamping: facts.attributeCount), symbol: ald_symbol(facts.symbol ?? Symbol())),
      to: out)
  }
}

@_cdecl("ald_graphics_overlay_create_geometry") @implementation
public func ald_graphics_overlay_create_geometry(
  _ overlay: ald_graphics_overlay, _ graphic_id: UInt64, _ out_geometry: UnsafeMutablePointer<ald_geometry>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_geometry, argument: 3, error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    return try blaming(2) { () throws(EngineError) in try overlay.geometry(of: graphic_id) }
  }
}

@_cdecl("ald_graphics_overlay_attribute_name") @implementation
public func ald_graphics_overlay_attribute_name(
  _ overlay: ald_graphics_overlay, _ graphic_id: UInt64, _ index: UInt32, _ buffer: UnsafeMutablePointer<CChar>?,
  _ capacity: Int, _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    let names = try blaming(2) { () throws(EngineError) in try overlay.attributeNames(of: graphic_id) }
    let position = Int(truncatingIfNeeded: index)
    guard position < names.count else {
      throw EngineError(
        .notFound, "There is no attribute \(index); the graphic has \(names.count), from 0.", argument: 3)
    }
    try copyOut(names[position], buffer, capacity, out_size, bufferArgument: 4)
  }
}

@_cdecl("ald_graphics_overlay_attribute") @implementation
public func ald_graphics_overlay_attribute(
  _ overlay: ald_graphics_overlay, _ graphic_id: UInt64, _ attribute_name: UnsafePointer<CChar>?,
  _ out_value: UnsafeMutablePointer<ald_graphic_value>?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    let name = try string(attribute_name, "attribute_name", 3)
    let value = try blaming(2) { () throws(EngineError) in try overlay.value(name, of: graphic_id) }
    if buffer != nil || capacity != 0 || out_size != nil || out_value == nil {
      var text = ""
      if case .text(let own) = value { text = own }
      try copyOut(text, buffer, capacity, out_size, bufferArgument: 5)
    }
    out_value?.pointee = ald_graphic_value(value)
  }
}

// MARK: Arrays

private func graphicIDs(
  _ pointer: UnsafePointer<UInt64>?, _ count: Int, _ policy: Policy
) throws(EngineError) -> [UInt64] {
  try requireCapacity(count, 3)
  try blaming(3) { () throws(EngineError) in
    try policy.check(points: count)
    try policy.check(bytes: count, MemoryLayout<UInt64>.size)
  }
  guard count > 0 else { return [] }
  guard let pointer else { throw missing("graphic_ids", 2) }
  return (0..<count).map { UnsafeRawPointer(pointer + $0).loadUnaligned(as: UInt64.self) }
}
