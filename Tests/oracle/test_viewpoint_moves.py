"""Moves that fit things into a view, against pyproj and formulas of their own: all of it is inside the padded area, and
fills it in one direction."""

from __future__ import annotations

import math
import random

import numpy as np
import pyproj
import pytest

import alidade
from camera import Camera, metres_per_unit

SEED = 20261122
# What an edge may bulge beyond the points that the library looks at, in DIP of a screen of 1000.
BULGE = 0.25
WORLD = 2 * math.pi * 6378137


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


class Stage:
    """A view of a map, and the truth about where it looks."""

    def __init__(self, runtime, code, size=(900.0, 700.0), insets=(0.0, 0.0, 0.0, 0.0)):
        self.reference = alidade.SpatialReference(runtime, f"EPSG:{code}")
        self.crs = pyproj.CRS(code)
        self.view = alidade.View(alidade.Map(runtime, self.reference), *size)
        self.view.set_insets(alidade.Insets(*insets))
        self.size, self.insets = size, insets

    def look(self) -> Camera:
        """The camera as the library says it, with formulas of our own."""
        state = self.view.state
        return Camera(
            state.center, state.scale, state.rotation_deg, self.size, self.insets,
            metres_per_unit=metres_per_unit(self.crs),
        )

    def margins(self, points) -> tuple[float, float, float, float]:
        """Top, right, bottom, left: from the outermost points to the sides of what the insets leave free."""
        x, y = self.look().to_screen(points).T
        (width, height), (top, right, bottom, left) = self.size, self.insets
        return y.min() - top, width - right - x.max(), height - bottom - y.max(), x.min() - left


def is_fitted(margins, padding, tolerance=1e-6) -> bool:
    """Everything is inside, one direction is filled, and the other is in the middle."""
    free = [margin - side for margin, side in zip(margins, padding)]
    top, right, bottom, left = free
    return (
        min(free) > -tolerance
        and min(top + bottom, left + right) < 2 * tolerance
        and abs(top - bottom) < 2 * tolerance
        and abs(left - right) < 2 * tolerance
    )


def test_geometries_of_the_map(runtime):
    dice = random.Random(SEED)
    stage = Stage(runtime, 3857, insets=(30.0, 0.0, 60.0, 100.0))
    for _ in range(300):
        padding = [dice.uniform(0, 150) for _ in range(4)]
        size = 10 ** dice.uniform(0, 6)
        middle = np.array([dice.uniform(-1.5e7, 1.5e7), dice.uniform(-1.5e7, 1.5e7)])
        points = middle + np.array([[dice.gauss(0, size), dice.gauss(0, size)] for _ in range(dice.randint(2, 40))])
        geometry = alidade.Geometry.from_coordinates(
            runtime, alidade.geometry.GeometryKind.POLYLINE, points, spatial_reference=stage.reference
        )
        stage.view.set_viewpoint((0, 0), scale=1e6, rotation_deg=dice.uniform(0, 360))
        plan = stage.view.zoom_to_geometry(geometry, alidade.Insets(*padding))
        margins = stage.margins(points)
        assert is_fitted(margins, padding), (margins, padding)
        found = plan.margins
        assert np.allclose((found.top_dip, found.right_dip, found.bottom_dip, found.left_dip), margins, atol=1e-6)
        assert plan.clamps == 0 and plan.center == stage.view.state.center and plan.scale == stage.view.state.scale


