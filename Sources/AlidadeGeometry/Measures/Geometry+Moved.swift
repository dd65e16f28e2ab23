import AlidadeBase
import AlidadeCoordinates

extension Geometry {
  /// Every vertex moved by a distance in one direction; degrees clockwise from north, in the plane from the y axis.
  ///
  /// What hangs together across the antimeridian still does: longitudes go on beyond 180. z and m stay.
  public func moved(
    by distance: Double, azimuth: Double, _ measure: Measure, unit: Unit?
  ) throws(EngineError) -> Geometry {
    try limited { [self] () throws(EngineError) -> Geometry in
      try rewritten(
        PathRewriter(path: try Mover(spatialReference, by: distance, azimuth: azimuth, measure, unit).move))
    }
  }
}

extension GeometryArray {
  /// Every vertex of every geometry moved by a distance in one direction.
  public func moved(
    by distance: Double, azimuth: Double, _ measure: Measure, unit: Unit?
  ) throws(EngineError) -> GeometryArray {
    try runtime.limited { [self] () throws(EngineError) -> GeometryArray in
      try rewritten(
        PathRewriter(path: try Mover(spatialReference, by: distance, azimuth: azimuth, measure, unit).move))
    }
  }
}

/// Moves vertices.
private struct Mover {
  private let frame: GeodesicFrame?
  private let curve: CurveType
  /// Metres, or the coordinates' own unit.
  private let distance: Double
  private let azimuth: Double

  init(
    _ reference: SpatialReference?, by distance: Double, azimuth: Double, _ measure: Measure, _ unit: Unit?
  ) throws(EngineError) {
    self.azimuth = azimuth
    switch measure {
    case .planar:
      (frame, curve) = (nil, .geodesic)
      self.distance = distance * (try Measurer.planarLength(reference, unit))
    case .geodesic(let kind):
      guard kind != .shapePreserving else {
        throw EngineError(
          .unsupported,
          "No shape-preserving way begins in a direction: it is straight in coordinates. Move in the plane.")
      }
      (frame, curve) = (try GeodesicFrame(reference), kind)
      self.distance = distance * (try Measurer.metres(unit))
    }
    guard self.distance.isFinite, azimuth.isFinite else {
      throw EngineError(
        .invalidArgument, "The distance is \(distance) and the azimuth \(azimuth): both must be finite.")
    }
  }

  func move(_ columns: GeometryColumns, _ vertices: Range<Int>, _ builder: GeometryBuilder) throws(EngineError) {
    let points = UnsafeBufferPointer(rebasing: columns.points.buffer[vertices])
    let images = try HeapArray<Point>(count: points.count)
    // Its memory is used without it.
    defer { withExtendedLifetime(images) {} }
    if let frame {
      let places = try frame.degrees(columns, vertices)
      defer { withExtendedLifetime(places) {} }
      for (index, place) in places.buffer.enumerated() {
        if index & 255 == 255 { try TimeLimit.check() }
        images.buffer[index] =
          frame.geodesic.position(curve, from: place, azimuth: azimuth, distance: distance).point
      }
      try frame.fromDegrees(images.buffer)
      if let bad = images.buffer.firstIndex(where: { !$0.isFinite }) {
        throw EngineError(
          .projectionFailed,
          "From (\(points[bad].x), \(points[bad].y)) the path leads to a point that cannot be projected to \(frame.reference.name)."
        )
      }
      if let width = frame.worldWidth { hangTogether(images.buffer, like: points, width: width) }
    } else {
      let (sine, cosine) = sineAndCosine(degrees: azimuth)
      for (index, point) in points.enumerated() {
        images.buffer[index] = Point(x: point.x + distance * sine, y: point.y + distance * cosine)
      }
    }
    // Closed stays closed, to the last bit.
    if points.count > 1, points.first == points.last { images.buffer[points.count &- 1] = images.buffer[0] }
    for (index, image) in images.buffer.enumerated() {
      var vertex = columns.vertex(vertices.lowerBound &+ index)
      vertex.point = image
      try builder.append(vertex)
    }
  }

  /// Takes of each image the one that lies to the one before as the vertices lie to each other.
  private func hangTogether(
    _ images: UnsafeMutableBufferPointer<Point>, like points: UnsafeBufferPointer<Point>, width: Double
  ) {
    for index in points.indices {
      let near = index == 0 ? points[0].x : images[index &- 1].x + (points[index].x - points[index &- 1].x)
      images[index] = images[index].unwrapped(near: near, width: width)
    }
  }
}
