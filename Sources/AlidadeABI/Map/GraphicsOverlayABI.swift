import AlidadeBase
import AlidadeData
import AlidadeGeometry
import AlidadeMap
import CAlidade

@_cdecl("ald_graphics_overlay_create") @implementation
public func ald_graphics_overlay_create(
  _ runtime: ald_runtime, _ options: In<ald_graphics_overlay_options>, _ out_overlay: Out<ald_graphics_overlay>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_overlay, argument: 3, error) { (runtime) throws(EngineError) in
    let options = try overlayOptions(options, 2)
    return try blaming(2, try GraphicsOverlay(runtime: runtime, options: options))
  }
}

@_cdecl("ald_graphics_overlay_set_options") @implementation
public func ald_graphics_overlay_set_options(
  _ overlay: ald_graphics_overlay, _ options: In<ald_graphics_overlay_options>, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    let options = try overlayOptions(options, 2)
    try blaming(2, try overlay.setOptions(options))
  }
}

@_cdecl("ald_graphics_overlay_get_info") @implementation
public func ald_graphics_overlay_get_info(
  _ overlay: ald_graphics_overlay, _ out_info: Out<ald_graphics_overlay_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(overlay, out_info, argument: 2, error) { (overlay) throws(EngineError) in
    ald_graphics_overlay_info(overlay.facts)
  }
}

@_cdecl("ald_graphics_overlay_set_name") @implementation
public func ald_graphics_overlay_set_name(
  _ overlay: ald_graphics_overlay, _ name: In<CChar>, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    overlay.name = try string(name, "name", 2)
  }
}

@_cdecl("ald_graphics_overlay_get_name") @implementation
public func ald_graphics_overlay_get_name(
  _ overlay: ald_graphics_overlay, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    try copyOut(overlay.name, buffer, capacity_bytes, out_size_bytes, bufferArgument: 2)
  }
}

@_cdecl("ald_graphics_overlay_set_renderer") @implementation
public func ald_graphics_overlay_set_renderer(
  _ overlay: ald_graphics_overlay, _ renderer: In<ald_graphics_renderer>, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    overlay.setRenderer(try graphicsRenderer(renderer, 2))
  }
}

// MARK: Views

@_cdecl("ald_view_add_graphics_overlay") @implementation
public func ald_view_add_graphics_overlay(
  _ view: ald_view, _ overlay: ald_graphics_overlay, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (view, overlay) = try viewAndOverlay(view, overlay)
    try blaming(2, try view.add(overlay))
  }
}

@_cdecl("ald_view_insert_graphics_overlay") @implementation
public func ald_view_insert_graphics_overlay(
  _ view: ald_view, _ overlay: ald_graphics_overlay, _ index: UInt32, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (view, overlay) = try viewAndOverlay(view, overlay)
    try view.insert(overlay, at: Int(truncatingIfNeeded: index))
  }
}

@_cdecl("ald_view_move_graphics_overlay") @implementation
public func ald_view_move_graphics_overlay(
  _ view: ald_view, _ overlay: ald_graphics_overlay, _ index: UInt32, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (view, overlay) = try viewAndOverlay(view, overlay)
    try view.move(overlay, to: Int(truncatingIfNeeded: index))
  }
}

@_cdecl("ald_view_remove_graphics_overlay") @implementation
public func ald_view_remove_graphics_overlay(
  _ view: ald_view, _ overlay: ald_graphics_overlay, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (view, overlay) = try viewAndOverlay(view, overlay)
    try blaming(2, try view.remove(overlay))
  }
}

@_cdecl("ald_view_get_graphics_overlay_count") @implementation
public func ald_view_get_graphics_overlay_count(
  _ view: ald_view, _ out_count: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(view, out_count, "out_count", argument: 2, error) { (view) throws(EngineError) in
    UInt32(clamping: view.graphicsOverlays.count)
  }
}

@_cdecl("ald_view_get_graphics_overlay_at") @implementation
public func ald_view_get_graphics_overlay_at(
  _ view: ald_view, _ index: UInt32, _ out_overlay: Out<ald_graphics_overlay>, _ error: Out<ald_error>
) -> ald_status {
  enterLending(view, out_overlay, argument: 3, error) { (view) throws(EngineError) in
    let overlays = view.graphicsOverlays
    let position = try entry(index, of: overlays.count, "overlay", owner: "the view has", 2)
    return overlays[position]
  }
}

