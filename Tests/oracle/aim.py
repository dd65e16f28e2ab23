"""Random views that look at a raster. All randomness comes from seeds that a test names."""
import numpy

from camera import DIP_PER_METRE, Camera, metres_per_unit

SCALE_LIMITS = (1e-6, 1e15)  # the limits of ald_view_set_scale


def random_camera(generator, truth, map_crs, to_map):
    """A view of random size, insets and rotation whose centre is a random cell and that shows a part of the raster."""
    for _ in range(100):
        centre_cell = _random_place(generator, truth)
        centre, beside = to_map(truth.to_coordinates([centre_cell, centre_cell + 0.01]))
        if not numpy.isfinite([centre, beside]).all():
            continue
        units_per_cell = numpy.hypot(*(beside - centre)) / numpy.hypot(0.01, 0.01)
        if 0 < units_per_cell < 1e7:
            return _camera_at(generator, truth, map_crs, centre, units_per_cell)
    raise AssertionError("no cell of the raster has an image in the map")


def _random_place(generator, truth):
    """A position in cells, mostly on a cell that has a value: many rasters are empty for the most part."""
    place = generator.uniform((-0.05, -0.05), (1.05, 1.05)) * (truth.width, truth.height)
    if generator.random() < 0.7:
        rows, columns = numpy.nonzero(truth.bands[-1].valid)
        if len(rows):
            chosen = generator.integers(len(rows))
            place = numpy.array([columns[chosen], rows[chosen]]) + generator.random(2)
    return place


def _camera_at(generator, truth, map_crs, centre, units_per_cell):
    size = generator.uniform((50, 50), (1800, 1200))
    if generator.random() < 0.3:
        size = numpy.round(size)
    insets = _random_insets(generator, size)
    # From a cell or two on the screen to a bit more than the raster's shorter side.
    most = 1.2 * min(truth.width, truth.height)
    cells_across = most ** generator.uniform(0, 1) * generator.uniform(0.3, 1)
    metres = metres_per_unit(map_crs)
    scale = cells_across * units_per_cell / max(size) * metres * DIP_PER_METRE
    scale = float(numpy.clip(scale, *SCALE_LIMITS))
    rotation = float(generator.choice([0.0, 90.0, 180.0, generator.uniform(0, 360)], p=[0.15, 0.05, 0.05, 0.75]))
    return Camera(tuple(map(float, centre)), scale, rotation, tuple(map(float, size)), insets, metres_per_unit=metres)


def _random_insets(generator, size):
    if generator.random() < 0.4:
        return (0.0, 0.0, 0.0, 0.0)
    width, height = size
    return tuple(map(float, generator.uniform(0, 0.45, 4) * (height, width, height, width)))


def random_screen_points(generator, camera, count):
    """Points all over the view and a little beyond it; some on whole pixels, as taps are."""
    points = generator.uniform((-0.05, -0.05), (1.05, 1.05), (count, 2)) * camera.size
    whole = generator.random(count) < 0.3
    points[whole] = numpy.floor(points[whole])
    return points
