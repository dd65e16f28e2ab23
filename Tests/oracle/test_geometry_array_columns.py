"""Coordinates and offsets of geometries, in and out: against OGR, and against numpy's own arithmetic."""

import gc
import random

import numpy as np
import pytest
from osgeo import ogr

import alidade
from alidade import Geometry, GeometryArray
from alidade.geometry import GeometryFlags, GeometryKind
from geometries import KINDS, ogr_wkb, text

NO_COLLECTIONS = KINDS[:-1]


def texts(seed, count, kinds=KINDS):
    source = random.Random(seed)
    return [text(source, source.choice(kinds)) for _ in range(count)]


def vertices(geometry):
    """All vertices of a geometry of OGR's, x, y, z, m."""
    parts = geometry.GetGeometryCount()
    if parts:
        return [vertex for i in range(parts) for vertex in vertices(geometry.GetGeometryRef(i))]
    return [] if geometry.IsEmpty() else [geometry.GetPointZM(i) for i in range(geometry.GetPointCount())]


@pytest.mark.parametrize("seed", range(40))
def test_arrays_of_many_wkbs(runtime, seed):
    wkbs = [ogr_wkb(wkt) for wkt in texts(seed, 50)]
    array = GeometryArray.from_wkb(runtime, wkbs)
    assert len(array) == 50
    for geometry, wkb in zip(array, wkbs):
        assert geometry.equals(Geometry.from_wkb(runtime, wkb))
    assert [Geometry.from_wkb(runtime, wkb).to_wkb() for wkb in wkbs] == array.to_wkb()
    data, offsets = array.to_wkb_buffer(big_endian=True)
    again = GeometryArray.from_wkb_buffer(runtime, data, offsets)
    assert again.to_wkb() == array.to_wkb()


@pytest.mark.parametrize("seed", range(40))
def test_columns_hold_what_ogr_has(runtime, seed):
    wkts = texts(seed + 1000, 40, NO_COLLECTIONS)
    array = GeometryArray.from_wkb(runtime, [ogr_wkb(wkt) for wkt in wkts])
    columns = array.columns
    all_vertices = [vertices(ogr.CreateGeometryFromWkt(wkt)) for wkt in wkts]
    expected = np.array([vertex for each in all_vertices for vertex in each]).reshape(-1, 4)
    assert np.array_equal(columns.xy, expected[:, :2])
    starts = columns.vertex_offsets[columns.path_offsets[columns.part_offsets]]
    assert starts.tolist() == np.cumsum([0, *map(len, all_vertices)]).tolist()
    has = {GeometryFlags.HAS_Z: (columns.z, 2), GeometryFlags.HAS_M: (columns.m, 3)}
    for flag, (column, number) in has.items():
        owns = np.repeat(columns.flags & flag > 0, np.diff(starts))
        if column is None:
            assert not owns.any()
        else:
            assert np.array_equal(column[owns], expected[owns, number])
            assert np.isnan(column[~owns]).all()
    for index, geometry in enumerate(array):
        assert np.array_equal(geometry.xy, expected[starts[index] : starts[index + 1], :2])
        assert geometry.xy.base is not None and not geometry.xy.flags.writeable


@pytest.mark.parametrize("seed", range(40))
def test_columns_go_in_as_they_come_out(runtime, seed):
    array = GeometryArray.from_wkb(runtime, [ogr_wkb(wkt) for wkt in texts(seed + 2000, 40, NO_COLLECTIONS)])
    out = array.columns
    # Strides of other numbers between them, and a start that is not aligned to anything.
    wide = np.full((len(out.xy), 5), 1e300)
    wide[:, 1:3] = out.xy
    wide[:, 0] = 0 if out.z is None else out.z
    again = GeometryArray.from_columns(
        runtime,
        wide[:, 1:3],
        kinds=out.kinds,
        flags=out.flags,
        part_offsets=out.part_offsets,
        path_offsets=out.path_offsets,
        vertex_offsets=out.vertex_offsets,
        z=None if out.z is None else wide[:, 0],
        m=out.m,
    )
    assert again.to_wkb() == array.to_wkb()


