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
