"""Graphics overlays against outside truth: order, symbols, screen coordinates, what is in sight, and undo."""
import math
import random
import shutil
import signal

import alidade
import numpy
import pyproj
import pytest

from camera import Camera, metres_per_unit

RED = alidade.MarkerSymbol((255, 0, 0), 10)
BLUE = alidade.MarkerSymbol((0, 0, 255), 6)
GREEN = alidade.MarkerSymbol((0, 128, 0), 4)
LINE = alidade.LineSymbol((1, 2, 3), 2)
WEB_MERCATOR_WIDTH = 2 * math.pi * 6378137


@pytest.fixture()
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


def reference(runtime, code):
    return alidade.SpatialReference.from_code(runtime, code)


def make_view(runtime, code, camera):
    view = alidade.View(alidade.Map(runtime, reference(runtime, code)), *camera.size)
    view.set_viewpoint(camera.centre, scale=camera.scale, rotation_deg=camera.rotation_deg)
    return view


def camera_on(code, centre, scale, rotation_deg=0.0, size=(800.0, 600.0)):
    crs = pyproj.CRS.from_epsg(code)
    middle = pyproj.Transformer.from_crs(4326, crs, always_xy=True).transform(*centre)
    return Camera(middle, scale, rotation_deg, size, metres_per_unit=metres_per_unit(crs))


def points(runtime, xy, code=4326):
    return alidade.GeometryArray.from_columns(
        runtime, xy, kind=alidade.geometry.GeometryKind.POINT, spatial_reference=reference(runtime, code)
    )


# Order


def test_draw_order_is_by_z_index_and_then_by_insertion(runtime):
    generator = numpy.random.default_rng(7)
    camera = camera_on(3857, (10, 50), 1e7)
    view = make_view(runtime, 3857, camera)
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(RED))
    view.add_overlay(overlay)
    expected = []
    for _ in range(8):
        count = int(generator.integers(1, 60))
        z = generator.integers(-3, 4, count)
        xy = generator.uniform((9, 49), (11, 51), (count, 2))
        expected += list(zip(z.tolist(), overlay.add_many(points(runtime, xy), z_index=z)))
    dropped = set(generator.choice([i for _, i in expected], 40, replace=False).tolist())
    overlay.remove(dropped)
    raised = [i for _, i in expected if i not in dropped][::5]
    overlay.update(raised, z_index=2)
    expected = [(2 if i in raised else z, i) for z, i in expected if i not in dropped]
    order = [i for _, i in sorted(expected)]
    assert overlay.ids == order
    assert view.overlay_drawing().columns.graphic_ids.tolist() == order


def test_overlays_are_drawn_one_over_the_other(runtime):
    camera = camera_on(3857, (10, 50), 1e7)
    view = make_view(runtime, 3857, camera)
    overlays = [alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(RED), name=name) for name in "abc"]
    for overlay in overlays:
        overlay.add_many(points(runtime, [[10, 50], [10.1, 50]]))
        view.insert_overlay(0, overlay)
    a, b, c = overlays
    assert view.overlays == (c, b, a)
    view.move_overlay(c, 2)
    assert view.overlays == (b, a, c)
    drawing = view.overlay_drawing()
    assert [part.overlay for part in drawing.overlays] == [b, a, c]
    assert [part.items for part in drawing.overlays] == [range(0, 2), range(2, 4), range(4, 6)]
    assert drawing.columns.overlay_indexes.tolist() == [0, 0, 1, 1, 2, 2]
    assert [part.overlay.name for part in view.overlay_drawing(a).overlays] == ["a"]
    view.remove_overlay(a)
    assert view.overlays == (b, c)
    with pytest.raises(alidade.errors.NotFoundError):
        view.overlay_drawing(a)
    with pytest.raises(alidade.errors.InvalidStateError):
        view.add_overlay(b)
    view.insert_overlay(1, a)
    assert view.overlays == (b, a, c)


def test_overlays_outlive_their_release_in_a_view_and_leave_with_it(runtime):
    camera = camera_on(3857, (10, 50), 1e7)
    view = make_view(runtime, 3857, camera)
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(RED))
    overlay.add_many(points(runtime, [[10, 50]]))
    view.add_overlay(overlay)
    overlay.release()
    assert len(view.overlay_drawing()) == 1
    kept = alidade.GraphicsOverlay(runtime)
    other = make_view(runtime, 3857, camera)
    other.add_overlay(kept)
    other.release()
    del other
    view.add_overlay(kept)
    assert len(view.overlays) == 2


# Positions


