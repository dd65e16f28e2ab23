import AlidadeBase
import AlidadeCoordinates
import CGEOS

extension OverlayOperation {
  fileprivate var name: String {
    switch self {
    case .intersection: "An intersection"
    case .union: "A union"
    case .difference: "A difference"
    case .symmetricDifference: "A symmetric difference"
    }
  }
}

extension Geometry {
  /// This geometry overlaid with another one. z is kept and interpolated as GEOS does it; m is lost.
  ///
  /// - Parameter gridSize: all coordinates of the result are multiples of it; 0: they are as precise as they come.
  public func overlaid(
    with other: Geometry, _ operation: OverlayOperation, gridSize: Double = 0
  ) throws(EngineError) -> Related<Geometry> {
    try runtime.limited { [self] () throws(EngineError) -> Related<Geometry> in
      try requireNoCollection(operation.name)
      try other.requireNoCollection(operation.name)
      try requireUsable()
      let (matched, receipt) = try other.projected(toMatch: spatialReference)
      try matched.requireUsable()
      try GridSize.require(gridSize, for: [envelope, matched.envelope])
      let session = try GEOSSession()
      let a = try session.object(columns, row)
      let b = try matched.object(over: self, gridSize, session)
      guard let made = GEOSObject(session.overlay(operation, a.pointer, b.pointer, gridSize), in: session) else {
        throw session.refusal(operation.name)
      }
      let hasZ = flags.contains(.hasZ) || matched.flags.contains(.hasZ)
      return Related(value: try geometry(of: made, hasZ: hasZ, session), receipt: receipt)
    }
  }

  /// The second geometry of an overlay. Vertices of a polygon that nearly equal vertices of the first polygon are moved
  /// there.
  private func object(
    over first: Geometry, _ gridSize: Double, _ session: borrowing GEOSSession
  ) throws(EngineError) -> GEOSObject {
    let object = try session.object(columns, row)
    guard gridSize == 0, kind == .polygon, first.kind == .polygon, let mine = envelope, let its = first.envelope,
      mine.meets(its)
    else { return object }
    let near = try NearVertices(of: first.columns, first.row, and: columns, row, in: mine)
    let moves = columns.vertices(ofGeometry: row).contains { near.vertex(near: columns.points[$0]) != nil }
    return moves ? try near.laid(object, session) : object
  }

  /// The part of the geometry in a box, of the same kind: if a polygon only touches the box, the result is empty.
  public func clipped(to box: Envelope) throws(EngineError) -> Geometry {
    try runtime.limited { [self] () throws(EngineError) -> Geometry in
      let builder = try GeometryBuilder(policy: runtime.policy)
      let session = try GEOSSession()
      try requireUsable()
      let clip = try BoxClip(box, session)
      try clip.clip(columns, row, session, into: builder)
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }

  /// A geometry of GEOS's as one in this geometry's spatial reference.
  func geometry(
    of object: borrowing GEOSObject, hasZ: Bool, _ session: borrowing GEOSSession
  ) throws(EngineError) -> Geometry {
    let builder = try GeometryBuilder(policy: runtime.policy)
    try session.read(object.pointer, hasZ: hasZ, into: builder)
    return try Geometry(runtime: runtime, builder, spatialReference)
  }
}

extension GeometryArray {
  /// The part of each geometry in a box, on all cores; see `Geometry`.
  public func clipped(to box: Envelope) throws(EngineError) -> GeometryArray {
    try runtime.limited { [self] () throws(EngineError) -> GeometryArray in
      try requireUsable()
      try BoxClip.require(box)
      return try mapped { (columns, row, session, builder) throws(EngineError) in
        try BoxClip(box, session).clip(columns, row, session, into: builder)
      }
    }
  }
}

enum GridSize {
  /// Throws unless a grid can be counted: cells beyond 2^53 have no numbers of their own.
  static func require(_ size: Double, for envelopes: [Envelope?]) throws(EngineError) {
    if size == 0 { return }
    guard size > 0, size <= GeometryColumns.largestCoordinate else {
      throw EngineError(
        .invalidArgument, "The grid size is \(NumberText.shortest(size)); it must be 0, or above 0 and up to 1e100.")
    }
    var largest = 0.0
    for case let box? in envelopes {
      largest = max(largest, abs(box.xMin), abs(box.yMin), abs(box.xMax), abs(box.yMax))
    }
    guard largest / size <= 9_007_199_254_740_992 else {
      throw EngineError(
        .invalidArgument,
        "The grid size \(NumberText.shortest(size)) is finer than doubles are at \(NumberText.shortest(largest)); 0 is "
          + "as fine as they come.")
    }
  }
}

extension GEOSSession {
  /// GEOS's overlay: with floating numbers, with snapping where that fails, or on a grid. nil after an exception.
  func overlay(
    _ operation: OverlayOperation, _ a: OpaquePointer, _ b: OpaquePointer, _ gridSize: Double
  ) -> OpaquePointer? {
    if gridSize == 0, operation == .union || operation == .symmetricDifference, areApart(a, b) {
      return collected(a, b)
    }
    if gridSize == 0 {
      return switch operation {
      case .intersection: GEOSIntersection_r(handle, a, b)
      case .union: GEOSUnion_r(handle, a, b)
      case .difference: GEOSDifference_r(handle, a, b)
      case .symmetricDifference: GEOSSymDifference_r(handle, a, b)
      }
    }
    return switch operation {
    case .intersection: GEOSIntersectionPrec_r(handle, a, b, gridSize)
    case .union: GEOSUnionPrec_r(handle, a, b, gridSize)
    case .difference: GEOSDifferencePrec_r(handle, a, b, gridSize)
    case .symmetricDifference: GEOSSymDifferencePrec_r(handle, a, b, gridSize)
    }
  }
}

extension GEOSSession {
  /// Whether two geometries, not both of them polygons, have boxes that do not meet. GEOS only collects the two then, and
  /// leaves lines that cross and points that occur twice as they are.
  private func areApart(_ a: OpaquePointer, _ b: OpaquePointer) -> Bool {
    guard min(GEOSGeom_getDimensions_r(handle, a), GEOSGeom_getDimensions_r(handle, b)) < 2 else { return false }
    func box(_ geometry: OpaquePointer) -> Envelope? {
      var box = Envelope(xMin: 0, yMin: 0, xMax: 0, yMax: 0)
      let isThere =
        GEOSGeom_getXMin_r(handle, geometry, &box.xMin) != 0 && GEOSGeom_getXMax_r(handle, geometry, &box.xMax) != 0
        && GEOSGeom_getYMin_r(handle, geometry, &box.yMin) != 0 && GEOSGeom_getYMax_r(handle, geometry, &box.yMax) != 0
      return isThere ? box : nil
    }
    guard GEOSisEmpty_r(handle, a) == 0, GEOSisEmpty_r(handle, b) == 0, let first = box(a), let second = box(b) else {
      return true
    }
    return !first.meets(second)
  }

