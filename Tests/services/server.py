"""A map server on 127.0.0.1 for tests: features, tiles, pictures and files, well behaved or not.

    python server.py [--port N] [--control-port N] [--files FOLDER] [--recorded FOLDER]

It prints one line of JSON with its two ports and then serves until its standard input is closed or it is ended:

    {"port": 40001, "control_port": 40002}

The first port serves the data. The second one is for the test: it works whatever the first one is made to do.

    GET  /log            the requests so far, oldest first, as JSON
    GET  /clear          forgets the log
    GET  /counts         what is under way: {"open": connections, "active": requests, "most_active": ..., "total": ...}
    GET  /set?KEY=VALUE  changes a setting, see Settings
    GET  /fault?kind=KIND[&path=PREFIX][&count=N][&...]   adds a fault, see FAULTS; a count of 0 means for ever
    GET  /release        lets requests go on that stall
    GET  /well           takes all faults away, lets stalled requests go on, and listens again
    GET  /refuse         closes the port and all connections: a client is refused until /listen or /well
    GET  /listen         opens the same port again

What is served, all of it by formulas that a test can compute again (see `feature`, `tile_pixels` and `map_pixels`):

    /oapif                                        OGC API Features, collection "points"
    /arcgis/rest/services/points/FeatureServer    an ArcGIS-style feature service with layer 0
    /tiles/{z}/{x}/{y}.png                        XYZ tiles in EPSG:3857, 256 x 256
    /wms                                          WMS 1.3.0 and 1.1.1, layer "map", EPSG:4326 and EPSG:3857
    /wmts/capabilities.xml, /wmts/tile/...        WMTS over the same tiles
    /wmts/degrees.xml, /wmts/degrees/...          WMTS in degrees whose first tiles reach beyond the world
    /files/NAME                                   files of a folder, with ranges
    /recorded/NAME?resultOffset=N                 recorded pages: FOLDER/NAME_resultOffsetN.json or FOLDER/NAME.json
"""
import argparse
import gzip
import io
import json
import math
import os
import socket
import struct
import sys
import threading
import time
import urllib.parse
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

import numpy

COLUMNS, ROWS = 100, 50
FEATURE_COUNT = COLUMNS * ROWS
HALF_WORLD = 20037508.342789244
TILE_SIDE = 256
LAST_ZOOM = 18
CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"


# MARK: Data by formula


def feature(number):
    """Feature 1 to 5000: points 0.2 degrees apart, from (-9.9, -4.9) to (9.9, 4.9), row by row from the south-west."""
    row, column = divmod(number - 1, COLUMNS)
    return {"id": number, "x": round(-9.9 + 0.2 * column, 1), "y": round(-4.9 + 0.2 * row, 1),
            "name": f"point {number}", "value": number * 7 % 101}


FEATURES = [feature(number) for number in range(1, FEATURE_COUNT + 1)]
EXTENT = (-9.9, -4.9, 9.9, 4.9)


def features_in(box):
    """The features in a box (xmin, ymin, xmax, ymax), edges included; None is everywhere."""
    if box is None:
        return FEATURES
    return [one for one in FEATURES if box[0] <= one["x"] <= box[2] and box[1] <= one["y"] <= box[3]]


def tile_pixels(z, x, y, version=0):
    """The pixels of a tile, as an array of 256 x 256 x 3: red rises eastward, green southward, blue shows the zoom."""
    steps = numpy.arange(TILE_SIDE) // 16
    pixels = numpy.zeros((TILE_SIDE, TILE_SIDE, 3), numpy.uint8)
    pixels[:, :, 0] = (x * 16 + steps[None, :]) % 256
    pixels[:, :, 1] = (y * 16 + steps[:, None]) % 256
    pixels[:, :, 2] = (z * 8 + version) % 256
    return pixels


def map_pixels(box, width, height, scale=1.0):
    """The pixels of a map: red is the x of a pixel's centre and green its y, in units of `scale`, modulo 256."""
    xs = box[0] + (numpy.arange(width) + 0.5) * (box[2] - box[0]) / width
    ys = box[3] - (numpy.arange(height) + 0.5) * (box[3] - box[1]) / height
    pixels = numpy.zeros((height, width, 3), numpy.uint8)
    pixels[:, :, 0] = (numpy.floor(xs / scale)[None, :] % 256).astype(numpy.uint8)
    pixels[:, :, 1] = (numpy.floor(ys / scale)[:, None] % 256).astype(numpy.uint8)
    pixels[:, :, 2] = 200
    return pixels


