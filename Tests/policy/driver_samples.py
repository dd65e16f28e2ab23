#!/usr/bin/python3
"""Writes small files with each of GDAL's drivers that can write: rasters with and without a location on the earth, and
features; and, as texts, some that drivers only read.

    driver_samples.py FOLDER     FOLDER/raster-GTiff/sample.tif and so on; prints a JSON list of
                                 {"content": "raster", "driver": "GTiff", "path": ...}

Needs Debian's python3-gdal (hence the interpreter above).
"""
import json
import os
import shutil
import struct
import sys

from osgeo import gdal, ogr, osr

gdal.UseExceptions()
ogr.UseExceptions()
gdal.SetConfigOption("GDAL_PAM_ENABLED", "NO")
# These make what is no file, or reach a service, or write what nothing reads back.
SKIPPED = {"MEM", "Memory", "PostgreSQL", "PGDUMP", "MySQL", "MSSQLSpatial", "ODBC", "Elasticsearch", "CouchDB",
           "MongoDBv3", "HTTP", "OCI", "WMS", "COG", "PDF", "DB2ODBC", "GeoRaster", "SOSI", "Interlis 1", "Interlis 2",
           "Carto", "VRT", "WMTS", "AmigoCloud", "NGW", "LIBERTIFF", "SQLDump", "Rasterlite", "PostGISRaster", "EEDA", "EEDAI"}
# Drivers that read what others make.
READERS = {"HDF4Image": "HDF4"}
# Files that are written as texts, because no driver makes them, or none by itself.
TEXTS = [
    ("vector", "CSV", "sample.csv", "name,x,y\na,10.5,50.5\n"),
    ("vector", "GeoJSONSeq", "sample.geojsonl", '{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}\n' * 2),
    ("vector", "ESRIJSON", "sample.json", '{"geometryType":"esriGeometryPoint","fields":[],"features":[{"attributes":{},"geometry":{"x":1,"y":2}}]}'),
    ("vector", "TopoJSON", "sample.json", '{"type":"Topology","objects":{"a":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]}},"arcs":[]}'),
    ("vector", "GeoRSS", "sample.xml", '<?xml version="1.0"?><rss version="2.0" xmlns:georss="http://www.georss.org/georss"><channel><item><title>a</title><georss:point>50 10</georss:point></item></channel></rss>'),
    ("vector", "OGR_VRT", "sample.vrt", '<OGRVRTDataSource><OGRVRTLayer name="p"><SrcDataSource relativeToVRT="1">p.csv</SrcDataSource><GeometryType>wkbPoint</GeometryType><GeometryField encoding="PointFromColumns" x="x" y="y"/></OGRVRTLayer></OGRVRTDataSource>'),
    ("raster", "VRT", "sample.vrt", '<VRTDataset rasterXSize="2" rasterYSize="2"><VRTRasterBand dataType="Byte" band="1"><SimpleSource><SourceFilename relativeToVRT="1">inside/a.asc</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>'),
    ("raster", "GRASSASCIIGrid", "sample.asc", "north: 2\nsouth: 0\neast: 2\nwest: 0\nrows: 2\ncols: 2\n1 2\n3 4\n"),
    ("raster", "ISG", "sample.isg", "begin_of_head ====\nmodel name : a\nmodel type : gravimetric\nunits : meters\nreference : GRS80\nlat min = 0.0\nlat max = 2.0\nlon min = 0.0\nlon max = 2.0\ndelta lat = 1.0\ndelta lon = 1.0\nnrows = 2\nncols = 2\nnodata = -9999.0\nISG format = 1.0\nend_of_head ====\n1 2\n3 4\n"),
]
BESIDE = {"OGR_VRT": [("p.csv", "x,y\n1,2\n")],
          "VRT": [("inside/a.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n")]}
# A Terragen terrain of 4 x 4 heights.
TERRAGEN = (b"TERRAGENTERRAIN SIZE" + struct.pack("<hxx", 3) + b"XPTS" + struct.pack("<hxx", 4) + b"YPTS"
            + struct.pack("<hxx", 4) + b"SCAL" + struct.pack("<3f", 30, 30, 30) + b"ALTW"
            + struct.pack("<hh16h", 100, 10, *range(16)) + b"EOF ")
TYPES = [gdal.GDT_Byte, gdal.GDT_UInt16, gdal.GDT_Int16, gdal.GDT_Float32]


def reference(code):
    result = osr.SpatialReference()
    result.ImportFromEPSG(code)
    result.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return result


