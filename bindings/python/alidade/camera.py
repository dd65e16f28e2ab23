"""Moving a view's camera: constraints, moves and plans."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Sequence, Union

from . import _abi, _arrays
from ._abi import CameraClamps, ConstraintsFlags, ExtentRule, ViewpointFields
from ._arrays import Point
from ._handle import Handle
from ._library import library
from .errors import check
from .geometry import Geometry
from .raster_info import Envelope
from .spatial_reference import SpatialReference, optional_reference
from .view_state import Insets

# A box as users write it: x_min, y_min, x_max, y_max.
Box = Union[Envelope, Sequence[float]]
# DIP that stay free: on all four sides, or on each.
Padding = Union[float, Insets]


@dataclass(frozen=True)
class Constraints:
    """What a view's camera may not do. The default: it may do everything."""

    # The farthest: the largest denominator that is allowed, itself included; None: no limit.
    min_scale: float | None = None
    # The closest: the smallest denominator that is allowed, itself included; None: no limit.
    max_scale: float | None = None
    # A box with width and height; x_min > x_max where it goes over the antimeridian.
    max_extent: Envelope | None = None
    # What max_extent is in; None: the map's.
    spatial_reference: SpatialReference | None = None
    extent_rule: ExtentRule = ExtentRule.VISIBLE_AREA
    # The rotation that stays; None: the view may turn.
    locked_rotation_deg: float | None = None
    # Fingers pull the view past the limits of scale and extent; it springs back when they let go.
    rubber_band: bool = False


@dataclass(frozen=True)
class CameraPlan:
    """What a move makes of a view, or would make of it."""

    # Where the view looks then, in the map's spatial reference.
    center: tuple[float, float]
    scale: float
    rotation_deg: float
    # The shortest way round from the rotation before, clockwise: -180 < turn_deg <= 180.
    turn_deg: float
    # Where the view would look without constraints.
    wanted_center: tuple[float, float]
    wanted_scale: float
    wanted_rotation_deg: float
    # The constraints that changed the move.
    clamps: CameraClamps
    # DIP between the outermost points of an extent or a geometry and the sides of what the insets leave free; negative
    # where it sticks out. None for other moves.
    margins: Insets | None


class CameraMoves(Handle):
    """What a view can do with its camera."""

    @property
    def constraints(self) -> Constraints:
        """What the camera may not do; the extent is in the map's spatial reference."""
        found = _abi.ald_constraints()
        check(library().ald_view_get_constraints, self._handle, found)
        extent = found.max_extent
        return Constraints(
            min_scale=found.min_scale or None,
            max_scale=found.max_scale or None,
            max_extent=(
                Envelope(extent.x_min, extent.y_min, extent.x_max, extent.y_max)
                if found.flags & ConstraintsFlags.HAS_EXTENT
                else None
            ),
            extent_rule=ExtentRule(found.extent_rule),
            locked_rotation_deg=found.rotation_deg if found.flags & ConstraintsFlags.LOCK_ROTATION else None,
            rubber_band=bool(found.flags & ConstraintsFlags.RUBBER_BAND),
        )

    def set_constraints(self, constraints: Constraints | None) -> None:
        """Sets what the camera may not do, in place of what was set before, and moves it where it must.

        :raises InvalidArgumentError: a number is out of its range, or the limits contradict themselves.
        :raises NotReadyError: there is an extent, and the map has no spatial reference.
        :raises ProjectionFailedError: nothing of the extent is in the map's spatial reference.
        """
        if constraints is None:
            check(library().ald_view_set_constraints, self._handle, None)
            return
        given = _abi.ald_constraints(
            min_scale=constraints.min_scale or 0.0,
            max_scale=constraints.max_scale or 0.0,
            spatial_reference=optional_reference(constraints.spatial_reference),
            extent_rule=constraints.extent_rule,
        )
        if constraints.max_extent is not None:
            given.flags |= ConstraintsFlags.HAS_EXTENT
            given.max_extent = c_box(constraints.max_extent)
        if constraints.locked_rotation_deg is not None:
            given.flags |= ConstraintsFlags.LOCK_ROTATION
            given.rotation_deg = constraints.locked_rotation_deg
        if constraints.rubber_band:
            given.flags |= ConstraintsFlags.RUBBER_BAND
        check(library().ald_view_set_constraints, self._handle, ctypes.byref(given))

    def move(
        self,
        center: Point | None = None,
        spatial_reference: SpatialReference | None = None,
        scale: float | None = None,
        rotation_deg: float | None = None,
        *,
        extent: Box | None = None,
        geometry: Geometry | None = None,
        padding: Padding = 0.0,
    ) -> CameraPlan:
        """Moves the view at once; what is None stays as it is. On failure the view stays.

        Args:
            center: the point in the middle of the part of the view that the insets leave free. A longitude of 181 degrees
                is in the copy of the world to the east, 1 degree beyond 180.
            spatial_reference: what `center` and `extent` are in, and a geometry that does not say it; None: the map's.
            scale: the denominator of the nominal scale. Beside an extent or a geometry: their middle is shown at it.
            rotation_deg: the compass direction that is up on the screen, clockwise from north; taken modulo 360.
            extent: a box that is to fit into the view, instead of `center`.
            geometry: a geometry that is to fit into the view as it lies on the rotated screen, instead of `center`.
            padding: DIP that stay free around it, beside the insets: on all sides, or on each.

        Returns:
            What came of it: the constraints that changed the move, and the margins reached.

        Raises:
            InvalidArgumentError: a number is out of its range, the padding leaves no room, or the geometry is empty.
            NotReadyError: the view has no size, or a part is neither given nor known.
            ProjectionFailedError: a point is not in the map's spatial reference.
        """
        plan = _abi.ald_camera_plan()
        viewpoint = c_viewpoint(center, spatial_reference, scale, rotation_deg, extent, geometry)
        check(library().ald_view_move, self._handle, viewpoint, ctypes.byref(c_padding(padding)), plan)
        return camera_plan(plan)

    def plan_move(
        self,
        center: Point | None = None,
        spatial_reference: SpatialReference | None = None,
        scale: float | None = None,
        rotation_deg: float | None = None,
        *,
        extent: Box | None = None,
        geometry: Geometry | None = None,
        padding: Padding = 0.0,
    ) -> CameraPlan:
        """What `move` would do with the same arguments. The view stays where it is."""
        plan = _abi.ald_camera_plan()
        viewpoint = c_viewpoint(center, spatial_reference, scale, rotation_deg, extent, geometry)
        check(library().ald_view_plan_move, self._handle, viewpoint, ctypes.byref(c_padding(padding)), plan)
        return camera_plan(plan)

    def zoom_to_envelope(
        self, envelope: Box, spatial_reference: SpatialReference | None = None, padding: Padding = 0.0
    ) -> CameraPlan:
        """Moves the view so that a box fits into it; the rotation stays. See `move`."""
        plan = _abi.ald_camera_plan()
        check(
            library().ald_view_zoom_to_envelope,
            self._handle,
            c_box(envelope),
            optional_reference(spatial_reference),
            ctypes.byref(c_padding(padding)),
            plan,
        )
        return camera_plan(plan)

    def zoom_to_geometry(self, geometry: Geometry, padding: Padding = 0.0) -> CameraPlan:
        """Moves the view so that a geometry fits into it; the rotation stays. See `move`."""
        plan = _abi.ald_camera_plan()
        check(
            library().ald_view_zoom_to_geometry,
            self._handle,
            geometry._handle,
            ctypes.byref(c_padding(padding)),
            plan,
        )
        return camera_plan(plan)


