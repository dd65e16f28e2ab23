"""Identify on features and graphics: brute force with Shapely on geometries that pyproj and numpy put on the screen."""
import json
import math
import random

import alidade
import numpy
import pyproj
import pytest
from shapely import affinity, wkt
from shapely.geometry import LineString, MultiLineString, MultiPoint, Point, Polygon, box, shape
from shapely.ops import nearest_points, transform, unary_union

from camera import Camera, metres_per_unit
from conftest import ROOT

COUNTRIES = ROOT / "examples" / "navigation" / "data" / "countries_110m.geojson"
WEB_MERCATOR_WIDTH = 2 * math.pi * 6378137
SIZE = (800.0, 600.0)
VIEW = box(0, 0, *SIZE)
# So near to the tolerance nothing is decided: screen coordinates have rounding errors.
UNDECIDED = 1e-6

# Symbol footprints, from the words of Include/alidade/symbol.h


def marker_shape(symbol, map_rotation):
    """The footprint of a marker around (0, 0), y down, as a core and what its strokes reach beyond it."""
    half = symbol.size_dip / 2
    line = symbol.outline
    stroke = line.width_dip / 2 if line and line.style is not alidade.graphics.LineStyle.NULL else 0.0
    style = alidade.graphics.MarkerStyle
    cores = {
        style.CIRCLE: Point(0, 0),
        style.SQUARE: box(-half, -half, half, half),
        style.DIAMOND: Polygon([(0, -half), (half, 0), (0, half), (-half, 0)]),
        style.TRIANGLE: Polygon([(0, -half), (half, half), (-half, half)]),
        style.CROSS: MultiLineString([[(-half, 0), (half, 0)], [(0, -half), (0, half)]]),
        style.X: MultiLineString([[(-half, -half), (half, half)], [(-half, half), (half, -half)]]),
    }
    if symbol.style in (style.CROSS, style.X):
        stroke = (line.width_dip if line and line.width_dip else 1.0) / 2
    reach = stroke + (half if symbol.style is style.CIRCLE else 0.0)
    angle = symbol.angle_deg - (map_rotation if symbol.rotate_with_map else 0.0)
    # Shapely turns from x to y, which is clockwise where y goes down.
    core = affinity.rotate(cores[symbol.style], angle, origin=(0, 0))
    return affinity.translate(core, *symbol.offset_dip), reach


def footprint(geometry, symbol, map_rotation):
    """What a symbol covers around a geometry on the screen: a core, and how far the footprint reaches beyond it."""
    if isinstance(symbol, alidade.MarkerSymbol):
        core, reach = marker_shape(symbol, map_rotation)
        places = geometry.geoms if geometry.geom_type == "MultiPoint" else [geometry]
        return unary_union([affinity.translate(core, p.x, p.y) for p in places]), reach
    if isinstance(symbol, alidade.LineSymbol):
        return (geometry.boundary if "Polygon" in geometry.geom_type else geometry), symbol.width_dip / 2
    line = symbol.outline
    reach = line.width_dip / 2 if line and line.style is not alidade.graphics.LineStyle.NULL else 0.0
    return (geometry if symbol.style is alidade.graphics.FillStyle.SOLID else geometry.boundary), reach


def coordinates(geometry):
    """The coordinates of all vertices, n x 2."""
    if hasattr(geometry, "geoms"):
        return numpy.vstack([coordinates(part) for part in geometry.geoms])
    if geometry.geom_type == "Polygon":
        return numpy.vstack([ring.coords for ring in (geometry.exterior, *geometry.interiors)])
    return numpy.array(geometry.coords)


