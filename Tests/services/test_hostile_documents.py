"""What services say of themselves, made up: numbers that no map has, and names that lead elsewhere. Each is an error, and
nothing is asked of anybody else."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import alidade
import numpy as np
import pytest

from conftest import wait_until
from server import png

WMTS = """<Capabilities version="1.0.0" xmlns="http://www.opengis.net/wmts/1.0"><Contents><Layer><Identifier>a</Identifier>
<Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>s</TileMatrixSet>{limits}</TileMatrixSetLink>
<ResourceURL format="image/png" resourceType="tile" template="{template}"/></Layer><TileMatrixSet><Identifier>s</Identifier>
<SupportedCRS>urn:ogc:def:crs:EPSG::3857</SupportedCRS>{matrices}</TileMatrixSet></Contents></Capabilities>"""
MATRIX = """<TileMatrix><Identifier>{name}</Identifier><ScaleDenominator>{scale}</ScaleDenominator>
<TopLeftCorner>{corner}</TopLeftCorner><TileWidth>{side}</TileWidth><TileHeight>{side}</TileHeight>
<MatrixWidth>{columns}</MatrixWidth><MatrixHeight>{rows}</MatrixHeight></TileMatrix>"""
LIMITS = """<TileMatrixSetLimits><TileMatrixLimits><TileMatrix>0</TileMatrix><MinTileRow>{0}</MinTileRow>
<MaxTileRow>{1}</MaxTileRow><MinTileCol>{0}</MinTileCol><MaxTileCol>{1}</MaxTileCol></TileMatrixLimits></TileMatrixSetLimits>"""
WMS = """<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"><Service><MaxWidth>{most}</MaxWidth></Service>
<Capability><Request><GetMap><Format>image/png</Format></GetMap></Request>{layer}</Capability></WMS_Capabilities>"""
LAYER = """<Layer><Name>a</Name><CRS>EPSG:3857</CRS><BoundingBox CRS="EPSG:3857" minx="{0}" miny="{1}" maxx="{2}" maxy="{3}"/>
</Layer>"""


def matrix(**given):
    return MATRIX.format(**{"name": 0, "scale": 5e8, "corner": "-20037508 20037508", "side": 256, "columns": 1, "rows": 1,
                            **given})


def wmts(matrices, limits="", template="http://127.0.0.1/{TileMatrix}/{TileCol}/{TileRow}"):
    return WMTS.format(matrices=matrices, limits=limits, template=template)


class Server:
    """Returns the same document for every address, and notes what it is asked for."""

    def __init__(self, document):
        asked = self.asked = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                body = document(self.path) if callable(document) else document
                status, headers, body = body if isinstance(body, tuple) else (200, {}, body)
                body = body if isinstance(body, bytes) else body.encode()
                self.send_response(status)
                for header in headers.items():
                    self.send_header(*header)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


REFUSED = {
    "no matrix": ("wmts", wmts("")),
    "a matrix without cells": ("wmts", wmts(matrix(scale=0))),
    "cells of no size": ("wmts", wmts(matrix(scale=1e-300))),
    "cells of any size": ("wmts", wmts(matrix(scale=1e300))),
    "no number": ("wmts", wmts(matrix(scale="nan"))),
    "infinite corners": ("wmts", wmts(matrix(corner="inf -inf"))),
    "corners at the end of the numbers": ("wmts", wmts(matrix(corner="1e308 -1e308", scale=1e300))),
    "tiles of one pixel": ("wmts", wmts(matrix(side=1))),
    "tiles of a billion pixels": ("wmts", wmts(matrix(side=1 << 30))),
    "as many tiles as there are numbers": ("wmts", wmts(matrix(columns=2147483647, rows=2147483647))),
    "more tiles than there are numbers": ("wmts", wmts(matrix(columns=1 << 40))),
    "no tiles": ("wmts", wmts(matrix(columns=0))),
    "limits beyond the matrix": ("wmts", wmts(matrix(columns=4, rows=4), LIMITS.format(20, 30))),
    "no layer": ("wmts", '<Capabilities xmlns="http://www.opengis.net/wmts/1.0"><Contents/></Capabilities>'),
    "a box as wide as numbers go": ("wms", WMS.format(most=0, layer=LAYER.format(-1e308, -1e308, 1e308, 1e308))),
    "a box without width": ("wms", WMS.format(most=0, layer=LAYER.format(1, 1, 1, 1))),
    "a box that is turned around": ("wms", WMS.format(most=0, layer=LAYER.format(5, 5, 1, 1))),
    "a box of no numbers": ("wms", WMS.format(most=0, layer=LAYER.format("a", "b", "c", "d"))),
    "a map without layers": ("wms", WMS.format(most=0, layer="")),
    "layers a thousand deep": ("wms", WMS.format(most=0, layer="<Layer>" * 1000 + LAYER.format(0, 0, 1, 1) + "</Layer>" * 1000)),
    "an end too soon": ("wms", "<WMS_Capabilities><Capability><Layer>"),
    "features without a type": ("wfs", '<WFS_Capabilities version="2.0.0"><FeatureTypeList/></WFS_Capabilities>'),
    "features without a spatial reference": ("wfs", '<WFS_Capabilities version="2.0.0"><FeatureTypeList><FeatureType><Name>a</Name><DefaultCRS>'
                                    "EPSG:0</DefaultCRS></FeatureType></FeatureTypeList></WFS_Capabilities>"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_meant_is_refused(name):
    kind, document = REFUSED[name]
    with Server(document) as server, alidade.Runtime(policy=alidade.Policy(hosts=["127.0.0.1"])) as runtime:
        with pytest.raises(alidade.AlidadeError) as caught:
            if kind == "wfs":
                alidade.FeatureSource(runtime, f"{server.url}/?service=wfs&typenames=a")
            else:
                alidade.Raster(runtime, f"{server.url}/?service={kind}")
        assert len(str(caught.value)) > 20
        if kind != "wfs":
            alidade.rasters.read_datasets(runtime, f"{server.url}/?service={kind}") if "end too soon" not in name else None


def shown(runtime, address, scale):
    layer = alidade.RasterLayer.from_path(runtime, address)
    layer.load()
    map = alidade.Map(runtime, layer.raster.spatial_reference)
    map.add_layer(layer)
    view = alidade.View(map, width_dip=200, height_dip=150)
    box = layer.raster.info.extent
    view.set_viewpoint(((box.x_min + box.x_max) / 2, (box.y_min + box.y_max) / 2), scale=scale)
    return layer, view


def test_a_view_of_too_many_tiles(server):
    """A service that has only streets, and a view of the world: nothing is asked for, and the layer says so."""
    with alidade.Runtime(policy=alidade.Policy(hosts=[server.address])) as runtime:
        layer, view = shown(runtime, f"{server.url}/tiles/{{z}}/{{x}}/{{y}}.png#min_zoom=14", 1e8)
        server.clear()
        view.read_rgba(layer)
        state = view.layer_state(layer)
        assert state.flags == alidade.layers.LayerViewFlags.ACTIVE | alidade.layers.LayerViewFlags.WARNING
        [warning] = layer.warnings
        assert warning.kind == alidade.layers.LayerWarningKind.TRUNCATED and "Zoom in" in warning.text
        assert server.requests() == []
        view.set_viewpoint(scale=3e4)
        view.read_rgba(layer)
        assert wait_until(lambda: view.layer_state(layer).flags == alidade.layers.LayerViewFlags.ACTIVE)


def test_a_schema_that_includes_others():
    """GDAL would read what it names, wherever it is."""
    with Server(b"<schema/>") as other:
        capabilities = ('<WFS_Capabilities version="1.0.0"><FeatureTypeList><FeatureType><Name>a</Name><SRS>EPSG:4326</SRS>'
                        "</FeatureType></FeatureTypeList></WFS_Capabilities>")
        schema = (f'<schema xmlns="http://www.w3.org/2001/XMLSchema"><include schemaLocation="{other.url}/more.xsd"/>'
                  f'<include schemaLocation="/vsicurl/{other.url}/more.xsd"/><element name="a"/></schema>')
        page = ('<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml">'
                '<gml:featureMember><a fid="a.1"><n>5</n><g><gml:Point srsName="EPSG:4326"><gml:coordinates>1,2'
                "</gml:coordinates></gml:Point></g></a></gml:featureMember></wfs:FeatureCollection>")

        def document(path):
            return capabilities if "GetCapabilities" in path else schema if "Describe" in path else page

        with Server(document) as server, alidade.Runtime(policy=alidade.Policy(hosts=["127.0.0.1"])) as runtime:
            source = alidade.FeatureSource(runtime, f"{server.url}/?service=wfs&typename=a&version=1.0.0")
            assert source.query().ids.tolist() == [1]
        assert other.asked == []


def test_tiles_of_another_size_than_described():
    with Server(lambda path: png(np.zeros((64, 64, 3), np.uint8)) if path.count("/") > 2 else wmts(
            matrix(), template=f"{Server.here}/{{TileMatrix}}/{{TileCol}}/{{TileRow}}")) as server:
        Server.here = server.url
        with alidade.Runtime(policy=alidade.Policy(hosts=["127.0.0.1"])) as runtime:
            layer, view = shown(runtime, f"{server.url}/?service=wmts", 5e8)
            view.read_rgba(layer)
            assert wait_until(lambda: alidade.layers.LayerViewFlags.WARNING in view.layer_state(layer).flags)
            assert "64 x 64" in str(view.layer_state(layer).error)


@pytest.mark.parametrize("name", ["-1", "9223372036854775807", "20000000", "a b/c"])
def test_names_of_matrices(name):
    """They may be any text."""
    with Server(lambda path: png(np.full((256, 256, 3), 9, np.uint8)) if path.count("/") > 2 else wmts(
            matrix(name=name), template=f"{Server.here}/{{TileMatrix}}/{{TileCol}}/{{TileRow}}")) as server:
        Server.here = server.url
        with alidade.Runtime(policy=alidade.Policy(hosts=["127.0.0.1"])) as runtime:
            layer, view = shown(runtime, f"{server.url}/?service=wmts", 5e8)
            with view.screen_picture(layer) as picture:
                assert picture.lacking_count == 0 and (picture.rgba[75, 100] == (9, 9, 9, 255)).all()


@pytest.mark.parametrize("bits", [1, 2, 4])
def test_shades_of_few_bits(bits):
    """Black is black, and white is white."""
    import io
    import struct
    import zlib

    def tile():
        line = b"\0" + b"\xff" * (256 * bits // 8)
        chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 256, 256, bits, 0, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(line * 256)) + chunk(b"IEND", b""))

    from PIL import Image
    assert Image.open(io.BytesIO(tile())).convert("L").getpixel((5, 5)) == 255
    with Server(lambda path: tile()) as server, alidade.Runtime(policy=alidade.Policy(hosts=["127.0.0.1"])) as runtime:
        raster = alidade.Raster(runtime, f"{server.url}/{{z}}/{{x}}/{{y}}.png#max_zoom=2")
        assert raster.read_cells([(5, 5)]).values["value"][0].tolist() == [255, 255, 255, 255]


def opened(answer, path):
    """What opening a source of features gives: a source's features, or an error."""
    with Server(answer) as server, alidade.Runtime(policy=alidade.Policy(hosts=["127.0.0.1"])) as runtime:
        return alidade.FeatureSource(runtime, server.url + path).query().values("n")


