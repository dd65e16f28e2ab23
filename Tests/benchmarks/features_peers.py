#!/usr/bin/python3
"""Shapely's STRtree of the same million points as bench_features.c, and what it finds. Prints "name value" lines."""
import statistics
import time
import warnings

import numpy
from shapely.geometry import Point, box
from shapely.strtree import STRtree

POINTS, QUERIES, REACH_DEG = 1_000_000, 10_000, 0.5


def random_units(seed, count):
    """splitmix64, as in bench.h."""
    with numpy.errstate(over="ignore"):
        z = numpy.uint64(seed) + numpy.uint64(0x9E3779B97F4A7C15) * numpy.arange(1, count + 1, dtype=numpy.uint64)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        return ((z ^ (z >> numpy.uint64(31))) >> numpy.uint64(11)) * 2.0**-53


def places(count):
    numbers = random_units(count, 2 * count)
    return numpy.column_stack([-170 + 340 * numbers[::2], -80 + 160 * numbers[1::2]]).tolist()


def main():
    warnings.simplefilter("ignore")
    points = [Point(place) for place in places(POINTS)]
    start = time.perf_counter_ns()
    tree = STRtree(points)
    # The first question builds it.
    tree.query(box(0, 0, 1, 1))
    print("strtree_build", time.perf_counter_ns() - start)
    boxes = [box(x - REACH_DEG, y - REACH_DEG, x + REACH_DEG, y + REACH_DEG) for x, y in places(QUERIES)]
    times, found = [], 0
    for area in boxes:
        start = time.perf_counter_ns()
        answer = tree.query(area)
        times.append(time.perf_counter_ns() - start)
        found += len(answer)
    print("strtree_query_median", statistics.median(times))
    print("strtree_query_checksum", found)
    times, distances = [], 0
    for place in map(Point, places(QUERIES)):
        start = time.perf_counter_ns()
        answer = tree.nearest(place)
        times.append(time.perf_counter_ns() - start)
        distances += place.distance(answer)
    print("strtree_nearest_median", statistics.median(times))
    print("strtree_nearest_checksum", distances)


if __name__ == "__main__":
    main()
