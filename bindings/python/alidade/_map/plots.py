"""Drawing of views and geometries with matplotlib, which is optional."""

from __future__ import annotations

import io
from itertools import groupby
from typing import TYPE_CHECKING, Any, Iterable

import numpy as np
import numpy.typing as npt

from .._abi import FillStyle, GeometryKind, LineStyle, MarkerStyle
from .._base.pictures import FloatArray, parts_of
from .symbol import Color, FillSymbol, LineSymbol, MarkerSymbol, Symbol

if TYPE_CHECKING:
    from .._geometry.geometry import Geometry
    from .layer import Layer
    from .overlay_drawing import OverlayDrawing
    from .view import View

# Strokes and gaps in widths of the line.
_DASHES: dict[LineStyle, Any] = {
    LineStyle.SOLID: "solid",
    LineStyle.DASH: (0, (4, 3)),
    LineStyle.DOT: (0, (1, 2)),
    LineStyle.DASH_DOT: (0, (4, 2, 1, 2)),
    LineStyle.DASH_DOT_DOT: (0, (4, 2, 1, 2, 1, 2)),
    LineStyle.NULL: "none",
}
_ANGLES = np.linspace(0, 2 * np.pi, 33)
# The shapes of markers in a box from -0.5 to 0.5, y down: paths, and whether they are filled.
_SHAPES: dict[MarkerStyle, tuple[list[list[tuple[float, float]]], bool]] = {
    MarkerStyle.CIRCLE: ([[(0.5 * float(np.cos(a)), 0.5 * float(np.sin(a))) for a in _ANGLES]], True),
    MarkerStyle.CROSS: ([[(-0.5, 0), (0.5, 0)], [(0, -0.5), (0, 0.5)]], False),
    MarkerStyle.DIAMOND: ([[(0, -0.5), (0.5, 0), (0, 0.5), (-0.5, 0), (0, -0.5)]], True),
    MarkerStyle.SQUARE: ([[(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5)]], True),
    MarkerStyle.TRIANGLE: ([[(0, -0.5), (0.5, 0.5), (-0.5, 0.5), (0, -0.5)]], True),
    MarkerStyle.X: ([[(-0.5, -0.5), (0.5, 0.5)], [(0.5, -0.5), (-0.5, 0.5)]], False),
}


def matplotlib() -> Any:
    """The package, if it is installed."""
    try:
        import matplotlib
    except ImportError as error:
        raise ImportError("plot() needs matplotlib: pip install alidade-map[plot]") from error
    return matplotlib


def new_axes(width_px: float, height_px: float) -> Any:
    """Axes that fill a new figure of this size."""
    matplotlib()
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(width_px / 100, height_px / 100), dpi=100)
    return figure.add_axes((0, 0, 1, 1))


def plot_view(view: View, axes: Any, layers: Iterable[Layer] | None = None) -> None:
    """Draws what a view shows, in screen coordinates; of its layers only those that are given, or all."""
    wanted = None if layers is None else set(layers)
    state = view.state
    axes.set_xlim(0, state.width_dip)
    axes.set_ylim(state.height_dip, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    painter = _Painter(axes, state.width_dip)
    for layer in (*view.map.basemap_layers, *view.map.layers):
        _plot_layer(view, layer, painter, wanted)
    drawing = view.overlay_drawing()
    painter.drawing(drawing, [overlay.opacity for overlay in drawing.overlays])


def png_of(view: View) -> bytes:
    """The picture of a view, with one pixel for each physical pixel."""
    matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    state = view.state
    dpi = 100 * (state.pixel_density or 1.0)
    figure = Figure(figsize=(state.width_dip / 100, state.height_dip / 100), dpi=dpi)
    FigureCanvasAgg(figure)
    plot_view(view, figure.add_axes((0, 0, 1, 1)))
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=dpi)
    return written.getvalue()


def plot_geometries(geometries: Iterable[Geometry], axes: Any, style: dict[str, Any]) -> Any:
    """Draws geometries in the plane of their coordinates."""
    matplotlib()
    from matplotlib.patches import PathPatch

    if axes is None:
        from matplotlib import pyplot

        axes = pyplot.figure().add_subplot()
    color = style.pop("color", "#1f77b4")
    for geometry in geometries:
        for kind, paths in parts_of(geometry):
            if kind in (GeometryKind.POINT, GeometryKind.MULTIPOINT):
                axes.scatter(*np.concatenate(paths).T, **{"color": color, **style})
                continue
            is_polygon = kind is GeometryKind.POLYGON
            own = {"facecolor": color, "alpha": 0.5} if is_polygon else {"edgecolor": color}
            axes.add_patch(PathPatch(_path(paths, is_polygon), fill=is_polygon, **{**own, **style}))
    axes.set_aspect("equal")
    axes.autoscale_view()
    return axes


