"""Graphics overlays, symbols and renderers, and what a view has to draw."""

from ._abi import FillStyle, LineStyle, MarkerStyle, OverlayFailureReason
from ._base.calls import publish
from ._map.graphics_overlay import Graphic, GraphicsOverlay, GraphicsOverlayOptions
from ._map.overlay_drawing import (
    DrawnOverlay,
    OverlayColumns,
    OverlayCounts,
    OverlayDrawing,
    OverlayFailure,
    OverlayItem,
)
from ._map.symbol import ClassBreaksRenderer, FillSymbol, LineSymbol, MarkerSymbol, SimpleRenderer, UniqueValueRenderer

__all__ = [
    "ClassBreaksRenderer",
    "DrawnOverlay",
    "FillStyle",
    "FillSymbol",
    "Graphic",
    "GraphicsOverlay",
    "GraphicsOverlayOptions",
    "LineStyle",
    "LineSymbol",
    "MarkerStyle",
    "MarkerSymbol",
    "OverlayColumns",
    "OverlayCounts",
    "OverlayDrawing",
    "OverlayFailure",
    "OverlayFailureReason",
    "OverlayItem",
    "SimpleRenderer",
    "UniqueValueRenderer",
]

publish(__name__, __all__)
