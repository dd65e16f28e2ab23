"""Meshes over heights against the heights themselves, read by rasterio and interpolated by numpy, and against PROJ."""

import numpy as np
import pytest
import rasterio
import shapely
from meshes import bilinear, mesh_heights, star
from pyproj import Transformer

import alidade
from alidade.engine import EngineAxes, EngineFrame, EngineFrameKind, MeshOptions

ORIGIN = (570000.0, 4512000.0)


@pytest.fixture(scope="module")
def raster(runtime, terrain_path):
    return alidade.Raster(runtime, terrain_path)


@pytest.fixture(scope="module")
def planar(raster):
    return EngineFrame(raster.spatial_reference, ORIGIN, kind=EngineFrameKind.PLANAR)


def inside(box, count, seed=1):
    return np.random.default_rng(seed).uniform(box[:2], box[2:], (count, 2))


BOX = (568500.0, 4511000.0, 572000.0, 4513500.0)


@pytest.mark.parametrize("deviation", [0.2, 1, 5, 30])
def test_terrain_keeps_its_deviation(raster, planar, terrain_path, deviation):
    mesh = planar.terrain_mesh(raster, BOX, options=MeshOptions(maximum_deviation_m=deviation))
    info, columns = mesh.info, mesh.columns
    points = inside(BOX, 4000)
    found = mesh_heights(columns, points - ORIGIN)
    off = np.abs(found - bilinear(terrain_path, points))
    assert not np.isnan(off).any()
    # Floats at 3 km are 0.2 mm apart.
    assert off.max() <= info.deviation_m + 1e-3
    assert info.deviation_m <= deviation
    # It is no wild overestimate either: where triangles are large, they are nearly as far off as they may be.
    assert off.max() > 0.4 * info.deviation_m
    assert info.dropped_triangle_count == 0
    # Every vertex is on the surface.
    vertices = np.asarray(columns.positions, float)
    np.testing.assert_allclose(vertices[:, 2], bilinear(terrain_path, vertices[:, :2] + ORIGIN), atol=2e-2)
    # No vertex lies on an edge of another triangle: each edge inside has two triangles.
    edges = np.sort(columns.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    pairs, counts = np.unique(edges, axis=0, return_counts=True)
    border = pairs[counts == 1]
    ends = vertices[border][:, :, :2] + ORIGIN
    on_border = np.isclose(ends, BOX[:2], atol=0.01) | np.isclose(ends, BOX[2:], atol=0.01)
    assert counts.max() == 2
    assert np.all(on_border.all(axis=1).any(axis=1))


def test_flat_terrain_needs_few_triangles(runtime, planar, raster, tmp_path):
    counts = [
        planar.terrain_mesh(raster, BOX, options=MeshOptions(maximum_deviation_m=d)).info.triangle_count
        for d in (0.5, 1, 5, 30)
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] < counts[0] / 20
    # A plane, however large and steep, needs two.
    path = tmp_path / "plane.tif"
    x, y = np.meshgrid(np.arange(300.0), np.arange(200.0))
    profile = dict(driver="GTiff", width=300, height=200, count=1, dtype="float64", crs="EPSG:26910")
    transform = rasterio.Affine(10, 0, 569000, 0, -10, 4513000)
    with rasterio.open(path, "w", transform=transform, **profile) as out:
        out.write(3 * x - 2 * y + 100, 1)
    with alidade.Raster(runtime, path) as plane:
        box = (569010, 4511510, 571900, 4512900)
        assert planar.terrain_mesh(plane, box, options=MeshOptions(maximum_deviation_m=0.01)).info.triangle_count == 2
        # The outer half of the outer cells is level: a fold around all of it.
        whole = planar.terrain_mesh(plane, options=MeshOptions(maximum_deviation_m=0.5))
        points = inside((569000, 4511000, 572000, 4513000), 2000)
        off = mesh_heights(whole.columns, points - ORIGIN) - bilinear(path, points)
        assert np.abs(off).max() <= 0.5


def test_the_whole_raster_with_its_holes(raster, planar, terrain_path):
    with rasterio.open(terrain_path) as source:
        box = source.bounds
        assert (source.read_masks(1) == 0).any()
    mesh = planar.terrain_mesh(raster, options=MeshOptions(maximum_deviation_m=3))
    points = inside(box, 4000)
    found, expected = mesh_heights(mesh.columns, points - ORIGIN), bilinear(terrain_path, points)
    has_both = ~np.isnan(found) & ~np.isnan(expected)
    assert np.abs(found - expected)[has_both].max() <= 3
    assert has_both.mean() > 0.5
    assert mesh.info.dropped_triangle_count > 0
    # The border of the hole is up to half a cell off, and never beyond the surface.
    assert not (~np.isnan(found) & np.isnan(expected)).any()
    lost = points[np.isnan(found) & ~np.isnan(expected)]
    if len(lost):
        near = np.stack([bilinear(terrain_path, lost + step) for step in np.array(
            [(7, 0), (-7, 0), (0, 7), (0, -7), (5, 5), (-5, 5), (5, -5), (-5, -5), (0, 0)])])
        assert np.isnan(near).any(axis=0).all()


@pytest.mark.parametrize("axes", [EngineAxes.ENU, EngineAxes.UNITY, EngineAxes.UNREAL])
def test_earth_centred_terrain(runtime, raster, terrain_path, axes):
    """The distance in space between the mesh and points that PROJ puts on the surface."""
    wgs = alidade.SpatialReference(runtime, "EPSG:4979")
    # Heights count from the ellipsoid here, since neither the raster nor the frame says otherwise.
    lonlat = Transformer.from_crs(26910, 4269, always_xy=True)
    origin = lonlat.transform(*ORIGIN)
    frame = EngineFrame(raster.spatial_reference, ORIGIN, 0, axes=axes)
    del wgs
    deviation = 2
    mesh = frame.terrain_mesh(raster, BOX, options=MeshOptions(maximum_deviation_m=deviation))
    points = inside(BOX, 1500)
    lon, lat = lonlat.transform(*points.T)
    local = Transformer.from_pipeline(
        "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=cart +ellps=GRS80 "
        f"+step +proj=topocentric +ellps=GRS80 +lon_0={origin[0]!r} +lat_0={origin[1]!r} +h_0=0"
    )
    truth = np.column_stack(local.transform(lon, lat, bilinear(terrain_path, points)))
    order, unit = {
        EngineAxes.ENU: ((0, 1, 2), 1), EngineAxes.UNITY: ((0, 2, 1), 1), EngineAxes.UNREAL: ((0, 1, 2), 100)
    }[axes]
    scaled = truth[:, :2] * unit * ((1, -1) if axes is EngineAxes.UNREAL else (1, 1))
    found = mesh_heights(mesh.columns, scaled, order) / unit
    # Vertical distances over-estimate distances in space only by the slope; floats add a millimetre.
    assert np.nanmax(np.abs(found - truth[:, 2])) <= mesh.info.deviation_m + 2e-3
    assert mesh.info.deviation_m <= deviation
    assert not np.isnan(found).any()


def test_flat_areas_follow_the_earth(runtime):
    """Without a raster, the deviation is that of straight triangles from the ellipsoid."""
    wgs = alidade.SpatialReference(runtime, "EPSG:4326")
    frame = EngineFrame(wgs, (10.0, 50.0))
    box = alidade.Geometry.from_wkb(runtime, shapely.to_wkb(shapely.box(9, 49.3, 11, 50.7)), wgs)
    flat = frame.mesh(box)
    # In the middle of the diagonal of 210 km: half of it, squared, by twice the earth's radius, is 860 m downwards; and
    # meridians converge, which is another kilometre sideways.
    assert 1300 < flat.info.deviation_m < 2000
    assert flat.info.triangle_count == 2
    fine = frame.mesh(box, options=MeshOptions(maximum_deviation_m=5))
    assert fine.info.deviation_m <= 5
    local = Transformer.from_pipeline(
        "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=cart +ellps=WGS84 "
        "+step +proj=topocentric +ellps=WGS84 +lon_0=10 +lat_0=50 +h_0=0"
    )
    points = inside((9, 49.3, 11, 50.7), 1000)
    truth = np.column_stack(local.transform(*points.T, np.zeros(len(points))))
    for mesh, limit in ((flat, flat.info.deviation_m), (fine, fine.info.deviation_m)):
        off = np.abs(mesh_heights(mesh.columns, truth[:, :2]) - truth[:, 2])
        assert np.nanmax(off) <= limit + 0.02
        assert np.nanmax(off) > limit / 3


def test_terrain_in_another_spatial_reference(runtime, raster, planar, terrain_path):
    """A tile of longitudes and latitudes over a raster in UTM: its border is not straight there."""
    wgs = alidade.SpatialReference(runtime, "EPSG:4269")
    box = (-122.19, 40.745, -122.14, 40.78)
    mesh = planar.terrain_mesh(raster, box, wgs, options=MeshOptions(maximum_deviation_m=1))
    to_utm = Transformer.from_crs(4269, 26910, always_xy=True)
    lonlat = inside(box, 3000)
    points = np.column_stack(to_utm.transform(*lonlat.T))
    found, expected = mesh_heights(mesh.columns, points - ORIGIN), bilinear(terrain_path, points)
    near_border = (np.abs(lonlat - box[:2]) < 2e-5).any(axis=1) | (np.abs(lonlat - box[2:]) < 2e-5).any(axis=1)
    assert not np.isnan(found[~near_border]).any()
    assert np.nanmax(np.abs(found - expected)) <= 1.001
    # The texture coordinates count in degrees.
    vertices = np.asarray(mesh.columns.positions, float)[:, :2] + ORIGIN
    lon, lat = to_utm.transform(*vertices.T, direction="INVERSE")
    texture = np.column_stack([(lon - box[0]) / (box[2] - box[0]), (box[3] - lat) / (box[3] - box[1])])
    np.testing.assert_allclose(mesh.columns.texture_coordinates, texture, atol=2e-5)


def test_skirts(raster, planar):
    plain = planar.terrain_mesh(raster, BOX, options=MeshOptions(maximum_deviation_m=3))
    skirted = planar.terrain_mesh(raster, BOX, options=MeshOptions(maximum_deviation_m=3, skirt_m=40))
    columns = skirted.columns
    own = len(plain.columns.triangles)
    np.testing.assert_array_equal(columns.triangles[:own], plain.columns.triangles)
    np.testing.assert_array_equal(columns.normals[: len(plain.columns.normals)], plain.columns.normals)
    skirt = columns.triangles[own:]
    positions = np.asarray(columns.positions, float)
    corners = positions[skirt]
    # All around: as high as it shall be, facing outwards, with the normals of the terrain.
    lengths = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    assert lengths.sum() == pytest.approx(40 * 2 * (BOX[2] - BOX[0] + BOX[3] - BOX[1]), rel=1e-4)
    outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, :2]
    middle = np.array([(BOX[0] + BOX[2]) / 2, (BOX[1] + BOX[3]) / 2]) - ORIGIN
    assert np.all(np.einsum("ij,ij->i", outward, corners.mean(axis=1)[:, :2] - middle) > 0)
    assert columns.normals[skirt].reshape(-1, 3)[:, 2].min() > 0.2


