import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry
import Glibc

/// What a screen point snaps to.
public struct Snap: Sendable {
  /// One of the kinds.
  public internal(set) var kind: SnapKinds
  public internal(set) var distance: Double
  /// In the map's spatial reference, in the copy of the world that is shown there.
  public internal(set) var mapPoint: Point
  public internal(set) var screenPoint: Point
  /// nil for a graphic, and the overlay for a feature.
  public internal(set) var layer: Layer?
  public internal(set) var overlay: GraphicsOverlay?
  public internal(set) var id: Int64 = 0
  /// The index of the member of a collection; otherwise 0.
  public internal(set) var member = 0
  public internal(set) var part = 0
  public internal(set) var path = 0
  /// nil if the point is not on an edge.
  public internal(set) var segment: Int?
  /// nil if the point is not at a vertex.
  public internal(set) var vertex: Int?
}

extension SnapKinds {
  /// Which of the kinds comes first, however near the others are. QGIS has the same order.
  fileprivate var rank: Int {
    switch self {
    case .endpoint: 0
    case .vertex, .intersection: 1
    case .midpoint: 2
    case .centroid: 3
    default: 4
    }
  }
}

public struct SnapOptions: Sendable {
  public var kinds: SnapKinds = [.vertex, .edge]
  /// Radius around the point in DIP.
  public var tolerance = 0.0
  /// Feature layers, and groups that contain feature layers; nil means all of the map if `overlays` is nil, too,
  /// otherwise none.
  public var layers: [Layer]?
  /// nil means all of the view if `layers` is nil, too, otherwise none.
  public var overlays: [GraphicsOverlay]?

  public init() {}
}

extension MapView {
  /// What a screen point snaps to among the vertices and edges of what is drawn; nil: nothing is within the tolerance.
  ///
  /// The kinds come in an order, whatever the distances: endpoints, then vertices and intersections, midpoints, centroids,
  /// edges. Within a kind the nearest point wins, and among equally near points the topmost.
  ///
  /// A layer that was chosen and cannot be read is an error; among all layers it is passed over.
  public func snap(at screen: Point, options: SnapOptions) throws(EngineError) -> Snap? {
    let snapping = try runtime.limitedHere { () throws(EngineError) in try Snapping(in: self, at: screen, options) }
    return try runtime.limited(reading: snapping.layers, snapping.perform)
  }

  /// A request that creates a `SnapResult` of the view as it is now. `start` begins it.
  public func snapRequest(
    at screen: Point, options: SnapOptions, request: RequestOptions = RequestOptions()
  ) throws(EngineError) -> Request {
    // What is in memory is looked at now.
    let snapping = try runtime.limitedHere { () throws(EngineError) in try Snapping(in: self, at: screen, options) }
    let runtime = runtime
    return try Request(
      .snap, runtime: runtime, owner: identity, options: request,
      waitsForServer: snapping.layers.contains(where: \.waitsForServer)
    ) { () throws(EngineError) in
      SnapResult(try runtime.limited(reading: snapping.layers, snapping.perform), runtime)
    }
  }

  /// Overlays of the view in its order, each once.
  fileprivate func members(_ wanted: [GraphicsOverlay]) throws(EngineError) -> [GraphicsOverlay] {
    for overlay in wanted { try requireMember(overlay) }
    return graphicsOverlays.filter { overlay in wanted.contains { $0 === overlay } }
  }
}

/// The result of a request that snaps. It has no handle of its own.
public final class SnapResult: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  /// nil: nothing is within the tolerance.
  public let snap: Snap?

  fileprivate init(_ snap: Snap?, _ runtime: Runtime) {
    self.snap = snap
    super.init(runtime: runtime)
  }
}

/// A snap as it was asked for, whatever the view and its layers do by the time it is performed.
private struct Snapping: Sendable {
  private let frame: ViewFrame
  /// The box around the region on the map; nil if it is too large to be known.
  private let window: Envelope?
  /// The topmost first.
  let layers: [LayerMoment]
  /// The layers were chosen: an error of one fails the whole.
  private let isChosen: Bool
  /// Overlays are in memory and have been looked at already.
  private var snapper: Snapper

