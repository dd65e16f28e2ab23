import Glibc

/// From longitude and latitude at height 0 to geocentric coordinates in metres.
struct FastToGeocentric: FastStep {
  let ellipsoid: FastEllipsoid

  var reach: FastReach? { FastAngles.reach }
  func unit(after input: FastUnit) -> FastUnit { .metres(1) }

  func run(_ block: LaneBlock) {
    let square = ellipsoid.eccentricity2
    for index in 0..<block.count {
      block.require(FastAngles.longitudeLimit - block.x[index].magnitudes, at: index)
      block.require(FastAngles.latitudeLimit - block.y[index].magnitudes, at: index)
      let (sine, cosine) = sineCosine(block.y[index])
      let (sineLongitude, cosineLongitude) = sineCosine(block.x[index])
      let normal = ellipsoid.semiMajorAxis / (1.0 - square * (sine * sine)).squareRoot()
      block.x[index] = normal * cosine * cosineLongitude
      block.y[index] = normal * cosine * sineLongitude
      block.z[index] = normal * (1 - square) * sine
    }
  }
}

/// Back to longitude and latitude; the height is left out. B. R. Bowring, Transformation from spatial to geographical
/// coordinates, Survey Review 23 (1976): as PROJ does it, so that what his formula leaves out is left out alike.
struct FastFromGeocentric: FastStep {
  let ellipsoid: FastEllipsoid
  func unit(after input: FastUnit) -> FastUnit { .radians(1) }

  func run(_ block: LaneBlock) {
    let a = ellipsoid.semiMajorAxis
    let b = ellipsoid.semiMinorAxis
    let square = ellipsoid.eccentricity2
    let alongAxis = square / (1 - square) * b
    let acrossAxis = square * a
    for index in 0..<block.count {
      let (x, y, z) = (block.x[index], block.y[index], block.z[index])
      let distance = (x * x + y * y).squareRoot()
      let s = z * a
      let c = distance * b
      let perNorm = 1.0 / (s * s + c * c).squareRoot()
      let (sine, cosine) = (s * perNorm, c * perNorm)
      let up = z + alongAxis * (sine * sine * sine)
      let out = distance - acrossAxis * (cosine * cosine * cosine)
      // Not so near to the axis that the longitude is uncertain.
      block.require(distance - 1000.0, at: index)
      let longitude = angle(y: y, x: x)
      block.require((Double.pi - 1e-9) - longitude.magnitudes, at: index)
      block.x[index] = longitude
      block.y[index] = angleToTheRight(y: up, x: out)
    }
  }
}

/// An affine map of geocentric coordinates: a Helmert transformation, forward or backwards.
struct FastHelmert: FastStep {
  /// The rows of a matrix; the shift in metres.
  let rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
  let shift: SIMD3<Double>

  /// Shifts in metres, rotations in radians, the scale as parts per million.
  init(
    shift: SIMD3<Double>, rotation: SIMD3<Double>, scale: Double, isExact: Bool, isPositionVector: Bool,
    isInverse: Bool
  ) {
    var (x, y, z) = Self.rotationRows(rotation, isExact: isExact)
    // The rows are those of a coordinate frame rotation, of which the position vector's is the transpose; and so is,
    // as PROJ has it, the inverse, also of the small-angle matrix.
    if isPositionVector != isInverse { (x, y, z) = Self.transposed(x, y, z) }
    let factor = 1 + scale * 1e-6
    if isInverse {
      rows = (x / factor, y / factor, z / factor)
      self.shift = -SIMD3((rows.0 * shift).sum(), (rows.1 * shift).sum(), (rows.2 * shift).sum())
    } else {
      rows = (x * factor, y * factor, z * factor)
      self.shift = shift
    }
  }

  private typealias Rows = (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  private static func transposed(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) -> Rows {
    (SIMD3(x.x, y.x, z.x), SIMD3(x.y, y.y, z.y), SIMD3(x.z, y.z, z.z))
  }

  private static func rotationRows(_ angle: SIMD3<Double>, isExact: Bool) -> Rows {
    guard isExact else {
      return (SIMD3(1, angle.z, -angle.y), SIMD3(-angle.z, 1, angle.x), SIMD3(angle.y, -angle.x, 1))
    }
    let (sx, cx) = (sin(angle.x), cos(angle.x))
    let (sy, cy) = (sin(angle.y), cos(angle.y))
    let (sz, cz) = (sin(angle.z), cos(angle.z))
    return (
      SIMD3(cy * cz, cx * sz + sx * sy * cz, sx * sz - cx * sy * cz),
      SIMD3(-cy * sz, cx * cz - sx * sy * sz, sx * cz + cx * sy * sz),
      SIMD3(sy, -sx * cy, cx * cy)
    )
  }

  func run(_ block: LaneBlock) {
    for index in 0..<block.count {
      let (x, y, z) = (block.x[index], block.y[index], block.z[index])
      block.x[index] = (x * rows.0.x + y * rows.0.y + z * rows.0.z) + shift.x
      block.y[index] = (x * rows.1.x + y * rows.1.y + z * rows.1.z) + shift.y
      block.z[index] = (x * rows.2.x + y * rows.2.y + z * rows.2.z) + shift.z
    }
  }
}
