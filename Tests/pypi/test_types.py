"""The types of the package, as type checkers see them: mypy, and pyright, which editors use."""
import json
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "bindings" / "python"
# What a program sees, with and without a runtime.
PROGRAM = """
from typing_extensions import assert_type

import alidade

runtime = alidade.Runtime()
point = alidade.Geometry.from_wkt("POINT (1 2)", 4326)
assert_type(point, alidade.Geometry)
assert_type(alidade.Geometry.from_wkt(runtime, "POINT (1 2)", "EPSG:4326"), alidade.Geometry)
assert_type(alidade.SpatialReference.from_code(3857), alidade.SpatialReference)
assert_type(alidade.open("a.tif"), "alidade.Raster | alidade.FeatureSource")
view = alidade.View(alidade.Map(runtime, 3857), width_dip=800, height_dip=600)
for element in view.identify((400, 300)):
    assert_type(element, alidade.identify.IdentifyElement)
array = alidade.GeometryArray.from_geometries([point])
assert_type(array[0], alidade.Geometry)
assert_type(array[0:1], alidade.GeometryArray)
"""


def mypy(folder, *what):
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), *map(str, what)]
    return subprocess.run(command, cwd=PACKAGE, text=True, capture_output=True)


def pyright(folder, *what):
    """Its errors, as its command for editors prints them."""
    settings = {"include": list(map(str, what)), "pythonVersion": "3.9", "typeCheckingMode": "standard",
                "extraPaths": [str(PACKAGE)]}  # fmt: skip
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    done = subprocess.run(command, text=True, capture_output=True)
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] > 0, done.stdout + done.stderr
    errors = found["generalDiagnostics"]
    return [f"{one['file']}:{one['range']['start']['line'] + 1}: {one['message']}" for one in errors]


def test_mypy(tmp_path):
    found = mypy(tmp_path, "alidade")
    assert found.returncode == 0, found.stdout
    assert found.stdout.startswith("Success: no issues found in ")


def test_pyright(tmp_path):
    # Its settings lie where the files are, so it looks at a copy.
    (tmp_path / "alidade").symlink_to(PACKAGE / "alidade")
    assert pyright(tmp_path, "alidade") == []


def test_programs(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    found = mypy(tmp_path, program)
    assert found.returncode == 0, found.stdout
    assert pyright(tmp_path, "program.py") == []


@pytest.mark.parametrize("line", ["alidade.Geometry.from_wkt(5)", "alidade.open()", "alidade.View(3, 800, 600)"])
def test_wrong_programs(tmp_path, line):
    program = tmp_path / "program.py"
    program.write_text(f"import alidade\n{line}\n")
    assert mypy(tmp_path, program).returncode == 1
    assert pyright(tmp_path, "program.py")
