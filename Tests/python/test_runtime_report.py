"""The doctor's report against the libraries' own programs and the system; the log; labels."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import threading
from pathlib import Path

import pytest

import alidade
from alidade import _library
from conftest import RASTERS
from test_processes import run_python


def said_by(*command: str) -> str:
    return subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


def test_versions(runtime: alidade.Runtime) -> None:
    report = runtime.report()
    assert f"GDAL {report['gdal']['version']}," in said_by("gdalinfo", "--version")
    assert f"Rel. {report['proj']['version']}," in said_by("projinfo")
    assert report["geos"]["version"].startswith(said_by("geos-config", "--version").strip())
    assert report["alidade"] == {"version": alidade.version(), "processors": os.cpu_count()}
    assert report["proj"]["version"] == runtime.library_versions.proj


def test_drivers(runtime: alidade.Runtime) -> None:
    listed = re.findall(r"^  (\S+) -(?=.*raster)", said_by("gdalinfo", "--formats"), re.MULTILINE)
    report = runtime.report()["gdal"]
    assert len(report["allowed_drivers"]) > 50 and set(report["allowed_drivers"]) <= set(listed)
    assert not set(report["allowed_drivers_that_this_gdal_lacks"]) & set(listed)
    assert Path(report["support_files"]).is_file()


def test_given_gdal_folder(runtime: alidade.Runtime, tmp_path: Path) -> None:
    """A folder is that of its runtime, whichever runtime a thread was in before."""
    usual = runtime.report()["gdal"]["support_files"]
    (tmp_path / "gdalvrt.xsd").write_bytes(b"")
    answers = []

    def ask() -> None:
        with alidade.Runtime(gdal_directory=tmp_path) as other:
            for each in (other, runtime, other):
                answers.append(each.report()["gdal"]["support_files"])

    ask()
    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert answers == [str(tmp_path / "gdalvrt.xsd"), usual, str(tmp_path / "gdalvrt.xsd")] * 2


def test_proj_folders(runtime: alidade.Runtime) -> None:
    report = runtime.report()["proj"]
    searched = said_by("projinfo", "--searchpaths").split("\n")[:-1]
    assert [folder["path"] for folder in report["grid_folders"]] == searched
    for folder in report["grid_folders"]:
        path = Path(folder["path"])
        assert folder["exists"] == path.is_dir()
        if folder["exists"]:
            assert folder["has_database"] == (path / "proj.db").is_file()
            assert folder["grid_count"] >= len(folder["grids"])
            assert {name.name for name in path.glob("*.g[st][bx]")} <= set(folder["grids"])
    with sqlite3.connect(f"file:{report['database']}?mode=ro", uri=True) as database:
        facts = dict(database.execute("SELECT key, value FROM metadata"))
    assert report["epsg_version"] == facts["EPSG.VERSION"]
    assert report["database_layout"] == facts["DATABASE.LAYOUT.VERSION.MAJOR"]


def test_given_proj_folder(runtime: alidade.Runtime, tmp_path: Path) -> None:
    shutil.copy(runtime.report()["proj"]["database"], tmp_path)
    (tmp_path / "de_adv_BETA2007.tif").write_bytes(b"")
    (tmp_path / "readme.txt").write_bytes(b"")
    with alidade.Runtime(proj_directory=tmp_path) as other:
        report = other.report()["proj"]
    assert report["database"] == str(tmp_path / "proj.db")
    assert report["grid_folders"] == [
        {
            "path": str(tmp_path),
            "exists": True,
            "has_database": True,
            "grid_count": 1,
            "grids": ["de_adv_BETA2007.tif"],
        }
    ]


def test_memory(runtime: alidade.Runtime) -> None:
    report = runtime.report()["memory"]
    status = dict(re.findall(r"^(Vm\w+):\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE))
    assert report["process_resident_bytes"] == pytest.approx(int(status["VmRSS"]) * 1024, rel=0.1)
    assert report["process_peak_resident_bytes"] == pytest.approx(int(status["VmHWM"]) * 1024, rel=0.1)


def test_work(tmp_path: Path) -> None:
    with alidade.Runtime(thread_count=3) as runtime:
        assert runtime.report()["work"]["workers"] == 0
        raster = alidade.Raster(runtime, RASTERS / "red.tif")
        requests = [alidade.Raster.open_async(runtime, RASTERS / "red.tif") for _ in range(7)]
        requests += [alidade.Raster.open_async(runtime, RASTERS / "red.tif", on_done=print) for _ in range(2)]
        assert all(request.wait(30) for request in requests)
        work = runtime.report()["work"]
        assert work["worker_limit"] == 3 and 1 <= work["workers"] <= 3
        assert (work["pending_requests"], work["waiting_completions"], work["waiting_events"]) == (0, 2, 7)
        raster.release()


# Python's own parser is the judge of what the library writes.
LABELS = [
    "plain",
    'quotes " and \\ and /',
    "\x01\x02\x1f\x7f\t\r\n",
    "\u00e9 \u0301 \u200b \u2028 \u2029 \ufeff",
    "\U0001f600 \U0010ffff \ufffd",
    "{\"a\": [1, null]}",
    "\\u0041 \\n",
]


@pytest.mark.parametrize("label", LABELS)
def test_labels(runtime: alidade.Runtime, label: str) -> None:
    map = alidade.Map(runtime)
    runtime.set_label(map, label)
    (entry,) = [entry for entry in runtime.report()["handles"]["list"] if entry["kind"] == "ald_map"]
    assert entry == {"kind": "ald_map", "id": f"{map._handle.id:#x}", "owned": True, "label": label}
    text = runtime.report_text()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]", text)
    assert len([line for line in text.split("\n") if "label" in line]) == 2  # of the runtime and of the map
    runtime.set_label(map, None)
    assert [entry["label"] for entry in runtime.report()["handles"]["list"]] == [None, None]


def test_long_label_is_cut_at_a_character(runtime: alidade.Runtime) -> None:
    for label in ("x" * 300, "x" + "é" * 200, "\U0001f600" * 100):
        runtime.set_label(runtime, label)
        kept = runtime.report()["handles"]["list"][0]["label"]
        assert label.startswith(kept) and 252 <= len(kept.encode()) <= 255


def test_label_of_a_stranger(runtime: alidade.Runtime) -> None:
    with alidade.Runtime() as other:
        with pytest.raises(alidade.errors.InvalidArgumentError):
            runtime.set_label(other, "not mine")
        map = alidade.Map(runtime)
        map.release()
        with pytest.raises(alidade.errors.InvalidHandleError):
            runtime.set_label(map, "gone")


def test_label_goes_with_its_handle(runtime: alidade.Runtime) -> None:
    for number in range(50):
        map = alidade.Map(runtime)
        assert [e["label"] for e in runtime.report()["handles"]["list"] if e["kind"] == "ald_map"] == [None]
        runtime.set_label(map, f"map {number}")
        map.release()
    assert runtime.report()["handles"]["by_kind"] == {"ald_runtime": {"owned": 1, "lent": 0}}


def test_handles(runtime: alidade.Runtime) -> None:
    rasters = [alidade.Raster(runtime, RASTERS / "red.tif") for _ in range(3)]
    references = [raster.spatial_reference for raster in rasters]
    maps = [alidade.Map(runtime) for _ in range(1200)]
    handles = runtime.report()["handles"]
    assert handles["count"] == runtime.handle_count == 1 + 3 + len(references) + len(maps)
    assert handles["by_kind"]["ald_raster"] == {"owned": 3, "lent": 0}
    assert handles["by_kind"]["ald_spatial_reference"] == {"owned": 0, "lent": 3}
    assert handles["by_kind"]["ald_map"] == {"owned": 1200, "lent": 0}
    assert len(handles["list"]) == 1000
    assert [e["path"] for e in handles["list"] if e["kind"] == "ald_raster"] == [str(RASTERS / "red.tif")] * 3


def test_no_secrets_of_the_environment() -> None:
    secrets = {
        "AWS_SECRET_ACCESS_KEY": "s3cret-a", "GDAL_HTTP_USERPWD": "user:s3cret-b", "PGPASSWORD": "s3cret-c"
    }
    code = "import alidade; r = alidade.Runtime(); print(r.report_text(), r.report())"
    done = run_python(code, ALIDADE_LIBRARY=str(_library.find()), **secrets)
    assert done.returncode == 0 and "alidade" in done.stdout and "s3cret" not in done.stdout


def test_log_levels() -> None:
    with alidade.Runtime(log_level=alidade.events.LogLevel.INFO) as runtime:
        (line,) = runtime.log()
        assert line.level is alidade.events.LogLevel.INFO and line.number == 1
        assert all(version in line.text for version in vars(runtime.library_versions).values())
        (event,) = runtime.events()
        assert isinstance(event, alidade.events.LogEvent) and event.number == 1 and event.time_ns >= line.time_ns
        assert runtime.log(2) == []
    with alidade.Runtime() as runtime:
        assert runtime.log() == [] and runtime.events() == []
    with pytest.raises(alidade.errors.InvalidArgumentError):
        alidade.Runtime(log_level=17)  # type: ignore[arg-type]
