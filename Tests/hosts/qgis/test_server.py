"""
Identify and the GetFeatureInfo of QGIS Server: the same features and the same cells at the same points of the same view.

For QGIS a feature is hit if its geometry meets a square around the pixel's middle, in the spatial reference of its layer;
symbols do not count. So the layers are in the spatial reference of the map, their symbols are as good as without width,
and the square is an area of the screen.
"""
import json
import subprocess
from pathlib import Path

import alidade
import numpy
import pyproj
import pytest
from osgeo import gdal, ogr

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "examples" / "world_identify" / "data"
SIZE, TOLERANCE, COUNT = (800, 600), 9, 300
DIP_PER_METRE = 96 / 0.0254
NAMES = ["cities", "rivers", "countries"]
THIN = alidade.LineSymbol((1, 2, 3), 1e-6)
SYMBOLS = {"cities": alidade.MarkerSymbol((1, 2, 3), 1e-6), "rivers": THIN, "countries": alidade.FillSymbol((1, 2, 3), THIN)}
# The code of the map, and the west, south and width of the view in its unit.
VIEWS = [(3857, -1e6, 4.2e6, 6e6), (3857, -1.2e7, 1e6, 9e6), (3857, 8e6, 5e5, 4e6), (4326, -20.0, -40.0, 90.0),
         (3035, 2.6e6, 1.4e6, 4e6)]


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


def ask(code, layers, queries):
    """The responses of QGIS Server, which runs in a process of its own."""
    given = json.dumps({"code": code, "layers": {name: str(path) for name, path in layers.items()}, "queries": queries})
    run = subprocess.run(["/usr/bin/python3", "-B", Path(__file__).with_name("server.py")], input=given, check=True, text=True,
                         stdout=subprocess.PIPE, timeout=300)
    return json.loads(run.stdout)["answers"]


def query(code, envelope, pixel, layers, extra):
    corners = [envelope[1], envelope[0], envelope[3], envelope[2]] if code in (4326, 3035) else envelope
    return (f"SERVICE=WMS&VERSION=1.3.0&REQUEST=GetFeatureInfo&CRS=EPSG:{code}&BBOX={','.join(map(repr, corners))}"
            f"&WIDTH={SIZE[0]}&HEIGHT={SIZE[1]}&LAYERS={','.join(layers)}&QUERY_LAYERS={','.join(layers)}&STYLES="
            f"&I={pixel[0]}&J={pixel[1]}&INFO_FORMAT=application/json&FEATURE_COUNT=10000{extra}")


def make_view(runtime, code, west, south, width):
    crs = pyproj.CRS.from_epsg(code)
    unit = width / SIZE[0]
    envelope = (west, south, west + width, south + unit * SIZE[1])
    metres = crs.get_geod().a * numpy.pi / 180 if crs.is_geographic else 1.0
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, code))
    view = alidade.View(map, *SIZE)
    view.set_viewpoint(((west + envelope[2]) / 2, (south + envelope[3]) / 2), scale=unit * metres * DIP_PER_METRE)
    assert view.screen_to_map([(0, SIZE[1]), (SIZE[0], 0)]).ravel() == pytest.approx(envelope, rel=1e-9, abs=1e-6 * unit)
    return map, view, envelope


def projected(name, code, folder):
    """A copy of a file in the spatial reference of the map; each feature has its number as an attribute."""
    path = folder / f"{name}.gpkg"
    statement = f"SELECT *, FID AS number FROM {name}"
    made = gdal.VectorTranslate(str(path), str(DATA / f"{name}.fgb"), format="GPKG", dstSRS=f"EPSG:{code}", reproject=True,
                                SQLStatement=statement, SQLDialect="OGRSQL", layerName=name)
    assert made is not None, gdal.GetLastErrorMsg()
    return path


@pytest.mark.parametrize(("code", "west", "south", "width"), VIEWS)
def test_features(runtime, tmp_path, code, west, south, width):
    map, view, envelope = make_view(runtime, code, west, south, width)
    paths = {name: projected(name, code, tmp_path) for name in NAMES}
    layers = {name: alidade.FeatureLayer.from_path(runtime, paths[name], renderer=alidade.SimpleRenderer(SYMBOLS[name]))
              for name in NAMES}
    for name in NAMES[::-1]:
        map.add_layer(layers[name])
    map.load()
    source = ogr.Open(str(paths["cities"]))
    cities = view.map_to_screen([feature.GetGeometryRef().GetPoint_2D() for feature in source.GetLayer(0)])
    cities = cities[((cities > 20) & (cities < numpy.subtract(SIZE, 20))).all(axis=1)]
    generator = numpy.random.default_rng(31)
    pixels = generator.integers((20, 20), numpy.subtract(SIZE, 20), (COUNT, 2)).tolist()
    for index in range(0, COUNT, 2):
        pixels[index] = (cities[generator.integers(len(cities))] + generator.normal(0, 8, 2)).clip(15, 580).astype(int).tolist()
    extra = "".join(f"&FI_{kind}_TOLERANCE={TOLERANCE}" for kind in ("POINT", "LINE", "POLYGON"))
    answers = ask(code, paths, [query(code, envelope, pixel, NAMES, extra) for pixel in pixels])
    assert len(answers) == COUNT
    sizes = dict.fromkeys(NAMES, 0)
    for pixel, answer in zip(pixels, answers):
        middle = numpy.add(pixel, 0.5)
        found = view.identify_layers(tuple(middle), 0, alidade.identify.ALL,
                                     area=[tuple(middle - TOLERANCE), tuple(middle + TOLERANCE)])
        for name, layer in layers.items():
            ours = {element["number"] for element in found if element.layer is layer}
            theirs = {feature["properties"]["number"] for feature in answer["features"]
                      if feature["id"].startswith(f"{name}.")}
            assert ours == theirs, (name, pixel)
            sizes[name] += len(ours)
    assert sizes["cities"] > 0.25 * COUNT and sizes["countries"] > 0.5 * COUNT and sizes["rivers"] > 0.1 * COUNT, sizes


@pytest.mark.parametrize(("code", "west", "south", "width"), [(4326, -20.0, 30.0, 60.0), (4326, 60.0, -20.0, 33.0)])
def test_cells(runtime, code, west, south, width):
    """In the raster's own spatial reference. In others, QGIS resamples the raster to the pixels of the view first."""
    map, view, envelope = make_view(runtime, code, west, south, width)
    layer = alidade.RasterLayer(alidade.Raster(runtime, DATA / "elevation.tif"))
    map.add_layer(layer)
    generator = numpy.random.default_rng(32)
    pixels = generator.integers((0, 0), SIZE, (COUNT, 2)).tolist()
    answers = ask(code, {"elevation": DATA / "elevation.tif"},
                  [query(code, envelope, pixel, ["elevation"], "") for pixel in pixels])
    for pixel, answer in zip(pixels, answers):
        value = view.identify_layer(layer, tuple(numpy.add(pixel, 0.5)))[0].attributes[0].value
        assert value == float(list(answer["features"][0]["properties"].values())[0]), pixel


