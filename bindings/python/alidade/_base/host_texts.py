"""Texts and properties of the program's own, which layers and maps have."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, MutableMapping
from typing import Any, ClassVar

from .._abi import LayerTextKind
from .._library import library
from .errors import NotFoundError, check
from .handle import Handle
from .text import copied, encoded


class HostTexts(Handle):
    """What keeps texts for the program. The library does nothing with them."""

    # The C functions are this with "_text", "_set_property" and so on. Kinds of texts have the same numbers in all.
    _texts_of: ClassVar[str]

    def _text(self, kind: LayerTextKind) -> str:
        return copied(getattr(library(), f"{self._texts_of}_get_text"), self._handle, kind)

    def _set_text(self, kind: LayerTextKind, text: str | None) -> None:
        given = encoded("" if text is None else text)
        check(getattr(library(), f"{self._texts_of}_set_text"), self._handle, kind, given)

    @property
    def name(self) -> str:
        """What a list calls it; None removes it.

        :raises TypeError: it is no text.
        """
        return self._text(LayerTextKind.NAME)

    @name.setter
    def name(self, name: str | None) -> None:
        self._set_text(LayerTextKind.NAME, name)

    @property
    def id(self) -> str:
        """What the program knows it by; that no two have the same is the program's matter. None removes it.

        :raises TypeError: it is no text.
        """
        return self._text(LayerTextKind.ID)

    @id.setter
    def id(self, id: str | None) -> None:
        self._set_text(LayerTextKind.ID, id)

    @property
    def attribution(self) -> str:
        """The attribution; None removes it.

        :raises TypeError: it is no text.
        """
        return self._text(LayerTextKind.ATTRIBUTION)

    @attribution.setter
    def attribution(self, attribution: str | None) -> None:
        self._set_text(LayerTextKind.ATTRIBUTION, attribution)

    @property
    def properties(self) -> HostProperties:
        """Properties of the program's own, by keys: a mapping of texts that changes the library's."""
        return HostProperties(self)


class HostProperties(MutableMapping[str, str]):
    """The properties of a layer or a map, in the order in which they were added."""

    __slots__ = ("_owner",)

    def __init__(self, owner: HostTexts) -> None:
        self._owner = owner

    def _function(self, name: str) -> Any:
        return getattr(library(), f"{self._owner._texts_of}_{name}")

    def __getitem__(self, key: str) -> str:
        try:
            return copied(self._function("get_property"), self._owner._handle, encoded(key))
        except NotFoundError:
            raise KeyError(key) from None

    def __setitem__(self, key: str, value: str) -> None:
        check(self._function("set_property"), self._owner._handle, encoded(key), encoded(value))

    def __delitem__(self, key: str) -> None:
        self[key]
        check(self._function("set_property"), self._owner._handle, encoded(key), None)

    def __len__(self) -> int:
        count = ctypes.c_uint32()
        check(self._function("get_property_count"), self._owner._handle, ctypes.byref(count))
        return count.value

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys())

    def _keys(self) -> list[str]:
        function = self._function("get_property_key_at")
        return [copied(function, self._owner._handle, index) for index in range(len(self))]

    def __repr__(self) -> str:
        return repr(dict(self))
