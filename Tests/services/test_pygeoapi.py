"""Features of a real server of OGC API Features, pygeoapi. What is right comes from the features that the test has it
serve."""
import alidade
import pytest
from pyproj import Transformer
from shapely.geometry import box, shape

from conftest import wait_until
from real_servers import HAS_PYGEOAPI, PyGeoAPI

pytestmark = pytest.mark.skipif(not HAS_PYGEOAPI, reason="the Python package pygeoapi is missing: Tests/setup")

Flags = alidade.layers.LayerViewFlags
TO_MERCATOR = Transformer.from_crs(4326, 3857, always_xy=True)
# A view of 400 x 300 DIP at this scale shows 0.95 by 0.45 degrees.
SCALE = 1e6
PAGE = 10


def station(number):
    """One of 95 points, off a regular grid by a little: 11 to a row, 0.2 degrees apart. Some values are null."""
    row, column = divmod(number, 11)
    x, y = round(7 + 0.2 * column + 0.0123456 * (number % 7), 6), round(50 + 0.2 * row - 0.0076543 * (number % 5), 6)
    # Ids do not follow the order of the features.
    values = {"number": 1000 + number * 37 % 95, "name": f'Straße "{number}" 東', "share": number / 8,
              "large": number * 10**11 - 5, "day": f"2024-02-{number % 28 + 1:02}",
              "note": None if number % 3 else f"note {number}"}
    return {"type": "Feature", "properties": values, "geometry": {"type": "Point", "coordinates": [x, y]}}


def square(x, y, size):
    return [[x, y], [x + size, y], [x + size, y + size], [x, y + size], [x, y]]


def area(number):
    """One of 20 areas, the last page of which is full: a polygon, one with a hole, or several."""
    x, y = 7 + number * 0.5, 50.5 - number * 0.25
    rings = [square(x, y, 0.4)]
    if number % 3 == 1:
        rings.append(square(x + 0.1, y + 0.1, 0.1)[::-1])
    geometry = {"type": "Polygon", "coordinates": rings}
    if number % 3 == 2:
        geometry = {"type": "MultiPolygon", "coordinates": [rings, [square(x + 20, y, 0.3)]]}
    return {"type": "Feature", "properties": {"number": number, "name": f"area {number}"}, "geometry": geometry}


STATIONS = [station(number) for number in range(95)]
AREAS = [area(number) for number in range(20)]
BY_ID = {one["properties"]["number"]: one for one in STATIONS}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with PyGeoAPI(tmp_path_factory.mktemp("pygeoapi"), {"stations": STATIONS, "areas": AREAS}, PAGE) as service:
        yield service


@pytest.fixture
def runtime(service):
    with alidade.Runtime(policy=alidade.Policy(hosts=[service.address])) as runtime:
        service.clear()
        yield runtime


@pytest.fixture
def source(service, runtime):
    return alidade.FeatureSource(runtime, f"{service.url}/collections/stations")


def test_all_features(source):
    assert source.info.layer_name == "The stations"
    features = source.query()
    assert sorted(features.ids) == sorted(BY_ID) and not features.is_incomplete and source.warning == ""
    names = ["name", "share", "large", "note"]
    for id, values in zip(features.ids, zip(*(features.values(name) for name in names))):
        assert values == tuple(BY_ID[id]["properties"][name] for name in names)
    assert [str(day) for day in features.values("day")] == [BY_ID[id]["properties"]["day"] for id in features.ids]
    assert features.geometries.columns.xy.tolist() == [BY_ID[id]["geometry"]["coordinates"] for id in features.ids]


def test_pages(service, runtime, source):
    """Each page is asked for once, and no more than the features that are wanted."""
    service.clear()
    assert len(source.query()) == len(STATIONS)
    assert len(service.requests()) == 10
    service.clear()
    assert len(source.query(limit=25)) == 25
    assert len(service.requests()) == 3


