extension EngineAxes {
  /// The engine's x, y and z as directions in east, north and up.
  public var directions: (x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>) {
    let (east, north, up) = (SIMD3<Double>(1, 0, 0), SIMD3<Double>(0, 1, 0), SIMD3<Double>(0, 0, 1))
    return switch self {
    case .eastNorthUp: (east, north, up)
    case .unreal: (east, -north, up)
    case .unity: (east, up, north)
    case .godot: (east, up, -north)
    }
  }

  public var isLeftHanded: Bool { self == .unreal || self == .unity }

  /// What the engine takes for one: a centimetre or a metre.
  public var usualMetresPerUnit: Double { self == .unreal ? 0.01 : 1 }
}

/// An affine map of space, y = x * columns.0 + y * columns.1 + z * columns.2 + columns.3.
public struct AffineMap: Sendable {
  public var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  public init(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>, _ shift: SIMD3<Double>) {
    columns = (x, y, z, shift)
  }

  @inline(__always)
  public func image(_ point: SIMD3<Double>) -> SIMD3<Double> {
    direction(point) + columns.3
  }

  /// The image without the shift.
  @inline(__always)
  public func direction(_ vector: SIMD3<Double>) -> SIMD3<Double> {
    columns.0 * vector.x + columns.1 * vector.y + columns.2 * vector.z
  }

  /// The three rows of the linear part as columns.
  var transposed: AffineMap {
    let (a, b, c, _) = columns
    return AffineMap(SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z), .zero)
  }

  /// The sixteen numbers of a 4x4 matrix, column by column.
  public var elements: [Double] {
    let (a, b, c, d) = columns
    return [a.x, a.y, a.z, 0, b.x, b.y, b.z, 0, c.x, c.y, c.z, 0, d.x, d.y, d.z, 1]
  }
}