class Truth:
    """What is drawn, as Shapely has it: the topmost first."""

    def __init__(self, camera, crs, source=4326):
        self.camera, self.crs = camera, pyproj.CRS.from_epsg(crs)
        self.project = pyproj.Transformer.from_crs(source, self.crs, always_xy=True).transform
        self.world = WEB_MERCATOR_WIDTH if crs == 3857 else 360.0 if self.crs.is_geographic else None
        self.geod = self.crs.get_geod()
        self.geographic = pyproj.Transformer.from_crs(self.crs, self.crs.geodetic_crs, always_xy=True)
        self.drawn = []

    def add(self, key, geometry, symbol):
        """Adds what is drawn above all before, in each copy of the world."""
        mapped = transform(lambda x, y: self.project(numpy.array(x), numpy.array(y)), geometry)
        vertices = coordinates(mapped)
        if not numpy.isfinite(vertices).all():
            return
        for copy in range(-4, 5) if self.world else [0]:
            shift = copy * (self.world or 0)
            places = self.camera.to_screen(vertices + [shift, 0])
            if (places.min(axis=0) > numpy.add(SIZE, 500)).any() or (places.max(axis=0) < -500).any():
                continue
            screen = transform(lambda x, y: self.camera.to_screen(numpy.column_stack([x, y]) + [shift, 0]).T, mapped)
            core, reach = footprint(screen, symbol, self.camera.rotation_deg)
            if VIEW.distance(core) <= reach + 200:
                self.drawn.append((key, screen, core, reach, shift))

    def finish(self):
        self.bounds = numpy.array([core.bounds for _, _, core, _, _ in self.drawn])
        self.reach = numpy.array([reach for _, _, _, reach, _ in self.drawn])

    def hits(self, point, tolerance, region=None):
        """The keys and distances of what a tap hits, the topmost first; None if that cannot be decided."""
        place = region or Point(point)
        x_min, y_min, x_max, y_max = place.bounds
        far = self.reach + tolerance + 1
        near = (self.bounds[:, :2] <= numpy.column_stack([x_max + far, y_max + far])).all(axis=1)
        near &= (self.bounds[:, 2:] >= numpy.column_stack([x_min - far, y_min - far])).all(axis=1)
        found = {}
        for number in numpy.flatnonzero(near)[::-1]:
            key, screen, core, reach, shift = self.drawn[number]
            distance = core.distance(place) - reach
            if abs(distance - tolerance) < UNDECIDED and not (distance == tolerance == 0 and reach == 0):
                return None
            distance = max(0.0, distance)
            if distance <= tolerance and core.distance(VIEW) > reach:
                # What is hit lies outside the view. It need not be drawn.
                return None
            if distance <= tolerance and (key not in found or distance < found[key][0] - UNDECIDED):
                found[key] = (distance, screen, shift)
        return found

    def metres(self, point, place):
        """Along the ellipsoid, between two screen points."""
        ends = self.geographic.transform(*self.camera.to_map([point, place]).T)
        return self.geod.inv(ends[0][0], ends[1][0], ends[0][1], ends[1][1])[2]


def check(truth, point, tolerance, elements, region=None):
    """Whether identify found what Shapely finds; 0 if that cannot be decided."""
    expected = truth.hits(point, tolerance, region)
    if expected is None:
        return 0
    assert [element.id for element in elements] == list(expected), (point, tolerance)
    for element, (distance, screen, _) in zip(elements, expected.values()):
        evidence = element.evidence
        assert evidence.distance_dip == pytest.approx(distance, abs=1e-6)
        assert (evidence.zone is alidade.identify.HitZone.HALO) == (distance > 0)
        if region is None:
            edges = screen.boundary if "Polygon" in screen.geom_type else screen
            if distance < 1e-9 and len(expected) > 1:
                # Another copy of the same may be hit as well.
                continue
            place = nearest_points(edges, Point(point))[0]
            assert evidence.nearest_distance_dip == pytest.approx(edges.distance(Point(point)), abs=1e-6)
            inside = evidence.zone is not alidade.identify.HitZone.HALO and evidence.distance_m == 0
            if not inside:
                metres = truth.metres(point, (place.x, place.y))
                # Beyond a pole there is no point of the earth: NaN.
                allowed = 1e-3 * truth.camera.units_per_dip
                assert evidence.distance_m == pytest.approx(metres, rel=1e-6, abs=allowed, nan_ok=True)
    return 1


