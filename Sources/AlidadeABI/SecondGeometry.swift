import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

// What the entry points share that take a second geometry, which may have to be projected to the first one's spatial
// reference.

/// Runs an entry point that may tell how the second geometry was projected: the out handle is null unless it was.
///
/// - Parameter write: writes the other results, when nothing can fail any more.
@inline(__always)
func enterRelating<Value>(
  _ out_receipt: UnsafeMutablePointer<ald_projection_receipt>?, _ error: UnsafeMutablePointer<ald_error>?,
  _ body: () throws(EngineError) -> Related<Value>, write: (Value) -> Void
) -> ald_status {
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    let related = try body()
    if let out_receipt, let receipt = related.receipt {
      out_receipt.pointee = ald_projection_receipt(id: try HandleTable.shared.give(receipt))
    }
    write(related.value)
  }
}

/// The same for one that makes an object.
@inline(__always)
func enterMakingRelated<Handle: ObjectHandle>(
  _ out: UnsafeMutablePointer<Handle>?, argument: Int32, _ out_receipt: UnsafeMutablePointer<ald_projection_receipt>?,
  _ error: UnsafeMutablePointer<ald_error>?, _ body: () throws(EngineError) -> Related<Handle.Object>
) -> ald_status {
  out?.pointee = Handle(id: 0)
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    guard let out else { throw missing("The out handle", argument) }
    let related = try body()
    let id = try HandleTable.shared.give(related.value)
    if let out_receipt, let receipt = related.receipt {
      do throws(EngineError) {
        out_receipt.pointee = ald_projection_receipt(id: try HandleTable.shared.give(receipt))
      } catch {
        HandleTable.shared.release(id, Handle.kind)
        throw error
      }
    }
    out.pointee = Handle(id: id)
  }
}

/// Two geometries of one runtime, the first two arguments of a function; both can be used in operations, but for what
/// comes of projecting the second.
func twoGeometries(
  _ geometry: ald_geometry, _ other_geometry: ald_geometry
) throws(EngineError) -> (Geometry, Geometry) {
  let first = try resolve(geometry, 1)
  let second = try resolve(other_geometry, 2)
  try requireSameRuntime(first, second, 2)
  try blaming(1) { () throws(EngineError) in try first.requireUsable() }
  try blaming(2) { () throws(EngineError) in try second.requireUsable() }
  return (first, second)
}

/// A predicate by its number.
func predicate(_ number: Int32, _ argument: Int32) throws(EngineError) -> Predicate {
  guard let predicate = Predicate(rawValue: number) else {
    throw EngineError(
      .invalidArgument, "predicate is \(number), which is no ald_predicate.", argument: argument)
  }
  return predicate
}
