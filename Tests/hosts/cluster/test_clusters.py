"""
The job on Dask and on Spark: the same bits as in one process, even if a worker process is killed in the middle.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import alidade
import dask_job
import measure
import point_job
import pyarrow
import pytest
import single
import spark_job
from conftest import batch_of, point

ROWS, PARTS, WORKERS = 40_000, 4, 2
TICKS = os.sysconf("SC_CLK_TCK")
LOCAL = functools.partial(spark_job.started, WORKERS)
# An executor of Spark is a JVM of its own here.
EXECUTORS = functools.partial(spark_job.started, WORKERS, "local-cluster[{},1,1024]")
CLUSTERS = {
    "dask": (functools.partial(dask_job.started, WORKERS), dask_job.run),
    "spark": (LOCAL, spark_job.run),
    "spark-executors": (EXECUTORS, spark_job.run),
}


@pytest.fixture(scope="module")
def points(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("cluster") / "points"
    measure.write_points(folder, ROWS, PARTS)
    return folder


@pytest.fixture(scope="module")
def expected(job, points, tmp_path_factory) -> str:
    """The checksum of all rows, from one process."""
    folder = tmp_path_factory.mktemp("single")
    single.run(None, job, points, folder)
    rows = measure.read_results(folder)
    assert rows["id"].to_pylist() == list(range(ROWS))
    assert rows["status"].to_pylist().count("OK") > 0.9 * ROWS
    return measure.checksum(rows)


def descendants(process: int) -> list[int]:
    """The processes that this one has started, and those that they have started."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(folder.name))
    found = list(children.get(process, []))
    for child in found:
        found += children.get(child, [])
    return found


def ticks(process: int) -> int:
    """How long a process has kept a processor busy; 0 if it has ended."""
    try:
        return sum(map(int, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]))
    except OSError:
        return 0


def says(process: int, name: str, text: str) -> bool:
    try:
        return text in Path(f"/proc/{process}/{name}").read_text()
    except OSError:
        return False


class Killer(threading.Thread):
    """Kills one busy process that has the library loaded, when a part of the results is there and others are not.

    With `executor`, it kills the JVM that such a process works for.
    """

    def __init__(self, results: Path, executor: bool = False) -> None:
        super().__init__(daemon=True)
        self.results, self.executor = results, executor
        self.killed: int | None = None
        self.parts_then = 0

    def complete_parts(self) -> int:
        """Spark's are in a folder of their own until the job is complete."""
        return len([*self.results.glob("part-*"), *self.results.glob("_temporary/0/task_*")])

    def run(self) -> None:
        while not self.complete_parts():
            time.sleep(0.01)
        victim = None
        while victim is None:
            victim = self.busy(self.workers(), 0.06)
        # A process may end its task at any moment. Stopped, it keeps the task that it has, or the one that it gets, until
        # the others have nothing left to do: so the kill always hits a task.
        os.kill(victim, signal.SIGSTOP)
        while self.busy([one for one in self.workers() if one != victim], 0.5) is not None:
            pass
        self.parts_then = self.complete_parts()
        os.kill(victim, signal.SIGKILL)
        self.killed = victim

    def workers(self) -> list[int]:
        name, text = ("cmdline", "CoarseGrainedExecutorBackend") if self.executor else ("maps", "libalidade.so")
        return [one for one in descendants(os.getpid()) if says(one, name, text)]

    @staticmethod
    def busy(processes: list[int], seconds: float) -> int | None:
        """The one that uses most of a processor for that long; None if all are idle."""
        before = {one: ticks(one) for one in processes}
        time.sleep(seconds)
        used = {one: ticks(one) - before[one] for one in processes}
        most = max(used, key=used.__getitem__, default=None)
        return most if most is not None and used[most] >= seconds * TICKS / 3 else None


def run_killing(started, run, job, points: Path, results: Path, executor: bool = False) -> int:
    """Runs the job while a worker is killed, and returns how many tasks ran again."""
    with started() as cluster:
        killer = Killer(results, executor)
        killer.start()
        again = run(cluster, job, points, results)
        assert killer.killed is not None and not Path(f"/proc/{killer.killed}/fd/0").exists()
        assert 0 < killer.parts_then < PARTS, "the kill was not in the middle"
    return again


def check(results: Path, expected: str) -> None:
    rows = measure.read_results(results)
    assert rows["id"].to_pylist() == list(range(ROWS)), "rows are lost, or there twice"
    assert measure.checksum(rows) == expected


def runtimes_of_dask(client) -> list[int]:
    """How many runtimes each worker process has created."""
    return list(client.run(lambda: point_job.worker_of.cache_info().misses).values())


def runtimes_of_spark(session) -> list[int]:
    """The same, of the processes that Spark keeps for further tasks."""

    def count(batches):
        for _ in batches:
            yield pyarrow.record_batch({"runtimes": [point_job.worker_of.cache_info().misses]})

    return [row.runtimes for row in session.range(0, 4, 1, 4).mapInArrow(count, "runtimes bigint").collect()]


@pytest.mark.parametrize(("name", "runtimes"), [("dask", runtimes_of_dask), ("spark", runtimes_of_spark)])
def test_the_same_bits_as_in_one_process(name, runtimes, job, points, expected, tmp_path):
    started, run = CLUSTERS[name]
    with started() as cluster:
        assert run(cluster, job, points, tmp_path) == 0
        assert set(runtimes(cluster)) == {1}
    check(tmp_path, expected)


