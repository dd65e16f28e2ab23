"""The examples in the docstrings, which doctest runs."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import alidade
from conftest import RASTERS

MODULES = [
    importlib.import_module(found.name)
    for found in pkgutil.walk_packages(alidade.__path__, "alidade.")
    if found.name not in ("alidade._abi", "alidade.__main__")
]
# What the examples take as given.
GLOBALS = {"alidade": alidade, "folder": RASTERS}


def examples() -> list[doctest.DocTest]:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for module in (alidade, *MODULES) for test in finder.find(module, globs=dict(GLOBALS))]
    return [test for test in {test.name: test for test in found}.values() if test.examples]


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_example(example: doctest.DocTest) -> None:
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(example, out=report.append)
    assert not runner.failures, "".join(report)


def test_there_are_examples_for_the_main_classes() -> None:
    names = {example.name.rpartition(".")[2] for example in examples()}
    assert {"alidade", "SpatialReference", "Geometry", "GeometryArray", "TransformationList", "View", "open"} <= names
