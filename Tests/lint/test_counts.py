"""Tests of Tests/counts.py on what the three kinds of suites really print."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import counts  # noqa: E402

SWIFT = """\
Build complete! (7.05s)
◇ Test run started.
◇ Suite S started.
➜ Test "named test" skipped: "no network here"
◇ Test bad() started.
◇ Test case passing 1 argument x → 2 to param(_:) started.
✘ Test param(_:) recorded an issue with 1 argument x → 2 at t.swift:7:50: Expectation failed: (f() → 1) == (x → 2)
✘ Test param(_:) with 3 test cases failed after 0.001 seconds with 2 issues.
━ Test known() passed after 0.001 seconds with 1 known issue.
✔ Test ok() passed after 0.001 seconds.
✘ Test bad() failed after 0.001 seconds with 2 issues.
✘ Suite S failed after 0.001 seconds with 4 issues (including 1 known issue).
✘ Test run with 5 tests in 1 suite failed after 0.001 seconds with 4 issues (including 1 known issue).
"""


def as_tuple(text: str, status: int = 0) -> tuple[int, int, list[str]]:
    found = counts.read(text, status)
    return found.passed, found.failed, found.skipped


def test_swift_testing() -> None:
    assert as_tuple(SWIFT, 1) == (2, 2, ['"named test": no network here'])


def test_swift_testing_all_well() -> None:
    text = "✔ Test ok() passed after 0.001 seconds.\n✔ Test run with 1 test in 0 suites passed after 0.1 seconds.\n"
    assert as_tuple(text) == (1, 0, [])


def test_swift_testing_that_crashed_has_failed() -> None:
    text = "✔ Test ok() passed after 0.001 seconds.\n◇ Test bad() started.\nerror: Exited with unexpected signal code 4\n"
    assert as_tuple(text, 1) == (1, 1, [])


def test_swift_testing_without_tests_has_failed() -> None:
    assert as_tuple("✔ Test run with 0 tests in 0 suites passed after 0.001 seconds.\n") == (0, 1, [])


def test_build_error_has_failed() -> None:
    assert as_tuple("a.swift:1:1: error: cannot find 'x' in scope\n", 1) == (0, 1, [])


def test_pytest() -> None:
    text = "..s.\nSKIPPED [2] test_a.py:3: no network\n=== 3 passed, 2 skipped, 1 xfailed, 1 warning in 0.20s ===\n"
    assert as_tuple(text) == (4, 0, ["test_a.py:3: no network"] * 2)
    assert as_tuple("1 failed, 10 passed, 2 errors in 1.50s\n", 1) == (10, 3, [])
    assert as_tuple("5 passed, 1 skipped in 65.12s (0:01:05)\n") == (5, 0, ["a test: no reason given"])
    assert as_tuple("no tests ran in 0.01s\n", 5) == (0, 1, [])


def test_own_suites() -> None:
    text = "12 passed in 0.10s\nok      a\nskipped: CMake: there is no cmake here\n7 passed, 2 failed\n\n"
    assert as_tuple(text, 1) == (7, 2, ["CMake: there is no cmake here"])
    assert as_tuple("0 passed, 0 failed\n") == (0, 1, [])
    assert as_tuple("7 passed, 0 failed\n", 139) == (7, 1, [])
    assert as_tuple("7 passed, 0 failed\nmore\n", 0) == (0, 1, [])


def test_silence_has_failed() -> None:
    assert as_tuple("", 0) == (0, 1, [])


def test_colours_do_not_matter() -> None:
    assert as_tuple("\x1b[32m3 passed\x1b[0m, 0 failed\x1b[0m\n") == (3, 0, [])
