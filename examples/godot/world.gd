extends Control
# A map of the world: a relief, countries and cities. A tap says what lies under it. No frame waits for a file.

const Enums = preload("res://addons/alidade/enumerations.gd")
const Script = preload("res://script.gd")

# A bar at the top. Callouts stay below it.
const BAR_DIP = 26
const TOLERANCE_DIP = 9.0
const KEYS = {
	KEY_LEFT: Enums.Key.LEFT,
	KEY_RIGHT: Enums.Key.RIGHT,
	KEY_UP: Enums.Key.UP,
	KEY_DOWN: Enums.Key.DOWN,
	KEY_PLUS: Enums.Key.ZOOM_IN,
	KEY_EQUAL: Enums.Key.ZOOM_IN,
	KEY_MINUS: Enums.Key.ZOOM_OUT,
	KEY_Q: Enums.Key.ROTATE_LEFT,
	KEY_E: Enums.Key.ROTATE_RIGHT,
	KEY_N: Enums.Key.NORTH_UP,
}
# Colours by height, in metres. The sea and the land meet at 0 without a colour between them.
const SEA = [[-6000, 22, 50, 90], [-3000, 52, 98, 150], [-200, 122, 172, 212], [0, 160, 204, 228]]
const LAND = [
	[0, 140, 176, 124],
	[500, 204, 206, 150],
	[1500, 206, 170, 124],
	[3000, 168, 132, 108],
	[4500, 226, 220, 216],
	[6000, 252, 252, 252],
]

onready var runtime = $Runtime
onready var map = $Runtime/Map
onready var view = $View
onready var callout = $View/Callout
onready var panels = $View/Panels

var relief = {minimum = -6000, maximum = 6000, ramp = []}
var heights
var countries
var cities
var is_asking = false


func _ready():
	var options = _options()
	var folder = options.get("data", "res://data")
	_open_layers(folder)
	view.api.view_set_insets(view.get_handle(), {top_dip = BAR_DIP})
	view.set_viewpoint([12, 44], 20e6, 0, "EPSG:4326")
	view.connect("tapped", self, "_on_tapped")
	view.connect("identify_completed", self, "_on_identified")
	map.connect("layer_loaded", self, "_on_layer_loaded")
	var is_written = File.new().file_exists("res://font.ttf")
	callout.title_font = font(17) if is_written else null
	callout.text_font = font(14) if is_written else null
	if options.has("script"):
		var player = Script.new()
		player.world = self
		player.path = options["script"]
		player.output = options.get("output", ".")
		add_child(player)


# A font of the project, or of Godot without one.
func font(size):
	if not File.new().file_exists("res://font.ttf"):
		return get_font("font", "Label")
	var made = DynamicFont.new()
	made.font_data = load("res://font.ttf")
	made.size = size
	return made


# --name=value of the command line.
func _options():
	var options = {}
	for argument in OS.get_cmdline_args():
		var parts = argument.trim_prefix("--").split("=")
		if argument.begins_with("--") and len(parts) == 2:
			options[parts[0]] = parts[1]
	return options


func _open_layers(folder):
	# The engine wants colours at equal steps: one for each 50 m.
	for height in range(relief.minimum, relief.maximum + 1, 50):
		relief.ramp.append(_color_at(SEA if height < 0 else LAND, height))
	var stretch = {kind = Enums.RasterRendererKind.STRETCH, fields = Enums.RasterRendererFields.RANGE}
	stretch.minimum = relief.minimum
	stretch.maximum = relief.maximum
	stretch.ramp = relief.ramp
	heights = map.open_raster(folder + "/elevation.tif", stretch)
	var borders = {kind = Enums.SymbolKind.FILL, line_color = [70, 60, 60, 255], line_width_dip = 1.2}
	countries = map.open_features(folder + "/countries.fgb", {symbol = borders})
	var by_rank = {kind = Enums.GraphicsRendererKind.CLASS_BREAKS, fields = ["rank_max"], minimum = 9}
	by_rank.upper_bounds = [11, 14]
	by_rank.symbols = [_marker(6), _marker(9)]
	cities = map.open_features(folder + "/cities.fgb", by_rank)
	_describe(countries, "A country in {continent} with {pop_est} inhabitants.", "pop_est")
	_describe(cities, "A city in {adm0name} with {pop_max} inhabitants.", "pop_max")


func _marker(size_dip):
	var marker = {kind = Enums.SymbolKind.MARKER, size_dip = size_dip, line_width_dip = 1.5}
	marker.color = [250, 250, 250, 255]
	marker.line_color = [40, 40, 40, 255]
	return marker


# How an element is described: its name, and a text with a number of people.
func _describe(layer, text, people):
	var field = {name = people, flags = Enums.PopupFieldFlags.HAS_DECIMALS, digit_separator = ","}
	map.api.layer_set_popup_definition(layer, {title = "{name}", text = text, fields = [field]})


func _color_at(stops, height):
	var upper = 1
	while upper + 1 < len(stops) and height > stops[upper][0]:
		upper += 1
	var a = stops[upper - 1]
	var b = stops[upper]
	var part = float(height - a[0]) / (b[0] - a[0])
	var color = [0, 0, 0, 255]
	for channel in 3:
		color[channel] = int(floor(a[channel + 1] + part * (b[channel + 1] - a[channel + 1]) + 0.5))
	return color


func _on_layer_loaded(layer):
	if layer == cities:
		var query = {where = "rank_max >= 12"}
		var source = map.api.feature_layer_get_source(cities)
		runtime.begin_request(map.api.feature_source_query_async(source, query), self, "_on_cities_read")


# The names of the large cities.
func _on_cities_read(request, _event):
	var api = map.api
	var found = api.request_take_feature_set(request)
	if not found:
		push_error(api.get_error().message)
		return
	var info = api.feature_set_get_info(found)
	var columns = {name = [], rank_max = []}
	for field in info.field_count:
		var name = api.feature_source_get_field_at(api.feature_layer_get_source(cities), field).name
		for index in info.feature_count if columns.has(name) else 0:
			var value = api.feature_set_get_attribute(found, index, field)
			columns[name].append(value.text if name == "name" else value.integer)
	var points = api.geometry_array_get_columns(api.feature_set_get_geometries(found)).xy
	var projected = runtime.project_points(points, "EPSG:4326", "EPSG:3857")
	panels.set_labels(columns.name, columns.rank_max, projected)
	api.feature_set_release(found)


func _unhandled_key_input(event):
	if not event.pressed:
		return
	if event.scancode == KEY_ESCAPE:
		callout.dismiss()
	elif KEYS.has(event.scancode):
		view.handle_key(KEYS[event.scancode])


func _on_tapped(screen_point, _map_point):
	is_asking = view.identify(screen_point, TOLERANCE_DIP) != 0


func _on_identified(results, _screen_point):
	is_asking = false
	if not results:
		callout.dismiss()
		return
	var hit = results[0]
	if hit.kind == Enums.ElementKind.RASTER_CELL:
		var height = hit.values[0].value
		callout.show_for(hit, "%d m" % abs(height), "below sea level" if height < 0 else "above sea level")
	else:
		# The callout points to the city, not to the finger.
		callout.show_for(hit, hit.title, hit.popup, hit.layer == cities)