def c_box(box: Box) -> _abi.ald_envelope:
    if isinstance(box, Envelope):
        box = (box.x_min, box.y_min, box.x_max, box.y_max)
    x_min, y_min, x_max, y_max = (float(value) for value in box)
    return _abi.ald_envelope(x_min, y_min, x_max, y_max)


def c_padding(padding: Padding) -> _abi.ald_insets:
    if isinstance(padding, Insets):
        return _abi.ald_insets(padding.top_dip, padding.right_dip, padding.bottom_dip, padding.left_dip)
    return _abi.ald_insets(padding, padding, padding, padding)


def c_viewpoint(
    center: Point | None,
    spatial_reference: SpatialReference | None,
    scale: float | None,
    rotation_deg: float | None,
    extent: Box | None = None,
    geometry: Geometry | None = None,
) -> _abi.ald_viewpoint:
    """The C form of a viewpoint, which names what is not None."""
    viewpoint = _abi.ald_viewpoint(spatial_reference=optional_reference(spatial_reference))
    if center is not None:
        viewpoint.fields |= ViewpointFields.CENTER
        viewpoint.center = _arrays.c_point(center)
    if scale is not None:
        viewpoint.fields |= ViewpointFields.SCALE
        viewpoint.scale = scale
    if rotation_deg is not None:
        viewpoint.fields |= ViewpointFields.ROTATION
        viewpoint.rotation_deg = rotation_deg
    if extent is not None:
        viewpoint.fields |= ViewpointFields.EXTENT
        viewpoint.extent = c_box(extent)
    if geometry is not None:
        viewpoint.fields |= ViewpointFields.GEOMETRY
        viewpoint.geometry = geometry._handle
    return viewpoint


def camera_plan(plan: _abi.ald_camera_plan) -> CameraPlan:
    margins = plan.margins
    return CameraPlan(
        center=(plan.center.x, plan.center.y),
        scale=plan.scale,
        rotation_deg=plan.rotation_deg,
        turn_deg=plan.turn_deg,
        wanted_center=(plan.wanted_center.x, plan.wanted_center.y),
        wanted_scale=plan.wanted_scale,
        wanted_rotation_deg=plan.wanted_rotation_deg,
        clamps=CameraClamps(plan.clamps),
        margins=(
            None
            if math.isnan(margins.top_dip)
            else Insets(margins.top_dip, margins.right_dip, margins.bottom_dip, margins.left_dip)
        ),
    )
