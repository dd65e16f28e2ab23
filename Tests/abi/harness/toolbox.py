"""What the checks of Tests/abi share: counting, running with a time limit, and compiling against the SDK."""

from __future__ import annotations

import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HARNESS = Path(__file__).resolve().parent
REPOSITORY = HARNESS.parents[2]
CASES = HARNESS.parent / "cases"
DUMP = HARNESS.parent / "dump"
HOSTILE = HARNESS.parent / "hostile"
PROCESS = HARNESS.parent / "process"
RASTERS = REPOSITORY / "Tests" / "data" / "rasters"
# Warnings under which hosts compile, and so must we.
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]

# The model of the header, which all of these checks start from.
sys.path.insert(0, str(REPOSITORY / "bindings" / "generator"))
import statuses  # noqa: E402


class Report:
    """Counts what passed and prints what failed; `finish` prints the line that Tests/run reads."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0

    def check(self, passed: bool, what: str, details: str = "") -> bool:
        """Counts a check, and returns whether it passed."""
        if passed:
            self.passed += 1
            return True
        self.failed += 1
        print(f"FAILED {what}")
        for line in details.rstrip().splitlines():
            print(f"    {line}")
        return False

    def add(self, passed: int, failed: int) -> None:
        self.passed += passed
        self.failed += failed

    def finish(self) -> int:
        """The exit status of the program."""
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        return 0 if self.failed == 0 else 1


@dataclass(frozen=True)
class Outcome:
    """How a program ended."""

    status: int
    output: str

    @property
    def succeeded(self) -> bool:
        return self.status == 0


def run(command: list[str], *, seconds: float, environment: dict[str, str] | None = None) -> Outcome:
    """Runs a program to its end, or for so many seconds; what it prints on both streams comes back as one text.

    At the time limit its children end with it.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **(environment or {})},
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
        note = f"\nended by signal {-process.returncode}" if process.returncode < 0 else ""
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        note = f"\nended after the time limit of {seconds:g} s"
    return Outcome(process.returncode, output.decode("utf-8", "replace") + note)


def counts(output: str) -> tuple[int, int] | None:
    """The numbers of the last line "N passed, N failed"; None if there is none."""
    lines = output.rstrip().splitlines()
    match = re.fullmatch(r"(\d+) passed, (\d+) failed", lines[-1]) if lines else None
    return (int(match[1]), int(match[2])) if match else None


# What a sanitizer finds ends a program with a status of its own.
SANITIZER_OPTIONS = {
    "": {},
    # Leaks are the business of the check that is called leaks. Of each allocation it would remember 30 callers; a profile
    # shows an eighth of the hostile host's time there.
    "address": {"ASAN_OPTIONS": "exitcode=99:detect_leaks=0:quarantine_size_mb=64:malloc_context_size=8"},
    "leak": {"LSAN_OPTIONS": "exitcode=99"},
    # It would wait a second at each exit for late reports; tests end hundreds of processes.
    "thread": {"TSAN_OPTIONS": f"exitcode=99:atexit_sleep_ms=50:suppressions={PROCESS / 'tsan.supp'}"},
}


@dataclass(frozen=True)
class Made:
    """An object file, if the compiler succeeded."""

    path: Path
    outcome: Outcome


@functools.cache
def _object_folder() -> tempfile.TemporaryDirectory:
    """Goes when this process ends."""
    return tempfile.TemporaryDirectory()


@functools.cache
def _compile_one(source: Path, compiler: str, options: tuple[str, ...]) -> Made:
    """Compiles a C file; later calls return the result of the first."""
    handle, path = tempfile.mkstemp(".o", source.stem, _object_folder().name)
    os.close(handle)
    command = [compiler, "-std=c11", "-g", "-D_GNU_SOURCE", *STRICT, *options, "-c", str(source), "-o", path]
    return Made(Path(path), run(command, seconds=300))


@dataclass(frozen=True)
class Sdk:
    """An installed SDK, and how programs are built against it."""

    directory: Path
    # "", "address", "thread", or "leak", which needs a library that was built without any.
    sanitizer: str

    @property
    def library(self) -> Path:
        return self.directory / "lib" / "libalidade.so.0"

    def compile(
        self,
        sources: list[Path],
        program: Path,
        *,
        include: tuple[Path, ...] = (),
        link: bool = True,
        definitions: dict[str, int] | None = None,
    ) -> Outcome:
        """Builds a C program. With a sanitizer, the compiler must be the one that brought the library's.

        A source that several programs share is compiled once, as long as this process runs.
        """
        folders = [f"-I{folder}" for folder in (self.directory / "include", HARNESS, *include)]
        options = (*folders, *(f"-D{name}={value}" for name, value in (definitions or {}).items()))
        objects = []
        for source in [*sources, *(statuses.sources() if link else [])]:
            made = _compile_one(source, self.compiler, (*self._sanitize_options(), *options))
            if not made.outcome.succeeded:
                return made.outcome
            objects.append(str(made.path))
        # The sanitizer wants the C++ library, which the shared library needs, from the beginning.
        first = [*self._sanitize_options(), "-Wl,--no-as-needed", "-lstdc++"] if self.sanitizer else []
        command = [self.compiler, *first, "-o", str(program), *objects, "-lpthread", "-ldl", "-lm"]
        if self.sanitizer == "thread":
            # Swift's ThreadSanitizer wraps libdispatch's functions, although nothing here calls them.
            folder = swift_libraries(self.compiler)
            command += [f"-L{folder}", f"-Wl,-rpath,{folder}", "-ldispatch", "-lBlocksRuntime"]
        if link:
            library_folder = self.directory / "lib"
            command += statuses.link_options()
            command += [f"-L{library_folder}", "-lalidade", f"-Wl,-rpath,{library_folder}"]
        return run(command, seconds=300)

    @property
    def compiler(self) -> str:
        return "clang" if self.sanitizer else "cc"

    def _sanitize_options(self) -> list[str]:
        return [f"-fsanitize={self.sanitizer}", "-fno-omit-frame-pointer"] if self.sanitizer else []

    def run(self, command: list[str], *, seconds: float, environment: dict[str, str] | None = None) -> Outcome:
        """Runs a program that was built against the SDK. What a sanitizer finds has an exit status of its own."""
        return run(command, seconds=seconds, environment={**SANITIZER_OPTIONS[self.sanitizer], **(environment or {})})


def swift_libraries(compiler: str) -> Path:
    """The folder of the shared libraries that belong to the Swift toolchain's own clang."""
    resources = subprocess.run([compiler, "-print-resource-dir"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return Path(resources.strip()).parents[1] / "swift" / "linux"


def compilers() -> list[str]:
    """The C compilers of this machine that headers are checked with."""
    return [name for name in ("gcc", "clang") if shutil.which(name)]
