"""Ids and values of collections whose pages are unlike each other: no feature is lost, none is there twice, and values
of another type are reported. The pages are written here; what is right follows from them."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import alidade
import pytest


def feature(name, number, **values):
    """A feature with an id; None: without."""
    one = {"type": "Feature", "properties": {"n": number, **values},
           "geometry": {"type": "Point", "coordinates": [number, number]}}
    return one if name is None else {**one, "id": name}


PAGES = {
    "numbers": [[feature(7, 1), feature(3, 2)], [feature(3, 2), feature(9, 3)]],
    "texts": [[feature("a", 1), feature("b", 2)], [feature("b", 2), feature("c", 3)]],
    "none": [[feature(None, 1), feature(None, 2)], [feature(None, 3)]],
    "negative": [[feature(-5, 1), feature(2**52, 2)], [feature(0, 3)]],
    "mixed": [[feature(1, 1), feature("1", 2)], [feature(None, 3), feature(None, 4)]],
    "mixed texts": [[feature("1", 1), feature(1.5, 2)], [feature(None, 3), feature("x", 4)]],
    "property": [[feature("k1", 1, id="same"), feature("k2", 2, id="same")], [feature("k3", 3, id="same")]],
    "types": [[feature(1, 1, s="x")], [feature(2, 2, s=7), {**feature(3, 3), "properties": {"n": "text", "more": 4}}],
              [{**feature(4, 4), "properties": {}}]],
    "empty": [[]],
    "order": [[feature(id, n) for n, id in enumerate(page, 3 * number)] for number, page in
              enumerate([[50, 3, 7], [60, 2, 4], [9, 8, 1]])],
    "several": [[feature(1, 1), feature(1, 2), feature(1, 3), feature(2, 4)], [feature(2, 4), feature("x", 5)]],
    # 64 bits, as H3, S2 and snowflakes have them; a double holds 53.
    "wide": [[feature(2**59 + 1, 1), feature(2**59, 2)], [feature(2**59 + 2, 3), feature(2**63 - 1, 4)]],
    "wide negative": [[feature(-2**59, 1), feature(-2**59 - 1, 2)], [feature(-2**63, 3), feature(4, 4)]],
    "too wide": [[feature(2**64 - 1, 1), feature(2**64 - 2, 2)], [feature(2**63, 3), feature(2**62, 4)]],
}


def typed(*names):
    """Pages of a WFS."""
    return [[feature(name, n) for n, name in enumerate(names, 1)]]


WFS_PAGES = {
    "zeros": typed("a.7", "a.07", "a.007", "a.+7", "a.-7", "a.7 "),
    "prefixes": typed("a.9007199254740992", "b.1", "a.9007199254740993", "b.9007199254740992"),
    "given": typed(f"a.{2**62 - 1}", "b.1", f"a.{2**62}", f"a.{2**62 + 1}", "b.2", "a.99999999999999999999"),
}
FIELDS = [{"name": "OBJECTID", "type": "esriFieldTypeOID"}, {"name": "n", "type": "esriFieldTypeInteger"},
          {"name": "wide", "type": "esriFieldTypeBigInteger"}, {"name": "fields", "type": "esriFieldTypeString"}]


def rows(*numbers):
    """Features of a feature service."""
    return [{"attributes": {"OBJECTID": id, "n": n, "wide": id, "fields": '["esriFieldTypeOID"]'},
             "geometry": {"x": n, "y": n}} for n, id in enumerate(numbers, 1)]


FEATURE_SERVICES = {
    "wide": rows(3_000_000_001, 3_000_000_003, 3_000_000_002, 2**53 + 1, 2**53, 7),
    "negative": rows(0, -5, 3, -2**40),
    "texts": [{**one, "attributes": {**one["attributes"], "n": n}} for one, n in
              zip(rows(1, 2, 3, 4), ("five", "5", 3_000_000_000, None))],
}
CAPABILITIES = """<?xml version="1.0"?>
<wfs:WFS_Capabilities version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:ows="http://www.opengis.net/ows/1.1">
<ows:OperationsMetadata><ows:Operation name="GetFeature"><ows:Parameter name="outputFormat"><ows:AllowedValues>
<ows:Value>application/json</ows:Value></ows:AllowedValues></ows:Parameter></ows:Operation></ows:OperationsMetadata>
<FeatureTypeList><FeatureType><Name>ns:a</Name><Title>A</Title><DefaultCRS>urn:ogc:def:crs:EPSG::4326</DefaultCRS>
</FeatureType></FeatureTypeList></wfs:WFS_Capabilities>"""


def feature_server(name, query):
    """A layer without a description of its fields."""
    if "where" not in query:
        return {"name": name, "maxRecordCount": 4, "advancedQueryCapabilities": {"supportsPagination": True}}
    start = int(query.get("resultoffset", 0))
    features = FEATURE_SERVICES[name][start:start + 4]
    return {"features": features, "geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 4326},
            "fields": FIELDS, "exceededTransferLimit": start + 4 < len(FEATURE_SERVICES[name])}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urlsplit(self.path)
        query = {key.lower(): values[0] for key, values in parse_qs(address.query).items()}
        if address.path.startswith("/wfs/"):
            if query.get("request") == "GetCapabilities":
                return self.answer(CAPABILITIES.encode())
            page, = WFS_PAGES[address.path.split("/")[2]]
            return self.answer(json.dumps({"type": "FeatureCollection", "features": page}).encode())
        if address.path.startswith("/arcgis/"):
            return self.answer(json.dumps(feature_server(address.path.split("/")[2], query)).encode())
        name = address.path.split("/")[2].replace("%20", " ")
        body = {"id": name, "title": name}
        if address.path.endswith("/items"):
            page = int(query.get("page", 0))
            links = [{"rel": "next", "href": f"items?page={page + 1}"}] if page + 1 < len(PAGES[name]) else []
            body = {"type": "FeatureCollection", "features": PAGES[name][page], "links": links}
        self.answer(json.dumps(body).encode())

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def opened():
    """A function that opens a source by the path of its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"127.0.0.1:{server.server_port}"
    with alidade.Runtime(policy=alidade.Policy(hosts=[address])) as runtime:
        def open_source(path):
            return alidade.FeatureSource(runtime, f"http://{address}/{path}")

        open_source.runtime = runtime
        yield open_source
    server.shutdown()


