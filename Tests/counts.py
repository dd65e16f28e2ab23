#!/usr/bin/env python3
"""Reads how many tests of a suite passed and failed, and what it skipped, from what the suite printed.

Knows three kinds of output: a last line "N passed, N failed" (the suites of this repository; skips are lines
"skipped: what: why"), Swift Testing, and pytest (with -rs). A suite that says nothing of that kind, or ran no test, or
ended with an error although no test failed, counts as one failure.

    counts.py [--status N] [--brief] < LOG

prints "P passed, F failed" and then a line "skipped: what: why" per skip; with --brief only the first.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass, field

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: list[str] = field(default_factory=list)


def read(text: str, status: int = 0) -> Counts:
    """The counts of a suite that printed `text` and ended with `status`."""
    lines = [_ANSI.sub("", line).rstrip() for line in text.splitlines()]
    lines = [line for line in lines if line]
    counts = _own(lines) or _swift_testing(lines) or _pytest(lines) or Counts()
    nothing_ran = counts.passed == 0 and counts.failed == 0 and not counts.skipped
    if nothing_ran or (status != 0 and counts.failed == 0):
        counts.failed += 1
    return counts


def _own(lines: list[str]) -> Counts | None:
    match = re.fullmatch(r"(\d+) passed, (\d+) failed", lines[-1]) if lines else None
    if not match:
        return None
    skipped = [found[1] for line in lines if (found := re.match(r"skipped:? (.+)", line, re.IGNORECASE))]
    return Counts(int(match[1]), int(match[2]), skipped)


def _swift_testing(lines: list[str]) -> Counts | None:
    ending = re.compile(r"Test run with (\d+) tests?\b.* (passed|failed) after")
    summaries = [found for line in lines if (found := ending.search(line))]
    passed = failed = 0
    skipped: list[str] = []
    for line in lines:
        if re.search(r"\bTest run with ", line):
            continue
        if re.match(r"\W+ Test .+ passed after [\d.]+ seconds", line):
            passed += 1
        elif re.match(r"\W+ Test .+ failed after [\d.]+ seconds", line):
            failed += 1
        elif found := re.match(r'\W+ (?:Test|Suite) (.+) skipped(?:: "(.*)")?\.?$', line):
            skipped.append(f"{found[1]}: {found[2] or 'no reason given'}")
    if not summaries:
        # Without a summary the run ended in the middle: what was under way then has failed.
        return Counts(passed, failed + 1, skipped) if passed or failed else None
    if any(found[2] == "failed" for found in summaries):
        failed = max(failed, 1)
    total = sum(int(found[1]) for found in summaries)
    return Counts(max(total - failed - len(skipped), 0), failed, skipped)


def _pytest(lines: list[str]) -> Counts | None:
    summary = next((line for line in reversed(lines) if re.search(r"\bin \d+\.\d+s\b", line)), None)
    if summary is None:
        return None
    number = {word: int(count) for count, word in re.findall(r"(\d+) ([a-z]+)", summary)}
    passed = number.get("passed", 0) + number.get("xfailed", 0)
    failed = number.get("failed", 0) + number.get("error", 0) + number.get("errors", 0) + number.get("xpassed", 0)
    skipped: list[str] = []
    for line in lines:
        if found := re.match(r"SKIPPED \[(\d+)\] (.+)", line):
            skipped += [found[2]] * int(found[1])
    # Without -rs the reasons are not there; the number still is.
    skipped += ["a test: no reason given"] * (number.get("skipped", 0) - len(skipped))
    return Counts(passed, failed, skipped)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--status", type=int, default=0, help="the suite's exit status")
    parser.add_argument("--brief", action="store_true", help="leave the skips out")
    arguments = parser.parse_args()
    sys.stdin.reconfigure(errors="replace")
    counts = read(sys.stdin.read(), arguments.status)
    print(f"{counts.passed} passed, {counts.failed} failed")
    for skip in [] if arguments.brief else counts.skipped:
        print(f"skipped: {skip}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
