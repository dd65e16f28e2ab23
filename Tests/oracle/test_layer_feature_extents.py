"""The box around the features of a layer, from the moment that it is loaded, against GDAL's."""
import time

import alidade
import numpy
import pytest
from osgeo import gdal, ogr

import features
from features import copy, places

gdal.UseExceptions()
FORMATS = {"GeoJSON": "a.geojson", "CSV": "a.csv", "KML": "a.kml", "OGR_VRT": "a.vrt", "GeoJSONSeq": "a.geojsonl",
           "FlatGeobuf": "a.fgb", "ESRI Shapefile": "a.shp", "GML": "a.gml"}


def in_format(name, folder):
    path = folder / FORMATS[name]
    if name == "CSV":
        return copy(places(folder), name, path, layerCreationOptions=["GEOMETRY=AS_XY"])
    if name == "OGR_VRT":
        source = in_format("GeoJSON", folder)
        path.write_text(f'<OGRVRTDataSource><OGRVRTLayer name="b"><SrcDataSource relativeToVRT="1">{source.name}'
                        f'</SrcDataSource><SrcLayer>places</SrcLayer></OGRVRTLayer></OGRVRTDataSource>')
        return path
    return copy(places(folder), name, path)


def expected(path):
    xs, ys = numpy.array(features.PLACES).T
    box = xs.min(), xs.max(), ys.min(), ys.max()
    if path.suffix != ".csv":
        assert gdal.OpenEx(str(path), gdal.OF_VECTOR).GetLayer(0).GetExtent(force=1) == pytest.approx(box, abs=1e-9)
    return alidade.Envelope(*(pytest.approx(number, abs=1e-9) for number in (box[0], box[2], box[1], box[3])))


@pytest.mark.parametrize("name", FORMATS)
def test_the_extent_is_known_as_soon_as_the_layer_is_loaded(runtime, tmp_path, name):
    path = in_format(name, tmp_path)
    degrees = alidade.SpatialReference(runtime, "EPSG:4326")
    for definition in (None, "small > 0"):
        # Both ways to a layer, each with an index that has just begun.
        of_path = alidade.FeatureLayer.from_path(runtime, path, definition=definition, spatial_reference=degrees)
        of_path.load()
        of_source = alidade.FeatureLayer(
            alidade.FeatureSource(runtime, path, definition=definition, spatial_reference=degrees))
        for layer in (of_path, of_source):
            map = alidade.Map(runtime, degrees)
            map.add_layer(layer)
            assert (layer.full_extent(), map.full_extent()) == (expected(path), expected(path))
            layer.source.build_index()
            assert layer.full_extent() == layer.source.info.extent == expected(path)
    of_path.definition = "small < 0"
    assert of_path.full_extent() == expected(path)


def test_a_reading_for_the_extent_leaves_the_definition(runtime, tmp_path):
    path = in_format("CSV", tmp_path)
    source = alidade.FeatureSource(runtime, path, definition="small > 1")
    small = [number - 3 for number in range(len(features.PLACES)) if number != 5]
    assert source.count() == len(source.query()) == sum(number > 1 for number in small) > 0


def test_no_places_are_told_from_places_not_known(runtime, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y,n\n,,1\n,,2\n")
    degrees = alidade.SpatialReference(runtime, "EPSG:4326")
    layer = alidade.FeatureLayer(alidade.FeatureSource(runtime, path, spatial_reference=degrees))
    assert layer.full_extent() is None


def test_an_extent_that_takes_the_index_waits_for_it(tmp_path):
    """A statement's result is read for the index alone."""
    path = in_format("CSV", tmp_path)
    with alidade.Runtime() as runtime:
        degrees = alidade.SpatialReference(runtime, "EPSG:4326")
        source = alidade.FeatureSource(runtime, path, statement="SELECT * FROM a", spatial_reference=degrees)
        source.build_index()
        # Of a statement GDAL may know it by itself.
        assert alidade.FeatureLayer(source).full_extent() == expected(path)


def test_without_an_index_the_extent_is_not_ready(tmp_path):
    """More features than are read at opening, and less memory than the index takes: it never knows."""
    path = tmp_path / "many.csv"
    path.write_text("x,y\n" + "".join(f"{number % 360 - 180},{number % 90}\n" for number in range(100_002)))
    with alidade.Runtime(policy=alidade.Policy(max_request_bytes=1 << 20)) as runtime:
        degrees = alidade.SpatialReference(runtime, "EPSG:4326")
        layer = alidade.FeatureLayer.from_path(runtime, path, spatial_reference=degrees)
        map = alidade.Map(runtime, degrees)
        map.add_layer(layer)
        layer.load()
        view = alidade.View(map, width_dip=400, height_dip=300)
        assert layer.source.info.extent is None
        limit = time.monotonic() + 20
        while True:
            status = layer.source.index_info.status
            for ask in (layer.full_extent, map.full_extent):
                with pytest.raises(alidade.errors.NotReadyError, match="index"):
                    ask()
            if status is alidade.features.IndexStatus.FAILED:
                break
            assert time.monotonic() < limit
            time.sleep(0.02)
        # Another layer says where to look, and the map's extent.
        other = alidade.FeatureLayer(alidade.FeatureSource(runtime, places(tmp_path)))
        map.add_layer(other)
        assert map.full_extent() == other.full_extent()
        assert view.layer_coverage(other) > 0.2
        with pytest.raises(alidade.errors.NotReadyError, match="extent"):
            view.layer_coverage(layer)


@pytest.mark.parametrize("count, is_known", [(100_000, True), (100_002, False)])
def test_so_many_features_are_read_for_the_extent(runtime, tmp_path, count, is_known):
    path = tmp_path / "many.csv"
    path.write_text("x,y\n" + "".join(f"{number % 360 - 180},{number % 90}\n" for number in range(count)))
    source = alidade.FeatureSource(runtime, path)
    assert source.info.extent == (alidade.Envelope(-180, 0, 179, 89) if is_known else None)