def test_draped_polygons_and_lines(runtime, raster, planar, terrain_path):
    source = np.random.default_rng(11)
    deviation = 1.0
    shapes = []
    for _ in range(12):
        centre = source.uniform((569500, 4511500), (571500, 4513000))
        form = shapely.Polygon(star(source, 24, centre, 400), [star(source, 7, centre, 60)])
        if form.is_valid:
            shapes.append(form)
    array = alidade.GeometryArray.from_wkb(runtime, shapely.to_wkb(shapes), raster.spatial_reference)
    mesh = planar.mesh(array, raster, options=MeshOptions(maximum_deviation_m=deviation))
    columns = mesh.columns
    offsets = columns.index_offsets // 3
    worst = 0.0
    for index, shape in enumerate(shapes):
        part = columns._replace(triangles=columns.triangles[offsets[index] : offsets[index + 1]])
        points = inside(shape.bounds, 600, index)
        is_inside = shapely.contains_xy(shape.buffer(-0.05), points[:, 0], points[:, 1])
        found = mesh_heights(part, points - ORIGIN)
        assert not np.isnan(found[is_inside]).any()
        beyond = ~shapely.contains_xy(shape.buffer(0.05), points[:, 0], points[:, 1])
        assert np.isnan(found[beyond]).all()
        worst = max(worst, np.abs(found - bilinear(terrain_path, points))[is_inside].max())
    assert worst <= mesh.info.deviation_m + 1e-3 <= deviation + 2e-3
    # A ribbon lies on the ground, too.
    line = shapely.LineString([(569600, 4511600), (570500, 4512600), (571500, 4511900), (571400, 4513100)])
    geometry = alidade.Geometry.from_wkb(runtime, shapely.to_wkb(line), raster.spatial_reference)
    ribbon = planar.mesh(geometry, raster, options=MeshOptions(maximum_deviation_m=0.5, line_width_m=12))
    strip = line.buffer(5.9)
    points = inside(strip.bounds, 60000)
    points = points[shapely.contains_xy(strip, points[:, 0], points[:, 1])]
    off = np.abs(mesh_heights(ribbon.columns, points - ORIGIN) - bilinear(terrain_path, points))
    assert len(points) > 300
    assert off.max() <= 0.501


