"""Runtimes, which own all other objects."""

from __future__ import annotations

import ctypes
import json
import os
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, AsyncIterator, Sequence

from .. import _abi
from .._abi import LogLevel, PolicyFlags, ReportFormat
from .._library import gdal_directory as own_gdal_directory
from .._library import library
from . import request
from .errors import check
from .events import Event, LogLine, PumpReport, read_log, take_events
from .handle import Handle
from .numbers import int32, uint32, uint64
from .text import PathLike, copied, decoded, encoded, encoded_path

if TYPE_CHECKING:
    import asyncio


@dataclass(frozen=True)
class Policy:
    """What opened files may do. The default: local files only, safe drivers, limits that suit an interactive host."""

    # The hosts whose services may be used: "example.com", "*.example.com", "localhost:8080", or "*" for all.
    hosts: Sequence[str] = ()
    # Allows names that lead to the network by GDAL's own functions, and all hosts.
    allow_network: bool = False
    # The short names of the GDAL drivers that may open files; None: the default list.
    drivers: Sequence[str] | None = None
    # Adds `drivers` to the default list instead of replacing the list.
    add_drivers: bool = False
    # Makes the default list of drivers a short one: the formats in which files are commonly exchanged.
    common_formats_only: bool = False
    # Runs conditions and statements unchanged, in the SQL dialect of the file.
    allow_sql: bool = False
    # Allows databases that contain SQL of their own, which runs when they are opened: trust them like programs.
    allow_sql_in_files: bool = False
    # The virtual file systems that names may use, such as "/vsizip/".
    vsi_prefixes: Sequence[str] = ()
    # The most memory that one request may need; 0: 1 GiB.
    max_request_bytes: int = 0
    # The largest number of points or pixels in one request; 0: 67,108,864.
    max_request_points: int = 0
    # The longest time that a call may take, in milliseconds; 0: no limit. It applies to calls that open or read files,
    # or compute with geometries.
    max_request_ms: int = 0
    # Folders whose files may be named by other files, in addition to the folder of the file that is opened.
    data_directories: Sequence[PathLike] = ()

    @classmethod
    def untrusted(cls, **changes: Any) -> Policy:
        """A policy for a process that opens files of strangers, such as a server: common formats only, lower limits.

        A decoder may still have a fault: run such a server in a process that may crash without harm, under
        limits of the operating system.

        Args:
            changes: fields of the policy with other values.
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
    """The versions of the loaded libraries that Alidade uses."""

    gdal: str
    proj: str
    geos: str


class Runtime(Handle):
    """A runtime, which owns all other objects. Create one per process. Releasing it makes all of its objects stale.

    Args:
        thread_count: the number of threads that may work at once, including the caller's; 0: one per processor. At
            most 256.
        policy: what opened files may do; None: the default.
        proj_directory: the folder that holds proj.db; None: the folders that PROJ searches by itself.
        gdal_directory: the folder that holds GDAL's support files; None: the folders that GDAL searches by itself.
        log_level: the lowest severity that the log keeps. DEFAULT: WARNING.

    Raises:
        LibraryNotFoundError: the shared library cannot be found or loaded.
        InvalidArgumentError: an option is out of its range.
        NotFoundError: proj.db is not in the folder where it should be.
        ForkedError: this process was forked at a moment when GDAL or PROJ could not be left in a usable state.
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
        if gdal_directory is None:
            gdal_directory = own_gdal_directory()
        if gdal_directory is not None:
            options.gdal_directory = encoded_path(gdal_directory)
        options.log_level = int32(log_level, "log_level")
        # The requests whose on_done function has not been called yet, and the function.
        self._on_done: dict[int, tuple[request.Request[Any], request.OnDone[Any]]] = {}
        handle = _abi.ald_runtime()
        check(library().ald_runtime_create, options, handle)
        super().__init__(handle, keeps=None)

    def set_grid_directories(self, directories: Sequence[PathLike]) -> None:
        """Sets the folders that are searched for grid files first. An empty sequence clears them.

        The library checks all transformations of the runtime again, even if the folders are the same as before.
        """
        if isinstance(directories, (str, bytes)):
            raise TypeError("directories is a sequence of paths, not one path")
        given = _abi.ald_grid_directories()
        given.directories = (ctypes.c_char_p * len(directories))(*(encoded_path(path) for path in directories))
        given.directory_count = len(directories)
        check(library().ald_runtime_set_grid_directories, self._handle, given)

    def add_grid_directory(self, directory: PathLike) -> None:
        """Adds a folder after the folders that are set."""
        check(library().ald_runtime_add_grid_directory, self._handle, encoded_path(directory))

    @property
    def handle_count(self) -> int:
        """The number of live objects of this runtime, including the runtime itself."""
        count = ctypes.c_uint64()
        check(library().ald_runtime_get_handle_count, self._handle, ctypes.byref(count))
        return count.value

    @property
    def library_versions(self) -> LibraryVersions:
        """The versions of GDAL, PROJ and GEOS."""
        versions = _abi.ald_library_versions()
        check(library().ald_runtime_get_library_versions, self._handle, versions)
        return LibraryVersions(decoded(versions.gdal), decoded(versions.proj), decoded(versions.geos))

    def release(self) -> None:
        """Releases the runtime and all of its objects. `on_done` functions that still wait are never called."""
        super().release()
        self._on_done.clear()

    def pump(self, budget_ms: int = 0) -> PumpReport:
        """Calls the `on_done` functions of requests that have ended, oldest first, on this thread.

        If a function raises an exception, the others are still called. Then `pump` raises the exception, or a
        CompletionError if there are several.

        Args:
            budget_ms: the time after which no further function is called, in milliseconds. At least one is called. 0:
                no limit.

        Raises:
            InvalidStateError: `pump` is called from inside an `on_done` function.
        """
        report = _abi.ald_pump_report()
        request.pump(library().ald_runtime_pump, self._handle, uint32(budget_ms, "budget_ms"), report)
        return PumpReport(report.completion_count, report.waiting_completion_count, report.waiting_event_count)

    def events(self) -> list[Event]:
        """Takes the events that wait, oldest first."""
        return take_events(self._handle)

    async def events_async(self) -> AsyncIterator[Event]:
        """Gives the events in asyncio, as they happen: `async for event in runtime.events_async()`.

        It takes the events as `events` does, and calls the `on_done` functions of requests as `pump` does. It never
        ends by itself: leave the loop before you release the runtime.
        """
        import asyncio

        loop = asyncio.get_running_loop()
        # A descriptor of its own, so that several loops can watch the same runtime.
        descriptor = os.dup(self.wake_fd)
        try:
            while True:
                woken: asyncio.Future[None] = loop.create_future()
                loop.add_reader(descriptor, _wake, woken)
                try:
                    await woken
                finally:
                    loop.remove_reader(descriptor)
                self.pump()
                for event in self.events():
                    yield event
        finally:
            os.close(descriptor)

    def wait(self, timeout: float | None = None) -> bool:
        """Sleeps until an event or an `on_done` function waits, or until `timeout` seconds have passed.

        Returns whether something waits.

        :raises InvalidHandleError: the runtime has been released, before or during the wait.
        """
        is_waiting = ctypes.c_uint32()

        def wait_a_little(milliseconds: int) -> bool:
            check(library().ald_runtime_wait, self._handle, milliseconds, ctypes.byref(is_waiting))
            return is_waiting.value != 0

        return request.in_slices(wait_a_little, timeout)

    @property
    def wake_fd(self) -> int:
        """A file descriptor that is readable while an event or an `on_done` function waits, for select and asyncio.

        It belongs to the library: do not read, write or close it. Take it out of the loop before you release the
        runtime.
        """
        descriptor = ctypes.c_int32()
        check(library().ald_runtime_get_wake_fd, self._handle, ctypes.byref(descriptor))
        return descriptor.value

    def log(self, number: int = 0) -> list[LogLine]:
        """The lines of the log whose number is `number` or higher. The log keeps the last 1024 lines."""
        return read_log(self._handle, uint64(number, "number"))

    def set_label(self, object: Handle, label: str | None) -> None:
        """Gives an object a label for `report`. A label is cut at 255 bytes. None or "" removes it.

        :raises InvalidArgumentError: the object is of another runtime.
        """
        text = None if label is None else encoded(label)
        check(library().ald_runtime_set_label, self._handle, object._handle.id, text)

    def report(self) -> dict[str, Any]:
        """A report for a person who looks for a problem: versions, folders, drivers, grids, handles, memory."""
        report: dict[str, Any] = json.loads(copied(library().ald_runtime_get_report, self._handle, ReportFormat.JSON))
        return report

    def report_text(self) -> str:
        """The report of `report` as text."""
        return copied(library().ald_runtime_get_report, self._handle, ReportFormat.TEXT)

    def _facts(self) -> str:
        versions = self.library_versions
        libraries = f"GDAL {versions.gdal}, PROJ {versions.proj}, GEOS {versions.geos}"
        return f"{version()} with {self.handle_count - 1} objects, {libraries}"