@pytest.mark.parametrize(
    ("map_code", "source", "centre", "scale", "rotation"),
    [
        (3857, 4326, (10, 50), 5e6, 0),
        (3857, 4326, (10, 50), 5e6, 37),
        (27700, 4326, (-2, 53), 2e6, 200),
        (27700, 3857, (-2, 53), 2e6, 90),
        (32633, 25832, (12, 52), 1e6, 300),
        (4326, 3857, (-70, -20), 1e7, 12),
        (32038, 4326, (-98, 33), 5e6, 0),
    ],
)
def test_screen_coordinates_are_those_of_pyproj_and_the_camera(runtime, map_code, source, centre, scale, rotation):
    generator = numpy.random.default_rng(11)
    camera = camera_on(map_code, centre, scale, rotation)
    view = make_view(runtime, map_code, camera)
    overlay = alidade.GraphicsOverlay(runtime)
    view.add_overlay(overlay)
    to_source = pyproj.Transformer.from_crs(4326, source, always_xy=True)
    to_map = pyproj.Transformer.from_crs(source, map_code, always_xy=True)
    xy = numpy.column_stack(to_source.transform(*generator.uniform(-1.5, 1.5, (2, 600)) + numpy.array(centre)[:, None]))
    shapes = alidade.GeometryArray.from_columns(
        runtime,
        xy,
        kinds=[1] * 100 + [2] * 10 + [3] * 20,
        part_offsets=[*range(101), *range(101, 111), *range(112, 152, 2)],
        path_offsets=range(151),
        vertex_offsets=[*range(101), *range(110, 201, 10), *range(210, 601, 10)],
        spatial_reference=reference(runtime, source),
    )
    overlay.add_many(shapes, symbols=[RED] * 110 + [LINE] * 20)
    drawing = view.overlay_drawing(keep_outside=True)
    assert drawing.counts == alidade.graphics.OverlayCounts(130, 0, 0, 0, 0, 0, 0)
    expected = camera.to_screen(numpy.column_stack(to_map.transform(*xy.T)))
    columns = drawing.columns
    assert columns.kinds.tolist() == [1] * 100 + [2] * 10 + [3] * 20
    assert columns.part_offsets.tolist() == shapes.columns.part_offsets.tolist()
    assert columns.path_offsets.tolist() == shapes.columns.path_offsets.tolist()
    assert columns.vertex_offsets.tolist() == shapes.columns.vertex_offsets.tolist()
    # What a micrometre on the map is on the screen, and the rounding of coordinates of 1e7 units.
    assert numpy.abs(columns.screen_xy - expected).max() < 1e-5
    # And exactly what the view itself returns for the projected points.
    projected = alidade.project_coordinates(
        reference(runtime, source), reference(runtime, map_code), x=xy[:, 0], y=xy[:, 1]
    )
    own = view.map_to_screen(numpy.column_stack([projected.x, projected.y]))
    assert numpy.array_equal(columns.screen_xy, own)


def test_polygons_keep_their_rings(runtime):
    camera = camera_on(3857, (0, 0), 1e7)
    view = make_view(runtime, 3857, camera)
    fill = alidade.FillSymbol((255, 255, 0, 153), alidade.LineSymbol((0, 128, 0), 3))
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(fill))
    view.add_overlay(overlay)
    text = "MULTIPOLYGON (((0 0, 9 0, 9 9, 0 9, 0 0), (2 2, 3 2, 3 3, 2 2)), ((20 0, 21 0, 21 1, 20 0)))"
    overlay.add(alidade.Geometry.from_wkt(runtime, text, reference(runtime, 4326)))
    (item,) = view.overlay_drawing(keep_outside=True)
    assert [[len(ring) for ring in part] for part in item.parts] == [[5, 4], [4]]
    assert all(numpy.array_equal(ring[0], ring[-1]) for part in item.parts for ring in part)
    assert item.symbol == alidade.FillSymbol((255, 255, 0, 153), alidade.LineSymbol((0, 128, 0, 255), 3))


def test_collections_are_drawn_as_far_as_the_symbol_draws_them(runtime):
    camera = camera_on(3857, (0, 0), 1e7)
    view = make_view(runtime, 3857, camera)
    overlay = alidade.GraphicsOverlay(runtime)
    view.add_overlay(overlay)
    nested = alidade.Geometry.from_wkt(
        runtime,
        "GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (0 0, 1 1), GEOMETRYCOLLECTION (MULTIPOINT (2 2, 3 3), "
        "POLYGON ((0 0, 1 0, 1 1, 0 0))), POINT EMPTY)",
        reference(runtime, 4326),
    )
    kinds = alidade.geometry.GeometryKind
    wanted = {
        overlay.add(nested, symbol=RED): [kinds.POINT, kinds.MULTIPOINT],
        overlay.add(nested, symbol=LINE): [kinds.POLYLINE, kinds.POLYGON],
        overlay.add(nested, symbol=alidade.FillSymbol((1, 1, 1))): [kinds.POLYGON],
    }
    drawing = view.overlay_drawing()
    assert drawing.counts.drawn == 3
    found = {number: [item.kind for item in drawing if item.graphic_id == number] for number in wanted}
    assert found == wanted
    multipoint = next(item for item in drawing if item.kind == kinds.MULTIPOINT)
    to_map = pyproj.Transformer.from_crs(4326, 3857, always_xy=True)
    expected = camera.to_screen(numpy.column_stack(to_map.transform([2, 3], [2, 3])))
    assert numpy.abs(multipoint.parts[0][0] - expected).max() < 1e-6


# In sight


@pytest.mark.parametrize("rotation", [0, 90, 33])
def test_what_is_out_of_sight_is_left_out(runtime, rotation):
    generator = numpy.random.default_rng(5)
    camera = camera_on(27700, (-2, 53), 1e6, rotation)
    view = make_view(runtime, 27700, camera)
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(RED))
    view.add_overlay(overlay)
    xy = numpy.array(camera.centre) + generator.uniform(-4e5, 4e5, (3000, 2))
    ids = overlay.add_many(points(runtime, xy, 27700))
    screen = camera.to_screen(xy)
    # How far a point lies outside of the view, in either direction.
    outside = numpy.maximum(0, numpy.maximum(-screen, screen - numpy.array(camera.size))).max(axis=1)
    drawing = view.overlay_drawing()
    drawn = set(drawing.columns.graphic_ids.tolist())
    # A circle of 10 reaches 5 beyond its point.
    assert drawn >= {i for i, far in zip(ids, outside) if far <= 5}
    assert not drawn & {i for i, far in zip(ids, outside) if far > 12}
    assert drawing.counts.drawn == len(drawn) and drawing.counts.outside == 3000 - len(drawn)
    kept = view.overlay_drawing(keep_outside=True)
    assert kept.counts.drawn == 3000 and kept.counts.outside == 0


