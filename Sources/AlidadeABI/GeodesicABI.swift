import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

/// A column of doubles of the host's, one behind the other, at any address.
///
/// Right to share: the threads that work on a call each touch numbers of their own.
private struct Numbers: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer

  init?(_ pointer: UnsafeMutablePointer<Double>?) {
    guard let pointer else { return nil }
    base = UnsafeMutableRawPointer(pointer)
  }

  /// For a column that is only read.
  init?(reading pointer: UnsafePointer<Double>?) { self.init(UnsafeMutablePointer(mutating: pointer)) }

  subscript(index: Int) -> Double {
    get { (base + index &* 8).loadUnaligned(as: Double.self) }
    // storeBytes needs no alignment.
    nonmutating set { (base + index &* 8).storeBytes(of: newValue, as: Double.self) }
  }
}

@_cdecl("ald_geodesic_inverse") @implementation
public func ald_geodesic_inverse(
  _ spatial_reference: ald_spatial_reference, _ curve_type: ald_curve_type, _ from_xy: UnsafePointer<Double>?,
  _ from_stride_bytes: Int, _ to_xy: UnsafePointer<Double>?, _ to_stride_bytes: Int, _ count: Int,
  _ out_distances_m: UnsafeMutablePointer<Double>?, _ out_azimuths_deg: UnsafeMutablePointer<Double>?,
  _ out_end_azimuths_deg: UnsafeMutablePointer<Double>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let reference = try resolve(spatial_reference, 1)
    let policy = reference.runtime.policy
    let ways = try blaming(2) { [curve_type] () throws(EngineError) in
      try EarthWays(reference, try curveType(curve_type, "curve_type", 2))
    }
    let from = try StridedPoints(
      from_xy, stride: from_stride_bytes, count: count, policy, pointerArgument: 3, strideArgument: 4, countArgument: 7)
    let to = try StridedPoints(
      to_xy, stride: to_stride_bytes, count: count, policy, pointerArgument: 5, strideArgument: 6, countArgument: 7)
    guard let from, let to else { return }
    let (distances, azimuths) = (Numbers(out_distances_m), Numbers(out_azimuths_deg))
    let ends = Numbers(out_end_azimuths_deg)
    try ways.inverse(count: count, from: { from.load($0) }, to: { to.load($0) }) { index, way in
      distances?[index] = way.length
      azimuths?[index] = way.azimuth
      ends?[index] = way.endAzimuth
    }
  }
}

@_cdecl("ald_geodesic_direct") @implementation
public func ald_geodesic_direct(
  _ spatial_reference: ald_spatial_reference, _ curve_type: ald_curve_type, _ from_xy: UnsafePointer<Double>?,
  _ from_stride_bytes: Int, _ azimuths_deg: UnsafePointer<Double>?, _ distances_m: UnsafePointer<Double>?,
  _ count: Int, _ out_xy: UnsafeMutablePointer<Double>?, _ out_stride_bytes: Int,
  _ out_end_azimuths_deg: UnsafeMutablePointer<Double>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let reference = try resolve(spatial_reference, 1)
    let policy = reference.runtime.policy
    let ways = try blaming(2) { [curve_type] () throws(EngineError) in
      try EarthWays(reference, try curveType(curve_type, "curve_type", 2))
    }
    let from = try StridedPoints(
      from_xy, stride: from_stride_bytes, count: count, policy, pointerArgument: 3, strideArgument: 4, countArgument: 7)
    let output = try StridedPoints(
      UnsafeMutableRawPointer(out_xy), stride: out_stride_bytes, count: count, policy, pointerArgument: 8,
      strideArgument: 9, countArgument: 7)
    guard let from, let output else { return }
    guard let azimuths = Numbers(reading: azimuths_deg) else { throw missing("azimuths_deg", 5) }
    guard let distances = Numbers(reading: distances_m) else { throw missing("distances_m", 6) }
    let ends = Numbers(out_end_azimuths_deg)
    try ways.direct(count: count, from: { from.load($0) }, { (azimuths[$0], distances[$0]) }) { index, point, azimuth in
      output.store(point, at: index)
      ends?[index] = azimuth
    }
  }
}
