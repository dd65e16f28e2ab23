"""Runtimes: what all other objects hang on."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import Sequence

from . import _abi
from ._abi import PolicyFlags
from ._handle import Handle
from ._library import library
from ._numbers import uint32, uint64
from ._text import PathLike, decoded, encoded, encoded_path
from .errors import check


@dataclass(frozen=True)
class Policy:
    """What files may ask of the host. The default: local files only, safe drivers, limits of an interactive host."""

    # Names that lead to the network may be opened.
    allow_network: bool = False
    # Short names of the GDAL drivers that may open files; None: the library's own list.
    drivers: Sequence[str] | None = None
    # `drivers` adds to the library's own list instead of replacing it.
    add_drivers: bool = False
    # Virtual file systems that names may use, such as "/vsizip/".
    vsi_prefixes: Sequence[str] = ()
    # The most memory that one request may need; 0: 1 GiB.
    max_request_bytes: int = 0
    # The most points or pixels that one request may name; 0: 67,108,864.
    max_request_points: int = 0
    # Folders whose files may be named by other files, beside the folder of the file that is opened.
    data_directories: Sequence[PathLike] = ()


@dataclass(frozen=True)
class LibraryVersions:
    """The libraries underneath, as found at run time."""

    gdal: str
    proj: str
    geos: str


class Runtime(Handle):
    """A runtime. Make one per process. Releasing it makes everything stale that was made with it.

    Args:
        thread_count: threads that may work at once, the caller's counted in; 0: one per processor. At most 256.
        policy: what files may ask of the host; None: the default.
        proj_directory: the folder that holds proj.db; None: where PROJ looks by itself.
        gdal_directory: the folder that holds GDAL's support files; None: where GDAL looks by itself.

    Raises:
        LibraryNotFoundError: the shared library cannot be found or loaded.
        InvalidArgumentError: an option is out of its range.
        NotFoundError: proj.db is not where it should be.
        ForkedError: this process was forked off at a moment when GDAL or PROJ could not be left in a usable state.
    """

    _release_function = "ald_runtime_release"

    def __init__(
        self,
        *,
        thread_count: int = 0,
        policy: Policy | None = None,
        proj_directory: PathLike | None = None,
        gdal_directory: PathLike | None = None,
    ) -> None:
        options = _abi.ald_runtime_options()
        options.thread_count = uint32(thread_count, "thread_count")
        if policy is not None:
            options.policy = ctypes.pointer(_c_policy(policy))
        if proj_directory is not None:
            options.proj_directory = encoded_path(proj_directory)
        if gdal_directory is not None:
            options.gdal_directory = encoded_path(gdal_directory)
        handle = _abi.ald_runtime()
        check(library().ald_runtime_create, options, handle)
        super().__init__(handle, keeps=None)

    @property
    def handle_count(self) -> int:
        """How many objects of this runtime are alive, itself counted in."""
        count = ctypes.c_uint64()
        check(library().ald_runtime_handle_count, self._handle, ctypes.byref(count))
        return count.value

    @property
    def library_versions(self) -> LibraryVersions:
        """The versions of GDAL, PROJ and GEOS."""
        versions = _abi.ald_library_versions()
        check(library().ald_runtime_library_versions, self._handle, versions)
        return LibraryVersions(decoded(versions.gdal), decoded(versions.proj), decoded(versions.geos))

    def __repr__(self) -> str:
        return self._repr(f"{self._handle.id:#x}")


def version() -> str:
    """The version of the loaded library, such as "0.1.0"."""
    return decoded(library().ald_version_text())


def _c_policy(policy: Policy) -> _abi.ald_policy:
    """The C form; ctypes keeps what its pointers lead to."""
    if isinstance(policy.drivers, str) or isinstance(policy.vsi_prefixes, str):
        raise TypeError("drivers and vsi_prefixes are sequences of names, not one name")
    if isinstance(policy.data_directories, (str, bytes, os.PathLike)):
        raise TypeError("data_directories is a sequence of paths, not one path")
    result = _abi.ald_policy()
    result.flags = (PolicyFlags.ALLOW_NETWORK if policy.allow_network else 0) | (
        PolicyFlags.ADD_DRIVERS if policy.add_drivers else 0
    )
    if policy.drivers is not None:
        result.drivers = _c_names(policy.drivers)
        result.driver_count = len(policy.drivers)
    if policy.vsi_prefixes:
        result.vsi_prefixes = _c_names(policy.vsi_prefixes)
        result.vsi_prefix_count = len(policy.vsi_prefixes)
    if policy.data_directories:
        directories = [encoded_path(os.path.abspath(directory)) for directory in policy.data_directories]
        result.data_directories = (ctypes.c_char_p * len(directories))(*directories)
        result.data_directory_count = len(directories)
    result.max_request_bytes = uint64(policy.max_request_bytes, "max_request_bytes")
    result.max_request_points = uint64(policy.max_request_points, "max_request_points")
    return result


def _c_names(names: Sequence[str]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * len(names))(*(encoded(name) for name in names))
