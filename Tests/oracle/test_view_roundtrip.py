"""
Screen to map and back: exact to 1e-6 DIP anywhere in the world at 1:100 and farther out, closer in to 4 ulp of the map
coordinate. The map points themselves are checked against numpy's longdouble.
"""
import alidade
import numpy
import pyproj
import pytest

from camera import Camera, metres_per_unit

# Map spatial references, and where in them views may look.
WORLDS = {
    "Web Mercator": (3857, (-20037508, -20037508), (20037508, 20037508)),
    "UTM 33N": (32633, (166000, -1000), (834000, 9330000)),
    "WGS 84": (4326, (-180, -90), (180, 90)),
    "US survey feet": (2263, (900000, 100000), (1100000, 300000)),
}
VIEWS = 60
POINTS = 200


def random_view(generator, name, scale):
    code, low, high = WORLDS[name]
    size = tuple(map(float, generator.uniform((1, 1), (5000, 4000))))
    insets = tuple(map(float, generator.uniform(0, 0.4, 4) * (size[1], size[0], size[1], size[0])))
    rotation = float(generator.choice([generator.uniform(0, 360), generator.integers(0, 8) * 45, 359.9999999]))
    centre = tuple(map(float, generator.uniform(low, high)))
    metres = metres_per_unit(pyproj.CRS.from_epsg(code))
    camera = Camera(centre, scale, rotation, size, insets, metres_per_unit=metres)
    return camera, generator.uniform((-0.5, -0.5), (1.5, 1.5), (POINTS, 2)) * size


@pytest.fixture(scope="module")
def views(runtime):
    """A view per world, of a map without layers."""
    made = {}
    for name, (code, _, _) in WORLDS.items():
        made[name] = alidade.View(alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, code)), 1, 1)
    return made


def look(view, camera):
    view.set_insets(None)
    view.set_size(*camera.size)
    view.set_insets(alidade.Insets(*camera.insets))
    view.set_viewpoint(camera.centre, scale=camera.scale, rotation_deg=camera.rotation_deg)


@pytest.mark.parametrize("closeness", ["far", "near"])
@pytest.mark.parametrize("name", WORLDS)
def test_there_and_back(views, name, closeness):
    generator = numpy.random.default_rng([3, len(name), len(closeness)])
    for _ in range(VIEWS):
        scale = 100 * 10 ** generator.uniform(0, 6) if closeness == "far" else 100 / 10 ** generator.uniform(0.01, 6)
        camera, screen = random_view(generator, name, scale)
        look(views[name], camera)
        found = views[name].screen_to_map(screen)
        back = views[name].map_to_screen(found)
        expected = camera.to_map(screen, numpy.longdouble)

        ulp = numpy.spacing(numpy.abs(expected.astype(float)))
        off = numpy.abs(found - expected).astype(float)
        slack = 1e-6 * camera.units_per_dip
        assert (off <= numpy.maximum(slack, 4 * ulp)).all(), (camera, off.max())
        # Back on the screen: a map point is only known to its last digit, so close in that is all one can ask.
        distance = numpy.abs(back - screen)
        allowed = 1e-6 if closeness == "far" else numpy.maximum(1e-6, 4 * ulp.max(axis=1)[:, None] / camera.units_per_dip)
        assert (distance <= allowed).all(), (camera, distance.max())


@pytest.mark.parametrize("name", WORLDS)
def test_state_says_the_same(views, name):
    """Centre, matrices, corners and scale of ald_view_state, for hosts that compute themselves."""
    generator = numpy.random.default_rng([4, len(name)])
    for _ in range(VIEWS):
        camera, _ = random_view(generator, name, 10 ** generator.uniform(2, 8))
        look(views[name], camera)
        state = views[name].state
        assert state.center == camera.centre
        assert state.scale == camera.scale
        assert state.rotation_deg == camera.rotation_deg % 360
        assert state.units_per_dip == pytest.approx(camera.units_per_dip, rel=1e-14)
        numpy.testing.assert_allclose(state.anchor_dip, camera.anchor, rtol=1e-14)
        unit = camera.units_per_dip
        numpy.testing.assert_allclose(state.screen_to_map, camera.matrix(), atol=1e-14 * unit)
        numpy.testing.assert_allclose(state.map_to_screen, numpy.linalg.inv(camera.matrix()), atol=1e-14 / unit)
        width, height = camera.size
        corners = camera.to_map([(0, 0), (width, 0), (width, height), (0, height)])
        numpy.testing.assert_allclose(state.visible_area, corners, rtol=1e-14, atol=1e-6 * unit)


def test_directions(views):
    """At rotation 90 east is up; at 0 the top of the screen is north; the centre is amid the insets' rest."""
    view = views["Web Mercator"]
    look(view, Camera((1000.0, 2000.0), 96 / 0.0254, 90.0, (100.0, 80.0)))
    numpy.testing.assert_allclose(view.screen_to_map([(50, 39), (51, 40)]), [(1001, 2000), (1000, 1999)], atol=1e-9)
    look(view, Camera((1000.0, 2000.0), 96 / 0.0254, 0.0, (100.0, 80.0), (20.0, 0.0, 0.0, 30.0)))
    numpy.testing.assert_allclose(view.screen_to_map([(65, 50), (65, 49), (66, 50)]),
                                  [(1000, 2000), (1000, 2001), (1001, 2000)], atol=1e-9)
