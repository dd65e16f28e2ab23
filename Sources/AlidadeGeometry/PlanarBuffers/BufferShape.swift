import AlidadeBase

/// How the ends of lines are buffered. The numbers are those of `ald_buffer_cap`.
public enum BufferCap: Int32, Sendable {
  case round = 0
  case flat = 1
  case square = 2
}

/// How the outer sides of corners are buffered. The numbers are those of `ald_buffer_join`.
public enum BufferJoin: Int32, Sendable {
  case round = 0
  case mitre = 1
  case bevel = 2

  /// Throws unless a mitre can be so many times as long as the distance.
  static func check(mitreLimit: Double) throws(EngineError) {
    guard mitreLimit >= 1, mitreLimit <= 1e6 else {
      throw EngineError(.invalidArgument, "The mitre limit is \(mitreLimit); give 1 to 1e6.")
    }
  }
}
