#!/usr/bin/python3
"""A small server of OGC API Features on this machine, for the example: one collection, from a CSV of points.

    server.py [--port N] CSV

It prints its port and serves until it is ended.
"""
import argparse
import csv
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


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


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        if address.path == "/collections/hotspots":
            self.send({"id": "hotspots", "title": "Hotspots"})
        elif address.path == "/collections/hotspots/items":
            self.send(self.items(query))
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
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/geo+json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("csv")
    arguments = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler)
    server.features = read_features(arguments.csv)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
