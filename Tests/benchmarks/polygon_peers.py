#!/usr/bin/python3
"""The polygons and the line of bench_polygons.c with Shapely 2. Prints "name value" lines."""
import statistics
import sys
import time
from pathlib import Path

import numpy
import shapely

POLYGONS, VERTICES, ROUNDS, DISTANCE_M = 20000, 33, 3, 25.0


def measured(name, per, work):
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter_ns()
        found = work()
        times.append((time.perf_counter_ns() - start) / per)
    print(f"shapely_{name}_median", statistics.median(times))
    print(f"shapely_{name}_checksum", float(numpy.sum(shapely.area(found))), flush=True)


def main():
    folder = Path(sys.argv[1])
    for file, prefix in (("polygons", ""), ("round", "round_")):
        polygons = shapely.polygons(numpy.fromfile(folder / f"{file}.bin").reshape(POLYGONS, VERTICES + 1, 2))
        # As many segments for an arc as ours has by default.
        measured(f"{prefix}buffers", POLYGONS, lambda: shapely.buffer(polygons, DISTANCE_M, quad_segs=16))
        measured(f"{prefix}union", 1, lambda: shapely.union_all(polygons))
    line = shapely.linestrings(numpy.fromfile(folder / "line.bin").reshape(-1, 2))
    ring = shapely.polygons(numpy.fromfile(folder / "ring.bin").reshape(-1, 2))
    measured("line", 1, lambda: shapely.buffer(line, DISTANCE_M, quad_segs=16))
    measured("ring", 1, lambda: shapely.buffer(ring, DISTANCE_M, quad_segs=16))
    polygons = shapely.polygons(numpy.fromfile(folder / "polygons.bin").reshape(POLYGONS, VERTICES + 1, 2))
    measured("buffer_union", 1, lambda: shapely.union_all(shapely.buffer(polygons, DISTANCE_M, quad_segs=16)))


if __name__ == "__main__":
    main()
