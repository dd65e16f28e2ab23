"""What starts the servers of others, by Python's own client."""
import io
import json
import os
import socket
import urllib.error

import numpy
import pytest
import rasterio
from PIL import Image
from shapely.geometry import Point, Polygon, shape

import mapserver_data as data
from real_servers import HAS_PYGEOAPI, MapServerCGI, PyGeoAPI

POINTS = [{"type": "Feature", "properties": {"number": number, "name": f"point {number}"},
           "geometry": {"type": "Point", "coordinates": [number, 1]}} for number in range(25)]


@pytest.fixture(scope="module")
def mapserver(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mapserver")
    data.write(folder)
    with MapServerCGI(folder) as server:
        yield server


def test_the_picture(mapserver):
    with rasterio.open(mapserver.folder / "blocks.tif") as file:
        assert (file.read()[:, 50, 90] == data.blocks()[2, 4]).all() and file.index(10.05, 59.95) == (0, 0)
    colours = {tuple(colour) for row in data.blocks().tolist() for colour in row}
    assert len(colours) == data.ROWS * data.COLUMNS and data.OVER not in colours


@pytest.mark.parametrize("version, box", [("1.1.1", "SRS=EPSG:4326&BBOX=18,54,20,56"),
                                          ("1.3.0", "CRS=EPSG:4326&BBOX=54,18,56,20")])
def test_maps(mapserver, version, box):
    """A map of a single block."""
    picture = mapserver.get(f"/mapserv?SERVICE=WMS&VERSION={version}&REQUEST=GetMap&LAYERS=blocks&STYLES=&{box}"
                            "&WIDTH=10&HEIGHT=10&FORMAT=image/png")
    assert (numpy.asarray(Image.open(io.BytesIO(picture)).convert("RGB")) == data.blocks()[2, 4]).all()


@pytest.mark.parametrize("layer, features", [("stations", data.STATIONS), ("parcels", data.PARCELS)])
def test_features_of_mapserver(mapserver, layer, features):
    found = json.loads(mapserver.get(
        f"/mapserv?SERVICE=WFS&VERSION=2.0.0&REQUEST=GetFeature&TYPENAMES={layer}&OUTPUTFORMAT=geojson"))["features"]
    assert [one["properties"]["number"] for one in found] == [one["number"] for one in features]
    for one, given in zip(found, features):
        expected = Point(given["x"], given["y"]) if layer == "stations" else Polygon(data.ring(given))
        assert shape(one["geometry"]).equals(expected)


def test_map_files_by_name(mapserver):
    mapserver.clear()
    assert b"<WMS_Capabilities" in mapserver.get("/cgi?map=main&SERVICE=WMS&REQUEST=GetCapabilities")
    assert b"WMS request not enabled" in mapserver.get("/cgi?map=closed&SERVICE=WMS&REQUEST=GetCapabilities")
    assert [one.partition("&")[0] for one in mapserver.requests()] == ["/cgi?map=main", "/cgi?map=closed"]


@pytest.mark.skipif(not HAS_PYGEOAPI, reason="the Python package pygeoapi is missing: Tests/setup")
def test_pages_of_pygeoapi(tmp_path):
    """Ten to a page, whatever is asked for, and a link to the next one."""
    with PyGeoAPI(tmp_path, {"points": POINTS}, 10) as server:
        address, found = "/collections/points/items?f=json&limit=1000", []
        while address:
            page = json.loads(server.get(address))
            assert page["numberMatched"] == len(POINTS) and len(page["features"]) <= 10
            found += page["features"]
            links = [one["href"] for one in page["links"] if one["rel"] == "next"]
            address = links[0].removeprefix(server.url) if links else None
        assert [one["properties"] for one in found] == [one["properties"] for one in POINTS]
        assert [one["id"] for one in found] == [one["properties"]["number"] for one in POINTS]
        with pytest.raises(urllib.error.HTTPError, match="404"):
            server.get("/collections/lines")


def test_stopped_and_started_again(tmp_path):
    data.write(tmp_path)
    with MapServerCGI(tmp_path) as server:
        port, process = server.port, server._process.pid
        server.stop()
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
        server.start()
        assert server.port == port and server.get("/mapserv?SERVICE=WMS&REQUEST=GetCapabilities")
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=5).close()


def test_a_server_that_does_not_start(tmp_path):
    """The error has what the process wrote."""
    (tmp_path / "main.map").write_text("")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        with pytest.raises(RuntimeError, match="Address already in use"):
            MapServerCGI(tmp_path, taken.getsockname()[1])
