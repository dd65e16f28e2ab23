"""Rasters whose grid is turned or transposed, or whose first coordinate is the latitude."""
import math

import alidade
import numpy
import pyproj
import pytest
from alidade.engine import EngineFrame, MeshOptions
from alidade.rasters import GeoreferenceKind
from osgeo import gdal
from shapely.geometry import Point, Polygon

WORLD = 20037508.342789244


def make(path, transform, columns, rows, cells=None, code=4326, kind=gdal.GDT_Float64):
    """A raster of numbered cells."""
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), columns, rows, 1, kind)
    dataset.SetGeoTransform([float(number) for number in transform])
    if code:
        dataset.SetProjection(pyproj.CRS.from_epsg(code).to_wkt())
    dataset.GetRasterBand(1).WriteArray(numpy.arange(columns * rows).reshape(rows, columns) if cells is None else cells)
    del dataset
    return str(path)


def turned(angle, middle, cell, columns, rows):
    """The geotransform of a grid that is turned about its middle."""
    a = math.radians(angle)
    cos, sin = (round(part) if angle % 90 == 0 else part for part in (math.cos(a), math.sin(a)))
    g = [0, cell * cos, cell * sin, 0, cell * sin, -cell * cos]
    g[0] = middle[0] - columns / 2 * g[1] - rows / 2 * g[2]
    g[3] = middle[1] - columns / 2 * g[4] - rows / 2 * g[5]
    return g


def centres(g, columns, rows):
    """The coordinates of the middle of each cell, as arrays of rows x columns."""
    column, row = numpy.meshgrid(numpy.arange(columns) + 0.5, numpy.arange(rows) + 0.5)
    return g[0] + column * g[1] + row * g[2], g[3] + column * g[4] + row * g[5]


@pytest.mark.parametrize("code, transform", [(4326, (50, 0.1, 0, 10, 0, -0.1)), (4326, (50, 0.1, 0.02, 10, 0.03, -0.1)),
                                             (3035, (3.2e6, 1000, 0, 4.3e6, 0, -1000)),
                                             (2193, (5e6, 1000, 0, 1.6e6, 0, -1000))])
def test_the_first_coordinate_is_the_one_to_the_north(runtime, tmp_path, code, transform):
    """As GDAL's own transformer, which obeys the order of axes in an .aux.xml."""
    path = make(tmp_path / "a.tif", transform, 20, 15, code=None)
    (tmp_path / "a.tif.aux.xml").write_text(
        f'<PAMDataset><SRS dataAxisToSRSAxisMapping="1,2">EPSG:{code}</SRS></PAMDataset>')
    dataset = gdal.Open(path)
    assert dataset.GetSpatialRef().GetDataAxisToSRSAxisMapping()[:2] == [1, 2]
    to_degrees = gdal.Transformer(dataset, None, ["DST_SRS=OGC:CRS84"])
    generator = numpy.random.default_rng(code)
    places = generator.uniform((0, 0), (20, 15), (200, 2))
    points = numpy.array([to_degrees.TransformPoint(0, *map(float, place))[1][:2] for place in places])
    raster = alidade.Raster(runtime, path)
    found = raster.read_points(points, 4326).cells
    clear = (numpy.abs(places - numpy.round(places)) > 1e-6).all(axis=1)
    numpy.testing.assert_array_equal(found["column"][clear], numpy.floor(places[clear, 0]))
    numpy.testing.assert_array_equal(found["row"][clear], numpy.floor(places[clear, 1]))
    extent = raster.info.extent
    own = pyproj.Transformer.from_crs(4326, code, always_xy=True).transform(*points.T)
    assert extent.x_min <= own[0].min() and own[0].max() <= extent.x_max
    assert extent.y_min <= own[1].min() and own[1].max() <= extent.y_max


