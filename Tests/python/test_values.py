"""Sequences, equality, pickling, asyncio, and the objects that events are about."""

from __future__ import annotations

import asyncio
import copy
import inspect
import multiprocessing
import pickle
from pathlib import Path
from typing import Any, Callable, Iterator

import numpy as np
import pytest

import alidade
from alidade._base.handle import Handle
from conftest import PUBLIC, Scene

WKT = "POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 1))"


@pytest.fixture(autouse=True)
def own_default(runtime: alidade.Runtime) -> Iterator[None]:
    alidade.set_default_runtime(runtime)
    yield
    alidade.set_default_runtime(None)


def mixed(runtime: alidade.Runtime) -> alidade.GeometryArray:
    texts = ["POINT(1 1)", WKT, "POINT Z(9 9 9)", "LINESTRING(0 0, 8 8)", "POLYGON EMPTY", "MULTIPOINT(1 1, 2 2)"]
    texts.append("GEOMETRYCOLLECTION(POINT(20 20), LINESTRING(20 20, 21 21))")
    geometries = [alidade.Geometry.from_wkt(runtime, text, 27700) for text in texts]
    return alidade.GeometryArray.from_geometries(runtime, geometries)


def sequences(scene: Scene, runtime: alidade.Runtime, folder: Path) -> list[Any]:
    path = folder / "points.geojson"
    rows = [
        f'{{"type": "Feature", "properties": {{"n": {n}}}, "geometry": {{"type": "Point", "coordinates": [{n}, 50]}}}}'
        for n in range(4)
    ]
    path.write_text(f'{{"type": "FeatureCollection", "features": [{", ".join(rows)}]}}')
    group = alidade.GroupLayer(runtime)
    for _ in range(3):
        group.append(alidade.RasterLayer(scene.raster))
    return [
        alidade.TransformationList(27700, 4326),
        mixed(runtime),
        alidade.FeatureSource(runtime, path).query(),
        scene.view.identify_layer(scene.layer, (100, 50)),
        group,
    ]


def test_lists_are_sequences(scene: Scene, runtime: alidade.Runtime, tmp_path: Path) -> None:
    for items in sequences(scene, runtime, tmp_path):
        count = len(items)
        listed = list(items)
        assert len(listed) == count > 0
        for index in (0, -1, count - 1):
            assert items[index] == items[index] and items[index] == listed[index]
            assert items[index] in items and items.index(items[index]) <= index % count
        assert list(reversed(items)) == listed[::-1]
        for cut in (slice(1, 3), slice(None, None, -1), slice(5, 2), slice(None)):
            assert list(items[cut]) == listed[cut], (type(items), cut)
        with pytest.raises(IndexError):
            items[count]
        assert object() not in items and items == items and items != listed
        if not isinstance(items, alidade.FeatureSet):
            assert len({hash(item) for item in (items[0], items[0])}) == 1


def test_the_items_of_a_drawing(scene: Scene, runtime: alidade.Runtime) -> None:
    overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(alidade.MarkerSymbol()))
    scene.view.add_overlay(overlay)
    for x in range(4):
        overlay.add(alidade.Geometry.from_wkt(runtime, f"POINT({x} 0)"))
    drawing = scene.view.overlay_drawing(keep_outside=True)
    ids = [item.graphic_id for item in drawing]
    assert ids == overlay.ids and drawing[-1].graphic_id == ids[-1]
    assert [item.graphic_id for item in drawing[1:3]] == ids[1:3]
    with pytest.raises(IndexError):
        drawing[4]


