#!/usr/bin/env python3
"""Compiles and runs the examples of the documentation, and follows its links as the plain files have them.

A fence marked `c`, `cpp`, `python`, `lua`, `rust`, `go`, `java` or `csharp` in README.md or in the pages is an example. C
with a main, C++, Python, Lua where there is LuaJIT, and the last four in a page that --only names, are compiled and run
from the top of the checkout; a fence marked `text output` behind it must be what it prints. C without a main is a piece
of a function; it is compiled with the variables of PRELUDE around it. Each header begins with an example too, between
@code{.c} and @endcode: the body of the function EXAMPLE.

Programs in different languages with nothing between them are one program, which the HTML pages show side by side. All of
them must print the same: what the `text output` fence behind the last of them says.

    snippets.py [--sdk DIR] [--only PAGE]...

prints a line per example and, last, "N passed, N failed". --only looks at the page of that name alone, such as Errors.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "Sources" / "AlidadeABI" / "Alidade.docc"
sys.path.insert(0, str(ROOT / "Tests" / "hosts" / "languages"))

import builds  # noqa: E402

# What a piece of C may use without declaring it.
PRELUDE = """\
#include <alidade.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void piece(ald_runtime runtime, ald_spatial_reference spatial_reference, ald_raster raster, ald_layer layer,
           ald_map map, ald_view view, ald_identify_result result, ald_callout callout);
