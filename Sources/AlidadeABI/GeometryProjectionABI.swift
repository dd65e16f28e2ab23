import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_geometry_create_projected") @implementation
public func ald_geometry_create_projected(
  _ geometry: ald_geometry, _ to: ald_spatial_reference, _ options: UnsafePointer<ald_projection_options>?,
  _ missing_images: UInt32, _ out_statuses: UnsafeMutablePointer<ald_point_status>?,
  _ out_operations: UnsafeMutablePointer<UInt32>?, _ vertex_capacity: Int,
  _ out_geometry: UnsafeMutablePointer<ald_geometry>?, _ out_receipt: UnsafeMutablePointer<ald_projection_receipt>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  out_geometry?.pointee = ald_geometry(id: 0)
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    _ = try blaming(1) { () throws(EngineError) in try geometry.requireSpatialReference() }
    let target = try resolve(to, 2)
    try requireSameRuntime(geometry, target, 2)
    let choice = try projectionOptions(options, 3)
    try requireSameRuntime(geometry, choice.transformation, 3)
    let missing = try missingImages(missing_images, knows: .areLeftOut, 4)
    let output = try VertexMarksOut(out_statuses, out_operations, vertex_capacity, argument: 5)
    guard let out_geometry else { throw AlidadeABI.missing("The out handle", 8) }
    try output.requireRoom(for: geometry.columns.vertexCount(geometry.row))
    let projected = try blamingTransformation(choice, 3) { () throws(EngineError) in
      try geometry.projected(to: target, options: choice, missingImages: missing)
    }
    let receipt = try giveReceipt(projected.receipt, out_receipt)
    try give(projected.geometry, to: out_geometry, beside: receipt)
    out_receipt?.pointee = receipt
    output.store(projected.marks)
  }
}

@_cdecl("ald_geometry_array_create_projected") @implementation
public func ald_geometry_array_create_projected(
  _ geometry_array: ald_geometry_array, _ to: ald_spatial_reference, _ options: UnsafePointer<ald_projection_options>?,
  _ missing_images: UInt32, _ out_geometry_statuses: UnsafeMutablePointer<ald_point_status>?, _ geometry_capacity: Int,
  _ out_statuses: UnsafeMutablePointer<ald_point_status>?, _ out_operations: UnsafeMutablePointer<UInt32>?,
  _ vertex_capacity: Int, _ out_array: UnsafeMutablePointer<ald_geometry_array>?,
  _ out_receipt: UnsafeMutablePointer<ald_projection_receipt>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  out_array?.pointee = ald_geometry_array(id: 0)
  out_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    let array = try resolve(geometry_array, 1)
    _ = try blaming(1) { () throws(EngineError) in try array.requireSpatialReference() }
    let target = try resolve(to, 2)
    try requireSameRuntime(array, target, 2)
    let choice = try projectionOptions(options, 3)
    try requireSameRuntime(array, choice.transformation, 3)
    let missing = try missingImages(missing_images, knows: [.areLeftOut, .emptyTheGeometry], 4)
    try requireMarkRoom(out_geometry_statuses == nil, geometry_capacity, "out_geometry_statuses is", 6)
    let output = try VertexMarksOut(out_statuses, out_operations, vertex_capacity, argument: 7)
    guard let out_array else { throw AlidadeABI.missing("The out handle", 10) }
    if out_geometry_statuses != nil, geometry_capacity < array.count {
      throw EngineError(
        .bufferTooSmall, "There are \(array.count) geometries; the array has room for \(geometry_capacity).",
        argument: 6)
    }
    try output.requireRoom(for: array.columns.vertexCount)
    let projected = try blamingTransformation(choice, 3) { () throws(EngineError) in
      try array.projected(to: target, options: choice, missingImages: missing)
    }
    let receipt = try giveReceipt(projected.receipt, out_receipt)
    try give(projected.array, to: out_array, beside: receipt)
    out_receipt?.pointee = receipt
    output.store(projected.marks)
    if let out_geometry_statuses {
      for (index, status) in projected.statuses.buffer.enumerated() { out_geometry_statuses[index] = status.rawValue }
    }
  }
}

private func missingImages(
  _ flags: UInt32, knows known: MissingImages, _ argument: Int32
) throws(EngineError) -> MissingImages {
  try requireFlags(flags, known: known.rawValue, "missing_images", argument)
  return MissingImages(rawValue: flags)
}

/// What is wrong with the choice of a transformation is the fault of the options; single vertices are not.
private func blamingTransformation<Result>(
  _ options: ProjectionOptions, _ argument: Int32, _ body: () throws(EngineError) -> Result
) throws(EngineError) -> Result {
  guard options.transformation != nil || options.isInverse else { return try body() }
  do throws(EngineError) { return try body() } catch {
    throw error.status == .projectionFailed ? error : error.blaming(argument: argument)
  }
}

/// A receipt's handle, if one is wanted.
func giveReceipt(
  _ receipt: ProjectionReceipt?, _ out: UnsafeMutablePointer<ald_projection_receipt>?
) throws(EngineError) -> ald_projection_receipt {
  guard let receipt, out != nil else { return ald_projection_receipt(id: 0) }
  return ald_projection_receipt(id: try HandleTable.shared.give(receipt))
}

/// Gives the host the second of two objects; without it, it does not get the first either.
func give<Handle: ObjectHandle>(
  _ object: Handle.Object, to out: UnsafeMutablePointer<Handle>, beside receipt: ald_projection_receipt
) throws(EngineError) {
  do throws(EngineError) { out.pointee = Handle(id: try HandleTable.shared.give(object)) } catch {
    if receipt.id != 0 { HandleTable.shared.release(receipt.id, .projectionReceipt) }
    throw error
  }
}

// MARK: Marks

private func requireMarkRoom(
  _ isMissing: Bool, _ capacity: Int, _ what: String, _ argument: Int32
) throws(EngineError) {
  try requireCapacity(capacity, argument)
  if isMissing, capacity != 0 {
    throw EngineError(.invalidArgument, "\(what) NULL, and the capacity is \(capacity).", argument: argument)
  }
}

/// Columns of the host's for what becomes of vertices.
private struct VertexMarksOut {
  private let statuses: UnsafeMutablePointer<ald_point_status>?
  private let operations: UnsafeMutablePointer<UInt32>?
  private let capacity: Int
  private let argument: Int32

  /// - Parameter argument: the number of the first; the other and the capacity follow in the function's declaration.
  init(
    _ statuses: UnsafeMutablePointer<ald_point_status>?, _ operations: UnsafeMutablePointer<UInt32>?, _ capacity: Int,
    argument: Int32
  ) throws(EngineError) {
    self.statuses = statuses
    self.operations = operations
    self.capacity = capacity
    self.argument = argument &+ 2
    try requireMarkRoom(
      statuses == nil && operations == nil, capacity, "out_statuses and out_operations are", argument &+ 2)
  }

  func requireRoom(for count: Int) throws(EngineError) {
    guard statuses == nil && operations == nil || capacity >= count else {
      throw EngineError(
        .bufferTooSmall, "There are \(count) vertices; the marks have room for \(capacity).", argument: argument)
    }
  }

  func store(_ marks: VertexMarks) {
    if let statuses {
      for index in 0..<marks.count { statuses[index] = marks.status(index).rawValue }
    }
    if let operations {
      for index in 0..<marks.count { operations[index] = marks.operation(index) }
    }
  }
}
