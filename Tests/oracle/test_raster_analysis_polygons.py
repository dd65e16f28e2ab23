"""Which cells a polygon has: against GDAL's polygon fill, shapely and pyproj, on rasters in which each cell's value is
its number, so that the classes of a polygon are its cells."""
import math

import alidade
import numpy
import pyproj
import pytest
import rasterio
from rasterio.features import geometry_mask
from shapely.geometry import MultiPoint, MultiPolygon, Point, Polygon, box
from shapely.ops import transform as transformed
from shapely.ops import triangulate
from shapely.prepared import prep
from truth import projector

WIDTH, HEIGHT = 90, 70
# Name, code and geotransform as rasterio writes it.
GRIDS = {
    "plain": (32633, (30.0, 0.0, 500000.0, 0.0, -30.0, 5200000.0)),
    "south-up": (32633, (30.0, 0.0, 500000.0, 0.0, 30.0, 5200000.0)),
    "turned": (32633, (25.98, 15.0, 500000.0, 15.0, -25.98, 5200000.0)),
    "degrees": (4326, (0.01, 0.0, 14.0, 0.0, -0.01, 47.5)),
}


@pytest.fixture(scope="module")
def grids(tmp_path_factory, runtime):
    """Each grid as a raster and as rasterio's transform."""
    folder = tmp_path_factory.mktemp("grids")
    return {name: numbered(runtime, folder / f"{name}.tif", code, transform)
            for name, (code, transform) in GRIDS.items()}


def numbered(runtime, path, code, transform, **options):
    numbers = numpy.arange(WIDTH * HEIGHT, dtype="uint32").reshape(HEIGHT, WIDTH)
    transform = rasterio.Affine(*transform)
    with rasterio.open(path, "w", driver="GTiff", width=WIDTH, height=HEIGHT, count=1, dtype="uint32", tiled=True,
                       blockxsize=32, blockysize=16, crs=f"EPSG:{code}", transform=transform, **options) as file:
        file.write(numbers, 1)
    return alidade.Raster(runtime, path), transform


def rings_of(polygon):
    """All rings of a polygon or multipolygon."""
    parts = polygon.geoms if isinstance(polygon, MultiPolygon) else [polygon]
    return [numpy.array(ring.coords) for part in parts for ring in (part.exterior, *part.interiors)]


def cells_of(raster, rings, reference=None, all_touched=False):
    """The cells that the library has in a polygon, as a mask; each is there once."""
    classes = raster.polygon_classes(rings, 1, reference, all_touched=all_touched)
    assert (classes["cell_count"] == 1).all()
    mask = numpy.zeros(HEIGHT * WIDTH, bool)
    mask[classes["integer"]] = True
    return mask.reshape(HEIGHT, WIDTH)


def star(generator, middle, radius, corners):
    """A polygon of a random outline, which does not cross itself."""
    angles = numpy.sort(generator.uniform(0, 2 * math.pi, corners))
    reach = radius * generator.uniform(0.3, 1.0, corners)
    return numpy.array(middle) + numpy.column_stack([reach * numpy.cos(angles), reach * numpy.sin(angles)])


def random_polygon(generator):
    """In cells, with a hole or a second part; also outside the raster."""
    middle = generator.uniform(-0.1, 1.1, 2) * (WIDTH, HEIGHT)
    radius = generator.choice([0.4, 1.5, 8.0, 60.0])
    polygon = Polygon(star(generator, middle, radius, generator.integers(3, 40))).buffer(0)
    hole = Polygon(star(generator, middle, radius * 0.4, 7)).buffer(0)
    other = Polygon(star(generator, middle + 2.2 * radius, radius, 9)).buffer(0)
    polygon = polygon.difference(hole) if generator.random() < 0.5 else polygon.union(other)
    return polygon if polygon.area > 1e-6 and polygon.geom_type.endswith("Polygon") else random_polygon(generator)


def on_map(polygon, transform):
    return transformed(lambda x, y: (transform.a * x + transform.b * y + transform.c,
                                    transform.d * x + transform.e * y + transform.f), polygon)


