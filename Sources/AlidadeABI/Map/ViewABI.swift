import AlidadeBase
import AlidadeCoordinates
import AlidadeMap
import CAlidade

@_cdecl("ald_view_create") @implementation
public func ald_view_create(
  _ map: ald_map, _ options: In<ald_view_options>, _ out_view: Out<ald_view>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(map, out_view, argument: 3, error) { (map) throws(EngineError) in
    try newView(of: map, options)
  } then: {
    // The host is notified once its handle exists.
    $0.noticeReadiness()
  }
}

private func newView(of map: Map, _ options: In<ald_view_options>) throws(EngineError) -> MapView {
  let size = try read(options, "ald_view_options", 2, zero: ald_view_options())
  try requireFlags(size.reserved, known: 0, "ald_view_options.reserved", 2)
  let density = size.pixel_density == 0 ? 1 : size.pixel_density
  return try blaming(2, try MapView(map: map, width: size.width_dip, height: size.height_dip, pixelDensity: density))
}

@_cdecl("ald_view_get_map") @implementation
public func ald_view_get_map(_ view: ald_view, _ out_map: Out<ald_map>, _ error: Out<ald_error>) -> ald_status {
  enterLending(view, out_map, argument: 2, error) { (view) throws(EngineError) in view.map }
}

@_cdecl("ald_view_set_size") @implementation
public func ald_view_set_size(
  _ view: ald_view, _ width_dip: Double, _ height_dip: Double, _ pixel_density: Double, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    try requireRange(width_dip, Double.leastNonzeroMagnitude...MapView.largestSize, "width_dip", 2)
    try requireRange(height_dip, Double.leastNonzeroMagnitude...MapView.largestSize, "height_dip", 3)
    try requireRange(pixel_density, 0...100, "pixel_density", 4)
    try view.setSize(width: width_dip, height: height_dip, pixelDensity: pixel_density == 0 ? 1 : pixel_density)
  }
}

@_cdecl("ald_view_set_insets") @implementation
public func ald_view_set_insets(_ view: ald_view, _ insets: In<ald_insets>, _ error: Out<ald_error>) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let given = AlidadeABI.insets(insets)
    try blaming(2, try view.setInsets(given))
  }
}

@_cdecl("ald_view_set_viewpoint") @implementation
public func ald_view_set_viewpoint(
  _ view: ald_view, _ viewpoint: In<ald_viewpoint>, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let target = try readViewpoint(viewpoint, view, 2)
    try blaming(2, try view.setViewpoint(target))
  }
}

@_cdecl("ald_view_set_center") @implementation
public func ald_view_set_center(
  _ view: ald_view, _ center: ald_point, _ spatial_reference: ald_spatial_reference, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let reference = try resolveOptional(spatial_reference, 3, with: view)
    try blaming(2, try view.setViewpoint(Viewpoint(center: Point(center), spatialReference: reference)))
  }
}

@_cdecl("ald_view_set_scale") @implementation
public func ald_view_set_scale(_ view: ald_view, _ scale: Double, _ error: Out<ald_error>) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    try blaming(2, try view.setViewpoint(Viewpoint(scale: scale)))
  }
}

@_cdecl("ald_view_set_rotation") @implementation
public func ald_view_set_rotation(_ view: ald_view, _ rotation_deg: Double, _ error: Out<ald_error>) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    try blaming(2, try view.setViewpoint(Viewpoint(rotation: rotation_deg)))
  }
}

