extends SceneTree
# Draws a raster in a window: godot3-runner -s drawn.gd ROOT OUTPUT. Writes the camera as a line of JSON, and a picture
# of the window for each state: whole, half (its opacity), hidden, far (out of its range of scales), moved (before new
# pixels have been read).

const RuntimeNode = preload("res://addons/alidade/alidade_runtime.gd")
const MapNode = preload("res://addons/alidade/alidade_map.gd")
const ViewNode = preload("res://addons/alidade/alidade_map_view.gd")

var output


func _init():
	output = OS.get_cmdline_args()[-1]
	VisualServer.set_default_clear_color(Color8(40, 80, 120))
	var runtime = RuntimeNode.new()
	get_root().add_child(runtime)
	var map = MapNode.new()
	runtime.add_child(map)
	var view = ViewNode.new()
	view.rect_size = Vector2(900, 640)
	get_root().add_child(view)
	view.set_map(map)
	yield(self, "idle_frame")
	var layer = map.open_raster(OS.get_cmdline_args()[-2] + "/examples/quickstart/data/RGB.byte.tif")
	yield(map, "layer_loaded")
	view.zoom_to(map.get_layer_extent(layer))
	yield(until_drawn(view), "completed")
	var state = view.get_camera()
	print('{"x": %.6f, "y": %.6f, "scale": %.9f}' % [state.center.x, state.center.y, state.scale])
	yield(picture("whole"), "completed")
	map.set_layer_opacity(layer, 0.5)
	yield(until_drawn(view), "completed")
	yield(picture("half"), "completed")
	map.set_layer_opacity(layer, 1.0)
	map.set_layer_visible(layer, false)
	yield(picture("hidden"), "completed")
	map.set_layer_visible(layer, true)
	map.api.layer_set_scale_range(layer, state.scale / 2, 0)
	view.update()
	yield(picture("far"), "completed")
	map.api.layer_set_scale_range(layer, 0, 0)
	yield(until_drawn(view), "completed")
	# No new picture arrives: the old one is drawn where the map is.
	view.set_process(false)
	runtime.set_process(false)
	view.set_viewpoint([state.center.x - 100 * state.units_per_dip, state.center.y + 50 * state.units_per_dip])
	view._state = view.get_camera()
	view.update()
	yield(picture("moved"), "completed")
	quit()


func until_drawn(view):
	yield(self, "idle_frame")
	for attempt in 2000:
		yield(self, "idle_frame")
		if view.is_drawn():
			break
		OS.delay_msec(5)


func picture(name):
	yield(self, "idle_frame")
	yield(self, "idle_frame")
	yield(VisualServer, "frame_post_draw")
	var image = get_root().get_texture().get_data()
	image.flip_y()
	image.save_png(output + "/" + name + ".png")
