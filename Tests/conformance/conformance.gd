extends SceneTree
# Runs the table of cases in Godot 3: godot3-server --path PROJECT -s conformance.gd CASES ROOT, where the project has
# the add-on, and ROOT is the root of the repository, where the paths of the cases begin.
#
# Prints a line for each case that fails and, last, "N passed, N failed". The head of cases.tsv explains the operations.
# A real number is compared with a tolerance, everything else as a text. The completion of a request is the signal of
# the node AlidadeRuntime.

const Alidade = preload("res://addons/alidade/alidade.gdns")
const Enums = preload("res://addons/alidade/enumerations.gd")
const RuntimeNode = preload("res://addons/alidade/alidade_runtime.gd")

var api = Alidade.new()
var root_folder
# What the case uses.
var runtime
# The values of the case, and the error that ended it.
var found
var failure


func _init():
	var arguments = OS.get_cmdline_args()
	root_folder = arguments[-1]
	var table = File.new()
	if table.open(arguments[-2], File.READ) != OK:
		print("0 passed, 1 failed")
		quit(1)
		return
	var passed = 0
	var failed = 0
	for line in table.get_as_text().split("\n"):
		if not line or line.begins_with("#"):
			continue
		var cells = Array(line.split("\t"))
		var equals = cells.find("=")
		var expected = cells.slice(equals + 1, len(cells) - 1)
		run_case(cells[1], cells.slice(2, equals - 1) if equals > 2 else [])
		var holds = len(found) == len(expected)
		for index in len(found) if holds else 0:
			holds = holds and fits(found[index], expected[index])
		if holds:
			passed += 1
		else:
			failed += 1
			print("FAILED  ", cells[0], ": expected ", expected, ", found ", found)
	print("%d passed, %d failed" % [passed, failed])
	quit(0 if failed == 0 and passed > 0 else 1)


func run_case(name, arguments):
	found = []
	failure = null
	if not has_method("do_" + name):
		found = ["no such operation"]
		return
	runtime = api.runtime_create()
	callv("do_" + name, arguments)
	api.runtime_release(runtime)
	if failure:
		found = [failure.name, str(failure.argument), failure.message]


func fits(value, expected):
	if typeof(value) == TYPE_REAL:
		var cells = expected.split("~")
		if len(cells) != 2 or not (cells[0].is_valid_float() or cells[0] == "nan"):
			return false
		if cells[0] == "nan":
			return is_nan(value)
		return abs(value - number_of(cells[0])) <= number_of(cells[1])
	var text = str(value).replace("\n", "\\n") if str(value) else '""'
	if typeof(value) == TYPE_BOOL:
		text = "1" if value else "0"
	if len(expected) > 2 and expected.begins_with("*") and expected.ends_with("*"):
		return expected.substr(1, len(expected) - 2) in text
	return text == expected


# A result, or null after keeping why there is none. Operations go on with null: each call then fails, and the first
# failure counts.
func checked(result):
	if result == null and not failure:
		failure = api.get_error()
	return result


func done(status):
	if status != Enums.Status.OK and not failure:
		failure = api.get_error()


func put(values):
	if not failure:
		found += values


# Objects from arguments


func reference_of(definition):
	return null if definition == "-" else checked(api.spatial_reference_create(runtime, definition))


func geometry_of(wkt, reference = null):
	return checked(api.geometry_create_from_wkt(runtime, wkt, reference))


func unit_of(name):
	return 0 if name == "-" else checked(api.unit_find_by_name(name))


func measure_of(kind, name):
	return null if kind == "-" else {kind = int(kind), unit = unit_of(name)}


func file(path):
	return root_folder + "/" + path if path else path


func layer_of(path):
	if path.ends_with(".tif"):
		return checked(api.raster_layer_create_from_path(runtime, file(path)))
	return checked(api.feature_layer_create_from_path(runtime, file(path)))


# float(text) of GDScript cuts a number to 32 bits.
func number_of(text):
	return NAN if text == "nan" else parse_json(text)


func numbers_of(texts):
	var numbers = []
	for text in texts:
		numbers.append(number_of(text))
	return numbers


