"""Makes the data once per run and finds the Python package of this checkout if none is installed."""
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RASTERS = ROOT / "Tests" / "data" / "rasters"

if importlib.util.find_spec("alidade") is None:
    sys.path.insert(0, str(ROOT / "bindings" / "python"))

# The examples, which are run as programs, warn of texts in their pictures that cannot be read. Here that ends them.
os.environ["PYTHONWARNINGS"] = "error:The picture has texts that cannot be read"


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="all of what the plain run takes a sample of")


@pytest.fixture(scope="session")
def is_long(request):
    """Whether all is asked for."""
    return request.config.getoption("--long")


@pytest.fixture(scope="session")
def generated(tmp_path_factory):
    """The folder with what Tests/data/generate.py makes."""
    folder = tmp_path_factory.mktemp("generated")
    subprocess.run([sys.executable, "-B", str(ROOT / "Tests" / "data" / "generate.py"), str(folder)], check=True)
    return folder


@pytest.fixture(scope="session")
def runtime():
    import alidade

    # Of the files here some are netCDF, which is allowed to a host that knows where they are from.
    with alidade.Runtime(policy=alidade.Policy(drivers=["netCDF"], add_drivers=True)) as runtime:
        yield runtime


@pytest.fixture(scope="session")
def raster_path(generated):
    """A function from a file's name to its path."""

    def find(name):
        real = RASTERS / name
        return real if real.exists() else generated / name

    return find


@pytest.fixture
def scene_of(runtime, raster_path):
    """A function from a case to its scene: raster, layer, map and view, and the truth about them."""
    from scene import Scene

    return lambda case: Scene(runtime, raster_path(case.file), case)
