extension StringProtocol {
  /// Whether the text has the UTF-8 bytes of a part in it; the empty part is in every text.
  ///
  /// The standard library's own is in its module for regular expressions, of which nothing else is used here. Without
  /// that module, the library is a megabyte smaller.
  package func contains(_ part: String) -> Bool {
    var rest = utf8[...]
    while !rest.starts(with: part.utf8) {
      if rest.isEmpty { return false }
      rest.removeFirst()
    }
    return true
  }
}
