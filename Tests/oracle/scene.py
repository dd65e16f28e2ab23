"""A raster on a map with a view, on both sides: in the library, and as the truth has it."""
import alidade
import numpy
import pyproj

from camera import metres_per_unit
from cases import GEOGRAPHIC, OWN
from truth import Truth, projector

# Nearer to a cell's border than this, in cells, a point may be in the cell on either side.
BORDER = 1e-6


class Scene:
    def __init__(self, runtime, path, case):
        self.truth = Truth(path, case.assigned)
        self.map_crs = self._map_crs(case)
        self.to_map = projector(self.truth.crs, self.map_crs)
        self.to_raster = projector(self.map_crs, self.truth.crs)
        self.metres_per_unit = metres_per_unit(self.map_crs)

        assigned = alidade.SpatialReference.from_code(runtime, case.assigned) if case.assigned else None
        self.raster = alidade.Raster(runtime, path, assigned)
        self.layer = alidade.RasterLayer(self.raster)
        self.map = alidade.Map(runtime, self._map_spatial_reference(runtime, case))
        self.map.add_layer(self.layer)
        self.view = alidade.View(self.map, 1, 1)

    def _map_crs(self, case):
        if case.map == OWN:
            return self.truth.crs
        if case.map == GEOGRAPHIC:
            return self.truth.crs.geodetic_crs
        return pyproj.CRS.from_epsg(case.map)

    def _map_spatial_reference(self, runtime, case):
        if case.map == OWN:
            return None  # then the map takes that of its first layer
        if case.map == GEOGRAPHIC:
            return alidade.SpatialReference.from_wkt(runtime, self.map_crs.to_wkt())
        return alidade.SpatialReference.from_code(runtime, case.map)

    def look(self, camera, pixel_density=1.0):
        """Moves the library's view to where a camera looks."""
        self.view.set_insets(None)  # the last camera's insets may not fit this one's size
        self.view.set_size(*camera.size, pixel_density)
        self.view.set_insets(alidade.Insets(*camera.insets))
        self.view.set_viewpoint(camera.centre, scale=camera.scale, rotation_deg=camera.rotation_deg)

    def cells_under(self, camera, screen):
        """Positions in cells, with fractions, under n x 2 screen points; infinite where nothing can be projected."""
        points = self.to_raster(camera.to_map(screen))
        if self.truth.crs.is_geographic:
            # The raster is in every copy of the world: the one around its own middle is the truth's.
            middle = self.truth.to_coordinates([(self.truth.width / 2, self.truth.height / 2)])[0, 0]
            away = numpy.abs(points[:, 0] - middle) > 180
            points[away, 0] = (points[away, 0] - middle + 180) % 360 - 180 + middle
        with numpy.errstate(invalid="ignore"):
            return numpy.where(numpy.isfinite(points).all(axis=1)[:, None], self.truth.to_cells(points), numpy.inf)


def candidates(position):
    """The cells that may hold a position: one, or up to four right next to a border."""
    columns, rows = ({int(numpy.floor(value - BORDER)), int(numpy.floor(value + BORDER))} for value in position)
    return {(column, row) for column in columns for row in rows}
