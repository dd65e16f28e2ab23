#!/usr/bin/python3
"""The circles of bench_circles.c with Shapely. Prints "name value" lines."""
import math
import time

import numpy
import shapely.geometry
import shapely.ops

COUNT = 100_000
GOLDEN = numpy.uint64(0x9E3779B97F4A7C15)


def centres(side):
    """splitmix64, as in bench.h."""
    with numpy.errstate(over="ignore"):
        z = numpy.uint64(COUNT) + GOLDEN * numpy.arange(1, 2 * COUNT + 1, dtype=numpy.uint64)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        z ^= z >> numpy.uint64(31)
    return side * ((z >> numpy.uint64(11)) * 2.0**-53).reshape(-1, 2)


def buffers(xy):
    return [shapely.geometry.Point(x, y).buffer(1, resolution=8) for x, y in xy.tolist()]


def main():
    xy = centres(1000)
    start = time.perf_counter_ns()
    checksum = sum(float(numpy.asarray(circle.exterior.coords).sum()) for circle in buffers(xy))
    print("shapely_circles", (time.perf_counter_ns() - start) / COUNT)
    print("shapely_circles_checksum", checksum)
    for neighbours in (2, 10, 40):
        circles = buffers(centres(math.sqrt(COUNT * 4 * math.pi / neighbours)))
        start = time.perf_counter_ns()
        union = shapely.ops.unary_union(circles)
        print(f"shapely_union_{neighbours}", time.perf_counter_ns() - start)
        print(f"shapely_union_{neighbours}_checksum", union.area)


main()