def test_masks_and_indexes_of_an_array(runtime: alidade.Runtime) -> None:
    array = mixed(runtime)
    wkts = [geometry.to_wkt() for geometry in array]
    mask = np.array([True, False, True, False, False, False, True])
    for chosen in (mask, mask.tolist(), [0, 2, 6], np.array([0, 2, -1]), (0, 2, 6)):
        part = array[chosen]
        assert [geometry.to_wkt() for geometry in part] == [wkts[0], wkts[2], wkts[6]]
        assert part.spatial_reference == array.spatial_reference
    assert len(array[[]]) == 0 and len(array[~np.ones(7, dtype=bool)]) == 0
    assert [geometry.to_wkt() for geometry in array[[3, 3]]] == [wkts[3]] * 2
    for wrong in ([True], [7], [0.5]):
        with pytest.raises(IndexError):
            array[wrong]
    zone = alidade.Geometry.from_wkt(runtime, "POLYGON((-1 -1, 5 -1, 5 5, -1 5, -1 -1))", 27700)
    simple = array[:4]
    assert simple.intersects(zone).tolist() == [True, True, False, True]
    assert simple.disjoint(zone).tolist() == [False, False, True, False]
    assert simple.within(zone).tolist() == [True, True, False, False] == simple.covered_by(zone).tolist()
    assert simple.within_distance(zone, 6).all() and not simple.intersects(zone).all()
    assert simple.contains(alidade.Geometry.from_wkt(runtime, "POINT(3 3)", 27700)).tolist() == [False, True, False, True]
    assert [geometry.to_wkt() for geometry in simple[simple.within(zone)]] == wkts[:2]
    assert array.is_empty.tolist() == [False] * 4 + [True, False, False] and array.is_valid.all()


def test_equality_is_of_values(runtime: alidade.Runtime) -> None:
    one, other = (alidade.Geometry.from_wkt(runtime, WKT, 27700) for _ in range(2))
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert one != alidade.Geometry.from_wkt(runtime, WKT) and one != WKT and one is not None
    assert mixed(runtime) == mixed(runtime) and hash(mixed(runtime)) == hash(mixed(runtime))
    assert mixed(runtime) != mixed(runtime)[1:]
    reference = alidade.SpatialReference(runtime, 27700)
    assert reference == one.spatial_reference and hash(reference) == hash(one.spatial_reference)
    assert reference != alidade.SpatialReference(runtime, 4326)
    axes = alidade.SpatialReference(runtime, 4326), alidade.SpatialReference(runtime, "OGC:CRS84")
    assert (axes[0] == axes[1]) is axes[0].is_equivalent(axes[1])
    found = [alidade.Transformation.from_code(runtime, 1314) for _ in range(2)]
    assert found[0] == found[1] and hash(found[0]) == hash(found[1]) and found[0] != found[0].inverse()
    other.release()
    assert one != other and other == other and isinstance(hash(other), int)
    with alidade.Runtime() as second:
        assert alidade.SpatialReference(second, 27700) != reference


def test_values_can_be_pickled_and_copied(runtime: alidade.Runtime, scene: Scene) -> None:
    values = [
        alidade.Geometry.from_wkt(runtime, "LINESTRING ZM(0 0 1 2, 1 1 3 4)", 27700),
        alidade.Geometry.from_wkt(runtime, WKT),
        mixed(runtime),
        alidade.SpatialReference(runtime, "EPSG:4326+5773"),
        alidade.SpatialReference(runtime, "+proj=utm +zone=32 +ellps=GRS80"),
        alidade.Transformation.from_code(runtime, 1314),
        alidade.TransformationList(27700, 4326)[0],
        alidade.Viewpoint(center=(1.0, 2.0), spatial_reference=alidade.SpatialReference(runtime, 4326), scale=500.0),
        alidade.Policy(hosts=["example.com"]),
        scene.raster.info,
        alidade.Insets(1, 2, 3, 4),
        alidade.SimpleRenderer(alidade.MarkerSymbol()),
    ]
    for value in values:
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.copy(value) == value == copy.deepcopy(value)
    with pytest.raises(alidade.errors.NotFoundError) as caught:
        alidade.SpatialReference(runtime, 999999)
    error = pickle.loads(pickle.dumps(caught.value))
    assert type(error) is alidade.errors.NotFoundError and error.message == caught.value.message
    assert (error.status, error.argument, error.domain) == (caught.value.status, caught.value.argument, caught.value.domain)
    buffer = values[0].geodesic_buffer(1000, maximum_deviation=0.5)
    buffers = alidade.GeometryArray.from_geometries([values[0]]).geodesic_buffers(1000)
    for made in (buffer, buffers):
        assert made.buffer_report is not None and pickle.loads(pickle.dumps(made)).buffer_report == made.buffer_report
    assert pickle.loads(pickle.dumps(values[0])).buffer_report is None
    for item in (scene.map, scene.view, scene.raster, runtime):
        with pytest.raises(TypeError, match=f"^{type(item).__name__} objects cannot be pickled or copied: they belong"):
            pickle.dumps(item)


