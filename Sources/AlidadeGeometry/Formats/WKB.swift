import AlidadeBase
import AlidadeCoordinates

extension GeometryArray {
  /// Reads several WKBs that follow each other.
  ///
  /// - Parameters:
  ///   - offset: the start of each geometry, from 0 to `count`; the last offset is the end of the last geometry.
  ///   - given: the spatial reference of the coordinates; nil means that of the SRIDs, which must all be equal.
  public static func make(
    runtime: Runtime, wkb: UnsafeRawBufferPointer, count: Int, offset: (Int) -> Int,
    spatialReference given: SpatialReference?
  ) throws(EngineError) -> GeometryArray {
    try runtime.policy.check(points: count)
    let builder = try GeometryBuilder(policy: runtime.policy)
    var srid: Int32?
    for index in 0..<count {
      let start = offset(index)
      let end = offset(index &+ 1)
      guard start >= 0, end >= start, end <= wkb.count else {
        throw EngineError(
          .invalidArgument,
          "Geometry \(index) begins at byte \(UInt(bitPattern: start)) and ends at \(UInt(bitPattern: end)); offsets must "
            + "rise, from 0 to \(wkb.count).")
      }
      var reader = WKBReader(UnsafeRawBufferPointer(rebasing: wkb[start..<end]))
      do throws(EngineError) { try reader.read(into: builder) } catch {
        var error = error
        error.message = "Geometry \(index): \(error.message)"
        throw error
      }
      if let its = reader.srid, given == nil {
        guard srid == nil || srid == its else {
          throw EngineError(
            .invalidArgument,
            "Geometry \(index) has the SRID \(its), and one before it \(srid ?? 0); an array has one spatial reference."
          )
        }
        srid = its
      }
    }
    let reference = try AlidadeGeometry.spatialReference(given: given, srid: srid, runtime)
    return GeometryArray(runtime: runtime, columns: try builder.finish(reference))
  }

  /// The size of all geometries' WKBs in bytes.
  public func wkbSize(_ flavour: WKBWriter.Flavour) -> Int { WKBWriter.size(columns, 0..<count, flavour) }

  /// Writes the geometries as WKB, one after the other, into memory of at least `wkbSize` bytes.
  ///
  /// - Parameter ended: receives the end of each geometry.
  public func writeWKB(
    _ flavour: WKBWriter.Flavour, isBigEndian: Bool, to memory: UnsafeMutableRawBufferPointer?,
    ended: (Int, Int) -> Void
  ) {
    var writer = WKBWriter(columns, flavour, isBigEndian: isBigEndian, memory: memory)
    for row in 0..<count { ended(row, writer.write(row)) }
  }
}

/// Reads well-known binary: OGC's, ISO's with 1000s for z and m, and PostGIS's EWKB with flag bits and an SRID; in
/// either byte order, which may change from member to member.
///
/// Counts are checked against the remaining bytes before any memory is allocated for them.
struct WKBReader: ~Copyable {
  private let bytes: UnsafeRawBufferPointer
  /// What an error counts bytes from: where the text of several begins.
  private var position = 0
  private var isBigEndian = false
  /// The SRID of the outermost geometry; nil if it has none, or 0.
  private(set) var srid: Int32?

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Reads the one geometry that the bytes are.
  mutating func read(into builder: GeometryBuilder) throws(EngineError) {
    try readGeometry(into: builder, isOutermost: true)
    guard position == bytes.count else {
      throw failure(at: position, "the geometry ends here, and \(bytes.count &- position) bytes follow")
    }
  }

  private struct Head {
    var start: Int
    var code: UInt32
    var flags: GeometryFlags
  }

  private mutating func readGeometry(into builder: GeometryBuilder, isOutermost: Bool) throws(EngineError) {
    let head = try readHead(isOutermost: isOutermost)
    switch head.code {
    case 1:
      try begin(.point, head, builder)
      try readPoint(builder, head)
    case 2:
      try begin(.polyline, head, builder)
      let count = try readCount(of: "vertices", bytesEach: head.flags.dimensionCount &* 8)
      if count > 0 { try readLine(builder, head, count, start: head.start) }
    case 3:
      try begin(.polygon, head, builder)
      let count = try readCount(of: "rings", bytesEach: 4)
      if count > 0 { try readRings(builder, head, count) }
    case 4:
      try begin(.multipoint, head, builder)
      try readMembers(builder, head, code: 1)
      if builder.points.count > builder.vertexOffsets.last { try builder.endPathAndPart() }
    case 5:
      try begin(.polyline, head, builder)
      try readMembers(builder, head, code: 2)
    case 6:
      try begin(.polygon, head, builder)
      try readMembers(builder, head, code: 3)
    default:
      try begin(.collection, head, builder)
      let count = try readCount(of: "members", bytesEach: 9)
      let members = try at(head.start) { () throws(EngineError) in try builder.members() }
      for _ in 0..<count { try readGeometry(into: members, isOutermost: false) }
    }
    try builder.end()
  }

