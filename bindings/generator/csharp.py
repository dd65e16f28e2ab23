"""The generated files of the C# binding: its sources, the .meta files of the package, and the test of layouts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import csharp_meta
import csharp_names
import csharp_raw
import measure
from csharp_objects import Writer
from header_model import REPOSITORY, Header

RUNTIME = "bindings/csharp/Runtime"


def files(header: Header) -> dict[str, Callable[[], str]]:
    """Each file, and what makes its text."""

    @cache
    def writer() -> Writer:
        made = Writer(header)
        csharp_names.learn_types(header)
        made.learn()
        return made

    sources = {
        f"{RUNTIME}/Enumerations.generated.cs": lambda: writer() and csharp_raw.enumerations(header),
        f"{RUNTIME}/Structs.generated.cs": lambda: writer() and csharp_raw.structs(header),
        f"{RUNTIME}/Native.generated.cs": lambda: writer() and csharp_raw.native(header),
        f"{RUNTIME}/Records.generated.cs": lambda: writer().records.render(),
        f"{RUNTIME}/Objects.generated.cs": lambda: writer().render(),
        "Tests/hosts/mono/Layouts.generated.cs": lambda: csharp_raw.layouts(header, measure.structs(header)),
    }
    metas = csharp_meta.files(REPOSITORY, list(sources))
    return {
        **{n: lambda make=make: csharp_names.folded(make()) for n, make in sources.items()},
        **{name: lambda text=text: text for name, text in metas.items()},
    }
