"""Raster layers of tile and map services: what a view shows is what the server's formulas say, no frame waits, what lacks
is said, and all is well again when the server is. The server is another process."""
import itertools
import time

import alidade
import numpy as np
import pytest
from pyproj import Transformer

import server as data
from conftest import wait_until

Flags = alidade.layers.LayerViewFlags
NOT_LOADED = int(alidade.rasters.CellVerdict.NOT_LOADED)
VALUE, TRANSPARENT = int(alidade.rasters.CellVerdict.VALUE), int(alidade.rasters.CellVerdict.TRANSPARENT)
WORLD = 2 * data.HALF_WORLD
WIDTH, HEIGHT = 400, 300
SERVICES = {"XYZ": "tiles/{z}/{x}/{y}.png", "XYZ from below": "tiles/{z}/{x}/{-y}.png",
            "WMTS": "wmts/capabilities.xml", "WMTS by query": "wmts/capabilities.xml?layer=map&tilematrixset=GM"}


def scale_of(zoom):
    """The scale at which a pixel of a tile is a pixel of the screen."""
    return WORLD / 256 / 2**zoom * 96 / 0.0254


class Stage:
    """A view of a raster layer of a service."""

    def __init__(self, runtime, address, code=3857, **options):
        self.runtime = runtime
        self.layer = alidade.RasterLayer.from_path(runtime, address)
        self.map = alidade.Map(runtime, alidade.SpatialReference(runtime, f"EPSG:{code}"))
        self.map.add_layer(self.layer)
        self.view = alidade.View(self.map, width_dip=WIDTH, height_dip=HEIGHT, **options)
        self.to_mercator = Transformer.from_crs(code, 3857, always_xy=True)
        self.from_degrees = Transformer.from_crs(4326, code, always_xy=True)
        rows, columns = self.view.grid_size()[::-1]
        self.verdicts = np.zeros((rows, columns), np.uint8)

    def look(self, longitude, latitude, zoom, rotation_deg=0.0):
        self.view.set_viewpoint(self.from_degrees.transform(longitude, latitude), scale=scale_of(zoom),
                                rotation_deg=rotation_deg)

    def frame(self):
        """The pixels of a frame. It never waits."""
        began = time.monotonic()
        pixels = self.view.read_rgba(self.layer, verdicts=self.verdicts)
        assert time.monotonic() - began < 1  # a busy machine; servers stall for minutes
        return pixels

    def settle(self, seconds=10.0):
        """Draws frames until nothing lacks."""
        def is_whole():
            self.frame()
            return NOT_LOADED not in self.verdicts
        assert wait_until(is_whole, seconds)
        return self.frame()

    @property
    def flags(self):
        return self.view.layer_state(self.layer).flags

    @property
    def error(self):
        return self.view.layer_state(self.layer).error

    def mercator_points(self):
        """The centre of each pixel in Web Mercator, as arrays of rows x columns."""
        rows, columns = self.verdicts.shape
        density = columns / WIDTH
        y, x = np.mgrid[0:rows, 0:columns]
        points = self.view.screen_to_map(np.column_stack([(x.ravel() + 0.5) / density, (y.ravel() + 0.5) / density]))
        x, y = self.to_mercator.transform(points[:, 0], points[:, 1])
        return np.asarray(x).reshape(rows, columns), np.asarray(y).reshape(rows, columns)

    def expected_tiles(self, zoom, from_below=False):
        """What the tiles of a zoom show, and where that is sure: not within a hundredth of a cell of its border."""
        x, y = self.mercator_points()
        column = (x + data.HALF_WORLD) / WORLD * 2**zoom * 256
        row = (data.HALF_WORLD - y) / WORLD * 2**zoom * 256
        sure = (np.abs(column - np.round(column)) > 0.01) & (np.abs(row - np.round(row)) > 0.01)
        column, row = np.floor(column).astype(int) % (2**zoom * 256), np.floor(row).astype(int)
        pixels = np.zeros((*x.shape, 4), np.uint8)
        pixels[..., 0] = (column // 256 * 16 + column % 256 // 16) % 256
        tile_row = 2**zoom - 1 - row // 256 if from_below else row // 256
        pixels[..., 1] = (tile_row * 16 + row % 256 // 16) % 256
        pixels[..., 2] = zoom * 8 % 256
        pixels[..., 3] = 255
        return pixels, sure


@pytest.fixture
def stage(runtime, server):
    stage = Stage(runtime, f"{server.url}/tiles/{{z}}/{{x}}/{{y}}.png")
    stage.layer.load()
    return stage


# MARK: What is shown


@pytest.mark.parametrize("service", SERVICES)
def test_tiles_as_the_server_makes_them(runtime, server, service):
    tiles = Stage(runtime, f"{server.url}/{SERVICES[service]}")
    tiles.layer.load()
    for longitude, latitude, zoom, rotation in [(8, 47, 6, 0), (-122.4, 37.8, 11, 30), (151, -33, 3, 200), (0, 0, 14, 90)]:
        tiles.look(longitude, latitude, zoom, rotation)
        pixels = tiles.settle()
        expected, sure = tiles.expected_tiles(zoom, from_below="{-y}" in SERVICES[service])
        assert sure.mean() > 0.9
        assert (pixels[sure] == expected[sure]).all()
        assert (tiles.verdicts == VALUE).all()


@pytest.mark.parametrize("code, longitude, latitude, zoom",
                         [(32632, 9, 48, 7), (4326, 20, 10, 4), (2193, 173, -41, 6), (3035, 10, 52, 5)])
def test_tiles_in_maps_of_other_spatial_references(runtime, server, code, longitude, latitude, zoom):
    stage = Stage(runtime, f"{server.url}/tiles/{{z}}/{{x}}/{{y}}.png", code)
    stage.layer.load()
    stage.look(longitude, latitude, zoom, 15)
    pixels = stage.settle()
    # The level whose cells are as large as a pixel is one of these; which one, the blue channel says.
    shown = int(pixels[150, 200, 2]) // 8
    assert abs(shown - zoom) <= 2
    expected, sure = stage.expected_tiles(shown)
    # The map's own projection rounds differently from PROJ's, by far less than a thousandth of a cell.
    assert (pixels[sure] == expected[sure]).all()


def test_the_level_is_the_nearest_to_a_physical_pixel(runtime, server):
    for density, zoom in [(1.0, 6.0), (2.0, 6.0), (1.0, 6.45), (1.0, 6.55), (1.5, 6.0)]:
        stage = Stage(runtime, f"{server.url}/tiles/{{z}}/{{x}}/{{y}}.png", pixel_density=density)
        stage.layer.load()
        stage.look(10, 20, zoom)
        pixels = stage.settle()
        wanted = round(zoom + float(np.log2(density)))
        assert int(pixels[10, 10, 2]) // 8 == wanted
        expected, sure = stage.expected_tiles(wanted)
        assert (pixels[sure] == expected[sure]).all()


@pytest.mark.parametrize("code, latitude", [(4326, 0), (3832, 0), (2193, -41), (3460, -18), (3995, 80)])
def test_the_level_where_a_pixel_lies_across_180(runtime, server, code, latitude):
    stage = Stage(runtime, f"{server.url}/tiles/{{z}}/{{x}}/{{y}}.png", code)
    stage.layer.load()
    shown = set()
    for longitude in (179.9, 179.9999, 180, -179.9999, -179.9):
        stage.look(longitude, latitude, 6)
        shown.add(int(stage.settle()[150, 200, 2]) // 8)
    assert len(shown) == 1 and min(shown) >= 3


@pytest.mark.parametrize("name", ["tiles/{z}/{x}/{y}.png", "wmts/degrees.xml"])
def test_the_level_of_a_view_with_a_pole_in_its_middle(runtime, server, name):
    """The level of the rest of the view, although a pixel at the pole covers much more."""
    stage = Stage(runtime, f"{server.url}/{name}", 3995)
    stage.layer.load()
    shown = {}
    for latitude in (90, 89.9, 89, 70):
        stage.look(0, latitude, 3)
        pixels = stage.settle()
        shown[latitude] = int(pixels[stage.verdicts == VALUE][:, 2].max())
        assert (pixels[stage.verdicts == VALUE][:, 2] == shown[latitude]).all()
    step = 8 if name.startswith("tiles") else 1
    assert shown[90] == shown[89.9] == shown[89] and abs(shown[90] - shown[70]) <= step and shown[90] > 0


@pytest.mark.parametrize("level", [0, 1, 2])
def test_tiles_that_reach_beyond_the_world(runtime, server, level):
    stage = Stage(runtime, f"{server.url}/wmts/degrees.xml", 4326)
    stage.layer.load()
    extent = stage.layer.full_extent()
    assert (extent.x_min, extent.y_min, extent.x_max, extent.y_max) == pytest.approx((-180, -90, 180, 90))
    for longitude in (180, -100, 250):
        stage.view.set_viewpoint((longitude, 0), scale=data.DEGREES[level] * 6378137 * np.pi / 180 * 96 / 0.0254)
        pixels = stage.settle()
        points = stage.view.screen_to_map(np.column_stack([np.arange(WIDTH) + 0.5, np.full(WIDTH, 100.5)]))
        at = ((points[:, 0] + 180) % 360) / 2
        clear = np.abs(at - np.round(at)) > data.DEGREES[level]
        assert (stage.verdicts == VALUE)[100].all()
        assert (pixels[100, clear, 0] == np.floor(at[clear])).all() and (pixels[100, :, 2] == level).all()
    found = stage.layer.raster.polygon_statistics([(175, 10), (185, 10), (185, 20), (175, 20)], band=1)
    assert found.value_count > 0 and (found.empty_count, found.outside_count) == (0, 0)
    assert (found.minimum, found.maximum) == (0, 179)


def test_every_copy_of_the_world(stage):
    """Across the antimeridian, and where the view is wider than the world."""
    stage.look(179.9, 10, 5)
    pixels = stage.settle()
    expected, sure = stage.expected_tiles(5)
    assert (pixels[sure] == expected[sure]).all()
    stage.look(100, 0, 0)
    pixels = stage.settle()
    x, _ = stage.mercator_points()
    assert x.max() - x.min() > WORLD
    expected, sure = stage.expected_tiles(0)
    inside = sure & (stage.verdicts == VALUE)
    assert inside.mean() > 0.7 and (pixels[inside] == expected[inside]).all()


@pytest.mark.parametrize("system, unit", [("", 100_000.0), ("&crs=EPSG:4326", 1.0)])
def test_maps_of_a_wms(runtime, server, system, unit):
    """The colour of each cell is that of the point in its middle, so axes that are swapped would show."""
    stage = Stage(runtime, f"{server.url}/wms?service=WMS&layers=map{system}")
    stage.layer.load()
    for longitude, latitude, zoom in [(8, 47, 5), (-70, -30, 8)]:
        stage.look(longitude, latitude, zoom, 10)
        pixels = stage.settle()
        x, y = stage.mercator_points()
        if system:
            x, y = Transformer.from_crs(3857, 4326, always_xy=True).transform(x, y)
        cell = 1.5 * WORLD / 256 / 2**zoom / (1 if not system else 111_319.0)
        x, y = x / unit, y / unit
        sure = (np.abs(x - np.round(x)) > cell / unit) & (np.abs(y - np.round(y)) > cell / unit)
        assert sure.mean() > 0.3
        assert (pixels[..., 0][sure] == np.floor(x[sure]) % 256).all()
        assert (pixels[..., 1][sure] == np.floor(y[sure]) % 256).all()
        assert (pixels[..., 2:] == (200, 255)).all()


def test_layers_of_a_service_are_listed(runtime, server):
    [layer] = alidade.rasters.read_datasets(runtime, f"{server.url}/wms?service=WMS")
    assert layer.description == "Map" and "layers=map" in layer.name
    alidade.Raster(runtime, layer.name).release()
    [layer] = alidade.rasters.read_datasets(runtime, f"{server.url}/wmts/capabilities.xml")
    assert "layer=map" in layer.name
    alidade.Raster(runtime, layer.name).release()


# MARK: Frames do not wait


def test_no_frame_waits_and_says_what_lacks(server, stage):
    stage.look(8, 47, 6)
    server.fault("stall", path="/tiles/6")
    stage.frame()
    assert (stage.verdicts == NOT_LOADED).all()
    assert stage.flags == Flags.ACTIVE | Flags.LOADING
    progress = stage.view.fetch_progress(stage.layer)
    assert 4 <= progress.wanted_count <= 9 and progress.there_count == 0 and progress.failed_count == 0
    server.well()
    stage.settle()
    assert wait_until(lambda: stage.flags == Flags.ACTIVE)
    progress = stage.view.fetch_progress(stage.layer)
    assert progress.there_count == progress.wanted_count > 0
    server.clear()
    stage.frame()
    assert server.requests() == []


def test_a_coarser_level_stands_in(server, stage):
    stage.look(8, 47, 6)
    stage.settle()
    server.fault("stall", path="/tiles/8")
    stage.look(8, 47, 8)
    pixels = stage.frame()
    assert (stage.verdicts == NOT_LOADED).all()
    expected, sure = stage.expected_tiles(6)
    # A cell of zoom 8 shows what is at its centre.
    edge = np.abs(pixels.astype(int) - expected).max(axis=2) > 0
    assert (edge & sure).mean() < 0.05
    server.well()
    pixels = stage.settle()
    expected, sure = stage.expected_tiles(8)
    assert (pixels[sure] == expected[sure]).all()


def test_the_network_is_cut_and_comes_back(server, stage):
    stage.look(8, 47, 6)
    first = stage.settle()
    assert wait_until(lambda: stage.flags == Flags.ACTIVE)
    server.command("refuse")
    time.sleep(0.1)
    assert stage.flags == Flags.ACTIVE
    stage.look(40, 20, 6)
    stage.frame()
    assert wait_until(lambda: Flags.WARNING in stage.flags)
    assert wait_until(lambda: stage.flags == Flags.ACTIVE | Flags.WARNING)
    assert isinstance(stage.error, alidade.errors.ReadFailedError) and "127.0.0.1" in str(stage.error)
    [warning] = stage.layer.warnings
    assert warning.kind == alidade.layers.LayerWarningKind.FAILED_REQUEST
    # Where it was, all is there.
    stage.look(8, 47, 6)
    assert (stage.frame() == first).all() and (stage.verdicts == VALUE).all()
    assert stage.flags == Flags.ACTIVE
    stage.look(40, 20, 6)
    stage.frame()
    server.command("listen")
    stage.settle()
    assert wait_until(lambda: stage.flags == Flags.ACTIVE) and stage.layer.warnings == ()
    expected, sure = stage.expected_tiles(6)
    assert (stage.frame()[sure] == expected[sure]).all()


def test_a_server_that_is_gone_is_not_asked_by_every_frame(server, stage):
    stage.look(8, 47, 6)
    server.fault("drop", path="/tiles/")
    server.clear()
    end = time.monotonic() + 2.5
    while time.monotonic() < end:
        stage.frame()
        time.sleep(0.02)
    # Up to six at once, now, after 1 s and after 2 s more.
    assert 1 <= len(server.requests()) <= 14
    server.well()
    stage.layer.retry_load()
    stage.settle(1.5)


def test_what_a_view_has_left_is_given_up(server, stage):
    server.fault("stall", path="/tiles/9")
    for step in range(20):
        stage.look(step, 47, 9)
        stage.frame()
    # Requests for what was left are ended, or were never begun.
    assert wait_until(lambda: server.command("counts")["active"] <= 6)
    server.well()
    stage.settle()
    expected, sure = stage.expected_tiles(9)
    assert (stage.frame()[sure] == expected[sure]).all()


def test_no_worker_waits(server):
    with alidade.Runtime(policy=alidade.Policy(hosts=[server.address]), thread_count=1) as runtime:
        stage = Stage(runtime, f"{server.url}/tiles/{{z}}/{{x}}/{{y}}.png")
        stage.layer.load()
        server.fault("stall", path="/tiles/9")
        stage.look(8, 47, 9)
        stage.frame()
        with pytest.raises(alidade.errors.NotFoundError):
            alidade.Raster.open_async(runtime, "/no/such/file").result(5)
        server.well()
        stage.settle()


def test_two_views_have_their_own_states(server, stage):
    stage.look(8, 47, 6)
    other = alidade.View(stage.map, width_dip=WIDTH, height_dip=HEIGHT)
    other.set_viewpoint(stage.from_degrees.transform(40, 20), scale=scale_of(6))
    stage.settle()
    server.fault("stall", path="/tiles/")
    other.read_rgba(stage.layer)
    assert other.layer_state(stage.layer).flags == Flags.ACTIVE | Flags.LOADING
    assert wait_until(lambda: stage.flags == Flags.ACTIVE)
    other.release()
    assert wait_until(lambda: server.command("counts")["active"] == 0)


# MARK: Without waiting


def test_the_request_has_all(stage, server):
    server.set(delay_ms=30)
    stage.look(8, 47, 7, 45)
    with stage.view.screen_picture_async(stage.layer).result(10) as picture:
        expected, sure = stage.expected_tiles(7)
        assert picture.lacking_count == 0 and (picture.verdicts == VALUE).all()
        assert (picture.rgba[sure] == expected[sure]).all()
    progress = stage.view.fetch_progress(stage.layer)
    assert progress.there_count == progress.wanted_count > 0


def test_more_pictures_than_threads(stage, server):
    """Pictures that wait for tiles keep no thread that would have to fetch them."""
    server.set(delay_ms=30)
    views = []
    for step in range(24):
        view = alidade.View(stage.map, width_dip=WIDTH, height_dip=HEIGHT)
        view.set_viewpoint(stage.from_degrees.transform(step * 5 - 60, 30), scale=scale_of(6))
        views.append((view, view.screen_picture_async(stage.layer)))
    for view, request in views:
        assert request.result(30).lacking_count == 0


def test_the_request_is_of_the_view_as_it_was(stage, server):
    stage.look(8, 47, 7)
    expected, sure = stage.expected_tiles(7)
    server.set(delay_ms=50)
    request = stage.view.screen_picture_async(stage.layer)
    stage.look(60, 10, 7)
    stage.frame()
    picture = request.result(10)
    assert picture.lacking_count == 0 and (picture.rgba[sure] == expected[sure]).all()


def test_the_newest_view_wins(stage, server):
    server.fault("stall", path="/tiles/7")
    requests = []
    for step in range(6):
        stage.look(10 * step, 47, 7)
        requests.append(stage.view.screen_picture_async(stage.layer))
    for request in requests[:-1]:
        assert request.state == alidade.runtime.RequestState.CANCELLED
    assert requests[-1].state == alidade.runtime.RequestState.PENDING
    server.well()
    picture = requests[-1].result(10)
    expected, sure = stage.expected_tiles(7)
    assert picture.lacking_count == 0 and (picture.rgba[sure] == expected[sure]).all()


def test_with_keys_of_its_own_nothing_is_replaced(stage, server):
    stage.look(8, 47, 7)
    left = stage.view.screen_picture_async(stage.layer, alidade.views.ScreenGrid(0, 0, 200, 300), replace_key=1)
    right = stage.view.screen_picture_async(stage.layer, alidade.views.ScreenGrid(200, 0, 200, 300), replace_key=2)
    whole = np.concatenate([left.result(10).rgba, right.result(10).rgba], axis=1)
    expected, sure = stage.expected_tiles(7)
    assert (whole[sure] == expected[sure]).all()


def test_a_request_that_is_cancelled_ends_the_work(stage, server):
    stage.look(8, 47, 7)
    server.fault("stall", path="/tiles/7")
    request = stage.view.screen_picture_async(stage.layer)
    assert wait_until(lambda: server.command("counts")["active"] > 0)
    request.cancel()
    assert request.state == alidade.runtime.RequestState.CANCELLED
    stage.view.release()
    assert wait_until(lambda: server.command("counts")["active"] == 0)


def test_the_request_ends_when_the_server_fails(stage, server):
    """A picture in which cells lack is not an error; the layer says why."""
    stage.look(8, 47, 7)
    server.fault("status", path="/tiles/7")
    picture = stage.view.screen_picture_async(stage.layer).result(20)
    assert picture.lacking_count == WIDTH * HEIGHT
    assert "being repaired" in str(stage.error)


def test_files_too(runtime):
    """The request is the same call for a file: with the same pixels as the call that waits."""
    path = str(next((data_folder() / "rasters").glob("*.tif"), None) or pytest.skip("no raster"))
    layer = alidade.RasterLayer.from_path(runtime, path)
    layer.load()
    map = alidade.Map(runtime, layer.raster.spatial_reference)
    map.add_layer(layer)
    view = alidade.View(map, width_dip=WIDTH, height_dip=HEIGHT)
    box = layer.raster.info.extent
    view.set_viewpoint(((box.x_min + box.x_max) / 2, (box.y_min + box.y_max) / 2), scale=1e6)
    picture = view.screen_picture_async(layer).result(10)
    assert (picture.rgba == view.read_rgba(layer)).all()
    progress = view.fetch_progress(layer)
    assert (progress.wanted_count, progress.there_count, progress.failed_count) == (0, 0, 0)


def data_folder():
    from pathlib import Path
    return Path(__file__).resolve().parents[1] / "data"


# MARK: Identify


def test_taps_agree_with_the_screen(stage):
    stage.look(8, 47, 6, 33)
    pixels = stage.settle()
    for x, y in itertools.product(range(5, WIDTH, 61), range(5, HEIGHT, 53)):
        [element] = stage.view.identify_layer(stage.layer, (x + 0.5, y + 0.5))
        assert tuple(element[f"Band {band}"] for band in (1, 2, 3, 4)) == tuple(pixels[y, x])
        cell = stage.view.cell_at(stage.layer, (x + 0.5, y + 0.5))
        assert tuple(cell.values["value"][0]) == tuple(pixels[y, x])


def test_taps_on_what_a_view_shows_though_the_store_has_lost_it(stage):
    """Another view of the layer has drawn more tiles since than are kept, 128 MB of them."""
    stage.look(10, 45, 8)
    stage.settle()
    other = alidade.View(stage.map, width_dip=2000, height_dip=1500)
    verdicts = np.zeros(other.grid_size()[::-1], np.uint8)
    for longitude in range(-150, 150, 20):
        other.set_viewpoint(stage.from_degrees.transform(longitude, -30), scale=scale_of(8))

        def is_whole():
            other.read_rgba(stage.layer, verdicts=verdicts)
            return NOT_LOADED not in verdicts
        assert wait_until(is_whole, 30)
    pixels = stage.frame()
    assert NOT_LOADED not in stage.verdicts
    for x in range(5, WIDTH, 40):
        for y in range(5, HEIGHT, 40):
            cells, values = stage.view.cell_at(stage.layer, (x + 0.5, y + 0.5))
            assert cells["verdict"][0] == VALUE and (values["value"][0][:3] == pixels[y, x, :3]).all()
            with stage.view.identify_layer(stage.layer, (x + 0.5, y + 0.5)) as result:
                assert len(result.elements) == 1


def test_taps_on_what_lacks(server, stage):
    server.fault("stall", path="/tiles/6")
    stage.look(8, 47, 6)
    stage.frame()
    with pytest.raises(alidade.errors.NotReadyError, match="not returned"):
        stage.view.identify_layer(stage.layer, (200, 150))
    assert alidade.identify.MissReasonFlags.NOT_LOADED in stage.view.why_not(stage.layer, (200, 150)).reasons
    assert stage.view.cell_at(stage.layer, (200, 150)).cells["verdict"][0] == NOT_LOADED
    request = stage.view.identify_layer_async(stage.layer, (200, 150))
    assert request.state == alidade.runtime.RequestState.PENDING
    server.well()
    [element] = request.result(10)
    expected, _ = stage.expected_tiles(6)
    assert element["Band 3"] == expected[0, 0, 2]


def test_a_script_without_frames(stage):
    """A view that has drawn nothing waits, as with a file."""
    stage.look(8, 47, 6)
    [element] = stage.view.identify_layer(stage.layer, (200.5, 150.5))
    expected, _ = stage.expected_tiles(6)
    assert tuple(element[f"Band {band}"] for band in (1, 2, 3, 4)) == tuple(expected[150, 200])


def test_cells_of_the_raster_itself(runtime, server):
    """The raster is the finest level; reading waits."""
    raster = alidade.Raster(runtime, f"{server.url}/tiles/{{z}}/{{x}}/{{y}}.png#max_zoom=10")
    side = 256 * 2**10
    assert (raster.info.width, raster.info.height, raster.info.band_count) == (side, side, 4)
    cells = raster.read_cells([(1000, 2000), (side - 1, side - 1), (0, 0)])
    for (column, row), values in zip([(1000, 2000), (side - 1, side - 1), (0, 0)], cells.values["value"]):
        expected = data.tile_pixels(10, column // 256, row // 256)[row % 256, column % 256]
        assert tuple(values) == (*expected, 255)
    with pytest.raises(alidade.errors.LimitExceededError, match="tiles"):
        raster.read_window(1, alidade.rasters.RasterWindow(columns=512, rows=512))


# MARK: What goes wrong


def test_tiles_that_are_not_there_are_transparent(server, runtime):
    stage = Stage(runtime, f"{server.url}/tiles/{{z}}/{{x}}/{{y}}.png")
    stage.layer.load()
    server.fault("status", path="/tiles/6/33", code=404)
    stage.look(8, 47, 6)
    pixels = stage.settle()
    x, _ = stage.mercator_points()
    hidden = np.floor((x + data.HALF_WORLD) / WORLD * 64) == 33
    assert 0 < hidden.mean() < 1
    assert (pixels[hidden] == 0).all() and (stage.verdicts[hidden] == TRANSPARENT).all()
    assert (stage.verdicts[~hidden] == VALUE).all()
    assert wait_until(lambda: stage.flags == Flags.ACTIVE)


@pytest.mark.parametrize("kind, words", [("status", "being repaired"), ("html", "not a picture"),
                                         ("garbage", "not a picture"), ("empty", "not a picture"),
                                         ("half", "127.0.0.1"), ("bomb", "not a picture|bytes"),
                                         ("redirect", "network")])
def test_a_server_that_misbehaves(server, stage, kind, words):
    query = {"to": "http://localhost:1/"} if kind == "redirect" else {}
    server.fault(kind, path="/tiles/6", **query)
    stage.look(8, 47, 6)
    stage.frame()
    assert wait_until(lambda: Flags.WARNING in stage.flags, 20)
    assert any(word in str(stage.error) for word in words.split("|")), str(stage.error)
    server.well()
    stage.layer.retry_load()
    stage.settle()
    assert wait_until(lambda: stage.flags == Flags.ACTIVE)


def test_a_server_that_asks_for_patience(server, stage):
    server.fault("throttle", path="/tiles/6", count=2, seconds=1)
    stage.look(8, 47, 6)
    stage.settle()
    assert wait_until(lambda: stage.flags == Flags.ACTIVE)


def test_a_server_that_never_answers(server):
    with alidade.Runtime(policy=alidade.Policy(hosts=[server.address], max_request_ms=500)) as runtime:
        server.fault("stall")
        stage = Stage(runtime, f"{server.url}/tiles/{{z}}/{{x}}/{{y}}.png")
        with pytest.raises(alidade.errors.LimitExceededError, match="500 ms"):
            stage.layer.load()
        assert stage.flags & Flags.ERROR
        server.well()
        stage.layer.retry_load()
        stage.look(8, 47, 6)
        stage.settle()
        server.fault("stall")
        stage.look(40, 20, 6)
        stage.frame()
        assert wait_until(lambda: Flags.WARNING in stage.flags, 5)
        assert "500 ms" in str(stage.error)


def test_hosts_are_named_first(server):
    with alidade.Runtime() as runtime:
        for address in SERVICES.values():
            with pytest.raises(alidade.errors.PolicyRefusedError, match="network"):
                alidade.Raster(runtime, f"{server.url}/{address}")
        assert server.requests() == []


def test_what_a_document_names_is_held_to_the_rule(server):
    """The capabilities of the WMTS name the host that they were asked at; another name of the same server is refused."""
    with alidade.Runtime(policy=alidade.Policy(hosts=[server.address, f"localhost:{server.port}"])) as runtime:
        alidade.Raster(runtime, f"http://localhost:{server.port}/wmts/capabilities.xml").release()
    with alidade.Runtime(policy=alidade.Policy(hosts=[server.address])) as runtime:
        with pytest.raises(alidade.errors.PolicyRefusedError, match="localhost"):
            alidade.Raster(runtime, f"http://localhost:{server.port}/wmts/capabilities.xml")


@pytest.mark.parametrize("address, error, words", [
    ("tiles/{z}/{x}.png", "InvalidArgument", "lacks {y} or {-y}"),
    ("tiles/{s}/{z}/{x}/{y}.png", "InvalidArgument", "{s}"),
    ("tiles/{z}/{x}/{y}.png#max_zoom=40", "InvalidArgument", "0 to 22"),
    ("tiles/{z}/{x}/{y}.png#colour=red", "InvalidArgument", "min_zoom"),
    ("tiles/{z}/{x}/{y}.png#tile_size=512", "Unsupported", "256 x 256"),
    ("wms?service=WMS&layers=other", "NotFound", '"map"'),
    ("wms?service=WMS&layers=map&crs=EPSG:2193", "Unsupported", "EPSG:3857"),
    ("wmts/capabilities.xml?layer=other", "NotFound", '"map"'),
    ("wmts/capabilities.xml?tilematrixset=other", "NotFound", '"GM"'),
    ("oapif/collections/points", "Unsupported", "layer of features"),
    ("nothing", "NotFound", "404"),
    ("sharing/rest/content/items/1234", "Unsupported", "portal item"),
])
def test_addresses_that_cannot_be_meant(runtime, server, address, error, words):
    with pytest.raises(getattr(alidade.errors, f"{error}Error"), match=None) as caught:
        alidade.Raster(runtime, f"{server.url}/{address}")
    assert words in str(caught.value)


def test_an_event_when_there_is_more_to_draw(server, stage):
    """Also where all of it comes before the host looks at its events: it has drawn less."""
    stage.look(8, 47, 6)
    stage.settle()
    assert wait_until(lambda: stage.flags == Flags.ACTIVE)
    list(stage.runtime.events())
    stage.look(40, 20, 6)
    stage.frame()
    assert (stage.verdicts == NOT_LOADED).any()
    assert wait_until(lambda: stage.view.fetch_progress(stage.layer).there_count
                      == stage.view.fetch_progress(stage.layer).wanted_count)
    assert wait_until(lambda: stage.flags == Flags.ACTIVE)
    events = [one for one in stage.runtime.events() if isinstance(one, alidade.events.LayerViewStateChanged)]
    assert [(one.flags, one.previous_flags) for one in events] == [(Flags.ACTIVE, Flags.ACTIVE)]


def test_a_picture_and_frames_elsewhere(server, stage):
    """Neither takes from the other what it waits for."""
    server.set(delay_ms=60)
    stage.look(8, 47, 7)
    expected, sure = stage.expected_tiles(7)
    request = stage.view.screen_picture_async(stage.layer)
    stage.look(60, 10, 7)
    end = time.monotonic() + 8
    while request.state == alidade.runtime.RequestState.PENDING and time.monotonic() < end:
        stage.frame()
        time.sleep(0.01)
    picture = request.result(1)
    assert picture.lacking_count == 0 and (picture.rgba[sure] == expected[sure]).all()
    stage.settle()
    # Nothing was asked for twice.
    paths = [one["path"] for one in server.requests("/tiles/7")]
    assert len(paths) == len(set(paths))


def test_a_runtime_that_is_released_while_a_picture_is_waited_for(server):
    import threading
    runtime = alidade.Runtime(policy=alidade.Policy(hosts=[server.address]))
    stage = Stage(runtime, f"{server.url}/tiles/{{z}}/{{x}}/{{y}}.png")
    stage.layer.load()
    server.fault("stall", path="/tiles/7")
    stage.look(8, 47, 7)
    errors = []

    def wait():
        try:
            stage.view.screen_picture(stage.layer)
        except alidade.AlidadeError as error:
            errors.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    assert wait_until(lambda: server.command("counts")["active"] > 0)
    began = time.process_time()
    runtime.release()
    thread.join(5)
    assert not thread.is_alive() and len(errors) == 1
    assert time.process_time() - began < 1


def test_a_layer_that_is_hidden_or_removed_asks_for_nothing(server, stage):
    server.set(delay_ms=100)
    stage.look(8, 47, 9)
    stage.frame()
    stage.layer.visible = False
    stage.frame()
    assert wait_until(lambda: server.command("counts")["active"] == 0)
    server.clear()
    time.sleep(0.3)
    assert server.requests() == [] and Flags.LOADING not in stage.flags
    stage.layer.visible = True
    stage.frame()
    stage.map.remove_layer(stage.layer)
    assert wait_until(lambda: server.command("counts")["active"] == 0)
    server.clear()
    time.sleep(0.3)
    assert server.requests() == []


def test_a_host_that_stalls_keeps_no_other_one_waiting(server):
    """Six requests for each host, and threads for many hosts."""
    from client import MapServer
    with MapServer() as other:
        with alidade.Runtime(policy=alidade.Policy(hosts=[server.address, other.address])) as runtime:
            stages = [Stage(runtime, f"{one.url}/tiles/{{z}}/{{x}}/{{y}}.png") for one in (server, server, server, other)]
            for stage in stages:
                stage.layer.load()
            server.fault("stall", path="/tiles/9")
            for stage in stages[:-1]:
                stage.look(8, 47, 9)
                stage.frame()
            stages[-1].look(8, 47, 9)
            stages[-1].settle(5)
            server.well()


def test_pictures_are_released(stage):
    """Also where arrays of theirs have been looked at."""
    stage.look(8, 47, 7)
    for _ in range(3):
        picture = stage.view.screen_picture(stage.layer)
        assert picture.rgba.shape == (HEIGHT, WIDTH, 4) and picture.verdicts.shape == (HEIGHT, WIDTH)
        del picture
    with stage.view.screen_picture(stage.layer) as picture:
        pixels = picture.rgba
    assert pixels[0, 0, 3] == 255
    del pixels, picture
    assert "ald_screen_picture" not in stage.runtime.report()["handles"]["by_kind"]
