"""Texts of spatial references name files, and PROJ opens them: whoever gives the text, none may lead to a path."""
import json
import os
import shutil
import struct
import subprocess
import sys
import textwrap
from pathlib import Path

import alidade
import pytest
from osgeo import gdal, ogr, osr

from conftest import ROOT, SIZE, source, vrt, write_raster

gdal.UseExceptions()
GRID = Path("/usr/share/proj/ntf_r93.gsb")
RULE = "(rule: spatial-reference-text)"

# Texts that make PROJ open a path as soon as it reads them.
SHORT = {
    "nadgrids": "+proj=longlat +ellps=airy +nadgrids={} +no_defs",
    "init": "+init={}:x",
    "blanks": "+proj=longlat +ellps=airy +nadgrids = @null , {} +no_defs",
}
ELLIPSOID = '6377563.396,299.3249646'
LONG = {
    "PROJ4_GRIDS": 'GEOGCS["g",DATUM["d",SPHEROID["s",' + ELLIPSOID + '],EXTENSION["PROJ4_GRIDS","{}"]],'
                   'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]',
    "PARAMETERFILE": 'BOUNDCRS[SOURCECRS[GEOGCRS["u",DATUM["u",ELLIPSOID["a",' + ELLIPSOID + ']],CS[ellipsoidal,2],'
                     'AXIS["lon",east],AXIS["lat",north],ANGLEUNIT["degree",0.0174532925199433]]],TARGETCRS[GEOGCRS['
                     '"WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],'
                     'CS[ellipsoidal,2],AXIS["lat",north],AXIS["lon",east],ANGLEUNIT["degree",0.0174532925199433]]],'
                     'ABRIDGEDTRANSFORMATION["u to WGS84",METHOD["NTv2",ID["EPSG",9615]],PARAMETERFILE['
                     '"Latitude and longitude difference file","{}"]]]',
}
# Texts that make PROJ open a path when something is projected.
LATE = ('GEOGCS["g",DATUM["d",SPHEROID["s",' + ELLIPSOID + ']],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],'
        'EXTENSION["PROJ4","+proj=longlat +ellps=airy +nadgrids={}"]]')
ALL = SHORT | LONG | {"late": LATE}


def run(code, *arguments, timeout=30):
    """Runs Python with the library in a process of its own; None if it does not come back."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(ROOT / "bindings" / "python"),
                                                               str(ROOT / "Tests" / "policy")]))
    try:
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)], timeout=timeout,
                              capture_output=True, text=True, env=environment)
    except subprocess.TimeoutExpired:
        return None
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return done.stdout


OPEN = """
    import alidade, sys
    kind = getattr(alidade, sys.argv[1])
    with alidade.Runtime() as runtime:
        for path in sys.argv[2:]:
            print("<", flush=True)
            try:
                with kind(runtime, path) as data:
                    data.read_cells([[0, 0]]) if kind is alidade.Raster else data.query()
                    print("opened", data.info)
            except alidade.AlidadeError as failure:
                print(type(failure).__name__, failure.message)
