import AlidadeBase

extension Unit {
  /// The unit with a code of EPSG; nil if no unit has it. Deprecated codes, and codes of notations for degrees, give
  /// the unit that they stand for.
  public init?(epsgCode: Int32) {
    switch epsgCode {
    case 9106: self = .grad
    case 9122: self = .degree
    default:
      guard epsgCode > 0, let found = UnitDefinition.all.first(where: { $0.epsgCode == epsgCode }) else { return nil }
      self = found.unit
    }
  }

  /// The unit with a factor, as far as the digits of files go.
  init?(factor: Double, kind: UnitKind) {
    guard let found = Self.allCases.first(where: { $0.kind == kind && $0.isAbout(factor) }) else { return nil }
    self = found
  }

  public var definition: UnitDefinition { UnitDefinition.of(self) }
  public var kind: UnitKind { definition.kind }

  /// Metres, radians or square metres per unit, rounded once.
  public var siFactor: Double { definition.siFactor }

  /// The nearest two units of the table are 5e-9 apart; files give ten digits or more.
  func isAbout(_ factor: Double) -> Bool { (factor - siFactor).magnitude <= 1e-10 * siFactor }

  /// A value in another unit, rounded once: the nearest double to the true quotient.
  public func convert(_ value: Double, to unit: Unit) throws(EngineError) -> Double {
    guard kind == unit.kind else {
      throw EngineError(
        .invalidArgument,
        "\(name) cannot be converted into \(unit.name): the one is of \(kind), the other of \(unit.kind).")
    }
    return try definition.factor.converted(value, to: unit.definition.factor)
  }

  public var name: String { definition.name.description }
}

extension Unit {
  /// The unit with a name, abbreviation or other name. Names count without regard to case, to singular or plural, and
  /// to metre or meter; an abbreviation must be as it is.
  public init(name: String) throws(EngineError) {
    let wanted = name.trimmed
    if let found = UnitDefinition.all.first(where: { $0.abbreviation.description == wanted }) {
      self = found.unit
      return
    }
    // The longest name has 35 bytes; what is much longer needs no looking at.
    let key = wanted.utf8.count <= 100 ? Self.key(wanted) : ""
    guard !key.isEmpty,
      let found = UnitDefinition.all.first(where: { definition in
        Self.key(definition.name.description) == key || definition.others.contains { Self.key($0) == key }
      })
    else {
      throw EngineError(.notFound, "There is no unit called \(wanted.prefix(60)).")
    }
    self = found.unit
  }

  /// A name in the form in which names are compared.
  private static func key(_ name: String) -> String {
    name.lowercased().split { $0 == " " || $0 == "_" }.map { word -> String in
      switch word {
      case "feet": "foot"
      case "inches": "inch"
      default:
        (word.count > 2 && word.hasSuffix("s") ? String(word.dropLast()) : String(word)).replacingMeter
      }
    }.joined(separator: " ")
  }
}

extension String {
  /// American spelling into British, at the end of a word.
  fileprivate var replacingMeter: String { hasSuffix("meter") ? dropLast(2) + "re" : self }
}

/// The definition of a unit.
public struct UnitDefinition: Sendable {
  public let unit: Unit
  public let kind: UnitKind
  /// As EPSG writes it, where it has the unit.
  public let name: StaticString
  public let abbreviation: StaticString
  /// EPSG's code; 0 if it has none.
  public let epsgCode: Int32
  /// Metres, radians or square metres per unit.
  public let factor: UnitFactor
  /// The double nearest to the factor.
  public let siFactor: Double
  /// Other names that are understood.
  let others: [String]

  fileprivate init(
    _ unit: Unit, _ kind: UnitKind, _ name: StaticString, _ abbreviation: StaticString, _ epsgCode: Int32,
    _ numerator: UInt64, _ denominator: UInt64, hasPi: Bool = false, others: [String] = []
  ) {
    self.unit = unit
    self.kind = kind
    self.name = name
    self.abbreviation = abbreviation
    self.epsgCode = epsgCode
    factor = UnitFactor(numerator: numerator, denominator: denominator, hasPi: hasPi)
    siFactor = factor.double
    self.others = others
  }

