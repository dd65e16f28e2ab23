"""Transformations: the ways from one datum to another, ranked, with their accuracy, steps and grid files."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Iterator, NamedTuple, Sequence

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._abi import (
    GridFlags,
    TransformationFlags,
    TransformationFormat,
    TransformationListFlags,
    TransformationStepFlags,
)
from ._handle import Handle
from ._library import library
from ._text import decoded, encoded
from .errors import check
from .runtime import Runtime
from .spatial_reference import SpatialReference


class GeographicBox(NamedTuple):
    """Degrees on WGS 84; west > east where the box crosses the antimeridian."""

    west: float
    south: float
    east: float
    north: float


@dataclass(frozen=True)
class Grid:
    """A grid file that a step needs. Texts that are not known are empty."""

    # The name by which PROJ asks for it, such as "de_adv_BETA2007.tif".
    name: str
    # The authority's name, under which the file is found as well; empty if it is the same.
    authority_name: str
    # Where it was found when the transformation was made.
    path: str
    package: str
    # Where it can be had.
    url: str
    flags: GridFlags

    @property
    def is_available(self) -> bool:
        return GridFlags.AVAILABLE in self.flags


@dataclass(frozen=True)
class TransformationStep:
    """A step, in the order in which it is taken."""

    name: str
    # "EPSG", ... and its code; empty if there is none.
    authority: str
    code: str
    method: str
    # In metres; 0 for a conversion; NaN if it is not known.
    accuracy_m: float
    # WKT 2 (2019).
    wkt: str
    flags: TransformationStepFlags
    grids: tuple[Grid, ...]

    @property
    def is_inverse(self) -> bool:
        """Taken against the direction in which the authority defines it."""
        return TransformationStepFlags.INVERSE in self.flags

    @property
    def is_conversion(self) -> bool:
        """A map projection, a change of units or of axes: exact, and no change of datum."""
        return TransformationStepFlags.CONVERSION in self.flags


class Transformation(Handle):
    """A way from one spatial reference to another: exactly one operation. Immutable, but that its grids come and go."""

    _release_function = "ald_transformation_release"

    def __init__(self, handle: _abi.ald_transformation, keeps: Handle) -> None:
        super().__init__(handle, keeps=keeps)

    @classmethod
    def from_code(cls, runtime: Runtime, code: str | int, authority: str = "EPSG") -> Transformation:
        """The transformation with an authority's code, such as 1314.

        :raises NotFoundError: there is no such code.
        """
        handle = _abi.ald_transformation()
        check(
            library().ald_transformation_create_from_code,
            runtime._handle,
            encoded(authority),
            encoded(str(code)),
            handle,
        )
        return cls(handle, runtime)

    @classmethod
    def from_text(cls, runtime: Runtime, text: str) -> Transformation:
        """The transformation that WKT 2, PROJJSON or a PROJ string describes.

        :raises InvalidArgumentError: the text describes none; the message has PROJ's words.
        :raises MissingGridError: a grid file that a PROJ string names is not there.
        """
        handle = _abi.ald_transformation()
        check(library().ald_transformation_create, runtime._handle, encoded(text), handle)
        return cls(handle, runtime)

    @classmethod
    def from_steps(cls, steps: Sequence[Transformation]) -> Transformation:
        """One transformation of several, taken one after the other.

        :raises InvalidArgumentError: they do not follow each other.
        """
        handles = (_abi.ald_transformation * len(steps))(*(step._handle for step in steps))
        handle = _abi.ald_transformation()
        check(library().ald_transformation_create_from_steps, handles, len(steps), handle)
        return cls(handle, steps[0])

    def inverse(self) -> Transformation:
        """The same way back.

        :raises UnsupportedError: there is none.
        """
        handle = _abi.ald_transformation()
        check(library().ald_transformation_create_inverse, self._handle, handle)
        return Transformation(handle, self)

    @property
    def name(self) -> str:
        return decoded(self._info().name)

    @property
    def authority(self) -> str:
        """ "EPSG", ...; empty if there is no code."""
        return decoded(self._info().authority)

    @property
    def code(self) -> str:
        return decoded(self._info().code)

    @property
    def accuracy_m(self) -> float:
        """As the authority states it; NaN if it is not known."""
        return float(self._info().accuracy_m)

    @property
    def area(self) -> GeographicBox:
        """Where it is meant to be used; NaN if that is not known."""
        info = self._info()
        return GeographicBox(info.west_deg, info.south_deg, info.east_deg, info.north_deg)

    @property
    def area_name(self) -> str:
        return decoded(self._info().area_name)

    @property
    def scope(self) -> str:
        """What it is meant for."""
        return decoded(self._info().scope)

    @property
    def remarks(self) -> str:
        return decoded(self._info().remarks)

    @property
    def flags(self) -> TransformationFlags:
        """USABLE now, BALLPARK, SUPERSEDED, DEPRECATED."""
        return TransformationFlags(self._info().flags)

    @property
    def is_usable(self) -> bool:
        """All of its grid files are there now."""
        return TransformationFlags.USABLE in self.flags

    @property
    def is_ballpark(self) -> bool:
        """The datums are treated as equal for want of a known relation."""
        return TransformationFlags.BALLPARK in self.flags

    @property
    def steps(self) -> tuple[TransformationStep, ...]:
        """The steps in the order in which they are taken, with their grids as they are now."""
        return tuple(self._step(index) for index in range(self._info().step_count))

    @property
    def missing_grids(self) -> tuple[Grid, ...]:
        """The grid files that are not there, or cannot be read."""
        return tuple(grid for step in self.steps for grid in step.grids if not grid.is_available)

    def to_wkt(self) -> str:
        """WKT 2 (2019), which `from_text` reads again."""
        return self._text(TransformationFormat.WKT2)

    def to_proj(self) -> str:
        """The PROJ string that is run: x east, y north, in the units of the two spatial references."""
        return self._text(TransformationFormat.PROJ)

    def to_projjson(self) -> str:
        """PROJJSON."""
        return self._text(TransformationFormat.PROJJSON)

    def is_equivalent(self, other: Transformation) -> bool:
        """Whether the two do the same to every point: also across lists, and after reading its text again."""
        equal = ctypes.c_uint32()
        check(library().ald_transformation_equals, self._handle, other._handle, ctypes.byref(equal))
        return bool(equal.value)

    def _info(self) -> _abi.ald_transformation_info:
        info = _abi.ald_transformation_info()
        check(library().ald_transformation_get_info, self._handle, info)
        return info

    def _step(self, index: int) -> TransformationStep:
        step = _abi.ald_transformation_step()
        check(library().ald_transformation_get_step, self._handle, index, step)
        return TransformationStep(
            name=decoded(step.name),
            authority=decoded(step.authority),
            code=decoded(step.code),
            method=decoded(step.method),
            accuracy_m=float(step.accuracy_m),
            wkt=decoded(step.wkt),
            flags=TransformationStepFlags(step.flags),
            grids=tuple(self._grid(index, number) for number in range(step.grid_count)),
        )

    def _grid(self, step: int, index: int) -> Grid:
        grid = _abi.ald_transformation_grid()
        check(library().ald_transformation_get_grid, self._handle, step, index, grid)
        return Grid(
            name=decoded(grid.name),
            authority_name=decoded(grid.authority_name),
            path=decoded(grid.path),
            package=decoded(grid.package),
            url=decoded(grid.url),
            flags=GridFlags(grid.flags),
        )

    def _text(self, form: TransformationFormat) -> str:
        return _copied_text(library().ald_transformation_text, self._handle, form)

    def __repr__(self) -> str:
        return self._repr(f"{self._handle.id:#x}")


@dataclass(frozen=True)
class RankedTransformation:
    """A transformation in its place in a list."""

    transformation: Transformation
    # How much of the area lies where it is meant to be used, 0 to 1.
    area_share: float
    # Why it stands above the next one.
    reason: str


class TransformationList(Handle):
    """The ways from one spatial reference to another, the most suitable first: a sequence of RankedTransformation.

    Args:
        source: what the coordinates are in.
        target: what they are to be in.
        area: the place that matters: two corners of a box (lower left, upper right), or a polygon of three or more
            points, such as a view's visible area; None: where the two spatial references are used.
        area_spatial_reference: what the area is in; None: longitude and latitude in degrees.
        ignore_vertical: leave heights out, also where both sides have some.
        superseded: list those, too, that an authority has replaced by better ones.

    The list is empty if the two have the same datum.
    """

    _release_function = "ald_transformation_list_release"

    def __init__(
        self,
        source: SpatialReference,
        target: SpatialReference,
        *,
        area: npt.ArrayLike | None = None,
        area_spatial_reference: SpatialReference | None = None,
        ignore_vertical: bool = False,
        superseded: bool = False,
    ) -> None:
        options = _abi.ald_transformation_list_options()
        options.flags = (TransformationListFlags.IGNORE_VERTICAL if ignore_vertical else 0) | (
            TransformationListFlags.SUPERSEDED if superseded else 0
        )
        if area is not None:
            points = np.ascontiguousarray(_arrays.input_points(area))
            options.area = points.ctypes.data_as(ctypes.POINTER(_abi.ald_point))
            options.area_count = len(points)
        if area_spatial_reference is not None:
            options.area_spatial_reference = area_spatial_reference._handle
        handle = _abi.ald_transformation_list()
        check(library().ald_transformation_list_create, source._handle, target._handle, options, handle)
        super().__init__(handle, keeps=source)
        count = ctypes.c_uint32()
        check(library().ald_transformation_list_count, self._handle, ctypes.byref(count))
        self._count = count.value

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> RankedTransformation:
        position = range(self._count)[index]
        row = _abi.ald_transformation_row()
        check(library().ald_transformation_list_row, self._handle, position, row)
        own = _abi.ald_transformation()
        check(library().ald_transformation_clone, row.transformation, own)
        return RankedTransformation(Transformation(own, self), float(row.area_share), decoded(row.reason))

    def __iter__(self) -> Iterator[RankedTransformation]:
        return (self[index] for index in range(self._count))

    def __repr__(self) -> str:
        return self._repr(f"of {self._count}")


def _copied_text(function: object, handle: ctypes.Structure, form: int) -> str:
    """Asks for the size, and then for the text."""
    size = ctypes.c_size_t()
    check(function, handle, form, None, 0, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    check(function, handle, form, buffer, size.value, None)
    return decoded(buffer.value)
