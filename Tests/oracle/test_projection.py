"""Projected coordinates against pyproj and cs2cs: the same operation for every point, and the same numbers."""

from __future__ import annotations

import random
import shutil
import subprocess

import numpy as np
import pyproj
import pytest
from pyproj.transformer import TransformerGroup

import alidade
from alidade.coordinates import NO_OPERATION, PointStatus, ProjectionReceiptFlags

# (from, to, west, south, east, north): points far beyond the areas of use as well, so that all operations come up.
PAIRS = [
    ("EPSG:27700", "EPSG:3857", -12, 47, 8, 63),
    ("EPSG:4267", "EPSG:4326", -170, 5, -40, 85),
    ("EPSG:4267", "EPSG:4269", -170, 5, -40, 85),
    ("EPSG:4277", "EPSG:4258", -14, 45, 10, 64),
    ("EPSG:4326", "EPSG:2193", 160, -50, 185, -30),
    ("EPSG:4272", "EPSG:4167", 160, -50, 185, -30),
    ("EPSG:4314", "EPSG:4258", 3, 45, 18, 57),
    ("EPSG:31467", "EPSG:25832", 3, 45, 18, 57),
    ("EPSG:4275", "EPSG:4258", -8, 38, 14, 54),
    ("EPSG:21781", "EPSG:2056", 4, 44, 12, 49),
    ("EPSG:4230", "EPSG:4326", -20, 25, 50, 75),
    ("EPSG:4618", "EPSG:4674", -90, -60, -25, 15),
    ("EPSG:4326", "EPSG:3857", -180, -90, 180, 90),
    ("EPSG:4326", "EPSG:32633", -30, -20, 60, 89),
    ("EPSG:4807", "EPSG:2154", -8, 38, 14, 54),
    ("EPSG:4326", "EPSG:4258", -180, -90, 180, 90),
]
COUNT = 400
PAIR_COUNT = 60
SEED = 20261121


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


def reference(runtime: alidade.Runtime, text: str) -> alidade.SpatialReference:
    return alidade.SpatialReference(runtime, text)


def places(source: str, west: float, south: float, east: float, north: float, count: int) -> np.ndarray:
    """Random points of a box in degrees, as coordinates of a system with its own datum."""
    generator = np.random.default_rng(SEED)
    longitudes = generator.uniform(west, east, count)
    latitudes = generator.uniform(south, north, count)
    system = pyproj.CRS(source)
    way = pyproj.Transformer.from_crs(system.geodetic_crs, system, always_xy=True)
    unit = system.geodetic_crs.axis_info[0].unit_conversion_factor
    x, y = way.transform(np.radians(longitudes) / unit, np.radians(latitudes) / unit)
    is_there = np.isfinite(x) & np.isfinite(y)
    return np.column_stack([x, y])[is_there]


def bound(target: str) -> float:
    """How far a fast path may be from PROJ, in the unit of a system: 1e-12 degrees or 1e-7 m."""
    system = pyproj.CRS(target)
    unit = system.axis_info[0].unit_conversion_factor
    return (np.radians(1e-12) if system.is_geographic else 1e-7) / unit


def same(ours, theirs, target: str) -> np.ndarray:
    """As near to PROJ as fast paths are proven to be; NaN for infinity."""
    with np.errstate(invalid="ignore"):
        return (np.abs(ours - theirs) <= bound(target)) | (np.isnan(ours) & ~np.isfinite(theirs))


@pytest.mark.parametrize(("source", "target", "west", "south", "east", "north"), PAIRS)
def test_each_point_gets_the_operation_of_pyproj(runtime, source, target, west, south, east, north):
    points = places(source, west, south, east, north, COUNT)
    theirs = pyproj.Transformer.from_crs(source, target, always_xy=True)
    ours = alidade.project_coordinates(reference(runtime, source), reference(runtime, target), *points.T)
    operations = ours.receipt.operations
    for index, (x, y) in enumerate(points):
        their_x, their_y = theirs.transform(x, y)
        if not np.isfinite(their_x):
            assert ours.statuses[index] != PointStatus.OK and ours.marks[index] == NO_OPERATION
            assert np.isnan(ours.x[index]) and np.isnan(ours.y[index])
            continue
        used = theirs if is_single(theirs) else theirs.get_last_used_operation()
        assert ours.statuses[index] == PointStatus.OK, (x, y)
        operation = operations[ours.marks[index]]
        assert operation.name == " + ".join(
            part for part in used.description.split(" + ") if part != "axis order change (2D)"), (x, y)
        assert operation.transformation.to_proj() == proj_text(used), (x, y)
        assert same(ours.x[index], their_x, target) and same(ours.y[index], their_y, target), (x, y)
    counts = [operation.point_count for operation in operations]
    assert counts == [int((ours.marks == row).sum()) for row in range(len(operations))]
    assert sum(counts) + ours.receipt.failed_count == ours.receipt.point_count == len(points)
    assert bool(ours.receipt.flags & ProjectionReceiptFlags.SEVERAL) == (len(operations) > 1)


