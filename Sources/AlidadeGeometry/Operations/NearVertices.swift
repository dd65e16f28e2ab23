import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// The vertices of a geometry, found by where they lie, to lay the vertices of another geometry upon them.
///
/// Where two polygons have vertices that are nearly equal, GEOS's overlay may take the whole of one for the
/// inside or the outside of the other, without an error.
final class NearVertices {
  /// How far apart vertices lie that are laid upon each other: 64 units of the last digit of the largest coordinate.
  private let reach: Double
  private var vertices: [Point] = []
  /// A table of the cells that have a vertex, each with the number of one, or -1. An own one: a Dictionary takes as long
  /// as the overlay itself.
  private let slots: HeapArray<Int32>
  private let mask: UInt64
  /// Nobody can choose vertices that share a slot.
  private let factor = UInt64.random(in: .min ... .max) | 1

  private struct Cell: Equatable {
    var column: UInt64
    var row: UInt64
  }

  init(
    of columns: GeometryColumns, _ row: Int, and other: GeometryColumns, _ otherRow: Int, in box: Envelope
  ) throws(EngineError) {
    var largest = 0.0
    for (columns, row) in [(columns, row), (other, otherRow)] {
      for vertex in columns.vertices(ofGeometry: row) {
        largest = max(largest, columns.points[vertex].x.magnitude, columns.points[vertex].y.magnitude)
      }
    }
    reach = largest * 0x1p-46
    var count = 64
    while count < 2 &* columns.vertices(ofGeometry: row).count { count &*= 2 }
    slots = try HeapArray(count: count, repeating: -1)
    mask = UInt64(truncatingIfNeeded: count &- 1)
    guard reach > 0, reach.isFinite else { return }
    for (number, vertex) in columns.vertices(ofGeometry: row).enumerated() {
      if number & 4095 == 0 { try TimeLimit.check() }
      let point = columns.points[vertex]
      guard point.x >= box.xMin - reach, point.x <= box.xMax + reach, point.y >= box.yMin - reach,
        point.y <= box.yMax + reach
      else { continue }
      let slot = slot(of: cell(point, 0, 0))
      if slots.buffer[slot] >= 0 { continue }
      slots.buffer[slot] = Int32(truncatingIfNeeded: vertices.count)
      vertices.append(point)
    }
  }

  /// Cells are four times as wide as vertices may be apart. Less than 2^51, so that adding 1.5 * 2^52 leaves the number.
  @inline(__always)
  private func cell(_ point: Point, _ dx: Double, _ dy: Double) -> Cell {
    let size = 4 * reach
    return Cell(
      column: ((point.x + dx) / size + 0x1.8p52).bitPattern, row: ((point.y + dy) / size + 0x1.8p52).bitPattern)
  }

  /// The slot that a cell has, or would get.
  @inline(__always)
  private func slot(of wanted: Cell) -> Int {
    let hash = (wanted.column &* factor ^ wanted.row) &* factor
    var slot = (hash ^ hash &>> 32) & mask
    while true {
      let index = Int(truncatingIfNeeded: slot)
      let number = slots.buffer[index]
      if number < 0 || cell(vertices[Int(truncatingIfNeeded: number)], 0, 0) == wanted { return index }
      slot = (slot &+ 1) & mask
    }
  }

  /// A vertex that nearly equals a point, and does not equal it.
  func vertex(near point: Point) -> Point? {
    if vertices.isEmpty { return nil }
    let (low, high) = (cell(point, -reach, -reach), cell(point, reach, reach))
    for column in low.column...max(low.column, high.column) {
      for row in low.row...max(low.row, high.row) {
        let number = slots.buffer[slot(of: Cell(column: column, row: row))]
        guard number >= 0 else { continue }
        let vertex = vertices[Int(truncatingIfNeeded: number)]
        guard (vertex.x - point.x).magnitude <= reach, (vertex.y - point.y).magnitude <= reach else { continue }
        return vertex == point ? nil : vertex
      }
    }
    return nil
  }

  /// A geometry of GEOS's with its vertices laid upon the near ones; as it is if it would not be valid.
  func laid(_ object: consuming GEOSObject, _ session: borrowing GEOSSession) throws(EngineError) -> GEOSObject {
    // Right: this object outlives the call, which is all that uses the pointer.
    let context = Unmanaged.passUnretained(self).toOpaque()
    let moved = withExtendedLifetime(self) {
      GEOSGeom_transformXY_r(
        session.handle, object.pointer,
        { x, y, context in
          guard let x, let y, let context else { return 0 }
          // Right: as above.
          let vertices = Unmanaged<NearVertices>.fromOpaque(context).takeUnretainedValue()
          if let near = vertices.vertex(near: Point(x: x.pointee, y: y.pointee)) {
            (x.pointee, y.pointee) = (near.x, near.y)
          }
          return 1
        }, context)
    }
    guard let laid = GEOSObject(moved, in: session) else { throw session.refusal("An overlay") }
    let isValid = try session.truth(GEOSisValid_r(session.handle, laid.pointer))
    if isValid { return laid }
    return object
  }
}
