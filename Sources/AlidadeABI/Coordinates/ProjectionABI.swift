import AlidadeBase
import AlidadeCoordinates
import CAlidade

@_cdecl("ald_spatial_reference_project_points") @implementation
public func ald_spatial_reference_project_points(
  _ from: ald_spatial_reference, _ to: ald_spatial_reference, _ xy: In<Double>, _ stride_bytes: Int, _ count: Int,
  _ out_xy: Out<Double>, _ out_stride_bytes: Int, _ out_statuses: Out<ald_point_status>, _ error: Out<ald_error>
) -> ald_status {
  return enter(from, error) { (source) throws(EngineError) in
    let target = try resolve(to, 2, with: source)
    let policy = source.runtime.policy
    let input = try StridedPoints(
      xy, stride: stride_bytes, count: count, policy, argument: 3, countArgument: 5)
    let output = try StridedPoints(
      out_xy, stride: out_stride_bytes, count: count, policy, argument: 6, countArgument: 5)
    if count == 0 { return }
    let projector = try Projector.between(source, target)
    // From the host's array into the host's array, a slice at a time. Once the projector is there, what is left to fail
    // is the end of the process or of memory.
    let statuses = PointStatuses(base: out_statuses)
    try projector.forEachSlice(of: count) { (range) throws(EngineError) in
      try projector.project(
        input.base + range.lowerBound &* input.stride, stride: input.stride,
        to: output.base + range.lowerBound &* output.stride, outputStride: output.stride, count: range.count)
      store(range, to: statuses.base.map { $0 + range.lowerBound }) {
        (output.load($0).x.isNaN ? PointStatus.failed : .ok).rawValue
      }
    }
  }
}

/// Where statuses go; each slice is written by the one thread that works on it.
private struct PointStatuses: @unchecked Sendable {  // right: as said
  let base: UnsafeMutablePointer<ald_point_status>?
}

@_cdecl("ald_spatial_reference_get_projection_info") @implementation
public func ald_spatial_reference_get_projection_info(
  _ from: ald_spatial_reference, _ to: ald_spatial_reference, _ point: ald_point, _ out_info: Out<ald_projection_info>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(from, out_info, argument: 4, error) { (source) throws(EngineError) in
    let target = try resolve(to, 2, with: source)
    try requireFinite(point, "point", 3)
    let described = try Projector.between(source, target).describe(at: Point(point))
    var info = ald_projection_info()
    info.is_ballpark = described.isBallpark ? 1 : 0
    info.accuracy_m = described.accuracy
    copy(described.name, into: &info.name)
    return info
  }
}

// MARK: Coordinates

@_cdecl("ald_spatial_reference_project_coordinates") @implementation
public func ald_spatial_reference_project_coordinates(
  _ from: ald_spatial_reference, _ to: ald_spatial_reference, _ options: In<ald_projection_options>,
  _ coordinates: In<ald_coordinates>, _ images: In<ald_projected_coordinates>, _ out_statuses: Out<ald_point_status>,
  _ out_operations: Out<UInt32>, _ out_new_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  out_new_receipt?.pointee = ald_projection_receipt(id: 0)
  return enter(error) { () throws(EngineError) in
    var choice = try projectionOptions(options, 3)
    let ends = try ProjectionEnds(from, to, choice.transformation)
    let input = try CoordinatesIn(coordinates, ends.runtime.policy, 4)
    let output = try CoordinatesOut(images, input, 5)
    // Without heights on either side nothing is known of them.
    if !input.hasHeights, !output.hasHeights, ends.from != nil { choice.ignoresVertical = true }
    let projector = try ends.projector(choice)
    let receipt = { (tally: ProjectionTally) throws(EngineError) in
      try ProjectionReceipt(tally, by: projector, chosen: choice.transformation, runtime: ends.runtime)
    }
    if let positions = input.positions, let places = output.positions,
      let tally = try projector.project(
        positions, to: places, count: input.count, statuses: out_statuses, marks: out_operations,
        forReceipt: out_new_receipt != nil)
    {
      out_new_receipt?.pointee = try giveReceipt(try receipt(tally), out_new_receipt)
      return
    }
    // Projected in arrays of our own: the host's are written whole or not at all.
    let columns = try input.loaded(withHeights: output.hasHeights)
    let outcome = try projector.project(columns)
    out_new_receipt?.pointee = try giveReceipt(try receipt(outcome.tally), out_new_receipt)
    output.store(columns)
    store(outcome.statuses.buffer, to: out_statuses) { $0.rawValue }
    store(outcome.marks.buffer, to: out_operations) { $0 }
  }
}

