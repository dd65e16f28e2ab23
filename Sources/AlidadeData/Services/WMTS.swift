import AlidadeBase
import AlidadeCoordinates

/// What a web map tile service (OGC 07-057r7) says of itself.
struct WMTS: Sendable {
  private struct Layer: Sendable {
    let name: String
    let title: String
    let formats: [String]
    let style: String
    /// Longitudes and latitudes.
    let degrees: Envelope?
    /// By the name of the matrix set: the limits of each matrix, by its name.
    let sets: [(name: String, limits: [String: Limits])]
    /// By format.
    let templates: [(format: String, template: String)]
    /// Values for other names in a template.
    let dimensions: [(name: String, value: String)]
  }

  private struct Limits: Sendable {
    let columns: ClosedRange<Int32>
    let rows: ClosedRange<Int32>
  }

  private struct Matrix: Sendable {
    let name: String
    let scale: Double
    let corner: [Double]
    let tileWidth: Int32
    let tileHeight: Int32
    let columns: Int32
    let rows: Int32
  }

  private struct MatrixSet: Sendable {
    let name: String
    let system: String
    let matrices: [Matrix]
  }

  private let layers: [Layer]
  private let sets: [MatrixSet]
  private let parts: ServiceAddress
  /// What the service names for tiles by a query; nil: it names nothing.
  private let tiles: ServiceAddress?
  /// It is the one that the host of the library names. Another one does not get that one's parameters, such as a token.
  private let isSameServer: Bool
  private let shown: String
  /// The size of a pixel to which scales refer, in metres.
  private static let pixel = 0.00028

  private static let own: Set<String> = [
    "service", "request", "version", "layer", "style", "tilematrixset", "tilematrix", "tilerow", "tilecol", "format",
  ]

  init(_ parts: ServiceAddress, _ runtime: Runtime) throws(EngineError) {
    self.parts = parts
    let isDocument = parts.base.lowercased().hasSuffix(".xml")
    var address = parts.base(without: Self.own)
    if !isDocument { address += "&SERVICE=WMTS&REQUEST=GetCapabilities&VERSION=1.0.0" }
    if address.hasSuffix("?") { address.removeLast() }
    let response = try HTTPClient.of(runtime).read(.description(address))
    shown = HTTPAddress.shown(response.address)
    let link: String?
    (layers, sets, link) = try response.readXML("the description of a tile service", ["capabilities"]) {
      (root) throws(EngineError) in
      let contents = root.element("contents")
      return (
        contents?.elements("layer").map(Self.layer) ?? [], contents?.elements("tilematrixset").map(Self.set) ?? [],
        Self.queryLink(root)
      )
    }
    let target = try link.map { (link) throws(EngineError) in try HTTPAddress(response.address).resolving(link) }
    tiles = target.map { ServiceAddress($0.text) }
    isSameServer = try target?.server == HTTPAddress(address).server
  }

  /// Where tiles are asked for by a query; nil: the service does not say it.
  private static func queryLink(_ root: XMLNode) -> String? {
    let operations = root.element("operationsmetadata")?.elements("operation") ?? []
    let operation = operations.first { $0.value("name") == "GetTile" }
    let links = operation?.element("dcp")?.element("http")?.elements("get") ?? []
    func encodings(_ link: XMLNode) -> [String] {
      link.elements("constraint").filter { $0.value("name") == "GetEncoding" }.flatMap { constraint in
        constraint.element("allowedvalues")?.elements("value").map(\.trimmedText) ?? []
      }
    }
    let link = links.first { encodings($0).contains("KVP") } ?? links.first { encodings($0).isEmpty }
    let address = link?.children.first { !$0.isElement && $0.plainName == "href" }?.trimmedText
    return address?.isEmpty ?? true ? nil : address
  }

