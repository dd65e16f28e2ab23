"""Starts the servers of others on 127.0.0.1, for tests: pygeoapi (OGC API Features) and MapServer (WMS and WFS).

    with PyGeoAPI(folder, {"stations": features}) as server: ...
    with MapServerCGI(folder) as server: ...

Each runs in a process of its own, whose program is this same file, and which ends when its standard input closes. They
write only into the folder that the test names.
"""
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

MAPSERV = shutil.which("mapserv") or ""
HAS_PYGEOAPI = importlib.util.find_spec("pygeoapi") is not None


class RealServer:
    """A server in a process of its own. Use it in a `with` statement; `address` is its host and port."""

    def __init__(self, kind, folder, port=0):
        self._kind, self.folder, self.port = kind, Path(folder), port
        self._process = None
        self.start()

    def start(self):
        """Starts the server, on the same port as before, and waits until it is ready."""
        command = [sys.executable, "-B", __file__, self._kind, str(self.folder), str(self.port)]
        with open(self.folder / "log.txt", "ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, cwd=self.folder)
        line = self._process.stdout.readline()
        if not line:
            self.stop()
            raise RuntimeError((self.folder / "log.txt").read_text())
        self.port = json.loads(line)["port"]
        self.address = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.address}"

    def stop(self):
        process, self._process = self._process, None
        if process is None:
            return
        process.stdin.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()

    def get(self, path):
        """What Python's own client gets."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(self.url + path, timeout=60) as answer:
            return answer.read()

    def requests(self):
        """The paths and queries that were asked for so far."""
        return (self.folder / "requests.txt").read_text().splitlines()

    def clear(self):
        (self.folder / "requests.txt").write_text("")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class PyGeoAPI(RealServer):
    """pygeoapi with collections of GeoJSON features, at most `page` of them at a time."""

    def __init__(self, folder, collections, page=10):
        folder = Path(folder)
        for name, features in collections.items():
            (folder / f"{name}.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}))
        resources = {name: _resource(name, folder / f"{name}.geojson") for name in collections}
        (folder / "collections.json").write_text(json.dumps({"page": page, "resources": resources}))
        super().__init__("pygeoapi", folder)


def _resource(name, path):
    provider = {"type": "feature", "name": "GeoJSON", "data": str(path), "id_field": "number"}
    spatial = {"bbox": [-180, -90, 180, 90], "crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84"}
    return {"type": "collection", "title": f"The {name}", "description": f"The {name} of a test", "keywords": ["test"],
            "links": [], "extents": {"spatial": spatial}, "providers": [provider]}


class MapServerCGI(RealServer):
    """MapServer with the map files that are in a folder, by the names of the files.

    /mapserv is for "main.map". /cgi is for the map file that the query names, as in "map=main".
    """

    def __init__(self, folder, port=0):
        folder = Path(folder)
        maps = "".join(f'    "{path.stem}" "{path}"\n' for path in sorted(folder.glob("*.map")))
        (folder / "mapserver.conf").write_text(
            f'CONFIG\n  ENV\n    "MS_MAP_PATTERN" "."\n  END\n  MAPS\n{maps}  END\nEND\n')
        super().__init__("mapserver", folder, port)


# MARK: In the process of a server


def _serve(server):
    """Serves until the standard input closes, and says on which port."""
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"port": server.server_address[1]}), flush=True)
    sys.stdin.read()
    # Requests that are under way end with the process.
    os._exit(0)


def _note(folder, target):
    with open(folder / "requests.txt", "a") as file:
        file.write(target + "\n")


def _serve_pygeoapi(folder, port):
    # The links that pygeoapi writes name its port, so the port comes first.
    import socket

    listening = socket.create_server(("127.0.0.1", port))
    port = listening.getsockname()[1]
    given = json.loads((folder / "collections.json").read_text())
    limits = {"default_items": given["page"], "max_items": given["page"]}
    server = {"bind": {"host": "127.0.0.1", "port": port}, "url": f"http://127.0.0.1:{port}", "mimetype":
              "application/json", "encoding": "utf-8", "gzip": True, "languages": ["en-US"], "limits": limits,
              "map": {"url": "http://127.0.0.1/", "attribution": "none"}}
    who = {"name": "test", "url": "http://127.0.0.1/", "email": "test@example.com"}
    about = {"identification": {"title": "test", "description": "test", "keywords": ["test"], "keywords_type": "theme",
                                "terms_of_service": "none", "url": "http://127.0.0.1/"},
             "license": {"name": "none", "url": "http://127.0.0.1/"}, "provider": who, "contact": who}
    config, document = folder / "pygeoapi.yml", folder / "openapi.json"
    # JSON is YAML, too.
    config.write_text(json.dumps({"server": server, "logging": {"level": "ERROR"}, "metadata": about,
                                  "resources": given["resources"]}))
    document.write_text("{}")
    os.environ.update(PYGEOAPI_CONFIG=str(config), PYGEOAPI_OPENAPI=str(document))
    from pygeoapi.flask_app import APP
    from werkzeug.serving import make_server

    def application(environment, start):
        query = environment.get("QUERY_STRING")
        _note(folder, environment["PATH_INFO"] + (f"?{query}" if query else ""))
        return APP(environment, start)

    _serve(make_server("127.0.0.1", port, application, threaded=True, fd=listening.detach()))


class _CGIHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        folder = self.server.folder
        _note(folder, self.path)
        path, _, query = self.path.partition("?")
        environment = dict(os.environ, REQUEST_METHOD="GET", QUERY_STRING=query, SCRIPT_NAME=path,
                           SERVER_NAME="127.0.0.1", SERVER_PORT=str(self.server.server_address[1]),
                           MAPSERVER_CONFIG_FILE=str(folder / "mapserver.conf"))
        if path == "/mapserv":
            environment["MS_MAPFILE"] = str(folder / "main.map")
        run = subprocess.run([MAPSERV], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=60)
        head, _, body = run.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        self.send_response(int(headers.pop("Status", "200").split()[0]))
        for name, value in headers.items():
            if name.lower() != "content-length":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def _serve_mapserver(folder, port):
    server = ThreadingHTTPServer(("127.0.0.1", port), _CGIHandler)
    server.daemon_threads, server.folder = True, folder
    _serve(server)


if __name__ == "__main__":
    folder = Path(sys.argv[2])
    (folder / "requests.txt").touch()
    {"pygeoapi": _serve_pygeoapi, "mapserver": _serve_mapserver}[sys.argv[1]](folder, int(sys.argv[3]))
