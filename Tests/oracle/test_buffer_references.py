"""Geodesic buffers in projected spatial references of every kind: against the geodesics of GeographicLib, as PROJ has it."""

from __future__ import annotations

import math

import pyproj
import pytest
import shapely.geometry
import shapely.ops
import shapely.wkb

import alidade
from alidade.geometry import BufferCap, BufferJoin

GEOD = pyproj.Geod(ellps="WGS84")


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


def shaped(geometry):
    return shapely.wkb.loads(bytes(geometry.to_wkb()))


def world_maps():
    yield from ((f"EPSG:{code}", code) for code in (3832, 3994, 5641, 3395, 3857, 6933))
    for projection in ("merc", "cea", "eqc", "mill"):
        for meridian in (-165, -150, -75, -65, 0, 70, 145, 150, 160, 180):
            text = f"+proj={projection} +lon_0={meridian} +ellps=WGS84 +type=crs"
            yield text, text


@pytest.mark.parametrize("name, definition", list(world_maps()), ids=lambda value: str(value)[:40])
def test_world_maps_with_any_central_meridian(runtime, name, definition):
    """A buffer lies around its point, and not one world farther, however the longitudes of -180 and 180 are rounded."""
    crs = pyproj.CRS.from_user_input(definition)
    reference = alidade.SpatialReference(runtime, crs.to_wkt())
    to_plane = pyproj.Transformer.from_crs("EPSG:4326", crs, always_xy=True)
    for longitude in range(-172, 180, 25):
        x, y = to_plane.transform(longitude, 10)
        point = alidade.Geometry.from_wkt(runtime, f"POINT ({x!r} {y!r})", reference)
        line = alidade.Geometry.from_wkt(runtime, f"LINESTRING ({x!r} {y!r}, {x + 10!r} {y!r})", reference)
        for made in (point.geodesic_buffer(1000), point.geodesic_buffer(1000, unwrapped=True), line.geodesic_buffer(1000),
                     alidade.Geometry.geodesic_ellipse(reference, (x, y), 1000, 1000)):
            assert shaped(made).buffer(1).contains(shapely.geometry.Point(x, y))
            box = made.envelope
            assert 1000 < box.x_max - box.x_min < 3000


@pytest.mark.parametrize("join", list(BufferJoin))
@pytest.mark.parametrize("code", [4326, 32632, 3857])
def test_members_that_overlap_shrink_each_for_itself(runtime, code, join):
    """The buffer of a collection is the union of the buffers of its members."""
    to_plane = pyproj.Transformer.from_crs(4326, code, always_xy=True)
    members = [shapely.ops.transform(to_plane.transform, shapely.geometry.box(*sides))
               for sides in ((9, 48, 9.1, 48.1), (9.05, 48.02, 9.2, 48.08), (9.3, 48, 9.4, 48.1))]
    reference = alidade.SpatialReference.from_code(runtime, code)

    def buffer(shape):
        return shaped(alidade.Geometry.from_wkb(runtime, shape.wkb, reference).geodesic_buffer(-500, join=join))

    expected = shapely.ops.unary_union([buffer(member) for member in members])
    made = buffer(shapely.geometry.GeometryCollection(members))
    assert made.symmetric_difference(expected).area < 1e-6 * expected.area


@pytest.mark.parametrize("code, other", [(5513, 5514), (2065, 5221), (8352, 8353)])
def test_axes_to_the_south_and_west(runtime, code, other):
    """In a mirrored plane, a ring that is counterclockwise on the earth is clockwise."""
    to_plane = pyproj.Transformer.from_crs(4326, code, always_xy=True)
    first, second = (alidade.SpatialReference.from_code(runtime, number) for number in (code, other))
    for longitude, latitude in ((14.4, 50.1), (17.1, 48.2), (21.2, 48.7)):
        (x, y), (x2, y2) = to_plane.transform(longitude, latitude), to_plane.transform(longitude + 0.01, latitude + 0.01)
        for wkt in (f"POINT ({x!r} {y!r})", f"LINESTRING ({x!r} {y!r}, {x2!r} {y2!r})",
                    f"POLYGON (({x!r} {y!r}, {x2!r} {y!r}, {x2!r} {y2!r}, {x!r} {y!r}))"):
            geometry = alidade.Geometry.from_wkt(runtime, wkt, first)
            for style in ({}, {"cap": BufferCap.FLAT, "join": BufferJoin.MITRE}):
                made = geometry.geodesic_buffer(500, **style)
                assert style or made.contains(geometry)
                expected = geometry.project(second).geometry.geodesic_buffer(500, **style)
                assert math.isclose(made.area(), expected.area(), rel_tol=3e-3)


