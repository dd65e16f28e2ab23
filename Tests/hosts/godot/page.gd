extends SceneTree
# Runs a program of the documentation as the script of a node: godot3-server -s page.gd PROGRAM ROOT. The program ends
# itself with get_tree().quit(). What it prints follows the line "== begin".


func _init():
	var source = File.new()
	source.open(OS.get_cmdline_args()[-2], File.READ)
	var program = GDScript.new()
	# A page speaks of files of the reader's project.
	var data = OS.get_cmdline_args()[-1] + "/examples/quickstart/data/"
	program.source_code = source.get_as_text().replace("res://data/", data)
	if program.reload() != OK:
		quit(1)
		return
	yield(self, "idle_frame")
	print("== begin")
	var node = program.new()
	get_root().add_child(node)
	yield(create_timer(20), "timeout")
	printerr("FAILED  the program does not end")
	quit(1)
