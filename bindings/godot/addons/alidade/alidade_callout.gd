class_name AlidadeCallout
extends Control
# A box with a title and a text at a point of the map. It follows the map, stays inside of the view, and a line leads to
# its point. Put it into an AlidadeMapView.

# A call of this node has failed. The message was also printed.
signal failed(error)

const Runtime = preload("res://addons/alidade/alidade_runtime.gd")
const Alidade = preload("res://addons/alidade/alidade.gdns")
const Enums = preload("res://addons/alidade/enumerations.gd")

export(Font) var title_font
export(Font) var text_font
export(Color) var box_color = Color8(33, 38, 48)
export(Color) var title_color = Color.white
export(Color) var text_color = Color(0.86, 0.88, 0.92)
export(float) var text_width = 240.0
export(float) var padding = 10.0
export(float) var leader_length = 12.0
export(float) var leader_width = 16.0
export(float) var margin = 8.0

var api = Alidade.new()
var last_error = {}
var title = ""
var text = ""

var _handle = 0
var _lines = []


func _ready():
	mouse_filter = MOUSE_FILTER_IGNORE
	set_anchors_preset(PRESET_WIDE)


func _notification(what):
	if what == NOTIFICATION_PREDELETE:
		api.callout_release(_handle)


# The callout itself, for functions of api; 0 on failure.
func get_handle():
	if not _handle and get_parent() and get_parent().has_method("get_camera"):
		var options = {leader_length_dip = leader_length, leader_width_dip = leader_width, margin_dip = margin}
		_handle = api.callout_create(get_parent().get_handle(), options)
		if _handle == null:
			last_error = Runtime.report(api, self)
			_handle = 0
	return _handle


# Shows it for a hit of identify_completed, while that signal is emitted: where the tap was, or at_center of the hit.
func show_for(element, new_title, new_text, at_center = false):
	_set_words(new_title, new_text)
	var flags = Enums.CalloutShowFlags.AT_CENTER if at_center else 0
	return _done(api.callout_show_for(get_handle(), element.result, element.index, flags))


# Shows it at a point [x, y] of the map.
func show_at(map_point, new_title, new_text):
	_set_words(new_title, new_text)
	return _done(api.callout_show_at(get_handle(), map_point, 0, new_title, new_text, 0))


func dismiss():
	return _done(api.callout_dismiss(get_handle()))


# Where its parts are, the fields of ald_callout_layout; null if it is not shown.
func get_layout():
	var layout = api.callout_get_layout(_handle) if _handle else null
	return layout if layout and layout.state == Enums.CalloutState.VISIBLE else null


func _process(_delta):
	if _handle:
		update()


func _set_words(new_title, new_text):
	title = new_title
	text = new_text
	_lines = []
	for line in text.split("\n"):
		var row = ""
		for word in line.split(" "):
			var longer = word if not row else row + " " + word
			if row and _text_font().get_string_size(longer).x > text_width:
				_lines.append(row)
				longer = word
			row = longer
		_lines.append(row)
	var width = _title_font().get_string_size(title).x
	for line in _lines:
		width = max(width, _text_font().get_string_size(line).x)
	var height = _title_font().get_height() + len(_lines) * _text_font().get_height()
	_done(api.callout_set_size(get_handle(), width + 2 * padding, height + 2 * padding))


func _draw():
	var layout = get_layout()
	if not layout:
		return
	var tip = _vector(layout.leader_tip_dip)
	var leader = [tip, _vector(layout.leader_base_dip[0]), _vector(layout.leader_base_dip[1])]
	var box = layout.box_dip
	var area = Rect2(box.x_min, box.y_min, box.x_max - box.x_min, box.y_max - box.y_min)
	draw_rect(Rect2(area.position + Vector2(2, 3), area.size), Color(0, 0, 0, 0.25))
	draw_colored_polygon(PoolVector2Array(leader), box_color)
	draw_rect(area, box_color)
	var position = (area.position + Vector2(padding, padding)).floor()
	draw_string(_title_font(), position + Vector2(0, _title_font().get_ascent()), title, title_color)
	position.y += _title_font().get_height()
	for line in _lines:
		draw_string(_text_font(), position + Vector2(0, _text_font().get_ascent()), line, text_color)
		position.y += _text_font().get_height()


func _title_font():
	return title_font if title_font else get_font("font", "Label")


func _text_font():
	return text_font if text_font else get_font("font", "Label")


static func _vector(point):
	return Vector2(point.x, point.y)


func _done(status):
	if status != Enums.Status.OK:
		last_error = Runtime.report(api, self)
	return status == Enums.Status.OK