@_cdecl("ald_view_get_state") @implementation
public func ald_view_get_state(
  _ view: ald_view, _ out_state: Out<ald_view_state>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(view, out_state, argument: 2, error) { (view) throws(EngineError) in
    ald_view_state(try view.frame())
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
  _ view: ald_view, _ screen_xy: In<Double>, _ stride_bytes: Int, _ count: Int, _ out_map_xy: Out<Double>,
  _ out_stride_bytes: Int, _ error: Out<ald_error>
) -> ald_status {
  convert(view, screen_xy, stride_bytes, count, out_map_xy, out_stride_bytes, error) { $0.mapPoint($1) }
}

@_cdecl("ald_view_map_to_screen") @implementation
public func ald_view_map_to_screen(
  _ view: ald_view, _ map_xy: In<Double>, _ stride_bytes: Int, _ count: Int, _ out_screen_xy: Out<Double>,
  _ out_stride_bytes: Int, _ error: Out<ald_error>
) -> ald_status {
  convert(view, map_xy, stride_bytes, count, out_screen_xy, out_stride_bytes, error) { $0.screenPoint($1) }
}

@inline(__always)
private func convert(
  _ view: ald_view, _ xy: In<Double>, _ stride: Int, _ count: Int, _ out: Out<Double>, _ outStride: Int,
  _ error: Out<ald_error>, _ body: (ViewTransform, Point) -> Point
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
  _ policy: Policy, _ xy: In<Double>, _ stride: Int, _ count: Int, _ out: Out<Double>, _ outStride: Int,
  frames: () throws(EngineError) -> Frames, _ body: (Frames, Point) -> Point
) throws(EngineError) {
  let input = try StridedPoints(
    xy, stride: stride, count: count, policy, argument: 2, countArgument: 4)
  let output = try StridedPoints(
    out, stride: outStride, count: count, policy, argument: 5, countArgument: 4)
  let frames = try frames()
  if input.isDense, output.isDense {
    // With a stride that the compiler knows the loop is twice as fast.
    for index in 0..<input.count { output.storeDense(body(frames, input.loadDense(index)), at: index) }
  } else {
    for index in 0..<input.count { output.store(body(frames, input.load(index)), at: index) }
  }
}

@_cdecl("ald_view_get_layer_coverage") @implementation
public func ald_view_get_layer_coverage(
  _ view: ald_view, _ layer: ald_layer, _ out_fraction: Out<Double>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(view, out_fraction, "out_fraction", argument: 3, error) { (view) throws(EngineError) in
    let layer = try resolve(layer, 2)
    return try view.coverage(of: layer)
  }
}

// Each question goes to a frame: the current one of a view, or the frame of a snapshot.

@_cdecl("ald_view_get_envelope") @implementation
public func ald_view_get_envelope(
  _ view: ald_view, _ out_envelope: Out<ald_envelope>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(view, out_envelope, "out_envelope", argument: 2, error) { (view) throws(EngineError) in
    ald_envelope(try view.frame().envelope)
  }
}

@_cdecl("ald_view_snapshot_get_envelope") @implementation
public func ald_view_snapshot_get_envelope(
  _ snapshot: ald_view_snapshot, _ out_envelope: Out<ald_envelope>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(snapshot, out_envelope, "out_envelope", argument: 2, error) { (snapshot) throws(EngineError) in
    ald_envelope(snapshot.frame.envelope)
  }
}

@_cdecl("ald_view_get_world_copies") @implementation
public func ald_view_get_world_copies(
  _ view: ald_view, _ out_first: Out<Int64>, _ out_last: Out<Int64>, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    try worldCopies(out_first, out_last) { () throws(EngineError) in try view.frame() }
  }
}

@_cdecl("ald_view_snapshot_get_world_copies") @implementation
public func ald_view_snapshot_get_world_copies(
  _ snapshot: ald_view_snapshot, _ out_first: Out<Int64>, _ out_last: Out<Int64>, _ error: Out<ald_error>
) -> ald_status {
  enter(snapshot, error) { (snapshot) throws(EngineError) in
    try worldCopies(out_first, out_last) { () throws(EngineError) in snapshot.frame }
  }
}

private func worldCopies(
  _ out_first: Out<Int64>, _ out_last: Out<Int64>, _ frame: () throws(EngineError) -> ViewFrame
) throws(EngineError) {
  guard let out_first else { throw missing("out_first", 2) }
  guard let out_last else { throw missing("out_last", 3) }
  let copies = try frame().worldCopies
  // Beyond 2^63 copies, as for a centre at 1e300, doubles have no integers that distinguish them.
  out_first.pointee = Int64(exactly: copies.first) ?? (copies.first < 0 ? .min : .max)
  out_last.pointee = Int64(exactly: copies.last) ?? (copies.last < 0 ? .min : .max)
}

@_cdecl("ald_view_ground_resolution") @implementation
public func ald_view_ground_resolution(
  _ view: ald_view, _ screen_point: ald_point, _ out_resolution: Out<ald_ground_resolution>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(view, out_resolution, argument: 3, error) { (view) throws(EngineError) in
    try groundResolution(screen_point) { () throws(EngineError) in try view.frame() }
  }
}

@_cdecl("ald_view_snapshot_ground_resolution") @implementation
public func ald_view_snapshot_ground_resolution(
  _ snapshot: ald_view_snapshot, _ screen_point: ald_point, _ out_resolution: Out<ald_ground_resolution>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(snapshot, out_resolution, argument: 3, error) { (snapshot) throws(EngineError) in
    try groundResolution(screen_point) { () throws(EngineError) in snapshot.frame }
  }
}

