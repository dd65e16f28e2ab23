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
    let made = try service.firstPage.withLayer(service.kind.driver, words) {
      (page) throws(EngineError) -> (GDALDatasetH, OGRLayerH) in
      guard let dataset = GDALCreate(GDALGetDriverByName("Memory"), "", 0, 0, 0, GDT_Unknown, nil) else {
        throw words.pointee.failure(.outOfMemory, "There is no memory for a layer")
      }
      let layer = GDALDatasetCreateLayer(
        dataset, service.name, OGR_L_GetSpatialRef(page), OGR_L_GetGeomType(page), nil)
      let definition = OGR_L_GetLayerDefn(page)
      for index in 0..<max(0, OGR_FD_GetFieldCount(definition)) where layer != nil {
        OGR_L_CreateField(layer, OGR_FD_GetFieldDefn(definition, index), 1)
      }
      guard let layer else {
        GDALClose(dataset)
        throw words.pointee.failure(.outOfMemory, "There is no memory for a layer")
      }
      return (dataset, layer)
    }
    self.init(made.0, layer: made.1, isResult: false)
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
    try page.withLayer(service.kind.driver, words) { (source) throws(EngineError) in
      let map = fieldMap(from: source)
      // Without such a column GDAL numbers the features of each page from 0.
      let hasIDs = service.kind == .featureServer && !gdalText(OGR_L_GetFIDColumn(source)).isEmpty
      CPLErrorReset()
      while let feature = OGR_L_GetNextFeature(source) {
        defer { OGR_F_Destroy(feature) }
        try TimeLimit.check()
        let id =
          hasIDs
          ? Int64(truncatingIfNeeded: OGR_F_GetFID(feature))
          : try service.id(of: feature) ?? service.id(atPosition: seen.count)
        guard seen.insert(id).inserted else { continue }
        guard let made = OGR_F_Create(OGR_L_GetLayerDefn(layer)) else {
          throw EngineError(.outOfMemory, "There is no memory for a feature.")
        }
        defer { OGR_F_Destroy(made) }
        OGR_F_SetFromWithMap(made, feature, 1, map)
        OGR_F_SetFID(made, GIntBig(id))
        guard OGR_L_CreateFeature(layer, made) == OGRERR_NONE else {
          throw words.pointee.failure(
            .readFailed, "Feature \(id) of \"\(HTTPAddress.shown(page.address))\" cannot be kept")
        }
      }
      if CPLGetLastErrorType() == CE_Failure {
        throw EngineError(
          .readFailed, "\"\(HTTPAddress.shown(page.address))\" cannot be read: \(gdalText(CPLGetLastErrorMsg()))",
          domain: .gdal)
      }
    }
    OGR_L_ResetReading(layer)
  }

  /// For each field of a page its number in the layer; -1 if the layer does not have it, or with values of another kind,
  /// which is noted.
  private func fieldMap(from source: OGRLayerH) -> [Int32] {
    let (theirs, ours) = (OGR_L_GetLayerDefn(source), OGR_L_GetLayerDefn(layer))
    return (0..<max(0, OGR_FD_GetFieldCount(theirs))).map { index in
      let field = OGR_FD_GetFieldDefn(theirs, index)
      let known = OGR_L_FindFieldIndex(layer, OGR_Fld_GetNameRef(field), 1)
      guard known >= 0 else { return -1 }
      let (from, to) = (OGR_Fld_GetType(field), OGR_Fld_GetType(OGR_FD_GetFieldDefn(ours, known)))
      let isNumber = [OFTInteger, OFTInteger64].contains(from)
      if from == to || (isNumber && [OFTInteger64, OFTReal].contains(to)) || to == OFTString { return known }
      remark =
        "The field \"\(gdalText(OGR_Fld_GetNameRef(field)))\" has values of another type on a later page; they are left out."
      return -1
    }
  }

  deinit {
    let (dataset, layer, isResult) = (self.dataset, self.layer, self.isResult)
    GDALGuard.clean {
      if isResult { GDALDatasetReleaseResultSet(dataset, layer) }
      GDALClose(dataset)
    }
  }
}
