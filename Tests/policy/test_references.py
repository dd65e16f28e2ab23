"""Names in files: each is checked against the policy before GDAL opens it, however deep, and a refusal says why."""
import ctypes
import json
import os

import alidade
import numpy
import pytest
import rasterio
from osgeo import gdal

from conftest import SIZE, cells, service, source, vrt, write_raster

gdal.UseExceptions()


def refused(path, rule, *parts, runtime, status=alidade.errors.PolicyRefusedError):
    """Opens a file that must be refused, and checks what the refusal says."""
    with pytest.raises(status) as failure:
        alidade.Raster(runtime, path)
    message = failure.value.message
    assert f"(rule: {rule})" in message, message
    for part in parts:
        assert str(part) in message, message
    # How to allow it, or what else to do, comes behind the rule.
    assert len(message.split(f"(rule: {rule}). ")[1]) > 10, message
    return message


def truth(path):
    with rasterio.open(path) as file:
        return file.read(1)


# What works


def test_sources_beside_the_file_and_below(runtime, tmp_path):
    write_raster(tmp_path / "a.tif", 1)
    write_raster(tmp_path / "below" / "b.tif", 5000)
    (tmp_path / "both.vrt").write_text(vrt(source("a.tif"), source("below/b.tif")))
    (tmp_path / "below" / "up.vrt").write_text(vrt(source("../a.tif")))
    (tmp_path / "whole.vrt").write_text(vrt(source(tmp_path / "a.tif", 0)))
    (tmp_path / "nested.vrt").write_text(vrt(source("below/up.vrt")))
    for name in ("both.vrt", "whole.vrt", "nested.vrt"):
        with alidade.Raster(runtime, tmp_path / name) as raster:
            assert raster.info.driver == "VRT"
            numpy.testing.assert_array_equal(cells(raster), truth(tmp_path / name))
    assert cells(alidade.Raster(runtime, tmp_path / "both.vrt"))[0, 0] == 5000


def test_what_gdals_own_tools_write(runtime, tmp_path):
    write_raster(tmp_path / "a.tif", 1)
    write_raster(tmp_path / "b.tif", 5000)
    sources = [str(tmp_path / "a.tif"), str(tmp_path / "b.tif")]
    gdal.BuildVRT(str(tmp_path / "mosaic.vrt"), sources).FlushCache()
    gdal.BuildVRT(str(tmp_path / "separate.vrt"), sources, separate=True).FlushCache()
    gdal.Warp(str(tmp_path / "warped.vrt"), sources[:1], format="VRT", dstSRS="EPSG:3857").FlushCache()
    gdal.Warp(str(tmp_path / "again.vrt"), str(tmp_path / "warped.vrt"), format="VRT", dstSRS="EPSG:4326").FlushCache()
    gdal.Translate(str(tmp_path / "part.vrt"), sources[0], srcWin=[3, 5, 20, 30], format="VRT").FlushCache()
    gdal.Translate(str(tmp_path / "mean.vrt"), sources[0], width=16, height=16, resampleAlg="average",
                   format="VRT").FlushCache()
    for name in ("mosaic", "separate", "warped", "again", "part", "mean"):
        with alidade.Raster(runtime, tmp_path / f"{name}.vrt") as raster:
            values = cells(raster)
            assert values.max() > 0
            numpy.testing.assert_array_equal(values, truth(tmp_path / f"{name}.vrt"))


def test_a_pansharpened_vrt(runtime, tmp_path):
    write_raster(tmp_path / "pan.tif", 100)
    write_raster(tmp_path / "colour.tif", 50)
    def band(tag, file):
        return (f'<{tag}><SourceFilename relativeToVRT="1">{file}</SourceFilename><SourceBand>1</SourceBand></{tag}>')

    options = ("<PansharpeningOptions>{}" + band("PanchroBand", "pan.tif")
               + band('SpectralBand dstBand="1"', "colour.tif").replace("</SpectralBand dstBand=\"1\">", "</SpectralBand>")
               + "</PansharpeningOptions>")
    write = lambda name, threads: (tmp_path / name).write_text(
        f'<VRTDataset subClass="VRTPansharpenedDataset">{options.format(threads)}</VRTDataset>')
    write("sharp.vrt", "")
    with alidade.Raster(runtime, tmp_path / "sharp.vrt") as raster:
        numpy.testing.assert_array_equal(cells(raster), truth(tmp_path / "sharp.vrt"))
    write("threads.vrt", "<NumThreads>ALL_CPUS</NumThreads>")
    refused(tmp_path / "threads.vrt", "threads", "ALL_CPUS", runtime=runtime)


