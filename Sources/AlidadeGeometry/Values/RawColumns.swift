import AlidadeBase
import AlidadeCoordinates

/// Coordinates and offsets of the caller's, as they lie in memory: any strides, any alignment. What they lead to must
/// outlive the reading.
public struct RawColumns {
  /// A column of numbers, a stride apart.
  public struct Numbers {
    let base: UnsafeRawPointer
    let stride: Int

    /// - Parameter stride: in bytes.
    public init(_ base: UnsafeRawPointer, stride: Int) {
      self.base = base
      self.stride = stride
    }

    @inline(__always)
    func load(_ index: Int, _ offset: Int = 0) -> Double {
      (base + index &* stride + offset).loadUnaligned(as: Double.self)
    }
  }

  /// The type of all geometries, if `kinds` is nil.
  public var kind: GeometryKind?
  public var kinds: UnsafeRawPointer?
  public var flags: UnsafeRawPointer?
  public var geometryCount = 0
  public var partCount = 0
  public var pathCount = 0
  public var vertexCount = 0
  /// One more offset than there are geometries, parts or paths; nil: see `completed`.
  public var partOffsets: UnsafeRawPointer?
  public var pathOffsets: UnsafeRawPointer?
  public var vertexOffsets: UnsafeRawPointer?
  public var xy: Numbers?
  public var z: Numbers?
  public var m: Numbers?

  public init() {}
}

/// Where things begin and end one level below.
private struct Offsets {
  enum Source {
    case given(UnsafeRawPointer)
    /// Each thing has one of those below.
    case oneEach
    /// One geometry has all entries of the next level.
    case all
  }

  let source: Source
  /// How many things there are, and how many below.
  let count: Int
  let limit: Int
  let name: String

  /// The things of a number, which must be below `count`.
  func range(_ index: Int) throws(EngineError) -> Range<Int> {
    switch source {
    case .oneEach: return index..<(index &+ 1)
    case .all: return 0..<limit
    case .given(let pointer):
      let start = number(pointer, index)
      let end = number(pointer, index &+ 1)
      guard start >= 0, end >= start, end <= limit else {
        throw EngineError(
          .invalidArgument,
          "\(name)[\(index)] is \(start) and \(name)[\(index &+ 1)] is \(end); they must rise, from 0 to \(limit).")
      }
      return start..<end
    }
  }

  private func number(_ pointer: UnsafeRawPointer, _ index: Int) -> Int {
    Int(truncatingIfNeeded: (pointer + index &* 4).loadUnaligned(as: Int32.self))
  }
}

/// Copies raw columns into a builder, and checks them on the way.
struct RawColumnsReader {
  private let raw: RawColumns
  private let parts: Offsets
  private let paths: Offsets
  private let vertices: Offsets

  /// Completes what is left out. A column of offsets may be left out if all geometries are of one kind that is given:
  /// each point then has one vertex, each line one part, and otherwise everything belongs to one geometry.
  init(_ raw: RawColumns, _ policy: Policy) throws(EngineError) {
    self.raw = raw
    try policy.check(points: raw.vertexCount)
    for count in [raw.geometryCount, raw.partCount, raw.pathCount] { try policy.check(points: count) }
    guard raw.kind != nil || raw.kinds != nil else {
      throw EngineError(.invalidArgument, "Neither kind nor kinds says what the geometries are.")
    }
    if raw.vertexCount > 0, raw.xy == nil { throw EngineError(.invalidArgument, "xy is NULL.") }
    // With mixed kinds nothing can be left out.
    let kind = raw.kinds == nil ? raw.kind : nil
    vertices = try Self.offsets(
      raw.vertexOffsets, count: raw.pathCount, limit: raw.vertexCount, "vertex_offsets",
      default: kind.map { $0 == .point ? .oneEach : .all })
    paths = try Self.offsets(
      raw.pathOffsets, count: raw.partCount, limit: vertices.count, "path_offsets",
      default: kind.map { $0 == .polygon ? .all : .oneEach })
    parts = try Self.offsets(
      raw.partOffsets, count: raw.geometryCount, limit: paths.count, "part_offsets",
      default: kind.map { $0 == .point ? .oneEach : .all }, emptyIsOne: true)
  }

  private static func offsets(
    _ pointer: UnsafeRawPointer?, count: Int, limit: Int, _ name: String, default source: Offsets.Source?,
    emptyIsOne: Bool = false
  ) throws(EngineError) -> Offsets {
    if let pointer {
      // Without paths no vertex belongs to anything: the count was forgotten. Of geometries there may be none.
      guard count > 0 || limit == 0 || emptyIsOne else {
        throw EngineError(
          .invalidArgument, "\(name) is given, and its count is 0, so that the \(limit) below belong to nothing.")
      }
      return Offsets(source: .given(pointer), count: count, limit: limit, name: name)
    }
    guard let source else {
      throw EngineError(.invalidArgument, "\(name) is NULL; it may be where all geometries are of one kind.")
    }
    let following: Int
    switch source {
    case .oneEach, .given: following = limit
    case .all: following = limit > 0 || emptyIsOne ? 1 : 0
    }
    guard count == 0 || count == following else {
      throw EngineError(
        .invalidArgument,
        "\(name) is NULL, which makes \(following) of the \(count) that are counted; leave the count 0.")
    }
    return Offsets(source: source, count: following, limit: limit, name: name)
  }

