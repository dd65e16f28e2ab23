import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import Glibc

/// The length of a vector. `hypot` is slow; squares have too few digits for very short and very long vectors only.
@inline(__always)
func vectorLength(_ x: Double, _ y: Double) -> Double {
  let square = x * x + y * y
  return square > 1e-280 && square < 1e300 ? square.squareRoot() : hypot(x, y)
}

/// A straight edge on the screen, in DIP.
struct ScreenEdge {
  let a: Point
  let b: Point

  /// The share of the way from `a` to `b` at which the edge is nearest to a point, and the distance there.
  @inline(__always)
  func nearest(to point: Point) -> (share: Double, distance: Double) {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let (px, py) = (point.x - a.x, point.y - a.y)
    let square = dx * dx + dy * dy
    guard square > 1e-280, square < 1e300 else { return extremeNearest(to: point) }
    let share = (px * dx + py * dy) / square
    if share <= 0 { return (0, vectorLength(px, py)) }
    if share >= 1 { return (1, vectorLength(point.x - b.x, point.y - b.y)) }
    return (share, (px * dy - py * dx).magnitude / square.squareRoot())
  }

  /// The same for edges so short or so long that squares have no digits left.
  private func extremeNearest(to point: Point) -> (share: Double, distance: Double) {
    let length = vectorLength(b.x - a.x, b.y - a.y)
    guard length > 0, length.isFinite else { return (0, vectorLength(point.x - a.x, point.y - a.y)) }
    let (ux, uy) = ((b.x - a.x) / length, (b.y - a.y) / length)
    let (px, py) = (point.x - a.x, point.y - a.y)
    let along = min(max(px * ux + py * uy, 0), length)
    return (along / length, vectorLength(px - along * ux, py - along * uy))
  }

  /// Whether the box around the edge is farther from a point than a distance, along x or along y.
  @inline(__always)
  func liesBeyond(_ distance: Double, of point: Point) -> Bool {
    min(a.x, b.x) - point.x > distance || point.x - max(a.x, b.x) > distance || min(a.y, b.y) - point.y > distance
      || point.y - max(a.y, b.y) > distance
  }

  func point(at share: Double) -> Point { Point(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share) }

  /// The distance between two edges; 0 if they have a point in common.
  func distance(to other: ScreenEdge) -> Double {
    if crosses(other) { return 0 }
    return min(
      min(nearest(to: other.a).distance, nearest(to: other.b).distance),
      min(other.nearest(to: a).distance, other.nearest(to: b).distance))
  }

  /// Whether each edge has the ends of the other one on both of its sides.
  private func crosses(_ other: ScreenEdge) -> Bool {
    side(other.a) * side(other.b) < 0 && other.side(a) * other.side(b) < 0
  }

  /// -1, 0 or 1: on which side of the edge a point lies.
  private func side(_ point: Point) -> Double {
    let cross = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
    return cross > 0 ? 1 : cross < 0 ? -1 : 0
  }
}

/// What is identified on the screen, in DIP: a point, or an area.
struct ScreenRegion: Sendable {
  /// The point itself. The nearest points of geometries are those nearest to it.
  let anchor: Point
  /// How far a footprint may be from the region.
  let tolerance: Double
  /// The corners of an area, the last is the first again; empty: the region is the anchor.
  let ring: [Point]
  /// The box around the region with its tolerance.
  let box: Envelope

  init(anchor: Point, tolerance: Double, area: [Point]) {
    self.anchor = anchor
    self.tolerance = tolerance
    ring = area.isEmpty ? [] : area + area.prefix(1)
    let core = Envelope(around: area) ?? Envelope(xMin: anchor.x, yMin: anchor.y, xMax: anchor.x, yMax: anchor.y)
    box = Envelope(
      xMin: core.xMin - tolerance, yMin: core.yMin - tolerance, xMax: core.xMax + tolerance,
      yMax: core.yMax + tolerance)
  }

  private var isPoint: Bool { ring.isEmpty }

  /// The same region, that everything meets.
  var boundless: ScreenRegion { ScreenRegion(anchor: anchor, tolerance: .infinity, area: Array(ring.dropLast())) }

  /// A point of the region.
  var first: Point { ring.first ?? anchor }

