"""That the test server does what its page says, by a client that is not ours (urllib)."""
import gzip
import http.client
import json
import socket
import time
import urllib.error
import urllib.request

import numpy
import pytest

import server as data
from client import MapServer


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    (folder / "a.bin").write_bytes(bytes(range(256)) * 40)
    return folder


@pytest.fixture
def server(folder):
    with MapServer(files=folder) as server:
        yield server


def get(server, path, timeout=10, **headers):
    """Status, head and body of an answer."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(server.url + path, headers=headers)
    try:
        with opener.open(request, timeout=timeout) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def test_pages_of_features(server):
    ids, path, pages = [], "/oapif/collections/points/items?bbox=-1,-1,1,1&limit=30", 0
    while path:
        page = json.loads(get(server, path)[2])
        assert page["numberMatched"] == 100 and page["numberReturned"] == len(page["features"])
        ids += [one["id"] for one in page["features"]]
        path = next((one["href"].removeprefix(server.url) for one in page["links"] if one["rel"] == "next"), None)
        pages += 1
    inside = [one for one in map(data.feature, range(1, 5001)) if abs(one["x"]) <= 1 and abs(one["y"]) <= 1]
    assert ids == [one["id"] for one in inside] and pages == 4


def test_the_feature_service_stops_at_its_limit(server):
    query = "/arcgis/rest/services/points/FeatureServer/0/query?where=1%3D1&f=json"
    first = json.loads(get(server, query)[2])
    last = json.loads(get(server, query + "&resultOffset=4000")[2])
    assert len(first["features"]) == 2000 and first["exceededTransferLimit"]
    assert len(last["features"]) == 1000 and "exceededTransferLimit" not in last
    assert json.loads(get(server, query + "&returnCountOnly=true")[2]) == {"count": 5000}
    server.set(supports_paging=0)
    assert json.loads(get(server, query + "&resultOffset=4000")[2])["error"]["code"] == 400


def test_pictures(server):
    image = pytest.importorskip("PIL.Image")
    import io

    picture = numpy.asarray(image.open(io.BytesIO(get(server, "/tiles/3/5/2.png")[2])))
    numpy.testing.assert_array_equal(picture, data.tile_pixels(3, 5, 2))
    path = ("/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=map&STYLES=&CRS=EPSG:4326&BBOX=0,10,5,20"
            "&WIDTH=20&HEIGHT=10&FORMAT=image/png")
    picture = numpy.asarray(image.open(io.BytesIO(get(server, path)[2])))
    assert tuple(picture[0, 0]) == (10, 4, 200) and tuple(picture[-1, -1]) == (19, 0, 200)


def test_ranges(server):
    code, head, body = get(server, "/files/a.bin", Range="bytes=250-260")
    assert (code, head["Content-Range"]) == (206, "bytes 250-260/10240")
    assert body == bytes(range(250, 256)) + bytes(range(5))


def test_faults(server):
    items = "/oapif/collections/points/items"
    server.fault("html", count=1)
    assert get(server, items)[1]["Content-Type"] == "text/html"
    server.fault("throttle", count=1, seconds=3)
    code, head, _ = get(server, items)
    assert (code, head["Retry-After"]) == (429, "3")
    server.fault("status", count=1, code=503)
    assert get(server, items)[0] == 503
    server.fault("half", count=1)
    with pytest.raises(http.client.IncompleteRead):
        get(server, items)
    server.fault("bomb", path="/tiles", count=1, bytes=1 << 24)
    packed = get(server, "/tiles/0/0/0.png")[2]
    assert len(packed) < 20_000 and len(gzip.decompress(packed)) == 1 << 24
    server.fault("redirect", count=1, to=server.url + "/oapif")
    assert json.loads(get(server, items)[2])["title"] == "Test"
    assert get(server, items)[0] == 200
    kinds = [one["fault"] for one in server.requests()]
    assert kinds == ["html", "throttle", "status", "half", "bomb", "redirect", None, None]


def test_stalling_and_refusing(server):
    server.fault("stall", count=1)
    began = time.monotonic()
    with pytest.raises((TimeoutError, urllib.error.URLError)):
        get(server, "/oapif", timeout=0.5)
    assert time.monotonic() - began < 2
    server.command("refuse")
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", server.port), 1)
    server.command("listen")
    assert get(server, "/oapif")[0] == 200
    for _ in range(100):
        if server.command("counts")["active"] == 0:
            break
        time.sleep(0.02)
    assert server.command("counts")["active"] == 0
