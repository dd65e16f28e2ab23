"""Maps, views and viewpoints: what is looked at, and from where."""

from ._abi import CameraClampFlags
from ._base.calls import publish
from ._map.camera import CameraPlan, Constraints
from ._map.magnifier import Magnifier, MagnifierOptions, MagnifierState
from ._map.map import Map
from ._map.screen_picture import ScreenPicture
from ._map.view import View
from ._map.view_reading import ScaleBar, ViewSnapshot
from ._map.view_state import Insets, ScreenGrid, ViewState
from ._map.viewpoint import Viewpoint

__all__ = [
    "CameraClampFlags",
    "CameraPlan",
    "Constraints",
    "Insets",
    "Magnifier",
    "MagnifierOptions",
    "MagnifierState",
    "Map",
    "ScaleBar",
    "ScreenGrid",
    "ScreenPicture",
    "View",
    "ViewSnapshot",
    "ViewState",
    "Viewpoint",
]

publish(__name__, __all__)
