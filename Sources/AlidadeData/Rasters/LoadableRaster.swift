import AlidadeBase
import AlidadeCoordinates

/// A raster that is opened when it is loaded, and stays as it is from then on. Has the same kind of handle as an open one.
public final class LoadableRaster: LoadableObject, @unchecked Sendable {  // right: what changes is under a Lock
  /// As the host gave it.
  public let path: String
  private let absolutePath: String
  private let givenReference: SpatialReference?
  /// nil until it is loaded. Workers hold the lock's object and not the raster's.
  private let opened = Lock<Raster?>(nil)

  /// Touches no file.
  ///
  /// - Parameters:
  ///   - path: a file's path, or another name that GDAL understands and the policy allows.
  ///   - spatialReference: stands in for the file's own, present or not.
  public init(runtime: Runtime, path: String, spatialReference: SpatialReference? = nil) throws(EngineError) {
    guard !path.isEmpty else { throw EngineError(.invalidArgument, "The path is empty.") }
    self.path = path
    // The host may change its working folder before a worker comes to it.
    absolutePath = FileIdentity.absolutePath(path, force: FileAccess.looksLikePath(path))
    givenReference = spatialReference
    super.init(runtime: runtime, isLoaded: false)
  }

  public override var handleKind: HandleKind { .raster }

  /// The raster; nil unless it is loaded.
  public var raster: Raster? { loadStatus == .loaded ? opened.withLock { $0 } : nil }

  /// The raster, or an error that says how to load it.
  public func requireRaster() throws(EngineError) -> Raster {
    if let raster { return raster }
    throw notLoaded("raster", path: path)
  }

  public override var waitsForServer: Bool { Raster.isService(path) }

  public override func loadWork(isRetry: Bool) -> LoadWork? {
    let (runtime, path, absolutePath, reference, opened) = (runtime, path, absolutePath, givenReference, opened)
    return { () throws(EngineError) in
      let raster = try Raster.open(
        runtime: runtime, path: path, absolutePath: absolutePath, spatialReference: reference)
      return { (_) in
        opened.withLock { $0 = raster }
        return true
      }
    }
  }
}

extension LoadableObject {
  /// Why something cannot be used that is not loaded.
  ///
  /// - Parameter noun: what it is.
  public func notLoaded(_ noun: String, path: String) -> EngineError {
    switch loadStatus {
    case .loading:
      return EngineError(.notReady, "The \(noun) \"\(path)\" is still loading. Load it to wait for that.")
    case .failed:
      let reason = loadError?.message ?? "The reason is no longer known."
      return EngineError(
        .notReady,
        "The \(noun) \"\(path)\" has failed to load. \(reason) Retry to load it.")
    case .notLoaded, .loaded:
      return EngineError(.notReady, "The \(noun) \"\(path)\" is not loaded. Load it first.")
    }
  }
}
