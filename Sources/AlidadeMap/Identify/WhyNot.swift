import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// Why something is not identified at a screen point.
public struct WhyNot: Sendable {
  /// Empty: it is identified.
  public var reasons: MissReasons = []
  /// The hidden layer: the layer itself or the nearest hidden group around it.
  public var hiddenBy: Layer?
  /// The layer that is out of its scale range: the layer itself or the nearest such group around it.
  public var outOfScaleBy: Layer?
  /// The factor by which to multiply the view's scale to reach the nearest end of the scale range; 1 inside it.
  public var scaleFactor = 1.0
  /// The distance from the screen point to the footprint, in DIP; NaN without a footprint.
  public var distance = Double.nan
  /// Why a vertex has no image in the map's spatial reference.
  public var pointStatus = PointStatus.ok
  /// The first vertex that cannot be projected, as it was given; NaN if no single vertex is the cause.
  public var vertex = Point.nan
  /// Why it could not be loaded or read.
  public var error: EngineError?
}

extension MapView {
  /// Why a layer, or anything in a group, is not identified at a screen point.
  public func whyNot(
    _ layer: Layer, at screen: Point, options: IdentifyOptions = IdentifyOptions()
  ) throws(EngineError) -> WhyNot {
    _ = (try ScreenRegion(at: screen, options, runtime.policy), try frame())
    var answer = standing(of: layer, options)
    guard !answer.reasons.contains(.notInView) else { return answer }
    var options = options
    options.includesHidden = true
    do throws(EngineError) {
      let result = try identify(.layer(layer), at: screen, options: options)
      guard let part = result.parts.first, part.elements.isEmpty else {
        answer.distance = result.elements.first?.evidence?.distance ?? 0
        return answer
      }
      answer.reasons.formUnion(part.hitCount > 0 ? .beyondLimit : part.reasons)
      answer.error = part.error
    } catch {
      answer.take(error)
    }
    return answer
  }

  /// Why a feature is not identified at a screen point.
  public func whyNot(
    feature id: Int64, of layer: FeatureLayer, at screen: Point, options: IdentifyOptions = IdentifyOptions()
  ) throws(EngineError) -> WhyNot {
    let (region, frame) = (try ScreenRegion(at: screen, options, runtime.policy), try frame())
    var answer = standing(of: layer, options)
    guard !answer.reasons.contains(.notInView) else { return answer }
    do throws(EngineError) {
      let source = try layer.placed(try layer.requireSource())
      try source.checkUnchanged()
      let table = try FeatureTable(
        layer, source, layer.styled, in: frame, view: nil, covering: nil, ids: [id], isForIdentify: true)
      let layout = try OverlayLayout(table.table, in: frame, keepsOutside: true)
      try layout.explain(UInt64(bitPattern: id), region, &answer)
    } catch {
      answer.take(error)
    }
    guard answer.reasons.isEmpty else { return answer }
    try explain(.layer(layer), at: screen, options, &answer) { $0.id == id }
    return answer
  }

  /// Why a graphic is not identified at a screen point.
  public func whyNot(
    graphic id: UInt64, of overlay: GraphicsOverlay, at screen: Point, options: IdentifyOptions = IdentifyOptions()
  ) throws(EngineError) -> WhyNot {
    let (region, frame) = (try ScreenRegion(at: screen, options, runtime.policy), try frame())
    var answer = WhyNot()
    guard graphicsOverlays.contains(where: { $0 === overlay }) else {
      answer.reasons = .notInView
      return answer
    }
    if options.popupsOnly, overlay.popup == nil { answer.reasons.insert(.noPopup) }
    let shown = overlay.options
    if !options.includesHidden {
      if shown.isHidden { answer.reasons.insert(.hidden) }
      if !shown.isInRange(frame.scale) {
        answer.reasons.insert(.outOfScale)
        let range = ScaleRange(minScale: shown.minScale, maxScale: shown.maxScale)
        answer.scaleFactor = range.nearest(to: frame.scale) / frame.scale
      }
    }
    answer = try runtime.limitedHere { [answer] () throws(EngineError) -> WhyNot in
      try withLayouts(of: [overlay], in: frame, keepsOutside: true, includesHidden: true) {
        (sources) throws(EngineError) in
        var answer = answer
        if case .layout(let layout) = sources.first { try layout.explain(id, region, &answer) }
        return answer
      }
    }
    guard answer.reasons.isEmpty else { return answer }
    try explain(.overlay(overlay), at: screen, options, &answer) { UInt64(bitPattern: $0.id) == id }
    return answer
  }

  /// Why something is not identified that would be hit if the view had no ends and no limit.
  private func explain(
    _ target: IdentifyTarget, at screen: Point, _ options: IdentifyOptions, _ answer: inout WhyNot,
    _ isWanted: (IdentifyElement) -> Bool
  ) throws(EngineError) {
    if try identify(target, at: screen, options: options).elements.contains(where: isWanted) { return }
    var unlimited = options
    unlimited.maxResults = .max
    let all = try identify(target, at: screen, options: unlimited)
    answer.reasons = all.elements.contains(where: isWanted) ? .beyondLimit : .outside
    if let error = all.parts.first?.error { answer.take(error) }
  }

  /// What a layer and the groups above it say.
  private func standing(of layer: Layer, _ options: IdentifyOptions) -> WhyNot {
    var answer = WhyNot()
    guard layer.status(in: map.identity).standing != nil else {
      answer.reasons = .notInView
      return answer
    }
    if options.popupsOnly, layer.popup == nil, layer.kind != .group { answer.reasons.insert(.noPopup) }
    if options.includesHidden { return answer }
    let state = layerState(of: layer)
    (answer.hiddenBy, answer.outOfScaleBy, answer.scaleFactor) = (state.hiddenBy, state.outOfScaleBy, state.scaleFactor)
    if state.flags.contains(.notVisible) { answer.reasons.insert(.hidden) }
    if state.flags.contains(.outOfScale) { answer.reasons.insert(.outOfScale) }
    return answer
  }
}

extension WhyNot {
  fileprivate mutating func take(_ error: EngineError) {
    reasons.insert(error.status == .notReady ? .notLoaded : .failed)
    self.error = error
  }
}

extension OverlayLayout {
  /// Adds why a graphic is not hit.
  fileprivate func explain(
    _ id: UInt64, _ region: ScreenRegion, _ answer: inout WhyNot
  ) throws(EngineError) {
    guard let slot = table.slot(of: id), table.slots[slot].verdict != .gone else {
      answer.reasons.insert(.notThere)
      return
    }
    switch table.slots[slot].verdict {
    case .hidden: answer.reasons.insert(.hidden)
    case .empty: answer.reasons.insert(.emptyGeometry)
    case .unsymbolized: answer.reasons.insert(.noSymbol)
    case .gone: answer.reasons.insert(.notThere)
    case .failed:
      let failure = table.failures[slot]
      answer.reasons.insert(failure?.reason == .wrongSymbol ? .wrongSymbol : .notProjectable)
      if let failure { (answer.pointStatus, answer.vertex) = (failure.status, failure.vertex) }
    case .drawn:
      if let hit = try hits(region.boundless, slot: slot).first {
        answer.distance = hit.hit.distance
        if hit.hit.distance > region.tolerance { answer.reasons.insert(.outside) }
      } else {
        answer.reasons.insert(isTooFar(slot) ? .notProjectable : .emptySymbol)
      }
    }
  }
}
