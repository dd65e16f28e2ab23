import AlidadeBase

extension Unit {
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
