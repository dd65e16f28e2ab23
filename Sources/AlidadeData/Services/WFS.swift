import AlidadeBase
import AlidadeCoordinates

/// What a web feature service (OGC 09-025r2, 04-094) says of itself and of one of its types of features.
struct WFS: Sendable {
  private struct FeatureType: Sendable {
    let name: String
    let title: String
    let system: String
    let formats: [String]
    /// Longitudes and latitudes.
    let degrees: Envelope?
  }

  private struct Description: Sendable {
    var version = ""
    var types: [FeatureType] = []
    var formats: [String] = []
    var hasPaging = false
    var most: Int?
  }

  let title: String
  /// In the spatial reference of the features; nil: the service does not say it.
  let extent: Envelope?
  let hasPaging: Bool
  /// The most features that it returns at once; nil: it does not say it.
  let most: Int?
  /// Whether pages are GeoJSON; otherwise they are GML.
  let isJSON: Bool
  /// The application schema of GML, which says the types of the fields; empty: there is none.
  let schema: [UInt8]
  /// The spatial reference in which features are asked for.
  let wkt: String
  let options: RuntimeOptions
  private let request: String
  private let system: String
  private let isYFirst: Bool
  private let isSecondVersion: Bool
  /// Whether coordinates in GML have the order of the authority's axes, even where the name of the spatial reference is
  /// in its short form.
  let followsAuthority: Bool

  /// What the library says in a request itself; everything else of the host's query, such as a key, goes with each.
  private static let own: Set<String> = [
    "service", "request", "version", "typename", "typenames", "outputformat", "srsname", "bbox", "count", "maxfeatures",
    "startindex", "resulttype",
  ]

  init(_ parts: ServiceAddress, _ runtime: Runtime) throws(EngineError) {
    let client = HTTPClient.of(runtime)
    options = runtime.options
    let base = parts.base(without: Self.own)
    let wanted = parts.value("version") ?? "2.0.0"
    let response = try client.read(
      .description(base + "&SERVICE=WFS&REQUEST=GetCapabilities&VERSION=\(wanted)"))
    let shown = HTTPAddress.shown(response.address)
    let found = try response.readXML("the description of a feature service", ["wfs_capabilities"]) {
      (root) throws(EngineError) in Self.read(root, wanted)
    }
    let type = try Self.chosen(parts.value("typenames") ?? parts.value("typename"), found.types, shown)
    title = type.title.isEmpty ? type.name : type.title
    hasPaging = found.hasPaging && found.version >= "2"
    most = found.most
    isSecondVersion = found.version >= "2"
    followsAuthority = found.version >= "1.1"

    let named = parts.value("srsname").map(percentDecoded)
    if let named, found.version < "1.1" {
      throw EngineError(
        .unsupported,
        "\"\(shown)\" is a WFS of version \(found.version), which has no srsname. Leave \(ReferenceRule.short(named)) out; the "
          + "features are in \(type.system).")
    }
    let reference = try SpatialReference.ofService(named ?? type.system, runtime)
    wkt = reference.wkt
    let isURN = found.version >= "1.1" && reference.authority == "EPSG"
    system = isURN ? "urn:ogc:def:crs:EPSG::\(reference.code)" : named ?? type.system
    isYFirst = isURN ? try reference.isYFirst : false
    extent = try type.degrees?.fromDegrees(to: reference, runtime)

    let formats = type.formats + found.formats
    let given = parts.value("outputformat")
    let json = ["application/json", "application/geo+json", "json", "geojson", "application/vnd.geo+json"]
    // GeoJSON is in WGS 84; in another spatial reference GML says which one it is.
    let isPlain =
      reference.code == "4326" || reference.code == "CRS84" || !formats.contains { $0.lowercased().contains("gml") }
    let format =
      given ?? json.lazy.compactMap { wanted in formats.first { isPlain && $0.lowercased().hasPrefix(wanted) } }.first
    isJSON = format?.lowercased().contains("json") ?? false
    let names = "&\(isSecondVersion ? "TYPENAMES" : "TYPENAME")=\(percentEncoded(type.name))"
    let begin = base + "&SERVICE=WFS&VERSION=\(found.version)"
    request =
      begin + "&REQUEST=GetFeature" + names
      + (found.version < "1.1" ? "" : "&SRSNAME=\(percentEncoded(system))")
      + (format.map { "&OUTPUTFORMAT=\(given ?? percentEncoded($0))" } ?? "")
    guard !isJSON else {
      schema = []
      return
    }
    // Without it GDAL guesses the types of the fields from what is on a page.
    let described = try client.fetch(.description(begin + "&REQUEST=DescribeFeatureType" + names))
    schema = described.status == 200 && described.isPlainSchema ? described.body : []
  }

