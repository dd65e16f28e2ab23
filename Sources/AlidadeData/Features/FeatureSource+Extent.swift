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
  init?(_ layer: OGRLayerH, driver: String, filter: String?) {
    if filter != nil { OGR_L_SetAttributeFilter(layer, nil) }
    OGR_L_ResetReading(layer)
    defer {
      if filter != nil { OGR_L_SetAttributeFilter(layer, filter) }
      OGR_L_ResetReading(layer)
    }
    var box: Envelope?
    for _ in 0...(VectorFiles.isParsed(driver) ? Self.parsedLimit : Self.limit) {
      CPLErrorReset()
      guard let feature = OGR_L_GetNextFeature(layer) else {
        if CPLGetLastErrorType() == CE_Failure { return nil }
        self.box = box
        return
      }
      defer { OGR_F_Destroy(feature) }
      // The same features as the index has.
      guard let geometry = OGR_F_GetGeometryRef(feature), OGR_G_IsEmpty(geometry) == 0 else { continue }
      var its = OGREnvelope()
      OGR_G_GetEnvelope(geometry, &its)
      guard [its.MinX, its.MinY, its.MaxX, its.MaxY].allSatisfy(\.isFinite) else { continue }
      let one = Envelope(xMin: its.MinX, yMin: its.MinY, xMax: its.MaxX, yMax: its.MaxY)
      if box == nil { box = one } else { box?.extend(around: one) }
    }
    return nil
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
