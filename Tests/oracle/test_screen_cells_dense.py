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


def numbered(path, size, block):
    """Square cells of 1 m in UTM that hold their own number."""
    profile = dict(
        driver="GTiff", width=size, height=size, count=1, dtype="uint32", crs="EPSG:32633", tiled=True,
        blockxsize=block, blockysize=block, transform=Affine(1, 0, 500_000, 0, -1, 5_600_000),
    )
    with rasterio.open(path, "w", **profile) as file:
        file.write(numpy.arange(size * size, dtype="uint32").reshape(1, size, size))


def test_kinks_between_projected_samples(runtime, tmp_path):
    """PROJ's Robinson projection goes through a table. Here 25 samples of a tile did not show that it has kinks."""
    path = tmp_path / "world.tif"
    with rasterio.open(
        path, "w", driver="GTiff", width=360, height=180, count=1, dtype="uint16", crs="EPSG:4326",
        transform=Affine(1, 0, -180, 0, -1, 90),
    ) as file:
        file.write(numpy.arange(360 * 180, dtype="uint16").reshape(1, 180, 360))
    raster = alidade.Raster(runtime, path)
    layer = alidade.RasterLayer(raster)
    reference = alidade.SpatialReference(runtime, "ESRI:54030")
    map = alidade.Map(runtime, reference)
    map.add_layer(layer)
    view = alidade.View(map, 128, 72)
    view.set_viewpoint((14058983.829906467, -459745.1389332512), reference, scale=5.25e8)
    verdicts = numpy.empty((72, 128), "uint8")
    values = view.read_values(layer, 1, verdicts=verdicts)
    lines, samples = numpy.mgrid[0:72, 0:128]
    centres = numpy.stack([samples.ravel() + 0.5, lines.ravel() + 0.5], axis=-1)
    expected = raster.read_points(view.screen_to_map(centres), reference)
    numpy.testing.assert_array_equal(verdicts.ravel(), expected.cells["verdict"])
    numpy.testing.assert_array_equal(values.ravel(), expected.values[:, 0]["value"])


@pytest.mark.parametrize("block", [16, 48, 256])
def test_taps_here_and_there(runtime, tmp_path, block):
    """Parts that were read before are kept, and must not be taken for others."""
    size = 1100
    path = tmp_path / "numbered.tif"
    numbered(path, size, block)
    layer = alidade.RasterLayer(alidade.Raster(runtime, path))
    map = alidade.Map(runtime, alidade.SpatialReference(runtime, 32633))
    map.add_layer(layer)
    view = alidade.View(map, size, size)
    view.set_viewpoint((500_000 + size / 2, 5_600_000 - size / 2), scale=96 / 0.0254)
    generator = numpy.random.default_rng(block)
    near = generator.integers(0, 64, (60, 2))
    for offset in [0, 512, 0, 1024, 512, 0]:
        for column, row in near + offset:
            if max(column, row) < size:
                value = view.cell_at(layer, (column + 0.5, row + 0.5)).values[0][0]["value"]
                assert value == row * size + column


def test_halves_are_rounded_up(runtime, tmp_path):
    """The nearest byte by the definition, in a ramp and in three channels."""
    path = tmp_path / "shares.tif"
    # Shares of 255 a little below a half of it, and above; and 1.
    whole = numpy.arange(0, 250, 5)
    shares = numpy.append(numpy.concatenate([whole + 0.45, whole + 0.55, whole + 0.95]) / 255, 1)
    profile = dict(
        driver="GTiff", width=len(shares), height=1, count=3, dtype="float64", crs="EPSG:32633",
        transform=Affine(10, 0, 500_000, 0, -10, 5_600_000),
    )
    with rasterio.open(path, "w", **profile) as file:
        file.write(numpy.stack([shares, shares, shares])[:, None, :])
    layer = alidade.RasterLayer(alidade.Raster(runtime, path))
    map = alidade.Map(runtime, alidade.SpatialReference(runtime, 32633))
    map.add_layer(layer)
    view = alidade.View(map, len(shares), 1)
    view.set_viewpoint((500_000 + 5 * len(shares), 5_600_000 - 5), scale=10 * 96 / 0.0254)
    Renderer, Kind = alidade.layers.RasterRenderer, alidade.layers.RasterRendererKind
    layer.renderer = Renderer(kind=Kind.RGB, bands=(1, 2, 3), minimum=0.0, maximum=1.0)
    expected = numpy.concatenate([whole, whole + 1, whole + 1, [255]])
    numpy.testing.assert_array_equal(view.read_rgba(layer)[0, :, 0], expected)
    # From 0 to 2, the 1 lies in the middle of the ramp, at halves of bytes.
    ramp = [(10, 11, 20, 255), (11, 12, 21, 255)]
    layer.renderer = Renderer(kind=Kind.STRETCH, minimum=0.0, maximum=2.0, ramp=ramp)
    assert view.read_rgba(layer)[0, -1, :3].tolist() == [11, 12, 21]
