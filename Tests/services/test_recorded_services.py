"""Pages of features as services returned them (recorded/README.md), from a server that returns the same again. What is
right comes from the files, read by Python's json, and from shapely and pyproj."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import alidade
import numpy
import pytest
from pyproj import Transformer
from shapely.geometry import Polygon, shape

from conftest import wait_until

Flags = alidade.layers.LayerViewFlags
RECORDED = Path(__file__).with_name("recorded")
# The pages of a layer, by their offsets.
PAGES = {"paged": {0: "ogr_esrijson_L593_resultOffset0", 1: "ogr_esrijson_L621_resultOffset1"}}
FIELDS = ["esrizpoint", "esrimultipoint", "esrizmultipoint", "esrizmmultipoint", "esrihasmnozmultipoint",
          "esriinvalidhaszmultipoint", "koop-startups", "koop-missing-geometry", "koop-esri"]
SHAPES = ["esrizpoint", "esrimultipoint", "esrizmultipoint", "esrizmmultipoint", "esrihasmnozmultipoint",
          "esriinvalidhaszmultipoint", "esrilinestring", "esrizlinestring", "esrizpolygon",
          "esrijsonstartingwithfeaturesgeometry", "koop-startups", "koop-missing-geometry", "koop-esri"]


def recorded(name):
    return json.loads((RECORDED / f"{name}.json").read_text())


class Handler(BaseHTTPRequestHandler):
    """A feature service for each recorded layer. Only its description is written here: it was not recorded."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urlsplit(self.path)
        name, query = address.path.split("/")[1], parse_qs(address.query)
        self.server.requests.append(self.path)
        pages = PAGES.get(name, {0: name})
        body = json.dumps({"id": 0, "name": name, "maxRecordCount": 1000, "advancedQueryCapabilities":
                           {"supportsPagination": len(pages) > 1}}).encode()
        if address.path.endswith("/query"):
            body = (RECORDED / f"{pages[int(query.get('resultOffset', ['0'])[0])]}.json").read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.requests = True, []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def runtime(server):
    with alidade.Runtime(policy=alidade.Policy(hosts=[f"127.0.0.1:{server.server_port}"])) as runtime:
        server.requests.clear()
        yield runtime


@pytest.fixture
def address(server):
    """A function that returns the address of a layer."""
    return lambda name: f"http://127.0.0.1:{server.server_port}/{name}/FeatureServer/0"


@pytest.fixture
def read(runtime, address):
    """A function that opens a layer, and returns it and all of its features."""

    def read_layer(name):
        source = alidade.FeatureSource(runtime, address(name))
        return source, source.query()

    return read_layer


def vertices(geometry, page):
    """The vertices of a recorded geometry: x, y, and z and m where it has them, otherwise NaN."""
    if geometry is None:
        return []
    if "x" in geometry:
        given = [[geometry[axis] for axis in "xyzm" if axis in geometry]]
    elif "points" in geometry:
        given = geometry["points"]
    else:
        given = [vertex for path in geometry.get("paths", geometry.get("rings")) for vertex in path]
    # A third number is z, unless there are measures and no heights.
    has_m = geometry.get("hasM", page.get("hasM", False))
    has_z = geometry.get("hasZ", page.get("hasZ", not has_m))
    names = ["x", "y"] + ["z"] * has_z + ["m"] * has_m
    vertices = [dict(zip(names, vertex)) for vertex in given]
    return [[vertex.get(axis, numpy.nan) for axis in "xyzm"] for vertex in vertices]


def found_vertices(geometry):
    if geometry is None:
        return []
    nothing = numpy.full(geometry.vertex_count, numpy.nan)
    z, m = (nothing if values is None else values for values in (geometry.z, geometry.m))
    return numpy.column_stack([geometry.xy, z, m]).tolist()


@pytest.mark.parametrize("name", FIELDS)
def test_attributes(read, name):
    page = recorded(name)
    source, features = read(name)
    assert [field.name for field in source.fields] == [field["name"] for field in page["fields"]]
    assert len(features) == len(page["features"])
    for field in page["fields"]:
        assert features.values(field["name"]) == [one["attributes"][field["name"]] for one in page["features"]]


@pytest.mark.parametrize("name", SHAPES)
def test_vertices(read, name):
    page = recorded(name)
    _, features = read(name)
    assert len(features) == len(page["features"])
    for feature, one in zip(features, page["features"]):
        numpy.testing.assert_array_equal(found_vertices(feature.geometry), vertices(one.get("geometry"), page))


KINDS = {"esrizpoint": "Point", "esrimultipoint": "MultiPoint", "esrilinestring": "LineString",
         "esrizpolygon": "Polygon", "esripolygon": "MultiPolygon"}


@pytest.mark.parametrize("name", KINDS)
def test_kinds(read, name):
    _, features = read(name)
    assert [one.__geo_interface__["geometry"]["type"] for one in features] == [KINDS[name]]


