-- Runs the table of cases in LuaJIT: luajit conformance.lua CASES, in the root of the repository.
--
-- Prints a line for each case that fails and, last, "N passed, N failed". The head of cases.tsv explains the
-- operations.
local alidade = require("alidade")
local text = alidade.text

-- Values: a real number is compared with a tolerance, everything else as a text.

local Real = {}
local function real(number)
  return setmetatable({ number = number }, Real)
end

local function shown(value)
  if getmetatable(value) == Real then
    return ("%.17g"):format(value.number)
  elseif type(value) == "number" then
    return ("%.0f"):format(value)
  elseif type(value) == "cdata" then
    return (tostring(value):gsub("U?LL$", ""))
  elseif type(value) == "boolean" then
    return value and "1" or "0"
  end
  return value == "" and '""' or (value:gsub("\n", "\\n"))
end

--- Whether a value is the one expected: NUMBER~TOLERANCE, *PART OF A TEXT*, or the text itself.
local function fits(found, expected)
  if getmetatable(found) == Real then
    local number, tolerance = expected:match("^(.*)~(.*)$")
    local wanted = tonumber(number)
    if wanted == nil then
      return false
    end
    return math.abs(found.number - wanted) <= tonumber(tolerance) or (found.number ~= found.number and wanted ~= wanted)
  end
  local part = #expected > 2 and expected:match("^%*(.*)%*$")
  if part then
    return shown(found):find(part, 1, true) ~= nil
  end
  return shown(found) == expected
end

-- Objects from arguments

local runtime

local function reference_of(definition)
  return definition ~= "-" and alidade.spatial_reference.create(runtime, definition) or nil
end

local function geometry_of(wkt, reference)
  return alidade.geometry.create_from_wkt(runtime, wkt, reference)
end

local function unit_of(name)
  return name ~= "-" and alidade.unit_find_by_name(name) or 0
end

local function measure_of(kind, name)
  return kind ~= "-" and { kind = tonumber(kind), unit = unit_of(name) } or nil
end

local function layer_of(path)
  local kind = path:match("%.tif$") and alidade.raster_layer or alidade.feature_layer
  return kind.create_from_path(runtime, path)
end

local function points_of(...)
  local points = { ... }
  for index, number in ipairs(points) do
    points[index] = tonumber(number)
  end
  return points
end

local function view_of(longitude, latitude, scale, rotation, path, symbol)
  local map = alidade.map.create(runtime, alidade.spatial_reference.create_from_code(runtime, "EPSG", 3857))
  if path then
    local layer = layer_of(path)
    if symbol ~= "-" then
      layer:set_renderer({ symbol = { kind = tonumber(symbol), color = { alpha = 255 }, size_dip = 8 } })
    end
    layer:load()
    map:add_layer(layer)
  end
  local view = alidade.view.create(map, { width_dip = 800, height_dip = 600 })
  local degrees = alidade.spatial_reference.create_from_code(runtime, "EPSG", 4326)
  view:set_center(tonumber(longitude), tonumber(latitude), degrees)
  view:set_scale(tonumber(scale))
  view:set_rotation(tonumber(rotation))
  return view
end

local function features_of(path, where)
  local source = alidade.feature_source.open(runtime, path)
  return source:query(where ~= "-" and { where = where } or nil)
end

-- The operations. Each takes a function that notes a value, and the arguments.

local operations = {}

function operations.unit(put, value, from, to)
  put(real(alidade.unit_convert(tonumber(value), unit_of(from), unit_of(to))))
end

function operations.reference(put, definition)
  local info = reference_of(definition):get_info()
  put(info.kind, text(info.name), text(info.authority), text(info.code), text(info.unit_name))
  put(real(info.metres_per_unit), real(info.semi_major_axis_m), real(info.inverse_flattening))
end

function operations.project(put, source, target, ...)
  local from, to = reference_of(source), reference_of(target)
  local points, statuses = from:project_points(to, points_of(...))
  for index = 0, select("#", ...) / 2 - 1 do
    put(statuses[index])
    if statuses[index] == alidade.point_status.OK then
      put(real(points[index].x), real(points[index].y))
    end
  end
end

function operations.geodesic(put, definition, x1, y1, x2, y2)
  local distances, azimuths, end_azimuths =
    reference_of(definition):geodesic_inverse(alidade.curve_type.GEODESIC, points_of(x1, y1), points_of(x2, y2))
  put(real(distances[0]), real(azimuths[0]), real(end_azimuths[0]))
end

function operations.geometry(put, wkt)
  local geometry = geometry_of(wkt)
  local info = geometry:get_info()
  local digits = geometry:get_wkb():gsub(".", function(byte)
    return ("%02X"):format(byte:byte())
  end)
  put(info.kind, info.flags, info.vertex_count, digits, geometry:get_wkt())
end

function operations.from_wkb(put, digits)
  local bytes = digits:gsub("%x%x", function(byte)
    return string.char(tonumber(byte, 16))
  end)
  put(alidade.geometry.create_from_wkb(runtime, bytes):get_wkt())
end