def test_the_next_page_is_the_one_for_programs():
    """The first link leads to the same page for people."""
    def answer(path):
        if not path.split("?")[0].endswith("/items"):
            return '{"id": "c"}'
        if "f=html" in path:
            return "<html><body>page 2</body></html>"
        numbers, links = ([3], []) if "offset" in path else ([1, 2], [
            {"rel": "next", "type": "text/html", "href": "items?offset=2&f=html"},
            {"rel": "next", "type": "application/geo+json", "href": "items?offset=2&f=json"}])
        return json.dumps({"type": "FeatureCollection", "links": links, "features": [
            {"type": "Feature", "id": n, "geometry": None, "properties": {"n": n}} for n in numbers]})
    assert opened(answer, "/collections/c") == [1, 2, 3]


@pytest.mark.parametrize("pause", ["Fri, 31 Dec 9999 23:59:59 GMT", "99999999999999999999999", "1073741825"])
def test_a_pause_of_many_years(pause):
    requests = []

    def answer(path):
        requests.append(path)
        return 503, {"Retry-After": pause}, "busy"
    with pytest.raises(alidade.errors.ReadFailedError, match="503: busy It asks for a pause of 1073741824 s"):
        opened(answer, "/collections/c")
    assert len(requests) == 1


def test_an_error_that_is_only_a_number():
    with pytest.raises(alidade.errors.ReadFailedError, match="returned the error 498 without a message") as caught:
        opened('{"error": {"code": 498, "message": "", "details": []}}', "/FeatureServer/0")
    assert caught.value.domain_code == 498


