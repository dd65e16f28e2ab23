#!/usr/bin/python3
"""Opens files and reads all that they hold, each within a time: what may hang or crash runs here.

Reads jobs from the standard input, one JSON object per line: {"content": "raster", "path": ..., "drivers": [...]}. With
"pipe": ... in it, a pipe of that name lies there meanwhile, in the place of what may lie there else.
Writes one line before each job, its number, and one after it: a JSON text, empty if all went well, else the error. A job
that takes longer than the time given as the first argument ends the process by SIGALRM.
"""
import contextlib
import json
import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings" / "python"))
import alidade  # noqa: E402


def use_raster(runtime, path):
    with alidade.Raster(runtime, path) as raster:
        info = raster.info
        for band in range(1, min(info.band_count, 3) + 1):
            raster.band(band)
            raster.overview_sizes(band)
        raster.read_cells([(0, 0), (info.width - 1, info.height - 1), (info.width // 2, info.height // 2)])
        raster.table_columns(1)
        if raster.spatial_reference is not None:
            raster.outline()


def use_features(runtime, path):
    with alidade.FeatureSource(runtime, path) as source:
        with source.query() as found:
            for number, feature in enumerate(found):
                if number == 10:
                    break
                feature.geometry


@contextlib.contextmanager
def pipe(name):
    """A pipe that nobody writes into. A process that dies leaves what lay there as name + "~"."""
    if name is None:
        yield
        return
    was_there = os.path.lexists(name)
    if was_there:
        os.rename(name, name + "~")
    os.mkfifo(name)
    try:
        yield
    finally:
        os.unlink(name)
        if was_there:
            os.rename(name + "~", name)


def main(seconds):
    runtimes = {}
    for number, line in enumerate(sys.stdin):
        job = json.loads(line)
        drivers = tuple(job["drivers"])
        if drivers not in runtimes:
            policy = alidade.Policy(drivers=drivers or None, add_drivers=True)
            runtimes[drivers] = alidade.Runtime(thread_count=1, policy=policy)
        print(number, flush=True)
        # For those who watch which names the process looks for.
        os.path.lexists(f"/job/{number}")
        signal.alarm(seconds)
        try:
            with pipe(job.get("pipe")):
                (use_raster if job["content"] == "raster" else use_features)(runtimes[drivers], job["path"])
            said = ""
        except (alidade.AlidadeError, OSError) as error:
            said = f"{type(error).__name__}: {error}"
        signal.alarm(0)
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
