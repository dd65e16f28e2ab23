import AlidadeBase

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
