extends SceneTree
# Calls every function of the interface with arguments at random, in godot3-server: -s hostile.gd NAMES SEED CALLS.
# NAMES is a file with a name in each line. Nothing may end the process. Prints, last, "N passed, N failed", where all
# calls together are one.

const Alidade = preload("res://addons/alidade/alidade.gdns")

# They wait for what never comes, or end the runtime that the other calls need.
const LEFT_OUT = ["runtime_wait", "request_wait", "runtime_release"]
const TEXTS = ["", "EPSG:4326", "POINT (1 2)", "metre", "/no/such/file", "{}", "ä🌍", "Band 1"]
const NAMES = ["kind", "flags", "xy", "count", "layers", "symbol", "columns", "rows", "fields", "ids", "x", "y", "texts"]

var api = Alidade.new()
var runtime
# Handles of objects, some of them released meanwhile.
var handles = []
var random = RandomNumberGenerator.new()


func _init():
	var arguments = OS.get_cmdline_args()
	random.seed = int(arguments[-2])
	var file = File.new()
	file.open(arguments[-3], File.READ)
	var names = Array(file.get_as_text().split("\n", false))
	runtime = api.runtime_create()
	begin()
	var called = 0
	var succeeded = 0
	for index in int(arguments[-1]):
		var name = names[random.randi() % len(names)]
		if name in LEFT_OUT:
			continue
		var given = []
		for place in random.randi() % 8:
			given.append(any(2))
		# The first is often right, so that calls come further.
		if given and random.randi() % 4:
			given[0] = handles[random.randi() % len(handles)]
		var result = api.callv(name, given)
		called += 1
		succeeded += int(result != null and api.get_error().status == 0)
		if typeof(result) == TYPE_INT and result > 1 << 40 and len(handles) < 500:
			handles.append(result)
		api.runtime_poll_events(runtime, 100)
	api.runtime_release(runtime)
	print("%d calls of %d functions, %d of them without an error" % [called, len(names), succeeded])
	# Some arguments are right, or the calls would not come far.
	var is_far = succeeded > called / 200
	print("1 passed, 0 failed" if is_far else "0 passed, 1 failed")
	quit(0 if is_far else 1)


func begin():
	var degrees = api.spatial_reference_create_from_code(runtime, "EPSG", 4326)
	var map = api.map_create(runtime, degrees)
	var geometry = api.geometry_create_from_wkt(runtime, "POLYGON ((0 0, 1 0, 1 1, 0 0))", degrees)
	var array = api.geometry_array_create_from_geometries(runtime, [geometry, geometry])
	var view = api.view_create(map, {width_dip = 80, height_dip = 60})
	var overlay = api.graphics_overlay_create(runtime)
	api.view_set_viewpoint(view, {fields = 3, center = [0.5, 0.5], scale = 1e6})
	handles = [runtime, degrees, map, geometry, array, view, overlay]


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
	for index in random.randi() % 4:
		made[NAMES[random.randi() % len(NAMES)]] = any(depth - 1)
	return made
