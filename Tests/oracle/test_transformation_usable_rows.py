"""What a list calls usable can be used: in the middle of where it is meant for, a row projects what PROJ's own pipeline
projects, and a row whose pipeline PROJ cannot make names the files that are missing."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pyproj
import pytest
from pairs import Pair, Box, crs_of, on_greenwich_in_degrees, horizontal, pairs
from pyproj.exceptions import ProjError

import alidade
from alidade import SpatialReference, TransformationList, project_coordinates

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning")
PAIR_COUNT = 400
# ITRF91 and the others through the deformation model of New Zealand; triangulations of Finland and Norway.
WITH_FILES = [
    ("EPSG:8991", "EPSG:2123", Box(168.02, -44.4, 170.01, -43.67)),
    ("EPSG:7903", "EPSG:2193", Box(167, -47, 178, -35)),
    ("EPSG:2393", "EPSG:3067", Box(19.5, 59.5, 31.5, 70)),
    ("EPSG:4273", "EPSG:4258", Box(5, 58, 31, 71)),
]


@pytest.fixture(scope="module")
def every():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # After the pairs of the other tests of pairs.
        return [Pair(*pair) for pair in WITH_FILES] + pairs(520 + PAIR_COUNT)[520:]


def makes(pipeline: str) -> pyproj.Transformer | None:
    """PROJ's own operation; None if it makes none, above all for want of a file."""
    try:
        return pyproj.Transformer.from_pipeline(pipeline)
    except ProjError:
        return None


def middle(pair: Pair, area) -> tuple[float, float] | None:
    """The middle of what an operation and both systems are meant for, in the source's coordinates."""
    box = pair.common
    if area is not None and area.west <= area.east:
        box = Box(max(box.west, area.west), max(box.south, area.south), min(box.east, area.east), min(box.north, area.north))
    if box.west > box.east or box.south > box.north:
        return None
    place = (box.west + box.east) / 2, (box.south + box.north) / 2
    source = horizontal(crs_of(pair.source))
    if source.is_geographic:
        unit = math.degrees(source.axis_info[0].unit_conversion_factor)
        return place[0] / unit, place[1] / unit
    try:
        to_source = pyproj.Transformer.from_crs(on_greenwich_in_degrees(source.geodetic_crs), source, always_xy=True)
    except ProjError:
        return None
    found = to_source.transform(*place)
    return found if all(map(math.isfinite, found)) else None


@pytest.fixture(scope="module")
def counts():
    return {"usable": 0, "finite": 0}


@pytest.mark.parametrize("number", range(len(WITH_FILES) + PAIR_COUNT))
def test_usable_rows_project(runtime, every, counts, number):
    pair = every[number]
    source, target = SpatialReference(runtime, pair.source), SpatialReference(runtime, pair.target)
    try:
        rows = [row.transformation for row in TransformationList(source, target)]
    except alidade.errors.ProjectionFailedError:
        return
    for row in rows:
        if not row.is_usable:
            if pair.source in {each[0] for each in WITH_FILES[:2]}:
                assert [grid.name for grid in row.missing_grids] == ["nz_linz_nzgd2000-20180701.json"]
            continue
        proj = makes(row.to_proj())
        assert proj is not None, (str(pair), row.name, row.to_proj())
        assert not row.missing_grids
        area = row.area
        place = middle(pair, None if math.isnan(area.west) else area)
        if place is None:
            continue
        heights = [0.0] if source.info.vertical is not None and target.info.vertical is not None else None
        found = project_coordinates(source, target, [place[0]], [place[1]], heights, transformation=row)
        right = proj.transform(*place, *(heights or []))
        counts["usable"] += 1
        counts["finite"] += bool(np.isfinite(found.x[0]))
        assert np.isfinite(found.x[0]) == all(map(math.isfinite, right[:2])), (str(pair), row.name, place, right)


def test_rows_with_files_are_listed_and_not_usable(runtime):
    """PROJ calls the operations of New Zealand instantiable without their file, and pyproj then finds none to use."""
    source, target = SpatialReference(runtime, "EPSG:8991"), SpatialReference(runtime, "EPSG:2123")
    rows = [row.transformation for row in TransformationList(source, target)]
    with pytest.raises(ProjError):
        pyproj.transformer.TransformerGroup("EPSG:8991", "EPSG:2123", always_xy=True)
    assert len(rows) == 3 and not any(row.is_usable for row in rows)
    with pytest.raises(alidade.errors.MissingGridError, match="nz_linz_nzgd2000-20180701.json"):
        project_coordinates(source, target, [169.0], [-44.0], transformation=rows[0])


def test_nearly_all_of_the_usable_rows_are_finite_in_their_middle(counts):
    assert counts["usable"] == 0 or counts["finite"] >= 0.98 * counts["usable"], counts
