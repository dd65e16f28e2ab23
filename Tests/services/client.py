"""Starts server.py as another process, and commands it."""
import json
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path


class MapServer:
    """The test server. Use it in a `with` statement; `address` is its host and port."""

    def __init__(self, files=None, recorded=None, port=0):
        command = [sys.executable, "-B", str(Path(__file__).with_name("server.py")), "--port", str(port)]
        for name, folder in (("--files", files), ("--recorded", recorded)):
            if folder is not None:
                command += [name, str(folder)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ports = json.loads(self._process.stdout.readline())
        self.port, self._control = ports["port"], ports["control_port"]
        self.address = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.address}"

    def command(self, name, **query):
        """Sends a command to the server's control port; see server.py."""
        url = f"http://127.0.0.1:{self._control}/{name}?{urllib.parse.urlencode(query)}"
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(url, timeout=60) as answer:
            return json.load(answer)

    def fault(self, kind, path="/", count=0, **query):
        self.command("fault", kind=kind, path=path, count=count, **query)

    def set(self, **settings):
        self.command("set", **settings)

    def well(self):
        self.command("well")

    def requests(self, prefix="/"):
        """The requests so far whose path begins with a prefix."""
        return [one for one in self.command("log") if one["path"].startswith(prefix)]

    def clear(self):
        self.command("clear")

    def stop(self):
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
