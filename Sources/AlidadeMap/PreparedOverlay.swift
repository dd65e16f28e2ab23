import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// What the graphics of an overlay are on a map, whatever the view looks at: in draw order, with their images and
/// symbols. It is made when graphics change, and all frames use it.
///
/// Right to share: written once, in init, and the memory that its pointers lead to is kept in `owners`.
final class PreparedOverlay: @unchecked Sendable {
  struct Item {
    enum Verdict: UInt8 {
      case drawn, hidden, empty, unsymbolized, failed
    }

    var id: UInt64
    /// Its pieces, which follow each other.
    var firstPiece: Int
    var pieceCount: Int
    /// The number of its symbol.
    var symbol: Int32
    var verdict: Verdict
    var isBallpark: Bool
    /// Of the images of all its pieces.
    var envelope: Envelope
  }

  /// A geometry of one kind that is no collection.
  struct Piece {
    /// The number of its columns.
    var columns: Int32
    var kind: UInt8
    var row: Int
    /// The images of its vertices.
    var points: UnsafePointer<Point>
    var vertexCount: Int
    var partCount: Int
    var pathCount: Int
  }

  let contentGeneration: UInt64
  let target: SpatialReference
  let items: HeapArray<Item>
  let pieces: HeapArray<Piece>
  let columns: [GeometryColumns]
  let symbols: [Symbol]
  /// By the numbers of items.
  let failures: [Int: GraphicImage.Failure]
  /// What keeps the points, and tells whether they are still good.
  private let batches: [ImageBatch]

  /// - Parameter images: of the graphics, in their order.
  init(
    _ graphics: [Graphic], _ images: [GraphicImage], _ renderer: GraphicsRenderer?, _ names: AttributeNameTable,
    contentGeneration: UInt64, target: SpatialReference
  ) throws(EngineError) {
    self.contentGeneration = contentGeneration
    self.target = target
    var pieceCount = 0
    for graphic in graphics {
      try graphic.columns.forEachSimple(graphic.row) { (_, _) throws(EngineError) in pieceCount &+= 1 }
    }
    let items = try HeapArray<Item>(count: graphics.count)
    let pieces = try HeapArray<Piece>(count: pieceCount)
    var owners = Owners()
    var palette = SymbolPalette(renderer, names)
    var failures: [Int: GraphicImage.Failure] = [:]
    var nextPiece = 0
    for (index, graphic) in graphics.enumerated() {
      let image = images[index]
      var item = Item(
        id: graphic.id, firstPiece: nextPiece, pieceCount: 0, symbol: -1, verdict: .drawn,
        isBallpark: image.isBallpark, envelope: Envelope(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan))
      if graphic.isHidden {
        item.verdict = .hidden
      } else if graphic.columns.isEmpty(graphic.row) {
        item.verdict = .empty
      } else if let number = palette.number(for: graphic) {
        item.symbol = number
        if let failure = image.failure {
          item.verdict = .failed
          failures[index] = failure
          // It may not fail any more when grids have come.
          owners.note(image.batch)
        } else {
          try Self.addPieces(of: graphic, image, palette.symbols[Int(truncatingIfNeeded: number)], &item) { piece in
            pieces.buffer[nextPiece] = piece
            nextPiece &+= 1
          } owner: { columns in
            owners.number(of: columns, image.batch)
          }
          if item.pieceCount == 0 {
            item.verdict = .failed
            failures[index] = GraphicImage.Failure(.wrongSymbol)
          }
        }
      } else {
        item.verdict = .unsymbolized
      }
      items.buffer[index] = item
    }
    self.items = items
    self.pieces = pieces
    self.failures = failures
    columns = owners.columns
    batches = owners.batches
    symbols = palette.symbols
  }

  /// Whether it is what a map needs now.
  func isGood(for reference: SpatialReference, _ generation: UInt64) -> Bool {
    generation == contentGeneration && target.system === reference.system
      && batches.allSatisfy { $0.isGood(for: reference) }
  }

