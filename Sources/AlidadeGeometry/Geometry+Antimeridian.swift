import AlidadeBase
import AlidadeCoordinates
import CGEOS

// Degrees: longitude and latitude.

extension Geometry {
  /// How far from the first world a longitude may lie; beyond that a geometry has no sensible place on the earth.
  private static let worldLimit = 16

  /// The geometry with what lies beyond longitudes -180 and 180 cut off and moved back by whole turns, as RFC 7946 has it
  /// (3.1.9); nil if nothing does. Longitudes are taken at their word: a line from 170 to 190 crosses the antimeridian,
  /// and one from 170 to -170 crosses Greenwich.
  func cutAtAntimeridian() throws(EngineError) -> GeometryColumns? {
    guard let box = envelope, box.xMin < -180 || box.xMax > 180 else { return nil }
    let builder = try GeometryBuilder(policy: runtime.policy)
    let session = try GEOSSession()
    try Self.cut(columns, row, session, into: builder)
    return try builder.finish(spatialReference)
  }

  private static func cut(
    _ columns: GeometryColumns, _ row: Int, _ session: borrowing GEOSSession, into builder: GeometryBuilder
  ) throws(EngineError) {
    let flags = columns.flags(row).subtracting(.hasM)
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
        vertex.point.x -= 360 * Double(try world(of: vertex.point.x))
        try builder.append(vertex)
      }
      if !vertices.isEmpty {
        try builder.endPath()
        try builder.endPart()
      }
    case .polyline:
      try builder.begin(.polyline, flags)
      for path in columns.paths(ofGeometry: row) { try cutLine(columns, columns.vertices(ofPath: path), into: builder) }
    case .polygon:
      try builder.begin(.polygon, flags)
      guard let box = columns.envelope(row) else { break }
      if box.xMin >= -180, box.xMax <= 180 {
        // A member of a collection that crosses elsewhere: it stays as it is, valid or not.
        try copyPolygon(columns, row, into: builder)
        break
      }
      let object = try session.object(columns, row)
      guard GEOSisValid_r(session.handle, object.pointer) == 1 else {
        throw EngineError(
          .unsupported,
          "A polygon that is not valid crosses the antimeridian, where GeoJSON wants it cut; repair it first.")
      }
      let first = try world(of: box.xMin)
      let last = try world(of: box.xMax)
      for number in first...max(first, last) {
        try cut(object, to: number, box, session, into: builder)
      }
    }
    try builder.end()
  }

  private static func copyPolygon(
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
  private static func cutLine(
    _ columns: GeometryColumns, _ vertices: Range<Int>, into builder: GeometryBuilder
  ) throws(EngineError) {
    guard let first = vertices.first else {
      try builder.endPath()
      return try builder.endPart()
    }
    var current: Int?
    func append(_ vertex: Vertex, in world: Int) throws(EngineError) {
      var vertex = vertex
      vertex.point.x -= 360 * Double(world)
      try builder.append(vertex)
    }
    var before = columns.vertex(first)
    for index in vertices.dropFirst() {
      let end = columns.vertex(index)
      for next in try crossings(from: before, to: end) + [end] {
        let shift = 360 * Double(current ?? 0)
        let stays = current != nil && next.point.x >= shift - 180 && next.point.x <= shift + 180
        if !stays {
          if current != nil {
            try builder.endPath()
            try builder.endPart()
          }
          // An edge counts to the world nearer to Greenwich, and the segment may lie beyond it. Its middle would not do:
          // next to an edge it is rounded onto it.
          let (start, end) = (try world(of: before.point.x), try world(of: next.point.x))
          let entered = start.magnitude > end.magnitude ? start : end
          current = entered
          try append(before, in: entered)
        }
        try append(next, in: current ?? 0)
        before = next
      }
    }
    try builder.endPath()
    try builder.endPart()
  }

  /// Where a segment crosses edges of worlds, in its order; z is interpolated.
  private static func crossings(from a: Vertex, to b: Vertex) throws(EngineError) -> [Vertex] {
    let low = try world(of: min(a.point.x, b.point.x))
    let high = try world(of: max(a.point.x, b.point.x))
    guard low < high else { return [] }
    let edges = (low..<high).map { 360 * Double($0) + 180 }.filter { $0 != a.point.x && $0 != b.point.x }
    return (a.point.x < b.point.x ? edges : edges.reversed()).map { x in
      let share = (x - a.point.x) / (b.point.x - a.point.x)
      return Vertex(
        Point(x: x, y: a.point.y + share * (b.point.y - a.point.y)), z: a.z + share * (b.z - a.z))
    }
  }

  /// Adds what of a polygon lies in one world, as parts.
  private static func cut(
    _ object: borrowing GEOSObject, to number: Int, _ box: Envelope, _ session: borrowing GEOSSession,
    into builder: GeometryBuilder
  ) throws(EngineError) {
    let shift = 360 * Double(number)
    let low = shift - 180
    guard
      let frame = GEOSObject(
        GEOSGeom_createRectangle_r(session.handle, low, box.yMin - 1, low + 360, box.yMax + 1), in: session),
      let piece = GEOSObject(GEOSIntersection_r(session.handle, object.pointer, frame.pointer), in: session)
    else { throw session.failure("A geometry could not be cut at the antimeridian") }
    let hasZ = builder.flags.contains(.hasZ)
    let scratch = try GeometryBuilder(budget: builder.budget, depth: 0)
    try session.read(piece.pointer, hasZ: hasZ, into: scratch)
    let pieces = try scratch.finish(nil)
    try add(pieces, 0, shift: shift, low: low, to: builder)
  }

  /// Adds the polygons. Where one only touches the edge of a world, GEOS answers lines and points, too.
  private static func add(
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
          vertex.point.x = min(max(vertex.point.x, low), low + 360) - shift
          try builder.append(vertex)
        }
        try builder.endPath()
      }
      try builder.endPart()
    }
  }

  /// In which world a longitude lies: 0 from -180 to 180.
  private static func world(of x: Double) throws(EngineError) -> Int {
    let number = ((x.magnitude - 180) / 360).rounded(.up)
    guard number <= Double(worldLimit) else {
      throw EngineError(.unsupported, "The longitude \(x) lies more than \(worldLimit) times around the earth.")
    }
    let turns = max(0, Int(exactly: number) ?? 0)
    return x < 0 ? 0 &- turns : turns
  }
}
