"""What the tests of the Python package share."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Iterator

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
RASTERS = REPOSITORY / "Tests" / "data" / "rasters"

# The package of this checkout, whatever is installed.
sys.path.insert(0, str(REPOSITORY / "bindings" / "python"))

import alidade  # noqa: E402

# The public modules, and what they offer, by name.
MODULES = {name: found for name, found in vars(alidade).items() if isinstance(found, ModuleType) and name[0] != "_"}
PUBLIC = {name: getattr(module, name) for module in (*MODULES.values(), alidade) for name in module.__all__}
for _module in MODULES:
    PUBLIC.pop(_module)


@dataclass
class Scene:
    """A raster in the middle of a view of 200 by 100 DIP, on a map in Web Mercator."""

    raster: alidade.Raster
    layer: alidade.RasterLayer
    map: alidade.Map
    view: alidade.View


@pytest.fixture()
def runtime() -> Iterator[alidade.Runtime]:
    with alidade.Runtime() as runtime:
        yield runtime


@pytest.fixture()
def scene(runtime: alidade.Runtime) -> Scene:
    return make_scene(runtime, "Shasta_Elevation.tif", scale=100_000)


def make_scene(runtime: alidade.Runtime, name: str, scale: float) -> Scene:
    raster = alidade.Raster(runtime, RASTERS / name)
    layer = alidade.RasterLayer(raster)
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    map.add_layer(layer)
    view = alidade.View(map, width_dip=200, height_dip=100)
    extent = raster.info.extent
    middle = (extent.x_min + extent.x_max) / 2, (extent.y_min + extent.y_max) / 2
    view.set_viewpoint(middle, raster.spatial_reference, scale, rotation_deg=0)
    # There is an event when the view is ready; tests that count events begin without it.
    runtime.events()
    return Scene(raster, layer, map, view)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rounds", type=int, default=5, help="how many processes end in each way (test_exits)")


@pytest.fixture()
def rounds(request: pytest.FixtureRequest) -> int:
    return request.config.getoption("--rounds")
