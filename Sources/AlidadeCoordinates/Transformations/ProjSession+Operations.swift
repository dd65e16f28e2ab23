import CPROJ
import Glibc

/// A box in degrees, as an authority gives an area of use; not across the antimeridian.
struct AreaBox {
  var west: Double
  var south: Double
  var east: Double
  var north: Double
  var isOffshore: Bool

  var isWorld: Bool { west == -180 && east == 180 && south == -90 && north == 90 }
}

// The operations that PROJ has between two systems, and where they are meant to be used. The settings are the settings
// of `proj_create_crs_to_crs`, so that the choice is PROJ's own. Call inside the gate.
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
    // PROJ orders only ends that have horizontal axes. If the other system is only vertical, latitude comes first.
    let swap = "+proj=axisswap +order=2,1"
    guard let source, let target else { return text }
    let (begin, end) = (
      isVertical(source) && isNorthFirst(target), isVertical(target) && isNorthFirst(source)
    )
    let before = begin ? swap : turnedAxes(of: source)?.swap
    let after = end ? swap : turnedAxes(of: target)?.swapBack
    guard before != nil || after != nil else { return text }
    return try? Transformation.pipeline(of: [before, text, after].compactMap(\.self))
  }

  /// The axes of longitude and latitude as PROJ leaves them, if one goes to the west or south; nil for all others.
  private func turnedAxes(of system: ProjObject) -> TurnedAxes? {
    switch proj_get_type(system.pointer) {
    case PJ_TYPE_GEOGRAPHIC_2D_CRS, PJ_TYPE_GEOGRAPHIC_3D_CRS:
      // Nearly all have none, and are not put in order only to find that out.
      guard directions(of: system).contains(where: { $0 == "west" || $0 == "south" }),
        let inOrder = ProjObject(proj_normalize_for_visualization(context, system.pointer), in: self)
      else { return nil }
      return TurnedAxes(directions(of: inOrder))
    case PJ_TYPE_COMPOUND_CRS:
      return ProjObject(proj_crs_get_sub_crs(context, system.pointer, 0), in: self).flatMap(turnedAxes)
    case PJ_TYPE_BOUND_CRS:
      return ProjObject(proj_get_source_crs(context, system.pointer), in: self).flatMap(turnedAxes)
    default: return nil
    }
  }

  /// Where the first two axes of a system go, in PROJ's words.
  private func directions(of system: ProjObject) -> [String] {
    guard let axes = ProjObject(proj_crs_get_coordinate_system(context, system.pointer), in: self) else { return [] }
    return (Int32(0)...1).map { number in
      var direction: UnsafePointer<CChar>?
      let isKnown = proj_cs_get_axis_info(context, axes.pointer, number, nil, nil, &direction, nil, nil, nil, nil)
      return isKnown != 0 ? direction.map { String(cString: $0) } ?? "" : ""
    }
  }

  /// Whether PROJ cannot put longitude and latitude in order: its operations take and give them in another one.
  func hasTurnedAxes(_ system: ProjObject) -> Bool { turnedAxes(of: system) != nil }

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

/// Axes of which at least one goes to the west or south, as on maps of other planets: PROJ puts only north and east in
/// order.
private struct TurnedAxes {
  /// For each axis 1 for east and 2 for north, negative for the opposite.
  private let order: [Int]

  init?(_ directions: [String]) {
    let known = ["east": 1, "west": -1, "north": 2, "south": -2]
    order = directions.compactMap { known[$0] }
    guard order.map(\.magnitude).sorted() == [1, 2], order != [1, 2] else { return nil }
  }

  /// From x east and y north to these axes.
  var swap: String { Self.text(order) }

  var swapBack: String {
    var back = [0, 0]
    for (place, axis) in order.enumerated() { back[abs(axis) &- 1] = axis.signum() &* (place &+ 1) }
    return Self.text(back)
  }

  private static func text(_ order: [Int]) -> String { "+proj=axisswap +order=\(order[0]),\(order[1])" }
}

