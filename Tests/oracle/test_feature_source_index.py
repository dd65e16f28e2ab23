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
