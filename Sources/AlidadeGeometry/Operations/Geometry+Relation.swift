import AlidadeBase
import AlidadeCoordinates
import CGEOS

extension Predicate {
  /// Whether it can hold between geometries whose boxes do not meet and which are not empty.
  var holdsApart: Bool { self == .disjoint }

  /// Whether it is defined member by member.
  var takesCollections: Bool { self == .disjoint || self == .intersects }
}

/// An answer, and how the second geometry was projected to the first one's spatial reference for it; nil if it was not.
public struct Related<Value: Sendable>: Sendable {
  public let value: Value
  public let receipt: ProjectionReceipt?

  public init(value: Value, receipt: ProjectionReceipt?) {
    self.value = value
    self.receipt = receipt
  }
}

extension Geometry {
  /// The DE-9IM matrix of this geometry and another one, row by row, such as "212101212".
  public func relate(to other: Geometry) throws(EngineError) -> Related<String> {
    try compare(to: other, "A DE-9IM matrix") { [self] (other) throws(EngineError) in
      if let (mine, others) = linework(other) { return try mine.relate(to: others, runtime.policy) }
      let session = try GEOSSession()
      let a = try session.object(columns, row)
      let b = try session.object(other.columns, other.row)
      guard let text = GEOSRelate_r(session.handle, a.pointer, b.pointer) else {
        throw session.refusal("A DE-9IM matrix")
      }
      defer { GEOSFree_r(session.handle, text) }
      return String(cString: text)
    }
  }

  /// The segments of two polylines or polygons; nil if one is something else, or empty.
  private func linework(_ other: Geometry) -> (Linework, Linework)? {
    guard columns.hasLinework(row), other.columns.hasLinework(other.row) else { return nil }
    return (Linework(columns, row), Linework(other.columns, other.row))
  }

  /// Whether the DE-9IM matrix matches a pattern of nine characters: 0, 1, 2, T, F and *.
  public func relates(to other: Geometry, pattern: String) throws(EngineError) -> Related<Bool> {
    guard pattern.utf8.count == 9, pattern.uppercased().utf8.allSatisfy({ "012TF*".utf8.contains($0) }) else {
      throw EngineError(
        .invalidArgument, "The pattern \"\(pattern.prefix(40))\" is not nine characters of 0, 1, 2, T, F and *.")
    }
    let related = try relate(to: other)
    let matches = Linework.matches(pattern.uppercased(), related.value)
    return Related(value: matches, receipt: related.receipt)
  }

  /// Whether a predicate holds between this geometry and another one.
  public func test(_ predicate: Predicate, _ other: Geometry) throws(EngineError) -> Related<Bool> {
    if predicate.takesCollections, kind == .collection || other.kind == .collection {
      // What is prepared knows how to take members one by one.
      return try PreparedGeometry(self).test(predicate, other)
    }
    return try compare(to: other, "This predicate") { [self] (other) throws(EngineError) in
      if let box = envelope, let otherBox = other.envelope, !box.meets(otherBox) { return predicate.holdsApart }
      if let (mine, others) = linework(other) { return try mine.holds(predicate, others, runtime.policy) }
      let session = try GEOSSession()
      let a = try session.object(columns, row)
      let b = try session.object(other.columns, other.row)
      return try session.test(predicate, a.pointer, b.pointer)
    }
  }

  private func compare<Value: Sendable>(
    to other: Geometry, _ what: String,
    _ body: @escaping @Sendable (Geometry) throws(EngineError) -> Value
  ) throws(EngineError) -> Related<Value> {
    try limited(with: other) { [self] () throws(EngineError) -> Related<Value> in
      try requireNoCollection(what)
      try other.requireNoCollection(what)
      try requireUsable()
      let (matched, receipt) = try other.projected(toMatch: spatialReference)
      try matched.requireUsable()
      return Related(value: try body(matched), receipt: receipt)
    }
  }
}

extension GEOSSession {
  fileprivate func test(
    _ predicate: Predicate, _ a: OpaquePointer, _ b: OpaquePointer
  ) throws(EngineError) -> Bool {
    switch predicate {
    case .equals: try truth(GEOSEquals_r(handle, a, b))
    case .disjoint: try truth(GEOSDisjoint_r(handle, a, b))
    case .intersects: try truth(GEOSIntersects_r(handle, a, b))
    case .touches: try truth(GEOSTouches_r(handle, a, b))
    case .crosses: try truth(GEOSCrosses_r(handle, a, b))
    case .within: try truth(GEOSWithin_r(handle, a, b))
    case .contains: try truth(GEOSContains_r(handle, a, b))
    case .overlaps: try truth(GEOSOverlaps_r(handle, a, b))
    case .covers: try truth(GEOSCovers_r(handle, a, b))
    case .coveredBy: try truth(GEOSCoveredBy_r(handle, a, b))
    }
  }

  /// GEOS's 0, 1, or 2 for an exception.
  func truth(_ answer: CChar) throws(EngineError) -> Bool {
    guard answer == 0 || answer == 1 else { throw refusal("The relation of two geometries") }
    return answer == 1
  }
}