/// Whether a text holds another one.
func contains(_ text: String, _ part: String) -> Bool {
  let (text, part) = (Array(text.utf8), Array(part.utf8))
  guard text.count >= part.count else { return false }
  return (0...(text.count &- part.count)).contains { text[$0..<($0 &+ part.count)].elementsEqual(part) }
}

/// Map projections that PROJ takes for others, computed as EPSG has them: IOGP's Guidance Note 7-2 names the formulas.
///
/// - Method 9803, Lambert Conic Conformal (2SP Belgium): PROJ leaves out the turn by 29.2985 seconds around the cone's
///   apex (745 m in Belgium). A turn around the apex is a shift of the longitude of the false origin.
/// - Method 1028, Equidistant Cylindrical, of EPSG's own systems (EPSG:4087): PROJ computes it on a sphere of the
///   equator's radius (25 km). What other texts call so was mostly made with these formulas of PROJ's, and stays.
/// - Methods 1027 and 9834, equal areas on the sphere, of systems with an ellipsoid (EPSG:9311): PROJ 9.1 computes them
///   on the ellipsoid (8 km). Newer ones take the sphere with the ellipsoid's surface, as EPSG does.
extension ProjSession {
  /// A pipeline of PROJ's with the steps of such projections put right. Call inside the gate.
  ///
  /// - Parameter systems: those that the pipeline leads from and to.
  func asEPSGHasIt(_ pipeline: String, between systems: [ProjObject]) -> String {
    var pipeline = pipeline
    for system in systems {
      if let method = method(of: system) { pipeline = method.replacing(in: pipeline) }
    }
    return pipeline
  }

  /// Whether a system is computed by formulas that are not PROJ's. Call inside the gate.
  func hasEPSGFormulas(_ system: ProjObject) -> Bool { method(of: system) != nil }

  private func method(of system: ProjObject) -> EPSGMethod? {
    guard let projected = projectedPart(of: system),
      let conversion = ProjObject(proj_crs_get_coordoperation(context, projected.pointer), in: self)
    else { return nil }
    return EPSGMethod(conversion, of: projected)
  }

  /// The projected system in a compound or bound one; nil if there is none.
  private func projectedPart(of system: ProjObject) -> ProjObject? {
    switch proj_get_type(system.pointer) {
    case PJ_TYPE_PROJECTED_CRS: return system
    case PJ_TYPE_COMPOUND_CRS:
      return ProjObject(proj_crs_get_sub_crs(context, system.pointer, 0), in: self).flatMap(projectedPart)
    case PJ_TYPE_BOUND_CRS:
      return ProjObject(proj_get_source_crs(context, system.pointer), in: self).flatMap(projectedPart)
    default: return nil
    }
  }
}

/// A projection whose formulas are EPSG's and not PROJ's.
private enum EPSGMethod {
  case lambertBelgium(LambertBelgium)
  case equidistantCylindrical(EquidistantCylindrical)
  case authalicSphere(AuthalicSphere)

  init?(_ conversion: ProjObject, of system: ProjObject) {
    let context = conversion.session.context
    var (name, authority, code): (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?)
    guard proj_coordoperation_get_method_info(context, conversion.pointer, &name, &authority, &code) != 0,
      authority.map({ String(cString: $0) }) == "EPSG", let code
    else { return nil }
    guard let ellipsoid = ProjObject(proj_get_ellipsoid(context, system.pointer), in: system.session) else {
      return nil
    }
    let parameters = Self.parameters(conversion, ellipsoid)
    switch String(cString: code) {
    case "9803": self = .lambertBelgium(LambertBelgium(parameters: parameters))
    case "1028":
      let owner = proj_get_id_auth_name(system.pointer, 0).map { String(cString: $0) }
      guard owner == "EPSG" else { return nil }
      self = .equidistantCylindrical(EquidistantCylindrical(parameters: parameters))
    case "1027" where parameters.eccentricity > 0:
      self = .authalicSphere(AuthalicSphere(projection: "laea", latitude: ("lat_0", "8801"), parameters: parameters))
    case "9834" where parameters.eccentricity > 0:
      self = .authalicSphere(AuthalicSphere(projection: "cea", latitude: ("lat_ts", "8823"), parameters: parameters))
    default: return nil
    }
  }

