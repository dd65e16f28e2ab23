import AlidadeBase
import AlidadeGeometry
import Glibc

extension FeatureSet {
  /// The features as a batch of an Arrow table: their ids, the fields that were read, and their geometries.
  public func arrowTable(_ encoding: ArrowEncoding) throws(EngineError) -> ArrowColumn {
    var names = ArrowNames()
    // The fields keep their names.
    let fields = try columns.map { (column) throws(EngineError) in
      try column.arrowColumn(runtime.policy).renamed(names.free(column.field.name))
    }
    let idBase = ids.buffer.baseAddress.map { UnsafeRawPointer($0) }
    var all = [ArrowColumn(names.free("fid"), "l", length: count, buffers: [idBase], owners: [ids])] + fields
    if let geometries {
      all.append(
        try geometries.arrowColumn(names.free("geometry"), encoding) { FeatureFlags(rawValue: self.flags[$0]) != [] })
    }
    return ArrowColumn.table(all, length: count)
  }
}

extension FeatureColumn {
  fileprivate func arrowColumn(_ policy: Policy) throws(EngineError) -> ArrowColumn {
    let count = states.count
    let validity = try ArrowColumn.validity(count) { state($0) == .value }
    func plain(_ format: String, _ base: UnsafeRawPointer?, _ owner: AnyObject) -> ArrowColumn {
      ArrowColumn("", format, length: count, validity: validity, buffers: [base], owners: [owner])
    }
    func list(_ format: String, _ child: ArrowColumn) throws(EngineError) -> ArrowColumn {
      let offsets = UnsafeRawPointer(self.offsets.buffer.baseAddress)
      return ArrowColumn(
        "", format, length: count, validity: validity, buffers: [offsets], owners: [self.offsets],
        children: [child.renamed("item")])
    }
    switch field.type {
    case .integer where field.subtype == .boolean:
      let isTrue = try ArrowColumn.validity(count) { self.integers[$0] != 0 }
      let bits = if let isTrue { isTrue.bits } else { try HeapArray<UInt8>(count: count / 8 &+ 1, repeating: 255) }
      return plain("b", UnsafeRawPointer(bits.buffer.baseAddress), bits)
    case .integer: return plain("l", UnsafeRawPointer(integers.buffer.baseAddress), integers)
    case .real: return plain("g", UnsafeRawPointer(reals.buffer.baseAddress), reals)
    case .text:
      return try texts(count, policy, validity) { (row, append) throws(EngineError) in
        if let text = text(row) { try append(UnsafeRawBufferPointer(start: text, count: strlen(text))) }
      }
    case .date: return try converted("tdD", policy, validity) { Int32(truncatingIfNeeded: self.dates[$0].dayOfEpoch) }
    case .time: return try converted("ttu", policy, validity) { self.dates[$0].microsecondOfDay }
    case .dateTime: return try dateTimes(validity, policy)
    case .binary:
      return ArrowColumn(
        "", "Z", length: count, validity: validity,
        buffers: [UnsafeRawPointer(offsets.buffer.baseAddress), UnsafeRawPointer(bytes.buffer.baseAddress)],
        owners: [offsets, bytes])
    case .integerList:
      let base = UnsafeRawPointer(integers.buffer.baseAddress)
      return try list("+L", ArrowColumn("", "l", length: integers.count, buffers: [base], owners: [integers]))
    case .realList:
      let base = UnsafeRawPointer(reals.buffer.baseAddress)
      return try list("+L", ArrowColumn("", "g", length: reals.count, buffers: [base], owners: [reals]))
    case .textList:
      let entries = try texts(entryOffsets.count &- 1, policy, nil) { (entry, append) throws(EngineError) in
        if let text = self.entries?.buffer[entry] {
          try append(UnsafeRawBufferPointer(start: text, count: strlen(text)))
        }
      }
      return try list("+L", entries)
    }
  }

  private typealias Validity = (bits: HeapArray<UInt8>, nullCount: Int)

  /// Texts one after the other, without the NULs between them.
  ///
  /// - Parameter text: hands out the bytes of each; need not.
  private func texts(
    _ count: Int, _ policy: Policy, _ validity: Validity?,
    _ text: (Int, (UnsafeRawBufferPointer) throws(EngineError) -> Void) throws(EngineError) -> Void
  ) throws(EngineError) -> ArrowColumn {
    let all = Column<UInt8>()
    let budget = MemoryBudget(policy)
    try budget.take((count &+ 1) &* MemoryLayout<Int64>.stride)
    let offsets = try HeapArray<Int64>(count: count &+ 1, repeating: 0)
    for row in 0..<count {
      try text(row) { (bytes) throws(EngineError) in
        UnsafeMutableRawBufferPointer(try all.extend(by: bytes.count, budget)).copyMemory(from: bytes)
      }
      offsets.buffer[row &+ 1] = Int64(truncatingIfNeeded: all.count)
    }
    return ArrowColumn(
      "", "U", length: count, validity: validity,
      buffers: [UnsafeRawPointer(offsets.buffer.baseAddress), UnsafeRawPointer(all.buffer.baseAddress)],
      owners: [offsets, all])
  }

  private func dateTimes(_ validity: Validity?, _ policy: Policy) throws(EngineError) -> ArrowColumn {
    let count = states.count
    let rows = (0..<count).filter { state($0) == .value }
    let known = rows.filter { dates[$0].zone == .offset }.count
    if known > 0, known < rows.count {
      // One type cannot say both.
      return try texts(count, policy, validity) { (row, append) throws(EngineError) in
        let text = Array(dates[row].text(.dateTime).utf8)
        try text.withUnsafeBufferPointer { (bytes) throws(EngineError) in try append(UnsafeRawBufferPointer(bytes)) }
      }
    }
    return try converted(known > 0 ? "tsm:UTC" : "tsm:", policy, validity) { dates[$0].millisecondOfEpoch }
  }

  private func converted<Value>(
    _ format: String, _ policy: Policy, _ validity: Validity?, _ value: (Int) -> Value
  ) throws(EngineError) -> ArrowColumn {
    let count = states.count
    try policy.check(bytes: count, MemoryLayout<Value>.stride)
    let values = try HeapArray<Value>(count: count)
    for row in 0..<count { values.buffer.initializeElement(at: row, to: value(row)) }
    return ArrowColumn(
      "", format, length: count, validity: validity, buffers: [UnsafeRawPointer(values.buffer.baseAddress)],
      owners: [values])
  }
}

extension FeatureDate {
  /// Days since 1970-01-01, by the proleptic Gregorian calendar: Howard Hinnant's days_from_civil,
  /// https://howardhinnant.github.io/date_algorithms.html.
  fileprivate var dayOfEpoch: Int {
    let (month, year) = (
      Int(truncatingIfNeeded: self.month), Int(truncatingIfNeeded: self.year) &- (self.month <= 2 ? 1 : 0)
    )
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + Int(truncatingIfNeeded: day) - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  fileprivate var microsecondOfDay: Int64 {
    let whole = (Int64(truncatingIfNeeded: hour) * 60 + Int64(truncatingIfNeeded: minute)) * 60_000_000
    return whole + (Int64(exactly: (second * 1_000_000).rounded()) ?? 0)
  }

  /// In UTC, if the offset from it is known.
  fileprivate var millisecondOfEpoch: Int64 {
    Int64(truncatingIfNeeded: dayOfEpoch) &* 86_400_000 &+ microsecondOfDay / 1000
      &- Int64(truncatingIfNeeded: utcOffset) &* 60_000
  }
}
