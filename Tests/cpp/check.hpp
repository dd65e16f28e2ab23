// What the tests of the C++ interface share: counting checks.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <alidade.hpp>

#include <cmath>
#include <cstdio>
#include <string>

inline int passed, failed;

inline void check(bool holds, const char *what, const char *file, int line) {
  (holds ? passed : failed)++;
  if (!holds)
    std::printf("FAILED  %s:%d: %s\n", file, line, what);
}

#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)

/** Whether a call throws alidade::error with a status; what is thrown instead ends the test. */
template <class Call> bool throws(alidade::errc status, Call call) {
  try {
    call();
  } catch (const alidade::error &error) {
    return error.code() == status;
  }
  return false;
}

inline bool near(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance;
}

/** Runs the tests of a program, one after the other, and counts. */
template <class... Tests> int run(Tests... tests) {
  const auto guarded = [](auto test) {
    try {
      test();
    } catch (const std::exception &error) {
      check(false, error.what(), "thrown", 0);
    }
  };
  (guarded(tests), ...);
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}

/** A raster of Tests/data. */
inline std::string data(const char *file) {
  return std::string(REPOSITORY "/Tests/data/rasters/") + file;
}

#endif
