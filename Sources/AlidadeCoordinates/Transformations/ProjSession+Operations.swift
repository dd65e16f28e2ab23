import CPROJ

/// A box in degrees, as an authority gives an area of use; not across the antimeridian.
struct AreaBox {
  var west: Double
  var south: Double
  var east: Double
  var north: Double
  var isOffshore: Bool

  var isWorld: Bool { west == -180 && east == 180 && south == -90 && north == 90 }
}

// What PROJ has between two systems, and where it is meant to be used. The settings are those of
// `proj_create_crs_to_crs`, so that the choice comes out as PROJ's own. Call inside the gate.
extension ProjSession {
  /// PROJ's list; nil if it makes none.
  func operations(
    from source: ProjObject, to target: ProjObject, _ grids: PROJ_GRID_AVAILABILITY_USE, allowsBallpark: Bool = true
  ) -> [ProjObject]? {
    guard let factory = proj_create_operation_factory_context(context, nil) else { return nil }
    defer { proj_operation_factory_context_destroy(factory) }
    proj_operation_factory_context_set_allow_ballpark_transformations(context, factory, allowsBallpark ? 1 : 0)
    proj_operation_factory_context_set_spatial_criterion(
      context, factory, PROJ_SPATIAL_CRITERION_PARTIAL_INTERSECTION)
    proj_operation_factory_context_set_grid_availability_use(context, factory, grids)
    guard let list = proj_create_operations(context, source.pointer, target.pointer, factory) else { return nil }
    defer { proj_list_destroy(list) }
    return (0..<max(0, proj_list_get_count(list))).compactMap { index in
      ProjObject(proj_list_get(context, list, index), in: self)
    }
  }

  /// The PROJ string of an operation with x east and y north; nil if there is none. With EPSG's formulas where PROJ has
  /// others.
  func pipeline(of operation: ProjObject) -> String? {
    let source = ProjObject(proj_get_source_crs(context, operation.pointer), in: self)
    let target = ProjObject(proj_get_target_crs(context, operation.pointer), in: self)
    guard let pipeline = pipelineOfPROJ(operation, source, target) else { return nil }
    return asEPSGHasIt(pipeline, between: [source, target].compactMap(\.self))
  }

  private func pipelineOfPROJ(_ operation: ProjObject, _ source: ProjObject?, _ target: ProjObject?) -> String? {
    guard let inOrder = ProjObject(proj_normalize_for_visualization(context, operation.pointer), in: self),
      let words = proj_as_proj_string(context, inOrder.pointer, PJ_PROJ_5, nil)
    else { return nil }
    let text = String(cString: words)
    // PROJ puts only the ends in order that have horizontal axes. Beside a vertical system alone, latitude comes first.
    let swap = "+proj=axisswap +order=2,1"
    guard let source, let target else { return text }
    let (begin, end) = (
      isVertical(source) && isNorthFirst(target), isVertical(target) && isNorthFirst(source)
    )
    guard begin || end else { return text }
    return try? Transformation.pipeline(of: (begin ? [swap] : []) + [text] + (end ? [swap] : []))
  }

  private func isVertical(_ system: ProjObject) -> Bool { proj_get_type(system.pointer) == PJ_TYPE_VERTICAL_CRS }

  /// Whether the authority's order of axes is not east before north.
  private func isNorthFirst(_ system: ProjObject) -> Bool {
    guard let inOrder = ProjObject(proj_normalize_for_visualization(context, system.pointer), in: self) else {
      return false
    }
    return proj_is_equivalent_to_with_ctx(context, system.pointer, inOrder.pointer, PJ_COMP_EQUIVALENT) == 0
  }