def test_names_around_a_vrt(runtime, tmp_path):
    write_raster(tmp_path / "a.tif", 1)
    (tmp_path / "a.vrt").write_text(vrt(source("a.tif")))
    os.symlink(tmp_path / "a.vrt", tmp_path / "link.vrt")
    os.makedirs(tmp_path / "elsewhere")
    os.symlink(tmp_path / "a.vrt", tmp_path / "elsewhere" / "link.vrt")
    for name in (f"vrt://{tmp_path / 'a.tif'}?bands=1", tmp_path / "link.vrt", tmp_path / "elsewhere" / "link.vrt"):
        with alidade.Raster(runtime, name) as raster:
            numpy.testing.assert_array_equal(cells(raster), truth(tmp_path / "a.tif"))
    with alidade.Runtime(policy=alidade.Policy(data_directories=[tmp_path])) as wider:
        with alidade.Raster(wider, vrt(source(tmp_path / "a.tif", 0))) as raster:
            numpy.testing.assert_array_equal(cells(raster), truth(tmp_path / "a.tif"))
    refused(vrt(source(tmp_path / "a.tif", 0)), "folders", tmp_path / "a.tif", "data_directories", runtime=runtime)


@pytest.mark.parametrize("driver, ending", [("ERS", "ers"), ("ISIS3", "lbl"), ("ISIS2", "lbl"), ("PDS4", "xml"),
                                            ("EIR", "hdr"), ("PAux", "aux")])
def test_formats_with_a_header_of_their_own(runtime, tmp_path, driver, ending):
    """A header that names its data file: next to the header the file is read, elsewhere it is refused."""
    numbers = numpy.arange(SIZE * SIZE, dtype="uint16").reshape(SIZE, SIZE)
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir(), outside.mkdir()
    for folder in (inside, outside):
        (folder / "cells.raw").write_bytes(numbers.tobytes())
    headers = {
        "ERS": 'DatasetHeader Begin\n Version = "6.0"\n DataFile = "{}"\n DataSetType = ERStorage\n DataType = Raster\n'
               " ByteOrder = LSBFirst\n RasterInfo Begin\n CellType = Unsigned16BitInteger\n NrOfLines = 64\n"
               " NrOfCellsPerLine = 64\n NrOfBands = 1\n RasterInfo End\nDatasetHeader End\n",
        "ISIS3": "Object = IsisCube\n Object = Core\n StartByte = 1\n ^Core = {}\n Format = BandSequential\n"
                 " Group = Dimensions\n Samples = 64\n Lines = 64\n Bands = 1\n End_Group\n Group = Pixels\n"
                 " Type = UnsignedWord\n ByteOrder = Lsb\n Base = 0.0\n Multiplier = 1.0\n End_Group\n End_Object\n"
                 "End_Object\nEnd\n",
        "ISIS2": 'CCSD3ZF0000100000001NJPL3IF0PDS200000001 = SFDU_LABEL\nRECORD_TYPE = FIXED_LENGTH\n^QUBE = ("{}", 1)\n'
                 "OBJECT = QUBE\n AXES = 3\n AXIS_NAME = (SAMPLE,LINE,BAND)\n CORE_ITEMS = (64,64,1)\n CORE_ITEM_BYTES = 2\n"
                 " CORE_ITEM_TYPE = PC_UNSIGNED_INTEGER\n CORE_BASE = 0.0\n CORE_MULTIPLIER = 1.0\n"
                 " SUFFIX_ITEMS = (0,0,0)\nEND_OBJECT = QUBE\nEND\n",
        "PDS4": '<?xml version="1.0"?><Product_Observational xmlns="http://pds.nasa.gov/pds4/pds/v1">'
                "<File_Area_Observational><File><file_name>{}</file_name></File><Array_2D_Image>"
                '<offset unit="byte">0</offset><axes>2</axes><axis_index_order>Last Index Fastest</axis_index_order>'
                "<Element_Array><data_type>UnsignedLSB2</data_type></Element_Array>"
                "<Axis_Array><axis_name>Line</axis_name><elements>64</elements><sequence_number>1</sequence_number>"
                "</Axis_Array><Axis_Array><axis_name>Sample</axis_name><elements>64</elements>"
                "<sequence_number>2</sequence_number></Axis_Array></Array_2D_Image></File_Area_Observational>"
                "</Product_Observational>",
        "EIR": "IMAGINE_RAW_FILE\nPIXEL_FILES {}\nWIDTH 64\nHEIGHT 64\nNUM_LAYERS 1\nFORMAT BSQ\nDATATYPE U16\n"
               "BYTE_ORDER LSB\n",
        "PAux": "AuxilaryTarget: {}\nRawDefinition: 64 64 1\nChanDefinition-1: 16U 0 2 128 Swapped\n",
    }  # fmt: skip
    (inside / f"near.{ending}").write_text(headers[driver].replace("{}", "cells.raw"))
    opened = inside / f"near.{ending}"
    if driver == "PAux":  # GDAL opens the data file, and finds the header next to it
        opened = inside / "cells.raw"
        (inside / "cells.aux").write_text((inside / "near.aux").read_text())
    with alidade.Raster(runtime, opened) as raster:
        assert raster.info.driver == driver
        numpy.testing.assert_array_equal(cells(raster), truth(opened))
    if driver != "PAux":  # it only compares the name
        far = inside / f"far.{ending}"
        far.write_text(headers[driver].replace("{}", "../outside/cells.raw"))
        refused(far, "folders", far, "outside/cells.raw", "data_directories", runtime=runtime)


