"""Geodesic circles, as buffers of points and as vertices in the host's memory, against pyproj's geodesics."""

from __future__ import annotations

import numpy as np
import pyproj
import pytest
from ground import rings

import alidade

GEOD = pyproj.Geod(ellps="WGS84")
LATITUDES = [0.0, 1e-9, -12.3, 47.0, -60.7, 75.0, 85.0, -89.0, 89.9999, 90.0, -90.0]
RADII = [1e-6, 1e-3, 1.0, 1e3, 3e4, 3e5, 1e6, 3e6, 6e6, 9.9e6, 1.3e7, 1.9e7]
ROTATED = "+proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p=40 +lon_0=10 +ellps=WGS84"


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


@pytest.fixture(scope="module")
def wgs84(runtime):
    return alidade.SpatialReference(runtime, "EPSG:4326")


def metres_apart(first, second):
    """Between points next to each other, by the radii of curvature: geodesics round to some nanometres themselves."""
    latitude = np.radians(first[..., 1])
    w = 1 - GEOD.es * np.sin(latitude) ** 2
    n = GEOD.a / np.sqrt(w)
    x = np.radians((second[..., 0] - first[..., 0] + 180) % 360 - 180) * n * np.cos(latitude)
    y = np.radians(second[..., 1] - first[..., 1]) * n * (1 - GEOD.es) / w
    return np.hypot(x, y)


def fwd(centre, azimuths, radius):
    n = len(azimuths)
    x, y, _ = GEOD.fwd(np.full(n, centre[0]), np.full(n, centre[1]), azimuths, np.full(n, radius))
    return np.column_stack([x, y])


def points(runtime, xy, reference):
    return alidade.GeometryArray.from_columns(
        runtime, xy, kind=alidade.geometry.GeometryKind.POINT, spatial_reference=reference
    )


def edges(ring, steps):
    u = np.arange(steps)[None, :, None] / steps
    return (ring[:-1, None] + u * (ring[1:, None] - ring[:-1, None])).reshape(-1, 2)


@pytest.mark.parametrize("latitude", LATITUDES)
def test_vertices_lie_where_pyproj_has_them(runtime, wgs84, latitude):
    for count in (3, 64, 361):
        centres = np.tile([179.5, latitude], (len(RADII), 1))
        made = alidade.geometry.fill_geodesic_circles(wgs84, centres, RADII, vertex_count=count)
        assert count == 3 or (np.abs(np.diff(made[:, :, 0], axis=1)) <= 180).all()
        for radius, ring in zip(RADII, made):
            exact = fwd((179.5, latitude), 360 * np.arange(count) / count, radius)
            assert metres_apart(exact, ring).max() < 1.5e-8


def test_vertices_of_random_circles(runtime, wgs84):
    """Anywhere and of any size. Far away pyproj itself rounds by up to 9e-9 m, and degrees beyond 180 by 3e-9 m."""
    source = np.random.default_rng(20261122)
    centres = np.column_stack([source.uniform(-180, 180, 3000), np.degrees(np.arcsin(source.uniform(-1, 1, 3000)))])
    radii = 10 ** source.uniform(-6, np.log10(1.99e7), 3000)
    made = alidade.geometry.fill_geodesic_circles(wgs84, centres, radii, vertex_count=17)
    azimuths = np.tile(360 * np.arange(17) / 17, 3000)
    x, y, _ = GEOD.fwd(*np.repeat(centres, 17, axis=0).T, azimuths, np.repeat(radii, 17))
    assert metres_apart(np.column_stack([x, y]), made.reshape(-1, 2)).max() < 1.5e-8


def test_vertices_in_a_plane_and_around_a_pole_of_its_own(runtime):
    for code, text in (("EPSG:32632", None), (ROTATED + " +type=crs", ROTATED)):
        reference = alidade.SpatialReference(runtime, code)
        if text is None:
            images = pyproj.Transformer.from_crs(4326, 32632, always_xy=True).transform
        else:
            pipeline = pyproj.Transformer.from_pipeline(
                f"+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step {text} "
                "+step +proj=unitconvert +xy_in=rad +xy_out=deg"
            )
            images = pipeline.transform
        centre = np.array([[9.5, 51.0]])
        made = alidade.geometry.fill_geodesic_circles(reference, np.column_stack(images(*centre.T)), 5000, vertex_count=90)[0]
        exact = np.column_stack(images(*fwd(centre[0], 4.0 * np.arange(90), 5000).T))
        assert np.abs(made - exact).max() < (1e-6 if text is None else 1e-11)


