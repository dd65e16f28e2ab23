"""Builds the bindings of Rust, Go, Java and C#, and programs in these languages, with Debian's tools and without a
network. What is built is kept in .build/languages, so that the next run is quick.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KEPT = ROOT / ".build" / "languages"
JNA = Path("/usr/share/java/jna.jar")
# In seconds: several times what a build takes on a machine with more to do.
TIME_LIMIT = 600


class BuildError(Exception):
    """What a compiler says."""


@dataclass(frozen=True)
class Language:
    name: str
    # Of files, and of fences in the pages.
    suffix: str
    # What must be there.
    tools: tuple[Path, ...]
    # Builds the binding against an SDK.
    prepare: Callable[[Path], None]
    # Builds a program from a source into an empty folder; gives the command that runs it.
    program: Callable[[Path, Path, Path], list[str]]

    def missing(self) -> list[str]:
        return [str(tool) for tool in self.tools if not tool.exists()]


def run(command: list[str | Path], folder: Path = ROOT, **environment: str) -> str:
    """The output of a program that must succeed."""
    result = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIME_LIMIT,
    )
    if result.returncode != 0:
        raise BuildError(f"{' '.join(str(part) for part in command)}\n{result.stdout}")
    return result.stdout


def pkg_config(sdk: Path) -> str:
    return str(sdk / "lib" / "pkgconfig")


# Rust


def prepare_rust(sdk: Path) -> None:
    cargo(sdk, "build", "--lib")


def cargo(sdk: Path, *arguments: str) -> str:
    """Debian's cargo on the binding; another toolchain may come first on PATH."""
    target = ["--target-dir", str(KEPT / "rust"), "--manifest-path", str(ROOT / "bindings" / "rust" / "Cargo.toml")]
    return run(
        ["/usr/bin/cargo", arguments[0], "--offline", "--locked", *target, *arguments[1:]],
        RUSTC="/usr/bin/rustc",
        BINDGEN="/usr/bin/bindgen",
        RUSTFLAGS=f"-D warnings -C link-arg=-Wl,-rpath,{sdk}/lib",
        PKG_CONFIG_PATH=pkg_config(sdk),
    )


def rust_program(source: Path, folder: Path, sdk: Path) -> list[str]:
    library = KEPT / "rust" / "debug"
    flags = ["-L", sdk / "lib", "-C", f"link-arg=-Wl,-rpath,{sdk}/lib", "-D", "warnings"]
    external = ["--extern", f"alidade={library}/libalidade.rlib", "-L", library]
    run(["/usr/bin/rustc", "--edition", "2021", *external, *flags, "-o", folder / "program", source])
    return [str(folder / "program")]


# Go


def go(sdk: Path, folder: Path, *arguments: str | Path) -> str:
    return run(
        ["/usr/bin/go", *arguments],
        folder,
        GOCACHE=str(KEPT / "go"),
        GOFLAGS="-mod=mod",
        GOPROXY="off",
        GOWORK="off",
        CGO_ENABLED="1",
        CGO_LDFLAGS=f"-Wl,-rpath,{sdk}/lib",
        PKG_CONFIG_PATH=pkg_config(sdk),
    )


def prepare_go(sdk: Path) -> None:
    go(sdk, ROOT / "bindings" / "go", "vet", ".")


def go_program(source: Path, folder: Path, sdk: Path) -> list[str]:
    module = f"module program\n\ngo 1.19\n\nrequire alidade v0.0.0\n\nreplace alidade => {ROOT}/bindings/go\n"
    (folder / "go.mod").write_text(module)
    shutil.copy(source, folder / "main.go")
    go(sdk, folder, "vet", ".")
    go(sdk, folder, "build", "-o", "program", ".")
    return [str(folder / "program")]


# Java


def jar(sdk: Path) -> Path:
    return KEPT / "java" / "alidade.jar"


def prepare_java(sdk: Path) -> None:
    run([ROOT / "bindings" / "java" / "build-jar", "--out", jar(sdk)])


def java_program(source: Path, folder: Path, sdk: Path) -> list[str]:
    classes = f"{JNA}:{jar(sdk)}"
    run(["javac", "-Xlint:all", "-Werror", "--release", "11", "-encoding", "UTF-8", "-cp", classes, "-d", folder, source])
    package = "alidade." if source.read_text().startswith("package alidade;") else ""
    return ["java", f"-Dalidade.library={sdk}/lib/libalidade.so.0", "-cp", f"{classes}:{folder}", package + source.stem]


# C#


def prepare_csharp(sdk: Path) -> None:
    (KEPT / "csharp").mkdir(parents=True, exist_ok=True)
    sources = sorted((ROOT / "bindings" / "csharp" / "Runtime").glob("*.cs"))
    run(["mcs", "-target:library", "-unsafe", f"-out:{KEPT}/csharp/Alidade.dll", *sources])


def csharp_program(source: Path, folder: Path, sdk: Path) -> list[str]:
    run(["mcs", "-warnaserror+", f"-r:{KEPT}/csharp/Alidade.dll", f"-out:{folder}/program.exe", source])
    shutil.copy(KEPT / "csharp" / "Alidade.dll", folder)
    return ["env", f"LD_LIBRARY_PATH={sdk}/lib", "mono", str(folder / "program.exe")]


def tools(*names: str) -> tuple[Path, ...]:
    return tuple(Path("/usr/bin", name) for name in names)


LANGUAGES = {
    language.name: language
    for language in (
        Language("rust", ".rs", tools("rustc", "cargo", "rustfmt", "bindgen"), prepare_rust, rust_program),
        Language("go", ".go", tools("go", "gofmt"), prepare_go, go_program),
        Language("java", ".java", (*tools("java", "javac"), JNA), prepare_java, java_program),
        Language("csharp", ".cs", tools("mcs", "mono"), prepare_csharp, csharp_program),
    )
}
