"""
The seam of rasters that go around the whole world: the column beyond the last one is the first one.

What is expected comes from the same raster with its first and last columns repeated on the other side (numpy.pad with
mode="wrap"): in it there is no seam.
"""
import alidade
import numpy
import pytest
import rasterio
from osgeo import gdal
from rasterio import Affine
from sampling import BILINEAR, CUBIC, sample as sample_of
from shapely.geometry import Point, Polygon, box
from shapely.prepared import prep

ROWS, CELL = 12, 5.0
# Name: western edge, columns. The last has the same meridian in its first and its last column.
RASTERS = {"-180": (-180.0, 72), "0": (0.0, 72), "cell centres": (-182.5, 73)}
METHODS = {alidade.rasters.Interpolation.BILINEAR: BILINEAR, alidade.rasters.Interpolation.CUBIC: CUBIC}


class World:
    def __init__(self, folder, runtime, name, nodata=False):
        self.west, self.columns = RASTERS[name]
        around = 72
        generator = numpy.random.default_rng(14)
        cells = generator.uniform(-100, 1000, (ROWS, around)).round()
        if nodata:
            cells[generator.uniform(size=cells.shape) < 0.15] = -9999
        self.cells = numpy.pad(cells, ((0, 0), (0, self.columns - around)), mode="wrap")
        # The raster begins at column `around`.
        self.around = around
        self.wide = numpy.pad(cells, ((0, 0), (around, self.columns)), mode="wrap")
        self.valid = self.wide != -9999
        self.why_not_valid = int(alidade.rasters.CellVerdict.NODATA)
        path = folder / "world.tif"
        with rasterio.open(path, "w", driver="GTiff", width=self.columns, height=ROWS, count=1, dtype="float32",
                           crs="EPSG:4326", transform=Affine(CELL, 0, self.west, 0, -CELL, 30), nodata=-9999,
                           tiled=True, blockxsize=16, blockysize=16) as file:
            file.write(self.cells.astype("float32"), 1)
        self.path = path
        self.raster = alidade.Raster(runtime, path)


class Wide:
    """A band as sampling.py wants it."""

    def __init__(self, world):
        self.cells, self.valid, self.why_not_valid = world.wide, world.valid, world.why_not_valid


@pytest.mark.parametrize("nodata", [False, True])
@pytest.mark.parametrize("interpolation", METHODS)
@pytest.mark.parametrize("name", RASTERS)
def test_samples_cross_the_seam(runtime, tmp_path, name, interpolation, nodata):
    world = World(tmp_path, runtime, name, nodata)
    generator = numpy.random.default_rng(1)
    places = numpy.column_stack([generator.uniform(-3, 3, 300), generator.uniform(0, ROWS, 300)])
    points = numpy.column_stack([world.west + places[:, 0] * CELL, 30 - places[:, 1] * CELL])
    answer = world.raster.sample(points, interpolation=interpolation)
    truth = [sample_of(Wide(world), world.around + column, row, METHODS[interpolation]) for column, row in places]
    numpy.testing.assert_array_equal(answer.verdicts, [verdict for _, verdict in truth])
    numpy.testing.assert_allclose(answer.values, [value for value, _ in truth], rtol=1e-11, atol=1e-9)


def test_heights_cross_the_seam(runtime, tmp_path):
    world = World(tmp_path, runtime, "-180")
    places = numpy.column_stack([numpy.linspace(-0.49, 0.49, 21), numpy.linspace(2, 9, 21)])
    points = numpy.column_stack([-180 + places[:, 0] * CELL, 30 - places[:, 1] * CELL])
    answer = world.raster.heights(points)
    truth = [sample_of(Wide(world), world.around + column, row, BILINEAR)[0] for column, row in places]
    numpy.testing.assert_allclose(answer.heights, truth, rtol=1e-11)


def test_a_raster_that_ends_before_the_seam_has_an_edge(runtime, tmp_path):
    """One column less than the world: at the edge only its own cells count, as on any raster."""
    path = tmp_path / "short.tif"
    cells = numpy.arange(71.0 * 4).reshape(4, 71)
    with rasterio.open(path, "w", driver="GTiff", width=71, height=4, count=1, dtype="float64", crs="EPSG:4326",
                       transform=Affine(CELL, 0, -180, 0, -CELL, 10)) as file:
        file.write(cells, 1)
    answer = alidade.Raster(runtime, path).sample([(-179.9, 7.5)], interpolation=alidade.rasters.Interpolation.BILINEAR)
    assert answer.values.tolist() == [cells[0, 0]]


