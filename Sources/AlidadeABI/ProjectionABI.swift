import AlidadeBase
import AlidadeCoordinates
import CAlidade

@_cdecl("ald_project_points") @implementation
public func ald_project_points(
  _ from: ald_spatial_reference, _ to: ald_spatial_reference, _ xy: UnsafePointer<Double>?, _ stride_bytes: Int,
  _ count: Int, _ out_xy: UnsafeMutablePointer<Double>?, _ out_stride_bytes: Int,
  _ out_statuses: UnsafeMutablePointer<ald_point_status>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let source = try resolve(from, 1)
    let target = try resolve(to, 2)
    try requireSameRuntime(source, target, 2)
    let policy = source.runtime.policy
    let input = try StridedPoints(
      xy, stride: stride_bytes, count: count, policy, pointerArgument: 3, strideArgument: 4, countArgument: 5)
    let output = try StridedPoints(
      UnsafeMutableRawPointer(out_xy), stride: out_stride_bytes, count: count, policy, pointerArgument: 6,
      strideArgument: 7, countArgument: 5)
    guard let input, let output else { return }
    let projector = try Projector.between(source, target)
    // From the host's array into the host's array, a slice at a time. Once the projector is there, what is left to fail
    // is the end of the process or of memory.
    let statuses = PointStatuses(base: out_statuses)
    try projector.forEachSlice(of: count) { (range) throws(EngineError) in
      try projector.project(
        input.base + range.lowerBound &* input.stride, stride: input.stride,
        to: output.base + range.lowerBound &* output.stride, outputStride: output.stride, count: range.count)
      guard let statuses = statuses.base else { return }
      for index in range {
        statuses[index] = (output.load(index).x.isNaN ? PointStatus.failed : .ok).rawValue
      }
    }
  }
}

/// Where statuses go; each slice is written by the one thread that works on it.
private struct PointStatuses: @unchecked Sendable {  // right: as said
  let base: UnsafeMutablePointer<ald_point_status>?
}

@_cdecl("ald_projection_describe") @implementation
public func ald_projection_describe(
  _ from: ald_spatial_reference, _ to: ald_spatial_reference, _ at: ald_point,
  _ out_info: UnsafeMutablePointer<ald_projection_info>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let source = try resolve(from, 1)
    let target = try resolve(to, 2)
    try requireSameRuntime(source, target, 2)
    try requireFinite(at, "at", 3)
    let out = try requireOut(out_info, "ald_projection_info", 4)
    let described = try Projector.between(source, target).describe(at: Point(at))
    var info = ald_projection_info()
    info.is_ballpark = described.isBallpark ? 1 : 0
    info.accuracy_m = described.accuracy
    withUnsafeMutableBytes(of: &info.name) { name in
      if let base = name.baseAddress { copy(described.name, to: base, capacity: name.count) }
    }
    write(info, to: out)
  }
}

// MARK: Coordinates

@_cdecl("ald_project_coordinates") @implementation
public func ald_project_coordinates(
  _ from: ald_spatial_reference, _ to: ald_spatial_reference, _ options: UnsafePointer<ald_projection_options>?,
  _ coordinates: UnsafePointer<ald_coordinates>?, _ images: UnsafePointer<ald_coordinate_images>?,
  _ out_statuses: UnsafeMutablePointer<ald_point_status>?, _ out_operations: UnsafeMutablePointer<UInt32>?,
  _ out_receipt: UnsafeMutablePointer<ald_projection_receipt>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    var choice = try projectionOptions(options, 3)
    let ends = try ProjectionEnds(from, to, choice.transformation)
    let input = try CoordinatesIn(coordinates, ends.runtime.policy, 4)
    let output = try CoordinatesOut(images, input, 5)
    // Without heights on either side nothing is known of them.
    if !input.hasHeights, !output.hasHeights, ends.from != nil { choice.ignoresVertical = true }
    let projector = try ends.projector(choice)
    // Projected in arrays of our own: the host's are written whole or not at all.
    let columns = try input.loaded(withHeights: output.hasHeights)
    let outcome = try projector.project(columns)
    if let out_receipt {
      let receipt = try ProjectionReceipt(
        outcome, by: projector, chosen: choice.transformation, runtime: ends.runtime)
      out_receipt.pointee = ald_projection_receipt(id: try HandleTable.shared.give(receipt))
    }
    output.store(columns)
    if let out_statuses {
      for (index, status) in outcome.statuses.buffer.enumerated() { out_statuses[index] = status.rawValue }
    }
    if let out_operations {
      for (index, mark) in outcome.marks.buffer.enumerated() { out_operations[index] = mark }
    }
  }
}

