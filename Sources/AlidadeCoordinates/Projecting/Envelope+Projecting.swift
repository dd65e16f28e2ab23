import AlidadeBase
import Glibc

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

  /// Throws unless the numbers are a valid box in a spatial reference.
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
    // At most one turn. More would mean that numbers of different worlds were mixed up.
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
          + "\(reference.name), \(width). Its digits are too coarse to say which part of the world that is.")
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
  /// Whether an x is so many worlds away that its digits no longer distinguish neighbouring positions.
  public func isLost(_ x: Double) -> Bool {
    // Then a double has 32 bits for the position in the world: a centimetre.
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
    if let envelope = imageOfCorners { return ProjectedEnvelope(envelope: envelope) }
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

  /// The image of a box whose sides stay sides, as between longitudes and latitudes and Mercator's projection. It is what
  /// a search finds, hundreds of times as fast. nil where a search must say more: at poles, over the seam, around half of
  /// the world.
  private var imageOfCorners: Envelope? {
    guard let fast = projector.fast, fast.keepsBoxes, !projector.refusesOperations, !isBeyondPoles, !poles.isNorth,
      !poles.isSouth, box.yMin <= box.yMax, let world = from.system.worldWidth, box.xMax - box.xMin < world / 2,
      let low = fast.project(Point(x: box.xMin, y: box.yMin), accepting: projector.northings),
      let high = fast.project(Point(x: box.xMax, y: box.yMax), accepting: projector.northings),
      low.x <= high.x, let width
    else { return nil }
    // Not at the ends of the world, where a search rounds.
    let (margin, pole) = (1e-9 * width, to.kind == .geographic ? width / 4 : .infinity)
    guard low.y >= max(northings.lowerBound, -pole) + margin, high.y <= min(northings.upperBound, pole) - margin,
      low.y <= high.y, low.x >= margin - width / 2, high.x <= width / 2 - margin
    else { return nil }
    return Envelope(xMin: low.x, yMin: low.y, xMax: high.x, yMax: high.y)
  }

  /// Mercator's poles are infinitely far away. A box that holds one ends where the world is a square.
  private var northings: ClosedRange<Double> {
    let all = to.system.northings
    guard let width, to.system.hasPolesAtInfinity else { return all }
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
    var edges: [BorderLine] = []
    for (start, end) in images.sides { edges.append(try images.along(.segment(start, end), size: size)) }
    var others: [BoxSample] = []
    var rings: [[BoxSample]] = []
    for pole in poles.places {
      others.append(try images.sample(pole.place))
      rings.append(try images.samples(pole.ring))
    }
    let isPartial =
      ([grid, others] + rings).joined().contains { !$0.isProjected }
      || edges.contains { $0.points.contains { !$0.sample.isProjected } }
    if width == nil {
      // A pole may become a line, and the way around it goes along it.
      for sample in others where sample.isProjected {
        edges.append(try images.along(.around(sample.place, in: box), size: size))
      }
    }

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
      images: images, grid: grid, edges: edges, others: others, isPartial: isPartial,
      cuts: try ImageCuts(of: grid, images, size: size, jumps: width == nil))
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
}

/// A point of a box and where it goes: NaN if it has no image. The image of a pole has a latitude, and NaN for the
/// longitude, because it has all of them.
struct BoxSample {
  var place: Point
  var image: Point

  var isProjected: Bool { !image.y.isNaN }
}

/// A line through a box that takes part in the border of its image, with points from 0 to 1 along it.
struct BorderLine {
  enum Shape {
    case segment(_ start: Point, _ end: Point)
    case circle(_ center: Point, radius: Double, in: Envelope)

    /// The smallest circle around a point on which directions are still distinguished.
    static func around(_ center: Point, in box: Envelope) -> Shape {
      let size = max(box.xMax - box.xMin, box.yMax - box.yMin)
      let rounding = max(center.x.magnitude, center.y.magnitude).ulp
      return .circle(center, radius: max(1e-10 * size, (rounding * size).squareRoot()), in: box)
    }

    /// The parts of a circle outside of the box are moved to its edge.
    func place(at t: Double) -> Point {
      switch self {
      case .segment(let start, let end): BoxImages.point(at: t, (start, end))
      case .circle(let center, let radius, let box):
        Point(
          x: min(max(center.x + radius * cos(2 * .pi * t), box.xMin), box.xMax),
          y: min(max(center.y + radius * sin(2 * .pi * t), box.yMin), box.yMax))
      }
    }
  }

