import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CGDAL
import Glibc

/// Turns GDAL's geometries into columns. Curves become lines, surfaces polygons; z and m are kept.
///
/// Use it inside the guard.
struct GeometryReader {
  /// How far the lines that stand for an arc may be away from it, in the unit of the coordinates; 0: one degree of the
  /// arc for each.
  let curveTolerance: Double
  /// Says how many vertices an arc may become.
  let policy: Policy

  /// Adds a geometry. Throws `invalidArgument` or `unsupported` if it is broken; then the builder has nothing of it.
  func read(_ geometry: OGRGeometryH, into builder: GeometryBuilder) throws(EngineError) {
    let mark = builder.mark
    do throws(EngineError) { try add(geometry, to: builder) } catch {
      builder.undo(to: mark)
      throw error
    }
  }

  /// Adds an empty geometry for a missing one.
  func addEmpty(_ kind: GeometryKind, to builder: GeometryBuilder) throws(EngineError) {
    try builder.begin(kind, [])
    try builder.end()
  }

  private func add(_ geometry: OGRGeometryH, to builder: GeometryBuilder) throws(EngineError) {
    let type = OGR_G_GetGeometryType(geometry)
    var flags: GeometryFlags = []
    if OGR_GT_HasZ(type) != 0 { flags.insert(.hasZ) }
    if OGR_GT_HasM(type) != 0 { flags.insert(.hasM) }
    switch OGR_GT_Flatten(type) {
    case wkbPoint:
      try builder.begin(.point, flags)
      if OGR_G_IsEmpty(geometry) == 0 {
        try builder.append(vertex(geometry, 0, flags))
        try builder.endPathAndPart(openRings: .closed)
      }
    case wkbMultiPoint:
      try builder.begin(.multipoint, flags)
      var count = 0
      for point in members(geometry) where OGR_G_IsEmpty(point) == 0 {
        try builder.append(vertex(point, 0, flags))
        count &+= 1
      }
      if count > 0 { try builder.endPathAndPart(openRings: .closed) }
    case wkbLineString, wkbCircularString, wkbCompoundCurve:
      try builder.begin(.polyline, flags)
      try addLine(geometry, flags, to: builder)
    case wkbMultiLineString, wkbMultiCurve:
      try builder.begin(.polyline, flags.union(.isMulti))
      for line in members(geometry) { try addLine(line, flags, to: builder) }
    case wkbPolygon, wkbCurvePolygon, wkbTriangle:
      try builder.begin(.polygon, flags)
      try addPolygon(geometry, flags, to: builder)
    case wkbMultiPolygon, wkbMultiSurface, wkbPolyhedralSurface, wkbTIN:
      try builder.begin(.polygon, flags.union(.isMulti))
      for polygon in members(geometry) { try addPolygon(polygon, flags, to: builder) }
    case wkbGeometryCollection:
      try builder.begin(.collection, flags)
      let inner = try builder.members()
      for member in members(geometry) { try add(member, to: inner) }
    default:
      throw EngineError(.unsupported, "it is of the type \(gdalText(OGRGeometryTypeToName(type)))")
    }
    try builder.end()
  }

  private func members(_ geometry: OGRGeometryH) -> [OGRGeometryH] {
    (0..<max(0, OGR_G_GetGeometryCount(geometry))).compactMap { OGR_G_GetGeometryRef(geometry, $0) }
  }

  private func addLine(_ line: OGRGeometryH, _ flags: GeometryFlags, to builder: GeometryBuilder) throws(EngineError) {
    if OGR_G_IsEmpty(line) != 0 { return }
    try addCurve(line, flags, to: builder, isFirst: true)
    try builder.endPathAndPart(openRings: .closed)
  }

  private func addPolygon(
    _ polygon: OGRGeometryH, _ flags: GeometryFlags, to builder: GeometryBuilder
  ) throws(EngineError) {
    if OGR_G_IsEmpty(polygon) != 0 { return }
    for ring in members(polygon) where OGR_G_IsEmpty(ring) == 0 {
      try addCurve(ring, flags, to: builder, isFirst: true)
      try builder.endPath(openRings: .closed)
    }
    try builder.endPart()
  }

  // MARK: Curves

