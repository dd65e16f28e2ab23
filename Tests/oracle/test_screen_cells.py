"""A screen of cells: each pixel is what a tap on its centre finds, and has the colour that the renderer gives it."""
import alidade
import numpy
import pyproj
import pytest
from osgeo import gdal, osr

from aim import random_camera
from camera import Camera, metres_per_unit
from cases import CASES, OWN, Case
from truth import VALUE

VIEWS = 2


def random_grid(generator, camera):
    """A grid over a part of the view, or over all of it, whose samples are no whole pixels."""
    width, height = camera.size
    columns, rows = (int(number) for number in generator.integers(8, 40, 2))
    if generator.random() < 0.5:
        return alidade.views.ScreenGrid(columns=columns, rows=rows), (0, 0, width, height)
    rectangle = (0.1 * width, 0.25 * height, 0.7 * width, 0.5 * height)
    return alidade.views.ScreenGrid(*rectangle, columns=columns, rows=rows), rectangle


def sample_centres(grid, rectangle):
    left, top, width, height = rectangle
    x = left + (numpy.arange(grid.columns) + 0.5) * (width / grid.columns)
    y = top + (numpy.arange(grid.rows) + 0.5) * (height / grid.rows)
    return numpy.stack(numpy.meshgrid(x, y), axis=-1)


def taps(scene, points):
    """What ald_view_read_cell finds at each of rows x columns points: cells, and values per band."""
    found = [[scene.view.cell_at(scene.layer, point) for point in line] for line in points]
    cells = numpy.array([[cell.cells[0] for cell in line] for line in found])
    values = numpy.array([[cell.values[0] for cell in line] for line in found])
    return cells, values


@pytest.mark.parametrize("case", CASES, ids=str)
def test_pixels_are_what_taps_find(scene_of, case):
    scene = scene_of(case)
    generator = numpy.random.default_rng([5, *case.file.encode(), len(str(case))])
    for _ in range(VIEWS):
        camera = random_camera(generator, scene.truth, scene.map_crs, scene.to_map)
        scene.look(camera)
        grid, rectangle = random_grid(generator, camera)
        cells, values = taps(scene, sample_centres(grid, rectangle))
        for band in range(1, len(scene.truth.bands) + 1):
            assert_values_agree(scene, grid, band, cells, values[..., band - 1])
        assert_picture_agrees(scene, grid, cells, values)


def assert_values_agree(scene, grid, band, cells, values):
    verdicts = numpy.empty(cells.shape, "uint8")
    raw = scene.view.read_values(scene.layer, band, grid, verdicts=verdicts)
    scaled = scene.view.read_values(scene.layer, band, grid, scaled=True)
    numpy.testing.assert_array_equal(verdicts, values["verdict"])
    numpy.testing.assert_array_equal(raw, numpy.where(values["verdict"] == VALUE, values["value"], numpy.nan))
    numpy.testing.assert_array_equal(scaled, values["scaled"])


def assert_picture_agrees(scene, grid, cells, values):
    verdicts = numpy.empty(cells.shape, "uint8")
    pixels = scene.view.read_rgba(scene.layer, grid, verdicts=verdicts)
    empty = cells["verdict"] != VALUE
    assert (pixels[empty] == 0).all()
    if len(scene.truth.bands) == 1:
        numpy.testing.assert_array_equal(verdicts, cells["verdict"])
        if scene.truth.bands[0].colours:
            colours = values[..., 0]["color"]
            table = numpy.stack([colours[name] for name in ("red", "green", "blue", "alpha")], axis=-1)
            numpy.testing.assert_array_equal(pixels, table)


def look_at_all_cells(scene, size=None):
    """A view in which each cell is one pixel: the map is in the raster's spatial reference and north is up."""
    truth = scene.truth
    centre = truth.to_coordinates([(truth.width / 2, truth.height / 2)])[0]
    units_per_dip = abs(truth.transform[1])
    scale = units_per_dip * scene.metres_per_unit * 96 / 0.0254
    camera = Camera(tuple(centre), scale, 0.0, size or (truth.width, truth.height))
    scene.look(camera)


@pytest.mark.parametrize("name", ["RGB.byte.tif", "world.rgb.tif", "portable.png"])
def test_three_bands_are_the_file_s_own_pixels(scene_of, name):
    scene = scene_of(Case(name, OWN))
    look_at_all_cells(scene)
    bands = scene.truth.bands
    valid = numpy.any([band.valid for band in bands], axis=0)
    expected = numpy.stack([band.cells for band in bands] + [numpy.full(valid.shape, 255)], axis=-1)
    pixels = scene.view.read_rgba(scene.layer)
    numpy.testing.assert_array_equal(pixels, numpy.where(valid[..., None], expected, 0))


