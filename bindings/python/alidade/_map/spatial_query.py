"""Spatial queries: features and graphics that are related to a geometry or near it, and pairs of features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import MatchKind, Predicate, Unit
from .._base.arrays import FloatArray
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import uint32
from .._base.request import Request, begin
from .._base.runtime import Runtime
from .._base.text import decoded, encoded
from .._geometry.geometry import Geometry
from .._geometry.geometry_columns import viewed_memory
from .._geometry.measures import measure_options
from .._library import library

if TYPE_CHECKING:
    from .feature_layer import FeatureLayer


class MatchSet(Handle):
    """What a spatial query has found: ids and distances, as arrays.

    Attributes:
        ids: the ids of the features or graphics.
        other_ids: for pairs, the ids of the features of the other layer; otherwise None.
        distances: for distances, in the unit of the query; otherwise None.
        skipped_count: the number of features, graphics or pairs that were skipped, because they could not be compared.
        first_reason: why the first of them was skipped; empty if none was skipped.
    """

    ids: npt.NDArray[np.int64]
    other_ids: npt.NDArray[np.int64] | None
    distances: FloatArray | None
    skipped_count: int
    first_reason: str

    _release_function = "ald_match_set_release"

    def __init__(self, handle: _abi.ald_match_set, keeps: Handle) -> None:
        super().__init__(handle, keeps=keeps)
        info = _abi.ald_match_set_info()
        check(library().ald_match_set_get_info, handle, info)
        self._count: int = info.match_count
        columns = _abi.ald_match_columns()
        check(library().ald_match_set_get_columns, handle, columns)
        self._state(
            skipped_count=info.skipped_count,
            first_reason=decoded(info.first_reason),
            ids=self._column(columns.ids, np.int64),
            other_ids=self._column(columns.other_ids, np.int64) if columns.other_ids else None,
            distances=self._column(columns.distances, np.float64) if columns.distances else None,
        )

    def _column(self, pointer: Any, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        return viewed_memory(pointer, (self._count,), dtype, self).copy()

    def __len__(self) -> int:
        return self._count

    def _facts(self) -> str:
        return f"{self._count} matches"


def match_options(
    predicate: Predicate | None,
    pattern: str | None,
    max_distance: float | None,
    nearest: int | None,
    geodesic: bool,
    unit: Unit | None,
) -> _abi.ald_match_options:
    """The options in C's form."""
    options = _abi.ald_match_options()
    if sum(given is not None for given in (predicate, pattern)) + (max_distance is not None or nearest is not None) > 1:
        raise ValueError("give one of a predicate, a pattern, and a distance or a number of nearest features")
    if predicate is not None:
        options.predicate = int(predicate)
    if pattern is not None:
        options.kind = MatchKind.MATRIX_PATTERN
        options.matrix_pattern = encoded(pattern)
    if max_distance is not None:
        options.kind = MatchKind.WITHIN_DISTANCE
        options.max_distance = max_distance
    if nearest is not None:
        options.kind = MatchKind.NEAREST
        options.max_count = uint32(nearest, "nearest")
        if nearest < 1:
            raise ValueError(f"nearest is {nearest}; it must be 1 or more")
    measure = measure_options(geodesic, None, unit)
    options.measure_kind, options.unit = measure.kind, measure.unit
    return options


def find(
    function: Any,
    handles: tuple[Any, ...],
    options: _abi.ald_match_options,
    keeps: Handle,
) -> MatchSet:
    handle = _abi.ald_match_set()
    check(function, *handles, options, handle)
    return MatchSet(handle, keeps)


def find_async(
    function: Any,
    handles: tuple[Any, ...],
    options: _abi.ald_match_options,
    runtime: Runtime,
    on_done: Callable[[Request[MatchSet]], Any] | None,
    replace_key: int,
    keep_begun: bool,
) -> Request[MatchSet]:
    def take(request: Request[MatchSet]) -> MatchSet:
        handle = _abi.ald_match_set()
        check(library().ald_request_take_match_set, request._handle, handle)
        return MatchSet(handle, runtime)

    return begin(runtime, function, (*handles, options), take, on_done, replace_key, keep_begun)


def runtime_of(handle: Handle) -> Runtime:
    """The runtime that an object hangs on."""
    keeper: Handle | None = handle
    while keeper is not None and not isinstance(keeper, Runtime):
        keeper = keeper._keeps
    assert isinstance(keeper, Runtime)
    return keeper


