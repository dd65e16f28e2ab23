import AlidadeBase
import AlidadeCoordinates
import CGEOS

extension Geometry {
  /// A point for the label of the geometry; see `LabelPoint`. An empty geometry has an empty point.
  ///
  /// - Parameter tolerance: how much farther from the boundary of a polygon another point may be; 0 means one percent
  ///   of the distance.
  public func labelPoint(tolerance: Double = 0) throws(EngineError) -> Geometry {
    try runtime.limited { [self] () throws(EngineError) -> Geometry in
      try LabelPoint.require(tolerance)
      try requireUsable()
      let builder = try GeometryBuilder(policy: runtime.policy)
      try LabelPoint(tolerance).write(columns, row, try GEOSSession(), into: builder)
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }
}

extension GeometryArray {
  /// The same for each geometry, on all cores.
  public func labelPoints(tolerance: Double = 0) throws(EngineError) -> GeometryArray {
    try runtime.limited { [self] () throws(EngineError) -> GeometryArray in
      try LabelPoint.require(tolerance)
      try requireUsable()
      return try mapped { (columns, row, session, builder) throws(EngineError) in
        try LabelPoint(tolerance).write(columns, row, session, into: builder)
      }
    }
  }
}

/// Finds the point for a label: in a polygon the point farthest from its boundary, on a line the middle of its longest
/// path, among points the one nearest to their centre. For a collection, the members with the highest dimension decide.
struct LabelPoint {
  private let tolerance: Double
  /// Squares that are looked at in a part, at most: more are needed only where it is millions of times as long as wide.
  private static let mostCells = 100_000

  init(_ tolerance: Double) { self.tolerance = tolerance }

  static func require(_ tolerance: Double) throws(EngineError) {
    guard tolerance >= 0, tolerance <= GeometryColumns.largestCoordinate else {
      throw EngineError(
        .invalidArgument, "The tolerance is \(NumberText.shortest(tolerance)); it must be within 0 to 1e100.")
    }
  }

  func write(
    _ columns: GeometryColumns, _ row: Int, _ session: borrowing GEOSSession, into builder: GeometryBuilder
  ) throws(EngineError) {
    var best: Candidate?
    for (columns, row) in columns.leaves(row) {
      let candidate = try place(columns, row, session)
      if let candidate, candidate.isBetter(than: best) { best = candidate }
    }
    try builder.begin(.point, [])
    if let best {
      try builder.append(Vertex(best.point))
      try builder.endPathAndPart()
    }
    try builder.end()
  }

  /// A point, and how good it is among points of the same dimension.
  private struct Candidate {
    let point: Point
    let dimension: Int
    let worth: Double

    func isBetter(than other: Candidate?) -> Bool {
      guard let other else { return true }
      return dimension == other.dimension ? worth > other.worth : dimension > other.dimension
    }
  }

  private func place(
    _ columns: GeometryColumns, _ row: Int, _ session: borrowing GEOSSession
  ) throws(EngineError) -> Candidate? {
    var best: Candidate?
    func consider(_ candidate: Candidate?) {
      if let candidate, candidate.isBetter(than: best) { best = candidate }
    }
    switch columns.kind(row) {
    case .point, .multipoint: consider(middle(columns, columns.vertices(ofGeometry: row)))
    case .polyline:
      for path in columns.paths(ofGeometry: row) { consider(halfway(columns, columns.vertices(ofPath: path))) }
    case .polygon:
      // The largest first: what is narrower than the best distance so far cannot hold a better one.
      let parts = columns.parts(ofGeometry: row).filter { !columns.paths(ofPart: $0).isEmpty }
      let boxes = parts.map { ($0, columns.envelope(ofPart: $0)) }
      for (part, box) in boxes.sorted(by: { $0.1.shorterSide > $1.1.shorterSide }) {
        if let best, box.shorterSide / 2 <= best.worth { break }
        consider(try pole(columns, row, part, box, session))
      }
    case .collection: break
    }
    return best
  }

  /// The vertex nearest to the mean of all.
  private func middle(_ columns: GeometryColumns, _ vertices: Range<Int>) -> Candidate? {
    if vertices.isEmpty { return nil }
    let count = Double(vertices.count)
    var mean = Point(x: 0, y: 0)
    for index in vertices {
      mean.x += columns.points[index].x / count
      mean.y += columns.points[index].y / count
    }
    let nearest = vertices.min { columns.points[$0].distance(to: mean) < columns.points[$1].distance(to: mean) }
    return nearest.map { Candidate(point: columns.points[$0], dimension: 0, worth: count) }
  }

