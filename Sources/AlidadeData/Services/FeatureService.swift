import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CGDAL
import Glibc

/// A layer of features that a server has, read page by page. Any number of threads may use it.
final class FeatureService: Sendable {
  /// The pages that an area needs.
  struct Pages: Sendable {
    var list: [ServicePage] = []
    /// Why there are more features than the pages hold; empty: there are not.
    var shortage = ""
  }

  let kind: ServiceKind
  /// The name that the service gives its layer.
  let name: String
  /// In the spatial reference of the features; nil: the service does not say it.
  let extent: Envelope?
  /// What shows how features look.
  let firstPage: ServicePage
  /// The fields as the service describes them; empty: it does not.
  let fields: [ServiceField]
  /// The field with the ids of a feature service, where the pages do not name it; empty: there is none.
  let idField: String
  private let base: String
  private let extra: String
  private let client: HTTPClient
  /// 0: as many as the service likes.
  private let pageSize: Int
  private let hasPaging: Bool
  /// A web feature service says how many features it returns at most.
  private var statesPageSize: Bool { wfs?.most != nil }
  /// The number of the spatial reference for a feature service; empty: the service's own.
  private let reference: String
  /// What a web feature service says of itself; nil for the others.
  private let wfs: WFS?
  private let numbers: Lock<FeatureNumbers>

  /// So many features are asked for at once, if the service allows it.
  private static let mostPerPage = 2000
  /// A service that goes on for ever is left.
  private static let mostPages = 10_000

  /// Asks the service what it is. Outside of the guard.
  init(_ address: String, _ runtime: Runtime) throws(EngineError) {
    let client = HTTPClient.of(runtime)
    try client.check(try HTTPAddress(address))
    (kind, base) = try ServiceKind.find(address)
    (self.client, extra) = (client, ServiceKind.extra(address))
    if kind == .collection, let name = ["crs", "bbox-crs"].first(where: { ServiceAddress(address).value($0) != nil }) {
      throw EngineError(
        .unsupported,
        "\"\(HTTPAddress.shown(address))\" asks for another spatial reference with \"\(name)\". Leave it out: a collection is "
          + "read in longitudes and latitudes, and projected to what a map or a query wants.")
    }
    if kind == .wfs {
      let wfs = try WFS(ServiceAddress(address), runtime)
      (self.wfs, wkt) = (wfs, wfs.wkt)
      (name, extent, reference, hasPaging) = (wfs.title, wfs.extent, "", wfs.hasPaging)
      (fields, idField) = ([], "")
      pageSize = min(Self.mostPerPage, wfs.most ?? Self.mostPerPage)
      let first = wfs.address(hasPaging ? pageSize : nil, near: nil)
      firstPage = try ServicePage(try client.read(HTTPRequest(first)), .wfs, wfs)
      numbers = Lock(FeatureNumbers(isAlone: firstPage.ids == .texts))
      return
    }
    wfs = nil
    var size = 0
    let described: [ServiceField]
    let format = kind == .featureServer ? "?f=json" : "?"
    let description = try Self.object(client, base + format + extra)
    switch kind {
    case .featureServer:
      name = description["name"]?.text ?? ""
      let place = description["extent"]?["spatialReference"]
      let number = place?["latestWkid"]?.number ?? place?["wkid"]?.number
      reference = number.flatMap { Int(exactly: $0) }.map(String.init) ?? ""
      extent = Self.box(["xmin", "ymin", "xmax", "ymax"].map { description["extent"]?[$0]?.number })
      hasPaging = description["advancedQueryCapabilities"]?["supportsPagination"]?.isTrue ?? false
      let most = Self.count(description["maxRecordCount"]) ?? 1000
      size = hasPaging ? min(Self.mostPerPage, most) : most
      described = ServiceField.ofFeatureServer(description["fields"])
      idField = description["objectIdField"]?.text ?? description["objectIdFieldName"]?.text ?? ""
    case .collection:
      name = description["title"]?.text ?? description["id"]?.text ?? ""
      reference = ""
      let box = description["extent"]?["spatial"]?["bbox"]?.items?.first?.items?.map(\.number) ?? []
      extent = Self.box(box.count == 6 ? [box[0], box[1], box[3], box[4]] : box)
      size = Self.limit(in: address) ?? 1000
      hasPaging = true
      described = Self.schema(of: description, base, client)
      idField = ""
    case .wfs: throw EngineError(.internal, "A WFS was taken for another service.")
    }
    wkt = Self.wktOfEsri(reference, runtime)
    let first = Self.firstAddress(kind, base, extra, reference, hasPaging ? size : nil)
    var response = try client.fetch(Self.request(first))
    if kind == .collection, response.status == 400, Self.limit(in: address) == nil {
      // It may refuse so many: then it says itself how many a page has.
      response = try client.fetch(Self.request(Self.firstAddress(kind, base, extra, reference, nil)))
      size = 0
    }
    pageSize = size
    firstPage = try ServicePage(try response.successful(), kind)
    let names = Set(described.map(\.name))
    fields = described + firstPage.fields.filter { !names.contains($0.name) }
    numbers = Lock(FeatureNumbers(isAlone: firstPage.ids == .texts))
  }