"""


def open_all(carrier, paths):
    """What opening each of some files in one process says."""
    kind = "Raster" if carrier in RASTERS else "FeatureSource"
    answer = run(OPEN, kind, *paths)
    if answer is None:
        # Once more, one by one: which of them?
        hangs = [path for path in paths if run(OPEN, kind, path, timeout=10) is None]
        pytest.fail(f"hangs: {hangs}")
    return [part.strip() for part in answer.split("<\n")[1:]]


def raster_file(path, driver="GTiff", srs=None, kind=gdal.GDT_Byte, **options):
    memory = gdal.GetDriverByName("MEM").Create("", SIZE, SIZE, 1, kind)
    memory.SetGeoTransform([1, 0.01, 0, 50, 0, -0.01])
    if srs is not None:
        reference = osr.SpatialReference()
        reference.SetFromUserInput(srs)
        memory.SetSpatialRef(reference)
    memory.GetRasterBand(1).Fill(7)
    gdal.GetDriverByName(driver).CreateCopy(str(path), memory, **options).FlushCache()
    return path


def feature_file(path, driver, srs=None, **options):
    reference = None
    if srs is not None:
        reference = osr.SpatialReference()
        reference.SetFromUserInput(srs)
    data = gdal.GetDriverByName(driver).Create(str(path), 0, 0, 0, gdal.GDT_Unknown)
    layer = data.CreateLayer("a", reference, ogr.wkbPoint, **options)
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetGeometry(ogr.CreateGeometryFromWkt("POINT (1 50)"))
    layer.CreateFeature(feature)
    del feature, layer, data
    return path


# The carriers. Each takes a folder and a text, writes files and gives the one to open. When they are written, a grid
# lies where the text leads.


def xml(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def vrt_srs(folder, text):
    write_raster(folder / "a.tif")
    (folder / "a.vrt").write_text(vrt(source("a.tif")).replace("EPSG:32633", xml(text)))
    return folder / "a.vrt"


def vrt_references(folder, text):
    """The same with each sign as a number."""
    return_path = vrt_srs(folder, "@@")
    return_path.write_text(return_path.read_text().replace("@@", "".join(f"&#{ord(sign)};" for sign in text)))
    return return_path


def vrt_control_points(folder, text):
    write_raster(folder / "a.tif")
    points = f'<GCPList Projection="{xml(text)}"><GCP Id="" Pixel="0" Line="0" X="0" Y="0"/></GCPList>'
    (folder / "a.vrt").write_text(vrt(source("a.tif"), before=points))
    return folder / "a.vrt"


def vrt_nested(folder, text):
    """In a file that the opened one names."""
    vrt_srs(folder, text)
    (folder / "outer.vrt").write_text(vrt(source("a.vrt")))
    return folder / "outer.vrt"


def vrt_warped(folder, text):
    write_raster(folder / "a.tif")
    warped = folder / "warped.vrt"
    gdal.Warp(str(warped), str(folder / "a.tif"), format="VRT", dstSRS="EPSG:3857").FlushCache()
    words = warped.read_text()
    start = words.index("<SourceSRS>") + len("<SourceSRS>")
    warped.write_text(words[:start] + xml(text) + words[words.index("</SourceSRS>"):])
    return warped


def aux_xml(folder, text):
    write_raster(folder / "a.tif")
    (folder / "a.tif.aux.xml").write_text(f"<PAMDataset><SRS>{xml(text)}</SRS></PAMDataset>")
    return folder / "a.tif"


def aux_xml_of_a_source(folder, text):
    aux_xml(folder, text)
    (folder / "outer.vrt").write_text(vrt(source("a.tif")))
    return folder / "outer.vrt"


def geolocation(folder, text):
    write_raster(folder / "a.tif")
    (folder / "a.tif.aux.xml").write_text(
        f'<PAMDataset><Metadata domain="GEOLOCATION"><MDI key="SRS">{xml(text)}</MDI></Metadata></PAMDataset>')
    return folder / "a.tif"


def ascii_grid(folder, text):
    cells = "\n".join(" ".join(["1"] * 4) for _ in range(4))
    (folder / "a.asc").write_text(f"ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 1\n{cells}\n")
    (folder / "a.prj").write_text(text)
    return folder / "a.asc"


def upper_case(folder, text):
    ascii_grid(folder, text)
    (folder / "a.asc").rename(folder / "A.ASC")
    (folder / "a.prj").rename(folder / "A.PRJ")
    return folder / "A.ASC"


def binary_grid(folder, text):
    raster_file(folder / "a.bil", "EHdr")
    (folder / "a.prj").write_text(text)
    return folder / "a.bil"


def saga(folder, text):
    raster_file(folder / "a.sdat", "SAGA")
    (folder / "a.prj").write_text(text)
    return folder / "a.sdat"


def envi(folder, text):
    raster_file(folder / "a.img", "ENVI")
    header = folder / "a.hdr"
    header.write_text(header.read_text() + f"\ncoordinate system string = {{{text}}}\n")
    return folder / "a.img"


def r_raster(folder, text):
    raster_file(folder / "a.grd", "RRASTER")
    header = folder / "a.grd"
    header.write_text(header.read_text().replace("[georeference]", f"[georeference]\nprojection={text}"))
    return folder / "a.grd"


def terrain(folder, text):
    memory = raster_file(folder / "a.bt", "BT", kind=gdal.GDT_Int16)
    bytes_ = bytearray(memory.read_bytes())
    bytes_[60:62] = struct.pack("<h", 1)
    memory.write_bytes(bytes_)
    (folder / "a.prj").write_text(text)
    return folder / "a.bt"


def tiff_citation(folder, text):
    """Esri's text in a key of a GeoTIFF."""
    raster_file(folder / "a.tif", srs=text, options=["GEOTIFF_KEYS_FLAVOR=ESRI_PE", "PROFILE=GeoTIFF"])
    return folder / "a.tif"


