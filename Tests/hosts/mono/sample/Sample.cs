// Plays Unity's frame loop for the sample of the package: sample.exe FOLDER, which has Shasta_Elevation.tif.
//
// Prints "N passed, N failed" and ends with 0 or 1.
using System;
using System.Linq;
using System.Reflection;
using System.Threading;
using Alidade.Samples;
using UnityEngine;

static class Sample {
  const int Width = 600, Height = 400;
  static readonly MapBehaviour Behaviour = new MapBehaviour { path = "Shasta_Elevation.tif" };
  static readonly Action Enable = Message("OnEnable"), Update = Message("Update"), Disable = Message("OnDisable");

  // What Unity sends is private.
  static Action Message(string name) {
    MethodInfo method = typeof(MapBehaviour).GetMethod(name, BindingFlags.NonPublic | BindingFlags.Instance);
    return (Action)Delegate.CreateDelegate(typeof(Action), Behaviour, method);
  }

  static Texture2D Texture { get { return Behaviour.GetComponent<UnityEngine.UI.RawImage>().texture; } }

  static void Frame(float x, float y, bool isHeld, float wheel = 0) {
    Input.mousePosition = new Vector3 { x = x, y = Height - y };
    Input.WasHeld = Input.IsHeld;
    Input.IsHeld = isHeld;
    Input.mouseScrollDelta = new Vector2 { y = wheel };
    Update();
  }

  static void Rest(int frames) {
    for (int index = 0; index < frames; index++) Frame(0, 0, false);
  }

  static void Until(Func<bool> done) {
    DateTime end = DateTime.UtcNow.AddMinutes(1);
    while (!done() && DateTime.UtcNow < end) {
      Rest(1);
      Thread.Sleep(1);
    }
  }

  static int Main(string[] arguments) {
    Application.streamingAssetsPath = arguments[0];
    Screen.width = Width;
    Screen.height = Height;
    Time.unscaledDeltaTime = 1f / 60;
    Enable();
    Until(() => Texture.ApplyCount > 0);
    byte[] before = (byte[])Texture.Shown.Clone();
    Report.Check(before.Distinct().Count() > 50, "a picture is shown");
    Report.Equal(Behaviour.GetComponent<UnityEngine.UI.RawImage>().uvRect.height, -1f, "its first line on top");

    int applied = Texture.ApplyCount, collections = GC.CollectionCount(0);
    Rest(5000);
    Report.Equal(Texture.ApplyCount, applied, "nothing is drawn while nothing changes");
    Report.Equal(GC.CollectionCount(0), collections, "frames in which nothing happens leave no garbage");

    // A click on the centre. The value is rasterio's for that point: see the case "float32" of the conformance table.
    Frame(300, 200, true);
    Frame(300, 200, false);
    Until(() => Debug.Lines.Count > 0);
    Report.Check(Debug.Lines.Count == 1 && Debug.Lines[0].StartsWith("Band 1: 437.71"),
                 "a click identifies the cell: " + string.Join("; ", Debug.Lines));
    Rest(60);

    // A drag by 40 to the right and 10 down, which comes to rest before the finger leaves.
    Frame(100, 100, true);
    for (int step = 1; step <= 20; step++) Frame(100 + 2 * step, 100 + step / 2, true);
    for (int step = 0; step < 30; step++) Frame(140, 110, true);
    Frame(140, 110, false);
    Rest(120);
    byte[] after = Texture.Shown;
    int same = 0, compared = 0;
    for (int y = 20; y < Height - 20; y++)
      for (int x = 10; x < Width - 60; x++, compared++)
        if (before[4 * (y * Width + x)] == after[4 * ((y + 10) * Width + x + 40)]) same++;
    Report.Check(same > compared * 0.999, "the picture has moved with the finger: " + same + " of " + compared);
    Report.Equal(Debug.Lines.Count, 1, "a drag is no click");

    applied = Texture.ApplyCount;
    Frame(300, 200, false, 1);
    Rest(60);
    Report.Check(Texture.ApplyCount > applied, "the wheel zooms, over several frames");
    Disable();
    Report.Check(Texture.IsDestroyed, "the texture is destroyed");
    Enable();
    Until(() => Texture.ApplyCount > 0);
    Report.Check(Texture.Shown.SequenceEqual(before), "enabled again, it begins anew");
    Disable();
    return Report.Finish();
  }
}
