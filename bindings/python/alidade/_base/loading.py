"""Loading: the common part of layers, maps and rasters, which can load in the background."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, ClassVar, Optional, TypeVar

from .. import _abi
from .._abi import LoadStatus, Status
from .._library import library
from .errors import AlidadeError, check, error_of, exception_of, raster_error
from .handle import Handle
from .request import Request, begin

Self = TypeVar("Self", bound="Loadable")


@dataclass(frozen=True)
class LoadInfo:
    """The facts about loading an object."""

    status: LoadStatus
    # How many times loading has started; 0 for an object that was loaded from the beginning.
    attempt_count: int
    # When the status last changed, on the clock of time.monotonic_ns().
    since_ns: int
    # Why loading failed. For a loaded layer: its trouble, which is why it could not be read. Otherwise None.
    error: AlidadeError | None


class Loadable(Handle):
    """An object that loads: a layer, a map or a raster.

    Each object loads once, even if several callers ask for it, and all callers that wait are notified once. An object
    that failed to load is not loaded again automatically. `load` then raises the same error; `retry_load` tries again.
    """

    # The beginning of the names of the C functions, to which "_load", "_get_load_info" and so on are added.
    _loads_as: ClassVar[str]

    def load(self, timeout: float | None = None) -> None:
        """Loads the object if it is not loaded yet, and waits for the end.

        Raises:
            TimeoutError: the load has not ended after `timeout` seconds. It goes on.
            RequestCancelledError: loading was cancelled.
            AlidadeError: the object failed to load, now or earlier.
        """
        self.load_async().result(timeout)

    def retry_load(self, timeout: float | None = None) -> None:
        """Loads the object, even if it failed to load before, or if it is a layer with trouble.

        Raises the same exceptions as `load`.
        """
        self.retry_load_async().result(timeout)

    def load_async(self: Self, *, on_done: Optional[Callable[[Request[Self]], Any]] = None) -> Request[Self]:
        """Starts to load the object if it is not loaded yet. Does not wait.

        The request ends when the load ends. Its `result` method returns this object, or raises the same exceptions as
        `load`. Cancelling the request ends only this wait, and not the load.

        Args:
            on_done: called with the request when it has ended, inside `Runtime.pump`; None: the runtime sends an event.
        """
        return self._begin("load_async", on_done)

    def retry_load_async(self: Self, *, on_done: Optional[Callable[[Request[Self]], Any]] = None) -> Request[Self]:
        """The same as `load_async`, but loads the object again if it has failed."""
        return self._begin("retry_load_async", on_done)

    def _begin(self: Self, verb: str, on_done: Optional[Callable[[Request[Self]], Any]]) -> Request[Self]:
        function = getattr(library(), f"{self._loads_as}_{verb}")
        return begin(self._root(), function, (self._handle,), self._loaded, on_done, 0, False)

    def _loaded(self: Self, request: Request[Self]) -> Self:
        """The result of a request that has ended: this object, or an exception with the reason why it did not load."""
        info = request._info()
        if info.status == Status.OK:
            return self
        known = self.load_info.error
        if known is not None and known.status == info.status:
            raise known
        # This wait was cancelled, or loading has started again since.
        raise error_of(Status(info.status), "Loading the object, or this wait for it, ended with this status.")

    def _failure(self, error: AlidadeError) -> AlidadeError:
        """Why the object did not load, in Python's form. For an object with a path, the error names a missing file."""
        return error if self._path is None else type(self)._file_error(error, self._path)

    # The path from which the object is loaded, if it has one, and the function that reports a failure to open it.
    _path: Optional[bytes] = None
    _file_error: ClassVar[Callable[[AlidadeError, bytes], AlidadeError]] = staticmethod(raster_error)

    def cancel_load(self) -> None:
        """Cancels a load that is under way: it has then failed with Status.CANCELLED. Otherwise does nothing."""
        check(getattr(library(), f"{self._loads_as}_cancel_load"), self._handle)

    @property
    def load_status(self) -> LoadStatus:
        """The current load status."""
        return self.load_info.status

    @property
    def load_info(self) -> LoadInfo:
        """The current facts about loading the object."""
        info = _abi.ald_load_info()
        check(getattr(library(), f"{self._loads_as}_get_load_info"), self._handle, info)
        status = LoadStatus(info.status)
        error = self._failure(exception_of(info.error)) if info.error.status else None
        return LoadInfo(status, info.attempt_count, info.since_ns, error)