def test_where_there_is_no_place(runtime, wgs84):
    centres = [[0, 91], [np.nan, 0], [10, 20]]
    made = alidade.geometry.fill_geodesic_circles(wgs84, centres, 1000, vertex_count=8)
    assert np.isnan(made[:2]).all() and np.isfinite(made[2]).all()
    with pytest.raises(alidade.errors.InvalidArgumentError, match="radius"):
        alidade.geometry.fill_geodesic_circles(wgs84, centres, [1, 0, 1])
    with pytest.raises(ValueError, match="overlap"):
        room = np.zeros((1, 8, 2))
        alidade.geometry.fill_geodesic_circles(wgs84, room[0, :1], 10, vertex_count=8, out=room)


@pytest.mark.parametrize("latitude", LATITUDES)
@pytest.mark.parametrize("share", [1e-3, 1e-2, 0.2])
def test_outlines_of_points_keep_what_they_report(runtime, wgs84, latitude, share):
    """Each circle by itself, whichever way it was made: along all edges, and from both sides."""
    for radius in RADII:
        deviation = max(radius * share, 1e-7)
        if radius * share > 2e6:
            continue
        for longitude in (10.0, 179.9999):
            array = points(runtime, [[longitude, latitude]], wgs84)
            made = array.geodesic_buffers(radius, maximum_deviation=deviation)
            report = made.buffer_report
            assert made[0].is_valid
            assert report.achieved_deviation_m <= report.maximum_deviation_m
            ring = np.concatenate([edges(ring, 6) for ring in rings(made[0])])
            on_side = (np.abs(np.abs(ring[:, 0]) - 180) < 1e-9) | (np.abs(ring[:, 1]) > 90 - 1e-9)
            ring = ring[~on_side]
            if not len(ring):
                continue
            n = len(ring)
            lengths = GEOD.inv(np.full(n, longitude), np.full(n, latitude), ring[:, 0], ring[:, 1])[2]
            # Of a micrometre geodesics between two points keep few digits: 15 nanometres is what Karney promises.
            assert np.abs(lengths - radius).max() <= report.achieved_deviation_m + (1.5e-8 if radius < 1 else 0)


def test_many_radii_keep_what_they_report(runtime, wgs84):
    """Thousands at once, clear of the poles: what one circle leaves behind does not reach the next."""
    source = np.random.default_rng(7)
    xy = np.column_stack([source.uniform(-120, 120, 2000), source.uniform(-70, 70, 2000)])
    radii = 10 ** source.uniform(0, 6, 2000)
    made = points(runtime, xy, wgs84).geodesic_buffers(radii)
    report = made.buffer_report
    columns = made.columns
    worst = 0.0
    for index in range(2000):
        start, end = columns.vertex_offsets[index], columns.vertex_offsets[index + 1]
        ring = np.asarray(columns.xy[start:end])
        assert (ring[0] == ring[-1]).all()
        middle = edges(ring, 2)
        n = len(middle)
        lengths = GEOD.inv(np.full(n, xy[index, 0]), np.full(n, xy[index, 1]), middle[:, 0], middle[:, 1])[2]
        error = np.abs(lengths - radii[index]).max()
        assert error <= max(radii[index] * 1e-3, 1e-7)
        worst = max(worst, error)
    assert 0.5 * report.achieved_deviation_m < worst <= report.achieved_deviation_m


def test_what_crosses_no_side_is_not_moved(runtime, wgs84):
    """Unwrapped buffers that need not go beyond 180 do not."""
    for x in (-170.0, -10.0, 10.0, 170.0):
        for wkt in (f"POINT({x} 5)", f"LINESTRING({x} 5, {x + 1} 6)"):
            geometry = alidade.Geometry.from_wkt(runtime, wkt, wgs84)
            split = geometry.geodesic_buffer(20_000)
            whole = geometry.geodesic_buffer(20_000, unwrapped=True)
            assert whole.envelope == split.envelope
            assert abs(whole.envelope.x_min - x) < 1


@pytest.mark.parametrize("place", [(0.0, 0.0), (179.9, 20.0), (30.0, 89.5), (10.0, -60.0)])
def test_a_rotated_pole_is_no_latitude(runtime, place):
    """Buffers in a spatial reference with a pole of its own lie at the distance on the earth, around that pole, too."""
    reference = alidade.SpatialReference(runtime, ROTATED + " +type=crs")
    back = pyproj.Transformer.from_pipeline(
        f"+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +inv {ROTATED} "
        "+step +proj=unitconvert +xy_in=rad +xy_out=deg"
    )
    array = points(runtime, [place], reference)
    made = array.geodesic_buffers(200_000)
    report = made.buffer_report
    assert made[0].is_valid
    ring = np.concatenate([edges(ring, 6) for ring in rings(made[0])])
    ring = ring[(np.abs(ring[:, 0]) < 180 - 1e-9) & (np.abs(ring[:, 1]) < 90 - 1e-9)]
    x, y = back.transform(*ring.T)
    centre = back.transform(*place)
    lengths = GEOD.inv(np.full(len(x), centre[0]), np.full(len(x), centre[1]), x, y)[2]
    assert np.abs(lengths - 200_000).max() <= report.achieved_deviation_m
