"""Layers, their loading, and their states in a view."""

from ._abi import (
    ExtentRule,
    LayerKind,
    LayerViewFlags,
    LayerWarningKind,
    LoadStatus,
    MissingImageFlags,
    RasterRendererKind,
)
from ._base.calls import publish
from ._base.loading import Loadable, LoadInfo
from ._map.feature_layer import FeatureLayer
from ._map.group_layer import GroupLayer
from ._map.layer import Layer, LayerInfo
from ._map.layer_loading import LayerWarning
from ._map.layer_view_state import FetchProgress, LayerViewState, LayerViewTransition, layer_view_state_text
from ._map.raster_layer import RasterLayer, RasterRenderer

__all__ = [
    "ExtentRule",
    "FeatureLayer",
    "FetchProgress",
    "GroupLayer",
    "Layer",
    "LayerInfo",
    "LayerKind",
    "LayerViewFlags",
    "LayerViewState",
    "LayerViewTransition",
    "LayerWarning",
    "LayerWarningKind",
    "LoadInfo",
    "LoadStatus",
    "Loadable",
    "MissingImageFlags",
    "RasterLayer",
    "RasterRenderer",
    "RasterRendererKind",
    "layer_view_state_text",
]

publish(__name__, __all__)
