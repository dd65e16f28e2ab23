"""The wheel in an environment of its own, against packages from PyPI that bring their own GDAL, PROJ and GEOS.

Tests/wheel/run installs it and hides the system's data. Without that, the tests fail where they find the system's.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import ssl
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Iterator

import geopandas
import numpy as np
import pyproj
import pytest
import rasterio
import rasterio.shutil
import shapely

import alidade
from alidade import _library

REPOSITORY = Path(__file__).resolve().parents[2]
DATA = REPOSITORY / "Tests" / "data"
GRID = REPOSITORY / "examples" / "transformations" / "grids" / "us_noaa_conus.tif"
ELEVATION = DATA / "rasters" / "Shasta_Elevation.tif"
PACKAGE = Path(alidade.__file__).resolve().parent


def run_python(code: str, *arguments: str, **environment: str) -> str:
    """Runs code in a new interpreter, and returns what it prints."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ALIDADE_")}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**clean, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout.strip()


@pytest.fixture()
def runtime() -> Iterator[alidade.Runtime]:
    with alidade.Runtime() as runtime:
        yield runtime


def test_the_package_is_the_wheel() -> None:
    assert PACKAGE.parent.name == "site-packages" and PACKAGE.is_relative_to(sys.prefix)
    assert _library.find() == PACKAGE / "lib" / "libalidade.so.0"
    assert alidade.version() == alidade.__version__


def test_the_data_is_in_the_package(runtime: alidade.Runtime) -> None:
    report = runtime.report()
    assert report["proj"]["database"] == str(PACKAGE / "share" / "proj" / "proj.db")
    assert report["gdal"]["support_files"] == str(PACKAGE / "share" / "gdal" / "gdalvrt.xsd")
    assert not any(Path(folder).exists() and any(Path(folder).iterdir()) for folder in ("/usr/share/proj", "/usr/share/gdal"))


def listed(mark: str) -> list[str]:
    """The drivers that the description of the wheel lists in the item that begins with a mark."""
    description = importlib.metadata.metadata("alidade-map").get_payload()
    assert isinstance(description, str)
    (item,) = re.findall(rf"^- {mark}(.*?)\.\n(?=\n|- )", description, re.MULTILINE | re.DOTALL)
    return " ".join(item.split()).split(", ")


def test_the_drivers_are_those_listed(runtime: alidade.Runtime) -> None:
    assert listed("Rasters: ") == runtime.report()["gdal"]["allowed_drivers"]
    features, left_out = listed("Features: "), ["netCDF", *listed("netCDF, ")]
    with alidade.Runtime(policy=alidade.Policy(drivers=[*features, *left_out])) as other:
        report = other.report()["gdal"]
    assert report["allowed_drivers"] == features
    assert report["allowed_drivers_that_this_gdal_lacks"] == left_out


# Uses GDAL, PROJ, GEOS, SQLite and libcurl, and prints which shared libraries are in the process.
USE_ALL = f"""
import alidade
with alidade.Runtime() as runtime:
    raster = alidade.Raster(runtime, {str(ELEVATION)!r})
    raster.read_cells((5, 5))
    wgs84 = alidade.SpatialReference(runtime, 4326)
    wgs84.project([(10.0, 50.0)], alidade.SpatialReference(runtime, 27700))
    alidade.Geometry.from_wkt("POINT (1 2)", wgs84).buffer(1)
with alidade.Runtime(policy=alidade.Policy(hosts=["127.0.0.1"])) as runtime:
    try:
        alidade.Raster(runtime, "https://127.0.0.1:9/file.tif")
    except alidade.AlidadeError as error:
        assert "127.0.0.1" in str(error), error
lines = {{line.split(maxsplit=5)[-1].strip() for line in open("/proc/self/maps") if ".so" in line}}
print("\\n".join(sorted(lines)))
"""


def test_no_other_library_is_loaded() -> None:
    """Only libraries of the C and C++ compilers, Python and numpy."""
    mapped = [Path(line) for line in run_python(USE_ALL).splitlines()]
    ours = [path for path in mapped if not path.is_relative_to(sys.prefix) and "python" not in str(path)]
    assert PACKAGE / "lib" / "libalidade.so.0" in mapped
    names = {path.name.split(".so")[0] for path in ours}
    assert names <= {
        "ld-linux-x86-64", "ld-linux-aarch64", "libc", "libm", "libgcc_s", "libstdc++", "libpthread", "libdl", "librt", "libutil",
        # Of Python's own modules.
        "libffi", "libz", "libexpat", "libcrypto", "libssl", "libbz2", "liblzma", "libuuid",
    }  # fmt: skip


