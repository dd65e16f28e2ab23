"""Names that are more than paths, and files that name others in places of their own: nothing outside of the folder is
opened, read or written, before or after the refusal."""
import ctypes
import ctypes.util
import os
import subprocess
import sys

import alidade
import numpy
import pytest
from osgeo import gdal, ogr

from conftest import SIZE, cells, source, vrt, write_raster
from test_nothing_written import listing
from test_references import refused, truth

gdal.UseExceptions()
RECTANGLE = f'xOff="0" yOff="0" xSize="{SIZE}" ySize="{SIZE}"'


class Watch:
    """Whether anybody opens a file while the block runs."""

    def __init__(self, path):
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._queue = self._libc.inotify_init1(os.O_NONBLOCK)
        assert self._libc.inotify_add_watch(self._queue, os.fsencode(path), 0x20) >= 0  # IN_OPEN
        self.opened = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.opened = bool(os.read(self._queue, 4096))
        except BlockingIOError:
            pass
        os.close(self._queue)


@pytest.fixture
def folders(tmp_path):
    """A folder to open files in, and one whose files nobody may open."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir(), outside.mkdir()
    return inside, outside


def isolated(code, seconds=60, cwd=None):
    """Runs Python code with a runtime in a process of its own; gives what it prints."""
    program = "import alidade, numpy\nruntime = alidade.Runtime()\n" + code
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run([sys.executable, "-c", program], env=environment, text=True, capture_output=True,
                          timeout=seconds, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def status_of(path, content="Raster"):
    """What opening a file ends with, in a process of its own, and the message."""
    return isolated(f"""
try:
    opened = alidade.{content}(runtime, {str(path)!r})
    if {content!r} == "Raster":
        opened.read_cells([(0, 0)])
    print("OPEN")
except alidade.AlidadeError as error:
    print(error.status.name, error.message)
""")


def test_the_watch_sees_an_opening(tmp_path):
    path = write_raster(tmp_path / "a.tif")
    with Watch(path) as watch:
        gdal.Open(str(path))
    assert watch.opened
    with Watch(path) as watch:
        os.stat(path)
    assert not watch.opened


# Names with a driver's word before them


PREFIXED = [
    "GTIFF_DIR:1:{}", "GTIFF_DIR:off:8:{}", "GTIFF_RAW:{}", "GTIFF_RAW:GTIFF_DIR:1:{}", "gtiff_raw:{}",
    "JPEG_SUBFILE:0,99999,{}", "JPEG_SUBFILE:Q1,0,99999,{}", 'JPEG:"{}":FLIR_RAW_THERMAL_IMAGE', "NITF_IM:0:{}",
    "PDF:1:{}", "PDF_IMAGE:1:2:{}", "NTv2:0:{}", "HEIF:1:{}", 'FITS:"{}":1', "GPKG:{}:t", "PDS4:{}:1:1", "HRV:{}",
    "RAD:{}", "L1BGCPS:{}", 'L1B_ANGLES:"{}"', 'NETCDF:"{}":v', "NETCDF:{}:v", 'HDF5:"{}"://v', 'BAG:"{}":bathymetry',
    'HDF4_SDS:UNKNOWN:"{}":0', "HDF4_SDS:UNKNOWN:{}:0", 'HDF4_EOS:EOS_GRID:"{}":g:f', "HDF4_GR:UNKNOWN:{}:0",
    'ZARR:"{}":/v', "vrt://{}?bands=1", "vrt://GTIFF_RAW:{}", "vrt://vrt://{}", "RASTERLITE:{},table=t",
    'TILEDB:"{}":a', "ADRG:{},{}", "SRP:{},{}", "SENTINEL2_L1C:{}:10m:EPSG_32632", "STACIT:\"{}\":collection=c",
    "DERIVED_SUBDATASET:AMPLITUDE:{}", "MVT:{}", "EXR:1:{}", "RADARSAT_2_CALIB:SIGMA0:{}", "CSV:{}", "DIMAP:\"{}\":x",
    "WMTS:{}", "WMS:{}", "WCS:{}", "MEM:::DATAPOINTER=1,FILE={}", "IDA:{}", "x:{}", "nonsense:{}", "file:{}",
    "NETCDF:\"{}", "NETCDF:\"{}\"x:v", "NETCDF:\"a\\\"{}\":v", "ssh://{}", "{{\"type\":\"{}\"}}",
]  # fmt: skip


@pytest.mark.parametrize("form", PREFIXED)
@pytest.mark.parametrize("relative", [0, 1])
def test_a_file_elsewhere_behind_a_word(folders, form, relative):
    """Each word that GDAL knows, and some that it does not: the path in the name is what counts."""
    inside, outside = folders
    far = write_raster(outside / "far.tif")
    # Behind folders that are there, so that a name which is taken for one whole path leads somewhere as well.
    (inside / "x.vrt").write_text(vrt(source(form.format(far, far), relative)))
    with Watch(far) as watch:
        outcome = status_of(inside / "x.vrt")
    assert not watch.opened, outcome
    # A name that GDAL itself puts behind the VRT's folder is one of a file that is not there.
    if relative == 0:
        assert outcome.startswith("POLICY_REFUSED"), outcome
        assert any(f"(rule: {rule})" in outcome for rule in ("folders", "drivers", "spatial-reference-text")), outcome
    else:
        assert outcome.startswith(("POLICY_REFUSED", "READ_FAILED")), outcome


@pytest.mark.parametrize("form", ['NETCDF:"{}":Band1', "NETCDF:{}:Band1", 'HDF5:"{}"://Band1', "NITF_IM:0:{}", "PDF:1:{}"])
@pytest.mark.parametrize("driver", ["netCDF", "HDF5Image"])
def test_a_relative_source_behind_a_word(folders, form, driver):
    """GDAL puts the VRT's folder before the path in these names, and leaves whole paths as they are."""
    inside, outside = folders
    gdal.Translate(str(outside / "far.nc"), str(write_raster(inside / "a.tif")), format="netCDF",
                   creationOptions=["FORMAT=NC4"])
    with alidade.Runtime(policy=alidade.Policy(drivers=["netCDF", "HDF5", "HDF5Image"], add_drivers=True)) as runtime:
        for name in (outside / "far.nc", "../outside/far.nc"):
            (inside / "x.vrt").write_text(vrt(source(form.format(name), 1)))
            with Watch(outside / "far.nc") as watch:
                refused(inside / "x.vrt", "folders", "far.nc", runtime=runtime)
            assert not watch.opened


