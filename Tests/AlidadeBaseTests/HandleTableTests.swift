import Testing

@testable import AlidadeBase

/// Serial: one test counts the handles of its runtime while it works.
@Suite struct HandleTableTests {
  private final class Thing: RuntimeObject, @unchecked Sendable {
    override var handleKind: HandleKind { .map }
  }

  private let table = HandleTable.shared
  private let runtime = Runtime(options: RuntimeOptions())

  private func status(_ id: UInt64, _ kind: HandleKind) -> Status? {
    do throws(EngineError) {
      _ = try table.object(id, kind)
      return nil
    } catch {
      return error.status
    }
  }

  @Test func findsWhatWasGiven() throws {
    let thing = Thing(runtime: runtime)
    let id = try table.give(thing)
    #expect(try table.object(id, .map) === thing)
    #expect(try table.lend(thing) == id)
    #expect(table.count(runtimeID: runtime.identity) == 1)
    table.release(id, .map)
  }

  @Test func refusesWhatIsNoHandle() throws {
    let id = try table.give(Thing(runtime: runtime))
    #expect(status(0, .map) == .invalidHandle)
    #expect(status(id, .view) == .invalidHandle)
    #expect(status(id &+ 1, .map) == .invalidHandle)  // another generation
    #expect(status(id | 0xFF << 56, .map) == .invalidHandle)  // no kind
    let asView = id & ~(0xFF << 56) | UInt64(HandleKind.view.rawValue) << 56
    #expect(status(asView, .view) == .invalidHandle)  // another kind's id for the same slot
    #expect(status(id | 0xFF_FFFF << 24, .map) == .invalidHandle)  // a slot that was never used
    #expect(status(id | 1 << 48, .map) == .invalidHandle)  // an epoch that has not been
    table.release(id, .view)
    #expect(status(id, .map) == nil)
    table.release(id, .map)
  }

  @Test func anIdNeverNamesASecondObject() throws {
    var seen: Set<UInt64> = []
    for _ in 0..<1000 {
      let id = try table.give(Thing(runtime: runtime))
      #expect(seen.insert(id).inserted)
      table.release(id, .map)
      #expect(status(id, .map) == .invalidHandle)
      table.release(id, .map)  // a second release does nothing
    }
    #expect(table.count(runtimeID: runtime.identity) == 0)
  }

  @Test func livesAsLongAsTheLibraryHoldsTheObject() throws {
    var thing: Thing? = Thing(runtime: runtime)
    let id = try #require(try thing.map { try table.give($0) })
    table.release(id, .map)
    #expect(status(id, .map) == nil)
    #expect(table.count(runtimeID: runtime.identity) == 1)
    thing = nil
    #expect(status(id, .map) == .invalidHandle)
    #expect(table.count(runtimeID: runtime.identity) == 0)
  }

  @Test func lentObjectsEndWithTheLibrarysHold() throws {
    var thing: Thing? = Thing(runtime: runtime)
    let id = try #require(try thing.map { try table.lend($0) })
    table.release(id, .map)  // the host does not own it
    #expect(status(id, .map) == nil)
    thing = nil
    #expect(status(id, .map) == .invalidHandle)
  }

  @Test func aRuntimesEndMakesItsHandlesStale() throws {
    let other = Runtime(options: RuntimeOptions())
    let mine = try table.give(Thing(runtime: runtime))
    let others = try table.give(Thing(runtime: other))
    runtime.releaseHandles()
    #expect(status(mine, .map) == .invalidHandle)
    #expect(status(others, .map) == nil)
    other.releaseHandles()
  }

  @Test func attachmentsAreMadeOnceAndEndWithTheObject() {
    final class Note: Sendable {}
    weak var kept: Note?
    do {
      let thing = Thing(runtime: runtime)
      let first = thing.attachment { Note() }
      kept = first
      #expect(thing.attachment { Note() } === first)
    }
    #expect(kept == nil)
  }
}
