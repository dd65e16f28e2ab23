// Failures as exceptions and as error codes.
#include "check.hpp"

using namespace alidade;

static void exceptions() {
  const runtime host = runtime::create();
  try {
    raster::open(host, data("missing.tif"));
    CHECK(false);
  } catch (const std::runtime_error &caught) {
    const auto &why = dynamic_cast<const error &>(caught);
    CHECK(why.status() == ALD_STATUS_NOT_FOUND && why.argument() == 2);
    CHECK(std::string(why.what()).find("missing.tif") != std::string::npos);
    CHECK(why.code() == errc::not_found && why.code().category() == category());
    CHECK(why.code().message() == "ALD_STATUS_NOT_FOUND");
  }
  try {
    raster::open(host, __FILE__);
    CHECK(false);
  } catch (const error &why) {
    CHECK(why.status() == ALD_STATUS_READ_FAILED && why.domain() == ALD_ERROR_DOMAIN_GDAL);
    CHECK(why.domain_code() == 4); // CPLE_OpenFailed
  }
  try {
    spatial_reference::create(host, "+proj=nowhere");
    CHECK(false);
  } catch (const error &why) {
    CHECK(why.domain() == ALD_ERROR_DOMAIN_PROJ && why.domain_code() != 0);
  }
}

static void the_same_as_in_c() {
  const runtime host = runtime::create();
  ald_error expected;
  ald_geometry none;
  CHECK(ald_geometry_create_from_wkt(host, "POINT (1", {0}, &none, &expected) != ALD_STATUS_OK);
  try {
    geometry::create_from_wkt(host, "POINT (1");
    CHECK(false);
  } catch (const error &why) {
    CHECK(why.status() == expected.status && why.argument() == expected.argument);
    CHECK(why.domain() == expected.domain && why.domain_code() == expected.domain_code);
    CHECK(std::string(why.what()) == expected.message);
  }
}

static void error_codes() {
  const runtime host = runtime::create();
  std::error_code code;
  CHECK(!raster::open(host, data("missing.tif"), code)); // without the options
  CHECK(code == errc::not_found && code != errc::invalid_argument);
  CHECK(!raster::open(host, data("missing.tif"), {}, code) && code == errc::not_found); // with the options
  const raster elevation = raster::open(host, data("Shasta_Elevation.tif"), code);
  CHECK(elevation && !code); // cleared by success
  CHECK(raster_ref().get_info(code).band_count == 0 && code == errc::invalid_handle);
  CHECK(layer_ref().get_text(ALD_LAYER_TEXT_KIND_NAME, code).empty() && code == errc::invalid_handle);
  CHECK(elevation.get_outline({}, 0, code).empty() && code == errc::invalid_argument);
  CHECK(code == std::errc::invalid_argument && errc::cancelled == make_error_code(errc::cancelled));
  CHECK(make_error_code(errc::policy_refused) == std::errc::permission_denied);
  map::create(host, code).add_layer(layer_ref(), code);
  CHECK(code == errc::invalid_handle);
}

static void arrays_that_are_too_small() {
  const runtime host = runtime::create();
  const auto wgs84 = spatial_reference::create_from_code(host, "EPSG", 4326);
  const std::vector<point> from = {{0, 0}, {1, 1}, {2, 2}};
  std::vector<point> to(3);
  std::vector<double> distances(3, -1.0), few(2, -1.0);
  try {
    wgs84.geodesic_inverse(ALD_CURVE_TYPE_GEODESIC, from, to, few);
    CHECK(false);
  } catch (const error &why) {
    CHECK(why.status() == ALD_STATUS_INVALID_ARGUMENT && why.argument() == 8);
    CHECK(few[0] == -1 && few[1] == -1);
  }
  std::error_code code;
  wgs84.geodesic_inverse(ALD_CURVE_TYPE_GEODESIC, from, points(to.data() ? &to[0].x : nullptr, 16, 2), distances, {},
                         {}, code);
  CHECK(code == errc::invalid_argument && distances[0] == -1);
  point one;
  CHECK(throws(errc::invalid_argument, [&] { wgs84.project_points(wgs84, from, one); }));
  const auto dot = geometry::create_from_wkt(host, "POINT (1 1)", wgs84);
  const auto two = geometry_array::create_from_geometries(host, {dot, dot});
  std::vector<double> area(1);
  CHECK(throws(errc::buffer_too_small, [&] { two.areas({}, area); }));
}

int main() {
  return run(exceptions, the_same_as_in_c, error_codes, arrays_that_are_too_small);
}