def test_walls_on_the_ground(runtime, raster, planar, terrain_path):
    shape = shapely.box(570000, 4512000, 570300, 4512200)
    geometry = alidade.Geometry.from_wkb(runtime, shapely.to_wkb(shape), raster.spatial_reference)
    mesh = planar.mesh(geometry, raster, extrusion_m=25, options=MeshOptions(maximum_deviation_m=0.5))
    positions = np.asarray(mesh.columns.positions, float)
    ground = bilinear(terrain_path, positions[:, :2] + ORIGIN)
    above = positions[:, 2] - ground
    assert np.all((np.abs(above) < 0.01) | (np.abs(above - 25) < 0.01))
    textures = mesh.columns.texture_coordinates
    walls = np.abs(mesh.columns.normals[:, 2]) < 1e-3
    assert textures[walls, 0].max() == pytest.approx(1000, abs=0.1)


def test_nothing_is_there(runtime, raster, planar):
    """Outside the raster: an empty mesh that says how much it left out."""
    box = (500000, 4400000, 500100, 4400100)
    mesh = planar.terrain_mesh(raster, box)
    assert mesh.info.triangle_count == 0
    assert mesh.info.dropped_triangle_count == 2
    empty = alidade.GeometryArray.from_wkb(runtime, [shapely.to_wkb(shapely.Polygon())], raster.spatial_reference)
    mesh = planar.mesh(empty, raster)
    assert mesh.info.vertex_count == 0
    assert mesh.columns.index_offsets.tolist() == [0, 0]


def test_requests(runtime, raster, planar):
    request = planar.terrain_mesh_async(raster, BOX, options=MeshOptions(maximum_deviation_m=5))
    mesh = request.result()
    expected = planar.terrain_mesh(raster, BOX, options=MeshOptions(maximum_deviation_m=5))
    np.testing.assert_array_equal(mesh.columns.positions, expected.columns.positions)
    array = alidade.GeometryArray.from_wkb(
        runtime, shapely.to_wkb([shapely.box(*BOX)]), raster.spatial_reference
    )
    assert planar.mesh_async(array).result().info.triangle_count == 2
