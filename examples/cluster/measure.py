#!/usr/bin/python3
"""Runs one job in one process, with one thread and with several, and on Dask and Spark; compares time and results.

    measure.py [--on dask|spark]... [--rows 200000] [--parts 16] [--workers 2] [--keep FOLDER]

Prints a table. Ends with 1 if a row is lost, or there twice, or a bit differs. examples/cluster/run sets up what it needs and runs it.
"""
import argparse
import collections
import contextlib
import dataclasses
import hashlib
import importlib
import sys
import tempfile
import time
from pathlib import Path

import alidade
import numpy
import point_job
import psutil
import pyarrow
import pyarrow.compute
import pyarrow.parquet
import single

EXAMPLES = Path(__file__).resolve().parents[1]
RASTER = EXAMPLES / "world_identify" / "data" / "elevation.tif"
GRIDS = EXAMPLES / "transformations" / "grids"
# North America and the sea around it.
WEST, EAST, SOUTH, NORTH = -130.0, -60.0, 20.0, 55.0
WKB_POINT = numpy.dtype([("order", "u1"), ("kind", "<u4"), ("x", "<f8"), ("y", "<f8")])


def write_points(folder, rows, parts, seed=1):
    """Writes points in NAD27 into files; every thousandth row is damaged, in one of four ways."""
    generator = numpy.random.default_rng(seed)
    wkb = numpy.zeros(rows, WKB_POINT)
    wkb["order"], wkb["kind"] = 1, 1
    wkb["x"], wkb["y"] = generator.uniform(WEST, EAST, rows), generator.uniform(SOUTH, NORTH, rows)
    wkb["y"][::4000] = 95.0
    wkb["x"][1000::4000] = numpy.nan
    wkb["kind"][2000::4000] = 99
    geometries = pyarrow.FixedSizeBinaryArray.from_buffers(
        pyarrow.binary(WKB_POINT.itemsize), rows, [None, pyarrow.py_buffer(wkb)]).cast(pyarrow.binary())
    is_null = numpy.zeros(rows, bool)
    is_null[3000::4000] = True
    geometries = pyarrow.compute.if_else(pyarrow.array(is_null), None, geometries)
    table = pyarrow.table({"id": numpy.arange(rows), "geometry": geometries})
    folder.mkdir(parents=True)
    for number, ids in enumerate(numpy.array_split(numpy.arange(rows), parts)):
        part = table.slice(ids[0], len(ids)) if len(ids) else table.slice(0, 0)
        pyarrow.parquet.write_table(part, folder / f"part-{number:05}.parquet")


def read_results(folder):
    """The rows of a run in the order of their ids, whichever worker wrote them."""
    return pyarrow.parquet.read_table(folder).select(point_job.RESULT.names).cast(point_job.RESULT).sort_by("id")


def checksum(table):
    """A digest of all bits of all columns, and of what is null."""
    digest = hashlib.sha256()
    for column in table.columns:
        values = column.combine_chunks()
        digest.update(values.is_null().to_numpy(zero_copy_only=False))
        for buffer in values.drop_null().buffers()[1:]:
            digest.update(buffer)
    return digest.hexdigest()[:12]


def processor_seconds():
    """How long this process, and all that it has started, have kept processors busy."""
    this = psutil.Process()
    return sum(sum(one.cpu_times()[:4]) for one in [this, *this.children(recursive=True)])


def measured(job, points, results, driver, workers):
    """Runs the job: the seconds, the seconds of processors, and how many tasks ran again.

    Without the time in which a cluster and its workers start.
    """
    results.mkdir()
    with driver.started(workers) as cluster, tempfile.TemporaryDirectory() as name:
        first = Path(name)
        write_points(first / "points", 100 * workers, workers)
        (first / "results").mkdir()
        driver.run(cluster, job, first / "points", first / "results")
        beginning, before = time.perf_counter(), processor_seconds()
        again = driver.run(cluster, job, points, results)
        return time.perf_counter() - beginning, processor_seconds() - before, again


def compare(job, folder, clusters, most_workers):
    """Prints a line for each run. Returns whether all of them have the same rows with the same bits."""
    runs = [("single", 1, single, job), ("threads", most_workers, single, dataclasses.replace(job, threads=most_workers))]
    for name in clusters:
        driver = importlib.import_module(f"{name}_job")
        runs += [(name, workers, driver, job) for workers in range(1, 1 + most_workers)]
    print(f"{'':8}{'workers':>8}{'rows':>9}{'seconds':>9}{'speed-up':>10}{'processor':>11}{'run again':>11}  checksum")
    alone = None
    is_same = True
    for name, workers, driver, its_job in runs:
        results = folder / f"{name}-{workers}"
        seconds, processor, again = measured(its_job, folder / "points", results, driver, workers)
        rows = read_results(results)
        digest = checksum(rows)
        alone = alone or (seconds, digest)
        is_same &= digest == alone[1]
        print(f"{name:8}{workers:8}{len(rows):9}{seconds:9.2f}{alone[0] / seconds:10.2f}{processor:11.2f}{again:11}  {digest} "
              f"{'equal' if digest == alone[1] else 'DIFFERENT'}", flush=True)
    statuses = collections.Counter(rows["status"].to_pylist())
    print("rows by status: " + ", ".join(f"{count} {status}" for status, count in statuses.most_common()))
    return is_same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--on", action="append", choices=["dask", "spark"], help="a cluster; may be repeated; default: both")
    parser.add_argument("--rows", type=int, default=200_000, help="how many points")
    parser.add_argument("--parts", type=int, default=16, help="how many files the points are in: the tasks of a cluster")
    parser.add_argument("--workers", type=int, default=2, help="the most worker processes, or threads")
    parser.add_argument("--raster", type=Path, default=RASTER, help="the raster with the cells")
    parser.add_argument("--distance", type=float, default=25_000, help="of the buffers, in metres")
    parser.add_argument("--keep", type=Path, help="a new folder for the points and the results; default: a temporary one")
    given = parser.parse_args()
    job = point_job.Job(str(given.raster), distance_m=given.distance, grids=str(GRIDS))
    with contextlib.nullcontext(given.keep) if given.keep else tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_points(folder / "points", given.rows, given.parts)
        try:
            return 0 if compare(job, folder, given.on or ["dask", "spark"], given.workers) else 1
        except (alidade.AlidadeError, RuntimeError) as error:
            print(f"the job failed: {error}", file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main())
