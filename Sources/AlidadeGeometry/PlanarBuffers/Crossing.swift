import AlidadeBase

/// Where a circle enters and leaves another one, followed counterclockwise.
///
/// Directions are pseudo-angles: 0 ..< 4, growing with the angle, right angles at whole numbers. They need no
/// trigonometry and never change faster than the angle in radians.
struct Crossing {
  /// The position of the other circle.
  var other: Int32
  /// Where the part inside the other circle begins.
  var start: Double
  /// Its length, 0 ... 4.
  var length: Double
  /// By how much start and end may each be wrong.
  var error: Double

  var end: Double {
    let end = start + length
    return end >= 4 ? end - 4 : end
  }

  /// For circles that cross, or might as far as doubles tell.
  @inline(__always)
  init(of i: Disc, with j: Disc, at other: Int32, ax: Double, ay: Double, distance d: Double) {
    self.other = other
    let ri = i.radius
    let difference = (ri - j.radius) * (ri + j.radius) / d
    let t = 0.5 * (d + difference)
    let square = (ri - t) * (ri + t)
    let h = square > 0 ? square.squareRoot() : 0
    // The cosine of half the part, t / ri, is wrong by this at most.
    let unit = 0x1p-53
    let delta = 8 * unit * (d + abs(difference)) / ri
    let sine = h / ri
    error = (sine * sine > 4 * delta ? 2 * delta / sine : 4 * delta.squareRoot()) + 32 * unit
    let (tx, ty, hx, hy) = (ax * t, ay * t, ax * h, ay * h)
    start = pseudoAngle(tx + hy, ty - hx)
    let end = pseudoAngle(tx - hy, ty + hx)
    length = end - start
    if length < 0 { length += 4 }
    // Parts next to nothing or next to all, whose ends may have changed places by rounding.
    if sine < 1e-6 {
      if t > 0, length > 2 { length = 0 }
      if t < 0, length < 2 { length = 4 }
    }
  }
}

/// The direction of (x, y) as a number in 0 ..< 4.
@inline(__always)
func pseudoAngle(_ x: Double, _ y: Double) -> Double {
  let part = x / (abs(x) + abs(y))
  let value = y >= 0 ? 1 - part : 3 + part
  return value >= 4 ? 0 : value
}

/// The parts of a circle that are surely covered by others, and the gaps between them.
final class Coverage {
  /// Pieces from ... to, in 0 ... 4.
  let pieces: GrowingBuffer<(from: Double, to: Double)>
  /// What no piece covers, in order; a gap across 0 counts as two.
  let gaps: GrowingBuffer<(from: Double, to: Double)>

  init() throws(EngineError) {
    pieces = try GrowingBuffer(capacity: 64)
    gaps = try GrowingBuffer(capacity: 64)
  }

  func removeAll() { pieces.removeAll() }

  /// Adds what a crossing surely covers.
  @inline(__always)
  func add(_ crossing: Crossing) throws(EngineError) {
    let length = crossing.length - 2 * crossing.error
    guard length > 0 else { return }
    var from = crossing.start + crossing.error
    if from >= 4 { from -= 4 }
    let to = from + length
    if to <= 4 {
      try pieces.append((from, to))
    } else {
      try pieces.append((from, 4))
      try pieces.append((0, to - 4))
    }
  }

  /// Finds the gaps. Whether there are none.
  func isComplete() throws(EngineError) -> Bool {
    gaps.removeAll()
    var sorted = pieces.filled
    if sorted.count <= 24 {
      for index in sorted.indices.dropFirst() {
        let piece = sorted[index]
        var place = index
        while place > 0, sorted[place &- 1].from > piece.from {
          sorted[place] = sorted[place &- 1]
          place &-= 1
        }
        sorted[place] = piece
      }
    } else {
      sorted.sort { $0.from < $1.from }
    }
    var covered = 0.0
    for piece in sorted {
      if piece.from > covered { try gaps.append((covered, piece.from)) }
      covered = max(covered, piece.to)
    }
    if covered < 4 { try gaps.append((covered, 4)) }
    return gaps.count == 0
  }
}
