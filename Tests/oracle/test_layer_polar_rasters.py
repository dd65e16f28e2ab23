"""Outlines and coverage of rasters that reach where the map ends: the poles on Web Mercator, the limb of a satellite."""
import math

import alidade
import numpy
import pyproj
import pytest

HALF = math.pi * 6378137.0  # where the square of Web Mercator ends


@pytest.fixture
def mercator(runtime):
    return alidade.SpatialReference.from_code(runtime, 3857)


@pytest.mark.parametrize("name", ["world.rgb.tif", "inverted_lat.tif"])
def test_outline_ends_with_the_square_of_the_world(runtime, raster_path, mercator, name):
    raster = alidade.Raster(runtime, raster_path(name))
    outline = raster.outline(mercator, 36)
    assert outline.shape == (4 * 36 + 1, 2) and (outline[0] == outline[-1]).all()
    own = raster.outline(None, 36)
    x, y = pyproj.Transformer.from_crs(4326, 3857, always_xy=True).transform(own[:, 0], numpy.clip(own[:, 1], -85, 85))
    inside = numpy.abs(own[:, 1]) < 85
    numpy.testing.assert_allclose(outline[inside], numpy.column_stack([x, y])[inside], atol=1e-3)
    polar = numpy.abs(own[:, 1]) == 90
    numpy.testing.assert_allclose(outline[polar], numpy.column_stack([x, numpy.sign(y) * HALF])[polar], atol=1)


@pytest.mark.parametrize("name", ["world.rgb.tif", "inverted_lat.tif"])
def test_coverage_of_a_view_that_is_higher_than_the_world(runtime, raster_path, mercator, name):
    layer = alidade.RasterLayer(alidade.Raster(runtime, raster_path(name)))
    map = alidade.Map(runtime, mercator)
    map.add_layer(layer)
    view = alidade.View(map, 300, 300)
    view.set_viewpoint((0, 0), scale=3 * HALF / 300 * 96 / 0.0254, rotation_deg=0)
    assert view.layer_coverage(layer) == pytest.approx(2 / 3, abs=1e-6)


def test_outline_of_a_satellite_is_the_limb(runtime, raster_path):
    """Every point of the outline is seen at the edge of the disc, where geostationary projections end."""
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    raster = alidade.Raster(runtime, raster_path("goes.tif"))
    crs = pyproj.CRS.from_wkt(raster.spatial_reference.wkt)
    back = pyproj.Transformer.from_crs(4326, crs, always_xy=True)
    outline = raster.outline(degrees, 40)
    assert numpy.isfinite(outline).all()
    # On the limb itself, rounding decides whether pyproj still sees a point: a little further in it sees all of them.
    middle = (outline.min(0) + outline.max(0)) / 2
    x, y = back.transform(*(middle + (outline - middle) * 0.998).T)
    assert numpy.isfinite(x).all()
    # The disc nearly fills the square.
    distance = numpy.hypot(x, y) / raster.info.corners[1][0]
    assert distance.min() > 0.97 and distance.max() < 1.01
    box = alidade.RasterLayer(raster).full_extent(degrees)
    assert (outline.min(0) >= (box.x_min - 1, box.y_min - 1)).all()
    assert (outline.max(0) <= (box.x_max + 1, box.y_max + 1)).all()
