"""Maps of a real server, MapServer, as raster layers. What is right comes from the colours of the blocks that it serves
and from pyproj: each sample shows the block at its point."""
import urllib.parse

import alidade
import numpy
import pytest
from pyproj import Transformer

import mapserver_data as data
from conftest import wait_until
from real_servers import MAPSERV, MapServerCGI

pytestmark = pytest.mark.skipif(not MAPSERV, reason="MapServer is missing: Debian's package mapserver-bin")

Flags, Verdict = alidade.layers.LayerViewFlags, alidade.rasters.CellVerdict
WIDTH, HEIGHT = 400, 300
# By the code of the map: the center and the width of each view, in the map's unit.
VIEWS = {3857: [((2.9e6, 6.3e6), 4.2e6), ((2.4e6, 6.6e6), 9e5), ((4.6e6, 8.3e6), 8e5), ((1.2e6, 5e6), 6e6)],
         4326: [((26.0, 48.0), 36.0), ((21.3, 51.7), 8.0), ((41.0, 59.0), 7.0), ((12.0, 40.0), 50.0)]}
CASES = [(code, *view) for code, views in VIEWS.items() for view in views]
# Samples nearer than this to an edge of a block, in samples, are left out: a tile's cell has up to 1.4, and the server
# takes the cell of the picture that is nearest to each.
MARGIN = 2.5


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mapserver")
    data.write(folder)
    with MapServerCGI(folder) as service:
        yield service


@pytest.fixture
def runtime(service):
    with alidade.Runtime(policy=alidade.Policy(hosts=[service.address])) as runtime:
        service.clear()
        yield runtime


class Stage:
    """A view of a WMS layer, with a DIP for each sample."""

    def __init__(self, runtime, address, code=3857, center=(2.9e6, 6.3e6), width=4.2e6):
        self.layer = alidade.RasterLayer.from_path(runtime, address)
        self.map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, code))
        self.map.add_layer(self.layer)
        self.code = code
        self.view = alidade.View(self.map, WIDTH, HEIGHT)
        self.look(center, width)

    def look(self, center, width):
        """Shows a width of the map, in its unit."""
        self.view.set_viewpoint(center, scale=1e6)
        (left, _), (right, _) = self.view.screen_to_map([(0, HEIGHT / 2), (WIDTH, HEIGHT / 2)])
        self.view.set_viewpoint(center, scale=1e6 * width / (right - left))
        self.center, self.unit = center, width / WIDTH

    def read(self):
        picture = self.view.screen_picture_async(self.layer).result(10)
        assert picture.lacking_count == 0
        return picture

    def degrees(self):
        """The longitudes and latitudes of the samples."""
        x = self.center[0] + (numpy.arange(WIDTH) + 0.5 - WIDTH / 2) * self.unit
        y = self.center[1] - (numpy.arange(HEIGHT) + 0.5 - HEIGHT / 2) * self.unit
        return Transformer.from_crs(self.code, 4326, always_xy=True).transform(*numpy.meshgrid(x, y))

    def blocks(self):
        """The row and the column of blocks of each sample, as fractions, and how much of a block a sample covers."""
        longitude, latitude = self.degrees()
        row = (data.NORTH - latitude) / (data.SIDE * data.CELL)
        column = (longitude - data.WEST) / (data.SIDE * data.CELL)
        return row, column, max(numpy.abs(numpy.diff(row, axis=0)).max(), numpy.abs(numpy.diff(column, axis=1)).max())


def expected(stage, layers):
    """The colours of the samples, and which of them are away from all edges of blocks."""
    row, column, size = stage.blocks()
    clear = (numpy.abs(row - row.round()) > MARGIN * size) & (numpy.abs(column - column.round()) > MARGIN * size)
    rows, columns = numpy.floor(row).astype(int), numpy.floor(column).astype(int)
    colours = numpy.zeros((HEIGHT, WIDTH, 4), numpy.uint8)
    for layer in layers:
        if layer == "blocks":
            inside = (rows >= 0) & (rows < data.ROWS) & (columns >= 0) & (columns < data.COLUMNS)
            colours[inside, :3] = data.blocks()[rows[inside], columns[inside]]
        else:
            inside = ((rows >= data.PART[0].start) & (rows < data.PART[0].stop) & (columns >= data.PART[1].start)
                      & (columns < data.PART[1].stop))
            colours[inside, :3] = data.OVER
        colours[inside, 3] = 255
    return colours, clear


