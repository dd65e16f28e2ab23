"""Pipes where GDAL's drivers look for files by themselves: no call waits for them.

Which names a driver looks for is not listed here but learned: a file of each driver is opened and read while a library
that is loaded before all others notes each name that the process opens or looks for. Then each name in turn is replaced
by a pipe.
"""
import json
import os
import socket
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import alidade
import numpy
import pytest
import rasterio
from osgeo import gdal

from children import run
from conftest import cells, source, vrt, write_raster

HERE = Path(__file__).parent
# Drivers whose libraries open files past GDAL's file layer. See "What is not covered" in Policy.md.
OWN_OPENERS = {"FITS", "PCRaster", "GPKG", "MBTiles", "SQLite", "netCDF", "HDF4", "HDF5"}


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    library = tmp_path_factory.mktemp("shim") / "opened.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, HERE / "opened.c", "-ldl"],
                   check=True)
    return library


@pytest.fixture(scope="module")
def learned(driver_files, shim, tmp_path_factory):
    """Each job with the names next to its file that are looked for, and what is done to each."""
    log = tmp_path_factory.mktemp("names") / "log"
    found = [set() for _ in driver_files]
    # Where GDAL may not list the folder, it asks for each name.
    for listing in ("FALSE", "TRUE"):
        log.unlink(missing_ok=True)
        said = run(driver_files, LD_PRELOAD=str(shim), OPENED_NAMES=str(log), GDAL_DISABLE_READDIR_ON_OPEN=listing)
        assert all(one.said == "" for one in said)
        number = 0
        for line in log.read_text(errors="surrogateescape").splitlines():
            what, _, path = line.partition("\t")
            path = os.path.normpath(path)
            if path.startswith("/job/"):
                number = int(path.removeprefix("/job/"))
            if path.startswith(os.path.dirname(driver_files[number]["path"]) + "/"):
                found[number].add((what, path))
    return list(zip(driver_files, found))


def test_pipes_where_drivers_look(learned):
    cases = []
    for job, found in learned:
        for path in sorted({path for _, path in found}):
            if not os.path.isdir(path) and os.path.isdir(os.path.dirname(path)):
                cases.append({**job, "pipe": path})
    assert len(cases) > 1000
    print(f"\ntries: {len(cases)}")
    said = [one.said for one in run(cases)]
    wrong = [(case["drivers"], case["pipe"], text) for case, text in zip(cases, said)
             if text is None or (text and os.path.basename(case["pipe"]) not in text)]
    assert not wrong, "\n".join(map(str, wrong))
    # Where a pipe replaces the file itself, or a file that is needed, the error says so.
    assert sum(1 for text in said if text) > 200


def test_what_opens_files_past_the_rule(learned):
    """The drivers whose libraries open files by themselves are known, and each opens no more than its own file."""
    beside = {(tuple(job["drivers"]), os.path.basename(path)) for job, found in learned for what, path in found
              if what == "open" and path != job["path"]}
    itself = {driver for job, found in learned for what, path in found for driver in job["drivers"] if what == "open"}
    assert beside == set()
    assert itself == OWN_OPENERS & {driver for job, _ in learned for driver in job["drivers"]}


def placed(folder):
    """A raster that has its location from a world file."""
    folder.mkdir(exist_ok=True)
    path = folder / "a.tif"
    with rasterio.open(path, "w", driver="GTiff", width=2, height=2, count=1, dtype="uint8") as file:
        file.write(numpy.array([[[1, 2], [3, 4]]], dtype="uint8"))
    path.with_suffix(".tfw").write_text("30\n0\n0\n-30\n500015\n4999985\n")
    return path


def replaced(path, ending, make):
    """Replaces a file next to another; returns its path."""
    other = path.with_suffix(ending)
    other.unlink(missing_ok=True)
    make(other)
    return other


def make_socket(path):
    here = os.getcwd()
    os.chdir(path.parent)  # the name of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


@pytest.mark.parametrize("make", [os.mkfifo, make_socket, lambda path: path.symlink_to("/dev/zero"),
                                  lambda path: path.symlink_to("/dev/null")])
def test_what_is_no_file(runtime, tmp_path, make):
    path = placed(tmp_path)
    with alidade.Raster(runtime, path) as raster:
        assert raster.info.geotransform[1] == 30
    other = replaced(path, ".tfw", make)
    with pytest.raises(alidade.errors.UnsupportedError, match=str(other)):
        alidade.Raster(runtime, path)


