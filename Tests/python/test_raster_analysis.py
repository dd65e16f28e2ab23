"""Windows, samples, profiles and polygons: what the Python layer adds, and what it hands on."""

from __future__ import annotations

from typing import Callable

import numpy as np
import pytest

import alidade
from alidade.rasters import CellVerdict, Interpolation, RasterWindow
from conftest import RASTERS


@pytest.fixture()
def elevation(runtime: alidade.Runtime) -> alidade.Raster:
    return alidade.Raster(runtime, RASTERS / "Shasta_Elevation.tif")


def middle_of(raster: alidade.Raster) -> tuple[float, float]:
    extent = raster.info.extent
    return (extent.x_min + extent.x_max) / 2, (extent.y_min + extent.y_max) / 2


def square(raster: alidade.Raster, reach: float) -> np.ndarray:
    return np.array(middle_of(raster)) + reach * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def test_a_magnifier(elevation: alidade.Raster) -> None:
    """The window around a point, first its cells and then the same part with many samples."""
    point = middle_of(elevation)
    window = elevation.window_around(point, 5, 3)
    cells = elevation.read_window(1, window)
    assert cells.shape == (3, 5) and cells.dtype == np.float64
    assert cells[1, 2] == elevation.read_points(point).values["value"][0, 0]
    larger = RasterWindow(window.left, window.top, window.width, window.height, 50, 30)
    assert (elevation.read_window(1, larger) == cells.repeat(10, axis=0).repeat(10, axis=1)).all()
    smooth = elevation.read_window(1, larger, Interpolation.CUBIC)
    assert smooth.shape == (30, 50) and not (smooth == elevation.read_window(1, larger)).all()


def test_a_window_around_a_point_elsewhere(runtime: alidade.Runtime, elevation: alidade.Raster) -> None:
    mercator = alidade.SpatialReference.from_code(runtime, 3857)
    own = elevation.spatial_reference
    assert own is not None
    x, y = middle_of(elevation)
    here = (x + 3, y + 3)  # off the edge between two cells
    there = own.project(np.array([here]), mercator).points[0]
    assert elevation.window_around(there, 3, 3, mercator) == elevation.window_around(here, 3, 3)


def test_windows_write_into_arrays_of_the_caller(elevation: alidade.Raster) -> None:
    window = RasterWindow(100, 100, 4, 3)
    sheet = np.full((3, 9), -1.0)
    verdicts = np.full((3, 4), 9, dtype=np.uint8)
    out = elevation.read_window(1, window, out=sheet[:, 2:6], verdicts=verdicts)
    assert out.base is sheet and (sheet[:, [0, 1, 6, 7, 8]] == -1).all()
    assert (sheet[:, 2:6] == elevation.read_window(1, window)).all()
    assert (verdicts == CellVerdict.VALUE).all()
    with pytest.raises(ValueError, match="shape"):
        elevation.read_window(1, window, out=np.empty((4, 4)))
    with pytest.raises(ValueError, match="verdicts"):
        elevation.read_window(1, window, verdicts=np.empty((3, 4), dtype=np.int32))


@pytest.mark.parametrize(
    "window",
    [
        RasterWindow(width=3),
        RasterWindow(height=3),
        RasterWindow(left=1),
        RasterWindow(width=-1, height=1),
        RasterWindow(width=float("nan"), height=1),
        RasterWindow(width=1e10, height=1),
        RasterWindow(left=float("inf"), width=1, height=1),
        RasterWindow(width=2, height=2, columns=3),
        RasterWindow(width=2, height=2, columns=70000, rows=1),
        RasterWindow(width=2, height=2, columns=-1, rows=-1),
        RasterWindow(width=70000, height=2),
    ],
)
def test_windows_that_are_refused(elevation: alidade.Raster, window: RasterWindow) -> None:
    with pytest.raises(alidade.errors.InvalidArgumentError):
        elevation.read_window(1, window)


def test_numbers_that_do_not_fit(elevation: alidade.Raster) -> None:
    with pytest.raises(ValueError, match="columns"):
        elevation.window_around(middle_of(elevation), 2**32 + 1, 1)
    for columns in (0, -1, 65537):
        with pytest.raises(alidade.errors.InvalidArgumentError, match="columns"):
            elevation.window_around(middle_of(elevation), columns, 1)
    for far in (1e300, float("nan")):
        with pytest.raises(alidade.errors.InvalidArgumentError):
            elevation.window_around((far, 0), 1, 1)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="interpolation"):
        elevation.sample(middle_of(elevation), interpolation=3)  # type: ignore[arg-type]
    with pytest.raises(alidade.errors.NotFoundError, match="band 2"):
        elevation.sample(middle_of(elevation), 2)


def test_samples(elevation: alidade.Raster) -> None:
    points = np.array([middle_of(elevation), (0.0, 0.0), (np.nan, 0.0)])
    samples = elevation.sample(points, interpolation=Interpolation.BILINEAR)
    assert samples.verdicts.tolist() == [CellVerdict.VALUE, CellVerdict.OUTSIDE, CellVerdict.OUTSIDE]
    assert np.isfinite(samples.values[0]) and np.isnan(samples.values[1:]).all()
    assert elevation.sample(np.empty((0, 2))).values.shape == (0,)


