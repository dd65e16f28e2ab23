import AlidadeBase
import AlidadeGeometry
import CGDAL

/// A page of features that a service returned, and what it says of those that are not in it.
struct ServicePage: Sendable {
  /// What names features in a page.
  enum IDs: Sendable {
    case none, numbers, texts
  }

  private(set) var address: String
  private(set) var body: [UInt8]
  private(set) var count = 0
  private(set) var ids = IDs.none
  /// There are more features than the service returns at once.
  private(set) var isCutShort = false
  /// The number of all features that were asked for, as the service says it.
  private(set) var matchedCount: Int?
  /// The address of the next page.
  private(set) var next: String?

  /// Throws if it is no list of features, with what the server says instead.
  init(_ response: HTTPResponse) throws(EngineError) {
    (address, body) = (response.address, response.body)
    var (found, hasFeatures, failure) = (self, false, JSON?.none)
    try response.readJSON { (json) throws(EngineError) in
      try json.readObject { (json: inout JSONScanner, name) throws(EngineError) in
        switch name {
        case "features":
          hasFeatures = true
          try found.count(&json)
        case "error": failure = try json.readValue()
        case "exceededTransferLimit": found.isCutShort = try json.readValue().isTrue
        case "properties": found.isCutShort = try json.readValue()["exceededTransferLimit"]?.isTrue ?? false
        case "numberMatched": found.matchedCount = try json.readValue().number.flatMap { Int(exactly: $0) }
        case "links":
          let links = try json.readValue().items ?? []
          found.next = links.first { $0["rel"]?.text == "next" }?["href"]?.text
        default: try json.skipValue()
        }
      }
    }
    if let failure { throw response.failure(failure) }
    guard hasFeatures else { throw response.unexpected("a list of features") }
    self = found
  }

  private mutating func count(_ json: inout JSONScanner) throws(EngineError) {
    try json.readList { (json: inout JSONScanner, index) throws(EngineError) in
      count &+= 1
      guard index == 0 else { return try json.skipValue() }
      let first = try json.readValue()
      switch first["id"] {
      case .real?: ids = .numbers
      case .text?: ids = .texts
      default: ids = first["attributes"] == nil ? .none : .numbers
      }
    }
  }

  /// Calls `body` with the page as a layer of GDAL's. Call inside the guard.
  func withLayer<Result>(
    _ driver: String, _ words: UnsafePointer<GDALWords>, _ body: (OGRLayerH) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let name = "/vsimem/alidade-\(Self.lastName.withLock { $0 &+= 1; return $0 }).json"
    var bytes = self.body
    let flags = UInt32(truncatingIfNeeded: GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR)
    let size = vsi_l_offset(truncatingIfNeeded: bytes.count)
    var outcome: Swift.Result<Result, EngineError>?
    bytes.withUnsafeMutableBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: GByte.self)
      // Right: GDAL reads the bytes until `VSIUnlink`, and does not free them.
      guard let file = VSIFileFromMemBuffer(name, start, size, 0) else { return }
      VSIFCloseL(file)
      defer { VSIUnlink(name) }
      let opened = withList([driver]) { drivers in
        withList(["FEATURE_SERVER_PAGING=NO", "NATIVE_DATA=YES"]) { GDALOpenEx(name, flags, drivers, $0, nil) }
      }
      guard let opened else { return }
      defer { GDALClose(opened) }
      guard let layer = GDALDatasetGetLayer(opened, 0) else { return }
      do throws(EngineError) { outcome = .success(try body(layer)) } catch { outcome = .failure(error) }
    }
    guard let outcome else {
      throw words.pointee.failure(.readFailed, "\"\(HTTPAddress.shown(address))\" cannot be read as features")
    }
    return try outcome.get()
  }

  private static let lastName = Lock(UInt64(0))
}

extension HTTPResponse {
  /// Reads the body as JSON. What is not JSON is an error with what the server says instead.
  func readJSON<Result>(
    _ body: (inout JSONScanner) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    var outcome: Swift.Result<Result, EngineError>?
    self.body.withUnsafeBufferPointer { bytes in
      var json = JSONScanner(bytes, title: "The response")
      do throws(EngineError) { outcome = .success(try body(&json)) } catch { outcome = .failure(error) }
    }
    guard let outcome else { throw unexpected("JSON") }
    do throws(EngineError) { return try outcome.get() } catch {
      guard error.status == .invalidArgument else { throw error }
      var failure = unexpected("JSON")
      failure.message += " (\(error.message))"
      throw failure
    }
  }

  /// An error for a response of another kind, with what it says.
  func unexpected(_ what: String) -> EngineError {
    EngineError(
      .readFailed,
      "\"\(HTTPAddress.shown(address))\" cannot be read: the server returned "
        + (words.isEmpty ? "nothing, not \(what)." : "\"\(words)\", which is not \(what)."), domain: .http,
      domainCode: Int32(truncatingIfNeeded: status))
  }

  /// An error that a feature service put into a response of success.
  func failure(_ object: JSON) -> EngineError {
    let details = (object["details"]?.items ?? []).compactMap(\.text)
    let words = [object["message"]?.text ?? ""] + details
    return EngineError(
      .readFailed,
      "\"\(HTTPAddress.shown(address))\" cannot be read: the server returned \"\(words.joined(separator: " "))\"",
      domain: .http, domainCode: object["code"]?.number.flatMap { Int32(exactly: $0) } ?? 0)
  }
}
