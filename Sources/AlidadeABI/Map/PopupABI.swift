import AlidadeBase
import AlidadeMap
import CAlidade

@_cdecl("ald_layer_set_popup_definition") @implementation
public func ald_layer_set_popup_definition(
  _ layer: ald_layer, _ definition: In<ald_popup_definition>, _ error: Out<ald_error>
) -> ald_status {
  enter(layer, error) { (layer) throws(EngineError) in
    layer.popup = try popupDefinition(definition, 2)
  }
}

@_cdecl("ald_graphics_overlay_set_popup_definition") @implementation
public func ald_graphics_overlay_set_popup_definition(
  _ overlay: ald_graphics_overlay, _ definition: In<ald_popup_definition>, _ error: Out<ald_error>
) -> ald_status {
  enter(overlay, error) { (overlay) throws(EngineError) in
    overlay.popup = try popupDefinition(definition, 2)
  }
}

@_cdecl("ald_identify_result_get_popup_at") @implementation
public func ald_identify_result_get_popup_at(
  _ result: ald_identify_result, _ element_index: UInt32, _ out_popup: Out<ald_popup>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(out_popup, argument: 3, error) { () throws(EngineError) in
    let (popup, texts) = try popup(result, element_index)
    let count = UInt32(clamping: popup.fields.count)
    return ald_popup(struct_size: 0, row_count: count, title: texts[0], text: texts[1])
  }
}

@_cdecl("ald_identify_result_get_popup_row_at") @implementation
public func ald_identify_result_get_popup_row_at(
  _ result: ald_identify_result, _ element_index: UInt32, _ index: UInt32, _ out_row: Out<ald_popup_row>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(out_row, argument: 4, error) { () throws(EngineError) in
    let (popup, texts) = try popup(result, element_index)
    let row = try entry(index, of: popup.fields.count, "row", 3) &* 2
    return ald_popup_row(struct_size: 0, reserved: 0, label: texts[row &+ 2], text: texts[row &+ 3])
  }
}

/// The popup of an element, with its title, its text, and the label and the text of each row in their C form.
private func popup(_ result: ald_identify_result, _ index: UInt32) throws(EngineError) -> (Popup, CTexts) {
  let result = try resolve(result, 1)
  let position = try entry(index, of: result.elements.count, "element", 2)
  guard let popup = result.elements[position].popup, let texts = ResultTexts.of(result).elements[position].popup else {
    throw EngineError(
      .notFound, "The layer or overlay of element \(index) had no popup definition when it was identified.", argument: 2
    )
  }
  return (popup, texts)
}

private func popupDefinition(
  _ pointer: In<ald_popup_definition>, _ argument: Int32
) throws(EngineError) -> PopupDefinition? {
  guard let pointer else { return nil }
  let name = "ald_popup_definition"
  let given = try read(pointer, name, argument, zero: ald_popup_definition())
  let title = try optionalString(given.title, "\(name).title", argument) ?? ""
  let text = try optionalString(given.text, "\(name).text", argument) ?? ""
  guard given.field_count <= 10_000 else {
    throw EngineError(
      .invalidArgument, "\(name).field_count is \(given.field_count); at most 10,000 are allowed.", argument: argument)
  }
  guard given.fields != nil || given.field_count == 0 else { throw missing("\(name).fields", argument) }
  let fields = try UnsafeBufferPointer(start: given.fields, count: Int(truncatingIfNeeded: given.field_count)).map {
    (field) throws(EngineError) in try popupField(field, argument)
  }
  return try blaming(argument, try PopupDefinition(title: title, text: text, fields: fields))
}

private func popupField(_ given: ald_popup_field, _ argument: Int32) throws(EngineError) -> PopupDefinition.Field {
  let name = "ald_popup_field"
  try requireFlags(given.flags, known: ALD_POPUP_FIELD_HAS_DECIMALS, "\(name).flags", argument)
  let hasDecimals = try isGiven(
    given.flags & ALD_POPUP_FIELD_HAS_DECIMALS != 0, orZero: given.decimals == 0, "\(name).decimals",
    "ALD_POPUP_FIELD_HAS_DECIMALS",
    argument)
  var field = PopupDefinition.Field(name: try string(given.name, "\(name).name", argument))
  if hasDecimals { field.decimals = Int(truncatingIfNeeded: given.decimals) }
  field.label = try optionalString(given.label, "\(name).label", argument)
  field.decimalSeparator = try optionalString(given.decimal_separator, "\(name).decimal_separator", argument) ?? "."
  field.digitSeparator = try optionalString(given.digit_separator, "\(name).digit_separator", argument) ?? ""
  field.dateFormat = try optionalString(given.date_format, "\(name).date_format", argument)
  return field
}
