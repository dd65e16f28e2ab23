import AlidadeBase
import AlidadeCoordinates

/// Merges vertices that rounding does not tell apart, and cuts rings where they pass a vertex twice.
final class RingCutting {
  private let table: PointTable
  private let cell: Double
  /// Where each merged vertex is on the way that is followed; -1 if it is not.
  private let positions: HeapArray<Int32>
  private let way: GrowingBuffer<Int32>
  /// The rings of the polygon under work, closed, and where they begin.
  private let vertices: GrowingBuffer<Point>
  private let rings: GrowingBuffer<CutRing>

  private struct CutRing {
    var first: Int
    var count: Int
    var area: Double
    var isDelicate: Bool
  }

  /// - Parameters:
  ///   - count: of all vertices that will come.
  ///   - unit: the coarsest step of their coordinates.
  init(count: Int, unit: Double) throws(EngineError) {
    table = try PointTable(count: count)
    cell = 4096 * 16 * unit
    positions = try HeapArray(count: count)
    positions.buffer.update(repeating: -1)
    way = try GrowingBuffer()
    vertices = try GrowingBuffer()
    rings = try GrowingBuffer()
  }

  /// Adds what becomes of a polygon: none, one or several. Rings that are not delicate stay as they are.
  ///
  /// - Parameter marks: gets for each ring that is added whether it is delicate.
  func cut(
    _ source: PolygonBuffers, _ range: Range<Int>, _ isDelicate: HeapArray<Bool>, unit: Double,
    into result: PolygonBuffers, marks: GrowingBuffer<Bool>
  ) throws(EngineError) {
    vertices.removeAll()
    rings.removeAll()
    for ring in range {
      guard isDelicate.buffer[ring] else {
        let points = source.vertices(of: ring)
        try rings.append(
          CutRing(first: vertices.count, count: points.count, area: points[...].shoelace.area, isDelicate: false))
        try vertices.append(contentsOf: points)
        continue
      }
      way.removeAll()
      for point in source.vertices(of: ring).dropLast() {
        let index = try merged(point, within: 16 * unit)
        if positions.buffer[Int(truncatingIfNeeded: index)] >= 0 {
          try endRing(at: Int(truncatingIfNeeded: positions.buffer[Int(truncatingIfNeeded: index)]), unit)
        } else {
          positions.buffer[Int(truncatingIfNeeded: index)] = Int32(truncatingIfNeeded: way.count)
          try way.append(index)
        }
      }
      if way.count > 0 { try endRing(at: 0, unit) }
      for index in way.filled { positions.buffer[Int(truncatingIfNeeded: index)] = -1 }
    }
    try group(into: result, marks)
  }

  private func merged(_ point: Point, within distance: Double) throws(EngineError) -> Int32 {
    if let known = table.first(near: point, within: distance, cell: cell, where: { _ in true }) {
      return Int32(truncatingIfNeeded: known)
    }
    let index = try table.add(point, cell: cell)
    return Int32(truncatingIfNeeded: index)
  }

  /// Makes a ring of the way from a position on; only the vertex there stays on the way.
  private func endRing(at position: Int, _ unit: Double) throws(EngineError) {
    let count = way.count &- position
    let first = vertices.count
    for index in way.values[position..<way.count] {
      try vertices.append(table.points.values[Int(truncatingIfNeeded: index)])
    }
    for index in way.values[(position &+ 1)..<way.count] { positions.buffer[Int(truncatingIfNeeded: index)] = -1 }
    way.truncate(to: position &+ 1)
    try vertices.append(vertices.values[first])
    let (area, length) = vertices.values[first..<vertices.count].shoelace
    // Rings of two vertices, and those that rounding may have turned over.
    if count < 3 || abs(area) <= 2 * unit * length {
      vertices.truncate(to: first)
    } else {
      try rings.append(CutRing(first: first, count: count &+ 1, area: area, isDelicate: true))
    }
  }

  /// Puts each hole behind the smallest outer ring around it.
  private func group(into result: PolygonBuffers, _ marks: GrowingBuffer<Bool>) throws(EngineError) {
    let all = rings.filled
    let outers = all.filter { $0.area > 0 }
    for (number, outer) in outers.enumerated() {
      try result.append(ring: points(outer))
      try marks.append(outer.isDelicate)
      for hole in all where hole.area < 0 {
        guard outers.count == 1 || owner(of: hole, among: outers) == number else { continue }
        try result.append(ring: points(hole))
        try marks.append(hole.isDelicate)
      }
      try result.endPolygon()
    }
  }

  private func owner(of hole: CutRing, among outers: [CutRing]) -> Int? {
    var best: Int?
    for (number, outer) in outers.enumerated() where best.map({ outer.area < outers[$0].area }) ?? true {
      let ring = points(outer)
      // A vertex of the hole that is none of the ring's tells.
      let isInside = points(hole).lazy.compactMap { ring.side(of: $0) }.first
      if isInside == true { best = number }
    }
    return best
  }

  private func points(_ ring: CutRing) -> UnsafeMutableBufferPointer<Point> {
    UnsafeMutableBufferPointer(rebasing: vertices.values[ring.first..<(ring.first &+ ring.count)])
  }
}

extension UnsafeMutableBufferPointer<Point>.SubSequence {
  /// The area within a closed ring, positive if it goes counterclockwise, and its length.
  var shoelace: (area: Double, length: Double) {
    guard let first else { return (0, 0) }
    var (area, length) = (0.0, 0.0)
    for index in startIndex..<(endIndex &- 1) {
      let (a, b) = (self[index], self[index &+ 1])
      area += (a.x - first.x) * (b.y - first.y) - (b.x - first.x) * (a.y - first.y)
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      length += (dx * dx + dy * dy).squareRoot()
    }
    return (0.5 * area, length)
  }
}

extension UnsafeMutableBufferPointer<Point> {
  /// Whether a point lies within a closed ring; nil if it is one of its vertices.
  fileprivate func side(of point: Point) -> Bool? {
    var isInside = false
    for index in 0..<(count &- 1) {
      let (a, b) = (self[index], self[index &+ 1])
      if a == point { return nil }
      guard (a.y > point.y) != (b.y > point.y) else { continue }
      let turn = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
      if (turn > 0) == (b.y > a.y) { isInside.toggle() }
    }
    return isInside
  }
}
