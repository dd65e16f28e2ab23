import AlidadeBase
import AlidadeCoordinates
import AlidadeMap
import CAlidade

@_cdecl("ald_view_create") @implementation
public func ald_view_create(
  _ map: ald_map, _ options: UnsafePointer<ald_view_options>?, _ out_view: UnsafeMutablePointer<ald_view>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  var made: MapView?
  let status = enterMaking(out_view, argument: 3, error) { () throws(EngineError) in
    let view = try newView(of: try resolve(map, 1), options)
    made = view
    return view
  }
  // Told when the host's handle is there to be told of.
  guard status == Status.ok.rawValue else { return status }
  return enter(error) { () throws(EngineError) in made?.noticeReadiness() }
}

private func newView(
  of map: Map, _ options: UnsafePointer<ald_view_options>?
) throws(EngineError) -> MapView {
  let none = ald_view_options()
  let given = try options.map { (options) throws(EngineError) in
    try read(options, "ald_view_options", 2, zero: none)
  }
  try requireFlags(given?.reserved ?? 0, known: 0, "ald_view_options.reserved", 2)
  let size = given ?? none
  let density = size.pixel_density == 0 ? 1 : size.pixel_density
  return try blaming(2) { () throws(EngineError) in
    try MapView(map: map, width: size.width_dip, height: size.height_dip, pixelDensity: density)
  }
}

@_cdecl("ald_view_map") @implementation
public func ald_view_map(
  _ view: ald_view, _ out_map: UnsafeMutablePointer<ald_map>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLending(out_map, argument: 2, error) { () throws(EngineError) in try resolve(view, 1).map }
}

@_cdecl("ald_view_set_size") @implementation
public func ald_view_set_size(
  _ view: ald_view, _ width_dip: Double, _ height_dip: Double, _ pixel_density: Double,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    try requireRange(width_dip, Double.leastNonzeroMagnitude...MapView.largestSize, "width_dip", 2)
    try requireRange(height_dip, Double.leastNonzeroMagnitude...MapView.largestSize, "height_dip", 3)
    try requireRange(pixel_density, 0...100, "pixel_density", 4)
    try view.setSize(width: width_dip, height: height_dip, pixelDensity: pixel_density == 0 ? 1 : pixel_density)
  }
}

@_cdecl("ald_view_set_insets") @implementation
public func ald_view_set_insets(
  _ view: ald_view, _ insets: UnsafePointer<ald_insets>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    let given = AlidadeABI.insets(insets)
    try blaming(2) { () throws(EngineError) in try view.setInsets(given) }
  }
}

@_cdecl("ald_view_set_viewpoint") @implementation
public func ald_view_set_viewpoint(
  _ view: ald_view, _ viewpoint: UnsafePointer<ald_viewpoint>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    let target = try readViewpoint(viewpoint, view, 2)
    try blaming(2) { () throws(EngineError) in try view.setViewpoint(target) }
  }
}

@_cdecl("ald_view_set_center") @implementation
public func ald_view_set_center(
  _ view: ald_view, _ center: ald_point, _ spatial_reference: ald_spatial_reference,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    let reference = try resolveOptional(spatial_reference, 3)
    try requireSameRuntime(view, reference, 3)
    try blaming(2) { () throws(EngineError) in
      try view.setViewpoint(Viewpoint(center: Point(center), spatialReference: reference))
    }
  }
}

@_cdecl("ald_view_set_scale") @implementation
public func ald_view_set_scale(
  _ view: ald_view, _ scale: Double, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    try blaming(2) { () throws(EngineError) in try view.setViewpoint(Viewpoint(scale: scale)) }
  }
}

@_cdecl("ald_view_set_rotation") @implementation
public func ald_view_set_rotation(
  _ view: ald_view, _ rotation_deg: Double, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    try blaming(2) { () throws(EngineError) in try view.setViewpoint(Viewpoint(rotation: rotation_deg)) }
  }
}

