"""Files that change while they are open: an error that says so, never a mix of old and new cells, never a crash."""
import os
import shutil
import threading
import time

import alidade
import numpy
import pytest
import rasterio

from conftest import SIZE, cells, source, vrt, write_raster

TILED = dict(tiled=True, blockxsize=16, blockysize=16, compress="deflate")
# Single cells look at the file every 10 ms or so.
PAUSE_S = 0.05


def replaced(path, other):
    os.replace(other, path)


def overwritten(path, other):
    with open(path, "r+b") as file:
        file.write(other.read_bytes())


def truncated(path, other):
    os.truncate(path, path.stat().st_size // 3)


def emptied(path, other):
    os.truncate(path, 0)


def appended(path, other):
    with open(path, "ab") as file:
        file.write(b"more")


def deleted(path, other):
    path.unlink()


def made_a_folder(path, other):
    path.unlink()
    path.mkdir()


def rewritten_with_its_time_kept(path, other):
    """Writes a file of the same size at the same position, and sets its modification time back."""
    status = path.stat()
    with path.open("r+b") as file:
        data = bytearray(file.read())
        data[-1000:] = bytes(byte ^ 0xFF for byte in data[-1000:])
        file.seek(0)
        file.write(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


CHANGES = [rewritten_with_its_time_kept, replaced, overwritten, truncated, emptied, appended, deleted, made_a_folder]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("by_name", ["itself", "vrt", "nested", "overviews"])
@pytest.mark.parametrize("warm", [False, True])
def test_a_change(runtime, tmp_path, change, by_name, warm):
    path = write_raster(tmp_path / "a.tif", 1, **TILED)
    other = write_raster(tmp_path / "other.tif", 30_000, **TILED)
    opened, changing = path, path
    if by_name in ("vrt", "nested"):
        opened = tmp_path / "x.vrt"
        opened.write_text(vrt(source("a.tif")))
    if by_name == "nested":
        (tmp_path / "y.vrt").write_text(vrt(source("x.vrt")))
        opened = tmp_path / "y.vrt"
    if by_name == "overviews":
        changing = tmp_path / "a.tif.ovr"
        shutil.copy(write_raster(tmp_path / "half.tif", size=SIZE // 2), changing)
    with alidade.Raster(runtime, opened) as raster:
        before = raster.read_cells([(0, 0)]).values[0, 0]["value"]
        assert before == 1
        if warm:
            cells(raster)
        time.sleep(PAUSE_S)
        change(changing, other)
        for _ in range(3):
            with pytest.raises(alidade.errors.ReadFailedError) as failure:
                cells(raster)
        if by_name == "itself" and warm:
            # What was decoded could be given again, but the file is another by now.
            assert "has changed since it was opened" in failure.value.message
        with pytest.raises(alidade.errors.ReadFailedError):
            raster.read_cells([(SIZE - 1, SIZE - 1)])
        square = [(500_000, 5_000_000), (500_900, 5_000_000), (500_900, 4_999_100), (500_000, 4_999_100)]
        for call in (raster.read_window, lambda: raster.polygon_statistics(square),
                     lambda: raster.profile([square[0], square[2]])):
            with pytest.raises(alidade.errors.ReadFailedError):
                call()
        layer = alidade.RasterLayer(raster)
        map = alidade.Map(runtime)
        map.add_layer(layer)
        view = alidade.View(map, 50, 50)
        view.set_viewpoint((500_100, 4_999_900), scale=10_000)
        pixels = numpy.full((50, 50, 4), 7, "uint8")
        with pytest.raises(alidade.errors.ReadFailedError):
            view.read_rgba(layer, out=pixels)
        assert (pixels == 7).all()
        with pytest.raises(alidade.errors.ReadFailedError):
            view.identify_layer(layer, (25, 25))
        time.sleep(PAUSE_S)
        with pytest.raises(alidade.errors.ReadFailedError):
            view.cell_at(layer, (25, 25))


def test_the_changed_file_can_be_opened_anew(runtime, tmp_path):
    path = write_raster(tmp_path / "a.tif", 1, **TILED)
    old = alidade.Raster(runtime, path)
    replaced(path, write_raster(tmp_path / "other.tif", 30_000, **TILED))
    with alidade.Raster(runtime, path) as raster:
        assert cells(raster)[0, 0] == 30_000
    with pytest.raises(alidade.errors.ReadFailedError) as failure:
        cells(old)
    assert str(path) in failure.value.message and "Open it again" in failure.value.message


def test_a_source_that_was_not_there(runtime, tmp_path):
    """It comes later, and nobody has looked at it."""
    (tmp_path / "x.vrt").write_text(vrt(source("late.tif")))
    with alidade.Raster(runtime, tmp_path / "x.vrt") as raster:
        with pytest.raises(alidade.errors.ReadFailedError):
            cells(raster)
        (tmp_path / "late.tif").write_text(vrt(source("/etc/passwd")))
        with pytest.raises(alidade.errors.ReadFailedError) as failure:
            cells(raster)
        assert "late.tif" in failure.value.message


def test_readers_while_a_file_is_exchanged(tmp_path):
    """Four threads read all cells over and over: each answer is all old, or an error."""
    path = write_raster(tmp_path / "a.tif", 1, **TILED)
    other = write_raster(tmp_path / "other.tif", 30_000, **TILED)
    with rasterio.open(path) as file:
        old = file.read(1)
    wrong, errors, answers = [], [], []
    done = threading.Event()
    with alidade.Runtime(thread_count=4) as runtime:
        raster = alidade.Raster(runtime, path)

        def read():
            while not done.is_set():
                try:
                    values = cells(raster)
                except alidade.errors.ReadFailedError as error:
                    errors.append(error)
                    continue
                answers.append(1)
                if not (values == old).all():
                    wrong.append(values)

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.2)
        overwritten(path, other)
        time.sleep(0.2)
        done.set()
        for thread in threads:
            thread.join()
    assert answers and errors and not wrong