  /// How many geometries there are.
  var count: Int { parts.count }

  func read(into builder: GeometryBuilder) throws(EngineError) {
    try builder.points.reserve(vertices.limit, builder.budget)
    for row in 0..<count {
      let kind = try kind(row)
      let parts = try parts.range(row)
      try builder.begin(kind, try flags(row))
      if kind == .point || kind == .multipoint, parts.count > 1 {
        throw failure(row, "a point or multipoint has at most one part, and this has \(parts.count)")
      }
      for part in parts { try read(part, of: row, into: builder) }
      try builder.end()
    }
  }

  private func read(_ part: Int, of row: Int, into builder: GeometryBuilder) throws(EngineError) {
    let paths = try paths.range(part)
    if builder.kind != .polygon, paths.count != 1 {
      throw failure(row, "part \(part) has \(paths.count) paths; only parts of polygons have others than one")
    }
    for path in paths {
      let range = try vertices.range(path)
      if builder.kind == .point ? range.count != 1 : builder.kind == .multipoint && range.isEmpty {
        throw failure(row, "path \(path) has \(range.count) vertices; a point has one, a multipoint one or more")
      }
      try copy(range, of: row, into: builder)
      do throws(EngineError) { try builder.endPath(openRings: .closed) } catch {
        throw error.status == .invalidArgument ? failure(row, "path \(path): \(error.message)") : error
      }
    }
    try builder.endPart()
  }

  private func copy(_ range: Range<Int>, of row: Int, into builder: GeometryBuilder) throws(EngineError) {
    guard let xy = raw.xy, !range.isEmpty else { return }
    let room = try builder.extend(by: range.count)
    for (target, source) in range.enumerated() {
      let point = Point(x: xy.load(source), y: xy.load(source, 8))
      room.points[target] = point
      var isFinite = point.isFinite
      if let z = raw.z, builder.flags.contains(.hasZ) {
        let value = z.load(source)
        room.z?[target] = value
        isFinite = isFinite && !value.isInfinite
      }
      if let m = raw.m, builder.flags.contains(.hasM) {
        let value = m.load(source)
        room.m?[target] = value
        isFinite = isFinite && !value.isInfinite
      }
      guard isFinite else { throw failure(row, "vertex \(source) has a coordinate that is not finite") }
    }
  }

  private func kind(_ row: Int) throws(EngineError) -> GeometryKind {
    var kind = raw.kind
    if let kinds = raw.kinds {
      let number = (kinds + row).load(as: UInt8.self)
      kind = GeometryKind(rawValue: Int32(truncatingIfNeeded: number))
      if kind == nil { throw failure(row, "kinds[\(row)] is \(number), which is no kind of geometry") }
    }
    guard let kind, kind != .collection else {
      throw failure(row, "collections have no columns; make them from texts, WKB or their members")
    }
    return kind
  }

  private func flags(_ row: Int) throws(EngineError) -> GeometryFlags {
    guard let column = raw.flags else {
      var flags: GeometryFlags = []
      if raw.z != nil { flags.insert(.hasZ) }
      if raw.m != nil { flags.insert(.hasM) }
      return flags
    }
    let flags = GeometryFlags(rawValue: (column + row).load(as: UInt8.self))
    guard flags.isSubset(of: [.hasZ, .hasM, .isMulti]) else {
      throw failure(row, "geometry_flags[\(row)] is \(flags.rawValue), which has unknown bits")
    }
    if flags.contains(.hasZ) && raw.z == nil || flags.contains(.hasM) && raw.m == nil {
      throw failure(row, "geometry_flags[\(row)] says that there is a z or m, and the column is NULL")
    }
    return flags
  }

  private func failure(_ row: Int, _ what: String) -> EngineError {
    EngineError(.invalidArgument, "Geometry \(row): \(what).")
  }
}

extension Geometry {
  /// Creates a geometry from raw columns, which must contain exactly one. Open rings are closed.
  public static func make(
    runtime: Runtime, _ raw: RawColumns, spatialReference: SpatialReference?
  ) throws(EngineError) -> Geometry {
    let reader = try RawColumnsReader(raw, runtime.policy)
    guard reader.count == 1 else {
      throw EngineError(
        .invalidArgument,
        "The columns hold \(reader.count) geometries; one is needed. Create a geometry array for several.")
    }
    let builder = try GeometryBuilder(policy: runtime.policy)
    try reader.read(into: builder)
    return try Geometry(runtime: runtime, builder, spatialReference)
  }
}

extension GeometryArray {
  /// Creates an array from raw columns. Open rings are closed.
  public static func make(
    runtime: Runtime, _ raw: RawColumns, spatialReference: SpatialReference?
  ) throws(EngineError) -> GeometryArray {
    let reader = try RawColumnsReader(raw, runtime.policy)
    let builder = try GeometryBuilder(policy: runtime.policy)
    try reader.read(into: builder)
    return GeometryArray(runtime: runtime, columns: try builder.finish(spatialReference))
  }
}
