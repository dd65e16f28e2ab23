import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CGDAL

/// Which features are read, and what of them.
public struct FeatureQuery: Sendable {
  /// A condition that features must meet beside the source's definition.
  public var condition: String?
  /// What features must have a point in common with; nil: they may be anywhere.
  public var area: Area?
  /// Only features with these ids; nil: all.
  public var ids: [Int64]?
  /// How many features are read at most; nil: all.
  public var limit: Int?
  /// How many are passed over first.
  public var offset = 0
  /// The numbers of the fields that are read; nil: all.
  public var fields: [Int]?
  public var withoutGeometry = false
  /// What geometries are projected to; nil: they stay as they are.
  public var spatialReference: SpatialReference?

  public enum Area: Sendable {
    /// nil: in the spatial reference of the source. A box in another one stands for the box around its image.
    case envelope(Envelope, SpatialReference?)
    case geometry(Geometry)
  }

  public init() {}
}

/// What features must have a point in common with, in the spatial reference of the source.
struct FeatureArea: Sendable {
  let box: Envelope
  /// Well-known binary; nil: the box itself.
  private let wkb: [UInt8]?

  /// nil: nothing can be in it.
  init?(_ area: FeatureQuery.Area, of source: FeatureSource) throws(EngineError) {
    switch area {
    case .envelope(let envelope, let reference):
      var box = envelope
      if let reference, let own = source.spatialReference {
        try envelope.requireBox(in: reference)
        let projected = try envelope.projected(from: reference, to: own)
        box = projected.envelope
        // Over the seam: the features of a file lie in one world.
        if projected.crossesAntimeridian, let width = own.system.worldWidth {
          (box.xMin, box.xMax) = (-width / 2, width / 2)
        }
      } else if reference != nil {
        throw source.withoutSpatialReference()
      }
      guard [box.xMin, box.yMin, box.xMax, box.yMax].allSatisfy(\.isFinite), box.xMin <= box.xMax,
        box.yMin <= box.yMax
      else {
        throw EngineError(
          .invalidArgument,
          "The envelope (\(envelope.xMin), \(envelope.yMin), \(envelope.xMax), \(envelope.yMax)) is no box.")
      }
      self.box = box
      wkb = nil
    case .geometry(let given):
      var geometry = given
      if given.spatialReference != nil {
        guard let own = source.spatialReference else { throw source.withoutSpatialReference() }
        geometry = try given.projected(to: own).geometry
      }
      guard let box = geometry.envelope else { return nil }
      self.box = box
      var bytes = [UInt8](repeating: 0, count: geometry.wkbSize(.iso))
      bytes.withUnsafeMutableBytes { geometry.writeWKB(.iso, isBigEndian: false, to: $0) }
      wkb = bytes
    }
  }

  /// Calls `body` with a test for geometries. Call inside the guard.
  func withTest<Result>(_ body: (FeatureTest) throws(EngineError) -> Result) throws(EngineError) -> Result {
    var shape: OGRGeometryH?
    let bytes = wkb ?? boxWKB
    let made = bytes.withUnsafeBytes { OGR_G_CreateFromWkbEx($0.baseAddress, nil, &shape, $0.count) }
    guard made == OGRERR_NONE, let shape else {
      throw EngineError(.invalidArgument, "The geometry to search in cannot be used.")
    }
    defer { OGR_G_DestroyGeometry(shape) }
    let prepared = OGRCreatePreparedGeometry(shape)
    defer { OGRDestroyPreparedGeometry(prepared) }
    return try body(FeatureTest(box: box, isBox: wkb == nil, shape: shape, prepared: prepared))
  }

  /// The box as a polygon, or as what is left of it if it has no area.
  private var boxWKB: [UInt8] {
    let corners = [
      (box.xMin, box.yMin), (box.xMax, box.yMin), (box.xMax, box.yMax), (box.xMin, box.yMax), (box.xMin, box.yMin),
    ]
    let (isPoint, isLine) = (box.xMin == box.xMax && box.yMin == box.yMax, box.xMin == box.xMax || box.yMin == box.yMax)
    var bytes: [UInt8] = [1]
    func put(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    put(isPoint ? 1 : isLine ? 2 : 3)
    if !isPoint, !isLine { put(1) }
    if !isPoint { put(isLine ? 2 : 5) }
    for (x, y) in isPoint ? [corners[0]] : isLine ? [corners[0], corners[2]] : corners {
      withUnsafeBytes(of: x.bitPattern.littleEndian) { bytes += $0 }
      withUnsafeBytes(of: y.bitPattern.littleEndian) { bytes += $0 }
    }
    return bytes
  }
}

/// Tells whether geometries have a point in common with an area. Use it inside the guard.
struct FeatureTest {
  fileprivate let box: Envelope
  fileprivate let isBox: Bool
  fileprivate let shape: OGRGeometryH
  fileprivate let prepared: OGRPreparedGeometryH?

  func holds(_ geometry: OGRGeometryH) -> Bool {
    if OGR_G_IsEmpty(geometry) != 0 { return false }
    var its = OGREnvelope()
    OGR_G_GetEnvelope(geometry, &its)
    guard its.MinX <= box.xMax, its.MaxX >= box.xMin, its.MinY <= box.yMax, its.MaxY >= box.yMin else { return false }
    if isBox, its.MinX >= box.xMin, its.MaxX <= box.xMax, its.MinY >= box.yMin, its.MaxY <= box.yMax { return true }
    guard let prepared else { return OGR_G_Intersects(shape, geometry) != 0 }
    return OGRPreparedGeometryIntersects(prepared, geometry) != 0
  }
}
