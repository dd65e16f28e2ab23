extends SceneTree
# Whether every function of the interface is a method: godot3-server -s functions.gd NAMES, a file with a name in each
# line. Prints, last, "N passed, N failed".


func _init():
	var file = File.new()
	file.open(OS.get_cmdline_args()[-1], File.READ)
	var api = preload("res://addons/alidade/alidade.gdns").new()
	var passed = 0
	var failed = 0
	for name in file.get_as_text().split("\n", false):
		if api.has_method(name):
			passed += 1
		else:
			failed += 1
			print("FAILED  there is no method ", name)
	print("%d passed, %d failed" % [passed, failed])
	quit(0 if failed == 0 and passed > 0 else 1)
