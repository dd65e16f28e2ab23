// The quickstart in C++17: opens three rasters, adds them to a map, shows the map in a view and taps the screen.
//
//   c++ -std=c++17 quickstart.cpp $(pkg-config --cflags --libs alidade) -o quickstart
//   ./quickstart data
//
// Prints the same tables as quickstart.c and quickstart.py.
#include <alidade.hpp>

#include <cstdio>
#include <regex>

// A viewpoint and the taps on it. Each tap is in the middle of a pixel.
struct stop {
  const char *title;
  double latitude_deg, longitude_deg, scale, rotation_deg;
  std::vector<alidade::point> taps;
};

static const stop stops[] = {
    {"Off Cape Town", -34.1, 18.6, 1155000, 0, {{200.5, 160.5}}},
    {"Vegetation, Lake Como", 45.94, 9.40, 700000, 0, {{200.5, 160.5}, {118.5, 92.5}, {30.5, 280.5}}},
    {"The same taps, the view moved", 46.02, 9.30, 120000, 0, {{200.5, 160.5}, {118.5, 92.5}, {30.5, 280.5}}},
    {"Picture, the Bahamas", 24.56, -77.76, 3.3e6, 0, {{200.5, 160.5}, {153.5, 75.5}, {84.5, 67.5}, {20.5, 20.5}}},
    {"Elevation, Shasta Lake", 40.7624, -122.1626, 72000, 0, {{228.5, 33.5}, {200.5, 240.5}, {390.5, 12.5}}},
    {"Elevation, north-east is up", 40.7735, -122.1505, 9000, 45, {{200.5, 160.5}, {300.5, 220.5}}},
};

int main(int argument_count, char **arguments) try {
  const std::string folder = argument_count > 1 ? arguments[argument_count - 1] : "data";
  const auto runtime = alidade::runtime::create();
  const auto wgs84 = alidade::spatial_reference::create_from_code(runtime, "EPSG", 4326);
  const auto map = alidade::map::create(runtime, alidade::spatial_reference::create_from_code(runtime, "EPSG", 3857));
  for (const char *file : {"/MOD13A1_NDVI_2016_209.tif", "/RGB.byte.tif", "/Shasta_Elevation.tif"})
    map.add_layer(alidade::raster_layer::create(alidade::raster::open(runtime, folder + file)));
  alidade::view_options size;
  size.width_dip = 400, size.height_dip = 320;
  const auto view = alidade::view::create(map, size);

  for (const stop &stop : stops) {
    std::printf("%s: latitude %.10g, longitude %.10g, 1:%.0f, %.10g degrees is up\n", stop.title, stop.latitude_deg,
                stop.longitude_deg, stop.scale, stop.rotation_deg);
    view.set_center({stop.longitude_deg, stop.latitude_deg}, wgs84); // x is east, whatever order the authority gives
    view.set_scale(stop.scale);
    view.set_rotation(stop.rotation_deg);
    for (std::size_t tap = 0; tap < stop.taps.size(); tap++) {
      std::string line = "nothing here"; // unless a layer has a cell there; the first one found is the topmost
      for (const auto &hit : view.identify_layers(stop.taps[tap])) {
        line = "column " + std::to_string(hit.cell().column) + ", row " + std::to_string(hit.cell().row) + " | " +
               std::regex_replace(hit.text, std::regex("\n+"), " | ");
        break;
      }
      std::printf("  %zu  (%.1f, %.1f)  %s\n", tap + 1, stop.taps[tap].x, stop.taps[tap].y, line.c_str());
    }
  }
} catch (const alidade::error &error) {
  std::fprintf(stderr, "%s: %s\n", error.code().message().c_str(), error.what());
  return 1;
}
