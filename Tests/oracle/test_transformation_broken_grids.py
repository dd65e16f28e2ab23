"""Grid files that are there and cannot be read: never usable, and never passed over where only the best will do.

Expected positions come from pyproj with the whole file.
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pyproj
import pytest

import alidade
from alidade.coordinates import PointStatus

NAME = "us_noaa_conus.tif"
GRID = pathlib.Path(__file__).parents[2] / "examples/transformations/grids" / NAME
X, Y = np.linspace(-120, -80, 9), np.full(9, 40.0)
BROKEN = ["zeros", "truncated", "text"]


def damaged(how: str) -> bytes:
    data = GRID.read_bytes()
    return {"zeros": bytes(len(data)), "truncated": data[:len(data) // 3], "text": b"hello", "whole": data}[how]


@pytest.fixture
def folder(tmp_path):
    def make(how: str) -> str:
        (tmp_path / NAME).write_bytes(damaged(how))
        return str(tmp_path)
    return make


@pytest.fixture
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


def systems(runtime: alidade.Runtime) -> tuple[alidade.SpatialReference, alidade.SpatialReference]:
    return alidade.SpatialReference(runtime, "EPSG:4267"), alidade.SpatialReference(runtime, "EPSG:4269")


def shifted() -> np.ndarray:
    """The points by the whole grid. In a process of its own: PROJ remembers which grids it has opened."""
    program = (
        "import pyproj; t = pyproj.Transformer.from_pipeline('+proj=pipeline +step +proj=unitconvert +xy_in=deg "
        f"+xy_out=rad +step +proj=hgridshift +grids={GRID} +step +proj=unitconvert +xy_in=rad +xy_out=deg')\n"
        f"for x, y in zip({X.tolist()}, {Y.tolist()}): print(*t.transform(x, y))")
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return np.array([line.split() for line in answer.stdout.splitlines()], dtype=float)


def by_grid(runtime: alidade.Runtime) -> alidade.Transformation:
    return next(row.transformation for row in alidade.TransformationList(*systems(runtime))
                if any(grid.name == NAME for step in row.transformation.steps for grid in step.grids))


def test_the_whole_grid_is_the_best(runtime, folder):
    runtime.set_grid_directories([folder("whole")])
    answer = alidade.project_coordinates(*systems(runtime), X, Y, only_best=True)
    assert set(answer.statuses.tolist()) == {PointStatus.OK}
    np.testing.assert_allclose(np.column_stack([answer.x, answer.y]), shifted(), atol=1e-11, rtol=0)
    assert np.abs(answer.x - X).max() > 1e-4
    assert by_grid(runtime).is_usable and not by_grid(runtime).missing_grids


@pytest.mark.parametrize("how", BROKEN)
@pytest.mark.parametrize("opened_before", [False, True])
def test_only_the_best_refuses_what_cannot_be_read(runtime, folder, how, opened_before):
    """With `opened_before` PROJ knows the name, and does not look when it makes the operation."""
    if opened_before:
        runtime.set_grid_directories([folder("whole")])
        alidade.project_coordinates(*systems(runtime), X, Y)
    runtime.set_grid_directories([folder(how)])
    answer = alidade.project_coordinates(*systems(runtime), X, Y, only_best=True)
    # The whole of the grid is one strip of the TIFF, so nothing can be read of the truncated one either.
    assert set(answer.statuses.tolist()) == {PointStatus.MISSING_GRID}
    assert np.isnan(answer.x).all() and not answer.receipt.operations
    # By default something else is used, and the receipt says so.
    relaxed = alidade.project_coordinates(*systems(runtime), X, Y)
    assert set(relaxed.statuses.tolist()) == {PointStatus.OK}
    assert all(NAME not in operation.transformation.to_proj() for operation in relaxed.receipt.operations)


@pytest.mark.parametrize("how", BROKEN)
def test_a_file_that_breaks_while_it_is_used(runtime, folder, how):
    """The grid directories are not set anew: what was found out of the file before is kept."""
    runtime.set_grid_directories([folder("whole")])
    assert by_grid(runtime).is_usable
    folder(how)
    answer = alidade.project_coordinates(*systems(runtime), X, Y, only_best=True)
    assert set(answer.statuses.tolist()) == {PointStatus.MISSING_GRID}


@pytest.mark.parametrize("how", BROKEN)
def test_the_list_marks_it(runtime, folder, how):
    runtime.set_grid_directories([folder("whole")])
    chosen = by_grid(runtime)
    assert chosen.is_usable
    # The same handle, and a new list.
    runtime.set_grid_directories([folder(how)])
    for transformation in (chosen, by_grid(runtime), alidade.Transformation.from_text(runtime, chosen.to_wkt())):
        assert not transformation.is_usable
        assert [grid.name for grid in transformation.missing_grids] == [NAME]
        with pytest.raises(alidade.errors.MissingGridError, match=f"cannot be read: {NAME}"):
            alidade.project_coordinates(*systems(runtime), X, Y, transformation=transformation)
    # Usable ones come first among those that know the datums.
    rows = [row.transformation for row in alidade.TransformationList(*systems(runtime))
            if not row.transformation.is_ballpark]
    usable = [transformation.is_usable for transformation in rows]
    assert usable == sorted(usable, reverse=True)
    runtime.set_grid_directories([folder("whole")])
    assert chosen.is_usable and not chosen.missing_grids


@pytest.mark.parametrize("inverse", [False, True])
def test_a_chosen_one_tells_reading_from_lying_outside(runtime, folder, inverse):
    """PROJ says of both that the point lies outside of the grid, which ends at 63 degrees west. The file is cut short
    after the transformation was looked at, and counts as missing."""
    x, y = np.append(X, -40.0), np.append(Y, 40.0)
    ends = systems(runtime)[::-1] if inverse else systems(runtime)
    runtime.set_grid_directories([folder("whole")])
    chosen = by_grid(runtime)
    assert chosen.is_usable
    answer = alidade.project_coordinates(*ends, x, y, transformation=chosen, inverse=inverse)
    assert answer.statuses.tolist() == [PointStatus.OK] * len(X) + [PointStatus.OUTSIDE_GRID]
    runtime.set_grid_directories([folder("whole")])
    folder("truncated")
    with pytest.raises(alidade.errors.MissingGridError, match=NAME):
        alidade.project_coordinates(*ends, x, y, transformation=chosen, inverse=inverse)


@pytest.mark.parametrize("how", [*BROKEN, "nearly whole"])
def test_a_broken_grid_is_as_good_as_a_missing_one(runtime, tmp_path, folder, how):
    """What is used by default is what pyproj uses without the file: not the ballpark, when there is a better way."""
    if how == "nearly whole":
        (tmp_path / NAME).write_bytes(GRID.read_bytes()[:-1])
        runtime.set_grid_directories([str(tmp_path)])
    else:
        runtime.set_grid_directories([folder(how)])
    answer = alidade.project_coordinates(*systems(runtime), X, Y)
    expected = pyproj.Transformer.from_crs("EPSG:4267", "EPSG:4269", always_xy=True).transform(X, Y)
    np.testing.assert_allclose([answer.x, answer.y], expected, rtol=0, atol=1e-11)
    assert np.abs(answer.x - X).max() > 1e-5  # No ballpark: that leaves the points where they are.
    assert not any(operation.transformation.is_ballpark for operation in answer.receipt.operations)


def test_outside_of_a_whole_grid_the_next_best_is_used(runtime, tmp_path):
    """Germany's grid under the name of Britain's: it can be read, and no point of Britain lies in it."""
    shutil.copy("/usr/share/proj/BETA2007.gsb", tmp_path / "uk_os_OSTN15_NTv2_OSGBtoETRS.tif")
    runtime.set_grid_directories([str(tmp_path)])
    pair = alidade.SpatialReference(runtime, "EPSG:4277"), alidade.SpatialReference(runtime, "EPSG:4258")
    answer = alidade.project_coordinates(*pair, [-1.5, -3.0], [52.5, 56.0], only_best=True)
    assert answer.statuses.tolist() == [PointStatus.OK] * 2
    operation, = answer.receipt.operations
    assert "OSTN15" not in operation.transformation.to_proj()


@pytest.mark.parametrize("how", ["truncated", "zeros"])
def test_a_geoid(runtime, tmp_path, how):
    """The heights of Debian's egm96_15.gtx, damaged in a grid directory: the grid of another method and format."""
    ends = [alidade.SpatialReference(runtime, text) for text in ("EPSG:4326+5773", "EPSG:4979")]
    source = pathlib.Path(pyproj.datadir.get_data_dir()) / "egm96_15.gtx"
    source = source if source.exists() else pathlib.Path("/usr/share/proj/egm96_15.gtx")
    shutil.copy(source, tmp_path)
    runtime.set_grid_directories([str(tmp_path)])
    x, y, z = np.array([10.0, 10.0]), np.array([-60.0, 60.0]), np.array([100.0, 100.0])
    whole = alidade.project_coordinates(*ends, x, y, z, only_best=True)
    assert whole.statuses.tolist() == [PointStatus.OK] * 2
    data = source.read_bytes()
    (tmp_path / source.name).write_bytes(data[:len(data) // 4 * 3] if how == "truncated" else bytes(len(data)))
    runtime.set_grid_directories([str(tmp_path)])
    # What is not whole counts as missing, so the one in PROJ's own folder is found.
    broken = alidade.project_coordinates(*ends, x, y, z, only_best=True)
    assert broken.statuses.tolist() == [PointStatus.OK] * 2
    assert broken.z.tolist() == whole.z.tolist()


def test_projjson_names_missing_grids(runtime):
    """PROJ writes operations with heights with a PROJ string for a method, and reads no grids of that from PROJJSON."""
    pair = [alidade.SpatialReference(runtime, text) for text in ("EPSG:6318+5703", "EPSG:4979")]
    compared = 0
    for row in alidade.TransformationList(*pair):
        again = alidade.Transformation.from_text(runtime, row.transformation.to_projjson())
        assert again.is_usable == row.transformation.is_usable, row.transformation.name
        assert ([grid.name for grid in again.missing_grids]
                == [grid.name for grid in row.transformation.missing_grids]), row.transformation.name
        compared += not again.is_usable
    assert compared > 0
