"""Lists of transformations against projinfo and pyproj, and what becomes of them when grids come and go.

test_transformation_pair_lists.py holds many more lists against projinfo.
"""

from __future__ import annotations

import math
import pickle
import shutil

import numpy as np
import pyproj
import pytest
from shapely.geometry import Polygon, box
from shapely.validation import make_valid
from pairs import projinfo
from pyproj.transformer import TransformerGroup

import alidade



@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


def reference(runtime: alidade.Runtime, code: int) -> alidade.SpatialReference:
    return alidade.SpatialReference.from_code(runtime, code)


def test_usable_ones_are_listed_beside_better_ones_that_lack_a_grid(runtime):
    """SWEREF99 to ETRF97: two of 5 mm need grids, one of 1 dm goes by way of ETRS89 and needs none."""
    rows = list(alidade.TransformationList(reference(runtime, 3846), reference(runtime, 9066)))
    lines = projinfo("EPSG:3846", "EPSG:9066")
    assert [row.transformation.is_usable for row in rows] == [True, False, False]
    assert sorted("at least one grid missing" not in line for line in lines) == [False, False, True]
    assert f", {rows[0].transformation.name}, 0.1 m, " in next(line for line in lines if "missing" not in line)


def test_facts_are_those_of_pyproj(runtime):
    group = TransformerGroup(27700, 4326)
    rows = {row.transformation.name: row.transformation for row in
            alidade.TransformationList(reference(runtime, 27700), reference(runtime, 4326))}
    assert len(group.transformers) + len(group.unavailable_operations) > 2
    for transformer in group.transformers:
        ours = rows[transformer.description]
        assert ours.accuracy_m == transformer.accuracy or (math.isnan(ours.accuracy_m) and transformer.accuracy == -1)
        if transformer.area_of_use is not None and not ours.is_ballpark:
            assert ours.area == pytest.approx(transformer.area_of_use.bounds)
            assert ours.area_name == transformer.area_of_use.name
    for operation in group.unavailable_operations:
        ours = rows[operation.name]
        assert not ours.is_usable
        assert [grid.name for grid in ours.missing_grids] == [grid.short_name for grid in operation.grids]
        assert [grid.url for grid in ours.missing_grids] == [grid.url for grid in operation.grids]


def test_missing_grid_is_named_both_ways(runtime):
    rows = alidade.TransformationList(reference(runtime, 27700), reference(runtime, 3857))
    [row] = [row for row in rows if not row.transformation.is_usable]
    [grid] = row.transformation.missing_grids
    assert grid.name == "uk_os_OSTN15_NTv2_OSGBtoETRS.tif"
    assert grid.authority_name == "OSTN15_NTv2_OSGBtoETRS.gsb"
    assert grid.url == "https://cdn.proj.org/uk_os_OSTN15_NTv2_OSGBtoETRS.tif"
    assert alidade.transformations.GridFlags.OPEN_LICENSE in grid.flags
    steps = row.transformation.steps
    assert [(step.code, step.is_inverse, step.is_conversion) for step in steps] == [
        ("19916", True, True), ("7710", False, False), ("3856", False, True)]
    assert steps[1].method == "NTv2"


def test_same_datum_is_empty(runtime):
    assert len(alidade.TransformationList(reference(runtime, 4326), reference(runtime, 3857))) == 0
    assert len(alidade.TransformationList(reference(runtime, 27700), reference(runtime, 4277))) == 0


def test_rank_follows_its_rules(runtime):
    for area in (None, [(-3.5, 51.4), (-3.0, 51.6)], [(-6, 57), (-4, 57), (-5, 58.5)]):
        rows = list(alidade.TransformationList(reference(runtime, 27700), reference(runtime, 3857), area=area))
        keys = [
            (row.transformation.is_ballpark, not row.transformation.is_usable, -round(row.area_share * 100),
             math.inf if math.isnan(row.transformation.accuracy_m) else row.transformation.accuracy_m)
            for row in rows
        ]
        assert keys == sorted(keys)
        assert all(row.reason for row in rows)


def test_area_decides(runtime):
    wales = [(-4.5, 52.0), (-3.5, 53.0)]
    scotland = [(-5.0, 57.0), (-4.0, 58.0)]
    pair = reference(runtime, 27700), reference(runtime, 3857)
    names = [
        {row.transformation.name for row in alidade.TransformationList(*pair, area=area) if row.area_share > 0.5}
        for area in (wales, scotland)
    ]
    assert any("OSGB36 to WGS 84 (5)" in name for name in names[0])  # Wales onshore
    assert not any("OSGB36 to WGS 84 (5)" in name for name in names[1])
    assert any("OSGB36 to WGS 84 (4)" in name for name in names[1])  # Scotland
    assert not any("OSGB36 to WGS 84 (4)" in name for name in names[0])


def test_area_across_the_antimeridian(runtime):
    # Fiji lies on both sides.
    pair = reference(runtime, 4720), reference(runtime, 4326)
    across = alidade.TransformationList(*pair, area=[(177.0, -19.0), (-179.0, -16.0)])
    assert across[0].area_share > 0.9
    elsewhere = alidade.TransformationList(*pair, area=[(-30.0, -19.0), (30.0, -16.0)])
    assert all(row.transformation.is_ballpark or row.area_share == 0 for row in elsewhere)


