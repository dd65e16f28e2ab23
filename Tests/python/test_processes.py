"""What needs a process of its own: forks, finding the library, and installing the package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import traceback
from pathlib import Path

import pytest

import alidade
from alidade import _library
from conftest import RASTERS, REPOSITORY, Scene

PACKAGE = REPOSITORY / "bindings" / "python"


def run_python(code: str, path: Path = PACKAGE, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs code in a new interpreter that sees the package in `path` and, of ALIDADE_..., these variables alone."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ALIDADE_")}
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**clean, "PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )


def in_child(function) -> int:
    """Calls a function in a forked child and returns the child's exit status: 0 if the function returned."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            function()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_forked_child(scene: Scene) -> None:
    def child() -> None:
        for call in (lambda: scene.view.state, lambda: scene.raster.band(1), lambda: scene.map.layers):
            with pytest.raises(alidade.errors.ForkedError) as caught:
                call()
            assert caught.value.status is alidade.Status.FORKED
        scene.view.release()
        with alidade.Runtime() as runtime:
            raster = alidade.Raster(runtime, RASTERS / "Shasta_Elevation.tif")
            assert raster.read_cells((5, 5)).values["value"] == expected

    expected = scene.raster.read_cells((5, 5)).values["value"]
    assert in_child(child) == 0
    assert scene.view.state.scale == 100_000


def test_fork_while_threads_read(scene: Scene) -> None:
    """Nothing hangs; a child works, or has to spawn if the threads could not be stopped in time."""
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            scene.view.read_values(scene.layer)

    def child() -> None:
        try:
            runtime = alidade.Runtime()
        except alidade.errors.ForkedError as error:
            assert "spawn" in error.message
            return
        alidade.Raster(runtime, RASTERS / "Shasta_Elevation.tif").read_cells((5, 5))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        assert [in_child(child) for _ in range(10)] == [0] * 10
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_exit_with_everything_alive() -> None:
    """The interpreter ends in good order although nothing was released and a thread still reads."""
    code = f"""
import sys, threading
import alidade
runtime = alidade.Runtime()
raster = alidade.Raster(runtime, {str(RASTERS / "RGB.byte.tif")!r})
def read():
    while True:
        raster.read_cells([(x, x) for x in range(700)])
threading.Thread(target=read, daemon=True).start()
sys.exit(7)
"""
    done = run_python(code, ALIDADE_LIBRARY=str(_library.find()))
    assert done.returncode == 7, done.stderr
    assert done.stderr == ""


def test_environment_variable_names_no_file(tmp_path: Path) -> None:
    code = "import alidade\ntry: alidade.Runtime()\nexcept alidade.errors.LibraryNotFoundError as error: print(error)"
    done = run_python(code, ALIDADE_LIBRARY=str(tmp_path / "none.so"))
    assert "ALIDADE_LIBRARY" in done.stdout and "none.so" in done.stdout


def test_environment_variable_names_no_library(tmp_path: Path) -> None:
    path = tmp_path / "text.so"
    path.write_text("not a library")
    code = "import alidade\ntry: alidade.Runtime()\nexcept ImportError as error: print(error)"
    done = run_python(code, ALIDADE_LIBRARY=str(path))
    assert str(path) in done.stdout


def test_library_is_nowhere(tmp_path: Path) -> None:
    """Importing works; the first use names all four paths."""
    shutil.copytree(PACKAGE / "alidade", tmp_path / "a" / "b" / "c" / "alidade")
    code = "import alidade\ntry: alidade.Runtime()\nexcept ImportError as error: print(error)"
    done = run_python(code, path=tmp_path / "a" / "b" / "c")
    assert "ALIDADE_LIBRARY" in done.stdout
    assert str(tmp_path / "a" / "b" / "c" / "alidade" / "lib" / "libalidade.so.0") in done.stdout
    assert str(tmp_path / "a" / "b" / "c" / "alidade" / "libalidade.so.0") in done.stdout
    assert os.path.join(".build", "sdk", "lib") in done.stdout


def test_library_of_another_make(tmp_path: Path) -> None:
    """Some other shared library is refused with its path."""
    other = next(path for path in map(Path, _loaded_libraries()) if "libc.so" in path.name)
    code = "import alidade\ntry: alidade.Runtime()\nexcept ImportError as error: print(error)"
    done = run_python(code, ALIDADE_LIBRARY=str(other))
    assert str(other) in done.stdout


def test_installed_with_pip(tmp_path: Path) -> None:
    """An installed package brings the library that the checkout has built, and needs no environment variable."""
    built = _library.find()
    # The folders lie to each other as in a checkout.
    (tmp_path / ".build" / "sdk" / "lib").mkdir(parents=True)
    (tmp_path / ".build" / "sdk" / "lib" / "libalidade.so.0").symlink_to(built)
    ignored = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
    shutil.copytree(PACKAGE, tmp_path / "bindings" / "python", ignore=ignored)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    target = tmp_path / "installed"
    done = subprocess.run(
        [*command, "--target", str(target), str(tmp_path / "bindings" / "python")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    shutil.rmtree(tmp_path / ".build")
    assert (target / "alidade" / "py.typed").is_file()
    done = run_python("import alidade; print(alidade.Runtime(), alidade.__file__)", path=target)
    assert done.returncode == 0, done.stderr
    assert str(target) in done.stdout


def test_library_stays_out_of_the_way() -> None:
    """Its GDAL does not become that of other extension modules: the symbols stay local."""
    code = "import ctypes, alidade; alidade.Runtime(); print(hasattr(ctypes.CDLL(None), 'ald_get_version'))"
    assert run_python(code, ALIDADE_LIBRARY=str(_library.find())).stdout.strip() == "False"


def _loaded_libraries() -> list[str]:
    with open("/proc/self/maps") as maps:
        return sorted({line.split()[-1] for line in maps if ".so" in line})
