"""Callouts: a text at a point of the map or at an identified element, laid out inside the view."""

from ._abi import (
    ALD_CALLOUT_DRAG_LIFT_DIP as CALLOUT_DRAG_LIFT_DIP,
    CalloutAction,
    CalloutLayoutFlags,
    CalloutPlacement,
    CalloutState,
)
from ._base.calls import publish
from ._map.callout import Callout, CalloutLayout, CalloutOptions

__all__ = [
    "CALLOUT_DRAG_LIFT_DIP",
    "Callout",
    "CalloutAction",
    "CalloutLayout",
    "CalloutLayoutFlags",
    "CalloutOptions",
    "CalloutPlacement",
    "CalloutState",
]

publish(__name__, __all__)
