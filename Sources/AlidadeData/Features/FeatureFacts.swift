import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CGDAL

/// A layer of a file.
public struct SublayerFacts: Sendable, Equatable {
  public let name: String
  public let hasGeometry: Bool
}

/// Facts about a source of features. They never change.
public struct FeatureFacts: Sendable {
  /// The path or name with which the source was opened.
  public let path: String
  public let driver: String
  /// All layers of the file, in its order.
  public let sublayers: [SublayerFacts]
  /// The index of this layer; nil for the result of a statement.
  public let layerIndex: Int?
  public let layerName: String
  public let fields: [FeatureField]
  public let hasGeometry: Bool
  /// nil: of several kinds, or of any.
  public let geometryKind: GeometryKind?
  public let hasZ: Bool
  public let hasM: Bool
  public let hasCurves: Bool
  public let idStability: IDStability
  /// nil if only reading all features would give the number.
  public let featureCount: Int64?
  /// nil: the same, or there is none.
  public var extent: Envelope? { featureCount == 0 ? nil : fileExtent ?? readExtent?.box }
  /// As the file says it.
  private let fileExtent: Envelope?
  /// What a reading at opening has found; nil: there was none, or it would have taken too long.
  var readExtent: ReadExtent?
  /// The file's own spatial reference; empty: none.
  let wkt: String
  /// Whether single features can be read by their ids without reading those before.
  public let findsByID: Bool
  /// The name of the column with the ids; empty: there is none.
  let idColumn: String
  let order: FeatureOrder
  /// The result of a statement that sums up a layer.
  let isSummary: Bool

  /// Whether the features come from a server, as they are asked for.
  public let isService: Bool

  /// Call inside the guard.
  ///
  /// - Parameters:
  ///   - statement: what the layer is the result of; nil: of none.
  ///   - filter: what the definition wants of features.
  ///   - rows: what is left to do with the rows of a result.
  ///   - isSummary: the result sums up a layer.
  ///   - service: what the layer holds pages of; nil: the layer is that of a file.
  init(
    path: String, driver: String, dataset: GDALDatasetH, layer: OGRLayerH, index: Int?, statement: String?,
    filter: LayerFilter, rows: RowFilter? = nil, isSummary: Bool = false, service: FeatureService? = nil
  ) {
    isService = service != nil
    self.isSummary = isSummary
    self.path = path
    self.driver = driver
    sublayers = (0..<max(0, GDALDatasetGetLayerCount(dataset))).map { number in
      guard let layer = GDALDatasetGetLayer(dataset, number) else { return SublayerFacts(name: "", hasGeometry: false) }
      return SublayerFacts(name: gdalText(OGR_L_GetName(layer)), hasGeometry: OGR_L_GetGeomType(layer) != wkbNone)
    }
    layerIndex = index
    layerName = gdalText(OGR_L_GetName(layer))
    let definition = OGR_L_GetLayerDefn(layer)
    let fieldCount = rows.map { Int32(truncatingIfNeeded: $0.fieldCount) } ?? OGR_FD_GetFieldCount(definition)
    fields = (0..<max(0, fieldCount)).compactMap { number in
      OGR_FD_GetFieldDefn(definition, number).map { FeatureField($0) }
    }
    let type = OGR_L_GetGeomType(layer)
    hasGeometry = type != wkbNone
    geometryKind = FeatureFacts.kind(type)
    hasZ = OGR_GT_HasZ(type) != 0
    hasM = OGR_GT_HasM(type) != 0
    hasCurves = OGR_GT_IsNonLinear(type) != 0
    idColumn = gdalText(OGR_L_GetFIDColumn(layer))
    let storesIDs = FeatureFacts.storesIDs(driver, idColumn)
    if let service {
      idStability = service.firstPage.ids == .numbers ? .stored : .none
    } else if index == nil {
      idStability = .none
    } else {
      idStability = storesIDs ? .stored : .position
    }
    order = FeatureOrder(driver: driver, storesIDs: storesIDs, statement: statement)
    findsByID = service == nil && index != nil && OGR_L_TestCapability(layer, OLCRandomRead) != 0
    let isCounted = service == nil && rows == nil && !isSummary && filter.own.isEmpty
    let count = isCounted ? OGR_L_GetFeatureCount(layer, 0) : -1
    featureCount = count >= 0 ? Int64(truncatingIfNeeded: count) : nil
    var box = OGREnvelope()
    // What LIBKML states leaves tracks and overlays out, and has what lies in folders below.
    let hasBox = hasGeometry && !isSummary && driver != "LIBKML" && OGR_L_GetExtent(layer, &box, 0) == OGRERR_NONE
    fileExtent = service == nil ? (hasBox ? Envelope(box) : nil) : service?.extent
    let reference = OGR_L_GetSpatialRef(layer)
    wkt = FeatureFacts.standsForNone(reference, driver) ? "" : gdalWKT(reference)
  }

  /// GeoPackages have entries of their own for layers without a spatial reference.
  private static func standsForNone(_ reference: OGRSpatialReferenceH?, _ driver: String) -> Bool {
    guard driver == "GPKG", let reference else { return false }
    return ["Undefined geographic SRS", "Undefined Cartesian SRS"].contains(gdalText(OSRGetName(reference)))
  }

  /// Databases store ids with their rows. In other formats the id is the feature's index.
  private static func storesIDs(_ driver: String, _ column: String) -> Bool {
    driver == "OpenFileGDB" || (["GPKG", "SQLite"].contains(driver) && !column.isEmpty)
  }

  private static func kind(_ type: OGRwkbGeometryType) -> GeometryKind? {
    switch OGR_GT_Flatten(type) {
    case wkbPoint: .point
    case wkbMultiPoint: .multipoint
    case wkbLineString, wkbMultiLineString, wkbCircularString, wkbCompoundCurve, wkbMultiCurve, wkbCurve: .polyline
    case wkbPolygon, wkbMultiPolygon, wkbCurvePolygon, wkbMultiSurface, wkbSurface, wkbPolyhedralSurface, wkbTIN,
      wkbTriangle:
      .polygon
    case wkbGeometryCollection: .collection
    default: nil
    }
  }
}
