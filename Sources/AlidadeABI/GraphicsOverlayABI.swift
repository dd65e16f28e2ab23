import AlidadeBase
import AlidadeData
import AlidadeMap
import CAlidade

@_cdecl("ald_graphics_overlay_create") @implementation
public func ald_graphics_overlay_create(
  _ runtime: ald_runtime, _ options: UnsafePointer<ald_graphics_overlay_options>?,
  _ out_overlay: UnsafeMutablePointer<ald_graphics_overlay>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_overlay, argument: 3, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let options = try overlayOptions(options, 2)
    return try blaming(2) { () throws(EngineError) in try GraphicsOverlay(runtime: runtime, options: options) }
  }
}

@_cdecl("ald_graphics_overlay_set_options") @implementation
public func ald_graphics_overlay_set_options(
  _ overlay: ald_graphics_overlay, _ options: UnsafePointer<ald_graphics_overlay_options>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    let options = try overlayOptions(options, 2)
    try blaming(2) { () throws(EngineError) in try overlay.setOptions(options) }
  }
}

@_cdecl("ald_graphics_overlay_get_info") @implementation
public func ald_graphics_overlay_get_info(
  _ overlay: ald_graphics_overlay, _ out_info: UnsafeMutablePointer<ald_graphics_overlay_info>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    let out = try requireOut(out_info, "ald_graphics_overlay_info", 2)
    write(ald_graphics_overlay_info(overlay.facts), to: out)
  }
}

@_cdecl("ald_graphics_overlay_set_name") @implementation
public func ald_graphics_overlay_set_name(
  _ overlay: ald_graphics_overlay, _ name: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    overlay.name = try string(name, "name", 2)
  }
}

@_cdecl("ald_graphics_overlay_name") @implementation
public func ald_graphics_overlay_name(
  _ overlay: ald_graphics_overlay, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    try copyOut(try resolve(overlay, 1).name, buffer, capacity, out_size, bufferArgument: 2)
  }
}

@_cdecl("ald_graphics_overlay_set_renderer") @implementation
public func ald_graphics_overlay_set_renderer(
  _ overlay: ald_graphics_overlay, _ renderer: UnsafePointer<ald_graphics_renderer>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let overlay = try resolve(overlay, 1)
    overlay.setRenderer(try graphicsRenderer(renderer, 2))
  }
}

// MARK: Views

@_cdecl("ald_view_add_graphics_overlay") @implementation
public func ald_view_add_graphics_overlay(
  _ view: ald_view, _ overlay: ald_graphics_overlay, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (view, overlay) = try viewAndOverlay(view, overlay)
    try blaming(2) { () throws(EngineError) in try view.add(overlay) }
  }
}

@_cdecl("ald_view_insert_graphics_overlay") @implementation
public func ald_view_insert_graphics_overlay(
  _ view: ald_view, _ overlay: ald_graphics_overlay, _ index: UInt32, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (view, overlay) = try viewAndOverlay(view, overlay)
    try view.insert(overlay, at: Int(truncatingIfNeeded: index))
  }
}

@_cdecl("ald_view_move_graphics_overlay") @implementation
public func ald_view_move_graphics_overlay(
  _ view: ald_view, _ overlay: ald_graphics_overlay, _ index: UInt32, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (view, overlay) = try viewAndOverlay(view, overlay)
    try view.move(overlay, to: Int(truncatingIfNeeded: index))
  }
}

@_cdecl("ald_view_remove_graphics_overlay") @implementation
public func ald_view_remove_graphics_overlay(
  _ view: ald_view, _ overlay: ald_graphics_overlay, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (view, overlay) = try viewAndOverlay(view, overlay)
    try blaming(2) { () throws(EngineError) in try view.remove(overlay) }
  }
}

@_cdecl("ald_view_graphics_overlay_count") @implementation
public func ald_view_graphics_overlay_count(
  _ view: ald_view, _ out_count: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    guard let out_count else { throw missing("out_count", 2) }
    out_count.pointee = UInt32(clamping: view.graphicsOverlays.count)
  }
}

@_cdecl("ald_view_graphics_overlay_at") @implementation
public func ald_view_graphics_overlay_at(
  _ view: ald_view, _ index: UInt32, _ out_overlay: UnsafeMutablePointer<ald_graphics_overlay>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLending(out_overlay, argument: 3, error) { () throws(EngineError) in
    let overlays = try resolve(view, 1).graphicsOverlays
    let position = Int(truncatingIfNeeded: index)
    guard position < overlays.count else {
      throw EngineError(
        .notFound, "There is no overlay \(index); the view has \(overlays.count), from 0.", argument: 2)
    }
    return overlays[position]
  }
}

private func viewAndOverlay(
  _ view: ald_view, _ overlay: ald_graphics_overlay
) throws(EngineError) -> (MapView, GraphicsOverlay) {
  let view = try resolve(view, 1)
  let overlay = try resolve(overlay, 2)
  try requireSameRuntime(view, overlay, 2)
  return (view, overlay)
}

