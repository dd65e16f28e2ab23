"""
Identify and the GetFeatureInfo of MapServer: the same features and the same cells at the same points of the same view.

MapServer runs as a CGI program. Both read the same files and show the same envelope. For MapServer a feature is hit if its
geometry is within a tolerance of the pixel's middle; symbols do not count. For Alidade their width counts, so the
tolerance is smaller by it. QGIS Server is in Tests/hosts/qgis.
"""
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import alidade
import numpy
import pyproj
import pytest
import rasterio
from osgeo import ogr

from camera import DIP_PER_METRE, metres_per_unit
from conftest import ROOT

MAPSERV = shutil.which("mapserv") or ""
DATA = ROOT / "examples" / "world_identify" / "data"
WIDTH, HEIGHT, TOLERANCE = 800, 600, 12.0
# Half of what the symbols are wide.
HALF = 1.5
SYMBOLS = {
    "countries": alidade.FillSymbol((1, 2, 3), alidade.LineSymbol((1, 2, 3), 2 * HALF)),
    "rivers": alidade.LineSymbol((1, 2, 3), 2 * HALF),
    "cities": alidade.MarkerSymbol((1, 2, 3), 2 * HALF),
}
TYPES = {"countries": "POLYGON", "rivers": "LINE", "cities": "POINT"}
# The code of the map, and the west, south and width of the view in its unit.
VIEWS = [(3857, -1e6, 4.2e6, 6e6), (3857, -1.2e7, 1e6, 9e6), (3857, 8e6, 5e5, 4e6), (4326, -20.0, -40.0, 90.0),
         (3035, 2.6e6, 1.4e6, 4e6)]
RASTER_VIEWS = [("elevation.tif", 4326, -20.0, 30.0, 60.0), ("elevation.tif", 4326, 60.0, -20.0, 33.0)]

pytestmark = pytest.mark.skipif(
    not os.path.exists(MAPSERV), reason="MapServer is missing: Debian's package mapserver-bin")

MAP = """
MAP
  NAME "world"
  SIZE {width} {height}
  EXTENT 0 0 1 1
  PROJECTION "init=epsg:3857" END
  WEB METADATA
    "ows_enable_request" "*" "ows_title" "world" "ows_onlineresource" "http://localhost/?"
    "wms_srs" "EPSG:3857 EPSG:4326 EPSG:3035" "wms_feature_info_mime_type" "application/vnd.ogc.gml"
  END END
  {layers}
END
"""
LAYER = """
  LAYER
    NAME "{name}" TYPE {type} STATUS ON
    {source}
    PROJECTION "init=epsg:4326" END
    TEMPLATE "x" TOLERANCE {tolerance} TOLERANCEUNITS pixels
    METADATA "gml_include_items" "all" "ows_title" "{name}" END
    {classes}
  END
"""


def copied(name, folder):
    """A copy of a file of features in which each has its number as an attribute."""
    given = ogr.Open(str(DATA / f"{name}.fgb"))
    made = ogr.GetDriverByName("GPKG").CreateDataSource(str(folder / f"{name}.gpkg"))
    table = made.CreateLayer(name, given.GetLayer(0).GetSpatialRef(), given.GetLayer(0).GetGeomType())
    table.CreateField(ogr.FieldDefn("number", ogr.OFTInteger))
    for feature in given.GetLayer(0):
        row = ogr.Feature(table.GetLayerDefn())
        row.SetField("number", feature.GetFID())
        row.SetGeometry(feature.GetGeometryRef().Clone())
        table.CreateFeature(row)


class MapServer:
    """A map file with layers, and what MapServer returns for a point."""

    def __init__(self, folder):
        self.folder = folder
        layers = ""
        for name in SYMBOLS:
            copied(name, folder)
            layers += LAYER.format(
                name=name, type=TYPES[name], tolerance=TOLERANCE, classes="CLASS STYLE COLOR 1 2 3 END END",
                source=f'CONNECTIONTYPE OGR CONNECTION "{folder / name}.gpkg" DATA "{name}"')
        # The pixel whose middle is nearest is what FEATURE_COUNT=1 finds.
        layers += LAYER.format(
            name="elevation", type="RASTER", tolerance=100, classes="", source=f'DATA "{DATA / "elevation.tif"}"')
        (folder / "world.map").write_text(MAP.format(width=WIDTH, height=HEIGHT, layers=layers))
        (folder / "mapserver.conf").write_text(
            f'CONFIG\n  ENV\n    "MS_MAP_PATTERN" "."\n  END\n  MAPS\n    "WORLD" "{folder}/world.map"\n  END\nEND\n')

    def features_at(self, code, envelope, pixel, layers, count=10_000):
        names = ",".join(layers)
        query = (f"MAP=WORLD&SERVICE=WMS&VERSION=1.1.1&REQUEST=GetFeatureInfo&SRS=EPSG:{code}&STYLES="
                 f"&BBOX={','.join(map(repr, envelope))}&WIDTH={WIDTH}&HEIGHT={HEIGHT}&LAYERS={names}&QUERY_LAYERS={names}"
                 f"&X={pixel[0]}&Y={pixel[1]}&FEATURE_COUNT={count}&INFO_FORMAT=application/vnd.ogc.gml")
        environment = dict(os.environ, REQUEST_METHOD="GET", QUERY_STRING=query,
                           MAPSERVER_CONFIG_FILE=str(self.folder / "mapserver.conf"))
        run = subprocess.run([MAPSERV], env=environment, check=True, text=True, stdout=subprocess.PIPE, timeout=60)
        assert "<msGMLOutput" in run.stdout and "Exception" not in run.stdout, run.stdout
        return run.stdout

    def many(self, code, envelope, pixels, layers, count=10_000):
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(lambda pixel: self.features_at(code, envelope, pixel, layers, count), pixels))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    return MapServer(tmp_path_factory.mktemp("mapserver"))


