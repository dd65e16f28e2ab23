"""Files of features for the tests, written by GDAL, and what GDAL itself says of them."""
import datetime
from pathlib import Path

from osgeo import gdal, ogr, osr

gdal.UseExceptions()

# Fields of every type that most formats have.
FIELDS = [("name", ogr.OFTString), ("small", ogr.OFTInteger), ("large", ogr.OFTInteger64), ("real", ogr.OFTReal),
          ("day", ogr.OFTDate), ("moment", ogr.OFTDateTime)]
PLACES = [(13.4, 52.5), (2.35, 48.85), (-0.1, 51.5), (37.6, 55.75), (-74.0, 40.7), (151.2, -33.9), (0.0, 0.0)]


def places(folder: Path) -> Path:
    """A GeoPackage of points with values, an empty text, and nulls."""
    path = folder / "places.gpkg"
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = data.CreateLayer("places", reference(4326), ogr.wkbPoint)
    for name, type in FIELDS:
        layer.CreateField(ogr.FieldDefn(name, type))
    for number, (x, y) in enumerate(PLACES):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkt(f"POINT ({x} {y})"))
        if number == 5:
            for field in range(len(FIELDS)):
                feature.SetFieldNull(field)
        else:
            feature["name"] = ["Berlin", "Paris", "L\u00f6ndon", "\u041c\u043e\u0441\u043a\u0432\u0430", "", "", "Null Island"][number]
            feature["small"] = number - 3
            feature["large"] = 9007199254740993 + number
            feature["real"] = number / 7
            feature["day"] = "2024/02/29"
            feature["moment"] = f"2024/02/29 12:34:{number:02d}.25+00"
        layer.CreateFeature(feature)
    data = None
    return path


def copy(source: Path, driver: str, path: Path, **options) -> Path:
    """The same features in another format."""
    gdal.VectorTranslate(str(path), str(source), format=driver, **options)
    return path


def reference(code: int) -> osr.SpatialReference:
    made = osr.SpatialReference()
    made.ImportFromEPSG(code)
    made.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return made


def truth(path: Path, layer: int | str = 0, options=()) -> list[dict]:
    """What GDAL says of a file: id, WKB and attributes of each feature."""
    data = gdal.OpenEx(str(path), gdal.OF_VECTOR, open_options=list(options))
    found = []
    for feature in data.GetLayer(layer):
        geometry = feature.GetGeometryRef()
        attributes = {}
        for index in range(feature.GetFieldCount()):
            if feature.IsFieldSet(index):
                attributes[feature.GetFieldDefnRef(index).GetName()] = value(feature, index)
        found.append({"id": feature.GetFID(), "wkb": geometry and bytes(geometry.ExportToIsoWkb()),
                      "attributes": attributes})
    return found


def value(feature: ogr.Feature, index: int):
    """A value as Python has it, by way of GDAL."""
    field = feature.GetFieldDefnRef(index)
    type = field.GetType()
    if feature.IsFieldNull(index):
        return None
    if type == ogr.OFTInteger:
        number = feature.GetFieldAsInteger(index)
        return bool(number) if field.GetSubType() == ogr.OFSTBoolean else number
    if type == ogr.OFTInteger64:
        return feature.GetFieldAsInteger64(index)
    if type == ogr.OFTReal:
        return feature.GetFieldAsDouble(index)
    if type == ogr.OFTBinary:
        return bytes(feature.GetFieldAsBinary(index))
    if type in (ogr.OFTIntegerList, ogr.OFTInteger64List):
        return list(feature.GetFieldAsInteger64List(index) if type == ogr.OFTInteger64List
                    else feature.GetFieldAsIntegerList(index))
    if type == ogr.OFTRealList:
        return list(feature.GetFieldAsDoubleList(index))
    if type == ogr.OFTStringList:
        return list(feature.GetFieldAsStringList(index))
    if type in (ogr.OFTDate, ogr.OFTTime, ogr.OFTDateTime):
        year, month, day, hour, minute, second, zone = feature.GetFieldAsDateTime(index)
        whole, part = divmod(round(second * 1000), 1000)
        offset = datetime.timezone(datetime.timedelta(minutes=15 * (zone - 100))) if zone > 1 else None
        if type == ogr.OFTDate:
            return datetime.date(year, month, day)
        if type == ogr.OFTTime:
            return datetime.time(hour, minute, whole, part * 1000, offset)
        return datetime.datetime(year, month, day, hour, minute, whole, part * 1000, offset)
    return feature.GetFieldAsString(index)
