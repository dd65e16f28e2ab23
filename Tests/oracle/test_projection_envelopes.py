"""Projected envelopes against a dense search with pyproj: nothing of a box lies outside, and no margin is left."""

from __future__ import annotations

import math
import random

import numpy as np
import pyproj
import pytest

import alidade

SEED = 20261121
# Of the longer side of an image, as the header promises.
TOLERANCE = 1e-8
# What a zoom into the best sample may miss.
ZOOM = 1e-7
LONGITUDES = (4326, 4269, 4258)
WORLD = {4326: 360.0, 4269: 360.0, 4258: 360.0, 3857: 2 * math.pi * 6378137, 3832: 2 * math.pi * 6378137}


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


def project(runtime: alidade.Runtime, source, target, box) -> alidade.coordinates.ProjectedEnvelope:
    references = [alidade.SpatialReference(runtime, c if isinstance(c, str) else f"EPSG:{c}") for c in (source, target)]
    return alidade.coordinates.project_envelope(*references, box)


def corners(projected: alidade.coordinates.ProjectedEnvelope) -> tuple[float, float, float, float]:
    envelope = projected.envelope
    return envelope.x_min, envelope.y_min, envelope.x_max, envelope.y_max


class Truth:
    """Images of points of a box, by pyproj alone."""

    def __init__(self, source, target, box, cut: float | None = None) -> None:
        """Cut: the longitude along which the target is cut open, if that matters."""
        self.transformer = pyproj.Transformer.from_crs(source, target, always_xy=True)
        self.from_degrees = pyproj.Transformer.from_crs(4326, source, always_xy=True)
        self.cut = cut
        self.box = box
        self.is_geographic = target in LONGITUDES
        # An x that runs on over the antimeridian.
        x_min, _, x_max, _ = box
        self.east = x_max + WORLD[source] if x_min > x_max else x_max

    def images(self, s: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Images of points that are given from 0 to 1 across and up; NaN where there is none.

        A pole has no longitude of its own: all longitudes there are one point.
        """
        x_min, y_min, _, y_max = self.box
        x = np.where(s == 1, self.east, x_min + (self.east - x_min) * s)
        y = np.where(t == 1, y_max, y_min + (y_max - y_min) * t)
        image = self.transformer.transform(x.ravel(), y.ravel(), errcheck=False)
        x, y = (np.where(np.isfinite(values), values, np.nan) for values in image)
        return (np.where(np.abs(y) > 90 - 1e-9, np.nan, x) if self.is_geographic else x), y

    def samples(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Points and images: 4001 along each edge, 301 x 301 all over, and at the cut."""
        line = np.linspace(0, 1, 4001)
        across, up = (values.ravel() for values in np.meshgrid(np.linspace(0, 1, 301), np.linspace(0, 1, 301)))
        zero, one = np.zeros_like(line), np.ones_like(line)
        s = np.concatenate([line, line, zero, one, across])
        t = np.concatenate([zero, one, line, line, up])
        if self.cut is not None:
            at_cut = self.at_cut()
            s, t = np.concatenate([s, at_cut[0]]), np.concatenate([t, at_cut[1]])
        return s, t, *self.images(s, t)

    def at_cut(self) -> tuple[np.ndarray, np.ndarray]:
        """Points on both sides of the cut, and around the poles, where it ends."""
        latitudes, angles = np.linspace(-90, 90, 20001), np.linspace(0, 2 * math.pi, 2001)
        points = [self.parts(self.cut + side, latitudes) for side in self.SIDES]
        for pole in (-90, 90):
            s, t = self.parts(self.cut, np.array([pole]))
            points += [(s + r * np.cos(angles), t + r * np.sin(angles)) for r in (1e-3, 1e-5, 1e-7, 1e-9)]
        s, t = np.concatenate(points, axis=1)
        inside = (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
        s, t = s[inside], t[inside]
        # So close to a pole some latitudes are rounded beyond it, and have no image.
        has_image = np.isfinite(self.images(s, t)[1])
        return s[has_image], t[has_image]

    SIDES = (-1e-11, 1e-11)

    def parts(self, longitude: float, latitudes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where positions lie in the box, from 0 to 1 across and up."""
        x_min, y_min, x_max, y_max = self.box
        x, y = self.from_degrees.transform(np.full_like(latitudes, longitude, float), latitudes, errcheck=False)
        return (x - x_min) / (x_max - x_min), (y - y_min) / (y_max - y_min)

    def farthest_at_cut(self, value) -> float:
        """The greatest value on both sides of the cut: ever smaller pieces of it around the best."""
        best = -math.inf
        for side in self.SIDES if self.cut is not None else ():
            latitude, reach = 0.0, 90.0
            while reach > 1e-13:
                latitudes = np.clip(np.linspace(latitude - reach, latitude + reach, 20001), -90, 90)
                s, t = self.parts(self.cut + side, latitudes)
                with np.errstate(invalid="ignore"):
                    values = np.where((s >= 0) & (s <= 1) & (t >= 0) & (t <= 1), value(*self.images(s, t)), np.nan)
                if np.isnan(values).all():
                    break
                latitude, reach = latitudes[np.nanargmax(values)], reach / 100
                best = max(best, float(np.nanmax(values)))
        return best

    def farthest(self, value, s: float, t: float) -> float:
        """The greatest value near a point: ever smaller grids around the best."""
        best = -math.inf
        reach = 1 / 100
        while reach > 1e-13:
            around, above = np.meshgrid(np.linspace(-reach, reach, 17), np.linspace(-reach, reach, 17))
            s_values, t_values = np.clip(s + around.ravel(), 0, 1), np.clip(t + above.ravel(), 0, 1)
            values = value(*self.images(s_values, t_values))
            if np.isnan(values).all():
                break
            index = int(np.nanargmax(values))
            if values[index] >= best:
                best, s, t = float(values[index]), s_values[index], t_values[index]
            reach *= 0.6
        return best


def check(
    runtime, source, target, box, *, zooms: bool = True, cut: float | None = None
) -> alidade.coordinates.ProjectedEnvelope | None:
    """Holds an envelope against the truth; None if both have none."""
    truth = Truth(source, target, box, cut)
    s, t, x, y = truth.samples()
    has_image = ~np.isnan(y)
    try:
        projected = project(runtime, source, target, box)
    except alidade.errors.ProjectionFailedError:
        assert not has_image.any()
        return None
    x_min, y_min, x_max, y_max = corners(projected)
    width = WORLD.get(target)
    assert projected.crosses_antimeridian == (x_min > x_max)
    assert width is not None or x_min <= x_max
    east = x_max + width if x_min > x_max else x_max
    middle = (x_min + east) / 2

    def unwrapped(x):
        return x if width is None else x - np.round((x - middle) / width) * width

    size = max(east - x_min, y_max - y_min)
    slack = TOLERANCE * size + 1e-12 * max(abs(x_min), abs(y_min), abs(east), abs(y_max))
    assert np.nanmin(unwrapped(x)) >= x_min - slack
    assert np.nanmax(unwrapped(x)) <= east + slack
    assert np.nanmin(y) >= y_min - slack
    assert np.nanmax(y) <= y_max + slack
    if not has_image.all():
        assert projected.is_partial
    if not zooms:
        return projected

    sides = {"bottom": (y_min, lambda x, y: -y), "top": (y_max, lambda x, y: y)}
    if width is None or east - x_min < width * (1 - 1e-9):
        sides["left"] = (x_min, lambda x, y: -unwrapped(x))
        sides["right"] = (east, lambda x, y: unwrapped(x))
    for side, (ours, value) in sides.items():
        index = int(np.nanargmax(value(x, y)))
        best = max(truth.farthest(value, s[index], t[index]), truth.farthest_at_cut(value))
        sign = -1 if side in ("left", "bottom") else 1
        assert sign * ours <= best + ZOOM * size + slack, (side, ours, best)
        assert sign * ours >= best - slack, (side, ours, best)
    return projected


def random_boxes(count: int, area: tuple[float, float, float, float], largest: tuple[float, float], seed: int):
    generator = random.Random(SEED + seed)
    for _ in range(count):
        width, height = largest[0] * generator.random() ** 3, largest[1] * generator.random() ** 3
        x = generator.uniform(area[0], area[2])
        y = generator.uniform(area[1], max(area[1], area[3] - height))
        yield x, y, x + width, y + height


# Source, target, where boxes begin, how large they may be, in the source's units.
SYSTEMS = [
    (4326, 32632, (0, -80, 12, 84), (12, 60)),
    (32632, 4326, (0, 0, 9e5, 9e6), (9e5, 9e6)),
    (4326, 3995, (-180, 50, 180, 90), (170, 40)),
    (3995, 4326, (-4e6, -4e6, 2e6, 4e6), (4e6, 6e6)),
    (3031, 4326, (-4e6, -4e6, 2e6, 4e6), (4e6, 6e6)),
    (3031, 3857, (-4e6, -4e6, -1e5, -1e5), (5e4, 5e4)),
    (4326, 2154, (-9, 41, 5, 52), (12, 10)),
    (2154, 4326, (0, 6e6, 1.2e6, 7.2e6), (1e6, 1e6)),
    (4326, 3035, (-30, 30, 30, 75), (40, 40)),
    (3035, 4326, (1e6, 1e6, 7e6, 6e6), (4e6, 4e6)),
    (4269, 5070, (-130, 20, -70, 50), (50, 30)),
    (5070, 4269, (-2.5e6, 2e5, 2.2e6, 3.2e6), (3e6, 3e6)),
    (4326, 3857, (-180, -85, 180, 85), (360, 170)),
    (3857, 4326, (-2e7, -2e7, 2e7, 2e7), (2e7, 4e7)),
    (3857, 2193, (1.8e7, -6e6, 2e7, -4e6), (1e6, 1e6)),
    (2193, 3857, (1e6, 4.7e6, 2.1e6, 6.2e6), (1e6, 1e6)),
    (4326, 3832, (60, -70, 240, 70), (100, 60)),
    (32632, 3035, (2e5, 5e6, 8e5, 6.5e6), (6e5, 2e6)),
    (4326, 54030, (-180, -90, 150, 80), (30, 90)),
]


def code(number: int):
    return f"ESRI:{number}" if number > 50000 else number


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: f"{system[0]}-{system[1]}")
def test_random_boxes(runtime, system):
    source, target, area, largest = system
    found = [
        check(runtime, code(source), code(target), box) for box in random_boxes(12, area, largest, source + target)
    ]
    assert any(found)


# MARK: Known hard cases

FLAGS = alidade.coordinates.ProjectedEnvelopeFlags
SQUARE = math.pi * 6378137


def test_whole_world_to_web_mercator(runtime):
    for box in ((-180, -90, 180, 90), (0, -90, 360, 90), (-200, -90, 500, 90)):
        projected = project(runtime, 4326, 3857, box)
        assert corners(projected) == pytest.approx((-SQUARE, -SQUARE, SQUARE, SQUARE), rel=1e-14)
        assert projected.flags == FLAGS.PARTIAL | FLAGS.HOLDS_NORTH_POLE | FLAGS.HOLDS_SOUTH_POLE


def test_mercator_beyond_its_square(runtime):
    # All of it lies beyond: then the numbers go on, and only the pole is left out.
    projected = project(runtime, 4326, 3857, (0, 86, 10, 90))
    bottom = pyproj.Transformer.from_crs(4326, 3857, always_xy=True).transform(0, 86)[1]
    assert projected.envelope.y_min == pytest.approx(bottom, rel=1e-14)
    assert projected.envelope.y_max > 2e8
    assert projected.flags == FLAGS.PARTIAL | FLAGS.HOLDS_NORTH_POLE
    with pytest.raises(alidade.errors.ProjectionFailedError, match="Nothing of the box"):
        project(runtime, 4326, 3857, (0, 90, 10, 90))
    # Without the pole nothing is cut off.
    projected = check(runtime, 4326, 3857, (0, 80, 10, 89))
    assert projected.envelope.y_max > SQUARE and not projected.flags


def test_across_the_antimeridian(runtime):
    projected = check(runtime, 4326, 3857, (170, -10, -170, 10))
    assert projected.flags == FLAGS.CROSSES_ANTIMERIDIAN
    assert corners(projected)[::2] == pytest.approx((SQUARE * 17 / 18, -SQUARE * 17 / 18), rel=1e-14)
    back = project(runtime, 3857, 4326, corners(projected))
    assert corners(back) == pytest.approx((170, -10, -170, 10), abs=1e-9)
    assert back.crosses_antimeridian
    for target in (32660, 32601, 3832):
        assert not check(runtime, 4326, target, (170, -10, -170, 10)).flags
    # Next to the antimeridian, and with longitudes that go on beyond it.
    assert corners(project(runtime, 4326, 3857, (170, 0, 180, 5)))[::2] == pytest.approx((SQUARE * 17 / 18, SQUARE))
    assert corners(project(runtime, 4326, 3857, (180, 0, 190, 5)))[::2] == pytest.approx((-SQUARE, -SQUARE * 17 / 18))
    assert corners(project(runtime, 4326, 4258, (-190, 0, -170, 5))) == pytest.approx((170, 0, -170, 5))
    # The same positions: bit for bit.
    assert corners(project(runtime, 4326, 4326, (170.1, 0.1, -170.3, 5.7))) == (170.1, 0.1, -170.3, 5.7)


def test_seam_of_another_mercator(runtime):
    # Cut open at 30 degrees west, and shifted.
    text = "+proj=merc +lon_0=150 +x_0=1000 +y_0=500 +ellps=WGS84 +type=crs"
    projected = project(runtime, 4326, text, (-40, -10, -10, 10))
    assert projected.crosses_antimeridian
    degree = 6378137 * math.pi / 180
    assert corners(projected)[::2] == pytest.approx((1000 + 170 * degree, 1000 - 160 * degree), rel=1e-12)
    whole = project(runtime, 4326, text, (-180, -90, 180, 90))
    assert corners(whole) == pytest.approx((1000 - SQUARE, 500 - SQUARE, 1000 + SQUARE, 500 + SQUARE), abs=1e-4)


@pytest.mark.parametrize("system", (3995, 3031))
def test_poles(runtime, system):
    sign = 1 if system == 3995 else -1
    flag = FLAGS.HOLDS_NORTH_POLE if sign > 0 else FLAGS.HOLDS_SOUTH_POLE
    # A box from pole to latitude, and back.
    south, north = sorted((60 * sign, 90 * sign))
    polar = check(runtime, 4326, system, (-180, south, 180, north))
    assert polar.flags == flag
    back = check(runtime, system, 4326, corners(polar))
    assert back.flags == flag
    assert (back.envelope.x_min, back.envelope.x_max) == (-180, 180)
    assert (back.envelope.y_max if sign > 0 else -back.envelope.y_min) == 90
    # On an edge, at a corner, just inside, and just outside.
    assert check(runtime, system, 4326, (0, -1e6, 1e6, 1e6)).flags == flag
    corner = check(runtime, system, 4326, (0, 0, 1e6, 1e6))
    east = (90, 180) if sign > 0 else (0, 90)
    assert corners(corner)[::2] == pytest.approx(east) and corner.flags == flag
    inside = project(runtime, system, 4326, (-10, -1e6, 1e6, 1e6))
    assert corners(inside)[::2] == (-180, 180) and inside.flags == flag
    outside = check(runtime, system, 4326, (10, -1e6, 1e6, 1e6))
    assert not outside.flags and abs(corners(outside)[1 if sign < 0 else 3]) < 90
    # Web Mercator has all longitudes of it, and no pole.
    mercator = project(runtime, system, 3857, (-1e6, -1e6, 1e6, 1e6))
    assert corners(mercator)[::2] == pytest.approx((-SQUARE, SQUARE), rel=1e-14)
    assert abs(corners(mercator)[1 if sign < 0 else 3]) == pytest.approx(SQUARE, rel=1e-14)
    assert mercator.flags == flag | FLAGS.PARTIAL


# At a limb the image ends as steeply as a circle's edge, and a grid's shift has many small peaks: what a zoom finds is
# worse than what it is checked against.
NOT_ZOOMED = ("from a satellite", "a globe and the space around", "a grid")


@pytest.mark.parametrize(
    "case",
    [
        ("Russia", 4326, "ESRI:102025", (19, 41, -169, 82)),
        ("Russia, polar", 4326, 5940, (19, 41, -169, 82)),
        ("Fiji", 4326, 3460, (177, -20, -178, -16)),
        ("Fiji, back", 3460, 4326, (1.6e6, 3.5e6, 2.4e6, 4.3e6)),
        ("Antarctica", 4326, 3031, (-180, -90, 180, -60)),
        ("New Zealand", 4326, 2193, (160, -50, -170, -30)),
        ("New Zealand, back", 2193, 4326, (1e6, 4.7e6, 2.6e6, 6.2e6)),
        ("far from its zone", 4326, 32660, (10, 40, 30, 60)),
        ("far from its zone, back", 32660, 4326, (-2e6, 1.3e7, -3e5, 1.5e7)),
        ("a conic, cut open", 4326, 2154, (170, 40, -160, 50)),
        ("a conic, whole", 2154, 4326, (-1e7, -1e7, 1e7, 1.5e7)),
        ("Robinson, cut open inside", 4326, "ESRI:54030", (170, -30, -150, 40)),
        ("Robinson, whole", 4326, "ESRI:54030", (-180, -90, 180, 90)),
        ("Robinson, with a margin", "ESRI:54030", 4326, (-1.8e7, -9e6, 1.8e7, 9e6)),
        ("a line of points that are poles", "ESRI:54030", 4326, (-1e5, 8.5e6, 1e5, 8.62e6)),
        ("a globe from outside", 4326, "+proj=ortho +lat_0=40 +lon_0=10 +type=crs", (-180, -90, 180, 90)),
        ("a globe and the space around", "+proj=ortho +lat_0=40 +lon_0=10 +type=crs", 4326, (-7e6, -7e6, 7e6, 7e6)),
        ("from a satellite", "+proj=geos +h=35785831 +type=crs", 4326, (-6e6, -6e6, 6e6, 6e6)),
        ("a grid", 4314, 25832, (8, 48, 10, 50)),
        ("other units and meridian", 4326, 4807, (0, 43, 5, 50)),
    ],
    ids=lambda case: case[0],
)
def test_hard_places(runtime, case):
    _, source, target, box = case
    assert check(runtime, source, target, box, zooms=case[0] not in NOT_ZOOMED) is not None


# MARK: Cut open inside the box

AEQD = "+proj=aeqd +lat_0=-70 +lon_0=170 +type=crs"
LAEA = "+proj=laea +lat_0=60 +lon_0=-160 +type=crs"
ROTATED = "+proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p=40 +lon_0=180 +type=crs"
TURNED = "+proj=ob_tran +o_proj=longlat +o_lon_p=-162 +o_lat_p=39.25 +lon_0=0 +type=crs"
AFRICA = "+proj=aea +lat_1=-18 +lat_2=-32 +lon_0=24 +type=crs"
CONIC = "+proj=eqdc +lat_1=10 +lat_2=40 +lon_0=10 +type=crs"
CASSINI = "+proj=cass +lat_0=50 +lon_0=10 +type=crs"
# Where they are cut open: opposite to their middles.
CUTS = {AFRICA: -156, CONIC: -170, CASSINI: -170, "+proj=sinu +lon_0=90 +type=crs": -90}


@pytest.mark.parametrize(
    "case",
    [
        ("the end of the line that a pole is", "EPSG:3031", CONIC, (-1128470.575, -940911.922, 1040510.188, 1345610.328)),
        ("a slanted cut", AEQD, CASSINI, (-734563.242, 3623669.017, 4399247.119, 4101154.01)),
        ("all around", ROTATED, AFRICA, (-180, 0, 180, 60)),
        ("a pole inside", TURNED, CONIC, (-120.536, -73.875, 72.459, -6.269)),
        ("next to a pole", LAEA, CASSINI, (-3609461.215, -3520264.192, 4268967.92, -2945467.922)),
        ("a pole on an edge", "EPSG:3031", CONIC, (-1128470.575, 0, 1040510.188, 1345610.328)),
        ("a pole at a corner", "EPSG:3995", AFRICA, (0, 0, 1040510.188, 1345610.328)),
    ],
    ids=lambda case: case[0],
)
def test_cut_open_inside(runtime, case):
    _, source, target, box = case
    assert not check(runtime, source, target, box, cut=CUTS[target]).is_partial


@pytest.mark.parametrize("target", CUTS, ids=lambda target: target.split()[0].removeprefix("+proj="))
def test_random_boxes_cut_open_inside(runtime, target):
    generator = random.Random(SEED + CUTS[target])
    for _ in range(16):
        for source in ("EPSG:3031", "EPSG:3995", AEQD, LAEA, ROTATED, TURNED):
            x, y = (180, 89) if source in (ROTATED, TURNED) else (4e6, 4e6)
            x, y = (sorted(generator.uniform(-reach, reach) for _ in range(2)) for reach in (x, y))
            assert check(runtime, source, target, (x[0], y[0], x[1], y[1]), zooms=False, cut=CUTS[target])


def test_points_and_lines(runtime):
    to_degrees = pyproj.Transformer.from_crs(32632, 4326, always_xy=True)
    point = corners(project(runtime, 32632, 4326, (6e5, 5e6, 6e5, 5e6)))
    assert point == pytest.approx(to_degrees.transform(6e5, 5e6) * 2, rel=0, abs=1e-12)
    check(runtime, 32632, 4326, (3e5, 5e6, 7e5, 5e6))
    check(runtime, 32632, 4326, (3e5, 5e6, 3e5, 6e6))
    check(runtime, 4326, 3035, (-20, 55, 40, 55))


def test_what_is_no_box(runtime):
    for source, box, words in (
        (4326, (0, 2, 1, 1), "y_min"),
        (4326, (math.nan, 0, 1, 1), "not finite"),
        (4326, (0, 0, math.inf, 1), "not finite"),
        (4326, (10, 0, -720, 1), "once around"),
        (32632, (2, 0, 1, 1), "does not wrap"),
        # The digits no longer say which point they mean; the result was 0.
        (4326, (1e308, 0, 1e308, 1), "a million times around"),
        (4326, (4e8, 0, 4e8 + 1, 1), "a million times around"),
        (3395, (-1e17, 0, -1e17, 1), "a million times around"),
    ):
        with pytest.raises(alidade.errors.InvalidArgumentError, match=words):
            project(runtime, source, 3857, box)
    with pytest.raises(alidade.errors.ProjectionFailedError):
        project(runtime, 4326, 3857, (0, 100, 1, 120))


def test_from_far_away_to_far_away_is_all_around(runtime):
    half = math.pi * 6378137
    for box in ((1e308, 0, 1.1e308, 1), (-1e308, 0, 1e308, 1), (0, 0, 1e308, 1)):
        found = project(runtime, 4326, 3857, box)
        assert corners(found)[::2] == pytest.approx((-half, half), rel=1e-12), box


def test_peers_hazard(runtime):
    """What this is for: PROJ's own function makes the whole world of 20 degrees."""
    transformer = pyproj.Transformer.from_crs(4326, 3857, always_xy=True)
    peer = transformer.transform_bounds(170, -10, -170, 10)
    assert peer[2] - peer[0] > 1.9 * SQUARE
    ours = project(runtime, 4326, 3857, (170, -10, -170, 10)).envelope
    assert ours.x_max + 2 * SQUARE - ours.x_min == pytest.approx(2 * SQUARE / 18)


@pytest.mark.parametrize("target", ["EPSG:4267", "EPSG:3857", "EPSG:32633"])
def test_nothing_lies_beyond_the_poles(runtime, target):
    degrees, other = (alidade.SpatialReference(runtime, text) for text in ("EPSG:4326", target))
    with pytest.raises(alidade.errors.ProjectionFailedError):
        alidade.coordinates.project_envelope(degrees, other, (0, 91, 10, 92))
    beyond = alidade.coordinates.project_envelope(degrees, other, (0, 80, 10, 95))
    within = alidade.coordinates.project_envelope(degrees, other, (0, 80, 10, 90))
    assert beyond.envelope == within.envelope
    assert beyond.is_partial and beyond.holds_north_pole
