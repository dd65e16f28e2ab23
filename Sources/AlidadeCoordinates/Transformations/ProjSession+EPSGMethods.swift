import CPROJ
import Glibc

/// Map projections that PROJ takes for others, computed as EPSG has them: IOGP's Guidance Note 7-2 names the formulas.
///
/// - Method 9803, Lambert Conic Conformal (2SP Belgium): PROJ leaves out the turn by 29.2985 seconds around the cone's
///   apex (745 m in Belgium). A turn around the apex is a shift of the longitude of the false origin.
/// - Method 1028, Equidistant Cylindrical, of EPSG's own systems (EPSG:4087): PROJ computes it on a sphere of the
///   equator's radius (25 km). What other texts call so was mostly made with these formulas of PROJ's, and stays.
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

  /// A pipeline with this projection's steps replaced. Those of another system of the same kind stay.
  func replacing(in pipeline: String) -> String {
    let prefix = "+proj=pipeline "
    let body = pipeline.hasPrefix(prefix) ? String(pipeline.dropFirst(prefix.count)) : "+step " + pipeline
    var hasChanged = false
    let steps = ProjectionStep.all(in: body).flatMap { step -> [ProjectionStep] in
      let replacement: [ProjectionStep]?
      switch self {
      case .lambertBelgium(let lambert): replacement = lambert.replacement(for: step)
      case .equidistantCylindrical(let cylinder): replacement = cylinder.replacement(for: step)
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
