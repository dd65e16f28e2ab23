"""Features near earlier taps come from memory: the same hits as numpy's, until something changes."""
import time

import alidade
import numpy
import pytest
from osgeo import gdal, ogr
from shapely.geometry import Polygon

from features import reference

COUNT, SPREAD, SIZE_DIP = 20_000, 20_000.0, 6.0
METRES_PER_DIP = 10.0


def positions(seed=1):
    """Points in clusters, so that some squares of the map have thousands and most have few."""
    dice = numpy.random.default_rng(seed)
    middles = dice.uniform(-SPREAD, SPREAD, (40, 2))
    clustered = middles[dice.integers(0, 40, COUNT // 2)] + dice.normal(0, 300, (COUNT // 2, 2))
    return numpy.vstack([clustered, dice.uniform(-SPREAD, SPREAD, (COUNT - COUNT // 2, 2))])


def write(path, points, driver):
    data = ogr.GetDriverByName(driver).CreateDataSource(str(path))
    layer = data.CreateLayer("points", reference(3857), ogr.wkbPoint)
    layer.CreateField(ogr.FieldDefn("number", ogr.OFTInteger))
    layer.CreateField(ogr.FieldDefn("kind", ogr.OFTInteger))
    layer.StartTransaction()
    for number, (x, y) in enumerate(points):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkt(f"POINT ({float(x)!r} {float(y)!r})"))
        feature["number"], feature["kind"] = number, number % 3
        layer.CreateFeature(feature)
    layer.CommitTransaction()


@pytest.fixture(params=["GPKG", "FlatGeobuf", "ESRI Shapefile"])
def stage(runtime, tmp_path, request):
    suffix = {"GPKG": "gpkg", "FlatGeobuf": "fgb", "ESRI Shapefile": "shp"}[request.param]
    path, points = tmp_path / f"points.{suffix}", positions()
    write(path, points, request.param)
    # The file's own order may be another one: FlatGeobuf sorts.
    source = alidade.FeatureSource(runtime, path)
    source.build_index()
    layer = alidade.FeatureLayer(source)
    layer.set_renderer(alidade.SimpleRenderer(alidade.MarkerSymbol(size_dip=SIZE_DIP)))
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    map.add_layer(layer)
    view = alidade.View(map, 800, 600)
    view.set_viewpoint((0, 0), scale=METRES_PER_DIP * 96 / 0.0254)
    return view, layer, points, path


def taps(count, seed=7):
    dice = numpy.random.default_rng(seed)
    # Twice each, so that the second finds what the first has read.
    return [tuple(tap) for tap in numpy.repeat(dice.uniform((0, 0), (800, 600), (count, 2)), 2, axis=0)]


def expected(view, points, tap, tolerance, size=SIZE_DIP):
    """The numbers of the points that are hit; None where rounding or a marker's style decides."""
    screen = view.map_to_screen(points)
    distances = numpy.hypot(screen[:, 0] - tap[0], screen[:, 1] - tap[1])
    # Only what is in sight is hit. Whether a marker at the side of the view still is, depends on its style.
    beyond = numpy.max([-screen[:, 0], screen[:, 0] - 800, -screen[:, 1], screen[:, 1] - 600], axis=0)
    reach = tolerance + size / 2
    near = distances <= reach + 1
    if (abs(distances - reach) < 1e-6).any() or ((beyond[near] > 0) & (beyond[near] < size)).any():
        return None
    return set(numpy.nonzero((distances <= reach) & (beyond <= 0))[0].tolist())


def numbers(view, tap, tolerance):
    found = view.identify(tap, tolerance, alidade.identify.ALL)
    assert not found.parts[0].error
    return [element["number"] for element in found]


@pytest.mark.parametrize("tolerance", [0, 5, 40, 150])
def test_answers_are_those_of_the_plane(stage, tolerance):
    view, layer, points, _ = stage
    hits = 0
    for tap in taps(150 if tolerance < 100 else 40):
        truth = expected(view, points, tap, tolerance)
        if truth is not None:
            found = numbers(view, tap, tolerance)
            assert set(found) == truth and len(found) == len(truth)
            hits += len(found)
    assert hits > 5


def test_attributes_follow_the_drawing_order(stage):
    """The topmost is the last of the file, whether features were read before or not."""
    view, layer, points, _ = stage
    seen = 0
    for tap in taps(60):
        ids = [element.id for element in view.identify(tap, 30, alidade.identify.ALL)]
        assert ids == sorted(ids, reverse=True)
        seen += len(ids)
    assert seen > 100


def test_a_change_of_the_renderer_counts_at_once(stage):
    view, layer, points, _ = stage
    for size in (4, 24, 1, 60):
        layer.set_renderer(alidade.SimpleRenderer(alidade.MarkerSymbol(size_dip=size)))
        for tap in taps(40):
            truth = expected(view, points, tap, 0, size)
            assert truth is None or set(numbers(view, tap, 0)) == truth


def test_a_definition_counts_at_once(stage):
    view, layer, points, _ = stage
    tried = taps(60)
    for tap in tried:
        numbers(view, tap, 10)
    for kind in (0, 2, None):
        layer.definition = None if kind is None else f"kind = {kind}"
        layer.source.build_index()
        for tap in tried:
            truth = expected(view, points, tap, 10)
            if truth is not None:
                assert set(numbers(view, tap, 10)) == {n for n in truth if kind is None or n % 3 == kind}


def test_another_scale_and_rotation(stage):
    view, layer, points, _ = stage
    for scale, rotation in ((5, 30), (40, 275), (1, 10)):
        view.set_viewpoint((100, 200), scale=scale * 96 / 0.0254, rotation_deg=rotation)
        for tap in taps(25):
            truth = expected(view, points, tap, 8)
            assert truth is None or set(numbers(view, tap, 8)) == truth


def test_a_file_that_changes_is_not_answered_from_memory(stage):
    view, layer, points, path = stage
    tried = taps(20)
    for tap in tried:
        numbers(view, tap, 20)
    driver = gdal.OpenEx(str(path)).GetDriver().ShortName
    ogr.GetDriverByName(driver).DeleteDataSource(str(path))
    moved = positions(seed=2)
    write(path, moved, driver)
    with pytest.raises(alidade.errors.ReadFailedError, match="changed|reload|[Ll]oad"):
        # Files are looked at every 10 ms at most.
        for _ in range(50):
            view.identify_layer(layer, tried[0], 20, alidade.identify.ALL)
            time.sleep(0.002)
    layer.retry_load()
    layer.source.build_index()
    for tap in tried:
        truth = expected(view, moved, tap, 20)
        assert truth is None or set(numbers(view, tap, 20)) == truth


def large_neighbours(path):
    """A point, and polygons of a million vertices near it, outside of the tapped area."""
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = data.CreateLayer("mixed", reference(3857), ogr.wkbUnknown)
    angle = numpy.linspace(0, 2 * numpy.pi, 1_000_000)
    radius = 100 + 2 * numpy.sin(5000 * angle)
    ring = numpy.column_stack([320 + radius * numpy.cos(angle), radius * numpy.sin(angle)])
    large = Polygon(ring).wkb
    layer.StartTransaction()
    for geometry in [ogr.CreateGeometryFromWkt("POINT (0 0)"), *[ogr.CreateGeometryFromWkb(large)] * 4]:
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(geometry)
        layer.CreateFeature(feature)
    layer.CommitTransaction()


@pytest.mark.parametrize("limits", [{}, {"max_request_points": 900_000}, {"max_request_bytes": 8 << 20}])
def test_limits_count_for_the_tapped_area(tmp_path, limits):
    """What lies around the tapped area is read for the next taps, and may be too much; that fails no tap."""
    path = tmp_path / "mixed.gpkg"
    large_neighbours(path)
    with alidade.Runtime(policy=alidade.Policy(**limits)) as runtime:
        source = alidade.FeatureSource(runtime, path)
        try:
            source.build_index()
        except alidade.errors.LimitExceededError:
            assert limits
        layer = alidade.FeatureLayer(source, alidade.SimpleRenderer(alidade.MarkerSymbol(size_dip=6)))
        map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
        map.add_layer(layer)
        view = alidade.View(map, 300, 200)
        view.set_viewpoint((0, 0), scale=METRES_PER_DIP * 96 / 0.0254)
        for _ in range(3):
            assert [element.id for element in view.identify_layer(layer, (150, 100), 2, alidade.identify.ALL)] == [1]


def test_a_tolerance_without_bounds(runtime, stage):
    """Areas far larger than the data, in a map that does not repeat itself."""
    plane, layer, _, _ = stage
    plane.map.remove_layer(layer)
    utm = alidade.SpatialReference.from_code(runtime, 32632)
    map = alidade.Map(runtime, utm)
    map.add_layer(layer)
    view = alidade.View(map, 800, 600)
    center = alidade.SpatialReference.from_code(runtime, 3857).project([(0, 0)], utm).points[0]
    view.set_viewpoint(tuple(center), scale=1e8)
    for tolerance in (1e6, 1e12, 1e100, 1e300, 3e303, 1e304):
        found = view.identify((400, 300), tolerance, 5)
        assert not found.parts[0].error and len(found) == 5