def taps(truth, generator, count):
    """Half of them anywhere, half near to a vertex."""
    vertices = numpy.vstack([coordinates(screen) for _, screen, _, _, _ in truth.drawn])
    inside = (vertices >= 0).all(axis=1) & (vertices <= SIZE).all(axis=1)
    vertices = vertices[inside]
    for number in range(count):
        if number % 2 and len(vertices):
            angle, radius = generator.uniform(0, 2 * math.pi), generator.uniform(0, 12)
            x, y = vertices[generator.integers(len(vertices))]
            yield x + radius * math.cos(angle), y + radius * math.sin(angle)
        else:
            yield tuple(generator.uniform((0, 0), SIZE))


def make_view(runtime, code, centre, scale, rotation):
    crs = pyproj.CRS.from_epsg(code)
    middle = pyproj.Transformer.from_crs(4326, crs, always_xy=True).transform(*centre)
    camera = Camera(middle, scale, rotation, SIZE, metres_per_unit=metres_per_unit(crs))
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, code))
    view = alidade.View(map, *SIZE)
    view.set_viewpoint(middle, scale=scale, rotation_deg=rotation)
    return map, view, camera


FILL = alidade.FillSymbol((1, 2, 3), alidade.LineSymbol((0, 0, 0), 3))
HOLLOW = alidade.FillSymbol((1, 2, 3), alidade.LineSymbol((0, 0, 0), 4), alidade.graphics.FillStyle.NULL)
BARE = alidade.FillSymbol((1, 2, 3))
DASHES = alidade.LineSymbol((1, 2, 3), 5, alidade.graphics.LineStyle.DASH)
SCENES = [
    (3857, (10, 48), 2e7, 0.0, FILL),
    (3857, (178, 10), 3e8, 33.0, HOLLOW),
    (4326, (-175, 5), 2e8, 200.0, BARE),
    (3413, (20, 75), 4e7, 71.0, DASHES),
    (3413, (-60, 65), 9e7, 0.0, FILL),
    (32633, (15, 47), 1e7, 300.0, FILL),
]


# Taps over real data for each test: with test_identify_world.py, 5,000 in the plain run and 100,000 in the long one.
TAPS, LONG_TAPS = 250, 5000


@pytest.mark.parametrize("is_drawn", [False, True], ids=["read", "drawn"])
@pytest.mark.parametrize(("code", "centre", "scale", "rotation", "symbol"), SCENES)
def test_countries(runtime, is_long, code, centre, scale, rotation, symbol, is_drawn):
    map, view, camera = make_view(runtime, code, centre, scale, rotation)
    layer = alidade.FeatureLayer(alidade.FeatureSource(runtime, COUNTRIES), alidade.SimpleRenderer(symbol))
    map.add_layer(layer)
    truth = Truth(camera, code)
    for number, feature in enumerate(json.loads(COUNTRIES.read_text())["features"]):
        truth.add(number, shape(feature["geometry"]), symbol)
    truth.finish()
    if is_drawn:
        view.feature_drawing(layer)
    generator = numpy.random.default_rng(11)
    decided = hits = 0
    count = LONG_TAPS if is_long else TAPS
    for point in taps(truth, generator, count):
        tolerance = float(generator.choice([0.0, generator.uniform(0, 30)]))
        elements = view.identify_layer(layer, point, tolerance, alidade.identify.ALL).elements
        decided += check(truth, point, tolerance, elements)
        hits += len(elements)
    assert decided > 0.95 * count and hits > 0.25 * count


@pytest.mark.parametrize(("code", "centre", "scale", "rotation", "symbol"), SCENES[:4])
def test_areas(runtime, code, centre, scale, rotation, symbol):
    map, view, camera = make_view(runtime, code, centre, scale, rotation)
    layer = alidade.FeatureLayer(alidade.FeatureSource(runtime, COUNTRIES), alidade.SimpleRenderer(symbol))
    map.add_layer(layer)
    truth = Truth(camera, code)
    for number, feature in enumerate(json.loads(COUNTRIES.read_text())["features"]):
        truth.add(number, shape(feature["geometry"]), symbol)
    truth.finish()
    view.feature_drawing(layer)
    generator = numpy.random.default_rng(12)
    decided = 0
    for number in range(120):
        middle, size = generator.uniform((50, 50), (750, 550)), generator.uniform(2, 120)
        if number % 2:
            corners = [tuple(middle - size), tuple(middle + size * 0.5)]
            region = box(*corners[0], *corners[1])
        else:
            angles = numpy.sort(generator.uniform(0, 2 * math.pi, 7))
            radii = generator.uniform(0.2, 1, 7) * size
            corners = [tuple(middle + r * numpy.array([math.cos(a), math.sin(a)])) for a, r in zip(angles, radii)]
            region = Polygon(corners)
        if not region.is_valid:
            continue
        elements = view.identify_layer(layer, tuple(middle), 0, alidade.identify.ALL, area=corners).elements
        decided += check(truth, tuple(middle), 0.0, elements, region)
    assert decided > 60


