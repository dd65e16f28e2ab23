"""The work of one batch of points: an Arrow record batch in, an Arrow record batch out, with a row for each row.

Each point is projected, gets the value of the raster's cell under it, and a geodesic buffer with its area. What goes wrong
in a row is in the columns `status` and `message` of that row. A row of the result depends on its own row alone, so the
numbers are the same however a cluster divides the rows.
"""
import functools
import os
import uuid
from dataclasses import dataclass
from pathlib import Path

import alidade
import numpy
import pyarrow
import pyarrow.parquet
from alidade.coordinates import PointStatus
from alidade.errors import InvalidArgumentError, ProjectionFailedError, UnsupportedError
from alidade.geometry import GeometryKind
from alidade.rasters import CellVerdict

RESULT = pyarrow.schema([
    ("id", pyarrow.int64()), ("x", pyarrow.float64()), ("y", pyarrow.float64()), ("operation", pyarrow.string()),
    ("accuracy_m", pyarrow.float64()), ("verdict", pyarrow.string()), ("cell", pyarrow.float64()),
    ("area_m2", pyarrow.float64()), ("buffer", pyarrow.binary()), ("status", pyarrow.string()),
    ("message", pyarrow.string())])

# Errors that one row can cause. All others, such as a file that cannot be read, are errors of the whole job.
ROW_ERRORS = (InvalidArgumentError, ProjectionFailedError, UnsupportedError)
BATCH_ROWS = 10_000
MESSAGES = {
    PointStatus.OK: None,
    PointStatus.FAILED: "the point has no image in the target",
    PointStatus.ONLY_BALLPARK: "no operation is known here, and a guess is refused",
    PointStatus.MISSING_GRID: "the operation lacks its grid file",
    PointStatus.INVALID_COORDINATE: "a coordinate is not on the earth",
}


@dataclass(frozen=True)
class Job:
    """What a cluster sends to its workers: plain values. Objects of the library belong to one process."""

    # A path on the workers.
    raster: str
    source: int = 4267
    target: int = 4326
    distance_m: float = 25_000.0
    maximum_deviation_m: float = 25.0
    # A folder on the workers with grid files for transformations.
    grids: str | None = None
    # A cluster has a process for each processor. A process alone may use all processors.
    threads: int = 1

    def __post_init__(self):
        if not self.distance_m > 0:
            raise ValueError(f"distance_m is {self.distance_m}; it must be greater than 0")


class Worker:
    """What a process keeps from batch to batch: one runtime, and what was opened with it."""

    def __init__(self, job):
        self.job = job
        self.runtime = alidade.Runtime(thread_count=job.threads)
        if job.grids and not os.path.isdir(job.grids):
            # Without its grid files, this worker would choose other operations than the others.
            raise NotADirectoryError(f"{job.grids}: this worker has no such folder of grid files")
        self.runtime.set_grid_directories([job.grids] if job.grids else [])
        self.raster = alidade.Raster(self.runtime, job.raster)
        self.source = alidade.SpatialReference(self.runtime, job.source)
        self.target = alidade.SpatialReference(self.runtime, job.target)
        # A batch without a point: what is wrong with the job is an error here, and not again in each row.
        self.results(pyarrow.record_batch({"id": [0], "geometry": pyarrow.array([None], pyarrow.binary())}))

    def results(self, batch):
        """The rows of a batch; raises one of ROW_ERRORS if a row cannot be read."""
        points = self.points(batch)
        columns = points.columns
        has_point = ~points.is_empty
        if (columns.kinds[has_point] != GeometryKind.POINT).any():
            raise InvalidArgumentError(alidade.Status.INVALID_ARGUMENT, "the geometry is not a point")
        # Without strict, points far from all operations would be projected as if the datums were equal.
        projected = points.project(self.target, strict=True, empty_failed=True)
        is_good = has_point & (projected.geometry_statuses == PointStatus.OK)
        xy = numpy.full((len(batch), 2), numpy.nan)
        xy[is_good] = projected.array.columns.xy
        used = projected.receipt.operations
        operation = numpy.zeros(len(batch), numpy.int64)
        operation[is_good] = projected.marks[is_good[has_point]]
        band = self.raster.read_points(xy, self.target).values[:, 0]
        verdict = band["verdict"]
        buffers = projected.array.geodesic_buffers(self.job.distance_m,
                                                   maximum_deviation=self.job.maximum_deviation_m)
        statuses = [PointStatus(status) for status in projected.geometry_statuses.tolist()]
        return pyarrow.record_batch([
            batch.column("id"),
            pyarrow.array(xy[:, 0], mask=~is_good),
            pyarrow.array(xy[:, 1], mask=~is_good),
            chosen([one.name for one in used], pyarrow.string(), operation, is_good),
            chosen([one.accuracy_m for one in used], pyarrow.float64(), operation, is_good),
            chosen([one.name for one in CellVerdict], pyarrow.string(), verdict, is_good),
            pyarrow.array(band["scaled"], mask=verdict != CellVerdict.VALUE),
            pyarrow.array(buffers.areas(geodesic=True), mask=~is_good),
            where(buffers, is_good),
            pyarrow.array([one.name if there else "NO_GEOMETRY" for one, there in zip(statuses, has_point)]),
            pyarrow.array([MESSAGES.get(one, one.name) if there else "the geometry is null or empty"
                           for one, there in zip(statuses, has_point)], pyarrow.string()),
        ], schema=RESULT)

    def points(self, batch):
        """The column of geometries: WKB, or a type of GeoArrow, which the metadata of the column names."""
        is_plain = batch.schema.field("geometry").metadata is None
        column = batch.column("geometry") if is_plain else batch.select(["geometry"])
        return alidade.GeometryArray.from_arrow(self.runtime, column, self.source)


