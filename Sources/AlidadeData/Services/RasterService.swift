import AlidadeBase
import AlidadeCoordinates

/// A server that returns pictures for tiles: XYZ tiles, WMTS or WMS.
final class RasterService: TileSource {
  /// A level of the tiles of a service.
  struct Level: Sendable {
    /// The name of the level in addresses.
    let name: String
    /// The upper left corner of the first tile that is used.
    var corner: Point
    /// The size of a cell in units of the spatial reference.
    let cellSize: Double
    /// In cells.
    let tileWidth: Int32
    let tileHeight: Int32
    /// How many tiles there are; for a service of maps: how many cells.
    var columns: Int32
    var rows: Int32
    /// The service's numbers of the first tile that is used.
    var firstColumn: Int32 = 0
    var firstRow: Int32 = 0
    /// The number of rows that the service has, where it counts them from below.
    var allRows: Int32 = 0

    /// How many of a row's or column's cells begin within a distance of the level's corner.
    func cells(to distance: Double, atMost count: Int32) -> Int32 {
      let cells = (distance / cellSize - 1e-6).rounded(.up)
      return cells < Double(count) ? Int32(exactly: max(1, cells)) ?? count : count
    }
  }

  /// How tiles are asked for.
  enum Form: Sendable {
    /// An address with names in braces.
    case template(String)
    /// An address for maps, to which the box and the size are added.
    case maps(String, isYFirst: Bool)
  }

  let driver: String
  /// Not empty, the coarsest first.
  let levels: [Level]
  private let form: Form
  private let client: HTTPClient
  private let runtimeOptions: RuntimeOptions

  private static let mostLevels = 100
  /// In units of a spatial reference: anything else is no map.
  private static let cellSizes = 1e-12...1e12

  /// Throws if there is no level that a view could show.
  init(_ driver: String, _ form: Form, _ levels: [Level], _ runtime: Runtime) throws(EngineError) {
    let usable = levels.filter { Self.cellSizes.contains($0.cellSize) && $0.corner.isFinite }
    guard !usable.isEmpty else {
      throw EngineError(
        .unsupported,
        "The service describes no level with tiles of 32 to 4096 pixels and cells of a size that a map has.")
    }
    (self.driver, self.form, self.levels) = (driver, form, Array(usable.prefix(Self.mostLevels)))
    client = HTTPClient.of(runtime)
    runtimeOptions = runtime.options
  }

  // MARK: Opening

  /// What an address leads to.
  enum Opened {
    case tiles(TilePyramid)
    case file(RangedFile)
  }

  /// Finds out what an address leads to. Waits for the server; call outside of the guard.
  static func open(_ address: String, _ runtime: Runtime) throws(EngineError) -> Opened {
    try ServiceKind.refusePortalItem(address)
    let parts = ServiceAddress(address)
    switch try kind(parts, runtime) {
    case .template: return .tiles(try openTemplate(address, runtime))
    case .tiles: return .tiles(try WMTS(parts, runtime).pyramid(address, runtime))
    case .maps: return .tiles(try WMS(parts, runtime).pyramid(address, runtime))
    case .file(let file): return .file(file)
    }
  }

  private enum Kind {
    case template, tiles, maps
    case file(RangedFile)
  }

  /// What an address says that it leads to, otherwise what the server returns for it.
  private static func kind(_ parts: ServiceAddress, _ runtime: Runtime) throws(EngineError) -> Kind {
    if parts.isTemplate { return .template }
    switch parts.service {
    case "wmts": return .tiles
    case "wms": return .maps
    default: break
    }
    let file = try RangedFile(parts.given, HTTPClient.of(runtime))
    guard !file.isTIFF else { return .file(file) }
    // Documents name the kind of their service near their beginning.
    let beginning = String(decoding: file.beginning.body, as: UTF8.self)
    if beginning.contains("opengis.net/wmts") { return .tiles }
    if beginning.contains("WMS_Capabilities") || beginning.contains("WMT_MS_Capabilities") { return .maps }
    throw parts.unknown(file.beginning.words)
  }

  /// The rasters that a service has, by the addresses that open them.
  static func datasets(_ address: String, _ runtime: Runtime) throws(EngineError) -> [ContainedDataset] {
    try ServiceKind.refusePortalItem(address)
    let parts = ServiceAddress(address)
    switch try kind(parts, runtime) {
    case .tiles: return try WMTS(parts, runtime).datasets(parts)
    case .maps: return try WMS(parts, runtime).datasets(parts)
    case .template, .file: return [ContainedDataset(name: address, description: "")]
    }
  }

