"""Profiles along lines: every cell crossed, against shapely; samples, against numpy and pyproj."""
import math

import alidade
import numpy
import pyproj
import pytest
from alidade.rasters import CellVerdict, Interpolation
from sampling import assert_samples, sample
from shapely.geometry import LineString, Polygon
from truth import Truth, projector

FILES = ["Shasta_Elevation.tif", "rotated.tif", "south-up.tif", "sheared.tif", "float64_nan.tif", "rgba.tif",
         "mask_internal.tif", "int64_nodata.tif", "one_cell.tif", "scale_unit.tif"]


def random_line(generator, truth, size=20.0, count=4):
    """Vertices in the grid, a few cells apart, also outside the raster."""
    middle = generator.uniform(-0.05, 1.05, 2) * (truth.width, truth.height)
    return middle + generator.uniform(-size / 2, size / 2, (count, 2))


def lengths_in_cells(places):
    """The length of a line in the grid within each cell that it crosses; by shapely."""
    line = LineString(places)
    left, top, right, bottom = (math.floor(bound) for bound in line.bounds)
    lengths = {}
    for column in range(left, right + 1):
        for row in range(top, bottom + 1):
            cell = Polygon([(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)])
            length = line.intersection(cell).length
            if length > 1e-9:
                lengths[column, row] = length
    return lengths


@pytest.mark.parametrize("name", FILES)
def test_every_cell(runtime, raster_path, name):
    """In units of cells, so that lengths in the grid are lengths on the line: the line's own grid is a scaled one."""
    raster, truth = alidade.Raster(runtime, raster_path(name)), Truth(raster_path(name))
    generator = numpy.random.default_rng(len(name))
    for _ in range(10):
        places = random_line(generator, truth)
        line = truth.to_coordinates(places)
        samples = raster.profile(line)
        assert_gapless(samples, line)
        # Part by part of the line in the grid: what a sample says of its stretch.
        found = {}
        for sample_ in samples:
            stretch = cut(places, line, sample_["distance"], sample_["end_distance"])
            if sample_["verdict"] == CellVerdict.OUTSIDE:
                outside = [cell for cell in lengths_in_cells(stretch) if truth.holds(*cell)]
                assert not outside
                continue
            cell = (int(sample_["column"]), int(sample_["row"]))
            found[cell] = found.get(cell, 0.0) + LineString(stretch).length
            assert_value(sample_, truth.bands[0], cell)
        expected = {cell: length for cell, length in lengths_in_cells(places).items() if truth.holds(*cell)}
        assert set(expected) <= set(found)
        for cell, length in found.items():
            assert length == pytest.approx(expected.get(cell, 0.0), abs=1e-7)


def assert_gapless(samples, line):
    """From the line's start to its end, and no two alike after each other."""
    assert samples["distance"][0] == 0
    assert samples["end_distance"][-1] == pytest.approx(LineString(line).length, rel=1e-12)
    numpy.testing.assert_array_equal(samples["distance"][1:], samples["end_distance"][:-1])
    assert (samples["end_distance"] > samples["distance"]).all()
    cells = numpy.column_stack([samples["column"], samples["row"], samples["verdict"]])
    assert (cells[1:] != cells[:-1]).any(axis=1).all()
    middles = [LineString(line).interpolate(distance)
               for distance in (samples["distance"] + samples["end_distance"]) / 2]
    numpy.testing.assert_allclose(samples["x"], [middle.x for middle in middles], rtol=1e-12)
    numpy.testing.assert_allclose(samples["y"], [middle.y for middle in middles], rtol=1e-12)


def assert_value(sample_, band, cell):
    value, verdict = sample(band, cell[0] + 0.5, cell[1] + 0.5, 0)
    numpy.testing.assert_equal(float(sample_["value"]), value)
    assert sample_["verdict"] == verdict


def cut(places, line, start, end):
    """The part of a line in the grid from one distance along the line on the map to another."""
    lengths = numpy.hypot(*numpy.diff(line, axis=0).T)
    along = numpy.concatenate([[0.0], numpy.cumsum(lengths)])
    inner = [place for place, distance in zip(places, along) if start < distance < end]

    def at(distance):
        return [numpy.interp(distance, along, axis) for axis in numpy.asarray(places).T]

    return [at(start), *inner, at(end)]