def numbers(text, layer):
    """The features of a layer in an answer of MapServer."""
    found = re.search(rf"<{layer}_layer>(.*?)</{layer}_layer>", text, re.DOTALL)
    return {int(number) for number in re.findall(r"<number>(\d+)</number>", found[1])} if found else set()


def make_view(runtime, code, west, south, width):
    """A view of an envelope, with a DIP for each of MapServer's pixels."""
    unit = width / WIDTH
    envelope = (west, south, west + width, south + unit * HEIGHT)
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, code))
    view = alidade.View(map, WIDTH, HEIGHT)
    scale = unit * metres_per_unit(pyproj.CRS.from_epsg(code)) * DIP_PER_METRE
    view.set_viewpoint(((west + envelope[2]) / 2, (south + envelope[3]) / 2), scale=scale)
    corners = view.screen_to_map([(0, HEIGHT), (WIDTH, 0)]).ravel()
    assert corners == pytest.approx(envelope, abs=1e-6 * unit, rel=1e-12)
    return map, view, envelope


@pytest.mark.parametrize(("code", "west", "south", "width"), VIEWS)
def test_features(runtime, server, is_long, code, west, south, width):
    map, view, envelope = make_view(runtime, code, west, south, width)
    layers = {name: alidade.FeatureLayer.from_path(runtime, server.folder / f"{name}.gpkg",
                                                   renderer=alidade.SimpleRenderer(symbol))
              for name, symbol in SYMBOLS.items()}
    for layer in layers.values():
        map.add_layer(layer)
    map.load()
    count = 400 if is_long else 40
    generator = numpy.random.default_rng(23)
    pixels = generator.integers((0, 0), (WIDTH, HEIGHT), (count, 2)).tolist()
    # Every second one near to a city, where there are rivers and borders as well.
    to_map = pyproj.Transformer.from_crs(4326, code, always_xy=True).transform
    cities = view.map_to_screen([to_map(*feature.geometry.xy[0]) for feature in layers["cities"].source.query()])
    cities = cities[((cities > 20) & (cities < (WIDTH - 20, HEIGHT - 20))).all(axis=1)]
    for index in range(0, count, 2):
        pixels[index] = (cities[generator.integers(len(cities))] + generator.normal(0, 8, 2)).astype(int).tolist()
    sizes = dict.fromkeys(SYMBOLS, 0)
    for pixel, text in zip(pixels, server.many(code, envelope, pixels, SYMBOLS)):
        point = (pixel[0] + 0.5, pixel[1] + 0.5)
        found = view.identify_layers(point, TOLERANCE - HALF, alidade.identify.ALL)
        for name, layer in layers.items():
            ours = {element["number"] for element in found if element.layer is layer}
            assert ours == numbers(text, name), (name, pixel)
            sizes[name] += len(ours)
    assert sizes["cities"] > 0.3 * count and sizes["countries"] > 0.5 * count and sizes["rivers"] > 0.1 * count, sizes


@pytest.mark.parametrize(("name", "code", "west", "south", "width"), RASTER_VIEWS)
def test_cells(runtime, server, is_long, name, code, west, south, width):
    """In the raster's own spatial reference, where the nearest middle is that of the cell at the point."""
    map, view, envelope = make_view(runtime, code, west, south, width)
    layer = alidade.RasterLayer(alidade.Raster(runtime, DATA / name))
    map.add_layer(layer)
    with rasterio.open(DATA / name) as file:
        transform = file.transform
    pixels = numpy.random.default_rng(24).integers((0, 0), (WIDTH, HEIGHT), (400 if is_long else 40, 2)).tolist()
    for pixel, text in zip(pixels, server.many(code, envelope, pixels, ["elevation"], 1)):
        element = view.identify_layer(layer, (pixel[0] + 0.5, pixel[1] + 0.5))[0]
        column, row = ~transform * tuple(float(re.search(rf"<{axis}>(.*?)</", text)[1]) for axis in "xy")
        assert (element.cell.column + 0.5, element.cell.row + 0.5) == pytest.approx((column, row), abs=1e-3), pixel
        assert element.attributes[0].value == int(re.search(r"<value_0>(.*?)</", text)[1]), pixel