@pytest.mark.parametrize(
    "ring",
    [
        [(-20.0, 40.0), (0.0, 44.0), (0.0, 40.0), (-20.0, 44.0)],
        [(-9.0, 36.0), (3.0, 37.0), (-9.0, 43.0), (3.0, 44.0), (-3.0, 36.0)],
        [(-9.0, 36.0), (3.0, 36.0), (3.0, 44.0), (-9.0, 44.0)],
        [(-20.0, 36.0), (3.0, 40.0), (-20.0, 44.0), (0.0, 40.0)],
    ],
)
def test_area_shares_also_of_rings_that_cross_themselves(runtime, ring):
    """By area on the sphere, which longitudes and sines of latitudes keep; inside is what lies so by the even-odd rule."""
    steps = np.linspace(0, 1, 200, endpoint=False)
    dense = [
        ((1 - t) * x0 + t * x1, math.sin(math.radians((1 - t) * y0 + t * y1)))
        for (x0, y0), (x1, y1) in zip(ring, ring[1:] + ring[:1])
        for t in steps
    ]
    # GEOS's repair by lines goes by the even-odd rule.
    plane = make_valid(Polygon(dense))
    rows = list(alidade.TransformationList(reference(runtime, 4230), reference(runtime, 4258), area=ring))
    assert len(rows) > 5
    for row in rows:
        if row.transformation.is_ballpark:
            continue
        area = row.transformation.area
        south, north = (math.sin(math.radians(latitude)) for latitude in (area.south, area.north))
        expected = plane.intersection(box(area.west, south, area.east, north)).area / plane.area
        assert row.area_share == pytest.approx(expected, abs=0.004), row.transformation.name


def test_texts_read_back_equal(runtime):
    for source, target in ((27700, 3857), (4267, 4269), (31467, 25832), (4326, 28992)):
        for row in alidade.TransformationList(reference(runtime, source), reference(runtime, target)):
            transformation = row.transformation
            texts = []
            if transformation.is_usable:
                # PROJ creates an operation from a string only if its grids are there.
                texts.append(transformation.to_proj())
            turned = any("Helmert" in step.wkt or "rotation" in step.method or "vector" in step.method or
                         "translations" in step.method for step in transformation.steps if step.is_inverse)
            if not turned:
                # PROJ writes the inverse of a Helmert step with negated parameters.
                texts += [transformation.to_wkt(), transformation.to_projjson()]
            for text in texts:
                again = alidade.Transformation.from_text(runtime, text)
                assert again.is_equivalent(transformation), text


def test_inverse_runs_back_exactly(runtime):
    """Every point comes back: the inverse runs the same steps backwards. Not to the last digit: in two dimensions the
    height that a change of ellipsoid makes is dropped each way, which moves a point by up to some millimetres."""
    for source, target, place in ((27700, 3857, (530000.0, 180000.0)), (4326, 28992, (5.4, 52.1))):
        for row in alidade.TransformationList(reference(runtime, source), reference(runtime, target)):
            if not row.transformation.is_usable:
                continue
            there = pyproj.Transformer.from_pipeline(row.transformation.to_proj())
            back = pyproj.Transformer.from_pipeline(row.transformation.inverse().to_proj())
            assert back.transform(*there.transform(*place)) == pytest.approx(place, rel=0, abs=0.005 if place[0] > 1000 else 5e-8)


def test_equality_survives_listing_again(runtime):
    pair = reference(runtime, 27700), reference(runtime, 3857)
    first, second = alidade.TransformationList(*pair), alidade.TransformationList(*pair, area=[(-3.5, 51.4), (-3, 51.6)])
    chosen = first[2].transformation
    assert sum(row.transformation.is_equivalent(chosen) for row in first) == 1
    assert sum(row.transformation.is_equivalent(chosen) for row in second) == 1


def test_inverse_of_the_inverse(runtime):
    for row in alidade.TransformationList(reference(runtime, 27700), reference(runtime, 3857)):
        back = row.transformation.inverse()
        assert back.inverse().is_equivalent(row.transformation)
        assert not back.is_equivalent(row.transformation) or row.transformation.to_proj() == "+proj=noop"


def test_steps_make_one(runtime):
    there = alidade.Transformation.from_code(runtime, 1314)  # OSGB36 to WGS 84 (6)
    whole = alidade.Transformation.from_steps([there, there.inverse()])
    assert whole.accuracy_m == 2 * there.accuracy_m
    assert [step.is_inverse for step in whole.steps] == [False, True]
    with pytest.raises(alidade.errors.InvalidArgumentError, match="do not follow each other"):
        alidade.Transformation.from_steps([there, there])


