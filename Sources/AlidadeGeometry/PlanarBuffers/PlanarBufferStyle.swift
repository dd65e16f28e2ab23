import AlidadeBase
import AlidadeCoordinates

/// How a planar buffer is made.
///
/// The errors of buffers count arguments from the geometry, which is 1; the distance is 2, the style 3.
public struct PlanarBufferStyle: Sendable {
  public var cap = BufferCap.round
  public var join = BufferJoin.round
  public var side = Side.both
  /// The distance on the right of lines, in `unit`; nil: the same as on their left.
  public var rightDistance: Double?
  /// The unit of distances and of the maximum deviation; nil means the unit of the coordinates.
  public var unit: Unit?
  public var resolution = ArcResolution.quadrantSegments(16)
  /// How many times the distance a mitre may be long.
  public var mitreLimit = 5.0

  public init() {}

  /// Coordinates and distances beyond this are refused: the square of an area must still be a double.
  static let largest = 1e90
  /// Distances but 0 that are nearer to it than this are refused.
  static let smallest = 1e-90

  public func check() throws(EngineError) {
    try resolution.check()
    try BufferJoin.check(mitreLimit: mitreLimit)
    if let rightDistance {
      guard side == .both else {
        throw EngineError(
          .invalidArgument, "A right distance and a side are given; lines have a right distance on both sides only.")
      }
      guard rightDistance > 0, rightDistance.isFinite else {
        throw EngineError(.invalidArgument, "The right distance is \(rightDistance); give one above 0.")
      }
    }
  }

  /// The same in the unit of the coordinates.
  func inOwnUnit(_ reference: SpatialReference?) throws(EngineError) -> PlanarBufferStyle {
    var style = self
    if case .maximumDeviation(let deviation) = resolution {
      style.resolution = .maximumDeviation(try ownLength(deviation, reference))
    }
    if let rightDistance {
      let own = try ownLength(rightDistance, reference)
      guard (Self.smallest...Self.largest).contains(own) else {
        throw EngineError(
          .invalidArgument,
          "The right distance is \(rightDistance); buffers are computed from \(Self.smallest) to \(Self.largest).",
          parameter: "options")
      }
      style.rightDistance = own
    }
    return style
  }

  /// A distance in the unit of the coordinates, checked.
  func ownDistance(_ distance: Double, _ reference: SpatialReference?) throws(EngineError) -> Double {
    guard distance.isFinite else {
      throw EngineError(.invalidArgument, "The distance is \(distance); give a finite number.", parameter: "distance")
    }
    guard distance >= 0 || side == .both else {
      throw EngineError(
        .invalidArgument,
        "The distance is \(distance), and a side is given; the side says where the buffer lies, the distance cannot be "
          + "negative.", parameter: "distance")
    }
    guard distance > 0 || rightDistance == nil else {
      throw EngineError(
        .invalidArgument,
        "The distance is \(distance), and a right distance is given; give one above 0, or a side for one side alone.",
        parameter: "distance")
    }
    let own = try ownLength(distance, reference)
    guard own == 0 || (Self.smallest...Self.largest).contains(abs(own)) else {
      throw EngineError(
        .invalidArgument,
        "The distance is \(distance); buffers are computed from \(Self.smallest) to \(Self.largest).",
        parameter: "distance")
    }
    return own
  }

  private func ownLength(_ length: Double, _ reference: SpatialReference?) throws(EngineError) -> Double {
    guard let unit else { return length }
    guard let reference else {
      throw EngineError(
        .invalidArgument,
        "The unit is \(unit.name), and the geometry has no spatial reference, so the unit of its coordinates is not "
          + "known. Give the geometry a spatial reference, or no unit.", parameter: "options")
    }
    if reference.kind == .geographic, unit.kind == .length {
      throw EngineError(
        .invalidArgument,
        "The unit is \(unit.name), and the coordinates are in \(reference.unitName)s of \(reference.name), in which a "
          + "length has no one size. Use a geodesic buffer, or project the geometry first.", parameter: "options")
    }
    do throws(EngineError) { return try reference.convert(length, from: unit) } catch {
      throw error.blaming("options")
    }
  }
}

/// The distances of many geometries, in the unit of their coordinates. Where there are fewer, the last one holds for the
/// rest.
struct BufferDistances: Sendable {
  private let values: HeapArray<Double>

  init(
    _ distances: UnsafeBufferPointer<Double>, count: Int, _ style: PlanarBufferStyle, _ reference: SpatialReference?
  ) throws(EngineError) {
    guard distances.count >= 1, distances.count <= max(1, count) else {
      throw EngineError(
        .invalidArgument,
        distances.isEmpty
          ? "There is no distance; give one at least."
          : "There are \(distances.count) distances and \(count) geometries; give one each, or fewer.",
        parameter: "distance")
    }
    values = try HeapArray(count: distances.count)
    // Equal distances that follow each other are converted once.
    var last: (given: Double, own: Double)?
    for (index, given) in distances.enumerated() {
      if let last, last.given == given {
        values.buffer[index] = last.own
        continue
      }
      do throws(EngineError) {
        let own = try style.ownDistance(given, reference)
        values.buffer[index] = own
        last = (given, own)
      } catch {
        var error = error
        error.message = "Distance \(index): \(error.message)"
        throw error
      }
    }
  }

  /// The distance of a geometry; the index must not be negative.
  subscript(index: Int) -> Double { values.buffer[min(index, values.buffer.count &- 1)] }
}

extension BufferJoin {
  /// Throws unless a mitre can be so many times as long as the distance.
  static func check(mitreLimit: Double) throws(EngineError) {
    guard mitreLimit >= 1, mitreLimit <= 1e6 else {
      throw EngineError(.invalidArgument, "The mitre limit is \(mitreLimit); give 1 to 1e6.")
    }
  }
}
