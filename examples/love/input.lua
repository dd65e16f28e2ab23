-- What LÖVE reports, for the engine. A pressed mouse is a finger; with the right button a second finger lies opposite
-- of it, around the middle of the view. The engine recognises the gestures.
local alidade = require("alidade")
local world = require("world")

local input = { time = 0 }

local MOUSE, OPPOSITE, FIRST_TOUCH = 1, 2, 16
local phases, keys = alidade.touch_phase, {}

function input.load()
  keys = {
    left = alidade.key.LEFT, right = alidade.key.RIGHT, up = alidade.key.UP, down = alidade.key.DOWN,
    ["+"] = alidade.key.ZOOM_IN, ["="] = alidade.key.ZOOM_IN, ["-"] = alidade.key.ZOOM_OUT,
    q = alidade.key.ROTATE_LEFT, e = alidade.key.ROTATE_RIGHT, n = alidade.key.NORTH_UP,
  }
end

--- The clock of the touches, in seconds.
function input.pass_time(seconds)
  input.time = input.time + seconds
end

local function touch(finger, phase, x, y)
  world.view:handle_touch(finger, phase, x, y, input.time)
end

local function mouse(phase, x, y, is_right)
  touch(MOUSE, phase, x, y)
  if is_right then
    local middle = world.view:get_state().anchor_dip
    touch(OPPOSITE, phase, 2 * middle.x - x, 2 * middle.y - y)
  end
end

local pressed

function love.mousepressed(x, y, button, is_touch)
  if not is_touch and not pressed and button <= 2 then
    pressed = button
    mouse(phases.BEGAN, x, y, button == 2)
  end
end

function love.mousemoved(x, y, _, _, is_touch)
  input.pointer_x, input.pointer_y = x, y
  if not is_touch and pressed then
    mouse(phases.MOVED, x, y, pressed == 2)
  end
end

function love.mousereleased(x, y, button, is_touch)
  if not is_touch and button == pressed then
    pressed = nil
    mouse(phases.ENDED, x, y, button == 2)
  end
end

-- LÖVE names fingers by addresses.
local fingers, finger_count = {}, 0

function love.touchpressed(id, x, y)
  fingers[id], finger_count = FIRST_TOUCH + finger_count, finger_count + 1
  touch(fingers[id], phases.BEGAN, x, y)
end

function love.touchmoved(id, x, y)
  touch(fingers[id], phases.MOVED, x, y)
end

function love.touchreleased(id, x, y)
  touch(fingers[id], phases.ENDED, x, y)
  fingers[id] = nil
end

function love.wheelmoved(_, notches)
  local x, y = input.pointer_x or 0, input.pointer_y or 0
  world.view:handle_wheel(x, y, notches)
end

function love.keypressed(name)
  if name == "escape" then
    world.callout:dismiss()
  elseif keys[name] then
    world.view:handle_key(keys[name])
  end
end

return input
