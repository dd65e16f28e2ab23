import AlidadeBase
import AlidadeGeometry
import CGDAL

/// The values of a field, one for each feature. Never changes once it is filled.
///
/// Right to share: only the reader writes, on one thread, before anybody else gets to know the column.
public final class FeatureColumn: @unchecked Sendable {
  public let field: FeatureField
  /// A `ValueState` each.
  public let states = Column<UInt8>()
  /// The values of an integer column, or the elements of all values of a list column.
  public let integers = Column<Int64>()
  /// The values of a real column, NaN without a value, or the elements of all values of a list column.
  public let reals = Column<Double>()
  public let dates = Column<FeatureDate>()
  /// For texts and binary values, where each begins in `bytes`; for lists, where each begins in the column of entries.
  /// The last offset is the end of the last value. Each text is followed by a NUL, which counts as part of it.
  public let offsets = Column<Int64>()
  /// For lists of texts, where each entry begins in `bytes`, and where the last one ends.
  public let entryOffsets = Column<Int64>()
  public let bytes = Column<UInt8>()
  /// For lists of texts, pointers to the entries.
  public private(set) var entries: HeapArray<UnsafePointer<CChar>?>?

  private let budget: MemoryBudget

  init(_ field: FeatureField, _ budget: MemoryBudget) throws(EngineError) {
    self.field = field
    self.budget = budget
    if hasOffsets { try offsets.append(0, budget) }
    if field.type == .textList { try entryOffsets.append(0, budget) }
  }

  private var hasOffsets: Bool {
    switch field.type {
    case .text, .binary, .integerList, .realList, .textList: true
    case .integer, .real, .date, .time, .dateTime: false
    }
  }

  // MARK: Reading

  /// Adds the value of a feature. Call inside the guard.
  func append(_ feature: OGRFeatureH, _ index: Int32) throws(EngineError) {
    var state = ValueState.value
    if OGR_F_IsFieldSet(feature, index) == 0 {
      state = .unset
    } else if OGR_F_IsFieldNull(feature, index) != 0 {
      state = .null
    }
    try states.append(state.rawValue, budget)
    if state == .value { try appendValue(feature, index) } else { try appendNothing() }
    if hasOffsets { try offsets.append(Int64(truncatingIfNeeded: end), budget) }
  }

  /// Where the next value begins.
  private var end: Int {
    switch field.type {
    case .integerList: integers.count
    case .realList: reals.count
    case .textList: entryOffsets.count &- 1
    default: bytes.count
    }
  }

  private func appendNothing() throws(EngineError) {
    switch field.type {
    case .integer: try integers.append(0, budget)
    case .real: try reals.append(.nan, budget)
    case .date, .time, .dateTime: try dates.append(FeatureDate(), budget)
    case .text: try bytes.append(0, budget)
    case .binary, .integerList, .realList, .textList: break
    }
  }

  private func appendValue(_ feature: OGRFeatureH, _ index: Int32) throws(EngineError) {
    switch field.type {
    case .integer: try integers.append(Int64(truncatingIfNeeded: OGR_F_GetFieldAsInteger64(feature, index)), budget)
    case .real: try reals.append(OGR_F_GetFieldAsDouble(feature, index), budget)
    case .text: try append(text: OGR_F_GetFieldAsString(feature, index))
    case .date, .time, .dateTime: try dates.append(FeatureDate(feature, index), budget)
    case .binary:
      var count: Int32 = 0
      guard let start = OGR_F_GetFieldAsBinary(feature, index, &count), count > 0 else { return }
      let more = UnsafeBufferPointer(start: start, count: Int(truncatingIfNeeded: count))
      _ = try bytes.extend(by: more.count, budget).update(from: more)
    case .integerList: try appendIntegers(feature, index)
    case .realList:
      var count: Int32 = 0
      guard let start = OGR_F_GetFieldAsDoubleList(feature, index, &count), count > 0 else { return }
      let more = UnsafeBufferPointer(start: start, count: Int(truncatingIfNeeded: count))
      _ = try reals.extend(by: more.count, budget).update(from: more)
    case .textList:
      guard var entry = OGR_F_GetFieldAsStringList(feature, index) else { return }
      while let text = entry.pointee {
        try append(text: text)
        try entryOffsets.append(Int64(truncatingIfNeeded: bytes.count), budget)
        entry += 1
      }
    }
  }

