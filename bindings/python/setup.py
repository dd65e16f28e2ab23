"""Puts the shared library that this checkout has built into the package. Everything else is in pyproject.toml.

A wheel without the library would install and fail at its first call, so none is made. An editable install finds the
library in the build folder of the checkout, where it stays up to date.
"""

import shutil
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

FILE_NAME = "libalidade.so.0"
BUILT = Path(__file__).resolve().parents[2] / ".build" / "sdk" / "lib" / FILE_NAME
# A package that holds the library already: a source distribution, or what wheel/build-wheel lays out.
PACKED = [Path(__file__).resolve().parent / "alidade" / place / FILE_NAME for place in ("", "lib")]


class BuildWithLibrary(build_py):
    def run(self) -> None:
        super().run()
        if not self.editable_mode and BUILT.is_file():
            shutil.copyfile(BUILT, Path(self.build_lib) / "alidade" / FILE_NAME)


class LinuxWheel(bdist_wheel):
    """A wheel for every Python 3 on this platform: the package has a library, but no extension module."""

    def get_tag(self) -> "tuple[str, str, str]":
        return "py3", "none", super().get_tag()[2]

    def run(self) -> None:
        if not any(path.is_file() for path in (BUILT, *PACKED)):
            sys.exit(
                f"error: the library is not built, and a wheel without it would not work. Build it with "
                f"bindings/c/build-sdk, which writes {BUILT}, or use the package from this checkout with PYTHONPATH and "
                f"ALIDADE_LIBRARY."
            )
        super().run()


class PlatformDistribution(Distribution):
    """With a library inside, the package is for this platform only."""

    def has_ext_modules(self) -> bool:
        return True


setup(cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": LinuxWheel}, distclass=PlatformDistribution)
