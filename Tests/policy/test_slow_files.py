"""Files that a driver decodes slowly: with max_request_ms, a call is given up soon after that, whatever the driver does."""

import json
import struct
import subprocess
import sys
import zlib

import pytest

from conftest import ROOT

LIMIT_MS = 150
# For the end of a call that is given up after twice the limit, on a machine that is busy with the decoding.
SLACK = 10
SIDE = 30_000

# What is tried, in a process of its own: a file name, the limit, and the call by its name.
PROGRAM = """
import json, sys, time
import alidade
from alidade.layers import RasterLayer

path, limit, call = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with alidade.Runtime(policy=alidade.Policy(max_request_ms=limit)) as runtime:
    start = time.monotonic()
    words = ""
    try:
        raster = alidade.Raster(runtime, path, spatial_reference=3857)
        opened = time.monotonic() - start
        map = alidade.Map(runtime, 3857)
        layer = RasterLayer(raster)
        map.add_layer(layer)
        view = alidade.View(map, 200, 200)
        (view.center, view.scale) = ((5, 5 - SIDE), 5000)
        start = time.monotonic()
        if call == "cells":
            raster.read_cells([(5, SIDE - 1)])
        elif call == "window":
            raster.read_window(window=alidade.rasters.RasterWindow(columns=4, rows=4))
        elif call == "identify":
            view.identify_layer(layer, (100, 100))
        elif call == "identify request":
            view.identify_layer_async(layer, (100, 100)).result()
        elif call == "picture request":
            view.screen_picture_async(layer).result()
        else:
            raster.sample([(5.5, 0.5 - SIDE)])
    except alidade.errors.LimitExceededError as error:
        words = str(error)
    print(json.dumps([opened, time.monotonic() - start, words]))
"""


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A TIFF of one strip: 900 MB of zeros in 1 MB of Deflate, which takes seconds to undo."""
    path = tmp_path_factory.mktemp("slow") / "slow.tif"
    packer = zlib.compressobj(9)
    line = bytes(SIDE * 100)
    data = b"".join(packer.compress(line) for _ in range(SIDE // 100)) + packer.flush()
    tags = [(256, 4, SIDE), (257, 4, SIDE), (258, 3, 8), (259, 3, 8), (262, 3, 1), (273, 4, 8), (277, 3, 1),
            (278, 4, SIDE), (279, 4, len(data)), (339, 3, 1)]
    end = 8 + len(data) + len(data) % 2
    directory = struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHLL", tag, kind, 1, value)
                                                        for tag, kind, value in tags) + bytes(4)
    path.with_suffix(".tfw").write_text("1\n0\n0\n-1\n0.5\n-0.5\n")
    path.write_bytes(struct.pack("<2sHL", b"II", 42, end) + data.ljust(end - 8, b"\0") + directory)
    return path


def run(path, limit, call):
    """How long opening and the call took, in seconds, and what the call said of its limit."""
    outcome = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("SIDE", str(SIDE)), str(path), str(limit), call], capture_output=True,
        text=True, timeout=120, cwd=ROOT / "bindings" / "python")
    assert outcome.returncode == 0, outcome.stderr
    return json.loads(outcome.stdout)


@pytest.mark.parametrize("call", ["cells", "window", "points", "identify", "identify request", "picture request"])
def test_decoding_is_given_up(slow, call):
    _, without, words = run(slow, 0, call)
    assert words == "" and without > SLACK * LIMIT_MS / 1000, "the file is not slow enough to show anything"
    opened, took, words = run(slow, LIMIT_MS, call)
    assert opened < SLACK * LIMIT_MS / 1000
    assert took < SLACK * LIMIT_MS / 1000
    assert "max_request_ms" in words and "cannot be interrupted" in words
