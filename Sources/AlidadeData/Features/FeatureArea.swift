import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CGDAL

/// An area that features must share a point with.
///
/// A box stands for the box around its image in the spatial reference of the source, and is tested there. A geometry is
/// tested where it is: features that lie in the box around its image are projected there. Where a world repeats itself,
/// positions that are a whole number of worlds apart are the same.
struct FeatureArea: Sendable {
  /// What has a point in the area meets one of these boxes, in the spatial reference of the source.
  let boxes: [Envelope]
  /// The box around all of them; nil if it is not known.
  let box: Envelope?

  /// In the spatial reference of the source, with an x that continues across the seam; nil if it is not known, and
  /// features may be anywhere.
  private let near: Envelope?
  /// No point of the area was found to have an image where the features are, as beyond the outline of a world map.
  private var isNowhere = false
  /// Of the source; nil: it does not repeat itself.
  private let world: Double?
  private let shape: Shape?

  /// What is tested exactly.
  private enum Shape: Sendable {
    case near
    case geometry(Envelope, wkb: [UInt8], world: Double?, FeatureProjection?)
  }

  /// nil: nothing can be in it.
  init?(_ area: FeatureQuery.Area, of source: FeatureSource) throws(EngineError) {
    let own = source.spatialReference
    world = own?.system.worldWidth
    switch area {
    case .envelope(let envelope, let reference):
      var box = envelope
      if let reference {
        guard let own else { throw source.withoutSpatialReference() }
        try envelope.requireBox(in: reference)
        box = try envelope.projected(from: reference, to: own).envelope.runningOn(world)
      }
      guard [box.xMin, box.yMin, box.xMax, box.yMax].allSatisfy(\.isFinite), box.xMin <= box.xMax,
        box.yMin <= box.yMax
      else {
        throw EngineError(
          .invalidArgument,
          "The envelope (\(envelope.xMin), \(envelope.yMin), \(envelope.xMax), \(envelope.yMax)) is no box.")
      }
      near = box
      shape = .near
    case .geometry(let geometry):
      guard let box = geometry.envelope else { return nil }
      var bytes = [UInt8](repeating: 0, count: geometry.wkbSize(.iso))
      bytes.withUnsafeMutableBytes { geometry.writeWKB(.iso, isBigEndian: false, to: $0) }
      guard let reference = geometry.spatialReference else {
        near = box
        shape = .geometry(box, wkb: bytes, world: world, nil)
        break
      }
      guard let own else { throw source.withoutSpatialReference() }
      let projection = try FeatureProjection(from: own, to: reference, around: box)
      do throws(EngineError) { near = projection == nil ? box : try Self.image(of: box, in: reference, own) } catch {
        guard error.status == .projectionFailed else { throw error }
        (near, isNowhere) = (nil, true)
      }
      shape = .geometry(box, wkb: bytes, world: reference.system.worldWidth, projection)
    case .shown(let box, let reference):
      guard let own else { throw source.withoutSpatialReference() }
      do throws(EngineError) { near = try Self.image(of: box, in: reference, own) } catch {
        guard error.status == .projectionFailed else { throw error }
        near = nil
      }
      shape = nil
    }
    boxes = Self.boxes(near, world: world, source)
    guard var all = boxes.first else { return nil }
    for box in boxes { all.extend(around: box) }
    box = near == nil ? nil : all
  }

  /// A box that certainly contains the image of another one; nil if the image may be unbounded.
  private static func image(
    of box: Envelope, in reference: SpatialReference, _ own: SpatialReference
  ) throws(EngineError) -> Envelope? {
    let world = own.system.worldWidth
    var image = try box.projected(from: reference, to: own).envelope.runningOn(world)
    // Extremes are searched where the map is smooth; a map that is cut into lobes is not, at their ends.
    let slack = (image.xMax - image.xMin + image.yMax - image.yMin) / 1000
    let (x, y) = (slack + image.xMin.magnitude * 1e-8, slack + max(image.yMin.magnitude, image.yMax.magnitude) * 1e-8)
    (image.xMin, image.yMin) = (image.xMin - x, image.yMin - y)
    (image.xMax, image.yMax) = (image.xMax + x, image.yMax + y)
    // What comes close to a pole may lie at any longitude.
    if own.kind == .geographic, let world, max(image.yMax, -image.yMin) > world / 4 * (1 - 1e-6) {
      (image.xMin, image.xMax) = (-world / 2, world / 2)
    }
    return [image.xMin, image.yMin, image.xMax, image.yMax].allSatisfy(\.isFinite) ? image : nil
  }

