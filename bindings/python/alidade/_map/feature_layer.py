"""Feature layers: layers that show a source of features through a renderer."""

from __future__ import annotations

from typing import Callable, ClassVar

from .. import _abi
from .._base.errors import AlidadeError, check, feature_source_error
from .._base.runtime import Runtime
from .._base.runtime_first import runtime_first_of_class
from .._base.text import PathLike, copied, encoded, encoded_path
from .._coordinates.spatial_reference import SpatialReferenceLike
from .._data.feature_source import FeatureSource, source_options
from .._library import library
from .layer import Layer
from .spatial_query import LayerQueries
from .symbol import Renderer, c_renderer


class FeatureLayer(LayerQueries, Layer):
    """A layer that shows a source of features. It draws nothing until it has a renderer; see `View.feature_drawing`.

    If the source has no index, building the index starts.
    """

    _file_error: ClassVar[Callable[[AlidadeError, bytes], AlidadeError]] = staticmethod(feature_source_error)

    def __init__(self, source: FeatureSource, renderer: Renderer | None = None) -> None:
        handle = _abi.ald_layer()
        check(library().ald_feature_layer_create, source._handle, handle)
        super().__init__(handle, keeps=source)
        if renderer is not None:
            self.renderer = renderer

    @runtime_first_of_class
    @classmethod
    def from_path(
        cls,
        runtime: Runtime,
        path: PathLike,
        layer: str | int | None = None,
        *,
        definition: str | None = None,
        statement: str | None = None,
        spatial_reference: SpatialReferenceLike | None = None,
        curve_tolerance: float = 0.0,
        renderer: Renderer | None = None,
    ) -> FeatureLayer:
        """Creates a layer that shows a file and is loaded later; see `load`. Accesses no file.

        The other arguments are as for FeatureSource.
        """
        handle = _abi.ald_layer()
        options = source_options(layer, definition, statement, spatial_reference, curve_tolerance)
        function = library().ald_feature_layer_create_from_path
        name = encoded_path(path)
        check(function, runtime._handle, name, options, handle)
        made = cls.__new__(cls)
        Layer.__init__(made, handle, keeps=runtime)
        made._path = name
        if renderer is not None:
            made.renderer = renderer
        return made

    @property
    def source(self) -> FeatureSource:
        """The source that the layer shows.

        :raises NotReadyError: the layer is not loaded.
        """
        handle = _abi.ald_feature_source()
        check(library().ald_feature_layer_get_source, self._handle, handle)
        return FeatureSource._lent(handle, self)

    @property
    def definition(self) -> str | None:
        """The condition that features must meet, as for FeatureSource; None: all features are shown.

        If you set it on a loaded layer, the layer stays loaded and shows a new source; `source` then returns the new
        source. A layer that is not loaded uses the condition when it is loaded.

        :raises InvalidArgumentError: the condition cannot be used; the message says where. Nothing changes.
        :raises ReadFailedError: the file can no longer be read, or has changed.
        """
        return copied(library().ald_feature_layer_get_definition, self._handle) or None

    @definition.setter
    def definition(self, definition: str | None) -> None:
        given = None if definition is None else encoded(definition)
        check(library().ald_feature_layer_set_definition, self._handle, given)

    @property
    def renderer(self) -> Renderer | None:
        """How features are drawn; None: they are not drawn. Renderers find fields by their names.

        :raises InvalidArgumentError: a number is out of range, or the bounds do not increase.
        """
        return self._renderer

    @renderer.setter
    def renderer(self, renderer: Renderer | None) -> None:
        given, keeps = c_renderer(renderer)
        check(library().ald_feature_layer_set_renderer, self._handle, given)
        del keeps
        self._renderer = renderer

    # The library does not return it. A map keeps its layers' objects, so that this is the renderer that was set.
    _renderer: Renderer | None = None

    def set_renderer(self, renderer: Renderer | None) -> None:
        """Sets `renderer`."""
        self.renderer = renderer
