"""Completes a wheel: finish_wheel.py WHEEL LICENCES FOLDER.

Puts the licences into it, names them all in its metadata, gives it the tag of the oldest systems on which it works, and
compresses it as far as deflate can, and writes it into the folder.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TABLE = "PARTS.md"


def licence_expression(table: str) -> str:
    """The licence of the whole: our own, and the licences of all rows of the table."""
    rows = re.findall(r"^\| (?:[^|]+) \| (?:[^|]+) \| ([^|]+) \| (?:[^|]+) \|$", table, re.MULTILINE)[2:]
    names = {name: None for row in ("MIT", *rows) for name in row.split(" AND ")}
    return " AND ".join(names)


def with_licences(metadata: str, expression: str, files: list[str]) -> str:
    """Core metadata 2.4: an expression and the files instead of a free text and classifiers."""
    head, body = metadata.split("\n\n", 1)
    lines = [
        line
        for line in head.splitlines()
        if not line.startswith(("Metadata-Version:", "License:", "License-File:", "Classifier: License ::"))
    ]
    lines = ["Metadata-Version: 2.4", *lines, f"License-Expression: {expression}"]
    lines += [f"License-File: {file}" for file in files]
    return "\n".join(lines) + "\n\n" + body


def platform(wheel: Path) -> str:
    """The tag that the symbols of the library allow."""
    shown = subprocess.run([sys.executable, "-m", "auditwheel", "show", wheel], capture_output=True, text=True, check=True)
    found = re.search(r'platform tag:\s+"([^"]+)"', shown.stdout)
    if found is None or not found[1].startswith("manylinux"):
        sys.exit(f"auditwheel gives no manylinux tag:\n{shown.stdout}")
    return found[1]


def main(wheel: Path, licences: Path, folder: Path) -> None:
    def run(*arguments: str | Path) -> None:
        subprocess.run([sys.executable, "-m", "wheel", *arguments], check=True, stdout=subprocess.DEVNULL)

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        run("unpack", "--dest", scratch, wheel)
        (unpacked,) = scratch.iterdir()
        (info,) = unpacked.glob("*.dist-info")
        for old in info.glob("LICEN[CS]E*"):
            old.unlink()
        shutil.copytree(licences, info / "licenses")
        files = sorted(str(path.relative_to(licences)) for path in licences.rglob("*") if path.is_file())
        metadata = info / "METADATA"
        expression = licence_expression((licences / TABLE).read_text())
        metadata.write_text(with_licences(metadata.read_text(), expression, files))
        run("pack", "--dest-dir", scratch, unpacked)
        (packed,) = scratch.glob("*.whl")
        run("tags", "--remove", "--platform-tag", platform(packed), packed)
        (tagged,) = scratch.glob("*.whl")
        # Files stay as they are; what pip's own compression leaves is 4 % of a download.
        subprocess.run(["advzip", "--recompress", "--shrink-extra", "--quiet", tagged], check=True)
        shutil.move(tagged, folder / tagged.name)
    made = folder / tagged.name
    print(f"{made}: {made.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