  /// The images of a box in those worlds in which the source has features.
  private static func boxes(_ near: Envelope?, world: Double?, _ source: FeatureSource) -> [Envelope] {
    guard let near else {
      let far = 1e300
      return [Envelope(xMin: -far, yMin: -far, xMax: far, yMax: far)]
    }
    guard let world else { return [near] }
    var anywhere = near
    // Farther away, the digits do not name a position.
    (anywhere.xMin, anywhere.xMax) = (min(-world * 0x1p20, near.xMin), max(world * 0x1p20, near.xMax))
    let known = [source.facts.extent, source.index?.bounds].compactMap(\.self)
    // A service is not asked for the whole world because it does not say where its features are.
    guard !known.isEmpty || source.facts.isService, near.xMax - near.xMin < world else { return [anywhere] }
    // A file may say of itself what is not so: the world in the middle counts in any case.
    var extent = Envelope(xMin: -world / 2, yMin: 0, xMax: world / 2, yMax: 0)
    for box in known { extent.extend(around: box) }
    let first = ((extent.xMin - near.xMax) / world - 1e-9).rounded(.up)
    let last = ((extent.xMax - near.xMin) / world + 1e-9).rounded(.down)
    guard let count = Int(exactly: last - first + 1), count <= 8 else { return [anywhere] }
    return (0..<max(count, 0)).map { near.shifted(by: (first + Double($0)) * world) }
  }

  /// Calls `body` with a test for geometries. Call inside the guard.
  func withTest<Result>(_ body: (FeatureTest) throws(EngineError) -> Result) throws(EngineError) -> Result {
    let around = try near.map { (box) throws(EngineError) in try AreaShape(box, wkb: nil, world: world) }
    guard let shape else { return try body(FeatureTest(near: around, isShown: true)) }
    switch shape {
    case .near: return try body(FeatureTest(near: around, isShown: false))
    case .geometry(let box, let wkb, let world, let projection):
      let shape = try AreaShape(box, wkb: wkb, world: world)
      return try body(
        FeatureTest(near: around, isShown: false, isNowhere: isNowhere, shape: shape, projection: projection))
    }
  }
}

/// Tests whether geometries have a point in common with an area. Use it inside the guard.
struct FeatureTest {
  fileprivate let near: AreaShape?
  /// That its box is near is enough.
  fileprivate let isShown: Bool
  fileprivate var isNowhere = false
  /// nil: that is `near`.
  fileprivate var shape: AreaShape?
  /// To where the shape is; nil: it is where the features are.
  fileprivate var projection: FeatureProjection?

  func holds(_ geometry: OGRGeometryH) throws(EngineError) -> Bool {
    if OGR_G_IsEmpty(geometry) != 0 { return false }
    if let near, near.turns(of: geometry).isEmpty { return false }
    if isShown { return true }
    guard let shape else { return near?.meets(geometry) ?? true }
    guard let projection else { return shape.meets(geometry) }
    guard let image = try projection.image(of: geometry) else {
      // It cannot be shown there. Only whether it meets the box around the area's image can be tested.
      return near?.meets(geometry) ?? !isNowhere
    }
    defer { OGR_G_DestroyGeometry(image) }
    return shape.meets(image)
  }
}

/// A geometry of GDAL for tests against others.
final class AreaShape {
  private let box: Envelope
  private let isBox: Bool
  private let world: Double?
  private let shape: OGRGeometryH
  private let prepared: OGRPreparedGeometryH?

