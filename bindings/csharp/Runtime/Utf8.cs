using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Alidade {

/// <summary>Texts of C: UTF-8 with a final NUL.</summary>
static unsafe class Utf8 {
  // Half a surrogate pair has no UTF-8: an ArgumentException instead of a question mark in a file's name.
  static readonly Encoding Encoding = new UTF8Encoding(false, true);

  /// <summary>Copies a text of the library; null for NULL.</summary>
  internal static string Read(byte* text) {
    if (text == null) return null;
    int size = 0;
    while (text[size] != 0) size++;
    return new string((sbyte*)text, 0, size, System.Text.Encoding.UTF8);
  }

  /// <summary>The text that a function has written to a buffer, without its final NUL.</summary>
  internal static string Read(byte[] buffer, ulong sizeBytes) {
    return sizeBytes == 0 ? "" : System.Text.Encoding.UTF8.GetString(buffer, 0, (int)sizeBytes - 1);
  }

  internal static string[] ReadAll(byte** texts, ulong count) {
    if (texts == null) return null;
    var copies = new string[count];
    for (ulong index = 0; index < count; index++) copies[index] = Read(texts[index]);
    return copies;
  }

  /// <summary>A copy in memory that the caller frees with Marshal.FreeHGlobal; zero for null.</summary>
  internal static IntPtr Write(string text, string name) {
    if (text == null) return IntPtr.Zero;
    if (text.IndexOf('\0') >= 0) throw new ArgumentException("The text has a NUL inside, where C would cut it off.", name);
    int size;
    try {
      size = Encoding.GetByteCount(text);
    } catch (EncoderFallbackException) {
      throw new ArgumentException("The text has half a surrogate pair, which has no UTF-8.", name);
    }
    IntPtr memory = Marshal.AllocHGlobal(size + 1);
    byte* bytes = (byte*)memory;
    fixed (char* characters = text) Encoding.GetBytes(characters, text.Length, bytes, size);
    bytes[size] = 0;
    return memory;
  }
}

/// <summary>A text argument for the length of a call.</summary>
unsafe struct TextArgument : IDisposable {
  IntPtr memory;

  internal static TextArgument Of(string text, string name) { return new TextArgument { memory = Utf8.Write(text, name) }; }
  internal byte* Address { get { return (byte*)memory; } }
  public void Dispose() { Marshal.FreeHGlobal(memory); }
}

}
