import AlidadeBase
import AlidadeCoordinates

/// How GeoJSON is written.
public struct GeoJSONStyle: Sendable {
  public var numbers = NumberStyle.shortest
  /// Writes coordinates in any spatial reference as they are, and names it in a "crs" member as GeoJSON before RFC 7946
  /// did. Nothing is cut at the antimeridian then.
  public var namesSpatialReference = false

  public init() {}
}

extension GeoJSONReader {
  /// The spatial reference of the text, unless the caller gives one.
  fileprivate func spatialReference(
    given: SpatialReference?, _ runtime: Runtime
  ) throws(EngineError) -> SpatialReference? {
    if let given { return given }
    switch reference {
    case .unsaid: return try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 4326)
    case .none: return nil
    case .named(let name):
      do throws(EngineError) { return try SpatialReference.make(runtime: runtime, text: name) } catch {
        var error = error
        error.message = "GeoJSON, $.crs: \(error.message)"
        throw error
      }
    }
  }
}

extension Geometry {
  /// Reads the geometry of GeoJSON: of a geometry or of a feature.
  ///
  /// - Parameter spatialReference: what the coordinates are in; nil: WGS 84, or what a "crs" member says.
  public static func make(
    runtime: Runtime, geoJSON: UnsafeBufferPointer<UInt8>, spatialReference given: SpatialReference?
  ) throws(EngineError) -> Geometry {
    try runtime.policy.check(bytes: geoJSON.count)
    var reader = GeoJSONReader(geoJSON)
    let builder = try GeometryBuilder(policy: runtime.policy)
    try reader.readOne(into: builder)
    return try Geometry(runtime: runtime, builder, try reader.spatialReference(given: given, runtime))
  }

  /// The geometry as GeoJSON.
  public func geoJSON(_ style: GeoJSONStyle) throws(EngineError) -> String {
    try limited { [self] () throws(EngineError) -> String in
      var writer = GeoJSONWriter(runtime.policy, style.numbers)
      if style.namesSpatialReference {
        // Without it the text would be in WGS 84.
        var member = "null"
        if let reference = spatialReference {
          guard !reference.authority.isEmpty, !reference.code.isEmpty else {
            throw EngineError(
              .unsupported,
              "\(reference.name) has no code, so that no \"crs\" member can name it; project the geometry.")
          }
          let name = "urn:ogc:def:crs:\(reference.authority)::\(reference.code)"
          // An authority's name comes from a text of the host's, and may hold anything.
          member = "{\"type\":\"name\",\"properties\":{\"name\":\(JSON.text(name).jsonText)}}"
        }
        try writer.write(columns, row, crs: member)
        return writer.text()
      }
      if let reference = spatialReference {
        let wgs84 = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 4326)
        guard try reference.isEquivalent(to: wgs84) else {
          throw EngineError(
            .unsupported,
            "GeoJSON is in WGS 84, and the geometry in \(reference.name); project it first, or ask for a \"crs\" member."
          )
        }
      }
      if let cut = try cutAtAntimeridian() {
        try writer.write(cut, 0, crs: nil)
      } else {
        try writer.write(columns, row, crs: nil)
      }
      return writer.text()
    }
  }
}

extension GeometryArray {
  /// Reads the geometries of GeoJSON: of a collection of features, or of the one feature or geometry that it is. A
  /// feature without a geometry becomes an empty collection.
  public static func make(
    runtime: Runtime, geoJSON: UnsafeBufferPointer<UInt8>, spatialReference given: SpatialReference?
  ) throws(EngineError) -> GeometryArray {
    try runtime.policy.check(bytes: geoJSON.count)
    var reader = GeoJSONReader(geoJSON)
    let builder = try GeometryBuilder(policy: runtime.policy)
    try reader.readAll(into: builder)
    return GeometryArray(
      runtime: runtime, columns: try builder.finish(try reader.spatialReference(given: given, runtime)))
  }
}
