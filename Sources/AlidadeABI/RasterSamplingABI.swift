import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import CAlidade

@_cdecl("ald_raster_window_around") @implementation
public func ald_raster_window_around(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ at: ald_point, _ columns: Int32, _ rows: Int32,
  _ out_window: UnsafeMutablePointer<ald_raster_window>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let raster = try resolve(raster, 1)
    let source = try resolveOptional(spatial_reference, 2)
    try requireSameRuntime(raster, source, 2)
    try requireFinite(at, "at", 3)
    try requireSide(columns, "columns", 4)
    try requireSide(rows, "rows", 5)
    let out = try requireOut(out_window, "ald_raster_window", 6)
    let window = try blaming(3) { () throws(EngineError) in
      try raster.window(around: Point(at), in: source, columns: columns, rows: rows)
    }
    write(
      ald_raster_window(
        struct_size: 0, reserved: 0, left: window.left, top: window.top, width: window.width, height: window.height,
        columns: window.columns, rows: window.rows), to: out)
  }
}

@_cdecl("ald_raster_window_size") @implementation
public func ald_raster_window_size(
  _ raster: ald_raster, _ window: UnsafePointer<ald_raster_window>?, _ out_columns: UnsafeMutablePointer<Int32>?,
  _ out_rows: UnsafeMutablePointer<Int32>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let raster = try resolve(raster, 1)
    let window = try completedWindow(window, raster, 2)
    guard let out_columns else { throw missing("out_columns", 3) }
    guard let out_rows else { throw missing("out_rows", 4) }
    out_columns.pointee = window.columns
    out_rows.pointee = window.rows
  }
}

@_cdecl("ald_raster_read_window") @implementation
public func ald_raster_read_window(
  _ raster: ald_raster, _ band: Int32, _ window: UnsafePointer<ald_raster_window>?,
  _ options: UnsafePointer<ald_sampling_options>?, _ out_values: UnsafeMutablePointer<Double>?, _ row_stride_bytes: Int,
  _ values_size: Int, _ out_verdicts: UnsafeMutablePointer<UInt8>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let raster = try resolve(raster, 1)
    let index = try bandIndex(band, of: raster, 2)
    let window = try completedWindow(window, raster, 3)
    let sampling = try sampling(options, 4)
    guard let out_values else { throw missing("out_values", 5) }
    let picture = try Picture(
      UnsafeMutableRawPointer(out_values), columns: window.columns, rows: window.rows, stride: row_stride_bytes,
      size: values_size, as: Double.self, 6)
    try fill(picture, out_verdicts, raster.runtime.policy) { (values, verdicts) throws(EngineError) in
      try raster.readWindow(window, band: index, sampling, into: values, verdicts: verdicts)
    }
  }
}

@_cdecl("ald_raster_sample_points") @implementation
public func ald_raster_sample_points(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ band: Int32, _ xy: UnsafePointer<Double>?,
  _ stride_bytes: Int, _ count: Int, _ options: UnsafePointer<ald_sampling_options>?,
  _ out_values: UnsafeMutablePointer<Double>?, _ out_verdicts: UnsafeMutablePointer<UInt8>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let raster = try resolve(raster, 1)
    let source = try resolveOptional(spatial_reference, 2)
    try requireSameRuntime(raster, source, 2)
    let index = try bandIndex(band, of: raster, 3)
    let policy = raster.runtime.policy
    let input = try StridedPoints(
      xy, stride: stride_bytes, count: count, policy, pointerArgument: 4, strideArgument: 5, countArgument: 6)
    try blaming(6) { () throws(EngineError) in try policy.check(bytes: count, SampleRequest.bytesPerSample) }
    let sampling = try sampling(options, 7)
    guard let input else { return }
    let values = try HeapArray<Double>(count: count)
    let verdicts = try HeapArray<UInt8>(count: count)
    try raster.samplePoints(
      try input.loaded(), in: source, band: index, sampling, into: values.buffer, verdicts: verdicts.buffer)
    if let out_values, let base = values.buffer.baseAddress { out_values.update(from: base, count: count) }
    if let out_verdicts, let base = verdicts.buffer.baseAddress { out_verdicts.update(from: base, count: count) }
  }
}