def assert_picture(stage, layers):
    colours, clear = expected(stage, layers)
    found = stage.read().rgba
    wrong = (found != colours).any(axis=2) & clear
    assert not wrong.any(), (wrong.sum(), numpy.argwhere(wrong)[:3], found[wrong][:3], colours[wrong][:3])
    assert clear.sum() > 0.2 * clear.size and (colours[clear][:, 3] == 255).sum() > 2000


@pytest.mark.parametrize("crs", ["EPSG:3857", "EPSG:4326"])
@pytest.mark.parametrize("version", ["1.1.1", "1.3.0"])
@pytest.mark.parametrize("code, center, width", CASES)
def test_pixels(service, runtime, version, crs, code, center, width):
    """Maps in either spatial reference, from a service in either, with either order of its axes."""
    stage = Stage(runtime, f"{service.url}/mapserv?service=WMS&layers=blocks&version={version}&crs={crs}",
                  code, center, width)
    stage.layer.load()
    assert_picture(stage, ["blocks"])
    assert all(f"VERSION={version}" in one for one in service.requests())
    maps = [one for one in service.requests() if "GetMap" in one]
    assert maps and all(crs in one for one in maps)
    assert stage.view.layer_state(stage.layer).flags == Flags.ACTIVE


def test_the_preferred_version_and_reference(service, runtime):
    stage = Stage(runtime, f"{service.url}/mapserv?service=WMS&layers=blocks")
    stage.layer.load()
    assert_picture(stage, ["blocks"])
    maps = [one for one in service.requests() if "GetMap" in one]
    assert all("VERSION=1.3.0" in one and "CRS=EPSG:3857" in one for one in maps)


@pytest.mark.parametrize("crs", ["EPSG:3035", "EPSG:25833", "EPSG:31468"])
@pytest.mark.parametrize("version", ["1.1.1", "1.3.0"])
def test_projected_references(service, runtime, version, crs):
    """The first and the last name north before east, which only the new version follows."""
    stage = Stage(runtime, f"{service.url}/mapserv?service=WMS&layers=blocks&version={version}&crs={crs}",
                  center=(1.6e6, 6.6e6), width=1.2e6)
    stage.layer.load()
    assert_picture(stage, ["blocks"])


@pytest.mark.parametrize("width", [4.2e6, 2.9e6, 1.6e6, 3e5])
def test_the_nearest_level(service, runtime, width):
    """A cell of what is asked for has the size of a sample, or is at most larger or smaller by the root of 2."""
    stage = Stage(runtime, f"{service.url}/mapserv?service=WMS&layers=blocks", width=width)
    stage.layer.load()
    stage.read()
    for one in service.requests():
        query = {name.lower(): value for name, value in urllib.parse.parse_qsl(one.partition("?")[2])}
        if query["request"] == "GetMap":
            left, _, right, _ = map(float, query["bbox"].split(","))
            assert 0.7 < (right - left) / float(query["width"]) / stage.unit < 1.42


@pytest.mark.parametrize("density", [1.5, 2.0])
def test_pixel_densities(service, runtime, density):
    """A physical pixel in the middle of each of its DIP, or next to it: the block is the same away from edges."""
    stage = Stage(runtime, f"{service.url}/mapserv?service=WMS&layers=blocks")
    stage.view.set_size(WIDTH, HEIGHT, density)
    stage.layer.load()
    colours, clear = expected(stage, ["blocks"])
    rows, columns = (((numpy.arange(size) + 0.5) * density).astype(int) for size in (HEIGHT, WIDTH))
    found = stage.read().rgba
    assert found.shape == (HEIGHT * density, WIDTH * density, 4)
    assert (found[numpy.ix_(rows, columns)] == colours)[clear].all()


@pytest.mark.parametrize("layers", ["blocks,part", "part,blocks", "part"])
def test_several_layers(service, runtime, layers):
    """The last one is on top."""
    stage = Stage(runtime, f"{service.url}/mapserv?service=WMS&layers={layers}", center=(2.4e6, 6.9e6), width=2.4e6)
    stage.layer.load()
    assert_picture(stage, layers.split(","))