def test_names_behind_words_that_are_allowed(runtime, folders):
    inside, _ = folders
    path = write_raster(inside / "a.tif")
    names = [(f"GTIFF_DIR:1:{path}", 0), (f"GTIFF_RAW:{path}", 0), (f"GTIFF_RAW:GTIFF_DIR:1:{path}", 0),
             (f"vrt://{path}?bands=1", 0), (f"vrt://GTIFF_DIR:1:{path}", 0)]
    gdal.Translate(str(inside / "a.ntf"), str(path), format="NITF")
    gdal.Translate(str(inside / "a.nc"), str(path), format="netCDF")
    names += [(f"NITF_IM:0:{inside}/a.ntf", 0), ("NITF_IM:0:a.ntf", 1)]
    for name, relative in names:
        (inside / "x.vrt").write_text(vrt(source(name, relative)))
        with alidade.Raster(runtime, inside / "x.vrt") as raster:
            numpy.testing.assert_array_equal(cells(raster), truth(path))
    # As the host's own name, too: what lies next to the file is looked at.
    with alidade.Raster(runtime, f"GTIFF_DIR:1:{path}") as raster:
        numpy.testing.assert_array_equal(cells(raster), truth(path))
    os.mkfifo(inside / "a.tif.ovr")
    assert "pipe" in status_of(f"GTIFF_DIR:1:{path}")
    with alidade.Runtime(policy=alidade.Policy(drivers=["netCDF"], add_drivers=True)) as wider:
        for name, relative in ((f'NETCDF:"{inside}/a.nc":Band1', 0), ('NETCDF:"a.nc":Band1', 1), ("NETCDF:a.nc:Band1", 1)):
            (inside / "x.vrt").write_text(vrt(source(name, relative)))
            with alidade.Raster(wider, inside / "x.vrt") as raster:
                numpy.testing.assert_array_equal(cells(raster), truth(path))


