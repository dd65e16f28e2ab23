"""Projecting geometries against OGR's Transform (which runs the same PROJ vertex by vertex) and against pyproj.

Where PROJ's own choice of operation matters, the outside truth is pyproj's Transformer, which chooses as we do.
"""

import random

import numpy as np
import pytest
import pyproj
from osgeo import ogr, osr

import alidade
from alidade import Geometry, GeometryArray, SpatialReference, Transformation
from alidade.coordinates import PointStatus
from alidade.geometry import GeometryFlags, GeometryKind
from alidade.coordinates import ProjectionReceiptFlags as Receipt

osr.UseExceptions()
ogr.UseExceptions()

# A pair, and the box on the first side that coordinates are taken from. All have one operation over their boxes.
PAIRS = [
    ("EPSG:4326", "EPSG:3857", (-179, -84, 179, 84)),
    ("EPSG:3857", "EPSG:4326", (-2e7, -2e7, 2e7, 2e7)),
    ("EPSG:4326", "EPSG:32633", (11, -70, 19, 70)),
    ("EPSG:32633", "EPSG:3035", (3e5, 5e6, 7e5, 6e6)),
    ("EPSG:4258", "EPSG:3035", (0, 40, 20, 60)),
]
MARKS = {(False, False): "", (True, False): " Z", (False, True): " M", (True, True): " ZM"}


def reference(runtime, text):
    return SpatialReference(runtime, text)


def osr_reference(code):
    made = osr.SpatialReference()
    made.SetFromUserInput(code)
    made.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return made


def random_text(source, box, dimensions, depth=0):
    """ISO text of a random geometry of any kind inside a box."""

    def vertex():
        x, y = source.uniform(box[0], box[2]), source.uniform(box[1], box[3])
        return " ".join(map(repr, [x, y, *(source.uniform(-100, 1000) for _ in range(sum(dimensions)))]))

    def some(low, high, item):
        return "(" + ", ".join(item() for _ in range(source.randint(low, high))) + ")"

    def line():
        return some(2, 7, vertex)

    def ring():
        first = vertex()
        return "(" + ", ".join([first, *(vertex() for _ in range(source.randint(2, 6))), first]) + ")"

    def polygon():
        return some(1, 3, ring)

    bodies = {
        "POINT": lambda: f"({vertex()})",
        "LINESTRING": line,
        "POLYGON": polygon,
        "MULTIPOINT": lambda: some(1, 5, lambda: f"({vertex()})"),
        "MULTILINESTRING": lambda: some(1, 3, line),
        "MULTIPOLYGON": lambda: some(1, 3, polygon),
        "GEOMETRYCOLLECTION": lambda: some(1, 4, lambda: random_text(source, box, dimensions, depth + 1)),
    }
    kind = source.choice(list(bodies)[: None if depth < 3 else -1])
    body = "EMPTY" if source.random() < 0.08 else bodies[kind]()
    return f"{kind}{MARKS[dimensions]} {body}"


def vertices(geometry):
    """All vertices of a geometry, member by member, as OGR reads them: x, y, z, m."""
    if geometry.GetGeometryCount():
        return [v for index in range(geometry.GetGeometryCount()) for v in vertices(geometry.GetGeometryRef(index))]
    if geometry.IsEmpty():
        return []
    return [geometry.GetPointZM(index) for index in range(geometry.GetPointCount())]


def structure(geometry):
    """Kinds and counts, without numbers."""
    inner = [structure(geometry.GetGeometryRef(index)) for index in range(geometry.GetGeometryCount())]
    count = 0 if geometry.IsEmpty() else geometry.GetPointCount()
    return geometry.GetGeometryType(), inner or count


def tolerance(target):
    return 1e-11 if osr_reference(target).IsGeographic() else 1e-6


@pytest.mark.parametrize(("source", "target", "box"), PAIRS)
@pytest.mark.parametrize("seed", range(40))
def test_as_ogr_transforms(runtime, source, target, box, seed):
    dimensions = list(MARKS)[seed % 4]
    wkt = random_text(random.Random(seed), box, dimensions)
    projected = Geometry.from_wkt(runtime, wkt, reference(runtime, source)).project(reference(runtime, target))
    expected = ogr.CreateGeometryFromWkt(wkt)
    expected.Transform(osr.CoordinateTransformation(osr_reference(source), osr_reference(target)))
    image = ogr.CreateGeometryFromWkb(projected.geometry.to_wkb())
    assert structure(image) == structure(expected)
    ours, theirs = np.array(vertices(image)).reshape(-1, 4), np.array(vertices(expected)).reshape(-1, 4)
    np.testing.assert_allclose(ours[:, :2], theirs[:, :2], rtol=0, atol=tolerance(target))
    np.testing.assert_array_equal(ours[:, 2:], theirs[:, 2:])
    assert projected.geometry.spatial_reference.is_equivalent(reference(runtime, target))
    assert projected.statuses.tolist() == projected.marks.tolist() == [0] * len(theirs)
    assert projected.receipt.point_count == len(theirs) and projected.receipt.failed_count == 0