@pytest.mark.parametrize("name", GRIDS)
def test_cell_centers(grids, name):
    """GDAL's polygon fill, away from the cases in which a middle lies on an edge."""
    raster, transform = grids[name]
    generator = numpy.random.default_rng(1)
    columns, rows = numpy.meshgrid(numpy.arange(WIDTH) + 0.5, numpy.arange(HEIGHT) + 0.5)
    for _ in range(30):
        polygon = random_polygon(generator)
        place = on_map(polygon, transform)
        ours = cells_of(raster, rings_of(place))
        gdals = geometry_mask([place], (HEIGHT, WIDTH), transform, invert=True)
        different = ours != gdals
        # GDAL rounds positions of edges; where it differs, shapely shows which one is right.
        assert different.sum() <= 2
        for column, row in zip(columns[different], rows[different]):
            assert polygon.contains(Point(column, row)) == ours[int(row), int(column)]
        numbers = raster.polygon_statistics(rings_of(place))
        assert numbers.value_count == ours.sum() and numbers.empty_count == 0
        assert numbers.value_count + numbers.outside_count == centres_inside(polygon)


def centres_inside(polygon):
    """How many middles of an endless grid lie in a polygon."""
    left, top, right, bottom = polygon.bounds
    xs = numpy.arange(math.floor(left), math.ceil(right)) + 0.5
    ys = numpy.arange(math.floor(top), math.ceil(bottom)) + 0.5
    prepared = prep(polygon)
    return sum(prepared.contains(Point(x, y)) for x in xs for y in ys)


@pytest.mark.parametrize("name", GRIDS)
def test_all_touched(grids, name):
    """Shapely's intersects, cell by cell. (GDAL's own all-touched differs from it by cells that edges graze.)"""
    raster, transform = grids[name]
    generator = numpy.random.default_rng(2)
    for _ in range(10):
        polygon = random_polygon(generator)
        rings = rings_of(on_map(polygon, transform))
        touched = touched_cells(polygon)
        ours = cells_of(raster, rings, all_touched=True)
        for row, column in zip(*numpy.nonzero(ours != touched)):
            # A corner or an edge that is met within rounding.
            cell = box(column, row, column + 1, row + 1)
            assert (cell.intersection(polygon).area if touched[row, column] else cell.distance(polygon)) < 1e-7
        numbers = raster.polygon_statistics(rings, all_touched=True)
        assert numbers.value_count == ours.sum()
        left, top, right, bottom = polygon.bounds
        prepared = prep(polygon)
        everywhere = sum(prepared.intersects(box(x, y, x + 1, y + 1))
                         for x in range(math.floor(left), math.ceil(right))
                         for y in range(math.floor(top), math.ceil(bottom)))
        assert numbers.value_count + numbers.outside_count == pytest.approx(everywhere, abs=(ours != touched).sum() + 1)


def touched_cells(polygon):
    prepared = prep(polygon)
    return numpy.array([[prepared.intersects(box(column, row, column + 1, row + 1)) for column in range(WIDTH)]
                        for row in range(HEIGHT)])