def test_rings(read):
    """A hole is inside another ring, whatever the direction of its vertices."""
    [given] = recorded("esripolygon")["features"]
    expected = Polygon()
    for ring in given["geometry"]["rings"]:
        expected = expected.symmetric_difference(Polygon(ring))
    _, [feature] = read("esripolygon")
    found = shape(feature.__geo_interface__["geometry"])
    assert found.is_valid and found.equals(expected) and found.area == pytest.approx(1 - 0.64 + 1)


def test_an_empty_geometry(read):
    _, features = read("esripolygonempty")
    assert len(features) == 1 and features[0].geometry.is_empty


@pytest.mark.parametrize("name, ids", [("esrizpoint", [1]), ("koop-esri", list(range(1, 13))), ("paged", [1, 20])])
def test_ids(read, name, ids):
    """The values of the field of ids."""
    _, features = read(name)
    assert features.ids.tolist() == ids


def test_two_pages(server, read):
    """The first one says that there are more, and the second one does not."""
    pages = [recorded(name) for name in PAGES["paged"].values()]
    server.requests.clear()
    source, features = read("paged")
    given = [(page, one) for page in pages for one in page["features"]]
    assert features.values("objectid") == [one["attributes"]["objectid"] for _, one in given]
    for feature, (page, one) in zip(features, given):
        numpy.testing.assert_array_equal(found_vertices(feature.geometry), vertices(one["geometry"], page))
    assert [one for one in server.requests if "resultOffset=1" in one] and not features.is_incomplete
    assert all("resultOffset=2" not in one for one in server.requests)


def test_there_are_more(read):
    """The page says so, and the service has no further pages."""
    page = recorded("koop-esri")
    source, features = read("koop-esri")
    assert page["exceededTransferLimit"] and len(features) == len(page["features"]) == 12
    assert "at most 12 features at once, and there are more" in source.warning


def test_features_without_a_geometry(runtime, address):
    """One is null and one is left out. Neither is in a box."""
    source = alidade.FeatureSource(runtime, address("koop-missing-geometry"))
    given = recorded("koop-missing-geometry")["features"]
    names = [one["attributes"]["COMPANY"] for one in given if one.get("geometry")]
    assert [one.geometry is None for one in source.query()] == [not one.get("geometry") for one in given]
    assert source.query(envelope=(-180, -90, 180, 90)).values("COMPANY") == names
    # The server returned all of them, and the library tests the box.
    assert source.query(envelope=(79, 59, 81, 61)).values("COMPANY") == ["TEST2"]


def test_references(runtime, address):
    """Feet in California, by the newer number: each tree has its longitude and latitude as attributes, too."""
    source = alidade.FeatureSource(runtime, address("koop-esri"))
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    to_degrees = Transformer.from_crs(2229, 4326, always_xy=True)
    trees = recorded("koop-esri")["features"]
    for feature, tree in zip(source.query(), trees):
        [found] = feature.geometry.project(degrees).geometry.xy.tolist()
        assert found == pytest.approx(to_degrees.transform(*tree["geometry"].values()), abs=1e-9)
        # To a metre: the attributes may be in another datum.
        values = tree["attributes"]
        assert found == pytest.approx((values["Longitude"], values["Latitude"]), abs=2e-5)


def test_a_reference_that_the_service_does_not_name(runtime, address):
    source = alidade.FeatureSource(runtime, address("esrilinestring"))
    assert source.spatial_reference is None and "no spatial reference" in source.warning
    given = alidade.SpatialReference.from_code(runtime, 4326)
    source = alidade.FeatureSource(runtime, address("esrilinestring"), spatial_reference=given)
    assert source.warning == "" and len(source.query(envelope=(2.4, 49.4, 2.6, 49.6))) == 1


def test_a_view_draws_the_trees(runtime, address):
    layer = alidade.FeatureLayer.from_path(runtime, address("koop-esri"),
                                           renderer=alidade.SimpleRenderer(alidade.MarkerSymbol(size_dip=8)))
    layer.load()
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    map.add_layer(layer)
    view = alidade.View(map, 400, 300)
    trees = recorded("koop-esri")["features"]
    to_mercator = Transformer.from_crs(2229, 3857, always_xy=True)
    points = numpy.array([to_mercator.transform(*tree["geometry"].values()) for tree in trees])
    center = (points.min(axis=0) + points.max(axis=0)) / 2
    view.set_viewpoint(center, scale=1e4)
    assert wait_until(lambda: frame(view, layer) == sorted(tree["attributes"]["OBJECTID"] for tree in trees))
    assert wait_until(lambda: view.layer_state(layer).flags == Flags.ACTIVE | Flags.WARNING)
    assert [one.kind for one in layer.warnings] == [alidade.layers.LayerWarningKind.TRUNCATED]
    for tree, point in zip(trees, view.map_to_screen(points)):
        found = view.identify_layer(layer, point, 0, 0)
        assert tree["attributes"]["OBJECTID"] in [element.id for element in found]


def frame(view, layer):
    with view.feature_drawing(layer) as drawing:
        return sorted(int(id) for id in drawing.columns.graphic_ids)