def test_other_orders_of_axes_are_refused(runtime, tmp_path):
    path = make(tmp_path / "a.tif", (50, 0.1, 0, 10, 0, -0.1), 20, 15, code=None)
    (tmp_path / "a.tif.aux.xml").write_text(
        '<PAMDataset><SRS dataAxisToSRSAxisMapping="2,-1">EPSG:4326</SRS></PAMDataset>')
    assert gdal.Open(path).GetSpatialRef().GetDataAxisToSRSAxisMapping()[:2] == [2, -1]
    with pytest.raises(alidade.errors.UnsupportedError, match="axes 2, -1 of WGS 84.*gdalwarp"):
        alidade.Raster(runtime, path)


def test_geolocation_arrays_are_no_georeference_that_a_world_file_replaces(runtime, tmp_path):
    dataset = gdal.GetDriverByName("GTiff").Create(str(tmp_path / "a.tif"), 4, 3, 1)
    dataset.SetMetadata({"X_DATASET": "x.tif", "Y_DATASET": "y.tif", "X_BAND": "1", "Y_BAND": "1", "LINE_OFFSET": "0",
                         "LINE_STEP": "1", "PIXEL_OFFSET": "0", "PIXEL_STEP": "1"}, "GEOLOCATION")
    del dataset
    raster = alidade.Raster(runtime, str(tmp_path / "a.tif"))
    assert raster.info.georeference is GeoreferenceKind.GEOLOCATION_ARRAYS
    with pytest.raises(alidade.errors.UnsupportedError, match="geolocation arrays.*gdalwarp -geoloc"):
        alidade.RasterLayer(raster)


@pytest.mark.parametrize("transform", [
    (2005744.7421101148, 0.0010232507163571679, -0.0029534998824360978, -2237427.383015837, 0.002307683455299245,
     -0.006660833987302068),
    (-128289.94691665942, 3.649344240939399e-06, -8.568426060739064e-06, 231873.01404982625, 2.5972117581235956e-06,
     -6.097031319944746e-06)])
def test_grids_that_are_almost_a_line(runtime, tmp_path, transform):
    """GDAL's inverse decides, however few digits a position has."""
    raster = alidade.Raster(runtime, make(tmp_path / "a.tif", transform, 30, 30, code=32632))
    inverse = gdal.InvGeoTransform(transform)
    points = numpy.column_stack([axis.ravel() for axis in centres(transform, 30, 30)])
    want = [[math.floor(part) for part in gdal.ApplyGeoTransform(inverse, *map(float, point))] for point in points]
    found = raster.read_points(points).cells
    numpy.testing.assert_array_equal(numpy.column_stack([found["column"], found["row"]]), want)


@pytest.mark.parametrize("longitude", [270, -90, 179, -179.5])
@pytest.mark.parametrize("angle", [0, 5, 30, 45, 85, 90, 120, 180, 200, 270, 300])
def test_polygons_in_other_copies_of_the_world(runtime, tmp_path, angle, longitude):
    """Cells by their middles, as shapely has them."""
    g = turned(angle, (longitude, 20), 0.5, 40, 30)
    raster = alidade.Raster(runtime, make(tmp_path / "a.tif", g, 40, 30))
    x, y = centres(g, 40, 30)
    corner = (g[0] + 38 * g[1] + 28 * g[2], g[3] + 38 * g[4] + 28 * g[5])
    middle = [(longitude - 3.1, 18.2), (longitude + 4.2, 17.03), (longitude + 2.2, 23.1), (longitude - 1.04, 24.07)]
    edge = [(corner[0] - 0.93, corner[1] - 1.11), (corner[0] + 1.27, corner[1] - 0.83), (corner[0] + 0.3, corner[1] + 1.3)]
    for ring in (middle, edge):
        shape = Polygon(ring)
        inside = numpy.array([shape.contains(Point(*point)) for point in zip(x.ravel(), y.ravel())])
        for turns in (-2, -1, 0, 1, 2):
            found = raster.polygon_statistics([(px + 360 * turns, py) for px, py in ring])
            assert (found.value_count, found.sum) == (inside.sum(), numpy.flatnonzero(inside).sum()), turns
            assert found.value_count > 0


# Grids of the world in 10 degrees, by the direction of columns and of rows.
WORLDS = {"plain": (-180, 10, 0, 90, 0, -10), "transposed": (-180, 0, 10, 90, -10, 0),
          "transposed, from the south-east": (180, 0, -10, -90, 10, 0), "upside down": (180, -10, 0, -90, 0, 10)}


