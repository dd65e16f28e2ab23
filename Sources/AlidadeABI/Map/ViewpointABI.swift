import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import AlidadeMap
import CAlidade

@_cdecl("ald_viewpoint_create_from_location") @implementation
public func ald_viewpoint_create_from_location(
  _ runtime: ald_runtime, _ latitude_deg: Double, _ longitude_deg: Double, _ scale: Double,
  _ out_viewpoint: Out<ald_viewpoint>, _ out_spatial_reference: Out<ald_spatial_reference>, _ error: Out<ald_error>
) -> ald_status {
  out_spatial_reference?.pointee.id = 0
  return enter(runtime, error) { (runtime) throws(EngineError) in
    try requireRange(latitude_deg, -90...90, "latitude_deg", 2)
    try requireRange(longitude_deg, -360...360, "longitude_deg", 3)
    try requireRange(scale, Camera.scales, "scale", 4)
    let out = try requireOut(out_viewpoint, 5)
    guard let out_spatial_reference else { throw missing("out_spatial_reference", 6) }
    let viewpoint = try Viewpoint(latitude: latitude_deg, longitude: longitude_deg, scale: scale, runtime: runtime)
    let made = try ald_viewpoint(giving: viewpoint)
    out_spatial_reference.pointee = made.spatial_reference
    write(made, to: out)
  }
}

@_cdecl("ald_viewpoint_create_from_json") @implementation
public func ald_viewpoint_create_from_json(
  _ runtime: ald_runtime, _ json: In<CChar>, _ out_viewpoint: Out<ald_viewpoint>,
  _ out_spatial_reference: Out<ald_spatial_reference>, _ out_geometry: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  out_spatial_reference?.pointee.id = 0
  out_geometry?.pointee.id = 0
  return enter(runtime, error) { (runtime) throws(EngineError) in
    let text = try inputText(json, "json", 2)
    let out = try requireOut(out_viewpoint, 3)
    guard let out_spatial_reference else { throw missing("out_spatial_reference", 4) }
    guard let out_geometry else { throw missing("out_geometry", 5) }
    let viewpoint = try blaming(2, try Viewpoint(json: text, runtime: runtime))
    let made = try ald_viewpoint(giving: viewpoint)
    out_spatial_reference.pointee = made.spatial_reference
    out_geometry.pointee = made.geometry
    write(made, to: out)
  }
}

@_cdecl("ald_viewpoint_get_json") @implementation
public func ald_viewpoint_get_json(
  _ runtime: ald_runtime, _ viewpoint: In<ald_viewpoint>, _ buffer: Out<CChar>, _ capacity_bytes: Int,
  _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(runtime, error) { (runtime) throws(EngineError) in
    let given = try readViewpoint(viewpoint, runtime, 2)
    try requireTextRoom(buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
    let text = try blaming(2, try given.jsonText())
    try copyOut(text, buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
  }
}

@_cdecl("ald_view_get_viewpoint") @implementation
public func ald_view_get_viewpoint(
  _ view: ald_view, _ out_viewpoint: Out<ald_viewpoint>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(view, out_viewpoint, argument: 2, error) { (view) throws(EngineError) in
    let frame = try view.frame()
    let viewpoint = Viewpoint(
      center: frame.center, spatialReference: frame.spatialReference, scale: frame.scale, rotation: frame.rotation)
    return try ald_viewpoint(lending: viewpoint)
  }
}

@_cdecl("ald_view_create_visible_area") @implementation
public func ald_view_create_visible_area(
  _ view: ald_view, _ viewpoint: In<ald_viewpoint>, _ out_geometry: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(view, out_geometry, argument: 3, error) { (view) throws(EngineError) in
    guard viewpoint != nil else { return try view.visibleArea() }
    let given = try readViewpoint(viewpoint, view, 2)
    return try blaming(2, try view.visibleArea(after: try view.target(for: given)))
  }
}

// MARK: Maps

@_cdecl("ald_map_set_initial_viewpoint") @implementation
public func ald_map_set_initial_viewpoint(
  _ map: ald_map, _ viewpoint: In<ald_viewpoint>, _ error: Out<ald_error>
) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in
    let given = viewpoint == nil ? nil : try readViewpoint(viewpoint, map, 2)
    try blaming(2, try map.setInitialViewpoint(given))
  }
}