  /// The way from longitude and latitude in degrees on a system's own ellipsoid into the system, x east and y north. The
  /// prime meridian is left out of it, and so is the datum: areas of use need no more.
  func fromGeographic(to system: ProjObject) -> ProjObject? {
    guard let geodetic = ProjObject(proj_crs_get_geodetic_crs(context, system.pointer), in: self),
      let datum = ProjObject(proj_crs_get_datum_forced(context, geodetic.pointer), in: self),
      let ellipsoid = ProjObject(proj_get_ellipsoid(context, datum.pointer), in: self),
      let axes = ProjObject(
        proj_create_ellipsoidal_2D_cs(context, PJ_ELLPS2D_LONGITUDE_LATITUDE, nil, 0), in: self)
    else { return nil }
    var (semiMajor, inverseFlattening) = (0.0, 0.0)
    proj_ellipsoid_get_parameters(context, ellipsoid.pointer, &semiMajor, nil, nil, &inverseFlattening)
    guard
      let geographic = ProjObject(
        proj_create_geographic_crs(
          context, "longitude and latitude", "unnamed", proj_get_name(ellipsoid.pointer), semiMajor,
          inverseFlattening, "reference meridian", 0, nil, 0, axes.pointer), in: self),
      let flat = ProjObject(proj_crs_demote_to_2D(context, nil, system.pointer), in: self),
      let ways = operations(from: geographic, to: flat, PROJ_GRID_AVAILABILITY_DISCARD_OPERATION_IF_MISSING_GRID),
      let way = ways.first(where: { proj_coordoperation_get_grid_used_count(context, $0.pointer) == 0 }) ?? ways.first
    else { return nil }
    return ProjObject(proj_normalize_for_visualization(context, way.pointer), in: self)
  }

  /// Where an operation is meant to be used; two boxes across the antimeridian, none if that is not said.
  func boxes(of operation: ProjObject) -> [AreaBox] {
    var box = AreaBox(west: 0, south: 0, east: 0, north: 0, isOffshore: false)
    var name: UnsafePointer<CChar>?
    guard
      proj_get_area_of_use(context, operation.pointer, &box.west, &box.south, &box.east, &box.north, &name) != 0
    else { return [] }
    box.isOffshore = name.map { contains(String(cString: $0), "- offshore") } ?? false
    if box.west <= box.east { return [box] }
    var (west, east) = (box, box)
    west.east = 180
    east.west = -180
    return [west, east]
  }

  /// The box around the image of a box, from points along its edges; nil if none of them has an image.
  func envelope(of box: AreaBox, _ operation: ProjObject) -> Envelope? {
    let largest = Double.greatestFiniteMagnitude
    if box.isWorld { return Envelope(xMin: -largest, yMin: -largest, xMax: largest, yMax: largest) }
    let steps = 20
    let (dx, dy) = ((box.east - box.west) / Double(steps), (box.north - box.south) / Double(steps))
    var result = Envelope(xMin: largest, yMin: largest, xMax: -largest, yMax: -largest)
    for step in 0...steps {
      let (x, y) = (box.west + Double(step) * dx, box.south + Double(step) * dy)
      for corner in [
        Point(x: x, y: box.south), Point(x: x, y: box.north), Point(x: box.west, y: y), Point(x: box.east, y: y),
      ] {
        let image = proj_trans(operation.pointer, PJ_FWD, proj_coord(corner.x, corner.y, 0, .infinity)).xy
        if image.x == .infinity || image.y == .infinity { continue }
        result.xMin = min(result.xMin, image.x)
        result.yMin = min(result.yMin, image.y)
        result.xMax = max(result.xMax, image.x)
        result.yMax = max(result.yMax, image.y)
      }
    }
    proj_errno_reset(operation.pointer)
    return result.xMin <= result.xMax ? result : nil
  }
}

/// Whether a text holds another one.
func contains(_ text: String, _ part: String) -> Bool {
  let (text, part) = (Array(text.utf8), Array(part.utf8))
  guard text.count >= part.count else { return false }
  return (0...(text.count &- part.count)).contains { text[$0..<($0 &+ part.count)].elementsEqual(part) }
}