  private static func addPieces(
    of graphic: Graphic, _ image: GraphicImage, _ symbol: Symbol, _ item: inout Item, add: (Piece) -> Void,
    owner: (GeometryColumns) -> Int32
  ) throws(EngineError) {
    var next = image.start
    var box: Envelope?
    var count = 0
    try graphic.columns.forEachSimple(graphic.row) { (columns, row) throws(EngineError) in
      let vertices = columns.vertices(ofGeometry: row)
      let start = next
      next &+= vertices.count
      let kind = columns.kind(row)
      guard !vertices.isEmpty, symbol.draws(kind) else { return }
      let points: UnsafePointer<Point>
      if let batch = image.batch.points?.buffer.baseAddress {
        points = UnsafePointer(batch + start)
      } else if let own = columns.points.buffer.baseAddress {
        points = own + vertices.lowerBound
      } else {
        return
      }
      let image = UnsafeBufferPointer(start: points, count: vertices.count)
      box = Self.envelope(of: image, and: box)
      add(
        Piece(
          columns: owner(columns), kind: UInt8(truncatingIfNeeded: kind.rawValue), row: row, points: points,
          vertexCount: vertices.count, partCount: columns.parts(ofGeometry: row).count,
          pathCount: columns.paths(ofGeometry: row).count))
      count &+= 1
    }
    item.pieceCount = count
    if let box { item.envelope = box }
  }

  private static func envelope(of points: UnsafeBufferPointer<Point>, and other: Envelope?) -> Envelope? {
    guard let first = points.first else { return other }
    var box = other ?? Envelope(xMin: first.x, yMin: first.y, xMax: first.x, yMax: first.y)
    for point in points {
      box.xMin = min(box.xMin, point.x)
      box.yMin = min(box.yMin, point.y)
      box.xMax = max(box.xMax, point.x)
      box.yMax = max(box.yMax, point.y)
    }
    return box
  }
}

/// What keeps the memory of pieces, each once.
private struct Owners {
  private(set) var columns: [GeometryColumns] = []
  private(set) var batches: [ImageBatch] = []
  private var numbers: [ObjectIdentifier: Int32] = [:]
  private var known: Set<ObjectIdentifier> = []

  /// Keeps a batch, and has it asked whether it is still good.
  mutating func note(_ batch: ImageBatch) {
    if batches.last !== batch, known.insert(ObjectIdentifier(batch)).inserted { batches.append(batch) }
  }

  /// The number of columns that are drawn with a batch.
  mutating func number(of columns: GeometryColumns, _ batch: ImageBatch) -> Int32 {
    note(batch)
    // Mostly those of the graphic before.
    if let last = self.columns.last, last === columns { return Int32(truncatingIfNeeded: self.columns.count &- 1) }
    if let number = numbers[ObjectIdentifier(columns)] { return number }
    let number = Int32(truncatingIfNeeded: self.columns.count)
    self.columns.append(columns)
    numbers[ObjectIdentifier(columns)] = number
    return number
  }
}

/// The symbols of an overlay's graphics, each once, and who has which.
private struct SymbolPalette {
  private(set) var symbols: [Symbol] = []
  private let renderer: GraphicsRenderer?
  /// Of the renderer's attributes.
  private let fields: [Int32?]
  /// Of the renderer's symbols, -1: not looked for yet, -2: it draws nothing.
  private var ofRenderer: [Int32]
  private var ofShared: [ObjectIdentifier: Int32] = [:]
  private var numbers: [Symbol: Int32] = [:]

  init(_ renderer: GraphicsRenderer?, _ names: AttributeNameTable) {
    self.renderer = renderer
    fields = (renderer?.fields ?? []).map(names.number)
    ofRenderer = [Int32](repeating: -1, count: renderer?.symbolCount ?? 0)
  }

  /// The number of a graphic's symbol; nil if it has none.
  mutating func number(for graphic: Graphic) -> Int32? {
    if let shared = graphic.symbol {
      let key = ObjectIdentifier(shared)
      if let known = ofShared[key] { return known }
      guard let number = number(of: shared.symbol) else { return nil }
      ofShared[key] = number
      return number
    }
    guard let renderer else { return nil }
    let choice = renderer.symbolNumber { graphic.value(fields[$0]) }
    if ofRenderer[choice] == -1 { ofRenderer[choice] = number(of: renderer.symbol(choice)) ?? -2 }
    return ofRenderer[choice] >= 0 ? ofRenderer[choice] : nil
  }

  private mutating func number(of symbol: Symbol) -> Int32? {
    guard symbol.kind != .none else { return nil }
    if let known = numbers[symbol] { return known }
    let number = Int32(truncatingIfNeeded: symbols.count)
    symbols.append(symbol)
    numbers[symbol] = number
    return number
  }
}
