import AlidadeBase
import AlidadeCoordinates
import CAlidade

// MARK: Lists

@_cdecl("ald_transformation_list_create") @implementation
public func ald_transformation_list_create(
  _ from: ald_spatial_reference, _ to: ald_spatial_reference, _ options: In<ald_transformation_list_options>,
  _ out_list: Out<ald_transformation_list>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(from, out_list, argument: 4, error) { (source) throws(EngineError) in
    let target = try resolve(to, 2, with: source)
    let choice = try catalogueOptions(options, 3, source.runtime)
    return try TransformationList.make(from: source, to: target, options: choice)
  }
}

@_cdecl("ald_transformation_list_get_row_count") @implementation
public func ald_transformation_list_get_row_count(
  _ list: ald_transformation_list, _ out_count: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(list, out_count, "out_count", argument: 2, error) { (list) throws(EngineError) in
    UInt32(clamping: list.items.count)
  }
}

@_cdecl("ald_transformation_list_get_row_at") @implementation
public func ald_transformation_list_get_row_at(
  _ list: ald_transformation_list, _ index: UInt32, _ out_row: Out<ald_transformation_row>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(list, out_row, argument: 3, error) { (list) throws(EngineError) in
    let number = try entry(index, of: list.items.count, "row", owner: "the list has", 2)
    let item = list.items[number]
    let reasons = list.attachment { CTexts(list.items.map(\.reason)) }
    return ald_transformation_row(
      struct_size: 0, reserved: 0,
      transformation: try lent(item.transformation),
      area_share: item.share, reason: reasons[number])
  }
}

/// Options from C.
private func catalogueOptions(
  _ pointer: In<ald_transformation_list_options>, _ argument: Int32, _ runtime: Runtime
) throws(EngineError) -> CatalogueOptions {
  var options = CatalogueOptions()
  let name = "ald_transformation_list_options"
  let given = try read(pointer, name, argument, zero: ald_transformation_list_options())
  try requireFlags(
    given.flags, known: ALD_TRANSFORMATION_LIST_IGNORE_VERTICAL | ALD_TRANSFORMATION_LIST_SUPERSEDED, "\(name).flags",
    argument)
  try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
  options.ignoresVertical = given.flags & ALD_TRANSFORMATION_LIST_IGNORE_VERTICAL != 0
  options.includesSuperseded = given.flags & ALD_TRANSFORMATION_LIST_SUPERSEDED != 0
  options.areaReference = try resolveOptional(given.area_spatial_reference, argument, with: runtime)
  options.area = try areaPoints(given.area, given.area_count, name, argument)
  return options
}

/// The area of a struct of options: two corners of a box, or a polygon; empty if none is given.
func areaPoints(
  _ area: In<ald_point>, _ count: UInt32, _ name: String, _ argument: Int32
) throws(EngineError) -> [Point] {
  guard let area else {
    if count > 0 { throw missing("\(name).area", argument) }
    return []
  }
  guard (2...100_000).contains(count) else {
    throw EngineError(
      .invalidArgument, "\(name).area_count is \(count); it must be within 2 to 100,000.", argument: argument)
  }
  var points: [Point] = []
  for index in 0..<Int(truncatingIfNeeded: count) {
    try requireFinite(area[index], "A point of \(name).area", argument)
    points.append(Point(area[index]))
  }
  return points
}

// MARK: Making

@_cdecl("ald_transformation_create_from_code") @implementation
public func ald_transformation_create_from_code(
  _ runtime: ald_runtime, _ authority: In<CChar>, _ code: In<CChar>, _ out_transformation: Out<ald_transformation>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_transformation, argument: 4, error) { (runtime) throws(EngineError) in
    let authority = try optionalString(authority, "authority", 2) ?? "EPSG"
    let code = try string(code, "code", 3)
    return try blaming(3, try Transformation.make(runtime: runtime, authority: authority, code: code))
  }
}

@_cdecl("ald_transformation_create") @implementation
public func ald_transformation_create(
  _ runtime: ald_runtime, _ text: In<CChar>, _ out_transformation: Out<ald_transformation>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_transformation, argument: 3, error) { (runtime) throws(EngineError) in
    let text = try string(text, "text", 2)
    return try blaming(2, try Transformation.make(runtime: runtime, text: text))
  }
}

@_cdecl("ald_transformation_create_from_steps") @implementation
public func ald_transformation_create_from_steps(
  _ steps: In<ald_transformation>, _ step_count: Int, _ out_transformation: Out<ald_transformation>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(out_transformation, argument: 3, error) { () throws(EngineError) in
    try requireRange(UInt(bitPattern: step_count), 1...100, "step_count", 2)
    guard let steps else { throw missing("steps", 1) }
    let parts = try resolveAll(steps, count: step_count, 1)
    return try blaming(1, try Transformation.make(steps: parts))
  }
}

