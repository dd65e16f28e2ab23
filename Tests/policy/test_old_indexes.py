"""Indexes that are older than their file, or another's: results as without them, or an error that names them.

GDAL believes a shapefile's index whatever has become of the file since; see what it returns in test_GDAL."""
import os
import shutil

import alidade
import numpy
import pytest
from osgeo import gdal, ogr, osr

gdal.UseExceptions()
COUNT = 200


def write(folder, numbers, lengths=lambda number: 2, indexed=False):
    """A shapefile of lines: each begins at (n, n) and has as many vertices as lengths says."""
    folder.mkdir()
    dataset = ogr.GetDriverByName("ESRI Shapefile").CreateDataSource(str(folder / "a.shp"))
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(3857)
    layer = dataset.CreateLayer("a", reference, ogr.wkbLineString)
    layer.CreateField(ogr.FieldDefn("n", ogr.OFTInteger))
    for number in numbers:
        line = ogr.Geometry(ogr.wkbLineString)
        for vertex in range(lengths(number)):
            line.AddPoint_2D(number + vertex / 100, number)
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetField("n", number)
        feature.SetGeometry(line)
        layer.CreateFeature(feature)
    if indexed:
        dataset.ExecuteSQL("CREATE SPATIAL INDEX ON a")
        dataset.ExecuteSQL("CREATE INDEX ON a USING n")
    return folder / "a.shp"


def replace(old, new, *endings):
    for ending in endings:
        shutil.copyfile(new.with_suffix(ending), old.with_suffix(ending))


@pytest.fixture
def stale(tmp_path):
    """A shapefile that was indexed, and then replaced by one in which the same features come the other way round."""
    path = write(tmp_path / "old", range(COUNT), indexed=True)
    assert path.with_suffix(".qix").exists() and path.with_suffix(".idm").exists() and path.with_suffix(".ind").exists()
    replace(path, write(tmp_path / "new", reversed(range(COUNT))), ".shp", ".shx", ".dbf")
    return path


def test_GDAL(stale):
    """What this is about: should GDAL look at its indexes one day, theirs can be used again."""
    dataset = ogr.Open(str(stale))
    layer = dataset.GetLayer()
    layer.SetSpatialFilterRect(-0.5, -0.5, 3.5, 3.5)
    assert [feature["n"] for feature in layer] == []
    layer.SetSpatialFilter(None)
    layer.SetAttributeFilter("n = 5")
    assert [feature["n"] for feature in layer] == []


def numbers(source, **query):
    with source.query(**query) as found:
        return sorted(feature.attributes["n"] for feature in found)


@pytest.mark.parametrize("upper", [False, True])
def test_indexes_beside_a_shapefile(runtime, stale, upper):
    if upper:
        for file in list(stale.parent.iterdir()):
            file.rename(file.with_name(file.stem + file.suffix.upper()))
        stale = stale.with_suffix(".SHP")
    with alidade.FeatureSource(runtime, stale) as source:
        assert numbers(source, envelope=(-0.5, -0.5, 3.5, 3.5)) == [0, 1, 2, 3]
        assert numbers(source, where="n = 5") == [5]
        assert numbers(source, where="n IN (5, 7)", envelope=(4, 4, 6, 6)) == [5]
    with alidade.FeatureSource(runtime, stale, definition="n = 5") as source:
        assert numbers(source) == [5]
        assert source.count() == 1


def lengths(number):
    return 2 + number % 5


def other_lengths(number):
    return 2 + (3 * number + 1) % 5


@pytest.mark.parametrize("opened", ["a.shp", "a.shx", "a.dbf", "", "a.vrt"])
def test_the_index_of_another_file(runtime, tmp_path, opened):
    """The .shx says where each feature is; GDAL gives features without geometries where it does not fit."""
    path = write(tmp_path / "old", range(COUNT), lengths)
    (path.parent / "a.vrt").write_text('<OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource relativeToVRT="1">a.shp'
                                       "</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>")
    name = path.parent / opened
    alidade.FeatureSource(runtime, name).release()
    replace(path, write(tmp_path / "new", range(COUNT), other_lengths), ".shp", ".dbf")
    with pytest.raises(alidade.errors.ReadFailedError, match=r"a\.shp.*do not belong together.*record 1 has 96 bytes, not 80"):
        alidade.FeatureSource(runtime, name)