@pytest.mark.parametrize("line, cells", [
    # Through corners: the cells next to them are not crossed.
    ([(0.5, 0.5), (3.5, 3.5)], [(0, 0), (1, 1), (2, 2), (3, 3)]),
    ([(3.5, 0.5), (0.5, 3.5)], [(3, 0), (2, 1), (1, 2), (0, 3)]),
    # Along an edge: that of the cells to the right, or below.
    ([(2.0, 1.0), (2.0, 3.0)], [(2, 1), (2, 2)]),
    ([(2.0, 3.0), (2.0, 1.0)], [(2, 2), (2, 1)]),
    ([(1.0, 2.0), (3.0, 2.0)], [(1, 2), (2, 2)]),
    ([(3.0, 2.0), (1.0, 2.0)], [(2, 2), (1, 2)]),
    # There and back again, and vertices inside a cell.
    ([(0.5, 0.5), (1.5, 0.5), (0.5, 0.5)], [(0, 0), (1, 0), (0, 0)]),
    ([(0.1, 0.1), (0.9, 0.2), (0.3, 0.9)], [(0, 0)]),
    # From edge to edge of the raster, and through it from outside.
    ([(0.0, 0.5), (2.0, 0.5)], [(0, 0), (1, 0)]),
    ([(-2.0, 0.5), (2.0, 0.5)], [None, (0, 0), (1, 0)]),
    ([(1.5, 2.0), (1.5, -1.0)], [(1, 1), (1, 0), None]),
    # Along the outer edges: the left and the upper one belong to the raster, the others do not.
    ([(0.0, 0.0), (2.0, 0.0)], [(0, 0), (1, 0)]),
    ([(64.0, 0.0), (64.0, 2.0)], [None]),
    # No length at all.
    ([(1.5, 2.5), (1.5, 2.5)], [(1, 2)]),
    ([(-1.5, 2.5), (-1.5, 2.5)], [None]),
])
def test_cells_by_hand(runtime, raster_path, line, cells):
    """red.tif: 64 x 64 cells of half a degree from 0, 0, so that corners are exact."""
    raster = alidade.Raster(runtime, raster_path("red.tif"))
    samples = raster.profile([(0.5 * column, -0.5 * row) for column, row in line])
    assert [(s["column"], s["row"]) for s in samples] == [cell or (-1, -1) for cell in cells]
    assert [s["verdict"] == CellVerdict.OUTSIDE for s in samples] == [cell is None for cell in cells]


@pytest.mark.parametrize("name, code, verdicts", [
    ("Shasta_Elevation.tif", 4326, {0, 4}), ("cog_dateline.tif", 3857, {0, 4}), ("world.rgb.tif", 3035, {0}),
    ("goes.tif", 4326, {0, 2, 5}), ("rotated_30.tif", 3857, {0, 4}),
])
def test_bent_lines(runtime, raster_path, name, code, verdicts):
    """
    A line in another spatial reference, straight there. pyproj takes many points of it to the raster: each lies in the
    cell that the profile names for its distance, or within 1/8 of a cell of it.
    """
    raster, truth = alidade.Raster(runtime, raster_path(name)), Truth(raster_path(name))
    reference, there = alidade.SpatialReference.from_code(runtime, code), pyproj.CRS.from_epsg(code)
    to_there, back = projector(truth.crs, there), projector(there, truth.crs)
    generator = numpy.random.default_rng(code)
    seen = set()
    for turn in range(10):
        if name == "goes.tif":  # over the edge of the disc, where nothing can be projected
            line = generator.uniform((-180, -80), (180, 80), (3, 2))
        else:
            # A small part of the raster, or all of it and more.
            size = 30.0 if turn % 2 else 1.5 * truth.width
            line = to_there(truth.to_coordinates(random_line(generator, truth, size, 3)))
        if not numpy.isfinite(line).all():
            continue
        samples = raster.profile(line, 1, reference)
        assert_gapless_ends(samples, line)
        seen |= set(samples["verdict"].tolist())
        lengths = numpy.concatenate([[0.0], numpy.cumsum(numpy.hypot(*numpy.diff(line, axis=0).T))])
        distances = generator.uniform(0, lengths[-1], 2000)
        points = numpy.column_stack([numpy.interp(distances, lengths, axis) for axis in line.T])
        places = truth.to_cells(back(points))
        found = samples[numpy.searchsorted(samples["end_distance"], distances)]
        assert_near(places, found, truth)
    assert verdicts <= seen


def assert_gapless_ends(samples, line):
    assert samples["distance"][0] == 0
    assert samples["end_distance"][-1] == pytest.approx(LineString(line).length, rel=1e-12)
    numpy.testing.assert_array_equal(samples["distance"][1:], samples["end_distance"][:-1])


def assert_near(places, found, truth):
    """Each position is within 1/8 of a cell of the cell that was found for it."""
    has_image = numpy.isfinite(places).all(axis=1)
    not_projectable = found["verdict"] == CellVerdict.NOT_PROJECTABLE
    # A stretch of 1/64 of a segment, or less, is decided by its ends.
    assert (has_image != not_projectable).mean() > 0.99
    both = has_image & ~not_projectable
    places, found = places[both], found[both]
    outside = found["column"] < 0
    cells = numpy.column_stack([found["column"], found["row"]])
    beyond = numpy.maximum(cells - places, places - cells - 1).max(axis=1)
    assert (beyond[~outside] <= 0.125).all()
    inside = numpy.minimum(places, (truth.width, truth.height) - places).min(axis=1)
    assert (inside[outside] <= 0.125).all()


