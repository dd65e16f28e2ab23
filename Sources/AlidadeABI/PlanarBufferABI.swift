import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

/// Options from C.
private func bufferStyle(
  _ pointer: UnsafePointer<ald_buffer_options>?, _ argument: Int32
) throws(EngineError) -> PlanarBufferStyle {
  var style = PlanarBufferStyle()
  guard let pointer else { return style }
  let given = try read(pointer, "ald_buffer_options", argument, zero: ald_buffer_options())
  style.cap = try bufferCap(given.cap, "ald_buffer_options.cap", argument)
  style.join = try bufferJoin(given.join, "ald_buffer_options.join", argument)
  guard let side = PlanarBufferStyle.Side(rawValue: given.side) else {
    throw unknown("side", given.side, "ald_buffer_side", argument)
  }
  style.side = side
  if given.unit != 0 {
    guard let unit = Unit(rawValue: given.unit) else { throw unknown("unit", given.unit, "ald_unit", argument) }
    style.unit = unit
  }
  if given.maximum_deviation != 0 {
    guard given.quadrant_segments == 0 else {
      throw EngineError(
        .invalidArgument, "Both quadrant_segments and maximum_deviation are given; one of them must be 0.",
        argument: argument)
    }
    style.resolution = .maximumDeviation(given.maximum_deviation)
  } else if given.quadrant_segments != 0 {
    style.resolution = .quadrantSegments(Int(truncatingIfNeeded: given.quadrant_segments))
  }
  if given.mitre_limit != 0 { style.mitreLimit = given.mitre_limit }
  if given.right_distance != 0 { style.rightDistance = given.right_distance }
  try blaming(argument) { () throws(EngineError) in try style.check() }
  return style
}

/// How ends are buffered, from C.
func bufferCap(_ number: ald_buffer_cap, _ name: String, _ argument: Int32) throws(EngineError) -> BufferCap {
  guard let cap = BufferCap(rawValue: number) else {
    throw EngineError(.invalidArgument, "\(name) is \(number), which is no ald_buffer_cap.", argument: argument)
  }
  return cap
}

/// How corners are buffered, from C.
func bufferJoin(_ number: ald_buffer_join, _ name: String, _ argument: Int32) throws(EngineError) -> BufferJoin {
  guard let join = BufferJoin(rawValue: number) else {
    throw EngineError(.invalidArgument, "\(name) is \(number), which is no ald_buffer_join.", argument: argument)
  }
  return join
}

private func unknown(_ field: String, _ value: Int32, _ type: String, _ argument: Int32) -> EngineError {
  EngineError(
    .invalidArgument, "ald_buffer_options.\(field) is \(value), which is no \(type).", argument: argument)
}

/// Numbers that come in, which need not be aligned: one for each of so many things, or fewer. The count follows the
/// pointer in the function's declaration.
func inputNumbers(
  _ pointer: UnsafePointer<Double>?, _ count: Int, _ what: String, perEachOf things: Int, _ thing: String,
  pointerArgument: Int32
) throws(EngineError) -> HeapArray<Double> {
  try requireCapacity(count, pointerArgument &+ 1)
  // Before the array is touched: so many are not there.
  guard count >= 1, count <= max(1, things) else {
    throw EngineError(
      .invalidArgument, "There are \(count) \(what) and \(things) \(thing); give one each, or fewer, but one at least.",
      argument: pointerArgument &+ 1)
  }
  guard let pointer else { throw missing("The array of \(what)", pointerArgument) }
  let numbers = try HeapArray<Double>(count: count)
  for index in 0..<count {
    numbers.buffer[index] = UnsafeRawPointer(pointer + index).loadUnaligned(as: Double.self)
  }
  return numbers
}

/// Blames on the options what the engine blames on the style: in C a count comes before them.
private func optionsLast<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result {
  do throws(EngineError) { return try body() } catch {
    throw error.argument == 3 ? error.blaming(argument: 4) : error
  }
}

