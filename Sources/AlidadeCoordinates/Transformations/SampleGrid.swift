import AlidadeBase

/// Places over an area: the centres of cells that cut the box around it evenly.
struct SampleGrid {
  /// What the area is in.
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
    let (count, overflow) = columns.multipliedReportingOverflow(by: rows)
    try runtime.policy.check(points: overflow ? .max : count)
    // Two points, a distance and a weight each, and the corners of the cells.
    try runtime.policy.check(bytes: count, 4 * MemoryLayout<Point>.stride)
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
  /// spatial reference with the earth's own pole, else geodesics between the corners. 1 for each cell of an area without extent, and for one that
  /// has no area on the ellipsoid.
  func weights() throws(EngineError) -> HeapArray<Double> {
    let weights = try HeapArray<Double>(count: count)
    for index in 0..<count { weights.buffer[index] = 1 }
    guard extent.xMin < extent.xMax, extent.yMin < extent.yMax else { return weights }
    let globe = try reference.geodeticBase()
    if globe === reference {
      let ellipsoid = try ProcessGate.shared.pass { () throws(EngineError) in Ellipsoid(of: reference) }
      for row in 0..<rows {
        let (top, bottom) = (corner(0, row).y, corner(0, row &+ 1).y)
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
    try ProcessGate.shared.pass { () throws(EngineError) in
      let ellipsoid = Ellipsoid(of: globe)
      for index in 0..<count {
        let first = index / columns &* (columns &+ 1) &+ index % columns
        let area = ellipsoid.area(
          [first, first &+ 1, first &+ columns &+ 2, first &+ columns &+ 1].map { corners.buffer[$0] })
        if area > 0 { weights.buffer[index] = area }
      }
    }
    return weights
  }
}