def png(pixels):
    """An RGB picture as PNG."""
    height, width, _ = pixels.shape
    lines = numpy.zeros((height, width * 3 + 1), numpy.uint8)
    lines[:, 1:] = pixels.reshape(height, width * 3)

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines.tobytes(), 6))
            + chunk(b"IEND", b""))


# MARK: State


class Settings:
    """What a test can change with /set."""

    def __init__(self):
        self.page_limit = 1000  # OGC API: the most features of one page
        self.default_limit = 100  # OGC API: without a limit in the request
        self.total_limit = 0  # OGC API: the service gives only its first so many and no next link; 0: all
        self.number_matched = 1  # OGC API: 0 leaves numberMatched out
        self.next_links = 1  # OGC API: 0 leaves the next links out
        self.next_host = ""  # OGC API: next links name this host:port
        self.max_record_count = 2000  # feature service
        self.supports_paging = 1  # feature service: 0 ignores resultOffset and says so in its description
        self.exceeded_flag = 1  # feature service: 0 leaves exceededTransferLimit out
        self.delay_ms = 0  # before every answer
        self.version = 0  # changes tiles and entity tags: a server that changes its mind
        self.accept_ranges = 1  # files: 0 ignores Range

    def set(self, key, value):
        if not hasattr(self, key):
            raise KeyError(key)
        setattr(self, key, type(getattr(self, key))(value))


class Fault:
    """A misbehaviour of requests whose path begins with `path`, for the next `count` of them."""

    def __init__(self, query):
        self.kind = query["kind"]
        if self.kind not in FAULTS:
            raise KeyError(self.kind)
        self.path = query.get("path", "/")
        self.count = int(query.get("count", 0))
        self.query = query

    def number(self, key, default):
        return type(default)(self.query.get(key, default))


class State:
    """What all connections share."""

    def __init__(self, options):
        self.files, self.recorded = options.files, options.recorded
        self.settings = Settings()
        self.lock = threading.Lock()
        self.log, self.faults, self.connections = [], [], set()
        self.released = threading.Event()
        self.active = self.most_active = self.total = 0

    def fault(self, path):
        """The fault that the next request for a path meets, and the event that ends its wait.

        Both at once: between them /well could come, and the request would wait for the next one.
        """
        with self.lock:
            for fault in self.faults:
                if path.startswith(fault.path):
                    if fault.count == 1:
                        self.faults.remove(fault)
                    elif fault.count > 1:
                        fault.count -= 1
                    return fault, self.released
            return None, self.released

    def begin(self, entry):
        with self.lock:
            self.log.append(entry)
            self.total += 1
            self.active += 1
            self.most_active = max(self.most_active, self.active)

    def end(self, entry, began):
        with self.lock:
            entry["ms"] = round((time.monotonic() - began) * 1000)
            self.active -= 1

    def release(self, is_well=False):
        with self.lock:
            if is_well:
                self.faults.clear()
            released, self.released = self.released, threading.Event()
        released.set()

    def close_connections(self):
        with self.lock:
            connections, self.connections = self.connections, set()
        for connection in connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


# MARK: Services


class Answer:
    def __init__(self, body, kind="application/json", status=200, headers=()):
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.kind, self.status, self.headers = kind, status, list(headers)


def not_found(path):
    return Answer({"code": "NotFound", "description": f"There is nothing at {path}."}, status=404)


def box_of(text):
    """A box of four numbers; None if there is none."""
    if not text:
        return None
    if text.startswith("{"):
        box = json.loads(text)
        return [float(box[key]) for key in ("xmin", "ymin", "xmax", "ymax")]
    numbers = [float(part) for part in text.split(",")]
    return numbers if len(numbers) == 4 else numbers[:2] + numbers[3:5]


def geojson(one):
    return {"type": "Feature", "id": one["id"], "geometry": {"type": "Point", "coordinates": [one["x"], one["y"]]},
            "properties": {"name": one["name"], "value": one["value"]}}