  private static func layer(_ node: XMLNode) -> Layer {
    let styles = node.elements("style")
    let style = styles.first { $0.value("isdefault") == "true" } ?? styles.first
    let corners = node.element("wgs84boundingbox").map { box in
      XMLNode.numbers(box.elementText("lowercorner")) + XMLNode.numbers(box.elementText("uppercorner"))
    }
    var degrees: Envelope?
    if let corners, corners.count == 4, corners.allSatisfy(\.isFinite), corners[0] < corners[2], corners[1] < corners[3]
    {
      degrees = Envelope(xMin: corners[0], yMin: corners[1], xMax: corners[2], yMax: corners[3])
    }
    let sets = node.elements("tilematrixsetlink").map { link in
      var limits: [String: Limits] = [:]
      for limit in link.element("tilematrixsetlimits")?.elements("tilematrixlimits") ?? [] {
        let numbers = ["mintilecol", "maxtilecol", "mintilerow", "maxtilerow"].compactMap {
          Int32(limit.elementText($0), radix: 10)
        }
        guard numbers.count == 4, numbers[0] >= 0, numbers[0] <= numbers[1], numbers[2] >= 0, numbers[2] <= numbers[3]
        else { continue }
        limits[limit.elementText("tilematrix")] = Limits(
          columns: numbers[0]...numbers[1], rows: numbers[2]...numbers[3])
      }
      return (name: link.elementText("tilematrixset"), limits: limits)
    }
    let templates = node.elements("resourceurl").compactMap { link -> (format: String, template: String)? in
      guard link.value("resourcetype")?.lowercased() == "tile", let template = link.value("template") else {
        return nil
      }
      return (link.value("format") ?? "", template)
    }
    let dimensions = node.elements("dimension").map { dimension in
      (
        name: dimension.elementText("identifier"),
        value: dimension.element("default")?.trimmedText ?? dimension.elementText("value")
      )
    }
    return Layer(
      name: node.elementText("identifier"), title: node.elementText("title"),
      formats: node.elements("format").map(\.trimmedText), style: style?.elementText("identifier") ?? "",
      degrees: degrees, sets: sets, templates: templates, dimensions: dimensions)
  }

  private static func set(_ node: XMLNode) -> MatrixSet {
    let matrices = node.elements("tilematrix").compactMap { matrix -> Matrix? in
      let corner = XMLNode.numbers(matrix.elementText("topleftcorner"))
      let numbers = ["tilewidth", "tileheight", "matrixwidth", "matrixheight"].compactMap {
        Int32(matrix.elementText($0), radix: 10)
      }
      guard let scale = Double(matrix.elementText("scaledenominator")), scale > 0, scale.isFinite, corner.count == 2,
        corner.allSatisfy(\.isFinite), numbers.count == 4, numbers.allSatisfy({ $0 > 0 }),
        (32...4096).contains(numbers[0]), (32...4096).contains(numbers[1])
      else { return nil }
      return Matrix(
        name: matrix.elementText("identifier"), scale: scale, corner: corner, tileWidth: numbers[0],
        tileHeight: numbers[1], columns: numbers[2], rows: numbers[3])
    }
    return MatrixSet(
      name: node.elementText("identifier"), system: node.elementText("supportedcrs"),
      matrices: matrices.sorted { $0.scale > $1.scale })
  }

  func datasets(_ parts: ServiceAddress) -> [ContainedDataset] {
    let base = parts.base(without: ["service", "request", "layer"])
    return layers.map { layer in
      ContainedDataset(
        name: base + (base.hasSuffix("?") ? "" : "&") + "service=WMTS&layer=\(percentEncoded(layer.name))",
        description: layer.title)
    }
  }

  // MARK: Tiles

  /// The tiles of the layer that the address names.
  func pyramid(_ address: String, _ runtime: Runtime) throws(EngineError) -> TilePyramid {
    let layer = try chosenLayer()
    let (set, limits) = try chosenSet(layer)
    let reference = try SpatialReference.ofService(set.system, runtime)
    let box = try layer.degrees?.fromDegrees(to: reference, runtime)
    let isYFirst = try Self.isYFirst(set, reference, box)
    let levels = set.matrices.compactMap { matrix in
      level(matrix, limits[matrix.name], reference, isYFirst, box)
    }
    guard !levels.isEmpty else {
      throw EngineError(
        .unsupported,
        "The matrix set \"\(set.name)\" of \"\(shown)\" has no tiles where the layer \"\(layer.name)\" is.")
    }
    let template = try self.template(layer, set)
    let service = try RasterService("WMTS", .template(template), levels, runtime)
    return service.pyramid(address, reference)
  }

