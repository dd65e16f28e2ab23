import AlidadeBase
import AlidadeCoordinates

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
        if isOpen { try close(builder) }
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
      if !goesOn, isOpen || hasLength { try close(builder) }
      isOpen = goesOn
    }
    if isOpen { try close(builder) }
  }

  private func close(_ builder: GeometryBuilder) throws(EngineError) {
    try builder.endPath()
    try builder.endPart()
  }

  /// A place along a segment, and the side of the box on which it lies, if it does.
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
      // An end that lies outside by less than the share can tell is cut off, too.
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