/// Options from C.
func projectionOptions(
  _ pointer: In<ald_projection_options>, _ argument: Int32
) throws(EngineError) -> ProjectionOptions {
  var options = ProjectionOptions()
  let name = "ald_projection_options"
  let given = try read(pointer, name, argument, zero: ald_projection_options())
  try requireFlags(
    given.flags,
    known: ALD_PROJECT_STRICT | ALD_PROJECT_ONLY_BEST | ALD_PROJECT_IGNORE_VERTICAL | ALD_PROJECT_INVERSE,
    "\(name).flags", argument)
  options.isStrict = given.flags & ALD_PROJECT_STRICT != 0
  options.usesOnlyBest = given.flags & ALD_PROJECT_ONLY_BEST != 0
  options.ignoresVertical = given.flags & ALD_PROJECT_IGNORE_VERTICAL != 0
  options.isInverse = given.flags & ALD_PROJECT_INVERSE != 0
  options.transformation = try resolveOptional(given.transformation, argument)
  return options
}

/// The source and the target of coordinates: both spatial references, or the systems of the chosen transformation.
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
    let target = try resolve(to, 2, with: source)
    try requireSameRuntime(source, transformation, 3)
    (self.from, self.to, runtime) = (source, target, source.runtime)
  }

  func projector(_ options: ProjectionOptions) throws(EngineError) -> Projector {
    guard options.transformation != nil || options.isInverse else { return try between(options) }
    return try blaming(3, try between(options))
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
  _ receipt: ald_projection_receipt, _ out_info: Out<ald_projection_receipt_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(receipt, out_info, argument: 2, error) { (receipt) throws(EngineError) in
    let flags = [
      (receipt.isBallpark, ALD_PROJECTION_RECEIPT_BALLPARK), (receipt.isIdentity, ALD_PROJECTION_RECEIPT_IDENTITY),
      (receipt.rows.count > 1, ALD_PROJECTION_RECEIPT_SEVERAL), (receipt.isChosen, ALD_PROJECTION_RECEIPT_CHOSEN),
      (receipt.hasHeights, ALD_PROJECTION_RECEIPT_VERTICAL),
      (receipt.hasEPSGFormulas, ALD_PROJECTION_RECEIPT_EPSG_FORMULAS),
    ]
    return ald_projection_receipt_info(
      struct_size: 0, flags: flags.reduce(0) { $1.0 ? $0 | UInt32(truncatingIfNeeded: $1.1) : $0 },
      accuracy_m: receipt.accuracy, point_count: UInt64(clamping: receipt.pointCount),
      failed_count: UInt64(clamping: receipt.failedCount), operation_count: UInt32(clamping: receipt.rows.count),
      reserved: 0)
  }
}

@_cdecl("ald_projection_receipt_get_row_at") @implementation
public func ald_projection_receipt_get_row_at(
  _ receipt: ald_projection_receipt, _ index: UInt32, _ out_row: Out<ald_projection_receipt_row>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(receipt, out_row, argument: 3, error) { (receipt) throws(EngineError) in
    let number = try entry(index, of: receipt.rows.count, "row", owner: "the receipt has", 2)
    let row = receipt.rows[number]
    let names = receipt.attachment { CTexts(receipt.rows.map(\.name)) }
    return ald_projection_receipt_row(
      struct_size: 0, is_ballpark: row.isBallpark ? 1 : 0, transformation: try lent(row.transformation),
      accuracy_m: row.accuracy, point_count: UInt64(clamping: row.pointCount), name: names[number])
  }
}

