import AlidadeBase
import AlidadeCoordinates

/// The vertices of geometries in one list, and what becomes of them when they are projected: geometry by geometry, of a
/// collection member by member.
struct VertexBatch {
  let points: HeapArray<Point>
  /// NaN where a vertex has none; nil if none of the columns has heights.
  let heights: HeapArray<Double>?
  private(set) var marks: VertexMarks
  private(set) var failedCount = 0

  var count: Int { points.buffer.count }

  /// Copies vertices.
  init(_ columns: GeometryColumns, _ rows: Range<Int>, _ policy: Policy) throws(EngineError) {
    let count = rows.reduce(0) { $0 &+ columns.vertexCount($1) }
    try policy.check(points: count)
    // Points, heights, statuses and marks; and once more, for the result and for what is gathered.
    try policy.check(bytes: count, 2 &* (MemoryLayout<Vertex>.size &+ 8))
    points = try HeapArray(count: count)
    heights = columns.hasHeights ? try HeapArray(count: count) : nil
    marks = VertexMarks(count: count)
    var start = 0
    for row in rows {
      columns.forEachLeaf(row) { leaf in
        let range = leaf.columns.vertices(ofGeometry: leaf.row)
        copy(range, of: leaf.columns, to: start)
        start &+= range.count
      }
    }
  }

  private func copy(_ range: Range<Int>, of columns: GeometryColumns, to start: Int) {
    guard !range.isEmpty else { return }
    let target = start..<(start &+ range.count)
    _ = UnsafeMutableBufferPointer(rebasing: points.buffer[target])
      .update(from: UnsafeBufferPointer(rebasing: columns.points.buffer[range]))
    guard let heights else { return }
    let room = UnsafeMutableBufferPointer(rebasing: heights.buffer[target])
    if let z = columns.z {
      _ = room.update(from: UnsafeBufferPointer(rebasing: z.buffer[range]))
    } else {
      room.update(repeating: .nan)
    }
  }

  /// Projects all vertices: those with a height through the operations for heights, if there are any between the two,
  /// and those without by their positions alone, so that a height that is not known is not a fault.
  ///
  /// - Returns: what was used; nil if the two spatial references mean the same positions, and everything is as it was.
  mutating func project(
    from: SpatialReference, to: SpatialReference, _ options: ProjectionOptions
  ) throws(EngineError) -> ProjectionReceipt? {
    let (solid, flat) = solidAndFlat(options)
    var parts: [(outcome: ProjectionOutcome, projector: Projector)] = []
    if solid > 0 {
      let projector = try Projector.between(from, to, options: options)
      if projector.isIdentity { return nil }
      // Otherwise heights are copied, and all are projected alike.
      if projector.takesHeights {
        parts.append((try pass(projector, solid, withHeights: true, 0), projector))
      }
    }
    if parts.isEmpty || flat > 0 {
      var options = options
      options.ignoresVertical = true
      let projector = try Projector.between(from, to, options: options)
      if projector.isIdentity, parts.isEmpty { return nil }
      let part = try pass(
        projector, parts.isEmpty ? count : flat, withHeights: false, parts.first?.outcome.operationCount ?? 0)
      parts.append((part, projector))
    }
    failedCount = parts.reduce(0) { $0 &+ $1.outcome.failedCount }
    return try ProjectionReceipt(
      parts.map { ($0.outcome.tally, $0.projector) }, chosen: options.transformation, runtime: from.runtime)
  }

  /// How many vertices have a height that may be converted, and how many have none.
  private func solidAndFlat(_ options: ProjectionOptions) -> (Int, Int) {
    guard let heights, !options.ignoresVertical else { return (0, count) }
    let solid = heights.buffer.reduce(0) { $0 &+ ($1.isNaN ? 0 : 1) }
    return (solid, count &- solid)
  }

  /// Projects so many of the vertices: all, or those with or without a height.
  ///
  /// - Parameter firstRow: where the operations of this pass begin in the receipt.
  private mutating func pass(
    _ projector: Projector, _ part: Int, withHeights: Bool, _ firstRow: Int
  ) throws(EngineError) -> ProjectionOutcome {
    if part == count {
      let outcome = try projector.project(CoordinateColumns(points: points, z: withHeights ? heights : nil))
      marks = VertexMarks(outcome)
      return outcome
    }
    let indices = try HeapArray<Int>(count: part)
    let some = try HeapArray<Point>(count: part)
    let z = withHeights ? try HeapArray<Double>(count: part) : nil
    var position = 0
    for index in 0..<count where heights?.buffer[index].isNaN != withHeights {
      indices.buffer[position] = index
      some.buffer[position] = points.buffer[index]
      z?.buffer[position] = heights?.buffer[index] ?? .nan
      position &+= 1
    }
    let outcome = try projector.project(CoordinateColumns(points: some, z: z))
    let (statuses, operations) = try marks.writable()
    for (position, index) in indices.buffer.enumerated() {
      points.buffer[index] = some.buffer[position]
      if let z { heights?.buffer[index] = z.buffer[position] }
      statuses[index] = outcome.statuses.buffer[position]
      let mark = outcome.marks.buffer[position]
      operations[index] = mark == Projector.noOperation ? mark : mark &+ UInt32(clamping: firstRow)
    }
    return outcome
  }
}

/// A mark for each projected vertex: its status, and the row of its operation in the receipt.
public struct VertexMarks: Sendable {
  public let count: Int
  /// nil: all stayed as they were.
  private var statuses: HeapArray<PointStatus>?
  private var operations: HeapArray<UInt32>?

  init(count: Int) { self.count = count }

  init(_ outcome: ProjectionOutcome) {
    count = outcome.statuses.buffer.count
    statuses = outcome.statuses
    operations = outcome.marks
  }

  /// The index must be below `count`.
  public func status(_ index: Int) -> PointStatus { statuses?.buffer[index] ?? .ok }
  public func operation(_ index: Int) -> UInt32 { operations?.buffer[index] ?? 0 }

  fileprivate mutating func writable() throws(EngineError) -> (
    UnsafeMutableBufferPointer<PointStatus>, UnsafeMutableBufferPointer<UInt32>
  ) {
    if let statuses, let operations { return (statuses.buffer, operations.buffer) }
    let made = (try HeapArray<PointStatus>(count: count), try HeapArray<UInt32>(count: count))
    (statuses, operations) = made
    return (made.0.buffer, made.1.buffer)
  }
}

/// A geometry that is no collection, where it lies.
struct GeometryLeaf {
  let columns: GeometryColumns
  let row: Int
  /// The numbers of the members that lead to it.
  let trail: [Int]
}

extension GeometryColumns {
  /// Whether any geometry, or any member of one, may have a z.
  var hasHeights: Bool { z != nil || members?.hasHeights ?? false }

  /// Visits a geometry, or the members of a collection instead of it.
  func forEachLeaf(_ row: Int, _ trail: [Int] = [], _ body: (GeometryLeaf) -> Void) {
    guard kind(row) == .collection, let inner = members else {
      body(GeometryLeaf(columns: self, row: row, trail: trail))
      return
    }
    for (number, member) in members(ofGeometry: row).enumerated() { inner.forEachLeaf(member, trail + [number], body) }
  }
}
