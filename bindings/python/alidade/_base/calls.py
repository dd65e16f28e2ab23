"""What all public functions and methods do with their arguments.

- A spatial reference may be given in any form that `SpatialReference` takes.
- The runtime may be left out where it is the first argument.
- An argument of a wrong type is a TypeError that names the parameter, the wanted type and the given type.

Types are compared only after a call has failed, so that a call that succeeds costs no more for it.
"""

from __future__ import annotations

import collections.abc
import ctypes
import dataclasses
import enum
import functools
import inspect
import numbers
import os
import sys
import types
import typing
from typing import Any, Callable, TypeVar

import numpy as np

from .errors import AlidadeError
from .handle import Handle

F = TypeVar("F", bound=Callable[..., Any])

# What a wrong type can lead to in Python's own functions and in ctypes.
_FAILURES = (AttributeError, TypeError, ValueError, ctypes.ArgumentError)
# Special methods whose arguments come from the user.
_SPECIAL = {"__init__", "__getitem__", "__setitem__", "__call__"}
# How a message describes the names that annotations use for several types.
_ALIASES = {
    "ArrayLike": "an array of numbers",
    "Attributes": "a mapping of attributes by name",
    "Box": "an Envelope or four numbers",
    "Buffer": "bytes, a bytearray or a memoryview",
    "Color": "3 or 4 whole numbers from 0 to 255",
    "GraphicIds": "an id or a sequence of ids",
    "Padding": "a number or Insets",
    "PathLike": "a path",
    "Point": "a pair of numbers",
    "Renderer": "a renderer",
    "SpatialReferenceLike": (
        "a SpatialReference, an EPSG code, a text, a pair of authority and code, a mapping of PROJJSON or PROJ "
        "parameters, or an object with to_wkt()"
    ),
    "SpatialReferenceDefinition": (
        "an EPSG code, a text, a pair of authority and code, a mapping of PROJJSON or PROJ parameters, or an object with "
        "to_wkt()"
    ),
    "Symbol": "a MarkerSymbol, LineSymbol or FillSymbol",
}
_SIMPLE = {
    "None": "None",
    "Runtime": "a Runtime",
    "bool": "a bool",
    "bytes": "bytes",
    "float": "a number",
    "int": "a whole number",
    "str": "a text",
}


def adapted(function: F) -> F:
    """The function with the handling of arguments that this module describes."""
    code = inspect.unwrap(function).__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    annotations = {name: str(given) for name, given in function.__annotations__.items()}
    leading = names[: code.co_argcount].index("runtime") if "runtime" in names[: code.co_argcount] else None
    if leading is not None and (leading > 1 or annotations.get("runtime") != "Runtime"):
        leading = None
    references = [
        (name, names.index(name) if name in names[: code.co_argcount] else None)
        for name in names
        if "SpatialReferenceLike" in annotations.get(name, "")
    ]

    if leading is None and not references:

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except _FAILURES as error:
                failure = _explained(function, names, args, kwargs, error)
                if failure is None:
                    raise
            raise failure from None

    else:

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            outer = args
            try:
                if leading is not None:
                    args = _with_runtime(leading, args, kwargs)
                    if len(args) > code.co_argcount and args[leading] is not outer[leading]:
                        args = outer
                if references:
                    args = _with_references(references, args, kwargs)
                return function(*args, **kwargs)
            except _FAILURES as error:
                failure = _explained(function, names, args, kwargs, error)
                if failure is None:
                    raise
            raise failure from None

    call._is_adapted = True  # type: ignore[attr-defined]
    return typing.cast(F, call)


def adapt_class(cls: type) -> None:
    """Adapts the public functions that a class itself defines."""
    for name, member in list(vars(cls).items()):
        if name.startswith("_") and (name not in _SPECIAL or dataclasses.is_dataclass(cls)):
            continue
        if isinstance(member, (classmethod, staticmethod)) and _is_own(member.__func__):
            type.__setattr__(cls, name, type(member)(adapted(member.__func__)))
        elif isinstance(member, property) and member.fset is not None and _is_own(member.fset):
            type.__setattr__(cls, name, property(member.fget, adapted(member.fset), member.fdel, member.__doc__))
        elif isinstance(member, types.FunctionType) and _is_own(member):
            type.__setattr__(cls, name, adapted(member))


def publish(module_name: str, names: typing.Iterable[str]) -> None:
    """Adapts the functions and classes that a public module offers, and gives them the name of that module.

    Tracebacks, reprs and pickles then show where a user finds a class, not where this package keeps it.
    """
    module = vars(sys.modules[module_name])
    for name in names:
        member = module[name]
        if isinstance(member, types.FunctionType):
            module[name] = member = adapted(member)
        elif isinstance(member, type) and not issubclass(member, (Handle, enum.Enum, BaseException)):
            adapt_class(member)
        if isinstance(member, (type, types.FunctionType)):
            member.__module__ = module_name


def _is_own(function: Any) -> bool:
    return isinstance(function, types.FunctionType) and not hasattr(function, "_is_adapted")


def runtime_of(*things: Any) -> Any:
    """The runtime of the first object among these that has one; otherwise the default runtime."""
    for thing in things:
        parts = vars(thing).values() if dataclasses.is_dataclass(thing) and not isinstance(thing, type) else ()
        for part in (thing, *parts):
            if isinstance(part, Handle) and hasattr(part, "_handle"):
                return part._root()
    from .runtime import default_runtime

    return default_runtime()