def chosen(values, kind, indexes, is_good):
    """A column of a few values, by their indexes; null in rows that are not good."""
    return pyarrow.array(values, kind).take(pyarrow.array(indexes, pyarrow.int64(), mask=~is_good))


def where(geometries, is_good):
    """Geometries as a column of WKB, null in rows that are not good: the library's own memory, with other nulls."""
    column = pyarrow.array(geometries)
    bits = pyarrow.py_buffer(numpy.packbits(is_good, bitorder="little"))
    return pyarrow.Array.from_buffers(column.type, len(column), [bits, *column.buffers()[1:]]).cast(pyarrow.binary())


@functools.lru_cache(maxsize=1)
def worker_of(job, process):
    """One worker for each process, created at first use, and again in a process that was forked from another."""
    return Worker(job)


def run_batch(job, batch):
    """The result of a batch, in the order of its rows."""
    check_columns(batch.schema)
    return pyarrow.concat_batches(halved(worker_of(job, os.getpid()), batch))


def halved(worker, batch):
    """The results of a batch. If a row cannot be read, the batch is halved until that row is alone."""
    try:
        return [worker.results(batch)]
    except ROW_ERRORS as error:
        if len(batch) > 1:
            middle = len(batch) // 2
            return [*halved(worker, batch[:middle]), *halved(worker, batch[middle:])]
        row = dict.fromkeys(RESULT.names) | {"id": batch["id"][0], "status": error.status.name, "message": error.message}
        return [pyarrow.RecordBatch.from_pylist([row], RESULT)]


def check_columns(schema):
    for name, kinds, wanted in (("id", (pyarrow.int64(),), "int64"),
                                ("geometry", (pyarrow.binary(), pyarrow.large_binary()), "WKB in binary, or GeoArrow")):
        if name not in schema.names:
            raise ValueError(f"the column {name!r} is missing; there are {', '.join(map(repr, schema.names))}")
        field = schema.field(name)
        if field.type not in kinds and b"ARROW:extension:name" not in (field.metadata or {}):
            raise TypeError(f"the column {name!r} is of type {field.type}; {wanted} is wanted")


def run_part(job, source, target):
    """Runs the batches of a file, and writes the results into another. Returns the number of rows.

    The file gets its name when it is complete, so a part that runs again after its worker was killed leaves one file.
    """
    unfinished = Path(target).with_name(f".{Path(target).name}.{uuid.uuid4()}")
    rows = 0
    with pyarrow.parquet.ParquetFile(source) as points, pyarrow.parquet.ParquetWriter(unfinished, RESULT) as writer:
        for batch in points.iter_batches(BATCH_ROWS):
            writer.write_batch(run_batch(job, batch))
            rows += len(batch)
    os.replace(unfinished, target)
    return rows
