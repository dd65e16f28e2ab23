"""The examples of the documentation that need packages from PyPI. Tests/docs/snippets.py runs all others."""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))
import snippets  # noqa: E402

EXAMPLES = [one for page in snippets.pages() for one in snippets.snippets(page) if snippets.suite(one) == "pypi"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example(example):
    assert example.output, "it states no output"
    assert snippets.run(example, Path()) is None
