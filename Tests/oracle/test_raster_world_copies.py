"""
Rasters in every copy of the world, and rasters whose longitudes are 0 to 360.

The expected cell is arithmetic on the geotransform: the longitude (or the x of Web Mercator) modulo the world's width.
"""
import math

import alidade
import numpy
import pyproj
import pytest
import rasterio
from rasterio.transform import Affine

from truth import OUTSIDE, VALUE

RADIUS = 6378137.0
WORLD = {4326: 360.0, 3857: 2 * math.pi * RADIUS}
# Name: spatial reference, western edge and width as parts of the world, southern and northern edge, columns and rows.
RASTERS = {
    "degrees": (4326, -0.5, 1.0, -90.0, 90.0, 72, 36),
    "degrees 0 to 360": (4326, 0.0, 1.0, -90.0, 90.0, 72, 36),
    "degrees on cell centres": (4326, -2.5 / 360, 1.0, -92.5, 92.5, 72, 37),
    "metres": (3857, -0.5, 1.0, -2e7, 2e7, 64, 40),
    "degrees 190 to 250": (4326, 190 / 360, 60 / 360, -50.0, 50.0, 60, 100),
}


class Sample:
    def __init__(self, folder, runtime, name):
        self.code, west, width, self.south, self.north, self.columns, self.rows = RASTERS[name]
        self.world = WORLD[self.code]
        self.west = west * self.world
        self.cell = (width * self.world / self.columns, (self.north - self.south) / self.rows)
        self.cells = numpy.arange(self.columns * self.rows, dtype="uint16").reshape(self.rows, self.columns)
        path = folder / f"{name}.tif"
        transform = Affine(self.cell[0], 0, self.west, 0, -self.cell[1], self.north)
        with rasterio.open(path, "w", driver="GTiff", width=self.columns, height=self.rows, count=1, dtype="uint16",
                           crs=f"EPSG:{self.code}", transform=transform) as file:
            file.write(self.cells, 1)
        self.raster = alidade.Raster(runtime, path)

    def expected(self, points):
        """Column and row under n x 2 points in the raster's own spatial reference, -1 and -1 outside."""
        column = numpy.floor(((points[:, 0] - self.west) % self.world) / self.cell[0])
        row = numpy.floor((self.north - points[:, 1]) / self.cell[1])
        outside = (column < 0) | (column >= self.columns) | (row < 0) | (row >= self.rows)
        return numpy.where(outside[:, None], -1, numpy.column_stack([column, row])).astype(int)


@pytest.fixture(params=RASTERS)
def sample(request, tmp_path, runtime):
    return Sample(tmp_path, runtime, request.param)


def random_points(sample, code, count=500):
    """Points of four copies of the world, away from the poles, and off the borders of cells by chance."""
    generator = numpy.random.default_rng(14)
    turns = generator.uniform(-2.5, 1.5, count)
    latitudes = generator.uniform(-80, 80, count)
    return numpy.column_stack([turns * WORLD[code], latitudes if code == 4326 else mercator(latitudes)])


def mercator(latitude):
    return RADIUS * numpy.log(numpy.tan(numpy.pi / 4 + numpy.radians(latitude) / 2))


def in_raster(sample, points, code):
    """The points in the raster's spatial reference, by the formula of the spherical Mercator projection."""
    if code == sample.code:
        return points
    x = points[:, 0] / WORLD[code] * WORLD[sample.code]
    if code == 4326:
        return numpy.column_stack([x, mercator(points[:, 1])])
    return numpy.column_stack([x, numpy.degrees(2 * numpy.arctan(numpy.exp(points[:, 1] / RADIUS)) - numpy.pi / 2)])


@pytest.mark.parametrize("code", [4326, 3857])
def test_taps_and_screens(sample, runtime, code):
    layer = alidade.RasterLayer(sample.raster)
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, code))
    map.add_layer(layer)
    view = alidade.View(map, 101, 1)
    for centre in random_points(sample, code, 40):
        scale = 5e8
        view.set_viewpoint(tuple(centre), scale=scale, rotation_deg=0)
        step = scale * 0.0254 / 96 / (1 if code == 3857 else RADIUS * math.pi / 180)
        points = numpy.column_stack([centre[0] + (numpy.arange(101) + 0.5 - 50.5) * step, numpy.full(101, centre[1])])
        want = sample.expected(in_raster(sample, points, code))
        found = [view.cell_at(layer, (index + 0.5, 0.5)).cells[0]
                 for index in range(101)]
        near = numpy.isclose((in_raster(sample, points, code)[:, 0] - sample.west) % sample.cell[0], 0, atol=1e-6)
        for index in numpy.flatnonzero(~near):
            assert (found[index]["column"], found[index]["row"]) == tuple(want[index]), (centre, points[index])
        values = view.read_values(layer)[0]
        taps = [sample.cells[cell["row"], cell["column"]] if cell["verdict"] == VALUE else math.nan for cell in found]
        numpy.testing.assert_array_equal(values, taps)


