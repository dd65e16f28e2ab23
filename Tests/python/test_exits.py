"""Interpreters that end with loads and requests in flight end as they say: their own status, no signal, no hang."""

from __future__ import annotations

import subprocess

import pytest

from alidade import _library
from conftest import RASTERS
from test_processes import run_python

BUSY = f"""
import ctypes, os, sys, threading, time
import alidade
from alidade import _abi
from alidade._library import library

path = {str(RASTERS / "Shasta_Elevation.tif")!r}
runtime = alidade.Runtime(thread_count=4)
raster = alidade.Raster(runtime, path)
layer = alidade.RasterLayer(raster)
map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
map.add_layer(layer)
map.set_initial_location(latitude_deg=40.7624, longitude_deg=-122.1621, scale=72_000)
view = alidade.View(map, width_dip=400, height_dip=300)
rounds = [0]

def work():
    while True:
        view.read_rgba(layer)
        request = _abi.ald_request()
        library().ald_raster_open_async(runtime._handle, path.encode(), None, None, ctypes.byref(request), None)
        alidade.Raster(runtime, path).read_cells([(x, x) for x in range(50)])
        rounds[0] += 1

def begin():
    for _ in range(3):
        threading.Thread(target=quietly, daemon=True).start()
    while rounds[0] < 2:
        time.sleep(0.001)

def quietly():
    try:
        work()
    except alidade.AlidadeError:
        # The process is ending.
        pass

begin()
"""

# How a script ends, its status, and what it prints to stderr.
WAYS = {
    "end of script": ("", 0, ""),
    "sys.exit": ("sys.exit(7)", 7, ""),
    "sys.exit in a thread": ("t = threading.Thread(target=sys.exit, args=(9,)); t.start(); t.join()", 0, ""),
    "exception": ("raise ValueError('of the script')", 1, "ValueError: of the script"),
    "exception in a thread": (
        "def fail(): raise ValueError('of a thread')\nt = threading.Thread(target=fail); t.start(); t.join()",
        0,
        "ValueError: of a thread",
    ),
    "sys.exit after release": ("runtime.release(); sys.exit(11)", 11, ""),
    "os._exit": ("os._exit(13)", 13, ""),
    "os._exit in a thread": ("threading.Thread(target=os._exit, args=(15,)).start(); time.sleep(60)", 15, ""),
}


@pytest.mark.parametrize("way", WAYS)
def test_exit_with_work_in_flight(way: str, rounds: int) -> None:
    ending, status, words = WAYS[way]
    print(f"\ntries: {rounds}")
    for _ in range(rounds):
        done = run_busy(ending)
        assert done.returncode == status, done.stderr
        assert words in done.stderr
        assert words or done.stderr == ""


FIRST_FILES = f"""
import ctypes, time
import alidade
runtime = alidade.Runtime()
requests = [alidade.Raster.open_async(runtime, {str(RASTERS / "Shasta_Elevation.tif")!r}) for _ in range(50)]
time.sleep(SECONDS)
ctypes.CDLL(None).exit(5)
"""


def test_exit_while_the_first_files_are_opened(rounds: int) -> None:
    """PROJ makes tables when it first reads a text, and the C library destroys what was made last first."""
    print(f"\ntries: {15 * rounds}")
    for _ in range(rounds):
        for thousandths in range(0, 30, 2):
            done = run_python(f"SECONDS = {thousandths / 1000}\n" + FIRST_FILES, ALIDADE_LIBRARY=str(_library.find()))
            assert (done.returncode, done.stderr) == (5, "")


def test_callback_that_raises() -> None:
    """ctypes reports what a callback raises and goes on; the library does not notice, and is as usable as before."""
    ending = """
calls = []

def fail(request, user_data):
    calls.append(request.id)
    raise ValueError("of a completion")

options = _abi.ald_request_options()
options.struct_size = ctypes.sizeof(options)
options.completion = _abi.ald_completion(fail)
requests = []
for _ in range(3):
    request = _abi.ald_request()
    state = ctypes.c_int32()
    assert library().ald_raster_open_async(
        runtime._handle, path.encode(), None, ctypes.byref(options), ctypes.byref(request), None) == 0
    assert library().ald_request_wait(request, _abi.ALD_ALL, ctypes.byref(state), None) == 0
    requests.append(request.id)
assert library().ald_runtime_pump(runtime._handle, 0, None, None) == 0
assert sorted(calls) == sorted(requests), (calls, requests)
taken = _abi.ald_raster()
assert library().ald_request_take_raster(request, ctypes.byref(taken), None) == 0
assert library().ald_runtime_pump(runtime._handle, 0, None, None) == 0
sys.exit(5)
"""
    done = run_busy(ending)
    assert done.returncode == 5, done.stderr
    assert done.stderr.count("ValueError: of a completion") == 3


def run_busy(ending: str) -> subprocess.CompletedProcess[str]:
    return run_python(BUSY + ending, ALIDADE_LIBRARY=str(_library.find()))