@pytest.mark.parametrize("holder", ["overview", "OVERVIEW_FILE", "warp", "pansharpening", "PCIDSK"])
def test_words_in_other_places(folders, holder):
    inside, outside = folders
    far = write_raster(outside / "far.tif")
    path, name = inside / "x.vrt", f"GTIFF_RAW:{far}"
    if holder == "overview":
        write_raster(inside / "a.tif")
        path.write_text(vrt(source("a.tif"), f"<Overview><SourceFilename>{name}</SourceFilename></Overview>"))
    elif holder == "OVERVIEW_FILE":
        path = write_raster(inside / "a.tif")
        (inside / "a.tif.aux.xml").write_text(
            f'<PAMDataset><Metadata domain="OVERVIEWS"><MDI key="OVERVIEW_FILE">{name}</MDI></Metadata></PAMDataset>')
    elif holder == "warp":
        gdal.Warp(str(path), str(far), format="VRT", dstSRS="EPSG:3857").FlushCache()
        before, behind = path.read_text().split("<SourceDataset")
        path.write_text(f"{before}<SourceDataset>{name}{behind[behind.index('</SourceDataset>'):]}")
    elif holder == "pansharpening":
        band = f'<SourceFilename relativeToVRT="0">{name}</SourceFilename><SourceBand>1</SourceBand>'
        path.write_text(
            '<VRTDataset subClass="VRTPansharpenedDataset"><PansharpeningOptions>'
            f'<PanchroBand>{band}</PanchroBand><SpectralBand dstBand="1">{band}</SpectralBand>'
            "</PansharpeningOptions></VRTDataset>")
    else:
        path = pcidsk(inside / "x.pix", name)
    with Watch(far) as watch:
        outcome = status_of(path)
    assert outcome.startswith("POLICY_REFUSED") and not watch.opened, outcome


@pytest.mark.parametrize("name", ["CSV:../outside/far.csv", "CSV:{}", "{}", "../outside/far.csv", "GPSBABEL:gpx:{}", "x:{}"])
def test_words_in_a_vector_vrt(folders, name):
    inside, outside = folders
    far = outside / "far.csv"
    far.write_text("a,b\n1,2\n")
    (inside / "CSV:..").mkdir()
    for relative in (0, 1, "YES", "2"):
        (inside / "x.vrt").write_text(
            f'<OGRVRTDataSource><OGRVRTLayer name="far"><SrcDataSource relativeToVRT="{relative}">{name.format(far)}'
            "</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>")
        with Watch(far) as watch:
            outcome = status_of(inside / "x.vrt", "FeatureSource")
        assert outcome.startswith("POLICY_REFUSED") and not watch.opened, (relative, outcome)


# Other elements of a VRT


def warped(path, source, *elements, inside=""):
    """A warped VRT with elements in it, and with others among its options."""
    gdal.Warp(str(path), str(source), format="VRT", dstSRS="EPSG:3857").FlushCache()
    path.write_text(path.read_text().replace("<GDALWarpOptions>", "".join(elements) + "<GDALWarpOptions>" + inside))
    return path


def test_a_destination_is_not_opened_to_write(folders):
    inside, outside = folders
    far = write_raster(outside / "far.tif")
    path = warped(inside / "w.vrt", write_raster(inside / "a.tif"),
                  inside=f"<DestinationDataset>{far}</DestinationDataset>")
    before = listing(outside)
    with Watch(far) as watch:
        outcome = status_of(path)
    assert outcome.startswith("POLICY_REFUSED") and "(rule: writing)" in outcome and not watch.opened, outcome
    assert listing(outside) == before


@pytest.mark.parametrize("prefix", ["", "@"])
def test_grids_of_heights_elsewhere(folders, prefix):
    inside, outside = folders
    far = write_raster(outside / "far.tif")
    path = warped(inside / "w.vrt", write_raster(inside / "a.tif"),
                  f"<VerticalShiftGrids><Grids>{prefix}{far}</Grids></VerticalShiftGrids>")
    with Watch(far) as watch:
        outcome = status_of(path)
    assert outcome.startswith("POLICY_REFUSED") and "(rule: folders)" in outcome and not watch.opened, outcome


@pytest.mark.parametrize("element", ["SourceSRS", "TargetSRS"])
def test_spatial_references_that_are_files(folders, element):
    """GDAL opens a text that it does not understand as a file: a pipe makes it wait for ever."""
    inside, outside = folders
    (outside / "srs.txt").write_text("EPSG:4326")
    path = warped(inside / "w.vrt", write_raster(inside / "a.tif"))
    text = path.read_text()
    start, end = text.index(f"<{element}>"), text.index(f"</{element}>")
    path.write_text(f"{text[:start]}<{element}>{outside}/srs.txt{text[end:]}")
    with Watch(outside / "srs.txt") as watch:
        outcome = status_of(path)
    assert outcome.startswith("POLICY_REFUSED") and "(rule: spatial-reference-text)" in outcome and not watch.opened, outcome
    for harmless in ("EPSG:4326", "+proj=longlat +datum=WGS84", "http://www.opengis.net/def/crs/EPSG/0/4326"):
        path.write_text(f"{text[:start]}<{element}>{harmless}{text[end:]}")
        assert "rule" not in status_of(path)


