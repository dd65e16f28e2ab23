// Texts, arrays, ranges, and results on real data: values CELL DISTANCE X Y, where Tests/cpp/run takes the four from
// gdallocationinfo, geod and cs2cs.
#include "check.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#if __cplusplus >= 202002L
#include <ranges>
#include <span>
static_assert(std::ranges::forward_range<alidade::list<alidade::map_ref, alidade::layer_ref>>);
#endif

using namespace alidade;

static double cell_value, distance_m, x_of_point, y_of_point;
static const double pi = 3.14159265358979323846;

struct scene {
  alidade::runtime runtime = alidade::runtime::create();
  alidade::map map = alidade::map::create(runtime, alidade::spatial_reference::create_from_code(runtime, "EPSG", 3857));
  alidade::view view;

  explicit scene(double latitude_deg, double longitude_deg, double scale) {
    map.set_initial_location(latitude_deg, longitude_deg, scale);
    view_options size;
    size.width_dip = 800, size.height_dip = 600;
    view = alidade::view::create(map, size);
  }
};

static void texts() {
  const scene scene(0, 0, 1e6);
  const map_ref map = scene.map;
  const std::string owned = "of a string";
  map.set_property("a", "literal");
  map.set_property(owned, owned);
  map.set_property(std::string_view("b no final NUL").substr(0, 1), std::string_view("view of something").substr(0, 4));
  CHECK(map.get_property("a") == "literal" && map.get_property(owned) == owned && map.get_property("b") == "view");
  // Longer than the buffer of the first try, of exactly that size, and next to it.
  for (const std::size_t size : {0, 254, 255, 256, 257, 5000}) {
    map.set_property("long", std::string(size, 'x'));
    CHECK(map.get_property("long") == std::string(size, 'x'));
  }
  map.set_property("a", nullptr);
  CHECK(throws(errc::not_found, [&] { map.get_property("a"); }));
  std::vector<std::string> keys;
  for (const std::string &key : map.property_keys())
    keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  CHECK((keys == std::vector<std::string>{"b", "long", "of a string"}));
  CHECK(std::string_view(get_version_text()) == std::to_string(ALD_VERSION_MAJOR) + "." +
                                                    std::to_string(ALD_VERSION_MINOR) + "." +
                                                    std::to_string(ALD_VERSION_PATCH));
  CHECK(layer_view_flags_get_text(ALD_LAYER_VIEW_ACTIVE).size() > 3);
  CHECK(scene.runtime.get_report(ALD_REPORT_FORMAT_TEXT).find(scene.runtime.get_library_versions().gdal) !=
        std::string::npos);
  CHECK(near(unit_convert(1, unit_find_by_name("mile"), unit_find_by_name("metre")), 1609.344, 1e-9));
}

