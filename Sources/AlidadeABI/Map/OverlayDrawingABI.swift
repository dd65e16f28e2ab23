import AlidadeBase
import AlidadeMap
import CAlidade

@_cdecl("ald_view_create_overlay_drawing") @implementation
public func ald_view_create_overlay_drawing(
  _ view: ald_view, _ overlay: ald_graphics_overlay, _ options: In<ald_overlay_drawing_options>,
  _ out_drawing: Out<ald_overlay_drawing>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(view, out_drawing, argument: 4, error) { (view) throws(EngineError) in
    let overlay = try resolveOptional(overlay, 2, with: view)
    let keepsOutside = try drawingKeepsOutside(options, 3)
    return try view.overlayDrawing(of: overlay, keepsOutside: keepsOutside)
  }
}

/// What a drawing's options say of graphics that are not in sight.
func drawingKeepsOutside(_ options: In<ald_overlay_drawing_options>, _ argument: Int32) throws(EngineError) -> Bool {
  let given = try read(options, "ald_overlay_drawing_options", argument, zero: ald_overlay_drawing_options())
  try requireFlags(given.flags, known: ALD_OVERLAY_DRAWING_KEEP_OUTSIDE, "ald_overlay_drawing_options.flags", argument)
  return given.flags & ALD_OVERLAY_DRAWING_KEEP_OUTSIDE != 0
}

@_cdecl("ald_overlay_drawing_get_info") @implementation
public func ald_overlay_drawing_get_info(
  _ overlay_drawing: ald_overlay_drawing, _ out_info: Out<ald_overlay_drawing_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(overlay_drawing, out_info, argument: 2, error) { (drawing) throws(EngineError) in
    let counts = drawing.counts
    return ald_overlay_drawing_info(
      struct_size: 0, overlay_count: UInt32(clamping: drawing.parts.count),
      view_generation: drawing.frame.generation, drawn_graphic_count: UInt32(clamping: counts.drawn),
      hidden_graphic_count: UInt32(clamping: counts.hidden), outside_graphic_count: UInt32(clamping: counts.outside),
      unsymbolized_graphic_count: UInt32(clamping: counts.unsymbolized),
      empty_graphic_count: UInt32(clamping: counts.empty), failed_graphic_count: UInt32(clamping: counts.failed),
      ballpark_graphic_count: UInt32(clamping: counts.ballpark), reserved: 0)
  }
}

@_cdecl("ald_overlay_drawing_get_columns") @implementation
public func ald_overlay_drawing_get_columns(
  _ overlay_drawing: ald_overlay_drawing, _ out_columns: Out<ald_overlay_drawing_columns>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(overlay_drawing, out_columns, argument: 2, error) { (drawing) throws(EngineError) in
    let items = drawing.items
    let symbols = drawing.attachment { CSymbols(drawing.symbols) }
    return ald_overlay_drawing_columns(
      struct_size: 0, item_count: UInt32(clamping: items.count),
      part_count: UInt32(clamping: items.pathOffsets.buffer.count &- 1),
      path_count: UInt32(clamping: items.vertexOffsets.buffer.count &- 1),
      vertex_count: UInt32(clamping: items.points.buffer.count), symbol_count: UInt32(clamping: symbols.count),
      graphic_ids: UnsafePointer(items.ids.buffer.baseAddress),
      overlay_indexes: UnsafePointer(items.overlays.buffer.baseAddress),
      symbol_indexes: UnsafePointer(items.symbols.buffer.baseAddress),
      item_flags: UnsafePointer(items.flags.buffer.baseAddress), kinds: UnsafePointer(items.kinds.buffer.baseAddress),
      part_offsets: UnsafePointer(items.partOffsets.buffer.baseAddress),
      path_offsets: UnsafePointer(items.pathOffsets.buffer.baseAddress),
      vertex_offsets: UnsafePointer(items.vertexOffsets.buffer.baseAddress),
      screen_xy: items.points.buffer.baseAddress.map {
        UnsafeRawPointer($0).assumingMemoryBound(to: Double.self)
      }, symbols: symbols.memory)
  }
}

@_cdecl("ald_overlay_drawing_get_overlay_at") @implementation
public func ald_overlay_drawing_get_overlay_at(
  _ overlay_drawing: ald_overlay_drawing, _ index: UInt32, _ out_overlay: Out<ald_overlay_drawing_overlay>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(overlay_drawing, out_overlay, argument: 3, error) { (drawing) throws(EngineError) in
    let position = try entry(index, of: drawing.parts.count, "overlay", owner: "the drawing has", 2)
    let part = drawing.parts[position]
    return ald_overlay_drawing_overlay(
      struct_size: 0, first_item: UInt32(clamping: part.items.lowerBound),
      item_count: UInt32(clamping: part.items.count), reserved: 0, opacity: part.opacity,
      generation: part.generation,
      overlay: try lent(drawing.isOfLayer ? nil : part.overlay))
  }
}

@_cdecl("ald_overlay_drawing_get_failure_at") @implementation
public func ald_overlay_drawing_get_failure_at(
  _ overlay_drawing: ald_overlay_drawing, _ index: UInt32, _ out_failure: Out<ald_overlay_failure>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(overlay_drawing, out_failure, argument: 3, error) { (drawing) throws(EngineError) in
    let position = try entry(index, of: drawing.failures.count, "failure", owner: "the drawing has", 2)
    let failure = drawing.failures[position]
    return ald_overlay_failure(
      struct_size: 0, reason: failure.reason.rawValue, graphic_id: failure.graphicID,
      overlay_index: UInt32(clamping: failure.overlayIndex),
      point_status: UInt32(truncatingIfNeeded: failure.pointStatus.rawValue),
      vertex: ald_point(failure.vertex))
  }
}

/// Symbols in their C form, which live as long as this object.
private final class CSymbols: Sendable {
  /// Right to share: written once, in init.
  nonisolated(unsafe) let memory: UnsafeMutablePointer<ald_symbol>
  let count: Int

  init(_ symbols: [Symbol]) {
    count = symbols.count
    memory = .allocate(capacity: max(1, symbols.count))
    for (index, symbol) in symbols.enumerated() { (memory + index).initialize(to: ald_symbol(symbol)) }
  }

  deinit { memory.deallocate() }
}
