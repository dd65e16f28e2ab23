extension FastPath {
  /// The path of a pipeline, as PROJ writes it with x east and y north; nil if there is one word in it that this does
  /// not know, or a step that it has no formula for.
  ///
  /// - Parameter method: of projections whose inverse PROJ may have by approximation.
  convenience init?(pipeline text: String, _ method: InverseMethod = .exact) {
    var builder = FastPathBuilder(method)
    guard let words = FastStepWords.split(text) else { return nil }
    for step in words {
      guard builder.add(step) else { return nil }
    }
    guard builder.isComplete else { return nil }
    self.init(steps: builder.steps)
  }
}

/// How latitudes are found on the way back from a projection, where versions of PROJ differ.
enum InverseMethod: CaseIterable {
  /// To all digits of a Double.
  case exact
  /// As PROJ 9.1 has them: from Lambert's azimuthal equal-area projection by three terms of a series, which leave up to 2
  /// mm; from polar stereographic in steps, which end before a step is less than 1e-10 radians by much.
  case asInPROJ91
}

/// The words of one step. Each is taken once; what nobody takes is unknown.
struct FastStepWords {
  let name: Substring
  let isInverse: Bool
  private var values: [Substring: Substring]

  /// The steps of a pipeline, or of a text that is one step.
  static func split(_ text: String) -> [FastStepWords]? {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\n" }).map {
      $0.hasPrefix("+") ? $0.dropFirst() : $0
    }
    guard words.first == "proj=pipeline" else { return FastStepWords(words[...]).map { [$0] } }
    // Words before the first step would be every step's.
    guard words.count > 2, words[1] == "step" else { return nil }
    var steps: [FastStepWords] = []
    for part in words.dropFirst(2).split(separator: "step", omittingEmptySubsequences: false) {
      guard let step = FastStepWords(part) else { return nil }
      steps.append(step)
    }
    return steps
  }

  private init?(_ words: ArraySlice<Substring>) {
    var values: [Substring: Substring] = [:]
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first, values.updateValue(parts.count > 1 ? parts[1] : "", forKey: key) == nil else {
        return nil
      }
    }
    guard let name = values.removeValue(forKey: "proj"), name != "pipeline" else { return nil }
    let inverse = values.removeValue(forKey: "inv")
    guard inverse == nil || inverse == "" else { return nil }
    self.name = name
    isInverse = inverse != nil
    self.values = values
  }

  /// Whether every word has been taken.
  var isEmpty: Bool { values.isEmpty }

  mutating func text(_ key: Substring) -> Substring? { values.removeValue(forKey: key) }

  /// A flag: there, and without a value.
  mutating func flag(_ key: Substring) -> Bool {
    guard values[key] == "" else { return false }
    values[key] = nil
    return true
  }

  /// A number; the default if the word is missing; nil if it is no plain decimal number. Aliases may not both be there.
  mutating func number(_ key: Substring, or standard: Double) -> Double? {
    guard let text = values.removeValue(forKey: key) else { return standard }
    return Self.number(text)
  }

  /// A number of degrees, in radians.
  mutating func angle(_ key: Substring, or standard: Double = 0) -> Double? {
    number(key, or: standard).map { $0 * FastUnits.degree }
  }

  static func number(_ text: Substring) -> Double? {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
    guard isPlain, let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// By name, or by semi-major axis and shape; nil unless it is said in exactly one way.
  mutating func ellipsoid() -> ReferenceEllipsoid? {
    if let name = text("ellps") { return ReferenceEllipsoid(named: name) }
    if let radius = text("R") {
      return Self.number(radius).flatMap { ReferenceEllipsoid(semiMajorAxis: $0, flattening: 0) }
    }
    guard let axis = text("a").flatMap(Self.number) else { return nil }
    if let inverse = text("rf") {
      return Self.number(inverse).flatMap { ReferenceEllipsoid(semiMajorAxis: axis, flattening: 1 / $0) }
    }
    return text("b").flatMap(Self.number).flatMap {
      ReferenceEllipsoid(semiMajorAxis: axis, flattening: (axis - $0) / axis)
    }
  }

  /// The frame of a projection; the prime meridian is part of its longitude.
  mutating func origin() -> FastOrigin? {
    guard let longitude = angle("lon_0"), let meridian = primeMeridian(), let x = number("x_0", or: 0),
      let y = number("y_0", or: 0), longitude.magnitude <= 2 * Double.pi
    else { return nil }
    return FastOrigin(longitude: longitude + meridian, falseEasting: x, falseNorthing: y)
  }

  mutating func primeMeridian() -> Double? {
    guard let text = text("pm") else { return 0 }
    return (FastUnits.meridians[String(text)] ?? Self.number(text)).map { $0 * FastUnits.degree }
  }

  /// The scale factor, under either of its names.
  mutating func scale() -> Double? {
    guard let scale = number(values["k"] == nil ? "k_0" : "k", or: 1), scale > 0.1, scale < 10 else { return nil }
    return scale
  }
}

