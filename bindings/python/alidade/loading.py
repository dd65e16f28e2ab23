"""Loading: what layers, maps and rasters have in common that are not there at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, ClassVar, Optional, TypeVar

from . import _abi
from ._abi import LoadStatus, Status
from ._handle import Handle
from ._library import library
from .errors import AlidadeError, check, error_of, exception_of, raster_error
from .request import Request, begin
from .runtime import Runtime

Self = TypeVar("Self", bound="Loadable")


@dataclass(frozen=True)
class LoadInfo:
    """How something that loads stands."""

    status: LoadStatus
    # How often loading was begun; 0 for what was made loaded.
    attempt_count: int
    # When the status became what it is: as time.monotonic_ns().
    since_ns: int
    # Why it failed; of a layer that is loaded: its trouble. Else None.
    error: AlidadeError | None


class Loadable(Handle):
    """Something that loads: a layer, a map or a raster.

    Loading is begun once, whoever asks, and everyone who waits is told once. What has failed is not tried again by
    itself nor by `load`, which raises the same error; `retry_load` tries again.
    """

    # The C functions are this with "_load", "_get_load_info" and so on.
    _loads_as: ClassVar[str]

    def load(self, timeout: float | None = None) -> None:
        """Loads, if that has not been done, and waits for the end.

        Raises:
            TimeoutError: it has not ended after `timeout` seconds. Loading goes on.
            RequestCancelledError: loading was cancelled.
            AlidadeError: it failed to load, now or earlier.
        """
        self.load_async().result(timeout)

    def retry_load(self, timeout: float | None = None) -> None:
        """Loads, and tries again if it has failed before; a layer also if it has trouble. Raises what `load` does."""
        self.retry_load_async().result(timeout)

    def load_async(self: Self, *, on_done: Optional[Callable[[Request[Self]], Any]] = None) -> Request[Self]:
        """Begins to load, if that has not been done. The request ends when loading does; its `result` is this object,
        or raises what `load` raises. Cancelling it ends this wait alone.

        Args:
            on_done: called with the request once it has ended, inside `Runtime.pump`; None: an event tells.
        """
        return self._begin("load_async", on_done)

    def retry_load_async(self: Self, *, on_done: Optional[Callable[[Request[Self]], Any]] = None) -> Request[Self]:
        """The same as `load_async`, but what has failed is tried again."""
        return self._begin("retry_load_async", on_done)

    def _begin(self: Self, verb: str, on_done: Optional[Callable[[Request[Self]], Any]]) -> Request[Self]:
        runtime: Handle = self
        while runtime._keeps is not None:
            runtime = runtime._keeps
        assert isinstance(runtime, Runtime)
        function = getattr(library(), f"{self._loads_as}_{verb}")
        return begin(runtime, function, (self._handle,), self._loaded, on_done, 0, False)

    def _loaded(self: Self, request: Request[Self]) -> Self:
        """What a request that has ended gives: this object, or the reason why it did not load."""
        info = request._info()
        if info.status == Status.OK:
            return self
        known = self.load_info.error
        if known is not None and known.status == info.status:
            raise known
        # This wait was cancelled, or loading was begun again since.
        raise error_of(Status(info.status), "The load, or this wait for it, has ended with this status.")

    def _failure(self, error: AlidadeError) -> AlidadeError:
        """Why it did not load, in Python's form: what is loaded from a path says which file is not there."""
        return error if self._path is None else self._file_error(error, self._path)

    # The path that it is loaded from, if it has one; and how a failure to open that is reported.
    _path: Optional[bytes] = None
    _file_error: ClassVar[Callable[[AlidadeError, bytes], AlidadeError]] = staticmethod(raster_error)

    def cancel_load(self) -> None:
        """Ends a load that is under way: it has failed, with Status.CANCELLED. Else does nothing."""
        check(getattr(library(), f"{self._loads_as}_cancel_load"), self._handle)

    @property
    def load_status(self) -> LoadStatus:
        """How far it is, as of now."""
        return self.load_info.status

    @property
    def load_info(self) -> LoadInfo:
        """How loading stands, as of now."""
        info = _abi.ald_load_info()
        check(getattr(library(), f"{self._loads_as}_get_load_info"), self._handle, info)
        status = LoadStatus(info.status)
        error = self._failure(exception_of(info.error)) if info.error.status else None
        return LoadInfo(status, info.attempt_count, info.since_ns, error)
