"""Writes the enumerations of the header that the Swift modules have too, each into the module that owns it."""

from __future__ import annotations

from dataclasses import dataclass, field

from header_model import Enumeration, Header, HeaderError
from swift_names import case_name, comment, escaped

_RAW_TYPES = {"int32_t": "Int32", "uint32_t": "UInt32", "uint8_t": "UInt8"}


@dataclass(frozen=True)
class Mirror:
    """How an enumeration of the header is called in Swift."""

    module: str
    # With the type around it, if it has one: RasterRenderer.Kind.
    name: str
    # What the values are stored in, if it is not what C stores them in.
    raw: str = ""
    # Enumerators that Swift says otherwise: nil for none, a property instead of a flag.
    omit: frozenset[str] = frozenset()
    # Cases that are called otherwise than C's enumerators.
    cases: dict[str, str] = field(default_factory=dict)
    # Another enumeration of the header that has the same cases and numbers.
    twin: str = ""


MIRRORS: dict[str, Mirror] = {
    "ald_status": Mirror("AlidadeBase", "Status"),
    "ald_error_domain": Mirror("AlidadeBase", "ErrorDomain"),
    "ald_request_kind": Mirror("AlidadeBase", "RequestKind"),
    "ald_request_state": Mirror("AlidadeBase", "RequestState"),
    "ald_log_level": Mirror("AlidadeBase", "LogLevel", omit=frozenset({"default"})),
    "ald_load_status": Mirror("AlidadeBase", "LoadStatus", cases={"failedToLoad": "failed"}),
    "ald_report_format": Mirror("AlidadeBase", "ReportFormat"),
    "ald_unit_kind": Mirror("AlidadeCoordinates", "UnitKind"),
    "ald_unit": Mirror("AlidadeCoordinates", "Unit", omit=frozenset({"none"})),
    "ald_spatial_reference_kind": Mirror("AlidadeCoordinates", "SpatialReferenceKind"),
    "ald_spatial_reference_format": Mirror(
        "AlidadeCoordinates",
        "SpatialReferenceFormat",
        cases={
            "wkt22019": "wkt2of2019",
            "wkt22015": "wkt2of2015",
            "wkt1Gdal": "wkt1GDAL",
            "wkt1Esri": "wkt1ESRI",
            "projjson": "projJSON",
        },
    ),
    "ald_spatial_reference_relation": Mirror("AlidadeCoordinates", "SpatialReferenceRelation"),
    "ald_transformation_format": Mirror("AlidadeCoordinates", "TransformationFormat", cases={"projjson": "projJSON"}),
    "ald_point_status": Mirror("AlidadeCoordinates", "PointStatus"),
    "ald_engine_frame_kind": Mirror("AlidadeCoordinates", "EngineFrameKind"),
    "ald_engine_axes": Mirror("AlidadeCoordinates", "EngineAxes", cases={"enu": "eastNorthUp"}),
    "ald_arrow_encoding": Mirror("AlidadeGeometry", "ArrowEncoding", cases={"wkb": "wkb", "geoarrow": "geoArrow"}),
    "ald_geometry_kind": Mirror("AlidadeGeometry", "GeometryKind"),
    "ald_geometry_flags": Mirror(
        "AlidadeGeometry", "GeometryFlags", raw="UInt8", omit=frozenset({"empty"}), cases={"multi": "isMulti"},
    ),
    "ald_curve_type": Mirror("AlidadeGeometry", "CurveType"),
    "ald_repair_method": Mirror(
        "AlidadeGeometry", "RepairMethod", cases={"structureKeepCollapsed": "structureKeepingCollapsed"},
    ),
    "ald_buffer_cap": Mirror("AlidadeGeometry", "BufferCap"),
    "ald_buffer_join": Mirror("AlidadeGeometry", "BufferJoin"),
    "ald_overlay_operation": Mirror("AlidadeGeometry", "OverlayOperation"),
    "ald_predicate": Mirror("AlidadeGeometry", "Predicate"),
    "ald_test_result": Mirror("AlidadeGeometry", "TestResult"),
    "ald_generalize_method": Mirror(
        "AlidadeGeometry", "GeneralizeMethod", cases={"preserveTopology": "preservingTopology"},
    ),
    "ald_offset_join": Mirror("AlidadeGeometry", "OffsetJoin"),
    "ald_data_type": Mirror("AlidadeData", "DataType"),
    "ald_color_role": Mirror("AlidadeData", "ColorRole"),
    "ald_cell_verdict": Mirror("AlidadeData", "CellVerdict"),
    "ald_georeference_kind": Mirror("AlidadeData", "GeoreferenceKind"),
    "ald_field_type": Mirror("AlidadeData", "FieldType"),
    "ald_field_subtype": Mirror("AlidadeData", "FieldSubtype"),
    "ald_value_state": Mirror("AlidadeData", "ValueState", raw="UInt8", cases={"present": "value"}),
    "ald_time_zone": Mirror("AlidadeData", "TimeZoneKind"),
    "ald_feature_flags": Mirror(
        "AlidadeData",
        "FeatureFlags",
        raw="UInt8",
        cases={
            "noGeometry": "hasNoGeometry",
            "unreadable": "isUnreadable",
            "notProjectable": "isNotProjectable",
        },
    ),
    "ald_id_stability": Mirror("AlidadeData", "IDStability"),
    "ald_match_kind": Mirror("AlidadeData", "MatchKind"),
    "ald_index_status": Mirror("AlidadeData", "IndexStatus"),
    "ald_interpolation": Mirror("AlidadeData", "Interpolation"),
    "ald_polygon_rule": Mirror("AlidadeData", "PolygonRule"),
    "ald_callout_placement": Mirror("AlidadeMap", "CalloutPlacement"),
    "ald_callout_action": Mirror("AlidadeMap", "CalloutAction"),
    "ald_callout_state": Mirror("AlidadeMap", "CalloutState"),
    "ald_camera_clamp_flags": Mirror("AlidadeMap", "CameraClamps"),
    "ald_touch_phase": Mirror("AlidadeMap", "TouchPhase"),
    "ald_gesture_kind": Mirror("AlidadeMap", "GestureKind", omit=frozenset({"none"})),
    "ald_gesture_phase": Mirror("AlidadeMap", "GesturePhase"),
    "ald_key": Mirror("AlidadeMap", "NavigationKey"),
    "ald_layer_view_flags": Mirror("AlidadeMap", "LayerViewFlags", raw="UInt8"),
    "ald_navigation_cause": Mirror("AlidadeMap", "NavigationCause", omit=frozenset({"none"})),
    "ald_animation_curve": Mirror("AlidadeMap", "AnimationCurve"),
    "ald_symbol_kind": Mirror("AlidadeMap", "SymbolKind"),
    "ald_marker_style": Mirror("AlidadeMap", "MarkerStyle"),
    "ald_line_style": Mirror("AlidadeMap", "LineStyle"),
    "ald_fill_style": Mirror("AlidadeMap", "FillStyle"),
    "ald_overlay_item_flags": Mirror(
        "AlidadeMap", "OverlayItemFlags", raw="UInt8", cases={"selected": "isSelected", "ballpark": "isBallpark"},
    ),
    "ald_overlay_failure_reason": Mirror("AlidadeMap", "OverlayFailureReason"),
    "ald_unit_system": Mirror("AlidadeMap", "UnitSystem"),
    "ald_buffer_side": Mirror("AlidadeGeometry", "PlanarBufferStyle.Side"),
    "ald_table_column_type": Mirror("AlidadeData", "AttributeTable.ColumnType"),
    "ald_table_column_role": Mirror("AlidadeData", "AttributeTable.ColumnRole"),
    "ald_raster_renderer_kind": Mirror("AlidadeMap", "RasterRenderer.Kind"),
    "ald_missing_image_flags": Mirror(
        "AlidadeGeometry",
        "MissingImages",
        cases={"leftOut": "areLeftOut", "emptiesGeometry": "emptyTheGeometry"},
    ),
    "ald_extent_rule": Mirror("AlidadeMap", "CameraConstraints.ExtentRule"),
    "ald_interaction_flags": Mirror("AlidadeMap", "InteractionOptions.Switches"),
    "ald_layer_kind": Mirror("AlidadeMap", "LayerKind"),
    "ald_layer_text_kind": Mirror("AlidadeMap", "HostTextKind", twin="ald_map_text_kind"),
    "ald_hit_zone": Mirror("AlidadeMap", "HitZone"),
    "ald_miss_reason_flags": Mirror("AlidadeMap", "MissReasons"),
    "ald_snap_flags": Mirror("AlidadeMap", "SnapKinds"),
    "ald_element_kind": Mirror("AlidadeMap", "IdentifyElement.Kind"),
    "ald_attribute_role": Mirror("AlidadeMap", "Attribute.Role"),
    "ald_graphics_renderer_kind": Mirror("AlidadeMap", "GraphicsRenderer.Kind"),
    "ald_layer_warning_kind": Mirror("AlidadeMap", "LayerWarning.Kind"),
}


