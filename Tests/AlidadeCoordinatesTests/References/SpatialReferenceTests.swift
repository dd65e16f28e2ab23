import AlidadeBase
import Testing

@testable import AlidadeCoordinates

@Suite struct SpatialReferenceTests {
  private let runtime = Runtime(options: RuntimeOptions())

  private func reference(_ text: String) throws -> SpatialReference {
    try SpatialReference.make(runtime: runtime, text: text)
  }

  private func failure(_ text: String) throws -> EngineError {
    try #require(throws: EngineError.self) { try reference(text) }
  }

  /// EPSG: 7405 is OSGB36 / British National Grid + ODN height.
  @Test func partsOfACompoundSystem() throws {
    let grid = try reference("EPSG:7405")
    #expect(grid.kind == .projected && grid.system.unit == .metre)
    #expect(grid.system.vertical?.name == "ODN height")
    #expect(grid.system.vertical?.isEllipsoidal == false)
    #expect(try grid.relation(to: try reference("EPSG:27700")) == .different)
    #expect(try grid.horizontal().relation(to: try reference("EPSG:27700")) == .same)
    // Heights do not change where a point lies, so nothing is projected.
    #expect(try Projector.between(grid, try reference("EPSG:27700")).isIdentity)
  }

  @Test func thirdAxisIsTheVerticalPart() throws {
    let vertical = try #require(try reference("EPSG:4979").system.vertical)
    #expect(vertical.isEllipsoidal && !vertical.isDepth && vertical.unit == .metre && vertical.datumName.isEmpty)
    let feet = try reference("+proj=utm +zone=32 +ellps=GRS80 +vunits=us-ft")
    #expect(feet.system.vertical?.unit == .usSurveyFoot)
    #expect(try feet.horizontal().system.vertical == nil)
    #expect(try reference("EPSG:4326+5715").system.vertical?.isDepth == true)
  }

  /// A bracket behind the keyword that PROJ does not take where any form may stand.
  @Test func wellKnownTextIsReadAgain() throws {
    let original = try reference("EPSG:32632")
    let square = try original.text(.wkt2of2015)
    let round = String(square.map { $0 == "[" ? "(" : $0 == "]" ? ")" : $0 })
    let spaced = square.replacing("PROJCRS[", with: "PROJCRS [")
    for text in [square, round, spaced] {
      let again = try SpatialReference.make(runtime: runtime, wkt: text)
      #expect(try again.relation(to: original) == .same)
      #expect(try Projector.between(again, try reference("EPSG:4326")).project(Point(x: 500_000, y: 0)) != nil)
    }
  }

  @Test func textsThatAreRefused() throws {
    #expect(try failure(String(repeating: "[", count: 100_000)).status == .limitExceeded)
    #expect(try failure("GEOGCS" + String(repeating: "[", count: 100_000)).status == .limitExceeded)
    #expect(try failure(String(repeating: "x", count: ReferenceText.longest + 1)).status == .limitExceeded)
    #expect(try failure("+init=epsg:4326").message.contains("EPSG:4326"))
    #expect(try failure("EPSG:99999").status == .notFound)
    #expect(try failure("EPSG:4978").status == .unsupported)
    #expect(try failure("").status == .invalidArgument)
  }

  @Test func bracketsInQuotesDoNotCount() throws {
    let brackets = String(repeating: "[", count: 50)
    try ReferenceText.checkNesting("A[\"\(brackets)\"\"\(brackets)\"]", escape: nil)
    try ReferenceText.checkNesting("{\"\\\"\(brackets)\": 1}", escape: UInt8(ascii: "\\"))
    #expect(throws: EngineError.self) {
      // Here the quote ends the text: a backslash is nothing special in well-known text.
      try ReferenceText.checkNesting("A[\"\\\"\(brackets)]", escape: nil)
    }
  }

  /// What is dropped and read again is the same to every bit of its facts.
  @Test func relationIsSymmetric() throws {
    let all = try ["EPSG:4326", "OGC:CRS84", "EPSG:4979", "EPSG:4326+5773", "EPSG:3067", "EPSG:5048"].map(reference)
    for a in all {
      #expect(try a.relation(to: a) == .same)
      for b in all { #expect(try a.relation(to: b) == b.relation(to: a)) }
    }
    #expect(try all[4].relation(to: all[5]) == .sameButForAxisOrder)
  }
}
