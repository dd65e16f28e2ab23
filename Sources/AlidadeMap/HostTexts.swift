import AlidadeBase

/// Texts and properties that a host stores with one object.
public struct HostTexts: Sendable {
  fileprivate var texts: [HostTextKind: String] = [:]
  /// In the order in which they were added.
  fileprivate var properties: [(key: String, value: String)] = []

  /// How many properties a host can give an object.
  public static let propertyLimit = 10_000

  /// nil removes it; false if there are too many.
  fileprivate mutating func setProperty(_ key: String, to value: String?) -> Bool {
    let place = properties.firstIndex { $0.key == key }
    guard let value else {
      if let place { properties.remove(at: place) }
      return true
    }
    if let place {
      properties[place].value = value
      return true
    }
    guard properties.count < Self.propertyLimit else { return false }
    properties.append((key, value))
    return true
  }
}

/// An object with texts and properties of the host: a layer or a map.
public protocol HostTextsHolder: AnyObject {
  /// What messages call it.
  var noun: String { get }
  func readTexts<Result>(_ body: (HostTexts) -> Result) -> Result
  func changeTexts<Result>(_ body: (inout HostTexts) -> Result) -> Result
}

extension HostTextsHolder {
  public func text(_ kind: HostTextKind) -> String { readTexts { $0.texts[kind] ?? "" } }

  public func setText(_ kind: HostTextKind, to value: String) {
    changeTexts { $0.texts[kind] = value.isEmpty ? nil : value }
  }

  /// The host's properties, in the order in which they were added.
  public var properties: [(key: String, value: String)] { readTexts { $0.properties } }

  public func property(_ key: String) throws(EngineError) -> String {
    guard let found = readTexts({ $0.properties.first { $0.key == key } }) else {
      throw EngineError(.notFound, "The \(noun) has no property \"\(key)\".")
    }
    return found.value
  }

  /// Sets a property; nil removes it. Removing a missing property does nothing.
  public func setProperty(_ key: String, to value: String?) throws(EngineError) {
    guard !key.isEmpty else { throw EngineError(.invalidArgument, "A property needs a key.") }
    if !changeTexts({ $0.setProperty(key, to: value) }) {
      throw EngineError(
        .limitExceeded, "The \(noun) has \(HostTexts.propertyLimit) properties, which is the most it can have.")
    }
  }
}