def test_a_long_diagonal_is_judged_in_the_turned_view(runtime):
    # The box around the line meets the view's box on the map, and the line's own box on the screen does not.
    camera = camera_on(3857, (0, 0), 1e6, 45)
    view = make_view(runtime, 3857, camera)
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(LINE))
    view.add_overlay(overlay)
    far = camera.to_map([[-100.0, -60.0], [900.0, -60.0]])
    near = camera.to_map([[-100.0, 10.0], [900.0, 10.0]])
    for ends in (far, near):
        line = alidade.Geometry.from_coordinates(
            runtime, alidade.geometry.GeometryKind.POLYLINE, ends, spatial_reference=reference(runtime, 3857)
        )
        last = overlay.add(line)
    assert [item.graphic_id for item in view.overlay_drawing()] == [last]


def test_the_world_repeats_itself(runtime):
    # 2.5 worlds are as wide as the view.
    camera = Camera((0.0, 0.0), 2.5 * WEB_MERCATOR_WIDTH / 800 * 96 / 0.0254, 0.0, (800.0, 600.0))
    view = make_view(runtime, 3857, camera)
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(RED))
    view.add_overlay(overlay)
    at_zero, aside = overlay.add_many(points(runtime, [[0, 0], [100, 0]]))
    drawing = view.overlay_drawing()
    found = {number: [item.parts[0][0][0][0] for item in drawing if item.graphic_id == number] for number in (1, 2)}
    world = 800 / 2.5
    assert found[at_zero] == pytest.approx([400 - world, 400, 400 + world], abs=1e-6)
    # One world further to the east it would lie at 808.
    assert found[aside] == pytest.approx([400 + world * (100 / 360 + k) for k in (-1, 0)], abs=1e-6)
    assert drawing.counts.drawn == 2


@pytest.mark.parametrize("centre", [-180.0, 180.0, 540.0])
def test_lines_across_the_antimeridian_hang_together(runtime, centre):
    camera = Camera((centre / 360 * WEB_MERCATOR_WIDTH, 0.0), 5e7, 0.0, (800.0, 600.0))
    view = make_view(runtime, 3857, camera)
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(LINE))
    view.add_overlay(overlay)
    ring = "POLYGON ((170 -10, 190 -10, 190 10, 170 10, 170 -10))"
    line = "LINESTRING (-170 0, -190 5)"
    for text in (ring, line):
        overlay.add(alidade.Geometry.from_wkt(runtime, text, reference(runtime, 4326)))
    items = list(view.overlay_drawing())
    assert len(items) == 2
    degree = WEB_MERCATOR_WIDTH / 360 / camera.units_per_dip
    for item in items:
        x = item.parts[0][0][:, 0]
        # 20 degrees wide, around the middle of the view, wherever the world is cut.
        assert x.max() - x.min() == pytest.approx(20 * degree, abs=1e-6)
        assert (x.max() + x.min()) / 2 == pytest.approx(400, abs=1e-6)


def test_an_edge_round_half_the_world_is_as_long_as_it_is_given(runtime):
    camera = Camera((0.0, 0.0), 5e8, 0.0, (800.0, 600.0))
    view = make_view(runtime, 3857, camera)
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(LINE))
    view.add_overlay(overlay)
    box = "POLYGON ((-170 -60, 170 -60, 170 60, -170 60, -170 -60))"
    overlay.add(alidade.Geometry.from_wkt(runtime, box, reference(runtime, 4326)))
    degree = WEB_MERCATOR_WIDTH / 360 / camera.units_per_dip
    for item in view.overlay_drawing():
        x = item.parts[0][0][:, 0]
        assert x.max() - x.min() == pytest.approx(340 * degree, abs=1e-6)


@pytest.mark.parametrize("code", [3857, 3395, 3832])
@pytest.mark.parametrize("pole", [-90, 90])
def test_outlines_along_a_pole_are_drawn_on_mercator(runtime, code, pole):
    """Antarctica, and its mirror image: a coast, two meridians, and the pole, which is infinitely far away."""
    generator = numpy.random.default_rng(3)
    coast = [(float(x), math.copysign(70 + 9 * generator.random(), pole)) for x in range(-180, 181, 6)]
    coast[-1] = (180.0, coast[0][1])
    ring = ", ".join(f"{x!r} {y!r}" for x, y in [*coast, (180, pole), (-180, pole), coast[0]])
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(alidade.FillSymbol((1, 2, 3))))
    overlay.add(alidade.Geometry.from_wkt(runtime, f"POLYGON (({ring}))", reference(runtime, 4326)))
    # A point at the pole has no image, as before.
    overlay.add(alidade.Geometry.from_wkt(runtime, f"POINT (0 {pole})", reference(runtime, 4326)), symbol=RED)
    camera = camera_on(code, (20, math.copysign(76, pole)), 8e7)
    view = make_view(runtime, code, camera)
    view.add_overlay(overlay)
    drawing = view.overlay_drawing()
    assert drawing.counts.drawn == 1 and len(drawing.failures) == 1
    # The outline's edges are straight on the map.
    to_map = pyproj.Transformer.from_crs(4326, code, always_xy=True)
    line = numpy.array(sorted(to_map.transform(*place) for place in coast[:-1]))
    hits = 0
    for x, y in generator.random((200, 2)) * camera.size:
        at = camera.to_map((x, y))
        edge = numpy.interp(at[0], line[:, 0], line[:, 1])
        if line[0, 0] <= at[0] <= line[-1, 0]:
            expected = (at[1] - edge) * pole > 0
            hits += expected
            assert (len(view.identify_overlay(overlay, (x, y))) == 1) == expected, at
    assert 20 < hits < 190


