import AlidadeBase
import AlidadeCoordinates

/// What a web map service (OGC 06-042 and 01-068r3) says of itself.
struct WMS: Sendable {
  private struct Layer: Sendable {
    var name = ""
    var title = ""
    var systems: [String] = []
    /// The same.
    var known: Set<String> = []
    /// By the name of the spatial reference, with the numbers in the order in which the service has them.
    var boxes: [String: Envelope] = [:]
    /// Longitudes and latitudes.
    var degrees: Envelope?
  }

  private let version: String
  private let formats: [String]
  private let layers: [Layer]
  /// The most pixels of a side of a map; 0: any number.
  private let mostWidth: Int
  private let mostHeight: Int
  private let parts: ServiceAddress
  private let shown: String

  /// What the library says in a request itself; everything else of the host's query, such as a key, goes with each.
  private static let own: Set<String> = [
    "service", "request", "version", "layers", "styles", "crs", "srs", "bbox", "width", "height", "format",
    "transparent",
  ]
  private static let deepest = 21
  private static let mostNesting = 64

  init(_ parts: ServiceAddress, _ runtime: Runtime) throws(EngineError) {
    self.parts = parts
    let wanted = parts.value("version") ?? "1.3.0"
    let address = parts.base(without: Self.own) + "&SERVICE=WMS&REQUEST=GetCapabilities&VERSION=\(wanted)"
    let response = try HTTPClient.of(runtime).read(.description(address))
    shown = HTTPAddress.shown(response.address)
    (version, formats, layers, mostWidth, mostHeight) = try response.readXML(
      "the description of a map service", ["wms_capabilities", "wmt_ms_capabilities"]
    ) { (root) throws(EngineError) in
      let map = root.element("capability")?.element("request")?.element("getmap")
      var layers: [Layer] = []
      if let top = root.element("capability")?.element("layer") { Self.read(top, Layer(), 0, &layers) }
      let sides = ["maxwidth", "maxheight"].map { name in
        Int(root.element("service")?.elementText(name) ?? "", radix: 10) ?? 0
      }
      return (
        root.value("version") ?? wanted, map?.elements("format").map(\.trimmedText) ?? [], layers, sides[0], sides[1]
      )
    }
  }

  /// Reads a layer and those in it, which have what it has.
  private static func read(_ node: XMLNode, _ around: Layer, _ depth: Int, _ layers: inout [Layer]) {
    guard depth < mostNesting else { return }
    var layer = around
    (layer.name, layer.title) = (node.elementText("name"), node.elementText("title"))
    for name in ["crs", "srs"] {
      // In the old version one element may name several.
      for element in node.elements(name) {
        let names = element.trimmedText.split { $0 == " " || $0.isNewline }.map(String.init)
        layer.systems += names.filter { layer.known.insert($0).inserted }
      }
    }
    func box(_ values: [String?], isInDegrees: Bool = false) -> Envelope? {
      var numbers = values.compactMap { $0.flatMap { XMLNode.numbers($0).first } }
      // A box across 180 degrees has its west beyond its east.
      if isInDegrees, numbers.count == 4, numbers[0] > numbers[2] { numbers[2] += 360 }
      guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[0] < numbers[2], numbers[1] < numbers[3] else {
        return nil
      }
      return Envelope(xMin: numbers[0], yMin: numbers[1], xMax: numbers[2], yMax: numbers[3])
    }
    let sides = ["minx", "miny", "maxx", "maxy"]
    for element in node.elements("boundingbox") {
      guard let system = element.value("crs") ?? element.value("srs") else { continue }
      layer.boxes[system.uppercased()] = box(sides.map { element.value($0) })
    }
    if let element = node.element("ex_geographicboundingbox") {
      layer.degrees = box(
        ["westboundlongitude", "southboundlatitude", "eastboundlongitude", "northboundlatitude"].map {
          element.value($0)
        }, isInDegrees: true)
    } else if let element = node.element("latlonboundingbox") {
      layer.degrees = box(sides.map { element.value($0) })
    }
    if !layer.name.isEmpty { layers.append(layer) }
    for inside in node.elements("layer") { read(inside, layer, depth &+ 1, &layers) }
  }

  func datasets(_ parts: ServiceAddress) -> [ContainedDataset] {
    let base = parts.base(without: ["service", "request", "layers"])
    return layers.map { layer in
      ContainedDataset(
        name: base + (base.hasSuffix("?") ? "" : "&") + "service=WMS&layers=\(percentEncoded(layer.name))",
        description: layer.title)
    }
  }

