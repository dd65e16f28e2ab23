"""Runtimes: what all other objects hang on."""

from __future__ import annotations

import ctypes
import json
import os
from dataclasses import dataclass
from typing import Any, Sequence

from . import _abi, request
from ._abi import LogLevel, PolicyFlags, ReportFormat
from ._handle import Handle
from ._library import library
from ._numbers import int32, uint32, uint64
from ._text import PathLike, copied, decoded, encoded, encoded_path
from .errors import check
from .events import Event, LogLine, PumpReport, read_log, take_events


@dataclass(frozen=True)
class Policy:
    """What files may ask of the host. The default: local files only, safe drivers, limits of an interactive host."""

    # Names that lead to the network may be opened.
    allow_network: bool = False
    # Short names of the GDAL drivers that may open files; None: the library's own list.
    drivers: Sequence[str] | None = None
    # `drivers` adds to the library's own list instead of replacing it.
    add_drivers: bool = False
    # The library's own list of drivers is the short one: formats that files are commonly exchanged in.
    common_formats_only: bool = False
    # Conditions and statements run as they are written, in the dialect of SQL that their file has.
    allow_sql: bool = False
    # Databases may bring SQL of their own along, which runs when they are opened: trust them like programs.
    allow_sql_in_files: bool = False
    # Virtual file systems that names may use, such as "/vsizip/".
    vsi_prefixes: Sequence[str] = ()
    # The most memory that one request may need; 0: 1 GiB.
    max_request_bytes: int = 0
    # The most points or pixels that one request may name; 0: 67,108,864.
    max_request_points: int = 0
    # How long a call that computes with geometries may take, in milliseconds; 0: as long as it takes.
    max_request_ms: int = 0
    # Folders whose files may be named by other files, beside the folder of the file that is opened.
    data_directories: Sequence[PathLike] = ()

    @classmethod
    def untrusted(cls, **changes: Any) -> Policy:
        """For a process that opens files of strangers, such as a server: common formats only, and lower limits.

        A decoder may still have a fault: run such a server in a process that may end, under limits of the operating
        system.

        Args:
            changes: fields of the policy that have other values.
        """
        fields: dict[str, Any] = {
            "common_formats_only": True,
            "max_request_bytes": _abi.ALD_POLICY_UNTRUSTED_BYTES,
            "max_request_points": _abi.ALD_POLICY_UNTRUSTED_POINTS,
            "max_request_ms": _abi.ALD_POLICY_UNTRUSTED_MS,
        }
        return cls(**{**fields, **changes})


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
        log_level: what the log keeps: lines of this level and of those that matter more. DEFAULT: WARNING.

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
        log_level: LogLevel = LogLevel.DEFAULT,
    ) -> None:
        options = _abi.ald_runtime_options()
        options.thread_count = uint32(thread_count, "thread_count")
        if policy is not None:
            options.policy = ctypes.pointer(_c_policy(policy))
        if proj_directory is not None:
            options.proj_directory = encoded_path(proj_directory)
        if gdal_directory is not None:
            options.gdal_directory = encoded_path(gdal_directory)
        options.log_level = int32(log_level, "log_level")
        # Requests with an on_done function that has not been called yet, and the function.
        self._on_done: dict[int, tuple[request.Request[Any], request.OnDone[Any]]] = {}
        handle = _abi.ald_runtime()
        check(library().ald_runtime_create, options, handle)
        super().__init__(handle, keeps=None)

    def set_grid_directories(self, directories: Sequence[PathLike]) -> None:
        """Sets the folders in which grid files are looked for first; an empty sequence clears them.

        What was listed or chosen before is looked at anew; the same folders set again as well.
        """
        if isinstance(directories, (str, bytes)):
            raise TypeError("directories is a sequence of paths, not one path")
        given = _abi.ald_grid_directories()
        given.directories = (ctypes.c_char_p * len(directories))(*(encoded_path(path) for path in directories))
        given.directory_count = len(directories)
        check(library().ald_runtime_set_grid_directories, self._handle, given)

    def add_grid_directory(self, directory: PathLike) -> None:
        """Adds a folder after those that are set."""
        check(library().ald_runtime_add_grid_directory, self._handle, encoded_path(directory))

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

    def release(self) -> None:
        """Releases the runtime and all that hangs on it; `on_done` functions that have not been called never are."""
        super().release()
        self._on_done.clear()

    def pump(self, budget_ms: int = 0) -> PumpReport:
        """Calls the `on_done` functions of requests that have ended, oldest first, on this thread.

        If one of them raises, the others are called all the same; then this raises it, or a CompletionError if there
        are several.

        Args:
            budget_ms: no further function is called once this many milliseconds have passed; at least one is. 0: no
                limit.

        Raises:
            InvalidStateError: called from inside an `on_done` function.
        """
        report = _abi.ald_pump_report()
        request.pump(library().ald_runtime_pump, self._handle, uint32(budget_ms, "budget_ms"), report)
        return PumpReport(report.completion_count, report.waiting_completion_count, report.waiting_event_count)

    def events(self) -> list[Event]:
        """Takes the events that wait, oldest first."""
        return take_events(self._handle)

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until an event or an `on_done` function waits, or for `timeout` seconds; answers whether one does.

        :raises InvalidHandleError: the runtime has been released, also while waiting.
        """
        is_waiting = ctypes.c_uint32()

        def wait_a_little(milliseconds: int) -> bool:
            check(library().ald_runtime_wait, self._handle, milliseconds, ctypes.byref(is_waiting))
            return is_waiting.value != 0

        return request.in_slices(wait_a_little, timeout)

    @property
    def wake_fd(self) -> int:
        """A file descriptor that is readable while an event or an `on_done` function waits: for select and asyncio.

        It belongs to the library: do not read, write or close it, and take it out of the loop before the runtime is
        released.
        """
        descriptor = ctypes.c_int32()
        check(library().ald_runtime_wake_fd, self._handle, ctypes.byref(descriptor))
        return descriptor.value

    def log(self, number: int = 0) -> list[LogLine]:
        """The lines of the log from a number on; it keeps the last 1024."""
        return read_log(self._handle, uint64(number, "number"))

    def set_label(self, object: Handle, label: str | None) -> None:
        """Names an object for `doctor`; what is beyond 255 bytes is cut off. None or "": no name.

        :raises InvalidArgumentError: the object is of another runtime.
        """
        text = None if label is None else encoded(label)
        check(library().ald_runtime_set_label, self._handle, object._handle.id, text)

    def doctor(self) -> dict[str, Any]:
        """What a person needs to know when something is wrong: versions, folders, drivers, grids, handles, memory."""
        return json.loads(copied(library().ald_runtime_doctor, self._handle, ReportFormat.JSON))

    def doctor_text(self) -> str:
        """The same as lines to read."""
        return copied(library().ald_runtime_doctor, self._handle, ReportFormat.TEXT)

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
    flags = {
        PolicyFlags.ALLOW_NETWORK: policy.allow_network,
        PolicyFlags.ADD_DRIVERS: policy.add_drivers,
        PolicyFlags.ALLOW_SQL: policy.allow_sql,
        PolicyFlags.ALLOW_SQL_IN_FILES: policy.allow_sql_in_files,
        PolicyFlags.COMMON_FORMATS_ONLY: policy.common_formats_only,
    }
    result.flags = sum(flag for flag, is_set in flags.items() if is_set)
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
    result.max_request_ms = uint32(policy.max_request_ms, "max_request_ms")
    return result


def _c_names(names: Sequence[str]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * len(names))(*(encoded(name) for name in names))
