"""Snapping: brute force with numpy on geometries that pyproj and numpy put on the screen."""
import json

import alidade
import numpy
import pytest
from alidade.identify import SnapFlags
from shapely import wkt
from shapely.geometry import GeometryCollection, LineString, Point, box, shape
from shapely.ops import transform

from test_identify_features import COUNTRIES, FILL, SCENES, SIZE, VIEW, WEB_MERCATOR_WIDTH, coordinates, make_view
from pyproj import CRS, Transformer

RANKS = [SnapFlags.ENDPOINT, SnapFlags.VERTEX | SnapFlags.INTERSECTION, SnapFlags.MIDPOINT, SnapFlags.CENTROID,
         SnapFlags.EDGE]
ALL = SnapFlags.ENDPOINT | SnapFlags.VERTEX | SnapFlags.INTERSECTION | SnapFlags.MIDPOINT | SnapFlags.CENTROID | \
    SnapFlags.EDGE
UNDECIDED = 1e-6


def paths_of(geometry):
    """(kind, member, part, path, points) of each path of a geometry."""
    members = [geometry]
    if geometry.geom_type == "GeometryCollection":
        members = list(geometry.geoms)
    for member, simple in enumerate(members):
        parts = list(simple.geoms) if hasattr(simple, "geoms") else [simple]
        if simple.geom_type == "MultiPoint":
            yield "points", member, 0, 0, numpy.array([part.coords[0] for part in parts])
            continue
        for number, part in enumerate(parts):
            if part.geom_type == "Polygon":
                for path, ring in enumerate([part.exterior, *part.interiors]):
                    yield "ring", member, number, path, numpy.array(ring.coords)
            else:
                kind = "points" if part.geom_type == "Point" else "line"
                yield kind, member, number, 0, numpy.array(part.coords)


