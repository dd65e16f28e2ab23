import AlidadeBase
import AlidadeCoordinates

extension Layer {
  /// The spatial reference that was set, otherwise the spatial reference of the layer's data.
  public var spatialReference: SpatialReference? { givenReference ?? ownSpatialReference }

  /// The layer's spatial reference, or an error that says how to give it one.
  public func requireSpatialReference() throws(EngineError) -> SpatialReference {
    if let reference = spatialReference { return reference }
    // It is never placed by guess.
    guard loadStatus == .loaded else { throw notLoaded }
    let lack = lackOfSpatialReference ?? "The layer has no spatial reference."
    throw EngineError(.notReady, "\(lack) Give the layer one.")
  }

  /// Sets the spatial reference of the layer. It replaces the spatial reference of the data, whether the data has one
  /// or not. nil restores the one of the data.
  public func setSpatialReference(_ reference: SpatialReference?) throws(EngineError) {
    guard kind != .group else {
      throw EngineError(
        .invalidArgument, "The layer is a group, which has no data.", parameter: EngineError.receiver)
    }
    keepGivenReference(reference)
    forgetProjection()
    didChange()
  }

  // MARK: Warnings

  /// The warnings of a layer that can still be used.
  public var warnings: [LayerWarning] { warnings(in: nil) }

  /// The same for a view; nil: for all.
  func warnings(in view: UInt64?) -> [LayerWarning] {
    let kept = keptWarnings + fetchWarnings(in: view)
    guard loadStatus == .loaded, let lack = lackOfSpatialReference, spatialReference == nil else { return kept }
    let text = "\(lack) It is not drawn and not identified until it is given one."
    return [LayerWarning(kind: .noSpatialReference, text: text)] + kept
  }

  /// Sets the warning of a kind; nil removes it.
  public func setWarning(_ kind: LayerWarning.Kind, _ text: String?) {
    let hasChanged = changeWarnings { warnings in
      let known = warnings.firstIndex { $0.kind == kind }
      guard let text else {
        if let known { warnings.remove(at: known) }
        return known != nil
      }
      if let known {
        if warnings[known].text == text { return false }
        warnings[known].text = text
      } else {
        let place = warnings.firstIndex { $0.kind.rawValue > kind.rawValue } ?? warnings.count
        warnings.insert(LayerWarning(kind: kind, text: text), at: place)
      }
      return true
    }
    if hasChanged { didChange() }
  }
}
