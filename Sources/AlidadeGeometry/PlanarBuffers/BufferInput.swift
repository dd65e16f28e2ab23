import AlidadeBase
import AlidadeCoordinates

/// What a geometry is made of, members of collections taken out: points, and rows of lines and of polygons.
struct BufferInput {
  struct Row {
    let columns: GeometryColumns
    let row: Int
  }

  private(set) var points: [(columns: GeometryColumns, vertices: Range<Int>)] = []
  private(set) var lines: [Row] = []
  private(set) var polygons: [Row] = []
  /// The coordinate that is farthest from 0.
  private(set) var largest = 0.0

  /// - Parameter keepsPoints: false leaves points out, which have been seen to elsewhere.
  init(_ columns: GeometryColumns, _ row: Int, keepsPoints: Bool = true) throws(EngineError) {
    try add(columns, row)
    if !keepsPoints { points = [] }
  }

  var pointCount: Int { points.reduce(0) { $0 &+ $1.vertices.count } }

  /// What a distance is to lines and polygons. Below the step of their coordinates GEOS makes nothing even of a polygon
  /// that should grow, and below some dozen steps nothing of one that should shrink a little: that is 0 then.
  func effective(_ distance: Double) -> Double {
    let steps = distance < 0 ? 64.0 : 1
    return abs(distance) < steps * largest.ulp ? 0 : distance
  }

  private mutating func add(_ columns: GeometryColumns, _ row: Int) throws(EngineError) {
    if columns.kind(row) == .collection {
      guard let inner = columns.members else { return }
      for member in columns.members(ofGeometry: row) { try add(inner, member) }
      return
    }
    let vertices = columns.vertices(ofGeometry: row)
    if vertices.isEmpty { return }
    for point in columns.points.buffer[vertices] {
      largest = max(largest, abs(point.x), abs(point.y))
      guard largest <= PlanarBufferStyle.largest else {
        throw EngineError(
          .invalidArgument,
          "A vertex lies at (\(point.x), \(point.y)); buffers are computed up to \(PlanarBufferStyle.largest).",
          argument: 1)
      }
    }
    switch columns.kind(row) {
    case .point, .multipoint: points.append((columns, vertices))
    case .polyline: lines.append(Row(columns: columns, row: row))
    case .polygon: polygons.append(Row(columns: columns, row: row))
    case .collection: break
    }
  }
}
