import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry
import Testing

@testable import AlidadeMap

/// What is kept from one drawing to the next against drawings that are made from scratch.
@Suite struct OverlayTableTests {
  private let runtime: Runtime
  private let wgs84: SpatialReference

  init() throws {
    runtime = try Engine.makeRuntime()
    wgs84 = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 4326)
  }

  private func view(_ code: Int32) throws -> MapView {
    let reference = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: code)
    let view = MapView(map: Map(runtime: runtime, spatialReference: reference))
    try view.setSize(width: 800, height: 600, pixelDensity: 1)
    return view
  }

  private func symbol(_ kind: SymbolKind, _ size: Double) -> Symbol {
    var symbol = Symbol()
    (symbol.kind, symbol.size, symbol.lineWidth) = (kind, size, size / 4)
    return symbol
  }

  private func geometry(_ wkt: String, _ reference: SpatialReference?) throws -> Geometry {
    try Array(wkt.utf8).withUnsafeBufferPointer { bytes in
      try Geometry.make(runtime: runtime, wkt: bytes, spatialReference: reference)
    }
  }

  private func geometry(_ dice: inout Dice, mayLackReference: Bool = true) throws -> Geometry {
    let (x, y) = (dice.number(-200...200), dice.number(-80...80))
    let (far, wide) = (dice.number(0...20), dice.number(0.1...3))
    let text =
      switch dice.whole(9) {
      case 0: "LINESTRING (\(x) \(y), \(x + far) \(y))"
      case 1: "POLYGON ((\(x) \(y), \(x + wide) \(y), \(x) \(y + wide), \(x) \(y)))"
      case 2: "GEOMETRYCOLLECTION (POINT (\(x) \(y)), LINESTRING (\(x) 0, \(x + wide) 1), POINT (\(x) 0))"
      case 3: "POINT EMPTY"
      case 4: "POINT (\(x) 89.99999999)"
      case 5: "MULTIPOINT ((\(x) \(y)), (\(x + far) \(y)))"
      default: "POINT (\(x) \(y))"
      }
    return try geometry(text, mayLackReference && dice.whole(40) == 0 ? nil : wgs84)
  }

  /// All that a drawing says, in a form that does not depend on the order of its symbols.
  private func said(_ drawing: OverlayDrawing) -> [String] {
    var lines = ["\(drawing.counts) \(drawing.parts.map(\.items))"]
    let items = drawing.items
    for item in 0..<items.count {
      let symbol = drawing.symbols[Int(items.symbols.buffer[item])]
      let parts = Int(items.partOffsets.buffer[item])..<Int(items.partOffsets.buffer[item + 1])
      let paths = Int(items.pathOffsets.buffer[parts.lowerBound])..<Int(items.pathOffsets.buffer[parts.upperBound])
      let offsets = items.vertexOffsets.buffer
      let points = (Int(offsets[paths.lowerBound])..<Int(offsets[paths.upperBound])).map { items.points.buffer[$0] }
      lines.append(
        "\(items.ids.buffer[item]) \(items.kinds.buffer[item]) \(items.flags.buffer[item]) \(parts.count) "
          + "\(symbol.kind) \(symbol.size) \(symbol.lineWidth) \(symbol.lineColor) \(points)")
    }
    return lines + drawing.failures.map { "\($0.graphicID) \($0.reason) \($0.pointStatus) \($0.vertex)" }
  }

  private func edit(_ overlay: GraphicsOverlay, _ dice: inout Dice) throws {
    let ids = overlay.graphicIDs()
    let some = ids.isEmpty ? [] : (0...dice.whole(4)).map { _ in ids[dice.whole(ids.count)] }
    var columns = GraphicColumns(count: some.count)
    switch dice.whole(12) {
    case 0: _ = try overlay.add(try geometry(&dice))
    case 1:
      let many = try (0..<dice.whole(50)).map { _ in try geometry(&dice, mayLackReference: false) }
      _ = try overlay.add(try GeometryArray.make(runtime: runtime, of: many).array)
    case 2: try overlay.remove(some)
    case 3: for id in some { try overlay.setGeometry(try geometry(&dice), of: id) }
    case 4: columns.isHidden = some.map { _ in dice.whole(3) == 0 }
    case 5: columns.zIndexes = some.map { _ in Int32(dice.whole(5) - 2) }
    case 6:
      columns.symbols = [symbol(.marker, dice.number(1...40)), symbol(.line, 3), symbol(.none, 0)]
      columns.symbolIndexes = some.map { _ in dice.whole(4) == 3 ? nil : dice.whole(3) }
    case 7: columns.attributes = [.init(name: "a", values: some.map { _ in .integer(Int64(dice.whole(4))) })]
    case 8: try overlay.select(some, isSelected: dice.whole(3) > 0)
    case 9: if dice.whole(4) == 0 { overlay.clearSelection() }
    case 10: _ = overlay.undo()
    default: _ = overlay.redo()
    }
    if !columns.saysNothing { try overlay.update(some, columns) }
    switch dice.whole(120) {
    case 0: overlay.removeAll()
    case 1:
      overlay.setRenderer(
        try GraphicsRenderer(
          field: "a", minimum: 0,
          breaks: [.init(upperBound: 1, symbol: symbol(.marker, 6)), .init(upperBound: 2, symbol: symbol(.fill, 2))],
          defaultSymbol: symbol(.marker, dice.number(1...20))))
    default: break
    }
  }

  private func look(_ view: MapView, _ dice: inout Dice) throws {
    let world = view.map.spatialReference?.system.worldWidth ?? 4e7
    try view.setViewpoint(
      Viewpoint(
        center: Point(x: dice.number(-0.6...0.6) * world, y: dice.number(-0.3...0.3) * world),
        scale: [1e4, 1e6, 2e7, 1e8, 5e8][dice.whole(5)], rotation: [0, 0, 90, 33, 211][dice.whole(5)]))
  }

  @Test(arguments: [3857, 4326, 3035] as [Int32]) func whatIsKeptIsAsIfMadeFromScratch(_ code: Int32) throws {
    var dice = Dice(seed: UInt64(code))
    let view = try view(code)
    let overlays = try (0..<2).map { _ in try GraphicsOverlay(runtime: runtime) }
    for overlay in overlays {
      overlay.setRenderer(try GraphicsRenderer(symbol(.marker, 10)))
      try view.add(overlay)
    }
    for step in 0..<60 {
      for overlay in overlays { for _ in 0..<dice.whole(8) { try edit(overlay, &dice) } }
      try look(view, &dice)
      let keepsOutside = dice.whole(4) == 0
      let kept = said(try view.overlayDrawing(keepsOutside: keepsOutside))
      #expect(said(try view.overlayDrawing(keepsOutside: keepsOutside)) == kept)
      view.overlayStack.tables.withLock { $0 = [:] }
      let made = said(try view.overlayDrawing(keepsOutside: keepsOutside))
      #expect(kept == made, "step \(step)")
      // The next tables grow from what this one was made of, or from an older one.
      if kept != made { return }
    }
  }

  @Test func theIndexIsKeptThroughManyEdits() throws {
    // Without a table made from scratch in between, so that slots come late, go and come back.
    var dice = Dice(seed: 5)
    let view = try view(3857)
    let overlay = try GraphicsOverlay(runtime: runtime)
    overlay.setRenderer(try GraphicsRenderer(symbol(.marker, 10)))
    try view.add(overlay)
    try look(view, &dice)
    for _ in 0..<700 {
      try edit(overlay, &dice)
      if dice.whole(3) == 0 { _ = try view.overlayDrawing() }
    }
    for _ in 0..<10 {
      try look(view, &dice)
      for _ in 0..<4 { try edit(overlay, &dice) }
      let kept = said(try view.overlayDrawing())
      let tables = view.overlayStack.tables.withLock { tables in
        let old = tables
        tables = [:]
        return old
      }
      #expect(said(try view.overlayDrawing()) == kept)
      view.overlayStack.tables.withLock { $0 = tables }
    }
  }

  @Test func anEditLooksAtNothingElse() throws {
    let view = try view(3857)
    let overlay = try GraphicsOverlay(runtime: runtime)
    overlay.setRenderer(try GraphicsRenderer(symbol(.marker, 10)))
    try view.add(overlay)
    let places = try (0..<5000).map { try geometry("POINT (\(Double($0) / 100) 10)", wgs84) }
    let first = try overlay.add(try GeometryArray.make(runtime: runtime, of: places).array)
    try view.setViewpoint(Viewpoint(center: Point(x: 0, y: 1_118_890), scale: 1e6))
    _ = try view.overlayDrawing()
    let table = try #require(view.overlayStack.tables.withLock { $0[overlay.identity] })
    let looks = table.lookCount
    try overlay.setGeometry(try geometry("POINT (0 10.1)", wgs84), of: first + 4000)
    try overlay.select([first + 3])
    var columns = GraphicColumns(count: 1)
    columns.isHidden = [true]
    try overlay.update([first + 2], columns)
    #expect(try view.overlayDrawing().items.ids.buffer.contains(first + 4000))
    #expect(overlay.undo() == 1)
    _ = try view.overlayDrawing()
    #expect(view.overlayStack.tables.withLock { $0[overlay.identity] } === table)
    #expect(table.lookCount == looks + 4)
  }
}

extension Dice {
  fileprivate mutating func whole(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
