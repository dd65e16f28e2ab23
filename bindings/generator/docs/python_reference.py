"""The reference of Python: a page for each module of the package, from its docstrings.

Sphinx's autodoc writes each entry; here is decided which, and where. A class has the members of its classes that are not
public themselves, such as the parts of View.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import functools
import inspect
import itertools
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import alidade
import python_abi
from header_model import Header
from markup import comment, directive, heading, joined, page, toctree

INTRO = """\
``import alidade`` has everything; see :doc:`/Getting-started-Python`. The modules below are only how this reference is
arranged."""
MODULE = ".. py:currentmodule:: alidade"
TITLES = {"_abi": "Enumerations", "_arrays": "Types of arrays", "_library": "The library", "_geometry_columns": "Geometry columns"}


@dataclass
class Reference:
    header: Header
    missing: list[str] = field(default_factory=list)
    documented: int = 0

    def pages(self) -> dict[str, str]:
        texts: dict[str, str] = {}
        modules: dict[str, list[str]] = {}
        for name in sorted(set(alidade.__all__)):
            item = getattr(alidade, name)
            if not inspect.ismodule(item):
                modules.setdefault(_module(item), []).append(name)
        titles = {}
        for module, names in modules.items():
            stem = module.lstrip("_") or "values"
            title = TITLES.get(module) or (module.replace("_", " ").capitalize() or "Constants and types")
            titles[title] = stem
            doc = inspect.getdoc(inspect.getmodule(getattr(alidade, names[0]))) if module and module not in TITLES else ""
            texts[f"python/{stem}"] = page(title, MODULE, comment(doc or ""), *(self._entry(name) for name in names))
        order = sorted(titles, key=lambda title: (title.startswith(("Constants", "Enumerations", "Types of")), title))
        lists = [f":doc:`{title} <{titles[title]}>`\n    {joined(_classes_first(texts, titles[title], modules))}" for title in order]
        tree = toctree([titles[title] for title in order], ":hidden:")
        texts["python/index"] = page("Python reference", INTRO, heading("Modules", "-"), "\n\n".join(lists), tree)
        return texts

    def _entry(self, name: str) -> str:
        item = getattr(alidade, name)
        if inspect.isclass(item) and issubclass(item, enum.Enum):
            return self._enumeration(name, item)
        if inspect.isclass(item):
            return self._class(name, item)
        if callable(item) and hasattr(item, "__module__") and inspect.isfunction(item):
            self._count(name, item.__doc__)
            return f".. autofunction:: alidade.{name}"
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
            text = f"A type: ``{str(item).replace('typing.', '').replace('alidade.', '')}``."
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
            body.append(directive("py:attribute", key, text, (f":value: {member.value}",)))
        head = f"{name}({item.__mro__[1].__name__})"
        return directive("py:class", head, "\n\n".join(filter(None, body)))

    def _class(self, name: str, item: type) -> str:
        self._count(name, item.__doc__)
        parts = []
        public = {getattr(alidade, other) for other in alidade.__all__} - {item}
        described = inspect.getdoc(item) or ""
        for member, owner in _members(item, public):
            value = vars(owner).get(member)
            kind = _kind(value)
            if kind is None:
                if not _is_described(member, described):
                    text = comment(_field_comment(owner, member))
                    parts.append(directive("py:attribute", member, text, _annotation(owner, member)))
                continue
            self._count(f"{name}.{member}", inspect.getdoc(getattr(value, "__func__", value)))
            parts.append(f".. auto{kind}:: alidade.{name}.{member}")
        if _is_record(item):
            return directive("py:class", name, "\n\n".join([described, *parts]))
        return directive("autoclass", f"alidade.{name}", "\n\n".join(parts))

    def of_c(self) -> dict[str, list[str]]:
        """The Python functions that call each function of C, as the sources name it."""
        owners = _owners()
        found: dict[str, list[str]] = {}
        for path in sorted(Path(alidade.__file__).parent.glob("*.py")):
            if path.name == "_abi.py":
                continue
            for scope, name, node in _functions(ast.parse(path.read_text(encoding="utf-8"))):
                for called in sorted({word for word in _words(node) if word in self.header.functions}):
                    found.setdefault(called, []).extend(
                        full for full in owners.get((scope, name), []) if full not in found.get(called, [])
                    )
        return {key: sorted(names) for key, names in found.items() if names and len(names) <= 4}


def _classes_first(texts: dict[str, str], stem: str, modules: dict[str, list[str]]) -> list[str]:
    names = next(names for module, names in modules.items() if (module.lstrip("_") or "values") == stem)
    return [f"alidade.{name}" for name in names]


def _module(item: Any) -> str:
    """The module of a class or function, without the package; "" for constants and types."""
    if not (inspect.isclass(item) or inspect.isfunction(item)):
        return ""
    module = item.__module__
    return module.removeprefix("alidade").lstrip(".") if module.startswith("alidade") else ""


def _members(item: type, public: set[Any]) -> Iterator[tuple[str, type]]:
    """The public members of a class, in the order of its sources, without those of other public classes."""
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
def _field_comments(owner: type) -> dict[str, str]:
    """The comments above the fields of a class, as its source has them."""
    source = textwrap.dedent(inspect.getsource(owner))
    lines, found = source.splitlines(), {}
    for node in ast.parse(source).body[0].body:  # type: ignore[attr-defined]
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            above = list(itertools.takewhile(lambda line: line.strip().startswith("#"), reversed(lines[: node.lineno - 1])))
            found[node.target.id] = " ".join(line.strip().lstrip("# ") for line in reversed(above))
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
    for name in set(alidade.__all__):
        item = getattr(alidade, name)
        if inspect.isfunction(item):
            owners.setdefault(("", name), []).append(f"alidade.{name}")
        elif inspect.isclass(item) and not issubclass(item, enum.Enum):
            public = {getattr(alidade, other) for other in alidade.__all__} - {item}
            for member, owner in _members(item, public):
                owners.setdefault((owner.__name__, member), []).append(f"alidade.{name}.{member}")
            owners.setdefault((name, "__init__"), []).append(f"alidade.{name}")
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
