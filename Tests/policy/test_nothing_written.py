"""Files are only read: folders look the same before and after, writable or not."""
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import alidade
import pytest

from conftest import RASTERS, source, vrt


def listing(folder):
    """Everything about a folder's files: size, times of change, content."""
    result = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
        result[str(path.relative_to(folder))] = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_mode, content)
    return result


def use(runtime, path):
    """Opens a file and makes use of all that can be asked of it; whether it could be opened."""
    try:
        raster = alidade.Raster(runtime, path)
    except alidade.AlidadeError:
        return False
    try:
        info = raster.info
        for band in range(1, info.band_count + 1):
            raster.band(band)
        cells = [(0, 0), (info.width - 1, info.height - 1), (info.width // 2, info.height // 2)]
        raster.read_cells(cells * 50)
        layer = alidade.RasterLayer(raster)
        assert layer.renderer  # its range comes from statistics, which are computed where the file has none
        map = alidade.Map(runtime)
        map.add_layer(layer)
        view = alidade.View(map, 120, 90)
        box = info.extent
        view.set_viewpoint(((box.x_min + box.x_max) / 2, (box.y_min + box.y_max) / 2), scale=1e6)
        view.read_rgba(layer)
        view.read_values(layer, 1, alidade.views.ScreenGrid(overviews=True))
        with view.identify_layer(layer, (60, 45)):
            pass
    except alidade.AlidadeError:
        pass  # such as a raster that cannot be placed on a map
    raster.release()
    return True


def opened_in(folder):
    with alidade.Runtime() as runtime:
        return sum(use(runtime, path) for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.fixture(scope="module")
def samples(tmp_path_factory, generated):
    folder = tmp_path_factory.mktemp("samples")
    shutil.copytree(RASTERS, folder / "real")
    shutil.copytree(generated, folder / "generated")
    for path in sorted((folder / "real").glob("*.tif")):
        (folder / "real" / f"{path.stem}-of.vrt").write_text(vrt(source(path.name)))
    return folder


def test_a_writable_folder(samples):
    before = listing(samples)
    assert opened_in(samples) > 80
    assert listing(samples) == before


def test_a_read_only_folder(samples, tmp_path):
    """Mounted read-only in a mount namespace of its own, because to root every folder is writable; without the right to
    mount, as a user who cannot write to the folder."""
    writable = opened_in(samples)
    before = listing(samples)
    code = f"""
import os, sys
sys.path[:0] = {sys.path!r}
from pathlib import Path
from test_nothing_written import opened_in
folder = Path({str(samples)!r})
try:
    (folder / "probe").write_text("x")
except OSError as error:
    print(error.strerror)
print(opened_in(folder))
"""
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    mount = f'mount --bind "{samples}" "{samples}" && mount -o remount,bind,ro "{samples}" && exec "$@"'
    wrapped = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh"]
    if subprocess.run([*wrapped, "true"], capture_output=True).returncode != 0:
        assert os.geteuid() != 0 or shutil.which("setpriv"), "neither unshare nor setpriv works here"
        wrapped = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        for path in [samples, *samples.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        for parent in samples.parents:
            if os.stat(parent).st_uid == os.geteuid() and parent != Path("/"):
                parent.chmod(parent.stat().st_mode | 0o055)
        before = listing(samples)
    done = subprocess.run([*wrapped, sys.executable, "-c", code], env=environment, cwd=Path(__file__).parent, text=True,
                          capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    probe, opened = done.stdout.split("\n")[:2]
    assert probe in ("Read-only file system", "Permission denied")
    assert int(opened) == writable
    assert listing(samples) == before
