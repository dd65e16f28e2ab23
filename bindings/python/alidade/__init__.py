"""Alidade: a headless, embeddable map interaction engine.

A runtime comes first; everything else hangs on it::

    import alidade

    with alidade.Runtime() as runtime:
        raster = alidade.Raster(runtime, "elevation.tif")
        layer = alidade.RasterLayer(raster)
        map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
        map.add_layer(layer)
        map.set_initial_viewpoint(latitude_deg=41.4, longitude_deg=-122.2, scale=200_000)
        view = alidade.View(map, width_dip=800, height_dip=600)
        for element in view.identify(layer, (400, 300)):
            print(element.text)

Any thread may call anything at any time; calls into the library let other Python threads run.
"""

from ._abi import (
    ALD_ALL as ALL,
    ALD_CALLOUT_DRAG_LIFT_DIP as CALLOUT_DRAG_LIFT_DIP,
    ALD_NO_OPERATION as NO_OPERATION,
    Answer,
    AttributeRole,
    AttributeType,
    BandFacts,
    BufferCap,
    BufferJoin,
    BufferSide,
    CalloutAction,
    CalloutLayoutFlags,
    CalloutPlacement,
    CalloutState,
    CameraClamps,
    CellVerdict,
    ColorRole,
    CurveType,
    DataType,
    ErrorDomain,
    ExtentRule,
    FillStyle,
    GeometryFlags,
    GeometryKind,
    GeoreferenceKind,
    GridFlags,
    Interpolation,
    LineStyle,
    LogLevel,
    MarkerStyle,
    MissingImageFlags,
    OverlayOperation,
    PointStatus,
    Predicate,
    ProjectionReceiptFlags,
    OverlayFailureReason,
    PointStatus,
    ProjectedEnvelopeFlags,
    ProjectionReceiptFlags,
    RasterRendererKind,
    RepairMethod,
    RequestKind,
    RequestState,
    SpatialReferenceFormat,
    SpatialReferenceKind,
    SpatialReferenceRelation,
    Status,
    TableColumnRole,
    TableColumnType,
    TransformationFlags,
    TransformationStepFlags,
    Unit,
    UnitKind,
    UnitSystem,
)
from ._arrays import BAND_VALUE, CELL, CLASS_COUNT, PROFILE_SAMPLE
from ._geometry_columns import GeometryColumns
from ._geometry_operations import Tested
from ._library import LibraryNotFoundError
from .callout import Callout, CalloutLayout, CalloutOptions
from .camera import CameraPlan, Constraints
from .displacement import Displacement, transformation_displacement
from .envelope import ProjectedEnvelope, project_envelope
from .errors import (
    AlidadeError,
    ForkedError,
    InvalidArgumentError,
    InvalidHandleError,
    InvalidStateError,
    LibraryMemoryError,
    LimitExceededError,
    MissingGridError,
    NotFoundError,
    NotReadyError,
    PolicyRefusedError,
    ProjectionFailedError,
    RasterNotFoundError,
    ReadFailedError,
    RequestCancelledError,
    UnsupportedError,
)
from .events import Event, LogEvent, LogLine, PumpReport, RequestFinished, TransformationChanged
from .geodesic_buffer import GeodesicBufferReport
from .geometry import Geometry, Validity
from .geometry_array import GeometryArray
from .geometry_projection import ProjectedGeometry, ProjectedGeometryArray
from .graphics_overlay import Graphic, GraphicsOverlay, GraphicsOverlayOptions
from .identify import Attribute, IdentifyElement, IdentifyResult
from .layer import RasterLayer, RasterRenderer
from .map import Map
from .overlay_drawing import (
    DrawnOverlay,
    OverlayColumns,
    OverlayCounts,
    OverlayDrawing,
    OverlayFailure,
    OverlayItem,
)
from .planar_buffer import fill_circles
from .planar_buffer_error import PlanarBufferError, planar_buffer_error
from .prepared_geometry import PreparedGeometry, TestedArray
from .projection import ProjectedCoordinates, ProjectionReceipt, UsedOperation, project_coordinates
from .raster import Cells, Raster
from .raster_analysis import PolygonStatistics, RasterWindow, Samples
from .raster_info import BandInfo, Envelope, RasterInfo, TableColumn
from .request import CompletionError, Request
from .runtime import LibraryVersions, Policy, Runtime, version
from .spatial_reference import (
    AreaOfUse,
    ProjectedPoints,
    ProjectionInfo,
    SpatialReference,
    SpatialReferenceInfo,
    VerticalPart,
)
from .symbol import (
    ClassBreaksRenderer,
    FillSymbol,
    LineSymbol,
    MarkerSymbol,
    SimpleRenderer,
    UniqueValueRenderer,
)
from .transformation import (
    GeographicBox,
    Grid,
    RankedTransformation,
    Transformation,
    TransformationList,
    TransformationStep,
)
from .units import UnitInfo, convert_unit, unit_info, unit_named, unit_with_code, units
from .view import View
from .view_reading import ScaleBar, ViewSnapshot
from .view_state import Insets, ScreenGrid, ViewState
from .viewpoint import Viewpoint