@pytest.mark.parametrize("ring, middles, touched", [
    # Edges on the borders of cells: the closed cells next to them are touched.
    ([(2, 2), (4, 2), (4, 3), (2, 3)], [(2, 2), (3, 2)], [(c, r) for r in (1, 2, 3) for c in (1, 2, 3, 4)]),
    # Edges through middles: the left and the upper one count.
    ([(2.5, 2.5), (4.5, 2.5), (4.5, 3.5), (2.5, 3.5)], [(2, 2), (3, 2)], [(c, r) for r in (2, 3) for c in (2, 3, 4)]),
    # Between middles: none, also where a corner of a cell lies on an edge; and smaller than a cell.
    ([(2.625, 2.625), (3.375, 2.625), (3.375, 3.375)], [], [(2, 2), (3, 2), (2, 3), (3, 3)]),
    ([(2.1, 2.1), (2.2, 2.1), (2.2, 2.2)], [], [(2, 2)]),
    # No area at all.
    ([(2.1, 2.1), (4.2, 2.1), (2.1, 2.1)], [], [(2, 2), (3, 2), (4, 2)]),
    ([(2.5, 2.5)] * 3, [], [(2, 2)]),
    # A bow tie, whose middle part is nowhere: two triangles.
    ([(1, 1), (5, 5), (5, 1), (1, 5)], [(1, 1), (1, 2), (1, 3), (2, 2), (4, 1), (4, 2), (4, 3), (1, 4), (4, 4), (3, 2)],
     None),
    # Around twice: inside an even number of times is outside.
    ([(1, 1), (4, 1), (4, 4), (1, 4), (1, 1), (4, 1), (4, 4), (1, 4)], [], None),
])
def test_by_hand(runtime, tmp_path, ring, middles, touched):
    # Whole numbers, so that corners of cells are exact.
    raster, _ = numbered(runtime, tmp_path / "units.tif", 32633, (1.0, 0.0, 16.0, 0.0, 1.0, 32.0))
    placed = [(16 + x, 32 + y) for x, y in ring]
    if len(ring) == 4 and ring[1] == (5, 5):
        # On the diagonals, the left edge of a part counts: (1, 1) and (2, 2) lie on one.
        expected = geometry_cells(Polygon([(1, 1), (3, 3), (1, 5)])) | geometry_cells(Polygon([(5, 1), (5, 5), (3, 3)]))
        ours = found(cells_of(raster, [placed]))
        on_edges = {(c, r) for c in range(1, 5) for r in range(1, 5) if c == r or c + r == 5}
        assert ours - on_edges == expected - on_edges
        assert len(ours & on_edges) == 4  # half of the eight: each belongs to one side only
        return
    assert found(cells_of(raster, [placed])) == set(middles)
    if touched is not None:
        assert found(cells_of(raster, [placed], all_touched=True)) == set(touched)


def found(mask):
    return {(int(column), int(row)) for row, column in zip(*numpy.nonzero(mask))}


def geometry_cells(polygon):
    return {(c, r) for c in range(WIDTH) for r in range(HEIGHT) if polygon.contains(Point(c + 0.5, r + 0.5))}


@pytest.mark.parametrize("code", [None, 4326, 3857])
def test_neighbours_share_no_cell(grids, runtime, code):
    """A plane cut into triangles whose vertices and edges run through middles of cells, given in either direction."""
    raster, transform = grids["plain"]
    reference = alidade.SpatialReference.from_code(runtime, code) if code else None
    generator = numpy.random.default_rng(4)
    for _ in range(5):
        points = numpy.round(generator.uniform(10, 60, (12, 2)) * 2) / 2
        triangles = triangulate(MultiPoint(points))
        total = numpy.zeros((HEIGHT, WIDTH), int)
        for triangle in triangles:
            ring = numpy.array(on_map(triangle, transform).exterior.coords)
            if code:
                ring = projector(pyproj.CRS.from_epsg(32633), pyproj.CRS.from_epsg(code))(ring)
            total += cells_of(raster, ring[::-1] if generator.random() < 0.5 else ring, reference)
        assert total.max() == 1
        # Nothing is missing between them: the middles well inside the hull are all there.
        hull = MultiPoint(points).convex_hull.buffer(-1.5)
        assert all(total[r, c] for c in range(WIDTH) for r in range(HEIGHT) if hull.contains(Point(c + 0.5, r + 0.5)))


@pytest.mark.parametrize("name, code", [("plain", 4326), ("plain", 3857), ("turned", 3035), ("degrees", 32633),
                                        ("degrees", 3035), ("south-up", 2154)])
