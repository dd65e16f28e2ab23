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
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urlsplit(self.path)
        name = address.path.split("/")[2].replace("%20", " ")
        body = {"id": name, "title": name}
        if address.path.endswith("/items"):
            page = int(parse_qs(address.query).get("page", ["0"])[0])
            links = [{"rel": "next", "href": f"items?page={page + 1}"}] if page + 1 < len(PAGES[name]) else []
            body = {"type": "FeatureCollection", "features": PAGES[name][page], "links": links}
        body = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def collections():
    """A function that opens a collection."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"127.0.0.1:{server.server_port}"
    with alidade.Runtime(policy=alidade.Policy(hosts=[address])) as runtime:
        yield lambda name: alidade.FeatureSource(runtime, f"http://{address}/collections/{name.replace(' ', '%20')}")
    server.shutdown()


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
