"""Layers of services in views: loading while they load, a warning while something is lacking, clean again when it is
there, and never a frame that waits. The server is another process."""
import time

import alidade
import pytest
from pyproj import Transformer

import server as data
from conftest import wait_until

Flags = alidade.layers.LayerViewFlags
TO_MERCATOR = Transformer.from_crs(4326, 3857, always_xy=True)
# A view of 400 x 300 DIP at this scale shows 1.9 by 1.4 degrees.
SCALE = 2e6


class Stage:
    """A view of a layer of the service."""

    def __init__(self, runtime, address, **options):
        self.runtime = runtime
        self.layer = alidade.FeatureLayer.from_path(
            runtime, address, renderer=alidade.SimpleRenderer(alidade.MarkerSymbol(size_dip=8)), **options)
        self.map = alidade.Map(runtime, alidade.SpatialReference(runtime, "EPSG:3857"))
        self.map.add_layer(self.layer)
        self.view = alidade.View(self.map, width_dip=400, height_dip=300)
        self.look(0, 0)

    def look(self, x, y):
        self.at = (x, y)
        self.view.set_viewpoint(TO_MERCATOR.transform(x, y), scale=SCALE)

    def frame(self):
        """The ids of what a frame draws. It never waits."""
        began = time.monotonic()
        with self.view.feature_drawing(self.layer) as drawing:
            ids = sorted(int(id) for id in drawing.columns.graphic_ids)
        assert time.monotonic() - began < 1  # a busy machine; servers stall for minutes
        return ids

    @property
    def flags(self):
        return self.view.layer_state(self.layer).flags

    @property
    def error(self):
        return self.view.layer_state(self.layer).error

    def expected(self):
        """The ids of the points that are in sight."""
        x, y = TO_MERCATOR.transform(*self.at)
        half = SCALE * 0.0254 / 96 / 2
        places = [(one["id"], *TO_MERCATOR.transform(one["x"], one["y"])) for one in data.FEATURES]
        return sorted(id for id, px, py in places if abs(px - x) <= 400 * half and abs(py - y) <= 300 * half)

    def settle(self, seconds=10.0):
        """Draws frames until nothing is on its way."""
        self.frame()
        assert wait_until(lambda: Flags.LOADING not in self.flags, seconds)
        return self.frame()


@pytest.fixture
def stage(runtime, address):
    stage = Stage(runtime, address)
    stage.layer.load()
    yield stage


def test_a_frame_begins_what_the_next_ones_show(server, stage):
    server.set(delay_ms=150)
    assert stage.flags == Flags.ACTIVE
    assert stage.frame() == []
    assert stage.flags == Flags.ACTIVE | Flags.LOADING
    assert wait_until(lambda: stage.flags == Flags.ACTIVE)
    drawn = stage.frame()
    assert set(stage.expected()) <= set(drawn) and len(stage.expected()) > 40
    # What is there is not asked for again: around what is in sight, too.
    server.clear()
    stage.look(0.3, 0.2)
    assert set(stage.expected()) <= set(stage.frame())
    assert server.requests() == []


def test_the_network_is_cut_and_comes_back(server, stage):
    """The seed of it all: disconnect and pan: a warning; reconnect: the warning goes."""
    stage.settle()
    assert stage.flags == Flags.ACTIVE
    server.command("refuse")
    # Nothing is lacking yet.
    time.sleep(0.1)
    assert stage.flags == Flags.ACTIVE
    stage.look(6, 2)
    stage.frame()
    assert wait_until(lambda: Flags.WARNING in stage.flags)
    assert stage.flags == Flags.ACTIVE | Flags.WARNING
    assert isinstance(stage.error, alidade.errors.ReadFailedError) and "127.0.0.1" in str(stage.error)
    [warning] = stage.layer.warnings
    assert warning.kind == alidade.layers.LayerWarningKind.FAILED_REQUEST
    server.command("listen")
    # No timer: the warning stays until the view asks again.
    assert stage.flags == Flags.ACTIVE | Flags.WARNING
    assert wait_until(lambda: set(stage.expected()) <= set(stage.frame()))
    assert stage.flags == Flags.ACTIVE and stage.layer.warnings == ()
    history = [one.flags for one in stage.view.layer_state_history(stage.layer)]
    assert Flags.ACTIVE | Flags.WARNING in history and history[-1] == Flags.ACTIVE


