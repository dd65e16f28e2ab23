// Runs the table of cases in C++: conformance CASES, in the root of the repository.
//
// Prints a line for each case that fails and, last, "N passed, N failed". The head of cases.tsv explains the
// operations.
#include <alidade.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <variant>

using namespace alidade;

using found_value = std::variant<double, std::string>;

// A case that runs: a runtime, the arguments, and the values that were found.
struct test_case {
  std::vector<std::string> arguments;
  std::vector<found_value> found = {};
  alidade::runtime runtime = alidade::runtime::create();

  const std::string &text(std::size_t index) const {
    return arguments.at(index);
  }
  double number(std::size_t index) const {
    return std::strtod(text(index).c_str(), nullptr);
  }
  bool is_given(std::size_t index) const {
    return text(index) != "-";
  }
  alidade::point point(std::size_t index) const {
    return {number(index), number(index + 1)};
  }
  std::vector<alidade::point> points(std::size_t index) const {
    std::vector<alidade::point> result;
    for (; index + 1 < arguments.size(); index += 2)
      result.push_back(point(index));
    return result;
  }

  void put(double number) {
    found.emplace_back(number);
  }
  void put(std::string text) {
    for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n'))
      text.replace(at, 1, "\\n");
    found.emplace_back(text.empty() ? "\"\"" : text);
  }
  void put(const char *text) {
    put(std::string(text));
  }
  void put(const alidade::point &point) {
    put(point.x);
    put(point.y);
  }
  template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>> void put(Integer integer) {
    put(std::to_string(integer));
  }

  alidade::spatial_reference reference(std::size_t index) const {
    return is_given(index) ? spatial_reference::create(runtime, text(index)) : alidade::spatial_reference();
  }
  geometry geometry_at(std::size_t index, spatial_reference_ref reference = {}) const {
    return geometry::create_from_wkt(runtime, text(index), reference);
  }
  alidade::unit unit(std::size_t index) const {
    return is_given(index) ? unit_find_by_name(text(index)) : ald_unit{ALD_UNIT_NONE};
  }
  measure_options measure() const {
    measure_options options;
    options.kind = static_cast<ald_measure_kind>(number(1));
    options.unit = unit(2);
    return options;
  }
  layer layer_at(std::size_t index, double symbol = 0) const {
    const std::string &path = text(index);
    if (path.size() > 4 && path.substr(path.size() - 4) == ".tif")
      return raster_layer::create_from_path(runtime, path);
    feature_layer features = feature_layer::create_from_path(runtime, path);
    graphics_renderer renderer;
    renderer.symbol.kind = static_cast<ald_symbol_kind>(symbol);
    renderer.symbol.color.alpha = 255;
    renderer.symbol.size_dip = 8;
    if (symbol != 0)
      features.set_renderer(&renderer);
    return features;
  }
  // Longitude, latitude, scale and rotation are the first four arguments. A path and a symbol may be the next but two.
  alidade::view view() const {
    const auto map = map::create(runtime, spatial_reference::create_from_code(runtime, "EPSG", 3857));
    if (arguments.size() > 8) {
      const layer shown = layer_at(6, number(7));
      shown.load();
      map.add_layer(shown);
    }
    view_options size;
    size.width_dip = 800, size.height_dip = 600;
    alidade::view result = view::create(map, size);
    result.set_center(point(0), spatial_reference::create_from_code(runtime, "EPSG", 4326));
    result.set_scale(number(2));
    result.set_rotation(number(3));
    return result;
  }
  feature_set selected() const {
    feature_query query;
    query.where = is_given(1) ? text(1).c_str() : nullptr;
    return feature_source::open(runtime, text(0)).query(query);
  }
  void put_identified(const identify_result &result) {
    put(result.get_info().element_count);
    for (const auto &element : result) {
      put(element.kind);
      if (element.kind == ALD_ELEMENT_KIND_RASTER_CELL) {
        put(element.cell().column);
        put(element.cell().row);
      } else {
        put(element.id);
      }
      put(element.text);
      const auto attribute = element.attribute(text(9));
      put(attribute.type);
      if (attribute.type == ALD_ATTRIBUTE_TYPE_INTEGER)
        put(attribute.integer);
      else if (attribute.type == ALD_ATTRIBUTE_TYPE_UNSIGNED)
        put(attribute.unsigned_integer);
      else if (attribute.type == ALD_ATTRIBUTE_TYPE_REAL)
        put(attribute.real);
      else if (attribute.type == ALD_ATTRIBUTE_TYPE_TEXT)
        put(attribute.text);
      break;
    }
  }
};

