/// Which part of a circle is covered, such as which longitudes an image has.
struct CircleCoverage {
  /// Once around.
  let width: Double
  private var arcs: [(start: Double, end: Double)] = []

  init(width: Double) { self.width = width }

  /// Covers the shorter way between two places.
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
