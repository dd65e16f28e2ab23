"""Prepared geometries: a geometry that tests many other geometries quickly."""

from __future__ import annotations

import ctypes
from typing import NamedTuple, overload

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import Predicate, TestFlags
from .._base import arrays
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import int32
from .._coordinates.projection import ProjectionReceipt
from .._library import library
from .geometry import Geometry
from .geometry_array import GeometryArray
from .geometry_operations import Tested, optional_receipt


class TestedArray(NamedTuple):
    """The result of a test for each geometry of an array."""

    # uint8: values of TestResult.
    results: npt.NDArray[np.uint8]
    # The receipt of projecting the array; None if it was not projected.
    receipt: ProjectionReceipt | None


class PreparedGeometry(Handle):
    """A geometry with an index for fast tests. Any number of threads may use it at the same time.

    Geometries in another spatial reference are projected to the spatial reference of this geometry.
    """

    _release_function = "ald_prepared_geometry_release"

    def __init__(self, geometry: Geometry) -> None:
        """Prepares a geometry.

        Raises:
            InvalidArgumentError: the geometry is not valid; the message says why and where.
        """
        handle = _abi.ald_prepared_geometry()
        check(library().ald_prepared_geometry_create, geometry._handle, handle)
        super().__init__(handle, keeps=geometry)

    def test(self, predicate: Predicate, other: Geometry) -> Tested:
        """Tests whether a predicate holds between this geometry and another geometry."""
        holds = ctypes.c_uint32()
        receipt = _abi.ald_projection_receipt()
        number = int32(predicate, "predicate")
        function = library().ald_prepared_geometry_test
        check(function, self._handle, other._handle, number, ctypes.byref(holds), receipt)
        return Tested(bool(holds.value), optional_receipt(receipt, self))

    def test_array(self, predicate: Predicate, others: GeometryArray, *, skip_invalid: bool = False) -> TestedArray:
        """Tests whether a predicate holds between this geometry and each geometry of an array, on all cores.

        Args:
            predicate: the predicate; this geometry is the first geometry.
            others: the second geometries.
            skip_invalid: the result for a geometry that is not valid is TestResult.UNKNOWN. Otherwise it is an error.
        """
        answers = np.empty(len(others), dtype=np.uint8)
        receipt = _abi.ald_projection_receipt()
        check(
            library().ald_prepared_geometry_test_array,
            self._handle,
            others._handle,
            int32(predicate, "predicate"),
            _flags(skip_invalid),
            arrays.address(answers),
            len(answers),
            receipt,
        )
        return TestedArray(answers, optional_receipt(receipt, self))

    def test_distance(self, distance: float, other: Geometry) -> Tested:
        """Tests whether another geometry lies within a distance, in the unit of this geometry's spatial reference."""
        holds = ctypes.c_uint32()
        receipt = _abi.ald_projection_receipt()
        function = library().ald_prepared_geometry_within_distance
        check(function, self._handle, other._handle, float(distance), ctypes.byref(holds), receipt)
        return Tested(bool(holds.value), optional_receipt(receipt, self))

    def test_array_distance(self, distance: float, others: GeometryArray, *, skip_invalid: bool = False) -> TestedArray:
        """Tests whether each geometry of an array lies within a distance, on all cores."""
        answers = np.empty(len(others), dtype=np.uint8)
        receipt = _abi.ald_projection_receipt()
        check(
            library().ald_prepared_geometry_within_distance_array,
            self._handle,
            others._handle,
            float(distance),
            _flags(skip_invalid),
            arrays.address(answers),
            len(answers),
            receipt,
        )
        return TestedArray(answers, optional_receipt(receipt, self))

    @overload
    def intersects(self, other: Geometry) -> bool: ...
    @overload
    def intersects(self, other: GeometryArray) -> npt.NDArray[np.bool_]: ...
    def intersects(self, other: Geometry | GeometryArray) -> bool | npt.NDArray[np.bool_]:
        """Whether the two have a point in common. For an array, one value for each geometry."""
        return self._holds(Predicate.INTERSECTS, other)

    @overload
    def contains(self, other: Geometry) -> bool: ...
    @overload
    def contains(self, other: GeometryArray) -> npt.NDArray[np.bool_]: ...
    def contains(self, other: Geometry | GeometryArray) -> bool | npt.NDArray[np.bool_]:
        """Whether the other lies in this one and their interiors share points. For an array, one value each."""
        return self._holds(Predicate.CONTAINS, other)

    @overload
    def covers(self, other: Geometry) -> bool: ...
    @overload
    def covers(self, other: GeometryArray) -> npt.NDArray[np.bool_]: ...
    def covers(self, other: Geometry | GeometryArray) -> bool | npt.NDArray[np.bool_]:
        """Whether no point of the other lies outside this one. For an array, one value for each geometry."""
        return self._holds(Predicate.COVERS, other)

    @overload
    def within_distance(self, other: Geometry, distance: float) -> bool: ...
    @overload
    def within_distance(self, other: GeometryArray, distance: float) -> npt.NDArray[np.bool_]: ...
    def within_distance(self, other: Geometry | GeometryArray, distance: float) -> bool | npt.NDArray[np.bool_]:
        """Whether the other lies within a distance. For an array, one value for each geometry."""
        if isinstance(other, GeometryArray):
            return self.test_array_distance(distance, other).results.astype(bool)
        return self.test_distance(distance, other).holds

    def _holds(self, predicate: Predicate, other: Geometry | GeometryArray) -> bool | npt.NDArray[np.bool_]:
        if isinstance(other, GeometryArray):
            return self.test_array(predicate, other).results.astype(bool)
        return self.test(predicate, other).holds

    def _facts(self) -> str:
        return f"of {self._keeps!r}"


def _flags(skip_invalid: bool) -> TestFlags:
    return TestFlags.SKIP_INVALID if skip_invalid else TestFlags(0)
