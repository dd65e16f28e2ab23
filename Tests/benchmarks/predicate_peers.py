#!/usr/bin/python3
"""The prepared geometries of bench_predicates.c with Shapely 2. Prints "name value" lines."""
import statistics
import sys
import time
from pathlib import Path

import numpy
import shapely

VERTICES, ROUNDS = 33, 5


def measured(name, work):
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter_ns()
        found = work()
        times.append((time.perf_counter_ns() - start) / len(found))
    print(f"shapely_predicates_{name}_median", statistics.median(times))
    print(f"shapely_predicates_{name}_checksum", int(found.sum()), flush=True)


def polygons_of(path):
    return shapely.polygons(numpy.fromfile(path).reshape(-1, VERTICES + 1, 2))


def each(polygons, neighbours):
    shapely.destroy_prepared(polygons)
    shapely.prepare(polygons)
    return shapely.intersects(polygons, neighbours)


def main():
    folder = Path(sys.argv[1])
    polygons, neighbours = polygons_of(folder / "polygons.bin"), polygons_of(folder / "neighbours.bin")
    star = shapely.polygons(numpy.fromfile(folder / "star.bin").reshape(-1, 2))
    shapely.prepare(star)
    for name in ("intersects", "contains", "covers", "within", "touches", "disjoint"):
        measured(name, lambda test=getattr(shapely, name): test(star, polygons))
    measured("each", lambda: each(polygons, neighbours))


if __name__ == "__main__":
    main()
