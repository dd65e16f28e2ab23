"""The written pages: the Markdown files of Sources/AlidadeABI/Alidade.docc, prepared for Sphinx.

The files are as a reader of the repository sees them. For the site, code in several languages that stands together
becomes a group of tabs, and the first page gets the navigation. Pages are picked up by their names.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from header_model import REPOSITORY

CATALOGUE = REPOSITORY / "Sources" / "AlidadeABI" / "Alidade.docc"
FIRST = "Alidade"
LANGUAGES = {"c": "C", "cpp": "C++", "python": "Python", "swift": "Swift"}
# The references, each with what it is arranged by.
REFERENCES = {
    "C": ("reference/c/index", "by header"),
    "C++": ("reference/cpp/index", "by kind of object"),
    "Python": ("reference/python/index", "by module"),
    "Swift": ("reference/swift/index", "by module and folder"),
}

_FENCE = re.compile(
    r"^```(c|cpp|python|swift)\n(.*?)^```\n(?:\n*(```text output\n.*?^```\n))?", re.MULTILINE | re.DOTALL
)
# A link, or a fence, in which there are none.
_LINK = re.compile(
    r"^(?P<fence>`{3,}).*?^(?P=fence)$|(?<!!)\[(?P<label>[^\]]*)\]\((?P<target>[^)#\s]*)(?P<anchor>#[^)\s]*)?\)",
    re.MULTILINE | re.DOTALL,
)


def pages(examples: list[str]) -> dict[str, str]:
    """The text of each page by its name; the first page is "index"."""
    texts = {
        path.stem: with_links(tabbed(path.read_text(encoding="utf-8")), CATALOGUE)
        for path in sorted(CATALOGUE.glob("*.md"))
    }
    first = texts.pop(FIRST)
    head, topics, tail = first.partition("\n## Topics\n")
    assert topics, "the first page has no list of topics"
    return {"index": head + cards() + topics + tail + navigation(list(texts), first, examples)} | texts


def cards() -> str:
    """The references on the first page, where the plain files name the headers."""
    each = "\n".join(
        f":::{{grid-item-card}} {name}\n:link: {page}\n:link-type: doc\n\nReference {order}\n:::"
        for name, (page, order) in REFERENCES.items()
    )
    return f"\n::::{{grid}} 2 2 4 4\n:gutter: 2\n\n{each}\n::::\n"


def navigation(names: list[str], first: str, examples: list[str]) -> str:
    """The trees of the side bar. Ideas come in the order in which the first page links them."""
    linked = re.findall(r"\]\(([\w-]+)\.md", first)
    order = sorted(names, key=lambda name: (linked.index(name) if name in linked else len(linked), name))
    started = [name for name in order if name.startswith("Getting-started")]
    recipes = [name for name in order if name.startswith("How-to-")]
    ideas = [name for name in order if name not in started and name not in recipes]
    groups = {"Getting started": started, "How to": recipes, "Ideas": ideas}
    groups |= {"Reference": [f"{name} <{page}>" for name, (page, _) in REFERENCES.items()], "Examples": examples}
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(entries) + "\n```\n"
        for caption, entries in groups.items()
        if entries
    )


def tabbed(text: str) -> str:
    """Fences of different languages with nothing between them as one group of tabs, each with its output."""
    groups: list[list[re.Match[str]]] = []
    for fence in _FENCE.finditer(text):
        last = groups[-1] if groups else []
        is_next = last and not text[last[-1].end() : fence.start()].strip()
        if is_next and fence[1] not in {other[1] for other in last}:
            last.append(fence)
        else:
            groups.append([fence])
    for group in reversed(groups):
        text = text[: group[0].start()] + _group(group) + text[group[-1].end() :]
    return text


def _group(fences: list[re.Match[str]]) -> str:
    if len(fences) == 1:
        return _code(fences[0]) + _output(fences[0])
    # One output behind the last is what all of them print.
    is_shared = not any(fence[3] for fence in fences[:-1])
    tabs = "\n".join(
        f":::::{{tab-item}} {LANGUAGES[fence[1]]}\n:sync: {fence[1]}\n\n"
        f"{_code(fence)}{'' if is_shared else _output(fence)}:::::\n"
        for fence in fences
    )
    group = f"::::::{{tab-set}}\n:sync-group: language\n\n{tabs}\n::::::\n"
    return group + (_output(fences[-1]) if is_shared else "")


def _code(fence: re.Match[str]) -> str:
    return f"```{fence[1]}\n{fence[2]}```\n"


def _output(fence: re.Match[str]) -> str:
    """What a program prints."""
    text = (fence[3] or "").removeprefix("```text output\n")
    return f"\n```{{code-block}} text\n:class: output\n\n{text}" if text else ""


def with_links(text: str, folder: Path, up: str = "") -> str:
    """Links to files of the repository as links to the pages of the site that stand for them, or as plain text.

    folder: the folder of the text, from where its links start.
    up: the way from its page to the top of the site.
    """

    def link(match: re.Match[str]) -> str:
        label, target, anchor = match["label"], match["target"], match["anchor"] or ""
        if label is None or not target or re.match(r"[a-z]+:", target):
            return match[0]
        page = _page(Path(os.path.normpath(folder / target)).relative_to(REPOSITORY))
        return f"[{label}]({up}{page}{anchor})" if page else label

    return _LINK.sub(link, text)


def _page(path: Path) -> str | None:
    """The page of the site for a file of the repository."""
    if path.parent == CATALOGUE.relative_to(REPOSITORY):
        return "index.md" if path.stem == FIRST else path.name
    if path.parts[0] == "Include":
        return f"reference/c/{path.stem}.rst" if len(path.parts) == 3 else "reference/c/index.rst"
    if path.parts[0] == "examples" and len(path.parts) > 1:
        return f"examples/{path.parts[1]}.md"
    return None