@_cdecl("ald_map_get_initial_viewpoint") @implementation
public func ald_map_get_initial_viewpoint(
  _ map: ald_map, _ out_viewpoint: Out<ald_viewpoint>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(map, out_viewpoint, argument: 2, error) { (map) throws(EngineError) in
    let viewpoint = try known(
      map.initialViewpoint,
      or: EngineError(.notFound, "The map has no initial viewpoint: views look at its lowest layer.", argument: 1))
    return try ald_viewpoint(lending: viewpoint)
  }
}

@_cdecl("ald_map_add_bookmark") @implementation
public func ald_map_add_bookmark(
  _ map: ald_map, _ name: In<CChar>, _ viewpoint: In<ald_viewpoint>, _ error: Out<ald_error>
) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in
    let name = try string(name, "name", 2)
    let given = try readViewpoint(viewpoint, map, 3)
    try blaming(3, try given.check())
    try blaming(2, try map.addBookmark(name, given))
  }
}

@_cdecl("ald_map_remove_bookmark") @implementation
public func ald_map_remove_bookmark(_ map: ald_map, _ name: In<CChar>, _ error: Out<ald_error>) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in
    let name = try string(name, "name", 2)
    try blaming(2, try map.removeBookmark(name))
  }
}

@_cdecl("ald_map_get_bookmark_count") @implementation
public func ald_map_get_bookmark_count(
  _ map: ald_map, _ out_count: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(map, out_count, "out_count", argument: 2, error) { (map) throws(EngineError) in
    UInt32(clamping: map.bookmarks.count)
  }
}

@_cdecl("ald_map_get_bookmark_name_at") @implementation
public func ald_map_get_bookmark_name_at(
  _ map: ald_map, _ index: UInt32, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in
    let bookmarks = map.bookmarks
    let position = try entry(index, of: bookmarks.count, "bookmark", owner: "the map has", 2)
    try copyOut(bookmarks[position].name, buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
  }
}

@_cdecl("ald_map_find_bookmark") @implementation
public func ald_map_find_bookmark(
  _ map: ald_map, _ name: In<CChar>, _ out_viewpoint: Out<ald_viewpoint>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(map, out_viewpoint, argument: 3, error) { (map) throws(EngineError) in
    let name = try string(name, "name", 2)
    let viewpoint = try blaming(2, try map.bookmark(name))
    return try ald_viewpoint(lending: viewpoint)
  }
}

// MARK: Values

extension ald_viewpoint {
  /// With handles that the host owns.
  fileprivate init(giving viewpoint: Viewpoint) throws(EngineError) {
    self.init(viewpoint)
    if let reference = viewpoint.spatialReference { spatial_reference.id = try HandleTable.shared.give(reference) }
    guard let given = viewpoint.geometry else { return }
    do throws(EngineError) {
      geometry.id = try HandleTable.shared.give(given)
    } catch {
      HandleTable.shared.release(spatial_reference.id, .spatialReference)
      throw error
    }
  }

  /// With handles that the library owns.
  fileprivate init(lending viewpoint: Viewpoint) throws(EngineError) {
    self.init(viewpoint)
    spatial_reference = try lent(viewpoint.spatialReference)
    geometry = try lent(viewpoint.geometry)
  }

  private init(_ viewpoint: Viewpoint) {
    self.init()
    if let center = viewpoint.center {
      fields |= ALD_VIEWPOINT_HAS_CENTER
      self.center = ald_point(center)
    }
    if let scale = viewpoint.scale {
      fields |= ALD_VIEWPOINT_HAS_SCALE
      self.scale = scale
    }
    if let rotation = viewpoint.rotation {
      fields |= ALD_VIEWPOINT_HAS_ROTATION
      rotation_deg = rotation
    }
    if let extent = viewpoint.extent {
      fields |= ALD_VIEWPOINT_HAS_EXTENT
      self.extent = ald_envelope(extent)
    }
    if viewpoint.geometry != nil { fields |= ALD_VIEWPOINT_HAS_GEOMETRY }
  }
}

