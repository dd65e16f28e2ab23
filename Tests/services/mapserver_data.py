"""What the tests have MapServer serve: pictures of coloured blocks, and a few features."""
import json

import numpy
import rasterio
from rasterio.transform import from_origin

# Degrees: the west, the north, and the size of a cell.
WEST, NORTH, CELL = 10.0, 60.0, 0.1
# A block of one colour has 20 x 20 cells, which are 2 degrees. There are 12 rows and 16 columns of them.
SIDE, ROWS, COLUMNS = 20, 12, 16
# The second picture covers the blocks of these rows and columns.
PART = (slice(2, 5), slice(3, 9))
# One shade of yellow, which no block has.
OVER = (250, 240, 5)
STATIONS = [{"number": number + 1, "name": f"station {number + 1}", "x": 12.0 + 3 * number, "y": 40.0 + number}
          for number in range(9)]
PARCELS = [{"number": number + 1, "west": 14.0 + 4 * number, "south": 44.0, "size": 2.0} for number in range(5)]


def blocks():
    """The colours of the blocks, of shape (ROWS, COLUMNS, 3). No two are alike."""
    row, column = numpy.mgrid[0:ROWS, 0:COLUMNS]
    colours = [20 + 14 * column, 30 + 17 * row, 60 + (row * 37 + column * 59) % 160]
    return numpy.stack(colours, axis=-1).astype(numpy.uint8)


def _write_picture(path, colours, west, north):
    pixels = colours.repeat(SIDE, axis=0).repeat(SIDE, axis=1)
    facts = {"driver": "GTiff", "dtype": "uint8", "count": 3, "crs": "EPSG:4326", "height": pixels.shape[0],
             "width": pixels.shape[1], "transform": from_origin(west, north, CELL, CELL), "photometric": "RGB"}
    with rasterio.open(path, "w", **facts) as file:
        file.write(pixels.transpose(2, 0, 1))


def _write_features(path, features):
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))


MAP = """
MAP
  NAME "test"
  SIZE 100 100
  EXTENT 10 36 42 60
  UNITS DD
  PROJECTION "init=epsg:4326" END
  WEB METADATA
    "ows_title" "Blocks of a test"
    "ows_enable_request" "{requests}"
    "ows_onlineresource" "http://127.0.0.1/mapserv?"
    "ows_srs" "EPSG:4326 EPSG:3857 EPSG:3035 EPSG:25833 EPSG:31468"
  END END
  {layers}
END
"""
RASTER = """
  LAYER
    NAME "{name}" TYPE RASTER STATUS ON
    DATA "{folder}/{name}.tif"
    PROJECTION "init=epsg:4326" END
    METADATA "ows_title" "{title}" END
  END
"""
FEATURES = """
  LAYER
    NAME "{name}" TYPE {type} STATUS ON
    CONNECTIONTYPE OGR CONNECTION "{folder}/{name}.geojson" DATA "{name}"
    PROJECTION "init=epsg:4326" END
    TEMPLATE "x"
    METADATA
      "ows_title" "{title}" "gml_include_items" "all" "gml_featureid" "number" "gml_types" "auto"
      "wfs_getfeature_formatlist" "geojson"
    END
    CLASS STYLE COLOR 200 10 10 {style} END END
  END
"""
OUTPUT = """
  OUTPUTFORMAT
    NAME "geojson" DRIVER "OGR/GEOJSON" MIMETYPE "application/json; subtype=geojson"
    FORMATOPTION "STORAGE=stream" FORMATOPTION "FORM=SIMPLE"
  END
"""
TITLES = {"blocks": "Blocks of colours", "part": "Yellow on some of the blocks", "stations": "Nine stations",
          "parcels": "Five parcels"}


def write(folder):
    """Writes the data, and two map files: main.map serves it all, closed.map serves nothing."""
    _write_picture(folder / "blocks.tif", blocks(), WEST, NORTH)
    rows, columns = PART
    part = numpy.broadcast_to(numpy.array(OVER, numpy.uint8), (rows.stop - rows.start, columns.stop - columns.start, 3))
    _write_picture(folder / "part.tif", part, WEST + columns.start * SIDE * CELL, NORTH - rows.start * SIDE * CELL)
    _write_features(folder / "stations.geojson", [
        {"type": "Feature", "properties": {"number": one["number"], "name": one["name"]},
         "geometry": {"type": "Point", "coordinates": [one["x"], one["y"]]}} for one in STATIONS])
    _write_features(folder / "parcels.geojson", [
        {"type": "Feature", "properties": {"number": one["number"]},
         "geometry": {"type": "Polygon", "coordinates": [ring(one)]}} for one in PARCELS])
    layers = OUTPUT
    for name in ("blocks", "part"):
        layers += RASTER.format(folder=folder, name=name, title=TITLES[name])
    for name, kind, style in (("stations", "POINT", "SIZE 5"), ("parcels", "POLYGON", "")):
        layers += FEATURES.format(folder=folder, name=name, type=kind, title=TITLES[name], style=style)
    (folder / "main.map").write_text(MAP.format(requests="*", layers=layers))
    (folder / "closed.map").write_text(MAP.format(requests="!*", layers=layers))


def ring(parcel):
    """The corners of a parcel, counter-clockwise, the first one twice."""
    west, south, size = parcel["west"], parcel["south"], parcel["size"]
    return [[west, south], [west + size, south], [west + size, south + size], [west, south + size], [west, south]]