def oapif(state, host, path, query):
    """OGC API Features, part 1."""
    root, settings = f"http://{host}/oapif", state.settings
    link = lambda rel, href, kind="application/json": {"rel": rel, "href": href, "type": kind}
    collection = {
        "id": "points", "title": "Points", "itemType": "feature", "crs": [CRS84],
        "extent": {"spatial": {"bbox": [list(EXTENT)], "crs": CRS84}},
        "links": [link("items", f"{root}/collections/points/items", "application/geo+json")]}
    if path == "":
        return Answer({"title": "Test", "links": [
            link("self", root), link("data", f"{root}/collections"), link("conformance", f"{root}/conformance"),
            link("service-desc", f"{root}/api", "application/vnd.oai.openapi+json;version=3.0")]})
    if path == "/conformance":
        return Answer({"conformsTo": ["http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
                                      "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson"]})
    if path == "/api":
        return Answer({"openapi": "3.0.2", "paths": {}}, "application/vnd.oai.openapi+json;version=3.0")
    if path == "/collections":
        return Answer({"collections": [collection], "links": [link("self", f"{root}/collections")]})
    if path == "/collections/points":
        return Answer(collection)
    if path.startswith("/collections/points/items/"):
        number = int(path.rsplit("/", 1)[1])
        known = 1 <= number <= FEATURE_COUNT
        return Answer(geojson(FEATURES[number - 1]), "application/geo+json") if known else not_found(path)
    if path != "/collections/points/items":
        return not_found(path)
    try:
        box = box_of(query.get("bbox", ""))
        limit, offset = int(query.get("limit", settings.default_limit)), int(query.get("offset", 0))
        if limit < 1 or offset < 0:
            raise ValueError(f"limit {limit}, offset {offset}")
    except ValueError as error:
        return Answer({"code": "InvalidParameterValue", "description": str(error)}, status=400)
    found = features_in(box)
    given = found[: settings.total_limit] if settings.total_limit else found
    page = given[offset : offset + min(limit, settings.page_limit)]
    links = []
    if settings.next_links and offset + len(page) < len(given):
        more = dict(query, offset=offset + len(page), limit=limit)
        next_root = root.replace(host, settings.next_host) if settings.next_host else root
        links.append(link("next", f"{next_root}/collections/points/items?{urllib.parse.urlencode(more)}",
                          "application/geo+json"))
    body = {"type": "FeatureCollection", "features": [geojson(one) for one in page], "numberReturned": len(page),
            "links": links}
    if settings.number_matched:
        body["numberMatched"] = len(found)
    return Answer(body, "application/geo+json")


def esri_error(code, message, details=()):
    """As such services do: the error is in an answer with status 200."""
    return Answer({"error": {"code": code, "message": message, "details": list(details)}})