@_cdecl("ald_view_set_constraints") @implementation
public func ald_view_set_constraints(
  _ view: ald_view, _ constraints: In<ald_constraints>, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let given = try read(constraints, "ald_constraints", 2, zero: ald_constraints())
    try requireFlags(
      given.flags, known: ALD_CONSTRAINTS_HAS_EXTENT | ALD_CONSTRAINTS_LOCK_ROTATION | ALD_CONSTRAINTS_RUBBER_BAND,
      "ald_constraints.flags", 2)
    try requireFlags(given.reserved, known: 0, "ald_constraints.reserved", 2)
    let hasExtent = try isGiven(
      given.flags & ALD_CONSTRAINTS_HAS_EXTENT != 0, orZero: isZero(given.max_extent), "ald_constraints.max_extent",
      "ALD_CONSTRAINTS_HAS_EXTENT", 2)
    let isLocked = try isGiven(
      given.flags & ALD_CONSTRAINTS_LOCK_ROTATION != 0, orZero: given.rotation_deg == 0, "ald_constraints.rotation_deg",
      "ALD_CONSTRAINTS_LOCK_ROTATION", 2)
    let rule: CameraConstraints.ExtentRule = try enumerator(
      given.extent_rule, "ald_constraints.extent_rule", "ald_extent_rule", 2)
    let reference = try resolveOptional(given.spatial_reference, 2, with: view)
    try blamingAll(2) { () throws(EngineError) in
      let extent =
        hasExtent ? try view.map.box(Envelope(given.max_extent), from: reference) : nil
      try view.setConstraints(
        CameraConstraints(
          minScale: given.min_scale == 0 ? nil : given.min_scale,
          maxScale: given.max_scale == 0 ? nil : given.max_scale, maxExtent: extent, extentRule: rule,
          lockedRotation: isLocked ? given.rotation_deg : nil,
          isElastic: given.flags & ALD_CONSTRAINTS_RUBBER_BAND != 0))
    }
  }
}

@_cdecl("ald_view_get_constraints") @implementation
public func ald_view_get_constraints(
  _ view: ald_view, _ out_constraints: Out<ald_constraints>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(view, out_constraints, argument: 2, error) { (view) throws(EngineError) in
    let known = view.constraints
    var result = ald_constraints()
    result.flags = bits(
      (known.maxExtent != nil, ALD_CONSTRAINTS_HAS_EXTENT),
      (known.lockedRotation != nil, ALD_CONSTRAINTS_LOCK_ROTATION),
      (known.isElastic, ALD_CONSTRAINTS_RUBBER_BAND))
    result.min_scale = known.minScale ?? 0
    result.max_scale = known.maxScale ?? 0
    result.extent_rule = known.extentRule.rawValue
    result.max_extent = known.maxExtent.map { ald_envelope($0) } ?? ald_envelope()
    result.rotation_deg = known.lockedRotation.map(Camera.normalised) ?? 0
    return result
  }
}

@_cdecl("ald_view_move") @implementation
public func ald_view_move(
  _ view: ald_view, _ viewpoint: In<ald_viewpoint>, _ padding: In<ald_insets>, _ out_plan: Out<ald_camera_plan>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let given = try readViewpoint(viewpoint, view, 2)
    try move(view, given, padding, out_plan, blamed: 2, paddingArgument: 3)
  }
}

@_cdecl("ald_view_plan_move") @implementation
public func ald_view_plan_move(
  _ view: ald_view, _ viewpoint: In<ald_viewpoint>, _ padding: In<ald_insets>, _ out_plan: Out<ald_camera_plan>,
  _ error: Out<ald_error>
) -> ald_status {
  enterFilling(view, out_plan, argument: 4, error) { (view) throws(EngineError) in
    let given = try readViewpoint(viewpoint, view, 2)
    let target = try target(view, given, padding, blamed: 2, paddingArgument: 3)
    let plan = try blaming(2, try view.plan(target))
    return ald_camera_plan(plan)
  }
}

@_cdecl("ald_view_zoom_to_envelope") @implementation
public func ald_view_zoom_to_envelope(
  _ view: ald_view, _ envelope: ald_envelope, _ spatial_reference: ald_spatial_reference, _ padding: In<ald_insets>,
  _ out_plan: Out<ald_camera_plan>, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let reference = try resolveOptional(spatial_reference, 3, with: view)
    let viewpoint = Viewpoint(extent: Envelope(envelope), spatialReference: reference)
    try move(view, viewpoint, padding, out_plan, blamed: 2, paddingArgument: 4)
  }
}

@_cdecl("ald_view_zoom_to_geometry") @implementation
public func ald_view_zoom_to_geometry(
  _ view: ald_view, _ geometry: ald_geometry, _ padding: In<ald_insets>, _ out_plan: Out<ald_camera_plan>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let geometry = try resolve(geometry, 2, with: view)
    try move(view, Viewpoint(geometry: geometry), padding, out_plan, blamed: 2, paddingArgument: 3)
  }
}