  private func begin(_ kind: GeometryKind, _ head: Head, _ builder: GeometryBuilder) throws(EngineError) {
    let isMulti = head.code == 5 || head.code == 6
    try builder.begin(kind, isMulti ? head.flags.union(.isMulti) : head.flags)
  }

  // MARK: Heads

  private static let names: [UInt32: String] = [
    8: "a circular string", 9: "a compound curve", 10: "a curve polygon", 11: "a multicurve", 12: "a multisurface",
    13: "a curve", 14: "a surface", 15: "a polyhedral surface", 16: "a TIN", 17: "a triangle",
  ]

  private mutating func readHead(isOutermost: Bool) throws(EngineError) -> Head {
    let start = position
    guard position < bytes.count else { throw failure(at: position, "a byte order is missing: the bytes end") }
    let order = bytes[position]
    guard order <= 1 else {
      throw failure(at: position, "expected a byte order, 0 or 1, and found \(order)")
    }
    position &+= 1
    isBigEndian = order == 0
    let typeAt = position
    let type = try readUInt32("a type")
    var flags: GeometryFlags = []
    if type & 0x8000_0000 != 0 { flags.insert(.hasZ) }
    if type & 0x4000_0000 != 0 { flags.insert(.hasM) }
    let number = type & 0x1FFF_FFFF
    let thousands = number / 1000
    if thousands == 1 || thousands == 3 { flags.insert(.hasZ) }
    if thousands == 2 || thousands == 3 { flags.insert(.hasM) }
    let code = number % 1000
    guard thousands <= 3, code >= 1, code <= 7 else {
      if thousands <= 3, let name = Self.names[code] {
        throw unsupported(at: typeAt, "type \(type) is \(name); curves and surfaces are not read")
      }
      throw failure(at: typeAt, "expected a type from 1 (point) to 7 (collection), and found \(type)")
    }
    if type & 0x2000_0000 != 0 {
      let given = Int32(bitPattern: try readUInt32("an SRID"))
      if isOutermost { srid = given == 0 ? nil : given }
    }
    return Head(start: start, code: code, flags: flags)
  }

  private mutating func readUInt32(_ what: String) throws(EngineError) -> UInt32 {
    guard bytes.count &- position >= 4 else {
      throw failure(at: position, "expected \(what) of 4 bytes, and found the end after \(bytes.count &- position)")
    }
    let raw = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
    position &+= 4
    return isBigEndian ? UInt32(bigEndian: raw) : UInt32(littleEndian: raw)
  }

  private mutating func readCount(of what: String, bytesEach: Int) throws(EngineError) -> Int {
    let start = position
    let count = Int(truncatingIfNeeded: try readUInt32("a number of \(what)"))
    let left = bytes.count &- position
    guard count <= left / bytesEach else {
      throw failure(
        at: start, "\(count) \(what) are promised, and \(left) bytes follow, enough for \(left / bytesEach)")
    }
    return count
  }

  // MARK: Parts

  private mutating func readMembers(
    _ builder: GeometryBuilder, _ head: Head, code: UInt32
  ) throws(EngineError) {
    let count = try readCount(of: "members", bytesEach: 9)
    for _ in 0..<count {
      let member = try readHead(isOutermost: false)
      guard member.code == code, member.flags == head.flags else {
        throw failure(
          at: member.start,
          "a member has another type or other dimensions than the type of the whole (\(head.code)) asks for")
      }
      switch code {
      case 1: try readVertices(builder, head, 1, allowsEmpty: true)
      case 2:
        let vertices = try readCount(of: "vertices", bytesEach: head.flags.dimensionCount &* 8)
        try readLine(builder, head, vertices, start: member.start)
      default:
        let rings = try readCount(of: "rings", bytesEach: 4)
        try readRings(builder, head, rings)
      }
    }
  }

