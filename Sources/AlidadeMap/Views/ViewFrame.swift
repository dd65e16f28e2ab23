import AlidadeBase
import AlidadeCoordinates

/// A view as of one moment: immutable, usable on any thread while the view moves on.
public final class ViewFrame: Sendable {
  public let map: Map
  public let spatialReference: SpatialReference
  public let camera: Camera
  public let viewport: Viewport
  /// Physical pixels per DIP.
  public let pixelDensity: Double
  public let generation: UInt64
  public let transform: ViewTransform
  /// The corners of the whole view, insets included: clockwise from the top left. Kept, so that reading takes no memory.
  public let visibleArea: [Point]
  let cellFinders = CellFinders()

  init(
    map: Map, spatialReference: SpatialReference, camera: Camera, viewport: Viewport, pixelDensity: Double,
    generation: UInt64
  ) {
    self.map = map
    self.spatialReference = spatialReference
    self.camera = camera
    self.viewport = viewport
    self.pixelDensity = pixelDensity
    self.generation = generation
    let transform = camera.transform(in: viewport)
    self.transform = transform
    visibleArea = viewport.corners.map { transform.mapPoint($0) }
  }

  /// The map point at `anchor`.
  public var center: Point { camera.center }
  /// The denominator of the nominal scale.
  public var scale: Double { camera.scale }
  /// The compass direction that is up on the screen, 0 <= r < 360 degrees.
  public var rotation: Double { camera.rotation }
  public var width: Double { viewport.width }
  public var height: Double { viewport.height }
  public var insets: Insets { viewport.insets }
  /// The screen point, in DIP, that shows `center`: the middle of what the insets leave free.
  public var anchor: Point { transform.anchor }
  public var unitsPerDip: Double { transform.unitsPerDip }
  var sine: Double { transform.sine }
  var cosine: Double { transform.cosine }

  /// Row-major 2 x 2, from DIP to map units.
  public var screenToMapMatrix: ViewTransform.Matrix { transform.screenToMapMatrix }

  /// Row-major 2 x 2, from map units to DIP.
  public var mapToScreenMatrix: ViewTransform.Matrix { transform.mapToScreenMatrix }

  /// The map point under a screen point; NaN, NaN if that is not finite or so far away that its image is not.
  @inline(__always)
  public func mapPoint(_ screen: Point) -> Point { transform.mapPoint(screen) }

  /// The screen point of a map point; NaN, NaN if that is not finite or so far away that its image is not.
  @inline(__always)
  public func screenPoint(_ map: Point) -> Point { transform.screenPoint(map) }
}
