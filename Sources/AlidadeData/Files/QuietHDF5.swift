import AlidadeBase
import Glibc

/// Keeps HDF5 from printing on this thread for as long as the value lives; then its handler is put back.
///
/// HDF5 prints every error to stderr, also those that netCDF and GDAL provoke on purpose and get over. netCDF turns that
/// off, on the one thread on which it begins: on every other, opening a netCDF-4 file prints. The handler is a thread's
/// own where HDF5 is built for threads, as Debian's is; elsewhere it is the process's, for the length of a call.
struct QuietHDF5: ~Copyable {
  private typealias Pointer = UnsafeMutableRawPointer
  private typealias Getter =
    @convention(c) (Int64, UnsafeMutablePointer<Pointer?>, UnsafeMutablePointer<Pointer?>) ->
    Int32
  private typealias Setter = @convention(c) (Int64, Pointer?, Pointer?) -> Int32

  /// HDF5's functions, where GDAL brings it along.
  private static let functions: (get: Getter, set: Setter)? = {
    // RTLD_NEXT, a macro that Swift does not see: what this library depends on, also where the host keeps it from other
    // libraries (RTLD_LOCAL).
    let dependencies = UnsafeMutableRawPointer(bitPattern: -1)
    guard let get = dlsym(dependencies, "H5Eget_auto2"), let set = dlsym(dependencies, "H5Eset_auto2") else {
      return nil
    }
    // Right: H5Epublic.h declares both so, with a hid_t of 64 bits since HDF5 1.10.
    return (unsafeBitCast(get, to: Getter.self), unsafeBitCast(set, to: Setter.self))
  }()

  /// H5E_DEFAULT: the calling thread's own errors.
  private static let threadsErrors: Int64 = 0

  private var isQuiet = false
  private var handler: Pointer?
  private var handlersData: Pointer?

  /// The drivers that read by way of HDF5.
  private static let drivers: Set<String> = ["bag", "hdf5", "hdf5image", "kea", "netcdf", "s102"]

  /// Does nothing under a policy that allows none of these: HDF5 takes a while to begin.
  init(_ policy: Policy) {
    let allowed = (policy.drivers ?? []) + policy.additionalDrivers
    guard allowed.contains(where: { Self.drivers.contains($0.lowercased()) }), let functions = Self.functions,
      functions.get(Self.threadsErrors, &handler, &handlersData) >= 0
    else { return }
    isQuiet = functions.set(Self.threadsErrors, nil, nil) >= 0
  }

  deinit {
    if isQuiet { _ = Self.functions?.set(Self.threadsErrors, handler, handlersData) }
  }
}
