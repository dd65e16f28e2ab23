import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import Testing

@Suite struct GeometryTextTests {
  private let runtime = Runtime(options: RuntimeOptions())

  private func geometry(_ wkt: String) throws(EngineError) -> Geometry {
    let bytes = Array(wkt.utf8)
    var made: Result<Geometry, EngineError>?
    bytes.withUnsafeBufferPointer { buffer in
      made = Result { () throws(EngineError) in
        try Geometry.make(runtime: runtime, wkt: buffer, spatialReference: nil)
      }
    }
    guard let made else { throw EngineError(.internal, "nothing was made") }
    return try made.get()
  }

  private func message(_ wkt: String) -> String {
    do throws(EngineError) { _ = try geometry(wkt) } catch { return error.message }
    return ""
  }

  @Test func columnsHaveFourLevels() throws {
    let columns = try geometry(
      "MULTIPOLYGON (((0 0, 9 0, 9 9, 0 0), (5 1, 6 1, 6 2, 5 1)), ((20 0, 21 0, 21 1, 20 0)))"
    ).columns
    #expect(Array(columns.partOffsets.buffer) == [0, 2])
    #expect(Array(columns.pathOffsets.buffer) == [0, 2, 3])
    #expect(Array(columns.vertexOffsets.buffer) == [0, 4, 8, 12])
    #expect(columns.envelope == Envelope(xMin: 0, yMin: 0, xMax: 21, yMax: 9))
    #expect(columns.z == nil && columns.m == nil)
  }

  @Test func numbersAreReadToTheLastDigit() throws {
    // Halfway cases and limits, as Swift's own reader has them.
    for text in [
      "9007199254740993", "0.1", "123456789012345678", "1e22", "1e23", "8.5e-320", "4.9406564584124654e-324",
      "1.7976931348623157e308", "0.000000000000000000000000000000001", "1e00000000000000000002",
    ] {
      #expect(try geometry("POINT (\(text) 0)").envelope?.xMin == Double(text))
    }
    // An exponent of 2^64 + 1 is not 1.
    #expect(message("POINT (1e18446744073709551617 0)").contains("too large"))
    #expect(try geometry("POINT (1e-18446744073709551617 0)").envelope?.xMin == 0)
  }

  @Test func placesCountCharacters() {
    #expect(message("POINT (1\n\n 2 ä)").contains("line 3, character 4"))
    #expect(message("POINT (1 2) ä").contains("character 13"))
  }

  @Test func whatIsTooLargeIsRefused() throws {
    var options = RuntimeOptions()
    options.policy.maxRequestPoints = 3
    let small = Runtime(options: options)
    let text = Array("MULTIPOINT (1 1, 2 2, 3 3, 4 4)".utf8)
    try text.withUnsafeBufferPointer { buffer in
      #expect(throws: EngineError.self) {
        try Geometry.make(runtime: small, wkt: buffer, spatialReference: nil)
      }
    }
  }

  @Test func buildersRefuseWhatNoGeometryIs() throws {
    let builder = try GeometryBuilder(policy: Policy())
    try builder.begin(.polyline, [])
    #expect(throws: EngineError.self) { try builder.append(Vertex(Point(x: .infinity, y: 0))) }
    try builder.append(Vertex(Point(x: 1, y: 0)))
    #expect(throws: EngineError.self) { try builder.endPath() }
  }
}