  func distance(to point: Point) -> Double {
    if isPoint { return vectorLength(point.x - anchor.x, point.y - anchor.y) }
    if contains(point) { return 0 }
    return edges { $0.nearest(to: point).distance }
  }

  /// - Parameter limit: a distance beyond it need not be exact.
  func distance(to edge: ScreenEdge, limit: Double) -> Double {
    if isPoint { return edge.nearest(to: anchor).distance }
    // Most edges lie far from the region.
    if max(edge.a.x, edge.b.x) < box.xMin - limit || min(edge.a.x, edge.b.x) > box.xMax + limit
      || max(edge.a.y, edge.b.y) < box.yMin - limit || min(edge.a.y, edge.b.y) > box.yMax + limit
    {
      return .infinity
    }
    if contains(edge.a) { return 0 }
    return edges { $0.distance(to: edge) }
  }

  private func edges(_ distance: (ScreenEdge) -> Double) -> Double {
    var least = Double.infinity
    for (a, b) in zip(ring, ring.dropFirst()) where least > 0 { least = min(least, distance(ScreenEdge(a: a, b: b))) }
    return least
  }

  private func contains(_ point: Point) -> Bool {
    var isInside = false
    for (a, b) in zip(ring, ring.dropFirst()) where point.isLeftOfEdge(a, b) { isInside.toggle() }
    return isInside
  }
}

extension Point {
  /// Whether a ray from the point to the right crosses an edge. The parity of the crossings of all edges of rings
  /// decides what is inside.
  @inline(__always)
  func isLeftOfEdge(_ a: Point, _ b: Point) -> Bool {
    guard (a.y > y) != (b.y > y) else { return false }
    return x < a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y))
  }
}

/// How a region of the screen meets a footprint.
struct FootprintHit {
  var zone = HitZone.halo
  /// From the region to the footprint; 0 on it.
  var distance = Double.infinity
  /// From the region's anchor to the nearest point of the geometry's vertices and edges.
  var nearestDistance = Double.infinity
  /// That point on the map, in the image that was hit.
  var nearest = Point.nan
  /// The numbers of the piece, counted from 0 in the geometry, of the part, and of the vertex.
  var part = 0
  var path = 0
  /// In the path. -1: the geometry has no edges.
  var segment = -1
  var share = 0.0
  /// In the path, the nearest end of the segment.
  var vertex = 0
  /// The anchor is on the fill.
  var isAnchorInside = false
}

/// What a symbol covers on the screen around a geometry: the one definition of what is drawn, and so of what is hit.
///
/// Strokes have round ends and joins, and the gaps of dashes belong to them. Colours do not matter: what is transparent is
/// hit all the same.
struct Footprint {
  private enum Marker {
    case disc(Double)
    /// A closed ring around the marker's middle.
    case ring([Point])
    case strokes([ScreenEdge])
  }

  private let kind: SymbolKind
  private let marker: Marker?
  private let offset: Point
  /// Half the width of the line or the outline; nil: there is none.
  private let halfStroke: Double?
  private let isFilled: Bool

