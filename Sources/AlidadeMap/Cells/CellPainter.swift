import AlidadeData

/// Turns the cells of a batch into colours by a renderer.
struct CellPainter: Sendable {
  let renderer: ResolvedRenderer
  private let facts: RasterFacts
  private let hillshade: Hillshade
  /// The renderer's: red, green, blue, alpha.
  private let ramp: [SIMD4<Double>]
  /// The ramp's colours of the whole numbers from `lowest` to `highest`; empty: they are not worth it.
  private let shades: [RGBA]
  private let lowest: Double
  private let highest: Double
  /// What the stored values of each of the renderer's bands look like; empty: they are not worth it.
  private let stored: [[StoredColor]]

  /// The colour of a stored value, in red alone if its band is one of three.
  private struct StoredColor {
    var color: RGBA
    var verdict: CellVerdict
  }

  /// - Parameter sampleCount: how many samples will be painted, about.
  init(_ renderer: ResolvedRenderer, _ raster: Raster, sampleCount: Int = 0) {
    self.renderer = renderer
    facts = raster.facts
    hillshade = Hillshade(renderer, raster.facts.geotransform)
    let ramp = renderer.ramp.map { SIMD4(Double($0.red), Double($0.green), Double($0.blue), Double($0.alpha)) }
    self.ramp = ramp
    stored = Self.stored(renderer, facts, ramp, sampleCount)
    guard stored.isEmpty, renderer.kind == .stretch, let range = renderer.ranges.first, range.minimum < range.maximum,
      max(-range.minimum, range.maximum) < 0x1p53, facts.bands[renderer.bands[0]].type.isInteger
    else {
      (shades, lowest, highest) = ([], 0, 0)
      return
    }
    (lowest, highest) = (range.minimum.rounded(.down), range.maximum.rounded(.up))
    let (lowest, stretch) = (lowest, Stretch(renderer, 0))
    let count = Int(exactly: highest - lowest) ?? .max
    shades =
      count >= sampleCount / Self.samplesPerShade
      ? []
      : ramp.withUnsafeBufferPointer { ramp in
        (0...count).map { Self.color(at: stretch.position(lowest + Double($0)), of: ramp) }
      }
  }

  /// From so many samples on, it pays to compute a colour beforehand.
  private static let samplesPerShade = 4

  private static func stored(
    _ renderer: ResolvedRenderer, _ facts: RasterFacts, _ ramp: [SIMD4<Double>], _ sampleCount: Int
  ) -> [[StoredColor]] {
    let bands = renderer.bands.map { facts.bands[$0] }
    let count = bands.reduce(0) { $0 + ($1.storedCount ?? sampleCount) }
    guard renderer.kind != .hillshade, count < sampleCount / samplesPerShade else { return [] }
    return bands.enumerated().map { number, band in
      let stretch = Stretch(renderer, number)
      return ramp.withUnsafeBufferPointer { ramp in
        (0..<(band.storedCount ?? 0)).map { bits in
          let (value, verdict) = band.meaning(ofStored: UInt16(truncatingIfNeeded: bits))
          // A channel without a value is drawn where another one has a value.
          guard verdict == .value || renderer.kind == .rgb else { return StoredColor(color: .clear, verdict: verdict) }
          let color: RGBA
          switch renderer.kind {
          case .colorTable: color = Int(exactly: value).map(band.color(ofIndex:)) ?? .clear
          case .rgb: color = RGBA(red: byte(stretch.position(value) * 255), green: 0, blue: 0, alpha: 255)
          default: color = Self.color(at: stretch.position(value), of: ramp)
          }
          return StoredColor(color: color.alpha == 0 ? .clear : color, verdict: verdict)
        }
      }
    }
  }

  /// How many cells around each cell the renderer looks at.
  var margin: Int32 { renderer.kind == .hillshade ? 1 : 0 }

