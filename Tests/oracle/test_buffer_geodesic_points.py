"""Geodesic buffers of points in planes and across the sides of maps, against pyproj: each as near as it reports."""

from __future__ import annotations

import numpy as np
import pyproj
import pytest
from ground import GEOD, rings
from shapely.affinity import translate
from shapely.geometry import Point
from shapely.wkt import loads

import alidade

COUNT = 150
WORLD = 2 * np.pi * 6378137
# Coordinates between which points are taken, and radii in metres. There and back PROJ errs by up to 2 mm in LAEA and
# Equal Earth, by less than a micrometre elsewhere.
PLANES = {
    32632: ((-300_000, 3_000_000, 1_300_000, 7_500_000), (1, 300_000)),
    3857: ((-WORLD / 2, -1e7, WORLD / 2, 1e7), (1, 300_000)),
    3035: ((2_000_000, 1_000_000, 6_000_000, 5_000_000), (100, 500_000)),
    3031: ((-3_000_000, -3_000_000, 3_000_000, 3_000_000), (1, 300_000)),
    2154: ((0, 6_000_000, 1_200_000, 7_200_000), (1, 100_000)),
    8857: ((-9_000_000, -5_000_000, 9_000_000, 5_000_000), (100, 100_000)),
}


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


def point_array(runtime, xy, reference):
    return alidade.GeometryArray.from_columns(
        runtime, xy, kind=alidade.geometry.GeometryKind.POINT, spatial_reference=reference
    )


def along(ring, steps):
    u = np.arange(steps)[None, :, None] / steps
    return (ring[:-1, None] + u * (ring[1:, None] - ring[:-1, None])).reshape(-1, 2)


def errors(geod, centre, radius, places):
    n = len(places)
    return np.abs(geod.inv(np.full(n, centre[0]), np.full(n, centre[1]), *places.T)[2] - radius)


@pytest.mark.parametrize("code", list(PLANES))
@pytest.mark.parametrize("share", [1e-3, 0.05])
def test_in_a_plane_edges_keep_what_is_reported(runtime, code, share):
    (west, south, east, north), sizes = PLANES[code]
    source = np.random.default_rng(code)
    xy = np.column_stack([source.uniform(west, east, COUNT), source.uniform(south, north, COUNT)])
    radii = np.exp(source.uniform(*np.log(sizes), COUNT))
    crs = pyproj.CRS.from_epsg(code)
    geod = crs.get_geod()
    ground = pyproj.Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True)
    reference = alidade.SpatialReference(runtime, f"EPSG:{code}")
    whole = 0
    for centre, radius in zip(xy, radii):
        place = ground.transform(*centre)
        if not np.isfinite(place).all():
            continue
        made = point_array(runtime, [centre], reference).geodesic_buffers(
            radius, maximum_deviation=radius * share
        )
        report = made.buffer_report
        assert made[0].is_valid
        assert report.achieved_deviation_m <= report.maximum_deviation_m
        outlines = rings(made[0])
        whole += len(outlines) == 1
        edge = np.concatenate([along(ring, 8) for ring in outlines])
        if code == 3857:
            edge = edge[np.abs(edge[:, 0]) < WORLD / 2 - 1e-6]
        places = np.column_stack(ground.transform(*edge.T))
        worst = errors(geod, place, radius, places).max()
        # Seven points along an edge show its error but for a fiftieth.
        assert worst <= report.achieved_deviation_m
        assert worst > 0.5 * report.achieved_deviation_m or report.achieved_deviation_m < 1e-6
    assert whole > COUNT / 2


