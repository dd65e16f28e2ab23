import AlidadeBase

/// The parts of the address of a service.
struct ServiceAddress: Sendable {
  /// Without its query.
  let base: String
  let query: [(name: String, value: String)]
  let given: String

  init(_ address: String) {
    given = address
    let text = address.prefix { $0 != "#" }
    base = String(text.prefix { $0 != "?" })
    query = Self.parameters(text.dropFirst(base.count + 1))
  }

  static func parameters(_ text: Substring) -> [(name: String, value: String)] {
    text.split(separator: "&").map { parameter in
      let name = parameter.prefix { $0 != "=" }
      return (String(name), String(parameter.dropFirst(name.count + 1)))
    }
  }

  /// The value of a parameter, whatever the case of its name; nil: it is not there, or is empty.
  func value(_ name: String) -> String? {
    let value = query.last { $0.name.lowercased() == name }?.value
    return value?.isEmpty ?? true ? nil : value
  }

  /// Whether it has names in braces.
  var isTemplate: Bool { base.contains("{") || query.contains { $0.value.contains("{") } }

  /// The kind of service: "wms", "wmts" or "".
  var service: String {
    let path = base.lowercased()
    if let named = value("service")?.lowercased() { return named }
    if path.hasSuffix("wmtscapabilities.xml") { return "wmts" }
    switch value("request")?.lowercased() {
    case "getmap": return "wms"
    case "gettile": return "wmts"
    default: return value("layers") != nil ? "wms" : ""
    }
  }

  /// The base with the parameters of the host that the library does not say itself. More may follow.
  func base(without own: Set<String>) -> String {
    let rest = query.filter { !own.contains($0.name.lowercased()) }
    return base + "?" + rest.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  /// A template with values in place of the names in braces, whatever their case.
  static func filled(_ template: String, _ values: [String: String]) -> String {
    var (text, rest) = ("", template[...])
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      let name = rest[rest.index(after: open)..<close]
      text += values[name.lowercased()] ?? "{\(name)}"
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }

  /// An error for an address of nothing that is known.
  ///
  /// - Parameter words: what the server returned.
  func unknown(_ words: String) -> EngineError {
    EngineError(
      .unsupported,
      "\"\(HTTPAddress.shown(given))\" leads to no raster that is known: neither a template with {z}, {x} and {y}, nor a WMS, a "
        + "WMTS or a GeoTIFF. The server returned \"\(words)\". A layer of features takes the addresses of feature services."
    )
  }
}

/// Texts in addresses.
func percentEncoded(_ text: String) -> String {
  var encoded = ""
  for byte in text.utf8 {
    let isPlain = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    if isPlain || [0x2D, 0x2E, 0x2F, 0x3A, 0x5F, 0x7E].contains(byte) {
      encoded.unicodeScalars.append(Unicode.Scalar(byte))
    } else {
      let digits = String(byte, radix: 16, uppercase: true)
      encoded += "%" + (digits.count < 2 ? "0" : "") + digits
    }
  }
  return encoded
}

/// A text of an address without its percent signs; as it is if that makes no text.
func percentDecoded(_ text: String) -> String {
  var bytes: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.popFirst() {
    let digits = rest.prefix(2)
    if byte == UInt8(ascii: "%"), digits.count == 2,
      let decoded = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    {
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    } else {
      bytes.append(byte)
    }
  }
  return String(validating: bytes, as: UTF8.self) ?? text
}
