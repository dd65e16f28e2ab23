"""What the tests of examples/cluster share: its job, and damaged and good points."""

from __future__ import annotations

import struct

import measure
import point_job
import pyarrow
import pytest


@pytest.fixture(scope="session")
def job() -> point_job.Job:
    return point_job.Job(str(measure.RASTER), grids=str(measure.GRIDS))


def point(x: float, y: float) -> bytes:
    return struct.pack("<BIdd", 1, 1, x, y)


def batch_of(geometries: list[bytes | None]) -> pyarrow.RecordBatch:
    ids = pyarrow.array(range(100, 100 + len(geometries)), pyarrow.int64())
    return pyarrow.record_batch({"id": ids, "geometry": pyarrow.array(geometries, pyarrow.binary())})


def digest(batch: pyarrow.RecordBatch) -> str:
    return measure.checksum(pyarrow.Table.from_batches([batch]).sort_by("id"))
