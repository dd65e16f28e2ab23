import AlidadeBase
import CPROJ

/// Options for the list of transformations.
public struct CatalogueOptions: Sendable {
  /// The area of interest, as two corners of a box or a polygon. If empty, the area in which both spatial references
  /// are used.
  public var area: [Point] = []
  /// The spatial reference of `area`; nil means WGS 84, longitude and latitude in degrees.
  public var areaReference: SpatialReference?
  /// Heights are left out, also where both sides have some.
  public var ignoresVertical = false
  /// List those, too, that an authority has replaced by better ones.
  public var includesSuperseded = false

  public init() {}
}

/// A transformation with its rank in a list.
public struct RankedTransformation: Sendable {
  public let transformation: Transformation
  /// How much of the area lies where the transformation is meant to be used, 0 to 1.
  public let share: Double
  /// Why it stands above the next one; of the last one, why it stands last.
  public let reason: String
}

/// The ways from one spatial reference to another, the most suitable first. A list as of one moment.
///
/// Rank, the first that differs decides: no ballpark (datums known to each other); all grids there and readable; more of the area
/// inside the area of use (in whole per cent); more accurate, unknown last; not superseded; a smaller area of use; fewer
/// steps; PROJ's own order.
public final class TransformationList: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  public let items: [RankedTransformation]

  init(runtime: Runtime, items: [RankedTransformation]) {
    self.items = items
    super.init(runtime: runtime)
  }

  public override var handleKind: HandleKind { .transformationList }

  /// Lists the transformations between two spatial references; none if they have the same datum.
  public static func make(
    from: SpatialReference, to: SpatialReference, options: CatalogueOptions = CatalogueOptions()
  ) throws(EngineError) -> TransformationList {
    let runtime = from.runtime
    let service = CoordinateService.of(runtime)
    let isSame = try from.isEquivalent(to: to)
    if !isSame { try from.requireProjectable(to) }
    var area: AreaOfInterest?
    if !options.area.isEmpty {
      var reference = options.areaReference
      if reference == nil { reference = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 4326) }
      if let reference { area = try AreaOfInterest(options.area, in: reference) }
    }
    let key = CatalogueKey(
      from: from.system.definition, to: to.system.definition, area: area, ignoresVertical: options.ignoresVertical,
      includesSuperseded: options.includesSuperseded, generation: service.grids.generation)
    let rows: [CatalogueRow]
    if let known = service.catalogue(key) {
      rows = known
    } else {
      rows = try CatalogueReader(from: from, to: to, area: area, options: options).read()
      service.keep(rows, for: key)
    }
    let items = rows.map { row in
      RankedTransformation(
        transformation: Transformation(
          runtime: runtime, source: from.system, target: to.system, facts: row.facts, isSuperseded: row.isSuperseded,
          isUsable: row.isUsable, generation: key.generation),
        share: row.share, reason: row.reason)
    }
    return TransformationList(runtime: runtime, items: items)
  }
}

/// What a list was made from.
struct CatalogueKey: Hashable, Sendable {
  let from: String
  let to: String
  let area: AreaOfInterest?
  let ignoresVertical: Bool
  let includesSuperseded: Bool
  let generation: UInt64
}

/// A row of a list. It knows no runtime, so that what a runtime keeps for later does not keep the runtime.
struct CatalogueRow: Sendable {
  var facts: OperationFacts
  var isSuperseded: Bool
  var isUsable: Bool
  var share: Double
  /// In PROJ's list.
  var order: Int
  var reason = ""
}

/// Asks PROJ for all operations and ranks them.
private struct CatalogueReader {
  let from: SpatialReference
  let to: SpatialReference
  let area: AreaOfInterest?
  let options: CatalogueOptions

  func read() throws(EngineError) -> [CatalogueRow] {
    let service = CoordinateService.of(from.runtime)
    var rows = try service.withSession(from.runtime) { (session) throws(EngineError) in try self.rows(in: session) }
    // Systems with one datum differ by conversions alone, and there is nothing to choose.
    if rows.allSatisfy({ $0.facts.steps.allSatisfy(\.isConversion) }) { return [] }
    rows.sort { a, b in Self.difference(a, b)?.isInOrder ?? (a.order < b.order) }
    for index in rows.indices {
      let next = index &+ 1
      rows[index].reason =
        next < rows.count ? Self.reason(rows[index], above: rows[next]) : "It is the last of the list."
      let isComplete = rows[index].facts.steps.allSatisfy { $0.grids.allSatisfy(\.isAvailable) }
      if rows[index].facts.pipeline.isEmpty || (!rows[index].isUsable && isComplete) {
        rows[index].reason += " It cannot be used, with any grids: PROJ does not have the method of one of its steps."
      }
    }
    return rows
  }

  // MARK: PROJ

  /// Call inside the gate.
  private func rows(in session: ProjSession) throws(EngineError) -> [CatalogueRow] {
    let usesHeights = !options.ignoresVertical && from.system.vertical != nil && to.system.vertical != nil
    let source = try usesHeights ? from.system.object(in: session) : from.system.horizontalObject(in: session)
    let target = try usesHeights ? to.system.object(in: session) : to.system.horizontalObject(in: session)
    let current = try operations(source, target, in: session, discardingSuperseded: true)
    var all = current
    if options.includesSuperseded {
      all = try operations(source, target, in: session, discardingSuperseded: false)
    }
    // What projecting uses by default while grids are missing: PROJ looks for roundabout ways only if it takes what lacks
    // a grid for not there.
    var others: [ProjObject] = []
    if all.contains(where: { proj_coordoperation_is_instantiable(session.context, $0.pointer) == 0 }) {
      var known = Set(all.map { OperationFacts($0).wkt })
      let usable = try operations(
        source, target, in: session, discardingSuperseded: true,
        PROJ_GRID_AVAILABILITY_DISCARD_OPERATION_IF_MISSING_GRID)
      others = usable.filter { known.insert(OperationFacts($0).wkt).inserted }
      all += others
    }
    let currentWKT = Set(options.includesSuperseded ? (current + others).map { OperationFacts($0).wkt } : [])
    let bounds = area ?? commonArea(source, target, in: session)
    return all.enumerated().map { order, operation in
      var facts = OperationFacts(operation)
      let isUsable = session.canRun(operation, &facts)
      return CatalogueRow(
        facts: facts, isSuperseded: options.includesSuperseded && !currentWKT.contains(facts.wkt), isUsable: isUsable,
        share: facts.area.map { bounds?.share(in: $0) ?? 1 } ?? 0, order: order)
    }
  }

