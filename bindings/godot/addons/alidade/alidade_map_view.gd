class_name AlidadeMapView
extends Control
# Shows a map and moves it with fingers, mouse, wheel and keys. Everything that reads files happens meanwhile: the view
# draws the newest pictures that it has, moved to where the camera is now.
#
# Points of the screen are Vector2 in this control. Points of the map are Arrays [x, y] with 64 bits; a Vector2 would
# cut them to 32, which is metres.

# The view has a size and a viewpoint: it can answer questions from now on.
signal view_ready
signal viewpoint_changed
signal navigation_began
# The view has come to rest: was_interrupted if something else moved it before the end of an animation.
signal navigation_ended(was_interrupted)
# One short touch or click, at once and without waiting for a second one; map_point is [x, y].
signal tapped(screen_point, map_point)
signal long_pressed(screen_point, map_point)
# The result of identify: what lies at the point, the topmost first. See identify.
signal identify_completed(results, screen_point)
signal identify_failed(error, screen_point)
# A new picture of a raster layer was read. is_fine: each pixel has its own cell.
signal picture_updated(layer, is_fine)
# A call of this node has failed. The message was also printed.
signal failed(error)

const Runtime = preload("res://addons/alidade/alidade_runtime.gd")
const Alidade = preload("res://addons/alidade/alidade.gdns")
const Enums = preload("res://addons/alidade/enumerations.gd")

const MOUSE_TOUCH = 1
const OPPOSITE_TOUCH = 2
const FIRST_TOUCH = 16
const IDENTIFY_KEY = 1
# While the map moves, one sample of a picture is so many pixels wide and high.
const COARSE_PX = 3

export(NodePath) var map_path
# Whether touches, the mouse and the wheel move the map. handle_touch and its like work in any case.
export(bool) var interactive = true
# Whether two fingers, or a drag with the right button, turn the map.
export(bool) var rotatable = true
# Physical pixels per unit of this control.
export(float) var pixel_density = 1.0

var api = Alidade.new()
var last_error = {}

var _map
var _runtime
var _handle = 0
# The runtime has been released.
var _is_lost = false
var _pressed_button = 0
var _touch_time = 0.0
# For each raster layer: texture, corners on the map, generation, is_fine, request.
var _pictures = {}
var _state = null
var _identifying = 0


func _ready():
	get_handle()


# The AlidadeMap that is shown.
func get_map():
	if not is_instance_valid(_map):
		_map = get_node_or_null(map_path) if map_path else null
	return _map


func set_map(map):
	if _handle:
		api.view_release(_handle)
		if is_instance_valid(_runtime):
			_runtime.disconnect("event_received", self, "_on_event")
		if is_instance_valid(_map):
			_map.disconnect("changed", self, "_on_map_changed")
	_handle = 0
	_is_lost = false
	_state = null
	_pictures.clear()
	_map = map
	get_handle()


# The view itself, for functions of api; 0 on failure.
func get_handle():
	if not _handle and get_map() and _map.get_handle():
		_runtime = _map.get_runtime()
		var size = {width_dip = rect_size.x, height_dip = rect_size.y, pixel_density = pixel_density}
		_handle = _checked(api.view_create(_map.get_handle(), size), 0)
		if _handle:
			_runtime.connect("event_received", self, "_on_event")
			_map.connect("changed", self, "_on_map_changed")
			_done(api.view_set_interaction_options(_handle, {flags = Enums.InteractionFlags.TWIST if rotatable else 0}))
	return _handle


func _notification(what):
	if what == NOTIFICATION_RESIZED and _handle and rect_size.x > 0 and rect_size.y > 0:
		_done(api.view_set_size(_handle, rect_size.x, rect_size.y, pixel_density))
		update()
	elif what == NOTIFICATION_PREDELETE:
		api.view_release(_handle)


func _process(delta):
	if not _handle or _is_lost or not is_instance_valid(_runtime):
		return
	# Godot corrects its clock with negative times.
	delta = max(delta, 0.0)
	_touch_time += delta
	# Said once, not in each frame.
	_is_lost = not _done(api.view_advance(_handle, delta))
	if not _is_lost:
		_refresh()


# The camera