class LayerQueries(Handle):
    """The methods of FeatureLayer that find features by geometry."""

    def query(
        self,
        geometry: Geometry,
        *,
        predicate: Predicate | None = None,
        pattern: str | None = None,
        max_distance: float | None = None,
        nearest: int | None = None,
        geodesic: bool = False,
        unit: Unit | None = None,
    ) -> MatchSet:
        """Finds the features that are related to a geometry or near it.

        Without a condition, features that share a point with the geometry are found. With a relation, the features
        are in the file's order; with a distance, the nearest is first.

        Args:
            geometry: the geometry, in any spatial reference. It is projected vertex by vertex.
            predicate: a relation; the features are the first geometries, so WITHIN finds features in the geometry.
            pattern: nine characters that the DE-9IM matrix matches: 0, 1, 2, T, F or `*`.
            max_distance: the largest distance, included.
            nearest: find the nearest features, this many at most.
            geodesic: measure distances on the ellipsoid, not in the plane.
            unit: of distances; None: metres on the ellipsoid, and the unit of the layer's spatial reference in the plane.

        Raises:
            InvalidArgumentError: the geometry is not valid.
            NotReadyError: the layer is not loaded.
        """
        options = match_options(predicate, pattern, max_distance, nearest, geodesic, unit)
        handles = (self._handle, geometry._handle)
        return find(library().ald_feature_layer_query, handles, options, runtime_of(self))

    def query_async(
        self,
        geometry: Geometry,
        *,
        predicate: Predicate | None = None,
        pattern: str | None = None,
        max_distance: float | None = None,
        nearest: int | None = None,
        geodesic: bool = False,
        unit: Unit | None = None,
        on_done: Callable[[Request[MatchSet]], Any] | None = None,
        replace_key: int = 0,
        keep_begun: bool = False,
    ) -> Request[MatchSet]:
        """Finds features without waiting; see `query`."""
        options = match_options(predicate, pattern, max_distance, nearest, geodesic, unit)
        function, handles = library().ald_feature_layer_query_async, (self._handle, geometry._handle)
        return find_async(function, handles, options, runtime_of(self), on_done, replace_key, keep_begun)

    def query_pairs(
        self,
        other: FeatureLayer,
        *,
        predicate: Predicate | None = None,
        pattern: str | None = None,
        max_distance: float | None = None,
        nearest: int | None = None,
        geodesic: bool = False,
        unit: Unit | None = None,
    ) -> MatchSet:
        """Finds the pairs of a feature of this layer and one of another layer that are related or near each other.

        The pairs are in the order of this layer's file. The features of the other layer are projected to this layer's
        spatial reference. With `nearest`, the nearest are found for each feature of this layer. The other arguments are
        as for `query`.
        """
        options = match_options(predicate, pattern, max_distance, nearest, geodesic, unit)
        handles = (self._handle, other._handle)
        return find(library().ald_feature_layer_query_pairs, handles, options, runtime_of(self))

    def query_pairs_async(
        self,
        other: FeatureLayer,
        *,
        predicate: Predicate | None = None,
        pattern: str | None = None,
        max_distance: float | None = None,
        nearest: int | None = None,
        geodesic: bool = False,
        unit: Unit | None = None,
        on_done: Callable[[Request[MatchSet]], Any] | None = None,
        replace_key: int = 0,
        keep_begun: bool = False,
    ) -> Request[MatchSet]:
        """Finds pairs of features without waiting; see `query_pairs`."""
        options = match_options(predicate, pattern, max_distance, nearest, geodesic, unit)
        function, handles = library().ald_feature_layer_query_pairs_async, (self._handle, other._handle)
        return find_async(function, handles, options, runtime_of(self), on_done, replace_key, keep_begun)


class OverlayQueries(Handle):
    """The methods of GraphicsOverlay that find graphics by geometry."""

    def query(
        self,
        geometry: Geometry,
        *,
        predicate: Predicate | None = None,
        pattern: str | None = None,
        max_distance: float | None = None,
        nearest: int | None = None,
        geodesic: bool = False,
        unit: Unit | None = None,
    ) -> MatchSet:
        """Finds the graphics, visible or not, that are related to a geometry or near it; see FeatureLayer.query.

        The graphics are projected to the spatial reference of the geometry. With a relation, they are in the order in
        which they were added.
        """
        options = match_options(predicate, pattern, max_distance, nearest, geodesic, unit)
        handles = (self._handle, geometry._handle)
        return find(library().ald_graphics_overlay_query, handles, options, runtime_of(self))

    def query_async(
        self,
        geometry: Geometry,
        *,
        predicate: Predicate | None = None,
        pattern: str | None = None,
        max_distance: float | None = None,
        nearest: int | None = None,
        geodesic: bool = False,
        unit: Unit | None = None,
        on_done: Callable[[Request[MatchSet]], Any] | None = None,
        replace_key: int = 0,
        keep_begun: bool = False,
    ) -> Request[MatchSet]:
        """Finds graphics without waiting; see `query`."""
        options = match_options(predicate, pattern, max_distance, nearest, geodesic, unit)
        function, handles = library().ald_graphics_overlay_query_async, (self._handle, geometry._handle)
        return find_async(function, handles, options, runtime_of(self), on_done, replace_key, keep_begun)
