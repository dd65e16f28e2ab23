"""The box around a projected box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

from .. import _abi
from .._abi import ProjectedEnvelopeFlags
from .._base.errors import check
from .._library import library
from .envelope import Envelope
from .projection import projection_options
from .spatial_reference import SpatialReferenceLike, reference_handle
from .transformation import Transformation


@dataclass(frozen=True)
class ProjectedEnvelope:
    """The box around the image of a box. `envelope.x_min` > `envelope.x_max` if it crosses the antimeridian."""

    envelope: Envelope
    flags: ProjectedEnvelopeFlags

    @property
    def is_partial(self) -> bool:
        """Whether a part of the box cannot be projected, and is left out."""
        return ProjectedEnvelopeFlags.PARTIAL in self.flags

    @property
    def crosses_antimeridian(self) -> bool:
        """Whether the box crosses the antimeridian, or the line along which the map is cut open."""
        return ProjectedEnvelopeFlags.CROSSES_ANTIMERIDIAN in self.flags

    @property
    def holds_north_pole(self) -> bool:
        """Whether the north pole is inside the box or on its edge."""
        return ProjectedEnvelopeFlags.HOLDS_NORTH_POLE in self.flags

    @property
    def holds_south_pole(self) -> bool:
        """Whether the south pole is inside the box or on its edge."""
        return ProjectedEnvelopeFlags.HOLDS_SOUTH_POLE in self.flags


def project_envelope(
    source: SpatialReferenceLike,
    target: SpatialReferenceLike,
    envelope: Envelope | Sequence[float],
    *,
    transformation: Transformation | None = None,
    strict: bool = False,
    only_best: bool = False,
    inverse: bool = False,
) -> ProjectedEnvelope:
    """Projects a box: finds the narrowest box in `target` that contains the images of all points of the box.

    Args:
        source: the spatial reference of the box.
        target: the spatial reference of the result.
        envelope: x_min, y_min, x_max, y_max; x_min > x_max if the box crosses the antimeridian.
        transformation: the only operation that is used; None: the best operation for the location of each point.
        strict: leaves out points that only a ballpark operation could project.
        only_best: leaves out points whose best operation lacks a grid file.
        inverse: runs the transformation backwards.

    :raises InvalidArgumentError: the numbers are not a box, or the transformation connects other spatial references.
    :raises MissingGridError: the transformation lacks grid files.
    :raises ProjectionFailedError: no part of the box has an image.
    """
    if isinstance(envelope, Envelope):
        envelope = (envelope.x_min, envelope.y_min, envelope.x_max, envelope.y_max)
    x_min, y_min, x_max, y_max = (float(value) for value in envelope)
    out = _abi.ald_projected_envelope()
    box = _abi.ald_envelope(x_min, y_min, x_max, y_max)
    options = projection_options(transformation, strict=strict, only_best=only_best, inverse=inverse)
    check(
        library().ald_spatial_reference_project_envelope,
        reference_handle(source),
        reference_handle(target),
        options,
        box,
        out,
    )
    found = out.envelope
    return ProjectedEnvelope(
        Envelope(found.x_min, found.y_min, found.x_max, found.y_max), ProjectedEnvelopeFlags(out.flags)
    )