/// Units and prime meridians by PROJ's names.
enum FastUnits {
  static let degree = 0.017453292519943295

  /// Metres. The factors are PROJ's digits.
  static let lengths: [String: Double] = [
    "m": 1, "km": 1000, "dm": 0.1, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "us-ft": 0.304800609601219, "yd": 0.9144,
    "us-yd": 0.914401828803658, "in": 0.0254, "kmi": 1852,
  ]
  /// Radians.
  static let angles: [String: Double] = ["rad": 1, "deg": degree, "grad": 0.015707963267948967]
  /// Degrees.
  static let meridians: [String: Double] = [
    "greenwich": 0, "paris": 2 + 20.0 / 60 + 14.025 / 3600, "ferro": -(17 + 40.0 / 60),
    "rome": 12 + 27.0 / 60 + 8.4 / 3600, "bern": 7 + 26.0 / 60 + 22.5 / 3600,
    "jakarta": 106 + 48.0 / 60 + 27.79 / 3600, "oslo": 10 + 43.0 / 60 + 22.5 / 3600,
    "athens": 23 + 42.0 / 60 + 58.815 / 3600,
  ]
}

/// Turns the words of a pipeline's steps into steps.
struct FastPathBuilder {
  private(set) var steps: [any FastStep] = []
  private var isGeocentric = false
  /// The height is 0 where it begins, and of no interest where a pipeline ends.
  private var heightIsZero = true
  private var pushed: [Bool] = []
  /// Latitudes are the host's own, in another unit at most.
  private var latitudeIsGiven = true
  private let method: InverseMethod

  init(_ method: InverseMethod) { self.method = method }

  var isComplete: Bool { !isGeocentric && pushed.isEmpty }

  private var latitudeLimit: Double {
    latitudeIsGiven ? FastAngles.latitudeLimit : FastAngles.computedLatitudeLimit
  }

  /// Adds a step; false if it cannot be done here.
  mutating func add(_ given: FastStepWords) -> Bool {
    var words = given
    guard let done = plain(&words) ?? projection(&words) ?? geocentric(&words) else { return false }
    return done && words.isEmpty
  }

  /// Steps that project nothing. nil for another kind of step; false for a step of this kind that is not understood.
  private mutating func plain(_ words: inout FastStepWords) -> Bool? {
    switch words.name {
    case "noop":
      return true
    case "unitconvert":
      return !isGeocentric && addUnitChange(&words)
    case "axisswap":
      guard !isGeocentric, let order = words.text("order") else { return false }
      // PROJ keeps the third axis whether it is named or not.
      if order == "2,1" || order == "2,1,3" { steps.append(FastAxisSwap()) }
      return order == "2,1" || order == "2,1,3" || order == "1,2" || order == "1,2,3"
    case "push":
      pushed.append(heightIsZero)
      return !isGeocentric && words.flag("v_3")
    case "pop":
      guard let before = pushed.popLast() else { return false }
      heightIsZero = before
      return !isGeocentric && words.flag("v_3")
    default:
      return nil
    }
  }

  private mutating func addUnitChange(_ words: inout FastStepWords) -> Bool {
    // The height is 0 or of no interest, but its units have to be units.
    for key: Substring in ["z_in", "z_out"] {
      if let name = words.text(key), FastUnits.lengths[String(name)] == nil, FastStepWords.number(name) == nil {
        return false
      }
    }
    let (inputName, outputName) = (words.text("xy_in"), words.text("xy_out"))
    let isAngular = [inputName, outputName].contains { $0.map { FastUnits.angles[String($0)] != nil } ?? false }
    let known = isAngular ? FastUnits.angles : FastUnits.lengths
    let factor = { (name: Substring?) -> Double? in
      guard let name else { return 1 }
      return known[String(name)] ?? FastStepWords.number(name)
    }
    guard let input = factor(inputName), let output = factor(outputName), input > 0, output > 0 else { return false }
    let after = words.isInverse ? input : output
    steps.append(
      FastUnitChange(
        factor: input / output, divides: words.isInverse, output: isAngular ? .radians(after) : .metres(after)))
    return true
  }

