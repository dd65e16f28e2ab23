import CGDAL

/// A file whose bytes are looked at, or such bytes themselves.
struct SearchedFile: ~Copyable {
  private let file: UnsafeMutablePointer<VSILFILE>?
  private let given: [UInt8]
  let size: UInt64

  init?(_ name: String) {
    guard let file = VSIFOpenL(name, "rb") else { return nil }
    guard VSIFSeekL(file, 0, SEEK_END) == 0 else {
      VSIFCloseL(file)
      return nil
    }
    self.file = file
    given = []
    size = VSIFTellL(file)
  }

  init(_ bytes: [UInt8]) {
    file = nil
    given = bytes
    size = UInt64(clamping: bytes.count)
  }

  deinit { if let file { VSIFCloseL(file) } }

  /// As many as there are.
  func bytes(at offset: UInt64, count: Int) -> [UInt8] {
    guard offset < size, count > 0 else { return [] }
    let count = Int(clamping: min(UInt64(clamping: count), size &- offset))
    guard let file else {
      let start = Int(clamping: offset)
      return Array(given[start..<(start &+ count)])
    }
    guard VSIFSeekL(file, offset, SEEK_SET) == 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = VSIFReadL(&bytes, 1, count, file)
    bytes.removeLast(count &- min(read, count))
    return bytes
  }
}

/// The texts of the geographic keys in a TIFF.
struct TIFFTexts {
  private(set) var texts: [[UInt8]] = []

  /// nil if the file is not of this format.
  init?(_ file: borrowing SearchedFile, _ head: [UInt8]) {
    guard head.count >= 8, head[0] == head[1], head[0] == 0x49 || head[0] == 0x4D else { return nil }
    let isLittle = head[0] == 0x49
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      isLittle
        ? bytes.reversed().reduce(0) { $0 << 8 | UInt64(truncatingIfNeeded: $1) }
        : bytes.reduce(0) { $0 << 8 | UInt64(truncatingIfNeeded: $1) }
    }
    let version = number(head[2...3])
    guard version == 42 || version == 43, version == 42 || head.count >= 16 else { return nil }
    let (countSize, entrySize, valueSize) = version == 43 ? (8, 20, 8) : (2, 12, 4)
    var offset = version == 43 ? number(head[8...15]) : number(head[4...7])
    var seen: Set<UInt64> = []
    // As many directories as anybody has; GDAL itself warns beyond.
    while offset != 0, seen.count < 4096, seen.insert(offset).inserted {
      let counted = file.bytes(at: offset, count: countSize)
      guard counted.count == countSize else { return }
      let count = Int(clamping: min(number(counted[...]), 65535))
      let entries = file.bytes(at: offset &+ UInt64(clamping: countSize), count: count &* entrySize &+ valueSize)
      for index in 0..<count {
        let start = index &* entrySize
        guard start &+ entrySize <= entries.count else { return }
        guard number(entries[start..<(start &+ 2)]) == 34737 else { continue }
        let value = start &+ entrySize &- valueSize
        let length = number(entries[(start &+ 4)..<value])
        guard length > UInt64(clamping: valueSize) else { continue }
        let bytes = file.bytes(
          at: number(entries[value..<(value &+ valueSize)]), count: Int(clamping: min(length, 1 << 22)))
        texts += bytes.split(whereSeparator: { $0 == UInt8(ascii: "|") || $0 == 0 }).map { Array($0) }
      }
      let next = count &* entrySize
      guard next &+ valueSize <= entries.count else { return }
      offset = number(entries[next..<(next &+ valueSize)])
    }
  }
}

/// The small parts of an Imagine file: what its tree holds, except tables and cells.
struct ImagineParts {
  private(set) var parts: [[UInt8]] = []

  init(_ file: borrowing SearchedFile) {
    func number(_ bytes: [UInt8], at start: Int) -> UInt64 {
      guard start &+ 4 <= bytes.count else { return 0 }
      return bytes[start..<(start &+ 4)].reversed().reduce(0) { $0 << 8 | UInt64(truncatingIfNeeded: $1) }
    }
    let header = file.bytes(at: number(file.bytes(at: 16, count: 4), at: 0), count: 38)
    var waiting = [number(header, at: 8)]
    var seen: Set<UInt64> = []
    while let offset = waiting.popLast(), seen.count < 65536 {
      guard offset != 0, seen.insert(offset).inserted else { continue }
      let entry = file.bytes(at: offset, count: 24)
      waiting += [number(entry, at: 0), number(entry, at: 12)]
      let length = number(entry, at: 20)
      if length > 0, length <= 1 << 22 {
        parts.append(file.bytes(at: number(entry, at: 16), count: Int(clamping: length)))
      }
    }
  }
}

/// The boxes of a JPEG 2000 or JPEG XL file, except the picture.
struct BoxParts {
  private(set) var parts: [[UInt8]] = []

  init(_ file: borrowing SearchedFile) {
    var offset: UInt64 = 0
    for _ in 0..<65536 {
      let head = file.bytes(at: offset, count: 16)
      guard head.count >= 8 else { return }
      var length = head[0...3].reduce(UInt64(0)) { $0 << 8 | UInt64(truncatingIfNeeded: $1) }
      var start: UInt64 = 8
      if length == 1, head.count == 16 {
        length = head[8...15].reduce(UInt64(0)) { $0 << 8 | UInt64(truncatingIfNeeded: $1) }
        start = 16
      }
      // The last one reaches to the end.
      if length == 0 { length = file.size &- offset }
      guard length >= start else { return }
      let isPicture = head[4...7].elementsEqual("jp2c".utf8) || head[4...7].elementsEqual("jxlc".utf8)
      if !isPicture {
        parts.append(file.bytes(at: offset &+ start, count: Int(clamping: min(length &- start, 1 << 24))))
      }
      let (next, isOverflow) = offset.addingReportingOverflow(length)
      if isOverflow || next >= file.size { return }
      offset = next
    }
  }
}
