import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// Images of graphics that were projected together.
final class ImageBatch: Sendable {
  let target: SpatialReference
  /// nil: the geometries are in the target already, or there is no way there.
  let projector: Projector?
  /// The vertices of all images; nil if the geometries' own vertices are used.
  let points: HeapArray<Point>?
  /// The grids with which no way was found; nil: there is one, or none is needed.
  private let gridGeneration: UInt64?

  init(target: SpatialReference, projector: Projector?, points: HeapArray<Point>?) {
    self.target = target
    self.projector = projector
    self.points = points
    gridGeneration = nil
  }

  /// Of graphics to which no way leads.
  init(target: SpatialReference, withoutWayBy gridGeneration: UInt64) {
    self.target = target
    projector = nil
    points = nil
    self.gridGeneration = gridGeneration
  }

  /// Whether the images are still right for a map.
  func isGood(for reference: SpatialReference) -> Bool {
    guard target.system === reference.system, projector?.isCurrent ?? true else { return false }
    return gridGeneration.map { $0 == Coordinates.gridGeneration(of: target.runtime) } ?? true
  }
}

/// A graphic in a map's spatial reference.
struct GraphicImage: Sendable {
  final class Failure: Sendable {
    let reason: OverlayFailureReason
    let status: PointStatus
    /// As it was given; NaN if it is no single vertex.
    let vertex: Point

    init(_ reason: OverlayFailureReason, status: PointStatus = .ok, vertex: Point = .nan) {
      self.reason = reason
      self.status = status
      self.vertex = vertex
    }
  }

  let batch: ImageBatch
  /// Where its vertices begin in the batch's points.
  var start = 0
  var failure: Failure?
  /// Projected with datums treated as equal for want of a known relation.
  var isBallpark = false
}

/// Projects the geometries of graphics.
struct GraphicImages {
  let target: SpatialReference
  let runtime: Runtime
  private let counter: ProjectionCounter

  /// So many vertices are projected together at most, unless one geometry has more.
  private static let batchSize = 1 << 20

  init(target: SpatialReference) {
    self.target = target
    runtime = target.runtime
    counter = ProjectionCounter.of(target.runtime)
  }

  /// The images of graphics, in their order.
  func images(of graphics: [Graphic]) throws(EngineError) -> [GraphicImage] {
    let own = GraphicImage(batch: ImageBatch(target: target, projector: nil, points: nil))
    var images = [GraphicImage](repeating: own, count: graphics.count)
    var sources: [ObjectIdentifier: (reference: SpatialReference, members: [Int])] = [:]
    for (index, graphic) in graphics.enumerated() {
      // A geometry without a spatial reference is in that of the map.
      guard let reference = graphic.columns.spatialReference, reference.system !== target.system else { continue }
      sources[ObjectIdentifier(reference), default: (reference, [])].members.append(index)
    }
    for (_, source) in sources {
      // Asked for before the way is looked for: grids that come meanwhile count as new.
      let grids = Coordinates.gridGeneration(of: runtime)
      guard let projector = try projector(from: source.reference) else {
        let nowhere = ImageBatch(target: target, withoutWayBy: grids)
        let failure = GraphicImage.Failure(.noOperation)
        for index in source.members { images[index] = GraphicImage(batch: nowhere, failure: failure) }
        continue
      }
      if projector.isIdentity { continue }
      var members = source.members[...]
      while !members.isEmpty {
        var (size, count) = (0, 0)
        for index in members {
          let more = graphics[index].columns.vertexCount(graphics[index].row)
          if count > 0, size &+ more > Self.batchSize { break }
          size &+= more
          count &+= 1
        }
        let batch = members.prefix(count)
        let made = try project(batch.map { graphics[$0] }, size, from: source.reference, by: projector)
        for (index, image) in zip(batch, made) { images[index] = image }
        members = members.dropFirst(count)
      }
    }
    return images
  }

  /// nil: there is no way.
  private func projector(from source: SpatialReference) throws(EngineError) -> Projector? {
    var options = ProjectionOptions()
    options.ignoresVertical = true
    do throws(EngineError) { return try Projector.between(source, target, options: options) } catch {
      guard error.status == .projectionFailed || error.status == .missingGrid else { throw error }
      return nil
    }
  }