  /// Checks what is asked for, and takes down what the view is at this moment.
  init(in view: MapView, at screen: Point, _ options: SnapOptions) throws(EngineError) {
    var asked = IdentifyOptions()
    asked.tolerance = options.tolerance
    let region = try ScreenRegion(at: screen, asked, view.runtime.policy)
    let frame = try view.frame()
    let window = region.window(in: frame)
    isChosen = options.layers != nil || options.overlays != nil
    let overlays = isChosen ? try view.members(options.overlays ?? []) : view.graphicsOverlays
    var layers: [LayerMoment] = []
    if isChosen {
      for layer in options.layers ?? [] {
        guard let moment = Identification.moment(LayerTree(layer), view) else { throw MapView.notMember }
        layers.append(moment)
      }
    } else {
      layers = view.map.treesFromTop.compactMap { Identification.moment($0, view) }
    }
    var snapper = Snapper(region: region, kinds: options.kinds, policy: view.runtime.policy)
    try view.withLayouts(of: overlays, in: frame, near: window) { (sources) throws(EngineError) in
      for source in sources.reversed() {
        guard case .layout(let layout) = source else { continue }
        try snapper.look(at: layout, layer: nil, overlay: layout.moment.overlay)
      }
    }
    (self.frame, self.window, self.layers, self.snapper) = (frame, window, layers, snapper)
  }

  func perform() throws(EngineError) -> Snap? {
    var snapper = snapper
    for layer in layers { try snapper.look(at: layer, in: frame, near: window, isChosen: isChosen) }
    try snapper.intersect(within: frame.slack)
    return snapper.best
  }
}

/// Looks for what a point of the screen snaps to.
private struct Snapper: Sendable {
  /// An edge that comes near the point.
  private struct NearEdge: Sendable {
    let edge: ScreenEdge
    let a: Point
    let b: Point
    /// Of what the edge belongs to.
    let snap: Snap

    var low: Point { Point(x: min(edge.a.x, edge.b.x), y: min(edge.a.y, edge.b.y)) }
    var high: Point { Point(x: max(edge.a.x, edge.b.x), y: max(edge.a.y, edge.b.y)) }
  }

  let region: ScreenRegion
  let kinds: SnapKinds
  private(set) var best: Snap?
  private let policy: Policy
  private var edges: [NearEdge] = []

  init(region: ScreenRegion, kinds: SnapKinds, policy: Policy) {
    (self.region, self.kinds, self.policy) = (region, kinds, policy)
  }

  mutating func look(
    at moment: LayerMoment, in frame: ViewFrame, near window: Envelope?, isChosen: Bool
  ) throws(EngineError) {
    guard moment.standing.isShown, moment.standing.range.contains(frame.scale) else { return }
    switch moment.content {
    case .group(let inside):
      for moment in inside { try look(at: moment, in: frame, near: window, isChosen: isChosen) }
    case .raster: break
    case .features(let layer, let features):
      do throws(EngineError) {
        let source = try features.source.get()
        guard source.facts.hasGeometry, let renderer = features.renderer else { return }
        let placed = try layer.placed(source)
        try placed.checkUnchanged()
        let table = try features.table(of: layer, placed, renderer, in: frame, near: window)
        try look(
          at: try OverlayLayout(table.table, in: frame, keepsOutside: false, near: window), layer: layer, overlay: nil)
        layer.note(nil, source)
      } catch {
        if error.status == .readFailed, let source = layer.source { layer.note(error, source) }
        if isChosen || error.status == .cancelled || error.status == .limitExceeded { throw error }
      }
    }
  }

  mutating func look(at layout: OverlayLayout, layer: Layer?, overlay: GraphicsOverlay?) throws(EngineError) {
    let (table, eye) = (layout.table, layout.eye)
    try layout.forEachImage { (image) throws(EngineError) in
      try TimeLimit.check()
      guard let graphic = table.graphics[image.slot] else { return }
      var plain = Snap(
        kind: [], distance: 0, mapPoint: .nan, screenPoint: .nan, layer: layer, overlay: overlay,
        id: Int64(bitPattern: graphic.id))
      let pieces = table.pieces(of: image.slot)
      for (number, piece) in pieces.enumerated() {
        guard let columns = table.columns(image.slot, number) else { continue }
        plain.member = graphic.memberIndex(columns, piece.row)
        try look(at: piece, columns, plain, image.shift, eye)
      }
      guard kinds.contains(.centroid), let centroid = Centroid.of(table, image.slot) else { return }
      plain.member = 0
      take(plain, .centroid, at: Point(x: centroid.x + image.shift, y: centroid.y), eye)
    }
  }

