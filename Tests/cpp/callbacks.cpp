// Requests, completion functions, exceptions in them, and events.
#include "check.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

using namespace alidade;

// Pumps until as many functions have been called, and once more.
static uint32_t pump(runtime_ref host, uint32_t expected) {
  uint32_t count = 0;
  while (count < expected && host.wait(60000)) {
    count += host.pump().completion_count;
    host.poll_events(); // so that none of them keeps wait() from sleeping
  }
  return count + host.pump().completion_count;
}

static void requests() {
  const runtime host = runtime::create();
  const request opening = raster::open_async(host, data("Shasta_Elevation.tif"));
  CHECK(opening.wait() == ALD_REQUEST_STATE_SUCCEEDED && opening.get_info().kind == ALD_REQUEST_KIND_OPEN_RASTER);
  CHECK(opening.take_raster().get_info().width == 492);
  const request missing = raster::open_async(host, data("missing.tif"));
  CHECK(missing.wait() == ALD_REQUEST_STATE_FAILED);
  CHECK(throws(errc::not_found, [&] { missing.take_raster(); }));
  std::error_code code;
  CHECK(!missing.take_raster(code) && code == errc::not_found);
  const request cancelled = raster::open_async(host, data("Shasta_Elevation.tif"));
  cancelled.cancel();
  const auto state = cancelled.get_info().state;
  CHECK(state == ALD_REQUEST_STATE_CANCELLED || state == ALD_REQUEST_STATE_SUCCEEDED);
}

static void called_while_it_pumps() {
  const runtime host = runtime::create();
  const auto kept = std::make_shared<int>(0);
  const auto here = std::this_thread::get_id();
  int32_t width = 0;
  {
    // Neither the settings nor the function exist any longer when the request ends; the runtime keeps the function.
    const request unneeded = raster::open_async(host, data("Shasta_Elevation.tif"), {},
                                                host.when_done([&width, here, kept](request_ref ended) {
                                                  width = ended.take_raster().get_info().width;
                                                  CHECK(std::this_thread::get_id() == here);
                                                }));
    CHECK(kept.use_count() == 2);
    CHECK(width == 0); // never before pump
    CHECK(pump(host, 1) == 1 && width == 492);
  }
  CHECK(kept.use_count() == 1); // called, so it is gone
}

static void released_requests_still_call() {
  const runtime host = runtime::create();
  int calls = 0;
  raster::open_async(host, data("Shasta_Elevation.tif"), {}, host.when_done([&](request_ref) { ++calls; })).reset();
  CHECK(pump(host, 1) == 1 && calls == 1);
}

static void one_function_for_many_requests() {
  const runtime host = runtime::create();
  const auto kept = std::make_shared<int>(0);
  std::vector<request> requests;
  {
    const auto options = host.when_done([kept](request_ref) { ++*kept; });
    for (int index = 0; index < 5; ++index)
      requests.push_back(raster::open_async(host, data("Shasta_Elevation.tif"), {}, options));
    CHECK(pump(host, 5) == 5 && *kept == 5 && kept.use_count() == 2); // options may be used again
    requests.push_back(raster::open_async(host, data("Shasta_Elevation.tif"), {}, options));
  }
  CHECK(pump(host, 1) == 1 && *kept == 6 && kept.use_count() == 1);
}

static void gone_without_a_call() {
  const auto kept = std::make_shared<int>(0);
  {
    const runtime host = runtime::create();
    {
      const auto unused = host.when_done([kept](request_ref) {});
    }
    CHECK(kept.use_count() == 1);
    // A request that could not be made calls nothing.
    CHECK(throws(errc::invalid_handle,
                 [&] { raster::open_async(runtime_ref(), "x", {}, host.when_done([kept](request_ref) {})); }));
    CHECK(kept.use_count() == 1);
    raster::open_async(host, data("Shasta_Elevation.tif"), {}, host.when_done([kept](request_ref) {
      ++*kept;
    })).reset();
    CHECK(kept.use_count() == 2);
  }
  CHECK(kept.use_count() == 1 && *kept == 0); // the runtime ended first
}