@pytest.fixture
def collections(opened):
    """A function that opens a collection."""
    return lambda name: opened(f"collections/{name.replace(' ', '%20')}")


@pytest.mark.parametrize("name", [name for name in PAGES if name not in ("types", "empty")])
def test_each_feature_once(collections, name):
    source = collections(name)
    features = source.query()
    numbers = {id: n for id, n in zip(features.ids, features.values("n"))}
    expected = {one["properties"]["n"] for page in PAGES[name] for one in page}
    assert len(features.ids) == len(numbers) and sorted(numbers.values()) == sorted(expected)
    assert source.warning == ""
    # The same ids at the next reading.
    again = source.query()
    assert dict(zip(again.ids, again.values("n"))) == numbers
    if name == "numbers":
        assert numbers == {7: 1, 3: 2, 9: 3}
    if name == "wide":
        assert numbers == {2**59 + 1: 1, 2**59: 2, 2**59 + 2: 3, 2**63 - 1: 4}


@pytest.mark.parametrize("name", WFS_PAGES)
def test_each_feature_of_a_wfs_once(opened, name):
    source = opened(f"wfs/{name}?service=WFS&typenames=a")
    features = source.query()
    numbers = {n: id for id, n in zip(features.ids, features.values("n"))}
    wanted = {one["properties"]["n"]: one["id"] for one in WFS_PAGES[name][0]}
    assert numbers.keys() == wanted.keys() and len(set(numbers.values())) == len(wanted)
    # A number without zeros and signs before it is the id itself, unless that was given to another feature.
    for n, id in wanted.items():
        own = id.removeprefix("a.")
        if own.isdecimal() and str(int(own)) == own and int(own) < 2**62:
            assert numbers[n] == int(own)
    again = source.query()
    assert dict(zip(again.values("n"), again.ids)) == numbers


def test_values_of_other_types(collections):
    source = collections("types")
    features = source.query()
    assert list(features.ids) == [1, 2, 3, 4]
    # What can be read as a number is one, although "text" on the same page cannot.
    assert features.values("n") == [1, 2, None, None] and features.values("s") == ["x", "7", None, None]
    assert '"more", "n"' in source.warning and "another type" in source.warning


def test_no_features(collections):
    source = collections("empty")
    assert len(source.query()) == 0 and source.warning == ""


def test_texts_in_a_field_of_integers(opened):
    source = opened("arcgis/texts/FeatureServer/0")
    assert source.query().values("n") == [None, 5, None, None] and '"n"' in source.warning


@pytest.mark.parametrize("name", ["wide", "negative"])
def test_object_ids(opened, name):
    source = opened(f"arcgis/{name}/FeatureServer/0")
    features = source.query()
    expected = [one["attributes"] for one in FEATURE_SERVICES[name]]
    for field in ("OBJECTID", "n", "wide", "fields"):
        values = features.values(field)
        assert (list(map(int, values)) if field == "wide" else values) == [one[field] for one in expected], field
    own = [one["OBJECTID"] for one in expected]
    assert [int(id) for id, wanted in zip(features.ids, own) if wanted >= 0] == [id for id in own if id >= 0]
    assert len(set(features.ids)) == len(own) and source.warning == ""
    # The features that are found by such an id.
    for id, n in zip(features.ids, features.values("n")):
        assert source.query(ids=[int(id)]).values("n") == [n] and source.count(where=f"FID = {id}") == 1


def test_the_order_is_the_servers(opened, collections):
    expected = [one["properties"]["n"] for page in PAGES["order"] for one in page]
    source = collections("order")
    assert source.query().values("n") == expected
    assert source.query(limit=2).values("n") == expected[:2]
    assert source.query(offset=2, limit=3).values("n") == expected[2:5]
    assert source.query(where="n <> 2").values("n") == [n for n in expected if n != 2]


def test_healthy_services_log_nothing(opened):
    for path in ("collections/numbers", "collections/texts", "arcgis/wide/FeatureServer/0",
                 "wfs/prefixes?service=WFS&typenames=a"):
        count = len(opened.runtime.log())
        opened(path).query()
        assert [line.text for line in opened.runtime.log()[count:]] == [], path