def test_alpha_band_becomes_the_picture_s_alpha(scene_of):
    scene = scene_of(Case("rgba.tif", OWN))
    look_at_all_cells(scene)
    expected = numpy.stack([band.cells for band in scene.truth.bands], axis=-1)
    expected[expected[..., 3] == 0] = 0
    numpy.testing.assert_array_equal(scene.view.read_rgba(scene.layer), expected)


@pytest.mark.parametrize("name", ["palette.tif", "storml_tcc.tif", "rat.img", "lc.tif"])
def test_colour_table(scene_of, name):
    scene = scene_of(Case(name, OWN))
    look_at_all_cells(scene)
    band = scene.truth.bands[0]
    table = numpy.zeros((65536, 4), "uint8")
    table[: len(band.colours)] = band.colours
    expected = numpy.where(band.valid[..., None], table[band.cells], 0)
    numpy.testing.assert_array_equal(scene.view.read_rgba(scene.layer), expected)


RAMPS = {
    "black to white": None,
    "greens": [(255, 255, 229, 255), (120, 198, 121, 255), (0, 69, 41, 200)],
    "two": [(10, 20, 30, 0), (200, 150, 100, 255)],
}


@pytest.mark.parametrize("gamma", [0.0, 0.5, 2.2])
@pytest.mark.parametrize("ramp", RAMPS.values(), ids=RAMPS)
def test_stretch(scene_of, ramp, gamma):
    scene = scene_of(Case("float32_nodata.tif", OWN))
    look_at_all_cells(scene)
    minimum, maximum = -3.0, 12.5
    scene.layer.renderer = alidade.RasterRenderer(alidade.layers.RasterRendererKind.STRETCH, minimum=minimum, maximum=maximum,
                                                  ramp=ramp, gamma=gamma)
    band = scene.truth.bands[0]
    share = numpy.clip((band.cells.astype(float) - minimum) / (maximum - minimum), 0, 1) ** (gamma or 1)
    colours = numpy.array(ramp or [(0, 0, 0, 255), (255, 255, 255, 255)], float)
    steps = numpy.linspace(0, 1, len(colours))
    expected = numpy.stack([numpy.interp(share, steps, channel) for channel in colours.T], axis=-1)
    expected[~band.valid | (numpy.round(expected[..., 3]) == 0)] = 0  # what cannot be seen has no colour
    # To the nearest whole number; on halves the last bit of the share decides, hence the small allowance.
    assert numpy.abs(scene.view.read_rgba(scene.layer) - expected).max() <= 0.5 + 1e-6


@pytest.mark.parametrize("kind", ["stretch", "rgb"])
@pytest.mark.parametrize("name", ["MOD13A1_NDVI_2016_209.tif", "cog_dateline.tif", "cog_scale.tif", "int8.tif",
                                  "int64_nodata.tif", "RGB.byte.tif", "rgba.tif", "mask_internal.tif"])
def test_screens_of_more_pixels_than_a_band_has_values(scene_of, name, kind):
    """Colours are then computed for each value that a cell can have, and not for each pixel."""
    scene = scene_of(Case(name, OWN))
    truth, size = scene.truth, (1100, 1000)
    corners = truth.to_coordinates([(0, 0), (truth.width, truth.height), (truth.width / 2, truth.height / 2)])
    units = numpy.abs(corners[1] - corners[0]).max() / 900
    camera = Camera(tuple(corners[2]), units * scene.metres_per_unit * 96 / 0.0254, 12.0, size)
    scene.look(camera)
    minimum, maximum, ramp = 3.0, 90.5, [(10, 20, 30, 0), (200, 150, 100, 255), (9, 99, 250, 130)]
    bands = [1, 0, 0] if kind == "stretch" else [1, len(truth.bands), 1]
    scene.layer.renderer = alidade.RasterRenderer(
        alidade.layers.RasterRendererKind[kind.upper()], bands=bands, minimum=minimum, maximum=maximum, ramp=ramp)
    pixels = scene.view.read_rgba(scene.layer)
    centres = sample_centres(alidade.views.ScreenGrid(columns=size[0], rows=size[1]), (0, 0, *size)).reshape(-1, 2)
    positions = scene.cells_under(camera, centres)
    inside = (positions > 0).all(axis=1) & (positions < (truth.width, truth.height)).all(axis=1)
    clear = (numpy.abs(positions - numpy.round(positions)) > 1e-6).all(axis=1)
    assert (pixels.reshape(-1, 4)[~inside & clear] == 0).all()
    columns, rows = numpy.floor(positions[inside & clear]).astype(int).T
    pixels = pixels.reshape(-1, 4)[inside & clear]
    shares, valid = [], []
    for number in filter(None, bands):
        band = truth.bands[number - 1]
        shares.append(numpy.clip((band.cells.astype(float) - minimum) / (maximum - minimum), 0, 1)[rows, columns])
        valid.append(band.valid[rows, columns])
    if kind == "stretch":
        colours = numpy.array(ramp, float)
        expected = numpy.stack([numpy.interp(shares[0], (0, 0.5, 1), channel) for channel in colours.T], axis=-1)
    else:
        expected = numpy.stack([share * 255 for share in shares] + [numpy.full(len(rows), 255.0)], axis=-1)
    alpha = [band.cells[rows, columns] for band in truth.bands if name == "rgba.tif"][-1:]
    if alpha:
        expected[:, 3] = numpy.floor(numpy.floor(expected[:, 3] + 0.5) * (alpha[0] / 255.0) + 0.5)
    unseen = ~numpy.any(valid, axis=0) | (numpy.floor(expected[:, 3] + 0.5) == 0)
    expected[unseen] = 0
    assert len(rows) > 2e5 and numpy.abs(pixels - expected).max() <= 0.5 + 1e-6