# What is refused


def test_a_name_outside_of_the_folder(runtime, tmp_path):
    for number, name in enumerate(("/etc/passwd", "../../etc/passwd", "below/../../up.tif")):
        path = tmp_path / "data" / f"{number}.vrt"
        (path.parent / "below").mkdir(parents=True, exist_ok=True)
        write_raster(tmp_path / "up.tif")
        path.write_text(vrt(source(name)))
        refused(path, "folders", path, "passwd" if "passwd" in name else "up.tif", "data_directories", runtime=runtime)
    with alidade.Runtime(policy=alidade.Policy(data_directories=[tmp_path])) as wider:
        with alidade.Raster(wider, tmp_path / "data" / "2.vrt") as raster:
            numpy.testing.assert_array_equal(cells(raster), truth(tmp_path / "up.tif"))


def test_raw_bytes_of_any_file(runtime, tmp_path):
    """A raw band reads the bytes of whatever it names: /etc/passwd becomes pixels."""
    def raw(name):
        return vrt(f"<SourceFilename>{name}</SourceFilename><ImageOffset>0</ImageOffset><PixelOffset>2</PixelOffset>"
                   "<LineOffset>128</LineOffset><ByteOrder>LSB</ByteOrder>", band='subClass="VRTRawRasterBand"')

    (tmp_path / "bad.vrt").write_text(raw("/etc/passwd"))
    refused(tmp_path / "bad.vrt", "folders", "/etc/passwd", runtime=runtime)
    numbers = numpy.arange(SIZE * SIZE, dtype="uint16").reshape(SIZE, SIZE)
    (tmp_path / "cells.raw").write_bytes(numbers.tobytes())
    (tmp_path / "good.vrt").write_text(raw("cells.raw"))
    with alidade.Raster(runtime, tmp_path / "good.vrt") as raster:
        numpy.testing.assert_array_equal(cells(raster), numbers)


def test_a_link_is_followed_before_it_is_judged(runtime, tmp_path):
    secret = write_raster(tmp_path / "secret" / "s.tif")
    data = tmp_path / "data"
    data.mkdir()
    os.symlink(secret, data / "looks-near.tif")
    os.symlink(secret.parent, data / "folder")
    for name in ("looks-near.tif", "folder/s.tif"):
        (data / "x.vrt").write_text(vrt(source(name)))
        refused(data / "x.vrt", "folders", name, runtime=runtime)
    # A sidecar that is a link, too.
    write_raster(data / "a.tif")
    os.symlink(secret, data / "a.tif.ovr")
    refused(data / "a.tif", "folders", "a.tif.ovr", runtime=runtime)


def test_a_name_that_depends_on_the_working_folder(runtime, tmp_path, monkeypatch):
    write_raster(tmp_path / "a.tif")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.vrt").write_text(vrt(source("a.tif", 0)))
    refused(tmp_path / "x.vrt", "relative-names", "a.tif", "relativeToVRT", runtime=runtime)


