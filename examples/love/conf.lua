function love.conf(t)
  t.identity = "alidade"
  t.version = "11.4"
  t.window.title = "Alidade in LÖVE"
  t.window.width, t.window.height = 900, 640
  t.window.resizable, t.window.highdpi, t.window.msaa = true, true, 4
  t.modules.audio, t.modules.sound, t.modules.physics, t.modules.joystick = false, false, false, false
end
