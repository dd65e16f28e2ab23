import AlidadeBase
import AlidadeCoordinates

/// What a buffer is combined from: regions that are united, or shells of which the regions around their boundaries are
/// taken away.
struct BufferPiece {
  var isNegative = false
  /// Each a shell and its holes.
  var interiors: [[EarthRegion]] = []
  var boundary: [EarthRegion] = []

  /// The box on the map within which the piece lies.
  func box(_ frame: RegionFrame?) -> Envelope? {
    var box: Envelope?
    for region in interiors.compactMap(\.first) + (isNegative ? [] : boundary) {
      guard let other = frame.map({ $0.box(region) }) ?? Envelope(around: region.line) else { continue }
      box = box.map { $0.joined(other) } ?? other
    }
    return box
  }

  /// The regions on the map that the piece is the union of; none if nothing is left of it.
  ///
  /// - Parameter frame: nil for a plane that does not repeat itself.
  func place(
    _ frame: RegionFrame?, _ plane: EarthPlane?, _ planar: PlanarRegions
  ) throws(EngineError) -> [OpaquePointer] {
    func placed(_ region: EarthRegion) throws(EngineError) -> OpaquePointer {
      if let frame { return try frame.place(region, planar, plane) }
      if region.isComplement, let plane { throw plane.hole() }
      return try planar.valid(try planar.polygon(region.line))
    }
    var regions: [OpaquePointer] = []
    for region in boundary { regions.append(try placed(region)) }
    var shells: [OpaquePointer] = []
    for rings in interiors {
      var inside: OpaquePointer?
      for ring in rings where !ring.line.isEmpty {
        let region = try placed(ring)
        inside = try inside.map { (shell) throws(EngineError) in try planar.difference(shell, region) } ?? region
      }
      if let inside { shells.append(inside) }
    }
    guard isNegative else { return regions + shells }
    guard !shells.isEmpty else { return [] }
    return [try planar.difference(try planar.union(shells), try planar.union(regions))]
  }
}

/// Unites pieces by space, on all cores: those whose boxes are apart have nothing to do with each other.
struct RegionUnion {
  let frame: RegionFrame?
  let plane: EarthPlane?
  let isSplit: Bool
  /// nil: on the calling thread alone.
  let workers: Workers?

  /// So many pieces are united at once; of more in one place parts are united first.
  private static let unitSize = 128

  func polygons(_ pieces: [BufferPiece]) throws(EngineError) -> [[[Point]]] {
    var boxes: [Envelope] = []
    var kept: [BufferPiece] = []
    for piece in pieces {
      guard let box = piece.box(frame) else { continue }
      boxes.append(box)
      kept.append(piece)
    }
    let groups = BoxGroups(boxes).groups
    // Units are parts of one group, or several small groups whose results are put side by side.
    var units: [(pieces: [[Int]], group: Int?)] = []
    for (number, group) in groups.enumerated() {
      if group.count > Self.unitSize {
        for start in stride(from: 0, to: group.count, by: Self.unitSize) {
          units.append(([Array(group[start..<min(group.count, start &+ Self.unitSize)])], number))
        }
      } else if let last = units.last, last.group == nil, last.pieces.count &+ group.count < Self.unitSize {
        units[units.count &- 1].pieces.append(group)
      } else {
        units.append(([group], nil))
      }
    }
    let (all, constantUnits) = (kept, units)
    let united = try forEach(units.count) { (index) throws(EngineError) in
      let unit = constantUnits[index]
      var found: [[[Point]]] = []
      for group in unit.pieces { found += try self.united(group.map { all[$0] }, isWhole: unit.group == nil) }
      return found
    }
    var result: [[[Point]]] = []
    var parts: [Int: [[[Point]]]] = [:]
    for (unit, polygons) in zip(units, united) {
      if let group = unit.group { parts[group, default: []] += polygons } else { result += polygons }
    }
    let large = parts.sorted { $0.key < $1.key }.map(\.value)
    for polygons in try forEach(large.count, { (index) throws(EngineError) in try self.united(large[index]) }) {
      result += polygons
    }
    return result
  }

  /// - Parameter isWhole: no more comes to it.
  private func united(_ pieces: [BufferPiece], isWhole: Bool) throws(EngineError) -> [[[Point]]] {
    let planar = try PlanarRegions(in: pieces.compactMap { $0.box(frame) }.joined)
    var regions: [OpaquePointer] = []
    for piece in pieces { regions += try piece.place(frame, plane, planar) }
    guard !regions.isEmpty else { return [] }
    let region = try planar.union(regions)
    guard !planar.isEmpty(region) || pieces.contains(where: \.isNegative) else { throw Self.tooSmall }
    return try planar.polygons(isWhole ? try split(region, planar) : region)
  }