def tiff_text(folder, text):
    """Esri's text in a GeoTIFF, with keys written by hand: all in one tag, which lies behind the cells."""
    path = raster_file(folder / "a.tif")
    return append_geokeys(path, b"ESRI PE String = " + text.encode() + b"|")


def append_geokeys(path, citation, filling=True):
    data = bytearray(path.read_bytes())
    first, = struct.unpack_from("<I", data, 4)
    count, = struct.unpack_from("<H", data, first)
    entries = [data[first + 2 + 12 * i:first + 14 + 12 * i] for i in range(count)]
    entries = [entry for entry in entries if struct.unpack_from("<H", entry)[0] not in (34735, 34737)]
    while filling and len(data) < 9_000_000 or len(data) % 2:
        data += b"\0" * (65537 if filling else 1)

    def value(tag, kind, number, blob):
        entries.append(struct.pack("<HHII", tag, kind, number, len(data)))
        data.extend(blob + b"\0" * (len(blob) % 2))
    keys = [(1024, 0, 1, 1), (1025, 0, 1, 1), (3072, 0, 1, 32767), (3073, 34737, len(citation), 0)]
    value(34735, 3, 4 * (len(keys) + 1), struct.pack("<4H", 1, 1, 0, len(keys)) +
          b"".join(struct.pack("<4H", *key) for key in keys))
    value(34737, 2, len(citation) + 1, citation + b"\0")
    directory = len(data)
    entries.sort(key=lambda entry: struct.unpack_from("<H", entry)[0])
    data += struct.pack("<H", len(entries)) + b"".join(entries) + b"\0\0\0\0"
    struct.pack_into("<I", data, 4, directory)
    path.write_bytes(data)
    return path


def jpeg_2000(folder, text):
    """In the small GeoTIFF that a box holds."""
    raster_file(folder / "a.jp2", "JP2OpenJPEG", options=["GeoJP2=NO", "GMLJP2=NO"])
    raster_file(folder / "small.tif")
    tiff = append_geokeys(folder / "small.tif", b"ESRI PE String = " + text.encode() + b"|", filling=False).read_bytes()
    (folder / "small.tif").unlink()
    box = bytes.fromhex("b14bf8bd083d4b43a5ae8cd7d5a6ce03") + tiff
    data = (folder / "a.jp2").read_bytes()
    start = data.index(b"jp2c") - 4
    (folder / "a.jp2").write_bytes(data[:start] + struct.pack(">I", len(box) + 8) + b"uuid" + box + data[start:])
    return folder / "a.jp2"


def imagine(folder, text):
    return raster_file(folder / "a.img", "HFA", srs=text, options=["FORCETOPESTRING=YES"])


def zarr(folder, text):
    raster_file(folder / "a.zarr", "Zarr")
    attributes = next((folder / "a.zarr").rglob(".zattrs"), None)
    arrays = list((folder / "a.zarr").rglob(".zarray"))
    for array in arrays:
        (array.parent / ".zattrs").write_text(json.dumps({"_CRS": {"wkt": text}}))
    for metadata in (folder / "a.zarr").glob(".zmetadata"):
        metadata.unlink()
    return folder / "a.zarr"


def netcdf(folder, text):
    raster_file(folder / "a.nc", "netCDF", srs="EPSG:4326")
    import netCDF4
    with netCDF4.Dataset(folder / "a.nc", "r+") as data:
        for variable in data.variables.values():
            if "spatial_ref" in variable.ncattrs():
                for name in ("crs_wkt", "spatial_ref"):
                    variable.setncattr(name, text)
    return folder / "a.nc"


RASTERS = [vrt_srs, vrt_references, vrt_control_points, vrt_nested, vrt_warped, aux_xml, aux_xml_of_a_source, geolocation,
           ascii_grid, upper_case, binary_grid, saga, envi, r_raster, terrain, tiff_citation, tiff_text,
           jpeg_2000, imagine, zarr]


# Of features


def shapefile(folder, text):
    feature_file(folder / "a.shp", "ESRI Shapefile")
    (folder / "a.prj").write_text(text)
    return folder / "a.shp"


