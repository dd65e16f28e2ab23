"""Prepared geometries: one geometry that many others are held against."""

from __future__ import annotations

import ctypes
from typing import NamedTuple, overload

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._abi import Predicate, TestFlags
from ._geometry_operations import Tested, optional_receipt
from ._handle import Handle
from ._library import library
from ._numbers import int32
from .errors import check
from .geometry import Geometry
from .geometry_array import GeometryArray
from .projection import ProjectionReceipt


class TestedArray(NamedTuple):
    """Whether something holds of each geometry of an array."""

    # uint8: values of Answer.
    answers: npt.NDArray[np.uint8]
    # How the array was projected; None if it was not.
    receipt: ProjectionReceipt | None


class PreparedGeometry(Handle):
    """A geometry that is indexed; any number of threads may ask it at once.

    What is not in its spatial reference is projected to it.
    """

    _release_function = "ald_prepared_geometry_release"

    def __init__(self, geometry: Geometry) -> None:
        """Prepares a geometry.

        Raises:
            InvalidArgumentError: it is not valid; the message says why and where.
        """
        handle = _abi.ald_prepared_geometry()
        check(library().ald_prepared_geometry_create, geometry._handle, handle)
        super().__init__(handle, keeps=geometry)

    def test(self, predicate: Predicate, other: Geometry) -> Tested:
        """Whether a predicate holds between this geometry and another one."""
        holds = ctypes.c_uint32()
        receipt = _abi.ald_projection_receipt()
        number = int32(predicate, "predicate")
        function = library().ald_prepared_geometry_test
        check(function, self._handle, other._handle, number, ctypes.byref(holds), receipt)
        return Tested(bool(holds.value), optional_receipt(receipt, self))

    def test_array(self, predicate: Predicate, others: GeometryArray, *, skip_invalid: bool = False) -> TestedArray:
        """The same for each geometry of an array, on all cores.

        Args:
            predicate: this geometry is the first.
            others: the second ones.
            skip_invalid: a geometry that is not valid is Answer.UNKNOWN; else it is an error.
        """
        answers = np.empty(len(others), dtype=np.uint8)
        receipt = _abi.ald_projection_receipt()
        check(
            library().ald_prepared_geometry_test_array,
            self._handle,
            others._handle,
            int32(predicate, "predicate"),
            _flags(skip_invalid),
            _arrays.address(answers),
            len(answers),
            receipt,
        )
        return TestedArray(answers, optional_receipt(receipt, self))

    def test_distance(self, distance: float, other: Geometry) -> Tested:
        """Whether another geometry lies no farther away than a distance in this spatial reference's unit."""
        holds = ctypes.c_uint32()
        receipt = _abi.ald_projection_receipt()
        function = library().ald_prepared_geometry_within_distance
        check(function, self._handle, other._handle, float(distance), ctypes.byref(holds), receipt)
        return Tested(bool(holds.value), optional_receipt(receipt, self))

    def test_array_distance(
        self, distance: float, others: GeometryArray, *, skip_invalid: bool = False
    ) -> TestedArray:
        """The same for each geometry of an array, on all cores."""
        answers = np.empty(len(others), dtype=np.uint8)
        receipt = _abi.ald_projection_receipt()
        check(
            library().ald_prepared_geometry_within_distance_array,
            self._handle,
            others._handle,
            float(distance),
            _flags(skip_invalid),
            _arrays.address(answers),
            len(answers),
            receipt,
        )
        return TestedArray(answers, optional_receipt(receipt, self))

    @overload
    def intersects(self, other: Geometry) -> bool: ...
    @overload
    def intersects(self, other: GeometryArray) -> npt.NDArray[np.bool_]: ...
    def intersects(self, other: Geometry | GeometryArray) -> bool | npt.NDArray[np.bool_]:
        """Whether they have a point in common; of an array one answer each."""
        return self._holds(Predicate.INTERSECTS, other)

    @overload
    def contains(self, other: Geometry) -> bool: ...
    @overload
    def contains(self, other: GeometryArray) -> npt.NDArray[np.bool_]: ...
    def contains(self, other: Geometry | GeometryArray) -> bool | npt.NDArray[np.bool_]:
        """Whether the other lies in this one, and their interiors meet; of an array one answer each."""
        return self._holds(Predicate.CONTAINS, other)

    @overload
    def covers(self, other: Geometry) -> bool: ...
    @overload
    def covers(self, other: GeometryArray) -> npt.NDArray[np.bool_]: ...
    def covers(self, other: Geometry | GeometryArray) -> bool | npt.NDArray[np.bool_]:
        """Whether no point of the other lies outside of this one; of an array one answer each."""
        return self._holds(Predicate.COVERS, other)

    @overload
    def within_distance(self, other: Geometry, distance: float) -> bool: ...
    @overload
    def within_distance(self, other: GeometryArray, distance: float) -> npt.NDArray[np.bool_]: ...
    def within_distance(
        self, other: Geometry | GeometryArray, distance: float
    ) -> bool | npt.NDArray[np.bool_]:
        """Whether the other lies no farther away than a distance; of an array one answer each."""
        if isinstance(other, GeometryArray):
            return self.test_array_distance(distance, other).answers.astype(bool)
        return self.test_distance(distance, other).holds

    def _holds(self, predicate: Predicate, other: Geometry | GeometryArray) -> bool | npt.NDArray[np.bool_]:
        if isinstance(other, GeometryArray):
            return self.test_array(predicate, other).answers.astype(bool)
        return self.test(predicate, other).holds

    def __repr__(self) -> str:
        return self._repr(f"{self._handle.id:#x}")


def _flags(skip_invalid: bool) -> TestFlags:
    return TestFlags.SKIP_INVALID if skip_invalid else TestFlags(0)
