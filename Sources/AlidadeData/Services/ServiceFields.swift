import AlidadeBase
import CGDAL
import Glibc

/// A field as a service describes it.
struct ServiceField: Sendable {
  /// What kind of values it has.
  enum Kind: Sendable {
    case integer, wideInteger, real, text, date, time, dateTime, boolean

    fileprivate var type: OGRFieldType {
      switch self {
      case .integer, .boolean: OFTInteger
      case .wideInteger: OFTInteger64
      case .real: OFTReal
      case .text: OFTString
      case .date: OFTDate
      case .time: OFTTime
      case .dateTime: OFTDateTime
      }
    }
  }

  let name: String
  /// May be empty.
  let alias: String
  let kind: Kind

  /// The fields of a feature service.
  ///
  /// - Parameter list: as its description or a page has it.
  static func ofFeatureServer(_ list: JSON?) -> [ServiceField] {
    (list?.items ?? []).compactMap { field in
      guard let name = field["name"]?.text else { return nil }
      let kind: Kind
      switch field["type"]?.text {
      case "esriFieldTypeOID", "esriFieldTypeBigInteger": kind = .wideInteger
      case "esriFieldTypeInteger", "esriFieldTypeSmallInteger": kind = .integer
      case "esriFieldTypeSingle", "esriFieldTypeDouble": kind = .real
      case "esriFieldTypeDate", "esriFieldTypeTimestampOffset": kind = .dateTime
      case "esriFieldTypeDateOnly": kind = .date
      case "esriFieldTypeTimeOnly": kind = .time
      case "esriFieldTypeGeometry", "esriFieldTypeBlob", "esriFieldTypeRaster": return nil
      default: kind = .text
      }
      return ServiceField(name: name, alias: field["alias"]?.text ?? "", kind: kind)
    }
  }

  /// The properties in the schema of a collection.
  static func ofSchema(_ schema: JSON) -> [ServiceField] {
    guard case .object(let properties)? = schema["properties"] else { return [] }
    return properties.compactMap { name, property in
      let kind: Kind
      switch (property["type"]?.text, property["format"]?.text) {
      case ("integer", _): kind = .wideInteger
      case ("number", _): kind = .real
      case ("boolean", _): kind = .boolean
      case ("string", "date"): kind = .date
      case ("string", "date-time"): kind = .dateTime
      case ("string", "time"): kind = .time
      case ("string", let format) where format?.hasPrefix("geometry") ?? false: return nil
      case ("string", _): kind = .text
      default: return nil
      }
      return ServiceField(name: name, alias: property["title"]?.text ?? "", kind: kind)
    }
  }
}

/// Creates the fields of a layer for a service's pages: the fields of the first page, with what the service says of them,
/// and fields that it names and that are not on that page. Call inside the guard.
func createFields(of service: FeatureService, like page: OGRLayerH, in layer: OGRLayerH) {
  let definition = OGR_L_GetLayerDefn(page)
  let described = Dictionary(service.fields.map { ($0.name, $0) }) { first, _ in first }
  func create(_ name: String, _ type: OGRFieldType, _ subtype: OGRFieldSubType, _ alias: String) {
    guard let field = OGR_Fld_Create(name, type) else { return }
    defer { OGR_Fld_Destroy(field) }
    OGR_Fld_SetSubType(field, subtype)
    if !alias.isEmpty, alias != name { OGR_Fld_SetAlternativeName(field, alias) }
    OGR_L_CreateField(layer, field, 1)
  }
  for index in 0..<max(0, OGR_FD_GetFieldCount(definition)) {
    let field = OGR_FD_GetFieldDefn(definition, index)
    let (name, found) = (gdalText(OGR_Fld_GetNameRef(field)), OGR_Fld_GetType(field))
    var (type, subtype) = (found, OGR_Fld_GetSubType(field))
    if let known = described[name] {
      // A schema may call a text what is a number on the page.
      if known.kind != .text || service.kind == .featureServer {
        (type, subtype) = (known.kind.type, known.kind == .boolean ? OFSTBoolean : OFSTNone)
      }
    } else if service.driver == "GeoJSON", type == OFTInteger, subtype == OFSTNone {
      // Later pages may have greater numbers.
      type = OFTInteger64
    }
    create(name, type, subtype, described[name]?.alias ?? gdalText(OGR_Fld_GetAlternativeNameRef(field)))
  }
  for field in service.fields where OGR_FD_GetFieldIndex(definition, field.name) < 0 && field.kind != .text {
    create(field.name, field.kind.type, field.kind == .boolean ? OFSTBoolean : OFSTNone, field.alias)
  }
  for field in service.fields where OGR_FD_GetFieldIndex(definition, field.name) < 0 && field.kind == .text {
    create(field.name, OFTString, OFSTNone, field.alias)
  }
}

