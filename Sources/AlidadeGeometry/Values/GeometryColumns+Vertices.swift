import AlidadeBase
import AlidadeCoordinates

extension GeometryColumns {
  /// The vertices of geometries as coordinates, copied: geometry by geometry, of a collection member by member. A vertex
  /// without a height is at height 0.
  public func coordinates(ofGeometries rows: Range<Int>, _ policy: Policy) throws(EngineError) -> CoordinateColumns {
    let batch = try VertexBatch(self, rows, policy)
    let heights: HeapArray<Double>
    if let known = batch.heights {
      heights = known
      for index in heights.buffer.indices where heights.buffer[index].isNaN { heights.buffer[index] = 0 }
    } else {
      heights = try HeapArray(count: batch.count)
      heights.buffer.update(repeating: 0)
    }
    return CoordinateColumns(points: batch.points, z: heights)
  }
}
