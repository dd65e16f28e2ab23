import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

extension EngineFrame {
  /// A mesh of polygons and lines.
  ///
  /// - Parameters:
  ///   - extrusions: metres for each geometry, repeated from the first if there are fewer; nil: no walls.
  ///   - raster: has the heights; nil: the geometries' own.
  public func mesh(
    of columns: GeometryColumns, _ rows: Range<Int>, extrusions: HeapArray<Double>?, over raster: Raster?,
    _ options: MeshOptions
  ) throws(EngineError) -> Mesh {
    try checkMesh(options, raster)
    for extrusion in extrusions.map({ Array($0.buffer) }) ?? [] { try MeshOptions.check(extrusion: extrusion) }
    guard let source = columns.spatialReference else {
      throw EngineError(.invalidArgument, "The geometries have no spatial reference.", parameter: "geometry")
    }
    return try runtime.limited { [self] () throws(EngineError) -> Mesh in
      let memory = try columns.coordinates(ofGeometries: rows, runtime.policy).points
      let vertices = Array(memory.buffer)
      let box = Envelope(around: vertices)
      let builder = try MeshBuilder(self, source, raster, options, around: vertices)
      return try Mesh(
        try builder.parts(of: columns, rows, extrusions, textureBox: options.textureEnvelope ?? box), runtime: runtime)
    }
  }

  /// The mesh of a rectangle of terrain.
  ///
  /// - Parameters:
  ///   - source: the spatial reference of the rectangle; nil: the raster's own.
  ///   - envelope: nil: the whole raster.
  public func terrainMesh(
    of raster: Raster, in source: SpatialReference?, _ envelope: Envelope?, _ options: MeshOptions
  ) throws(EngineError) -> Mesh {
    try checkTerrainMesh(envelope, options, raster)
    let own = try raster.meshReference()
    return try runtime.limited { [self] () throws(EngineError) -> Mesh in
      let corners = raster.clipped(envelope, in: source)?.corners ?? envelope?.corners ?? raster.corners
      let reference = envelope == nil ? own : source ?? own
      let builder = try MeshBuilder(self, reference, raster, options, around: corners)
      let draft = try builder.terrain(corners)
      let box = envelope ?? Envelope(around: corners)
      return try Mesh([try builder.placed(draft, textureBox: options.textureEnvelope ?? box)], runtime: runtime)
    }
  }

  /// A request for a mesh.
  public func meshRequest(
    _ options: RequestOptions, _ make: @escaping @Sendable () throws(EngineError) -> Mesh
  ) throws(EngineError) -> Request {
    // Right: the address is only compared. The work holds the frame, so that no other object has its address meanwhile.
    let owner = UInt64(truncatingIfNeeded: UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
    return try Request(.createMesh, runtime: runtime, owner: owner, options: options, work: make)
  }

  public func checkTerrainMesh(
    _ envelope: Envelope?, _ options: MeshOptions, _ raster: Raster
  ) throws(EngineError) {
    try checkMesh(options, raster)
    guard let envelope else { return }
    guard envelope.isArea else {
      throw EngineError(.invalidArgument, "The envelope is no rectangle with an area.", parameter: "envelope")
    }
  }

  /// Throws if a mesh cannot be made of what is given, as far as that is known before it is begun.
  public func checkMesh(_ options: MeshOptions, _ raster: Raster?) throws(EngineError) {
    try options.check()
    guard let raster else { return }
    guard raster.facts.bands.indices.contains(options.band) else {
      throw EngineError(
        .notFound, "There is no band \(options.band &+ 1); the raster has \(raster.facts.bands.count).",
        parameter: "options")
    }
  }
}

extension Raster {
  fileprivate func meshReference() throws(EngineError) -> SpatialReference {
    guard let spatialReference else {
      throw EngineError(.notReady, "The raster has no spatial reference.", parameter: "raster")
    }
    try requirePlaceable()
    return spatialReference
  }

  /// The part of a rectangle that is on the raster; nil if it has none, or the raster's border is not parallel to its sides.
  fileprivate func clipped(_ envelope: Envelope?, in source: SpatialReference?) -> Envelope? {
    let forward = facts.geotransform.forward
    guard let envelope, source == nil || source === spatialReference, forward[2] == 0, forward[4] == 0,
      worldWidth == nil
    else { return nil }
    var part = envelope
    part.xMin = max(part.xMin, extent.xMin)
    part.yMin = max(part.yMin, extent.yMin)
    part.xMax = min(part.xMax, extent.xMax)
    part.yMax = min(part.yMax, extent.yMax)
    return part.isArea ? part : nil
  }

