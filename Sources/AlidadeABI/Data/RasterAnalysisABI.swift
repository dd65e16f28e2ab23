import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import CAlidade

@_cdecl("ald_raster_window_around") @implementation
public func ald_raster_window_around(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ point: ald_point, _ columns: Int32, _ rows: Int32,
  _ out_window: Out<ald_raster_window>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(raster, out_window, argument: 6, error) { (raster) throws(EngineError) in
    let source = try resolveOptional(spatial_reference, 2, with: raster)
    try requireFinite(point, "point", 3)
    try requireSide(columns, "columns", 4)
    try requireSide(rows, "rows", 5)
    let window = try blaming(3, try raster.window(around: Point(point), in: source, columns: columns, rows: rows))
    return ald_raster_window(
      struct_size: 0, reserved: 0, left: window.left, top: window.top, width: window.width, height: window.height,
      columns: window.columns, rows: window.rows)
  }
}

@_cdecl("ald_raster_window_size") @implementation
public func ald_raster_window_size(
  _ raster: ald_raster, _ window: In<ald_raster_window>, _ out_columns: Out<Int32>, _ out_rows: Out<Int32>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(raster, error) { (raster) throws(EngineError) in
    let window = try completedWindow(window, raster, 2)
    guard let out_columns else { throw missing("out_columns", 3) }
    guard let out_rows else { throw missing("out_rows", 4) }
    out_columns.pointee = window.columns
    out_rows.pointee = window.rows
  }
}

@_cdecl("ald_raster_read_window") @implementation
public func ald_raster_read_window(
  _ raster: ald_raster, _ band: Int32, _ window: In<ald_raster_window>, _ options: In<ald_sampling_options>,
  _ out_values: Out<Double>, _ row_stride_bytes: Int, _ values_size_bytes: Int, _ out_verdicts: Out<UInt8>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(raster, error) { (raster) throws(EngineError) in
    let index = try bandIndex(band, of: raster, 2)
    let window = try completedWindow(window, raster, 3)
    let sampling = try sampling(options, 4)
    guard let out_values else { throw missing("out_values", 5) }
    let picture = try Picture(
      UnsafeMutableRawPointer(out_values), columns: window.columns, rows: window.rows, stride: row_stride_bytes,
      size: values_size_bytes, as: Double.self, 6)
    try fill(picture, out_verdicts, raster.runtime.policy) { (values, verdicts) throws(EngineError) in
      try raster.readWindow(window, band: index, sampling, into: values, verdicts: verdicts)
    }
  }
}

@_cdecl("ald_raster_read_samples") @implementation
public func ald_raster_read_samples(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ band: Int32, _ xy: In<Double>,
  _ stride_bytes: Int, _ count: Int, _ options: In<ald_sampling_options>, _ out_values: Out<Double>,
  _ out_verdicts: Out<UInt8>, _ error: Out<ald_error>
) -> ald_status {
  enter(raster, error) { (raster) throws(EngineError) in
    let source = try resolveOptional(spatial_reference, 2, with: raster)
    let index = try bandIndex(band, of: raster, 3)
    let policy = raster.runtime.policy
    let input = try StridedPoints(
      xy, stride: stride_bytes, count: count, policy, argument: 4, countArgument: 6)
    try blaming(6, try policy.check(bytes: count, SampleRequest.bytesPerSample))
    let sampling = try sampling(options, 7)
    if count == 0 { return }
    let values = try HeapArray<Double>(count: count)
    let verdicts = try HeapArray<UInt8>(count: count)
    try raster.samplePoints(
      try input.loaded(), in: source, band: index, sampling, into: values.buffer, verdicts: verdicts.buffer)
    store(values.buffer, to: out_values) { $0 }
    store(verdicts.buffer, to: out_verdicts) { $0 }
  }
}

