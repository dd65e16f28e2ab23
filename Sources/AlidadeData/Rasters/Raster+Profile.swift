import AlidadeBase
import AlidadeCoordinates
import Glibc

/// Where along a line a profile has its samples.
public enum ProfileKind: Sendable {
  case cells
  case step(Double)
  case count(Int)
}

/// A sample of a profile.
public struct ProfileSample: Sendable {
  public var distance: Double
  public var endDistance: Double
  public var place: Point
  public var value: Double
  public var cell: CellIndex
  public var verdict: CellVerdict
}

/// A line with the distance of each vertex from its start.
private struct MeasuredLine {
  let vertices: HeapArray<Point>
  let distances: HeapArray<Double>

  var length: Double { distances.buffer.last ?? 0 }

  /// - Parameter vertices: at least two, finite.
  init(_ vertices: HeapArray<Point>) throws(EngineError) {
    self.vertices = vertices
    distances = try HeapArray(count: vertices.buffer.count)
    var length = 0.0
    for index in vertices.buffer.indices {
      if index > 0 {
        let (a, b) = (vertices.buffer[index &- 1], vertices.buffer[index])
        length += hypot(b.x - a.x, b.y - a.y)
      }
      distances.buffer[index] = length
    }
    guard length.isFinite else { throw EngineError(.invalidArgument, "The line is longer than numbers reach.") }
  }

  /// The point at a distance.
  ///
  /// - Parameter segment: where the search begins; moves on to the segment that contains the point.
  func point(at distance: Double, _ segment: inout Int) -> Point {
    let last = vertices.buffer.count &- 2
    while segment < last, distances.buffer[segment &+ 1] < distance { segment &+= 1 }
    let (a, b) = (vertices.buffer[segment], vertices.buffer[segment &+ 1])
    let (start, end) = (distances.buffer[segment], distances.buffer[segment &+ 1])
    guard end > start else { return a }
    let t = min(max((distance - start) / (end - start), 0), 1)
    return t == 1 ? b : Point(x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t)
  }
}

extension Raster {
  /// How many samples a profile of a line has, if that follows from the line's length; nil for `cells`.
  private func sampleCount(_ kind: ProfileKind, length: Double) throws(EngineError) -> Int? {
    switch kind {
    case .cells: return nil
    case .count(let count): return count
    case .step(let step):
      // One at 0 and one after each step, and one more at the end if the last step does not reach it.
      let steps = (length / step).rounded(.down)
      guard let whole = Int(exactly: steps), whole < Int(truncatingIfNeeded: Int32.max) else {
        try runtime.policy.check(points: Int.max)
        return nil
      }
      return Double(whole) * step < length ? whole &+ 2 : whole &+ 1
    }
  }

  /// The values of a band along a line.
  ///
  /// - Parameters:
  ///   - vertices: at least two, finite.
  ///   - source: the spatial reference of the vertices; nil means that of the raster.
  ///   - band: from 0.
  ///   - sampling: nearest for `cells`.
  ///   - readsValues: if false, only the positions of the samples are computed.
  public func profile(
    along vertices: HeapArray<Point>, in source: SpatialReference?, band: Int, _ kind: ProfileKind,
    _ sampling: Sampling, readsValues: Bool = true
  ) throws(EngineError) -> [ProfileSample] {
    try runtime.limited { [self] () throws(EngineError) -> [ProfileSample] in
      try requirePlaceable()
      let line = try MeasuredLine(vertices)
      var samples: [ProfileSample] = []
      var segment = 0
      if let count = try sampleCount(kind, length: line.length) {
        try checkProfile(count)
        samples.reserveCapacity(count)
        for index in 0..<count {
          var distance = line.length
          if index < count &- 1 {
            switch kind {
            case .step(let step): distance = Double(index) * step
            default: distance = line.length * (Double(index) / Double(count &- 1))
            }
          }
          samples.append(sample(distance, distance, line.point(at: distance, &segment)))
        }
        guard readsValues else { return samples }
        let points = try HeapArray<Point>(count: count)
        for index in 0..<count { points.buffer[index] = samples[index].place }
        try read(try request(points, in: source), band: band, sampling, into: &samples)
        return samples
      }
      let stretches = try stretches(of: line, in: source)
      try checkProfile(stretches.count)
      let request = try SampleRequest(count: stretches.count)
      samples.reserveCapacity(stretches.count)
      for (index, stretch) in stretches.enumerated() {
        let middle = stretch.start + (stretch.end - stretch.start) / 2
        samples.append(sample(stretch.start, stretch.end, line.point(at: middle, &segment)))
        request.cells.buffer[index] = stretch.cell
        request.places.buffer[index] = .nan
      }
      if readsValues { try read(request, band: band, sampling, into: &samples) }
      return samples
    }
  }