@pytest.mark.parametrize("target", [3857, 32633, 3035, 2154])
def test_straight_edges_that_become_curves(runtime, target):
    """Each edge is followed: of a dense sample of the geometry nothing lies outside, and no margin is left."""
    dice = random.Random(SEED + target)
    stage = Stage(runtime, target)
    degrees = alidade.SpatialReference(runtime, "EPSG:4326")
    transformer = pyproj.Transformer.from_crs(4326, target, always_xy=True)
    for _ in range(40):
        width, height = dice.uniform(0.01, 18), dice.uniform(0.01, 12)
        west, south = dice.uniform(-5, 20), dice.uniform(40, 55)
        corners = np.array(
            [(west, south), (west + width, south + dice.uniform(0, 2)), (west + width / 2, south + height)]
        )
        ring = np.vstack([corners, corners[:1]])
        wkt = "POLYGON ((" + ", ".join(f"{x!r} {y!r}" for x, y in ring.tolist()) + "))"
        t = np.linspace(0, 1, 4001)[:, None]
        dense = np.vstack([a + (b - a) * t for a, b in zip(ring, ring[1:])])
        images = np.column_stack(transformer.transform(*dense.T))
        stage.view.set_viewpoint(images[0], scale=1e6, rotation_deg=dice.uniform(0, 360))
        stage.view.zoom_to_geometry(alidade.Geometry.from_wkt(runtime, wkt, degrees), 50)
        assert is_fitted(stage.margins(images), [50] * 4, BULGE)


def test_the_envelope_of_the_seed(runtime):
    """Mercator's own formulas: x = a * longitude, y = a * ln tan(45 degrees + latitude / 2)."""
    stage = Stage(runtime, 3857, (800.0, 600.0))
    west, south, east, north = -124.83145667, 30.49849464, -113.91375495, 44.69150688
    degrees = alidade.SpatialReference(runtime, "EPSG:4326")
    stage.view.zoom_to_envelope((west, south, east, north), degrees, 20)

    def place(longitude, latitude):
        y = math.log(math.tan(math.radians(45 + latitude / 2)))
        return np.array([math.radians(longitude), y]) * 6378137

    low, high = place(west, south), place(east, north)
    state = stage.view.state
    assert np.allclose(state.center, (low + high) / 2, rtol=0, atol=1e-6)
    assert state.units_per_dip == pytest.approx((high - low)[1] / 560, rel=1e-12)
    assert is_fitted(stage.margins([low, high]), [20] * 4)
    point = stage.view.move((-93.032201, 49.636213), degrees)
    assert np.allclose(point.center, place(-93.032201, 49.636213), rtol=0, atol=1e-6)
    assert stage.view.state.scale == state.scale


def test_a_whole_world(runtime):
    stage = Stage(runtime, 3857, (512.0, 1024.0))
    degrees = alidade.SpatialReference(runtime, "EPSG:4326")
    stage.view.zoom_to_envelope((-180, -90, 180, 90), degrees)
    # 512 DIP for the world is level 1 of 256-pixel tiles: 1 : 295,828,763.8 at 96 dpi, as ArcGIS's tile services
    # publish it, for which a metre has 39.37 inches and not 1 / 0.0254.
    assert stage.view.state.scale == pytest.approx(295828763.7957775 / 39.37 / 0.0254, rel=1e-9)
    assert np.allclose(stage.view.state.center, 0, atol=1e-6)


def test_over_the_antimeridian(runtime):
    degrees = alidade.SpatialReference(runtime, "EPSG:4326")
    stage = Stage(runtime, 3857)
    narrow = 4 / 360 * WORLD
    # One polygon that goes on beyond 180, a box whose numbers go around, and an island state in two parts.
    polygon = alidade.Geometry.from_wkt(runtime, "POLYGON ((178 0, 182 0, 182 1, 178 1, 178 0))", degrees)
    parts = alidade.Geometry.from_wkt(
        runtime,
        "MULTIPOLYGON (((178 0, 180 0, 180 1, 178 1, 178 0)), ((-180 0, -178 0, -178 1, -180 1, -180 0)))",
        degrees,
    )
    points = alidade.Geometry.from_wkt(runtime, "MULTIPOINT (179 0, -178 1, 178 0.5)", degrees)
    for move in (
        lambda: stage.view.zoom_to_geometry(polygon),
        lambda: stage.view.zoom_to_geometry(parts),
        lambda: stage.view.zoom_to_geometry(points),
        lambda: stage.view.zoom_to_envelope((178, 0, -178, 1), degrees),
    ):
        stage.view.set_viewpoint((0, 0), scale=1e8, rotation_deg=0)
        move()
        assert stage.view.state.units_per_dip == pytest.approx(narrow / 900, rel=1e-9)
        assert abs(stage.view.state.center[0]) == pytest.approx(WORLD / 2, rel=1e-9)


