"""Pipes where GDAL's drivers look for files by themselves: no call waits for them.

Which names a driver looks for is not listed here but learned: a file of each driver is opened and read while a library
that is loaded before all others notes each name that the process opens or looks for. Then a pipe is put in the place of
each name in turn.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import alidade
import pytest

from conftest import RASTERS, write_raster

HERE = Path(__file__).parent
SECONDS = 5
# Drivers whose libraries open files past GDAL's file layer. See "What is not covered" in Policy.md.
OWN_OPENERS = {"FITS", "PCRaster", "GPKG", "MBTiles", "SQLite", "netCDF", "HDF4", "HDF5", "BAG"}


def run(jobs, **environment):
    """What each job's file says; None for those that a process did not outlive."""
    said = []
    while len(said) < len(jobs):
        rest = jobs[len(said):]
        done = subprocess.run([sys.executable, "-B", str(HERE / "use_files.py"), str(SECONDS)], text=True,
                              input="".join(json.dumps(job) + "\n" for job in rest), capture_output=True,
                              env={**os.environ, **environment})
        lines = done.stdout.splitlines()
        said += [json.loads(line) for line in lines[1::2]]
        if done.returncode == 0:
            assert len(lines) == 2 * len(rest)
        else:
            assert len(lines) % 2 == 1, f"the process ended before its first job: {done.stderr}"
            job = jobs[len(said)]
            said.append(None if done.returncode == -signal.SIGALRM else f"ended with {done.returncode}")
            restore(job)
    return said


def restore(job):
    """Takes away what a process that was killed left behind."""
    name = job.get("pipe")
    if name and os.path.lexists(name):
        os.unlink(name)
        if os.path.lexists(name + "~"):
            os.rename(name + "~", name)


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """A job for a file of each driver that can make one, and for the rasters that are kept beside the tests."""
    folder = tmp_path_factory.mktemp("drivers")
    done = subprocess.run([sys.executable, "-B", str(HERE / "driver_samples.py"), str(folder)], check=True, text=True,
                          capture_output=True)
    made = json.loads(done.stdout)
    for name in ("MODIS_ARRAY.nc", "rat.img", "red.tif", "RGB.byte.gcp.vrt"):
        place = folder / f"kept-{name}"
        shutil.copytree(RASTERS, place)
        made.append({"content": "raster", "driver": "", "path": str(place / name)})
    jobs = [{"content": one["content"], "path": one["path"],
             "drivers": [one["driver"]] if one["driver"] else []} for one in made]
    jobs += [{"content": "raster", "path": str(folder / "kept-MODIS_ARRAY.nc" / "MODIS_ARRAY.nc"), "drivers": [driver]}
             for driver in ("netCDF", "HDF5")]
    opened = [job for job, said in zip(jobs, run(jobs)) if said == ""]
    assert len({job["drivers"][0] for job in opened if job["drivers"]}) > 60
    return opened


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    library = tmp_path_factory.mktemp("shim") / "opened.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, HERE / "opened.c", "-ldl"],
                   check=True)
    return library


def names(job, shim, log):
    """The names beside a job's file that are looked for when it is read, each with what is done to it."""
    found = set()
    # Where GDAL may not list the folder, it asks for each name.
    for listing in ("FALSE", "TRUE"):
        log.unlink(missing_ok=True)
        assert run([job], LD_PRELOAD=str(shim), OPENED_NAMES=str(log), GDAL_DISABLE_READDIR_ON_OPEN=listing) == [""]
        for line in log.read_text(errors="surrogateescape").splitlines():
            what, _, path = line.partition("\t")
            path = os.path.normpath(path)
            if path.startswith(os.path.dirname(job["path"]) + "/"):
                found.add((what, path))
    return found


@pytest.fixture(scope="module")
def learned(samples, shim, tmp_path_factory):
    log = tmp_path_factory.mktemp("names") / "log"
    return [(job, names(job, shim, log)) for job in samples]


def test_pipes_where_drivers_look(learned):
    cases = []
    for job, found in learned:
        for path in sorted({path for _, path in found}):
            if not os.path.isdir(path) and os.path.isdir(os.path.dirname(path)):
                cases.append({**job, "pipe": path})
    assert len(cases) > 1000
    said = run(cases)
    wrong = [(case["drivers"], case["pipe"], text) for case, text in zip(cases, said)
             if text is None or (text and os.path.basename(case["pipe"]) not in text)]
    assert not wrong, "\n".join(map(str, wrong))
    # Where a pipe lies in the place of the file itself, or of one that is needed, that is said.
    assert sum(1 for text in said if text) > 200


def test_what_opens_files_past_the_rule(learned):
    """The drivers whose libraries open files by themselves are known, and each opens no more than its own file."""
    beside = {(tuple(job["drivers"]), os.path.basename(path)) for job, found in learned for what, path in found
              if what == "open" and path != job["path"]}
    itself = {driver for job, found in learned for what, path in found for driver in job["drivers"] if what == "open"}
    assert beside == set()
    assert itself == OWN_OPENERS & {driver for job, _ in learned for driver in job["drivers"]}
