import AlidadeBase
import CGDAL

/// A date, a time, or both, as a file gives it.
///
/// Laid out in memory as in C.
public struct FeatureDate: Sendable, Equatable {
  /// With its part; less than 61.
  public var second = 0.0
  public var year: Int32 = 0
  /// East of UTC, in minutes.
  public var utcOffset: Int32 = 0
  private var zoneNumber: Int32 = 0
  /// 1 to 12, and 1 to 31; 0 of a time without a date.
  public var month: UInt8 = 0
  public var day: UInt8 = 0
  public var hour: UInt8 = 0
  public var minute: UInt8 = 0
  private var reserved: UInt64 = 0

  public var zone: TimeZoneKind {
    get { TimeZoneKind(rawValue: zoneNumber) ?? .unknown }
    set { zoneNumber = newValue.rawValue }
  }
}

extension FeatureDate {
  /// As ISO 8601 writes it, as far as the file says it.
  public func text(_ type: FieldType) -> String {
    func digits(_ value: some BinaryInteger, _ width: Int) -> String { NumberText.padded(value, width: width) }
    let day = "\(year < 0 ? "-" : "")\(digits(year.magnitude, 4))-\(digits(month, 2))-\(digits(self.day, 2))"
    if type == .date { return day }
    let whole = Int(exactly: second.rounded(.down)) ?? 0
    let part = second - second.rounded(.down)
    // From "0.5" the digits behind the zero.
    let rest = part > 0 ? NumberText.rounded(part, places: 3).dropFirst() : ""
    let time = "\(digits(hour, 2)):\(digits(minute, 2)):\(digits(whole, 2))\(rest)"
    return type == .time ? time + zoneText : "\(day)T\(time)\(zoneText)"
  }

  private var zoneText: String {
    guard zone == .offset else { return "" }
    if utcOffset == 0 { return "Z" }
    let (hours, minutes) = (utcOffset.magnitude / 60, utcOffset.magnitude % 60)
    return "\(utcOffset < 0 ? "-" : "+")\(NumberText.padded(hours, width: 2)):\(NumberText.padded(minutes, width: 2))"
  }
}

extension FeatureDate {
  /// The value of a feature. Call inside the guard.
  init(_ feature: OGRFeatureH, _ index: Int32) {
    self.init()
    var (month, day, hour, minute, flag): (Int32, Int32, Int32, Int32, Int32) = (0, 0, 0, 0, 0)
    var second: Float = 0
    OGR_F_GetFieldAsDateTimeEx(feature, index, &year, &month, &day, &hour, &minute, &second, &flag)
    self.month = UInt8(clamping: month)
    self.day = UInt8(clamping: day)
    self.hour = UInt8(clamping: hour)
    self.minute = UInt8(clamping: minute)
    // GDAL holds a float; what a file says has no more than thousandths.
    let rounded = (Double(second) * 1000).rounded() / 1000
    // A minute has a 60th second only if the file says so.
    self.second = second < 60 ? min(rounded, 59.999) : rounded
    // GDAL counts in quarters of an hour from 100, which is UTC.
    zone = flag == 1 ? .local : flag > 1 ? .offset : .unknown
    utcOffset = flag > 1 ? (flag &- 100) &* 15 : 0
  }

