// Owners and references: who releases what, and when.
#include "check.hpp"

#include <algorithm>
#include <type_traits>

using namespace alidade;

static_assert(!std::is_copy_constructible_v<view> && !std::is_copy_assignable_v<view>);
static_assert(std::is_nothrow_move_constructible_v<view> && std::is_nothrow_move_assignable_v<view>);
static_assert(std::is_nothrow_default_constructible_v<view> && sizeof(view) == sizeof(ald_view));
static_assert(std::is_trivially_copyable_v<view_ref> && sizeof(view_ref) == sizeof(ald_view));
// An owner passes where a reference is expected, never the other way, and not for another kind.
static_assert(std::is_convertible_v<view &, view_ref> && std::is_convertible_v<view &, ald_view>);
static_assert(!std::is_constructible_v<view, view_ref> && !std::is_assignable_v<view &, view_ref>);
static_assert(!std::is_assignable_v<view &, view &> && !std::is_convertible_v<ald_view, view>);
static_assert(std::is_constructible_v<view, ald_view> && !std::is_constructible_v<map, ald_view>);
static_assert(!std::is_convertible_v<map &, view_ref> && !std::is_convertible_v<map_ref, ald_view>);
static_assert(std::is_convertible_v<raster_layer, layer> && std::is_convertible_v<raster_layer &, layer_ref>);
static_assert(!std::is_constructible_v<raster_layer, layer> && !std::is_constructible_v<layer, raster>);
static_assert(!std::is_convertible_v<view &, bool> && std::is_constructible_v<bool, view &>);

static void released_at_the_end_of_scope() {
  const runtime host = runtime::create();
  const auto before = host.get_handle_count();
  {
    const auto wgs84 = spatial_reference::create_from_code(host, "EPSG", 4326);
    const auto whole = map::create(host, wgs84);
    const auto source = raster::open(host, data("Shasta_Elevation.tif"));
    whole.add_layer(raster_layer::create(source));
    view_options size;
    size.width_dip = 100, size.height_dip = 100;
    const auto seen = view::create(whole, size);
    CHECK(host.get_handle_count() > before);
    // What is borrowed is the same object, and does not release it.
    {
      const map_ref borrowed = seen.get_map();
      CHECK(borrowed == whole);
    }
    CHECK(whole.get_layer_count() == 1);
  }
  CHECK(host.get_handle_count() == before);
}

static void released_when_an_exception_passes() {
  const runtime host = runtime::create();
  const auto before = host.get_handle_count();
  CHECK(throws(errc::not_found, [&] {
    const auto whole = map::create(host);
    whole.add_layer(group_layer::create(host));
    raster::open(host, data("missing.tif"));
  }));
  CHECK(host.get_handle_count() == before);
}

static void moved() {
  const runtime host = runtime::create();
  const auto before = host.get_handle_count();
  auto a = group_layer::create(host);
  const group_layer_ref same = a;
  group_layer b = std::move(a);
  CHECK(!a && b && b == same);
  // A moved-from object is the null handle: an error, no crash.
  CHECK(throws(errc::invalid_handle, [&] { a.add_layer(b); }));
  a = group_layer::create(host);
  CHECK(a && a != b && host.get_handle_count() == before + 2);
  a = std::move(b); // releases what a had
  CHECK(a == same && !b && host.get_handle_count() == before + 1);
  auto &itself = a;
  a = std::move(itself);
  CHECK(a == same);
  a.reset();
  a.reset();
  CHECK(!a && host.get_handle_count() == before);
  CHECK(throws(errc::invalid_handle, [&] { same.get_layer_count(); })); // stale

  std::vector<layer> layers;
  for (int index = 0; index < 20; ++index)
    layers.push_back(group_layer::create(host));
  std::rotate(layers.begin(), layers.begin() + 7, layers.end());
  layers.erase(layers.begin() + 3, layers.end());
  CHECK(host.get_handle_count() == before + 3);
  layers.clear();
  CHECK(host.get_handle_count() == before);
}

static void together_with_c() {
  const runtime host = runtime::create();
  ald_layer handle;
  CHECK(ald_group_layer_create(host, &handle, nullptr) == ALD_STATUS_OK);
  group_layer group(handle); // takes over
  CHECK(group.get().id == handle.id);
  uint32_t count = 1;
  CHECK(ald_group_layer_get_layer_count(group, &count, nullptr) == ALD_STATUS_OK && count == 0);
  const auto before = host.get_handle_count();
  ald_layer_release(group.detach());
  CHECK(!group && host.get_handle_count() == before - 1);
}

static void the_library_keeps_what_it_needs() {
  const runtime host = runtime::create();
  const auto whole = map::create(host);
  whole.add_layer(raster_layer::create(raster::open(host, data("Shasta_Elevation.tif"))));
  const raster_layer_ref kept = whole.get_layer_at(0).get();
  CHECK(kept.is_visible() && kept.get_raster().get_info().band_count == 1);
}

static void a_runtime_that_ended_first() {
  group_layer outlived;
  {
    const runtime host = runtime::create();
    outlived = group_layer::create(host);
  }
  CHECK(throws(errc::invalid_handle, [&] { outlived.get_layer_count(); }));
} // Its destructor releases a stale handle, which does nothing.

int main() {
  return run(released_at_the_end_of_scope, released_when_an_exception_passes, moved, together_with_c,
             the_library_keeps_what_it_needs, a_runtime_that_ended_first);
}
