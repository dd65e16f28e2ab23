"""Ways around the scan of names that were found once: other spellings of what a file names, and files that wait."""
import os

import numpy
import pytest

import alidade
from conftest import source, vrt, write_raster

OUTSIDE = "/etc/passwd"


def refused(runtime, path, rule):
    with pytest.raises(alidade.errors.PolicyRefusedError, match=f"rule: {rule}"):
        alidade.Raster(runtime, path)


@pytest.mark.parametrize(
    "band",
    [
        f'<VRTRasterBand dataType="Byte" band="1" subClass="VRTRawRasterBand" SourceFilename="{OUTSIDE}"/>',
        '<VRTRasterBand dataType="Byte" band="1"><SimpleSource SourceFilename="MEM:::DATAPOINTER=1,PIXELS=4,LINES=1">'
        '<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>',
        f'<VRTRasterBand dataType="Byte" band="1"><Overview SourceFilename="{OUTSIDE}"/></VRTRasterBand>',
    ],
)
def test_names_as_attributes(runtime, tmp_path, band):
    """GDAL takes an attribute for an element of that name."""
    path = tmp_path / "attribute.vrt"
    path.write_text(f'<VRTDataset rasterXSize="4" rasterYSize="1">{band}</VRTDataset>')
    refused(runtime, path, "attributes")


def test_names_that_only_look_like_documents(runtime, tmp_path):
    """GDAL takes a name for a document where "<VRTDataset" stands in it, and nowhere else."""
    write_raster(tmp_path / "outside" / "a.tif")
    inside = tmp_path / "inside"
    (inside / "<d>").mkdir(parents=True)
    path = inside / "names.vrt"
    path.write_text(vrt(source("<d>/../../outside/a.tif")))
    refused(runtime, path, "folders")


def test_folders_that_look_like_documents(runtime, tmp_path):
    """A file below a folder with a "<" in its name is scanned, and watched, like any other."""
    folder = tmp_path / "a<b"
    folder.mkdir()
    path = folder / "memory.vrt"
    path.write_text(vrt(source("MEM:::DATAPOINTER=1,PIXELS=4,LINES=4", relative=0)))
    refused(runtime, path, "drivers")
    path = write_raster(folder / "changes.tif")
    raster = alidade.Raster(runtime, path)
    raster.read_cells([(0, 0)])
    write_raster(path, first=7)
    os.utime(path, (1, 1))
    with pytest.raises(alidade.errors.ReadFailedError, match="changed"):
        raster.read_cells(numpy.array([(1, 1)] * 10))


@pytest.mark.parametrize("value", [" {}", "\r\n      {}", "\r\n\r\n  {}"])
@pytest.mark.parametrize("sign", ["=", "\r\n  ="])
def test_values_on_the_next_line(runtime, tmp_path, value, sign):
    """GDAL's reader of labels takes line breaks for blanks."""
    path = tmp_path / "label.lbl"
    path.write_text(
        "Object = IsisCube\r\n  Object = Core\r\n    StartByte = 1\r\n    Format = BandSequential\r\n"
        f"    ^Core {sign}{value.format(OUTSIDE)}\r\n    Group = Dimensions\r\n      Samples = 4\r\n      Lines = 1\r\n"
        "      Bands = 1\r\n    End_Group\r\n    Group = Pixels\r\n      Type = UnsignedByte\r\n      ByteOrder = Lsb\r\n"
        "      Base = 0.0\r\n      Multiplier = 1.0\r\n    End_Group\r\n  End_Object\r\nEnd_Object\r\nEnd\r\n"
    )
    refused(runtime, path, "folders")


@pytest.mark.parametrize("ending", [".ovr", ".msk", ".aux.xml"])
def test_pipes_beside_a_file(runtime, tmp_path, ending):
    """Opening a pipe waits for whoever writes into it: for ever."""
    path = write_raster(tmp_path / "a.tif")
    os.mkfifo(f"{path}{ending}")
    with pytest.raises(alidade.errors.UnsupportedError, match="pipe"):
        alidade.Raster(runtime, path)


def test_pipes_that_a_file_names(runtime, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    path = tmp_path / "names.vrt"
    path.write_text(vrt(source("pipe")))
    with pytest.raises(alidade.errors.UnsupportedError, match="pipe"):
        alidade.Raster(runtime, path)
