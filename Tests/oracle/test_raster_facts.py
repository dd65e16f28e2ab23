"""What the library says of a file and of its bands, against rasterio and GDAL; and files that cannot be placed."""
import alidade
import numpy
import pytest
import rasterio
from alidade.rasters import CellVerdict, GeoreferenceKind
from shapely.geometry import Polygon

from aim import random_camera
from cases import CASES
from truth import VALUE, Truth

FILES = sorted({case.file for case in CASES})


@pytest.mark.parametrize("name", FILES)
def test_facts(runtime, raster_path, name):
    path = raster_path(name)
    raster, truth = alidade.Raster(runtime, path), Truth(path)
    info = raster.info
    assert (info.width, info.height, info.band_count) == (truth.width, truth.height, len(truth.bands))
    assert (info.driver, info.geotransform) == (truth.driver, tuple(truth.transform))
    assert info.georeference is GeoreferenceKind.AFFINE
    assert info.has_spatial_reference == (truth.crs is not None)
    corners = truth.to_coordinates([(0, 0), (truth.width, 0), (truth.width, truth.height), (0, truth.height)])
    numpy.testing.assert_allclose(info.corners, corners, rtol=1e-15)
    with rasterio.open(path) as source:
        for number, band in enumerate(truth.bands, start=1):
            assert_band_is_right(raster.band(number), band, source.block_shapes[number - 1])
            assert list(raster.overview_sizes(number)) == [tuple(reversed(band.overview(index).shape))
                                                           for index in range(len(source.overviews(number)))]
            assert_table_is_right(raster, number, band)


def assert_band_is_right(info, band, block_shape):
    assert info.type == band.type
    assert (info.scale, info.offset) == (band.scale, band.offset)
    assert (info.unit, info.description) == (band.unit, band.description)
    assert (info.block_height, info.block_width) == block_shape
    assert info.category_names == tuple(band.category_names)
    assert info.colors == tuple(band.colours or ())
    if band.nodata is None:
        assert info.nodata is None
    else:
        numpy.testing.assert_equal(info.nodata, band.nodata)


def assert_table_is_right(raster, number, band):
    columns = raster.table_columns(number)
    assert [column.name for column in columns] == [name for name, _, _ in band.table_columns()]
    rows = band.table.GetRowCount() if columns else 0
    assert raster.band(number).table_row_count == rows
    for row in {0, rows // 2, rows - 1} if rows else ():
        expected = {name: band.table_value(row, index) for index, (name, _, _) in enumerate(band.table_columns())}
        assert raster.table_row(row, number) == expected


def test_cells_without_a_place(runtime, raster_path):
    """A netCDF file with scale and offset and no geotransform: its cells can be read, a layer cannot show it."""
    path = raster_path("scale_offset.nc")
    raster, truth = alidade.Raster(runtime, path), Truth(path)
    indexes = [(0, 0), (20, 20), (7, 3), (21, 0), (-1, 5)]
    answer = raster.read_cells(indexes)
    for (column, row), cell, values in zip(indexes, answer.cells, answer.values):
        if not truth.holds(column, row):
            assert cell["verdict"] == CellVerdict.OUTSIDE
            continue
        expected = truth.values(column, row)[0]
        assert values[0]["verdict"] == expected.verdict
        assert values[0]["value"] == expected.raw
        assert expected.verdict != VALUE or values[0]["scaled"] == expected.scaled
    with pytest.raises(alidade.AlidadeError):
        alidade.RasterLayer(raster)


@pytest.mark.parametrize("name, kind", [("RGB.byte.gcp.vrt", GeoreferenceKind.CONTROL_POINTS),
                                        ("RGB.byte.rpc.vrt", GeoreferenceKind.RATIONAL_POLYNOMIAL)])
def test_not_affine_is_refused_and_not_misplaced(runtime, raster_path, name, kind):
    policy = alidade.Policy(drivers=["VRT"], add_drivers=True)
    with alidade.Runtime(policy=policy) as permissive:
        raster = alidade.Raster(permissive, raster_path(name))
        assert raster.info.georeference is kind
        with pytest.raises(alidade.errors.UnsupportedError):
            alidade.RasterLayer(raster)
        with pytest.raises(alidade.errors.UnsupportedError):
            raster.read_points([(0.0, 0.0)])


# Rasters whose whole outline has an image in the map.
OUTLINED = ["RGB.byte.tif", "MOD13A1_NDVI_2016_209.tif", "Shasta_Elevation.tif", "lc.tif", "rotated.tif",
            "geomatrix.tif", "sheared.tif", "rotated_30.tif", "degrees.tif", "lambert.tif"]


@pytest.mark.parametrize("case", [case for case in CASES if case.file in OUTLINED], ids=str)
def test_layer_coverage(scene_of, case):
    """How much of the view the layer's outline covers, against shapely."""
    scene = scene_of(case)
    generator = numpy.random.default_rng([6, *case.file.encode()])
    outline = scene.to_map(scene.truth.to_coordinates(densified(scene.truth.width, scene.truth.height, 32)))
    for _ in range(5):
        camera = random_camera(generator, scene.truth, scene.map_crs, scene.to_map)
        scene.look(camera)
        width, height = camera.size
        area = Polygon(camera.to_map([(0, 0), (width, 0), (width, height), (0, height)]))
        expected = area.intersection(Polygon(outline)).area / area.area
        assert scene.view.layer_coverage(scene.layer) == pytest.approx(expected, abs=1e-6)


def densified(width, height, segments):
    """The raster's outline in cells, each edge in segments."""
    corners = numpy.array([(0, 0), (width, 0), (width, height), (0, height), (0, 0)], float)
    steps = numpy.arange(segments)[:, None] / segments
    edges = [start + (end - start) * steps for start, end in zip(corners, corners[1:])]
    return numpy.vstack([*edges, corners[-1:]])