  private mutating func readPoint(_ builder: GeometryBuilder, _ head: Head) throws(EngineError) {
    let before = builder.points.count
    guard bytes.count &- position >= head.flags.dimensionCount &* 8 else {
      throw failure(
        at: position,
        "expected a point of \(head.flags.dimensionCount &* 8) bytes, and found the end after "
          + "\(bytes.count &- position)")
    }
    try readVertices(builder, head, 1, allowsEmpty: true)
    if builder.points.count > before { try builder.endPathAndPart() }
  }

  private mutating func readLine(
    _ builder: GeometryBuilder, _ head: Head, _ count: Int, start: Int
  ) throws(EngineError) {
    try readVertices(builder, head, count, allowsEmpty: false)
    try at(start) { () throws(EngineError) in try builder.endPath() }
    try builder.endPart()
  }

  private mutating func readRings(_ builder: GeometryBuilder, _ head: Head, _ count: Int) throws(EngineError) {
    for _ in 0..<count {
      let start = position
      let vertices = try readCount(of: "vertices", bytesEach: head.flags.dimensionCount &* 8)
      try readVertices(builder, head, vertices, allowsEmpty: false)
      try at(start) { () throws(EngineError) in try builder.endPath() }
    }
    try builder.endPart()
  }

  /// Reads vertices, for which there are bytes. A point whose x and y are NaN is an empty one, and left out.
  private mutating func readVertices(
    _ builder: GeometryBuilder, _ head: Head, _ count: Int, allowsEmpty: Bool
  ) throws(EngineError) {
    let size = head.flags.dimensionCount &* 8
    guard bytes.count &- position >= count &* size else {
      throw failure(at: position, "expected \(count &* size) bytes of coordinates, and found the end")
    }
    if allowsEmpty {
      let vertex = vertex(at: position, head.flags)
      if !(vertex.point.x.isNaN && vertex.point.y.isNaN) {
        try at(position) { () throws(EngineError) in try builder.append(vertex) }
      }
      position &+= size
      return
    }
    let room = try builder.extend(by: count)
    for index in 0..<count {
      let vertex = vertex(at: position, head.flags)
      guard vertex.point.isFinite, !vertex.z.isInfinite, !vertex.m.isInfinite else {
        throw failure(at: position, GeometryBuilder.notFinite(vertex).message)
      }
      room.points[index] = vertex.point
      room.z?[index] = vertex.z
      room.m?[index] = vertex.m
      position &+= size
    }
  }

  @inline(__always)
  private func vertex(at start: Int, _ flags: GeometryFlags) -> Vertex {
    var vertex = Vertex(Point(x: number(start), y: number(start &+ 8)))
    if flags.contains(.hasZ) { vertex.z = number(start &+ 16) }
    if flags.contains(.hasM) { vertex.m = number(start &+ (flags.contains(.hasZ) ? 24 : 16)) }
    return vertex
  }

  @inline(__always)
  private func number(_ start: Int) -> Double {
    let raw = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
    return Double(bitPattern: isBigEndian ? UInt64(bigEndian: raw) : UInt64(littleEndian: raw))
  }

  // MARK: Errors

  private func failure(at place: Int, _ what: String) -> EngineError {
    EngineError(.invalidArgument, "WKB, byte \(place): \(what).")
  }

  private func unsupported(at place: Int, _ what: String) -> EngineError {
    EngineError(.unsupported, "WKB, byte \(place): \(what).")
  }

  /// Says where in the bytes something is that the builder refuses.
  private func at<Result>(
    _ place: Int, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    do throws(EngineError) { return try body() } catch {
      throw error.status == .invalidArgument ? failure(at: place, error.message) : error
    }
  }
}

/// Writes WKB into memory of the caller. Without memory it only counts the bytes.
public struct WKBWriter {
  public enum Flavour: Sendable {
    /// ISO's form: thousands in the type number give the dimensions.
    case iso
    /// PostGIS's form: flag bits give the dimensions, and the EPSG code of the spatial reference is written if it has
    /// one.
    case extended
  }

  private let columns: GeometryColumns
  private let flavour: Flavour
  private let isBigEndian: Bool
  private let srid: UInt32?
  private let memory: UnsafeMutableRawBufferPointer?
  private var position = 0

  /// - Parameter memory: for what is written; nil to count only.
  init(
    _ columns: GeometryColumns, _ flavour: Flavour, isBigEndian: Bool, memory: UnsafeMutableRawBufferPointer?
  ) {
    self.columns = columns
    self.flavour = flavour
    self.isBigEndian = isBigEndian
    self.memory = memory
    srid = flavour == .extended ? columns.spatialReference.flatMap { $0.srid } : nil
  }

