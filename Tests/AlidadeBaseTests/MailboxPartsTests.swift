import Testing

@testable import AlidadeBase

@Suite struct QueueTests {
  @Test func firstInFirstOut() {
    // Against an array, with a fixed pattern of comings and goings.
    var queue = Queue<Int>()
    var expected: [Int] = []
    for number in 0..<5000 {
      queue.append(number)
      expected.append(number)
      if number % 3 != 0 {
        let first = queue.popFirst()
        let wanted = expected.removeFirst()
        #expect(first == wanted)
      }
      #expect(queue.count == expected.count)
      #expect(queue.isEmpty == expected.isEmpty)
    }
    var rest: [Int] = []
    while let next = queue.popFirst() { rest.append(next) }
    #expect(rest == expected && queue.isEmpty)
  }

  @Test func letsGoOfWhatWasTaken() {
    final class Item {}
    var queue = Queue<Item>()
    weak var first: Item?
    do {
      let item = Item()
      first = item
      queue.append(item)
      for _ in 0..<10 { queue.append(Item()) }
    }
    #expect(first != nil)
    _ = queue.popFirst()
    #expect(first == nil)
  }
}

@Suite struct EventQueueTests {
  private static func content(_ number: UInt) -> Event.Content {
    .requestFinished(handle: 1, .succeeded, .ok, userData: number)
  }

  private static func userData(_ event: Event?) -> UInt? {
    guard case .requestFinished(_, _, _, let userData)? = event?.content else { return nil }
    return userData
  }

  @Test func oldestFirstWithRisingNumbers() {
    var queue = EventQueue()
    let numbers = (1...5).map { queue.append(Self.content($0)) }
    #expect(numbers == numbers.sorted() && Set(numbers).count == 5)
    for number in 1...5 {
      let event = queue.popFirst()
      #expect(Self.userData(event) == UInt(number))
      #expect(event?.sequence == numbers[number - 1])
    }
    let none = queue.popFirst()
    #expect(queue.count == 0 && none == nil)
  }

  @Test(arguments: [[0], [4], [2], [0, 1], [3, 4], [0, 2, 4], [1, 0], [4, 3, 2, 1, 0]])
  func whatIsTakenBackDoesNotCome(_ removed: [Int]) {
    var queue = EventQueue()
    let numbers = (0..<5).map { queue.append(Self.content(UInt($0))) }
    for index in removed {
      let answers = [queue.remove(numbers[index]), queue.remove(numbers[index])]
      #expect(answers == [true, false])
    }
    let last = queue.append(Self.content(5))
    var left: [UInt] = []
    while let event = queue.popFirst() { if let number = Self.userData(event) { left.append(number) } }
    #expect(left == (0..<6).filter { !removed.contains($0) }.map { UInt($0) })
    let isRemoved = queue.remove(last)
    #expect(!isRemoved && queue.count == 0)
  }

  @Test func goesOnAfterAllWereDropped() {
    var queue = EventQueue()
    let old = queue.append(Self.content(1))
    queue.removeAll()
    let none = queue.popFirst()
    let isRemoved = queue.remove(old)
    #expect(queue.count == 0 && none == nil && !isRemoved)
    let new = queue.append(Self.content(2))
    let event = queue.popFirst()
    #expect(new > old && Self.userData(event) == 2)
  }
}

@Suite struct LogRingTests {
  @Test func keepsTheLastLines() {
    var ring = LogRing()
    #expect(ring.count == 0 && ring.line(from: 0) == nil)
    let total = LogRing.capacity * 2 + 17
    for number in 1...total {
      let given = ring.append(LogLine(level: .info, text: "\(number)"))
      #expect(given == number)
      #expect(ring.count == min(number, LogRing.capacity))
      let oldest = ring.line(from: 0)
      #expect(oldest?.number == ring.firstNumber)
      #expect(oldest?.text == "\(ring.firstNumber)")
    }
    #expect(ring.firstNumber == total - LogRing.capacity + 1)
    for number in ring.firstNumber...total {
      #expect(ring.line(from: number)?.text == "\(number)")
    }
    #expect(ring.line(from: total + 1) == nil && ring.line(from: .max) == nil)
  }
}

@Suite struct MailboxTests {
  private static func dropped(_ mailbox: Mailbox) -> [UInt64] {
    var found: [UInt64] = []
    _ = mailbox.nextEvents(limit: .max) { _, event in
      if case .log(_, _, _, _, let dropped) = event.content { found.append(dropped) }
    }
    return found
  }

  /// Each line is either reported or counted as dropped, whenever the host drains.
  @Test(arguments: [0, 1, 1000, 1024, 1025, 5000])
  func noLineIsLostUncounted(_ count: Int) {
    let mailbox = Mailbox(lowestLevel: .warning)
    for round in 1...3 {
      for number in 0..<count { mailbox.log(LogLine(level: .error, text: "\(round) \(number)")) }
      mailbox.log(LogLine(level: .info, text: "not kept"))
      let drops = Self.dropped(mailbox)
      #expect(drops.count == min(count, Int(LogRing.capacity)))
      #expect(drops.reduce(0, +) == UInt64(max(0, count - Int(LogRing.capacity))))
      #expect(drops.dropFirst().allSatisfy { $0 == 0 })
    }
    #expect(mailbox.waiting.logLines == min(UInt64(3 * count), LogRing.capacity))
  }

  @Test(arguments: [LogLevel.off, .error, .warning, .info, .debug])
  func keepsALevelAndWhatMattersMore(_ lowest: LogLevel) {
    let mailbox = Mailbox(lowestLevel: lowest)
    let order: [LogLevel] = [.error, .warning, .info, .debug]
    let wanted = order.prefix(order.firstIndex(of: lowest).map { $0 + 1 } ?? 0)
    for level in order { mailbox.log(LogLine(level: level, text: "")) }
    var levels: [LogLevel] = []
    _ = mailbox.nextEvents(limit: .max) { _, event in
      if case .log(let level, _, _, _, _) = event.content { levels.append(level) }
    }
    #expect(levels == Array(wanted))
  }

  @Test func aClosedOneIsSilentAndWakesAll() throws {
    let mailbox = Mailbox(lowestLevel: .debug)
    mailbox.log(LogLine(level: .error, text: "before"))
    mailbox.close()
    mailbox.log(LogLine(level: .error, text: "after"))
    #expect(mailbox.eventCount == 0)
    #expect(throws: EngineError.self) { try mailbox.wait(until: .never) }
    #expect(throws: EngineError.self) { try mailbox.wakeDescriptor() }
    #expect(try mailbox.pump(until: .never).called == 0)
  }
}
