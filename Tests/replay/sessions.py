#!/usr/bin/env python3
"""Records random sessions of a view, or replays them: sessions.py FOLDER record|NAME

`record` writes N.log, and into N.record the camera after each frame: centre, scale, rotation, as they lie in memory.
Any other word replays each N.log frame by frame and writes the same into N.WORD.
"""

from __future__ import annotations

import random
import struct
import sys
from pathlib import Path

import alidade
from alidade import Envelope
from alidade.navigation import AnimationCurve, GestureKind, GesturePhase, InteractionFlags, InteractionOptions, TouchPhase
from alidade.runtime import Key
from alidade.views import Constraints

SESSIONS = 60
INPUTS = 150
# Metres, degrees (whose length in metres has no end in binary), and US survey feet.
MAPS = [3857, 4326, 2263]
CENTRES = {3857: (-10_000_000.0, 4_000_000.0), 4326: (12.5, 48.25), 2263: (980_000.0, 200_000.0)}


def camera(view: alidade.View) -> bytes:
    state = view.state
    return struct.pack("<4d", *state.center, state.scale, state.rotation_deg)


def make_view(runtime: alidade.Runtime, code: int) -> alidade.View:
    return alidade.View(alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, code)))


class Session:
    """A person at a view."""

    def __init__(self, view: alidade.View, code: int, dice: random.Random) -> None:
        self.view, self.code, self.dice = view, code, dice
        self.magnifier = alidade.views.Magnifier(view)
        self.fingers: dict[int, tuple[float, float]] = {}
        self.time = dice.uniform(0, 1e6)

    def somewhere(self) -> tuple[float, float]:
        return self.dice.uniform(0, 800), self.dice.uniform(0, 600)

    def place(self) -> tuple[float, float]:
        x, y = CENTRES[self.code]
        return x * self.dice.uniform(0.9, 1.1), y * self.dice.uniform(0.9, 1.1)

    def step(self) -> None:
        choice = self.dice.choices(
            [self.move, self.begin, self.end, self.wheel, self.key, self.animate, self.call, self.gesture, self.options],
            [60, 12, 10, 4, 4, 3, 2, 3, 1],
        )[0]
        choice()
        self.time += self.dice.uniform(0, 0.02)

    def begin(self) -> None:
        touch = self.dice.randrange(3)
        self.fingers[touch] = self.somewhere()
        self.view.handle_touch(touch, TouchPhase.BEGAN, self.fingers[touch], self.time)

    def move(self) -> None:
        for touch, (x, y) in self.fingers.items():
            self.fingers[touch] = x + self.dice.gauss(5, 10), y + self.dice.gauss(-3, 10)
            self.view.handle_touch(touch, TouchPhase.MOVED, self.fingers[touch], self.time)

    def end(self) -> None:
        if self.fingers:
            touch = self.dice.choice(list(self.fingers))
            self.view.handle_touch(touch, TouchPhase.ENDED, self.fingers.pop(touch), self.time)

    def wheel(self) -> None:
        self.view.handle_wheel(self.somewhere(), self.dice.uniform(-1, 1))

    def key(self) -> None:
        self.view.handle_key(self.dice.choice(list(Key)))

    def animate(self) -> None:
        self.view.animate_to(
            self.place(),
            scale=10 ** self.dice.uniform(2, 7),
            rotation_deg=self.dice.uniform(0, 360),
            fly=self.dice.random() < 0.5,
            curve=self.dice.choice(list(AnimationCurve)),
        )

    def call(self) -> None:
        self.dice.choice(
            [
                lambda: self.view.set_viewpoint(rotation_deg=self.dice.uniform(-400, 400)),
                lambda: self.view.set_viewpoint(self.place(), scale=10 ** self.dice.uniform(2, 7)),
                lambda: self.view.set_size(self.dice.uniform(500, 900), self.dice.uniform(400, 700)),
                lambda: self.view.set_insets(alidade.Insets(left_dip=self.dice.uniform(0, 300))),
                self.view.stop,
                self.constrain,
                self.magnify,
            ]
        )()

    def constrain(self) -> None:
        x, y = self.view.state.center
        half = self.view.state.units_per_dip * self.dice.uniform(500, 2000)
        box = Envelope(x - half, y - half, x + half, y + half)
        self.view.set_constraints(
            self.dice.choice([None, Constraints(max_extent=box), Constraints(max_extent=box, rubber_band=True)])
        )

    def magnify(self) -> None:
        self.magnifier.show_at(self.somewhere())
        if self.dice.random() < 0.3:
            self.magnifier.hide()

    def gesture(self) -> None:
        kind = self.dice.choice([GestureKind.SWIPE, GestureKind.DOUBLE_TAP, GestureKind.TWO_FINGER_TAP])
        velocity = (self.dice.gauss(0, 2000), self.dice.gauss(0, 2000))
        self.view.handle_gesture(kind, GesturePhase.AT_ONCE, self.somewhere(), velocity_dip_s=velocity)

    def options(self) -> None:
        flags = self.dice.choice([InteractionFlags.TWIST, InteractionFlags(0), InteractionFlags.NO_PAN])
        self.view.set_interaction_options(InteractionOptions(flags, zoom_factor=self.dice.uniform(1.5, 3)))


def record(runtime: alidade.Runtime, folder: Path, number: int) -> None:
    dice = random.Random(number)
    code = MAPS[number % len(MAPS)]
    view = make_view(runtime, code)
    view.set_size(800, 600, 2)
    view.set_viewpoint(CENTRES[code], scale=100_000)
    view.set_interaction_options(InteractionOptions(InteractionFlags.TWIST))
    view.start_recording()
    session = Session(view, code, dice)
    frames = []
    for _ in range(INPUTS):
        session.step()
        view.advance(dice.choice([1 / 60, 1 / 120, dice.uniform(0, 0.1)]))
        frames.append(camera(view))
    (folder / f"{number}.log").write_text(view.stop_recording())
    (folder / f"{number}.record").write_bytes(b"".join(frames))
    if len(set(frames)) < INPUTS / 4:
        raise SystemExit(f"session {number} hardly moved")


def replay(runtime: alidade.Runtime, folder: Path, number: int, word: str) -> None:
    log = (folder / f"{number}.log").read_text()
    view = make_view(runtime, MAPS[number % len(MAPS)])
    offset, frames = 0, []
    while offset < len(log):
        offset = view.replay(log, offset, frame_count=1)
        frames.append(camera(view))
    (folder / f"{number}.{word}").write_bytes(b"".join(frames))


def main() -> None:
    folder, word = Path(sys.argv[1]), sys.argv[2]
    with alidade.Runtime() as runtime:
        for number in range(SESSIONS):
            if word == "record":
                record(runtime, folder, number)
            else:
                replay(runtime, folder, number, word)


if __name__ == "__main__":
    main()
