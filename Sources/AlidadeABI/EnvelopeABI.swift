import AlidadeBase
import AlidadeCoordinates
import CAlidade

@_cdecl("ald_project_envelope") @implementation
public func ald_project_envelope(
  _ from: ald_spatial_reference, _ to: ald_spatial_reference, _ options: UnsafePointer<ald_projection_options>?,
  _ envelope: ald_envelope, _ out_envelope: UnsafeMutablePointer<ald_projected_envelope>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let source = try resolve(from, 1)
    let target = try resolve(to, 2)
    try requireSameRuntime(source, target, 2)
    let out = try requireOut(out_envelope, "ald_projected_envelope", 5)
    let choice = try projectionOptions(options, 3)
    if let transformation = choice.transformation { try requireSameRuntime(source, transformation, 3) }
    let box = try Envelope(envelope).checked(in: source, argument: 4)
    let image = try box.projected(from: source, to: target, options: choice)
    var flags: UInt32 = 0
    if image.isPartial { flags |= UInt32(truncatingIfNeeded: ALD_ENVELOPE_PARTIAL) }
    if image.crossesAntimeridian { flags |= UInt32(truncatingIfNeeded: ALD_ENVELOPE_CROSSES_ANTIMERIDIAN) }
    if image.holdsNorthPole { flags |= UInt32(truncatingIfNeeded: ALD_ENVELOPE_HOLDS_NORTH_POLE) }
    if image.holdsSouthPole { flags |= UInt32(truncatingIfNeeded: ALD_ENVELOPE_HOLDS_SOUTH_POLE) }
    write(ald_projected_envelope(struct_size: 0, flags: flags, envelope: ald_envelope(image.envelope)), to: out)
  }
}

extension Envelope {
  /// The same box, if it is one; else an error that blames a parameter.
  fileprivate func checked(in reference: SpatialReference, argument: Int32) throws(EngineError) -> Envelope {
    try blaming(argument) { () throws(EngineError) in try requireBox(in: reference) }
    return self
  }
}
