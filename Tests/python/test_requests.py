"""Requests: waiting, polling, callbacks, events, drag mode, asyncio, and what must not be lost."""

from __future__ import annotations

import asyncio
import fcntl
import gc
import os
import select
import signal
import threading
import time
import weakref
from pathlib import Path
from typing import Iterator

import pytest

import alidade
from alidade import _library
from conftest import RASTERS, Scene
from test_processes import run_python

SHASTA = RASTERS / "Shasta_Elevation.tif"
MIDDLE = (100, 50)
LONG = 30.0


class SlowFile:
    """A file that nobody can open until `let_go`, or for 45 seconds: this process holds a lease on it."""

    def __init__(self, path: Path) -> None:
        # This signal notifies the holder that somebody wants the file.
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        path.write_bytes(b"no raster")
        self.path = path
        self._descriptor = os.open(path, os.O_RDWR)
        fcntl.fcntl(self._descriptor, fcntl.F_SETLEASE, fcntl.F_WRLCK)

    def let_go(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


@pytest.fixture()
def slow_file(tmp_path: Path) -> Iterator[SlowFile]:
    file = SlowFile(tmp_path / "slow.tif")
    yield file
    file.let_go()


class SlowWorkers:
    """As many requests as there are workers, each in the system until `let_go`."""

    def __init__(self, runtime: alidade.Runtime, file: SlowFile) -> None:
        self.let_go = file.let_go
        self.requests = [alidade.Raster.open_async(runtime, file.path) for _ in range(os.cpu_count() or 1)]
        time.sleep(0.2)
        assert not any(request.done() for request in self.requests)


@pytest.fixture()
def slow_workers(runtime: alidade.Runtime, slow_file: SlowFile) -> SlowWorkers:
    return SlowWorkers(runtime, slow_file)


def finish(runtime: alidade.Runtime, is_done, seconds: float = LONG) -> list[alidade.Event]:
    """Pumps and drains until something holds."""
    events, end = [], time.monotonic() + seconds
    while not is_done() and time.monotonic() < end:
        runtime.wait(0.05)
        runtime.pump()
        events += runtime.events()
    assert is_done()
    return events


def test_open(runtime: alidade.Runtime) -> None:
    request = alidade.Raster.open_async(runtime, SHASTA)
    assert request.kind is alidade.runtime.RequestKind.OPEN_RASTER
    raster = request.result(LONG)
    assert request.done() and request.state is alidade.runtime.RequestState.SUCCEEDED
    assert request.result() is raster
    assert raster.info == alidade.Raster(runtime, SHASTA).info
    with pytest.raises(ValueError, match="null byte"):
        alidade.Raster.open_async(runtime, "a\0b")
    with pytest.raises(alidade.errors.InvalidArgumentError):
        alidade.Raster.open_async(runtime, "")


def test_open_with_spatial_reference(runtime: alidade.Runtime) -> None:
    given = alidade.SpatialReference.from_code(runtime, 4326)
    raster = alidade.Raster.open_async(runtime, RASTERS / "red.tif", given).result(LONG)
    assert raster.spatial_reference is not None and raster.spatial_reference.info.code == "4326"


def test_subclass_is_kept(runtime: alidade.Runtime) -> None:
    class Elevation(alidade.Raster):
        pass

    assert type(Elevation.open_async(runtime, SHASTA).result(LONG)) is Elevation


def test_failure_is_raised_each_time(runtime: alidade.Runtime, tmp_path: Path) -> None:
    request = alidade.Raster.open_async(runtime, tmp_path / "none.tif")
    for _ in range(2):
        with pytest.raises(alidade.errors.RasterNotFoundError) as caught:
            request.result(LONG)
        assert caught.value.filename == os.fsencode(tmp_path / "none.tif")
    assert request.state is alidade.runtime.RequestState.FAILED


def test_identify_is_that_of_the_moment_of_the_call(scene: Scene, runtime: alidade.Runtime, slow_workers: SlowWorkers) -> None:
    expected = scene.view.identify_layer(scene.layer, MIDDLE)
    request = scene.view.identify_layer_async(scene.layer, MIDDLE)
    assert not request.done() and not request.wait(0) and not request.wait(0.12)
    with pytest.raises(TimeoutError):
        request.result(0.01)
    scene.view.set_viewpoint(scale=1e7, rotation_deg=50)
    slow_workers.let_go()
    result = request.result(LONG)
    assert result.map_point == expected.map_point and result[0].layer is scene.layer
    assert [element.text for element in result] == [element.text for element in expected]


def test_cancel(runtime: alidade.Runtime, slow_workers: SlowWorkers) -> None:
    queued = alidade.Raster.open_async(runtime, SHASTA)
    begun = slow_workers.requests[0]
    for request in (queued, begun):
        assert request.state is alidade.runtime.RequestState.PENDING
        request.cancel()
        assert request.done() and request.wait(0)
        with pytest.raises(alidade.errors.RequestCancelledError) as caught:
            request.result()
        assert caught.value.status is alidade.Status.CANCELLED
        request.cancel()
        assert request.state is alidade.runtime.RequestState.CANCELLED


def test_dropped_request_is_cancelled_and_sends_no_event(runtime: alidade.Runtime, slow_workers: SlowWorkers) -> None:
    before = runtime.handle_count
    alidade.Raster.open_async(runtime, SHASTA)
    assert runtime.handle_count == before and runtime.events() == []


def test_hundred_waiters(scene: Scene, runtime: alidade.Runtime, slow_workers: SlowWorkers) -> None:
    """25 each poll, wait, are called and drain events; each hears once, and of the right result."""
    told: dict[int, int] = dict.fromkeys(range(100), 0)
    lock = threading.Lock()

    def tell(number: int) -> None:
        with lock:
            told[number] += 1

    def begin(number: int) -> alidade.Request[alidade.IdentifyResult]:
        on_done = (lambda request: tell(number)) if number % 4 == 2 else None
        return scene.view.identify_layer_async(scene.layer, (number + 50, 50), on_done=on_done)

    def wait(number: int) -> None:
        requests[number].result(LONG)
        tell(number)

    requests = [begin(number) for number in range(100)]
    numbers = {request: number for number, request in enumerate(requests)}
    threads = [threading.Thread(target=wait, args=(number,)) for number in range(1, 100, 4)]
    for thread in threads:
        thread.start()
    slow_workers.requests.clear()
    slow_workers.let_go()
    polled: set[int] = set()
    heard = 0
    end = time.monotonic() + LONG
    while min(told.values()) == 0 and time.monotonic() < end:
        runtime.pump()
        for event in runtime.events():
            if isinstance(event, alidade.events.RequestFinished) and numbers[event.request] % 4 == 3:
                assert event.request is requests[numbers[event.request]] and event.status is alidade.Status.OK
                tell(numbers[event.request])
                heard += 1
        for number in range(0, 100, 4):
            if number not in polled and requests[number].done():
                polled.add(number)
                tell(number)
        time.sleep(0.002)
    for thread in threads:
        thread.join()
    runtime.pump()
    assert set(told.values()) == {1} and heard == 25
    for number, request in enumerate(requests):
        expected = scene.view.identify_layer(scene.layer, (number + 50, 50))
        assert [element.text for element in request.result()] == [element.text for element in expected]


def test_callback_keeps_its_request(scene: Scene, runtime: alidade.Runtime) -> None:
    texts = []
    scene.view.identify_layer_async(scene.layer, MIDDLE, on_done=lambda request: texts.append(request.result()[0].text))
    gc.collect()
    assert runtime.wait(LONG) and texts == []
    report = runtime.pump()
    assert report == alidade.events.PumpReport(1, 0, 0)
    assert texts == [scene.view.identify_layer(scene.layer, MIDDLE)[0].text]
    gc.collect()
    assert not runtime._on_done


def test_callbacks_that_raise(scene: Scene, runtime: alidade.Runtime, capfd) -> None:
    def raising(exception):
        def on_done(request):
            called.append(request)
            raise exception

        return on_done

    called: list = []
    requests = [scene.view.identify_layer_async(scene.layer, MIDDLE, on_done=raising(KeyError("one")))]
    assert requests[0].wait(LONG)
    with pytest.raises(KeyError, match="one"):
        runtime.pump()
    failures = [KeyError("one"), OSError("two"), ValueError("three")]
    requests = [scene.view.identify_layer_async(scene.layer, MIDDLE, on_done=raising(failure)) for failure in failures]
    assert all(request.wait(LONG) for request in requests)
    with pytest.raises(alidade.errors.CompletionError, match="two") as caught:
        runtime.pump()
    assert sorted(map(str, caught.value.exceptions)) == sorted(map(str, failures)) and len(called) == 4
    failures = [KeyError("one"), KeyboardInterrupt()]
    requests = [scene.view.identify_layer_async(scene.layer, MIDDLE, on_done=raising(failure)) for failure in failures]
    assert all(request.wait(LONG) for request in requests)
    with pytest.raises(KeyboardInterrupt) as interrupt:
        runtime.pump()
    assert isinstance(interrupt.value.__cause__, alidade.errors.CompletionError)
    assert runtime.pump() == alidade.events.PumpReport(0, 0, 0)
    assert capfd.readouterr().err == ""


def test_library_inside_callback(scene: Scene, runtime: alidade.Runtime) -> None:
    """Pumping is refused; everything else works, also a pump of another runtime."""
    done = []

    def on_done(request):
        with pytest.raises(alidade.errors.InvalidStateError):
            runtime.pump()
        with alidade.Runtime() as other:
            alidade.Raster.open_async(other, SHASTA, on_done=lambda inner: done.append("inner"))
            finish(other, lambda: "inner" in done)
        assert scene.view.identify_layer_async(scene.layer, MIDDLE).wait(LONG)
        request.release()
        done.append("outer")
        raise ZeroDivisionError

    scene.view.identify_layer_async(scene.layer, MIDDLE, on_done=on_done)
    assert runtime.wait(LONG)
    with pytest.raises(ZeroDivisionError):
        runtime.pump()
    assert done == ["inner", "outer"]


def test_release_runtime_inside_callback() -> None:
    runtime = alidade.Runtime()
    calls = []
    requests = [
        alidade.Raster.open_async(runtime, SHASTA, on_done=lambda r: (calls.append(r), runtime.release()))
        for _ in range(3)
    ]
    assert all(request.wait(LONG) for request in requests)
    runtime.pump()
    assert len(calls) == 1 and not runtime._on_done
    with pytest.raises(alidade.errors.InvalidHandleError):
        requests[2].state


def test_runtime_is_collected_with_pending_callbacks(tmp_path: Path) -> None:
    runtime = alidade.Runtime()
    alidade.Raster.open_async(runtime, SHASTA, on_done=print)
    gone = weakref.ref(runtime)
    del runtime
    gc.collect()
    assert gone() is None


def test_release_wakes_who_waits(tmp_path: Path) -> None:
    runtime = alidade.Runtime()
    answers = []

    def wait() -> None:
        with pytest.raises(alidade.errors.InvalidHandleError):
            runtime.wait()
        answers.append("woken")

    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.05)
    runtime.release()
    thread.join(LONG)
    assert answers == ["woken"]


