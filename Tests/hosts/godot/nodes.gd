extends SceneTree
# Uses the nodes of the add-on as a game does, without a screen: godot3-server --path PROJECT -s nodes.gd ROOT.
#
# Writes what it finds as lines of JSON, which nodes.py compares with GDAL and pyproj, and checks here what has no
# number: signals, errors, and nodes that are freed in any order. Prints, last, "N passed, N failed".

const Enums = preload("res://addons/alidade/enumerations.gd")
const SIZE = Vector2(800, 600)
const HEIGHTS = "examples/quickstart/data/Shasta_Elevation.tif"
const COLORS = "examples/quickstart/data/RGB.byte.tif"
const COUNTRIES = "examples/world_identify/data/countries.fgb"

var passed = 0
var failed = 0
var folder
# Every signal that was emitted: its name and its arguments.
var heard = []
# Of the first hit of the last identify.
var polygons = []


func _init():
	folder = OS.get_cmdline_args()[-1] + "/"
	yield(self, "idle_frame")
	for part in ["rasters", "features", "camera", "computations", "errors", "lifetimes"]:
		var state = call(part)
		if state is GDScriptFunctionState and state.is_valid():
			yield(state, "completed")
	print("%d passed, %d failed" % [passed, failed])
	quit(0 if failed == 0 else 1)


func check(holds, what):
	if holds:
		passed += 1
	else:
		failed += 1
		print("FAILED  ", what)


# Godot's own JSON has six decimals.
func json(value):
	match typeof(value):
		TYPE_REAL:
			return "%.12f" % value if abs(value) < 1e15 else "null"
		TYPE_ARRAY, TYPE_VECTOR2_ARRAY, TYPE_RAW_ARRAY:
			var texts = PoolStringArray()
			for item in value:
				texts.append(json(item))
			return "[" + texts.join(", ") + "]"
		TYPE_DICTIONARY:
			var texts = PoolStringArray()
			for key in value:
				texts.append(to_json(str(key)) + ": " + json(value[key]))
			return "{" + texts.join(", ") + "}"
		TYPE_VECTOR2:
			return json([value.x, value.y])
		TYPE_COLOR:
			return json([value.r8, value.g8, value.b8, value.a8])
	return to_json(value)


func write(label, value):
	print(json({label = label, value = value}))


# A runtime with a map and a view, as in a scene.
func scene():
	var made = {runtime = AlidadeRuntime.new(), map = AlidadeMap.new(), view = AlidadeMapView.new()}
	get_root().add_child(made.runtime)
	made.runtime.add_child(made.map)
	made.view.rect_size = SIZE
	get_root().add_child(made.view)
	made.view.set_map(made.map)
	heard = []
	for name in ["layer_loaded", "layer_failed"]:
		made.map.connect(name, self, "_hear_" + str(2 if name == "layer_failed" else 1), [name])
	for name in ["identify_completed", "identify_failed", "tapped", "picture_updated"]:
		made.view.connect(name, self, "_hear_2", [name])
	made.view.connect("identify_completed", self, "_keep_polygons", [made.view])
	made.view.connect("navigation_ended", self, "_hear_1", ["navigation_ended"])
	for name in ["view_ready", "navigation_began", "viewpoint_changed"]:
		made.view.connect(name, self, "_hear_0", [name])
	return made


func _keep_polygons(results, _screen_point, view):
	polygons = view.get_polygons(results[0]) if results else []


func _hear(name, arguments):
	heard.append([name, arguments])


func _hear_0(name):
	_hear(name, [])


func _hear_1(a, name):
	_hear(name, [a])


func _hear_2(a, b, name):
	_hear(name, [a, b])


func count(name):
	var found = 0
	for signal_of in heard:
		found += int(signal_of[0] == name)
	return found


func last(name):
	for index in range(len(heard) - 1, -1, -1):
		if heard[index][0] == name:
			return heard[index][1]
	return null


# Lets frames pass until a signal has been emitted so often, for 20 seconds at most.
func heard_often(name, times = 1):
	var began = OS.get_ticks_msec()
	yield(self, "idle_frame")
	while count(name) < times and OS.get_ticks_msec() - began < 20000:
		OS.delay_msec(2)
		yield(self, "idle_frame")
	check(count(name) >= times, "%s is emitted %d times, not %d" % [name, times, count(name)])


