-- Calls stay in compiled code: luajit compiled.lua, in the root of the repository. Prints, last, "N passed, N failed".
--
-- Each loop calls a method until LuaJIT has compiled it. A trace must be there, it must not have been left for
-- something that LuaJIT does not compile (NYI), and it must hold the call itself. As a control, a loop that passes a
-- box by value must be found not to be compiled. The times are for people; they decide nothing.
local alidade = require("alidade")
local jutil = require("jit.util")
local vmdef = require("jit.vmdef")
local ffi = require("ffi")

local runtime = alidade.runtime.create()
local mercator = alidade.spatial_reference.create_from_code(runtime, "EPSG", 3857)
local map = alidade.map.create(runtime, mercator)
local layer = alidade.raster_layer.create_from_path(runtime, "examples/quickstart/data/Shasta_Elevation.tif")
map:add_layer(layer)
map:load()
map:set_initial_location(40.7624, -122.1621, 72000)
local view = alidade.view.create(map, { width_dip = 800, height_dip = 600 })
local overlay = alidade.graphics_overlay.create(runtime)
local state, cell, values = alidade.view_state(), alidade.cell(), alidade.array("ald_band_value", 1)
local points = alidade.array("ald_point", 10)
local box, count = alidade.envelope({ 0, 0, 1, 1 }), ffi.new("size_t[1]")
local source = alidade.feature_source.open(runtime, "examples/data/states.fgb")

local loops = {
  { "a handle", function()
    return view:get_layer_coverage(layer)
  end },
  { "a handle and a number", function()
    layer:set_opacity(0.5)
  end },
  { "a handle that is given back", function()
    return map:get_layer_at(0)
  end },
  { "a point to the map and back", function()
    return view:map_to_screen(view:screen_to_map(400, 300))
  end },
  { "points in an array", function()
    return view:screen_to_map(points, points)
  end },
  { "the state of a frame", function()
    return view:get_state(state).scale
  end },
  { "a cell under a point", function()
    return view:read_cell(layer, 400, 300, cell, values)
  end },
  { "an object that Lua owns", function()
    return view:identify(400, 300, 9)
  end },
  { "a struct that is new each time", function()
    return view:get_state().scale
  end },
  { "a text", function()
    return layer:get_text(alidade.layer_text_kind.NAME)
  end },
  { "a wheel and a frame", function()
    view:handle_wheel(400, 300, 0.001)
    view:advance(1 / 60)
  end },
  { "an overlay", function()
    overlay:clear_graphics()
  end },
}

local traces, aborts = {}, {}
local function watch(what, trace, func, pc, code, reason)
  if what == "stop" then
    traces[#traces + 1] = trace
  elseif what == "abort" then
    local text = vmdef.traceerr[code] or "?"
    if type(reason) == "number" and text:find("bytecode") then
      text = text:gsub("%%d", vmdef.bcnames:sub(reason * 6 + 1, reason * 6 + 6))
    elseif reason ~= nil then
      text = text:gsub("%%s", tostring(reason))
    end
    aborts[#aborts + 1] = text
  end
end

--- How many calls into C the traces hold.
local function calls_in(list)
  local found = 0
  local call = vmdef.irnames:find("CALLXS") / 6
  for _, trace in ipairs(list) do
    local info = jutil.traceinfo(trace)
    for instruction = 1, info and info.nins or 0 do
      local _, operation = jutil.traceir(trace, instruction)
      if operation and math.floor(bit.rshift(operation, 8)) == math.floor(call) then
        found = found + 1
      end
    end
  end
  return found
end

local function look(name, call)
  jit.flush()
  traces, aborts = {}, {}
  -- A loop of its own for each call: a shared one would have other calls' traces.
  local loop = loadstring("local call = ... for _ = 1, 2000 do call() end")
  -- A finalizer that runs while a trace is recorded ends the recording: LuaJIT tries again later, the test does not.
  collectgarbage()
  collectgarbage("stop")
  jit.attach(watch, "trace")
  loop(call)
  jit.attach(watch)
  collectgarbage("restart")
  local begin = os.clock()
  loop(call)
  local microseconds = (os.clock() - begin) * 1e6 / 2000
  local unsupported = {}
  for _, reason in ipairs(aborts) do
    if (reason:find("NYI") or reason:find("unsupported") or reason:find("C type")) and not unsupported[reason] then
      unsupported[#unsupported + 1], unsupported[reason] = reason, true
    end
  end
  local found = calls_in(traces)
  print(("%-32s %d traces, %d calls in them, %.2f us%s"):format(name, #traces, found, microseconds,
    #unsupported > 0 and ", aborted: " .. table.concat(unsupported, "; ") or ""))
  return #traces > 0 and found > 0 and #unsupported == 0
end

local passed, failed = 0, 0
local function check(holds, name)
  if holds then
    passed = passed + 1
  else
    failed = failed + 1
    print("FAILED " .. name)
  end
end

for _, loop in ipairs(loops) do
  check(look(loop[1], loop[2]), loop[1])
end
local is_compiled = look("control: a box by value", function()
  return alidade.C.ald_feature_source_query_ids(source.id, box, mercator.id, nil, 0, count, nil)
end)
check(not is_compiled, "the control was found to be compiled")
print(("%d passed, %d failed"):format(passed, failed))
os.exit(failed == 0, true)
