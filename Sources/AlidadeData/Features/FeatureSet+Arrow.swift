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
    var all = [ArrowColumn(names.free("fid"), "l", length: count, buffers: [ids])] + fields
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
    func plain(_ format: String, _ values: any ArrowBuffer) -> ArrowColumn {
      ArrowColumn("", format, length: count, validity: validity, buffers: [values])
    }
    func list(_ child: ArrowColumn) -> ArrowColumn {
      ArrowColumn(
        "", "+L", length: count, validity: validity, buffers: [offsets], children: [child.renamed("item")])
    }
    switch field.type {
    case .integer where field.subtype == .boolean:
      let isTrue = try ArrowColumn.validity(count) { self.integers[$0] != 0 }
      let bits = if let isTrue { isTrue.bits } else { try HeapArray<UInt8>(count: count / 8 &+ 1, repeating: 255) }
      return plain("b", bits)
    case .integer: return plain("l", integers)
    case .real: return plain("g", reals)
    case .text:
      return try .texts("", count, policy) { row, visit in
        if state(row) == .value { visitBytes(of: text(row), visit) }
      }
    case .date: return try dates("tdD", policy) { Int32(truncatingIfNeeded: $0.dayOfEpoch) }
    case .time: return try dates("ttu", policy) { $0.microsecondOfDay }
    case .dateTime: return try dateTimes(policy)
    case .binary: return ArrowColumn("", "Z", length: count, validity: validity, buffers: [offsets, bytes])
    case .integerList: return list(ArrowColumn("", "l", length: integers.count, buffers: [integers]))
    case .realList: return list(ArrowColumn("", "g", length: reals.count, buffers: [reals]))
    case .textList:
      return list(
        try .texts("", entryOffsets.count &- 1, policy) { entry, visit in
          visitBytes(of: self.entries?.buffer[entry], visit)
        })
    }
  }

  /// Without the NUL at the end.
  private func visitBytes(of text: UnsafePointer<CChar>?, _ visit: (UnsafeBufferPointer<UInt8>) -> Void) {
    guard let text else { return }
    visit(UnsafeRawBufferPointer(start: text, count: strlen(text)).assumingMemoryBound(to: UInt8.self))
  }

  private func dateTimes(_ policy: Policy) throws(EngineError) -> ArrowColumn {
    let rows = states.buffer.indices.filter { state($0) == .value }
    let known = rows.filter { dates[$0].zone == .offset }.count
    if known > 0, known < rows.count {
      // One type cannot say both.
      return try .texts("", states.count, policy) { state($0) == .value ? dates[$0].text(.dateTime) : nil }
    }
    return try dates(known > 0 ? "tsm:UTC" : "tsm:", policy) { $0.millisecondOfEpoch }
  }

  private func dates<Value: BitwiseCopyable>(
    _ format: String, _ policy: Policy, _ value: (FeatureDate) -> Value
  ) throws(EngineError) -> ArrowColumn {
    try .values("", format, states.count, policy) { state($0) == .value ? value(dates[$0]) : nil }
  }
}