@pytest.mark.parametrize("code", [4326, 3857])
def test_identify_has_the_cell_where_it_was_tapped(sample, runtime, code):
    layer = alidade.RasterLayer(sample.raster)
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, code))
    map.add_layer(layer)
    view = alidade.View(map, 3, 3)
    hits = 0
    for centre in random_points(sample, code, 60):
        view.set_viewpoint(tuple(centre), scale=1e6, rotation_deg=0)
        (want,) = sample.expected(in_raster(sample, centre[None], code))
        with view.identify_layer(layer, (1.5, 1.5)) as result:
            assert len(result.elements) == (want[0] >= 0), centre
            for cell in (element.cell for element in result):
                hits += 1
                assert (cell.column, cell.row) == tuple(want)
                x = numpy.asarray(cell.polygon)[:, 0]
                assert x.min() <= result.map_point[0] <= x.max()
                assert x.max() - x.min() == pytest.approx(sample.cell[0] / sample.world * WORLD[code])
    assert hits


@pytest.mark.parametrize("code", [None, 4326, 3857])
def test_points(sample, runtime, code):
    source = None if code is None else alidade.SpatialReference.from_code(runtime, code)
    points = random_points(sample, code or sample.code)
    want = sample.expected(in_raster(sample, points, code or sample.code))
    found = sample.raster.read_points(points, source).cells
    numpy.testing.assert_array_equal(numpy.column_stack([found["column"], found["row"]]), want)
    assert ((found["verdict"] == OUTSIDE) == (want[:, 0] < 0)).all()
    values = sample.raster.sample(points, 1, source).values
    expected = numpy.where(want[:, 0] < 0, numpy.nan, sample.cells[want[:, 1], want[:, 0]])
    numpy.testing.assert_array_equal(values, expected)


@pytest.mark.parametrize("name", ["degrees", "degrees 0 to 360"])
def test_profiles_cross_from_copy_to_copy(tmp_path, runtime, name):
    sample = Sample(tmp_path, runtime, name)
    line = [(-213.3, 12.1), (201.7, 12.1)]
    profile = sample.raster.profile(line)
    middles = line[0][0] + (profile["distance"] + profile["end_distance"]) / 2
    long = profile["end_distance"] - profile["distance"] > 1e-3
    want = sample.expected(numpy.column_stack([middles, numpy.full(len(middles), 12.1)]))
    numpy.testing.assert_array_equal(profile["column"][long], want[long, 0])
    assert long.sum() == 84 and (profile["verdict"][long] == VALUE).all()


@pytest.mark.parametrize("turn", [-2, -1, 0, 1])
def test_polygons_in_other_copies(tmp_path, runtime, turn):
    sample = Sample(tmp_path, runtime, "degrees 0 to 360")
    west, east = 200.0 + 360 * turn, 260.0 + 360 * turn
    found = sample.raster.polygon_statistics([(west, -40.0), (east, -40.0), (east, 30.0), (west, 30.0)])
    inside = sample.cells[12:26, 40:52]
    assert (found.value_count, found.minimum, found.maximum) == (inside.size, inside.min(), inside.max())


# Where the world of each map ends, by pyproj: 180 degrees, and 150 degrees beyond it.
MAPS = [4326, 3857, 3395, 3832]


def straight_on(code, source, longitude):
    """The x of a longitude, not taken back into the world: as far beyond the image of 180 as it is beyond 180."""
    # Just inside of 180: which side of the map 180 itself is on, rounding decides.
    inside = min(max(longitude, -179.999), 179.999)
    x = pyproj.Transformer.from_crs(source, code, always_xy=True).transform(inside, 10.0)[0]
    width = 360 if code == 4326 else 2 * math.pi * RADIUS
    return x + (longitude - inside) / 360 * width


@pytest.mark.parametrize("source", [4326, 4269])
@pytest.mark.parametrize("code", MAPS)
def test_longitudes_beyond_180_name_the_neighbouring_copy(runtime, code, source):
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, code))
    degrees = alidade.SpatialReference.from_code(runtime, source)
    view = alidade.View(map, 400, 300)
    for longitude in [-541, -361, -200, -180.5, -179.5, 0, 179.5, 180.5, 200, 359, 361, 541]:
        expected = straight_on(code, source, longitude)
        view.set_viewpoint(center=(longitude, 10), spatial_reference=degrees, scale=1e7)
        assert view.state.center[0] == pytest.approx(expected, rel=1e-8), longitude
        assert view.plan_move((longitude, 10), degrees).center[0] == pytest.approx(expected, rel=1e-8)
        box = (longitude - 0.25, 9, longitude + 0.25, 11)
        for rotation in [0, 30]:
            moved = view.move(extent=box, spatial_reference=degrees, rotation_deg=rotation)
            assert moved.center[0] == pytest.approx(expected, rel=1e-8), (longitude, rotation)
        shape = alidade.Geometry.from_wkt(runtime, f"MULTIPOINT ({box[0]} 9, {box[2]} 11)", degrees)
        assert view.move(geometry=shape).center[0] == pytest.approx(expected, rel=1e-8), longitude


@pytest.mark.parametrize("to", [181, -179, 541])
@pytest.mark.parametrize("code", [4326, 3857])
def test_flights_across_180_take_the_shorter_way(runtime, code, to):
    """From 179 degrees by 2 degrees to the east, whichever copy the end is named in; and the end is that copy."""
    width = WORLD[code]
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    view = alidade.View(alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, code)), 400, 300)
    view.set_viewpoint(center=(179, 0), spatial_reference=degrees, scale=1e7)
    view.animate_to(center=(to, 0), spatial_reference=degrees, duration_s=1)
    for _ in range(9):
        view.advance(0.1)
        assert 179 - 1e-9 <= view.state.center[0] / width * 360 <= 181 + 1e-9
    view.advance(0.2)
    assert view.state.center[0] / width * 360 == pytest.approx(to)
