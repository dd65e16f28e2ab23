"""Feature sources: features of a file of any format that GDAL reads."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Sequence, overload

import numpy as np

from .. import _abi
from .._abi import FeatureQueryFlags, FeatureSourceFacts, GeometryKind, IdStability
from .._base import arrays
from .._base.errors import AlidadeError, check, feature_source_error
from .._base.handle import Handle
from .._base.names import with_python_names
from .._base.numbers import int64s, uint32, uint64
from .._base.request import Request, begin
from .._base.runtime import Runtime
from .._base.runtime_first import runtime_first_of_class
from .._base.text import PathLike, copied, decoded, encoded, encoded_path
from .._coordinates.envelope import Envelope, c_envelope
from .._coordinates.spatial_reference import (
    SpatialReference,
    SpatialReferenceLike,
    lent_spatial_reference,
    optional_reference,
)
from .._geometry.geometry import Geometry
from .._library import library
from .feature_field import FeatureField, feature_field
from .feature_index import FeatureIndexing
from .feature_set import Feature, FeatureSet


class Sublayer(NamedTuple):
    """A layer of a file."""

    name: str
    has_geometry: bool


@dataclass(frozen=True)
class FeatureSourceInfo:
    """Facts about a source of features."""

    # The path or name with which the source was opened.
    path: str
    # The short name of GDAL's driver, such as "GPKG".
    driver: str
    layer_name: str
    # The index of the layer in the file; None for the result of a statement.
    layer_index: int | None
    sublayer_count: int
    # The definition expression; empty if the source has none.
    definition: str
    has_geometry: bool
    # None: several kinds, or any kind.
    geometry_kind: GeometryKind | None
    has_z: bool
    has_m: bool
    # Curves are converted to lines when they are read.
    has_curves: bool
    id_stability: IdStability
    # Single features can be read by their ids without reading others.
    finds_ids: bool
    # The number that the file states; None if all features would have to be read to count them.
    feature_count: int | None
    # The extent that the file states for the layer, or that the features gave if they are not too many; None if it is
    # not
    # known.
    extent: Envelope | None


class FeatureSource(FeatureIndexing, Handle):
    """An open source of features. Its facts never change, and any number of threads may read it at the same time.

    Args:
        runtime: the runtime of the source; may be left out.
        path: the path of a file or folder, or another name that GDAL understands and the runtime's policy allows.
        layer: the name of the layer, or its index in the file. None: the only layer, or the first layer with
            geometries.
        definition: a condition that features must meet, such as "POP > 1e6".
        statement: a SELECT statement whose result stands for a layer.
        spatial_reference: used instead of the file's spatial reference, whether the file has one or not.
        curve_tolerance: the largest distance between an arc and the lines that replace it; 0: each line spans one
            degree.

    Raises:
        FeatureSourceNotFoundError: there is no such file, or no such layer in it (also a FileNotFoundError).
        ReadFailedError: the file cannot be read as a source of features (also an OSError).
        PolicyRefusedError: the policy does not allow the file (also a PermissionError).
        UnsupportedError: the file holds no layer, is encrypted, or cannot be read without writing next to it.
        InvalidArgumentError: the definition or statement cannot be used (also a ValueError).
    """

    _release_function = "ald_feature_source_release"

    @overload
    def __init__(
        self,
        runtime: Runtime | None,
        path: PathLike,
        layer: str | int | None = None,
        *,
        definition: str | None = None,
        statement: str | None = None,
        spatial_reference: SpatialReferenceLike | None = None,
        curve_tolerance: float = 0.0,
    ) -> None: ...
    @overload
    def __init__(
        self,
        path: PathLike,
        layer: str | int | None = None,
        *,
        definition: str | None = None,
        statement: str | None = None,
        spatial_reference: SpatialReferenceLike | None = None,
        curve_tolerance: float = 0.0,
    ) -> None: ...
    def __init__(  # type: ignore[misc]
        self,
        runtime: Runtime,
        path: PathLike,
        layer: str | int | None = None,
        *,
        definition: str | None = None,
        statement: str | None = None,
        spatial_reference: SpatialReferenceLike | None = None,
        curve_tolerance: float = 0.0,
    ) -> None:
        handle = _abi.ald_feature_source()
        name = encoded_path(path)
        options = source_options(layer, definition, statement, spatial_reference, curve_tolerance)
        try:
            check(library().ald_feature_source_open, runtime._handle, name, options, handle)
        except AlidadeError as error:
            raise feature_source_error(error, name) from None
        self._adopt(handle, runtime)

    def _adopt(self, handle: _abi.ald_feature_source, keeps: Handle, *, is_lent: bool = False) -> None:
        super().__init__(handle, keeps=keeps, is_lent=is_lent)
        info = _abi.ald_feature_source_info()
        check(library().ald_feature_source_get_info, handle, info)
        self._info = _source_info(info)
        self._fields = tuple(self._field(index) for index in range(info.field_count))

    @classmethod
    def _lent(cls, handle: _abi.ald_feature_source, owner: Handle) -> FeatureSource:
        source = cls.__new__(cls)
        source._adopt(handle, owner, is_lent=True)
        return source

    def _field(self, index: int) -> FeatureField:
        info = _abi.ald_field_info()
        check(library().ald_feature_source_get_field_at, self._handle, index, info)
        return feature_field(info)

    @runtime_first_of_class
    @classmethod
    def open_async(
        cls,
        runtime: Runtime,
        path: PathLike,
        layer: str | int | None = None,
        *,
        definition: str | None = None,
        statement: str | None = None,
        spatial_reference: SpatialReferenceLike | None = None,
        curve_tolerance: float = 0.0,
        on_done: Callable[[Request[FeatureSource]], Any] | None = None,
        replace_key: int = 0,
        keep_begun: bool = False,
    ) -> Request[FeatureSource]:
        """Opens a source without waiting. `result` of the request returns the source, or raises the error."""
        name = encoded_path(path)

        def take(request: Request[FeatureSource]) -> FeatureSource:
            handle = _abi.ald_feature_source()
            try:
                check(library().ald_request_take_feature_source, request._handle, handle)
            except AlidadeError as error:
                raise feature_source_error(error, name) from None
            source = cls.__new__(cls)
            source._adopt(handle, runtime)
            return source

        options = source_options(layer, definition, statement, spatial_reference, curve_tolerance)
        function = library().ald_feature_source_open_async
        return begin(runtime, function, (runtime._handle, name, options), take, on_done, replace_key, keep_begun)

    @property
    def info(self) -> FeatureSourceInfo:
        """The facts about the source, as they were when it was opened."""
        return self._info

    @property
    def fields(self) -> tuple[FeatureField, ...]:
        """The fields of the source, in the order of the file."""
        return self._fields

    @property
    def spatial_reference(self) -> SpatialReference | None:
        """The spatial reference of the source; None if it has no spatial reference that can be used."""
        return lent_spatial_reference(library().ald_feature_source_get_spatial_reference, self)

    @property
    def sublayers(self) -> tuple[Sublayer, ...]:
        """All layers of the file."""
        found = []
        for index in range(self._info.sublayer_count):
            name, has_geometry = ctypes.c_char_p(), ctypes.c_uint32()
            function = library().ald_feature_source_get_sublayer_at
            check(function, self._handle, index, ctypes.byref(name), ctypes.byref(has_geometry))
            found.append(Sublayer(decoded(name.value), bool(has_geometry.value)))
        return tuple(found)

    @property
    def warning(self) -> str:
        """A description of what is wrong with a source that can still be used; empty if nothing is wrong."""
        return with_python_names(copied(library().ald_feature_source_get_warning, self._handle, None))

    def query(
        self,
        *,
        where: str | None = None,
        envelope: Envelope | Sequence[float] | None = None,
        envelope_spatial_reference: SpatialReferenceLike | None = None,
        geometry: Geometry | None = None,
        ids: Iterable[int] | None = None,
        fields: Iterable[int | str] | None = None,
        with_geometry: bool = True,
        limit: int = 0,
        offset: int = 0,
        spatial_reference: SpatialReferenceLike | None = None,
    ) -> FeatureSet:
        """Reads features, in the file's order, each once.

        Args:
            where: a condition that features must meet in addition to the source's definition.
            envelope: a box that features must share a point with: x_min, y_min, x_max, y_max.
            envelope_spatial_reference: the spatial reference of the envelope; None: the source's. An envelope in
                another spatial reference selects the box around its image.
            geometry: a geometry that features must share a point with.
            ids: only features with these ids. An id that is not an integer is a TypeError.
            fields: the names or indexes of the fields to read; None: all.
            with_geometry: whether geometries are read.
            limit: the largest number of features to read; 0: all.
            offset: the number of features to skip first.
            spatial_reference: the spatial reference to which geometries are projected; None: they are not projected.
        """
        area = envelope, envelope_spatial_reference, geometry
        query, _keep = self._query(where, area, ids, fields, with_geometry, limit, offset, spatial_reference)
        handle = _abi.ald_feature_set()
        check(library().ald_feature_source_query, self._handle, query, handle)
        return FeatureSet(handle, self._root(), self._fields)

    def query_async(
        self,
        *,
        where: str | None = None,
        envelope: Envelope | Sequence[float] | None = None,
        envelope_spatial_reference: SpatialReferenceLike | None = None,
        geometry: Geometry | None = None,
        ids: Iterable[int] | None = None,
        fields: Iterable[int | str] | None = None,
        with_geometry: bool = True,
        limit: int = 0,
        offset: int = 0,
        spatial_reference: SpatialReferenceLike | None = None,
        on_done: Callable[[Request[FeatureSet]], Any] | None = None,
        replace_key: int = 0,
        keep_begun: bool = False,
    ) -> Request[FeatureSet]:
        """Reads features without waiting; see `query`."""
        area = envelope, envelope_spatial_reference, geometry
        query, _keep = self._query(where, area, ids, fields, with_geometry, limit, offset, spatial_reference)

        def take(request: Request[FeatureSet]) -> FeatureSet:
            handle = _abi.ald_feature_set()
            check(library().ald_request_take_feature_set, request._handle, handle)
            return FeatureSet(handle, self._root(), self._fields)

        function = library().ald_feature_source_query_async
        return begin(self._root(), function, (self._handle, query), take, on_done, replace_key, keep_begun)

    def count(
        self,
        *,
        where: str | None = None,
        envelope: Envelope | Sequence[float] | None = None,
        envelope_spatial_reference: SpatialReferenceLike | None = None,
        geometry: Geometry | None = None,
        ids: Iterable[int] | None = None,
    ) -> int:
        """Counts the features that a query selects, by reading them."""
        area = envelope, envelope_spatial_reference, geometry
        query, _keep = self._query(where, area, ids, None, True, 0, 0, None)
        count = ctypes.c_int64()
        check(library().ald_feature_source_query_count, self._handle, query, ctypes.byref(count))
        return count.value

    def _query(
        self,
        where: str | None,
        area: tuple[Envelope | Sequence[float] | None, SpatialReferenceLike | None, Geometry | None],
        ids: Iterable[int] | None,
        fields: Iterable[int | str] | None,
        with_geometry: bool,
        limit: int,
        offset: int,
        spatial_reference: SpatialReferenceLike | None,
    ) -> tuple[_abi.ald_feature_query, list[Any]]:
        """The struct for the library, and the objects that must live as long as the struct."""
        query = _abi.ald_feature_query()
        keeps: list[Any] = []
        flags = FeatureQueryFlags(0 if with_geometry else FeatureQueryFlags.WITHOUT_GEOMETRY)
        envelope, envelope_reference, geometry = area
        if where is not None:
            query.where = encoded(where)
        if envelope is not None:
            flags |= FeatureQueryFlags.HAS_ENVELOPE
            query.envelope = c_envelope(envelope)
        query.envelope_spatial_reference = optional_reference(envelope_reference)
        if geometry is not None:
            query.geometry = geometry._handle
        if ids is not None:
            flags |= FeatureQueryFlags.HAS_IDS
            numbers = int64s(ids, "ids")
            keeps.append(numbers)
            query.ids = ctypes.cast(arrays.address(numbers) or 0, type(query.ids))
            query.id_count = numbers.size
        if fields is not None:
            flags |= FeatureQueryFlags.HAS_FIELDS
            places = np.array([self._place(field) for field in fields], dtype=np.uint32)
            keeps.append(places)
            query.field_indexes = ctypes.cast(arrays.address(places) or 0, type(query.field_indexes))
            query.field_count = places.size
        query.flags = flags
        query.limit = uint64(limit, "limit")
        query.offset = uint64(offset, "offset")
        query.spatial_reference = optional_reference(spatial_reference)
        return query, keeps

    def _place(self, field: int | str) -> int:
        if not isinstance(field, str):
            return range(len(self._fields))[field]
        for index, known in enumerate(self._fields):
            if known.name == field:
                return index
        raise KeyError(field)

    def __iter__(self) -> Iterator[Feature]:
        """All features, with all fields."""
        return iter(self.query())

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The features for other libraries, with the coordinates as they are."""
        return self.query().__geo_interface__

    def _facts(self) -> str:
        return f"{self._info.layer_name!r} of {self._info.path!r}"


