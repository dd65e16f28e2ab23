"""The interface as libabigail sees it: a shared object of stubs, and the dump that abidw makes of it.

The library itself shows no C types: its debug information is Swift's. The header alone would not do either: its enums
have no name, so that no function refers to them and their enumerators would be left out. So every function gets a stub
without a use, every enumeration a name and its width, and clang writes the debug information.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import measure
from header_model import INCLUDE, REPOSITORY, Field, Header, Parameter

# libabigail's description of an interface is kept free of paths on the machine that wrote it.
_DUMP_OPTIONS = ["--no-comp-dir-path", "--no-corpus-path", "--no-show-locs", "--no-elf-needed"]
# Names of types that do not change when another type is added, so that a renewed dump shows what is new.
_DUMP_OPTIONS += ["--type-id-style", "hash"]
# Types that no function mentions count too: flags are passed as uint32_t.
_DUMP_OPTIONS += ["--load-all-types"]
_STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
_VERSION_SCRIPT = REPOSITORY / "bindings" / "c" / "alidade.map"


def dump(header: Header, folder: Path, include: Path = INCLUDE) -> Path:
    """Writes the interface as libabigail's XML into a folder and returns the file's path."""
    # clang and abidw run in the folder, so that its name is in neither's output.
    (folder / "alidade_stubs.c").write_text(source(header, include))
    compiler = ["clang", "-std=c2x", "-g", "-O0", "-fno-eliminate-unused-debug-types", "-fdebug-compilation-dir=."]
    link = ["-fPIC", "-shared", "-nostdlib", "-Wl,-soname=libalidade.so.0", f"-Wl,--version-script={_VERSION_SCRIPT}"]
    _run_in(folder, [*compiler, *_STRICT, *link, "-o", "alidade_stubs.so", "alidade_stubs.c"])
    _run_in(folder, ["abidw", *_DUMP_OPTIONS, "--out-file", "alidade.abi.xml", "alidade_stubs.so"])
    return folder / "alidade.abi.xml"


def source(header: Header, include: Path = INCLUDE) -> str:
    """The stubs in C."""
    lines = ["#include <stddef.h>", "#include <stdint.h>", *(f"struct {name};" for name in header.foreign_structs)]
    for enumeration in header.enumerations.values():
        lines += ["", f"typedef enum {enumeration.name} : {enumeration.storage} {{"]
        lines += [f"  {e.name} = {e.value}," for e in enumeration.enumerators]
        lines.append(f"}} {enumeration.name};")
    for position, struct in enumerate(header.structs.values()):
        lines += _callbacks(header, position)
        lines += ["", f"typedef struct {struct.name} {{"]
        lines += [f"  {_declaration(field)};" for field in struct.fields]
        lines.append(f"}} {struct.name};")
    lines += [*_callbacks(header, len(header.structs)), ""]
    for layout in measure.structs(header, include):
        lines.append(f'_Static_assert(sizeof({layout.name}) == {layout.size}, "as in the header");')
    for function in header.functions.values():
        parameters = ", ".join(_declaration(p) for p in function.parameters) or "void"
        lines += ["", f"{function.returns.spelling} {function.name}({parameters});"]
        lines.append(f"{function.returns.spelling} {function.name}({parameters}) {{")
        lines += [f"  (void){p.name};" for p in function.parameters]
        if function.returns.spelling != "void":
            lines.append(f"  return ({function.returns.spelling})0;")
        lines.append("}")
    return "\n".join([*lines, ""])


def _callbacks(header: Header, position: int) -> list[str]:
    """The callbacks that are declared when so many structs are."""
    here = [callback for callback in header.callbacks.values() if callback.position == position]
    return [f"\ntypedef void (*{c.name})({', '.join(p.spelling for p in c.parameters)});" for c in here]


def _declaration(item: Field | Parameter) -> str:
    """A field or a parameter in C: arrays are written behind the name."""
    base, bracket, length = item.type.spelling.partition("[")
    return f"{base.rstrip()} {item.name}{bracket}{length}"


def _run_in(folder: Path, command: list[str]) -> None:
    subprocess.run(command, cwd=folder, check=True, timeout=120)
