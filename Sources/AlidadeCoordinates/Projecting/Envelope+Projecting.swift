import AlidadeBase

/// The box around the image of a box.
public struct ProjectedEnvelope: Sendable {
  /// In a spatial reference that wraps around, `xMin` > `xMax` where the box goes over the seam (the antimeridian).
  public var envelope: Envelope
  /// Some of the box cannot be projected and is left out.
  public var isPartial = false
  public var holdsNorthPole = false
  public var holdsSouthPole = false

  /// The box goes over the seam.
  public var crossesAntimeridian: Bool { envelope.xMin > envelope.xMax }
}

extension Envelope {
  /// The box around the image of this one.
  ///
  /// Extremes are searched, not sampled: along the edges, which are lines of constant x and y in `from`, and inside,
  /// where a pole lies or the image folds, jumps or breaks off. They are right to 1e-9 of the image's size where the
  /// operation is smooth.
  ///
  /// Where `from` wraps around, `xMin` > `xMax` means that the box goes over the seam. Where `to` does, the result is the
  /// narrowest box that holds all of the image, over the seam or not.
  ///
  /// - Parameter options: how points are projected; heights do not matter. Points that they refuse are left out.
  public func projected(
    from: SpatialReference, to: SpatialReference, options: ProjectionOptions = ProjectionOptions()
  ) throws(EngineError) -> ProjectedEnvelope {
    try from.runtime.limited { () throws(EngineError) -> ProjectedEnvelope in
      var flat = options
      flat.ignoresVertical = true
      let projector = try Projector.between(from, to, options: flat)
      let projection = try EnvelopeProjection(from, to, projector, try unwrapped(in: from))
      return try projection.isIdentity ? projection.unchanged(self) : projection.result()
    }
  }

  /// Throws unless the numbers make a box in a spatial reference.
  public func requireBox(in reference: SpatialReference) throws(EngineError) { _ = try unwrapped(in: reference) }

  /// The same box with an x that runs on over the seam.
  private func unwrapped(in reference: SpatialReference) throws(EngineError) -> Envelope {
    guard [xMin, yMin, xMax, yMax].allSatisfy(\.isFinite) else {
      throw EngineError(.invalidArgument, "The envelope has a coordinate that is not finite.")
    }
    guard yMin <= yMax else {
      throw EngineError(.invalidArgument, "The envelope's y_min is \(yMin), which is greater than its y_max, \(yMax).")
    }
    var box = self
    guard let width = reference.system.worldWidth else {
      guard xMin <= xMax else {
        throw EngineError(
          .invalidArgument,
          "The envelope's x_min is \(xMin), which is greater than its x_max, \(xMax); \(reference.name) does not wrap "
            + "around.")
      }
      return box
    }
    // One turn at most: else numbers of different worlds were mixed up.
    if xMin > xMax { box.xMax += width }
    guard box.xMin <= box.xMax else {
      throw EngineError(
        .invalidArgument,
        "The envelope's x_min is \(xMin) and its x_max \(xMax); that is more than once around the world of "
          + "\(reference.name), \(width).")
    }
    if box.xMax - box.xMin > width {
      // From far away to far away is all around, wherever that begins.
      if reference.isLost(box.xMin) || reference.isLost(box.xMax) { return Envelope(aroundWorld: width, self) }
      box.xMax = box.xMin + width
    }
    guard !reference.isLost(box.xMin), !reference.isLost(box.xMax) else {
      throw EngineError(
        .invalidArgument,
        "The envelope goes from x = \(xMin) to \(xMax), more than a million times around the world of "
          + "\(reference.name), \(width): which place that is, its digits do not say.")
    }
    let turns = (box.xMin / width).rounded()
    if turns.magnitude > 1 {
      (box.xMin, box.xMax) = (box.xMin - turns * width, box.xMax - turns * width)
    }
    return box
  }
}

