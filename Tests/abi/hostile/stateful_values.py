"""What the stateful host knows of parameters and fields in addition to their types and comments: ranges and choices by
name.

Most ranges come from the comments ("1e-6 to 1e15", "At most 256"); here stands what they do not say, and between which
numbers something happens. What is neither here, nor in hostile_values.py, nor in its comment, stops the generator.
"""

from __future__ import annotations

# Between which numbers a double mostly lies, by its name; the rest are extremes. Checked in this order.
USUAL_RANGES = [
    (r"latitude_deg", (-90, 90)),
    (r"longitude_deg", (-180, 180)),
    (r"altitude_deg", (0, 90)),
    (r"_deg$", (-360, 360)),
    (r"scale$", (1e2, 1e8)),
    (r"pixel_density", (0.5, 4)),
    (r"^opacity$", (0, 1)),
    (r"tolerance_dip", (0, 30)),
    (r"^time_s$", (0, 100)),
    (r"notches", (-3, 3)),
    (r"scale_factor", (0.1, 10)),
    (r"zoom_factor", (1.1, 4)),
    (r"^part$", (0, 1)),
    (r"velocity", (-9000, 9000)),
    (r"^(left|top)_dip$", (-10, 100)),
    (r"inset|right_dip|bottom_dip", (0, 20)),
    (r"_dip$", (1, 2000)),
    (r"^(seconds|dt|.*_s)$", (0, 1)),
    (r"gamma", (0.1, 5)),
    (r"^(left|top)$", (-10, 100)),
    (r"^(width|height)$", (1, 64)),
    (r"^step$", (0.01, 1000)),
    (r"minimum|maximum", (-1000, 5000)),
    (r"z_factor", (0.1, 10)),
    (r"^distance$", (-20, 20)),
    (r"^longest_segment$", (1, 1e6)),
    (r"^origin_height$", (-100, 9000)),
    (r"^metres_per_(band_)?unit$", (0.01, 1)),
    (r"^(semi_axis_1|semi_axis_2|radius)$", (1e-3, 3e7)),
    (r"^angle_deg$", (-10, 370)),
    (r"maximum_deviation", (0.001, 1)),
]

# Ranges that a comment gives in other words, or that belong to the fields of a struct. None: any finite number.
RANGES = {
    "visible": (0, 1),
    "top_dip": (0, None),
    "right_dip": (0, None),
    "bottom_dip": (0, None),
    "left_dip": (0, None),
    "minimum": (None, None),
    "maximum": (None, None),
    "gamma": (0, None),
    "element_index": (0, None),
    "index": (0, None),
    "column": (0, None),
    "row": (0, None),
    "columns": (0, 65536),
    "rows": (0, 65536),
    "max_results": (0, None),
    "width": (0, 2**31),
    "height": (0, 2**31),
    "status": (0, 17),
    "distance": (None, None),
    "maximum_deviation": (0, None),
    "selected": (0, 1),
}

# Integers of which only some let something happen, or of which others would take too long or too much memory.
CHOICES = {
    "code": [3857, 3857, 4326, 4326, 27700, 32610, 32633, 2193, 3031, 3413, 5041, 4269, 2263, 2053, 5513, 4979, 4978,
             5703, 3395, 54030, 54009, 102100, 102003, 6933, 8857, 900913, 1, 0, -1, 99999, 2147483647],
    "epsg_code": [9001, 9002, 9003, 9102, 9106, 9122, 9107, 0, -1, 2147483647],
    "max_request_bytes": [0, 1, 1000, 1000000, 100000000],
    "max_request_points": [1, 100, 10000, 100000],
    # What happens must not depend on how fast it does.
    "max_request_ms": [0, 0, 600000],
    "thread_count": [0, 1, 2, 3, 16, 256, 257],
    "sample_count": [0, 2, 3, 10, 100, 1000, 100000, 2147483647, 4294967295],
    "graphic_id": [1, 1, 2, 2, 3, 4, 5, 7, 11, 0, -1],
    "stride_bytes": [0, 0, 0, 8, 24, 64, 7, -1],
    "timeout_ms": [0, 0, 1],
    "quadrant_segments": [0, 0, 0, 1, 2, 8, 33, 1000, 1048577, 4294967295],
    "vertices_per_circle": [0, 1, 2, 3, 4, 9, 33, 64, 1000, 1048577, 4294967295],
    # What is longer leads beyond the arrays.
    "xy_stride_bytes": [0, 0, 0, 16, 1],
    "z_stride_bytes": [0, 0, 0, 8, 1],
    "m_stride_bytes": [0, 0, 0, 8, 1],
    "budget_ms": [0, 0, 1],
    "touch_id": [0, 1, 2, 3, 4, -1],
    "phase": [1, 1, 2, 2, 2, 2, 3, 3, 4, -1],
    "offset": [0, 0, 0, 35, 1000000, -1],
    "frame_count": [1, 2, 4294967295, 0],
}

