import AlidadeBase

/// What a unit measures. The numbers are those of `ald_unit_kind`.
public enum UnitKind: Int32, Sendable {
  case length = 1
  case angle = 2
  case area = 3
}

/// A named unit. The numbers are those of `ald_unit`; `definition` says what it is.
public enum Unit: Int32, Sendable, CaseIterable {
  case metre = 1
  case kilometre = 2
  case decimetre = 3
  case centimetre = 4
  case millimetre = 5
  case foot = 6
  case usSurveyFoot = 7
  case inch = 8
  case usSurveyInch = 9
  case yard = 10
  case usSurveyYard = 11
  case statuteMile = 12
  case usSurveyMile = 13
  case nauticalMile = 14
  case fathom = 15
  case chain = 16
  case link = 17
  case rod = 18
  case furlong = 19
  case usSurveyChain = 20
  case usSurveyLink = 21
  case usSurveyRod = 22
  case germanLegalMetre = 23
  case clarkesFoot = 24
  case clarkesYard = 25
  case clarkesChain = 26
  case clarkesLink = 27
  case goldCoastFoot = 28
  case britishYardSears = 29
  case britishFootSears = 30
  case britishChainSears = 31
  case britishLinkSears = 32
  case britishYardSearsTruncated = 33
  case britishFootSearsTruncated = 34
  case britishChainSearsTruncated = 35
  case britishLinkSearsTruncated = 36
  case britishYardBenoitA = 37
  case britishFootBenoitA = 38
  case britishChainBenoitA = 39
  case britishLinkBenoitA = 40
  case britishYardBenoitB = 41
  case britishFootBenoitB = 42
  case britishChainBenoitB = 43
  case britishLinkBenoitB = 44
  case britishFoot1865 = 45
  case britishFoot1936 = 46
  case indianFoot = 47
  case indianFoot1937 = 48
  case indianFoot1962 = 49
  case indianFoot1975 = 50
  case indianYard = 51
  case indianYard1937 = 52
  case indianYard1962 = 53
  case indianYard1975 = 54
  case indianChain = 55
  case radian = 201
  case degree = 202
  case arcMinute = 203
  case arcSecond = 204
  case milliarcSecond = 205
  case grad = 206
  case centesimalMinute = 207
  case centesimalSecond = 208
  case mil6400 = 209
  case milliradian = 210
  case microradian = 211
  case turn = 212
  case squareMetre = 301
  case squareKilometre = 302
  case squareCentimetre = 303
  case squareMillimetre = 304
  case are = 305
  case hectare = 306
  case acre = 307
  case usSurveyAcre = 308
  case squareFoot = 309
  case usSurveySquareFoot = 310
  case squareInch = 311
  case squareYard = 312
  case squareRod = 313
  case squareMile = 314
  case usSurveySquareMile = 315
  case squareNauticalMile = 316
  case squareBritishFootSears = 317
  case squareIndianYard = 318

  /// By a code of EPSG's; nil if no unit here has it. Deprecated codes and those of ways to write degrees lead to the
  /// unit that they stand for.
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
