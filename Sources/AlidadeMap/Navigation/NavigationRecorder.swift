import AlidadeCoordinates

/// Writes down what moves a view: text, a line per input, so that it can be played again.
struct NavigationRecorder: Sendable {
  /// What a log begins with: what it is, and its form.
  static let title = "alidade-navigation 1"

  /// What is written down of a view when a call has changed it.
  struct Moment {
    var width, height, pixelDensity: Double
    var insets: Insets
    var limits: CameraConstraints
    var camera: Camera?
  }

  private(set) var text: String
  /// Bytes; a log that would be longer ends, and says so.
  private let limit: UInt64
  private(set) var isFull = false

  /// - Parameters:
  ///   - view: what holds at the beginning.
  ///   - metresPerUnit: of the map; in another one the same inputs would lead elsewhere.
  init(
    _ view: Moment, _ interaction: InteractionOptions, metresPerUnit: Double, worldWidth: Double?, limit: UInt64
  ) {
    self.limit = limit
    text = "\(Self.title)\nmap \(metresPerUnit) \(worldWidth.map { "\($0)" } ?? "-")\n"
    add(Self.size(view))
    // The map's limits, too: a log leads to the same cameras over a map without them.
    add(.constraints(view.limits))
    if let camera = view.camera { add(.camera(camera)) }
    add(.interaction(interaction))
  }

  mutating func add(_ command: NavigationCommand) {
    guard !isFull else { return }
    let line = command.line
    guard UInt64(truncatingIfNeeded: text.utf8.count &+ line.utf8.count &+ 1) <= limit else {
      isFull = true
      return
    }
    text += line
    text += "\n"
  }

  /// What calls have changed.
  mutating func add(from before: Moment, to after: Moment) {
    if before.width != after.width || before.height != after.height || before.pixelDensity != after.pixelDensity
      || before.insets != after.insets
    {
      add(Self.size(after))
    }
    if before.limits != after.limits { add(.constraints(after.limits)) }
    if let camera = after.camera, before.camera != camera { add(.camera(camera)) }
  }

  private static func size(_ view: Moment) -> NavigationCommand {
    .size(width: view.width, height: view.height, pixelDensity: view.pixelDensity, view.insets)
  }
}

/// Reads such a log, line by line.
struct NavigationLog {
  private let bytes: [UInt8]
  /// Of the next line.
  private(set) var offset: Int

  /// - Parameter offset: beyond the end is the end.
  init(_ text: String, from offset: Int) {
    bytes = Array(text.utf8)
    self.offset = min(max(offset, 0), bytes.count)
  }

  /// The next line that is neither empty nor a comment, which begins with #; nil at the end.
  mutating func next() -> Substring? {
    while offset < bytes.count {
      let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let line = String(decoding: bytes[offset..<end], as: UTF8.self)
      offset = min(end &+ 1, bytes.count)
      if !line.isEmpty, !line.hasPrefix("#") { return line[...] }
    }
    return nil
  }

  /// The number of the line that was read last, from 1.
  var lineNumber: Int { bytes[..<offset].count { $0 == UInt8(ascii: "\n") } }
}
