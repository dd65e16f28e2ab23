import AlidadeBase

/// A kind of service of features, and how an address shows it.
enum ServiceKind: Sendable {
  /// ArcGIS's: ".../FeatureServer/0" or ".../MapServer/0".
  case featureServer
  /// OGC API Features: ".../collections/NAME".
  case collection
  /// A WFS: "service=WFS" in its query.
  case wfs

  /// What the library says in a query itself; everything else of the host's query, such as a key, goes with each request.
  private static let ownParameters: Set<String> = [
    "where", "outfields", "f", "returngeometry", "geometry", "geometrytype", "spatialrel", "insr", "outsr",
    "resultoffset",
    "resultrecordcount", "limit", "offset", "bbox",
  ]

  /// What the host adds to the query of each request: "" or "&key=value&...".
  static func extra(_ name: String) -> String {
    guard let mark = name.firstIndex(of: "?") else { return "" }
    let query = name[name.index(after: mark)...].prefix { $0 != "#" }
    return query.split(separator: "&").filter { parameter in
      !ownParameters.contains(parameter.prefix { $0 != "=" }.lowercased())
    }.map { "&\($0)" }.joined()
  }

  /// Throws if an address is that of a portal's item.
  static func refusePortalItem(_ name: String) throws(EngineError) {
    let base = name.prefix { $0 != "?" && $0 != "#" }
    let parts = base.split(separator: "/")
    if parts.contains("sharing") && parts.contains("content") || base.hasSuffix("item.html") {
      throw EngineError(
        .unsupported,
        "\"\(HTTPAddress.shown(name))\" is a portal item, which is not supported. Give the address of the service that "
          + "it describes.")
    }
  }

  /// The base address of the service's layer: without its query, and without what stands for its features.
  static func find(_ name: String) throws(EngineError) -> (kind: ServiceKind, base: String) {
    var base = String(name.prefix { $0 != "?" && $0 != "#" })
    for ending in ["/", "/query", "/items"] where base.hasSuffix(ending) { base.removeLast(ending.count) }
    try refusePortalItem(base)
    if ServiceAddress(name).service == "wfs" { return (.wfs, base) }
    let parts = base.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if let server = parts.lastIndex(where: { $0 == "FeatureServer" || $0 == "MapServer" }) {
      guard server == parts.count - 2, Int(parts[server + 1], radix: 10) != nil else {
        throw EngineError(
          .invalidArgument,
          "\"\(HTTPAddress.shown(base))\" is a service of several layers. Add the number of one, as "
            + "in \"\(parts[server])/0\".")
      }
      return (.featureServer, base)
    }
    if parts.count > 2, parts[parts.count - 2] == "collections" { return (.collection, base) }
    throw EngineError(
      .unsupported,
      "\"\(HTTPAddress.shown(base))\" is not the address of a service that is known: it ends neither in "
        + "\"/FeatureServer/0\" or \"/MapServer/0\" (a feature service) nor in \"/collections/NAME\" (OGC API Features), "
        + "and does not say service=WFS.")
  }
}
