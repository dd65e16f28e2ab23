import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_geometry_array_create_from_geometries") @implementation
public func ald_geometry_array_create_from_geometries(
  _ runtime: ald_runtime, _ geometries: UnsafePointer<ald_geometry>?, _ count: Int,
  _ out_array: UnsafeMutablePointer<ald_geometry_array>?, _ out_receipt: UnsafeMutablePointer<ald_projection_receipt>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  out_array?.pointee = ald_geometry_array(id: 0)
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let given = try list(geometries, count, runtime, 2)
    guard let out_array else { throw missing("The out handle", 4) }
    let made = try blaming(2) { () throws(EngineError) in try GeometryArray.make(runtime: runtime, of: given) }
    let receipt = try giveReceipt(made.receipt, out_receipt)
    try give(made.array, to: out_array, beside: receipt)
    out_receipt?.pointee = receipt
  }
}

@_cdecl("ald_geometry_create_collection") @implementation
public func ald_geometry_create_collection(
  _ runtime: ald_runtime, _ geometries: UnsafePointer<ald_geometry>?, _ count: Int,
  _ out_geometry: UnsafeMutablePointer<ald_geometry>?, _ out_receipt: UnsafeMutablePointer<ald_projection_receipt>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  out_geometry?.pointee = ald_geometry(id: 0)
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let given = try list(geometries, count, runtime, 2)
    guard let out_geometry else { throw missing("The out handle", 4) }
    let made = try blaming(2) { () throws(EngineError) in try Geometry.makeCollection(runtime: runtime, of: given) }
    let receipt = try giveReceipt(made.receipt, out_receipt)
    try give(made.geometry, to: out_geometry, beside: receipt)
    out_receipt?.pointee = receipt
  }
}

/// The geometries of a list of handles. The count follows the pointer in the function's declaration.
private func list(
  _ handles: UnsafePointer<ald_geometry>?, _ count: Int, _ runtime: Runtime, _ argument: Int32
) throws(EngineError) -> [Geometry] {
  try requireCapacity(count, argument &+ 1)
  try blaming(argument &+ 1) { () throws(EngineError) in
    try runtime.policy.check(points: count)
    try runtime.policy.check(bytes: count, MemoryLayout<Geometry>.stride)
  }
  guard count > 0 else { return [] }
  guard let handles else { throw missing("geometries", argument) }
  var geometries: [Geometry] = []
  geometries.reserveCapacity(min(count, 100_000))
  for index in 0..<count {
    do throws(EngineError) {
      let geometry = try resolve(handles[index], argument)
      try requireSameRuntime(runtime, geometry, argument)
      geometries.append(geometry)
    } catch {
      var error = error
      error.message = "geometries[\(index)]: \(error.message)"
      throw error
    }
  }
  return geometries
}