  /// So many worlds are looked at, the nearest first.
  private static let mostTurns = 64

  /// - Parameter wkb: nil: the box itself.
  init(_ box: Envelope, wkb: [UInt8]?, world: Double?) throws(EngineError) {
    var made: OGRGeometryH?
    let bytes = wkb ?? box.wkb
    let code = bytes.withUnsafeBytes { OGR_G_CreateFromWkbEx($0.baseAddress, nil, &made, $0.count) }
    guard code == OGRERR_NONE, let made else {
      throw EngineError(.invalidArgument, "The geometry to search in cannot be used.")
    }
    self.box = box
    self.world = world
    isBox = wkb == nil
    shape = made
    prepared = OGRCreatePreparedGeometry(made)
  }

  deinit {
    OGRDestroyPreparedGeometry(prepared)
    OGR_G_DestroyGeometry(shape)
  }

  /// How many worlds to the east of its own a geometry's box meets that of the shape, the nearest first.
  func turns(of geometry: OGRGeometryH) -> [Double] {
    var its = OGREnvelope()
    OGR_G_GetEnvelope(geometry, &its)
    guard its.MinY <= box.yMax, its.MaxY >= box.yMin else { return [] }
    guard let world else { return its.MinX <= box.xMax && its.MaxX >= box.xMin ? [0] : [] }
    let first = ((box.xMin - its.MaxX) / world).rounded(.up)
    let last = ((box.xMax - its.MinX) / world).rounded(.down)
    guard first <= last else { return [] }
    let nearest = min(max(0, first), last)
    var turns = [nearest]
    for step in 1...Self.mostTurns where turns.count < Self.mostTurns {
      if nearest - Double(step) >= first { turns.append(nearest - Double(step)) }
      if nearest + Double(step) <= last { turns.append(nearest + Double(step)) }
    }
    return turns
  }

  func meets(_ geometry: OGRGeometryH) -> Bool {
    for turn in turns(of: geometry) {
      guard turn != 0, let world else {
        if meetsHere(geometry) { return true }
        continue
      }
      guard let there = FeatureProjection.linearCopy(of: geometry) else { continue }
      defer { OGR_G_DestroyGeometry(there) }
      for (path, _) in FeatureProjection.paths(of: there) {
        for index in 0..<max(0, OGR_G_GetPointCount(path)) {
          OGR_G_SetPoint_2D(path, index, OGR_G_GetX(path, index) + turn * world, OGR_G_GetY(path, index))
        }
      }
      if meetsHere(there) { return true }
    }
    return false
  }

  private func meetsHere(_ geometry: OGRGeometryH) -> Bool {
    if isBox {
      var its = OGREnvelope()
      OGR_G_GetEnvelope(geometry, &its)
      if its.MinX >= box.xMin, its.MaxX <= box.xMax, its.MinY >= box.yMin, its.MaxY <= box.yMax { return true }
    }
    guard let prepared else { return OGR_G_Intersects(shape, geometry) != 0 }
    return OGRPreparedGeometryIntersects(prepared, geometry) != 0
  }
}

extension Envelope {
  /// A box over the seam with an x that runs on.
  fileprivate func runningOn(_ world: Double?) -> Envelope {
    guard xMin > xMax, let world else { return self }
    return Envelope(xMin: xMin, yMin: yMin, xMax: xMax + world, yMax: yMax)
  }

  fileprivate func shifted(by x: Double) -> Envelope {
    Envelope(xMin: xMin + x, yMin: yMin, xMax: xMax + x, yMax: yMax)
  }

  /// The box as a polygon, or as what is left of it if it has no area.
  fileprivate var wkb: [UInt8] {
    let corners = [(xMin, yMin), (xMax, yMin), (xMax, yMax), (xMin, yMax), (xMin, yMin)]
    let (isPoint, isLine) = (xMin == xMax && yMin == yMax, xMin == xMax || yMin == yMax)
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
