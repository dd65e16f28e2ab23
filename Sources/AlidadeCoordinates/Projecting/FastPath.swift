import AlidadeBase
import CPROJ

/// An operation of PROJ's that is computed here, four points at a time.
///
/// PROJ stays the reference: `prove` holds a path against PROJ's own object when it is made, and whatever lies outside
/// of what a path is proven for is left to PROJ, point by point. Immutable; any thread may use it.
final class FastPath: Sendable {
  private let steps: [any FastStep]
  /// What covers all that the path takes for itself, in its input; nil if nothing bounds it.
  let reach: FastReach?
  let outputUnit: FastUnit
  /// Each step does.
  let keepsBoxes: Bool

  /// Where nothing is known of the system that is projected to.
  static let anyNorthing = -1e15...1e15

  init(steps: [any FastStep]) {
    self.steps = steps
    reach = Self.reach(of: steps)
    keepsBoxes = steps.allSatisfy(\.keepsBoxes)
    outputUnit = steps.reduce(.metres(1)) { $1.unit(after: $0) }
  }

  /// The reach of the first step that has one, carried back through the steps before it.
  private static func reach(of steps: [any FastStep]) -> FastReach? {
    guard let first = steps.firstIndex(where: { $0.reach != nil }), var reach = steps[first].reach else { return nil }
    for step in steps[..<first].reversed() {
      guard let before = step.backwards(reach) else { return nil }
      reach = before
    }
    return reach
  }

  /// The image of one point; nil if it is left to PROJ. Bit for bit that of the arrays.
  func project(_ point: Point, accepting northings: ClosedRange<Double>) -> Point? {
    // Below the size that is taken from the stack.
    withUnsafeTemporaryAllocation(of: Lanes.self, capacity: 4) { lanes -> Point? in
      guard let base = lanes.baseAddress else { return nil }
      return (base + 3).withMemoryRebound(to: LaneBits.self, capacity: 1) { outside -> Point? in
        let block = LaneBlock(x: base, y: base + 1, z: base + 2, outside: outside, count: 1)
        block.x[0] = Lanes(repeating: point.x)
        block.y[0] = Lanes(repeating: point.y)
        run(block, accepting: northings)
        return block.outside[0].x & Lanes.signBit == 0 ? Point(x: block.x[0].x, y: block.y[0].x) : nil
      }
    }
  }

  /// Projects points that lie a stride apart; the two arrays are the same with the same stride, or do not overlap.
  /// Gives the indices of the points that are left to PROJ, whose images are not written.
  func project(
    _ input: UnsafeRawPointer, stride: Int, to output: UnsafeMutableRawPointer, outputStride: Int, count: Int,
    accepting northings: ClosedRange<Double>
  ) -> [Int] {
    project(
      x: input, y: input + 8, stride: stride, toX: output, y: output + 8, outputStride: outputStride, count: count,
      accepting: northings)
  }

  /// The same for points in columns.
  func project(
    x: UnsafeRawPointer, y: UnsafeRawPointer, stride: Int, toX outputX: UnsafeMutableRawPointer,
    y outputY: UnsafeMutableRawPointer, outputStride: Int, count: Int, accepting northings: ClosedRange<Double>
  ) -> [Int] {
    func project(in lanes: UnsafeMutableBufferPointer<Lanes>) -> [Int] {
      let capacity = lanes.count / 4
      var left: [Int] = []
      guard let base = lanes.baseAddress else { return left }
      (base + 3 * capacity).withMemoryRebound(to: LaneBits.self, capacity: capacity) { outside in
        var first = 0
        while first < count {
          let size = min(4 * capacity, count &- first)
          let block = LaneBlock(
            x: base, y: base + capacity, z: base + 2 * capacity, outside: outside, count: (size &+ 3) / 4)
          block.load(x + first &* stride, y + first &* stride, stride, size)
          run(block, accepting: northings)
          let offset = first &* outputStride
          block.store(outputX + offset, outputY + offset, outputStride, size, first, &left)
          first &+= size
        }
      }
      return left
    }
    // What is small enough is taken from the stack.
    if count <= 8 { return withUnsafeTemporaryAllocation(of: Lanes.self, capacity: 4 * 2, project) }
    return withUnsafeTemporaryAllocation(of: Lanes.self, capacity: 4 * LaneBlock.capacity, project)
  }