  private static func parameters(_ conversion: ProjObject, _ ellipsoid: ProjObject) -> MethodParameters {
    let context = conversion.session.context
    var result = MethodParameters()
    var inverseFlattening = 0.0
    proj_ellipsoid_get_parameters(context, ellipsoid.pointer, &result.semiMajorAxis, nil, nil, &inverseFlattening)
    let flattening = inverseFlattening > 0 ? 1 / inverseFlattening : 0
    result.eccentricity = (flattening * (2 - flattening)).squareRoot()
    for index in 0..<proj_coordoperation_get_param_count(context, conversion.pointer) {
      var (code, category): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
      var (value, factor) = (0.0, 1.0)
      let isKnown = proj_coordoperation_get_param(
        context, conversion.pointer, index, nil, nil, &code, &value, nil, &factor, nil, nil, nil, &category)
      guard isKnown != 0, let code, let category else { continue }
      let isAngle = strcmp(category, "angular") == 0
      result.values[String(cString: code)] = value * factor * (isAngle ? 180 / .pi : 1)
    }
    return result
  }

  /// A pipeline with this projection's steps replaced. Steps of another system of the same kind stay.
  func replacing(in pipeline: String) -> String {
    let prefix = "+proj=pipeline "
    let body = pipeline.hasPrefix(prefix) ? String(pipeline.dropFirst(prefix.count)) : "+step " + pipeline
    var hasChanged = false
    let steps = ProjectionStep.all(in: body).flatMap { step -> [ProjectionStep] in
      let replacement: [ProjectionStep]?
      switch self {
      case .lambertBelgium(let lambert): replacement = lambert.replacement(for: step)
      case .equidistantCylindrical(let cylinder): replacement = cylinder.replacement(for: step)
      case .authalicSphere(let sphere): replacement = sphere.replacement(for: step)
      }
      if replacement != nil { hasChanged = true }
      return replacement ?? [step]
    }
    return hasChanged ? prefix + steps.map(\.text).joined(separator: " ") : pipeline
  }
}

private struct MethodParameters {
  /// By EPSG's codes, in degrees and metres.
  var values: [String: Double] = [:]
  var semiMajorAxis = 0.0
  var eccentricity = 0.0

  subscript(_ code: String) -> Double? { values[code] }
}

/// A step of a pipeline.
private struct ProjectionStep {
  /// "+proj=...", "+lon_0=..." and so on, without "+step" and "+inv".
  var words: [String]
  var isInverse: Bool

  var text: String { (["+step"] + (isInverse ? ["+inv"] : []) + words).joined(separator: " ") }

  static func all(in body: String) -> [ProjectionStep] {
    var steps: [ProjectionStep] = []
    for word in body.split(separator: " ") {
      if word == "+step" {
        steps.append(ProjectionStep(words: [], isInverse: false))
      } else if word == "+inv", !steps.isEmpty {
        steps[steps.count &- 1].isInverse = true
      } else if !steps.isEmpty {
        steps[steps.count &- 1].words.append(String(word))
      }
    }
    return steps
  }

  func value(_ key: String) -> String? {
    words.first { $0.hasPrefix("+\(key)=") }.map { String($0.dropFirst(key.utf8.count &+ 2)) }
  }

  /// Whether a number of the step is a given one, as far as PROJ writes it.
  func has(_ key: String, _ number: Double?) -> Bool {
    guard let number, let text = value(key), let written = Double(text) else { return number == 0 && value(key) == nil }
    return abs(written - number) <= 1e-11 * max(1, abs(number))
  }

  mutating func set(_ key: String, _ number: Double) {
    words = words.map { $0.hasPrefix("+\(key)=") ? "+\(key)=\(number)" : $0 }
  }

  /// The words that describe the ellipsoid.
  var ellipsoid: [String] {
    words.filter { word in ["+ellps=", "+a=", "+b=", "+rf=", "+R=", "+f=", "+es="].contains(where: word.hasPrefix) }
  }
}