def test_parts_that_lie_apart_stay_where_they_are(runtime):
    degrees = alidade.SpatialReference(runtime, "EPSG:4326")
    stage = Stage(runtime, 3857)
    line = alidade.Geometry.from_wkt(runtime, "MULTILINESTRING ((-70 0, -60 10), (100 0, 105 20))", degrees)
    stage.view.set_viewpoint(scale=1e6)
    stage.view.zoom_to_geometry(line)
    assert stage.view.state.units_per_dip == pytest.approx(175 / 360 * WORLD / 900, rel=1e-9)
    assert stage.view.state.center[0] == pytest.approx(17.5 / 360 * WORLD, rel=1e-9)
    # A line around nearly all of the world goes the way that its vertices say.
    line = alidade.Geometry.from_wkt(runtime, "LINESTRING (-170 0, 170 1)", degrees)
    stage.view.zoom_to_geometry(line)
    assert stage.view.state.units_per_dip == pytest.approx(340 / 360 * WORLD / 900, rel=1e-9)


def test_what_has_no_size_only_pans(runtime):
    stage = Stage(runtime, 3857)
    stage.view.set_viewpoint((0, 0), scale=12345, rotation_deg=50)
    for wkt in ("POINT (7 8)", "MULTIPOINT (7 8, 7 8)", "GEOMETRYCOLLECTION (POINT (7 8), POLYGON EMPTY)"):
        stage.view.set_viewpoint((0, 0))
        plan = stage.view.zoom_to_geometry(
            alidade.Geometry.from_wkt(runtime, wkt, stage.reference), alidade.Insets(left_dip=200)
        )
        assert plan.scale == pytest.approx(12345)
        # In the middle of the free area, which the padding has moved to the right.
        assert np.allclose(stage.look().to_screen([(7, 8)]), [(550, 350)])


def test_scale_and_geometry(runtime):
    """The middle of the geometry at the scale, and the margins say that it sticks out."""
    stage = Stage(runtime, 3857)
    line = alidade.Geometry.from_wkt(runtime, "LINESTRING (0 0, 2000 1000)", stage.reference)
    plan = stage.view.move(geometry=line, scale=1000)
    assert plan.scale == 1000 and np.allclose(plan.center, (1000, 500))
    assert np.allclose(plan.margins.left_dip, (900 - 2000 / (1000 * 0.0254 / 96)) / 2)


def test_limits_and_margins(runtime):
    """A clamped move says so, and the margins are those that were reached."""
    stage = Stage(runtime, 3857)
    line = alidade.Geometry.from_wkt(runtime, "LINESTRING (0 0, 2000 1000)", stage.reference)
    stage.view.set_constraints(alidade.views.Constraints(max_scale=50_000))
    plan = stage.view.zoom_to_geometry(line, 10)
    assert plan.clamps == alidade.views.CameraClampFlags.MAX_SCALE and plan.scale == 50_000
    assert plan.wanted_scale == pytest.approx(2000 / 880 * 96 / 0.0254)
    assert np.allclose(stage.margins([(0, 0), (2000, 1000)]), [plan.margins.top_dip, plan.margins.right_dip] * 2)
    assert plan.margins.right_dip > 10