  private mutating func look(
    at piece: OverlayPiece, _ columns: GeometryColumns, _ plain: Snap, _ shift: Double, _ eye: Eye
  ) throws(EngineError) {
    let vertices = UnsafeBufferPointer(start: piece.points, count: piece.vertexCount)
    let kind = columns.kind(piece.row)
    let (isOfPoints, isRing) = (kind == .point || kind == .multipoint, kind == .polygon)
    var snap = plain
    try piece.forEachPath(columns) { (range, part, path) throws(EngineError) in
      (snap.part, snap.path) = (part, path)
      let points = UnsafeBufferPointer(rebasing: vertices[range])
      func point(_ index: Int) -> Point { Point(x: points[index].x + shift, y: points[index].y) }
      for index in points.indices {
        if index & 1023 == 0 {
          try TimeLimit.check()
          // The array grows by doubling.
          try policy.check(bytes: edges.count, 3 &* MemoryLayout<NearEdge>.stride)
        }
        let isLast = index &+ 1 == points.count
        snap.segment = isOfPoints ? nil : isLast ? max(0, index &- 1) : index
        snap.vertex = index
        // The last vertex of a ring is its first again.
        if kinds.contains(.vertex), !(isRing && isLast && index > 0) { take(snap, .vertex, at: point(index), eye) }
        if kinds.contains(.endpoint), kind == .polyline, index == 0 || isLast, points[0] != points[points.count &- 1] {
          take(snap, .endpoint, at: point(index), eye)
        }
        guard !isOfPoints, !isLast else { continue }
        let (a, b) = (point(index), point(index &+ 1))
        let edge = ScreenEdge(a: eye.screenPoint(a, 0), b: eye.screenPoint(b, 0))
        let (share, distance) = edge.nearest(to: region.anchor)
        guard distance <= region.tolerance else { continue }
        snap.vertex = nil
        if kinds.contains(.midpoint) { take(snap, .midpoint, at: ScreenEdge(a: a, b: b).point(at: 0.5), eye) }
        if kinds.contains(.edge) {
          take(
            snap, .edge, at: ScreenEdge(a: a, b: b).point(at: share), screen: edge.point(at: share), distance: distance)
        }
        if kinds.contains(.intersection) { edges.append(NearEdge(edge: edge, a: a, b: b, snap: snap)) }
      }
    }
  }

  private mutating func take(_ snap: Snap, _ kind: SnapKinds, at point: Point, _ eye: Eye) {
    let screen = eye.screenPoint(point, 0)
    take(snap, kind, at: point, screen: screen, distance: region.distance(to: screen))
  }

  private mutating func take(
    _ snap: Snap, _ kind: SnapKinds, at point: Point, screen: Point, distance: Double
  ) {
    guard distance <= region.tolerance else { return }
    if let best, (best.kind.rank, best.distance) <= (kind.rank, distance) { return }
    var snap = snap
    (snap.kind, snap.distance, snap.mapPoint, snap.screenPoint) = (kind, distance, point, screen)
    best = snap
  }

  // MARK: Intersections

  /// Looks at where edges cross, or one ends on another. Where both end they have a vertex.
  ///
  /// - Parameter slack: how far points of the screen may lie apart that are the same on the map.
  mutating func intersect(within slack: Double) throws(EngineError) {
    // From the left to the right; the edges of what lies above come first.
    let lows = edges.map(\.low.x)
    let order = edges.indices.sorted { (lows[$0], $0) < (lows[$1], $1) }
    // Of those at the same distance the topmost.
    var nearest: (distance: Double, upper: Int, lower: Int, share: Double)?
    for (place, i) in order.enumerated() {
      try TimeLimit.check()
      let first = edges[i]
      for j in order[(place &+ 1)...] {
        if lows[j] > first.high.x + slack { break }
        let second = edges[j]
        guard first.low.y <= second.high.y + slack, first.high.y >= second.low.y - slack else { continue }
        let (upper, lower) = (min(i, j), max(i, j))
        guard let share = edges[upper].edge.crossing(edges[lower].edge, within: slack) else { continue }
        let distance = region.distance(to: edges[upper].edge.point(at: share))
        if let nearest, (nearest.distance, nearest.upper, nearest.lower) <= (distance, upper, lower) { continue }
        nearest = (distance, upper, lower, share)
      }
    }
    if let nearest {
      let upper = edges[nearest.upper]
      take(
        upper.snap, .intersection, at: ScreenEdge(a: upper.a, b: upper.b).point(at: nearest.share),
        screen: upper.edge.point(at: nearest.share), distance: nearest.distance)
    }
    edges = []
  }
}

extension ViewFrame {
  /// How far apart, in DIP, the screen points of one map point may be: what rounding does to coordinates of this size.
  fileprivate var slack: Double {
    let largest = visibleArea.reduce(0) { max($0, $1.x.magnitude, $1.y.magnitude) }
    return min(1e-6 + largest * 0x1p-50 / unitsPerDip, 1)
  }
}