static void arrays() {
  const runtime host = runtime::create();
  const auto wgs84 = spatial_reference::create_from_code(host, "EPSG", 4326);
  const auto mercator = spatial_reference::create_from_code(host, "EPSG", 3857);
  const point here = {-122.1621, 40.7624};
  const auto is_right = [](const point &p) { return near(p.x, x_of_point, 1e-4) && near(p.y, y_of_point, 1e-4); };

  CHECK(is_right(wgs84.project_points(mercator, here)));
  std::vector<point> many(100, here);
  std::vector<ald_point_status> statuses(100, -1);
  wgs84.project_points(mercator, many, many, statuses); // in place
  CHECK(std::all_of(many.begin(), many.end(), is_right));
  CHECK(std::count(statuses.begin(), statuses.end(), ALD_POINT_STATUS_OK) == 100);
  // Vertices of another program: x, y, and something that stays as it is.
  std::vector<std::array<double, 3>> vertices(10, {here.x, here.y, 7});
  wgs84.project_points(mercator, vertices, vertices);
  for (const auto &vertex : vertices)
    CHECK(is_right({vertex[0], vertex[1]}) && vertex[2] == 7);
  double flat[] = {here.x, here.y, 0, here.x, here.y, 0};
  wgs84.project_points(mercator, points(flat, 24, 2), point_buffer(flat, 24, 2));
  CHECK(is_right({flat[3], flat[4]}) && flat[5] == 0);
  point listed[2];
  wgs84.project_points(mercator, {here, here}, listed);
  CHECK(is_right(listed[1]));

  double distances[1], azimuths[1];
  wgs84.geodesic_inverse(ALD_CURVE_TYPE_GEODESIC, point{-73.8, 40.6}, point{-0.5, 51.6}, distances);
  CHECK(near(distances[0], distance_m, 1e-4));
  wgs84.geodesic_inverse(ALD_CURVE_TYPE_GEODESIC, point{-73.8, 40.6}, point{-0.5, 51.6}, {}, azimuths);
  CHECK(azimuths[0] > 0 && azimuths[0] < 90);
  const std::vector<double> along = {distances[0]};
  point end;
  wgs84.geodesic_direct(ALD_CURVE_TYPE_GEODESIC, point{-73.8, 40.6}, azimuths, along, end);
  CHECK(near(end.x, -0.5, 1e-9) && near(end.y, 51.6, 1e-9));

  const auto point_of = [&](const char *wkt) { return geometry::create_from_wkt(host, wkt, mercator); };
  const geometry a = point_of("POINT (0 0)"), b = point_of("POINT (3 4)");
  const std::vector<geometry> container; // no copies: objects of the caller are passed as they are
  CHECK(geometry_array::create_from_geometries(host, container).get_info().geometry_count == 0);
  const auto both = geometry_array::create_from_geometries(host, {a, b});
  CHECK(both.get_info().geometry_count == 2 && a.distance(b).distance == 5);
  const std::vector<double> radii = {10, 20};
  const auto buffers = both.create_buffers(radii);
  std::vector<double> areas(2);
  buffers.areas({}, areas);
  CHECK(areas[0] > 0.98 * pi * 100 && areas[0] < pi * 100 && near(areas[1] / areas[0], 4, 1e-9));
  const auto bytes = both.get_wkb();
  CHECK(bytes.byte_offsets == (std::vector<std::size_t>{0, 21, 42}) && bytes.bytes.size() == 42);
  const auto again = geometry_array::create_from_wkb(host, bytes.bytes, bytes.byte_offsets, mercator);
  CHECK(again.create_geometry(1).equals(b));
  CHECK(geometry::create_from_wkb(host, a.get_wkb(), mercator).equals(a));
#if __cplusplus >= 202002L
  const std::span<const double> of_std(radii);
  CHECK(both.create_buffers(of_std).get_info().geometry_count == 2);
#endif
}

static void buffers() {
  const runtime host = runtime::create();
  const auto utm = spatial_reference::create_from_code(host, "EPSG", 32610);
  const auto center = geometry::create_from_wkt(host, "POINT (500000 4500000)", utm);
  buffer_options options;
  options.quadrant_segments = 16;
  // A regular polygon of 64 corners: n r r sin(2 pi / n) / 2.
  CHECK(near(center.create_buffer(1000, options).area(), 32 * 1e6 * std::sin(2 * pi / 64), 1e-3));
  CHECK(center.create_buffer(1000).is_simple() && center.relate(center) == "0FFFFFFF2");

  const auto wgs84 = spatial_reference::create_from_code(host, "EPSG", 4326);
  const auto round = geometry::create_from_wkt(host, "POINT (-122 40)", wgs84).create_geodesic_buffer(1000);
  measure_options on_the_ellipsoid;
  on_the_ellipsoid.kind = ALD_MEASURE_KIND_GEODESIC;
  // Between the circles whose radii differ from 1000 m by the reported deviation.
  const double deviation_m = round.report.achieved_deviation_m, area = round.buffer.area(on_the_ellipsoid);
  CHECK(deviation_m > 0 && deviation_m < 1 && area < pi * (1000 + deviation_m) * (1000 + deviation_m));
  CHECK(area > pi * (1000 - deviation_m) * (1000 - deviation_m));
  projection_receipt receipt;
  CHECK(center.test(geometry::create_from_wkt(host, "POINT (-123 40.65)", wgs84), ALD_PREDICATE_INTERSECTS, &receipt) ==
        false);
  CHECK(receipt && receipt.get_info().point_count == 1);
  for (const auto &row : receipt)
    CHECK(row.point_count == 1);
  const auto [pieces, left, right] =
      center.create_buffer(1000).create_cut(geometry::create_from_wkt(host, "LINESTRING (500000 0, 500000 9e6)", utm));
  CHECK(pieces.get_info().geometry_count == 2 && left == 1 && right == 1);
}