@pytest.mark.parametrize("variable", ["PROJ_DATA", "PROJ_LIB", "GDAL_DATA", "GDAL_DRIVER_PATH"])
def test_the_environment_of_another_copy(variable: str, tmp_path: Path) -> None:
    """A proj.db of another version, GDAL's files and plugins of another version: what a conda environment names."""
    (tmp_path / "proj.db").write_bytes(b"of another version")
    (tmp_path / "gdalvrt.xsd").write_bytes(b"")
    (tmp_path / "gdal_other.so").write_bytes(b"")
    code = f"""
import alidade
with alidade.Runtime() as runtime:
    raster = alidade.Raster(runtime, {str(ELEVATION)!r})
    print(raster.spatial_reference == alidade.SpatialReference(runtime, 27700), alidade.SpatialReference(runtime, 27700))
    print(runtime.report()["gdal"]["support_files"], runtime.report()["proj"]["database"])
"""
    usual = run_python(code)
    assert "OSGB" in usual and str(PACKAGE) in usual
    assert run_python(code, **{variable: str(tmp_path)}) == usual


@pytest.mark.parametrize(
    "options",
    [
        *({"compress": name} for name in ("deflate", "lzw", "zstd", "packbits", "lerc", "lerc_deflate", "lerc_zstd")),
        {"compress": "webp", "webp_lossless": True, "interleave": "pixel"},
        {"compress": "jpeg", "photometric": "ycbcr"},
    ],
    ids=lambda options: options["compress"],
)
def test_compressions_of_geotiff(runtime: alidade.Runtime, tmp_path: Path, options: dict[str, object]) -> None:
    path = tmp_path / "file.tif"
    with rasterio.open(DATA / "rasters" / "RGB.byte.tif") as source:
        picture = source.read(window=((300, 364), (300, 364)))
    with rasterio.open(path, "w", driver="GTiff", width=64, height=64, count=3, dtype="uint8", crs="EPSG:32618",
                       transform=rasterio.transform.from_origin(400_000, 2_800_000, 30, 30), **options) as file:  # fmt: skip
        file.write(picture)
    check_raster(runtime, path)


@pytest.mark.parametrize("driver", ["PNG", "JPEG", "WEBP", "JP2OpenJPEG", "GIF", "HFA", "ENVI", "AAIGrid", "NITF", "GPKG"])
def test_raster_formats(runtime: alidade.Runtime, tmp_path: Path, driver: str) -> None:
    path = tmp_path / "file"
    with rasterio.open(DATA / "rasters" / "RGB.byte.tif") as source:
        bands = 1 if driver in ("AAIGrid", "GIF") else 3
        picture = source.read(list(range(1, bands + 1)), window=((300, 364), (300, 364)))
    with rasterio.open(tmp_path / "source.tif", "w", driver="GTiff", width=64, height=64, count=bands, dtype="uint8",
                       crs="EPSG:32618", transform=rasterio.transform.from_origin(400_000, 2_800_000, 30, 30)) as file:  # fmt: skip
        file.write(picture)
    rasterio.shutil.copy(tmp_path / "source.tif", path, driver=driver)
    check_raster(runtime, path)


def check_raster(runtime: alidade.Runtime, path: Path) -> None:
    """Cells and spatial reference are those that rasterio reads."""
    raster = alidade.Raster(runtime, path)
    with rasterio.open(path) as file:
        expected = file.read()
        if file.crs is not None and file.crs.to_epsg() is not None:
            assert raster.spatial_reference.is_equivalent(alidade.SpatialReference(runtime, file.crs.to_epsg()))
    points = [(x, y) for y in range(0, 64, 9) for x in range(0, 64, 7)]
    found = raster.read_cells(points).values["value"]
    # Decoders of JPEG and WebP may round differently; what is not decoded at all is far away.
    assert np.abs(found - np.array([expected[:, y, x] for x, y in points], float).reshape(found.shape)).max() <= 2


EXTENSIONS = {
    "GPKG": "gpkg", "FlatGeobuf": "fgb", "ESRI Shapefile": "shp", "GeoJSON": "geojson", "GML": "gml", "KML": "kml",
    "SQLite": "sqlite", "MapInfo File": "tab", "GPX": "gpx", "DXF": "dxf",
}  # fmt: skip


@pytest.mark.parametrize("driver", EXTENSIONS)
def test_feature_formats(runtime: alidade.Runtime, tmp_path: Path, driver: str) -> None:
    """Features that GeoPandas writes with its own GDAL."""
    path = tmp_path / f"file.{EXTENSIONS[driver]}"
    places = geopandas.read_file(DATA / "features" / "places.geojson")
    places = places[places.geometry.geom_type == "Point"].to_crs(4326)
    assert len(places) > 0
    written = places.geometry.to_frame("geometry")
    if driver not in ("GPX", "DXF"):  # They have fields of their own.
        written["number"] = np.arange(len(places), dtype=np.int32)
    written.to_file(path, driver=driver)
    source = alidade.open(runtime, path)
    with_theirs = geopandas.read_file(path)
    found = sorted(shapely.from_wkb(feature.geometry.to_wkb()).coords[0][:2] for feature in source.query())
    expected = sorted(point.coords[0][:2] for point in with_theirs.geometry)
    assert np.allclose(found, expected, rtol=0, atol=1e-9)


