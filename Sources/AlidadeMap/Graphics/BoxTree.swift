import AlidadeBase
import AlidadeCoordinates

/// A tree over boxes that says which ones meet another. A box may change: then the boxes around it are computed anew,
/// which keeps all results right; many changes make the tree slower, and it is built again.
///
/// Boxes are numbered from 0 in the order in which they are given. They are sorted along a Z-order curve, and each 16
/// that follow each other have one box around them, level by level.
final class BoxTree {
  private static let fanOut = 16
  /// Level after level: the boxes themselves in their order along the curve, what is around them, up to one.
  private let boxes: HeapArray<Envelope>
  private let levels: [Range<Int>]
  /// The number of the box at each position along the curve, and the other way round.
  private let numbers: HeapArray<UInt64>
  private let places: HeapArray<Int32>

  /// Meets nothing.
  static let nothing = Envelope(xMin: .infinity, yMin: .infinity, xMax: -.infinity, yMax: -.infinity)

  /// - Parameter given: finite boxes, and `nothing`.
  init(_ given: UnsafeBufferPointer<Envelope>) throws(EngineError) {
    var levels = [0..<given.count]
    while let last = levels.last, last.count > 1 {
      let count = (last.count &+ Self.fanOut &- 1) / Self.fanOut
      levels.append(last.upperBound..<(last.upperBound &+ count))
    }
    self.levels = levels
    boxes = try HeapArray(count: levels.last?.upperBound ?? 0)
    numbers = try HeapArray(count: given.count)
    places = try HeapArray(count: given.count)
    try order(given)
    for level in levels.indices.dropFirst() {
      for index in 0..<levels[level].count { boxes.buffer[levels[level].lowerBound &+ index] = around(level, index) }
    }
  }

  private func order(_ given: UnsafeBufferPointer<Envelope>) throws(EngineError) {
    var all = Self.nothing
    for box in given { all.unite(box) }
    // Steps from 0 to 65,535; a lone point has no width.
    let (stepX, stepY) = (65_535 / max(all.xMax - all.xMin, 1e-300), 65_535 / max(all.yMax - all.yMin, 1e-300))
    for (number, box) in given.enumerated() {
      var key: UInt64 = 0
      if box.xMin <= box.xMax {
        let x = (box.xMin - all.xMin + (box.xMax - box.xMin) / 2) * stepX
        let y = (box.yMin - all.yMin + (box.yMax - box.yMin) / 2) * stepY
        key = Self.spread(x) | Self.spread(y) << 1
      }
      numbers.buffer[number] = key << 32 | UInt64(truncatingIfNeeded: number)
    }
    try sortByUpperHalf(UnsafeMutableBufferPointer(rebasing: numbers.buffer[0..<given.count]))
    for place in 0..<given.count {
      let number = Int(truncatingIfNeeded: numbers.buffer[place] & 0xFFFF_FFFF)
      places.buffer[number] = Int32(truncatingIfNeeded: place)
      boxes.buffer[place] = given[number]
    }
  }

  /// The 16 bits of a number from 0 to 65,535, a zero between each two.
  private static func spread(_ value: Double) -> UInt64 {
    var bits = UInt64(exactly: min(max(value, 0), 65_535).rounded(.down)) ?? 0
    bits = (bits | bits << 8) & 0x00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333
    return (bits | bits << 1) & 0x5555_5555
  }

  /// The box around the children of a node.
  private func around(_ level: Int, _ index: Int) -> Envelope {
    let below = levels[level &- 1]
    let first = below.lowerBound &+ index &* Self.fanOut
    var box = Self.nothing
    for child in first..<min(first &+ Self.fanOut, below.upperBound) { box.unite(boxes.buffer[child]) }
    return box
  }

  /// Around all boxes.
  var bounds: Envelope { levels[0].isEmpty ? Self.nothing : boxes.buffer[levels[levels.count &- 1].lowerBound] }

  /// Changes a box.
  func set(_ number: Int, _ box: Envelope) {
    var index = Int(truncatingIfNeeded: places.buffer[number])
    guard boxes.buffer[index] != box else { return }
    boxes.buffer[index] = box
    for level in levels.indices.dropFirst() {
      index /= Self.fanOut
      let (place, new) = (levels[level].lowerBound &+ index, around(level, index))
      if boxes.buffer[place] == new { return }
      boxes.buffer[place] = new
    }
  }

  /// Marks the boxes that meet a box.
  func mark(meeting box: Envelope, in marks: inout some BoxMarks) {
    if !levels[0].isEmpty { mark(levels.count &- 1, 0, box, &marks) }
  }

  private func mark(_ level: Int, _ index: Int, _ box: Envelope, _ marks: inout some BoxMarks) {
    guard boxes.buffer[levels[level].lowerBound &+ index].meets(box) else { return }
    if level == 0 {
      marks.mark(Int(truncatingIfNeeded: numbers.buffer[index] & 0xFFFF_FFFF))
      return
    }
    let first = index &* Self.fanOut
    let end = min(first &+ Self.fanOut, levels[level &- 1].count)
    if level > 1 {
      for child in first..<end { mark(level &- 1, child, box, &marks) }
      return
    }
    for child in first..<end where boxes.buffer[child].meets(box) {
      marks.mark(Int(truncatingIfNeeded: numbers.buffer[child] & 0xFFFF_FFFF))
    }
  }
}

/// Takes down the numbers of boxes.
protocol BoxMarks {
  mutating func mark(_ number: Int)
}

/// A bit for each box: for many of them.
struct BoxBits: BoxMarks {
  private let memory: HeapArray<UInt64>
  let words: UnsafeMutableBufferPointer<UInt64>

  init(count: Int) throws(EngineError) {
    memory = try HeapArray(count: count / 64 &+ 1)
    words = memory.buffer
    for word in words.indices { words[word] = 0 }
  }

  @inline(__always)
  func mark(_ number: Int) { words[number >> 6] |= 1 << UInt64(truncatingIfNeeded: number & 63) }
}

/// A list: for few boxes of very many.
struct BoxList: BoxMarks {
  private static let most = 4096
  private var numbers: [Int32] = []
  /// There were more than a list is good for.
  private(set) var isOverfull = false

  mutating func mark(_ number: Int) {
    if numbers.count < Self.most { numbers.append(Int32(truncatingIfNeeded: number)) } else { isOverfull = true }
  }

  /// Calls `body` with each number once, rising.
  mutating func forEach(_ body: (Int) -> Void) {
    numbers.sort()
    var last = Int32(-1)
    for number in numbers where number != last {
      last = number
      body(Int(truncatingIfNeeded: number))
    }
  }
}

extension BoxTree {
  /// The box around the vertices of a piece.
  static func box(around piece: OverlayPiece) -> Envelope {
    var box = nothing
    for point in UnsafeBufferPointer(start: piece.points, count: piece.vertexCount) {
      box.unite(Envelope(xMin: point.x, yMin: point.y, xMax: point.x, yMax: point.y))
    }
    return box
  }
}

extension Envelope {
  @inline(__always)
  func meets(_ other: Envelope) -> Bool {
    xMin <= other.xMax && xMax >= other.xMin && yMin <= other.yMax && yMax >= other.yMin
  }

  @inline(__always)
  mutating func unite(_ other: Envelope) {
    xMin = min(xMin, other.xMin)
    yMin = min(yMin, other.yMin)
    xMax = max(xMax, other.xMax)
    yMax = max(yMax, other.yMax)
  }
}
