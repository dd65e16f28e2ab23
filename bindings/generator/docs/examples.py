"""The pages of the examples: what each says of itself, its picture where it has one, and its source."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import guides
from header_model import REPOSITORY

FOLDER = REPOSITORY / "examples"
# The file to show first where the folder's name does not say it.
MAIN = {"viewer": "main.c", "cluster": "point_job.py"}
PICTURE = "picture.png"
LANGUAGES = {".py": "python", ".c": "c", ".cpp": "cpp", ".rs": "rust", ".go": "go", ".java": "java"}


def pages() -> dict[str, str]:
    """The page of each example by its name."""
    folders = sorted(path for path in FOLDER.iterdir() if path.is_dir() and _sources(path))
    return {f"examples/{folder.name}": _page(folder) for folder in folders}


def copy_pictures(folder: Path) -> None:
    """Copies the pictures to the folder of the pages, each under the name of its example."""
    folder.mkdir(exist_ok=True)
    for path in FOLDER.glob(f"*/{PICTURE}"):
        shutil.copy(path, folder / f"{path.parent.name}.png")


def _sources(folder: Path) -> list[Path]:
    """The programs of an example, the first of them in Python where it is in Python."""
    names = [f"{folder.name}.py", MAIN.get(folder.name, f"{folder.name}.c"), f"{folder.name}.cpp"]
    names += [f"{folder.name}.rs", f"{folder.name}.go", f"{folder.name.capitalize()}.java"]
    return [folder / name for name in names if (folder / name).exists()]


def _page(folder: Path) -> str:
    script, readme = folder / f"{folder.name}.py", folder / "README.md"
    title, text = folder.name.replace("_", " ").capitalize(), ""
    if readme.exists():
        title, _, text = readme.read_text(encoding="utf-8").removeprefix("# ").partition("\n")
    elif script.exists():
        text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    picture = f"![What it draws]({folder.name}.png)" if (folder / PICTURE).exists() else ""
    shown = [
        f"## {path.name}\n\n````{LANGUAGES[path.suffix]}\n{path.read_text(encoding='utf-8')}````"
        for path in _sources(folder)
    ]
    text = guides.with_links(text, folder, "../").strip()
    return "\n\n".join(filter(None, [f"# {title}", text, picture, *shown])) + "\n"