@pytest.mark.parametrize("kind", ["url", "vsicurl", "uppercase", "inline", "wms", "nested", "cycle"])
def test_nothing_asks_the_network(runtime, tmp_path, server, kind):
    path = tmp_path / "x.vrt"
    (tmp_path / "service.tif").write_text(service(server.address))  # by content, not by ending
    names = {
        "url": (f"http://{server.address}/x.tif", "network"),
        "vsicurl": (f"/vsicurl/http://{server.address}/x.tif", "network"),
        "uppercase": (f"HTTP://{server.address}/x.tif", "network"),
        "inline": (service(server.address), "network"),
        "wms": ("service.tif", "drivers"),
        "nested": ("1.vrt", "network"),
        "cycle": ("x.vrt", "cycle"),
    }
    name, rule = names[kind]
    (tmp_path / "1.vrt").write_text(vrt(source("below/2.vrt")))
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "2.vrt").write_text(vrt(source("../3.tif")))
    (tmp_path / "3.tif").write_text(vrt(source(f"/vsicurl/http://{server.address}/deep.tif", 0)))
    path.write_text(vrt(source(name)))
    namer = tmp_path / "3.tif" if kind == "nested" else path
    refused(path, rule, namer.name, {"wms": "WMS", "nested": "deep.tif"}.get(kind, name[:20]), runtime=runtime)
    assert server.requests == []


def test_the_server_would_have_been_asked(tmp_path, server):
    """That the counting server counts: GDAL itself asks it."""
    (tmp_path / "x.vrt").write_text(vrt(source(f"/vsicurl/http://{server.address}/x.tif", 0)))
    try:
        gdal.Open(str(tmp_path / "x.vrt")).ReadAsArray()
    except RuntimeError:
        pass
    assert server.requests


def test_the_network_can_be_allowed(tmp_path, server):
    (tmp_path / "x.vrt").write_text(vrt(source(f"/vsicurl/http://{server.address}/x.tif", 0)))
    with alidade.Runtime(policy=alidade.Policy(allow_network=True)) as runtime:
        with alidade.Raster(runtime, tmp_path / "x.vrt") as raster:
            numpy.testing.assert_array_equal(cells(raster), truth(tmp_path / "on-the-network" / "x.tif"))
    assert server.requests


@pytest.mark.parametrize("drivers", [[], ["WMS"]])
def test_a_service_asks_nothing_while_the_network_is_off(tmp_path, server, drivers):
    """Also where the host allows the driver: without the network there is nothing that it could do."""
    (tmp_path / "s.xml").write_text(service(server.address))
    with alidade.Runtime(policy=alidade.Policy(drivers=drivers, add_drivers=True)) as runtime:
        refused(tmp_path / "s.xml", "network" if drivers else "drivers", runtime=runtime)
    assert server.requests == []


def test_gdals_http_layer_refuses_by_itself(tmp_path, server):
    """The last lines behind the scan: a driver that asks for an address which stands nowhere in a name."""
    policy = alidade.Policy(drivers=["PLMosaic", "PLMOSAIC", "NGW", "OGCAPI", "HTTP", "WMTS", "EEDAI"], add_drivers=True)
    (tmp_path / "t.json").write_text("{}")
    with alidade.Runtime(policy=policy) as runtime:
        with pytest.raises(alidade.AlidadeError) as failure:
            alidade.Raster(runtime, "PLMOSAIC:api_key=x,mosaic=y")
    assert failure.value.status == alidade.Status.POLICY_REFUSED, failure.value.message
    assert "does not allow the network" in failure.value.message and "api.planet.com" in failure.value.message


