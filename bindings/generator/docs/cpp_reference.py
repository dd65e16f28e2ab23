"""The reference of C++: a page for each class of objects, from the headers in bindings/cpp, linked with C.

Each function stands once, in its form that throws; the index says what the form with a std::error_code is.
"""

from __future__ import annotations

import re

import header_model
from cpp_declarations import Declaration, read
from header_model import Header
from markup import comment, directive, first_sentence, heading, page, toctree

FOLDER = header_model.REPOSITORY / "bindings" / "cpp" / "alidade" / "cpp"
NAMESPACE = ".. cpp:namespace:: alidade"
INDEX = """\
``#include <alidade.hpp>`` is the interface of C for C++17, header-only, in the namespace ``alidade``; see
:doc:`/Cpp`.

Each kind of object has a class that is a reference, such as ``view_ref``, with the functions of that kind as members,
and an owner, such as ``view``, which is that reference and releases the object.

Each function throws :cpp:class:`error` if it fails. A second form of it takes a ``std::error_code &`` as its last
argument, sets it and does not throw::

   view.set_scale(72000);        // throws alidade::error
   std::error_code code;
   view.set_scale(72000, code);  // sets code

Arguments with a default may be left out in both forms."""
# Classes of the hand-written header that stand on the page of a kind of objects.
BESIDE = {"identified": "identify_result", "feature_row": "feature_set"}


class Reference:
    def __init__(self, header: Header) -> None:
        self.header = header
        self.base = read(FOLDER / "base.hpp")
        self.beside = read(FOLDER / "ranges.hpp")
        self.interface = [d for d in read(FOLDER / "interface.hpp") if not _is_definition(d)]
        self.classes = {
            d.name.removesuffix("_ref"): d for d in self.interface if d.name.endswith("_ref") and d.kind == "class"
        }

    def of_c(self) -> dict[str, list[str]]:
        """The C++ functions of each function of C."""
        found: dict[str, list[str]] = {}
        owners = [(f"{kind}_ref::", owner.members) for kind, owner in self.classes.items()] + [("", self.interface)]
        for scope, members in owners:
            for member in members:
                match = re.search(r"\bSee (ald_\w+)\.$", member.doc)
                if match and member.kind == "function":
                    names = found.setdefault(match[1], [])
                    names += [f"alidade::{scope}{member.name}"] if f"alidade::{scope}{member.name}" not in names else []
        return found

    def pages(self) -> dict[str, str]:
        texts = {f"cpp/{kind}": self._class(kind, owner) for kind, owner in self.classes.items()}
        results = [d for d in self.interface if _is_result(d) and not self._kind(d.name)]
        functions = [d for d in self.interface if d.kind == "function"]
        base = page("Errors, arrays, handles", NAMESPACE, *(self._entry(d) for d in self.base))
        free = page("Functions", NAMESPACE, *(_grouped(functions)), *(self._entry(d) for d in results if d.members))
        texts |= {"cpp/basis": base, "cpp/functions": free, "cpp/types": self._types()}
        kinds = [
            f":doc:`{kind}`\n    {comment(first_sentence(owner.doc))}" for kind, owner in sorted(self.classes.items())
        ]
        order = ["basis", *sorted(self.classes), "types", "functions"]
        texts["cpp/index"] = page(
            "C++ reference",
            INDEX,
            heading("Objects", "-"),
            "\n\n".join(kinds),
            heading("The rest", "-"),
            "- :doc:`basis`\n- :doc:`types`\n- :doc:`functions`",
            toctree(order, ":hidden:"),
        )
        return texts

    def _kind(self, name: str) -> str:
        """The kind of objects whose function gives a result."""
        return max((kind for kind in self.classes if name.startswith(f"{kind}_")), key=len, default="")

    def _class(self, kind: str, owner: Declaration) -> str:
        text = f"Owns {_article(kind)}. It has all functions of ``{kind}_ref``."
        alias = directive("cpp:type", f"{kind} = owned<{kind}_ref>", text)
        beside = [d for d in self.beside if BESIDE.get(d.name) == kind]
        results = [d for d in self.interface if _is_result(d) and self._kind(d.name) == kind]
        return page(
            f"alidade::{kind}",
            NAMESPACE,
            alias,
            self._entry(owner),
            *(self._entry(d) for d in (*beside, *results) if d.members),
        )

    def _types(self) -> str:
        """Enumerations and structs: names of C without the prefix, and structs that begin with their defaults."""
        rows = []
        for declaration in self.interface:
            match = re.fullmatch(r"using (\w+) = (ald_\w+)", declaration.text)
            struct = re.fullmatch(r"struct (\w+) : (ald_\w+)", declaration.text)
            if match or struct:
                name, c_name = (match or struct).groups()  # type: ignore[union-attr]
                note = f"Begins with ``{self.header.init_macros[c_name]}``." if struct else ""
                body = f"The same as ``{c_name}``." if match else f"``{c_name}``. {note}"
                rows.append(
                    directive("cpp:type" if match else "cpp:struct", f"{name} = {c_name}" if match else name, body)
                )
        text = (
            "The enumerations and structs of C, without their prefix. A struct with an ``_INIT`` macro begins with its "
            "defaults."
        )
        return page("Types", NAMESPACE, text, *sorted(rows))

    def _entry(self, declaration: Declaration) -> str:
        body = [comment(declaration.doc)] if declaration.doc else []
        if declaration.kind in ("class", "struct"):
            body += _grouped([m for m in declaration.members if not _is_noise(m)])
            return directive(f"cpp:{declaration.kind}", _type_head(declaration), "\n\n".join(body))
        if declaration.kind == "enum":
            body += [directive("cpp:enumerator", m.text, comment(m.doc)) for m in declaration.members]
            return directive("cpp:enum-class", declaration.text.removeprefix("enum class "), "\n\n".join(body))
        return _member(declaration, [declaration.text])