  /// Counter-clockwise.
  fileprivate var corners: [Point] {
    let transform = facts.geotransform
    let (width, height) = (Double(facts.width), Double(facts.height))
    let corners = [(0.0, height), (width, height), (width, 0.0), (0.0, 0.0)].map {
      transform.point(column: $0.0, row: $0.1)
    }
    let forward = transform.forward
    return forward[1] * forward[5] - forward[2] * forward[4] < 0 ? corners : corners.reversed()
  }
}

/// Flat triangles before they are put on a surface.
private struct FlatPiece {
  var points: [Point] = []
  var heights: [Double] = []
  /// Along and across a line; NaN on areas, where the position in the image is not yet known.
  var textures: [SIMD2<Double>] = []
  var corners: [UInt32] = []
}

/// Makes meshes in a frame of what is in one spatial reference.
///
/// With a raster, positions are those in its grid, in cells from the middle of the first cell. Without one, they are the
/// coordinates themselves.
private struct MeshBuilder: Sendable {
  private let frame: EngineFrame
  private let source: SpatialReference
  private let raster: Raster?
  private let options: MeshOptions
  /// Brings points of the source to the raster; nil: they are there.
  private let toRaster: Projector?
  /// After how much positions begin anew, in a world that repeats itself; nil: they do not.
  private let world: WorldStep?
  /// The spatial reference of the positions.
  private let reference: SpatialReference
  /// What the geometries share, if they are near each other; pieces that reach beyond it have their own.
  private let shared: (box: PositionBox, ground: Ground)?

  /// What positions are on.
  private struct Ground: Sendable {
    /// The heights around them; nil: none are needed.
    let field: HeightField?
    let bend: MapBend
  }

  /// More heights than these are read piece by piece.
  private static let sharedCells = 1 << 22

  /// - Parameter points: all vertices.
  init(
    _ frame: EngineFrame, _ source: SpatialReference, _ raster: Raster?, _ options: MeshOptions,
    around points: [Point]
  ) throws(EngineError) {
    (self.frame, self.source, self.raster, self.options) = (frame, source, raster, options)
    reference = try raster?.meshReference() ?? source
    let projector = raster == nil ? nil : try Projector.between(source, reference)
    toRaster = projector.flatMap { $0.isIdentity ? nil : $0 }
    world = raster?.worldStep
    let positions = try Self.positions(points, raster, toRaster, world)
    if let box = PositionBox(positions), raster == nil || box.cellCount <= Self.sharedCells {
      shared = (box, try Self.ground(box, frame, raster, reference, options))
    } else {
      shared = nil
    }
  }

  private static func ground(
    _ box: PositionBox, _ frame: EngineFrame, _ raster: Raster?, _ reference: SpatialReference, _ options: MeshOptions
  ) throws(EngineError) -> Ground {
    let field = try raster.map { (raster) throws(EngineError) in
      try HeightField(
        of: raster, band: options.band, metresPerBandUnit: options.metresPerBandUnit,
        around: (box.low + 0.5, box.high + 0.5))
    }
    return Ground(field: field, bend: try bend(box, frame, raster, reference))
  }

  private func bend(around box: PositionBox) throws(EngineError) -> MapBend {
    if let shared, shared.box.contains(box) { return shared.ground.bend }
    return try Self.bend(box, frame, raster, reference)
  }

  private func ground(around box: PositionBox) throws(EngineError) -> Ground {
    if let shared, shared.box.contains(box) { return shared.ground }
    return try Self.ground(box, frame, raster, reference, options)
  }

  // MARK: Positions

  private static func images(_ points: [Point], _ projector: Projector?) throws(EngineError) -> [Point] {
    guard let projector else { return points }
    let memory = try HeapArray<Point>(count: points.count)
    _ = memory.buffer.update(from: points)
    let outcome = try projector.project(CoordinateColumns(points: memory, z: nil))
    return zip(memory.buffer, outcome.statuses.buffer).map { $1 == .ok ? $0 : .nan }
  }

