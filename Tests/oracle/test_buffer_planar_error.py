"""The error of planar buffers against pyproj all around: how far the circle in the plane is off on the ground."""

from __future__ import annotations

import math

import numpy as np
import pyproj
import pytest

import alidade

CASES = [
    (3857, (0, 0), 1000.0),
    (3857, (500_000, 8_399_738), 1000.0),
    (3857, (-9_000_000, 12_000_000), 250_000.0),
    (32632, (500_000, 5_500_000), 10_000.0),
    (32632, (100_000, 1_000_000), 300_000.0),
    (27700, (530_000, 180_000), 2000.0),
    (3031, (1_000_000, 2_000_000), 500_000.0),
    (3035, (4_321_000, 3_210_000), 3_000_000.0),
    (2263, (1_000_000, 200_000), 1609.344),
    (4326, (10, 60), 5000.0),
    (4326, (179.9, -30), 100_000.0),
    (4807, (10, 50), 100_000.0),
]


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


@pytest.mark.parametrize("code, place, distance", CASES)
def test_against_pyproj(runtime, code, place, distance):
    crs = pyproj.CRS(f"EPSG:{code}")
    geod, globe = crs.get_geod(), crs.geodetic_crs
    degrees = globe.axis_info[0].unit_conversion_factor * 180 / math.pi
    unit = crs.axis_info[0].unit_conversion_factor
    if crs.is_geographic:
        unit *= geod.a
    angles = np.arange(7200) * 2 * math.pi / 7200
    x = place[0] + distance / unit * np.cos(angles)
    y = place[1] + distance / unit * np.sin(angles)

    def on_the_ground(x, y):
        if not crs.is_geographic:
            # PROJ's way back from equal areas is off by up to 1 mm, the way there is not.
            there, back = (pyproj.Transformer.from_crs(*pair, always_xy=True) for pair in ((globe, crs), (crs, globe)))
            image = there.transform(*back.transform(x, y, errcheck=True))
            x, y = back.transform(2 * x - image[0], 2 * y - image[1], errcheck=True)
        return np.asarray(x) * degrees, np.asarray(y) * degrees

    longitude, latitude = on_the_ground(x, y)
    centre = [np.full(len(x), value) for value in on_the_ground(np.array(place[0]), np.array(place[1]))]
    azimuths, _, lengths = geod.inv(*centre, longitude, latitude)
    errors = np.asarray(lengths) - distance

    reference = alidade.SpatialReference(runtime, f"EPSG:{code}")
    found = alidade.geometry.planar_buffer_error(reference, place, distance)
    # Between two samples an extreme may be higher by what a parabola rises.
    slack = 1e-6 * np.ptp(errors) + 1e-7
    assert found.min_m == pytest.approx(errors.min(), abs=slack)
    assert found.max_m == pytest.approx(errors.max(), abs=slack)
    assert found.mean_m == pytest.approx(errors.mean(), abs=slack)
    worst = max(abs(errors.min()), abs(errors.max()))
    back = geod.inv(centre[0][0], centre[1][0], *(float(v) for v in on_the_ground(*map(np.array, found.worst_point))))
    assert abs(back[2] - distance) == pytest.approx(worst, abs=slack)
    assert abs(math.remainder(back[0] - found.worst_azimuth_deg, 360)) < 1e-6
    area = abs(geod.polygon_area_perimeter(longitude, latitude)[0])
    assert found.planar_area_m2 == pytest.approx(area, rel=1e-6)
    circle = geod.fwd(*centre, np.degrees(angles), np.full(len(x), distance))
    assert found.geodesic_area_m2 == pytest.approx(abs(geod.polygon_area_perimeter(*circle[:2])[0]), rel=1e-6)


def test_tiny_and_huge(runtime):
    """A millimetre, whose numbers are all rounding but right, and most of the earth."""
    utm = alidade.SpatialReference(runtime, "EPSG:32632")
    found = alidade.geometry.planar_buffer_error(utm, (500_000, 5_500_000), 1, unit=alidade.Unit.MILLIMETRE)
    assert found.mean_m == pytest.approx(0.001 / 0.9996 - 0.001, abs=1e-8)
    assert found.geodesic_area_m2 == pytest.approx(math.pi * 1e-6, rel=1e-9)
    laea = alidade.SpatialReference(runtime, "EPSG:3035")
    with pytest.raises(alidade.errors.ProjectionFailedError):
        alidade.geometry.planar_buffer_error(laea, (4_321_000, 3_210_000), 15_000_000)
    degrees = alidade.SpatialReference(runtime, "EPSG:4326")
    with pytest.raises(alidade.errors.ProjectionFailedError, match="nowhere"):
        alidade.geometry.planar_buffer_error(degrees, (0, 80), 5_000_000)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        alidade.geometry.planar_buffer_error(degrees, (0, 0), 2e7)
