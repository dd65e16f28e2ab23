import AlidadeBase
import CGDAL

/// What a field's values are. The numbers are those of `ald_field_type`.
public enum FieldType: Int32, Sendable, CaseIterable {
  case integer = 1
  case real = 2
  case text = 3
  case date = 4
  case time = 5
  case dateTime = 6
  case binary = 7
  case integerList = 8
  case realList = 9
  case textList = 10

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

/// What the values of a type mean, or how small they are. The numbers are those of `ald_field_subtype`.
public enum FieldSubtype: Int32, Sendable, CaseIterable {
  case none = 0
  /// Integers 0 and 1.
  case boolean = 1
  case int16 = 2
  case float32 = 3
  /// A text that is JSON.
  case json = 4
  /// A text that is a UUID.
  case uuid = 5
  /// Integers of 32 bits.
  case int32 = 6

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
