import AlidadeBase

/// Writes well-known binary into memory that the caller has; without memory it counts the bytes.
public struct WKBWriter {
  public enum Flavour: Sendable {
    /// 1000s in the type say what dimensions there are.
    case iso
    /// Flag bits say it, as PostGIS has them; with the EPSG code of the spatial reference, if it has one.
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

  /// Writes a geometry; answers where the next one would begin.
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
