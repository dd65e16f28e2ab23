import AlidadeBase
import AlidadeCoordinates

extension GeometryArray {
  /// Reads many WKBs that lie one behind the other.
  ///
  /// - Parameters:
  ///   - offset: where each begins, from 0 to `count`; the last is where the last one ends.
  ///   - given: what the coordinates are in; nil: what the SRIDs say, which must be one and the same.
  public static func make(
    runtime: Runtime, wkb: UnsafeRawBufferPointer, count: Int, offset: (Int) -> Int,
    spatialReference given: SpatialReference?
  ) throws(EngineError) -> GeometryArray {
    try runtime.policy.check(points: count)
    let builder = try GeometryBuilder(policy: runtime.policy)
    var srid: Int32?
    for index in 0..<count {
      let start = offset(index)
      let end = offset(index &+ 1)
      guard start >= 0, end >= start, end <= wkb.count else {
        throw EngineError(
          .invalidArgument,
          "Geometry \(index) begins at byte \(UInt(bitPattern: start)) and ends at \(UInt(bitPattern: end)); offsets must "
            + "rise, from 0 to \(wkb.count).")
      }
      var reader = WKBReader(UnsafeRawBufferPointer(rebasing: wkb[start..<end]))
      do throws(EngineError) { try reader.read(into: builder) } catch {
        var error = error
        error.message = "Geometry \(index): \(error.message)"
        throw error
      }
      if let its = reader.srid, given == nil {
        guard srid == nil || srid == its else {
          throw EngineError(
            .invalidArgument,
            "Geometry \(index) has the SRID \(its), and one before it \(srid ?? 0); an array has one spatial reference."
          )
        }
        srid = its
      }
    }
    let reference = try AlidadeGeometry.spatialReference(given: given, srid: srid, runtime)
    return GeometryArray(runtime: runtime, columns: try builder.finish(reference))
  }

  /// The size of all geometries' WKBs in bytes.
  public func wkbSize(_ flavour: WKBWriter.Flavour) -> Int { WKBWriter.size(columns, 0..<count, flavour) }

  /// Writes well-known binary, one behind the other, into memory of at least `wkbSize` bytes.
  ///
  /// - Parameter ended: told where each one ends.
  public func writeWKB(
    _ flavour: WKBWriter.Flavour, isBigEndian: Bool, to memory: UnsafeMutableRawBufferPointer?,
    ended: (Int, Int) -> Void
  ) {
    var writer = WKBWriter(columns, flavour, isBigEndian: isBigEndian, memory: memory)
    for row in 0..<count { ended(row, writer.write(row)) }
  }
}
