"""Fields of services: their types and aliases as the service describes them, values of later pages, and ids."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import alidade
import pytest

from real_servers import HAS_PYGEOAPI, PyGeoAPI

FIELDS = [("OBJECTID", "Integer", "Object ID"), ("small", "SmallInteger", "Small"), ("large", "BigInteger", ""),
          ("real", "Double", "Real"), ("single", "Single", ""), ("day", "Date", "Day"), ("text", "String", "Text")]
MOMENTS = [None, 1640908800000, -14182940500, 0]
# The first page has whole numbers and nulls only.
FEATURES = [{"attributes": {"OBJECTID": 5 + i, "small": i, "large": i if i < 2 else 10**15 + i,
                            "real": i if i < 2 else i + 0.25, "single": i, "day": MOMENTS[i], "text": f"t{i}"},
             "geometry": {"x": 10 * i, "y": 5}} for i in range(4)]


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        address = urlsplit(self.path)
        query = parse_qs(address.query)
        fields = [{"name": name, "type": f"esriFieldType{kind}", "alias": alias} for name, kind, alias in FIELDS]
        body = {"name": "test", "objectIdField": "OBJECTID", "fields": fields, "maxRecordCount": 2,
                "advancedQueryCapabilities": {"supportsPagination": True}}
        if address.path.endswith("/query"):
            found = FEATURES
            if "geometry" in query:
                box = [float(number) for number in query["geometry"][0].split(",")]
                found = [one for one in found if box[0] <= one["geometry"]["x"] <= box[2]]
            start = int(query.get("resultOffset", ["0"])[0])
            body = {"objectIdFieldName": "OBJECTID", "geometryType": "esriGeometryPoint", "fields": fields,
                    "spatialReference": {"wkid": 4326}, "features": found[start : start + 2],
                    "exceededTransferLimit": start + 2 < len(found)}
        body = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def source():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with alidade.Runtime(policy=alidade.Policy(hosts=["127.0.0.1"])) as runtime:
        yield alidade.FeatureSource(runtime, f"http://127.0.0.1:{server.server_port}/FeatureServer/0")
    server.shutdown()
    server.server_close()


def test_fields_of_a_feature_service(source):
    types = {field.name: field.type for field in source.fields}
    kind = alidade.features.FieldType
    assert types == {"OBJECTID": kind.INTEGER, "small": kind.INTEGER, "large": kind.INTEGER, "real": kind.REAL,
                     "single": kind.REAL, "day": kind.DATE_TIME, "text": kind.TEXT}
    aliases = {field.name: field.alias for field in source.fields}
    assert (aliases["OBJECTID"], aliases["day"], aliases["large"]) == ("Object ID", "Day", "")


def test_values_of_a_feature_service(source):
    features = source.query()
    for name in ("small", "large", "real", "single", "text"):
        assert features.values(name) == [one["attributes"][name] for one in FEATURES]
    days = features.values("day")
    assert days[0] is None
    assert [(day.year, day.month, day.day, day.hour, day.minute, day.second + day.microsecond / 1e6) for day in days[1:]] == [
        (2021, 12, 31, 0, 0, 0), (1969, 7, 20, 20, 17, 39.5), (1970, 1, 1, 0, 0, 0)]
    assert source.warning == ""


def test_ids_of_a_feature_service(source):
    """Also where GDAL does not take the field for the ids, because it has the type of any number."""
    assert source.query().ids.tolist() == [5, 6, 7, 8]
    assert source.query(envelope=(9, 0, 11, 9)).ids.tolist() == [6]
    assert source.query(envelope=(19, 0, 21, 9)).ids.tolist() == [7]


@pytest.mark.skipif(not HAS_PYGEOAPI, reason="pygeoapi is not installed")
def test_numbers_on_later_pages(tmp_path):
    """Whole numbers on the first page, and others later."""
    point = lambda i: {"type": "Point", "coordinates": [i, i]}
    features = [{"type": "Feature", "geometry": point(i), "properties": {
        "real": i if i < 12 else i + 0.5, "large": i if i < 12 else i * 10**12}} for i in range(25)]
    with PyGeoAPI(tmp_path, {"numbers": features}) as server:
        with alidade.Runtime(policy=alidade.Policy(hosts=[server.address])) as runtime:
            source = alidade.FeatureSource(runtime, f"{server.url}/collections/numbers")
            found = source.query()
            assert found.values("large") == [one["properties"]["large"] for one in features]
            assert len(source.query(where="large > 1000000")) == 13
            # A field whose values cannot be kept is named.
            lost = [i for i, value in enumerate(found.values("real")) if value != features[i]["properties"]["real"]]
            assert not lost or '"real"' in source.warning


@pytest.mark.skipif(not HAS_PYGEOAPI, reason="pygeoapi is not installed")
@pytest.mark.parametrize("box", [(175, -10, 185, 10), (-185, -10, -175, 10)])
def test_a_box_over_the_antimeridian(tmp_path, box):
    """The server is asked for both sides of it, and not for the breadth of the world."""
    longitudes = [-179.5, -177, -170, 0, 90, 170, 176, 179.5]
    features = [{"type": "Feature", "id": number, "geometry": {"type": "Point", "coordinates": [x, 1]},
                 "properties": {"longitude": x}} for number, x in enumerate(longitudes, start=1)]
    with PyGeoAPI(tmp_path, {"places": features}) as server:
        with alidade.Runtime(policy=alidade.Policy(hosts=[server.address])) as runtime:
            source = alidade.FeatureSource(runtime, f"{server.url}/collections/places")
            server.clear()
            found = source.query(envelope=box).values("longitude")
            assert sorted(found) == [x for x in longitudes if abs(x) > 175]
            asked = [parse_qs(urlsplit(one).query)["bbox"][0] for one in server.requests()]
            edges = sorted(tuple(float(number) for number in one.split(",")[::2]) for one in asked)
            assert edges == [(-180, -175), (175, 180)]
