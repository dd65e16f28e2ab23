"""Dense screens: the library projects few of their samples and computes the others, and must still find the very cell.

Each raster's cells hold their own number, so that a neighbour cannot pass for the right one. What is expected comes from
ald_raster_read_points, which projects every point through PROJ and is itself proved in test_identify and test_edges.
"""
import alidade
import numpy
import pytest
import rasterio
from rasterio.transform import Affine

SAMPLES = (131, 137)
VIEWS = 12

# Name, spatial reference, upper left corner, cell size, size in cells, spatial reference of the map.
PLACES = [
    ("utm in web mercator", 32633, (300_000, 5_600_000), 25.0, (4000, 3000), 3857),
    ("utm, six degrees wide, in polar stereographic", 32633, (170_000, 9_000_000), 150.0, (4400, 4000), 3995),
    ("britain, where the datum's operations change", 27700, (-200_000, 1_300_000), 400.0, (2600, 3600), 3857),
    ("across the antimeridian", 32660, (570_000, 5_850_000), 100.0, (2300, 2300), 3857),
    ("the world in web mercator", 4326, (-180, 90), 0.05, (7200, 3600), 3857),
    ("the world from above a pole", 4326, (-180, 90), 0.05, (7200, 3600), 3995),
    ("the world by a table of latitudes", 4326, (-180, 90), 1.0, (360, 180), "ESRI:54030"),
    ("nad27, by grids or without", 26711, (400_000, 4_200_000), 60.0, (3000, 3000), 4326),
]


@pytest.fixture(params=PLACES, ids=lambda place: place[0])
def place(request, runtime, tmp_path):
    _, code, (left, top), cell, (width, height), map_code = request.param
    path = tmp_path / "numbered.tif"
    numbers = numpy.arange(width * height, dtype="uint32").reshape(1, height, width)
    profile = dict(
        driver="GTiff", width=width, height=height, count=1, dtype="uint32", crs=f"EPSG:{code}", tiled=True,
        transform=Affine(cell, 0, left, 0, -cell, top),
    )
    with rasterio.open(path, "w", **profile) as file:
        file.write(numbers)
    raster = alidade.Raster(runtime, path)
    layer = alidade.RasterLayer(raster)
    reference = alidade.SpatialReference(runtime, map_code)
    map = alidade.Map(runtime, reference)
    map.add_layer(layer)
    view = alidade.View(map, SAMPLES[1], SAMPLES[0])
    return raster, layer, reference, view, (left, top, cell, width, height)


def test_every_sample_has_the_cell_that_projecting_it_finds(place):
    raster, layer, reference, view, (left, top, cell, width, height) = place
    generator = numpy.random.default_rng(20)
    found = 0
    for _ in range(VIEWS):
        column, row = generator.random(2) * (width, height)
        centre = (left + column * cell, top - row * cell)
        # From a tenth of a cell per sample to twenty cells.
        metres = cell * (111_319 if raster.spatial_reference.info.kind == alidade.coordinates.SpatialReferenceKind.GEOGRAPHIC else 1)
        scale = metres * 10 ** generator.uniform(-1, 1.3) * 96 / 0.0254
        try:
            view.set_viewpoint(centre, raster.spatial_reference, scale=scale, rotation_deg=generator.uniform(0, 360))
        except alidade.errors.ProjectionFailedError:
            continue  # a centre that has no image on the map
        verdicts = numpy.empty(SAMPLES, "uint8")
        values = view.read_values(layer, 1, verdicts=verdicts)
        lines, samples = numpy.mgrid[0 : SAMPLES[0], 0 : SAMPLES[1]]
        centres = numpy.stack([samples.ravel() + 0.5, lines.ravel() + 0.5], axis=-1)
        expected = raster.read_points(view.screen_to_map(centres), reference)
        numpy.testing.assert_array_equal(verdicts.ravel(), expected.cells["verdict"])
        numpy.testing.assert_array_equal(values.ravel(), expected.values[:, 0]["value"])
        found += int((expected.cells["verdict"] == 0).sum())
    assert found > 20_000, "the views must look at the raster"
