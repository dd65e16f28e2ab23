"""rasterio, pyproj and shapely in the same process, in any order of import, from several threads: all are right."""

from __future__ import annotations

import pytest

from alidade import _library
from conftest import RASTERS
from test_processes import run_python

PARTS = {
    "alidade": f"""
import alidade
runtime = alidade.Runtime(thread_count=4)
raster = alidade.Raster(runtime, {str(RASTERS / "RGB.byte.tif")!r})
wgs84, mercator = (alidade.SpatialReference.from_code(runtime, code) for code in (4326, 3857))

def ours():
    cells = raster.read_cells([(x, y) for y in range(300, 310) for x in range(300, 310)])
    return cells.values["value"].astype(int).tolist()

def our_points():
    return wgs84.project(POINTS, mercator).points.tolist()
""",
    "others": f"""
import rasterio, pyproj, shapely.geometry
dataset_path = {str(RASTERS / "RGB.byte.tif")!r}

def theirs():
    with rasterio.open(dataset_path) as dataset:
        window = dataset.read(window=((300, 310), (300, 310)))
    return [window[:, y, x].astype(int).tolist() for y in range(10) for x in range(10)]

def their_points():
    transformer = pyproj.Transformer.from_crs(4326, 3857, always_xy=True)
    return [transformer.transform(*point) for point in POINTS]

def their_area():
    return shapely.geometry.Point(0, 0).buffer(1, 64).union(shapely.geometry.box(0, 0, 5, 5)).area
""",
}

COMPARE = """
import math, sys, threading

def close(a, b):
    return all(math.isclose(x, y, rel_tol=0, abs_tol=1e-6) for p, q in zip(a, b) for x, y in zip(p, q))

area = 25 + 0.75 * 128 * math.sin(2 * math.pi / 256)  # A square, and three quarters of a polygon of 256 corners.
failures = []

def work():
    try:
        for _ in range(30):
            assert ours() == theirs(), "cells"
            assert close(our_points(), their_points()), "points"
            assert math.isclose(their_area(), area, rel_tol=1e-9), their_area()
    except BaseException as error:
        failures.append(repr(error))

threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not failures, failures
"""

POINTS = "POINTS = [(10.5 + i, 50.25 - i) for i in range(20)]\n"


@pytest.mark.parametrize("order", [("alidade", "others"), ("others", "alidade")], ids="-".join)
@pytest.mark.parametrize("last", ["released", "alive"])
def test_both_orders(order: tuple[str, str], last: str) -> None:
    """Each is imported and used before the other comes, then both at once, then the other again."""
    use = {"alidade": "first = ours()\n", "others": "first = theirs(); their_area()\n"}
    code = POINTS + PARTS[order[0]] + use[order[0]] + PARTS[order[1]] + use[order[1]] + COMPARE
    if last == "released":
        code += "runtime.release()\nassert len(theirs()) == 100 and their_area() > 25 and their_points()\n"
    done = run_python(code + "sys.exit(3)\n", ALIDADE_LIBRARY=str(_library.find()))
    assert done.returncode == 3, done.stderr
    assert done.stderr == ""
