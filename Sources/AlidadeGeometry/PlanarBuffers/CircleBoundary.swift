import AlidadeBase
import AlidadeCoordinates

/// An arc of the boundary of a union of circles, counterclockwise round its circle: the union lies to its left.
public struct CircleArc: Sendable {
  /// The circle's place in the input.
  public var circle: Int32
  public var centre: Point
  public var radius: Double
  /// Where it begins, in radians counterclockwise from east, -pi ... pi.
  public var fromAngle: Double
  /// Where it ends: `fromAngle` ... `fromAngle` + 2 pi. A whole circle goes from 0 to 2 pi.
  public var toAngle: Double
  /// Its first point. The arc before it in its ring ends at exactly this point.
  public var start: Point
  /// Whether circles nearly touch here, so that doubles may not hold what keeps them apart.
  var isClose: Bool
}

/// The exact boundary of a union of circles: polygons whose rings are made of arcs.
///
/// Outer rings go counterclockwise, holes clockwise (along arcs that each go counterclockwise round their circle).
/// Circles that touch from outside in one point count as apart. Polygons come in the order of the first circle that
/// shows in one of their rings; so do the holes of each.
///
/// Right to share: nothing changes once it is built.
public final class CircleBoundary: @unchecked Sendable {
  /// The arcs, ring by ring.
  public let arcs: UnsafeBufferPointer<CircleArc>
  /// Where each ring begins in `arcs`, and the end of the last one.
  public let ringOffsets: UnsafeBufferPointer<Int>
  /// Where each polygon begins in the rings, its outer ring first, then its holes; and the end of the last one.
  public let polygonOffsets: UnsafeBufferPointer<Int>
  private let memory: (HeapArray<CircleArc>, HeapArray<Int>, HeapArray<Int>)

  public var polygonCount: Int { polygonOffsets.count &- 1 }
  public var ringCount: Int { ringOffsets.count &- 1 }

  init(_ arcs: HeapArray<CircleArc>, _ ringOffsets: HeapArray<Int>, _ polygonOffsets: HeapArray<Int>) {
    memory = (arcs, ringOffsets, polygonOffsets)
    self.arcs = UnsafeBufferPointer(arcs.buffer)
    self.ringOffsets = UnsafeBufferPointer(ringOffsets.buffer)
    self.polygonOffsets = UnsafeBufferPointer(polygonOffsets.buffer)
  }

  /// The area within the arcs, by Green's theorem.
  public var area: Double {
    var total = 0.0
    for polygon in 0..<polygonCount {
      let rings = polygonOffsets[polygon]..<polygonOffsets[polygon &+ 1]
      // From the polygon's first point: far from the origin, products of coordinates would drown the area.
      let origin = arcs[ringOffsets[rings.lowerBound]].start
      for arc in arcs[ringOffsets[rings.lowerBound]..<ringOffsets[rings.upperBound]] {
        let (x, y, r) = (arc.centre.x - origin.x, arc.centre.y - origin.y, arc.radius)
        let (from, to) = (UnitVector(arc.fromAngle), UnitVector(arc.toAngle))
        total +=
          0.5 * r * (r * (arc.toAngle - arc.fromAngle) + x * (to.sine - from.sine) - y * (to.cosine - from.cosine))
      }
    }
    return total
  }

  /// The length of all arcs.
  public var length: Double { arcs.reduce(0) { $0 + $1.radius * ($1.toAngle - $1.fromAngle) } }
}
