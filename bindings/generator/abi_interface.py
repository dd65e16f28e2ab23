"""The interface in the two forms that are committed, and what became of it between two states.

The text (Tests/docs/alidade.abi) is what people review: functions, layouts, enumerators and macros, a fact per line.
The XML (Tests/docs/alidade.abi.xml) is what libabigail judges by: whether a program that was built with the old headers
still works. Of the macros, and of the widths and signs of enumerations, libabigail knows nothing; there the text
decides.
"""

from __future__ import annotations

import enum
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import abi_stubs
import header_model
import measure
import toolbox


@dataclass(frozen=True)
class Interface:
    text: str
    xml: str


class Verdict(enum.Enum):
    SAME = "the same"
    # Something new, and names of parameters: programs built with the old headers do not notice.
    COMPATIBLE = "compatible: programs that were built with the old headers still work"
    BREAK = "a BREAK: programs that were built with the old headers no longer work"


def read(include: Path = header_model.INCLUDE) -> Interface:
    """The interface that the headers of a folder declare."""
    header = header_model.load(include / "alidade.h")
    with tempfile.TemporaryDirectory() as folder:
        xml = abi_stubs.dump(header, Path(folder), include).read_text()
    return Interface(_text(header, include), xml)


def compare(old: Interface, new: Interface) -> tuple[Verdict, str]:
    """What became of the old interface, and libabigail's report."""
    broken, report = _abidiff(old, new)
    lost = _lost_facts(old.text, new.text)
    report += "".join(f"no longer so: {fact}\n" for fact in lost)
    if broken or lost:
        return Verdict.BREAK, report
    return Verdict.SAME if old.text == new.text and not report else Verdict.COMPATIBLE, report


def _text(header: header_model.Header, include: Path) -> str:
    """The interface as text, one fact per line, in the order of declaration."""
    lines = ["# The C interface of Alidade on x86-64 Linux. Written by Tests/abi/abi_dump --renew; do not edit.", ""]
    for name, text in header.macros.items():
        lines.append(f"macro {name} {text}")
    for enumeration in header.enumerations.values():
        lines += ["", f"enum {enumeration.name} : {enumeration.storage}"]
        lines += [f"  {e.name} = {e.value}" for e in enumeration.enumerators]
    for struct in measure.structs(header, include):
        types = {field.name: field.type.spelling for field in header.structs[struct.name].fields}
        lines += ["", f"struct {struct.name} size {struct.size} alignment {struct.alignment}"]
        lines += [f"  {f.offset:4} {f.size:4} {f.name}: {types[f.name]}" for f in struct.fields]
    for callback in header.callbacks.values():
        lines += ["", f"callback {callback.name}({', '.join(parameter.spelling for parameter in callback.parameters)})"]
    lines.append("")
    for function in header.functions.values():
        parameters = ", ".join(f"{p.type.spelling} {p.name}" for p in function.parameters)
        lines.append(f"function {function.returns.spelling} {function.name}({parameters or 'void'})")
    return "\n".join(lines) + "\n"


def _abidiff(old: Interface, new: Interface) -> tuple[bool, str]:
    """Whether libabigail finds a break, and its report of all that is different; empty if nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        old_file, new_file, rules = (Path(folder) / name for name in ("old.abi.xml", "new.abi.xml", "rules"))
        old_file.write_text(old.xml)
        new_file.write_text(new.xml)
        rules.write_text("".join(map(_growth_rule, _grown_structs(old.text, new.text))))
        files = [str(old_file), str(new_file)]
        # Types that no function mentions are compared too.
        command = ["abidiff", "--non-reachable-types"]
        everything = toolbox.run([*command, "--harmless", *files], seconds=120)
        breaks = toolbox.run([*command, "--no-added-syms", "--suppressions", str(rules), *files], seconds=120)
    for outcome in (everything, breaks):
        # abidiff's exit status is a set of bits: 1 and 2 are errors of its own, 4 a change, 8 an incompatible one.
        if outcome.status & 3 or outcome.status < 0:
            raise RuntimeError(f"abidiff: {outcome.output}")
    # Types that are new count as a change to abidiff; what is removed or changed is counted in its summaries.
    summaries = re.findall(r"summary: (\d+) removed, (\d+) changed", breaks.output, re.IGNORECASE)
    if breaks.status and not summaries:
        raise RuntimeError(f"abidiff gave no summary: {breaks.output}")
    is_break = breaks.status & 8 != 0 or any(count != "0" for counts in summaries for count in counts)
    return is_break, everything.output if everything.status else ""


def _growth_rule(struct: str) -> str:
    return f"[suppress_type]\ntype_kind = struct\nname = {struct}\nhas_data_member_inserted_at = end\n"


def _grown_structs(old: str, new: str) -> list[str]:
    """The structs with a struct_size that have got fields at their end and are otherwise as they were.

    The interface allows that: the library reads as many bytes as the host says that there are.
    """
    before, after = _structs(old), _structs(new)
    return [
        name
        for name, fields in before.items()
        if fields and " struct_size: " in fields[0] and len(after.get(name, [])) > len(fields)
        and after[name][: len(fields)] == fields
    ]


def _structs(text: str) -> dict[str, list[str]]:
    """The lines of the fields of each struct in a text."""
    found = re.findall(r"^struct (\w+) size .*\n((?:  .*\n)*)", text, re.MULTILINE)
    return {name: fields.splitlines() for name, fields in found}


def _lost_facts(old: str, new: str) -> list[str]:
    """The lines of the old text that libabigail does not judge and that the new one lacks: macros, widths of enums.

    The version is meant to change, and programs may ask the library for its own.
    """
    kept = set(new.splitlines())
    grown = {f"ALD_{name.removeprefix('ald_').upper()}_INIT" for name in _grown_structs(old, new)}
    lost = []
    for line in old.splitlines():
        words = line.split(" ")
        initialises_grown = words[0] == "macro" and words[1] in grown
        is_version = words[0] == "macro" and words[1].startswith("ALD_VERSION_")
        if words[0] in ("macro", "enum") and line not in kept and not initialises_grown and not is_version:
            lost.append(line)
    return lost
