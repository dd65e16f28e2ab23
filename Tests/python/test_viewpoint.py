"""Viewpoints: conversions, JSON, bookmarks, and where views look first."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import alidade
from alidade import Envelope, Viewpoint
from conftest import RASTERS, Scene

# As the specification of web maps has them.
CENTRAL_PARK = """{
  "rotation": 45,
  "scale": 9027,
  "targetGeometry": {
    "spatialReference": {"latestWkid": 3857, "wkid": 102100},
    "xmin": -8237304.65218491, "ymin": 4977090.890664136, "xmax": -8230616.412209966, "ymax": 4983588.038068367
  }
}"""


def test_json_of_web_maps(runtime: alidade.Runtime) -> None:
    viewpoint = Viewpoint.from_json(runtime, CENTRAL_PARK)
    assert viewpoint.extent == Envelope(-8237304.65218491, 4977090.890664136, -8230616.412209966, 4983588.038068367)
    assert viewpoint.scale == 9027 and viewpoint.center is None and viewpoint.geometry is None
    assert viewpoint.spatial_reference is not None and viewpoint.spatial_reference.info.code == "3857"
    # North lies 45 degrees clockwise of the top, so that north-west is up.
    assert viewpoint.rotation_deg == 315
    assert json.loads(viewpoint.to_json(runtime)) == json.loads(CENTRAL_PARK)


@pytest.mark.parametrize(
    "text",
    [
        '{"targetGeometry": {"x": 1.5, "y": -2.25, "spatialReference": {"wkid": 4326}}, "scale": 1e6}',
        '{"targetGeometry": {"points": [[1, 2], [3.5, 4]], "spatialReference": {"wkid": 27700}}}',
        '{"targetGeometry": {"paths": [[[1, 2], [3, 4]], [[5, 6], [7, 8], [9, 1e300]]]}, "rotation": 10}',
        # Shells clockwise, and a hole.
        '{"targetGeometry": {"rings": [[[0, 0], [0, 9], [9, 9], [9, 0], [0, 0]], [[1, 1], [2, 1], [2, 2], [1, 1]],'
        ' [[20, 0], [20, 1], [21, 1], [20, 0]]], "spatialReference": {"wkid": 102003}}}',
        '{"rotation": 0}',
        "{}",
    ],
)
def test_json_and_back(runtime: alidade.Runtime, text: str) -> None:
    assert json.loads(Viewpoint.from_json(runtime, text).to_json(runtime)) == json.loads(text)


def test_rings_become_polygons_with_holes(runtime: alidade.Runtime) -> None:
    rings = {
        "rings": [
            [[1, 1], [2, 1], [2, 2], [1, 1]],
            [[0, 0], [0, 9], [9, 9], [9, 0], [0, 0]],
            [[20, 0], [20, 1], [21, 1]],
        ]
    }
    found = Viewpoint.from_json(runtime, json.dumps({"targetGeometry": rings}))
    assert found.geometry is not None
    expected = alidade.Geometry.from_wkt(
        runtime, "MULTIPOLYGON (((0 0, 0 9, 9 9, 9 0, 0 0), (1 1, 2 1, 2 2, 1 1)), ((20 0, 20 1, 21 1, 20 0)))"
    )
    assert found.geometry.equals(expected)


def test_holes_far_from_their_shells_do_not_take_for_ever(runtime: alidade.Runtime) -> None:
    shells = [[[10 * i, 0], [10 * i, 9], [10 * i + 9, 9], [10 * i, 0]] for i in range(20_000)]
    holes = [[[-5, i], [-4, i], [-4, i + 1], [-5, i]] for i in range(20_000)]
    text = json.dumps({"targetGeometry": {"rings": shells + holes}})
    with pytest.raises(alidade.errors.LimitExceededError, match="holes"):
        Viewpoint.from_json(runtime, text)
    # Each behind its shell they are found at once.
    pairs = [ring for i, shell in enumerate(shells) for ring in (shell, [[10 * i + 1, 2], [10 * i + 1, 1], [10 * i + 2, 2]])]
    found = Viewpoint.from_json(runtime, json.dumps({"targetGeometry": {"rings": pairs}})).geometry
    assert found is not None and found.part_count == 20_000


def test_a_spatial_reference_without_a_code(runtime: alidade.Runtime) -> None:
    own = alidade.SpatialReference(runtime, "+proj=laea +lat_0=10 +lon_0=20 +datum=WGS84 +type=crs")
    text = Viewpoint(center=(1, 2), scale=1000, spatial_reference=own).to_json(runtime)
    assert "wkt" in json.loads(text)["targetGeometry"]["spatialReference"]
    again = Viewpoint.from_json(runtime, text).spatial_reference
    assert again is not None and np.allclose(
        own.project([(5e5, 6e5)], again).points, [(5e5, 6e5)], rtol=0, atol=1e-6
    )


def test_errors_name_the_place(runtime: alidade.Runtime) -> None:
    with pytest.raises(alidade.errors.InvalidArgumentError, match="line 2"):
        Viewpoint.from_json(runtime, '{"scale": 1,\n "rotation": x}')
    with pytest.raises(alidade.errors.InvalidArgumentError, match="rings"):
        Viewpoint.from_json(runtime, '{"targetGeometry": {"rings": [[[0, 0], [1, 1]]]}}')
    with pytest.raises(alidade.errors.NotFoundError, match="wkid"):
        Viewpoint.from_json(runtime, '{"targetGeometry": {"x": 1, "y": 2, "spatialReference": {"wkid": 99}}}')


def test_a_place_on_earth(scene: Scene, runtime: alidade.Runtime) -> None:
    scene.view.move_to(Viewpoint.at(runtime, 0, 180, 5000))
    assert scene.view.state.scale == 5000
    assert scene.view.state.center == pytest.approx((20037508.342789244, 0), abs=1e-6)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        Viewpoint.at(runtime, 91, 0, 5000)


@pytest.mark.parametrize(("code", "metres"), [(3857, math.pi * 6378137 / 180), (4326, 1)])
def test_copies_of_the_world(runtime: alidade.Runtime, code: int, metres: float) -> None:
    """A neighbouring copy is named in the map's own coordinates and by a longitude alike."""
    degrees = alidade.SpatialReference.from_code(runtime, 4269)
    view = alidade.View(alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, code)), 400, 300)
    for longitude in [-181, 181, 541, 170, 180, -180]:
        view.set_viewpoint(center=(longitude * metres, 0), scale=1e8)
        assert view.viewpoint.center == pytest.approx((longitude * metres, 0))
        view.set_viewpoint(center=(longitude, 0), spatial_reference=degrees)
        assert view.viewpoint.center == pytest.approx((longitude * metres, 0))


