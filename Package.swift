// swift-tools-version: 6.1
// The arrows between modules point one way, from the boundary down to the C libraries; see README.md for the picture.
import PackageDescription

let package = Package(
  name: "alidade",
  products: [
    // What hosts link: one shared library with the C interface of Include/.
    .library(name: "alidade", type: .dynamic, targets: ["AlidadeABI"]),
    // What Swift hosts import.
    .library(name: "AlidadeMap", targets: ["AlidadeMap"]),
  ],
  targets: [
    .systemLibrary(name: "CAlidade", path: "Include"),
    .target(name: "CLinux"),
    .systemLibrary(name: "CGDAL", pkgConfig: "gdal", providers: [.apt(["libgdal-dev"])]),
    .systemLibrary(name: "CPROJ", pkgConfig: "proj", providers: [.apt(["libproj-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CCURL", pkgConfig: "libcurl", providers: [.apt(["libcurl4-gnutls-dev"])]),
    .systemLibrary(name: "CGEOS", pkgConfig: "geos", providers: [.apt(["libgeos-dev"])]),
    // The one part that is C++: GDAL has no C interface for what it does.
    .target(name: "CGDALFiles", dependencies: ["CGDAL"]),

    // Each target names every module that it imports, not only the next one: the build tracks no others, and would keep
    // stale copies of inlinable code.
    .target(name: "AlidadeBase", dependencies: ["CLinux"]),
    .target(name: "AlidadeCoordinates", dependencies: ["AlidadeBase", "CPROJ"]),
    .target(name: "AlidadeGeometry", dependencies: ["AlidadeBase", "AlidadeCoordinates", "CGEOS"]),
    .target(
      name: "AlidadeData",
      dependencies: [
        "AlidadeBase", "AlidadeCoordinates", "AlidadeGeometry", "CGDAL", "CGDALFiles", "CSQLite", "CCURL",
      ]),
    .target(name: "AlidadeMap", dependencies: ["AlidadeBase", "AlidadeCoordinates", "AlidadeGeometry", "AlidadeData"]),
    .target(
      name: "AlidadeABI",
      dependencies: [
        "AlidadeBase", "AlidadeCoordinates", "AlidadeGeometry", "AlidadeData", "AlidadeMap", "CAlidade",
      ]),

    .testTarget(name: "AlidadeBaseTests", dependencies: ["AlidadeBase"]),
    .testTarget(name: "AlidadeCoordinatesTests", dependencies: ["AlidadeBase", "AlidadeCoordinates", "CPROJ"]),
    .testTarget(
      name: "AlidadeGeometryTests",
      dependencies: ["AlidadeBase", "AlidadeCoordinates", "AlidadeGeometry", "CGEOS"]),
    .testTarget(
      name: "AlidadeDataTests",
      dependencies: ["AlidadeBase", "AlidadeCoordinates", "AlidadeGeometry", "AlidadeData"]),
    .testTarget(
      name: "AlidadeMapTests",
      dependencies: ["AlidadeBase", "AlidadeCoordinates", "AlidadeGeometry", "AlidadeData", "AlidadeMap"]),
    .testTarget(
      name: "AlidadeABITests",
      dependencies: ["AlidadeBase", "AlidadeCoordinates", "AlidadeData", "AlidadeMap", "AlidadeABI", "CAlidade"]),
  ],
  swiftLanguageModes: [.v6]
)
