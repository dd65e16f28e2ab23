-- Plays a script instead of a person: for tests, and for pictures. Its input goes through LÖVE's queue of events, and
-- its clock is that of a game that draws 60 frames a second.
--
--   wait SECONDS | press X Y [BUTTON] | move X Y | release X Y [BUTTON] | drag X Y X Y SECONDS [BUTTON]
--   wheel X Y NOTCHES | key NAME | loaded | still | identified | state LABEL | relief | screenshot FILE
--
-- loaded, still and identified wait until the layers are there, the view rests and is drawn finely, a tap has its
-- result. drag presses and moves, and leaves the release to the script. state and relief write a line of JSON. The
-- program ends after the last line.
local alidade = require("alidade")
local pixels = require("pixels")
local world = require("world")

local script = {}

local FRAME = 1 / 60
local commands, playing, frame_times = {}, nil, {}

local function frames(seconds)
  for _ = 1, math.max(1, math.floor(seconds / FRAME + 0.5)) do
    coroutine.yield()
  end
end

local function until_holds(condition, what)
  for _ = 1, 60 * 60 do
    if condition() then
      return
    end
    coroutine.yield()
    -- The work of other threads takes real time.
    love.timer.sleep(0.005)
  end
  error("a minute has passed, and the script still waits: " .. what)
end

function commands.wait(seconds)
  frames(tonumber(seconds))
end

function commands.press(x, y, button)
  love.event.push("mousepressed", tonumber(x), tonumber(y), tonumber(button or 1), false, 1)
  frames(0)
end

function commands.move(x, y)
  love.event.push("mousemoved", tonumber(x), tonumber(y), 0, 0, false)
  frames(0)
end

function commands.release(x, y, button)
  love.event.push("mousereleased", tonumber(x), tonumber(y), tonumber(button or 1), false, 1)
  frames(0)
end

function commands.drag(x1, y1, x2, y2, seconds, button)
  local steps = math.max(1, math.floor(tonumber(seconds) / FRAME + 0.5))
  commands.press(x1, y1, button)
  for step = 1, steps do
    commands.move(x1 + (x2 - x1) * step / steps, y1 + (y2 - y1) * step / steps)
  end
end

function commands.wheel(x, y, notches)
  commands.move(x, y)
  love.event.push("wheelmoved", 0, tonumber(notches))
  frames(0)
end

function commands.key(name)
  love.event.push("keypressed", name, name, false)
  frames(0)
end

function commands.loaded()
  until_holds(function()
    return world.is_loaded(world.heights) and world.is_loaded(world.countries) and world.is_loaded(world.cities)
      and pixels.is_fine
  end, "loaded")
  frames(2 * FRAME)
end

function commands.still()
  until_holds(function()
    return world.view:get_navigation_state().cause == alidade.navigation_cause.NONE and pixels.is_fine
  end, "still")
  frames(2 * FRAME)
end

function commands.identified()
  until_holds(function()
    return world.asked and world.asked:get_info().state ~= alidade.request_state.PENDING
  end, "identified")
  frames(2 * FRAME)
end

--- Writes the colours that the engine was given, for programs that compare the pictures.
function commands.relief()
  local colors = {}
  for index, color in ipairs(world.relief.ramp) do
    colors[index] = ("[%d, %d, %d]"):format(unpack(color))
  end
  print(('{"label": "relief", "minimum": %d, "maximum": %d, "ramp": [%s]}'):format(world.relief.minimum,
    world.relief.maximum, table.concat(colors, ", ")))
end

local function numbers(...)
  local texts = { ... }
  for index, number in ipairs(texts) do
    texts[index] = ("%.17g"):format(number)
  end
  return "[" .. table.concat(texts, ", ") .. "]"
end

function commands.state(label)
  local state, layout = world.view:get_state(), world.callout:get_layout()
  local box, tip = layout.box_dip, layout.leader_tip_dip
  local callout = "null"
  if layout.state ~= alidade.callout_state.HIDDEN then
    callout = ('{"title": %q, "text": %q, "box": %s, "tip": %s}'):format(world.said.title, world.said.text,
      numbers(box.x_min, box.y_min, box.x_max, box.y_max), numbers(tip.x, tip.y))
  end
  table.sort(frame_times)
  print(('{"label": %q, "center": %s, "scale": %.17g, "rotation": %.17g, "callout": %s, "engine_ms": %s}'):format(label,
    numbers(state.center.x, state.center.y), state.scale, state.rotation_deg, callout,
    numbers(frame_times[math.ceil(#frame_times * 0.5)] or 0, frame_times[math.ceil(#frame_times * 0.99)] or 0)))
  frame_times = {}
  io.stdout:flush()
end

function commands.screenshot(name)
  local is_written = false
  love.graphics.captureScreenshot(function(picture)
    local file = assert(io.open(script.output .. "/" .. name, "wb"))
    file:write(picture:encode("png"):getString())
    file:close()
    is_written = true
  end)
  until_holds(function()
    return is_written
  end, "a screenshot")
end

local function play(path)
  for line in io.lines(path) do
    local words = {}
    for word in line:gmatch("%S+") do
      words[#words + 1] = word
    end
    if #words > 0 and words[1]:sub(1, 1) ~= "#" then
      local command = commands[words[1]] or error("the script knows no " .. words[1])
      command(unpack(words, 2))
    end
  end
  love.event.quit()
end

--- Ends the program at an error: nobody would see LÖVE's own page about it.
function script.end_at_errors()
  love.errorhandler = function(why)
    io.stderr:write(debug.traceback(tostring(why), 2), "\n")
    os.exit(1)
  end
end

function script.load(path, output)
  script.output = output
  playing = coroutine.create(function()
    play(path)
  end)
end

--- Goes on with the script, and gives the seconds that this frame counts for.
function script.update(seconds)
  if not playing then
    return seconds
  end
  frame_times[#frame_times + 1] = (world.engine_seconds or 0) * 1000
  if coroutine.status(playing) ~= "dead" then
    local is_fine, why = coroutine.resume(playing)
    if not is_fine then
      error(why, 0)
    end
  end
  return FRAME
end

return script
