"""Meshes where the map ends or bends, and of what lies far away. Shapely and the ellipsoid say the areas."""

import numpy as np
import pytest
import rasterio
import shapely
from pyproj import Transformer

import alidade
from alidade.engine import EngineFrame, EngineFrameKind, MeshOptions
from alidade.geometry import BufferCap

ORIGIN = (500000.0, 4500000.0)


@pytest.fixture(scope="module")
def limited():
    """A runtime in which a mesh that takes seconds fails."""
    with alidade.Runtime(policy=alidade.Policy(max_request_ms=60_000)) as runtime:
        yield runtime


def raster_of(runtime, path, values, transform, crs):
    height, width = values.shape
    profile = dict(driver="GTiff", width=width, height=height, count=1, dtype="float64", crs=crs)
    with rasterio.open(path, "w", transform=rasterio.Affine(*transform), **profile) as out:
        out.write(values, 1)
    return alidade.Raster(runtime, path)


def geometry_of(runtime, shape, reference):
    return alidade.Geometry.from_wkb(runtime, shapely.to_wkb(shape), alidade.SpatialReference(runtime, reference))


def areas_of(columns):
    """Seen from above, in a frame of east, north and up."""
    corners = np.asarray(columns.positions, float)[columns.triangles]
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    return (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / 2


def area_in_space(columns):
    corners = np.asarray(columns.positions, float)[columns.triangles]
    return np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum() / 2


def planar(runtime, reference="EPSG:32610", origin=ORIGIN):
    return EngineFrame(alidade.SpatialReference(runtime, reference), origin, kind=EngineFrameKind.PLANAR)


@pytest.fixture(scope="module")
def hills(limited, tmp_path_factory):
    x = np.arange(200) / 9
    values = 100 + 30 * np.outer(np.sin(x), np.cos(x))
    folder = tmp_path_factory.mktemp("hills")
    return raster_of(limited, folder / "hills.tif", values, (10, 0, 500000, 0, -10, 4502000), "EPSG:32610")


@pytest.mark.parametrize("end", [(501800, 4501000), (501800, 4501100), (500200, 4501800)])
@pytest.mark.parametrize("width", [12, 40, 200])
def test_wide_ribbons_lie_on_the_ground(limited, hills, end, width):
    """Also those along an axis of the raster, and those that are wider than a few cells."""
    line = shapely.LineString([(500200, 4501000), end])
    options = MeshOptions(line_width_m=width, line_cap=BufferCap.FLAT)
    mesh = planar(limited).mesh(geometry_of(limited, line, "EPSG:32610"), hills, options=options)
    assert mesh.info.dropped_triangle_count == 0
    assert areas_of(mesh.columns).sum() == pytest.approx(line.length * width, rel=1e-4)


@pytest.mark.parametrize("box", [(-124.5, 49.0, -121.5, 49.3), (-122.0, 49.0, -121.0, 50.0)])
def test_tiles_whose_borders_bend(limited, tmp_path, box):
    """Parallels bend in UTM: the border is outside of the box of its corners, and no triangle is turned over."""
    project = Transformer.from_crs(4326, 32610, always_xy=True)
    dense = shapely.segmentize(shapely.box(*box), 0.002)
    truth = shapely.transform(dense, lambda points: np.column_stack(project.transform(*points.T)))
    west, south, east, north = truth.bounds
    shape = (int((north - south) / 100) + 60, int((east - west) / 100) + 60)
    transform = (100, 0, west - 3000, 0, -100, north + 3000)
    raster = raster_of(limited, tmp_path / "flat.tif", np.full(shape, 50.0), transform, "EPSG:32610")
    reference = alidade.SpatialReference(limited, "EPSG:4326")
    frame = planar(limited, origin=(truth.centroid.x, truth.centroid.y))
    mesh = frame.terrain_mesh(raster, box, reference, options=MeshOptions(maximum_deviation_m=2))
    areas = areas_of(mesh.columns)
    assert mesh.info.dropped_triangle_count == 0
    assert areas.min() >= 0
    assert areas.sum() == pytest.approx(truth.area, rel=1e-4)


@pytest.mark.parametrize(
    "box",
    [
        (400000, 4400000, 600000, 4600000),  # around the raster, 20,000 of its cells wide
        (700000, 4700000, 900000, 4900000),  # next to it
        (1e17, 1e17, 1.0001e17, 1.0001e17),
        (-1e100, -1e100, 1e100, 1e100),
    ],
)
def test_areas_much_larger_than_the_raster(limited, hills, box):
    geometry = geometry_of(limited, shapely.box(*box), "EPSG:32610")
    mesh = planar(limited).mesh(geometry, hills, options=MeshOptions(maximum_deviation_m=5))
    expected = 4e6 if box[0] == 400000 else 0
    assert areas_of(mesh.columns).sum() == pytest.approx(expected, rel=0.02)
    # A tile is cut off at the raster's border first.
    expected = 4e6 if box[0] < 500000 else 0
    mesh = planar(limited).terrain_mesh(hills, box, options=MeshOptions(maximum_deviation_m=5))
    assert areas_of(mesh.columns).sum() == pytest.approx(expected, rel=0.02)


@pytest.fixture(scope="module")
def world(limited, tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    return raster_of(limited, folder / "world.tif", np.full((180, 360), 10.0), (1, 0, -180, 0, -1, 90), "EPSG:4326")


def earth_area(box):
    """On the ellipsoid of WGS 84, summed over thin strips."""
    edges = np.radians(np.linspace(box[1], box[3], 10001))
    middles, flat = (edges[1:] + edges[:-1]) / 2, 0.0066943799901413165
    density = 6378137.0**2 * (1 - flat) * np.cos(middles) / (1 - flat * np.sin(middles) ** 2) ** 2
    return np.radians(box[2] - box[0]) * (density * np.diff(edges)).sum()


@pytest.mark.parametrize(
    "box", [(170, -10, 190, 10), (-190, 20, -175, 30), (-180, -60, 180, 60), (30, 40, 190, 80), (-100, 0, 100, 20)]
)
def test_terrain_of_the_world(limited, world, box):
    frame = EngineFrame(alidade.SpatialReference(limited, "EPSG:4326"), (0, 0))
    options = MeshOptions(maximum_deviation_m=3000)
    mesh = frame.terrain_mesh(world, box, options=options)
    assert mesh.info.dropped_triangle_count == 0
    assert area_in_space(mesh.columns) == pytest.approx(earth_area(box), rel=0.01)
    # A polygon far from the first of an array is not torn.
    array = alidade.GeometryArray.from_wkb(
        limited,
        shapely.to_wkb([shapely.box(20, 0, 21, 1), shapely.box(-165, 0, -155, 10), shapely.box(170, 0, 180, 10)]),
        alidade.SpatialReference(limited, "EPSG:4326"),
    )
    mesh = frame.mesh(array, world, options=options)
    offsets = mesh.columns.index_offsets // 3
    for number, shape in ((1, (-165, 0, -155, 10)), (2, (170, 0, 180, 10))):
        own = mesh.columns._replace(triangles=mesh.columns.triangles[offsets[number] : offsets[number + 1]])
        assert area_in_space(own) == pytest.approx(earth_area(shape), rel=0.01)


def test_ribbons_across_the_antimeridian(limited, world):
    reference = alidade.SpatialReference(limited, "EPSG:4326")
    frame = EngineFrame(reference, (180, 0))
    line = geometry_of(limited, shapely.LineString([(179.99, -0.01), (180.01, 0.01)]), "EPSG:4326")
    for raster in (None, world):
        options = MeshOptions(line_width_m=100, line_cap=BufferCap.FLAT, maximum_deviation_m=1)
        mesh = frame.mesh(line, raster, options=options)
        assert mesh.info.farthest_m < 2000
        assert area_in_space(mesh.columns) == pytest.approx(313807, rel=1e-3)


def test_slivers_are_filled(limited):
    """A long polygon of a tenth of a millimetre, as overlays leave them."""
    x, y = np.linspace(0, 1e5, 1000), np.cumsum(np.random.default_rng(1).normal(0, 10, 1000))
    ring = np.concatenate([np.column_stack([x, y]), np.column_stack([x, y + 1e-4])[::-1]]) + ORIGIN
    shape = shapely.Polygon(ring)
    assert shape.is_valid
    mesh = planar(limited).mesh(geometry_of(limited, shape, "EPSG:32610"))
    assert mesh.info.triangle_count == 1998


def test_depths_are_heights_downwards(limited, tmp_path):
    """In a vertical reference that counts downwards, walls still go upwards, and terrain is as exact as elsewhere."""
    reference = alidade.SpatialReference(limited, "EPSG:32610+5715")
    frame = EngineFrame(reference, ORIGIN, kind=EngineFrameKind.PLANAR)
    corners = [(500000, 4500000, 5), (500010, 4500000, 5), (500010, 4500010, 5)]
    geometry = alidade.Geometry.from_wkb(limited, shapely.to_wkb(shapely.Polygon(corners)), reference)
    columns = frame.mesh(geometry, extrusion_m=10).columns
    np.testing.assert_allclose(np.unique(columns.positions[:, 2]), [-5, 5])
    roof = np.abs(areas_of(columns)) > 1
    assert np.all(columns.positions[columns.triangles[roof]][:, :, 2] == 5)
    x = np.arange(60) / 6
    values = 100 + 40 * np.outer(np.sin(x), np.cos(x))
    raster_of(limited, tmp_path / "sea.tif", values, (10, 0, 500000, 0, -10, 4500600), "EPSG:32610")
    sea = alidade.Raster(limited, tmp_path / "sea.tif", spatial_reference=reference)
    mesh = frame.terrain_mesh(sea, options=MeshOptions(maximum_deviation_m=1))
    assert mesh.info.deviation_m > 0.5
    assert mesh.info.triangle_count > 1000


def test_ribbons_keep_to_the_memory_of_the_policy():
    with alidade.Runtime(policy=alidade.Policy(max_request_bytes=3_000_000, max_request_ms=60_000)) as runtime:
        points = np.random.default_rng(1).normal(0, 1, (3000, 2)).cumsum(axis=0) + ORIGIN
        line = geometry_of(runtime, shapely.LineString(points), "EPSG:32610")
        with pytest.raises(alidade.errors.LimitExceededError, match="bytes"):
            planar(runtime).mesh(line, options=MeshOptions(line_width_m=1, quadrant_segments=1000))
