import AlidadeBase
import AlidadeData

/// How a raster layer turns values into colours.
public struct RasterRenderer: Sendable {
  public var kind = Kind.automatic
  /// Bands from 1; 0 lets the library choose. Renderers with one band use the first; RGB uses red, green and blue.
  public var bands: [Int32] = [0, 0, 0]
  /// The stored values at the ends of the ramp; nil means from statistics or a sample.
  public var range: (minimum: Double, maximum: Double)?
  /// Colours at equal steps from minimum to maximum; empty: black to white.
  public var ramp: [RGBA] = []
  /// The exponent for the stretched value.
  public var gamma = 1.0
  /// The direction of the light, degrees clockwise from the y axis of the raster's spatial reference.
  public var azimuth = 315.0
  /// The angle of the light above the horizon, in degrees.
  public var altitude = 45.0
  /// The factor for heights, in map units per height unit; 0 means that heights are in metres.
  public var zFactor = 0.0

  public init() {}

  /// Throws if a number is out of its range, whatever the raster.
  func checkNumbers() throws(EngineError) {
    if let range, !(range.minimum.isFinite && range.maximum.isFinite && range.minimum < range.maximum) {
      throw EngineError(
        .invalidArgument, "The range \(range.minimum) to \(range.maximum) is empty or not finite.")
    }
    if !(gamma.isFinite && gamma > 0) { throw EngineError(.invalidArgument, "gamma \(gamma) is not more than 0.") }
    if !azimuth.isFinite { throw EngineError(.invalidArgument, "azimuth_deg \(azimuth) is not finite.") }
    if !(altitude >= 0 && altitude <= 90) {
      throw EngineError(.invalidArgument, "altitude_deg \(altitude) is not between 0 and 90.")
    }
    if !zFactor.isFinite || zFactor < 0 {
      throw EngineError(.invalidArgument, "z_factor \(zFactor) is negative or not finite.")
    }
    if ramp.count == 1 || ramp.count > 65536 {
      throw EngineError(.invalidArgument, "A ramp has 2 to 65536 colours, not \(ramp.count).")
    }
    for band in bands where band < 0 { throw EngineError(.notFound, "There is no band \(band); they count from 1.") }
  }

  /// Throws if the renderer does not fit a raster.
  func check(_ facts: RasterFacts) throws(EngineError) {
    for band in bands where Int(truncatingIfNeeded: band) > facts.bands.count {
      throw EngineError(.notFound, "The raster has no band \(band); it has \(facts.bands.count).")
    }
    let band = facts.bands[Int(truncatingIfNeeded: max(1, bands.first ?? 1)) &- 1]
    if kind == .colorTable, band.colors.isEmpty {
      throw EngineError(.notFound, "The band has no colour table.")
    }
    if kind == .hillshade, band.type.isComplex {
      throw EngineError(.unsupported, "Complex values have no heights to light.")
    }
  }
}

/// A renderer in which all choices of the library are made.
public struct ResolvedRenderer: Sendable {
  public var kind: RasterRenderer.Kind
  /// Bands from 0: one, or red, green, blue.
  public var bands: [Int]
  /// Per band.
  public var ranges: [(minimum: Double, maximum: Double)]
  public var ramp: [RGBA]
  public var gamma: Double
  public var azimuth: Double
  public var altitude: Double
  public var zFactor: Double

  init(
    _ renderer: RasterRenderer, _ raster: Raster, metresPerUnit: Double?,
    range: (Int) throws(EngineError) -> (minimum: Double, maximum: Double)
  ) throws(EngineError) {
    let facts = raster.facts
    var kind = renderer.kind
    if kind == .automatic { kind = Self.fittingKind(facts) }
    let chosen = renderer.bands.map { Int(truncatingIfNeeded: $0) &- 1 }
    if kind == .rgb {
      let fitting = Self.colorBands(facts)
      bands = (0..<3).map { $0 < chosen.count && chosen[$0] >= 0 ? chosen[$0] : fitting[$0] }
    } else {
      let first = facts.bands.firstIndex { $0.colorRole != .alpha } ?? 0
      bands = [(chosen.first ?? -1) >= 0 ? chosen[0] : first]
    }
    ranges = []
    for band in bands {
      if let given = renderer.range {
        ranges.append(given)
      } else if kind == .stretch || (kind == .rgb && facts.bands[band].type != .uint8) {
        ranges.append(try range(band))
      } else {
        ranges.append((0, 255))
      }
    }
    self.kind = kind
    ramp = renderer.ramp.isEmpty ? Self.blackToWhite : renderer.ramp
    gamma = renderer.gamma
    azimuth = renderer.azimuth
    altitude = renderer.altitude
    zFactor = renderer.zFactor == 0 ? 1 / (metresPerUnit ?? 1) : renderer.zFactor
  }

  private static let blackToWhite = [
    RGBA(red: 0, green: 0, blue: 0, alpha: 255), RGBA(red: 255, green: 255, blue: 255, alpha: 255),
  ]

  private static func fittingKind(_ facts: RasterFacts) -> RasterRenderer.Kind {
    if !facts.bands[0].colors.isEmpty { return .colorTable }
    let roles = facts.bands.map(\.colorRole)
    if roles.contains(.red), roles.contains(.green), roles.contains(.blue) { return .rgb }
    let isPicture = facts.bands.count >= 3 && facts.bands.prefix(3).allSatisfy { $0.type == .uint8 }
    return isPicture ? .rgb : .stretch
  }

  /// The bands for red, green and blue: the bands that the file names, otherwise the first three.
  private static func colorBands(_ facts: RasterFacts) -> [Int] {
    let last = facts.bands.count &- 1
    return [ColorRole.red, .green, .blue].enumerated().map { position, role in
      facts.bands.firstIndex { $0.colorRole == role } ?? min(position, last)
    }
  }
}
