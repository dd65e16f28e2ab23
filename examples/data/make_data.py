#!/usr/bin/python3
"""Makes the files of this folder from files of Natural Earth; the README says where to get them.

    make_data.py FOLDER-OF-NATURAL-EARTH
"""
import sys
from pathlib import Path

from osgeo import ogr, osr

HERE = Path(__file__).resolve().parent
ogr.UseExceptions()

# Parts of the sea that the quickstart shows, with the land in them: the window, and a point in its only piece of sea.
WINDOWS = {
    "POLYGON ((15 -37, 23 -37, 23 -30, 15 -30, 15 -37))": "POINT (16 -36)",
    "POLYGON ((-79.9 23.1, -75.5 23.1, -75.5 26.2, -79.9 26.2, -79.9 23.1))": "POINT (-79.5 25)",
}


def main():
    folder = Path(sys.argv[1])
    write("land", land(folder / "ne_50m_coastline.json"))
    write("states", states(folder / "ne_50m_admin_1_states_provinces.json"))


def land(path):
    """Coastlines are lines. With the frame of a window they enclose pieces, all of which but the sea are land."""
    source = ogr.Open(str(path))
    for window, sea in WINDOWS.items():
        window, sea = ogr.CreateGeometryFromWkt(window), ogr.CreateGeometryFromWkt(sea)
        lines = window.Boundary()
        for feature in source.GetLayer(0):
            lines = lines.Union(feature.GetGeometryRef().Intersection(window))
        for piece in lines.Polygonize():
            if not piece.Contains(sea):
                yield "", piece.Clone()


def states(path):
    """The states and provinces of the United States of America and Canada, simplified by 0.02 degrees."""
    source = ogr.Open(str(path))
    layer = source.GetLayer(0)
    layer.SetAttributeFilter("adm0_a3 IN ('USA', 'CAN')")
    for feature in layer:
        yield feature.GetField("name"), feature.GetGeometryRef().SimplifyPreserveTopology(0.02)


def write(name, rows):
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(4326)
    package = ogr.GetDriverByName("FlatGeobuf").CreateDataSource(str(HERE / f"{name}.fgb"))
    table = package.CreateLayer(name, reference, ogr.wkbMultiPolygon)
    table.CreateField(ogr.FieldDefn("name", ogr.OFTString))
    for text, geometry in rows:
        row = ogr.Feature(table.GetLayerDefn())
        row.SetField("name", text)
        row.SetGeometry(ogr.ForceTo(geometry, ogr.wkbMultiPolygon))
        table.CreateFeature(row)


if __name__ == "__main__":
    main()
