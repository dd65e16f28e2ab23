import AlidadeBase
import AlidadeCoordinates
import Glibc

/// A stretch of an edge's way that is cut into even pieces.
struct EvenStretch {
  /// Where it ends: a share of the way, at most 1. It begins where the one before it ends.
  let end: Double
  let pieces: Int
}

/// Finds where a way needs vertices to keep near it, if edges are straight in the spatial reference.
struct DeviationSearch {
  let frame: GeodesicFrame
  let way: WayAlong
  /// Metres.
  let maximumDeviation: Double
  /// Metres; no piece is longer.
  let longest: Double

  /// For what lies between the places that are looked at.
  private static let margin = 1.05
  private static let places = 8
  /// How unevenly a stretch may bend, from its middle to an end, of which the bend is known and not looked for.
  private static let greatestSlope = 0.5
  /// How far the deviations at its quarters may be off from those of a circle, as a share.
  private static let greatestError = 0.005
  /// So that the pieces that are looked at are not just above what is allowed.
  private static let slack = 1.01

  private typealias End = (share: Double, point: Point)

  /// How far a stretch of the way lies from the straight edge between its ends.
  private struct Bow {
    /// Metres, with the margin.
    var greatest: Double
    /// By how much more the way bends at an end than in the middle, where it bends nearly as a circle does; else nil.
    var slope: Double?
  }

  /// Stretches of the whole way, one after the other.
  ///
  /// Where the way bends evenly, the deviation falls with the square of the pieces' number, so this follows from that of
  /// the stretch: what it takes to find the stretches does not grow with the number of vertices.
  ///
  /// - Parameter check: throws if there are too many stretches.
  func stretches(
    from start: Point, to end: Point, _ check: (Int) throws(EngineError) -> Void
  ) throws(EngineError) -> [EvenStretch] {
    // Along a long way the deviation of the whole may vanish by chance.
    let least = max(1, Int(exactly: (way.length / 500_000).rounded(.up)) ?? 1)
    var found: [EvenStretch] = []
    var from: End = (0, start)
    for cell in 1...least {
      var open = [cell == least ? 1 : Double(cell) / Double(least)]
      while let share = open.last {
        try TimeLimit.check()
        let to: End = (share, share == 1 ? end : try image(share, near: from.point))
        if let pieces = try pieces(from: from, to: to) {
          found.append(EvenStretch(end: share, pieces: pieces))
          from = to
          open.removeLast()
        } else {
          open.append(from.share + (share - from.share) / 2)
        }
        try check(found.count &+ open.count)
      }
    }
    return found
  }

  /// Into how many even pieces a stretch must be cut; nil if it bends too unevenly for that.
  private func pieces(from: End, to: End) throws(EngineError) -> Int? {
    let byLength = PieceCount.of(way.length * (to.share - from.share), longest: longest) ?? 1
    let allowed = maximumDeviation - ChordPath.rounding
    let whole = try bow(from: from, to: to)
    if whole.greatest <= allowed { return byLength }
    guard to.share - from.share > 1e-13, whole.greatest.isFinite else {
      throw EngineError(
        .projectionFailed,
        "Between \(way.start.x), \(way.start.y) and \(way.end.x), \(way.end.y) (longitude and latitude) no straight "
          + "edges in \(frame.reference.name) keep near the way: the map is cut open there, or ends.")
    }
    guard let slope = whole.slope,
      let wanted = Int(exactly: (whole.greatest * (1 + slope) * Self.slack / allowed).squareRoot().rounded(.up))
    else { return nil }
    let count = max(2, wanted, byLength)
    // Trust, and look.
    for number in Set([0, count / 2, count &- 1]) {
      let piece = try part(number, of: count, from: from, to: to)
      guard try bow(from: piece.from, to: piece.to).greatest <= allowed else { return nil }
    }
    return count
  }

  private func part(_ number: Int, of count: Int, from: End, to: End) throws(EngineError) -> (from: End, to: End) {
    func end(_ number: Int, near: Point) throws(EngineError) -> End {
      if number == 0 { return from }
      if number == count { return to }
      let share = from.share + (to.share - from.share) * (Double(number) / Double(count))
      return (share, try image(share, near: near))
    }
    let first = try end(number, near: from.point)
    return (first, try end(number &+ 1, near: first.point))
  }

  private func image(_ share: Double, near: Point) throws(EngineError) -> Point {
    let image = try frame.point(way.place(share))
    return frame.worldWidth.map { image.unwrapped(near: near.x, width: $0) } ?? image
  }

  private func bow(from: End, to: End) throws(EngineError) -> Bow {
    var end = to.point
    if let width = frame.worldWidth { end = end.unwrapped(near: from.point.x, width: width) }
    func deviation(_ u: Double) throws(EngineError) -> Double {
      let target = frame.earth.position(way.place(from.share + u * (to.share - from.share)))
      return try distance(of: target, from: from.point, to: end, near: u)
    }
    let (first, middle, third) = (try deviation(0.25), try deviation(0.5), try deviation(0.75))
    var greatest = max(first, middle, third)
    guard greatest.isFinite else { return Bow(greatest: .infinity) }
    // A circle lies three quarters as far off at the quarters; twelve times the share by which they differ is that by
    // which it bends more at one end than at the other.
    let slope = 6 * ((first - third) / (first + third)).magnitude
    let isEven = ((first + third) / 1.5 / middle - 1).magnitude <= Self.greatestError && slope <= Self.greatestSlope
    if !isEven {
      for index in stride(from: 1, to: Self.places, by: 2) {
        greatest = max(greatest, try deviation(Double(index) / Double(Self.places)))
        guard greatest.isFinite else { return Bow(greatest: .infinity) }
      }
    }
    return Bow(greatest: greatest * Self.margin, slope: isEven ? slope : nil)
  }

  /// How far a position lies from a straight edge, metres; infinite where the edge has no place on the earth.
  private func distance(
    of target: Vector, from start: Point, to end: Point, near guess: Double
  ) throws(EngineError) -> Double {
    func position(_ u: Double) throws(EngineError) -> Vector {
      let place = try frame.degrees(start.mixed(with: end, u))
      return place.isFinite ? frame.earth.position(place) : Vector(repeating: .nan)
    }
    var u = guess
    var best = Double.infinity
    for _ in 0..<5 {
      let foot = try position(u)
      let away = target - foot
      let distance = away.length
      guard distance.isFinite else { return .infinity }
      best = min(best, distance)
      let step = u < 0.5 ? 1e-4 : -1e-4
      let ahead = (try position(u + step) - foot) / step
      let square = ahead.dot(ahead)
      guard square > 0, square.isFinite else { break }
      let next = min(1, max(0, u + ahead.dot(away) / square))
      if (next - u).magnitude * square.squareRoot() < 1e-2 * distance { break }
      u = next
    }
    return best
  }
}

enum PieceCount {
  /// Into how many pieces a length is cut, so that none is longer; nil if the length is not finite.
  static func of(_ length: Double, longest: Double) -> Int? {
    // Rounding shall not make two pieces of one.
    let wanted = (length / longest * (1 - 1e-12)).rounded(.up)
    guard wanted.isFinite, let count = Int(exactly: min(wanted, 1e15)) else { return nil }
    return max(1, count)
  }
}
