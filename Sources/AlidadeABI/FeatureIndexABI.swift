import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import CAlidade

@_cdecl("ald_feature_source_build_index") @implementation
public func ald_feature_source_build_index(
  _ feature_source: ald_feature_source, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    try blaming(1) { () throws(EngineError) in try source.buildIndex() }
  }
}

@_cdecl("ald_feature_source_build_index_async") @implementation
public func ald_feature_source_build_index_async(
  _ feature_source: ald_feature_source, _ request_options: UnsafePointer<ald_request_options>?,
  _ out_request: UnsafeMutablePointer<ald_request>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterRequesting(out_request, argument: 3, error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    return try source.indexRequest(try requestOptions(request_options, 2))
  }
}

@_cdecl("ald_feature_source_get_index_info") @implementation
public func ald_feature_source_get_index_info(
  _ feature_source: ald_feature_source, _ out_info: UnsafeMutablePointer<ald_feature_index_info>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    let out = try requireOut(out_info, "ald_feature_index_info", 2)
    let (status, index) = (source.indexStatus.status, source.index)
    write(
      ald_feature_index_info(
        struct_size: 0, index_status: status.rawValue, feature_count: UInt64(clamping: index?.count ?? 0),
        byte_count: UInt64(clamping: index?.byteCount ?? 0), extent: cEnvelope(index?.bounds)),
      to: out)
  }
}

@_cdecl("ald_feature_source_ids_in_envelope") @implementation
public func ald_feature_source_ids_in_envelope(
  _ feature_source: ald_feature_source, _ envelope: ald_envelope, _ spatial_reference: ald_spatial_reference,
  _ out_feature_ids: UnsafeMutablePointer<Int64>?, _ capacity: Int, _ out_count: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    let reference = try resolveOptional(spatial_reference, 3)
    try requireSameRuntime(source, reference, 3)
    let list = try OutputList(out_feature_ids, capacity: capacity, out_count, arrayArgument: 4)
    let ids = try blaming(2) { () throws(EngineError) in
      try source.ids(in: .envelope(Envelope(envelope), reference))
    }
    try list.write(Array(ids.buffer), "ids") { $0 }
  }
}

@_cdecl("ald_feature_source_nearest") @implementation
public func ald_feature_source_nearest(
  _ feature_source: ald_feature_source, _ point: ald_point, _ spatial_reference: ald_spatial_reference,
  _ max_distance: Double, _ out_features: UnsafeMutablePointer<ald_near_feature>?, _ max_count: Int,
  _ out_count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let source = try resolve(feature_source, 1)
    try requireFinite(point, "point", 2)
    let reference = try resolveOptional(spatial_reference, 3)
    try requireSameRuntime(source, reference, 3)
    guard max_distance >= 0, max_distance.isFinite else {
      throw EngineError(
        .invalidArgument, "max_distance is \(max_distance); it must be 0 or more, and finite.", argument: 4)
    }
    guard let out_features else { throw missing("out_features", 5) }
    try requireCapacity(max_count, 6)
    guard let out_count else { throw missing("out_count", 7) }
    let found = try blaming(2) { () throws(EngineError) in
      try source.nearest(
        to: Point(point), in: reference, most: max_count, within: max_distance == 0 ? .infinity : max_distance)
    }
    for (place, one) in found.enumerated() {
      out_features[place] = ald_near_feature(feature_id: one.id, distance: one.distance)
    }
    out_count.pointee = found.count
  }
}
