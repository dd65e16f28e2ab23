import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import CAlidade

@_cdecl("ald_raster_polygon_statistics") @implementation
public func ald_raster_polygon_statistics(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ band: Int32, _ xy: UnsafePointer<Double>?,
  _ stride_bytes: Int, _ vertex_count: Int, _ ring_starts: UnsafePointer<Int>?, _ ring_count: Int,
  _ options: UnsafePointer<ald_polygon_options>?, _ out_statistics: UnsafeMutablePointer<ald_polygon_statistics>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let raster = try resolve(raster, 1)
    let source = try resolveOptional(spatial_reference, 2)
    try requireSameRuntime(raster, source, 2)
    let index = try bandIndex(band, of: raster, 3)
    let vertices = try vertices(
      xy, stride: stride_bytes, count: vertex_count, atLeast: 3, raster.runtime.policy, pointerArgument: 4)
    let starts = try ringStarts(ring_starts, ring_count, vertexCount: vertex_count)
    let (rule, isScaled) = try polygonOptions(options)
    let out = try requireOut(out_statistics, "ald_polygon_statistics", 10)
    let result = try raster.statistics(
      in: PolygonRings(vertices: vertices, starts: starts), source, band: index, rule, isScaled: isScaled)
    write(
      ald_polygon_statistics(
        struct_size: 0, reserved: 0, value_count: result.valueCount, empty_count: result.emptyCount,
        outside_count: result.outsideCount, sum: result.sum, mean: result.mean, minimum: result.minimum,
        maximum: result.maximum, standard_deviation: result.standardDeviation,
        minimum_cell: ald_cell_index(column: result.minimumCell.column, row: result.minimumCell.row),
        maximum_cell: ald_cell_index(column: result.maximumCell.column, row: result.maximumCell.row)), to: out)
  }
}

@_cdecl("ald_raster_polygon_classes") @implementation
public func ald_raster_polygon_classes(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ band: Int32, _ xy: UnsafePointer<Double>?,
  _ stride_bytes: Int, _ vertex_count: Int, _ ring_starts: UnsafePointer<Int>?, _ ring_count: Int,
  _ options: UnsafePointer<ald_polygon_options>?, _ out_classes: UnsafeMutablePointer<ald_class_count>?,
  _ capacity: Int, _ out_count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let raster = try resolve(raster, 1)
    let source = try resolveOptional(spatial_reference, 2)
    try requireSameRuntime(raster, source, 2)
    let index = try bandIndex(band, of: raster, 3)
    let vertices = try vertices(
      xy, stride: stride_bytes, count: vertex_count, atLeast: 3, raster.runtime.policy, pointerArgument: 4)
    let starts = try ringStarts(ring_starts, ring_count, vertexCount: vertex_count)
    let (rule, isScaled) = try polygonOptions(options)
    guard !isScaled else {
      throw EngineError(
        .invalidArgument, "Classes are stored values; ALD_SAMPLING_SCALED has no meaning here.", argument: 9)
    }
    let output = try OutputList(out_classes, capacity: capacity, out_count, arrayArgument: 10)
    let classes = try raster.classes(
      in: PolygonRings(vertices: vertices, starts: starts), source, band: index, rule)
    try output.write(classes, "classes") {
      ald_class_count(value: $0.value, integer: $0.integer, cell_count: $0.cellCount)
    }
  }
}

// MARK: Parts

private func polygonOptions(
  _ pointer: UnsafePointer<ald_polygon_options>?
) throws(EngineError) -> (PolygonRule, Bool) {
  let argument: Int32 = 9
  guard let pointer else { return (.cellCenters, false) }
  let given = try read(pointer, "ald_polygon_options", argument, zero: ald_polygon_options())
  try requireFlags(given.reserved, known: 0, "ald_polygon_options.reserved", argument)
  guard let rule = PolygonRule(rawValue: given.rule) else {
    throw EngineError(
      .invalidArgument, "ald_polygon_options.rule is \(given.rule), which is no ald_polygon_rule.", argument: argument)
  }
  return (rule, try isScaled(given.flags, "ald_polygon_options.flags", argument))
}

/// Where the rings begin. The array is read only once its size makes sense.
private func ringStarts(
  _ pointer: UnsafePointer<Int>?, _ count: Int, vertexCount: Int
) throws(EngineError) -> [Int] {
  guard let pointer else {
    guard count == 0 || count == 1 else { throw missing("ring_starts", 7) }
    return [0]
  }
  guard count >= 1, count <= vertexCount / 3 else {
    throw EngineError(
      .invalidArgument,
      "\(UInt(bitPattern: count)) rings of at least 3 vertices cannot be made of \(vertexCount) vertices.", argument: 8)
  }
  var starts: [Int] = []
  starts.reserveCapacity(count)
  for ring in 0..<count {
    let start = pointer[ring]
    // A start beyond PTRDIFF_MAX arrives as a negative number.
    let isRight = ring == 0 ? start == 0 : start >= 3 && start <= vertexCount &- 3 && start &- 3 >= starts[ring &- 1]
    guard isRight else {
      throw EngineError(
        .invalidArgument,
        "Ring \(ring) begins at vertex \(UInt(bitPattern: start)) of \(vertexCount): the first ring begins at 0, and each "
          + "has at least 3 vertices.", argument: 7)
    }
    starts.append(start)
  }
  return starts
}
