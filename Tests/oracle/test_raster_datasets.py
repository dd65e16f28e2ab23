"""What lies in files that hold several rasters: the names are those that GDAL's own binding lists."""
import alidade
import numpy
import pytest
import rasterio
from osgeo import gdal

VALUES = numpy.arange(6, dtype="float32").reshape(2, 3)


@pytest.fixture
def container(tmp_path, request):
    """A file with the rasters a and b: VALUES and VALUES + 10."""
    ending, driver = request.param
    path = tmp_path / f"container.{ending}"
    if driver == "netCDF":
        dataset = gdal.GetDriverByName(driver).CreateMultiDimensional(str(path))
        group = dataset.GetRootGroup()
        dimensions = [group.CreateDimension(name, None, None, size) for name, size in [("y", 2), ("x", 3)]]
        for index, name in enumerate("ab"):
            array = group.CreateMDArray(name, dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Float32))
            array.WriteArray(VALUES + 10 * index)
            del array
        del dimensions, group, dataset
    else:
        for index, name in enumerate("ab"):
            source = gdal.GetDriverByName("MEM").Create("", 3, 2, 1, gdal.GDT_Float32)
            source.SetGeoTransform((100 * index, 10, 0, 0, 0, -10))
            source.SetProjection(rasterio.crs.CRS.from_epsg(3857).to_wkt())
            source.GetRasterBand(1).WriteArray(VALUES + 10 * index)
            options = ["APPEND_SUBDATASET=YES"] if index else []
            options += [f"RASTER_TABLE={name}"] if driver == "GPKG" else []
            gdal.GetDriverByName(driver).CreateCopy(str(path), source, options=options).FlushCache()
    return path, driver


FORMATS = [("nc", "netCDF"), ("gpkg", "GPKG"), ("tif", "GTiff")]


@pytest.mark.parametrize("container", FORMATS, indirect=True, ids=lambda format: format[1])
def test_list_is_gdals_and_each_opens(runtime, container):
    path, _ = container
    found = alidade.rasters.read_datasets(runtime, path)
    assert [tuple(dataset) for dataset in found] == gdal.Open(str(path)).GetSubDatasets()
    assert len(found) == 2
    for index, dataset in enumerate(found):
        raster = alidade.Raster(runtime, dataset.name)
        cells = [(column, row) for row in range(2) for column in range(3)]
        values = raster.read_cells(cells).values["value"][:, 0].reshape(2, 3)
        assert sorted(values.ravel()) == sorted((VALUES + 10 * index).ravel())


@pytest.mark.parametrize("container", FORMATS[:1], indirect=True, ids=lambda format: format[1])
def test_names_obey_the_policy(runtime, container):
    path, driver = container
    names = [dataset.name for dataset in alidade.rasters.read_datasets(runtime, path)]
    with alidade.Runtime() as strict:
        for name in [path, *names]:
            with pytest.raises(alidade.errors.PolicyRefusedError, match=driver):
                alidade.Raster(strict, name)
        with pytest.raises(alidade.errors.PolicyRefusedError, match=driver):
            alidade.rasters.read_datasets(strict, path)


def test_a_file_with_one_raster_is_its_only_entry(runtime, raster_path):
    path = raster_path("RGB.byte.tif")
    assert alidade.rasters.read_datasets(runtime, path) == [(str(path), "")]
    with pytest.raises(FileNotFoundError):
        alidade.rasters.read_datasets(runtime, str(path) + ".none")