def rasters(is_placed):
    """Small rasters in memory: types, counts of bands and spatial references that some driver or other wants."""
    for bands in (1, 3):
        for code, transform, size in [(32633, (500000, 30, 0, 5000000, 0, -30), 64), (4326, (10, 0.01, 0, 50, 0, -0.01), 64),
                                      (4326, (9.9995833, 1 / 1200, 0, 51.0004167, 0, -1 / 1200), 1201)]:
            for kind in TYPES:
                if size > 64 and (kind != gdal.GDT_Int16 or bands > 1):
                    continue
                dataset = gdal.GetDriverByName("MEM").Create("", size, size, bands, kind)
                if is_placed:
                    dataset.SetGeoTransform(transform)
                    dataset.SetProjection(reference(code).ExportToWkt())
                for band in range(1, bands + 1):
                    line = bytes((3 * column + band) % 100 for column in range(64)) * (size // 64 + 1)
                    for row in range(size):
                        dataset.GetRasterBand(band).WriteRaster(0, row, size, 1, line[:size], buf_type=gdal.GDT_Byte)
                yield dataset


def made_raster(driver, path, is_placed):
    for source in rasters(is_placed):
        try:
            if driver.GetMetadataItem("DCAP_CREATECOPY"):
                made = driver.CreateCopy(path, source, strict=0)
            else:
                made = driver.Create(path, source.RasterXSize, source.RasterYSize, source.RasterCount,
                                     source.GetRasterBand(1).DataType)
                if is_placed:
                    made.SetGeoTransform(source.GetGeoTransform())
                for band in range(1, source.RasterCount + 1):
                    made.GetRasterBand(band).WriteRaster(0, 0, source.RasterXSize, source.RasterYSize,
                                                         source.GetRasterBand(band).ReadRaster())
            del made
            if gdal.OpenEx(path, gdal.OF_RASTER, [READERS.get(driver.ShortName, driver.ShortName)]):
                return True
        except Exception:  # this type or size is not for this driver
            pass
        empty(os.path.dirname(path))
    return False


def empty(folder):
    shutil.rmtree(folder)
    os.makedirs(folder)


def made_features(driver, path):
    for geometry, code in [("POINT (10.5 50.5)", 4326), ("LINESTRING (10 50, 11 51)", 4326),
                           ("POLYGON ((10 50, 11 50, 11 51, 10 50))", 4326), ("POINT (500000 5000000)", 32633)]:
        try:
            made = driver.CreateDataSource(path) if hasattr(driver, "CreateDataSource") else driver.Create(path, 0, 0, 0, 0)
            shape = ogr.CreateGeometryFromWkt(geometry)
            layer = made.CreateLayer("sample", reference(code), shape.GetGeometryType())
            if layer.TestCapability("CreateField"):
                layer.CreateField(ogr.FieldDefn("name", ogr.OFTString))
            feature = ogr.Feature(layer.GetLayerDefn())
            if feature.GetFieldCount() and feature.GetFieldIndex("name") >= 0:
                feature.SetField("name", "a")
            feature.SetGeometry(shape)
            layer.CreateFeature(feature)
            del feature, layer, made
            opened = gdal.OpenEx(path, gdal.OF_VECTOR, [driver.GetName()])
            if opened and opened.GetLayerCount():
                return True
        except Exception:  # such geometries are not for this driver
            pass
        empty(os.path.dirname(path))
    return False


def makers(driver):
    """What a driver can make: its content, a word for the folder, and the function."""
    copies = driver.GetMetadataItem("DCAP_CREATE") or driver.GetMetadataItem("DCAP_CREATECOPY")
    if driver.GetMetadataItem("DCAP_RASTER") and copies:
        yield "raster", "raster", lambda path: made_raster(driver, path, True)
        yield "raster", "unplaced", lambda path: made_raster(driver, path, False)
    if driver.GetMetadataItem("DCAP_VECTOR") and driver.GetMetadataItem("DCAP_CREATE"):
        yield "vector", "vector", lambda path: made_features(ogr.GetDriverByName(driver.ShortName), path)


def main(folder):
    made = []
    for index in range(gdal.GetDriverCount()):
        driver = gdal.GetDriver(index)
        name = driver.ShortName
        if name in SKIPPED:
            continue
        endings = (driver.GetMetadataItem("DMD_EXTENSIONS") or driver.GetMetadataItem("DMD_EXTENSION") or "dat").split()
        for content, word, make in makers(driver):
            place = os.path.join(folder, f"{word}-{name.replace(' ', '_')}")
            os.makedirs(place)
            # SRTM's files are known by their names.
            path = os.path.join(place, ("N50E010." if name == "SRTMHGT" else "sample.") + endings[0])
            if make(path):
                made.append({"content": content, "driver": READERS.get(name, name), "path": path})
            else:
                shutil.rmtree(place)
    os.makedirs(os.path.join(folder, "raster-Terragen"))
    with open(os.path.join(folder, "raster-Terragen", "sample.ter"), "wb") as stream:
        stream.write(TERRAGEN)
    made.append({"content": "raster", "driver": "Terragen", "path": stream.name})
    for content, name, file, text in TEXTS:
        place = os.path.join(folder, f"text-{name}")
        for file, text in [*BESIDE.get(name, []), (file, text)]:
            path = os.path.join(place, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as stream:
                stream.write(text)
        made.append({"content": content, "driver": name, "path": path})
    print(json.dumps(made))


if __name__ == "__main__":
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    main(sys.argv[1])
