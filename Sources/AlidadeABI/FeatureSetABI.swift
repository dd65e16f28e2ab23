import AlidadeBase
import AlidadeData
import AlidadeGeometry
import CAlidade

@_cdecl("ald_feature_set_get_info") @implementation
public func ald_feature_set_get_info(
  _ feature_set: ald_feature_set, _ out_info: UnsafeMutablePointer<ald_feature_set_info>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let set = try resolve(feature_set, 1)
    let out = try requireOut(out_info, "ald_feature_set_info", 2)
    let flags =
      (set.geometries == nil ? 0 : ALD_FEATURE_SET_HAS_GEOMETRIES)
      | (set.trouble.isIncomplete ? ALD_FEATURE_SET_INCOMPLETE : 0)
    write(
      ald_feature_set_info(
        struct_size: 0, flags: UInt32(truncatingIfNeeded: flags), feature_count: UInt32(clamping: set.count),
        field_count: UInt32(clamping: set.columns.count),
        unreadable_count: UInt32(clamping: set.trouble.unreadableCount), reserved: 0,
        first_reason: FeatureSetTexts.of(set).firstReason),
      to: out)
  }
}

@_cdecl("ald_feature_set_get_columns") @implementation
public func ald_feature_set_get_columns(
  _ feature_set: ald_feature_set, _ out_columns: UnsafeMutablePointer<ald_feature_columns>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let set = try resolve(feature_set, 1)
    let out = try requireOut(out_columns, "ald_feature_columns", 2)
    write(
      ald_feature_columns(
        struct_size: 0, feature_count: UInt32(clamping: set.count), ids: set.ids.buffer.baseAddress,
        feature_flags: set.flags.buffer.baseAddress),
      to: out)
  }
}

@_cdecl("ald_feature_set_geometries") @implementation
public func ald_feature_set_geometries(
  _ feature_set: ald_feature_set, _ out_array: UnsafeMutablePointer<ald_geometry_array>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLending(out_array, argument: 2, error) { () throws(EngineError) in
    guard let array = try resolve(feature_set, 1).geometries else {
      throw EngineError(
        .notFound, "The set has no geometries: the query left them out, or the layer has none.", argument: 1)
    }
    return array
  }
}

@_cdecl("ald_feature_set_attribute") @implementation
public func ald_feature_set_attribute(
  _ feature_set: ald_feature_set, _ feature_index: UInt32, _ field_index: UInt32,
  _ out_value: UnsafeMutablePointer<ald_attribute_value>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let set = try resolve(feature_set, 1)
    let row = try entry(feature_index, of: set.count, "feature", 2)
    let column = set.columns[try entry(field_index, of: set.columns.count, "field", 3)]
    let out = try requireOut(out_value, "ald_attribute_value", 4)
    write(cValue(column, row), to: out)
  }
}

@_cdecl("ald_feature_set_get_attribute_column") @implementation
public func ald_feature_set_get_attribute_column(
  _ feature_set: ald_feature_set, _ field_index: UInt32, _ out_column: UnsafeMutablePointer<ald_attribute_column>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let set = try resolve(feature_set, 1)
    let place = try entry(field_index, of: set.columns.count, "field", 2)
    let out = try requireOut(out_column, "ald_attribute_column", 3)
    let column = set.columns[place]
    let type = column.field.type
    var given = ald_attribute_column()
    given.type = type.rawValue
    given.field_index = UInt32(clamping: set.fieldIndexes[place])
    given.feature_count = UInt32(clamping: set.count)
    given.states = column.states.buffer.baseAddress
    switch type {
    case .integer, .integerList: given.integers = column.integers.buffer.baseAddress
    case .real, .realList: given.reals = column.reals.buffer.baseAddress
    case .date, .time, .dateTime: given.date_times = cDates(column)
    case .text, .binary: given.bytes = column.bytes.buffer.baseAddress
    case .textList: given.texts = column.entries.flatMap { UnsafePointer($0.buffer.baseAddress) }
    }
    switch type {
    case .text, .binary, .integerList, .realList, .textList: given.offsets = column.offsets.buffer.baseAddress
    default: break
    }
    write(given, to: out)
  }
}

/// The dates of a column as C sees them: the struct is laid out like C's.
private func cDates(_ column: FeatureColumn) -> UnsafePointer<ald_date_time>? {
  column.dates.buffer.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: ald_date_time.self) }
}

/// A value as C sees it.
private func cValue(_ column: FeatureColumn, _ row: Int) -> ald_attribute_value {
  let (type, state) = (column.field.type, column.state(row))
  var value = ald_attribute_value()
  value.type = type.rawValue
  value.state = Int32(truncatingIfNeeded: state.rawValue)
  value.real = .nan
  switch type {
  case .integer: value.integer = column.integers[row]
  case .real: value.real = column.reals[row]
  case .date, .time, .dateTime: if let dates = cDates(column) { value.date_time = dates[row] }
  case .text:
    value.element_count = UInt32(clamping: column.range(row).count &- 1)
    if state == .value { value.text = column.text(row) }
  case .binary:
    let range = column.range(row)
    value.element_count = UInt32(clamping: range.count)
    value.bytes = column.bytes.buffer.baseAddress.map { $0 + range.lowerBound }
  case .integerList:
    let range = column.range(row)
    value.element_count = UInt32(clamping: range.count)
    value.integers = column.integers.buffer.baseAddress.map { $0 + range.lowerBound }
  case .realList:
    let range = column.range(row)
    value.element_count = UInt32(clamping: range.count)
    value.reals = column.reals.buffer.baseAddress.map { $0 + range.lowerBound }
  case .textList:
    let range = column.range(row)
    value.element_count = UInt32(clamping: range.count)
    value.texts = column.entries.flatMap { UnsafePointer($0.buffer.baseAddress) }.map { $0 + range.lowerBound }
  }
  return value
}
