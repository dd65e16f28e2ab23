import AlidadeBase
import AlidadeCoordinates
import CGEOS

extension Geometry {
  /// The geometry with fewer vertices: none that is left out lies farther than `maxDeviation` from the line that stays.
  public func generalized(maxDeviation: Double, _ method: GeneralizeMethod) throws(EngineError) -> Geometry {
    try runtime.limited { [self] () throws(EngineError) -> Geometry in
      let generalizing = try Generalizing(maxDeviation, method)
      if method == .preservingTopology { try requireUsable() }
      let builder = try GeometryBuilder(policy: runtime.policy)
      try generalizing.write(columns, row, try GEOSSession(), into: builder)
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }
}

extension GeometryArray {
  /// The same of each geometry, on all cores.
  public func generalized(maxDeviation: Double, _ method: GeneralizeMethod) throws(EngineError) -> GeometryArray {
    try runtime.limited { [self] () throws(EngineError) -> GeometryArray in
      let generalizing = try Generalizing(maxDeviation, method)
      if method == .preservingTopology { try requireUsable() }
      return try mapped { (columns, row, session, builder) throws(EngineError) in
        try generalizing.write(columns, row, session, into: builder)
      }
    }
  }
}

struct Generalizing: Sendable {
  private let maxDeviation: Double
  private let method: GeneralizeMethod
  /// Beyond this, GEOS's recursion could run out of stack. A line of a million vertices mostly needs 40.
  private static let deepestSplit = 2000
  /// How often a tolerance is halved for a polygon that would not be valid.
  private static let attempts = 6

  init(_ maxDeviation: Double, _ method: GeneralizeMethod) throws(EngineError) {
    guard maxDeviation >= 0, maxDeviation <= GeometryColumns.largestCoordinate else {
      throw EngineError(
        .invalidArgument,
        "The maximum deviation is \(NumberText.shortest(maxDeviation)); it must be within 0 to 1e100.")
    }
    self.maxDeviation = maxDeviation
    self.method = method
  }

  func write(
    _ columns: GeometryColumns, _ row: Int, _ session: borrowing GEOSSession, into builder: GeometryBuilder
  ) throws(EngineError) {
    try columns.requireModestCoordinates(row)
    switch columns.kind(row) {
    case .point, .multipoint: try builder.copy(columns, row)
    case .collection:
      try builder.begin(.collection, columns.flags(row).dimensions)
      if let inner = columns.members {
        for member in columns.members(ofGeometry: row) {
          try write(inner, member, session, into: try builder.members())
        }
      }
      try builder.end()
    case .polyline, .polygon:
      if method == .douglasPeucker {
        try writeEach(columns, row, into: builder)
      } else {
        try writeTogether(columns, row, session, into: builder)
      }
    }
  }

  // MARK: Each path by itself

  private func writeEach(_ columns: GeometryColumns, _ row: Int, into builder: GeometryBuilder) throws(EngineError) {
    let kind = columns.kind(row)
    try builder.begin(kind, columns.flags(row))
    for part in columns.parts(ofGeometry: row) {
      var isFirst = true
      var isGone = false
      for path in columns.paths(ofPart: part) {
        let vertices = columns.vertices(ofPath: path)
        let kept = try DouglasPeucker(columns.points.buffer, vertices).kept(maxDeviation)
        let isPoint = kept.first.map { first in kept.allSatisfy { columns.points[$0] == columns.points[first] } }
        // What has become a point, or a ring without area, is left out; of a shell with its holes.
        isGone = kind == .polygon ? kept.count < 4 : isPoint ?? false
        if isGone, isFirst { break }
        isFirst = false
        if isGone { continue }
        for index in kept { try builder.append(columns.vertex(index)) }
        try builder.endPath()
      }
      if !(isGone && isFirst) { try builder.endPart() }
    }
    try builder.end()
  }

  // MARK: All paths together

