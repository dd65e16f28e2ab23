"""Identify: elements, attributes and texts."""

from __future__ import annotations

import gc
import json
from pathlib import Path

import numpy as np
import pytest

import alidade
from alidade.identify import AttributeRole, AttributeType
from alidade.rasters import CellVerdict
from conftest import Scene, make_scene


def test_element(scene: Scene) -> None:
    result = scene.view.identify_layer(scene.layer, (100, 50))
    assert len(result) == 1 and result[0].layer is scene.layer
    assert result.map_point == pytest.approx(scene.view.state.center)
    (element,) = result
    assert result[0] is element
    cell, values = scene.view.cell_at(scene.layer, (100, 50))
    assert (element.cell.column, element.cell.row) == (cell["column"][0], cell["row"][0])
    assert element.cell.verdict is CellVerdict.VALUE
    assert element.cell.values.tobytes() == values[0].tobytes()
    assert element.cell.has_map_polygon
    assert element.cell.polygon.shape == element.cell.raster_polygon.shape == (5, 2)
    assert np.array_equal(element.cell.polygon[0], element.cell.polygon[4])
    assert element.cell.extent.x_min == element.cell.polygon[:, 0].min()
    assert element.cell.extent.x_min < element.cell.center[0] < element.cell.extent.x_max


def test_attributes(scene: Scene) -> None:
    (element,) = scene.view.identify_layer(scene.layer, (100, 50))
    (attribute,) = element.attributes
    assert attribute.role is AttributeRole.BAND_VALUE and attribute.band == 1
    assert attribute.type is AttributeType.REAL and isinstance(attribute.value, float)
    assert attribute.value == element.cell.values["scaled"][0]
    assert element.attribute(attribute.name) == element.attribute(attribute.name.upper()) == attribute
    assert dict(element) == {attribute.name: attribute.value} and element[attribute.name.upper()] == attribute.value
    assert len(element) == 1 and attribute.name in element and "no such" not in element
    assert element.get("no such", 7) == 7 and attribute.name in repr(element)
    assert element.text.startswith(f"{attribute.name}: {attribute.text}\n")
    lines = element.text.splitlines()
    assert lines[-2].startswith("X: ") and lines[-1].startswith("Y: ")


def test_three_bands(runtime: alidade.Runtime) -> None:
    scene = make_scene(runtime, "RGB.byte.tif", 1e6)
    (element,) = scene.view.identify_layer(scene.layer, (100, 50))
    assert [a.band for a in element.attributes] == [1, 2, 3]
    assert all(isinstance(a.value, int) for a in element.attributes)


def test_table_columns_are_attributes(runtime: alidade.Runtime) -> None:
    scene = make_scene(runtime, "lc.tif", 1e5)
    (element,) = scene.view.identify_layer(scene.layer, (100, 50))
    columns = {c.name for c in scene.raster.table_columns()}
    assert {a.name for a in element.attributes if a.role is AttributeRole.TABLE_COLUMN} == columns
    assert len({a.name for a in element.attributes}) == len(element.attributes)


def test_complex_attribute(runtime: alidade.Runtime) -> None:
    scene = make_scene(runtime, "cfloat32.tif", 1e4)
    (element,) = scene.view.identify_layer(scene.layer, (100, 50))
    assert isinstance(element.attributes[0].value, complex)


def test_outside(scene: Scene) -> None:
    scene.view.set_viewpoint(center=(0, 0))
    result = scene.view.identify_layer(scene.layer, (100, 50))
    assert len(result) == 0 and list(result) == []
    with pytest.raises(IndexError):
        result[0]


def test_empty_cells(runtime: alidade.Runtime) -> None:
    scene = make_scene(runtime, "RGB.byte.tif", 1e6)
    corner = scene.raster.outline(scene.map.spatial_reference)[0]
    scene.view.set_viewpoint(center=corner + (500, -500), scale=10_000)
    (element,) = scene.view.identify_layer(scene.layer, (100, 50))
    assert element.cell.verdict is CellVerdict.NODATA
    assert all(a.value is None and a.type is AttributeType.NULL for a in element.attributes)
    assert len(scene.view.identify_layer(scene.layer, (100, 50), skip_empty_cells=True)) == 0


def test_elements_outlive_their_result(scene: Scene) -> None:
    result = scene.view.identify_layer(scene.layer, (100, 50))
    (element,) = result
    attributes = element.attributes
    result.release()
    del result
    gc.collect()
    assert attributes[0].text in element.text
    assert np.isfinite(element.cell.values["value"]).all()
    with pytest.raises(alidade.errors.InvalidHandleError):
        element["Band 1"]


def test_element_keeps_its_result(scene: Scene) -> None:
    element = scene.view.identify_layer(scene.layer, (100, 50))[0]
    gc.collect()
    assert element.attribute("band 1").band == 1