def test_range_that_is_left_to_the_library(scene_of):
    """The whole range of a small raster without statistics, the file's statistics where there are some."""
    scene = scene_of(Case("float64_nan.tif", OWN))
    renderer = scene.layer.renderer
    cells = scene.truth.bands[0].cells
    assert renderer.kind == alidade.layers.RasterRendererKind.STRETCH
    assert (renderer.minimum, renderer.maximum) == (numpy.nanmin(cells), numpy.nanmax(cells))
    renderer = scene_of(Case("Shasta_Elevation.tif", OWN)).layer.renderer
    assert renderer.minimum == pytest.approx(323.42590332031, abs=1e-9)
    assert renderer.maximum == pytest.approx(686.29626464844, abs=1e-9)


@pytest.mark.parametrize("density", [1, 1.5, 2])
def test_one_sample_per_physical_pixel(scene_of, density):
    scene = scene_of(Case("tiled_deflate.tif", OWN))
    centre = scene.truth.to_coordinates([(150, 120)])[0]
    scene.look(Camera(tuple(centre), 30 * 96 / 0.0254, 0.0, (120.0, 81.0)), density)
    columns, rows = scene.view.grid_size()
    assert (columns, rows) == (round(120 * density), round(81 * density))
    pixels = scene.view.read_values(scene.layer)
    positions = ((numpy.arange(columns) + 0.5) * 120 / columns + 150 - 60,
                 (numpy.arange(rows) + 0.5) * 81 / rows + 120 - 40.5)
    inside = scene.truth.bands[0].cells[numpy.ix_(*(numpy.floor(axis).astype(int) for axis in reversed(positions)))]
    # Samples on a border between cells may fall to either side.
    clear = numpy.ix_(*(numpy.abs(axis - numpy.round(axis)) > 1e-6 for axis in reversed(positions)))
    numpy.testing.assert_array_equal(pixels[clear], inside[clear])


def test_overviews(scene_of):
    """Four cells to a pixel: the overview at a quarter of the size holds exactly the pixels."""
    scene = scene_of(Case("tiled_deflate.tif", OWN))
    centre = scene.truth.to_coordinates([(160, 120)])[0]
    scene.look(Camera(tuple(centre), 4 * 30 * 96 / 0.0254, 0.0, (60.0, 40.0)))
    band = scene.truth.bands[0]
    overview = band.overview(1)
    positions = [axis * 4 for axis in (numpy.arange(60) + 0.5 + 10, numpy.arange(40) + 0.5 + 10)]
    columns = numpy.floor(positions[0] * overview.shape[1] / scene.truth.width).astype(int)
    rows = numpy.floor(positions[1] * overview.shape[0] / scene.truth.height).astype(int)
    pixels = scene.view.read_values(scene.layer, grid=alidade.views.ScreenGrid(overviews=True))
    numpy.testing.assert_array_equal(pixels, overview[numpy.ix_(rows, columns)])


