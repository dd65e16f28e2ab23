"""Files that mean harm, or were made by somebody who did not expect us: each was a fault once."""
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading

import alidade
import numpy
import pytest
import rasterio
from osgeo import gdal
from rasterio.transform import Affine

gdal.UseExceptions()

SIZE = 256
UTM = "EPSG:32633"


@pytest.fixture
def make(tmp_path):
    """A function that writes a raster of numbered cells and gives its path."""

    def write(name, driver="GTiff", count=1, dtype="uint16", **options):
        path = tmp_path / name
        profile = dict(driver=driver, width=SIZE, height=SIZE, count=count, dtype=dtype, crs=UTM,
                       transform=Affine(30, 0, 500_000, 0, -30, 5_000_000), **options)
        numbers = numpy.arange(SIZE * SIZE).reshape(SIZE, SIZE) % 200 + 1
        with rasterio.open(path, "w", **profile) as file:
            for band in range(1, count + 1):
                file.write((numbers + band).astype(dtype), band)
        return path

    return write


def whole_view(runtime, raster):
    """A view in which four cells in each direction are a pixel."""
    map = alidade.Map(runtime)
    layer = alidade.RasterLayer(raster)
    map.add_layer(layer)
    view = alidade.View(map, SIZE / 4, SIZE / 4)
    box = raster.info.extent
    view.set_viewpoint(((box.x_min + box.x_max) / 2, (box.y_min + box.y_max) / 2), scale=4 * 30 * 96 / 0.0254)
    return layer, view


def test_overviews_of_one_band_only(runtime, make):
    path = make("two.img", driver="HFA", count=2)
    subprocess.run(["gdaladdo", "-q", "-b", "1", path, "2", "4"], check=True)
    with alidade.Raster(runtime, path) as raster:
        layer, view = whole_view(runtime, raster)
        native = view.read_values(layer, 2)
        numpy.testing.assert_array_equal(view.read_values(layer, 2, alidade.views.ScreenGrid(overviews=True)), native)
        assert numpy.isfinite(native).all()


