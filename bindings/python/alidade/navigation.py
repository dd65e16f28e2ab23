"""Navigation: gestures, animations and time for a view, and logs of them."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from . import _abi, _arrays
from ._abi import (
    AnimationCurve,
    AnimationFlags,
    GestureKind,
    GesturePhase,
    InteractionFlags,
    Key,
    NavigationCause,
    TouchPhase,
)
from ._arrays import Point
from ._library import library
from ._numbers import uint32, uint64
from ._text import copied, encoded
from .camera import Box, Padding, c_padding, c_viewpoint
from .errors import check
from .geometry import Geometry
from .spatial_reference import SpatialReference


@dataclass(frozen=True)
class InteractionOptions:
    """What gestures may do, and how much. Every gesture is on but the twist."""

    flags: InteractionFlags = InteractionFlags(0)
    # Of a double tap, a two-finger tap, a notch of the wheel and a key; more than 1, at most 1000.
    zoom_factor: float = 2.0
    # Turned by fingers and left no farther from north than this, the map turns to north; 0 to 45.
    snap_threshold_deg: float = 7.5


@dataclass(frozen=True)
class NavigationState:
    """Whether and why a view moves."""

    # True from the beginning of a movement to its end, inertia included.
    is_navigating: bool
    cause: NavigationCause
    # GestureKind.NONE unless a gesture is the cause.
    gesture: GestureKind
    # Whether `advance` can change something before the next input.
    needs_time: bool
    is_recording: bool


class Navigation:
    """What moves a view; a part of `View`. Nothing moves by itself but in `advance`."""

    _handle: ctypes.Structure

    # Time

    def advance(self, seconds: float) -> None:
        """Lets time pass: animations, inertia, and gestures that wait. To be called once a frame.

        :raises InvalidArgumentError: seconds are negative, not finite or more than 1e9; nothing has moved then.
        """
        check(library().ald_view_advance, self._handle, seconds)

    @property
    def navigation_state(self) -> NavigationState:
        """Whether and why the view moves."""
        state = _abi.ald_navigation_state()
        check(library().ald_view_get_navigation_state, self._handle, state)
        return NavigationState(
            is_navigating=bool(state.is_navigating),
            cause=NavigationCause(state.cause),
            gesture=GestureKind(state.gesture),
            needs_time=bool(state.needs_time),
            is_recording=bool(state.is_recording),
        )

    # Gestures

    def touch(self, touch_id: int, phase: TouchPhase, point_dip: Point, time_s: float) -> None:
        """Takes in what a finger does; the library recognises the gesture.

        Args:
            touch_id: tells fingers apart that are down at the same time.
            phase: what the finger does.
            point_dip: where, each -1e7 to 1e7.
            time_s: when, in seconds on any clock; only differences count.

        Raises:
            NotReadyError: as for `View.state`.
        """
        check(
            library().ald_view_touch,
            self._handle,
            uint64(touch_id, "touch_id"),
            phase,
            _arrays.c_point(point_dip),
            time_s,
        )

    def take_gesture(
        self,
        kind: GestureKind,
        phase: GesturePhase,
        point_dip: Point,
        *,
        scale_factor: float = 1.0,
        rotation_deg: float = 0.0,
        velocity_dip_s: Point = (0.0, 0.0),
    ) -> None:
        """Takes in a gesture that the program has recognised itself.

        Args:
            kind: neither NONE nor WHEEL nor KEY.
            phase: AT_ONCE for taps and swipes; BEGAN, CHANGED, ENDED, CANCELLED for the rest.
            point_dip: the finger, or the middle between two.
            scale_factor: how many times as far apart the fingers are as when it began.
            rotation_deg: how far they have turned since then, clockwise on the screen.
            velocity_dip_s: of a swipe, or of a drag or pinch at its end, right and down.

        Raises:
            InvalidStateError: a step is told of a gesture that has not begun.
        """
        gesture = _abi.ald_gesture(
            kind=kind,
            phase=phase,
            point_dip=_arrays.c_point(point_dip),
            scale_factor=scale_factor,
            rotation_deg=rotation_deg,
            velocity_dip_s=_arrays.c_point(velocity_dip_s),
        )
        check(library().ald_view_take_gesture, self._handle, gesture)

    def wheel(self, point_dip: Point, notches: float) -> None:
        """Zooms about the pointer as a mouse wheel does; more than 0 zooms in."""
        check(library().ald_view_wheel, self._handle, _arrays.c_point(point_dip), notches)

    def press_key(self, key: Key) -> None:
        """Moves as a key does; presses that a held key repeats add up."""
        check(library().ald_view_press_key, self._handle, key)

    @property
    def interaction_options(self) -> InteractionOptions:
        """What gestures may do, and how much."""
        options = _abi.ald_interaction_options()
        check(library().ald_view_get_interaction_options, self._handle, options)
        return InteractionOptions(
            InteractionFlags(options.flags), float(options.zoom_factor), float(options.snap_threshold_deg)
        )

    def set_interaction_options(self, options: InteractionOptions | None) -> None:
        """Sets what gestures may do, all of it; None: all defaults.

        :raises InvalidArgumentError: a number is not finite or out of its range.
        """
        options = options or InteractionOptions()
        c_options = _abi.ald_interaction_options(
            flags=options.flags, zoom_factor=options.zoom_factor, snap_threshold_deg=options.snap_threshold_deg
        )
        check(library().ald_view_set_interaction_options, self._handle, c_options)

    # Animations

    def animate_to(
        self,
        center: Point | None = None,
        spatial_reference: SpatialReference | None = None,
        scale: float | None = None,
        rotation_deg: float | None = None,
        *,
        extent: Box | None = None,
        geometry: Geometry | None = None,
        padding: Padding = 0.0,
        duration_s: float | None = None,
        curve: AnimationCurve = AnimationCurve.LINEAR,
        fly: bool = False,
        user_data: int = 0,
    ) -> None:
        """Begins to move to a viewpoint while time passes; what is None stays. NavigationEnded tells of its end.

        Args:
            center, spatial_reference, scale, rotation_deg, extent, geometry, padding: as for `View.move`.
            duration_s: 0 to 3600; None: 0.25, or what the flight's length asks for.
            curve: how it runs.
            fly: out, across and in again, as van Wijk and Nuij describe it.
            user_data: comes back with NavigationEnded.
        """
        viewpoint = c_viewpoint(center, spatial_reference, scale, rotation_deg, extent, geometry)
        options = _abi.ald_animation_options(
            flags=(AnimationFlags.FLY if fly else 0) | (0 if duration_s is None else AnimationFlags.HAS_DURATION),
            curve=curve,
            duration_s=0.0 if duration_s is None else duration_s,
            user_data=uint64(user_data, "user_data") or None,
        )
        check(library().ald_view_animate_to, self._handle, viewpoint, ctypes.byref(c_padding(padding)), options)

    def stop(self) -> None:
        """Ends what moves, where it is."""
        check(library().ald_view_stop, self._handle)

    # Logs

    def start_recording(self) -> None:
        """Begins to write down all that moves the view. What moves by itself ends where it is."""
        check(library().ald_view_start_recording, self._handle)

    def stop_recording(self) -> str:
        """Ends the writing and answers the log.

        :raises InvalidStateError: the view does not record.
        """
        log = self.recording
        check(library().ald_view_stop_recording, self._handle)
        return log

    @property
    def recording(self) -> str:
        """The log as it is by now.

        :raises InvalidStateError: the view does not record.
        :raises LimitExceededError: the log would be longer than the policy's max_request_bytes.
        """
        return copied(library().ald_view_recording, self._handle)

    def replay(self, log: str, offset: int = 0, frame_count: int = _abi.ALD_ALL) -> int:
        """Plays a log, or a part of it: the view ends where the recorded one did, bit for bit.

        Args:
            log: what `recording` gave.
            offset: where to begin, in bytes; 0 sets the view up as the recorded one was.
            frame_count: after how many calls of `advance` to pause.

        Returns:
            where to go on.
        """
        end = ctypes.c_uint64()
        check(
            library().ald_view_replay,
            self._handle,
            encoded(log),
            uint64(offset, "offset"),
            uint32(frame_count, "frame_count"),
            ctypes.byref(end),
        )
        return end.value


def animation_curve_value(curve: AnimationCurve, part: float) -> float:
    """How far an animation is when a part of its duration has passed, both 0 to 1."""
    value = ctypes.c_double()
    check(library().ald_animation_curve_value, curve, part, ctypes.byref(value))
    return value.value
