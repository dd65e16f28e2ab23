import AlidadeBase
import AlidadeData
import AlidadeMap
import CAlidade

@_cdecl("ald_view_grid_size") @implementation
public func ald_view_grid_size(
  _ view: ald_view, _ grid: In<ald_screen_grid>, _ out_columns: Out<Int32>, _ out_rows: Out<Int32>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let grid = try completedGrid(grid, view).grid
    guard let out_columns else { throw missing("out_columns", 3) }
    guard let out_rows else { throw missing("out_rows", 4) }
    out_columns.pointee = grid.columns
    out_rows.pointee = grid.rows
  }
}

@_cdecl("ald_view_read_rgba") @implementation
public func ald_view_read_rgba(
  _ view: ald_view, _ layer: ald_layer, _ grid: In<ald_screen_grid>, _ out_pixels: Out<UInt8>, _ row_stride_bytes: Int,
  _ pixels_size_bytes: Int, _ out_verdicts: Out<UInt8>, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let layer = try resolveRasterLayer(layer, 2)
    let grid = try completedGrid(grid, view, layer: layer).grid
    guard let out_pixels else { throw missing("out_pixels", 4) }
    let picture = try Picture(
      UnsafeMutableRawPointer(out_pixels), columns: grid.columns, rows: grid.rows, stride: row_stride_bytes,
      size: pixels_size_bytes, as: RGBA.self, 5)
    try fill(picture, out_verdicts, view.runtime.policy) { (pixels, verdicts) throws(EngineError) in
      try view.readColors(of: layer, grid, into: pixels, verdicts: verdicts)
    }
  }
}

@_cdecl("ald_view_create_screen_picture") @implementation
public func ald_view_create_screen_picture(
  _ view: ald_view, _ layer: ald_layer, _ grid: In<ald_screen_grid>, _ out_picture: Out<ald_screen_picture>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_picture, argument: 4, error) { () throws(EngineError) in
    let (view, layer, grid) = try pictured(view, layer, grid)
    return try view.picture(of: layer, grid)
  }
}

@_cdecl("ald_view_create_screen_picture_async") @implementation
public func ald_view_create_screen_picture_async(
  _ view: ald_view, _ layer: ald_layer, _ grid: In<ald_screen_grid>, _ request_options: In<ald_request_options>,
  _ out_request: Out<ald_request>, _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(out_request, argument: 5, error) { () throws(EngineError) in
    let (view, layer, grid) = try pictured(view, layer, grid)
    return try view.pictureRequest(of: layer, grid, request: try requestOptions(request_options, 4))
  }
}

/// What a picture is made of, if the policy allows so many samples.
private func pictured(
  _ view: ald_view, _ layer: ald_layer, _ grid: In<ald_screen_grid>
) throws(EngineError) -> (MapView, RasterLayer, ScreenGrid) {
  let view = try resolve(view, 1)
  let layer = try resolveRasterLayer(layer, 2)
  let grid = try completedGrid(grid, view, layer: layer).grid
  try checkPicture(sampleSize: MemoryLayout<RGBA>.size, count: grid.count, view.runtime.policy)
  return (view, layer, grid)
}

@_cdecl("ald_request_take_screen_picture") @implementation
public func ald_request_take_screen_picture(
  _ request: ald_request, _ out_picture: Out<ald_screen_picture>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_picture, argument: 2, error) { () throws(EngineError) in
    try takeResult(of: request, .readScreen, ScreenPicture.self, "a picture")
  }
}

@_cdecl("ald_screen_picture_get_pixels") @implementation
public func ald_screen_picture_get_pixels(
  _ picture: ald_screen_picture, _ out_pixels: Out<ald_screen_pixels>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(picture, out_pixels, argument: 2, error) { (picture) throws(EngineError) in
    let bytes = UnsafeRawPointer(picture.pixels.buffer.baseAddress)?.assumingMemoryBound(to: UInt8.self)
    return ald_screen_pixels(
      struct_size: 0, columns: picture.columns, rows: picture.rows,
      sample_count: UInt32(clamping: picture.verdicts.buffer.count),
      lacking_count: UInt32(clamping: picture.lackingCount), rgba: bytes,
      verdicts: UnsafePointer(picture.verdicts.buffer.baseAddress))
  }
}

@_cdecl("ald_view_read_values") @implementation
public func ald_view_read_values(
  _ view: ald_view, _ layer: ald_layer, _ grid: In<ald_screen_grid>, _ band: Int32, _ out_values: Out<Double>,
  _ row_stride_bytes: Int, _ values_size_bytes: Int, _ out_verdicts: Out<UInt8>, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let layer = try resolveRasterLayer(layer, 2)
    let (grid, scaled) = try completedGrid(grid, view, layer: layer)
    let index = try bandIndex(band, of: try layer.requireRaster(), 4)
    guard let out_values else { throw missing("out_values", 5) }
    let picture = try Picture(
      UnsafeMutableRawPointer(out_values), columns: grid.columns, rows: grid.rows, stride: row_stride_bytes,
      size: values_size_bytes, as: Double.self, 6)
    try fill(picture, out_verdicts, view.runtime.policy) { (values, verdicts) throws(EngineError) in
      try view.readValues(of: layer, grid, band: index, scaled: scaled, into: values, verdicts: verdicts)
    }
  }
}