# Formats that name files in places of their own


def pcidsk(path, link, *, long=False):
    """A PCIDSK file whose first channel is in another file."""
    dataset = gdal.GetDriverByName("PCIDSK").Create(str(path), SIZE, SIZE, 1, gdal.GDT_UInt16,
                                                    options=["INTERLEAVING=FILE"])
    dataset = None
    data = bytearray(path.read_bytes())
    images = int(data[336:352])
    field = (images - 1) * 512 + 64
    name = link.encode()
    if long or len(name) > 64:
        # A segment of the file holds the name.
        pointers = (int(data[440:456]) - 1) * 512
        block = len(data) // 512 + 1
        data[pointers : pointers + 32] = f"A182Link    {block:11d}{8:9d}".encode()
        data += b"\0" * (block * 512 - 512 - len(data)) + b" " * 1024 + b"SysLinkF" + name + b"\0" * 4096
        name = b"LNK    1"
    data[field : field + 64] = name.ljust(64)
    data[field - 64 + 250 : field - 64 + 290] = f"{0:8d}{0:8d}{SIZE:8d}{SIZE:8d}{1:8d}".encode()
    path.write_bytes(bytes(data))
    for extra in path.parent.glob(f"{path.stem}.*"):
        if extra != path and extra.suffix not in (".tif", ".aux"):
            extra.unlink()
    return path


@pytest.mark.parametrize("long", [False, True])
def test_channels_of_pcidsk_elsewhere(runtime, folders, long):
    inside, outside = folders
    far = write_raster(outside / "f.tif", 777)
    near = write_raster(inside / "n.tif", 777)
    for name in ("../outside/f.tif", str(far)) if long else ("../outside/f.tif",):
        path = pcidsk(inside / "x.pix", name, long=long)
        with Watch(far) as watch:
            outcome = status_of(path)
        assert outcome.startswith("POLICY_REFUSED") and "(rule: folders)" in outcome and not watch.opened, outcome
    path = pcidsk(inside / "y.pix", "n.tif", long=long)
    with alidade.Raster(runtime, path) as raster:
        numpy.testing.assert_array_equal(cells(raster), truth(near))
    refused(pcidsk(inside / "z.pix", "nowhere.tif", long=long), "relative-names", "nowhere.tif", runtime=runtime)


def imagine(path, name, file_type="ige"):
    """An Imagine file whose cells, or overviews, are in another file of that name (as long as the one that it had)."""
    dataset = gdal.GetDriverByName("HFA").Create(
        str(path), SIZE * 4, SIZE * 4, 1, gdal.GDT_UInt16, options=["USE_SPILL=YES"] if file_type == "ige" else [])
    dataset.GetRasterBand(1).Fill(7)
    if file_type == "rrd":
        gdal.SetThreadLocalConfigOption("HFA_USE_RRD", "YES")
        dataset.BuildOverviews("NEAREST", [2])
        gdal.SetThreadLocalConfigOption("HFA_USE_RRD", None)
    dataset = None
    own = f"{path.stem}.{file_type}".encode()
    data = path.read_bytes()
    assert own in data and (path.parent / own.decode()).exists()
    if name:
        assert len(name) == len(own)
        path.write_bytes(data.replace(own, name.encode()))
    return path


def test_cells_of_imagine_elsewhere(runtime, folders):
    inside, outside = folders
    imagine(outside / "f.img", "")
    far = outside / "f.ige"
    name = "../outside/f.ige"
    path = imagine(inside / ("x" * (len(name) - 4) + ".img"), name)
    with Watch(far) as watch:
        outcome = status_of(path)
    assert outcome.startswith("POLICY_REFUSED") and "(rule: folders)" in outcome and not watch.opened, outcome
    # Next to it, also renamed, and with overviews in a file of their own.
    path = imagine(inside / "near.img", "")
    with alidade.Raster(runtime, path) as raster:
        assert (cells(raster) == 7).all()
    path.rename(inside / "renamed.img")
    (inside / "near.ige").rename(inside / "renamed.ige")
    with alidade.Raster(runtime, inside / "renamed.img") as raster:
        assert (cells(raster) == 7).all()
    path = imagine(inside / "overviews.img", "", "rrd")
    with alidade.Raster(runtime, path) as raster:
        assert [tuple(size) for size in raster.overview_sizes(1)] == [(SIZE * 2, SIZE * 2)]


