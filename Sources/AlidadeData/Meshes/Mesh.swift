import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// How a mesh is made.
public struct MeshOptions: Sendable {
  /// Corners go clockwise, seen from the side to which the normal points.
  public var isClockwise = false
  /// Extruded polygons have a lower surface.
  public var hasBottom = false
  /// Extruded polygons have no surface.
  public var hasWallsOnly = false
  /// Metres; nil: 1 with a raster, and nothing is split without.
  public var maximumDeviation: Double?
  public var ribbon = RibbonStyle()
  /// The index of the band with the heights, from 0.
  public var band = 0
  /// nil: what the band or the raster says.
  public var metresPerBandUnit: Double?
  /// Metres.
  public var skirt = 0.0
  /// What the texture coordinates of areas count from; nil: the box of all geometries.
  public var textureEnvelope: Envelope?

  public init() {}

  static let smallestDeviation = 1e-3
  static let largestWidth = 1e7
  static let largestSkirt = 1e5
  static let largestExtrusion = 1e6

  public func check() throws(EngineError) {
    if let maximumDeviation {
      guard maximumDeviation >= Self.smallestDeviation, maximumDeviation.isFinite else {
        throw Self.failure("The maximum deviation is \(maximumDeviation) m; give 0.001 or more.")
      }
    }
    guard ribbon.width >= 0, ribbon.width <= Self.largestWidth else {
      throw Self.failure("The width of lines is \(ribbon.width) m; give 0 to 1e7.")
    }
    guard ribbon.mitreLimit >= 1, ribbon.mitreLimit <= 1e6 else {
      throw Self.failure("The mitre limit is \(ribbon.mitreLimit); give 1 to 1e6.")
    }
    guard (1...1000).contains(ribbon.quadrantSegments) else {
      throw Self.failure("There are \(ribbon.quadrantSegments) segments in a quarter circle; give 1 to 1000.")
    }
    guard skirt >= 0, skirt <= Self.largestSkirt else {
      throw Self.failure("The skirt is \(skirt) m high; give 0 to 1e5.")
    }
    if let metresPerBandUnit {
      guard metresPerBandUnit > 0, metresPerBandUnit.isFinite else {
        throw Self.failure("The band's unit has \(metresPerBandUnit) m; give more than 0.")
      }
    }
    if let textureEnvelope {
      guard textureEnvelope.isArea else { throw Self.failure("The texture envelope is no box with an area.") }
    }
  }

  /// Throws if a height of walls is out of range.
  static func check(extrusion: Double) throws(EngineError) {
    guard extrusion.magnitude <= largestExtrusion else {
      throw EngineError(
        .invalidArgument, "The height of walls is \(extrusion) m; give -1e6 to 1e6.", parameter: "extrusions")
    }
  }

  private static func failure(_ message: String) -> EngineError {
    EngineError(.invalidArgument, message, parameter: "options")
  }
}

extension Envelope {
  /// Whether it is a rectangle with an area.
  var isArea: Bool {
    xMin.isFinite && yMin.isFinite && xMax.isFinite && yMax.isFinite && xMin < xMax && yMin < yMax
  }
}

