"""What a notebook shows of objects: tables in HTML, and geometries in SVG."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from .._abi import GeometryKind

if TYPE_CHECKING:
    from .._geometry.geometry import Geometry

# The rows of a table, and the vertices of a picture, that are shown before the rest is left out and counted.
_MOST_ROWS = 60
_MOST_VERTICES = 200_000
_SIZE_PX = 300.0

FloatArray = npt.NDArray[np.float64]


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], count: int) -> str:
    """An HTML table with a title. Rows beyond a limit are counted and not shown."""
    cells = []
    for index, row in enumerate(rows):
        if index == _MOST_ROWS:
            cells.append(f'<tr><td colspan="{len(columns)}">{count - index} more rows</td></tr>')
            break
        cells.append("<tr>" + "".join(f"<td>{html.escape(_text(value))}</td>" for value in row) + "</tr>")
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    return (
        f"<table><caption>{html.escape(title)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(cells)}</tbody></table>"
    )


def metres(accuracy_m: float) -> str:
    return "unknown" if np.isnan(accuracy_m) else f"{accuracy_m:g} m"


def _text(value: Any) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def parts_of(geometry: Geometry) -> Iterator[tuple[GeometryKind, list[FloatArray]]]:
    """The kind and the paths of each part; the paths of a part of a polygon are the shell and then the holes."""
    if geometry.kind is GeometryKind.COLLECTION:
        for member in geometry.members:
            yield from parts_of(member)
        return
    kind, columns = geometry.kind, geometry.columns
    first, last = int(columns.part_offsets[0]), int(columns.part_offsets[-1])
    for part in range(first, last):
        paths = range(int(columns.path_offsets[part]), int(columns.path_offsets[part + 1]))
        yield kind, [columns.xy[columns.vertex_offsets[path] : columns.vertex_offsets[path + 1]] for path in paths]


def svg(geometries: Iterable[Geometry], envelope: Any, vertex_count: int) -> str | None:
    """A picture of geometries in the plane of their coordinates, y up. None: nothing to show, or too many vertices."""
    if envelope is None or vertex_count > _MOST_VERTICES:
        return None
    width, height = envelope.x_max - envelope.x_min, envelope.y_max - envelope.y_min
    scale = (_SIZE_PX - 20) / (max(width, height) or 1.0)
    shapes = []
    for geometry in geometries:
        for kind, paths in parts_of(geometry):
            lines = [
                (path - (envelope.x_min, envelope.y_max)) * (scale, -scale) + 10 for path in paths if len(path) > 0
            ]
            if kind in (GeometryKind.POINT, GeometryKind.MULTIPOINT):
                shapes += [f'<circle cx="{x:.2f}" cy="{y:.2f}" r="4"/>' for line in lines for x, y in line.tolist()]
                continue
            end = "Z" if kind is GeometryKind.POLYGON else ""
            drawn = " ".join("M" + " L".join(f"{x:.2f},{y:.2f}" for x, y in line.tolist()) + end for line in lines)
            fill = 'fill-opacity="0.4"' if end else 'fill="none"'
            shapes.append(f'<path {fill} d="{drawn}"/>')
    box = f"{width * scale + 20:.0f}", f"{height * scale + 20:.0f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{box[0]}" height="{box[1]}" viewBox="0 0 {box[0]} {box[1]}">'
        f'<g fill="#4a90d9" stroke="#1f4e79" stroke-width="1.5" fill-rule="evenodd">{"".join(shapes)}</g></svg>'
    )
