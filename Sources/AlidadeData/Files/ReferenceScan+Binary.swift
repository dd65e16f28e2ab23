import AlidadeBase
import CGDAL
import Glibc

extension ReferenceScan {
  /// The formats whose files name others in places of their own.
  static let namingFiles: [String: any FileReferenceFinder.Type] = [
    "HFA": ImagineReferences.self, "PCIDSK": PCIDSKReferences.self,
  ]
}

/// A file of which parts are read. Use it inside the guard.
private struct FileParts: ~Copyable {
  private let file: UnsafeMutablePointer<VSILFILE>

  /// nil if it cannot be opened.
  init?(_ name: String) {
    guard let file = VSIFOpenL(name, "rb") else { return nil }
    self.file = file
  }

  deinit { VSIFCloseL(file) }

  /// Bytes of the file; fewer if it ends before.
  func bytes(at offset: UInt64, _ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    guard VSIFSeekL(file, offset, SEEK_SET) == 0 else { return [] }
    let read = VSIFReadL(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(read))
  }
}

/// A name as it stands in a file, or nil if there is none.
private func fileName(_ bytes: ArraySlice<UInt8>, in file: String) throws(EngineError) -> String? {
  guard !bytes.isEmpty else { return nil }
  guard let text = String(validating: bytes, as: UTF8.self) else {
    throw ReferenceRule.encoding.refusal(file, "names a file in an encoding other than UTF-8", "Write it as UTF-8.")
  }
  return text
}

/// The names in Erdas Imagine's files: the file of the cells (.ige), if they are not in the same file, and the files of
/// the overviews (.rrd).
///
/// A dictionary in the file says which part of an entry's data is the name. So whatever in the data may be a name
/// counts as a name, if there is such a file.
enum ImagineReferences: FileReferenceFinder {
  /// Entries of a file, and bytes of an entry that has names in it. (There are some hundred of a few hundred bytes.)
  private static let mostEntries = 100_000
  private static let mostBytes = 65536
  private static let longestPath = 4096

  static func references(inFile name: String, _ policy: Policy) throws(EngineError) -> [Reference] {
    guard let file = FileParts(name) else { return [] }
    let start = file.bytes(at: 16, 4)
    guard start.count == 4 else { return [] }
    let header = file.bytes(at: UInt64(clamping: number(start, 0)), 12)
    guard header.count == 12 else { return [] }
    var found: [Reference] = []
    var waiting = [number(header, 8)]
    var seen: Set<UInt32> = []
    while let position = waiting.popLast() {
      guard position != 0, seen.insert(position).inserted else { continue }
      guard seen.count <= mostEntries else { throw tooLarge(name, "has more than \(mostEntries) entries") }
      let entry = file.bytes(at: UInt64(clamping: position), 120)
      guard entry.count == 120 else { continue }
      waiting += [number(entry, 0), number(entry, 12)]
      let isRaster = word(entry[88..<120]) == "imgexternalraster" || word(entry[24..<88]) == "externalrasterdms"
      guard isRaster || word(entry[24..<88]) == "rrdnameslist" else { continue }
      let size = Int(truncatingIfNeeded: number(entry, 20))
      guard size <= mostBytes else { throw tooLarge(name, "has an entry with names of \(size) bytes") }
      let data = file.bytes(at: UInt64(clamping: number(entry, 16)), size)
      found += isRaster ? try rasters(data, name) : try overviews(data, name)
    }
    var names: Set<String> = []
    return found.filter { names.insert($0.name).inserted }
  }

  private static func tooLarge(_ name: String, _ what: String) -> EngineError {
    ReferenceRule.fileSize.refusal(name, what, "Such a file cannot be read. Convert it (gdal_translate).")
  }

