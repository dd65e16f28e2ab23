"""Local frames against PROJ's topocentric conversion, EPSG:4978 and numpy's floats; scale and convergence against PROJ's
factors."""

import numpy as np
import pytest
from pyproj import CRS, Proj, Transformer

import alidade
from alidade.coordinates import PointStatus
from alidade.engine import EngineAxes, EngineFrameFlags, EngineFrameKind

# The engine's axes by east, north and up, from the definitions of the engines.
AXES = {
    EngineAxes.ENU: (np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), 1.0),
    EngineAxes.UNREAL: (np.array([[1, 0, 0], [0, -1, 0], [0, 0, 1]]), 0.01),
    EngineAxes.UNITY: (np.array([[1, 0, 0], [0, 0, 1], [0, 1, 0]]), 1.0),
    EngineAxes.GODOT: (np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]), 1.0),
}
ORIGINS = [(5, 55, 200), (-122.3, 47.6, 30), (179.999, -16.5, 0), (30, 89.99, 10), (0, -90, 2800), (100, 0, -50)]


@pytest.fixture(scope="module")
def reference(runtime):
    def make(definition):
        return alidade.SpatialReference(runtime, str(definition))

    return make


def topocentric(origin, ellps="WGS84"):
    """PROJ's EPSG method 9837."""
    x, y, z = origin
    return Transformer.from_pipeline(
        "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad "
        f"+step +proj=cart +ellps={ellps} +step +proj=topocentric +ellps={ellps} +lon_0={x!r} +lat_0={y!r} +h_0={z!r}"
    )


def around(origin, count=500, spread=0.3, seed=3):
    source = np.random.default_rng(seed)
    points = np.column_stack(
        [source.normal(0, spread, count), source.normal(0, spread, count), source.uniform(-100, 9000, count)]
    )
    points += [origin[0], origin[1], 0]
    points[:, 1] = np.clip(points[:, 1], -90, 90)
    return points


@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("origin", ORIGINS)
def test_tangent_frames_are_projs_topocentric_ones(reference, axes, origin):
    frame = alidade.engine.EngineFrame(reference("EPSG:4979"), origin[:2], origin[2], axes=axes)
    points = around(origin)
    enu = np.column_stack(topocentric(origin).transform(*points.T))
    directions, unit = AXES[axes]
    expected = enu @ directions.T / unit
    answer = frame.to_vertices(points)
    # Off by the rounding to floats and by nanometres of either side.
    room = np.spacing(np.abs(expected).astype(np.float32)) / 2 + 2e-8 / unit
    assert np.all(np.abs(answer.vertices - expected) <= room)
    assert np.all(answer.statuses == PointStatus.OK) and answer.failed_count == 0
    rounding = np.linalg.norm(answer.vertices.astype(float) - expected, axis=1) * unit
    assert answer.worst_rounding_m == pytest.approx(rounding.max(), abs=5e-8)
    assert answer.farthest_m == pytest.approx(np.linalg.norm(enu, axis=1).max(), abs=1e-7)
    assert rounding[answer.worst_index] == pytest.approx(rounding.max(), abs=5e-8)
    # The matrix, to and from EPSG:4978.
    info = frame.info
    world = np.column_stack(Transformer.from_crs(4979, 4978, always_xy=True).transform(*points.T))
    local = np.column_stack([world, np.ones(len(world))]) @ info.world_to_local.T
    assert np.allclose(local[:, :3], expected, atol=3e-8 / unit, rtol=0)
    back = np.column_stack([expected, np.ones(len(world))]) @ info.local_to_world.T
    assert np.allclose(back[:, :3], world, atol=3e-8, rtol=0) and np.all(back[:, 3] == 1)
    handed = np.linalg.det(info.local_to_world[:3, :3]) / unit**3
    left = bool(info.flags & EngineFrameFlags.LEFT_HANDED)
    assert handed == pytest.approx(-1 if left else 1, abs=1e-12)
    assert left == (axes in (EngineAxes.UNREAL, EngineAxes.UNITY))


