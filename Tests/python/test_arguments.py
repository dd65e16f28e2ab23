"""What every public class and function does with arguments of wrong types and with names that it does not have."""

from __future__ import annotations

import ctypes
import dataclasses
import enum
import inspect
import re
from typing import Any, Iterator

import pytest

import alidade
from alidade import _abi
from alidade._base.handle import Handle
from alidade._base.names import with_python_names
from conftest import PUBLIC, RASTERS, Scene

CLASSES = [found for found in PUBLIC.values() if isinstance(found, type) and not issubclass(found, enum.Enum)]
# What ends or waits, and what takes any object.
LEFT_OUT = {"release", "plot", "wait", "load", "retry_load", "events_async"}
WRONG = (None, 7, "text", 1.5, object(), b"bytes", [1])


def made(scene: Scene, runtime: alidade.Runtime) -> list[Any]:
    """An object of each class that a program can create."""
    reference = alidade.SpatialReference(runtime, 4326)
    other = alidade.SpatialReference(runtime, 27700)
    geometry = alidade.Geometry.from_wkt(runtime, "POLYGON((0 50, 1 50, 1 51, 0 50))", reference)
    array = alidade.GeometryArray.from_geometries(runtime, [geometry, geometry])
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(alidade.FillSymbol()))
    overlay.add(geometry)
    scene.view.add_overlay(overlay)
    result = scene.view.identify_layer(scene.layer, (100, 50))
    source = alidade.FeatureSource(runtime, RASTERS.parent / "features" / "places.geojson")
    features = alidade.FeatureLayer(source)
    features.load()
    return [
        runtime,
        reference,
        geometry,
        array,
        geometry.prepared(),
        alidade.TransformationList(reference, other),
        alidade.TransformationList(reference, other)[0].transformation,
        scene.raster,
        scene.layer,
        scene.map,
        scene.view,
        scene.view.snapshot(),
        scene.view.overlay_drawing(),
        overlay,
        alidade.GroupLayer(runtime),
        alidade.Callout(scene.view),
        alidade.views.Magnifier(scene.view),
        alidade.engine.EngineFrame(reference, (0.0, 50.0)),
        source,
        source.query(),
        features,
        features.query(geometry, nearest=1),
        scene.view.screen_picture(scene.layer),
        scene.view.identify_async((100, 50)),
        geometry.project(other).receipt,
        result,
        *result,
        geometry.project(other),
        scene.view.viewpoint,
        scene.view.state,
        alidade.views.Constraints(),
        alidade.Policy(),
    ]


def parameters(function: Any) -> list[inspect.Parameter]:
    found = list(inspect.signature(function).parameters.values())
    return [given for given in found if given.name not in ("self", "cls")]


def calls(owner: str, function: Any) -> Iterator[tuple[str, Any]]:
    """The function with each wrong value for all required parameters."""
    for wrong in WRONG:
        given = parameters(function)
        plain = [p for p in given if p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty]
        keys = {p.name: wrong for p in given if p.kind is p.KEYWORD_ONLY and p.default is p.empty}
        yield f"{owner}({wrong!r})", lambda wrong=wrong, plain=plain, keys=keys: function(*[wrong] * len(plain), **keys)
        for optional in given:
            if optional.default is not optional.empty:
                values = {**keys, optional.name: wrong}
                yield f"{owner}({optional.name}={wrong!r})", lambda values=values, plain=plain: function(
                    *[wrong] * len(plain), **values
                )


def test_wrong_types(scene: Scene, runtime: alidade.Runtime) -> None:
    targets: list[tuple[str, Any]] = [
        (name, found) for name, found in PUBLIC.items() if inspect.isfunction(found) and name != "set_default_runtime"
    ]
    for cls in CLASSES:
        if issubclass(cls, Handle) and cls is not alidade.Runtime:
            targets.append((cls.__name__, cls))
        for name, member in inspect.getmembers(cls):
            if inspect.ismethod(member) and not name.startswith("_"):
                targets.append((f"{cls.__name__}.{name}", member))
    for item in made(scene, runtime):
        for name, member in inspect.getmembers(type(item), inspect.isfunction):
            if not name.startswith("_") and name not in LEFT_OUT:
                targets.append((f"{type(item).__name__}.{name}", getattr(item, name)))
    assert len(targets) > 300
    faults = []
    for owner, function in targets:
        for label, call in calls(owner, function):
            try:
                call()
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
                if "_handle" in text or isinstance(error, ctypes.ArgumentError) or re.search(r"\bald_|ALD_|'_\w+'", text):
                    faults.append(f"{label}: {text}")
    assert not faults, "\n".join(faults)


def test_the_message_names_parameter_and_types(scene: Scene, runtime: alidade.Runtime) -> None:
    cases = [
        (lambda: scene.map.add_layer(5), "Map.add_layer: layer must be a Layer, not int"),
        (lambda: scene.view.move(scale="far"), "View.move: scale must be a number or None, not str"),
        (lambda: alidade.View(None), "View: map must be a Map, not None"),
        (lambda: scene.map.add_layer(scene.map), "Map.add_layer: layer must be a Layer, not Map"),
        (lambda: setattr(scene.view, "scale", None), "View.scale: scale must be a number, not None"),
        (lambda: alidade.Map(runtime, 1.5), "Map: spatial_reference must be a SpatialReference, an EPSG code, .*float"),
        (lambda: alidade.geometry.geodesic_inverse(scene, (1, 2), (3, 4)), "geodesic_inverse: spatial_reference must be"),
        (lambda: scene.view.set_insets(3), "View.set_insets: insets must be an Insets or None, not int"),
    ]
    for call, message in cases:
        with pytest.raises(TypeError, match=message) as caught:
            call()
        assert type(caught.value) is TypeError and caught.value.__suppress_context__


