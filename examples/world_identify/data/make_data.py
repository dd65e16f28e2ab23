#!/usr/bin/python3
"""Makes the files of this folder from files of Natural Earth and NOAA; the README says where to get them.

    make_data.py FOLDER-OF-NATURAL-EARTH etopo5.cdf
"""
import sys
from pathlib import Path

import numpy
from osgeo import gdal, ogr, osr

HERE = Path(__file__).resolve().parent
gdal.UseExceptions()
ogr.UseExceptions()

# The tables: the file, a filter, the tolerance of a simplification in degrees, the type of the geometries, and the
# fields, each with its alias.
TABLES = {
    "countries": ("ne_110m_admin_0_countries.json", "NAME <> 'Antarctica'", 0, ogr.wkbMultiPolygon, {
        "NAME": "Name", "CONTINENT": "Continent", "POP_EST": "Inhabitants (estimate)", "POP_YEAR": "Year of the estimate",
        "GDP_MD_EST": "GDP (million US dollars)"}),
    "lakes": ("ne_50m_lakes.json", "scalerank <= 1", 0.02, ogr.wkbMultiPolygon, {"name": "Name", "featurecla": "Kind"}),
    "rivers": ("ne_50m_rivers_lake_centerlines.json", "featurecla = 'River'", 0.02, ogr.wkbMultiLineString, {
        "name": "Name", "scalerank": "Rank"}),
    "cities": ("ne_50m_populated_places_simple.json", "1 = 1", 0, ogr.wkbPoint, {
        "name": "Name", "adm0name": "Country", "adm0cap": "Capital", "pop_max": "Inhabitants", "rank_max": "Rank"}),
}
WHOLE = {"POP_EST", "POP_YEAR", "GDP_MD_EST", "adm0cap", "pop_max", "rank_max", "scalerank"}


def wgs84():
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(4326)
    return reference


def write_table(name, folder):
    file, where, tolerance, kind, fields = TABLES[name]
    source = ogr.Open(str(folder / file))
    package = ogr.GetDriverByName("FlatGeobuf").CreateDataSource(str(HERE / f"{name}.fgb"))
    table = package.CreateLayer(name, wgs84(), kind)
    for field, alias in fields.items():
        definition = ogr.FieldDefn(field.lower(), ogr.OFTInteger64 if field in WHOLE else ogr.OFTString)
        definition.SetAlternativeName(alias)
        table.CreateField(definition)
    given = source.GetLayer(0)
    given.SetAttributeFilter(where)
    for feature in given:
        geometry = feature.GetGeometryRef()
        if geometry is None:
            continue
        if tolerance:
            geometry = geometry.SimplifyPreserveTopology(tolerance)
        row = ogr.Feature(table.GetLayerDefn())
        for field in fields:
            value = feature.GetField(field)
            if value is not None:
                row.SetField(field.lower(), int(value) if field in WHOLE else value)
        row.SetGeometry(ogr.ForceTo(geometry.Clone(), kind))
        table.CreateFeature(row)


def write_heights(path):
    """Cells of 20 minutes of arc: means of the heights at points every 5 minutes, those on an edge with half a share."""
    heights = gdal.Open(str(path)).ReadAsArray().astype(float)
    # The file begins at Greenwich. The first column comes again at its end.
    heights = numpy.roll(heights, heights.shape[1] // 2, axis=1)
    heights = numpy.column_stack([heights, heights[:, 0]])
    for axis in (0, 1):
        steps = numpy.moveaxis(heights, axis, 0)
        mean = (steps[:-1:4] / 2 + steps[1::4] + steps[2::4] + steps[3::4] + steps[4::4] / 2) / 4
        heights = numpy.moveaxis(mean, 0, axis)
    rows, columns = heights.shape
    options = ["COMPRESS=DEFLATE", "PREDICTOR=2", "ZLEVEL=9", "TILED=YES", "BLOCKXSIZE=256", "BLOCKYSIZE=256"]
    file = gdal.GetDriverByName("GTiff").Create(str(HERE / "elevation.tif"), columns, rows, 1, gdal.GDT_Int16, options)
    file.SetGeoTransform((-180, 360 / columns, 0, 90, 0, -180 / rows))
    file.SetProjection(wgs84().ExportToWkt())
    band = file.GetRasterBand(1)
    band.SetDescription("Height above sea level")
    band.SetUnitType("m")
    band.WriteArray(numpy.rint(heights).astype(numpy.int16))


def main():
    folder, heights = Path(sys.argv[1]), Path(sys.argv[2])
    for name in TABLES:
        write_table(name, folder)
    write_heights(heights)


if __name__ == "__main__":
    main()