def random_marker(generator):
    outline = generator.choice([None, 0.0, 3.0])
    return alidade.MarkerSymbol(
        (9, 9, 9),
        float(generator.uniform(4, 40)),
        alidade.graphics.MarkerStyle(int(generator.integers(0, 6))),
        None if outline is None else alidade.LineSymbol((1, 1, 1), outline),
        float(generator.uniform(-400, 400)),
        tuple(generator.uniform(-20, 20, 2)),
        bool(generator.integers(2)),
    )


@pytest.mark.parametrize(
    ("code", "centre", "scale", "rotation"),
    [(3857, (10, 48), 2e7, 0.0), (3857, (179, -10), 2.5e8, 123.0), (3413, (20, 75), 4e7, 71.0), (4326, (0, 0), 2e8, 45.0)],
)
def test_graphics(runtime, is_long, code, centre, scale, rotation):
    """Markers of all styles, multipoints, lines and polygons in one overlay, with z-indexes."""
    _, view, camera = make_view(runtime, code, centre, scale, rotation)
    overlay = alidade.GraphicsOverlay(runtime)
    view.add_overlay(overlay)
    truth = Truth(camera, code)
    generator = numpy.random.default_rng(13)
    wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
    spread = 200 / camera.anchor[0] * camera.units_per_dip * metres_per_unit(pyproj.CRS.from_epsg(code)) / 1e5
    graphics = []
    for _ in range(250):
        at = numpy.array(centre) + generator.uniform(-1, 1, 2) * spread * 300 * (1, 0.6)
        at = numpy.clip(at, (-179.0, -70.0), (179.0, 84.0))
        kind = generator.integers(4)
        offsets = generator.uniform(-30, 30, (4, 2)) * spread
        around = numpy.clip(at + offsets, (-179.9, -75.0), (179.9, 85.0))
        if kind == 0:
            geometry, symbol = Point(at), random_marker(generator)
        elif kind == 1:
            geometry, symbol = MultiPoint(around), random_marker(generator)
        elif kind == 2:
            geometry, symbol = LineString(around), alidade.LineSymbol((1, 1, 1), float(generator.uniform(0.5, 9)))
        else:
            geometry = box(*around.min(axis=0), *(around.max(axis=0) + 0.01))
            symbol = [FILL, HOLLOW, BARE][generator.integers(3)]
        z = int(generator.integers(-2, 3))
        one = alidade.Geometry.from_wkt(runtime, geometry.wkt, wgs84)
        graphics.append((z, overlay.add(one, symbol=symbol, z_index=z), wkt.loads(geometry.wkt), symbol))
    for z, key, geometry, symbol in sorted(graphics, key=lambda graphic: graphic[:2]):
        truth.add(key, geometry, symbol)
    truth.finish()
    decided = hits = 0
    for point in taps(truth, generator, 8000 if is_long else 400):
        tolerance = float(generator.choice([0.0, generator.uniform(0, 30)]))
        found = view.identify_overlay(overlay, point, tolerance, alidade.identify.ALL)
        expected = truth.hits(point, tolerance)
        hits += len(found)
        if expected is None:
            continue
        decided += 1
        assert [element.id for element in found] == list(expected), (point, tolerance)
        distances = [element.evidence.distance_dip for element in found]
        assert distances == pytest.approx([distance for distance, _, _ in expected.values()], abs=1e-6)
    assert decided > 350 and hits > 100