private func viewAndOverlay(
  _ view: ald_view, _ overlay: ald_graphics_overlay
) throws(EngineError) -> (MapView, GraphicsOverlay) {
  let view = try resolve(view, 1)
  let overlay = try resolve(overlay, 2, with: view)
  return (view, overlay)
}

// MARK: Structs

/// Options from C; their numbers are checked by the overlay.
private func overlayOptions(
  _ pointer: In<ald_graphics_overlay_options>, _ argument: Int32
) throws(EngineError) -> GraphicsOverlayOptions {
  var options = GraphicsOverlayOptions()
  let given = try read(pointer, "ald_graphics_overlay_options", argument, zero: ald_graphics_overlay_options())
  try requireFlags(
    given.flags,
    known: ALD_GRAPHICS_OVERLAY_HIDDEN | ALD_GRAPHICS_OVERLAY_HAS_OPACITY | ALD_GRAPHICS_OVERLAY_SCALE_SYMBOLS
      | ALD_GRAPHICS_OVERLAY_NO_UNDO | ALD_GRAPHICS_OVERLAY_HAS_SELECTION_COLOR,
    "ald_graphics_overlay_options.flags", argument)
  let name = "ald_graphics_overlay_options"
  let hasOpacity = try isGiven(
    given.flags & ALD_GRAPHICS_OVERLAY_HAS_OPACITY != 0, orZero: given.opacity == 0, "\(name).opacity",
    "ALD_GRAPHICS_OVERLAY_HAS_OPACITY",
    argument)
  let color = given.selection_color
  // A colour that can be seen needs no bit.
  let hasColor = try isGiven(
    color.alpha != 0 || given.flags & ALD_GRAPHICS_OVERLAY_HAS_SELECTION_COLOR != 0,
    orZero: color.red | color.green | color.blue == 0,
    "\(name).selection_color", "ALD_GRAPHICS_OVERLAY_HAS_SELECTION_COLOR", argument)
  options.isHidden = given.flags & ALD_GRAPHICS_OVERLAY_HIDDEN != 0
  if hasOpacity { options.opacity = given.opacity }
  options.scalesSymbols = given.flags & ALD_GRAPHICS_OVERLAY_SCALE_SYMBOLS != 0
  options.minScale = given.min_scale
  options.maxScale = given.max_scale
  if hasColor { options.selectionColor = RGBA(color) }
  if given.undo_limit != 0 { options.undoLimit = Int(truncatingIfNeeded: given.undo_limit) }
  if given.undo_limit > 10_000 {
    throw EngineError(
      .invalidArgument, "ald_graphics_overlay_options.undo_limit is \(given.undo_limit); 10,000 is the most.",
      argument: argument)
  }
  if given.flags & ALD_GRAPHICS_OVERLAY_NO_UNDO != 0 { options.undoLimit = 0 }
  return options
}

extension ald_graphics_overlay_info {
  fileprivate init(_ facts: GraphicsOverlay.Facts) {
    let options = facts.options
    self.init(
      struct_size: 0,
      flags: ALD_GRAPHICS_OVERLAY_HAS_OPACITY | ALD_GRAPHICS_OVERLAY_HAS_SELECTION_COLOR
        | (options.isHidden ? ALD_GRAPHICS_OVERLAY_HIDDEN : 0)
        | (options.scalesSymbols ? ALD_GRAPHICS_OVERLAY_SCALE_SYMBOLS : 0)
        | (options.undoLimit == 0 ? ALD_GRAPHICS_OVERLAY_NO_UNDO : 0),
      generation: facts.generation, graphic_count: UInt32(clamping: facts.graphicCount),
      selected_count: UInt32(clamping: facts.selectedCount), undo_count: UInt32(clamping: facts.undoCount),
      redo_count: UInt32(clamping: facts.redoCount), opacity: options.opacity, min_scale: options.minScale,
      max_scale: options.maxScale, selection_color: ald_rgba(options.selectionColor),
      undo_limit: UInt32(clamping: options.undoLimit))
  }
}

