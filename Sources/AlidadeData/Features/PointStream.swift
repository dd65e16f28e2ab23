import AlidadeBase
import AlidadeCoordinates
import CGDAL

/// Reads the points of a layer by GDAL's Arrow stream, which makes no feature of each.
///
/// It is for layers of which everything is as it should be: it gives up where anything is not, and who uses it reads the
/// features one by one then, which finds out what it is. Use it inside the guard.
struct PointStream {
  private var stream = ArrowArrayStream()

  /// So many points come at a time. Their arrays are small enough for memory that was used before.
  private static let batchSize = 4096

  /// nil if the layer has no stream that is faster than its features.
  private init?(_ layer: OGRLayerH) {
    guard OGR_GT_Flatten(OGR_L_GetGeomType(layer)) == wkbPoint, OGR_L_TestCapability(layer, OLCFastGetArrowStream) != 0
    else { return nil }
    let options = CSLAddString(nil, "MAX_FEATURES_IN_BATCH=\(Self.batchSize)")
    defer { CSLDestroy(options) }
    let isThere = withUnsafeMutablePointer(to: &stream) { OGR_L_GetArrowStream(layer, OpaquePointer($0), options) }
    if !isThere { return nil }
  }

  /// Calls `body` with the ids and positions of all features of a layer, in its order. False if it gave up.
  ///
  /// - Parameter count: how many features there are, as the file says.
  static func read(
    _ layer: OGRLayerH, count: Int64, _ body: (Int64, Point) throws(EngineError) -> Void
  ) throws(EngineError) -> Bool {
    // What fails here fails again when the features are read, and is reported then.
    CPLPushErrorHandler(CPLQuietErrorHandler)
    defer { CPLPopErrorHandler() }
    OGR_L_ResetReading(layer)
    defer { OGR_L_ResetReading(layer) }
    guard var stream = PointStream(layer) else { return false }
    defer { stream.stream.end() }
    return try stream.read(count, body)
  }

  private mutating func read(
    _ count: Int64, _ body: (Int64, Point) throws(EngineError) -> Void
  ) throws(EngineError) -> Bool {
    guard hasPositions() else { return false }
    var left = count
    while true {
      try TimeLimit.check()
      CPLErrorReset()
      guard var batch = stream.readArray() else { return false }
      defer { batch.end() }
      if CPLGetLastErrorType() == CE_Failure { return false }
      if batch.release == nil { return left == 0 }
      left &-= batch.length
      guard left >= 0, let points = Points(batch) else { return false }
      for index in 0..<points.count {
        guard let point = points.point(index) else { return false }
        try body(points.ids[index], point)
      }
    }
  }

  /// Whether the first column holds ids, and the last one geometries as WKB.
  private mutating func hasPositions() -> Bool {
    guard var schema = stream.readSchema() else { return false }
    defer { schema.end() }
    let last = Int(truncatingIfNeeded: schema.childCount) &- 1
    guard last >= 1, let first = schema.children?[0]?.pointee, let geometry = schema.children?[last]?.pointee else {
      return false
    }
    return gdalText(first.format) == "l" && gdalText(geometry.format) == "z"
  }

  /// A batch: its columns of ids and geometries.
  private struct Points {
    let count: Int
    let ids: UnsafePointer<Int64>
    private let ends: UnsafePointer<Int32>
    private let bytes: UnsafeRawPointer

    /// nil if the batch is not as it should be, or a geometry is missing.
    init?(_ batch: ArrowArray) {
      let last = Int(truncatingIfNeeded: batch.childCount) &- 1
      guard last >= 1, batch.offset == 0, batch.length <= PointStream.batchSize,
        let first = batch.children?[0]?.pointee, let geometry = batch.children?[last]?.pointee,
        first.length == batch.length, first.offset == 0, first.bufferCount == 2, geometry.length == batch.length,
        geometry.offset == 0, geometry.bufferCount == 3, geometry.nullCount == 0, first.nullCount == 0
      else { return nil }
      count = Int(truncatingIfNeeded: batch.length)
      guard let ids = first.buffers?[1], let ends = geometry.buffers?[1], let bytes = geometry.buffers?[2] else {
        return nil
      }
      self.ids = ids.assumingMemoryBound(to: Int64.self)
      self.ends = ends.assumingMemoryBound(to: Int32.self)
      self.bytes = bytes
    }

    /// nil if it is no point, or has no position: WKB has NaN for it.
    func point(_ index: Int) -> Point? {
      let start = Int(truncatingIfNeeded: ends[index])
      let size = Int(truncatingIfNeeded: ends[index &+ 1]) &- start
      // Little endian, the kind, and two to four numbers; a kind of 1,000 or more has z, m or both.
      guard start >= 0, size >= 21, size <= 37, bytes.load(fromByteOffset: start, as: UInt8.self) == 1,
        bytes.loadUnaligned(fromByteOffset: start &+ 1, as: UInt32.self) % 1000 == 1
      else { return nil }
      let point = Point(
        x: bytes.loadUnaligned(fromByteOffset: start &+ 5, as: Double.self),
        y: bytes.loadUnaligned(fromByteOffset: start &+ 13, as: Double.self))
      return point.isFinite ? point : nil
    }
  }
}