def test_scale_limits_are_within(runtime):
    camera = camera_on(3857, (10, 50), 1e6)
    view = make_view(runtime, 3857, camera)
    options = alidade.graphics.GraphicsOverlayOptions(min_scale=1e6, max_scale=1e4)
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(RED), options)
    overlay.add_many(points(runtime, [[10, 50]]))
    view.add_overlay(overlay)
    for scale, is_drawn in ((1e6, 1), (1e6 + 1e-3, 0), (1e5, 1), (1e4, 1), (1e4 - 1e-6, 0)):
        view.set_viewpoint(scale=scale)
        counts = view.overlay_drawing().counts
        assert (counts.drawn, counts.hidden) == (is_drawn, 1 - is_drawn), scale


def test_what_is_not_drawn_is_counted_by_its_reason(runtime):
    camera = camera_on(3857, (0, 0), 1e6)
    view = make_view(runtime, 3857, camera)
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(RED))
    view.add_overlay(overlay)
    wgs84 = reference(runtime, 4326)

    def add(text, spatial_reference=wgs84, **more):
        return overlay.add(alidade.Geometry.from_wkt(runtime, text, spatial_reference), **more)

    add("POINT (0 0)")
    add("POINT (0 0)", visible=False)
    add("POINT (50 50)")
    add("POINT EMPTY")
    add("GEOMETRYCOLLECTION (GEOMETRYCOLLECTION EMPTY)")
    pole = add("MULTIPOINT (0 0, 3 90)")
    line = add("LINESTRING (0 0, 1 1)")
    local = add("POINT (0 0)", alidade.SpatialReference(runtime, 'LOCAL_CS["plan",UNIT["metre",1]]'))
    far = add("POINT (1e308 0)", reference(runtime, 3857))
    lost = add("MULTIPOINT (0 0, 1e16 7)", reference(runtime, 3395))
    ring = add("POLYGON ((-2e6 -2e6, 2e6 -2e6, 2e6 2e6, -2e6 2e6, -2e6 -2e6))", reference(runtime, 3413),
               symbol=alidade.FillSymbol((1, 1, 1)))
    add("POINT (0 0)", symbol=LINE)
    drawing = view.overlay_drawing()
    assert drawing.counts == alidade.graphics.OverlayCounts(
        drawn=1, hidden=1, outside=1, unsymbolized=0, empty=2, failed=7, ballpark=0
    )
    reasons = {failure.graphic_id: failure for failure in drawing.failures}
    why = alidade.graphics.OverlayFailureReason
    assert reasons[pole].reason is why.NO_IMAGE and reasons[pole].vertex == (3, 90)
    assert reasons[pole].point_status is alidade.coordinates.PointStatus.FAILED
    assert reasons[line].reason is why.WRONG_SYMBOL
    assert reasons[local].reason is why.NO_OPERATION
    assert reasons[far].reason is why.TOO_FAR
    # PROJ returns some longitude; the number's digits do not say which one it is.
    assert reasons[lost].reason is why.NO_IMAGE and reasons[lost].vertex == (1e16, 7)
    assert reasons[lost].point_status is alidade.coordinates.PointStatus.INVALID_COORDINATE
    assert reasons[ring].reason is why.AROUND_POLE
    overlay.set_renderer(None)
    counts = view.overlay_drawing().counts
    # Those with a symbol of their own fail as before; the pole, too, has no symbol now.
    assert (counts.drawn, counts.unsymbolized, counts.failed) == (0, 7, 2)
    overlay.options = alidade.graphics.GraphicsOverlayOptions(visible=False)
    assert view.overlay_drawing().counts.hidden == len(overlay) == 12


def test_what_failed_for_want_of_a_grid_is_drawn_when_it_has_come(runtime, tmp_path):
    """The spatial reference names a grid by a name of its own, under which a folder has NTF_R93 or has nothing."""
    name = "comes_later.gsb"
    grid = "/usr/share/proj/ntf_r93.gsb"
    (tmp_path / "with").mkdir()
    (tmp_path / "without").mkdir()
    shutil.copy(grid, tmp_path / "with" / name)
    french = "+proj=longlat +ellps=clrk80ign +nadgrids={} +no_defs +type=crs"
    camera = camera_on(3857, (2.5, 47), 1e6)
    view = make_view(runtime, 3857, camera)
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(RED))
    source = alidade.SpatialReference(runtime, french.format(name))
    overlay.add(alidade.Geometry.from_wkt(runtime, "POINT (2.51 47.01)", source))
    view.add_overlay(overlay)
    image = pyproj.Transformer.from_crs(french.format(grid), 3857, always_xy=True).transform(2.51, 47.01)
    expected = camera.to_screen([image])
    for _ in range(2):
        runtime.set_grid_directories([tmp_path / "without"])
        drawing = view.overlay_drawing()
        assert drawing.counts.failed == 1 and len(drawing) == 0
        runtime.set_grid_directories([tmp_path / "with"])
        drawing = view.overlay_drawing()
        assert drawing.counts.failed == 0
        numpy.testing.assert_allclose(drawing.columns.screen_xy, expected, atol=1e-6)


# Symbols


