import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_geometry_distance") @implementation
public func ald_geometry_distance(
  _ geometry: ald_geometry, _ other_geometry: ald_geometry, _ options: UnsafePointer<ald_measure_options>?,
  _ out_distance: UnsafeMutablePointer<ald_distance>?, _ out_receipt: UnsafeMutablePointer<ald_projection_receipt>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    let first = try resolve(geometry, 1)
    let second = try resolve(other_geometry, 2)
    try requireSameRuntime(first, second, 2)
    let (measure, unit) = try measureOptions(options, 3)
    let out = try requireOut(out_distance, "ald_distance", 4)
    let (found, receipt) = try first.distance(to: second, measure, unit: unit)
    if let out_receipt, let receipt {
      out_receipt.pointee = ald_projection_receipt(id: try HandleTable.shared.give(receipt))
    }
    write(
      ald_distance(
        struct_size: 0, reserved: 0, distance: found.distance, nearest: ald_point(found.first),
        other_nearest: ald_point(found.second)),
      to: out)
  }
}

@_cdecl("ald_geometry_nearest") @implementation
public func ald_geometry_nearest(
  _ geometry: ald_geometry, _ at: ald_point, _ nearest_search: UInt32, _ options: UnsafePointer<ald_measure_options>?,
  _ out_nearest: UnsafeMutablePointer<ald_nearest_place>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    try requireFinite(at, "at", 2)
    let boundary = UInt32(truncatingIfNeeded: ALD_NEAREST_ON_BOUNDARY)
    let vertex = UInt32(truncatingIfNeeded: ALD_NEAREST_VERTEX)
    try requireFlags(nearest_search, known: boundary | vertex, "nearest_search", 3)
    let (measure, unit) = try measureOptions(options, 4)
    let out = try requireOut(out_nearest, "ald_nearest_place", 5)
    let found =
      nearest_search & vertex != 0
      ? try geometry.nearestVertex(to: Point(at), measure, unit: unit)
      : try geometry.nearestCoordinate(
        to: Point(at), measure, unit: unit, onBoundary: nearest_search & boundary != 0)
    write(
      ald_nearest_place(
        struct_size: 0, flags: found.isInside ? UInt32(truncatingIfNeeded: ALD_NEAREST_INSIDE) : 0,
        part: UInt32(clamping: found.part), path: UInt32(clamping: found.path), vertex: UInt32(clamping: found.vertex),
        reserved: 0, share: found.share, distance: found.distance, point: ald_point(found.point)),
      to: out)
  }
}