def _wake(woken: asyncio.Future[None]) -> None:
    if not woken.done():
        woken.set_result(None)


_default_lock = threading.Lock()
_default: list[Runtime] = []


def default_runtime() -> Runtime:
    """The runtime of objects that are created without one: created at first use, and again after a fork.

    Functions that take a runtime first can be called without it. They use the runtime of the first object among their
    arguments, and otherwise this one.

    >>> alidade.default_runtime() is alidade.default_runtime()
    True
    """
    with _default_lock:
        if not _default or _default[0]._is_released():
            _default[:] = [Runtime()]
        return _default[0]


def set_default_runtime(runtime: Runtime | None) -> None:
    """Sets the default runtime, for a program that needs one with other options. None: a new one at the next use."""
    with _default_lock:
        _default[:] = [] if runtime is None else [runtime]


def _forget_default() -> None:
    """In a forked child: the parent's runtime cannot be used there."""
    _default.clear()
    _default_lock.release()


# A fork waits for the lock, so that a child finds it free.
os.register_at_fork(before=_default_lock.acquire, after_in_parent=_default_lock.release, after_in_child=_forget_default)


def version() -> str:
    """The version of the loaded library, such as "0.1.0"."""
    return decoded(library().ald_get_version_text())


def _c_policy(policy: Policy) -> _abi.ald_policy:
    """The policy as a C struct. ctypes keeps the objects that its pointers refer to."""
    if any(isinstance(names, str) for names in (policy.drivers, policy.vsi_prefixes, policy.hosts)):
        raise TypeError("drivers, vsi_prefixes and hosts are sequences of names, not one name")
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
    if policy.hosts:
        result.hosts = _c_names(policy.hosts)
        result.host_count = len(policy.hosts)
    result.max_request_bytes = uint64(policy.max_request_bytes, "max_request_bytes")
    result.max_request_points = uint64(policy.max_request_points, "max_request_points")
    result.max_request_ms = uint32(policy.max_request_ms, "max_request_ms")
    return result


def _c_names(names: Sequence[str]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * len(names))(*(encoded(name) for name in names))
