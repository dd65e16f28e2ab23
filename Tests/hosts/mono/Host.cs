// The library inside Mono, whose collector suspends threads by signals, through the C# binding.
//
//   host.exe collect RASTER   garbage on several threads and collections without end, while workers read
//   host.exe guarded RASTER   completions that throw: caught by the binding, and thrown where the pump returns
//   host.exe through RASTER   a completion whose exception is let out through the library's frames, which has no defined
//                             meaning: shows what comes of it here. The binding never does so; this calls C itself
//   host.exe layout           the layout of every struct, and that the library has every function
//   host.exe objects RASTER   ownership, wrong use, texts, arrays, structs with pointers
//   host.exe callbacks RASTER completions and the garbage collector
//   host.exe hostile RASTER   every method with arguments at random
//   host.exe frames RASTER    a frame loop that allocates nothing
//
// Prints "N passed, N failed" and ends with 0 or 1.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Alidade;

static class Host {
  const int Seconds = 10, Readers = 3, Litterers = 3, Columns = 600, Rows = 400;

  static int Main(string[] arguments) {
    switch (arguments[0]) {
    case "layout": LayoutTest.Run(); return Report.Finish();
    case "objects": ObjectTest.Run(arguments[1]); return Report.Finish();
    case "callbacks": CallbackTest.Run(arguments[1]); return Report.Finish();
    case "hostile": HostileTest.Run(arguments[1]); return Report.Finish();
    case "frames": FrameTest.Run(arguments[1]); return Report.Finish();
    }
    Runtime runtime = Runtime.Create();
    switch (arguments[0]) {
    case "collect": Collect(runtime, arguments[1]); break;
    case "guarded": ThrowGuarded(runtime, arguments[1]); break;
    case "through": ThrowThrough(runtime, arguments[1]); break;
    default: return 2;
    }
    runtime.Dispose();
    return Report.Finish();
  }

  // A view of so many DIP that shows a layer in the layer's own spatial reference.
  public static View MakeView(Runtime runtime, Layer layer, double width, double height) {
    var map = Map.Create(runtime);
    map.AddLayer(layer);
    map.SetInitialLocation(40.7624, -122.1621, 72000);
    return View.Create(map, new ViewOptions { WidthDip = width, HeightDip = height });
  }

  static void ReadPicture(View view, Layer layer, byte[] pixels) {
    view.ReadRgba(layer, pixels, new ScreenGrid { Columns = Columns, Rows = Rows });
  }

  static void Collect(Runtime runtime, string path) {
    Layer layer = RasterLayer.Create(Raster.Open(runtime, path));
    View view = MakeView(runtime, layer, Columns, Rows);
    var expected = new byte[Columns * Rows * 4];
    ReadPicture(view, layer, expected);
    Report.Check(expected.Distinct().Count() > 50, "the picture shows something");
    DateTime end = DateTime.UtcNow.AddSeconds(Seconds);
    int pictures = 0, others = 0, requests = 0;
    var threads = new List<Thread>();
    for (int i = 0; i < Readers; i++)
      threads.Add(new Thread(() => {
        while (DateTime.UtcNow < end) {
          // Each picture is new garbage for the collector to move about.
          var pixels = new byte[expected.Length];
          ReadPicture(view, layer, pixels);
          if (!pixels.SequenceEqual(expected)) Interlocked.Increment(ref others);
          Interlocked.Increment(ref pictures);
          Request request = Raster.OpenAsync(runtime, path);
          if (request.Wait() == RequestState.Succeeded) Interlocked.Increment(ref requests);
        }
      }));
    for (int i = 0; i < Litterers; i++)
      threads.Add(new Thread(() => {
        var kept = new List<object>();
        while (DateTime.UtcNow < end) {
          kept.Add(new string('x', 100));
          if (kept.Count > 10000) kept.Clear();
        }
      }));
    foreach (Thread thread in threads) thread.Start();
    int collections = 0;
    for (; DateTime.UtcNow < end; collections++) GC.Collect();
    foreach (Thread thread in threads) thread.Join();
    Console.WriteLine(pictures + " pictures, " + requests + " requests, " + collections + " collections");
    Report.Check(others == 0, others + " pictures were others");
    Report.Check(pictures > 0, "no picture was read");
    Report.Check(requests > 0, "no request has succeeded");
    Report.Check(collections > 10, "the collector hardly ran");
  }

  static void ThrowGuarded(Runtime runtime, string path) {
    int calls = 0;
    var options = new RequestOptions {
      Completion = request => {
        calls++;
        throw new InvalidOperationException("thrown in a completion");
      }
    };
    for (int i = 0; i < 3; i++) Raster.OpenAsync(runtime, path, requestOptions: options).Wait();
    try {
      runtime.Pump();
      Report.Check(false, "the exception comes out");
    } catch (AggregateException exception) {
      Report.Check(exception.InnerExceptions.Count == 3, "all of them come out");
      Report.Check(exception.InnerExceptions[0].Message == "thrown in a completion", "they are what was thrown");
    }
    Report.Check(calls == 3, "each completion was called once");
    Use(runtime, path);
  }

  static unsafe void ThrowThrough(Runtime runtime, string path) {
    RawCompletion completion = (request, userData) => {
      throw new InvalidOperationException("through native frames");
    };
    var options = new RawRequestOptions {
      StructSize = (uint)sizeof(RawRequestOptions),
      Completion = System.Runtime.InteropServices.Marshal.GetFunctionPointerForDelegate(completion)
    };
    RequestHandle begun;
    fixed (byte* bytes = System.Text.Encoding.UTF8.GetBytes(path + "\0"))
      Native.ald_raster_open_async(runtime.Handle, bytes, null, &options, &begun, null);
    Request.Borrow(runtime, begun).Wait();
    try {
      runtime.Pump();
      Console.WriteLine("the pump returned");
    } catch (Exception exception) {
      Console.WriteLine("caught outside of the pump: " + exception.Message);
    }
    // Mono leaves out what the library's frames had still to do, so the library believes that this thread still pumps.
    try {
      runtime.Pump();
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
  static void Use(Runtime runtime, string path) {
    int calls = 0;
    var options = new RequestOptions { Completion = ended => calls++ };
    Request request = Raster.OpenAsync(runtime, path, requestOptions: options);
    Report.Check(request.Wait() == RequestState.Succeeded, "a request succeeds afterwards");
    try {
      runtime.Pump();
    } catch (AlidadeException exception) {
      Report.Check(false, exception.Message);
    }
    Report.Check(calls == 1, "its completion is called");
    Report.Check(Raster.Open(runtime, path).GetInfo().Width > 0, "a raster opens");
  }
}
