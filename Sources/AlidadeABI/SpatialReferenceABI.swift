import AlidadeBase
import AlidadeCoordinates
import CAlidade

@_cdecl("ald_spatial_reference_create") @implementation
public func ald_spatial_reference_create(
  _ runtime: ald_runtime, _ definition: UnsafePointer<CChar>?,
  _ out_spatial_reference: UnsafeMutablePointer<ald_spatial_reference>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_spatial_reference, argument: 3, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let text = try string(definition, "definition", 2)
    return try blaming(2) { () throws(EngineError) in try SpatialReference.make(runtime: runtime, text: text) }
  }
}

@_cdecl("ald_spatial_reference_create_from_code") @implementation
public func ald_spatial_reference_create_from_code(
  _ runtime: ald_runtime, _ authority: UnsafePointer<CChar>?, _ code: Int32,
  _ out_spatial_reference: UnsafeMutablePointer<ald_spatial_reference>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_spatial_reference, argument: 4, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let authority = try optionalString(authority, "authority", 2) ?? "EPSG"
    return try blaming(3) { () throws(EngineError) in
      try SpatialReference.make(runtime: runtime, authority: authority, code: code)
    }
  }
}

@_cdecl("ald_spatial_reference_create_from_wkt") @implementation
public func ald_spatial_reference_create_from_wkt(
  _ runtime: ald_runtime, _ wkt: UnsafePointer<CChar>?,
  _ out_spatial_reference: UnsafeMutablePointer<ald_spatial_reference>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_spatial_reference, argument: 3, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let wkt = try string(wkt, "wkt", 2)
    return try blaming(2) { () throws(EngineError) in try SpatialReference.make(runtime: runtime, wkt: wkt) }
  }
}

@_cdecl("ald_spatial_reference_get_info") @implementation
public func ald_spatial_reference_get_info(
  _ spatial_reference: ald_spatial_reference, _ out_info: UnsafeMutablePointer<ald_spatial_reference_info>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let reference = try resolve(spatial_reference, 1)
    let out = try requireOut(out_info, "ald_spatial_reference_info", 2)
    let texts = reference.attachment { CTexts(infoTexts(of: reference.system)) }
    write(ald_spatial_reference_info(reference.system, texts), to: out)
  }
}

@_cdecl("ald_spatial_reference_horizontal") @implementation
public func ald_spatial_reference_horizontal(
  _ spatial_reference: ald_spatial_reference, _ out_horizontal: UnsafeMutablePointer<ald_spatial_reference>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_horizontal, argument: 2, error) { () throws(EngineError) in
    try resolve(spatial_reference, 1).horizontal()
  }
}

@_cdecl("ald_spatial_reference_text") @implementation
public func ald_spatial_reference_text(
  _ spatial_reference: ald_spatial_reference, _ text_format: ald_spatial_reference_format,
  _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ out_size: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let reference = try resolve(spatial_reference, 1)
    guard let format = SpatialReferenceFormat(rawValue: text_format) else {
      throw EngineError(.invalidArgument, "There is no text format \(text_format).", argument: 2)
    }
    try requireTextRoom(buffer, capacity, out_size, bufferArgument: 3)
    try copyOut(try reference.text(format), buffer, capacity, out_size, bufferArgument: 3)
  }
}

@_cdecl("ald_spatial_reference_wkt") @implementation
public func ald_spatial_reference_wkt(
  _ spatial_reference: ald_spatial_reference, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let reference = try resolve(spatial_reference, 1)
    try copyOut(reference.wkt, buffer, capacity, out_size, bufferArgument: 2)
  }
}

@_cdecl("ald_spatial_reference_compare") @implementation
public func ald_spatial_reference_compare(
  _ a: ald_spatial_reference, _ b: ald_spatial_reference,
  _ out_relation: UnsafeMutablePointer<ald_spatial_reference_relation>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let first = try resolve(a, 1)
    let second = try resolve(b, 2)
    try requireSameRuntime(first, second, 2)
    guard let out_relation else { throw missing("out_relation", 3) }
    out_relation.pointee = try first.relation(to: second).rawValue
  }
}

@_cdecl("ald_spatial_reference_equals") @implementation
public func ald_spatial_reference_equals(
  _ a: ald_spatial_reference, _ b: ald_spatial_reference, _ out_equal: UnsafeMutablePointer<UInt32>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let first = try resolve(a, 1)
    let second = try resolve(b, 2)
    try requireSameRuntime(first, second, 2)
    guard let out_equal else { throw missing("out_equal", 3) }
    out_equal.pointee = try first.relation(to: second) == .different ? 0 : 1
  }
}