  /// Adds the vertices of a line or curve.
  ///
  /// - Parameter isFirst: its first vertex is not there yet.
  private func addCurve(
    _ curve: OGRGeometryH, _ flags: GeometryFlags, to builder: GeometryBuilder, isFirst: Bool
  ) throws(EngineError) {
    switch OGR_GT_Flatten(OGR_G_GetGeometryType(curve)) {
    case wkbCompoundCurve:
      for (index, part) in members(curve).enumerated() {
        try addCurve(part, flags, to: builder, isFirst: isFirst && index == 0)
      }
    case wkbCircularString:
      let count = OGR_G_GetPointCount(curve)
      guard count >= 3, count % 2 == 1 else {
        throw EngineError(.invalidArgument, "an arc string has \(count) vertices; it needs three, five, seven or so on")
      }
      if isFirst { try builder.append(vertex(curve, 0, flags)) }
      for middle in stride(from: Int32(1), to: count &- 1, by: 2) {
        let (a, b) = (vertex(curve, middle &- 1, flags), vertex(curve, middle, flags))
        try addArc(a, b, vertex(curve, middle &+ 1, flags), to: builder)
      }
    default:
      for index in (isFirst ? 0 : 1)..<max(isFirst ? 0 : 1, OGR_G_GetPointCount(curve)) {
        try builder.append(vertex(curve, index, flags))
      }
    }
  }

  private func vertex(_ geometry: OGRGeometryH, _ index: Int32, _ flags: GeometryFlags) -> Vertex {
    var (x, y, z, m) = (0.0, 0.0, 0.0, 0.0)
    OGR_G_GetPointZM(geometry, index, &x, &y, &z, &m)
    return Vertex(
      Point(x: x, y: y), z: flags.contains(.hasZ) ? z : .nan, m: flags.contains(.hasM) ? m : .nan)
  }

  /// Adds an arc without its first vertex. The vertex in its middle stays one.
  private func addArc(_ a: Vertex, _ b: Vertex, _ c: Vertex, to builder: GeometryBuilder) throws(EngineError) {
    guard let arc = Arc(a.point, b.point, c.point) else {
      try builder.append(b)
      try builder.append(c)
      return
    }
    let half = arc.sweep(a.point, b.point)
    try addSegments(arc, a, b, half, to: builder)
    try addSegments(arc, b, c, arc.isCircle ? half : arc.sweep(b.point, c.point), to: builder)
  }

  private func addSegments(
    _ arc: Arc, _ from: Vertex, _ to: Vertex, _ sweep: Double, to builder: GeometryBuilder
  ) throws(EngineError) {
    var step = Double.pi / 180
    // A chord of the angle s is 2 r sin(s / 4)^2 away from its arc.
    if curveTolerance > 0 { step = min(4 * asin((min(1, curveTolerance / arc.radius / 2)).squareRoot()), .pi / 4) }
    let count = Int(exactly: (sweep.magnitude / step).rounded(.up)) ?? .max
    try policy.check(points: count)
    for index in stride(from: 1, to: count, by: 1) {
      let part = Double(index) / Double(count)
      try builder.append(
        Vertex(
          arc.point(from.point, turnedBy: sweep * part), z: from.z + (to.z - from.z) * part,
          m: from.m + (to.m - from.m) * part))
    }
    try builder.append(to)
  }
}

/// A circle's part.
private struct Arc {
  let center: Point
  let radius: Double
  /// The last point is the first: the middle one lies opposite.
  let isCircle: Bool
  private let isCounterclockwise: Bool

  /// nil if the points lie on a line.
  init?(_ a: Point, _ b: Point, _ c: Point) {
    let (bx, by, cx, cy) = (b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y)
    isCircle = cx == 0 && cy == 0
    if isCircle {
      center = Point(x: a.x + bx / 2, y: a.y + by / 2)
      isCounterclockwise = true
    } else {
      let d = 2 * (bx * cy - by * cx)
      let (b2, c2) = (bx * bx + by * by, cx * cx + cy * cy)
      center = Point(x: a.x + (cy * b2 - by * c2) / d, y: a.y + (bx * c2 - cx * b2) / d)
      isCounterclockwise = d > 0
    }
    radius = hypot(center.x - a.x, center.y - a.y)
    // A bend that only comes from rounding is not an arc.
    guard radius.isFinite, radius > 0, radius < 1e12 * (bx.magnitude + by.magnitude + cx.magnitude + cy.magnitude)
    else {
      return nil
    }
  }

  /// From one point to another one, in radians; positive is counterclockwise.
  func sweep(_ from: Point, _ to: Point) -> Double {
    if isCircle { return .pi }
    // By the step between them: of a flat arc two directions from the centre have too few digits that differ.
    let (x, y, dx, dy) = (from.x - center.x, from.y - center.y, to.x - from.x, to.y - from.y)
    let angle = atan2(x * dy - y * dx, x * (x + dx) + y * (y + dy))
    if isCounterclockwise { return angle < 0 ? angle + 2 * .pi : angle }
    return angle > 0 ? angle - 2 * .pi : angle
  }

  func point(_ from: Point, turnedBy angle: Double) -> Point {
    // From where it begins, which has more digits than from a centre far away: there is 1 - cos(a) in `less`.
    let (x, y, half, sine) = (from.x - center.x, from.y - center.y, sin(angle / 2), sin(angle))
    let less = 2 * half * half
    return Point(x: from.x - x * less - y * sine, y: from.y + x * sine - y * less)
  }
}
