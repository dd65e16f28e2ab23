"""Exceptions, with the details that the C interface reports about a failure."""

from __future__ import annotations

import ctypes
import errno
import functools
from typing import Any

from .. import _abi
from .._abi import ErrorDomain, Status
from .names import with_python_names


class AlidadeError(Exception):
    """A call failed.

    Attributes:
        status: the result of the call.
        argument: the position of the parameter of the C function at fault, from 1; 0 if no parameter is at fault.
        domain: the library that defines `domain_code`.
        domain_code: the code of GDAL, PROJ or the operating system; 0 without a code.
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

    def __reduce__(self) -> tuple[Any, ...]:
        details: dict[str, Any] = {"argument": self.argument, "domain": self.domain, "domain_code": self.domain_code}
        # A missing file has its name where Python keeps it, which is not among the attributes of vars.
        own = {name: getattr(self, name) for name in ("errno", "strerror", "filename") if isinstance(self, OSError)}
        return functools.partial(type(self), **details), (self.status, self.message), {**vars(self), **own}

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.status.name}: {self.message!r})"


class InvalidArgumentError(AlidadeError, ValueError):
    """An argument is missing, not finite, out of its range, of another runtime, or does not fit the other arguments."""


class InvalidHandleError(AlidadeError, ValueError):
    """An object has been released, or its runtime has."""


class NotReadyError(AlidadeError):
    """Something that the call needs has not been given yet. The message names it."""


class NotFoundError(AlidadeError, LookupError):
    """A code, band, attribute or table does not exist."""


class RasterNotFoundError(NotFoundError, FileNotFoundError):
    """The raster file does not exist."""


class FeatureSourceNotFoundError(NotFoundError, FileNotFoundError):
    """The file does not exist, or has no such layer."""


class UnsupportedError(AlidadeError):
    """The library understands the data or the combination of arguments but does not support it."""


class ReadFailedError(AlidadeError, OSError):
    """A file could not be opened or read, or its content is damaged."""


class ProjectionFailedError(AlidadeError):
    """A coordinate could not be projected, or there is no operation between two spatial references."""


class PolicyRefusedError(AlidadeError, PermissionError):
    """The runtime's policy does not allow this."""


class LimitExceededError(AlidadeError):
    """The request exceeds a limit of the runtime's policy."""


class MissingGridError(AlidadeError):
    """A transformation needs a grid file that is missing or cannot be read. The message names every such file."""


class InvalidStateError(AlidadeError):
    """The state of the object does not allow this."""


class ForkedError(AlidadeError):
    """The object is older than the fork that created this process. Create a new runtime, or spawn instead of fork."""


class RequestCancelledError(AlidadeError):
    """The request was cancelled, or a newer request replaced it."""


class LibraryMemoryError(AlidadeError, MemoryError):
    """The system did not provide the memory that the call needs."""


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
    """Calls a C function with an error struct as its last argument, and raises an exception if the call fails."""
    error = _abi.ald_error()
    if function(*arguments, ctypes.byref(error)):
        raise exception_of(error)


def raster_error(error: AlidadeError, path: bytes) -> AlidadeError:
    """The same error with the name of the raster, in the form in which Python reports a missing file."""
    return _file_error(error, path, RasterNotFoundError)


def feature_source_error(error: AlidadeError, path: bytes) -> AlidadeError:
    """The same as `raster_error`, for a source of features."""
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
    """An error with a status and no further details."""
    return _CLASSES.get(status, AlidadeError)(status, message)


def exception_of(error: _abi.ald_error) -> AlidadeError:
    """The exception for a C error struct."""
    status = Status(error.status)
    return _CLASSES.get(status, AlidadeError)(
        status,
        with_python_names(error.message.decode("utf-8", "replace")),
        argument=error.argument,
        domain=ErrorDomain(error.domain),
        domain_code=error.domain_code,
    )
