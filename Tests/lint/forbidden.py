#!/usr/bin/env python3
"""Finds what must not be in this repository: constructs that can end the host's process, imports against the arrows
between modules, unexplained unsafe code, tests not named after a header, foreign top-level entries, and paths of somebody's machine.

Prints each finding and, last, "N passed, N failed": a check per rule.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from swift_code import SwiftCode, strip  # noqa: E402

TOP_LEVEL = {
    "Package.swift", "Sources", "Include", "Tests", "bindings", "examples", "README.md", "LICENSE", "CHANGELOG.md",
}  # fmt: skip
# The modules and what each may import (CGDALFiles is C++, for which GDAL has no C interface). The arrows point one way; each C library has one module that knows it.
_SYSTEM = {"Glibc", "Synchronization"}
_ENGINE = ["AlidadeBase", "AlidadeCoordinates", "AlidadeGeometry", "AlidadeData", "AlidadeMap"]
_C_MODULE = {
    "AlidadeBase": "CLinux",
    "AlidadeCoordinates": "CPROJ",
    "AlidadeGeometry": "CGEOS",
    "AlidadeData": "CGDAL CGDALFiles CSQLite CCURL",
    "AlidadeABI": "CAlidade",
}
ALLOWED_IMPORTS = {
    module: _SYSTEM | set(_ENGINE[:depth]) | set(_C_MODULE.get(module, "").split())
    for depth, module in enumerate([*_ENGINE, "AlidadeABI"])
} | {"CGDALFiles": {"CGDAL"}}

# Constructs that are never right in the library: name, pattern over code without comments and strings, what to do.
FORBIDDEN: list[tuple[str, str, str]] = [
    ("try!", r"\btry\s*!", "handle the error"),
    ("as!", r"\bas\s*!", "use as? and handle nil"),
    # A postfix ! has no space before it. Both x!.y and the type T! end up here.
    ("force unwrap", r"(?<=[\w)\]}>\"?`])(?<!\btry)(?<!\bas)!(?!=)", "use guard let, if let or ??"),
    (
        "trap",
        r"\b(fatalError|precondition|preconditionFailure|assert|assertionFailure|dispatchPrecondition)\s*\(",
        "report ALD_STATUS_INTERNAL instead of ending the host",
    ),
    (
        "trap-prone unsafe construct",
        r"\b(unowned|unsafelyUnwrapped|numericCast)\b",
        "use weak, a check or a labelled conversion",
    ),
    (
        "printing",
        r"(?:(?<![.\w])|(?<=Swift\.))(?<!func )(print|debugPrint|dump|puts|perror|fputs|fputc|putchar|v?f?printf)\s*\(",
        "write to the runtime's log",
    ),
    (
        "change of the host's process",
        r"(?:(?<![.\w])|(?<=Glibc\.))(?<!func )(abort|_?exit|_Exit|quick_exit|setlocale|setenv|unsetenv|putenv|clearenv"
        r"|f?chdir|umask|signal|sigaction|fesetround|fesetenv)\s*\(",
        "the process belongs to the host",
    ),
    (
        "Swift concurrency",
        r"\b(Task|TaskGroup|with\w*TaskGroup|MainActor|AsyncStream|AsyncThrowingStream|AsyncSequence|await"
        r"|withCheckedContinuation|withUnsafeContinuation)\b|\basync\b(?!\s*:)|\bactor\s+\w",
        "use the workers of AlidadeBase",
    ),
    (
        "foreign threads and locks",
        r"\b(Mutex|AtomicLazyReference|Dispatch\w+|OperationQueue|Thread|NSLock|NSRecursiveLock|os_unfair_lock)\b",
        "use Lock and the workers of AlidadeBase; from Synchronization only Atomic",
    ),
]

_INTEGERS = (
    r"U?Int(?:8|16|32|64|128)?|C(?:Unsigned)?(?:Char|Short|Int|Long|LongLong)|CSignedChar"
    r"|u?int(?:8|16|32|64)_t|s?size_t"
)
_LABELS = {"exactly", "clamping", "truncatingIfNeeded", "bitPattern", "littleEndian", "bigEndian", "ascii"}

# The files that a rule is there to send everybody to.
_OWNERS = {"change of the host's process": "Sources/AlidadeBase/HostFloats.swift"}

# Words that promise the compiler what it cannot check; a comment at each use says why the promise holds.
_UNSAFE = re.compile(
    r"@unchecked\s+Sendable|\bnonisolated\s*\(\s*unsafe\s*\)|\b(?:Unmanaged|unsafeBitCast|unsafeDowncast)\b"
)

_IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)(?:\.(\w+))?",
    re.MULTILINE,
)
# Home folders of people and of root. Written so that it does not find itself.
_MACHINE_PATH = re.compile(r"(?<![\w.~/-])[/](?:(?:home|Users)/[A-Za-z][\w.-]*|root)(?=[/\s\"'`:]|$)")


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class Repository:
    """The files of a checkout; what git ignores is not part of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = sorted(self._tracked() or self._all())
        self.swift: dict[str, SwiftCode] = {
            name: strip((root / name).read_text(encoding="utf-8"))
            for name in self.files
            if name.startswith("Sources/") and name.endswith(".swift")
        }

    def _tracked(self) -> list[str]:
        if not (self.root / ".git").exists():
            return []
        listing = subprocess.run(
            ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        return [name for name in listing.split("\0") if name and (self.root / name).is_file()]

    def _all(self) -> list[str]:
        names = (path.relative_to(self.root) for path in self.root.rglob("*") if path.is_file())
        return [str(name) for name in names if not {".git", ".build", "__pycache__"} & set(name.parts)]

    def module_of(self, name: str) -> str:
        return name.split("/")[1]


def check_pattern(repository: Repository, name: str, pattern: str, remedy: str) -> Iterator[Finding]:
    compiled = re.compile(pattern)
    for path, code in repository.swift.items():
        for number, line in enumerate(code.lines(), 1):
            if compiled.search(line) and path != _OWNERS.get(name):
                yield Finding(path, number, f"{name}: {remedy}: {line.strip()[:100]}")


def integer_typedefs(repository: Repository) -> list[str]:
    """The names that the headers give to integer types, such as ald_status."""
    names: list[str] = []
    for path in repository.files:
        if path.startswith("Include/") and path.endswith(".h"):
            text = (repository.root / path).read_text(encoding="utf-8")
            names += re.findall(r"^typedef u?int\d+_t (ald_\w+);", text, re.MULTILINE)
    return names


def argument_text(text: str, opening: int) -> str:
    """What stands between the parenthesis at `opening` and the one that closes it."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return text[opening + 1 : at].strip()
    return text[opening + 1 :].strip()


def is_safe_integer_argument(argument: str) -> bool:
    """Whether a conversion with this argument cannot trap: labelled, a literal, or a constant known beforehand."""
    label = re.match(r"(\w+)\s*:", argument)
    if label:
        return label[1] in _LABELS
    return (
        argument == ""
        or re.search(r",\s*radix\s*:", argument) is not None
        or re.fullmatch(r"-?\d[\d_]*|0[xbo][\da-fA-F_]+", argument) is not None
        or re.fullmatch(r"[A-Z][A-Z0-9_]*[A-Z0-9]", argument) is not None
        or re.fullmatch(r"MemoryLayout<[\w.<>]+>\.(size|stride|alignment)", argument) is not None
    )


def check_integers(repository: Repository) -> Iterator[Finding]:
    """An unlabelled conversion traps on NaN and on everything that does not fit."""
    types = "|".join([_INTEGERS, *integer_typedefs(repository)])
    call = re.compile(rf"(?<![\w.])(?:Swift\.|Glibc\.)?({types})(?:\.init)?\s*(\()")
    reference = re.compile(rf"(?<![\w.])(?:{types})\.init\b(?!\s*\()")
    remedy = "label the conversion: exactly:, clamping:, truncatingIfNeeded: or bitPattern:"
    for path, code in repository.swift.items():
        lines = code.lines()
        matches = [
            match
            for match in call.finditer(code.text)
            if not is_safe_integer_argument(argument_text(code.text, match.start(2)))
        ]
        matches += reference.finditer(code.text)
        for match in sorted(matches, key=lambda found: found.start()):
            number = code.line_of(match.start())
            yield Finding(path, number, f"integer conversion: {remedy}: {lines[number - 1].strip()[:100]}")


# What only the boundary knows: names of C, and which argument of a function a parameter is.
_C_NAMES = re.compile(r"\bald_|\bALD_|\bargument: |\.argument\b|blaming\(argument")


def check_core_knows_no_c(repository: Repository) -> Iterator[Finding]:
    for path in repository.swift:
        if repository.module_of(path) not in _ENGINE or path.endswith("AlidadeBase/EngineError.swift"):
            continue
        for number, line in enumerate((repository.root / path).read_text(encoding="utf-8").splitlines(), 1):
            if _C_NAMES.search(line):
                yield Finding(path, number, f"the engine knows nothing of C; name the parameter: {line.strip()[:100]}")


def check_imports(repository: Repository) -> Iterator[Finding]:
    for path, code in repository.swift.items():
        module = repository.module_of(path)
        allowed = ALLOWED_IMPORTS.get(module)
        if allowed is None:
            yield Finding(path, 1, f"module {module} is not one of the house")
            continue
        for match in _IMPORT.finditer(code.text):
            number = code.line_of(match.start(1))
            if match[1] not in allowed:
                yield Finding(path, number, f"{module} must not import {match[1]}")
            elif match[1] == "Synchronization" and match[2] not in (None, "Atomic"):
                yield Finding(path, number, f"from Synchronization only Atomic is used, not {match[2]}")


def check_manifest(repository: Repository) -> Iterator[Finding]:
    manifest = repository.root / "Package.swift"
    if not manifest.is_file():
        return
    text = manifest.read_text(encoding="utf-8")
    for match in re.finditer(r"\.target\(\s*name: \"(\w+)\"(?:,\s*dependencies: \[([^\]]*)\])?", text):
        number = text.count("\n", 0, match.start()) + 1
        for name in re.findall(r"\"(\w+)\"", match[2] or ""):
            if name not in ALLOWED_IMPORTS.get(match[1], set()):
                yield Finding("Package.swift", number, f"{match[1]} must not depend on {name}")
    for match in re.finditer(r"unsafeFlags", text):
        number = text.count("\n", 0, match.start()) + 1
        yield Finding("Package.swift", number, "unsafe flags keep others from using the package")


def check_unsafe_is_explained(repository: Repository) -> Iterator[Finding]:
    for path, code in repository.swift.items():
        for number, line in enumerate(code.lines(), 1):
            if _UNSAFE.search(line) and not code.comment_lines & set(range(number - 3, number + 1)):
                yield Finding(path, number, f"no comment says why this is right: {line.strip()[:100]}")


def check_top_level(repository: Repository) -> Iterator[Finding]:
    for name in sorted({path.split("/")[0] for path in repository.files}):
        if name not in TOP_LEVEL and not name.startswith("."):
            yield Finding(name, 1, "does not belong at the top level")


def check_test_names(repository: Repository) -> Iterator[Finding]:
    """Tests are found by the header whose functions they test. Examples have tests too, but no header."""
    headers = {Path(path).stem for path in repository.files if re.fullmatch(r"Include/alidade/\w+\.h", path)}
    for path in repository.files:
        match = re.fullmatch(r"Tests/(?:abi/cases|oracle)/test_(\w+)\.(?:c|py)", path)
        if match and not any(f"{match[1]}_".startswith(f"{name}_") for name in headers | {"example"}):
            yield Finding(path, 1, "begin the name with a header's: test_HEADER.c, test_HEADER_TOPIC.py")


def check_machine_paths(repository: Repository) -> Iterator[Finding]:
    for path in repository.files:
        content = (repository.root / path).read_bytes()
        if b"\0" in content[:8192]:
            continue
        for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
            match = _MACHINE_PATH.search(line)
            if match:
                yield Finding(path, number, f"a path of somebody's machine: {match[0]}")


def rules() -> dict[str, Callable[[Repository], Iterator[Finding]]]:
    table: dict[str, Callable[[Repository], Iterator[Finding]]] = {}
    for name, pattern, remedy in FORBIDDEN:
        table[name] = lambda repository, n=name, p=pattern, r=remedy: check_pattern(repository, n, p, r)
    table["integer conversions are labelled"] = check_integers
    table["the engine knows nothing of C"] = check_core_knows_no_c
    table["imports follow the arrows"] = check_imports
    table["the manifest follows the arrows"] = check_manifest
    table["unsafe code is explained"] = check_unsafe_is_explained
    table["the top level"] = check_top_level
    table["tests are named after headers"] = check_test_names
    table["paths of a machine"] = check_machine_paths
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = Path(__file__).resolve().parents[2]
    parser.add_argument("--root", type=Path, default=here, help="the checkout to look at")
    repository = Repository(parser.parse_args().root)
    passed = failed = 0
    for rule in rules().values():
        findings = list(rule(repository))
        for finding in findings:
            print(finding)
        passed, failed = passed + (not findings), failed + bool(findings)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