def test_symbols_follow_the_reference_scale_when_asked(runtime):
    camera = camera_on(3857, (10, 50), 4e5, 30)
    view = make_view(runtime, 3857, camera)
    marker = alidade.MarkerSymbol(
        (1, 2, 3), 8, outline=alidade.LineSymbol((4, 5, 6), 2), angle_deg=10, offset_dip=(3, -4), rotate_with_map=True
    )
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(marker))
    overlay.add_many(points(runtime, [[10, 50]]))
    view.add_overlay(overlay)

    def drawn():
        (item,) = view.overlay_drawing()
        return item.symbol

    assert (drawn().size_dip, drawn().angle_deg, drawn().rotate_with_map) == (8, -20, False)
    view.map.reference_scale = 1e5
    assert drawn().size_dip == 8
    overlay.options = alidade.graphics.GraphicsOverlayOptions(scale_symbols=True)
    symbol = drawn()
    assert (symbol.size_dip, symbol.outline.width_dip, symbol.offset_dip) == (2, 0.5, (0.75, -1))
    view.map.reference_scale = 0
    assert view.map.reference_scale == 0 and drawn().size_dip == 8
    with pytest.raises(alidade.errors.InvalidArgumentError):
        view.map.reference_scale = -1


def test_selected_graphics_have_the_selection_colour(runtime):
    camera = camera_on(3857, (10, 50), 1e7)
    view = make_view(runtime, 3857, camera)
    options = alidade.graphics.GraphicsOverlayOptions(selection_color=(9, 8, 7, 200))
    overlay = alidade.GraphicsOverlay(runtime, None, options)
    view.add_overlay(overlay)
    square = alidade.Geometry.from_wkt(
        runtime, "POLYGON ((9 49, 11 49, 11 51, 9 51, 9 49))", reference(runtime, 4326)
    )
    filled = overlay.add(square, symbol=alidade.FillSymbol((1, 2, 3, 4)))
    lined = overlay.add(square, symbol=alidade.LineSymbol((1, 2, 3), 5, alidade.graphics.LineStyle.DASH))
    plain = overlay.add(square, symbol=alidade.LineSymbol((1, 2, 3), 5, alidade.graphics.LineStyle.DASH))
    overlay.select([filled, lined])
    assert overlay.selected_ids == [filled, lined]
    items = {item.graphic_id: item for item in view.overlay_drawing()}
    assert items[filled].symbol == alidade.FillSymbol((1, 2, 3, 4), alidade.LineSymbol((9, 8, 7, 200), 2))
    assert items[lined].symbol == alidade.LineSymbol((9, 8, 7, 200), 5, alidade.graphics.LineStyle.DASH)
    assert items[plain].symbol.color == (1, 2, 3, 255) and not items[plain].selected and items[lined].selected
    # A transparent colour is one, too.
    overlay.options = alidade.graphics.GraphicsOverlayOptions(selection_color=(9, 8, 7, 0))
    assert overlay.options.selection_color == (9, 8, 7, 0)
    items = {item.graphic_id: item for item in view.overlay_drawing()}
    assert items[lined].symbol.color == (9, 8, 7, 0) and items[lined].selected
    overlay.select(filled, False)
    assert overlay.selected_ids == [lined]
    overlay.remove(lined)
    assert overlay.undo() == 1 and overlay.selected_ids == []


VALUES = [None, 0, 1, 2, -7, 2**53 + 1, 10**16 + 1, -(10**16) - 1, 2**62 + 1, 2**63 - 1, 0.0, -0.0, 1.0, 1.5, 2.0, 1e300, math.inf, math.nan, "", "a", "A",
          "b", "é", "e\u0301"]


def python_class(renderer, attributes):
    """What a renderer should choose, by Python's own rules."""
    if isinstance(renderer, alidade.graphics.UniqueValueRenderer):
        own = [attributes.get(field) for field in renderer.fields]
        for values, symbol in renderer.classes:
            if all(type(a) is type(b) or (isinstance(a, (int, float)) and isinstance(b, (int, float))) for a, b in
                   zip(values, own)) and all(a == b for a, b in zip(values, own)):
                return symbol
        return renderer.default
    value = attributes.get(renderer.field)
    if not isinstance(value, (int, float)) or math.isnan(value) or value < renderer.minimum:
        return renderer.default
    return next((symbol for bound, symbol in renderer.breaks if value <= bound), renderer.default)


@pytest.mark.parametrize("seed", range(12))
def test_renderers_choose_as_python_does(runtime, seed):
    dice = random.Random(seed)
    camera = camera_on(3857, (10, 50), 1e7)
    view = make_view(runtime, 3857, camera)
    overlay = alidade.GraphicsOverlay(runtime)
    view.add_overlay(overlay)
    place = alidade.Geometry.from_wkt(runtime, "POINT (10 50)", reference(runtime, 4326))
    rows = {}
    for _ in range(150):
        attributes = {name: dice.choice(VALUES) for name in ("a", "b", "c") if dice.random() < 0.9}
        rows[overlay.add(place, attributes=attributes)] = attributes
    symbols = [alidade.MarkerSymbol((i, 0, 0), 3) for i in range(60)]
    if seed % 2:
        fields = ["a", "b", "missing"][: dice.randint(1, 3)]
        classes = [([dice.choice(VALUES) if f != "missing" else None for f in fields], s) for s in symbols]
        renderer = alidade.graphics.UniqueValueRenderer(fields, classes, dice.choice([None, RED]))
    else:
        bounds = sorted(dice.sample([-7, -1, 0, 0.5, 1, 1.5, 2, 100, 2.0**53, 1e16, 2.0**62, 2.0**63, 1e301], dice.randint(1, 12)))
        breaks = [(bound, dice.choice([None, symbol])) for bound, symbol in zip(bounds, symbols)]
        renderer = alidade.graphics.ClassBreaksRenderer("a", bounds[0] - dice.choice([0, 1]), breaks, dice.choice([None, BLUE]))
    overlay.set_renderer(renderer)
    drawn = {item.graphic_id: item.symbol for item in view.overlay_drawing()}
    for number, attributes in rows.items():
        expected = python_class(renderer, attributes)
        assert (drawn[number].color if number in drawn else None) == (
            None if expected is None else (*expected.color, 255)
        ), (attributes, renderer)
        stored = overlay[number].attributes
        wanted = {name: value for name, value in attributes.items() if value is not None}
        assert stored.keys() == wanted.keys()
        assert all(repr(stored[name]) == repr(wanted[name]) for name in wanted)