  /// The maps of the layers that the address names, as tiles.
  func pyramid(_ address: String, _ runtime: Runtime) throws(EngineError) -> TilePyramid {
    let names = try layerNames()
    let chosen = try names.map { (name) throws(EngineError) -> Layer in
      let plain = name.split(separator: "+", omittingEmptySubsequences: false).joined(separator: " ")
      let isNamed = { (layer: Layer) in [name, plain, percentDecoded(name)].contains(layer.name) }
      guard let layer = layers.first(where: isNamed) else {
        throw EngineError(
          .notFound, "\"\(shown)\" has no layer \"\(ReferenceRule.short(name))\". It has \(known).")
      }
      return layer
    }
    let (system, reference) = try spatialReference(chosen, runtime)
    var isYFirst = version >= "1.3" && !system.uppercased().hasPrefix("CRS:")
    if isYFirst { isYFirst = try reference.isYFirst }
    guard let box = try extent(chosen, system, reference, isYFirst, runtime) else {
      throw EngineError(
        .unsupported, "\"\(shown)\" does not say where its layer is, in \(system) or in longitudes and latitudes.")
    }
    let format = try self.format()
    var request = parts.base(without: Self.own) + "&SERVICE=WMS&REQUEST=GetMap&VERSION=\(version)"
    request +=
      "&LAYERS=\(chosen.map { percentEncoded($0.name) }.joined(separator: ","))&STYLES=\(parts.value("styles") ?? "")"
    let isOpaque = format.contains("jp") || parts.value("transparent")?.lowercased() == "false"
    request += "&\(version >= "1.3" ? "CRS" : "SRS")=\(percentEncoded(system))&FORMAT=\(format)"
    request += "&TRANSPARENT=\(isOpaque ? "FALSE" : "TRUE")"
    let service = try RasterService("WMS", .maps(request, isYFirst: isYFirst), levels(box), runtime)
    return service.pyramid(address, reference)
  }

  private func layerNames() throws(EngineError) -> [String] {
    if let given = parts.value("layers") { return given.split(separator: ",").map(String.init) }
    guard layers.count == 1 else {
      throw EngineError(
        .invalidArgument, "\"\(shown)\" has several layers. Name one or more, as in \"layers=A,B\". It has \(known).")
    }
    return [layers[0].name]
  }

  private var known: String {
    if layers.isEmpty { return "none" }
    return layers.prefix(20).map { "\"\($0.name)\"" }.joined(separator: ", ") + (layers.count > 20 ? ", ..." : "")
  }

  private func format() throws(EngineError) -> String {
    if let given = parts.value("format") { return given }
    let wanted = ["image/png", "image/png; mode=24bit", "image/webp", "image/jpeg", "image/gif"]
    guard !formats.isEmpty else {
      throw EngineError(
        .unsupported,
        "\"\(shown)\" does not say in which formats it returns maps (version \(version)). Ask for version=1.3.0 or 1.1.1."
      )
    }
    guard let format = wanted.first(where: { formats.contains($0) }) else {
      throw EngineError(
        .unsupported,
        "\"\(shown)\" returns maps as \(formats.joined(separator: ", ")); none of these is PNG, WebP, JPEG or GIF.")
    }
    return percentEncoded(format)
  }

  /// The spatial reference that the address names, otherwise one of those that all layers have.
  private func spatialReference(
    _ chosen: [Layer], _ runtime: Runtime
  ) throws(EngineError) -> (name: String, SpatialReference) {
    let shared = chosen[0].systems.filter { system in chosen.allSatisfy { $0.known.contains(system) } }
    if let given = parts.value("crs") ?? parts.value("srs") {
      func same(_ name: String) -> Bool { name.uppercased() == given.uppercased() }
      guard let system = shared.first(where: { same($0) || same($0.split(separator: ":").joined(separator: "%3A")) })
      else {
        throw EngineError(
          .unsupported,
          "\"\(shown)\" has its layer not in \(ReferenceRule.short(given)), but in "
            + "\(shared.prefix(20).joined(separator: ", ")).")
      }
      return (system, try SpatialReference.ofService(system, runtime))
    }
    let preferred = ["EPSG:3857", "EPSG:900913", "EPSG:102100"].filter { shared.contains($0) }
    var failure: EngineError?
    for system in (preferred + shared).prefix(50) {
      do throws(EngineError) { return (system, try SpatialReference.ofService(system, runtime)) } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? EngineError(.unsupported, "\"\(shown)\" names no spatial reference that all the layers have.")
  }

  /// The box around the layers.
  private func extent(
    _ chosen: [Layer], _ system: String, _ reference: SpatialReference, _ isYFirst: Bool, _ runtime: Runtime
  ) throws(EngineError) -> Envelope? {
    var all: Envelope?
    for layer in chosen {
      var box = layer.boxes[system.uppercased()]
      if isYFirst, let known = box {
        box = Envelope(xMin: known.yMin, yMin: known.xMin, xMax: known.yMax, yMax: known.xMax)
      }
      if box == nil, let degrees = layer.degrees { box = try degrees.fromDegrees(to: reference, runtime) }
      guard let box else { continue }
      if all == nil { all = box }
      all?.extend(around: box)
    }
    return all
  }

  /// Half the resolution from level to level. The coarsest one is a single tile.
  private func levels(_ box: Envelope) -> [RasterService.Level] {
    let side = Int32(clamping: [512, mostWidth, mostHeight].filter { $0 >= 32 }.min() ?? 512)
    let (width, height) = (box.xMax - box.xMin, box.yMax - box.yMin)
    return (0...Self.deepest).compactMap { number in
      let cellSize = max(width, height) / Double(side) / Double(1 << number)
      guard let columns = Int32(exactly: (width / cellSize).rounded(.up)),
        let rows = Int32(exactly: (height / cellSize).rounded(.up)), max(columns, rows) <= 1 << 30
      else { return nil }
      return RasterService.Level(
        name: String(number), corner: Point(x: box.xMin, y: box.yMax), cellSize: cellSize, tileWidth: side,
        tileHeight: side, columns: max(1, columns), rows: max(1, rows))
    }
  }
}
