import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// Pieces of a geometry, looking along the line that has cut it.
public struct CutPieces: Sendable {
  /// Those on the left first, then those on the right, then those that lie on no one side.
  public let array: GeometryArray
  public let leftCount: Int
  public let rightCount: Int
}

extension Geometry {
  /// The pieces into which a polyline cuts this polyline or polygon.
  public func cut(by cutter: Geometry) throws(EngineError) -> Related<CutPieces> {
    try runtime.limited { [self] () throws(EngineError) -> Related<CutPieces> in
      guard kind == .polyline || kind == .polygon, cutter.kind == .polyline else {
        throw EngineError(
          .unsupported, "Only polylines and polygons can be cut, and only by polylines.",
          argument: cutter.kind == .polyline ? 1 : 2)
      }
      try requireUsable()
      let (matched, receipt) = try cutter.projected(toMatch: spatialReference)
      try matched.requireUsable()
      let knife = Knife(matched)
      let parts = try GeometryBuilder(policy: runtime.policy)
      let sides =
        kind == .polygon
        ? try PolygonCut(self, matched, knife).write(into: parts)
        : try LineCut(self, matched, knife).write(into: parts)
      let columns = try parts.finish(spatialReference)
      let builder = try GeometryBuilder(policy: runtime.policy)
      for side in CutSide.allCases {
        for row in 0..<columns.count where sides[row] == side { try builder.copy(columns, row) }
      }
      let array = GeometryArray(runtime: runtime, columns: try builder.finish(spatialReference))
      let pieces = CutPieces(
        array: array, leftCount: sides.count { $0 == .left }, rightCount: sides.count { $0 == .right })
      return Related(value: pieces, receipt: receipt)
    }
  }
}

/// Where a piece lies, looking along the line that has cut it.
enum CutSide: CaseIterable {
  case left, right, neither

  /// What is said at all places where the piece was cut.
  init(votes: Set<CutSide>) { self = votes.count == 1 ? votes.first ?? .neither : .neither }
}

/// The line that cuts.
struct Knife {
  let points: UnsafeBufferPointer<Point>
  /// Keeps the points.
  private let columns: GeometryColumns
  let runs: [SegmentRun]
  /// What doubles can hardly tell from 0 at the coordinates.
  let hair: Double

  init(_ geometry: Geometry) {
    columns = geometry.columns
    points = columns.points.buffer
    runs = SegmentRun.all(of: columns, paths: columns.paths(ofGeometry: geometry.row))
    let box = geometry.envelope ?? Envelope(xMin: 0, yMin: 0, xMax: 0, yMax: 0)
    hair = max(abs(box.xMin), abs(box.yMin), abs(box.xMax), abs(box.yMax)) * 1e-14
  }

  /// The segment nearest to a place; of several, such as at a corner, the one that the place lies most beside.
  private func nearest(to place: Point) -> (a: Point, b: Point, distance: Double)? {
    var found: (a: Point, b: Point, distance: Double, beside: Double)?
    for run in runs where run.box.distance(from: place) <= found?.distance ?? .infinity {
      for index in run.vertices.dropLast() {
        let (a, b) = (points[index], points[index &+ 1])
        guard a != b else { continue }
        let distance = place.distance(toSegment: a, b)
        let reach = found?.distance ?? .infinity
        if distance > reach * (1 + 1e-9) { continue }
        let beside = abs(place.cross(a, b)) / a.distance(to: b)
        if distance < reach * (1 - 1e-9) || beside > found?.beside ?? -1 { found = (a, b, distance, beside) }
      }
    }
    return found.map { ($0.a, $0.b, $0.distance) }
  }

  /// Whether a place lies on the line.
  func holds(_ place: Point) -> Bool { nearest(to: place).map { $0.distance <= hair } ?? false }

  /// On which side a place lies; neither if it lies on the line.
  func side(of place: Point) -> CutSide {
    guard let segment = nearest(to: place), segment.distance > hair else { return .neither }
    let cross = place.cross(segment.a, segment.b)
    return cross > 0 ? .left : cross < 0 ? .right : .neither
  }

  /// On which side lies what is on the left of a stretch of this line, which goes with it or against it.
  func side(leftOf start: Point, _ end: Point) -> CutSide {
    let middle = Point(x: start.x + (end.x - start.x) / 2, y: start.y + (end.y - start.y) / 2)
    guard let segment = nearest(to: middle) else { return .neither }
    let along =
      (end.x - start.x) * (segment.b.x - segment.a.x) + (end.y - start.y) * (segment.b.y - segment.a.y)
    return along > 0 ? .left : along < 0 ? .right : .neither
  }
}

/// Some segments that follow each other, and their box.
struct SegmentRun {
  /// The last one counted in.
  let vertices: Range<Int>
  let box: Envelope
  private static let length = 32

  static func all(of columns: GeometryColumns, paths: Range<Int>) -> [SegmentRun] {
    paths.flatMap { all(of: columns, vertices: columns.vertices(ofPath: $0)) }
  }

  static func all(of columns: GeometryColumns, vertices: Range<Int>) -> [SegmentRun] {
    var runs: [SegmentRun] = []
    var start = vertices.lowerBound
    while start &+ 1 < vertices.upperBound {
      let run = start..<min(vertices.upperBound, start &+ length &+ 1)
      if let box = Envelope(around: Array(columns.points.buffer[run])) {
        runs.append(SegmentRun(vertices: run, box: box))
      }
      start = run.upperBound &- 1
    }
    return runs
  }
}

extension Envelope {
  /// The box around two places.
  init(_ a: Point, _ b: Point) {
    self.init(xMin: min(a.x, b.x), yMin: min(a.y, b.y), xMax: max(a.x, b.x), yMax: max(a.y, b.y))
  }

  /// How far a place lies from a box; 0 inside.
  func distance(from place: Point) -> Double {
    let dx = max(0, xMin - place.x, place.x - xMax)
    let dy = max(0, yMin - place.y, place.y - yMax)
    return (dx * dx + dy * dy).squareRoot()
  }
}

extension Point {
  /// Above 0 if this point lies on the left of the line from one to another.
  fileprivate func cross(_ a: Point, _ b: Point) -> Double {
    (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
  }
}
