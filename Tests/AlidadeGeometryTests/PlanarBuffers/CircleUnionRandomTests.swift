import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import Glibc
import Testing

/// Many random and degenerate configurations, checked against brute force, Green's theorem and GEOS.
@Suite struct CircleUnionRandomTests {
  /// ALIDADE_CIRCLE_CONFIGURATIONS asks for another number, for example 1000000. A debug build takes milliseconds for
  /// each, an optimised one less than one.
  private static let count =
    getenv("ALIDADE_CIRCLE_CONFIGURATIONS").flatMap { Int(String(cString: $0)) } ?? usualCount
  #if DEBUG
    private static let usualCount = 4000
  #else
    private static let usualCount = 50_000
  #endif
  /// The first one's number.
  private static let first = getenv("ALIDADE_CIRCLE_FIRST").flatMap { Int(String(cString: $0)) } ?? 0

  @Test func configurations() throws {
    let workers = Workers(threadCount: Workers.processorCount)
    let faults = Lock<[String]>([])
    let chunk = 100
    try workers.forEach((Self.count + chunk - 1) / chunk) { (part: Int) throws(EngineError) in
      for number in part * chunk..<min(Self.count, (part + 1) * chunk) {
        let fault = Self.fault(Self.first + number)
        if let fault { faults.withLock { $0.append(fault) } }
      }
    }
    let found = faults.withLock { $0 }
    #expect(found.isEmpty, "\(found.count) faults, for example:\n\(found.prefix(12).joined(separator: "\n"))")
  }

  private static func fault(_ number: Int) -> String? {
    let (name, circles) = CircleConfigurations.circles(number)
    do throws(EngineError) {
      let check = try CircleUnionCheck(circles, seed: number)
      if let fault = try check.fault(againstGEOS: number % 199 == 0) {
        return "\(number), circles \(name): \(fault): \(circles)"
      }
      return nil
    } catch { return "\(number), circles \(name): \(error.message): \(circles)" }
  }
}

/// Checks of one union.
struct CircleUnionCheck {
  let circles: Circles
  let boundary: CircleBoundary
  let polygons: CirclePolygons
  let deviation: Double
  let largest: Double
  /// What rounding of coordinates may move.
  let rounding: Double
  let seed: Int

  init(_ circles: Circles, seed: Int) throws(EngineError) {
    self.circles = circles
    self.seed = seed
    largest = circles.radii.max() ?? 0
    let far = circles.centres.reduce(0) { max($0, abs($1.x), abs($1.y)) } + largest
    rounding = 32 * far.ulp
    deviation = [1e-2, 1e-3, 1e-1][seed % 3] * (largest > 0 ? largest : 1)
    boundary = try circles.boundary()
    polygons = try boundary.polygons(.maximumDeviation(deviation), workers: Workers(threadCount: 1))
  }

  func fault(againstGEOS: Bool) throws(EngineError) -> String? {
    if let fault = arcFault() ?? ringFault() ?? areaFault() ?? pointFault() { return fault }
    let segments = try boundary.polygons(.quadrantSegments(2), workers: Workers(threadCount: 1))
    let oracle = GEOSOracle()
    for polygons in [polygons, segments] {
      if let fault = oracle.fault(oracle.geometry(polygons)) { return "not valid: \(fault)" }
    }
    return againstGEOS ? geosFault(oracle) : nil
  }