  let shape: Shape
  var points: [(t: Double, sample: BoxSample)]
}

/// Where the points of a box go.
struct BoxImages {
  let projector: Projector
  /// In the projector's source; x runs on across the antimeridian.
  let box: Envelope
  /// Images beyond count as none.
  var northings = -Double.infinity...Double.infinity
  /// In a world that repeats itself, the x of each image that is nearest to a centre is taken; nil: as it comes.
  var wrap: (center: Double, width: Double)?
  /// From this latitude on, north or south, an image is that of a pole.
  var poleLatitude = Double.infinity
  /// How many cells a side of the grid inside the box has.
  static let cells = 32

  init(_ projector: Projector, _ box: Envelope) {
    self.projector = projector
    self.box = box
  }

  var hasExtent: Bool { box.xMin < box.xMax && box.yMin < box.yMax }

  /// The ends of the sides, once around. A box without extent has sides without length.
  var sides: [(start: Point, end: Point)] {
    let corners = box.corners
    return corners.indices.map { (corners[$0], corners[($0 &+ 1) % 4]) }
  }

  /// A point from 0 to 1 along a line; at 1 its very end.
  static func point(at t: Double, _ line: (start: Point, end: Point)) -> Point {
    if t >= 1 { return line.end }
    return Point(
      x: line.start.x + (line.end.x - line.start.x) * t, y: line.start.y + (line.end.y - line.start.y) * t)
  }

  /// The image of a point; NaN without an image.
  func image(_ place: Point) throws(EngineError) -> Point { accepted(try projector.project(place) ?? .nan) }

  func sample(_ place: Point) throws(EngineError) -> BoxSample {
    BoxSample(place: place, image: try image(place))
  }

  func samples(_ places: [Point]) throws(EngineError) -> [BoxSample] {
    var images = places
    try images.withUnsafeMutableBufferPointer { (buffer) throws(EngineError) in try projector.project(buffer) }
    return zip(places, images).map { BoxSample(place: $0, image: accepted($1)) }
  }

  private func accepted(_ image: Point) -> Point {
    guard northings.contains(image.y) else { return .nan }
    if image.y.magnitude >= poleLatitude { return Point(x: .nan, y: image.y) }
    guard let wrap else { return image }
    return image.unwrapped(near: wrap.center, width: wrap.width)
  }

  /// A grid of (cells + 1) squared points, row by row from below.
  func grid() throws(EngineError) -> [BoxSample] {
    let ends = sides
    let (left, right) = ((ends[0].start, ends[3].start), (ends[1].start, ends[2].start))
    var places: [Point] = []
    for row in 0...Self.cells {
      let t = Double(row) / Double(Self.cells)
      let line = (Self.point(at: t, left), Self.point(at: t, right))
      for column in 0...Self.cells {
        places.append(Self.point(at: Double(column) / Double(Self.cells), line))
      }
    }
    return try samples(places)
  }

  /// Points along a line, the denser the more its image bends, jumps or breaks off.
  ///
  /// - Parameter size: the width and height of the whole image, against which bends are measured.
  func along(_ line: BorderLine.Shape, size: Point) throws(EngineError) -> BorderLine {
    let count = 64
    var steps: [Double] = []
    for index in 0...count { steps.append(Double(index) / Double(count)) }
    var known = Array(zip(steps, try samples(steps.map(line.place))))
    for _ in 0..<8 {
      let suspects = zip(known, known.dropFirst()).map { ($0.0 + $1.0) / 2 }
      // The first round looks at all middles, the next rounds only next to those that surprised.
      let asked = suspects.enumerated().filter { Self.isRough(known, around: $0.offset, size) }.map(\.element)
      if asked.isEmpty { break }
      let found = Array(zip(asked, try samples(asked.map(line.place))))
      known = (known + found).sorted { $0.0 < $1.0 }
    }
    return BorderLine(shape: line, points: known.map { (t: $0.0, sample: $0.1) })
  }