  /// Whether the corners of matrices are written with y first: by a URN or an address the authority decides on that. By
  /// a short name, such as "EPSG:4326", x is first, unless the tiles would then be where none can be.
  private static func isYFirst(
    _ set: MatrixSet, _ reference: SpatialReference, _ box: Envelope?
  ) throws(EngineError) -> Bool {
    let name = set.system.lowercased()
    if name.contains("crs84") { return false }
    guard try reference.isYFirst else { return false }
    if name.hasPrefix("urn:") || name.hasPrefix("http") { return true }
    let pole = reference.kind == .geographic ? reference.system.worldWidth.map { $0 / 4 } : nil
    func isPossible(_ x: Double, _ y: Double, _ matrix: Matrix) -> Bool {
      let cellSize = matrix.scale * pixel / reference.metresPerUnit
      let width = cellSize * Double(matrix.tileWidth) * Double(matrix.columns)
      let height = cellSize * Double(matrix.tileHeight) * Double(matrix.rows)
      if let pole, y - height >= pole || y <= -pole { return false }
      guard let box else { return true }
      return x < box.xMax && x + width > box.xMin && y - height < box.yMax && y > box.yMin
    }
    let isXPossible = set.matrices.contains { isPossible($0.corner[0], $0.corner[1], $0) }
    return !isXPossible && set.matrices.contains { isPossible($0.corner[1], $0.corner[0], $0) }
  }

  private func chosenLayer() throws(EngineError) -> Layer {
    let known = layers.prefix(20).map { "\"\($0.name)\"" }.joined(separator: ", ") + (layers.count > 20 ? ", ..." : "")
    guard let name = parts.value("layer") else {
      guard layers.count == 1 else {
        throw EngineError(
          .invalidArgument,
          "\"\(shown)\" has \(layers.isEmpty ? "no" : "several") layers. Name one, as in \"layer=A\". It has \(known).")
      }
      return layers[0]
    }
    guard let layer = layers.first(where: { [name, percentDecoded(name)].contains($0.name) }) else {
      throw EngineError(.notFound, "\"\(shown)\" has no layer \"\(ReferenceRule.short(name))\". It has \(known).")
    }
    return layer
  }

  /// The matrix set that the address names, otherwise one in Web Mercator, otherwise the first one.
  private func chosenSet(_ layer: Layer) throws(EngineError) -> (MatrixSet, [String: Limits]) {
    let linked = layer.sets.compactMap { link in
      sets.first { $0.name == link.name }.map { (set: $0, limits: link.limits) }
    }
    let names = linked.map { "\"\($0.set.name)\"" }.joined(separator: ", ")
    if let wanted = parts.value("tilematrixset") {
      guard let found = linked.first(where: { [wanted, percentDecoded(wanted)].contains($0.set.name) }) else {
        throw EngineError(
          .notFound,
          "The layer \"\(layer.name)\" of \"\(shown)\" has no matrix set \"\(ReferenceRule.short(wanted))\". It has "
            + "\(names).")
      }
      return found
    }
    let mercator = linked.first {
      ["3857", "900913", "102100", "102113"].contains($0.set.system.split { $0 == ":" || $0 == "/" }.last ?? "")
    }
    guard let found = mercator ?? linked.first else {
      throw EngineError(.unsupported, "The layer \"\(layer.name)\" of \"\(shown)\" has no tiles that are described.")
    }
    return found
  }

