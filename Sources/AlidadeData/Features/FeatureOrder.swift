import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// How features are put into the file's order. GDAL finds features in the order of a tree or of an attribute's index
/// where a file has one.
struct FeatureOrder: Sendable {
  /// The file's order is that of rising ids.
  let isByID: Bool
  /// By a box, GDAL may find features in another order than the file's.
  let isLostByBoxes: Bool
  /// By a condition, or without geometries, too: a database reads from an index what an index has.
  let isLostByConditions: Bool

  /// - Parameters:
  ///   - storesIDs: the ids are the ids of a database's rows.
  ///   - statement: nil for a plain layer.
  init(driver: String, storesIDs: Bool, statement: String?) {
    let isDatabase = ["GPKG", "SQLite"].contains(driver)
    if let statement {
      let isFromTree = isDatabase || driver == "MapInfo File"
      isByID = isFromTree && FeatureSQL.keepsRows(statement)
      // A file that leads to others may lead to a database.
      isLostByBoxes = isFromTree || driver == "OGR_VRT"
      isLostByConditions = isFromTree
    } else {
      let places = ["ESRI Shapefile", "OpenFileGDB", "FlatGeobuf", "MapInfo File"]
      isByID = (isDatabase && storesIDs) || places.contains(driver)
      isLostByBoxes = isDatabase || ["MapInfo File", "OGR_VRT"].contains(driver)
      isLostByConditions = isDatabase
    }
  }

  /// Whether GDAL may use a box: the order that is lost by it can be restored.
  var allowsBoxes: Bool { isByID || !isLostByBoxes }
}

/// The order of rows in the order of ids.
enum RowOrder {
  /// For each position the row that belongs there; nil if the rows are in order.
  static func byID(_ ids: Column<Int64>, _ budget: MemoryBudget) throws(EngineError) -> HeapArray<Int>? {
    let ids = ids.buffer
    guard zip(ids, ids.dropFirst()).contains(where: { $0 > $1 }) else { return nil }
    try budget.take(ids.count &* MemoryLayout<Int>.stride)
    let rows = try HeapArray<Int>(count: ids.count)
    var order = rows.buffer
    for row in ids.indices { order[row] = row }
    order.sort { ids[$0] == ids[$1] ? $0 < $1 : ids[$0] < ids[$1] }
    return rows
  }
}

/// What the ids of all features of a source are like, in the order in which they are read.
enum IDOrder: Sendable {
  /// Each is greater than the one before.
  case rising
  /// Each names one feature.
  case mixed
  /// An id names several features.
  case ambiguous
}

/// Finds out the order of ids.
struct IDCheck {
  private var isRising = true
  private var last: Int64?
  /// The ids of features that are not in the index.
  private let others = Column<Int64>()

  mutating func see(_ id: Int64) {
    if let last, id <= last { isRising = false }
    last = id
  }

  func keep(_ id: Int64, _ budget: MemoryBudget) throws(EngineError) { try others.append(id, budget) }

  /// - Parameter indexed: the ids of features that are in the index.
  func result(_ indexed: Column<Int64>, _ budget: MemoryBudget) throws(EngineError) -> IDOrder {
    if isRising { return .rising }
    let count = indexed.count &+ others.count
    try budget.take(count &* MemoryLayout<Int64>.stride)
    let all = try HeapArray<Int64>(count: count)
    for (place, id) in indexed.buffer.enumerated() { all.buffer[place] = id }
    for (place, id) in others.buffer.enumerated() { all.buffer[indexed.count &+ place] = id }
    var sorting = all.buffer
    sorting.sort()
    return zip(sorting, sorting.dropFirst()).contains { $0 == $1 } ? .ambiguous : .mixed
  }
}

extension Column {
  /// The same values in another order: for each position the row that belongs there.
  func reordered(_ rows: HeapArray<Int>, _ budget: MemoryBudget) throws(EngineError) -> Column<Value> {
    let other = Column<Value>()
    let room = try other.extend(by: rows.buffer.count, budget)
    for (place, row) in rows.buffer.enumerated() { room[place] = self[row] }
    return other
  }

  /// Adds a part of another column.
  func append(_ part: Range<Int>, of other: Column<Value>, _ budget: MemoryBudget) throws(EngineError) {
    guard !part.isEmpty else { return }
    _ = try extend(by: part.count, budget).update(from: UnsafeBufferPointer(rebasing: other.buffer[part]))
  }
}

extension FeatureSource {
  /// The part of a box that GDAL is to look in; nil: it is to look at everything.
  ///
  /// OpenFileGDB goes through all cells of its grid from one side of a box to the other: for a box as wide as many worlds
  /// that takes hours.
  func searched(_ box: Envelope) -> Envelope? {
    guard facts.driver == "OpenFileGDB" else { return box }
    guard let extent = index?.bounds ?? facts.extent else { return nil }
    // The file says that nothing is outside of its extent; some of what is there may be so by rounding.
    let slack = extent.xMax - extent.xMin + extent.yMax - extent.yMin
    guard slack > 0, slack.isFinite else { return nil }
    func clamped(_ value: Double, _ low: Double, _ high: Double) -> Double {
      min(max(value, low - slack), high + slack)
    }
    return Envelope(
      xMin: clamped(box.xMin, extent.xMin, extent.xMax), yMin: clamped(box.yMin, extent.yMin, extent.yMax),
      xMax: clamped(box.xMax, extent.xMin, extent.xMax), yMax: clamped(box.yMax, extent.yMin, extent.yMax))
  }

  /// Ids in the file's order, if the features are found by them, and no other by the same.
  func findable(_ ids: Set<Int64>) -> [Int64]? {
    guard facts.findsByID else { return nil }
    let index = index
    if let index, index.idOrder == .ambiguous { return nil }
    if facts.order.isByID || index?.idOrder == .rising { return ids.sorted() }
    // One alone needs no order. What comes of several files may have its id twice.
    return ids.count < 2 && (index != nil || facts.driver != "OGR_VRT") ? Array(ids) : nil
  }

  /// Whether the index shows that at most so many features may be in an area.
  public func hasFew(_ most: Int, in area: FeatureQuery.Area) throws(EngineError) -> Bool {
    guard facts.findsByID, facts.layerIndex != nil, let index, index.idOrder != .ambiguous else { return false }
    guard let area = try FeatureArea(area, of: self) else { return true }
    return try index.ids(meeting: area.boxes, most: most) != nil
  }

  /// The ids of features that may be in an area, in the file's order, if the index shows that they are a small part of
  /// all.
  func fewCandidates(_ area: FeatureArea) -> [Int64]? {
    guard facts.findsByID, facts.layerIndex != nil, let index, index.idOrder != .ambiguous else { return nil }
    do throws(EngineError) {
      guard let ids = try index.ids(meeting: area.boxes, most: max(64, index.count / 16)) else { return nil }
      return Array(ids.buffer)
    } catch { return nil }
  }
}