@pytest.mark.parametrize("code", [32632, 25832, 3857])
def test_what_is_narrow_is_no_outside(runtime, code):
    """Rings that are narrower than their chords deviate run either way: lines out and back, and slivers."""
    to_plane = pyproj.Transformer.from_crs(4326, code, always_xy=True)
    x, y = to_plane.transform(9, 47.8)
    reference = alidade.SpatialReference.from_code(runtime, code)
    for number in range(60):
        angle = number * 0.7
        end = x + 100 * math.cos(angle), y + 100 * math.sin(angle)
        back = alidade.Geometry.from_wkt(runtime, f"LINESTRING ({x!r} {y!r}, {end[0]!r} {end[1]!r}, {x!r} {y!r})", reference)
        line = alidade.Geometry.from_wkt(runtime, f"LINESTRING ({x!r} {y!r}, {end[0]!r} {end[1]!r})", reference)
        made, flat = (one.geodesic_buffer(20, cap=BufferCap.FLAT, join=BufferJoin.BEVEL) for one in (back, line))
        assert math.isclose(made.area(), flat.area(), rel_tol=1e-2)
        width = 10.0 ** -(number % 7)
        far = x + 10000 * math.cos(angle), y + 10000 * math.sin(angle)
        side = x + 5000 * math.cos(angle) - width * math.sin(angle), y + 5000 * math.sin(angle) + width * math.cos(angle)
        sliver = f"POLYGON (({x!r} {y!r}, {far[0]!r} {far[1]!r}, {side[0]!r} {side[1]!r}, {x!r} {y!r}))"
        axis = f"LINESTRING ({x!r} {y!r}, {far[0]!r} {far[1]!r})"
        made, expected = (alidade.Geometry.from_wkt(runtime, wkt, reference).geodesic_buffer(100) for wkt in (sliver, axis))
        assert math.isclose(made.area(), expected.area(), rel_tol=1e-2)


EQUAL_AREA = [(3035, 18.7, 36.9), (3035, 25, 65), (6933, 10, 52), (3571, 170, 70), (6931, 10, 60), (8857, 10, 52)]


@pytest.mark.parametrize("code, longitude, latitude", EQUAL_AREA)
def test_equal_areas_on_an_ellipsoid(runtime, code, longitude, latitude):
    """PROJ's way back from these is off by up to 0.9 mm, which is no line along which the map is cut open."""
    globe = pyproj.CRS(code).geodetic_crs
    geod = globe.get_geod()
    to_plane = pyproj.Transformer.from_crs(globe, code, always_xy=True)
    reference = alidade.SpatialReference.from_code(runtime, code)
    x, y = to_plane.transform(longitude, latitude)
    for distance in (0.1, 1, 30):
        line = alidade.Geometry.from_wkt(runtime, f"LINESTRING ({x!r} {y!r}, {x + 3 * distance!r} {y + distance!r})", reference)
        for style in ({}, {"cap": BufferCap.FLAT, "join": BufferJoin.MITRE}):
            made = line.geodesic_buffer(distance, **style)
            length = line.length(geodesic=True)
            expected = 2 * distance * length + (0 if style else math.pi * distance**2)
            assert math.isclose(made.area(geodesic=True), expected, rel_tol=1e-2)
    report = alidade.Geometry.from_wkt(runtime, f"POINT ({x!r} {y!r})", reference)
    ring = shaped(report.geodesic_buffer(100, maximum_deviation=1e-3)).exterior.coords
    to_globe = pyproj.Transformer.from_crs(code, globe, always_xy=True)
    for point in list(ring)[::7]:
        # The way there decides: as far as it misses the point by, the way back is wrong.
        place = to_globe.transform(*point)
        again = to_plane.transform(*place)
        place = to_globe.transform(2 * point[0] - again[0], 2 * point[1] - again[1])
        assert abs(geod.inv(longitude, latitude, *place)[2] - 100) < 1.1e-3
    far = to_plane.transform(longitude + 0.5, latitude + 0.3)
    way = alidade.geometry.geodesic_inverse(reference, [(x, y)], [far])
    assert abs(way.distances_m[0] - geod.inv(longitude, latitude, longitude + 0.5, latitude + 0.3)[2]) < 1e-7