  /// A matrix as far as there are tiles in it; nil if there are none, or more than a grid may have.
  private func level(
    _ matrix: Matrix, _ limits: Limits?, _ reference: SpatialReference, _ isYFirst: Bool, _ box: Envelope?
  ) -> RasterService.Level? {
    let cellSize = matrix.scale * Self.pixel / reference.metresPerUnit
    let given = isYFirst ? [matrix.corner[1], matrix.corner[0]] : matrix.corner
    let corner = Point(x: given[0], y: given[1])
    var (columns, rows) = (0...(matrix.columns &- 1), 0...(matrix.rows &- 1))
    if let limits {
      guard limits.columns.overlaps(columns), limits.rows.overlaps(rows) else { return nil }
      (columns, rows) = (columns.clamped(to: limits.columns), rows.clamped(to: limits.rows))
    } else if let box {
      /// The tiles from one coordinate to another. A tile that is only touched does not count.
      func tiles(_ from: Double, _ to: Double, _ all: ClosedRange<Int32>) -> ClosedRange<Int32>? {
        guard let first = Int32(exactly: min(max((from + 1e-6).rounded(.down), 0), 0x1p30)),
          let last = Int32(exactly: min(max((to - 1e-6).rounded(.down), 0), 0x1p30)), first <= last,
          first <= all.upperBound
        else { return nil }
        return first...min(last, all.upperBound)
      }
      let (width, height) = (cellSize * Double(matrix.tileWidth), cellSize * Double(matrix.tileHeight))
      guard let inX = tiles((box.xMin - corner.x) / width, (box.xMax - corner.x) / width, columns),
        let inY = tiles((corner.y - box.yMax) / height, (corner.y - box.yMin) / height, rows)
      else { return nil }
      (columns, rows) = (inX, inY)
    }
    let width = columns.count &* Int(truncatingIfNeeded: matrix.tileWidth)
    let height = rows.count &* Int(truncatingIfNeeded: matrix.tileHeight)
    guard max(width, height) <= 1 << 30 else { return nil }
    let first = Point(
      x: corner.x + Double(columns.lowerBound) * Double(matrix.tileWidth) * cellSize,
      y: corner.y - Double(rows.lowerBound) * Double(matrix.tileHeight) * cellSize)
    return RasterService.Level(
      name: matrix.name, corner: first, cellSize: cellSize, tileWidth: matrix.tileWidth, tileHeight: matrix.tileHeight,
      columns: Int32(truncatingIfNeeded: columns.count), rows: Int32(truncatingIfNeeded: rows.count),
      firstColumn: columns.lowerBound, firstRow: rows.lowerBound, allRows: matrix.rows)
  }

  /// The address of a tile, by the service's own template or as a query.
  private func template(_ layer: Layer, _ set: MatrixSet) throws(EngineError) -> String {
    let style = parts.value("style").map(percentDecoded) ?? layer.style
    let wanted = ["image/png", "image/webp", "image/jpeg", "image/jpg", "image/gif", "image/tiff"]
    let offered = layer.templates.isEmpty ? layer.formats : layer.templates.map(\.format)
    guard
      let format = parts.value("format").map(percentDecoded) ?? wanted.first(where: { offered.contains($0) })
        ?? offered.first(where: { $0.hasPrefix("image/") })
    else {
      throw EngineError(
        .unsupported,
        "The layer \"\(layer.name)\" of \"\(shown)\" has tiles as \(offered.joined(separator: ", ")), which are no "
          + "pictures.")
    }
    if let link = layer.templates.first(where: { $0.format == format }) ?? layer.templates.first {
      var values = ["style": percentEncoded(style), "tilematrixset": percentEncoded(set.name)]
      for dimension in layer.dimensions {
        let name = dimension.name.lowercased()
        values[name] = parts.value(name) ?? percentEncoded(dimension.value)
      }
      return ServiceAddress.filled(link.template, values)
    }
    var request = (tiles ?? parts).base(without: Self.own)
    if let tiles, isSameServer {
      for (name, value) in parts.query {
        let key = name.lowercased()
        if !Self.own.contains(key), tiles.value(key) == nil { request += "&\(name)=\(value)" }
      }
    }
    request += "&SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0"
    request += "&LAYER=\(percentEncoded(layer.name))&STYLE=\(percentEncoded(style))&FORMAT=\(percentEncoded(format))"
    request += "&TILEMATRIXSET=\(percentEncoded(set.name))&TILEMATRIX={TileMatrix}&TILEROW={TileRow}&TILECOL={TileCol}"
    for dimension in layer.dimensions where parts.value(dimension.name.lowercased()) == nil {
      request += "&\(dimension.name)=\(percentEncoded(dimension.value))"
    }
    return request
  }
}
