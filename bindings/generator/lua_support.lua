local ffi = require("ffi")

local alidade = {}

-- A module that is loaded again, or in a state that has the declarations already, must not declare them twice.
if not pcall(ffi.typeof, "ald_error") then
  ffi.cdef([[
@CDEF@]])
end

-- The library: what ALIDADE_LIBRARY names; in an SDK the one of the same prefix; otherwise the system's.
local function load_library()
  local named = os.getenv("ALIDADE_LIBRARY")
  if named and named ~= "" then
    return ffi.load(named)
  end
  local source = debug.getinfo(1, "S").source
  local prefix = source:match("^@(.*)share/lua/5%.1/alidade%.lua$")
  local triplet = (jit.arch == "x64" and "x86_64" or "aarch64") .. "-linux-gnu"
  for _, folder in ipairs(prefix and { "lib/", "lib64/", "lib/" .. triplet .. "/" } or {}) do
    local found, library = pcall(ffi.load, prefix .. folder .. "libalidade.so.0")
    if found then
      return library
    end
  end
  local found, library = pcall(ffi.load, "libalidade.so.0")
  if not found then
    error("alidade: the library cannot be loaded: " .. library .. ". Set ALIDADE_LIBRARY to its path.", 0)
  end
  return library
end

local C = load_library()
alidade.C = C

local new, sizeof, cast, copy, istype, ffi_string = ffi.new, ffi.sizeof, ffi.cast, ffi.copy, ffi.istype, ffi.string
local uint64 = ffi.typeof("uint64_t")

-- Errors

local failure = new("ald_error[1]")
local Error = {}
Error.__index = Error
function Error:__tostring()
  return self.name .. ": " .. self.message
end

--- Whether a value that pcall caught is an error of the library: a table with status, name, argument, domain,
--- domain_code and message.
function alidade.is_error(value)
  return getmetatable(value) == Error
end

local function raise()
  local why = failure[0]
  error(setmetatable({
    status = why.status,
    name = ffi_string(C.ald_status_get_name(why.status)),
    argument = why.argument,
    domain = why.domain,
    domain_code = why.domain_code,
    message = ffi_string(why.message),
  }, Error), 0)
end

local function check(status)
  if status ~= 0 then
    raise()
  end
end

--- Raises the error for a status that a function of alidade.C returned, unless it is 0. Pass alidade.failure as the
--- function's last argument.
alidade.check = check
alidade.failure = failure

-- Values

-- Raises an error about an argument at the line of the host that called.
local own_source = debug.getinfo(1, "S").source
local function refuse(text, ...)
  local level = 2
  while debug.getinfo(level, "S") and debug.getinfo(level, "S").source == own_source do
    level = level + 1
  end
  error("alidade: " .. text:format(...), level)
end

local function text_in(value)
  if value == nil then
    return nil
  end
  if type(value) ~= "string" then
    refuse("a text must be a string, not a %s", type(value))
  end
  if value:find("\0", 1, true) then
    refuse("a text must not contain a NUL")
  end
  return value
end

local function flag(value)
  return (value == true or value == 1) and 1 or 0
end

--- The string that a pointer to a text or an array of characters holds, such as the field of a struct; nil for NULL.
function alidade.text(pointer)
  if pointer == nil then
    return nil
  end
  return ffi_string(pointer)
end
local text_out = alidade.text

local Span = {}
Span.__index = Span

--- An array in memory that a pointer leads to: count elements, each stride_bytes after the one before. Wherever a
--- function takes an array, it takes a span. The memory must outlive the call.
function alidade.span(pointer, count, stride_bytes)
  return setmetatable({ data = pointer, count = count, stride_bytes = stride_bytes or 0 }, Span)
end

-- How many bytes an array has. LuaJIT does not compile the question for arrays whose type leaves it open.
local known_bytes = setmetatable({}, { __mode = "k" })
local function bytes_of(value)
  return known_bytes[value] or sizeof(value)
end

-- The type of a pointer to an element.
local pointer_types = setmetatable({}, {
  __index = function(types, element)
    types[element] = ffi.typeof(element .. " *")
    return types[element]
  end,
})

--- A new array of a type of C, such as alidade.array("ald_point", 4), with indexes from 0. Structs that begin with
--- struct_size have it set.
function alidade.array(name, count)
  local made = new(name .. "[?]", count)
  known_bytes[made] = sizeof(made)
  if alidade.sized[name] then
    for index = 0, count - 1 do
      made[index].struct_size = sizeof(name)
    end
  end
  return made
end

-- What a struct that Lua filled points to must live as long as the struct, and what a struct of the library points to
-- as long as its object.
local anchors = setmetatable({}, { __mode = "k" })

