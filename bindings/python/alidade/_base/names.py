"""The names of the C interface in the library's messages, as Python's users know them."""

from __future__ import annotations

import enum
import functools
import re
from types import ModuleType
from typing import Any

from .. import _abi

_NAME = re.compile(r"\b(ald_[a-z0-9_]+|ALD_[A-Z0-9_]+)((?:\.[a-z_0-9]+(?:\[\d+\])?)*)")


def with_python_names(message: str) -> str:
    """A message in which the functions, structs and constants of C have the names that they have in Python."""
    return _NAME.sub(lambda found: _python_name(found[1], found[2]), message) if "ald_" in message.lower() else message


@functools.cache
def _python_name(name: str, fields: str) -> str:
    public = _public_names()
    if name.isupper():
        for prefix, kind in _enumerations().items():
            if name.startswith(prefix) and name[len(prefix) :] in kind.__members__:
                return f"{kind.__name__}.{name[len(prefix) :]}"
        return name[4:]
    words = name[4:].split("_")
    for length in range(len(words), 0, -1):
        owner = "".join(word.capitalize() for word in words[:length])
        if owner in public:
            return f"{owner}{_method(public[owner], words[length:])}{fields}"
    # A struct that Python's functions take apart into parameters.
    return fields[1:] if fields else "_".join(words)


def _public_names() -> dict[str, Any]:
    """What the public modules offer, by name."""
    import alidade

    modules = [
        member for member in vars(alidade).values() if isinstance(member, ModuleType) and hasattr(member, "__all__")
    ]
    return {name: getattr(module, name) for module in modules for name in module.__all__}


def _method(owner: type, words: list[str]) -> str:
    """The part after the class: nothing for what creates an object, otherwise the method or property."""
    if not words or words[0] in ("create", "open", "clone", "take"):
        return ""
    candidates = ["_".join(words)]
    if words[0] in ("get", "set", "is", "has") and len(words) > 1:
        candidates.append("_".join(words[1:]))
    for candidate in candidates:
        if hasattr(owner, candidate):
            return f".{candidate}"
    return f".{candidates[-1]}"


@functools.cache
def _enumerations() -> dict[str, type[enum.Enum]]:
    """The enumerations by the prefix of their C names, the longest prefix first."""
    kinds = {
        f"ALD_{re.sub(r'(?<=[a-z0-9])(?=[A-Z])', '_', kind.__name__.removesuffix('Flags')).upper()}_": kind
        for kind in vars(_abi).values()
        if isinstance(kind, type) and issubclass(kind, (enum.IntEnum, enum.IntFlag))
    }
    return dict(sorted(kinds.items(), key=lambda entry: -len(entry[0])))
