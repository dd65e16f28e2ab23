"""Indexes of feature sources: what they count and what is near, against numpy."""
import alidade
import numpy
import pytest
from osgeo import gdal, ogr

import features

gdal.UseExceptions()


def test_the_index_counts_the_shapes_that_it_keeps(runtime, tmp_path):
    """A file that does not find features by their ids: a shape that is no point is kept together with its box."""
    count, corners = 500, 200
    path = tmp_path / "rings.fgb"
    data = ogr.GetDriverByName("FlatGeobuf").CreateDataSource(str(path))
    layer = data.CreateLayer("rings", features.reference(3857), ogr.wkbPolygon, ["SPATIAL_INDEX=NO"])
    angles = numpy.linspace(0, 2 * numpy.pi, corners)
    for number in range(count):
        ring = numpy.column_stack([1000 * number + 300 * numpy.cos(angles), 300 * numpy.sin(angles)])
        ring[-1] = ring[0]
        feature = ogr.Feature(layer.GetLayerDefn())
        header = b"\1\3\0\0\0\1\0\0\0" + corners.to_bytes(4, "little")
        feature.SetGeometryDirectly(ogr.CreateGeometryFromWkb(header + ring.tobytes()))
        layer.CreateFeature(feature)
    data = layer = None
    before = runtime.report()["memory"]["feature_index_bytes"]
    source = alidade.FeatureSource(runtime, path)
    source.build_index()
    taken = source.index_info.size_bytes
    assert count * corners * 16 < taken < count * (corners * 17 + 100)
    assert runtime.report()["memory"]["feature_index_bytes"] - before == taken
    found = source.nearest((7500, 0), 2)
    assert found["feature_id"].tolist() == [7, 8]
    chord = 300 * numpy.cos(numpy.pi / (corners - 1))
    assert all(500 - 300 <= distance <= 500 - chord + 1e-9 for distance in found["distance"])
    source.release()
    assert runtime.report()["memory"]["feature_index_bytes"] == before
    small = alidade.Runtime(policy=alidade.Policy(max_request_bytes=count * corners * 16))
    with small, pytest.raises(alidade.errors.LimitExceededError):
        alidade.FeatureSource(small, path).build_index()


def test_of_equally_near_points_the_earlier_ones_are_found(runtime, tmp_path):
    """Each point is there five times, and points lie at equal distances in all directions."""
    rng = numpy.random.default_rng(8)
    places = numpy.stack(numpy.meshgrid(numpy.arange(20), numpy.arange(20)), -1).reshape(-1, 2).repeat(5, axis=0)
    rng.shuffle(places)
    rows = "".join(f"{x},{y}\n" for x, y in places)
    (tmp_path / "grid.csv").write_text("x,y\n" + rows)
    source = alidade.FeatureSource(runtime, tmp_path / "grid.csv")
    ids = source.query().ids
    source.build_index()
    for at in ((9.5, 9.5), (10, 10), (-3, 7), (19, 0), (3.25, 40)):
        squares = ((places - at) ** 2).sum(axis=1)
        order = numpy.lexsort((numpy.arange(len(places)), squares))
        for count in (1, 2, 5, 7, 21, 64, 65, 300):
            assert source.nearest(at, count)["feature_id"].tolist() == ids[order[:count]].tolist(), (at, count)
        for limit in (0.8, 2):
            within = order[squares[order] <= limit**2][:30]
            assert source.nearest(at, 30, max_distance=limit)["feature_id"].tolist() == ids[within].tolist()


def test_nearest_of_huge_numbers(runtime, tmp_path):
    """More features than there are, and a point whose distance has a square that is no number."""
    path = tmp_path / "a.csv"
    xy = [(1e200, 0.0), (-1e200, 0.0), (9e199, 8e199), (0.0, 0.0), (3e-200, 4e-200)]
    path.write_text("x,y\n" + "".join(f"{x!r},{y!r}\n" for x, y in xy))
    source = alidade.FeatureSource(runtime, path)
    with pytest.raises(alidade.errors.NotReadyError):
        source.nearest((0, 0), 2**32 - 1)
    source.build_index()
    for point in ((1e200, 1e200), (0.0, 0.0), (-2e199, 5e199)):
        found = source.nearest(point, 2**31)
        distances = [numpy.hypot(x - point[0], y - point[1]) for x, y in xy]
        order = numpy.argsort(distances, kind="stable")
        assert found["feature_id"].tolist() == (order + 1).tolist()
        numpy.testing.assert_allclose(found["distance"], numpy.array(distances)[order], rtol=1e-15)
    assert len(source.nearest((0, 0), 0)) == 0


KINDS = {"plain": ogr.wkbPoint, "heights": ogr.wkbPoint25D, "measures": ogr.wkbPointM, "both": ogr.wkbPointZM}


