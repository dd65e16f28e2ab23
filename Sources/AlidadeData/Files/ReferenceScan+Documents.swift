import AlidadeBase
import CGDAL
import Glibc

extension ReferenceScan {
  /// The formats that name other files, by GDAL's driver. What is not here and names files is not in the default list of
  /// drivers.
  static let namingDrivers: [String: any ReferenceFinder.Type] = [
    "VRT": VRTReferences.self, "ERS": LabelReferences.self, "ISIS2": LabelReferences.self,
    "ISIS3": LabelReferences.self, "PDS": LabelReferences.self, "VICAR": LabelReferences.self,
    "EIR": RawImagineReferences.self, "PAux": LabelReferences.self, "SNODAS": LabelReferences.self,
    "PDS4": PDS4References.self, "WMS": ServiceReferences.self, "WMTS": ServiceReferences.self,
    "WCS": ServiceReferences.self, "OGR_VRT": VectorVRTReferences.self, "GML": GMLReferences.self,
    "KML": KMLReferences.self, "LIBKML": KMLReferences.self, "KMLSUPEROVERLAY": KMLReferences.self,
    "GPX": EntityReferences.self, "GeoRSS": EntityReferences.self, "JML": EntityReferences.self,
    "MapML": EntityReferences.self, "ESRIC": TileCacheReferences.self,
  ]
}

/// The names in GDAL's own .aux.xml.
enum PAMReferences: ReferenceFinder {
  static func references(in text: [UInt8], named name: String, _ policy: Policy) throws(EngineError) -> [Reference] {
    guard let document = XMLDocument(text) else { return [] }
    var found: [Reference] = []
    document.forEachElement { element, _ in
      guard element.name == "mdi", element.value("key")?.lowercased() == "overview_file", let file = element.text
      else { return }
      found.append(overview(file, of: name))
    }
    return found
  }

  /// What the metadata item OVERVIEW_FILE of a file leads to.
  static func overview(_ file: String, of name: String) -> Reference {
    let base = ":::base:::"
    let isBeside = file.lowercased().hasPrefix(base)
    let folder = LocalPath.folder(of: LocalNames.files(in: name, beside: nil).first ?? name)
    let path = isBeside ? LocalPath.joined(folder, String(file.dropFirst(base.count))) : file
    return Reference(name: path, namer: name, kind: .dataset)
  }
}

/// The names in the description of a service: addresses, and a cache, which GDAL would write.
enum ServiceReferences: ReferenceFinder {
  static func references(in text: [UInt8], named name: String, _ policy: Policy) throws(EngineError) -> [Reference] {
    guard let document = XMLDocument(text) else { return [] }
    var found: [Reference] = []
    try document.forEachElement { (element, _) throws(EngineError) in
      if element.name == "cache" {
        throw ReferenceRule.cache.refusal(
          name, "asks GDAL to keep a cache on the disk", "Nothing is written. Take the element Cache out of it.")
      }
      for text in [element.text ?? ""] + element.attributes.map(\.value) {
        if let refusal = FileAccess.refusal(name: text, policy) {
          throw refusal.rule.refusal(
            name, "names \"\(ReferenceRule.short(text))\", which \(refusal.reason)", refusal.remedy)
        }
        if text.lowercased().hasPrefix("file://") {
          found.append(Reference(name: String(text.dropFirst(7)), namer: name, kind: .raw))
        }
      }
    }
    return found
  }
}

/// The description of a cache of tiles: the tiles have fixed names, but the spatial reference may be a file's.
enum TileCacheReferences: ReferenceFinder {
  static func references(in text: [UInt8], named name: String, _ policy: Policy) throws(EngineError) -> [Reference] {
    guard let document = XMLDocument(text) else { return [] }
    try document.forEachElement { (element, _) throws(EngineError) in
      if element.attributes.contains(where: { $0.name == "wkt" }) {
        throw ReferenceRule.attributes.refusal(name, "writes WKT as an attribute", "Write it as an element.")
      }
    }
    return []
  }
}

/// The names in a PDS4 label, relative to the label's folder.
enum PDS4References: ReferenceFinder {
  static func references(in text: [UInt8], named name: String, _ policy: Policy) throws(EngineError) -> [Reference] {
    guard let document = XMLDocument(text) else { return [] }
    var found: [Reference] = []
    document.forEachElement { element, _ in
      guard element.plainName == "file_name", let file = element.text, !file.isEmpty else { return }
      found.append(DocumentNames.reference(file, in: name, kind: .dataset))
    }
    return found
  }
}

/// What formats that are read with the expat library have in common.
enum DocumentNames {
  /// A name that stands in a document, with the document's folder.
  static func reference(_ file: String, in name: String, kind: Reference.Kind) -> Reference {
    let isComplete = file.hasPrefix("/") || file.contains("://") || LocalNames.isInline(name)
    let folder = LocalPath.folder(of: LocalNames.isLocal(name) ? LocalPath.resolved(name) ?? name : name)
    return Reference(name: isComplete ? file : LocalPath.joined(folder, file), namer: name, kind: kind)
  }