  /// - Parameter symbol: with its final sizes and its angle on the screen.
  init(_ symbol: Symbol) {
    kind = symbol.kind
    offset = symbol.offset
    var stroke = symbol.lineWidth > 0 && symbol.lineStyle != .null ? symbol.lineWidth / 2 : nil
    isFilled = kind == .fill && symbol.fillStyle == .solid
    var marker: Marker?
    if kind == .marker, symbol.size > 0 {
      let half = symbol.size / 2
      let (sine, cosine) = sineAndCosine(degrees: symbol.angle)
      func corner(_ x: Double, _ y: Double) -> Point {
        Point(x: half * (x * cosine - y * sine), y: half * (x * sine + y * cosine))
      }
      func ring(_ corners: [Point]) -> Marker { .ring(corners + corners.prefix(1)) }
      switch symbol.markerStyle {
      case .circle: marker = .disc(half)
      case .diamond: marker = ring([corner(0, -1), corner(1, 0), corner(0, 1), corner(-1, 0)])
      case .square: marker = ring([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)])
      case .triangle: marker = ring([corner(0, -1), corner(1, 1), corner(-1, 1)])
      case .cross, .x:
        let ends =
          symbol.markerStyle == .x
          ? [corner(-1, -1), corner(1, 1), corner(-1, 1), corner(1, -1)]
          : [corner(-1, 0), corner(1, 0), corner(0, -1), corner(0, 1)]
        marker = .strokes([ScreenEdge(a: ends[0], b: ends[1]), ScreenEdge(a: ends[2], b: ends[3])])
        // These strokes are no outline: they are there whatever its style is, and 1 DIP wide without a width.
        stroke = (symbol.lineWidth > 0 ? symbol.lineWidth : 1) / 2
      }
    }
    self.marker = marker
    halfStroke = stroke
  }

  /// The symbol draws nothing.
  var isEmpty: Bool {
    switch kind {
    case .none: true
    case .marker: marker == nil
    case .line: halfStroke == nil
    case .fill: halfStroke == nil && !isFilled
    }
  }

  /// How a region meets the footprint of a piece of a geometry; nil if nothing is drawn. It may be beyond the
  /// tolerance.
  ///
  /// - Parameters:
  ///   - columns: the columns of the piece.
  ///   - image: the screen point of a vertex.
  func hit(
    _ region: ScreenRegion, _ piece: OverlayPiece, _ columns: GeometryColumns?, _ image: (Point) -> Point
  ) -> FootprintHit? {
    guard !isEmpty else { return nil }
    let vertices = UnsafeBufferPointer(start: piece.points, count: piece.vertexCount)
    if kind == .marker { return markerHit(region, vertices, image) }
    var scan = FootprintScan(region, isFilled: isFilled, half: halfStroke ?? 0)
    var first = 0
    forEachPath(piece, columns) { count, part, path in
      scan.look(at: UnsafeBufferPointer(rebasing: vertices[first..<(first &+ count)]), part, path, image)
      first &+= count
    }
    scan.endPart()
    var hit = scan.hit
    guard hit.nearestDistance < .infinity else { return nil }
    if region.ring.isEmpty { (scan.reach, scan.isRegionInside) = (hit.nearestDistance, hit.isAnchorInside) }
    let isOnStroke = halfStroke.map { scan.reach <= $0 } ?? false
    hit.distance = scan.isRegionInside ? 0 : max(0, scan.reach - scan.half)
    hit.zone = isOnStroke ? .edge : scan.isRegionInside ? .inside : hit.distance == 0 ? .edge : .halo
    locate(&hit, piece, columns, vertices)
    return hit
  }

  @inline(__always)
  private func forEachPath(
    _ piece: OverlayPiece, _ columns: GeometryColumns?, _ body: (_ count: Int, _ part: Int, _ path: Int) -> Void
  ) {
    guard piece.partCount != 1 || piece.pathCount != 1, let columns else { return body(piece.vertexCount, 0, 0) }
    for (part, number) in columns.parts(ofGeometry: piece.row).enumerated() {
      for (path, index) in columns.paths(ofPart: number).enumerated() {
        body(columns.vertices(ofPath: index).count, part, path)
      }
    }
  }

  /// Finds the point on the map and the vertex of a hit whose segment is known.
  private func locate(
    _ hit: inout FootprintHit, _ piece: OverlayPiece, _ columns: GeometryColumns?,
    _ vertices: UnsafeBufferPointer<Point>
  ) {
    let wanted = (hit.part, hit.path, hit.segment)
    var first = 0
    var found: (a: Point, b: Point)?
    forEachPath(piece, columns) { count, part, path in
      if (part, path) == (wanted.0, wanted.1) {
        let start = first &+ wanted.2
        found = (vertices[start], vertices[count > 1 ? start &+ 1 : start])
      }
      first &+= count
    }
    guard let found else { return }
    hit.nearest = ScreenEdge(a: found.a, b: found.b).point(at: hit.share)
    hit.vertex = hit.share > 0.5 ? hit.segment &+ 1 : hit.segment
  }

  private func markerHit(
    _ region: ScreenRegion, _ vertices: UnsafeBufferPointer<Point>, _ image: (Point) -> Point
  ) -> FootprintHit? {
    var best: FootprintHit?
    for (index, vertex) in vertices.enumerated() {
      let place = image(vertex)
      let found = markerHit(region, at: Point(x: place.x + offset.x, y: place.y + offset.y))
      if let best, found.distance >= best.distance { continue }
      var hit = found
      hit.vertex = index
      hit.nearest = vertex
      hit.nearestDistance = vectorLength(place.x - region.anchor.x, place.y - region.anchor.y)
      best = hit
    }
    return best
  }

  /// How a region meets a marker whose middle is at a screen point.
  private func markerHit(_ region: ScreenRegion, at middle: Point) -> FootprintHit {
    let half = halfStroke ?? 0
    var hit = FootprintHit()
    switch marker {
    case .disc(let radius):
      let distance = region.distance(to: middle)
      hit.distance = max(0, distance - radius - half)
      let isOnStroke = halfStroke != nil && distance >= radius - half
      hit.zone = hit.distance > 0 ? .halo : isOnStroke ? .edge : .inside
    case .ring(let corners):
      var (reach, isInside) = (Double.infinity, false)
      for (a, b) in zip(corners, corners.dropFirst()) {
        let (a, b) = (a.moved(by: middle), b.moved(by: middle))
        reach = min(reach, region.distance(to: ScreenEdge(a: a, b: b), limit: half))
        if region.first.isLeftOfEdge(a, b) { isInside.toggle() }
      }
      hit.distance = isInside ? 0 : max(0, reach - half)
      let isOnStroke = halfStroke.map { reach <= $0 } ?? false
      hit.zone = isOnStroke ? .edge : isInside ? .inside : hit.distance == 0 ? .edge : .halo
    case .strokes(let edges):
      let reach = edges.reduce(Double.infinity) { least, edge in
        let moved = ScreenEdge(a: edge.a.moved(by: middle), b: edge.b.moved(by: middle))
        return min(least, region.distance(to: moved, limit: half))
      }
      hit.distance = max(0, reach - half)
      hit.zone = hit.distance > 0 ? .halo : .edge
    case nil: break
    }
    return hit
  }
}

