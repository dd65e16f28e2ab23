"""Names that are no properties cannot be set: a mistyped one would be kept, and change nothing."""

from __future__ import annotations

import dataclasses
import enum
import inspect
from typing import Any

import pytest

import alidade
from alidade._base.handle import Handle
from conftest import PUBLIC, Scene

CLASSES = [
    value
    for name, value in sorted(PUBLIC.items())
    if inspect.isclass(value) and not issubclass(value, (BaseException, enum.Enum))
]


def bare(kind: type) -> Any:
    """An object of a class without what its __init__ does: no rule about its attributes depends on that."""
    if issubclass(kind, tuple):
        return tuple.__new__(kind, [None] * len(kind._fields))  # type: ignore[attr-defined]
    return object.__new__(kind)


@pytest.mark.parametrize("kind", [kind for kind in CLASSES if kind is not alidade.IdentifyElement], ids=lambda kind: kind.__name__)
def test_an_unknown_name_cannot_be_set(kind: type) -> None:
    with pytest.raises(AttributeError):
        bare(kind).no_such_thing = 1


@pytest.mark.parametrize("kind", [kind for kind in CLASSES if issubclass(kind, Handle)], ids=lambda kind: kind.__name__)
def test_methods_and_read_only_properties_cannot_be_set(kind: type) -> None:
    made = bare(kind)
    for name, value in inspect.getmembers(kind):
        is_fixed = not isinstance(value, property) or value.fset is None
        if not name.startswith("_") and is_fixed:
            with pytest.raises(AttributeError):
                setattr(made, name, None)


def test_there_are_many_classes() -> None:
    assert len(CLASSES) > 80 and sum(issubclass(kind, Handle) for kind in CLASSES) > 20
    assert sum(dataclasses.is_dataclass(kind) for kind in CLASSES) > 40


def test_a_property_that_cannot_be_set_names_its_function(runtime: alidade.Runtime) -> None:
    with alidade.GraphicsOverlay(runtime) as overlay:
        with pytest.raises(AttributeError, match=r"'popup_definition' that can be set; call set_popup_definition\(\)"):
            overlay.popup_definition = None  # type: ignore[attr-defined]
        overlay.name = "still a property"
        assert overlay.name == "still a property"
    layer = alidade.FeatureLayer.from_path(runtime, "none.geojson")
    with pytest.raises(AttributeError, match=r"call set_popup_definition\(\)"):
        layer.popup_definition = None  # type: ignore[attr-defined]
    layer.opacity = 0.5
    assert layer.opacity == 0.5


def test_elements_are_results(scene: Scene) -> None:
    with scene.view.identify_layer(scene.layer, (100, 50)) as result:
        element = result[0]
        assert element.attributes == element.attributes
        for name in ("text", "no_such_thing"):
            with pytest.raises(AttributeError, match="cannot be set"):
                setattr(element, name, "changed")
