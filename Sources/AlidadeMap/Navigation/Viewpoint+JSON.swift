import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

// A viewpoint in the JSON form of ArcGIS's web maps, where "rotation" is how far north lies clockwise of the top of the
// screen, and not the compass direction that is up.

extension Viewpoint {
  /// A point in WGS 84, degrees, and a scale.
  public init(latitude: Double, longitude: Double, scale: Double, runtime: Runtime) throws(EngineError) {
    self.init(
      center: Point(x: longitude, y: latitude),
      spatialReference: try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 4326), scale: scale)
  }

  /// Throws unless all numbers are valid for a view, and at most one of centre, extent and geometry is given.
  public func check() throws(EngineError) {
    if let scale, !Camera.scales.contains(scale) {
      throw EngineError(.invalidArgument, "The scale 1 : \(scale) is not within 1 : 1e-6 to 1 : 1e15.")
    }
    if let rotation, !rotation.isFinite {
      throw EngineError(.invalidArgument, "The rotation \(rotation) is not finite.")
    }
    if let center, !center.isFinite {
      throw EngineError(.invalidArgument, "The centre (\(center.x), \(center.y)) is not finite.")
    }
    if let extent {
      guard [extent.xMin, extent.yMin, extent.xMax, extent.yMax].allSatisfy(\.isFinite), extent.yMin <= extent.yMax
      else {
        throw EngineError(
          .invalidArgument,
          "The extent (\(extent.xMin), \(extent.yMin)) to (\(extent.xMax), \(extent.yMax)) is no box with finite sides."
        )
      }
    }
    let given = [center != nil, extent != nil, geometry != nil].filter { $0 }
    guard given.count <= 1 else {
      throw EngineError(
        .invalidArgument, "A viewpoint has a centre, an extent or a geometry; \(given.count) of them are given.")
    }
  }

  /// Reads JSON.
  public init(json text: UnsafeBufferPointer<UInt8>, runtime: Runtime) throws(EngineError) {
    self.init()
    let json = try JSON.read(text, title: "The viewpoint", runtime.policy)
    guard case .object = json else { throw EngineError(.invalidArgument, "The viewpoint is no JSON object.") }
    // ArcGIS writes 0 for no scale.
    if let scale = try Self.number(json, "scale"), scale != 0 { self.scale = scale }
    rotation = try Self.number(json, "rotation").map { Camera.normalised(-$0) }
    if let target = json["targetGeometry"] {
      let (shape, reference) = try EsriJSON.read(target, runtime)
      spatialReference = reference
      switch shape {
      case .point(let point): center = point
      case .extent(let box): extent = box
      case .geometry(let given): geometry = given
      }
    }
    try check()
  }

  private static func number(_ json: JSON, _ name: String) throws(EngineError) -> Double? {
    guard let value = json[name] else { return nil }
    guard let number = value.number else {
      throw EngineError(.invalidArgument, "The viewpoint's \"\(name)\" is no number.")
    }
    return number
  }

  /// The viewpoint as JSON.
  public func jsonText() throws(EngineError) -> String {
    try check()
    // What a vertex needs as values and as text.
    if let geometry { try geometry.runtime.policy.check(bytes: geometry.columns.vertexCount(geometry.row), 256) }
    var members: [(name: String, value: JSON)] = []
    if let rotation { members.append(("rotation", .real(Camera.normalised(-rotation)))) }
    if let scale { members.append(("scale", .real(scale))) }
    let shape: EsriJSON.Shape? =
      center.map { .point($0) } ?? extent.map { .extent($0) } ?? geometry.map { .geometry($0) }
    if let shape {
      let reference = geometry?.spatialReference ?? spatialReference
      members.append(("targetGeometry", try EsriJSON.json(shape, reference)))
    }
    return JSON.object(members).jsonText
  }
}