/// A renderer from C; nil for NULL.
func graphicsRenderer(
  _ pointer: In<ald_graphics_renderer>, _ argument: Int32
) throws(EngineError) -> GraphicsRenderer? {
  guard let pointer else { return nil }
  let name = "ald_graphics_renderer"
  let given = try read(pointer, name, argument, zero: ald_graphics_renderer())
  let kind: GraphicsRenderer.Kind = try enumerator(given.kind, "\(name).kind", "kind", argument)
  let classCount = kind == .simple ? 0 : given.class_count
  guard given.class_count == classCount, classCount <= 65_536 else {
    throw EngineError(
      .invalidArgument,
      "\(name).class_count is \(given.class_count); a simple renderer has 0, others at most 65,536.",
      argument: argument)
  }
  let mostFields: UInt32 = kind == .simple ? 0 : kind == .classBreaks ? 1 : 8
  guard given.field_count <= mostFields, given.field_count > 0 || kind == .simple else {
    throw EngineError(
      .invalidArgument, "\(name).field_count is \(given.field_count), which does not fit its kind.",
      argument: argument)
  }
  try require(
    given.value_count, kind == .uniqueValue ? given.field_count &* classCount : 0, "\(name).value_count", argument)
  try require(
    given.upper_bound_count, kind == .classBreaks ? classCount : 0, "\(name).upper_bound_count", argument)
  try requireFinite(given.minimum, "\(name).minimum", argument)
  let symbol = try Symbol(given.symbol, "\(name).symbol", argument)
  let fields = try strings(given.fields, given.field_count, "\(name).fields", argument)
  let symbols = try symbols(given.symbols, classCount, "\(name).symbols", argument)
  return try blamingAll(argument) { () throws(EngineError) in
    switch kind {
    case .simple: return try GraphicsRenderer(symbol)
    case .uniqueValue:
      let values = try classValues(given, name, argument)
      let classes = symbols.enumerated().map { index, symbol in
        GraphicsRenderer.UniqueClass(
          values: Array(values[(index &* fields.count)..<((index &+ 1) &* fields.count)]), symbol: symbol)
      }
      return try GraphicsRenderer(fields: fields, classes: classes, defaultSymbol: symbol)
    case .classBreaks:
      var breaks: [GraphicsRenderer.Break] = []
      for (index, symbol) in symbols.enumerated() {
        guard let bounds = given.upper_bounds else { throw missing("\(name).upper_bounds", argument) }
        let bound = UnsafeRawPointer(bounds + index).loadUnaligned(as: Double.self)
        breaks.append(GraphicsRenderer.Break(upperBound: bound, symbol: symbol))
      }
      return try GraphicsRenderer(
        field: fields.first ?? "", minimum: given.minimum, breaks: breaks, defaultSymbol: symbol)
    }
  }
}

private func require(
  _ count: UInt32, _ expected: UInt32, _ name: String, _ argument: Int32
) throws(EngineError) {
  guard count == expected else {
    throw EngineError(.invalidArgument, "\(name) is \(count); it must be \(expected).", argument: argument)
  }
}

private func classValues(
  _ given: ald_graphics_renderer, _ name: String, _ argument: Int32
) throws(EngineError) -> [GraphicValue] {
  guard given.value_count > 0 else { return [] }
  guard let values = given.values else { throw missing("\(name).values", argument) }
  var read: [GraphicValue] = []
  for index in 0..<Int(truncatingIfNeeded: given.value_count) {
    let value = UnsafeRawPointer(values + index).loadUnaligned(as: ald_graphic_value.self)
    read.append(try graphicValue(value, "\(name).values[\(index)]", argument))
  }
  return read
}

// MARK: Edits

@_cdecl("ald_graphics_overlay_add_graphics") @implementation
public func ald_graphics_overlay_add_graphics(
  _ overlay: ald_graphics_overlay, _ geometry_array: ald_geometry_array, _ columns: In<ald_graphic_columns>,
  _ out_first_id: Out<UInt64>, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    let array = try resolve(geometry_array, 2, with: overlay)
    let columns = try graphicColumns(columns, for: array.count, overlay.runtime.policy, 3)
    let id = try blaming(3, try overlay.add(array, columns))
    out_first_id?.pointee = id
  }
}

@_cdecl("ald_graphics_overlay_add_graphic") @implementation
public func ald_graphics_overlay_add_graphic(
  _ overlay: ald_graphics_overlay, _ geometry: ald_geometry, _ columns: In<ald_graphic_columns>,
  _ out_graphic_id: Out<UInt64>, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    let geometry = try resolve(geometry, 2, with: overlay)
    let columns = try graphicColumns(columns, for: 1, overlay.runtime.policy, 3)
    let id = try blaming(3, try overlay.add(geometry, columns))
    out_graphic_id?.pointee = id
  }
}