void piece(ald_runtime runtime, ald_spatial_reference spatial_reference, ald_raster raster, ald_layer layer,
           ald_map map, ald_view view, ald_identify_result result, ald_callout callout) {
  ald_error error;
  ald_status status = ALD_STATUS_OK;
  (void)runtime, (void)spatial_reference, (void)raster, (void)layer, (void)map, (void)view, (void)result;
  (void)callout;
  (void)error, (void)status;
  {
"""
EPILOGUE = "\n  }\n}\n"
# What a header's example may use; it ends with a return.
EXAMPLE = """\
#include <alidade.h>
#include <stdio.h>
ald_status example(ald_runtime runtime, ald_map map, ald_view view, ald_layer layer, ald_raster raster,
                   ald_feature_source feature_source, ald_geometry geometry, ald_geometry_array geometry_array,
                   ald_spatial_reference spatial_reference, ald_graphics_overlay overlay, ald_error *error);
ald_status example(ald_runtime runtime, ald_map map, ald_view view, ald_layer layer, ald_raster raster,
                   ald_feature_source feature_source, ald_geometry geometry, ald_geometry_array geometry_array,
                   ald_spatial_reference spatial_reference, ald_graphics_overlay overlay, ald_error *error) {
"""
STRICT = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]
CPP = ["g++", "-std=c++17", *STRICT[1:]]


FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Packages that only other suites have: Tests/hosts/cluster and Tests/pypi. The first whose packages an example imports runs it.
SUITES = {
    "cluster": re.compile(r"^(import|from) (distributed|pyspark)\b", re.MULTILINE),
    "pypi": re.compile(r"^import (geopandas|pyarrow|polars|duckdb)\b", re.MULTILINE),
}


@dataclass
class Snippet:
    page: Path
    line: int
    language: str
    code: str
    # Programs with the same number are one program in several languages.
    group: int
    output: str | None = None

    @property
    def is_program(self) -> bool:
        return self.language not in ("c", "cpp") or re.search(r"\bint main\(", self.code) is not None

    @property
    def name(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line} ({self.language})"


def suite(snippet: Snippet) -> str | None:
    """The suite that runs an example; None: this one."""
    return next((name for name, imports in SUITES.items() if imports.search(snippet.code)), None)


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted(CATALOGUE.glob("*.md"))]


def snippets(page: Path) -> list[Snippet]:
    found: list[Snippet] = []
    text = page.read_text(encoding="utf-8")
    group = end = 0
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if text[end : match.start()].strip() or any((group, match[1]) == (other.group, other.language) for other in found):
            group += 1
        end = match.end()
        if match[1] in ("c", "cpp", "python", "lua", *builds.LANGUAGES):
            found.append(Snippet(page, line, match[1], match[2], group))
        elif match[1] == "text output" and found:
            found[-1].output = match[2]
    for snippet in found:
        snippet.output = snippet.output or next((other.output for other in reversed(siblings(snippet, found))), None)
    return found


def siblings(snippet: Snippet, found: list[Snippet]) -> list[Snippet]:
    """The same program in all languages."""
    return [other for other in found if other.group == snippet.group and other.is_program and snippet.is_program]


def different_outputs(page: Path) -> list[str]:
    """Programs in several languages for which the page states no output, or more than one."""
    found = snippets(page)
    same = {snippet.name: {other.output for other in siblings(snippet, found)} for snippet in found}
    how_to = page.name.startswith(("How-to-", "Getting-started-"))
    return [
        f"{snippet.name}: a program in several languages needs one text output"
        for snippet in found
        if len(same[snippet.name]) > 1
        or (same[snippet.name] == {None} and (how_to or len(siblings(snippet, found)) > 1))
    ]


def header_example(header: Path, sdk: Path) -> str | None:
    """What is wrong with the example at the top of a header; None if nothing is."""
    comment = header.read_text(encoding="utf-8").partition("*/")[0]
    match = re.search(r"^ \* @code\{\.c\}\n(.*?)^ \* @endcode$", comment, re.MULTILINE | re.DOTALL)
    if match is None:
        return "the header does not begin with an example"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "example.c")
        source.write_text(EXAMPLE + re.sub(r"(?m)^ \* ?", "", match[1]) + "}\n", encoding="utf-8")
        command = ["gcc", *STRICT, "-Wno-unused-parameter", "-fsyntax-only", str(source), *pkg_config(sdk)]
        compiled = subprocess.run(command, capture_output=True, text=True)
    return compiled.stderr if compiled.returncode != 0 else None


def run(snippet: Snippet, sdk: Path) -> str | None:
    """What is wrong with an example; None if nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        if snippet.language == "python":
            return compare(snippet, [sys.executable, "-c", snippet.code])
        if snippet.language == "lua":
            return compare(snippet, ["env", f"LUA_PATH={sdk}/share/lua/5.1/?.lua;;", "luajit", "-e", snippet.code])
        if snippet.language in builds.LANGUAGES:
            return run_built(snippet, builds.LANGUAGES[snippet.language], Path(folder), sdk)
        source, program = Path(folder, f"snippet.{snippet.language}"), Path(folder, "snippet")
        source.write_text(snippet.code if snippet.is_program else PRELUDE + snippet.code + EPILOGUE, encoding="utf-8")
        flags = pkg_config(sdk)
        compiler = CPP if snippet.language == "cpp" else ["gcc", *STRICT]
        build = [*compiler, str(source), *flags, f"-Wl,-rpath,{sdk}/lib", "-o", str(program)]
        if not snippet.is_program:
            build = ["gcc", *STRICT, "-fsyntax-only", str(source), *flags]
        compiled = subprocess.run(build, capture_output=True, text=True)
        if compiled.returncode != 0:
            return compiled.stderr
        return compare(snippet, [str(program)]) if snippet.is_program else None


def run_built(snippet: Snippet, language: builds.Language, folder: Path, sdk: Path) -> str | None:
    """The same for a language with a binding that is built first."""
    # In Java a class has a file of its name.
    name = re.search(r"^final class (\w+)", snippet.code, re.MULTILINE)
    source, place = folder / f"{name[1] if name else 'snippet'}{language.suffix}", folder / "built"
    source.write_text(snippet.code, encoding="utf-8")
    place.mkdir()
    try:
        prepare(language, sdk)
        return compare(snippet, language.program(source, place, sdk))
    except builds.BuildError as error:
        return str(error)


@functools.lru_cache
def prepare(language: builds.Language, sdk: Path) -> None:
    language.prepare(sdk)


def compare(snippet: Snippet, command: list[str]) -> str | None:
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        return f"ended with status {result.returncode}\n{result.stdout}{result.stderr}"
    if snippet.output is not None and result.stdout.strip() != snippet.output.strip():
        return f"the page says:\n{snippet.output}it prints:\n{result.stdout}"
    return None


def pkg_config(sdk: Path) -> list[str]:
    environment = {**os.environ, "PKG_CONFIG_PATH": str(sdk / "lib" / "pkgconfig")}
    command = ["pkg-config", "--cflags", "--libs", "alidade"]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.split()


def broken_links(page: Path) -> list[str]:
    """Links to files and pages that do not exist, and functions and constants that no header declares."""
    text = page.read_text(encoding="utf-8")
    broken = [
        link
        for link in re.findall(r"\]\(([^)#\s]+)", FENCE.sub("", text))
        if not re.match(r"[a-z]+:", link) and not (page.parent / link).exists()
    ]
    # DocC's own links lead nowhere in the plain files and in the HTML.
    broken += re.findall(r"<doc:[\w-]+>", text)
    headers = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "Include").rglob("*.h")))
    known = set(re.findall(r"\b(?:ald|ALD)_\w+", headers))
    # A name that ends with "_" stands for a family; it must be the beginning of some name.
    for name in sorted(set(re.findall(r"\b(?:ald|ALD)_\w*", text))):
        family = name.endswith("_") and any(other.startswith(name) for other in known)
        if name not in known and not family:
            broken.append(name)
    return broken


