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
    .systemLibrary(name: "CGDAL", pkgConfig: "gdal", providers: [.apt(["libgdal-dev"])]),
    .systemLibrary(name: "CPROJ", pkgConfig: "proj", providers: [.apt(["libproj-dev"])]),
    .systemLibrary(name: "CGEOS", pkgConfig: "geos", providers: [.apt(["libgeos-dev"])]),

    .target(name: "AlidadeBase"),
    .target(name: "AlidadeCoordinates", dependencies: ["AlidadeBase", "CPROJ"]),
    .target(name: "AlidadeGeometry", dependencies: ["AlidadeCoordinates", "CGEOS"]),
    .target(name: "AlidadeData", dependencies: ["AlidadeGeometry", "CGDAL"]),
    .target(name: "AlidadeMap", dependencies: ["AlidadeData"]),
    .target(name: "AlidadeABI", dependencies: ["AlidadeMap", "CAlidade"]),

    .testTarget(name: "AlidadeBaseTests", dependencies: ["AlidadeBase"]),
    .testTarget(name: "AlidadeCoordinatesTests", dependencies: ["AlidadeCoordinates"]),
    .testTarget(name: "AlidadeGeometryTests", dependencies: ["AlidadeGeometry"]),
    .testTarget(name: "AlidadeDataTests", dependencies: ["AlidadeData"]),
    .testTarget(name: "AlidadeMapTests", dependencies: ["AlidadeMap"]),
    .testTarget(name: "AlidadeABITests", dependencies: ["AlidadeABI", "CAlidade"]),
  ],
  swiftLanguageModes: [.v6]
)
