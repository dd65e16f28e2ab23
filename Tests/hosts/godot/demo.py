#!/usr/bin/python3
"""Plays the demo of examples/godot in Xvfb, and compares what it shows with GDAL, OGR and formulas.

    demo.py PROJECT [--keep DIR]

It shows the same map as the game in LÖVE and plays the same script, so the checks of that game apply. The picture of the
whole window is that of Godot's own renderer. --keep leaves the pictures in a folder. Prints, last, "N passed, N failed".
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LUA = HERE.parent / "lua"
sys.path.insert(0, str(LUA))

import game  # noqa: E402
import toolbox  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    report = toolbox.Report()
    with tempfile.TemporaryDirectory() as folder:
        output = (options.keep or Path(folder)).resolve()
        output.mkdir(parents=True, exist_ok=True)
        godot = ["godot3-runner", "--path", options.project, "--audio-driver", "Dummy", "--fixed-fps", "60"]
        arguments = [f"--script={LUA / 'play.txt'}", f"--output={output}"]
        screen = ["xvfb-run", "--auto-servernum", "--server-args", "-screen 0 1280x1024x24"]
        environment = {"LIBGL_ALWAYS_SOFTWARE": "1", "HOME": os.environ.get("HOME", folder)}
        ran = toolbox.run([*screen, *godot, *arguments], seconds=180, environment=environment)
        game.compare(report, ran, output)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
