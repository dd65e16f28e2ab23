"""Exceptions. Each carries what the C interface says about a failure."""

from __future__ import annotations

import ctypes
import errno
from typing import Any

from . import _abi
from ._abi import ErrorDomain, Status


class AlidadeError(Exception):
    """A call failed.

    Attributes:
        status: what became of the call.
        argument: the argument of the C function at fault, from 1; 0 if it is none of them.
        domain: whose code `domain_code` is.
        domain_code: the code of GDAL, PROJ or the operating system; 0 if there is none.
        message: what is wrong, with which value, and what helps.
    """

    def __init__(
        self,
        status: Status,
        message: str,
        *,
        argument: int = 0,
        domain: ErrorDomain = ErrorDomain.ALIDADE,
        domain_code: int = 0,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.argument = argument
        self.domain = domain
        self.domain_code = domain_code
        self.message = message

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.status.name}: {self.message!r})"


class InvalidArgumentError(AlidadeError, ValueError):
    """An argument is missing, not finite, out of its range, of another runtime, or does not fit the others."""


class InvalidHandleError(AlidadeError, ValueError):
    """An object has been released, or its runtime has."""


class NotReadyError(AlidadeError):
    """Something that the call needs has not been given yet; the message names it."""


class NotFoundError(AlidadeError, LookupError):
    """A code, band, attribute or table does not exist."""


class RasterNotFoundError(NotFoundError, FileNotFoundError):
    """There is no such file."""


class FeatureSourceNotFoundError(NotFoundError, FileNotFoundError):
    """There is no such file, or no such layer in it."""


class UnsupportedError(AlidadeError):
    """The data or the combination is understood and cannot be served."""


class ReadFailedError(AlidadeError, OSError):
    """A file could not be opened or read, or its content is damaged."""


class ProjectionFailedError(AlidadeError):
    """A coordinate or an operation could not be projected."""


class PolicyRefusedError(AlidadeError, PermissionError):
    """The runtime's policy does not allow this."""


class LimitExceededError(AlidadeError):
    """The request is larger than a limit of the runtime's policy."""


class MissingGridError(AlidadeError):
    """A transformation needs a grid file that is not there or cannot be read; the message names every such file."""


class InvalidStateError(AlidadeError):
    """The object is in a state that does not allow this."""


class ForkedError(AlidadeError):
    """The object was made before this process was forked off; make a new runtime, or spawn instead of fork."""


class RequestCancelledError(AlidadeError):
    """The request was cancelled, or replaced by a newer one."""


class LibraryMemoryError(AlidadeError, MemoryError):
    """Memory could not be had."""


_CLASSES: dict[Status, type[AlidadeError]] = {
    Status.INVALID_ARGUMENT: InvalidArgumentError,
    Status.INVALID_HANDLE: InvalidHandleError,
    Status.NOT_READY: NotReadyError,
    Status.NOT_FOUND: NotFoundError,
    Status.UNSUPPORTED: UnsupportedError,
    Status.READ_FAILED: ReadFailedError,
    Status.PROJECTION_FAILED: ProjectionFailedError,
    Status.POLICY_REFUSED: PolicyRefusedError,
    Status.LIMIT_EXCEEDED: LimitExceededError,
    Status.INVALID_STATE: InvalidStateError,
    Status.MISSING_GRID: MissingGridError,
    Status.FORKED: ForkedError,
    Status.CANCELLED: RequestCancelledError,
    Status.OUT_OF_MEMORY: LibraryMemoryError,
}


def check(function: Any, *arguments: Any) -> None:
    """Calls a C function, with room for an error as its last argument, and raises what that says."""
    error = _abi.ald_error()
    if function(*arguments, ctypes.byref(error)):
        raise exception_of(error)


def raster_error(error: AlidadeError, path: bytes) -> AlidadeError:
    """The same failure with the raster's name, in the form in which Python reports a file that is not there."""
    return _file_error(error, path, RasterNotFoundError)


def feature_source_error(error: AlidadeError, path: bytes) -> AlidadeError:
    """As `raster_error`, of a source of features."""
    return _file_error(error, path, FeatureSourceNotFoundError)


def _file_error(
    error: AlidadeError, path: bytes, missing: type[RasterNotFoundError] | type[FeatureSourceNotFoundError]
) -> AlidadeError:
    if error.status is Status.NOT_FOUND:
        found = missing(
            error.status,
            error.message,
            argument=error.argument,
            domain=error.domain,
            domain_code=error.domain_code,
        )
        found.errno = errno.ENOENT
        error = found
    if isinstance(error, OSError):
        error.filename = path
        error.strerror = error.message
    return error


def error_of(status: Status, message: str) -> AlidadeError:
    """An error that has no more to say than its status."""
    return _CLASSES.get(status, AlidadeError)(status, message)


def exception_of(error: _abi.ald_error) -> AlidadeError:
    """The C form of an error as an exception."""
    status = Status(error.status)
    return _CLASSES.get(status, AlidadeError)(
        status,
        error.message.decode("utf-8", "replace"),
        argument=error.argument,
        domain=ErrorDomain(error.domain),
        domain_code=error.domain_code,
    )
