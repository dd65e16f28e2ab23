import AlidadeBase
import AlidadeCoordinates

extension SpatialReference {
  /// The worlds side by side that coordinates may lie in.
  fileprivate func worldBounds() throws(EngineError) -> WorldBounds {
    guard let width = system.worldWidth else {
      throw EngineError(
        .unsupported, "\(name) does not repeat itself from west to east, so that nothing lies beyond its sides.")
    }
    if kind == .geographic { return WorldBounds(middle: 0, width: width, keepsMeasures: true) }
    let unknown = EngineError(.unsupported, "The sides of the world in \(name) are not known.")
    do throws(EngineError) {
      guard let world = try EarthPlane(self).world else { throw unknown }
      return WorldBounds(middle: world.west + width / 2, width: width, keepsMeasures: true)
    } catch {
      // Far from its origin a plane may be too coarse for the equator to have a place in it.
      throw error.status == .projectionFailed ? unknown : error
    }
  }
}

extension Geometry {
  /// The geometry within the bounds of the world: what lies beyond the antimeridian, or beyond the side of a projected
  /// system that repeats itself, is cut off there and moved back by whole turns. Coordinates are taken at their word: a
  /// line from 170 to 190 crosses the antimeridian, and one from 170 to -170 crosses Greenwich.
  public func normalized() throws(EngineError) -> Geometry {
    try limited { [self] () throws(EngineError) -> Geometry in
      let cutter = WorldCutter(bounds: try requireSpatialReference().worldBounds())
      guard let cut = try cutter.cut(columns, row, runtime.policy, spatialReference) else {
        return Geometry(runtime: runtime, columns: columns, row: row)
      }
      return Geometry(runtime: runtime, columns: cut, row: 0)
    }
  }
}

extension GeometryArray {
  /// The geometries within the bounds of the world.
  public func normalized() throws(EngineError) -> GeometryArray {
    try runtime.limited { [self] () throws(EngineError) -> GeometryArray in
      let cutter = WorldCutter(bounds: try requireSpatialReference().worldBounds())
      if (0..<count).allSatisfy({ cutter.isInside(columns, $0) }) {
        return GeometryArray(runtime: runtime, columns: columns)
      }
      let builder = try GeometryBuilder(policy: runtime.policy)
      for row in 0..<count {
        do throws(EngineError) {
          try cutter.cut(columns, row, try GEOSSession(), into: builder)
        } catch {
          guard error.isOfOneGeometry else { throw error }
          throw EngineError(error.status, "Geometry \(row): \(error.message)", domain: error.domain)
        }
      }
      return GeometryArray(runtime: runtime, columns: try builder.finish(spatialReference))
    }
  }
}