def is_single(transformer: pyproj.Transformer) -> bool:
    """Whether there is nothing to choose; pyproj then is the operation itself."""
    return transformer.definition != "unavailable until proj_trans is called"


def proj_text(operation) -> str:
    """pyproj's operation as the PROJ string of the library's."""
    text = " ".join(word if word.startswith("+") else f"+{word}" for word in operation.definition.split())
    return "+proj=noop" if text.startswith("+proj=noop ") else text


def random_pairs(count: int) -> list[tuple[str, str, tuple[float, float, float, float]]]:
    """Pairs of horizontal systems whose areas of use meet, and a box around the first one's area."""
    infos = [
        info
        for kind in ("GEOGRAPHIC_2D_CRS", "PROJECTED_CRS")
        for info in pyproj.database.query_crs_info("EPSG", kind)
        if info.area_of_use is not None and info.area_of_use.west < info.area_of_use.east
    ]
    generator = random.Random(SEED)
    pairs = []
    while len(pairs) < count:
        one, two = generator.choice(infos), generator.choice(infos)
        a, b = one.area_of_use, two.area_of_use
        if a.west < b.east and b.west < a.east and a.south < b.north and b.south < a.north:
            box = (a.west - 3, max(-89, a.south - 3), a.east + 3, min(89, a.north + 3))
            pairs.append((f"EPSG:{one.code}", f"EPSG:{two.code}", box))
    return pairs


def test_random_pairs(runtime):
    """The same numbers as pyproj between any systems that may meet."""
    compared = several = 0
    for source, target, box in random_pairs(PAIR_COUNT):
        try:
            points = places(source, *box, 200)
            transformer = pyproj.Transformer.from_crs(source, target, always_xy=True)
        except pyproj.exceptions.ProjError:
            # PROJ lists operations, but has no method for them.
            with pytest.raises(alidade.errors.ProjectionFailedError):
                alidade.project_coordinates(reference(runtime, source), reference(runtime, target), [0], [0])
            continue
        theirs = np.array(transformer.transform(*points.T))
        ours = alidade.project_coordinates(reference(runtime, source), reference(runtime, target), *points.T)
        # What lies beyond a pole or farther than any point is refused where PROJ computes on.
        is_ok = ours.statuses == PointStatus.OK
        assert same(ours.x[is_ok], theirs[0][is_ok], target).all(), (source, target)
        assert same(ours.y[is_ok], theirs[1][is_ok], target).all(), (source, target)
        refused = theirs[:, ~is_ok & np.isfinite(theirs).all(axis=0)]
        assert np.all(np.abs(refused).max(axis=0, initial=0) >= 1e15), (source, target)
        compared += int(is_ok.sum())
        several += len(ours.receipt.operations) > 1
    assert compared > 100 * PAIR_COUNT and several > PAIR_COUNT // 10


def test_several_operations_come_up(runtime):
    """The test above would say nothing of marks if all points had one operation."""
    seen = {}
    for source, target, *box in PAIRS:
        points = places(source, *box, COUNT)
        ours = alidade.project_coordinates(reference(runtime, source), reference(runtime, target), *points.T)
        seen[source, target] = len(ours.receipt.operations)
    assert seen["EPSG:27700", "EPSG:3857"] >= 2 and seen["EPSG:4267", "EPSG:4326"] >= 4, seen