__all__ = [
    "ALL",
    "AlidadeError",
    "Answer",
    "AreaOfUse",
    "Attribute",
    "AttributeRole",
    "AttributeType",
    "BAND_VALUE",
    "BandFacts",
    "BandInfo",
    "BufferCap",
    "BufferJoin",
    "BufferSide",
    "CALLOUT_DRAG_LIFT_DIP",
    "CELL",
    "CLASS_COUNT",
    "Callout",
    "CalloutAction",
    "CalloutLayout",
    "CalloutLayoutFlags",
    "CalloutOptions",
    "CalloutPlacement",
    "CalloutState",
    "CameraClamps",
    "CameraPlan",
    "CellVerdict",
    "Cells",
    "ClassBreaksRenderer",
    "ColorRole",
    "CompletionError",
    "Constraints",
    "CurveType",
    "DataType",
    "Displacement",
    "DrawnOverlay",
    "Envelope",
    "ErrorDomain",
    "Event",
    "ExtentRule",
    "FillStyle",
    "FillSymbol",
    "ForkedError",
    "GeodesicBufferReport",
    "GeographicBox",
    "Geometry",
    "GeometryArray",
    "GeometryColumns",
    "GeometryFlags",
    "GeometryKind",
    "GeoreferenceKind",
    "Graphic",
    "GraphicsOverlay",
    "GraphicsOverlayOptions",
    "Grid",
    "GridFlags",
    "IdentifyElement",
    "IdentifyResult",
    "Insets",
    "Interpolation",
    "InvalidArgumentError",
    "InvalidHandleError",
    "InvalidStateError",
    "LibraryMemoryError",
    "LibraryNotFoundError",
    "LibraryVersions",
    "LimitExceededError",
    "LineStyle",
    "LineSymbol",
    "LogEvent",
    "LogLevel",
    "LogLine",
    "Map",
    "MarkerStyle",
    "MarkerSymbol",
    "MissingGridError",
    "MissingImageFlags",
    "NO_OPERATION",
    "NotFoundError",
    "NotReadyError",
    "OverlayColumns",
    "OverlayCounts",
    "OverlayDrawing",
    "OverlayFailure",
    "OverlayFailureReason",
    "OverlayItem",
    "OverlayOperation",
    "PROFILE_SAMPLE",
    "PlanarBufferError",
    "PointStatus",
    "Policy",
    "PolicyRefusedError",
    "PolygonStatistics",
    "Predicate",
    "PreparedGeometry",
    "ProjectedCoordinates",
    "ProjectedEnvelope",
    "ProjectedEnvelopeFlags",
    "ProjectedGeometry",
    "ProjectedGeometryArray",
    "ProjectedPoints",
    "ProjectionFailedError",
    "ProjectionInfo",
    "ProjectionReceipt",
    "ProjectionReceiptFlags",
    "PumpReport",
    "RankedTransformation",
    "Raster",
    "RasterInfo",
    "RasterLayer",
    "RasterNotFoundError",
    "RasterRenderer",
    "RasterRendererKind",
    "RasterWindow",
    "ReadFailedError",
    "RepairMethod",
    "Request",
    "RequestCancelledError",
    "RequestFinished",
    "RequestKind",
    "RequestState",
    "Runtime",
    "Samples",
    "ScaleBar",
    "ScreenGrid",
    "SimpleRenderer",
    "SpatialReference",
    "SpatialReferenceFormat",
    "SpatialReferenceInfo",
    "SpatialReferenceKind",
    "SpatialReferenceRelation",
    "Status",
    "TableColumn",
    "TableColumnRole",
    "TableColumnType",
    "Tested",
    "TestedArray",
    "Transformation",
    "TransformationChanged",
    "TransformationFlags",
    "TransformationList",
    "TransformationStep",
    "TransformationStepFlags",
    "UniqueValueRenderer",
    "Unit",
    "UnitInfo",
    "UnitKind",
    "UnitSystem",
    "UnsupportedError",
    "UsedOperation",
    "Validity",
    "VerticalPart",
    "View",
    "ViewSnapshot",
    "ViewState",
    "Viewpoint",
    "convert_unit",
    "fill_circles",
    "planar_buffer_error",
    "project_coordinates",
    "project_envelope",
    "transformation_displacement",
    "unit_info",
    "unit_named",
    "unit_with_code",
    "units",
    "version",
]