  /// The positions of points that follow each other. NaN for a point without one.
  ///
  /// In a world that repeats itself, a projected point follows the one before it on the shorter path, and all lie as near
  /// to the raster as can be.
  private static func positions(
    _ points: [Point], _ raster: Raster?, _ projector: Projector?, _ world: WorldStep?
  ) throws(EngineError) -> [SIMD2<Double>] {
    guard let raster else { return points.map { SIMD2($0.x, $0.y) } }
    var positions = try images(points, projector).map { point in
      let place = raster.ownPlace(of: point)
      let position = SIMD2(place.column - 0.5, place.row - 0.5)
      // Farther away there is no raster, and neighbouring cells have no numbers of their own.
      return max(position.x.magnitude, position.y.magnitude) < 1e9 ? position : SIMD2(repeating: .nan)
    }
    guard let world else { return positions }
    if projector != nil {
      var before: SIMD2<Double>?
      for index in positions.indices where positions[index].x.isFinite {
        if let before { positions[index] -= world.whole(positions[index] - before) }
        before = positions[index]
      }
    }
    guard let box = PositionBox(positions) else { return positions }
    let size = SIMD2(Double(raster.facts.width), Double(raster.facts.height))
    let shift = world.whole((box.low + box.high - size) / 2 + 0.5)
    return shift == .zero ? positions : positions.map { $0 - shift }
  }

  private func point(_ position: SIMD2<Double>) -> Point {
    guard let raster else { return Point(x: position.x, y: position.y) }
    return raster.facts.geotransform.point(column: position.x + 0.5, row: position.y + 0.5)
  }

  /// How the map from positions into the frame bends in a box.
  private static func bend(
    _ box: PositionBox, _ frame: EngineFrame, _ raster: Raster?, _ reference: SpatialReference
  ) throws(EngineError) -> MapBend {
    let side = MapBend.side
    let step = (box.high - box.low) / Double(side &- 1)
    let points = try HeapArray<Point>(count: side &* side)
    let heights = try HeapArray<Double>(count: side &* side, repeating: 0)
    for index in points.buffer.indices {
      let position = box.low + step * SIMD2(Double(index % side), Double(index / side))
      points.buffer[index] =
        raster?.facts.geotransform.point(column: position.x + 0.5, row: position.y + 0.5)
        ?? Point(x: position.x, y: position.y)
    }
    let framed = try frame.framed(
      CoordinateColumns(points: points, z: heights), in: reference, ProjectionOptions())
    var images = points.buffer.indices.map { index in
      framed.outcome.statuses.buffer[index] == .ok
        ? (frame.local(framed, index) ?? SIMD3(repeating: .nan)) * frame.metresPerUnit : SIMD3(repeating: .nan)
    }
    if frame.kind == .planar, let width = frame.spatialReference.system.worldWidth {
      // The frame takes the image nearest to its origin. Where that changes to another one, nothing bends.
      let around = frame.toLocal.direction(SIMD3(width, 0, 0)) * frame.metresPerUnit
      for index in images.indices.dropFirst() {
        let before = images[index % side == 0 ? index &- side : index &- 1]
        let turns = ((images[index] - before) * around).sum() / (around * around).sum()
        if turns.isFinite { images[index] -= around * turns.rounded() }
      }
    }
    return MapBend(images, step: step, turn: frame.kind == .tangent ? 1 / Self.smallestRadius : 0)
  }

  /// The earth's smallest radius of curvature in metres, at the equator along the meridian.
  private static let smallestRadius = 6_335_439.0

  // MARK: Pieces

  /// The triangles of geometries, on all cores, in parts whose memory the processor has at hand.
  func parts(
    of columns: GeometryColumns, _ rows: Range<Int>, _ extrusions: HeapArray<Double>?, textureBox: Envelope?
  ) throws(EngineError) -> [MeshPart] {
    let size = min(128, max(1, rows.count / 16))
    let count = (rows.count &+ size &- 1) / size
    let parts = Lock<[MeshPart?]>(Array(repeating: nil, count: count))
    try frame.runtime.workers.forEach(count) { (number) throws(EngineError) in
      var draft = MeshDraft()
      var triangulation = PolygonTriangulation()
      let begin = rows.lowerBound &+ number &* size
      for row in begin..<min(rows.upperBound, begin &+ size) {
        let extrusion = extrusions.map { $0.buffer[(row &- rows.lowerBound) % $0.buffer.count] } ?? 0
        do throws(EngineError) {
          try columns.forEachSimple(row) { (columns, row) throws(EngineError) in
            try add(columns, row, extrusion, &triangulation, to: &draft)
          }
        } catch {
          var error = error
          if rows.count > 1 { error.message = "Geometry \(row): \(error.message)" }
          throw error
        }
        draft.endGeometry()
      }
      let part = try placed(draft, textureBox: textureBox)
      parts.withLock { $0[number] = part }
    }
    return parts.withLock { $0.compactMap { $0 } }
  }

