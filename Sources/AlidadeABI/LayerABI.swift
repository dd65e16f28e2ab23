import AlidadeBase
import AlidadeData
import AlidadeMap
import CAlidade

@_cdecl("ald_raster_layer_create") @implementation
public func ald_raster_layer_create(
  _ raster: ald_raster, _ out_layer: UnsafeMutablePointer<ald_layer>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_layer, argument: 2, error) { () throws(EngineError) in
    let source = try resolveLoadable(raster, 1)
    return try blaming(1) { () throws(EngineError) in
      if let source = source as? LoadableRaster { return try RasterLayer(source: source) }
      return try RasterLayer(raster: try resolve(raster, 1))
    }
  }
}

@_cdecl("ald_raster_layer_raster") @implementation
public func ald_raster_layer_raster(
  _ layer: ald_layer, _ out_raster: UnsafeMutablePointer<ald_raster>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  out_raster?.pointee = ald_raster(id: 0)
  return enter(error) { () throws(EngineError) in
    guard let out_raster else { throw missing("The out handle", 2) }
    out_raster.pointee = ald_raster(id: try HandleTable.shared.lend(try resolveRasterLayer(layer, 1).lentRaster))
  }
}

@_cdecl("ald_layer_set_visible") @implementation
public func ald_layer_set_visible(
  _ layer: ald_layer, _ visible: UInt32, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolve(layer, 1)
    guard visible <= 1 else {
      throw EngineError(.invalidArgument, "visible is \(visible); it must be 0 or 1.", argument: 2)
    }
    layer.isVisible = visible == 1
  }
}

@_cdecl("ald_layer_visible") @implementation
public func ald_layer_visible(
  _ layer: ald_layer, _ out_visible: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolve(layer, 1)
    guard let out_visible else { throw missing("out_visible", 2) }
    out_visible.pointee = layer.isVisible ? 1 : 0
  }
}

@_cdecl("ald_raster_layer_set_renderer") @implementation
public func ald_raster_layer_set_renderer(
  _ layer: ald_layer, _ renderer: UnsafePointer<ald_raster_renderer>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolveRasterLayer(layer, 1)
    try blaming(2) { () throws(EngineError) in try layer.setRenderer(try rendererFromC(renderer, 2)) }
  }
}

@_cdecl("ald_raster_layer_renderer") @implementation
public func ald_raster_layer_renderer(
  _ layer: ald_layer, _ out_renderer: UnsafeMutablePointer<ald_raster_renderer>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolveRasterLayer(layer, 1)
    let out = try requireOut(out_renderer, "ald_raster_renderer", 2)
    let resolved = try layer.resolvedRenderer()
    let numbers = resolved.bands.map { Int32(truncatingIfNeeded: $0 &+ 1) } + [0, 0, 0]
    // Three bands may have a range each; then there is no one range to tell.
    let oneRange = resolved.ranges.first.flatMap { first in
      resolved.ranges.allSatisfy { $0 == first } ? first : nil
    }
    let all =
      (oneRange != nil ? ALD_RASTER_RENDERER_HAS_RANGE : 0) | ALD_RASTER_RENDERER_HAS_AZIMUTH
      | ALD_RASTER_RENDERER_HAS_ALTITUDE
    write(
      ald_raster_renderer(
        struct_size: 0, kind: resolved.kind.rawValue, fields: ald_raster_renderer_fields(truncatingIfNeeded: all),
        ramp_count: 0, ramp: nil, bands: (numbers[0], numbers[1], numbers[2]), reserved: 0,
        minimum: oneRange?.0 ?? 0, maximum: oneRange?.1 ?? 0,
        gamma: resolved.gamma, azimuth_deg: resolved.azimuth, altitude_deg: resolved.altitude,
        z_factor: resolved.zFactor),
      to: out)
  }
}

private func rendererFromC(
  _ pointer: UnsafePointer<ald_raster_renderer>?, _ argument: Int32
) throws(EngineError) -> RasterRenderer {
  var renderer = RasterRenderer()
  guard let pointer else { return renderer }
  let given = try read(pointer, "ald_raster_renderer", argument, zero: ald_raster_renderer())
  try requireFlags(given.reserved, known: 0, "ald_raster_renderer.reserved", argument)
  let hasRange = UInt32(truncatingIfNeeded: ALD_RASTER_RENDERER_HAS_RANGE)
  let hasAzimuth = UInt32(truncatingIfNeeded: ALD_RASTER_RENDERER_HAS_AZIMUTH)
  let hasAltitude = UInt32(truncatingIfNeeded: ALD_RASTER_RENDERER_HAS_ALTITUDE)
  try requireFlags(given.fields, known: hasRange | hasAzimuth | hasAltitude, "ald_raster_renderer.fields", argument)
  let isLevel = given.minimum == 0 && given.maximum == 0
  for (bit, isZero, field, flag) in [
    (hasRange, isLevel, "minimum or maximum", "RANGE"), (hasAzimuth, given.azimuth_deg == 0, "azimuth_deg", "AZIMUTH"),
    (hasAltitude, given.altitude_deg == 0, "altitude_deg", "ALTITUDE"),
  ] {
    try requireBit(
      given.fields & bit != 0, orZero: isZero, "ald_raster_renderer.\(field)", "ALD_RASTER_RENDERER_HAS_\(flag)",
      argument)
  }
  guard let kind = RasterRenderer.Kind(rawValue: given.kind) else {
    throw EngineError(.invalidArgument, "\(given.kind) is no kind of renderer.", argument: argument)
  }
  renderer.kind = kind
  renderer.bands = [given.bands.0, given.bands.1, given.bands.2]
  if given.fields & hasRange != 0 { renderer.range = (given.minimum, given.maximum) }
  if given.gamma != 0 { renderer.gamma = given.gamma }
  if given.fields & hasAzimuth != 0 { renderer.azimuth = given.azimuth_deg }
  if given.fields & hasAltitude != 0 { renderer.altitude = given.altitude_deg }
  renderer.zFactor = given.z_factor
  renderer.ramp = try rampFromC(given, argument)
  return renderer
}

private func rampFromC(_ given: ald_raster_renderer, _ argument: Int32) throws(EngineError) -> [RGBA] {
  guard given.ramp_count > 0 else { return [] }
  guard (2...65536).contains(given.ramp_count) else {
    throw EngineError(.invalidArgument, "A ramp has 2 to 65536 colours, not \(given.ramp_count).", argument: argument)
  }
  guard let colors = given.ramp else { throw missing("ald_raster_renderer.ramp", argument) }
  return (0..<Int(truncatingIfNeeded: given.ramp_count)).map { index in
    let color = colors[index]
    return RGBA(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
  }
}