@_cdecl("ald_graphics_overlay_update_graphics") @implementation
public func ald_graphics_overlay_update_graphics(
  _ overlay: ald_graphics_overlay, _ graphic_ids: In<UInt64>, _ graphic_count: Int,
  _ geometry_array: ald_geometry_array, _ columns: In<ald_graphic_columns>, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    let ids = try graphicIDs(graphic_ids, graphic_count, overlay.runtime.policy)
    let array = try resolveOptional(geometry_array, 4, with: overlay)
    let columns = try graphicColumns(columns, for: ids.count, overlay.runtime.policy, 5)
    try overlay.update(ids, geometries: array, columns)
  }
}

@_cdecl("ald_graphics_overlay_set_graphic_geometry") @implementation
public func ald_graphics_overlay_set_graphic_geometry(
  _ overlay: ald_graphics_overlay, _ graphic_id: UInt64, _ geometry: ald_geometry, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    let geometry = try resolve(geometry, 3, with: overlay)
    try blaming(2, try overlay.setGeometry(geometry, of: graphic_id))
  }
}

@_cdecl("ald_graphics_overlay_remove_graphics") @implementation
public func ald_graphics_overlay_remove_graphics(
  _ overlay: ald_graphics_overlay, _ graphic_ids: In<UInt64>, _ graphic_count: Int, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    let ids = try graphicIDs(graphic_ids, graphic_count, overlay.runtime.policy)
    try blaming(2, try overlay.remove(ids))
  }
}

@_cdecl("ald_graphics_overlay_clear_graphics") @implementation
public func ald_graphics_overlay_clear_graphics(
  _ overlay: ald_graphics_overlay, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in overlay.removeAll() }
}

// MARK: Selection

@_cdecl("ald_graphics_overlay_select_graphics") @implementation
public func ald_graphics_overlay_select_graphics(
  _ overlay: ald_graphics_overlay, _ graphic_ids: In<UInt64>, _ graphic_count: Int, _ selected: UInt32,
  _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    let ids = try graphicIDs(graphic_ids, graphic_count, overlay.runtime.policy)
    let isSelected = try switched(selected, "selected", 4)
    try blaming(2, try overlay.select(ids, isSelected: isSelected))
  }
}

@_cdecl("ald_graphics_overlay_clear_selection") @implementation
public func ald_graphics_overlay_clear_selection(
  _ overlay: ald_graphics_overlay, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in overlay.clearSelection() }
}

// MARK: Undo

@_cdecl("ald_graphics_overlay_begin_undo_group") @implementation
public func ald_graphics_overlay_begin_undo_group(
  _ overlay: ald_graphics_overlay, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in try overlay.beginUndoGroup() }
}

@_cdecl("ald_graphics_overlay_end_undo_group") @implementation
public func ald_graphics_overlay_end_undo_group(
  _ overlay: ald_graphics_overlay, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in try overlay.endUndoGroup() }
}

@_cdecl("ald_graphics_overlay_undo") @implementation
public func ald_graphics_overlay_undo(
  _ overlay: ald_graphics_overlay, _ out_changed_count: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    let count = overlay.undo()
    out_changed_count?.pointee = UInt32(clamping: count)
  }
}

@_cdecl("ald_graphics_overlay_redo") @implementation
public func ald_graphics_overlay_redo(
  _ overlay: ald_graphics_overlay, _ out_changed_count: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    let count = overlay.redo()
    out_changed_count?.pointee = UInt32(clamping: count)
  }
}

@_cdecl("ald_graphics_overlay_clear_history") @implementation
public func ald_graphics_overlay_clear_history(_ overlay: ald_graphics_overlay, _ error: Out<ald_error>) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in overlay.clearHistory() }
}

// MARK: Reading

@_cdecl("ald_graphics_overlay_get_graphic_ids") @implementation
public func ald_graphics_overlay_get_graphic_ids(
  _ overlay: ald_graphics_overlay, _ flags: UInt32, _ out_graphic_ids: Out<UInt64>, _ capacity: Int,
  _ out_count: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    try requireFlags(flags, known: ALD_GRAPHIC_LIST_SELECTED, "flags", 2)
    let output = try OutputList(out_graphic_ids, capacity: capacity, out_count, arrayArgument: 3)
    try output.write(overlay.graphicIDs(selectedOnly: flags & ALD_GRAPHIC_LIST_SELECTED != 0), "graphics") { $0 }
  }
}