namespace operations {
inline void unit(test_case &c) {
  c.put(unit_convert(c.number(0), c.unit(1), c.unit(2)));
}
inline void reference(test_case &c) {
  const auto reference = c.reference(0);
  const auto info = reference.get_info();
  c.put(info.kind);
  for (const char *text : {info.name, info.authority, info.code, info.unit_name})
    c.put(text);
  for (const double number : {info.metres_per_unit, info.semi_major_axis_m, info.inverse_flattening})
    c.put(number);
}
inline void project(test_case &c) {
  auto points = c.points(2);
  std::vector<ald_point_status> statuses(points.size());
  c.reference(0).project_points(c.reference(1), points, points, statuses); // in place
  for (std::size_t index = 0; index < points.size(); index++) {
    c.put(statuses[index]);
    if (statuses[index] == ALD_POINT_STATUS_OK)
      c.put(points[index]);
  }
}
inline void geodesic(test_case &c) {
  double distance[1], azimuth[1], end_azimuth[1];
  c.reference(0).geodesic_inverse(ALD_CURVE_TYPE_GEODESIC, c.point(1), c.point(3), distance, azimuth, end_azimuth);
  for (const double number : {*distance, *azimuth, *end_azimuth})
    c.put(number);
}
inline void geometry(test_case &c) {
  const auto geometry = c.geometry_at(0);
  const auto info = geometry.get_info();
  std::string digits;
  for (const uint8_t byte : geometry.get_wkb())
    digits += {"0123456789ABCDEF"[byte / 16], "0123456789ABCDEF"[byte % 16]};
  c.put(info.kind);
  for (const uint32_t number : {info.flags, info.vertex_count})
    c.put(number);
  c.put(digits);
  c.put(geometry.get_wkt());
}
inline void from_wkb(test_case &c) {
  std::vector<uint8_t> bytes;
  for (std::size_t index = 0; index + 1 < c.text(0).size(); index += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoi(c.text(0).substr(index, 2), nullptr, 16)));
  c.put(geometry::create_from_wkb(c.runtime, bytes).get_wkt());
}
inline void area(test_case &c) {
  c.put(c.geometry_at(3, c.reference(0)).area(c.measure()));
}
inline void lengths(test_case &c) {
  const auto reference = c.reference(0);
  std::vector<alidade::geometry> geometries;
  for (std::size_t index = 3; index < c.arguments.size(); index++)
    geometries.push_back(c.geometry_at(index, reference));
  std::vector<double> lengths(geometries.size());
  geometry_array::create_from_geometries(c.runtime, geometries).lengths(c.measure(), lengths);
  for (const double length : lengths)
    c.put(length);
}
inline void distance(test_case &c) {
  const auto reference = c.reference(0);
  const auto result = c.geometry_at(3, reference).distance(c.geometry_at(4, reference), c.measure());
  c.put(result.distance);
  c.put(result.point_a);
  c.put(result.point_b);
}
inline void relate(test_case &c) {
  c.put(c.geometry_at(0).relate(c.geometry_at(1)));
}
inline void test(test_case &c) {
  c.put(c.geometry_at(1).test(c.geometry_at(2), static_cast<ald_predicate>(c.number(0))));
}
inline void buffer(test_case &c) {
  buffer_options options;
  options.unit = c.unit(2);
  options.quadrant_segments = c.is_given(3) ? static_cast<uint32_t>(c.number(3)) : 0;
  c.put(c.geometry_at(4, c.reference(0)).create_buffer(c.number(1), options).area());
}
inline void geodesic_buffer(test_case &c) {
  geodesic_buffer_options options;
  options.unit = c.unit(2);
  options.maximum_deviation = c.is_given(3) ? c.number(3) : 0;
  const auto result = c.geometry_at(4, c.reference(0)).create_geodesic_buffer(c.number(1), options);
  measure_options geodesic;
  geodesic.kind = ALD_MEASURE_KIND_GEODESIC;
  c.put(result.buffer.area(geodesic));
  c.put(result.report.maximum_deviation_m);
  c.put(result.report.achieved_deviation_m <= result.report.maximum_deviation_m);
}
inline void transformations(test_case &c) {
  const auto list = transformation_list::create(c.reference(0), c.reference(1));
  c.put(list.get_row_count());
  for (const auto &row : list) {
    const auto info = transformation_ref(row.transformation).get_info();
    c.put(info.name);
    c.put(info.accuracy_m);
    break;
  }
}
inline void raster(test_case &c) {
  const auto raster = raster::open(c.runtime, c.text(0));
  const auto info = raster.get_info();
  const auto band = raster.get_band_info(1);
  c.put(info.driver);
  for (const int32_t number : {info.width, info.height, info.band_count})
    c.put(number);
  c.put(raster.get_spatial_reference().get_info().code);
  for (const double number : {info.extent.x_min, info.extent.y_min, info.extent.x_max, info.extent.y_max})
    c.put(number);
  c.put(band.type);
  if (band.facts & ALD_BAND_HAS_NODATA)
    c.put(band.nodata);
}
inline void cells(test_case &c) {
  const auto raster = raster::open(c.runtime, c.text(0));
  const auto points = c.points(1);
  const auto band_count = static_cast<std::size_t>(raster.get_info().band_count);
  std::vector<ald_cell> cells(points.size());
  std::vector<ald_band_value> values(points.size() * band_count);
  raster.read_points(spatial_reference::create_from_code(c.runtime, "EPSG", 4326), points, cells, values);
  for (std::size_t index = 0; index < cells.size(); index++) {
    c.put(cells[index].verdict);
    if (cells[index].verdict == ALD_CELL_VERDICT_OUTSIDE)
      continue;
    c.put(cells[index].column);
    c.put(cells[index].row);
    for (std::size_t band = index * band_count; band < (index + 1) * band_count; band++)
      if (values[band].type == ALD_DATA_TYPE_INT64)
        c.put(values[band].integer);
      else
        c.put(values[band].value);
  }
}
inline void features(test_case &c) {
  const auto set = c.selected();
  c.put(set.get_info().feature_count);
  for (const auto &feature : set.features())
    if (feature.index < 5)
      c.put(feature.id);
}
inline void feature(test_case &c) {
  const auto set = c.selected();
  c.put(set.get_geometries().create_geometry(0).get_wkt());
  const auto value = set.get_attribute(0, static_cast<uint32_t>(c.number(2)));
  c.put(value.type);
  c.put(value.state == ALD_VALUE_STATE_PRESENT);
  if (value.state != ALD_VALUE_STATE_PRESENT)
    return;
  if (value.type == ALD_FIELD_TYPE_INTEGER)
    c.put(value.integer);
  else if (value.type == ALD_FIELD_TYPE_REAL)
    c.put(value.real);
  else if (value.type == ALD_FIELD_TYPE_TEXT)
    c.put(value.text);
  for (uint32_t index = 0; index < value.element_count && value.type == ALD_FIELD_TYPE_TEXT_LIST; index++)
    c.put(value.texts[index]);
  if (value.type == ALD_FIELD_TYPE_DATE_TIME) {
    const ald_date_time &time = value.date_time;
    for (const int number : {time.year, int(time.month), int(time.day), int(time.hour), int(time.minute)})
      c.put(number);
    c.put(time.second);
  }
}
inline void view(test_case &c) {
  const auto view = c.view();
  const auto state = view.get_state();
  c.put(state.center);
  for (const double number : {state.scale, state.rotation_deg, state.units_per_dip})
    c.put(number);
  c.put(view.screen_to_map(c.point(4)));
  c.put(view.map_to_screen(c.point(6)));
}
inline void identify(test_case &c) {
  c.put_identified(c.view().identify(c.point(4), c.number(8)));
}
inline void identify_async(test_case &c) {
  int calls = 0;
  const auto view = c.view();
  const auto options = c.runtime.when_done([&calls](request_ref) { ++calls; });
  const auto request = view.identify_async(c.point(4), c.number(8), 0, {}, options);
  const auto state = request.wait();
  c.runtime.pump();
  c.put(request.get_info().kind);
  c.put(state);
  c.put(calls);
  c.put_identified(request.take_identify_result());
}
inline void snap(test_case &c) {
  snap_options options;
  options.kinds = static_cast<ald_snap_flags>(c.number(9));
  const auto result = c.view().snap(c.point(4), c.number(8), options);
  c.put(result.kind);
  if (result.kind == 0)
    return;
  c.put(result.id);
  c.put(result.map_point);
  c.put(result.screen_point);
  c.put(result.distance_dip);
}
inline void layer_names(test_case &c) {
  const auto map = map::create(c.runtime);
  for (std::size_t index = 1; index < c.arguments.size(); index++) {
    const auto owned = c.layer_at(0);
    owned.set_text(ALD_LAYER_TEXT_KIND_NAME, c.text(index));
    map.add_layer(owned);
  }
  for (uint32_t index = map.get_layer_count(); index > 0; index--)
    c.put(map.get_layer_at(index - 1).get_text(ALD_LAYER_TEXT_KIND_NAME));
}
inline void released(test_case &c) {
  alidade::geometry owned = c.geometry_at(0);
  const geometry_ref borrowed = owned;
  owned.reset();
  owned.reset();
  c.put(borrowed.get_wkt());
}
inline void load(test_case &c) {
  const auto layer = c.layer_at(0);
  const auto request = layer.load_async();
  ald_event loaded = {}, finished = {};
  while ((finished.kind == 0 || loaded.load_status < ALD_LOAD_STATUS_LOADED) && c.runtime.wait(60000)) {
    for (const auto &event : c.runtime.poll_events())
      if (event.kind == ALD_EVENT_KIND_LOAD_STATUS_CHANGED && event.layer.id == layer.get().id)
        loaded = event;
      else if (event.kind == ALD_EVENT_KIND_REQUEST_FINISHED && event.request.id == request.get().id)
        finished = event;
  }
  c.put(finished.request_state);
  c.put(loaded.load_status);
  c.put(ald_status_get_name(loaded.status));
}
} // namespace operations