def test_own_symbols_win(runtime):
    camera = camera_on(3857, (10, 50), 1e7)
    view = make_view(runtime, 3857, camera)
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(RED))
    view.add_overlay(overlay)
    ids = overlay.add_many(points(runtime, [[10, 50]] * 4), symbols=[None, BLUE, None, GREEN])
    sizes = [item.symbol.size_dip for item in view.overlay_drawing()]
    assert sizes == [10, 6, 10, 4]
    overlay.update(ids, symbols=[GREEN, None, None, None])
    assert [item.symbol.size_dip for item in view.overlay_drawing()] == [4, 10, 10, 10]
    assert overlay[ids[0]].symbol.size_dip == 4 and overlay[ids[1]].symbol is None


# Undo


class Model:
    """An overlay as a dictionary, with whole copies for undo."""

    def __init__(self, limit):
        self.graphics, self.past, self.future, self.limit = {}, [], [], limit
        self.grouping = self.grouped = False

    def edit(self, changed):
        if changed == self.graphics:
            return
        if not self.grouped:
            self.past = [*self.past, self.graphics][-self.limit :]
        self.graphics, self.future = changed, []
        self.grouped = self.grouping
        if self.grouped and self.past[-1] == changed:
            self.past.pop()
            self.grouped = False

    def group(self, grouping):
        self.grouping, self.grouped = grouping, False

    def undo(self):
        if self.past:
            self.grouped = False
            self.future.append(self.graphics)
            self.graphics = self.past.pop()

    def redo(self):
        if self.future:
            self.grouped = False
            self.past.append(self.graphics)
            self.graphics = self.future.pop()


@pytest.mark.parametrize("seed", range(20))
def test_undo_and_redo_are_those_of_whole_copies(runtime, seed):
    dice = random.Random(seed)
    limit = dice.choice([1, 3, 50])
    overlay = alidade.GraphicsOverlay(runtime, None, alidade.graphics.GraphicsOverlayOptions(undo_limit=limit))
    model = Model(limit)
    next_id = 1
    for step in range(250):
        action = dice.random()
        ids = list(model.graphics)
        some = dice.sample(ids, min(len(ids), dice.choice([1, 2, 5, 60])))
        if dice.random() < 0.2:
            with pytest.raises(alidade.errors.InvalidStateError):
                (overlay.begin_undo_group if model.grouping else overlay.end_undo_group)()
            (overlay.end_undo_group if model.grouping else overlay.begin_undo_group)()
            model.group(not model.grouping)
        if action < 0.35:
            count = dice.choice([1, 3, 50])
            z = [dice.randint(-2, 2) for _ in range(count)]
            made = overlay.add_many(points(runtime, [[step, i] for i in range(count)]), z_index=z,
                                    attributes={"step": [step] * count})
            assert made == range(next_id, next_id + count)
            next_id += count
            model.edit(model.graphics | {i: (z[n], step, (step, n), True) for n, i in enumerate(made)})
        elif action < 0.5 and some:
            overlay.remove(some)
            model.edit({i: graphic for i, graphic in model.graphics.items() if i not in some})
        elif action < 0.65 and some:
            z = [10 * step + n for n in range(len(some))]
            overlay.update(some, z_index=z, visible=False)
            model.edit(model.graphics | {i: (z[n], *model.graphics[i][1:3], False) for n, i in enumerate(some)})
        elif action < 0.72 and some:
            overlay.update(some, geometries=points(runtime, [[-step, i] for i in some]), attributes={"step": -step})
            model.edit(
                model.graphics | {i: (model.graphics[i][0], -step, (-step, i), model.graphics[i][3]) for i in some}
            )
        elif action < 0.75 and ids:
            overlay.clear()
            model.edit({})
        elif action < 0.9:
            assert (overlay.undo() > 0) == bool(model.past)
            model.undo()
        else:
            assert (overlay.redo() > 0) == bool(model.future)
            model.redo()
        order = sorted(model.graphics, key=lambda i: (model.graphics[i][0], i))
        assert overlay.ids == order
        assert (overlay.undo_count, overlay.redo_count) == (len(model.past), len(model.future))
        for i in dice.sample(order, min(3, len(order))):
            z, value, place, visible = model.graphics[i]
            graphic = overlay[i]
            assert (graphic.z_index, graphic.attributes["step"], graphic.visible) == (z, value, visible)
            assert tuple(overlay.geometry(i).xy[0]) == place
        gone = [i for i in range(1, next_id) if i not in model.graphics]
        if gone:
            with pytest.raises(alidade.errors.NotFoundError):
                overlay.remove([*order[:2], dice.choice(gone)])
            assert len(overlay) == len(order)
    overlay.clear_history()
    assert (overlay.undo_count, overlay.redo_count, overlay.undo()) == (0, 0, 0)