def feature_service(state, host, path, query):
    """An ArcGIS-style feature service with one layer."""
    settings = state.settings
    fields = [{"name": "OBJECTID", "type": "esriFieldTypeOID", "alias": "OBJECTID"},
              {"name": "name", "type": "esriFieldTypeString", "alias": "name", "length": 64},
              {"name": "value", "type": "esriFieldTypeInteger", "alias": "value"}]
    extent = dict(zip(("xmin", "ymin", "xmax", "ymax"), EXTENT), spatialReference={"wkid": 4326, "latestWkid": 4326})
    layer = {"currentVersion": 10.91, "id": 0, "name": "Points", "type": "Feature Layer",
             "geometryType": "esriGeometryPoint", "objectIdField": "OBJECTID", "displayField": "name", "fields": fields,
             "extent": extent, "maxRecordCount": settings.max_record_count, "capabilities": "Query",
             "supportedQueryFormats": "JSON, geoJSON", "hasZ": False, "hasM": False, "copyrightText": "Test data",
             "advancedQueryCapabilities": {"supportsPagination": bool(settings.supports_paging)}}
    if path == "":
        return Answer({"currentVersion": 10.91, "serviceDescription": "Points", "maxRecordCount":
                       settings.max_record_count, "layers": [{"id": 0, "name": "Points"}], "tables": [],
                       "capabilities": "Query", "spatialReference": {"wkid": 4326}})
    if path == "/0":
        return Answer(layer)
    if path != "/0/query":
        return esri_error(404, f"Service points/FeatureServer{path} not found")
    try:
        box = box_of(query.get("geometry", ""))
        offset = int(query.get("resultOffset", 0) or 0)
        wanted = int(query.get("resultRecordCount", 0) or 0) or settings.max_record_count
    except (ValueError, KeyError) as error:
        return esri_error(400, "Unable to complete operation.", [f"'{error}' is not valid."])
    if query.get("inSR", "4326") != "4326" or query.get("outSR", "4326") != "4326":
        return esri_error(400, "Unable to complete operation.", ["Only 4326 is supported."])
    if query.get("where", "1=1") not in ("1=1", ""):
        return esri_error(400, "Cannot perform query. Invalid query parameters.", ["'where' clause is not supported."])
    found = features_in(box)
    if query.get("returnCountOnly") == "true":
        return Answer({"count": len(found)})
    if query.get("returnExtentOnly") == "true":
        return Answer({"extent": extent, "count": len(found)})
    if query.get("returnIdsOnly") == "true":
        return Answer({"objectIdFieldName": "OBJECTID", "objectIds": [one["id"] for one in found]})
    if not settings.supports_paging:
        if "resultOffset" in query:
            return esri_error(400, "Unable to complete operation.", ["Pagination is not supported."])
        offset = 0
    page = found[offset : offset + min(wanted, settings.max_record_count)]
    exceeded = settings.exceeded_flag and offset + len(page) < len(found)
    if query.get("f") == "geojson":
        body = {"type": "FeatureCollection", "features": [geojson(one) for one in page]}
        if exceeded:
            body["properties"] = {"exceededTransferLimit": True}
            body["exceededTransferLimit"] = True
        return Answer(body, "application/geo+json")
    body = {"objectIdFieldName": "OBJECTID", "geometryType": "esriGeometryPoint",
            "spatialReference": {"wkid": 4326, "latestWkid": 4326}, "fields": fields,
            "features": [{"attributes": {"OBJECTID": one["id"], "name": one["name"], "value": one["value"]},
                          "geometry": {"x": one["x"], "y": one["y"]}} for one in page]}
    if exceeded:
        body["exceededTransferLimit"] = True
    return Answer(body)


def tile(state, z, x, y):
    side = 2**z if 0 <= z <= LAST_ZOOM else 0
    if not (0 <= x < side and 0 <= y < side):
        return Answer(b"There is no such tile.", "text/plain", 404)
    tag = f'"{z}-{x}-{y}-{state.settings.version}"'
    headers = [("ETag", tag), ("Cache-Control", "max-age=3600")]
    return Answer(png(tile_pixels(z, x, y, state.settings.version)), "image/png", headers=headers)


# The cells of the matrix set in degrees, as in NASA's set "250m". Its tiles cover 576, 432 and 360 degrees.
DEGREES = [0.5625, 0.28125, 0.140625]