@_cdecl("ald_raster_read_profile") @implementation
public func ald_raster_read_profile(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ band: Int32, _ xy: In<Double>,
  _ stride_bytes: Int, _ vertex_count: Int, _ options: In<ald_profile_options>, _ out_samples: Out<ald_profile_sample>,
  _ capacity: Int, _ out_count: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(raster, error) { (raster) throws(EngineError) in
    let source = try resolveOptional(spatial_reference, 2, with: raster)
    let index = try bandIndex(band, of: raster, 3)
    let vertices = try vertices(
      xy, stride: stride_bytes, count: vertex_count, atLeast: 2, raster.runtime.policy, pointerArgument: 4)
    let (kind, sampling) = try profileOptions(options, 7)
    let output = try OutputList(out_samples, capacity: capacity, out_count, arrayArgument: 8)
    let samples = try raster.profile(
      along: vertices, in: source, band: index, kind, sampling, readsValues: output.isWanted)
    try output.write(samples, "samples") { sample in
      ald_profile_sample(
        distance: sample.distance, end_distance: sample.endDistance, x: sample.place.x, y: sample.place.y,
        value: sample.value, column: sample.cell.column, row: sample.cell.row, verdict: sample.verdict.rawValue,
        reserved: 0)
    }
  }
}

// MARK: Parts

private func requireSide(_ side: Int32, _ name: String, _ argument: Int32) throws(EngineError) {
  guard (1...RasterWindow.largestSide).contains(side) else {
    throw EngineError(
      .invalidArgument, "\(name) is \(side); it must be within 1 to \(RasterWindow.largestSide).", argument: argument)
  }
}

/// A window from C, its zeros filled in.
private func completedWindow(
  _ pointer: In<ald_raster_window>, _ raster: Raster, _ argument: Int32
) throws(EngineError) -> RasterWindow {
  var window = RasterWindow()
  let given = try read(pointer, "ald_raster_window", argument, zero: ald_raster_window())
  try requireFlags(given.reserved, known: 0, "ald_raster_window.reserved", argument)
  window.left = given.left
  window.top = given.top
  window.width = given.width
  window.height = given.height
  window.columns = given.columns
  window.rows = given.rows
  return try blaming(argument, try raster.completed(window))
}

/// Whether flags ask for scaled values.
func isScaled(_ flags: UInt32, _ name: String, _ argument: Int32) throws(EngineError) -> Bool {
  try requireFlags(flags, known: ALD_SAMPLING_SCALED, name, argument)
  return flags & ALD_SAMPLING_SCALED != 0
}

private func sampling(_ pointer: In<ald_sampling_options>, _ argument: Int32) throws(EngineError) -> Sampling {
  let given = try read(pointer, "ald_sampling_options", argument, zero: ald_sampling_options())
  try requireFlags(given.reserved, known: 0, "ald_sampling_options.reserved", argument)
  return Sampling(
    interpolation: try enumerator(
      given.interpolation, "ald_sampling_options.interpolation", "ald_interpolation", argument),
    isScaled: try isScaled(given.flags, "ald_sampling_options.flags", argument))
}

private func profileOptions(
  _ pointer: In<ald_profile_options>, _ argument: Int32
) throws(EngineError) -> (ProfileKind, Sampling) {
  let given = try read(pointer, "ald_profile_options", argument, zero: ald_profile_options())
  try requireFlags(given.reserved, known: 0, "ald_profile_options.reserved", argument)
  let sampling = Sampling(
    interpolation: try enumerator(
      given.interpolation, "ald_profile_options.interpolation", "ald_interpolation", argument),
    isScaled: try isScaled(given.flags, "ald_profile_options.flags", argument))
  try requireFinite(given.step, "ald_profile_options.step", argument)
  switch given.kind {
  case ALD_PROFILE_KIND_CELLS:
    guard sampling.interpolation == .nearest else {
      throw EngineError(
        .invalidArgument, "ALD_PROFILE_KIND_CELLS returns the values of cells, so its interpolation must be nearest.",
        argument: argument)
    }
    return (.cells, sampling)
  case ALD_PROFILE_KIND_STEP:
    guard given.step > 0 else {
      throw EngineError(
        .invalidArgument, "ald_profile_options.step is \(given.step); it must be above 0.", argument: argument)
    }
    return (.step(given.step), sampling)
  case ALD_PROFILE_KIND_COUNT:
    guard let count = Int32(exactly: given.sample_count), count >= 2 else {
      throw EngineError(
        .invalidArgument,
        "ald_profile_options.sample_count is \(given.sample_count); it must be within 2 to 2147483647.",
        argument: argument)
    }
    return (.count(Int(truncatingIfNeeded: count)), sampling)
  default:
    throw EngineError(
      .invalidArgument, "ald_profile_options.kind is \(given.kind), which is no ald_profile_kind.", argument: argument)
  }
}