function operations.area(put, definition, kind, unit, wkt)
  put(real(geometry_of(wkt, reference_of(definition)):area(measure_of(kind, unit))))
end

function operations.lengths(put, definition, kind, unit, ...)
  local reference, geometries = reference_of(definition), { ... }
  for index, wkt in ipairs(geometries) do
    geometries[index] = geometry_of(wkt, reference)
  end
  local lengths = alidade.geometry_array.create_from_geometries(runtime, geometries):lengths(measure_of(kind, unit))
  for index = 0, #geometries - 1 do
    put(real(lengths[index]))
  end
end

function operations.distance(put, definition, kind, unit, a, b)
  local reference = reference_of(definition)
  local found = geometry_of(a, reference):distance(geometry_of(b, reference), measure_of(kind, unit))
  put(real(found.distance), real(found.point_a.x), real(found.point_a.y), real(found.point_b.x), real(found.point_b.y))
end

function operations.relate(put, a, b)
  put((geometry_of(a):relate(geometry_of(b))))
end

function operations.test(put, predicate, a, b)
  put((geometry_of(a):test(geometry_of(b), tonumber(predicate))))
end

function operations.buffer(put, definition, distance, unit, segments, wkt)
  local options = { unit = unit_of(unit), quadrant_segments = segments ~= "-" and tonumber(segments) or 0 }
  put(real(geometry_of(wkt, reference_of(definition)):create_buffer(tonumber(distance), options):area()))
end

function operations.geodesic_buffer(put, definition, distance, unit, deviation, wkt)
  local options = { unit = unit_of(unit), maximum_deviation = deviation ~= "-" and tonumber(deviation) or 0 }
  local buffer, report =
    geometry_of(wkt, reference_of(definition)):create_geodesic_buffer(tonumber(distance), options)
  put(real(buffer:area({ kind = alidade.measure_kind.GEODESIC })), real(report.maximum_deviation_m))
  put(report.achieved_deviation_m <= report.maximum_deviation_m)
end

function operations.transformations(put, source, target)
  local list = alidade.transformation_list.create(reference_of(source), reference_of(target))
  put(list:get_row_count())
  for row in list:rows() do
    local info = alidade.transformation(row.transformation):get_info()
    put(text(info.name), real(info.accuracy_m))
    return
  end
end

function operations.raster(put, path)
  local raster = alidade.raster.open(runtime, path)
  local info, band = raster:get_info(), raster:get_band_info(1)
  put(text(info.driver), info.width, info.height, info.band_count)
  put(text(raster:get_spatial_reference():get_info().code))
  local extent = info.extent
  put(real(extent.x_min), real(extent.y_min), real(extent.x_max), real(extent.y_max), band.type)
  if bit.band(band.facts, alidade.band_facts.NODATA) ~= 0 then
    put(real(band.nodata))
  end
end

function operations.cells(put, path, ...)
  local raster = alidade.raster.open(runtime, path)
  local degrees = alidade.spatial_reference.create_from_code(runtime, "EPSG", 4326)
  local cells, values = raster:read_points(degrees, points_of(...))
  local band_count = raster:get_info().band_count
  for index = 0, select("#", ...) / 2 - 1 do
    put(cells[index].verdict)
    if cells[index].verdict ~= alidade.cell_verdict.OUTSIDE then
      put(cells[index].column, cells[index].row)
      for band = 0, band_count - 1 do
        local value = values[index * band_count + band]
        put(value.type == alidade.data_type.INT64 and value.integer or real(value.value))
      end
    end
  end
end

function operations.features(put, path, where)
  local found = features_of(path, where)
  local columns, count = found:get_columns(), found:get_info().feature_count
  put(count)
  for index = 0, math.min(count, 5) - 1 do
    put(columns.ids[index])
  end
end

function operations.feature(put, path, where, field)
  local found = features_of(path, where)
  local value, types = found:get_attribute(0, tonumber(field)), alidade.field_type
  put(found:get_geometries():create_geometry(0):get_wkt(), value.type, value.state == alidade.value_state.PRESENT)
  if value.state ~= alidade.value_state.PRESENT then
    return
  elseif value.type == types.INTEGER then
    put(value.integer)
  elseif value.type == types.REAL then
    put(real(value.real))
  elseif value.type == types.TEXT then
    put(text(value.text))
  elseif value.type == types.TEXT_LIST then
    for index = 0, value.element_count - 1 do
      put(text(value.texts[index]))
    end
  elseif value.type == types.DATE_TIME then
    local time = value.date_time
    put(time.year, time.month, time.day, time.hour, time.minute, real(time.second))
  end
end

function operations.view(put, longitude, latitude, scale, rotation, screen_x, screen_y, map_x, map_y)
  local view = view_of(longitude, latitude, scale, rotation)
  local state = view:get_state()
  put(real(state.center.x), real(state.center.y), real(state.scale), real(state.rotation_deg), real(state.units_per_dip))
  local x, y = view:screen_to_map(tonumber(screen_x), tonumber(screen_y))
  put(real(x), real(y))
  local points = view:map_to_screen({ { tonumber(map_x), tonumber(map_y) } })
  put(real(points[0].x), real(points[0].y))
end