@pytest.mark.parametrize("file_type", ["ige", "rrd"])
def test_pipes_that_imagine_names(folders, file_type):
    """A name next to the file is a name as well: GDAL waits for whoever writes into a pipe."""
    inside, _ = folders
    os.mkfifo(inside / f"wait.{file_type}")
    path = imagine(inside / "data.img", f"wait.{file_type}", file_type)
    assert "pipe" in status_of(path)


def test_a_spatial_reference_of_idrisi_elsewhere(runtime, folders):
    inside, outside = folders
    (outside / "far.ref").write_text("ref. system : x\n")
    gdal.Translate(str(inside / "a.rst"), str(write_raster(inside / "a.tif")), format="RST",
                   outputType=gdal.GDT_Int16)
    rdc = inside / "a.rdc"
    with alidade.Raster(runtime, inside / "a.rst") as raster:
        assert raster.info.driver == "RST"
    lines = [line if not line.lower().startswith("ref. system") else "ref. system : ../outside/far"
             for line in rdc.read_text().splitlines()]
    rdc.write_text("\r\n".join(lines) + "\r\n")
    (inside / "a.rst.aux.xml").unlink(missing_ok=True)
    with Watch(outside / "far.ref") as watch:
        outcome = status_of(inside / "a.rst")
    assert outcome.startswith("POLICY_REFUSED") and "(rule: folders)" in outcome and not watch.opened, outcome


@pytest.mark.parametrize("line", ["PIXEL_FILES {}", "pixel_files\t{}", '"PIXEL_FILES" "{}"', "  PIXEL_FILES  {} x"])
def test_raw_imagine_elsewhere(folders, line):
    inside, outside = folders
    far = outside / "far=1.raw"
    far.write_bytes(bytes(SIZE * SIZE))
    (inside / "x.hdr").write_text(f"IMAGINE_RAW_FILE\n{line.format('../outside/far=1.raw')}\nWIDTH 64\nHEIGHT 64\n"
                                  "NUM_LAYERS 1\nFORMAT BSQ\nDATATYPE U8\nEND_RAW_FILE\n")
    with Watch(far) as watch:
        outcome = status_of(inside / "x.hdr")
    assert outcome.startswith("POLICY_REFUSED") and "(rule: folders)" in outcome and not watch.opened, outcome


@pytest.mark.parametrize("through", [False, True])
def test_an_auxiliary_header_elsewhere(folders, through):
    """GDAL cannot recognise such a file without opening what it names."""
    inside, outside = folders
    header = "AuxilaryTarget: {}\nRawDefinition: 64 64 1\nChanDefinition-1: 8U 0 1 64 Swapped\n"
    far = outside / "x.raw"
    far.write_bytes(bytes(SIZE * SIZE))
    (outside / "x.aux").write_text(header.format("x.raw"))
    path = inside / "x.aux"
    path.write_text(header.format("../outside/x.raw"))
    if through:
        path = write_raster(inside / "x.tif")  # whose sidecar it is then
    with Watch(far) as watch, Watch(outside / "x.aux") as header_watch:
        outcome = status_of(path)
    assert outcome.startswith("POLICY_REFUSED") and "(rule: folders)" in outcome, outcome
    assert not watch.opened and not header_watch.opened


NAMING = {
    "ILWIS": ("x.mpl", "[Ilwis]\nType=MapList\n[MapList]\nSize=4 4\nMaps=1\nMap0={}\n"),
    "NDF": ("x.H1", "NDF_REVISION=2.0;\nPRODUCT_NUMBER=1;\nDATA_FILE_INTERLEAVING=BSQ;\nNUMBER_OF_BANDS_IN_VOLUME=1;\n"
            "PIXEL_FORMAT=BYTE;\nPIXELS_PER_LINE=4;\nLINES_PER_DATA_FILE=4;\nBITS_PER_PIXEL=8;\n"
            "BAND1_FILENAME={};\nBAND1_NAME=a;\nUPPER_LEFT_CORNER=0,0,0,0;\nEND_OF_HDR;\n" + " " * 1000),
}  # fmt: skip


@pytest.mark.parametrize("driver", NAMING)
@pytest.mark.parametrize("through", [False, True])
def test_formats_that_are_not_opened(folders, driver, through):
    """Formats of old that name their parts: the message says how to allow them."""
    inside, outside = folders
    far = outside / "far.mpr"
    far.write_bytes(b"x" * 100)
    name, text = NAMING[driver]
    path = inside / name
    path.write_text(text.format(far))
    if through:
        (inside / "x.vrt").write_text(vrt(source(name)))
        path = inside / "x.vrt"
    with Watch(far) as watch:
        outcome = status_of(path)
    assert not watch.opened, outcome
    if through or driver != "NDF":  # which has no ending of its own
        assert outcome.startswith("POLICY_REFUSED") and "(rule: drivers)" in outcome, outcome
        assert driver in outcome and "ADD_DRIVERS" in outcome
    else:
        assert outcome.startswith(("POLICY_REFUSED", "READ_FAILED")), outcome


