"""What lies under a point of the screen, with the proof; snapping and popups."""

from ._abi import ALD_ALL as ALL, AttributeRole, AttributeType, ElementKind, HitZone, MissReasonFlags, SnapFlags
from ._base.calls import publish
from ._map.identify import (
    Attribute,
    IdentifyCell,
    IdentifyElement,
    IdentifyEvidence,
    IdentifyPart,
    IdentifyResult,
    WhyNot,
)
from ._map.popup import Popup, PopupDefinition, PopupField, PopupRow
from ._map.snap import Snap

__all__ = [
    "ALL",
    "Attribute",
    "AttributeRole",
    "AttributeType",
    "ElementKind",
    "HitZone",
    "IdentifyCell",
    "IdentifyElement",
    "IdentifyEvidence",
    "IdentifyPart",
    "IdentifyResult",
    "MissReasonFlags",
    "Popup",
    "PopupDefinition",
    "PopupField",
    "PopupRow",
    "Snap",
    "SnapFlags",
    "WhyNot",
]

publish(__name__, __all__)
