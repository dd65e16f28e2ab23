import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import AlidadeMap
import CAlidade

@_cdecl("ald_viewpoint_create_from_location") @implementation
public func ald_viewpoint_create_from_location(
  _ runtime: ald_runtime, _ latitude_deg: Double, _ longitude_deg: Double, _ scale: Double,
  _ out_viewpoint: UnsafeMutablePointer<ald_viewpoint>?,
  _ out_spatial_reference: UnsafeMutablePointer<ald_spatial_reference>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  out_spatial_reference?.pointee.id = 0
  return enter(error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    try requireRange(latitude_deg, -90...90, "latitude_deg", 2)
    try requireRange(longitude_deg, -360...360, "longitude_deg", 3)
    try requireRange(scale, Camera.scales, "scale", 4)
    let out = try requireOut(out_viewpoint, "ald_viewpoint", 5)
    guard let out_spatial_reference else { throw missing("out_spatial_reference", 6) }
    let viewpoint = try Viewpoint(latitude: latitude_deg, longitude: longitude_deg, scale: scale, runtime: runtime)
    let made = try ald_viewpoint(giving: viewpoint)
    out_spatial_reference.pointee = made.spatial_reference
    write(made, to: out)
  }
}

@_cdecl("ald_viewpoint_create_from_json") @implementation
public func ald_viewpoint_create_from_json(
  _ runtime: ald_runtime, _ viewpoint_json: UnsafePointer<CChar>?,
  _ out_viewpoint: UnsafeMutablePointer<ald_viewpoint>?,
  _ out_spatial_reference: UnsafeMutablePointer<ald_spatial_reference>?,
  _ out_geometry: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  out_spatial_reference?.pointee.id = 0
  out_geometry?.pointee.id = 0
  return enter(error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let text = try inputText(viewpoint_json, "viewpoint_json", 2)
    let out = try requireOut(out_viewpoint, "ald_viewpoint", 3)
    guard let out_spatial_reference else { throw missing("out_spatial_reference", 4) }
    guard let out_geometry else { throw missing("out_geometry", 5) }
    let viewpoint = try blaming(2) { () throws(EngineError) in try Viewpoint(json: text, runtime: runtime) }
    let made = try ald_viewpoint(giving: viewpoint)
    out_spatial_reference.pointee = made.spatial_reference
    out_geometry.pointee = made.geometry
    write(made, to: out)
  }
}

@_cdecl("ald_viewpoint_json") @implementation
public func ald_viewpoint_json(
  _ runtime: ald_runtime, _ viewpoint: UnsafePointer<ald_viewpoint>?, _ buffer: UnsafeMutablePointer<CChar>?,
  _ capacity: Int, _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let given = try readViewpoint(viewpoint, runtime, 2)
    try requireTextRoom(buffer, capacity, out_size, bufferArgument: 3)
    let text = try blaming(2) { () throws(EngineError) in try given.jsonText() }
    try copyOut(text, buffer, capacity, out_size, bufferArgument: 3)
  }
}

@_cdecl("ald_view_get_viewpoint") @implementation
public func ald_view_get_viewpoint(
  _ view: ald_view, _ out_viewpoint: UnsafeMutablePointer<ald_viewpoint>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    let out = try requireOut(out_viewpoint, "ald_viewpoint", 2)
    let frame = try view.frame()
    let viewpoint = Viewpoint(
      center: frame.center, spatialReference: frame.spatialReference, scale: frame.scale, rotation: frame.rotation)
    write(try ald_viewpoint(lending: viewpoint), to: out)
  }
}

@_cdecl("ald_view_create_visible_area") @implementation
public func ald_view_create_visible_area(
  _ view: ald_view, _ viewpoint: UnsafePointer<ald_viewpoint>?, _ out_geometry: UnsafeMutablePointer<ald_geometry>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_geometry, argument: 3, error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    guard viewpoint != nil else { return try view.visibleArea() }
    let given = try readViewpoint(viewpoint, view, 2)
    return try blaming(2) { () throws(EngineError) in try view.visibleArea(after: try view.target(for: given)) }
  }
}

// MARK: Maps

