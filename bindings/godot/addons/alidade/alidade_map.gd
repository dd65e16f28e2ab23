class_name AlidadeMap
extends Node
# A map: layers in drawing order, in one spatial reference. Layers are files that load by themselves while the game goes
# on. Put it below an AlidadeRuntime, or set runtime_path.

# A layer has been loaded. Views draw it from now on.
signal layer_loaded(layer)
# A layer cannot be loaded: status, name, argument, domain, domain_code and message.
signal layer_failed(layer, error)
# Layers were added, removed or changed.
signal changed
# A call of this node has failed. The message was also printed.
signal failed(error)

const Runtime = preload("res://addons/alidade/alidade_runtime.gd")
const Alidade = preload("res://addons/alidade/alidade.gdns")
const Enums = preload("res://addons/alidade/enumerations.gd")

# The AlidadeRuntime. Empty: the nearest one above this node.
export(NodePath) var runtime_path
# The spatial reference of the map, read when the map is first used.
export(String) var spatial_reference = "EPSG:3857"

var api = Alidade.new()
var last_error = {}
# Handles of the layers, the lowest first.
var layers = []

var _runtime
var _handle = 0


# The AlidadeRuntime of the map; null without one.
func get_runtime():
	if not is_instance_valid(_runtime):
		_runtime = get_node_or_null(runtime_path) if runtime_path else null
		var above = get_parent()
		while above and not _runtime:
			_runtime = above if above is Runtime else null
			above = above.get_parent()
		if not _runtime:
			push_error("Alidade: the map %s has no AlidadeRuntime above it; set runtime_path" % name)
	return _runtime


# The map itself, for functions of api. It begins with the first call; 0 on failure.
func get_handle():
	if not _handle and get_runtime():
		var reference = _runtime.get_spatial_reference(spatial_reference)
		if reference:
			_handle = _checked(api.map_create(_runtime.get_handle(), reference), 0)
	return _handle


func _notification(what):
	if what == NOTIFICATION_PREDELETE:
		for layer in layers:
			api.layer_release(layer)
		api.map_release(_handle)


# Adds a raster file on top, and loads it without waiting: layer_loaded or layer_failed follows. The path may be one of
# Godot (res://, user://). Gives the layer, or 0 on failure.
func open_raster(path, renderer = {}):
	if not get_handle():
		return 0
	var layer = _checked(api.raster_layer_create_from_path(_runtime.get_handle(), _file_of(path)), 0)
	return _begin_layer(layer, renderer, "raster_layer_set_renderer")


# The same for a file of features.
func open_features(path, renderer = {}):
	if not get_handle():
		return 0
	var layer = _checked(api.feature_layer_create_from_path(_runtime.get_handle(), _file_of(path)), 0)
	return _begin_layer(layer, renderer, "feature_layer_set_renderer")


func remove_layer(layer):
	if not _done(api.map_remove_layer(_handle, layer)):
		return false
	layers.erase(layer)
	api.layer_release(layer)
	emit_signal("changed")
	return true


func set_layer_visible(layer, is_visible):
	return _changed(api.layer_set_visible(layer, is_visible))


func set_layer_opacity(layer, opacity):
	return _changed(api.layer_set_opacity(layer, opacity))


# Colours of a raster (ald_raster_renderer) or symbols of features (ald_graphics_renderer), as a Dictionary.
func set_layer_renderer(layer, renderer):
	if is_raster_layer(layer):
		return _changed(api.raster_layer_set_renderer(layer, renderer))
	return _changed(api.feature_layer_set_renderer(layer, renderer))


func is_raster_layer(layer):
	var info = api.layer_get_info(layer)
	return info != null and info.kind == Enums.LayerKind.RASTER


func is_layer_loaded(layer):
	var info = api.layer_get_load_info(layer)
	return info != null and info.status == Enums.LoadStatus.LOADED


# The box around a layer in the map's spatial reference: x_min, y_min, x_max and y_max. null on failure.
func get_layer_extent(layer):
	return _checked(api.layer_get_full_extent(layer, _runtime.get_spatial_reference(spatial_reference)), null)


func _begin_layer(layer, renderer, set_renderer):
	if not layer:
		return 0
	if renderer and not _done(api.call(set_renderer, layer, renderer)) or not _done(api.map_add_layer(_handle, layer)):
		api.layer_release(layer)
		return 0
	layers.append(layer)
	_runtime.begin_request(_checked(api.layer_load_async(layer), 0), self, "_layer_ended", [layer])
	emit_signal("changed")
	return layer


func _layer_ended(_request, event, layer):
	if not layer in layers:
		return
	if event.request_state == Enums.RequestState.SUCCEEDED:
		emit_signal("layer_loaded", layer)
		emit_signal("changed")
		return
	var info = api.layer_get_load_info(layer)
	last_error = info.error if info else api.get_error()
	last_error.name = api.status_get_name(last_error.status)
	push_error("Alidade: %s: %s" % [last_error.name, last_error.message])
	emit_signal("layer_failed", layer, last_error)


func _file_of(path):
	return ProjectSettings.globalize_path(path) if path is String else path


func _checked(result, otherwise):
	if result != null:
		return result
	last_error = Runtime.report(api, self)
	return otherwise


func _done(status):
	if status != Enums.Status.OK:
		last_error = Runtime.report(api, self)
	return status == Enums.Status.OK


func _changed(status):
	var is_done = _done(status)
	if is_done:
		emit_signal("changed")
	return is_done