def shapefile_folder(folder, text):
    (folder / "layers").mkdir()
    shapefile(folder / "layers", text)
    return folder / "layers"


def geojson_with(crs, **more):
    feature = {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 50]}}
    return {"type": "FeatureCollection", **more, "features": [feature], "crs": crs}


def geojson(folder, text):
    (folder / "a.geojson").write_text(json.dumps(geojson_with({"type": "name", "properties": {"name": text}})))
    return folder / "a.geojson"


def geojson_escaped(folder, text):
    """The same with each sign as a number, also in the name of the member."""
    def escaped(part):
        return "".join(f"\\u{ord(sign):04x}" for sign in part)

    words = json.dumps(geojson_with({"type": "name", "properties": {"name": "@@"}}))
    (folder / "a.geojson").write_text(words.replace("@@", escaped(text)).replace('"crs"', f'"{escaped("crs")}"'))
    return folder / "a.geojson"


def geojson_alone(folder, text):
    """Of one feature."""
    (folder / "a.geojson").write_text(json.dumps(
        {"crs": {"type": "name", "properties": {"name": text}}, "type": "Feature", "properties": {},
         "geometry": {"type": "Point", "coordinates": [1, 50]}}))
    return folder / "a.geojson"


def esri_json(folder, text):
    (folder / "a.json").write_text(json.dumps(
        {"geometryType": "esriGeometryPoint", "spatialReference": {"wkt": text}, "fields": [],
         "features": [{"geometry": {"x": 1, "y": 50}, "attributes": {}}]}))
    return folder / "a.json"


