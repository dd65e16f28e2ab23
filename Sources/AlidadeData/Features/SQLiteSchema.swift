import AlidadeBase
import CGDAL

/// Looks at what a database declares, before SQLite does: a virtual table may read any file of the machine (SpatiaLite's
/// VirtualText, GDAL's VirtualOGR), and is read as soon as its layer is looked at.
///
/// The file is read as https://www.sqlite.org/fileformat.html describes it.
struct SQLiteSchema: ~Copyable {
  /// Virtual tables that stay within their database.
  private static let harmlessModules: Set<String> = [
    "rtree", "rtree_i32", "fts3", "fts3tokenize", "fts4", "fts4aux", "fts5", "fts5vocab", "virtualspatialindex",
    "virtualelementary", "virtualknn", "virtualknn2", "virtualbbox", "virtualfdo", "virtualnetwork", "virtualrouting",
  ]
  private static let mostPages = 100_000
  private static let longestRow = 1 << 24

  /// Throws if a file is a database with a table that may read other files.
  static func check(_ name: String, _ policy: Policy) throws(EngineError) {
    guard name.hasPrefix("/"), let file = VSIFOpenL(name, "rb") else { return }
    defer { VSIFCloseL(file) }
    guard var schema = SQLiteSchema(file) else { return }
    var statements: [String] = []
    guard schema.read(into: &statements) else {
      throw EngineError(
        .readFailed,
        "\"\(ReferenceRule.short(name))\" is an SQLite database with a damaged schema; it cannot be opened.")
    }
    for statement in statements {
      guard let module = virtualModule(of: statement), !harmlessModules.contains(module) else { continue }
      throw ReferenceRule.virtualTables.refusal(
        name, "has a virtual table by the module \(ReferenceRule.short(module)), which may read other files",
        "Drop it, or copy what is wanted into a database of its own (ogr2ogr).")
    }
  }

  /// The module of a virtual table's declaration, in lower case; nil if it declares something else.
  static func virtualModule(of statement: String) -> String? {
    let tokens = SQLTokens.read(statement).filter { $0.kind != .comment }
    guard tokens.count > 2, tokens[0].isWord("create"), tokens[1].isWord("virtual") else { return nil }
    guard let using = tokens.firstIndex(where: { $0.isWord("using") }), using &+ 1 < tokens.count else { return "" }
    return tokens[using &+ 1].text.lowercased()
  }

  // MARK: The file

  private let file: UnsafeMutablePointer<VSILFILE>
  private let pageSize: Int
  /// Of a page, without what extensions have reserved.
  private let usableSize: Int
  private let isUTF16: Bool
  private var visited: Set<UInt32> = []

  /// nil if the file is no database.
  private init?(_ file: UnsafeMutablePointer<VSILFILE>) {
    var header = [UInt8](repeating: 0, count: 100)
    guard VSIFReadL(&header, 1, header.count, file) == header.count, header.starts(with: "SQLite format 3\0".utf8)
    else {
      return nil
    }
    self.file = file
    let size = Self.integer(header, 16, 2)
    pageSize = size == 1 ? 65536 : size
    usableSize = pageSize &- Self.integer(header, 20, 1)
    isUTF16 = header[59] == 2 || header[59] == 3
  }

  /// Collects all statements; false if the file is damaged.
  private mutating func read(into statements: inout [String]) -> Bool {
    guard pageSize >= 512, pageSize.nonzeroBitCount == 1, usableSize >= 480 else { return false }
    var waiting: [UInt32] = [1]
    while let number = waiting.popLast() {
      guard visited.insert(number).inserted, visited.count <= Self.mostPages, let page = page(number) else {
        return false
      }
      let start = number == 1 ? 100 : 0
      let count = Self.integer(page, start &+ 3, 2)
      let isLeaf = page[start] == 13
      guard isLeaf || page[start] == 5, start &+ (isLeaf ? 8 : 12) &+ count &* 2 <= usableSize else { return false }
      if !isLeaf { waiting.append(UInt32(truncatingIfNeeded: Self.integer(page, start &+ 8, 4))) }
      for index in 0..<count {
        let cell = Self.integer(page, start &+ (isLeaf ? 8 : 12) &+ index &* 2, 2)
        guard cell &+ 4 <= usableSize else { return false }
        if isLeaf {
          guard let row = row(page, cell), let statement = statement(row) else { return false }
          statements.append(statement)
        } else {
          waiting.append(UInt32(truncatingIfNeeded: Self.integer(page, cell, 4)))
        }
      }
    }
    return true
  }