def test_back_to_what_is_there_needs_no_server(server, stage):
    stage.settle()
    server.command("refuse")
    stage.look(6, 2)
    stage.frame()
    assert wait_until(lambda: Flags.WARNING in stage.flags)
    stage.look(0, 0)
    assert set(stage.expected()) <= set(stage.frame())
    assert stage.flags == Flags.ACTIVE and stage.error is None


def test_what_was_there_before_is_kept(server, stage):
    """Also after the view has been elsewhere."""
    stage.settle()
    for place in ((6, 2), (-6, -2)):
        stage.look(*place)
        stage.settle()
    server.command("refuse")
    for place in ((0, 0), (6, 2), (-6, -2)):
        stage.look(*place)
        assert set(stage.expected()) <= set(stage.frame())
        assert stage.flags == Flags.ACTIVE


def test_a_spatial_reference_of_the_host(server, stage):
    """It takes effect without the server."""
    stage.settle()
    server.command("refuse")
    stage.layer.spatial_reference = alidade.SpatialReference.from_code(stage.runtime, 4258)
    stage.frame()
    assert stage.flags & Flags.ACTIVE
    server.well()
    assert wait_until(lambda: set(stage.expected()) <= set(stage.frame()))


def test_a_failed_part_rests(server, stage):
    """Frames come 60 times a second: the server is not asked as often."""
    stage.settle()
    server.fault("status", path="/", count=0)
    stage.look(6, 2)
    server.clear()
    end = time.monotonic() + 2.5
    while time.monotonic() < end:
        stage.frame()
        time.sleep(0.02)
    assert 1 <= len(server.requests()) <= 3
    assert "being repaired" in str(stage.error)
    server.well()
    stage.layer.retry_load()
    assert wait_until(lambda: set(stage.expected()) <= set(stage.frame()), 1.5)


def test_a_stalled_server_keeps_no_frame_and_no_worker(server, address):
    with alidade.Runtime(policy=alidade.Policy(hosts=[server.address]), thread_count=1) as runtime:
        stage = Stage(runtime, address)
        stage.layer.load()
        stage.settle()
        server.fault("stall")
        for step in range(20):
            stage.look(3 + step / 5, 2)
            stage.frame()
            # The one worker is free.
            with pytest.raises(alidade.errors.NotFoundError):
                alidade.Raster.open_async(runtime, "/no/such/file").result(5)
        assert Flags.LOADING in stage.flags
        server.well()
        assert wait_until(lambda: set(stage.expected()) <= set(stage.frame()))
        assert wait_until(lambda: stage.flags == Flags.ACTIVE)


def test_the_newest_view_wins(server, stage):
    """What a view has left is not read to its end."""
    server.fault("stall")
    for x in range(-8, 9, 2):
        stage.look(x, 0)
        stage.frame()
    server.well()
    assert wait_until(lambda: set(stage.expected()) <= set(stage.frame()))
    assert wait_until(lambda: stage.flags == Flags.ACTIVE)
    assert set(stage.frame()) == set(stage.frame()) >= set(stage.expected())


def test_two_views_have_their_own_states(server, runtime, stage):
    other = alidade.View(stage.map, width_dip=400, height_dip=300)
    other.set_viewpoint(TO_MERCATOR.transform(0, 0), scale=SCALE)
    stage.settle()
    other.feature_drawing(stage.layer).release()
    assert wait_until(lambda: other.layer_state(stage.layer).flags == Flags.ACTIVE)
    server.command("refuse")
    stage.look(6, 2)
    stage.frame()
    assert wait_until(lambda: Flags.WARNING in stage.flags)
    other.feature_drawing(stage.layer).release()
    assert other.layer_state(stage.layer).flags == Flags.ACTIVE