func view_of(longitude, latitude, scale, rotation, path = null, symbol = "-"):
	var map = checked(api.map_create(runtime, checked(api.spatial_reference_create_from_code(runtime, "EPSG", 3857))))
	if path != null:
		var layer = layer_of(path)
		if symbol != "-":
			var renderer = {symbol = {kind = int(symbol), color = {alpha = 255}, size_dip = 8}}
			done(api.feature_layer_set_renderer(layer, renderer))
		done(api.layer_load(layer))
		done(api.map_add_layer(map, layer))
	var view = checked(api.view_create(map, {width_dip = 800, height_dip = 600}))
	var fields = Enums.ViewpointFields
	var viewpoint = {fields = fields.CENTER | fields.SCALE | fields.ROTATION}
	viewpoint.center = [number_of(longitude), number_of(latitude)]
	viewpoint.spatial_reference = checked(api.spatial_reference_create_from_code(runtime, "EPSG", 4326))
	viewpoint.scale = number_of(scale)
	viewpoint.rotation_deg = number_of(rotation)
	done(api.view_set_viewpoint(view, viewpoint))
	return view


func features_of(path, where):
	var source = checked(api.feature_source_open(runtime, file(path)))
	return checked(api.feature_source_query(source, null if where == "-" else {where = where}))


# The operations


func do_unit(number, from, to):
	put([checked(api.unit_convert(number_of(number), unit_of(from), unit_of(to)))])


func do_reference(definition):
	var info = checked(api.spatial_reference_get_info(reference_of(definition)))
	if info:
		put([info.kind, info.name, info.authority, info.code, info.unit_name])
		put([info.metres_per_unit, info.semi_major_axis_m, info.inverse_flattening])


func do_project(source, target, a, b, c = null, d = null, e = null, f = null):
	var texts = [a, b, c, d, e, f]
	while texts[-1] == null:
		texts.pop_back()
	var numbers = numbers_of(texts)
	var projected = checked(api.spatial_reference_project_points(reference_of(source), reference_of(target), numbers))
	for index in len(projected.statuses) if projected else 0:
		put([projected.statuses[index]])
		if projected.statuses[index] == Enums.PointStatus.OK:
			put([projected.xy[2 * index], projected.xy[2 * index + 1]])


func do_geodesic(definition, x1, y1, x2, y2):
	var from = numbers_of([x1, y1])
	var to = numbers_of([x2, y2])
	var curve = Enums.CurveType.GEODESIC
	var path = checked(api.spatial_reference_geodesic_inverse(reference_of(definition), curve, from, to))
	if path:
		put([path.distances_m[0], path.azimuths_deg[0], path.end_azimuths_deg[0]])


func do_geometry(wkt):
	var geometry = geometry_of(wkt)
	var info = checked(api.geometry_get_info(geometry))
	if info:
		put([info.kind, info.flags, info.vertex_count])
		put([api.geometry_get_wkb(geometry, 0).hex_encode().to_upper(), api.geometry_get_wkt(geometry)])


func do_from_wkb(digits):
	var bytes = PoolByteArray()
	for index in range(0, len(digits) - 1, 2):
		bytes.append(("0x" + digits.substr(index, 2)).hex_to_int())
	put([checked(api.geometry_get_wkt(checked(api.geometry_create_from_wkb(runtime, bytes, null))))])


func do_area(definition, kind, name, wkt):
	put([checked(api.geometry_area(geometry_of(wkt, reference_of(definition)), measure_of(kind, name)))])


func do_lengths(definition, kind, name, a, b = null, c = null, d = null):
	var geometries = []
	var reference = reference_of(definition)
	for wkt in [a, b, c, d]:
		if wkt != null:
			geometries.append(geometry_of(wkt, reference))
	var array = checked(api.geometry_array_create_from_geometries(runtime, geometries))
	var lengths = checked(api.geometry_array_lengths(array, measure_of(kind, name)))
	put(lengths if lengths else [])


func do_distance(definition, kind, name, a, b):
	var reference = reference_of(definition)
	var measure = measure_of(kind, name)
	var distance = checked(api.geometry_distance(geometry_of(a, reference), geometry_of(b, reference), measure))
	if distance:
		put([distance.distance, distance.point_a.x, distance.point_a.y, distance.point_b.x, distance.point_b.y])


func do_relate(a, b):
	put([checked(api.geometry_relate(geometry_of(a), geometry_of(b)))])


func do_test(predicate, a, b):
	put([checked(api.geometry_test(geometry_of(a), geometry_of(b), int(predicate)))])


