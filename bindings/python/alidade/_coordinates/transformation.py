"""Transformations: operations from one datum to another, ranked, with their accuracy, steps and grid files."""

from __future__ import annotations

import contextlib
import ctypes
import pickle
from dataclasses import dataclass
from typing import Any, Iterator, NamedTuple, Sequence, overload

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import (
    GridFlags,
    TransformationFlags,
    TransformationFormat,
    TransformationListFlags,
    TransformationStepFlags,
)
from .._base import arrays
from .._base.errors import AlidadeError, UnsupportedError, check
from .._base.handle import Handle
from .._base.pictures import metres, table
from .._base.runtime import Runtime
from .._base.runtime_first import runtime_first_of_class
from .._base.text import decoded, encoded
from .._base.values import Value
from .._library import library
from .spatial_reference import SpatialReferenceLike, converted, reference_handle


class GeographicBox(NamedTuple):
    """A box in degrees on WGS 84. West is greater than east where the box crosses the antimeridian."""

    west: float
    south: float
    east: float
    north: float


@dataclass(frozen=True)
class Grid:
    """A grid file that a step needs. An unknown text is empty."""

    # The name that PROJ uses for the file, such as "de_adv_BETA2007.tif".
    name: str
    # The authority's name of the file; empty if it is the same. The library finds the file by this name too.
    authority_name: str
    # The path of the file when the transformation was created.
    path: str
    package: str
    # The address from which the file can be downloaded.
    url: str
    flags: GridFlags

    @property
    def is_available(self) -> bool:
        """Whether the file is there and can be read."""
        return GridFlags.AVAILABLE in self.flags


@dataclass(frozen=True)
class TransformationStep:
    """A step of a transformation."""

    name: str
    # "EPSG", ... and its code; empty without a code.
    authority: str
    code: str
    method: str
    # The accuracy in metres; 0 for a conversion; NaN if it is not known.
    accuracy_m: float
    # WKT 2 (2019).
    wkt: str
    flags: TransformationStepFlags
    grids: tuple[Grid, ...]

    @property
    def is_inverse(self) -> bool:
        """Whether the step runs in the direction opposite to the authority's definition."""
        return TransformationStepFlags.INVERSE in self.flags

    @property
    def is_conversion(self) -> bool:
        """Whether the step is a map projection or a change of units or axes, which is exact."""
        return TransformationStepFlags.CONVERSION in self.flags