def test_a_drag_is_one_step(runtime):
    overlay = alidade.GraphicsOverlay(runtime)
    first, second = overlay.add_many(points(runtime, [[0, 0], [1, 1]]))
    overlay.clear_history()
    with overlay.undo_group():
        for step in range(1000):
            overlay.update([first], geometries=points(runtime, [[step, 5]]))
        overlay.remove([overlay.add(alidade.Geometry.from_wkt(runtime, "POINT (3 3)"))])
    assert overlay.undo_count == 1 and tuple(overlay.geometry(first).xy[0]) == (999, 5)
    assert overlay.undo() == 1 and tuple(overlay.geometry(first).xy[0]) == (0, 0)
    assert overlay.redo() == 1 and tuple(overlay.geometry(first).xy[0]) == (999, 5)
    # What nothing lasting happens in is no step, and an error inside ends the group all the same.
    with pytest.raises(ZeroDivisionError), overlay.undo_group():
        overlay.remove([overlay.add(alidade.Geometry.from_wkt(runtime, "POINT (3 3)"))])
        raise ZeroDivisionError
    assert overlay.undo_count == 1
    overlay.update([second], z_index=1)
    overlay.update([second], z_index=2)
    assert overlay.undo_count == 3
    # What an open group has done can be undone, and the group goes on.
    overlay.begin_undo_group()
    overlay.update([first], z_index=7)
    overlay.update([second], z_index=7)
    assert overlay.undo() == 2 and overlay.undo_count == 3
    overlay.update([second], z_index=9)
    overlay.update([second], z_index=10)
    overlay.end_undo_group()
    assert overlay.undo_count == 4 and overlay.undo() == 1 and overlay[second].z_index == 2


def test_a_group_takes_edits_in_any_order(runtime):
    overlay = alidade.GraphicsOverlay(runtime)
    ids = overlay.add_many(points(runtime, [[i, 0] for i in range(3000)]))
    overlay.clear_history()
    with overlay.undo_group():
        for i in reversed(ids):
            overlay.update([i], z_index=1)
        made = [overlay.add(alidade.Geometry.from_wkt(runtime, "POINT (3 3)")) for _ in range(100)]
        for i in made[::2]:
            overlay.remove([i])
        for i in ids[::3]:
            overlay.remove([i])
        overlay.update(list(ids[1::3]), z_index=2)
    left = [overlay[i].z_index for i in ids if i % 3 != ids[0] % 3]
    assert overlay.undo_count == 1 and left == [2, 1] * 1000 and len(overlay) == 2050
    assert overlay.undo() == 3050 and len(overlay) == 3000 and {overlay[i].z_index for i in ids} == {0}
    assert overlay.redo() == 3050 and [overlay[i].z_index for i in ids if i % 3 != ids[0] % 3] == left


def test_without_undo_nothing_is_kept(runtime):
    overlay = alidade.GraphicsOverlay(runtime, None, alidade.graphics.GraphicsOverlayOptions(undo_limit=0))
    overlay.add_many(points(runtime, [[0, 0]] * 100))
    with overlay.undo_group():
        overlay.update([1], z_index=1)
        overlay.update([1], z_index=2)
    assert overlay.undo_count == 0 and overlay.undo() == 0 and len(overlay) == 100


def test_an_update_that_names_nothing_is_no_edit(runtime):
    overlay = alidade.GraphicsOverlay(runtime)
    ids = overlay.add_many(points(runtime, [[1, 1], [2, 2]]))
    overlay.update(ids, z_index=3)
    overlay.undo()
    generation = overlay.generation
    overlay.update(ids)
    overlay.update([])
    assert (overlay.undo_count, overlay.redo_count, overlay.generation) == (1, 1, generation)
    with pytest.raises(alidade.errors.NotFoundError):
        overlay.update([ids[0], 77])
    assert overlay.redo() == 2 and overlay[ids[0]].z_index == 3


# Attributes


def test_what_is_masked_is_null_and_columns_are_flat(runtime):
    overlay = alidade.GraphicsOverlay(runtime)
    array = points(runtime, [[1, 1], [2, 2], [3, 3]])
    for dtype in (numpy.int64, numpy.float32):
        masked = numpy.ma.masked_array(numpy.array([1, 2, 3], dtype), [False, True, False])
        ids = overlay.add_many(array, attributes={"a": masked})
        assert [overlay[number].attributes for number in ids] == [{"a": 1}, {}, {"a": 3}]
    before = len(overlay)
    with pytest.raises(ValueError, match="flat"):
        overlay.add_many(array, attributes={"a": numpy.arange(6).reshape(3, 2)})
    assert len(overlay) == before


# Bad input