def degree_pixels(z, x, y):
    """Red and green say in which 2 degrees a cell is, blue the level; beyond the world all is white."""
    row, column = numpy.mgrid[0:512, 0:512]
    longitude = -180 + (x * 512 + column + 0.5) * DEGREES[z]
    latitude = 90 - (y * 512 + row + 0.5) * DEGREES[z]
    pixels = numpy.full((512, 512, 3), 255, numpy.uint8)
    inside = (longitude < 180) & (latitude > -90)
    pixels[inside] = numpy.stack([(longitude + 180) // 2, (latitude + 90) // 2, numpy.full(row.shape, z)], -1)[inside]
    return pixels


def wms_exception(code, text):
    report = (f'<?xml version="1.0"?><ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc">'
              f'<ServiceException code="{code}">{escape(text)}</ServiceException></ServiceExceptionReport>')
    return Answer(report.encode(), "text/xml")


def wms(state, host, path, query):
    query = {key.upper(): value for key, value in query.items()}
    kind = query.get("REQUEST", "").lower()
    if kind == "getcapabilities":
        here = f"http://{host}/wms?"
        online = f'<OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="{here}"/>'
        get = f"<DCPType><HTTP><Get>{online}</Get></HTTP></DCPType>"
        return Answer(f"""<?xml version="1.0"?><WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms">
<Service><Name>WMS</Name><Title>Test</Title>{online}</Service><Capability><Request>
<GetCapabilities><Format>text/xml</Format>{get}</GetCapabilities><GetMap><Format>image/png</Format>{get}</GetMap>
</Request><Exception><Format>XML</Format></Exception><Layer><Title>Test</Title><CRS>EPSG:4326</CRS><CRS>EPSG:3857</CRS>
<Layer queryable="0"><Name>map</Name><Title>Map</Title><EX_GeographicBoundingBox><westBoundLongitude>-180
</westBoundLongitude><eastBoundLongitude>180</eastBoundLongitude><southBoundLatitude>-85</southBoundLatitude>
<northBoundLatitude>85</northBoundLatitude></EX_GeographicBoundingBox>
<BoundingBox CRS="EPSG:4326" minx="-85" miny="-180" maxx="85" maxy="180"/></Layer></Layer></Capability>
</WMS_Capabilities>""".encode(), "text/xml")
    if kind != "getmap":
        return wms_exception("OperationNotSupported", f"{kind} is not supported.")
    if query.get("LAYERS") != "map":
        return wms_exception("LayerNotDefined", f"There is no layer {query.get('LAYERS')}.")
    try:
        box, width, height = box_of(query["BBOX"]), int(query["WIDTH"]), int(query["HEIGHT"])
        reference = query.get("CRS", query.get("SRS", ""))
    except (KeyError, ValueError) as error:
        return wms_exception("MissingParameterValue", f"{error} is missing or not valid.")
    if not 1 <= width <= 4096 or not 1 <= height <= 4096:
        return wms_exception("InvalidDimensionValue", "A side has 1 to 4096 pixels.")
    # Version 1.3.0 has the axis order of the authority: latitude first.
    if query.get("VERSION", "1.3.0") == "1.3.0" and reference == "EPSG:4326":
        box = [box[1], box[0], box[3], box[2]]
    return Answer(png(map_pixels(box, width, height, 1.0 if reference == "EPSG:4326" else 100_000.0)), "image/png")


def wmts(state, host, path, query):
    if path == "/capabilities.xml":
        matrices = "".join(
            f"<TileMatrix><ows:Identifier>{z}</ows:Identifier><ScaleDenominator>{559082264.0287178 / 2**z!r}"
            f"</ScaleDenominator><TopLeftCorner>{-HALF_WORLD!r} {HALF_WORLD!r}</TopLeftCorner>"
            f"<TileWidth>256</TileWidth><TileHeight>256</TileHeight>"
            f"<MatrixWidth>{2**z}</MatrixWidth><MatrixHeight>{2**z}</MatrixHeight></TileMatrix>"
            for z in range(LAST_ZOOM + 1))
        template = f"http://{host}/wmts/tile/{{TileMatrix}}/{{TileCol}}/{{TileRow}}.png"
        return Answer(f"""<?xml version="1.0"?><Capabilities version="1.0.0" xmlns="http://www.opengis.net/wmts/1.0"
xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink"><Contents><Layer>
<ows:Title>Map</ows:Title><ows:WGS84BoundingBox><ows:LowerCorner>-180 -85.05</ows:LowerCorner>
<ows:UpperCorner>180 85.05</ows:UpperCorner></ows:WGS84BoundingBox><ows:Identifier>map</ows:Identifier>
<Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style><Format>image/png</Format>
<TileMatrixSetLink><TileMatrixSet>GM</TileMatrixSet></TileMatrixSetLink>
<ResourceURL format="image/png" resourceType="tile" template="{template}"/></Layer><TileMatrixSet>
<ows:Identifier>GM</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>
{matrices}</TileMatrixSet></Contents></Capabilities>""".encode(), "text/xml")
    if path == "/degrees.xml":
        matrices = "".join(
            f"<TileMatrix><ows:Identifier>{z}</ows:Identifier><ScaleDenominator>{cell * 111319.49079327358 / 0.00028!r}"
            f"</ScaleDenominator><TopLeftCorner>-180 90</TopLeftCorner><TileWidth>512</TileWidth><TileHeight>512"
            f"</TileHeight><MatrixWidth>{math.ceil(360 / cell / 512)}</MatrixWidth>"
            f"<MatrixHeight>{math.ceil(180 / cell / 512)}</MatrixHeight></TileMatrix>"
            for z, cell in enumerate(DEGREES))
        return Answer(f"""<?xml version="1.0"?><Capabilities version="1.0.0" xmlns="http://www.opengis.net/wmts/1.0"
xmlns:ows="http://www.opengis.net/ows/1.1"><Contents><Layer><ows:Title>Map</ows:Title>
<ows:Identifier>map</ows:Identifier><Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style>
<Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>degrees</TileMatrixSet></TileMatrixSetLink><ResourceURL
format="image/png" resourceType="tile" template="http://{host}/wmts/degrees/{{TileMatrix}}/{{TileCol}}/{{TileRow}}.png"/>
</Layer><TileMatrixSet><ows:Identifier>degrees</ows:Identifier>
<ows:SupportedCRS>urn:ogc:def:crs:OGC:1.3:CRS84</ows:SupportedCRS>{matrices}</TileMatrixSet></Contents>
</Capabilities>""".encode(), "text/xml")
    parts = path.strip("/").split("/")
    if len(parts) == 4 and parts[0] == "degrees":
        z, x, y = int(parts[1]), int(parts[2]), int(parts[3].removesuffix(".png"))
        return Answer(png(degree_pixels(z, x, y)), "image/png")
    if len(parts) == 4 and parts[0] == "tile":
        return tile(state, int(parts[1]), int(parts[2]), int(parts[3].removesuffix(".png")))
    return not_found(path)


def file_answer(state, name, wanted_range):
    path = os.path.join(state.files or "", os.path.basename(name))
    if not state.files or not os.path.isfile(path):
        return not_found(name)
    with open(path, "rb") as file:
        body = file.read()
    headers = [("ETag", f'"{len(body)}-{state.settings.version}"'), ("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")]
    if not state.settings.accept_ranges:
        return Answer(body, "application/octet-stream", headers=headers)
    headers.append(("Accept-Ranges", "bytes"))
    if not wanted_range or not wanted_range.startswith("bytes="):
        return Answer(body, "application/octet-stream", headers=headers)
    first, last = wanted_range.removeprefix("bytes=").split(",")[0].split("-")
    start = int(first) if first else max(0, len(body) - int(last))
    end = min(int(last), len(body) - 1) if first and last else len(body) - 1
    if start >= len(body) or start > end:
        return Answer(b"", "application/octet-stream", 416, headers + [("Content-Range", f"bytes */{len(body)}")])
    headers.append(("Content-Range", f"bytes {start}-{end}/{len(body)}"))
    return Answer(body[start : end + 1], "application/octet-stream", 206, headers)


def recorded(state, name, query):
    names = [f"{name}_resultOffset{query.get('resultOffset') or 0}.json", f"{name}.json"]
    for one in names:
        path = os.path.join(state.recorded or "", os.path.basename(one))
        if state.recorded and os.path.isfile(path):
            with open(path, "rb") as file:
                return Answer(file.read())
    return not_found(name)


def answer(state, host, path, query, wanted_range):
    """The right answer to a request."""
    rest = path.split("/")
    if path == "/oapif" or path.startswith("/oapif/"):
        return oapif(state, host, path.removeprefix("/oapif").rstrip("/"), query)
    service = "/arcgis/rest/services/points/FeatureServer"
    if path.startswith(service):
        return feature_service(state, host, path.removeprefix(service).rstrip("/"), query)
    if path.startswith("/tiles/") and len(rest) == 5:
        return tile(state, int(rest[2]), int(rest[3]), int(rest[4].removesuffix(".png")))
    if path == "/wms":
        return wms(state, host, path, query)
    if path.startswith("/wmts/"):
        return wmts(state, host, path.removeprefix("/wmts"), query)
    if path.startswith("/files/"):
        return file_answer(state, path.removeprefix("/files/"), wanted_range)
    if path.startswith("/recorded/"):
        return recorded(state, path.removeprefix("/recorded/"), query)
    return not_found(path)


# MARK: Faults: each gets the connection's handler, the fault and the right answer


def stall(handler, fault, right):
    """The client gets nothing, for `seconds` (600) or until /release; then the connection is closed."""
    handler.wait(fault.number("seconds", 600.0))
    handler.close_connection = True


def stall_body(handler, fault, right):
    """The head and half of the body come, and then nothing."""
    handler.send_head(right, len(right.body))
    handler.write(right.body[: len(right.body) // 2])
    handler.wait(fault.number("seconds", 600.0))
    handler.close_connection = True


def drip(handler, fault, right):
    """One byte in every `ms` (100)."""
    handler.send_head(right, len(right.body))
    for byte in right.body:
        if not handler.write(bytes([byte])):
            break
        time.sleep(fault.number("ms", 100.0) / 1000)


def half(handler, fault, right):
    """The head promises all of the body; half of it comes, and the connection is closed."""
    handler.send_head(right, len(right.body))
    handler.write(right.body[: len(right.body) // 2])
    handler.close_connection = True


def half_silent(handler, fault, right):
    """The same without a Content-Length: the end of the connection looks like the end of the body."""
    handler.send_head(right, None)
    handler.write(right.body[: len(right.body) // 2])
    handler.close_connection = True


def drop(handler, fault, right):
    """The connection is closed without an answer."""
    handler.close_connection = True


def html(handler, fault, right):
    """A page for people, with status 200, as a captive portal sends."""
    handler.send(Answer(b"<!DOCTYPE html><html><body>Please sign in.</body></html>", "text/html"))


def status(handler, fault, right):
    """A status `code` (500) with a `text`."""
    text = fault.number("text", "The database is being repaired.")
    handler.send(Answer({"code": "ServerError", "description": text}, status=fault.number("code", 500)))


def throttle(handler, fault, right):
    """429 with Retry-After: `seconds` (1); "none" leaves the header out."""
    seconds = fault.number("seconds", "1")
    headers = [] if seconds == "none" else [("Retry-After", seconds)]
    handler.send(Answer({"description": "Too many requests."}, status=fault.number("code", 429), headers=headers))


def redirect(handler, fault, right):
    """A redirect to `to`: {path} in it stands for the path and query of the request; "self" is an endless circle."""
    to = fault.number("to", "self")
    to = handler.path if to == "self" else to.replace("{path}", handler.path)
    handler.send(Answer(b"", "text/plain", fault.number("code", 302), [("Location", to)]))


def giant(handler, fault, right):
    """A body of `bytes` (a gigabyte) of blanks after what is right; `length=0` leaves Content-Length out."""
    size, block = fault.number("bytes", 1 << 30), b" " * 65536
    handler.send_head(right, size if fault.number("length", 1) else None)
    handler.write(right.body[:1])
    sent = 1
    while sent < size and handler.write(block[: min(len(block), size - sent)]):
        sent += len(block)
    handler.close_connection = True


def bomb(handler, fault, right):
    """A body that is small, and `bytes` (a gigabyte) of blanks once it is unpacked."""
    right.headers.append(("Content-Encoding", "gzip"))
    body = packed(fault.number("bytes", 1 << 30))
    handler.send_head(right, len(body))
    handler.write(body)


def garbage(handler, fault, right):
    """Bytes without a meaning, with the right type."""
    handler.send(Answer(bytes(range(256)) * 8, right.kind))


def empty(handler, fault, right):
    """No body at all, with status 200."""
    handler.send(Answer(b"", right.kind))


FAULTS = {one.__name__: one for one in (stall, stall_body, drip, half, half_silent, drop, html, status, throttle,
                                        redirect, giant, bomb, garbage, empty)}
PACKED = {}


def packed(size):
    """So many blanks, compressed; kept, because compressing a gigabyte takes seconds."""
    if size not in PACKED:
        memory, block = io.BytesIO(), b" " * (1 << 20)
        with gzip.GzipFile(fileobj=memory, mode="wb", compresslevel=9, mtime=0) as file:
            for start in range(0, size, len(block)):
                file.write(block[: size - start])
        PACKED[size] = memory.getvalue()
    return PACKED[size]


# MARK: Serving


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An answer goes out at once.
    wbufsize = -1
    disable_nagle_algorithm = True

    @property
    def shared(self):
        return self.server.shared

    def setup(self):
        super().setup()
        with self.shared.lock:
            self.shared.connections.add(self.connection)

    def finish(self):
        with self.shared.lock:
            self.shared.connections.discard(self.connection)
        try:
            super().finish()
        except OSError:
            pass

    def handle(self):
        try:
            super().handle()
        except OSError:
            pass

    def do_GET(self):
        state, began = self.shared, time.monotonic()
        url = urllib.parse.urlsplit(self.path)
        entry = {"method": self.command, "path": self.path, "at": time.time(), "fault": None, "status": None,
                 "sent": 0, "headers": {key.lower(): value for key, value in self.headers.items()}}
        self.entry = entry
        state.begin(entry)
        try:
            query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
            length = int(self.headers.get("Content-Length", 0))
            if length:
                query.update(urllib.parse.parse_qsl(self.rfile.read(length).decode(), keep_blank_values=True))
            if state.settings.delay_ms:
                time.sleep(state.settings.delay_ms / 1000)
            host = self.headers.get("Host", "")
            try:
                right = answer(state, host, url.path, query, self.headers.get("Range"))
            except (ValueError, KeyError, IndexError) as error:
                right = Answer({"description": f"{type(error).__name__}: {error}"}, status=400)
            fault, self.released = state.fault(url.path)
            if fault:
                entry["fault"] = fault.kind
                FAULTS[fault.kind](self, fault, right)
            else:
                self.send(right)
        finally:
            state.end(entry, began)

    do_HEAD = do_POST = do_GET

    def send(self, one):
        self.send_head(one, len(one.body))
        self.write(one.body)

    def send_head(self, one, length):
        self.entry["status"] = one.status
        self.send_response(one.status)
        self.send_header("Content-Type", one.kind)
        if length is None:
            self.send_header("Connection", "close")
        else:
            self.send_header("Content-Length", str(length))
        for key, value in one.headers:
            self.send_header(key, value)
        self.end_headers()

    def write(self, data):
        """Whether it could be sent."""
        if self.command == "HEAD":
            return False
        try:
            self.wfile.write(data)
            self.wfile.flush()
        except (OSError, ValueError):
            self.close_connection = True
            return False
        self.entry["sent"] += len(data)
        return True

    def wait(self, seconds):
        """Waits for /release, or until the client has gone."""
        try:
            self.wfile.flush()
        except OSError:
            return
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.released.wait(0.05):
            try:
                if self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b"":
                    return
            except BlockingIOError:
                pass
            except OSError:
                return

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, port, handler, shared):
        self.shared = shared
        super().__init__(("127.0.0.1", port), handler)

    def start(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def handle_error(self, request, address):
        pass


class Control:
    """The port of the data, which can be closed and opened again."""

    def __init__(self, options):
        self.state = State(options)
        self.server = Server(options.port, Handler, self.state).start()
        self.port = self.server.server_address[1]

    def refuse(self):
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.server = None
        self.state.close_connections()
        self.state.release()

    def listen(self):
        if not self.server:
            self.server = Server(self.port, Handler, self.state).start()

    def well(self):
        self.state.release(is_well=True)
        self.listen()

    def command(self, path, query):
        """Carries out a command; the result is sent as JSON."""
        state = self.state
        if path == "/log":
            with state.lock:
                return list(state.log)
        if path == "/counts":
            with state.lock:
                return {"open": len(state.connections), "active": state.active, "most_active": state.most_active,
                        "total": state.total}
        if path == "/clear":
            with state.lock:
                state.log.clear()
                state.most_active, state.total = state.active, 0
        elif path == "/set":
            for key, value in query.items():
                state.settings.set(key, value)
        elif path == "/fault":
            fault = Fault(query)
            if fault.kind == "bomb":
                packed(fault.number("bytes", 1 << 30))
            with state.lock:
                state.faults.append(fault)
        elif path in ("/refuse", "/listen", "/well", "/release"):
            getattr(state if path == "/release" else self, path[1:])()
        else:
            raise KeyError(path)
        return {}


class ControlHandler(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        try:
            body, code = self.server.shared.command(url.path, dict(urllib.parse.parse_qsl(url.query))), 200
        except (KeyError, ValueError) as error:
            body, code = {"error": str(error)}, 400
        data = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--control-port", type=int, default=0)
    parser.add_argument("--files", help="the folder of /files")
    parser.add_argument("--recorded", help="the folder of /recorded")
    options = parser.parse_args()
    control = Control(options)
    commands = Server(options.control_port, ControlHandler, control).start()
    print(json.dumps({"port": control.port, "control_port": commands.server_address[1]}), flush=True)
    # Whoever started it has gone when its standard input ends.
    while sys.stdin.readline():
        pass


if __name__ == "__main__":
    main()
