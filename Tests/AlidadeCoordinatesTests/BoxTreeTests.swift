import AlidadeBase
import Testing

@testable import AlidadeCoordinates

/// What a tree of boxes finds against a look at each box.
@Suite struct BoxTreeTests {
  /// How boxes lie.
  enum Kind: CaseIterable {
    case points, boxes, equal, onGrid, line, huge, wholeRange, tiny, withNothing
  }

  /// Full nodes and nodes with one child, and one level more.
  private static let counts = [0, 1, 2, 15, 16, 17, 100, 255, 256, 257, 1000, 4097]

  private func box(_ kind: Kind, _ dice: inout Numbers) -> Envelope {
    func around(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Envelope {
      Envelope(xMin: x - width, yMin: y - height, xMax: x + width, yMax: y + height)
    }
    let (x, y) = (dice.number(-100...100), dice.number(-50...50))
    switch kind {
    case .points: return around(x, y, 0, 0)
    case .boxes: return around(x, y, dice.number(0...5), dice.number(0...5))
    case .equal: return around(7, 3, 1, 0)
    case .onGrid: return around(x.rounded(), y.rounded(), Double(dice.whole(2)), 0)
    case .line: return around(x, 11, 0.1, 0)
    case .huge: return around(x * 1e298, y * 1e298, dice.number(0...1e299), dice.number(0...1e299))
    case .wholeRange:
      let far = Double.greatestFiniteMagnitude
      switch dice.whole(4) {
      case 0: return Envelope(xMin: -far, yMin: -far, xMax: far, yMax: far)
      case 1: return around(far, -far, 0, 0)
      case 2: return Envelope(xMin: -far, yMin: y, xMax: x, yMax: far)
      default: return around(x, y, 1, 1)
      }
    case .tiny: return around(x * 1e-322, y * 1e-322, 0, 0)
    case .withNothing: return dice.whole(3) == 0 ? .nothing : around(x, y, dice.number(0...2), 0)
    }
  }

  private func tree(_ boxes: [Envelope], isChangeable: Bool = false) throws -> BoxTree {
    try boxes.withUnsafeBufferPointer { (given) throws(EngineError) in
      try BoxTree(given, isChangeable: isChangeable)
    }
  }

  private func numbers(_ tree: BoxTree, meeting area: Envelope) -> [Int] {
    var found: [Int] = []
    tree.forEach(meeting: area) { number in
      found.append(number)
      return true
    }
    return found
  }

  private func check(_ tree: BoxTree, _ boxes: [Envelope], _ areas: [Envelope]) {
    func isMet(_ box: Envelope, _ area: Envelope) -> Bool {
      max(box.xMin, area.xMin) <= min(box.xMax, area.xMax) && max(box.yMin, area.yMin) <= min(box.yMax, area.yMax)
    }
    for area in areas {
      #expect(numbers(tree, meeting: area).sorted() == boxes.indices.filter { isMet(boxes[$0], area) })
    }
    var found: [Int] = []
    tree.forEach(meeting: areas) { number in
      found.append(number)
      return true
    }
    #expect(found.sorted() == boxes.indices.filter { index in areas.contains { isMet(boxes[index], $0) } })
    // Of no boxes, these are the sides of nothing.
    #expect(tree.bounds.xMin == boxes.map(\.xMin).min() ?? .infinity)
    #expect(tree.bounds.yMin == boxes.map(\.yMin).min() ?? .infinity)
    #expect(tree.bounds.xMax == boxes.map(\.xMax).max() ?? -.infinity)
    #expect(tree.bounds.yMax == boxes.map(\.yMax).max() ?? -.infinity)
  }

  // MARK: What meets

  @Test(arguments: Kind.allCases) func findsWhatMeets(_ kind: Kind) throws {
    var dice = Numbers(state: 1)
    for count in Self.counts {
      let boxes = (0..<count).map { _ in box(kind, &dice) }
      let far = Double.greatestFiniteMagnitude
      let wide = [Envelope(xMin: -far, yMin: -far, xMax: far, yMax: far), .nothing]
      let areas = (0..<6).map { _ in box(kind, &dice) } + boxes.prefix(3) + wide
      let tree = try tree(boxes)
      #expect(tree.count == count)
      check(tree, boxes, areas)
    }
  }

  @Test func endsWhenTheBodySaysSo() throws {
    var dice = Numbers(state: 2)
    let tree = try tree((0..<1000).map { _ in box(.points, &dice) })
    for most in [1, 2, 17, 999, 1000] {
      var found: Set<Int> = []
      tree.forEach(meeting: Envelope(xMin: -200, yMin: -200, xMax: 200, yMax: 200)) { number in
        found.insert(number)
        return found.count < most
      }
      #expect(found.count == most)
    }
    #expect(throws: EngineError.self) {
      try tree.forEach(meeting: tree.bounds) { (_) throws(EngineError) in throw EngineError(.internal, "") }
    }
  }

  /// On a grid of points, a square area opens few nodes: neighbours in space are neighbours in the tree. The larger grid
  /// is wider than the largest number.
  @Test(arguments: [1, 1.3e306]) func neighboursAreTogether(_ step: Double) throws {
    let side = 256
    let tree = try tree(
      (0..<side * side).map { index in
        let (x, y) = (Double(index % side - side / 2) * step, Double(index / side - side / 2) * step)
        return Envelope(xMin: x, yMin: y, xMax: x, yMax: y)
      })
    let area = Envelope(xMin: -124 * step, yMin: -124 * step, xMax: -109 * step, yMax: -109 * step)
    var looks = 0
    tree.forEach(where: { box in
      looks += 1
      return box.meets(area)
    }) { _ in true }
    // 256 leaves, in squares of 16: at most 5 x 5 of these, with all of their siblings and what is above.
    #expect(looks <= 25 * 16 + 9 * 16 + 4 * 16 + 2 * 16)
  }