def _area(geometry: alidade.Geometry) -> tuple[float, alidade.Geometry]:
    return geometry.area(), geometry


def test_values_cross_processes(runtime: alidade.Runtime) -> None:
    square = alidade.Geometry.from_wkt(runtime, WKT, 27700)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        area, returned = pool.apply(_area, (square,))
    assert area == square.area() and returned == square


def test_requests_can_be_awaited(scene: Scene, runtime: alidade.Runtime) -> None:
    async def ask() -> list[Any]:
        requests = [scene.view.identify_async((x, 50), replace_key=x + 1) for x in range(0, 100, 10)]
        return await asyncio.gather(*requests)

    assert [len(result) for result in asyncio.run(ask())] == [1] * 10

    async def fail() -> None:
        with pytest.raises(alidade.errors.NotFoundError):
            await alidade.Raster.open_async(runtime, "none.tif")

    asyncio.run(fail())


def test_events_in_asyncio(scene: Scene, runtime: alidade.Runtime) -> None:
    done: list[Any] = []

    async def first(kind: type) -> Any:
        async for event in runtime.events_async():
            if isinstance(event, kind):
                return event

    async def run() -> tuple[Any, Any]:
        waiting = asyncio.gather(first(alidade.events.ViewpointChanged), first(alidade.events.ViewpointChanged))
        await asyncio.sleep(0.05)
        scene.view.identify_async((1, 1), on_done=done.append)
        for scale in (5000, 6000, 7000, 8000):
            scene.view.scale = scale
            await asyncio.sleep(0.05)
        return await asyncio.wait_for(waiting, 10)

    events = asyncio.run(run())
    assert all(event.view is scene.view for event in events)
    while not done:
        runtime.pump()


def test_events_give_the_object(scene: Scene, runtime: alidade.Runtime) -> None:
    layer = alidade.RasterLayer.from_path(runtime, scene.raster.info.path)
    layer.load()
    loaded = [event for event in runtime.events() if isinstance(event, alidade.events.LoadStatusChanged)]
    assert [event.object for event in loaded if event.concerns(layer)] and all(event.layer is layer for event in loaded)
    scene.view.scale = 12345
    moved = [event for event in runtime.events() if isinstance(event, alidade.events.ViewpointChanged)]
    assert moved and all(event.view is scene.view for event in moved)
    raster = alidade.Raster.unloaded(runtime, scene.raster.info.path)
    raster.load()
    events = [event for event in runtime.events() if isinstance(event, alidade.events.LoadStatusChanged)]
    assert events and all(event.object is raster and event.layer is None for event in events)
    # The program no longer has it.
    events = events[:1]
    del raster
    assert events[0].object is None


def test_geodesic_buffers_are_geometries(runtime: alidade.Runtime) -> None:
    point = alidade.Geometry.from_wkt(runtime, "POINT(10 50)", 4326)
    buffer = point.geodesic_buffer(1000, maximum_deviation=0.5)
    assert isinstance(buffer, alidade.Geometry) and buffer.buffer_report is not None
    assert buffer.buffer_report.achieved_deviation_m <= buffer.buffer_report.maximum_deviation_m == 0.5
    assert point.buffer_report is None
    array = alidade.GeometryArray.from_geometries(runtime, [point, point])
    assert array.geodesic_buffers(1000).buffer_report == point.geodesic_buffer(1000).buffer_report
    assert array.geodesic_buffer_union(1000).buffer_report is not None


def test_every_object_says_whether_it_can_be_pickled() -> None:
    for name, found in PUBLIC.items():
        if inspect.isclass(found) and issubclass(found, Handle):
            reduce: Callable[..., Any] = found.__reduce__
            assert reduce is not object.__reduce__, name