  /// Runs all steps, and marks what the result may not be.
  @inline(__always)
  private func run(_ block: LaneBlock, accepting northings: ClosedRange<Double>) {
    for index in 0..<block.count {
      block.outside[index] = Self.notFinite(block.x[index]) | Self.notFinite(block.y[index])
      block.require(1e15 - block.x[index].magnitudes, at: index)
      block.require(1e15 - block.y[index].magnitudes, at: index)
    }
    for index in steps.indices { steps[index].run(block) }
    for index in 0..<block.count {
      block.require(1e15 - block.x[index].magnitudes, at: index)
      block.require(northings.upperBound - block.y[index], at: index)
      block.require(block.y[index] - northings.lowerBound, at: index)
      block.outside[index] |= Self.notFinite(block.x[index]) | Self.notFinite(block.y[index])
    }
  }

  /// The sign bit of lanes that are NaN or infinite: adding one to an exponent of all ones carries into it.
  @inline(__always)
  private static func notFinite(_ lanes: Lanes) -> LaneBits {
    (lanes.bits & 0x7FF0_0000_0000_0000) &+ 0x0010_0000_0000_0000
  }
}

extension LaneBlock {
  /// Takes points in; the last one fills the lanes that are left over.
  @inline(__always)
  fileprivate func load(_ sourceX: UnsafeRawPointer, _ sourceY: UnsafeRawPointer, _ stride: Int, _ size: Int) {
    if stride == MemoryLayout<Double>.stride, size == Self.pointCapacity {
      for index in 0..<count {
        let offset = index &* MemoryLayout<Lanes>.stride
        x[index] = sourceX.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
        y[index] = sourceY.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
      }
      return
    }
    for index in 0..<count {
      let first = index &* 4
      let (a, b, c, d) = (
        first &* stride, min(first &+ 1, size &- 1) &* stride, min(first &+ 2, size &- 1) &* stride,
        min(first &+ 3, size &- 1) &* stride
      )
      x[index] = Lanes(
        sourceX.loadUnaligned(fromByteOffset: a, as: Double.self),
        sourceX.loadUnaligned(fromByteOffset: b, as: Double.self),
        sourceX.loadUnaligned(fromByteOffset: c, as: Double.self),
        sourceX.loadUnaligned(fromByteOffset: d, as: Double.self))
      y[index] = Lanes(
        sourceY.loadUnaligned(fromByteOffset: a, as: Double.self),
        sourceY.loadUnaligned(fromByteOffset: b, as: Double.self),
        sourceY.loadUnaligned(fromByteOffset: c, as: Double.self),
        sourceY.loadUnaligned(fromByteOffset: d, as: Double.self))
    }
  }

  /// Writes the images that count, and adds the indices of the others.
  @inline(__always)
  fileprivate func store(
    _ targetX: UnsafeMutableRawPointer, _ targetY: UnsafeMutableRawPointer, _ stride: Int, _ size: Int, _ offset: Int,
    _ left: inout [Int]
  ) {
    // storeBytes needs no alignment.
    if stride == MemoryLayout<Double>.stride, size == Self.pointCapacity, isAllInside {
      for index in 0..<count {
        let offset = index &* MemoryLayout<Lanes>.stride
        targetX.storeBytes(of: x[index], toByteOffset: offset, as: Lanes.self)
        targetY.storeBytes(of: y[index], toByteOffset: offset, as: Lanes.self)
      }
      return
    }
    for index in 0..<size {
      let (group, lane) = (index >> 2, index & 3)
      if outside[group][lane] & Lanes.signBit == 0 {
        targetX.storeBytes(of: x[group][lane], toByteOffset: index &* stride, as: Double.self)
        targetY.storeBytes(of: y[group][lane], toByteOffset: index &* stride, as: Double.self)
      } else {
        left.append(offset &+ index)
      }
    }
  }

