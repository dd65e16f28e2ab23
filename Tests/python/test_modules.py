"""Where the package keeps its names: a few modules, and those that most programs need at the top."""

from __future__ import annotations

import enum
import inspect
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import alidade
from conftest import MODULES, PUBLIC

PACKAGE = Path(alidade.__file__).parents[1]


def test_each_name_is_in_one_module() -> None:
    counts = Counter(name for module in MODULES.values() for name in module.__all__)
    assert [name for name, count in counts.items() if count > 1] == []
    for module in (*MODULES.values(), alidade):
        assert list(module.__all__) == sorted(module.__all__), module.__name__


def test_a_module_has_nothing_but_what_it_offers() -> None:
    for module in MODULES.values():
        others = {name for name in vars(module) if not name.startswith("_")} - set(module.__all__)
        assert others <= {"publish"}, (module.__name__, others)
        assert module.__doc__, module.__name__


def test_the_common_names_are_at_the_top() -> None:
    common = set(alidade.__all__) - set(MODULES)
    assert 35 <= len(common) <= 45
    assert common - {"open"} <= {name for module in MODULES.values() for name in module.__all__}
    for name in common - {"open"}:
        assert getattr(alidade, name) is PUBLIC[name]


def test_classes_and_functions_say_which_module_offers_them() -> None:
    for name, module in MODULES.items():
        for member in (getattr(module, found) for found in module.__all__):
            if inspect.isclass(member) or inspect.isfunction(member):
                assert member.__module__ == f"alidade.{name}", member
    assert repr(alidade.errors.NotFoundError) == "<class 'alidade.errors.NotFoundError'>"
    assert alidade.open.__module__ == "alidade"


def test_every_public_class_is_documented() -> None:
    bare = [name for name, found in PUBLIC.items() if inspect.isclass(found) and not inspect.getdoc(found)]
    assert bare == []


def test_every_class_that_a_method_returns_is_public() -> None:
    public = {id(found) for found in PUBLIC.values()}
    hidden = set()
    for found in PUBLIC.values():
        for member in vars(found).values() if inspect.isclass(found) and not issubclass(found, enum.Enum) else ():
            function = member.fget if isinstance(member, property) else inspect.unwrap(member) if callable(member) else None
            wanted = str(getattr(function, "__annotations__", {}).get("return", "")).strip("'\"")
            result = getattr(function, "__globals__", {}).get(wanted)
            if inspect.isclass(result) and result.__module__.startswith("alidade._") and id(result) not in public:
                hidden.add(wanted)
    assert hidden == set()


def test_modules_can_be_imported_one_by_one() -> None:
    statements = "; ".join(f"import alidade.{name}" for name in reversed(sorted(MODULES)))
    command = f"{statements}; from alidade import *; open, Map, rasters"
    subprocess.run([sys.executable, "-c", command], check=True, env={**os.environ, "PYTHONPATH": str(PACKAGE)})