private func groundResolution(
  _ screen: ald_point, _ frame: () throws(EngineError) -> ViewFrame
) throws(EngineError) -> ald_ground_resolution {
  try requireFinite(screen, "screen_point", 2)
  let frame = try frame()
  let resolution = try blaming(2, try frame.groundResolution(at: Point(screen)))
  return ald_ground_resolution(struct_size: 0, reserved: 0, x_m: resolution.x, y_m: resolution.y)
}

@_cdecl("ald_view_scale_bar") @implementation
public func ald_view_scale_bar(
  _ view: ald_view, _ screen_point: ald_point, _ max_width_dip: Double, _ unit_system: ald_unit_system,
  _ out_bar: Out<ald_scale_bar>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(view, out_bar, argument: 5, error) { (view) throws(EngineError) in
    try scaleBar(screen_point, max_width_dip, unit_system) { () throws(EngineError) in try view.frame() }
  }
}

@_cdecl("ald_view_snapshot_scale_bar") @implementation
public func ald_view_snapshot_scale_bar(
  _ snapshot: ald_view_snapshot, _ screen_point: ald_point, _ max_width_dip: Double, _ unit_system: ald_unit_system,
  _ out_bar: Out<ald_scale_bar>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(snapshot, out_bar, argument: 5, error) { (snapshot) throws(EngineError) in
    try scaleBar(screen_point, max_width_dip, unit_system) { () throws(EngineError) in snapshot.frame }
  }
}

private func scaleBar(
  _ screen: ald_point, _ maxWidth: Double, _ unitSystem: ald_unit_system,
  _ frame: () throws(EngineError) -> ViewFrame
) throws(EngineError) -> ald_scale_bar {
  try requireFinite(screen, "screen_point", 2)
  try requireRange(maxWidth, Double.leastNonzeroMagnitude...1e5, "max_width_dip", 3)
  let system: UnitSystem = try enumerator(unitSystem, "unit_system", "ald_unit_system", 4)
  let frame = try frame()
  let bar = try blaming(2, try frame.scaleBar(at: Point(screen), maxWidth: maxWidth, system))
  return ald_scale_bar(
    struct_size: 0, unit: bar.unit.rawValue, length: bar.length, length_m: bar.metres, width_dip: bar.width,
    start_dip: ald_point(bar.start), end_dip: ald_point(bar.end))
}

// MARK: Snapshots

@_cdecl("ald_view_create_snapshot") @implementation
public func ald_view_create_snapshot(
  _ view: ald_view, _ out_snapshot: Out<ald_view_snapshot>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(view, out_snapshot, argument: 2, error) { (view) throws(EngineError) in
    ViewSnapshot(try view.frame())
  }
}

@_cdecl("ald_view_snapshot_get_state") @implementation
public func ald_view_snapshot_get_state(
  _ snapshot: ald_view_snapshot, _ out_state: Out<ald_view_state>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(snapshot, out_state, argument: 2, error) { (snapshot) throws(EngineError) in
    ald_view_state(snapshot.frame)
  }
}

@_cdecl("ald_view_snapshot_screen_to_map") @implementation
public func ald_view_snapshot_screen_to_map(
  _ snapshot: ald_view_snapshot, _ screen_xy: In<Double>, _ stride_bytes: Int, _ count: Int, _ out_map_xy: Out<Double>,
  _ out_stride_bytes: Int, _ error: Out<ald_error>
) -> ald_status {
  enter(snapshot, error) { (snapshot) throws(EngineError) in
    let frame = snapshot.frame
    try convert(
      frame.map.runtime.policy, screen_xy, stride_bytes, count, out_map_xy, out_stride_bytes,
      frames: { frame.transform }
    ) { $0.mapPoint($1) }
  }
}

@_cdecl("ald_view_snapshot_map_to_screen") @implementation
public func ald_view_snapshot_map_to_screen(
  _ snapshot: ald_view_snapshot, _ map_xy: In<Double>, _ stride_bytes: Int, _ count: Int, _ out_screen_xy: Out<Double>,
  _ out_stride_bytes: Int, _ error: Out<ald_error>
) -> ald_status {
  enter(snapshot, error) { (snapshot) throws(EngineError) in
    let frame = snapshot.frame
    try convert(
      frame.map.runtime.policy, map_xy, stride_bytes, count, out_screen_xy, out_stride_bytes,
      frames: { frame.transform }
    ) { $0.screenPoint($1) }
  }
}