  private mutating func projection(_ words: inout FastStepWords) -> Bool? {
    let step: (any FastStep)?
    switch words.name {
    case "webmerc": step = webMercator(&words)
    case "merc": step = mercator(&words)
    case "tmerc": step = transverseMercator(&words)
    case "utm": step = universalTransverseMercator(&words)
    case "lcc": step = lambert(&words)
    case "aea": step = albers(&words)
    case "laea": step = lambertAzimuthal(&words)
    case "stere": step = polarStereographic(&words)
    case "somerc": step = swissMercator(&words)
    case "longlat", "latlong": step = meridian(&words)
    case "geogoffset": step = offset(&words)
    default: return nil
    }
    guard let step, !isGeocentric else { return false }
    steps.append(step)
    latitudeIsGiven = false
    return true
  }

  private func webMercator(_ words: inout FastStepWords) -> FastMercator? {
    guard let ellipsoid = words.ellipsoid(), let origin = words.origin(), words.number("lat_0", or: 0) == 0 else {
      return nil
    }
    return FastMercator(
      origin: origin, radius: ellipsoid.semiMajorAxis, eccentricity: 0, toLatitude: nil, isInverse: words.isInverse,
      latitudeLimit: latitudeLimit)
  }

  private func mercator(_ words: inout FastStepWords) -> FastMercator? {
    guard let ellipsoid = words.ellipsoid(), let origin = words.origin(), words.number("lat_0", or: 0) == 0 else {
      return nil
    }
    var scale = 1.0
    let square = ellipsoid.eccentricity2
    if let text = words.text("lat_ts") {
      // The standard parallel replaces a scale factor.
      guard let parallel = FastStepWords.number(text), parallel.magnitude < 89 else { return nil }
      let (sine, cosine) = sineCosine(Lanes(repeating: parallel.magnitude * FastUnits.degree))
      scale = cosine.x / (1 - square * sine.x * sine.x).squareRoot()
    } else {
      guard let given = words.scale() else { return nil }
      scale = given
    }
    return FastMercator(
      origin: origin, radius: scale * ellipsoid.semiMajorAxis, eccentricity: square.squareRoot(),
      toLatitude: square == 0 ? nil : ellipsoid.latitudeFromConformal, isInverse: words.isInverse,
      latitudeLimit: latitudeLimit)
  }

  private func transverseMercator(_ words: inout FastStepWords) -> FastTransverseMercator? {
    guard let ellipsoid = words.ellipsoid(), ellipsoid.flattening > 0, let origin = words.origin(),
      let latitude = words.angle("lat_0"), latitude.magnitude < 1.6, let scale = words.scale()
    else { return nil }
    return FastTransverseMercator(
      ellipsoid, origin: origin, latitude: latitude, scale: scale, isInverse: words.isInverse)
  }

  private func universalTransverseMercator(_ words: inout FastStepWords) -> FastTransverseMercator? {
    guard let ellipsoid = words.ellipsoid(), ellipsoid.flattening > 0,
      let zone = words.text("zone").flatMap({ Int($0, radix: 10) }),
      (1...60).contains(zone)
    else { return nil }
    let origin = FastOrigin(
      longitude: (Double(zone) - 0.5) * .pi / 30 - .pi, falseEasting: 500_000,
      falseNorthing: words.flag("south") ? 10_000_000 : 0)
    return FastTransverseMercator(
      ellipsoid, origin: origin, latitude: 0, scale: 0.9996, isInverse: words.isInverse)
  }

  private func lambert(_ words: inout FastStepWords) -> FastLambert? {
    guard let ellipsoid = words.ellipsoid(), let origin = words.origin(), let first = words.angle("lat_1"),
      let scale = words.scale()
    else { return nil }
    let second = words.text("lat_2")
    // Without either, the origin lies on the one parallel.
    let latitude = words.text("lat_0")
    guard latitude != nil || second == nil,
      let parallel = second.map({ FastStepWords.number($0).map { $0 * FastUnits.degree } }) ?? first,
      let middle = latitude.map({ FastStepWords.number($0).map { $0 * FastUnits.degree } }) ?? first
    else { return nil }
    return FastLambert(
      ellipsoid, origin: origin, latitude: middle, parallels: (first, parallel), scale: scale,
      isInverse: words.isInverse)
  }

