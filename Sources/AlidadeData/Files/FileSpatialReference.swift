import AlidadeBase
import AlidadeCoordinates

/// The spatial reference of a file, as far as it can be used.
struct FileSpatialReference {
  /// nil if the file has none that can be used, and none was given.
  let reference: SpatialReference?
  /// Why the file's own cannot be used; nil if it can, or there is none.
  let problem: String?

  /// - Parameters:
  ///   - given: stands in for the file's own.
  ///   - wkt: the file's own; empty: it has none.
  ///   - path: the file's, for messages.
  init(_ given: SpatialReference?, wkt: String, of path: String, _ runtime: Runtime) {
    var (reference, problem) = (given, nil as String?)
    if reference == nil, !wkt.isEmpty {
      // What has a spatial reference that is of no use can still be read.
      do throws(EngineError) { reference = try SpatialReference.make(runtime: runtime, wkt: wkt) } catch {
        problem = error.message
        runtime.mailbox.log(
          LogLine(
            level: .warning, domain: error.domain, code: error.domainCode,
            text: "The spatial reference of \"\(path)\" cannot be used: \(error.message)"))
      }
    }
    (self.reference, self.problem) = (reference, problem)
  }

  /// What is wrong with a file without a usable spatial reference.
  static func lack(of path: String, _ problem: String?) -> String {
    let reason = problem.map { "has a spatial reference that cannot be used: \($0)" } ?? "has no spatial reference"
    return "\"\(path)\" \(reason)\(reason.hasSuffix(".") ? "" : ".")"
  }

  /// Why what is in such a file cannot be placed.
  static func missing(in path: String, _ problem: String?) -> EngineError {
    EngineError(.notReady, "\(lack(of: path, problem)) Give one in the options for opening.")
  }
}