func frames(number):
	for index in number:
		yield(self, "idle_frame")


func end(made):
	for node in [made.view, made.map, made.runtime]:
		if is_instance_valid(node):
			node.free()


# The parts


func rasters():
	var made = scene()
	var heights = made.map.open_raster(folder + HEIGHTS)
	check(not made.map.is_layer_loaded(heights), "a layer loads by itself, later")
	made.view.set_viewpoint([-122.1621, 40.7624], 20000, 0, "EPSG:4326")
	yield(heard_often("layer_loaded"), "completed")
	check(last("layer_loaded") == [heights] and made.map.is_layer_loaded(heights), "the layer that has been loaded")
	check(count("view_ready") == 1, "view_ready is emitted once")
	write("extent", made.map.get_layer_extent(heights))
	for point in [Vector2(400, 300), Vector2(123.5, 456.25), Vector2(700, 50)]:
		var before = count("identify_completed")
		check(made.view.identify(point) != 0, "identify begins")
		yield(heard_often("identify_completed", before + 1), "completed")
		var results = last("identify_completed")[0]
		check(last("identify_completed")[1] == point, "the point of the question")
		check(made.view.get_polygons(results[0]) == [], "after the signal the result is gone")
		check(len(results) == 1 and results[0].kind == Enums.ElementKind.RASTER_CELL, "a cell")
		var hit = results[0]
		check(hit.layer == heights and "Band 1: " in hit.text and hit.attributes.has("Band 1"), "what it is: " + hit.text)
		var facts = {column = hit.column, row = hit.row, attribute = hit.attributes["Band 1"]}
		facts.value = hit.values[0].value
		facts.polygon = hit.polygon
		facts.ring = polygons[0].rings[0]
		facts.vectors = polygons[0].vectors[0]
		facts.origin = polygons[0].origin
		facts.screen = point
		write("cell", facts)
	write("camera", made.view.get_camera())
	# Of two questions at once the newer one is answered.
	heard = []
	made.view.identify(Vector2(10, 10))
	made.view.identify(Vector2(400, 300))
	yield(heard_often("identify_completed"), "completed")
	yield(frames(20), "completed")
	check(count("identify_completed") == 1 and last("identify_completed")[1] == Vector2(400, 300), "the newest question wins")
	made.view.identify(Vector2(4000, 3000))
	yield(heard_often("identify_completed", 2), "completed")
	check(last("identify_completed")[0] == [], "beside the raster there is nothing")
	check(made.map.set_layer_visible(heights, false) and made.map.set_layer_visible(heights, true), "hidden and shown")
	# The screen as a picture.
	var colors = made.map.open_raster(folder + COLORS)
	heard = []
	yield(heard_often("layer_loaded"), "completed")
	check(made.view.zoom_to(made.map.get_layer_extent(colors)), "zoom_to")
	var image = made.view.read_image(colors)
	check(image.get_size() == SIZE and image.get_format() == Image.FORMAT_RGBA8, "the size of the picture")
	image.lock()
	var pixels = []
	for y in range(5, 600, 97):
		for x in range(5, 800, 89):
			pixels.append([x, y, image.get_pixel(x, y)])
	write("pixels", {camera = made.view.get_camera(), pixels = pixels})
	var small = made.view.read_image(colors, {columns = 40, rows = 30, flags = Enums.ScreenGridFlags.OVERVIEWS})
	check(small.get_size() == Vector2(40, 30), "a smaller picture")
	# The view reads its own pictures meanwhile.
	for attempt in 400:
		if made.view.is_drawn():
			break
		OS.delay_msec(5)
		yield(self, "idle_frame")
	check(made.view.is_drawn() and count("picture_updated") > 0, "the view has its pictures")
	var shown = made.view._pictures[colors].texture.get_data()
	check(shown and shown.get_data() == image.get_data(), "they are those of read_image")
	check(made.map.remove_layer(colors) and not colors in made.map.layers, "remove_layer")
	yield(frames(5), "completed")
	check(not made.view._pictures.has(colors), "the picture goes with its layer")
	end(made)


