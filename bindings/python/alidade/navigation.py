"""Moving a view by gestures and animations."""

from ._abi import AnimationCurve, GestureKind, GesturePhase, InteractionFlags, TouchPhase
from ._base.calls import publish
from ._map.navigation import InteractionOptions, NavigationState, animation_curve_value

__all__ = [
    "AnimationCurve",
    "GestureKind",
    "GesturePhase",
    "InteractionFlags",
    "InteractionOptions",
    "NavigationState",
    "TouchPhase",
    "animation_curve_value",
]

publish(__name__, __all__)
