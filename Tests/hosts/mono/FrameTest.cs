// The frame loop of the sample: it works, and what it calls in each frame leaves no garbage.
using System;
using System.Reflection;
using Alidade;

static class FrameTest {
  public static void Run(string path) {
    using (Runtime runtime = Runtime.Create())
    using (var layer = RasterLayer.CreateFromPath(runtime, path))
    using (var map = Map.Create(runtime)) {
      layer.Load();
      map.AddLayer(layer);
      using (var view = View.Create(map, new ViewOptions { WidthDip = 800, HeightDip = 600 })) Frames(runtime, view, layer);
    }
  }

  static void Frames(Runtime runtime, View view, Layer layer) {
    var events = new AlidadeEvent[32];
    var pixels = new byte[8 * 6 * 4];
    var corners = new Point[4];
    var images = new Point[4];
    var center = new Point { X = 400, Y = 300 };
    ViewState state = view.GetState();
    Point before = state.Center, under = default(Point);
    Cell cell = default(Cell);
    var values = new BandValue[1];
    int number = 0;
    Action frame = () => {
      view.Advance(1.0 / 60);
      runtime.Pump(2);
      for (int count = runtime.PollEvents(events), index = 0; index < count; index++)
        if (events[index].View != view.Handle && events[index].Kind == EventKind.ViewpointChanged) under.X = double.NaN;
      state = view.GetState();
      under = view.ScreenToMap(center);
      view.ScreenToMap(corners, images);
      cell = view.ReadCell(layer, center, values);
      if (++number % 10 == 0) view.ReadRgba(layer, pixels, new ScreenGrid { Columns = 8, Rows = 6 });
    };
    // Now all is compiled, and all buffers are there.
    for (int index = 0; index < 200; index++) {
      if (index % 100 == 0) Pan(view, 3);
      frame();
    }
    Allocated();
    const int Frames = 20000;
    GC.Collect();
    int collections = GC.CollectionCount(0);
    long bytes = Allocated();
    DateTime start = DateTime.UtcNow;
    for (int index = 0; index < Frames; index++) {
      if (index % 1000 == 0) Pan(view, index % 2000 == 0 ? 3 : -3);
      frame();
    }
    bytes = Allocated() - bytes;
    double microseconds = (DateTime.UtcNow - start).TotalMilliseconds * 1000 / Frames;
    // The suite gives Mono a nursery of 64 KB: 4 bytes in each frame, or 32 in each picture, would fill it.
    Report.Equal(GC.CollectionCount(0) - collections, 0, "collections in " + Frames + " frames");
    // No object has less than 16 bytes: so few are no frame's, but the clock's and the counter's own.
    Report.Check(bytes < 1000, bytes + " bytes are allocated in " + Frames + " frames");
    Console.WriteLine(Frames + " frames, " + microseconds.ToString("0.0") + " microseconds each");
    Report.Check(Math.Abs(under.X - state.Center.X) < 1e-6, "the centre of the screen shows the centre of the map");
    Report.Check(cell.Verdict == CellVerdict.Value && values[0].Value > 0, "a cell lies there");
    Pan(view, 5);
    Report.Check(view.GetState().Center.X != before.X, "a drag moves the map");
  }

  // The bytes that this thread has allocated, where the runtime counts them; 0 on Mono.
  static long Allocated() {
    MethodInfo count = typeof(GC).GetMethod("GetAllocatedBytesForCurrentThread", BindingFlags.Public | BindingFlags.Static);
    if (count == null) return 0;
    if (counting == null) counting = (Func<long>)Delegate.CreateDelegate(typeof(Func<long>), count);
    return counting();
  }

  static Func<long> counting;

  // A finger goes down, moves and goes up. The moments are on the host's clock.
  static double clock;

  static void Pan(View view, double distance) {
    var at = new Point { X = 300, Y = 200 };
    view.HandleTouch(1, FingerPhase.Began, at, clock += 0.02);
    for (int step = 0; step < 10; step++) {
      at.X += distance;
      view.HandleTouch(1, FingerPhase.Moved, at, clock += 0.02);
    }
    view.HandleTouch(1, FingerPhase.Ended, at, clock += 0.3);
  }
}