@_cdecl("ald_map_set_initial_viewpoint_to") @implementation
public func ald_map_set_initial_viewpoint_to(
  _ map: ald_map, _ viewpoint: UnsafePointer<ald_viewpoint>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    let given = viewpoint == nil ? nil : try readViewpoint(viewpoint, map, 2)
    try blaming(2) { () throws(EngineError) in try map.setInitialViewpoint(given) }
  }
}

@_cdecl("ald_map_get_initial_viewpoint") @implementation
public func ald_map_get_initial_viewpoint(
  _ map: ald_map, _ out_viewpoint: UnsafeMutablePointer<ald_viewpoint>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    let out = try requireOut(out_viewpoint, "ald_viewpoint", 2)
    guard let viewpoint = map.initialViewpoint else {
      throw EngineError(.notFound, "The map has no initial viewpoint: views look at its lowest layer.", argument: 1)
    }
    write(try ald_viewpoint(lending: viewpoint), to: out)
  }
}

@_cdecl("ald_map_add_bookmark") @implementation
public func ald_map_add_bookmark(
  _ map: ald_map, _ new_bookmark_name: UnsafePointer<CChar>?, _ viewpoint: UnsafePointer<ald_viewpoint>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    let name = try string(new_bookmark_name, "new_bookmark_name", 2)
    let given = try readViewpoint(viewpoint, map, 3)
    try blaming(3) { () throws(EngineError) in try given.check() }
    try blaming(2) { () throws(EngineError) in try map.addBookmark(name, given) }
  }
}

@_cdecl("ald_map_remove_bookmark") @implementation
public func ald_map_remove_bookmark(
  _ map: ald_map, _ bookmark_name: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    let name = try string(bookmark_name, "bookmark_name", 2)
    try blaming(2) { () throws(EngineError) in try map.removeBookmark(name) }
  }
}

@_cdecl("ald_map_bookmark_count") @implementation
public func ald_map_bookmark_count(
  _ map: ald_map, _ out_count: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    guard let out_count else { throw missing("out_count", 2) }
    out_count.pointee = UInt32(clamping: map.bookmarks.count)
  }
}

@_cdecl("ald_map_bookmark_name") @implementation
public func ald_map_bookmark_name(
  _ map: ald_map, _ index: UInt32, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let bookmarks = try resolve(map, 1).bookmarks
    let position = Int(truncatingIfNeeded: index)
    guard position < bookmarks.count else {
      throw EngineError(
        .notFound, "There is no bookmark \(index); the map has \(bookmarks.count), from 0.", argument: 2)
    }
    try copyOut(bookmarks[position].name, buffer, capacity, out_size, bufferArgument: 3)
  }
}

@_cdecl("ald_map_get_bookmark") @implementation
public func ald_map_get_bookmark(
  _ map: ald_map, _ bookmark_name: UnsafePointer<CChar>?, _ out_viewpoint: UnsafeMutablePointer<ald_viewpoint>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    let name = try string(bookmark_name, "bookmark_name", 2)
    let out = try requireOut(out_viewpoint, "ald_viewpoint", 3)
    let viewpoint = try blaming(2) { () throws(EngineError) in try map.bookmark(name) }
    write(try ald_viewpoint(lending: viewpoint), to: out)
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
    if let reference = viewpoint.spatialReference { spatial_reference.id = try HandleTable.shared.lend(reference) }
    if let lent = viewpoint.geometry { geometry.id = try HandleTable.shared.lend(lent) }
  }

  private init(_ viewpoint: Viewpoint) {
    self.init()
    if let center = viewpoint.center {
      fields |= UInt32(truncatingIfNeeded: ALD_VIEWPOINT_HAS_CENTER)
      self.center = ald_point(center)
    }
    if let scale = viewpoint.scale {
      fields |= UInt32(truncatingIfNeeded: ALD_VIEWPOINT_HAS_SCALE)
      self.scale = scale
    }
    if let rotation = viewpoint.rotation {
      fields |= UInt32(truncatingIfNeeded: ALD_VIEWPOINT_HAS_ROTATION)
      rotation_deg = rotation
    }
    if let extent = viewpoint.extent {
      fields |= UInt32(truncatingIfNeeded: ALD_VIEWPOINT_HAS_EXTENT)
      self.extent = ald_envelope(extent)
    }
    if viewpoint.geometry != nil { fields |= UInt32(truncatingIfNeeded: ALD_VIEWPOINT_HAS_GEOMETRY) }
  }
}
