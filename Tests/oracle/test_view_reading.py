"""Ground resolution and scale bars against PROJ's geodesics (pyproj.Geod), and what else views say of themselves."""

from __future__ import annotations

import math
import random

import numpy as np
import pyproj
import pytest

import alidade

SEED = 20261122
WORLD = 2 * math.pi * 6378137


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


def make_view(runtime, code, center, scale, rotation_deg=0.0, size=(800.0, 600.0)):
    reference = alidade.SpatialReference(runtime, f"EPSG:{code}")
    view = alidade.View(alidade.Map(runtime, reference), *size)
    view.set_viewpoint(center, alidade.SpatialReference(runtime, "EPSG:4326"), scale, rotation_deg)
    return view


class Ground:
    """Lengths of lines of map points on the map's own ellipsoid, by pyproj alone."""

    def __init__(self, code):
        crs = pyproj.CRS(code)
        self.geod = crs.get_geod()
        # To the longitudes and latitudes of the same datum.
        self.transformer = pyproj.Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True)

    def length(self, points):
        longitudes, latitudes = self.transformer.transform(*np.asarray(points).T)
        return self.geod.line_length(longitudes, latitudes)


PLACES = [
    (3857, (0.0, 0.0)), (3857, (10.0, 60.0)), (3857, (-150.0, -80.0)), (4326, (25.0, 55.0)), (32633, (15.0, 48.0)),
    (2154, (3.0, 46.0)), (3031, (40.0, -75.0)), (27700, (-2.0, 53.0)), (2263, (-74.0, 40.7)), (3035, (10.0, 52.0)),
]


@pytest.mark.parametrize("code, center", PLACES)
def test_ground_resolution(runtime, code, center):
    dice = random.Random(SEED + code)
    ground = Ground(code)
    for scale in (500, 25_000, 2_000_000):
        view = make_view(runtime, code, center, scale, dice.uniform(0, 360))
        for _ in range(10):
            x, y = dice.uniform(0, 800), dice.uniform(0, 600)
            found = view.ground_resolution((x, y))
            for axis, step in ((0, (0.5, 0)), (1, (0, 0.5))):
                # Half a DIP on each side is metres enough at all of these scales for eight digits.
                ends = view.screen_to_map([(x - step[0], y - step[1]), (x + step[0], y + step[1])])
                assert found[axis] == pytest.approx(ground.length(ends), rel=3e-7)


def test_mercator_shrinks_with_the_cosine_of_latitude(runtime):
    """On Web Mercator's own sphere; the ellipsoid differs by some thousandths."""
    view = make_view(runtime, 3857, (0, 0), 1e6)
    for latitude in (0, 30, 60, 80):
        view.set_viewpoint((0, latitude), alidade.SpatialReference(runtime, "EPSG:4326"))
        x, _ = view.ground_resolution((400, 300))
        nominal = view.state.units_per_dip
        radius = 6378137 / math.sqrt(1 - 0.00669437999014 * math.sin(math.radians(latitude)) ** 2)
        assert x == pytest.approx(nominal * math.cos(math.radians(latitude)) * radius / 6378137, rel=1e-9)


