-- The map, its layers, the view, and the callout: all that is the engine's.
local alidade = require("alidade")

local world = {}

-- A bar of the game at the top. Callouts stay below it.
world.BAR_DIP = 26

-- Requests of one key replace each other: of several taps, the newest wins.
local TAP_KEY = 1
local TOLERANCE_DIP = 9

-- Colours by height, in metres. The sea and the land meet at 0 without a colour between them.
local SEA = { { -6000, 22, 50, 90 }, { -3000, 52, 98, 150 }, { -200, 122, 172, 212 }, { 0, 160, 204, 228 } }
local LAND = { { 0, 140, 176, 124 }, { 500, 204, 206, 150 }, { 1500, 206, 170, 124 }, { 3000, 168, 132, 108 },
  { 4500, 226, 220, 216 }, { 6000, 252, 252, 252 } }

local function color_at(stops, height)
  local upper = 2
  while stops[upper + 1] and height > stops[upper][1] do
    upper = upper + 1
  end
  local a, b = stops[upper - 1], stops[upper]
  local part = (height - a[1]) / (b[1] - a[1])
  local color = { 0, 0, 0, 255 }
  for channel = 1, 3 do
    color[channel] = math.floor(a[channel + 1] + part * (b[channel + 1] - a[channel + 1]) + 0.5)
  end
  return color
end

-- The engine wants colours at equal steps: one for each 50 m.
world.relief = { minimum = -6000, maximum = 6000, ramp = {} }
for height = world.relief.minimum, world.relief.maximum, 50 do
  table.insert(world.relief.ramp, color_at(height < 0 and SEA or LAND, height))
end

-- How an element is described: its name, and a text with a number of people.
local function popup(text, people)
  local flags = alidade.popup_field_flags.HAS_DECIMALS
  return { title = "{name}", text = text, fields = { { name = people, flags = flags, digit_separator = "," } } }
end

local function feature_layer(folder, name, renderer, definition)
  local layer = alidade.feature_layer.create_from_path(world.runtime, folder .. "/" .. name .. ".fgb")
  layer:set_renderer(renderer)
  layer:set_popup_definition(definition)
  world.map:add_layer(layer)
  return layer
end

local function marker(size_dip)
  return {
    kind = alidade.symbol_kind.MARKER,
    size_dip = size_dip,
    color = { 250, 250, 250, 255 },
    line_color = { 40, 40, 40, 255 },
    line_width_dip = 1.5,
  }
end

function world.load(folder)
  world.runtime = alidade.runtime.create()
  world.degrees = alidade.spatial_reference.create_from_code(world.runtime, "EPSG", 4326)
  world.mercator = alidade.spatial_reference.create_from_code(world.runtime, "EPSG", 3857)
  world.map = alidade.map.create(world.runtime, world.mercator)
  world.heights = alidade.raster_layer.create_from_path(world.runtime, folder .. "/elevation.tif")
  world.heights:set_renderer({
    kind = alidade.raster_renderer_kind.STRETCH,
    fields = alidade.raster_renderer_fields.RANGE,
    minimum = world.relief.minimum,
    maximum = world.relief.maximum,
    ramp = world.relief.ramp,
  })
  world.map:add_basemap_layer(world.heights)
  world.countries = feature_layer(folder, "countries", {
    symbol = { kind = alidade.symbol_kind.FILL, line_color = { 70, 60, 60, 255 }, line_width_dip = 1.2 },
  }, popup("A country in {continent} with {pop_est} inhabitants.", "pop_est"))
  world.cities = feature_layer(folder, "cities", {
    kind = alidade.graphics_renderer_kind.CLASS_BREAKS,
    fields = { "rank_max" },
    minimum = 9,
    class_count = 2,
    upper_bounds = { 11, 14 },
    symbols = { marker(6), marker(9) },
  }, popup("A city in {adm0name} with {pop_max} inhabitants.", "pop_max"))
  -- The map loads while the first frames are drawn: nothing here waits.
  world.loading = world.map:load_async()

  local width, height = love.graphics.getDimensions()
  world.view = alidade.view.create(world.map, {
    width_dip = width,
    height_dip = height,
    pixel_density = love.graphics.getDPIScale(),
  })
  world.view:set_interaction_options({ flags = alidade.interaction_flags.TWIST })
  world.view:set_insets({ top_dip = world.BAR_DIP })
  world.view:set_center(12, 44, world.degrees)
  world.view:set_scale(20e6)
  world.callout = alidade.callout.create(world.view, { leader_length_dip = 12, leader_width_dip = 16, margin_dip = 8 })
  world.said = { title = "", text = "" }
end

function world.resize()
  local width, height = love.graphics.getDimensions()
  world.view:set_size(width, height, love.graphics.getDPIScale())
end

--- Asks what lies at a point of the screen. The result comes with an event.
function world.ask(x, y)
  world.asked = world.view:identify_async(x, y, TOLERANCE_DIP, 0, nil, { replace_key = TAP_KEY })
end

-- What the callout says: the popup of a feature, or the height of a cell.
local function words_for(result, element)
  if element.kind == alidade.element_kind.RASTER_CELL then
    local value = result:get_attribute_at(0, 0)
    return { title = ("%d m"):format(math.abs(value.real)), text = value.real < 0 and "below sea level" or "above sea level" }
  end
  local popup = result:get_popup_at(0)
  return { title = alidade.text(popup.title), text = alidade.text(popup.text) }
end

local function show(request)
  local is_done, result = pcall(request.take_identify_result, request)
  if not is_done then
    assert(result.status == alidade.status.CANCELLED, result)
    return
  end
  world.callout:handle_tap(result)
  for element in result:elements() do
    world.said = words_for(result, element)
    if element.layer == world.cities.id then
      -- The callout points to the city, not to the finger.
      world.callout:show_for(result, 0, alidade.callout_show_flags.AT_CENTER)
    end
    break
  end
end

function world.update(seconds)
  world.runtime:pump(2)
  for event in world.runtime:events() do
    if event.kind == alidade.event_kind.GESTURE and event.gesture == alidade.gesture_kind.TAP then
      world.ask(event.screen_point.x, event.screen_point.y)
    elseif event.kind == alidade.event_kind.REQUEST_FINISHED and world.asked == event.request then
      show(world.asked)
    end
  end
  world.view:advance(seconds)
end

function world.is_loaded(layer)
  return layer:get_load_info().status == alidade.load_status.LOADED
end

return world