def test_many_points_on_all_cores_are_as_few(runtime):
    points = places("EPSG:4267", -170, 5, -40, 85, 60000)
    source, target = reference(runtime, "EPSG:4267"), reference(runtime, "EPSG:4326")
    many = alidade.project_coordinates(source, target, *points.T)
    theirs = pyproj.Transformer.from_crs("EPSG:4267", "EPSG:4326", always_xy=True).transform(*points.T)
    assert same(many.x, theirs[0], "EPSG:4326").all() and same(many.y, theirs[1], "EPSG:4326").all()
    simple = source.project(points, target)
    assert np.array_equal(simple.points, np.column_stack([many.x, many.y]), equal_nan=True)


@pytest.mark.parametrize(("source", "target", "x", "y"), [
    ("EPSG:4277", "EPSG:4326", -1.5, 52.5),
    ("EPSG:27700", "EPSG:3857", 400000, 300000),
    ("EPSG:31467", "EPSG:25832", 3500000, 5500000),
    ("EPSG:4267", "EPSG:4326", -100, 40),
])
def test_a_chosen_one_is_that_of_pyproj(runtime, source, target, x, y):
    group = TransformerGroup(source, target, always_xy=True)
    here, there = reference(runtime, source), reference(runtime, target)
    ours = {row.transformation.to_proj(): row.transformation for row in alidade.TransformationList(here, there)}
    compared = 0
    for transformer in group.transformers:
        if transformer.is_network_enabled or proj_text(transformer) not in ours:
            continue
        chosen = ours[proj_text(transformer)]
        answer = alidade.project_coordinates(here, there, [x], [y], transformation=chosen)
        their_x, their_y = transformer.transform(x, y)
        assert same(answer.x[0], their_x, target) and same(answer.y[0], their_y, target)
        if np.isfinite(their_x):
            row, = answer.receipt.operations
            assert row.transformation.to_proj() == chosen.to_proj() and row.name == chosen.name
            assert answer.receipt.flags & ProjectionReceiptFlags.CHOSEN
            back = alidade.project_coordinates(
                there, here, answer.x, answer.y, transformation=chosen, inverse=True)
            expected = transformer.transform(their_x, their_y, direction="INVERSE")
            assert back.x[0] == pytest.approx(expected[0], abs=1e-11 * max(1, abs(x)))
            assert back.y[0] == pytest.approx(expected[1], abs=1e-11 * max(1, abs(y)))
        compared += 1
    assert compared >= 2


def test_a_chosen_one_between_the_datums_of_projected_systems(runtime):
    """EPSG:1314 leads from OSGB36 to WGS 84, longitude and latitude; the two systems are projected ones."""
    chosen = alidade.Transformation.from_code(runtime, "1314")
    x, y = np.array([400000.0, 250000]), np.array([300000.0, 90000])
    ours = alidade.project_coordinates(
        reference(runtime, "EPSG:27700"), reference(runtime, "EPSG:3857"), x, y, transformation=chosen)
    pipeline = pyproj.Transformer.from_pipeline(
        "+proj=pipeline +step +inv +proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 "
        "+ellps=airy +step +proj=push +v_3 +step +proj=cart +ellps=airy +step +proj=helmert +x=446.448 +y=-125.157 "
        "+z=542.06 +rx=0.15 +ry=0.247 +rz=0.842 +s=-20.489 +convention=position_vector +step +inv +proj=cart "
        "+ellps=WGS84 +step +proj=pop +v_3 +step +proj=webmerc +lat_0=0 +lon_0=0 +ellps=WGS84")
    their_x, their_y = pipeline.transform(x, y)
    np.testing.assert_allclose(ours.x, their_x, atol=1e-8, rtol=0)
    np.testing.assert_allclose(ours.y, their_y, atol=1e-8, rtol=0)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="OSGB36.* to WGS 84"):
        alidade.project_coordinates(
            reference(runtime, "EPSG:31467"), reference(runtime, "EPSG:3857"), x, y, transformation=chosen)


