// The few names of UnityEngine that the sample of the package uses, declared from Unity's documentation, so that the
// sample is compiled and run here. It is no Unity: the test plays its frame loop.
using System;
using System.Collections.Generic;

namespace UnityEngine {

public struct Vector2 { public float x, y; }
public struct Vector3 { public float x, y, z; }

public struct Rect {
  public float x, y, width, height;
  public Rect(float x, float y, float width, float height) {
    this.x = x;
    this.y = y;
    this.width = width;
    this.height = height;
  }
}

public class Object {
  public static void Destroy(Object item) { ((Texture2D)item).IsDestroyed = true; }
}

public class MonoBehaviour : Object {
  readonly UI.RawImage image = new UI.RawImage();
  public T GetComponent<T>() where T : class { return image as T; }
}

[AttributeUsage(AttributeTargets.Class)]
public sealed class RequireComponent : Attribute {
  public RequireComponent(Type type) {}
}

public enum TextureFormat { RGBA32 = 4 }

public sealed class Texture2D : Object {
  readonly byte[] memory;
  public readonly byte[] Shown;
  public bool IsDestroyed;
  public int ApplyCount;
  public Texture2D(int width, int height, TextureFormat format, bool hasMipmaps) {
    memory = new byte[width * height * 4];
    Shown = new byte[memory.Length];
  }
  public void LoadRawTextureData(byte[] data) {
    if (data.Length < memory.Length) throw new ArgumentException("not enough data");
    Buffer.BlockCopy(data, 0, memory, 0, memory.Length);
  }
  public void Apply(bool updatesMipmaps) {
    Buffer.BlockCopy(memory, 0, Shown, 0, memory.Length);
    ApplyCount++;
  }
}

public static class Application {
  public static string streamingAssetsPath;
}

public static class Screen {
  public static int width, height;
}

public static class Time {
  public static float unscaledDeltaTime;
}

public static class Debug {
  public static readonly List<string> Lines = new List<string>();
  public static void Log(object line) { Lines.Add(line.ToString()); }
}

public static class Input {
  public static Vector3 mousePosition;
  public static Vector2 mouseScrollDelta;
  public static bool IsHeld, WasHeld;
  public static bool GetMouseButton(int button) { return IsHeld; }
  public static bool GetMouseButtonDown(int button) { return IsHeld && !WasHeld; }
  public static bool GetMouseButtonUp(int button) { return !IsHeld && WasHeld; }
}

namespace UI {
public sealed class RawImage {
  public Texture2D texture;
  public Rect uvRect;
}
}

}
