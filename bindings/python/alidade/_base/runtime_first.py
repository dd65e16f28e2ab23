"""The types of functions whose first argument, the runtime, may be left out. `_calls` fills it in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Callable, Generic, Protocol, TypeVar, overload

    from typing_extensions import Concatenate, ParamSpec

    from .runtime import Runtime

    P = ParamSpec("P")
    R = TypeVar("R", covariant=True)

    class RuntimeFirst(Protocol[P, R]):
        @overload
        def __call__(self, runtime: Runtime | None, /, *args: P.args, **kwargs: P.kwargs) -> R: ...
        @overload
        def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R: ...

    def runtime_first(function: Callable[Concatenate[Runtime, P], R]) -> RuntimeFirst[P, R]: ...

    class runtime_first_of_class(Generic[P, R]):
        def __init__(
            self, function: classmethod[Any, Concatenate[Runtime, P], R] | Callable[Concatenate[Any, Runtime, P], R]
        ) -> None: ...
        def __get__(self, instance: object, owner: type | None = None) -> RuntimeFirst[P, R]: ...

else:

    def runtime_first(function: Any) -> Any:
        return function

    runtime_first_of_class = runtime_first