static void exceptions_in_functions() {
  const runtime host = runtime::create();
  int calls = 0;
  std::vector<request> requests;
  for (const char *what : {"first", "second"})
    requests.push_back(
        raster::open_async(host, data("Shasta_Elevation.tif"), {}, host.when_done([&calls, what](request_ref) {
          ++calls;
          throw std::out_of_range(what);
        })));
  requests.push_back(raster::open_async(host, data("missing.tif"), {}, host.when_done([&calls](request_ref ended) {
    ++calls;
    ended.take_raster(); // throws alidade::error
  })));
  for (const request &request : requests)
    request.wait();
  std::vector<std::string> caught;
  // Each pump throws one, in the order in which they left their functions; all functions are called.
  for (int index = 0; index < 4; ++index)
    try {
      host.pump();
    } catch (const std::out_of_range &error) {
      caught.push_back(error.what());
    } catch (const alidade::error &error) {
      caught.push_back(error.code().message());
    }
  CHECK(calls == 3 && caught.size() == 3);
  for (const char *what : {"first", "second", "ALD_STATUS_NOT_FOUND"})
    CHECK(std::find(caught.begin(), caught.end(), what) != caught.end());
  CHECK(host.pump().completion_count == 0);
  // pump of C does not throw; the exception waits for the next pump of C++.
  const request last = raster::open_async(host, data("missing.tif"), {}, host.when_done([](request_ref) { throw 7; }));
  last.wait();
  CHECK(ald_runtime_pump(host, 0, nullptr, nullptr) == ALD_STATUS_OK);
  std::error_code code;
  int number = 0;
  try {
    host.pump(code);
  } catch (int thrown) {
    number = thrown;
  }
  CHECK(number == 7 && !code);
}

static void pumping_inside_a_function() {
  const runtime host = runtime::create();
  std::error_code code;
  const request opening =
      raster::open_async(host, data("Shasta_Elevation.tif"), {}, host.when_done([&](request_ref) { host.pump(code); }));
  pump(host, 1);
  CHECK(code == errc::invalid_state);
}

static void settings_of_a_function() {
  const runtime host = runtime::create();
  const auto whole = map::create(host, spatial_reference::create_from_code(host, "EPSG", 3857));
  whole.add_layer(raster_layer::create(raster::open(host, data("Shasta_Elevation.tif"))));
  whole.set_initial_location(40.7624, -122.1621, 72000);
  view_options size;
  size.width_dip = 800, size.height_dip = 600;
  const auto seen = view::create(whole, size);
  request_options drag;
  drag.replace_key = 1;
  int succeeded = 0, cancelled = 0;
  const auto options = host.when_done(
      [&](request_ref ended) { (ended.get_info().state == ALD_REQUEST_STATE_SUCCEEDED ? succeeded : cancelled)++; },
      drag);
  std::vector<request> requests;
  for (int index = 0; index < 50; ++index)
    requests.push_back(seen.identify_layers_async({400.0 + index, 300}, 0, 0, {}, options));
  CHECK(pump(host, 50) == 50 && succeeded >= 1 && succeeded + cancelled == 50);
  CHECK(requests.back().get_info().state == ALD_REQUEST_STATE_SUCCEEDED);
}

static void many_threads() {
  const runtime host = runtime::create();
  std::atomic<int> calls{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int index = 0; index < 50; ++index) {
        const request opening =
            raster::open_async(host, data("alpha.tif"), {}, host.when_done([&](request_ref) { ++calls; }));
        opening.wait();
        host.pump();
      }
    });
  for (auto &thread : threads)
    thread.join();
  pump(host, 200 - uint32_t(calls));
  CHECK(calls == 200);
}

static void events() {
  const runtime host = runtime::create();
  std::vector<request> requests;
  int marks[70] = {};
  for (int &mark : marks) {
    request_options options;
    options.user_data = &mark;
    requests.push_back(raster::open_async(host, data("alpha.tif"), {}, options));
  }
  for (const request &request : requests)
    request.wait();
  uint64_t sequence = 0;
  int finished = 0;
  for (const event &happened : host.poll_events()) {
    CHECK(happened.sequence > sequence);
    sequence = happened.sequence;
    if (happened.kind != ALD_EVENT_KIND_REQUEST_FINISHED)
      continue;
    ++finished;
    ++*static_cast<int *>(happened.user_data);
    CHECK(!!request_ref(happened.request).take_raster());
  }
  CHECK(finished == 70 && std::all_of(std::begin(marks), std::end(marks), [](int mark) { return mark == 1; }));
  CHECK(host.poll_events().empty());
  std::error_code code;
  CHECK(runtime_ref().poll_events(code).empty() && code == errc::invalid_handle);
}

int main() {
  return run(requests, called_while_it_pumps, released_requests_still_call, one_function_for_many_requests,
             gone_without_a_call, exceptions_in_functions, pumping_inside_a_function, settings_of_a_function,
             many_threads, events);
}
