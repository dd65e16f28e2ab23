#!/usr/bin/python3
"""A small server on this machine, for the example: a collection of OGC API Features, from a CSV of points, and tiles of
a basemap, from a GeoJSON of countries.

    server.py [--port N] CSV GEOJSON

It prints its port and serves until it is ended.
"""
import argparse
import csv
import io
import json
import math
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from PIL import Image, ImageDraw

SIDE = 256
WATER, LAND, COAST, GRID = (214, 228, 236), (244, 240, 230), (150, 150, 140), (222, 216, 202)


def read_features(path):
    """GeoJSON features of a table with the columns latitude and longitude; numbers are numbers."""
    def value(text):
        try:
            return float(text)
        except ValueError:
            return text

    features = []
    with open(path, newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=1):
            values = {name: value(text) for name, text in row.items()}
            place = [values.pop("longitude"), values.pop("latitude")]
            features.append({"type": "Feature", "id": number, "properties": values,
                             "geometry": {"type": "Point", "coordinates": place}})
    return features


def place(longitude, latitude):
    """A point in Web Mercator, from 0, 0 in the north-west to 1, 1 in the south-east."""
    latitude = math.radians(max(-85.0, min(85.0, latitude)))
    return 0.5 + longitude / 360, 0.5 - math.asinh(math.tan(latitude)) / (2 * math.pi)


def read_rings(path):
    """The outer rings of all countries in Web Mercator."""
    with open(path) as file:
        geometries = [one["geometry"] for one in json.load(file)["features"]]
    polygons = [polygon for one in geometries
                for polygon in ([one["coordinates"]] if one["type"] == "Polygon" else one["coordinates"])]
    return [[place(*point[:2]) for point in polygon[0]] for polygon in polygons]


def draw_tile(rings, zoom, column, row):
    """A tile of the basemap as PNG."""
    image = Image.new("RGB", (SIDE, SIDE), WATER)
    draw = ImageDraw.Draw(image)
    scale = SIDE * 2**zoom
    for ring in rings:
        points = [(x * scale - column * SIDE, y * scale - row * SIDE) for x, y in ring]
        if max(x for x, _ in points) >= 0 and min(x for x, _ in points) <= SIDE:
            draw.polygon(points, LAND, COAST)
    # Meridians a degree apart, and parallels half as far.
    for degree in range(-180, 181):
        x, y = place(degree, 0)[0] * scale - column * SIDE, place(0, degree / 2)[1] * scale - row * SIDE
        draw.line((x, 0, x, SIDE), GRID)
        draw.line((0, y, SIDE, y), GRID)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        if address.path == "/collections/hotspots":
            self.send({"id": "hotspots", "title": "Hotspots"})
        elif address.path == "/collections/hotspots/items":
            self.send(self.items(query))
        elif address.path.startswith("/tiles/"):
            numbers = address.path.removeprefix("/tiles/").removesuffix(".png").split("/")
            self.send_bytes(draw_tile(self.server.rings, *map(int, numbers)), "image/png")
        else:
            self.send({"description": f"There is nothing at {address.path}."}, 404)

    def items(self, query):
        found = self.server.features
        if "bbox" in query:
            west, south, east, north = map(float, query["bbox"].split(","))
            found = [one for one in found if west <= one["geometry"]["coordinates"][0] <= east
                     and south <= one["geometry"]["coordinates"][1] <= north]
        offset, limit = int(query.get("offset", 0)), min(int(query.get("limit", 10)), 1000)
        page = found[offset:offset + limit]
        links = []
        if offset + limit < len(found):
            box = f"&bbox={query['bbox']}" if "bbox" in query else ""
            links = [{"rel": "next", "href": f"items?limit={limit}&offset={offset + limit}{box}"}]
        return {"type": "FeatureCollection", "features": page, "links": links, "numberMatched": len(found),
                "numberReturned": len(page)}

    def send(self, answer, status=200):
        self.send_bytes(json.dumps(answer).encode(), "application/geo+json", status)

    def send_bytes(self, body, kind, status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("csv")
    parser.add_argument("geojson")
    arguments = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler)
    server.features, server.rings = read_features(arguments.csv), read_rings(arguments.geojson)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
