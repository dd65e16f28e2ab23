import AlidadeBase
import CPROJ

/// A grid file that a step of a transformation needs.
public struct TransformationGrid: Sendable, Equatable {
  /// The name by which PROJ asks for it, such as "de_adv_BETA2007.tif".
  public var name: String
  /// The name by which the authority knows it, such as "BETA2007.gsb"; PROJ takes either. Empty if it is the same.
  public var authorityName: String
  /// Where it was found; empty if it was not.
  public var path: String
  /// The package of grids that holds it; empty if PROJ knows none.
  public var package: String
  /// Where it can be had; empty if PROJ does not know.
  public var url: String
  /// The URL leads to the file itself.
  public var isDirectDownload: Bool
  /// Its licence is an open one.
  public var hasOpenLicense: Bool
  public var isAvailable: Bool
}

/// One step of a transformation, in the order in which it is taken.
public struct TransformationStep: Sendable, Equatable {
  public var name: String
  /// "EPSG", ...; empty if the step has no code.
  public var authority: String
  public var code: String
  public var method: String
  /// The step is taken against the direction in which the authority defines it.
  public var isInverse: Bool
  /// A map projection, a change of unit or of axes: exact, and no change of datum.
  public var isConversion: Bool
  /// Metres; NaN if it is not known.
  public var accuracy: Double
  /// WKT 2 (2019); empty if PROJ cannot write it.
  public var wkt: String
  public var grids: [TransformationGrid]
}

/// What a transformation says, whatever grids there are.
struct OperationFacts: Sendable {
  var name: String
  var authority: String
  var code: String
  /// Metres; NaN if it is not known.
  var accuracy: Double
  /// nil if PROJ does not know.
  var area: GeographicBox?
  var areaName: String
  var scope: String
  var remarks: String
  var isBallpark: Bool
  var isDeprecated: Bool
  var steps: [TransformationStep]
  /// WKT 2 (2019), which PROJ makes the same operation from again.
  var wkt: String
  /// The PROJ string that is run, with x east and y north in the units of the two systems; empty if there is none.
  var pipeline: String

  /// Reads PROJ's object. Call inside the gate.
  init(_ operation: ProjObject) {
    let session = operation.session
    let context = session.context
    name = Self.text(proj_get_name(operation.pointer))
    (authority, code, _) = Self.identifier(operation)
    let accuracy = Self.accuracy(operation)
    scope = Self.text(proj_get_scope(operation.pointer))
    remarks = Self.text(proj_get_remarks(operation.pointer))
    isBallpark = proj_coordoperation_has_ballpark_transformation(context, operation.pointer) != 0
    isDeprecated = proj_is_deprecated(operation.pointer) != 0
    (area, areaName) = Self.area(operation)
    steps = Self.parts(operation).map { TransformationStep($0) }
    // PROJ knows no accuracy of conversions, which are exact.
    self.accuracy = accuracy.isNaN && steps.allSatisfy(\.isConversion) ? 0 : accuracy
    wkt = Self.text(proj_as_wkt(context, operation.pointer, PJ_WKT2_2019, nil))
    pipeline = session.pipeline(of: operation) ?? ""
  }

  /// The steps of a concatenated operation, or the operation itself.
  static func parts(_ operation: ProjObject) -> [ProjObject] {
    let context = operation.session.context
    let count = proj_concatoperation_get_step_count(context, operation.pointer)
    guard count > 0 else { return [operation] }
    return (0..<count).compactMap { index in
      ProjObject(proj_concatoperation_get_step(context, operation.pointer, index), in: operation.session)
    }
  }

  private static func area(_ operation: ProjObject) -> (GeographicBox?, String) {
    var (west, south, east, north) = (0.0, 0.0, 0.0, 0.0)
    var name: UnsafePointer<CChar>?
    guard
      proj_get_area_of_use(
        operation.session.context, operation.pointer, &west, &south, &east, &north, &name) != 0,
      west > -1000, south > -1000
    else { return (nil, Self.text(name)) }
    return (GeographicBox(west: west, south: south, east: east, north: north), Self.text(name))
  }

  fileprivate static func accuracy(_ operation: ProjObject) -> Double {
    let accuracy = proj_coordoperation_get_accuracy(operation.session.context, operation.pointer)
    return accuracy < 0 ? .nan : accuracy
  }

  /// Authority and code, and whether they belong to the inverse: PROJ says "INVERSE(EPSG)", and "DERIVED_FROM(EPSG)"
  /// where it replaces the authority's grid file by its own.
  fileprivate static func identifier(_ operation: ProjObject) -> (String, String, Bool) {
    var authority = Self.text(proj_get_id_auth_name(operation.pointer, 0))
    let code = Self.text(proj_get_id_code(operation.pointer, 0))
    var isInverse = false
    while authority.hasSuffix(")"), let open = authority.firstIndex(of: "(") {
      if authority[..<open] == "INVERSE" { isInverse.toggle() }
      authority = String(authority[authority.index(after: open)...].dropLast())
    }
    return (authority, code, isInverse)
  }