  private func writeTogether(
    _ columns: GeometryColumns, _ row: Int, _ session: borrowing GEOSSession, into builder: GeometryBuilder
  ) throws(EngineError) {
    for path in columns.paths(ofGeometry: row) {
      let search = DouglasPeucker(columns.points.buffer, columns.vertices(ofPath: path))
      guard try search.splits(noDeeperThan: Self.deepestSplit) else {
        throw EngineError(
          .unsupported,
          "A line coils so that its topology cannot be watched over while it is generalized; use the other method.")
      }
    }
    let object = try session.object(columns, row)
    let (kind, flags) = (columns.kind(row), columns.flags(row))
    var tolerance = maxDeviation
    for _ in 0..<Self.attempts {
      let made = GEOSTopologyPreserveSimplify_r(session.handle, object.pointer, tolerance)
      guard let simple = GEOSObject(made, in: session) else { throw session.refusal("A generalized geometry") }
      // GEOS watches over lines, but not over which ring lies in which.
      if kind == .polyline || GEOSisValid_r(session.handle, simple.pointer) == 1 {
        return try session.read(
          simple.pointer, only: kind, isMulti: flags.contains(.isMulti), hasZ: flags.contains(.hasZ), into: builder)
      }
      tolerance /= 2
    }
    try builder.copy(columns, row)
  }
}

/// Douglas and Peucker's search for the vertices of a path that matter, without recursion.
struct DouglasPeucker {
  private let points: UnsafeBufferPointer<Point>
  private let vertices: Range<Int>

  init(_ points: UnsafeBufferPointer<Point>, _ vertices: Range<Int>) {
    self.points = points
    self.vertices = vertices
  }

  /// The vertices that stay, in order: all others lie within `tolerance` of the line through these.
  func kept(_ tolerance: Double) throws(EngineError) -> [Int] {
    guard vertices.count > 2 else { return Array(vertices) }
    let stays = try HeapArray<Bool>(count: vertices.count)
    stays.buffer.update(repeating: false)
    stays.buffer[0] = true
    stays.buffer[vertices.count &- 1] = true
    var sections = [(vertices.lowerBound, vertices.upperBound &- 1)]
    while let (first, last) = sections.popLast() {
      try TimeLimit.check()
      guard let (index, distance) = farthest(first, last), distance > tolerance else { continue }
      stays.buffer[index &- vertices.lowerBound] = true
      sections.append((first, index))
      sections.append((index, last))
    }
    return vertices.filter { stays.buffer[$0 &- vertices.lowerBound] }
  }

  /// Whether splitting at the farthest vertex, down to single segments, goes no deeper than `depth`.
  func splits(noDeeperThan depth: Int) throws(EngineError) -> Bool {
    guard vertices.count > depth else { return true }
    var sections = [(vertices.lowerBound, vertices.upperBound &- 1, 0)]
    while let (first, last, level) = sections.popLast() {
      try TimeLimit.check()
      guard level < depth else { return false }
      guard let (index, _) = farthest(first, last) else { continue }
      sections.append((first, index, level &+ 1))
      sections.append((index, last, level &+ 1))
    }
    return true
  }

  /// The first of the vertices between two that lie farthest from the segment between them; nil if there is none.
  private func farthest(_ first: Int, _ last: Int) -> (Int, Double)? {
    guard last &- first > 1 else { return nil }
    let (a, b) = (points[first], points[last])
    var found = (first &+ 1, -1.0)
    for index in (first &+ 1)..<last {
      let distance = points[index].distance(toSegment: a, b)
      if distance > found.1 { found = (index, distance) }
    }
    return found
  }
}

extension Point {
  func distance(to other: Point) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  func distance(toSegment a: Point, _ b: Point) -> Double {
    if a == b { return distance(to: a) }
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let share = ((x - a.x) * dx + (y - a.y) * dy) / square
    if share <= 0 { return distance(to: a) }
    if share >= 1 { return distance(to: b) }
    return abs(((a.y - y) * dx - (a.x - x) * dy) / square) * square.squareRoot()
  }
}
