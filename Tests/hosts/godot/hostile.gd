extends SceneTree
# Calls every function of the interface with arguments at random, in godot3-server: -s hostile.gd NAMES FIELDS ROOT SEED
# CALLS. NAMES has a function in each line, FIELDS the names of the fields of a struct. Nothing may end the process.
# Prints, last, "N passed, N failed", where all calls together are one.

const Alidade = preload("res://addons/alidade/alidade.gdns")

# They wait for what never comes, or end the runtime that the other calls need.
const LEFT_OUT = ["runtime_wait", "request_wait", "runtime_release"]
const TEXTS = ["", "EPSG:4326", "POINT (1 2)", "metre", "/no/such/file", "{}", "ä🌍", "Band 1"]

var api = Alidade.new()
var runtime
var structs
# Handles by the names of their kinds, and all of them; some are released meanwhile.
var kinds = {}
var handles = []
var random = RandomNumberGenerator.new()


func _init():
	var arguments = OS.get_cmdline_args()
	var names = lines_of(arguments[-5])
	structs = lines_of(arguments[-4])
	random.seed = int(arguments[-2])
	begin(arguments[-3] + "/examples/quickstart/data/RGB.byte.tif")
	var called = 0
	var succeeded = 0
	for index in int(arguments[-1]):
		var name = names[random.randi() % len(names)]
		if name in LEFT_OUT or name.ends_with("_release") and random.randi() % 20:
			continue
		var given = []
		for place in random.randi() % 8:
			given.append(any(2))
		# The first is often right, so that calls come further.
		var kind = kind_of(name)
		if given and kind and random.randi() % 4:
			given[0] = kinds[kind]
		var result = api.callv(name, given)
		called += 1
		succeeded += int(result != null and api.get_error().status == 0)
		if typeof(result) == TYPE_INT and result > 1 << 40 and len(handles) < 500:
			handles.append(result)
		api.runtime_poll_events(runtime, 100)
		if called % 1000 == 0:
			api.runtime_release(runtime)
			begin(arguments[-3] + "/examples/quickstart/data/RGB.byte.tif")
	api.runtime_release(runtime)
	print("%d calls of %d functions, %d of them without an error" % [called, len(names), succeeded])
	# Some arguments are right, or the calls would not come far.
	var is_far = succeeded > called / 50
	print("1 passed, 0 failed" if is_far else "0 passed, 1 failed")
	quit(0 if is_far else 1)


func lines_of(path):
	var file = File.new()
	file.open(path, File.READ)
	return Array(file.get_as_text().split("\n", false))


func kind_of(name):
	var longest = ""
	for kind in kinds:
		if name.begins_with(kind + "_") and len(kind) > len(longest):
			longest = kind
	return longest


func begin(path):
	runtime = api.runtime_create()
	var degrees = api.spatial_reference_create_from_code(runtime, "EPSG", 4326)
	var map = api.map_create(runtime, degrees)
	var geometry = api.geometry_create_from_wkt(runtime, "POLYGON ((0 0, 1 0, 1 1, 0 0))", degrees)
	var raster = api.raster_open(runtime, path)
	var layer = api.raster_layer_create(raster)
	api.map_add_layer(map, layer)
	api.layer_load(layer)
	var view = api.view_create(map, {width_dip = 80, height_dip = 60})
	api.view_set_viewpoint(view, {fields = 3, center = [-78, 25], scale = 1e6})
	kinds = {runtime = runtime, spatial_reference = degrees, map = map, geometry = geometry, raster = raster}
	kinds.layer = layer
	kinds.raster_layer = layer
	kinds.view = view
	kinds.geometry_array = api.geometry_array_create_from_geometries(runtime, [geometry, geometry])
	kinds.graphics_overlay = api.graphics_overlay_create(runtime)
	kinds.prepared_geometry = api.prepared_geometry_create(geometry)
	kinds.callout = api.callout_create(view)
	kinds.engine_frame = api.engine_frame_create(degrees, [8, 47])
	kinds.identify_result = api.view_identify(view, [40, 30])
	handles = kinds.values()


func any(depth):
	match random.randi() % (14 if depth > 0 else 9):
		0:
			return null
		1:
			return random.randi() % 5
		2:
			return [-1, 1 << 31, 1 << 32, (1 << 63) - 1, -(1 << 62), 255, 256, 65536][random.randi() % 8]
		3:
			return [0.0, -1.5, NAN, INF, 1e300, 0.5][random.randi() % 6]
		4:
			return TEXTS[random.randi() % len(TEXTS)]
		5:
			return handles[random.randi() % len(handles)]
		6:
			return Vector2(random.randf(), random.randf() * 100)
		7:
			return random.randi() % 2 == 0
		8:
			return PoolByteArray([1, 2, 3, 255, 0])
		9, 10:
			var list = []
			for index in random.randi() % 6:
				list.append(any(depth - 1))
			return list
		11:
			return PoolVector2Array([Vector2(1, 2), Vector2(3, 4), Vector2(NAN, 5)])
		12:
			return [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
	var made = {}
	for name in structs[random.randi() % len(structs)].split(" ", false):
		if random.randi() % 2:
			made[name] = any(depth - 1)
	return made
