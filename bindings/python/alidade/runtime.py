"""Runtimes, what they allow, and requests."""

from ._abi import Key, RequestKind, RequestState
from ._base.calls import publish
from ._base.request import Request
from ._base.runtime import LibraryVersions, Policy, Runtime, default_runtime, set_default_runtime, version

__all__ = [
    "Key",
    "LibraryVersions",
    "Policy",
    "Request",
    "RequestKind",
    "RequestState",
    "Runtime",
    "default_runtime",
    "set_default_runtime",
    "version",
]

publish(__name__, __all__)