@pytest.mark.parametrize("seed", range(20))
def test_arrays_are_their_geometries(runtime, seed):
    """An array's geometries and marks equal the results for each geometry alone, and bit for bit the columns'."""
    random_numbers = random.Random(seed)
    source, target = reference(runtime, "EPSG:27700"), reference(runtime, "EPSG:3857")
    # In and around Britain, so that there are several operations.
    box = (-1e6, -1e6, 2e6, 2e6)
    texts = [random_text(random_numbers, box, list(MARKS)[random_numbers.randrange(4)]) for _ in range(30)]
    array = GeometryArray.from_wkb(runtime, [Geometry.from_wkt(runtime, text).to_wkb() for text in texts], source)
    projected = array.project(target)
    start = 0
    receipts = projected.receipt.operations
    for number, geometry in enumerate(array):
        alone = geometry.project(target)
        assert alone.geometry.equals(projected.array[number])
        end = start + geometry.vertex_count
        np.testing.assert_array_equal(alone.statuses, projected.statuses[start:end])
        names = [alone.receipt.operations[mark].name for mark in alone.marks]
        assert names == [receipts[mark].name for mark in projected.marks[start:end]]
        flat = np.array(vertices(ogr.CreateGeometryFromWkb(geometry.to_wkb()))).reshape(-1, 4)
        images = alidade.project_coordinates(source, target, flat[:, 0], flat[:, 1])
        mine = np.array(vertices(ogr.CreateGeometryFromWkb(alone.geometry.to_wkb()))).reshape(-1, 4)
        np.testing.assert_array_equal(mine[:, 0], images.x)
        np.testing.assert_array_equal(mine[:, 1], images.y)
        start = end
    assert start == len(projected.marks) == projected.receipt.point_count
    assert sum(row.point_count for row in receipts) == start


def squares(count, seed=1):
    """So many squares around the world, as columns: vertices and the offsets of rings."""
    source = np.random.default_rng(seed)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]) * 0.01
    centers = np.stack([source.uniform(-179, 178, count), source.uniform(-84, 83, count)], 1)
    return (centers[:, None] + corners[None]).reshape(-1, 2), np.arange(count + 1) * 5


def square_array(runtime, count, **columns):
    xy, offsets = squares(count)
    each = np.arange(count + 1)
    return GeometryArray.from_columns(
        runtime, xy, kinds=np.full(count, GeometryKind.POLYGON), part_offsets=each, path_offsets=each,
        vertex_offsets=offsets, spatial_reference=reference(runtime, "EPSG:4326"), **columns,
    )  # fmt: skip


@pytest.mark.parametrize("target", ["EPSG:3857", "EPSG:8857"])
def test_a_hundred_thousand_polygons(runtime, target):
    array = square_array(runtime, 100_000)
    projected = array.project(reference(runtime, target))
    x, y = pyproj.Transformer.from_crs(4326, target, always_xy=True).transform(*array.columns.xy.T)
    np.testing.assert_allclose(projected.array.columns.xy, np.stack([x, y], 1), rtol=0, atol=1e-6)
    for name in ("kinds", "flags", "part_offsets", "path_offsets", "vertex_offsets"):
        np.testing.assert_array_equal(getattr(projected.array.columns, name), getattr(array.columns, name))
    rings = projected.array.columns.xy.reshape(-1, 5, 2)
    np.testing.assert_array_equal(rings[:, 0], rings[:, -1])
    assert not projected.geometry_statuses.any() and not projected.statuses.any() and not projected.marks.any()