@pytest.mark.parametrize("axes", AXES)
def test_a_vertex_leads_back_to_the_map(reference, axes):
    """A picked point, into another datum and projection; against PROJ's way from EPSG:4978."""
    origin = (-3.2, 55.95, 80)
    frame = alidade.engine.EngineFrame(reference("EPSG:4979"), origin[:2], origin[2], axes=axes)
    vertices = frame.to_vertices(around(origin, spread=0.1)).vertices
    directions, unit = AXES[axes]
    enu = vertices.astype(float) * unit @ directions
    answer = frame.to_coordinates(vertices)
    # PROJ's way back is one step of an iteration, 1e-6 m off up here; its way there is a closed formula.
    degrees = answer.coordinates
    assert np.allclose(np.column_stack(topocentric(origin).transform(*degrees.T)), enu, atol=2e-8, rtol=0)
    roughly = np.column_stack(topocentric(origin).transform(*enu.T, direction="INVERSE"))
    assert np.allclose(degrees, roughly, atol=[1e-10, 1e-10, 1e-5], rtol=0)
    to_utm = Transformer.from_crs(4326, 32630, always_xy=True)
    there = frame.to_coordinates(vertices, reference("EPSG:32630"))
    assert np.allclose(there.coordinates[:, :2], np.column_stack(to_utm.transform(*degrees[:, :2].T)), atol=5e-7)
    assert np.allclose(there.coordinates[:, 2], degrees[:, 2], atol=2e-8, rtol=0)


@pytest.mark.parametrize("height", [-5e6, -1e5, -400, 0, 9000, 4e5, 3.6e7, 1e9])
def test_latitudes_from_the_depths_to_space(reference, height):
    """Points at extreme heights; the way there is checked by the way back, which is a closed formula."""
    latitudes = np.array([0, 1e-9, 0.1, 30, 45, 60, 89.9, 89.9999999, 90, -33, -90])
    for latitude in latitudes:
        frame = alidade.engine.EngineFrame(reference("EPSG:4979"), (12, latitude), height)
        answer = frame.to_coordinates(np.zeros((1, 3)))
        x, y, z = answer.coordinates[0]
        assert y == pytest.approx(latitude, abs=1e-12)
        assert z == pytest.approx(height, abs=2e-9 + 4e-16 * abs(height))
        if abs(latitude) < 90:
            assert x == pytest.approx(12, abs=1e-12 / np.cos(np.radians(latitude)))


def test_other_datums_go_through_their_operations(reference):
    frame = alidade.engine.EngineFrame(reference("EPSG:4258"), (-3.2, 55.95), 0)
    grid = np.array([[325000.0, 674000.0, 50.0], [326000.0, 673000.0, 0.0]])
    projected = alidade.project_coordinates(reference("EPSG:27700"), reference("EPSG:4258"), *grid.T)
    answer = frame.to_vertices(grid, reference("EPSG:27700"))
    direct = frame.to_vertices(np.column_stack([projected.x, projected.y, projected.z]))
    assert np.array_equal(answer.vertices, direct.vertices)
    assert answer.receipt.operations[0].name == projected.receipt.operations[0].name
    assert answer.receipt.accuracy_m == projected.receipt.accuracy_m
    strict = frame.to_vertices([[5e6, 3e6]], reference("EPSG:27700"), strict=True)
    assert list(strict.statuses) == [PointStatus.ONLY_BALLPARK] and np.isnan(strict.vertices).all()