  /// Adds a geometry that is no collection.
  private func add(
    _ columns: GeometryColumns, _ row: Int, _ extrusion: Double, _ triangulation: inout PolygonTriangulation,
    to draft: inout MeshDraft
  ) throws(EngineError) {
    switch columns.kind(row) {
    case .polygon:
      // That its polygons do not overlap each other is not seen one by one.
      if columns.parts(ofGeometry: row).count > 1 { try columns.geometry(row, runtime: frame.runtime).requireUsable() }
      for part in columns.parts(ofGeometry: row) {
        let piece = try area(columns, row, part, &triangulation)
        try add(piece, extrusion: extrusion, to: &draft)
      }
    case .polyline:
      guard options.ribbon.width > 0 else {
        if columns.isEmpty(row) { return }
        throw EngineError(
          .invalidArgument, "it is a line, and line_width_m is 0: set the width of lines.", parameter: "options")
      }
      for path in columns.paths(ofGeometry: row) {
        try add(try ribbon(columns, path), extrusion: 0, to: &draft)
      }
    case .point, .multipoint:
      if columns.isEmpty(row) { return }
      throw EngineError(
        .unsupported, "it is a point, and a point has no mesh. Buffer it, or put a model of the engine there.",
        parameter: "geometry")
    case .collection: return
    }
  }

  /// The triangles of a polygon with its holes.
  private func area(
    _ columns: GeometryColumns, _ row: Int, _ part: Int, _ triangulation: inout PolygonTriangulation
  ) throws(EngineError) -> FlatPiece {
    var piece = FlatPiece()
    var rings: [Range<Int>] = []
    for path in columns.paths(ofPart: part) {
      let vertices = columns.vertices(ofPath: path).dropLast()
      guard !vertices.isEmpty else { continue }
      let begin = piece.points.count
      for index in vertices {
        let vertex = columns.vertex(index)
        piece.points.append(vertex.point)
        piece.heights.append(vertex.z.isNaN ? 0 : vertex.z)
      }
      rings.append(begin..<piece.points.count)
    }
    guard !rings.isEmpty else { return piece }
    piece.textures = Array(repeating: SIMD2(repeating: .nan), count: piece.points.count)
    let isFilled = try piece.points.withUnsafeBufferPointer { (points) throws(EngineError) in
      try triangulation.append(points, rings: rings, to: &piece.corners)
    }
    if !isFilled {
      try columns.geometry(row, runtime: frame.runtime).requireUsable()
      throw EngineError(
        .internal, "Its triangles do not fill it, although it is valid: please report it.", parameter: "geometry")
    }
    return piece
  }

  /// The ribbon of a line, made in the horizontal plane of the frame.
  private func ribbon(_ columns: GeometryColumns, _ path: Int) throws(EngineError) -> FlatPiece {
    var piece = FlatPiece()
    let vertices = columns.vertices(ofPath: path)
    guard vertices.count > 1 else { return piece }
    let points = try HeapArray<Point>(count: vertices.count)
    let heights = try HeapArray<Double>(count: vertices.count)
    for (index, number) in vertices.enumerated() {
      let vertex = columns.vertex(number)
      (points.buffer[index], heights.buffer[index]) = (vertex.point, vertex.z.isNaN ? 0 : vertex.z)
    }
    let ownHeights = Array(heights.buffer)
    let framed = try frame.framed(CoordinateColumns(points: points, z: heights), in: source, ProjectionOptions())
    var line: [SIMD3<Double>] = []
    for index in points.buffer.indices {
      guard framed.outcome.statuses.buffer[index] == .ok, let local = frame.local(framed, index) else {
        throw EngineError(
          .projectionFailed, "vertex \(index) of a line has no position in the frame.", parameter: "geometry")
      }
      line.append(frame.eastNorthUp(local))
    }
    let ribbon = try LineRibbon(line.map { SIMD2($0.x, $0.y) }, options.ribbon, frame.runtime.policy)
    let corners = ribbon.corners
    let locals = corners.map { frame.local(SIMD3($0.point, line[$0.vertex].z)) }
    let found = try frame.coordinates(ofVertices: locals.count, in: source, ProjectionOptions()) { locals[$0] }
    piece.corners = ribbon.triangles
    for (index, corner) in corners.enumerated() {
      let isPlaced = found.outcome.statuses.buffer[index] == .ok
      let point = found.columns.points.buffer[index]
      // On the same side of the world as its vertex.
      let own = columns.vertex(vertices.lowerBound &+ corner.vertex).point
      let near = source.system.worldWidth.map { point.unwrapped(near: own.x, width: $0) } ?? point
      piece.points.append(isPlaced ? near : .nan)
      piece.heights.append(ownHeights[corner.vertex])
      piece.textures.append(corner.texture)
    }
    return piece
  }