@pytest.mark.parametrize("code", [3857, 3413, 4326])
@pytest.mark.parametrize("rotation", [0.0, 17.0, 181.0])
def test_a_radius_is_that_radius_in_every_direction(runtime, code, rotation):
    centre = (100, 70)
    _, view, camera = make_view(runtime, code, centre, 1e7, rotation)
    overlay = alidade.GraphicsOverlay(runtime)
    view.add_overlay(overlay)
    place = alidade.Geometry.from_wkt(runtime, f"POINT ({centre[0]} {centre[1]})", alidade.SpatialReference.from_code(runtime, 4326))
    overlay.add(place, symbol=alidade.MarkerSymbol((1, 1, 1), 10))
    for radius in (0.5, 7.0, 40.0):
        for angle in numpy.linspace(0, 2 * math.pi, 73):
            way = numpy.array([math.cos(angle), math.sin(angle)])
            for distance, is_hit in ((radius - 0.01, True), (radius + 0.01, False)):
                point = tuple(camera.anchor + way * (5 + distance))
                assert bool(len(view.identify_overlays(point, radius))) == is_hit


@pytest.mark.parametrize("is_dense", [False, True], ids=["as given", "densified"])
@pytest.mark.parametrize("rotation", [0.0, 71.0])
def test_edges_between_vertices_far_apart(runtime, is_dense, rotation):
    """Parallels on a polar map: straight between the vertices that there are, and arcs with vertices close together."""
    centre = (-30, 74)
    _, view, camera = make_view(runtime, 3413, centre, 1.5e7, rotation)
    overlay = alidade.GraphicsOverlay(runtime)
    view.add_overlay(overlay)
    corners = [(-50, 70), (-10, 70), (-10, 78), (-50, 78), (-50, 70)]
    # A piece of 40 degrees bends by some thirty DIP, one of a hundredth of a degree by far less than 0.01.
    pieces = 4000 if is_dense else 1
    shares = numpy.linspace(0, 1, pieces, endpoint=False)[:, None]
    ring = numpy.vstack([numpy.array(a) + shares * numpy.subtract(b, a) for a, b in zip(corners, corners[1:])])
    wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
    overlay.add(alidade.Geometry.from_wkt(runtime, Polygon(ring).wkt, wgs84), symbol=BARE)
    project = pyproj.Transformer.from_crs(4326, 3413, always_xy=True).transform

    def on_screen(places):
        return camera.to_screen(numpy.column_stack(project(*numpy.transpose(places))))

    taken = 0
    for a, b in zip(corners, corners[1:]):
        for share in numpy.linspace(0.05, 0.95, 19):
            if is_dense:
                around = [numpy.array(a) + (share + step) * numpy.subtract(b, a) for step in (-1e-6, 0, 1e-6)]
                before, place, after = on_screen(around)
            else:
                before, after = on_screen([a, b])
                place = before + share * (after - before)
            # The ring goes round anticlockwise on the map, so that the outside is to the right of its way. The view's y
            # goes down.
            way = (after - before) / numpy.hypot(*(after - before))
            outward = numpy.array([-way[1], way[0]])
            for radius in (0.5, 7.0, 25.0):
                for distance, is_hit in ((radius - 0.01, True), (radius + 0.01, False)):
                    point = place + outward * distance
                    if not (0 <= point).all() or not (point <= SIZE).all():
                        continue
                    found = view.identify_overlays(tuple(point), radius)
                    taken += 1
                    assert bool(len(found)) == is_hit, (a, b, share, radius, is_hit)
    assert taken > 200