#define OPERATION(name)                                                                                                \
  { #name, operations::name }
static const std::map<std::string, void (*)(test_case &)> known = {
    OPERATION(unit),
    OPERATION(reference),
    OPERATION(project),
    OPERATION(geodesic),
    OPERATION(geometry),
    OPERATION(from_wkb),
    OPERATION(area),
    OPERATION(lengths),
    OPERATION(distance),
    OPERATION(relate),
    OPERATION(test),
    OPERATION(buffer),
    OPERATION(geodesic_buffer),
    OPERATION(transformations),
    OPERATION(raster),
    OPERATION(cells),
    OPERATION(features),
    OPERATION(feature),
    OPERATION(view),
    OPERATION(identify),
    OPERATION(identify_async),
    OPERATION(snap),
    OPERATION(layer_names),
    OPERATION(released),
    OPERATION(load),
};

// An operation that fails has three values: the status, the argument and the message.
static std::vector<found_value> run(const std::string &name, std::vector<std::string> arguments) {
  test_case running{std::move(arguments)};
  try {
    known.at(name)(running);
  } catch (const error &why) {
    running.found.clear();
    running.put(why.code().message());
    running.put(why.argument());
    running.put(why.what());
  } catch (const std::exception &other) {
    running.found = {"no such operation, or not its arguments: " + std::string(other.what())};
  }
  return std::move(running.found);
}

// Whether a value is the one expected: NUMBER~TOLERANCE, *PART OF A TEXT*, or the text itself.
static bool fits(const found_value &found, const std::string &expected) {
  if (const auto *number = std::get_if<double>(&found)) {
    char *end;
    const double wanted = std::strtod(expected.c_str(), &end);
    return end != expected.c_str() && *end == '~' &&
           (std::fabs(*number - wanted) <= std::strtod(end + 1, nullptr) ||
            (std::isnan(wanted) && std::isnan(*number)));
  }
  const auto &text = std::get<std::string>(found);
  if (expected.size() > 2 && expected.front() == '*' && expected.back() == '*')
    return text.find(expected.substr(1, expected.size() - 2)) != std::string::npos;
  return text == expected;
}

int main(int count, char **paths) {
  int passed = 0, failed = 0;
  std::cout.precision(17);
  std::ifstream file(count > 1 ? paths[1] : "");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    std::vector<std::string> cells;
    std::istringstream columns(line);
    for (std::string cell; std::getline(columns, cell, '\t');)
      cells.push_back(cell);
    const auto equals = std::find(cells.begin() + 2, cells.end(), "=");
    const auto found = run(cells[1], {cells.begin() + 2, equals});
    const std::vector<std::string> expected(equals + 1, cells.end());
    if (std::equal(found.begin(), found.end(), expected.begin(), expected.end(), fits)) {
      passed++;
      continue;
    }
    failed++;
    std::cout << "FAILED  " << cells[0] << ": expected";
    for (const auto &text : expected)
      std::cout << " | " << text;
    std::cout << ", found";
    for (const auto &one : found)
      std::visit([](const auto &value) { std::cout << " | " << value; }, one);
    std::cout << '\n';
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 && passed > 0 ? 0 : 1;
}
