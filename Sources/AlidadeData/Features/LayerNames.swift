import AlidadeBase
import CGDAL

/// The columns that SQL may name, and how they are written for whoever evaluates it.
struct LayerNames: Sendable {
  struct Column: Sendable {
    /// As the layer has it.
    let name: String
    let type: FieldType
    /// The number that GDAL knows the field by; nil: a column of a table.
    let field: Int32?
  }

  /// Columns are written by their names; otherwise as parameters.
  let isTable: Bool
  /// Comparisons of plain columns would be left to GDAL's own evaluator.
  var isVirtual = false
  /// By names in lower case.
  private var columns: [[UInt8]: Column]
  /// The names of a table's column of ids, in lower case.
  private var ids: Set<[UInt8]> = []
  /// What may stand before a column's name and a point, in lower case.
  var tables: Set<[UInt8]> = []
  /// Names that are no columns, such as those that a statement gives, in lower case.
  var others: Set<[UInt8]> = []

  /// Formats whose layers are tables of SQLite.
  static let databases = ["GPKG", "SQLite"]

  /// The columns of a layer as its table has them, by their names. Call inside the guard.
  ///
  /// - Parameter isVirtual: GDAL makes the table for SQLite.
  init(ofTable layer: OGRLayerH, isVirtual: Bool = false) {
    isTable = true
    self.isVirtual = isVirtual
    let fields = Self.fields(layer).map { Column(name: $0.name, type: $0.type, field: nil) }
    let idColumn = gdalText(OGR_L_GetFIDColumn(layer))
    // SQLite has three names for the number of a row; a column may have one of them.
    let rowNames = ["rowid", "_rowid_", "oid"].filter { name in !fields.contains { $0.name.lowercased() == name } }
    // GDAL's tables have no column of ids.
    let id = idColumn.isEmpty || isVirtual ? rowNames.first ?? "" : idColumn
    var list = fields
    list.append(Column(name: id, type: .integer, field: nil))
    list += rowNames.prefix(1).map { Column(name: $0, type: .integer, field: nil) }
    list.append(Column(name: gdalText(OGR_L_GetGeometryColumn(layer)), type: .binary, field: nil))
    columns = Self.byName(list)
    // A table or a view without a column of ids has none.
    guard isVirtual || !idColumn.isEmpty else { return }
    ids = Set((rowNames + [id]).map { SQLText.lowercased($0) }).subtracting(fields.map { SQLText.lowercased($0.name) })
    add("FID", columns[SQLText.lowercased(id)])
    add(idColumn, columns[SQLText.lowercased(id)])
  }

  /// Whether a column of a table is that of the ids.
  func isID(_ column: Column) -> Bool { ids.contains(SQLText.lowercased(column.name)) }

  /// The columns of a layer as GDAL numbers its fields; GDAL's special fields have the numbers after the others. Call
  /// inside the guard.
  ///
  /// - Parameter shown: only so many fields are columns; nil: all.
  init(ofFields layer: OGRLayerH, shown: Int? = nil) {
    isTable = false
    let fields = Self.fields(layer)
    let types: [FieldType] = [.integer, .text, .text, .text, .real]
    var list = fields.prefix(shown ?? fields.count).enumerated().map { index, field in
      Column(name: field.name, type: field.type, field: Int32(truncatingIfNeeded: index))
    }
    let special = zip(Self.specialNames, types).enumerated().map { index, field in
      Column(name: field.0, type: field.1, field: Int32(truncatingIfNeeded: fields.count + index))
    }
    list += special
    columns = Self.byName(list)
    for (name, column) in [
      (gdalText(OGR_L_GetFIDColumn(layer)), special[0]), (gdalText(OGR_L_GetGeometryColumn(layer)), special[1]),
    ] {
      // Of a geometry can be asked whether it is NULL.
      add(name, Column(name: name, type: column.type, field: column.field))
    }
  }

  /// GDAL's special fields, in the order of their numbers.
  static let specialNames = ["FID", "OGR_GEOMETRY", "OGR_STYLE", "OGR_GEOM_WKT", "OGR_GEOM_AREA"]

  /// Adds a name, unless a column has it.
  private mutating func add(_ name: String, _ column: Column?) {
    let key = SQLText.lowercased(name)
    if !name.isEmpty, columns[key] == nil { columns[key] = column }
  }

  /// No columns.
  init() { (isTable, columns) = (false, [:]) }

  /// The names of all columns, in lower case.
  var all: Set<[UInt8]> { Set(columns.keys) }

  /// The same names for other fields.
  ///
  /// - Parameter places: the new numbers by the old ones.
  func moved(to places: [Int32: Int32]) -> LayerNames {
    var names = self
    names.columns = columns.mapValues { column in
      Column(name: column.name, type: column.type, field: column.field.flatMap { places[$0] })
    }
    return names
  }

  /// Of several columns with a name the first counts.
  private static func byName(_ list: [Column]) -> [[UInt8]: Column] {
    let named = list.filter { !$0.name.isEmpty }.map { (SQLText.lowercased($0.name), $0) }
    return Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  private static func fields(_ layer: OGRLayerH) -> [(name: String, type: FieldType)] {
    let definition = OGR_L_GetLayerDefn(layer)
    return (0..<max(0, OGR_FD_GetFieldCount(definition))).compactMap { number in
      OGR_FD_GetFieldDefn(definition, number).map { (gdalText(OGR_Fld_GetNameRef($0)), FieldType(OGR_Fld_GetType($0))) }
    }
  }

  /// nil: there is no column of that name.
  func type(of name: String) -> FieldType? { columns[SQLText.lowercased(name)]?.type }

  /// nil: it is one of `others`.
  func column(_ name: String, _ table: String?) throws(EngineError) -> Column? {
    let key = SQLText.lowercased(name)
    if table.map({ tables.contains(SQLText.lowercased($0)) }) ?? true, let known = columns[key] { return known }
    if table == nil, others.contains(key) { return nil }
    let full = table.map { "\($0).\(name)" } ?? name
    let list = Set(columns.values.map(\.name)).sorted().joined(separator: ", ")
    throw EngineError(
      .invalidArgument,
      "There is no column \(ReferenceRule.short(full)); there are: \(ReferenceRule.short(list)). A text is written in "
        + "single quotes.")
  }
}
