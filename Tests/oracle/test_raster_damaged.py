"""Files with unreadable blocks: an error with GDAL's message where a block is touched, and the rest is read as ever."""
import alidade
import numpy
import pytest

# The damaged tile of each file, as Tests/data/generate.py leaves it.
DAMAGED = [("damaged.tif", (1, 2)), ("truncated.tif", (2, 3))]
TILE = 64


@pytest.fixture
def scene(runtime, raster_path):
    """A function from a file's name to its layer and a view of it."""

    def make(name):
        layer = alidade.RasterLayer(alidade.Raster(runtime, raster_path(name)))
        map = alidade.Map(runtime)
        map.add_layer(layer)
        return layer, alidade.View(map, 100, 100)

    return make


def look_at(view, column, row):
    view.set_viewpoint((500000 + 30 * (column + 0.5), 5400000 - 30 * (row + 0.5)), scale=10000, rotation_deg=20)


def stored(column, row):
    """The cell's value by the formula of Tests/data/grids.py."""
    return (column * 1009 + row * 5003 + 31) % 65521


@pytest.mark.parametrize("name, tile", DAMAGED)
def test_taps(scene, name, tile):
    layer, view = scene(name)
    inside = tile[0] * TILE + 9, tile[1] * TILE + 9
    for _ in range(2):  # the second time nothing has been remembered wrongly
        look_at(view, 20, 30)
        with view.identify_layer(layer, (50, 50)) as result:
            assert result[0].cell.values[0]["value"] == stored(20, 30)
        look_at(view, *inside)
        with pytest.raises(alidade.errors.ReadFailedError) as failure:
            view.identify_layer(layer, (50, 50))
        assert failure.value.domain is alidade.errors.ErrorDomain.GDAL
        assert failure.value.message


@pytest.mark.parametrize("name, tile", DAMAGED)
def test_screens(scene, name, tile):
    layer, view = scene(name)
    look_at(view, tile[0] * TILE + 9, tile[1] * TILE + 9)
    pixels = numpy.full((100, 100, 4), 7, "uint8")
    with pytest.raises(alidade.errors.ReadFailedError):
        view.read_rgba(layer, out=pixels)
    assert (pixels == 7).all(), "something was written although the call failed"
    look_at(view, 31, 31)
    assert not numpy.isnan(view.read_values(layer)).any()


@pytest.mark.parametrize("name, tile", DAMAGED)
def test_many_cells(scene, name, tile):
    layer, _ = scene(name)
    indexes = numpy.stack(numpy.meshgrid(numpy.arange(TILE), numpy.arange(TILE)), axis=-1).reshape(-1, 2)
    answer = layer.raster.read_cells(indexes)
    numpy.testing.assert_array_equal(answer.values[:, 0]["value"], stored(*indexes.T))
    with pytest.raises(alidade.errors.ReadFailedError):
        layer.raster.read_cells(numpy.vstack([indexes, [(tile[0] * TILE, tile[1] * TILE)]]))
