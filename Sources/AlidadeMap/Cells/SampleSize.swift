import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import Glibc

/// How far a sample of a screen reaches on a raster: the shortest and the longest way across, in any rotation.
struct SampleSize {
  let shortest: Double
  let longest: Double

  /// - Parameters:
  ///   - x: the side of a sample from left to right, on the raster.
  ///   - y: the side downwards.
  init(_ x: SIMD2<Double>, _ y: SIMD2<Double>) {
    // The singular values of the matrix of the two sides.
    let (a, b) = (vectorLength(x.x + y.y, x.y - y.x), vectorLength(x.x - y.y, x.y + y.x))
    (shortest, longest) = ((a - b).magnitude / 2, (a + b) / 2)
  }

  /// The sides of a sample, in units of the raster's spatial reference; nil if the raster has no position there.
  static func sides(
    of raster: Raster, _ frame: ViewFrame, _ projection: LayerProjection, at screen: Point, right: Point, below: Point
  ) throws(EngineError) -> (x: SIMD2<Double>, y: SIMD2<Double>)? {
    var points: [Point] = []
    for screen in [screen, right, below] {
      let mapPoint = projection.toLayer.nearCopy(of: frame.mapPoint(screen))
      guard let point = try projection.toLayer.project(mapPoint) else { return nil }
      points.append(point)
    }
    func side(to point: Point) -> SIMD2<Double> {
      var side = SIMD2(point.x - points[0].x, point.y - points[0].y)
      // Next to a seam of the world, the two may lie in different copies.
      if let world = raster.worldWidth { side.x = remainder(side.x, world) }
      return side
    }
    return (side(to: points[1]), side(to: points[2]))
  }
}
