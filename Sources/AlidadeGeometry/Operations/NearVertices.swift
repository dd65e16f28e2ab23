import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// The vertices of a geometry, found by where they lie, to lay the vertices of another geometry upon them.
///
/// Where two polygons have vertices that are nearly equal, GEOS's overlay may take the whole of one for the
/// inside or the outside of the other, without an error.
final class NearVertices {
  private struct Cell: Hashable {
    var column: Int64
    var row: Int64
  }

  private var cells: [Cell: Point] = [:]
  /// How far apart vertices lie that are laid upon each other: 64 units of the last digit of the largest coordinate.
  private let reach: Double

  init(of columns: GeometryColumns, _ row: Int, and other: GeometryColumns, _ otherRow: Int) throws(EngineError) {
    var largest = 0.0
    for (columns, row) in [(columns, row), (other, otherRow)] {
      for vertex in columns.vertices(ofGeometry: row) {
        largest = max(largest, columns.points[vertex].x.magnitude, columns.points[vertex].y.magnitude)
      }
    }
    reach = largest * 0x1p-46
    guard reach > 0, reach.isFinite else { return }
    for (number, vertex) in columns.vertices(ofGeometry: row).enumerated() {
      if number & 4095 == 0 { try TimeLimit.check() }
      cells[cell(columns.points[vertex], 0, 0)] = columns.points[vertex]
    }
  }

  private func cell(_ point: Point, _ dx: Double, _ dy: Double) -> Cell {
    let size = 4 * reach
    return Cell(
      column: Int64(exactly: ((point.x + dx) / size).rounded(.down)) ?? 0,
      row: Int64(exactly: ((point.y + dy) / size).rounded(.down)) ?? 0)
  }

  /// A vertex that nearly equals a point, and does not equal it.
  func vertex(near point: Point) -> Point? {
    for (dx, dy) in [(-reach, -reach), (reach, -reach), (-reach, reach), (reach, reach)] {
      guard let vertex = cells[cell(point, dx, dy)], (vertex.x - point.x).magnitude <= reach,
        (vertex.y - point.y).magnitude <= reach
      else { continue }
      return vertex == point ? nil : vertex
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