@pytest.mark.parametrize("code, center", PLACES)
@pytest.mark.parametrize("unit_system", list(alidade.units.UnitSystem))
def test_scale_bars(runtime, code, center, unit_system):
    """The bar's ends lie as far apart on the ground as it says, and the next round length would be too wide."""
    dice = random.Random(SEED + code)
    ground = Ground(code)
    for scale in (10, 1000, 50_000, 3_000_000):
        view = make_view(runtime, code, center, scale, dice.uniform(0, 360))
        place, widest = (dice.uniform(100, 700), dice.uniform(100, 500)), dice.uniform(20, 300)
        bar = view.scale_bar(place, widest, unit_system)
        line = np.linspace(bar.start_dip, bar.end_dip, 200)
        assert ground.length(view.screen_to_map(line)) == pytest.approx(bar.length_m, rel=1e-5, abs=1e-7)
        assert bar.end_dip[0] - bar.start_dip[0] == pytest.approx(bar.width_dip) and bar.width_dip <= widest
        assert np.allclose(np.add(bar.start_dip, bar.end_dip) / 2, place)
        assert bar.length_m == pytest.approx(bar.length * alidade.units.unit_info(bar.unit).si_factor)
        assert f"{bar.length:e}"[0] in "125" and float(f"{bar.length:.0e}") == pytest.approx(bar.length)
        assert bar.width_dip * 2.5 * 1.01 > widest
        metric = unit_system is alidade.units.UnitSystem.METRIC
        large, small = (
            (alidade.Unit.KILOMETRE, alidade.Unit.METRE) if metric else (alidade.Unit.STATUTE_MILE, alidade.Unit.FOOT)
        )
        # A unit is taken where one of it fits.
        longest = bar.length_m * widest / bar.width_dip
        assert bar.unit is (large if longest > alidade.units.unit_info(large).si_factor * 1.001 else small) or (
            abs(longest / alidade.units.unit_info(large).si_factor - 1) < 0.01
        )


def test_a_bar_around_the_world(runtime):
    """Measured along the bar: the shortest path between its ends would be another."""
    view = make_view(runtime, 3857, (0, 0), 100e6, size=(2000.0, 600.0))
    bar = view.scale_bar((1000, 300), 1e5)
    assert bar.length_m > 40_075_017 and bar.width_dip * view.state.units_per_dip == pytest.approx(bar.length_m, rel=1e-9)
    assert str(view.scale_bar((1000, 300), 100)) == "2000 km"


def test_envelope_and_visible_area(runtime):
    """Without rotation they are the same; with one the visible area is smaller."""
    view = make_view(runtime, 3857, (-93.032201, 49.636213), 1e6)
    box, area = view.envelope, view.visible_area()
    assert (box.x_min, box.y_min, box.x_max, box.y_max) == (
        area.envelope.x_min, area.envelope.y_min, area.envelope.x_max, area.envelope.y_max
    )
    view.set_viewpoint(rotation_deg=30)
    box = view.envelope
    corners = view.state.visible_area
    assert np.allclose([box.x_min, box.y_min], corners.min(0)) and np.allclose([box.x_max, box.y_max], corners.max(0))
    x, y = corners.T
    shoelace = abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
    upd = view.state.units_per_dip
    assert shoelace == pytest.approx(800 * 600 * upd**2, rel=1e-6)
    assert (box.x_max - box.x_min) * (box.y_max - box.y_min) > 1.5 * shoelace


def test_copies_of_the_world(runtime):
    view = make_view(runtime, 3857, (0, 0), WORLD / 256 * 96 / 0.0254)
    # 256 DIP for the world, on 800: from -400 to 400 DIP lie -1.5625 to 1.5625 worlds.
    assert view.world_copies == range(-2, 3)
    view.set_viewpoint((10 * WORLD, 0), view.map.spatial_reference, scale=1e6)
    assert view.world_copies == range(10, 11)
    plane = make_view(runtime, 32633, (15, 48), 1e8)
    assert plane.world_copies == range(0, 1)


def test_snapshots_do_not_move(runtime):
    view = make_view(runtime, 3857, (10, 50), 1e5, 20)
    with view.snapshot() as snapshot:
        before = view.screen_to_map([(1, 2)])
        view.set_viewpoint((0, 0), scale=5, rotation_deg=0)
        assert np.array_equal(snapshot.screen_to_map([(1, 2)]), before)
        assert np.allclose(snapshot.map_to_screen(before), [(1, 2)])
        assert snapshot.state.scale == 1e5 and snapshot.state.rotation_deg == 20
        assert snapshot.ground_resolution((1, 2))[0] > view.ground_resolution((1, 2))[0]