  /// Call inside the gate.
  private func operations(
    _ source: ProjObject, _ target: ProjObject, in session: ProjSession, discardingSuperseded: Bool,
    _ grids: PROJ_GRID_AVAILABILITY_USE = PROJ_GRID_AVAILABILITY_USED_FOR_SORTING
  ) throws(EngineError) -> [ProjObject] {
    let context = session.context
    guard let factory = proj_create_operation_factory_context(context, nil) else {
      throw session.failure(.outOfMemory, "PROJ could not list transformations")
    }
    defer { proj_operation_factory_context_destroy(factory) }
    // With the default criterion, "contains", most of what is useful inside the area is left out.
    proj_operation_factory_context_set_spatial_criterion(
      context, factory, PROJ_SPATIAL_CRITERION_PARTIAL_INTERSECTION)
    // Nothing is left out for its grids. If they were ignored, PROJ would be content with a direct way that lacks one,
    // and would look for no roundabout way that can be used.
    proj_operation_factory_context_set_grid_availability_use(context, factory, grids)
    proj_operation_factory_context_set_discard_superseded(context, factory, discardingSuperseded ? 1 : 0)
    if let box = area?.bounds {
      proj_operation_factory_context_set_area_of_interest(context, factory, box.west, box.south, box.east, box.north)
    }
    guard let list = proj_create_operations(context, source.pointer, target.pointer, factory) else {
      throw session.failure(.projectionFailed, "There is no operation from \(from.name) to \(to.name)")
    }
    defer { proj_list_destroy(list) }
    return (0..<max(0, proj_list_get_count(list))).compactMap { index in
      ProjObject(proj_list_get(context, list, index), in: session)
    }
  }

  /// Where both spatial references are used; nil if that is not known or nowhere. Call inside the gate.
  private func commonArea(_ source: ProjObject, _ target: ProjObject, in session: ProjSession) -> AreaOfInterest? {
    let boxes = [source, target].compactMap { object -> GeographicBox? in
      var (west, south, east, north) = (0.0, 0.0, 0.0, 0.0)
      guard
        proj_get_area_of_use(session.context, object.pointer, &west, &south, &east, &north, nil) != 0, west > -1000
      else { return nil }
      return GeographicBox(west: west, south: south, east: east, north: north)
    }
    // The smaller of the two, as PROJ does without an area.
    guard let box = boxes.min(by: { $0.size < $1.size }) else { return nil }
    let east = box.east < box.west ? box.east + 360 : box.east
    return AreaOfInterest(ring: [
      Point(x: box.west, y: box.south), Point(x: east, y: box.south), Point(x: east, y: box.north),
      Point(x: box.west, y: box.north),
    ])
  }

  // MARK: Rank

  /// The first thing in which two rows differ; nil if there is none.
  private static func difference(_ a: CatalogueRow, _ b: CatalogueRow) -> (isInOrder: Bool, reason: String)? {
    let (one, two) = (a.facts, b.facts)
    if one.isBallpark != two.isBallpark {
      return (!one.isBallpark, "it knows how the datums lie to each other; the next one treats them as equal")
    }
    if a.isUsable != b.isUsable {
      return (a.isUsable, "it can be used now; the next one lacks a grid file that can be read")
    }
    let (shareA, shareB) = (percent(a.share), percent(b.share))
    if shareA != shareB {
      return (shareA > shareB, "it is meant for \(shareA) % of the area, the next one for \(shareB) %")
    }
    if one.accuracy != two.accuracy, !(one.accuracy.isNaN && two.accuracy.isNaN) {
      if one.accuracy.isNaN || two.accuracy.isNaN {
        return (two.accuracy.isNaN, "its accuracy is known, that of the next one is not")
      }
      return (
        one.accuracy < two.accuracy,
        "its accuracy is \(NumberText.shortest(one.accuracy)) m, that of the next one "
          + "\(NumberText.shortest(two.accuracy)) m"
      )
    }
    if a.isSuperseded != b.isSuperseded {
      return (!a.isSuperseded, "its authority recommends it, and the next one has been superseded")
    }
    let (sizeA, sizeB) = (one.area?.size ?? .infinity, two.area?.size ?? .infinity)
    if sizeA != sizeB {
      return (sizeA < sizeB, "its area of use is smaller, so it fits the area of interest more closely")
    }
    let (stepsA, stepsB) = (one.steps.count, two.steps.count)
    if stepsA != stepsB { return (stepsA < stepsB, "it takes \(stepsA) steps, the next one \(stepsB)") }
    return nil
  }

  private static func percent(_ share: Double) -> Int { Int(exactly: (share * 100).rounded()) ?? 0 }

  private static func reason(_ a: CatalogueRow, above b: CatalogueRow) -> String {
    let reason = difference(a, b)?.reason ?? "only PROJ's order distinguishes them"
    return "Above the next one because \(reason)."
  }
}