def test_overviews_without_the_mask_are_not_used(runtime, make):
    path = make("masked.tif")
    gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
    dataset = gdal.Open(str(path), gdal.GA_Update)
    dataset.CreateMaskBand(gdal.GMF_PER_DATASET)
    mask = numpy.full((SIZE, SIZE), 255, "uint8")
    mask[:, : SIZE // 2] = 0
    dataset.GetRasterBand(1).GetMaskBand().WriteArray(mask)
    dataset = None
    gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", None)
    # Overviews in a file of their own, of a read-only data set: GDAL builds none for the mask then.
    subprocess.run(["gdaladdo", "-q", "-ro", path, "2", "4"], check=True, stderr=subprocess.DEVNULL)
    with alidade.Raster(runtime, path) as raster:
        layer, view = whole_view(runtime, raster)
        values = view.read_values(layer, 1, alidade.views.ScreenGrid(overviews=True))
        assert numpy.isnan(values[:, : SIZE // 8]).all()
        assert numpy.isfinite(values[:, SIZE // 8 :]).all()


def test_a_mask_outranks_the_nodata_value(runtime, make):
    """As in GDAL: where a mask says that a cell is valid, it is, although it holds the nodata value."""
    path = make("valid.tif", nodata=7)
    dataset = gdal.Open(str(path), gdal.GA_ReadOnly)
    dataset.CreateMaskBand(gdal.GMF_PER_DATASET)  # valid.tif.msk
    dataset.GetRasterBand(1).GetMaskBand().WriteArray(numpy.full((SIZE, SIZE), 255, "uint8"))
    dataset = None
    with rasterio.open(path) as truth, alidade.Raster(runtime, path) as raster:
        columns = [(column, 0) for column in range(SIZE)]
        verdicts = raster.read_cells(columns).values[:, 0]["verdict"]
        assert (truth.read_masks(1)[0] == 255).all() and (truth.read(1)[0] == 7).any()
        assert (verdicts == alidade.rasters.CellVerdict.VALUE).all()


def test_an_empty_list_of_drivers_allows_none(make):
    path = make("plain.tif")
    with alidade.Runtime(policy=alidade.Policy(drivers=[])) as runtime:
        for name in (path, "MEM:::DATAPOINTER=4096,PIXELS=1,LINES=1", "<VRTDataset rasterXSize='1' rasterYSize='1'/>"):
            with pytest.raises(alidade.errors.PolicyRefusedError):
                alidade.Raster(runtime, name)


def test_sidecars_do_not_reach_the_network(runtime, make):
    """A mask file next to the raster that is a VRT, which GDAL opens by itself, of a file on the network."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.2)
    port = listener.getsockname()[1]
    requests = []

    def listen():
        while not done.is_set():
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            requests.append(connection.recv(200))
            connection.close()

    done = threading.Event()
    thread = threading.Thread(target=listen)
    thread.start()
    try:
        path = make("m.tif")
        source = f"/vsicurl/http://127.0.0.1:{port}/x.tif"
        (path.parent / "m.tif.msk").write_text(
            f"""<VRTDataset rasterXSize="{SIZE}" rasterYSize="{SIZE}">
            <Metadata><MDI key="INTERNAL_MASK_FLAGS_1">2</MDI></Metadata>
            <VRTRasterBand dataType="Byte" band="1"><SimpleSource><SourceFilename>{source}</SourceFilename>
            <SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>"""
        )
        try:
            with alidade.Raster(runtime, path) as raster:
                raster.read_cells([(column, column) for column in range(SIZE)])
        except alidade.AlidadeError:
            pass  # a refusal is as good
    finally:
        done.set()
        thread.join()
        listener.close()
    assert requests == []


def test_another_working_folder(make, monkeypatch):
    path = make("here.tif", tiled=True, blockxsize=16, blockysize=16)
    cells = [(column, column) for column in range(SIZE)]
    monkeypatch.chdir(path.parent)
    with alidade.Runtime(thread_count=4) as runtime:
        raster = alidade.Raster(runtime, "here.tif")
        monkeypatch.chdir("/")
        assert (raster.read_cells(cells).cells["verdict"] == 0).all()


def test_a_file_that_is_swapped_is_not_mixed_with_the_old_one(make):
    path = make("swapped.tif", tiled=True, blockxsize=16, blockysize=16)
    other = make("other.tif", dtype="float32", tiled=True, blockxsize=16, blockysize=16)
    with alidade.Runtime(thread_count=4) as runtime:
        raster = alidade.Raster(runtime, path)
        os.replace(other, path)
        with pytest.raises(alidade.errors.ReadFailedError, match="changed"):
            raster.read_cells([(column, row) for column in range(0, SIZE, 16) for row in range(0, SIZE, 16)])


def test_a_database_with_a_log_is_refused_and_nothing_is_written(runtime, make):
    path = make("logged.gpkg", driver="GPKG", dtype="uint8")
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE later (x)")
        database.commit()
        before = sorted(os.listdir(path.parent))
        with pytest.raises(alidade.errors.UnsupportedError, match="write-ahead"):
            alidade.Raster(runtime, path)
        assert sorted(os.listdir(path.parent)) == before
    database.close()
    # Once the log is empty, the file is all there is.
    with alidade.Raster(runtime, path) as raster:
        assert raster.info.width == SIZE
    assert sorted(os.listdir(path.parent)) == [path.name]


def test_a_folder_whose_name_begins_like_a_virtual_file_system(runtime, make):
    path = make("plain.tif")
    folder = path.parent / "vsidata"
    folder.mkdir()
    shutil.move(path, folder / "plain.tif")
    with alidade.Raster(runtime, folder / "plain.tif") as raster:
        assert raster.info.width == SIZE


def test_an_initial_viewpoint_that_has_no_place_does_not_stop_the_view(runtime, raster_path):
    mars = alidade.Raster(runtime, raster_path("cog_hirise_mars.tif"))
    map = alidade.Map(runtime)
    map.set_initial_location(latitude_deg=0, longitude_deg=0, scale=1e6)
    map.add_layer(alidade.RasterLayer(mars))
    view = alidade.View(map, 100, 100)
    with pytest.raises(alidade.errors.NotReadyError, match="the map gives none: .* celestial body.*Set a viewpoint"):
        assert view.state
    centre = (mars.info.extent.x_min, mars.info.extent.y_max)
    view.set_viewpoint(centre, scale=1e5)
    assert tuple(view.state.center) == centre


@pytest.mark.parametrize("code", [3857, 3395, 3994, 5641, 3832])
def test_mercators_have_no_poles(runtime, code):
    world = alidade.SpatialReference.from_code(runtime, 4326)
    mercator = alidade.SpatialReference.from_code(runtime, code)
    places = numpy.array([[50.0, 90.0], [50.0, -90.0], [50.0, 89.0], [50.0, -89.0]])
    points = world.project(places, mercator).points
    assert numpy.isnan(points[:2]).all()
    assert numpy.isfinite(points[2:]).all()


def test_a_unit_without_length_is_refused(runtime):
    for unit in ("0", "-1"):
        with pytest.raises(alidade.errors.UnsupportedError):
            alidade.SpatialReference.from_wkt(runtime, f'LOCAL_CS["x",LOCAL_DATUM["y",0],UNIT["z",{unit}],'
                                                       'AXIS["E",EAST],AXIS["N",NORTH]]')


def test_too_little_memory_is_an_error(make):
    """In a process of its own, whose address space is limited."""
    path = make("plain.tif")
    code = f"""
import resource, alidade
runtime = alidade.Runtime(thread_count=1)
raster = alidade.Raster(runtime, {str(path)!r})
map = alidade.Map(runtime)
layer = alidade.RasterLayer(raster)
map.add_layer(layer)
view = alidade.View(map, 100, 100)
view.set_viewpoint((500_000, 5_000_000), scale=1e6)
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
import numpy
out = numpy.empty((4000, 4000))
resource.setrlimit(resource.RLIMIT_AS, (used + 180_000_000, resource.RLIM_INFINITY))
try:
    view.read_values(layer, 1, alidade.views.ScreenGrid(columns=4000, rows=4000), out=out)
except alidade.errors.LibraryMemoryError as error:
    print("status", int(error.status))
"""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run([sys.executable, "-c", code], env=environment, text=True, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, "status 14"), done.stderr


def test_nothing_is_written_beside_the_samples(runtime, raster_path, tmp_path):
    """Opened from a writable folder, read, and drawn with a range that has to be found."""
    folder = tmp_path / "samples"
    shutil.copytree(raster_path("RGB.byte.tif").parent, folder)
    shutil.copytree(raster_path("tiled_deflate.tif").parent, folder / "generated")
    before = listing(folder)
    opened = 0
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        try:
            raster = alidade.Raster(runtime, path)
        except alidade.AlidadeError:
            continue
        opened += 1
        try:
            raster.read_cells([(0, 0), (1, 1)])
            assert alidade.RasterLayer(raster).renderer
        except alidade.AlidadeError:
            pass
        raster.release()
    assert opened > 50
    assert listing(folder) == before


def listing(folder):
    return {str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*")
            if path.is_file()}