func features():
	var made = scene()
	var black = {kind = Enums.SymbolKind.FILL, color = [0, 0, 0, 255]}
	var layer = made.map.open_features(folder + COUNTRIES, {symbol = black})
	made.map.api.layer_set_popup_definition(layer, {title = "{name}", text = "in {continent}"})
	made.view.set_viewpoint([-52, -10], 40e6, 0, "EPSG:4326")
	yield(heard_often("layer_loaded"), "completed")
	made.view.identify(SIZE / 2, 3)
	yield(heard_often("identify_completed"), "completed")
	var hit = last("identify_completed")[0][0]
	check(hit.kind == Enums.ElementKind.FEATURE and hit.layer == layer, "a feature")
	check(hit.title == "Brazil" and hit.popup == "in South America", "its popup: " + hit.title + ", " + hit.popup)
	write("country", {id = hit.id, attributes = hit.attributes, rings = len(polygons[0].rings)})
	write("country ring", polygons[0].rings[0])
	check(not made.map.is_raster_layer(layer), "the kind of a layer")
	end(made)


func camera():
	var made = scene()
	var view = made.view
	check(view.get_camera() == null, "without a viewpoint there is no camera")
	check(view.set_viewpoint([13.4, 52.5], 1000000, 30, "EPSG:4326"), "set_viewpoint")
	var state = view.get_camera()
	write("viewpoint", state)
	write("screen_to_map", view.screen_to_map(Vector2(123, 456)))
	write("map_to_screen", view.map_to_screen([1500000, 6900000]))
	var many = view.map_to_screen_array([[1500000, 6900000], [1490000, 6880000]])
	check(many is PoolVector2Array and many[0] == view.map_to_screen([1500000, 6900000]), "many points as for one")
	# What is under a finger stays under it.
	var under = view.screen_to_map(Vector2(300, 300))
	view.handle_touch(1, Enums.TouchPhase.BEGAN, Vector2(300, 300), 0.0)
	for step in range(1, 11):
		view.handle_touch(1, Enums.TouchPhase.MOVED, Vector2(300 + 12 * step, 300 - 4 * step), 0.1 * step)
	view.handle_touch(1, Enums.TouchPhase.MOVED, Vector2(420, 260), 2.0)
	view.handle_touch(1, Enums.TouchPhase.ENDED, Vector2(420, 260), 2.5)
	var now = view.map_to_screen(under)
	check(now.distance_to(Vector2(420, 260)) < 0.01, "a drag keeps what is under the finger: " + str(now))
	yield(heard_often("navigation_ended"), "completed")
	check(last("navigation_ended") == [false] and count("navigation_began") == 1, "the drag has its signals")
	check(count("viewpoint_changed") > 0, "viewpoint_changed")
	under = view.screen_to_map(Vector2(200, 100))
	var scale = view.get_camera().scale
	heard = []
	view.handle_wheel(Vector2(200, 100), 2)
	yield(heard_often("navigation_ended"), "completed")
	check(abs(view.get_camera().scale * 4 / scale - 1) < 1e-9, "two notches zoom in four times")
	check(view.map_to_screen(under).distance_to(Vector2(200, 100)) < 0.01, "the wheel keeps what is under the pointer")
	# Animations, to their end and interrupted.
	heard = []
	check(view.animate_to([10, 50], 500000, 90, "EPSG:4326", 0.2), "animate_to")
	yield(heard_often("navigation_ended"), "completed")
	check(last("navigation_ended") == [false], "an animation that came to its end")
	write("animated", view.get_camera())
	heard = []
	view.animate_to([0, 0], 1000000, 0, "EPSG:4326", 5.0)
	yield(frames(5), "completed")
	check(view.stop(), "stop")
	yield(heard_often("navigation_ended"), "completed")
	check(last("navigation_ended") == [true], "an animation that was interrupted")
	# Input as Godot gives it: two clicks with time between, far from each other.
	heard = []
	for position in [Vector2(250, 250), Vector2(500, 320)]:
		for is_pressed in [true, false]:
			var event = InputEventMouseButton.new()
			event.button_index = BUTTON_LEFT
			event.pressed = is_pressed
			event.position = position
			view._gui_input(event)
		var map_point = view.screen_to_map(position)
		for attempt in 60:
			OS.delay_msec(10)
			yield(self, "idle_frame")
		check(last("tapped") and last("tapped")[0] == position, "a click is a tap")
		var off = last("tapped")[1][0] - map_point[0] if last("tapped") else INF
		check(abs(off) < 1e-6, "with the point of the map under it")
	check(count("tapped") == 2, "each click is one tap")
	view.rect_size = Vector2(400, 300)
	yield(frames(2), "completed")
	check(view.get_camera().width_dip == 400 and view.get_camera().height_dip == 300, "the view has the size of its control")
	end(made)


