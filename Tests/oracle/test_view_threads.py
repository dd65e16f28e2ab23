"""Many threads on one view: each gets what one thread alone gets, while another moves a view of the same map."""
import threading

import alidade
import numpy
import pytest

from aim import random_camera, random_screen_points
from cases import Case

THREADS = 4
POINTS = 400


@pytest.mark.parametrize("case", [Case("tiled_deflate.tif", 3857), Case("scale_unit.tif", 4326),
                                  Case("mask_internal.tif", 3857), Case("storml_evt_rat.tif", 3857)], ids=str)
def test_taps_on_many_threads(scene_of, case):
    scene = scene_of(case)
    generator = numpy.random.default_rng(8)
    camera = random_camera(generator, scene.truth, scene.map_crs, scene.to_map)
    scene.look(camera)
    screen = random_screen_points(generator, camera, POINTS)
    alone = taps(scene, screen)
    answers, done = {}, threading.Event()

    def work(number):
        answers[number] = taps(scene, screen)

    mover = threading.Thread(target=move_another_view, args=(scene, camera, done))
    workers = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in (mover, *workers):
        thread.start()
    for thread in workers:
        thread.join()
    done.set()
    mover.join()
    assert [answers.get(number) == alone for number in range(THREADS)] == [True] * THREADS


def taps(scene, screen):
    """Everything that identify says at some points, and two whole screens."""
    found = []
    for point in screen:
        with scene.view.identify_layer(scene.layer, point) as result:
            found += [(element.text, element.cell.values.tobytes(), element.cell.polygon.tobytes()) for element in result]
    grid = alidade.views.ScreenGrid(columns=90, rows=70)
    found.append(scene.view.read_rgba(scene.layer, grid).tobytes())
    found.append(scene.view.read_values(scene.layer, 1, grid).tobytes())
    return found


def move_another_view(scene, camera, done):
    with alidade.View(scene.map, 300, 200) as view:
        while not done.is_set():
            for rotation in range(0, 360, 30):
                view.set_viewpoint(camera.centre, scale=camera.scale * (1 + rotation / 100), rotation_deg=rotation)
                view.identify_layer(scene.layer, (150, 100)).release()