func do_buffer(definition, distance, name, segments, wkt):
	var options = {unit = unit_of(name), quadrant_segments = 0 if segments == "-" else int(segments)}
	var geometry = geometry_of(wkt, reference_of(definition))
	put([checked(api.geometry_area(checked(api.geometry_create_buffer(geometry, number_of(distance), options))))])


func do_geodesic_buffer(definition, distance, name, deviation, wkt):
	var options = {unit = unit_of(name), maximum_deviation = 0.0 if deviation == "-" else number_of(deviation)}
	var geometry = geometry_of(wkt, reference_of(definition))
	var made = checked(api.geometry_create_geodesic_buffer(geometry, number_of(distance), options))
	if made:
		put([checked(api.geometry_area(made.buffer, {kind = Enums.MeasureKind.GEODESIC}))])
		put([made.report.maximum_deviation_m, made.report.achieved_deviation_m <= made.report.maximum_deviation_m])


func do_transformations(source, target):
	var list = checked(api.transformation_list_create(reference_of(source), reference_of(target)))
	var count = checked(api.transformation_list_get_row_count(list))
	put([count])
	if count:
		var row = checked(api.transformation_list_get_row_at(list, 0))
		var info = checked(api.transformation_get_info(row.transformation))
		put([info.name, info.accuracy_m])


func do_raster(path):
	var raster = checked(api.raster_open(runtime, file(path)))
	var info = checked(api.raster_get_info(raster))
	if not info:
		return
	var band = checked(api.raster_get_band_info(raster, 1))
	var reference = checked(api.spatial_reference_get_info(checked(api.raster_get_spatial_reference(raster))))
	put([info.driver, info.width, info.height, info.band_count, reference.code])
	put([info.extent.x_min, info.extent.y_min, info.extent.x_max, info.extent.y_max, band.type])
	if band.facts & Enums.BandFacts.NODATA:
		put([band.nodata])


func do_cells(path, a, b, c = null, d = null, e = null, f = null, g = null, h = null):
	var texts = [a, b, c, d, e, f, g, h]
	while texts[-1] == null:
		texts.pop_back()
	var raster = checked(api.raster_open(runtime, file(path)))
	var degrees = checked(api.spatial_reference_create_from_code(runtime, "EPSG", 4326))
	var read = checked(api.raster_read_points(raster, degrees, numbers_of(texts)))
	for index in len(read.cells) if read else 0:
		var cell = read.cells[index]
		put([cell.verdict])
		if cell.verdict == Enums.CellVerdict.OUTSIDE:
			continue
		put([cell.column, cell.row])
		var band_count = len(read.values) / len(read.cells)
		for band in band_count:
			var value = read.values[index * band_count + band]
			put([value.integer if value.type == Enums.DataType.INT64 else value.value])


func do_features(path, where):
	var selected = features_of(path, where)
	var info = checked(api.feature_set_get_info(selected))
	if info:
		put([info.feature_count])
		var ids = checked(api.feature_set_get_columns(selected)).ids
		put(ids.slice(0, min(len(ids), 5) - 1) if ids else [])


func do_feature(path, where, field):
	var selected = features_of(path, where)
	var value = checked(api.feature_set_get_attribute(selected, 0, int(field)))
	if value == null:
		return
	var geometry = checked(api.geometry_array_create_geometry(api.feature_set_get_geometries(selected), 0))
	put([checked(api.geometry_get_wkt(geometry)), value.type, value.state == Enums.ValueState.PRESENT])
	if value.state != Enums.ValueState.PRESENT:
		return
	match value.type:
		Enums.FieldType.INTEGER:
			put([value.integer])
		Enums.FieldType.REAL:
			put([value.real])
		Enums.FieldType.TEXT:
			put([value.text])
		Enums.FieldType.TEXT_LIST:
			put(value.texts)
		Enums.FieldType.DATE_TIME:
			var time = value.date_time
			put([time.year, time.month, time.day, time.hour, time.minute, time.second])


func do_view(longitude, latitude, scale, rotation, screen_x, screen_y, map_x, map_y):
	var view = view_of(longitude, latitude, scale, rotation)
	var state = checked(api.view_get_state(view))
	if state:
		put([state.center.x, state.center.y, state.scale, state.rotation_deg, state.units_per_dip])
		put(checked(api.view_screen_to_map(view, numbers_of([screen_x, screen_y]))))
		put(checked(api.view_map_to_screen(view, numbers_of([map_x, map_y]))))


