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
  /// The ids of the features in the layer.
  private var held: [Int64] = []
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
      defer { if let known { OSRRelease(known) } }
      if let known { OSRSetAxisMappingStrategy(known, OAMS_TRADITIONAL_GIS_ORDER) }
      let found = OGR_L_GetSpatialRef(page)
      let isAsAsked = service.kind != .wfs || found == nil || known == nil || Self.areSame(found, known)
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
  func take(_ pages: FeatureService.Pages) {
    (self.pages, seen, remark) = (pages, [], "")
    clear()
  }

  private func clear() {
    for id in held { _ = OGR_L_DeleteFeature(layer, GIntBig(id)) }
    held = []
  }

  /// Reads the features of a page in the server's order. A feature that was on a page before is left out. Call inside
  /// the guard.
  ///
  /// - Parameter scan: reads what the layer holds; whether more is wanted. It is called with some of the features each
  ///   time: a layer in memory returns features in the order of their ids.
  func read(
    _ page: ServicePage, of service: FeatureService, _ words: UnsafePointer<GDALWords>,
    _ scan: () throws(EngineError) -> Bool
  ) throws(EngineError) {
    var features: [OGRFeatureH] = []
    defer { for feature in features { OGR_F_Destroy(feature) } }
    if page.count > 0 {
      try page.withLayer(service.driver, words) { (source) throws(EngineError) in
        try copy(source, page, service, to: &features)
      }
    }
    var next = 0
    while next < features.count {
      clear()
      var id = OGR_F_GetFID(features[next])
      repeat {
        guard OGR_L_CreateFeature(layer, features[next]) == OGRERR_NONE else {
          throw words.pointee.failure(
            .readFailed, "Feature \(id) of \"\(HTTPAddress.shown(page.address))\" cannot be kept")
        }
        held.append(Int64(truncatingIfNeeded: id))
        let last = id
        next &+= 1
        if next < features.count { id = OGR_F_GetFID(features[next]) }
        if id <= last { break }
      } while next < features.count
      OGR_L_ResetReading(layer)
      guard try scan() else { return }
    }
  }

  /// Copies the features of a page, with the fields of the layer.
  private func copy(
    _ source: OGRLayerH, _ page: ServicePage, _ service: FeatureService, to features: inout [OGRFeatureH]
  ) throws(EngineError) {
    var map = FieldMap(from: source, to: layer)
    let idField = page.idField.isEmpty ? service.idField : page.idField
    let idIndex = idField.isEmpty ? -1 : OGR_L_FindFieldIndex(source, idField, 1)
    // How many features of the page have an id.
    var own: [Int64: Int] = [:]
    CPLErrorReset()
    while let feature = OGR_L_GetNextFeature(source) {
      defer { OGR_F_Destroy(feature) }
      try TimeLimit.check()
      var id: Int64
      if idIndex >= 0, OGR_F_IsFieldSetAndNotNull(feature, idIndex) != 0 {
        id = service.id(written: gdalText(OGR_F_GetFieldAsString(feature, idIndex)))
      } else {
        id = try service.id(of: feature) ?? service.id(atPosition: seen.count)
      }
      let count = own[id, default: 0]
      own[id] = count &+ 1
      if count > 0 { id = service.id(repeating: id, count) }
      guard seen.insert(id).inserted else { continue }
      guard let made = OGR_F_Create(OGR_L_GetLayerDefn(layer)) else {
        throw EngineError(.outOfMemory, "There is no memory for a feature.")
      }
      features.append(made)
      map.copy(feature, to: made)
      OGR_F_SetFID(made, GIntBig(id))
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

  deinit {
    let (dataset, layer, isResult) = (self.dataset, self.layer, self.isResult)
    GDALGuard.clean {
      if isResult { GDALDatasetReleaseResultSet(dataset, layer) }
      GDALClose(dataset)
    }
  }
}