  /// Throws if the document declares entities: expat expands them, and a few lines can mean gigabytes. A document in
  /// UTF-16 is refused as well, because the declarations would not be found in it.
  static func refuseEntities(_ text: [UInt8], _ name: String) throws(EngineError) {
    let isWide = text.starts(with: [0xFE, 0xFF]) || text.starts(with: [0xFF, 0xFE]) || text.prefix(64).contains(0)
    if isWide {
      throw ReferenceRule.encoding.refusal(name, "is an XML document in UTF-16", "Write it as UTF-8.")
    }
    let wanted = Array("<!ENTITY".utf8)
    var rest = text[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if rest.starts(with: wanted) {
        throw ReferenceRule.entities.refusal(
          name, "declares entities in its document type", "A few of them can expand to gigabytes. Take them out.")
      }
      rest = rest.dropFirst()
    }
  }
}

/// The names in GML and in its schemas.
enum GMLReferences: ReferenceFinder {
  static func references(in text: [UInt8], named name: String, _ policy: Policy) throws(EngineError) -> [Reference] {
    try DocumentNames.refuseEntities(text, name)
    guard let document = XMLDocument(text) else { return [] }
    var found: [Reference] = []
    try document.forEachElement { (element, _) throws(EngineError) in
      for (attribute, value) in element.attributes {
        switch attribute.split(separator: ":").last {
        case "href":
          // A part of the same document follows a #.
          let file = String(value.prefix { $0 != "#" })
          // Identifiers that nobody fetches.
          if file.isEmpty || file.hasPrefix("urn:") { continue }
          found.append(DocumentNames.reference(file, in: name, kind: .dataset))
        case "schemalocation":
          // Pairs of a namespace and a location; in a schema, a location. GDAL asks for addresses itself, and is
          // refused when it does: nearly every GML file has some, and can be read without them.
          for place in value.split(whereSeparator: \.isWhitespace) where !place.contains("://") {
            if place.hasPrefix("urn:") { continue }
            found.append(DocumentNames.reference(String(place), in: name, kind: .schema))
          }
        default: break
        }
      }
    }
    return found
  }
}

/// The names in KML: linked documents and overlays. (The addresses of icons are only shown.)
enum KMLReferences: ReferenceFinder {
  static func references(in text: [UInt8], named name: String, _ policy: Policy) throws(EngineError) -> [Reference] {
    guard text.starts(with: [0x50, 0x4B, 3, 4]) else { return try links(in: text, name) }
    // A KMZ archive, which the policy allows. Its driver follows links to other files of the archive, whatever their
    // names, and no others.
    let archive = "/vsizip/\(name)"
    for inner in gdalTexts(VSIReadDirRecursive(archive)) {
      guard let file = SearchedFile("\(archive)/\(inner)"), Self.isDocument(file.bytes(at: 0, count: 4096)) else {
        continue
      }
      try policy.check(bytes: Int(clamping: file.size), 2)
      _ = try links(in: file.bytes(at: 0, count: Int(clamping: file.size)), name)
    }
    return []
  }

  /// Whether a file may be an XML document by its first bytes, in UTF-8 or UTF-16.
  private static func isDocument(_ head: [UInt8]) -> Bool {
    // Behind blanks, and the mark of UTF-8.
    let first = head.first { ![9, 10, 13, 32, 0xEF, 0xBB, 0xBF].contains($0) }
    let isWide = [[0xFE, 0xFF], [0xFF, 0xFE], [0, UInt8(ascii: "<")]].contains { head.starts(with: $0) }
    return first == UInt8(ascii: "<") || isWide
  }

  private static func links(in text: [UInt8], _ name: String) throws(EngineError) -> [Reference] {
    try DocumentNames.refuseEntities(text, name)
    guard let document = XMLDocument(text) else { return [] }
    var found: [Reference] = []
    try document.forEachElement { (element, around) throws(EngineError) in
      if element.plainName == "track" { try check(track: element, name) }
      guard element.plainName == "href", let file = element.text, !file.isEmpty else { return }
      let holders = around.map { $0.split(separator: ":").last.map { String($0) } ?? "" }
      guard holders.contains(where: { $0 == "networklink" || $0.hasSuffix("overlay") }) else { return }
      found.append(DocumentNames.reference(file, in: name, kind: .dataset))
    }
    return found
  }

  /// GDAL's LIBKML looks for the time of each point of a track, and ends the process where there is none. It knows times by
  /// their exact name.
  private static func check(track: XMLNode, _ name: String) throws(EngineError) {
    var (points, times) = (0, 0)
    for child in track.children where child.isElement {
      if child.plainName == "coord" { points += 1 }
      if child.exactName == "when" { times += 1 }
    }
    guard points > times else { return }
    throw ReferenceRule.tracks.refusal(
      name, "has a gx:Track with \(points) points and \(times) times", "Write an element when for each gx:coord.")
  }
}

