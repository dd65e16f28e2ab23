import AlidadeBase
import Glibc

/// Where two transformations are compared.
public struct DisplacementOptions: Sendable {
  /// A box of two corners or a polygon; empty: where both spatial references are used.
  public var area: [Point] = []
  /// The spatial reference of `area`; nil means WGS 84, longitude and latitude in degrees.
  public var areaReference: SpatialReference?
  /// Over the box around the area.
  public var columns = 16
  public var rows = 16

  public init() {}

  /// How many points are compared; `Int.max` if they are beyond counting.
  public var sampleCount: Int {
    let (count, overflow) = columns.multipliedReportingOverflow(by: rows)
    return overflow ? .max : count
  }
}

/// The distances between the results of two transformations for the same points, in metres along geodesics of the
/// target's ellipsoid.
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
  ///   - first: nil means the default operation for each point.
  ///   - second: nil means the same.
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
      let geodesic = Geodesic(on: try ReferenceEllipsoid(of: globe.system))
      let degrees = globe.system.degreesPerUnit
      try toDegrees.forEachSlice(of: count) { (range) throws(EngineError) in
        for index in range {
          field.buffer[index] = geodesic.distance(
            from: places.buffer[index].scaled(by: degrees), to: others.buffer[index].scaled(by: degrees))
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
          ? "Both transformations have a result at none of the \(failed) points in the area."
          : "The area contains none of the \(grid.columns) x \(grid.rows) points. Ask for more columns and rows.")
    }
    return TransformationDisplacement(
      minimum: field.buffer[least], mean: sum / weight, maximum: field.buffer[most], minimumPlace: grid.center(least),
      maximumPlace: grid.center(most), sampleCount: compared, failedCount: failed, extent: grid.extent, field: field)
  }
}

/// Sample points over an area: the centres of cells that divide the box around it evenly.
struct SampleGrid {
  /// The spatial reference of the area.
  let reference: SpatialReference
  let extent: Envelope
  let columns: Int
  let rows: Int
  /// Closed without repeating the first point; empty if all of the box counts.
  private let ring: [Point]

