#!/usr/bin/python3
"""Once through Python: from numpy arrays to numpy arrays, ours, and pyproj and Shapely 2. Prints "name value" lines.

Points are projected with all that there is to know: a receipt, and for each point the operation and a status.
"""
import statistics
import time

import alidade
import numpy
import pyproj
import shapely

POINTS, POLYGONS, VERTICES, ROUNDS, DISTANCE_M = 1_000_000, 20_000, 33, 5, 25.0


def measured(name, count, work, rounds=ROUNDS):
    """The result of the work, which is done once before the clock runs."""
    found, times = work(), []
    for _ in range(rounds):
        start = time.perf_counter_ns()
        work()
        times.append((time.perf_counter_ns() - start) / count)
    print(f"{name}_median", statistics.median(times), flush=True)
    return found


def project(name, target, x_range, y_range, runtimes):
    random = numpy.random.default_rng(target)
    x, y = random.uniform(*x_range, POINTS), random.uniform(*y_range, POINTS)
    transformer = pyproj.Transformer.from_crs(4326, target, always_xy=True)
    theirs = measured(f"pyproj_python_{name}", POINTS, lambda: transformer.transform(x, y))
    for who, runtime in runtimes.items():
        references = alidade.SpatialReference(runtime, 4326), alidade.SpatialReference(runtime, target)
        ours = measured(f"python_{name}_{who}", POINTS, lambda: alidade.project_coordinates(*references, x, y))
        off = numpy.abs([ours.x - theirs[0], ours.y - theirs[1]]).max()
        known = ours.receipt.failed_count == 0 and not ours.statuses.any() and not ours.marks.any()
        print(f"python_{name}_{who}_difference", off if known else numpy.inf)
        print(f"python_{name}_{who}_checksum", float(ours.x.sum() + ours.y.sum()))


def rings():
    """Polygons like the ones in polygons.h."""
    random = numpy.random.default_rng(POLYGONS)
    angles = (numpy.arange(VERTICES) + random.uniform(0, 0.9, (POLYGONS, VERTICES))) * 2 * numpy.pi / VERTICES
    radii = random.uniform(75, 150, angles.shape)
    corners = numpy.stack([radii * numpy.cos(angles), radii * numpy.sin(angles)], 2)
    corners += random.uniform(0, 60000, (POLYGONS, 1, 2)) + (500000, 4500000)
    return numpy.concatenate([corners, corners[:, :1]], 1)


def area(xy, offsets):
    """Within all rings, holes negative."""
    a, b = xy[:-1] - xy[0], xy[1:] - xy[0]
    doubled = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    doubled[offsets[1:-1] - 1] = 0  # from one ring to the next
    return abs(float(doubled.sum())) / 2


def ours_of(runtime, corners, work):
    ends = numpy.arange(POLYGONS + 1, dtype=numpy.int32)
    array = alidade.GeometryArray.from_columns(
        runtime, corners.reshape(-1, 2), kind=alidade.geometry.GeometryKind.POLYGON, part_offsets=ends, path_offsets=ends,
        vertex_offsets=ends * (VERTICES + 1), spatial_reference=32632)
    made = work(array)
    columns = made.columns
    return columns.xy, columns.vertex_offsets, made


def theirs_of(corners, work):
    _, xy, offsets = shapely.to_ragged_array(numpy.atleast_1d(work(shapely.polygons(corners))))
    return xy, offsets[0]


def polygons(runtimes):
    corners = rings()
    # As many segments for an arc as ours has by default.
    works = {"buffers": (POLYGONS, lambda array: array.buffers(DISTANCE_M),
                         lambda array: shapely.buffer(array, DISTANCE_M, quad_segs=16)),
             "union": (1, lambda array: array.union(), shapely.union_all)}
    for name, (count, ours, theirs) in works.items():
        found = measured(f"shapely_python_{name}", count, lambda: theirs_of(corners, theirs), 1)
        print(f"shapely_python_{name}_checksum", area(*found))
        for who, runtime in runtimes.items():
            found = measured(f"python_{name}_{who}", count, lambda: ours_of(runtime, corners, ours))
            print(f"python_{name}_{who}_checksum", area(*found[:2]))


def main():
    runtimes = {"one": alidade.Runtime(thread_count=1), "all": alidade.Runtime()}
    project("webmercator", 3857, (-180, 180), (-85, 85), runtimes)
    project("utm", 32632, (6, 12), (0, 84), runtimes)
    polygons(runtimes)


main()