/// The name in the header of a raw Imagine file: "PIXEL_FILES name".
enum RawImagineReferences: ReferenceFinder {
  /// GDAL reads no further.
  static let longestHeader: Int? = 60 * 1000

  static func references(in text: [UInt8], named name: String, _ policy: Policy) throws(EngineError) -> [Reference] {
    var found: [Reference] = []
    for line in text.split(whereSeparator: { $0 == 10 || $0 == 13 || $0 == 0 }) {
      let words = words(line)
      guard words.count > 1, String(decoding: words[0], as: UTF8.self).lowercased() == "pixel_files" else { continue }
      guard let file = String(validating: words[1], as: UTF8.self), !line.contains(UInt8(ascii: "\\")) else {
        throw ReferenceRule.encoding.refusal(
          name, "names a file in an encoding other than UTF-8, or with a \"\\\" in it", "Write it as UTF-8.")
      }
      found.append(DocumentNames.reference(file, in: name, kind: .raw))
    }
    return found
  }

  /// A line's words, which may be in quotes.
  private static func words(_ line: ArraySlice<UInt8>) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    var isQuoted = false
    for byte in line {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted, byte == 32 || byte == 9 {
        if !word.isEmpty { words.append(word) }
        word = []
      } else {
        word.append(byte)
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}

/// The names in labels of lines "key = value" or "key: value": ERS, ISIS, PDS, PAux, SNODAS.
enum LabelReferences: ReferenceFinder {
  private static let keys: Set<String> = [
    "datafile", "file_name", "auxilarytarget", "data file pathname",
  ]
  /// Labels are at the beginning of files that may be large. (Names in a longer label are still checked by the rule of
  /// folders, once GDAL has opened the file and reports which files it reads.)
  static let longestHeader: Int? = 1 << 20

  /// The text up to the line that ends a label, if it has one: image data may follow.
  private static func label(_ text: [UInt8]) -> ArraySlice<UInt8> {
    let ends = ["\nEND\n", "\nEND\r\n", "\nEnd\n", "\nEnd\r\n"].map { Array($0.utf8) }
    for start in text.indices where text[start] == 10 && ends.contains(where: text[start...].starts(with:)) {
      return text[..<start]
    }
    return text[...]
  }

  static func references(in text: [UInt8], named name: String, _ policy: Policy) throws(EngineError) -> [Reference] {
    var found: [Reference] = []
    var lines: [String] = []
    for bytes in label(text).split(whereSeparator: { $0 == 10 || $0 == 13 || $0 == 0 }) {
      let line = String(decoding: bytes, as: UTF8.self)
      // The sign may stand on the line below its keyword.
      if line.first(where: { !$0.isWhitespace }) == "=", !lines.isEmpty {
        lines[lines.count &- 1] += line
      } else {
        lines.append(line)
      }
    }
    for (number, line) in lines.enumerated() {
      guard let (key, firstPart) = pair(line) else { continue }
      guard key.hasPrefix("^") || keys.contains(key) else { continue }
      for file in names(in: whole(firstPart, lines[(number &+ 1)...])) {
        guard !file.utf8.contains(0xEF) || !file.contains("\u{FFFD}") else {
          throw ReferenceRule.encoding.refusal(
            name, "names a file in an encoding other than UTF-8", "Write it as UTF-8.")
        }
        // PAux's header only says which file it belongs to.
        let kind: Reference.Kind = key == "auxilarytarget" ? .raw : .dataset
        found.append(DocumentNames.reference(file, in: name, kind: kind))
      }
    }
    return found
  }

  /// A value with the lines on which it goes on: GDAL's reader of labels takes line breaks for blanks.
  private static func whole(_ firstPart: String, _ following: ArraySlice<String>) -> String {
    var value = firstPart
    for line in following.prefix(longestValue) {
      let isOpen = value.filter({ $0 == "(" || $0 == "{" }).count > value.filter({ $0 == ")" || $0 == "}" }).count
      let isQuoted = value.filter { $0 == "\"" }.count % 2 == 1
      guard isOpen || isQuoted || value.allSatisfy(\.isWhitespace) else { break }
      value += " " + line
    }
    return value
  }

  /// In lines.
  private static let longestValue = 100

  private static func pair(_ line: String) -> (key: String, value: String)? {
    let text = line.drop(while: \.isWhitespace)
    guard let end = text.firstIndex(where: { $0 == "=" || $0 == ":" }) else { return nil }
    var key = text[..<end].lowercased()
    while key.last?.isWhitespace == true { key.removeLast() }
    return (key, String(text[text.index(after: end)...]))
  }

  /// The texts in a value that are no numbers: "a.img", ("A.IMG", 5), 12 <BYTES>.
  private static func names(in value: String) -> [String] {
    let quoted = value.split(separator: "\"", omittingEmptySubsequences: false)
    if quoted.count > 2 { return stride(from: 1, to: quoted.count, by: 2).map { String(quoted[$0]) } }
    return value.split(whereSeparator: { "(), \t'".contains($0) }).map { String($0) }.filter { word in
      !word.hasPrefix("<") && Double(word) == nil
    }
  }
}
