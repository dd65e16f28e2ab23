import AlidadeBase
import CGDAL

extension FieldType {
  init(_ type: OGRFieldType) {
    switch type {
    case OFTInteger, OFTInteger64: self = .integer
    case OFTReal: self = .real
    case OFTDate: self = .date
    case OFTTime: self = .time
    case OFTDateTime: self = .dateTime
    case OFTBinary: self = .binary
    case OFTIntegerList, OFTInteger64List: self = .integerList
    case OFTRealList: self = .realList
    case OFTStringList, OFTWideStringList: self = .textList
    default: self = .text
    }
  }
}

extension FieldSubtype {
  init(_ subtype: OGRFieldSubType, of type: OGRFieldType) {
    switch subtype {
    case OFSTBoolean: self = .boolean
    case OFSTInt16: self = .int16
    case OFSTFloat32: self = .float32
    case OFSTJSON: self = .json
    case OFSTUUID: self = .uuid
    default: self = type == OFTInteger || type == OFTIntegerList ? .int32 : .none
    }
  }
}

/// A field of a source of features.
public struct FeatureField: Sendable, Equatable {
  public let name: String
  /// Another name, for people; empty: none.
  public let alias: String
  public let type: FieldType
  public let subtype: FieldSubtype
  /// In characters or digits; 0: any.
  public let width: Int32
  /// Digits behind the point; 0: any.
  public let precision: Int32
  public let isNullable: Bool
  public let isUnique: Bool

  /// Call inside the guard.
  init(_ field: OGRFieldDefnH) {
    name = gdalText(OGR_Fld_GetNameRef(field))
    let other = gdalText(OGR_Fld_GetAlternativeNameRef(field))
    alias = other
    type = FieldType(OGR_Fld_GetType(field))
    subtype = FieldSubtype(OGR_Fld_GetSubType(field), of: OGR_Fld_GetType(field))
    width = OGR_Fld_GetWidth(field)
    precision = OGR_Fld_GetPrecision(field)
    isNullable = OGR_Fld_IsNullable(field) != 0
    isUnique = OGR_Fld_IsUnique(field) != 0
  }
}