def test_wait_for_nothing(runtime: alidade.Runtime) -> None:
    start = time.monotonic()
    assert runtime.wait(0) is False and runtime.wait(0.15) is False and runtime.wait(-1) is False
    assert 0.14 < time.monotonic() - start < 5
    with pytest.raises(ValueError, match="not a number"):
        runtime.wait(float("nan"))


def drag(scene: Scene, runtime: alidade.Runtime, keep_begun: bool) -> None:
    """A second of a finger; at its end the workers are busy, so that requests pile up."""
    points = [(40 + index, 20 + index / 2) for index in range(120)]
    requests, ends = [], []
    for point in points:
        requests.append(scene.view.identify_layer_async(scene.layer, point, replace_key=5, keep_begun=keep_begun))
        ends += runtime.events()
        time.sleep(1 / 120)
    ends += finish(runtime, lambda: requests[-1].done())
    ends += runtime.events()
    ends = [event for event in ends if isinstance(event, alidade.events.RequestFinished) and event.request in requests]
    order = [requests.index(event.request) for event in ends]
    assert sorted(order) == list(range(len(requests)))
    if not keep_begun:
        assert order == sorted(order)
    # Whatever is kept: no older request ends after a result, so that results come in order.
    for place, event in enumerate(ends):
        if event.state is alidade.runtime.RequestState.SUCCEEDED:
            assert all(later > order[place] for later in order[place:][1:])
    states = {alidade.runtime.RequestState.SUCCEEDED, alidade.runtime.RequestState.CANCELLED}
    assert {event.state for event in ends} <= states and ends[-1].state is alidade.runtime.RequestState.SUCCEEDED
    assert [e.text for e in requests[-1].result()] == [e.text for e in scene.view.identify_layer(scene.layer, points[-1])]


