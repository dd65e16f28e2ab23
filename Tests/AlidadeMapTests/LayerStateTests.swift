import AlidadeBase
import AlidadeCoordinates
import Testing

@testable import AlidadeMap

/// What a view's table says of its layers, without being asked to look again, against the rule, layer by layer.
@Suite struct LayerStateTests {
  private let runtime: Runtime
  private let map: Map
  private let view: MapView

  init() throws {
    runtime = try Engine.makeRuntime()
    let reference = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 3857)
    map = Map(runtime: runtime, spatialReference: reference)
    view = MapView(map: map)
    try view.setSize(width: 800, height: 600, pixelDensity: 1)
    try view.setViewpoint(Viewpoint(center: Point(x: 0, y: 0), scale: 1e6))
  }

  /// The flags as the header defines them, from what each layer says and from the groups above it.
  private func expected(_ layer: Layer) -> LayerViewFlags {
    let chain = layer.withGroups
    guard layer.info.map === map, let scale = try? view.frame().scale else { return [] }
    var flags: LayerViewFlags = []
    if chain.contains(where: { !$0.isVisible }) { flags.insert(.notVisible) }
    for range in chain.map(\.scaleRange) {
      if range.minScale != 0, scale > range.minScale { flags.insert(.outOfScale) }
      if range.maxScale != 0, scale < range.maxScale { flags.insert(.outOfScale) }
    }
    return flags.isEmpty ? .active : flags
  }

  /// Few numbers, so that scales and ends of ranges meet.
  private func scale(_ dice: inout Dice) -> Double {
    let scale = Double(1 + dice.whole(12)) * 1e5
    return [scale.nextDown, scale, scale, scale.nextUp][dice.whole(4)]
  }

  private func change(_ layers: [GroupLayer], _ dice: inout Dice) throws {
    let layer = layers[dice.whole(layers.count)]
    switch dice.whole(8) {
    case 0: layer.isVisible = dice.whole(3) > 0
    case 1, 2:
      let (a, b) = (scale(&dice), scale(&dice))
      let (far, close) = (dice.whole(4) == 0 ? 0 : max(a, b), dice.whole(4) == 0 ? 0 : min(a, b))
      try layer.setScaleRange(ScaleRange(minScale: far, maxScale: close))
    case 3:
      let info = layer.info
      if let group = info.group { try group.remove(layer) } else if info.map != nil { try map.remove(layer) }
      // Into a group that may be inside it: then it stays out.
      let home = layers[dice.whole(layers.count)]
      if dice.whole(2) == 0 { try map.add(layer) } else { try? home.add(layer) }
    default: try view.setViewpoint(Viewpoint(scale: scale(&dice)))
    }
  }

  @Test func tableFollowsEveryChange() throws {
    var dice = Dice(seed: 5)
    let layers = (0..<30).map { _ in GroupLayer(runtime: runtime) }
    for layer in layers { try map.add(layer) }
    var wrong = 0
    for _ in 0..<4000 {
      try change(layers, &dice)
      for layer in layers where view.layerStates.flags(of: layer) != expected(layer) { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(Set(layers.map { view.layerStates.flags(of: $0).rawValue }).count > 2)
    // What reading says is no other.
    #expect(view.layerFlags(of: layers) == layers.map(expected))
  }

  @Test func eventsAddUp() throws {
    var dice = Dice(seed: 9)
    let layers = (0..<12).map { _ in GroupLayer(runtime: runtime) }
    // Handles, so that events say which layer they are about.
    let handles = try layers.map { try HandleTable.shared.give($0) }
    var told: [UInt64: LayerViewFlags] = [:]
    var (breaks, count) = (0, 0)
    for round in 0..<3000 {
      try change(layers, &dice)
      if round % 7 != 0 { continue }
      _ = runtime.mailbox.nextEvents(limit: 1000) { _, event in
        guard case .other(let content) = event.content, case .layerState(let state)? = content as? ViewEvent else {
          return
        }
        if told[state.layer, default: []] != state.previous || state.previous == state.flags { breaks += 1 }
        told[state.layer] = state.flags
        count += 1
      }
      for (layer, handle) in zip(layers, handles) where told[handle, default: []] != expected(layer) {
        breaks += 1
      }
    }
    #expect(breaks == 0)
    #expect(count > 1000)
    for handle in handles { HandleTable.shared.release(handle, .layer) }
  }
}

extension Dice {
  /// From 0 to just below a bound.
  fileprivate mutating func whole(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
