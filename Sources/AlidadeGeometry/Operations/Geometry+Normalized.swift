import AlidadeBase
import AlidadeCoordinates
import CGEOS

extension SpatialReference {
  /// The worlds side by side that coordinates may lie in.
  fileprivate func worldBounds() throws(EngineError) -> WorldBounds {
    guard let width = system.worldWidth else {
      throw EngineError(
        .unsupported, "\(name) does not repeat itself from west to east, so that nothing lies beyond its sides.")
    }
    if kind == .geographic { return WorldBounds(middle: 0, width: width, keepsMeasures: true) }
    let unknown = EngineError(.unsupported, "The sides of the world in \(name) are not known.")
    do throws(EngineError) {
      guard let world = try EarthPlane(self).world else { throw unknown }
      return WorldBounds(middle: world.west + width / 2, width: width, keepsMeasures: true)
    } catch {
      // Far from its origin a plane may be too coarse to contain a point of the equator.
      throw error.status == .projectionFailed ? unknown : error
    }
  }
}

extension Geometry {
  /// The geometry within the bounds of the world: what lies beyond the antimeridian, or beyond the side of a projected
  /// system that repeats itself, is cut off there and moved back by whole turns. Coordinates are taken at their word: a
  /// line from 170 to 190 crosses the antimeridian, and one from 170 to -170 crosses Greenwich.
  public func normalized() throws(EngineError) -> Geometry {
    try limited { [self] () throws(EngineError) -> Geometry in
      let cutter = WorldCutter(bounds: try requireSpatialReference().worldBounds())
      guard let cut = try cutter.cut(columns, row, runtime.policy, spatialReference) else {
        return Geometry(runtime: runtime, columns: columns, row: row)
      }
      return Geometry(runtime: runtime, columns: cut, row: 0)
    }
  }
}

extension GeometryArray {
  /// The geometries within the bounds of the world.
  public func normalized() throws(EngineError) -> GeometryArray {
    try runtime.limited { [self] () throws(EngineError) -> GeometryArray in
      let cutter = WorldCutter(bounds: try requireSpatialReference().worldBounds())
      if (0..<count).allSatisfy({ cutter.isInside(columns, $0) }) {
        return GeometryArray(runtime: runtime, columns: columns)
      }
      let builder = try GeometryBuilder(policy: runtime.policy)
      for row in 0..<count {
        do throws(EngineError) {
          try cutter.cut(columns, row, try GEOSSession(), into: builder)
        } catch {
          guard error.isOfOneGeometry else { throw error }
          throw EngineError(error.status, "Geometry \(row): \(error.message)", domain: error.domain)
        }
      }
      return GeometryArray(runtime: runtime, columns: try builder.finish(spatialReference))
    }
  }
}

/// A map of the world that repeats itself from west to east: the worlds that a geometry may lie in.
struct WorldBounds {
  /// x of the middle of world 0.
  let middle: Double
  let width: Double
  /// Whether measures go along where they can; a polygon that is cut has none.
  let keepsMeasures: Bool

  /// Longitudes of -180 to 180 degrees, as GeoJSON has them.
  static let degrees = WorldBounds(middle: 0, width: 360, keepsMeasures: false)

  var west: Double { middle - width / 2 }
  var east: Double { middle + width / 2 }

  /// How far from the first world a point may lie; beyond that it has no sensible position on the earth.
  private static let limit = 16

  /// In which world an x lies: 0 from the west to the east side of the first one, both included.
  func world(of x: Double) throws(EngineError) -> Int {
    let number = (((x - middle).magnitude - width / 2) / width).rounded(.up)
    guard number <= Double(Self.limit) else {
      throw EngineError(
        .unsupported,
        "The \(width == 360 ? "longitude" : "easting") \(x) lies more than \(Self.limit) times around the earth.")
    }
    let turns = max(0, Int(exactly: number) ?? 0)
    return x < middle ? 0 &- turns : turns
  }
}