def topo_json(folder, text):
    (folder / "a.topojson").write_text(json.dumps(
        {"type": "Topology", "crs": {"type": "name", "properties": {"name": text}}, "arcs": [],
         "objects": {"a": {"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 50]}]}}}))
    return folder / "a.topojson"


def vector_vrt(folder, text, element="LayerSRS"):
    feature_file(folder / "a.geojson", "GeoJSON")
    (folder / "a.vrt").write_text(
        '<OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource relativeToVRT="1" shared="0">a.geojson</SrcDataSource>'
        f"<{element}>{xml(text)}</{element}></OGRVRTLayer></OGRVRTDataSource>")
    return folder / "a.vrt"


def vector_vrt_warped(folder, text):
    vector_vrt(folder, "EPSG:4326")
    words = (folder / "a.vrt").read_text()
    words = words.replace("<OGRVRTLayer", "<OGRVRTWarpedLayer><OGRVRTLayer").replace(
        "</OGRVRTLayer>", f"</OGRVRTLayer><SrcSRS>{xml(text)}</SrcSRS><TargetSRS>EPSG:3857</TargetSRS></OGRVRTWarpedLayer>")
    (folder / "a.vrt").write_text(words)
    return folder / "a.vrt"


def flatgeobuf(folder, text):
    return feature_file(folder / "a.fgb", "FlatGeobuf", text)


def gml(folder, text):
    (folder / "a.gml").write_text(
        '<ogr:FeatureCollection xmlns:ogr="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml">'
        f'<gml:featureMember><ogr:a fid="a.0"><ogr:geometryProperty><gml:Point srsName="{xml(text)}">'
        "<gml:coordinates>1,50</gml:coordinates></gml:Point></ogr:geometryProperty></ogr:a></gml:featureMember>"
        "</ogr:FeatureCollection>")
    return folder / "a.gml"


def gml_template(folder, text):
    gml(folder, "EPSG:4326")
    (folder / "a.gfs").write_text(
        "<GMLFeatureClassList><GMLFeatureClass><Name>a</Name><ElementPath>a</ElementPath>"
        f"<SRSName>{xml(text)}</SRSName></GMLFeatureClass></GMLFeatureClassList>")
    os.utime(folder / "a.gfs", (2e9, 2e9))
    return folder / "a.gml"


def gmt(folder, text, kind="p"):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    (folder / "a.gmt").write_text(f'# @VGMT1.0 @GPOINT\n# @J{kind}"{escaped}"\n# FEATURE_DATA\n1 50\n')
    return folder / "a.gmt"


def gmt_text(folder, text):
    return gmt(folder, text, "w")


def wasp(folder, text):
    (folder / "a.map").write_text(f"{text}\n 0.0 0.0 0.0 0.0\n 1.0 0.0 1.0 0.0\n 1.0 0.0\n 10.0 2\n 0.0 0.0 1.0 1.0\n")
    return folder / "a.map"


def csv(folder, text):
    (folder / "a.csv").write_text('WKT,a\n"POINT (1 50)",1\n')
    (folder / "a.prj").write_text(text)
    return folder / "a.csv"


def file_geodatabase(folder, text):
    data = folder / "a.gdb"
    feature_file(data, "OpenFileGDB", text)
    return data


FEATURES = [shapefile, shapefile_folder, geojson, geojson_escaped, geojson_alone, esri_json, topo_json, vector_vrt,
            vector_vrt_warped, flatgeobuf, gml, gml_template, gmt, gmt_text, wasp, csv, file_geodatabase]


def trapped(folder, carrier, text, make):
    """Writes a carrier while a grid lies where its text leads, then replaces the grid by a pipe."""
    trap = folder / "elsewhere" / "t"
    trap.parent.mkdir()
    shutil.copy(GRID, trap)
    inside = folder / "inside"
    inside.mkdir()
    path = make(inside, ALL[text].format(trap))
    trap.unlink()
    os.mkfifo(trap)
    return path, trap


def holds(folder, text):
    """Whether a file still has a text in it, as it is or as it is escaped: GDAL may have written something else."""
    forms = {text, json.dumps(text)[1:-1], xml(text)}
    forms = [form.encode(encoding) for form in forms for encoding in ("utf-8", "utf-16-le")]
    # Of those, the path is enough.
    return any(form in file.read_bytes() for file in folder.rglob("*") if file.is_file() for form in forms)


@pytest.mark.parametrize("carrier", RASTERS + FEATURES, ids=lambda carrier: carrier.__name__)
def test_a_file_with_a_path_in_its_spatial_reference(tmp_path, carrier):
    cases = []
    for text in ALL:
        (tmp_path / text).mkdir()
        cases.append((text, *trapped(tmp_path / text, carrier, text, carrier)))
    for (text, path, trap), answer in zip(cases, open_all(carrier, [path for _, path, _ in cases]), strict=True):
        if holds(path.parent, str(trap)) or carrier in (geojson_escaped, vrt_references):
            assert answer.startswith("PolicyRefusedError") and RULE in answer, (text, answer)
            assert str(trap) in answer and "data_directories" in answer, (text, answer)
        else:
            # GDAL has written what it made of the text.
            assert text in ("init", "late") and carrier in (tiff_citation, imagine, flatgeobuf, file_geodatabase), answer


# What may be named


@pytest.mark.parametrize("text", [
    "+proj=longlat +ellps=clrk80ign +nadgrids=@null +no_defs", "+proj=longlat +ellps=clrk80ign +nadgrids=ntf_r93.gsb",
    "+proj=longlat +ellps=clrk80ign +nadgrids=@nowhere.gsb,null", "+init=epsg:4326", "EPSG:27700",
    LONG["PROJ4_GRIDS"].format("ntf_r93.gsb"), "urn:ogc:def:crs:EPSG::4326", "http://www.opengis.net/def/crs/EPSG/0/4326",
    "NAD83 / UTM zone 10N",
])
def test_texts_without_a_path_are_read(runtime, tmp_path, text):
    with alidade.Raster(runtime, vrt_srs(tmp_path, text)) as raster:
        assert raster.info.driver == "VRT"
    (tmp_path / "a.vrt").unlink()
    with alidade.Raster(runtime, ascii_grid(tmp_path, text)) as raster:
        assert raster.info.driver == "AAIGrid"
    with alidade.FeatureSource(runtime, geojson(tmp_path, text)) as source_:
        assert len(source_.query()) == 1


def test_grids_of_folders_that_the_policy_names(tmp_path):
    """By their paths: in the folders of the policy and in grid directories, and nowhere else."""
    for name in ("named", "grids", "other"):
        (tmp_path / name).mkdir()
        shutil.copy(GRID, tmp_path / name / "g.gsb")
    french = "+proj=longlat +ellps=clrk80ign +nadgrids={} +no_defs +type=crs"
    with alidade.Runtime(policy=alidade.Policy(data_directories=[tmp_path / "named"])) as runtime:
        runtime.set_grid_directories([tmp_path / "grids"])
        for name in ("named/g.gsb", "grids/g.gsb"):
            grid = tmp_path / name
            here = alidade.SpatialReference(runtime, french.format(grid))
            image = alidade.Geometry.from_wkt(runtime, "POINT (2.5 47)", here).project(
                alidade.SpatialReference(runtime, "EPSG:3857"))
            plain = alidade.Geometry.from_wkt(
                runtime, "POINT (2.5 47)", alidade.SpatialReference(runtime, french.format("@null"))).project(
                alidade.SpatialReference(runtime, "EPSG:3857"))
            assert image.statuses[0] == 0 and image.geometry.to_wkt() != plain.geometry.to_wkt()
            (tmp_path / name.replace("g.gsb", "files")).mkdir()
            with alidade.Raster(runtime, vrt_srs(tmp_path / name.replace("g.gsb", "files"), french.format(grid))) as raster:
                assert raster.info.driver == "VRT"
        for grid in (tmp_path / "other" / "g.gsb", tmp_path / "grids" / ".." / "other" / "g.gsb", "~/g.gsb", "./g.gsb"):
            with pytest.raises(alidade.errors.PolicyRefusedError, match="spatial-reference-text"):
                alidade.SpatialReference(runtime, french.format(grid))


HOST_TEXTS = [
    "+proj=xyzgridshift +grids={}", "+proj=hgridshift +grids={}", "+proj=vgridshift +grids = @a , {}",
    '+proj=hgridshift +grids="{}"', "proj=hgridshift grids={}", "+proj=defmodel +model={}", "+proj=tinshift +file={}",
    "+proj=deformation +xy_grids={} +z_grids=a +t_epoch=2000 +ellps=GRS80", "+proj=pipeline +step +init={}:x",
    "+proj=pipeline +step +proj=hgridshift +grids={}",
    'CONVERSION["x",METHOD["PROJ-based operation method: +proj=hgridshift +grids={}"]]',
    '{{"type": "Conversion", "name": "x", "method": {{"name": "PROJ-based operation method: '
    '+proj=hgridshift +gr\\u0069ds={}"}}}}',
]


@pytest.mark.parametrize("text", HOST_TEXTS)
def test_a_transformation_with_a_path(tmp_path, text):
    os.mkfifo(tmp_path / "t")
    answer = run("""
        import alidade, sys
        with alidade.Runtime() as runtime:
            try:
                alidade.Transformation.from_text(runtime, sys.argv[1])
            except alidade.AlidadeError as failure:
                print(type(failure).__name__, failure.argument, failure.message)
    """, text.format(tmp_path / "t"))
    assert answer is not None, "hangs"
    assert answer.startswith("PolicyRefusedError 2 ") and RULE in answer and str(tmp_path / "t") in answer, answer


def test_a_pipe_among_the_grids(tmp_path):
    """A plain name, under which a grid directory has a pipe: to PROJ, no grid is there."""
    os.mkfifo(tmp_path / "g.gsb")
    (tmp_path / "device.gsb").symlink_to("/dev/zero")
    answer = run("""
        import alidade, sys
        with alidade.Runtime() as runtime:
            runtime.set_grid_directories([sys.argv[1]])
            for name in ("g.gsb", "device.gsb", "ntf_r93.gsb"):
                try:
                    print(alidade.Transformation.from_text(runtime, "+proj=hgridshift +grids=" + name))
                except alidade.AlidadeError as failure:
                    print(type(failure).__name__, failure.message)
    """, tmp_path)
    assert answer is not None, "hangs"
    first, second, third = answer.splitlines()
    assert first.startswith("MissingGridError") and "g.gsb" in first
    assert second.startswith("MissingGridError") and "device.gsb" in second
    assert "Transformation" in third


# Limits


def nested(depth):
    """PROJJSON within PROJJSON."""
    return '{"type":"BoundCRS","source_crs":' * depth + '"x"' + "}" * depth


TOO_MUCH = {
    "nested": nested(5000), "brackets": "A[" * 20000 + "]" * 20000, "just": nested(17),
    "long": 'GEOGCS["' + "x" * (1 << 18) + '"]', "parameters": "+proj=longlat " + "+a=1 " * 5000,
    "nested deeply": nested(7500),
}


@pytest.mark.parametrize("text", TOO_MUCH)
def test_texts_of_the_host_that_are_too_much(tmp_path, text):
    (tmp_path / "text").write_text(TOO_MUCH[text])
    answer = run("""
        import alidade, sys
        text = open(sys.argv[1]).read()
        with alidade.Runtime() as runtime:
            for make in (alidade.SpatialReference, alidade.Transformation.from_text):
                try:
                    make(runtime, text)
                    print("made")
                except alidade.AlidadeError as failure:
                    print(type(failure).__name__, failure.argument, failure.message)
    """, tmp_path / "text")
    assert answer is not None, "hangs"
    for line in answer.splitlines():
        assert line.startswith("LimitExceededError 2 ") and RULE in line, line


@pytest.mark.parametrize("text", ["EPSG:4326\\u0000junk", "\\u0000EPSG:4326", "\\u0000"])
def test_a_nul_does_not_end_a_text(runtime, text):
    point = '{"type": "Point", "coordinates": [1, 2], "crs": {"type": "name", "properties": {"name": "%s"}}}' % text
    with pytest.raises(alidade.errors.InvalidArgumentError, match="has a NUL"):
        alidade.Geometry.from_geojson(runtime, point)


@pytest.mark.parametrize("carrier", [vrt_srs, aux_xml, vrt_warped, ascii_grid, zarr, geojson, geojson_escaped, esri_json,
                                     vector_vrt, shapefile, gml, gml_template], ids=lambda carrier: carrier.__name__)
def test_texts_in_files_that_are_too_much(tmp_path, carrier):
    paths = []
    for text in TOO_MUCH:
        (tmp_path / text).mkdir()
        paths.append(carrier(tmp_path / text, TOO_MUCH[text]))
    for text, answer in zip(TOO_MUCH, open_all(carrier, paths), strict=True):
        assert answer.startswith("LimitExceededError") and RULE in answer, (text, answer)


# Folders


@pytest.mark.parametrize("kind", ["Raster", "FeatureSource"])
def test_a_folder_is_not_searched_as_a_tree(tmp_path, kind):
    """It may be the root of all of the host's files; with links, the tree has no end."""
    for link in range(8):
        (tmp_path / f"link{link}").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "a.prj")
    answer = run(OPEN, kind, tmp_path)
    assert answer is not None, "hangs"
    assert "not recognized as" in answer or "is no file but a pipe" in answer, answer


def test_a_tree_of_zarrs_has_an_end(tmp_path):
    path = zarr(tmp_path, "EPSG:4326")
    for link in range(8):
        (path / f"link{link}").symlink_to(path)
    answer = run(OPEN, "Raster", path)
    assert answer is not None, "hangs"
    assert "LimitExceededError" in answer and "(rule: file-count)" in answer, answer


# The network of PROJ


def test_projs_network_stays_off(tmp_path, server):
    """Also where the host's environment turns it on: GDAL's contexts of PROJ follow it."""
    def warped(name, system, target):
        folder = tmp_path / name
        folder.mkdir()
        raster_file(folder / "a.tif", srs="EPSG:4326")
        gdal.Warp(str(folder / "w.vrt"), str(folder / "a.tif"), format="VRT", dstSRS="EPSG:3857").FlushCache()
        words = (folder / "w.vrt").read_text()
        start, end = words.index("<SourceSRS>") + len("<SourceSRS>"), words.index("</SourceSRS>")
        words = words[:start] + xml(system) + words[end:]
        start, end = words.index("<TargetSRS>") + len("<TargetSRS>"), words.index("</TargetSRS>")
        (folder / "w.vrt").write_text(words[:start] + target + words[end:])
        return folder / "w.vrt"

    def folder(name):
        (tmp_path / name).mkdir()
        return tmp_path / name

    refused = [
        warped("osgb", "EPSG:4277", "EPSG:4326"), warped("nad27", "EPSG:4267", "EPSG:4326"),
        warped("named", "+proj=longlat +ellps=airy +nadgrids=nowhere.gsb", "EPSG:3857"),
        vector_vrt_warped(folder("vector"), "EPSG:27700"), vrt_srs(folder("init"), "+init=nowhere:1"),
        geojson(folder("json"), "+init=nowhere:1"),
    ]
    # Nothing of these can need a file.
    allowed = [warped("utm", "EPSG:4326", "EPSG:3857"), vrt_srs(folder("epsg"), "+init=epsg:4326"),
               geojson(folder("grid"), "+proj=longlat +ellps=airy +nadgrids=nowhere.gsb +no_defs")]
    code = """
        import alidade, os, sys
        os.environ["PROJ_NETWORK"], os.environ["PROJ_NETWORK_ENDPOINT"] = "ON", sys.argv[1]
        with alidade.Runtime() as runtime:
            for path in sys.argv[2:]:
                kind = alidade.FeatureSource if path.endswith("json") or "/vector/" in path else alidade.Raster
                try:
                    with kind(runtime, path) as data:
                        data.query() if kind is alidade.FeatureSource else data.read_cells([[0, 0]])
                        print("opened")
                except alidade.AlidadeError as failure:
                    print(type(failure).__name__, failure.message)
            here = alidade.SpatialReference(runtime, "+proj=longlat +ellps=airy +nadgrids=nowhere.gsb")
            there = alidade.SpatialReference(runtime, "EPSG:3857")
            try:
                alidade.Geometry.from_wkt(runtime, "POINT (1 50)", here).project(there)
            except alidade.AlidadeError as failure:
                print(type(failure).__name__)
    """
    answer = run(code, f"http://{server.address}", *refused, *allowed)
    assert answer is not None, "hangs"
    assert server.requests == []
    lines = answer.splitlines()
    for path, line in zip(refused, lines):
        assert line.startswith("PolicyRefusedError") and "(rule: network)" in line and "PROJ_NETWORK" in line, (path, line)
    assert lines[len(refused):] == ["opened"] * len(allowed) + ["MissingGridError"], lines


# Areas of use


JAPAN = ('GEOGCRS["JGD2011",DATUM["Japanese Geodetic Datum 2011",ELLIPSOID["GRS 1980",6378137,298.257222101]],'
         'CS[ellipsoidal,2],AXIS["lat",north],AXIS["lon",east],ANGLEUNIT["degree",0.0174532925199433],'
         'USAGE[SCOPE["x"],AREA["Japan"],BBOX[17,{},46,{}]],ID["EPSG",6668]]')


def japan_as_json(west, east, **names):
    text = osr.SpatialReference()
    text.ImportFromEPSG(6668)
    system = json.loads(text.ExportToPROJJSON())
    for usage in system.get("usages", [system]):
        usage["bbox"] |= {"west_longitude": west, "east_longitude": east}
    text = json.dumps(system)
    for name, other in names.items():
        text = text.replace(name, other)
    return text


@pytest.mark.parametrize("west, east", [(1902.38, 157.65), (180, -170), (180, 180), (-180, -180), (170, -180), (170, -190)])
def test_areas_on_which_proj_does_not_end(runtime, tmp_path, west, east):
    texts = [JAPAN.format(west, east), JAPAN.format(west, east).replace("BBOX[", "bBox ("),
             japan_as_json(west, east), japan_as_json(west, east, west_longitude="w\\u0065st_longitude")]
    message = f"from {west} to {east} degrees of longitude"
    for text in texts:
        with pytest.raises(alidade.errors.InvalidArgumentError, match=message):
            alidade.SpatialReference(runtime, text)
    for kind, carrier in (alidade.Raster, vrt_warped), (alidade.FeatureSource, vector_vrt_warped):
        (tmp_path / carrier.__name__).mkdir()
        with pytest.raises(alidade.errors.InvalidArgumentError, match=message):
            kind(runtime, carrier(tmp_path / carrier.__name__, texts[0]))
    with alidade.Raster(runtime, vrt_srs(tmp_path, texts[0])) as raster:
        assert raster.spatial_reference is None


@pytest.mark.parametrize("west, east", [(122, 157), (170, -170), (-180, 180), (190, 200), (140, 140), (-200, -190)])
def test_areas_on_which_proj_ends(runtime, west, east):
    """Also from and to the systems next to it, for which PROJ cuts the areas with each other."""
    for text in JAPAN.format(west, east), japan_as_json(west, east):
        system = alidade.SpatialReference(runtime, text)
        for other in ("EPSG:6668", "EPSG:4612", "EPSG:4269", "EPSG:4326"):
            for pair in (system, other), (other, system):
                assert alidade.project_coordinates(*pair, [140], [35]).x[0] == pytest.approx(140, abs=1e-4)
                list(alidade.TransformationList(*pair))