def test_views_outlive_their_objects(runtime):
    def views():
        array = GeometryArray.from_wkb(runtime, [ogr_wkb(f"LINESTRING Z ({i} 1 2, 3 4 5)") for i in range(1000)])
        return array[7].xy, array.columns.z

    xy, z = views()
    gc.collect()
    for _ in range(20):
        GeometryArray.from_columns(runtime, np.full((1000, 2), 5.0), kind=GeometryKind.POINT)
    assert xy.tolist() == [[7, 1], [3, 4]]
    assert z.tolist() == [2, 5] * 1000


def test_what_numpy_arrays_show_outlives_a_release():
    with alidade.Runtime() as runtime:
        array = GeometryArray.from_columns(runtime, np.full((1000, 2), 5.0), kind=GeometryKind.POINT)
        element = array[7]
        xy, of_element = array.columns.xy[10:20], element.xy
        live = runtime.handle_count
        array.release()
        array.release()
        assert "released" in repr(array) and runtime.handle_count == live
        assert (xy == 5).all()
        del xy
        # The last view is gone, and so is the array; the element shares the columns, and keeps them.
        assert runtime.handle_count == live - 1
        with pytest.raises(alidade.errors.InvalidHandleError):
            array.vertex_count
    assert of_element.tolist() == [[5, 5]]
    assert "released" in repr(runtime)
    del of_element
    with pytest.raises(alidade.errors.InvalidHandleError):
        runtime.handle_count


def test_kinds_and_flags_of_different_lengths(runtime):
    # The library would read kinds of as many geometries as there are flags.
    offsets = np.arange(4)
    for kinds, flags in (([1], [0, 0, 0]), ([1, 1, 1], [0])):
        with pytest.raises(ValueError, match="same length"):
            GeometryArray.from_columns(
                runtime,
                np.zeros((3, 2)),
                kinds=kinds,
                flags=flags,
                part_offsets=offsets,
                path_offsets=offsets,
                vertex_offsets=offsets,
            )


def test_what_may_be_left_out(runtime):
    square = np.array([(0, 0), (4, 0), (4, 4), (0, 4)], dtype=float)

    def made(kind, xy, **more):
        return Geometry.from_coordinates(runtime, kind, xy, **more).to_wkt()

    assert made(GeometryKind.POINT, (1, 2)) == "POINT (1 2)"
    assert made(GeometryKind.MULTIPOINT, square[:2]) == "MULTIPOINT ((0 0), (4 0))"
    assert made(GeometryKind.POLYLINE, square, z=[1, 2, 3, 4]) == "LINESTRING Z (0 0 1, 4 0 2, 4 4 3, 0 4 4)"
    assert (
        made(GeometryKind.POLYLINE, square, vertex_offsets=[0, 2, 4], m=[1, 2, 3, 4])
        == "MULTILINESTRING M ((0 0 1, 4 0 2), (4 4 3, 0 4 4))"
    )
    # Closed by the library.
    assert made(GeometryKind.POLYGON, square) == "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))"
    rings = np.concatenate([square, square[::-1] / 4 + 1])
    assert (
        made(GeometryKind.POLYGON, rings, vertex_offsets=[0, 4, 8])
        == "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 2, 2 2, 2 1, 1 1, 1 2))"
    )
    assert (
        made(GeometryKind.POLYGON, rings, vertex_offsets=[0, 4, 8], path_offsets=[0, 1, 2])
        == "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)), ((1 2, 2 2, 2 1, 1 1, 1 2)))"
    )
    points = GeometryArray.from_columns(runtime, square, kind=GeometryKind.POINT)
    assert [point.to_wkt() for point in points] == ["POINT (0 0)", "POINT (4 0)", "POINT (4 4)", "POINT (0 4)"]
    lines = GeometryArray.from_columns(
        runtime, square, kind=GeometryKind.POLYLINE, part_offsets=[0, 1, 2], vertex_offsets=[0, 2, 4]
    )
    assert [line.to_wkt() for line in lines] == ["LINESTRING (0 0, 4 0)", "LINESTRING (4 4, 0 4)"]
    assert made(GeometryKind.POLYGON, []) == "POLYGON EMPTY"
    assert len(GeometryArray.from_columns(runtime, [], kind=GeometryKind.POINT)) == 0


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        ("Neither kind nor kinds", {}),
        ("vertex_offsets[1] is 5", {"kind": GeometryKind.POLYLINE, "vertex_offsets": [0, 5, 4]}),
        ("vertex_offsets[0] is -1", {"kind": GeometryKind.POLYLINE, "vertex_offsets": [-1, 4]}),
        ("vertex_offsets[0] is 0", {"kind": GeometryKind.POLYLINE, "vertex_offsets": [0, 2147483647]}),
        ("Geometry 0: path 1: a line has one vertex", {"kind": GeometryKind.POLYLINE, "vertex_offsets": [0, 3, 4]}),
        ("Geometry 0: path 0: a ring has 3", {"kind": GeometryKind.POLYGON, "vertex_offsets": [0, 2]}),
        ("part 0 has 2 paths", {"kind": GeometryKind.POLYLINE, "vertex_offsets": [0, 2, 4], "path_offsets": [0, 2]}),
        ("at most one part", {"kind": GeometryKind.MULTIPOINT, "vertex_offsets": [0, 2, 4]}),
        ("kinds[0] is 9", {"kinds": [9], "part_offsets": [0, 1], "path_offsets": [0, 1], "vertex_offsets": [0, 4]}),
        ("vertex_offsets is NULL", {"kinds": [3]}),
        ("the 4 below belong to nothing", {"kind": GeometryKind.POLYLINE, "vertex_offsets": [0]}),
        (
            "the 1 below belong to nothing",
            {"kind": GeometryKind.POLYGON, "vertex_offsets": [0, 4], "path_offsets": [0]},
        ),
        ("collections have no columns", {"kind": GeometryKind.COLLECTION}),
        ("has unknown bits", {"kind": GeometryKind.POLYLINE, "flags": [8]}),
        ("the column is NULL", {"kind": GeometryKind.POLYLINE, "flags": [1]}),
    ],
)
def test_columns_that_do_not_fit(runtime, words, arguments):
    with pytest.raises(alidade.errors.InvalidArgumentError) as failure:
        GeometryArray.from_columns(runtime, [(0, 0), (4, 0), (4, 4), (0, 4)], **arguments)
    assert words in failure.value.message


