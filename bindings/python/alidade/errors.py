"""What calls raise. Each error has `status`, `argument`, `domain`, `domain_code` and `message`."""

from ._abi import ErrorDomain, Status
from ._base.calls import publish
from ._base.errors import (
    AlidadeError,
    FeatureSourceNotFoundError,
    ForkedError,
    InvalidArgumentError,
    InvalidHandleError,
    InvalidStateError,
    LibraryMemoryError,
    LimitExceededError,
    MissingGridError,
    NotFoundError,
    NotReadyError,
    PolicyRefusedError,
    ProjectionFailedError,
    RasterNotFoundError,
    ReadFailedError,
    RequestCancelledError,
    UnsupportedError,
)
from ._base.request import CompletionError
from ._library import LibraryNotFoundError

__all__ = [
    "AlidadeError",
    "CompletionError",
    "ErrorDomain",
    "FeatureSourceNotFoundError",
    "ForkedError",
    "InvalidArgumentError",
    "InvalidHandleError",
    "InvalidStateError",
    "LibraryMemoryError",
    "LibraryNotFoundError",
    "LimitExceededError",
    "MissingGridError",
    "NotFoundError",
    "NotReadyError",
    "PolicyRefusedError",
    "ProjectionFailedError",
    "RasterNotFoundError",
    "ReadFailedError",
    "RequestCancelledError",
    "Status",
    "UnsupportedError",
]

publish(__name__, __all__)
