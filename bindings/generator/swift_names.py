"""How things of the header are called in Swift, and how comments are written there."""

from __future__ import annotations

import re
import textwrap

from header_model import Enumeration
from python_abi import member_name

WIDTH = 120
_KEYWORDS = {"default", "internal", "public", "private", "in", "is", "as", "init", "self", "where", "case", "repeat"}


def camel(words: str) -> str:
    """spatial_reference becomes spatialReference."""
    first, *others = words.lower().split("_")
    return first + "".join(word.capitalize() for word in others)


def pascal(words: str) -> str:
    return "".join(word.capitalize() for word in words.lower().split("_"))


def case_name(enumerator: str, enumeration: Enumeration) -> str:
    """ALD_LOAD_STATUS_NOT_LOADED becomes notLoaded."""
    return camel(member_name(enumerator, enumeration))


def escaped(name: str) -> str:
    return f"`{name}`" if name in _KEYWORDS else name


def comment(text: str, indent: int, *, of_c: bool = False) -> list[str]:
    """A documentation comment; none for a text that speaks of C, which those who use Swift do not see."""
    if not text or not of_c and re.search(r"\b(ald|ALD)_", text):
        return []
    prefix = " " * indent + "/// "
    paragraphs = [textwrap.wrap(paragraph, WIDTH - len(prefix)) for paragraph in text.split("\n\n")]
    lines = [line for paragraph in paragraphs for line in ["", *paragraph]][1:]
    return [(prefix + line).rstrip() for line in lines]