def test_prime_meridians_and_units_of_the_datum(reference):
    """NTF (Paris) counts in grads from Paris; its earth-centred axes go through Greenwich all the same."""
    frame = alidade.engine.EngineFrame(reference("EPSG:4807"), (5, 54))
    info = frame.info
    assert info.longitude_deg == pytest.approx(5 * 0.9 + 2.33722917, abs=1e-12)
    assert info.latitude_deg == pytest.approx(54 * 0.9, abs=1e-12)
    cartesian = Transformer.from_pipeline("+proj=cart +ellps=clrk80ign")
    centre = cartesian.transform(info.longitude_deg, info.latitude_deg, 0)
    assert np.allclose(info.local_to_world[:3, 3], centre, atol=1e-8, rtol=0)
    assert np.allclose(frame.to_coordinates([[0, 0, 0]]).coordinates, [[5, 54, 0]], atol=1e-9)


def test_heights_over_a_vertical_datum_become_ellipsoidal(reference):
    """With a geoid of numbers; against PROJ."""
    compound, solid = "EPSG:4326+5773", "EPSG:4979"
    frame = alidade.engine.EngineFrame(reference(solid), (10, 50), 0)
    points = np.array([[10, 50, 100.0], [10.1, 50.1, 0.0]])
    answer = frame.to_vertices(points, reference(compound))
    operation = answer.receipt.operations[0]
    heights = alidade.project_coordinates(reference(compound), reference(solid), *points.T).z
    direct = frame.to_vertices(np.column_stack([points[:, :2], heights]))
    assert np.array_equal(answer.vertices, direct.vertices)
    # Without the geoid's grid heights are taken as equal, and the result says so.
    if operation.is_ballpark:
        assert answer.vertices[0, 2] == pytest.approx(100, abs=1e-5)
        made = alidade.engine.EngineFrame(reference(compound), (10, 50), 100)
        assert made.info.flags & EngineFrameFlags.BALLPARK
        strict = frame.to_vertices(points, reference(compound), strict=True)
        assert list(strict.statuses) == [PointStatus.ONLY_BALLPARK] * 2
    kept = frame.to_vertices(points, reference(compound), ignore_vertical=True)
    assert kept.vertices[0, 2] == pytest.approx(100, abs=1e-5)


MAPS = [
    (32610, (500000, 4.5e6)), (32610, (250000.5, 5.2e6)), (27700, (100000, 900000)), (3857, (-1.36e7, 5.9e6)),
    (2154, (400000, 6.3e6)), (3031, (1e6, -8e5)), (2263, (990000, 200000)), (6933, (1e6, 4e6)), (3035, (4.9e6, 3.1e6)),
]  # fmt: skip


@pytest.mark.parametrize("code, origin", MAPS)
def test_scale_and_convergence_are_projs(reference, code, origin):
    frame = alidade.engine.EngineFrame(reference(f"EPSG:{code}"), origin, kind=EngineFrameKind.PLANAR)
    crs = CRS.from_epsg(code)
    place = Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True).transform(*origin)
    info = frame.info
    assert (info.longitude_deg, info.latitude_deg) == pytest.approx(place, abs=1e-9)
    if code == 3857:
        # PROJ takes the sphere for the ellipsoid here. The scales are the scales of a sphere's Mercator over the radii.
        latitude = np.radians(place[1])
        root = np.sqrt(1 - 0.00669437999014 * np.sin(latitude) ** 2)
        expected = (root**3 / (1 - 0.00669437999014) / np.cos(latitude), root / np.cos(latitude), 0.0)
    else:
        factors = Proj(crs).get_factors(*place)
        expected = (factors.meridional_scale, factors.parallel_scale, factors.meridian_convergence)
    assert (info.meridian_scale, info.parallel_scale) == pytest.approx(expected[:2], rel=1e-9)
    assert info.convergence_deg == pytest.approx(expected[2], abs=1e-7)