@_cdecl("ald_transformation_create_inverse") @implementation
public func ald_transformation_create_inverse(
  _ transformation: ald_transformation, _ out_inverse: Out<ald_transformation>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(transformation, out_inverse, argument: 2, error) { (transformation) throws(EngineError) in
    try transformation.inverse()
  }
}

@_cdecl("ald_transformation_clone") @implementation
public func ald_transformation_clone(
  _ transformation: ald_transformation, _ out_transformation: Out<ald_transformation>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(transformation, out_transformation, argument: 2, error) { (transformation) throws(EngineError) in
    transformation.copy()
  }
}

// MARK: Reading

@_cdecl("ald_transformation_get_info") @implementation
public func ald_transformation_get_info(
  _ transformation: ald_transformation, _ out_info: Out<ald_transformation_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(transformation, out_info, argument: 2, error) { (object) throws(EngineError) in
    let texts = try TransformationTexts.of(object)
    var info = ald_transformation_info()
    info.flags = try flags(of: object)
    info.accuracy_m = object.accuracy
    info.west_deg = object.area?.west ?? .nan
    info.south_deg = object.area?.south ?? .nan
    info.east_deg = object.area?.east ?? .nan
    info.north_deg = object.area?.north ?? .nan
    info.step_count = UInt32(clamping: texts.steps.count)
    info.missing_grid_count = UInt32(clamping: try object.missingGrids().count)
    info.name = texts.own[0]
    info.authority = texts.own[1]
    info.code = texts.own[2]
    info.area_name = texts.own[3]
    info.scope = texts.own[4]
    info.remarks = texts.own[5]
    return info
  }
}

@_cdecl("ald_transformation_get_step_at") @implementation
public func ald_transformation_get_step_at(
  _ transformation: ald_transformation, _ index: UInt32, _ out_step: Out<ald_transformation_step>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(transformation, out_step, argument: 3, error) { (object) throws(EngineError) in
    let (step, number) = try step(index, of: object)
    let texts = try TransformationTexts.of(object).steps[number].own
    let flags = bits(
      (step.isInverse, ALD_TRANSFORMATION_STEP_INVERSE), (step.isConversion, ALD_TRANSFORMATION_STEP_CONVERSION))
    return ald_transformation_step(
      struct_size: 0, flags: flags, accuracy_m: step.accuracy, grid_count: UInt32(clamping: step.grids.count),
      reserved: 0, name: texts[0], authority: texts[1], code: texts[2], method: texts[3], wkt: texts[4])
  }
}

@_cdecl("ald_transformation_get_grid_at") @implementation
public func ald_transformation_get_grid_at(
  _ transformation: ald_transformation, _ step: UInt32, _ index: UInt32, _ out_grid: Out<ald_transformation_grid>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(transformation, out_grid, argument: 4, error) { (object) throws(EngineError) in
    let (source, stepNumber) = try AlidadeABI.step(step, of: object)
    let number = try entry(index, of: source.grids.count, "grid", owner: "the step needs", 3)
    let texts = try TransformationTexts.of(object).steps[stepNumber].grids[number]
    let grid = source.grids[number]
    let flags = bits(
      (grid.isAvailable, ALD_GRID_AVAILABLE), (grid.isDirectDownload, ALD_GRID_DIRECT_DOWNLOAD),
      (grid.hasOpenLicense, ALD_GRID_OPEN_LICENSE))
    return ald_transformation_grid(
      struct_size: 0, flags: flags, name: texts[0], authority_name: texts[1], path: texts[2], package: texts[3],
      url: texts[4])
  }
}