def test_hillshade_crosses_the_seam(runtime, tmp_path):
    """Against gdaldem on a VRT in which the raster is there three times, side by side."""
    world = World(tmp_path, runtime, "-180")
    triple = gdal.BuildVRT(str(tmp_path / "triple.vrt"), [
        gdal.Translate(str(tmp_path / f"{turn}.vrt"), str(world.path), format="VRT",
                       outputBounds=(turn * 360 - 180, 30, turn * 360 + 180, -30)) for turn in (-1, 0, 1)])
    shade = gdal.DEMProcessing("", triple, "hillshade", format="MEM", computeEdges=True, zFactor=0.001)
    expected = shade.ReadAsArray()[:, 72:144]
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    layer = alidade.RasterLayer(world.raster)
    layer.renderer = alidade.RasterRenderer(alidade.layers.RasterRendererKind.HILLSHADE, z_factor=0.001)
    map = alidade.Map(runtime, degrees)
    map.add_layer(layer)
    view = alidade.View(map, 72, 12)
    view.move(extent=(-180, -30, 180, 30))
    pixels = view.read_rgba(layer)
    assert pixels.shape[:2] == expected.shape
    assert numpy.abs(pixels[..., 0].astype(int) - expected).max() <= 1


def boxes():
    """Across the seam: half on each side, mostly on one, as wide as the world but for some columns, and wider."""
    for left, right in [(-12, 13), (-30, 4), (-4, 33), (-200, 120), (-184, 178), (-200, 200)]:
        # Off the middles and edges of cells, where rounding would decide.
        yield Polygon([(left + 0.13, -27.7), (right + 0.17, -21.9), (right + 0.17, 26.3), ((left + right) / 2, 3.1),
                       (left + 0.13, 21.7)])


def cell(world, row, column, is_whole):
    """A cell, or its middle."""
    x, y = world.west + column * CELL, 30 - row * CELL
    return box(x, y - CELL, x + CELL, y) if is_whole else Point(x + CELL / 2, y - CELL / 2)


@pytest.mark.parametrize("all_touched", [False, True])
@pytest.mark.parametrize("turn", [-1, 0, 1])
@pytest.mark.parametrize("name", ["-180", "0"])
def test_polygons_cross_the_seam(runtime, tmp_path, name, turn, all_touched):
    world = World(tmp_path, runtime, name, nodata=True)
    for shape in boxes():
        ring = numpy.array(shape.exterior.coords) + (world.west + turn * 360, 0)
        answer = world.raster.polygon_statistics(ring, all_touched=all_touched)
        copies = [prep(Polygon(ring + ((copy - turn) * 360, 0))) for copy in (-1, 0, 1)]
        masks = [[[copy.intersects(cell(world, row, column, all_touched)) for column in range(72)]
                  for row in range(ROWS)] for copy in copies]
        mask = numpy.logical_or.reduce(masks)
        assert sum(numpy.any(one) for one in masks) > 1
        valid = mask & (world.cells != -9999)
        got = (answer.value_count, answer.empty_count, answer.outside_count, answer.sum)
        want = (valid.sum(), (mask & ~valid).sum(), 0, world.cells[valid].sum())
        assert got == pytest.approx(want), shape.bounds


def test_a_polygon_across_180_on_two_ends_of_a_raster(runtime, tmp_path):
    """A raster from -180 to 170: what is between 170 and 180 is outside, and what is beyond is not."""
    path = tmp_path / "short.tif"
    cells = numpy.arange(70.0 * 4).reshape(4, 70)
    with rasterio.open(path, "w", driver="GTiff", width=70, height=4, count=1, dtype="float64", crs="EPSG:4326",
                       transform=Affine(CELL, 0, -180, 0, -CELL, 10)) as file:
        file.write(cells, 1)
    raster = alidade.Raster(runtime, path)
    for shift in (0, -360):
        answer = raster.polygon_statistics(
            [(x + shift, y) for x, y in [(160, 10), (190, 10), (190, -10), (160, -10)]])
        inside = numpy.concatenate([cells[:, -2:], cells[:, :2]], axis=1)
        assert (answer.value_count, answer.sum, answer.outside_count) == (16, inside.sum(), 8)