@_cdecl("ald_view_get_state") @implementation
public func ald_view_get_state(
  _ view: ald_view, _ out_state: UnsafeMutablePointer<ald_view_state>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    let out = try requireOut(out_state, "ald_view_state", 2)
    write(ald_view_state(try view.frame()), to: out)
  }
}

extension ald_view_state {
  init(_ frame: ViewFrame) {
    self.init(
      struct_size: 0, reserved: 0, generation: frame.generation, center: ald_point(frame.center), scale: frame.scale,
      rotation_deg: frame.rotation, units_per_dip: frame.unitsPerDip, width_dip: frame.width, height_dip: frame.height,
      pixel_density: frame.pixelDensity, insets: ald_insets(frame.insets), anchor_dip: ald_point(frame.anchor),
      screen_to_map: frame.screenToMapMatrix, map_to_screen: frame.mapToScreenMatrix,
      visible_area: four(frame.visibleArea))
  }
}

@_cdecl("ald_view_screen_to_map") @implementation
public func ald_view_screen_to_map(
  _ view: ald_view, _ screen_dip: UnsafePointer<Double>?, _ stride_bytes: Int, _ count: Int,
  _ out_map_xy: UnsafeMutablePointer<Double>?, _ out_stride_bytes: Int, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  convert(view, screen_dip, stride_bytes, count, out_map_xy, out_stride_bytes, error) { $0.mapPoint($1) }
}

@_cdecl("ald_view_map_to_screen") @implementation
public func ald_view_map_to_screen(
  _ view: ald_view, _ map_xy: UnsafePointer<Double>?, _ stride_bytes: Int, _ count: Int,
  _ out_screen_dip: UnsafeMutablePointer<Double>?, _ out_stride_bytes: Int, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  convert(view, map_xy, stride_bytes, count, out_screen_dip, out_stride_bytes, error) { $0.screenPoint($1) }
}

@inline(__always)
private func convert(
  _ view: ald_view, _ xy: UnsafePointer<Double>?, _ stride: Int, _ count: Int, _ out: UnsafeMutablePointer<Double>?,
  _ outStride: Int, _ error: UnsafeMutablePointer<ald_error>?, _ body: (ViewTransform, Point) -> Point
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    try convert(
      view.runtime.policy, xy, stride, count, out, outStride,
      frames: { () throws(EngineError) in try view.frame().transform }, body)
  }
}

/// Converts the host's points one by one, in place if it gave the same array twice.
///
/// - Parameter frames: what the points are seen through, as of one moment; a value, whose fields the loop need not load
///   again and again.
@inline(__always)
func convert<Frames>(
  _ policy: Policy, _ xy: UnsafePointer<Double>?, _ stride: Int, _ count: Int, _ out: UnsafeMutablePointer<Double>?,
  _ outStride: Int, frames: () throws(EngineError) -> Frames, _ body: (Frames, Point) -> Point
) throws(EngineError) {
  let input = try StridedPoints(
    xy, stride: stride, count: count, policy, pointerArgument: 2, strideArgument: 3, countArgument: 4)
  let output = try StridedPoints(
    UnsafeMutableRawPointer(out), stride: outStride, count: count, policy, pointerArgument: 5, strideArgument: 6,
    countArgument: 4)
  let frames = try frames()
  guard let input, let output else { return }
  if input.isDense, output.isDense {
    // With a stride that the compiler knows the loop is twice as fast.
    for index in 0..<input.count { output.storeDense(body(frames, input.loadDense(index)), at: index) }
  } else {
    for index in 0..<input.count { output.store(body(frames, input.load(index)), at: index) }
  }
}

@_cdecl("ald_view_layer_coverage") @implementation
public func ald_view_layer_coverage(
  _ view: ald_view, _ layer: ald_layer, _ out_fraction: UnsafeMutablePointer<Double>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    let layer = try resolve(layer, 2)
    guard let out_fraction else { throw missing("out_fraction", 3) }
    out_fraction.pointee = try view.coverage(of: layer)
  }
}