def test_verdicts(service, runtime):
    stage = Stage(runtime, f"{service.url}/mapserv?service=WMS&layers=blocks", center=(4.6e6, 8.3e6), width=8e5)
    stage.layer.load()
    # What is not there yet is not waited for.
    verdicts = numpy.full((HEIGHT, WIDTH), 99, numpy.uint8)
    pixels = stage.view.read_rgba(stage.layer, verdicts=verdicts)
    colours, clear = expected(stage, ["blocks"])
    inside = colours[:, :, 3] == 255
    assert (verdicts[inside & clear] == Verdict.NOT_LOADED).all() and not pixels.any()
    assert wait_until(lambda: Flags.LOADING not in stage.view.layer_state(stage.layer).flags)
    pixels = stage.view.read_rgba(stage.layer, verdicts=verdicts)
    assert (verdicts[inside & clear] == Verdict.VALUE).all() and (pixels[clear] == colours[clear]).all()
    assert numpy.isin(verdicts[~inside & clear], [Verdict.OUTSIDE, Verdict.TRANSPARENT]).all()
    progress = stage.view.fetch_progress(stage.layer)
    assert progress.wanted_count == progress.there_count > 0 and progress.failed_count == 0
    # The same view again asks for nothing.
    service.clear()
    assert (stage.read().rgba == pixels).all() and service.requests() == []


def test_identify(service, runtime):
    stage = Stage(runtime, f"{service.url}/mapserv?service=WMS&layers=blocks")
    stage.layer.load()
    stage.read()
    colours, clear = expected(stage, ["blocks"])
    points = numpy.argwhere(clear & (colours[:, :, 3] == 255))
    for row, column in points[numpy.random.default_rng(5).integers(len(points), size=30)]:
        [element] = stage.view.identify_layer(stage.layer, (column + 0.5, row + 0.5))
        values = [one.value for one in element.attributes][:4]
        assert values == colours[row, column].tolist()


def test_cells_at_points(service, runtime):
    """A raster by itself waits for the server."""
    raster = alidade.Raster(runtime, f"{service.url}/mapserv?service=WMS&layers=blocks&crs=EPSG:4326")
    points, colours = [], []
    for row, column in ((0, 0), (2, 4), (11, 15), (7, 3)):
        points.append((data.WEST + (column + 0.4) * 2, data.NORTH - (row + 0.6) * 2))
        colours.append([*data.blocks()[row, column].tolist(), 255])
    found = raster.read_points([*points, (5.0, 50.0)])
    assert found.cells["verdict"].tolist() == [Verdict.VALUE] * 4 + [Verdict.OUTSIDE]
    assert found.values["integer"][:4].tolist() == colours
    found = raster.read_points(Transformer.from_crs(4326, 25833, always_xy=True).transform(*points[1]),
                               alidade.SpatialReference.from_code(runtime, 25833))
    assert found.values["integer"].tolist() == [colours[1]]


def test_the_layers_that_there_are(service, runtime):
    found = alidade.rasters.read_datasets(runtime, f"{service.url}/mapserv?service=WMS")
    titles = {"test": "Blocks of a test", **data.TITLES}
    assert [one.description for one in found] == [titles[name] for name in ("test", *data.TITLES)]
    assert all(f"layers={name}" in one.name for name, one in zip(("test", *data.TITLES), found))
    # Each name opens its layer.
    stage = Stage(runtime, found[2].name, center=(2.4e6, 6.9e6), width=2.4e6)
    stage.layer.load()
    assert_picture(stage, ["part"])


def test_parameters_of_the_server(service, runtime):
    """Other parameters go with each request."""
    found = alidade.rasters.read_datasets(runtime, f"{service.url}/cgi?map=main&service=WMS&key=abc")
    assert len(found) == 5
    stage = Stage(runtime, found[1].name)
    stage.layer.load()
    assert_picture(stage, ["blocks"])
    assert all("map=main" in one and "key=abc" in one for one in service.requests())