def _is_definition(declaration: Declaration) -> bool:
    """Whether a function of the generated header is defined there, and was declared with its comment before."""
    return declaration.kind == "function" and not declaration.doc and "std::error_code" not in declaration.text


def _is_result(declaration: Declaration) -> bool:
    """Whether a struct carries what a function gives; those with a base are structs of C."""
    return declaration.kind == "struct" and declaration.name.endswith("_result") and " : " not in declaration.text


def _is_noise(declaration: Declaration) -> bool:
    """Members that every class of that form has: how it is copied, and the types of an iterator."""
    return "= delete" in declaration.text or "= default" in declaration.text or declaration.name.startswith("iterator_")


def _type_head(declaration: Declaration) -> str:
    return re.sub(r"\b(class|struct) (?=\w+( : public| :|$))", "", declaration.text)


def _grouped(declarations: list[Declaration]) -> list[str]:
    """Functions without their form with a code; forms of one function that follow each other share an entry."""
    entries: list[tuple[Declaration, list[str]]] = []
    for declaration in declarations:
        if "std::error_code &ec" in declaration.text:
            continue
        last = entries[-1][0] if entries else None
        if (
            last
            and last.kind == declaration.kind == "function"
            and last.name == declaration.name
            and not declaration.doc
        ):
            entries[-1][1].append(declaration.text)
        else:
            entries.append((declaration, [declaration.text]))
    return [_member(first, texts) for first, texts in entries]


def _member(declaration: Declaration, texts: list[str]) -> str:
    kind = {"using": "type", "variable": "member"}.get(declaration.kind, "function")
    texts = [re.sub(r"^(inline|using) ", "", text) for text in texts]
    if kind == "member":
        texts = [re.sub(r"\{\}$", "", text) for text in texts]
    return directive(f"cpp:{kind}", "\n   ".join(texts), comment(declaration.doc) if declaration.doc else "")


def _article(kind: str) -> str:
    noun = kind.replace("_", " ")
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