  /// The size of a geometry's WKB in bytes.
  static func size(
    _ columns: GeometryColumns, _ rows: Range<Int>, _ flavour: Flavour
  ) -> Int {
    var writer = WKBWriter(columns, flavour, isBigEndian: false, memory: nil)
    for row in rows { writer.write(row) }
    return writer.position
  }

  /// Writes a geometry; returns where the next one would begin.
  @discardableResult
  mutating func write(_ row: Int) -> Int {
    write(row, of: columns, srid)
    return position
  }

  private mutating func write(_ row: Int, of columns: GeometryColumns, _ srid: UInt32?) {
    let flags = columns.flags(row)
    let parts = columns.parts(ofGeometry: row)
    let kind = columns.kind(row)
    switch kind {
    case .point:
      head(1, flags, srid)
      let vertices = columns.vertices(ofGeometry: row)
      if vertices.isEmpty { emptyPoint(flags) } else { put(columns, vertices, flags) }
    case .multipoint:
      head(4, flags, srid)
      let vertices = columns.vertices(ofGeometry: row)
      put(UInt32(clamping: vertices.count))
      for vertex in vertices {
        head(1, flags, nil)
        put(columns, vertex..<(vertex &+ 1), flags)
      }
    case .polyline, .polygon:
      if flags.contains(.isMulti) {
        head(kind == .polyline ? 5 : 6, flags, srid)
        put(UInt32(clamping: parts.count))
        for part in parts { self.part(part, of: columns, kind, flags, nil) }
      } else if let only = parts.first {
        part(only, of: columns, kind, flags, srid)
      } else {
        head(kind == .polyline ? 2 : 3, flags, srid)
        put(UInt32(0))
      }
    case .collection:
      head(7, flags, srid)
      let members = columns.members(ofGeometry: row)
      put(UInt32(clamping: members.count))
      if let inner = columns.members { for member in members { write(member, of: inner, nil) } }
    }
  }

  /// One line or one polygon.
  private mutating func part(
    _ part: Int, of columns: GeometryColumns, _ kind: GeometryKind, _ flags: GeometryFlags, _ srid: UInt32?
  ) {
    let paths = columns.paths(ofPart: part)
    head(kind == .polyline ? 2 : 3, flags, srid)
    if kind == .polygon { put(UInt32(clamping: paths.count)) }
    for path in paths {
      let vertices = columns.vertices(ofPath: path)
      put(UInt32(clamping: vertices.count))
      put(columns, vertices, flags)
    }
  }

  private mutating func head(_ code: UInt32, _ flags: GeometryFlags, _ srid: UInt32?) {
    memory?[position] = isBigEndian ? 0 : 1
    position &+= 1
    var type = code
    switch flavour {
    case .iso: type += (flags.contains(.hasZ) ? 1000 : 0) + (flags.contains(.hasM) ? 2000 : 0)
    case .extended:
      if flags.contains(.hasZ) { type |= 0x8000_0000 }
      if flags.contains(.hasM) { type |= 0x4000_0000 }
      if srid != nil { type |= 0x2000_0000 }
    }
    put(type)
    if let srid { put(srid) }
  }

  private mutating func emptyPoint(_ flags: GeometryFlags) {
    for _ in 0..<flags.dimensionCount { put(Double.nan) }
  }

  private mutating func put(_ columns: GeometryColumns, _ vertices: Range<Int>, _ flags: GeometryFlags) {
    guard memory != nil else {
      position &+= vertices.count &* flags.dimensionCount &* 8
      return
    }
    for index in vertices {
      let vertex = columns.vertex(index)
      put(vertex.point.x)
      put(vertex.point.y)
      if flags.contains(.hasZ) { put(vertex.z) }
      if flags.contains(.hasM) { put(vertex.m) }
    }
  }

  private mutating func put(_ number: UInt32) {
    memory?.storeBytes(
      of: isBigEndian ? number.bigEndian : number.littleEndian, toByteOffset: position, as: UInt32.self)
    position &+= 4
  }

  @inline(__always)
  private mutating func put(_ number: Double) {
    let bits = isBigEndian ? number.bitPattern.bigEndian : number.bitPattern.littleEndian
    memory?.storeBytes(of: bits, toByteOffset: position, as: UInt64.self)
    position &+= 8
  }
}
