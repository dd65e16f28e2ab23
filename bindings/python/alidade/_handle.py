"""What all objects of the library have in common."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, ClassVar, TypeVar

from ._library import library

Self = TypeVar("Self", bound="Handle")


class _Lease:
    """Lives as long as a view of an object's memory, and keeps the object."""

    def __init__(self, owner: Handle) -> None:
        self.owner = owner


class Handle:
    """An object of the library: released at the end of a `with` block, by `release`, or with its last reference.

    Two of them are equal if they name the same object of the library.
    """

    # The C function that releases this kind of object.
    _release_function: ClassVar[str]

    # Memory of the library's that numpy arrays show, and that ends with this object; made with the first.
    _views: weakref.WeakSet[Any] | tuple[()] = ()

    def __init__(self, handle: ctypes.Structure, keeps: Handle | None, *, is_lent: bool = False) -> None:
        """Takes over a handle that the host owns, or wraps a lent one.

        `keeps` is what this object needs: what it was made from (up to its runtime), or what lends the handle.
        """
        self._handle = handle
        self._keeps = keeps
        self._finalizer: weakref.finalize[Any, Any] | None = None
        if not is_lent:
            self._finalizer = weakref.finalize(self, getattr(library(), self._release_function), handle)
            # When the interpreter ends, other threads may still be using it, and the library ends with the process.
            self._finalizer.atexit = False

    def release(self) -> None:
        """Releases the object. A second time does nothing, nor does it after the runtime has been released.

        Raises:
            BufferError: numpy arrays still show memory of this object, or of one that hangs on this runtime; it would
                be gone under them. Nothing is released.
        """
        if self._finalizer is None:
            return
        if self._finalizer.alive and len(self._views) > 0:
            raise BufferError(f"{len(self._views)} numpy views of {self!r} are in use; copy what is needed, drop them")
        self._finalizer()

    def _lend(self, memory: Any) -> None:
        """Notes that `memory`, a ctypes array that numpy arrays keep, lies in this object, which it keeps alive."""
        memory._lease = lease = _Lease(self)
        owner: Handle | None = self
        # A runtime takes all that hangs on it along.
        while owner is not None:
            if owner is self or owner._keeps is None:
                vars(owner).setdefault("_views", weakref.WeakSet()).add(lease)
            owner = owner._keeps

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.release()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._handle.id == other._handle.id

    def __hash__(self) -> int:
        return hash((type(self), self._handle.id))

    def _is_released(self) -> bool:
        return self._finalizer is not None and not self._finalizer.alive

    def _repr(self, facts: str) -> str:
        """The form of all reprs; they ask the library for nothing, so that they work after a release too."""
        name = type(self).__name__
        return f"<{name} released>" if self._is_released() else f"<{name} {facts}>"