# Moves the view. center is [x, y] in a spatial reference, of which an empty text means the map's own. A part that is
# null stays as it is.
func set_viewpoint(center = null, scale = null, rotation_deg = null, definition = ""):
	var viewpoint = _viewpoint(center, scale, rotation_deg, definition)
	return viewpoint != null and _done(api.view_set_viewpoint(get_handle(), viewpoint))


# The same over time; navigation_ended reports the end. curve is Enums.AnimationCurve.
func animate_to(center = null, scale = null, rotation_deg = null, definition = "", seconds = 0.5, curve = 3):
	var viewpoint = _viewpoint(center, scale, rotation_deg, definition)
	var settings = {duration_s = seconds, curve = curve}
	return viewpoint != null and _done(api.view_animate_to(get_handle(), viewpoint, null, settings))


# Moves the view so that a box fits: {x_min, y_min, x_max, y_max}.
func zoom_to(extent, definition = ""):
	return _checked(api.view_zoom_to_envelope(get_handle(), extent, _reference(definition)), null) != null


func stop():
	return _done(api.view_stop(get_handle()))


# The state of the camera, the fields of ald_view_state: center, scale, rotation_deg... null while the view is not
# ready.
func get_camera():
	return api.view_get_state(get_handle())


# The map point [x, y] under a point of the screen; null on failure.
func screen_to_map(point):
	return _checked(api.view_screen_to_map(get_handle(), [point]), null)


# Where a map point [x, y] is on the screen; null on failure.
func map_to_screen(point):
	var found = _checked(api.view_map_to_screen(get_handle(), [point]), null)
	return Vector2(found[0], found[1]) if found else null


# The same for many points: a PoolVector2Array.
func map_to_screen_array(points):
	var found = _checked(api.view_map_to_screen(get_handle(), points), null)
	return api.to_vectors(found) if found != null else null


# Pointers. phase is Enums.TouchPhase; time is in seconds on any clock.
func handle_touch(touch, phase, point, time_s):
	return _done(api.view_handle_touch(get_handle(), touch, phase, point, time_s))


func handle_wheel(point, notches):
	return _done(api.view_handle_wheel(get_handle(), point, notches))


# key is Enums.Key: arrows, zoom, rotation, north up.
func handle_key(key):
	return _done(api.view_handle_key(get_handle(), key))


# Questions

# Asks what lies at a point of the screen without waiting. identify_completed gives, for each hit, a Dictionary:
#
#   kind        Enums.ElementKind
#   layer       its handle
#   text        what it is, line by line
#   title       of the layer's popup
#   popup       its text
#   attributes  values by name
#   index       its index in the result
#   column, row  of a cell of a raster
#   values       of its bands, a Dictionary for each
#   polygon      its corners on the map, x, y, x, y...; empty if they cannot be projected
#   id          of a feature
#
#   result      the result itself, for functions of api and for AlidadeCallout; valid until the slots have returned
#
# A newer question replaces an older one. Gives the request, or 0 on failure.
func identify(point, tolerance_dip = 0.0, max_results = 0):
	var settings = {replace_key = IDENTIFY_KEY}
	var request = api.view_identify_async(get_handle(), point, tolerance_dip, max_results, null, settings)
	_identifying = _checked(request, 0)
	if not _identifying:
		emit_signal("identify_failed", last_error, point)
		return 0
	return _runtime.begin_request(_identifying, self, "_identified", [point]) if is_instance_valid(_runtime) else 0


func _identified(request, event, point):
	# An older question may have its result before it is replaced.
	if request != _identifying or event.request_state == Enums.RequestState.CANCELLED:
		return
	_identifying = 0
	var result = _checked(api.request_take_identify_result(request), 0)
	if not result:
		emit_signal("identify_failed", last_error, point)
		return
	var found = []
	for index in api.identify_result_get_info(result).element_count:
		found.append(_element(result, index))
	emit_signal("identify_completed", found, point)
	api.identify_result_release(result)


