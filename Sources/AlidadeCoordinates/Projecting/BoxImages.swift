import AlidadeBase

/// A point of a box and where it goes: NaN if it has no image. The image of a pole has a latitude, and NaN for the
/// longitude, because it has all of them.
struct BoxSample {
  var place: Point
  var image: Point

  var isProjected: Bool { !image.y.isNaN }
}

/// Where the points of a box go.
struct BoxImages {
  let projector: Projector
  /// In the projector's source; x runs on across the antimeridian.
  let box: Envelope
  /// Images beyond count as none.
  var northings = -Double.infinity...Double.infinity
  /// Of each image's x the one nearest to a centre is taken, in a world that repeats itself; nil: as it comes.
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
    let corners = [
      Point(x: box.xMin, y: box.yMin), Point(x: box.xMax, y: box.yMin), Point(x: box.xMax, y: box.yMax),
      Point(x: box.xMin, y: box.yMax),
    ]
    return corners.indices.map { (corners[$0], corners[($0 &+ 1) % 4]) }
  }

  /// A place from 0 to 1 along a line; at 1 its very end.
  static func point(at t: Double, _ line: (start: Point, end: Point)) -> Point {
    if t >= 1 { return line.end }
    return Point(
      x: line.start.x + (line.end.x - line.start.x) * t, y: line.start.y + (line.end.y - line.start.y) * t)
  }

  /// The image of a place; NaN if it has none.
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
  func along(
    _ line: (start: Point, end: Point), size: Point
  ) throws(EngineError) -> [(t: Double, sample: BoxSample)] {
    let count = 64
    var steps: [Double] = []
    for index in 0...count { steps.append(Double(index) / Double(count)) }
    var known = Array(zip(steps, try samples(steps.map { Self.point(at: $0, line) })))
    for _ in 0..<8 {
      let suspects = zip(known, known.dropFirst()).map { ($0.0 + $1.0) / 2 }
      // The first round looks at all middles, the next ones only beside those that surprised.
      let asked = suspects.enumerated().filter { Self.isRough(known, around: $0.offset, size) }.map(\.element)
      if asked.isEmpty { break }
      let found = Array(zip(asked, try samples(asked.map { Self.point(at: $0, line) })))
      known = (known + found).sorted { $0.0 < $1.0 }
    }
    return known.map { (t: $0.0, sample: $0.1) }
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