extension Geometry {
  /// The geometry with what lies beyond longitudes -180 and 180 cut off and moved back by whole turns, as RFC 7946 has it
  /// (3.1.9); nil if nothing does. Longitudes are taken at their word: a line from 170 to 190 crosses the antimeridian,
  /// and one from 170 to -170 crosses Greenwich.
  func cutAtAntimeridian() throws(EngineError) -> GeometryColumns? {
    try WorldCutter(bounds: .degrees).cut(columns, row, runtime.policy, spatialReference)
  }
}

/// Cuts geometries at the sides of the world, and moves what lies beyond back by whole turns.
struct WorldCutter {
  let bounds: WorldBounds

  /// The geometry within the first world; nil if it is there already.
  func cut(
    _ columns: GeometryColumns, _ row: Int, _ policy: Policy, _ reference: SpatialReference?
  ) throws(EngineError) -> GeometryColumns? {
    guard !isInside(columns, row) else { return nil }
    let builder = try GeometryBuilder(policy: policy)
    try cut(columns, row, try GEOSSession(), into: builder)
    return try builder.finish(reference)
  }

  func isInside(_ columns: GeometryColumns, _ row: Int) -> Bool {
    guard let box = columns.envelope(row) else { return true }
    return box.xMin >= bounds.west && box.xMax <= bounds.east
  }

  func cut(
    _ columns: GeometryColumns, _ row: Int, _ session: borrowing GEOSSession, into builder: GeometryBuilder
  ) throws(EngineError) {
    let flags = bounds.keepsMeasures ? columns.flags(row) : columns.flags(row).subtracting(.hasM)
    switch columns.kind(row) {
    case .collection:
      try builder.begin(.collection, flags)
      let members = try builder.members()
      if let inner = columns.members {
        for member in columns.members(ofGeometry: row) { try cut(inner, member, session, into: members) }
      }
    case .point, .multipoint:
      try builder.begin(columns.kind(row), flags)
      let vertices = columns.vertices(ofGeometry: row)
      for index in vertices {
        var vertex = columns.vertex(index)
        vertex.point.x -= bounds.width * Double(try bounds.world(of: vertex.point.x))
        try builder.append(vertex)
      }
      if !vertices.isEmpty { try builder.endPathAndPart() }
    case .polyline:
      try builder.begin(.polyline, flags)
      for path in columns.paths(ofGeometry: row) { try cutLine(columns, columns.vertices(ofPath: path), into: builder) }
    case .polygon:
      guard let box = columns.envelope(row), !isInside(columns, row) else {
        try builder.begin(.polygon, flags)
        // A member of a collection that crosses elsewhere: it stays as it is, valid or not.
        try copyPolygon(columns, row, into: builder)
        break
      }
      // GEOS knows no measures.
      try builder.begin(.polygon, flags.subtracting(.hasM))
      let object = try session.object(columns, row)
      guard GEOSisValid_r(session.handle, object.pointer) == 1 else {
        throw EngineError(
          .unsupported,
          "A polygon that is not valid crosses the antimeridian, where it has to be cut; repair it first.")
      }
      let first = try bounds.world(of: box.xMin)
      let last = try bounds.world(of: box.xMax)
      for number in first...max(first, last) {
        try cut(object, to: number, box, session, into: builder)
      }
    }
    try builder.end()
  }

  private func copyPolygon(
    _ columns: GeometryColumns, _ row: Int, into builder: GeometryBuilder
  ) throws(EngineError) {
    for part in columns.parts(ofGeometry: row) {
      for path in columns.paths(ofPart: part) {
        for index in columns.vertices(ofPath: path) { try builder.append(columns.vertex(index)) }
        try builder.endPath()
      }
      try builder.endPart()
    }
  }