def test_a_locked_view_fits_in_its_own_rotation(runtime):
    stage = Stage(runtime, 3857)
    points = [(0, 0), (3000, 1000), (500, 2500)]
    line = alidade.Geometry.from_coordinates(
        runtime, alidade.geometry.GeometryKind.POLYLINE, points, spatial_reference=stage.reference
    )
    stage.view.set_constraints(alidade.views.Constraints(locked_rotation_deg=40))
    plan = stage.view.move(geometry=line, rotation_deg=0, padding=25)
    assert plan.clamps == alidade.views.CameraClampFlags.ROTATION and plan.rotation_deg == 40
    assert is_fitted(stage.margins(points), [25] * 4)


def test_what_was_wanted_is_that_of_a_view_without_a_lock(runtime):
    """A diagonal fits at another scale where it lies along the screen."""
    insets = (40.0, 0.0, 0.0, 130.0)
    free, locked = Stage(runtime, 3857, insets=insets), Stage(runtime, 3857, insets=insets)
    diagonal = alidade.Geometry.from_wkt(runtime, "LINESTRING (0 0, 100000 100000, 120000 10000)", free.reference)
    for stage in (free, locked):
        stage.view.set_viewpoint((0, 0), scale=1e6)
    locked.view.set_constraints(alidade.views.Constraints(locked_rotation_deg=20))
    for rotation in (0.0, 45.0, 110.0):
        wanted = free.view.plan_move(geometry=diagonal, rotation_deg=rotation, padding=30)
        plan = locked.view.plan_move(geometry=diagonal, rotation_deg=rotation, padding=30)
        assert (plan.wanted_center, plan.wanted_scale) == (wanted.center, wanted.scale)
        assert plan.wanted_rotation_deg == rotation and plan.rotation_deg == 20
        assert plan.clamps == alidade.views.CameraClampFlags.ROTATION
        # Along the screen it is longer than at 20 degrees, or shorter: the two are not the same.
        assert abs(plan.scale / plan.wanted_scale - 1) > 0.01


def test_constraints_hold_whatever_is_asked_for(runtime):
    dice = random.Random(SEED + 1)
    stage = Stage(runtime, 3857, insets=(10.0, 20.0, 30.0, 40.0))
    box = alidade.Envelope(-2e6, 4e6, 3e6, 8e6)
    stage.view.set_constraints(alidade.views.Constraints(max_extent=box, max_scale=500))
    for _ in range(500):
        stage.view.move(
            (dice.uniform(-1e7, 1e7), dice.uniform(-1e7, 1e7)),
            scale=10 ** dice.uniform(0, 9),
            rotation_deg=dice.uniform(-720, 720),
        )
        camera = stage.look()
        x, y = camera.to_map([(0, 0), (900, 0), (900, 700), (0, 700)]).T
        assert x.min() > box.x_min - 1e-6 and x.max() < box.x_max + 1e-6
        assert y.min() > box.y_min - 1e-6 and y.max() < box.y_max + 1e-6
        assert camera.scale >= 500


@pytest.mark.parametrize("way", ["set_viewpoint", "move"])
def test_a_centre_alone_leaves_the_scale_of_the_initial_viewpoint(runtime, way):
    map = alidade.Map(runtime, alidade.SpatialReference(runtime, "EPSG:3857"))
    map.set_initial_location(latitude_deg=10, longitude_deg=20, scale=5000)
    view = alidade.View(map, 800, 600)
    getattr(view, way)((100, 200))
    assert (view.state.center, view.state.scale) == ((100, 200), 5000)


def test_a_view_that_grows_keeps_to_its_extent(runtime):
    stage = Stage(runtime, 3857)
    stage.view.set_constraints(alidade.views.Constraints(max_extent=alidade.Envelope(0, 0, 9000, 7000)))
    stage.view.set_viewpoint((4500, 3500), scale=10 * 96 / 0.0254)
    assert stage.view.state.units_per_dip == pytest.approx(10)
    stage.view.set_size(1800, 700)
    assert stage.view.state.units_per_dip == pytest.approx(5)
    assert np.allclose(stage.view.state.visible_area[[0, 2], 0], [0, 9000])