# How a log of a view over Web Mercator begins, in C.
LOG_HEAD = "alidade-navigation 1\\nmap 1.0 40075016.68557849\\n"

# Texts, by the name of the parameter or field.
TEXTS = {
    "log": [LOG_HEAD + "touch 1 1 10 10 0\\ntouch 2 1 90 90 0.1\\nadvance 0.1\\ntouch 3 1 90 90 0.2\\nadvance 9\\n",
            LOG_HEAD + "size 64 48 1 0 0 0 0\\nconstraints 1e6 100 - - - - 0 -\\nwheel -1000 1 1\\nadvance 0.3\\n",
            LOG_HEAD + "key 1\\nanimate 0 0 1e3 90 3 1 -\\nadvance 0.1\\nadvance 1e9\\n",
            LOG_HEAD + "gesture 8 2 1 1 2 0 0 0\\n", LOG_HEAD + "advance -1\\n", LOG_HEAD + "size 1 1 1 9 9 9 9\\n",
            "alidade-navigation 2\\n", ""],
    "where": ["number > 1", "name = 'Berlin'", "number IS NULL", "none = 1", "1) OR (1", ""],
    "definition_expression": ["number > 1", "height < 1e300", "none = 1", ";", ""],
    "statement": ["SELECT * FROM places", "SELECT name FROM places WHERE number > 1", "SELECT * FROM 'x'.y", "DROP TABLE x", ""],
    "layer_name": ["places", "none", ""],
    "authority": ["EPSG", "EPSG", "EPSG", "ESRI", "ESRI", "epsg", "OGC", "IAU_2015", "NKG", "NONE"],
    "name": ["Band 1", "Band 2", "band 1", "Band 1 category", "Value", "EVT_NAME", "Red", "none"],
    "definition": ["EPSG:3857", "EPSG:27700", "EPSG:7405", "EPSG:4979", "EPSG:4326+5773", "ESRI:102100", "CRS:84",
                   "EPSG:4978", "EPSG:5773", "EPSG:99999", "urn:ogc:def:crs:EPSG::2193", "WGS 84 / UTM zone 32N",
                   "Mercator", "", "+proj=utm +zone=32 +ellps=GRS80",
                   "+proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p=30 +ellps=GRS80",
                   "+proj=merc +y_0=1e17 +ellps=GRS80", "+proj=utm +zone=32 +ellps=GRS80 +to_meter=0.37",
                   "+proj=pipeline +step +proj=noop", "+init=epsg:4326", '{\\"type\\": 1}', 'GEOGCS[\\"x\\"]'],
    "operation": ["+proj=axisswap +order=2,1", "+proj=pipeline +step +proj=utm +zone=32 +ellps=GRS80",
                  "+proj=hgridshift +grids=none.tif", "EPSG:4326", "", "COORDINATEOPERATION[", "+proj=noop"],
    "operation_code": ["1314", "1314", "7710", "15948", "1241", "99999999", ""],
    "geometry_wkt": ["POINT (1 2)", "SRID=3857;POINT ZM (1 2 3 4)", "LINESTRING (170 0, 190 10, 1e300 0)",
                     "POLYGON ((0 0, 4 0, 4 4, 0 0))", "POLYGON ((170 0, 190 10, 190 0, 170 10, 170 0))",
                     "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0), EMPTY), EMPTY)", "MULTIPOINT (EMPTY, 1 2)",
                     "GEOMETRYCOLLECTION (POINT (1 2), GEOMETRYCOLLECTION (LINESTRING EMPTY))", "TIN EMPTY",
                     "SRID=900914;POINT (1 2)", "POINT (1", "POLYGON ((179 0, 181 0, 181 1, 179 1, 179 0))", ""],
    "attribute_name": ["i", "t", "none", ""],
    "geojson": ['{\\"type\\":\\"Point\\",\\"coordinates\\":[1,2,3]}', '{\\"type\\":\\"Feature\\",\\"geometry\\":null}',
                '{\\"type\\":\\"FeatureCollection\\",\\"features\\":[]}',
                '{\\"type\\":\\"LineString\\",\\"coordinates\\":[[1,2],[3,4]],\\"crs\\":null}',
                '{\\"type\\":\\"Polygon\\",\\"coordinates\\":[[[0,0],[9,0],[9,9],[0,0]]]}', "[", ""],
    "viewpoint_json": ['{\\"scale\\":5000,\\"rotation\\":30,\\"targetGeometry\\":{\\"x\\":1,\\"y\\":2,'
                       '\\"spatialReference\\":{\\"wkid\\":102100}}}',
                       '{\\"targetGeometry\\":{\\"rings\\":[[[0,0],[0,9],[9,9],[0,0]],[[1,2],[1,4],[3,4],[1,2]]]}}',
                       '{\\"targetGeometry\\":{\\"xmin\\":1,\\"ymin\\":2,\\"xmax\\":1e308,\\"ymax\\":4}}', "[]", "{}", "{",
                       '{\\"targetGeometry\\":{\\"x\\":1,\\"y\\":2,\\"spatialReference\\":{\\"wkid\\":0}}}'],
    "bookmark_name": ["Home", "Work", ""],
    "property_key": ["key", "other", ""],
    "new_bookmark_name": ["Home", "Work", "\u2302", ""],
    "directory": ["/nonexistent", "/", "/usr/share/proj", ""],
    "unit_name": ["metre", "US survey feet", "ha", "degree", "parsec", ""],
    "proj_directory": ["/nonexistent", "/"],
    "gdal_directory": ["/nonexistent", "/"],
}

