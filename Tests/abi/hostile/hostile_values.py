"""Valid values for the parameters and fields of the interface, by name: where the hostile host starts from.

Only what the header does not say is written down here: which number, text or array a name stands for. A name
that is not here stops the generator, so that a new function is not left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from header_model import Function, Header, HeaderError, Parameter

# Sizes that the generated program shares: see `PRELUDE` in hostile.py.
COUNT = "COUNT"

HANDLES = {
    "list": "here.transformation_list",
    "overlay": "here.graphics_overlay",
    "group": "here.group",
    "cutter": "here.line",
    "to": "here.raster_spatial_reference",
    "b": "here.raster_spatial_reference",
}

# The same for parameters of one function: overlays and matrices are not defined for the collection that is the geometry.
OPERANDS = {
    (function, name): "here.polygon"
    for function in [
        "ald_geometry_relate",
        "ald_geometry_matches",
        "ald_geometry_create_overlay",
        "ald_geometry_create_boundary",
        "ald_geometry_create_centroid",
        "ald_geometry_create_point_on_surface",
        "ald_geometry_minimum_clearance",
        "ald_geometry_create_offset_curve",
        "ald_geometry_create_cut",
        "ald_geometry_nearest",
    ]
    for name in ["geometry", "a", "b"]
}
# The transformation of the world lacks a grid, and could not be run.
OPERANDS |= {
    ("ald_spatial_reference_measure_displacement", name): "(ald_transformation){0}" for name in ["a", "b"]
}
OPERANDS |= {
    (function, "layer"): "here.group_member" for function in ["ald_group_layer_move_layer", "ald_group_layer_remove_layer"]
}
OPERANDS |= {
    (function, "geometry"): "here.line"
    for function in ["ald_geometry_create_merged_lines", "ald_geometry_create_enclosed_polygons"]
}
# A collection with a point has no mesh.
OPERANDS |= {("ald_engine_frame_create_geometry_mesh", "geometry"): "here.polygon"}
OPERANDS |= {
    (f"ald_engine_frame_create_geometry_array_mesh{ending}", "geometry_array"): "here.polygons"
    for ending in ["", "_async"]
}
# A layer that has a warning.
OPERANDS[("ald_layer_get_warning_at", "layer")] = "here.unplaced_layer"
OPERANDS[("ald_identify_result_get_evidence_at", "result")] = "here.graphic_result"

OPERANDS |= {
    (function, "layer"): "here.feature_layer"
    for function in [
        "ald_feature_layer_get_source",
        "ald_feature_layer_set_definition",
        "ald_feature_layer_get_definition",
        "ald_feature_layer_set_renderer",
        "ald_view_create_feature_drawing",
        "ald_view_why_not_feature",
        "ald_feature_layer_query",
        "ald_feature_layer_query_async",
    ]
}
OPERANDS |= {
    (function, name): "here.feature_layer"
    for function in ["ald_feature_layer_query_pairs", "ald_feature_layer_query_pairs_async"]
    for name in ["a", "b"]
}
# A collection is related to nothing but by points in common.
OPERANDS |= {
    (f"ald_{noun}_query{ending}", "geometry"): "here.polygon"
    for noun in ["feature_layer", "graphics_overlay"]
    for ending in ["", "_async"]
}

# What stands for a parameter in the tables below, where functions use one name for different things:
# (pattern of functions, parameter) -> the name in the tables.
ROLES = [
    (r"ald_map_add_bookmark", "name", "new_bookmark_name"),
    (r"ald_map_(find|remove)_bookmark", "name", "bookmark_name"),
    (r"ald_unit_find_by_name", "name", "unit_name"),
    (r"ald_unit_find_by_code", "code", "epsg_code"),
    (r"ald_graphics_overlay_find_attribute", "name", "attribute_name"),
    (r"ald_transformation_create_from_code", "code", "operation_code"),
    (r"ald_(layer|map)_[gs]et_property", "key", "property_key"),
    (r"ald_feature_.*", "path", "source_path"),
    (r"ald_geometry_create_from_wkt", "wkt", "geometry_wkt"),
    (r"ald_viewpoint_create_from_json", "json", "viewpoint_json"),
    (r"ald_layer_view_flags_get_text", "flags", "layer_view_flags"),
    (r"ald_prepared_geometry_.*", "flags", "test_flags"),
    (r"ald_geometry_get_validity", "flags", "validity_flags"),
    (r"ald_geometry_.*get_wkb", "flags", "wkb_flags"),
    (r"ald_graphics_overlay_get_graphic_ids", "flags", "list_flags"),
    (r"ald_spatial_reference_get_text", "format", "text_format"),
    (r"ald_transformation_get_text", "format", "operation_format"),
    (r"ald_(layer|map)_[gs]et_text", "kind", "text_kind"),
]


def role(function: str, parameter: str) -> str:
    """The name of a parameter in the tables."""
    return next((name for pattern, of, name in ROLES if of == parameter and re.fullmatch(pattern, function)), parameter)


# Parameters that are plain numbers.
NUMBERS = {
    "status": "ALD_STATUS_NOT_READY",
    "format": "ALD_REPORT_FORMAT_JSON",
    "timeout_ms": "0",
    "max_events": "CAPACITY",
    "budget_ms": "0",
    "line_number": "0",
    "wkb_size_bytes": "sizeof WKB",
    "wkbs_size_bytes": "sizeof WKBS",
    "wkb_flags": "ALD_WKB_EXTENDED",
    "missing_images": "ALD_MISSING_IMAGE_LEFT_OUT",
    "geometry_capacity": COUNT,
    "vertex_capacity": COUNT,
    "curve_type": "ALD_CURVE_TYPE_LOXODROME",
    "azimuth_deg": "30",
    "from_stride_bytes": "0",
    "origin_height": "30",
    "height_stride_bytes": "0",
    "vertex_stride_bytes": "0",
    "to_stride_bytes": "0",
    "measure_capacity": "CAPACITY",
    "search": "ALD_NEAREST_SEARCH_ON_BOUNDARY",
    "validity_flags": "ALD_VALIDITY_TOUCHING_RINGS",
    "method": "ALD_REPAIR_METHOD_STRUCTURE",
    "predicate": "ALD_PREDICATE_INTERSECTS",
    "test_flags": "ALD_TEST_SKIP_INVALID",
    "result_capacity": "CAPACITY",
    "distance": "2",
    "operation": "ALD_OVERLAY_OPERATION_UNION",
    "grid_size": "0.5",
    "max_deviation": "0.5",
    "tolerance": "0.5",
    "offset_capacity": "CAPACITY",
    "graphic_id": "1",
    "feature_id": "1",
    "element_index": "0",
    "feature_index": "0",
    "field_index": "0",
    "max_distance": "10",
    "max_count": "CAPACITY",
    "graphic_count": "1",
    "selected": "1",
    "list_flags": "0",
    "reference_scale": "25000",
    "opacity": "0.5",
    "min_scale": "1e7",
    "max_scale": "1000",
    "text_kind": "ALD_LAYER_TEXT_KIND_NAME",
    "layer_view_flags": "ALD_LAYER_VIEW_ACTIVE | ALD_LAYER_VIEW_WARNING",
    "id": "here.map.id",
    "code": "3857",
    "epsg_code": "9003",
    "text_format": "ALD_SPATIAL_REFERENCE_FORMAT_WKT1_GDAL",
    "unit": "ALD_UNIT_STATUTE_MILE",
    "from_unit": "ALD_UNIT_STATUTE_MILE",
    "to_unit": "ALD_UNIT_US_SURVEY_FOOT",
    "value": "1",
    "step_index": "1",
    "step_count": "1",
    "operation_format": "ALD_TRANSFORMATION_FORMAT_PROJ",
    "band": "1",
    "index": "0",
    "column": "0",
    "row": "0",
    "element_index": "0",
    "segments_per_edge": "4",
    "visible": "1",
    "max_results": "1",
    "flags": "ALD_CALLOUT_SHOW_WHILE_DRAGGING",
    "latitude_deg": "10",
    "longitude_deg": "20",
    "distance": "5",
    "distance_count": "1",
    "extrusion_m": "12",
    "extrusion_count": "1",
    "radius_count": "1",
    "quadrant_segments": "2",
    "vertices_per_circle": "9",
    "vertex_capacity": f"9 * {COUNT}",
    "scale": "50000",
    "rotation_deg": "45",
    "width_dip": "80",
    "max_width_dip": "60",
    "unit_system": "ALD_UNIT_SYSTEM_IMPERIAL",
    "height_dip": "60",
    "pixel_density": "2",
    "tolerance_dip": "3",
    "columns": "4",
    "rows": "3",
    "count": COUNT,
    "vertex_count": COUNT,
    "ring_count": "1",
    "stride_bytes": "0",
    "out_stride_bytes": "0",
    "row_stride_bytes": "0",
    "touch_id": "1",
    "phase": "ALD_TOUCH_PHASE_BEGAN",
    "time_s": "1",
    "notches": "1",
    "key": "ALD_KEY_LEFT",
    "seconds": "0.1",
    "curve": "ALD_ANIMATION_CURVE_EASE_IN_SINE",
    "fraction": "0.5",
    "offset": "0",
    "encoding": "ALD_ARROW_ENCODING_WKB",
    "frame_count": "ALD_ALL",
    "capacity": "CAPACITY",
    "capacity_bytes": "CAPACITY",
    "value_capacity": "CAPACITY",
    "field_capacity": "VALUES_SIZE / sizeof(double)",
    "pixels_size_bytes": "PIXELS_SIZE",
    "values_size_bytes": "VALUES_SIZE",
}

# Parameters that are structs by value.
STRUCTS = {
    "screen_point": "{VIEW_WIDTH_DIP / 2.0, VIEW_HEIGHT_DIP / 2.0}",
    "center": "{100000, 200000}",
    "location": "{100000, 200000}",
    "origin": "{100000, 200000}",
    "point": "{100000, 200000}",
    "envelope": "{100000, 200000, 110000, 205000}",
}

# What stands for a text whose name is not below. The valid call must succeed: a text that must be something fails there.
ANY_TEXT = '"any text"'
TEXTS = {
    "log": '"alidade-navigation 1\\nmap 1.0 40075016.68557849\\nadvance 0.1\\n"',
    "label": '"a label"',
    "property_key": '"key"',
    "bookmark_name": '"Home"',
    "new_bookmark_name": '"Work"',
    "viewpoint_json": '"{\\"scale\\":5000,\\"targetGeometry\\":{\\"x\\":1,\\"y\\":2}}"',
    "operation": '"+proj=axisswap +order=2,1"',
    "operation_code": '"1314"',
    "directory": '"/nonexistent"',
    "authority": '"EPSG"',
    "wkt": "WKT",
    "definition": '"EPSG:4326+5773"',
    "definition_expression": '"number > 1"',
    "unit_name": '"US survey feet"',
    "path": "here.path",
    "source_path": "here.source_path",
    "name": "here.attribute_name",
    "attribute_name": '"number"',
    "geometry_wkt": '"SRID=3857;POLYGON Z ((0 0 1, 4 0 2, 4 4 3, 0 0 1))"',
    "matrix_pattern": '"T*F**FFF2"',
    "geojson": '"{\\"type\\":\\"Point\\",\\"coordinates\\":[1,2]}"',
    "text": '"Text"',
}

# Arrays that the library reads: what gives a watched block of them.
INPUT_ARRAYS = {
    ("double", "from_xy"): f"give_points({COUNT}, 100000, 200000)",
    ("double", "to_xy"): f"give_points({COUNT}, 110000, 200000)",
    ("double", "azimuths_deg"): f"give_points({COUNT}, 30, 60)",
    ("double", "distances_m"): f"give_points({COUNT}, 1000, 2000)",
    ("double", "xy"): f"give_points({COUNT}, 100000, -200000)",
    ("float", "vertices"): f"give_block(BLOCK_INPUT, {COUNT} * LARGEST_STRIDE, NULL)",
    ("double", "map_xy"): f"give_points({COUNT}, 100000, 200000)",
    ("double", "screen_xy"): f"give_points({COUNT}, 10, 10)",
    ("double", "distances"): "give_block(BLOCK_INPUT, sizeof DISTANCES, DISTANCES)",
    ("double", "extrusions_m"): "give_block(BLOCK_INPUT, sizeof DISTANCES, DISTANCES)",
    ("double", "radii"): "give_block(BLOCK_INPUT, sizeof DISTANCES, DISTANCES)",
    ("double", "radii_m"): "give_block(BLOCK_INPUT, sizeof DISTANCES, DISTANCES)",
    ("uint8_t", "wkb"): "give_block(BLOCK_INPUT, sizeof WKB, WKB)",
    ("uint8_t", "wkbs"): "give_block(BLOCK_INPUT, sizeof WKBS, WKBS)",
    ("size_t", "byte_offsets"): "give_block(BLOCK_INPUT, sizeof BYTE_OFFSETS, BYTE_OFFSETS)",
    ("uint64_t", "graphic_ids"): "give_block(BLOCK_INPUT, sizeof GRAPHIC_IDS, GRAPHIC_IDS)",
    ("ald_transformation", "steps"): "give_block(BLOCK_INPUT, sizeof(ald_transformation), &here.transformation)",
    ("ald_geometry", "geometries"): f"give_geometries({COUNT})",
    ("ald_layer", "layers"): f"give_layers({COUNT})",
    ("size_t", "ring_starts"): "give_block(BLOCK_INPUT, sizeof RING_STARTS, RING_STARTS)",
    ("ald_cell_index", "indexes"): f"give_block(BLOCK_INPUT, {COUNT} * sizeof(ald_cell_index), CELL_INDEXES)",
}

# Arrays that the library writes, and whose size no argument says: how many bytes they have.
FIXED_ARRAYS = {
    ("char", "out_matrix"): "10",
}

# Arrays that the library writes: how many bytes they have.
OUTPUT_ARRAYS = {
    **FIXED_ARRAYS,
    ("double", "out_xy"): f"{COUNT} * LARGEST_STRIDE",
    ("double", "out_map_xy"): f"{COUNT} * LARGEST_STRIDE",
    ("double", "out_vertex_xy"): f"9 * {COUNT} * LARGEST_STRIDE",
    ("double", "out_screen_xy"): f"{COUNT} * LARGEST_STRIDE",
    ("double", "out_distances_m"): f"{COUNT} * sizeof(double)",
    ("double", "out_azimuths_deg"): f"{COUNT} * sizeof(double)",
    ("double", "out_end_azimuths_deg"): f"{COUNT} * sizeof(double)",
    ("double", "out_measures"): "CAPACITY * sizeof(double)",
    ("double", "out_values"): "VALUES_SIZE",
    ("double", "out_heights"): f"{COUNT} * LARGEST_STRIDE",
    ("float", "out_vertices"): f"9 * {COUNT} * LARGEST_STRIDE",
    ("double", "out_field"): "VALUES_SIZE",
    ("ald_point_status", "out_statuses"): f"{COUNT} * sizeof(ald_point_status)",
    ("ald_point_status", "out_geometry_statuses"): f"{COUNT} * sizeof(ald_point_status)",
    ("ald_cell", "out_cells"): f"{COUNT} * sizeof(ald_cell)",
    ("ald_band_value", "out_values"): "CAPACITY * sizeof(ald_band_value)",
    ("ald_profile_sample", "out_samples"): "CAPACITY * sizeof(ald_profile_sample)",
    ("ald_class_count", "out_classes"): "CAPACITY * sizeof(ald_class_count)",
    ("ald_point", "out_points"): "CAPACITY * sizeof(ald_point)",
    ("char", "buffer"): "CAPACITY",
    ("ald_test_result", "out_results"): "CAPACITY",
    ("uint8_t", "buffer"): "CAPACITY",
    ("size_t", "out_byte_offsets"): "CAPACITY * sizeof(size_t)",
    ("int64_t", "out_feature_ids"): "CAPACITY * sizeof(int64_t)",
    ("ald_nearest_feature", "out_features"): "CAPACITY * sizeof(ald_nearest_feature)",
    ("ald_event", "out_events"): "CAPACITY * sizeof(ald_event)",
    ("ald_layer_view_flags", "out_flags"): f"{COUNT} * sizeof(ald_layer_view_flags)",
    ("ald_layer_view_transition", "out_transitions"): "CAPACITY * sizeof(ald_layer_view_transition)",
    ("uint8_t", "out_pixels"): "PIXELS_SIZE",
    ("uint8_t", "out_verdicts"): "VALUES_SIZE / sizeof(double)",
    ("uint64_t", "out_graphic_ids"): "CAPACITY * sizeof(uint64_t)",
    ("uint32_t", "out_operations"): f"{COUNT} * sizeof(uint32_t)",
}

# The same for a parameter of one function: a wrong handle may be that of another geometry, whose vertices fit, too.
OUTPUT_ARRAYS_OF = {
    (function, "out_statuses"): f"9 * {COUNT} * sizeof(ald_point_status)"
    for function in ["ald_engine_frame_geometry_to_vertices", "ald_engine_frame_geometry_array_to_vertices"]
}

# Fields of structs that are read, where zero would leave other fields without meaning. In C, `s` is the struct.
FIELDS = {
    "ald_insets": "*s = (ald_insets){1, 2, 3, 4};",
    "ald_envelope": "*s = (ald_envelope){0, 0, 1000000, 1000000};",
    "ald_viewpoint": (
        "s->fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE | ALD_VIEWPOINT_HAS_ROTATION; "
        "s->center = (ald_point){100000, 200000}; s->spatial_reference = here.spatial_reference; "
        "s->scale = 50000; s->rotation_deg = 45;"
    ),
    "ald_constraints": (
        "s->flags = ALD_CONSTRAINTS_HAS_EXTENT | ALD_CONSTRAINTS_LOCK_ROTATION; s->min_scale = 1e7; s->max_scale = 100; "
        "s->max_extent = (ald_envelope){0, 0, 1000000, 1000000}; s->spatial_reference = here.spatial_reference; "
        "s->extent_rule = ALD_EXTENT_RULE_CENTER; s->rotation_deg = 45;"
    ),
    "ald_view_options": "s->width_dip = 64; s->height_dip = 48; s->pixel_density = 1;",
    "ald_screen_grid": (
        "s->left_dip = 1; s->top_dip = 1; s->width_dip = 32; s->height_dip = 24; s->columns = 8; s->rows = 6;"
    ),
    "ald_raster_window": (
        "s->left = 1; s->top = 1; s->width = 8; s->height = 6; s->columns = 8; s->rows = 6;"
    ),
    "ald_sampling_options": "s->interpolation = ALD_INTERPOLATION_CUBIC;",
    "ald_profile_options": (
        "s->kind = ALD_PROFILE_KIND_COUNT; s->interpolation = ALD_INTERPOLATION_BILINEAR; s->step = 1; s->sample_count = 9;"
    ),
    "ald_polygon_options": "s->rule = ALD_POLYGON_RULE_ALL_TOUCHED;",
    "ald_raster_open_options": "s->spatial_reference = here.spatial_reference;",
    "ald_raster_renderer": (
        "s->kind = ALD_RASTER_RENDERER_KIND_STRETCH; s->fields = ALD_RASTER_RENDERER_HAS_RANGE | "
        "ALD_RASTER_RENDERER_HAS_AZIMUTH | ALD_RASTER_RENDERER_HAS_ALTITUDE; s->bands[0] = 1; s->bands[1] = 1; "
        "s->bands[2] = 1; s->minimum = 0; s->maximum = 100; s->gamma = 1; s->azimuth_deg = 315; s->altitude_deg = 45; "
        "s->z_factor = 1;"
    ),
    "ald_feature_source_options": (
        "s->definition_expression = give_text(\"number > 1\"); s->spatial_reference = here.wgs84; s->curve_tolerance = 0.1;"
    ),
    "ald_feature_query": (
        "s->flags = ALD_FEATURE_QUERY_HAS_IDS | ALD_FEATURE_QUERY_HAS_FIELDS | ALD_FEATURE_QUERY_HAS_ENVELOPE; "
        "s->where = give_text(\"number > 1\"); s->envelope = (ald_envelope){-180, -90, 180, 90}; s->limit = 3; s->offset = 1; "
        "s->envelope_spatial_reference = here.wgs84; s->spatial_reference = here.spatial_reference;"
    ),
    "ald_runtime_options": "s->thread_count = 1; s->log_level = ALD_LOG_LEVEL_ERROR;",
    "ald_grid_directories": "",
    "ald_projection_options": "s->flags = ALD_PROJECT_STRICT | ALD_PROJECT_IGNORE_VERTICAL;",
    "ald_coordinates": "",
    "ald_projected_coordinates": "",
    "ald_wkt_options": "s->flags = ALD_WKT_HAS_DECIMALS; s->decimals = 3;",
    "ald_geodesic_buffer_options": (
        "s->unit = ALD_UNIT_KILOMETRE; s->maximum_deviation = 0.1; s->cap = ALD_BUFFER_CAP_FLAT; "
        "s->join = ALD_BUFFER_JOIN_MITRE; s->mitre_limit = 2;"
    ),
    "ald_geojson_options": "s->flags = ALD_GEOJSON_HAS_DECIMALS; s->decimals = 3;",
    "ald_geometry_columns": "",
    "ald_offset_options": "s->join = ALD_OFFSET_JOIN_MITRE; s->quadrant_segments = 8; s->mitre_limit = 2;",
    "ald_match_options": "",
    "ald_snap_options": "",
    "ald_measure_options": "",
    "ald_mesh_options": (
        "s->flags = ALD_MESH_BOTTOM; s->maximum_deviation_m = 50000; s->line_width_m = 5; s->mitre_limit = 2; "
        "s->quadrant_segments = 3; s->band = 1; s->metres_per_band_unit = 1; s->skirt_m = 10;"
    ),
    "ald_engine_frame_options": "s->axes = ALD_ENGINE_AXES_UNREAL; s->metres_per_unit = 0.01;",
    "ald_height_options": (
        "s->fields = ALD_HEIGHT_HAS_INTERPOLATION; s->interpolation = ALD_INTERPOLATION_CUBIC; s->band = 1; "
        "s->metres_per_band_unit = 0.3048; s->project_flags = ALD_PROJECT_STRICT;"
    ),
    "ald_geodesic_ellipse": (
        "s->center = (ald_point){100000, 200000}; s->semi_axis_1 = 2000; s->semi_axis_2 = 1000; s->axis_azimuth_deg = 30;"
    ),
    "ald_geodesic_sector": (
        "s->center = (ald_point){100000, 200000}; s->radius = 2000; s->start_azimuth_deg = 30; s->angle_deg = 60;"
    ),
    "ald_densify_options": "s->longest_segment = 100000;",
    "ald_transformation_list_options": "s->area_spatial_reference = here.spatial_reference;",
    "ald_displacement_options": "s->columns = 4; s->rows = 3;",
    "ald_request_options": "s->completion = completion; s->replace_key = 7;",
    "ald_policy": "s->flags = ALD_POLICY_ADD_DRIVERS; s->max_request_points = MAX_POINTS;",
    "ald_graphics_overlay_options": (
        "s->flags = ALD_GRAPHICS_OVERLAY_HAS_OPACITY; s->opacity = 0.5; s->min_scale = 1e7; s->max_scale = 1000; "
        "s->selection_color = (ald_rgba){255, 255, 0, 255}; s->undo_limit = 3;"
    ),
    "ald_graphic_columns": "",
    # Unique values: two classes of one attribute.
    "ald_graphics_renderer": "s->kind = ALD_GRAPHICS_RENDERER_KIND_UNIQUE_VALUE; s->symbol = SYMBOLS[0];",
    "ald_overlay_drawing_options": "s->flags = ALD_OVERLAY_DRAWING_KEEP_OUTSIDE;",
    "ald_identify_options": "",
    "ald_popup_definition": "s->title = \"{i}\"; s->text = \"{{}}\";",
    "ald_buffer_options": (
        "s->cap = ALD_BUFFER_CAP_SQUARE; s->join = ALD_BUFFER_JOIN_MITRE; s->quadrant_segments = 3; s->mitre_limit = 2; "
        "s->right_distance = 2;"
    ),
    "ald_gesture": "s->kind = ALD_GESTURE_KIND_TAP; s->scale_factor = 1;",
    "ald_animation_options": "s->curve = ALD_ANIMATION_CURVE_EASE_OUT_QUAD; s->duration_s = 1;",
    "ald_interaction_options": "s->zoom_factor = 3; s->snap_threshold_deg = 5;",
    "ald_magnifier_options": "s->factor = 3; s->width_dip = 20; s->height_dip = 10; s->lift_dip = 5;",
    "ald_callout_options": (
        "s->offset_dip = (ald_point){0, -5}; s->width_dip = 20; s->height_dip = 10; s->leader_length_dip = 4; "
        "s->leader_width_dip = 3; s->margin_dip = 2; s->placement = ALD_CALLOUT_PLACEMENT_BELOW;"
    ),
}


@dataclass(frozen=True)
class CountedArray:
    """A pointer in a struct, and the field that says how many elements it leads to (None: one of another struct)."""

    count: str | None
    # What gives a watched block of two valid elements.
    give: str
    # The largest count that the header allows; None if it names none. Then only small counts can be tried.
    limit: int | None = None
    # How many elements `give` gives, as the count field says it.
    elements: int = 2


COUNTED_ARRAYS = {
    ("ald_policy", "drivers"): CountedArray(
        "driver_count", "give_block(BLOCK_INPUT, sizeof DRIVERS, DRIVERS)", 10000
    ),
    ("ald_policy", "vsi_prefixes"): CountedArray(
        "vsi_prefix_count", "give_block(BLOCK_INPUT, sizeof VSI_PREFIXES, VSI_PREFIXES)", 10000
    ),
    ("ald_policy", "data_directories"): CountedArray(
        "data_directory_count", "give_block(BLOCK_INPUT, sizeof DATA_DIRECTORIES, DATA_DIRECTORIES)"
    ),
    ("ald_policy", "hosts"): CountedArray("host_count", "give_block(BLOCK_INPUT, sizeof HOSTS, HOSTS)", 10000),
    ("ald_grid_directories", "directories"): CountedArray(
        "directory_count", "give_block(BLOCK_INPUT, sizeof DATA_DIRECTORIES, DATA_DIRECTORIES)", 10000
    ),
    ("ald_transformation_list_options", "area"): CountedArray(
        "area_count", "give_block(BLOCK_INPUT, sizeof AREA, AREA)", 100000
    ),
    ("ald_identify_options", "area"): CountedArray(
        "area_count", "give_block(BLOCK_INPUT, sizeof AREA, AREA)", 100000
    ),
    ("ald_snap_options", "layers"): CountedArray(
        "layer_count", "give_block(BLOCK_INPUT, sizeof(ald_layer), &here.feature_layer)", elements=1
    ),
    ("ald_snap_options", "overlays"): CountedArray(
        "overlay_count", "give_block(BLOCK_INPUT, sizeof(ald_graphics_overlay), &here.shown_overlay)", elements=1
    ),
    ("ald_displacement_options", "area"): CountedArray(
        "area_count", "give_block(BLOCK_INPUT, sizeof DEGREES, DEGREES)", 100000
    ),
    # Two lines of two vertices.
    ("ald_geometry_columns", "kinds"): CountedArray(
        "geometry_count", "give_block(BLOCK_INPUT, sizeof KINDS, KINDS)", elements=1
    ),
    ("ald_geometry_columns", "geometry_flags"): CountedArray(
        "geometry_count", "give_block(BLOCK_INPUT, sizeof GEOMETRY_FLAGS, GEOMETRY_FLAGS)", elements=1
    ),
    ("ald_geometry_columns", "part_offsets"): CountedArray(
        "geometry_count", "give_block(BLOCK_INPUT, sizeof PART_OFFSETS, PART_OFFSETS)", elements=1
    ),
    ("ald_geometry_columns", "path_offsets"): CountedArray(
        "part_count", "give_block(BLOCK_INPUT, sizeof PATH_OFFSETS, PATH_OFFSETS)"
    ),
    ("ald_geometry_columns", "vertex_offsets"): CountedArray(
        "path_count", "give_block(BLOCK_INPUT, sizeof VERTEX_OFFSETS, VERTEX_OFFSETS)"
    ),
    ("ald_geometry_columns", "xy"): CountedArray(
        "vertex_count", "give_block(BLOCK_INPUT, sizeof VERTICES, VERTICES)", elements=4
    ),
    ("ald_geometry_columns", "z"): CountedArray(
        "vertex_count", "give_block(BLOCK_INPUT, sizeof HEIGHTS, HEIGHTS)", elements=4
    ),
    ("ald_geometry_columns", "m"): CountedArray(
        "vertex_count", "give_block(BLOCK_INPUT, sizeof HEIGHTS, HEIGHTS)", elements=4
    ),
    ("ald_feature_query", "ids"): CountedArray(
        "id_count", "give_block(BLOCK_INPUT, sizeof FEATURE_IDS, FEATURE_IDS)"
    ),
    ("ald_feature_query", "field_indexes"): CountedArray(
        "field_count", "give_block(BLOCK_INPUT, sizeof FIELD_INDEXES, FIELD_INDEXES)"
    ),
    ("ald_raster_renderer", "ramp"): CountedArray("ramp_count", "give_block(BLOCK_INPUT, sizeof RAMP, RAMP)", 65536),
    # Of one graphic.
    ("ald_graphic_columns", "z_indexes"): CountedArray(
        "graphic_count", "give_block(BLOCK_INPUT, sizeof Z_INDEXES, Z_INDEXES)", elements=1
    ),
    ("ald_graphic_columns", "graphic_flags"): CountedArray(
        "graphic_count", "give_block(BLOCK_INPUT, sizeof GRAPHIC_FLAGS, GRAPHIC_FLAGS)", elements=1
    ),
    ("ald_graphic_columns", "symbol_indexes"): CountedArray(
        "graphic_count", "give_block(BLOCK_INPUT, sizeof SYMBOL_INDEXES, SYMBOL_INDEXES)", elements=1
    ),
    ("ald_graphic_columns", "symbols"): CountedArray(
        "symbol_count", "give_block(BLOCK_INPUT, sizeof SYMBOLS, SYMBOLS)"
    ),
    ("ald_graphic_columns", "attributes"): CountedArray(
        "attribute_count", "give_block(BLOCK_INPUT, sizeof ATTRIBUTES, ATTRIBUTES)", 1000
    ),
    ("ald_graphics_renderer", "fields"): CountedArray(
        "field_count", "give_block(BLOCK_INPUT, sizeof FIELDS, FIELDS)", 8, elements=1
    ),
    ("ald_graphics_renderer", "symbols"): CountedArray(
        "class_count", "give_block(BLOCK_INPUT, sizeof SYMBOLS, SYMBOLS)", 65536
    ),
    ("ald_graphics_renderer", "values"): CountedArray(
        "value_count", "give_block(BLOCK_INPUT, sizeof GRAPHIC_VALUES, GRAPHIC_VALUES)", 524288
    ),
    ("ald_popup_definition", "fields"): CountedArray(
        "field_count", "give_block(BLOCK_INPUT, sizeof POPUP_FIELDS, POPUP_FIELDS)", 10000, elements=1
    ),
    ("ald_graphics_renderer", "upper_bounds"): CountedArray(
        "upper_bound_count", "give_block(BLOCK_INPUT, sizeof BOUNDS, BOUNDS)", 65536, elements=0
    ),
}
# Columns of coordinates: COUNT numbers, as far apart as the largest stride, 64 bytes, puts them.
COORDINATES = 5
_COLUMN = f"give_block({{}}, {COORDINATES} * 64, NULL)"
COUNTED_ARRAYS |= {
    ("ald_coordinates", name): CountedArray("count", _COLUMN.format("BLOCK_INPUT"), elements=COORDINATES)
    for name in "xyzt"
}
COUNTED_ARRAYS |= {
    ("ald_projected_coordinates", name): CountedArray(None, _COLUMN.format("BLOCK_OUTPUT")) for name in "xyz"
}


def valid_argument(function: Function, parameter: Parameter, header: Header) -> str:
    """A C expression that gives a valid value for a parameter."""
    ctype = parameter.type
    struct = header.structs.get(ctype.base)
    if ctype.pointers == 0:
        if struct is not None and struct.is_handle:
            given = OPERANDS.get((function.name, parameter.name))
            # Of two of a kind, spatial references differ.
            given = given or HANDLES.get(parameter.name if parameter.name != "b" or "spatial" in ctype.base else "")
            return given or f"here.{ctype.base.removeprefix('ald_')}"
        return f"({ctype.base}){STRUCTS[role(function.name, parameter.name)]}" if struct else _named(NUMBERS, function, parameter)
    if ctype.base == "ald_error":
        return "give_error()"
    if ctype.is_const and ctype.base == "char":
        return _output(ctype.pointers, ctype.base) if ctype.pointers == 2 else _text(function, parameter)
    if ctype.pointers != 1:
        raise HeaderError(f"{function.name}: no valid value is known for {ctype.spelling} {parameter.name}")
    key = (ctype.base, parameter.name)
    if ctype.base in header.foreign_structs:
        size = f"sizeof(struct {ctype.base})"
        return (f"give_block(BLOCK_INPUT, {size}, &here.arrow_{parameter.name})" if ctype.is_const
                else f"give_block(BLOCK_OUTPUT, {size}, NULL)")
    if ctype.is_const:
        return INPUT_ARRAYS[key] if key in INPUT_ARRAYS else _struct(function, parameter, header)
    if (function.name, parameter.name) in OUTPUT_ARRAYS_OF:
        return f"give_block(BLOCK_OUTPUT, {OUTPUT_ARRAYS_OF[function.name, parameter.name]}, NULL)"
    if key in OUTPUT_ARRAYS:
        return f"give_block(BLOCK_OUTPUT, {OUTPUT_ARRAYS[key]}, NULL)"
    if not parameter.name.startswith("out_"):
        raise HeaderError(f"{function.name}: {parameter.name} is written, but not named out_...")
    return _single_output(parameter, header)


def is_optional_handle(parameter: Parameter) -> bool:
    """Whether a handle that comes out may be null although the call succeeds."""
    return re.search(r"\b[Nn]ull\s+if\b", parameter.doc) is not None


def output_handle(parameter: Parameter) -> str:
    """A block for a handle that comes out."""
    role = "BLOCK_OUTPUT_OPTIONAL_HANDLE" if is_optional_handle(parameter) else "BLOCK_OUTPUT_HANDLE"
    return f"give_block({role}, sizeof({parameter.type.base}), NULL)"


def _single_output(parameter: Parameter, header: Header) -> str:
    """A block for one value."""
    base = parameter.type.base
    struct = header.structs.get(base)
    if struct is not None and struct.is_handle:
        return output_handle(parameter)
    if struct is not None and struct.has_struct_size:
        return f"give_block(BLOCK_OUTPUT, sizeof({base}), &(const {base}){header.init_macros[base]})"
    role = "BLOCK_OUTPUT_SIZE" if "buffer is too small" in parameter.doc else "BLOCK_OUTPUT"
    return f"give_block({role}, sizeof({base}), NULL)"


def _output(pointers: int, base: str) -> str:
    """A block for a pointer to a text of the library."""
    return f"give_block(BLOCK_OUTPUT, sizeof(const {base} {'*' * (pointers - 1)}), NULL)"


def _text(function: Function, parameter: Parameter) -> str:
    return f"give_text({TEXTS.get(role(function.name, parameter.name), ANY_TEXT)})"


def _struct(function: Function, parameter: Parameter, header: Header) -> str:
    """A struct that is read goes through the generated function that gives a valid one."""
    if parameter.type.base not in header.structs:
        raise HeaderError(f"{function.name}: no valid array is known for {parameter.type.spelling} {parameter.name}")
    return f"give_{parameter.type.base}()"


def _named(values: dict[str, str], function: Function, parameter: Parameter) -> str:
    name = role(function.name, parameter.name)
    if name not in values:
        raise HeaderError(
            f"{function.name}: no valid value is known for {parameter.type.spelling} {name}; add it to hostile_values.py"
        )
    return values[name]