def test_a_file_that_has_grown(runtime, tmp_path):
    path = write(tmp_path / "old", range(COUNT), lengths)
    replace(path, write(tmp_path / "new", range(COUNT + 50), lengths), ".shp", ".dbf")
    with pytest.raises(alidade.errors.ReadFailedError, match=r"ends with record 200, and more follow"):
        alidade.FeatureSource(runtime, path)


def test_sound_shapefiles(runtime, tmp_path):
    """With holes where features were rewritten longer, with features deleted, and of any size: they are opened."""
    path = write(tmp_path / "rewritten", range(COUNT), lengths)
    dataset = ogr.Open(str(path), 1)
    layer = dataset.GetLayer()
    for number in (0, 70, COUNT - 1):
        feature = layer.GetFeature(number)
        feature.SetGeometry(ogr.CreateGeometryFromWkt(f"LINESTRING ({number} {number}, 1 2, 3 4, 5 6, 7 8, 9 10, 11 12)"))
        layer.SetFeature(feature)
    layer.DeleteFeature(5)
    del layer, dataset
    with alidade.FeatureSource(runtime, path) as source:
        assert numbers(source) == [number for number in range(COUNT) if number != 5]
    for size in (0, 1, 2, 63, 64, 65, 1000):
        with alidade.FeatureSource(runtime, write(tmp_path / str(size), range(size), lengths)) as source:
            assert numbers(source) == list(range(size))


@pytest.fixture
def raster(tmp_path):
    """A raster of 0 to 99 with overviews and statistics in sidecars, which is then replaced by one of 1000 to 1099."""
    path = tmp_path / "a.tif"

    def fill(first):
        dataset = gdal.GetDriverByName("GTiff").Create(str(path), 100, 100, 1, gdal.GDT_Int16)
        dataset.SetGeoTransform((0, 1, 0, 100, 0, -1))
        dataset.SetProjection("EPSG:3857")
        dataset.GetRasterBand(1).WriteArray(numpy.tile(numpy.arange(first, first + 100, dtype="int16"), (100, 1)))

    fill(0)
    dataset = gdal.Open(str(path))
    dataset.BuildOverviews("NEAREST", [4])
    dataset.GetRasterBand(1).ComputeStatistics(False)
    del dataset
    files = [path.with_name(f"a.tif{ending}") for ending in (".ovr", ".aux.xml")]
    kept = [file.read_bytes() for file in files]
    fill(1000)
    for file, content in zip(files, kept):
        file.write_bytes(content)
        os.utime(file, (1_000_000_000, 1_000_000_000))
    os.utime(path, (1_000_000_001, 1_000_000_001))
    return path


def test_old_overviews_and_statistics(runtime, raster):
    """GDAL and QGIS use them; here a line of the log says that they are old, and the range is that of the cells."""
    dataset = gdal.Open(str(raster))
    assert dataset.GetRasterBand(1).GetStatistics(True, False)[:2] == [0, 99], "as GDAL has it"
    del dataset
    before = len(runtime.log())
    with alidade.Raster(runtime, raster) as source, alidade.RasterLayer(source) as layer:
        texts = [line.text for line in runtime.log()[before:]]
        assert len(texts) == 2 and "(.ovr) were written before it" in texts[0] and "(.aux.xml)" in texts[1], texts
        renderer = layer.renderer
        assert (renderer.minimum, renderer.maximum) == (1000, 1099)


@pytest.mark.parametrize("seconds", [0, 1])
def test_overviews_and_statistics_that_are_not_older(runtime, raster, seconds):
    for ending in (".ovr", ".aux.xml"):
        os.utime(raster.with_name(f"a.tif{ending}"), (1_000_000_001 + seconds, 1_000_000_001 + seconds))
    before = len(runtime.log())
    with alidade.Raster(runtime, raster) as source, alidade.RasterLayer(source) as layer:
        assert (layer.renderer.minimum, layer.renderer.maximum) == (0, 99)
    assert len(runtime.log()) == before
