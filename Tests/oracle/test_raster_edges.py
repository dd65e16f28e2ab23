"""
Edges and corners of cells as points in the raster's own spatial reference.

A cell holds its left and upper edge. Which cell an exact edge belongs to hangs on the last bit, so the answer must be
what GDAL gets by its own inverse geotransform, applied in its own order: another order changes a third of the cells.
On the raster's own border the geotransform itself decides, so that a raster holds its first corner and not its last
one; GDAL's inverse has either wrong in some rasters.
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
    expected = [expected_cell(truth, point) for point in points]
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
    """Column and row by GDAL's own functions; -1 and -1 outside the raster."""
    column, row = map(math.floor, gdal.ApplyGeoTransform(truth.inverse, *point.tolist()))
    return (column, row) if truth.holds(column, row) else (-1, -1)


def expected_cell(truth, point):
    """As GDAL has it, but for the border; and in the copy of the world that the raster lies in."""
    x0, xc, xr, y0, yc, yr = truth.transform
    position = gdal.ApplyGeoTransform(truth.inverse, *point.tolist())
    if xr or yc:
        # A point on the border to the resolution of doubles, which is about a part in 1e15 of the largest term.
        a, b = (max(abs(line[0]), abs(point[0] * line[1]), abs(point[1] * line[2])) * 1e-14
                for line in (truth.inverse[:3], truth.inverse[3:]))
        position = [next((end for end in (0, count) if abs(value - end) < error), value)
                    for value, count, error in zip(position, (truth.width, truth.height), (a, b))]
        column, row = map(math.floor, position)
    else:
        column = half_open(math.floor(position[0]), truth.width, point[0], x0, xc)
        row = half_open(math.floor(position[1]), truth.height, point[1], y0, yr)
    world = world_width(truth.crs)
    if world and abs(abs(xc) * truth.width - world) < 1e-9 * world:
        column %= truth.width  # the next copy of the world begins at the edge
    return (column, row) if truth.holds(column, row) else (-1, -1)


def half_open(cell, count, coordinate, start, step):
    """The cell along one axis, with the raster's two ends decided by the geotransform."""
    def is_past(end):
        return coordinate >= end if step > 0 else coordinate <= end

    if cell in (-1, 0):
        return max(cell, 0) if is_past(start) else -1
    if cell in (count - 1, count):
        return count if is_past(start + count * step) else count - 1
    return cell


def world_width(crs):
    """How far apart the copies of the world lie; None where there is one world."""
    return 360.0 if crs is not None and crs.is_geographic else None


@pytest.mark.parametrize("case", {case.file: case for case in CASES}.values(), ids=lambda case: case.file)
def test_the_raster_holds_its_first_corner_and_not_its_last(runtime, raster_path, case):
    raster = alidade.Raster(runtime, raster_path(case.file))
    info = raster.info
    first, _, last, _ = info.corners
    if abs(info.extent.x_max - info.extent.x_min) == 360:
        last = (last[0], info.extent.y_max + 1)  # the world goes on eastwards
    (inside, outside) = raster.read_points([tuple(first), tuple(last)]).cells
    assert (inside["column"], inside["row"]) == (0, 0)
    assert outside["verdict"] == OUTSIDE


@pytest.mark.parametrize("name", ["RGB.byte.tif", "cog_rgb_mask.tif", "sheared.tif"])
def test_points_that_are_nowhere(runtime, raster_path, name):
    nowhere = [(math.nan, 0), (0, math.inf), (-math.inf, math.nan), (1e300, -1e300), (1e18, 1e18)]
    answer = alidade.Raster(runtime, raster_path(name)).read_points(nowhere)
    assert (answer.cells["verdict"] == OUTSIDE).all()
    assert (answer.cells["column"] == -1).all() and (answer.cells["row"] == -1).all()
    assert numpy.isnan(answer.values["value"]).all()


@pytest.mark.parametrize("nodata", [1e39, -1.7976931348623157e308, math.inf, 3.4028235e38])
def test_nodata_that_floats_cannot_hold(runtime, tmp_path, nodata):
    """It is in no cell, infinity neither, as in GDAL's mask."""
    path = str(tmp_path / "a.tif")
    dataset = gdal.GetDriverByName("GTiff").Create(path, 5, 1, 1, gdal.GDT_Float32)
    dataset.SetGeoTransform((0, 1, 0, 1, 0, -1))
    band = dataset.GetRasterBand(1)
    largest = numpy.finfo("float32").max
    band.WriteArray(numpy.array([[largest, -largest, numpy.inf, -numpy.inf, 1]], "float32"))
    band.SetNoDataValue(nodata)
    dataset = band = None
    dataset = gdal.Open(path)
    valid = dataset.GetRasterBand(1).GetMaskBand().ReadAsArray()[0] != 0
    found = alidade.Raster(runtime, path).read_cells([(column, 0) for column in range(5)])
    assert [verdict == alidade.rasters.CellVerdict.VALUE for verdict in found.cells["verdict"]] == valid.tolist()