  private static func rasters(_ data: [UInt8], _ name: String) throws(EngineError) -> [Reference] {
    let folder = LocalPath.folder(of: name)
    var found: [Reference] = []
    for text in try texts(data, name) {
      var candidates = [LocalPath.joined(folder, text)]
      // Where that is not there, GDAL looks for one called as the file itself.
      if let dot = text.lastIndex(of: ".") { candidates.append(stem(of: name) + text[dot...]) }
      found += candidates.filter { exists($0) }.map { Reference(name: $0, namer: name, kind: .raw) }
    }
    return found
  }

  private static func overviews(_ data: [UInt8], _ name: String) throws(EngineError) -> [Reference] {
    let folder = LocalPath.folder(of: name)
    var found: [Reference] = []
    for text in try texts(data, name) {
      var end = text.endIndex
      for index in text.indices.dropLast() where text[index] == "(" && text[text.index(after: index)] == ":" {
        end = index
        break
      }
      let plain = text[..<end].split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
      let path = LocalPath.joined(folder, String(plain))
      if exists(path), path != name { found.append(Reference(name: path, namer: name, kind: .sidecar)) }
    }
    return found
  }

  /// Everything that may be read as a text in an entry's data: the bytes before a NUL, from any position on.
  private static func texts(_ data: [UInt8], _ name: String) throws(EngineError) -> [String] {
    var found: [String] = []
    for run in data.split(separator: 0) {
      if run.contains(UInt8(ascii: "/")), String(validating: run, as: UTF8.self) == nil {
        throw ReferenceRule.encoding.refusal(name, "names a file in an encoding other than UTF-8", "Write it as UTF-8.")
      }
      for start in run.indices.suffix(longestPath) {
        let bytes = run[start...]
        // The middle of a letter.
        if (bytes.first ?? 0) & 0xC0 == 0x80 { continue }
        // Numbers before the text.
        guard let text = String(validating: bytes, as: UTF8.self) else { continue }
        found.append(text)
      }
    }
    return found
  }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 && !VectorFiles.isFolder(path) }

  private static func stem(of name: String) -> String {
    let file = LocalPath.name(of: name)
    guard let dot = file.lastIndex(of: ".") else { return name }
    return String(name.dropLast(file[dot...].count))
  }

  private static func number(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    bytes.dropFirst(start).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32(truncatingIfNeeded: $1) }
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).lowercased()
  }
}

/// The names in PCI's files: channels whose cells are in other files, which GDAL opens with whichever driver knows them.
enum PCIDSKReferences: FileReferenceFinder {
  /// GDAL's own limit.
  private static let mostChannels: UInt64 = 65536
  private static let longestPath = 4096
  /// Blocks of 512 bytes, far beyond any file's, so that no sum of offsets overflows.
  private static let farthestBlock: UInt64 = 1 << 50

  static func references(inFile name: String, _ policy: Policy) throws(EngineError) -> [Reference] {
    guard let file = FileParts(name) else { return [] }
    let header = file.bytes(at: 0, 512)
    guard header.count == 512 else { return [] }
    let (channels, images) = (number(header[376..<384]), number(header[336..<352]))
    guard images > 0, images <= farthestBlock else { return [] }
    let isByFile = header[360..<368].starts(with: "FILE".utf8)
    var found: [Reference] = []
    for channel in 0..<min(channels, mostChannels) {
      let field = file.bytes(at: (images &- 1) &* 512 &+ channel &* 1024 &+ 64, 64)
      guard field.count == 64 else { break }
      let padded = field.lastIndex { $0 != 32 }.map { field[...$0] } ?? []
      var text = padded.prefix { $0 != 0 }
      // Tiles inside the file.
      if isByFile, text.starts(with: "/SIS=".utf8) { continue }
      if text.elementsEqual("<uninitialized>".utf8) { continue }
      var forms = [text]
      if text.starts(with: "LNK".utf8) {
        text = link(number(text.dropFirst(4).prefix(4)), file, header)[...]
        forms = [text, text.lastIndex { $0 != 32 }.map { text[...$0] } ?? []]
      }
      for form in Set(forms) {
        guard let link = try fileName(form, in: name) else { continue }
        found.append(try reference(link, in: name, channel))
      }
    }
    return found
  }

