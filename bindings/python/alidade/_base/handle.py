"""What all objects of the library have in common."""

from __future__ import annotations

import ctypes
import sys
import weakref
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from .._library import library
from .known_layers import remember_object

if TYPE_CHECKING:
    from .runtime import Runtime

Self = TypeVar("Self", bound="Handle")


class _Lease:
    """Lives as long as a view of an object's memory, and keeps the object and its runtime."""

    def __init__(self, owners: list[Handle]) -> None:
        self.owners = owners
        for owner in owners:
            owner._views.add(self)

    def __del__(self) -> None:
        if sys.is_finalizing():
            return
        for owner in self.owners:
            owner._views.discard(self)
            if owner._release_is_due:
                owner.release()


class Handle:
    """An object of the library: released at the end of a `with` block, by `release`, or with its last reference.

    Two of them are equal if they name the same object of the library.
    """

    # Whether events may name this kind of object.
    _is_named_by_events: ClassVar[bool] = False
    # The C function that releases this kind of object.
    _release_function: ClassVar[str]

    def __init__(self, handle: ctypes.Structure, keeps: Handle | None, *, is_lent: bool = False) -> None:
        """Takes over a handle that the host owns, or wraps a borrowed handle.

        `keeps` is the object that this one depends on: the object it was created from, or the owner of the handle.
        """
        if not isinstance(handle, ctypes.Structure):
            raise TypeError(f"a {type(self).__name__} is created by functions of the package, not from a value")
        # Any: each class has a struct of its own.
        self._handle: Any = handle
        self._keeps = keeps
        # What numpy arrays show of the library's memory that ends with this object.
        self._views: weakref.WeakSet[_Lease] = weakref.WeakSet()
        self._release_is_due = False
        self._finalizer: weakref.finalize[Any, Any] | None = None
        if self._is_named_by_events:
            remember_object(handle.id, self)
        if not is_lent:
            self._finalizer = weakref.finalize(self, getattr(library(), self._release_function), handle)
            # When the interpreter ends, other threads may still be using it, and the library ends with the process.
            self._finalizer.atexit = False

    def release(self) -> None:
        """Releases the object. A second time does nothing, nor does it after the runtime has been released.

        While numpy arrays use memory of the object, or of an object of this runtime, it stays alive until the last
        of these arrays is deleted.
        """
        if self._finalizer is None:
            return
        self._release_is_due = True
        if not self._views:
            self._finalizer()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        from .calls import adapt_class

        for base in cls.__mro__:
            if base.__module__.startswith("alidade."):
                adapt_class(base)

    def _root(self) -> Runtime:
        """The runtime."""
        root: Handle = self
        while root._keeps is not None:
            root = root._keeps
        return cast("Runtime", root)

    def _lend(self, memory: Any) -> None:
        """Notes that `memory`, a ctypes array that numpy arrays keep, lies in this object, which it keeps alive."""
        runtime = self._root()
        # A runtime takes all that hangs on it along.
        memory._lease = _Lease([self] if runtime is self else [self, runtime])

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.release()

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuses what is no property: a mistyped name would otherwise be kept and change nothing."""
        member = getattr(type(self), name, None)
        if not name.startswith("_") and (not hasattr(member, "__set__") or getattr(member, "fset", member) is None):
            setter = f"; call set_{name}()" if hasattr(type(self), f"set_{name}") else ""
            raise AttributeError(f"{type(self).__name__} has no property {name!r} that can be set{setter}")
        super().__setattr__(name, value)

    def _state(self, **facts: Any) -> None:
        """Sets facts that callers read and cannot set."""
        vars(self).update(facts)

    def __reduce__(self) -> Any:
        raise TypeError(
            f"{type(self).__name__} objects cannot be pickled or copied: they belong to this process. Pickle what the object "
            f"was created from, and create it again"
        )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._handle.id == other._handle.id

    def __hash__(self) -> int:
        return hash((type(self), self._handle.id))

    def _is_released(self) -> bool:
        return self._finalizer is not None and (self._release_is_due or not self._finalizer.alive)

    def _facts(self) -> str:
        """What the object is, in a few words for its repr."""
        return f"{self._handle.id:#x}"

    def __repr__(self) -> str:
        name = type(self).__name__
        if not hasattr(self, "_handle"):
            return f"<{name} not created>"
        if self._is_released():
            return f"<{name} released>"
        from .errors import AlidadeError, ForkedError, InvalidHandleError

        try:
            return f"<{name} {self._facts()}>"
        except InvalidHandleError:
            return f"<{name} released>"
        except ForkedError:
            return f"<{name} of the parent process>"
        except AlidadeError as error:
            return f"<{name} {error.status.name}>"
