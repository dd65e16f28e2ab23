"""Feature layers: sources of features in a map, drawn through a renderer."""

from __future__ import annotations

from . import _abi
from ._library import library
from ._text import PathLike, copied, encoded, encoded_path
from .errors import check, feature_source_error
from .feature_source import FeatureSource, source_options
from .layer_properties import Layer
from .runtime import Runtime
from .spatial_reference import SpatialReference
from .symbol import Renderer, c_renderer


class FeatureLayer(Layer):
    """A layer that shows a source of features. It draws nothing until it has a renderer; see `View.feature_drawing`.

    The source's index begins to be built, if it has none.
    """

    _file_error = staticmethod(feature_source_error)

    def __init__(self, source: FeatureSource, renderer: Renderer | None = None) -> None:
        handle = _abi.ald_layer()
        check(library().ald_feature_layer_create, source._handle, handle)
        super().__init__(handle, keeps=source)
        if renderer is not None:
            self.set_renderer(renderer)

    @classmethod
    def from_path(
        cls,
        runtime: Runtime,
        path: PathLike,
        layer: str | int | None = None,
        *,
        definition: str | None = None,
        statement: str | None = None,
        spatial_reference: SpatialReference | None = None,
        curve_tolerance: float = 0.0,
        renderer: Renderer | None = None,
    ) -> FeatureLayer:
        """A layer of a file, not loaded yet: see `load`. Touches no file. The others are as for FeatureSource."""
        handle = _abi.ald_layer()
        options = source_options(layer, definition, statement, spatial_reference, curve_tolerance)
        function = library().ald_feature_layer_create_from_path
        name = encoded_path(path)
        check(function, runtime._handle, name, options, handle)
        made = cls.__new__(cls)
        Layer.__init__(made, handle, keeps=runtime)
        made._path = name
        if renderer is not None:
            made.set_renderer(renderer)
        return made

    @property
    def source(self) -> FeatureSource:
        """The source that the layer shows.

        :raises NotReadyError: the layer is not loaded.
        """
        handle = _abi.ald_feature_source()
        check(library().ald_feature_layer_source, self._handle, handle)
        return FeatureSource._lent(handle, self)

    @property
    def definition(self) -> str | None:
        """The condition that features must meet, as FeatureSource takes it; None: all are shown.

        A layer that is loaded shows another source when it is set, and stays loaded: `source` is another one from then
        on. One that is not loaded is loaded with it.

        :raises InvalidArgumentError: the condition cannot be used; the message says where. Nothing has changed.
        :raises ReadFailedError: the file cannot be read any more, or has changed.
        """
        return copied(library().ald_feature_layer_definition, self._handle) or None

    @definition.setter
    def definition(self, definition: str | None) -> None:
        given = None if definition is None else encoded(definition)
        check(library().ald_feature_layer_set_definition, self._handle, given)

    def set_renderer(self, renderer: Renderer | None) -> None:
        """Sets how features are drawn; None: not at all. Renderers look at fields by their names."""
        given, keeps = c_renderer(renderer)
        check(library().ald_feature_layer_set_renderer, self._handle, given)
        del keeps
