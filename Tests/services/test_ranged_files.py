"""GeoTIFF files that a server has: the same cells and pixels as from the file itself, over the parts that are needed."""
import os
import subprocess
import sys
import time

import alidade
import numpy as np
import pytest
import rasterio
from rasterio.transform import from_origin

from client import MapServer
from conftest import wait_until

Flags = alidade.layers.LayerViewFlags
NOT_LOADED = int(alidade.rasters.CellVerdict.NOT_LOADED)
WIDTH, HEIGHT = 400, 300
COLUMNS, ROWS = 5000, 4000


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Cloud Optimized GeoTIFFs: heights of a formula with noise, which does not compress, and colours with a mask."""
    folder = tmp_path_factory.mktemp("files")
    random = np.random.default_rng(18)
    row, column = np.mgrid[0:ROWS, 0:COLUMNS]
    heights = (column * 0.5 + row * 0.25 + random.normal(0, 0.2, (ROWS, COLUMNS))).astype(np.float32)
    heights[1000:1100, 2000:2300] = -9999
    colors = np.stack([column % 256, row % 256, (column + row) % 256]).astype(np.uint8)
    mask = np.where((column // 700 + row // 500) % 5 == 0, 0, 255).astype(np.uint8)
    for name, bands, nodata in (("heights", heights[None], -9999), ("colors", colors, None)):
        profile = dict(driver="GTiff", width=COLUMNS, height=ROWS, count=len(bands), dtype=bands.dtype, nodata=nodata,
                       crs="EPSG:32632", transform=from_origin(400_000, 5_300_000, 10, 10))
        with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True), rasterio.open(folder / f"{name}_plain.tif", "w", **profile) as file:
            file.write(bands)
            if name == "colors":
                file.write_mask(mask)
        subprocess.run(["gdal_translate", "-q", "-of", "COG", "-co", "BLOCKSIZE=256", "-co", "COMPRESS=DEFLATE",
                        folder / f"{name}_plain.tif", folder / f"{name}.tif"], check=True)
    (folder / "page.tif").write_text("<html>This is no file.</html>")
    return folder


@pytest.fixture
def server(folder):
    with MapServer(files=folder) as server:
        yield server


class Stage:
    """A view of the file of the server, and of the same file on this machine."""

    def __init__(self, runtime, server, folder, name):
        self.far = alidade.RasterLayer.from_path(runtime, f"{server.url}/files/{name}.tif")
        self.near = alidade.RasterLayer.from_path(runtime, str(folder / f"{name}.tif"))
        self.map = alidade.Map(runtime, alidade.SpatialReference(runtime, "EPSG:32632"))
        for layer in (self.far, self.near):
            self.map.add_layer(layer)
            layer.load()
        self.view = alidade.View(self.map, width_dip=WIDTH, height_dip=HEIGHT)
        self.verdicts = np.zeros((HEIGHT, WIDTH), np.uint8)

    def look(self, column, row, metres_per_pixel, rotation_deg=0.0):
        center = (400_000 + 10 * column, 5_300_000 - 10 * row)
        self.view.set_viewpoint(center, scale=metres_per_pixel * 96 / 0.0254, rotation_deg=rotation_deg)

    def frame(self):
        began = time.monotonic()
        pixels = self.view.read_rgba(self.far, verdicts=self.verdicts)
        assert time.monotonic() - began < 1  # a busy machine; servers stall for minutes
        return pixels

    def settle(self):
        def is_whole():
            self.frame()
            return NOT_LOADED not in self.verdicts
        assert wait_until(is_whole)
        return self.frame()

    def expected(self, factor):
        """The file's own pixels at the overview whose cells are `factor` times as large."""
        verdicts = np.zeros_like(self.verdicts)
        pixels = self.view.read_rgba(self.near, alidade.views.ScreenGrid(overviews=factor > 1), verdicts=verdicts)
        return pixels, verdicts

    @property
    def flags(self):
        return self.view.layer_state(self.far).flags

    @property
    def error(self):
        return self.view.layer_state(self.far).error


@pytest.fixture(params=["heights", "colors"])
def stage(runtime, server, folder, request):
    return Stage(runtime, server, folder, request.param)


def read_bytes(server):
    return sum(one["sent"] for one in server.requests("/files/"))


def test_pixels_are_those_of_the_file(stage):
    # Both choose the same level: cells that are smaller than a pixel in each direction, and by less than half.
    for column, row, factor, rotation in [(2500, 2000, 1, 0), (700, 3000, 2, 30), (2500, 2000, 8, 200), (60, 60, 1, 45)]:
        stage.look(column, row, 10 * factor * 1.35, rotation)
        pixels = stage.settle()
        expected, verdicts = stage.expected(factor)
        assert (stage.verdicts == verdicts).all()
        assert (pixels == expected).all()


def test_values_are_those_of_the_file(runtime, server, folder):
    stage = Stage(runtime, server, folder, "heights")
    stage.look(2200, 1050, 10)
    stage.settle()
    far = stage.view.read_values(stage.far)
    near = stage.view.read_values(stage.near)
    assert np.array_equal(far, near, equal_nan=True) and np.isnan(far).any() and not np.isnan(far).all()