@pytest.mark.parametrize("ending", ["ovr", "msk", "OVR", "Msk", "aux.xml", "tag"])
def test_sidecars(runtime, tmp_path, server, ending):
    path = write_raster(tmp_path / "a.tif")
    address = f"/vsicurl/http://{server.address}/x.tif"
    if ending == "aux.xml":
        (tmp_path / "a.tif.aux.xml").write_text(
            f'<PAMDataset><Metadata domain="OVERVIEWS"><MDI key="OVERVIEW_FILE">{address}</MDI></Metadata></PAMDataset>')
    elif ending == "tag":
        # A TIFF's own tag: no scan of texts finds it.
        path = tmp_path / "tag.tif"
        dataset = gdal.GetDriverByName("GTiff").Create(str(path), SIZE, SIZE)
        dataset.SetMetadataItem("OVERVIEW_FILE", address, "OVERVIEWS")
        dataset = None
        assert os.listdir(tmp_path).count("tag.tif.aux.xml") == 0
    else:
        (tmp_path / f"a.tif.{ending}").write_text(vrt(source(address, 0)))
    refused(path, "network", "x.tif", "ALLOW_NETWORK", runtime=runtime)
    # Also of a file that another names.
    (tmp_path / "x.vrt").write_text(vrt(source(path.name)))
    refused(tmp_path / "x.vrt", "network", "x.tif", runtime=runtime)
    assert server.requests == []


