extension FastPath {
  /// The path of a pipeline, as PROJ writes it with x east and y north; nil if there is one word in it that this does
  /// not know, or a step that it has no formula for.
  convenience init?(pipeline text: String) {
    var builder = FastPathBuilder()
    guard let words = FastStepWords.split(text) else { return nil }
    for step in words {
      guard builder.add(step) else { return nil }
    }
    guard builder.isComplete else { return nil }
    self.init(steps: builder.steps)
  }
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
  mutating func ellipsoid() -> FastEllipsoid? {
    if let name = text("ellps") { return FastEllipsoid(named: name) }
    if let radius = text("R") {
      return Self.number(radius).flatMap { FastEllipsoid(semiMajorAxis: $0, flattening: 0) }
    }
    guard let axis = text("a").flatMap(Self.number) else { return nil }
    if let inverse = text("rf") {
      return Self.number(inverse).flatMap { FastEllipsoid(semiMajorAxis: axis, flattening: 1 / $0) }
    }
    return text("b").flatMap(Self.number).flatMap {
      FastEllipsoid(semiMajorAxis: axis, flattening: (axis - $0) / axis)
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
