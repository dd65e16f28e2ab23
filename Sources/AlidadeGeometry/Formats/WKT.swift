import AlidadeBase
import AlidadeCoordinates

extension SpatialReference {
  /// The EPSG code, which EWKB and EWKT call SRID; nil if there is none.
  var srid: UInt32? { authority == "EPSG" ? UInt32(code, radix: 10) : nil }
}

/// What the coordinates of a text or of bytes are in: what the caller says, or else what an SRID in them says.
func spatialReference(
  given: SpatialReference?, srid: Int32?, _ runtime: Runtime
) throws(EngineError) -> SpatialReference? {
  if let given { return given }
  guard let srid else { return nil }
  do throws(EngineError) {
    return try SpatialReference.make(runtime: runtime, authority: "EPSG", code: srid)
  } catch {
    guard error.status == .notFound || error.status == .unsupported else { throw error }
    throw EngineError(
      error.status,
      "The SRID \(srid) is no spatial reference of EPSG's for maps; give the spatial reference. "
        + error.message, domain: error.domain, domainCode: error.domainCode)
  }
}

extension Geometry {
  /// Reads well-known binary.
  ///
  /// - Parameter spatialReference: what the coordinates are in; nil: what the SRID says, if there is one.
  public static func make(
    runtime: Runtime, wkb: UnsafeRawBufferPointer, spatialReference given: SpatialReference?
  ) throws(EngineError) -> Geometry {
    try runtime.policy.check(bytes: wkb.count)
    var reader = WKBReader(wkb)
    let builder = try GeometryBuilder(policy: runtime.policy)
    try reader.read(into: builder)
    let reference = try AlidadeGeometry.spatialReference(given: given, srid: reader.srid, runtime)
    return try Geometry(runtime: runtime, builder, reference)
  }

  /// Reads well-known text.
  public static func make(
    runtime: Runtime, wkt: UnsafeBufferPointer<UInt8>, spatialReference given: SpatialReference?
  ) throws(EngineError) -> Geometry {
    try runtime.policy.check(bytes: wkt.count)
    var reader = WKTReader(wkt)
    let builder = try GeometryBuilder(policy: runtime.policy)
    try reader.read(into: builder)
    let reference = try AlidadeGeometry.spatialReference(given: given, srid: reader.srid, runtime)
    return try Geometry(runtime: runtime, builder, reference)
  }

  /// A box as a polygon of one ring, counterclockwise from its lower left corner.
  public static func make(
    runtime: Runtime, envelope: Envelope, spatialReference: SpatialReference?
  ) throws(EngineError) -> Geometry {
    guard envelope.xMin <= envelope.xMax, envelope.yMin <= envelope.yMax else {
      throw EngineError(
        .invalidArgument,
        "The envelope (\(envelope.xMin), \(envelope.yMin), \(envelope.xMax), \(envelope.yMax)) ends before it begins.")
    }
    let builder = try GeometryBuilder(policy: runtime.policy)
    try builder.begin(.polygon, [])
    for (x, y) in [
      (envelope.xMin, envelope.yMin), (envelope.xMax, envelope.yMin), (envelope.xMax, envelope.yMax),
      (envelope.xMin, envelope.yMax), (envelope.xMin, envelope.yMin),
    ] { try builder.append(Vertex(Point(x: x, y: y))) }
    try builder.endPath()
    try builder.endPart()
    try builder.end()
    return try Geometry(runtime: runtime, builder, spatialReference)
  }

  /// The size of the geometry's WKB in bytes.
  public func wkbSize(_ flavour: WKBWriter.Flavour) -> Int { WKBWriter.size(columns, row..<(row &+ 1), flavour) }

  /// Writes well-known binary into memory of at least `wkbSize` bytes.
  public func writeWKB(_ flavour: WKBWriter.Flavour, isBigEndian: Bool, to memory: UnsafeMutableRawBufferPointer) {
    var writer = WKBWriter(columns, flavour, isBigEndian: isBigEndian, memory: memory)
    writer.write(row)
  }

  /// The geometry as well-known text.
  ///
  /// - Parameter isExtended: puts "SRID=4326;" in front, if the spatial reference has an EPSG code.
  public func wkt(_ style: NumberStyle, isExtended: Bool) throws(EngineError) -> String {
    try limited { [self] () throws(EngineError) -> String in
      var writer = WKTWriter(runtime.policy, style)
      if isExtended, let srid = spatialReference?.srid { try writer.put("SRID=\(srid);") }
      try writer.write(columns, row)
      return writer.text()
    }
  }
}