def test_an_error_in_a_function_of_the_program_stays_as_it_is(scene: Scene, runtime: alidade.Runtime) -> None:
    def fails(request: object) -> None:
        try:
            request.no_such_name  # type: ignore[attr-defined]
        except AttributeError as error:
            raise ValueError("of the program") from error

    request = scene.view.identify_async((100, 50), on_done=fails)
    request.wait()
    with pytest.raises(ValueError, match="of the program") as caught:
        runtime.pump()
    assert isinstance(caught.value.__cause__, AttributeError)


def test_names_that_a_class_does_not_have(scene: Scene, runtime: alidade.Runtime) -> None:
    """An assignment works or raises: no class keeps a name that it does not have."""
    reached = set()
    for item in made(scene, runtime):
        reached.add(type(item))
        for name in ("no_such_name", "visibel"):
            with pytest.raises((AttributeError, dataclasses.FrozenInstanceError)):
                setattr(item, name, 1)
        for name, member in inspect.getmembers(type(item)):
            if name.startswith("_") or isinstance(member, property) and member.fset is not None:
                continue
            if not isinstance(item, tuple) and name not in ("on_done",):
                with pytest.raises((AttributeError, dataclasses.FrozenInstanceError, TypeError)):
                    setattr(item, name, 1)
    for cls in CLASSES:
        if issubclass(cls, BaseException) or cls in reached or issubclass(cls, Handle):
            continue
        if dataclasses.is_dataclass(cls):
            assert cls.__dataclass_params__.frozen, cls  # type: ignore[attr-defined]
        else:
            assert issubclass(cls, tuple) or hasattr(cls, "__slots__") or cls in (alidade.Callout,), cls


def test_assignments_that_move_a_view(scene: Scene) -> None:
    view = scene.view
    view.scale = 5000
    view.rotation_deg = 30
    view.center = (1.0, 2.0)
    assert (view.scale, view.rotation_deg, view.center) == (5000.0, 30.0, (1.0, 2.0))
    view.insets = alidade.Insets(top_dip=10)
    assert view.insets.top_dip == 10
    view.insets = None
    assert view.insets == alidade.Insets()
    view.constraints = alidade.views.Constraints(min_scale=4000, max_scale=100)
    assert view.scale == 4000 and view.constraints.min_scale == 4000
    view.viewpoint = alidade.Viewpoint(scale=200.0)
    assert view.scale == 200
    scene.map.initial_viewpoint = alidade.Viewpoint(center=(5, 6), spatial_reference=3857, scale=10)
    assert scene.map.initial_viewpoint is not None and scene.map.initial_viewpoint.scale == 10
    for name in ("map", "envelope", "state"):
        with pytest.raises(AttributeError, match=f"no property '{name}' that can be set"):
            setattr(view, name, None)


def test_renderers_are_properties(scene: Scene, runtime: alidade.Runtime, tmp_path: Any) -> None:
    path = tmp_path / "points.geojson"
    path.write_text('{"type": "Point", "coordinates": [0, 50]}')
    layer = alidade.FeatureLayer(alidade.FeatureSource(runtime, path))
    overlay = alidade.GraphicsOverlay(runtime)
    assert layer.renderer is None and overlay.renderer is None
    renderer = alidade.SimpleRenderer(alidade.MarkerSymbol(size_dip=4))
    layer.renderer = overlay.renderer = renderer
    assert layer.renderer == renderer == overlay.renderer
    scene.view.add_overlay(overlay)
    overlay.add(alidade.Geometry.from_wkt(runtime, "POINT(0 0)"), symbol=None)
    assert scene.view.overlays[0] is overlay and scene.view.overlays[0].renderer == renderer
    assert scene.view.overlay_drawing(keep_outside=True).symbols[0].size_dip == 4
    for holder in (layer, overlay):
        with pytest.raises(TypeError, match="renderer must be a renderer or None, not int"):
            holder.renderer = 5
        assert holder.renderer == renderer


def test_no_name_of_the_c_interface_reaches_python() -> None:
    names = {name for name in vars(_abi) if name.lower().startswith("ald_")}
    names |= set(re.findall(r"library\.(ald_\w+)\.argtypes", inspect.getsource(_abi.declare)))
    for kind in vars(_abi).values():
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__.removesuffix("Flags")).upper()
            names |= {f"ALD_{words}_{member}" for member in kind.__members__}
    assert len(names) > 1200
    for name in names:
        for message in (f"Call {name} first.", f"{name}.flags is 7"):
            assert not re.search(r"ald_", with_python_names(message), re.IGNORECASE), name
    assert with_python_names("Set it with ald_view_set_size.") == "Set it with View.set_size."
    assert with_python_names("ald_buffer_options.cap is 9") == "cap is 9"
    assert with_python_names("ALD_LOAD_STATUS_LOADED, ald_policy.hosts[2]") == "LoadStatus.LOADED, Policy.hosts[2]"
    assert with_python_names("no bald_eagle") == "no bald_eagle"


def test_adapted_functions_keep_their_signatures() -> None:
    assert list(inspect.signature(alidade.Map.add_layer).parameters) == ["self", "layer"]
    assert alidade.rasters.read_datasets.__doc__ and alidade.rasters.read_datasets.__module__ == "alidade.rasters"
