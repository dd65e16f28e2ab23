"""Features of files and services: sources, fields, queries and indexes."""

from ._abi import FeatureFlags, FieldSubtype, FieldType, IdStability, IndexStatus, TimeZone
from ._base.calls import publish
from ._data.feature_field import FeatureField
from ._data.feature_index import NEAR_FEATURE, FeatureIndexInfo
from ._data.feature_set import AttributeColumn, DateTime, Feature, FeatureSet
from ._data.feature_source import FeatureSource, FeatureSourceInfo, Sublayer
from ._map.spatial_query import MatchSet

__all__ = [
    "AttributeColumn",
    "DateTime",
    "Feature",
    "FeatureField",
    "FeatureFlags",
    "FeatureIndexInfo",
    "FeatureSet",
    "FeatureSource",
    "FeatureSourceInfo",
    "FieldSubtype",
    "FieldType",
    "IdStability",
    "IndexStatus",
    "MatchSet",
    "NEAR_FEATURE",
    "Sublayer",
    "TimeZone",
]

publish(__name__, __all__)
