import AlidadeBase
import AlidadeCoordinates
import CAlidade

@_cdecl("ald_transformation_displacement") @implementation
public func ald_transformation_displacement(
  _ from: ald_spatial_reference, _ to: ald_spatial_reference, _ first_transformation: ald_transformation,
  _ second_transformation: ald_transformation, _ options: UnsafePointer<ald_displacement_options>?,
  _ out_summary: UnsafeMutablePointer<ald_displacement>?, _ out_field: UnsafeMutablePointer<Double>?,
  _ field_capacity: Int, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let source = try resolve(from, 1)
    let target = try resolve(to, 2)
    try requireSameRuntime(source, target, 2)
    let first = try resolveOptional(first_transformation, 3)
    try requireSameRuntime(source, first, 3)
    let second = try resolveOptional(second_transformation, 4)
    try requireSameRuntime(source, second, 4)
    let choice = try displacementOptions(options, 5, source.runtime)
    let out = try requireOut(out_summary, "ald_displacement", 6)
    try requireCapacity(field_capacity, 8)
    if out_field != nil {
      // A product beyond Int is beyond the policy too, which is asked next.
      let (needed, overflow) = choice.columns.multipliedReportingOverflow(by: choice.rows)
      guard !overflow, field_capacity >= needed else {
        throw EngineError(
          .bufferTooSmall,
          "The field has \(choice.columns) x \(choice.rows) distances; out_field has room for \(field_capacity).",
          argument: 7)
      }
    }
    let found = try TransformationDisplacement.measure(from: source, to: target, first, second, options: choice)
    if let out_field {
      for (index, distance) in found.field.buffer.enumerated() { out_field[index] = distance }
    }
    var summary = ald_displacement()
    summary.sample_count = UInt32(clamping: found.sampleCount)
    summary.failed_count = UInt32(clamping: found.failedCount)
    summary.columns = UInt32(clamping: choice.columns)
    summary.rows = UInt32(clamping: choice.rows)
    summary.min_m = found.minimum
    summary.mean_m = found.mean
    summary.max_m = found.maximum
    summary.min_at = ald_point(found.minimumPlace)
    summary.max_at = ald_point(found.maximumPlace)
    summary.extent = ald_envelope(found.extent)
    write(summary, to: out)
  }
}

/// Options from C.
private func displacementOptions(
  _ pointer: UnsafePointer<ald_displacement_options>?, _ argument: Int32, _ runtime: Runtime
) throws(EngineError) -> DisplacementOptions {
  var options = DisplacementOptions()
  guard let pointer else { return options }
  let name = "ald_displacement_options"
  let given = try read(pointer, name, argument, zero: ald_displacement_options())
  if given.columns > 0 { options.columns = Int(truncatingIfNeeded: given.columns) }
  if given.rows > 0 { options.rows = Int(truncatingIfNeeded: given.rows) }
  options.areaReference = try resolveOptional(given.area_spatial_reference, argument)
  try requireSameRuntime(runtime, options.areaReference, argument)
  options.area = try areaPoints(given.area, given.area_count, name, argument)
  return options
}
