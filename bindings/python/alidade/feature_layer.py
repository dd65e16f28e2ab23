"""Feature layers: sources of features in a map, drawn through a renderer."""

from __future__ import annotations

from . import _abi
from ._library import library
from .errors import check
from .feature_source import FeatureSource
from .layer_properties import Layer
from .symbol import Renderer, c_renderer


class FeatureLayer(Layer):
    """A layer that shows a source of features. It draws nothing until it has a renderer; see `View.feature_drawing`.

    The source's index begins to be built, if it has none.
    """

    def __init__(self, source: FeatureSource, renderer: Renderer | None = None) -> None:
        handle = _abi.ald_layer()
        check(library().ald_feature_layer_create, source._handle, handle)
        super().__init__(handle, keeps=source)
        self._source = source
        if renderer is not None:
            self.set_renderer(renderer)

    @property
    def source(self) -> FeatureSource:
        """The source that the layer shows."""
        return self._source

    def set_renderer(self, renderer: Renderer | None) -> None:
        """Sets how features are drawn; None: not at all. Renderers look at fields by their names."""
        given, keeps = c_renderer(renderer)
        check(library().ald_feature_layer_set_renderer, self._handle, given)
        del keeps