  /// Colours points of a batch, and hands each colour to `store`, clear where a cell has no value.
  ///
  /// - Parameter cellSize: of the level, in native cells.
  @inline(__always)
  func paint(
    _ batch: borrowing CellBatch, _ points: UnsafeBufferPointer<BatchPoint>, cellSize: Double,
    _ store: (BatchPoint, RGBA, CellVerdict) -> Void
  ) {
    let isPlain = !stored.isEmpty && renderer.bands.indices.allSatisfy { batch.isPlain(band: $0) }
    var start = 0
    while start < points.count {
      let end = min(start &+ Self.pointsAtOnce, points.count)
      let some = UnsafeBufferPointer(rebasing: points[start..<end])
      if isPlain {
        paintStored(batch, some, store)
      } else if renderer.kind == .rgb {
        paintRGB(batch, some, store)
      } else {
        paintBand(batch, some, cellSize: cellSize, store)
      }
      start = end
    }
  }

  /// Few enough for their values to stay in the processor's nearest cache.
  private static let pointsAtOnce = 256

  /// A band by the ramp, the colour table or as a hillshade.
  @inline(__always)
  private func paintBand(
    _ batch: borrowing CellBatch, _ points: UnsafeBufferPointer<BatchPoint>, cellSize: Double,
    _ store: (BatchPoint, RGBA, CellVerdict) -> Void
  ) {
    let kind = renderer.kind
    let band = facts.bands[renderer.bands[0]]
    let stretch = Stretch(renderer, 0)
    let hasAlpha = batch.hasAlpha(band: 0)
    withValues(batch, band: 0, points) { values, verdicts in
      withColors { ramp, shades in
        for (index, point) in points.enumerated() {
          let (value, verdict) = (values[index], verdicts[index])
          guard verdict == .value else {
            store(point, .clear, verdict)
            continue
          }
          var color: RGBA
          switch kind {
          case .colorTable: color = Int(exactly: value).map(band.color(ofIndex:)) ?? .clear
          case .hillshade: color = hillshade.shade(batch, point, cellSize: cellSize)
          default:
            color =
              shades.isEmpty
              ? Self.color(at: stretch.position(value), of: ramp)
              : shades[Int(truncatingIfNeeded: (min(max(value, lowest), highest) - lowest).fastFloor)]
          }
          if hasAlpha { color.alpha = Self.product(color.alpha, batch.alpha(band: 0, at: point)) }
          store(point, color.alpha == 0 ? .clear : color, verdict)
        }
      }
    }
  }

  /// Bands whose stored values have colours.
  @inline(__always)
  private func paintStored(
    _ batch: borrowing CellBatch, _ points: UnsafeBufferPointer<BatchPoint>,
    _ store: (BatchPoint, RGBA, CellVerdict) -> Void
  ) {
    withStored(batch, band: 0, points) { first in
      guard renderer.kind == .rgb else {
        for (index, point) in points.enumerated() { store(point, first(index).color, first(index).verdict) }
        return
      }
      withStored(batch, band: 1, points) { second in
        withStored(batch, band: 2, points) { third in
          for (index, point) in points.enumerated() {
            let (red, green, blue) = (first(index), second(index), third(index))
            if red.verdict == .value || green.verdict == .value || blue.verdict == .value {
              let color = RGBA(red: red.color.red, green: green.color.red, blue: blue.color.red, alpha: 255)
              store(point, color, .value)
            } else {
              store(point, .clear, red.verdict)
            }
          }
        }
      }
    }
  }

