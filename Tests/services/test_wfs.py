"""Features of a WFS: of MapServer, in three versions, as GML and as GeoJSON, in several spatial references."""
import alidade
import numpy as np
import pytest
from pyproj import Transformer

import mapserver_data as data
from conftest import wait_until
from real_servers import MapServerCGI

Flags = alidade.layers.LayerViewFlags
GML = {"2.0.0": "application/gml%2Bxml;%20version=3.2", "1.1.0": "text/xml;%20subtype=gml/3.1.1", "1.0.0": "GML2"}
REFERENCES = {"2.0.0": ["EPSG:4326", "EPSG:25833", "EPSG:3035"], "1.1.0": ["EPSG:4326", "EPSG:3035"],
              "1.0.0": [""]}
# MapServer's GeoJSON does not name EPSG:3035.
CASES = [(version, form, code) for version in GML for form in ("gml", "json") for code in REFERENCES[version]
         if (form, code) != ("json", "EPSG:3035")]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wfs")
    data.write(folder)
    with MapServerCGI(folder) as service:
        yield service


@pytest.fixture
def runtime(service):
    with alidade.Runtime(policy=alidade.Policy(hosts=[service.address])) as runtime:
        service.clear()
        yield runtime


def address(service, version, form, code, name="stations"):
    layer = "typenames" if version == "2.0.0" else "typename"
    output = GML[version] if form == "gml" else "geojson"
    reference = f"&srsname={code}" if code else ""
    return (f"{service.url}/mapserv?map=main&service=WFS&version={version}&{layer}={name}{reference}"
            f"&outputformat={output}")


@pytest.mark.parametrize("version, form, code", CASES)
def test_features_are_those_of_the_file(service, runtime, version, form, code):
    """Axes that are swapped would show."""
    source = alidade.FeatureSource(runtime, address(service, version, form, code))
    code = code or "EPSG:4326"
    assert source.warning == ""
    assert f"EPSG:{source.spatial_reference.info.code}" == code
    features = source.query()
    assert features.values("number") == [one["number"] for one in data.STATIONS]
    assert features.values("name") == [one["name"] for one in data.STATIONS]
    to_code = Transformer.from_crs(4326, int(code[5:]), always_xy=True)
    expected = [to_code.transform(one["x"], one["y"]) for one in data.STATIONS]
    found = np.array([one.geometry.xy[0] for one in features])
    # MapServer writes six digits of degrees, and a tenth of a millimetre at least.
    assert np.abs(found - expected).max() < (2e-6 if code == "EPSG:4326" else 1e-2)


@pytest.mark.parametrize("version, form, code", CASES)
def test_a_box(service, runtime, version, form, code):
    source = alidade.FeatureSource(runtime, address(service, version, form, code))
    code = code or "EPSG:4326"
    wanted = data.STATIONS[3:6]
    to_code = Transformer.from_crs(4326, int(code[5:]), always_xy=True)
    xs, ys = to_code.transform([one["x"] for one in wanted], [one["y"] for one in wanted])
    service.clear()
    found = source.query(envelope=(min(xs) - 1e-3, min(ys) - 1e-3, max(xs) + 1e-3, max(ys) + 1e-3))
    assert found.values("number") == [one["number"] for one in wanted]
    # The service was asked for the box only.
    assert all("BBOX=" in one for one in service.requests() if "GetFeature" in one)


def test_ids_and_types_of_gml(service, runtime):
    source = alidade.FeatureSource(runtime, address(service, "2.0.0", "gml", "EPSG:4326"))
    assert source.query().ids.tolist() == [one["number"] for one in data.STATIONS]
    assert source.info.id_stability == alidade.features.IdStability.STORED
    types = {field.name: field.type for field in source.fields}
    assert types["number"] == alidade.features.FieldType.INTEGER and types["name"] == alidade.features.FieldType.TEXT


def test_polygons(service, runtime):
    for form in ("gml", "json"):
        source = alidade.FeatureSource(runtime, address(service, "2.0.0", form, "EPSG:4326", "parcels"))
        features = source.query()
        for one, parcel in zip(features, data.PARCELS):
            geometry = one.geometry
            box = geometry.envelope
            assert np.allclose([box.x_min, box.y_min, box.x_max, box.y_max],
                               [parcel["west"], parcel["south"], parcel["west"] + parcel["size"],
                                parcel["south"] + parcel["size"]], atol=1e-5)
            assert abs(geometry.area() - parcel["size"] ** 2) < 1e-4


@pytest.mark.parametrize("reference", ["", "&srsname=EPSG:3035"])
def test_defaults(service, runtime, reference):
    """The address of the service and the name of a type: nothing else is needed."""
    source = alidade.FeatureSource(runtime, f"{service.url}/mapserv?map=main&service=WFS&typenames=stations{reference}")
    assert source.query().values("number") == [one["number"] for one in data.STATIONS]


def test_a_page_in_another_spatial_reference(service, runtime):
    """GeoJSON that does not name its spatial reference is in WGS 84, which is not what was asked for."""
    with pytest.raises(alidade.errors.UnsupportedError, match="another spatial reference"):
        alidade.FeatureSource(runtime, address(service, "2.0.0", "json", "EPSG:3035"))


def test_a_view_draws_them(service, runtime):
    layer = alidade.FeatureLayer.from_path(
        runtime, f"{service.url}/mapserv?map=main&service=WFS&typenames=stations",
        renderer=alidade.SimpleRenderer(alidade.MarkerSymbol(size_dip=8)))
    map = alidade.Map(runtime, alidade.SpatialReference(runtime, "EPSG:3857"))
    map.add_layer(layer)
    layer.load()
    view = alidade.View(map, width_dip=400, height_dip=300)
    to_mercator = Transformer.from_crs(4326, 3857, always_xy=True)
    view.set_viewpoint(to_mercator.transform(24, 44), scale=3e7)
    view.feature_drawing(layer).release()
    assert wait_until(lambda: view.layer_state(layer).flags == Flags.ACTIVE)
    with view.feature_drawing(layer) as drawing:
        assert len(drawing.columns.graphic_ids) == len(data.STATIONS)
    [(x, y)] = view.map_to_screen(to_mercator.transform(data.STATIONS[4]["x"], data.STATIONS[4]["y"]))
    [element] = view.identify_layer(layer, (x, y), 2, 1)
    assert element["number"] == data.STATIONS[4]["number"]


@pytest.mark.parametrize("query, error, words", [
    ("service=WFS&typenames=other", alidade.errors.NotFoundError, 'ms:stations'),
    ("service=WFS&version=1.0.0&typename=stations&srsname=EPSG:25833", alidade.errors.UnsupportedError, "no srsname"),
    ("service=WFS", alidade.errors.InvalidArgumentError, "typenames=A"),
    ("service=WFS&typenames=stations&outputformat=nothing", alidade.errors.ReadFailedError, "nothing"),
    ("service=WFS&typenames=stations&srsname=EPSG:1", alidade.AlidadeError, "EPSG:1"),
])
def test_addresses_that_cannot_be_meant(service, runtime, query, error, words):
    with pytest.raises(error) as caught:
        alidade.FeatureSource(runtime, f"{service.url}/mapserv?map=main&{query}")
    assert words in str(caught.value)


def test_a_raster_layer_says_what_takes_the_address(service, runtime):
    with pytest.raises(alidade.errors.UnsupportedError, match="layer of features"):
        alidade.Raster(runtime, f"{service.url}/mapserv?map=main&service=WFS&typenames=stations")
