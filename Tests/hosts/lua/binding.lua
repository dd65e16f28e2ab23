-- What the LuaJIT binding promises beyond the table of cases: luajit binding.lua ALIDADE.JSON CDEF, in the root of the
-- repository. Prints what fails and, last, "N passed, N failed".
local alidade = require("alidade")
local ffi = require("ffi")

local passed, failed = 0, 0
local function check(holds, what)
  if holds then
    passed = passed + 1
  else
    failed = failed + 1
    print("FAILED " .. what)
  end
end
local function refuses(part, call, ...)
  local is_done, why = pcall(call, ...)
  check(not is_done and tostring(why):find(part, 1, true), ("refuses with %q, found %s"):format(part, tostring(why)))
  return why
end

local runtime = alidade.runtime.create({ thread_count = 1 })
local degrees = alidade.spatial_reference.create_from_code(runtime, "EPSG", 4326)
local handles_before = tonumber(runtime:get_handle_count())
local function handles()
  collectgarbage()
  collectgarbage()
  return tonumber(runtime:get_handle_count()) - handles_before
end

-- Every function of the header is there: in C, and as a member or a function.
do
  local text = io.open(arg[1]):read("*a")
  local listed = {}
  for name in text:match('"functions": %[(.*)'):gmatch('"name": "(ald_[%w_]+)",%s+"returns"') do
    listed[#listed + 1] = name
  end
  check(#listed >= 457, "alidade.json lists the functions: " .. #listed)
  local kinds = {}
  for kind in io.open(arg[2]):read("*a"):gmatch("typedef uint64_t ald_([%w_]+);") do
    kinds[#kinds + 1] = kind
  end
  for _, kind in ipairs({ "raster_layer", "feature_layer", "group_layer" }) do
    kinds[#kinds + 1] = kind
  end
  for _, name in ipairs(listed) do
    check(pcall(function() return alidade.C[name] end), name .. " is in the library")
    local short, found = name:sub(5), rawget(alidade, name:sub(5)) ~= nil
    for _, kind in ipairs(kinds) do
      if short:sub(1, #kind + 1) == kind .. "_" then
        found = found or type(rawget(alidade[kind], short:sub(#kind + 2))) == "function"
      end
    end
    check(found, name .. " can be called")
  end
end

-- Errors are tables with the fields of ald_error.
do
  local why = refuses("ALD_STATUS_NOT_FOUND", alidade.raster.open, runtime, "no such file.tif")
  check(alidade.is_error(why) and why.status == alidade.status.NOT_FOUND, "the status")
  check(why.name == "ALD_STATUS_NOT_FOUND" and why.argument == 2, "the name and the argument")
  check(why.domain == alidade.error_domain.SYSTEM or why.domain == alidade.error_domain.GDAL, "the domain")
  check(tostring(why) == why.name .. ": " .. why.message, "tostring")
  check(not alidade.is_error("text"), "a text is no error of the library")
  refuses("ALD_STATUS_INVALID_HANDLE", alidade.view.create, runtime)
  refuses("band_facts has no SCALES", function() return alidade.band_facts.SCALES end)
  refuses("the module has no veiw", function() return alidade.veiw end)
  refuses("ald_view_options has no field with_dip", alidade.view_options, { with_dip = 8 })
  local why_text = refuses("text must be a string", function() runtime:set_label(runtime.id, 5) end)
  check(tostring(why_text):find("binding.lua:", 1, true), "an error about an argument names the line of the caller")
end

-- Texts: UTF-8 both ways, and none is cut at a NUL.
do
  local map = alidade.map.create(runtime)
  map:set_property("Höhe", "Zürich\n北京")
  check(map:get_property("Höhe") == "Zürich\n北京", "UTF-8")
  map:set_property("long", ("ä"):rep(5000))
  check(map:get_property("long") == ("ä"):rep(5000), "a text that is longer than the buffer")
  refuses("NUL", map.set_property, map, "key", "a\0b")
  refuses("string", map.set_property, map, "key", 5)
  local keys = {}
  for key in map:property_keys() do
    keys[#keys + 1] = key
  end
  check(#keys == 2, "a list of texts")
  map:release()
end

-- Objects: those that Lua owns end with their names, borrowed ones do not.
do
  check(handles() == 0, "nothing is left of the calls that failed")
  local geometry = alidade.geometry.create_from_wkt(runtime, "POINT (1 2)", degrees)
  check(handles() == 1, "an object")
  local same = alidade.geometry(geometry.id)
  check(geometry == same and same ~= degrees and geometry ~= nil, "equal by what they name")
  check(geometry:get_spatial_reference() == degrees, "a getter gives the same object")
  check(tostring(geometry):match("^alidade%.geometry 0x%x+$"), "tostring")
  check(alidade.geometry(tostring(geometry.id)) == geometry, "an id as a text names the same object")
  same = nil
  check(handles() == 1, "a borrowed name ends nothing")
  geometry:release()
  geometry:release()
  check(handles() == 0, "released")
  refuses("ALD_STATUS_INVALID_HANDLE", geometry.get_wkt, geometry)
  for _ = 1, 100 do
    alidade.geometry.create_from_wkt(runtime, "POINT (1 2)", degrees)
  end
  check(handles() == 0, "collected")
  local json = alidade.viewpoint_get_json(runtime, (alidade.viewpoint_create_from_location(runtime, 47, 8, 5000)))
  local viewpoint, reference, area = alidade.viewpoint_create_from_json(runtime, json)
  check(viewpoint.scale == 5000 and reference ~= nil and area == nil, "a null object is nil")
  viewpoint, reference = nil, nil
  -- What a struct points to lives with the struct, although nothing else names the object.
  local columns = alidade.geometry.create_from_wkt(runtime, "LINESTRING (1 2, 3 4)", degrees):get_columns()
  collectgarbage()
  check(handles() == 1 and columns.xy[3] == 4, "the columns keep their geometry")
  columns = nil
  check(handles() == 0, "and no longer")
end

-- A runtime outlives its name: the objects that it owns are in use.
do
  local layer_count
  do
    local map = alidade.map.create(alidade.runtime.create())
    collectgarbage()
    collectgarbage()
    layer_count = map:get_layer_count()
    map:release()
  end
  check(layer_count == 0, "a runtime is not collected")
end

-- Arrays in every form, 64-bit ids, structs with arrays in them.
do
  local expected = degrees:project_points(alidade.spatial_reference.create_from_code(runtime, "EPSG", 3857), { 1, 2, 3, 4 })
  local forms = {
    { { 1, 2 }, { 3, 4 } },
    { { x = 1, y = 2 }, { x = 3, y = 4 } },
    ffi.new("ald_point[2]", { { 1, 2 }, { 3, 4 } }),
    ffi.new("double[4]", { 1, 2, 3, 4 }),
    ffi.new("double[?]", 4, { 1, 2, 3, 4 }),
  }
  local memory = ffi.new("double[6]", { 1, 2, 0, 3, 4, 0 })
  forms[#forms + 1] = alidade.span(memory + 0, 2, 24)
  for index, form in ipairs(forms) do
    local found = degrees:project_points(alidade.spatial_reference.create_from_code(runtime, "EPSG", 3857), form)
    check(found[1].x == expected[1].x and found[1].y == expected[1].y, "points in form " .. index)
  end
  local in_place = ffi.new("ald_point[2]", { { 1, 2 }, { 3, 4 } })
  local mercator = alidade.spatial_reference.create_from_code(runtime, "EPSG", 3857)
  check(degrees:project_points(mercator, in_place, in_place) == in_place, "in place")
  check(in_place[1].y == expected[1].y, "in place, the values")
  refuses("no whole number of points", degrees.project_points, degrees, mercator, { 1, 2, 3 })
  refuses("a pointer has no length", degrees.project_points, degrees, mercator, memory + 0)
  refuses("too small", degrees.project_points, degrees, mercator, { 1, 2, 3, 4 }, ffi.new("ald_point[1]"))
  local distances = degrees:geodesic_inverse(0, { 0, 0, 0, 0 }, { 0, 1, 1, 0 })
  check(math.abs(distances[0] - 110574.388557799) < 1e-6, "metres of a degree of latitude (GeographicLib)")
  refuses("to_xy has 1 elements instead of 2", degrees.geodesic_inverse, degrees, 0, { 0, 0, 0, 0 }, { 0, 1 })

  local overlay = alidade.graphics_overlay.create(runtime)
  overlay:set_renderer({
    kind = alidade.graphics_renderer_kind.UNIQUE_VALUE,
    fields = { "kind" },
    symbol = { kind = alidade.symbol_kind.MARKER, size_dip = 4, color = { 1, 2, 3, 255 } },
    symbols = { { kind = alidade.symbol_kind.MARKER, size_dip = 9, color = { red = 9, alpha = 255 } } },
    class_count = 1,
    values = { { type = alidade.graphic_value_type.TEXT, text = "tree" } },
  })
  local first = overlay:add_graphic(alidade.geometry.create_from_wkt(runtime, "POINT (1 2)", degrees), nil)
  check(type(first) == "cdata" and ffi.istype("uint64_t", first), "ids are 64-bit integers")
  local ids, count = overlay:get_graphic_ids()
  check(count == 1 and ids[0] == first, "a list of ids")
  overlay:remove_graphics({ first })
  check(overlay:get_info().graphic_count == 0, "an array of ids")

  local policy = alidade.policy({ drivers = { "GTiff", "GPKG" }, max_request_ms = 5 })
  check(policy.driver_count == 2 and alidade.text(policy.drivers[1]) == "GPKG", "an array sets its count")
  collectgarbage()
  check(alidade.text(policy.drivers[0]) == "GTiff", "and lives with its struct")
  local strict = alidade.runtime.create({ policy = alidade.untrusted_policy() })
  check(alidade.untrusted_policy().max_request_ms == alidade.POLICY_UNTRUSTED_MS, "the policy for files of strangers")
  strict:release()
end

-- Requests are polled, or call a function inside pump; its error comes out of pump.
do
  local path, seen = "examples/quickstart/data/RGB.byte.tif", nil
  local request = alidade.raster.open_async(runtime, path)
  while not seen and runtime:wait(10000) do
    for event in runtime:events() do
      seen = event.kind == alidade.event_kind.REQUEST_FINISHED and request == event.request and event or seen
    end
  end
  check(seen and seen.request_state == alidade.request_state.SUCCEEDED, "the event of a request")
  check(request:take_raster():get_info().band_count == 3, "and its result")
  local called = 0
  local again = alidade.raster.open_async(runtime, path, nil, { on_done = function() called = called + 1 end })
  local thrown = alidade.raster.open_async(runtime, path, nil, { on_done = function() error("mine") end })
  again:wait()
  thrown:wait()
  refuses("mine", runtime.pump, runtime, alidade.ALL)
  check(called == 1, "a function of Lua was called once")
  refuses("ALD_STATUS_NOT_READY", function()
    alidade.raster.open_async(runtime, path):take_raster()
  end)
end

-- Pixels go into memory of the host.
do
  local map = alidade.map.create(runtime, alidade.spatial_reference.create_from_code(runtime, "EPSG", 32618))
  local layer = alidade.raster_layer.create_from_path(runtime, "examples/quickstart/data/RGB.byte.tif")
  map:add_layer(layer)
  map:load()
  local view = alidade.view.create(map, { width_dip = 64, height_dip = 48 })
  view:zoom_to_envelope(layer:get_full_extent())
  local pixels, columns, rows = view:read_rgba(layer)
  check(columns == 64 and rows == 48 and ffi.sizeof(pixels) == 64 * 48 * 4, "a picture")
  local mine, opaque, is_same = ffi.new("uint8_t[?]", 64 * 48 * 4), 0, true
  view:read_rgba(layer, nil, alidade.span(mine + 0, 64 * 48 * 4))
  for index = 0, 64 * 48 * 4 - 1 do
    is_same = is_same and mine[index] == pixels[index]
    opaque = opaque + (index % 4 == 3 and mine[index] == 255 and 1 or 0)
  end
  check(is_same, "the same pixels in memory of the host")
  check(opaque > 500, "and they are not empty: " .. opaque)
  refuses("ALD_STATUS_BUFFER_TOO_SMALL", view.read_rgba, view, layer, nil, ffi.new("uint8_t[99]"))
  local borrowed
  for found in map:layers() do
    borrowed = found
  end
  check(borrowed == layer and alidade.raster_layer(borrowed):get_raster() ~= nil, "a layer as one of its kind")
end

-- A module that is loaded again in the same state declares nothing twice, and knows the same objects by their ids.
do
  package.loaded.alidade = nil
  local again = require("alidade")
  check(again ~= alidade and again.spatial_reference(degrees.id):get_info().kind == degrees:get_info().kind, "loaded again")
end

runtime:release()
refuses("ALD_STATUS_INVALID_HANDLE", degrees.get_info, degrees)
print(("%d passed, %d failed"):format(passed, failed))
os.exit(failed == 0, true)