  private func appendIntegers(_ feature: OGRFeatureH, _ index: Int32) throws(EngineError) {
    var count: Int32 = 0
    func append(_ start: UnsafePointer<some BinaryInteger>?) throws(EngineError) {
      for number in UnsafeBufferPointer(start: start, count: Int(truncatingIfNeeded: max(0, count))) {
        try integers.append(Int64(truncatingIfNeeded: number), budget)
      }
    }
    if OGR_Fld_GetType(OGR_F_GetFieldDefnRef(feature, index)) == OFTIntegerList {
      try append(OGR_F_GetFieldAsIntegerList(feature, index, &count))
    } else {
      try append(OGR_F_GetFieldAsInteger64List(feature, index, &count))
    }
  }

  private func append(text: UnsafePointer<CChar>?) throws(EngineError) {
    guard let text else { return try bytes.append(0, budget) }
    var count = 0
    var isASCII = true
    while text[count] != 0 {
      if text[count] < 0 { isASCII = false }
      count &+= 1
    }
    if isASCII || String(validatingCString: text) != nil {
      let room = try bytes.extend(by: count &+ 1, budget)
      for index in 0...count { room[index] = UInt8(bitPattern: text[index]) }
    } else {
      // Not UTF-8: read as Latin-1, so that nothing is lost.
      let all = Array(gdalText(text).utf8) + [0]
      _ = try bytes.extend(by: all.count, budget).update(from: all)
    }
  }

  /// The same values in another order: for each position the row that belongs there. Before `finish`.
  func reordered(_ rows: HeapArray<Int>) throws(EngineError) -> FeatureColumn {
    let other = try FeatureColumn(field, budget)
    for row in rows.buffer {
      try other.states.append(states[row], budget)
      switch field.type {
      case .integer: try other.integers.append(integers[row], budget)
      case .real: try other.reals.append(reals[row], budget)
      case .date, .time, .dateTime: try other.dates.append(dates[row], budget)
      case .text, .binary: try other.bytes.append(range(row), of: bytes, budget)
      case .integerList: try other.integers.append(range(row), of: integers, budget)
      case .realList: try other.reals.append(range(row), of: reals, budget)
      case .textList:
        for entry in range(row) {
          let (start, end) = (entryOffsets[entry], entryOffsets[entry &+ 1])
          let part = Int(truncatingIfNeeded: start)..<Int(truncatingIfNeeded: end)
          try other.bytes.append(part, of: bytes, budget)
          try other.entryOffsets.append(Int64(truncatingIfNeeded: other.bytes.count), budget)
        }
      }
      if hasOffsets { try other.offsets.append(Int64(truncatingIfNeeded: other.end), budget) }
    }
    return other
  }

  /// Nothing is added after this.
  func finish() throws(EngineError) {
    states.trim(budget)
    integers.trim(budget)
    reals.trim(budget)
    dates.trim(budget)
    offsets.trim(budget)
    entryOffsets.trim(budget)
    bytes.trim(budget)
    guard field.type == .textList else { return }
    let count = entryOffsets.count &- 1
    try budget.take(count &* MemoryLayout<UnsafePointer<CChar>?>.stride)
    let pointers = try HeapArray<UnsafePointer<CChar>?>(count: count)
    for index in 0..<count { pointers.buffer[index] = text(at: entryOffsets[index]) }
    entries = pointers
  }

  // MARK: Asking

  /// A text by where it begins.
  private func text(at offset: Int64) -> UnsafePointer<CChar>? {
    bytes.buffer.baseAddress.map {
      UnsafeRawPointer($0 + Int(truncatingIfNeeded: offset)).assumingMemoryBound(to: CChar.self)
    }
  }

  /// The text of a row; empty without one.
  public func text(_ row: Int) -> UnsafePointer<CChar>? { text(at: offsets[row]) }

  /// The part of the entries, or bytes, that is a row's.
  public func range(_ row: Int) -> Range<Int> {
    Int(truncatingIfNeeded: offsets[row])..<Int(truncatingIfNeeded: offsets[row &+ 1])
  }

  public func state(_ row: Int) -> ValueState { ValueState(rawValue: states[row]) ?? .null }
}
