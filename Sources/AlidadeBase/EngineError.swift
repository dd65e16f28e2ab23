/// The one error type of the library. Every function that can fail says `throws(EngineError)`.
public struct EngineError: Error, Sendable, Equatable {
  /// The word for the object whose method was called.
  public static let receiver = "self"

  public var status: Status
  /// What is wrong, with which value, and what helps.
  public var message: String
  /// The word of the parameter at fault, `receiver` for the object itself; empty if no parameter is at fault.
  public var parameter: String
  public var domain: ErrorDomain
  /// The code of GDAL, PROJ, the system or a server; 0 if there is no code.
  public var domainCode: Int32
  /// Which argument that is, counted from 1 as the boundary declares them; 0 until the boundary says it.
  public var argument: Int32 = 0

  public init(
    _ status: Status, _ message: String, parameter: String = "", domain: ErrorDomain = .alidade, domainCode: Int32 = 0
  ) {
    self.status = status
    self.message = message
    self.parameter = parameter
    self.domain = domain
    self.domainCode = domainCode
  }

  /// The same error, blamed on a parameter.
  public func blaming(_ parameter: String) -> EngineError {
    var error = self
    error.parameter = parameter
    return error
  }
}
