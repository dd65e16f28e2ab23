import AlidadeBase

/// A stretch of a line inside one cell, or outside the raster.
struct LineStretch {
  var cell: CellIndex
  /// Distances along the line.
  var start: Double
  var end: Double
}

/// Finds the cells that a line crosses, piece by piece, in order.
struct CellTraversal {
  private let width: Int32
  private let height: Int32
  private let policy: Policy
  private(set) var stretches: [LineStretch] = []

  init(_ facts: RasterFacts, _ policy: Policy) {
    width = facts.width
    height = facts.height
    self.policy = policy
  }

  /// Adds a stretch. A stretch without length is ignored, and a stretch in the same cell extends the last one.
  mutating func add(_ cell: CellIndex, from start: Double, to end: Double) throws(EngineError) {
    guard end > start else { return }
    if let last = stretches.indices.last, stretches[last].cell == cell {
      stretches[last].end = end
      return
    }
    try policy.check(points: stretches.count &+ 1)
    stretches.append(LineStretch(cell: cell, start: start, end: end))
  }

  /// Along one axis: where the line is, how fast, and which cell it is in.
  private struct Axis {
    let origin: Double
    let speed: Double
    let size: Int32
    var cell: Int32 = 0

    init(_ from: Double, _ to: Double, _ size: Int32) {
      origin = from
      speed = to - from
      self.size = size
    }

    /// From where to where, 0 to 1, the line is between the raster's edges; nil if nowhere.
    func stay() -> (start: Double, end: Double)? {
      if speed == 0 { return origin >= 0 && origin < Double(size) ? (0, 1) : nil }
      let atFirst = (0 - origin) / speed
      let atLast = (Double(size) - origin) / speed
      let stay = (start: max(0, min(atFirst, atLast)), end: min(1, max(atFirst, atLast)))
      return stay.start < stay.end ? stay : nil
    }

    /// Rounding may move the position at the raster's edge to the cell beyond it.
    mutating func begin(at t: Double) {
      let place = (t == 0 ? origin : origin + t * speed).rounded(.down)
      cell = Int32(exactly: min(max(place, 0), Double(size) - 1)) ?? 0
    }

    /// Where the line leaves the cell.
    var exit: Double {
      if speed == 0 { return .infinity }
      return (Double(cell) + (speed > 0 ? 1 : 0) - origin) / speed
    }

    /// Goes on to the next cell; false if there is none.
    mutating func step() -> Bool {
      if speed > 0 { cell &+= 1 } else { cell &-= 1 }
      return cell >= 0 && cell < size
    }
  }

  private static let farthest = 0x1p40

  /// Adds the cells of a straight piece.
  ///
  /// - Parameters:
  ///   - start: the distance at `from`.
  ///   - end: the distance at `to`.
  mutating func cross(
    from: GridPlace, to: GridPlace, start: Double, end: Double
  ) throws(EngineError) {
    // Farther out the crossings lie so close to each other in t that they can no longer be distinguished. (Written so
    // that a NaN is near: it is dealt with below.)
    for place in [from, to] where place.column.magnitude > Self.farthest || place.row.magnitude > Self.farthest {
      throw EngineError(
        .limitExceeded, "The line reaches farther than 2^40 cells from the raster. Cut it to the raster's surroundings."
      )
    }
    func distance(_ t: Double) -> Double { t >= 1 ? end : min(start + max(t, 0) * (end - start), end) }
    var column = Axis(from.column, to.column, width)
    var row = Axis(from.row, to.row, height)
    guard column.speed.isFinite, row.speed.isFinite, let columnStay = column.stay(), let rowStay = row.stay(),
      max(columnStay.start, rowStay.start) < min(columnStay.end, rowStay.end)
    else {
      try add(.outside, from: start, to: end)
      return
    }
    var t = max(columnStay.start, rowStay.start)
    let last = min(columnStay.end, rowStay.end)
    try add(.outside, from: start, to: distance(t))
    column.begin(at: t)
    row.begin(at: t)
    while true {
      let cell = CellIndex(column: column.cell, row: row.cell)
      let exits = (column: column.exit, row: row.exit)
      let next = min(exits.column, exits.row)
      guard next < last else {
        try add(cell, from: distance(t), to: distance(last))
        break
      }
      try add(cell, from: distance(t), to: distance(next))
      t = max(t, next)
      // At a corner both change at once: the cells next to it are not crossed.
      var isInside = true
      if exits.column <= next { isInside = column.step() }
      if exits.row <= next { isInside = row.step() && isInside }
      guard isInside else {
        // By rounding alone: the raster's edge is at `last`.
        try add(cell, from: distance(t), to: distance(last))
        break
      }
    }
    try add(.outside, from: distance(last), to: end)
  }
}