@_cdecl("ald_graphics_overlay_get_graphic") @implementation
public func ald_graphics_overlay_get_graphic(
  _ overlay: ald_graphics_overlay, _ graphic_id: UInt64, _ out_graphic: Out<ald_graphic>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(overlay, out_graphic, argument: 3, error) { (overlay) throws(EngineError) in
    let facts = try blaming(2, try overlay.facts(of: graphic_id))
    let flags = bits(
      (facts.isHidden, ALD_GRAPHIC_HIDDEN), (facts.isSelected, ALD_GRAPHIC_SELECTED),
      (facts.symbol != nil, ALD_GRAPHIC_HAS_SYMBOL))
    return ald_graphic(
      struct_size: 0, flags: flags, graphic_id: graphic_id, z_index: facts.zIndex,
      attribute_count: UInt32(clamping: facts.attributeCount), symbol: ald_symbol(facts.symbol ?? Symbol()))
  }
}

@_cdecl("ald_graphics_overlay_create_graphic_geometry") @implementation
public func ald_graphics_overlay_create_graphic_geometry(
  _ overlay: ald_graphics_overlay, _ graphic_id: UInt64, _ out_geometry: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(overlay, out_geometry, argument: 3, error) { (overlay) throws(EngineError) in
    try blaming(2, try overlay.geometry(of: graphic_id))
  }
}

@_cdecl("ald_graphics_overlay_get_attribute_name_at") @implementation
public func ald_graphics_overlay_get_attribute_name_at(
  _ overlay: ald_graphics_overlay, _ graphic_id: UInt64, _ index: UInt32, _ buffer: Out<CChar>, _ capacity_bytes: Int,
  _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    let names = try blaming(2, try overlay.attributeNames(of: graphic_id))
    let position = try entry(index, of: names.count, "attribute", owner: "the graphic has", 3)
    try copyOut(names[position], buffer, capacity_bytes, out_size_bytes, bufferArgument: 4)
  }
}

@_cdecl("ald_graphics_overlay_find_attribute") @implementation
public func ald_graphics_overlay_find_attribute(
  _ overlay: ald_graphics_overlay, _ graphic_id: UInt64, _ name: In<CChar>, _ out_value: Out<ald_graphic_value>,
  _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    let name = try string(name, "name", 3)
    let value = try blaming(2, try overlay.value(name, of: graphic_id))
    if buffer != nil || capacity_bytes != 0 || out_size_bytes != nil || out_value == nil {
      var text = ""
      if case .text(let own) = value { text = own }
      try copyOut(text, buffer, capacity_bytes, out_size_bytes, bufferArgument: 5)
    }
    out_value?.pointee = ald_graphic_value(value)
  }
}

// MARK: Arrays

private func graphicIDs(_ pointer: In<UInt64>, _ count: Int, _ policy: Policy) throws(EngineError) -> [UInt64] {
  try requireCapacity(count, 3)
  try blamingAll(3) { () throws(EngineError) in
    try policy.check(points: count)
    try policy.check(bytes: count, MemoryLayout<UInt64>.size)
  }
  guard count > 0 else { return [] }
  guard let pointer else { throw missing("graphic_ids", 2) }
  return (0..<count).map { UnsafeRawPointer(pointer + $0).loadUnaligned(as: UInt64.self) }
}

// What is said of many graphics, from C.