def test_what_is_not_for_people_is_left_out_of_messages():
    page = ("<html><head><title>Sorry</title><STYLE type='text/css'>body { color: red }</STYLE><script>if (1 < 2) { f() }"
            "</script></head><body><p>Back at noon.</p></body></html>")
    with pytest.raises(alidade.errors.ReadFailedError, match=r'returned 500: Sorry ?Back at noon\.$'):
        opened(lambda path: (500, {}, page), "/collections/c")


GOOD = """<Capabilities version="1.0.0" xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"
xmlns:xlink="http://www.w3.org/1999/xlink">{operations}<Contents><Layer>{box}<Identifier>a</Identifier>
<Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>s</TileMatrixSet></TileMatrixSetLink></Layer><TileMatrixSet>
<Identifier>s</Identifier><SupportedCRS>{name}</SupportedCRS>{matrices}</TileMatrixSet></Contents></Capabilities>"""
GERMANY = ("<ows:WGS84BoundingBox><ows:LowerCorner>6 47</ows:LowerCorner><ows:UpperCorner>15 55</ows:UpperCorner>"
           "</ows:WGS84BoundingBox>")
URN = "urn:ogc:def:crs:EPSG::"


@pytest.mark.parametrize("name, box, corner, expected", [
    ("EPSG:4326", "", "-180 90", (-180, 90)), ("EPSG:4326", "", "90 -180", (-180, 90)), (URN + "4326", "", "90 -180", (-180, 90)),
    ("EPSG:4326", "", "6 55", (6, 55)), (URN + "4326", "", "55 6", (6, 55)), ("EPSG:4326", GERMANY, "55 6", (6, 55)),
    ("http://www.opengis.net/def/crs/EPSG/0/4326", "", "55 6", (6, 55)), ("OGC:CRS84", "", "6 55", (6, 55)),
    ("EPSG:31468", "", "4200000 6200000", (4200000, 6200000)), (URN + "31468", "", "6200000 4200000", (4200000, 6200000)),
    ("EPSG:31468", GERMANY, "6200000 4200000", (4200000, 6200000)),
    ("EPSG:31468", GERMANY, "4200000 6200000", (4200000, 6200000))])