  // MARK: Changes

  @Test(arguments: Kind.allCases, [false, true]) func followsChanges(_ kind: Kind, isChangeable: Bool) throws {
    var dice = Numbers(state: 3)
    for count in [1, 2, 16, 17, 300, isChangeable ? 4097 : 600] {
      var boxes = (0..<count).map { _ in box(kind, &dice) }
      let tree = try tree(boxes, isChangeable: isChangeable)
      for _ in 0..<4 {
        for _ in 0..<50 {
          let number = dice.whole(count)
          boxes[number] = dice.whole(5) == 0 ? .nothing : box(Kind.allCases[dice.whole(Kind.allCases.count)], &dice)
          tree.set(number, boxes[number])
        }
        check(tree, boxes, (0..<4).map { _ in box(.boxes, &dice) })
      }
      // Far away and back.
      for number in boxes.indices { tree.set(number, .nothing) }
      #expect(tree.bounds == .nothing)
      for number in boxes.indices { tree.set(number, boxes[number]) }
      check(tree, boxes, (0..<4).map { _ in box(.boxes, &dice) })
    }
  }

  // MARK: What is nearest

  private func distance(_ box: Envelope, _ x: Double, _ y: Double) -> Double {
    let (dx, dy) = (max(0, box.xMin - x, x - box.xMax), max(0, box.yMin - y, y - box.yMax))
    return (dx * dx + dy * dy).squareRoot()
  }

  @Test(arguments: [Kind.points, .boxes, .equal, .onGrid, .line, .tiny], [false, true])
  func findsWhatIsNearest(_ kind: Kind, pointsAreExact: Bool) throws {
    var dice = Numbers(state: 4)
    for count in Self.counts {
      let boxes = (0..<count).map { _ in box(kind, &dice) }
      let tree = try tree(boxes)
      for (most, limit) in [(0, 10), (1, .infinity), (5, 20), (70, .infinity), (count + 1, .infinity), (3, 0)] {
        let (x, y) = (dice.number(-100...100).rounded(), dice.number(-60...60).rounded())
        // What a box is around is as far away as its farther side, say; every seventh has no distance.
        func exact(_ number: Int, _ box: Envelope) -> Double? {
          if box.isPoint { return distance(box, x, y) }
          return number % 7 == 0 ? nil : distance(box, x, y) + (box.xMax - box.xMin)
        }
        let found = try tree.nearest(most: most, within: limit, pointsAreExact: pointsAreExact) {
          (box, isOfOne) throws(EngineError) in
          // Now and then nothing is known of a box that was given.
          isOfOne && !box.isPoint && box.xMin > 0 ? nil : distance(box, x, y)
        } exact: { (number, box) throws(EngineError) in
          #expect(boxes[number] == box)
          return exact(number, box)
        }
        let all = boxes.indices.compactMap { number in
          exact(number, boxes[number]).map { (number: number, distance: $0) }
        }
        let wanted = all.filter { $0.distance <= limit }
          .sorted { ($0.distance, $0.number) < ($1.distance, $1.number) }.prefix(most)
        #expect(found.map(\.number) == wanted.map(\.number))
        #expect(found.map(\.distance) == wanted.map(\.distance))
      }
    }
  }

  @Test func asksFewBoxesForTheirDistance() throws {
    var dice = Numbers(state: 5)
    let tree = try tree((0..<5000).map { _ in box(.boxes, &dice) })
    var (bounds, exact) = (0, 0)
    let found = try tree.nearest(most: 3, within: .infinity, pointsAreExact: true) { (box, _) throws(EngineError) in
      bounds += 1
      return distance(box, 500, 0)
    } exact: { (_, box) throws(EngineError) in
      exact += 1
      return distance(box, 500, 0)
    }
    #expect(found.count == 3)
    #expect(exact <= 10 && bounds <= 500)
  }

  // MARK: Memory

  /// 32 bytes for each box and node, and 4 for each number.
  @Test func saysWhatItTakes() throws {
    var dice = Numbers(state: 6)
    let boxes = (0..<4097).map { _ in box(.points, &dice) }
    let nodes = 4097 + 257 + 17 + 2 + 1
    #expect(try tree(boxes).byteCount == nodes * 32 + 4097 * 4)
    #expect(try tree(boxes, isChangeable: true).byteCount == nodes * 32 + 4097 * 8)
    #expect(try tree([]).byteCount == 0)
    var reserved: [Int] = []
    _ = try boxes.withUnsafeBufferPointer { (given) throws(EngineError) in
      try BoxTree(given, isChangeable: false) { (bytes) throws(EngineError) in reserved.append(bytes) }
    }
    #expect(reserved == [nodes * 32 + 4097 * 20])
    #expect(throws: EngineError.self) {
      try boxes.withUnsafeBufferPointer { (given) throws(EngineError) in
        try BoxTree(given, isChangeable: false) { (_) throws(EngineError) in throw EngineError(.limitExceeded, "") }
      }
    }
  }
}