def modules() -> list[str]:
    return list(dict.fromkeys(mirror.module for mirror in MIRRORS.values()))


def render(header: Header, module: str) -> str:
    """The enumerations of a module, in the order in which the header declares them."""
    unknown = set(MIRRORS) - set(header.enumerations)
    if unknown:
        raise HeaderError(f"the table of Swift enumerations has what the header does not declare: {sorted(unknown)}")
    parts = [
        _enumeration(enumeration, MIRRORS[enumeration.name], header)
        for enumeration in header.enumerations.values()
        if enumeration.name in MIRRORS and MIRRORS[enumeration.name].module == module
    ]
    return "\n\n".join(parts)


def constants(header: Header) -> str:
    """AlidadeABI: the enumerators that no Swift enumeration has, as numbers of the type that they have in C.

    Without this Swift would take the enumerators of an enum with a tag for a type of their own.
    """
    lines = []
    for enumeration in header.enumerations.values():
        mirror = MIRRORS.get(enumeration.name)
        for enumerator in enumeration.enumerators:
            if mirror is None or case_name(enumerator.name, enumeration) in mirror.omit:
                lines.append(f"let {enumerator.name}: {_RAW_TYPES[enumeration.storage]} = {enumerator.value}")
    return "\n".join(lines)


def _enumeration(enumeration: Enumeration, mirror: Mirror, header: Header) -> str:
    outer, _, name = mirror.name.rpartition(".")
    indent = 2 if outer else 0
    raw = mirror.raw or _RAW_TYPES[enumeration.storage]
    derived = {case_name(e.name, enumeration): e for e in enumeration.enumerators}
    if mirror.twin:
        twin = header.enumerations[mirror.twin]
        if {case_name(e.name, twin): e.value for e in twin.enumerators} != {c: e.value for c, e in derived.items()}:
            raise HeaderError(f"{enumeration.name} and {mirror.twin} differ, and Swift has one enumeration for both")
    missing = (mirror.omit | set(mirror.cases)) - set(derived)
    if missing:
        raise HeaderError(f"{enumeration.name} has no {sorted(missing)}, which the table of Swift enumerations names")
    lines = comment(enumeration.doc, indent)
    lines = lines or comment(f"The {enumeration.name.removeprefix('ald_').replace('_', ' ')} of C.", indent, of_c=True)
    pad = " " * indent
    if enumeration.is_flags:
        lines.append(f"{pad}public struct {name}: OptionSet, Sendable, Hashable {{")
        lines.append(f"{pad}  public var rawValue: {raw}")
        lines += [f"{pad}  public init(rawValue: {raw}) {{ self.rawValue = rawValue }}", ""]
    else:
        lines.append(f"{pad}public enum {name}: {raw}, Sendable, CaseIterable {{")
    for case, enumerator in derived.items():
        if case in mirror.omit:
            continue
        case = escaped(mirror.cases.get(case, case))
        lines += comment(enumerator.doc, indent + 2)
        declared = f"static let {case} = {name}(rawValue: {enumerator.value})"
        lines.append(pad + (f"  public {declared}" if enumeration.is_flags else f"  case {case} = {enumerator.value}"))
    lines.append(f"{pad}}}")
    return "\n".join([f"extension {outer} {{", *lines, "}"] if outer else lines)