@_cdecl("ald_spatial_reference_project_envelope") @implementation
public func ald_spatial_reference_project_envelope(
  _ from: ald_spatial_reference, _ to: ald_spatial_reference, _ options: In<ald_projection_options>,
  _ envelope: ald_envelope, _ out_envelope: Out<ald_projected_envelope>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(from, out_envelope, argument: 5, error) { (source) throws(EngineError) in
    let target = try resolve(to, 2, with: source)
    let choice = try projectionOptions(options, 3)
    try requireSameRuntime(source, choice.transformation, 3)
    let box = try Envelope(envelope).checked(in: source, argument: 4)
    let image = try box.projected(from: source, to: target, options: choice)
    let flags = bits(
      (image.isPartial, ALD_PROJECTED_ENVELOPE_PARTIAL),
      (image.crossesAntimeridian, ALD_PROJECTED_ENVELOPE_CROSSES_ANTIMERIDIAN),
      (image.holdsNorthPole, ALD_PROJECTED_ENVELOPE_HOLDS_NORTH_POLE),
      (image.holdsSouthPole, ALD_PROJECTED_ENVELOPE_HOLDS_SOUTH_POLE))
    return ald_projected_envelope(struct_size: 0, flags: flags, envelope: ald_envelope(image.envelope))
  }
}

extension Envelope {
  /// The same box, if it is valid; otherwise an error that blames a parameter.
  fileprivate func checked(in reference: SpatialReference, argument: Int32) throws(EngineError) -> Envelope {
    try blaming(argument, try requireBox(in: reference))
    return self
  }
}

// Columns of coordinates of the host's: doubles a stride apart, at any address.

private let numberSize = MemoryLayout<Double>.size

/// A column.
struct NumberColumn {
  let base: UnsafeMutableRawPointer
  let stride: Int

  init?(_ pointer: In<Double>, _ stride: Int) {
    guard let pointer else { return nil }
    base = UnsafeMutableRawPointer(mutating: pointer)
    self.stride = stride
  }

  @inline(__always)
  subscript(index: Int) -> Double {
    get { (base + index &* stride).loadUnaligned(as: Double.self) }
    // storeBytes needs no alignment.
    nonmutating set { (base + index &* stride).storeBytes(of: newValue, as: Double.self) }
  }

  func store(_ numbers: UnsafeMutableBufferPointer<Double>) {
    for (index, number) in numbers.enumerated() { self[index] = number }
  }

  /// Whether a number of one column lies on a part of a number of the other, unless they are the same column.
  func collides(with other: NumberColumn, count: Int) -> Bool {
    let (a, b) = (UInt(bitPattern: base), UInt(bitPattern: other.base))
    if a == b, stride == other.stride { return false }
    // Sizes were checked before, so the ends do not overflow but at the very end of the address space.
    let length = UInt(bitPattern: count &- 1)
    let (lastA, lastB) = (
      a &+ length &* UInt(bitPattern: stride) &+ UInt(bitPattern: numberSize),
      b &+ length &* UInt(bitPattern: other.stride) &+ UInt(bitPattern: numberSize)
    )
    guard a < lastB, b < lastA else { return false }
    // Interleaved with one stride, they collide only if their positions in it do.
    guard stride == other.stride else { return true }
    let step = UInt(bitPattern: stride)
    let apart = a > b ? (a &- b) % step : (b &- a) % step
    return apart < UInt(bitPattern: numberSize) || step &- apart < UInt(bitPattern: numberSize)
  }
}

private func checkedStride(_ stride: Int, _ name: String, _ argument: Int32) throws(EngineError) -> Int {
  let step = stride == 0 ? numberSize : stride
  guard step >= numberSize else {
    throw EngineError(
      .invalidArgument,
      "\(name).stride_bytes is \(UInt(bitPattern: stride)), which is less than a number's 8 bytes, or too large.",
      argument: argument)
  }
  return step
}

private func requireRoom(_ count: Int, _ stride: Int, _ name: String, _ argument: Int32) throws(EngineError) {
  guard count >= 0, !count.multipliedReportingOverflow(by: stride).overflow else {
    throw EngineError(
      .invalidArgument,
      "\(UInt(bitPattern: count)) points of \(name), \(stride) bytes apart, are more than memory can hold.",
      argument: argument)
  }
}

extension PositionColumns {
  /// nil unless there are both. Columns of one array have one stride.
  fileprivate init?(_ x: NumberColumn?, _ y: NumberColumn?) {
    guard let x, let y else { return nil }
    self.init(x: x.base, y: y.base, stride: x.stride)
  }
}

/// Columns that are read.
struct CoordinatesIn {
  let count: Int
  private let x: NumberColumn?
  private let y: NumberColumn?
  private let z: NumberColumn?
  private let t: NumberColumn?