func put_identified(result, name):
	var info = checked(api.identify_result_get_info(result))
	if not info:
		return
	put([info.element_count])
	if not info.element_count:
		return
	var element = api.identify_result_get_element_at(result, 0)
	put([element.kind])
	if element.kind == Enums.ElementKind.RASTER_CELL:
		var cell = api.identify_result_get_cell_at(result, 0)
		put([cell.column, cell.row])
	else:
		put([element.id])
	var attribute = checked(api.identify_result_find_attribute(result, 0, name))
	if not attribute:
		return
	put([element.text, attribute.type])
	match attribute.type:
		Enums.AttributeType.INTEGER:
			put([attribute.integer])
		Enums.AttributeType.UNSIGNED:
			put([attribute.unsigned_integer])
		Enums.AttributeType.REAL:
			put([attribute.real])
		Enums.AttributeType.TEXT:
			put([attribute.text])


func do_identify(longitude, latitude, scale, rotation, x, y, path, symbol, tolerance, name):
	var view = view_of(longitude, latitude, scale, rotation, path, symbol)
	put_identified(checked(api.view_identify(view, [number_of(x), number_of(y)], number_of(tolerance))), name)


func do_identify_async(longitude, latitude, scale, rotation, x, y, path, symbol, tolerance, name):
	var node = RuntimeNode.new()
	api.runtime_release(runtime)
	runtime = node.get_handle()
	var view = view_of(longitude, latitude, scale, rotation, path, symbol)
	var point = [number_of(x), number_of(y)]
	var request = checked(api.view_identify_async(view, point, number_of(tolerance)))
	var calls = []
	node.begin_request(request, self, "complete", [calls, name])
	for attempt in 1000 if request else 0:
		node.poll()
		if calls:
			break
		OS.delay_msec(1)
	node.poll()
	put(calls[0] + [len(calls)] if calls else [])
	put(completed)
	node.free()


var completed = []


func complete(request, event, calls, name):
	var before = found
	found = []
	put_identified(checked(api.request_take_identify_result(request)), name)
	completed = found
	found = before
	calls.append([api.request_get_info(request).kind, event.request_state])


func do_snap(longitude, latitude, scale, rotation, x, y, path, symbol, tolerance, kinds):
	var view = view_of(longitude, latitude, scale, rotation, path, symbol)
	var snap = checked(api.view_snap(view, [number_of(x), number_of(y)], number_of(tolerance), {kinds = int(kinds)}))
	if not snap:
		return
	put([snap.kind])
	if snap.kind:
		put([snap.id, snap.map_point.x, snap.map_point.y, snap.screen_point.x, snap.screen_point.y, snap.distance_dip])


func do_layer_names(path, a, b = null, c = null):
	var map = checked(api.map_create(runtime))
	for name in [a, b, c]:
		if name != null:
			var layer = layer_of(path)
			done(api.layer_set_text(layer, Enums.LayerTextKind.NAME, name))
			done(api.map_add_layer(map, layer))
			api.layer_release(layer)
	for index in range(api.map_get_layer_count(map) - 1, -1, -1):
		put([checked(api.layer_get_text(api.map_get_layer_at(map, index), Enums.LayerTextKind.NAME))])


func do_released(wkt):
	var geometry = geometry_of(wkt)
	api.geometry_release(geometry)
	api.geometry_release(geometry)
	put([checked(api.geometry_get_wkt(geometry))])


func do_load(path):
	var layer = layer_of(path)
	var request = checked(api.layer_load_async(layer))
	var finished
	var loaded
	for attempt in 60000 if request else 0:
		if finished and loaded and loaded.load_status >= Enums.LoadStatus.LOADED:
			break
		for event in api.runtime_poll_events(runtime, 16):
			if event.kind == Enums.EventKind.LOAD_STATUS_CHANGED and event.layer == layer:
				loaded = event
			elif event.kind == Enums.EventKind.REQUEST_FINISHED and event.request == request:
				finished = event
		OS.delay_msec(1)
	put([finished.request_state, loaded.load_status, api.status_get_name(loaded.status)])
