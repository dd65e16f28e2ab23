import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry
import AlidadeMap
import CAlidade

@_cdecl("ald_runtime_create") @implementation
public func ald_runtime_create(
  _ options: In<ald_runtime_options>, _ out_runtime: Out<ald_runtime>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_runtime, argument: 2, error) { () throws(EngineError) in
    try Engine.makeRuntime(options: try runtimeOptions(options, 1))
  }
}

/// Ends every handle of the runtime.
func release(_ runtime: ald_runtime) {
  _ = enter(nil) { () throws(EngineError) in
    let object = try resolve(runtime, 1)
    object.releaseHandles()
  }
}

@_cdecl("ald_runtime_get_handle_count") @implementation
public func ald_runtime_get_handle_count(
  _ runtime: ald_runtime, _ out_count: Out<UInt64>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(runtime, out_count, "out_count", argument: 2, error) { (runtime) throws(EngineError) in
    UInt64(clamping: HandleTable.shared.count(runtimeID: runtime.runtimeID))
  }
}

@_cdecl("ald_runtime_get_library_versions") @implementation
public func ald_runtime_get_library_versions(
  _ runtime: ald_runtime, _ out_versions: Out<ald_library_versions>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(runtime, out_versions, argument: 2, error) { (_) throws(EngineError) in
    return try ProcessGate.shared.pass { () throws(EngineError) in
      ald_library_versions(
        struct_size: 0, reserved: 0, gdal: DataSources.gdalVersion, proj: Coordinates.projVersion, geos: geosVersion)
    }
  }
}

/// Options from C.
private func runtimeOptions(
  _ pointer: In<ald_runtime_options>, _ argument: Int32
) throws(EngineError) -> RuntimeOptions {
  var options = RuntimeOptions()
  let given = try read(pointer, "ald_runtime_options", argument, zero: ald_runtime_options())
  if given.thread_count > 256 {
    throw EngineError(
      .invalidArgument, "thread_count is \(given.thread_count); it must be at most 256.", argument: argument)
  }
  if given.thread_count > 0 { options.threadCount = Int(truncatingIfNeeded: given.thread_count) }
  if let policy = given.policy { options.policy = try policyFromC(policy, argument) }
  options.projDirectory = try directory(given.proj_directory, "proj_directory", argument)
  options.gdalDirectory = try directory(given.gdal_directory, "gdal_directory", argument)
  if given.log_level != ALD_LOG_LEVEL_DEFAULT {
    options.logLevel = try enumerator(given.log_level, "log_level", "level", argument)
  }
  try requireFlags(given.reserved, known: 0, "ald_runtime_options.reserved", argument)
  return options
}

private func directory(_ pointer: In<CChar>, _ name: String, _ argument: Int32) throws(EngineError) -> String? {
  guard let path = try optionalString(pointer, name, argument) else { return nil }
  if path.isEmpty { throw EngineError(.invalidArgument, "\(name) is empty.", argument: argument) }
  return path
}

private func policyFromC(_ pointer: UnsafePointer<ald_policy>, _ argument: Int32) throws(EngineError) -> Policy {
  let given = try read(pointer, "ald_policy", argument, zero: ald_policy())
  try requireFlags(
    given.flags,
    known: ALD_POLICY_ALLOW_NETWORK | ALD_POLICY_ADD_DRIVERS | ALD_POLICY_ALLOW_SQL | ALD_POLICY_ALLOW_SQL_IN_FILES
      | ALD_POLICY_COMMON_FORMATS_ONLY,
    "ald_policy.flags", argument)
  var policy = Policy()
  policy.allowsCommonFormatsOnly = given.flags & ALD_POLICY_COMMON_FORMATS_ONLY != 0
  policy.allowsSQL = given.flags & ALD_POLICY_ALLOW_SQL != 0
  policy.allowsSQLInFiles = given.flags & ALD_POLICY_ALLOW_SQL_IN_FILES != 0
  policy.allowsNetwork = given.flags & ALD_POLICY_ALLOW_NETWORK != 0
  let drivers = try strings(given.drivers, given.driver_count, "ald_policy.drivers", argument)
  if given.flags & ALD_POLICY_ADD_DRIVERS != 0 {
    policy.additionalDrivers = drivers
  } else if given.drivers != nil {
    policy.drivers = drivers
  }
  policy.virtualFileSystems = try strings(
    given.vsi_prefixes, given.vsi_prefix_count, "ald_policy.vsi_prefixes", argument)
  for prefix in policy.virtualFileSystems where !prefix.hasPrefix("/vsi") {
    throw EngineError(
      .invalidArgument, "The prefix \"\(prefix)\" in ald_policy.vsi_prefixes does not begin with /vsi.",
      argument: argument)
  }
  policy.dataDirectories = try strings(
    given.data_directories, given.data_directory_count, "ald_policy.data_directories", argument)
  for directory in policy.dataDirectories where !directory.hasPrefix("/") || directory.hasPrefix("/vsi") {
    throw EngineError(
      .invalidArgument, "\"\(directory)\" in ald_policy.data_directories is no absolute path of a local folder.",
      argument: argument)
  }
  try requireFlags(given.reserved, known: 0, "ald_policy.reserved", argument)
  policy.hosts = try strings(given.hosts, given.host_count, "ald_policy.hosts", argument)
  for host in policy.hosts { try blaming(argument, try Policy.check(host: host)) }
  if given.max_request_bytes > 0 { policy.maxRequestBytes = given.max_request_bytes }
  if given.max_request_points > 0 { policy.maxRequestPoints = given.max_request_points }
  policy.maxRequestMilliseconds = given.max_request_ms
  return policy
}

@_cdecl("ald_runtime_set_label") @implementation
public func ald_runtime_set_label(
  _ runtime: ald_runtime, _ id: UInt64, _ label: In<CChar>, _ error: Out<ald_error>
) -> ald_status {
  enter(runtime, error) { (runtime) throws(EngineError) in
    let text = try optionalString(label, "label", 3) ?? ""
    try blaming(
      2, try HandleTable.shared.setLabel(prefix(text, bytes: longestLabel), id: id, runtimeID: runtime.identity))
  }
}

@_cdecl("ald_runtime_get_report") @implementation
public func ald_runtime_get_report(
  _ runtime: ald_runtime, _ format: ald_report_format, _ buffer: Out<CChar>, _ capacity_bytes: Int,
  _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(runtime, error) { (runtime) throws(EngineError) in
    let form: ReportFormat = try enumerator(format, "format", "form of a report", 2)
    let version = ald_get_version_text().map { String(cString: $0) } ?? ""
    let report = try Doctor.report(runtime, version: version) { $0.typeName }
    try copyOut(report.text(form), buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
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