def test_a_seam(runtime, raster_path):
    """Across 180 degrees: in world.rgb.tif the line leaves on the right and goes on at the left."""
    raster = alidade.Raster(runtime, raster_path("world.rgb.tif"))
    mercator = alidade.SpatialReference.from_code(runtime, 3832)  # PDC Mercator, around 150 E
    line = pyproj.Transformer.from_crs(4326, 3832, always_xy=True).transform([170, -170], [10.1, 10.1])
    columns = raster.profile(numpy.column_stack(line), 1, mercator)["column"]
    assert columns[0] == 497 and columns[-1] == 14
    assert {0, 511} <= set(columns.tolist()) and set(columns.tolist()) <= {*range(497, 512), *range(0, 15)}


@pytest.mark.parametrize("method", list(Interpolation))
@pytest.mark.parametrize("name", FILES)
def test_samples(runtime, raster_path, name, method):
    raster, truth = alidade.Raster(runtime, raster_path(name)), Truth(raster_path(name))
    generator = numpy.random.default_rng(5)
    band = truth.bands[0]
    for turn in range(6):
        line = truth.to_coordinates(random_line(generator, truth))
        length = LineString(line).length
        if turn % 2:
            options, step = {"step": length / 20.3}, length / 20.3
            distances = numpy.append(numpy.arange(21) * step, length)
        else:
            options, distances = {"count": 23}, numpy.linspace(0, length, 23)
        samples = raster.profile(line, interpolation=method, **options, scaled=bool(turn % 3))
        numpy.testing.assert_allclose(samples["distance"], distances, rtol=1e-12)
        numpy.testing.assert_array_equal(samples["distance"], samples["end_distance"])
        points = numpy.array([LineString(line).interpolate(distance).coords[0] for distance in distances])
        numpy.testing.assert_allclose(numpy.column_stack([samples["x"], samples["y"]]), points, rtol=1e-12)
        # The positions of the points that the profile names itself: the last digits are not the matter here.
        places = truth.to_cells(numpy.column_stack([samples["x"], samples["y"]]))
        away = (abs(places - numpy.round(places)) > 1e-6).all(axis=1)
        numpy.testing.assert_array_equal(samples["column"][away & (samples["column"] >= 0)],
                                         numpy.floor(places[away & (samples["column"] >= 0), 0]))
        if method == Interpolation.NEAREST:
            assert_samples(samples["value"][away], samples["verdict"][away], band, places[away], method,
                           bool(turn % 3))
        else:
            plain = raster.sample(numpy.column_stack([samples["x"], samples["y"]]), 1, None, method,
                                  scaled=bool(turn % 3))
            numpy.testing.assert_array_equal(samples["value"], plain.values)
            numpy.testing.assert_array_equal(samples["verdict"], plain.verdicts)


def test_a_step_that_divides_the_line(runtime, raster_path):
    raster = alidade.Raster(runtime, raster_path("red.tif"))
    assert raster.profile([(0, -1), (4, -1)], step=1.0)["distance"].tolist() == [0, 1, 2, 3, 4]
    assert raster.profile([(0, -1), (4, -1)], step=1.5)["distance"].tolist() == [0, 1.5, 3, 4]
    assert raster.profile([(0, -1), (4, -1)], step=9.0)["distance"].tolist() == [0, 4]
    assert raster.profile([(1, -1), (1, -1)], step=9.0)["distance"].tolist() == [0]
    assert raster.profile([(1, -1), (1, -1)], count=3)["distance"].tolist() == [0, 0, 0]


@pytest.mark.parametrize("line, options, message", [
    ([(0, 0)], {}, "vertices"), ([(0, 0), (math.nan, 0)], {}, "not finite"), ([(0, 0), (0, math.inf)], {}, "not finite"),
    ([(0, 0), (1, 1)], {"step": 0.0}, "step"), ([(0, 0), (1, 1)], {"step": -1.0}, "step"),
    ([(0, 0), (1, 1)], {"step": math.nan}, "step"), ([(0, 0), (1, 1)], {"count": 1}, "sample_count"),
    ([(-1e308, 0), (1e308, 0)], {}, "longer"), ([(0, 0), (1, 1)], {"interpolation": Interpolation.CUBIC}, "nearest"),
])
def test_refused(runtime, raster_path, line, options, message):
    raster = alidade.Raster(runtime, raster_path("red.tif"))
    with pytest.raises(alidade.errors.InvalidArgumentError, match=message):
        raster.profile(line, **options)


def test_limits(raster_path):
    with alidade.Runtime(policy=alidade.Policy(max_request_points=1000)) as runtime:
        raster = alidade.Raster(runtime, raster_path("Shasta_Elevation.tif"))
        extent = raster.info.extent
        line = [(extent.x_min, extent.y_min), (extent.x_max, extent.y_max)] * 2
        for options in ({}, {"count": 1001}, {"step": 1e-9}, {"step": 1e-300}):
            with pytest.raises(alidade.errors.LimitExceededError):
                raster.profile(line, **options)
        assert len(raster.profile(line, count=1000)) == 1000