def source_options(
    layer: str | int | None,
    definition: str | None,
    statement: str | None,
    spatial_reference: SpatialReferenceLike | None,
    curve_tolerance: float,
) -> _abi.ald_feature_source_options:
    options = _abi.ald_feature_source_options(curve_tolerance=curve_tolerance)
    if isinstance(layer, str):
        options.layer_name = encoded(layer)
    elif layer is not None:
        options.fields = _abi.FeatureSourceFields.HAS_LAYER_INDEX
        options.layer_index = uint32(layer, "layer")
    if definition is not None:
        options.definition_expression = encoded(definition)
    if statement is not None:
        options.statement = encoded(statement)
    options.spatial_reference = optional_reference(spatial_reference)
    return options


def _source_info(info: _abi.ald_feature_source_info) -> FeatureSourceInfo:
    facts = FeatureSourceFacts(info.facts)
    box = info.extent
    extent = None if math.isnan(box.x_min) else Envelope(box.x_min, box.y_min, box.x_max, box.y_max)
    return FeatureSourceInfo(
        path=decoded(info.path),
        driver=decoded(info.driver),
        layer_name=decoded(info.layer_name),
        layer_index=None if info.layer_index == _abi.ALD_ALL else info.layer_index,
        sublayer_count=info.sublayer_count,
        definition=decoded(info.definition_expression),
        has_geometry=bool(facts & FeatureSourceFacts.HAS_GEOMETRY),
        geometry_kind=GeometryKind(info.geometry_kind) if info.geometry_kind else None,
        has_z=bool(facts & FeatureSourceFacts.HAS_Z),
        has_m=bool(facts & FeatureSourceFacts.HAS_M),
        has_curves=bool(facts & FeatureSourceFacts.HAS_CURVES),
        id_stability=IdStability(info.id_stability),
        finds_ids=bool(facts & FeatureSourceFacts.FINDS_IDS),
        feature_count=info.feature_count if facts & FeatureSourceFacts.HAS_COUNT else None,
        extent=extent,
    )