-- The types of objects, by the number that LuaJIT gives a type.
local object_types = {}
local function is_object(value)
  return type(value) == "cdata" and object_types[tonumber(ffi.typeof(value))] == true
end

local fill

-- An array of C of the elements of a table.
local function array_of(values, element, anchor)
  local count = #values
  local made = new(element .. "[?]", count)
  for index = 1, count do
    local value = values[index]
    if type(value) == "table" and alidade.fields[element] then
      if alidade.sized[element] then
        made[index - 1].struct_size = sizeof(element)
      end
      fill(made[index - 1], element, value, anchor)
    elseif is_object(value) then
      made[index - 1] = value.id
    else
      if type(value) == "string" then
        anchor[#anchor + 1] = value
      end
      made[index - 1] = value
    end
  end
  anchor[#anchor + 1] = made
  return made, count
end

-- The names of a struct's fields, as a set.
local function add_names(facts)
  facts.names = {}
  for _, name in ipairs(facts) do
    facts.names[name] = true
  end
end

-- Writes the values of a table into a struct. Tables become structs and arrays; an array sets its count, too.
function fill(struct, name, values, anchor)
  local facts = alidade.fields[name]
  for key, value in pairs(values) do
    local fact = type(key) == "string" and facts[key]
    if type(key) == "number" then
      struct[facts[key]] = value
    elseif not facts.names[key] then
      refuse("%s has no field %s", name, tostring(key))
    elseif type(value) == "table" and getmetatable(value) == Span then
      struct[key] = value.data
    elseif type(value) == "table" and not fact then
      for index = 1, #value do
        struct[key][index - 1] = value[index]
      end
    elseif type(value) == "table" and type(fact) == "string" then
      if alidade.sized[fact] and struct[key].struct_size == 0 then
        struct[key].struct_size = sizeof(fact)
      end
      fill(struct[key], fact, value, anchor)
    elseif type(value) == "table" and alidade.fields[fact.element] and #value == 0 and next(value) then
      struct[key] = array_of({ value }, fact.element, anchor)
    elseif type(value) == "table" then
      local made, count = array_of(value, fact.element, anchor)
      struct[key] = made
      if fact.count and values[fact.count] == nil then
        struct[fact.count] = count
      end
    elseif type(value) == "boolean" then
      struct[key] = value and 1 or 0
    elseif is_object(value) then
      struct[key] = value.id
    else
      if type(value) == "string" or type(value) == "cdata" then
        anchor[#anchor + 1] = value
      end
      struct[key] = value
    end
  end
end

-- A new struct with its defaults.
local function struct_new(name)
  local made = new(name)
  if alidade.sized[name] then
    made.struct_size = sizeof(name)
  end
  return made
end

-- A struct from what the host gave: nothing, a struct, or a table.
local function struct_in(value, name)
  if value == nil or type(value) == "cdata" then
    return value
  end
  if type(value) ~= "table" then
    refuse("an %s is a table or a struct, not a %s", name, type(value))
  end
  local made, anchor = struct_new(name), {}
  fill(made, name, value, anchor)
  anchors[made] = anchor
  return made
end

-- Arrays that come in: a pointer, the number of elements, and what keeps the memory.
local function array_in(value, element)
  if value == nil then
    return nil, 0
  elseif type(value) == "string" then
    return cast("const uint8_t *", value), #value
  elseif type(value) == "table" and getmetatable(value) == Span then
    return value.data, value.count
  elseif type(value) == "table" then
    local anchor = {}
    local made, count = array_of(value, element, anchor)
    anchor[#anchor] = nil -- made itself, which would keep itself
    anchors[made] = anchor
    return made, count
  elseif type(value) ~= "cdata" then
    refuse("an array is a table, an array of C or a span, not a %s", type(value))
  elseif istype(pointer_types[element], value) then
    refuse("a pointer has no length: use alidade.span(pointer, count)")
  end
  return value, bytes_of(value) / sizeof(element)
end

-- Strided arrays of points or vertices: a pointer, the stride, the number of points.
local function points_in(value, element, dimensions)
  local whole = dimensions * sizeof(element)
  if type(value) == "table" and getmetatable(value) == Span then
    return cast(pointer_types[element], value.data), value.stride_bytes, value.count
  elseif type(value) == "table" then
    local is_flat = type(value[1]) == "number"
    local count = is_flat and #value / dimensions or #value
    if count % 1 ~= 0 then
      refuse("%d numbers are no whole number of points", #value)
    end
    local made = new(element .. "[?]", count * dimensions)
    for index = 0, count - 1 do
      for dimension = 1, dimensions do
        local point = value[index + 1]
        local number = is_flat and value[index * dimensions + dimension]
          or type(point) == "cdata" and (dimension == 1 and point.x or point.y)
          or point[dimension]
          or point[("xyz"):sub(dimension, dimension)]
        made[index * dimensions + dimension - 1] = number
      end
    end
    return made, whole, count
  elseif type(value) ~= "cdata" then
    refuse("points are a table, an array of C or a span, not a %s", type(value))
  end
  local bytes = bytes_of(value)
  if bytes % whole ~= 0 then
    refuse("points need %d bytes each; a pointer has no length: use alidade.span(pointer, count)", whole)
  end
  return cast(pointer_types[element], value), whole, bytes / whole
end

-- An array that a function fills: the host's, or a new one.
local function array_out(value, element, count)
  if value == nil then
    return new(element .. "[?]", count)
  elseif type(value) == "table" then
    if value.count < count then
      refuse("a span of %d elements is too small for %d", value.count, count)
    end
    return value.data
  end
  if istype(pointer_types[element], value) then
    refuse("a pointer has no length: use alidade.span(pointer, count)")
  elseif bytes_of(value) < count * sizeof(element) then
    refuse("an array of %d bytes is too small for %d elements of %d bytes", bytes_of(value), count, sizeof(element))
  end
  return value
end

-- The same for an array whose size the library checks: a pointer and the number of elements that fit.
local function capacity_out(value, element)
  if value == nil then
    return nil, 0
  elseif type(value) == "table" then
    return value.data, value.count
  elseif istype(pointer_types[element], value) then
    refuse("a pointer has no length: use alidade.span(pointer, count)")
  end
  return value, bytes_of(value) / sizeof(element)
end

local function points_out(value, element, dimensions, point, count)
  if value == nil then
    value = new(point .. "[?]", point == element and count * dimensions or count)
    return cast(pointer_types[element], value), dimensions * sizeof(element), value
  end
  local data, stride_bytes, capacity = points_in(value, element, dimensions)
  if capacity < count then
    refuse("an array of %d points is too small for %d", capacity, count)
  end
  return data, stride_bytes, value
end

local function same_size(count, other, name)
  if count ~= other then
    refuse("%s has %d elements instead of %d", name, other, count)
  end
end

-- Texts and bytes that come out: a buffer that grows until they fit.
local room = { bytes = new("uint8_t[?]", 1024), size = 1024 }
room.text = cast("char *", room.bytes)
local out_size = new("size_t[1]")
local function settled(status)
  if status == 0 then
    return true
  elseif status ~= 10 then -- ALD_STATUS_BUFFER_TOO_SMALL
    raise()
  end
  local size = tonumber(out_size[0])
  if size <= room.size then
    raise()
  end
  room.bytes, room.size = new("uint8_t[?]", size), size
  room.text = cast("char *", room.bytes)
  return false
end

-- The same for arrays: whether the call filled all of one with this capacity.
local function listed(status, capacity)
  if status ~= 0 and status ~= 10 then
    raise()
  end
  return status == 0 and tonumber(out_size[0]) <= capacity
end

-- An enumeration. A name that it does not have is an error, not nil.
local function enumeration(name, values)
  alidade[name] = setmetatable(values, {
    __index = function(_, key)
      refuse("alidade.%s has no %s", name, tostring(key))
    end,
  })
end

-- Objects

local class = {}

-- Runtimes live until they are released: an object that is still in use must not end because nobody names its runtime.
local runtimes = {}

local function same(a, b)
  if type(a) ~= "cdata" or type(b) ~= "cdata" then
    return false
  end
  local first = istype(uint64, a) and a or is_object(a) and a.id
  local second = istype(uint64, b) and b or is_object(b) and b.id
  return first ~= false and first == second
end

-- A class of objects: name, and the function that releases one.
local function define(name, release)
  local made = {}
  local ctype = ffi.typeof("struct { uint64_t id; }")
  made.ctype = ctype
  made.finalize = function(object)
    release(object.id)
  end
  --- Releases an object that the host owns. Releasing twice does nothing.
  function made:release()
    ffi.gc(self, nil)
    runtimes[tostring(self.id)] = nil
    release(self.id)
  end
  setmetatable(made, {
    --- Names an object without owning it: by another Lua object of it, by the id in an event or a struct, or by an id
    --- as a text, tostring(object.id), which travels between Lua states.
    __call = function(_, object)
      if type(object) == "string" and object:match("^%d+ULL$") then
        object = loadstring("return " .. object)()
      end
      return ctype(istype(uint64, object) and object or object.id)
    end,
  })
  ffi.metatype(ctype, {
    __index = made,
    __eq = same,
    __tostring = function(object)
      return ("alidade.%s 0x%s"):format(name, bit.tohex(object.id))
    end,
  })
  object_types[tonumber(ctype)] = true
  class[name] = made
  alidade[name] = made
end

-- An object that the host owns: collected with its last name in Lua, or released before.
local function own(kind, id)
  return ffi.gc(kind.ctype(id), kind.finalize)
end

-- An object that stays the library's; nil if there is none.
local function borrow(kind, id)
  if id == 0 then
    return nil
  end
  return kind.ctype(id)
end

local function own_any(kind, id)
  if id == 0 then
    return nil
  end
  return own(kind, id)
end

-- The elements of a list inside an object, for a loop.
local function each(object, getter, count)
  local index = -1
  return function()
    index = index + 1
    if index < count then
      return getter(object, index)
    end
  end
end

-- Requests

-- Functions of the host by their number, which the library hands through as user_data.
local completions, completion_count, thrown = {}, 0, nil
local trampoline

local function complete(request, user_data)
  local key = tonumber(cast("uintptr_t", user_data))
  local call = completions[key]
  completions[key] = nil
  local done, why = pcall(call, class.request(request))
  if not done and thrown == nil then
    thrown = { why }
  end
end

-- The settings of a request. on_done in a table is a function that pump calls with the request.
local function request_in(value)
  if type(value) ~= "table" or value.on_done == nil then
    return struct_in(value, "ald_request_options"), nil
  end
  local settings = {}
  for key, item in pairs(value) do
    settings[key] = item
  end
  completion_count = completion_count + 1
  trampoline = trampoline or cast("ald_completion", complete)
  settings.on_done, settings.completion = nil, trampoline
  settings.user_data = cast("void *", cast("uintptr_t", completion_count))
  completions[completion_count] = value.on_done
  return struct_in(settings, "ald_request_options"), completion_count
end

local function check_begun(status, key)
  if status ~= 0 then
    if key then
      completions[key] = nil
    end
    raise()
  end
end
@GENERATED@
-- What is written by hand

for _, facts in pairs(alidade.fields) do
  add_names(facts)
end

-- Layers of a kind have the functions of all layers. They are copied, because LuaJIT does not compile a call of a
-- function that it finds in a table behind another one.
for _, kind in ipairs({ @LAYER_KINDS@ }) do
  for name, member in pairs(class.layer) do
    class[kind][name] = rawget(class[kind], name) or member
  end
end

do
  local create = class.runtime.create
  --- alidade.runtime.create(options?) -> runtime. A runtime lives until it is released or the Lua state ends.
  function class.runtime.create(options)
    local made = create(options)
    runtimes[tostring(made.id)] = made
    return made
  end

  local pump = class.runtime.pump
  --- runtime:pump(budget_ms?, out_report?) -> pump_report. Calls the functions on_done of requests that have ended. An
  --- error in one of them is raised when pump ends. Never compiled, because it calls back into Lua.
  function class.runtime:pump(budget_ms, out_report)
    local report = pump(self, budget_ms, out_report)
    if thrown ~= nil then
      local why = thrown[1]
      thrown = nil
      error(why, 0)
    end
    return report
  end
  jit.off(pump)
  jit.off(class.runtime.pump)

  local events, event_count, event_type = new("ald_event[32]"), new("size_t[1]"), ffi.typeof("ald_event")
  local function next_batch(id)
    check(C.ald_runtime_poll_events(id, events, 32, event_count, failure))
    local batch = {}
    for index = 1, tonumber(event_count[0]) do
      batch[index] = event_type(events[index - 1])
    end
    return batch
  end

  --- runtime:events() -> iterator. for event in runtime:events() do: drains the queue, oldest first. An event is a
  --- copy, which may be kept.
  function class.runtime:events()
    local id, batch, index = self.id, {}, 0
    return function()
      if index == #batch then
        batch, index = next_batch(id), 0
      end
      index = index + 1
      return batch[index]
    end
  end
end

--- A policy for the files of strangers.
function alidade.untrusted_policy()
  return struct_in({ @UNTRUSTED@ }, "ald_policy")
end

--- The name of an enumerator, such as "LOADED" for alidade.load_status and 2; nil for a number that has none.
function alidade.name_of(enumeration, value)
  for name, number in pairs(enumeration) do
    if number == value then
      return name
    end
  end
end

setmetatable(alidade, {
  __index = function(_, key)
    refuse("the module has no %s", tostring(key))
  end,
})

return alidade
