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
    var list = Self.fields(layer).map { Column(name: $0.name, type: $0.type, field: nil) }
    list.append(Column(name: gdalText(OGR_L_GetFIDColumn(layer)), type: .integer, field: nil))
    list.append(Column(name: gdalText(OGR_L_GetGeometryColumn(layer)), type: .binary, field: nil))
    let id = Column(name: "rowid", type: .integer, field: nil)
    columns = Self.byName(list + [id]).merging([SQLText.lowercased("FID"): id]) { first, _ in first }
  }

  /// The columns of a layer as GDAL numbers its fields; GDAL's special fields have the numbers after the others. Call
  /// inside the guard.
  init(ofFields layer: OGRLayerH) {
    isTable = false
    let fields = Self.fields(layer)
    let special: [(name: String, type: FieldType)] = [
      ("FID", .integer), ("OGR_GEOMETRY", .text), ("OGR_STYLE", .text), ("OGR_GEOM_WKT", .text),
      ("OGR_GEOM_AREA", .real),
    ]
    let list = (fields + special).enumerated().map { index, field in
      Column(name: field.name, type: field.type, field: Int32(truncatingIfNeeded: index))
    }
    // Of a geometry can be asked whether it is NULL.
    let ids = (SQLText.lowercased(gdalText(OGR_L_GetFIDColumn(layer))), list[fields.count])
    let geometries = (SQLText.lowercased(gdalText(OGR_L_GetGeometryColumn(layer))), list[fields.count + 1])
    columns = Self.byName(list).merging([ids, geometries]) { first, _ in first }
  }

  /// No columns.
  init() { (isTable, columns) = (false, [:]) }

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
