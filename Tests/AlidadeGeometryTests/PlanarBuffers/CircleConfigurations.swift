import AlidadeCoordinates
import Glibc

/// Random and degenerate configurations of a few circles, by number.
enum CircleConfigurations {
  static let kinds: [(name: String, make: @Sendable (inout Numbers) -> Circles)] = [
    ("random", random), ("equal radii", equal), ("on a lattice", lattice), ("nearly through a point", pencil),
    ("exactly through a point", pythagorean), ("touching outside", chain), ("touching inside", nested),
    ("the same but for some steps", jittered), ("small and far away", far), ("small and large", mixed),
    ("around a hole", ring), ("on a triangular lattice", triangular), ("some of radius 0", empties),
    ("huge or tiny", scaled), ("concentric", concentric), ("two touching, one across", crossed),
    ("far away", distant),
  ]

  static func circles(_ number: Int) -> (name: String, circles: Circles) {
    var numbers = Numbers(seed: number)
    let kind = kinds[number % kinds.count]
    return (kind.name, kind.make(&numbers))
  }

  private static func steps(_ value: Double, _ count: Int) -> Double {
    var value = value
    for _ in 0..<abs(count) { value = count > 0 ? value.nextUp : value.nextDown }
    return value
  }

  @Sendable private static func random(_ numbers: inout Numbers) -> Circles {
    let size = numbers.uniform(0.5, 4)
    return Circles(
      (0..<numbers.integer(1...10)).map { _ in
        (numbers.uniform(0, size), numbers.uniform(0, size), numbers.uniform(0.1, 1))
      })
  }

  @Sendable private static func equal(_ numbers: inout Numbers) -> Circles {
    let size = numbers.uniform(0.5, 6)
    return Circles(
      (0..<numbers.integer(2...14)).map { _ in (numbers.uniform(0, size), numbers.uniform(0, size), 1) })
  }

  @Sendable private static func lattice(_ numbers: inout Numbers) -> Circles {
    let size = numbers.integer(1...6)
    return Circles(
      (0..<numbers.integer(2...14)).map { _ in
        (Double(numbers.integer(0...size)), Double(numbers.integer(0...size)), Double(numbers.integer(1...4)) / 2)
      })
  }

  @Sendable private static func pencil(_ numbers: inout Numbers) -> Circles {
    let (px, py) = (numbers.uniform(-5, 5), numbers.uniform(-5, 5))
    return Circles(
      (0..<numbers.integer(3...10)).map { _ in
        let (x, y) = (px + numbers.uniform(-1, 1), py + numbers.uniform(-1, 1))
        return (x, y, steps(hypot(x - px, y - py), numbers.integer(-1...1)))
      })
  }

  @Sendable private static func pythagorean(_ numbers: inout Numbers) -> Circles {
    let triples = [(3, 4, 5), (4, 3, 5), (5, 0, 5), (0, 5, 5), (5, 12, 13), (12, 5, 13), (8, 15, 17), (6, 8, 10)]
    let (px, py) = (Double(numbers.integer(-9...9)), Double(numbers.integer(-9...9)))
    return Circles(
      (0..<numbers.integer(3...10)).map { _ in
        let (a, b, c) = triples[numbers.integer(0...7)]
        let (signX, signY) = (Double(numbers.integer(0...1) * 2 - 1), Double(numbers.integer(0...1) * 2 - 1))
        return (px + signX * Double(a), py + signY * Double(b), Double(c))
      })
  }

  @Sendable private static func chain(_ numbers: inout Numbers) -> Circles {
    var circles = Circles()
    var (x, y, radius) = (0.0, 0.0, 1.0)
    circles.add(x, y, radius)
    for _ in 0..<numbers.integer(1...8) {
      let next = numbers.integer(0...1) == 0 ? 1 : numbers.uniform(0.2, 2)
      let angle = numbers.integer(0...1) == 0 ? 0.5 * .pi * Double(numbers.integer(0...3)) : numbers.uniform(0, 7)
      let distance = steps(radius + next, numbers.integer(-3...3))
      let axis = numbers.integer(0...3)
      x += axis == 0 ? distance : axis == 1 ? -distance : distance * cos(angle)
      y += axis < 2 ? 0 : distance * sin(angle)
      radius = next
      circles.add(x, y, radius)
    }
    return circles
  }

  @Sendable private static func nested(_ numbers: inout Numbers) -> Circles {
    var circles = Circles()
    circles.add(0, 0, 2)
    for _ in 0..<numbers.integer(1...6) {
      let radius = numbers.integer(0...1) == 0 ? 0.5 : numbers.uniform(0.01, 1.9)
      let distance = steps(2 - radius, numbers.integer(-3...3))
      let angle = numbers.uniform(0, 7)
      if numbers.integer(0...2) == 0 {
        circles.add(distance, 0, radius)
      } else {
        circles.add(distance * cos(angle), distance * sin(angle), radius)
      }
    }
    return circles
  }

  @Sendable private static func jittered(_ numbers: inout Numbers) -> Circles {
    let (x, y) = (numbers.uniform(-5, 5), numbers.uniform(-5, 5))
    return Circles(
      (0..<numbers.integer(2...10)).map { _ in
        (
          steps(x, numbers.integer(-2...2)), steps(y, numbers.integer(-2...2)),
          steps(1, numbers.integer(0...1) * numbers.integer(-2...2))
        )
      })
  }

