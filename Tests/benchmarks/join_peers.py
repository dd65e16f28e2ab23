#!/usr/bin/python3
"""The joins of bench_join.c with Shapely: an STRtree of the polygons, asked for all points at once. Prints "name value"
lines. The tree is there before the clock runs, as our index is."""
import statistics
import time

import shapely
from identify_peers import features

POLYGONS, ROUNDS = 100_000, 5


def main():
    for corners in (8, 32):
        tree = shapely.STRtree(features("polygons", POLYGONS, corners=corners))
        tree.query(shapely.Point(0, 0))
        for count in (20_000, 200_000, 1_000_000):
            points = features("points", count, POLYGONS)
            times = []
            for _ in range(ROUNDS if count < 1_000_000 else 1):
                start = time.perf_counter_ns()
                found = tree.query(points, predicate="within")
                times.append((time.perf_counter_ns() - start) / count)
            print(f"strtree_join_{count}_{corners + 1}_median", statistics.median(times))
            print(f"strtree_join_{count}_{corners + 1}_checksum", found.shape[1], flush=True)


if __name__ == "__main__":
    main()