/// Indexed triangles in an engine frame: an immutable value.
public final class Mesh: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  /// Three numbers for each vertex.
  public let positions: HeapArray<Float>
  public let normals: HeapArray<Float>
  /// Two numbers for each vertex.
  public let textures: HeapArray<Float>
  /// Three for each triangle.
  public let indices: HeapArray<UInt32>
  /// One more than geometries.
  public let vertexOffsets: HeapArray<UInt32>
  public let indexOffsets: HeapArray<UInt32>
  public let report: MeshReport

  public override var handleKind: HandleKind { .mesh }

  public var vertexCount: Int { textures.buffer.count / 2 }
  public var triangleCount: Int { indices.buffer.count / 3 }
  public var geometryCount: Int { indexOffsets.buffer.count &- 1 }

  /// - Parameter parts: of geometries that follow each other.
  init(_ parts: [MeshPart], runtime: Runtime) throws(EngineError) {
    let vertexCount = parts.reduce(0) { $0 &+ $1.textures.count / 2 }
    let indexCount = parts.reduce(0) { $0 &+ $1.triangles.count }
    try runtime.policy.check(points: vertexCount)
    try runtime.policy.check(points: indexCount)
    try runtime.policy.check(bytes: vertexCount &* 32 &+ indexCount &* 4)
    positions = try Self.joined(parts, count: vertexCount &* 3) { $0.positions }
    normals = try Self.joined(parts, count: vertexCount &* 3) { $0.normals }
    textures = try Self.joined(parts, count: vertexCount &* 2) { $0.textures }
    indices = try HeapArray<UInt32>(count: indexCount)
    let geometryCount = parts.reduce(0) { $0 &+ $1.indexOffsets.count &- 1 }
    vertexOffsets = try HeapArray<UInt32>(count: geometryCount &+ 1, repeating: 0)
    indexOffsets = try HeapArray<UInt32>(count: geometryCount &+ 1, repeating: 0)
    var report = MeshReport()
    var (vertex, index, geometry): (UInt32, Int, Int) = (0, 0, 0)
    for part in parts {
      for (number, offset) in part.vertexOffsets.enumerated() {
        vertexOffsets.buffer[geometry &+ number] = offset &+ vertex
      }
      let begin = UInt32(truncatingIfNeeded: index)
      for (number, offset) in part.indexOffsets.enumerated() {
        indexOffsets.buffer[geometry &+ number] = offset &+ begin
      }
      for corner in part.triangles {
        indices.buffer[index] = corner &+ vertex
        index &+= 1
      }
      vertex &+= UInt32(truncatingIfNeeded: part.textures.count / 2)
      geometry &+= part.indexOffsets.count &- 1
      report.merge(part.report)
    }
    self.report = report
    super.init(runtime: runtime)
  }

  private static func joined(
    _ parts: [MeshPart], count: Int, _ column: (MeshPart) -> [Float]
  ) throws(EngineError) -> HeapArray<Float> {
    let joined = try HeapArray<Float>(count: count)
    var begin = 0
    for part in parts {
      let numbers = column(part)
      _ = UnsafeMutableBufferPointer(rebasing: joined.buffer[begin...]).update(from: numbers)
      begin &+= numbers.count
    }
    return joined
  }
}

/// The vertices and triangles of some geometries, as a mesh has them.
struct MeshPart {
  var positions: [Float] = []
  var normals: [Float] = []
  var textures: [Float] = []
  var triangles: [UInt32] = []
  var vertexOffsets: [UInt32] = []
  var indexOffsets: [UInt32] = []
  var report = MeshReport()

  /// - Parameters:
  ///   - draft: without triangles that have a corner without a position.
  ///   - places: the positions of its vertices in the frame.
  init(_ draft: MeshDraft, at places: HeapArray<SIMD3<Double>>, in frame: EngineFrame, isClockwise: Bool)
    throws(EngineError)
  {
    let count = draft.vertices.count
    report.deviation = draft.deviation
    report.droppedCount = draft.droppedCount
    let sums = try draft.normals(places, frame.axes)
    positions.reserveCapacity(count &* 3)
    normals.reserveCapacity(count &* 3)
    textures.reserveCapacity(count &* 2)
    for (index, vertex) in draft.vertices.enumerated() {
      let exact = places.buffer[index]
      let rounded = EngineVertex(exact)
      let off = rounded.point - exact
      report.worstRounding = max(report.worstRounding, (off * off).sum())
      report.farthest = max(report.farthest, (exact * exact).sum())
      Self.append(rounded, to: &positions)
      Self.append(EngineVertex(sums.buffer[index]), to: &normals)
      textures.append(Float(vertex.texture.x))
      textures.append(Float(vertex.texture.y))
    }
    report.worstRounding = report.worstRounding.squareRoot() * frame.metresPerUnit
    report.farthest = report.farthest.squareRoot() * frame.metresPerUnit
    triangles = draft.triangles
    if isClockwise {
      for index in stride(from: 0, to: triangles.count &- 2, by: 3) { triangles.swapAt(index &+ 1, index &+ 2) }
    }
    vertexOffsets = draft.vertexOffsets
    indexOffsets = draft.indexOffsets
  }

  @inline(__always)
  private static func append(_ vertex: EngineVertex, to numbers: inout [Float]) {
    numbers.append(vertex.x)
    numbers.append(vertex.y)
    numbers.append(vertex.z)
  }
}

