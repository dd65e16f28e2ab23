"""Requests: work that goes on while the program does something else."""

from __future__ import annotations

import ctypes
import itertools
import math
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any, Callable, Generator, Generic, Optional, TypeVar

from .. import _abi
from .._abi import RequestFlags, RequestKind, RequestState
from .._library import library
from .errors import check
from .handle import Handle
from .numbers import uint64

if TYPE_CHECKING:
    from .runtime import Runtime

T = TypeVar("T")
OnDone = Callable[["Request[T]"], Any]

# A wait is split into slices of this length, so that Python can handle signals (Ctrl-C) between them.
_SLICE_MS = 50
_FOREVER = float("inf")

# Requests by the number that the library passes back as user_data. The number is never used as a pointer.
_requests: weakref.WeakValueDictionary[int, Request[Any]] = weakref.WeakValueDictionary()
_keys = itertools.count(1)


class Request(Handle, Generic[T]):
    """A request: work that is under way or has ended. `Raster.open_async` and `View.identify_async` create requests.

    A request ends exactly once: it succeeds, fails or is cancelled. A request with an `on_done` function lives until
    `Runtime.pump` has called the function. A request without one is cancelled when its last reference is gone, because
    no one could find out about its end.
    """

    _release_function = "ald_request_release"

    def __init__(self, runtime: Runtime, take: Callable[[Request[T]], T]) -> None:
        # `begin` fills the handle. The object exists before that, because the request may end before `begin` returns.
        super().__init__(_abi.ald_request(), keeps=runtime)
        self._runtime = runtime
        self._take = take
        self._lock = threading.Lock()
        self._result: tuple[T] | None = None

    @property
    def runtime(self) -> Runtime:
        """The runtime whose workers do the work."""
        return self._runtime

    @property
    def kind(self) -> RequestKind:
        """The kind of result that the request gives."""
        return RequestKind(self._info().kind)

    @property
    def state(self) -> RequestState:
        """The current state of the request."""
        return RequestState(self._info().state)

    def done(self) -> bool:
        """Whether the request has ended."""
        return self.state is not RequestState.PENDING

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until the request has ended, or until `timeout` seconds have passed. Returns whether it has ended.

        :raises InvalidHandleError: the request or its runtime has been released, before or during the wait.
        """
        state = ctypes.c_int32()

        def wait_a_little(milliseconds: int) -> bool:
            check(library().ald_request_wait, self._handle, milliseconds, ctypes.byref(state))
            return state.value != RequestState.PENDING

        return in_slices(wait_a_little, timeout)

    def result(self, timeout: float | None = None) -> T:
        """Waits for the request and returns its result. Each call returns the same object.

        Raises:
            TimeoutError: the request has not ended after `timeout` seconds.
            RequestCancelledError: the request was cancelled, or a newer request replaced it.
            AlidadeError: the error that the synchronous call would have raised.
        """
        with self._lock:
            if self._result is not None:
                return self._result[0]
        if not self.wait(timeout):
            raise TimeoutError(f"the request has not ended after {timeout} s")
        with self._lock:
            if self._result is None:
                self._result = (self._take(self),)
            return self._result[0]

    def __await__(self) -> Generator[Any, None, T]:
        """Waits for the request in asyncio: `await request` gives what `result` returns.

        Cancelling the task cancels the request.
        """
        return self._awaited().__await__()

    async def _awaited(self) -> T:
        import asyncio

        try:
            # A thread of the loop's executor waits. An event or a pump of the runtime is not needed.
            await asyncio.get_running_loop().run_in_executor(None, self.wait)
        except asyncio.CancelledError:
            self.cancel()
            raise
        return self.result()

    def cancel(self) -> None:
        """Cancels the request at once. A request that has already ended does not change."""
        check(library().ald_request_cancel, self._handle)

    def _info(self) -> _abi.ald_request_info:
        info = _abi.ald_request_info()
        check(library().ald_request_get_info, self._handle, info)
        return info

    def _facts(self) -> str:
        return f"{self.kind.name.lower()}, {self.state.name.lower()}"


def begin(
    runtime: Runtime,
    function: Any,
    arguments: tuple[Any, ...],
    take: Callable[[Request[T]], T],
    on_done: Optional[OnDone[T]],
    replace_key: int,
    keep_begun: bool,
) -> Request[T]:
    """Starts a request with a C function whose last arguments are the options and an out handle."""
    request = Request(runtime, take)
    key = next(_keys)
    options = _abi.ald_request_options(
        flags=RequestFlags.KEEP_BEGUN if keep_begun else 0,
        user_data=key,
        replace_key=uint64(replace_key, "replace_key"),
    )
    # Everything is registered before the library knows the request: another thread may pump before this call returns.
    _requests[key] = request
    if on_done is not None:
        options.completion = _trampoline
        runtime._on_done[key] = (request, on_done)
    try:
        check(function, *arguments, options, request._handle)
    except BaseException:
        runtime._on_done.pop(key, None)
        _requests.pop(key, None)
        raise
    return request


def find(key: int | None) -> Request[Any] | None:
    """The request with this user_data; None if the program no longer has it."""
    return None if key is None else _requests.get(key)


def in_slices(wait: Callable[[int], bool], timeout: float | None) -> bool:
    """Calls `wait` with milliseconds until it returns True, or until `timeout` seconds have passed.

    Returns whether `wait` returned True.
    """
    if timeout is not None and math.isnan(timeout):
        raise ValueError("timeout is not a number")
    end = _FOREVER if timeout is None else time.monotonic() + timeout
    while True:
        left = end - time.monotonic()
        if wait(max(0, min(_SLICE_MS, math.ceil(left * 1000))) if left < 1 else _SLICE_MS):
            return True
        if time.monotonic() >= end:
            return False


class CompletionError(Exception):
    """Several `on_done` functions raised exceptions during one pump.

    Attributes:
        exceptions: the exceptions, in the order in which the functions were called.
    """

    def __init__(self, exceptions: tuple[BaseException, ...]) -> None:
        super().__init__("; ".join(f"{type(exception).__name__}: {exception}" for exception in exceptions))
        self.exceptions = exceptions

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.exceptions,), vars(self)

    def __str__(self) -> str:
        return f"{len(self.exceptions)} on_done functions raised: {super().__str__()}"


class _Pumping(threading.local):
    """The exceptions of on_done functions in the current pump of this thread."""

    raised: list[BaseException] | None = None


_pumping = _Pumping()


def pump(function: Any, *arguments: Any) -> None:
    """Calls the C function that pumps, and then raises the exceptions of the on_done functions."""
    outer = _pumping.raised
    raised: list[BaseException] = []
    _pumping.raised = raised
    try:
        check(function, *arguments)
    except BaseException as failure:
        # A failure of the pump itself must not hide the exceptions of the on_done functions.
        raise_all([*raised, failure])
    finally:
        _pumping.raised = outer
    raise_all(raised)


def raise_all(raised: list[BaseException]) -> None:
    """Raises one exception unchanged, several as a CompletionError. Exceptions that end the program have precedence."""
    if not raised:
        return
    if len(raised) == 1:
        raise raised[0]
    error = CompletionError(tuple(raised))
    for exception in raised:
        if not isinstance(exception, Exception):
            raise exception from error
    raise error from raised[0]


def _complete(_: _abi.ald_request, key: int | None) -> None:
    """The completion function that the library calls. No exception may reach the library's frames."""
    try:
        request = find(key)
        if request is None or key is None:
            return
        entry = request._runtime._on_done.pop(key, None)
        if entry is not None:
            entry[1](request)
    except BaseException as exception:
        if _pumping.raised is not None:
            _pumping.raised.append(exception)


_trampoline = _abi.ald_completion(_complete)
