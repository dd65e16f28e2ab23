import AlidadeBase
import AlidadeCoordinates

/// Geometries in the JSON form of ArcGIS: a point has x and y, a multipoint points, a polyline paths, a polygon rings,
/// of which shells go clockwise and holes counterclockwise; a box has xmin, ymin, xmax and ymax. Heights and measures are
/// left out.
public enum EsriJSON {
  /// The geometry that a text contains.
  public enum Shape: Sendable {
    case point(Point)
    case extent(Envelope)
    case geometry(Geometry)
  }

  /// Reads a geometry, and its spatial reference if the text has one.
  public static func read(
    _ json: JSON, _ runtime: Runtime
  ) throws(EngineError) -> (shape: Shape, spatialReference: SpatialReference?) {
    let reference = try json["spatialReference"].map { (value) throws(EngineError) in
      try spatialReference(value, runtime)
    }
    if json["curveRings"] != nil || json["curvePaths"] != nil {
      throw EngineError(.unsupported, "The geometry has curves, which are not read.")
    }
    if json["xmin"] != nil {
      let sides = try ["xmin", "ymin", "xmax", "ymax"].map { (name) throws(EngineError) in
        try coordinate(json[name], name)
      }
      return (.extent(Envelope(xMin: sides[0], yMin: sides[1], xMax: sides[2], yMax: sides[3])), reference)
    }
    if json["x"] != nil {
      return (.point(Point(x: try coordinate(json["x"], "x"), y: try coordinate(json["y"], "y"))), reference)
    }
    let builder = try GeometryBuilder(policy: runtime.policy)
    if let points = json["points"]?.items {
      try builder.begin(.multipoint, [])
      try path(points, builder, "points")
      if !points.isEmpty { try builder.endPart() }
    } else if let paths = json["paths"]?.items {
      try builder.begin(.polyline, [])
      for item in paths {
        try path(try list(item, "paths"), builder, "paths")
        try builder.endPart()
      }
    } else if let rings = json["rings"]?.items {
      try builder.begin(.polygon, [])
      for polygon in try polygons(rings) {
        for ring in polygon {
          for point in ring { try builder.append(Vertex(point)) }
          try named("rings") { () throws(EngineError) in try builder.endPath(openRings: .closed) }
        }
        try builder.endPart()
      }
    } else {
      throw EngineError(
        .invalidArgument, "The geometry has no coordinates: one of x, xmin, points, paths and rings is needed.")
    }
    try builder.end()
    return (.geometry(try Geometry(runtime: runtime, builder, reference)), reference)
  }

  private static func list(_ json: JSON, _ name: String) throws(EngineError) -> [JSON] {
    if let items = json.items { return items }
    throw EngineError(.invalidArgument, "An entry of \"\(name)\" is no list.")
  }

  private static func coordinate(_ json: JSON?, _ name: String) throws(EngineError) -> Double {
    if let number = json?.number { return number }
    throw EngineError(.invalidArgument, "The coordinate \"\(name)\" is missing, or is no number.")
  }

  private static func point(_ json: JSON, _ name: String) throws(EngineError) -> Point {
    let numbers = try list(json, name)
    guard numbers.count >= 2, let x = numbers[0].number, let y = numbers[1].number else {
      throw EngineError(.invalidArgument, "A position in \"\(name)\" has no two numbers.")
    }
    return Point(x: x, y: y)
  }

  private static func named(_ name: String, _ body: () throws(EngineError) -> Void) throws(EngineError) {
    do throws(EngineError) { try body() } catch {
      throw EngineError(error.status, "In \"\(name)\": \(error.message).")
    }
  }

  private static func path(_ items: [JSON], _ builder: GeometryBuilder, _ name: String) throws(EngineError) {
    for item in items { try builder.append(Vertex(try point(item, name))) }
    if builder.kind != .multipoint || !items.isEmpty {
      try named(name) { () throws(EngineError) in try builder.endPath() }
    }
  }

  /// How many edges are looked at to find the shells of holes: half a second's worth.
  private static let edgeLimit = 100_000_000

  /// The rings as polygons: each shell with the holes that lie in it.
  private static func polygons(_ rings: [JSON]) throws(EngineError) -> [[[Point]]] {
    var shells: [[[Point]]] = []
    // Each with the number of the shell before it, which mostly is its own.
    var holes: [(ring: [Point], before: Int)] = []
    for ring in rings {
      let points = try list(ring, "rings").map { (item) throws(EngineError) in try point(item, "rings") }
      if doubleArea(points) > 0 { holes.append((points, shells.count &- 1)) } else { shells.append([points]) }
    }
    let shellCount = shells.count
    var edges = 0
    for (hole, before) in holes {
      guard let first = hole.first else { continue }
      var owner: Int?
      for index in candidates(before, shellCount) {
        edges &+= shells[index][0].count
        guard edges <= edgeLimit else {
          throw EngineError(
            .limitExceeded,
            "The polygon has so many holes far from their shells that it would take minutes to sort them.")
        }
        if isInside(first, shells[index][0]) {
          owner = index
          break
        }
      }
      // A ring that lies in no shell is one itself, whichever way it goes.
      if let owner { shells[owner].append(hole) } else { shells.append([hole]) }
    }
    return shells
  }

