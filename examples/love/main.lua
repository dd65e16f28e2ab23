-- A map of the world as a game draws it: sixty frames a second, whatever the map is doing.
--
-- In each frame, update passes the time and what has happened to the engine, and draw asks what to show. No call of
-- either waits for a file: layers load by themselves, and what lies under a tap is asked with a request.
local world = require("world")
local input = require("input")
local paint = require("paint")
local script = require("script")

local function options_of(arguments)
  local options = {}
  for index, argument in ipairs(arguments) do
    local name = argument:match("^%-%-(%w+)$")
    if name then
      options[name] = arguments[index + 1]
    end
  end
  return options
end

function love.load(arguments)
  local options = options_of(arguments)
  if options.script then
    script.end_at_errors()
  end
  world.load(options.data or "examples/world_identify/data")
  input.load()
  paint.load()
  if options.script then
    script.load(options.script, options.output or ".")
  end
end

function love.update(seconds)
  seconds = script.update(seconds)
  input.pass_time(seconds)
  world.update(seconds)
end

function love.draw()
  paint.draw()
end

function love.resize()
  world.resize()
end