def points_file(path, driver, xy, kind=ogr.wkbPoint, options=()):
    """A file of points, two thirds of them with values."""
    data = ogr.GetDriverByName(driver).CreateDataSource(str(path))
    layer = data.CreateLayer("points", features.reference(3857), kind, list(options))
    layer.CreateField(ogr.FieldDefn("name", ogr.OFTString))
    for number, (x, y) in enumerate(xy.tolist()):
        feature = ogr.Feature(layer.GetLayerDefn())
        if number % 3:
            feature["name"] = f"point {number}"
        point = ogr.CreateGeometryFromWkt(f"POINT ZM ({x!r} {y!r} {-number} {number})")
        point.Set3D(ogr.GT_HasZ(kind))
        point.SetMeasured(ogr.GT_HasM(kind))
        feature.SetGeometryDirectly(point)
        layer.CreateFeature(feature)
    data = layer = feature = None
    return path


def read_points(path):
    """Ids and positions of the features that GDAL reads before it fails."""
    found = []
    data = gdal.OpenEx(str(path), gdal.OF_VECTOR)
    layer = data.GetLayer(0)
    try:
        while feature := layer.GetNextFeature():
            found.append((feature.GetFID(), *feature.GetGeometryRef().GetPoint_2D(0)))
    except RuntimeError:
        pass
    return numpy.array([row[0] for row in found], dtype=int), numpy.array([row[1:] for row in found]).reshape(-1, 2)


def check_points(runtime, path):
    """The index has what GDAL reads."""
    ids, xy = read_points(path)
    source = alidade.FeatureSource(runtime, path)
    source.build_index()
    for box in ((-2e7, -2e7, 2e7, 2e7), (0, 0, 4e6, 9e6), (-7e6, -2e6, -6.9e6, 2e6)):
        inside = ((xy >= box[:2]) & (xy <= box[2:])).all(axis=1)
        assert source.ids_in_envelope(box).tolist() == ids[inside].tolist()
    is_place = numpy.isfinite(xy).all(axis=1)
    assert source.index_info.feature_count == is_place.sum()
    extent = source.index_info.extent
    assert (extent.x_min, extent.y_min) == tuple(xy[is_place].min(axis=0))
    assert (extent.x_max, extent.y_max) == tuple(xy[is_place].max(axis=0))
    nearest = source.nearest((1e6, 2e6), 5)
    distances = numpy.hypot(*(xy[is_place] - (1e6, 2e6)).T)
    order = numpy.argsort(distances, kind="stable")[:5]
    assert nearest["feature_id"].tolist() == ids[is_place][order].tolist()
    numpy.testing.assert_allclose(nearest["distance"], distances[order], rtol=1e-14)
    return source


@pytest.mark.parametrize("driver, name, options", [
    ("FlatGeobuf", "a.fgb", ["SPATIAL_INDEX=NO"]), ("FlatGeobuf", "a.fgb", ["SPATIAL_INDEX=YES"]),
    ("GPKG", "a.gpkg", []), ("ESRI Shapefile", "a.shp", []), ("GeoJSON", "a.geojson", ["RFC7946=NO"])])
@pytest.mark.parametrize("count", [1, 4096, 10_001])
def test_points_of_each_format(runtime, tmp_path, driver, name, options, count):
    xy = numpy.random.default_rng(count).uniform(-2e7, 2e7, (count, 2))
    source = check_points(runtime, points_file(tmp_path / name, driver, xy, options=options))
    assert source.index_info.feature_count == count and source.warning == ""


@pytest.mark.parametrize("kind", KINDS)
def test_points_with_more_than_a_position(runtime, tmp_path, kind):
    xy = numpy.random.default_rng(5).uniform(-2e7, 2e7, (5000, 2))
    path = points_file(tmp_path / "a.fgb", "FlatGeobuf", xy, KINDS[kind], ["SPATIAL_INDEX=NO"])
    assert check_points(runtime, path).index_info.feature_count == 5000
    some = alidade.FeatureSource(runtime, path, definition="name = 'point 4'")
    some.build_index()
    assert some.ids_in_envelope((-2e7, -2e7, 2e7, 2e7)).tolist() == [4]


@pytest.mark.parametrize("is_indexed", ["NO", "YES"])
@pytest.mark.parametrize("damage", ["cut", "not finite", "no size"])
def test_damaged_points(runtime, tmp_path, is_indexed, damage):
    """The index of a damaged file has what can be read, and the source says that something is missing."""
    xy = numpy.random.default_rng(6).uniform(-2e7, 2e7, (6000, 2))
    path = points_file(tmp_path / "a.fgb", "FlatGeobuf", xy, options=[f"SPATIAL_INDEX={is_indexed}"])
    content = bytearray(path.read_bytes())
    # An index before the features has the same numbers.
    at = content.rindex(xy[5000].tobytes())
    if damage == "cut":
        del content[at:]
    elif damage == "not finite":
        content[at : at + 8] = numpy.array([numpy.inf]).tobytes()
    else:
        # The length of the vector of coordinates stands before them.
        content[at - 4 : at] = b"\0\0\0\0"
    path.write_bytes(content)
    source = check_points(runtime, path)
    assert 0 < source.index_info.feature_count < 6000
    assert ("1 features have" if damage == "not finite" else "to its end") in source.warning