@pytest.mark.parametrize("edges", [(7.5, 50.3, 8.25, 51.1), (7, 50, 7.3, 50.3), (6, 49, 10, 53), (0, 0, 1, 1)], ids=str)
def test_a_box(service, source, edges):
    inside = [id for id, one in BY_ID.items() if box(*edges).intersects(shape(one["geometry"]))]
    service.clear()
    assert sorted(source.query(envelope=edges).ids) == sorted(inside)
    assert len(service.requests()) == max(1, -(-len(inside) // PAGE))
    assert all("bbox=" in one for one in service.requests())
    assert source.count(envelope=edges) == len(inside)


def test_conditions(source):
    expected = sorted(id for id, one in BY_ID.items() if one["properties"]["share"] > 10.5)
    assert sorted(source.query(where="share > 10.5").ids) == expected
    notes = [id for id, one in BY_ID.items() if one["properties"]["note"] is None]
    assert sorted(source.query(where="note IS NULL").ids) == sorted(notes)


def test_areas(service, runtime):
    """Two full pages: the server links to a third, in which nothing is."""
    source = alidade.FeatureSource(runtime, f"{service.url}/collections/areas")
    features = source.query()
    assert len(features) == len(AREAS) and source.warning == ""
    for id, feature in zip(features.ids, features):
        expected, found = shape(AREAS[id]["geometry"]), shape(feature.__geo_interface__["geometry"])
        assert found.geom_type == expected.geom_type and found.normalize() == expected.normalize()
    edges = (9, 48, 29, 50)
    expected = sorted(one["properties"]["number"] for one in AREAS if box(*edges).intersects(shape(one["geometry"])))
    assert sorted(source.query(envelope=edges).ids) == expected and 0 < len(expected) < 20


def test_a_collection_that_is_not_there(service, runtime):
    with pytest.raises(alidade.errors.NotFoundError, match="Collection not found"):
        alidade.FeatureSource(runtime, f"{service.url}/collections/lines")


class Stage:
    """A view of the stations."""

    def __init__(self, runtime, service):
        self.layer = alidade.FeatureLayer.from_path(
            runtime, f"{service.url}/collections/stations",
            renderer=alidade.SimpleRenderer(alidade.MarkerSymbol(size_dip=8)))
        self.map = alidade.Map(runtime, alidade.SpatialReference(runtime, "EPSG:3857"))
        self.map.add_layer(self.layer)
        self.view = alidade.View(self.map, width_dip=400, height_dip=300)
        self.look(7.3, 50.2)

    def look(self, x, y):
        self.at = TO_MERCATOR.transform(x, y)
        self.view.set_viewpoint(self.at, scale=SCALE)

    def frame(self):
        with self.view.feature_drawing(self.layer) as drawing:
            return sorted(int(id) for id in drawing.columns.graphic_ids)

    @property
    def flags(self):
        return self.view.layer_state(self.layer).flags

    def expected(self):
        """The ids of the stations that are in sight."""
        half = SCALE * 0.0254 / 96 / 2
        stations = {id: TO_MERCATOR.transform(*one["geometry"]["coordinates"]) for id, one in BY_ID.items()}
        return sorted(id for id, (x, y) in stations.items()
                      if abs(x - self.at[0]) <= 400 * half and abs(y - self.at[1]) <= 300 * half)

    def settle(self):
        self.frame()
        assert wait_until(lambda: Flags.LOADING not in self.flags)
        return self.frame()


def test_a_view_draws_the_stations(service, runtime):
    stage = Stage(runtime, service)
    stage.layer.load()
    assert 5 < len(stage.expected()) < 30
    assert set(stage.expected()) <= set(stage.settle())
    assert stage.flags == Flags.ACTIVE
    # What is under a tap has the values of the source.
    id = stage.expected()[3]
    point = stage.view.map_to_screen([TO_MERCATOR.transform(*BY_ID[id]["geometry"]["coordinates"])])[0]
    [element] = stage.view.identify_layer(stage.layer, point, 2, 1)
    assert (element.id, element["name"]) == (id, BY_ID[id]["properties"]["name"])


def test_where_the_stations_are_drawn(service, runtime):
    stage = Stage(runtime, service)
    stage.layer.load()
    stage.settle()
    with stage.view.feature_drawing(stage.layer) as drawing:
        found = dict(zip(drawing.columns.graphic_ids.tolist(), drawing.columns.screen_xy.tolist()))
    unit = SCALE * 0.0254 / 96
    for id in stage.expected():
        x, y = TO_MERCATOR.transform(*BY_ID[id]["geometry"]["coordinates"])
        expected = 200 + (x - stage.at[0]) / unit, 150 - (y - stage.at[1]) / unit
        assert found[id] == pytest.approx(expected, abs=0.01)


def test_the_server_is_stopped_and_started_again(service, runtime):
    stage = Stage(runtime, service)
    stage.layer.load()
    stage.settle()
    service.stop()
    try:
        stage.look(9.0, 51.3)
        assert stage.frame() == [] and len(stage.expected()) > 5
        assert wait_until(lambda: Flags.WARNING in stage.flags)
        assert stage.flags == Flags.ACTIVE | Flags.WARNING
        error = stage.view.layer_state(stage.layer).error
        assert isinstance(error, alidade.errors.ReadFailedError) and "127.0.0.1" in str(error)
        assert [one.kind for one in stage.layer.warnings] == [alidade.layers.LayerWarningKind.FAILED_REQUEST]
    finally:
        service.start()
    # No timer: the warning goes when a frame asks again.
    assert wait_until(lambda: set(stage.expected()) <= set(stage.frame()) and stage.flags == Flags.ACTIVE)
    assert stage.layer.warnings == ()
