"""Values between cells by the formulas of the textbook, cell by cell: the truth about the library's sampling."""
import math

import numpy
from truth import OUTSIDE, VALUE

NEAREST, BILINEAR, CUBIC = range(3)


def linear_kernel(distance):
    return max(0.0, 1.0 - abs(distance))


def cubic_kernel(distance, a=-0.5):
    """Keys 1981."""
    x = abs(distance)
    if x <= 1.0:
        return (a + 2.0) * x**3 - (a + 3.0) * x**2 + 1.0
    return a * x**3 - 5.0 * a * x**2 + 8.0 * a * x - 4.0 * a if x < 2.0 else 0.0


def weighted(cells, valid, column, row, kernel, radius):
    """The weighted mean of the valid cells on the raster, and whether all cells with a weight were valid."""
    total = weights = 0.0
    is_whole = True
    for r in range(math.floor(row - radius), math.ceil(row + radius) + 1):
        for c in range(math.floor(column - radius), math.ceil(column + radius) + 1):
            weight = kernel(c + 0.5 - column) * kernel(r + 0.5 - row)
            if weight == 0.0 or not (0 <= c < cells.shape[1] and 0 <= r < cells.shape[0]):
                continue
            if not valid[r, c]:
                is_whole = False
                continue
            total += weight * float(cells[r, c].real)
            weights += weight
    return total / weights, is_whole


def sample(band, column, row, method):
    """(value, verdict) of a Truth's band at a position in the grid."""
    c, r = math.floor(column), math.floor(row)
    if not (0 <= c < band.cells.shape[1] and 0 <= r < band.cells.shape[0]):
        return math.nan, OUTSIDE
    if not band.valid[r, c]:
        return math.nan, band.why_not_valid
    if method == NEAREST:
        return float(band.cells[r, c].real), VALUE
    if method == CUBIC:
        value, is_whole = weighted(band.cells, band.valid, column, row, cubic_kernel, 2)
        if is_whole:
            return value, VALUE
    return weighted(band.cells, band.valid, column, row, linear_kernel, 1)[0], VALUE


def assert_samples(values, verdicts, band, places, method, scaled=False):
    """n values and verdicts of the library, against the formulas at n positions."""
    truth = [sample(band, column, row, method) for column, row in places]
    numpy.testing.assert_array_equal(verdicts, [verdict for _, verdict in truth])
    expected = numpy.array([value for value, _ in truth])
    if scaled:
        expected = expected * band.scale + band.offset
    # Weights may cancel out: what is left is as exact as the largest of the cells around.
    largest = numpy.nanmax(numpy.abs(band.cells[band.valid].real.astype(float)), initial=1.0)
    numpy.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-13 * largest * max(1.0, abs(band.scale)))
