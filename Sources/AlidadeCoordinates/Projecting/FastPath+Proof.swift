import CPROJ

extension FastPath {
  /// How far an image may be from PROJ's: metres, and radians (1e-12 degrees).
  private static let metres = 1e-7
  private static let radians = 1e-12 * FastUnits.degree

  /// How many points each box is tried at: some on its edges, the rest inside.
  private static let gridSize = 9
  private static let randomCount = 70

  /// Holds the path against PROJ's own operation, over all that it takes for itself and a little beyond, and around
  /// the operation's area of use. False as soon as one point differs: then the path is not to be used. Call inside the
  /// gate, by whoever leases the operation.
  func isProven(against operation: ProjObject) -> Bool {
    guard let reach else { return false }
    var random = ProofRandom()
    var took = 0
    for scale in [1.02, 0.3, 0.08, 0.02] {
      let (middle, half) = (reach.middle, Point(x: reach.half.x * scale, y: reach.half.y * scale))
      let at = { (u: Double, v: Double) in Point(x: middle.x + u * half.x, y: middle.y + v * half.y) }
      for index in 0..<(Self.gridSize * Self.gridSize) {
        let step = 2 / Double(Self.gridSize &- 1)
        let (column, row) = (index % Self.gridSize, index / Self.gridSize)
        let point = at(Double(column) * step - 1, Double(row) * step - 1)
        guard agrees(at: point, with: operation, &took) else { return false }
      }
      for _ in 0..<Self.randomCount {
        guard agrees(at: at(random.next(), random.next()), with: operation, &took) else { return false }
      }
    }
    // A path that leaves everything to PROJ is none.
    return took > Self.randomCount
  }

  private func agrees(
    at point: Point, with operation: ProjObject, _ took: inout Int
  ) -> Bool {
    guard let ours = project(point, accepting: Self.anyNorthing) else { return true }
    took &+= 1
    let theirs = proj_trans(operation.pointer, PJ_FWD, proj_coord(point.x, point.y, 0, .infinity))
    proj_errno_reset(operation.pointer)
    let tolerance =
      switch outputUnit {
      case .metres(let unit): Self.metres / unit
      case .radians(let unit): Self.radians / unit
      }
    // A NaN or infinity of PROJ's fails this.
    return (ours.x - theirs.xy.x).magnitude <= tolerance && (ours.y - theirs.xy.y).magnitude <= tolerance
  }
}

/// The same numbers in every process: splitmix64 of G. L. Steele and others, 2014.
private struct ProofRandom {
  private var state: UInt64 = 0x414C_4944_4144_4500

  /// From -1 to 1.
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double(z >> 11 ^ z >> 42) * 0x1p-52 - 1
  }
}
