"""
One batch of the job: the numbers against pyproj and rasterio, what becomes of rows that cannot be read, and processes.
"""

from __future__ import annotations

import dataclasses
import os
import struct

import alidade
import measure
import numpy
import point_job
import pyarrow
import pyarrow.parquet
import pyproj
import pyproj.transformer
import pytest
import rasterio
from conftest import batch_of, digest, point

GEOD = pyproj.Geod(ellps="WGS84")
GOOD = [point(-100, 40), point(-75.5, 43.25), point(-121.5, 47.0)]
DAMAGED = {
    None: ("NO_GEOMETRY", "null"),
    point(numpy.nan, numpy.nan): ("NO_GEOMETRY", "empty"),
    point(-100, numpy.nan): ("INVALID_ARGUMENT", "not finite"),
    point(-100, 95): ("INVALID_COORDINATE", "not on the earth"),
    point(10, 50): ("ONLY_BALLPARK", "guess"),
    b"": ("INVALID_ARGUMENT", "byte 0"),
    b"no WKB": ("INVALID_ARGUMENT", "byte"),
    struct.pack("<BII4d", 1, 2, 2, -100, 40, -99, 41): ("INVALID_ARGUMENT", "not a point"),
}


@pytest.fixture(scope="module")
def points(tmp_path_factory):
    """The points of the example, as numbers and as a batch."""
    folder = tmp_path_factory.mktemp("points") / "points"
    measure.write_points(folder, 12_000, 3)
    batch = pyarrow.parquet.read_table(folder).combine_chunks().to_batches()[0]
    known = [wkb if wkb and wkb[1] == 1 else point(numpy.nan, numpy.nan) for wkb in batch["geometry"].to_pylist()]
    return numpy.array([struct.unpack("<dd", wkb[5:]) for wkb in known]), batch


@pytest.fixture(scope="module")
def result(job, points):
    return point_job.run_batch(job, points[1])


def column(result, name):
    return numpy.array(result[name].to_pylist())


def test_the_points_are_where_pyproj_projects_them(points, result):
    """By the operation that each row names. Its choice: PROJ's own, of all operations whose grid files are there."""
    pyproj.datadir.append_data_dir(str(measure.GRIDS))
    with pytest.warns(UserWarning, match="not available"):
        group = pyproj.transformer.TransformerGroup(4267, 4326, always_xy=True, allow_ballpark=False)
    operations = {one.description.split(" + ")[1]: one for one in group.transformers}
    good = column(result, "status") == "OK"
    names = column(result, "operation")
    used = sorted(set(names[good]))
    assert len(used) >= 5, used
    for name in used:
        rows = good & (names == name)
        x, y = operations[name].transform(*points[0][rows].T)
        assert numpy.abs(column(result, "x")[rows].astype(float) - x).max() < 1e-10
        assert numpy.abs(column(result, "y")[rows].astype(float) - y).max() < 1e-10
        assert set(column(result, "accuracy_m")[rows]) == {operations[name].accuracy}
    # Outside of the areas of all operations there is only a guess.
    west, south, east, north = numpy.array([one.area_of_use.bounds for one in group.transformers]).T
    x, y = points[0][:, :1], points[0][:, 1:]
    is_inside = ((x >= west) & (x <= east) & (y >= south) & (y <= north)).any(axis=1)
    is_point = numpy.isin(column(result, "status"), ("OK", "ONLY_BALLPARK"))
    assert (good == is_inside)[is_point].all() and 100 < (is_point & ~good).sum() < 6000


def test_the_cells_are_those_of_rasterio(job, result):
    good = column(result, "status") == "OK"
    xy = numpy.stack([column(result, name)[good].astype(float) for name in "xy"], 1)
    with rasterio.open(job.raster) as raster:
        values = numpy.array([sample[0] for sample in raster.sample(xy)], float)
        is_value = ~numpy.array([numpy.ma.getmaskarray(sample)[0] for sample in raster.sample(xy, masked=True)])
    assert (column(result, "verdict")[good] == numpy.where(is_value, "VALUE", "NODATA")).all()
    assert (column(result, "cell")[good][is_value].astype(float) == values[is_value]).all() and is_value.sum() > 5000


def test_cells_without_a_value(job):
    """On a raster with a broad rim without data, and outside of it: its edges are not straight in longitudes."""
    path = measure.EXAMPLES / "quickstart" / "data" / "RGB.byte.tif"
    generator = numpy.random.default_rng(7)
    sites = numpy.stack([generator.uniform(-79.1, -76.4, 3000), generator.uniform(23.4, 25.7, 3000)], 1)
    result = point_job.run_batch(
        dataclasses.replace(job, raster=str(path), source=4326), batch_of([point(*site) for site in sites])
    )
    with rasterio.open(path) as raster:
        x, y = pyproj.Transformer.from_crs(4326, raster.crs, always_xy=True).transform(*sites.T)
        left, bottom, right, top = raster.bounds
        is_on = (x >= left) & (x < right) & (y > bottom) & (y <= top)
        samples = numpy.ma.concatenate(list(raster.sample(zip(x, y), indexes=[1], masked=True)))
    is_value = is_on & ~numpy.ma.getmaskarray(samples)
    assert min(is_value.sum(), (is_on & ~is_value).sum(), (~is_on).sum()) > 300
    expected = numpy.where(is_value, "VALUE", numpy.where(is_on, "NODATA", "OUTSIDE"))
    assert (column(result, "verdict") == expected).all() and set(column(result, "status")) == {"OK"}
    assert result["cell"].to_pylist() == [float(one) if known else None for one, known in zip(samples.data, is_value)]