func _element(result, index):
	var element = api.identify_result_get_element_at(result, index)
	element.index = index
	element.result = result
	element.attributes = {}
	for place in element.attribute_count:
		var attribute = api.identify_result_get_attribute_at(result, index, place)
		element.attributes[attribute.name] = _value_of(attribute)
	var popup = api.identify_result_get_popup_at(result, index)
	element.title = popup.title if popup else ""
	element.popup = popup.text if popup else ""
	if element.kind == Enums.ElementKind.RASTER_CELL:
		var cell = api.identify_result_get_cell_at(result, index)
		element.column = cell.column
		element.row = cell.row
		element.values = cell.values
		element.polygon = []
		for corner in cell.polygon if cell.has_map_polygon else []:
			element.polygon += [corner.x, corner.y]
	return element


# The polygons or lines of a hit in the spatial reference of the map, as AlidadeRuntime.polygons_of gives them. Call it
# while identify_completed is emitted. It takes longer the more vertices there are.
func get_polygons(hit):
	var geometry = _checked(api.identify_result_create_geometry(hit.result, hit.index), 0)
	var shown = _checked(api.geometry_create_projected(geometry, _reference("")), null) if geometry else null
	api.geometry_release(geometry)
	if not shown:
		return []
	var polygons = _runtime.polygons_of(api.geometry_get_columns(shown.geometry))
	api.geometry_release(shown.geometry)
	return polygons


static func _value_of(attribute):
	var types = Enums.AttributeType
	match attribute.type:
		types.NULL:
			return null
		types.INTEGER:
			return attribute.integer
		types.UNSIGNED:
			return attribute.unsigned_integer
		types.REAL:
			return attribute.real
		types.COMPLEX:
			return [attribute.real, attribute.imaginary]
		types.DATE, types.TIME, types.DATE_TIME:
			return attribute.date_time
		types.BINARY:
			return attribute.bytes
		types.INTEGER_LIST:
			return attribute.integers
		types.REAL_LIST:
			return attribute.reals
		types.TEXT_LIST:
			return attribute.texts
	return attribute.text


# Pictures

# A raster layer as the view shows it, as an Image in RGBA8. Waits for the cells: for a picture now and then, not for
# each frame. null on failure. grid: the fields of ald_screen_grid.
func read_image(layer, grid = null):
	var size = _checked(api.view_grid_size(get_handle(), grid), null)
	var read = _checked(api.view_read_rgba(get_handle(), layer, grid), null) if size else null
	return _image(size.columns, size.rows, read.pixels) if read else null


static func _image(columns, rows, pixels):
	var image = Image.new()
	image.create_from_data(columns, rows, false, Image.FORMAT_RGBA8, pixels)
	return image


# Whether all loaded raster layers are drawn finely for the camera as it is now.
func is_drawn():
	if not _state or not is_instance_valid(_map) or api.view_get_navigation_state(_handle).is_navigating:
		return false
	for layer in _map.layers:
		if _is_shown(layer) and _map.is_raster_layer(layer):
			var picture = _pictures.get(layer)
			if not picture or not picture.is_fine or picture.generation != _state.generation:
				return false
	return true


# Requests the pictures that lack for the camera as it is, one at a time for each layer.
func _refresh():
	var state = api.view_get_state(_handle)
	if state == null:
		return
	if not _state or state.generation != _state.generation:
		update()
	_state = state
	var is_moving = api.view_get_navigation_state(_handle).is_navigating
	for layer in _map.layers if is_instance_valid(_map) else []:
		if not _is_shown(layer) or not _map.is_raster_layer(layer):
			continue
		if not _pictures.has(layer):
			_pictures[layer] = {texture = null, corners = null, generation = -1, is_fine = false, request = 0}
		var picture = _pictures[layer]
		var is_current = picture.generation == state.generation and (picture.is_fine or is_moving)
		if not picture.request and not is_current:
			_request_picture(layer, picture, state, picture.generation == state.generation or not is_moving)


func _request_picture(layer, picture, state, is_fine):
	var grid = {}
	if not is_fine:
		grid.flags = Enums.ScreenGridFlags.OVERVIEWS
		grid.columns = int(max(1, ceil(state.width_dip * pixel_density / COARSE_PX)))
		grid.rows = int(max(1, ceil(state.height_dip * pixel_density / COARSE_PX)))
	var request = api.view_create_screen_picture_async(_handle, layer, grid)
	picture.request = _checked(request, 0)
	if picture.request:
		var corners = [0, 0, state.width_dip, 0, 0, state.height_dip]
		var taken = {generation = state.generation, is_fine = is_fine}
		taken.corners = api.view_screen_to_map(_handle, corners)
		_runtime.begin_request(picture.request, self, "_picture_ended", [layer, taken])
	else:
		picture.generation = state.generation
		picture.is_fine = true


