// The library inside Mono, whose collector suspends threads by signals.
//
//   host.exe collect RASTER   garbage on several threads and collections without end, while workers read
//   host.exe guarded RASTER   a completion that throws, in the way that the header asks for: caught, and raised later
//   host.exe through RASTER   a completion whose exception is let out through the library's frames, which has no defined
//                             meaning: shows what comes of it here
//
// Prints "N passed, N failed" and ends with 0 or 1.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

static class Host {
  const int Seconds = 10, Readers = 3, Litterers = 3, Columns = 600, Rows = 400;
  static int passed, failed;

  static void Check(bool holds, string what) {
    if (holds) {
      Interlocked.Increment(ref passed);
    } else {
      Interlocked.Increment(ref failed);
      Console.WriteLine("FAILED " + what);
    }
  }

  static int Main(string[] arguments) {
    Handle runtime = Alidade.MakeRuntime();
    switch (arguments[0]) {
    case "collect": Collect(runtime, arguments[1]); break;
    case "guarded": ThrowGuarded(runtime, arguments[1]); break;
    case "through": ThrowThrough(runtime, arguments[1]); break;
    default: return 2;
    }
    Alidade.ald_runtime_release(runtime);
    Console.WriteLine(passed + " passed, " + failed + " failed");
    return failed == 0 ? 0 : 1;
  }

  static void Collect(Handle runtime, string path) {
    Handle layer = Alidade.MakeLayer(Alidade.OpenRaster(runtime, path));
    Handle view = Alidade.MakeView(runtime, layer, Columns, Rows);
    var expected = new byte[Columns * Rows * 4];
    Alidade.ReadPicture(view, layer, Columns, Rows, expected);
    Check(expected.Distinct().Count() > 50, "the picture shows something");
    DateTime end = DateTime.UtcNow.AddSeconds(Seconds);
    int pictures = 0, others = 0, requests = 0;
    var threads = new List<Thread>();
    for (int i = 0; i < Readers; i++)
      threads.Add(new Thread(() => {
        while (DateTime.UtcNow < end) {
          // Each picture is new garbage for the collector to move about.
          var pixels = new byte[expected.Length];
          Alidade.ReadPicture(view, layer, Columns, Rows, pixels);
          if (!pixels.SequenceEqual(expected)) Interlocked.Increment(ref others);
          Interlocked.Increment(ref pictures);
          Handle request = Alidade.BeginOpening(runtime, path, null);
          if (Alidade.Wait(request) == 1) Interlocked.Increment(ref requests);
        }
      }));
    for (int i = 0; i < Litterers; i++)
      threads.Add(new Thread(() => {
        var kept = new Queue<object>();
        while (DateTime.UtcNow < end) {
          kept.Enqueue(new string('x', 100));
          if (kept.Count > 10000) kept.Clear();
        }
      }));
    foreach (Thread thread in threads) thread.Start();
    int collections = 0;
    for (; DateTime.UtcNow < end; collections++) GC.Collect();
    foreach (Thread thread in threads) thread.Join();
    Console.WriteLine(pictures + " pictures, " + requests + " requests, " + collections + " collections");
    Check(others == 0, others + " pictures were others");
    Check(pictures > 0, "no picture was read");
    Check(requests > 0, "no request has succeeded");
    Check(collections > 10, "the collector hardly ran");
  }

  // A completion that a wrapper made: what is thrown inside comes out after the pump.
  static void PumpGuarded(Handle runtime, List<Exception> thrown) {
    Alidade.Pump(runtime);
    if (thrown.Count > 0) throw new AggregateException(thrown);
  }

  static void ThrowGuarded(Handle runtime, string path) {
    var thrown = new List<Exception>();
    int calls = 0;
    Completion completion = (request, userData) => {
      calls++;
      try {
        throw new InvalidOperationException("thrown in a completion");
      } catch (Exception exception) {
        thrown.Add(exception);
      }
    };
    for (int i = 0; i < 3; i++) Alidade.Wait(Alidade.BeginOpening(runtime, path, completion));
    try {
      PumpGuarded(runtime, thrown);
      Check(false, "the exception comes out");
    } catch (AggregateException exception) {
      Check(exception.InnerExceptions.Count == 3, "all of them come out");
      Check(exception.InnerExceptions[0].Message == "thrown in a completion", "they are what was thrown");
    }
    Check(calls == 3, "each completion was called once");
    Use(runtime, path);
    GC.KeepAlive(completion);
  }

  static void ThrowThrough(Handle runtime, string path) {
    Completion completion = (request, userData) => { throw new InvalidOperationException("through native frames"); };
    Alidade.Wait(Alidade.BeginOpening(runtime, path, completion));
    try {
      Alidade.Pump(runtime);
      Console.WriteLine("the pump returned");
    } catch (Exception exception) {
      Console.WriteLine("caught outside of the pump: " + exception.Message);
    }
    // Mono leaves out what the library's frames had still to do, so the library believes that this thread still pumps.
    try {
      Alidade.Pump(runtime);
      Console.WriteLine("the thread pumps again");
    } catch (AlidadeException exception) {
      Console.WriteLine("the thread can no longer pump: " + exception.Message);
    }
    // Other threads are not affected.
    var other = new Thread(() => Use(runtime, path));
    other.Start();
    other.Join();
    GC.KeepAlive(completion);
  }

  // The library goes on as if nothing had been thrown.
  static void Use(Handle runtime, string path) {
    int calls = 0;
    Completion completion = (request, userData) => { calls++; };
    Check(Alidade.Wait(Alidade.BeginOpening(runtime, path, completion)) == 1, "a request succeeds afterwards");
    try {
      Alidade.Pump(runtime);
    } catch (AlidadeException exception) {
      Check(false, exception.Message);
    }
    Check(calls == 1, "its completion is called");
    Check(Alidade.OpenRaster(runtime, path).Id != 0, "a raster opens");
    GC.KeepAlive(completion);
  }
}