  /// What two geometries consist of, noded. Without the empty ones: GEOS 3.11 reads the coordinates of an empty point.
  private func collected(_ a: OpaquePointer, _ b: OpaquePointer) -> OpaquePointer? {
    var parts = GEOSParts(in: self)
    for geometry in [a, b] where GEOSisEmpty_r(handle, geometry) == 0 {
      guard let copy = GEOSObject(GEOSGeom_clone_r(handle, geometry), in: self) else { return nil }
      parts.append(copy)
    }
    guard let all = GEOSObject(parts.collection(GEOS_GEOMETRYCOLLECTION), in: self) else { return nil }
    return GEOSUnaryUnion_r(handle, all.pointer)
  }
}

/// Clips geometries to a box.
private struct BoxClip: ~Copyable {
  private let box: Envelope
  private let object: GEOSObject

  init(_ box: Envelope, _ session: borrowing GEOSSession) throws(EngineError) {
    try Self.require(box)
    let made = GEOSGeom_createRectangle_r(session.handle, box.xMin, box.yMin, box.xMax, box.yMax)
    guard let object = GEOSObject(made, in: session) else { throw session.failure("A box could not be handed to GEOS") }
    self.init(box: box, object: object)
  }

  private init(box: Envelope, object: consuming GEOSObject) {
    self.box = box
    self.object = object
  }

  static func require(_ box: Envelope) throws(EngineError) {
    let limit = GeometryColumns.largestCoordinate
    guard box.xMin < box.xMax, box.yMin < box.yMax, -limit <= box.xMin, -limit <= box.yMin, box.xMax <= limit,
      box.yMax <= limit
    else {
      throw EngineError(.invalidArgument, "The envelope must have width and height, and coordinates up to 1e100.")
    }
  }

  func clip(
    _ columns: GeometryColumns, _ row: Int, _ session: borrowing GEOSSession, into builder: GeometryBuilder
  ) throws(EngineError) {
    let kind = columns.kind(row)
    if kind == .collection {
      try builder.begin(.collection, columns.flags(row).dimensions)
      if let inner = columns.members {
        for member in columns.members(ofGeometry: row) {
          try clip(inner, member, session, into: try builder.members())
        }
      }
      return try builder.end()
    }
    guard let own = columns.envelope(row), own.meets(box) else {
      try builder.begin(kind, columns.flags(row))
      return try builder.end()
    }
    if own.xMin >= box.xMin, own.xMax <= box.xMax, own.yMin >= box.yMin, own.yMax <= box.yMax {
      return try builder.copy(columns, row)
    }
    if kind == .point || kind == .multipoint { return try clipPoints(columns, row, into: builder) }
    if kind == .polyline {
      try builder.begin(kind, columns.flags(row))
      for path in columns.paths(ofGeometry: row) { try LineClip(box: box).clip(columns, path: path, into: builder) }
      return try builder.end()
    }
    let subject = try session.object(columns, row)
    guard let made = GEOSObject(GEOSIntersection_r(session.handle, subject.pointer, object.pointer), in: session) else {
      throw session.refusal("The part of a geometry in a box")
    }
    let hasZ = columns.flags(row).contains(.hasZ)
    try session.read(
      made.pointer, only: kind, isMulti: columns.flags(row).contains(.isMulti), hasZ: hasZ, into: builder)
  }

