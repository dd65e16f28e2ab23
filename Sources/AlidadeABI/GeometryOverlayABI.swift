import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_geometry_create_overlay") @implementation
public func ald_geometry_create_overlay(
  _ geometry: ald_geometry, _ other_geometry: ald_geometry, _ operation: ald_overlay_operation, _ grid_size: Double,
  _ out_overlay: UnsafeMutablePointer<ald_geometry>?, _ out_receipt: UnsafeMutablePointer<ald_projection_receipt>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMakingRelated(out_overlay, argument: 5, out_receipt, error) { () throws(EngineError) in
    let (first, second) = try twoGeometries(geometry, other_geometry)
    guard let operation = OverlayOperation(rawValue: operation) else {
      throw EngineError(
        .invalidArgument, "operation is \(operation), which is no ald_overlay_operation.", argument: 3)
    }
    try requireRange(grid_size, 0...1e100, "grid_size", 4)
    return try first.overlaid(with: second, operation, gridSize: grid_size)
  }
}

@_cdecl("ald_geometry_create_union") @implementation
public func ald_geometry_create_union(
  _ geometry_array: ald_geometry_array, _ grid_size: Double, _ out_union: UnsafeMutablePointer<ald_geometry>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_union, argument: 3, error) { () throws(EngineError) in
    let array = try resolve(geometry_array, 1)
    try requireRange(grid_size, 0...1e100, "grid_size", 2)
    return try blaming(1) { () throws(EngineError) in try array.united(gridSize: grid_size) }
  }
}

@_cdecl("ald_geometry_create_clipped") @implementation
public func ald_geometry_create_clipped(
  _ geometry: ald_geometry, _ envelope: ald_envelope, _ out_clipped: UnsafeMutablePointer<ald_geometry>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_clipped, argument: 3, error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    try blaming(1) { () throws(EngineError) in try geometry.requireUsable() }
    return try blaming(2) { () throws(EngineError) in try geometry.clipped(to: Envelope(envelope)) }
  }
}

@_cdecl("ald_geometry_array_create_clipped") @implementation
public func ald_geometry_array_create_clipped(
  _ geometry_array: ald_geometry_array, _ envelope: ald_envelope,
  _ out_clipped: UnsafeMutablePointer<ald_geometry_array>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_clipped, argument: 3, error) { () throws(EngineError) in
    let array = try resolve(geometry_array, 1)
    try blaming(1) { () throws(EngineError) in try array.requireUsable() }
    return try blaming(2) { () throws(EngineError) in try array.clipped(to: Envelope(envelope)) }
  }
}

@_cdecl("ald_geometry_array_create_cut") @implementation
public func ald_geometry_array_create_cut(
  _ geometry: ald_geometry, _ cutter: ald_geometry, _ out_pieces: UnsafeMutablePointer<ald_geometry_array>?,
  _ out_left_count: UnsafeMutablePointer<UInt32>?, _ out_right_count: UnsafeMutablePointer<UInt32>?,
  _ out_receipt: UnsafeMutablePointer<ald_projection_receipt>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  var counts = (left: UInt32(0), right: UInt32(0))
  let status = enterMakingRelated(out_pieces, argument: 3, out_receipt, error) { () throws(EngineError) in
    let (subject, cutter) = try twoGeometries(geometry, cutter)
    let cut = try subject.cut(by: cutter)
    counts = (UInt32(clamping: cut.value.leftCount), UInt32(clamping: cut.value.rightCount))
    return Related(value: cut.value.array, receipt: cut.receipt)
  }
  if status == Status.ok.rawValue {
    out_left_count?.pointee = counts.left
    out_right_count?.pointee = counts.right
  }
  return status
}
