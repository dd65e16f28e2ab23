import AlidadeBase
import AlidadeCoordinates

extension GeometryColumns {
  /// One of the geometries as a value of its own; it shares the columns.
  public func geometry(_ row: Int, runtime: Runtime) throws(EngineError) -> Geometry {
    guard row >= 0, row < count else {
      throw EngineError(.notFound, "There is no geometry \(row); there are \(count), from 0.")
    }
    return Geometry(runtime: runtime, columns: self, row: row)
  }

  /// Calls `body` for a geometry, or if it is a collection for all that is in it, at any depth, in order.
  public func forEachSimple<Failure: Error>(
    _ row: Int, _ body: (GeometryColumns, Int) throws(Failure) -> Void
  ) throws(Failure) {
    guard kind(row) == .collection else { return try body(self, row) }
    guard let members else { return }
    for member in self.members(ofGeometry: row) { try members.forEachSimple(member, body) }
  }
}