def test_taps_ask_no_server(server, stage):
    stage.settle()
    server.clear()
    [element] = stage.view.identify_layer(stage.layer, (200, 150), 60, 1)
    number = min(data.FEATURES, key=lambda one: one["x"] ** 2 + one["y"] ** 2)
    assert abs(data.feature(element.id)["x"]) == abs(number["x"]) and abs(data.feature(element.id)["y"]) == abs(number["y"])
    assert element["name"] == data.feature(element.id)["name"]
    server.command("refuse")
    stage.layer.set_renderer(alidade.SimpleRenderer(alidade.MarkerSymbol(size_dip=20)))
    assert stage.view.identify_layer(stage.layer, (200, 150), 60, 1)
    assert set(stage.expected()) <= set(stage.frame())
    server.well()
    assert server.requests() == []


def test_loading_that_fails_and_is_tried_again(server, runtime, address):
    server.fault("status")
    stage = Stage(runtime, address)
    with pytest.raises(alidade.errors.ReadFailedError, match="being repaired"):
        stage.layer.load()
    assert stage.flags & Flags.ERROR
    server.well()
    stage.layer.retry_load()
    assert stage.flags == Flags.ACTIVE
    assert set(stage.expected()) <= set(stage.settle())


def test_a_service_that_never_answers(server, address):
    with alidade.Runtime(policy=alidade.Policy(hosts=[server.address], max_request_ms=500)) as runtime:
        server.fault("stall")
        stage = Stage(runtime, address)
        with pytest.raises(alidade.errors.LimitExceededError, match="500 ms"):
            stage.layer.load()
        assert stage.flags & Flags.ERROR
        server.well()
        stage.layer.retry_load()
        assert set(stage.expected()) <= set(stage.settle())
        server.fault("stall")
        stage.look(6, 2)
        stage.frame()
        assert wait_until(lambda: Flags.WARNING in stage.flags, 3)
        assert "500 ms" in str(stage.error)


def test_the_first_features_of_a_service(server, runtime):
    """A service that returns only its first so many: a warning that says so, and that goes where all are there."""
    server.set(supports_paging=0, max_record_count=30)
    stage = Stage(runtime, f"{server.url}/arcgis/rest/services/points/FeatureServer/0")
    stage.layer.load()
    assert 0 < len(stage.settle()) <= 30 < len(stage.expected())
    assert stage.flags == Flags.ACTIVE | Flags.WARNING
    [warning] = stage.layer.warnings
    assert warning.kind == alidade.layers.LayerWarningKind.TRUNCATED and "at most 30" in warning.text
    # Closer by, the service returns all there are.
    stage.view.set_viewpoint(scale=SCALE / 3)
    stage.settle()
    assert wait_until(lambda: stage.flags == Flags.ACTIVE) and stage.layer.warnings == ()
    # Beyond the corner of the data there are few.
    stage.look(10.5, 5.2)
    stage.settle()
    assert stage.flags == Flags.ACTIVE and stage.layer.warnings == ()


def test_what_is_in_sight_comes_first(server, runtime):
    """The service returns too few for the surroundings, which a view asks for too, and enough for what it shows."""
    server.set(supports_paging=0, max_record_count=100)
    stage = Stage(runtime, f"{server.url}/arcgis/rest/services/points/FeatureServer/0")
    stage.layer.load()
    assert set(stage.expected()) <= set(stage.settle())
    assert stage.flags == Flags.ACTIVE


def test_a_definition_is_asked_anew(stage):
    stage.settle()
    stage.layer.definition = "value < 10"
    expected = [id for id in stage.expected() if data.feature(id)["value"] < 10]
    assert set(expected) <= set(stage.settle())
    assert all(data.feature(id)["value"] < 10 for id in stage.frame())


def test_released_in_the_middle(server, address):
    """Layers, views and runtimes go while a server stalls."""
    for _ in range(5):
        runtime = alidade.Runtime(policy=alidade.Policy(hosts=[server.address]))
        stage = Stage(runtime, address)
        stage.layer.load()
        server.fault("stall")
        stage.frame()
        stage.view.release()
        stage.layer.release()
        began = time.monotonic()
        runtime.release()
        assert time.monotonic() - began < 1
        server.well()