def test_the_buffers_are_within_their_deviation(job, result):
    """Their vertices and the middles of their edges, by Karney's geodesics; and their areas."""
    for row in result.to_pylist()[1::40]:
        if row["status"] != "OK":
            continue
        order, kind, rings, count = struct.unpack("<BIII", row["buffer"][:13])
        assert (order, kind, rings) == (1, 3, 1)
        ring = numpy.frombuffer(row["buffer"], "<f8", offset=13).reshape(count, 2)
        edges = numpy.concatenate([ring, (ring[1:] + ring[:-1]) / 2])
        center = numpy.broadcast_to([row["x"], row["y"]], edges.shape)
        distances = GEOD.inv(*center.T, *edges.T)[2]
        assert numpy.abs(distances - job.distance_m).max() <= job.maximum_deviation_m
        area, _ = GEOD.polygon_area_perimeter(*ring[:-1].T)
        assert abs(area) == pytest.approx(row["area_m2"], rel=1e-9)


def test_a_row_depends_on_itself_alone(job, points, result):
    """However the rows are divided and ordered, all bits are the same."""
    batch = points[1].slice(2900, 1300)
    whole = digest(point_job.run_batch(job, batch))
    assert whole == digest(result.slice(2900, 1300))
    for size in (1300 // 3, 11):
        parts = [point_job.run_batch(job, batch[first : first + size]) for first in range(0, len(batch), size)]
        assert digest(pyarrow.concat_batches(parts)) == whole
    assert digest(point_job.run_batch(job, batch.take(pyarrow.array(range(1299, -1, -1))))) == whole


def test_damaged_rows_say_what_is_wrong(job):
    """Each row keeps its position and its id, and does not disturb the others."""
    geometries = [GOOD[0], *list(DAMAGED)[:4], GOOD[1], *list(DAMAGED)[4:], GOOD[2]]
    rows = point_job.run_batch(job, batch_of(geometries)).to_pylist()
    alone = point_job.run_batch(job, batch_of(GOOD)).to_pylist()
    assert [row["id"] for row in rows] == list(range(100, 100 + len(geometries)))
    for geometry, row in zip(geometries, rows):
        if geometry in GOOD:
            assert {**row, "id": 0} == {**alone[GOOD.index(geometry)], "id": 0} and row["message"] is None
            continue
        status, message = DAMAGED[geometry]
        assert row["status"] == status and message in row["message"], row
        assert all(row[name] is None for name in row if name not in ("id", "status", "message")), row


def test_a_batch_of_nothing(job):
    assert point_job.run_batch(job, batch_of([])).num_rows == 0
    assert point_job.run_batch(job, batch_of([None, None])).schema.equals(point_job.RESULT)


def test_points_of_geoarrow(job):
    """Arrays of coordinates instead of WKB, without a copy on the way in."""
    array = alidade.GeometryArray.from_wkb(GOOD)
    exported = array.to_arrow(alidade.arrow.ArrowEncoding.GEOARROW)
    field = pyarrow.field("geometry", pyarrow.array(exported).type, metadata={"ARROW:extension:name": "geoarrow.point"})
    schema = pyarrow.schema([("id", pyarrow.int64()), field])
    batch = pyarrow.record_batch([pyarrow.array([100, 101, 102]), pyarrow.array(exported)], schema=schema)
    assert digest(point_job.run_batch(job, batch)) == digest(point_job.run_batch(job, batch_of(GOOD)))


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        ({"id": [1], "shape": GOOD[:1]}, ValueError, "column 'geometry' is missing; there are 'id', 'shape'"),
        ({"id": [1], "geometry": [7]}, TypeError, "column 'geometry' is of type int64; WKB"),
        ({"id": ["1"], "geometry": GOOD[:1]}, TypeError, "column 'id' is of type string; int64"),
    ],
)
def test_a_wrong_column_is_named(job, columns, error, message):
    with pytest.raises(error, match=message):
        point_job.run_batch(job, pyarrow.record_batch(columns))


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"raster": "/none/such.tif"}, FileNotFoundError, "/none/such.tif"),
        ({"source": 999999}, LookupError, "999999"),
        ({"distance_m": 5e8}, ValueError, "500000000"),
        ({"distance_m": -5.0}, ValueError, "-5"),
        ({"grids": "/none/such"}, NotADirectoryError, "/none/such"),
    ],
)
def test_a_wrong_job_fails_as_a_whole(job, changes, error, message):
    """It is not an error of each of its rows."""
    with pytest.raises(error, match=message):
        point_job.run_batch(dataclasses.replace(job, **changes), batch_of(GOOD))


def test_one_runtime_for_each_process(job):
    """It is created once, and again in a forked child, where the parent's cannot be used."""
    expected = digest(point_job.run_batch(job, batch_of(GOOD)))
    parent = point_job.worker_of(job, os.getpid())
    assert point_job.worker_of(job, os.getpid()) is parent
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            try:
                parent.results(batch_of(GOOD))
            except alidade.errors.ForkedError:
                os.write(write, digest(point_job.run_batch(job, batch_of(GOOD))).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        assert answer.read() == expected
    assert os.waitpid(child, 0)[1] == 0
    assert digest(point_job.run_batch(job, batch_of(GOOD))) == expected