class Truth:
    """All positions that a point may snap to, in each copy of the world."""

    def __init__(self, camera, code):
        self.camera = camera
        self.project = Transformer.from_crs(4326, code, always_xy=True).transform
        self.world = WEB_MERCATOR_WIDTH if code == 3857 else 360.0 if CRS.from_epsg(code).is_geographic else None
        self.places = {kind: [] for kind in (SnapFlags.VERTEX, SnapFlags.ENDPOINT, SnapFlags.MIDPOINT, SnapFlags.CENTROID)}
        self.edges = []

    def add(self, key, geometry):
        mapped = transform(lambda x, y: self.project(numpy.array(x), numpy.array(y)), geometry)
        if not numpy.isfinite(coordinates(mapped)).all():
            return
        for copy in range(-4, 5) if self.world else [0]:
            shift = copy * (self.world or 0)
            screen = transform(lambda x, y: self.camera.to_screen(numpy.column_stack([x, y]) + [shift, 0]).T, mapped)
            if not screen.envelope.intersects(VIEW):
                continue
            if screen.intersects(VIEW) if screen.is_valid else True:
                self.places[SnapFlags.CENTROID].append((key, *screen.centroid.coords[0]))
            for kind, _, _, _, points in paths_of(screen):
                vertices = points[:-1] if kind == "ring" else points
                self.places[SnapFlags.VERTEX] += [(key, *place) for place in vertices]
                if kind == "line" and tuple(points[0]) != tuple(points[-1]):
                    self.places[SnapFlags.ENDPOINT] += [(key, *points[0]), (key, *points[-1])]
                if kind != "points":
                    middles = (points[1:] + points[:-1]) / 2
                    self.places[SnapFlags.MIDPOINT] += [(key, *place) for place in middles]
                    self.edges += [(key, *a, *b) for a, b in zip(points, points[1:])]

    def finish(self):
        self.places = {kind: numpy.array(list).reshape(-1, 3) for kind, list in self.places.items()}
        self.edges = numpy.array(self.edges).reshape(-1, 5)

    def near_edges(self, point):
        a, b = self.edges[:, 1:3], self.edges[:, 3:5]
        along = b - a
        squares = (along**2).sum(axis=1)
        shares = numpy.clip(((point - a) * along).sum(axis=1) / numpy.where(squares > 0, squares, 1), 0, 1)
        return numpy.hypot(*(a + along * shares[:, None] - point).T)

    def candidates(self, point, tolerance, kinds):
        """(kind, distance, key) of all that is within the tolerance; None if that cannot be decided."""
        found = []

        def take(kind, keys, distances):
            for key, distance in zip(keys, distances):
                if distance <= tolerance + UNDECIDED:
                    found.append((kind, distance, int(key)))

        for kind, places in self.places.items():
            if kind & kinds and len(places):
                take(kind, places[:, 0], numpy.hypot(*(places[:, 1:] - point).T))
        if len(self.edges):
            distances = self.near_edges(point)
            near = self.edges[distances <= tolerance + UNDECIDED]
            if SnapFlags.EDGE & kinds:
                take(SnapFlags.EDGE, self.edges[:, 0], distances)
            if SnapFlags.INTERSECTION & kinds:
                for first in range(len(near)):
                    p, r = near[first, 1:3], near[first, 3:5] - near[first, 1:3]
                    others = near[first + 1 :]
                    q, s = others[:, 1:3], others[:, 3:5] - others[:, 1:3]
                    cross = r[0] * s[:, 1] - r[1] * s[:, 0]
                    with numpy.errstate(all="ignore"):
                        t = ((q - p)[:, 0] * s[:, 1] - (q - p)[:, 1] * s[:, 0]) / cross
                        u = ((q - p)[:, 0] * r[1] - (q - p)[:, 1] * r[0]) / cross
                        ends = [(numpy.abs(x) < 1e-9) | (numpy.abs(x - 1) < 1e-9) for x in (t, u)]
                        inside = (t > -1e-9) & (t < 1 + 1e-9) & (u > -1e-9) & (u < 1 + 1e-9)
                        crossing = inside & ~(ends[0] & ends[1]) & (cross != 0)
                        # Borders that two countries share along a line: rounding decides where they cross.
                        flat = numpy.abs(cross) < 1e-6 * numpy.hypot(*r) * numpy.hypot(*s.T)
                        # One on the other: rounding decides whether they cross at all.
                        length = numpy.hypot(*r)
                        beside = numpy.abs((q - p)[:, 0] * r[1] - (q - p)[:, 1] * r[0]) / length
                        along = numpy.stack([(q - p) @ r, (q + s - p) @ r]) / length**2
                        meet = [(end == other).all(axis=1) for end in (p, near[first, 3:5]) for other in (q, others[:, 3:5])]
                        on = (beside < 1e-6) & (along.max(axis=0) > 0) & (along.min(axis=0) < 1) & ~numpy.any(meet, axis=0)
                    if (flat & (crossing | on)).any():
                        return None
                    for place, share, is_end in zip(numpy.flatnonzero(crossing), t[crossing],
                                                    (ends[0] | ends[1])[crossing]):
                        if is_end:
                            return None
                        distance = numpy.hypot(*(p + share * r - point))
                        if distance <= tolerance + UNDECIDED:
                            keys = {int(near[first, 0]), int(others[place, 0])}
                            found += [(SnapFlags.INTERSECTION, distance, key) for key in keys]
        if any(abs(distance - tolerance) < UNDECIDED for _, distance, _ in found):
            return None
        return found


def check(truth, view, point, tolerance, kinds, geometries, **which):
    """Whether a point snaps to what brute force finds; 0 if that cannot be decided."""
    found = truth.candidates(numpy.array(point), tolerance, kinds)
    if found is None:
        return 0
    snap = view.snap(point, tolerance, kinds, **which)
    if not found:
        assert snap is None, (point, snap)
        return 1
    rank = next(rank for rank in RANKS if any(kind & rank for kind, _, _ in found))
    best = min(distance for kind, distance, _ in found if kind & rank)
    assert snap is not None and snap.kind & rank, (point, tolerance, kinds, snap)
    assert snap.distance_dip == pytest.approx(best, abs=UNDECIDED)
    assert numpy.hypot(*(numpy.array(snap.screen_point) - point)) == pytest.approx(best, abs=UNDECIDED)
    assert snap.id in {key for kind, distance, key in found if kind & rank and distance < best + UNDECIDED}
    on_map = truth.camera.to_screen([snap.map_point])[0]
    assert on_map == pytest.approx(snap.screen_point, abs=UNDECIDED)
    if snap.kind is SnapFlags.CENTROID:
        assert snap.segment_index is None and snap.vertex_index is None
        return 1
    # Where it says to be, in some copy of the world.
    paths = {(member, part, path): points for _, member, part, path, points in paths_of(geometries[snap.id])}
    points = paths[snap.member_index, snap.part_index, snap.path_index]
    place = numpy.array(truth.project(*points.T)).T
    if snap.vertex_index is not None:
        expected = place[snap.vertex_index]
    else:
        a, b = place[snap.segment_index], place[snap.segment_index + 1]
        length = ((b - a) ** 2).sum()
        at = numpy.array(snap.map_point)
        if truth.world:
            at[0] -= round((at[0] - (a[0] + b[0]) / 2) / truth.world) * truth.world
        # Where both ends of an edge have one image, each share of it is there.
        share = numpy.clip(((at - a) * (b - a)).sum() / length, 0, 1) if length else 0.5
        expected = a + (b - a) * share
        if snap.kind is SnapFlags.MIDPOINT:
            assert share == pytest.approx(0.5, abs=1e-6)
    off = numpy.array(snap.map_point) - expected
    if truth.world:
        off[0] -= round(off[0] / truth.world) * truth.world
    assert numpy.hypot(*off) < 1e-4 * truth.camera.units_per_dip
    return 1


