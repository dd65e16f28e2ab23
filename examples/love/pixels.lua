-- The relief as LÖVE's pictures. The engine writes pixels straight into their memory.
--
-- While the map moves, each frame reads a coarse picture of the whole screen. When it rests, the fine picture is read
-- strip by strip, each frame as much as its budget allows. So no frame waits for half a million pixels.
local alidade = require("alidade")
local ffi = require("ffi")
local world = require("world")

local pixels = { is_fine = false }

local BUDGET_S, STRIP_LINES = 0.004, 32
local fine, coarse
local generation, is_shown, next_line
-- One pixel of the coarse picture is so many wide and high: more if reading was slow, fewer if it was fast.
local divisor = 2

local function picture(width, height)
  local data = love.image.newImageData(width, height)
  local image = love.graphics.newImage(data)
  image:setFilter("linear", "linear")
  return { data = data, image = image, width = width, height = height, memory = ffi.cast("uint8_t *", data:getFFIPointer()) }
end

local function fitting(made, width, height)
  return made and made.width == width and made.height == height and made or picture(width, height)
end

local function read_coarse(width, height)
  coarse = fitting(coarse, math.ceil(width / divisor), math.ceil(height / divisor))
  local begin = love.timer.getTime()
  local grid = { flags = alidade.screen_grid_flags.OVERVIEWS, columns = coarse.width, rows = coarse.height }
  world.view:read_rgba(world.heights, grid, alidade.span(coarse.memory, coarse.data:getSize()))
  local seconds = love.timer.getTime() - begin
  divisor = math.max(2, math.min(6, divisor + (seconds > 2 * BUDGET_S and 1 or seconds < BUDGET_S / 2 and -1 or 0)))
  coarse.image:replacePixels(coarse.data)
end

local function read_strips(width, height)
  local begin, density = love.timer.getTime(), love.graphics.getDPIScale()
  while next_line < height and love.timer.getTime() - begin < BUDGET_S do
    local lines = math.min(STRIP_LINES, height - next_line)
    local grid = {
      top_dip = next_line / density,
      width_dip = width / density,
      height_dip = lines / density,
      columns = width,
      rows = lines,
    }
    local place = fine.memory + next_line * width * 4
    world.view:read_rgba(world.heights, grid, alidade.span(place, lines * width * 4))
    next_line = next_line + lines
  end
  if next_line == height then
    fine.image:replacePixels(fine.data)
    pixels.is_fine = true
  end
end

--- Reads what this frame needs for a state of the view.
function pixels.update(state)
  if not world.is_loaded(world.heights) then
    return
  end
  local width, height = love.graphics.getPixelDimensions()
  fine = fitting(fine, width, height)
  if generation ~= state.generation or not is_shown then
    generation, is_shown, next_line, pixels.is_fine = state.generation, true, 0, false
    read_coarse(width, height)
  elseif not pixels.is_fine then
    read_strips(width, height)
  end
end

function pixels.draw()
  local shown = pixels.is_fine and fine or coarse
  if shown then
    local width, height = love.graphics.getDimensions()
    love.graphics.setColor(1, 1, 1)
    love.graphics.draw(shown.image, 0, 0, 0, width / shown.width, height / shown.height)
  end
end

return pixels
