"""
Feature layers in the interactive viewer, played without a screen: files of several formats between and over a raster.

Positions follow from pyproj and the camera, shapes from shapely, files from GDAL, colours from the rule for laying one
over another.
"""
import json
import shutil
import subprocess

import numpy
import pyproj
import pytest
from osgeo import gdal
from PIL import Image
from shapely.geometry import LineString, Point, Polygon, mapping
from shapely.ops import transform, unary_union

from test_example_viewer import (ACTIVE, ERROR, HEIGHT, LAND, LOADING, MARK, NOT_VISIBLE, SHASTA, SLOW_FILE, STATUS,
                                 TAP, TO_MERCATOR, TO_WGS84, WARNING, WIDTH, free_of_panels, is_colour, parsed, play, program)

assert program  # a fixture
TO_UTM = pyproj.Transformer.from_crs(4326, 26910, always_xy=True)
WHITE = (255, 255, 255)
# The colours of features.c for the second to the fifth layer.
COLOURS = {2: (190, 60, 150), 3: (0, 130, 110), 4: (150, 90, 20), 5: (0, 92, 200)}
FILL = 80 / 255
# Longitudes and latitudes around Shasta Lake.
AREAS = [Polygon([(-122.185, 40.744), (-122.145, 40.744), (-122.145, 40.775), (-122.185, 40.775)],
                 [[(-122.178, 40.748), (-122.170, 40.748), (-122.170, 40.755), (-122.178, 40.755)]]),
         Polygon([(-122.155, 40.765), (-122.128, 40.765), (-122.128, 40.781), (-122.155, 40.781)])]
LINES = [LineString([(-122.188, 40.746), (-122.15, 40.752), (-122.138, 40.747)])]
POINTS = [Point(-122.172, 40.768), Point(-122.132, 40.776)]
MIXED = [Polygon([(-122.142, 40.752), (-122.13, 40.752), (-122.13, 40.76), (-122.142, 40.76)]),
         LineString([(-122.144, 40.75), (-122.128, 40.762)]), Point(-122.136, 40.756)]
BESIDE = (-122.189, 40.76)

SCRIPT = """
rest
key 1            # to the raster
rest
key Shift+1      # the features alone
rest
state
screenshot alone.bmp
move 100 118     # the row of the areas: half as opaque
wheel -5
rest
screenshot faded.bmp
wheel 4
key Shift+1
rest
screenshot both.bmp
key Shift+2
key Shift+3
key Shift+4
key Shift+5
rest
state
screenshot raster.bmp
key Shift+1
rest
screenshot nothing.bmp
key Shift+2
key Shift+3
key Shift+4
key Shift+5
rest
"""


