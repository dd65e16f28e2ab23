import AlidadeBase
import CPROJ

extension SpatialReferenceFormat {
  fileprivate var name: String {
    switch self {
    case .wkt2of2019: "WKT 2 (2019)"
    case .wkt2of2015: "WKT 2 (2015)"
    case .wkt1GDAL: "WKT 1 as GDAL writes it"
    case .wkt1ESRI: "WKT 1 as Esri writes it"
    case .projJSON: "PROJJSON"
    case .projString: "a PROJ string"
    }
  }

  /// A PROJ string leaves out names, codes, areas and most datums; of the others it is expected that they can be read
  /// back as the same system.
  fileprivate var isLossy: Bool { self == .projString }
}

extension SpatialReference {
  /// The spatial reference as a text.
  ///
  /// Whatever PROJ writes is read back before it is answered: PROJ writes some things that it does not read
  /// (`+k=-1`), and some that mean another system.
  public func text(_ format: SpatialReferenceFormat) throws(EngineError) -> String {
    try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let object = try system.object(in: session)
      _ = session.lastWords()
      guard let written = session.write(object, format) else {
        throw session.failure(.unsupported, "\(name) cannot be written as \(format.name)")
      }
      let text = String(cString: written)
      guard let again = ProjObject(proj_create(session.context, text), in: session) else {
        throw session.failure(.unsupported, "\(name) cannot be written as \(format.name): PROJ does not read it again")
      }
      guard format.isLossy || session.relation(of: object, to: again) != .different else {
        throw EngineError(
          .unsupported,
          "\(name) cannot be written as \(format.name) without loss: what PROJ writes is read as another system.",
          domain: .proj)
      }
      return text
    }
  }
}

extension ProjSession {
  /// The text lives until the object is asked for another one. Call inside the gate.
  fileprivate func write(_ object: ProjObject, _ format: SpatialReferenceFormat) -> UnsafePointer<CChar>? {
    switch format {
    case .wkt2of2019: proj_as_wkt(context, object.pointer, PJ_WKT2_2019, nil)
    case .wkt2of2015: proj_as_wkt(context, object.pointer, PJ_WKT2_2015, nil)
    case .wkt1GDAL: proj_as_wkt(context, object.pointer, PJ_WKT1_GDAL, nil)
    case .wkt1ESRI: proj_as_wkt(context, object.pointer, PJ_WKT1_ESRI, nil)
    case .projJSON: proj_as_projjson(context, object.pointer, nil)
    // The older form has the transformation that is bound to a system (+towgs84); the newer one cannot say it.
    case .projString: proj_as_proj_string(context, object.pointer, PJ_PROJ_4, nil)
    }
  }
}