@pytest.mark.parametrize("cell", [(30, 30), (30, 10)], ids=str)
@pytest.mark.parametrize("rotation", [0, 30, 45, 90, 123])
@pytest.mark.parametrize("samples", [1.5, 2, 2.5, 3.9, 4, 5.5, 7.9, 8, 20])
def test_which_overview(runtime, tmp_path, samples, rotation, cell):
    """The largest cells that are not larger than a sample, in every rotation; each overview holds its own factor."""
    path = str(tmp_path / "a.tif")
    dataset = gdal.GetDriverByName("GTiff").Create(path, 512, 512, 1, gdal.GDT_Byte)
    dataset.SetProjection(pyproj.CRS.from_epsg(32633).to_wkt())
    dataset.SetGeoTransform((400000, cell[0], 0, 5000000, 0, -cell[1]))
    band = dataset.GetRasterBand(1)
    band.Fill(1)
    factors = [2, 4, 8]
    dataset.BuildOverviews("NEAREST", factors)
    for number, factor in enumerate(factors):
        band.GetOverview(number).Fill(factor)
    band = dataset = None
    layer = alidade.RasterLayer(alidade.Raster(runtime, path))
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 32633))
    map.add_layer(layer)
    view = alidade.View(map, 40, 40)
    middle = (400000 + 256.3 * cell[0], 5000000 - 256.3 * cell[1])
    view.set_viewpoint(middle, scale=samples * max(cell) * 96 / 0.0254, rotation_deg=rotation)
    pixels = view.read_values(layer, grid=alidade.views.ScreenGrid(18, 18, 4, 4, columns=4, rows=4, overviews=True))
    assert numpy.unique(pixels).tolist() == [max(factor for factor in (1, *factors) if factor <= samples)]


@pytest.mark.parametrize("world", [5.5, 8, 16, 20, 64, 128, 300])
@pytest.mark.parametrize("map_code", [3857, 4326, 3395])
def test_worlds_narrower_than_a_tile(runtime, tmp_path, map_code, world):
    """A view of many worlds: points at equal distances have the same cell, and those in between do not."""
    path = str(tmp_path / "a.tif")
    dataset = gdal.GetDriverByName("GTiff").Create(path, 16, 16, 1, gdal.GDT_Byte)
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(4326)
    dataset.SetProjection(reference.ExportToWkt())
    dataset.SetGeoTransform((-180, 22.5, 0, 80, 0, -10))
    cells = numpy.arange(256, dtype="uint8").reshape(16, 16)
    dataset.GetRasterBand(1).WriteArray(cells)
    dataset = None
    layer = alidade.RasterLayer(alidade.Raster(runtime, path))
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, map_code))
    map.add_layer(layer)
    view = alidade.View(map, 400, 320)
    crs = pyproj.CRS.from_epsg(map_code)
    width = 360.0 if crs.is_geographic else 2 * numpy.pi * 6378137
    metres = metres_per_unit(crs)
    view.set_viewpoint((0.3 * width, 0), scale=width / world * metres * 96 / 0.0254)
    generator = numpy.random.default_rng([int(world * 10), map_code])
    up = min(world / 2, 160)
    points = generator.uniform((0, 160 - up), (400, 160 + up), (1500, 2))
    mapped = view.screen_to_map(points)
    mapped[:, 0] -= numpy.round(mapped[:, 0] / width) * width
    x, y = pyproj.Transformer.from_crs(crs, 4326, always_xy=True).transform(*mapped.T)
    columns, rows = (numpy.asarray(x) + 180) / 22.5, (80 - numpy.asarray(y)) / 10
    clear = (numpy.abs(columns - numpy.round(columns)) > 1e-6) & (numpy.abs(rows - numpy.round(rows)) > 1e-6)
    inside = clear & (rows > 0) & (rows < 16) & (columns > 0) & (columns < 16)
    assert inside.sum() > 50
    for _ in range(2):
        for number in numpy.flatnonzero(inside):
            (cell,), _values = view.cell_at(layer, points[number])
            assert (cell["column"], cell["row"]) == (int(columns[number]), int(rows[number]))
    for columns, rows in ((33, 33), (65, 40), (400, 320)):
        grid = alidade.views.ScreenGrid(columns=columns, rows=rows)
        values = view.read_values(layer, 1, grid)
        centres = sample_centres(grid, (0, 0, 400, 320)).reshape(-1, 2)
        some = generator.choice(len(centres), min(len(centres), 400), replace=False)
        for number in some:
            (cell,), ((value,),) = view.cell_at(layer, centres[number])
            assert numpy.array_equal(values.reshape(-1)[number], value["value"], equal_nan=True)


def test_hidden_layer_is_empty(scene_of):
    scene = scene_of(Case("RGB.byte.tif", 3857))
    scene.look(random_camera(numpy.random.default_rng(1), scene.truth, scene.map_crs, scene.to_map))
    scene.layer.visible = False
    verdicts = numpy.empty((10, 10), "uint8")
    grid = alidade.views.ScreenGrid(columns=10, rows=10)
    assert (scene.view.read_rgba(scene.layer, grid) == 0).all()
    assert numpy.isnan(scene.view.read_values(scene.layer, 1, grid, verdicts=verdicts)).all()
    assert (verdicts == alidade.rasters.CellVerdict.OUTSIDE).all()
    assert len(scene.view.identify_layer(scene.layer, (25, 25))) == 0
