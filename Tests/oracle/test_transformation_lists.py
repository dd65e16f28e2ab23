"""Lists of transformations name all that projecting may use by default, and what is used belongs to one state of the grids.

What is used by default is asked of pyproj, which runs PROJ's own choice.
"""

from __future__ import annotations

import pathlib
import shutil
import threading

import numpy as np
import pyproj
import pytest

import alidade

GRIDS = pathlib.Path(__file__).parents[2] / "examples/transformations/grids"
# From, to, and a point: pairs whose better operations need grids that are not there.
PAIRS = [
    ("EPSG:27700", "EPSG:4258", (-2.0, 52.0)), ("EPSG:4277", "EPSG:4937", (-2.0, 52.0)),
    ("EPSG:4149", "EPSG:4151", (7.5, 47.0)), ("EPSG:21781", "EPSG:2056", (7.5, 47.0)),
    ("EPSG:4265", "EPSG:6706", (12.0, 42.0)), ("EPSG:8351", "EPSG:4156", (19.0, 48.7)),
    ("EPSG:4258", "EPSG:9067", (10.0, 50.0)), ("EPSG:9000", "EPSG:4283", (135.0, -25.0)),
    ("EPSG:4314", "EPSG:4258", (10.0, 51.0)), ("EPSG:4275", "EPSG:4171", (2.3, 48.9)),
    ("EPSG:4289", "EPSG:4258", (5.3, 52.1)), ("EPSG:4312", "EPSG:4258", (14.0, 47.5)),
    ("EPSG:4267", "EPSG:4269", (-100.0, 40.0)), ("EPSG:4202", "EPSG:7844", (135.0, -25.0)),
    ("EPSG:4272", "EPSG:4167", (175.0, -40.0)), ("EPSG:4230", "EPSG:4258", (-3.0, 40.0)),
]


@pytest.mark.parametrize("source, target, place", PAIRS)
def test_the_list_names_what_is_used_by_default(runtime, source, target, place):
    transformer = pyproj.Transformer.from_crs(source, target, always_xy=True)
    start = pyproj.Transformer.from_crs("EPSG:4326", source, always_xy=True).transform(*place)
    expected = transformer.transform(*start)
    pair = alidade.SpatialReference(runtime, source), alidade.SpatialReference(runtime, target)
    rows = [row.transformation for row in alidade.TransformationList(*pair)]
    if "Ballpark" in transformer.description:
        assert any(row.is_ballpark for row in rows)
        return
    # One of the rows that can be used gives what the default gives.
    tolerance = 1e-9 if abs(expected[0]) <= 360 else 1e-4
    images = [alidade.project_coordinates(*pair, [start[0]], [start[1]], transformation=row) for row in rows if row.is_usable]
    assert any(np.allclose([image.x[0], image.y[0]], expected[:2], rtol=0, atol=tolerance) for image in images)
    ours = alidade.project_coordinates(*pair, [start[0]], [start[1]])
    np.testing.assert_allclose([ours.x[0], ours.y[0]], expected[:2], rtol=0, atol=tolerance)


