"""Moving a view's camera: constraints, moves and plans."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Sequence, Union

from .. import _abi
from .._abi import CameraClampFlags, ConstraintsFlags, ExtentRule, ViewpointFields
from .._base import arrays
from .._base.arrays import Point
from .._base.errors import check
from .._base.handle import Handle
from .._coordinates.envelope import Envelope
from .._coordinates.spatial_reference import SpatialReferenceLike, optional_reference, spatial_reference_of
from .._geometry.geometry import Geometry
from .._library import library
from .view_state import Insets

# A box as a user writes it: x_min, y_min, x_max, y_max.
Box = Union[Envelope, Sequence[float]]
# DIP that stay free: on all four sides, or on each.
Padding = Union[float, Insets]


@dataclass(frozen=True)
class Constraints:
    """The constraints of a view's camera. By default a view has no constraints."""

    # The denominator of the farthest scale that is allowed. None means no limit.
    min_scale: float | None = None
    # The denominator of the closest scale that is allowed. None means no limit.
    max_scale: float | None = None
    # A box with width and height; x_min > x_max if it crosses the antimeridian.
    max_extent: Envelope | None = None
    # The spatial reference of max_extent. None means the map's own.
    spatial_reference: SpatialReferenceLike | None = None
    extent_rule: ExtentRule = ExtentRule.VISIBLE_AREA
    # The rotation that the view keeps. None: the view can rotate.
    locked_rotation_deg: float | None = None
    # Fingers can pull the view past the limits of scale and extent. It springs back when they let go.
    rubber_band: bool = False


@dataclass(frozen=True)
class CameraPlan:
    """The result of a move."""

    # The centre after the move, in the map's spatial reference.
    center: tuple[float, float]
    scale: float
    rotation_deg: float
    # The turn from the previous rotation in the shorter direction, clockwise: -180 < turn_deg <= 180.
    turn_deg: float
    # The camera that the view would have without constraints.
    wanted_center: tuple[float, float]
    wanted_scale: float
    wanted_rotation_deg: float
    # The constraints that changed the move.
    clamps: CameraClampFlags
    # The distances in DIP from the outermost points of an extent or a geometry to the sides of the area that the insets
    # leave free. A distance is negative where a point lies outside. None for other moves.
    margins: Insets | None


class CameraMoves(Handle):
    """The part of a view that moves its camera."""

    @property
    def constraints(self) -> Constraints:
        """The constraints of the camera. The extent is in the map's spatial reference."""
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

    @constraints.setter
    def constraints(self, constraints: Constraints | None) -> None:
        self.set_constraints(constraints)

    def set_constraints(self, constraints: Constraints | None) -> None:
        """Sets all constraints of the camera and moves the view if they require it.

        :raises InvalidArgumentError: a number is out of range, or the limits contradict each other.
        :raises NotReadyError: an extent is set and the map has no spatial reference.
        :raises ProjectionFailedError: no part of the extent can be projected to the map's spatial reference.
        """
        if constraints is None:
            check(library().ald_view_set_constraints, self._handle, None)
            return
        wanted = constraints.spatial_reference
        reference = None if wanted is None else spatial_reference_of(wanted, self)
        given = _abi.ald_constraints(
            min_scale=constraints.min_scale or 0.0,
            max_scale=constraints.max_scale or 0.0,
            spatial_reference=optional_reference(reference),
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
        spatial_reference: SpatialReferenceLike | None = None,
        scale: float | None = None,
        rotation_deg: float | None = None,
        *,
        extent: Box | None = None,
        geometry: Geometry | None = None,
        padding: Padding = 0.0,
    ) -> CameraPlan:
        """Moves the view at once. The view keeps every part that is None. On failure the view does not change.

        Args:
            center: the point in the middle of the area that the insets leave free. A longitude of 181 degrees is in the
                copy of the world to the east, 1 degree beyond 180.
            spatial_reference: the spatial reference of `center` and `extent`, and of a geometry that has none. None
                means the map's own.
            scale: the denominator of the nominal scale. With an extent or a geometry, the view shows the middle of it
                at this scale.
            rotation_deg: the compass direction that is up on the screen, clockwise from north. Taken modulo 360.
            extent: a box to fit into the view, instead of `center`.
            geometry: a geometry to fit into the view as it lies on the rotated screen, instead of `center`.
            padding: the distances in DIP that stay free around it, in addition to the insets: one for all sides, or one
                for each side.

        Returns:
            The result of the move, with the constraints that changed it and the margins.

        Raises:
            InvalidArgumentError: a number is out of range, the padding leaves no free area, or the geometry is empty.
            NotReadyError: the view has no size, or a part is neither set by the call nor known to the view.
            ProjectionFailedError: a point cannot be projected to the map's spatial reference.
        """
        plan = _abi.ald_camera_plan()
        viewpoint = c_viewpoint(center, spatial_reference, scale, rotation_deg, extent, geometry)
        check(library().ald_view_move, self._handle, viewpoint, ctypes.byref(c_padding(padding)), plan)
        return camera_plan(plan)

    def plan_move(
        self,
        center: Point | None = None,
        spatial_reference: SpatialReferenceLike | None = None,
        scale: float | None = None,
        rotation_deg: float | None = None,
        *,
        extent: Box | None = None,
        geometry: Geometry | None = None,
        padding: Padding = 0.0,
    ) -> CameraPlan:
        """Computes what `move` would do with the same arguments, without moving the view."""
        plan = _abi.ald_camera_plan()
        viewpoint = c_viewpoint(center, spatial_reference, scale, rotation_deg, extent, geometry)
        check(library().ald_view_plan_move, self._handle, viewpoint, ctypes.byref(c_padding(padding)), plan)
        return camera_plan(plan)

    def zoom_to_envelope(
        self, envelope: Box, spatial_reference: SpatialReferenceLike | None = None, padding: Padding = 0.0
    ) -> CameraPlan:
        """Moves the view so that a box fits into it. The rotation does not change. See `move`."""
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
        """Moves the view so that a geometry fits into it. The rotation does not change. See `move`."""
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
    spatial_reference: SpatialReferenceLike | None,
    scale: float | None,
    rotation_deg: float | None,
    extent: Box | None = None,
    geometry: Geometry | None = None,
) -> _abi.ald_viewpoint:
    """The C form of a viewpoint that sets every part that is not None."""
    viewpoint = _abi.ald_viewpoint(spatial_reference=optional_reference(spatial_reference))
    if center is not None:
        viewpoint.fields |= ViewpointFields.CENTER
        viewpoint.center = arrays.c_point(center)
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
        clamps=CameraClampFlags(plan.clamps),
        margins=(
            None
            if math.isnan(margins.top_dip)
            else Insets(margins.top_dip, margins.right_dip, margins.bottom_dip, margins.left_dip)
        ),
    )
