import AlidadeBase
import AlidadeCoordinates
import Glibc

/// How far it is from one point to another, and in which directions: degrees clockwise from north, -180 to 180.
public struct EarthWay: Sendable, Equatable {
  /// Metres.
  public var length: Double
  public var azimuth: Double
  /// At the end, onwards.
  public var endAzimuth: Double

  static let none = EarthWay(length: .nan, azimuth: .nan, endAzimuth: .nan)
}

extension Geodesic {
  /// The way of a kind between two points; NaN where there is none: where one of them is no place, or where they lie
  /// opposite to each other and every plane through one holds the other.
  ///
  /// - Parameter curve: any but `.shapePreserving`, which is a matter of coordinates.
  public func way(_ curve: CurveType, from first: Point, to second: Point) -> EarthWay {
    guard first.isFinite, second.isFinite, max(first.y.magnitude, second.y.magnitude) <= 90 else { return .none }
    switch curve {
    case .shapePreserving: return .none
    case .loxodrome: return Loxodrome(self).inverse(from: first, to: second)
    case .geodesic:
      let way = inverse(from: first, to: second)
      return EarthWay(length: way.length, azimuth: way.azimuth, endAzimuth: way.endAzimuth)
    case .greatElliptic, .normalSection:
      let earth = Earth(ellipsoid)
      let (start, end) = (earth.position(first), earth.position(second))
      if start == end {
        let way = inverse(from: first, to: second)
        return EarthWay(length: 0, azimuth: way.azimuth, endAzimuth: way.endAzimuth)
      }
      guard
        let section = curve == .greatElliptic
          ? PlaneSection.greatEllipse(earth, from: start, to: end)
          : PlaneSection.normalSection(earth, at: first, start, to: end)
      else { return .none }
      let angle = section.angle(of: end)
      return EarthWay(
        length: section.length(to: angle), azimuth: earth.azimuth(of: section.velocity(at: 0), at: first),
        endAzimuth: earth.azimuth(of: section.velocity(at: angle), at: second))
    }
  }

  /// Goes a distance in metres along a way of a kind that begins in a direction. NaN where there is no such way: where a
  /// loxodrome would go on beyond a pole, and where a number is none.
  public func position(
    _ curve: CurveType, from point: Point, azimuth: Double, distance: Double
  ) -> Position {
    let nowhere = Position(point: .nan, azimuth: .nan)
    guard point.isFinite, point.y.magnitude <= 90, azimuth.isFinite, distance.isFinite else { return nowhere }
    switch curve {
    case .shapePreserving: return nowhere
    case .geodesic: return direct(from: point, azimuth: azimuth, distance: distance)
    case .loxodrome: return Loxodrome(self).direct(from: point, azimuth: azimuth, distance: distance)
    case .greatElliptic, .normalSection:
      let earth = Earth(ellipsoid)
      let start = earth.position(point)
      let (east, north, up) = earth.frame(at: point)
      let (sine, cosine) = Earth.sineAndCosine(azimuth)
      let direction = east * sine + north * cosine
      let other = curve == .greatElliptic ? start : up
      guard let section = PlaneSection(earth, through: start, towards: direction, and: other) else { return nowhere }
      let angle = section.angle(at: distance)
      let end = earth.point(section.position(at: angle))
      return Position(point: end, azimuth: earth.azimuth(of: section.velocity(at: angle), at: end))
    }
  }
}