def test_axes_by_the_name_of_a_spatial_reference(name, box, corner, expected):
    """GDAL takes y first from URNs alone."""
    document = GOOD.format(operations="", box=box, name=name, matrices=matrix(corner=corner, scale=1e7, columns=3, rows=3))
    with Server(document) as server, alidade.Runtime(policy=alidade.Policy(hosts=["127.0.0.1"])) as runtime:
        transform = alidade.Raster(runtime, f"{server.url}/?service=wmts").info.geotransform
        assert (transform[0], transform[3]) == expected


@pytest.mark.parametrize("is_same_server", [True, False])
def test_tiles_are_asked_for_where_the_service_says(is_same_server):
    """Under another path than that of its description, by the address for queries. Another server gets no token."""
    def link(path, encoding):
        return (f'<ows:Get xlink:href="{path}"><ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>{encoding}'
                "</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get>")

    def answer(path):
        if path.startswith("/tiles/get"):
            return png(np.full((256, 256, 3), 9, np.uint8))
        return GOOD.format(box="", name=URN + "3857", matrices=matrix(), operations=(
            '<ows:OperationsMetadata><ows:Operation name="GetCapabilities"/><ows:Operation name="GetTile"><ows:DCP><ows:HTTP>'
            + link("/rest", "RESTful") + link(place + "/tiles/get?map=m", "KVP")
            + "</ows:HTTP></ows:DCP></ows:Operation></ows:OperationsMetadata>"))
    place = ""
    with Server(answer) as server, alidade.Runtime(policy=alidade.Policy(hosts=["127.0.0.1", "localhost"])) as runtime:
        if not is_same_server:
            place = server.url.replace("127.0.0.1", "localhost")
        raster = alidade.Raster(runtime, f"{server.url}/wmts/capabilities.xml?service=WMTS&token=t")
        assert raster.read_cells([(5, 5)]).values["value"][0].tolist() == [9, 9, 9, 255]
        asked = server.asked[-1]
        token = "&token=t" if is_same_server else ""
        assert asked.startswith(f"/tiles/get?map=m{token}&SERVICE=WMTS&REQUEST=GetTile") and "TILECOL=0" in asked