def test_projected(grids, runtime, name, code):
    """pyproj takes the middles of cells to the polygon, which is straight where it was given."""
    raster, transform = grids[name]
    own, there = pyproj.CRS.from_epsg(GRIDS[name][0]), pyproj.CRS.from_epsg(code)
    reference = alidade.SpatialReference.from_code(runtime, code)
    columns, rows = numpy.meshgrid(numpy.arange(WIDTH) + 0.5, numpy.arange(HEIGHT) + 0.5)
    places = numpy.column_stack(transform * (columns.ravel(), rows.ravel()))
    middles = projector(own, there)(places)
    generator = numpy.random.default_rng(code)
    beside = projector(own, there)(numpy.array([transform * (0.5, 0.5), transform * (1.5, 0.5)]))
    cell = math.hypot(*(beside[1] - beside[0]))
    for size in (1.0, 1.0, 40.0):
        # Forty times the raster's size: its edges bend by many cells.
        span = size * cell * WIDTH / 2
        ring = star(generator, middles[len(middles) // 2 + generator.integers(-9, 9)], span, 6)
        polygon = Polygon(ring).buffer(0)
        if polygon.geom_type != "Polygon":
            continue
        ours = cells_of(raster, numpy.array(polygon.exterior.coords), reference).ravel()
        prepared = prep(polygon)
        for index, middle in enumerate(middles):
            if polygon.boundary.distance(Point(middle)) > cell / 4:  # 1/8 of a cell on the ground, in its longer unit
                assert ours[index] == prepared.contains(Point(middle))


@pytest.mark.parametrize("code", [4326, 3857, 3035])
def test_long_edges(runtime, tmp_path, code):
    """Cells of a metre under the middle of an edge of 700 km, which bends by kilometres on its way into their grid."""
    raster, transform = numbered(runtime, tmp_path / "fine.tif", 32633, (1.0, 0.0, 500000.0, 0.0, -1.0, 5200000.0))
    own, there = pyproj.CRS.from_epsg(32633), pyproj.CRS.from_epsg(code)
    reference = alidade.SpatialReference.from_code(runtime, code)
    columns, rows = numpy.meshgrid(numpy.arange(WIDTH) + 0.5, numpy.arange(HEIGHT) + 0.5)
    places = numpy.column_stack(transform * (columns.ravel(), rows.ravel()))
    middles = projector(own, there)(places)
    metre = numpy.hypot(*(middles[1] - middles[0]))
    for angle in (0.3, 1.2, 2.5):
        along = numpy.array([math.cos(angle), math.sin(angle)]) * 400_000 * metre
        centre = middles[len(middles) // 2 + WIDTH // 2]
        ring = numpy.array([centre + along, centre - 0.75 * along, centre + along[::-1] * (-0.5, 0.5)])
        ours = cells_of(raster, ring, reference).ravel()
        polygon = Polygon(ring)
        inside = numpy.array([polygon.contains(Point(middle)) for middle in middles])
        # 1/8 of a metre on the ground, where a unit of the polygon's may be longer to one side.
        sure = numpy.array([polygon.boundary.distance(Point(middle)) for middle in middles]) > metre / 4
        assert sure.mean() > 0.9 and 0.1 < inside.mean() < 0.9
        assert (ours == inside)[sure].all()


def test_seams_and_places_without_image(runtime, raster_path):
    raster = alidade.Raster(runtime, raster_path("world.rgb.tif"))
    mercator = alidade.SpatialReference.from_code(runtime, 3832)
    corners = pyproj.Transformer.from_crs(4326, 3832, always_xy=True).transform([170, -170, -170, 170], [0, 0, 9, 9])
    with pytest.raises(alidade.errors.ProjectionFailedError, match="seam"):
        raster.polygon_statistics(numpy.column_stack(corners), 1, mercator)
    # In the raster's own degrees the polygon goes on beyond 180, with the cells of the other side.
    beyond = raster.polygon_statistics([(170, 0), (190, 0), (190, 9), (170, 9)])
    columns = numpy.arange(512, dtype=float) * 0.703125 - 180 + 0.3515625
    rows = 90 - (numpy.arange(256) * 0.703125 + 0.3515625)
    inside = (numpy.abs(columns) > 170).sum() * ((rows > 0) & (rows < 9)).sum()
    assert beyond.value_count == inside and beyond.outside_count == 0
    disc = alidade.Raster(runtime, raster_path("goes.tif"))
    with pytest.raises(alidade.errors.ProjectionFailedError, match="cannot be projected"):
        disc.polygon_statistics([(100, 0), (140, 0), (140, 40)], 1, alidade.SpatialReference.from_code(runtime, 4326))


@pytest.mark.parametrize("rings, message", [
    ([[(0, 0), (1, 0)]], "vertices"), ([[(0, 0), (1, 0), (1, 1)], [(0, 0), (1, 1)]], "Ring 1|rings"),
    ([[(0, 0), (1, 0), (math.nan, 1)]], "not finite"), ([[(0, 0), (1, 0), (1, math.inf)]], "not finite"),
    ([[(0, 0), (1, 0), (1, 1)], [(0, 0), (1, 1)], [(0, 0), (1, 0), (1, 1), (0, 1)]], "Ring 2"),
])
def test_refused(grids, rings, message):
    raster, _ = grids["plain"]
    for function in (raster.polygon_statistics, raster.polygon_classes):
        with pytest.raises(alidade.errors.InvalidArgumentError, match=message):
            function(rings)


def test_too_far(grids):
    raster, _ = grids["plain"]
    for reach in (1e300, 1e16, 1e12):
        with pytest.raises(alidade.errors.LimitExceededError):
            raster.polygon_statistics([(-reach, -reach), (reach, -reach), (0, reach)])


def test_limits(raster_path):
    with alidade.Runtime(policy=alidade.Policy(max_request_points=5000, max_request_bytes=10_000_000)) as runtime:
        raster = alidade.Raster(runtime, raster_path("Shasta_Elevation.tif"))
        with pytest.raises(alidade.errors.LimitExceededError):
            raster.polygon_statistics(raster.info.corners)
        # A comb: few vertices, and each edge crosses all rows.
        x, y = raster.info.corners[0]
        comb = [(x + 0.01 * index, y - (index % 2) * 4000) for index in range(4999)]
        with pytest.raises(alidade.errors.LimitExceededError):
            raster.polygon_statistics(comb)
        assert raster.polygon_statistics([(x, y), (x + 300, y), (x, y - 300)]).outside_count == 0


def test_a_million_vertices(grids):
    """A circle of a million vertices has the same cells as one of a few thousand, which is as round for all of them."""
    raster, transform = grids["plain"]
    masks = []
    for count in (1_000_000, 4096):
        angles = numpy.linspace(0, 2 * math.pi, count, endpoint=False)
        ring = numpy.column_stack(transform * (45.03 + 30.01 * numpy.cos(angles), 35.07 + 30.01 * numpy.sin(angles)))
        masks.append(cells_of(raster, ring))
    columns, rows = numpy.meshgrid(numpy.arange(WIDTH) + 0.5, numpy.arange(HEIGHT) + 0.5)
    circle = numpy.hypot(columns - 45.03, rows - 35.07) < 30.01
    assert (masks[0] == masks[1]).all() and (masks[0] == circle).all()


def test_what_scaling_makes_no_number_is_no_value(tmp_path, runtime):
    path = tmp_path / "scaled.tif"
    with rasterio.open(path, "w", driver="GTiff", width=4, height=1, count=1, dtype="float32", crs="EPSG:32632",
                       transform=rasterio.Affine(1, 0, 0, 0, -1, 1)) as file:
        file.write(numpy.array([[7, numpy.inf, numpy.nan, 5]], "float32"), 1)
        file.scales, file.offsets = (0.0,), (3.0,)
    found = alidade.Raster(runtime, path).polygon_statistics([(0, 0), (4, 0), (4, 1), (0, 1)], scaled=True)
    assert (found.value_count, found.empty_count, found.minimum, found.maximum, found.mean) == (2, 2, 3, 3, 3)
    assert found.minimum_cell == (0, 0)
