#!/usr/bin/python3
"""The circles of bench_geodesic.c with pyproj, and its polygon and line with Shapely, whose buffers are planar: in an
azimuthal projection around them, there and back. Prints "name value" lines."""
import time

import numpy
import pyproj
import shapely.geometry
import shapely.ops

COUNT = 1000
CORNERS = 10000
GOLDEN = numpy.uint64(0x9E3779B97F4A7C15)
GEOD = pyproj.Geod(ellps="WGS84")


def random_units(seed, count):
    """splitmix64, as in bench.h."""
    with numpy.errstate(over="ignore"):
        z = numpy.uint64(seed) + GOLDEN * numpy.arange(1, count + 1, dtype=numpy.uint64)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        z ^= z >> numpy.uint64(31)
    return (z >> numpy.uint64(11)) * 2.0**-53


def circles(scale):
    x, y, size = random_units(COUNT, 3 * COUNT).reshape(-1, 3).T
    return 360 * x - 180, numpy.degrees(numpy.arcsin(2 * y - 1)), 1000 * scale**size


def ring(raggedness):
    angle = 2 * numpy.pi * numpy.arange(CORNERS) / CORNERS
    size = 1 + 0.1 * numpy.sin(7 * angle) + raggedness * random_units(CORNERS, CORNERS)
    xy = numpy.column_stack([10 + size * numpy.cos(angle), 50 + 0.6 * size * numpy.sin(angle)])
    return numpy.vstack([xy, xy[:1]])


def planar_buffer(figure):
    """Arcs of 72 chords to a circle, which errs by a thousandth of the distance."""
    flat = pyproj.Proj(proj="aeqd", lon_0=10, lat_0=50, ellps="WGS84")
    there = shapely.ops.transform(lambda x, y: flat(x, y), figure).buffer(1000, resolution=18)
    return shapely.ops.transform(lambda x, y: flat(x, y, inverse=True), there)


def main():
    smooth, ragged = ring(0), ring(0.02)
    for name, figure in (("smooth_polygon", shapely.geometry.Polygon(smooth)), ("polygon", shapely.geometry.Polygon(ragged)),
                         ("line", shapely.geometry.LineString(ragged))):
        start = time.perf_counter_ns()
        planar_buffer(figure)
        print(f"shapely_geodesic_{name}", time.perf_counter_ns() - start)
    for name, scale in (("near", 500.0), ("far", 19000.0)):
        for count in (360, 64):
            x, y, radius = (numpy.repeat(column, count) for column in circles(scale))
            azimuths = numpy.tile(360 * numpy.arange(count) / count, COUNT)
            start = time.perf_counter_ns()
            _, latitudes, _ = GEOD.fwd(x, y, azimuths, radius)
            print(f"pyproj_geodesic_{name}_{count}", (time.perf_counter_ns() - start) / (count * COUNT))
            print(f"pyproj_geodesic_{name}_{count}_checksum", float(numpy.sum(latitudes)))


main()