def test_cells_are_those_of_the_file(stage, folder, server):
    random = np.random.default_rng(5)
    cells = np.column_stack([random.integers(0, COLUMNS, 60), random.integers(0, ROWS, 60)])
    far = stage.far.raster.read_cells(cells)
    with rasterio.open(folder / f"{stage.near.raster.info.path.rsplit('/', 1)[1]}") as file:
        bands = file.read()
    for values, (column, row) in zip(far.values["value"], cells):
        assert tuple(values) == tuple(float(value) for value in bands[:, row, column])


def test_taps_are_native(stage):
    """Whatever the view shows: one cell is one part of the file."""
    stage.look(2500, 2000, 100, 20)
    for point in [(10.5, 10.5), (200.5, 150.5), (390.5, 290.5)]:
        [far] = stage.view.identify_layer(stage.far, point)
        [near] = stage.view.identify_layer(stage.near, point)
        assert (far.text, far.cell.column, far.cell.row) == (near.text, near.cell.column, near.cell.row)


def test_analysis_reads_the_server(runtime, server, folder):
    stage = Stage(runtime, server, folder, "heights")
    window = alidade.rasters.RasterWindow(100, 200, 300, 250)
    far, near = (layer.raster.read_window(1, window) for layer in (stage.far, stage.near))
    assert np.array_equal(far, near, equal_nan=True)


def test_only_what_is_needed_is_read(runtime, server, folder):
    size = os.path.getsize(folder / "heights.tif")
    assert size > 20 << 20
    stage = Stage(runtime, server, folder, "heights")
    stage.look(2500, 2000, 10)
    stage.settle()
    assert read_bytes(server) < size / 10
    assert all(one["status"] == 206 for one in server.requests("/files/"))
    server.clear()
    stage.frame()
    assert server.requests() == []


def test_no_frame_waits(server, stage):
    server.fault("stall", path="/files/")
    stage.look(4000, 3000, 10)
    stage.frame()
    assert (stage.verdicts == NOT_LOADED).any()
    assert stage.flags == Flags.ACTIVE | Flags.LOADING
    assert stage.view.fetch_progress(stage.far).wanted_count > 0
    server.well()
    stage.settle()
    assert wait_until(lambda: stage.flags == Flags.ACTIVE)


def test_the_network_is_cut_and_comes_back(server, stage):
    stage.look(2500, 2000, 10)
    stage.settle()
    server.command("refuse")
    stage.look(4000, 3000, 10)
    stage.frame()
    assert wait_until(lambda: stage.flags == Flags.ACTIVE | Flags.WARNING)
    assert "127.0.0.1" in str(stage.error) and "connect" in str(stage.error)
    # Reading cells reports the same.
    with pytest.raises(alidade.errors.ReadFailedError, match="127.0.0.1"):
        stage.far.raster.read_cells([(100, 3900)])
    server.command("listen")
    pixels = stage.settle()
    assert wait_until(lambda: stage.flags == Flags.ACTIVE)
    assert (pixels == stage.expected(1)[0]).all()


def test_a_file_that_changes_on_the_server(server, stage):
    stage.look(2500, 2000, 10)
    stage.settle()
    server.set(version=1)
    stage.look(4000, 3000, 10)
    stage.frame()
    assert wait_until(lambda: Flags.WARNING in stage.flags)
    assert "has changed since it was opened" in str(stage.error)


def test_a_server_without_ranges(runtime, server, folder):
    server.set(accept_ranges=0)
    stage = Stage(runtime, server, folder, "heights")
    stage.look(2500, 2000, 10)
    assert (stage.settle() == stage.expected(1)[0]).all()
    assert len(server.requests("/files/")) <= 2


@pytest.mark.parametrize("kind, words", [("status", "being repaired"), ("html", "sign in"), ("half", "127.0.0.1"),
                                         ("garbage", "no raster|known"), ("drop", "127.0.0.1"), ("empty", "")])
def test_a_server_that_misbehaves(runtime, server, kind, words):
    server.fault(kind, path="/files/")
    with pytest.raises(alidade.AlidadeError) as caught:
        alidade.Raster(runtime, f"{server.url}/files/heights.tif")
    assert any(word in str(caught.value) for word in words.split("|")), str(caught.value)
    server.well()
    with alidade.Raster(runtime, f"{server.url}/files/heights.tif") as raster:
        assert raster.info.width == COLUMNS


def test_what_is_no_geotiff(runtime, server):
    with pytest.raises(alidade.errors.UnsupportedError, match="GeoTIFF"):
        alidade.Raster(runtime, f"{server.url}/files/page.tif")
    with pytest.raises(alidade.errors.NotFoundError, match="404"):
        alidade.Raster(runtime, f"{server.url}/files/none.tif")