def test_heights_over_a_geoid(runtime):
    """EGM96 heights and ellipsoidal ones, by egm96_15.gtx of Debian's proj-data, against cs2cs."""
    over_geoid, over_ellipsoid = reference(runtime, "EPSG:4326+5773"), reference(runtime, "EPSG:4979")
    x, y, z = np.array([8.25, -100.5, 140.0, 0.0]), np.array([47.5, 40.25, -33.0, 0.0]), np.array([500, 0, -20, 8848.0])
    ours = alidade.project_coordinates(over_geoid, over_ellipsoid, x, y, z)
    assert ours.receipt.flags & ProjectionReceiptFlags.VERTICAL
    text = "".join(f"{lat!r} {lon!r} {h!r}\n" for lat, lon, h in zip(y.tolist(), x.tolist(), z.tolist()))
    answer = subprocess.run(
        ["cs2cs", "-f", "%.9f", "EPSG:4326+5773", "EPSG:4979"], input=text, capture_output=True, text=True, check=True)
    expected = np.array([[float(word) for word in line.split()[:3]] for line in answer.stdout.splitlines()])
    np.testing.assert_allclose(np.column_stack([ours.y, ours.x, ours.z]), expected, atol=2e-9, rtol=0)
    assert np.all(np.abs(ours.z - z) > 1)
    back = alidade.project_coordinates(over_ellipsoid, over_geoid, ours.x, ours.y, ours.z)
    np.testing.assert_allclose(back.z, z, atol=1e-6)
    ignored = alidade.project_coordinates(over_geoid, over_ellipsoid, x, y, z, ignore_vertical=True)
    assert np.array_equal(ignored.z, z) and not ignored.receipt.flags & ProjectionReceiptFlags.VERTICAL


def test_a_chosen_geoid(runtime):
    """EPSG:10084 leads from WGS 84 with heights to EGM96 heights alone: positions stay as they are, longitude first."""
    chosen = alidade.Transformation.from_code(runtime, "10084")
    over_ellipsoid, over_geoid = reference(runtime, "EPSG:4979"), reference(runtime, "EPSG:4326+5773")
    x, y, z = np.array([8.25, -100.5]), np.array([47.5, 40.25]), np.array([550.0, 0.0])
    best = alidade.project_coordinates(over_ellipsoid, over_geoid, x, y, z)
    bare = alidade.project_coordinates(None, None, x, y, z, transformation=chosen)
    between = alidade.project_coordinates(over_ellipsoid, over_geoid, x, y, z, transformation=chosen)
    for ours in (bare, between):
        np.testing.assert_allclose(ours.x, x, atol=1e-13, rtol=0)
        np.testing.assert_allclose(ours.y, y, atol=1e-13, rtol=0)
        np.testing.assert_allclose(ours.z, best.z, atol=1e-9, rtol=0)
        assert ours.receipt.flags == ProjectionReceiptFlags.CHOSEN | ProjectionReceiptFlags.VERTICAL
    back = alidade.project_coordinates(
        over_geoid, over_ellipsoid, x, y, best.z, transformation=chosen, inverse=True)
    np.testing.assert_allclose(back.z, z, atol=1e-6, rtol=0)
    np.testing.assert_allclose(back.x, x, atol=1e-13, rtol=0)
    # A projected system before it, and one behind it.
    utm_over_geoid = reference(runtime, "EPSG:32632+5773")
    there = alidade.project_coordinates(over_ellipsoid, utm_over_geoid, x[:1], y[:1], z[:1], transformation=chosen)
    expected = pyproj.Transformer.from_crs("EPSG:4326", "EPSG:32632", always_xy=True).transform(x[0], y[0])
    assert (there.x[0], there.y[0]) == pytest.approx(expected, abs=1e-8) and there.z[0] == pytest.approx(best.z[0])


def test_heights_are_copied_where_one_side_has_none(runtime):
    points = places("EPSG:27700", -6, 50, 1, 57, 50)
    z = np.linspace(-100, 3000, len(points))
    here, there = reference(runtime, "EPSG:27700"), reference(runtime, "EPSG:4979")
    ours = alidade.project_coordinates(here, there, *points.T, z)
    flat = alidade.project_coordinates(here, there, *points.T)
    assert np.array_equal(ours.z, z) and np.array_equal(ours.x, flat.x) and np.array_equal(ours.y, flat.y)