  private func united(_ polygons: [[[Point]]]) throws(EngineError) -> [[[Point]]] {
    let planar = try PlanarRegions(in: polygons.compactMap { $0.first.flatMap { Envelope(around: $0) } }.joined)
    var regions: [OpaquePointer] = []
    for rings in polygons { regions.append(try planar.polygon(rings)) }
    return try planar.polygons(try split(try planar.union(regions), planar))
  }

  private static var tooSmall: EngineError {
    EngineError(
      .limitExceeded, "The buffer vanishes in rounding: it is smaller than what coordinates there can tell apart.")
  }

  private func split(_ region: OpaquePointer, _ planar: PlanarRegions) throws(EngineError) -> OpaquePointer {
    guard isSplit, let frame else { return region }
    return try frame.split(region, planar)
  }

  private func forEach(
    _ count: Int, _ body: @Sendable (Int) throws(EngineError) -> [[[Point]]]
  ) throws(EngineError) -> [[[[Point]]]] {
    let results = Lock([[[[Point]]]](repeating: [], count: count))
    guard let workers, count > 1 else {
      for index in 0..<count {
        let found = try body(index)
        results.withLock { $0[index] = found }
      }
      return results.withLock { $0 }
    }
    try workers.forEach(count) { (index) throws(EngineError) in
      let found = try body(index)
      results.withLock { $0[index] = found }
    }
    return results.withLock { $0 }
  }
}

extension [Envelope] {
  /// The box around all; nil if there are none.
  fileprivate var joined: Envelope? { first.map { first in reduce(first) { $0.joined($1) } } }
}

extension Envelope {
  fileprivate func joined(_ other: Envelope) -> Envelope {
    Envelope(
      xMin: min(xMin, other.xMin), yMin: min(yMin, other.yMin), xMax: max(xMax, other.xMax),
      yMax: max(yMax, other.yMax))
  }
}

/// Boxes that hang together: no box of a group touches one of another. Groups may be larger than they need be.
struct BoxGroups {
  /// In the order of their first boxes; within a group from west to east.
  private(set) var groups: [[Int]] = []

  /// What is active in a row of the map while a line sweeps it from west to east.
  private struct Entry {
    var low: Double
    var high: Double
    var east: Double
    var box: Int
  }

  init(_ boxes: [Envelope]) {
    guard boxes.count > 1, let south = boxes.map(\.yMin).min(), let north = boxes.map(\.yMax).max() else {
      groups = boxes.isEmpty ? [] : [[0]]
      return
    }
    // Rows as high as boxes are on average, so that a box is in few of them.
    let mean = boxes.reduce(0) { $0 + ($1.yMax - $1.yMin) } / Double(boxes.count)
    let height = max(mean, (north - south) / 4096, .leastNormalMagnitude)
    var rows = [[Entry]](repeating: [], count: 4098)
    func row(_ y: Double) -> Int { Int(exactly: min(4097, max(0, ((y - south) / height).rounded(.down)))) ?? 0 }
    var parents = Array(boxes.indices)
    func root(_ box: Int) -> Int {
      var box = box
      while parents[box] != box {
        parents[box] = parents[parents[box]]
        box = parents[box]
      }
      return box
    }
    let order = boxes.indices.sorted { boxes[$0].xMin < boxes[$1].xMin }
    for index in order {
      let box = boxes[index]
      for number in row(box.yMin)...max(row(box.yMin), row(box.yMax)) {
        var entry = Entry(low: box.yMin, high: box.yMax, east: box.xMax, box: index)
        // Entries of a row that touch become one, so that boxes in one place stay few.
        rows[number].removeAll { other in
          if other.east < box.xMin { return true }
          guard other.low <= entry.high, other.high >= entry.low else { return false }
          parents[root(other.box)] = root(index)
          entry.low = min(entry.low, other.low)
          entry.high = max(entry.high, other.high)
          entry.east = max(entry.east, other.east)
          return true
        }
        rows[number].append(entry)
      }
    }
    var numbers: [Int: Int] = [:]
    for index in boxes.indices {
      let root = root(index)
      if numbers[root] == nil {
        numbers[root] = groups.count
        groups.append([])
      }
    }
    for index in order {
      if let number = numbers[root(index)] { groups[number].append(index) }
    }
  }
}