def test_a_host_that_is_not_allowed(service):
    service.clear()
    with alidade.Runtime(policy=alidade.Policy(hosts=["example.com"])) as runtime:
        for call in (alidade.Raster, alidade.rasters.read_datasets):
            with pytest.raises(alidade.errors.PolicyRefusedError, match="127.0.0.1"):
                call(runtime, f"{service.url}/mapserv?service=WMS&layers=blocks")
    assert service.requests() == []


@pytest.mark.parametrize("layers", ["nosuch", "blocks,nosuch"])
def test_an_unknown_layer(service, runtime, layers):
    with pytest.raises(alidade.errors.NotFoundError, match='no layer "nosuch".*"blocks", "part", "stations", "parcels"'):
        alidade.Raster(runtime, f"{service.url}/mapserv?service=WMS&layers={layers}")


def test_no_layer_named(service, runtime):
    with pytest.raises(alidade.errors.InvalidArgumentError, match='"blocks", "part", "stations", "parcels"'):
        alidade.Raster(runtime, f"{service.url}/mapserv?service=WMS")


def test_a_reference_that_the_server_does_not_have(service, runtime):
    with pytest.raises(alidade.errors.UnsupportedError, match="EPSG:25832.*EPSG:4326, EPSG:3857"):
        alidade.Raster(runtime, f"{service.url}/mapserv?service=WMS&layers=blocks&crs=EPSG:25832")


def test_exceptions_instead_of_a_description(service, runtime):
    """A map file that is not there, and a map file that serves nothing."""
    for name, message in (("nosuch", "Filename validation failed"), ("closed", "WMS request not enabled")):
        with pytest.raises(alidade.errors.ReadFailedError, match=message):
            alidade.Raster(runtime, f"{service.url}/cgi?map={name}&service=WMS&layers=blocks")


@pytest.mark.parametrize("version", ["1.1.1", "1.3.0"])
def test_exceptions_instead_of_a_map(service, runtime, version):
    stage = Stage(runtime, f"{service.url}/mapserv?service=WMS&layers=blocks&styles=nosuch&version={version}")
    stage.layer.load()
    picture = stage.view.screen_picture_async(stage.layer).result(10)
    colours, clear = expected(stage, ["blocks"])
    inside = colours[:, :, 3] == 255
    assert picture.lacking_count > 0 and (picture.verdicts[inside & clear] == Verdict.NOT_LOADED).all()
    state = stage.view.layer_state(stage.layer)
    assert state.flags == Flags.ACTIVE | Flags.WARNING
    assert isinstance(state.error, alidade.errors.ReadFailedError) and "Style (nosuch) not defined" in str(state.error)
    [warning] = stage.layer.warnings
    assert warning.kind == alidade.layers.LayerWarningKind.FAILED_REQUEST and "Style (nosuch) not defined" in warning.text
    assert stage.view.fetch_progress(stage.layer).failed_count > 0


def test_the_server_is_stopped_and_started_again(service, runtime):
    stage = Stage(runtime, f"{service.url}/mapserv?service=WMS&layers=blocks")
    stage.layer.load()
    stage.read()
    service.stop()
    try:
        stage.look((2.4e6, 6.6e6), 9e5)
        stage.view.read_rgba(stage.layer)
        assert wait_until(lambda: Flags.WARNING in stage.view.layer_state(stage.layer).flags)
        assert "127.0.0.1" in str(stage.view.layer_state(stage.layer).error)
    finally:
        service.start()

    def is_well():
        stage.view.read_rgba(stage.layer)
        return stage.view.layer_state(stage.layer).flags == Flags.ACTIVE

    assert wait_until(is_well)
    assert stage.layer.warnings == ()
    assert_picture(stage, ["blocks"])


def test_released_while_maps_are_on_their_way(service):
    """Views and layers go before the server has returned anything."""
    for _ in range(5):
        with alidade.Runtime(policy=alidade.Policy(hosts=[service.address])) as runtime:
            stage = Stage(runtime, f"{service.url}/mapserv?service=WMS&layers=blocks")
            stage.layer.load()
            stage.view.read_rgba(stage.layer)
            request = stage.view.screen_picture_async(stage.layer)
            stage.view.release()
            stage.layer.release()
            assert request.result(10).rgba.shape == (HEIGHT, WIDTH, 4)
