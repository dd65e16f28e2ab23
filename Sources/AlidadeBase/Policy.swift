/// What opened files may do. The default is strict: only local files, only drivers that neither use the network nor run
/// code, and only references to files in the folder of the file that names them, or below.
public struct Policy: Sendable {
  public var allowsNetwork = false
  /// Conditions and statements of the host run as they are written.
  public var allowsSQL = false
  /// Databases may hold views that call any function, virtual tables, and what SpatiaLite makes of them.
  public var allowsSQLInFiles = false
  /// The default list of drivers is the short one of formats that files are commonly exchanged in.
  public var allowsCommonFormatsOnly = false
  /// Short names of GDAL drivers that replace the default list; nil: the default list.
  public var drivers: [String]?
  /// Short names of GDAL drivers that are allowed in addition to the list.
  public var additionalDrivers: [String] = []
  /// Prefixes of GDAL's virtual file systems that names may use, such as "/vsizip/".
  public var virtualFileSystems: [String] = []
  /// Absolute paths of folders whose files other files may name, in addition to the folder of the opened file.
  public var dataDirectories: [String] = []
  /// The most memory that one request may need, in bytes.
  public var maxRequestBytes: UInt64 = 1 << 30
  /// The most points or pixels that one request may name.
  public var maxRequestPoints: UInt64 = 1 << 26
  /// How long a call that computes with geometries may take; 0: as long as it takes.
  public var maxRequestMilliseconds: UInt32 = 0

  public init() {}

  /// For a process that opens files of strangers, such as a server: the default with common formats only, and lower
  /// limits. The C header has the same values.
  public static var untrusted: Policy {
    var policy = Policy()
    policy.allowsCommonFormatsOnly = true
    policy.maxRequestBytes = 1 << 28
    policy.maxRequestPoints = 1 << 24
    policy.maxRequestMilliseconds = 10_000
    return policy
  }

  /// Throws if a request names too many points.
  public func check(points: Int) throws(EngineError) {
    if points < 0 || points > Int(truncatingIfNeeded: Int32.max)
      || UInt64(truncatingIfNeeded: points) > maxRequestPoints
    {
      throw EngineError(
        .limitExceeded,
        "The request names \(points) points; the policy allows \(maxRequestPoints). Ask for fewer at a time, or raise "
          + "max_request_points (at most 2,147,483,647 count).")
    }
  }

  /// Throws if a request needs too much memory.
  ///
  /// - Parameters: numbers whose product is the size in bytes; an overflow is too much as well. They are no list, which
  ///   would take memory in every frame.
  public func check(bytes first: Int, _ second: Int = 1, _ third: Int = 1) throws(EngineError) {
    let area = UInt64(clamping: first).multipliedReportingOverflow(by: UInt64(clamping: second))
    let volume = area.partialValue.multipliedReportingOverflow(by: UInt64(clamping: third))
    let size = area.overflow || volume.overflow ? .max : volume.partialValue
    // Beyond Int.max no array can be, whatever the policy says.
    if size > min(maxRequestBytes, UInt64(truncatingIfNeeded: Int.max)) {
      throw EngineError(
        .limitExceeded,
        "The request needs \(size) bytes; the policy allows \(maxRequestBytes). Ask for less at a time, or raise "
          + "max_request_bytes.")
    }
  }
}