/// Guidance Note 7-2, 3.1.1.4: theta is lessened by `turn`, and theta is n times the difference in longitude.
private struct LambertBelgium {
  /// 29.2985 seconds, in degrees.
  private static let turn = 29.2985 / 3600
  let parameters: MethodParameters

  func replacement(for step: ProjectionStep) -> [ProjectionStep]? {
    guard step.value("proj") == "lcc", step.has("lon_0", parameters["8822"]), step.has("lat_1", parameters["8823"]),
      step.has("lat_2", parameters["8824"]), step.has("x_0", parameters["8826"]),
      step.has("y_0", parameters["8827"]), let first = parameters["8823"], let second = parameters["8824"],
      let longitude = parameters["8822"]
    else { return nil }
    let cone = Self.cone(first * .pi / 180, second * .pi / 180, parameters.eccentricity)
    var step = step
    step.set("lon_0", longitude + Self.turn / cone)
    return [step]
  }

  /// n of the guidance note, by the eccentricity e.
  private static func cone(_ first: Double, _ second: Double, _ e: Double) -> Double {
    func m(_ latitude: Double) -> Double { cos(latitude) / (1 - e * e * sin(latitude) * sin(latitude)).squareRoot() }
    func t(_ latitude: Double) -> Double {
      tan(.pi / 4 - latitude / 2) / pow((1 - e * sin(latitude)) / (1 + e * sin(latitude)), e / 2)
    }
    if abs(first - second) < 1e-10 { return sin(first) }
    return (log(m(first)) - log(m(second))) / (log(t(first)) - log(t(second)))
  }
}

/// Guidance Note 7-2, 3.2.5: the easting is the longitude times the radius of the standard parallel, and the northing the
/// arc of the meridian, which PROJ's sinusoidal projection has, too.
private struct EquidistantCylindrical {
  let parameters: MethodParameters

  func replacement(for step: ProjectionStep) -> [ProjectionStep]? {
    guard step.value("proj") == "eqc", step.has("lat_ts", parameters["8823"]), step.has("lon_0", parameters["8802"]),
      step.has("x_0", parameters["8806"]), step.has("y_0", parameters["8807"]), step.has("lat_0", 0),
      let latitude = parameters["8823"], let longitude = parameters["8802"], let easting = parameters["8806"],
      let northing = parameters["8807"]
    else { return nil }
    let (sine, cosine) = (parameters.eccentricity * sin(latitude * .pi / 180), cos(latitude * .pi / 180))
    let radius = parameters.semiMajorAxis * cosine / (1 - sine * sine).squareRoot()
    let forward = [
      // The longitude from the central meridian, within half a turn of it.
      ["+proj=longlat", "+lon_0=\(longitude)"] + step.ellipsoid,
      ["+proj=push", "+v_1"], ["+proj=sinu"] + step.ellipsoid, ["+proj=pop", "+v_1"],
      ["+proj=affine", "+s11=\(radius)", "+xoff=\(easting)", "+yoff=\(northing)"],
    ].map { ProjectionStep(words: $0, isInverse: step.isInverse) }
    return step.isInverse ? forward.reversed() : forward
  }
}

/// Guidance Note 7-2, 3.3.3.1 and 3.2.7.2: the formulas of the sphere, on that with the ellipsoid's surface.
private struct AuthalicSphere {
  let projection: String
  /// PROJ's word and EPSG's code for the latitude that the projection has.
  let latitude: (word: String, code: String)
  let parameters: MethodParameters

  func replacement(for step: ProjectionStep) -> [ProjectionStep]? {
    guard step.value("proj") == projection, step.has(latitude.word, parameters[latitude.code]),
      step.has("lon_0", parameters["8802"]), step.has("x_0", parameters["8806"]), step.has("y_0", parameters["8807"]),
      !step.words.contains("+R_A")
    else { return nil }
    var step = step
    step.words.append("+R_A")
    return [step]
  }
}