  fileprivate static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }
}

extension TransformationStep {
  /// Reads PROJ's object. Call inside the gate.
  fileprivate init(_ step: ProjObject) {
    let context = step.session.context
    name = OperationFacts.text(proj_get_name(step.pointer))
    let identifier = OperationFacts.identifier(step)
    (authority, code) = (identifier.0, identifier.1)
    // Where PROJ has replaced the authority's grid file by its own, the authority's own definition says more.
    let original = Self.authorityDefinition(step, authority: authority, code: code)
    let methodName = Self.methodName(original ?? step)
    isInverse = identifier.2 || name.hasPrefix("Inverse of ")
    method = methodName.hasPrefix("Inverse of ") ? String(methodName.dropFirst(11)) : methodName
    isConversion = proj_get_type(step.pointer) == PJ_TYPE_CONVERSION
    accuracy = isConversion ? 0 : OperationFacts.accuracy(step)
    wkt = OperationFacts.text(proj_as_wkt(context, step.pointer, PJ_WKT2_2019, nil))
    let authorityNames = original.map { Self.texts(ofParametersOf: $0) } ?? []
    grids = (0..<max(0, proj_coordoperation_get_grid_used_count(context, step.pointer))).compactMap { index in
      Self.grid(step, index, authorityNames)
    }
    // PROJ does not count the file of a deformation model or of a triangulation among an operation's grids, and calls the
    // operation instantiable without it.
    for file in Transformation.fileNames(in: methodName) where !grids.contains(where: { $0.name == file }) {
      grids.append(Self.file(file, in: step.session))
    }
  }

  /// A file that only a step's method names. Call inside the gate.
  private static func file(_ name: String, in session: ProjSession) -> TransformationGrid {
    var (path, package, url): (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) = (nil, nil, nil)
    var (direct, open, available): (Int32, Int32, Int32) = (0, 0, 0)
    let isKnown = proj_grid_get_info_from_database(
      session.context, name, &path, &package, &url, &direct, &open, &available)
    return TransformationGrid(
      name: name, authorityName: "", path: OperationFacts.text(path), package: OperationFacts.text(package),
      url: OperationFacts.text(url), isDirectDownload: direct != 0, hasOpenLicense: open != 0,
      isAvailable: isKnown != 0 && available != 0)
  }

  private static func methodName(_ operation: ProjObject) -> String {
    var method: UnsafePointer<CChar>?
    proj_coordoperation_get_method_info(operation.session.context, operation.pointer, &method, nil, nil)
    return OperationFacts.text(method)
  }

  /// Call inside the gate.
  private static func grid(_ step: ProjObject, _ index: Int32, _ authorityNames: [String]) -> TransformationGrid? {
    var (name, path, package, url):
      (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?)
    (name, path, package, url) = (nil, nil, nil, nil)
    var (direct, open, available): (Int32, Int32, Int32) = (0, 0, 0)
    guard
      proj_coordoperation_get_grid_used(
        step.session.context, step.pointer, index, &name, &path, &package, &url, &direct, &open, &available) != 0
    else { return nil }
    let shortName = OperationFacts.text(name)
    let position = Int(truncatingIfNeeded: index)
    let authorityName = position < authorityNames.count ? authorityNames[position] : ""
    return TransformationGrid(
      name: shortName, authorityName: authorityName == shortName ? "" : authorityName,
      path: OperationFacts.text(path), package: OperationFacts.text(package), url: OperationFacts.text(url),
      isDirectDownload: direct != 0, hasOpenLicense: open != 0, isAvailable: available != 0)
  }

  /// The authority's definition of a step that needs grids, its file names unchanged; nil if there is none. Call inside
  /// the gate.
  private static func authorityDefinition(_ step: ProjObject, authority: String, code: String) -> ProjObject? {
    let context = step.session.context
    guard !code.isEmpty, proj_coordoperation_get_grid_used_count(context, step.pointer) > 0 else { return nil }
    return ProjObject(
      proj_create_from_database(context, authority, code, PJ_CATEGORY_COORDINATE_OPERATION, 0, nil), in: step.session)
  }

  /// The parameters that are texts: names of grid files. Call inside the gate.
  private static func texts(ofParametersOf operation: ProjObject) -> [String] {
    let context = operation.session.context
    return (0..<max(0, proj_coordoperation_get_param_count(context, operation.pointer))).compactMap { index in
      var value: UnsafePointer<CChar>?
      guard
        proj_coordoperation_get_param(
          context, operation.pointer, index, nil, nil, nil, nil, &value, nil, nil, nil, nil, nil) != 0
      else { return nil }
      let text = OperationFacts.text(value)
      return text.isEmpty ? nil : text
    }
  }
}