extension ScreenEdge {
  /// The share of this edge at which another one meets it; nil if it does not, or the two have an end in common.
  fileprivate func crossing(_ other: ScreenEdge, within slack: Double) -> Double? {
    func areSame(_ one: Point, _ two: Point) -> Bool { vectorLength(one.x - two.x, one.y - two.y) <= slack }
    if areSame(a, other.a) || areSame(a, other.b) || areSame(b, other.a) || areSame(b, other.b) { return nil }
    let (rx, ry) = (b.x - a.x, b.y - a.y)
    let (sx, sy) = (other.b.x - other.a.x, other.b.y - other.a.y)
    let cross = rx * sy - ry * sx
    if cross != 0 {
      let (dx, dy) = (other.a.x - a.x, other.a.y - a.y)
      let (mine, others) = ((dx * sy - dy * sx) / cross, (dx * ry - dy * rx) / cross)
      if mine >= 0, mine <= 1, others >= 0, others <= 1 { return mine }
    }
    // An end that lies on the other edge is there to the last digit or next to it.
    if other.nearest(to: a).distance <= slack { return 0 }
    if other.nearest(to: b).distance <= slack { return 1 }
    let ends = [nearest(to: other.a), nearest(to: other.b)]
    return ends.first { $0.distance <= slack }?.share
  }
}

extension OverlayPiece {
  /// Calls with the range of each path in the piece's vertices, its part and its number in the part.
  fileprivate func forEachPath<Failure>(
    _ columns: GeometryColumns, _ body: (Range<Int>, _ part: Int, _ path: Int) throws(Failure) -> Void
  ) throws(Failure) {
    var first = 0
    for (part, number) in columns.parts(ofGeometry: row).enumerated() {
      for (path, index) in columns.paths(ofPart: number).enumerated() {
        let count = columns.vertices(ofPath: index).count
        if count > 0, first &+ count <= vertexCount { try body(first..<(first &+ count), part, path) }
        first &+= count
      }
    }
  }
}

/// The centroid of polygons; without any that has an area, that of lines; without any that has a length, that of points.
private struct Centroid {
  private var origin: Point?
  private var areas = (x: 0.0, y: 0.0, sum: 0.0)
  private var lengths = (x: 0.0, y: 0.0, sum: 0.0)
  private var points = (x: 0.0, y: 0.0, sum: 0.0)

  /// On the map, as it is drawn there.
  static func of(_ table: OverlayTable, _ slot: Int) -> Point? {
    var centroid = Centroid()
    for (number, piece) in table.pieces(of: slot).enumerated() {
      guard let columns = table.columns(slot, number) else { continue }
      let vertices = UnsafeBufferPointer(start: piece.points, count: piece.vertexCount)
      let kind = columns.kind(piece.row)
      piece.forEachPath(columns) { range, _, path in
        centroid.add(UnsafeBufferPointer(rebasing: vertices[range]), kind, isHole: kind == .polygon && path > 0)
      }
    }
    return centroid.point
  }

  private mutating func add(_ path: UnsafeBufferPointer<Point>, _ kind: GeometryKind, isHole: Bool) {
    guard let first = path.first else { return }
    let origin = origin ?? first
    self.origin = origin
    func near(_ point: Point) -> Point { Point(x: point.x - origin.x, y: point.y - origin.y) }
    if kind == .point || kind == .multipoint {
      for point in path.lazy.map(near) { points = (points.x + point.x, points.y + point.y, points.sum + 1) }
      return
    }
    var ring = (x: 0.0, y: 0.0, sum: 0.0)
    for (a, b) in zip(path, path.dropFirst()) {
      let (a, b) = (near(a), near(b))
      let length = hypot(b.x - a.x, b.y - a.y)
      lengths = (
        lengths.x + (a.x + b.x) / 2 * length, lengths.y + (a.y + b.y) / 2 * length, lengths.sum + length
      )
      let cross = a.x * b.y - a.y * b.x
      ring = (ring.x + (a.x + b.x) * cross, ring.y + (a.y + b.y) * cross, ring.sum + 3 * cross)
    }
    let start = near(first)
    points = (points.x + start.x, points.y + start.y, points.sum + 1)
    guard kind == .polygon else { return }
    // Whatever the directions are, holes take away.
    let sign: Double = (ring.sum < 0) == isHole ? 1 : -1
    areas = (areas.x + sign * ring.x, areas.y + sign * ring.y, areas.sum + sign * ring.sum)
  }

  private var point: Point? {
    guard let origin else { return nil }
    let sums = areas.sum != 0 ? areas : lengths.sum > 0 ? lengths : points
    return Point(x: origin.x + sums.x / sums.sum, y: origin.y + sums.y / sums.sum)
  }
}
