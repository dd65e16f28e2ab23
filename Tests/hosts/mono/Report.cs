// Counts checks. Prints those that fail and, last, "N passed, N failed".
using System;
using System.Threading;

static class Report {
  static int passed, failed;

  public static void Check(bool holds, string what) {
    if (holds) {
      Interlocked.Increment(ref passed);
    } else {
      Interlocked.Increment(ref failed);
      Console.WriteLine("FAILED " + what);
    }
  }

  public static void Equal<T>(T found, T expected, string what) {
    Check(Equals(found, expected), what + ": expected " + expected + ", found " + found);
  }

  // Whether a call throws an exception of exactly this type; gives the exception.
  public static T Throws<T>(Action call, string what) where T : Exception {
    try {
      call();
      Check(false, what + ": nothing was thrown");
    } catch (Exception exception) {
      Check(exception.GetType() == typeof(T), what + ": " + exception);
      return exception as T;
    }
    return null;
  }

  public static int Finish() {
    Console.WriteLine(passed + " passed, " + failed + " failed");
    return failed == 0 && passed > 0 ? 0 : 1;
  }
}