def test_a_fork_while_a_file_waits(runtime, server, stage):
    """The gate is left while the server is waited for: a child is as good as any."""
    server.fault("stall", path="/files/")
    stage.look(4000, 3000, 10)
    stage.frame()
    assert wait_until(lambda: server.command("counts")["active"] > 0)
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            with alidade.Runtime() as own:
                alidade.SpatialReference(own, "EPSG:3857")
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert time.monotonic() - began < 2  # a busy machine; the server stalls for minutes
    assert os.waitpid(child, 0)[1] == 0
    server.well()
    stage.settle()


def test_the_end_while_a_file_waits(server):
    """A process that ends while the server is waited for just ends."""
    script = f"""
import alidade
runtime = alidade.Runtime(policy=alidade.Policy(hosts=["{server.address}"]))
layer = alidade.RasterLayer.from_path(runtime, "{server.url}/files/heights.tif")
layer.load()
map = alidade.Map(runtime, layer.raster.spatial_reference)
map.add_layer(layer)
view = alidade.View(map, width_dip=400, height_dip=300)
view.set_viewpoint((440_000, 5_270_000), scale=40_000)
print("loaded", flush=True)
input()
view.read_rgba(layer)
print("begun", flush=True)
input()
"""
    environment = dict(os.environ)
    environment.setdefault("PYTHONPATH", os.path.dirname(os.path.dirname(alidade.__file__)))
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   text=True, env=environment)
        assert process.stdout.readline() == "loaded\n"
        server.fault("stall", path="/files/")
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "begun\n"
        assert wait_until(lambda: server.command("counts")["active"] > 0)
        began = time.monotonic()
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.wait(10) == 0 and time.monotonic() - began < 2
        process.stdin.close()
        process.stdout.close()
        server.well()


class Ranges:
    """A server of one file whose parts are not what they should be."""

    def __init__(self, body, part):
        import threading
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                first, last = (int(number) for number in self.headers["Range"].removeprefix("bytes=").split("-"))
                data, says = part(body, first, min(last, len(body) - 1))
                self.send_response(206)
                self.send_header("Content-Range", says)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/file.tif"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def shifted(body, first, last):
    shift = 1000 if first > 0 else 0
    return body[first + shift : last + shift + 1], f"bytes {first + shift}-{last + shift}/{len(body)}"


def longer(body, first, last):
    return body[first : last + 1], f"bytes {first}-{last}/{len(body) + (7 if first > 0 else 0)}"


@pytest.mark.parametrize("part", [shifted, longer])
def test_parts_of_another_place_or_file(folder, part):
    """They have the right length, and are refused."""
    body = (folder / "heights.tif").read_bytes()
    with Ranges(body, part) as server, alidade.Runtime(policy=alidade.Policy(hosts=["127.0.0.1"])) as runtime:
        with pytest.raises(alidade.errors.ReadFailedError, match="changed"):
            raster = alidade.Raster(runtime, server.url)
            raster.read_cells([(4000, 3900), (10, 10), (2500, 2000)])


@pytest.mark.parametrize("size", [(1 << 63) - 1, (1 << 63) - 32768, 0, -1])
def test_sizes_that_no_file_has(folder, size):
    body = (folder / "heights.tif").read_bytes()
    with Ranges(body, lambda body, first, last: (body[first : last + 1], f"bytes {first}-{last}/{size}")) as server:
        with alidade.Runtime(policy=alidade.Policy(hosts=["127.0.0.1"])) as runtime:
            with pytest.raises(alidade.errors.ReadFailedError):
                alidade.Raster(runtime, server.url)


def test_more_bands_than_are_kept(runtime, tmp_path):
    """A view whose tiles are larger than what is kept of a layer: it keeps what it shows."""
    path = tmp_path / "bands.tif"
    with rasterio.open(path, "w", driver="GTiff", width=1024, height=1024, count=60, dtype="uint16", crs="EPSG:32632",
                       transform=from_origin(400_000, 5_300_000, 10, 10), tiled=True, blockxsize=512, blockysize=512,
                       interleave="pixel", sparse_ok=True) as file:
        file.write(np.full((1024, 1024), 700, np.uint16), 1)
    with MapServer(files=tmp_path) as server:
        with alidade.Runtime(policy=alidade.Policy(hosts=[server.address])) as runtime:
            layer = alidade.RasterLayer.from_path(runtime, f"{server.url}/files/bands.tif")
            map = alidade.Map(runtime, alidade.SpatialReference(runtime, "EPSG:32632"))
            map.add_layer(layer)
            layer.load()
            view = alidade.View(map, width_dip=1000, height_dip=1000)
            view.set_viewpoint((405_120, 5_294_880), scale=10 * 96 / 0.0254)
            verdicts = np.zeros((1000, 1000), np.uint8)

            def is_whole():
                view.read_rgba(layer, verdicts=verdicts)
                return NOT_LOADED not in verdicts

            assert wait_until(is_whole, 60)
            server.clear()
            for _ in range(5):
                assert is_whole()
            assert server.requests() == [] and view.layer_state(layer).flags == Flags.ACTIVE
            with view.screen_picture(layer) as picture:
                assert picture.lacking_count == 0