# Libraries that read whatever a file names


def hdf5_with_external_data(path, name):
    """An HDF5 file whose cells are the bytes of another file."""
    h5 = ctypes.CDLL("libhdf5_serial.so.103")
    for function in ("H5Fcreate", "H5Screate_simple", "H5Pcreate", "H5Dcreate2"):
        getattr(h5, function).restype = ctypes.c_int64
    assert h5.H5open() >= 0
    classes = ctypes.c_int64.in_dll(h5, "H5P_CLS_DATASET_CREATE_ID_g")
    byte = ctypes.c_int64.in_dll(h5, "H5T_STD_U8LE_g")
    file = ctypes.c_int64(h5.H5Fcreate(os.fsencode(path), ctypes.c_uint(2), ctypes.c_int64(0), ctypes.c_int64(0)))
    sizes = (ctypes.c_uint64 * 2)(10, 10)
    space = ctypes.c_int64(h5.H5Screate_simple(2, sizes, None))
    properties = ctypes.c_int64(h5.H5Pcreate(classes))
    assert h5.H5Pset_external(properties, os.fsencode(name), ctypes.c_int64(0), ctypes.c_uint64(100)) >= 0
    data = ctypes.c_int64(h5.H5Dcreate2(file, b"d", byte, space, ctypes.c_int64(0), properties, ctypes.c_int64(0)))
    assert data.value >= 0
    h5.H5Dclose(data), h5.H5Pclose(properties), h5.H5Sclose(space), h5.H5Fclose(file)
    return path


@pytest.mark.parametrize("ending", ["h5", "nc", "bag", "hdf", "img", "tif"])
@pytest.mark.parametrize("through", [False, True])
def test_external_data_of_hdf5(folders, ending, through):
    inside, outside = folders
    secret = outside / "secret"
    secret.write_bytes(bytes(range(100, 200)))
    path = hdf5_with_external_data(inside / f"x.{ending}", secret)
    # It is what GDAL reads.
    assert gdal.Open(f'HDF5:"{path}"://d').ReadAsArray()[0, 0] == 100
    if through:
        (inside / "x.vrt").write_text(vrt(source(f'HDF5:"{path}"://d', 0)))
        path = inside / "x.vrt"
    with Watch(secret) as watch:
        outcome = status_of(path)
    assert outcome.startswith("POLICY_REFUSED") and "(rule: drivers)" in outcome and not watch.opened, outcome
    assert "HDF" in outcome or "netCDF" in outcome or "BAG" in outcome
    assert "ADD_DRIVERS" in outcome


@pytest.mark.parametrize("driver, ending, options", [
    ("netCDF", "nc", ["FORMAT=NC"]), ("netCDF", "nc", ["FORMAT=NC4"]), ("HDF4Image", "hdf", []), ("BAG", "bag", []),
    ("Zarr", "zarr", []), ("ILWIS", "mpr", []),
])  # fmt: skip
def test_how_to_allow_a_driver_that_is_not(runtime, tmp_path, driver, ending, options):
    write_raster(tmp_path / "a.tif")
    kind = gdal.GDT_Float32 if driver == "BAG" else gdal.GDT_UInt16
    path = tmp_path / f"x.{ending}"
    if gdal.GetDriverByName(driver).GetMetadataItem("DCAP_CREATECOPY") is None:
        gdal.GetDriverByName(driver).Create(str(path), 8, 8, 1, gdal.GDT_UInt16)
    else:
        gdal.Translate(str(path), str(tmp_path / "a.tif"), format=driver, outputType=kind, creationOptions=options)
    message = refused(path, "drivers", "ADD_DRIVERS", runtime=runtime)
    name = message.split("driver ")[1].split(",")[0]
    assert name == {"HDF4Image": "HDF4"}.get(driver, driver)
    more = {"HDF4Image": ["HDF4", "HDF4Image"]}.get(driver, [driver])
    with alidade.Runtime(policy=alidade.Policy(drivers=more, add_drivers=True)) as wider:
        with alidade.Raster(wider, path) as raster:
            assert raster.info.driver in more


# FITS: the name of a file is a sentence


