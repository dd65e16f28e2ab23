"""The reference of C: a page for each header, from the header model and the headers' comments.

What has no comment is an error, with two exceptions, where the name and the type say all there is: fields and
enumerators, and parameters that are a handle, another type of the interface, or the ald_error.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import doc_comment
import header_model
from header_model import Enumeration, Function, Header, Struct
from markup import OUT_OF_CONTENTS, comment, directive, escaped, first_sentence, heading, joined, page, toctree

# What every page says of threads. The comment of a function says more where there is more to say.
THREADS = "Any thread may call these functions at any time; see :doc:`/Threads-and-processes`."
PLAIN_FIELDS = {
    "struct_size": "The size of this struct, set by its ``_INIT`` macro.",
    "reserved": "Zero.",
}

# The other languages' names of a function of C, each with a label: [("C++", ["alidade::view_ref::identify"])].
Elsewhere = Callable[[str], list[tuple[str, list[str]]]]


class Intro:
    """The comment at the top of a header: its text, and its example."""

    def __init__(self, name: str) -> None:
        folder = header_model.INCLUDE if name == "alidade.h" else header_model.INCLUDE / "alidade"
        self.include = "alidade.h" if name == "alidade.h" else f"alidade/{name}"
        body = (folder / name).read_text(encoding="utf-8").partition("*/")[0].removeprefix("/**")
        lines = re.sub(r"(?m)^ \* ?", "", body)
        text, _, example = lines.partition("@code{.c}\n")
        self.example = example.partition("@endcode")[0].rstrip()
        self.text = doc_comment.parse(text.replace("@file", "").strip()).summary

    @property
    def blocks(self) -> list[str]:
        example = directive("code-block", "c", self.example)
        return [comment(self.text), f"``#include <{self.include}>``", example, THREADS]


def undocumented(header: Header) -> list[str]:
    """What the header declares without a comment that it needs."""
    types = {*header.structs, *header.enumerations, *header.callbacks}
    names = [intro for intro in sorted({*header.files.values()}) if not Intro(intro).text]
    for kind in (header.structs, header.enumerations, header.callbacks):
        names += [name for name, item in kind.items() if not item.doc]
    for function in header.functions.values():
        if not function.doc.summary:
            names.append(function.name)
        if function.returns.spelling != "void" and not function.doc.returns:
            names.append(f"{function.name}: @return")
        names += [
            f"{function.name}: @param {p.name}" for p in function.parameters if not p.doc and p.type.base not in types
        ]
    return names + [name for name in header.macros if not _macro_comment(name)]


def _macro_comment(name: str) -> str:
    """The comment of a macro. Macros of a version or a group share the comment above the first."""
    for path in sorted(header_model.INCLUDE.rglob("*.h")):
        text = path.read_text(encoding="utf-8")
        match = re.search(rf"(?m)^#define {name}\b", text)
        if match is None:
            continue
        before = text[: match.start()].rstrip("\n")
        while before.rsplit("\n", 1)[-1].startswith("#define "):
            before = before.rsplit("\n", 1)[0]
        return doc_comment.comment_before(before, len(before.encode())).summary
    return ""


def pages(header: Header, elsewhere: Elsewhere) -> dict[str, str]:
    """The pages by name: an index, and one per header."""
    files = sorted({*header.files.values()}, key=lambda name: (name != "base.h", name != "handles.h", name))
    texts = {f"c/{name.removesuffix('.h')}": _file(header, name, elsewhere) for name in files}
    rows = [
        f":doc:`{name} <{name.removesuffix('.h')}>`\n    {comment(first_sentence(Intro(name).text))}" for name in files
    ]
    whole = Intro("alidade.h")
    texts["c/index"] = page(
        "C reference",
        *whole.blocks[:3],
        heading("Headers", "-"),
        "\n\n".join(rows),
        toctree([name.removesuffix(".h") for name in files], ":hidden:"),
    )
    return texts


def _file(header: Header, name: str, elsewhere: Elsewhere) -> str:
    def declared(items: dict) -> list:
        return [item for key, item in items.items() if header.files.get(key) == name]

    sections = {
        "Functions": [_function(item, header, elsewhere) for item in declared(header.functions)],
        "Callbacks": [
            directive("c:type", f"void (*{c.name})({', '.join(p.spelling for p in c.parameters)})", comment(c.doc))
            for c in declared(header.callbacks)
        ],
        "Handles": [_handle(item, header) for item in declared(header.structs) if item.is_handle],
        "Structs": [_struct(item, header) for item in declared(header.structs) if not item.is_handle],
        "Enumerations": [_enumeration(item) for item in declared(header.enumerations)],
        "Constants": [
            _macro(*item) for item in header.macros.items() if _is_constant(*item) and header.files[item[0]] == name
        ],
    }
    blocks = [block for title, items in sections.items() if items for block in (heading(title, "-"), *items)]
    return page(name, *Intro(name).blocks, *blocks)


def _is_constant(name: str, _: str) -> bool:
    """Whether a macro stands alone; an _INIT stands with its struct."""
    return not name.endswith("_INIT")


def _macro(name: str, text: str) -> str:
    value = f"Value: ``{text}``" if len(text) < 60 else ""
    return directive("c:macro", name, "\n\n".join(filter(None, [comment(_macro_comment(name)), value])))


def _function(function: Function, header: Header, elsewhere: Elsewhere) -> str:
    arguments = ", ".join(_declared(p.type.spelling, p.name) for p in function.parameters) or "void"
    fields = []
    for parameter in function.parameters:
        tags = ["out" if parameter.is_out else "in"]
        if parameter.is_out and parameter.type.base in {handle.name for handle in header.handles}:
            tags.append(parameter.ownership)
        tags += [parameter.unit] if parameter.unit else []
        doc = parameter.doc
        if parameter.name == "error":
            doc = doc or "What failed and why, or NULL."
        elif not doc and (
            known := header.structs.get(parameter.type.base) or header.enumerations.get(parameter.type.base)
        ):
            doc = f"{first_sentence(known.doc)}"
        marks = " ".join(f":tag:`{tag}`" for tag in tags)
        fields.append(f":param {parameter.name}: {marks} {_one_line(doc)}")
    if function.doc.returns:
        head, *statuses = re.split(r" - (?=ALD_STATUS_)", function.doc.returns)
        items = "".join(f"\n    - {_one_line(status)}" for status in statuses)
        fields.append(f":returns: {_one_line(head)}" + (f"\n{items}" if items else ""))
    for label, names in elsewhere(function.name):
        fields.append(f":{label}: {joined(names)}")
    signature = f"{_declared(function.returns.spelling, function.name)}({arguments})"
    return directive("c:function", signature, comment(function.doc.summary) + "\n\n" + "\n".join(fields))


def _one_line(text: str) -> str:
    return escaped(" ".join(text.split()))


def _declared(spelling: str, name: str) -> str:
    """A declaration: the name behind its type, inside the brackets of an array."""
    match = re.fullmatch(r"(.*?)(\[\d+\])?", spelling)
    assert match is not None
    kind = match[1].strip()
    return f"{kind}{'' if kind.endswith('*') else ' '}{name}{match[2] or ''}"


def _handle(struct: Struct, header: Header) -> str:
    release = f"{struct.name}_release"
    text = f"Release it with ``{release}``." if release in header.functions else ""
    return directive("c:struct", struct.name, "\n\n".join(filter(None, [comment(struct.doc), text])))


def _struct(struct: Struct, header: Header) -> str:
    macro = header.init_macros.get(struct.name)
    body = [comment(struct.doc)]
    if macro:
        body.append(f"Initialise it with ``{macro}``.")
    for field in struct.fields:
        doc = comment(field.doc) if field.doc else PLAIN_FIELDS.get(field.name, "")
        unit = f":tag:`{field.unit}` " if field.unit else ""
        text = unit + doc if unit and not doc.startswith("::") else doc
        body.append(directive("c:member", _declared(field.type.spelling, field.name), text.strip(), OUT_OF_CONTENTS))
    entries = [directive("c:struct", struct.name, "\n\n".join(body))]
    if macro:
        entries.append(directive("c:macro", macro, comment(_macro_comment(macro))))
    return "\n\n".join(entries)


def _enumeration(enumeration: Enumeration) -> str:
    kind = "Bits" if enumeration.is_flags else "A number"
    body = [comment(enumeration.doc), f"{kind} of type ``{enumeration.storage}``."]
    for item in enumeration.enumerators:
        body.append(directive("c:enumerator", f"{item.name} = {item.value}", comment(item.doc), OUT_OF_CONTENTS))
    return directive("c:enum", enumeration.name, "\n\n".join(body))


def names(header: Header) -> dict[str, str]:
    """Where each name of the interface has its entry: the page and the anchor."""
    found = {}
    for name, file in header.files.items():
        stem = file.removesuffix(".h")
        if name in {*header.functions, *header.structs, *header.enumerations, *header.callbacks}:
            found[name] = f"reference/c/{stem}#c.{name}"
        struct, enumeration = header.structs.get(name), header.enumerations.get(name)
        if struct is not None and not struct.is_handle:
            found |= {f"{name}.{f.name}": f"reference/c/{stem}#c.{name}.{f.name}" for f in struct.fields}
        if enumeration is not None:
            found |= {e.name: f"reference/c/{stem}#c.{name}.{e.name}" for e in enumeration.enumerators}
        if name in header.macros:
            found[name] = f"reference/c/{stem}#c.{name}"
    return found
