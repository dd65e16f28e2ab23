import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_geometry_relate") @implementation
public func ald_geometry_relate(
  _ a: ald_geometry, _ b: ald_geometry, _ out_matrix: Out<CChar>, _ out_new_receipt: Out<ald_projection_receipt>,
  _ error: Out<ald_error>
) -> ald_status {
  enterRelating(out_new_receipt, error) { () throws(EngineError) in
    let (first, second) = try twoGeometries(a, b)
    guard out_matrix != nil else { throw missing("out_matrix", 3) }
    return try first.relate(to: second)
  } write: { matrix in
    if let out_matrix { copy(matrix, to: UnsafeMutableRawPointer(out_matrix), capacity: 10) }
  }
}

@_cdecl("ald_geometry_matches") @implementation
public func ald_geometry_matches(
  _ a: ald_geometry, _ b: ald_geometry, _ matrix_pattern: In<CChar>, _ out_matches: Out<UInt32>,
  _ out_new_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  enterRelating(out_new_receipt, error) { () throws(EngineError) in
    let (first, second) = try twoGeometries(a, b)
    let pattern = try string(matrix_pattern, "matrix_pattern", 3)
    guard out_matches != nil else { throw missing("out_matches", 4) }
    return try first.relates(to: second, pattern: pattern)
  } write: { matches in
    out_matches?.pointee = matches ? 1 : 0
  }
}

@_cdecl("ald_geometry_test") @implementation
public func ald_geometry_test(
  _ a: ald_geometry, _ b: ald_geometry, _ predicate: ald_predicate, _ out_holds: Out<UInt32>,
  _ out_new_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  enterRelating(out_new_receipt, error) { () throws(EngineError) in
    let (first, second) = try twoGeometries(a, b)
    let predicate: Predicate = try enumerator(predicate, "predicate", "ald_predicate", 3)
    guard out_holds != nil else { throw missing("out_holds", 4) }
    return try first.test(predicate, second)
  } write: { holds in
    out_holds?.pointee = holds ? 1 : 0
  }
}

// MARK: Prepared geometries

@_cdecl("ald_prepared_geometry_create") @implementation
public func ald_prepared_geometry_create(
  _ geometry: ald_geometry, _ out_prepared: Out<ald_prepared_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry, out_prepared, argument: 2, error) { (geometry) throws(EngineError) in
    try blaming(1, try PreparedGeometry(geometry))
  }
}

@_cdecl("ald_prepared_geometry_test") @implementation
public func ald_prepared_geometry_test(
  _ prepared_geometry: ald_prepared_geometry, _ geometry: ald_geometry, _ predicate: ald_predicate,
  _ out_holds: Out<UInt32>, _ out_new_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  enterRelating(out_new_receipt, error) { () throws(EngineError) in
    let (prepared, other) = try preparedAndOther(prepared_geometry, geometry)
    let predicate: Predicate = try enumerator(predicate, "predicate", "ald_predicate", 3)
    guard out_holds != nil else { throw missing("out_holds", 4) }
    return try prepared.test(predicate, other)
  } write: { holds in
    out_holds?.pointee = holds ? 1 : 0
  }
}

@_cdecl("ald_prepared_geometry_test_array") @implementation
public func ald_prepared_geometry_test_array(
  _ prepared_geometry: ald_prepared_geometry, _ geometry_array: ald_geometry_array, _ predicate: ald_predicate,
  _ flags: UInt32, _ out_results: Out<ald_test_result>, _ result_capacity: Int,
  _ out_new_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  enterRelating(out_new_receipt, error) { () throws(EngineError) in
    let (prepared, array) = try preparedAndOthers(prepared_geometry, geometry_array)
    let predicate: Predicate = try enumerator(predicate, "predicate", "ald_predicate", 3)
    let skipsInvalid = try skipsInvalid(flags, 4)
    try requireAnswerRoom(array, out_results, result_capacity, 5)
    return try prepared.test(predicate, array, skipsInvalid: skipsInvalid)
  } write: { answers in
    write(answers, to: out_results)
  }
}

@_cdecl("ald_prepared_geometry_within_distance") @implementation
public func ald_prepared_geometry_within_distance(
  _ prepared_geometry: ald_prepared_geometry, _ geometry: ald_geometry, _ distance: Double, _ out_holds: Out<UInt32>,
  _ out_new_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  enterRelating(out_new_receipt, error) { () throws(EngineError) in
    let (prepared, other) = try preparedAndOther(prepared_geometry, geometry)
    try requireRange(distance, 0...1e100, "distance", 3)
    guard out_holds != nil else { throw missing("out_holds", 4) }
    return try prepared.isWithin(distance: distance, of: other)
  } write: { holds in
    out_holds?.pointee = holds ? 1 : 0
  }
}