  /// Whether the piece after a point bends visibly against its neighbours, or breaks off.
  private static func isRough(_ known: [(Double, BoxSample)], around index: Int, _ size: Point) -> Bool {
    let (a, b) = (known[index], known[index &+ 1])
    if a.1.isProjected != b.1.isProjected { return true }
    guard a.1.isProjected else { return false }
    for other in [index &- 1, index &+ 2] where known.indices.contains(other) {
      let c = known[other]
      guard c.1.isProjected else { return true }
      // How far the neighbour lies off the straight line on from this piece.
      let scale = (c.0 - a.0) / (b.0 - a.0)
      let x = a.1.image.x + (b.1.image.x - a.1.image.x) * scale - c.1.image.x
      let y = a.1.image.y + (b.1.image.y - a.1.image.y) * scale - c.1.image.y
      if x.magnitude > size.x / 50 || y.magnitude > size.y / 50 { return true }
    }
    return false
  }
}

/// What a box around images is made as small as: the farthest image to each of four sides.
struct ExtremeSearch {
  enum Side: CaseIterable {
    case left, bottom, right, top

    /// Grows towards the side.
    func value(_ image: Point) -> Double {
      switch self {
      case .left: -image.x
      case .bottom: -image.y
      case .right: image.x
      case .top: image.y
      }
    }
  }

  let images: BoxImages
  let grid: [BoxSample]
  let edges: [BorderLine]
  /// Points that are known to matter, such as a pole.
  let others: [BoxSample]
  let isPartial: Bool
  let cuts: ImageCuts

  /// Somewhere the image breaks off or jumps, so that its border is not the image of the box's border alone.
  private var isBroken: Bool { isPartial || !cuts.isEmpty }

  /// The distances at which points are still distinguished, as parts of two cells: along a line, where the best may be
  /// the brink of a cliff, and between lines.
  private struct Care {
    var along: Double
    var between: Double

    static let rough = Care(along: 1e-3, between: 1e-3)
    static let fine = Care(along: 1e-11, between: 1e-8)
  }

  /// At most this many points inside the box are examined closely, for each side.
  private static let closeLooks = 4

  /// The farthest sample to a side; nil if nothing has an image there.
  func extreme(_ side: Side) throws(EngineError) -> BoxSample? {
    var best: BoxSample?
    func note(_ sample: BoxSample) {
      let value = side.value(sample.image)
      if value.isNaN { return }
      if let best, side.value(best.image) >= value { return }
      best = sample
    }
    for sample in grid { note(sample) }
    for sample in others { note(sample) }
    for edge in edges { for point in edge.points { note(point.sample) } }
    guard best != nil else { return nil }
    for edge in edges {
      for sample in try peaks(of: edge, side, best.map { side.value($0.image) } ?? -.infinity) { note(sample) }
    }
    for sample in try cuts.peaks(side, best.map { side.value($0.image) } ?? -.infinity) { note(sample) }
    guard images.hasExtent else { return best }
    // All of them roughly, and the one that comes out best to the end.
    var top: BoxSample?
    for place in try closeLooks(side, best) {
      let found = try look(around: place, side, .rough)
      let value = side.value(found.image)
      if value > (top.map { side.value($0.image) } ?? -.infinity) { top = found }
    }
    if let top { note(try look(around: top.place, side, .fine)) }
    return best
  }

  // MARK: Edges

  /// The peaks of an edge that may lie beyond the best value so far.
  private func peaks(of edge: BorderLine, _ side: Side, _ best: Double) throws(EngineError) -> [BoxSample] {
    let points = edge.points
    var found: [BoxSample] = []
    for (index, point) in points.enumerated() {
      let (before, after) = (points[max(0, index &- 1)], points[min(points.count &- 1, index &+ 1)])
      let value = side.value(point.sample.image)
      let (left, right) = (side.value(before.sample.image), side.value(after.sample.image))
      // A NaN is no peak, and does not keep its neighbour from being one.
      if value.isNaN || left > value || right > value { continue }
      let drop = max(value - left, value - right)
      if drop.isFinite, !left.isNaN, !right.isNaN, value + 2 * drop < best || drop == 0 { continue }
      let peak = try climb(from: before.t, over: (point.t, value), to: after.t, resolution: 1e-15) {
        (t) throws(EngineError) in side.value(try images.image(edge.shape.place(at: t)))
      }
      found.append(try images.sample(edge.shape.place(at: peak.place)))
    }
    return found
  }

  // MARK: Inside

