using System;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Alidade {

/// <summary>Elements that a call reads or writes where they lie, without a copy: an array, a part of one, or memory
/// outside of the garbage collector, such as that of a NativeArray of Unity.</summary>
public struct Slice<T> where T : struct {
  Memory memory;

  /// <summary>Elements at an address, which must stay valid until the call has returned.</summary>
  public Slice(IntPtr address, int count) { memory = new Memory(address, 0, count); }

  /// <summary>A part of an array.</summary>
  public Slice(T[] array, int offset, int count) {
    if (array == null) throw new ArgumentNullException("array");
    if (offset < 0 || count < 0 || count > array.Length - offset) throw new ArgumentOutOfRangeException("count");
    memory = new Memory(array, (long)offset * SizeOf<T>.Bytes, count);
  }

  /// <summary>The doubles of an array of points from an offset on, for columns that are fields of its points.</summary>
  internal Slice(Point[] points, long offsetBytes) {
    if (points == null) throw new ArgumentNullException("points");
    int skipped = (int)(offsetBytes / sizeof(double));
    memory = new Memory(points, offsetBytes, Math.Max(points.Length * 2 - skipped, 0));
  }

  /// <summary>How many elements there are.</summary>
  public int Count { get { return memory.Count; } }

  /// <summary>Whether no array was given, which is not the same as an empty one.</summary>
  public bool IsNull { get { return memory.IsNull; } }

  internal Pin Pin() { return memory.Pin(); }

  /// <summary>The array for a fixed statement; null without one. That needs no handle, and takes enumerations.</summary>
  internal T[] Pinnable {
    get {
      var array = memory.Array as T[];
      if (array == null && memory.Array != null) throw new ArgumentException("The fields of an array fit only columns.");
      return array;
    }
  }

  /// <summary>Where the elements are, given where the fixed array begins.</summary>
  internal unsafe byte* At(void* begin) { return memory.At((byte*)begin); }

  /// <summary>The whole array; null is no array.</summary>
  public static implicit operator Slice<T>(T[] array) {
    return array == null ? default(Slice<T>) : new Slice<T>(array, 0, array.Length);
  }

  /// <summary>A part of an array.</summary>
  public static implicit operator Slice<T>(ArraySegment<T> part) {
    return part.Array == null ? default(Slice<T>) : new Slice<T>(part.Array, part.Offset, part.Count);
  }
}

/// <summary>Coordinate pairs at equal distances in memory, which a call reads or writes where they lie.</summary>
public struct Points {
  Memory memory;

  /// <summary>Pairs of doubles at an address, which must stay valid until the call has returned.</summary>
  public Points(IntPtr address, int strideBytes, int count) {
    if (count > 0 && strideBytes < 16) throw new ArgumentOutOfRangeException("strideBytes", "A pair needs 16 bytes.");
    memory = new Memory(address, 0, count);
    StrideBytes = strideBytes;
  }

  Points(Memory memory, int strideBytes) {
    this.memory = memory;
    StrideBytes = strideBytes;
  }

  /// <summary>The distance from one pair to the next.</summary>
  public int StrideBytes { get; private set; }

  /// <summary>How many pairs there are.</summary>
  public int Count { get { return memory.Count; } }

  /// <summary>Whether no array was given.</summary>
  public bool IsNull { get { return memory.IsNull; } }

  internal Pin Pin() { return memory.Pin(); }

  /// <summary>The whole array; null is no array.</summary>
  public static implicit operator Points(Point[] array) {
    return array == null ? default(Points) : Of(array);
  }

  /// <summary>A part of an array.</summary>
  public static implicit operator Points(ArraySegment<Point> part) {
    return part.Array == null ? default(Points) : new Points(new Memory(part.Array, part.Offset * 16L, part.Count), 16);
  }

  /// <summary>Numbers x, y, x, y.</summary>
  public static implicit operator Points(double[] numbers) {
    if (numbers == null) return default(Points);
    if (numbers.Length % 2 != 0) throw new ArgumentException("Pairs have an even number of numbers.", "numbers");
    return new Points(new Memory(numbers, 0, numbers.Length / 2), 16);
  }

  /// <summary>Structs that begin with two doubles.</summary>
  public static Points Of<T>(T[] vertices) where T : struct {
    if (SizeOf<T>.Bytes < 16) throw new ArgumentException("A pair needs 16 bytes.", "vertices");
    return new Points(new Memory(vertices, 0, vertices.Length), SizeOf<T>.Bytes);
  }
}

/// <summary>Vertices of three floats at equal distances in memory, which a call reads or writes where they lie.</summary>
public struct Vertices {
  Memory memory;

  /// <summary>Vertices at an address, which must stay valid until the call has returned.</summary>
  public Vertices(IntPtr address, int strideBytes, int count) {
    if (count > 0 && strideBytes < 12) throw new ArgumentOutOfRangeException("strideBytes", "A vertex needs 12 bytes.");
    memory = new Memory(address, 0, count);
    StrideBytes = strideBytes;
  }

  Vertices(Memory memory, int strideBytes) {
    this.memory = memory;
    StrideBytes = strideBytes;
  }

  /// <summary>Bytes from one vertex to the next.</summary>
  public int StrideBytes { get; private set; }

  /// <summary>How many vertices there are.</summary>
  public int Count { get { return memory.Count; } }

  /// <summary>Whether no array was given.</summary>
  public bool IsNull { get { return memory.IsNull; } }

  internal Pin Pin() { return memory.Pin(); }

  /// <summary>Numbers x, y, z, x, y, z.</summary>
  public static implicit operator Vertices(float[] numbers) {
    if (numbers == null) return default(Vertices);
    if (numbers.Length % 3 != 0) throw new ArgumentException("A vertex has three numbers.", "numbers");
    return new Vertices(new Memory(numbers, 0, numbers.Length / 3), 12);
  }

  /// <summary>Structs that begin with three floats, such as UnityEngine.Vector3 and vertices of a mesh.</summary>
  public static Vertices Of<T>(T[] vertices) where T : struct {
    if (SizeOf<T>.Bytes < 12) throw new ArgumentException("A vertex needs 12 bytes.", "vertices");
    return new Vertices(new Memory(vertices, 0, vertices.Length), SizeOf<T>.Bytes);
  }
}

/// <summary>What slices have in common: elements of an array, or an address.</summary>
unsafe struct Memory {
  // What C gets for no elements that is not NULL.
  static readonly IntPtr Nothing = Marshal.AllocHGlobal(16);
  internal readonly Array Array;
  readonly IntPtr address;
  readonly long offsetBytes;
  internal readonly int Count;

  internal Memory(Array array, long offsetBytes, int count) {
    if (array == null) throw new ArgumentNullException("array");
    Array = array;
    this.offsetBytes = offsetBytes;
    address = IntPtr.Zero;
    Count = count;
  }

  internal Memory(IntPtr address, long offsetBytes, int count) {
    if (count < 0) throw new ArgumentOutOfRangeException("count");
    if (address == IntPtr.Zero && count > 0) throw new ArgumentNullException("address");
    Array = null;
    this.address = address;
    this.offsetBytes = offsetBytes;
    Count = count;
  }

  internal bool IsNull { get { return Array == null && address == IntPtr.Zero; } }

  internal Pin Pin() { return new Pin(Array, address, offsetBytes); }

  internal byte* At(byte* begin) {
    if (Array == null) return (byte*)address;
    return begin == null ? (byte*)Nothing : begin + offsetBytes;
  }
}

/// <summary>Keeps an array where it is for the length of a call.</summary>
unsafe struct Pin : IDisposable {
  GCHandle pinned;
  readonly IntPtr address;

  internal Pin(Array array, IntPtr address, long offsetBytes) {
    pinned = default(GCHandle);
    this.address = address;
    if (array == null) return;
    pinned = GCHandle.Alloc(array, GCHandleType.Pinned);
    this.address = (IntPtr)((long)pinned.AddrOfPinnedObject() + offsetBytes);
  }

  internal byte* Address { get { return (byte*)address; } }

  public void Dispose() {
    if (pinned.IsAllocated) pinned.Free();
  }
}

/// <summary>The size of an element in an array.</summary>
static unsafe class SizeOf<T> where T : struct {
  static int bytes;

  /// <summary>ArgumentException if T has references. (A static initializer would hide it in another exception.)</summary>
  internal static int Bytes { get { return bytes != 0 ? bytes : bytes = Measure(); } }

  static int Measure() {
    if (typeof(T).IsEnum) return Marshal.SizeOf(Enum.GetUnderlyingType(typeof(T)));
    // Mono would pin them, and C would read addresses that the garbage collector changes.
    if (HasReferences(typeof(T))) throw new ArgumentException(typeof(T) + " has references, which C cannot read.");
    // Two neighbours: Marshal.SizeOf says how large a type is in C.
    var pair = new T[2];
    var pinned = GCHandle.Alloc(pair, GCHandleType.Pinned);
    try {
      return (int)((long)Marshal.UnsafeAddrOfPinnedArrayElement(pair, 1) -
                   (long)Marshal.UnsafeAddrOfPinnedArrayElement(pair, 0));
    } finally {
      pinned.Free();
    }
  }

  static bool HasReferences(Type type) {
    if (type.IsPrimitive || type.IsEnum || type.IsPointer) return false;
    if (!type.IsValueType) return true;
    var fields = type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);
    return Array.Exists(fields, field => HasReferences(field.FieldType));
  }

  /// <summary>Fills an array from an address.</summary>
  internal static void Copy(byte* from, T[] to) {
    var pinned = GCHandle.Alloc(to, GCHandleType.Pinned);
    long size = (long)to.Length * Bytes;
    System.Buffer.MemoryCopy(from, (void*)pinned.AddrOfPinnedObject(), size, size);
    pinned.Free();
  }

  internal static T[] Read(void* from, ulong count) {
    if (from == null) return null;
    var copy = new T[count];
    Copy((byte*)from, copy);
    return copy;
  }
}

}
