import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import CAlidade

@_cdecl("ald_raster_read_heights") @implementation
public func ald_raster_read_heights(
  _ raster: ald_raster, _ spatial_reference: ald_spatial_reference, _ options: UnsafePointer<ald_height_options>?,
  _ coordinates: UnsafePointer<ald_coordinates>?, _ out_heights: UnsafeMutablePointer<Double>?,
  _ height_stride_bytes: Int, _ out_verdicts: UnsafeMutablePointer<UInt8>?,
  _ out_info: UnsafeMutablePointer<ald_height_info>?, _ out_receipt: UnsafeMutablePointer<ald_projection_receipt>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    let raster = try resolve(raster, 1)
    let source = try resolveOptional(spatial_reference, 2)
    try requireSameRuntime(raster, source, 2)
    let choice = try heightOptions(options, raster, 3)
    let policy = raster.runtime.policy
    let input = try CoordinatesIn(coordinates, policy, 4)
    let count = input.count
    try blaming(4) { () throws(EngineError) in try policy.check(bytes: count, SampleRequest.bytesPerSample) }
    let output = try heightColumn(out_heights, height_stride_bytes, count, 5)
    let info = try out_info.map { (out) throws(EngineError) in try requireOut(out, "ald_height_info", 8) }
    let heights = try HeapArray<Double>(count: count)
    let verdicts = try HeapArray<UInt8>(count: count)
    let report = try raster.heights(
      at: try input.loaded(withHeights: false).points, in: source, choice, into: heights, verdicts: verdicts)
    if let out_receipt, let conversion = report.conversion {
      let receipt = try ProjectionReceipt(
        conversion.outcome, by: conversion.projector, chosen: nil, runtime: raster.runtime)
      out_receipt.pointee = try giveReceipt(receipt, out_receipt)
    }
    if let output {
      for (index, height) in heights.buffer.enumerated() { output[index] = height }
    }
    if let out_verdicts, let base = verdicts.buffer.baseAddress { out_verdicts.update(from: base, count: count) }
    if let info { write(ald_height_info(report, count: count), to: info) }
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
  _ pointer: UnsafePointer<ald_height_options>?, _ raster: Raster, _ argument: Int32
) throws(EngineError) -> HeightOptions {
  var options = HeightOptions()
  let name = "ald_height_options"
  let given = try pointer.map { (pointer) throws(EngineError) in
    try read(pointer, name, argument, zero: ald_height_options())
  }
  let band = given?.band ?? 0
  options.band = try bandIndex(band == 0 ? 1 : band, of: raster, argument)
  guard let given else { return options }
  try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
  let hasInterpolation = UInt32(truncatingIfNeeded: ALD_HEIGHT_HAS_INTERPOLATION)
  try requireFlags(given.fields, known: hasInterpolation, "\(name).fields", argument)
  try requireBit(
    given.fields & hasInterpolation != 0, orZero: given.interpolation == 0, "\(name).interpolation",
    "ALD_HEIGHT_HAS_INTERPOLATION", argument)
  let chosen = try interpolation(given.interpolation, "\(name).interpolation", argument)
  if given.fields & hasInterpolation != 0 { options.interpolation = chosen }
  if given.metres_per_band_unit != 0 {
    try requireRange(given.metres_per_band_unit, 1e-9...1e9, "\(name).metres_per_band_unit", argument)
    options.metresPerBandUnit = given.metres_per_band_unit
  }
  let flags = [ALD_PROJECT_STRICT, ALD_PROJECT_ONLY_BEST, ALD_PROJECT_IGNORE_VERTICAL].map {
    UInt32(truncatingIfNeeded: $0)
  }
  try requireFlags(given.project_flags, known: flags.reduce(0, |), "\(name).project_flags", argument)
  options.projection.isStrict = given.project_flags & flags[0] != 0
  options.projection.usesOnlyBest = given.project_flags & flags[1] != 0
  options.projection.ignoresVertical = given.project_flags & flags[2] != 0
  return options
}

/// Where heights go; nil without points. The stride follows the pointer in the function's declaration.
private func heightColumn(
  _ pointer: UnsafeMutablePointer<Double>?, _ stride: Int, _ count: Int, _ argument: Int32
) throws(EngineError) -> NumberColumn? {
  let step = stride == 0 ? MemoryLayout<Double>.size : stride
  // A size beyond PTRDIFF_MAX arrives as a negative number.
  guard step >= MemoryLayout<Double>.size, !count.multipliedReportingOverflow(by: step).overflow else {
    throw EngineError(
      .invalidArgument, "The stride \(UInt(bitPattern: stride)) is less than a height's 8 bytes, or too large.",
      argument: argument &+ 1)
  }
  guard count > 0 else { return nil }
  guard let column = NumberColumn(pointer, step) else { throw missing("The array of heights", argument) }
  return column
}
