"""The reference of Python: a page for each public module of the package, from its docstrings.

Sphinx's autodoc writes each entry; here is decided which, and where. A class has the members of its bases that are not
public themselves, such as the parts of View.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import functools
import importlib
import inspect
import itertools
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import alidade
import python_abi
from header_model import Header
from markup import OUT_OF_CONTENTS, comment, directive, first_sentence, heading, joined, page, toctree

INTRO = """\
``import alidade`` gives the names that most programs need, and the modules. All other names are in the modules:
``alidade.geometry.Validity``. See :doc:`/Getting-started-Python`."""
PACKAGE = Path(alidade.__file__).parent
MODULES = {
    f"alidade.{found.name}": importlib.import_module(f"alidade.{found.name}")
    for found in pkgutil.iter_modules(alidade.__path__)
    if not found.name.startswith("_")
}
# The names at the top that are in no module.
ONLY_AT_THE_TOP = [
    name
    for name in alidade.__all__
    if f"alidade.{name}" not in MODULES and not any(name in module.__all__ for module in MODULES.values())
]
OWNERS = {name: f"{path}.{name}" for path, module in MODULES.items() for name in module.__all__} | {
    name: f"alidade.{name}" for name in ONLY_AT_THE_TOP
}
PUBLIC = {name: getattr(MODULES.get(path.rpartition(".")[0], alidade), name) for name, path in OWNERS.items()}
CLASSES = {item for item in PUBLIC.values() if inspect.isclass(item)}


@dataclass
class Reference:
    header: Header
    missing: list[str] = field(default_factory=list)
    documented: int = 0

    def pages(self) -> dict[str, str]:
        texts = {
            f"python/{path.removeprefix('alidade.')}": self._module(path, module) for path, module in MODULES.items()
        }
        lists = [
            f":doc:`{path} <{path.removeprefix('alidade.')}>`\n    {first_sentence(_doc(path, module))}"
            for path, module in MODULES.items()
        ]
        common = [name for name in alidade.__all__ if f"alidade.{name}" not in MODULES]
        texts["python/index"] = page(
            "Python reference",
            INTRO,
            heading("Modules", "-"),
            "\n\n".join(lists),
            heading("At the top of the package", "-"),
            joined([f"alidade.{name}" for name in common]),
            ".. py:module:: alidade",
            *(self._entry(name) for name in ONLY_AT_THE_TOP),
            toctree([path.removeprefix("alidade.") for path in MODULES], ":hidden:"),
        )
        return texts

    def _module(self, path: str, module: Any) -> str:
        """The page of a module: what does something first, then what is given and taken, then bare names."""
        names = [name for name in module.__all__ if OWNERS[name] == f"{path}.{name}"]
        groups = {title: [name for name in names if _group(PUBLIC[name]) == title] for title in GROUPS}
        sections = [
            block
            for title, members in groups.items()
            if members
            for block in (heading(title, "-"), *map(self._entry, members))
        ]
        return page(path, f".. py:module:: {path}", _doc(path, module), *sections)

    def _entry(self, name: str) -> str:
        item = PUBLIC[name]
        if inspect.isclass(item) and issubclass(item, enum.Enum):
            return self._enumeration(name, item)
        if inspect.isclass(item):
            return self._class(name, item)
        if inspect.isfunction(item):
            self._count(name, item.__doc__)
            return f".. autofunction:: {OWNERS[name]}"
        return self._value(name, item)

    def _count(self, name: str, doc: str | None) -> None:
        self.documented += bool(doc)
        self.missing += [] if doc else [name]

    def _value(self, name: str, item: Any) -> str:
        fields = getattr(item, "names", None)
        macro = f"ALD_{name}"
        text = ""
        if fields:
            text = f"A numpy type with the fields {joined(list(fields))}."
        elif macro in self.header.macros:
            text = f"``{macro}`` of C."
        elif not isinstance(item, (int, float, str)):
            text = f"A type: ``{_readable(str(item))}``."
        self._count(name, text)
        options = (f":value: {item}",) if isinstance(item, (int, float, str)) else ()
        return directive("py:data", name, text, options)

    def _enumeration(self, name: str, item: type[enum.Enum]) -> str:
        self._count(name, item.__doc__)
        known = next((e for e in self.header.enumerations.values() if python_abi.class_name(e) == name), None)
        docs = {python_abi.member_name(e.name, known): e for e in known.enumerators} if known else {}
        body = [comment(inspect.cleandoc(item.__doc__ or "")), f"``{known.name}`` of C." if known else ""]
        for key, member in item.__members__.items():
            text = comment(docs[key].doc) if key in docs else ""
            body.append(directive("py:attribute", key, text, (f":value: {member.value}", *OUT_OF_CONTENTS)))
        head = f"{name}({item.__mro__[1].__name__})"
        return directive("py:class", head, "\n\n".join(filter(None, body)))

    def _class(self, name: str, item: type) -> str:
        self._count(name, item.__doc__)
        parts = []
        described = inspect.getdoc(item) or ""
        for member, owner in _members(item, CLASSES - {item}):
            value = vars(owner).get(member)
            kind = _kind(value)
            if kind is None:
                if not _is_described(member, described):
                    text = comment(_field_comment(owner, member))
                    parts.append(
                        directive("py:attribute", member, text, (*_annotation(owner, member), *OUT_OF_CONTENTS))
                    )
                continue
            self._count(f"{name}.{member}", inspect.getdoc(getattr(value, "__func__", value)))
            parts.append(f".. auto{kind}:: {OWNERS[name]}.{member}")
        if _is_record(item):
            return directive("py:class", name, "\n\n".join([described, *parts]))
        return directive("autoclass", OWNERS[name], "\n\n".join(parts))

    def of_c(self) -> dict[str, list[str]]:
        """The Python functions that call each function of C, as the sources name it."""
        owners = _owners()
        found: dict[str, list[str]] = {}
        for path in sorted(PACKAGE.rglob("*.py")):
            if path.name == "_abi.py":
                continue
            for scope, name, node in _functions(ast.parse(path.read_text(encoding="utf-8"))):
                for called in sorted({word for word in _words(node) if word in self.header.functions}):
                    found.setdefault(called, []).extend(
                        full for full in owners.get((scope, name), []) if full not in found.get(called, [])
                    )
        return {key: sorted(names) for key, names in found.items() if names and len(names) <= 4}


GROUPS = ("Classes", "Functions", "Results and options", "Enumerations", "Errors", "Constants and types")


def _group(item: Any) -> str:
    if inspect.isfunction(item):
        return "Functions"
    if not inspect.isclass(item):
        return "Constants and types"
    if issubclass(item, enum.Enum):
        return "Enumerations"
    if issubclass(item, BaseException):
        return "Errors"
    return "Results and options" if dataclasses.is_dataclass(item) or issubclass(item, tuple) else "Classes"


def _doc(path: str, module: Any) -> str:
    assert module.__doc__, f"{path} has no docstring"
    return inspect.cleandoc(module.__doc__)


def _readable(kind: str) -> str:
    """The spelling of a type without the modules of its names."""
    return re.sub(r"\b(?:typing|alidade)\.(?:\w+\.)*(?=\w)", "", kind)


def _members(item: type, public: set[Any]) -> Iterator[tuple[str, type]]:
    """The public members of a class, in the order of its sources, without members of other public classes."""
    seen = set()
    for owner in item.__mro__:
        if not owner.__module__.startswith("alidade") or (owner in public):
            continue
        names = [*vars(owner).get("__annotations__", {}), *vars(owner)]
        for name in dict.fromkeys(names):
            if not name.startswith("_") and name not in seen:
                seen.add(name)
                if not any(name in vars(other) for other in item.__mro__[: item.__mro__.index(owner)]):
                    yield name, owner


def _kind(value: Any) -> str | None:
    if isinstance(value, property) or type(value).__name__ == "cached_property":
        return "property"
    if isinstance(value, (classmethod, staticmethod)) or inspect.isfunction(value):
        return "method"
    return None


def _is_record(item: type) -> bool:
    """Whether a class only carries results: a constructor with every field would say each of them twice."""
    if dataclasses.is_dataclass(item):
        return all(field.default is field.default_factory is dataclasses.MISSING for field in dataclasses.fields(item))
    return issubclass(item, tuple) and not getattr(item, "_field_defaults", {})


@functools.cache
def _sources() -> dict[str, tuple[ast.ClassDef, list[str]]]:
    """The classes of the package, as their sources have them; no two have the same name."""
    found: dict[str, tuple[ast.ClassDef, list[str]]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found |= {
            node.name: (node, text.splitlines()) for node in ast.parse(text).body if isinstance(node, ast.ClassDef)
        }
    return found


@functools.cache
def _field_comments(owner: type) -> dict[str, str]:
    """The comments above the fields of a class."""
    node, lines = _sources()[owner.__name__]
    found = {}
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            above = list(
                itertools.takewhile(lambda line: line.strip().startswith("#"), reversed(lines[: part.lineno - 1]))
            )
            found[part.target.id] = " ".join(line.strip().lstrip("# ") for line in reversed(above))
    return found


def _field_comment(owner: type, name: str) -> str:
    return _field_comments(owner).get(name, "")


def _is_described(name: str, doc: str) -> bool:
    """Whether the docstring of a class describes an attribute: in a list "name: ..." or "a, b: ..."."""
    return any(name in line.partition(":")[0].replace(",", " ").split() for line in doc.splitlines() if ":" in line)


def _annotation(owner: type, name: str) -> tuple[str, ...]:
    kind = vars(owner).get("__annotations__", {}).get(name)
    return (f":type: {kind if isinstance(kind, str) else getattr(kind, '__name__', str(kind))}",) if kind else ()


def _owners() -> dict[tuple[str, str], list[str]]:
    """The public names of each function, by the class and the name under which the sources define it."""
    owners: dict[tuple[str, str], list[str]] = {}
    for name, item in PUBLIC.items():
        if inspect.isfunction(item):
            owners.setdefault(("", item.__name__), []).append(OWNERS[name])
        elif inspect.isclass(item) and not issubclass(item, enum.Enum):
            for member, owner in _members(item, CLASSES - {item}):
                owners.setdefault((owner.__name__, member), []).append(f"{OWNERS[name]}.{member}")
            owners.setdefault((name, "__init__"), []).append(OWNERS[name])
    return owners


def _functions(tree: ast.Module) -> Iterator[tuple[str, str, ast.AST]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield "", node.name, node
        elif isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    yield node.name, member.name, member


def _words(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
