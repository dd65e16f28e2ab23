import AlidadeBase

/// The figure of the earth, or of another body, that positions in longitude and latitude lie on.
public struct ReferenceEllipsoid: Sendable, Equatable {
  /// Metres.
  public let semiMajorAxis: Double
  /// 0 for a sphere, negative for a body that is longer from pole to pole.
  public let flattening: Double

  /// Karney's series are exact to 30 nm up to here, for a body of the earth's size. Beyond it they err by micrometres
  /// and soon by metres: Saturn has 1/10.
  public static let greatestFlattening = 0.02

  /// Metres, from a pebble to far more than any star: between them products of lengths neither overflow nor vanish.
  public static let semiMajorAxes = 1e-3...1e15

  /// - Parameter inverseFlattening: 0 or infinite for a sphere.
  public init(semiMajorAxis: Double, inverseFlattening: Double) throws(EngineError) {
    guard semiMajorAxis.isFinite, semiMajorAxis > 0 else {
      throw EngineError(
        .invalidArgument, "The semi-major axis of an ellipsoid is \(semiMajorAxis): it must be positive.")
    }
    guard Self.semiMajorAxes.contains(semiMajorAxis) else {
      throw EngineError(
        .unsupported,
        "The semi-major axis of the ellipsoid is \(semiMajorAxis) m: geodesics need one of "
          + "\(Self.semiMajorAxes.lowerBound) m to \(Self.semiMajorAxes.upperBound) m.")
    }
    let flattening = inverseFlattening == 0 ? 0 : 1 / inverseFlattening
    guard flattening.magnitude <= Self.greatestFlattening else {
      throw EngineError(
        .unsupported,
        "The ellipsoid has an inverse flattening of \(inverseFlattening): geodesics are exact only for bodies with at "
          + "least \(1 / Self.greatestFlattening).")
    }
    self.semiMajorAxis = semiMajorAxis
    self.flattening = flattening
  }

  /// The ellipsoid of a spatial reference. A local one has none.
  public init(of system: CoordinateSystem) throws(EngineError) {
    guard system.kind != .local else {
      throw EngineError(
        .unsupported, "The local spatial reference \(system.name) has no ellipsoid. Geodesics need one.")
    }
    try self.init(semiMajorAxis: system.semiMajorAxis, inverseFlattening: system.inverseFlattening)
  }

  /// Metres.
  @inlinable public var semiMinorAxis: Double { semiMajorAxis * (1 - flattening) }
  /// The squared eccentricity of the meridian's ellipse.
  @inlinable public var eccentricitySquared: Double { flattening * (2 - flattening) }

  /// The least radius of curvature of any section at right angles to the surface, in metres: of none is less.
  public var leastRadius: Double {
    min(semiMinorAxis / semiMajorAxis * semiMinorAxis, semiMajorAxis / semiMinorAxis * semiMajorAxis, semiMajorAxis)
  }

  /// The greatest and the smallest radius of curvature that a surface of the same Gaussian curvature everywhere has, in
  /// metres. The Gaussian curvature is 1/b^2 on the equator and b^2/a^4 at the poles, and between them elsewhere.
  ///
  /// What is true on both spheres, of circles and offsets, bounds what is true here (Sturm's comparison theorem).
  public var curvatureRadii: ClosedRange<Double> {
    let onEquator = semiMinorAxis
    let atPoles = semiMajorAxis / semiMinorAxis * semiMajorAxis
    return min(onEquator, atPoles)...max(onEquator, atPoles)
  }
}
