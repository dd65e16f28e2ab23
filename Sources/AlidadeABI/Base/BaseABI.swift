import AlidadeBase
import CAlidade

private let versionText: StaticString = "0.1.0"

@_cdecl("ald_get_version") @implementation
public func ald_get_version() -> UInt32 {
  UInt32(truncatingIfNeeded: ALD_VERSION_MAJOR) << 16 | UInt32(truncatingIfNeeded: ALD_VERSION_MINOR) << 8
    | UInt32(truncatingIfNeeded: ALD_VERSION_PATCH)
}

@_cdecl("ald_get_version_text") @implementation
public func ald_get_version_text() -> UnsafePointer<CChar>? { cString(versionText) }

@_cdecl("ald_status_get_name") @implementation
public func ald_status_get_name(_ status: ald_status) -> UnsafePointer<CChar>? {
  guard let status = Status(rawValue: status) else { return cString("ALD_STATUS_?") }
  return switch status {
  case .ok: cString("ALD_STATUS_OK")
  case .invalidArgument: cString("ALD_STATUS_INVALID_ARGUMENT")
  case .invalidHandle: cString("ALD_STATUS_INVALID_HANDLE")
  case .notReady: cString("ALD_STATUS_NOT_READY")
  case .notFound: cString("ALD_STATUS_NOT_FOUND")
  case .unsupported: cString("ALD_STATUS_UNSUPPORTED")
  case .readFailed: cString("ALD_STATUS_READ_FAILED")
  case .projectionFailed: cString("ALD_STATUS_PROJECTION_FAILED")
  case .policyRefused: cString("ALD_STATUS_POLICY_REFUSED")
  case .limitExceeded: cString("ALD_STATUS_LIMIT_EXCEEDED")
  case .bufferTooSmall: cString("ALD_STATUS_BUFFER_TOO_SMALL")
  case .invalidState: cString("ALD_STATUS_INVALID_STATE")
  case .forked: cString("ALD_STATUS_FORKED")
  case .shuttingDown: cString("ALD_STATUS_SHUTTING_DOWN")
  case .outOfMemory: cString("ALD_STATUS_OUT_OF_MEMORY")
  case .internal: cString("ALD_STATUS_INTERNAL")
  case .cancelled: cString("ALD_STATUS_CANCELLED")
  case .missingGrid: cString("ALD_STATUS_MISSING_GRID")
  }
}

/// A literal as a C string: the compiler ends it with a NUL.
func cString(_ text: StaticString) -> UnsafePointer<CChar>? {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
