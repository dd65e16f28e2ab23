"""Statistics and classes of the cells of polygons, against GDAL's polygon fill, numpy and exact sums."""
import math

import alidade
import numpy
import pytest
import rasterio
from rasterio import Affine
from rasterio.features import geometry_mask
from shapely.affinity import translate
from shapely.geometry import Polygon
from test_raster_analysis_polygons import on_map, rings_of, star
from truth import Truth

FILES = [
    "RGB.byte.tif", "MOD13A1_NDVI_2016_209.tif", "Shasta_Elevation.tif", "lc.tif", "rotated.tif", "alpha.tif",
    "uint32.tif", "cint16.tif", "goes.tif", "south-up.tif", "inverted_lat.tif", "rat.img", "f2r23.tif",
    "tmmx_20190121.nc", "cog_scale.tif", "cog_rgb_mask.tif", "cog_dateline.tif", "world.rgb.tif", "int8.tif",
    "float32_nodata.tif", "float64_nan.tif", "nodata_per_band.img", "nodata_values.tif", "rgba.tif",
    "mask_internal.tif", "scale_unit.tif", "one_cell.tif", "sheared.tif", "tiled_deflate.tif", "portable.png",
    "wavelet.jp2",
]


def random_polygons(truth, count=4):
    """With a hole; from a few cells to more than the raster."""
    generator = numpy.random.default_rng(truth.width)
    for turn in range(count):
        middle = generator.uniform(0.1, 0.9, 2) * (truth.width, truth.height)
        radius = max(truth.width, truth.height) * (0.05, 0.3, 0.9, 1.5)[turn % 4]
        outer = Polygon(star(generator, middle, radius, 25)).buffer(0)
        polygon = outer.difference(Polygon(star(generator, middle, radius / 3, 9)).buffer(0))
        yield on_map(polygon, Affine.from_gdal(*truth.transform))


# What goes around the world: across its seam a polygon has the cells on the other side.
WORLDS = {"inverted_lat.tif": 360.0, "world.rgb.tif": 360.0}


def mask_of(polygon, truth, world=None):
    masks = [geometry_mask([translate(polygon, shift)], (truth.height, truth.width),
                           Affine.from_gdal(*truth.transform), invert=True)
             for shift in ([0] if world is None else [0, world, -world])]
    return numpy.logical_or.reduce(masks)


@pytest.mark.parametrize("name", FILES)
def test_statistics(runtime, raster_path, name):
    raster, truth = alidade.Raster(runtime, raster_path(name)), Truth(raster_path(name))
    for polygon in random_polygons(truth):
        mask = mask_of(polygon, truth, WORLDS.get(name))
        for number, band in enumerate(truth.bands, start=1):
            for scaled in (False, True):
                answer = raster.polygon_statistics(rings_of(polygon), number, scaled=scaled)
                assert_statistics(answer, band, mask, scaled)


def assert_statistics(answer, band, mask, scaled):
    stored = band.cells.real.astype(float)
    has_value = mask & band.valid & ~numpy.isnan(stored)
    assert (answer.value_count, answer.empty_count) == (has_value.sum(), (mask & ~has_value).sum())
    values = stored[has_value]
    if scaled:
        values = values * band.scale + band.offset
    if not values.size:
        assert answer.sum == 0 and answer.minimum_cell is None and answer.maximum_cell is None
        assert all(math.isnan(value) for value in
                   (answer.mean, answer.minimum, answer.maximum, answer.standard_deviation))
        return
    assert (answer.minimum, answer.maximum) == (values.min(), values.max())
    # fsum rounds once, at the end.
    exact = math.fsum(values)
    assert answer.sum == pytest.approx(exact, rel=1e-15, abs=1e-15 * numpy.abs(values).max())
    mean = exact / values.size
    assert answer.mean == pytest.approx(mean, rel=1e-14, abs=1e-15 * numpy.abs(values).max())
    deviation = math.sqrt(math.fsum((values - mean) ** 2) / values.size)
    assert answer.standard_deviation == pytest.approx(deviation, rel=1e-9, abs=1e-13 * numpy.abs(values).max())
    rows, columns = numpy.nonzero(has_value)
    for cell, position in ((answer.minimum_cell, values.argmin()), (answer.maximum_cell, values.argmax())):
        assert cell == (columns[position], rows[position])


