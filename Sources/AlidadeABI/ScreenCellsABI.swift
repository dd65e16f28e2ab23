import AlidadeBase
import AlidadeData
import AlidadeMap
import CAlidade

@_cdecl("ald_view_grid_size") @implementation
public func ald_view_grid_size(
  _ view: ald_view, _ grid: UnsafePointer<ald_screen_grid>?, _ out_columns: UnsafeMutablePointer<Int32>?,
  _ out_rows: UnsafeMutablePointer<Int32>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    let grid = try completedGrid(grid, view).grid
    guard let out_columns else { throw missing("out_columns", 3) }
    guard let out_rows else { throw missing("out_rows", 4) }
    out_columns.pointee = grid.columns
    out_rows.pointee = grid.rows
  }
}

@_cdecl("ald_view_read_rgba") @implementation
public func ald_view_read_rgba(
  _ view: ald_view, _ layer: ald_layer, _ grid: UnsafePointer<ald_screen_grid>?,
  _ out_pixels: UnsafeMutablePointer<UInt8>?, _ row_stride_bytes: Int, _ pixels_size: Int,
  _ out_verdicts: UnsafeMutablePointer<UInt8>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    let layer = try resolveRasterLayer(layer, 2)
    let grid = try completedGrid(grid, view, layer: layer).grid
    guard let out_pixels else { throw missing("out_pixels", 4) }
    let picture = try Picture(
      UnsafeMutableRawPointer(out_pixels), columns: grid.columns, rows: grid.rows, stride: row_stride_bytes,
      size: pixels_size, as: RGBA.self, 5)
    try fill(picture, out_verdicts, view.runtime.policy) { (pixels, verdicts) throws(EngineError) in
      try view.readColors(of: layer, grid, into: pixels, verdicts: verdicts)
    }
  }
}

@_cdecl("ald_view_read_values") @implementation
public func ald_view_read_values(
  _ view: ald_view, _ layer: ald_layer, _ grid: UnsafePointer<ald_screen_grid>?, _ band: Int32,
  _ out_values: UnsafeMutablePointer<Double>?, _ row_stride_bytes: Int, _ values_size: Int,
  _ out_verdicts: UnsafeMutablePointer<UInt8>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    let layer = try resolveRasterLayer(layer, 2)
    let (grid, scaled) = try completedGrid(grid, view, layer: layer)
    let index = try bandIndex(band, of: try layer.requireRaster(), 4)
    guard let out_values else { throw missing("out_values", 5) }
    let picture = try Picture(
      UnsafeMutableRawPointer(out_values), columns: grid.columns, rows: grid.rows, stride: row_stride_bytes,
      size: values_size, as: Double.self, 6)
    try fill(picture, out_verdicts, view.runtime.policy) { (values, verdicts) throws(EngineError) in
      try view.readValues(of: layer, grid, band: index, scaled: scaled, into: values, verdicts: verdicts)
    }
  }
}

// MARK: Parts

/// A grid from C, its zeros filled in, and whether scaled values are wanted.
private func completedGrid(
  _ pointer: UnsafePointer<ald_screen_grid>?, _ view: MapView, layer: RasterLayer? = nil
) throws(EngineError) -> (grid: ScreenGrid, scaled: Bool) {
  let argument: Int32 = layer == nil ? 2 : 3
  var grid = ScreenGrid()
  var scaled = false
  if let pointer {
    let given = try read(pointer, "ald_screen_grid", argument, zero: ald_screen_grid())
    let overviews = UInt32(truncatingIfNeeded: ALD_SCREEN_GRID_OVERVIEWS)
    let scaledValues = UInt32(truncatingIfNeeded: ALD_SCREEN_GRID_SCALED)
    try requireFlags(given.flags, known: overviews | scaledValues, "ald_screen_grid.flags", argument)
    grid.left = given.left_dip
    grid.top = given.top_dip
    grid.width = given.width_dip
    grid.height = given.height_dip
    grid.columns = given.columns
    grid.rows = given.rows
    grid.usesOverviews = given.flags & overviews != 0
    scaled = given.flags & scaledValues != 0
  }
  let completed = try blaming(argument) { () throws(EngineError) in try view.completed(grid) }
  return (completed, scaled)
}
