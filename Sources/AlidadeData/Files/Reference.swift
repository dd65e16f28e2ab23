import AlidadeBase

/// A name in a file, complete with its folder.
struct Reference {
  enum Kind {
    /// GDAL opens it with whichever driver knows it.
    case dataset
    /// The same, but GDAL looks for it by itself.
    case sidecar
    /// Its bytes are read as they are.
    case raw
    /// GDAL's own .aux.xml.
    case metadata
    /// An XML schema.
    case schema

    /// Distinguishes references that are examined in different ways.
    var mark: String {
      switch self {
      case .dataset, .sidecar: ""
      case .raw: "\u{0}raw"
      case .metadata: "\u{0}metadata"
      case .schema: "\u{0}schema"
      }
    }
  }

  var name: String
  /// The file that it stands in; nil if the host gave it.
  var namer: String?
  var kind: Kind
  /// Where in the file it stands: what one reading of the file does not read together has different numbers.
  var band = 0
  /// How often it is read at each reading.
  var weight: UInt64 = 1
}

/// Finds the names in files of one format.
protocol ReferenceFinder: SendableMetatype {
  /// How much of a file's beginning may name files, in bytes; nil: the whole file, which must be of a moderate size.
  static var longestHeader: Int? { get }
  /// - Parameter name: the file's own name.
  static func references(in text: [UInt8], named name: String, _ policy: Policy) throws(EngineError) -> [Reference]
}

/// Finds the names in files of a binary format, which are not read as a whole.
protocol FileReferenceFinder: SendableMetatype {
  static func references(inFile name: String, _ policy: Policy) throws(EngineError) -> [Reference]
}

extension ReferenceFinder {
  static var longestHeader: Int? { nil }
}

/// The files that belong to a raster or a source of features, each in the state in which it was looked at.
struct ScannedFiles: Sendable, Equatable {
  private var identities: [String: FileIdentity?] = [:]

  mutating func add(_ path: String) {
    if identities[path] == nil { identities[path] = .some(FileIdentity(path: path)) }
  }

  /// A file that is not as it was, or that has come or gone; nil if there is none.
  func changed() -> String? {
    identities.first { path, identity in FileIdentity(path: path) != identity }?.key
  }
}