extension Envelope {
  fileprivate init(aroundWorld width: Double, _ other: Envelope) {
    self.init(xMin: -width / 2, yMin: other.yMin, xMax: width / 2, yMax: other.yMax)
  }
}

extension SpatialReference {
  /// Whether an x is so many worlds away that its digits do not say any more which place it means.
  public func isLost(_ x: Double) -> Bool {
    // A double then has 32 bits for the place in the world: a centimetre.
    system.worldWidth.map { x.magnitude > $0 * 0x1p20 } ?? false
  }
}

/// Projects one box.
private struct EnvelopeProjection {
  let from: SpatialReference
  let to: SpatialReference
  let projector: Projector
  let box: Envelope
  /// Some of the given box lies beyond the poles, where there is nothing; all of it if `box` is upside down.
  let isBeyondPoles: Bool
  let poles: PolesOfBox
  /// How wide the target's world is; nil if it does not wrap around.
  let width: Double?

  init(
    _ from: SpatialReference, _ to: SpatialReference, _ projector: Projector, _ box: Envelope
  ) throws(EngineError) {
    (self.from, self.to) = (from, to)
    var here = box
    if from.kind == .geographic, let world = from.system.worldWidth {
      (here.yMin, here.yMax) = (max(box.yMin, -world / 4), min(box.yMax, world / 4))
    }
    self.box = here
    isBeyondPoles = here.yMin != box.yMin || here.yMax != box.yMax
    self.projector = projector
    poles = try PolesOfBox(of: here, in: from, for: to)
    width = to.system.worldWidth
  }

  var isIdentity: Bool { projector.isIdentity }

  func unchanged(_ given: Envelope) -> ProjectedEnvelope {
    ProjectedEnvelope(envelope: given, holdsNorthPole: poles.isNorth, holdsSouthPole: poles.isSouth)
  }

  func result() throws(EngineError) -> ProjectedEnvelope {
    var images = BoxImages(projector, box)
    images.northings = northings
    if to.kind == .geographic, let width { images.poleLatitude = width / 4 * (1 - 1e-12) }
    var found = box.yMin <= box.yMax ? try search(images) : nil
    if found == nil, box.yMin <= box.yMax, poles.isNorth || poles.isSouth {
      // All of it lies beyond the square of the world.
      images.northings = to.system.northings
      found = try search(images)
    }
    guard var result = found else {
      throw EngineError(
        .projectionFailed,
        "Nothing of the box (\(box.xMin), \(box.yMin), \(box.xMax), \(box.yMax)) can be projected from "
          + "\(from.name) to \(to.name).")
    }
    result.isPartial = result.isPartial || isBeyondPoles
    result.holdsNorthPole = poles.isNorth
    result.holdsSouthPole = poles.isSouth
    if to.kind == .geographic, let width { finishLatitudes(&result, quarter: width / 4) }
    return result
  }

  /// Mercator's poles are infinitely far away. A box that holds one ends where the world is a square.
  private var northings: ClosedRange<Double> {
    let all = to.system.northings
    guard let width, to.kind == .projected, all.upperBound < 1e15, all.lowerBound > -1e15 else { return all }
    let equator = (all.lowerBound + all.upperBound) / 2
    let lower = poles.isSouth ? equator - width / 2 : all.lowerBound
    let upper = poles.isNorth ? equator + width / 2 : all.upperBound
    return lower <= upper ? lower...upper : all
  }

