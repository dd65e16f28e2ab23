import AlidadeBase
import AlidadeCoordinates

/// How heights are taken.
public struct HeightOptions: Sendable {
  public var interpolation = Interpolation.bilinear
  /// The index of the band, from 0.
  public var band = 0
  /// nil: what the band or the raster says.
  public var metresPerBandUnit: Double?
  /// How heights are converted.
  public var projection = ProjectionOptions()

  public init() {}
}

/// Facts about the heights that were read.
public struct HeightReport: Sendable {
  /// The unit of the values is not known and was assumed to be the metre.
  public var isUnitAssumed = false
  /// The projection that converted the heights; nil if they keep the raster's own vertical reference.
  public var conversion: (outcome: ProjectionOutcome, projector: Projector)?
  /// The raster and the points have different vertical parts, or only one of them has any.
  public var isReferenceKept = false
  /// Metres upwards per unit of the heights.
  public var metresPerUnit = 1.0
  public var failedCount = 0

  /// How the heights were converted; nil if they were not.
  public func receipt(_ runtime: Runtime) throws(EngineError) -> ProjectionReceipt? {
    guard let conversion else { return nil }
    return try ProjectionReceipt(conversion.outcome.tally, by: conversion.projector, chosen: nil, runtime: runtime)
  }
}

extension Raster {
  /// The heights of a band at points.
  ///
  /// - Parameters:
  ///   - points: overwritten by their images in the raster's spatial reference.
  ///   - source: the spatial reference of the points and of the resulting heights; nil means that of the raster.
  ///   - heights: memory for a height per point; NaN without a height.
  ///   - verdicts: memory for a verdict per point.
  public func heights(
    at points: HeapArray<Point>, in source: SpatialReference?, _ options: HeightOptions,
    into heights: HeapArray<Double>, verdicts: HeapArray<UInt8>
  ) throws(EngineError) -> HeightReport {
    try runtime.limited { [self] () throws(EngineError) -> HeightReport in
      var report = HeightReport()
      let own = spatialReference
      let target = source ?? own
      // Before anything is read: metres upwards per scaled value, and what a height of the raster's axis is in them.
      let perValue: Double
      (perValue, report.isUnitAssumed) = try metresPerValue(options)
      let ownUnit = own?.system.metresUpPerVerticalUnit ?? 1
      report.metresPerUnit = target?.system.metresUpPerVerticalUnit ?? 1
      let converter = try converter(to: target, options.projection, &report)

      let sampling = Sampling(interpolation: options.interpolation, isScaled: true)
      try samplePoints(
        points, in: source, band: options.band, sampling, into: heights.buffer, verdicts: verdicts.buffer)
      let value = UInt8(truncatingIfNeeded: CellVerdict.value.rawValue)
      let unit = converter == nil ? report.metresPerUnit : ownUnit
      let nodata = UInt8(truncatingIfNeeded: CellVerdict.nodata.rawValue)
      for index in heights.buffer.indices {
        heights.buffer[index] *= perValue / unit
        // A cell that is no number is no height, also where no nodata value says so.
        guard verdicts.buffer[index] == value, !heights.buffer[index].isFinite else { continue }
        (heights.buffer[index], verdicts.buffer[index]) = (.nan, nodata)
      }
      if let converter {
        // PROJ does not project a point without a height either.
        let outcome = try converter.project(CoordinateColumns(points: points, z: heights))
        report.conversion = (outcome, converter)
        let failed = UInt8(truncatingIfNeeded: CellVerdict.notProjectable.rawValue)
        for index in heights.buffer.indices where verdicts.buffer[index] == value && !heights.buffer[index].isFinite {
          (heights.buffer[index], verdicts.buffer[index]) = (.nan, failed)
        }
      }
      for verdict in verdicts.buffer where verdict != value { report.failedCount &+= 1 }
      return report
    }
  }

  /// Metres upwards per scaled value of the band, and whether that is a guess.
  func metresPerValue(_ options: HeightOptions) throws(EngineError) -> (Double, isAssumed: Bool) {
    let vertical = spatialReference?.system.vertical
    let direction: Double = vertical?.isDepth == true ? -1 : 1
    if let given = options.metresPerBandUnit { return (given * direction, false) }
    let text = facts.bands[options.band].unit
    if text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) {
      return ((vertical?.metresPerUnit ?? 1) * direction, vertical == nil)
    }
    guard let unit = try? Unit(name: text), unit.kind == .length else {
      throw EngineError(
        .unsupported,
        "The unit of band \(options.band &+ 1) is \"\(text.prefix(60))\", which is no length that is known. If the band "
          + "has heights, say how many metres its unit has.")
    }
    return (unit.siFactor * direction, false)
  }

  /// Converts heights of the raster to the heights of a spatial reference; nil if they keep their reference surface.
  private func converter(
    to target: SpatialReference?, _ options: ProjectionOptions, _ report: inout HeightReport
  ) throws(EngineError) -> Projector? {
    guard let own = spatialReference, let target, own !== target else { return nil }
    guard own.system.vertical != nil, target.system.vertical != nil else {
      report.isReferenceKept = own.system.vertical != nil || target.system.vertical != nil
      return nil
    }
    if options.ignoresVertical {
      report.isReferenceKept = true
      return nil
    }
    let projector = try Projector.between(own, target, options: options)
    return projector.isIdentity ? nil : projector
  }
}