@pytest.mark.parametrize("turns", [-2, -1, 1, 3])
def test_equal_areas_in_other_images_of_the_world(runtime, turns):
    """A position has many images on a map that repeats itself, all with the same geodesics."""
    globe = pyproj.CRS(6933).geodetic_crs
    to_plane = pyproj.Transformer.from_crs(globe, 6933, always_xy=True)
    reference = alidade.SpatialReference.from_code(runtime, 6933)
    width = 2 * to_plane.transform(180, 0)[0]
    places = [(longitude, latitude) for longitude in (-170, -20, 10, 179) for latitude in (-52, 36.9, 60)]
    starts = [to_plane.transform(*place) for place in places]
    ends = [to_plane.transform(longitude + 0.5, latitude + 0.3) for longitude, latitude in places]
    way = alidade.geometry.geodesic_inverse(reference, [(x + turns * width, y) for x, y in starts], ends)
    for place, found in zip(places, way.distances_m):
        assert abs(found - globe.get_geod().inv(*place, place[0] + 0.5, place[1] + 0.3)[2]) < 1e-7


def test_the_pole_in_grads(runtime):
    """EPSG's factor of grads has 14 digits: 100 of them are 89.9999999999997 degrees, and the pole."""
    reference = alidade.SpatialReference.from_code(runtime, 4807)
    line = alidade.Geometry.from_wkt(runtime, "LINESTRING (10 0, 150 100)", reference)
    meridian = pyproj.CRS(4807).get_geod().inv(0, 0, 0, 90)[2]
    assert math.isclose(line.length(curve_type=alidade.geometry.CurveType.LOXODROME), meridian, rel_tol=1e-12)
    box = alidade.Geometry.from_wkt(runtime, "POINT (10 100)", reference).geodesic_buffer(1000).envelope
    assert (box.x_min, box.x_max, box.y_max) == (-200, 200, 100)


@pytest.mark.parametrize("code", [4326, 32632, 3857, 5513])
def test_shells_run_counterclockwise(runtime, code):
    to_plane = pyproj.Transformer.from_crs(4326, code, always_xy=True)
    reference = alidade.SpatialReference.from_code(runtime, code)
    ring = shapely.geometry.box(9, 48, 9.1, 48.1).difference(shapely.geometry.box(9.02, 48.02, 9.08, 48.08))
    for shape in (shapely.geometry.Point(9, 48), shapely.geometry.LineString([(9, 48), (9.1, 48.2)]), ring):
        geometry = alidade.Geometry.from_wkb(runtime, shapely.ops.transform(to_plane.transform, shape).wkb, reference)
        array = alidade.GeometryArray.from_wkb(runtime, [geometry.to_wkb()], reference)
        for style in ({}, {"cap": BufferCap.FLAT, "join": BufferJoin.MITRE}):
            for made in (geometry.geodesic_buffer(300, **style), array.geodesic_buffers(300, **style)[0],
                         array.geodesic_buffer_union(300, **style)):
                polygon = shaped(made)
                # A point has no flat buffer.
                assert polygon.is_empty == (bool(style) and shape.geom_type == "Point")
                for part in [] if polygon.is_empty else getattr(polygon, "geoms", [polygon]):
                    assert part.exterior.is_ccw and not any(hole.is_ccw for hole in part.interiors)


