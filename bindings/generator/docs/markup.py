"""What the references share: comments as reStructuredText, and headings."""

from __future__ import annotations

import re
import textwrap

# An entry that the contents of its page do not list: fields, and values of enumerations.
OUT_OF_CONTENTS = (":no-contents-entry:",)


def escaped(text: str) -> str:
    """A text in which nothing is markup."""
    text = re.sub(r"([\\*`|])", r"\\\1", text)
    return re.sub(r"_(?!\w)", r"\\_", text)


def comment(text: str) -> str:
    """The paragraphs, lists and formulas of a comment, as doc_comment.py hands them out."""
    blocks = []
    for block in text.split("\n\n"):
        if block.startswith("    "):
            blocks.append("::\n\n" + block)
        elif block.startswith("- "):
            blocks.append("\n".join(f"- {escaped(item[2:])}" for item in block.split("\n")))
        else:
            blocks.append(escaped(block))
    return "\n\n".join(blocks)


def heading(text: str, line: str = "=") -> str:
    return f"{text}\n{line * len(text)}"


def first_sentence(text: str) -> str:
    """The first sentence of a comment; the full stop of "e.g." or of 0.5 ends none."""
    return re.split(r"(?<=[.])\s+(?=[A-Z])", text.strip().split("\n\n")[0], maxsplit=1)[0]


def directive(name: str, argument: str, body: str = "", options: tuple[str, ...] = ()) -> str:
    head = [f".. {name}:: {argument}", *(f"   {option}" for option in options)]
    return "\n".join(head) + ("\n\n" + textwrap.indent(body, "   ") if body else "")


def page(title: str, *blocks: str) -> str:
    return "\n\n".join([heading(title), *filter(None, blocks)]) + "\n"


def toctree(entries: list[str], *options: str) -> str:
    return "\n".join(
        [".. toctree::", *(f"   {option}" for option in options), "", *(f"   {entry}" for entry in entries)]
    )


def joined(names: list[str]) -> str:
    """Names of code, each with a link to its entry."""
    return ", ".join(f"``{name}``" for name in names)