  private func clipPoints(
    _ columns: GeometryColumns, _ row: Int, into builder: GeometryBuilder
  ) throws(EngineError) {
    try builder.begin(columns.kind(row), columns.flags(row))
    var isEmpty = true
    for index in columns.vertices(ofGeometry: row) {
      let point = columns.points[index]
      guard point.x >= box.xMin, point.x <= box.xMax, point.y >= box.yMin, point.y <= box.yMax else { continue }
      try builder.append(columns.vertex(index))
      isEmpty = false
    }
    if !isEmpty { try builder.endPathAndPart() }
    try builder.end()
  }
}

/// Clips lines to a box, segment by segment (Liang and Barsky): a line is cut where it enters and leaves the box and
/// nowhere else, and z and m are interpolated there.
struct LineClip {
  let box: Envelope

  /// Adds what lies in the box of a path; what only touches it is left out.
  func clip(_ columns: GeometryColumns, path: Int, into builder: GeometryBuilder) throws(EngineError) {
    let vertices = columns.vertices(ofPath: path)
    var isOpen = false
    for (from, to) in zip(vertices, vertices.dropFirst()) {
      let (start, end) = (columns.vertex(from), columns.vertex(to))
      if start.point == end.point {
        // No way to go: it stays in the line that it is in.
        if isOpen { try builder.append(end) }
        continue
      }
      guard let inside = share(of: start.point, end.point) else {
        if isOpen { try builder.endPathAndPart() }
        isOpen = false
        continue
      }
      let first = vertex(start, end, at: inside.first)
      let last = vertex(start, end, at: inside.last)
      // What rounding leaves no length is a touch.
      let hasLength = first.point != last.point
      if hasLength {
        if !isOpen { try builder.append(first) }
        try builder.append(last)
      }
      let goesOn = inside.last.side == nil && (isOpen || hasLength)
      if !goesOn, isOpen || hasLength { try builder.endPathAndPart() }
      isOpen = goesOn
    }
    if isOpen { try builder.endPathAndPart() }
  }

  /// A point along a segment, and the side of the box on which it lies, if any.
  private struct Place {
    var share: Double
    var side: WritableKeyPath<Point, Double>?
    var value = 0.0
  }

  /// From where to where a segment lies in the box; nil if it shares no more than a point with it.
  private func share(of start: Point, _ end: Point) -> (first: Place, last: Place)? {
    var first = Place(share: 0)
    var last = Place(share: 1)
    let sides: [(WritableKeyPath<Point, Double>, Double, Double)] = [
      (\.x, box.xMin, box.xMax), (\.y, box.yMin, box.yMax),
    ]
    for (axis, low, high) in sides {
      let (from, to) = (start[keyPath: axis], end[keyPath: axis])
      if from == to {
        if from < low || from > high { return nil }
        continue
      }
      let (near, far) = from < to ? (low, high) : (high, low)
      let enter = (near - from) / (to - from)
      let leave = (far - from) / (to - from)
      // An end that is outside by less than the share resolves is cut off, too.
      let (startsOutside, endsOutside) = from < to ? (from < near, to > far) : (from > near, to < far)
      if enter > first.share || (startsOutside && first.side == nil) {
        first = Place(share: max(enter, first.share), side: axis, value: near)
      }
      if leave < last.share || (endsOutside && last.side == nil) {
        last = Place(share: min(leave, last.share), side: axis, value: far)
      }
    }
    return first.share < last.share ? (first, last) : nil
  }

  private func vertex(_ start: Vertex, _ end: Vertex, at place: Place) -> Vertex {
    guard let side = place.side else { return place.share == 0 ? start : end }
    func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * place.share }
    var point = Point(x: between(start.point.x, end.point.x), y: between(start.point.y, end.point.y))
    point.x = min(max(point.x, box.xMin), box.xMax)
    point.y = min(max(point.y, box.yMin), box.yMax)
    // On the side that it crosses to the last bit.
    point[keyPath: side] = place.value
    return Vertex(point, z: between(start.z, end.z), m: between(start.m, end.m))
  }
}
