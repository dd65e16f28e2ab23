import AlidadeBase
import AlidadeMap
import CAlidade

@_cdecl("ald_runtime_set_label") @implementation
public func ald_runtime_set_label(
  _ runtime: ald_runtime, _ id: UInt64, _ label: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let text = try optionalString(label, "label", 3) ?? ""
    try HandleTable.shared.setLabel(
      prefix(text, bytes: longestLabel), id: id, runtimeID: runtime.identity, argument: 2)
  }
}

@_cdecl("ald_runtime_doctor") @implementation
public func ald_runtime_doctor(
  _ runtime: ald_runtime, _ format: ald_report_format, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let isText = format == ald_report_format(truncatingIfNeeded: ALD_REPORT_TEXT)
    guard isText || format == ald_report_format(truncatingIfNeeded: ALD_REPORT_JSON) else {
      throw EngineError(.invalidArgument, "format is \(format), which is no form of a report.", argument: 2)
    }
    let version = ald_version_text().map { String(cString: $0) } ?? ""
    let report = try Doctor.report(runtime, version: version)
    try copyOut(isText ? report.lines : report.jsonText, buffer, capacity, out_size, bufferArgument: 3)
  }
}

private let longestLabel = 255

/// As much of a text as goes into so many bytes, cut at a whole character.
private func prefix(_ text: String, bytes limit: Int) -> String {
  guard text.utf8.count > limit else { return text }
  var kept = ""
  var size = 0
  for scalar in text.unicodeScalars {
    size &+= UTF8.width(scalar)
    guard size <= limit else { break }
    kept.unicodeScalars.append(scalar)
  }
  return kept
}
