using System;

namespace Alidade.Samples {

/// <summary>A map that is looked at: what every engine needs of it, without a word of any engine.</summary>
/// <remarks><para>Call Update once a frame. Nothing in it waits, and a frame in which nothing ends allocates nothing.
/// </para></remarks>
public sealed class MapSession : IDisposable {
  readonly Runtime runtime;
  readonly Map map;
  readonly RequestOptions identifying;
  readonly AlidadeEvent[] events = new AlidadeEvent[64];
  readonly byte[] pixels;
  readonly ScreenGrid grid;
  double time;
  ulong drawnGeneration;
  bool isStale = true;

  /// <summary>Opens a raster and shows it. It loads while the frames go on.</summary>
  public MapSession(string path, int width, int height, double latitude, double longitude, double scale) {
    runtime = Runtime.Create();
    map = Map.Create(runtime);
    Layer = RasterLayer.CreateFromPath(runtime, path);
    map.AddLayer(Layer);
    map.SetInitialLocation(latitude, longitude, scale);
    View = View.Create(map, new ViewOptions { WidthDip = width, HeightDip = height });
    grid = new ScreenGrid { Columns = width, Rows = height };
    pixels = new byte[width * height * 4];
    Width = width;
    Height = height;
    // One key: a new tap cancels the request of an older one.
    identifying = new RequestOptions { Completion = Identified, ReplaceKey = 1 };
  }

  public Layer Layer { get; private set; }
  public View View { get; private set; }
  public int Width { get; private set; }
  public int Height { get; private set; }

  /// <summary>The picture, RGBA, the top line first. It is valid once IsDrawn is true.</summary>
  public byte[] Pixels { get { return pixels; } }
  public bool IsDrawn { get; private set; }

  /// <summary>What the last tap has hit: a text for each element, the topmost first.</summary>
  public string[] Hits { get; private set; }

  /// <summary>How many taps have their result.</summary>
  public int TapCount { get; private set; }

  /// <summary>Why the last request or the layer has failed; null if nothing has.</summary>
  public string Problem { get; private set; }

  /// <summary>A finger or a mouse button goes down, moves or goes up, at a point in DIP from the top left.</summary>
  public void Touch(ulong id, FingerPhase phase, double x, double y) {
    if (IsReady) View.HandleTouch(id, phase, new Point { X = x, Y = y }, time);
  }

  /// <summary>The wheel turns over a point; up is positive.</summary>
  public void Wheel(double x, double y, double notches) {
    if (IsReady) View.HandleWheel(new Point { X = x, Y = y }, notches);
  }

  /// <summary>Whether the view has a map to show.</summary>
  public bool IsReady { get; private set; }

  /// <summary>Once a frame: moves the view, calls what has ended, takes the events, and draws if there is news.</summary>
  /// <returns>Whether Pixels has changed.</returns>
  public bool Update(double seconds) {
    time += seconds;
    View.Advance(seconds);
    runtime.Pump(2);
    // Until it is empty: a frame may bring more events than the buffer holds.
    int count;
    do {
      count = runtime.PollEvents(events);
      for (int index = 0; index < count; index++) Handle(ref events[index]);
    } while (count == events.Length);
    return IsReady && Draw();
  }

  void Handle(ref AlidadeEvent happened) {
    switch (happened.Kind) {
    case EventKind.ViewReady: IsReady = true; break;
    case EventKind.LayerViewStateChanged: isStale = true; break;
    case EventKind.LoadStatusChanged:
      if (happened.Status != Status.Ok) Problem = Layer.GetLoadInfo().Error.Message;
      break;
    case EventKind.Gesture:
      if (happened.Gesture == GestureKind.Tap)
        View.IdentifyAsync(happened.ScreenPoint, 8, requestOptions: identifying);
      break;
    }
  }

  // Inside Pump, on the thread that calls Update.
  void Identified(Request request) {
    using (request) {
      if (request.GetInfo().Status == Status.Cancelled) return; // A newer tap.
      TapCount++;
      try {
        using (IdentifyResult result = request.TakeIdentifyResult()) {
          var texts = new string[result.GetInfo().ElementCount];
          for (uint index = 0; index < texts.Length; index++) texts[index] = result.GetElementAt(index).Text;
          Hits = texts;
        }
      } catch (AlidadeException exception) {
        Problem = exception.Message;
      }
    }
  }

  bool Draw() {
    ViewState state = View.GetState();
    if (!isStale && state.Generation == drawnGeneration) return false;
    if ((View.GetLayerState(Layer).Flags & LayerViewFlags.Active) == 0) return false;
    View.ReadRgba(Layer, pixels, grid);
    drawnGeneration = state.Generation;
    isStale = false;
    IsDrawn = true;
    return true;
  }

  public void Dispose() {
    View.Dispose();
    Layer.Dispose();
    map.Dispose();
    runtime.Dispose();
  }
}

}