// MARK: Structs

/// Options from C; their numbers are checked by the overlay.
private func overlayOptions(
  _ pointer: UnsafePointer<ald_graphics_overlay_options>?, _ argument: Int32
) throws(EngineError) -> GraphicsOverlayOptions {
  var options = GraphicsOverlayOptions()
  guard let pointer else { return options }
  let given = try read(pointer, "ald_graphics_overlay_options", argument, zero: ald_graphics_overlay_options())
  try requireFlags(
    given.flags, known: hidden | hasOpacity | scaleSymbols | noUndo | hasSelectionColor,
    "ald_graphics_overlay_options.flags", argument)
  let name = "ald_graphics_overlay_options"
  try requireBit(
    given.flags & hasOpacity != 0, orZero: given.opacity == 0, "\(name).opacity", "ALD_GRAPHICS_OVERLAY_HAS_OPACITY",
    argument)
  let color = given.selection_color
  // A colour that can be seen needs no bit.
  try requireBit(
    color.alpha != 0 || given.flags & hasSelectionColor != 0, orZero: color.red | color.green | color.blue == 0,
    "\(name).selection_color", "ALD_GRAPHICS_OVERLAY_HAS_SELECTION_COLOR", argument)
  options.isHidden = given.flags & hidden != 0
  if given.flags & hasOpacity != 0 { options.opacity = given.opacity }
  options.scalesSymbols = given.flags & scaleSymbols != 0
  options.minScale = given.min_scale
  options.maxScale = given.max_scale
  if given.selection_color.alpha != 0 || given.flags & hasSelectionColor != 0 {
    options.selectionColor = RGBA(given.selection_color)
  }
  if given.undo_limit != 0 { options.undoLimit = Int(truncatingIfNeeded: given.undo_limit) }
  if given.undo_limit > 10_000 {
    throw EngineError(
      .invalidArgument, "ald_graphics_overlay_options.undo_limit is \(given.undo_limit); 10,000 is the most.",
      argument: argument)
  }
  if given.flags & noUndo != 0 { options.undoLimit = 0 }
  return options
}

private var hidden: UInt32 { UInt32(truncatingIfNeeded: ALD_GRAPHICS_OVERLAY_HIDDEN) }
private var hasOpacity: UInt32 { UInt32(truncatingIfNeeded: ALD_GRAPHICS_OVERLAY_HAS_OPACITY) }
private var scaleSymbols: UInt32 { UInt32(truncatingIfNeeded: ALD_GRAPHICS_OVERLAY_SCALE_SYMBOLS) }
private var noUndo: UInt32 { UInt32(truncatingIfNeeded: ALD_GRAPHICS_OVERLAY_NO_UNDO) }
private var hasSelectionColor: UInt32 { UInt32(truncatingIfNeeded: ALD_GRAPHICS_OVERLAY_HAS_SELECTION_COLOR) }

extension ald_graphics_overlay_info {
  fileprivate init(_ facts: GraphicsOverlay.Facts) {
    let options = facts.options
    self.init(
      struct_size: 0,
      flags: hasOpacity | hasSelectionColor | (options.isHidden ? hidden : 0)
        | (options.scalesSymbols ? scaleSymbols : 0) | (options.undoLimit == 0 ? noUndo : 0),
      generation: facts.generation, graphic_count: UInt32(clamping: facts.graphicCount),
      selected_count: UInt32(clamping: facts.selectedCount), undo_count: UInt32(clamping: facts.undoCount),
      redo_count: UInt32(clamping: facts.redoCount), opacity: options.opacity, min_scale: options.minScale,
      max_scale: options.maxScale, selection_color: ald_rgba(options.selectionColor),
      undo_limit: UInt32(clamping: options.undoLimit))
  }
}

/// A renderer from C; nil for NULL.
func graphicsRenderer(
  _ pointer: UnsafePointer<ald_graphics_renderer>?, _ argument: Int32
) throws(EngineError) -> GraphicsRenderer? {
  guard let pointer else { return nil }
  let name = "ald_graphics_renderer"
  let given = try read(pointer, name, argument, zero: ald_graphics_renderer())
  guard let kind = GraphicsRenderer.Kind(rawValue: given.kind) else {
    throw EngineError(
      .invalidArgument, "\(name).kind is \(given.kind), which is no kind.", argument: argument)
  }
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
  guard given.minimum.isFinite else {
    throw EngineError(.invalidArgument, "\(name).minimum is \(given.minimum), which is not finite.", argument: argument)
  }
  let symbol = try Symbol(given.symbol, "\(name).symbol", argument)
  let fields = try strings(given.fields, given.field_count, "\(name).fields", argument)
  let symbols = try symbols(given.symbols, classCount, "\(name).symbols", argument)
  return try blaming(argument) { () throws(EngineError) in
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
