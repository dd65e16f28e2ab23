import CGDAL

/// An XML text as GDAL's own small parser reads it: the one that reads VRT, PAM and WMS files, so that what is looked
/// at here is what GDAL will see. It expands no entities but the five of XML. Use it inside the guard.
struct XMLDocument: ~Copyable {
  private let root: UnsafeMutablePointer<CPLXMLNode>

  /// nil if GDAL cannot read it.
  init?(_ text: [UInt8]) {
    // Like GDAL, which hands over a C string: what follows a NUL is not read.
    let parsed = (text + [0]).withUnsafeBytes { CPLParseXMLString($0.baseAddress?.assumingMemoryBound(to: CChar.self)) }
    guard let parsed else { return nil }
    root = parsed
  }

  deinit { CPLDestroyXMLNode(root) }

  /// The nodes at the top: the XML declaration, comments, the document's element.
  var first: XMLNode { XMLNode(node: root) }

  /// Calls `body` for each element, parents first, with the names of the elements around it, outermost first. Not
  /// recursive: a document may be nested ten thousand deep.
  func forEachElement<Failure: Error>(_ body: (XMLNode, [String]) throws(Failure) -> Void) throws(Failure) {
    var around: [String] = []
    var levels: [[XMLNode]] = [first.siblings.reversed()]
    while !levels.isEmpty {
      guard let element = levels[levels.count &- 1].popLast() else {
        levels.removeLast()
        _ = around.popLast()
        continue
      }
      guard element.isElement else { continue }
      try body(element, around)
      around.append(element.name)
      levels.append(element.children.reversed())
    }
  }
}

/// A node of an XMLDocument; must not outlive it.
struct XMLNode {
  fileprivate let node: UnsafeMutablePointer<CPLXMLNode>

  /// Elements, not texts, attributes or comments.
  var isElement: Bool { node.pointee.eType == CXT_Element }

  /// The name of an element or attribute in lower case: GDAL looks for most of them without regard to case.
  var name: String { exactName.lowercased() }

  /// The name as it is written.
  var exactName: String { gdalText(node.pointee.pszValue) }

  /// The name without its namespace's prefix.
  var plainName: String { name.split(separator: ":").last.map { String($0) } ?? "" }

  /// The nodes below: attributes, texts and elements.
  var children: [XMLNode] {
    var list: [XMLNode] = []
    var next = node.pointee.psChild
    while let child = next {
      list.append(XMLNode(node: child))
      next = child.pointee.psNext
    }
    return list
  }

  /// This node and those that follow it.
  var siblings: [XMLNode] {
    var list: [XMLNode] = []
    var next: UnsafeMutablePointer<CPLXMLNode>? = node
    while let sibling = next {
      list.append(XMLNode(node: sibling))
      next = sibling.pointee.psNext
    }
    return list
  }

  /// The value of an attribute or, as GDAL takes it, of an element below of that name.
  func value(_ wanted: String) -> String? {
    children.first { $0.node.pointee.eType != CXT_Text && $0.name == wanted }?.text
  }

  /// The text of an element or attribute: that of its first text node.
  var text: String? {
    children.first { $0.node.pointee.eType == CXT_Text }.map { gdalText($0.node.pointee.pszValue) }
  }

  /// The texts of an element, one by one.
  var texts: [String] {
    children.filter { $0.node.pointee.eType == CXT_Text }.map { gdalText($0.node.pointee.pszValue) }
  }

  /// All attributes.
  var attributes: [(name: String, value: String)] {
    children.filter { $0.node.pointee.eType == CXT_Attribute }.map { ($0.name, $0.text ?? "") }
  }

  /// Whether the text is what the file holds: names that are not UTF-8 would be read as others.
  var isUTF8: Bool {
    children.allSatisfy { child in
      guard child.node.pointee.eType == CXT_Text, let value = child.node.pointee.pszValue else { return true }
      return String(validatingCString: value) != nil
    }
  }
}