@_cdecl("ald_prepared_geometry_within_distance_array") @implementation
public func ald_prepared_geometry_within_distance_array(
  _ prepared_geometry: ald_prepared_geometry, _ geometry_array: ald_geometry_array, _ distance: Double, _ flags: UInt32,
  _ out_results: Out<ald_test_result>, _ result_capacity: Int, _ out_new_receipt: Out<ald_projection_receipt>,
  _ error: Out<ald_error>
) -> ald_status {
  enterRelating(out_new_receipt, error) { () throws(EngineError) in
    let (prepared, array) = try preparedAndOthers(prepared_geometry, geometry_array)
    try requireRange(distance, 0...1e100, "distance", 3)
    let skipsInvalid = try skipsInvalid(flags, 4)
    try requireAnswerRoom(array, out_results, result_capacity, 5)
    return try prepared.isWithin(distance: distance, of: array, skipsInvalid: skipsInvalid)
  } write: { answers in
    write(answers, to: out_results)
  }
}

private func preparedAndOther(
  _ prepared_geometry: ald_prepared_geometry, _ geometry: ald_geometry
) throws(EngineError) -> (PreparedGeometry, Geometry) {
  let prepared = try resolve(prepared_geometry, 1)
  let other = try resolve(geometry, 2, with: prepared)
  try blaming(2, try other.requireUsable())
  return (prepared, other)
}

private func preparedAndOthers(
  _ prepared_geometry: ald_prepared_geometry, _ geometry_array: ald_geometry_array
) throws(EngineError) -> (PreparedGeometry, GeometryArray) {
  let prepared = try resolve(prepared_geometry, 1)
  let array = try resolve(geometry_array, 2, with: prepared)
  return (prepared, array)
}

private func skipsInvalid(_ flags: UInt32, _ argument: Int32) throws(EngineError) -> Bool {
  try requireFlags(flags, known: ALD_TEST_SKIP_INVALID, "test_flags", argument)
  return flags & ALD_TEST_SKIP_INVALID != 0
}

/// Throws unless the capacity suffices for a result for each geometry. The capacity follows the pointer in the
/// declaration.
private func requireAnswerRoom(
  _ array: GeometryArray, _ answers: Out<ald_test_result>, _ capacity: Int, _ argument: Int32
) throws(EngineError) {
  try requireCapacity(capacity, argument &+ 1)
  guard answers != nil else { throw missing("out_results", argument) }
  try requireRoom(answers, capacity, for: array.count, "results", "out_results", argument &+ 1)
}

private func write(_ answers: HeapArray<UInt8>, to out: Out<ald_test_result>) {
  store(answers.buffer, to: out) { $0 }
}

// What the entry points share that take a second geometry, which may have to be projected to the first one's spatial
// reference.

/// Runs an entry point that may report how the second geometry was projected: the out handle is null unless it was.
///
/// - Parameter write: writes the other results, when nothing can fail after it.
@inline(__always)
func enterRelating<Value>(
  _ out_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>, _ body: () throws(EngineError) -> Related<Value>,
  write: (Value) -> Void
) -> ald_status {
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    let related = try body()
    out_receipt?.pointee = try giveReceipt(related.receipt, out_receipt)
    write(related.value)
  }
}

/// The same for an entry point that creates an object.
@inline(__always)
func enterMakingRelated<Handle: ObjectHandle>(
  _ out: Out<Handle>, argument: Int32, _ out_receipt: Out<ald_projection_receipt>,
  _ error: Out<ald_error>, _ body: () throws(EngineError) -> Related<Handle.Object>,
  then finish: () -> Void = {}
) -> ald_status {
  out?.pointee = Handle(id: 0)
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    guard let out else { throw missing("The out handle", argument) }
    let related = try body()
    let receipt = try giveReceipt(related.receipt, out_receipt)
    try give(related.value, to: out, beside: receipt)
    out_receipt?.pointee = receipt
    finish()
  }
}

/// Two geometries of one runtime, the first two arguments of a function; both can be used in operations, but for what
/// comes of projecting the second.
func twoGeometries(
  _ geometry: ald_geometry, _ other_geometry: ald_geometry
) throws(EngineError) -> (Geometry, Geometry) {
  let first = try resolve(geometry, 1)
  let second = try resolve(other_geometry, 2, with: first)
  try blaming(1, try first.requireUsable())
  try blaming(2, try second.requireUsable())
  return (first, second)
}
