"""Finds and loads the shared library, once per process."""

from __future__ import annotations

import ctypes
import functools
import os
from pathlib import Path

from . import _abi

FILE_NAME = "libalidade.so.0"
ENVIRONMENT_VARIABLE = "ALIDADE_LIBRARY"


class LibraryNotFoundError(ImportError):
    """The shared library is not where it is looked for, or cannot be loaded."""


@functools.cache
def library() -> ctypes.CDLL:
    """The loaded library with all functions declared. Loaded at first use.

    :raises LibraryNotFoundError: if it cannot be found or loaded, or is of another major version than this package.
    """
    path = find()
    try:
        # RTLD_LOCAL: GDAL and PROJ of this library must not be mixed with copies of other packages (rasterio, pyogrio).
        loaded = ctypes.CDLL(str(path), mode=os.RTLD_NOW | os.RTLD_LOCAL)
    except OSError as error:
        raise LibraryNotFoundError(f"{path} cannot be loaded: {error}") from error
    try:
        _abi.declare(loaded)
    except AttributeError as error:
        raise LibraryNotFoundError(
            f"{path} is older than this package: it lacks functions of version {_abi.ALD_VERSION_MAJOR}."
            f"{_abi.ALD_VERSION_MINOR}.{_abi.ALD_VERSION_PATCH}. Build the library and the package from the same checkout"
        ) from error
    if loaded.ald_get_version() >> 16 != _abi.ALD_VERSION_MAJOR:
        text = loaded.ald_get_version_text().decode()
        raise LibraryNotFoundError(f"{path} is version {text}, this package needs {_abi.ALD_VERSION_MAJOR}.x")
    return loaded


def find() -> Path:
    """The path of the library: from the environment, in this package, or built in a checkout."""
    given = os.environ.get(ENVIRONMENT_VARIABLE)
    if given:
        if Path(given).is_file():
            return Path(given).resolve()
        raise LibraryNotFoundError(f"{ENVIRONMENT_VARIABLE} names {given!r}, which is not a file")
    for candidate in _default_places():
        if candidate.is_file():
            return candidate
    whole, beside, built = _default_places()
    raise LibraryNotFoundError(
        f"the Alidade library was not found. It is looked for in the file that the environment variable "
        f"{ENVIRONMENT_VARIABLE} names (not set), in this package ({whole} and {beside}), and in the build folder of a "
        f"checkout ({built})"
    )


@functools.cache
def gdal_directory() -> Path | None:
    """The folder with the support files of the GDAL inside the library; None: GDAL finds its files by itself.

    The wheel has a GDAL and a PROJ of its own inside the library, which know no folder of the system. This PROJ finds
    `share/proj` from the folder of the library. GDAL is given its folder with each runtime.
    """
    library_path = find()
    if library_path != _default_places()[0]:
        return None
    return library_path.parents[1] / "share" / "gdal"


def _default_places() -> tuple[Path, Path, Path]:
    package = Path(__file__).resolve().parent
    # bindings/python/alidade lies three folders below the top of a checkout.
    checkout = package.parents[2] if len(package.parents) > 2 else package
    return package / "lib" / FILE_NAME, package / FILE_NAME, checkout / ".build" / "sdk" / "lib" / FILE_NAME