func computations():
	var made = scene()
	var runtime = made.runtime
	var places = [[13.4, 52.5], [7.44, 46.95], [179.9, -16.5], [8.0, 85.0]]
	write("projected", runtime.project_points(places, "EPSG:4326", "EPSG:3857"))
	write("utm", runtime.project_points([9, 48, 10.5, 47.25], "EPSG:4326", "EPSG:32632"))
	var one = runtime.project_points(PoolVector2Array([Vector2(0.5, 0.25)]), "EPSG:4326", "EPSG:3857")
	var same = runtime.project_points([[0.5, 0.25]], "EPSG:4326", "EPSG:3857")
	check(one == same, "points as a PoolVector2Array")
	check(is_nan(runtime.project_points([[9, 48], [9, 95]], "EPSG:4326", "EPSG:32632")[2]), "a point without an image")
	var buffers = runtime.geodesic_buffers(places.slice(0, 1), 2500.0)
	check(len(buffers) == 2 and buffers[0].vectors[0] is PoolVector2Array, "a buffer for each point")
	write("buffers", buffers)
	check(len(runtime.geodesic_buffers(PoolVector2Array([Vector2(1, 2), Vector2(3, 4)]), 10.0)) == 2, "buffers of vectors")
	end(made)


# Why the last call of a node failed: its status, and whether its signal came.
func fails(node, result, nothing, status, part):
	check(result == nothing, "%s: gives %s" % [part, str(result)])
	check(node.last_error.get("status") == status, "%s: fails with %s" % [part, str(node.last_error)])
	check(part in node.last_error.get("message", ""), "the message names %s: %s" % [part, str(node.last_error)])
	node.last_error = {}