@pytest.mark.parametrize("axes", AXES)
def test_planar_frames_are_differences_on_the_map(reference, axes):
    """In US survey feet, with metres for heights."""
    directions, unit = AXES[axes]
    origin = np.array([990000.0, 200000.0, 12.0])
    frame = alidade.engine.EngineFrame(
        reference("EPSG:2263"), origin[:2], origin[2], kind=EngineFrameKind.PLANAR, axes=axes
    )
    points = origin + np.random.default_rng(4).uniform(-5e4, 5e4, (300, 3)) * [1, 1, 0.01]
    foot = 1200 / 3937
    enu = (points - origin) * [foot, foot, 1]
    expected = (enu @ directions.T / unit).astype(np.float32)
    answer = frame.to_vertices(points)
    assert np.allclose(answer.vertices, expected, rtol=1.3e-7, atol=0)
    exact = enu @ directions.T / unit
    rounding = np.linalg.norm(answer.vertices.astype(float) - exact, axis=1).max() * unit
    assert answer.worst_rounding_m == pytest.approx(rounding, rel=1e-6)
    info = frame.info
    world = np.column_stack([exact, np.ones(len(exact))]) @ info.local_to_world.T
    assert np.allclose(world[:, :3], points, atol=1e-8, rtol=0)
    assert np.allclose(info.local_to_world @ info.world_to_local, np.eye(4), atol=1e-8)
    back = frame.to_coordinates(answer.vertices).coordinates
    assert np.allclose(back, points, atol=1.01 * answer.worst_rounding_m / foot, rtol=0)


def test_the_units_and_directions_of_heights(reference):
    """Feet (NAVD88 height in US survey feet), depths, and metres without a vertical part."""
    feet, plain = reference("EPSG:32610+6360"), reference("EPSG:32610")
    depths = reference("EPSG:32610+5715")
    foot = 1200 / 3937
    frame = alidade.engine.EngineFrame(feet, (500000, 4.5e6), 100, kind=EngineFrameKind.PLANAR)
    assert frame.to_vertices([[500000, 4.5e6, 200]]).vertices[0, 2] == pytest.approx(100 * foot, rel=1e-7)
    # Metres into feet, and back.
    assert frame.to_vertices([[500000, 4.5e6, 200]], plain).vertices[0, 2] == pytest.approx(200 - 100 * foot, rel=1e-7)
    assert frame.to_coordinates([[0, 0, 10]], plain).coordinates[0, 2] == pytest.approx(10 + 100 * foot, rel=1e-7)
    down = alidade.engine.EngineFrame(depths, (500000, 4.5e6), 100, kind=EngineFrameKind.PLANAR)
    assert down.to_vertices([[500000, 4.5e6, 130]]).vertices[0, 2] == -30
    assert down.to_coordinates([[0, 0, 10]]).coordinates[0, 2] == 90
    assert down.to_coordinates([[0, 0, 10]], plain).coordinates[0, 2] == -90


def test_the_image_nearest_to_the_origin_is_taken(reference):
    frame = alidade.engine.EngineFrame(reference("EPSG:3857"), (20037508, 0), kind=EngineFrameKind.PLANAR)
    answer = frame.to_vertices([[-179.999, 0], [179.999, 0]], reference("EPSG:4326"))
    half = 0.001 * np.pi / 180 * 6378137
    assert answer.vertices[:, 0] == pytest.approx([half, -half], abs=1)


def test_vertices_go_into_a_buffer_of_more(reference):
    frame = alidade.engine.EngineFrame(reference("EPSG:32610"), (500000, 4.5e6), kind=EngineFrameKind.PLANAR)
    buffer = np.full((10, 8), 9, dtype=np.float32)
    points = np.column_stack([500000 + np.arange(10.0), np.full(10, 4.5e6)])
    answer = frame.to_vertices(points, out=buffer[:, 2:5])
    assert np.shares_memory(answer.vertices, buffer)
    assert np.array_equal(buffer[:, 2], np.arange(10)) and not buffer[:, 3:5].any()
    assert (buffer[:, :2] == 9).all() and (buffer[:, 5:] == 9).all()
    assert np.array_equal(frame.to_vertices(np.asfortranarray(points)).vertices, answer.vertices)
    assert np.array_equal(frame.to_vertices(points[::-1]).vertices, answer.vertices[::-1])
    assert np.array_equal(frame.to_vertices(points.tolist()).vertices, answer.vertices)
    assert frame.to_coordinates(buffer[:, 2:5]).coordinates[:, 0] == pytest.approx(points[:, 0])
    with pytest.raises(ValueError):
        frame.to_vertices(points, out=buffer[:, :6:2])
    with pytest.raises(ValueError):
        frame.to_vertices(points[:, :1])