def test_centre_and_scale_become_a_geometry_and_back(scene: Scene) -> None:
    view = scene.view
    view.set_viewpoint((1000, 2000), scale=50_000, rotation_deg=33)
    before = view.viewpoint
    area = view.visible_area()
    view.set_viewpoint((0, 0), scale=7)
    view.zoom_to_geometry(area)
    after = view.viewpoint
    assert after.center == pytest.approx(before.center) and after.scale == pytest.approx(before.scale)
    # Of a viewpoint that the view does not have.
    planned = view.visible_area(Viewpoint(center=(5, 6), scale=96 / 0.0254, rotation_deg=0))
    box = planned.envelope
    assert (box.x_min, box.y_min, box.x_max, box.y_max) == pytest.approx((-95, -44, 105, 56))
    assert view.viewpoint == after


def test_bookmarks(scene: Scene, runtime: alidade.Runtime) -> None:
    map = scene.map
    assert map.bookmark_names == ()
    line = alidade.Geometry.from_wkt(runtime, "LINESTRING (0 0, 9 9)", map.spatial_reference)
    map.add_bookmark("line", Viewpoint(geometry=line))
    map.add_bookmark("here", scene.view.viewpoint)
    assert map.bookmark_names == ("line", "here")
    assert map.bookmark("line").geometry == line and map.bookmark("here").scale == scene.view.state.scale
    del line
    scene.view.move_to(map.bookmark("line"))
    assert scene.view.state.center == pytest.approx((4.5, 4.5))
    scene.view.move_to(map.bookmark("here"))
    with pytest.raises(alidade.errors.InvalidStateError):
        map.add_bookmark("line", Viewpoint())
    map.remove_bookmark("line")
    assert map.bookmark_names == ("here",)
    with pytest.raises(alidade.errors.NotFoundError):
        map.bookmark("line")


def test_views_look_at_the_lowest_layer_first(runtime: alidade.Runtime) -> None:
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    view = alidade.View(map, 800, 600)
    with pytest.raises(alidade.errors.NotReadyError):
        view.state
    raster = alidade.Raster(runtime, RASTERS / "Shasta_Elevation.tif")
    layer = alidade.RasterLayer(raster)
    map.add_layer(layer)
    assert map.initial_viewpoint is None
    extent, reference = raster.info.extent, raster.spatial_reference
    assert reference is not None
    corners = [(x, y) for x in (extent.x_min, extent.x_max) for y in (extent.y_min, extent.y_max)]
    screen = view.map_to_screen(reference.project(corners, map.spatial_reference).points)
    # All of it is there, and it touches two sides.
    assert screen.min() > -1 and (screen <= (801, 601)).all()
    assert abs(screen[:, 0].min()) < 1 or abs(screen[:, 1].min()) < 1
    assert view.layer_coverage(layer) > 0.3


def test_what_the_host_sets_first_stays(runtime: alidade.Runtime) -> None:
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    map.set_initial_viewpoint(Viewpoint(extent=(0, 0, 1000, 1000), rotation_deg=45))
    assert map.initial_viewpoint == Viewpoint(extent=Envelope(0, 0, 1000, 1000), rotation_deg=45)
    view = alidade.View(map)
    view.set_viewpoint(rotation_deg=90)
    view.set_size(100, 100)
    assert view.state.rotation_deg == 90 and view.state.center == pytest.approx((500, 500))
    assert view.state.units_per_dip == pytest.approx(10)
    other = alidade.View(map, 100, 100)
    other.set_viewpoint(scale=5000)
    assert other.state.scale == 5000 and other.state.rotation_deg == 45
    # A view that has a viewpoint keeps it.
    map.set_initial_location(50, 10, 1e6)
    assert view.state.center == pytest.approx((500, 500))
    again = map.initial_viewpoint
    assert again is not None and again.center == (10, 50) and again.scale == 1e6
    assert again.spatial_reference is not None and again.spatial_reference.info.code == "4326"
    map.set_initial_viewpoint(None)
    assert map.initial_viewpoint is None
