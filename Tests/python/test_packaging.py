"""The wheel: its name, its tag, its library, and that none is made without the library."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import alidade
from alidade._library import FILE_NAME, find
from conftest import REPOSITORY

pytest.importorskip("wheel")


def checkout(folder: Path) -> Path:
    package = folder / "bindings" / "python"
    leave_out = shutil.ignore_patterns(FILE_NAME, "__pycache__", "build", "*.egg-info")
    shutil.copytree(REPOSITORY / "bindings" / "python", package, ignore=leave_out)
    return package


def wheel(package: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(folder), str(package)]
    environment = {name: value for name, value in os.environ.items() if name != "ALIDADE_LIBRARY"}
    return subprocess.run([*pip, *options], capture_output=True, text=True, env=environment)


def test_no_wheel_without_the_library(tmp_path: Path) -> None:
    ended = wheel(checkout(tmp_path), tmp_path / "out")
    assert ended.returncode != 0
    assert "the library is not built, and a wheel without it would not work" in ended.stdout + ended.stderr
    assert not list(tmp_path.glob("out/*.whl"))


def test_the_wheel(tmp_path: Path) -> None:
    package = checkout(tmp_path)
    built = tmp_path / ".build" / "sdk" / "lib"
    built.mkdir(parents=True)
    shutil.copyfile(find(), built / FILE_NAME)
    ended = wheel(package, tmp_path / "out")
    assert ended.returncode == 0, ended.stderr
    (made,) = tmp_path.glob("out/*.whl")
    assert made.name.startswith(f"alidade_map-{alidade.__version__}-py3-none-linux_")
    with zipfile.ZipFile(made) as files:
        assert f"alidade/{FILE_NAME}" in files.namelist() and "alidade/py.typed" in files.namelist()
        files.extractall(tmp_path / "site")
    # The package with its own library, and with no other that it could find.
    environment = {name: value for name, value in os.environ.items() if name != "ALIDADE_LIBRARY"}
    command = "import alidade; print(alidade.SpatialReference(27700), alidade.__file__)"
    ended = subprocess.run(
        [sys.executable, "-c", command],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": str(tmp_path / "site")},
    )
    assert "OSGB36" in ended.stdout and str(tmp_path / "site") in ended.stdout, ended.stderr
