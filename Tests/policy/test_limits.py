"""What a file can make the library allocate is bounded by the policy, each bound checked in a process of its own whose
memory is measured."""
import os
import re
import struct
import subprocess
import sys
import textwrap

import alidade
import numpy
import pytest
from osgeo import gdal

from conftest import SIZE, source, vrt, write_raster

gdal.UseExceptions()
MEGABYTE = 1 << 20


def run(code, *, megabytes=400):
    """Runs Python code and gives what it prints; fails if it takes more memory than `megabytes` above the start."""
    program = f"""
import resource, sys, alidade, numpy
runtime = alidade.Runtime(thread_count=2)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
{textwrap.dedent(code)}
print("grown", (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run([sys.executable, "-c", program], env=environment, text=True, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    *lines, grown = done.stdout.splitlines()
    assert int(grown.split()[1]) < megabytes, f"{grown} MB"
    return lines


def refused(path, rule, **limits):
    with alidade.Runtime(policy=alidade.Policy(**limits)) as runtime:
        with pytest.raises(alidade.errors.LimitExceededError) as failure:
            alidade.Raster(runtime, path)
    assert f"(rule: {rule})" in failure.value.message, failure.value.message
    assert str(path.name) in failure.value.message
    return failure.value.message


def test_forty_gigabytes_of_nothing(tmp_path):
    """A VRT without sources: its facts, a cell, and a screen of it cost next to nothing."""
    path = tmp_path / "nothing.vrt"
    path.write_text(vrt("<NoDataValue>7</NoDataValue>", size=150_000))
    lines = run(f"""
        raster = alidade.Raster(runtime, {str(path)!r})
        print(raster.info.width, raster.info.height)
        print(raster.read_cells([(149_999, 149_999)]).values[0, 0]["value"])
        print(numpy.unique(raster.read_cells([(c * 997 % 150_000, c * 1009 % 150_000) for c in range(500)]).values["value"]))
        map = alidade.Map(runtime)
        layer = alidade.RasterLayer(raster)
        map.add_layer(layer)
        view = alidade.View(map, 200, 150)
        view.set_viewpoint((500_000 + 15 * 150_000, 5_000_000 - 15 * 150_000), scale=1e8)
        print(numpy.isnan(view.read_values(layer)).all())
        view.read_rgba(layer)
        """)
    assert lines == ["150000 150000", "7.0", "[7.]", "True"]


def test_a_block_of_forty_gigabytes(tmp_path):
    path = tmp_path / "block.vrt"
    write_raster(tmp_path / "a.tif")
    gdal.Warp(str(path), str(tmp_path / "a.tif"), format="VRT", dstSRS="EPSG:3857", width=150_000,
              height=150_000).FlushCache()
    path.write_text(re.sub(r"<(Block.Size)>\d+", r"<\1>150000", path.read_text()))
    message = refused(path, "memory")
    assert "150000 x 150000" in message and "45000000000" in message and "max_request_bytes" in message
    # Of a file that another names, of an overview, and of a mask, too.
    outer = tmp_path / "outer.vrt"
    outer.write_text(vrt(source("block.vrt")))
    with alidade.Runtime() as runtime:
        with pytest.raises(alidade.errors.LimitExceededError) as failure:
            alidade.Raster(runtime, outer)
    assert "block.vrt" in failure.value.message
    for sidecar in ("ovr", "msk"):
        write_raster(tmp_path / f"a{sidecar}.tif")
        (tmp_path / f"a{sidecar}.tif.{sidecar}").write_text(path.read_text())
        with alidade.Runtime() as runtime, pytest.raises(alidade.errors.LimitExceededError):
            alidade.Raster(runtime, tmp_path / f"a{sidecar}.tif")


def test_a_tiff_with_a_tile_of_gigabytes(tmp_path):
    """Sparse, so that the file is a few hundred bytes."""
    path = tmp_path / "tile.tif"
    options = ["SPARSE_OK=YES", "TILED=YES", "BLOCKXSIZE=40000", "BLOCKYSIZE=40000", "COMPRESS=DEFLATE"]
    gdal.GetDriverByName("GTiff").Create(str(path), 50_000, 40_000, options=options)
    assert os.path.getsize(path) < 1000
    refused(path, "memory")
    with alidade.Runtime(policy=alidade.Policy(max_request_bytes=3 << 30)) as runtime:
        assert alidade.Raster(runtime, path).info.width == 50_000


def test_blocks_of_many_bands_at_once(tmp_path):
    path = tmp_path / "pixels.tif"
    options = ["SPARSE_OK=YES", "TILED=YES", "BLOCKXSIZE=1024", "BLOCKYSIZE=1024", "INTERLEAVE=PIXEL"]
    gdal.GetDriverByName("GTiff").Create(str(path), 2048, 2048, 2000, options=options)
    refused(path, "memory")


def test_many_bands(tmp_path):
    path = tmp_path / "bands.vrt"
    path.write_text('<VRTDataset rasterXSize="4" rasterYSize="4">' + '<VRTRasterBand dataType="Byte"/>' * 1_000_000
                    + "</VRTDataset>")
    lines = run(f"""
        try:
            alidade.Raster(runtime, {str(path)!r})
        except alidade.errors.LimitExceededError as error:
            print("(rule: band-count)" in error.message)
        """, megabytes=700)
    assert lines == ["True"]
    few = tmp_path / "few.vrt"
    few.write_text('<VRTDataset rasterXSize="4" rasterYSize="4">' + '<VRTRasterBand dataType="Byte"/>' * 300
                   + "</VRTDataset>")
    refused(few, "band-count", max_request_bytes=MEGABYTE)
    with alidade.Runtime() as runtime:
        assert alidade.Raster(runtime, few).info.band_count == 300


def test_a_header_that_claims_many_bands(tmp_path):
    """In a format without names of other files."""
    (tmp_path / "x.img").write_bytes(bytes(1000))
    (tmp_path / "x.hdr").write_text("ENVI\nsamples = 4\nlines = 4\nbands = 10000000\nheader offset = 0\n"
                                    "file type = ENVI Standard\ndata type = 1\ninterleave = bsq\nbyte order = 0\n")
    lines = run(f"""
        try:
            alidade.Raster(runtime, {str(tmp_path / "x.img")!r})
        except alidade.AlidadeError as error:
            print(error.status.name)
        """)
    assert lines[0] in ("READ_FAILED", "LIMIT_EXCEEDED")


def test_a_large_file_of_names(tmp_path):
    path = tmp_path / "large.vrt"
    path.write_text(vrt("<!--" + " " * (2 * MEGABYTE) + "-->"))
    refused(path, "file-size", max_request_bytes=16 * MEGABYTE)
    with alidade.Runtime() as runtime:
        alidade.Raster(runtime, path)


@pytest.mark.parametrize("element", [
    source("a.tif", kind="AveragedSource")
    .replace(f'xSize="{SIZE}" ySize="{SIZE}"', 'xSize="600000" ySize="600000"', 1),
    source("a.tif").replace("<SimpleSource>", '<SimpleSource resampling="average">')
    .replace(f'xSize="{SIZE}" ySize="{SIZE}"', 'xSize="600000" ySize="600000"', 1),
    source("a.tif", kind="KernelFilteredSource", more="<Kernel><Size>20001</Size><Coefs>1</Coefs></Kernel>"),
])  # fmt: skip
def test_a_cell_made_of_very_many(tmp_path, element):
    write_raster(tmp_path / "a.tif")
    (tmp_path / "x.vrt").write_text(vrt(element))
    refused(tmp_path / "x.vrt", "memory", max_request_bytes=256 * MEGABYTE)


def test_overviews_and_memory_that_a_file_asks_for(tmp_path):
    write_raster(tmp_path / "a.tif")
    (tmp_path / "o.vrt").write_text(
        vrt(source("a.tif"), before='<OverviewList resampling="average">2 4 100000</OverviewList>'))
    refused(tmp_path / "o.vrt", "memory")
    (tmp_path / "many.vrt").write_text(
        vrt(source("a.tif")).replace("</VRTDataset>", "<OverviewList>" + "2 " * 2_000_000 + "</OverviewList></VRTDataset>"))
    refused(tmp_path / "many.vrt", "memory")
    gdal.Warp(str(tmp_path / "w.vrt"), str(tmp_path / "a.tif"), format="VRT", dstSRS="EPSG:3857",
              warpMemoryLimit=3000).FlushCache()
    refused(tmp_path / "w.vrt", "memory")
    with alidade.Runtime(policy=alidade.Policy(max_request_bytes=4 << 30)) as runtime:
        assert alidade.Raster(runtime, tmp_path / "w.vrt").info.width > 0


def test_a_damaged_size(tmp_path):
    """A TIFF whose header claims a tile of gigabytes: 65535 x 65535 cells."""
    path = write_raster(tmp_path / "tile.tif", tiled=True, blockxsize=16, blockysize=16)
    data = bytearray(path.read_bytes())
    start = struct.unpack_from("<I", data, 4)[0]
    for entry in range(struct.unpack_from("<H", data, start)[0]):
        place = start + 2 + 12 * entry
        if struct.unpack_from("<H", data, place)[0] in (322, 323):  # TileWidth, TileLength
            struct.pack_into("<HHIHH", data, place, struct.unpack_from("<H", data, place)[0], 3, 1, 65520, 0)
    path.write_bytes(data)
    lines = run(f"""
        try:
            raster = alidade.Raster(runtime, {str(path)!r})
            raster.read_cells([(0, 0)])
        except alidade.AlidadeError as error:
            print(error.status.name)
        """)
    assert lines[0] in ("READ_FAILED", "LIMIT_EXCEEDED")


def test_crossings_of_a_buffer():
    """A result of 300 KB whose outlines cross 14,400 times: the crossings are counted, not only what comes out."""
    lines = ", ".join(f"({i} -1, {i} 60), (-1 {i}, 60 {i})" for i in range(60))
    for megabytes, is_enough in ((64, True), (3, False)):
        with alidade.Runtime(policy=alidade.Policy(max_request_bytes=megabytes << 20)) as runtime:
            lattice = alidade.Geometry.from_wkt(runtime, f"MULTILINESTRING ({lines})")
            if is_enough:
                assert len(lattice.buffer(0.01, cap=alidade.geometry.BufferCap.FLAT).to_wkb()) < 1 << 20
            else:
                with pytest.raises(alidade.errors.LimitExceededError, match="max_request_bytes"):
                    lattice.buffer(0.01, cap=alidade.geometry.BufferCap.FLAT)


# What grows with the square of a stranger's line or layer, and the memory that it would take without a limit.
LARGE_WORK = {
    "cut": """
        steps = numpy.arange(5000) / 5000
        across = line(numpy.column_stack((steps, numpy.arange(5000) % 2)))
        along = line(numpy.column_stack((numpy.arange(5000) % 2, steps)))
        across.cut(along)
        """,
    "buffer": """
        back_and_forth = numpy.column_stack((numpy.arange(100_000) % 2 * 1000.0, numpy.zeros(100_000)))
        line(back_and_forth).buffer(1)
        """,
}


@pytest.mark.parametrize("work", LARGE_WORK)
def test_work_that_grows_with_the_square(work):
    """Refused by max_request_bytes before it takes gigabytes, or the process ends for lack of memory."""
    code = textwrap.dedent(LARGE_WORK[work])
    run("runtime = alidade.Runtime(policy=alidade.Policy(max_request_bytes=256 << 20))\n"
        "def line(xy): return alidade.Geometry.from_coordinates(runtime, alidade.geometry.GeometryKind.POLYLINE, xy)\ntry:\n" + textwrap.indent(
        code, "    ") + "    raise SystemExit('nothing was refused')\nexcept alidade.errors.LimitExceededError as error:\n"
        "    assert 'max_request_bytes' in str(error), error\n", megabytes=800)


def test_snapping_to_many_crossings():
    """Six million crossings, of which the nearest counts, take no memory."""
    run("""
        from alidade.graphics import LineSymbol, SimpleRenderer
        from alidade.identify import SnapFlags
        overlay = alidade.GraphicsOverlay(runtime)
        overlay.renderer = SimpleRenderer(LineSymbol((0, 0, 0), 1))
        places = numpy.linspace(-90, 90, 2500)
        ends = numpy.full_like(places, 100)
        vertical = numpy.stack((places, -ends, places + 0.01, ends), 1).reshape(-1, 2)
        lines = numpy.concatenate((vertical, vertical[:, ::-1]))
        array = alidade.GeometryArray.from_columns(
            runtime, lines, kind=alidade.geometry.GeometryKind.POLYLINE,
            vertex_offsets=numpy.arange(0, len(lines) + 1, 2), spatial_reference=3857)
        view = alidade.View(alidade.Map(runtime, 3857), 400, 400)
        (view.center, view.scale) = ((0, 0), 2000)
        view.add_overlay(overlay)
        overlay.add_many(array)
        found = view.snap((200, 200), 300, SnapFlags.INTERSECTION)
        assert found.kind == SnapFlags.INTERSECTION and found.distance_dip < 0.1, found
        """, megabytes=150)
