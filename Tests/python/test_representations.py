"""What a console and a notebook show of objects."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import alidade
from conftest import Scene

SQUARE = "POLYGON((0 50, 1 50, 1 51, 0 51, 0 50), (0.2 50.2, 0.4 50.2, 0.4 50.4, 0.2 50.2))"


def test_reprs_say_what_it_is(scene: Scene, runtime: alidade.Runtime) -> None:
    reference = alidade.SpatialReference(runtime, 27700)
    square = alidade.Geometry.from_wkt(runtime, SQUARE, 4326)
    array = alidade.GeometryArray.from_geometries(runtime, [square, square])
    overlay = alidade.GraphicsOverlay(runtime, name="turbines")
    found = {
        reference: "<SpatialReference EPSG:27700 'OSGB36 / British National Grid' (projected, metre)>",
        square: "<Geometry polygon of 9 vertices, EPSG:4326>",
        alidade.Geometry.from_wkt(runtime, "POINT(1.5 2)"): "<Geometry point (1.5, 2), no spatial reference>",
        alidade.Geometry.from_wkt(runtime, "LINESTRING EMPTY"): "<Geometry polyline empty, no spatial reference>",
        array: "<GeometryArray of 2 geometries with 18 vertices, EPSG:4326>",
        square.prepared(): "<PreparedGeometry of <Geometry polygon of 9 vertices, EPSG:4326>>",
        overlay: "<GraphicsOverlay 'turbines' with 0 graphics>",
        scene.map: "<Map with 1 layers, EPSG:3857>",
    }
    for item, expected in found.items():
        assert repr(item) == expected
    assert "Transformation EPSG:1314 'OSGB36 to WGS 84 (6)', accuracy 2 m" in repr(
        alidade.Transformation.from_code(runtime, 1314)
    )
    assert "of 9, the best: " in repr(alidade.TransformationList(reference, 4326))
    assert repr(scene.view).endswith("200 x 100 DIP, scale 1:100000>")
    assert repr(alidade.View(alidade.Map(runtime))).endswith(", not ready>")
    assert "GDAL" in repr(runtime) and "objects" in repr(runtime)
    assert "9 points: " in repr(square.project(27700).receipt)
    request = scene.view.identify_async((100, 50))
    request.result()
    assert repr(request) == "<Request identify, succeeded>"
    layer = alidade.FeatureLayer.from_path(runtime, "none.geojson")
    layer.name = "a <name>"
    assert repr(layer) == "<FeatureLayer 'a <name>' of 'none.geojson', not_loaded>"
    group = alidade.GroupLayer(runtime)
    group.append(layer)
    assert "a &lt;name&gt;" in group._repr_html_() and "not_loaded" in group._repr_html_()


def test_reprs_never_raise(scene: Scene) -> None:
    items = [scene.map, scene.view, scene.layer, scene.raster]
    with alidade.Runtime() as other:
        items += [alidade.Geometry.from_wkt(other, "POINT(1 2)"), alidade.Map(other), alidade.SpatialReference(other, 4326)]
        lent = alidade.Map(other, 4326).spatial_reference
    for item in (*items[4:], lent):
        assert repr(item).endswith(" released>")
    assert "not created" in repr(alidade.Geometry.__new__(alidade.Geometry))


def test_tables(scene: Scene, runtime: alidade.Runtime, tmp_path: Path) -> None:
    listed = alidade.TransformationList(27700, 4326)
    path = tmp_path / "points.geojson"
    path.write_text(
        '{"type": "FeatureCollection", "features": ['
        '{"type": "Feature", "properties": {"name": "<b>"}, "geometry": {"type": "Point", "coordinates": [0, 50]}}]}'
    )
    features = alidade.FeatureSource(runtime, path).query()
    tables = {
        listed: "OSGB36 to WGS 84 (6)",
        scene.map: "Shasta_Elevation.tif",
        features: "&lt;b&gt;",
        scene.view.identify_layer(scene.layer, (100, 50)): "Band 1",
        alidade.Geometry.from_wkt(runtime, "POINT(-1 52)", 4326).project(27700).receipt: "Ballpark",
    }
    for item, text in tables.items():
        table = item._repr_html_()
        assert text in table, table
        xml.fromstring(table)


def test_svg_of_geometries(runtime: alidade.Runtime) -> None:
    square = alidade.Geometry.from_wkt(runtime, SQUARE, 4326)
    drawing = square._repr_svg_()
    root = xml.fromstring(drawing)
    paths = [element.attrib["d"] for element in root.iter() if element.tag.endswith("path")]
    assert len(paths) == 1 and paths[0].count("M") == 2 and paths[0].count("Z") == 2
    # y is up: the lower left corner is at the bottom of the picture.
    assert "M10.00,290.00" in paths[0] and root.attrib["height"] == "300"
    for wkt, count in (("MULTIPOINT(1 1, 2 2)", 2), ("GEOMETRYCOLLECTION(POINT(1 1), LINESTRING(0 0, 1 1))", 2), ("POINT(3 4)", 1)):
        drawn = xml.fromstring(alidade.Geometry.from_wkt(runtime, wkt)._repr_svg_())
        assert sum(element.tag.endswith(("circle", "path")) for element in drawn.iter()) == count
    assert alidade.Geometry.from_wkt(runtime, "POLYGON EMPTY")._repr_svg_() is None
    array = alidade.GeometryArray.from_geometries(runtime, [square, square.buffer(0.1)])
    assert array._repr_svg_().count("<path") == 2


@pytest.fixture()
def pyplot() -> Any:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def drawn_pixels(view: alidade.View) -> np.ndarray:
    """The picture of a view as a notebook shows it, of shape (rows, columns, 4)."""
    from io import BytesIO

    from matplotlib import image

    return (image.imread(BytesIO(view._repr_png_())) * 255).astype(np.uint8)


def test_the_picture_of_a_view_is_the_pixels_of_its_raster(scene: Scene, pyplot: Any) -> None:
    scene.view.set_viewpoint(scale=20_000)
    drawn, read = drawn_pixels(scene.view), scene.view.read_rgba(scene.layer)
    assert drawn.shape == read.shape and read[..., 3].min() == 255
    assert np.abs(drawn[..., :3].astype(int) - read[..., :3]).max() <= 2


def test_plot_draws_a_raster_with_its_opacity_once(scene: Scene, pyplot: Any) -> None:
    scene.view.set_viewpoint(scale=20_000)
    opaque = drawn_pixels(scene.view)[..., :3].astype(int)
    scene.layer.opacity = 0.4
    # On white paper.
    assert np.abs(drawn_pixels(scene.view)[..., :3] - (0.4 * opaque + 0.6 * 255)).max() <= 2


def test_plot_draws_the_layers_that_are_given(scene: Scene, pyplot: Any) -> None:
    counts = [len(scene.view.plot(layers=layers).images) for layers in (None, [scene.layer], [])]
    assert counts == [1, 1, 0]


def test_plot_draws_dashes_of_the_lengths_in_the_header(scene: Scene, runtime: alidade.Runtime, pyplot: Any) -> None:
    view, symbol = scene.view, alidade.LineSymbol((255, 0, 0), 4, alidade.graphics.LineStyle.DASH)
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(symbol))
    line = alidade.Geometry.from_coordinates(
        runtime, alidade.geometry.GeometryKind.POLYLINE, view.screen_to_map([(0, 50), (196, 50)]), spatial_reference=3857
    )
    overlay.add(line)
    view.add_overlay(overlay)
    # A stroke of 4 widths and a gap of 3, seven times.
    row = drawn_pixels(view)[50, :196].astype(int)
    is_red = (np.abs(row[:, :3] - (255, 0, 0)).max(axis=1) < 60).reshape(7, 28)
    assert is_red[:, 1:15].all() and not is_red[:, 17:27].any()


def test_plot_draws_overlays_and_features(scene: Scene, runtime: alidade.Runtime, pyplot: Any, tmp_path: Path) -> None:
    view = scene.view
    scene.layer.visible = False
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(alidade.FillSymbol((255, 0, 0))))
    corners = view.screen_to_map([(50, 20), (150, 20), (150, 80), (50, 80)])
    overlay.add(alidade.Geometry.from_coordinates(runtime, alidade.geometry.GeometryKind.POLYGON, corners))
    marker = alidade.MarkerSymbol((0, 0, 255), size_dip=20, style=alidade.graphics.MarkerStyle.SQUARE)
    overlay.add(alidade.Geometry.from_coordinates(runtime, alidade.geometry.GeometryKind.POINT, view.screen_to_map((20, 50))[0]), symbol=marker)
    cross = alidade.MarkerSymbol((255, 0, 255), 16, alidade.graphics.MarkerStyle.CROSS, alidade.LineSymbol((9, 9, 9), 4))
    overlay.add(alidade.Geometry.from_coordinates(runtime, alidade.geometry.GeometryKind.POINT, view.screen_to_map((180, 20))[0]), symbol=cross)
    view.add_overlay(overlay)
    path = tmp_path / "line.geojson"
    line = alidade.Geometry.from_coordinates(
        runtime, alidade.geometry.GeometryKind.POLYLINE, view.screen_to_map([(0, 90), (200, 90)]), spatial_reference=3857
    )
    path.write_text(line.project(4326).geometry.to_geojson())
    symbol = alidade.LineSymbol((0, 128, 0), width_dip=6)
    layer = alidade.FeatureLayer.from_path(runtime, path, renderer=alidade.SimpleRenderer(symbol))
    scene.map.add_layer(layer)
    pixels = drawn_pixels(view)
    assert tuple(pixels[50, 100, :3]) == (255, 0, 0)
    assert tuple(pixels[50, 20, :3]) == (0, 0, 255) and tuple(pixels[58, 28, :3]) == (0, 0, 255)
    assert tuple(pixels[50, 32, :3]) == (255, 255, 255)
    assert tuple(pixels[20, 174, :3]) == (255, 0, 255) and tuple(pixels[14, 174, :3]) == (255, 255, 255)
    assert tuple(pixels[90, 100, :3]) == (0, 128, 0) and tuple(pixels[94, 100, :3]) == (255, 255, 255)
    overlay.select(overlay.ids)
    assert tuple(drawn_pixels(view)[50, 20, :3]) == (0, 255, 255)
    axes = view.plot()
    assert axes.get_ylim() == (100, 0) and len(axes.patches) >= 3
    assert view.plot(axes) is axes
    assert len(line.plot(color="red").patches) == 1
    array = alidade.GeometryArray.from_geometries(runtime, [line.buffer(10), line.buffer(20)])
    assert len(array.plot().patches) == 2


def test_plot_without_matplotlib(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install alidade-map\[plot\]"):
        scene.view.plot()
    assert scene.view._repr_png_() is None
