#!/usr/bin/python3
"""The circles of bench_circles.c with Shapely 2. Prints "name value" lines."""
import math
import time

import numpy
import shapely

COUNT, FEW = 100_000, 10_000
GOLDEN = numpy.uint64(0x9E3779B97F4A7C15)


def centres(side):
    """splitmix64, as in bench.h."""
    with numpy.errstate(over="ignore"):
        z = numpy.uint64(COUNT) + GOLDEN * numpy.arange(1, 2 * COUNT + 1, dtype=numpy.uint64)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        z ^= z >> numpy.uint64(31)
    return side * ((z >> numpy.uint64(11)) * 2.0**-53).reshape(-1, 2)


def lattice(columns, shift, up):
    row, column = numpy.divmod(numpy.arange(FEW), columns)
    return numpy.stack([500000 + column * 10.0 + row % 2 * shift, 4500000 + row * up], 1)


def buffers(xy, radius=1):
    return shapely.buffer(shapely.points(xy), radius, quad_segs=8)


def united(name, circles):
    start = time.perf_counter_ns()
    union = shapely.union_all(circles)
    print(f"shapely_{name}", time.perf_counter_ns() - start)
    print(f"shapely_{name}_checksum", union.area, flush=True)


def main():
    xy = centres(1000)
    start = time.perf_counter_ns()
    checksum = float(shapely.get_coordinates(buffers(xy)).sum())
    print("shapely_circles", (time.perf_counter_ns() - start) / COUNT)
    print("shapely_circles_checksum", checksum)
    for neighbours in (2, 10, 40):
        united(f"union_{neighbours}", buffers(centres(math.sqrt(COUNT * 4 * math.pi / neighbours))))
    united(f"touching_square_{FEW}", buffers(lattice(100, 0, 10), 5))
    united(f"touching_hexagonal_{FEW}", buffers(lattice(100, 5, math.sqrt(75)), 5))
    united(f"touching_column_{FEW}", buffers(lattice(1, 0, 0.01), 10))


main()