  // MARK: Surfaces

  /// The triangles of a rectangle, with its skirt.
  func terrain(_ corners: [Point]) throws(EngineError) -> MeshDraft {
    var piece = FlatPiece()
    piece.points = corners
    piece.heights = Array(repeating: 0, count: 4)
    piece.textures = Array(repeating: SIMD2(repeating: .nan), count: 4)
    piece.corners = [0, 1, 2, 0, 2, 3]
    var draft = MeshDraft()
    try add(piece, extrusion: 0, skirt: options.skirt, to: &draft)
    draft.endGeometry()
    return draft
  }

  /// Puts a piece on its surface, and raises it.
  private func add(
    _ piece: consuming FlatPiece, extrusion: Double, skirt: Double = 0, to draft: inout MeshDraft
  ) throws(EngineError) {
    var positions = try Self.positions(piece.points, raster, toRaster, world)
    if !positions.allSatisfy(\.isPlaced) {
      let kept = stride(from: 0, to: piece.corners.count, by: 3).filter { index in
        piece.corners[index..<(index &+ 3)].allSatisfy { positions[at: $0].isPlaced }
      }
      draft.droppedCount &+= piece.corners.count / 3 &- kept.count
      piece.corners = kept.flatMap { piece.corners[$0..<($0 &+ 3)] }
      // What no triangle refers to must not disturb the box of the positions.
      let other = positions.first(where: \.isPlaced) ?? .zero
      for index in positions.indices where !positions[index].isPlaced { positions[index] = other }
    }
    guard !piece.corners.isEmpty, let box = PositionBox(positions) else { return }
    let limit = options.maximumDeviation ?? (raster == nil ? .infinity : 1)
    if raster == nil, limit == .infinity, extrusion == 0 {
      return append(piece, positions, try bend(around: box), to: &draft)
    }
    let isBent = toRaster != nil && limit.isFinite
    var surface = SurfaceRefiner(
      positions: positions, textures: piece.textures, heights: piece.heights, corners: piece.corners,
      bend: isBent ? try bend(around: box) : MapBend(metresPerUnit: SIMD2(1, 1)), limit: limit)
    if isBent {
      try surface.bendBorder(sources: &piece.points, tolerance: limit / 2, world: world) {
        (points) throws(EngineError) in try Self.positions(points, raster, toRaster, world)
      }
    }
    let ground = try ground(around: PositionBox(surface.positions) ?? box)
    let metresPerHeight = ground.field?.metresPerHeight ?? reference.system.metresUpPerVerticalUnit
    try surface.refine(
      onto: ground.field, ground.bend, metresPerHeight: metresPerHeight.magnitude, frame.runtime.policy)
    // Where heights count downwards, what is higher is less.
    let (low, high) = (min(0, extrusion) / metresPerHeight, max(0, extrusion) / metresPerHeight)
    if extrusion == 0 || !options.hasWallsOnly {
      let numbers = append(surface, rise: high, isFacingDown: false, to: &draft)
      if skirt > 0 { appendSkirt(surface, numbers, depth: skirt / metresPerHeight, to: &draft) }
    }
    if extrusion != 0 {
      if options.hasBottom { append(surface, rise: low, isFacingDown: true, to: &draft) }
      appendWalls(surface, low: low, high: high, metres: extrusion.magnitude, ground.bend, to: &draft)
    }
    for deviation in surface.deviations where !deviation.isNaN { draft.deviation = max(draft.deviation, deviation) }
    draft.droppedCount &+= surface.deviations.count { $0.isNaN }
  }