# Of Mars: geographic, cylindrical, azimuthal and transverse Mercator, with longitudes to the west; and others like it.
WESTWARD = ["IAU_2015:49901", "IAU_2015:49911", "IAU_2015:49931", "IAU_2015:49961", "+proj=longlat +ellps=WGS84 +axis=wnu",
            "+proj=longlat +ellps=WGS84 +axis=nwu", "+proj=longlat +ellps=WGS84 +axis=seu", "+proj=longlat +ellps=WGS84 +axis=wsu"]


@pytest.mark.parametrize("definition", WESTWARD)
def test_longitudes_to_the_west(runtime, definition):
    """x is the longitude, eastwards, and y the latitude; what is measured in a plane of such longitudes is right."""
    crs = pyproj.CRS.from_user_input(definition + (" +type=crs" if "proj" in definition else ""))
    body = crs.ellipsoid
    geod = pyproj.Geod(a=body.semi_major_metre, rf=body.inverse_flattening)
    reference = alidade.SpatialReference(runtime, crs.to_wkt())
    globe = pyproj.CRS.from_json_dict(crs.geodetic_crs.to_json_dict() | {"coordinate_system": {
        "subtype": "ellipsoidal", "axis": [
            {"name": "Longitude", "abbreviation": "lon", "direction": "east", "unit": "degree"},
            {"name": "Latitude", "abbreviation": "lat", "direction": "north", "unit": "degree"}]}})
    to_plane = pyproj.Transformer.from_crs(globe, crs) if crs.is_projected else None
    for longitude, latitude in ((10, 80), (-30, 62)):
        x, y = to_plane.transform(longitude, latitude) if to_plane else (longitude, latitude)
        plain = alidade.SpatialReference(runtime, globe.to_wkt())
        images = plain.project([(longitude, latitude)], reference).points[0]
        assert images == pytest.approx((x, y), abs=1e-6)
        assert reference.project([(x, y)], plain).points[0] == pytest.approx((longitude, latitude), abs=1e-9)
        point = alidade.Geometry.from_wkt(runtime, f"POINT ({x!r} {y!r})", reference)
        ring = plain.project(point.geodesic_buffer(50_000).xy, plain).points if to_plane is None else (
            reference.project(point.geodesic_buffer(50_000).xy, plain).points)
        for place in ring[::9]:
            assert geod.inv(longitude, latitude, *place)[2] == pytest.approx(50_000, abs=1)
        end = geod.fwd(longitude, latitude, 30, 80_000)[:2]
        there = alidade.geometry.geodesic_direct(reference, [(x, y)], [30.0], [80_000.0]).points
        assert reference.project(there, plain).points[0] == pytest.approx(end, abs=1e-7)


def test_the_middle_of_van_der_grintens_map(runtime):
    """PROJ's way back is off by some metres next to the equator, which is not beyond the outline of the world."""
    plane = alidade.SpatialReference(runtime, "+proj=vandg +R=6371000 +type=crs")
    globe = alidade.SpatialReference(runtime, "+proj=longlat +R=6371000 +type=crs")
    places = [(x / 10, y / 50) for x in range(-10, 11) for y in range(-10, 11)]
    back = plane.project(globe.project(places, plane).points, globe).points
    found = [point for point, place in zip(back, places) if not math.isnan(point[0])]
    assert len(found) > 0.95 * len(places)
    beyond = plane.project([(19e6, 10e6), (-19e6, -12e6), (0.0, 20.1e6)], globe).points
    assert all(math.isnan(x) for x, _ in beyond)


def test_planetocentric_latitudes(runtime):
    """They lie on no ellipsoid: what needs one says so."""
    plane = alidade.SpatialReference(runtime, "IAU_2015:49912")
    line = alidade.Geometry.from_wkt(runtime, "LINESTRING (1000 2000, 3000 2000)", plane)
    for call in (lambda: line.geodesic_buffer(100), lambda: line.length(geodesic=True),
                 lambda: alidade.geometry.geodesic_inverse(plane, [(0, 0)], [(1000, 0)])):
        with pytest.raises(alidade.errors.UnsupportedError, match="planetocentric"):
            call()