def lost_pages() -> list[str]:
    """Pages that the first page does not name."""
    root = (CATALOGUE / "Alidade.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\]\(([\w-]+)\.md\)", root))
    return [page.stem for page in CATALOGUE.glob("*.md") if page.stem not in named | {"Alidade"}]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sdk", type=Path, default=ROOT / ".build" / "sdk", help="the SDK to build against")
    parser.add_argument("--only", action="append", default=[], metavar="PAGE", help="looks at this page alone")
    arguments = parser.parse_args()
    if unknown := set(arguments.only) - {page.stem for page in pages()}:
        parser.error(f"no such page: {min(unknown)}")
    sdk = arguments.sdk.resolve()

    problems: dict[str, str | None] = {}
    for page in pages():
        if arguments.only and page.stem not in arguments.only:
            continue
        for snippet in snippets(page):
            # Tests/hosts/lua has LuaJIT, too. Tests/hosts/languages runs what needs a binding that is built first.
            is_left_out = snippet.language == "lua" and shutil.which("luajit") is None
            is_left_out |= snippet.language in builds.LANGUAGES and not arguments.only
            if is_left_out or suite(snippet) is not None:
                print(f"left to another suite: {snippet.name}")
            else:
                problems[snippet.name] = run(snippet, sdk)
        problems[f"{page.relative_to(ROOT)}: languages print the same"] = "\n".join(different_outputs(page)) or None
        problems[f"{page.relative_to(ROOT)}: links and names"] = "\n".join(broken_links(page)) or None
    if not arguments.only:
        problems |= whole_catalogue(sdk)

    for name, problem in problems.items():
        print(f"FAILED  {name}\n{problem}" if problem else f"ok      {name}")
    failed = sum(problem is not None for problem in problems.values())
    print(f"{len(problems) - failed} passed, {failed} failed")
    return 1 if failed else 0


def whole_catalogue(sdk: Path) -> dict[str, str | None]:
    """What is wrong with the headers' examples, and with the pages as a whole."""
    problems: dict[str, str | None] = {}
    for header in sorted((ROOT / "Include" / "alidade").glob("*.h")):
        problems[f"{header.relative_to(ROOT)}: example"] = header_example(header, sdk)
    problems["every page can be reached"] = "\n".join(lost_pages()) or None
    return problems


if __name__ == "__main__":
    sys.exit(main())
