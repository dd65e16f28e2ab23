"""The pages of the examples: what each says of itself, the picture that it draws, and its source."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from header_model import REPOSITORY

FOLDER = REPOSITORY / "examples"
# The file to show first where the folder's name does not say it.
MAIN = {"viewer": "main.c"}
LANGUAGES = {".py": "python", ".c": "c", ".cpp": "cpp"}


def pages(pictures: Path) -> dict[str, str]:
    """The page of each example by its name; the pictures are written to a folder."""
    found = {}
    for folder in sorted(path for path in FOLDER.iterdir() if path.is_dir()):
        found[f"examples/{folder.name}"] = _page(folder, pictures)
    return found


def _page(folder: Path, pictures: Path) -> str:
    script, readme = folder / f"{folder.name}.py", folder / "README.md"
    title, text = folder.name.replace("_", " ").capitalize(), ""
    if readme.exists():
        title, _, text = readme.read_text(encoding="utf-8").removeprefix("# ").partition("\n")
    elif script.exists():
        text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    picture = f"![What it draws]({folder.name}.png)" if script.exists() and _draw(script, pictures) else ""
    sources = [script, folder / MAIN.get(folder.name, f"{folder.name}.c"), folder / f"{folder.name}.cpp"]
    shown = [
        f"## examples/{folder.name}/{path.name}\n\n````{LANGUAGES[path.suffix]}\n{path.read_text(encoding='utf-8')}````"
        for path in sources
        if path.exists()
    ]
    return "\n\n".join(filter(None, [f"# {title}", text.strip(), picture, *shown])) + "\n"


def _draw(script: Path, pictures: Path) -> bool:
    """Runs an example for its picture, where it draws one."""
    if "--output" not in script.read_text(encoding="utf-8"):
        return False
    output = pictures / f"{script.stem}.png"
    command = [sys.executable, str(script), "--output", str(output)]
    if 'add_argument("--data"' in script.read_text(encoding="utf-8"):
        command += ["--data", str(FOLDER / "quickstart" / "data")]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=pictures)
    if result.returncode != 0:
        raise SystemExit(f"{script} ended with status {result.returncode}:\n{result.stdout}")
    return output.exists()