  /// The point halfway along a path.
  private func halfway(_ columns: GeometryColumns, _ vertices: Range<Int>) -> Candidate? {
    guard let first = vertices.first else { return nil }
    let segments = zip(vertices, vertices.dropFirst())
    let length = segments.reduce(0) { $0 + columns.points[$1.0].distance(to: columns.points[$1.1]) }
    var left = length / 2
    for (from, to) in segments {
      let (a, b) = (columns.points[from], columns.points[to])
      let step = a.distance(to: b)
      if step >= left, step > 0 {
        let share = left / step
        let point = Point(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
        return Candidate(point: point, dimension: 1, worth: length)
      }
      left -= step
    }
    return Candidate(point: columns.points[first], dimension: 1, worth: length)
  }

  // MARK: Polygons

  /// A square in which the best point is searched.
  private struct Cell: HeapItem {
    let center: Point
    let half: Double
    /// From the boundary, below 0 outside.
    let distance: Double
    /// No point in the square lies farther from the boundary.
    var bound: Double { distance + half * 2.0.squareRoot() }

    func isBefore(_ other: Cell) -> Bool { bound > other.bound }
  }

  /// The point in a part that lies farthest from its boundary: squares are quartered, the most promising first, as long
  /// as one may contain a better point.
  private func pole(
    _ columns: GeometryColumns, _ row: Int, _ part: Int, _ box: Envelope, _ session: borrowing GEOSSession
  ) throws(EngineError) -> Candidate {
    let boundary = PartBoundary(columns, part)
    func cell(_ x: Double, _ y: Double, _ half: Double) -> Cell {
      let center = Point(x: x, y: y)
      return Cell(center: center, half: half, distance: boundary.distance(from: center))
    }
    // A point that is certainly inside, however narrow the part is.
    var best = try inner(columns, row, part, boundary, session)
    let half = max(box.xMax - box.xMin, box.yMax - box.yMin) / 2
    let first = cell((box.xMin + box.xMax) / 2, (box.yMin + box.yMax) / 2, half)
    if first.distance > best.distance { best = first }
    var cells = BinaryHeap<Cell>()
    cells.push(first)
    var count = 0
    while let next = cells.pop(), count < Self.mostCells {
      try TimeLimit.check()
      if next.bound - best.distance <= (tolerance > 0 ? tolerance : best.distance / 100) { break }
      let quarter = next.half / 2
      // Doubles do not go further.
      if next.center.x + quarter == next.center.x, next.center.y + quarter == next.center.y { break }
      for (dx, dy) in [(-quarter, -quarter), (quarter, -quarter), (-quarter, quarter), (quarter, quarter)] {
        let part = cell(next.center.x + dx, next.center.y + dy, quarter)
        if part.distance > best.distance { best = part }
        if part.bound > best.distance { cells.push(part) }
        count &+= 1
      }
    }
    return Candidate(point: best.center, dimension: 2, worth: best.distance)
  }

  private func inner(
    _ columns: GeometryColumns, _ row: Int, _ part: Int, _ boundary: PartBoundary, _ session: borrowing GEOSSession
  ) throws(EngineError) -> Cell {
    let polygon = try session.polygon(columns, row, part)
    guard let object = GEOSObject(GEOSPointOnSurface_r(session.handle, polygon.pointer), in: session) else {
      throw session.refusal("A point in a polygon")
    }
    var point = Point.nan
    guard GEOSGeomGetX_r(session.handle, object.pointer, &point.x) == 1,
      GEOSGeomGetY_r(session.handle, object.pointer, &point.y) == 1
    else { throw session.refusal("A point in a polygon") }
    // Inside or, by rounding, on the edge; not farther out than any other candidate.
    return Cell(center: point, half: 0, distance: max(0, boundary.distance(from: point)))
  }
}

extension Envelope {
  fileprivate var shorterSide: Double { min(xMax - xMin, yMax - yMin) }
}

/// The rings of a part of a polygon in runs of segments with a box each, so that most of them need not be looked at.
struct PartBoundary {
  private let points: UnsafeBufferPointer<Point>
  /// Keeps the points.
  private let columns: GeometryColumns
  private let runs: [SegmentRun]

  init(_ columns: GeometryColumns, _ part: Int) {
    self.columns = columns
    points = columns.points.buffer
    runs = SegmentRun.all(of: columns, paths: columns.paths(ofPart: part))
  }

  /// How far a point lies from the boundary; below 0 if it lies outside.
  func distance(from point: Point) -> Double {
    var nearest = Double.infinity
    var isInside = false
    for run in runs {
      let box = run.box
      let crossesRay = box.yMin <= point.y && point.y <= box.yMax && point.x <= box.xMax
      let mayBeNearer = box.distance(to: point) < nearest
      if !crossesRay && !mayBeNearer { continue }
      for index in run.vertices.dropLast() {
        let (a, b) = (points[index], points[index &+ 1])
        if mayBeNearer { nearest = min(nearest, point.distance(toSegment: a, b)) }
        if (a.y > point.y) != (b.y > point.y), point.x < (b.x - a.x) * ((point.y - a.y) / (b.y - a.y)) + a.x {
          isInside.toggle()
        }
      }
    }
    return isInside ? nearest : -nearest
  }
}
