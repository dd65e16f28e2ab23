/// What became of a call. The numbers are those of `ald_status` in Include/alidade/base.h.
public enum Status: Int32, Sendable, CaseIterable {
  case ok = 0
  case invalidArgument = 1
  case invalidHandle = 2
  case notReady = 3
  case notFound = 4
  case unsupported = 5
  case readFailed = 6
  case projectionFailed = 7
  case policyRefused = 8
  case limitExceeded = 9
  case bufferTooSmall = 10
  case invalidState = 11
  case forked = 12
  case shuttingDown = 13
  case outOfMemory = 14
  case `internal` = 15
  case cancelled = 16
  case missingGrid = 17
}

/// Whose code `EngineError.domainCode` is. The numbers are those of `ald_error_domain`.
public enum ErrorDomain: Int32, Sendable {
  case alidade = 0
  case gdal = 1
  case proj = 2
  case geos = 3
  case system = 4
}

/// The one error type of the library. Every function that can fail says `throws(EngineError)`.
public struct EngineError: Error, Sendable, Equatable {
  public var status: Status
  /// What is wrong, with which value, and what helps.
  public var message: String
  /// The parameter at fault, counted from 1 as the C function declares them; 0 if it is none of them.
  public var argument: Int32
  public var domain: ErrorDomain
  /// The code of GDAL, PROJ or the system; 0 if there is none.
  public var domainCode: Int32

  public init(
    _ status: Status, _ message: String, argument: Int32 = 0, domain: ErrorDomain = .alidade, domainCode: Int32 = 0
  ) {
    self.status = status
    self.message = message
    self.argument = argument
    self.domain = domain
    self.domainCode = domainCode
  }

  /// The same error, blamed on a parameter.
  public func blaming(argument: Int32) -> EngineError {
    var error = self
    error.argument = argument
    return error
  }
}
