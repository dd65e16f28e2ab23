using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Alidade {

/// <summary>What a struct of arguments needs in memory for the length of a call: texts, arrays that stay where they are,
/// and objects that are not released. It allocates nothing if the struct needs nothing.</summary>
unsafe struct Scope : IDisposable {
  List<Use> uses;
  List<Pin> pins;
  List<IntPtr> blocks;

  internal ulong Id(AlidadeObject item) {
    if (ReferenceEquals(item, null)) return 0;
    (uses ?? (uses = new List<Use>())).Add(Use.Of(item, null));
    return item.Id;
  }

  internal byte* Text(string text, string name) {
    return text == null ? null : (byte*)Keep(Utf8.Write(text, name));
  }

  internal byte** Texts(string[] texts, string name) {
    if (texts == null) return null;
    var addresses = (byte**)Allocate(texts.Length, sizeof(byte*));
    for (int index = 0; index < texts.Length; index++) addresses[index] = Text(texts[index], name);
    return addresses;
  }

  internal byte* Array<T>(Slice<T> items) where T : struct { return Add(items.Pin()); }

  internal byte* Array(Points items) { return Add(items.Pin()); }

  /// <summary>The ids of objects, one after the other; an object that is null is refused.</summary>
  internal ulong* Ids(AlidadeObject[] items, string name) {
    if (items == null) return null;
    var ids = (ulong*)Allocate(items.Length, sizeof(ulong));
    for (int index = 0; index < items.Length; index++) {
      if (ReferenceEquals(items[index], null)) throw new ArgumentNullException(name + "[" + index + "]");
      ids[index] = Id(items[index]);
    }
    return ids;
  }

  /// <summary>Memory full of zeros.</summary>
  internal byte* Allocate(int count, int size) {
    int bytes = checked(count * size);
    var memory = (byte*)Keep(Marshal.AllocHGlobal(Math.Max(bytes, 1)));
    for (int index = 0; index < bytes; index++) memory[index] = 0;
    return memory;
  }

  /// <summary>The length that several arrays share; those that are null do not count.</summary>
  internal static int Length(string name, params int[] lengths) {
    int shared = -1;
    foreach (int length in lengths) {
      if (length < 0) continue;
      if (shared >= 0 && length != shared) throw new ArgumentException("These arrays must have the same length.", name);
      shared = length;
    }
    return Math.Max(shared, 0);
  }

  internal static int LengthOf<T>(Slice<T> items) where T : struct { return items.IsNull ? -1 : items.Count; }

  /// <summary>The number of rows of a column in which each begins some bytes after the one before.</summary>
  internal static int LengthOf(Slice<double> items, ulong strideBytes) {
    if (items.IsNull || items.Count == 0 || strideBytes <= sizeof(double)) return LengthOf(items);
    return (int)((ulong)(items.Count - 1) * sizeof(double) / strideBytes) + 1;
  }

  /// <summary>How many things offsets divide: one fewer than there are offsets.</summary>
  internal static int LengthOfOffsets(Slice<int> items) {
    if (items.IsNull) return -1;
    if (items.Count == 0) throw new ArgumentException("Offsets have a number more than there are things between them.");
    return items.Count - 1;
  }

  internal static int LengthOf(Points items) { return items.IsNull ? -1 : items.Count; }

  internal static int LengthOf(Array items) { return items == null ? -1 : items.Length; }

  /// <summary>Refuses an array for a field of fixed length that has another length.</summary>
  internal static void Require(Array items, int length, string name) {
    if (items != null && items.Length != length) throw new ArgumentException("The array must have " + length + " elements.", name);
  }

  byte* Add(Pin pin) {
    if (pin.Address != null) (pins ?? (pins = new List<Pin>())).Add(pin);
    return pin.Address;
  }

  IntPtr Keep(IntPtr block) {
    (blocks ?? (blocks = new List<IntPtr>())).Add(block);
    return block;
  }

  public void Dispose() {
    if (uses != null) foreach (Use use in uses) use.Dispose();
    if (pins != null) foreach (Pin pin in pins) pin.Dispose();
    if (blocks != null) foreach (IntPtr block in blocks) Marshal.FreeHGlobal(block);
  }
}

}
