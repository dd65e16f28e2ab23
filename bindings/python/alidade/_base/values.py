"""Values: immutable objects that are equal if the library says so, and that can be pickled and copied."""

from __future__ import annotations

from typing import Any, Callable, ClassVar, TypeVar

from .errors import AlidadeError
from .handle import Handle

Self = TypeVar("Self", bound="Value")


class Value(Handle):
    """An immutable object. Two are equal if they are the same object of the library or have equal values.

    A pickled value is read into the default runtime of the process that reads it.
    """

    # Facts that are pickled in addition to the value. They are plain data, not objects of the library.
    _pickled_facts: ClassVar[tuple[str, ...]] = ()

    def _equals(self, other: Any) -> bool:
        """Whether the values are equal, by the library."""
        raise NotImplementedError

    def _hash_key(self) -> Any:
        """What equal values have in common, from few calls."""
        raise NotImplementedError

    def _pickled(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """The function that reads the value, and its arguments."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        if self._handle.id == other._handle.id:
            return True
        try:
            return self._hash_key() == other._hash_key() and self._equals(other)
        except AlidadeError:
            # One is released, or they are of two runtimes.
            return False

    def __hash__(self) -> int:
        known: int | None = vars(self).get("_known_hash")
        if known is None:
            try:
                known = hash((type(self), self._hash_key()))
            except AlidadeError:
                # It has been released, and equals only what has the same id.
                known = hash((type(self), self._handle.id))
            self._state(_known_hash=known)
        return known

    def __copy__(self: Self) -> Self:
        return self

    def __deepcopy__(self: Self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        facts = {name: vars(self)[name] for name in self._pickled_facts if name in vars(self)}
        return (*self._pickled(), facts)
