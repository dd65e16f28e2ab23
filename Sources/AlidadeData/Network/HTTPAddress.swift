import AlidadeBase
import CCURL

/// An address of the web, `http` or `https`, and the host that it leads to.
struct HTTPAddress: Sendable {
  let text: String
  /// In lower case, without a final dot; an IPv6 address in brackets.
  let host: String
  let port: Int
  let isEncrypted: Bool

  /// What counts as one server.
  var server: String { "\(host):\(port)" }

  /// Whether a name is meant as such an address.
  static func isAddress(_ name: String) -> Bool {
    let beginning = name.prefix(8).lowercased()
    return beginning.hasPrefix("http://") || beginning.hasPrefix("https://")
  }

  init(_ text: String) throws(EngineError) { try self.init(text, relativeTo: nil) }

  /// The address that a redirect from this one leads to.
  func resolving(_ location: String) throws(EngineError) -> HTTPAddress {
    try HTTPAddress(location, relativeTo: text)
  }

  private init(_ text: String, relativeTo base: String?) throws(EngineError) {
    guard let parser = curl_url() else { throw EngineError(.outOfMemory, "There is no memory for an address.") }
    defer { curl_url_cleanup(parser) }
    let flags = UInt32(truncatingIfNeeded: CURLU_URLENCODE)
    for text in [base, text].compactMap(\.self) {
      let code = curl_url_set(parser, CURLUPART_URL, text, flags)
      guard code == CURLUE_OK else {
        throw EngineError(
          .invalidArgument,
          "\"\(ReferenceRule.short(text))\" is not an address of the web: \(gdalText(curl_url_strerror(code))).")
      }
    }
    func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
      var found: UnsafeMutablePointer<CChar>?
      guard curl_url_get(parser, part, &found, UInt32(truncatingIfNeeded: flags)) == CURLUE_OK, let found else {
        return nil
      }
      defer { curl_free(found) }
      return String(validatingCString: found)
    }
    guard let scheme = part(CURLUPART_SCHEME)?.lowercased(), ["http", "https"].contains(scheme),
      let whole = part(CURLUPART_URL), var host = part(CURLUPART_HOST)?.lowercased(),
      let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0, radix: 10) })
    else {
      throw EngineError(
        .invalidArgument, "\"\(ReferenceRule.short(text))\" is not an address that begins with http:// or https://.")
    }
    if host.hasSuffix(".") { host.removeLast() }
    (self.text, self.host, self.port) = (whole, host, port)
    isEncrypted = scheme == "https"
  }

  /// Without its query, which may hold keys, and without a user's name and password.
  var shown: String { Self.shown(text) }

  /// The same for the text of an address.
  static func shown(_ text: String) -> String {
    var parts = text.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: false)
    // The scheme, nothing, and what names the host.
    if parts.count > 2, let at = parts[2].lastIndex(of: "@") { parts[2] = parts[2][parts[2].index(after: at)...] }
    return ReferenceRule.short(parts.joined(separator: "/"))
  }
}
