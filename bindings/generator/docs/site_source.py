#!/usr/bin/env python3
"""Writes the source of the site for Sphinx: the written pages, the references, the examples.

bindings/generator/build-docs runs it with the package alidade and its library at hand.

    site_source.py --swift-build DIR FOLDER

Ends with an error if something in the C interface or a name of the Python package has no comment.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import c_reference
import cpp_reference
import guides
import header_model
import python_reference
import swift_reference

import examples


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--swift-build", type=Path, required=True, help="the release folder of a SwiftPM build")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    folder: Path = options.folder.resolve()
    for name in ("conf.py", "static"):
        copy = shutil.copytree if (HERE / name).is_dir() else shutil.copy
        copy(HERE / name, folder / name)
    (folder / "extensions").mkdir()
    for name in ("extension.py", "swift_domain.py"):
        shutil.copy(HERE / name, folder / "extensions" / name)

    header = header_model.load()
    cpp, python = cpp_reference.Reference(header), python_reference.Reference(header)
    swift = swift_reference.Reference(swift_reference.extract(options.swift_build))
    in_cpp, in_python = cpp.of_c(), python.of_c()

    def elsewhere(name: str) -> list[tuple[str, list[str]]]:
        return [(label, names[name]) for label, names in (("C++", in_cpp), ("Python", in_python)) if name in names]

    shown = examples.pages()
    examples.copy_pictures(folder / "examples")
    references = c_reference.pages(header, elsewhere) | cpp.pages() | python.pages()
    write(folder, guides.pages(list(shown)), ".md")
    write(folder / "reference", references, ".rst")
    write(folder / "reference", swift.pages(), ".md")
    write(folder, shown, ".md")
    (folder / "c_names.json").write_text(json.dumps(c_reference.names(header)), encoding="utf-8")
    return judge(c_reference.undocumented(header), python, swift)


def write(folder: Path, texts: dict[str, str], suffix: str) -> None:
    for name, text in texts.items():
        path = folder / f"{name}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def judge(c_missing: list[str], python: python_reference.Reference, swift: swift_reference.Reference) -> int:
    """Prints what has no comment, and gives the exit status."""
    problems = [f"no comment in C: {name}" for name in c_missing]
    problems += [f"no docstring in Python: {name}" for name in python.missing]
    total, missing = len(swift.symbols), len(swift.missing)
    print(*problems, sep="\n", file=sys.stderr, end="\n" if problems else "")
    print(f"Python: {python.documented} with a docstring. Swift: {total - missing} of {total} symbols with a comment.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