def test_one_bad_geometry_does_not_fail_the_others(runtime):
    xy, offsets = squares(1000)
    xy[2 + 5 * 700] = (0, 90)
    array = GeometryArray.from_columns(
        runtime, xy, kinds=np.full(1000, 4), part_offsets=np.arange(1001), path_offsets=np.arange(1001),
        vertex_offsets=offsets, spatial_reference=reference(runtime, "EPSG:4326"),
    )  # fmt: skip
    target = reference(runtime, "EPSG:3857")
    with pytest.raises(alidade.errors.ProjectionFailedError, match=r"1 of 5000 .*geometry 700, path 0, vertex 2, at \(0, 90\)"):
        array.project(target)
    projected = array.project(target, empty_failed=True)
    assert projected.geometry_statuses.nonzero()[0].tolist() == [700]
    assert projected.geometry_statuses[700] == projected.statuses[3502] == PointStatus.FAILED
    assert projected.statuses.nonzero()[0].tolist() == [3502]
    assert projected.marks[3502] == alidade.coordinates.NO_OPERATION
    assert projected.array[700].is_empty and projected.array[700].kind is GeometryKind.POLYGON
    assert projected.array.vertex_count == 4995 and projected.receipt.failed_count == 1
    assert projected.array[701].equals(array[701].project(target).geometry)


@pytest.mark.parametrize(
    ("wkt", "expected"),
    [
        ("POINT M (0 90 1)", "POINT M EMPTY"),
        ("MULTIPOINT Z (0 0 1, 0 90 2, 0 0 3)", "MULTIPOINT Z ((0 0 1), (0 0 3))"),
        ("MULTIPOINT (0 90, 0 91)", "MULTIPOINT EMPTY"),
        ("LINESTRING (0 0, 0 0, 0 90, 0 0)", "LINESTRING (0 0, 0 0)"),
        ("LINESTRING (0 90, 0 0, 0 0, 0 90, 0 0, 0 0)", "MULTILINESTRING ((0 0, 0 0), (0 0, 0 0))"),
        ("LINESTRING (0 0, 0 90)", "LINESTRING EMPTY"),
        ("MULTILINESTRING ((0 90, 0 90), (0 0, 0 0), EMPTY)", "MULTILINESTRING ((0 0, 0 0), EMPTY)"),
        ("GEOMETRYCOLLECTION (POINT (0 90), POLYGON ((0 0, 0 0, 0 0, 0 0)))",
         "GEOMETRYCOLLECTION (POINT EMPTY, POLYGON ((0 0, 0 0, 0 0, 0 0)))"),
    ],
)  # fmt: skip
def test_left_out(runtime, wkt, expected):
    geometry = Geometry.from_wkt(runtime, wkt, reference(runtime, "EPSG:4326"))
    target = reference(runtime, "EPSG:3857")
    with pytest.raises(alidade.errors.ProjectionFailedError):
        geometry.project(target)
    projected = geometry.project(target, leave_out=True)
    assert projected.geometry.to_wkt(decimals=6).replace("-0", "0") == expected
    assert len(projected.statuses) == geometry.vertex_count
    assert projected.receipt.failed_count == np.count_nonzero(projected.statuses) > 0


def test_a_polygon_leaves_nothing_out(runtime):
    world, target = reference(runtime, "EPSG:4326"), reference(runtime, "EPSG:3857")
    wkt = "GEOMETRYCOLLECTION (POINT (0 90), MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0), (0 0, 1 0, 0 90, 0 0))))"
    geometry = Geometry.from_wkt(runtime, wkt, world)
    with pytest.raises(alidade.errors.ProjectionFailedError, match="2 of 9 .*member 1, path 1, vertex 2.*polygon"):
        geometry.project(target, leave_out=True)


def test_heights_through_a_geoid(runtime):
    """Heights above EGM96 become ellipsoidal; what has none is projected by its position alone, and keeps its NaN."""
    source, target = reference(runtime, "EPSG:4326+5773"), reference(runtime, "EPSG:4979")
    geometry = Geometry.from_wkt(runtime, "LINESTRING ZM (10 50 100 1, 11 51 nan 2, 12 52 -20 nan)", source)
    projected = geometry.project(target)
    transformer = pyproj.Transformer.from_crs("EPSG:4326+5773", "EPSG:4979", always_xy=True)
    x, y, z = transformer.transform([10, 12], [50, 52], [100, -20])
    np.testing.assert_allclose(projected.geometry.xy, [[x[0], y[0]], [11, 51], [x[1], y[1]]], rtol=0, atol=1e-12)
    np.testing.assert_allclose(projected.geometry.z, [z[0], np.nan, z[1]], rtol=0, atol=1e-9)
    assert abs(z[0] - 100) > 10
    np.testing.assert_array_equal(projected.geometry.m, [1, 2, np.nan])
    assert Receipt.VERTICAL in projected.receipt.flags and projected.receipt.point_count == 3
    names = [projected.receipt.operations[mark].name for mark in projected.marks]
    assert names[0] == names[2] != names[1]
    assert [row.point_count for row in projected.receipt.operations] == [2, 1]
    copied = geometry.project(target, ignore_vertical=True)
    np.testing.assert_array_equal(copied.geometry.z, geometry.z)
    assert Receipt.VERTICAL not in copied.receipt.flags