def _with_runtime(index: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    from .runtime import Runtime

    if "runtime" in kwargs:
        if kwargs["runtime"] is None:
            kwargs["runtime"] = runtime_of(*args[index:], *kwargs.values())
        return args
    if len(args) > index and isinstance(args[index], Runtime):
        return args
    rest = args[index + 1 :] if len(args) > index and args[index] is None else args[index:]
    return (*args[:index], runtime_of(*rest, *kwargs.values()), *rest)


def _with_references(
    references: list[tuple[str, int | None]], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...]:
    from .._coordinates.spatial_reference import SpatialReference

    for name, index in references:
        if name in kwargs:
            given = kwargs[name]
            if given is not None and not isinstance(given, SpatialReference):
                kwargs[name] = SpatialReference(runtime_of(*args, *kwargs.values()), given)
        elif index is not None and index < len(args):
            given = args[index]
            if given is not None and not isinstance(given, SpatialReference):
                made = SpatialReference(runtime_of(*args, *kwargs.values()), given)
                args = (*args[:index], made, *args[index + 1 :])
    return args


def _explained(
    function: Callable[..., Any],
    names: tuple[str, ...],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    error: Exception,
) -> TypeError | None:
    """The TypeError that names the argument at fault; None if no argument has a wrong type."""
    given = {**dict(zip(names, args)), **kwargs}
    if isinstance(error, AlidadeError):
        return None
    is_method = bool(names) and names[0] in ("self", "cls")
    owner, _, label = function.__qualname__.rpartition(".")
    if is_method and args:
        owner = (args[0] if isinstance(args[0], type) else type(args[0])).__name__
    label = f"{owner}.{label}".strip(".").replace(".__init__", "").replace(".__getitem__", "[]")
    for name in names[is_method:]:
        annotation = function.__annotations__.get(name)
        if name in given and annotation is not None and not _accepts(str(annotation), given[name], function):
            kind = "None" if given[name] is None else type(given[name]).__name__
            return TypeError(f"{label}: {name} must be {_described(str(annotation))}, not {kind}")
    if isinstance(error, ctypes.ArgumentError) or (
        isinstance(error, AttributeError) and getattr(error, "name", "_handle") in ("_handle", "_c")
    ):
        return TypeError(f"{label}: an argument, or a part of one, has a wrong type")
    return None


def _alternatives(annotation: str) -> list[str]:
    """The parts of a union that is written with bars."""
    if annotation.startswith("Optional[") and annotation.endswith("]"):
        return [*_alternatives(annotation[9:-1]), "None"]
    parts, depth = [""], 0
    for character in annotation:
        depth += (character in "[(") - (character in "])")
        if character == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def _accepts(annotation: str, value: Any, function: Callable[..., Any]) -> bool:
    return any(_accepts_one(part, value, function) for part in _alternatives(annotation))


def _accepts_one(name: str, value: Any, function: Callable[..., Any]) -> bool:
    if name == "None":
        return value is None
    if name == "PathLike":
        return isinstance(value, (str, bytes, os.PathLike))
    if name in ("SpatialReferenceLike", "SpatialReferenceDefinition"):
        from .._coordinates.spatial_reference import is_definition

        return is_definition(value)
    try:
        wanted = eval(name, dict(function.__globals__))
    except (NameError, TypeError, AttributeError):
        found = _found(name)
        if found is None:
            return True
        wanted = found
    return _is_a(value, wanted)


def _found(name: str) -> Any:
    """A class of the package that a module names only for type checkers."""
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("alidade.") and isinstance(getattr(module, name, None), type):
            return getattr(module, name)
    return None


def _is_a(value: Any, wanted: Any) -> bool:
    if wanted is None:
        return value is None
    origin = typing.get_origin(wanted)
    if origin is typing.Union or type(wanted).__name__ == "UnionType":
        return any(_is_a(value, part) for part in typing.get_args(wanted))
    if origin is not None:
        wanted = origin
    if isinstance(wanted, TypeVar):
        bound = wanted.__bound__
        return _is_a(value, _found(bound.__forward_arg__)) if isinstance(bound, typing.ForwardRef) else True
    if not isinstance(wanted, type):
        return True
    if wanted is float:
        return isinstance(value, numbers.Real) or (hasattr(value, "__float__") and not isinstance(value, str))
    if wanted is int or issubclass(wanted, (enum.IntEnum, enum.IntFlag)):
        return hasattr(value, "__index__")
    if wanted is bool:
        return True
    if wanted is collections.abc.Callable:
        return callable(value)
    if wanted in (collections.abc.Sequence, tuple, list, collections.abc.Iterable):
        return hasattr(value, "__iter__") and not isinstance(value, (str, bytes))
    if wanted is np.ndarray:
        return isinstance(value, np.ndarray)
    if wanted.__module__.partition(".")[0] == "numpy":
        return value is not None and not isinstance(value, str)
    try:
        return isinstance(value, wanted)
    except TypeError:
        return True


def _described(annotation: str) -> str:
    parts = [_described_one(part) for part in _alternatives(annotation)]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def _described_one(name: str) -> str:
    name = name.rpartition(".")[2] if "[" not in name else name
    known = _ALIASES.get(name) or _SIMPLE.get(name)
    if known is not None:
        return known
    head = name.partition("[")[0]
    if head == "Callable":
        return "a function"
    if head in ("Sequence", "Iterable", "list", "tuple"):
        return "a sequence"
    if head == "Mapping":
        return "a mapping"
    if head.startswith("ald_"):
        return "a handle of the library"
    if "NDArray" in head:
        return "a numpy array"
    return f"{'an' if head[:1] in 'AEIO' else 'a'} {head}"
