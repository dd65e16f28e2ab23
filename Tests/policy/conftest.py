"""What the policy's tests share: rasters to name, VRTs that name them, and a server on this machine that counts."""
import http.server
import importlib.util
import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy
import pytest
import rasterio
from rasterio.transform import Affine

from children import run

ROOT = Path(__file__).resolve().parents[2]
RASTERS = ROOT / "Tests" / "data" / "rasters"
SIZE = 64

if importlib.util.find_spec("alidade") is None:
    sys.path.insert(0, str(ROOT / "bindings" / "python"))


def pytest_addoption(parser):
    parser.addoption("--seconds", type=float, default=10.0, help="how long test_exhausted.py goes on by chance")


@pytest.fixture(scope="session")
def generated(tmp_path_factory):
    """The folder with what Tests/data/generate.py makes."""
    folder = tmp_path_factory.mktemp("generated")
    subprocess.run([sys.executable, "-B", str(ROOT / "Tests" / "data" / "generate.py"), str(folder)], check=True)
    return folder


@pytest.fixture(scope="session")
def runtime():
    import alidade

    with alidade.Runtime() as runtime:
        yield runtime


@pytest.fixture(scope="session")
def driver_files(tmp_path_factory):
    """A job for a file of each driver that can write one, and for the rasters that are kept with the tests."""
    folder = tmp_path_factory.mktemp("drivers")
    done = subprocess.run([sys.executable, "-B", str(ROOT / "Tests" / "policy" / "driver_samples.py"), str(folder)], check=True, text=True,
                          capture_output=True)
    made = json.loads(done.stdout)
    for name in ("MODIS_ARRAY.nc", "rat.img", "red.tif", "RGB.byte.gcp.vrt"):
        place = folder / f"kept-{name}"
        shutil.copytree(RASTERS, place)
        made.append({"content": "raster", "driver": "", "path": str(place / name)})
    jobs = [{"content": one["content"], "path": one["path"],
             "drivers": [one["driver"]] if one["driver"] else []} for one in made]
    jobs += [{"content": "raster", "path": str(folder / "kept-MODIS_ARRAY.nc" / "MODIS_ARRAY.nc"), "drivers": [driver]}
             for driver in ("netCDF", "HDF5")]
    opened = [job for job, one in zip(jobs, run(jobs)) if one.said == ""]
    assert len({job["drivers"][0] for job in opened if job["drivers"]}) > 60
    return opened


def write_raster(path, first=1, driver="GTiff", size=SIZE, **options):
    """A raster of numbered cells; `first` is the first number."""
    path.parent.mkdir(parents=True, exist_ok=True)
    profile = dict(driver=driver, width=size, height=size, count=1, dtype="uint16", crs="EPSG:32633",
                   transform=Affine(30, 0, 500_000, 0, -30, 5_000_000), **options)
    with rasterio.open(path, "w", **profile) as file:
        file.write((numpy.arange(size * size).reshape(size, size) % 60000 + first).astype("uint16"), 1)
    return path


def vrt(*elements, size=SIZE, attributes="", band="", before=""):
    """A VRT of one band with these elements in it."""
    return (
        f'<VRTDataset rasterXSize="{size}" rasterYSize="{size}" {attributes}>{before}'
        "<SRS>EPSG:32633</SRS><GeoTransform>500000, 30, 0, 5000000, 0, -30</GeoTransform>"
        f'<VRTRasterBand dataType="UInt16" band="1" {band}>{"".join(elements)}</VRTRasterBand></VRTDataset>'
    )


def source(name, relative=1, kind="SimpleSource", more=""):
    """An element of a VRT that shows all of another file."""
    rectangle = f'xOff="0" yOff="0" xSize="{SIZE}" ySize="{SIZE}"'
    name = str(name).replace("&", "&amp;").replace("<", "&lt;")
    return (
        f'<{kind}><SourceFilename relativeToVRT="{relative}">{name}</SourceFilename><SourceBand>1</SourceBand>'
        f"<SrcRect {rectangle}/><DstRect {rectangle}/>{more}</{kind}>"
    )


class Counter:
    """A server on 127.0.0.1 that gives a raster to everyone and keeps what it was asked for."""

    def __init__(self, body):
        self.requests = requests = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                requests.append(self.path)
                part, status = body, 200
                if not self.path.endswith(".tif"):
                    part, status = b"", 404
                elif self.headers.get("Range"):
                    first, last = self.headers["Range"].removeprefix("bytes=").split("-")
                    part, status = body[int(first) : int(last) + 1], 206
                self.send_response(status)
                if status == 206:
                    self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(body)}")
                self.send_header("Accept-Ranges", "bytes")
                self.send_header("Content-Length", str(len(part)))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(part)

            do_HEAD = do_POST = do_GET

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()

    def stop(self):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def server(tmp_path):
    counter = Counter(write_raster(tmp_path / "on-the-network" / "x.tif").read_bytes())
    yield counter
    counter.stop()


def service(address):
    """The description of a tiled map service, which GDAL's WMS driver opens."""
    return (
        f'<GDAL_WMS><Service name="TMS"><ServerUrl>http://{address}/${{z}}/${{x}}/${{y}}.tif</ServerUrl></Service>'
        "<DataWindow><UpperLeftX>500000</UpperLeftX><UpperLeftY>5000000</UpperLeftY><LowerRightX>501920</LowerRightX>"
        f"<LowerRightY>4998080</LowerRightY><SizeX>{SIZE}</SizeX><SizeY>{SIZE}</SizeY><TileLevel>0</TileLevel>"
        "<TileCountX>1</TileCountX><TileCountY>1</TileCountY><YOrigin>top</YOrigin></DataWindow>"
        f"<BlockSizeX>{SIZE}</BlockSizeX><BlockSizeY>{SIZE}</BlockSizeY><BandsCount>1</BandsCount></GDAL_WMS>"
    )


def cells(raster):
    """All stored values of the first band."""
    info = raster.info
    grid = numpy.stack(numpy.meshgrid(numpy.arange(info.width), numpy.arange(info.height)), axis=-1).reshape(-1, 2)
    return raster.read_cells(grid).values[:, 0]["value"].reshape(info.height, info.width)
