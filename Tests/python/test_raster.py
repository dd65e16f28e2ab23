"""Rasters: facts and cells, as numpy arrays."""

from __future__ import annotations

import numpy as np
import pytest

import alidade
from alidade.rasters import CellVerdict, DataType
from conftest import RASTERS


def open_raster(runtime: alidade.Runtime, name: str) -> alidade.Raster:
    return alidade.Raster(runtime, RASTERS / name)


def test_info(runtime: alidade.Runtime) -> None:
    info = open_raster(runtime, "Shasta_Elevation.tif").info
    assert (info.width, info.height, info.band_count, info.driver) == (492, 412, 1, "GTiff")
    assert info.georeference is alidade.rasters.GeoreferenceKind.AFFINE and info.has_spatial_reference
    assert info.corners[0] == (info.geotransform[0], info.geotransform[3])
    assert info.extent.x_min == min(x for x, _ in info.corners)
    with pytest.raises(AttributeError):
        info.width = 1  # type: ignore[misc]


def test_band(runtime: alidade.Runtime) -> None:
    band = open_raster(runtime, "MOD13A1_NDVI_2016_209.tif").band(1)
    assert band.type is DataType.INT16
    assert band.nodata == 32767 and isinstance(band.nodata, int)
    assert alidade.rasters.BandFacts.NODATA in band.facts
    assert (band.scale, band.offset) == (1, 0)
    colors = open_raster(runtime, "storml_tcc.tif").band(1).colors
    assert len(colors) == 256 and all(len(color) == 4 for color in colors)
    alpha = open_raster(runtime, "alpha.tif")
    assert alpha.band(4).color_role is alidade.rasters.ColorRole.ALPHA


def test_nodata_that_is_not_a_number(runtime: alidade.Runtime) -> None:
    nodata = open_raster(runtime, "float_nan.tif").band(1).nodata
    assert nodata is None or np.isnan(nodata)


def test_overviews(runtime: alidade.Runtime) -> None:
    raster = open_raster(runtime, "red.tif")
    assert raster.overview_sizes(1)[0] == (32, 32)
    assert open_raster(runtime, "alpha.tif").overview_sizes() == ()
    assert raster.subdatasets == ()


def test_table(runtime: alidade.Runtime) -> None:
    raster = open_raster(runtime, "lc.tif")
    columns = raster.table_columns()
    assert len(columns) == raster.band(1).table_column_count > 1
    assert len({column.name for column in columns}) == len(columns)
    row = raster.table_row(11)
    assert list(row) == [column.name for column in columns]
    for column in columns:
        expected = {
            alidade.rasters.TableColumnType.INTEGER: int,
            alidade.rasters.TableColumnType.REAL: float,
            alidade.rasters.TableColumnType.TEXT: str,
        }[column.type]
        assert type(row[column.name]) is expected
    with pytest.raises(alidade.errors.NotFoundError):
        raster.table_value(256, 0)
    assert open_raster(runtime, "red.tif").table_columns() == ()


def test_outline(runtime: alidade.Runtime) -> None:
    raster = open_raster(runtime, "Shasta_Elevation.tif")
    ring = raster.outline()
    assert ring.shape == (5, 2) and ring.dtype == np.float64
    assert np.array_equal(ring[:4], raster.info.corners) and np.array_equal(ring[0], ring[4])
    mercator = alidade.SpatialReference.from_code(runtime, 3857)
    assert raster.outline(mercator, segments_per_edge=8).shape == (33, 2)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        raster.outline(segments_per_edge=0)


def test_read_cells(runtime: alidade.Runtime) -> None:
    raster = open_raster(runtime, "RGB.byte.tif")
    cells, values = raster.read_cells([(400, 300), (0, 0), (-1, 5), (791, 5)])
    assert cells.dtype == alidade.rasters.CELL and cells.shape == (4,)
    assert values.dtype == alidade.rasters.BAND_VALUE and values.shape == (4, 3)
    assert (cells["column"][0], cells["row"][0]) == (400, 300)
    verdicts = [CellVerdict.VALUE, CellVerdict.NODATA, CellVerdict.OUTSIDE, CellVerdict.OUTSIDE]
    assert cells["verdict"].tolist() == verdicts
    assert (values["type"][:2] == DataType.UINT8).all()
    assert values["value"][0].tolist() == values["integer"][0].tolist()
    assert np.isnan(values["value"][2]).all()
    assert cells["column"][2] == -1


