#!/usr/bin/python3
"""The circles of bench_geodesic.c with pyproj. Prints "name value" lines."""
import time

import numpy
import pyproj

COUNT = 1000
GOLDEN = numpy.uint64(0x9E3779B97F4A7C15)
GEOD = pyproj.Geod(ellps="WGS84")


def circles(scale):
    """splitmix64, as in bench.h."""
    with numpy.errstate(over="ignore"):
        z = numpy.uint64(COUNT) + GOLDEN * numpy.arange(1, 3 * COUNT + 1, dtype=numpy.uint64)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        z ^= z >> numpy.uint64(31)
    x, y, size = ((z >> numpy.uint64(11)) * 2.0**-53).reshape(-1, 3).T
    return 360 * x - 180, numpy.degrees(numpy.arcsin(2 * y - 1)), 1000 * scale**size


def main():
    for name, scale in (("near", 500.0), ("far", 19000.0)):
        for count in (360, 64):
            x, y, radius = (numpy.repeat(column, count) for column in circles(scale))
            azimuths = numpy.tile(360 * numpy.arange(count) / count, COUNT)
            start = time.perf_counter_ns()
            _, latitudes, _ = GEOD.fwd(x, y, azimuths, radius)
            print(f"pyproj_geodesic_{name}_{count}", (time.perf_counter_ns() - start) / (count * COUNT))
            print(f"pyproj_geodesic_{name}_{count}_checksum", float(numpy.sum(latitudes)))


main()