  /// nil if nothing has an image.
  private func search(_ given: BoxImages) throws(EngineError) -> ProjectedEnvelope? {
    var images = given
    var grid = try images.grid()
    let size = Self.size(of: grid)
    var edges: [(line: (start: Point, end: Point), points: [(t: Double, sample: BoxSample)])] = []
    for side in images.sides { edges.append((side, try images.along(side, size: size))) }
    var others: [BoxSample] = []
    var rings: [[BoxSample]] = []
    for pole in poles.places {
      others.append(try images.sample(pole.place))
      rings.append(try images.samples(pole.ring))
    }
    let isPartial =
      ([grid, others] + rings).joined().contains { !$0.isProjected }
      || edges.contains { $0.points.contains { !$0.sample.isProjected } }

    var seam: Seam?
    var isWhole = false
    if let width {
      var lines = edges.map { $0.points.map(\.sample) } + rings.map { $0 + $0.prefix(1) }
      if images.hasExtent { lines += Self.lines(of: grid) }
      let around = try SeamSearch(images: images, width: width, isGeographic: to.kind == .geographic).read(lines)
      guard let around else { return nil }
      seam = around.seam
      isWhole = around.center == nil
      // Longitudes all around have no farthest one, and x is taken as it comes.
      if let center = around.center {
        images.wrap = (center, width)
        for index in grid.indices { grid[index].image = grid[index].image.unwrapped(near: center, width: width) }
        for index in others.indices { others[index].image = others[index].image.unwrapped(near: center, width: width) }
        for edge in edges.indices {
          for index in edges[edge].points.indices {
            let image = edges[edge].points[index].sample.image
            edges[edge].points[index].sample.image = image.unwrapped(near: center, width: width)
          }
        }
      }
    }
    let finder = ExtremeSearch(
      images: images, grid: grid, edges: edges, others: others,
      isBroken: isPartial || (width == nil && Self.jumps(grid)))
    guard let bottom = try finder.extreme(.bottom), let top = try finder.extreme(.top) else { return nil }
    var envelope = Envelope(xMin: 0, yMin: bottom.image.y, xMax: 0, yMax: top.image.y)
    let limits = images.northings
    if limits.upperBound - envelope.yMax < 1e-9 * limits.upperBound.magnitude { envelope.yMax = limits.upperBound }
    if envelope.yMin - limits.lowerBound < 1e-9 * limits.lowerBound.magnitude { envelope.yMin = limits.lowerBound }
    if let seam, isWhole {
      (envelope.xMin, envelope.xMax) = (seam.low, seam.high)
    } else {
      guard let left = try finder.extreme(.left), let right = try finder.extreme(.right) else { return nil }
      (envelope.xMin, envelope.xMax) = (left.image.x, right.image.x)
      if let seam { seam.normalise(&envelope) }
    }
    return ProjectedEnvelope(envelope: envelope, isPartial: isPartial)
  }

  /// Latitudes end at the poles.
  private func finishLatitudes(_ result: inout ProjectedEnvelope, quarter: Double) {
    if poles.isNorth || result.envelope.yMax > quarter * (1 - 1e-10) {
      result.envelope.yMax = quarter
      result.holdsNorthPole = true
    }
    if poles.isSouth || result.envelope.yMin < -quarter * (1 - 1e-10) {
      result.envelope.yMin = -quarter
      result.holdsSouthPole = true
    }
  }

  private static func size(of grid: [BoxSample]) -> Point {
    guard let envelope = Envelope(around: grid.map(\.image).filter(\.isFinite)) else { return .nan }
    return Point(x: envelope.xMax - envelope.xMin, y: envelope.yMax - envelope.yMin)
  }

  /// The lines of the grid, both ways.
  private static func lines(of grid: [BoxSample]) -> [[BoxSample]] {
    let row = BoxImages.cells &+ 1
    return (0..<row).map { line in Array(grid[(line &* row)..<((line &+ 1) &* row)]) }
      + (0..<row).map { column in (0..<row).map { grid[$0 &* row &+ column] } }
  }

  /// Whether the image is torn: two neighbours lie a good part of the whole image apart.
  private static func jumps(_ grid: [BoxSample]) -> Bool {
    let size = size(of: grid)
    return lines(of: grid).contains { line in
      zip(line, line.dropFirst()).contains { a, b in
        (a.image.x - b.image.x).magnitude > size.x / 4 || (a.image.y - b.image.y).magnitude > size.y / 4
      }
    }
  }
}
