#!/usr/bin/env python3
"""Holds the flat declarations of the LuaJIT binding against the headers: does a call mean the same?

    abi.py --cdef FILE

In FILE a handle is a uint64_t and a point two doubles; in the headers both are structs. For every function:

- A caller that knows FILE calls a function with the header's signature in another file, on this machine, built by gcc and by
  clang. Every byte of every argument must arrive.
- clang compiles a function with each of the two signatures for x86-64 and for AArch64. The instructions that fetch the
  arguments must be the same.

As a control, a box as four doubles must be found to be different on x86-64, where a box travels in memory.

Then luajit and the C compiler read FILE. Both must lay out every struct as the C compiler does with the headers. Prints,
last, "N passed, N failed".
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "bindings" / "generator"), str(ROOT / "Tests" / "abi" / "harness")]

import header_model  # noqa: E402
import measure  # noqa: E402
import toolbox  # noqa: E402
from header_model import CType, Function, Header  # noqa: E402

TARGETS = ("x86_64-linux-gnu", "aarch64-linux-gnu")
NOTES = """\
static unsigned char notes[1024];
static size_t note_count;
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cdef", type=Path, required=True)
    cdef = parser.parse_args().cdef.resolve()
    header = header_model.load()
    report = toolbox.Report()
    with tempfile.TemporaryDirectory() as folder:
        for compiler in ("gcc", "clang"):
            arguments_arrive(report, header, cdef, compiler, Path(folder))
        for target in TARGETS:
            same_instructions(report, header, cdef, target)
        same_layouts(report, header, cdef)
    return report.finish()


def flat_parameters(function: Function, cdef: str) -> list[tuple[str, str]]:
    """Type and name of each parameter as FILE declares the function."""
    line = re.search(rf"^.*\b{function.name}\((.*)\);$", cdef, re.MULTILINE)
    if line is None:
        return []
    parts = [] if line[1] == "void" else line[1].split(", ")
    return [(m[1].strip(), m[2]) for part in parts if (m := re.fullmatch(r"(.*?)(\w+)", part))]


def real_parameters(function: Function) -> list[tuple[str, str]]:
    return [(p.type.spelling, p.name) for p in function.parameters]


def listed(parameters: list[tuple[str, str]]) -> str:
    return ", ".join(f"{kind} {name}" for kind, name in parameters) or "void"


def arguments_arrive(report: toolbox.Report, header: Header, cdef: Path, compiler: str, folder: Path) -> None:
    functions, text = list(header.functions.values()), cdef.read_text()
    note = "#include <string.h>\nextern unsigned char got[1024]; extern size_t got_count;\n"
    note += "#define NOTE(x) (memcpy(got + got_count, &(x), sizeof(x)), got_count += sizeof(x))\n"
    callee = ["#include <alidade.h>", note, "unsigned char got[1024]; size_t got_count;"]
    for function in functions:
        notes = " ".join(f"NOTE({name});" for _, name in real_parameters(function))
        callee.append(f"void called_{function.name}({listed(real_parameters(function))}) {{ {notes} }}")
    caller = ["#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>", note, text, NOTES]
    caller.append("#define SENT(x) (memcpy(notes + note_count, &(x), sizeof(x)), note_count += sizeof(x))")
    for function in functions:
        parameters = flat_parameters(function, text)
        caller.append(f"void called_{function.name}({listed(parameters)});")
        caller.append(f"static void call_{function.name}(void) {{")
        for position, (kind, name) in enumerate(parameters):
            # Bytes that are different in each argument, and make doubles that are finite.
            caller.append(f"  {kind} {name}; memset(&{name}, {position + 33}, sizeof({name})); SENT({name});")
        caller.append(f"  called_{function.name}({', '.join(name for _, name in parameters)});\n}}")
    caller.append("int main(void) { int wrong = 0, right = 0;")
    for function in functions:
        caller.append(f"  note_count = got_count = 0; call_{function.name}();")
        caller.append(
            "  if (note_count == got_count && memcmp(notes, got, got_count) == 0) right++;"
            f'  else {{ wrong++; puts("{function.name}"); }}'
        )
    caller.append('  printf("%d passed, %d failed\\n", right, wrong); return wrong != 0; }')
    (folder / "callee.c").write_text("\n".join(callee))
    (folder / "caller.c").write_text("\n".join(caller))
    program = folder / f"abi-{compiler}"
    sources = [str(folder / "caller.c"), str(folder / "callee.c")]
    built = toolbox.run([compiler, "-O1", f"-I{ROOT / 'Include'}", *sources, "-o", str(program)], seconds=120)
    if report.check(built.succeeded, f"{compiler} compiles the two sides", built.output):
        ran = toolbox.run([str(program)], seconds=60)
        print(f"{compiler}: {ran.output.strip()}")
        passed, failed = toolbox.counts(ran.output) or (0, 1)
        report.add(passed, failed)
        report.check(passed == len(functions), f"{compiler}: every function was called")


