import AlidadeBase
import AlidadeCoordinates

extension Geometry {
  /// All that lies within a distance of the geometry, as a polygon.
  public func buffered(_ distance: Double, _ style: PlanarBufferStyle) throws(EngineError) -> Geometry {
    try runtime.limited { [self] () throws(EngineError) -> Geometry in
      try style.check()
      let own = try style.ownDistance(distance, spatialReference)
      let task = PlanarBufferTask(
        style: try style.inOwnUnit(spatialReference), policy: runtime.policy, workers: runtime.workers)
      let builder = try GeometryBuilder(policy: runtime.policy)
      try task.add(try BufferInput(columns, row), own, to: builder)
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }
}

extension GeometryArray {
  /// The buffer of each geometry.
  ///
  /// - Parameter distances: one for each; where there are fewer, the last one holds for the rest.
  public func buffered(
    _ distances: UnsafeBufferPointer<Double>, _ style: PlanarBufferStyle
  ) throws(EngineError) -> GeometryArray {
    try style.check()
    let own = try BufferDistances(distances, count: count, style, spatialReference)
    return try runtime.limited { [self] () throws(EngineError) -> GeometryArray in
      let style = try style.inOwnUnit(spatialReference)
      let builder = try GeometryBuilder(policy: runtime.policy)
      if let circles = try PointBuffers(columns, own, style) {
        try circles.write(to: builder, workers: runtime.workers)
      } else {
        for part in try parts(own, style, of: Array(0..<count), keepsPoints: true) {
          try builder.append(polygons: part)
        }
      }
      return GeometryArray(runtime: runtime, columns: try builder.finish(spatialReference))
    }
  }

  /// The union of the buffers of all geometries, as one polygon.
  ///
  /// - Parameter distances: one for each; where there are fewer, the last one holds for the rest.
  public func bufferUnion(
    _ distances: UnsafeBufferPointer<Double>, _ style: PlanarBufferStyle
  ) throws(EngineError) -> Geometry {
    try style.check()
    let own = try BufferDistances(distances, count: count, style, spatialReference)
    return try runtime.limited { [self] () throws(EngineError) -> Geometry in
      let style = try style.inOwnUnit(spatialReference)
      let task = PlanarBufferTask(style: style, policy: runtime.policy, workers: runtime.workers)
      var others: [Int] = []
      let circles = try BufferCircles(columns, own, style, others: &others)
      let polygons = try task.circles(circles.centres, UnsafeBufferPointer(circles.radii.filled))
      let parts = try parts(own, style, of: others, keepsPoints: style.cap != .round)
      let builder = try GeometryBuilder(policy: runtime.policy)
      try builder.begin(.polygon, [])
      if parts.isEmpty {
        try task.add(polygons, to: builder)
      } else {
        try builder.append(polygons: union(of: parts, polygons))
      }
      try builder.end()
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }

  /// The union of buffers, neighbours first.
  private func union(of buffers: [GeometryColumns], _ circles: CirclePolygons) throws(EngineError) -> [[[Point]]] {
    var polygons: [[[Point]]] = []
    for columns in buffers {
      for row in 0..<columns.count { polygons += columns.orientedRings(ofGeometry: row).filter { !$0.isEmpty } }
    }
    let largest = (polygons.joined().joined().map(\.size) + circles.vertices.map(\.size)).max() ?? 0
    var region = BufferRegion(0, largest: largest, PlanarBufferStyle(), segments: 1)
    for polygon in HilbertCurve.sorted(polygons, at: { $0.first?.first ?? Point(x: 0, y: 0) }) {
      region.add(rings: polygon)
    }
    region.add(circles)
    return try region.polygons(runtime.workers, runtime.policy)
  }

  /// Buffers of some of the geometries, in columns that follow each other.
  private func parts(
    _ distances: BufferDistances, _ style: PlanarBufferStyle, of rows: [Int], keepsPoints: Bool
  ) throws(EngineError) -> [GeometryColumns] {
    // A large one takes milliseconds: few at a time, so that all cores have something to do until the end.
    let chunk = 16
    let count = (rows.count &+ chunk &- 1) / chunk
    let results = Lock<[GeometryColumns?]>(Array(repeating: nil, count: count))
    let task = PlanarBufferTask(style: style, policy: runtime.policy, workers: runtime.workers)
    try runtime.workers.forEach(count) { (part: Int) throws(EngineError) in
      let builder = try GeometryBuilder(policy: task.policy)
      for row in rows[part &* chunk..<min(rows.count, (part &+ 1) &* chunk)] {
        do throws(EngineError) {
          let input = try BufferInput(self.columns, row, keepsPoints: keepsPoints)
          try task.add(input, distances[row], to: builder)
        } catch {
          var error = error
          error.message = "Geometry \(row): \(error.message)"
          throw error
        }
      }
      let made = try builder.finish(nil)
      results.withLock { $0[part] = made }
    }
    return results.withLock { $0 }.compactMap { $0 }
  }
}

extension Point {
  /// The larger of both coordinates' magnitudes.
  fileprivate var size: Double { max(x.magnitude, y.magnitude) }
}

/// The circles around all points of an array, members of collections counted in.
struct BufferCircles {
  let centres: GrowingBuffer<Point>
  let radii: GrowingBuffer<Double>

  /// - Parameter others: gets the rows that have something else than points.
  init(
    _ columns: GeometryColumns, _ distances: BufferDistances, _ style: PlanarBufferStyle, others: inout [Int]
  ) throws(EngineError) {
    centres = try GrowingBuffer(capacity: columns.count)
    radii = try GrowingBuffer(capacity: columns.count)
    for row in 0..<columns.count {
      let kind = columns.kind(row)
      guard style.cap == .round, kind == .point || kind == .multipoint || kind == .collection else {
        others.append(row)
        continue
      }
      let radius = distances[row]
      do throws(EngineError) {
        let input = try BufferInput(columns, row)
        for (columns, vertices) in input.points {
          for index in vertices where PlanarBufferTask.isVisible(columns.points[index], radius) {
            try centres.append(columns.points[index])
            try radii.append(radius)
          }
        }
        if !input.lines.isEmpty || !input.polygons.isEmpty { others.append(row) }
      } catch {
        var error = error
        error.message = "Geometry \(row): \(error.message)"
        throw error
      }
    }
    // One radius for all, if they are the same: their circles need no levels.
    if let first = radii.filled.first, radii.filled.allSatisfy({ $0 == first }) { radii.truncate(to: 1) }
  }
}