def test_sidecars_that_are_harmless(runtime, tmp_path):
    path = write_raster(tmp_path / "a.tif")
    write_raster(tmp_path / "half.tif", size=SIZE // 2)
    (tmp_path / "a.tif.aux.xml").write_text(
        '<PAMDataset><Metadata domain="OVERVIEWS"><MDI key="OVERVIEW_FILE">:::BASE:::half.tif</MDI></Metadata>'
        '<Metadata><MDI key="SOURCE">http://example.org/where/it/came/from</MDI></Metadata></PAMDataset>')
    with alidade.Raster(runtime, path) as raster:
        assert [tuple(size) for size in raster.overview_sizes(1)] == [(SIZE // 2, SIZE // 2)]


def test_code(tmp_path):
    """Also where the host's environment and the policy's drivers allow everything."""
    write_raster(tmp_path / "a.tif")
    code = "<PixelFunctionType>f</PixelFunctionType><PixelFunctionLanguage>Python</PixelFunctionLanguage>"
    marker = tmp_path / "it-ran"
    body = f"<PixelFunctionCode><![CDATA[open({str(marker)!r}, 'w')\ndef f(*a, **k): pass]]></PixelFunctionCode>"
    (tmp_path / "x.vrt").write_text(vrt(code, body, source("a.tif"), band='subClass="VRTDerivedRasterBand"'))
    (tmp_path / "y.vrt").write_text(vrt(source("x.vrt")))
    with alidade.Runtime(policy=alidade.Policy(drivers=["VRT"], add_drivers=True)) as runtime:
        for name in ("x.vrt", "y.vrt"):
            refused(tmp_path / name, "code", tmp_path / "x.vrt", "Python", runtime=runtime)
    assert not marker.exists()


def test_a_derived_band_without_code(runtime, tmp_path):
    write_raster(tmp_path / "a.tif", 1)
    write_raster(tmp_path / "b.tif", 2)
    (tmp_path / "sum.vrt").write_text(
        vrt("<PixelFunctionType>sum</PixelFunctionType>", source("a.tif"), source("b.tif"),
            band='subClass="VRTDerivedRasterBand"'))
    with alidade.Raster(runtime, tmp_path / "sum.vrt") as raster:
        numpy.testing.assert_array_equal(cells(raster), truth(tmp_path / "sum.vrt"))


def test_depth_and_cycles(runtime, tmp_path):
    write_raster(tmp_path / "0.tif")
    for number in range(1, 31):
        (tmp_path / f"{number}.vrt").write_text(vrt(source(f"{number - 1}.{'tif' if number == 1 else 'vrt'}")))
    with alidade.Raster(runtime, tmp_path / "15.vrt") as raster:
        numpy.testing.assert_array_equal(cells(raster), truth(tmp_path / "0.tif"))
    refused(tmp_path / "30.vrt", "depth", "16", runtime=runtime, status=alidade.errors.LimitExceededError)
    (tmp_path / "a.vrt").write_text(vrt(source("b.vrt")))
    (tmp_path / "b.vrt").write_text(vrt(source("a.vrt")))
    refused(tmp_path / "a.vrt", "cycle", "b.vrt", runtime=runtime)


def test_odd_documents(runtime, tmp_path):
    """Bombs and rubbish: an answer at once, and no crash."""
    bomb = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    documents = [
        f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">{bomb}]>' + vrt(source("&l9;")),
        "<a>" * 200_000 + vrt(),
        vrt("<a>" * 9_000 + "</a>" * 9_000),
        "<VRTDataset",
        "<VRTDataset rasterXSize='1'>" * 5_000,
        "junk \x00 <VRTDataset rasterXSize='64' rasterYSize='64'/>",
        vrt(source("\x01\x02")),
        vrt("<SourceFilename/>" * 1000),
    ]
    for number, document in enumerate(documents):
        path = tmp_path / f"{number}.vrt"
        path.write_bytes(document.encode())
        try:
            with alidade.Raster(runtime, path) as raster:
                cells(raster)
        except alidade.AlidadeError:
            pass
    name = b"\xff\xfe.tif"
    (tmp_path / "latin.vrt").write_bytes(vrt(source("NAME")).encode().replace(b"NAME", name))
    refused(tmp_path / "latin.vrt", "encoding", runtime=runtime)


@pytest.mark.parametrize("options, rule", [
    ('<OpenOptions><OOI key="PRELUDE_STATEMENTS">ATTACH DATABASE x</OOI></OpenOptions>', "open-options"),
    ('<OpenOptions><OOI key="NUM_THREADS">ALL_CPUS</OOI></OpenOptions>', "open-options"),
])
def test_options_of_sources(runtime, tmp_path, options, rule):
    write_raster(tmp_path / "a.tif")
    (tmp_path / "x.vrt").write_text(vrt(source("a.tif", more=options)))
    refused(tmp_path / "x.vrt", rule, runtime=runtime)


def test_names_inside_names(runtime, tmp_path):
    """With the driver that they need: what is known of names is known also of drivers that a host adds."""
    wider = alidade.Runtime(policy=alidade.Policy(drivers=["netCDF"], add_drivers=True))
    data = tmp_path / "data"
    data.mkdir()
    dataset = gdal.Translate(str(tmp_path / "far.nc"), str(write_raster(tmp_path / "a.tif")), format="netCDF")
    dataset = None
    for name in (f'NETCDF:"{tmp_path}/far.nc":Band1', f"NETCDF:{tmp_path}/far.nc:Band1", f"vrt://{tmp_path}/a.tif?bands=1"):
        (data / "x.vrt").write_text(vrt(source(name, 0)))
        refused(data / "x.vrt", "folders", "data_directories", runtime=wider)
        (tmp_path / "x.vrt").write_text(vrt(source(name, 0)))
        with alidade.Raster(wider, tmp_path / "x.vrt") as raster:
            numpy.testing.assert_array_equal(cells(raster), truth(tmp_path / "x.vrt"))
    wider.release()
    for name, rule in (("MEM:::DATAPOINTER=4096,PIXELS=64,LINES=64", "drivers"),
                       (f"DERIVED_SUBDATASET:AMPLITUDE:{data}/b.tif", "drivers"),
                       ("/vsizip/a.zip/a.tif", "virtual-file-systems"), ("/vsimem/x", "virtual-file-systems")):
        write_raster(data / "b.tif")
        (data / "x.vrt").write_text(vrt(source(name, 0)))
        refused(data / "x.vrt", rule, runtime=runtime)


def test_a_warped_vrt_to_elsewhere(runtime, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    write_raster(tmp_path / "far.tif")
    gdal.Warp(str(data / "w.vrt"), str(tmp_path / "far.tif"), format="VRT", dstSRS="EPSG:3857").FlushCache()
    refused(data / "w.vrt", "folders", "far.tif", runtime=runtime)


def test_data_directories_must_be_absolute():
    with pytest.raises(TypeError):
        alidade.Runtime(policy=alidade.Policy(data_directories="/data"))
    for bad in ("/vsimem/",):
        with pytest.raises(alidade.errors.InvalidArgumentError):
            alidade.Runtime(policy=alidade.Policy(data_directories=[bad]))


def test_the_doctor_tells_the_folders():
    """The report has no Python layer of its own yet."""
    from alidade import _abi
    from alidade._library import library

    with alidade.Runtime(policy=alidade.Policy(data_directories=["/data/a", "/data/b"])) as runtime:
        buffer = ctypes.create_string_buffer(1 << 16)
        size, error = ctypes.c_size_t(), _abi.ald_error()
        library().ald_runtime_get_report(runtime._handle, _abi.ReportFormat.JSON, buffer, len(buffer), ctypes.byref(size), error)
        assert json.loads(buffer.value)["policy"]["data_directories"] == ["/data/a", "/data/b"]