# Texts that C functions of picks.c make.
MADE_TEXTS = {"wkt": "pick_wkt", "path": "pick_path", "source_path": "pick_source_path"}

# Numbers that are the id of a handle of any kind.
IDS = {"id"}

# Pointers of structs that come out which lead nowhere the comment names: the host knows the ramp that it gave, and
# heights and measures may be missing.
NOT_READ = {("ald_raster_renderer", "ramp"), ("ald_geometry_columns", "z"), ("ald_geometry_columns", "m"),
            ("ald_graphic_value", "text")}
# What a field has of these hangs on its type.
NOT_READ |= {("ald_attribute_value", name) for name in ["text", "integers", "reals", "texts", "bytes"]}
NOT_READ |= {("ald_attribute", name) for name in ["integers", "reals", "texts", "bytes"]}
NOT_READ |= {
    ("ald_attribute_column", name)
    for name in ["integers", "reals", "date_times", "offsets", "bytes", "texts"]
}

# Arrays whose size no comment names: (array, size).
SIZES = {("xy", "vertex_count")}

# Sizes and arrays that hang on others, and that C functions of picks.c make.
MADE_SIZES = {
    "graphic_count": "pick_graphic_count()",
    "ring_count": "pick_ring_count(vertex_count)",
    "wkb_size_bytes": "pick_wkb_size()",
    "distance_count": "pick_length_count(\"distance_count\")",
    "extrusion_count": "pick_length_count(\"extrusion_count\")",
    "radius_count": "pick_length_count(\"radius_count\")",
    "wkbs_size_bytes": "pick_wkbs_size()",
}
# The same for a parameter of one function, where others have another rule.
MADE_SIZES_OF = {
    # What comes out has a capacity of five points.
    ("ald_engine_frame_from_vertices", "count"): "random_below(6)",
    # Strides are long.
    ("ald_engine_frame_geometry_to_vertices", "vertex_capacity"): "random_below(100)",
    ("ald_engine_frame_geometry_array_to_vertices", "vertex_capacity"): "random_below(100)",
}
MADE_ARRAYS = {
    "vertices": "pick_vertices(count, vertex_stride_bytes)",
    "ring_starts": "pick_ring_starts(ring_count, vertex_count)",
    "graphic_ids": "pick_graphic_ids(graphic_count)",
    "wkb": "pick_wkb(wkb_size_bytes)",
    "distances": "pick_lengths(\"distances\", distance_count)",
    "extrusions_m": "pick_lengths(\"extrusions_m\", extrusion_count)",
    "radii": "pick_lengths(\"radii\", radius_count)",
    "radii_m": "pick_lengths(\"radii_m\", radius_count)",
    "wkbs": "pick_wkb(wkbs_size_bytes)",
    "byte_offsets": "pick_byte_offsets(count, wkbs_size_bytes)",
}