def test_epochs(runtime):
    """ITRF2014 to ITRF2008 depends on time; both as longitude, latitude and height, and geocentric."""
    x, y, z, t = [11.5, -70.0], [48.1, -33.4], [520.0, 80.0], [2010.0, 2024.5]
    here, there = reference(runtime, "EPSG:7912"), reference(runtime, "EPSG:7911")
    ours = alidade.project_coordinates(here, there, x, y, z, t)
    theirs = pyproj.Transformer.from_crs("EPSG:7912", "EPSG:7911", always_xy=True)
    expected = theirs.transform(x, y, z, t)
    assert np.array_equal(ours.x, expected[0]) and np.array_equal(ours.y, expected[1])
    assert np.array_equal(ours.z, expected[2])
    elsewhen = alidade.project_coordinates(here, there, x, y, z, [1990.0, 1990.0])
    assert np.all(elsewhen.z != ours.z)

    chosen = alidade.Transformation.from_code(runtime, "7790")  # ITRF2008 to ITRF2014, geocentric
    way = pyproj.Transformer.from_pipeline("EPSG:7790")
    place = (4027893.8, 307045.8, 4919474.9)
    for inverse in (False, True):
        geocentric = alidade.project_coordinates(
            None, None, *([value] for value in place), [2024.5], transformation=chosen, inverse=inverse)
        their = way.transform(*place, 2024.5, direction="INVERSE" if inverse else "FORWARD")
        assert (geocentric.x[0], geocentric.y[0], geocentric.z[0]) == pytest.approx(their[:3], abs=1e-8)
        assert geocentric.x[0] != place[0]
    by_chosen = alidade.project_coordinates(there, here, x, y, z, t, transformation=chosen)
    back = pyproj.Transformer.from_crs("EPSG:7911", "EPSG:7912", always_xy=True).transform(x, y, z, t)
    np.testing.assert_allclose(by_chosen.z, back[2], atol=1e-8, rtol=0)
    np.testing.assert_allclose(by_chosen.x, back[0], atol=1e-13, rtol=0)


def test_strict_refuses_ballpark(runtime):
    here, there = reference(runtime, "EPSG:27700"), reference(runtime, "EPSG:3857")
    x, y = [400000.0, 5000000.0], [300000.0, 3000000.0]
    relaxed = alidade.project_coordinates(here, there, x, y)
    theirs = pyproj.Transformer.from_crs("EPSG:27700", "EPSG:3857", always_xy=True)
    theirs.transform(x[1], y[1])
    assert "allpark" in theirs.get_last_used_operation().description
    assert relaxed.receipt.flags & ProjectionReceiptFlags.BALLPARK
    strict = alidade.project_coordinates(here, there, x, y, strict=True)
    assert strict.statuses.tolist() == [PointStatus.OK, PointStatus.ONLY_BALLPARK]
    assert np.isnan(strict.x[1]) and strict.x[0] == relaxed.x[0]
    assert not strict.receipt.flags & ProjectionReceiptFlags.BALLPARK


def test_only_the_best(runtime, tmp_path):
    """In Britain OSTN15 is best, and in Baden a grid of the state's; neither is in Debian's proj-data. In the north of
    Germany BETA2007 is best, and is there."""
    x, y = [400000.0], [300000.0]
    british = reference(runtime, "EPSG:27700"), reference(runtime, "EPSG:4258")
    group = TransformerGroup("EPSG:27700", "EPSG:4258", always_xy=True)
    assert not group.best_available
    best = alidade.project_coordinates(*british, x, y, only_best=True)
    assert best.statuses.tolist() == [PointStatus.MISSING_GRID] and np.isnan(best.x[0])
    german = reference(runtime, "EPSG:31467"), reference(runtime, "EPSG:25832")
    best = alidade.project_coordinates(*german, [3500000.0, 3500000.0], [6000000.0, 5300000.0], only_best=True)
    assert best.statuses.tolist() == [PointStatus.OK, PointStatus.MISSING_GRID]
    assert "BETA2007" in best.receipt.operations[0].transformation.to_proj()
    assert best.x[0] == alidade.project_coordinates(*german, [3500000.0], [6000000.0]).x[0]


def test_a_chosen_one_without_its_grid(runtime):
    here, there = reference(runtime, "EPSG:27700"), reference(runtime, "EPSG:4258")
    chosen = next(row.transformation for row in alidade.TransformationList(here, there)
                  if not row.transformation.is_usable)
    with pytest.raises(alidade.errors.MissingGridError, match="OSTN|osgb"):
        alidade.project_coordinates(here, there, [400000.0], [300000.0], transformation=chosen)