  /// Appends a piece as it is.
  private func append(
    _ piece: FlatPiece, _ positions: [SIMD2<Double>], _ bend: MapBend, to draft: inout MeshDraft
  ) {
    let first = UInt32(truncatingIfNeeded: draft.vertices.count)
    for index in piece.points.indices {
      draft.vertices.append(
        MeshDraft.Vertex(piece.points[index], height: piece.heights[index], texture: piece.textures[index]))
    }
    for corner in piece.corners { draft.triangles.append(corner &+ first) }
    if bend.isStraight { return }
    for index in stride(from: 0, to: piece.corners.count, by: 3) {
      let (a, b, c) = (
        Int(truncatingIfNeeded: piece.corners[index]), Int(truncatingIfNeeded: piece.corners[index &+ 1]),
        Int(truncatingIfNeeded: piece.corners[index &+ 2])
      )
      let heights = [piece.heights[a], piece.heights[b], piece.heights[c]]
      let rise = (heights.max() ?? 0) - (heights.min() ?? 0)
      let sides = [positions[b] - positions[a], positions[c] - positions[b], positions[a] - positions[c]]
      let metres = rise * reference.system.metresUpPerVerticalUnit
      draft.deviation = max(draft.deviation, bend.deviation(sides, rise: metres.magnitude))
    }
  }

  /// Appends a surface.
  ///
  /// - Returns: the numbers of its vertices in the draft.
  @discardableResult
  private func append(
    _ surface: borrowing SurfaceRefiner, rise: Double, isFacingDown: Bool, to draft: inout MeshDraft
  ) -> [UInt32] {
    let first = UInt32(truncatingIfNeeded: draft.vertices.count)
    // Vertices that only left out triangles use are left out, too.
    var numbers: [UInt32] = Array(repeating: .max, count: surface.positions.count)
    var next = first
    for (triangle, deviation) in surface.deviations.enumerated() where !deviation.isNaN {
      for corner in isFacingDown ? [0, 2, 1] : [0, 1, 2] {
        let index = Int(truncatingIfNeeded: surface.corners[triangle &* 3 &+ corner])
        if numbers[index] == .max {
          numbers[index] = next
          next &+= 1
          draft.vertices.append(
            MeshDraft.Vertex(
              point(surface.positions[index]), height: surface.heights[index] + rise, texture: surface.textures[index]))
        }
        draft.triangles.append(numbers[index])
      }
    }
    return numbers
  }

  /// Walls along the border of a surface. Each edge has vertices of its own, so that the walls' edges are sharp.
  private func appendWalls(
    _ surface: borrowing SurfaceRefiner, low: Double, high: Double, metres depth: Double, _ bend: MapBend,
    to draft: inout MeshDraft
  ) {
    for ring in surface.borders() {
      var along = 0.0
      for (from, to) in ring {
        let end = along + bend.length(surface.positions[at: to] - surface.positions[at: from])
        let corners = [
          (from, low, SIMD2(along, depth)), (to, low, SIMD2(end, depth)), (to, high, SIMD2(end, 0)),
          (from, high, SIMD2(along, 0)),
        ]
        let first = UInt32(truncatingIfNeeded: draft.vertices.count)
        for (index, rise, texture) in corners {
          draft.vertices.append(
            MeshDraft.Vertex(
              point(surface.positions[at: index]), height: surface.heights[at: index] + rise, texture: texture))
        }
        for corner in [0, 1, 2, 0, 2, 3] as [UInt32] { draft.triangles.append(first &+ corner) }
        along = end
      }
    }
  }

  /// A wall downwards along the border of the terrain, the last surface of the draft, with its normals.
  private func appendSkirt(
    _ surface: borrowing SurfaceRefiner, _ numbers: [UInt32], depth: Double, to draft: inout MeshDraft
  ) {
    for ring in surface.borders() {
      for (from, to) in ring {
        let (a, b) = (numbers[at: from], numbers[at: to])
        let first = UInt32(truncatingIfNeeded: draft.vertices.count)
        for (lender, fall) in [(a, depth), (b, depth), (b, 0), (a, 0)] {
          var vertex = draft.vertices[at: lender]
          vertex.height -= fall
          draft.borrowedNormals.append((UInt32(truncatingIfNeeded: draft.vertices.count), lender))
          draft.vertices.append(vertex)
        }
        for corner in [0, 1, 2, 0, 2, 3] as [UInt32] { draft.triangles.append(first &+ corner) }
      }
    }
  }

