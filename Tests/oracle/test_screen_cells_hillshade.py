"""The hillshade renderer against `gdaldem hillshade -compute_edges`, one pixel per cell."""
import alidade
import numpy
import pytest
from osgeo import gdal

from cases import OWN, Case
from test_screen_cells import look_at_all_cells

LIGHTS = [(None, None, 0), (45.0, 30.0, 0), (0.0, 60.0, 2.5), (200.0, 0.0, 1)]


@pytest.mark.parametrize("name", ["Shasta_Elevation.tif", "envi.dat", "terrain.bt"])
@pytest.mark.parametrize("azimuth, altitude, z_factor", LIGHTS)
def test_against_gdaldem(scene_of, raster_path, tmp_path, name, azimuth, altitude, z_factor):
    scene = scene_of(Case(name, OWN))
    look_at_all_cells(scene)
    scene.layer.renderer = alidade.RasterRenderer(
        alidade.layers.RasterRendererKind.HILLSHADE, azimuth_deg=azimuth, altitude_deg=altitude, z_factor=z_factor)
    pixels = scene.view.read_rgba(scene.layer).astype(int)
    expected = gdaldem(raster_path(name), tmp_path, azimuth, altitude, z_factor)
    lit = expected > 0  # gdaldem writes 0 where there is no height
    assert (pixels[~lit] == 0).all()
    assert (pixels[lit][:, 3] == 255).all()
    assert (pixels[lit][:, :1] == pixels[lit][:, :3]).all(), "not grey"
    difference = numpy.abs(pixels[lit][:, 0] - expected[lit])
    # gdaldem computes in float32 with an approximate square root.
    assert difference.max() <= 1
    assert (difference == 0).mean() > 0.95


def gdaldem(path, folder, azimuth, altitude, z_factor):
    dataset = gdal.DEMProcessing(
        str(folder / "shade.tif"), str(path), "hillshade", computeEdges=True, zFactor=z_factor or 1,
        azimuth=315 if azimuth is None else azimuth, altitude=45 if altitude is None else altitude)
    return dataset.ReadAsArray().astype(int)


def test_rotation_of_the_view_does_not_move_the_light(scene_of):
    """The light comes from the up of the raster: a cell has one colour, wherever the view looks from."""
    scene = scene_of(Case("Shasta_Elevation.tif", OWN))
    look_at_all_cells(scene, size=(101, 101))
    scene.layer.renderer = alidade.RasterRenderer(alidade.layers.RasterRendererKind.HILLSHADE)
    upright = scene.view.read_rgba(scene.layer)
    scene.view.set_viewpoint(rotation_deg=90)  # east is up: the picture turns to the left
    numpy.testing.assert_array_equal(scene.view.read_rgba(scene.layer), numpy.rot90(upright))