  @Sendable private static func far(_ numbers: inout Numbers) -> Circles {
    let (x, y) = (numbers.uniform(-1e7, 1e7), numbers.uniform(0, 1) < 0.5 ? 1e7 : numbers.uniform(-1e7, 1e7))
    return Circles(
      (0..<numbers.integer(2...8)).map { _ in
        (x + numbers.uniform(0, 0.03), y + numbers.uniform(0, 0.03), numbers.uniform(0.002, 0.01))
      })
  }

  /// Another configuration, moved to where the steps of coordinates are 1e-11 to 1e-7 of the radii.
  @Sendable private static func distant(_ numbers: inout Numbers) -> Circles {
    let others = [random, equal, lattice, pencil, chain, nested, ring, triangular, crossed]
    var circles = others[numbers.integer(0...(others.count - 1))](&numbers)
    let factor = pow(10, numbers.uniform(-2, 2))
    let (x, y) = (numbers.uniform(-1e7, 1e7), numbers.uniform(0, 1) < 0.5 ? 1e7 : numbers.uniform(-1e7, 1e7))
    for index in circles.radii.indices {
      circles.radii[index] *= factor
      let centre = circles.centres[index]
      circles.centres[index] = Point(x: x + centre.x * factor, y: y + centre.y * factor)
    }
    return circles
  }

  @Sendable private static func mixed(_ numbers: inout Numbers) -> Circles {
    var circles = Circles()
    for _ in 0..<numbers.integer(1...2) { circles.add(numbers.uniform(-1, 1), numbers.uniform(-1, 1), 1) }
    for _ in 0..<numbers.integer(2...10) {
      // On the edge of the large ones.
      let place = circles.centres[0]
      let angle = numbers.uniform(0, 7)
      let radius = pow(10, numbers.uniform(-6, 0))
      let distance = 1 + numbers.uniform(-1.1, 1.1) * radius
      circles.add(place.x + distance * cos(angle), place.y + distance * sin(angle), radius)
    }
    return circles
  }

  @Sendable private static func ring(_ numbers: inout Numbers) -> Circles {
    let count = numbers.integer(3...12)
    let half = sin(.pi / Double(count))
    // Apart, touching, overlapping, or meeting in the middle.
    let radius = [0.99 * half, half, half.nextUp, 1.01 * half, 1.2 * half, 1][numbers.integer(0...5)]
    let turn = numbers.integer(0...1) == 0 ? 0 : numbers.uniform(0, 7)
    return Circles(
      (0..<count).map { index in
        let angle = turn + 2 * .pi * Double(index) / Double(count)
        return (cos(angle), sin(angle), radius)
      })
  }

  @Sendable private static func triangular(_ numbers: inout Numbers) -> Circles {
    let size = numbers.uniform(0.5, 2)
    let radius = steps(size / 3.0.squareRoot(), numbers.integer(-2...2))
    var circles = Circles()
    for row in 0..<numbers.integer(2...4) {
      for column in 0..<numbers.integer(2...4) {
        circles.add(size * (Double(column) + 0.5 * Double(row % 2)), size * Double(row) * 0.75.squareRoot(), radius)
      }
    }
    return circles
  }

  @Sendable private static func empties(_ numbers: inout Numbers) -> Circles {
    var circles = random(&numbers)
    for index in circles.radii.indices where numbers.integer(0...1) == 0 { circles.radii[index] = 0 }
    return circles
  }

  @Sendable private static func scaled(_ numbers: inout Numbers) -> Circles {
    let factor = pow(10, Double(numbers.integer(-85...85)))
    var circles = numbers.integer(0...1) == 0 ? random(&numbers) : lattice(&numbers)
    for index in circles.radii.indices {
      circles.radii[index] *= factor
      circles.centres[index] = Point(x: circles.centres[index].x * factor, y: circles.centres[index].y * factor)
    }
    return circles
  }

  @Sendable private static func concentric(_ numbers: inout Numbers) -> Circles {
    let (x, y) = (numbers.uniform(-1, 1), numbers.uniform(-1, 1))
    return Circles(
      (0..<numbers.integer(2...8)).map { _ in
        (x + (numbers.integer(0...2) == 0 ? numbers.uniform(0, 1) : 0), y, Double(numbers.integer(1...4)) / 4)
      })
  }

  /// Two circles that touch or nearly do, and others through or near that point.
  @Sendable private static func crossed(_ numbers: inout Numbers) -> Circles {
    var circles = Circles([(-1, 0, 1), (steps(1, numbers.integer(-3...3)), 0, 1)])
    for _ in 0..<numbers.integer(1...4) {
      let radius = [1e-9, 1e-8, 1e-6, 1e-3, 0.5, 1][numbers.integer(0...5)]
      let y = [0, radius, -radius, steps(radius, 1), numbers.uniform(-2, 2) * radius][numbers.integer(0...4)]
      circles.add(numbers.integer(0...1) == 0 ? 0 : numbers.uniform(-1, 1) * 1e-9, y, radius)
    }
    return circles
  }
}
