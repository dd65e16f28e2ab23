/// What opened files may do. The default is strict: only local files, only drivers that neither use the network nor run
/// code, and only references to files in the folder of the file that names them, or below.
public struct Policy: Sendable {
  /// Names lead wherever GDAL's own network functions lead them, to any host.
  public var allowsNetwork = false
  /// Hosts whose services may be used: "example.com"; "*.example.com" for all below it; "*" for all; with ":8080" behind
  /// it only that port. See `check(host:)`.
  public var hosts: [String] = []
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

  // MARK: Hosts

  /// Throws if a text is not an entry of `hosts`.
  public static func check(host pattern: String) throws(EngineError) {
    let (name, port) = parts(of: pattern)
    let labels = name.hasPrefix("*.") ? name.dropFirst(2) : name[...]
    let isAddress = name.hasPrefix("[") && name.hasSuffix("]") && name.utf8.count > 2
    let isName =
      !labels.isEmpty && labels.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || "-._".utf8.contains($0) }
    guard name == "*" || isAddress || isName, port.map({ (1...65535).contains($0) }) ?? true else {
      throw EngineError(
        .invalidArgument,
        "\"\(pattern)\" in hosts is not a host. Write a name such as example.com, *.example.com or localhost:8080, "
          + "without http:// and without a path; [::1] for an IPv6 address; * for all hosts.")
    }
  }

  /// Whether a service of a host may be used.
  ///
  /// - Parameter host: a name in lower case, or an address; an IPv6 address in brackets.
  public func allows(host: String, port: Int) -> Bool {
    allowsNetwork
      || hosts.contains { pattern in
        let (name, wanted) = Self.parts(of: pattern)
        guard wanted == nil || wanted == port else { return false }
        return name == "*" || name == host || (name.hasPrefix("*.") && host.hasSuffix(name.dropFirst()))
      }
  }

  /// The host of a pattern in lower case, and its port; nil: all ports. A port that is no number is 0.
  private static func parts(of pattern: String) -> (name: String, port: Int?) {
    let text = String(decoding: pattern.utf8.map { isLetter($0) ? $0 | 32 : $0 }, as: UTF8.self)
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), !text.hasSuffix("]") else { return (text, nil) }
    return (String(text[..<colon]), Int(text[text.index(after: colon)...], radix: 10) ?? 0)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) }

  // MARK: Limits

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