  /// Adds a line, in as many parts as it has worlds. A line that runs along an edge stays in the world that it comes
  /// from.
  private func cutLine(
    _ columns: GeometryColumns, _ vertices: Range<Int>, into builder: GeometryBuilder
  ) throws(EngineError) {
    guard let first = vertices.first else {
      try builder.endPath()
      return try builder.endPart()
    }
    var current: Int?
    func append(_ vertex: Vertex, in world: Int) throws(EngineError) {
      var vertex = vertex
      vertex.point.x -= bounds.width * Double(world)
      try builder.append(vertex)
    }
    var before = columns.vertex(first)
    for index in vertices.dropFirst() {
      let end = columns.vertex(index)
      for next in try crossings(from: before, to: end) + [end] {
        let shift = bounds.width * Double(current ?? 0)
        let stays = current != nil && next.point.x >= shift + bounds.west && next.point.x <= shift + bounds.east
        if !stays {
          if current != nil { try builder.endPathAndPart() }
          // An edge counts to the world nearer to Greenwich, and the segment may lie beyond it. Its middle would not do:
          // next to an edge it is rounded onto it.
          let (start, end) = (try bounds.world(of: before.point.x), try bounds.world(of: next.point.x))
          let entered = start.magnitude > end.magnitude ? start : end
          current = entered
          try append(before, in: entered)
        }
        try append(next, in: current ?? 0)
        before = next
      }
    }
    try builder.endPathAndPart()
  }

  /// Where a segment crosses edges of worlds, in its order; z is interpolated.
  private func crossings(from a: Vertex, to b: Vertex) throws(EngineError) -> [Vertex] {
    let low = try bounds.world(of: min(a.point.x, b.point.x))
    let high = try bounds.world(of: max(a.point.x, b.point.x))
    guard low < high else { return [] }
    let edges = (low..<high).map { bounds.width * Double($0) + bounds.east }.filter {
      $0 != a.point.x && $0 != b.point.x
    }
    return (a.point.x < b.point.x ? edges : edges.reversed()).map { x in
      let share = (x - a.point.x) / (b.point.x - a.point.x)
      return Vertex(
        Point(x: x, y: a.point.y + share * (b.point.y - a.point.y)), z: a.z + share * (b.z - a.z),
        m: a.m + share * (b.m - a.m))
    }
  }

  /// Adds what of a polygon lies in one world, as parts.
  private func cut(
    _ object: borrowing GEOSObject, to number: Int, _ box: Envelope, _ session: borrowing GEOSSession,
    into builder: GeometryBuilder
  ) throws(EngineError) {
    let shift = bounds.width * Double(number)
    let low = shift + bounds.west
    guard
      let frame = GEOSObject(
        GEOSGeom_createRectangle_r(session.handle, low, box.yMin - 1, low + bounds.width, box.yMax + 1), in: session),
      let piece = GEOSObject(GEOSIntersection_r(session.handle, object.pointer, frame.pointer), in: session)
    else { throw session.failure("A geometry could not be cut at the antimeridian") }
    let hasZ = builder.flags.contains(.hasZ)
    let scratch = try GeometryBuilder(budget: builder.budget, depth: 0)
    try session.read(piece.pointer, hasZ: hasZ, into: scratch)
    let pieces = try scratch.finish(nil)
    try add(pieces, 0, shift: shift, low: low, to: builder)
  }

  /// Adds the polygons. Where a polygon only touches the edge of a world, GEOS returns lines and points, too.
  private func add(
    _ pieces: GeometryColumns, _ row: Int, shift: Double, low: Double,
    to builder: GeometryBuilder
  ) throws(EngineError) {
    if let inner = pieces.members {
      for member in pieces.members(ofGeometry: row) {
        try add(inner, member, shift: shift, low: low, to: builder)
      }
    }
    guard pieces.kind(row) == .polygon else { return }
    for part in pieces.parts(ofGeometry: row) {
      for path in pieces.paths(ofPart: part) {
        for index in pieces.vertices(ofPath: path) {
          var vertex = pieces.vertex(index)
          // What GEOS computes may miss the edge by a digit.
          vertex.point.x = min(max(vertex.point.x, low), low + bounds.width) - shift
          try builder.append(vertex)
        }
        try builder.endPath()
      }
      try builder.endPart()
    }
  }
}