  /// Runs `body` with a function that has the colour of each point.
  @inline(__always)
  private func withStored(
    _ batch: borrowing CellBatch, band: Int, _ points: UnsafeBufferPointer<BatchPoint>,
    _ body: ((Int) -> StoredColor) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Self.pointsAtOnce) { values in
      batch.readStored(band: band, at: points, into: values)
      stored[band].withUnsafeBufferPointer { colors in
        body { colors[Int(truncatingIfNeeded: values[$0])] }
      }
    }
  }

  @inline(__always)
  private func withColors(_ body: (UnsafeBufferPointer<SIMD4<Double>>, UnsafeBufferPointer<RGBA>) -> Void) {
    ramp.withUnsafeBufferPointer { ramp in shades.withUnsafeBufferPointer { body(ramp, $0) } }
  }

  /// Three bands. The cell has a value if any of the three has: a channel may well be the nodata value of its band
  /// where the others are not.
  @inline(__always)
  private func paintRGB(
    _ batch: borrowing CellBatch, _ points: UnsafeBufferPointer<BatchPoint>,
    _ store: (BatchPoint, RGBA, CellVerdict) -> Void
  ) {
    let stretches = (Stretch(renderer, 0), Stretch(renderer, 1), Stretch(renderer, 2))
    withValues(batch, band: 0, points) { reds, redVerdicts in
      withValues(batch, band: 1, points) { greens, greenVerdicts in
        withValues(batch, band: 2, points) { blues, blueVerdicts in
          for (index, point) in points.enumerated() {
            let verdict = redVerdicts[index]
            guard verdict == .value || greenVerdicts[index] == .value || blueVerdicts[index] == .value else {
              store(point, .clear, verdict)
              continue
            }
            // A byte drawn from 0 to 255 is itself.
            let color = RGBA(
              red: Self.byte(stretches.0.position(reds[index]) * 255),
              green: Self.byte(stretches.1.position(greens[index]) * 255),
              blue: Self.byte(stretches.2.position(blues[index]) * 255), alpha: batch.alpha(band: 0, at: point))
            store(point, color.alpha == 0 ? .clear : color, .value)
          }
        }
      }
    }
  }

  /// Runs `body` with the values and verdicts of a band of the batch.
  @inline(__always)
  private func withValues(
    _ batch: borrowing CellBatch, band: Int, _ points: UnsafeBufferPointer<BatchPoint>,
    _ body: (UnsafeMutableBufferPointer<Double>, UnsafeMutableBufferPointer<CellVerdict>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: Self.pointsAtOnce) { values in
      withUnsafeTemporaryAllocation(of: CellVerdict.self, capacity: Self.pointsAtOnce) { verdicts in
        batch.read(band: band, at: points, into: values, verdicts: verdicts)
        body(values, verdicts)
      }
    }
  }

  /// Where values lie between minimum and maximum, 0 to 1, with gamma.
  private struct Stretch {
    private let minimum: Double
    private let width: Double
    private let gamma: Double

    init(_ renderer: ResolvedRenderer, _ band: Int) {
      let range = renderer.ranges[band]
      (minimum, width, gamma) = (range.minimum, range.maximum - range.minimum, renderer.gamma)
    }

    /// NaN for a NaN.
    @inline(__always)
    func position(_ value: Double) -> Double {
      let t = min(max((value - minimum) / width, 0), 1)
      return gamma == 1 ? t : power(t, gamma)
    }
  }

  /// The colour of the ramp at a position from 0 to 1; clear at NaN.
  @inline(__always)
  private static func color(at t: Double, of ramp: UnsafeBufferPointer<SIMD4<Double>>) -> RGBA {
    guard t >= 0 else { return .clear }
    let position = t * Double(ramp.count &- 1)
    let lower = min(Int(truncatingIfNeeded: position.fastFloor), ramp.count &- 1)
    let upper = min(lower &+ 1, ramp.count &- 1)
    let color = ramp[lower] + (ramp[upper] - ramp[lower]) * (position - Double(lower))
    let shift = SIMD4(repeating: Double.integerShift)
    let even = (color + shift) - shift
    let nearest = even.replacing(with: even + 1, where: color - even .== 0.5)
    // Right: both are four numbers of 64 bits, and every pattern is a value of each type.
    let bytes = unsafeBitCast(nearest + shift, to: SIMD4<UInt64>.self)
    return RGBA(
      red: UInt8(truncatingIfNeeded: bytes.x), green: UInt8(truncatingIfNeeded: bytes.y),
      blue: UInt8(truncatingIfNeeded: bytes.z), alpha: UInt8(truncatingIfNeeded: bytes.w))
  }

  /// The nearest byte, halves up; NaN is 0.
  @inline(__always)
  static func byte(_ value: Double) -> UInt8 {
    guard value > 0 else { return 0 }
    guard value < 255 else { return 255 }
    let below = value.fastFloor
    return UInt8(truncatingIfNeeded: value - Double(below) >= 0.5 ? below &+ 1 : below)
  }

  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    b == 255 ? a : byte(Double(a) * Double(b) / 255)
  }
}
