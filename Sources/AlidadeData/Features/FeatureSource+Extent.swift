import AlidadeBase
import AlidadeCoordinates
import CGDAL

/// The box around all features of a layer, found by reading them.
struct ReadExtent: Sendable {
  /// nil if no feature has a position.
  let box: Envelope?

  /// So many features are read at most.
  private static let limit = 100_000
  /// Of files that have been read whole by the time that they are open.
  private static let parsedLimit = 1_000_000

  /// Reads the features, whatever the filter leaves of them; nil if there are too many, or not all can be read. Call
  /// inside the guard, under the options.
  ///
  /// - Parameter count: how many the filter leaves, if that is known.
  init?(_ layer: OGRLayerH, driver: String, filter: String?, count: Int64?) {
    let most = VectorFiles.isParsed(driver) ? Self.parsedLimit : Self.limit
    if let count, count > most { return nil }
    if filter != nil { OGR_L_SetAttributeFilter(layer, nil) }
    OGR_L_ResetReading(layer)
    defer {
      if filter != nil { OGR_L_SetAttributeFilter(layer, filter) }
      OGR_L_ResetReading(layer)
    }
    var box: Envelope?
    for _ in 0...most {
      CPLErrorReset()
      guard let feature = OGR_L_GetNextFeature(layer) else {
        if CPLGetLastErrorType() == CE_Failure { return nil }
        self.box = box
        return
      }
      defer { OGR_F_Destroy(feature) }
      // The same features as the index has.
      guard let geometry = OGR_F_GetGeometryRef(feature), OGR_G_IsEmpty(geometry) == 0 else { continue }
      guard let one = Envelope(around: geometry) else { continue }
      if box == nil { box = one } else { box?.extend(around: one) }
    }
    return nil
  }
}

extension Envelope {
  /// nil if the box is empty, or a coordinate is not finite.
  init?(_ box: OGREnvelope) {
    guard [box.MinX, box.MinY, box.MaxX, box.MaxY].allSatisfy(\.isFinite), box.MinX <= box.MaxX, box.MinY <= box.MaxY
    else { return nil }
    self.init(xMin: box.MinX, yMin: box.MinY, xMax: box.MaxX, yMax: box.MaxY)
  }

  /// nil if a coordinate is not finite. Call inside the guard.
  init?(around geometry: OGRGeometryH) {
    var box = OGREnvelope()
    OGR_G_GetEnvelope(geometry, &box)
    self.init(box)
  }
}

extension FeatureFacts {
  /// Whether `extent` is all that can be said: if it is nil, there is no data.
  public var isExtentKnown: Bool { !hasGeometry || featureCount == 0 || extent != nil || readExtent != nil }
}

extension FeatureSource {
  /// The envelope of the source's features; nil without features. Throws `notReady` if only the index knows it and the
  /// index is not built yet.
  public func extent() throws(EngineError) -> Envelope? {
    if facts.isExtentKnown { return facts.extent }
    let (index, failure) = indexState.withLock { ($0.index, $0.failure) }
    if let index { return index.bounds }
    let reason = failure.map { "could not be built: \($0.message)" } ?? "is not ready."
    throw EngineError(
      .notReady,
      "The extent of \"\(facts.path)\" is known only after all features are read, and the source's index \(reason) Wait "
        + "for it, or build it.")
  }
}