  /// All units, in the order of their numbers.
  public static let all = lengths + angles + areas

  private static let positions = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.unit, $0) })

  static func of(_ unit: Unit) -> UnitDefinition { all[positions[unit] ?? 0] }
}

// Factors are the definitions themselves, reduced: the US survey foot is 1200/3937 m, the Sears foot of 1922 12/39.370147.
// PROJ's database has doubles, and one of them is wrong: its decimetre is 0.01 m.

extension UnitDefinition {
  private static let lengths: [UnitDefinition] = [
    .init(.metre, .length, "metre", "m", 9001, 1, 1, others: ["international metre"]),
    .init(.kilometre, .length, "kilometre", "km", 9036, 1000, 1),
    .init(.decimetre, .length, "decimetre", "dm", 0, 1, 10),
    .init(.centimetre, .length, "centimetre", "cm", 1033, 1, 100),
    .init(.millimetre, .length, "millimetre", "mm", 1025, 1, 1000),
    .init(.foot, .length, "foot", "ft", 9002, 381, 1250, others: ["international foot"]),
    .init(
      .usSurveyFoot, .length, "US survey foot", "us-ft", 9003, 1200, 3937, others: ["survey foot", "foot us", "ftUS"]),
    .init(.inch, .length, "inch", "in", 0, 127, 5000, others: ["international inch"]),
    .init(.usSurveyInch, .length, "US survey inch", "us-in", 0, 100, 3937),
    .init(.yard, .length, "yard", "yd", 9096, 1143, 1250, others: ["international yard"]),
    .init(.usSurveyYard, .length, "US survey yard", "us-yd", 0, 3600, 3937),
    .init(.statuteMile, .length, "Statute mile", "mi", 9093, 201_168, 125, others: ["mile", "international mile"]),
    .init(.usSurveyMile, .length, "US survey mile", "us-mi", 9035, 6_336_000, 3937, others: ["survey mile"]),
    .init(
      .nauticalMile, .length, "nautical mile", "kmi", 9030, 1852, 1, others: ["international nautical mile", "nmi"]),
    .init(.fathom, .length, "fathom", "fath", 9014, 1143, 625),
    .init(.chain, .length, "chain", "ch", 9097, 12_573, 625, others: ["international chain"]),
    .init(.link, .length, "link", "li", 9098, 12_573, 62_500, others: ["international link"]),
    .init(.rod, .length, "rod", "rd", 0, 12_573, 2500, others: ["pole", "perch"]),
    .init(.furlong, .length, "furlong", "fur", 0, 25_146, 125),
    .init(.usSurveyChain, .length, "US survey chain", "us-ch", 9033, 79_200, 3937),
    .init(.usSurveyLink, .length, "US survey link", "us-li", 9034, 792, 3937),
    .init(.usSurveyRod, .length, "US survey rod", "us-rd", 0, 19_800, 3937),
    .init(.germanLegalMetre, .length, "German legal metre", "m (German)", 9031, 2_000_027_193, 2_000_000_000),
    UnitDefinition(
      .clarkesFoot, .length, "Clarke's foot", "ft (Clarke)", 9005, 1_523_986_327, 5_000_000_000, others: ["foot clarke"]
    ),
    UnitDefinition(
      .clarkesYard, .length, "Clarke's yard", "yd (Clarke)", 9037, 4_571_958_981, 5_000_000_000, others: ["yard clarke"]
    ),
    .init(.clarkesChain, .length, "Clarke's chain", "ch (Clarke)", 9038, 50_291_548_791, 2_500_000_000),
    .init(
      .clarkesLink, .length, "Clarke's link", "li (Clarke)", 9039, 50_291_548_791, 250_000_000_000,
      others: ["link clarke"]),
    .init(
      .goldCoastFoot, .length, "Gold Coast foot", "ft (Gold Coast)", 9094, 335_700, 1_101_379,
      others: ["foot gold coast"]),
    .init(
      .britishYardSears, .length, "British yard (Sears 1922)", "yd (Sears)", 9040, 36_000_000, 39_370_147,
      others: ["yard sears"]),
    .init(
      .britishFootSears, .length, "British foot (Sears 1922)", "ft (Sears)", 9041, 12_000_000, 39_370_147,
      others: ["foot sears"]),
    .init(
      .britishChainSears, .length, "British chain (Sears 1922)", "ch (Sears)", 9042, 792_000_000, 39_370_147,
      others: ["chain sears"]),
    .init(.britishLinkSears, .length, "British link (Sears 1922)", "li (Sears)", 9043, 7_920_000, 39_370_147),
    .init(
      .britishYardSearsTruncated, .length, "British yard (Sears 1922 truncated)", "yd (Sears trunc.)", 9099, 457_199,
      500_000),
    .init(
      .britishFootSearsTruncated, .length, "British foot (Sears 1922 truncated)", "ft (Sears trunc.)", 9300, 457_199,
      1_500_000),
    .init(
      .britishChainSearsTruncated, .length, "British chain (Sears 1922 truncated)", "ch (Sears trunc.)", 9301,
      5_029_189, 250_000),
    .init(
      .britishLinkSearsTruncated, .length, "British link (Sears 1922 truncated)", "li (Sears trunc.)", 9302, 5_029_189,
      25_000_000),
    .init(.britishYardBenoitA, .length, "British yard (Benoit 1895 A)", "yd (Benoit A)", 9050, 1_142_999, 1_250_000),
    .init(.britishFootBenoitA, .length, "British foot (Benoit 1895 A)", "ft (Benoit A)", 9051, 1_142_999, 3_750_000),
    .init(.britishChainBenoitA, .length, "British chain (Benoit 1895 A)", "ch (Benoit A)", 9052, 12_572_989, 625_000),
    .init(.britishLinkBenoitA, .length, "British link (Benoit 1895 A)", "li (Benoit A)", 9053, 12_572_989, 62_500_000),
    .init(.britishYardBenoitB, .length, "British yard (Benoit 1895 B)", "yd (Benoit B)", 9060, 4_000_000, 4_374_457),
    .init(.britishFootBenoitB, .length, "British foot (Benoit 1895 B)", "ft (Benoit B)", 9061, 4_000_000, 13_123_371),
    .init(.britishChainBenoitB, .length, "British chain (Benoit 1895 B)", "ch (Benoit B)", 9062, 88_000_000, 4_374_457),
    .init(.britishLinkBenoitB, .length, "British link (Benoit 1895 B)", "li (Benoit B)", 9063, 880_000, 4_374_457),
    .init(.britishFoot1865, .length, "British foot (1865)", "ft (1865)", 9070, 365_761, 1_200_000),
    .init(.britishFoot1936, .length, "British foot (1936)", "ft (1936)", 9095, 3_048_007_491, 10_000_000_000),
    .init(.indianFoot, .length, "Indian foot", "ft (Indian)", 9080, 6_000_000, 19_685_071),
    .init(.indianFoot1937, .length, "Indian foot (1937)", "ind-ft", 9081, 30_479_841, 100_000_000),
    .init(.indianFoot1962, .length, "Indian foot (1962)", "ft (Indian 1962)", 9082, 761_999, 2_500_000),
    .init(.indianFoot1975, .length, "Indian foot (1975)", "ft (Indian 1975)", 9083, 609_599, 2_000_000),
    .init(.indianYard, .length, "Indian yard", "yd (Indian)", 9084, 18_000_000, 19_685_071),
    .init(.indianYard1937, .length, "Indian yard (1937)", "ind-yd", 9085, 91_439_523, 100_000_000),
    .init(.indianYard1962, .length, "Indian yard (1962)", "yd (Indian 1962)", 9086, 2_285_997, 2_500_000),
    .init(.indianYard1975, .length, "Indian yard (1975)", "yd (Indian 1975)", 9087, 1_828_797, 2_000_000),
    .init(.indianChain, .length, "Indian chain", "ind-ch", 0, 1_005_834_753, 50_000_000),
  ]

