"""The documentation comments of the header: `/** ... */` with @param and @return."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class DocComment:
    """A comment in its parts. Paragraphs are parted by an empty line; lines are joined."""

    summary: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    returns: str = ""


def comment_before(text: str, offset: int, skip: str = "") -> DocComment:
    """The comment that ends right before the byte `offset` of `text`; an empty one if there is none.

    `skip` is a word that may stand between the comment and the offset.
    """
    # clang counts bytes.
    before = text.encode()[:offset].decode().rstrip()
    before = before.removesuffix(skip).rstrip()
    if not before.endswith("*/"):
        return DocComment()
    start = before.rfind("/*")
    if not before.startswith("/**", start):
        return DocComment()
    return parse(before[start + 3 : -2])


def parse(body: str) -> DocComment:
    """Takes the inside of a comment apart."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in body.splitlines()]
    sections = re.split(r"(?m)^\s*@(param|return|file)\b", "\n".join(lines))
    parameters: dict[str, str] = {}
    returns = ""
    for tag, content in zip(sections[1::2], sections[2::2]):
        if tag == "param":
            name, _, description = content.strip().partition(" ")
            parameters[name] = _joined(description)
        elif tag == "return":
            returns = _joined(content)
    return DocComment(_joined(sections[0]), parameters, returns)


def _joined(text: str) -> str:
    """The paragraphs of a text, each as one line. Items of a list and lines of a formula (indented by four) keep theirs."""
    return "\n\n".join(_paragraph(paragraph) for paragraph in re.split(r"\n\s*\n", text.strip()))


def _paragraph(text: str) -> str:
    if text.startswith("    "):
        return text.rstrip()
    if text.startswith("- "):
        return "\n".join(" ".join(item.split()) for item in re.split(r"\n(?=- )", text))
    return " ".join(text.split())
