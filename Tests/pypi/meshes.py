"""What the tests of meshes share: positions on a mesh, the heights of a raster, random polygons."""

import numpy as np
import rasterio
import shapely


def mesh_heights(columns, points, axes=(0, 1, 2)):
    """The heights of a mesh at points by barycentric coordinates; NaN outside the mesh.

    `axes` has the columns of east, north and up.
    """
    corners = np.asarray(columns.positions, float)[columns.triangles][:, :, list(axes)]
    (ux, uy), (vx, vy) = ((corners[:, i, :2] - corners[:, 0, :2]).T for i in (1, 2))
    double = ux * vy - uy * vx
    corners, double = corners[np.abs(double) > 1e-12], double[np.abs(double) > 1e-12]
    low, high = corners[:, :, :2].min(axis=1) - 1e-3, corners[:, :, :2].max(axis=1) + 1e-3
    # Pairs of a point and a triangle whose box holds it.
    at, triangle = shapely.STRtree(shapely.box(*low.T, *high.T)).query(shapely.points(points))
    a, b, c = (corners[triangle, corner] for corner in range(3))
    x, y = points[at].T
    u = ((b[:, 0] - x) * (c[:, 1] - y) - (b[:, 1] - y) * (c[:, 0] - x)) / double[triangle]
    v = ((c[:, 0] - x) * (a[:, 1] - y) - (c[:, 1] - y) * (a[:, 0] - x)) / double[triangle]
    weights = np.stack([u, v, 1 - u - v])
    heights = weights[0] * a[:, 2] + weights[1] * b[:, 2] + weights[2] * c[:, 2]
    is_inside = weights.min(axis=0) > -1e-5
    found = np.full(len(points), np.nan)
    found[at[is_inside]] = heights[is_inside]
    return found


def bilinear(path, points, band=1):
    """Heights between the middles of cells at points in the raster's own coordinates; NaN where a cell has no value."""
    with rasterio.open(path) as raster:
        values = raster.read(band, masked=True).astype(float).filled(np.nan)
        columns, rows = rasterio.transform.rowcol(raster.transform, points[:, 0], points[:, 1], op=lambda x: x)[::-1]
    # The outer half of outer cells has the value of its cell.
    values = np.pad(values, 1, mode="edge")
    x, y = np.asarray(columns) + 0.5, np.asarray(rows) + 0.5
    i, j = np.floor(x).astype(int), np.floor(y).astype(int)
    inside = (i >= 0) & (j >= 0) & (i < values.shape[1] - 1) & (j < values.shape[0] - 1)
    i, j = np.where(inside, i, 0), np.where(inside, j, 0)
    s, t = x - i, y - j
    low = values[j, i] * (1 - s) + values[j, i + 1] * s
    high = values[j + 1, i] * (1 - s) + values[j + 1, i + 1] * s
    return np.where(inside, low * (1 - t) + high * t, np.nan)


def star(source, vertices, centre, radius):
    """A polygon around a centre with vertices at random distances, valid."""
    angles = (np.arange(vertices) + source.uniform(0, 0.9, vertices)) * 2 * np.pi / vertices
    distances = radius * source.uniform(0.2, 1, vertices)
    return np.column_stack([centre[0] + distances * np.cos(angles), centre[1] + distances * np.sin(angles)])


def random_polygons(source, count, centre, spread, grid=0):
    """Valid polygons of all forms, with holes, some of which touch; on a grid, with vertices on edges and in rows."""
    polygons = []
    while len(polygons) < count:
        place = centre + source.uniform(-spread, spread, 2)
        form = shapely.Polygon(star(source, int(source.integers(3, 50)), place, 100))
        for _ in range(source.integers(0, 4)):
            middle = form.representative_point()
            hole = star(source, int(source.integers(3, 12)), (middle.x, middle.y), source.uniform(1, 40))
            form = form.difference(shapely.Polygon(hole))
            if form.is_empty:
                break
        if grid:
            form = shapely.set_precision(form, grid)
        parts = [part for part in shapely.get_parts(form) if part.geom_type == "Polygon" and part.area > 0]
        polygons += [part for part in parts if part.is_valid]
    return polygons[:count]
