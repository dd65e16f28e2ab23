/// A line of the log.
public struct LogLine: Sendable {
  public var level: LogLevel
  /// Who speaks.
  public var domain: ErrorDomain
  /// The code of GDAL or PROJ; 0 if there is none.
  public var code: Int32
  public var text: String
  /// Counts from 1.
  public internal(set) var number: UInt64 = 0
  /// `MonotonicTime`.
  public internal(set) var time: UInt64 = 0

  public init(level: LogLevel, domain: ErrorDomain = .alidade, code: Int32 = 0, text: String) {
    self.level = level
    self.domain = domain
    self.code = code
    self.text = text
  }
}

/// The last lines of a log.
struct LogRing {
  static let capacity: UInt64 = 1024

  /// The line with number n lies at (n - 1) % capacity.
  private var lines: [LogLine] = []
  private(set) var lastNumber: UInt64 = 0

  var firstNumber: UInt64 { lastNumber > Self.capacity ? lastNumber &- Self.capacity &+ 1 : 1 }

  var count: UInt64 { lastNumber &- firstNumber &+ 1 }

  /// Adds a line; returns its number.
  mutating func append(_ line: LogLine) -> UInt64 {
    lastNumber &+= 1
    var line = line
    line.number = lastNumber
    line.time = MonotonicTime.now()
    let index = Self.index(of: lastNumber)
    if index < lines.count { lines[index] = line } else { lines.append(line) }
    return lastNumber
  }

  /// The oldest line whose number is not below `number`.
  func line(from number: UInt64) -> LogLine? {
    let wanted = max(number, firstNumber)
    guard wanted <= lastNumber else { return nil }
    return lines[Self.index(of: wanted)]
  }

  private static func index(of number: UInt64) -> Int { Int(truncatingIfNeeded: (number &- 1) % capacity) }
}
