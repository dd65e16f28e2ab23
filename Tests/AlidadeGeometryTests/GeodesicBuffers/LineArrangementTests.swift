import AlidadeCoordinates
import Testing

@testable import AlidadeGeometry

/// What lines cut the plane into, by faces that are counted and measured by hand.
@Suite struct LineArrangementTests {
  /// From the differences of small numbers, which is exact.
  private static func orientation(_ a: Point, _ b: Point, _ c: Point) -> Int32 {
    let cross = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    return cross > 0 ? 1 : cross < 0 ? -1 : 0
  }

  private func faces(_ lines: [[(Double, Double)]]) -> LineFaces {
    let lines = lines.map { $0.map { Point(x: $0.0, y: $0.1) } }
    return LineFaces(LineArrangement(lines, orientation: Self.orientation)) { _ in true }
  }

  private func square(_ x: Double, _ y: Double, _ size: Double) -> [(Double, Double)] {
    [(x, y), (x + size, y), (x + size, y + size), (x, y + size), (x, y)]
  }

  private func areas(_ polygons: [[[Point]]]) -> [[Double]] { polygons.map { $0.map { EarthRegion.signedArea($0) } } }

  @Test func squaresInSquares() {
    let faces = faces([square(0, 0, 10), square(1, 1, 8), square(2, 2, 1), square(4, 4, 2), square(20, 0, 1)])
    let all = faces.polygons { _ in true }
    #expect(Set(areas(all)) == [[100, -64], [64, -1, -4], [1], [4], [1]])
    #expect(faces.rings.filter { $0.area < 0 && $0.parent < 0 }.count == 2)
    let middle = faces.face(at: Point(x: 3.5, y: 3.5))
    #expect(middle.map { faces.rings[$0].area } == 64)
    #expect(faces.face(at: Point(x: 15, y: 0.5)) == nil)
    #expect(faces.face(at: Point(x: -1, y: 0.5)) == nil)
  }

  @Test func linesThatLeadNowhere() {
    // A square with a stub inside, one outside, a chain to another square, and a line by itself.
    let faces = faces([
      [(0, 0), (10, 0)], [(10, 0), (10, 10), (0, 10), (0, 0)], [(0, 0), (5, 5)], [(5, 5), (6, 5)], [(5, 5), (5, 6)],
      [(10, 0), (12, 0)], [(12, 0), (20, 0)], square(20, 0, 1), [(30, 0), (31, 1)],
    ])
    #expect(Set(areas(faces.polygons { _ in true })) == [[100], [1]])
  }

  @Test func pointsInside() {
    // The middle of the box lies in the hole.
    let faces = faces([square(0, 0, 10), square(1, 3, 4), square(6, 3, 3)])
    for number in faces.rings.indices where faces.rings[number].area > 0 {
      let point = faces.inside(number)
      #expect(faces.face(at: point) == number)
    }
  }

  @Test func ringsThatTouchThemselves() {
    // A hole that touches the shell in a point, and two holes that touch each other.
    let shell = [(0.0, 0.0), (10, 0), (10, 10), (0, 10), (0, 0)]
    let faces = faces([
      shell, [(0, 0), (2, 1), (1, 2), (0, 0)], [(5, 5), (6, 5), (6, 6), (5, 5)], [(5, 5), (4, 5), (4, 4), (5, 5)],
    ])
    let polygons = faces.polygons { $0.area > 50 }
    #expect(polygons.count == 1)
    #expect(Set(areas(polygons).first ?? []) == [100, -1.5, -0.5])
    #expect(polygons.first?.count == 4)
  }

  @Test func fansOfLines() {
    // Many lines around one node, nearly along each other: the order around it decides the faces.
    var lines: [[(Double, Double)]] = []
    let count = 64
    for index in 0..<count {
      let (a, b) = (Double(index), Double(index + 1))
      lines.append([(0, 0), (1_000_000, a)])
      if index + 1 < count { lines.append([(1_000_000, a), (1_000_000, b)]) }
    }
    let faces = faces(lines.shuffled())
    #expect(faces.rings.filter { $0.area > 0 }.map(\.area) == [Double](repeating: 500_000, count: count - 1))
  }
}