@pytest.mark.parametrize("keep_begun", [False, True])
def test_drag(scene: Scene, runtime: alidade.Runtime, keep_begun: bool) -> None:
    drag(scene, runtime, keep_begun)


def test_drag_over_busy_workers(scene: Scene, runtime: alidade.Runtime, slow_workers: SlowWorkers) -> None:
    requests = [scene.view.identify_layer_async(scene.layer, (40 + i, 50), replace_key=5) for i in range(30)]
    assert [request.state for request in requests] == [alidade.runtime.RequestState.CANCELLED] * 29 + [
        alidade.runtime.RequestState.PENDING
    ]
    ended = [event.request for event in runtime.events() if isinstance(event, alidade.events.RequestFinished)]
    assert ended == requests[:29]
    slow_workers.let_go()
    assert requests[-1].result(LONG)[0].text == scene.view.identify_layer(scene.layer, (69, 50))[0].text


def test_wake_descriptor_in_select(scene: Scene, runtime: alidade.Runtime) -> None:
    descriptor = runtime.wake_fd
    assert descriptor == runtime.wake_fd
    assert select.select([descriptor], [], [], 0)[0] == []
    request = scene.view.identify_layer_async(scene.layer, MIDDLE)
    assert select.select([descriptor], [], [], LONG)[0] == [descriptor]
    (event,) = runtime.events()
    assert isinstance(event, alidade.events.RequestFinished) and event.request is request
    assert select.select([descriptor], [], [], 0)[0] == []


