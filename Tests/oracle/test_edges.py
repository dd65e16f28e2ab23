"""
Edges and corners of cells as points in the raster's own spatial reference.

A cell holds its left and upper edge. Which cell an exact edge belongs to hangs on the last bit, so the answer must be
what GDAL gets by its own inverse geotransform, applied in its own order: another order changes a third of the cells.
"""
import math

import numpy
import pytest
from osgeo import gdal

import alidade
from cases import CASES
from truth import OUTSIDE, Truth

POINTS = 2000


@pytest.mark.parametrize("case", {case.file: case for case in CASES}.values(), ids=lambda case: case.file)
def test_edges_and_corners(runtime, raster_path, case):
    truth = Truth(raster_path(case.file), case.assigned)
    generator = numpy.random.default_rng([77, *case.file.encode()])
    points = edge_points(truth, generator)
    expected = [gdal_cell(truth, point) for point in points]
    cells = alidade.Raster(runtime, raster_path(case.file)).read_points(points).cells
    wrong = [(point.tolist(), want, got) for point, want, got in zip(points, expected, cells)
             if (got["column"], got["row"]) != want or (got["verdict"] == OUTSIDE) != (want == (-1, -1))]
    assert not wrong, f"{len(wrong)} of {len(points)} cells differ, the first: {wrong[:3]}"


def edge_points(truth, generator):
    """Corners of cells and points on their edges, the raster's own border among them, and the doubles next to them."""
    columns = generator.integers(0, truth.width + 1, POINTS)
    rows = generator.integers(0, truth.height + 1, POINTS)
    positions = numpy.column_stack([columns, rows]).astype(float)
    positions[: POINTS // 4, 0] += generator.random(POINTS // 4)  # on an upper edge, not in a corner
    positions[POINTS // 4 : POINTS // 2, 1] += generator.random(POINTS // 4)
    corners = [(0, 0), (truth.width, 0), (truth.width, truth.height), (0, truth.height)]
    points = truth.to_coordinates(numpy.vstack([positions, corners]))
    return numpy.vstack([points, numpy.nextafter(points, numpy.inf), numpy.nextafter(points, -numpy.inf)])


def gdal_cell(truth, point):
    """Column and row by GDAL's own functions; -1 and -1 beside the raster."""
    column, row = map(math.floor, gdal.ApplyGeoTransform(truth.inverse, *point.tolist()))
    return (column, row) if truth.holds(column, row) else (-1, -1)


@pytest.mark.parametrize("name", ["RGB.byte.tif", "cog_rgb_mask.tif", "sheared.tif"])
def test_points_that_are_nowhere(runtime, raster_path, name):
    nowhere = [(math.nan, 0), (0, math.inf), (-math.inf, math.nan), (1e300, -1e300), (1e18, 1e18)]
    answer = alidade.Raster(runtime, raster_path(name)).read_points(nowhere)
    assert (answer.cells["verdict"] == OUTSIDE).all()
    assert (answer.cells["column"] == -1).all() and (answer.cells["row"] == -1).all()
    assert numpy.isnan(answer.values["value"]).all()