def test_what_no_driver_looks_for(runtime, tmp_path):
    """Pipes and sockets in the folder, as in /tmp, do not keep files from being opened."""
    path = placed(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    make_socket(tmp_path / "socket")
    (tmp_path / "device").symlink_to("/dev/zero")
    with alidade.Raster(runtime, path) as raster:
        assert cells(raster)[0, 0] == 1


def test_links_out_of_the_folder(tmp_path):
    """The target of a sidecar is checked against the policy, as the names in a file are."""
    path = placed(tmp_path / "data")
    elsewhere = tmp_path / "elsewhere" / "a.tfw"
    elsewhere.parent.mkdir()
    elsewhere.write_text(path.with_suffix(".tfw").read_text())
    other = replaced(path, ".tfw", lambda other: other.symlink_to(elsewhere))
    with alidade.Runtime() as runtime:
        with pytest.raises(alidade.errors.PolicyRefusedError, match=f'{other}.*{elsewhere}.*rule: folders'):
            alidade.Raster(runtime, path)
    with alidade.Runtime(policy=alidade.Policy(data_directories=[elsewhere.parent])) as runtime:
        with alidade.Raster(runtime, path) as raster:
            assert raster.info.geotransform[1] == 30


def test_a_link_to_a_file_with_its_sidecars(runtime, tmp_path):
    """Sidecars may lie next to a link, and lead to where the file itself lies."""
    path = placed(tmp_path / "data")
    links = tmp_path / "links"
    links.mkdir()
    for file in (path, path.with_suffix(".tfw")):
        (links / file.name).symlink_to(file)
    with alidade.Raster(runtime, links / path.name) as raster:
        assert raster.info.geotransform[1] == 30


def test_archives(tmp_path):
    """What lies in an archive is in the archive's file."""
    path = placed(tmp_path / "data")
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for part in (path, path.with_suffix(".tfw")):
            file.write(part, f"inside/{part.name}")
    with alidade.Runtime(policy=alidade.Policy(vsi_prefixes=["/vsizip/"])) as runtime:
        with alidade.Raster(runtime, f"/vsizip/{archive}/inside/a.tif") as raster:
            assert raster.info.geotransform[1] == 30
            assert cells(raster)[1, 1] == 4


def test_pipes_made_after_opening(runtime, tmp_path):
    """What GDAL looks for when cells are first read."""
    folder = tmp_path / "inside"
    write_raster(folder / "a.tif")
    path = tmp_path / "a.vrt"
    path.write_text(vrt(source("inside/a.tif")))
    for ending in (".ovr", ".msk", ".aux.xml"):
        with alidade.Raster(runtime, path) as raster:
            os.mkfifo(folder / f"a.tif{ending}")
            try:
                raster.read_cells([(0, 0)])
            except alidade.AlidadeError as error:
                assert f"a.tif{ending}" in str(error)
        os.unlink(folder / f"a.tif{ending}")


def test_charts_of_which_gdal_opens_a_file_by_itself(runtime, tmp_path):
    """The only file next to another that GDAL opens past its own file layer."""
    path = tmp_path / "chart.nos"
    path.write_bytes(b"NOS/VER=1.0\r\nNOS/NA=a,NU=1,RA=2,2,DU=254\r\nRGB/1,0,0,0\r\nIFM/1\r\n\x1a\x00\x01"
                     + b"\x01\x82\x00\x02\x82\x00" + (54).to_bytes(4, "big"))
    os.mkfifo(tmp_path / "chart.geo")
    with pytest.raises(alidade.errors.UnsupportedError, match="chart.geo"):
        alidade.Raster(runtime, path)


def test_another_user_of_gdal_waits_as_before(runtime, tmp_path):
    """The rule does not concern others who use GDAL in the process: theirs is a pipe with a writer."""
    name = tmp_path / "pipe.asc"
    os.mkfifo(name)
    text = b"ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n"
    writer = threading.Thread(target=lambda: name.write_bytes(text))
    writer.start()
    file = gdal.VSIFOpenL(str(name), "rb")
    assert file is not None
    assert bytes(gdal.VSIFReadL(1, len(text), file)) == text
    gdal.VSIFCloseL(file)
    writer.join()
