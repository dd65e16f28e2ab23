import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import CAlidade

@_cdecl("ald_raster_open") @implementation
public func ald_raster_open(
  _ runtime: ald_runtime, _ path: In<CChar>, _ options: In<ald_raster_open_options>, _ out_raster: Out<ald_raster>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_raster, argument: 4, error) { (runtime) throws(EngineError) in
    let path = try string(path, "path", 2)
    let reference = try openingReference(options, 3, runtime)
    return try blaming(2, try Raster.open(runtime: runtime, path: path, spatialReference: reference))
  }
}

@_cdecl("ald_raster_open_async") @implementation
public func ald_raster_open_async(
  _ runtime: ald_runtime, _ path: In<CChar>, _ options: In<ald_raster_open_options>,
  _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>, _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(runtime, out_request, argument: 5, error) { (runtime) throws(EngineError) in
    let path = try string(path, "path", 2)
    let reference = try openingReference(options, 3, runtime)
    let request = try requestOptions(request_options, 4)
    return try blaming(
      2, try Raster.openRequest(runtime: runtime, path: path, spatialReference: reference, request: request))
  }
}

@_cdecl("ald_runtime_read_datasets") @implementation
public func ald_runtime_read_datasets(
  _ runtime: ald_runtime, _ path: In<CChar>, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(runtime, error) { (runtime) throws(EngineError) in
    let path = try string(path, "path", 2)
    try requireTextRoom(buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
    let found = try blaming(2, try Raster.datasets(runtime: runtime, path: path))
    let list = JSON.list(found.map { .object([("name", .text($0.name)), ("description", .text($0.description))]) })
    try copyOut(list.jsonText, buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
  }
}

/// The spatial reference of a raster's opening options.
func openingReference(
  _ options: In<ald_raster_open_options>, _ argument: Int32, _ runtime: Runtime
) throws(EngineError) -> SpatialReference? {
  let given = try read(options, "ald_raster_open_options", argument, zero: ald_raster_open_options())
  try requireFlags(given.reserved, known: 0, "ald_raster_open_options.reserved", argument)
  return try resolveOptional(given.spatial_reference, argument, with: runtime)
}

@_cdecl("ald_request_take_raster") @implementation
public func ald_request_take_raster(
  _ request: ald_request, _ out_raster: Out<ald_raster>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_raster, argument: 2, error) { () throws(EngineError) in
    try takeResult(of: request, .openRaster, Raster.self, "a raster")
  }
}

@_cdecl("ald_raster_get_info") @implementation
public func ald_raster_get_info(
  _ raster: ald_raster, _ out_info: Out<ald_raster_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(raster, out_info, argument: 2, error) { (raster) throws(EngineError) in
    let facts = raster.facts
    let texts = RasterTexts.of(raster)
    let g = facts.geotransform.forward
    var info = ald_raster_info()
    info.width = facts.width
    info.height = facts.height
    info.band_count = Int32(truncatingIfNeeded: facts.bands.count)
    info.georeference = facts.georeference.rawValue
    info.control_point_count = facts.controlPointCount
    info.subdataset_count = Int32(truncatingIfNeeded: facts.subdatasets.count)
    info.has_spatial_reference = raster.spatialReference == nil ? 0 : 1
    info.geotransform = (g[0], g[1], g[2], g[3], g[4], g[5])
    info.corners = four(facts.corners)
    if let extent = Envelope(around: facts.corners) { info.extent = ald_envelope(extent) }
    info.path = texts.path[0]
    info.driver = texts.path[1]
    return info
  }
}

@_cdecl("ald_raster_get_spatial_reference") @implementation
public func ald_raster_get_spatial_reference(
  _ raster: ald_raster, _ out_spatial_reference: Out<ald_spatial_reference>, _ error: Out<ald_error>
) -> ald_status {
  enterLending(raster, out_spatial_reference, argument: 2, error) { (raster) throws(EngineError) in
    return try known(
      raster.spatialReference, or: EngineError(.notFound, raster.withoutSpatialReference().message, argument: 1))
  }
}

@_cdecl("ald_raster_get_band_info") @implementation
public func ald_raster_get_band_info(
  _ raster: ald_raster, _ band: Int32, _ out_info: Out<ald_band_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(raster, out_info, argument: 3, error) { (raster) throws(EngineError) in
    let index = try bandIndex(band, of: raster, 2)
    return bandInfo(raster.facts.bands[index], RasterTexts.of(raster).bands[index])
  }
}

@_cdecl("ald_raster_get_overview_size") @implementation
public func ald_raster_get_overview_size(
  _ raster: ald_raster, _ band: Int32, _ index: UInt32, _ out_width: Out<Int32>, _ out_height: Out<Int32>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(raster, error) { (raster) throws(EngineError) in
    let overviews = raster.facts.bands[try bandIndex(band, of: raster, 2)].overviews
    let position = try entry(index, of: overviews.count, "overview", 3)
    guard let out_width else { throw missing("out_width", 4) }
    guard let out_height else { throw missing("out_height", 5) }
    out_width.pointee = overviews[position].size.width
    out_height.pointee = overviews[position].size.height
  }
}

@_cdecl("ald_raster_get_subdataset_at") @implementation
public func ald_raster_get_subdataset_at(
  _ raster: ald_raster, _ index: UInt32, _ out_name: Out<In<CChar>>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(raster, out_name, "out_name", argument: 3, error) { (raster) throws(EngineError) in
    let position = try entry(index, of: raster.facts.subdatasets.count, "data set", 2)
    return RasterTexts.of(raster).subdatasets[position]
  }
}

@_cdecl("ald_raster_get_table_column") @implementation
public func ald_raster_get_table_column(
  _ raster: ald_raster, _ band: Int32, _ column: Int32, _ out_column: Out<ald_table_column>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(raster, out_column, argument: 4, error) { (raster) throws(EngineError) in
    let band = try bandIndex(band, of: raster, 2)
    let columns = raster.facts.bands[band].table?.columns ?? []
    let position = try entry(column, of: columns.count, "column", 3)
    return ald_table_column(
      struct_size: 0, type: columns[position].type.rawValue, role: columns[position].role.rawValue, reserved: 0,
      name: RasterTexts.of(raster).bands[band].columnNames[position])
  }
}

@_cdecl("ald_raster_get_table_value") @implementation
public func ald_raster_get_table_value(
  _ raster: ald_raster, _ band: Int32, _ row: Int32, _ column: Int32, _ out_value: Out<ald_table_value>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(raster, out_value, argument: 5, error) { (raster) throws(EngineError) in
    let band = try bandIndex(band, of: raster, 2)
    let table = try known(
      raster.facts.bands[band].table,
      or: EngineError(.notFound, "Band \(band &+ 1) has no attribute table.", argument: 2))
    let rowPosition = try entry(row, of: table.rowCount, "row", 3)
    let columnPosition = try entry(column, of: table.columns.count, "column", 4)
    var value = ald_table_value()
    let source = table.columns[columnPosition]
    value.type = source.type.rawValue
    (value.integer, value.real) = source.number(row: rowPosition)
    value.text = RasterTexts.of(raster).table(band: band, table).text(row: rowPosition, column: columnPosition)
    return value
  }
}

@_cdecl("ald_raster_get_outline") @implementation
public func ald_raster_get_outline(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ segments_per_edge: Int32,
  _ out_points: Out<ald_point>, _ capacity: Int, _ out_count: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(raster, error) { (raster) throws(EngineError) in
    let target = try resolveOptional(spatial_reference, 2, with: raster)
    try requireRange(segments_per_edge, 1...10_000, "segments_per_edge", 3)
    let list = try OutputList(out_points, capacity: capacity, out_count, arrayArgument: 4)
    let ring = try raster.outline(in: target, segmentsPerEdge: Int(truncatingIfNeeded: segments_per_edge))
    try list.write(ring, "points") { ald_point($0) }
  }
}

@_cdecl("ald_raster_read_cells") @implementation
public func ald_raster_read_cells(
  _ raster: ald_raster, _ indexes: In<ald_cell_index>, _ count: Int, _ out_cells: Out<ald_cell>,
  _ out_values: Out<ald_band_value>, _ value_capacity: Int, _ error: Out<ald_error>
) -> ald_status {
  enter(raster, error) { (raster) throws(EngineError) in
    try checkCellRequest(raster, count: count, 3)
    if count == 0 { return }
    guard let indexes else { throw missing("indexes", 2) }
    try requireRoom(out_values, value_capacity, for: count &* raster.facts.bands.count, "values", "out_values", 6)
    let cells = try HeapArray<CellIndex>(count: count)
    store(UnsafeBufferPointer(start: indexes, count: count), to: cells.buffer.baseAddress) {
      raster.clipped(CellIndex(column: $0.column, row: $0.row))
    }
    try readCells(raster, cells, out_cells, out_values)
  }
}

@_cdecl("ald_raster_read_points") @implementation
public func ald_raster_read_points(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ xy: In<Double>, _ stride_bytes: Int, _ count: Int,
  _ out_cells: Out<ald_cell>, _ out_values: Out<ald_band_value>, _ value_capacity: Int, _ error: Out<ald_error>
) -> ald_status {
  enter(raster, error) { (raster) throws(EngineError) in
    let source = try resolveOptional(spatial_reference, 2, with: raster)
    let input = try StridedPoints(
      xy, stride: stride_bytes, count: count, raster.runtime.policy, argument: 3, countArgument: 5)
    try checkCellRequest(raster, count: count, 5)
    try requireRoom(out_values, value_capacity, for: count &* raster.facts.bands.count, "values", "out_values", 8)
    try readCells(raster, try raster.cellIndexes(at: try input.loaded(), in: source), out_cells, out_values)
  }
}

// MARK: Parts

/// A band's number as an index from 0.
func bandIndex(_ band: Int32, of raster: Raster, _ argument: Int32) throws(EngineError) -> Int {
  let count = raster.facts.bands.count
  guard band >= 1, Int(truncatingIfNeeded: band) <= count else {
    throw EngineError(.notFound, "There is no band \(band); the raster has bands 1 to \(count).", argument: argument)
  }
  return Int(truncatingIfNeeded: band) &- 1
}

private func bandInfo(_ facts: BandFacts, _ texts: RasterTexts.Band) -> ald_band_info {
  let given = bits(
    (facts.nodata != nil, ALD_BAND_HAS_NODATA), (facts.scale != nil, ALD_BAND_HAS_SCALE),
    (facts.offset != nil, ALD_BAND_HAS_OFFSET), (facts.hasMask, ALD_BAND_HAS_MASK),
    (facts.hasAlpha, ALD_BAND_HAS_ALPHA))
  return ald_band_info(
    struct_size: 0, type: facts.type.rawValue, color_role: facts.colorRole.rawValue,
    facts: given, block_width: facts.blockWidth, block_height: facts.blockHeight,
    overview_count: Int32(truncatingIfNeeded: facts.overviews.count),
    category_count: Int32(truncatingIfNeeded: facts.categories.count),
    color_count: Int32(truncatingIfNeeded: facts.colors.count),
    table_row_count: Int32(truncatingIfNeeded: facts.table?.rowCount ?? 0),
    table_column_count: Int32(truncatingIfNeeded: facts.table?.columns.count ?? 0), reserved: 0,
    nodata: facts.nodata ?? .nan, nodata_integer: facts.nodataInteger ?? 0, scale: facts.scale ?? 1,
    offset: facts.offset ?? 0, unit: texts.names[1], description: texts.names[0],
    category_names: UnsafePointer(texts.categoryNames), colors: UnsafePointer(texts.colors))
}

/// Throws if a request for cells is too large, before anything of it is touched.
private func checkCellRequest(_ raster: Raster, count: Int, _ argument: Int32) throws(EngineError) {
  guard count >= 0 else {
    throw EngineError(
      .invalidArgument, "\(UInt(bitPattern: count)) cells are more than memory can hold.", argument: argument)
  }
  let policy = raster.runtime.policy
  try blamingAll(argument) { () throws(EngineError) in
    try policy.check(points: count)
    try policy.check(bytes: count, raster.facts.bands.count, MemoryLayout<BandValue>.stride)
  }
}

/// Reads cells in memory of our own, so that the host's is written whole or not at all.
private func readCells(
  _ raster: Raster, _ indexes: HeapArray<CellIndex>, _ out_cells: Out<ald_cell>, _ out_values: Out<ald_band_value>
) throws(EngineError) {
  guard !indexes.buffer.isEmpty else { return }
  let cells = try HeapArray<Cell>(count: indexes.buffer.count)
  let values = try HeapArray<BandValue>(count: indexes.buffer.count &* raster.facts.bands.count)
  try raster.readCells(indexes, into: cells.buffer, values: values.buffer)
  store(cells.buffer, to: out_cells, ald_cell.init)
  store(values.buffer, to: out_values, ald_band_value.init)
}

@_cdecl("ald_raster_create") @implementation
public func ald_raster_create(
  _ runtime: ald_runtime, _ path: In<CChar>, _ options: In<ald_raster_open_options>, _ out_raster: Out<ald_raster>,
  _ error: Out<ald_error>
) -> ald_status {
  out_raster?.pointee = ald_raster(id: 0)
  return enter(runtime, error) { (runtime) throws(EngineError) in
    let path = try string(path, "path", 2)
    let reference = try openingReference(options, 3, runtime)
    guard let out_raster else { throw missing("The out handle", 4) }
    let raster = try blaming(2, try LoadableRaster(runtime: runtime, path: path, spatialReference: reference))
    out_raster.pointee = ald_raster(id: try HandleTable.shared.give(raster))
  }
}

@_cdecl("ald_raster_load") @implementation
public func ald_raster_load(_ raster: ald_raster, _ error: Out<ald_error>) -> ald_status {
  enter(error) { () throws(EngineError) in try resolveLoadable(raster, 1).load() }
}

@_cdecl("ald_raster_load_async") @implementation
public func ald_raster_load_async(
  _ raster: ald_raster, _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>,
  _ error: Out<ald_error>
) -> ald_status {
  enterLoading(request_options, 2, out_request, 3, isRetry: false, error) { () throws(EngineError) in
    try resolveLoadable(raster, 1)
  }
}

@_cdecl("ald_raster_retry_load") @implementation
public func ald_raster_retry_load(_ raster: ald_raster, _ error: Out<ald_error>) -> ald_status {
  enter(error) { () throws(EngineError) in try resolveLoadable(raster, 1).retryLoad() }
}

@_cdecl("ald_raster_retry_load_async") @implementation
public func ald_raster_retry_load_async(
  _ raster: ald_raster, _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>,
  _ error: Out<ald_error>
) -> ald_status {
  enterLoading(request_options, 2, out_request, 3, isRetry: true, error) { () throws(EngineError) in
    try resolveLoadable(raster, 1)
  }
}

@_cdecl("ald_raster_cancel_load") @implementation
public func ald_raster_cancel_load(_ raster: ald_raster, _ error: Out<ald_error>) -> ald_status {
  enter(error) { () throws(EngineError) in try resolveLoadable(raster, 1).cancelLoad() }
}

@_cdecl("ald_raster_get_load_info") @implementation
public func ald_raster_get_load_info(
  _ raster: ald_raster, _ out_info: Out<ald_load_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(out_info, argument: 2, error) { () throws(EngineError) in
    ald_load_info(try resolveLoadable(raster, 1).loadInfo)
  }
}

/// The C form of a raster's texts and arrays; lives as long as the raster.
final class RasterTexts: Sendable {
  let path: CTexts
  let subdatasets: CTexts
  let bands: [Band]
  /// Tables may be large; their texts are made when they are first asked for.
  private let tables = Lock<[Int: Table]>([:])

  final class Band: Sendable {
    /// Description, then unit.
    let names: CTexts
    let columnNames: CTexts
    private let categories: CTexts
    /// Right to share: written once, in init.
    nonisolated(unsafe) let categoryNames: UnsafeMutablePointer<UnsafePointer<CChar>?>
    nonisolated(unsafe) let colors: UnsafeMutablePointer<ald_rgba>

    init(_ facts: BandFacts) {
      names = CTexts([facts.description, facts.unit])
      columnNames = CTexts(facts.table?.columns.map(\.name) ?? [])
      categories = CTexts(facts.categories)
      categoryNames = .allocate(capacity: max(1, facts.categories.count))
      for index in facts.categories.indices { (categoryNames + index).initialize(to: categories[index]) }
      colors = .allocate(capacity: max(1, facts.colors.count))
      for (index, color) in facts.colors.enumerated() { (colors + index).initialize(to: ald_rgba(color)) }
    }

    deinit {
      categoryNames.deallocate()
      colors.deallocate()
    }
  }

  /// All values of a band's table as texts, row by row.
  final class Table: Sendable {
    private let texts: CTexts
    private let columnCount: Int

    init(_ table: AttributeTable) {
      columnCount = table.columns.count
      texts = CTexts((0..<table.rowCount).flatMap { row in table.columns.map { $0.text(row: row) } })
    }

    func text(row: Int, column: Int) -> UnsafePointer<CChar>? { texts[row &* columnCount &+ column] }
  }

  init(_ facts: RasterFacts) {
    path = CTexts([facts.path, facts.driver])
    subdatasets = CTexts(facts.subdatasets)
    bands = facts.bands.map(Band.init)
  }

  static func of(_ raster: Raster) -> RasterTexts { raster.attachment { RasterTexts(raster.facts) } }

  /// The texts of a band's table.
  func table(band: Int, _ table: AttributeTable) -> Table {
    if let known = tables.withLock({ $0[band] }) { return known }
    let made = Table(table)
    return tables.withLock { tables in
      if let first = tables[band] { return first }
      tables[band] = made
      return made
    }
  }
}
