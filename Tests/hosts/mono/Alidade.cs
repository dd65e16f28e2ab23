// What the Mono host calls, declared by hand from the headers. Handles are structs of one 64-bit id.
using System;
using System.Runtime.InteropServices;
using System.Text;

struct Handle {
  public ulong Id;
}

[StructLayout(LayoutKind.Sequential)]
struct Point {
  public double X, Y;
}

[StructLayout(LayoutKind.Sequential)]
struct ViewOptions {
  public uint StructSize, Reserved;
  public double Width, Height, PixelDensity;
}

[StructLayout(LayoutKind.Sequential)]
struct RequestOptions {
  public uint StructSize, Flags;
  public IntPtr Completion, UserData;
  public ulong ReplaceKey;
}

[StructLayout(LayoutKind.Sequential)]
struct ScreenGrid {
  public uint StructSize, Flags;
  public double Left, Top, Width, Height;
  public int Columns, Rows;
}

[UnmanagedFunctionPointer(CallingConvention.Cdecl)]
delegate void Completion(Handle request, IntPtr userData);

sealed class AlidadeException : Exception {
  public AlidadeException(int status, string message) : base("status " + status + ": " + message) {}
}

static class Alidade {
  const string Library = "libalidade.so.0";
  const int ErrorSize = 1024, MessageOffset = 64;

  [DllImport(Library)] static extern int ald_runtime_create(IntPtr options, out Handle runtime, byte[] error);
  [DllImport(Library)] public static extern void ald_runtime_release(Handle runtime);
  [DllImport(Library)] static extern int ald_raster_open(
      Handle runtime, byte[] path, IntPtr options, out Handle raster, byte[] error);
  [DllImport(Library)] static extern int ald_raster_open_async(
      Handle runtime, byte[] path, IntPtr options, ref RequestOptions requestOptions, out Handle request, byte[] error);
  [DllImport(Library)] static extern int ald_request_wait(Handle request, uint timeout, out int state, byte[] error);
  [DllImport(Library)] static extern int ald_runtime_pump(Handle runtime, uint budget, IntPtr report, byte[] error);
  [DllImport(Library)] static extern int ald_raster_layer_create(Handle raster, out Handle layer, byte[] error);
  [DllImport(Library)] static extern int ald_map_create(Handle runtime, Handle reference, out Handle map, byte[] error);
  [DllImport(Library)] static extern int ald_map_add_layer(Handle map, Handle layer, byte[] error);
  [DllImport(Library)] static extern int ald_map_set_initial_location(
      Handle map, double latitude, double longitude, double scale, byte[] error);
  [DllImport(Library)] static extern int ald_view_create(
      Handle map, ref ViewOptions options, out Handle view, byte[] error);
  [DllImport(Library)] static extern int ald_view_read_rgba(
      Handle view, Handle layer, ref ScreenGrid grid, byte[] pixels, UIntPtr stride, UIntPtr size, IntPtr verdicts,
      byte[] error);

  [ThreadStatic] static byte[] error;
  static byte[] Error { get { return error ?? (error = new byte[ErrorSize]); } }

  static void Check(int status) {
    if (status == 0) return;
    int end = Array.IndexOf(Error, (byte)0, MessageOffset);
    throw new AlidadeException(status, Encoding.UTF8.GetString(Error, MessageOffset, end - MessageOffset));
  }

  static byte[] Text(string text) { return Encoding.UTF8.GetBytes(text + "\0"); }

  public static Handle MakeRuntime() {
    Handle runtime;
    Check(ald_runtime_create(IntPtr.Zero, out runtime, Error));
    return runtime;
  }

  public static Handle OpenRaster(Handle runtime, string path) {
    Handle raster;
    Check(ald_raster_open(runtime, Text(path), IntPtr.Zero, out raster, Error));
    return raster;
  }

  public static Handle BeginOpening(Handle runtime, string path, Completion completion) {
    Handle request;
    var options = new RequestOptions {
      StructSize = (uint)Marshal.SizeOf(typeof(RequestOptions)),
      Completion = completion == null ? IntPtr.Zero : Marshal.GetFunctionPointerForDelegate(completion)
    };
    Check(ald_raster_open_async(runtime, Text(path), IntPtr.Zero, ref options, out request, Error));
    return request;
  }

  public static int Wait(Handle request) {
    int state;
    Check(ald_request_wait(request, uint.MaxValue, out state, Error));
    return state;
  }

  public static void Pump(Handle runtime) { Check(ald_runtime_pump(runtime, 0, IntPtr.Zero, Error)); }

  public static Handle MakeLayer(Handle raster) {
    Handle layer;
    Check(ald_raster_layer_create(raster, out layer, Error));
    return layer;
  }

  // A view of so many DIP that shows a layer in the layer's own spatial reference.
  public static Handle MakeView(Handle runtime, Handle layer, double width, double height) {
    Handle map, view;
    var options =
        new ViewOptions { StructSize = (uint)Marshal.SizeOf(typeof(ViewOptions)), Width = width, Height = height };
    Check(ald_map_create(runtime, new Handle(), out map, Error));
    Check(ald_map_add_layer(map, layer, Error));
    Check(ald_map_set_initial_location(map, 40.7624, -122.1621, 72000, Error));
    Check(ald_view_create(map, ref options, out view, Error));
    return view;
  }

  public static void ReadPicture(Handle view, Handle layer, int columns, int rows, byte[] pixels) {
    var grid =
        new ScreenGrid { StructSize = (uint)Marshal.SizeOf(typeof(ScreenGrid)), Columns = columns, Rows = rows };
    Check(ald_view_read_rgba(
        view, layer, ref grid, pixels, UIntPtr.Zero, (UIntPtr)pixels.Length, IntPtr.Zero, Error));
  }
}
