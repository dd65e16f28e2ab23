"""Viewpoints: where a view looks, as a value that can be stored."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _abi
from .._abi import ViewpointFields
from .._base.arrays import Point
from .._base.errors import check
from .._base.handle import Handle
from .._base.runtime import Runtime
from .._base.runtime_first import runtime_first_of_class
from .._base.text import copied, encoded
from .._coordinates.envelope import Envelope
from .._coordinates.spatial_reference import SpatialReference, SpatialReferenceLike, spatial_reference_of
from .._geometry.geometry import Geometry
from .._library import library
from .camera import Box, c_viewpoint


@dataclass(frozen=True)
class Viewpoint:
    """Where a view looks. A view keeps every part that is None. Set at most one of centre, extent and geometry."""

    center: Point | None = None
    # The spatial reference of `center` and `extent`, and of a geometry that has none. None means the map's own.
    spatial_reference: SpatialReferenceLike | None = None
    # The denominator of the nominal scale. With an extent or a geometry, the view shows the middle of it at this scale.
    scale: float | None = None
    # The compass direction that is up on the screen, in degrees clockwise from north.
    rotation_deg: float | None = None
    # The box to fit into the view.
    extent: Box | None = None
    # The geometry to fit into the view.
    geometry: Geometry | None = None

    @runtime_first_of_class
    @classmethod
    def at(cls, runtime: Runtime, latitude_deg: float, longitude_deg: float, scale: float) -> Viewpoint:
        """Creates a viewpoint from a WGS 84 location and a scale.

        :raises InvalidArgumentError: a number is out of range.
        """
        found = _abi.ald_viewpoint()
        reference = _abi.ald_spatial_reference()
        check(
            library().ald_viewpoint_create_from_location,
            runtime._handle,
            latitude_deg,
            longitude_deg,
            scale,
            found,
            reference,
        )
        return viewpoint(found, runtime, is_lent=False)

    @runtime_first_of_class
    @classmethod
    def from_json(cls, runtime: Runtime, text: str) -> Viewpoint:
        """Reads a viewpoint from the JSON form of ArcGIS web maps: rotation, scale and targetGeometry.

        :raises InvalidArgumentError: the text is not of this form. The message says where the fault is.
        :raises NotFoundError: the spatial reference does not exist.
        :raises UnsupportedError: the geometry has curves.
        """
        found = _abi.ald_viewpoint()
        reference, geometry = _abi.ald_spatial_reference(), _abi.ald_geometry()
        check(library().ald_viewpoint_create_from_json, runtime._handle, encoded(text), found, reference, geometry)
        return viewpoint(found, runtime, is_lent=False)

    def to_json(self, runtime: Runtime) -> str:
        """Writes the viewpoint in the JSON form of ArcGIS web maps.

        :raises UnsupportedError: the geometry is a collection.
        """
        return copied(library().ald_viewpoint_get_json, runtime._handle, self._c(runtime))

    def _c(self, owner: Handle) -> _abi.ald_viewpoint:
        """The C form, for the runtime of `owner`."""
        given = self.spatial_reference
        reference = None if given is None else spatial_reference_of(given, owner)
        result = c_viewpoint(self.center, reference, self.scale, self.rotation_deg, self.extent, self.geometry)
        # The struct holds only the id.
        result._reference = reference
        return result


def viewpoint(found: _abi.ald_viewpoint, owner: Handle, *, is_lent: bool) -> Viewpoint:
    """The Python form, which keeps the handles.

    Args:
        found: the viewpoint that a C function wrote.
        owner: the object that the handles are borrowed from, or their runtime.
        is_lent: `owner` releases the handles.
    """
    fields = ViewpointFields(found.fields)
    reference, geometry = None, None
    if found.spatial_reference.id:
        handle = _abi.ald_spatial_reference(found.spatial_reference.id)
        reference = SpatialReference._of(handle, keeps=owner, is_lent=is_lent)
    if found.geometry.id:
        geometry = Geometry.__new__(Geometry)
        Handle.__init__(geometry, _abi.ald_geometry(found.geometry.id), keeps=owner, is_lent=is_lent)
    box = found.extent
    return Viewpoint(
        center=(found.center.x, found.center.y) if ViewpointFields.CENTER in fields else None,
        spatial_reference=reference,
        scale=found.scale if ViewpointFields.SCALE in fields else None,
        rotation_deg=found.rotation_deg if ViewpointFields.ROTATION in fields else None,
        extent=Envelope(box.x_min, box.y_min, box.x_max, box.y_max) if ViewpointFields.EXTENT in fields else None,
        geometry=geometry,
    )