def same_instructions(report: toolbox.Report, header: Header, cdef: Path, target: str) -> None:
    functions, text = list(header.functions.values()), cdef.read_text()
    flat = ["#include <stddef.h>\n#include <stdint.h>", text]
    real = ["#include <alidade.h>"]
    for function in functions:
        parameters = flat_parameters(function, text)
        flat.append(fetcher(function.name, parameters, [name for _, name in parameters], header))
        fetched = [part for p in function.parameters for part in parts(p.type, p.name, header)]
        real.append(fetcher(function.name, real_parameters(function), fetched, header))
    corners = ("x_min", "y_min", "x_max", "y_max")
    doubles = [("double", corner) for corner in corners]
    flat.append(fetcher("control", doubles, list(corners), header))
    real.append(fetcher("control", [("ald_envelope", "box")], [f"box.{corner}" for corner in corners], header))
    bodies = [assembled("\n".join(source), target) for source in (flat, real)]
    differing = [name for name in bodies[1] if bodies[0].get(name) != bodies[1][name]]
    if target.startswith("x86"):
        report.check("control" in differing, f"{target}: the control is found")
    wrong = [name for name in differing if name != "control"]
    compared = len(bodies[1]) - 1
    print(f"{target}: {compared - len(wrong)} of {compared} functions fetch the same arguments", *wrong)
    report.add(compared - len(wrong), len(wrong))
    report.check(compared == len(functions), f"{target}: every function was compared")


def parts(ctype: CType, name: str, header: Header) -> list[str]:
    """The scalars of an argument of the header."""
    if ctype.pointers == 0 and ctype.base == "ald_point":
        return [f"{name}.x", f"{name}.y"]
    is_handle = ctype.pointers == 0 and any(handle.name == ctype.base for handle in header.handles)
    return [f"{name}.id" if is_handle else name]


def fetcher(name: str, parameters: list[tuple[str, str]], fetched: list[str], header: Header) -> str:
    """A function that writes each of its arguments to the same address."""
    body = " ".join(f"*(volatile __typeof__({part}) *)sink = {part};" for part in fetched)
    return f"extern char sink[64]; void fetch_{name}({listed(parameters)}) {{ {body} }}"


def assembled(source: str, target: str) -> dict[str, str]:
    """The instructions of each function."""
    command = ["clang", f"--target={target}", "-ffreestanding", "-O1", "-fno-asynchronous-unwind-tables", "-w", "-S"]
    command += [f"-I{ROOT / 'Include'}", "-x", "c", "-", "-o", "-"]
    text = subprocess.run(command, input=source, check=True, capture_output=True, text=True, timeout=120).stdout
    found = re.findall(r"^fetch_(\w+):.*?\n(.*?)^\.Lfunc_end", text, re.MULTILINE | re.DOTALL)
    return {name: re.sub(r"[#/].*|^\.L.*", "", body, flags=re.MULTILINE) for name, body in found}


def same_layouts(report: toolbox.Report, header: Header, cdef: Path) -> None:
    """Every struct and field as the C compiler and ffi.sizeof, ffi.alignof and ffi.offsetof see them."""
    program = """
local ffi = require("ffi")
ffi.cdef(io.open(arg[1]):read("*a"))
for line in io.lines() do
  local struct, field = line:match("^(%S+) (%S+)$")
  if struct then
    print(ffi.offsetof(struct, field), 1)
  end
  if not struct then
    print(ffi.sizeof(line), ffi.alignof(line))
  end
end
"""
    plain = dataclasses.replace(header, structs={n: s for n, s in header.structs.items() if not s.is_handle})
    layouts = measure.structs(plain)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "alidade.h").write_text("#include <stddef.h>\n#include <stdint.h>\n" + cdef.read_text())
        of_cdef = measure.structs(plain, Path(folder))
    for layout, other in zip(layouts, of_cdef, strict=True):
        report.check(layout == other, f"{layout.name} has another layout in the flat declarations")
    questions, expected = [], []
    for layout in layouts:
        questions.append(layout.name)
        expected.append([layout.size, layout.alignment])
        for item in layout.fields:
            questions.append(f"{layout.name} {item.name}")
            expected.append([item.offset, 1])
    command = ["luajit", "-e", f"arg = {{ {json.dumps(str(cdef))} }} {program}"]
    ran = subprocess.run(command, input="\n".join(questions) + "\n", capture_output=True, text=True, timeout=60)
    answers = [[int(n) for n in line.split()] for line in ran.stdout.splitlines()]
    wrong = [q for q, e, a in zip(questions, expected, answers) if e != a]
    report.check(len(answers) == len(questions), "luajit reads the declarations", ran.stderr)
    print(f"luajit: {len(questions) - len(wrong)} of {len(questions)} sizes and offsets of {len(layouts)} structs", *wrong)
    report.add(len(answers) - len(wrong), len(wrong))


if __name__ == "__main__":
    sys.exit(main())