@pytest.mark.parametrize("name", ["dask", "spark", "spark-executors"])
def test_a_worker_is_killed_and_nothing_is_lost(name, job, points, expected, tmp_path):
    started, run = CLUSTERS[name]
    assert run_killing(started, run, job, points, tmp_path) > 0, "no task ran again"
    check(tmp_path, expected)


def test_an_executor_is_killed_and_nothing_is_lost(job, points, expected, tmp_path):
    assert run_killing(EXECUTORS, spark_job.run, job, points, tmp_path, executor=True) > 0, "no task ran again"
    check(tmp_path, expected)


def test_spark_gives_up_if_a_task_may_not_fail(job, points, expected, tmp_path):
    """Why the master of spark_job.py has a second number: without it, Spark on one machine tries once."""
    once = functools.partial(spark_job.started, WORKERS, "local[{}]")
    with pytest.raises(Exception, match="Python worker exited unexpectedly"):
        run_killing(once, spark_job.run, job, points, tmp_path)
    assert not list(tmp_path.glob("part-*"))


def test_dask_says_what_is_wrong(job, points, tmp_path):
    """The driver gets the library's own exception, with the name of the file."""
    missing = dataclasses.replace(job, raster="/none/such.tif")
    started, run = CLUSTERS["dask"]
    with started() as cluster:
        with pytest.raises(alidade.errors.RasterNotFoundError, match="/none/such.tif.*No such file") as caught:
            run(cluster, missing, points, tmp_path)
        assert caught.value.filename == b"/none/such.tif" and caught.value.status is alidade.Status.NOT_FOUND
        # An object of the library cannot travel; the message says what can.
        raster = alidade.Raster(job.raster)
        with pytest.raises(Exception) as refused:
            cluster.submit(lambda: raster.info).result()
        assert "Raster objects cannot be pickled" in chain_of(refused.value)
        assert "Pickle what the object was created from" in chain_of(refused.value)
        # A value can.
        shape = alidade.Geometry.from_wkt("POLYGON((0 0, 1 0, 1 1, 0 0))", 4326)
        assert cluster.submit(lambda: shape.buffer(1)).result() == shape.buffer(1)
    assert not list(tmp_path.glob("part-*"))


def test_spark_says_what_is_wrong(job, points, tmp_path):
    missing = dataclasses.replace(job, raster="/none/such.tif")
    with LOCAL() as session:
        with pytest.raises(RuntimeError) as caught:
            spark_job.run(session, missing, points, tmp_path)
        assert str(caught.value).startswith('alidade.errors.RasterNotFoundError: "/none/such.tif" cannot be opened')
        raster = alidade.Raster(job.raster)
        with pytest.raises(Exception) as refused:
            session.range(1).mapInArrow(lambda batches: [raster.info for _ in batches], "id bigint").collect()
        assert "Pickle what the object was created from" in chain_of(refused.value)
        # Columns under other names.
        one_batch = functools.partial(point_job.run_batch, job)
        wrong = session.range(3).withColumnRenamed("id", "number")
        with pytest.raises(Exception, match="the column 'id' is missing; there are 'number'"):
            wrong.mapInArrow(lambda batches: map(one_batch, batches), spark_job.RESULT).collect()


def chain_of(error: BaseException | None) -> str:
    """The texts of an exception and of those that led to it."""
    texts = []
    while error is not None:
        texts.append(str(error))
        error = error.__cause__ or error.__context__
    return "\n".join(texts)


def test_the_program(tmp_path):
    """measure.py, as a user runs it."""
    options = "--on dask --rows 5000 --parts 3 --workers 1".split()
    program = [sys.executable, str(Path(measure.__file__)), *options]
    done = subprocess.run([*program, "--keep", str(tmp_path / "kept")], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    table = [line.split() for line in lines[1:-1]]
    assert [row[:3] for row in table] == [[name, "1", "5000"] for name in ("single", "threads", "dask")]
    assert {row[-1] for row in table} == {"equal"} and len({row[-2] for row in table}) == 1
    statuses = {one.split()[1]: int(one.split()[0]) for one in lines[-1].partition(": ")[2].split(", ")}
    assert sum(statuses.values()) == 5000 and statuses["NO_GEOMETRY"] == 1 and statuses["INVALID_ARGUMENT"] == 2
    kept = measure.read_results(tmp_path / "kept" / "dask-1")
    assert measure.checksum(kept) == table[-1][-2]
    done = subprocess.run([*program, "--raster", "/none/such.tif"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 2 and done.stderr.strip().startswith('the job failed: "/none/such.tif" cannot be opened')


def test_the_checksum_sees_every_bit(job):
    rows = pyarrow.Table.from_batches([point_job.run_batch(job, batch_of([point(-100, 40), point(-90, 45), None]))])
    digests = {measure.checksum(rows), measure.checksum(rows.slice(1)), measure.checksum(rows.take([1, 0, 2]))}
    for name in rows.column_names:
        values = rows[name].to_pylist()
        change = {
            int: lambda v: v + 1,
            float: lambda v: v * (1 + 2**-52),
            str: lambda v: v + " ",
            bytes: lambda v: v[:-1] + b"!",
        }
        first = next(index for index, value in enumerate(values) if value is not None)
        for new in (change[type(values[first])](values[first]), None):
            changed = [*values[:first], new, *values[first + 1 :]]
            column = pyarrow.array(changed, rows[name].type)
            digests.add(measure.checksum(rows.set_column(rows.column_names.index(name), name, column)))
    for cells in ([5.0, 5.0, None], [5.0, None, 5.0]):
        digests.add(measure.checksum(rows.set_column(6, "cell", pyarrow.array(cells))))
    assert len(digests) == 5 + 2 * rows.num_columns
