import AlidadeBase
import CCURL
import Glibc

/// A connection of libcurl's, used again for the next request. One thread at a time has it.
///
/// Right to hand from thread to thread: libcurl's handles are bound to no thread, and the lease makes the use exclusive.
final class HTTPTransfer: @unchecked Sendable {
  private let transfer: UnsafeMutableRawPointer
  private let transfers: UnsafeMutableRawPointer
  /// What libcurl says of a failure.
  private let words: UnsafeMutablePointer<CChar>
  private var body: [UInt8] = []
  private var headers: [(name: String, value: String)] = []
  private var most: UInt64 = 0
  private var isTooLarge = false

  /// In seconds: how long a server may send nothing, and how long it may take to reach it.
  private static let longestSilence = 30
  private static let longestConnecting = 10

  init() throws(EngineError) {
    let made = try ProcessGate.shared.pass { () throws(EngineError) in (curl_easy_init(), curl_multi_init()) }
    guard let transfer = made.0, let transfers = made.1 else {
      throw EngineError(.outOfMemory, "There is no memory for a connection.")
    }
    (self.transfer, self.transfers) = (transfer, transfers)
    words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    let (transfer, transfers) = (transfer, transfers)
    do throws(EngineError) {
      try ProcessGate.shared.pass { () throws(EngineError) in
        curl_easy_cleanup(transfer)
        curl_multi_cleanup(transfers)
      }
    } catch {
      // The process is ending.
    }
    words.deallocate()
  }

  func perform(
    _ request: HTTPRequest, _ address: HTTPAddress, most: UInt64, patience: UInt32
  ) throws(EngineError) -> HTTPResponse {
    (body, headers, self.most, isTooLarge) = ([], [], most, false)
    words.pointee = 0
    var lines: UnsafeMutablePointer<curl_slist>?
    for line in request.headers { lines = curl_slist_append(lines, line) ?? lines }
    defer { curl_slist_free_all(lines) }
    prepare(request, address, lines)
    let code = try run(patience)
    if isTooLarge {
      throw EngineError(
        .limitExceeded,
        "\"\(address.shown)\" returns more than \(most) bytes, "
          + (most == request.mostBytes
            ? "more than such a response may have."
            : "which is what the policy allows. Ask for less at a time, or raise max_request_bytes."))
    }
    guard code == CURLE_OK else {
      let reason = words.pointee != 0 ? gdalText(words) : gdalText(curl_easy_strerror(code))
      throw EngineError(
        .readFailed, "\"\(address.shown)\" cannot be read: \(reason).", domain: .http,
        domainCode: Int32(truncatingIfNeeded: code.rawValue))
    }
    let response = HTTPResponse(
      address: address.text, status: alidade_curl_response_code(transfer), headers: headers, body: body)
    body = []
    return response
  }

  private func prepare(_ request: HTTPRequest, _ address: HTTPAddress, _ lines: UnsafeMutablePointer<curl_slist>?) {
    curl_easy_reset(transfer)
    alidade_curl_prepare(transfer)
    alidade_curl_set_error_buffer(transfer, words)
    _ = alidade_curl_set_text(transfer, CURLOPT_URL, address.text)
    _ = alidade_curl_set_text(transfer, CURLOPT_USERAGENT, "Alidade")
    _ = alidade_curl_set_headers(transfer, lines)
    _ = alidade_curl_set_number(transfer, CURLOPT_CONNECTTIMEOUT, Self.longestConnecting)
    _ = alidade_curl_set_number(transfer, CURLOPT_LOW_SPEED_LIMIT, 1)
    _ = alidade_curl_set_number(transfer, CURLOPT_LOW_SPEED_TIME, Self.longestSilence)
    if let sent = request.body {
      sent.withUnsafeBytes { _ = alidade_curl_set_post(transfer, $0.baseAddress, curl_off_t($0.count)) }
    }
    // Right: the transfer outlives the call, and libcurl forgets the pointer at the next reset.
    alidade_curl_set_sinks(transfer, Self.takeBody, Self.takeHeader, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Works until the transfer has ended, and looks meanwhile whether the result is still wanted.
  private func run(_ patience: UInt32) throws(EngineError) -> CURLcode {
    let (transfers, transfer) = (transfers, transfer)
    curl_multi_add_handle(transfers, transfer)
    defer {
      // Once the process is ending, the transfer is left as it is.
      do throws(EngineError) {
        _ = try ProcessGate.shared.pass { () throws(EngineError) in curl_multi_remove_handle(transfers, transfer) }
      } catch {}
    }
    var (running, code) = (Int32(0), CURLE_OK)
    while true {
      try Interest.check()
      try TimeLimit.check()
      let hasEnded = try ProcessGate.shared.pass { () throws(EngineError) in
        curl_multi_perform(transfers, &running)
        return alidade_curl_has_ended(transfers, &code)
      }
      if hasEnded { return code }
      curl_multi_poll(transfers, nil, 0, Int32(clamping: patience), nil)
    }
  }

  private static let takeBody:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      // Right: see `prepare`.
      let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
      let length = size &* count
      guard UInt64(clamping: transfer.body.count &+ length) <= transfer.most else {
        transfer.isTooLarge = true
        return 0
      }
      transfer.body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: length))
      return length
    }

  private static let takeHeader:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      // Right: see `prepare`.
      let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
      let length = size &* count
      transfer.takeHeader(String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self))
      return length
    }

  private func takeHeader(_ line: String) {
    // A status of 100 comes first, with headers that do not belong to the response.
    if line.hasPrefix("HTTP/") { headers = [] }
    guard headers.count < 200, let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
    let value = line[line.utf8.index(after: colon)...]
    headers.append((String(line[..<colon]), value.trimmed))
  }
}

extension Substring {
  /// Without the blanks and line ends around it.
  var trimmed: String {
    var rest = self.unicodeScalars
    while let first = rest.first, first.properties.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.properties.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
