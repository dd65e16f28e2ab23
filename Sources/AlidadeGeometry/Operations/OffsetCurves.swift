import AlidadeBase
import AlidadeCoordinates

/// Lines beside the lines of a polyline, and around or inside of polygons: stretches of the outlines of their buffers.
struct OffsetCurves {
  private let columns: GeometryColumns
  private let row: Int
  private let distance: Double
  private let style: PlanarBufferStyle
  private let segments: Int
  private let runtime: Runtime
  private let largest: Double

  init(
    _ columns: GeometryColumns, _ row: Int, _ distance: Double, _ style: PlanarBufferStyle, segments: Int,
    _ runtime: Runtime
  ) {
    (self.columns, self.row, self.style, self.segments, self.runtime) = (columns, row, style, segments, runtime)
    largest = columns.points.buffer[columns.vertices(ofGeometry: row)].reduce(0) {
      max($0, $1.x.magnitude, $1.y.magnitude)
    }
    // Less than a step of doubles at the coordinates moves nothing.
    self.distance = abs(distance) < largest.ulp ? 0 : distance
  }

  func lines() throws(EngineError) -> [[Point]] {
    if columns.kind(row) == .polygon { return try aroundPolygons() }
    var lines: [[Point]] = []
    for path in columns.paths(ofGeometry: row) {
      let line = Array(columns.points.buffer[columns.vertices(ofPath: path)])
      if !line.isEmpty { lines += try beside(line) }
    }
    return lines
  }

  private var region: BufferRegion { BufferRegion(distance, largest: largest, style, segments: segments) }

  private func beside(_ line: [Point]) throws(EngineError) -> [[Point]] {
    if distance == 0 { return [line] }
    var region = region
    // The left of a line that runs the other way is its right. The outline has its inside to the left: it runs against
    // the line.
    region.add(line: distance > 0 ? line : line.reversed(), .both, marksLeft: true)
    let found = try region.markedLines(runtime.workers, runtime.policy)
    return distance > 0 ? found.reversed().map { $0.reversed() } : found
  }

  private func aroundPolygons() throws(EngineError) -> [[Point]] {
    let polygons = columns.orientedRings(ofGeometry: row)
    if distance == 0 { return Array(polygons.joined()) }
    var region = region
    region.add(rings: Array(polygons.joined()))
    return Array(try region.polygons(runtime.workers, runtime.policy).joined())
  }
}
