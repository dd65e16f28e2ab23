using System.IO;
using UnityEngine;
using UnityEngine.UI;

namespace Alidade.Samples {

/// <summary>A raster map on a RawImage that covers the screen: drag to pan, turn the wheel to zoom, click to identify.
/// </summary>
[RequireComponent(typeof(RawImage))]
public sealed class MapBehaviour : MonoBehaviour {
  /// <summary>The raster, in StreamingAssets, or an absolute path.</summary>
  public string path = "elevation.tif";
  public double latitude = 40.7624, longitude = -122.1621, scale = 72000;

  MapSession session;
  Texture2D texture;

  void OnEnable() {
    string file = Path.Combine(Application.streamingAssetsPath, path);
    session = new MapSession(file, Screen.width, Screen.height, latitude, longitude, scale);
    texture = new Texture2D(Screen.width, Screen.height, TextureFormat.RGBA32, false);
    var image = GetComponent<RawImage>();
    image.texture = texture;
    image.uvRect = new Rect(0, 1, 1, -1); // The first line of the picture is its top.
  }

  void Update() {
    // y points down on a map's screen.
    double x = Input.mousePosition.x, y = Screen.height - Input.mousePosition.y;
    if (Input.GetMouseButtonDown(0)) session.Touch(1, FingerPhase.Began, x, y);
    else if (Input.GetMouseButtonUp(0)) session.Touch(1, FingerPhase.Ended, x, y);
    else if (Input.GetMouseButton(0)) session.Touch(1, FingerPhase.Moved, x, y);
    if (Input.mouseScrollDelta.y != 0) session.Wheel(x, y, Input.mouseScrollDelta.y);
    int taps = session.TapCount;
    if (session.Update(Time.unscaledDeltaTime)) {
      texture.LoadRawTextureData(session.Pixels);
      texture.Apply(false);
    }
    if (session.TapCount > taps && session.Hits != null)
      foreach (string hit in session.Hits) Debug.Log(hit);
  }

  // Also before the editor reloads its scripts, so that no handle outlives them.
  void OnDisable() {
    session.Dispose();
    Destroy(texture);
  }
}

}
