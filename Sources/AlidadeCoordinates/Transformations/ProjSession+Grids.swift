import CPROJ

// Grid files that are there and cannot be read. PROJ calls an operation instantiable if its files are there, and looks
// at them no further. Call inside the gate.
extension ProjSession {
  /// Whether PROJ can run an operation now: its files are there, and it can make what it needs of them.
  func canRun(_ operation: ProjObject, _ pipeline: String) -> Bool {
    guard !pipeline.isEmpty, proj_coordoperation_is_instantiable(context, operation.pointer) != 0 else { return false }
    // With a network PROJ would fetch each grid that it opens. Those that cannot be read are then found when they are
    // needed.
    guard proj_coordoperation_get_grid_used_count(context, operation.pointer) > 0,
      proj_context_is_network_enabled(context) == 0
    else { return true }
    return made(pipeline, readingAt: middle(of: operation)) != nil
  }

  /// The same, and marks grids that are there and cannot be read as not available.
  func canRun(_ operation: ProjObject, _ facts: inout OperationFacts) -> Bool {
    if canRun(operation, facts.pipeline) { return true }
    guard !facts.pipeline.isEmpty, proj_coordoperation_is_instantiable(context, operation.pointer) != 0 else {
      return false
    }
    facts.steps.setAvailable(false, unreadableGrids(of: facts.pipeline, at: middle(of: operation)))
    return false
  }

  /// PROJ's object for a PROJ string; nil if there is none, or if a grid cannot be opened.
  ///
  /// - Parameter place: see `unreadableGrids`.
  func made(_ pipeline: String, readingAt place: PJ_COORD? = nil) -> ProjObject? {
    guard !pipeline.isEmpty, let object = ProjObject(proj_create(context, pipeline), in: self) else { return nil }
    return unreadableGrids(of: pipeline, at: place).isEmpty ? object : nil
  }

  /// The middle of where an operation is meant to be used, in radians; nil if that is not said.
  private func middle(of operation: ProjObject) -> PJ_COORD? {
    let boxes = boxes(of: operation)
    guard let first = boxes.first, let last = boxes.last, first.west >= -180 else { return nil }
    // Two boxes are those on both sides of the antimeridian.
    let east = boxes.count > 1 ? last.east + 360 : first.east
    return proj_coord((first.west + east) * .pi / 360, (first.south + first.north) * .pi / 360, 0, .infinity)
  }

  /// The grids of a PROJ string that cannot be opened now, or not be read at a place, in radians. PROJ does not look when a grid of that name was opened in the
  /// process before, by anyone. It then finds out at the first point, and lets all others through as they are.
  private func unreadableGrids(of text: String, at place: PJ_COORD?) -> Set<String> {
    // A name in quotes may hold spaces; only hosts write such.
    if text.contains("\"") { return [] }
    var result: Set<String> = []
    var method = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      let word = word.hasPrefix("+") ? word.dropFirst() : word
      if word.hasPrefix("proj=") { method = String(word) }
      guard word.hasPrefix("grids="), Self.gridMethods.contains(method) else { continue }
      for name in word.dropFirst("grids=".count).split(separator: ",") where !name.hasPrefix("@") {
        if !canOpen(name, method) || !canRead(name, method, place) { result.insert(String(name)) }
      }
    }
    return result
  }

  private static let gridMethods: Set<String> = ["proj=hgridshift", "proj=vgridshift", "proj=xyzgridshift"]

  private func canOpen(_ name: Substring, _ method: String) -> Bool {
    guard let grid = ProjObject(proj_create(context, "+\(method) +grids=\(name)"), in: self) else { return false }
    proj_errno_reset(grid.pointer)
    _ = proj_trans(grid.pointer, PJ_FWD, proj_coord(0, 0, 0, .infinity))
    return proj_errno_reset(grid.pointer) != PROJ_ERR_INVALID_OP_FILE_NOT_FOUND_OR_INVALID
  }

  /// Whether a grid has a value at a place or lies elsewhere. PROJ reads no more than the header when it opens one, and a
  /// file that was cut short may have nothing else.
  private func canRead(_ name: Substring, _ method: String, _ place: PJ_COORD?) -> Bool {
    // Geocentric coordinates are no such places.
    guard let place, method != "proj=xyzgridshift" else { return true }
    // Outside of the grid nothing changes.
    guard let grid = ProjObject(proj_create(context, "+\(method) +grids=\(name),null"), in: self) else { return false }
    proj_errno_reset(grid.pointer)
    let image = proj_trans(grid.pointer, PJ_FWD, place)
    return proj_errno_reset(grid.pointer) == PROJ_ERR_COORD_TRANSFM_GRID_AT_NODATA || image.xyzt.x != .infinity
  }

  /// A PROJ string with other grids in each step: those that `change` makes of the list of names.
  static func pipeline(_ text: String, changingGrids change: (Substring) -> String) -> String {
    text.split(whereSeparator: \.isWhitespace).map { word in
      for key in ["+grids=", "grids="] where word.hasPrefix(key) { return key + change(word.dropFirst(key.count)) }
      return String(word)
    }.joined(separator: " ")
  }
}

extension [TransformationStep] {
  /// Says of grids whether they can be used.
  ///
  /// - Parameter names: which ones; all if none of them is named there: of a method whose files are not looked at one by
  ///   one.
  mutating func setAvailable(_ isAvailable: Bool, _ names: Set<String>) {
    let isNamed = contains { $0.grids.contains { names.contains($0.name) } }
    for step in indices {
      for grid in self[step].grids.indices where !isNamed || names.contains(self[step].grids[grid].name) {
        self[step].grids[grid].isAvailable = isAvailable
      }
    }
  }
}