  @inline(__always)
  private var isAllInside: Bool {
    var any = LaneBits.zero
    for index in 0..<count { any |= outside[index] }
    return (any.x | any.y | any.z | any.w) & Lanes.signBit == 0
  }
}

extension FastPath {
  /// How far an image may be from PROJ's: metres, and radians (1e-12 degrees).
  private static let metres = 1e-7
  private static let radians = 1e-12 * FastUnits.degree

  /// How many points each box is tried at: some on its edges, the rest inside.
  private static let gridSize = 9
  private static let randomCount = 70

  /// Holds the path against PROJ's own operation, over all that it takes for itself and a little beyond, and around
  /// the operation's area of use. False as soon as one point differs: then the path is not to be used. Call inside the
  /// gate, by whoever leases the operation.
  func isProven(against operation: ProjObject) -> Bool {
    guard let reach else { return false }
    var random = ProofRandom()
    var took = 0
    for scale in [1.02, 0.3, 0.08, 0.02] {
      let (middle, half) = (reach.middle, Point(x: reach.half.x * scale, y: reach.half.y * scale))
      let at = { (u: Double, v: Double) in Point(x: middle.x + u * half.x, y: middle.y + v * half.y) }
      for index in 0..<(Self.gridSize * Self.gridSize) {
        let step = 2 / Double(Self.gridSize &- 1)
        let (column, row) = (index % Self.gridSize, index / Self.gridSize)
        let point = at(Double(column) * step - 1, Double(row) * step - 1)
        guard agrees(at: point, with: operation, &took) else { return false }
      }
      for _ in 0..<Self.randomCount {
        guard agrees(at: at(random.next(), random.next()), with: operation, &took) else { return false }
      }
    }
    // A path that leaves every point to PROJ is useless.
    return took > Self.randomCount
  }

  private func agrees(
    at point: Point, with operation: ProjObject, _ took: inout Int
  ) -> Bool {
    guard let ours = project(point, accepting: Self.anyNorthing) else { return true }
    took &+= 1
    let theirs = proj_trans(operation.pointer, PJ_FWD, proj_coord(point.x, point.y, 0, .infinity))
    proj_errno_reset(operation.pointer)
    let tolerance =
      switch outputUnit {
      case .metres(let unit): Self.metres / unit
      case .radians(let unit): Self.radians / unit
      }
    // A NaN or infinity of PROJ's fails this.
    return (ours.x - theirs.xy.x).magnitude <= tolerance && (ours.y - theirs.xy.y).magnitude <= tolerance
  }
}

/// The same numbers in every process: splitmix64 of G. L. Steele and others, 2014.
private struct ProofRandom {
  private var state: UInt64 = 0x414C_4944_4144_4500

  /// From -1 to 1.
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double(z >> 11 ^ z >> 42) * 0x1p-52 - 1
  }
}

/// Where an operation keeps its fast path, if it has one. Found out when PROJ's object is first made for it, and shared
/// by all that use the operation afterwards.
final class FastSlot: Sendable {
  private enum State {
    case unknown
    case known(FastPath?)
  }

  private let state = Lock(State.unknown)

  /// The path, if it has been proven by now.
  var path: FastPath? { known ?? nil }

  /// What has been found out: the path or that there is none; nil if nothing has been.
  var known: FastPath?? {
    state.withLock { state -> FastPath?? in
      if case .known(let path) = state { return .some(path) }
      return .none
    }
  }

  /// Makes and proves the path of a pipeline, once. Call inside the gate.
  func prove(_ pipeline: String, against operation: ProjObject) -> FastPath? {
    if let path = known { return path }
    // Not under the lock, because PROJ is called; two threads that come at once find the same.
    var found: FastPath?
    for method in InverseMethod.allCases where found == nil {
      guard let made = FastPath(pipeline: pipeline, method) else { break }
      if made.isProven(against: operation) { found = made }
    }
    state.withLock { $0 = .known(found) }
    return found
  }

}
