import AlidadeCoordinates

/// A stored value, taken out of a buffer.
struct StoredValue {
  var value: Double
  var imaginary = 0.0
  var integer: Int64 = 0
}

extension DataType {
  /// Reads the value at an address. The address need not be aligned.
  @inline(__always)
  func load(_ address: UnsafeRawPointer) -> StoredValue {
    switch self {
    case .uint8: return .whole(address.loadUnaligned(as: UInt8.self))
    case .int8: return .whole(address.loadUnaligned(as: Int8.self))
    case .uint16: return .whole(address.loadUnaligned(as: UInt16.self))
    case .int16: return .whole(address.loadUnaligned(as: Int16.self))
    case .uint32: return .whole(address.loadUnaligned(as: UInt32.self))
    case .int32: return .whole(address.loadUnaligned(as: Int32.self))
    case .uint64:
      let bits = address.loadUnaligned(as: UInt64.self)
      return StoredValue(value: Double(bits), integer: Int64(bitPattern: bits))
    case .int64: return .whole(address.loadUnaligned(as: Int64.self))
    case .float32: return StoredValue(value: Double(address.loadUnaligned(as: Float.self)))
    case .float64: return StoredValue(value: address.loadUnaligned(as: Double.self))
    case .complexInt16:
      return .complex(
        Double(address.loadUnaligned(as: Int16.self)), Double((address + 2).loadUnaligned(as: Int16.self)))
    case .complexInt32:
      return .complex(
        Double(address.loadUnaligned(as: Int32.self)), Double((address + 4).loadUnaligned(as: Int32.self)))
    case .complexFloat32:
      return .complex(
        Double(address.loadUnaligned(as: Float.self)), Double((address + 4).loadUnaligned(as: Float.self)))
    case .complexFloat64:
      return .complex(address.loadUnaligned(as: Double.self), (address + 8).loadUnaligned(as: Double.self))
    }
  }
}

extension StoredValue {
  @inline(__always)
  fileprivate static func whole(_ integer: some FixedWidthInteger) -> StoredValue {
    StoredValue(value: Double(integer), integer: Int64(truncatingIfNeeded: integer))
  }

  @inline(__always)
  fileprivate static func complex(_ real: Double, _ imaginary: Double) -> StoredValue {
    StoredValue(value: real, imaginary: imaginary)
  }
}

extension NodataRule {
  /// Whether a stored value means "no value". For a complex value, the real part is compared, as in GDAL.
  @inline(__always)
  func matches(_ stored: StoredValue) -> Bool {
    switch self {
    case .none: return false
    case .integer(let nodata): return stored.integer == nodata
    case .unsigned(let nodata): return UInt64(bitPattern: stored.integer) == nodata
    case .nan: return stored.value.isNaN
    case .float32(let nodata):
      let value = Float(stored.value)
      return value == nodata || (value - nodata).magnitude < .ulpOfOne * (value + nodata).magnitude * 2
    case .float64(let nodata):
      let value = stored.value
      return value == nodata || (value - nodata).magnitude < .ulpOfOne * (value + nodata).magnitude * 2
    }
  }
}

extension BandFacts {
  /// The verdict on a stored value. As in GDAL, a mask decides alone, and the nodata value only where there is none; if
  /// both say no, the nodata value names the reason.
  @inline(__always)
  func verdict(_ stored: StoredValue, isMasked: Bool, isTransparent: Bool) -> CellVerdict {
    if maskSource == .none || isMasked {
      if nodataRule.matches(stored) { return .nodata }
      if isMasked { return maskSource == .dataSetNodata ? .nodata : .masked }
    }
    return isTransparent ? .transparent : .value
  }

  /// How many values a cell can store, of whole numbers of up to 16 bits; nil: of another type.
  public var storedCount: Int? {
    switch type {
    case .uint8, .int8: 1 << 8
    case .uint16, .int16: 1 << 16
    default: nil
    }
  }

  /// The value and the verdict of the bits that a cell stores, where it is neither masked nor transparent.
  ///
  /// - Parameter bits: less than `storedCount`.
  public func meaning(ofStored bits: UInt16) -> (value: Double, verdict: CellVerdict) {
    let stored = withUnsafeBytes(of: bits.littleEndian) { $0.baseAddress.map(type.load) } ?? StoredValue(value: .nan)
    return (stored.value, verdict(stored, isMasked: false, isTransparent: false))
  }

  /// Everything that a band says of a stored value.
  func decode(_ stored: StoredValue, isMasked: Bool, isTransparent: Bool) -> BandValue {
    let verdict = verdict(stored, isMasked: isMasked, isTransparent: isTransparent)
    var result = BandValue(
      type: type, verdict: verdict, value: stored.value, imaginary: stored.imaginary, integer: stored.integer,
      scaled: .nan, scaledImaginary: type.isComplex ? .nan : 0, color: .clear, category: -1, tableRow: -1)
    guard verdict == .value else { return result }
    let scale = scale ?? 1
    result.scaled = isScaled ? stored.value * scale + (offset ?? 0) : stored.value
    result.scaledImaginary = stored.imaginary * scale
    if !colors.isEmpty { result.color = color(stored) }
    if let index = classIndex(stored), index < categories.count, !categories[index].isEmpty {
      result.category = Int32(truncatingIfNeeded: index)
    }
    if let table { result.tableRow = table.row(of: stored.value) }
    return result
  }

  /// The colour of a stored value by the colour table; clear if it has no entry.
  @inline(__always)
  public func color(ofIndex index: Int) -> RGBA {
    index >= 0 && index < colors.count ? colors[index] : .clear
  }

  @inline(__always)
  private func color(_ stored: StoredValue) -> RGBA { classIndex(stored).map(color(ofIndex:)) ?? .clear }

  /// The stored value as an index into names or colours; nil if it is not a valid index.
  @inline(__always)
  private func classIndex(_ stored: StoredValue) -> Int? {
    guard !type.isComplex, let index = Int(exactly: stored.value), index >= 0 else { return nil }
    return index
  }
}