def test_asyncio(scene: Scene, runtime: alidade.Runtime) -> None:
    async def identify(point):
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        scene.view.identify_layer_async(scene.layer, point, on_done=future.set_result)
        return (await future).result()

    async def main():
        loop = asyncio.get_running_loop()
        loop.add_reader(runtime.wake_fd, lambda: (runtime.pump(), runtime.events()))
        try:
            return await asyncio.wait_for(asyncio.gather(*(identify((x, 50)) for x in range(50, 150))), LONG)
        finally:
            loop.remove_reader(runtime.wake_fd)

    results = asyncio.run(main())
    expected = [scene.view.identify_layer(scene.layer, (x, 50)) for x in range(50, 150)]
    assert [r[0].text for r in results] == [r[0].text for r in expected]


def test_exit_with_pending_requests(slow_file: SlowFile) -> None:
    """The interpreter ends in good order: nothing is called after its end, and nothing is printed."""
    code = f"""
import alidade, sys, threading
runtime = alidade.Runtime()
requests = [alidade.Raster.open_async(runtime, {str(SHASTA)!r}, on_done=print) for _ in range(50)]
slow = alidade.Raster.open_async(runtime, {str(slow_file.path)!r}, on_done=print)
threading.Thread(target=slow.wait, daemon=True).start()
sys.exit(5)
"""
    done = run_python(code, ALIDADE_LIBRARY=str(_library.find()))
    assert (done.returncode, done.stdout, done.stderr) == (5, "", "")


def test_control_c_while_waiting(slow_file: SlowFile) -> None:
    code = f"""
import alidade, os, signal, threading
# A process that was started in the background may have inherited to ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
runtime = alidade.Runtime()
slow = alidade.Raster.open_async(runtime, {str(slow_file.path)!r})
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
for wait in (slow.wait, runtime.wait):
    try:
        wait(20)
    except KeyboardInterrupt:
        print("interrupted")
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
os._exit(0)
"""
    start = time.monotonic()
    done = run_python(code, ALIDADE_LIBRARY=str(_library.find()))
    assert done.stdout.split() == ["interrupted"] * 2, done.stderr
    assert time.monotonic() - start < 15