  private static let angles: [UnitDefinition] = [
    .init(.radian, .angle, "radian", "rad", 9101, 1, 1),
    .init(.degree, .angle, "degree", "deg", 9102, 1, 180, hasPi: true, others: ["°"]),
    .init(
      .arcMinute, .angle, "arc-minute", "arcmin", 9103, 1, 10_800, hasPi: true,
      others: ["minute of arc", "arcminute", "arc minute"]),
    .init(
      .arcSecond, .angle, "arc-second", "arcsec", 9104, 1, 648_000, hasPi: true,
      others: ["second of arc", "arcsecond", "arc second"]),
    .init(
      .milliarcSecond, .angle, "milliarc-second", "mas", 1031, 1, 648_000_000, hasPi: true, others: ["milliarcsecond"]),
    .init(.grad, .angle, "grad", "grad", 9105, 1, 200, hasPi: true, others: ["gon"]),
    .init(.centesimalMinute, .angle, "centesimal minute", "c", 9112, 1, 20_000, hasPi: true),
    .init(.centesimalSecond, .angle, "centesimal second", "cc", 9113, 1, 2_000_000, hasPi: true),
    .init(.mil6400, .angle, "mil_6400", "mil", 9114, 1, 3200, hasPi: true, others: ["nato mil"]),
    .init(.milliradian, .angle, "milliradian", "mrad", 0, 1, 1000),
    .init(.microradian, .angle, "microradian", "urad", 9109, 1, 1_000_000),
    .init(.turn, .angle, "turn", "tr", 0, 2, 1, hasPi: true, others: ["revolution"]),
  ]

