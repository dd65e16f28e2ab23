import AlidadeCoordinates

extension CameraConstraints {
  /// What a camera may not do over a map with limits of its own: the narrower of both holds. What has nothing in common
  /// leaves the map's: of its scales the one that is nearest to the view's.
  func narrowed(to map: MapLimits) -> CameraConstraints {
    guard map != .none else { return self }
    var result = self
    result.setRange(ScaleRange(minScale: minScale ?? 0, maxScale: maxScale ?? 0), map.range)
    if let extent = map.extent {
      result.maxExtent = maxExtent.map { $0.common(with: extent, worldWidth: map.worldWidth) ?? extent } ?? extent
    }
    return result
  }

  private mutating func setRange(_ own: ScaleRange, _ map: ScaleRange) {
    var common = own.intersection(map)
    if common.minScale != 0, common.minScale < common.maxScale {
      // One end of each meets here. The view lies closer than the map allows if it is the map's closest scale.
      let end = common.maxScale == map.maxScale ? map.maxScale : map.minScale
      common = ScaleRange(minScale: end, maxScale: end)
    }
    minScale = common.minScale == 0 ? nil : common.minScale
    maxScale = common.maxScale == 0 ? nil : common.maxScale
  }
}

extension Envelope {
  /// What two boxes with xMin <= xMax have in common, with width and height; nil if that is nothing. Where the world
  /// repeats itself, in all of its copies: of two pieces the wider one, in the other box's copy.
  fileprivate func common(with other: Envelope, worldWidth: Double?) -> Envelope? {
    let (yMin, yMax) = (max(yMin, other.yMin), min(yMax, other.yMax))
    guard yMin < yMax else { return nil }
    var best: (xMin: Double, xMax: Double)?
    func consider(_ low: Double, _ high: Double) {
      if low < high, high - low > best.map({ $0.xMax - $0.xMin }) ?? 0 { best = (low, high) }
    }
    if let worldWidth, isAround(worldWidth) {
      consider(other.xMin, other.xMax)
    } else if let worldWidth, other.isAround(worldWidth) {
      consider(xMin, xMax)
    } else if let worldWidth {
      let turns = (((other.xMin + other.xMax) / 2 - (xMin + xMax) / 2) / worldWidth).rounded()
      for turn in [turns, turns - 1, turns + 1] {
        consider(max(xMin + turn * worldWidth, other.xMin), min(xMax + turn * worldWidth, other.xMax))
      }
    } else {
      consider(max(xMin, other.xMin), min(xMax, other.xMax))
    }
    return best.map { Envelope(xMin: $0.xMin, yMin: yMin, xMax: $0.xMax, yMax: yMax) }
  }

  /// Whether the box holds the whole way round a world that repeats itself. Those that name the antimeridian by its
  /// coordinates miss the width by some ulp.
  func isAround(_ worldWidth: Double) -> Bool { xMax - xMin >= worldWidth * (1 - 1e-9) }
}