@_cdecl("ald_geometry_create_buffer") @implementation
public func ald_geometry_create_buffer(
  _ geometry: ald_geometry, _ distance: Double, _ options: UnsafePointer<ald_buffer_options>?,
  _ out_geometry: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_geometry, argument: 4, error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    let style = try bufferStyle(options, 3)
    return try geometry.buffered(distance, style)
  }
}

@_cdecl("ald_geometry_array_create_buffers") @implementation
public func ald_geometry_array_create_buffers(
  _ geometry_array: ald_geometry_array, _ distances: UnsafePointer<Double>?, _ distance_count: Int,
  _ options: UnsafePointer<ald_buffer_options>?, _ out_array: UnsafeMutablePointer<ald_geometry_array>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_array, argument: 5, error) { () throws(EngineError) in
    let array = try resolve(geometry_array, 1)
    let numbers = try inputNumbers(
      distances, distance_count, "distances", perEachOf: array.count, "geometries", pointerArgument: 2)
    let style = try bufferStyle(options, 4)
    return try optionsLast { () throws(EngineError) in
      try array.buffered(UnsafeBufferPointer(numbers.buffer), style)
    }
  }
}

@_cdecl("ald_geometry_array_create_buffer_union") @implementation
public func ald_geometry_array_create_buffer_union(
  _ geometry_array: ald_geometry_array, _ distances: UnsafePointer<Double>?, _ distance_count: Int,
  _ options: UnsafePointer<ald_buffer_options>?, _ out_geometry: UnsafeMutablePointer<ald_geometry>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_geometry, argument: 5, error) { () throws(EngineError) in
    let array = try resolve(geometry_array, 1)
    let numbers = try inputNumbers(
      distances, distance_count, "distances", perEachOf: array.count, "geometries", pointerArgument: 2)
    let style = try bufferStyle(options, 4)
    return try optionsLast { () throws(EngineError) in
      try array.bufferUnion(UnsafeBufferPointer(numbers.buffer), style)
    }
  }
}

@_cdecl("ald_circles_fill") @implementation
public func ald_circles_fill(
  _ runtime: ald_runtime, _ xy: UnsafePointer<Double>?, _ stride_bytes: Int, _ count: Int,
  _ radii: UnsafePointer<Double>?, _ radius_count: Int, _ quadrant_segments: UInt32,
  _ out_vertex_xy: UnsafeMutablePointer<Double>?, _ out_stride_bytes: Int, _ vertex_capacity: Int,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let centres = try StridedPoints(
      xy, stride: stride_bytes, count: count, runtime.policy, pointerArgument: 2,
      strideArgument: 3,
      countArgument: 4)
    let numbers = try inputNumbers(
      radii, radius_count, "radii", perEachOf: count, "centres", pointerArgument: 5)
    let segments = Int(truncatingIfNeeded: quadrant_segments)
    try blaming(7) { () throws(EngineError) in try ArcResolution.quadrantSegments(segments).check() }
    try requireCapacity(vertex_capacity, 10)
    let vertexCount = CircleFill.vertexCount(circles: count, segments: segments)
    let target = try StridedPoints(
      UnsafeMutableRawPointer(out_vertex_xy), stride: out_stride_bytes, count: vertexCount, runtime.policy,
      pointerArgument: 8, strideArgument: 9, countArgument: 4)
    guard vertex_capacity >= vertexCount else {
      throw EngineError(
        .bufferTooSmall, "\(vertexCount) vertices are needed; there is room for \(vertex_capacity).", argument: 10)
    }
    guard let centres, let target else { return }
    try fill(centres, UnsafeBufferPointer(numbers.buffer), segments, target, runtime.workers)
    withExtendedLifetime(numbers) {}
  }
}

private func fill(
  _ centres: StridedPoints, _ radii: UnsafeBufferPointer<Double>, _ segments: Int, _ target: StridedPoints,
  _ workers: Workers
) throws(EngineError) {
  let circles: CircleFill
  do throws(EngineError) {
    circles = try CircleFill(
      centres: UnsafeRawPointer(centres.base), stride: centres.stride, count: centres.count, radii: radii,
      segments: segments)
  } catch { throw error.blaming(argument: error.argument == 1 ? 2 : 5) }
  try circles.write(to: target.base, stride: target.stride, workers: workers)
}
