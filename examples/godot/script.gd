extends Node
# Plays a script instead of a person: for tests, and for pictures. Its input goes through Godot's queue of events. Start
# Godot with --fixed-fps 60, so that a frame counts for a sixtieth of a second.
#
#   wait SECONDS | press X Y [BUTTON] | move X Y | release X Y [BUTTON] | drag X Y X Y SECONDS [BUTTON]
#   wheel X Y NOTCHES | key NAME | loaded | still | identified | state LABEL | relief | screenshot FILE
#
# loaded, still and identified wait until the layers are there, the view rests and is drawn finely, a tap has its
# result. drag presses and moves, and leaves the release to the script. state and relief write a line of JSON. The
# program ends after the last line.

const FRAMES_PER_SECOND = 60
const LONGEST_WAIT_MS = 60000

var world
var path
var output

var _lines = []
var _frames = 0
var _waits_for = ""
var _waits_since = 0
var _moves = []
var _frame_times = []
var _frame_began = 0


func _ready():
	var file = File.new()
	if file.open(path, File.READ) != OK:
		_fail("there is no script " + path)
		return
	for line in file.get_as_text().split("\n"):
		var words = Array(line.split(" ", false))
		if words and not words[0].begins_with("#"):
			_lines.append(words)


func _process(_delta):
	if _frames > 0:
		_frames -= 1
	elif _moves:
		_point(_moves.pop_front())
	elif _waits_for:
		if call("_is_" + _waits_for):
			_waits_for = ""
			_frames = 2
		elif OS.get_ticks_msec() - _waits_since > LONGEST_WAIT_MS:
			_fail("a minute has passed, and the script still waits: " + _waits_for)
		else:
			# The work of other threads takes real time.
			OS.delay_msec(5)
	elif _lines:
		var words = _lines.pop_front()
		var name = words.pop_front()
		if has_method("_do_" + name):
			call("_do_" + name, words)
		else:
			_fail("the script knows no " + name)
	else:
		get_tree().quit()


func _fail(why):
	printerr("FAILED ", why)
	_lines = []
	OS.exit_code = 1
	get_tree().quit(1)


func _until(what):
	_waits_for = what
	_waits_since = OS.get_ticks_msec()


func _is_loaded():
	for layer in [world.heights, world.countries, world.cities]:
		if not world.map.is_layer_loaded(layer):
			return false
	return world.view.is_drawn() and world.panels._names


func _is_still():
	return world.view.is_drawn()


func _is_identified():
	return not world.is_asking


func _do_loaded(_words):
	_until("loaded")


func _do_still(_words):
	_until("still")


func _do_identified(_words):
	_until("identified")


func _do_wait(words):
	_frames = int(max(1, round(float(words[0]) * FRAMES_PER_SECOND)))


func _mouse(event, x, y):
	event.position = Vector2(float(x), float(y))
	event.global_position = event.position
	Input.parse_input_event(event)
	_frames = 1


func _button(words, is_pressed, index):
	var event = InputEventMouseButton.new()
	event.button_index = index
	event.pressed = is_pressed
	_mouse(event, words[0], words[1])


func _do_press(words):
	_button(words, true, int(words[2]) if len(words) > 2 else BUTTON_LEFT)


func _do_release(words):
	_button(words, false, int(words[2]) if len(words) > 2 else BUTTON_LEFT)


func _point(point):
	_mouse(InputEventMouseMotion.new(), point.x, point.y)
	_frames = 0


func _do_move(words):
	_mouse(InputEventMouseMotion.new(), words[0], words[1])


func _do_drag(words):
	_button(words, true, int(words[5]) if len(words) > 5 else BUTTON_LEFT)
	_frames = 0
	var from = Vector2(float(words[0]), float(words[1]))
	var to = Vector2(float(words[2]), float(words[3]))
	var steps = int(max(1, round(float(words[4]) * FRAMES_PER_SECOND)))
	for step in range(1, steps + 1):
		_moves.append(from.linear_interpolate(to, float(step) / steps))


func _do_wheel(words):
	_do_move(words)
	for is_pressed in [true, false]:
		var event = InputEventMouseButton.new()
		event.button_index = BUTTON_WHEEL_UP if float(words[2]) > 0 else BUTTON_WHEEL_DOWN
		event.factor = abs(float(words[2]))
		event.pressed = is_pressed
		_mouse(event, words[0], words[1])


func _do_key(words):
	var event = InputEventKey.new()
	event.scancode = OS.find_scancode_from_string(words[0])
	event.pressed = true
	Input.parse_input_event(event)
	_frames = 1


# Writes the colours that the engine was given, for programs that compare the pictures.
func _do_relief(_words):
	var ramp = []
	for color in world.relief.ramp:
		ramp.append(color.slice(0, 2))
	print(to_json({label = "relief", minimum = world.relief.minimum, maximum = world.relief.maximum, ramp = ramp}))


func _numbers(values):
	var texts = PoolStringArray()
	for value in values:
		# Godot writes numbers with six decimals.
		texts.append("%.9f" % value)
	return "[" + texts.join(", ") + "]"


func _do_state(words):
	var state = world.view.get_camera()
	var layout = world.callout.get_layout()
	var shown = "null"
	if layout:
		var box = layout.box_dip
		var tip = layout.leader_tip_dip
		var sides = _numbers([box.x_min, box.y_min, box.x_max, box.y_max])
		var words_of = [to_json(world.callout.title), to_json(world.callout.text), sides, _numbers([tip.x, tip.y])]
		shown = '{"title": %s, "text": %s, "box": %s, "tip": %s}' % words_of
	var center = _numbers([state.center.x, state.center.y])
	var cells = [to_json(words[0]), center, "%.9f" % state.scale, "%.9f" % state.rotation_deg, shown]
	print('{"label": %s, "center": %s, "scale": %s, "rotation": %s, "callout": %s}' % cells)


func _do_screenshot(words):
	# The queue goes on after the picture.
	set_process(false)
	yield(VisualServer, "frame_post_draw")
	var image = get_viewport().get_texture().get_data()
	image.flip_y()
	if image.save_png(output + "/" + words[0]) != OK:
		_fail("the picture cannot be written: " + words[0])
	set_process(true)