def fits(path):
    dataset = gdal.GetDriverByName("FITS").Create(str(path.parent / "made.fits"), 10, 10, 1, gdal.GDT_Int16)
    dataset.GetRasterBand(1).Fill(7)
    dataset = None
    (path.parent / "made.fits").rename(path)
    return path


SENTENCES = [
    "x.fits(other.fits)", "x(other.fits).fits", "x.fits(!other.fits)", "x.fits[0][1:2,1:2]", "x.fits[0]", "x.imh.fits",
    "x[pix X].fits", "x.fits[col a]", "x.fits+0", "x.fits+12", "x.fits ",
]  # fmt: skip
HOW = ["itself", "source", "word", "word in a source"]


@pytest.mark.parametrize("how, name", [(how, name) for how in HOW for name in SENTENCES]
                         + [("sidecar", name) for name in SENTENCES[:8]])
def test_names_of_fits_files(tmp_path, how, name):
    """Nothing is written, neither next to the file nor in the working folder, and no part is taken for the whole."""
    data, work = tmp_path / "data", tmp_path / "work"
    data.mkdir(), work.mkdir()
    if how == "sidecar":
        path = write_raster(data / "a.tif")
        name = f"{name}.tif"
        path = path.rename(data / name)
        fits(data / f"{name}.ovr")
    else:
        path = fits(data / name)
    (data / "x.fits").exists() or fits(data / "x.fits")
    opened = path
    if how == "source":
        (data / "x.vrt").write_text(vrt(source(name)))
        opened = data / "x.vrt"
    if how == "word":
        opened = f'FITS:"{path}":1'
    if how == "word in a source":
        (data / "x.vrt").write_text(vrt(source(f'FITS:"{path}":1', 0)))
        opened = data / "x.vrt"
    before = listing(data), listing(work)
    outcome = isolated(f"""
try:
    opened = alidade.Raster(runtime, {str(opened)!r})
    print(opened.info.width, opened.read_cells([(0, 0)]).values, opened.overview_sizes(1))
except alidade.AlidadeError as error:
    print(error.status.name, error.message)
""", cwd=work)
    assert (listing(data), listing(work)) == before
    assert outcome.startswith("POLICY_REFUSED") and "(rule: file-names)" in outcome, outcome
    assert "Rename it" in outcome


@pytest.mark.parametrize("name", ['FITS:"-":1', "FITS:-:1", 'FITS:"stdin":1', 'FITS:"mem://x":1', "FITS:mem:x:1",
                                  'FITS:"http://127.0.0.1:9/x.fits":1', 'FITS:"shmem://h1":1', 'FITS:"!x.fits":1',
                                  'FITS:"root://h/x":1', "FITS:ftp:x:1", 'FITS:"a.fits" "b.fits":1', 'FITS:"x.txt":1',
                                  'FITS:"gone.fits":1', "vrt://FITS:-:1"])  # fmt: skip
def test_sources_that_are_no_fits_files(tmp_path, name):
    (tmp_path / "stdin").write_text("x")
    (tmp_path / "-").write_text("x")
    (tmp_path / "x.txt").write_text("x")
    outcome = isolated(f"""
try:
    alidade.Raster(runtime, {name!r})
    print("OPEN")
except alidade.AlidadeError as error:
    print(error.status.name, error.message)
""", cwd=tmp_path)
    assert outcome.startswith(("POLICY_REFUSED", "NOT_FOUND", "READ_FAILED")), outcome
    # GDAL's own reader of such names stops at the colons of some.
    assert outcome.startswith("POLICY_REFUSED") or any(part in name for part in ("x.txt", "gone", ":mem:", ":ftp:"))


def test_harmless_names_of_fits_files(runtime, tmp_path):
    for name in ("x.fits", "a+b.fits", "x y.fits", "x-1.fits", "x,1.fits", "ü.fits"):
        path = fits(tmp_path / name)
        for opened in (path, f'FITS:"{path}":1'):
            with alidade.Raster(runtime, opened) as raster:
                assert raster.info.driver == "FITS" and (cells(raster) == 7).all()
    # Brackets are nothing to other formats.
    with alidade.Raster(runtime, write_raster(tmp_path / "a (1)[2].tif")) as raster:
        assert raster.info.driver == "GTiff"


# Work that multiplies


def tower(folder, height, width, element):
    """Files, each of which names the one before it several times."""
    write_raster(folder / "0.tif")
    for number in range(1, height + 1):
        below = f"{number - 1}.{'tif' if number == 1 else 'vrt'}"
        (folder / f"{number}.vrt").write_text(element(below, width))
    return folder / f"{height}.vrt"