def test_coordinates_that_are_not_finite(runtime):
    for bad in (np.nan, np.inf):
        with pytest.raises(alidade.errors.InvalidArgumentError, match="Geometry 2: vertex 2 has a coordinate"):
            GeometryArray.from_columns(runtime, [(0, 0), (1, 1), (bad, 2)], kind=GeometryKind.POINT)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="vertex 1"):
        Geometry.from_coordinates(runtime, GeometryKind.POLYLINE, [(0, 0), (1, 1)], z=[0, np.inf])
    geometry = Geometry.from_coordinates(runtime, GeometryKind.POLYLINE, [(0, 0), (1, 1)], z=[0, np.nan])
    assert geometry.to_wkt() == "LINESTRING Z (0 0 0, 1 1 nan)"


def test_srids_of_arrays(runtime):
    import shapely.geometry
    import shapely.wkb

    points = [shapely.wkb.dumps(shapely.geometry.Point(i, i), srid=srid) for i, srid in enumerate((2193, 2193, 3857))]
    plain = shapely.wkb.dumps(shapely.geometry.Point(1, 2))
    array = GeometryArray.from_wkb(runtime, [plain, *points[:2]])
    assert array.spatial_reference.info.code == "2193"
    assert array[0].spatial_reference.info.code == "2193"
    assert array.to_wkb(extended=True)[1:] == points[:2]
    with pytest.raises(alidade.errors.InvalidArgumentError, match="Geometry 2 has the SRID 3857, and one before it 2193"):
        GeometryArray.from_wkb(runtime, points)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="Geometry 1: WKB, byte 0: expected a byte order"):
        GeometryArray.from_wkb(runtime, [plain, b"\x07", plain])
    assert GeometryArray.from_wkb(runtime, []).spatial_reference is None


def test_offsets_that_lie(runtime):
    wkb = ogr_wkb("POINT (1 2)")
    for offsets in ([0, 22], [1, 0], [0, 2**63], [2**64 - 1, 21]):
        with pytest.raises(alidade.errors.InvalidArgumentError, match="Geometry 0 begins at byte"):
            GeometryArray.from_wkb_buffer(runtime, wkb, np.array(offsets, dtype=np.uint64))