@pytest.mark.parametrize("all_touched", [False, True])
@pytest.mark.parametrize("name", WORLDS)
def test_a_polygon_across_the_seam(runtime, tmp_path, name, all_touched):
    g = WORLDS[name]
    columns, rows = (18, 36) if "transposed" in name else (36, 18)
    raster = alidade.Raster(runtime, make(tmp_path / "a.tif", g, columns, rows))
    for west, east, south, north in [(161, 203, -22, 33), (-203, -161, -22, 33), (-521, -477, 3, 88), (179, 181, 1, 2)]:
        found = raster.polygon_statistics(
            [(west, south), (east, south), (east, north), (west, north)], all_touched=all_touched)
        x, y = centres(g, columns, rows)
        reach = 5 if all_touched else 0
        inside = numpy.zeros(x.shape, bool)
        for turns in range(-2, 3):
            at = x + 360 * turns
            inside |= (at > west - reach) & (at < east + reach) & (y > south - reach) & (y < north + reach)
        cells = numpy.flatnonzero(inside.ravel())
        assert (found.value_count, found.sum, found.outside_count) == (len(cells), cells.sum(), 0)
        if len(cells):
            assert (found.minimum, found.maximum) == (cells.min(), cells.max())


@pytest.mark.parametrize("name", WORLDS)
def test_outlines_end_with_the_square_of_the_world(runtime, tmp_path, name):
    columns, rows = (18, 36) if "transposed" in name else (36, 18)
    raster = alidade.Raster(runtime, make(tmp_path / "a.tif", WORLDS[name], columns, rows))
    outline = numpy.asarray(raster.outline(3857, 4))
    for axis in outline.T:
        assert (axis.min(), axis.max()) == pytest.approx((-WORLD, WORLD), abs=1)
    corners = numpy.abs(outline[[0, 4, 8, 12]])
    numpy.testing.assert_allclose(corners, WORLD, atol=1)
    layer = alidade.RasterLayer(raster)
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    map.add_layer(layer)
    view = alidade.View(map, 100, 100)
    view.set_viewpoint((0, 1.2e7), scale=1e8)
    assert view.layer_coverage(layer) == pytest.approx(1)


@pytest.mark.parametrize("longitude", [180, 270, -90])
@pytest.mark.parametrize("angle", [0, 20, 45, 90, 180, 210])
def test_meshes(runtime, tmp_path, angle, longitude):
    """Polygons of another spatial reference, across 180 degrees and in another copy of the world: on a plane of heights."""
    g = turned(angle, (longitude, 20), 0.02, 400, 300)
    x, y = centres(g, 400, 300)
    raster = alidade.Raster(runtime, make(tmp_path / "a.tif", g, 400, 300, 1000 + 100 * (x - longitude) + 70 * (y - 20)))
    zone = 32601 if longitude == 180 else 32616
    off = [(-0.5, -0.4), (0.6, -0.3), (0.3, 0.5), (-0.4, 0.3)]
    to_zone = pyproj.Transformer.from_crs(4326, zone, always_xy=True)
    ring = [to_zone.transform(longitude + dx, 20 + dy) for dx, dy in off]
    degrees, metres = (alidade.SpatialReference.from_code(runtime, code) for code in (4326, zone))
    text = ", ".join(f"{x} {y}" for x, y in [*ring, ring[0]])
    polygon = alidade.Geometry.from_wkt(runtime, f"POLYGON (({text}))", metres)
    mesh = EngineFrame(degrees, (longitude, 20)).mesh(polygon, raster, options=MeshOptions(maximum_deviation_m=5))
    assert mesh.info.dropped_triangle_count == 0 and 0 < mesh.info.triangle_count < 2000
    heights = numpy.asarray(mesh.columns.positions)[:, 2]
    plane = [1000 + 100 * dx + 70 * dy for dx, dy in off]
    # The frame is flat, and the earth is not: it falls away by some 300 m at 60 km.
    assert max(plane) + 10 >= heights.max() and heights.min() >= min(plane) - 500
