"""What other libraries call a geometry: GeoJSON-like mappings, which their objects have as `__geo_interface__`."""

from __future__ import annotations

import json
from typing import Any, Mapping, Union

Buffer = Union[bytes, bytearray, memoryview]


def geojson_text(geojson: str | Mapping[str, Any]) -> str:
    """The text of GeoJSON. Of a mapping only what is geometry: properties may hold what JSON cannot say."""
    return geojson if isinstance(geojson, str) else json.dumps(_bare(geojson), default=_plain)


def interface_text(thing: Any) -> str:
    """The text of what an object's `__geo_interface__`, or a mapping, says; its coordinates are in nothing known."""
    mapping = getattr(thing, "__geo_interface__", thing)
    if not isinstance(mapping, Mapping):
        raise TypeError(f"a {type(thing).__name__} has no __geo_interface__, and is no mapping")
    return json.dumps({"crs": None, **_bare(mapping)}, default=_plain)


def crs_of(thing: Any) -> Any:
    """The spatial reference that an object of another library states as its `crs`; None without one."""
    return getattr(thing, "crs", None) or getattr(thing, "spatial_reference", None)


def wkb_bytes(wkb: Buffer) -> bytes:
    """The bytes of anything that has some."""
    return wkb if isinstance(wkb, bytes) else memoryview(wkb).tobytes()


def _bare(mapping: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: mapping[name] for name in ("type", "coordinates", "crs") if name in mapping}
    # Shapely has rings of their own, which GeoJSON does not know.
    if kept.get("type") == "LinearRing":
        kept["type"] = "LineString"
    for name in ("features", "geometries"):
        if isinstance(mapping.get(name), (list, tuple)):
            kept[name] = [_bare(item) if isinstance(item, Mapping) else item for item in mapping[name]]
        elif name in mapping:
            kept[name] = mapping[name]
    if "geometry" in mapping:
        geometry = mapping["geometry"]
        kept["geometry"] = _bare(geometry) if isinstance(geometry, Mapping) else geometry
    return kept


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a {type(value).__name__} is no part of GeoJSON")