  /// Arcs lie on their circles, each ends where the next begins, and their ends and middles lie in no other circle.
  private func arcFault() -> String? {
    for ring in 0..<boundary.ringCount {
      let arcs = boundary.arcs[boundary.ringOffsets[ring]..<boundary.ringOffsets[ring + 1]]
      for (index, arc) in arcs.enumerated() {
        let next = arcs[arcs.startIndex + (index + 1) % arcs.count]
        guard arc.fromAngle <= arc.toAngle else { return "an arc goes backwards" }
        if circles.depth(arc.start) > rounding { return "an arc's start lies inside" }
        for (angle, place) in [(arc.fromAngle, arc.start), (arc.toAngle, next.start)] {
          let (x, y) = (arc.centre.x + arc.radius * cos(angle), arc.centre.y + arc.radius * sin(angle))
          if hypot(x - place.x, y - place.y) > rounding { return "an arc's end is \(x), \(y), not \(place)" }
        }
        let middle = 0.5 * (arc.fromAngle + arc.toAngle)
        let place = Point(x: arc.centre.x + arc.radius * cos(middle), y: arc.centre.y + arc.radius * sin(middle))
        if circles.depth(place) > rounding { return "an arc's middle lies inside" }
      }
    }
    return nil
  }

  private func ringFault() -> String? {
    for polygon in 0..<polygons.polygonCount {
      for (index, number) in polygons.rings(of: polygon).enumerated() {
        let ring = polygons.ring(number)
        if ring.count < 4 || ring.first != ring.last { return "a ring is not closed" }
        if (CirclePolygons.area(ring) > 0) != (index == 0) { return "a ring goes the wrong way" }
        for vertex in UnsafeBufferPointer(rebasing: ring) where abs(circles.depth(vertex)) > rounding {
          return "a vertex lies off the boundary"
        }
      }
    }
    return nil
  }

  private func areaFault() -> String? {
    let (exact, length) = (boundary.area, boundary.length)
    let missing = exact - polygons.area
    if missing < -rounding * (length + largest) || missing > (deviation + 2 * rounding) * length {
      return "the arcs hold \(exact), the polygons \(polygons.area)"
    }
    return nil
  }

  private func pointFault() -> String? {
    var numbers = Numbers(seed: seed ^ 0x5555)
    for _ in 0..<12 {
      let around = numbers.integer(0...(circles.centres.count - 1))
      let reach = 1.5 * max(circles.radii[around], 0.01 * largest)
      let point = Point(
        x: circles.centres[around].x + numbers.uniform(-reach, reach),
        y: circles.centres[around].y + numbers.uniform(-reach, reach))
      let depth = circles.depth(point)
      let turns = polygons.turns(round: point)
      if depth > deviation + rounding, turns != 1 { return "\(point), \(depth) inside, is inside \(turns) times" }
      if depth < -rounding, turns != 0 { return "\(point), \(-depth) outside, is inside \(turns) times" }
    }
    return nil
  }

  /// GEOS's union of polygons of 1024 corners differs by less than the deviation along the edge, and has as many parts
  /// and holes, unless there are some that would not survive circles larger or smaller by a little more than that.
  private func geosFault(_ oracle: GEOSOracle) -> String? {
    let other = oracle.union(circles)
    let own = oracle.geometry(polygons)
    let allowed = (deviation + 4.8e-6 * largest + rounding) * boundary.length
    guard let difference = oracle.difference(own, other) else { return "GEOS gives no difference" }
    if difference > allowed { return "GEOS's union differs by \(difference) of \(oracle.facts(other).area)" }
    let margin = 2 * deviation + 1e-5 * largest + rounding
    let (wide, narrow) = (oracle.union(circles, growth: margin), oracle.union(circles, growth: -margin))
    let (theirs, mine) = (oracle.facts(other), oracle.facts(own))
    let isStable = [wide, narrow].allSatisfy {
      let facts = oracle.facts($0)
      return facts.parts == theirs.parts && facts.holes == theirs.holes
    }
    // A ring's area is less than its length times the radius of the largest circle in it.
    let isCoarse = (0..<polygons.ringCount).allSatisfy {
      abs(CirclePolygons.area(polygons.ring($0))) > margin * polygons.length(ofRing: $0)
    }
    if isStable, isCoarse, mine.parts != theirs.parts || mine.holes != theirs.holes {
      return "\(mine.parts) parts with \(mine.holes) holes in place of \(theirs.parts) with \(theirs.holes)"
    }
    return nil
  }
}
