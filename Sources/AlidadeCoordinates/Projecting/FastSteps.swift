/// A change of units: by a factor, or backwards by dividing, as PROJ does each.
struct FastUnitChange: FastStep {
  let factor: Double
  let divides: Bool
  let output: FastUnit

  func unit(after input: FastUnit) -> FastUnit { output }

  func backwards(_ reach: FastReach) -> FastReach? {
    let forward = divides ? 1 / factor : factor
    return FastReach(
      middle: Point(x: reach.middle.x / forward, y: reach.middle.y / forward),
      half: Point(x: reach.half.x / forward, y: reach.half.y / forward))
  }

  func run(_ block: LaneBlock) {
    if divides {
      for index in 0..<block.count {
        block.x[index] /= factor
        block.y[index] /= factor
      }
    } else {
      for index in 0..<block.count {
        block.x[index] *= factor
        block.y[index] *= factor
      }
    }
  }
}

/// The two axes exchanged.
struct FastAxisSwap: FastStep {
  func backwards(_ reach: FastReach) -> FastReach? {
    FastReach(
      middle: Point(x: reach.middle.y, y: reach.middle.x), half: Point(x: reach.half.y, y: reach.half.x))
  }

  func run(_ block: LaneBlock) {
    for index in 0..<block.count {
      let x = block.x[index]
      block.x[index] = block.y[index]
      block.y[index] = x
    }
  }
}

/// Offsets of longitude and latitude, in radians.
struct FastOffset: FastStep {
  let longitude: Double
  let latitude: Double

  var reach: FastReach? { FastAngles.reach }

  func run(_ block: LaneBlock) {
    for index in 0..<block.count {
      block.require(3.14 - block.x[index].magnitudes, at: index)
      block.require(1.57 - block.y[index].magnitudes, at: index)
      block.x[index] += longitude
      block.y[index] += latitude
    }
  }
}

/// Longitudes from another prime meridian.
struct FastMeridian: FastStep {
  let origin: FastOrigin
  let isInverse: Bool

  var reach: FastReach? { isInverse ? FastAngles.reach : origin.reachOfAngles }

  func run(_ block: LaneBlock) {
    for index in 0..<block.count {
      if isInverse {
        block.x[index] = origin.longitude(block.x[index], block, index)
      } else {
        block.require(1.57 - block.y[index].magnitudes, at: index)
        block.x[index] = origin.relativeLongitude(block, index)
      }
    }
  }
}
