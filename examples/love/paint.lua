-- What a frame shows: the pixels of the relief, and over them the lines, markers and texts that LÖVE draws.
local alidade = require("alidade")
local pixels = require("pixels")
local world = require("world")

local paint = {}

local LINE_HEIGHT, PADDING, TEXT_WIDTH = 18, 10, 240
local fonts, labels = {}, nil
local drawn_generation, drawn_parts = nil, 0
local borders, markers = {}, {}
local state, layout = alidade.view_state(), alidade.callout_layout()

function paint.load()
  fonts.small, fonts.plain, fonts.title = love.graphics.newFont(12), love.graphics.newFont(14), love.graphics.newFont(17)
end

-- The paths of a drawing as LÖVE's lines, and its points. Paths outside of the screen are left out.
local function read_shapes(layer, kind)
  local shapes = {}
  local drawing = world.view:create_feature_drawing(layer)
  local columns = drawing:get_columns()
  local xy = columns.screen_xy
  for item = 0, columns.item_count - 1 do
    local symbol = columns.symbols[columns.symbol_indexes[item]]
    local first = columns.path_offsets[columns.part_offsets[item]]
    local last = columns.path_offsets[columns.part_offsets[item + 1]] - 1
    for path = first, last do
      local from, to = columns.vertex_offsets[path], columns.vertex_offsets[path + 1] - 1
      if kind == "points" then
        for vertex = from, to do
          shapes[#shapes + 1] = { x = xy[2 * vertex], y = xy[2 * vertex + 1], radius = symbol.size_dip / 2 }
        end
      elseif to > from then
        local line = {}
        for vertex = from, to do
          line[#line + 1], line[#line + 2] = xy[2 * vertex], xy[2 * vertex + 1]
        end
        shapes[#shapes + 1] = line
      end
    end
  end
  drawing:release()
  return shapes
end

-- The names of the large cities, once the layer is there.
local function read_labels()
  local found = world.cities:get_source():query({ where = "rank_max >= 12" })
  local xy = found:get_geometries():get_columns().xy
  local count = found:get_info().feature_count
  labels = { names = {}, ranks = {}, count = count, screen = alidade.array("ald_point", count) }
  for index = 0, count - 1 do
    for field = 0, found:get_info().field_count - 1 do
      local value = found:get_attribute(index, field)
      local name = alidade.text(world.cities:get_source():get_field_at(field).name)
      if name == "name" then
        labels.names[index] = alidade.text(value.text)
      elseif name == "rank_max" then
        labels.ranks[index] = tonumber(value.integer)
      end
    end
  end
  labels.points = world.degrees:project_points(world.mercator, alidade.span(xy, count))
  labels.span = alidade.span(labels.points, count)
end

-- Reads again what depends on the camera or on what has been loaded.
local function refresh()
  world.view:get_state(state)
  pixels.update(state)
  local parts = 0
  for index, layer in ipairs({ world.countries, world.cities }) do
    parts = parts + (world.is_loaded(layer) and 2 ^ index or 0)
  end
  if drawn_generation == state.generation and parts == drawn_parts then
    return
  end
  drawn_generation, drawn_parts = state.generation, parts
  if world.is_loaded(world.countries) then
    borders = read_shapes(world.countries, "lines")
  end
  if world.is_loaded(world.cities) then
    markers = read_shapes(world.cities, "points")
    if not labels then
      read_labels()
    end
    world.view:map_to_screen(labels.span, labels.screen)
  end
end

local function outlined(text, x, y, color)
  love.graphics.setColor(1, 1, 1, 0.75)
  for dx = -1, 1 do
    for dy = -1, 1 do
      love.graphics.print(text, x + dx, y + dy)
    end
  end
  love.graphics.setColor(color)
  love.graphics.print(text, x, y)
end

-- Names that would cover one another are left out, the largest cities first.
local function draw_labels()
  love.graphics.setFont(fonts.small)
  -- The corner of the scale bar is taken.
  local order, taken = {}, { { 0, state.height_dip - 48, 190, state.height_dip } }
  for index = 0, labels.count - 1 do
    order[#order + 1] = index
  end
  table.sort(order, function(a, b)
    return labels.ranks[a] > labels.ranks[b] or labels.ranks[a] == labels.ranks[b] and a < b
  end)
  for _, index in ipairs(order) do
    local x, y = math.floor(labels.screen[index].x + 8), math.floor(labels.screen[index].y - 8)
    local right, bottom = x + fonts.small:getWidth(labels.names[index]), y + fonts.small:getHeight()
    local is_free = x > 0 and y > world.BAR_DIP and right < state.width_dip and bottom < state.height_dip
    for _, other in ipairs(is_free and taken or {}) do
      is_free = is_free and (right + 6 < other[1] or x > other[3] + 6 or bottom < other[2] or y > other[4])
    end
    if is_free then
      taken[#taken + 1] = { x, y, right, bottom }
      outlined(labels.names[index], x, y, { 0.12, 0.12, 0.12 })
    end
  end
end

-- The box is as large as its words.
local measured
local function measure_callout()
  if measured == world.said then
    return
  end
  measured = world.said
  local _, lines = fonts.plain:getWrap(world.said.text, TEXT_WIDTH)
  local width = fonts.title:getWidth(world.said.title)
  for _, line in ipairs(lines) do
    width = math.max(width, fonts.plain:getWidth(line))
  end
  world.callout:set_size(width + 2 * PADDING, fonts.title:getHeight() + #lines * LINE_HEIGHT + 2 * PADDING)
end

local function draw_callout()
  measure_callout()
  world.callout:get_layout(layout)
  if layout.state ~= alidade.callout_state.VISIBLE then
    return
  end
  local box, tip, base = layout.box_dip, layout.leader_tip_dip, layout.leader_base_dip
  local width, height = box.x_max - box.x_min, box.y_max - box.y_min
  love.graphics.setColor(0, 0, 0, 0.25)
  love.graphics.rectangle("fill", box.x_min + 2, box.y_min + 3, width, height, 6)
  love.graphics.setColor(0.13, 0.15, 0.19)
  love.graphics.polygon("fill", tip.x, tip.y, base[0].x, base[0].y, base[1].x, base[1].y)
  love.graphics.rectangle("fill", box.x_min, box.y_min, width, height, 6)
  love.graphics.setColor(1, 1, 1)
  love.graphics.setFont(fonts.title)
  love.graphics.print(world.said.title, math.floor(box.x_min + PADDING), math.floor(box.y_min + PADDING))
  love.graphics.setColor(0.86, 0.88, 0.92)
  love.graphics.setFont(fonts.plain)
  local top = math.floor(box.y_min + PADDING + fonts.title:getHeight() + 2)
  love.graphics.printf(world.said.text, math.floor(box.x_min + PADDING), top, TEXT_WIDTH)
end

local function draw_panels()
  love.graphics.setFont(fonts.small)
  local help = "drag, fling, wheel, double click: move and zoom     right drag, q, e: turn     n: north up     click: what is it"
  love.graphics.setColor(0.13, 0.15, 0.19, 0.85)
  love.graphics.rectangle("fill", 0, 0, state.width_dip, world.BAR_DIP)
  love.graphics.setColor(1, 1, 1)
  love.graphics.print(help, 10, 6)
  local is_found, bar = pcall(world.view.scale_bar, world.view, state.width_dip / 2, state.height_dip / 2, 160,
    alidade.unit_system.METRIC)
  if is_found then
    local x, y = 14, state.height_dip - 16
    local text = ("%d km     1 : %d million"):format(bar.length_m / 1000, math.floor(state.scale / 1e6 + 0.5))
    love.graphics.setColor(1, 1, 1, 0.92)
    love.graphics.rectangle("fill", x - 6, y - 26, math.max(bar.width_dip, fonts.small:getWidth(text)) + 12, 34, 4)
    love.graphics.setColor(0.12, 0.12, 0.12)
    love.graphics.print(text, x, y - 22)
    love.graphics.setLineWidth(2)
    love.graphics.line(x, y - 5, x, y, x + bar.width_dip, y, x + bar.width_dip, y - 5)
  end
  -- Where north is, once it is no longer up.
  if state.rotation_deg ~= 0 then
    local x, y = state.width_dip - 34, 64
    love.graphics.setColor(1, 1, 1, 0.85)
    love.graphics.circle("fill", x, y, 24)
    love.graphics.push()
    love.graphics.translate(x, y)
    love.graphics.rotate(-math.rad(state.rotation_deg))
    love.graphics.setColor(0.75, 0.1, 0.1)
    love.graphics.polygon("fill", 0, -18, -6, 0, 6, 0)
    love.graphics.setColor(0.5, 0.5, 0.5)
    love.graphics.polygon("fill", 0, 18, -6, 0, 6, 0)
    love.graphics.pop()
  end
end

function paint.draw()
  local begin = love.timer.getTime()
  refresh()
  world.engine_seconds = love.timer.getTime() - begin
  love.graphics.clear(0.10, 0.22, 0.38)
  pixels.draw()
  love.graphics.setColor(0.27, 0.24, 0.24)
  love.graphics.setLineWidth(1.2)
  for _, line in ipairs(borders) do
    love.graphics.line(line)
  end
  for _, marker in ipairs(markers) do
    love.graphics.setColor(0.16, 0.16, 0.16)
    love.graphics.circle("fill", marker.x, marker.y, marker.radius + 0.75)
    love.graphics.setColor(0.98, 0.98, 0.98)
    love.graphics.circle("fill", marker.x, marker.y, marker.radius - 0.75)
  end
  if labels then
    draw_labels()
  end
  draw_panels()
  draw_callout()
end

return paint
