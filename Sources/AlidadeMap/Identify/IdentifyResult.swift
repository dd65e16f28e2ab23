import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry

/// The cell of a raster layer that was identified.
public struct IdentifiedCell: Sendable {
  public let cell: Cell
  public let values: [BandValue]
  /// The cell's corners in the raster's spatial reference: (column, row), (column + 1, row), ...; closed.
  public let rasterPolygon: [Point]
  /// The same corners in the map's spatial reference; nil if not all of them can be projected.
  public let polygon: [Point]?
  /// The cell's centre in the map's spatial reference; nil with `polygon`.
  public let center: Point?
  /// The box around `polygon`.
  public let extent: Envelope?
}

/// How a feature or a graphic was hit.
public struct HitEvidence: Sendable {
  public let zone: HitZone
  /// The distance from the region to the footprint, in DIP; 0 if they meet.
  public let distance: Double
  /// The distance from the screen point to the nearest point of the geometry, in DIP.
  public let nearestDistance: Double
  /// The same on the ellipsoid in metres, 0 on a fill; NaN if one of the points has no position on the earth.
  public let metres: Double
  /// The point of the geometry's vertices and edges that is nearest to the screen point, on the map.
  public let nearest: Point
  /// There, interpolated; NaN without.
  public let z: Double
  public let m: Double
  /// The index of the member that was hit in a collection; otherwise 0.
  public let member: Int
  public let part: Int
  /// In the part: of a polygon 0 for the shell and then the holes.
  public let path: Int
  /// In the path; -1: the geometry has no edges.
  public let segment: Int
  /// In the path: the nearest end of the segment, or the point.
  public let vertex: Int
  public let zIndex: Int32
}

/// Something that was identified. Immutable; a class, because it has many fields and each copy would count references.
public final class IdentifyElement: Sendable {
  public let kind: Kind
  /// nil for a graphic.
  public let layer: Layer?
  /// nil unless it is a graphic.
  public let overlay: GraphicsOverlay?
  /// The name of the layer in the file; empty unless it is a feature.
  public let sublayer: String
  /// The id of a feature or a graphic.
  public let id: Int64
  public let attributes: [Attribute]
  /// The element as a person would read it.
  public let text: String
  /// nil: its layer or overlay has no popup definition.
  public let popup: Popup?
  /// nil unless it is a raster cell.
  public let cell: IdentifiedCell?
  /// nil for a raster cell.
  public let evidence: HitEvidence?
  let shape: (columns: GeometryColumns, row: Int)?

  init(
    kind: Kind, layer: Layer?, overlay: GraphicsOverlay?, sublayer: String, id: Int64, attributes: [Attribute],
    text: String, popup: Popup?, cell: IdentifiedCell?, evidence: HitEvidence?,
    shape: (columns: GeometryColumns, row: Int)?
  ) {
    (self.kind, self.layer, self.overlay, self.sublayer, self.id) = (kind, layer, overlay, sublayer, id)
    (self.attributes, self.popup, self.text) = (attributes, popup, text)
    (self.cell, self.evidence, self.shape) = (cell, evidence, shape)
  }

  /// The geometry of a feature or a graphic, as it was given; of a raster cell its polygon in the raster's spatial reference.
  public func geometry() throws(EngineError) -> Geometry {
    if let shape, let runtime = layer?.runtime ?? overlay?.runtime {
      return try shape.columns.geometry(shape.row, runtime: runtime)
    }
    guard let cell, let layer, let reference = layer.spatialReference else {
      throw EngineError(.notFound, "The element has no geometry.")
    }
    return try Geometry.make(runtime: layer.runtime, ring: cell.rasterPolygon, spatialReference: reference)
  }
}

/// One layer, group or overlay in a result.
public struct IdentifyPart: Sendable {
  public let layer: Layer?
  public let overlay: GraphicsOverlay?
  /// The part of the group that the layer is in; nil: none.
  public let parent: Int?
  /// Its elements, followed by the elements of the parts in it.
  public internal(set) var elements = 0..<0
  /// The number of hits, including the hits beyond the limit.
  public internal(set) var hitCount = 0
  /// Why it has no element; empty if it has some.
  public internal(set) var reasons: MissReasons = []
  /// Why it could not be identified.
  public internal(set) var error: EngineError?
  /// The layer's or the overlay's generation that was identified.
  public internal(set) var generation: UInt64

  public var isLimitExceeded: Bool { hitCount > elements.count }
}

/// The result of an identify. Immutable.
public final class IdentifyResult: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  /// The spatial reference of `mapPoint` and of the elements' map coordinates.
  public let spatialReference: SpatialReference
  /// The map point under the screen point.
  public let mapPoint: Point
  /// The generation of the view that was identified.
  public let viewGeneration: UInt64
  /// Topmost first.
  public let elements: [IdentifyElement]
  /// Topmost first; a group stands before what is in it.
  public let parts: [IdentifyPart]
  /// For each element the number of its part.
  public let partNumbers: [Int]

  init(_ frame: ViewFrame, _ screen: Point, _ collector: IdentifyCollector) {
    spatialReference = frame.spatialReference
    mapPoint = frame.mapPoint(screen)
    viewGeneration = frame.generation
    elements = collector.elements
    parts = collector.parts
    partNumbers = collector.partNumbers
    super.init(runtime: frame.map.runtime)
  }

  public override var handleKind: HandleKind { .identifyResult }
}

/// A result on its way.
struct IdentifyCollector: Sendable {
  private(set) var elements: [IdentifyElement] = []
  private(set) var parts: [IdentifyPart] = []
  private(set) var partNumbers: [Int] = []

  /// Adds a part with what is found for it.
  ///
  /// - Returns: its number.
  @discardableResult
  mutating func add(_ part: consuming IdentifyPart, _ found: [IdentifyElement] = []) -> Int {
    part.elements = elements.count..<(elements.count &+ found.count)
    for _ in found { partNumbers.append(parts.count) }
    if elements.isEmpty { elements = found } else { elements += found }
    parts.append(part)
    return parts.count &- 1
  }

  /// All that is in a group has been added.
  mutating func endGroup(_ number: Int) {
    parts[number].elements = parts[number].elements.lowerBound..<elements.count
    for part in parts[(number &+ 1)...] where part.parent == number { parts[number].hitCount &+= part.hitCount }
    if parts[number].elements.isEmpty, parts[number].reasons.isEmpty { parts[number].reasons = .outside }
  }
}
