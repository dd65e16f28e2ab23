"""What the pictures of the examples share: texts that lie on each other or are cut off are found."""
import sys

import numpy
import pytest
from conftest import ROOT
from PIL import Image


@pytest.fixture(scope="module")
def drawing():
    sys.path.insert(0, str(ROOT / "examples"))
    try:
        import drawing

        yield drawing
    finally:
        sys.path.remove(str(ROOT / "examples"))


# What is saved without a warning.
pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture
def sheet(drawing):
    return drawing.Sheet(300, 200, "Title", "subtitle")


def pixels(path):
    with Image.open(path) as picture:
        return numpy.asarray(picture.convert("RGB")).astype(int)


def test_a_sheet_has_the_pixels_of_its_size(sheet, tmp_path):
    sheet.save(tmp_path / "sheet.png")
    assert pixels(tmp_path / "sheet.png").shape == (400, 600, 3)


def test_fewer_colours_look_the_same(sheet, tmp_path):
    sheet.save(tmp_path / "all.png")
    sheet.save(tmp_path / "few.png", 16)
    few, whole = pixels(tmp_path / "few.png"), pixels(tmp_path / "all.png")
    assert len(numpy.unique(few.reshape(-1, 3), axis=0)) == 16 < len(numpy.unique(whole.reshape(-1, 3), axis=0))
    assert numpy.abs(few - whole).max() < 24


def test_texts_that_lie_on_each_other(drawing, sheet, tmp_path):
    axes = sheet.picture(20, 80, 200, 100)
    drawing.label(axes, (20, 50), "Kinshasa")
    drawing.label(axes, (60, 52), "Brazzaville")
    with pytest.warns(UserWarning, match="'Brazzaville' lies on 'Kinshasa'"):
        sheet.save(tmp_path / "sheet.png")


def test_texts_side_by_side(drawing, sheet, tmp_path):
    axes = sheet.picture(20, 80, 200, 100)
    drawing.label(axes, (20, 50), "Kinshasa")
    drawing.label(axes, (20, 70), "Brazzaville")
    sheet.save(tmp_path / "sheet.png")


@pytest.mark.parametrize("left", [-10, 270])
def test_texts_that_are_cut_off(sheet, tmp_path, left):
    sheet.text(left, 120, "Brazzaville")
    with pytest.warns(UserWarning, match="'Brazzaville' is cut off"):
        sheet.save(tmp_path / "sheet.png")


def test_names_that_have_no_room_are_left_out(drawing, sheet, tmp_path):
    axes = sheet.picture(20, 80, 200, 100)
    drawing.names(axes, [((10, 50), "Kinshasa"), ((12, 52), "Brazzaville"), ((190, 80), "Matadi")])
    assert [text.get_text() for text in axes.texts] == ["Kinshasa"]
    sheet.save(tmp_path / "sheet.png")


@pytest.mark.parametrize("scale, text", [(150_000_000, "1 : 150,000,000"), (23684605.6, "1 : 23,684,606")])
def test_scales_are_written_with_groups(drawing, scale, text):
    assert drawing.scale_text(scale) == text


@pytest.mark.parametrize("place, text", [((-122.16574, 40.75872), "40.7587° N, 122.1657° W"),
                                         ((18.6, -34.1), "34.1000° S, 18.6000° E")])
def test_places_are_written_with_hemispheres(drawing, place, text):
    assert drawing.degrees(*place) == text
