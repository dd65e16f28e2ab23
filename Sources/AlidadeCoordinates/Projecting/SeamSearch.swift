import AlidadeBase

/// The two sides of the line along which a map that wraps around is cut open: -180 and 180 degrees.
struct Seam {
  var low: Double
  var high: Double

  /// Puts both ends of a box between the sides. A box that begins at the seam begins on its low side.
  func normalise(_ envelope: inout Envelope) {
    let width = high - low
    guard width > 0, envelope.xMax - envelope.xMin < width * (1 - 1e-9) else {
      (envelope.xMin, envelope.xMax) = (low, high)
      return
    }
    let shift = ((envelope.xMin - low) / width + 1e-12).rounded(.down) * width
    if shift != 0 { (envelope.xMin, envelope.xMax) = (envelope.xMin - shift, envelope.xMax - shift) }
    if envelope.xMax > high + 1e-12 * width { envelope.xMax -= width }
  }
}

/// Finds where on the circle of longitudes the image of a box lies, and where that circle is cut open.
struct SeamSearch {
  let images: BoxImages
  /// Once around.
  let width: Double
  let isGeographic: Bool

  /// - Parameter lines: points that follow each other through the box. Between two points, the shorter direction is
  /// meant.
  /// - Returns: `center`: the middle of the image, nil if it goes all around; nil without an image.
  func read(_ lines: [[BoxSample]]) throws(EngineError) -> (center: Double?, seam: Seam)? {
    var coverage = CircleCoverage(width: width)
    var (lowest, highest) = (Double.infinity, -Double.infinity)
    var cut: (BoxSample, BoxSample)?
    for line in lines {
      for sample in line where sample.isProjected && !isPole(sample.image) {
        coverage.cover(from: sample.image.x, to: sample.image.x)
        (lowest, highest) = (min(lowest, sample.image.x), max(highest, sample.image.x))
      }
      for (a, b) in zip(line, line.dropFirst()) where a.isProjected && b.isProjected {
        try cover(a, b, depth: 0, &coverage)
        if cut == nil, (a.image.x - b.image.x).magnitude > width / 2 { cut = (a, b) }
      }
    }
    guard lowest <= highest else {
      // A pole alone has all longitudes.
      let hasPole = lines.contains { $0.contains(where: \.isProjected) }
      return hasPole ? (nil, Seam(low: -width / 2, high: width / 2)) : nil
    }
    let seam = try seam(lowest, highest, cut)
    guard let gap = coverage.longestGap() else { return (nil, seam) }
    let center = gap.end + (width - (gap.end - gap.start)) / 2
    // Between the seam's sides, so that most images stay as they are, bit for bit.
    return (center - ((center - seam.low) / width).rounded(.down) * width, seam)
  }

  /// A pole has all longitudes.
  private func isPole(_ image: Point) -> Bool { image.x.isNaN }

  /// Covers the way between two neighbours. Where it is long, as near a pole, what lies between them decides which way
  /// round it goes.
  private func cover(_ a: BoxSample, _ b: BoxSample, depth: Int, _ coverage: inout CircleCoverage) throws(EngineError) {
    guard !isPole(a.image), !isPole(b.image) else { return }
    let turns = (b.image.x - a.image.x) / width
    if (turns - turns.rounded()).magnitude < 0.2 {
      coverage.cover(from: a.image.x, to: b.image.x)
    } else if depth < 40 {
      let between = Point(x: (a.place.x + b.place.x) / 2, y: (a.place.y + b.place.y) / 2)
      let middle = try images.sample(between)
      guard middle.isProjected else { return }
      try cover(a, middle, depth: depth &+ 1, &coverage)
      try cover(middle, b, depth: depth &+ 1, &coverage)
    }
    // Still long: the way goes through a pole.
  }

  private func seam(_ lowest: Double, _ highest: Double, _ cut: (BoxSample, BoxSample)?) throws(EngineError) -> Seam {
    if isGeographic { return Seam(low: -width / 2, high: width / 2) }
    guard var (a, b) = cut else {
      // Nothing is cut: the seam lies outside of the image, or along its sides.
      return exact((lowest + highest) / 2)
    }
    for _ in 0..<60 {
      let middle = try images.sample(Point(x: (a.place.x + b.place.x) / 2, y: (a.place.y + b.place.y) / 2))
      guard middle.isProjected else { break }
      if (middle.image.x - a.image.x).magnitude > width / 2 { b = middle } else { a = middle }
    }
    return exact((a.image.x + b.image.x) / 2)
  }

  /// The seam around a middle that was found by search; most often the middle is 0.
  private func exact(_ middle: Double) -> Seam {
    let center = middle.magnitude < 1e-8 * width ? 0 : middle
    return Seam(low: center - width / 2, high: center + width / 2)
  }
}

/// Which part of a circle is covered, such as which longitudes an image has.
struct CircleCoverage {
  /// Once around.
  let width: Double
  private var arcs: [(start: Double, end: Double)] = []

  init(width: Double) { self.width = width }

  /// Covers the shorter interval between two positions.
  mutating func cover(from a: Double, to b: Double) {
    let turns = ((b - a) / width).rounded()
    let step = b - a - turns * width
    let first = step < 0 ? a + step : a
    let start = first - (first / width).rounded(.down) * width
    let end = start + step.magnitude
    guard start.isFinite, end.isFinite else { return }
    arcs.append((start, end))
    // What goes over the end of the circle counts at its beginning as well.
    if end > width { arcs.append((start - width, end - width)) }
  }

  /// The longest part that is not covered, from `start` up to `end`, which may lie beyond `width`; nil if there is none
  /// longer than what rounding leaves.
  func longestGap() -> (start: Double, end: Double)? {
    let sorted = arcs.sorted { $0.start < $1.start }
    guard let first = sorted.first else { return nil }
    var reached = first.end
    var longest: (start: Double, end: Double)?
    func note(_ end: Double) {
      if end - reached > max(1e-9 * width, longest.map { $0.end - $0.start } ?? 0) { longest = (reached, end) }
    }
    for arc in sorted {
      note(arc.start)
      reached = max(reached, arc.end)
    }
    note(first.start + width)
    return longest
  }
}
