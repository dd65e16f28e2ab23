"""Arrow arrays: geometries and features of other libraries in, and ours out, without a copy where that is possible.

Libraries that read Arrow take the objects as they are: `geopandas.GeoDataFrame.from_arrow(features)`,
`pyarrow.table(features)`, `polars.DataFrame(features)`, and DuckDB in its statements. None of them is needed here."""

from ._abi import ArrowEncoding
from ._base.calls import publish
from ._geometry.arrow import ArrowBatch, ArrowTableBatch

__all__ = [
    "ArrowBatch",
    "ArrowEncoding",
    "ArrowTableBatch",
]

publish(__name__, __all__)