def test_an_array_of_which_some_have_heights(runtime):
    source, target = reference(runtime, "EPSG:4326+5773"), reference(runtime, "EPSG:4979")
    texts = ["POINT (1 2)", "POINT Z (1 2 3)", "GEOMETRYCOLLECTION Z (POINT Z (4 5 6), LINESTRING (1 2, 3 4))"]
    array = GeometryArray.from_wkb(runtime, [Geometry.from_wkt(runtime, text).to_wkb() for text in texts], source)
    projected = array.project(target)
    transformer = pyproj.Transformer.from_crs("EPSG:4326+5773", "EPSG:4979", always_xy=True)
    assert [geometry.has_z for geometry in projected.array] == [False, True, True]
    assert projected.array[0].to_wkt() == "POINT (1 2)"
    np.testing.assert_allclose(projected.array[1].z, transformer.transform(1, 2, 3)[2], atol=1e-9)
    assert projected.array[2].members[1].to_wkt() == "LINESTRING (1 2, 3 4)"
    np.testing.assert_allclose(projected.array[2].members[0].z, transformer.transform(4, 5, 6)[2], atol=1e-9)


def test_rings_stay_closed_whatever_their_heights(runtime):
    """Where heights move positions, two heights at one corner would open the ring."""
    source, target = reference(runtime, "EPSG:4937"), reference(runtime, "EPSG:4985")
    transformer = pyproj.Transformer.from_crs("EPSG:4937", "EPSG:4985", always_xy=True)
    low, high = transformer.transform(10, 50, 0)[:2], transformer.transform(10, 50, 9000)[:2]
    geometry = Geometry.from_wkt(runtime, "POLYGON Z ((10 50 0, 11 50 0, 11 51 0, 10 50 9000))", source)
    image = geometry.project(target).geometry
    assert low != high, "the pair no longer shows it"
    np.testing.assert_array_equal(image.xy[0], image.xy[-1])
    np.testing.assert_allclose(image.xy[0], low, rtol=0, atol=1e-12)


def test_a_chosen_transformation_there_and_back(runtime):
    british, world = reference(runtime, "EPSG:27700"), reference(runtime, "EPSG:4326")
    chosen = Transformation.from_code(runtime, 1314)
    line = Geometry.from_wkt(runtime, "LINESTRING (400000 300000, 410000 310000)", british)
    there = line.project(world, transformation=chosen)
    assert there.receipt.flags == Receipt.CHOSEN and there.receipt.accuracy_m == 2
    pipeline = pyproj.Transformer.from_pipeline(
        "+proj=pipeline +step +inv +proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy "
        "+step +proj=push +v_3 +step +proj=cart +ellps=airy +step +proj=helmert +x=446.448 +y=-125.157 +z=542.06 +rx=0.15 "
        "+ry=0.247 +rz=0.842 +s=-20.489 +convention=position_vector +step +inv +proj=cart +ellps=WGS84 "
        "+step +proj=pop +v_3 +step +proj=unitconvert +xy_in=rad +xy_out=deg"
    )
    x, y = pipeline.transform([400000, 410000], [300000, 310000])
    np.testing.assert_allclose(there.geometry.xy, np.stack([x, y], 1), rtol=0, atol=1e-11)
    back = there.geometry.project(british, transformation=chosen, inverse=True)
    np.testing.assert_allclose(back.geometry.xy, line.xy, rtol=0, atol=1e-3)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        there.geometry.project(british, transformation=chosen)


def test_strict_and_only_best(runtime):
    british, world = reference(runtime, "EPSG:27700"), reference(runtime, "EPSG:4326")
    points = Geometry.from_wkt(runtime, "MULTIPOINT (400000 300000, 5000000 3000000)", british)
    usual = points.project(world)
    assert Receipt.BALLPARK in usual.receipt.flags and Receipt.SEVERAL in usual.receipt.flags
    assert [usual.receipt.operations[mark].is_ballpark for mark in usual.marks] == [False, True]
    strict = points.project(world, strict=True, leave_out=True)
    assert strict.statuses.tolist() == [PointStatus.OK, PointStatus.ONLY_BALLPARK]
    assert strict.geometry.vertex_count == 1
    best = points.project(world, only_best=True, leave_out=True)
    assert best.statuses.tolist() == [PointStatus.MISSING_GRID, PointStatus.OK]
    with pytest.raises(alidade.errors.MissingGridError, match="vertex 0"):
        points.project(world, only_best=True)
    with pytest.raises(alidade.errors.ProjectionFailedError, match="vertex 1.*ballpark"):
        points.project(world, strict=True)


