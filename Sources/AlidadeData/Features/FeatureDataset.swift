import AlidadeBase
import CGDAL

/// An open GDAL data set of a source of features, and the layer that is read. One thread at a time leases it.
///
/// Right to hand from thread to thread: a data set is bound to no thread, and the lease makes the use exclusive.
final class FeatureDataset: @unchecked Sendable {
  let dataset: GDALDatasetH
  let layer: OGRLayerH
  private let isResult: Bool
  /// For a service: what the layer holds one after the other.
  var pages = FeatureService.Pages()
  /// The features of the pages that it has held.
  private var seen: Set<Int64> = []
  /// What of the pages could not be kept; empty: all could.
  private(set) var remark = ""

  /// Takes over an open data set.
  ///
  /// - Parameter isResult: the layer is the result of a statement, and has to be given back.
  init(_ dataset: GDALDatasetH, layer: OGRLayerH, isResult: Bool) {
    self.dataset = dataset
    self.layer = layer
    self.isResult = isResult
  }

  // MARK: Services

  /// A layer in memory with the fields of a service's features, for its pages. Call inside the guard.
  convenience init(
    _ service: FeatureService, _ words: UnsafePointer<GDALWords>
  ) throws(EngineError) {
    let made = try service.firstPage.withLayer(service.driver, words) {
      (page) throws(EngineError) -> (GDALDatasetH, OGRLayerH) in
      guard let dataset = GDALCreate(GDALGetDriverByName("Memory"), "", 0, 0, 0, GDT_Unknown, nil) else {
        throw words.pointee.failure(.outOfMemory, "There is no memory for a layer")
      }
      let known = service.wkt.isEmpty ? nil : OSRNewSpatialReference(service.wkt)
      defer { OSRRelease(known) }
      OSRSetAxisMappingStrategy(known, OAMS_TRADITIONAL_GIS_ORDER)
      let found = OGR_L_GetSpatialRef(page)
      let isAsAsked = found == nil || known == nil || Self.areSame(found, known)
      let layer = GDALDatasetCreateLayer(dataset, service.name, found ?? known, OGR_L_GetGeomType(page), nil)
      guard isAsAsked else {
        GDALClose(dataset)
        throw EngineError(
          .unsupported,
          "\"\(HTTPAddress.shown(service.firstPage.address))\" returns features in another spatial reference than it was "
            + "asked for, \(gdalText(OSRGetName(known))). Give another srsname or outputformat.")
      }
      guard let layer else {
        GDALClose(dataset)
        throw words.pointee.failure(.outOfMemory, "There is no memory for a layer")
      }
      createFields(of: service, like: page, in: layer)
      return (dataset, layer)
    }
    self.init(made.0, layer: made.1, isResult: false)
  }

  /// Whether two spatial references are the same, whatever the order of their axes.
  private static func areSame(_ a: OGRSpatialReferenceH?, _ b: OGRSpatialReferenceH?) -> Bool {
    withList(["IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", "CRITERION=EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS"]) {
      OSRIsSameEx(a, b, $0) != 0
    }
  }

  /// Takes the pages of a query.
  func take(_ pages: FeatureService.Pages) { (self.pages, seen, remark) = (pages, [], "") }

  /// Puts the features of a page into the layer in place of what it holds. A feature that was on a page before is left
  /// out. Call inside the guard.
  ///
  /// - Parameter filter: the layer's condition; nil: none.
  func fill(
    from page: ServicePage, of service: FeatureService, _ filter: String?, _ words: UnsafePointer<GDALWords>
  ) throws(EngineError) {
    OGR_L_SetAttributeFilter(layer, nil)
    defer { OGR_L_SetAttributeFilter(layer, filter) }
    OGR_L_SetSpatialFilter(layer, nil)
    OGR_L_ResetReading(layer)
    var old: [GIntBig] = []
    while let feature = OGR_L_GetNextFeature(layer) {
      old.append(OGR_F_GetFID(feature))
      OGR_F_Destroy(feature)
    }
    for id in old { _ = OGR_L_DeleteFeature(layer, id) }
    guard page.count > 0 else { return }
    try page.withLayer(service.driver, words) { (source) throws(EngineError) in
      var map = FieldMap(from: source, to: layer)
      // Without such a column GDAL numbers the features of each page from 0.
      let hasIDs = service.kind == .featureServer && !gdalText(OGR_L_GetFIDColumn(source)).isEmpty
      let idField = service.idField.isEmpty || hasIDs ? -1 : OGR_L_FindFieldIndex(source, service.idField, 1)
      CPLErrorReset()
      while let feature = OGR_L_GetNextFeature(source) {
        defer { OGR_F_Destroy(feature) }
        try TimeLimit.check()
        let id: Int64
        if hasIDs {
          id = Int64(truncatingIfNeeded: OGR_F_GetFID(feature))
        } else if idField >= 0, OGR_F_IsFieldSetAndNotNull(feature, idField) != 0 {
          id = Int64(truncatingIfNeeded: OGR_F_GetFieldAsInteger64(feature, idField))
        } else {
          id = try service.id(of: feature) ?? service.id(atPosition: seen.count)
        }
        guard seen.insert(id).inserted else { continue }
        guard let made = OGR_F_Create(OGR_L_GetLayerDefn(layer)) else {
          throw EngineError(.outOfMemory, "There is no memory for a feature.")
        }
        defer { OGR_F_Destroy(made) }
        map.copy(feature, to: made)
        OGR_F_SetFID(made, GIntBig(id))
        guard OGR_L_CreateFeature(layer, made) == OGRERR_NONE else {
          throw words.pointee.failure(
            .readFailed, "Feature \(id) of \"\(HTTPAddress.shown(page.address))\" cannot be kept")
        }
      }
      if !map.leftOut.isEmpty {
        let names = map.leftOut.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        remark =
          "A later page has values of another type, or fields that the first page does not have; they are left out: "
          + "\(names)."
      }
      if CPLGetLastErrorType() == CE_Failure {
        throw EngineError(
          .readFailed, "\"\(HTTPAddress.shown(page.address))\" cannot be read: \(gdalText(CPLGetLastErrorMsg()))",
          domain: .gdal)
      }
    }
    OGR_L_ResetReading(layer)
  }

  deinit {
    let (dataset, layer, isResult) = (self.dataset, self.layer, self.isResult)
    GDALGuard.clean {
      if isResult { GDALDatasetReleaseResultSet(dataset, layer) }
      GDALClose(dataset)
    }
  }
}