  private static func read(_ root: XMLNode, _ wanted: String) -> Description {
    var found = Description()
    found.version = root.value("version") ?? wanted
    for type in root.element("featuretypelist")?.elements("featuretype") ?? [] {
      let box = type.element("wgs84boundingbox")
      var corners =
        XMLNode.numbers(box?.elementText("lowercorner") ?? "")
        + XMLNode.numbers(box?.elementText("uppercorner") ?? "")
      if corners.isEmpty, let old = type.element("latlongboundingbox") {
        corners = ["minx", "miny", "maxx", "maxy"].compactMap { old.value($0).flatMap { XMLNode.numbers($0).first } }
      }
      var degrees: Envelope?
      if corners.count == 4, corners.allSatisfy(\.isFinite), corners[0] <= corners[2], corners[1] <= corners[3] {
        degrees = Envelope(xMin: corners[0], yMin: corners[1], xMax: corners[2], yMax: corners[3])
      }
      let system = ["defaultcrs", "defaultsrs", "srs"].map { type.elementText($0) }.first { !$0.isEmpty }
      found.types.append(
        FeatureType(
          name: type.elementText("name"), title: type.elementText("title"), system: system ?? "EPSG:4326",
          formats: type.element("outputformats")?.elements("format").map(\.trimmedText) ?? [], degrees: degrees))
    }
    guard let operations = root.element("operationsmetadata") else { return found }
    let get = operations.elements("operation").first { $0.value("name")?.lowercased() == "getfeature" }
    for parameter in get?.elements("parameter") ?? [] where parameter.value("name")?.lowercased() == "outputformat" {
      let values = parameter.element("allowedvalues") ?? parameter
      found.formats = values.elements("value").map(\.trimmedText)
    }
    for constraint in operations.elements("constraint") + (get?.elements("constraint") ?? []) {
      // Versions 2 and 1.1.
      let value = ["defaultvalue", "value"].map { constraint.elementText($0) }.first { !$0.isEmpty } ?? ""
      switch constraint.value("name")?.lowercased() {
      case "implementsresultpaging": found.hasPaging = value.uppercased() == "TRUE"
      case "countdefault", "defaultmaxfeatures": found.most = Int(value, radix: 10).flatMap { $0 > 0 ? $0 : nil }
      default: break
      }
    }
    return found
  }

  private static func chosen(
    _ name: String?, _ types: [FeatureType], _ shown: String
  ) throws(EngineError) -> FeatureType {
    let known = types.prefix(20).map { "\"\($0.name)\"" }.joined(separator: ", ") + (types.count > 20 ? ", ..." : "")
    guard let name else {
      guard types.count == 1 else {
        throw EngineError(
          .invalidArgument,
          "\"\(shown)\" has \(types.isEmpty ? "no" : "several") types of features. Name one, as in \"typenames=A\". It has "
            + "\(known).")
      }
      return types[0]
    }
    // The prefix is often left out.
    let isNamed = { (type: FeatureType) in
      [name, percentDecoded(name)].contains(type.name)
        || type.name.split(separator: ":").last.map(String.init) == name
    }
    guard let type = types.first(where: isNamed) else {
      throw EngineError(
        .notFound, "\"\(shown)\" has no features of type \"\(ReferenceRule.short(name))\". It has \(known).")
    }
    return type
  }

  /// The address of the first page.
  ///
  /// - Parameters:
  ///   - size: how many features the page may have; nil: as many as the service returns.
  ///   - box: nil: all features.
  func address(_ size: Int?, near box: Envelope?) -> String {
    var address = request
    if let size { address += "&\(isSecondVersion ? "COUNT" : "MAXFEATURES")=\(size)" }
    guard let box else { return address }
    let sides = isYFirst ? [box.yMin, box.xMin, box.yMax, box.xMax] : [box.xMin, box.yMin, box.xMax, box.yMax]
    let numbers = sides.map { NumberText.shortest($0) }.joined(separator: ",")
    return address + "&BBOX=\(numbers)" + (followsAuthority ? "," + percentEncoded(system) : "")
  }
}

extension HTTPResponse {
  /// Whether it is an application schema that includes no others: GDAL would read those, wherever they are.
  fileprivate var isPlainSchema: Bool {
    let found = try? readXML("a schema", ["schema"]) { (root) throws(EngineError) -> Bool in
      root.elements("include").isEmpty
    }
    return found ?? false
  }
}