@pytest.mark.parametrize("code", [4326, 3857])
@pytest.mark.parametrize("share", [0.0, 1e-9, 0.3, 1.0, -1.0, 1 - 1e-6, 1 + 1e-6, 0.999_999_999])
@pytest.mark.parametrize("sign", [-1, 1])
def test_across_the_side_two_parts_are_the_whole(runtime, code, share, sign):
    """Centres so many radii away from the side of the map, on it, and such that the circle all but touches it."""
    turn = 360 if code == 4326 else WORLD
    reference = alidade.SpatialReference(runtime, f"EPSG:{code}")
    for latitude in (0.0, 51.0, -70.0):
        radius = 10_000.0
        # The farthest east that the circle goes.
        x, _, _ = GEOD.fwd(np.zeros(721), np.full(721, latitude), np.linspace(45, 135, 721), np.full(721, radius))
        centre = np.array([sign * (180 - share * max(x)), latitude])
        centre[0] -= 360 * np.round(centre[0] / 360) if abs(centre[0]) > 180 else 0
        if code == 3857:
            centre = np.array(pyproj.Transformer.from_crs(4326, 3857, always_xy=True).transform(*centre))
        array = point_array(runtime, [centre], reference)
        split = array.geodesic_buffers(radius)
        report = split.buffer_report
        whole = array.geodesic_buffers(radius, unwrapped=True)
        same = whole.buffer_report
        assert split[0].is_valid and whole[0].is_valid
        assert report.achieved_deviation_m == pytest.approx(same.achieved_deviation_m, rel=1e-9)
        polygon, parts = loads(whole[0].to_wkt()), loads(split[0].to_wkt())
        assert polygon.geom_type == "Polygon" or len(polygon.geoms) == 1
        assert parts.area == pytest.approx(polygon.area, rel=1e-9)
        assert parts.bounds[0] >= -turn / 2 and parts.bounds[2] <= turn / 2
        # Moved together they are the whole again, edge by edge.
        pieces = [translate(part, turn * k) for part in getattr(parts, "geoms", [parts]) for k in (-1, 0, 1)]
        near = [piece for piece in pieces if piece.intersects(polygon) and piece.intersection(polygon).area > 0]
        assert sum(piece.intersection(polygon).area for piece in near) == pytest.approx(polygon.area, rel=1e-9)


def test_across_the_side_shells_run_counterclockwise(runtime):
    reference = alidade.SpatialReference(runtime, "EPSG:4326")
    array = point_array(runtime, [[179.99, 10.0], [-180.0, -40.0], [0.0, 0.0]], reference)
    made = array.geodesic_buffers([50_000.0])
    assert [len(rings(made[index])) for index in range(3)] == [2, 2, 1]
    for index in range(3):
        for ring in rings(made[index]):
            ring = np.asarray(ring)
            ring = ring - ring[0]
            assert (ring[0] == ring[-1]).all()
            assert np.sum(ring[:-1, 0] * ring[1:, 1] - ring[1:, 0] * ring[:-1, 1]) > 0


@pytest.mark.parametrize("longitude", [0.0, -180.0, 180.0, 179.999999, -77.0])
@pytest.mark.parametrize("latitude", [90.0, 89.0, 85.5, -85.5, -90.0])
@pytest.mark.parametrize("radius", [300_000, 600_000, 5_000_000, 15_000_000])
def test_near_poles_and_over_them(runtime, longitude, latitude, radius):
    """One ring that runs counterclockwise, valid, and what is inside and outside by a thousandth of the distance and more."""
    reference = alidade.SpatialReference(runtime, "EPSG:4326")
    made = point_array(runtime, [[longitude, latitude]], reference).geodesic_buffers(radius)
    report = made.buffer_report
    assert made[0].is_valid
    polygon = loads(made[0].to_wkt())
    west, south, east, north = polygon.bounds
    assert -180 <= west and east <= 180 and -90 <= south and north <= 90
    for ring in (np.asarray(ring) - np.asarray(ring)[0] for ring in rings(made[0])):
        assert np.sum(ring[:-1, 0] * ring[1:, 1] - ring[1:, 0] * ring[:-1, 1]) > 0
    azimuths = np.arange(0.4, 360, 7.3)  # None is on the side of the map.
    n = len(azimuths)
    for reach in (radius - 1.001 * report.achieved_deviation_m, radius + 1.001 * report.achieved_deviation_m):
        x, y, _ = GEOD.fwd(np.full(n, longitude), np.full(n, latitude), azimuths, np.full(n, reach))
        assert all(polygon.contains(Point(*place)) == (reach < radius) for place in zip(x, y))