def test_points_of_another_proj(runtime: alidade.Runtime) -> None:
    points = [(longitude + 0.25, latitude + 0.5) for longitude in range(-8, 2) for latitude in range(50, 60)]
    ours = alidade.SpatialReference(runtime, 4326).project(points, alidade.SpatialReference(runtime, 32630)).points
    theirs = np.stack(pyproj.Transformer.from_crs(4326, 32630, always_xy=True).transform(*np.transpose(points)), axis=1)
    assert np.abs(ours - theirs).max() < 1e-6


def test_a_grid_in_geotiff(runtime: alidade.Runtime) -> None:
    """PROJ reads its grids with libtiff."""
    x, y = np.linspace(-120, -80, 9), np.full(9, 40.0)
    pipeline = (
        f"+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=hgridshift +grids={GRID} "
        "+step +proj=unitconvert +xy_in=rad +xy_out=deg"
    )
    expected = np.column_stack(pyproj.Transformer.from_pipeline(pipeline).transform(x, y))
    runtime.set_grid_directories([GRID.parent])
    found = alidade.project_coordinates(
        alidade.SpatialReference(runtime, 4267), alidade.SpatialReference(runtime, 4269), x, y, only_best=True
    )
    assert np.abs(np.column_stack([found.x, found.y]) - expected).max() < 1e-11
    assert np.abs(found.x - x).max() > 1e-4


class Files:
    """A server of one file by https, with a certificate of its own."""

    def __init__(self, path: Path, certificate: Path, key: Path) -> None:
        body = path.read_bytes()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                first, last = (int(number) for number in self.headers["Range"].removeprefix("bytes=").split("-"))
                part = body[first : last + 1]
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(body)}")
                self.send_header("Content-Length", str(len(part)))
                self.end_headers()
                self.wfile.write(part)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"https://localhost:{self._server.server_port}/file.tif"

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def test_https(tmp_path: Path) -> None:
    """The certificate of a server is checked: against the certificates of the system, or of the file that SSL_CERT_FILE names."""
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True)  # fmt: skip
    code = """
import sys, alidade
with alidade.Runtime(policy=alidade.Policy(hosts=["localhost"])) as runtime:
    try:
        print(alidade.Raster(runtime, sys.argv[1]).read_cells((250, 205)).values["value"])
    except alidade.AlidadeError as error:
        print("refused:", error)
"""
    with rasterio.open(ELEVATION) as file:
        expected = file.read(1)[205, 250]
    with Files(ELEVATION, certificate, key) as server:
        refused = run_python(code, server.url)
        assert refused.startswith("refused:") and "certificate" in refused.lower()
        read = run_python(code, server.url, SSL_CERT_FILE=str(certificate))
        assert np.isclose(float(read.strip("[]")), expected), read


NEIGHBOURS = {
    "alidade": f"""
import alidade
runtime = alidade.Runtime()
def ours():
    raster = alidade.Raster(runtime, {str(ELEVATION)!r})
    wgs84 = alidade.SpatialReference(runtime, 4326)
    source = alidade.open(runtime, {str(DATA / "features" / "places.geojson")!r})
    return (float(raster.read_cells((250, 205)).values["value"].ravel()[0]), len(list(source.query())),
            *wgs84.project([(-2.5, 52.5)], alidade.SpatialReference(runtime, 32630)).points[0],
            alidade.Geometry.from_wkt("POLYGON ((0 0, 4 0, 0 3, 0 0))", 32630).area())
""",
    "others": f"""
import rasterio, pyproj, pyogrio, shapely
def theirs():
    with rasterio.open({str(ELEVATION)!r}) as file:
        value = float(file.read(1)[205, 250])
    return (value, len(pyogrio.raw.read({str(DATA / "features" / "places.geojson")!r})[2]),
            *pyproj.Transformer.from_crs(4326, 32630, always_xy=True).transform(-2.5, 52.5),
            shapely.from_wkt("POLYGON ((0 0, 4 0, 0 3, 0 0))").area)
""",
}


@pytest.mark.parametrize("order", [("alidade", "others"), ("others", "alidade")], ids="-".join)
def test_neighbours_in_one_process(order: tuple[str, str]) -> None:
    """rasterio, pyproj, pyogrio and shapely with their own copies: each is used before the other is imported, and after."""
    use = {"alidade": "first = ours()\n", "others": "first = theirs()\n"}
    code = "".join(NEIGHBOURS[name] + use[name] for name in order)
    code += """
import math, os
for _ in range(20):
    pairs = list(zip(ours(), theirs()))
    assert all(math.isclose(a, b, rel_tol=0, abs_tol=1e-6) for a, b in pairs), pairs
assert len(first) == len(pairs) == 5
copies = {line.split()[-1] for line in open("/proc/self/maps") if "libgdal" in line or "libproj" in line}
assert len(copies) >= 3 and all("site-packages" in copy for copy in copies), copies
print("right")
"""
    assert run_python(code) == "right"