def test_the_same_spatial_reference_copies_nothing(runtime):
    array = square_array(runtime, 10)
    for same in ("EPSG:4326", "OGC:CRS84", "EPSG:4979"):
        projected = array.project(reference(runtime, same))
        assert projected.array.columns.xy.ctypes.data == array.columns.xy.ctypes.data
        assert projected.receipt.flags == Receipt.IDENTITY and projected.receipt.point_count == 50
        assert projected.array.spatial_reference.is_equivalent(reference(runtime, same))
        assert array[3].project(reference(runtime, same)).geometry.xy.tolist() == array[3].xy.tolist()


def test_across_the_antimeridian_vertex_by_vertex(runtime):
    """As the header says: the edge then runs across the map."""
    line = Geometry.from_wkt(runtime, "LINESTRING (170 0, 190 0)", reference(runtime, "EPSG:4326"))
    xy = line.project(reference(runtime, "EPSG:3857")).geometry.xy
    expected = pyproj.Transformer.from_crs(4326, 3857, always_xy=True).transform([170, 190], [0, 0])
    np.testing.assert_allclose(xy[:, 0], expected[0], rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    "wkt",
    ["POINT (1e308 1e308)", "LINESTRING (1e300 0, -1e300 1)", "POINT (0 1e20)", "MULTIPOINT (5e15 1, 1 2)"],
)
@pytest.mark.parametrize("target", ["EPSG:3857", "EPSG:32633", "EPSG:27700"])
def test_huge_numbers_are_no_places(runtime, wkt, target):
    geometry = Geometry.from_wkt(runtime, wkt, reference(runtime, "EPSG:4326"))
    with pytest.raises(alidade.errors.ProjectionFailedError):
        geometry.project(reference(runtime, target))
    left = geometry.project(reference(runtime, target), leave_out=True)
    assert np.isfinite(left.geometry.xy).all()
    assert left.geometry.vertex_count == np.count_nonzero(left.statuses == 0)


def test_nothing_and_nested_nothing(runtime):
    world, target = reference(runtime, "EPSG:4326"), reference(runtime, "EPSG:3857")
    none = GeometryArray.from_wkb(runtime, [], world).project(target)
    assert len(none.array) == 0 and none.receipt.point_count == 0 and none.receipt.operations == []
    for wkt in ("POINT EMPTY", "GEOMETRYCOLLECTION (GEOMETRYCOLLECTION (POLYGON Z EMPTY), POINT M EMPTY)"):
        geometry = Geometry.from_wkt(runtime, wkt, world)
        projected = geometry.project(target)
        assert projected.geometry.to_wkt() == geometry.to_wkt() and len(projected.marks) == 0
    deep = "GEOMETRYCOLLECTION (" * 32 + "POINT (1 1)" + ")" * 32
    image = Geometry.from_wkt(runtime, deep, world).project(target).geometry
    assert image.vertex_count == 1 and image.to_wkt().count("GEOMETRYCOLLECTION") == 32


def test_a_line_of_many_parts(runtime):
    count = 100_000
    xy = np.random.default_rng(3).uniform(-80, 80, (2 * count, 2))
    xy[2 * 777] = (0, 90)
    geometry = Geometry.from_coordinates(
        runtime, GeometryKind.POLYLINE, xy, vertex_offsets=np.arange(0, 2 * count + 1, 2),
        spatial_reference=reference(runtime, "EPSG:4326"),
    )  # fmt: skip
    image = geometry.project(reference(runtime, "EPSG:3857"), leave_out=True).geometry
    assert image.part_count == count - 1 and image.vertex_count == 2 * count - 2
    kept = np.delete(xy, [2 * 777, 2 * 777 + 1], axis=0)
    x, y = pyproj.Transformer.from_crs(4326, 3857, always_xy=True).transform(*kept.T)
    np.testing.assert_allclose(image.xy, np.stack([x, y], 1), rtol=0, atol=1e-6)
    assert image.flags == GeometryFlags.MULTI


def test_without_a_spatial_reference(runtime):
    with pytest.raises(alidade.errors.InvalidArgumentError, match="no spatial reference"):
        Geometry.from_wkt(runtime, "POINT (1 2)").project(reference(runtime, "EPSG:3857"))
