"""A layer that cannot be placed on its map is in error, with PROJ's reason, from the moment when that can be known."""
import alidade
import pyproj
import pytest
from alidade.layers import LayerViewFlags


@pytest.fixture
def mars(runtime, raster_path):
    return alidade.RasterLayer(alidade.Raster(runtime, raster_path("cog_hirise_mars.tif")))


def test_pyproj_has_no_way_to_mars(mars):
    with pytest.raises(pyproj.exceptions.ProjError):
        pyproj.Transformer.from_crs(4326, pyproj.CRS.from_wkt(mars.raster.spatial_reference.wkt)).transform(0, 0)


def test_a_raster_of_mars_on_a_map_of_the_earth(runtime, mars):
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    map.add_layer(mars)
    view = alidade.View(map, 100, 100)
    view.set_viewpoint((0, 0), scale=1e8, rotation_deg=0)
    state = view.layer_state(mars)
    assert state.flags == LayerViewFlags.ERROR
    assert "celestial body" in str(state.error) and isinstance(state.error, alidade.errors.ProjectionFailedError)
    with pytest.raises(alidade.errors.ProjectionFailedError, match="celestial body"):
        view.identify_layer(mars, (50, 50))


def test_it_is_fine_on_a_map_of_its_own(runtime, mars):
    map = alidade.Map(runtime)
    map.add_layer(mars)
    view = alidade.View(map, 100, 100)
    assert view.layer_state(mars).flags == LayerViewFlags.ACTIVE
    # The state is that of the map that the layer is in.
    map.remove_layer(mars)
    earth = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 4326))
    earth.add_layer(mars)
    other = alidade.View(earth, 100, 100)
    other.set_viewpoint((0, 0), scale=1e8, rotation_deg=0)
    assert other.layer_state(mars).flags == LayerViewFlags.ERROR


def test_the_error_goes_when_a_spatial_reference_is_given(runtime, mars):
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    map.add_layer(mars)
    view = alidade.View(map, 100, 100)
    view.set_viewpoint((0, 0), scale=1e8, rotation_deg=0)
    assert view.layer_state(mars).flags == LayerViewFlags.ERROR
    mars.spatial_reference = alidade.SpatialReference.from_code(runtime, 3857)
    assert view.layer_state(mars).flags == LayerViewFlags.ACTIVE


def test_the_map_that_takes_its_reference_from_a_lower_layer(runtime, raster_path, mars):
    """The upper layer is added while the map has no spatial reference yet."""
    map = alidade.Map(runtime)
    lower = alidade.RasterLayer.from_path(runtime, raster_path("RGB.byte.tif"))
    map.add_layer(lower)
    map.add_layer(mars)
    view = alidade.View(map, 100, 100)
    lower.load()
    assert view.layer_state(mars).flags == LayerViewFlags.ERROR
    assert view.layer_state(lower).flags == LayerViewFlags.ACTIVE