func errors():
	var made = scene()
	var statuses = Enums.Status
	var runtime = made.runtime
	# Files.
	var missing = made.map.open_raster("/no/such/file.tif")
	check(missing != 0, "a missing file is found out later")
	yield(heard_often("layer_failed"), "completed")
	check(last("layer_failed")[0] == missing, "layer_failed names the layer")
	fails(made.map, 0, 0, statuses.NOT_FOUND, "/no/such/file.tif")
	made.map.open_raster(folder + "README.md")
	yield(heard_often("layer_failed", 2), "completed")
	fails(made.map, 0, 0, statuses.READ_FAILED, "README.md")
	made.map.open_features("res://project.godot")
	yield(heard_often("layer_failed", 3), "completed")
	fails(made.map, 0, 0, statuses.READ_FAILED, "project.godot")
	check(count("layer_failed") == 3 and count("layer_loaded") == 0, "one signal for each")
	# Arguments.
	fails(made.map, made.map.open_raster(null), 0, statuses.INVALID_ARGUMENT, "path")
	fails(made.map, made.map.open_raster(""), 0, statuses.INVALID_ARGUMENT, "path")
	fails(made.map, made.map.open_raster(5), 0, statuses.INVALID_ARGUMENT, "must be a String, not int")
	fails(runtime, runtime.project_points([[1, 2]], "EPSG:4326", "EPSG:1"), null, statuses.NOT_FOUND, "EPSG:1")
	fails(runtime, runtime.project_points("here", "EPSG:4326", "EPSG:3857"), null, statuses.INVALID_ARGUMENT, "an array")
	fails(runtime, runtime.project_points([1, 2, 3], "EPSG:4326", "EPSG:3857"), null, statuses.INVALID_ARGUMENT, "3 numbers")
	fails(runtime, runtime.project_points([[1, "x"]], "EPSG:4326", "EPSG:3857"), null, statuses.INVALID_ARGUMENT, "a number")
	fails(runtime, runtime.geodesic_buffers([[8, 47]], NAN), null, statuses.INVALID_ARGUMENT, "distance")
	fails(made.view, made.view.identify(Vector2(1, 1)), 0, statuses.NOT_READY, "viewpoint")
	check(last("identify_failed")[1] == Vector2(1, 1), "identify_failed has the point")
	made.view.set_viewpoint([8, 47], 1000000, 0, "EPSG:4326")
	fails(made.view, made.view.identify(null), 0, statuses.INVALID_ARGUMENT, "screen_point")
	fails(made.view, made.view.identify("here"), 0, statuses.INVALID_ARGUMENT, "screen_point")
	fails(made.view, made.view.identify(Vector2(1, 1), -5), 0, statuses.INVALID_ARGUMENT, "tolerance")
	fails(made.view, made.view.screen_to_map(null), null, statuses.INVALID_ARGUMENT, "points of 2 numbers")
	fails(made.view, made.view.set_viewpoint([1, 2, 3]), false, statuses.INVALID_ARGUMENT, "more numbers")
	fails(made.view, made.view.set_viewpoint(null, -5.0), false, statuses.INVALID_ARGUMENT, "scale")
	check(not made.view.set_viewpoint([1, 2], 5000, 0, "EPSG:0"), "an unknown spatial reference")
	# Handles.
	fails(made.map, made.map.set_layer_opacity(0, 0.5), false, statuses.INVALID_HANDLE, "null")
	fails(made.map, made.map.set_layer_opacity(made.view.get_handle(), 0.5), false, statuses.INVALID_HANDLE, "layer")
	fails(made.map, made.map.set_layer_opacity(12345, 0.5), false, statuses.INVALID_HANDLE, "handle")
	made.map.remove_layer(missing)
	fails(made.map, made.map.set_layer_visible(missing, true), false, statuses.INVALID_HANDLE, "stale")
	fails(made.map, made.map.remove_layer(missing), false, statuses.INVALID_HANDLE, "stale")
	# The functions of the interface.
	var api = made.view.api
	check(api.view_set_scale(made.view.get_handle()) == statuses.INVALID_ARGUMENT, "a scale of 0, which was left out")
	var names = ["view_set_scale", "of 2 arguments"]
	check(api.view_set_scale(made.view.get_handle(), 5000, 7) == statuses.INVALID_ARGUMENT, "too many arguments")
	for part in names:
		check(part in api.get_error().message, "the message has %s: %s" % [part, api.get_error().message])
	check(api.view_create(made.map.get_handle(), {with_dip = 5}) == null, "a field that is not there")
	check("with_dip" in api.get_error().message and api.get_error().argument == 2, str(api.get_error()))
	check(api.view_create(made.map.get_handle(), 5) == null, "a number is no options")
	check(api.view_read_rgba(made.view.get_handle(), 0, {columns = 2.5}) == null, "2.5 columns")
	check("whole number" in api.get_error().message, str(api.get_error()))
	check(api.geometry_create_collection(runtime.get_handle(), [null, 5]) == null, "handles that are none")
	check(api.graphics_overlay_remove_graphics(0, "x") == statuses.INVALID_ARGUMENT, "a text is no array")
	# Arrays that do not fit together never reach the library.
	var degrees = runtime.get_spatial_reference("EPSG:4326")
	var line = {kind = 3, xy = [1, 2, 3, 4], part_offsets = [0, 1], path_offsets = [0, 1], vertex_offsets = [0, 2]}
	check(api.geometry_create(runtime.get_handle(), line, degrees) != null, "a line")
	line.xy_stride_bytes = 100000
	check(api.geometry_create(runtime.get_handle(), line, degrees) == null, "a stride of the host's")
	check("xy_stride_bytes" in api.get_error().message, str(api.get_error()))
	var few = [1]
	var three = [1, 2, 3]
	for columns in [{x = [], y = three}, {x = three, y = []}, {x = few, y = three}, {x = few, y = few, count = 9}]:
		check(api.spatial_reference_project_coordinates(degrees, degrees, null, columns) == null, str(columns))
		check("elements" in api.get_error().message, str(api.get_error()))
	var overlay = api.graphics_overlay_create(runtime.get_handle())
	var point = api.geometry_create_from_wkt(runtime.get_handle(), "POINT (1 2)", degrees)
	var points = api.geometry_array_create_from_geometries(runtime.get_handle(), [point, point, point])
	for integers in [[], [1], [1, 2]]:
		var attributes = {graphic_count = 3, attributes = [{name = "a", type = 1, integers = integers}]}
		check(api.graphics_overlay_add_graphics(overlay, points, attributes) == null, "attributes that are too few")
		check("graphics" in api.get_error().message, str(api.get_error()))
	check(api.raster_read_cells(0, Vector2(1, 2)) == null, "a Vector2 is no array of cells")
	check(api.unit_find_by_name("metre") != null and api.get_error().status == statuses.OK, "a call that works has no error")
	end(made)