  /// Opens XYZ tiles in Web Mercator.
  private static func openTemplate(_ address: String, _ runtime: Runtime) throws(EngineError) -> TilePyramid {
    let mark = address.firstIndex(of: "#") ?? address.endIndex
    let template = String(address[..<mark])
    let options = ServiceAddress.parameters(address[mark...].dropFirst())
    func number(_ name: String, _ range: ClosedRange<Int>, _ otherwise: Int) throws(EngineError) -> Int {
      guard let text = options.first(where: { $0.name.lowercased() == name })?.value else { return otherwise }
      guard let number = Int(text, radix: 10), range.contains(number) else {
        throw EngineError(
          .invalidArgument,
          "The address says \(name)=\(ReferenceRule.short(text)); it must be \(range.lowerBound) to "
            + "\(range.upperBound).")
      }
      return number
    }
    if let unknown = options.first(where: { !["min_zoom", "max_zoom", "tile_size"].contains($0.name.lowercased()) }) {
      throw EngineError(
        .invalidArgument,
        "The address says \"\(ReferenceRule.short(unknown.name))\" after its \"#\". Known are min_zoom, max_zoom and "
          + "tile_size.")
    }
    let first = try number("min_zoom", 0...22, 0)
    var side = try number("tile_size", 0...1024, 0)
    let reference = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 3857)
    let width = reference.system.worldWidth ?? 0
    func levels(_ zooms: ClosedRange<Int>, side: Int) -> [Level] {
      zooms.map { zoom in
        let (count, tile) = (Int32(1) << Int32(truncatingIfNeeded: zoom), Int32(truncatingIfNeeded: side))
        return Level(
          name: String(zoom), corner: Point(x: -width / 2, y: width / 2),
          cellSize: width / Double(count) / Double(side), tileWidth: tile, tileHeight: tile, columns: count,
          rows: count,
          allRows: count)
      }
    }
    let probe = try RasterService("XYZ", .template(template), levels(first...first, side: 256), runtime)
    try probe.checkTemplate()
    // A tile in the middle shows that the template is right, and how large tiles are.
    let middle = (Int32(1) << Int32(truncatingIfNeeded: first)) / 2
    let place = TilePlace(level: 0, column: middle, row: middle)
    if let response = try probe.picture(place) {
      let size = try TileImage.with(response, runtime.options) { (image) throws(EngineError) in
        (image.width, image.height)
      }
      if side == 0 { side = Int(truncatingIfNeeded: size.0) }
      guard size.0 == size.1, Int(truncatingIfNeeded: size.0) == side, (64...1024).contains(side) else {
        throw EngineError(
          .unsupported,
          "The tiles of \"\(HTTPAddress.shown(template))\" have \(size.0) x \(size.1) pixels, not the same 64 to 1024 in "
            + "both directions" + (side == Int(truncatingIfNeeded: size.0) ? "." : ", or not tile_size=\(side)."))
      }
    } else {
      if side == 0 { side = 256 }
      runtime.mailbox.log(
        LogLine(
          level: .warning, domain: .http,
          text:
            "\"\(HTTPAddress.shown(template))\" has no tile in the middle of zoom \(first). If no tile comes at all, "
            + "check the template, and give the first zoom that there is, as in \"#min_zoom=5\"."))
    }
    // 2^30 cells, as many as a grid may have.
    let deepest = side <= 256 ? 22 : side <= 512 ? 21 : 20
    let last = min(try number("max_zoom", first...22, min(19, deepest)), deepest)
    guard first <= last else {
      throw EngineError(.invalidArgument, "The address says min_zoom=\(first), which is deeper than \(last).")
    }
    let service = try RasterService("XYZ", .template(template), levels(first...last, side: side), runtime)
    return service.pyramid(address, reference)
  }

  private func checkTemplate() throws(EngineError) {
    guard case .template(let template) = form else { return }
    for names in [["{z}"], ["{x}"], ["{y}", "{-y}"]] where !template.contains("{q}") {
      guard names.contains(where: { template.contains($0) }) else {
        throw EngineError(
          .invalidArgument,
          "The template \"\(HTTPAddress.shown(template))\" lacks \(names.joined(separator: " or ")). A template has {z}, "
            + "{x} and {y}, or {-y} for rows from below, or {q} for quadkeys.")
      }
    }
    let address = address(of: TilePlace(level: 0, column: 0, row: 0))
    guard !address.contains("{") else {
      throw EngineError(
        .invalidArgument,
        "The template \"\(HTTPAddress.shown(template))\" has a name in braces that is not known. Known are {z}, {x}, {y}, "
          + "{-y} and {q}; write a server's name in place of {s}.")
    }
    try client.check(try HTTPAddress(address))
  }

  /// The raster that the service shows.
  func pyramid(_ address: String, _ reference: SpatialReference) -> TilePyramid {
    TilePyramid(levels.map { facts($0, address, reference) }, reference, self)
  }

  private func facts(_ level: Level, _ address: String, _ reference: SpatialReference) -> RasterFacts {
    var (width, height) =
      switch form {
      case .template: (level.columns &* level.tileWidth, level.rows &* level.tileHeight)
      case .maps: (level.columns, level.rows)
      }
    // Whole tiles may reach beyond the world; what they have there is no data.
    if let world = reference.system.worldWidth {
      width = level.cells(to: max(world, world / 2 - level.corner.x), atMost: width)
      if reference.kind == .geographic { height = level.cells(to: level.corner.y + world / 4, atMost: height) }
    }
    let roles: [ColorRole] = [.red, .green, .blue, .alpha]
    let bands = roles.map { role in
      BandFacts(
        type: .uint8, colorRole: role, blockWidth: level.tileWidth, blockHeight: level.tileHeight, overviews: [],
        nodata: nil, nodataInteger: nil, scale: nil, offset: nil, unit: "", description: "", categories: [], colors: [],
        table: nil, nodataRule: .none, maskSource: .none, alphaBand: role == .alpha ? nil : 3)
    }
    let (x, y, size) = (level.corner.x, level.corner.y, level.cellSize)
    return RasterFacts(
      path: address, driver: driver, width: width, height: height, georeference: .affine,
      geotransform: Geotransform(
        forward: [x, size, 0, y, 0, -size],
        inverse: Geotransform.Inverse(c0: -x / size, cx: 1 / size, cy: 0, r0: y / size, rx: 0, ry: -1 / size)),
      controlPointCount: 0, subdatasets: [], bands: bands, wkt: reference.wkt)
  }

  // MARK: Tiles

  func load(_ place: TilePlace, _ pyramid: TilePyramid) throws(EngineError) -> Tile {
    let memory = try pyramid.emptyTile(place.level, runtimeOptions.policy)
    // What a server does not have is transparent.
    guard let response = try picture(place) else { return Tile(memory) }
    let level = levels[place.level]
    try TileImage.with(response, runtimeOptions) { (image) throws(EngineError) in
      guard image.width == level.tileWidth, image.height == level.tileHeight else {
        throw EngineError(
          .readFailed,
          "\"\(HTTPAddress.shown(response.address))\" is a picture of \(image.width) x \(image.height) pixels, and not "
            + "of \(level.tileWidth) x \(level.tileHeight).", domain: .http,
          domainCode: Int32(truncatingIfNeeded: response.status))
      }
      try image.read(into: memory.buffer, planes: (0..<4).map { pyramid.plan.bands[$0].value })
    }
    return Tile(memory)
  }

  /// The picture of a tile; nil: the server has none there.
  private func picture(_ place: TilePlace) throws(EngineError) -> HTTPResponse? {
    var request = HTTPRequest(address(of: place))
    request.headers = ["Accept: image/*"]
    request.mostBytes = 16 << 20
    let response = try client.fetch(request)
    // WMTS and tile servers say that a tile is not there; a service of maps has a map everywhere.
    if case .template = form, [204, 404, 410].contains(response.status) { return nil }
    guard (200..<300).contains(response.status) else { throw response.failure }
    return response
  }

  private func address(of place: TilePlace) -> String {
    let level = levels[place.level]
    switch form {
    case .template(let template):
      let (column, row) = (level.firstColumn &+ place.column, level.firstRow &+ place.row)
      var names = [
        "z": level.name, "x": String(column), "y": String(row), "-y": String(level.allRows &- 1 &- row),
        "tilematrix": percentEncoded(level.name), "tilecol": String(column), "tilerow": String(row),
      ]
      // Only tiles in Web Mercator have it: their levels are numbers up to 22.
      if template.contains("{q}"), let zoom = Int(level.name, radix: 10), (0...30).contains(zoom) {
        names["q"] = Self.quadkey(column, row, zoom: zoom)
      }
      return ServiceAddress.filled(template, names)
    case .maps(let base, let isYFirst):
      let xMin = level.corner.x + Double(place.column) * Double(level.tileWidth) * level.cellSize
      let yMax = level.corner.y - Double(place.row) * Double(level.tileHeight) * level.cellSize
      let xMax = xMin + Double(level.tileWidth) * level.cellSize
      let yMin = yMax - Double(level.tileHeight) * level.cellSize
      let box = (isYFirst ? [yMin, xMin, yMax, xMax] : [xMin, yMin, xMax, yMax]).map { NumberText.shortest($0) }
      return base + "&BBOX=\(box.joined(separator: ","))&WIDTH=\(level.tileWidth)&HEIGHT=\(level.tileHeight)"
    }
  }

  /// One digit per level, from 0 to 3, the coarsest first.
  private static func quadkey(_ column: Int32, _ row: Int32, zoom: Int) -> String {
    (0..<zoom).reversed().map { bit in
      String((column >> Int32(truncatingIfNeeded: bit)) & 1 | ((row >> Int32(truncatingIfNeeded: bit)) & 1) << 1)
    }.joined()
  }
}
