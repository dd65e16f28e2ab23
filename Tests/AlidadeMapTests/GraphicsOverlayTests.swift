import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry
import Glibc
import Testing

@testable import AlidadeMap

@Suite struct GraphicsOverlayTests {
  private let runtime: Runtime
  private let wgs84: SpatialReference

  init() throws {
    runtime = try Engine.makeRuntime()
    wgs84 = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 4326)
  }

  private func view(_ code: Int32 = 3857) throws -> MapView {
    let reference = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: code)
    let view = MapView(map: Map(runtime: runtime, spatialReference: reference))
    try view.setSize(width: 800, height: 600, pixelDensity: 1)
    try view.setViewpoint(Viewpoint(center: Point(x: 0, y: 0), scale: 1e7))
    return view
  }

  private func points(_ count: Int) throws -> GeometryArray {
    var numbers: [Double] = []
    for index in 0..<count { numbers += [Double(index % 100) / 100, Double(index / 100) / 100] }
    var raw = RawColumns()
    raw.kind = .point
    raw.vertexCount = count
    return try numbers.withUnsafeBytes { bytes in
      raw.xy = bytes.baseAddress.map { RawColumns.Numbers($0, stride: 16) }
      return try GeometryArray.make(runtime: runtime, raw, spatialReference: wgs84)
    }
  }

  private func marker() -> Symbol {
    var symbol = Symbol()
    (symbol.kind, symbol.size) = (.marker, 10)
    return symbol
  }

  @Test func aMovingViewProjectsNothing() throws {
    let view = try view()
    let overlay = try GraphicsOverlay(runtime: runtime)
    overlay.setRenderer(try GraphicsRenderer(marker()))
    try view.add(overlay)
    let counter = ProjectionCounter.of(runtime)
    let first = try overlay.add(try points(1000))
    #expect(try view.overlayDrawing().counts.drawn == 1000)
    #expect(counter.value == 1000)
    for step in 1...20 {
      try view.setViewpoint(
        Viewpoint(center: Point(x: Double(step) * 10, y: 0), scale: 1e7 / Double(step), rotation: Double(step)))
      _ = try view.overlayDrawing(keepsOutside: true)
    }
    #expect(counter.value == 1000)
    // What is projected anew is what has a new geometry, and nothing else.
    try overlay.update([first, first + 1], geometries: try points(2))
    var columns = GraphicColumns(count: 1)
    columns.zIndexes = [7]
    try overlay.update([first + 5], columns)
    overlay.setRenderer(try GraphicsRenderer(marker()))
    try overlay.select([first + 9])
    _ = try view.overlayDrawing()
    #expect(counter.value == 1002)
    // An old geometry still has its image.
    #expect(overlay.undo() == 1 && overlay.undo() == 2)
    _ = try view.overlayDrawing()
    #expect(counter.value == 1002)
  }

  @Test func anotherMapProjectsAnew() throws {
    let (view, other) = (try view(), try view(4087))
    let overlay = try GraphicsOverlay(runtime: runtime)
    overlay.setRenderer(try GraphicsRenderer(marker()))
    _ = try overlay.add(try points(10))
    let counter = ProjectionCounter.of(runtime)
    try view.add(overlay)
    let before = try view.overlayDrawing()
    try view.remove(overlay)
    try other.add(overlay)
    let after = try other.overlayDrawing()
    #expect(counter.value == 20)
    // The rows of points are less far apart where latitudes are not stretched.
    #expect(after.items.points.buffer[0].y == before.items.points.buffer[0].y)
    #expect(before.items.points.buffer[9].x.isFinite && after.items.count == 10)
  }

  /// Graphics that were removed end when no undo can bring them back; many of them on a worker.
  @Test func whatTheHistoryForgetsEnds() throws {
    let overlay = try GraphicsOverlay(runtime: runtime)
    let one = try overlay.add(try points(1))
    weak var columns: GeometryColumns?
    do {
      let array = try points(2000)
      columns = array.columns
      let first = try overlay.add(array)
      try overlay.remove((0..<2000).map { first + $0 })
    }
    for step in 1...EditHistory.defaultLimit {
      #expect(columns != nil, "before the edit \(step)")
      var changes = GraphicColumns(count: 1)
      changes.isHidden = [step % 2 == 0]
      try overlay.update([one], changes)
    }
    for _ in 0..<1000 where columns != nil { usleep(10_000) }
    #expect(columns == nil)
    #expect(overlay.facts.undoCount == EditHistory.defaultLimit && overlay.facts.graphicCount == 1)
  }

  @Test func editsAndDrawingsMayMeet() throws {
    let view = try view()
    let overlay = try GraphicsOverlay(runtime: runtime)
    overlay.setRenderer(try GraphicsRenderer(marker()))
    try view.add(overlay)
    let array = try points(50)
    // Any mixture of these is allowed on any threads; each drawing is of one moment.
    try Workers(threadCount: 4).forEach(400) { (index) throws(EngineError) in
      switch index % 4 {
      case 0: _ = try overlay.add(array)
      case 1: _ = overlay.undo()
      default:
        let drawing = try view.overlayDrawing(keepsOutside: true)
        let counts = drawing.counts
        guard drawing.items.count % 50 == 0, counts.drawn == drawing.items.count else {
          throw EngineError(.internal, "A drawing has \(drawing.items.count) items, of half an edit.")
        }
      }
    }
    #expect(overlay.facts.graphicCount % 50 == 0)
  }
}
