extends Control
# What lies over the map: names of cities, a bar with help, a scale bar, an arrow to the north.

const Enums = preload("res://addons/alidade/enumerations.gd")

const HELP = "drag, fling, wheel, double click: move and zoom     right drag, q, e: turn     n: north up     click: what is it"
const DARK = Color(0.12, 0.12, 0.12)

onready var world = get_node("../..")
onready var view = get_node("..")
onready var small = world.font(12)

var _names = []
var _ranks = []
var _points = []
var _order = []


func set_labels(names, ranks, points):
	_names = names
	_ranks = ranks
	_points = points
	_order = range(len(names))
	_order.sort_custom(self, "_is_larger")


func _is_larger(a, b):
	return _ranks[a] > _ranks[b] or (_ranks[a] == _ranks[b] and a < b)


func _process(_delta):
	update()


func _draw():
	var state = view.get_camera()
	if state == null:
		return
	_draw_names(state)
	draw_rect(Rect2(0, 0, state.width_dip, world.BAR_DIP), Color(0.13, 0.15, 0.19, 0.85))
	_text(HELP, Vector2(10, 6), Color.white)
	_draw_scale_bar(state)
	if state.rotation_deg != 0:
		_draw_north(state)


func _text(text, position, color):
	draw_string(small, position + Vector2(0, small.get_ascent()), text, color)


# Names that would cover one another are left out, the largest cities first.
func _draw_names(state):
	if not _names:
		return
	var places = view.map_to_screen_array(_points)
	# The corner of the scale bar is taken.
	var taken = [Rect2(0, state.height_dip - 48, 190, 48)]
	var screen = Rect2(1, world.BAR_DIP + 1, state.width_dip - 2, state.height_dip - world.BAR_DIP - 2)
	for index in _order:
		var area = Rect2((places[index] + Vector2(8, -8)).floor(), small.get_string_size(_names[index]))
		var is_free = screen.encloses(area)
		for other in taken if is_free else []:
			is_free = is_free and not other.intersects(area.grow_individual(6, 0, 6, 0))
		if not is_free:
			continue
		taken.append(area)
		for dx in [-1, 0, 1]:
			for dy in [-1, 0, 1]:
				_text(_names[index], area.position + Vector2(dx, dy), Color(1, 1, 1, 0.75))
		_text(_names[index], area.position, DARK)


func _draw_scale_bar(state):
	var middle = Vector2(state.width_dip, state.height_dip) / 2
	var bar = view.api.view_scale_bar(view.get_handle(), middle, 160, Enums.UnitSystem.METRIC)
	if bar == null:
		return
	var corner = Vector2(14, state.height_dip - 16)
	var text = "%d km     1 : %d million" % [bar.length_m / 1000, floor(state.scale / 1e6 + 0.5)]
	var width = max(bar.width_dip, small.get_string_size(text).x)
	draw_rect(Rect2(corner + Vector2(-6, -26), Vector2(width + 12, 34)), Color(1, 1, 1, 0.92))
	_text(text, corner + Vector2(0, -22), DARK)
	var end = corner + Vector2(bar.width_dip, 0)
	draw_polyline(PoolVector2Array([corner + Vector2(0, -5), corner, end, end + Vector2(0, -5)]), DARK, 2.0)


# Where north is, once it is no longer up.
func _draw_north(state):
	var middle = Vector2(state.width_dip - 34, 64)
	draw_circle(middle, 24, Color(1, 1, 1, 0.85))
	draw_set_transform(middle, -deg2rad(state.rotation_deg), Vector2.ONE)
	draw_colored_polygon(PoolVector2Array([Vector2(0, -18), Vector2(-6, 0), Vector2(6, 0)]), Color(0.75, 0.1, 0.1))
	draw_colored_polygon(PoolVector2Array([Vector2(0, 18), Vector2(-6, 0), Vector2(6, 0)]), Color(0.5, 0.5, 0.5))
	draw_set_transform(Vector2.ZERO, 0, Vector2.ONE)