@_cdecl("ald_raster_profile") @implementation
public func ald_raster_profile(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ band: Int32, _ xy: UnsafePointer<Double>?,
  _ stride_bytes: Int, _ vertex_count: Int, _ options: UnsafePointer<ald_profile_options>?,
  _ out_samples: UnsafeMutablePointer<ald_profile_sample>?, _ capacity: Int, _ out_count: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let raster = try resolve(raster, 1)
    let source = try resolveOptional(spatial_reference, 2)
    try requireSameRuntime(raster, source, 2)
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
  _ pointer: UnsafePointer<ald_raster_window>?, _ raster: Raster, _ argument: Int32
) throws(EngineError) -> RasterWindow {
  var window = RasterWindow()
  if let pointer {
    let given = try read(pointer, "ald_raster_window", argument, zero: ald_raster_window())
    try requireFlags(given.reserved, known: 0, "ald_raster_window.reserved", argument)
    window.left = given.left
    window.top = given.top
    window.width = given.width
    window.height = given.height
    window.columns = given.columns
    window.rows = given.rows
  }
  return try blaming(argument) { () throws(EngineError) in try raster.completed(window) }
}

func interpolation(_ value: Int32, _ name: String, _ argument: Int32) throws(EngineError) -> Interpolation {
  guard let interpolation = Interpolation(rawValue: value) else {
    throw EngineError(.invalidArgument, "\(name) is \(value), which is no ald_interpolation.", argument: argument)
  }
  return interpolation
}

/// Whether flags ask for scaled values.
func isScaled(_ flags: UInt32, _ name: String, _ argument: Int32) throws(EngineError) -> Bool {
  let scaled = UInt32(truncatingIfNeeded: ALD_SAMPLING_SCALED)
  try requireFlags(flags, known: scaled, name, argument)
  return flags & scaled != 0
}

private func sampling(
  _ pointer: UnsafePointer<ald_sampling_options>?, _ argument: Int32
) throws(EngineError) -> Sampling {
  guard let pointer else { return Sampling() }
  let given = try read(pointer, "ald_sampling_options", argument, zero: ald_sampling_options())
  try requireFlags(given.reserved, known: 0, "ald_sampling_options.reserved", argument)
  return Sampling(
    interpolation: try interpolation(given.interpolation, "ald_sampling_options.interpolation", argument),
    isScaled: try isScaled(given.flags, "ald_sampling_options.flags", argument))
}

private func profileOptions(
  _ pointer: UnsafePointer<ald_profile_options>?, _ argument: Int32
) throws(EngineError) -> (ProfileKind, Sampling) {
  guard let pointer else { return (.cells, Sampling()) }
  let given = try read(pointer, "ald_profile_options", argument, zero: ald_profile_options())
  try requireFlags(given.reserved, known: 0, "ald_profile_options.reserved", argument)
  let sampling = Sampling(
    interpolation: try interpolation(given.interpolation, "ald_profile_options.interpolation", argument),
    isScaled: try isScaled(given.flags, "ald_profile_options.flags", argument))
  guard given.step.isFinite else {
    throw EngineError(
      .invalidArgument, "ald_profile_options.step is \(given.step), which is not finite.", argument: argument)
  }
  switch Int(truncatingIfNeeded: given.kind) {
  case ALD_PROFILE_CELLS:
    guard sampling.interpolation == .nearest else {
      throw EngineError(
        .invalidArgument, "ALD_PROFILE_CELLS answers the values of cells; its interpolation must be nearest.",
        argument: argument)
    }
    return (.cells, sampling)
  case ALD_PROFILE_STEP:
    guard given.step > 0 else {
      throw EngineError(
        .invalidArgument, "ald_profile_options.step is \(given.step); it must be above 0.", argument: argument)
    }
    return (.step(given.step), sampling)
  case ALD_PROFILE_COUNT:
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
