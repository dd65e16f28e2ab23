"""Meshes of polygons and lines against Shapely: areas, unions, volumes, buffers."""

import numpy as np
import pytest
import shapely
from meshes import random_polygons, star
from shapely import affinity

import alidade
from alidade.engine import EngineAxes, EngineFrame, EngineFrameKind, MeshFlags, MeshOptions
from alidade.geometry import BufferCap, BufferJoin

ORIGIN = (500000.0, 4500000.0)
# The axes by east, north and up.
AXES = {
    EngineAxes.ENU: (np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), 1.0),
    EngineAxes.UNREAL: (np.array([[1, 0, 0], [0, -1, 0], [0, 0, 1]]), 0.01),
    EngineAxes.UNITY: (np.array([[1, 0, 0], [0, 0, 1], [0, 1, 0]]), 1.0),
    EngineAxes.GODOT: (np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]), 1.0),
}


@pytest.fixture(scope="module")
def utm(runtime):
    return alidade.SpatialReference(runtime, "EPSG:32610")


@pytest.fixture(scope="module")
def frame(utm):
    return EngineFrame(utm, ORIGIN, kind=EngineFrameKind.PLANAR)


def array_of(runtime, shapes, reference):
    return alidade.GeometryArray.from_wkb(runtime, shapely.to_wkb(np.asarray(shapes, object)), reference)


def geometry_of(runtime, shape, reference):
    return alidade.Geometry.from_wkb(runtime, shapely.to_wkb(shape), reference)


def local(shape):
    return affinity.translate(shape, -ORIGIN[0], -ORIGIN[1])