@pytest.mark.parametrize("rotation", [0.0, 45.0, 123.0, 300.0])
def test_markers_far_from_their_points(runtime, rotation):
    """The offset and a corner of the marker lead in one direction: the corner is hit, whatever is up on the screen."""
    _, view, camera = make_view(runtime, 3857, (10, 48), 2e7, rotation)
    wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
    place = camera.to_screen([pyproj.Transformer.from_crs(4326, 3857, always_xy=True).transform(10, 48)])[0]
    for angle in range(0, 360, 15):
        towards = numpy.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
        symbol = alidade.MarkerSymbol(
            (9, 9, 9), 30.0, alidade.graphics.MarkerStyle.SQUARE, None, float(angle + 45), tuple(25 * towards), False)
        overlay = alidade.GraphicsOverlay(runtime)
        view.add_overlay(overlay)
        key = overlay.add(alidade.Geometry.from_wkt(runtime, "POINT (10 48)", wgs84), symbol=symbol)
        corner = 25 + 15 * math.sqrt(2)
        for distance, is_hit in ((corner - 0.01, True), (corner + 0.01, False)):
            found = view.identify_overlay(overlay, tuple(place + distance * towards), 0, alidade.identify.ALL)
            assert [element.id for element in found] == [key] * is_hit, (angle, distance)
        view.remove_overlay(overlay)


def test_reference_scale_and_selection(runtime):
    """Symbols grow with the reference scale; a selection changes nothing."""
    map, view, camera = make_view(runtime, 3857, (0, 0), 1e6, 0.0)
    map.reference_scale = 4e6
    overlay = alidade.GraphicsOverlay(runtime, options=alidade.graphics.GraphicsOverlayOptions(scale_symbols=True))
    view.add_overlay(overlay)
    square = alidade.Geometry.from_wkt(
        runtime, "POLYGON ((0 0, 9000 0, 9000 9000, 0 9000, 0 0))", alidade.SpatialReference.from_code(runtime, 3857)
    )
    hollow = overlay.add(square, symbol=alidade.FillSymbol((1, 1, 1), alidade.LineSymbol((0, 0, 0), 2)))
    bare = overlay.add(square, symbol=BARE)
    for selected in (False, True):
        if selected:
            overlay.select([hollow, bare])
        # The outline is 8 DIP wide now: 4 to each side.
        found = view.identify_overlays(tuple(camera.anchor + (-3.9, 3.9 - 4)), 0, alidade.identify.ALL)
        assert [element.id for element in found] == [hollow]
        assert not len(view.identify_overlays(tuple(camera.anchor + (-4.1, -3)), 0, alidade.identify.ALL))


# Order and limits


def test_order_and_limits_hold_for_any_number(runtime):
    generator = random.Random(3)
    _, view, camera = make_view(runtime, 3857, (10, 48), 2e7, 0.0)
    wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
    overlays = [alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(alidade.MarkerSymbol((1, 1, 1), 30))) for _ in range(3)]
    for overlay in overlays:
        view.add_overlay(overlay)
        xy = [[10 + generator.gauss(0, 0.4), 48 + generator.gauss(0, 0.4)] for _ in range(60)]
        places = alidade.GeometryArray.from_columns(runtime, xy, kind=alidade.geometry.GeometryKind.POINT, spatial_reference=wgs84)
        overlay.add_many(places, z_index=[generator.randint(-1, 1) for _ in xy])
    for _ in range(60):
        point = tuple(camera.anchor + (generator.gauss(0, 20), generator.gauss(0, 20)))
        tolerance = generator.choice([0, 3, 25])
        everything = view.identify(point, tolerance, alidade.identify.ALL)
        assert not everything.limit_exceeded
        order = {
            (number, key): (number, overlay.ids.index(key))
            for number, overlay in enumerate(overlays)
            for key in overlay.ids
        }
        keys = [(overlays.index(element.overlay), element.id) for element in everything]
        assert [order[key] for key in keys] == sorted((order[key] for key in keys), reverse=True)
        assert len(set(keys)) == len(keys)
        for most in (1, 2, 5, 100):
            limited = view.identify(point, tolerance, most)
            for whole, part in zip(everything.parts, limited.parts):
                ids = [everything[index].id for index in whole.elements]
                assert [limited[index].id for index in part.elements] == ids[:most]
                assert part.hit_count == len(ids)
            assert limited.limit_exceeded == any(part.hit_count > most for part in everything.parts)
        # A larger circle finds all that a smaller circle finds, and more.
        wider = view.identify(point, tolerance + 10, alidade.identify.ALL)
        assert set(keys) <= {(overlays.index(element.overlay), element.id) for element in wider}