def written(path, shapes, columns, driver="GeoJSON", **creation):
    """A file of features, with an attribute for each of the columns."""
    features = [{"type": "Feature", "geometry": mapping(shape),
                 "properties": {name: values[i] for name, values in columns.items()}}
                for i, shape in enumerate(shapes)]
    text = json.dumps({"type": "FeatureCollection", "features": features})
    if driver == "GeoJSON":
        path.write_text(text)
        return
    made = gdal.VectorTranslate(str(path), gdal.OpenEx(text, gdal.OF_VECTOR), format=driver, **creation)
    assert made is not None, gdal.GetLastErrorMsg()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A raster, and files of features; endings that say something else than the content."""
    folder = tmp_path_factory.mktemp("features")
    shutil.copyfile(SHASTA, folder / "heights.tif")
    written(folder / "areas.tif", AREAS, {"name": ["first", "second"], "rank": [1, None]})
    written(folder / "lines.gpkg", LINES, {"name": ["a line"], "length": [2.5]}, "GPKG")
    written(folder / "points.shp", POINTS, {"name": ["west", "east"]}, "ESRI Shapefile")
    written(folder / "mixed", MIXED, {"kind": ["area", "line", "point"]})
    (folder / "nowhere.csv").write_text("lon,lat\n-122.17,40.76\n")
    (folder / "neither.bin").write_text("neither one nor the other\n")
    return folder


FILES = ["heights.tif", "areas.tif", "lines.gpkg", "points.shp", "mixed", "nowhere.csv", "neither.bin"]


def scenes(program, folder, script, names, files=FILES, preload=None, may_complain=True):
    """The picture of each screenshot, and the states that the script asks for."""
    result = play(program, folder, script, *files, preload=preload)
    assert result.returncode == 0, result.stderr
    assert may_complain or result.stderr == "", result.stderr
    pictures = {name: numpy.asarray(Image.open(folder / f"{name}.bmp").convert("RGB")) for name in names}
    return pictures, parsed(result.stdout), result.stderr


@pytest.fixture(scope="module")
def story(program, folder):
    return scenes(program, folder, SCRIPT, ["alone", "faded", "both", "raster", "nothing"])


def on_screen(camera, shape):
    """A shape in longitudes and latitudes as the view shows it."""
    return transform(lambda x, y: tuple(camera.to_screen(numpy.column_stack(TO_MERCATOR.transform(x, y))).T), shape)


def over(above, share, below):
    return numpy.asarray(above) * share + numpy.asarray(below) * (1 - share)


def samples(step):
    """Pixels that nothing of the glass is over; the list has seven rows."""
    return [(x, y) for x in range(2, WIDTH, step) for y in range(2, HEIGHT - STATUS, step)
            if free_of_panels(x, y) and not (x < 225 and y < 209)]


def far_from(shapes, pixel, distance):
    place = Point(pixel[0] + 0.5, pixel[1] + 0.5)
    return all(shape.distance(place) > distance for shape in shapes)


def test_the_list_tells_what_became_of_each_file(story):
    flags = [row[1] for row in story[1][0]["rows"]][::-1]
    assert flags == [NOT_VISIBLE, ACTIVE, ACTIVE, ACTIVE, ACTIVE, WARNING, ERROR]
    flags = [row[1] for row in story[1][1]["rows"]][::-1]
    assert flags[:5] == [ACTIVE, NOT_VISIBLE, NOT_VISIBLE, NOT_VISIBLE, NOT_VISIBLE]
    # Of a file that is neither, what both say.
    assert 'neither.bin" cannot be opened as a raster' in story[2]
    assert 'neither.bin" cannot be opened as a source of features' in story[2]
    assert story[2].count("\n") == 2


@pytest.mark.parametrize("name", ["alone", "faded", "both"])
def test_areas_have_their_colour_over_what_is_below(story, name):
    pictures, states, _ = story
    picture, below = pictures[name], pictures["raster" if name == "both" else "nothing"]
    shapes = [on_screen(states[0]["camera"], shape) for shape in AREAS]
    edges = [shape.boundary for shape in shapes]
    others = [on_screen(states[0]["camera"], shape) for shape in (*LINES, *POINTS, *MIXED)]
    seen = [0, 0, 0]
    # What is laid on is the picture of all areas, where two of them are one on the other.
    opacity = {"alone": 1, "faded": 0.5, "both": 0.9}[name]
    for x, y in samples(9):
        place = Point(x + 0.5, y + 0.5)
        if not far_from(edges, (x, y), 2.5) or not far_from(others, (x, y), 7):
            continue
        count = sum(shape.contains(place) for shape in shapes)
        share = (1 - (1 - FILL) ** count) * opacity
        expected = over(COLOURS[2], share, below[y, x])
        # Two areas and their layer's opacity are rounded one after the other.
        assert numpy.abs(picture[y, x] - expected).max() <= 3, (x, y, count, picture[y, x], expected)
        seen[count] += 1
    assert min(seen) > 30, seen


def test_lines_and_points_lie_on_top(story):
    pictures, states, _ = story
    camera = states[0]["camera"]
    line = on_screen(camera, LINES[0])
    for name in ("alone", "both"):
        for step in numpy.arange(5, line.length - 5, 7):
            at = line.interpolate(step)
            x, y = int(at.x), int(at.y)
            if not far_from([on_screen(camera, point) for point in POINTS], (x, y), 7):
                continue
            around = pictures[name][y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3)
            assert is_colour(around, COLOURS[3], 60).any(), (name, x, y)
        for point in POINTS:
            at = on_screen(camera, point)
            picture = pictures[name]
            # A disk with a white ring, one DIP wide, at 3.5 from the middle.
            for radius, colour, allowed, least in ((2, COLOURS[4], 60, 0.9), (3.5, WHITE, 90, 0.7)):
                around = numpy.array([picture[int(at.y + radius * numpy.sin(a)), int(at.x + radius * numpy.cos(a))]
                                      for a in numpy.linspace(0, 6.28, 40)])
                assert numpy.mean(is_colour(around, colour, allowed)) > least, (name, radius)


def test_a_file_of_several_kinds_shows_all_of_them(story):
    pictures, states, _ = story
    area, line, point = (on_screen(states[0]["camera"], shape) for shape in MIXED)
    picture = pictures["alone"]
    assert tuple(picture[int(point.y), int(point.x)]) == COLOURS[5]
    for step in (0.1, 0.25, 0.8, 0.9):
        at = line.interpolate(step, normalized=True)
        around = picture[int(at.y) - 1 : int(at.y) + 2, int(at.x) - 1 : int(at.x) + 2].reshape(-1, 3)
        assert is_colour(around, COLOURS[5], 60).any()
    inside = area.buffer(-3).difference(line.buffer(5)).difference(point.buffer(8)).representative_point()
    expected = over(COLOURS[5], FILL, LAND)
    assert numpy.abs(picture[int(inside.y), int(inside.x)] - expected).max() <= 2


def test_layers_are_drawn_in_the_order_of_the_files(program, folder, story):
    pictures, states, _ = scenes(program, folder, "rest\nkey 2\nrest\nstate\nscreenshot below.bmp\n"
                                 "key Shift+1\nrest\nscreenshot raster_only.bmp\n", ["below", "raster_only"],
                                 ["areas.tif", "heights.tif"], may_complain=False)
    area = on_screen(states[0]["camera"], AREAS[0]).intersection(
        on_screen(states[0]["camera"], AREAS[1])).buffer(-3)
    heights = transform(lambda x, y: TO_UTM.transform(x, y), AREAS[0].intersection(AREAS[1]))
    assert Polygon.from_bounds(568218, 4510650, 573138, 4514770).contains(heights)
    checked = 0
    for x, y in samples(5):
        if area.contains(Point(x + 0.5, y + 0.5)):
            assert tuple(pictures["below"][y, x]) == tuple(pictures["raster_only"][y, x])
            checked += 1
    assert checked > 50


def touches(camera, places):
    """A script that taps at points one after the other."""
    return "".join(f"move {int(x)} {int(y)}\n{TAP}\nstate\nscreenshot tap{number}.bmp\n"
                   for number, (x, y) in enumerate(places))


def test_a_tap_shows_the_attributes_of_what_is_topmost(program, folder, story):
    """On a raster, under areas, lines and points; in a view that is turned by 30 degrees."""
    begin = "rest\nkey 1\nrest\nkey E\nkey E\nrest\nstate\n"
    camera = scenes(program, folder, begin, [])[1][0]["camera"]
    assert camera.rotation_deg == pytest.approx(30)
    shown = [on_screen(camera, shape) for shape in (AREAS[0], LINES[0], POINTS[0], *MIXED)]
    area = shown[0].difference(on_screen(camera, AREAS[1]).buffer(10)).difference(
        unary_union(shown[1:]).buffer(30)).representative_point()
    middle, west = shown[1].interpolate(0.3, normalized=True), shown[2]
    # Next to a point, further away than the tolerance of 4 DIP in both directions: the area.
    places = [(area.x, area.y), (middle.x, middle.y), (west.x + 3, west.y), (west.x + 7, west.y + 7),
              (shown[5].x, shown[5].y), tuple(on_screen(camera, Point(BESIDE)).coords[0])]
    pictures, states, stderr = scenes(program, folder, begin + touches(camera, places),
                                      [f"tap{number}" for number in range(6)])
    texts = [state["callout"][2].split("|") if "callout" in state else None for state in states[1:]]
    assert texts[0][1:3] == ["name: first", "rank: 1"]
    assert texts[1][1:3] == ["name: a line", "length: 2.5"]
    assert texts[2][1] == "name: west"
    assert texts[3][1:3] == ["name: first", "rank: 1"]
    assert texts[4][1] == "kind: point"
    # Away from all features: the cell of the raster.
    assert not any("name" in line for line in texts[5])
    # What was found is outlined: with a line of 2 DIP, and 3 of a line.
    for number, shape in ((0, shown[0].exterior), (1, shown[1])):
        near = [shape.interpolate(part, normalized=True) for part in numpy.linspace(0.02, 0.98, 60)]
        found = [is_colour(pictures[f"tap{number}"][int(p.y) - 1 : int(p.y) + 2, int(p.x) - 1 : int(p.x) + 2],
                           MARK, 60).any() for p in near
                 if 1 < p.x < WIDTH - 1 and 1 < p.y < HEIGHT - STATUS - 1]
        assert numpy.mean(found) > 0.6, number  # the callout and the panels lie over some of it
    assert "neither.bin" in stderr and stderr.count("\n") == 2


def test_a_finger_that_moves_finds_features(program, folder, story):
    camera = story[1][0]["camera"]
    start, end = (on_screen(camera, shape) for shape in (POINTS[0], POINTS[1]))
    script = (f"rest\nkey 1\nrest\nmove {int(start.x)} {int(start.y)}\npress\nwait 0.6\nrest\nstate\n"
              f"glide {int(end.x)} {int(end.y)} 0.3\nrest\nstate\nrelease\nrest\nstate\n")
    _, states, _ = scenes(program, folder, script, [])
    assert ["name: west" in state["callout"][2].split("|") for state in states] == [True, False, False]
    assert ["name: east" in state["callout"][2].split("|") for state in states] == [False, True, True]
    assert "magnifier" in states[1] and "magnifier" not in states[2]


HOVER = (255, 150, 0)


def under(camera, pixel):
    """What lies topmost at the middle of a pixel, as `state` has it; None so near to an edge that it is not clear."""
    place = Point(pixel[0] + 0.5, pixel[1] + 0.5)
    # With half of what the symbols are wide: lines 1.5, outlines 1.5, and markers of 7 with an outline of 1. GDAL counts
    # from 0, but from 1 in a GeoPackage.
    half = {"Point": 4.0, "LineString": 0.75, "Polygon": 0.75}
    for shapes, first in ((MIXED[::-1], None), (POINTS[::-1], 1), (LINES, 1), (AREAS[::-1], 1)):
        for number, shape in enumerate(shapes):
            distance = on_screen(camera, shape).distance(place) - half[shape.geom_type] - 4.0
            if abs(distance) < 0.01:
                return None
            if distance < 0:
                index = len(shapes) - 1 - number
                return f"feature {index + 1 if shapes is LINES else index}"
    return "none"


def test_what_is_under_the_pointer_is_outlined(program, folder, story):
    """At rest, after a glide over all of it, while the view moves under it, and when a layer is hidden."""
    camera = story[1][0]["camera"]
    area, line, west = (on_screen(camera, shape) for shape in (AREAS[0], LINES[0], POINTS[0]))
    inside = area.buffer(-25).difference(line.buffer(25)).difference(west.buffer(25)).representative_point()
    middle, beside = line.interpolate(0.3, normalized=True), on_screen(camera, Point(BESIDE))
    places = [(int(place.x), int(place.y)) for place in (inside, middle, west, beside, on_screen(camera, MIXED[2]))]
    script = "rest\nkey 1\nrest\n" + "".join(
        f"move {x} {y}\nrest\nstate\nscreenshot hover{number}.bmp\n" for number, (x, y) in enumerate(places))
    x, y = places[0]
    # At once over all of it, and back; the map moves under the pointer; a layer is hidden; a button; the layer list.
    script += "".join(f"glide {x} {y} 0.1\n" for x, y in (*places, places[0])) + "rest\nstate\n"
    script += "key Right\nrest\nstate\nkey Left\nrest\nkey Shift+2\nrest\nstate\nkey Shift+2\nrest\nstate\n"
    script += f"press\nwait 0.1\nstate\nrelease\nrest\nstate\nmove 100 100\nrest\nstate\nscreenshot list.bmp\n"
    pictures, states, _ = scenes(program, folder, script, [f"hover{number}" for number in range(5)] + ["list"])
    said = [state["hover"] for state in states]
    assert said[:5] == [under(camera, place) for place in places]
    assert said[:5] == ["feature 0", "feature 1", "feature 0", "none", "feature 2"]
    moved = states[6]["camera"]
    assert moved.centre != camera.centre
    assert said[5] == "feature 0" and said[6] == under(moved, places[0]) and said[7:9] == ["none", "feature 0"]
    assert said[9:] == ["none", "feature 0", "none"]

    def shine(name, shape, reach=1):
        near = [shape.interpolate(part, normalized=True) for part in numpy.linspace(0, 1, 60)]
        return numpy.mean([is_colour(pictures[name][int(p.y) - reach : int(p.y) + reach + 1,
                                                    int(p.x) - reach : int(p.x) + reach + 1], HOVER, 40).any()
                           for p in near if free_of_panels(p.x, p.y) and not (p.x < 225 and p.y < 209)])

    assert shine("hover0", area.exterior) > 0.8 and shine("hover1", line) > 0.8
    assert shine("hover2", west.buffer(7.5).exterior) > 0.8
    for name in ("hover3", "list"):
        assert max(shine(name, shape) for shape in (area.exterior, line, west.buffer(7.5).exterior)) < 0.05, name


def test_pins_are_graphics_with_a_popup(program, folder, story):
    """A key puts one under the pointer: it lies above the layers, shines under the pointer, and a tap reads its popup."""
    camera = story[1][0]["camera"]
    west = on_screen(camera, POINTS[0])
    x, y = int(west.x) + 2, int(west.y)
    aside = on_screen(camera, Point(BESIDE))
    script = (f"rest\nkey 1\nrest\nmove {x} {y}\nrest\nstate\nkey P\nrest\nstate\n{TAP}\nstate\nscreenshot pin.bmp\n"
              f"move {int(aside.x)} {int(aside.y)}\nkey P\nrest\nstate\n{TAP}\nstate\n")
    pictures, states, stderr = scenes(program, folder, script, ["pin"])
    assert [state["hover"] for state in states] == ["feature 0", "graphic 1", "graphic 1", "graphic 2", "graphic 2"]
    for state, number, place in ((states[2], 1, (x, y)), (states[4], 2, (int(aside.x), int(aside.y)))):
        longitude, latitude = TO_WGS84.transform(*camera.to_map([numpy.add(place, 0.5)])[0])
        assert state["callout"][2].split("|")[:3] == [
            f"Pin {number}", f"Longitude: {longitude:.5f}", f"Latitude: {latitude:.5f}"]
    # The outline of what was found lies around the pin.
    ring = Point(x + 0.5, y + 0.5).buffer(7.5).exterior
    # The callout lies over its upper half.
    around = [p for p in (ring.interpolate(part, normalized=True) for part in numpy.linspace(0, 1, 60)) if p.y > y + 2]
    assert numpy.mean([is_colour(pictures["pin"][int(p.y) - 1 : int(p.y) + 2, int(p.x) - 1 : int(p.x) + 2], MARK, 60).any()
                       for p in around]) > 0.8
    assert "neither.bin" in stderr and stderr.count("\n") == 2


def test_a_popup_has_the_name_as_its_title(program, folder, story):
    """The second line on are the rows; a file without names has what the file calls the feature."""
    camera = story[1][0]["camera"]
    line, mixed = on_screen(camera, LINES[0]).interpolate(0.3, normalized=True), on_screen(camera, MIXED[2])
    script = "rest\nkey 1\nrest\n" + touches(camera, [(line.x, line.y), (mixed.x, mixed.y)])
    _, states, _ = scenes(program, folder, script, [])
    texts = [state["callout"][2].split("|") for state in states]
    assert texts[0][:3] == ["a line", "name: a line", "length: 2.5"]
    assert texts[1][:2] == ["mixed 2", "kind: point"]


def test_a_long_text_does_not_widen_the_callout(program, tmp_path):
    """It has an ellipsis; without one it would be wider than the window."""
    written(tmp_path / "long.json", AREAS[:1], {"name": ["wide " * 60]})
    script = f"rest\nmove 400 {HEIGHT // 4}\n{TAP}\nstate\nscreenshot long.bmp\n"
    pictures, [state], _ = scenes(program, tmp_path, script, ["long"], ["long.json"])
    (x_min, y_min, x_max, y_max), _, text = state["callout"]
    assert len(text) > 200 and 300 < x_max - x_min <= 340 + 16
    box = pictures["long"][int(y_min) + 2 : int(y_max) - 2, int(x_min) + 2 : int(x_max) - 2]
    dark = numpy.flatnonzero((box.sum(axis=-1) < 300).any(axis=0))
    assert dark[0] >= 5 and dark[-1] <= box.shape[1] - 5 and len(dark) > 200


def test_a_file_of_features_that_takes_its_time_is_shown_as_loading(program, tmp_path):
    """It is tried as a raster, and then as features: all the time it loads."""
    (tmp_path / "slow.c").write_text(SLOW_FILE)
    subprocess.run(["cc", "-shared", "-fPIC", tmp_path / "slow.c", "-o", tmp_path / "slow.so", "-ldl"], check=True)
    written(tmp_path / "slow.tif", AREAS, {"name": ["first", "second"]})
    pictures, states, _ = scenes(
        program, tmp_path, "wait 0.5\nstate\nscreenshot loading.bmp\nrest\nkey 1\nrest\nstate\nscreenshot loaded.bmp\n",
        ["loading", "loaded"], ["slow.tif"], preload=tmp_path / "slow.so", may_complain=False)
    assert [state["rows"][0][1] for state in states] == [LOADING, ACTIVE]
    inside = on_screen(states[1]["camera"], AREAS[0].difference(AREAS[1]).buffer(-0.002)).representative_point()
    expected = over((0, 92, 200), FILL, LAND)
    assert numpy.abs(pictures["loaded"][int(inside.y), int(inside.x)] - expected).max() <= 2