static void cells() {
  scene scene(40.7624, -122.1621, 72000);
  const auto elevation = raster_layer::create(raster::open(scene.runtime, data("Shasta_Elevation.tif")));
  scene.map.add_layer(elevation);
  int hits = 0;
  for (const auto &hit : scene.view.identify({400, 300})) {
    ++hits;
    CHECK(hit.kind == ALD_ELEMENT_KIND_RASTER_CELL && hit.layer.id == elevation.get().id);
    CHECK(hit.cell().column == 250 && hit.cell().row == 205);
    CHECK(near(hit.attribute("Band 1").real, cell_value, 1e-6));
    CHECK(throws(errc::not_found, [&] { hit.attribute("Band 2"); }));
    std::vector<std::string> names;
    for (const auto &attribute : hit.attributes())
      names.push_back(attribute.name);
    CHECK(names == std::vector<std::string>{"Band 1"});
  }
  CHECK(hits == 1);
  ald_band_value value;
  const ald_cell cell = scene.view.read_cell(elevation, {400, 300}, span<ald_band_value>(&value, 1));
  CHECK(cell.column == 250 && cell.row == 205 && near(value.value, cell_value, 1e-6));

  const auto picture = scene.view.read_rgba(elevation);
  CHECK(picture.columns == 800 && picture.rows == 600 && picture.values.size() == 800 * 600 * 4);
  CHECK(picture.verdicts.size() == 800 * 600);
  std::vector<uint8_t> pixels(800 * 600 * 4), verdicts(800 * 600);
  scene.view.read_rgba(elevation, nullptr, pixels, 0, verdicts);
  CHECK(pixels == picture.values && verdicts == picture.verdicts);
  scene.view.read_rgba(elevation, nullptr, pixels, 0, {});
  verdicts.pop_back();
  CHECK(throws(errc::invalid_argument, [&] { scene.view.read_rgba(elevation, nullptr, pixels, 0, verdicts); }));
  const auto values = scene.view.read_values(elevation, nullptr, 1);
  scene.view.read_cell(elevation, {400.5, 300.5}, span<ald_band_value>(&value, 1)); // the middle of a pixel
  CHECK(values.values[300 * 800 + 400] == value.value);

  const raster_ref raster = elevation.get_raster();
  const auto whole = raster.read_window(1);
  CHECK(whole.columns == 492 && whole.rows == 412 && near(whole.values[205 * 492 + 250], cell_value, 1e-6));
  const cell_index indexes[] = {{250, 205}, {-1, 0}};
  ald_cell cells[2];
  ald_band_value both[2];
  raster.read_cells(indexes, cells, both);
  CHECK(near(both[0].value, cell_value, 1e-6) && cells[1].verdict == ALD_CELL_VERDICT_OUTSIDE);
  CHECK(raster.get_outline({}, 10).size() == 41 && raster.get_outline({}, 1).size() == 5);
}

