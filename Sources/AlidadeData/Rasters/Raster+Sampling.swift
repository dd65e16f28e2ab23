import AlidadeBase
import AlidadeCoordinates

/// Points whose values are requested, and the cells that contain them.
public struct SampleRequest {
  /// A sample's value, verdict, point, cell, and the cell's index among the blocks.
  public static let bytesPerSample = 8 + 1 + 16 + 8 + 12

  let places: HeapArray<GridPlace>
  let cells: HeapArray<CellIndex>

  var count: Int { cells.buffer.count }

  /// Throws if so many samples are more than the policy allows.
  static func check(count: Int, _ policy: Policy) throws(EngineError) {
    try policy.check(points: count)
    try policy.check(bytes: count, bytesPerSample)
  }

  init(count: Int) throws(EngineError) {
    places = try HeapArray(count: count)
    cells = try HeapArray(count: count)
  }
}

extension Raster {
  /// Throws unless points can be placed in the raster's grid.
  func requirePlaceable() throws(EngineError) {
    guard facts.georeference == .affine, facts.geotransform.isInvertible else { throw notPlaceable() }
  }

  /// What brings points of a spatial reference into the raster's; nil if they are there already.
  func projector(from source: SpatialReference?) throws(EngineError) -> Projector? {
    guard let source else { return nil }
    guard let spatialReference else { throw withoutSpatialReference() }
    let projector = try Projector.between(source, spatialReference)
    return projector.isIdentity ? nil : projector
  }

  /// Projects points, in any copy of the world, into the raster's spatial reference.
  ///
  /// - Parameter source: the spatial reference of the points; nil means that of the raster.
  func project(_ points: HeapArray<Point>, from source: SpatialReference?) throws(EngineError) {
    try projector(from: source)?.projectCopiesOnAllCores(points)
  }

  /// The position of a point in the raster's spatial reference, in any copy of the world; NaN without a position.
  @inline(__always)
  func place(of point: Point) -> GridPlace { ownPlace(of: copy(of: point, worldWidth: worldWidth)) }

  /// The position of a point as it is given; NaN without a position.
  @inline(__always)
  func ownPlace(of point: Point) -> GridPlace {
    guard point.isFinite, let place = facts.geotransform.place(of: point, in: facts.size) else { return .nan }
    return GridPlace(column: place.column, row: place.row)
  }

  /// The cell that contains a position.
  @inline(__always)
  func cellIndex(holding place: GridPlace) -> CellIndex {
    let column = place.column.rounded(.down)
    let row = place.row.rounded(.down)
    guard column >= 0, row >= 0, column < Double(facts.width), row < Double(facts.height),
      let column = Int32(exactly: column), let row = Int32(exactly: row)
    else { return .outside }
    return CellIndex(column: column, row: row)
  }

  /// The values of a band at points.
  ///
  /// - Parameters:
  ///   - band: from 0.
  ///   - points: overwritten by their images in the raster's spatial reference.
  ///   - source: the spatial reference of the points; nil means that of the raster.
  ///   - values: memory for a value per point; NaN without a value.
  ///   - verdicts: memory for a verdict per point.
  public func samplePoints(
    _ points: HeapArray<Point>, in source: SpatialReference?, band: Int, _ sampling: Sampling,
    into values: UnsafeMutableBufferPointer<Double>, verdicts: UnsafeMutableBufferPointer<UInt8>
  ) throws(EngineError) {
    try runtime.limited(filling: values, verdicts) { [self] (values, verdicts) throws(EngineError) in
      try read(try request(points, in: source), band: band, sampling, into: values, verdicts: verdicts)
    }
  }

  /// Finds the positions of points and the cells that contain them.
  func request(_ points: HeapArray<Point>, in source: SpatialReference?) throws(EngineError) -> SampleRequest {
    try requirePlaceable()
    let request = try SampleRequest(count: points.buffer.count)
    // A point that is not finite is outside. A point that becomes so when it is projected is not projectable.
    for (index, point) in points.buffer.enumerated() {
      request.cells.buffer[index] = point.isFinite ? .notProjectable : .outside
    }
    try project(points, from: source)
    for (index, point) in points.buffer.enumerated() {
      if index & 255 == 255 { try TimeLimit.check() }
      let place = place(of: point)
      request.places.buffer[index] = place
      if point.isFinite { request.cells.buffer[index] = cellIndex(holding: place) }
    }
    return request
  }

  /// Reads samples, block by block and on all cores.
  func read(
    _ request: SampleRequest, band: Int, _ sampling: Sampling, into values: UnsafeMutableBufferPointer<Double>,
    verdicts: UnsafeMutableBufferPointer<UInt8>
  ) throws(EngineError) {
    for (index, cell) in request.cells.buffer.enumerated() where !cell.isCell {
      values[index] = .nan
      verdicts[index] = UInt8(truncatingIfNeeded: cell.verdictWithoutCell.rawValue)
    }
    let scaling = BandScaling(facts.bands[band], isWanted: sampling.isScaled)
    let interpolation = sampling.interpolation
    let places = request.places
    // Right to share: each sample is written by the one batch that holds it.
    nonisolated(unsafe) let values = values
    nonisolated(unsafe) let verdicts = verdicts
    try readBatches(
      UnsafeBufferPointer(request.cells.buffer), bands: [band], level: nil, margin: interpolation.margin
    ) { batch, points in
      for point in points {
        let index = Int(truncatingIfNeeded: point.index)
        let (own, verdict) = batch.value(band: 0, at: point)
        verdicts[index] = UInt8(truncatingIfNeeded: verdict.rawValue)
        if verdict != .value {
          values[index] = .nan
        } else if interpolation == .nearest {
          values[index] = scaling.apply(own)
        } else {
          values[index] = scaling.apply(
            batch.interpolated(band: 0, point, at: places.buffer[index], interpolation))
        }
      }
    }
  }
}

/// Stored values to scaled ones, or to themselves.
struct BandScaling: Sendable {
  private let isScaled: Bool
  private let scale: Double
  private let offset: Double

  init(_ band: BandFacts, isWanted: Bool) {
    isScaled = isWanted && band.isScaled
    scale = band.scale ?? 1
    offset = band.offset ?? 0
  }

  @inline(__always)
  func apply(_ stored: Double) -> Double { isScaled ? stored * scale + offset : stored }
}