  /// Points of the grid around which the image may reach beyond what is known: peaks inside the box, and the best point
  /// if it lies on an edge that the image crosses.
  private func closeLooks(_ side: Side, _ best: BoxSample?) throws(EngineError) -> [Point] {
    let row = BoxImages.cells &+ 1
    let known = best.map { side.value($0.image) } ?? -.infinity
    var peaks: [(value: Double, place: Point)] = []
    for (index, sample) in grid.enumerated() {
      let value = side.value(sample.image)
      if value.isNaN { continue }
      let (x, y) = (index % row, index / row)
      let isOnEdge = x == 0 || y == 0 || x == row &- 1 || y == row &- 1
      // On an edge the edge itself has been looked at, unless something goes on inside.
      if isOnEdge, !isBroken { continue }
      var (lowest, isPeak, isAlone) = (value, true, false)
      for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
        let (column, line) = (x &+ dx, y &+ dy)
        guard column >= 0, line >= 0, column < row, line < row else { continue }
        let other = side.value(grid[line &* row &+ column].image)
        if other > value { isPeak = false }
        if other.isNaN { isAlone = true } else { lowest = min(lowest, other) }
      }
      guard isPeak, isAlone || (lowest < value && value + 2 * (value - lowest) >= known) else { continue }
      peaks.append((value, sample.place))
    }
    var places = peaks.sorted { $0.value > $1.value }.prefix(Self.closeLooks).map(\.place)
    guard let best else { return places }
    var goesOn = isBroken
    if !goesOn { goesOn = try reachesFurther(inside: best, side) }
    if goesOn { places.append(best.place) }
    return places
  }

  /// Whether the image goes on towards a side when one steps from an edge into the box.
  private func reachesFurther(inside best: BoxSample, _ side: Side) throws(EngineError) -> Bool {
    let (width, height) = (images.box.xMax - images.box.xMin, images.box.yMax - images.box.yMin)
    let value = side.value(best.image)
    var places: [Point] = []
    for step in [3e-2, 3e-3, 3e-4] {
      for (dx, dy) in [(1.0, 0.0), (-1, 0), (0, 1), (0, -1), (0.5, 0.5), (0.5, -0.5), (-0.5, 0.5), (-0.5, -0.5)] {
        let place = Point(x: best.place.x + dx * step * width, y: best.place.y + dy * step * height)
        if contains(place) { places.append(place) }
      }
    }
    return try images.samples(places).contains { side.value($0.image) > value }
  }

  private func contains(_ place: Point) -> Bool {
    let box = images.box
    return place.x >= box.xMin && place.x <= box.xMax && place.y >= box.yMin && place.y <= box.yMax
  }

  /// Climbs from a point, along x for each y and the other way round. Both find the top of a diagonal ridge or cliff,
  /// because each compares the best of whole lines.
  private func look(around place: Point, _ side: Side, _ care: Care) throws(EngineError) -> BoxSample {
    let across = try look(around: place, side, care, isTurned: false)
    return try look(around: across.place, side, care, isTurned: true)
  }

  private func look(around place: Point, _ side: Side, _ care: Care, isTurned: Bool) throws(EngineError) -> BoxSample {
    let box = images.box
    let (width, height) = (box.xMax - box.xMin, box.yMax - box.yMin)
    let cell = Point(x: width / Double(BoxImages.cells), y: height / Double(BoxImages.cells))
    let low = Point(x: max(box.xMin, place.x - cell.x), y: max(box.yMin, place.y - cell.y))
    let high = Point(x: min(box.xMax, place.x + cell.x), y: min(box.yMax, place.y + cell.y))
    func point(_ inner: Double, _ outer: Double) -> Point {
      isTurned ? Point(x: outer, y: inner) : Point(x: inner, y: outer)
    }
    let (innerLow, innerHigh) = isTurned ? (low.y, high.y) : (low.x, high.x)
    let (outerLow, outerHigh) = isTurned ? (low.x, high.x) : (low.y, high.y)
    let inner = isTurned ? place.y : place.x
    let outer = isTurned ? place.x : place.y
    /// The best point of a line, from the first of three points on it that has an image.
    func top(_ line: Double) throws(EngineError) -> (place: Double, value: Double) {
      var start = (place: inner, value: -Double.infinity)
      for candidate in [inner, innerLow, innerHigh, (innerLow + innerHigh) / 2] {
        let value = side.value(try images.image(point(candidate, line)))
        if value > start.value { start = (candidate, value) }
      }
      guard start.value > -.infinity else { return start }
      return try climb(from: innerLow, over: start, to: innerHigh, resolution: care.along * (innerHigh - innerLow)) {
        (at) throws(EngineError) in side.value(try images.image(point(at, line)))
      }
    }
    let start = try top(outer)
    let best = try climb(
      from: outerLow, over: (outer, start.value), to: outerHigh, resolution: care.between * (outerHigh - outerLow)
    ) { (line) throws(EngineError) in try top(line).value }
    return try images.sample(point(try top(best.place).place, best.place))
  }
}