SHAPES = {
    "over each other": lambda below, width: vrt(*[source(below)] * width),
    "next to each other": lambda below, width: vrt(*[
        source(below).replace(f"<DstRect {RECTANGLE}", f'<DstRect xOff="{n * SIZE // width}" yOff="0" '
                              f'xSize="{SIZE // width}" ySize="{SIZE}"') for n in range(width)]),
    "masked": lambda below, width: vrt(*[source(below, kind="ComplexSource", more="<UseMaskBand>true</UseMaskBand>")]
                                       * (width // 2)),
    "masks": lambda below, width: vrt(source(below)).replace(
        "</VRTDataset>", f"<MaskBand>{vrt(*[source(below)] * width)[vrt().index('<VRTRasterBand'):].split('</VRTDataset>')[0]}"
        "</MaskBand></VRTDataset>"),
    "overviews": lambda below, width: vrt(source(below), *[
        f'<Overview><SourceFilename relativeToVRT="1">{below}</SourceFilename><SourceBand>1</SourceBand></Overview>'] * width),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_a_tower_of_sources(runtime, tmp_path, shape):
    """4 to the 15th: each file is small, and one cell would take minutes."""
    path = tower(tmp_path, 15, 4, SHAPES[shape])
    message = refused(path, "work", "1048576", runtime=runtime, status=alidade.errors.LimitExceededError)
    assert ".vrt" in message
    # As sidecar of a file, and behind a word.
    write_raster(tmp_path / "a.tif")
    (tmp_path / "a.tif.ovr").write_text(path.read_text())
    refused(tmp_path / "a.tif", "work", runtime=runtime, status=alidade.errors.LimitExceededError)
    refused(f"vrt://{path}", "work", runtime=runtime, status=alidade.errors.LimitExceededError)


def test_a_tower_of_unions(runtime, tmp_path):
    (tmp_path / "0.csv").write_text("X,Y\n1,2\n")
    for number in range(1, 16):
        below = f"{number - 1}.{'csv' if number == 1 else 'vrt'}"
        layers = "".join(
            f'<OGRVRTLayer name="{number - 1}"><SrcDataSource relativeToVRT="1" shared="0">{below}</SrcDataSource>'
            "</OGRVRTLayer>" for _ in range(4))
        (tmp_path / f"{number}.vrt").write_text(
            f'<OGRVRTDataSource><OGRVRTUnionLayer name="{number}">{layers}</OGRVRTUnionLayer></OGRVRTDataSource>')
    outcome = isolated(f"""
try:
    alidade.FeatureSource(runtime, {str(tmp_path / '15.vrt')!r}).count()
    print("OPEN")
except alidade.AlidadeError as error:
    print(error.status.name, error.message)
""", seconds=20)
    assert outcome.startswith("LIMIT_EXCEEDED") and "(rule: work)" in outcome
    with alidade.FeatureSource(runtime, tmp_path / "3.vrt") as features:
        assert features.count() == 64


def test_mosaics_that_are_large_or_deep(runtime, tmp_path):
    """Many files in two levels, and a deep one of many sources that are named once: as they are in use."""
    write_raster(tmp_path / "t.tif")
    inner = 200
    for number in range(inner):
        (tmp_path / f"i{number}.vrt").write_text(vrt(*[source("t.tif")] * 320))
    (tmp_path / "o.vrt").write_text(vrt(*[source(f"i{number}.vrt") for number in range(inner)]))
    for level, below in ((1, "o.vrt"), (2, "d1.vrt"), (3, "d2.vrt")):
        (tmp_path / f"d{level}.vrt").write_text(vrt(source(below)))
    with alidade.Raster(runtime, tmp_path / "d3.vrt") as raster:  # 64,000
        assert raster.read_cells([(5, 5)]).values[0, 0]["value"] == truth(tmp_path / "t.tif")[5, 5]
    # Bands are read one by one: many of them, three deep, are no more work.
    for level, below in ((1, "t.tif"), (2, "b1.vrt"), (3, "b2.vrt")):
        rows = vrt().split("<VRTRasterBand")[0] + "".join(
            f'<VRTRasterBand dataType="UInt16" band="{n + 1}">'
            + source(below).replace("<SourceBand>1<", f"<SourceBand>{1 if level == 1 else n + 1}<")
            + "</VRTRasterBand>" for n in range(120)) + "</VRTDataset>"
        (tmp_path / f"b{level}.vrt").write_text(rows)
    with alidade.Raster(runtime, tmp_path / "b3.vrt") as raster:
        assert raster.info.band_count == 120