class Transformation(Value):
    """A transformation from one spatial reference to another: exactly one operation.

    It is immutable, except that changed grid directories may make it usable or not usable.
    """

    _release_function = "ald_transformation_release"
    _is_named_by_events = True

    def __init__(self, handle: _abi.ald_transformation, keeps: Handle) -> None:
        super().__init__(handle, keeps=keeps)

    @runtime_first_of_class
    @classmethod
    def from_code(cls, runtime: Runtime, code: str | int, authority: str = "EPSG") -> Transformation:
        """Creates a transformation from an authority's code, such as 1314.

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

    @runtime_first_of_class
    @classmethod
    def from_text(cls, runtime: Runtime, text: str) -> Transformation:
        """Creates a transformation from WKT 2, PROJJSON or a PROJ string.

        :raises InvalidArgumentError: the text describes no transformation. The message quotes PROJ.
        :raises MissingGridError: a grid file that a PROJ string names is missing.
        """
        handle = _abi.ald_transformation()
        check(library().ald_transformation_create, runtime._handle, encoded(text), handle)
        return cls(handle, runtime)

    @classmethod
    def from_steps(cls, steps: Sequence[Transformation]) -> Transformation:
        """Creates one transformation that runs several transformations one after the other.

        :raises InvalidArgumentError: a step does not begin in the spatial reference in which the previous one ends.
        """
        handles = (_abi.ald_transformation * len(steps))(*(step._handle for step in steps))
        handle = _abi.ald_transformation()
        check(library().ald_transformation_create_from_steps, handles, len(steps), handle)
        return cls(handle, steps[0])

    def inverse(self) -> Transformation:
        """Creates the inverse of the transformation.

        :raises UnsupportedError: the transformation has no inverse.
        """
        handle = _abi.ald_transformation()
        check(library().ald_transformation_create_inverse, self._handle, handle)
        return Transformation(handle, self)

    @property
    def name(self) -> str:
        """The name of the transformation."""
        return decoded(self._info().name)

    @property
    def authority(self) -> str:
        """The authority, such as "EPSG"; empty if there is no code."""
        return decoded(self._info().authority)

    @property
    def code(self) -> str:
        """The code of the authority; empty if there is none."""
        return decoded(self._info().code)

    @property
    def accuracy_m(self) -> float:
        """The accuracy in metres, as the authority states it; NaN if it is not known."""
        return float(self._info().accuracy_m)

    @property
    def area(self) -> GeographicBox:
        """The area of use; NaN if it is not known."""
        info = self._info()
        return GeographicBox(info.west_deg, info.south_deg, info.east_deg, info.north_deg)

    @property
    def area_name(self) -> str:
        """The name of the area of use."""
        return decoded(self._info().area_name)

    @property
    def scope(self) -> str:
        """The purpose of the transformation."""
        return decoded(self._info().scope)

    @property
    def remarks(self) -> str:
        """What the authority remarks about the transformation."""
        return decoded(self._info().remarks)

    @property
    def flags(self) -> TransformationFlags:
        """The current flags: USABLE, BALLPARK, SUPERSEDED, DEPRECATED."""
        return TransformationFlags(self._info().flags)

    @property
    def is_usable(self) -> bool:
        """Whether all grid files are available and readable now."""
        return TransformationFlags.USABLE in self.flags

    @property
    def is_ballpark(self) -> bool:
        """Whether the transformation treats the datums as equal, because no relation is known."""
        return TransformationFlags.BALLPARK in self.flags

    @property
    def steps(self) -> tuple[TransformationStep, ...]:
        """The steps in the order in which they are run, with the current state of their grids."""
        return tuple(self._step(index) for index in range(self._info().step_count))

    @property
    def missing_grids(self) -> tuple[Grid, ...]:
        """The grid files that are missing or cannot be read."""
        return tuple(grid for step in self.steps for grid in step.grids if not grid.is_available)

    def to_wkt(self) -> str:
        """Writes the transformation as WKT 2 (2019), which `from_text` can read."""
        return self._text(TransformationFormat.WKT2)

    def to_proj(self) -> str:
        """Writes the PROJ string that is run: x east, y north, in the units of the two spatial references."""
        return self._text(TransformationFormat.PROJ)

    def to_projjson(self) -> str:
        """Writes the transformation as PROJJSON."""
        return self._text(TransformationFormat.PROJJSON)

    def is_equivalent(self, other: Transformation) -> bool:
        """Whether two transformations give the same result for every point.

        They may come from different lists, or from the text of `to_proj`.
        """
        equal = ctypes.c_uint32()
        check(library().ald_transformation_equals, self._handle, other._handle, ctypes.byref(equal))
        return bool(equal.value)

    def _equals(self, other: Transformation) -> bool:
        return self.is_equivalent(other)

    def _hash_key(self) -> Any:
        try:
            return self.to_proj()
        except UnsupportedError:
            return self.name, self.authority, self.code

    def _pickled(self) -> tuple[Any, tuple[Any, ...]]:
        texts = []
        for write in (self.to_wkt, self.to_proj):
            with contextlib.suppress(UnsupportedError):
                texts.append(write())
        if not texts:
            raise pickle.PicklingError(f"PROJ cannot read again what it writes of {self!r}")
        return _unpickled, tuple(texts)

    def _info(self) -> _abi.ald_transformation_info:
        info = _abi.ald_transformation_info()
        check(library().ald_transformation_get_info, self._handle, info)
        return info

    def _step(self, index: int) -> TransformationStep:
        step = _abi.ald_transformation_step()
        check(library().ald_transformation_get_step_at, self._handle, index, step)
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
        check(library().ald_transformation_get_grid_at, self._handle, step, index, grid)
        return Grid(
            name=decoded(grid.name),
            authority_name=decoded(grid.authority_name),
            path=decoded(grid.path),
            package=decoded(grid.package),
            url=decoded(grid.url),
            flags=GridFlags(grid.flags),
        )

    def _text(self, form: TransformationFormat) -> str:
        return _copied_text(library().ald_transformation_get_text, self._handle, form)

    def _facts(self) -> str:
        code = f"{self.authority}:{self.code} " if self.code else ""
        usable = "" if self.is_usable else f", lacks {', '.join(grid.name for grid in self.missing_grids)}"
        return f"{code}{self.name!r}, accuracy {metres(self.accuracy_m)}{usable}"


@dataclass(frozen=True)
class RankedTransformation:
    """A row of a transformation list."""

    transformation: Transformation
    # The part of the area of interest that is inside the area of use, 0 to 1.
    area_share: float
    # The criterion that puts the row above the next row.
    reason: str


class TransformationList(Handle, Sequence[RankedTransformation]):
    """The transformations from one spatial reference to another: a sequence of RankedTransformation, the best first.

    >>> best = alidade.TransformationList(27700, 4326)[0]
    >>> best.transformation.accuracy_m, best.transformation.is_usable
    (2.0, True)

    The list is empty if the two spatial references have the same datum.

    Args:
        source: the spatial reference of the coordinates before the transformation.
        target: the spatial reference of the coordinates after the transformation.
        area: the area of interest: two corners of a box (lower left, upper right), or a polygon of three or more
            points, such as the visible area of a view; None: the area where both spatial references are used.
        area_spatial_reference: the spatial reference of the area; None: longitude and latitude in degrees.
        ignore_vertical: leaves heights out, even if both spatial references have heights.
        superseded: also lists transformations that an authority has replaced by better ones.
    """

    _release_function = "ald_transformation_list_release"

    def __init__(
        self,
        source: SpatialReferenceLike,
        target: SpatialReferenceLike,
        *,
        area: npt.ArrayLike | None = None,
        area_spatial_reference: SpatialReferenceLike | None = None,
        ignore_vertical: bool = False,
        superseded: bool = False,
    ) -> None:
        options = _abi.ald_transformation_list_options()
        options.flags = (TransformationListFlags.IGNORE_VERTICAL if ignore_vertical else 0) | (
            TransformationListFlags.SUPERSEDED if superseded else 0
        )
        if area is not None:
            points = np.ascontiguousarray(arrays.input_points(area))
            options.area = points.ctypes.data_as(ctypes.POINTER(_abi.ald_point))
            options.area_count = len(points)
        if area_spatial_reference is not None:
            options.area_spatial_reference = reference_handle(area_spatial_reference)
        handle = _abi.ald_transformation_list()
        check(
            library().ald_transformation_list_create,
            reference_handle(source),
            reference_handle(target),
            options,
            handle,
        )
        super().__init__(handle, keeps=converted(source))
        count = ctypes.c_uint32()
        check(library().ald_transformation_list_get_row_count, self._handle, ctypes.byref(count))
        self._count = count.value

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> RankedTransformation: ...
    @overload
    def __getitem__(self, index: slice) -> list[RankedTransformation]: ...
    def __getitem__(self, index: int | slice) -> RankedTransformation | list[RankedTransformation]:
        if isinstance(index, slice):
            return [self[position] for position in range(self._count)[index]]
        position = range(self._count)[index]
        row = _abi.ald_transformation_row()
        check(library().ald_transformation_list_get_row_at, self._handle, position, row)
        own = _abi.ald_transformation()
        check(library().ald_transformation_clone, row.transformation, own)
        return RankedTransformation(Transformation(own, self), float(row.area_share), decoded(row.reason))

    def __iter__(self) -> Iterator[RankedTransformation]:
        return (self[index] for index in range(self._count))

    def _facts(self) -> str:
        best = f", the best: {self[0].transformation.name!r}" if self._count else ""
        return f"of {self._count}{best}"

    def _repr_html_(self) -> str:
        rows = (
            (
                index,
                row.transformation.name,
                f"{row.transformation.authority}:{row.transformation.code}" if row.transformation.code else "",
                metres(row.transformation.accuracy_m),
                f"{row.area_share:.0%}",
                ", ".join(grid.name for grid in row.transformation.missing_grids),
                row.reason,
            )
            for index, row in enumerate(self)
        )
        columns = ("", "Transformation", "Code", "Accuracy", "Area", "Missing grids", "Ranked by")
        return table(f"{self._count} transformations", columns, rows, self._count)


def _unpickled(*texts: str) -> Transformation:
    """Reads the first text, if it gives what the last one gives: WKT 2 and then the PROJ string, or one of them."""
    for text in texts[:-1]:
        with contextlib.suppress(AlidadeError):
            transformation = Transformation.from_text(None, text)
            if transformation.to_proj() == texts[-1]:
                return transformation
    return Transformation.from_text(None, texts[-1])


def _copied_text(function: object, handle: ctypes.Structure, form: int) -> str:
    """Gets the size first, and then the text."""
    size = ctypes.c_size_t()
    check(function, handle, form, None, 0, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    check(function, handle, form, buffer, size.value, None)
    return decoded(buffer.value)