def _plot_layer(view: View, layer: Layer, painter: _Painter, wanted: set[Layer] | None) -> None:
    from .feature_layer import FeatureLayer
    from .group_layer import GroupLayer
    from .raster_layer import RasterLayer

    info = layer.info
    if not info.is_shown:
        return
    if isinstance(layer, GroupLayer):
        for member in layer:
            _plot_layer(view, member, painter, wanted)
        return
    if wanted is not None and layer not in wanted:
        return
    layer.load()
    if isinstance(layer, RasterLayer):
        painter.picture(view.read_rgba(layer), view.state.height_dip)
    elif isinstance(layer, FeatureLayer) and layer.renderer is not None:
        drawing = view.feature_drawing(layer)
        painter.drawing(drawing, [info.effective_opacity] * len(drawing.overlays))


def _rgba(color: Color, opacity: float) -> tuple[float, ...]:
    red, green, blue, alpha = (*color, 255)[:4]
    return red / 255, green / 255, blue / 255, alpha / 255 * opacity


def _path(paths: list[FloatArray], is_polygon: bool) -> Any:
    """The paths in one, with shells and holes in opposite directions, as filling wants them."""
    from matplotlib.path import Path

    vertices, codes = [], []
    for index, path in enumerate(paths):
        if len(path) == 0:
            continue
        x, y = path[:, 0], path[:, 1]
        is_positive = float(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1])) > 0
        vertices.append(path[::-1] if is_polygon and is_positive != (index == 0) else path)
        code = np.full(len(path), Path.LINETO, dtype=np.uint8)
        code[0] = Path.MOVETO
        if is_polygon:
            code[-1] = Path.CLOSEPOLY
        codes.append(code)
    if not vertices:
        return Path(np.empty((0, 2)))
    return Path(np.concatenate(vertices), np.concatenate(codes))


class _Painter:
    """Draws onto axes whose coordinates are DIP, each thing above the one before it."""

    def __init__(self, axes: Any, width_dip: float) -> None:
        self._axes, self._width_dip = axes, width_dip
        # Widths of lines are in points of 1/72 inch.
        self._points_per_dip = axes.bbox.width / width_dip * 72 / axes.figure.dpi
        self._order = 1.0

    def picture(self, rgba: npt.NDArray[np.uint8], height_dip: float) -> None:
        """Pixels, whose alpha has the opacity of their layer."""
        extent = (0, self._width_dip, height_dip, 0)
        self._order += 1
        self._axes.imshow(rgba, extent=extent, interpolation="nearest", zorder=self._order)

    def drawing(self, drawing: OverlayDrawing, opacities: list[float]) -> None:
        for (overlay_index, symbol), items in groupby(drawing, key=lambda item: (item.overlay_index, item.symbol)):
            self._order += 1
            self._symbol(symbol, [part for item in items for part in item.parts], opacities[overlay_index])

    def _symbol(self, symbol: Symbol, parts: list[list[FloatArray]], opacity: float) -> None:
        if isinstance(symbol, MarkerSymbol):
            points = np.concatenate([path for part in parts for path in part])
            shapes, is_filled = _SHAPES[symbol.style]
            angle = np.radians(symbol.angle_deg)
            turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
            drawn = [
                np.array(shape) @ turn * symbol.size_dip + np.array(symbol.offset_dip) + point
                for point in points
                for shape in shapes
            ]
            line = symbol.outline
            if not is_filled:
                # The strokes have the marker's colour, and the outline's width.
                line = (
                    LineSymbol(symbol.color) if line is None else LineSymbol(symbol.color, line.width_dip, line.style)
                )
            self._paths(drawn, symbol.color if is_filled else None, line, opacity, is_simple=True)
        elif isinstance(symbol, FillSymbol):
            color = symbol.color if symbol.style is FillStyle.SOLID else None
            for part in parts:
                self._paths(part, color, symbol.outline, opacity)
        else:
            self._paths([path for part in parts for path in part], None, symbol, opacity)

    def _paths(
        self,
        paths: list[FloatArray],
        fill: Color | None,
        line: LineSymbol | None,
        opacity: float,
        *,
        is_simple: bool = False,
    ) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        path = _path(paths, fill is not None and not is_simple)
        if is_simple and paths:
            path = Path.make_compound_path(*(Path(shape) for shape in paths))
        self._axes.add_patch(
            PathPatch(
                path,
                facecolor="none" if fill is None else _rgba(fill, opacity),
                edgecolor="none" if line is None else _rgba(line.color, opacity),
                linewidth=0 if line is None else line.width_dip * self._points_per_dip,
                linestyle="solid" if line is None else _DASHES[line.style],
                zorder=self._order,
            )
        )
