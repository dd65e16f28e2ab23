import AlidadeBase

extension XMLNode {
  /// The first element below of a name without its prefix, in lower case.
  func element(_ name: String) -> XMLNode? { children.first { $0.isElement && $0.plainName == name } }

  func elements(_ name: String) -> [XMLNode] { children.filter { $0.isElement && $0.plainName == name } }

  /// The text of the first element below of a name.
  func elementText(_ name: String) -> String { element(name)?.trimmedText ?? "" }

  /// The text without the blanks around it, as documents are laid out.
  var trimmedText: String { text.map { $0[...].trimmed } ?? "" }

  /// Numbers between blanks or commas in a text.
  static func numbers(_ text: String) -> [Double] {
    text.split { $0 == " " || $0 == "," || $0 == "\n" || $0 == "\t" }.compactMap { Double($0) }
  }
}

extension HTTPResponse {
  /// Calls `body` with the document's element. Call outside of the guard.
  func readXML<Result>(
    _ what: String, _ names: Set<String>, _ body: (XMLNode) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let bytes = self.body
    let found = try GDALGuard.call(for: nil) { (_) throws(EngineError) -> Result? in
      guard let document = XMLDocument(bytes),
        let root = document.first.siblings.first(where: { $0.isElement && names.contains($0.plainName) })
      else { return nil }
      let result = try body(root)
      _ = document.first
      return result
    }
    guard let found else { throw unexpected(what) }
    return found
  }
}
