import AlidadeBase
import AlidadeData
import AlidadeGeometry

extension IdentifyResult {
  /// The elements as a batch of an Arrow table, topmost first: where each comes from, how it was hit, its attributes,
  /// and its geometry in the map's spatial reference.
  public func arrowTable(_ encoding: ArrowEncoding) throws(EngineError) -> ArrowColumn {
    try runtime.limitedHere { () throws(EngineError) -> ArrowColumn in
      var names = ArrowNames()
      var columns: [ArrowColumn] = []
      func add<Value: BitwiseCopyable>(_ name: String, _ format: String, _ value: (IdentifyElement) -> Value?)
        throws(EngineError)
      {
        columns.append(try .values(names.free(name), format, elements.count, runtime.policy) { value(elements[$0]) })
      }
      func add(_ name: String, _ text: (IdentifyElement) -> String?) throws(EngineError) {
        columns.append(try .texts(names.free(name), elements.count, runtime.policy) { text(elements[$0]) })
      }
      try add("kind") { $0.kind.name }
      try add("layer") { $0.layer?.text(.name) ?? $0.overlay?.name }
      try add("sublayer") { $0.kind == .feature ? $0.sublayer : nil }
      try add("id", "l") { $0.kind == .rasterCell ? nil : $0.id }
      try add("column", "i") { $0.cell.map { Int32(truncatingIfNeeded: $0.cell.index.column) } }
      try add("row", "i") { $0.cell.map { Int32(truncatingIfNeeded: $0.cell.index.row) } }
      try add("zone") { $0.evidence?.zone.name }
      try add("distance_dip", "g") { $0.evidence?.distance }
      try add("distance_m", "g") { $0.evidence?.metres.knownOrNil }
      try add("nearest_x", "g") { $0.evidence?.nearest.x }
      try add("nearest_y", "g") { $0.evidence?.nearest.y }
      try add("text") { $0.text }
      for name in attributeNames {
        columns.append(
          try Self.column(names.free(name), elements.map { $0.attributes.first { $0.name == name } }, runtime.policy))
      }
      columns.append(try geometryColumn(names.free("geometry"), encoding))
      return ArrowColumn.table(columns, length: elements.count)
    }
  }

  /// Each once, in the order in which elements name them.
  private var attributeNames: [String] {
    var known: Set<String> = []
    return elements.flatMap { $0.attributes.map(\.name) }.filter { known.insert($0).inserted }
  }

  /// One type for all elements: whole numbers, numbers, or texts.
  private static func column(
    _ name: String, _ attributes: [Attribute?], _ policy: Policy
  ) throws(EngineError) -> ArrowColumn {
    let known = attributes.compactMap { $0?.value }.filter { if case .null = $0 { false } else { true } }
    if !known.isEmpty, known.allSatisfy({ $0.whole != nil }) {
      return try .values(name, "l", attributes.count, policy) { attributes[$0]?.value.whole }
    }
    if !known.isEmpty, known.allSatisfy({ $0.number != nil }) {
      return try .values(name, "g", attributes.count, policy) { attributes[$0]?.value.number }
    }
    return try .texts(name, attributes.count, policy) { attributes[$0]?.machineText }
  }

  private func geometryColumn(_ name: String, _ encoding: ArrowEncoding) throws(EngineError) -> ArrowColumn {
    let geometries = try elements.map { (element) throws(EngineError) in try geometryOnMap(element) }
    let builder = try GeometryBuilder(policy: runtime.policy)
    let filler = geometries.lazy.compactMap { $0 }.first
    for geometry in geometries {
      if let geometry {
        try builder.append(geometry.columns, geometry.row)
      } else {
        // It has the type of the others, because some encodings have one type; null says that there is none.
        try builder.begin(
          filler.map { $0.columns.kind($0.row) } ?? .point, filler.map { $0.columns.flags($0.row) } ?? [])
        try builder.end()
      }
    }
    return try GeometryArray(runtime: runtime, columns: try builder.finish(spatialReference))
      .arrowColumn(name, encoding) { geometries[$0] == nil }
  }

  /// nil if it has no image on the map.
  private func geometryOnMap(_ element: IdentifyElement) throws(EngineError) -> Geometry? {
    if let cell = element.cell {
      return try cell.polygon.map { (polygon) throws(EngineError) in
        try Geometry.make(runtime: runtime, ring: polygon, spatialReference: spatialReference)
      }
    }
    do throws(EngineError) { return try element.geometry().projected(to: spatialReference).geometry } catch {
      guard error.status == .projectionFailed else { throw error }
      return nil
    }
  }
}

extension Attribute {
  /// For programs: without a unit, and a date as in ISO 8601. nil for no value.
  fileprivate var machineText: String? {
    switch value {
    case .null: nil
    case .integer(let number): String(number)
    case .unsigned(let number): String(number)
    case .real(let number): String(number)
    case .date(let date, let type): date.text(type)
    case .complex, .text, .binary, .integers, .reals, .texts: text
    }
  }
}

extension Attribute.Value {
  fileprivate var whole: Int64? {
    switch self {
    case .integer(let number): number
    case .unsigned(let number): Int64(exactly: number)
    default: nil
    }
  }

  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }
}

extension IdentifyElement.Kind {
  fileprivate var name: String {
    switch self {
    case .rasterCell: "raster_cell"
    case .feature: "feature"
    case .graphic: "graphic"
    }
  }
}

extension HitZone {
  fileprivate var name: String {
    switch self {
    case .inside: "inside"
    case .edge: "edge"
    case .halo: "halo"
    }
  }
}

extension Double {
  fileprivate var knownOrNil: Double? { isNaN ? nil : self }
}