@pytest.mark.parametrize("name", ["lc.tif", "storml_evt.tif", "f2r23.tif", "rat.img", "int64_nodata.tif", "int8.tif",
                                  "uint64_nodata.tif", "categories.tif", "cog_rgb_mask.tif", "rgba.tif"])
def test_classes(runtime, raster_path, name):
    raster, truth = alidade.Raster(runtime, raster_path(name)), Truth(raster_path(name))
    for polygon in random_polygons(truth):
        mask = mask_of(polygon, truth)
        for number, band in enumerate(truth.bands, start=1):
            classes = raster.polygon_classes(rings_of(polygon), number)
            values, counts = numpy.unique(band.cells[mask & band.valid], return_counts=True)
            assert classes["integer"].view(values.dtype if values.dtype == "uint64" else "int64").tolist() \
                == values.tolist()
            assert classes["value"].tolist() == values.astype(float).tolist()
            assert classes["cell_count"].tolist() == counts.tolist()


def test_classes_of_fractions_are_refused(runtime, raster_path):
    for name in ("Shasta_Elevation.tif", "cint16.tif"):
        raster = alidade.Raster(runtime, raster_path(name))
        with pytest.raises(alidade.errors.UnsupportedError, match="integers"):
            raster.polygon_classes(raster.info.corners)


def test_sum_is_compensated(runtime, tmp_path):
    """Numbers whose plain sum loses all of the small ones, and infinities."""
    raster, corners = made_of(runtime, tmp_path / "a.tif", [1e16, 1.0, 1.0, 1.0, -1e16, 0.5] * 50)
    assert raster.polygon_statistics(corners).sum == 50 * 3.5
    raster, corners = made_of(runtime, tmp_path / "b.tif", [1.0, math.inf, 2.0])
    answer = raster.polygon_statistics(corners)
    assert (answer.sum, answer.mean, answer.maximum, answer.minimum) == (math.inf, math.inf, math.inf, 1.0)
    assert math.isnan(answer.standard_deviation)
    raster, corners = made_of(runtime, tmp_path / "c.tif", [1.0, math.nan, 3.0])
    answer = raster.polygon_statistics(corners)
    assert (answer.value_count, answer.empty_count, answer.mean, answer.standard_deviation) == (2, 1, 2.0, 1.0)


def made_of(runtime, path, values):
    with rasterio.open(path, "w", driver="GTiff", width=len(values), height=1, count=1, dtype="float64",
                       transform=Affine(1, 0, 8, 0, -1, 8), crs="EPSG:32633") as file:
        file.write(numpy.array([values]), 1)
    raster = alidade.Raster(runtime, path)
    return raster, raster.info.corners


@pytest.mark.parametrize("name", ["alpha.tif", "cog_dateline.tif", "Shasta_Elevation.tif", "tmmx_20190121.nc"])
def test_threads_do_not_matter(raster_path, name):
    """To the last bit, whatever the number of threads."""
    answers = []
    for threads in (1, 2, 7):
        policy = alidade.Policy(drivers=["netCDF"], add_drivers=True)
        with alidade.Runtime(policy=policy, thread_count=threads) as runtime:
            raster, truth = alidade.Raster(runtime, raster_path(name)), Truth(raster_path(name))
            # As texts, in which a NaN equals itself and a double each of its digits.
            answers.append([repr(raster.polygon_statistics(rings_of(polygon), 1, all_touched=touched, scaled=True))
                            for polygon in random_polygons(truth) for touched in (False, True)])
    assert answers[0] == answers[1] == answers[2]


def test_damaged_blocks(runtime, generated):
    """A polygon over a damaged tile is an error with GDAL's message; a polygon next to it is not."""
    raster = alidade.Raster(runtime, generated / "damaged.tif")
    x0, dx, _, y0, _, dy = raster.info.geotransform

    def square(left, top, size):
        return [(x0 + dx * (left + c * size), y0 + dy * (top + r * size)) for c, r in ((0, 0), (1, 0), (1, 1), (0, 1))]

    with pytest.raises(alidade.errors.ReadFailedError):
        raster.polygon_statistics(raster.info.corners)
    with pytest.raises(alidade.errors.ReadFailedError):
        raster.polygon_classes(square(70, 140, 30))
    assert raster.polygon_statistics(square(0, 0, 60)).value_count == 3600