  private static let areas: [UnitDefinition] = [
    .init(.squareMetre, .area, "square metre", "m2", 0, 1, 1, others: ["sq m", "m²"]),
    .init(.squareKilometre, .area, "square kilometre", "km2", 0, 1_000_000, 1, others: ["sq km", "km²"]),
    .init(.squareCentimetre, .area, "square centimetre", "cm2", 0, 1, 10_000, others: ["sq cm"]),
    .init(.squareMillimetre, .area, "square millimetre", "mm2", 0, 1, 1_000_000, others: ["sq mm"]),
    .init(.are, .area, "are", "a", 0, 100, 1),
    .init(.hectare, .area, "hectare", "ha", 0, 10_000, 1),
    .init(.acre, .area, "acre", "ac", 0, 316_160_658, 78_125, others: ["international acre"]),
    .init(.usSurveyAcre, .area, "US survey acre", "us-ac", 0, 62_726_400_000, 15_499_969, others: ["survey acre"]),
    .init(.squareFoot, .area, "square foot", "ft2", 0, 145_161, 1_562_500, others: ["sq ft"]),
    .init(
      .usSurveySquareFoot, .area, "US survey square foot", "us-ft2", 0, 1_440_000, 15_499_969,
      others: ["square us survey foot"]),
    .init(.squareInch, .area, "square inch", "in2", 0, 16_129, 25_000_000, others: ["sq in"]),
    .init(.squareYard, .area, "square yard", "yd2", 0, 1_306_449, 1_562_500, others: ["sq yd"]),
    .init(.squareRod, .area, "square rod", "rd2", 0, 158_080_329, 6_250_000),
    .init(
      .squareMile, .area, "square mile", "mi2", 0, 40_468_564_224, 15_625, others: ["sq mi", "square statute mile"]),
    .init(
      .usSurveySquareMile, .area, "US survey square mile", "us-mi2", 0, 40_144_896_000_000, 15_499_969,
      others: ["square us survey mile"]),
    .init(.squareNauticalMile, .area, "square nautical mile", "kmi2", 0, 3_429_904, 1, others: ["nmi2"]),
    .init(
      .squareBritishFootSears, .area, "square British foot (Sears 1922)", "ft2 (Sears)", 0, 144_000_000_000_000,
      1_550_008_474_801_609),
    .init(.squareIndianYard, .area, "square Indian yard", "yd2 (Indian)", 0, 324_000_000_000_000, 387_502_020_275_041),
  ]
}
