import AlidadeBase
import AlidadeGeometry
import CCURL
import Glibc

/// What is asked of a server.
public struct HTTPRequest: Sendable {
  public var address: String
  /// Lines such as "Accept: application/json".
  public var headers: [String] = []
  /// What is sent; nil: nothing, and the method is GET instead of POST.
  public var body: [UInt8]?
  /// The most bytes of a response; more are an error. The policy's limit holds as well.
  public var mostBytes = UInt64.max

  public init(_ address: String) { self.address = address }

  /// A request for what a service says of itself.
  static func description(_ address: String) -> HTTPRequest {
    var request = HTTPRequest(address)
    request.mostBytes = 64 << 20
    return request
  }
}

/// What a server returned.
public struct HTTPResponse: Sendable {
  /// The address that it came from, after redirects.
  public let address: String
  /// 200 and so on.
  public let status: Int
  public let headers: [(name: String, value: String)]
  public let body: [UInt8]

  /// The value of a header, whatever the case of its name.
  public func header(_ name: String) -> String? {
    headers.last { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// Talks to servers for a runtime. Any number of threads may use it.
///
/// GDAL's own HTTP functions are not used, because they follow redirects to any host, cannot be ended before the server
/// says something, and do not share what they know: how many requests a host has from this runtime, and until when it
/// wants to be left alone.
public final class HTTPClient: Sendable {
  /// At the same time, for one host, as browsers have it.
  static let mostTransfersPerHost = 6
  private static let mostRedirects = 10
  /// After the first one.
  private static let mostTries = 3
  /// A server that wants to be left alone for longer gets an error instead of patience, in nanoseconds.
  private static let longestWait: UInt64 = 30_000_000_000
  /// How long a wait may last before it is looked whether the result is still wanted, in milliseconds.
  private static let patience: UInt32 = 20

  private struct Counts {
    var sent: UInt64 = 0
    var underWay = 0
  }

  private struct Host {
    var transferCount = 0
    /// In monotonic time.
    var quietUntil: UInt64 = 0
  }

  let policy: Policy
  private let hosts = Lock<[String: Host]>([:])
  private let changed = AlidadeBase.Condition()
  private let transfers = LeasePool<HTTPTransfer>(capacity: 8)
  /// How many requests have been sent, and how many of them are under way.
  private let counts = Lock(Counts())

  public static func of(_ runtime: Runtime) -> HTTPClient {
    runtime.service(HTTPClient.self) { HTTPClient(runtime.policy) }
  }

  init(_ policy: Policy) { self.policy = policy }

  public var sentCount: UInt64 { counts.withLock { $0.sent } }
  public var underWayCount: Int { counts.withLock { $0.underWay } }

  /// Sends a request and waits for what the server returns, whatever its status is. Follows redirects, and tries again
  /// if the server asks for it.
  ///
  /// Throws `policyRefused` for a host that the policy does not allow, `readFailed` if there is no answer,
  /// `limitExceeded` beyond a limit of the policy, and `cancelled` once nobody wants the result any longer.
  public func fetch(_ request: HTTPRequest) throws(EngineError) -> HTTPResponse {
    var (request, redirectCount, tryCount) = (request, 0, 0)
    var address = try HTTPAddress(request.address)
    while true {
      try check(address)
      let response = try send(request, to: address)
      if let location = response.redirect {
        redirectCount += 1
        guard redirectCount <= Self.mostRedirects else {
          throw EngineError(
            .readFailed, "\"\(address.shown)\" leads from one address to another for ever.", domain: .http)
        }
        let target = try address.resolving(location)
        guard target.isEncrypted || !address.isEncrypted else {
          throw EngineError(
            .policyRefused,
            "\"\(address.shown)\" leads to \"\(target.shown)\", which is not encrypted (rule: network). Give that address "
              + "instead.")
        }
        address = target
        if response.status == 303 || (response.status < 307 && request.body != nil) { request.body = nil }
        continue
      }
      guard response.wantsPatience, tryCount < Self.mostTries else { return response }
      let wait = response.wait ?? (500_000_000 << UInt64(truncatingIfNeeded: tryCount))
      guard wait <= Self.longestWait else { return response }
      tryCount += 1
      hosts.withLock { $0[address.server, default: Host()].quietUntil = MonotonicTime.now() &+ wait }
    }
  }

  /// The response of success; any other response is an error with what the server says.
  public func read(_ request: HTTPRequest) throws(EngineError) -> HTTPResponse {
    try fetch(request).successful()
  }

  /// Throws if the policy does not allow the host of an address.
  func check(_ address: HTTPAddress) throws(EngineError) {
    guard policy.allows(host: address.host, port: address.port) else {
      throw EngineError(
        .policyRefused,
        "\"\(address.shown)\" leads to the host \(address.host), which the runtime's policy does not allow (rule: "
          + "network). Name it in hosts to allow it.")
    }
  }

  /// One request, as soon as the host may have one more.
  private func send(_ request: HTTPRequest, to address: HTTPAddress) throws(EngineError) -> HTTPResponse {
    try begin(at: address.server)
    counts.withLock {
      $0.sent &+= 1
      $0.underWay &+= 1
    }
    defer {
      counts.withLock { $0.underWay &-= 1 }
      hosts.withLock { $0[address.server]?.transferCount &-= 1 }
      changed.wakeAll()
    }
    let transfer: HTTPTransfer
    if let idle = transfers.take() { transfer = idle } else { transfer = try HTTPTransfer() }
    let most = min(policy.maxRequestBytes, request.mostBytes)
    let response = try transfer.perform(request, address, most: most, patience: Self.patience)
    transfers.giveBack(transfer)
    return response
  }

  private func begin(at host: String) throws(EngineError) {
    while true {
      try Interest.check()
      try TimeLimit.check()
      let hasBegun: Bool? = hosts.wait(on: changed, until: Deadline(milliseconds: Self.patience)) { hosts in
        var known = hosts[host, default: Host()]
        guard known.transferCount < Self.mostTransfersPerHost, MonotonicTime.now() >= known.quietUntil else {
          return nil
        }
        known.transferCount &+= 1
        hosts[host] = known
        return true
      }
      if hasBegun != nil { return }
    }
  }
}

extension HTTPResponse {
  /// Where a redirect leads; nil for any other response.
  fileprivate var redirect: String? {
    [301, 302, 303, 307, 308].contains(status) ? header("Location") : nil
  }

  /// Whether the server is too busy now.
  fileprivate var wantsPatience: Bool { [429, 502, 503, 504].contains(status) }

  /// For how many nanoseconds the server wants to be left alone; nil: it does not say.
  fileprivate var wait: UInt64? {
    guard let text = header("Retry-After") else { return nil }
    // Longer than any wait, and no overflow.
    let most: UInt64 = 1 << 30
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
      return min(UInt64(text, radix: 10) ?? most, most) &* 1_000_000_000
    }
    let then = curl_getdate(text, nil)
    guard then >= 0 else { return nil }
    return min(UInt64(clamping: then &- time(nil)), most) &* 1_000_000_000
  }

  /// The response, unless it is one of failure: then the error with what the server says.
  func successful() throws(EngineError) -> HTTPResponse {
    guard (200..<300).contains(status) else { throw failure }
    return self
  }

  /// A response of failure as an error, with what the server says.
  var failure: EngineError {
    var message = "\"\(HTTPAddress.shown(address))\" cannot be read: the server returned \(status)"
    let words = words
    message += words.isEmpty ? "." : ": \(words)"
    if let wait, wantsPatience { message += " It asks for a pause of \(wait / 1_000_000_000) s." }
    return EngineError(
      status == 404 || status == 410 ? .notFound : .readFailed, message, domain: .http,
      domainCode: Int32(truncatingIfNeeded: status))
  }

  /// What the server says in its answer to a person, without markup, cut to a line.
  var words: String {
    if let text = jsonWords { return text }
    var (text, isInTag, hasSpace) = ("", false, true)
    // The first letters of a tag, and the element whose content is not for people; empty: none.
    var (tag, hidden) = ("", "")
    for character in String(decoding: body.prefix(16384), as: UTF8.self).unicodeScalars {
      switch character {
      case "<": (isInTag, tag) = (true, "")
      case ">" where isInTag:
        isInTag = false
        let name = String(tag.lowercased().prefix { $0.isLetter || $0 == "/" })
        if hidden.isEmpty, ["style", "script"].contains(name) { hidden = name }
        if !hidden.isEmpty, name == "/" + hidden { hidden = "" }
      case _ where isInTag:
        if tag.utf8.count < 8 { tag.unicodeScalars.append(character) }
      case _ where !hidden.isEmpty: continue
      case _ where character.properties.isWhitespace || character.value < 32:
        if !hasSpace { text += " " }
        hasSpace = true
      default:
        text.unicodeScalars.append(character)
        hasSpace = false
      }
      if text.utf8.count > 300 { return text + "..." }
    }
    if text.last == " " { text.removeLast() }
    return text
  }

  /// The text for people in a report in JSON; nil: there is no such report.
  private var jsonWords: String? {
    guard body.first == UInt8(ascii: "{"), body.count <= 65536 else { return nil }
    var report: JSON?
    body.withUnsafeBufferPointer { bytes in
      var json = JSONScanner(bytes, title: "The response")
      do throws(EngineError) { report = try json.readValue() } catch {}
    }
    return ["description", "detail", "message", "title"].lazy.compactMap { report?[$0]?.text }.first { !$0.isEmpty }
  }
}