/// - Parameter count: how many graphics there are; the columns must be for as many, before any is read.
func graphicColumns(
  _ pointer: In<ald_graphic_columns>, for count: Int, _ policy: Policy, _ argument: Int32
) throws(EngineError) -> GraphicColumns? {
  guard let pointer else { return nil }
  let name = "ald_graphic_columns"
  let given = try read(pointer, name, argument, zero: ald_graphic_columns())
  guard Int(truncatingIfNeeded: given.graphic_count) == count else {
    throw EngineError(
      .invalidArgument, "\(name).graphic_count is \(given.graphic_count); there are \(count) graphics.",
      argument: argument)
  }
  guard given.attribute_count <= 1000 else {
    throw EngineError(
      .invalidArgument, "\(name).attribute_count is \(given.attribute_count); 1,000 is the most.", argument: argument)
  }
  try blamingAll(argument) { () throws(EngineError) in
    try policy.check(points: Int(truncatingIfNeeded: given.symbol_count))
    try policy.check(
      bytes: count, MemoryLayout<GraphicValue>.stride, Int(truncatingIfNeeded: given.attribute_count) &+ 1)
  }
  var columns = GraphicColumns(count: count)
  columns.zIndexes = given.z_indexes.map { loaded($0, count) }
  if let flags = given.graphic_flags { columns.isHidden = try hidden(flags, count, name, argument) }
  columns.symbols = try symbols(given.symbols, given.symbol_count, "\(name).symbols", argument)
  if let indexes = given.symbol_indexes {
    columns.symbolIndexes = loaded(indexes, count).map { $0 == .max ? nil : Int(truncatingIfNeeded: $0) }
  }
  if given.attribute_count > 0 {
    guard let attributes = given.attributes else { throw missing("\(name).attributes", argument) }
    for index in 0..<Int(truncatingIfNeeded: given.attribute_count) {
      let attribute = UnsafeRawPointer(attributes + index).loadUnaligned(as: ald_graphic_attributes.self)
      columns.attributes.append(try column(attribute, count, "\(name).attributes[\(index)]", argument))
    }
  }
  return columns
}

/// Numbers at any address.
private func loaded<Number: BitwiseCopyable>(_ pointer: UnsafePointer<Number>, _ count: Int) -> [Number] {
  (0..<count).map { UnsafeRawPointer(pointer + $0).loadUnaligned(as: Number.self) }
}

/// The same for numbers that must be there.
private func numbers<Number: BitwiseCopyable>(
  _ pointer: In<Number>, _ count: Int, _ name: String, _ argument: Int32
) throws(EngineError) -> [Number] {
  guard count > 0 else { return [] }
  guard let pointer else { throw missing(name, argument) }
  return loaded(pointer, count)
}

private func hidden(
  _ flags: UnsafePointer<UInt8>, _ count: Int, _ name: String, _ argument: Int32
) throws(EngineError) -> [Bool] {
  let hidden = UInt8(truncatingIfNeeded: ALD_GRAPHIC_HIDDEN)
  var bits: [Bool] = []
  bits.reserveCapacity(count)
  for index in 0..<count {
    guard flags[index] & ~hidden == 0 else {
      throw EngineError(
        .invalidArgument, "\(name).graphic_flags[\(index)] is \(flags[index]), which has unknown bits.",
        argument: argument)
    }
    bits.append(flags[index] != 0)
  }
  return bits
}

private func column(
  _ given: ald_graphic_attributes, _ count: Int, _ name: String, _ argument: Int32
) throws(EngineError) -> GraphicColumns.Attribute {
  try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
  var values: [GraphicValue] = []
  values.reserveCapacity(count)
  switch given.type {
  case ALD_GRAPHIC_VALUE_TYPE_NULL: values = [GraphicValue](repeating: .null, count: count)
  case ALD_GRAPHIC_VALUE_TYPE_INTEGER:
    values = try numbers(given.integers, count, "\(name).integers", argument).map(GraphicValue.integer)
  case ALD_GRAPHIC_VALUE_TYPE_REAL:
    values = try numbers(given.reals, count, "\(name).reals", argument).map(GraphicValue.real)
  case ALD_GRAPHIC_VALUE_TYPE_TEXT:
    for index in 0..<count {
      guard let texts = given.texts else { throw missing("\(name).texts", argument) }
      let text = try optionalString(texts[index], "\(name).texts[\(index)]", argument)
      values.append(text.map(GraphicValue.text) ?? .null)
    }
  default:
    throw EngineError(.invalidArgument, "\(name).type is \(given.type), which is no type.", argument: argument)
  }
  if let nulls = given.nulls {
    for index in 0..<count where nulls[index] != 0 {
      guard nulls[index] == 1 else {
        throw EngineError(
          .invalidArgument, "\(name).nulls[\(index)] is \(nulls[index]); it must be 0 or 1.", argument: argument)
      }
      values[index] = .null
    }
  }
  return GraphicColumns.Attribute(name: try string(given.name, "\(name).name", argument), values: values)
}
