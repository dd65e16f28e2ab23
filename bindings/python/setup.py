"""Copies the shared library that this checkout has built into the package, if it exists.

Everything else is in pyproject.toml. Without the library the package installs as well, and finds one at run time by
the environment variable ALIDADE_LIBRARY.
"""

import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

FILE_NAME = "libalidade.so.0"
BUILT = Path(__file__).resolve().parents[2] / ".build" / "sdk" / "lib" / FILE_NAME


class BuildWithLibrary(build_py):
    def run(self) -> None:
        super().run()
        # An editable install finds the library in the build folder, where it stays up to date.
        if BUILT.is_file() and not self.editable_mode:
            shutil.copyfile(BUILT, Path(self.build_lib) / "alidade" / FILE_NAME)


class PlatformDistribution(Distribution):
    """With a library inside, a wheel is for this platform only."""

    def has_ext_modules(self) -> bool:
        return BUILT.is_file()


setup(cmdclass={"build_py": BuildWithLibrary}, distclass=PlatformDistribution)