  init(
    _ options: DisplacementOptions, _ from: SpatialReference, _ to: SpatialReference
  ) throws(EngineError) {
    let runtime = from.runtime
    (columns, rows) = (options.columns, options.rows)
    try runtime.policy.check(points: options.sampleCount)
    // Two points, a distance and a weight each, and the corners of the cells.
    try runtime.policy.check(bytes: options.sampleCount, 4 * MemoryLayout<Point>.stride)
    let world: SpatialReference? =
      if let given = options.areaReference { given } else {
        try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 4326)
      }
    guard let world else { throw EngineError(.internal, "There is no WGS 84.") }
    reference = world
    let area = options.area.isEmpty ? try Self.areaOfUse(of: from, to) : options.area
    guard area.allSatisfy(\.isFinite) else {
      throw EngineError(.invalidArgument, "The area has a point that is not finite.")
    }
    let corners = try AreaOfInterest.corners(area, reference)
    guard let box = Envelope(around: corners) else { throw EngineError(.invalidArgument, "The area is empty.") }
    extent = box
    ring = area.count == 2 ? [] : corners
  }

  /// The smaller one of the areas where the two are used: two corners in degrees.
  private static func areaOfUse(
    of from: SpatialReference, _ to: SpatialReference
  ) throws(EngineError) -> [Point] {
    let boxes = [from, to].compactMap { reference -> GeographicBox? in
      guard let area = reference.system.areaOfUse, !area.west.isNaN else { return nil }
      return GeographicBox(west: area.west, south: area.south, east: area.east, north: area.north)
    }
    guard let box = boxes.min(by: { $0.size < $1.size }) else {
      throw EngineError(
        .invalidArgument, "It is not known where \(from.name) and \(to.name) are used; give an area.")
    }
    return [Point(x: box.west, y: box.south), Point(x: box.east, y: box.north)]
  }

  var count: Int { columns &* rows }

  /// A corner of a cell; row 0 is that of the greatest y.
  private func corner(_ column: Int, _ row: Int) -> Point {
    Point(
      x: extent.xMin + (extent.xMax - extent.xMin) * (Double(column) / Double(columns)),
      y: extent.yMax - (extent.yMax - extent.yMin) * (Double(row) / Double(rows)))
  }

  func center(_ index: Int) -> Point {
    Point(
      x: extent.xMin + (extent.xMax - extent.xMin) * ((Double(index % columns) + 0.5) / Double(columns)),
      y: extent.yMax - (extent.yMax - extent.yMin) * ((Double(index / columns) + 0.5) / Double(rows)))
  }

  /// Whether the centre of a cell lies in the area.
  func contains(_ index: Int) -> Bool {
    if ring.isEmpty { return true }
    let point = center(index)
    var isInside = false
    var previous = ring[ring.count &- 1]
    for next in ring {
      if (next.y > point.y) != (previous.y > point.y),
        point.x < (previous.x - next.x) * (point.y - next.y) / (previous.y - next.y) + next.x
      {
        isInside.toggle()
      }
      previous = next
    }
    return isInside
  }

  /// The areas of the cells on the ellipsoid, up to one factor. Edges are parallels and meridians in a geographic
  /// spatial reference with the earth's own pole, otherwise geodesics between the corners. 1 for each cell of an area
  /// without extent, and for an area that has no area on the ellipsoid.
  func weights() throws(EngineError) -> HeapArray<Double> {
    let weights = try HeapArray<Double>(count: count)
    for index in 0..<count { weights.buffer[index] = 1 }
    guard extent.xMin < extent.xMax, extent.yMin < extent.yMax else { return weights }
    let globe = try reference.geodeticBase()
    let ellipsoid = try ReferenceEllipsoid(of: globe.system)
    let degrees = globe.system.degreesPerUnit
    if globe === reference {
      for row in 0..<rows {
        let (top, bottom) = (corner(0, row).y * degrees, corner(0, row &+ 1).y * degrees)
        let weight = ellipsoid.authalic(latitude: top) - ellipsoid.authalic(latitude: bottom)
        for column in 0..<columns { weights.buffer[row &* columns &+ column] = weight }
      }
      return weights
    }
    let corners = try HeapArray<Point>(count: (columns &+ 1) &* (rows &+ 1))
    for index in corners.buffer.indices {
      corners.buffer[index] = corner(index % (columns &+ 1), index / (columns &+ 1))
    }
    try Projector.between(reference, globe).projectOnAllCores(corners)
    let geodesic = Geodesic(on: ellipsoid)
    for index in 0..<count {
      let first = index / columns &* (columns &+ 1) &+ index % columns
      let cell = [first, first &+ 1, first &+ columns &+ 2, first &+ columns &+ 1].map {
        corners.buffer[$0].scaled(by: degrees)
      }
      // The area of a cell is NaN if a corner has no position.
      let area = cell.allSatisfy(\.isFinite) ? geodesic.areaAndPerimeter(of: cell).area.magnitude : .nan
      if area > 0 { weights.buffer[index] = area }
    }
    return weights
  }
}

extension Point {
  fileprivate func scaled(by factor: Double) -> Point { Point(x: x * factor, y: y * factor) }
}

extension ReferenceEllipsoid {
  /// What the area between the equator and a latitude in degrees is proportional to, for all latitudes alike (Snyder
  /// 1987, 3-12).
  fileprivate func authalic(latitude: Double) -> Double {
    let squared = eccentricitySquared
    let sine = sin(min(max(latitude, -90), 90) * .pi / 180)
    guard squared > 0 else { return 2 * sine }
    let e = squared.squareRoot()
    return (1 - squared) * (sine / (1 - squared * sine * sine) + atanh(e * sine) / e)
  }
}
