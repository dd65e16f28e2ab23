import AlidadeBase

/// Where two transformations are compared.
public struct DisplacementOptions: Sendable {
  /// A box of two corners or a polygon; empty: where both spatial references are used.
  public var area: [Point] = []
  /// What `area` is in; nil: WGS 84, longitude and latitude in degrees.
  public var areaReference: SpatialReference?
  /// Over the box around the area.
  public var columns = 16
  public var rows = 16

  public init() {}
}

/// How far apart two transformations put the same places: in metres, along the geodesics of the target's ellipsoid.
public struct TransformationDisplacement: Sendable {
  public let minimum: Double
  /// Each sample counts by the area of its cell on the ellipsoid.
  public let mean: Double
  public let maximum: Double
  /// In the area's spatial reference.
  public let minimumPlace: Point
  public let maximumPlace: Point
  /// Samples that were compared.
  public let sampleCount: Int
  /// Samples inside the area for which one of the two has no result.
  public let failedCount: Int
  /// The box around the area, in its spatial reference; x runs on across the antimeridian.
  public let extent: Envelope
  /// Row by row from the greatest y on; NaN where nothing was compared.
  public let field: HeapArray<Double>
}

extension TransformationDisplacement {
  /// Compares two transformations over an area.
  ///
  /// - Parameters:
  ///   - first: nil: what projecting chooses for each place.
  ///   - second: the same.
  public static func measure(
    from: SpatialReference, to: SpatialReference, _ first: Transformation?, _ second: Transformation?,
    options: DisplacementOptions = DisplacementOptions()
  ) throws(EngineError) -> TransformationDisplacement {
    try from.runtime.limited { () throws(EngineError) -> TransformationDisplacement in
      let ways = (try projector(from, to, first), try projector(from, to, second))
      let grid = try SampleGrid(options, from, to)
      let count = grid.count
      let places = try HeapArray<Point>(count: count)
      for index in 0..<count { places.buffer[index] = grid.contains(index) ? grid.center(index) : .nan }
      try Projector.between(grid.reference, from).projectOnAllCores(places)
      let others = try HeapArray<Point>(count: count)
      for index in 0..<count { others.buffer[index] = places.buffer[index] }
      try ways.0.projectOnAllCores(places)
      try ways.1.projectOnAllCores(others)

      let globe = try to.geodeticBase()
      let toDegrees = try Projector.between(to, globe)
      try toDegrees.projectOnAllCores(places)
      try toDegrees.projectOnAllCores(others)
      let field = try HeapArray<Double>(count: count)
      // In slices, so that nobody who forks or exits meanwhile waits for all of them.
      try toDegrees.forEachSlice(of: count) { (range) throws(EngineError) in
        try ProcessGate.shared.pass { () throws(EngineError) in
          let ellipsoid = Ellipsoid(of: globe)
          for index in range {
            field.buffer[index] = ellipsoid.distance(places.buffer[index], others.buffer[index])
          }
        }
      }
      return try summary(of: field, over: grid)
    }
  }

  private static func projector(
    _ from: SpatialReference, _ to: SpatialReference, _ chosen: Transformation?
  ) throws(EngineError) -> Projector {
    var options = ProjectionOptions()
    options.transformation = chosen
    options.ignoresVertical = true
    return try Projector.between(from, to, options: options)
  }

  private static func summary(
    of field: HeapArray<Double>, over grid: SampleGrid
  ) throws(EngineError) -> TransformationDisplacement {
    let weights = try grid.weights()
    var (least, most): (Int?, Int?)
    var (sum, weight) = (0.0, 0.0)
    var (compared, failed) = (0, 0)
    for (index, distance) in field.buffer.enumerated() where grid.contains(index) {
      guard !distance.isNaN else {
        failed &+= 1
        continue
      }
      compared &+= 1
      if distance < (least.map { field.buffer[$0] } ?? .infinity) { least = index }
      if distance > (most.map { field.buffer[$0] } ?? -.infinity) { most = index }
      sum += distance * weights.buffer[index]
      weight += weights.buffer[index]
    }
    guard let least, let most else {
      throw EngineError(
        .projectionFailed,
        failed > 0
          ? "At none of the \(failed) places in the area do both transformations have a result."
          : "The area holds none of the \(grid.columns) x \(grid.rows) places; ask for more columns and rows.")
    }
    return TransformationDisplacement(
      minimum: field.buffer[least], mean: sum / weight, maximum: field.buffer[most], minimumPlace: grid.center(least),
      maximumPlace: grid.center(most), sampleCount: compared, failedCount: failed, extent: grid.extent, field: field)
  }
}