/// How the fields of a page become the fields of a layer.
struct FieldMap {
  /// For each field of the page its number in the layer; -1: GDAL does not copy it.
  private var numbers: [Int32] = []
  /// Fields of another type: their numbers on the page and in the layer.
  private var converted: [(from: Int32, to: Int32, type: OGRFieldType, name: String)] = []
  /// Fields with values that are left out; empty: none.
  private(set) var leftOut: Set<String> = []

  init(from source: OGRLayerH, to layer: OGRLayerH) {
    let (theirs, ours) = (OGR_L_GetLayerDefn(source), OGR_L_GetLayerDefn(layer))
    for index in 0..<max(0, OGR_FD_GetFieldCount(theirs)) {
      let field = OGR_FD_GetFieldDefn(theirs, index)
      let name = gdalText(OGR_Fld_GetNameRef(field))
      let known = OGR_L_FindFieldIndex(layer, OGR_Fld_GetNameRef(field), 1)
      let target = known >= 0 ? OGR_FD_GetFieldDefn(ours, known) : nil
      if let target, Self.isCopied(field, target) {
        numbers.append(known)
        continue
      }
      numbers.append(-1)
      if let target { converted.append((index, known, OGR_Fld_GetType(target), name)) } else { leftOut.insert(name) }
    }
  }

  /// Whether GDAL copies each value as it is.
  private static func isCopied(_ field: OGRFieldDefnH?, _ target: OGRFieldDefnH) -> Bool {
    let (from, to) = (OGR_Fld_GetType(field), OGR_Fld_GetType(target))
    if from == to { return OGR_Fld_GetSubType(target) != OFSTBoolean || OGR_Fld_GetSubType(field) == OFSTBoolean }
    let isNumber = [OFTInteger, OFTInteger64].contains(from)
    return to == OFTString || (isNumber && to == OFTReal) || (from == OFTInteger && to == OFTInteger64)
  }

  /// Copies the values of a feature. Call inside the guard.
  mutating func copy(_ feature: OGRFeatureH, to made: OGRFeatureH) {
    OGR_F_SetFromWithMap(made, feature, 1, numbers)
    for (from, to, type, name) in converted where OGR_F_IsFieldSetAndNotNull(feature, from) != 0 {
      let text = gdalText(OGR_F_GetFieldAsString(feature, from))
      if !Self.set(text, type, to, made) { leftOut.insert(name) }
    }
  }

  /// Sets a field by a text; false: the text is no such value.
  private static func set(_ text: String, _ type: OGRFieldType, _ index: Int32, _ made: OGRFeatureH) -> Bool {
    switch type {
    case OFTInteger:
      guard let number = Int32(text, radix: 10) ?? Double(text).flatMap({ Int32(exactly: $0) }) else { return false }
      OGR_F_SetFieldInteger(made, index, number)
      // A field of truth values has no others.
      return OGR_F_GetFieldAsInteger(made, index) == number
    case OFTInteger64:
      guard let number = Int64(text, radix: 10) ?? Double(text).flatMap({ Int64(exactly: $0) }) else { return false }
      OGR_F_SetFieldInteger64(made, index, GIntBig(number))
    case OFTReal:
      guard let number = Double(text) else { return false }
      OGR_F_SetFieldDouble(made, index, number)
    case OFTDateTime:
      // Feature services have milliseconds since 1970.
      if let milliseconds = Double(text), milliseconds.magnitude < 1e15 {
        setMoment(milliseconds, index, made)
      } else {
        OGR_F_SetFieldString(made, index, text)
      }
    default: OGR_F_SetFieldString(made, index, text)
    }
    return OGR_F_IsFieldSetAndNotNull(made, index) != 0
  }

  private static func setMoment(_ milliseconds: Double, _ index: Int32, _ made: OGRFeatureH) {
    let seconds = (milliseconds / 1000).rounded(.down)
    var (broken, time) = (tm(), time_t(exactly: seconds) ?? 0)
    gmtime_r(&time, &broken)
    let rest = Float((milliseconds - seconds * 1000) / 1000)
    // 100: UTC.
    OGR_F_SetFieldDateTimeEx(
      made, index, broken.tm_year &+ 1900, broken.tm_mon &+ 1, broken.tm_mday, broken.tm_hour, broken.tm_min,
      Float(broken.tm_sec) + rest, 100)
  }
}