  /// What PROJ knows by a number of Esri's that EPSG does not have, and GDAL does not read; empty for another one.
  private static func wktOfEsri(_ number: String, _ runtime: Runtime) -> String {
    let isKnown = (try? SpatialReference.make(runtime: runtime, text: "EPSG:\(number)")) != nil
    if number.isEmpty || isKnown { return "" }
    return (try? SpatialReference.ofService("ESRI:\(number)", runtime))?.wkt ?? ""
  }

  /// How many features a page is to have by the address of the host; nil: it does not say it.
  private static func limit(in address: String) -> Int? {
    let limit = ServiceAddress(address).value("limit").flatMap { Int($0, radix: 10) }
    return limit.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The fields of a collection, if it has a link to their description; what cannot be read is left out.
  private static func schema(of collection: JSON, _ base: String, _ client: HTTPClient) -> [ServiceField] {
    let links = collection["links"]?.items ?? []
    for relation in ["schema", "queryables"] {
      let link = links.first { $0["rel"]?.text?.split { $0 == "/" || $0 == ":" }.last.map(String.init) == relation }
      guard let link = link?["href"]?.text else { continue }
      do throws(EngineError) {
        var request = HTTPRequest(try HTTPAddress(base).resolving(link).text)
        request.headers = ["Accept: application/schema+json, application/json;q=0.9"]
        let found = ServiceField.ofSchema(try object(client, request))
        if !found.isEmpty { return found }
      } catch {
        // The first page shows the fields.
      }
    }
    return []
  }

  /// The spatial reference of the features; empty: the pages say it.
  let wkt: String

  /// GDAL's driver for the pages.
  var driver: String {
    switch kind {
    case .featureServer: "ESRIJSON"
    case .collection: "GeoJSON"
    case .wfs: wfs?.isJSON ?? false ? "GeoJSON" : "GML"
    }
  }

  private static func object(_ client: HTTPClient, _ address: String) throws(EngineError) -> JSON {
    try object(client, request(address))
  }

  private static func object(_ client: HTTPClient, _ request: HTTPRequest) throws(EngineError) -> JSON {
    let response = try client.read(request)
    let object = try response.readJSON { (json) throws(EngineError) in try json.readValue() }
    guard case .object = object else { throw response.unexpected("the description of a service") }
    if let failure = object["error"] { throw response.failure(failure) }
    return object
  }

  private func page(_ address: String) throws(EngineError) -> ServicePage {
    let request = kind == .wfs ? HTTPRequest(address) : Self.request(address)
    return try ServicePage(try client.read(request), kind, wfs)
  }

  private static func request(_ address: String) -> HTTPRequest {
    var request = HTTPRequest(address)
    request.headers = ["Accept: application/geo+json, application/json;q=0.9"]
    return request
  }

  private static func count(_ value: JSON?) -> Int? {
    guard let number = value?.number, let count = Int(exactly: number), count > 0 else { return nil }
    return count
  }

  private static func box(_ numbers: [Double?]) -> Envelope? {
    let numbers = numbers.compactMap(\.self)
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[0] <= numbers[2], numbers[1] <= numbers[3] else {
      return nil
    }
    return Envelope(xMin: numbers[0], yMin: numbers[1], xMax: numbers[2], yMax: numbers[3])
  }

  // MARK: Pages

  private static func firstAddress(
    _ kind: ServiceKind, _ base: String, _ extra: String, _ reference: String, _ size: Int?, near box: Envelope? = nil
  ) -> String {
    let numbers = box.map { box in
      [box.xMin, box.yMin, box.xMax, box.yMax].map { NumberText.shortest($0) }.joined(separator: ",")
    }
    switch kind {
    case .featureServer:
      var address = base + "/query?where=1%3D1&outFields=*&returnGeometry=true&f=json"
      if let size { address += "&resultRecordCount=\(size)" }
      if !reference.isEmpty { address += "&outSR=\(reference)" }
      if let numbers {
        address += "&geometry=\(numbers)&geometryType=esriGeometryEnvelope&spatialRel=esriSpatialRelIntersects"
        if !reference.isEmpty { address += "&inSR=\(reference)" }
      }
      return address + extra
    case .collection:
      var address = base + "/items?"
      if let size { address += "limit=\(size)" }
      return address + (numbers.map { "&bbox=\($0)" } ?? "") + extra
    case .wfs: return base
    }
  }

  /// Asks for the features that may lie in an area. Outside of the guard.
  ///
  /// - Parameters:
  ///   - area: nil: all features.
  ///   - most: pages with so many features are enough.
  func pages(near area: FeatureArea?, most: Int) throws(EngineError) -> Pages {
    guard let area, area.boxes.count > 1, firstPage.ids != .none || !idField.isEmpty else {
      return try pages(near: area?.box, most: most)
    }
    // The area goes over the antimeridian: the box around all of it would be as wide as the world. A feature that is in
    // two boxes is known by its id.
    var all = Pages()
    var count = 0
    for box in area.boxes where count < most {
      let pages = try pages(near: box, most: most &- count)
      for page in pages.list { count &+= page.count }
      all.list += pages.list
      if all.shortage.isEmpty { all.shortage = pages.shortage }
    }
    return all
  }

  /// The same for a box in the spatial reference of the features; nil: all features.
  private func pages(near box: Envelope?, most: Int) throws(EngineError) -> Pages {
    var pages = Pages()
    guard let box = clamped(box) else { return pages }
    let size = hasPaging && pageSize > 0 ? pageSize : nil
    let first =
      wfs?.address(size, near: box) ?? Self.firstAddress(kind, base, extra, reference, size, near: box)
    var address: String? = first
    var known: Set<String> = []
    var (count, byteCount, matched) = (0, 0, Int?.none)
    while let wanted = address, count < most {
      let page = try page(wanted)
      // A service whose pages lead back to earlier ones would never end.
      guard known.insert(wanted).inserted, page.body != pages.list.last?.body else { break }
      // GDAL finds no layer in GML without features.
      if page.count > 0 || kind != .wfs { pages.list.append(page) }
      (count, byteCount) = (count &+ page.count, byteCount &+ page.body.count)
      try client.policy.check(bytes: byteCount)
      matched = page.matchedCount ?? matched
      address = nil
      switch kind {
      case .featureServer:
        guard page.count > 0, page.isCutShort || page.count >= pageSize else { break }
        if hasPaging {
          address = first + "&resultOffset=\(count)"
        } else {
          let rest = page.isCutShort ? "there are more" : "there may be more"
          pages.shortage = "The service returns at most \(page.count) features at once, and \(rest)."
        }
      case .collection:
        address = try next(of: page)
      case .wfs:
        address = try next(of: page)
        let isMore = matched.map { count < $0 } ?? (page.count >= pageSize)
        guard address == nil, page.count > 0, isMore else { break }
        if hasPaging {
          address = first + "&STARTINDEX=\(count)"
        } else if matched == nil, statesPageSize {
          pages.shortage = "The service returns at most \(page.count) features at once, and there may be more."
        }
      }
      if pages.list.count >= Self.mostPages { break }
    }
    if address != nil, count < most {
      pages.shortage = "There are more features here than the \(count) that are read."
    } else if address == nil, let matched, matched > count {
      pages.shortage = "The service has \(matched) features here and returned \(count)."
    }
    return pages
  }

  /// The address of the page after a page, with the host's own parameters, such as a key, if it lacks them.
  private func next(of page: ServicePage) throws(EngineError) -> String? {
    guard let next = page.next else { return nil }
    var address = try page.resolve(next)
    guard try HTTPAddress(address).server == HTTPAddress(base).server else { return address }
    let there = ServiceAddress(address)
    for (name, value) in ServiceAddress.parameters(extra.dropFirst()) where there.value(name.lowercased()) == nil {
      address += (address.contains("?") ? "&" : "?") + "\(name)=\(value)"
    }
    return address
  }

  /// A box without what is beyond the world of a collection's longitudes; nil if nothing is left of it.
  private func clamped(_ box: Envelope?) -> Envelope?? {
    guard kind == .collection, let box else { return .some(box) }
    let inside = Envelope(
      xMin: max(box.xMin, -180), yMin: max(box.yMin, -90), xMax: min(box.xMax, 180), yMax: min(box.yMax, 90))
    return inside.xMin <= inside.xMax && inside.yMin <= inside.yMax ? .some(inside) : nil
  }

  // MARK: Ids

  /// The id of a feature of a collection, of which GDAL keeps the JSON; nil if it has none. Ids that are texts are
  /// numbered in the order in which they come.
  func id(of feature: OGRFeatureH) throws(EngineError) -> Int64? {
    guard kind != .featureServer else { return nil }
    guard let text = OGR_F_GetNativeData(feature) else {
      // What GML calls it.
      for name in ["gml_id", "fid"] {
        let index = OGR_F_GetFieldIndex(feature, name)
        if index >= 0, OGR_F_IsFieldSetAndNotNull(feature, index) != 0 {
          return number(ofTyped: gdalText(OGR_F_GetFieldAsString(feature, index)))
        }
      }
      return nil
    }
    return try UnsafeBufferPointer(start: text, count: strlen(text)).withMemoryRebound(to: UInt8.self) {
      (bytes) throws(EngineError) in
      var id: JSON?
      var json = JSONScanner(bytes, title: "A feature")
      try json.readObject { (json: inout JSONScanner, name) throws(EngineError) in
        if name == "id" { id = try json.readValue() } else { try json.skipValue() }
      }
      switch id {
      case .real(let number)?:
        // From 2^53 on a double is not every integer.
        let text = number.magnitude < 0x1p53 ? nil : FeatureNumbers.writtenID(in: bytes)
        return self.id(written: text ?? NumberText.shortest(number))
      case .text(let text)?: return kind == .wfs ? number(ofTyped: text) : number(of: text)
      default: return nil
      }
    }
  }

  /// The id of a feature that the service writes as a number.
  func id(written text: String) -> Int64 {
    let isNumbered = kind == .featureServer || firstPage.ids == .numbers
    guard isNumbered, let number = Self.number(canonical: text[...]) else {
      // No text of a service's begins so.
      return number(of: "\0number \(text)")
    }
    return numbers.withLock { $0.number(stored: number) }
  }

  /// The id of a feature without one, by how many were before it.
  func id(atPosition position: Int) -> Int64 {
    firstPage.ids == .none ? Int64(truncatingIfNeeded: position) : number(of: "\0position \(position)")
  }

  /// The id of a feature with the id of another on the same page.
  func id(repeating id: Int64, _ count: Int) -> Int64 { number(of: "\0number \(id) again \(count)") }

  /// The number in an id such as "points.12", which begins as that of the first feature does.
  private func number(ofTyped text: String) -> Int64 {
    guard firstPage.ids == .numbers, let dot = text.lastIndex(of: "."), text[...dot] == firstPage.idPrefix[...],
      let number = Self.number(canonical: text[text.index(after: dot)...])
    else { return self.number(of: text) }
    return numbers.withLock { $0.number(stored: number) }
  }

  /// The number that a text is; nil if the number is written otherwise, such as 07: that is another id.
  static func number(canonical text: Substring) -> Int64? {
    guard let number = Int64(text, radix: 10), number >= 0, String(number) == text else { return nil }
    return number
  }

  private func number(of text: String) -> Int64 { numbers.withLock { $0.number(of: text) } }
}

extension ServicePage {
  fileprivate func resolve(_ link: String) throws(EngineError) -> String {
    try HTTPAddress(address).resolving(link).text
  }
}