/// How a mesh came out. Lengths are in metres.
public struct MeshReport: Sendable {
  /// The largest distance from what it represents, at most.
  public var deviation = 0.0
  /// The largest distance between a vertex and its position as doubles.
  public var worstRounding = 0.0
  public var farthest = 0.0
  /// Triangles that were left out.
  public var droppedCount = 0

  mutating func merge(_ other: MeshReport) {
    deviation = max(deviation, other.deviation)
    worstRounding = max(worstRounding, other.worstRounding)
    farthest = max(farthest, other.farthest)
    droppedCount &+= other.droppedCount
  }
}

/// Geometries of a mesh under construction.
struct MeshDraft {
  struct Vertex {
    var point: Point
    /// In the unit of the vertical axis, or in metres.
    var height: Double
    var texture: SIMD2<Double>

    init(_ point: Point, height: Double, texture: SIMD2<Double>) {
      self.point = point
      self.height = height
      self.texture = texture
    }
  }

  var vertices: [Vertex] = []
  /// Three corners each, counter-clockwise seen from the side to which the normal points.
  var triangles: [UInt32] = []
  var vertexOffsets: [UInt32] = [0]
  var indexOffsets: [UInt32] = [0]
  /// Vertices with the normals of other vertices.
  var borrowedNormals: [(vertex: UInt32, lender: UInt32)] = []
  var deviation = 0.0
  var droppedCount = 0

  mutating func endGeometry() {
    vertexOffsets.append(UInt32(truncatingIfNeeded: vertices.count))
    indexOffsets.append(UInt32(truncatingIfNeeded: triangles.count))
  }

  /// Removes triangles with a corner that has no position.
  mutating func dropUnplaced(_ places: HeapArray<SIMD3<Double>>) {
    guard places.buffer.contains(where: { !$0.x.isFinite }) else { return }
    var kept: [UInt32] = []
    var offsets: [UInt32] = [0]
    for (begin, end) in zip(indexOffsets, indexOffsets.dropFirst()) {
      for index in stride(from: Int(truncatingIfNeeded: begin), to: Int(truncatingIfNeeded: end), by: 3) {
        let corners = triangles[index..<(index &+ 3)]
        if corners.allSatisfy({ places.buffer[at: $0].x.isFinite }) {
          kept.append(contentsOf: corners)
        } else {
          droppedCount &+= 1
        }
      }
      offsets.append(UInt32(truncatingIfNeeded: kept.count))
    }
    (triangles, indexOffsets) = (kept, offsets)
    // No triangle refers to these now; they are finite so that a host may draw all.
    for index in places.buffer.indices where !places.buffer[index].x.isFinite { places.buffer[index] = .zero }
  }

  /// The normal of each vertex: the mean of the normals of its triangles, weighted with their areas.
  func normals(
    _ places: HeapArray<SIMD3<Double>>, _ axes: EngineAxes
  ) throws(EngineError) -> HeapArray<SIMD3<Double>> {
    let sums = try HeapArray<SIMD3<Double>>(count: vertices.count, repeating: .zero)
    let hand: Double = axes.isLeftHanded ? -1 : 1
    for index in stride(from: 0, to: triangles.count &- 2, by: 3) {
      let (i, j, k) = (
        Int(truncatingIfNeeded: triangles[index]), Int(truncatingIfNeeded: triangles[index &+ 1]),
        Int(truncatingIfNeeded: triangles[index &+ 2])
      )
      let (u, v) = (places.buffer[j] - places.buffer[i], places.buffer[k] - places.buffer[i])
      let cross = SIMD3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x) * hand
      sums.buffer[i] += cross
      sums.buffer[j] += cross
      sums.buffer[k] += cross
    }
    let up = SIMD3(axes.directions.x.z, axes.directions.y.z, axes.directions.z.z)
    for index in sums.buffer.indices {
      let length = (sums.buffer[index] * sums.buffer[index]).sum().squareRoot()
      sums.buffer[index] = length > 0 && length.isFinite ? sums.buffer[index] / length : up
    }
    for pair in borrowedNormals { sums.buffer[at: pair.vertex] = sums.buffer[at: pair.lender] }
    return sums
  }
}