  /// The long name that a segment of the file holds.
  private static func link(_ segment: UInt64, _ file: borrowing FileParts, _ header: [UInt8]) -> [UInt8] {
    let pointers = number(header[440..<456])
    guard segment > 0, pointers > 0, pointers <= farthestBlock, segment <= farthestBlock else { return [] }
    let pointer = file.bytes(at: (pointers &- 1) &* 512 &+ (segment &- 1) &* 32, 32)
    guard pointer.count == 32 else { return [] }
    let block = number(pointer[12..<23])
    guard block <= farthestBlock else { return [] }
    let data = file.bytes(at: (max(block, 1) &- 1) &* 512 &+ 1024, 8 &+ longestPath)
    guard data.starts(with: "SysLinkF".utf8) else { return [] }
    return Array(data.dropFirst(8).prefix { $0 != 0 })
  }

  private static func reference(_ text: String, in name: String, _ channel: UInt64) throws(EngineError) -> Reference {
    let band = Int(truncatingIfNeeded: channel)
    let beside = LocalPath.joined(LocalPath.folder(of: name), text)
    if text.hasPrefix("/") { return Reference(name: text, namer: name, kind: .dataset, band: band) }
    if access(beside, F_OK) == 0 { return Reference(name: beside, namer: name, kind: .dataset, band: band) }
    // GDAL would look for it in the working folder next.
    throw ReferenceRule.relativeNames.refusal(
      name,
      "names \"\(ReferenceRule.short(text))\", which is not next to it and would depend on the process's working folder",
      "Put that file next to it.")
  }

  /// A number in digits, with blanks before it.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var value: UInt64 = 0
    for byte in bytes.drop(while: { $0 == 32 }) {
      guard (48...57).contains(byte) else { break }
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, exceeds) = product.addingReportingOverflow(UInt64(truncatingIfNeeded: byte &- 48))
      if overflows || exceeds { return .max }
      value = sum
    }
    return value
  }
}

/// The name in the header of an Idrisi raster: a file that describes its spatial reference.
enum IdrisiReferences {
  static func references(beside name: String) throws(EngineError) -> [Reference] {
    let stem = name.dropLast(4)
    var found: [Reference] = []
    for header in ["\(stem).rdc", "\(stem).RDC"] where LocalNames.isLocal(header) {
      guard !FileIdentity.isPipeOrDevice(header), let file = FileParts(header) else { continue }
      found.append(Reference(name: header, namer: name, kind: .raw))
      for line in file.bytes(at: 0, 65536).split(whereSeparator: { $0 == 10 || $0 == 13 }) {
        let text = String(decoding: line, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":"), text.lowercased().hasPrefix("ref. system") else { continue }
        let value = text[text.index(after: colon)...]
        for system in Set([String(value.drop(while: \.isWhitespace)), String(value)]) {
          guard try fileName(line, in: header) != nil else { continue }
          let path = LocalPath.joined(LocalPath.folder(of: name), system + ".ref")
          if access(path, F_OK) == 0 { found.append(Reference(name: path, namer: header, kind: .raw)) }
        }
      }
    }
    return found
  }
}

/// The name in a header of PCI for raw cells: GDAL opens that file, and the header that belongs to it.
enum AuxiliaryReferences {
  static func references(in target: ArraySlice<UInt8>, of name: String) throws(EngineError) -> [Reference] {
    guard let target = try fileName(target, in: name) else { return [] }
    let path = LocalPath.joined(LocalPath.folder(of: name), target)
    let file = LocalPath.name(of: path)
    let stem = file.lastIndex(of: ".").map { String(path.dropLast(file[$0...].count)) } ?? path
    let candidates: [String] = [path, "\(stem).aux", "\(stem).AUX"]
    let files = candidates.filter { file in file != name && access(file, F_OK) == 0 }
    return files.map { Reference(name: $0, namer: name, kind: .raw) }
  }
}
