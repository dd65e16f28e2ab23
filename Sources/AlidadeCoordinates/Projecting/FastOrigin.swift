import Glibc

/// Where a projection's coordinates are counted from.
struct FastOrigin: Sendable {
  /// Radians east of Greenwich: the central meridian and the prime meridian.
  let longitude: Double
  /// Metres.
  let falseEasting: Double
  let falseNorthing: Double

  /// Longitudes this near to the seam, in radians, are PROJ's: rounding decides on which side they come out.
  private static let seam = 1e-9

  /// The longitudes of a block from the central meridian, between -pi and pi. Those of more than a turn, and those at
  /// the seam, are marked.
  @inline(__always)
  func relativeLongitude(_ block: LaneBlock, _ index: Int) -> Lanes {
    let given = block.x[index]
    block.require(FastAngles.longitudeLimit - given.magnitudes, at: index)
    return Self.wrapped(given - longitude, block, index)
  }

  /// The way back: from one relative to the central meridian to one between -pi and pi from Greenwich.
  @inline(__always)
  func longitude(_ relative: Lanes, _ block: LaneBlock, _ index: Int) -> Lanes {
    block.require(FastAngles.longitudeLimit - relative.magnitudes, at: index)
    return Self.wrapped(relative + longitude, block, index)
  }

  @inline(__always)
  private static func wrapped(_ angle: Lanes, _ block: LaneBlock, _ index: Int) -> Lanes {
    let turns = (angle * (0.5 / Double.pi)).rounded()
    let wrapped = angle - turns * (2 * Double.pi)
    block.require((Double.pi - seam) - wrapped.magnitudes, at: index)
    return wrapped
  }

  /// All longitudes, the central meridian in the middle, and all latitudes.
  var reachOfAngles: FastReach {
    FastReach(middle: Point(x: longitude, y: 0), half: FastAngles.reach.half)
  }

  func reach(_ middle: Point, half: Point) -> FastReach {
    FastReach(middle: Point(x: falseEasting + middle.x, y: falseNorthing + middle.y), half: half)
  }
}

/// What is common to steps that take longitudes and latitudes.
enum FastAngles {
  /// Radians. PROJ refuses longitudes of more than 10.
  static let longitudeLimit = 6.5
  /// Radians: as near to a pole as sines and cosines bear, from a latitude that is the host's own.
  static let latitudeLimit = Double.pi / 2 - 1e-6
  /// Radians: the same from a latitude that was computed, where a projection stretches what rounded it.
  static let computedLatitudeLimit = 1.5

  static let reach = FastReach(middle: Point(x: 0, y: 0), half: Point(x: .pi, y: .pi / 2))
}
