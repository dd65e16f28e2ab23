"""The index of a source of features: finds features by location without reading the whole file again."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any, Callable, Sequence

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import IndexStatus
from .._base import arrays
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import uint32
from .._base.request import Request, begin
from .._coordinates.envelope import Envelope, c_envelope
from .._coordinates.spatial_reference import SpatialReferenceLike, optional_reference
from .._library import library

NEAR_FEATURE = np.dtype(_abi.ald_nearest_feature)


@dataclass(frozen=True)
class FeatureIndexInfo:
    """Facts about the index of a source."""

    status: IndexStatus
    # The number of features in the index: all features that have a position.
    feature_count: int
    # The memory that the index uses, in bytes.
    size_bytes: int
    # The box around all features in the index; None if there are no such features.
    extent: Envelope | None


class FeatureIndexing(Handle):
    """The methods of FeatureSource for its index."""

    def build_index(self) -> None:
        """Builds the index by reading all geometries once. Does nothing if the index already exists.

        Raises:
            UnsupportedError: the layer has no geometries.
            LimitExceededError: the index would need more memory than the runtime's policy allows.
        """
        check(library().ald_feature_source_build_index, self._handle)

    def build_index_async(
        self, *, on_done: Callable[[Request[None]], Any] | None = None, replace_key: int = 0, keep_begun: bool = False
    ) -> Request[None]:
        """Builds the index without waiting; see `build_index`. `result` of the request waits for the end."""
        runtime = self._root()

        def take(request: Request[None]) -> None:
            # A request that succeeded has no result to take. After a failure, building again raises the reason.
            if request.state is not _abi.RequestState.SUCCEEDED:
                self.build_index()

        function = library().ald_feature_source_build_index_async
        return begin(runtime, function, (self._handle,), take, on_done, replace_key, keep_begun)

    @property
    def index_info(self) -> FeatureIndexInfo:
        """The current facts about the index."""
        info = _abi.ald_feature_index_info()
        check(library().ald_feature_source_get_index_info, self._handle, info)
        box = info.extent
        extent = None if math.isnan(box.x_min) else Envelope(box.x_min, box.y_min, box.x_max, box.y_max)
        return FeatureIndexInfo(IndexStatus(info.index_status), info.feature_count, info.size_bytes, extent)

    def ids_in_envelope(
        self, envelope: Envelope | Sequence[float], spatial_reference: SpatialReferenceLike | None = None
    ) -> npt.NDArray[np.int64]:
        """The ids of the features whose boxes meet an envelope, in the file's order. Uses the index.

        :raises NotReadyError: there is no index; build it first.
        """
        function, count = library().ald_feature_source_query_ids, ctypes.c_size_t()
        arguments = self._handle, c_envelope(envelope), optional_reference(spatial_reference)
        check(function, *arguments, None, 0, ctypes.byref(count))
        ids = np.empty(count.value, dtype=np.int64)
        check(function, *arguments, arrays.address(ids) if ids.size else None, ids.size, ctypes.byref(count))
        return ids

    def nearest(
        self,
        point: arrays.Point,
        count: int = 1,
        max_distance: float = 0.0,
        spatial_reference: SpatialReferenceLike | None = None,
    ) -> npt.NDArray[np.void]:
        """The features nearest to a point, the nearest first: feature_id and distance. Uses the index.

        Args:
            point: x and y.
            count: the largest number of features to find.
            max_distance: the largest distance of a feature, in the unit of the source's coordinates; 0: any distance.
            spatial_reference: the spatial reference of the point; None: the source's.

        Raises:
            NotReadyError: there is no index; build it first.
        """
        # The result never has more features than the index.
        room = min(uint32(count, "count"), max(1, self.index_info.feature_count))
        found = np.empty(room, dtype=NEAR_FEATURE)
        number = ctypes.c_size_t()
        check(
            library().ald_feature_source_query_nearest,
            self._handle,
            arrays.c_point(point),
            optional_reference(spatial_reference),
            max_distance,
            arrays.address(found),
            len(found),
            ctypes.byref(number),
        )
        return found[: number.value].copy()