static void features() {
  scene scene(59.9186361450019, 10.7480333473723, 2e6); // Oslo, as ogrinfo prints it
  const auto cities = feature_source::open(scene.runtime, REPOSITORY "/examples/world_identify/data/cities.fgb");
  CHECK(cities.get_info().feature_count == 1249 && cities.query().get_info().feature_count == 1249);
  feature_query large;
  large.where = "pop_max > 5000000";
  CHECK(cities.query_count(large) == 52); // as ogrinfo counts, and its sum of pop_max
  int64_t count = 0, sum = 0;
  for (const auto &feature : cities.query(large)) {
    ++count;
    sum += feature.attribute_at(3).integer;
    CHECK(feature.attributes().size() == 5 && feature.attributes()[0].text != std::string_view());
    CHECK(feature.create_geometry().get_info().kind == ALD_GEOMETRY_KIND_POINT);
  }
  CHECK(count == 52 && sum == 516750267);
  const auto found = cities.query(large);
  CHECK(throws(errc::not_found, [&] { found.row_at(52); }));
  const auto columns = found.get_columns();
  count = 0;
  for (const int64_t id : span(columns.ids, columns.feature_count))
    count += id == found.row_at(uint32_t(count)).id;
  CHECK(count == 52);
  std::vector<std::string> fields;
  for (const auto &field : cities.fields())
    fields.push_back(field.name);
  CHECK((fields == std::vector<std::string>{"name", "adm0name", "adm0cap", "pop_max", "rank_max"}));
  const auto layer = feature_layer::create(cities);
  const auto group = group_layer::create(scene.runtime);
  group.add_layer(layer);
  scene.map.add_layer(group);
  graphics_renderer dots;
  dots.symbol.kind = ALD_SYMBOL_KIND_MARKER;
  dots.symbol.size_dip = 8;
  dots.symbol.color = {255, 0, 0, 255};
  layer.set_renderer(&dots);
  const auto result = scene.view.identify_layers({400, 300}, 5);
  CHECK(result.elements().size() == 1);
  for (const auto &hit : result) {
    CHECK(hit.attribute("name").text == std::string_view("Oslo") && hit.attribute("pop_max").integer == 835000);
    CHECK(hit.evidence().distance_dip == 0 && hit.create_geometry().get_info().vertex_count == 1);
    CHECK(hit.attributes().size() == 5);
  }
  uint32_t parts = 0;
  for (const auto &part : result.parts())
    parts += part.status == ALD_STATUS_OK;
  CHECK(parts == 2);
  int nested = 0;
  for (const layer_ref outer : scene.map.layers())
    for (const layer_ref inner : group_layer_ref(outer.get()).layers())
      nested += inner == layer;
  CHECK(nested == 1);
  cities.build_index();
  const auto nearest = cities.query_nearest({10.7, 59.9}, {}, 10, 3);
  CHECK(nearest.size() == 3 && nearest[0].feature_id == 440);
  CHECK(cities.query_ids({10.7, 59.9, 10.8, 60.0}) == std::vector<int64_t>{440});
}

static void options() {
  // {} and a default are the defaults of the library, as NULL is in C.
  scene scene(0, 0, 1e6);
  CHECK(view_options().struct_size == sizeof(ald_view_options) && viewpoint().fields == 0);
  const auto a = geometry::create_from_wkt(scene.runtime, "LINESTRING (0 0, 1 1)");
  CHECK(a.get_wkt() == a.get_wkt({}) && a.get_wkt().find("LINESTRING") == 0);
  constraints limits;
  limits.flags = 0;
  scene.view.set_constraints(limits);
  scene.view.set_constraints();
  const auto [created, reference] = viewpoint_create_from_location(scene.runtime, 40, 10, 5000);
  CHECK(created.scale == 5000 && created.spatial_reference.id == reference.get().id);
  CHECK(viewpoint_get_json(scene.runtime, created).find("5000") != std::string::npos);
  scene.map.add_bookmark("here", created);
  std::string names;
  for (const auto &name : scene.map.bookmark_names())
    names += name;
  CHECK(names == "here" && scene.map.find_bookmark("here").scale == 5000);
  scene.view.move(created);
  scene.view.set_insets();
  CHECK(near(scene.view.get_state().scale, 5000, 1e-6));
  const point center = scene.view.screen_to_map({400, 300});
  CHECK(near(scene.view.map_to_screen(center).x, 400, 1e-6));
}

int main(int, char **arguments) {
  cell_value = std::atof(arguments[1]), distance_m = std::atof(arguments[2]);
  x_of_point = std::atof(arguments[3]), y_of_point = std::atof(arguments[4]);
  return run(texts, arrays, buffers, cells, features, options);
}