  private func checkProfile(_ count: Int) throws(EngineError) {
    try SampleRequest.check(count: count, runtime.policy)
    try runtime.policy.check(bytes: count, MemoryLayout<ProfileSample>.stride &* 2)
  }

  private func sample(_ start: Double, _ end: Double, _ place: Point) -> ProfileSample {
    ProfileSample(distance: start, endDistance: end, place: place, value: .nan, cell: .outside, verdict: .outside)
  }

  /// The cells that a line crosses.
  private func stretches(of line: MeasuredLine, in source: SpatialReference?) throws(EngineError) -> [LineStretch] {
    let count = line.vertices.buffer.count &- 1
    let ends = try HeapArray<Point>(count: count &* 2)
    for segment in 0..<count {
      ends.buffer[segment &* 2] = line.vertices.buffer[segment]
      ends.buffer[segment &* 2 &+ 1] = line.vertices.buffer[segment &+ 1]
    }
    let path = try GridPath(ends, in: source, of: self, isWrapped: true)
    var traversal = CellTraversal(facts, runtime.policy)
    for piece in path.pieces {
      let segment = Int(truncatingIfNeeded: piece.segment)
      let (near, far) = (line.distances.buffer[segment], line.distances.buffer[segment &+ 1])
      func distance(_ t: Double) -> Double { t == 1 ? far : near + (far - near) * t }
      let (start, end) = (distance(piece.start), distance(piece.end))
      switch piece.kind {
      case .straight: try traversal.cross(from: piece.from, to: piece.to, start: start, end: end)
      case .noImage: try traversal.add(.notProjectable, from: start, to: end)
      case .seam:
        // Shorter than any distance that matters; the point at its start may be on the grid's far edge.
        try traversal.add(traversal.stretches.last?.cell ?? cellIndex(holding: piece.from), from: start, to: end)
      }
    }
    if !traversal.stretches.isEmpty { return traversal.stretches }
    // A line without length is one point.
    let start = try HeapArray<Point>(count: 1)
    start.buffer[0] = line.vertices.buffer[0]
    let request = try request(start, in: source)
    return [LineStretch(cell: withExtendedLifetime(request) { request.cells.buffer[0] }, start: 0, end: 0)]
  }

  /// Fills in value, cell and verdict.
  private func read(
    _ request: SampleRequest, band: Int, _ sampling: Sampling, into samples: inout [ProfileSample]
  ) throws(EngineError) {
    let values = try HeapArray<Double>(count: samples.count)
    let verdicts = try HeapArray<UInt8>(count: samples.count)
    try read(request, band: band, sampling, into: values.buffer, verdicts: verdicts.buffer)
    for index in samples.indices {
      let cell = request.cells.buffer[index]
      samples[index].value = values.buffer[index]
      samples[index].cell = cell.isCell ? cell : .outside
      samples[index].verdict = CellVerdict(rawValue: Int32(truncatingIfNeeded: verdicts.buffer[index])) ?? .outside
    }
  }
}