/// A look at the edges of a line or a polygon, path after path. A struct, because closures would put each variable on the
/// heap.
private struct FootprintScan {
  private let region: ScreenRegion
  private let isFilled: Bool
  let half: Double
  private(set) var hit = FootprintHit()
  /// The distance of the region from the edges, inside and outside.
  var reach = Double.infinity
  var isRegionInside = false
  // By parity in each part for itself, as they are filled.
  private var anchorParity = false
  private var regionParity = false
  private var currentPart = 0

  init(_ region: ScreenRegion, isFilled: Bool, half: Double) {
    (self.region, self.isFilled, self.half) = (region, isFilled, half)
  }

  mutating func endPart() {
    if anchorParity { hit.isAnchorInside = true }
    if regionParity { isRegionInside = true }
    (anchorParity, regionParity) = (false, false)
  }

  /// - Parameter image: the screen point of a vertex.
  @inline(__always)
  mutating func look(at ring: UnsafeBufferPointer<Point>, _ part: Int, _ path: Int, _ image: (Point) -> Point) {
    if part != currentPart { endPart() }
    currentPart = part
    guard let start = ring.first else { return }
    let isArea = !region.ring.isEmpty
    var a = image(start)
    // A path of one vertex is an edge without length.
    for index in 0..<max(1, ring.count &- 1) {
      let b = ring.count > 1 ? image(ring[index &+ 1]) : a
      let edge = ScreenEdge(a: a, b: b)
      // Most edges are farther away than the nearest so far.
      if !edge.liesBeyond(hit.nearestDistance, of: region.anchor) {
        let (share, distance) = edge.nearest(to: region.anchor)
        if distance < hit.nearestDistance {
          hit.nearestDistance = distance
          (hit.part, hit.path, hit.segment, hit.share) = (part, path, index, share)
        }
      }
      if isArea { reach = min(reach, region.distance(to: edge, limit: half)) }
      if isFilled {
        if region.anchor.isLeftOfEdge(a, b) { anchorParity.toggle() }
        if isArea, region.first.isLeftOfEdge(a, b) { regionParity.toggle() }
      }
      a = b
    }
  }
}

extension Point {
  fileprivate func moved(by other: Point) -> Point { Point(x: x + other.x, y: y + other.y) }
}