def test_local_planes_have_planar_frames_alone(reference):
    plane = reference('LOCAL_CS["plane",UNIT["metre",1]]')
    frame = alidade.engine.EngineFrame(plane, (1e6, 2e6), 5, kind=EngineFrameKind.PLANAR)
    info = frame.info
    assert np.isnan([info.longitude_deg, info.latitude_deg, info.convergence_deg, info.meridian_scale]).all()
    assert frame.to_vertices([[1e6 + 1, 2e6 + 2, 8]]).vertices.tolist() == [[1, 2, 3]]
    with pytest.raises(alidade.errors.UnsupportedError):
        alidade.engine.EngineFrame(plane, (0, 0))
    with pytest.raises(alidade.errors.UnsupportedError):
        alidade.engine.EngineFrame(reference("EPSG:4326"), (0, 0), kind=EngineFrameKind.PLANAR)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        alidade.engine.EngineFrame(plane, (0, float("inf")), kind=EngineFrameKind.PLANAR)


def test_geometries_become_vertices(runtime, reference):
    """In the order of their columns, members of collections one by one; without a height at 0."""
    utm = reference("EPSG:32610")
    frame = alidade.engine.EngineFrame(reference("EPSG:4979"), (-123, 40), 0, axes=EngineAxes.UNREAL)
    ring = "500000 4427000 5, 500100 4427000 6, 500100 4427100 7, 500000 4427000 5"
    polygon = alidade.Geometry.from_wkt(runtime, f"POLYGON Z (({ring}))", utm)
    answer = frame.geometry_to_vertices(polygon)
    direct = frame.to_vertices(np.column_stack([polygon.columns.xy, polygon.columns.z]), utm)
    assert len(answer.vertices) == 4 and np.array_equal(answer.vertices, direct.vertices)
    assert answer.worst_rounding_m == direct.worst_rounding_m and answer.farthest_m == direct.farthest_m
    collection = alidade.Geometry.from_wkt(
        runtime,
        "GEOMETRYCOLLECTION (POINT (500001 4427002), POINT Z (500003 4427004 9), LINESTRING (500005 4427006, 1e30 0))",
        utm,
    )
    expected = frame.to_vertices([[500001, 4427002, 0], [500003, 4427004, 9], [500005, 4427006, 0]], utm).vertices
    answer = frame.geometry_to_vertices(collection)
    assert np.array_equal(answer.vertices[:3], expected) and np.isnan(answer.vertices[3]).all()
    assert answer.statuses.tolist()[:3] == [PointStatus.OK] * 3 and answer.statuses[3] != PointStatus.OK
    assert answer.failed_count == 1 and answer.receipt.point_count == 4
    array = alidade.GeometryArray.from_geometries(runtime, [polygon, collection, polygon])
    buffer = np.zeros((12, 8), dtype=np.float32)
    answer = frame.geometry_to_vertices(array, out=buffer[:, :3])
    assert np.array_equal(buffer[:4, :3], direct.vertices) and np.array_equal(buffer[8:, :3], direct.vertices)
    assert np.array_equal(buffer[4:7, :3], expected) and not buffer[:, 3:].any()
    with pytest.raises(alidade.errors.InvalidArgumentError, match="no spatial reference"):
        frame.geometry_to_vertices(alidade.Geometry.from_wkt(runtime, "POINT (1 2)"))
