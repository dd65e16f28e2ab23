#!/usr/bin/python3
"""What a Python user would pick today, on the same raster and points as the C programs. Prints "name value" lines.

    peers.py RASTER
"""
import statistics
import sys
import time

import numpy
import pyproj
import rasterio
from rasterio.windows import Window

MASK = 2**64 - 1


def random_units(state, count):
    """splitmix64, as in bench.h."""
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield ((z ^ (z >> 31)) >> 11) * 2.0**-53


def one_cell(path):
    """Coordinates to a cell to its value, block cached."""
    with rasterio.open(path) as source:
        x, y = source.xy(source.height // 2, source.width // 2)
        times = []
        for step in range(400):
            start = time.perf_counter_ns()
            row, column = source.index(x + step % 20 * 30, y)
            source.read(1, window=Window(column, row, 1, 1))
            times.append(time.perf_counter_ns() - start)
    print("rasterio_cell_median", statistics.median(times))


def sample(path):
    numbers = list(random_units(10000, 20000))
    points = [(500000 + 30 * 8192 * x, 5400000 - 30 * 8192 * y) for x, y in zip(numbers[::2], numbers[1::2])]
    with rasterio.open(path) as source:
        start = time.perf_counter_ns()
        checksum = sum(int(values[0]) for values in source.sample(points))
        print("rasterio_sample_median", time.perf_counter_ns() - start)
    print("rasterio_sample_checksum", checksum)


def project(name, source, target, x_min, y_min, x_max, y_max):
    """A million points, as in bench_project.c."""
    count = 1000000
    numbers = numpy.fromiter(random_units(count, 2 * count), float, 2 * count)
    x = x_min + (x_max - x_min) * numbers[::2]
    y = y_min + (y_max - y_min) * numbers[1::2]
    transformer = pyproj.Transformer.from_crs(source, target, always_xy=True)
    times = []
    for _ in range(3):
        start = time.perf_counter_ns()
        east, north = transformer.transform(x, y)
        times.append(time.perf_counter_ns() - start)
    print(f"pyproj_{name}_median", statistics.median(times) / count)
    print(f"pyproj_{name}_checksum", float(east.sum() + north.sum()))


def engine():
    """A million points into a frame of east, north and up, as floats; as in bench_engine.c."""
    count = 1000000
    points = numpy.fromiter(random_units(count, 3 * count), float, 3 * count).reshape(count, 3)
    points = points * (1, 1, 1000) + (4.5, 54.5, 0)
    transformer = pyproj.Transformer.from_crs(4979, 4978, always_xy=True)
    longitude, latitude = numpy.radians((5, 55))
    east = (-numpy.sin(longitude), numpy.cos(longitude), 0)
    up = numpy.array((numpy.cos(latitude) * numpy.cos(longitude), numpy.cos(latitude) * numpy.sin(longitude),
                      numpy.sin(latitude)))
    axes = numpy.array((east, numpy.cross(up, east), up)).T
    origin = numpy.array(transformer.transform(5, 55, 200))
    times = []
    for _ in range(3):
        start = time.perf_counter_ns()
        vertices = ((numpy.column_stack(transformer.transform(*points.T)) - origin) @ axes).astype(numpy.float32)
        times.append(time.perf_counter_ns() - start)
    print("pyproj_engine_median", statistics.median(times) / count)
    print("pyproj_engine_checksum", float(numpy.abs(vertices.astype(float)).sum()))


engine()
project("webmercator", 4326, 3857, -180, -85, 180, 85)
project("utm", 4326, 32632, 6, 0, 12, 84)
project("laea", 4326, 3035, -10, 35, 30, 65)
project("albers", 4326, 5070, -120, 25, -70, 48)
project("polar", 4326, 3413, -180, 60, 180, 90)
project("swiss", 4326, 2056, 6, 46, 10, 47.5)
project("osgb", 27700, 3857, 0, 0, 700000, 1300000)
one_cell(sys.argv[1])
sample(sys.argv[1])