  /// Reads a date, a time or both, as people write them: "2026-01-31", "2026/01/31 16:30", "16:30:00.5",
  /// "2026-01-31T16:30:00.125+02:00". A date without a time is its midnight.
  ///
  /// - Parameter type: `time` for a time alone; otherwise there must be a date. nil: the text is not one.
  init?(_ text: String, _ type: FieldType) {
    self.init()
    var scanner = DateScanner(bytes: Array(text.utf8))
    if type != .time {
      guard let year = scanner.number(digits: 4...4), let separator = scanner.sign("-/"),
        let month = scanner.number(digits: 1...2), scanner.sign(separator) != nil,
        let day = scanner.number(digits: 1...2), (1...12).contains(month), day >= 1
      else { return nil }
      (self.year, self.month, self.day) = (Int32(clamping: year), UInt8(clamping: month), UInt8(clamping: day))
      guard day <= daysOfMonth else { return nil }
      if scanner.isAtEnd { return }
      guard scanner.sign("T ") != nil else { return nil }
    }
    guard let hour = scanner.number(digits: 1...2), scanner.sign(":") != nil,
      let minute = scanner.number(digits: 2...2), hour < 24, minute < 60
    else { return nil }
    (self.hour, self.minute) = (UInt8(clamping: hour), UInt8(clamping: minute))
    if scanner.sign(":") != nil {
      guard let second = scanner.seconds(), second < 60 else { return nil }
      self.second = second
    }
    guard scanner.isAtEnd || type != .time else { return nil }
    if scanner.isAtEnd { return }
    zone = .offset
    if scanner.sign("Zz") != nil { if scanner.isAtEnd { return } else { return nil } }
    guard let sign = scanner.sign("+-"), let hours = scanner.number(digits: 2...2), hours < 24 else { return nil }
    var minutes = 0
    if !scanner.isAtEnd {
      _ = scanner.sign(":")
      guard let rest = scanner.number(digits: 2...2), rest < 60, scanner.isAtEnd else { return nil }
      minutes = rest
    }
    utcOffset = Int32(clamping: hours * 60 + minutes) * (sign == "-" ? -1 : 1)
  }

  private var daysOfMonth: Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(truncatingIfNeeded: month) - 1]
  }

  /// Days since 1970-01-01, by the proleptic Gregorian calendar: Howard Hinnant's days_from_civil,
  /// https://howardhinnant.github.io/date_algorithms.html.
  var dayOfEpoch: Int {
    let (month, year) = (
      Int(truncatingIfNeeded: self.month), Int(truncatingIfNeeded: self.year) &- (self.month <= 2 ? 1 : 0)
    )
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + Int(truncatingIfNeeded: day) - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  var microsecondOfDay: Int64 {
    let whole = (Int64(truncatingIfNeeded: hour) * 60 + Int64(truncatingIfNeeded: minute)) * 60_000_000
    return whole + (Int64(exactly: (second * 1_000_000).rounded()) ?? 0)
  }

  /// In UTC, if the offset from it is known.
  var millisecondOfEpoch: Int64 {
    Int64(truncatingIfNeeded: dayOfEpoch) &* 86_400_000 &+ microsecondOfDay / 1000
      &- Int64(truncatingIfNeeded: utcOffset) &* 60_000
  }

  var millisecondOfDay: Int64 { microsecondOfDay / 1000 }
}

/// Takes the text of a date to pieces.
private struct DateScanner {
  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  private var digit: Int? {
    guard place < bytes.count, (48...57).contains(bytes[place]) else { return nil }
    return Int(truncatingIfNeeded: bytes[place]) - 48
  }

  /// One of some ASCII characters.
  mutating func sign(_ known: String) -> String? {
    guard place < bytes.count, known.utf8.contains(bytes[place]) else { return nil }
    place += 1
    return String(decoding: bytes[(place - 1)..<place], as: UTF8.self)
  }

  mutating func number(digits count: ClosedRange<Int>) -> Int? {
    let start = place
    var value = 0
    while place - start < count.upperBound, let digit {
      value = value * 10 + digit
      place += 1
    }
    return count.contains(place - start) ? value : nil
  }

  /// Two digits, and more behind a point.
  mutating func seconds() -> Double? {
    guard var value = number(digits: 2...2).map(Double.init) else { return nil }
    guard sign(".") != nil else { return value }
    guard digit != nil else { return nil }
    var unit = 0.1
    while let digit {
      value += Double(digit) * unit
      unit /= 10
      place += 1
    }
    return value
  }
}
