import AlidadeBase
import AlidadeCoordinates

extension GeometryBuilder {
  /// Adds the geometries of other columns: polygons without z and m, as buffers are.
  func append(polygons other: GeometryColumns) throws(EngineError) {
    let (parts, paths) = (pathOffsets.count &- 1, vertexOffsets.count &- 1)
    let vertices = points.count
    try copy(other.kinds, to: kinds)
    try copy(other.flagBits, to: flagBits)
    try copy(other.partOffsets, to: partOffsets, raisedBy: parts)
    try copy(other.pathOffsets, to: pathOffsets, raisedBy: paths)
    try copy(other.vertexOffsets, to: vertexOffsets, raisedBy: vertices)
    try memberOffsets.extend(by: other.count, budget).update(repeating: 0)
    _ = try extend(by: other.points.count).points.update(fromContentsOf: other.points.buffer)
  }

  private func copy(_ column: Column<UInt8>, to target: Column<UInt8>) throws(EngineError) {
    _ = try target.extend(by: column.count, budget).update(fromContentsOf: column.buffer)
  }

  /// Offsets but the first, which is there already.
  private func copy(
    _ offsets: Column<Int32>, to target: Column<Int32>, raisedBy base: Int
  ) throws(EngineError) {
    guard let base = Int32(exactly: base), !base.addingReportingOverflow(Int32(clamping: offsets.last)).overflow else {
      throw EngineError(.limitExceeded, "Columns hold at most 2,147,483,647 vertices, paths and parts.")
    }
    let room = try target.extend(by: offsets.count &- 1, budget)
    for index in room.indices { room[index] = offsets[index &+ 1] &+ base }
  }
}