def taps(truth, generator, count):
    """Half of them anywhere, half near to a vertex or a centroid."""
    places = numpy.vstack([places[:, 1:] for places in truth.places.values()])
    places = places[((places >= 30) & (places <= numpy.array(SIZE) - 30)).all(axis=1)]
    for number in range(count):
        if number % 2 and len(places):
            yield tuple(places[generator.integers(len(places))] + generator.uniform(-12, 12, 2))
        else:
            yield tuple(generator.uniform((30, 30), numpy.array(SIZE) - 30))


def some_kinds(generator):
    kinds = SnapFlags(int(generator.integers(1, 64)))
    return ALL if generator.random() < 0.3 else kinds


@pytest.mark.parametrize("is_drawn", [False, True], ids=["read", "drawn"])
@pytest.mark.parametrize(("code", "centre", "scale", "rotation", "_symbol"), SCENES)
def test_countries(runtime, is_long, code, centre, scale, rotation, _symbol, is_drawn):
    map, view, camera = make_view(runtime, code, centre, scale, rotation)
    layer = alidade.FeatureLayer(alidade.FeatureSource(runtime, COUNTRIES), alidade.SimpleRenderer(FILL))
    map.add_layer(layer)
    truth = Truth(camera, code)
    geometries = {}
    for number, feature in enumerate(json.loads(COUNTRIES.read_text())["features"]):
        geometries[number] = shape(feature["geometry"])
        truth.add(number, geometries[number])
    truth.finish()
    if is_drawn:
        view.feature_drawing(layer)
    generator = numpy.random.default_rng(21)
    decided = 0
    for point in taps(truth, generator, 4000 if is_long else 150):
        tolerance = float(generator.uniform(0, 25))
        decided += check(truth, view, point, tolerance, some_kinds(generator), geometries)
    assert decided > 120


@pytest.mark.parametrize(("code", "centre", "scale", "rotation", "_symbol"), SCENES[:4])
def test_graphics(runtime, is_long, code, centre, scale, rotation, _symbol):
    """Points, lines, polygons with holes and collections, which cross each other."""
    _, view, camera = make_view(runtime, code, centre, scale, rotation)
    overlay = alidade.GraphicsOverlay(runtime)
    view.add_overlay(overlay)
    truth = Truth(camera, code)
    generator = numpy.random.default_rng(22)
    wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
    corners = Transformer.from_crs(code, 4326, always_xy=True).transform(
        *camera.to_map(generator.uniform((0, 0), SIZE, (160, 2))).T)
    geometries = {}
    for x, y in zip(*corners):
        if not numpy.isfinite([x, y]).all():
            continue
        spread = scale / 2e7
        around = numpy.clip(numpy.array([x, y]) + generator.uniform(-2, 2, (4, 2)) * spread, (-179.9, -80), (179.9, 85))
        kind = generator.integers(5)
        if kind == 0:
            geometry = Point(around[0])
            symbol = alidade.MarkerSymbol((1, 1, 1), 5)
        elif kind < 3:
            geometry, symbol = LineString(around), alidade.LineSymbol((1, 1, 1), 2)
        elif kind == 3:
            low, high = around.min(axis=0) - 0.05, around.max(axis=0) + 0.05
            geometry = box(*low, *high).difference(box(*(low + (high - low) / 4), *(low + (high - low) / 2)))
            symbol = FILL
        else:
            geometry = GeometryCollection([LineString(around[:2]), LineString(around[1:])])
            symbol = alidade.LineSymbol((1, 1, 1), 2)
        geometry = wkt.loads(geometry.wkt)
        key = overlay.add(alidade.Geometry.from_wkt(runtime, geometry.wkt, wgs84), symbol=symbol)
        geometries[key] = geometry
        truth.add(key, geometry)
    truth.finish()
    decided, kinds = 0, set()
    for point in taps(truth, generator, 4000 if is_long else 300):
        wanted = some_kinds(generator)
        decided += check(truth, view, point, float(generator.uniform(0, 20)), wanted, geometries, overlays=[overlay])
        snap = view.snap(point, 20, wanted)
        assert view.snap_async(point, 20, wanted).result(10) == snap
        kinds |= {snap.kind} if snap else set()
    assert decided > 200 and len(kinds) == 6, (decided, kinds)