def test_bad_input_is_refused_and_changes_nothing(runtime):
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(RED))
    two = points(runtime, [[0, 0], [1, 1]])
    ids = overlay.add_many(two)
    generation = overlay.generation
    bad_symbols = [
        alidade.MarkerSymbol((1, 1, 1), math.nan),
        alidade.MarkerSymbol((1, 1, 1), -1),
        alidade.MarkerSymbol((1, 1, 1), 1e8),
        alidade.MarkerSymbol((1, 1, 1), 1, angle_deg=math.inf),
        alidade.MarkerSymbol((1, 1, 1), 1, offset_dip=(math.nan, 0)),
        alidade.LineSymbol((1, 1, 1), math.inf),
    ]
    for symbol in bad_symbols:
        with pytest.raises(alidade.errors.InvalidArgumentError):
            overlay.add_many(two, symbols=symbol)
        with pytest.raises(alidade.errors.InvalidArgumentError):
            overlay.set_renderer(alidade.SimpleRenderer(symbol))
    for renderer in (
        alidade.graphics.UniqueValueRenderer([], []),
        alidade.graphics.UniqueValueRenderer(["a"] * 9, []),
        alidade.graphics.ClassBreaksRenderer("a", 0, [(1, RED), (1, RED)]),
        alidade.graphics.ClassBreaksRenderer("a", 0, [(2, RED), (1, RED)]),
        alidade.graphics.ClassBreaksRenderer("a", 5, [(1, RED)]),
        alidade.graphics.ClassBreaksRenderer("a", math.nan, [(1, RED)]),
        alidade.graphics.ClassBreaksRenderer("a", 0, [(math.inf, RED)]),
    ):
        with pytest.raises(alidade.errors.InvalidArgumentError):
            overlay.set_renderer(renderer)
    for options in (
        alidade.graphics.GraphicsOverlayOptions(opacity=1.5),
        alidade.graphics.GraphicsOverlayOptions(opacity=math.nan),
        alidade.graphics.GraphicsOverlayOptions(min_scale=-1),
        alidade.graphics.GraphicsOverlayOptions(max_scale=math.inf),
        alidade.graphics.GraphicsOverlayOptions(undo_limit=10_001),
    ):
        with pytest.raises(alidade.errors.InvalidArgumentError):
            overlay.options = options
    with pytest.raises(alidade.errors.InvalidArgumentError):
        overlay.add_many(two, attributes={"": [1, 2]})
    with pytest.raises(alidade.errors.InvalidArgumentError):
        overlay.update([*ids, ids[0]], geometries=two)
    for number in (0, 99, 2**64 - 1):
        with pytest.raises(alidade.errors.NotFoundError):
            overlay.update([*ids, number], z_index=1)
        with pytest.raises(alidade.errors.NotFoundError):
            overlay.select([ids[0], number])
        with pytest.raises(alidade.errors.NotFoundError):
            overlay[number]
    assert overlay.generation == generation and overlay.selected_ids == []
    assert overlay.add_many(points(runtime, numpy.empty((0, 2)))) == range(0) and overlay.undo_count == 1


# Looking far away, and at the view's edge


@pytest.mark.parametrize("rotation_deg", [0, 30, 45, 90, 200])
def test_markers_with_an_offset_in_turned_views(runtime, rotation_deg):
    """They are drawn and hit where the symbol is: the offset may be longer than either of its two parts."""
    view = make_view(runtime, 3857, camera_on(3857, (0, 0), 1e6, rotation_deg, (400, 400)))
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(alidade.MarkerSymbol((255, 0, 0), 10, offset_dip=(60, 60))))
    view.add_overlay(overlay)
    wanted = [(200, 200), (-58, -58), (-64, 100)]
    overlay.add_many(points(runtime, view.screen_to_map(wanted), 3857))
    for _ in range(2):  # the second drawing finds them by the index
        assert {item.graphic_id for item in view.overlay_drawing(overlay)} == {1, 2, 3}
    for number, (x, y) in enumerate(wanted, 1):
        inside = (max(x + 60, 0.5), y + 60)
        assert [element.id for element in view.identify_overlays(inside, 0).elements] == [number]
        assert view.why_not(overlay, inside, id=number).reasons == 0


def test_what_lies_outside_the_view_is_no_matter_of_limits(runtime):
    view = make_view(runtime, 3857, camera_on(3857, (0, 0), 1e6, 0, (400, 400)))
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(RED))
    view.add_overlay(overlay)
    overlay.add_many(points(runtime, view.screen_to_map([(-12, 200), (100, 100), (100, 100), (10, 200), (12, 200)]), 3857))
    Reasons = alidade.identify.MissReasonFlags
    for limit in (1, 2, 10):
        assert len(view.identify_overlays((2, 200), 22, limit)) == min(limit, 2)
        assert view.why_not(overlay, (2, 200), 22, limit, id=1).reasons == Reasons.OUTSIDE
    assert view.why_not(overlay, (100, 100), 0, 1, id=2).reasons == Reasons.BEYOND_LIMIT
    assert view.why_not(overlay, (100, 100), 0, 2, id=2).reasons == 0


@pytest.mark.parametrize("code", [3857, 4326, 32633])
@pytest.mark.parametrize("far", [1e15, 4e18, 1e24, 1e300])
def test_views_that_look_beyond_all_worlds(runtime, code, far):
    """Neighbouring worlds have the same numbers there. Nothing hangs, and what is drawn has finite coordinates."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(60)
    view = make_view(runtime, code, Camera((0, 0), 1e6, 0.0, (400, 400)))
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(RED))
    view.add_overlay(overlay)
    overlay.add_many(points(runtime, [(0, 0), (10, 80)]))
    for center in ((far, 0), (-far, 0), (0, far), (far, far)):
        for scale in (1e-6, 1e6):
            view.set_viewpoint(center, scale=scale)
            overlay.add_many(points(runtime, [(20, 89)]))
            assert view.overlay_drawing(overlay).counts.drawn == 0
            drawing = view.overlay_drawing(overlay, keep_outside=True)
            assert drawing.counts.drawn + drawing.counts.failed == len(overlay)
            assert all(numpy.isfinite(part).all() for item in drawing for paths in item.parts for part in paths)
            assert len(view.identify_overlays((200, 200), 20)) == 0 and view.snap((200, 200), 20) is None
    signal.alarm(0)
