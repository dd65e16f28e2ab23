import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry
import Glibc

/// Reports what a person needs to know when something is not as it should be.
public enum Doctor {
  /// This many live handles are listed one by one.
  private static let listedHandles = 1000

  /// - Parameters:
  ///   - version: of the library, as the boundary knows it.
  ///   - kindName: the name that the boundary has for a kind of handle.
  public static func report(
    _ runtime: Runtime, version: String, kindName: (HandleKind) -> String
  ) throws(EngineError) -> JSON {
    .object([
      ("alidade", .object([("version", .text(version)), ("processors", JSON(Workers.processorCount))])),
      ("gdal", try DataSources.report(runtime)),
      ("proj", try Coordinates.report(runtime)),
      ("geos", .object([("version", JSON(geosVersion.map { String(cString: $0) }))])),
      ("policy", policyReport(runtime.policy)),
      ("work", workReport(runtime)),
      ("network", networkReport(runtime)),
      ("handles", handleReport(runtime, kindName)),
      ("memory", memoryReport(runtime)),
    ])
  }

  private static func policyReport(_ policy: Policy) -> JSON {
    .object([
      ("network", .bool(policy.allowsNetwork)),
      ("virtual_file_systems", .list(policy.virtualFileSystems.map(JSON.text))),
      ("data_directories", .list(policy.dataDirectories.map(JSON.text))),
      ("max_request_bytes", .unsigned(policy.maxRequestBytes)),
      ("max_request_points", .unsigned(policy.maxRequestPoints)),
      ("max_request_ms", .unsigned(UInt64(truncatingIfNeeded: policy.maxRequestMilliseconds))),
    ])
  }

  private static func workReport(_ runtime: Runtime) -> JSON {
    let waiting = runtime.mailbox.waiting
    return .object([
      ("worker_limit", JSON(runtime.workers.threadCount)),
      ("workers", JSON(runtime.workers.liveThreadCount)),
      ("pending_requests", JSON(waiting.requests)),
      ("waiting_completions", JSON(waiting.completions)),
      ("waiting_events", JSON(waiting.events)),
      ("log_lines", .unsigned(waiting.logLines)),
    ])
  }

  private static func networkReport(_ runtime: Runtime) -> JSON {
    let client = HTTPClient.of(runtime)
    return .object([
      ("hosts", .list(runtime.policy.hosts.map(JSON.text))),
      ("requests_sent", .unsigned(client.sentCount)),
      ("requests_under_way", JSON(client.underWayCount)),
      ("threads", JSON(runtime.fetcherCount)),
    ])
  }

  private static func handleReport(_ runtime: Runtime, _ kindName: (HandleKind) -> String) -> JSON {
    let handles = HandleTable.shared.report(runtimeID: runtime.identity)
    let kinds = HandleKind.allCases.compactMap { kind -> (name: String, value: JSON)? in
      let ofKind = handles.filter { $0.kind == kind }
      guard !ofKind.isEmpty else { return nil }
      let owned = ofKind.filter(\.isOwned).count
      return (kindName(kind), .object([("owned", JSON(owned)), ("lent", JSON(ofKind.count &- owned))]))
    }
    let listed = handles.sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }.prefix(listedHandles)
    return .object([
      ("count", JSON(handles.count)),
      ("by_kind", .object(kinds)),
      ("list", .list(listed.map { description($0, kindName($0.kind)) })),
    ])
  }

  private static func description(_ handle: HandleReport, _ kindName: String) -> JSON {
    var members: [(name: String, value: JSON)] = [
      ("kind", .text(kindName)), ("id", .text("0x" + String(handle.id, radix: 16))),
      ("owned", .bool(handle.isOwned)), ("label", JSON(handle.label.isEmpty ? nil : handle.label)),
    ]
    if handle.kind == .raster, let object = try? HandleTable.shared.object(handle.id, .raster),
      let raster = (object as? Raster) ?? (object as? LoadableRaster)?.raster
    {
      members.append(("path", .text(DataSources.withoutSecrets(raster.facts.path))))
      members.append(("driver", .text(raster.facts.driver)))
      members.append(("idle_data_sets", JSON(raster.idleDatasetCount)))
    }
    if handle.kind == .featureSource,
      let object = try? HandleTable.shared.object(handle.id, .featureSource),
      let source = object as? FeatureSource
    {
      members.append(("path", .text(DataSources.withoutSecrets(source.facts.path))))
      members.append(("driver", .text(source.facts.driver)))
      members.append(("layer", .text(source.facts.layerName)))
      members.append(("idle_data_sets", JSON(source.idleDatasetCount)))
      members.append(("index_bytes", source.index.map { JSON($0.byteCount) } ?? .null))
    }
    return .object(members)
  }

  /// The process's memory, as the system reports it; null where it does not.
  private static func memoryReport(_ runtime: Runtime) -> JSON {
    var usage = rusage()
    let hasUsage = getrusage(__rusage_who_t(truncatingIfNeeded: RUSAGE_SELF.rawValue), &usage) == 0
    return .object([
      ("process_resident_bytes", residentPages.map { .integer($0 &* pageSize) } ?? .null),
      (
        "process_peak_resident_bytes",
        hasUsage ? .integer(Int64(truncatingIfNeeded: usage.ru_maxrss) &* 1024) : .null
      ),
      ("feature_index_bytes", JSON(IndexMemory.of(runtime).byteCount)),
    ])
  }

  private static var pageSize: Int64 {
    Int64(truncatingIfNeeded: sysconf(Int32(truncatingIfNeeded: _SC_PAGESIZE)))
  }

  /// The second word of /proc/self/statm.
  private static var residentPages: Int64? {
    guard let file = fopen("/proc/self/statm", "re") else { return nil }
    defer { fclose(file) }
    var pages = 0
    let count = withUnsafeMutablePointer(to: &pages) { pages in
      withVaList([pages, pages]) { vfscanf(file, "%ld %ld", $0) }
    }
    return count == 2 ? Int64(truncatingIfNeeded: pages) : nil
  }
}
