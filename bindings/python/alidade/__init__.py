"""Alidade: a headless, embeddable map interaction engine.

Look at a raster on a map, and read what lies under a point of the screen:

>>> import alidade
>>> map = alidade.Map(3857)
>>> map.add_layer(alidade.RasterLayer(alidade.open(folder / "Shasta_Elevation.tif")))
>>> map.set_initial_location(latitude_deg=40.7624, longitude_deg=-122.1621, scale=72_000)
>>> view = alidade.View(map, width_dip=800, height_dip=600)
>>> for element in view.identify((400, 300)):
...     print(round(element["Band 1"], 2), element.cell.column, element.cell.row)
437.71 250 205

All objects belong to a runtime: to the one that a program gives first, or to `default_runtime`.

Any thread may call anything at any time; calls into the library let other Python threads run.
"""

from . import (
    _abi,
    arrow,
    callouts,
    coordinates,
    engine,
    errors,
    events,
    features,
    geometry,
    graphics,
    identify,
    layers,
    navigation,
    rasters,
    runtime,
    transformations,
    units,
    views,
)
from ._base.calls import publish
from ._map.opening import open
from .callouts import Callout
from .coordinates import Envelope, SpatialReference, project_coordinates
from .errors import AlidadeError, Status
from .events import Event
from .features import FeatureSet, FeatureSource
from .geometry import Geometry, GeometryArray, Predicate
from .graphics import FillSymbol, Graphic, GraphicsOverlay, LineSymbol, MarkerSymbol, SimpleRenderer
from .identify import IdentifyElement, IdentifyResult, Popup, PopupDefinition
from .layers import FeatureLayer, GroupLayer, Layer, RasterLayer, RasterRenderer
from .rasters import Raster
from .runtime import Policy, Request, Runtime, default_runtime, set_default_runtime, version
from .transformations import Transformation, TransformationList
from .units import Unit
from .views import Insets, Map, View, Viewpoint

# The version of the package. `version` returns that of the loaded library.
__version__ = f"{_abi.ALD_VERSION_MAJOR}.{_abi.ALD_VERSION_MINOR}.{_abi.ALD_VERSION_PATCH}"

# The names that most programs need. All others are in the modules.
__all__ = [
    "AlidadeError",
    "Callout",
    "Envelope",
    "Event",
    "FeatureLayer",
    "FeatureSet",
    "FeatureSource",
    "FillSymbol",
    "Geometry",
    "GeometryArray",
    "Graphic",
    "GraphicsOverlay",
    "GroupLayer",
    "IdentifyElement",
    "IdentifyResult",
    "Insets",
    "Layer",
    "LineSymbol",
    "Map",
    "MarkerSymbol",
    "Policy",
    "Popup",
    "PopupDefinition",
    "Predicate",
    "Raster",
    "RasterLayer",
    "RasterRenderer",
    "Request",
    "Runtime",
    "SimpleRenderer",
    "SpatialReference",
    "Status",
    "Transformation",
    "TransformationList",
    "Unit",
    "View",
    "Viewpoint",
    "arrow",
    "callouts",
    "coordinates",
    "default_runtime",
    "engine",
    "errors",
    "events",
    "features",
    "geometry",
    "graphics",
    "identify",
    "layers",
    "navigation",
    "open",
    "project_coordinates",
    "rasters",
    "runtime",
    "set_default_runtime",
    "transformations",
    "units",
    "version",
    "views",
]

publish(__name__, ["open"])