def test_chosen_layers_and_overlays(runtime, tmp_path):
    """The topmost of equally near ones, and only among what is chosen."""
    map, view, camera = make_view(runtime, 3857, (0, 0), 1e6, 0)
    wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
    path = tmp_path / "a.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": 5, "properties": {}, "geometry": {"type": "Point", "coordinates": [0, 0]}}]}))
    layer = alidade.FeatureLayer(alidade.FeatureSource(runtime, path), alidade.SimpleRenderer(
        alidade.MarkerSymbol((1, 2, 3), 5)))
    group = alidade.GroupLayer(runtime)
    group.append(layer)
    map.add_layer(group)
    overlays = [alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(alidade.MarkerSymbol((1, 2, 3), 5)))
                for _ in range(2)]
    for overlay in overlays:
        view.add_overlay(overlay)
        overlay.add(alidade.Geometry.from_wkt(runtime, "POINT (0 0)", wgs84))
    middle = camera.anchor
    assert view.snap(middle, 1).overlay == overlays[1]
    assert view.snap(middle, 1, overlays=overlays[:1]).overlay == overlays[0]
    for layers in ([layer], [group]):
        found = view.snap(middle, 1, layers=layers)
        assert (found.layer, found.id, found.overlay) == (layer, 5, None)
    assert view.snap(middle, 1, layers=[], overlays=[]) is None
    layer.visible = False
    assert view.snap(middle, 1, layers=[layer]) is None
    overlays[1].options = alidade.graphics.GraphicsOverlayOptions(visible=False)
    assert view.snap(middle, 1).overlay == overlays[0]
    assert view.snap(middle + (3, 4), 5 - 1e-9) is None
    assert view.snap(middle + (3, 4), 5 + 1e-9).distance_dip == pytest.approx(5)
    with pytest.raises(alidade.errors.NotFoundError):
        view.snap(middle, 1, overlays=[alidade.GraphicsOverlay(runtime)])


@pytest.mark.parametrize("rotation_deg", [0, 33])
@pytest.mark.parametrize("unit", [0.01, 1, 100])
def test_edges_that_end_on_another(rotation_deg, unit):
    """A road that ends on the middle of a straight one: on the map to the last digit, on the screen next to it or not."""
    with alidade.Runtime() as runtime:
        view = alidade.View(alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 32633)), 800, 600)
        view.set_viewpoint((500000, 5400000), scale=1e4 * unit, rotation_deg=rotation_deg)
        overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(alidade.LineSymbol((1, 1, 1), 2)))
        view.add_overlay(overlay)
        for number in range(1, 60):
            overlay.clear()
            y = 5400000 + unit * number / 2
            for text in (f"LINESTRING({500000 - 100 * unit} 5400000, {500000 + 100 * unit} {5400000 + unit * number})",
                         f"LINESTRING(500000 {y}, 500000 {5400000 + 150 * unit})"):
                overlay.add(alidade.Geometry.from_wkt(runtime, text))
            screen = view.map_to_screen((500000, y))[0]
            snap = view.snap(screen, 10, SnapFlags.INTERSECTION)
            assert snap is not None and snap.distance_dip < 1e-3
            assert numpy.abs(numpy.array(snap.map_point) - (500000, y)).max() < 1e-5 * unit
            # Where both end they have a vertex.
            overlay.clear()
            for text in (f"LINESTRING({500000 - 100 * unit} 5400000, 500000 {y})",
                         f"LINESTRING(500000 {y}, 500000 {5400000 + 150 * unit})"):
                overlay.add(alidade.Geometry.from_wkt(runtime, text))
            assert view.snap(screen, 10, SnapFlags.INTERSECTION) is None