  private func page(_ number: UInt32) -> [UInt8]? {
    guard number > 0 else { return nil }
    let offset = UInt64(truncatingIfNeeded: number &- 1) &* UInt64(truncatingIfNeeded: pageSize)
    var bytes = [UInt8](repeating: 0, count: pageSize)
    guard VSIFSeekL(file, offset, SEEK_SET) == 0, VSIFReadL(&bytes, 1, pageSize, file) == pageSize else { return nil }
    return bytes
  }

  /// The bytes of a row, those on overflow pages too.
  private mutating func row(_ page: [UInt8], _ cell: Int) -> [UInt8]? {
    var place = cell
    guard let size = Self.varint(page, &place, usableSize), Self.varint(page, &place, usableSize) != nil,
      size >= 0, size <= Self.longestRow
    else { return nil }
    let largest = usableSize &- 35
    var local = size
    if size > largest {
      let least = (usableSize &- 12) &* 32 / 255 &- 23
      local = least &+ (size &- least) % (usableSize &- 4)
      if local > largest { local = least }
    }
    guard place &+ local <= usableSize else { return nil }
    var bytes = Array(page[place..<(place &+ local)])
    guard local < size else { return bytes }
    guard place &+ local &+ 4 <= usableSize else { return nil }
    var next = UInt32(truncatingIfNeeded: Self.integer(page, place &+ local, 4))
    while bytes.count < size {
      guard visited.insert(next).inserted, let overflow = self.page(next) else { return nil }
      bytes += overflow[4..<(4 &+ min(usableSize &- 4, size &- bytes.count))]
      next = UInt32(truncatingIfNeeded: Self.integer(overflow, 0, 4))
    }
    return bytes
  }

  /// The fifth column of a row of sqlite_schema; empty if it is null.
  private func statement(_ row: [UInt8]) -> String? {
    var place = 0
    guard let headerSize = Self.varint(row, &place, row.count), headerSize >= 0, headerSize <= row.count else {
      return nil
    }
    var start = headerSize
    for column in 0...4 {
      guard let type = Self.varint(row, &place, headerSize), type >= 0 else { return nil }
      let sizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]
      let size = type < 10 ? sizes[type] : type < 12 ? 0 : (type &- 12) / 2
      guard size <= row.count &- start else { return nil }
      if column == 4 {
        if type < 12 { return "" }
        let bytes = row[start..<(start &+ size)]
        // Of UTF-16 the ASCII characters: no other has a place in what is looked for.
        return String(decoding: isUTF16 ? bytes.filter { $0 != 0 } : Array(bytes), as: UTF8.self)
      }
      start &+= size
    }
    return nil
  }

  private static func integer(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    bytes[start..<(start &+ count)].reduce(0) { $0 << 8 | Int(truncatingIfNeeded: $1) }
  }

  private static func varint(_ bytes: [UInt8], _ place: inout Int, _ end: Int) -> Int? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard place < end else { return nil }
      let byte = UInt64(truncatingIfNeeded: bytes[place])
      place &+= 1
      if index == 8 { return Int(truncatingIfNeeded: value << 8 | byte) }
      value = value << 7 | (byte & 0x7F)
      if byte & 0x80 == 0 { break }
    }
    return Int(truncatingIfNeeded: value)
  }
}
