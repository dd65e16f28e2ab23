class_name AlidadeRuntime
extends Node
# Owns what the engine of maps owns: its threads, its caches and all objects. Put one into the scene, above the nodes
# that use it. It asks once in each frame what has happened, and emits its signals then: never from another thread.

# A request of begin_request, or of another node, has ended.
signal request_finished(request, state, status)
# Anything that happened, as the Dictionary that is ald_event in C.
signal event_received(event)
# A call of this node has failed: status, name, argument, domain, domain_code and message. The message was also printed.
signal failed(error)

const Alidade = preload("res://addons/alidade/alidade.gdns")
const Enums = preload("res://addons/alidade/enumerations.gd")

const EVENTS_AT_ONCE = 64

# Every function of the interface: api.spatial_reference_create(get_handle(), "EPSG:4326").
var api = Alidade.new()
# Why the last call of this node failed; empty if none has.
var last_error = {}
# The fields of ald_runtime_options, used when the runtime begins. For files of strangers, give it a policy.
var options = {}

var _handle = 0
var _references = {}
var _pending = {}


# The runtime itself, for functions of api. It begins with the first call.
func get_handle():
	if not _handle:
		_handle = _checked(api.runtime_create(options), 0)
	return _handle


func _process(_delta):
	poll()


func _notification(what):
	if what == NOTIFICATION_PREDELETE:
		release()


# Ends the runtime and all of its objects. Nodes that still use them fail with a message.
func release():
	api.runtime_release(_handle)
	_handle = 0
	_pending.clear()
	_references.clear()


# Emits the signals for all that has happened. Called in each frame; call it yourself while the tree is paused.
func poll():
	if not _handle:
		return
	var events = api.runtime_poll_events(_handle, EVENTS_AT_ONCE)
	while events:
		for event in events:
			_deliver(event)
		# A slot of a signal may have released the runtime.
		events = api.runtime_poll_events(_handle, EVENTS_AT_ONCE) if _handle and len(events) == EVENTS_AT_ONCE else null


# Calls a method of an object with the request and its event when the request has ended, and releases the request then.
# An object that was freed is not called.
func begin_request(request, object, method, arguments = []):
	if request:
		_pending[request] = [weakref(object), method, arguments]
	return request


# Cancels a request that has not ended: its method is not called.
func cancel_request(request):
	_pending.erase(request)
	api.request_release(request)


func _deliver(event):
	if event.kind == Enums.EventKind.REQUEST_FINISHED:
		var waiting = _pending.get(event.request)
		if waiting:
			_pending.erase(event.request)
			var object = waiting[0].get_ref()
			if object:
				object.callv(waiting[1], [event.request, event] + waiting[2])
			api.request_release(event.request)
		emit_signal("request_finished", event.request, event.request_state, event.status)
	emit_signal("event_received", event)


# The spatial reference that a text means, such as "EPSG:3857" or a WKT; 0 on failure. The runtime keeps it.
func get_spatial_reference(definition):
	if not _references.has(definition):
		var made = _checked(api.spatial_reference_create(get_handle(), definition), 0)
		if not made:
			return 0
		_references[definition] = made
	return _references[definition]


# Points from one spatial reference into another: x, y, x, y..., in 64 bits. Points are PoolVector2Arrays, Arrays of
# pairs, or numbers. A point that has no image becomes NAN, NAN. null on failure.
func project_points(points, from, to):
	var source = get_spatial_reference(from)
	var target = get_spatial_reference(to)
	if not source or not target:
		return null
	var projected = _checked(api.spatial_reference_project_points(source, target, points), null)
	return projected.xy if projected else null


# The area within a distance on the ground of points, a polygon for each as polygons_of gives it; null on failure.
# Points are as for project_points, in the spatial reference of a text.
func geodesic_buffers(points, distance_m, definition = "EPSG:4326", maximum_deviation_m = 0.0):
	var reference = get_spatial_reference(definition)
	if not reference:
		return null
	var columns = {kind = Enums.GeometryKind.POINT, xy = points}
	var is_flat = typeof(points) == TYPE_ARRAY and points and typeof(points[0]) in [TYPE_REAL, TYPE_INT]
	var count = len(points) / 2 if is_flat else len(points)
	columns.part_offsets = range(count + 1)
	columns.path_offsets = range(count + 1)
	columns.vertex_offsets = range(count + 1)
	var array = _checked(api.geometry_array_create(get_handle(), columns, reference), 0)
	if not array:
		return null
	var unit = api.unit_find_by_name("metre")
	var settings = {unit = unit, maximum_deviation = maximum_deviation_m}
	var made = _checked(api.geometry_array_create_geodesic_buffers(array, [distance_m], settings), null)
	api.geometry_array_release(array)
	if not made:
		return null
	var buffers = polygons_of(api.geometry_array_get_columns(made.buffers))
	api.geometry_array_release(made.buffers)
	return buffers


# The polygons or lines in columns, as geometry_get_columns gives them: a Dictionary for each geometry.
#
#   rings    Arrays of coordinates x, y, x, y... in 64 bits; the outer ring of a polygon is the first
#   origin   the first point, [x, y]
#   vectors  the rings as PoolVector2Arrays relative to the origin, in 32 bits
func polygons_of(columns):
	var found = []
	for geometry in columns.geometry_count:
		var made = {rings = [], vectors = [], origin = null}
		var first_path = columns.path_offsets[columns.part_offsets[geometry]]
		var end_path = columns.path_offsets[columns.part_offsets[geometry + 1]]
		for path in range(first_path, end_path):
			var first = columns.vertex_offsets[path]
			var end = columns.vertex_offsets[path + 1]
			if end > first:
				made.origin = made.origin if made.origin else [columns.xy[2 * first], columns.xy[2 * first + 1]]
				made.rings.append(columns.xy.slice(2 * first, 2 * end - 1))
				made.vectors.append(api.to_vectors(columns.xy, first, end - first, made.origin))
		found.append(made)
	return found


# What a call gave, or another value after it failed: then prints why, keeps it and emits failed.
func _checked(result, otherwise):
	if result != null:
		return result
	last_error = report(api, self)
	return otherwise


# Prints and emits why the last call of an api failed, for a node with the signal failed.
static func report(of, node):
	var error = of.get_error()
	push_error("Alidade: %s: %s" % [error.name, error.message])
	node.emit_signal("failed", error)
	return error