# The least that a stride may be, where it is not that of a point.
SMALLEST_STRIDES = {"vertex_stride_bytes": 12, "height_stride_bytes": 8}

# The kinds of points: points on the map, or on the screen.
SCREEN_POINTS = r"screen|_dip$"

# Output arrays whose size follows from a size of another array: (name, other parameter) -> C for the bytes.
FOLLOWING_SIZES = {
    # A verdict for each pixel of 4 bytes or value of 8 that fits.
    ("out_verdicts", "pixels_size_bytes"): "pixels_size_bytes / 4",
    ("out_verdicts", "values_size_bytes"): "values_size_bytes / 8",
    # Five points go in: see COORDINATES in hostile_values.py.
    ("out_statuses", "images"): "5 * sizeof(ald_point_status)",
    ("out_operations", "images"): "5 * sizeof(uint32_t)",
    ("out_statuses", "coordinates"): "5 * sizeof(ald_point_status)",
    ("out_verdicts", "coordinates"): "5",
    ("out_vertices", "coordinates"): "strided_size(5, vertex_stride_bytes, 12)",
    ("out_heights", "coordinates"): "strided_size(5, height_stride_bytes, 8)",
    ("out_vertices", "vertex_capacity"): "strided_size(vertex_capacity, vertex_stride_bytes, 12)",
}

# Numbers that a file or a host may have made infinite. Coordinates are not among them.
MAY_BE_INFINITE = {
    "ald_band_value": None,
    "ald_attribute": None,
    "ald_graphic_value": None,
    "ald_table_value": None,
    "ald_band_info": None,
    "ald_raster_renderer": None,
    # What an authority or a text says of a system.
    "ald_spatial_reference_info": None,
    "ald_raster_info": None,
    "ald_attribute_value": None,
    "ald_attribute_column": None,
    "ald_feature_source_info": None,
}

# How often functions come, by a pattern of their names; 100 is the rule.
WEIGHTS = [
    (r"^ald_runtime_(create|release)$", 2),
    (r"_release$", 25),
    (r"identify_layer$|attribute$", 200),
    # New objects cost much: files are opened, PROJ looks for operations.
    (r"^ald_spatial_reference_create", 40),
    (r"^ald_feature_source_(open|query|count|build)", 40),
    (r"^ald_raster_open$|initial_viewpoint|^ald_project|read_points|outline", 60),
    (r"^ald_(version|version_text|status_name)$", 5),
]