  /// The shells in which a hole is looked for, without an array of them.
  private static func candidates(_ before: Int, _ count: Int) -> some Sequence<Int> {
    // -1 stands for the shell before; a hole that comes first has none.
    ((before >= 0 ? -1 : 0)..<count).lazy.map { $0 < 0 ? before : $0 }
  }

  /// Twice the area, positive if the ring goes counterclockwise.
  private static func doubleArea(_ ring: [Point]) -> Double {
    guard let first = ring.first else { return 0 }
    return zip(ring, ring.dropFirst() + [first]).reduce(0) { sum, edge in
      let (a, b) = edge
      return sum + (a.x - first.x) * (b.y - first.y) - (b.x - first.x) * (a.y - first.y)
    }
  }

  private static func isInside(_ point: Point, _ ring: [Point]) -> Bool {
    var isInside = false
    for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) where (a.y > point.y) != (b.y > point.y) {
      if point.x < (b.x - a.x) * ((point.y - a.y) / (b.y - a.y)) + a.x { isInside.toggle() }
    }
    return isInside
  }

  // MARK: Spatial references

  /// Codes of EPSG's and of ESRI's have no number in common: where both know one it means the same.
  private static func spatialReference(_ json: JSON, _ runtime: Runtime) throws(EngineError) -> SpatialReference {
    for name in ["latestWkid", "wkid"] {
      guard let number = json[name]?.number else { continue }
      guard let code = Int32(exactly: number) else {
        throw EngineError(.invalidArgument, "\"\(name)\" is \(number), which is no code.")
      }
      var failure: EngineError?
      for authority in ["EPSG", "ESRI"] {
        do throws(EngineError) {
          return try SpatialReference.make(runtime: runtime, authority: authority, code: code)
        } catch {
          guard error.status == .notFound else { throw error }
          failure = error
        }
      }
      if let failure {
        throw EngineError(.notFound, "There is no spatial reference with the wkid \(code). \(failure.message)")
      }
    }
    if let wkt = json["wkt"]?.text { return try SpatialReference.make(runtime: runtime, wkt: wkt) }
    throw EngineError(.invalidArgument, "\"spatialReference\" has none of latestWkid, wkid and wkt.")
  }

  /// A spatial reference as JSON.
  public static func json(_ reference: SpatialReference) throws(EngineError) -> JSON {
    if reference.authority == "EPSG" || reference.authority == "ESRI", let code = Int64(reference.code, radix: 10) {
      // What ArcGIS writes for Web Mercator, so that its old programs know it.
      if reference.authority == "EPSG", code == 3857 {
        return .object([("wkid", .integer(102100)), ("latestWkid", .integer(3857))])
      }
      return .object([("wkid", .integer(code))])
    }
    return .object([("wkt", .text(try reference.text(.wkt1ESRI)))])
  }

  // MARK: Writing

  /// A shape as JSON, with its spatial reference.
  public static func json(_ shape: Shape, _ reference: SpatialReference?) throws(EngineError) -> JSON {
    var members: [(name: String, value: JSON)] = []
    switch shape {
    case .point(let point): members = [("x", .real(point.x)), ("y", .real(point.y))]
    case .extent(let box):
      members = [
        ("xmin", .real(box.xMin)), ("ymin", .real(box.yMin)), ("xmax", .real(box.xMax)), ("ymax", .real(box.yMax)),
      ]
    case .geometry(let geometry): members = [try member(geometry)]
    }
    if let reference { members.append(("spatialReference", try json(reference))) }
    return .object(members)
  }

  private static func member(_ geometry: Geometry) throws(EngineError) -> (name: String, value: JSON) {
    let columns = geometry.columns
    func points(_ path: Int) -> [Point] { Array(columns.points.buffer[columns.vertices(ofPath: path)]) }
    func positions(_ points: [Point]) -> JSON { .list(points.map { .list([.real($0.x), .real($0.y)]) }) }
    let paths = columns.paths(ofGeometry: geometry.row)
    switch geometry.kind {
    case .point, .multipoint:
      return ("points", positions(paths.flatMap { points($0) }))
    case .polyline: return ("paths", .list(paths.map { positions(points($0)) }))
    case .polygon:
      var rings: [JSON] = []
      for part in columns.parts(ofGeometry: geometry.row) {
        for (index, path) in columns.paths(ofPart: part).enumerated() {
          let ring = points(path)
          let isClockwise = doubleArea(ring) <= 0
          rings.append(positions(isClockwise == (index == 0) ? ring : ring.reversed()))
        }
      }
      return ("rings", .list(rings))
    case .collection:
      throw EngineError(.unsupported, "A collection has no form in ArcGIS's JSON. Write its members one by one.")
    }
  }
}