/// Searches the greatest value between two ends by golden section, from a point between them whose value is no smaller
/// than around it.
///
/// It needs no derivatives. Where the value jumps it closes in on the jump from the higher side, and where there is no
/// value (NaN), on the last point that has a value.
///
/// - Parameter resolution: the distance at which points are still distinguished.
func climb(
  from low: Double, over start: (place: Double, value: Double), to high: Double, resolution: Double,
  _ value: (Double) throws(EngineError) -> Double
) throws(EngineError) -> (place: Double, value: Double) {
  var (low, high, best) = (low, high, start)
  // Each step leaves at most 0.77 of the bracket.
  for _ in 0..<160 {
    let (left, right) = (best.place - low, high - best.place)
    guard max(left, right) > resolution else { break }
    let place = best.place + (right > left ? right : -left) * 0.381966011250105
    guard place != best.place else { break }
    let found = try value(place)
    if found > best.value {
      if place > best.place { low = best.place } else { high = best.place }
      best = (place, found)
    } else if place > best.place {
      high = place
    } else {
      low = place
    }
  }
  return best
}

/// The poles that lie in a box.
struct PolesOfBox {
  /// A pole, and a ring around it inside the box; the ring is empty if the pole lies on the box's edge.
  struct Pole {
    var place: Point
    var ring: [Point]
  }

  private(set) var places: [Pole] = []
  private(set) var isNorth = false
  private(set) var isSouth = false

  private static let ringCount = 128

  /// - Parameter target: if it is geographic, its poles are meant; they lie some metres from the poles of other datums.
  init(of box: Envelope, in reference: SpatialReference, for target: SpatialReference) throws(EngineError) {
    guard reference.kind != .local, target.kind != .local else { return }
    let globe =
      target.kind == .geographic
      ? target : try SpatialReference.make(runtime: reference.runtime, authority: "EPSG", code: 4326)
    guard let width = globe.system.worldWidth else { return }
    let there = try Projector.between(globe, reference)
    let back = try Projector.between(reference, globe)
    let middle = Point(x: box.xMin + (box.xMax - box.xMin) / 2, y: box.yMin + (box.yMax - box.yMin) / 2)
    // Where a pole is a line, the point of it above the middle of the box counts.
    let longitude = try back.project(middle)?.x ?? 0
    for (latitude, isNorthern) in [(width / 4, true), (-width / 4, false)] {
      guard var place = try there.project(Point(x: longitude, y: latitude)) else { continue }
      if let world = reference.system.worldWidth { place = place.unwrapped(near: middle.x, width: world) }
      // How far inside, in either direction; rounding must not push a pole off an edge.
      let inside = min(place.x - box.xMin, box.xMax - place.x, place.y - box.yMin, box.yMax - place.y)
      let size = box.xMax - box.xMin + box.yMax - box.yMin
      let slack = 1e-9 * size + 1e-12 * (place.x.magnitude + place.y.magnitude)
      guard inside >= -slack else { continue }
      place.x = min(max(place.x, box.xMin), box.xMax)
      place.y = min(max(place.y, box.yMin), box.yMax)
      guard let image = try back.project(place), (image.y - latitude).magnitude < 1e-6 * width else { continue }
      if isNorthern { isNorth = true } else { isSouth = true }
      places.append(Pole(place: place, ring: inside > slack ? Self.ring(around: place, radius: inside / 2) : []))
    }
  }

  private static func ring(around center: Point, radius: Double) -> [Point] {
    (0..<ringCount).map { index in
      let angle = 2 * Double.pi * Double(index) / Double(ringCount)
      return Point(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
    }
  }
}