local function put_identified(put, result, name)
  put(result:get_info().element_count)
  for element in result:elements() do
    put(element.kind)
    if element.kind == alidade.element_kind.RASTER_CELL then
      local cell = result:get_cell_at(0)
      put(cell.column, cell.row)
    else
      put(element.id)
    end
    local attribute, types = result:find_attribute(0, name), alidade.attribute_type
    put(text(element.text), attribute.type)
    if attribute.type == types.INTEGER then
      put(attribute.integer)
    elseif attribute.type == types.UNSIGNED then
      put(attribute.unsigned_integer)
    elseif attribute.type == types.REAL then
      put(real(attribute.real))
    elseif attribute.type == types.TEXT then
      put(text(attribute.text))
    end
    return
  end
end

function operations.identify(put, longitude, latitude, scale, rotation, x, y, path, symbol, tolerance, name)
  local view = view_of(longitude, latitude, scale, rotation, path, symbol)
  put_identified(put, view:identify(tonumber(x), tonumber(y), tonumber(tolerance)), name)
end

function operations.identify_async(put, longitude, latitude, scale, rotation, x, y, path, symbol, tolerance, name)
  local view = view_of(longitude, latitude, scale, rotation, path, symbol)
  local calls, request = 0, nil
  request = view:identify_async(tonumber(x), tonumber(y), tonumber(tolerance), 0, nil, {
    on_done = function(done)
      calls = calls + (done == request and 1 or 100)
    end,
  })
  local state = request:wait()
  runtime:pump(alidade.ALL)
  put(request:get_info().kind, state, calls)
  put_identified(put, request:take_identify_result(), name)
end

function operations.snap(put, longitude, latitude, scale, rotation, x, y, path, symbol, tolerance, kinds)
  local view = view_of(longitude, latitude, scale, rotation, path, symbol)
  local found = view:snap(tonumber(x), tonumber(y), tonumber(tolerance), { kinds = tonumber(kinds) })
  put(found.kind)
  if found.kind ~= 0 then
    put(found.id, real(found.map_point.x), real(found.map_point.y))
    put(real(found.screen_point.x), real(found.screen_point.y), real(found.distance_dip))
  end
end

function operations.layer_names(put, path, ...)
  local map, names = alidade.map.create(runtime), { ... }
  for _, name in ipairs(names) do
    local layer = layer_of(path)
    layer:set_text(alidade.layer_text_kind.NAME, name)
    map:add_layer(layer)
    layer:release()
  end
  local found = {}
  for layer in map:layers() do
    table.insert(found, 1, layer:get_text(alidade.layer_text_kind.NAME))
  end
  put(unpack(found))
end

function operations.released(put, wkt)
  local geometry = geometry_of(wkt)
  geometry:release()
  geometry:release()
  put(geometry:get_wkt())
end

function operations.load(put, path)
  local layer = layer_of(path)
  local request, finished, loaded = layer:load_async(), nil, nil
  while not (finished and loaded and loaded.load_status >= alidade.load_status.LOADED) and runtime:wait(60000) do
    for event in runtime:events() do
      if event.kind == alidade.event_kind.LOAD_STATUS_CHANGED and event.layer == layer.id then
        loaded = event
      elseif event.kind == alidade.event_kind.REQUEST_FINISHED and request == event.request then
        finished = event
      end
    end
  end
  put(finished.request_state, loaded.load_status, alidade.status_get_name(loaded.status))
end

--- The values of a case. An operation that fails has three values: the status, the argument and the message.
local function run(name, arguments)
  local found = {}
  if operations[name] == nil then
    return { "no such operation" }
  end
  runtime = alidade.runtime.create()
  local function put(...)
    for index = 1, select("#", ...) do
      found[#found + 1] = (select(index, ...))
    end
  end
  local is_done, why = pcall(operations[name], put, unpack(arguments))
  runtime:release()
  if is_done then
    return found
  elseif alidade.is_error(why) then
    return { why.name, why.argument, why.message }
  end
  return { "not an error of Alidade: " .. tostring(why) }
end

local function split(line)
  local cells = {}
  for cell in (line .. "\t"):gmatch("([^\t]*)\t") do
    cells[#cells + 1] = cell
  end
  return cells
end

local passed, failed = 0, 0
for line in io.lines(arg[1]) do
  if line ~= "" and line:sub(1, 1) ~= "#" then
    local cells, arguments, expected, is_expected = split(line), {}, {}, false
    for index = 3, #cells do
      if not is_expected and cells[index] == "=" then
        is_expected = true
      else
        table.insert(is_expected and expected or arguments, cells[index])
      end
    end
    local found = run(cells[2], arguments)
    local holds = #found == #expected
    for index = 1, #found do
      holds = holds and fits(found[index], expected[index])
      found[index] = shown(found[index])
    end
    if holds then
      passed = passed + 1
    else
      failed = failed + 1
      print(("FAILED  %s: expected | %s, found | %s"):format(cells[1], table.concat(expected, " | "), table.concat(found, " | ")))
    end
  end
end
print(("%d passed, %d failed"):format(passed, failed))
os.exit(failed == 0 and passed > 0, true)