def test_a_grid_directory_changes_the_choice(tmp_path):
    """With a copy of a grid under another name, an operation is usable; without it, another one is used again."""
    with alidade.Runtime() as runtime:
        here, there = reference(runtime, "EPSG:27700"), reference(runtime, "EPSG:4258")
        before = alidade.project_coordinates(here, there, [400000.0], [300000.0])
        shutil.copy("/usr/share/proj/BETA2007.gsb", tmp_path / "uk_os_OSTN15_NTv2_OSGBtoETRS.tif")
        runtime.set_grid_directories([str(tmp_path)])
        # The grid is that of Germany, where the British operation is not meant to be used: the point lies outside it.
        chosen = next(row.transformation for row in alidade.TransformationList(here, there)
                      if any("OSTN15" in grid.name for step in row.transformation.steps for grid in step.grids))
        answer = alidade.project_coordinates(here, there, [400000.0], [300000.0], transformation=chosen)
        assert answer.statuses.tolist() == [PointStatus.OUTSIDE_GRID]
        runtime.set_grid_directories([])
        with pytest.raises(alidade.errors.MissingGridError):
            alidade.project_coordinates(here, there, [400000.0], [300000.0], transformation=chosen)
        after = alidade.project_coordinates(here, there, [400000.0], [300000.0])
        assert after.x[0] == before.x[0]


def test_outside_grid(runtime):
    """BETA2007 ends at the German border."""
    here, there = reference(runtime, "EPSG:4314"), reference(runtime, "EPSG:4258")
    chosen = next(row.transformation for row in alidade.TransformationList(here, there)
                  if any("BETA2007" in grid.name for step in row.transformation.steps for grid in step.grids))
    answer = alidade.project_coordinates(here, there, [10.0, 2.35], [52.0, 48.85], transformation=chosen)
    assert answer.statuses.tolist() == [PointStatus.OK, PointStatus.OUTSIDE_GRID]
    assert answer.marks.tolist() == [0, NO_OPERATION]


def test_what_is_no_coordinate(runtime):
    here, there = reference(runtime, "EPSG:4326"), reference(runtime, "EPSG:3857")
    answer = alidade.project_coordinates(
        here, there, [0, np.nan, np.inf, 0, 0, 0], [0, 0, 0, 91, 90, -90.5], [1, 2, 3, 4, 5, np.nan])
    assert answer.statuses.tolist() == [
        PointStatus.OK, PointStatus.NOT_FINITE, PointStatus.NOT_FINITE, PointStatus.INVALID_COORDINATE,
        PointStatus.FAILED, PointStatus.INVALID_COORDINATE]
    assert np.array_equal(answer.z, [1] + [np.nan] * 5, equal_nan=True)


def test_other_worlds(runtime):
    """A point on Mars has no image on the Earth."""
    mars, earth = reference(runtime, "IAU_2015:49900"), reference(runtime, "EPSG:4326")
    with pytest.raises(alidade.errors.ProjectionFailedError):
        alidade.project_coordinates(mars, earth, [0.0], [0.0])
    with pytest.raises(alidade.errors.ProjectionFailedError):
        mars.project([[0.0, 0.0]], earth)


def test_the_identity(runtime):
    world = reference(runtime, "EPSG:4326")
    answer = alidade.project_coordinates(world, reference(runtime, "OGC:CRS84"), [0.1], [0.2], [0.3])
    assert (answer.x[0], answer.y[0], answer.z[0]) == (0.1, 0.2, 0.3) and answer.marks.tolist() == [0]
    assert answer.receipt.flags == ProjectionReceiptFlags.IDENTITY
    row, = answer.receipt.operations
    assert row.transformation is None and row.accuracy_m == 0 and row.point_count == 1


def test_a_transformation_of_a_projstring_takes_degrees(runtime):
    chosen = alidade.Transformation.from_text(runtime, "+proj=utm +zone=32 +ellps=GRS80")
    ours = alidade.project_coordinates(None, None, [9.5], [48.0], transformation=chosen)
    expected = pyproj.Transformer.from_pipeline("+proj=utm +zone=32 +ellps=GRS80").transform(9.5, 48.0)
    assert (ours.x[0], ours.y[0]) == pytest.approx(expected, abs=1e-9)
    back = alidade.project_coordinates(None, None, ours.x, ours.y, transformation=chosen, inverse=True)
    assert (back.x[0], back.y[0]) == pytest.approx((9.5, 48.0), abs=1e-12)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="does not say"):
        world = reference(runtime, "EPSG:4326")
        alidade.project_coordinates(world, world, [9.5], [48.0], transformation=chosen)