  private func albers(_ words: inout FastStepWords) -> FastAlbers? {
    guard let ellipsoid = words.ellipsoid(), let origin = words.origin(), let latitude = words.angle("lat_0"),
      let first = words.angle("lat_1"), let second = words.angle("lat_2")
    else { return nil }
    return FastAlbers(
      ellipsoid, origin: origin, latitude: latitude, parallels: (first, second), isInverse: words.isInverse)
  }

  private func lambertAzimuthal(_ words: inout FastStepWords) -> FastLambertAzimuthal? {
    guard let ellipsoid = words.ellipsoid(), let origin = words.origin(), let latitude = words.angle("lat_0") else {
      return nil
    }
    return FastLambertAzimuthal(ellipsoid, origin: origin, latitude: latitude, method, isInverse: words.isInverse)
  }

  private func polarStereographic(_ words: inout FastStepWords) -> FastPolarStereographic? {
    guard let ellipsoid = words.ellipsoid(), let origin = words.origin(), let latitude = words.number("lat_0", or: 0),
      latitude.magnitude == 90
    else { return nil }
    let parallel = words.text("lat_ts").map { FastStepWords.number($0).map { $0 * FastUnits.degree } }
    // A text that is not a number.
    if case .some(.none) = parallel { return nil }
    guard let scale = words.scale() else { return nil }
    return FastPolarStereographic(
      ellipsoid, origin: origin, isNorth: latitude > 0, scaleFactor: scale, parallel: parallel ?? nil, method,
      isInverse: words.isInverse)
  }

  private func swissMercator(_ words: inout FastStepWords) -> FastSwissMercator? {
    guard let ellipsoid = words.ellipsoid(), let origin = words.origin(), let latitude = words.angle("lat_0"),
      let scale = words.scale()
    else { return nil }
    return FastSwissMercator(ellipsoid, origin: origin, latitude: latitude, scale: scale, isInverse: words.isInverse)
  }

  /// Only a change of the prime meridian is left of it.
  private func meridian(_ words: inout FastStepWords) -> FastMeridian? {
    guard words.ellipsoid() != nil, let meridian = words.primeMeridian() else { return nil }
    return FastMeridian(
      origin: FastOrigin(longitude: meridian, falseEasting: 0, falseNorthing: 0), isInverse: words.isInverse)
  }

  private func offset(_ words: inout FastStepWords) -> FastOffset? {
    guard let longitude = words.number("dlon", or: 0), let latitude = words.number("dlat", or: 0),
      words.number("dh", or: 0) == 0
    else { return nil }
    let unit = (words.isInverse ? -1 : 1) * (FastUnits.degree / 3600)
    return FastOffset(longitude: longitude * unit, latitude: latitude * unit)
  }

  private mutating func geocentric(_ words: inout FastStepWords) -> Bool? {
    switch words.name {
    case "cart":
      guard let ellipsoid = words.ellipsoid(), isGeocentric == words.isInverse, isGeocentric || heightIsZero else {
        return false
      }
      if isGeocentric {
        steps.append(FastFromGeocentric(ellipsoid: ellipsoid))
        heightIsZero = false
      } else {
        steps.append(FastToGeocentric(ellipsoid: ellipsoid))
      }
      isGeocentric.toggle()
      latitudeIsGiven = false
      return true
    case "helmert":
      guard isGeocentric, let helmert = helmert(&words) else { return false }
      steps.append(helmert)
      return true
    default:
      return nil
    }
  }

  private func helmert(_ words: inout FastStepWords) -> FastHelmert? {
    guard let x = words.number("x", or: 0), let y = words.number("y", or: 0), let z = words.number("z", or: 0),
      let rx = words.number("rx", or: 0), let ry = words.number("ry", or: 0), let rz = words.number("rz", or: 0),
      let scale = words.number("s", or: 0)
    else { return nil }
    // Without an epoch of the coordinates PROJ takes that of the parameters: the rates count for nothing.
    for rate: Substring in ["dx", "dy", "dz", "drx", "dry", "drz", "ds", "t_epoch"] {
      guard words.number(rate, or: 0) != nil else { return nil }
    }
    let convention = words.text("convention")
    let rotates = rx != 0 || ry != 0 || rz != 0
    guard convention == "position_vector" || convention == "coordinate_frame" || (convention == nil && !rotates)
    else { return nil }
    return FastHelmert(
      shift: SIMD3(x, y, z), rotation: SIMD3(rx, ry, rz) * (FastUnits.degree / 3600), scale: scale,
      isExact: words.flag("exact"), isPositionVector: convention == "position_vector", isInverse: words.isInverse)
  }
}