func _picture_ended(request, event, layer, taken):
	if not _pictures.has(layer):
		return
	var picture = _pictures[layer]
	picture.request = 0
	if event.request_state == Enums.RequestState.CANCELLED:
		return
	picture.generation = taken.generation
	picture.is_fine = taken.is_fine
	var made = _checked(api.request_take_screen_picture(request), 0)
	if not made:
		return
	var pixels = api.screen_picture_get_pixels(made)
	api.screen_picture_release(made)
	picture.corners = taken.corners
	picture.texture = ImageTexture.new()
	var flags = 0 if taken.is_fine else Texture.FLAG_FILTER
	picture.texture.create_from_image(_image(pixels.columns, pixels.rows, pixels.rgba), flags)
	update()
	emit_signal("picture_updated", layer, taken.is_fine)


func _draw():
	if not _state or not is_instance_valid(_map):
		return
	for layer in _map.layers:
		if not _is_shown(layer):
			continue
		if _map.is_raster_layer(layer):
			# The opacity of the layer is in its pixels.
			_draw_picture(_pictures.get(layer))
		else:
			_draw_features(layer, api.layer_get_info(layer).effective_opacity)


# Whether a layer is loaded, visible, and within its range of scales.
func _is_shown(layer):
	var state = api.view_get_layer_state(_handle, layer)
	return state != null and state.flags & Enums.LayerViewFlags.ACTIVE


# A picture where its corners are now.
func _draw_picture(picture):
	if not picture or not picture.texture:
		return
	var corners = api.view_map_to_screen(_handle, picture.corners)
	if corners == null:
		return
	var origin = Vector2(corners[0], corners[1])
	var right = Vector2(corners[2], corners[3]) - origin
	var down = Vector2(corners[4], corners[5]) - origin
	if picture.generation == _state.generation:
		# Exactly: without what is lost by rounding.
		origin = Vector2.ZERO
		right = Vector2(_state.width_dip, 0)
		down = Vector2(0, _state.height_dip)
	var size = picture.texture.get_size()
	draw_set_transform_matrix(Transform2D(right / size.x, down / size.y, origin))
	draw_texture(picture.texture, Vector2.ZERO)
	draw_set_transform_matrix(Transform2D.IDENTITY)


# Outlines, lines and round markers of a feature layer in the colours of its symbols. To draw differently, hide the
# layer, and use api.view_create_feature_drawing.
func _draw_features(layer, opacity):
	var drawing = api.view_create_feature_drawing(_handle, layer)
	if drawing == null:
		return
	var columns = api.overlay_drawing_get_columns(drawing)
	api.overlay_drawing_release(drawing)
	for item in columns.item_count:
		var symbol = columns.symbols[columns.symbol_indexes[item]]
		var color = _color(symbol.color, opacity)
		var line_color = _color(symbol.line_color, opacity)
		var first_path = columns.path_offsets[columns.part_offsets[item]]
		var end_path = columns.path_offsets[columns.part_offsets[item + 1]]
		for path in range(first_path, end_path):
			var first = columns.vertex_offsets[path]
			var vectors = api.to_vectors(columns.screen_xy, first, columns.vertex_offsets[path + 1] - first)
			if symbol.kind == Enums.SymbolKind.MARKER:
				for point in vectors:
					_draw_marker(point, symbol, color, line_color)
			elif len(vectors) > 1:
				var is_line = symbol.kind == Enums.SymbolKind.LINE
				draw_polyline(vectors, color if is_line else line_color, symbol.line_width_dip)


func _draw_marker(point, symbol, color, line_color):
	if symbol.line_width_dip > 0:
		draw_circle(point, symbol.size_dip / 2 + symbol.line_width_dip / 2, line_color)
	draw_circle(point, symbol.size_dip / 2 - symbol.line_width_dip / 2, color)


static func _color(rgba, opacity):
	return Color8(rgba.red, rgba.green, rgba.blue, int(rgba.alpha * opacity))


