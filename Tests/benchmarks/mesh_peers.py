#!/usr/bin/python3
"""The polygons of bench_mesh.c with mapbox_earcut (earcut.hpp in C++), and its terrain with pydelatin (hmm.cpp in C++).

Prints "name value" lines. Earcut gives indexes only: no floats around an origin, no normals. Delatin's error is that at
the middles of cells, and not between them; it is given the heights in memory, which ours reads from the file."""
import statistics
import sys
import time
from pathlib import Path

import numpy

ROUNDS = 5


def rings(folder, name, count, vertices):
    """The rings that bench_mesh.c wrote, without the last vertex, which is the first again."""
    numbers = numpy.fromfile(Path(folder) / f"rings_{name}.bin").reshape(count, vertices + 1, 2)
    return [numpy.ascontiguousarray(ring[:-1]) for ring in numbers]


def polygons(folder):
    import mapbox_earcut

    for name, count, vertices in (("small", 20000, 33), ("medium", 100, 10000), ("large", 1, 100000)):
        forms = rings(folder, name, 5 if name == "large" else count, vertices)[:count]
        ends = numpy.array([vertices], numpy.uint32)
        times = []
        for _ in range(ROUNDS if name == "small" else 1):
            start = time.perf_counter_ns()
            found = [mapbox_earcut.triangulate_float64(form, ends) for form in forms]
            times.append((time.perf_counter_ns() - start) / count / vertices)
        print(f"earcut_{name}_median", statistics.median(times))
        print(f"earcut_{name}_checksum", sum(len(indices) // 3 for indices in found) / count, flush=True)


def terrain(raster):
    import pydelatin
    from osgeo import gdal

    # The middles of the cells nearest to the tile's border: 351 x 251 of them.
    heights = gdal.Open(raster).ReadAsArray(28, 125, 351, 251).astype(numpy.float32)
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter_ns()
        mesh = pydelatin.Delatin(heights, max_error=1.0)
        times.append(time.perf_counter_ns() - start)
    print("delatin_terrain_median", statistics.median(times))
    print("delatin_terrain_checksum", len(mesh.triangles), flush=True)


def main():
    polygons(sys.argv[1])
    terrain(sys.argv[2])


if __name__ == "__main__":
    main()