func lifetimes():
	# Nodes without what they need.
	var alone = AlidadeMap.new()
	check(alone.open_raster(folder + HEIGHTS) == 0 and alone.get_handle() == 0, "a map without a runtime")
	var view = AlidadeMapView.new()
	check(view.get_handle() == 0 and view.identify(Vector2.ZERO) == 0, "a view without a map")
	view.free()
	alone.free()
	# Whatever is freed first, with work under way.
	for names in ["runtime map view", "map view runtime", "view runtime map", "map runtime view"]:
		var order = names.split(" ")
		var made = scene()
		var layer = made.map.open_raster(folder + HEIGHTS)
		made.view.set_viewpoint([-122.1621, 40.7624], 72000, 0, "EPSG:4326")
		yield(heard_often("layer_loaded"), "completed")
		made.map.open_raster(folder + COLORS)
		for name in order:
			if is_instance_valid(made.view):
				made.view.identify(Vector2(400, 300))
				made.view.animate_to(null, 5000, null, "", 1.0)
			if is_instance_valid(made.map):
				made.map.set_layer_opacity(layer, 0.5)
			if is_instance_valid(made[name]):
				made[name].free()
			yield(frames(3), "completed")
		check(true, "freed in the order " + str(order))
	# Objects go with their nodes.
	var made = scene()
	made.view.set_viewpoint([-122.1621, 40.7624], 72000, 0, "EPSG:4326")
	yield(frames(2), "completed")
	var before = made.runtime.api.runtime_get_handle_count(made.runtime.get_handle())
	for round_of in 5:
		var map = AlidadeMap.new()
		made.runtime.add_child(map)
		var other = AlidadeMapView.new()
		other.rect_size = SIZE
		get_root().add_child(other)
		other.set_map(map)
		other.set_viewpoint([-122.1621, 40.7624], 72000, 0, "EPSG:4326")
		var layer = map.open_raster(folder + HEIGHTS)
		for attempt in 200:
			if map.is_layer_loaded(layer) and other.is_drawn():
				break
			OS.delay_msec(2)
			yield(self, "idle_frame")
		other.identify(Vector2(400, 300))
		yield(frames(round_of + 1), "completed")
		other.free()
		map.free()
		for attempt in 50:
			OS.delay_msec(2)
			yield(self, "idle_frame")
	var after = made.runtime.api.runtime_get_handle_count(made.runtime.get_handle())
	check(after == before, "what nodes create goes with them: %d handles before, %d after" % [before, after])
	# A slot that ends everything.
	made.map.connect("layer_loaded", self, "_end_all", [made])
	made.map.open_raster(folder + HEIGHTS)
	for attempt in 200:
		if not is_instance_valid(made.runtime):
			break
		OS.delay_msec(5)
		yield(self, "idle_frame")
	check(not is_instance_valid(made.runtime), "a slot may free the nodes")


func _end_all(_layer, made):
	made.runtime.queue_free()
	made.view.queue_free()
	made.runtime.release()