  // MARK: The frame

  /// Puts a draft into the frame.
  func placed(_ draft: consuming MeshDraft, textureBox box: Envelope?) throws(EngineError) -> MeshPart {
    let count = draft.vertices.count
    try frame.runtime.policy.check(points: count)
    try frame.runtime.policy.check(bytes: count, 160)
    let points = try HeapArray<Point>(count: count)
    let heights = try HeapArray<Double>(count: count)
    for (index, vertex) in draft.vertices.enumerated() {
      (points.buffer[index], heights.buffer[index]) = (vertex.point, vertex.height)
    }
    try placeTextures(&draft, points, in: box)
    let framed = try frame.framed(CoordinateColumns(points: points, z: heights), in: reference, ProjectionOptions())
    let places = try HeapArray<SIMD3<Double>>(count: count, repeating: SIMD3(repeating: .nan))
    for index in 0..<count where framed.outcome.statuses.buffer[index] == .ok {
      if let local = frame.local(framed, index) { places.buffer[index] = local }
    }
    draft.dropUnplaced(places)
    return try MeshPart(draft, at: places, in: frame, isClockwise: options.isClockwise)
  }

  /// The positions of areas in the image that covers `box`, in the source.
  private func placeTextures(
    _ draft: inout MeshDraft, _ points: HeapArray<Point>, in box: Envelope?
  ) throws(EngineError) {
    guard let box, draft.vertices.contains(where: { $0.texture.x.isNaN }) else { return }
    var sources = Array(points.buffer)
    if toRaster != nil { sources = try Self.images(sources, try Projector.between(reference, source)) }
    let (width, height) = (box.xMax - box.xMin, box.yMax - box.yMin)
    let center = (box.xMin + box.xMax) / 2
    for (index, point) in sources.enumerated() where draft.vertices[index].texture.x.isNaN {
      let near = source.system.worldWidth.map { point.unwrapped(near: center, width: $0) } ?? point
      let texture = SIMD2(
        width > 0 ? (near.x - box.xMin) / width : 0, height > 0 ? (box.yMax - near.y) / height : 0)
      draft.vertices[index].texture = texture.x.isFinite && texture.y.isFinite ? texture : .zero
    }
  }
}

extension SIMD2<Double> {
  /// Whether it is a position.
  fileprivate var isPlaced: Bool { x.isFinite && y.isFinite }
}

/// The box around positions.
private struct PositionBox {
  var low: SIMD2<Double>
  var high: SIMD2<Double>

  /// nil: no position is finite.
  init?(_ positions: [SIMD2<Double>]) {
    low = SIMD2(repeating: .infinity)
    high = SIMD2(repeating: -.infinity)
    for position in positions where position.isPlaced {
      low = SIMD2(min(low.x, position.x), min(low.y, position.y))
      high = SIMD2(max(high.x, position.x), max(high.y, position.y))
    }
    guard low.x <= high.x else { return nil }
  }

  func contains(_ other: PositionBox) -> Bool {
    low.x <= other.low.x && low.y <= other.low.y && high.x >= other.high.x && high.y >= other.high.y
  }

  /// How many cells it covers, about.
  var cellCount: Int { Int(exactly: ((high.x - low.x + 4) * (high.y - low.y + 4)).rounded()) ?? .max }
}

extension EngineFrame {
  /// East, north and up in metres, of the frame's coordinates.
  fileprivate func eastNorthUp(_ local: SIMD3<Double>) -> SIMD3<Double> {
    let (x, y, z) = axes.directions
    return (x * local.x + y * local.y + z * local.z) * metresPerUnit
  }

  /// The way back.
  fileprivate func local(_ eastNorthUp: SIMD3<Double>) -> SIMD3<Double> {
    let (x, y, z) = axes.directions
    return SIMD3((x * eastNorthUp).sum(), (y * eastNorthUp).sum(), (z * eastNorthUp).sum()) / metresPerUnit
  }
}
