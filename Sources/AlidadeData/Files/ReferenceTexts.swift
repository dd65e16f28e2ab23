import AlidadeBase
import AlidadeCoordinates
import CGDAL
import Glibc

/// The texts of spatial references in files, found before GDAL hands them to PROJ: in XML and JSON where they stand, in
/// TIFF, Imagine, JPEG 2000 and FlatGeobuf in the parts that hold them, and elsewhere by what is dangerous in them.
///
/// Use it inside the guard.
struct ReferenceTexts {
  let filter: ReferenceTextFilter
  let policy: Policy

  /// Files up to this size are searched whole, others at their beginning and their end.
  private static let wholeSize: UInt64 = 1 << 20
  private static let beginning = 1 << 20
  private static let end = 1 << 18
  /// How much of a longer text is read at once.
  private static let part = 4 << 20
  /// The longest part that is read at once.
  private static let longestPart = 16 << 20

  // MARK: Files

  /// Throws if a file has a text in it that must not reach PROJ.
  ///
  /// - Parameter name: a path that GDAL reads.
  func check(file name: String) throws(EngineError) {
    guard let file = SearchedFile(name) else { return }
    let head = file.bytes(at: 0, count: 4096)
    let first = head.drop { $0.isBlank || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }.first
    if Self.hasNoTexts(head) { return }
    if Self.isWhole(name) {
      // One line after the other is one text to GDAL.
      try check(foundText: file.bytes(at: 0, count: ReferenceLimits.longest &+ 1), name)
    } else if first == UInt8(ascii: "<") {
      try check(xml: file.bytes(at: 0, count: Int(clamping: min(file.size, policy.maxRequestBytes / 16))), name)
    } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      try check(json: file, name)
      // A section of a header begins so as well.
      if first == UInt8(ascii: "["), LocalPath.name(of: name).lowercased().hasSuffix(".grd") {
        try check(part: file.bytes(at: 0, count: Self.beginning), name, isText: true)
      }
    } else if let tags = TIFFTexts(file, head) {
      for text in tags.texts { try check(foundText: text, name) }
    } else if head.starts(with: "EHFA_HEADER_TAG".utf8) {
      for part in ImagineParts(file).parts { try check(part: part, name) }
    } else if head.starts(with: [0, 0, 0, 12]), head.count > 12 {
      for part in BoxParts(file).parts { try check(box: part, name) }
    } else if head.starts(with: "fgb".utf8), head.count >= 12 {
      let length = head[8...11].reversed().reduce(0) { $0 << 8 | Int(truncatingIfNeeded: $1) }
      try check(part: file.bytes(at: 0, count: min(length &+ 12, Self.longestPart)), name)
    } else if file.size <= Self.wholeSize {
      try check(part: file.bytes(at: 0, count: Int(clamping: file.size)), name, isText: Self.isText(head))
    } else if name.lowercased().hasSuffix(".e00") {
      // A section of it is the text of a .prj.
      try check(long: file, name)
    } else {
      let isText = Self.isText(head)
      try check(part: file.bytes(at: 0, count: Self.beginning), name, isText: isText)
      try check(part: file.bytes(at: file.size &- UInt64(clamping: Self.end), count: Self.end), name, isText: isText)
      // A table of a file geodatabase describes its columns wherever its header says.
      if name.lowercased().hasSuffix(".gdbtable"), head.count > 40 {
        let offset = head[32...39].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(truncatingIfNeeded: $1) }
        try check(part: file.bytes(at: offset, count: Self.end), name)
      }
    }
  }

  /// The files of Zarr's that hold attributes.
  private static let attributeNames: Set<String> = [".zattrs", ".zarray", ".zgroup", ".zmetadata", "zarr.json"]
  /// How deep folders of one data set are looked into, and at how many entries of all of them.
  private static let deepestFolder = 16
  private static let mostEntries: Int32 = 100_000

  /// The texts in a folder that is opened as a whole: Zarr's attributes, the .prj files of Arc/Info grids and shapefiles.
  ///
  /// Only Zarr's data sets have folders in folders; any other folder may be the root of the host's files.
  func check(folder: String) throws(EngineError) {
    let isTree = Self.attributeNames.contains { access(LocalPath.joined(folder, $0), F_OK) == 0 }
    var entriesLeft = Self.mostEntries
    try check(folder: folder, deepest: isTree ? Self.deepestFolder : 0, &entriesLeft)
  }

  private func check(folder: String, deepest: Int, _ entriesLeft: inout Int32) throws(EngineError) {
    guard let list = VSIReadDirEx(folder, entriesLeft) else { return }
    defer { CSLDestroy(list) }
    var entry = list
    while let pointer = entry.pointee {
      entry += 1
      entriesLeft &-= 1
      try TimeLimit.check()
      guard entriesLeft > 0 else {
        throw ReferenceRule.fileCount.refusal(
          folder, "holds more than \(Self.mostEntries) files and folders", "Open a file in it.")
      }
      let name = gdalText(pointer)
      let path = LocalPath.joined(folder, name)
      // Chunks have numbers for names.
      if name == "." || name == ".." || name.utf8.allSatisfy({ $0 < 58 }) && !name.isEmpty { continue }
      if deepest > 0, FileIdentity.isFolder(path) {
        try check(folder: path, deepest: deepest &- 1, &entriesLeft)
      } else if Self.attributeNames.contains(name) || FolderListing.isText(name), FileIdentity.isFile(path) {
        try check(file: path)
      }
    }
  }

  /// A name that is a document itself.
  func check(document: String) throws(EngineError) {
    let bytes = Array(document.utf8)
    switch bytes.first(where: { !$0.isBlank }) {
    case UInt8(ascii: "<"): try check(xml: bytes, "the given document")
    case UInt8(ascii: "{"): try check(json: SearchedFile(bytes), "the given document")
    default: break
    }
  }

  private static func isText(_ head: [UInt8]) -> Bool {
    head.allSatisfy { $0 >= 32 || ($0 >= 9 && $0 <= 13) || $0 == 27 }
  }

  /// Whether a file is nothing but the text of a spatial reference.
  private static func isWhole(_ name: String) -> Bool {
    let name = LocalPath.name(of: name).lowercased()
    return name.hasSuffix(".prj") || name.hasSuffix(".qpj") || name == "prj.adf"
  }

  /// A text of any length.
  private func check(long file: borrowing SearchedFile, _ name: String) throws(EngineError) {
    var offset: UInt64 = 0
    while offset < file.size {
      let part = file.bytes(at: offset, count: Self.part)
      try check(part: part, name, isText: true)
      if part.count < Self.part { return }
      // What begins at the end of one part is whole in the next one.
      offset &+= UInt64(clamping: part.count &- ReferenceLimits.longest)
    }
  }

  /// Pictures whose format cannot contain such texts, shapes, and databases, which are examined as such.
  private static func hasNoTexts(_ head: [UInt8]) -> Bool {
    let pictures: [[UInt8]] = [[0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], [0, 0, 0x27, 0x0A]]
    return pictures.contains(where: head.starts(with:))
      || ["GIF8", "RIFF", "SQLite format 3"].contains { head.starts(with: $0.utf8) }
  }

  // MARK: Texts

  /// Throws if a whole text must not reach PROJ.
  private func check(foundText bytes: [UInt8], _ name: String) throws(EngineError) {
    try checkWhole(String(decoding: bytes.drop { $0 == 0 }, as: UTF8.self), name)
  }

  private func checkWhole(_ text: String, _ name: String) throws(EngineError) {
    try filter.checkText(text, named: ReferenceRule.short(name))
    // A file of parameters is fetched as soon as PROJ reads the text.
    if text.lowercased().contains("init"), fetchesGrids {
      try filter.requireLocalFiles(in: text, named: ReferenceRule.short(name))
    }
  }

  /// Bytes that may hold texts among others: looks at what surrounds each mark of a text that names files, and for
  /// brackets within brackets.
  ///
  /// - Parameter isText: no text of a spatial reference has more than one line.
  private func check(part given: [UInt8], _ name: String, isText: Bool = false) throws(EngineError) {
    // UTF-16 becomes readable without its zeros.
    var bytes = given
    var start = 0
    var depth = 0
    var marks: [Range<Int>] = []
    let isWide = given.contains(0)
    for pass in 0..<(isWide ? 2 : 1) {
      if pass == 1 { bytes = given.filter { $0 != 0 } }
      (start, depth) = (0, 0)
      marks = []
      for (position, byte) in bytes.enumerated() {
        switch byte {
        // PROJ itself ends where well-known text is nested too deeply; PROJJSON has these.
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth &+= 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth &- 1)
        case 0..<9, 14..<27, 28..<32: (start, depth) = (position &+ 1, 0)
        case 10: if isText { depth = 0 }
        case UInt8(ascii: "="), UInt8(ascii: "S"), UInt8(ascii: "s"), UInt8(ascii: "E"), UInt8(ascii: "e"):
          if ReferenceMarks.ends(at: position, in: bytes) {
            marks.append(max(start, position &- 64)..<min(bytes.count, position &+ 8192))
          }
        default: break
        }
        if depth > ReferenceLimits.deepest {
          // Enough to be refused for its depth, if it is a text.
          let text = bytes[max(start, position &- ReferenceLimits.longest)...position]
          if text.contains(where: { $0 == UInt8(ascii: "\"") }), text.allSatisfy({ $0 >= 9 && $0 != 127 }) {
            try check(foundText: Array(text.suffix(4096)), name)
            depth = 0
          }
        }
      }
      for mark in marks {
        let text = bytes[mark].prefix { $0 >= 9 }
        let found = String(decoding: text, as: UTF8.self)
        try filter.checkFiles(found, named: ReferenceRule.short(name))
        if found.lowercased().contains("init="), fetchesGrids {
          try filter.requireLocalFiles(in: found, named: ReferenceRule.short(name))
        }
      }
    }
  }

  /// A box of JPEG 2000 and its kin: XML, or a small GeoTIFF, among others.
  private func check(box: [UInt8], _ name: String) throws(EngineError) {
    for start in box.indices.prefix(64) {
      let file = SearchedFile(Array(box[start...]))
      if let tags = TIFFTexts(file, file.bytes(at: 0, count: 4096)) {
        for text in tags.texts { try check(foundText: text, name) }
      }
    }
    try check(part: box, name)
    if let start = box.firstIndex(of: UInt8(ascii: "<")) { try check(xml: Array(box[start...]), name) }
  }

  // MARK: XML

  private static let referenceNames = ["srs", "crs", "projection", "wkt", "coordsys", "spatialref", "geoloc"]

  private static func isReference(_ name: String) -> Bool { referenceNames.contains(where: name.contains) }

  /// Throws if an XML document has a text in it that must not reach PROJ.
  func check(xml bytes: [UInt8], _ name: String) throws(EngineError) {
    if !ReferenceMarks.mayMatter(xml: bytes) { return }
    guard let document = XMLDocument(bytes) else { return try check(part: bytes, name) }
    var reprojection = Reprojection()
    try document.forEachElement { (element, _) throws(EngineError) in
      reprojection.read(element)
      let isReference =
        Self.isReference(element.name) || Self.isReference(element.value("key")?.lowercased() ?? "")
      // All texts of an element: a comment may stand between two of them.
      for text in element.texts { try check(value: text, isReference: isReference, name) }
      for (key, value) in element.attributes {
        try check(value: value, isReference: Self.isReference(key), name)
      }
    }
    guard reprojection.takesPlace, fetchesGrids else { return }
    if reprojection.needsSystemsOfOthers {
      // The spatial references of the layers are unknown before GDAL has opened them.
      reprojection.systems.append("")
    }
    try filter.requireLocalGrids(between: reprojection.systems, named: ReferenceRule.short(name))
  }

  /// Whether PROJ would fetch grids for GDAL although the policy does not allow it. GDAL's contexts of PROJ follow the
  /// host's environment, and what could change that changes it for the whole process.
  private var fetchesGrids: Bool { !policy.allowsNetwork && OSRGetPROJEnableNetwork() != 0 }

  private func check(value: String, isReference: Bool, _ name: String) throws(EngineError) {
    if isReference || ReferenceMarks.areIn(Array(value.utf8)), value.lowercased().contains("init"), fetchesGrids {
      try filter.requireLocalFiles(in: value, named: ReferenceRule.short(name))
    }
    if isReference {
      // Coordinates may have the name of their spatial reference.
      if value.utf8.allSatisfy({ $0 < 64 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=") }) { return }
      try filter.check(value, named: ReferenceRule.short(name))
    } else if ReferenceMarks.areIn(Array(value.utf8)) {
      try filter.checkFiles(value, named: ReferenceRule.short(name))
    }
  }

  // MARK: JSON

  private static let memberNames: [StaticString] = [
    "crs\"", "spatialReference\"", "wkt\"", "_CRS\"", "spatial_ref\"", "crs_wkt\"",
  ]

  /// Throws if a JSON text has a spatial reference in it that must not reach PROJ.
  private func check(json file: borrowing SearchedFile, _ name: String) throws(EngineError) {
    var offset: UInt64 = 0
    while offset < file.size {
      let part = file.bytes(at: offset, count: Self.part)
      if part.isEmpty { return }
      if ReferenceMarks.hasEscapedLetters(part) {
        // Nobody writes letters as numbers who does not want to hide them.
        return try checkStrings(file, name)
      }
      for mark in Self.memberNames {
        for position in ReferenceMarks.positions(of: mark, in: part) {
          try checkMember(file, at: offset &+ UInt64(clamping: position &+ mark.utf8CodeUnitCount), name)
        }
      }
      if part.count < Self.part { return }
      offset &+= UInt64(clamping: part.count &- 64)
    }
  }

  /// The value of a member.
  private func checkMember(_ file: borrowing SearchedFile, at offset: UInt64, _ name: String) throws(EngineError) {
    // Most are short.
    for count in [4096, ReferenceLimits.longest &* 4] {
      let bytes = file.bytes(at: offset, count: count)
      guard let start = bytes.firstIndex(where: { !$0.isBlank }), bytes[start] == UInt8(ascii: ":"),
        let value = bytes[(start &+ 1)...].firstIndex(where: { !$0.isBlank })
      else { return }
      guard let end = JSONExtent.end(of: bytes[value...]) else {
        if count > 4096 || bytes.count < count {
          try filter.check(
            String(repeating: " ", count: ReferenceLimits.longest &+ 1), named: ReferenceRule.short(name))
        }
        continue
      }
      let text = Array(bytes[value..<end])
      if text.first == UInt8(ascii: "{") { try check(foundText: text, name) }
      var strings = JSONStrings(text)
      while let string = strings.next() {
        if !string.isKey {
          try checkWhole(String(decoding: string.bytes, as: UTF8.self), name)
        }
      }
      return
    }
  }

  /// All strings of a file.
  private func checkStrings(_ file: borrowing SearchedFile, _ name: String) throws(EngineError) {
    let (size, limit) = (file.size, policy.maxRequestBytes / 16)
    guard size <= limit else {
      throw ReferenceRule.fileSize.refusal(
        name, "has letters written as numbers and \(size) bytes; \(limit) are allowed",
        "Raise max_request_bytes to allow it: it is 16 times that.")
    }
    let bytes = file.bytes(at: 0, count: Int(clamping: size))
    try filter.checkNesting(String(decoding: bytes, as: UTF8.self), named: ReferenceRule.short(name))
    var strings = JSONStrings(bytes)
    while let string = strings.next() {
      if !string.isKey {
        try checkWhole(String(decoding: string.bytes, as: UTF8.self), name)
      }
    }
  }
}

/// What an XML document says of coordinates that GDAL itself projects.
private struct Reprojection {
  private static let elements: Set<String> = [
    "gdalwarpoptions", "reprojectiontransformer", "rpctransformer", "geoloctransformer", "ogrvrtwarpedlayer",
    "ogrvrtunionlayer",
  ]
  private static let systemNames: Set<String> = ["sourcesrs", "targetsrs", "srcsrs", "srs", "demsrs", "layersrs"]

  private(set) var takesPlace = false
  /// Some layers or sources have their spatial references in files of their own.
  private(set) var needsSystemsOfOthers = false
  var systems: [String] = []

  mutating func read(_ element: XMLNode) {
    if Self.elements.contains(element.name) { takesPlace = true }
    switch element.name {
    case "rpctransformer", "geoloctransformer": systems.append("EPSG:4326")
    case "ogrvrtunionlayer": needsSystemsOfOthers = true
    case "ogrvrtwarpedlayer": if element.value("srcsrs") == nil { needsSystemsOfOthers = true }
    default: break
    }
    if Self.systemNames.contains(element.name), let text = element.text, !text.isEmpty { systems.append(text) }
  }
}

/// Where a JSON value ends.
private enum JSONExtent {
  static func end(of bytes: ArraySlice<UInt8>) -> Int? {
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    for position in bytes.indices {
      let byte = bytes[position]
      if isEscaped {
        isEscaped = false
        continue
      }
      if isQuoted {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") {
          isQuoted = false
          if depth == 0 { return position &+ 1 }
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isQuoted = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth &-= 1
        if depth <= 0 { return position &+ 1 }
      case UInt8(ascii: ","): if depth == 0 { return position }
      default: break
      }
    }
    return nil
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 32 || (self >= 9 && self <= 13) }
}
