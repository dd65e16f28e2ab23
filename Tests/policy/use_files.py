#!/usr/bin/python3
"""Opens files and reads all that they hold, each within a time: what may hang or crash runs here.

Reads jobs from the standard input, one JSON object per line: {"content": "raster", "path": ..., "drivers": [...]}.

- "pipe": a pipe of that name lies there meanwhile, and replaces what may lie there;
- "untrusted": opened under the policy for files of strangers;
- "seed": the file is damaged meanwhile, as the number says.

Writes one line before each job, its number, and one after it: {"said": ..., "printed": ...}, what the error says (empty
if all went well) and what was printed meanwhile. A job that takes longer than the time given as the first
argument ends the process by SIGALRM, and leaves what lay there as its name + "~".
"""
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings" / "python"))
import alidade  # noqa: E402


def use_raster(runtime, path):
    with alidade.Raster(runtime, path) as raster:
        info = raster.info
        for band in range(1, min(info.band_count, 3) + 1):
            raster.band(band)
            raster.overview_sizes(band)
        raster.read_cells([(0, 0), (info.width - 1, info.height - 1), (info.width // 2, info.height // 2)])
        raster.table_columns(1)
        if raster.spatial_reference is not None:
            raster.outline()


def use_features(runtime, path):
    with alidade.FeatureSource(runtime, path) as source:
        with source.query() as found:
            for number, feature in enumerate(found):
                if number == 10:
                    break
                feature.geometry


@contextlib.contextmanager
def replaced(name, make):
    """Replaces what a name means."""
    was_there = os.path.lexists(name)
    if was_there:
        os.rename(name, name + "~")
    make(name)
    try:
        yield
    finally:
        os.unlink(name)
        if was_there:
            os.rename(name + "~", name)


def damaged(data, seed):
    """A file's bytes with some changed: single ones, runs of them, parts copied elsewhere, the end cut off."""
    chance = random.Random(seed)
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        # Most of what decoders trip over is near the beginning or the end.
        place = chance.choice((chance.randrange(len(data)), chance.randrange(min(len(data), 512)),
                               len(data) - 1 - chance.randrange(min(len(data), 512))))
        match chance.randrange(5):
            case 0:
                data[place] ^= 1 << chance.randrange(8)
            case 1:
                data[place] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
            case 2:
                length = min(chance.choice((2, 4, 8)), len(data) - place)
                data[place : place + length] = chance.choice((b"\0", b"\xff", b"\x7f")) * length
            case 3:
                length = min(chance.randrange(1, 64), len(data) - place)
                start = chance.randrange(len(data) - length + 1)
                data[place : place + length] = data[start : start + length]
            case 4:
                if chance.randrange(4) == 0 and place > 16:
                    del data[place:]
    return bytes(data)


def change(job):
    """Replaces something while a job is done."""
    if "pipe" in job:
        return replaced(job["pipe"], os.mkfifo)
    if "seed" in job:
        data = damaged(Path(job["path"]).read_bytes(), job["seed"])
        return replaced(job["path"], lambda name: Path(name).write_bytes(data))
    return contextlib.nullcontext()


class Printed:
    """What this process prints from now on."""

    def __init__(self):
        self._file = tempfile.TemporaryFile()
        for descriptor in (1, 2):
            os.dup2(self._file.fileno(), descriptor)

    def take(self):
        self._file.seek(0)
        text = self._file.read().decode(errors="replace")
        self._file.seek(0)
        self._file.truncate()
        return text


def main(seconds):
    out = os.fdopen(os.dup(1), "w", buffering=1)
    printed = Printed()
    runtimes = {}
    for number, line in enumerate(sys.stdin):
        job = json.loads(line)
        kind = (tuple(job["drivers"]), job.get("untrusted", False))
        if kind not in runtimes:
            policy = alidade.Policy.untrusted if kind[1] else alidade.Policy
            policy = policy(drivers=kind[0] or None, add_drivers=True)
            runtimes[kind] = alidade.Runtime(thread_count=1, policy=policy)
        print(number, file=out)
        # For those who watch which names the process looks for.
        os.path.lexists(f"/job/{number}")
        signal.alarm(seconds)
        try:
            with change(job):
                (use_raster if job["content"] == "raster" else use_features)(runtimes[kind], job["path"])
            said = ""
        except (alidade.AlidadeError, OSError) as error:
            said = f"{type(error).__name__}: {error}"
        signal.alarm(0)
        print(json.dumps({"said": said, "printed": printed.take()}), file=out)


if __name__ == "__main__":
    main(int(sys.argv[1]))