def areas_of(columns):
    """Signed: positive for counter-clockwise seen from above, in a frame of east, north and up."""
    corners = np.asarray(columns.positions, float)[columns.triangles]
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    return (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / 2


def union_of(columns, begin=0, end=None):
    corners = np.asarray(columns.positions, float)[columns.triangles[begin:end], :2]
    return shapely.union_all(shapely.polygons(corners))


@pytest.mark.parametrize("grid", [0, 1, 10, 40])
def test_triangles_fill_polygons(runtime, utm, frame, grid):
    source = np.random.default_rng(grid)
    polygons = random_polygons(source, 1500, ORIGIN, 3000, grid)
    mesh = frame.mesh(array_of(runtime, polygons, utm))
    columns = mesh.columns
    areas = areas_of(columns)
    offsets = columns.index_offsets // 3
    assert len(offsets) == len(polygons) + 1
    for index, polygon in enumerate(polygons):
        own = areas[offsets[index] : offsets[index + 1]]
        # Vertices are off by the rounding to floats at 4 km: 0.25 mm.
        assert np.all(own > -0.0005 * polygon.length)
        assert own.sum() == pytest.approx(polygon.area, abs=0.0005 * polygon.length)
        # As many triangles as n vertices and h holes must have; two less for each vertex at which rings touch.
        vertices = shapely.get_num_coordinates(polygon) - 1 - len(polygon.interiors)
        expected = vertices + 2 * len(polygon.interiors) - 2
        positions = len(np.unique(shapely.get_coordinates(polygon), axis=0))
        assert expected - 2 * (vertices - positions) <= len(own) <= expected
        if index % 10 == 0:
            whole = union_of(columns, offsets[index], offsets[index + 1])
            assert whole.symmetric_difference(local(polygon)).area < 0.002 * polygon.length
    # Only vertices of the polygons are corners.
    given = np.concatenate([shapely.get_coordinates(local(polygon)) for polygon in polygons]).astype(np.float32)
    known = {tuple(position) for position in given}
    assert all(tuple(position) in known for position in columns.positions[:, :2])
    np.testing.assert_array_equal(columns.normals, np.tile([0, 0, 1], (len(columns.normals), 1)))


def test_touching_rings_and_collinear_vertices(runtime, utm, frame):
    forms = [
        # A hole whose vertex is on an edge; holes that touch in a row; a ring of holes around an island.
        "POLYGON((0 0, 100 0, 100 100, 0 100, 0 0), (50 0, 60 20, 40 20, 50 0))",
        "POLYGON((0 0, 100 0, 100 100, 0 100, 0 0), (0 50, 20 60, 20 40, 0 50), (20 60, 40 80, 40 60, 20 60))",
        "POLYGON((0 0, 30 0, 30 30, 0 30, 0 0), (0 0, 10 20, 20 10, 0 0))",
        "POLYGON((0 0, 10 0, 20 0, 30 0, 40 0, 40 10, 40 20, 30 20, 20 20, 10 20, 0 20, 0 10, 0 0))",
        "MULTIPOLYGON(((0 0, 10 0, 10 10, 0 10, 0 0)), ((10 10, 20 10, 20 20, 10 20, 10 10)))",
    ]
    for text in forms:
        shape = affinity.translate(shapely.from_wkt(text), *ORIGIN)
        assert shape.is_valid
        columns = frame.mesh(geometry_of(runtime, shape, utm)).columns
        assert areas_of(columns).sum() == pytest.approx(shape.area, abs=1e-3)
        assert union_of(columns).symmetric_difference(local(shape)).area < 1e-2


def test_large_polygons(runtime, utm, frame):
    """A comb, whose teeth all cross one vertical line, and a star."""
    teeth = 20000
    x = np.repeat(np.arange(teeth) * 0.5, 2)
    comb = np.column_stack([np.tile([0.0, 5000.0], teeth), x])
    comb = np.concatenate([comb, [[-10, x[-1] + 1], [-10, 0]]]) + ORIGIN
    source = np.random.default_rng(5)
    for ring in (comb, star(source, 100_000, ORIGIN, 5000)):
        shape = shapely.Polygon(ring)
        columns = frame.mesh(geometry_of(runtime, shape, utm)).columns
        assert len(columns.triangles) == len(ring) - 2
        assert areas_of(columns).sum() == pytest.approx(shape.area, rel=1e-4)


def test_invalid_polygons_are_refused(runtime, utm, frame):
    good = shapely.box(0, 0, 10, 10)
    for text, place in (
        ("POLYGON((0 0, 10 10, 10 0, 0 10, 0 0))", "Self-intersection"),
        ("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0), (20 20, 30 20, 30 30, 20 20))", "Hole lies outside"),
        ("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0), (5 5, 15 5, 15 8, 5 5))", "Self-intersection"),
        ("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0), (1 1, 9 1, 9 9, 1 1), (2 2, 8 2, 8 7, 2 2))", "Nested|nested|Holes"),
    ):
        array = array_of(runtime, [good, shapely.from_wkt(text)], utm)
        with pytest.raises(alidade.errors.InvalidArgumentError, match=f"Geometry 1: .*{place}"):
            frame.mesh(array)


@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("clockwise", [False, True])
def test_extruded_polygons_are_closed(runtime, utm, axes, clockwise):
    """By the divergence theorem, the triangles of a closed body enclose its volume, if all face outwards."""
    frame = EngineFrame(utm, ORIGIN, kind=EngineFrameKind.PLANAR, axes=axes)
    directions, unit = AXES[axes]
    polygons = random_polygons(np.random.default_rng(8), 200, ORIGIN, 500)
    heights = np.random.default_rng(9).uniform(3, 60, len(polygons))
    heights[::3] *= -1
    flags = MeshFlags.BOTTOM | (MeshFlags.CLOCKWISE if clockwise else MeshFlags(0))
    mesh = frame.mesh(array_of(runtime, polygons, utm), extrusion_m=heights, options=MeshOptions(flags=flags))
    columns = mesh.columns
    # To east, north and up, in metres.
    positions = np.asarray(columns.positions, float) @ directions * unit
    normals = np.asarray(columns.normals, float) @ directions
    triangles = columns.triangles[:, ::-1] if clockwise else columns.triangles
    corners = positions[triangles]
    volumes = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    crosses = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    # Normals are perpendicular to their triangles, and on the side from which those are counter-clockwise.
    facing = crosses / np.maximum(np.linalg.norm(crosses, axis=1, keepdims=True), 1e-12)
    large = np.linalg.norm(crosses, axis=1) > 1
    assert np.all(np.einsum("ij,ij->i", facing[large], normals[triangles[large, 0]]) > 0.99)
    offsets = columns.index_offsets // 3
    for index, polygon in enumerate(polygons):
        own = slice(offsets[index], offsets[index + 1])
        volume = polygon.area * abs(heights[index])
        assert volumes[own].sum() == pytest.approx(volume, rel=1e-3, abs=polygon.length * 0.1)
        walls = np.abs(normals[triangles[own, 0], 2]) < 0.5
        area = np.linalg.norm(crosses[own][walls], axis=1).sum() / 2
        assert area == pytest.approx(polygon.length * abs(heights[index]), rel=1e-3)
        low, high = sorted((0.0, heights[index]))
        assert corners[own][:, :, 2].min() == pytest.approx(low, abs=1e-3)
        assert corners[own][:, :, 2].max() == pytest.approx(high, abs=1e-3)


def test_walls_have_metres_as_texture(runtime, utm, frame):
    shape = affinity.translate(shapely.box(0, 0, 30, 20), *ORIGIN)
    mesh = frame.mesh(
        geometry_of(runtime, shape, utm), extrusion_m=12, options=MeshOptions(flags=MeshFlags.WALLS_ONLY)
    )
    columns = mesh.columns
    assert len(columns.triangles) == 8
    textures = columns.texture_coordinates
    assert textures[:, 0].max() == pytest.approx(100)
    np.testing.assert_allclose(textures[:, 1], 12 - columns.positions[:, 2])


def test_areas_have_positions_in_an_image(runtime, utm, frame):
    shape = affinity.translate(shapely.box(100, 200, 300, 600), *ORIGIN)
    columns = frame.mesh(geometry_of(runtime, shape, utm)).columns
    np.testing.assert_allclose(columns.texture_coordinates[:, 0], (columns.positions[:, 0] - 100) / 200, atol=1e-6)
    np.testing.assert_allclose(columns.texture_coordinates[:, 1], (600 - columns.positions[:, 1]) / 400, atol=1e-6)
    box = (ORIGIN[0], ORIGIN[1], ORIGIN[0] + 1000, ORIGIN[1] + 1000)
    columns = frame.mesh(geometry_of(runtime, shape, utm), options=MeshOptions(texture_envelope=box)).columns
    np.testing.assert_allclose(columns.texture_coordinates[:, 0], columns.positions[:, 0] / 1000, atol=1e-6)
    np.testing.assert_allclose(columns.texture_coordinates[:, 1], 1 - columns.positions[:, 1] / 1000, atol=1e-6)


JOINS = {BufferJoin.ROUND: "round", BufferJoin.MITRE: "mitre", BufferJoin.BEVEL: "bevel"}
CAPS = {BufferCap.ROUND: "round", BufferCap.FLAT: "flat", BufferCap.SQUARE: "square"}


@pytest.mark.parametrize("join", JOINS)
@pytest.mark.parametrize("cap", CAPS)
def test_ribbons_are_buffers(runtime, utm, frame, join, cap):
    """Against Shapely's buffer with the same caps and joins. Nothing is covered twice."""
    source = np.random.default_rng(int(join) * 3 + int(cap))
    checked = 0
    for _ in range(60):
        turns = np.cumsum(source.uniform(-1.9, 1.9, 8))
        steps = source.uniform(40, 100, 8)[:, None] * np.column_stack([np.cos(turns), np.sin(turns)])
        line = shapely.LineString(np.cumsum(np.concatenate([[[0, 0]], steps]), axis=0))
        width = source.uniform(4, 14)
        expected = line.buffer(
            width / 2, quad_segs=32, cap_style=CAPS[cap], join_style=JOINS[join], mitre_limit=1e6
        )
        # Lines that come close to themselves cover something twice.
        if not line.is_simple or expected.interiors or any(
            shapely.LineString(line.coords[:i + 1]).distance(shapely.LineString(line.coords[i + 1:])) < width + 1
            for i in range(1, 7)
        ):
            continue
        checked += 1
        options = MeshOptions(
            line_width_m=width, line_cap=cap, line_join=join, mitre_limit=1e6, quadrant_segments=32
        )
        mesh = frame.mesh(geometry_of(runtime, affinity.translate(line, *ORIGIN), utm), options=options)
        columns = mesh.columns
        areas = areas_of(columns)
        assert np.all(areas > -1e-4)
        assert areas.sum() == pytest.approx(expected.area, rel=2e-4)
        assert union_of(columns).symmetric_difference(expected).area < 2e-3 * expected.area
        texture = columns.texture_coordinates
        assert texture[:, 1].min() >= -1e-5 and texture[:, 1].max() <= 1 + 1e-5
        reach = 0 if cap is BufferCap.FLAT else width / 2
        assert texture[:, 0].min() == pytest.approx(-reach, abs=1e-3)
        assert texture[:, 0].max() == pytest.approx(line.length + reach, rel=1e-5)
    assert checked > 10


def test_ribbons_of_closed_lines_and_sharp_corners(runtime, utm, frame):
    closed = shapely.LineString([(0, 0), (100, 0), (100, 80), (0, 80), (0, 0)])
    options = MeshOptions(line_width_m=10, line_join=BufferJoin.MITRE)
    columns = frame.mesh(geometry_of(runtime, affinity.translate(closed, *ORIGIN), utm), options=options).columns
    expected = closed.buffer(5, join_style="mitre")
    assert areas_of(columns).sum() == pytest.approx(expected.area, rel=1e-6)
    assert union_of(columns).symmetric_difference(expected).area < 0.01
    # Corners that segments are too short for, a line that turns back, vertices that repeat: all is covered.
    source = np.random.default_rng(4)
    for _ in range(200):
        points = np.cumsum(source.normal(0, 6, (12, 2)), axis=0)
        points[4] = points[2]
        points[7] = points[6]
        line = shapely.LineString(points)
        options = MeshOptions(line_width_m=8, quadrant_segments=32)
        columns = frame.mesh(geometry_of(runtime, affinity.translate(line, *ORIGIN), utm), options=options).columns
        assert np.all(areas_of(columns) > -1e-4)
        expected = line.buffer(4, quad_segs=32)
        assert union_of(columns).symmetric_difference(expected).area < 4e-3 * expected.area


def test_mitres_are_limited(runtime, utm, frame):
    line = shapely.LineString([(0, 0), (100, 0), (0, 10)])
    lengths = {}
    for limit in (1.5, 100):
        options = MeshOptions(line_width_m=4, line_cap=BufferCap.FLAT, line_join=BufferJoin.MITRE, mitre_limit=limit)
        columns = frame.mesh(geometry_of(runtime, affinity.translate(line, *ORIGIN), utm), options=options).columns
        lengths[limit] = columns.positions[:, 0].max()
    assert lengths[1.5] < 102.1
    assert lengths[100] == pytest.approx(line.buffer(2, join_style="mitre", mitre_limit=100).bounds[2], abs=1e-3)
