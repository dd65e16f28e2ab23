"""What a view shows, worked out from the text of Include/alidade/view.h and from nothing that the library returns."""
import math
from dataclasses import dataclass, field

import numpy

DIP_PER_METRE = 96 / 0.0254


@dataclass(frozen=True)
class Camera:
    """
    A viewpoint in the map's spatial reference, in a view of a size and with insets.

    `centre` lies in the middle of what the insets (top, right, bottom, left) leave free. At rotation r the compass
    direction r is up on the screen, hence r + 90 is right.
    """

    centre: tuple[float, float]
    scale: float
    rotation_deg: float
    size: tuple[float, float]
    insets: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    metres_per_unit: float = field(default=1.0, kw_only=True)

    @property
    def units_per_dip(self):
        return self.scale / (self.metres_per_unit * DIP_PER_METRE)

    @property
    def anchor(self):
        """The screen point that shows the centre."""
        width, height = self.size
        top, right, bottom, left = self.insets
        return numpy.array([(left + width - right) / 2, (top + height - bottom) / 2])

    def matrix(self, precision=float):
        """Screen offsets (right, down) to map offsets (east, north)."""
        angle = precision(self.rotation_deg) * precision(math.pi if precision is float else PI) / 180
        sine, cosine = numpy.sin(angle), numpy.cos(angle)
        up = numpy.array([sine, cosine])
        right = numpy.array([cosine, -sine])
        return numpy.column_stack([right, -up]) * precision(self.units_per_dip)

    def to_map(self, screen, precision=float):
        """n x 2 screen points in DIP to map points."""
        offsets = numpy.asarray(screen, precision) - self.anchor
        return offsets @ self.matrix(precision).T + numpy.array(self.centre, precision)

    def to_screen(self, points):
        """n x 2 map points to screen points in DIP."""
        offsets = numpy.asarray(points, float) - numpy.array(self.centre)
        return offsets @ numpy.linalg.inv(self.matrix()).T + self.anchor


# Pi with the digits that a longdouble holds: math.pi has only the digits of a double.
PI = numpy.longdouble("3.14159265358979323846264338327950288")


def metres_per_unit(crs):
    """Of a pyproj CRS. Degrees count as arc along the equator of its ellipsoid."""
    factor = crs.axis_info[0].unit_conversion_factor
    if crs.is_geographic:
        return factor * crs.ellipsoid.semi_major_metre
    return factor