  private func project(
    _ graphics: [Graphic], _ size: Int, from source: SpatialReference, by projector: Projector
  ) throws(EngineError) -> [GraphicImage] {
    try runtime.policy.check(points: size)
    try runtime.policy.check(bytes: size, MemoryLayout<Point>.size &+ 5)
    let points = try HeapArray<Point>(count: size)
    var next = 0
    for graphic in graphics {
      try graphic.columns.forEachSimple(graphic.row) { (columns, row) throws(EngineError) in
        for vertex in columns.vertices(ofGeometry: row) {
          points.buffer[next] = columns.points.buffer[vertex]
          next &+= 1
        }
      }
    }
    // PROJ turns any number of worlds back, and gives a position for digits that do not name one.
    var lost = (0..<size).filter { source.isLost(points.buffer[$0].x) }[...]
    counter.add(size)
    try movePoles(graphics, points, from: source)
    let outcome = try projector.project(CoordinateColumns(points: points))
    let ballparks = outcome.ballparks(of: projector)
    let batch = ImageBatch(target: target, projector: projector, points: points)
    let seam = Seam(from: source, to: target)
    var images: [GraphicImage] = []
    images.reserveCapacity(graphics.count)
    next = 0
    for graphic in graphics {
      var image = GraphicImage(batch: batch, start: next)
      let end = next &+ graphic.columns.vertexCount(graphic.row)
      if let first = lost.first, first < end {
        image.failure = GraphicImage.Failure(
          .noImage, status: .invalidCoordinate, vertex: Self.vertex(first &- next, of: graphic))
        lost = lost.drop { $0 < end }
      } else if let bad = (next..<end).first(where: { outcome.statuses.buffer[$0] != .ok }) {
        image.failure = GraphicImage.Failure(
          .noImage, status: outcome.statuses.buffer[bad], vertex: Self.vertex(bad &- next, of: graphic))
      } else {
        if ballparks.contains(true) {
          image.isBallpark = (next..<end).contains { ballparks[Int(truncatingIfNeeded: outcome.marks.buffer[$0])] }
        }
        let closes = try seam?.mend(graphic, points.buffer.baseAddress, next) ?? true
        if !closes { image.failure = GraphicImage.Failure(.aroundPole) }
      }
      images.append(image)
      next = end
    }
    return images
  }

  /// Moves vertices of lines and polygons at a pole to where the map can still show their meridian: outlines of
  /// Antarctica go along the pole, which Mercator's projection has infinitely far away.
  private func movePoles(
    _ graphics: [Graphic], _ points: HeapArray<Point>, from source: SpatialReference
  ) throws(EngineError) {
    guard source.kind == .geographic, let world = source.system.worldWidth, target.system.hasPolesAtInfinity else {
      return
    }
    let last = world / 4 * (1 - 1e-6)
    var next = 0
    for graphic in graphics {
      try graphic.columns.forEachSimple(graphic.row) { (columns, row) throws(EngineError) in
        let isPoints = columns.kind(row) == .point || columns.kind(row) == .multipoint
        for _ in columns.vertices(ofGeometry: row) {
          let y = points.buffer[next].y
          if !isPoints, y.magnitude > last, y.magnitude <= world / 4 { points.buffer[next].y = y < 0 ? -last : last }
          next &+= 1
        }
      }
    }
  }

  /// A vertex of a graphic by its number.
  private static func vertex(_ number: Int, of graphic: Graphic) -> Point {
    var (rest, found) = (number, Point.nan)
    do throws(EngineError) {
      try graphic.columns.forEachSimple(graphic.row) { (columns, row) throws(EngineError) in
        let vertices = columns.vertices(ofGeometry: row)
        if rest >= 0, rest < vertices.count { found = columns.points.buffer[vertices.lowerBound &+ rest] }
        rest &-= vertices.count
      }
    } catch {}
    return found
  }
}

/// Reconnects, in a world that repeats itself, what a projection has separated: it returns coordinates within one
/// world, and a line from 170 to 190 degrees comes back as a line from 170 to -170.
struct Seam {
  /// Of the target's world.
  private let width: Double
  /// About how many units of the target one of the source is, along x.
  private let ratio: Double

  /// nil: the target's world does not repeat itself.
  init?(from source: SpatialReference, to target: SpatialReference) {
    guard let width = target.system.worldWidth else { return nil }
    self.width = width
    // If both repeat themselves, this is exact except for the datums. Otherwise it distinguishes a step from a leap.
    if let sourceWidth = source.system.worldWidth {
      ratio = width / sourceWidth
    } else {
      ratio = source.metresPerUnit / target.metresPerUnit
    }
  }

  /// Moves each vertex next to the previous one as it was in the source.
  ///
  /// - Parameters:
  ///   - points: contains the images, from `start`.
  /// - Returns: false if a ring is no longer closed: it goes round a pole.
  func mend(_ graphic: Graphic, _ points: UnsafeMutablePointer<Point>?, _ start: Int) throws(EngineError) -> Bool {
    guard let points else { return true }
    var next = start
    var closes = true
    // The first vertex of all, next to which each path begins.
    var anchor: (source: Double, image: Double)?
    try graphic.columns.forEachSimple(graphic.row) { (columns, row) throws(EngineError) in
      for path in columns.paths(ofGeometry: row) {
        let vertices = columns.vertices(ofPath: path)
        let first = next
        var before = anchor
        for vertex in vertices {
          let source = columns.points.buffer[vertex].x
          if let before {
            let leap = (source - before.source) * ratio - (points[next].x - before.image)
            let turns = (leap / width).rounded()
            if turns != 0, turns.isFinite { points[next].x += turns * width }
          }
          before = (source, points[next].x)
          if anchor == nil { anchor = before }
          next &+= 1
        }
        guard columns.kind(row) == .polygon, next > first &+ 1 else { continue }
        if (points[next &- 1].x - points[first].x).magnitude > width / 2 { closes = false }
        // The last vertex is the first again, to the bit.
        points[next &- 1] = points[first]
      }
    }
    return closes
  }
}

/// Counts the vertices that a runtime's overlays have projected, for tests: a moving view must project none.
final class ProjectionCounter: Sendable {
  private let count = Lock(0)

  static func of(_ runtime: Runtime) -> ProjectionCounter {
    runtime.service(ProjectionCounter.self) { ProjectionCounter() }
  }

  func add(_ more: Int) { count.withLock { $0 &+= more } }

  var value: Int { count.withLock { $0 } }
}