/// Moves a view, and reports the result if the host asks for it.
private func move(
  _ view: MapView, _ viewpoint: Viewpoint, _ padding: In<ald_insets>, _ out_plan: Out<ald_camera_plan>, blamed: Int32,
  paddingArgument: Int32
) throws(EngineError) {
  let out = try optionalOut(out_plan, paddingArgument &+ 1)
  let target = try target(view, viewpoint, padding, blamed: blamed, paddingArgument: paddingArgument)
  let plan = try blaming(blamed, try view.move(to: target))
  write(ald_camera_plan(plan), to: out)
}

/// The target of a move; its padding leaves space.
func target(
  _ view: MapView, _ viewpoint: Viewpoint, _ padding: In<ald_insets>, blamed: Int32, paddingArgument: Int32
) throws(EngineError) -> CameraTarget {
  let target = try blaming(blamed, try view.target(for: viewpoint, padding: insets(padding)))
  try blaming(paddingArgument, try view.check(padding: target.padding))
  return target
}

/// Four sides; nothing for NULL.
func insets(_ sides: In<ald_insets>) -> Insets {
  guard let sides = sides?.pointee else { return Insets() }
  return Insets(top: sides.top_dip, right: sides.right_dip, bottom: sides.bottom_dip, left: sides.left_dip)
}

extension ald_insets {
  init(_ insets: Insets) {
    self.init(top_dip: insets.top, right_dip: insets.right, bottom_dip: insets.bottom, left_dip: insets.left)
  }
}

extension ald_camera_plan {
  init(_ plan: CameraPlan) {
    let nowhere = Insets(top: .nan, right: .nan, bottom: .nan, left: .nan)
    self.init(
      struct_size: 0, clamps: plan.clamps.rawValue, center: ald_point(plan.camera.center), scale: plan.camera.scale,
      rotation_deg: plan.camera.rotation, turn_deg: plan.turn, wanted_center: ald_point(plan.wanted.center),
      wanted_scale: plan.wanted.scale, wanted_rotation_deg: plan.wanted.rotation,
      margins: ald_insets(plan.margins ?? nowhere))
  }
}

/// Where a host wants a view to look.
func readViewpoint(
  _ pointer: In<ald_viewpoint>, _ owner: HandleObject, _ argument: Int32
) throws(EngineError) -> Viewpoint {
  guard let pointer else { throw missing("viewpoint", argument) }
  let given = try read(pointer, "ald_viewpoint", argument, zero: ald_viewpoint())
  try requireFlags(
    given.fields,
    known: ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE | ALD_VIEWPOINT_HAS_ROTATION | ALD_VIEWPOINT_HAS_EXTENT
      | ALD_VIEWPOINT_HAS_GEOMETRY, "ald_viewpoint.fields", argument)
  var target = Viewpoint()
  target.spatialReference = try resolveOptional(given.spatial_reference, argument, with: owner)
  let name = "ald_viewpoint"
  func has(_ bit: UInt32, _ isZero: Bool, _ field: String, _ flag: String) throws(EngineError) -> Bool {
    try isGiven(given.fields & bit != 0, orZero: isZero, "\(name).\(field)", "ALD_VIEWPOINT_\(flag)", argument)
  }
  if try has(ALD_VIEWPOINT_HAS_CENTER, given.center.x == 0 && given.center.y == 0, "center", "HAS_CENTER") {
    target.center = Point(given.center)
  }
  if try has(ALD_VIEWPOINT_HAS_SCALE, given.scale == 0, "scale", "HAS_SCALE") { target.scale = given.scale }
  if try has(ALD_VIEWPOINT_HAS_ROTATION, given.rotation_deg == 0, "rotation_deg", "HAS_ROTATION") {
    target.rotation = given.rotation_deg
  }
  if try has(ALD_VIEWPOINT_HAS_EXTENT, isZero(given.extent), "extent", "HAS_EXTENT") {
    for point in [
      ald_point(x: given.extent.x_min, y: given.extent.y_min),
      ald_point(x: given.extent.x_max, y: given.extent.y_max),
    ] {
      try requireFinite(point, "A corner of \(name).extent", argument)
    }
    target.extent = Envelope(given.extent)
  }
  // A stale handle is blamed before a forgotten bit, as in any other field.
  let geometry = try resolveOptional(given.geometry, argument)
  if try has(ALD_VIEWPOINT_HAS_GEOMETRY, geometry == nil, "geometry", "HAS_GEOMETRY") {
    target.geometry = try resolve(given.geometry, argument)
  }
  try requireSameRuntime(owner, target.geometry, argument)
  return target
}
