import AlidadeBase
import CAlidade
import Testing

@testable import AlidadeABI

@Suite struct BoundaryTests {
  private func status(_ body: () throws(EngineError) -> Void) -> Status? {
    do throws(EngineError) {
      try body()
      return nil
    } catch {
      return error.status
    }
  }

  /// A host of a later version: its struct is longer.
  private struct LaterOptions {
    var known = ald_identify_options(struct_size: 32, flags: 0, area: nil, area_count: 0)
    var tail: UInt64 = 0
  }

  @Test func structsOfOtherSizes() {
    var options = ald_identify_options(struct_size: 24, flags: 1, area: nil, area_count: 0)
    func read() -> Status? {
      status { () throws(EngineError) in
        _ = try AlidadeABI.read(&options, "options", 1, zero: ald_identify_options())
      }
    }
    #expect(read() == nil)
    for size: UInt32 in [0, 3, 4, 7, 4097, .max] {
      options.struct_size = size
      #expect(read() == .invalidArgument)
    }
    var later = LaterOptions()
    func readLater() -> Status? {
      withUnsafePointer(to: &later) { pointer in
        pointer.withMemoryRebound(to: ald_identify_options.self, capacity: 1) { pointer in
          status { () throws(EngineError) in
            _ = try AlidadeABI.read(pointer, "options", 1, zero: ald_identify_options())
          }
        }
      }
    }
    #expect(readLater() == nil)  // a zero tail asks for nothing
    later.tail = 1 << 40
    #expect(readLater() == .invalidArgument)
  }

  @Test func messagesAreCutAtAWholeCharacter() {
    for length in 950..<965 {
      var error = ald_error()
      let text = String(repeating: "x", count: length) + "äöü€🗺"
      let answer = enter(&error) { () throws(EngineError) in throw EngineError(.notFound, text, argument: 3) }
      #expect(answer == Status.notFound.rawValue && error.status == answer && error.argument == 3)
      let message = withUnsafeBytes(of: &error.message) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      #expect(message.map { text.hasPrefix($0) && $0.utf8.count >= 950 - 4 && $0.utf8.count <= 959 } == true)
    }
  }

  @Test func textsKeepWhatFollowsANul() {
    let texts = CTexts(["a\0b", "", "c"])
    #expect(texts[0].map { String(cString: $0) } == "a b")
    #expect(texts[1].map { String(cString: $0) } == "")
    #expect(texts[2].map { String(cString: $0) } == "c")
    #expect(texts[3] == nil && texts[-1] == nil)
  }

  @Test func stridesAreCheckedBeforeTheArrayIsTouched() {
    // An address that may not be read.
    let nowhere = UnsafePointer<Double>(bitPattern: 16)
    func points(_ stride: Int, _ count: Int) -> Status? {
      status { () throws(EngineError) in
        _ = try StridedPoints(nowhere, stride: stride, count: count, Policy(), argument: 1, countArgument: 3)
      }
    }
    #expect(points(0, 5) == nil)
    #expect(points(16, 0) == nil)
    #expect(points(8, 1) == .invalidArgument)
    #expect(points(-16, 1) == .invalidArgument)
    #expect(points(16, -1) == .invalidArgument)
    #expect(points(.max, 2) == .invalidArgument)
    #expect(points(16, 1 << 40) == .limitExceeded)
  }
}
