import AlidadeBase
import Testing

/// The interface says where each field lies: https://arrow.apache.org/docs/format/CDataInterface.html.
@Suite struct ArrowTests {
  @Test func structsAreLaidOutAsInC() {
    #expect(MemoryLayout<ArrowSchema>.size == 72 && MemoryLayout<ArrowArray>.size == 80)
    #expect(MemoryLayout<ArrowArrayStream>.size == 40)
    #expect(MemoryLayout<ArrowSchema>.offset(of: \.flags) == 24)
    #expect(MemoryLayout<ArrowSchema>.offset(of: \.children) == 40)
    #expect(MemoryLayout<ArrowSchema>.offset(of: \.release) == 56)
    #expect(MemoryLayout<ArrowSchema>.offset(of: \.privateData) == 64)
    #expect(MemoryLayout<ArrowArray>.offset(of: \.offset) == 16)
    #expect(MemoryLayout<ArrowArray>.offset(of: \.buffers) == 40)
    #expect(MemoryLayout<ArrowArray>.offset(of: \.children) == 48)
    #expect(MemoryLayout<ArrowArray>.offset(of: \.release) == 64)
  }
}
