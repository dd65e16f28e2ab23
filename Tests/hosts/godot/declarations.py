#!/usr/bin/python3
"""Compares bindings/godot/src/gdnative.h with the engine's own declarations, out of Debian's source package.

    declarations.py [--source DIR]

--source is a folder with the sources; without it the package is fetched with apt-get into a temporary folder, which
needs no rights and changes nothing on the system. Prints, last, "N passed, N failed"; without a network it is skipped.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
HEADER = ROOT / "bindings" / "godot" / "src" / "gdnative.h"
sys.path.insert(0, str(ROOT / "Tests" / "abi" / "harness"))

import toolbox  # noqa: E402

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path)
    source = parser.parse_args().source
    report = toolbox.Report()
    with tempfile.TemporaryDirectory() as folder:
        if source is None:
            source = fetched(Path(folder))
        if source is None:
            print("skipped: declarations: Debian's source package of godot3 cannot be fetched")
            return report.finish()
        gdnative = source / "modules" / "gdnative"
        api = json.loads((gdnative / "gdnative_api.json").read_text())
        functions(report, api)
        nativescript(report, api)
        layouts(report, gdnative)
    return report.finish()


def fetched(folder: Path) -> Path | None:
    """The part of the engine's sources with its C interface."""
    mirror = mirror_of_debian()
    if mirror is None:
        return None
    (folder / "sources.list").write_text(f"deb-src [signed-by={KEYRING}] {mirror} main\n")
    (folder / "lists" / "partial").mkdir(parents=True)
    settings = {
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache": folder,
        "APT::Sandbox::User": "root",
    }
    apt = ["apt-get", *(f"-o{name}={value}" for name, value in settings.items())]
    for command in ([*apt, "update"], [*apt, "source", "--download-only", "godot3"]):
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
        if ran.returncode != 0:
            print(ran.stderr)
            return None
    with tarfile.open(next(folder.glob("*.orig.tar.*"))) as archive:
        members = [member for member in archive.getmembers() if "/modules/gdnative/" in member.name]
        archive.extractall(folder, members)
    return next(folder.glob("godot*/modules")).parent


def mirror_of_debian() -> str | None:
    """Where this machine gets its packages from, and their release, such as "URL bookworm"."""
    form = "$(ORIGIN) $(LABEL) $(COMPONENT) $(REPO_URI) $(CODENAME)"
    command = ["apt-get", "indextargets", "--format", form, "Identifier: Packages"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    found = re.findall(r"^Debian Debian main (\S+ \w+)$", ran.stdout, re.MULTILINE)
    return found[0] if found else None


def plain(declared: str) -> str:
    """A type without what does not matter to a caller."""
    declared = re.sub(r"\bconst (?=\w+$)", "", declared.strip())
    return declared.replace("godot_vector3_axis", "int").replace(" *", "*").replace("* ", "*")


def functions(report: toolbox.Report, api: dict) -> None:
    """The position and the types of each function of the table."""
    text = HEADER.read_text().replace("\\\n", " ")
    listed = re.findall(r"X\((\d+), ([^,]+), (\w+), \(([^)]*)\)\)", text)
    report.check(len(listed) > 50, f"{len(listed)} functions are declared")
    for position, result, name, parameters in listed:
        engine = api["core"]["api"][int(position)]
        report.check(
            engine["name"] == f"godot_{name}", f"the function {position} is {engine['name']}, not godot_{name}"
        )
        report.check(plain(engine["return_type"]) == plain(result), f"{name} gives {engine['return_type']}")
        expected = [plain(declared) for declared, _ in engine["arguments"]]
        report.check(
            [plain(p) for p in parameters.split(",")] == expected, f"{name} takes {expected}, not {parameters}"
        )


def nativescript(report: toolbox.Report, api: dict) -> None:
    extension = api["extensions"][0]
    report.check(extension["type"] == "NATIVESCRIPT", "the first extension is NativeScript")
    declared = re.findall(r"void \(\*(register_\w+)\)", HEADER.read_text())
    expected = [f["name"].removeprefix("godot_nativescript_") for f in extension["api"]][: len(declared)]
    report.check(declared == expected and len(declared) == 3, f"NativeScript begins with {expected}, not {declared}")


def layouts(report: toolbox.Report, gdnative: Path) -> None:
    """Sizes and offsets of the structs, and the numbers of the types, as the compiler sees both headers."""
    sizes = re.findall(r"GODOT_VALUE\((\w+), \d+\)", HEADER.read_text())
    types = re.findall(r"GODOT_TYPE_(\w+) = ", HEADER.read_text())
    pairs = {
        "godot_gdnative_init_options": (
            "godot_init_options",
            [
                ("in_editor",),
                ("core_api_hash",),
                ("report_loading_error",),
                ("gd_native_library", "library"),
                ("api_struct", "core"),
                ("active_library_path", "library_path"),
            ],
        ),
        "godot_instance_create_func": ("godot_instance_create", [("create_func", "create"), ("method_data",)]),
        "godot_instance_destroy_func": ("godot_instance_destroy", [("destroy_func", "destroy"), ("method_data",)]),
        "godot_instance_method": ("godot_instance_method", [("method",), ("method_data",)]),
        "godot_method_attributes": ("godot_method_attributes", [("rpc_type", "rpc_mode")]),
        "godot_gdnative_api_struct": ("godot_table", [("version",), ("next",)]),
    }
    lines = {"engine": [f"sizeof({name})" for name in sizes], "ours": [f"sizeof({name})" for name in sizes]}
    lines["engine"] += [f"(size_t)GODOT_VARIANT_TYPE_{name}" for name in types]
    lines["ours"] += [f"(size_t)GODOT_TYPE_{name}" for name in types]
    for engine, (ours, fields) in pairs.items():
        lines["engine"] += [f"sizeof({engine})"] + [f"offsetof({engine}, {names[0]})" for names in fields]
        lines["ours"] += [f"sizeof({ours})"] + [f"offsetof({ours}, {names[-1]})" for names in fields]
    includes = {
        "engine": ["<gdnative/gdnative.h>", "<nativescript/godot_nativescript.h>"],
        "ours": ['"gdnative.h"'],
    }
    values = {which: compiled(gdnative, includes[which], lines[which]) for which in lines}
    for engine, ours, a, b in zip(lines["engine"], lines["ours"], values["engine"], values["ours"]):
        report.check(a == b, f"{engine} is {a}, {ours} is {b}")


def compiled(gdnative: Path, includes: list[str], expressions: list[str]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "values.c", Path(folder) / "values"
        lines = [f"#include {name}" for name in ["<stddef.h>", "<stdio.h>", *includes]] + ["int main(void) {"]
        lines += [f'  printf("%zu\\n", {expression});' for expression in expressions] + ["  return 0;", "}"]
        source.write_text("\n".join(lines))
        paths = [f"-I{gdnative / 'include'}", f"-I{HEADER.parent}"]
        subprocess.run(["cc", "-w", *paths, "-o", str(program), str(source)], check=True, timeout=60)
        return subprocess.run([str(program)], check=True, capture_output=True, text=True, timeout=60).stdout.split()


if __name__ == "__main__":
    sys.exit(main())
