"""What the tests of services share: a server in a process of its own, and runtimes that may use it."""
import importlib.util
import sys
import time
from pathlib import Path

import pytest

from client import MapServer

ROOT = Path(__file__).resolve().parents[2]
if importlib.util.find_spec("alidade") is None:
    sys.path.insert(0, str(ROOT / "bindings" / "python"))

import alidade  # noqa: E402


@pytest.fixture
def server():
    with MapServer() as server:
        yield server


@pytest.fixture
def runtime(server):
    with alidade.Runtime(policy=alidade.Policy(hosts=[server.address])) as runtime:
        yield runtime


@pytest.fixture(params=["arcgis/rest/services/points/FeatureServer/0", "oapif/collections/points"],
                ids=["feature service", "OGC API"])
def address(server, request):
    """A layer of 5,000 points, by two kinds of service."""
    return f"{server.url}/{request.param}"


def wait_until(holds, seconds=10.0):
    """Waits until a function returns something true, and returns that."""
    end = time.monotonic() + seconds
    while True:
        found = holds()
        if found or time.monotonic() > end:
            return found
        time.sleep(0.01)


def pytest_addoption(parser):
    parser.addoption("--seconds", type=float, default=15.0, help="how long test_soak.py goes on")
