import Glibc

/// Keeps HDF5 from printing on this thread for as long as the value lives; then its handler is put back.
///
/// HDF5 prints every error to stderr, also those that netCDF and GDAL provoke on purpose and get over. netCDF turns that
/// off, on the one thread on which it begins: on every other, opening a netCDF-4 file prints. The handler is a thread's
/// own where HDF5 is built for threads, as Debian's is; elsewhere it is the process's, for the length of an opening.
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

  /// Does nothing for a file that HDF5 does not read: HDF5 takes a while to begin.
  init(opening path: String) {
    guard Self.concerns(path), let functions = Self.functions,
      functions.get(Self.threadsErrors, &handler, &handlersData) >= 0
    else { return }
    isQuiet = functions.set(Self.threadsErrors, nil, nil) >= 0
  }

  deinit {
    if isQuiet { _ = Self.functions?.set(Self.threadsErrors, handler, handlersData) }
  }

  /// Whether a path is of an HDF5 file, or of a data set inside something, such as NETCDF:"a.nc":b.
  private static func concerns(_ path: String) -> Bool {
    guard let file = LocalFiles.open(path) else { return true }
    defer { fclose(file) }
    let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
    var start = signature
    // The signature stands at the beginning, or behind a block of the user's own.
    for offset in [0, 512, 1024, 2048] {
      guard fseek(file, offset, SEEK_SET) == 0, fread(&start, 1, start.count, file) == start.count else { return false }
      if start == signature { return true }
    }
    return false
  }
}
