import AlidadeData

/// Turns the cells of a batch into colours by a renderer.
struct CellPainter: Sendable {
  let renderer: ResolvedRenderer
  private let facts: RasterFacts
  private let hillshade: Hillshade

  init(_ renderer: ResolvedRenderer, _ raster: Raster) {
    self.renderer = renderer
    facts = raster.facts
    hillshade = Hillshade(renderer, raster.facts.geotransform)
  }

  /// How many cells around each cell the renderer looks at.
  var margin: Int32 { renderer.kind == .hillshade ? 1 : 0 }

  /// The colour of a cell; clear if it has no value.
  @inline(__always)
  func paint(_ batch: borrowing CellBatch, _ point: BatchPoint, cellSize: Double) -> (color: RGBA, verdict: CellVerdict)
  {
    if renderer.kind == .rgb { return paintRGB(batch, point) }
    let (value, verdict) = batch.value(band: 0, at: point)
    guard verdict == .value else { return (.clear, verdict) }
    var color: RGBA
    switch renderer.kind {
    case .colorTable: color = Int(exactly: value).map(facts.bands[renderer.bands[0]].color(ofIndex:)) ?? .clear
    case .hillshade: color = hillshade.shade(batch, point, cellSize: cellSize)
    default:
      guard !value.isNaN else { return (.clear, verdict) }
      color = ramp(stretched(value, band: 0))
    }
    color.alpha = Self.product(color.alpha, batch.alpha(band: 0, at: point))
    return (color.alpha == 0 ? .clear : color, verdict)
  }

  /// Three bands. The cell has a value if any of the three has: a channel may well be the nodata value of its band
  /// where the others are not.
  @inline(__always)
  private func paintRGB(_ batch: borrowing CellBatch, _ point: BatchPoint) -> (color: RGBA, verdict: CellVerdict) {
    let red = batch.value(band: 0, at: point)
    let green = batch.value(band: 1, at: point)
    let blue = batch.value(band: 2, at: point)
    guard red.verdict == .value || green.verdict == .value || blue.verdict == .value else {
      return (.clear, red.verdict)
    }
    let color = RGBA(
      red: channel(red.value, band: 0), green: channel(green.value, band: 1), blue: channel(blue.value, band: 2),
      alpha: batch.alpha(band: 0, at: point))
    return (color.alpha == 0 ? .clear : color, .value)
  }

  @inline(__always)
  private func channel(_ value: Double, band: Int) -> UInt8 {
    // A byte drawn from 0 to 255 is itself.
    Self.byte(stretched(value, band: band) * 255)
  }

  /// Where a value lies between minimum and maximum, 0 to 1, with gamma.
  @inline(__always)
  private func stretched(_ value: Double, band: Int) -> Double {
    let range = renderer.ranges[band]
    let t = min(max((value - range.minimum) / (range.maximum - range.minimum), 0), 1)
    return renderer.gamma == 1 ? t : power(t, renderer.gamma)
  }

  @inline(__always)
  private func ramp(_ t: Double) -> RGBA {
    let last = renderer.ramp.count &- 1
    let position = t * Double(last)
    let lower = min(Int(exactly: position.rounded(.down)) ?? 0, last)
    let upper = min(lower &+ 1, last)
    let part = position - Double(lower)
    let from = renderer.ramp[lower]
    let to = renderer.ramp[upper]
    return RGBA(
      red: Self.mix(from.red, to.red, part), green: Self.mix(from.green, to.green, part),
      blue: Self.mix(from.blue, to.blue, part), alpha: Self.mix(from.alpha, to.alpha, part))
  }

  @inline(__always)
  private static func mix(_ from: UInt8, _ to: UInt8, _ part: Double) -> UInt8 {
    byte(Double(from) + (Double(to) - Double(from)) * part)
  }

  /// The nearest byte, halves up; NaN is 0.
  @inline(__always)
  static func byte(_ value: Double) -> UInt8 { UInt8(exactly: min(max(value, 0), 255).rounded()) ?? 0 }

  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    b == 255 ? a : byte(Double(a) * Double(b) / 255)
  }
}
