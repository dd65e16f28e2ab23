/// The one error type of the library. Every function that can fail says `throws(EngineError)`.
public struct EngineError: Error, Sendable, Equatable {
  public var status: Status
  /// What is wrong, with which value, and what helps.
  public var message: String
  /// The position of the parameter at fault in the C function, from 1; 0 if no parameter is at fault.
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
