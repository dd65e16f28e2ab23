"""Tests of the checker: each rule finds what was seeded and leaves correct code alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import forbidden
import pytest

HEADER = "typedef int32_t ald_status;\ntypedef uint32_t ald_facts;\n"


def findings(root: Path, files: dict[str, str]) -> list[str]:
    """What the checker says of a repository that holds these files."""
    for name, text in {"Include/alidade/base.h": HEADER, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    repository = forbidden.Repository(root)
    return [str(finding) for rule in forbidden.rules().values() for finding in rule(repository)]


def in_base(root: Path, line: str) -> list[str]:
    """What the checker says of a line in AlidadeBase, which stands on line 2."""
    return findings(root, {"Sources/AlidadeBase/Seed.swift": f"import Glibc\n{line}\n"})


@pytest.mark.parametrize(
    "line",
    [
        "let a = try! open()",
        "let a = b as! Int",
        "let a = b!",
        "let a = b!.count",
        "let a = list[0]!",
        "let a = find()! + 1",
        "var a: Int!",
        "var a: [Int]!",
        "fatalError()",
        "precondition(a > 0)",
        'preconditionFailure("a")',
        "assert(a)",
        "assertionFailure()",
        "unowned let a: Owner",
        "unowned(unsafe) let a: Owner",
        "let a = b.unsafelyUnwrapped",
        "let a: Int = numericCast(b)",
        'print("a")',
        "Swift.print(a)",
        "debugPrint(a)",
        "dump(a)",
        'puts("a")',
        'setenv("A", "b", 1)',
        "exit(1)",
        "Glibc.abort()",
        "Task { }",
        "Task.detached { }",
        "actor Cache {}",
        "func a() async {}",
        "let a = await b()",
        "@MainActor func a() {}",
        "let a = Mutex(0)",
        "DispatchQueue.main.sync {}",
        "Thread.sleep(1)",
        'let text = "\\(a!)"',
        "let a = Int(b)",
        "let a = Int(b + 1)",
        "let a = UInt8(b)",
        "let a = Int32(b.count)",
        "let a = Int.init(b)",
        "let a = list.map(Int.init)",
        "let a = CInt(b)",
        "let a = size_t(b)",
        "let a = ald_status(b)",
        "let a = \"Create it with ald_map_create.\"",
        "throw EngineError(.notFound, a, argument: 2)",
        "let a = ald_facts(b.rawValue)",
        "import Foundation",
        "import Dispatch",
        "import _Concurrency",
        "@preconcurrency import Foundation",
        "import CAlidade",
        "import CPROJ",
        "import struct CGDAL.GDALDatasetH",
        "public import AlidadeMap",
        "import class Synchronization.Mutex",
        "final class A: @unchecked Sendable {}",
        "nonisolated(unsafe) var a = 0",
        "let a = Unmanaged.passRetained(b)",
        "let a = unsafeDowncast(b, to: C.self)",
        "let a = unsafeBitCast(b, to: C.self)",
    ],
)
def test_seeded_line_is_found(tmp_path: Path, line: str) -> None:
    found = in_base(tmp_path, line)
    assert found, "nothing was found"
    assert all(text.startswith("Sources/AlidadeBase/Seed.swift:2: ") for text in found)


@pytest.mark.parametrize(
    "line",
    [
        "// try! as! fatalError() print(a) Task a!",
        '/* a! */ let a = "try! b! fatalError() print(c)"',
        "if !a, a != b, !(a == b), a !== b {}",
        "let a = [!b, !c].contains { !$0 }",
        "guard let a = try? b() else { return }",
        "func assertion(_ a: Int) -> Int { a }",
        "log.print(a)",
        "condition.signal()",
        "func exit(_ gate: Gate) {}",
        "let a = Int(exactly: b)",
        "let a = Int(\n  truncatingIfNeeded: b)",
        "let a = UInt32(clamping: b)",
        "let a = UInt(bitPattern: b)",
        'let a = UInt8(ascii: "a")',
        "let a = Int32(-1)",
        "let a = UInt64(0xFF_FF)",
        "let a = Int(text, radix: 16)",
        "let a: (Int) -> UInt8 = f",
        "import Synchronization",
        "import struct Synchronization.Atomic",
        "let taskCount = 1, threadCount = 2",
        "final class A: @unchecked Sendable {}  // right: a is guarded by b",
        "// right: the kind was compared\nlet a = unsafeDowncast(b, to: C.self)",
        "// right: only touched under the lock\nnonisolated(unsafe) var a = 0",
        "// leaked on purpose\n\nlet a = 1\n_ = Unmanaged.passRetained(b)",
    ],
)
def test_correct_line_is_left_alone(tmp_path: Path, line: str) -> None:
    assert in_base(tmp_path, line) == []


@pytest.mark.parametrize(
    "line",
    [
        "let a = ald_status(ALD_STATUS_OK)",
        "let a = UInt32(MemoryLayout<ald_error>.size)",
        "func ald_map_open_async(_ a: Int) {}",
    ],
)
def test_boundary_may_know_c(tmp_path: Path, line: str) -> None:
    assert findings(tmp_path, {"Sources/AlidadeABI/Seed.swift": f"{line}\n"}) == []


@pytest.mark.parametrize(
    ("module", "name", "allowed"),
    [
        ("AlidadeABI", "CAlidade", True),
        ("AlidadeMap", "CAlidade", False),
        ("AlidadeCoordinates", "CPROJ", True),
        ("AlidadeGeometry", "CPROJ", False),
        ("AlidadeGeometry", "CGEOS", True),
        ("AlidadeData", "CGDAL", True),
        ("AlidadeData", "CGEOS", False),
        ("AlidadeABI", "CGDAL", False),
        ("AlidadeMap", "AlidadeData", True),
        ("AlidadeData", "AlidadeMap", False),
        ("AlidadeBase", "AlidadeBase", False),
        ("AlidadeElsewhere", "Glibc", False),
    ],
)
def test_arrows_between_modules(tmp_path: Path, module: str, name: str, allowed: bool) -> None:
    found = findings(tmp_path, {f"Sources/{module}/Seed.swift": f"import {name}\n"})
    assert (found == []) == allowed


def test_arrows_in_the_manifest(tmp_path: Path) -> None:
    manifest = (
        'let package = Package(targets: [\n  .target(name: "AlidadeBase", dependencies: ["AlidadeMap"]),\n'
        '  .target(name: "AlidadeGeometry", dependencies: ["AlidadeCoordinates", "CGEOS"]),\n'
        '  .target(name: "AlidadeABI", swiftSettings: [.unsafeFlags(["-Ounchecked"])]),\n])\n'
    )
    found = findings(tmp_path, {"Package.swift": manifest})
    assert [text.split(": ")[0] for text in found] == ["Package.swift:2", "Package.swift:4"]


def test_comment_too_far_away_explains_nothing(tmp_path: Path) -> None:
    assert in_base(tmp_path, "// why\n\n\n\nlet a = Unmanaged.passRetained(b)")


def test_top_level_entry(tmp_path: Path) -> None:
    assert findings(tmp_path, {"README.md": "", ".gitignore": "", ".ci/run": ""}) == []
    assert findings(tmp_path, {"scripts/build": ""}) == ["scripts:1: does not belong at the top level"]


@pytest.mark.parametrize("parts", [("", "home", "someone", "x"), ("", "root", "x"), ("", "Users", "someone")])
def test_path_of_a_machine(tmp_path: Path, parts: tuple[str, ...]) -> None:
    assert findings(tmp_path, {"Tests/notes.md": "see `" + "/".join(parts) + "`\n"})


def test_other_paths_are_left_alone(tmp_path: Path) -> None:
    text = "see $HOME/x, ~/x, /usr/lib, examples/home/page, https://example.org/home/page and " + "/" + "rooted\n"
    assert findings(tmp_path, {"Tests/notes.md": text}) == []


def test_what_git_ignores_is_left_alone(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    assert findings(tmp_path, {".gitignore": "cache/\n", "cache/x": "", "cache2/x": ""}) == [
        "cache2:1: does not belong at the top level"
    ]


def test_program_counts_and_fails(tmp_path: Path) -> None:
    findings(tmp_path, {"Sources/AlidadeBase/Seed.swift": "let a = b!\n"})
    program = [sys.executable, forbidden.__file__, "--root", str(tmp_path)]
    result = subprocess.run(program, capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stdout.splitlines()[-1] == f"{len(forbidden.rules()) - 1} passed, 1 failed"


@pytest.mark.parametrize("name", ["Tests/abi/cases/test_other.c", "Tests/oracle/test_basement.py"])
def test_tests_are_named_after_headers(tmp_path: Path, name: str) -> None:
    assert len(findings(tmp_path, {name: ""})) == 1


@pytest.mark.parametrize("name", ["Tests/abi/cases/test_base.c", "Tests/oracle/test_base_topic.py", "Tests/oracle/test_example_buffers.py"])
def test_tests_named_after_headers_pass(tmp_path: Path, name: str) -> None:
    assert findings(tmp_path, {name: ""}) == []