def test_read_cells_takes_arrays_as_they_are(runtime: alidade.Runtime) -> None:
    raster = open_raster(runtime, "red.tif")
    indexes = np.array([(1, 2), (3, 4)], dtype=np.int32)
    expected = raster.read_cells(indexes).values
    for same in (indexes.tolist(), indexes.astype(np.int64), indexes.astype(np.uint8), np.asfortranarray(indexes)):
        assert np.array_equal(raster.read_cells(same).values["value"], expected["value"])
    assert raster.read_cells((1, 2)).cells.shape == (1,)
    assert raster.read_cells(np.empty((0, 2), dtype=np.int32)).cells.shape == (0,)
    for wrong in ([(0.5, 1.0)], [(2**40, 0)], [1, 2, 3], [(np.nan, 0)]):
        with pytest.raises(ValueError):
            raster.read_cells(wrong)


def test_read_points(runtime: alidade.Runtime) -> None:
    raster = open_raster(runtime, "Shasta_Elevation.tif")
    g = raster.info.geotransform
    centers = np.array([(g[0] + (c + 0.5) * g[1], g[3] + (r + 0.5) * g[5]) for c, r in [(0, 0), (100, 200)]])
    by_point = raster.read_points(centers)
    assert by_point.cells["column"].tolist() == [0, 100]
    by_index = raster.read_cells([(0, 0), (100, 200)])
    assert by_point.values.tobytes() == by_index.values.tobytes()
    assert raster.read_points([(np.nan, 0)]).cells["verdict"].tolist() == [CellVerdict.OUTSIDE]


def test_read_points_of_another_spatial_reference(runtime: alidade.Runtime) -> None:
    raster = open_raster(runtime, "Shasta_Elevation.tif")
    mercator = alidade.SpatialReference.from_code(runtime, 3857)
    own = raster.spatial_reference
    assert own is not None
    x, y = raster.info.extent.x_min + 5000, raster.info.extent.y_min + 5000
    projected = own.project((x, y), mercator).points
    assert raster.read_points(projected, mercator).cells["column"] == raster.read_points((x, y)).cells["column"]


def test_wide_integers_are_exact(runtime: alidade.Runtime) -> None:
    raster = open_raster(runtime, "int64.tif")
    values = raster.read_cells([(0, 0), (5, 5)]).values
    assert (values["type"] == DataType.INT64).all()
    assert values["integer"].dtype == np.int64
    raster = open_raster(runtime, "uint32.tif")
    values = raster.read_cells([(0, 0)]).values
    assert values["value"][0, 0] == values["integer"][0, 0]


@pytest.mark.parametrize(
    "name, kind", [("cint16.tif", DataType.COMPLEX_INT16), ("cfloat32.tif", DataType.COMPLEX_FLOAT32)]
)
def test_complex_values(runtime: alidade.Runtime, name: str, kind: DataType) -> None:
    raster = open_raster(runtime, name)
    assert raster.band(1).type is kind
    values = raster.read_cells([(3, 3)]).values
    assert values["value"].dtype == values["imaginary"].dtype == np.float64
    assert np.isfinite(values["imaginary"]).all()


def test_threads_read_at_once(runtime: alidade.Runtime) -> None:
    from concurrent.futures import ThreadPoolExecutor

    raster = open_raster(runtime, "RGB.byte.tif")
    indexes = np.stack(np.meshgrid(np.arange(0, 791, 7), np.arange(0, 718, 9)), axis=-1).reshape(-1, 2)
    expected = raster.read_cells(indexes).values.tobytes()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: raster.read_cells(indexes).values.tobytes(), range(40)))
    assert all(answer == expected for answer in answers)