# Input

func _gui_input(event):
	if not interactive or not _state:
		return
	if event is InputEventMouseButton:
		_on_mouse_button(event)
	elif event is InputEventMouseMotion and _pressed_button:
		_mouse(Enums.TouchPhase.MOVED, event.position)
	elif event is InputEventScreenTouch:
		var phase = Enums.TouchPhase.BEGAN if event.pressed else Enums.TouchPhase.ENDED
		handle_touch(FIRST_TOUCH + event.index, phase, event.position, _touch_time)
	elif event is InputEventScreenDrag:
		handle_touch(FIRST_TOUCH + event.index, Enums.TouchPhase.MOVED, event.position, _touch_time)


func _on_mouse_button(event):
	if event.button_index in [BUTTON_WHEEL_UP, BUTTON_WHEEL_DOWN]:
		if event.pressed:
			var notches = event.factor if event.factor > 0 else 1.0
			handle_wheel(event.position, notches if event.button_index == BUTTON_WHEEL_UP else -notches)
	elif event.pressed and not _pressed_button and (event.button_index == BUTTON_LEFT or _turns(event)):
		_pressed_button = event.button_index
		_mouse(Enums.TouchPhase.BEGAN, event.position)
	elif not event.pressed and event.button_index == _pressed_button:
		_mouse(Enums.TouchPhase.ENDED, event.position)
		_pressed_button = 0


func _turns(event):
	return event.button_index == BUTTON_RIGHT and rotatable


# The pressed mouse is a finger. With the right button a second finger lies opposite of it.
func _mouse(phase, point):
	handle_touch(MOUSE_TOUCH, phase, point, _touch_time)
	var state = get_camera() if _pressed_button == BUTTON_RIGHT else null
	if state:
		var middle = Vector2(state.anchor_dip.x, state.anchor_dip.y)
		handle_touch(OPPOSITE_TOUCH, phase, 2 * middle - point, _touch_time)


# Events

func _on_event(event):
	if not event.view or event.view != _handle:
		return
	var kinds = Enums.EventKind
	match event.kind:
		kinds.VIEW_READY:
			emit_signal("view_ready")
		kinds.VIEWPOINT_CHANGED:
			emit_signal("viewpoint_changed")
		kinds.NAVIGATION_BEGAN:
			emit_signal("navigation_began")
		kinds.NAVIGATION_ENDED:
			emit_signal("navigation_ended", event.status != Enums.Status.OK)
		kinds.GESTURE:
			_on_gesture(event)


func _on_gesture(event):
	var screen_point = Vector2(event.screen_point.x, event.screen_point.y)
	var map_point = [event.map_point.x, event.map_point.y]
	if event.gesture == Enums.GestureKind.TAP:
		emit_signal("tapped", screen_point, map_point)
	elif event.gesture == Enums.GestureKind.LONG_PRESS and event.gesture_phase == Enums.GesturePhase.BEGAN:
		emit_signal("long_pressed", screen_point, map_point)


func _on_map_changed():
	for layer in _pictures.keys():
		if not layer in _map.layers:
			_pictures.erase(layer)
		else:
			_pictures[layer].generation = -1
	update()


# Helpers

func _viewpoint(center, scale, rotation_deg, definition):
	var fields = Enums.ViewpointFields
	var made = {fields = 0}
	if center != null:
		made.fields |= fields.CENTER
		made.center = center
		made.spatial_reference = _reference(definition)
		if definition and not made.spatial_reference:
			return null
	if scale != null:
		made.fields |= fields.SCALE
		made.scale = scale
	if rotation_deg != null:
		made.fields |= fields.ROTATION
		made.rotation_deg = rotation_deg
	return made


func _reference(definition):
	if not get_handle():
		return 0
	if definition:
		return _runtime.get_spatial_reference(definition) if is_instance_valid(_runtime) else 0
	# The view keeps its map, even if the node is gone.
	return api.map_get_spatial_reference(api.view_get_map(_handle))


func _checked(result, otherwise):
	if result != null:
		return result
	last_error = Runtime.report(api, self)
	return otherwise


func _done(status):
	if status != Enums.Status.OK:
		last_error = Runtime.report(api, self)
	return status == Enums.Status.OK