/// Options from C.
func projectionOptions(
  _ pointer: UnsafePointer<ald_projection_options>?, _ argument: Int32
) throws(EngineError) -> ProjectionOptions {
  var options = ProjectionOptions()
  guard let pointer else { return options }
  let name = "ald_projection_options"
  let given = try read(pointer, name, argument, zero: ald_projection_options())
  let flags = [ALD_PROJECT_STRICT, ALD_PROJECT_ONLY_BEST, ALD_PROJECT_IGNORE_VERTICAL, ALD_PROJECT_INVERSE].map {
    UInt32(truncatingIfNeeded: $0)
  }
  try requireFlags(given.flags, known: flags.reduce(0, |), "\(name).flags", argument)
  options.isStrict = given.flags & flags[0] != 0
  options.usesOnlyBest = given.flags & flags[1] != 0
  options.ignoresVertical = given.flags & flags[2] != 0
  options.isInverse = given.flags & flags[3] != 0
  options.transformation = try resolveOptional(given.transformation, argument)
  return options
}

/// From where to where coordinates go: both spatial references, or those of the chosen transformation.
private struct ProjectionEnds {
  let from: SpatialReference?
  let to: SpatialReference?
  let runtime: Runtime

  init(
    _ from: ald_spatial_reference, _ to: ald_spatial_reference, _ transformation: Transformation?
  ) throws(EngineError) {
    if from.id == 0, to.id == 0, let transformation {
      (self.from, self.to, runtime) = (nil, nil, transformation.runtime)
      return
    }
    let source = try resolve(from, 1)
    let target = try resolve(to, 2)
    try requireSameRuntime(source, target, 2)
    try requireSameRuntime(source, transformation, 3)
    (self.from, self.to, runtime) = (source, target, source.runtime)
  }

  func projector(_ options: ProjectionOptions) throws(EngineError) -> Projector {
    guard options.transformation != nil || options.isInverse else { return try between(options) }
    return try blaming(3) { () throws(EngineError) in try between(options) }
  }

  private func between(_ options: ProjectionOptions) throws(EngineError) -> Projector {
    if let from, let to { return try Projector.between(from, to, options: options) }
    guard let transformation = options.transformation else { throw missing("The transformation", 3) }
    return try Projector.by(transformation, options: options)
  }
}

// MARK: Receipts

@_cdecl("ald_projection_receipt_get_info") @implementation
public func ald_projection_receipt_get_info(
  _ receipt: ald_projection_receipt, _ out_info: UnsafeMutablePointer<ald_projection_receipt_info>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let receipt = try resolve(receipt, 1)
    let out = try requireOut(out_info, "ald_projection_receipt_info", 2)
    let flags = [
      (receipt.isBallpark, ALD_RECEIPT_BALLPARK), (receipt.isIdentity, ALD_RECEIPT_IDENTITY),
      (receipt.rows.count > 1, ALD_RECEIPT_SEVERAL), (receipt.isChosen, ALD_RECEIPT_CHOSEN),
      (receipt.hasHeights, ALD_RECEIPT_VERTICAL), (receipt.hasEPSGFormulas, ALD_RECEIPT_EPSG_FORMULAS),
    ]
    write(
      ald_projection_receipt_info(
        struct_size: 0, flags: flags.reduce(0) { $1.0 ? $0 | UInt32(truncatingIfNeeded: $1.1) : $0 },
        accuracy_m: receipt.accuracy, point_count: UInt64(clamping: receipt.pointCount),
        failed_count: UInt64(clamping: receipt.failedCount), operation_count: UInt32(clamping: receipt.rows.count),
        reserved: 0),
      to: out)
  }
}

@_cdecl("ald_projection_receipt_row_at") @implementation
public func ald_projection_receipt_row_at(
  _ receipt: ald_projection_receipt, _ index: UInt32, _ out_row: UnsafeMutablePointer<ald_projection_receipt_row>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let receipt = try resolve(receipt, 1)
    let number = Int(truncatingIfNeeded: index)
    guard number < receipt.rows.count else {
      throw EngineError(
        .notFound, "There is no row \(index); the receipt has \(receipt.rows.count), from 0.", argument: 2)
    }
    let out = try requireOut(out_row, "ald_projection_receipt_row", 3)
    let row = receipt.rows[number]
    let names = receipt.attachment { CTexts(receipt.rows.map(\.name)) }
    var transformation = ald_transformation(id: 0)
    if let used = row.transformation { transformation.id = try HandleTable.shared.lend(used) }
    write(
      ald_projection_receipt_row(
        struct_size: 0, is_ballpark: row.isBallpark ? 1 : 0, transformation: transformation, accuracy_m: row.accuracy,
        point_count: UInt64(clamping: row.pointCount), name: names[number]),
      to: out)
  }
}