def test_a_projstring_is_run_as_it_is(runtime):
    # PROJ reads "+proj=utm +inv" as an operation that is already inverted; to invert it by hand would change nothing.
    turned = alidade.Transformation.from_text(runtime, "+proj=utm +zone=33 +inv")
    with pytest.raises(alidade.errors.UnsupportedError, match="PROJ string"):
        turned.inverse()
    with pytest.raises(alidade.errors.UnsupportedError, match="PROJ string"):
        alidade.Transformation.from_steps([turned, turned])


def test_errors_have_projs_words(runtime):
    with pytest.raises(alidade.errors.NotFoundError):
        alidade.Transformation.from_code(runtime, 99999999)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        alidade.Transformation.from_text(runtime, "COORDINATEOPERATION[")
    with pytest.raises(alidade.errors.InvalidArgumentError, match="another kind of object"):
        alidade.Transformation.from_text(runtime, "EPSG:4326")
    with pytest.raises(alidade.errors.MissingGridError, match="nowhere.gsb"):
        alidade.Transformation.from_text(runtime, "+proj=hgridshift +grids=nowhere.gsb")


@pytest.fixture
def grid_folder(tmp_path):
    """A folder with a real grid that the installed PROJ does not have, under the authority's name for it."""
    beta = "/usr/share/proj/BETA2007.gsb"
    folder = tmp_path / "grids"
    folder.mkdir()
    shutil.copyfile(beta, folder / "uk_os_OSTN15_NTv2_OSGBtoETRS.tif")
    return folder


def test_grids_come_and_go(grid_folder):
    with alidade.Runtime() as here, alidade.Runtime() as elsewhere:
        def usable(runtime):
            rows = alidade.TransformationList(reference(runtime, 27700), reference(runtime, 3857))
            return [row.transformation for row in rows if "(9)" in row.transformation.name][0], rows

        transformation, rows = usable(here)
        other, other_rows = usable(elsewhere)
        assert not transformation.is_usable and not other.is_usable
        here.set_grid_directories([grid_folder])
        assert transformation.is_usable
        events = [event for event in here.events() if isinstance(event, alidade.events.TransformationChanged)]
        assert any(event.concerns(transformation) and event.is_usable for event in events)
        assert str(grid_folder) in here.report()["proj"]["grid_folders"][0]["path"]
        assert not transformation.missing_grids
        assert not other.is_usable
        # The new rank: it is the most accurate one, and covers all of the area.
        assert usable(here)[1][0].transformation.is_equivalent(transformation)
        here.set_grid_directories([])
        assert not transformation.is_usable


@pytest.mark.parametrize("source, target, z", [
    ("EPSG:4326+5773", "EPSG:4979", 148.02935028),
    ("EPSG:4979", "EPSG:4326+5773", 51.97064972),
    ("EPSG:4258+5773", "EPSG:4979", 148.02935028),
])
def test_geoid_heights_read_back_from_wkt(runtime, source, target, z):
    """PROJ writes them as WKT with a PROJ string for a method, latitude first. Expected heights: cs2cs."""
    ends = [alidade.SpatialReference(runtime, text) for text in (source, target)]
    row = next(row for row in alidade.TransformationList(*ends) if row.transformation.is_usable)
    again = alidade.Transformation.from_text(runtime, row.transformation.to_wkt())
    assert again.is_equivalent(row.transformation)
    for pair in (ends, (None, None)):
        projected = alidade.project_coordinates(*pair, 10.0, 50.0, 100.0, transformation=again)
        assert (projected.x[0], projected.y[0]) == pytest.approx((10.0, 50.0), abs=1e-12)
        assert projected.z[0] == pytest.approx(z, abs=1e-7)


def test_what_is_read_back_from_wkt_names_its_missing_grids(runtime):
    pair = [alidade.SpatialReference(runtime, text) for text in ("EPSG:6318+5703", "EPSG:4979")]
    row = next(row for row in alidade.TransformationList(*pair) if not row.transformation.is_usable)
    again = alidade.Transformation.from_text(runtime, row.transformation.to_wkt())
    assert not again.is_usable
    assert [grid.name for grid in again.missing_grids] == [grid.name for grid in row.transformation.missing_grids]


@pytest.mark.parametrize("pair", [("EPSG:9990", "EPSG:6810"), ("EPSG:8996", "EPSG:7606"), ("EPSG:4326", "EPSG:27700"),
                                  ("EPSG:4267", "EPSG:4326")], ids=str)
def test_texts_can_be_read_again_or_are_not_written(pair):
    """PROJ writes WKT 2 that it does not read; a copy by pickle does what the original does."""
    refused = 0
    for row in list(alidade.TransformationList(*pair))[:4]:
        transformation = row.transformation
        for write in (transformation.to_wkt, transformation.to_projjson, transformation.to_proj):
            try:
                text = write()
            except alidade.errors.UnsupportedError:
                refused += write == transformation.to_wkt
                continue
            if transformation.is_usable:
                alidade.Transformation.from_text(text)
        if transformation.is_usable:
            copy = pickle.loads(pickle.dumps(transformation))
            assert copy == transformation and copy.to_proj() == transformation.to_proj()
    assert refused > 0 or pair[0] in ("EPSG:4326", "EPSG:4267")
