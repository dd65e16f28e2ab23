"""The example examples/transformations: its tables and its picture, against pyproj."""
import math
import os
import re
import subprocess
import sys

import numpy
import pyproj
import pytest
from conftest import ROOT
from PIL import Image

EXAMPLE = ROOT / "examples" / "transformations"
WGS84 = pyproj.Geod(ellps="WGS84")


@pytest.fixture(scope="module")
def example():
    """The program as a module: for its locations, colours and layout."""
    sys.path.insert(0, str(EXAMPLE))
    try:
        import transformations

        yield transformations
    finally:
        sys.path.remove(str(EXAMPLE))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What it prints, and its picture."""
    import alidade

    output = tmp_path_factory.mktemp("example") / "picture.png"
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(alidade.__file__)))
    command = [sys.executable, "-B", EXAMPLE / "transformations.py", "--output", output]
    result = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE)
    return result.stdout.splitlines(), Image.open(output).convert("RGB")


def longitudes_and_latitudes(example):
    """Where pyproj puts the Observatory with each operation, by the name of its change of datum."""
    group = pyproj.transformer.TransformerGroup("EPSG:27700", "EPSG:4326", always_xy=True)
    return {
        re.search(r"OSGB36 to WGS 84 \(\d\)|Ballpark geographic offset", one.description)[0]: one.transform(
            *example.OBSERVATORY
        )
        for one in group.transformers
    }


def moves(lines):
    """The lines "  name: 1.20 m (+0.52 east, -1.08 north)" by name."""
    pattern = re.compile(r"  (.*): ([\d.]+) m \(([+-][\d.]+) east, ([+-][\d.]+) north\)")
    return {found[1]: tuple(map(float, found.groups()[1:])) for line in lines if (found := pattern.fullmatch(line))}


def test_moves_are_those_of_pyproj(run, example):
    truth = longitudes_and_latitudes(example)
    origin = truth["OSGB36 to WGS 84 (6)"]
    printed = {name.removesuffix(" from OSGB36 to WGS 84"): move for name, move in moves(run[0]).items()}
    assert printed.keys() == truth.keys() and len(truth) == 8
    for name, (distance, east, north) in printed.items():
        azimuth, _, metres = WGS84.inv(*origin, *truth[name])
        assert distance == pytest.approx(metres, abs=0.006), name
        assert east == pytest.approx(metres * math.sin(math.radians(azimuth)), abs=0.01), name
        assert north == pytest.approx(metres * math.cos(math.radians(azimuth)), abs=0.01), name


def test_missing_grid_is_named_and_refused(run):
    lines = run[0]
    assert any(line.startswith("     missing: uk_os_OSTN15_NTv2_OSGBtoETRS.tif or OSTN15") for line in lines)
    assert any(re.match(r"  OSGB36 to WGS 84 \(9\): refused\. .*OSTN15_NTv2_OSGBtoETRS\.gsb", line) for line in lines)


def test_the_view_leaves_fewer(run):
    titles = [line for line in run[0] if line.endswith("transformations")]
    counts = [int(re.search(r"(\d+) transformations$", line)[1]) for line in titles]
    # projinfo -s EPSG:27700 -t EPSG:3857 --spatial-test intersects, without and with --bbox -0.01,51.47,0.01,51.49
    assert counts == [9, 5, 4, 4]


def test_the_grid_folder_makes_a_better_one_usable(run, example):
    lines = run[0]
    assert "  event: NAD27 to WGS 84 (79) became usable" in lines
    last = max(index for index, line in enumerate(lines) if line.startswith("The same list again"))
    assert lines[last + 2].endswith("yes      NAD27 to WGS 84 (79)")
    moved = next(line for line in lines if line.startswith("The city hall moves by"))
    without, with_grid = (pipeline.transform(*example.SAN_FRANCISCO) for pipeline in san_francisco(example))
    metres = WGS84.inv(*without, *with_grid)[2]
    assert float(re.search(r"by ([\d.]+) m", moved)[1]) == pytest.approx(metres, abs=0.006)


def san_francisco(example):
    """NAD27 to WGS 84 (6), and (79) with the grid file of the example."""
    (west, south), (east, north) = example.BAY
    bay = pyproj.aoi.AreaOfInterest(west, south, east, north)
    group = pyproj.transformer.TransformerGroup("EPSG:4267", "EPSG:4326", always_xy=True, area_of_interest=bay)
    without = next(one for one in group.transformers if "NAD27 to WGS 84 (6)" in one.description)
    shift = EXAMPLE / "grids" / "us_noaa_conus.tif"
    with_grid = pyproj.Transformer.from_pipeline(
        f"+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=hgridshift +grids={shift} "
        "+step +proj=unitconvert +xy_in=rad +xy_out=deg"
    )
    return without, with_grid


def test_the_cost_over_an_area(run, example):
    line = next(line for line in run[0] if line.startswith("Over California and Nevada"))
    least, most, mean = map(float, re.search(r"by ([\d.]+) to ([\d.]+) m, ([\d.]+) m", line).groups())
    (west, south), (east, north) = example.CALIFORNIA
    shares = (numpy.arange(36) + 0.5) / 36
    x, y = numpy.meshgrid(west + shares * (east - west), south + shares * (north - south))
    without, with_grid = (pipeline.transform(x, y) for pipeline in san_francisco(example))
    metres = WGS84.inv(*without, *with_grid)[2]
    assert (least, most) == pytest.approx((metres.min(), metres.max()), abs=0.006)
    # The area of a cell goes with the cosine of its latitude, but for the flattening.
    assert mean == pytest.approx(numpy.average(metres, weights=numpy.cos(numpy.radians(y))), abs=0.01)


def test_picture(run, example):
    """The crosses and arrows lie where pyproj has the results, and the third panel goes from light to dark."""
    picture = run[1]
    density, truth = example.drawing.DENSITY, longitudes_and_latitudes(example)
    marks = 0
    for panel, reach in ((0, 9.2), (1, 7)):
        for name, place in truth.items():
            azimuth, _, metres = WGS84.inv(*truth["OSGB36 to WGS 84 (6)"], *place)
            if panel == 1 and (metres > reach or name[-2] in "458"):
                continue
            # What is too far away has an arrow towards it.
            pixels = min(metres / reach, 0.9) * example.SIDE / 2
            x = example.LEFT[panel] + example.SIDE / 2 + pixels * math.sin(math.radians(azimuth))
            y = example.TOP + example.SIDE / 2 - pixels * math.cos(math.radians(azimuth))
            pixel = picture.getpixel((int(x * density), int(y * density)))
            assert pixel == (example.USED if metres == 0 else example.OTHER), (panel, name)
            marks += 1
    assert marks == 8 + 4
    left, top, width, height = (density * length for length in (
        example.LEFT[2], example.TOP, example.FIELD_WIDTH, example.SIDE))
    field = numpy.asarray(picture)[top:top + height, left:left + width].reshape(-1, 3)
    assert {example.COOL, example.WARM} <= set(map(tuple, field))