// MARK: Parts

/// A grid from C, its zeros filled in, and whether scaled values are wanted.
private func completedGrid(
  _ pointer: In<ald_screen_grid>, _ view: MapView, layer: RasterLayer? = nil
) throws(EngineError) -> (grid: ScreenGrid, scaled: Bool) {
  let argument: Int32 = layer == nil ? 2 : 3
  var grid = ScreenGrid()
  let given = try read(pointer, "ald_screen_grid", argument, zero: ald_screen_grid())
  try requireFlags(
    given.flags, known: ALD_SCREEN_GRID_OVERVIEWS | ALD_SCREEN_GRID_SCALED, "ald_screen_grid.flags", argument)
  grid.left = given.left_dip
  grid.top = given.top_dip
  grid.width = given.width_dip
  grid.height = given.height_dip
  grid.columns = given.columns
  grid.rows = given.rows
  grid.usesOverviews = given.flags & ALD_SCREEN_GRID_OVERVIEWS != 0
  let scaled = given.flags & ALD_SCREEN_GRID_SCALED != 0
  let completed = try blaming(argument, try view.completed(grid))
  return (completed, scaled)
}

/// An array of the host's that holds a sample per pixel, line by line.
struct Picture<Sample> {
  let memory: UnsafeMutableRawPointer
  let stride: Int
  let columns: Int
  let rows: Int

  var count: Int { columns &* rows }
  private var lineSize: Int { columns &* MemoryLayout<Sample>.size }

  /// Checks the host's numbers before the array is touched.
  init(
    _ memory: UnsafeMutableRawPointer, columns: Int32, rows: Int32, stride: Int, size: Int, as: Sample.Type,
    _ strideArgument: Int32
  ) throws(EngineError) {
    try requireCapacity(size, strideArgument &+ 1)
    let columns = Int(truncatingIfNeeded: columns)
    let rows = Int(truncatingIfNeeded: rows)
    let lineSize = columns &* MemoryLayout<Sample>.size
    let step = stride == 0 ? lineSize : stride
    guard step >= lineSize, step % MemoryLayout<Sample>.alignment == 0 else {
      throw EngineError(
        .invalidArgument,
        "row_stride_bytes is \(UInt(bitPattern: stride)); a line needs \(lineSize) bytes"
          + (MemoryLayout<Sample>.alignment > 1 ? ", in multiples of \(MemoryLayout<Sample>.alignment)." : "."),
        argument: strideArgument)
    }
    let (before, overflow) = (rows &- 1).multipliedReportingOverflow(by: step)
    let needed = before.addingReportingOverflow(lineSize)
    guard !overflow, !needed.overflow, size >= needed.partialValue else {
      throw EngineError(
        .bufferTooSmall,
        "\(columns) x \(rows) samples need \(overflow ? "more bytes than there are" : "\(needed.partialValue) bytes"); "
          + "the buffer has \(size).", argument: strideArgument &+ 1)
    }
    self.memory = memory
    self.stride = step
    self.columns = columns
    self.rows = rows
  }

  /// Copies the samples in; bytes between lines are left alone.
  func store(_ samples: UnsafeMutableBufferPointer<Sample>) {
    guard let base = samples.baseAddress else { return }
    let source = UnsafeRawPointer(base)
    for row in 0..<rows {
      (memory + row &* stride).copyMemory(from: source + row &* lineSize, byteCount: lineSize)
    }
  }
}

/// Throws if so many samples are more than the policy allows.
private func checkPicture(sampleSize: Int, count: Int, _ policy: Policy) throws(EngineError) {
  try policy.check(points: count)
  // A sample, its verdict, its cell, and the cell's index among the blocks.
  try policy.check(bytes: count, sampleSize &+ 1 &+ 8 &+ 12)
}

/// Fills a picture by way of memory of our own, so that the host's is written whole or not at all.
func fill<Sample>(
  _ picture: Picture<Sample>, _ out_verdicts: Out<UInt8>, _ policy: Policy,
  _ body: (UnsafeMutableBufferPointer<Sample>, UnsafeMutableBufferPointer<UInt8>) throws(EngineError) -> Void
) throws(EngineError) {
  try checkPicture(sampleSize: MemoryLayout<Sample>.size, count: picture.count, policy)
  let samples = try HeapArray<Sample>(count: picture.count)
  let verdicts = try HeapArray<UInt8>(count: picture.count)
  try body(samples.buffer, verdicts.buffer)
  picture.store(samples.buffer)
  store(verdicts.buffer, to: out_verdicts) { $0 }
}