@_cdecl("ald_raster_read_polygon_statistics") @implementation
public func ald_raster_read_polygon_statistics(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ band: Int32, _ xy: In<Double>,
  _ stride_bytes: Int, _ vertex_count: Int, _ ring_starts: In<Int>, _ ring_count: Int,
  _ options: In<ald_polygon_options>, _ out_statistics: Out<ald_polygon_statistics>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(raster, out_statistics, argument: 10, error) { (raster) throws(EngineError) in
    let source = try resolveOptional(spatial_reference, 2, with: raster)
    let index = try bandIndex(band, of: raster, 3)
    let vertices = try vertices(
      xy, stride: stride_bytes, count: vertex_count, atLeast: 3, raster.runtime.policy, pointerArgument: 4)
    let starts = try ringStarts(ring_starts, ring_count, vertexCount: vertex_count)
    let (rule, isScaled) = try polygonOptions(options)
    let result = try raster.statistics(
      in: PolygonRings(vertices: vertices, starts: starts), source, band: index, rule, isScaled: isScaled)
    return ald_polygon_statistics(
      struct_size: 0, reserved: 0, value_count: result.valueCount, empty_count: result.emptyCount,
      outside_count: result.outsideCount, sum: result.sum, mean: result.mean, minimum: result.minimum,
      maximum: result.maximum, standard_deviation: result.standardDeviation,
      minimum_cell: ald_cell_index(column: result.minimumCell.column, row: result.minimumCell.row),
      maximum_cell: ald_cell_index(column: result.maximumCell.column, row: result.maximumCell.row))
  }
}

