#!/usr/bin/python3
"""Runs the nodes with a screen, in Xvfb, and compares pictures of the whole window with GDAL, OGR and formulas.

    demo.py PROJECT [--keep DIR]

The demo of examples/godot shows the same map as the game in LÖVE and plays the same script, so the checks of that game
apply. drawn.gd shows a raster with red, green and blue, whose pixels must equal the bytes of the file. --keep leaves the
pictures in a folder. Prints, last, "N passed, N failed".
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

import numpy
import pyproj
from osgeo import gdal
from PIL import Image

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LUA = HERE.parent / "lua"
sys.path.insert(0, str(LUA))

import game  # noqa: E402
import toolbox  # noqa: E402

WIDTH, HEIGHT = 900, 640
# What drawn.gd has behind the map.
BACKGROUND = numpy.array([40, 80, 120])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    report = toolbox.Report()
    with tempfile.TemporaryDirectory() as folder:
        output = (options.keep or Path(folder)).resolve()
        output.mkdir(parents=True, exist_ok=True)
        script = [f"--script={LUA / 'play.txt'}", f"--output={output}"]
        game.compare(report, run(options.project, "--fixed-fps", "60", *script), output)
        ran = run(options.project, "-s", str(HERE / "drawn.gd"), str(ROOT), str(output))
        lines = [json.loads(line) for line in ran.output.splitlines() if line.startswith("{")]
        if report.check(ran.succeeded and len(lines) == 1, "drawn.gd runs to its end", ran.output):
            drawn(report, lines[0], output)
    return report.finish()


def run(project: str, *arguments: str) -> toolbox.Outcome:
    godot = ["godot3-runner", "--path", project, "--audio-driver", "Dummy", *arguments]
    screen = ["xvfb-run", "--auto-servernum", "--server-args", "-screen 0 1280x1024x24"]
    environment = {"LIBGL_ALWAYS_SOFTWARE": "1", "HOME": os.environ.get("HOME", "/tmp")}
    return toolbox.run([*screen, *godot], seconds=180, environment=environment)


def drawn(report: toolbox.Report, camera: dict, output: Path) -> None:
    """Each tenth pixel: the bytes of the cell under its middle, or the background."""
    raster = gdal.Open(str(ROOT / "examples/quickstart/data/RGB.byte.tif"))
    values = raster.ReadAsArray()[:3]
    inverse = gdal.InvGeoTransform(raster.GetGeoTransform())
    transform = pyproj.Transformer.from_crs(3857, pyproj.CRS(raster.GetProjection()), always_xy=True)
    units = camera["scale"] * 0.0254 / 96

    def color(x: float, y: float) -> numpy.ndarray | None:
        """None where the raster has no value."""
        point = transform.transform(camera["x"] + (x - WIDTH / 2) * units, camera["y"] - (y - HEIGHT / 2) * units)
        column, row = gdal.ApplyGeoTransform(inverse, *point)
        if not (0 <= column < raster.RasterXSize and 0 <= row < raster.RasterYSize):
            return None
        cell = values[:, int(row), int(column)]
        return cell.astype(float) if cell.any() else None

    points = [(x, y) for y in range(5, HEIGHT, 10) for x in range(5, WIDTH, 10)]
    # Cells are much larger than rounding, but a pixel may lie on the edge of two.
    for name, opacity, least in (("whole", 1.0, 0.999), ("half", 0.5, 0.999), ("hidden", 0.0, 1.0), ("far", 0.0, 1.0)):
        picture = numpy.asarray(Image.open(output / f"{name}.png").convert("RGB")).astype(float)
        right = covered = 0
        for x, y in points:
            cell = color(x + 0.5, y + 0.5)
            covered += cell is not None
            expected = BACKGROUND if cell is None else opacity * cell + (1 - opacity) * BACKGROUND
            right += bool(numpy.abs(picture[y, x] - expected).max() <= 1.5)
        print(f"{name}: {right} of {len(points)} pixels, {covered} of them in the raster")
        report.check(
            right >= least * len(points) and covered > 1000, f"{name}: {right} of {len(points)} pixels are right"
        )
    # The viewpoint went 100 DIP to the west and 50 to the north, so the picture goes right and down.
    before, after = (
        numpy.asarray(Image.open(output / f"{name}.png").convert("RGB")).astype(int) for name in ("whole", "moved")
    )
    difference = numpy.abs(after[50:, 100:] - before[:-50, :-100]).max(axis=2)
    report.check((difference <= 2).mean() > 0.99, f"a moved picture: {(difference <= 2).mean():.1%} of the pixels")
    report.check(bool((after[:45] == BACKGROUND).all()), "nothing is drawn where nothing has been read")


if __name__ == "__main__":
    sys.exit(main())
