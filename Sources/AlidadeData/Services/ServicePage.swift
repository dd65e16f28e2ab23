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
  /// What is before the numbers of a WFS, with the dot.
  private(set) var idPrefix = ""
  /// The field with the ids of a feature service; empty: it is not said.
  private(set) var idField = ""
  /// The fields of a feature service.
  private(set) var fields: [ServiceField] = []
  /// For GML.
  private var wfs: WFS?
  /// There are more features than the service returns at once.
  private(set) var isCutShort = false
  /// The number of all features that were asked for, as the service says it.
  private(set) var matchedCount: Int?
  /// The address of the next page.
  private(set) var next: String?

  /// Throws if it is no list of features, with what the server says instead.
  ///
  /// - Parameters:
  ///   - kind: what the service is.
  ///   - wfs: what a WFS says of itself; nil for another service.
  init(_ response: HTTPResponse, _ kind: ServiceKind, _ wfs: WFS? = nil) throws(EngineError) {
    (address, body, self.wfs) = (response.address, response.body, wfs)
    if kind == .wfs, body.first(where: { $0 > 32 }) == UInt8(ascii: "<") {
      try readGML(response)
      return
    }
    var (found, hasFeatures, oidField, failure) = (self, false, "", JSON?.none)
    try response.readJSON { (json) throws(EngineError) in
      try json.readObject { (json: inout JSONScanner, name) throws(EngineError) in
        switch name {
        case "features":
          hasFeatures = true
          try found.count(&json, isOfWFS: kind == .wfs)
        case "objectIdFieldName": found.idField = try json.readValue().text ?? ""
        case "fields":
          let value = try json.readValue()
          found.fields = ServiceField.ofFeatureServer(value)
          oidField = value.items?.first { $0["type"]?.text == "esriFieldTypeOID" }?["name"]?.text ?? ""
        case "error": failure = try json.readValue()
        case "exceededTransferLimit": found.isCutShort = try json.readValue().isTrue
        case "properties": found.isCutShort = try json.readValue()["exceededTransferLimit"]?.isTrue ?? false
        case "numberMatched": found.matchedCount = try json.readValue().number.flatMap { Int(exactly: $0) }
        case "links":
          let links = try json.readValue().items ?? []
          let next = links.filter { $0["rel"]?.text == "next" && $0["href"]?.text != nil }
          // The next page may also be there for people, as HTML.
          let link =
            next.first { $0["type"]?.text?.lowercased().contains("json") ?? false } ?? next.first { $0["type"] == nil }
          found.next = (link ?? next.first)?["href"]?.text
        default: try json.skipValue()
        }
      }
    }
    if let failure { throw response.failure(failure) }
    guard hasFeatures else { throw response.unexpected("a list of features") }
    self = found
    if kind == .featureServer {
      if idField.isEmpty { idField = oidField }
      hideIntegers()
    }
  }

  /// Gives GDAL the integers of a feature service as texts: as integers it has 32 bits for them, takes the features in
  /// the order of their ids, and a text for a 0. `FieldMap` makes integers of the texts.
  private mutating func hideIntegers() {
    let types = ["OID", "Integer", "SmallInteger"].map { Array("\"esriFieldType\($0)\"".utf8) }
    let name = Array("\"fields\"".utf8)
    var marked: [Int] = []
    var (depth, listDepth, isNext, index) = (0, Int?.none, false, 0)
    scan: while index < body.count {
      switch body[index] {
      case UInt8(ascii: "\""):
        let start = index
        index &+= 1
        while index < body.count, body[index] != UInt8(ascii: "\"") {
          index &+= body[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        let text = body[start..<min(index &+ 1, body.count)]
        isNext = depth == 1 && text.elementsEqual(name)
        if listDepth != nil, types.contains(where: { text.elementsEqual($0) }) { marked.append(index &- 1) }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth &+= 1
        if isNext { (listDepth, isNext) = (depth, false) }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if listDepth == depth { break scan }
        depth &-= 1
      case UInt8(ascii: ","): isNext = false
      default: break
      }
      index &+= 1
    }
    // A type that GDAL does not know is a text.
    for place in marked { body[place] = UInt8(ascii: "_") }
  }

  private mutating func readGML(_ response: HTTPResponse) throws(EngineError) {
    let isEmpty: Bool
    (matchedCount, next, isEmpty) = try response.readXML("a list of features", ["featurecollection"]) {
      (root) throws(EngineError) in
      let members = ["member", "members", "featuremember", "featuremembers"]
      return (
        root.value("numbermatched").flatMap { Int($0, radix: 10) }, root.value("next"),
        members.allSatisfy { root.element($0) == nil }
      )
    }
    let page = self
    guard let wfs else { throw EngineError(.internal, "GML came from another service than a WFS.") }
    // Without a schema, GDAL finds no layer where there are no features.
    if isEmpty, wfs.schema.isEmpty { return }
    let (features, first) = try GDALGuard.call(for: nil) { (words) throws(EngineError) -> (Int, String) in
      let options = ThreadOptions(wfs.options)
      let found = try page.withLayer("GML", words) { (layer) throws(EngineError) -> (Int, String) in
        OGR_L_ResetReading(layer)
        guard let feature = OGR_L_GetNextFeature(layer) else { return (0, "") }
        defer { OGR_F_Destroy(feature) }
        let index = max(OGR_F_GetFieldIndex(feature, "gml_id"), OGR_F_GetFieldIndex(feature, "fid"))
        let id = index >= 0 ? gdalText(OGR_F_GetFieldAsString(feature, index)) : ""
        return (Int(clamping: OGR_L_GetFeatureCount(layer, 1)), id)
      }
      _ = consume options
      return found
    }
    count = features
    note(id: first)
  }

  /// The first id of a page, as a text.
  private mutating func note(id: String) {
    guard let dot = id.lastIndex(of: "."), FeatureService.number(canonical: id[id.index(after: dot)...]) != nil else {
      ids = id.isEmpty ? .none : .texts
      return
    }
    (ids, idPrefix) = (.numbers, String(id[...dot]))
  }

  private mutating func count(_ json: inout JSONScanner, isOfWFS: Bool) throws(EngineError) {
    try json.readList { (json: inout JSONScanner, index) throws(EngineError) in
      count &+= 1
      guard index == 0 else { return try json.skipValue() }
      let first = try json.readValue()
      switch first["id"] {
      case .real?: ids = .numbers
      case .text(let id)?: if isOfWFS { note(id: id) } else { ids = .texts }
      default: ids = first["attributes"] == nil ? .none : .numbers
      }
    }
  }

  /// Calls `use` with the page as a layer of GDAL's. Call inside the guard.
  func withLayer<Result>(
    _ driver: String, _ words: UnsafePointer<GDALWords>, _ use: (OGRLayerH) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let name = "/vsimem/alidade-\(Self.lastName.withLock { $0 &+= 1; return $0 })"
    var options = driver == "ESRIJSON" ? ["FEATURE_SERVER_PAGING=NO"] : ["NATIVE_DATA=YES"]
    if driver == "GML" {
      options = ["WRITE_GFS=NO", "DOWNLOAD_SCHEMA=NO", "EXPOSE_GML_ID=YES", "XSD=\(name).xsd"]
      options.append("CONSIDER_EPSG_AS_URN=\(wfs?.followsAuthority ?? false ? "YES" : "NO")")
    }
    let flags = UInt32(truncatingIfNeeded: GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR)
    var outcome: Swift.Result<Result, EngineError>?
    withMemoryFile("\(name).xsd", driver == "GML" ? wfs?.schema ?? [] : []) {
      withMemoryFile(name, body) {
        let opened = withList([driver]) { drivers in
          withList(options) { GDALOpenEx(name, flags, drivers, $0, nil) }
        }
        guard let opened else { return }
        defer { GDALClose(opened) }
        guard let layer = GDALDatasetGetLayer(opened, 0) else { return }
        do throws(EngineError) { outcome = .success(try use(layer)) } catch { outcome = .failure(error) }
      }
    }
    guard let outcome else {
      throw words.pointee.failure(.readFailed, "\"\(HTTPAddress.shown(address))\" cannot be read as features")
    }
    return try outcome.get()
  }

  private static let lastName = Lock(UInt64(0))
}

/// Lets GDAL see bytes as a file while `body` runs; none if there are no bytes. Call inside the guard.
func withMemoryFile(_ name: String, _ bytes: [UInt8], _ body: () -> Void) {
  guard !bytes.isEmpty else { return body() }
  var bytes = bytes
  let size = vsi_l_offset(truncatingIfNeeded: bytes.count)
  bytes.withUnsafeMutableBytes { bytes in
    let start = bytes.baseAddress?.assumingMemoryBound(to: GByte.self)
    // Right: GDAL reads the bytes until `VSIUnlink`, and does not free them.
    guard let file = VSIFileFromMemBuffer(name, start, size, 0) else { return }
    VSIFCloseL(file)
    defer { VSIUnlink(name) }
    body()
  }
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
    let words = ([object["message"]?.text ?? ""] + details).filter { !$0.isEmpty }.joined(separator: " ")
    let code = object["code"]?.number.flatMap { Int32(exactly: $0) } ?? 0
    return EngineError(
      .readFailed,
      "\"\(HTTPAddress.shown(address))\" cannot be read: the server returned "
        + (words.isEmpty ? "the error \(code) without a message." : "\"\(words)\""), domain: .http, domainCode: code)
  }
}