def test_no_point_mixes_two_states_of_the_grids(tmp_path):
    """Threads project while another takes the grid away and gives it back: each point is by one or the other."""
    shutil.copy(GRIDS / "us_noaa_conus.tif", tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    x, y = np.linspace(-120, -80, 20_000), np.full(20_000, 40.0)
    with alidade.Runtime() as runtime:
        pair = alidade.SpatialReference(runtime, "EPSG:4267"), alidade.SpatialReference(runtime, "EPSG:4269")
        states = []
        for folder in (tmp_path, empty):
            runtime.set_grid_directories([str(folder)])
            answer = alidade.project_coordinates(*pair, x, y)
            states.append(np.column_stack([answer.x, answer.y]))
        assert np.abs(states[0] - states[1]).max() > 1e-6
        wrong = []

        def work():
            for _ in range(6):
                answer = alidade.project_coordinates(*pair, x, y)
                image = np.column_stack([answer.x, answer.y])
                if not any(np.array_equal(image, state) for state in states):
                    wrong.append(image)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        turn = 0
        while any(thread.is_alive() for thread in threads):
            runtime.set_grid_directories([str(empty if turn % 2 else tmp_path)])
            turn += 1
        for thread in threads:
            thread.join()
        assert not wrong, (len(wrong), [np.abs(wrong[0] - state).max() for state in states])


# MARK: Bad input


def test_a_local_plane_has_no_transformations(runtime):
    local = alidade.SpatialReference(runtime, 'LOCAL_CS["site",UNIT["metre",1]]')
    world = alidade.SpatialReference(runtime, "EPSG:4326")
    for pair in ((local, world), (world, local)):
        with pytest.raises(alidade.errors.ProjectionFailedError, match="local plane"):
            alidade.TransformationList(*pair)
    assert len(alidade.TransformationList(local, local)) == 0


@pytest.mark.parametrize("area", [[(400_000, 300_000), (500_000, 400_000)], [(0, 91), (1, 92)],
                                  [(0, 0), (1, 0), (1, -90.1)]])
def test_an_area_without_its_spatial_reference(runtime, area):
    pair = alidade.SpatialReference(runtime, "EPSG:27700"), alidade.SpatialReference(runtime, "EPSG:4326")
    with pytest.raises(alidade.errors.InvalidArgumentError, match="latitude"):
        alidade.TransformationList(*pair, area=area)


@pytest.mark.parametrize("source, target", [("EPSG:4326", "EPSG:3857"), ("EPSG:4326", "EPSG:32633"),
                                            ("EPSG:27700", "EPSG:4277"), ("EPSG:32633", "EPSG:32632")])
def test_conversions_are_exact(runtime, source, target):
    """Within one datum nothing is uncertain; the method's definition is the result."""
    pair = alidade.SpatialReference(runtime, source), alidade.SpatialReference(runtime, target)
    x, y = pyproj.Transformer.from_crs("EPSG:4326", source, always_xy=True).transform([1.0], [52.0])
    operation, = alidade.project_coordinates(*pair, x, y).receipt.operations
    assert operation.transformation.accuracy_m == 0


@pytest.mark.parametrize("source", ["EPSG:3857", "EPSG:4326", "EPSG:32633", "EPSG:27700"])
@pytest.mark.parametrize("value", [1e15, -1e18, 1e300])
def test_numbers_that_are_no_position(runtime, source, value):
    pair = alidade.SpatialReference(runtime, source), alidade.SpatialReference(runtime, "EPSG:4258")
    answer = alidade.project_coordinates(*pair, [value, 1.0], [1.0, 1.0])
    assert answer.statuses[0] == alidade.coordinates.PointStatus.INVALID_COORDINATE and np.isnan(answer.x[0])
    assert np.isnan(alidade.project_coordinates(*pair, [value] * 100, [1.0] * 100).x).all()


@pytest.mark.parametrize("text", ["EPSG: 4326", "EPSG:  4326", " epsg:4326 "])
def test_blanks_in_codes(runtime, text):
    assert alidade.SpatialReference(runtime, text).to_wkt() == alidade.SpatialReference(runtime, "EPSG:4326").to_wkt()


@pytest.mark.parametrize("text", ["+proj=affine +s11=2", "+proj=geogoffset +dlon=1", "+proj=vertoffset +dh=1",
                                  "+proj=topocentric +X_0=1 +Y_0=2 +Z_0=3", "+proj=molodensky +dx=1 +ellps=GRS80",
                                  "+proj=unitconvert +xy_in=deg +xy_out=rad", "+proj=axisswap +order=2,1"])
def test_operations_are_no_spatial_references(runtime, text):
    with pytest.raises(alidade.errors.InvalidArgumentError, match="operation"):
        alidade.SpatialReference(runtime, text)


def test_a_method_that_proj_does_not_have(runtime):
    rows = list(alidade.TransformationList(alidade.SpatialReference(runtime, "EPSG:5516"), alidade.SpatialReference(runtime, "EPSG:3857")))
    assert rows and not any(row.transformation.is_usable for row in rows)
    assert all("does not have the method" in row.reason for row in rows)


# MARK: Heights


@pytest.mark.parametrize("source, target, flat, place", [
    ("EPSG:7405", "EPSG:4979", ("EPSG:27700", "EPSG:4326"), (400_000.0, 300_000.0)),
    ("EPSG:7423", "EPSG:4979", ("EPSG:4258", "EPSG:4326"), (10.0, 50.0)),
    ("EPSG:4277+5701", "EPSG:4979", ("EPSG:4277", "EPSG:4326"), (-2.0, 52.0)),
])
def test_a_height_that_cannot_be_transformed_does_not_cost_the_position(runtime, source, target, flat, place):
    """Without the grid of the heights positions are as pyproj has them without heights, and the receipt says ballpark."""
    answer = alidade.project_coordinates(alidade.SpatialReference(runtime, source), alidade.SpatialReference(runtime, target),
                                    [place[0]], [place[1]], [10.0])
    expected = pyproj.Transformer.from_crs(*flat, always_xy=True).transform(*place)
    np.testing.assert_allclose([answer.x[0], answer.y[0]], expected, rtol=0, atol=1e-8)  # 10 m up a shift turns a little
    operation, = answer.receipt.operations
    assert answer.z[0] == 10 and operation.transformation.is_ballpark and "ballpark vertical" in operation.transformation.name


@pytest.mark.parametrize("source, target", [("EPSG:4202", "EPSG:4283"), ("EPSG:4272", "EPSG:4167"), ("EPSG:4720", "EPSG:4326")])
@pytest.mark.parametrize("west, east, inside", [
    (170, 180, (170, 179.9999)), (-180, -170, (-179.9999, -170)), (180, 180, (179.9999, 180.0001)),
    (-180, -180, (-180.0001, -179.9999)), (176, -180, (176, 179.9999)), (180, -178, (180.0001, 182))])
def test_an_area_that_ends_at_the_antimeridian(runtime, source, target, west, east, inside):
    """PROJ 9.1 does not end for an area from 170 to -180 or from 180 to -170."""
    def names(west, east):
        area = [(west, -20), (east, -15)]
        return [row.transformation.name for row in alidade.TransformationList(source, target, area=area)]

    assert names(west, east) == names(*inside)


def test_a_point_is_an_area(runtime):
    """It is not the world, which a box without width is for PROJ."""
    def names(area):
        return [row.transformation.name for row in alidade.TransformationList("EPSG:4202", "EPSG:4283", area=area)]

    point = names([(145, -20), (145, -20)])
    assert point == names([(144.999, -20.001), (145.001, -19.999)])
    assert len(point) < len(names([(-180, -90), (180, 90)]))