  /// Checks columns before they are touched.
  init(_ pointer: In<ald_coordinates>, _ policy: Policy, _ argument: Int32) throws(EngineError) {
    let name = "ald_coordinates"
    guard let pointer else { throw missing("The \(name)", argument) }
    let given = try read(pointer, name, argument, zero: ald_coordinates())
    try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
    count = given.count
    let stride = try checkedStride(given.stride_bytes, name, argument)
    try requireRoom(count, stride, name, argument)
    let size = MemoryLayout<Point>.size &+ 2 &* numberSize
    try blamingAll(argument) { [count] () throws(EngineError) in
      try policy.check(points: count)
      try policy.check(bytes: count, size)
    }
    (x, y) = (NumberColumn(given.x, stride), NumberColumn(given.y, stride))
    (z, t) = (NumberColumn(given.z, stride), NumberColumn(given.t, stride))
    if count > 0, x == nil || y == nil { throw missing("\(name).\(x == nil ? "x" : "y")", argument) }
  }

  var hasHeights: Bool { z != nil }

  /// The columns where they lie, if they are nothing but positions.
  var positions: PositionColumns? { z == nil && t == nil ? PositionColumns(x, y) : nil }

  /// The columns in arrays of our own; heights even if only heights are requested.
  func loaded(withHeights: Bool) throws(EngineError) -> CoordinateColumns {
    let points = try HeapArray<Point>(count: count)
    if let x, let y {
      for index in 0..<count { points.buffer[index] = Point(x: x[index], y: y[index]) }
    }
    var columns = CoordinateColumns(points: points)
    if z != nil || withHeights { columns.z = try load(z) }
    if t != nil { columns.t = try load(t) }
    return columns
  }

  private func load(_ column: NumberColumn?) throws(EngineError) -> HeapArray<Double> {
    let numbers = try HeapArray<Double>(count: count)
    for index in 0..<count { numbers.buffer[index] = column?[index] ?? 0 }
    return numbers
  }

  fileprivate func collides(with output: NumberColumn) -> Bool {
    [x, y, z, t].contains { $0?.collides(with: output, count: count) ?? false }
  }
}

/// Columns that are written.
struct CoordinatesOut {
  private let x: NumberColumn?
  private let y: NumberColumn?
  private let z: NumberColumn?

  /// Checks columns before they are touched, and that they do not overlap the columns of the input.
  init(_ pointer: In<ald_projected_coordinates>, _ input: CoordinatesIn, _ argument: Int32) throws(EngineError) {
    try self.init(pointer, count: input.count, argument, isTaken: input.collides)
  }

  /// - Parameter isTaken: whether a column must not be written.
  init(
    _ pointer: In<ald_projected_coordinates>, count: Int, _ argument: Int32,
    isTaken: (NumberColumn) -> Bool = { _ in false }
  ) throws(EngineError) {
    let name = "ald_projected_coordinates"
    guard let pointer else { throw missing("The \(name)", argument) }
    let given = try read(pointer, name, argument, zero: ald_projected_coordinates())
    try requireFlags(given.reserved, known: 0, "\(name).reserved", argument)
    let stride = try checkedStride(given.stride_bytes, name, argument)
    try requireRoom(count, stride, name, argument)
    (x, y, z) = (NumberColumn(given.x, stride), NumberColumn(given.y, stride), NumberColumn(given.z, stride))
    guard count > 0 else { return }
    if x == nil || y == nil { throw missing("\(name).\(x == nil ? "x" : "y")", argument) }
    let columns = [x, y, z].compactMap { $0 }
    for (number, column) in columns.enumerated() {
      let isTwice = columns[..<number].contains {
        $0.base == column.base || $0.collides(with: column, count: count)
      }
      guard !isTwice, !isTaken(column) else {
        throw EngineError(
          .invalidArgument,
          "A column of \(name) overlaps another column. Only the very columns of the input may be written, with the same "
            + "stride.", argument: argument)
      }
    }
  }

  var hasHeights: Bool { z != nil }

  /// The columns where they lie, if they are nothing but positions.
  var positions: PositionColumns? { z == nil ? PositionColumns(x, y) : nil }

  func store(_ columns: CoordinateColumns) {
    guard let x, let y else { return }
    for (index, point) in columns.points.buffer.enumerated() {
      x[index] = point.x
      y[index] = point.y
    }
    guard let z, let heights = columns.z else { return }
    for (index, height) in heights.buffer.enumerated() { z[index] = height }
  }
}
