"""Navigation: how a view moves by gestures, by animations and while time passes, and logs of it."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from .. import _abi
from .._abi import (
    AnimationCurve,
    AnimationFlags,
    GestureKind,
    GesturePhase,
    InteractionFlags,
    Key,
    NavigationCause,
    TouchPhase,
)
from .._base import arrays
from .._base.arrays import Point
from .._base.errors import check
from .._base.numbers import uint32, uint64
from .._base.text import copied, encoded
from .._coordinates.spatial_reference import SpatialReferenceLike
from .._geometry.geometry import Geometry
from .._library import library
from .camera import Box, Padding, c_padding, c_viewpoint


@dataclass(frozen=True)
class InteractionOptions:
    """The gestures that a view accepts, and their strength. By default every gesture except the twist is on."""

    flags: InteractionFlags = InteractionFlags(0)
    # The zoom factor of a double tap, a two-finger tap, a notch of the wheel and a key. More than 1, at most 1000.
    zoom_factor: float = 2.0
    # If fingers rotate the map and let go of it at most this far from north, the map turns to north. 0 to 45.
    snap_threshold_deg: float = 7.5


@dataclass(frozen=True)
class NavigationState:
    """Whether a view moves, and why."""

    # True from the beginning of a movement to its end, inertia included.
    is_navigating: bool
    cause: NavigationCause
    # The gesture if a gesture is the cause, otherwise GestureKind.NONE.
    gesture: GestureKind
    # Whether `advance` can change something before the next input.
    needs_time: bool
    is_recording: bool


class Navigation:
    """The part of a view that handles input and time. Time passes only in `advance`."""

    _handle: ctypes.Structure

    # Time

    def advance(self, seconds: float) -> None:
        """Lets time pass for animations, inertia and gestures that wait. Call it once per frame.

        :raises InvalidArgumentError: seconds is negative, not finite or more than 1e9.
        """
        check(library().ald_view_advance, self._handle, seconds)

    @property
    def navigation_state(self) -> NavigationState:
        """Whether the view moves, and why."""
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

    def handle_touch(self, touch_id: int, phase: TouchPhase, point_dip: Point, time_s: float) -> None:
        """Handles a touch by a finger. The library recognises the gesture.

        Args:
            touch_id: identifies the finger among all fingers that are down.
            phase: what the finger does.
            point_dip: the position of the finger, each coordinate -1e7 to 1e7.
            time_s: the time in seconds on any clock. Only differences matter.

        Raises:
            NotReadyError: as for `View.state`.
        """
        check(
            library().ald_view_handle_touch,
            self._handle,
            uint64(touch_id, "touch_id"),
            phase,
            arrays.c_point(point_dip),
            time_s,
        )

    def handle_gesture(
        self,
        kind: GestureKind,
        phase: GesturePhase,
        point_dip: Point,
        *,
        scale_factor: float = 1.0,
        rotation_deg: float = 0.0,
        velocity_dip_s: Point = (0.0, 0.0),
    ) -> None:
        """Handles a gesture that the program has recognised itself.

        Args:
            kind: any kind except NONE, WHEEL and KEY.
            phase: AT_ONCE for taps and swipes; BEGAN, CHANGED, ENDED or CANCELLED for all other kinds.
            point_dip: the position of the finger, or the middle between two fingers.
            scale_factor: the distance between the fingers, divided by the distance when the gesture began.
            rotation_deg: how far the fingers have turned since the gesture began, clockwise on the screen.
            velocity_dip_s: for a swipe, or the end of a drag or pinch: the velocity, right and down.

        Raises:
            InvalidStateError: the gesture changes or ends without having begun.
        """
        gesture = _abi.ald_gesture(
            kind=kind,
            phase=phase,
            point_dip=arrays.c_point(point_dip),
            scale_factor=scale_factor,
            rotation_deg=rotation_deg,
            velocity_dip_s=arrays.c_point(velocity_dip_s),
        )
        check(library().ald_view_handle_gesture, self._handle, gesture)

    def handle_wheel(self, point_dip: Point, notches: float) -> None:
        """Zooms about the pointer as a mouse wheel does. More than 0 zooms in."""
        check(library().ald_view_handle_wheel, self._handle, arrays.c_point(point_dip), notches)

    def handle_key(self, key: Key) -> None:
        """Moves the view as a key does. Repeats of a key that is held add up."""
        check(library().ald_view_handle_key, self._handle, key)

    @property
    def interaction_options(self) -> InteractionOptions:
        """The gestures that the view accepts, and their strength."""
        options = _abi.ald_interaction_options()
        check(library().ald_view_get_interaction_options, self._handle, options)
        return InteractionOptions(
            InteractionFlags(options.flags), float(options.zoom_factor), float(options.snap_threshold_deg)
        )

    @interaction_options.setter
    def interaction_options(self, options: InteractionOptions | None) -> None:
        self.set_interaction_options(options)

    def set_interaction_options(self, options: InteractionOptions | None) -> None:
        """Sets all interaction options. None means all defaults.

        :raises InvalidArgumentError: a number is not finite or out of range.
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
        spatial_reference: SpatialReferenceLike | None = None,
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
        """Begins an animation to a viewpoint. The view keeps every part that is None. NavigationEnded reports the end.

        Args:
            center, spatial_reference, scale, rotation_deg, extent, geometry, padding: as for `View.move`.
            duration_s: 0 to 3600. None means 0.25, or for a flight the duration that fits its length.
            curve: the easing of the animation.
            fly: flies out, across and in again, on the path of van Wijk and Nuij.
            user_data: returned with NavigationEnded.
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
        """Stops the view where it is."""
        check(library().ald_view_stop, self._handle)

    # Logs

    def start_recording(self) -> None:
        """Begins to record everything that moves the view. Inertia and animations stop where they are."""
        check(library().ald_view_start_recording, self._handle)

    def stop_recording(self) -> str:
        """Stops recording and returns the log.

        :raises InvalidStateError: the view does not record.
        """
        log = self.recording
        check(library().ald_view_stop_recording, self._handle)
        return log

    @property
    def recording(self) -> str:
        """The log that has been recorded so far.

        :raises InvalidStateError: the view does not record.
        :raises LimitExceededError: the log would be longer than the policy's max_request_bytes.
        """
        return copied(library().ald_view_get_recording, self._handle)

    def replay(self, log: str, offset: int = 0, frame_count: int = _abi.ALD_ALL) -> int:
        """Replays a log, or a part of it. The view ends at the camera of the recorded view, bit for bit.

        Args:
            log: the text from `recording`.
            offset: the position in bytes at which to begin. 0 first sets the view up like the recorded view.
            frame_count: the number of calls of `advance` after which to pause.

        Returns:
            The position at which to continue.
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
    """Computes the progress of an animation after a part of its duration, both 0 to 1."""
    value = ctypes.c_double()
    check(library().ald_animation_curve_value, curve, part, ctypes.byref(value))
    return value.value
