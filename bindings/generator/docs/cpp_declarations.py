"""Reads the declarations of the C++ headers, with their comments, as clang-format and cpp_header.py lay them out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Declaration:
    # "class", "struct", "enum", "using", "enumerator", "variable" or "function".
    kind: str
    text: str
    doc: str
    members: list[Declaration] = field(default_factory=list)

    @property
    def name(self) -> str:
        if self.kind in ("class", "struct", "enum"):
            return re.sub(r"^.*\b(?:enum class|class|struct) (\w+)\b(?! T\b).*$", r"\1", self.text)
        if self.kind == "using":
            return self.text.split()[1]
        if self.kind in ("enumerator", "variable"):
            return re.sub(r"\{\}$|\s*=.*$", "", self.text).split()[-1].lstrip("&*")
        match = re.search(r"(operator ?[^\s(]+|~?\w+)\(", without_template(self.text))
        assert match is not None, self.text
        return match[1]


def without_template(text: str) -> str:
    """A declaration without the "template <...>" before it."""
    depth = 0
    for at, letter in enumerate(text if text.startswith("template") else ""):
        depth += (letter == "<") - (letter == ">")
        if letter == ">" and depth == 0:
            return text[at + 1 :].strip()
    return text


def read(path: Path) -> list[Declaration]:
    """The declarations of namespace alidade, without its detail and without what is private."""
    lines = re.sub(r"\\\n", " ", path.read_text(encoding="utf-8")).split("\n")
    lines = [line for line in lines if not re.match(r"#|inline namespace|namespace alidade", line)]
    found: list[Declaration] = []
    at = 0
    while at < len(lines):
        if lines[at].startswith("namespace detail {"):
            at = lines.index("} // namespace detail", at)
        at = _declaration(lines, at, "", found)
    return found


def _declaration(lines: list[str], at: int, indent: str, found: list[Declaration]) -> int:
    """Reads what begins at a line, adds it to those that were found, and gives the line behind it."""
    doc, at = _comment(lines, at, indent)
    line = lines[at] if at < len(lines) else ""
    if not line.startswith(indent) or line[len(indent) : len(indent) + 1] in ("", " ", "}", "/"):
        return at + 1
    text, end = _head(lines, at)
    is_type = re.match(r"(template <.*> )?(class|struct|enum class) \w+[^;(]*\{$", text)
    if is_type and not re.search(r"\) *(const)? *(noexcept)? *\{$", text):
        declaration = Declaration(is_type[2].split()[0], text.removesuffix("{").strip(), doc)
        closing = f"{indent}}};"
        if text.endswith("{") and not lines[end].rstrip().endswith("};"):
            end = lines.index(closing, end)
            declaration.members = _members(lines, at + 1, end, indent + "  ", declaration.kind)
        found.append(declaration)
        return end + 1
    if text.startswith("template <> "):
        return end + 1
    if text.endswith("{") and not lines[end].rstrip().endswith("}"):
        end = lines.index(f"{indent}}}", end)
    text = text.removesuffix("{").removesuffix(";").strip()
    kind = "using" if text.startswith("using ") else "function" if "(" in text else "variable"
    # What a constructor does with its members is no part of how it is called.
    text = re.sub(r"\) *(noexcept)? : [\w:]+ ?[({A-Z].*$", lambda match: f") {match[1] or ''}".strip(), text)
    # A type that is only announced, a definition of a member, a specialisation: none of them is new.
    is_new = (
        not re.match(r"(class|struct|friend|namespace|static_assert)\b", text) and "_ref::" not in text.split("(")[0]
    )
    if is_new and not text.startswith("using reference::"):
        found.append(Declaration(kind, text, doc))
    return end + 1


def _members(lines: list[str], at: int, end: int, indent: str, kind: str) -> list[Declaration]:
    members: list[Declaration] = []
    is_public = kind != "class"
    while at < end:
        access = re.match(r"\s*(public|private|protected):", lines[at])
        if access:
            is_public = access[1] == "public"
            at += 1
        elif kind == "enum":
            doc, at = _comment(lines, at, indent)
            members.append(Declaration("enumerator", lines[at].strip().rstrip(","), doc))
            at += 1
        else:
            at = _declaration(lines, at, indent, members if is_public else [])
    return members


def _comment(lines: list[str], at: int, indent: str) -> tuple[str, int]:
    """The comment that begins at a line, as text, and the line behind it."""
    words: list[str] = []
    while at < len(lines) and lines[at].startswith(f"{indent}///"):
        words.append(lines[at].strip().removeprefix("///"))
        at += 1
    if at < len(lines) and lines[at].startswith(f"{indent}/**"):
        start = at
        while "*/" not in lines[at]:
            at += 1
        at += 1
        words += [line.strip().removeprefix("/**").removesuffix("*/").removeprefix("* ") for line in lines[start:at]]
    return " ".join(" ".join(words).split()), at


def _head(lines: list[str], at: int) -> tuple[str, int]:
    """A declaration up to its semicolon or the brace of its body, and the line where that stands."""
    text, depth, end = "", 0, at
    while True:
        for index, letter in enumerate(lines[end]):
            depth += letter in "("
            depth -= letter in ")"
            if depth == 0 and (letter == ";" or letter == "{" and not re.match(r"\{[^{}]*\};", lines[end][index:])):
                return " ".join((text + lines[end][: index + 1]).split()), end
        text += lines[end] + " "
        end += 1
