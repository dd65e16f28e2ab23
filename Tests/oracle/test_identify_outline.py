"""Beyond the outline of the world there are no cells: projections whose inverse goes on there, against pyproj with +over."""
import warnings

import alidade
import numpy
import pyproj
import pytest

# Equal Earth, sinusoidal, Eckert IV and VI, Robinson, Mollweide, Winkel tripel and Aitoff.
WORLDS = [("EPSG", 8857), *(("ESRI", code) for code in (54008, 54012, 54010, 54030, 54009, 54042, 54043))]
WIDTH, HEIGHT = 400, 220


def longitudes(authority, code, points):
    """Longitudes of map points, going on beyond 180 degrees; NaN for what the projection cannot undo."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pyproj warns of what PROJ strings leave out.
        projection = pyproj.CRS.from_authority(authority, code).to_proj4().replace("+type=crs", "")
    back = pyproj.Transformer.from_pipeline(
        f"+proj=pipeline +step +inv {projection} +over +step +proj=unitconvert +xy_in=rad +xy_out=deg")
    x, y = back.transform(points[:, 0], points[:, 1])
    # Beyond a pole, the image of what the inverse has is another point.
    again = numpy.column_stack(back.transform(x, y, direction="INVERSE"))
    is_same = numpy.isfinite(again).all(axis=1) & (numpy.abs(again - points).max(axis=1) < 10)
    return numpy.where(is_same, x, numpy.nan)


# Beyond Aitoff's outline PROJ 9.1.1 undoes some points and not their neighbours, so that pictures differ by single pixels.
@pytest.mark.parametrize("authority, code", [world for world in WORLDS if world[1] != 54043])
def test_cells_end_at_the_outline(runtime, raster_path, authority, code):
    reference = alidade.SpatialReference.from_code(runtime, code, authority)
    map = alidade.Map(runtime, reference)
    layer = alidade.RasterLayer(alidade.Raster(runtime, raster_path("world.rgb.tif")))
    map.add_layer(layer)
    view = alidade.View(map, WIDTH, HEIGHT)
    view.set_viewpoint((0, 0), scale=34e6 / WIDTH * 1.1 * 96 / 0.0254)
    rows, columns = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    screen = numpy.column_stack([columns.ravel() + 0.5, rows.ravel() + 0.5])
    longitude = longitudes(authority, code, numpy.asarray(view.screen_to_map(screen)))
    # Near the outline the approximations of a whole screen decide.
    is_outside = ~(numpy.abs(longitude) < 180.5)
    is_inside = numpy.abs(longitude) < 179.5
    alpha = view.read_rgba(layer)[:, :, 3].ravel()
    assert is_outside.sum() > 5000 and is_inside.sum() > 20000
    assert (alpha[is_outside] == 0).all()
    assert (alpha[is_inside] != 0).mean() > 0.98
    dice = numpy.random.default_rng(3)
    for index in dice.choice(numpy.nonzero(is_outside)[0], 60, replace=False):
        assert not list(view.identify(tuple(screen[index]), 0))
    for index in dice.choice(numpy.nonzero(is_inside)[0], 60, replace=False):
        assert bool(list(view.identify(tuple(screen[index]), 0))) == (alpha[index] != 0)


@pytest.mark.parametrize("authority, code", WORLDS)
def test_points_beyond_the_outline_have_a_status(runtime, authority, code):
    """No wrapped guess."""
    reference = alidade.SpatialReference.from_code(runtime, code, authority)
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    dice = numpy.random.default_rng(5)
    points = dice.uniform((-19e6, -9.5e6), (19e6, 9.5e6), (2000, 2))
    longitude = longitudes(authority, code, points)
    found = reference.project(points, degrees).points
    is_outside = ~(numpy.abs(longitude) <= 180)
    assert is_outside.sum() > 100 and (~is_outside).sum() > 500
    assert numpy.isnan(found[is_outside]).all()
    # Another version of PROJ undoes Winkel tripel for a few points more.
    is_known = ~is_outside & numpy.isfinite(found[:, 0])
    assert is_known.sum() > 0.98 * (~is_outside).sum()
    numpy.testing.assert_allclose(found[is_known][:, 0], longitude[is_known], atol=1e-7)


@pytest.mark.parametrize("authority, code", WORLDS)
def test_points_beyond_the_poles_have_none(runtime, authority, code):
    """The inverse has the pole there, or a point on the near side of it."""
    reference = alidade.SpatialReference.from_code(runtime, code, authority)
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    back = pyproj.Transformer.from_crs(4326, f"{authority}:{code}", always_xy=True)
    for latitude in (-90, 90):
        x, y = back.transform(0, latitude)
        outward = numpy.sign(latitude)
        beyond = [(x, y + outward * step) for step in (100, 1e4, 1e5, 1e6, 2e6)]
        assert numpy.isnan(reference.project(beyond, degrees).points).all()
        inside = [(x, y - outward * step) for step in (1e3, 1e5, 1e6)]
        expected = numpy.array([back.transform(*point, direction="INVERSE") for point in inside])
        numpy.testing.assert_allclose(reference.project(inside, degrees).points, expected, atol=1e-7)
