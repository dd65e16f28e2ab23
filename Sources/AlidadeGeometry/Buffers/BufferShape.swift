import AlidadeBase

extension BufferJoin {
  /// Throws unless a mitre can be so many times as long as the distance.
  static func check(mitreLimit: Double) throws(EngineError) {
    guard mitreLimit >= 1, mitreLimit <= 1e6 else {
      throw EngineError(.invalidArgument, "The mitre limit is \(mitreLimit); give 1 to 1e6.")
    }
  }
}