def test_samples_in_the_middle_of_a_cell_are_the_cell(elevation: alidade.Raster) -> None:
    x0, dx, _, y0, _, dy = elevation.info.geotransform
    columns, rows = np.meshgrid(np.arange(100, 120), np.arange(200, 210))
    middles = np.column_stack([(x0 + (columns.ravel() + 0.5) * dx), (y0 + (rows.ravel() + 0.5) * dy)])
    nearest = elevation.sample(middles).values
    for method in (Interpolation.BILINEAR, Interpolation.CUBIC):
        np.testing.assert_allclose(elevation.sample(middles, interpolation=method).values, nearest, rtol=1e-9)


def test_profiles(elevation: alidade.Raster) -> None:
    """Longer profiles than the layer's first buffer holds, too."""
    info = elevation.info
    # A hundredth of a cell inside: which side of an edge a corner is on is for rounding to say.
    line = np.array([info.corners[0], info.corners[2]]) + [(0.1, -0.1), (-0.1, 0.1)]
    cells = elevation.profile(line)
    assert cells.dtype == alidade.rasters.PROFILE_SAMPLE
    assert len(cells) > max(info.width, info.height)
    assert cells["column"][0] == cells["row"][0] == 0 and cells["column"][-1] == info.width - 1
    assert len(elevation.profile(line, count=5000)) == 5000
    assert len(elevation.profile(line, count=1024)) == 1024
    short = elevation.profile(line, step=1000.0, interpolation=Interpolation.CUBIC)
    assert short["distance"].tolist()[:3] == [0, 1000, 2000]
    with pytest.raises(ValueError, match="either"):
        elevation.profile(line, step=1.0, count=2)
    with pytest.raises(ValueError, match="count"):
        elevation.profile(line, count=-1)


def test_rings(elevation: alidade.Raster) -> None:
    """One ring as an array or a list of points, several as a list of either, and strided ones in place."""
    outer, hole = square(elevation, 500), square(elevation, 200)
    whole = elevation.polygon_statistics(outer)
    assert whole.value_count == 10_000 and whole.empty_count == whole.outside_count == 0
    assert whole == elevation.polygon_statistics([outer]) == elevation.polygon_statistics(outer.tolist())
    assert whole == elevation.polygon_statistics([outer.tolist()])
    wide = np.full((4, 5), np.nan)
    wide[:, 1:3] = outer
    assert whole == elevation.polygon_statistics(wide[:, 1:3])
    with_hole = elevation.polygon_statistics([outer, hole])
    inner = elevation.polygon_statistics(hole)
    assert with_hole.value_count + inner.value_count == whole.value_count
    assert with_hole.sum + inner.sum == pytest.approx(whole.sum, rel=1e-12)
    assert elevation.polygon_statistics(outer, all_touched=True).value_count >= whole.value_count
    for empty in ([], [[]], np.empty((0, 2))):
        with pytest.raises(ValueError):
            elevation.polygon_statistics(empty)


def test_statistics_without_a_value(elevation: alidade.Raster) -> None:
    nothing = elevation.polygon_statistics([(0, 0), (1, 0), (1, 1)])
    assert nothing.value_count == 0 and nothing.sum == 0
    assert np.isnan(nothing.mean) and nothing.minimum_cell is None


def test_classes(runtime: alidade.Runtime) -> None:
    cover = alidade.Raster(runtime, RASTERS / "lc.tif")
    classes = cover.polygon_classes(cover.info.corners)
    assert classes.dtype == alidade.rasters.CLASS_COUNT
    stored = cover.read_window().ravel()
    values, counts = np.unique(stored, return_counts=True)
    assert classes["value"].tolist() == values.tolist() and classes["cell_count"].tolist() == counts.tolist()


def test_objects_of_two_runtimes(elevation: alidade.Raster) -> None:
    with alidade.Runtime() as other:
        foreign = alidade.SpatialReference.from_code(other, 3857)
        for call in calls_with_places(elevation, foreign):
            with pytest.raises(alidade.errors.InvalidArgumentError, match="two runtimes"):
                call()


def test_rasters_that_cannot_be_placed(runtime: alidade.Runtime) -> None:
    """Without a geotransform a window of cells can be read, and nothing that needs coordinates."""
    with alidade.Runtime(policy=alidade.Policy(drivers=["VRT"], add_drivers=True)) as with_vrt:
        raster = alidade.Raster(with_vrt, RASTERS / "RGB.byte.gcp.vrt")
        assert raster.read_window(1, RasterWindow(300, 300, 4, 4)).shape == (4, 4)
        for call in calls_with_places(raster, None):
            with pytest.raises(alidade.errors.UnsupportedError, match="control points"):
                call()
    plane = alidade.Raster(runtime, RASTERS / "rotated.tif")
    for call in calls_with_places(plane, alidade.SpatialReference.from_code(runtime, 3857)):
        with pytest.raises(alidade.errors.NotReadyError, match="spatial reference"):
            call()


def calls_with_places(
    raster: alidade.Raster, reference: alidade.SpatialReference | None
) -> list[Callable[[], object]]:
    """Every function that takes coordinates."""
    triangle = [(0, 0), (1, 0), (1, 1)]
    return [
        lambda: raster.window_around((0, 0), 1, 1, reference),
        lambda: raster.sample((0, 0), 1, reference),
        lambda: raster.profile(triangle, 1, reference),
        lambda: raster.profile(triangle, 1, reference, count=3),
        lambda: raster.polygon_statistics(triangle, 1, reference),
        lambda: raster.polygon_classes(triangle, 1, reference),
    ]
