"""
A thousand screen points on each raster, through random views: the library against numpy, pyproj and rasterio.

For most rasters the map is in another spatial reference. Nothing that is expected here comes from the library.
"""
import numpy
import pytest

from aim import random_camera, random_screen_points
from cases import CASES, OWN
from compare import cell_differences, polygon_differences
from scene import candidates
from texts import attributes, element_text
from truth import Truth

VIEWS = 10
POINTS_PER_VIEW = 100


def test_cases_are_what_was_promised(raster_path):
    files = {case.file for case in CASES}
    drivers = {Truth(raster_path(file)).driver for file in files}
    assert len(files) >= 20
    assert len(drivers) >= 8, drivers
    assert sum(case.map != OWN for case in CASES) * 2 >= len(CASES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_screen_points(scene_of, case):
    scene = scene_of(case)
    generator = numpy.random.default_rng([20240601, *case.file.encode(), len(str(case))])
    differences, hits = [], 0
    for _ in range(VIEWS):
        camera = random_camera(generator, scene.truth, scene.map_crs, scene.to_map)
        screen = random_screen_points(generator, camera, POINTS_PER_VIEW)
        scene.look(camera)
        for point, position in zip(screen, scene.cells_under(camera, screen)):
            found = point_differences(scene, point, position)
            differences += [f"{camera} at {point.tolist()} (cell position {position}): {text}" for text in found[0]]
            hits += found[1]
    assert not differences, f"{len(differences)} differences, the first ones:\n" + "\n".join(differences[:5])
    assert hits >= VIEWS * POINTS_PER_VIEW / 4, f"only {hits} points lie on the raster: aim better"


@pytest.mark.parametrize("case", [case for case in CASES if case.map == OWN], ids=str)
def test_under_a_finger_that_moves(scene_of, case):
    """Neighbouring cells one after the other, across the borders of blocks: they come from a copy of a part of a block."""
    scene = scene_of(case)
    generator = numpy.random.default_rng([20261126, *case.file.encode()])
    differences, hits = [], 0
    for _ in range(VIEWS):
        camera = random_camera(generator, scene.truth, scene.map_crs, scene.to_map)
        scene.look(camera)
        start = random_screen_points(generator, camera, 1)[0]
        angle = generator.random() * 2 * numpy.pi
        steps = numpy.arange(60)[:, None] * 1.7 * numpy.array([numpy.cos(angle), numpy.sin(angle)])
        screen = start + steps
        for point, position in zip(screen, scene.cells_under(camera, screen)):
            found = point_differences(scene, point, position)
            differences += [f"{camera} at {point.tolist()} (cell position {position}): {text}" for text in found[0]]
            hits += found[1]
    assert not differences, f"{len(differences)} differences, the first ones:\n" + "\n".join(differences[:5])
    assert hits > 30


@pytest.mark.parametrize("case", [case for case in CASES if case.map != OWN], ids=str)
def test_a_view_that_stays(scene_of, case):
    """Many points in a small part of a view: after the first ones they are no longer projected one by one."""
    scene = scene_of(case)
    generator = numpy.random.default_rng([20261128, *case.file.encode(), len(str(case))])
    differences, hits = [], 0
    for _ in range(VIEWS):
        camera = random_camera(generator, scene.truth, scene.map_crs, scene.to_map)
        scene.look(camera)
        corner = random_screen_points(generator, camera, 1)[0] - 60
        screen = corner + generator.uniform(0, 120, (600, 2))
        for point, position in zip(screen, scene.cells_under(camera, screen)):
            (cell,), (values,) = scene.view.cell_at(scene.layer, point)
            allowed = candidates(position) if numpy.isfinite(position).all() else None
            found = cell_differences(scene.truth, allowed, cell, values)
            differences += [f"{camera} at {point.tolist()} (cell position {position}): {text}" for text in found]
            hits += int(cell["column"] >= 0)
    assert not differences, f"{len(differences)} differences, the first ones:\n" + "\n".join(differences[:5])
    assert hits > 600


def point_differences(scene, point, position):
    """Cell and identify at one screen point; and 1 if the point hits the raster, otherwise 0."""
    allowed = candidates(position) if numpy.isfinite(position).all() else None
    (cell,), (values,) = scene.view.cell_at(scene.layer, point)
    differences = cell_differences(scene.truth, allowed, cell, values)
    with scene.view.identify_layer(scene.layer, point, tolerance_dip=7) as result:
        differences += element_differences(scene, result, cell, values)
    return differences, int(cell["column"] >= 0)


def element_differences(scene, result, cell, values):
    """Identify must say of the cell what ald_view_read_cell says, and more: where it lies and how it reads."""
    if cell["column"] < 0:
        return [] if len(result) == 0 else [f"{len(result)} elements where there is no cell"]
    if len(result) != 1:
        return [f"{len(result)} elements where there is a cell"]
    element = result[0]
    differences = polygon_differences(scene, element.cell, result.map_point[0])
    if (element.cell.column, element.cell.row, element.cell.verdict) != (cell["column"], cell["row"], cell["verdict"]):
        differences.append(f"identify finds {element}, cell_at {cell}")
    if element.cell.values.tobytes() != values.tobytes():
        differences.append(f"identify has {element.cell.values}, cell_at {values}")
    return differences + text_differences(scene.truth, element)


def text_differences(truth, element):
    expected = attributes(truth, truth.values(element.cell.column, element.cell.row))
    got = [(attribute.name, attribute.text) for attribute in element.attributes]
    if got != expected:
        return [f"attributes {got}, expected {expected}"]
    whole = "\n".join(f"{name}: {text}" for name, text in expected)
    if element.cell.has_map_polygon:
        whole = element_text(expected, element.cell.extent.x_min, element.cell.extent.y_min)
    return [] if element.text == whole else [f"text {element.text!r}, expected {whole!r}"]