@_cdecl("ald_transformation_get_text") @implementation
public func ald_transformation_get_text(
  _ transformation: ald_transformation, _ format: ald_transformation_format, _ buffer: Out<CChar>,
  _ capacity_bytes: Int, _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(transformation, error) { (object) throws(EngineError) in
    let form: TransformationFormat = try enumerator(format, "format", "form of a transformation", 2)
    try copyOut(try object.text(form), buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
  }
}

@_cdecl("ald_transformation_equals") @implementation
public func ald_transformation_equals(
  _ a: ald_transformation, _ b: ald_transformation, _ out_equal: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(a, out_equal, "out_equal", argument: 3, error) { (first) throws(EngineError) in
    let second = try resolve(b, 2, with: first)
    return try first.isEquivalent(to: second) ? 1 : 0
  }
}

// MARK: Grid directories

@_cdecl("ald_runtime_set_grid_directories") @implementation
public func ald_runtime_set_grid_directories(
  _ runtime: ald_runtime, _ directories: In<ald_grid_directories>, _ error: Out<ald_error>
) -> ald_status {
  enter(runtime, error) { (runtime) throws(EngineError) in
    let given = try read(directories, "ald_grid_directories", 2, zero: ald_grid_directories())
    let folders = try strings(given.directories, given.directory_count, "ald_grid_directories.directories", 2)
    try blaming(["folders": 2], try Coordinates.setGridDirectories(folders, in: runtime))
  }
}

@_cdecl("ald_runtime_add_grid_directory") @implementation
public func ald_runtime_add_grid_directory(
  _ runtime: ald_runtime, _ directory: In<CChar>, _ error: Out<ald_error>
) -> ald_status {
  enter(runtime, error) { (runtime) throws(EngineError) in
    let folder = try string(directory, "directory", 2)
    try blaming(["folders": 2], try Coordinates.addGridDirectory(folder, in: runtime))
  }
}

// MARK: Parts

private func flags(of transformation: Transformation) throws(EngineError) -> UInt32 {
  return bits(
    (try transformation.isUsable(), ALD_TRANSFORMATION_USABLE),
    (transformation.isBallpark, ALD_TRANSFORMATION_BALLPARK),
    (transformation.isSuperseded, ALD_TRANSFORMATION_SUPERSEDED),
    (transformation.isDeprecated, ALD_TRANSFORMATION_DEPRECATED))
}

private func step(
  _ index: UInt32, of transformation: Transformation
) throws(EngineError) -> (TransformationStep, Int) {
  let steps = try transformation.steps()
  let number = try entry(index, of: steps.count, "step", owner: "the transformation has", 2)
  return (steps[number], number)
}

/// The C form of a transformation's texts; lives as long as the transformation.
private final class TransformationTexts: Sendable {
  struct Step: Sendable {
    let own: CTexts
    let grids: [CTexts]
  }

  let own: CTexts
  let steps: [Step]

  private init(_ transformation: Transformation, _ steps: [TransformationStep]) {
    own = CTexts([
      transformation.name, transformation.authority, transformation.code, transformation.areaName,
      transformation.scope, transformation.remarks,
    ])
    self.steps = steps.map { step in
      Step(
        own: CTexts([step.name, step.authority, step.code, step.method, step.wkt]),
        grids: step.grids.map { CTexts([$0.name, $0.authorityName, $0.path, $0.package, $0.url]) })
    }
  }

  static func of(_ transformation: Transformation) throws(EngineError) -> TransformationTexts {
    let steps = try transformation.steps()
    return transformation.attachment { TransformationTexts(transformation, steps) }
  }
}

@_cdecl("ald_spatial_reference_measure_displacement") @implementation
public func ald_spatial_reference_measure_displacement(
  _ from: ald_spatial_reference, _ to: ald_spatial_reference, _ a: ald_transformation, _ b: ald_transformation,
  _ options: In<ald_displacement_options>, _ out_summary: Out<ald_displacement>, _ out_field: Out<Double>,
  _ field_capacity: Int, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(from, out_summary, argument: 6, error) { (source) throws(EngineError) in
    let target = try resolve(to, 2, with: source)
    let first = try resolveOptional(a, 3, with: source)
    let second = try resolveOptional(b, 4, with: source)
    let choice = try displacementOptions(options, 5, source.runtime)
    try requireCapacity(field_capacity, 8)
    try requireRoom(out_field, field_capacity, for: choice.sampleCount, "distances", "out_field", 7)
    let found = try TransformationDisplacement.measure(from: source, to: target, first, second, options: choice)
    store(found.field.buffer, to: out_field) { $0 }
    var summary = ald_displacement()
    summary.sample_count = UInt32(clamping: found.sampleCount)
    summary.failed_count = UInt32(clamping: found.failedCount)
    summary.columns = UInt32(clamping: choice.columns)
    summary.rows = UInt32(clamping: choice.rows)
    summary.min_m = found.minimum
    summary.mean_m = found.mean
    summary.max_m = found.maximum
    summary.min_point = ald_point(found.minimumPlace)
    summary.max_point = ald_point(found.maximumPlace)
    summary.extent = ald_envelope(found.extent)
    return summary
  }
}

/// Options from C.
private func displacementOptions(
  _ pointer: In<ald_displacement_options>, _ argument: Int32, _ runtime: Runtime
) throws(EngineError) -> DisplacementOptions {
  var options = DisplacementOptions()
  let name = "ald_displacement_options"
  let given = try read(pointer, name, argument, zero: ald_displacement_options())
  if given.columns > 0 { options.columns = Int(truncatingIfNeeded: given.columns) }
  if given.rows > 0 { options.rows = Int(truncatingIfNeeded: given.rows) }
  options.areaReference = try resolveOptional(given.area_spatial_reference, argument, with: runtime)
  options.area = try areaPoints(given.area, given.area_count, name, argument)
  return options
}