@_cdecl("ald_raster_read_polygon_classes") @implementation
public func ald_raster_read_polygon_classes(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ band: Int32, _ xy: In<Double>,
  _ stride_bytes: Int, _ vertex_count: Int, _ ring_starts: In<Int>, _ ring_count: Int,
  _ options: In<ald_polygon_options>, _ out_classes: Out<ald_class_count>, _ capacity: Int, _ out_count: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(raster, error) { (raster) throws(EngineError) in
    let source = try resolveOptional(spatial_reference, 2, with: raster)
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

private func polygonOptions(_ pointer: In<ald_polygon_options>) throws(EngineError) -> (PolygonRule, Bool) {
  let argument: Int32 = 9
  let given = try read(pointer, "ald_polygon_options", argument, zero: ald_polygon_options())
  try requireFlags(given.reserved, known: 0, "ald_polygon_options.reserved", argument)
  let rule: PolygonRule = try enumerator(given.rule, "ald_polygon_options.rule", "ald_polygon_rule", argument)
  return (rule, try isScaled(given.flags, "ald_polygon_options.flags", argument))
}

/// Where the rings begin. The array is read only once its size makes sense.
private func ringStarts(_ pointer: In<Int>, _ count: Int, vertexCount: Int) throws(EngineError) -> [Int] {
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

@_cdecl("ald_raster_read_heights") @implementation
public func ald_raster_read_heights(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ options: In<ald_height_options>,
  _ coordinates: In<ald_coordinates>, _ out_heights: Out<Double>, _ height_stride_bytes: Int,
  _ out_verdicts: Out<UInt8>, _ out_info: Out<ald_height_info>, _ out_new_receipt: Out<ald_projection_receipt>,
  _ error: Out<ald_error>
) -> ald_status {
  out_new_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(raster, error) { (raster) throws(EngineError) in
    let source = try resolveOptional(spatial_reference, 2, with: raster)
    let choice = try heightOptions(options, raster, 3)
    let policy = raster.runtime.policy
    let input = try CoordinatesIn(coordinates, policy, 4)
    let count = input.count
    try blaming(4, try policy.check(bytes: count, SampleRequest.bytesPerSample))
    let output = try heightColumn(out_heights, height_stride_bytes, count, 5)
    let info = try optionalOut(out_info, 8)
    let heights = try HeapArray<Double>(count: count)
    let verdicts = try HeapArray<UInt8>(count: count)
    let report = try raster.heights(
      at: try input.loaded(withHeights: false).points, in: source, choice, into: heights, verdicts: verdicts)
    out_new_receipt?.pointee = try giveReceipt(try report.receipt(raster.runtime), out_new_receipt)
    output?.store(heights.buffer)
    store(verdicts.buffer, to: out_verdicts) { $0 }
    write(ald_height_info(report, count: count), to: info)
  }
}

extension ald_height_info {
  fileprivate init(_ report: HeightReport, count: Int) {
    let flags = [
      (report.isUnitAssumed, ALD_HEIGHT_UNIT_ASSUMED), (report.conversion != nil, ALD_HEIGHT_CONVERTED),
      (report.isReferenceKept, ALD_HEIGHT_REFERENCE_KEPT),
    ]
    self.init(
      struct_size: 0, flags: flags.reduce(0) { $1.0 ? $0 | UInt32(truncatingIfNeeded: $1.1) : $0 },
      point_count: UInt64(clamping: count), failed_count: UInt64(clamping: report.failedCount),
      metres_per_unit: report.metresPerUnit)
  }
}

/// Options from C.
private func heightOptions(
  _ pointer: In<ald_height_options>, _ raster: Raster, _ argument: Int32
) throws(EngineError) -> HeightOptions {
  var options = HeightOptions()
  let name = "ald_height_options"
  let given = try read(pointer, name, argument, zero: ald_height_options())
  options.band = try bandIndex(given.band == 0 ? 1 : given.band, of: raster, argument)
  try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
  try requireFlags(given.fields, known: ALD_HEIGHT_HAS_INTERPOLATION, "\(name).fields", argument)
  let hasInterpolation = try isGiven(
    given.fields & ALD_HEIGHT_HAS_INTERPOLATION != 0, orZero: given.interpolation == 0, "\(name).interpolation",
    "ALD_HEIGHT_HAS_INTERPOLATION", argument)
  let chosen: Interpolation = try enumerator(
    given.interpolation, "\(name).interpolation", "ald_interpolation", argument)
  if hasInterpolation { options.interpolation = chosen }
  if given.metres_per_band_unit != 0 {
    try requireRange(given.metres_per_band_unit, 1e-9...1e9, "\(name).metres_per_band_unit", argument)
    options.metresPerBandUnit = given.metres_per_band_unit
  }
  try requireFlags(
    given.project_flags, known: ALD_PROJECT_STRICT | ALD_PROJECT_ONLY_BEST | ALD_PROJECT_IGNORE_VERTICAL,
    "\(name).project_flags", argument)
  options.projection.isStrict = given.project_flags & ALD_PROJECT_STRICT != 0
  options.projection.usesOnlyBest = given.project_flags & ALD_PROJECT_ONLY_BEST != 0
  options.projection.ignoresVertical = given.project_flags & ALD_PROJECT_IGNORE_VERTICAL != 0
  return options
}

/// Where heights go; nil without points. The stride follows the pointer in the function's declaration.
private func heightColumn(
  _ pointer: Out<Double>, _ stride: Int, _ count: Int, _ argument: Int32
) throws(EngineError) -> NumberColumn? {
  let step = try checkedStride(
    stride, count, of: "height", MemoryLayout<Double>.size, argument: argument &+ 1, countArgument: argument &+ 1)
  guard count > 0 else { return nil }
  guard let column = NumberColumn(pointer, step) else { throw missing("The array of heights", argument) }
  return column
}