def test_arguments(runtime: alidade.Runtime, scene: Scene) -> None:
    identify = scene.view.identify_layer
    assert len(identify(scene.layer, np.array([100.0, 50.0]), 5, alidade.identify.ALL)) == 1
    for call in (
        lambda: identify(scene.layer, (np.nan, 0)),
        lambda: identify(scene.layer, (0, 0), tolerance_dip=-1),
        lambda: identify(scene.layer, (0, 0), max_results=-1),
        lambda: identify(scene.layer, (0, 0, 0)),
        lambda: identify(alidade.RasterLayer(scene.raster), (0, 0)),
    ):
        with pytest.raises(ValueError):
            call()


def test_popups(scene: Scene) -> None:
    assert scene.view.identify((100, 50))[0].popup is None
    (attribute,) = scene.view.identify((100, 50))[0].attributes
    fields = [
        alidade.identify.PopupField(attribute.name, label="Height", decimals=1, decimal_separator=",", digit_separator="."),
        alidade.identify.PopupField("no such"),
    ]
    title = f"{{{attribute.name.lower()}}} m"
    scene.layer.set_popup_definition(alidade.PopupDefinition(title, "{{{no such}}}", fields))
    (element,) = scene.view.identify((100, 50), popups_only=True)
    # As Python's own format writes it, with the separators of German.
    text = f"{element[attribute.name]:,.1f}".translate({ord(","): ".", ord("."): ","})
    assert element.popup == alidade.Popup(f"{text} m", "{{no such}}", (("Height", text), ("no such", "")))
    scene.layer.set_popup_definition(alidade.PopupDefinition())
    (element,) = scene.view.identify((100, 50))
    assert element.popup == alidade.Popup("", "", ((attribute.name, attribute.text),))
    scene.layer.set_popup_definition(None)
    result = scene.view.identify((100, 50), popups_only=True)
    assert len(result) == 0 and result.parts[0].reasons == alidade.identify.MissReasonFlags.NO_POPUP
    why = scene.view.why_not(scene.layer, (100, 50), popups_only=True)
    assert why.reasons == alidade.identify.MissReasonFlags.NO_POPUP


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        (alidade.PopupDefinition("{"), "title"),
        (alidade.PopupDefinition(text="a } b"), "text"),
        (alidade.PopupDefinition(fields=[alidade.identify.PopupField("")]), "no name"),
        (alidade.PopupDefinition(fields=[alidade.identify.PopupField("a", decimals=18)]), "18 decimals"),
        (alidade.PopupDefinition(fields=[alidade.identify.PopupField("a", date_format="%Q")]), "%Q"),
    ],
)
def test_popup_definitions_that_are_refused(scene: Scene, definition: alidade.PopupDefinition, words: str) -> None:
    with pytest.raises(alidade.errors.InvalidArgumentError, match=words):
        scene.layer.set_popup_definition(definition)
    with pytest.raises((ValueError, TypeError, alidade.AlidadeError)):
        scene.layer.set_popup_definition(alidade.PopupDefinition(fields=[alidade.identify.PopupField("a", decimals=-1)]))


# Attributes of what a drawing has read


@pytest.mark.parametrize("limit", [0, 1 << 23], ids=["kept", "too large to be kept"])
@pytest.mark.parametrize("by", [None, "number"], ids=["simple", "by value"])
@pytest.mark.parametrize("kind", ["texts", "lists"])
def test_attributes_of_drawn_features(tmp_path: Path, limit: int, by: str | None, kind: str) -> None:
    """Attributes that take so much memory that the drawing does not keep them are read when a feature is tapped on."""
    names = [f"{number:04} " + "ab" * 3000 for number in range(400)]
    features = [
        {
            "type": "Feature",
            "properties": {"number": n, "name": [name, "b"] if kind == "lists" else name, "empty": None, "half": n / 2},
            "geometry": {"type": "Point", "coordinates": [n % 20, n // 20]},
        }
        for n, name in enumerate(names)
    ]
    path = tmp_path / "large.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    with alidade.Runtime(policy=alidade.Policy(max_request_bytes=limit)) as runtime:
        reference = alidade.SpatialReference(runtime, "EPSG:4326")
        view = alidade.View(alidade.Map(runtime, reference), 400, 400)
        marker = alidade.MarkerSymbol((1, 1, 1), 6)
        renderer = (
            alidade.SimpleRenderer(marker)
            if by is None
            else alidade.graphics.UniqueValueRenderer([by], [([n], marker) for n in range(400)])
        )
        layer = alidade.FeatureLayer(alidade.FeatureSource(runtime, path), renderer)
        view.map.add_layer(layer)
        view.set_viewpoint((9.5, 9.5), scale=3e7)
        assert len(view.feature_drawing(layer)) == 400
        for number in (0, 7, 211, 399):
            at = view.map_to_screen([(number % 20, number // 20)])[0]
            (element,) = view.identify_layer(layer, at, 1)
            assert element.id == number
            assert [attribute.name for attribute in element.attributes] == ["number", "name", "empty", "half"]
            name = [names[number], "b"] if kind == "lists" else names[number]
            assert dict(element)["name"] == name and element["number"] == number and element["empty"] is None
            assert element["half"] == number / 2
