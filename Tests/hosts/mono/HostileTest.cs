// Every public method of the binding with arguments at random: an exception that C# programs expect, or a result, but never
// the end of the process. Memory that the library may read or write ends where a page without access begins, so one byte
// too many is a fault that ends the process. The seed is fixed.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using Alidade;

sealed class HostileTest {
  const int Rounds = 60;
  // Arguments for Arrow are addresses that the library follows: C# cannot check them.
  static readonly Func<MethodBase, bool> IsLeftOut = method =>
      method.Name == "Dispose" || method.GetParameters().Any(p => p.ParameterType == typeof(IntPtr)) ||
      method.DeclaringType == typeof(Runtime) && method.Name == "Create";

  readonly Random random = new Random(20);
  readonly Dictionary<Type, List<object>> objects = new Dictionary<Type, List<object>>();
  readonly Dictionary<Type, int> thrown = new Dictionary<Type, int>();
  readonly string[] texts;
  readonly Runtime runtime;
  int guarded;

  public static void Run(string path) {
    var policy = new Policy { MaxRequestBytes = 1 << 26, MaxRequestPoints = 1 << 20, MaxRequestMs = 100 };
    using (Runtime runtime = Runtime.Create(new RuntimeOptions { Policy = policy })) new HostileTest(runtime, path).Call();
  }

  HostileTest(Runtime runtime, string path) {
    this.runtime = runtime;
    texts = new[] { null, "", "x", "name", "EPSG:4326", "POINT (1 2)", "POLYGON ((0 0, 4 0, 4 4, 0 0))", path, "\0", "\uD800",
                    "examples/world_identify/data/cities.fgb", "{\"type\":\"Point\",\"coordinates\":[1,2]}", "metre" };
    var reference = SpatialReference.CreateFromCode(runtime, 3857);
    var layer = RasterLayer.CreateFromPath(runtime, path);
    layer.Load();
    var view = Host.MakeView(runtime, layer, 60, 40);
    var line = Geometry.CreateFromWkt(runtime, "LINESTRING (0 0, 3 4)", reference);
    var source = FeatureSource.Open(runtime, texts[10]);
    foreach (AlidadeObject item in new AlidadeObject[] {
               runtime, reference, layer, layer.AsRaster(), view, view.GetMap(), line, Raster.Open(runtime, path), source,
               GeometryArray.CreateFromGeometries(runtime, new[] { line, line }), GroupLayer.Create(runtime),
               FeatureLayer.Create(source), source.Query(new FeatureQuery { Limit = 5 }), GraphicsOverlay.Create(runtime),
               view.Identify(new Point { X = 30, Y = 20 }), PreparedGeometry.Create(line), view.CreateSnapshot(),
               TransformationList.Create(reference, SpatialReference.CreateFromCode(runtime, 27700)),
               Transformation.CreateFromCode(runtime, "1314"), Callout.Create(view), Magnifier.Create(view),
               EngineFrame.Create(reference, default(Point), 0), view.CreateOverlayDrawing(),
               view.CreateScreenPicture(layer, new ScreenGrid { Columns = 8, Rows = 8 }), Raster.OpenAsync(runtime, path)
             }) Add(item);
    ProjectionReceipt receipt;
    reference.ProjectCoordinates(SpatialReference.CreateFromCode(runtime, 4326), Coordinates.Of(new Point[1]),
                                 ProjectedCoordinates.Of(new Point[1]), out receipt);
    Add(receipt);
    var square = Geometry.CreateFromWkt(runtime, "POLYGON ((0 0, 4 0, 4 4, 0 0))", reference);
    Add(((EngineFrame)objects[typeof(EngineFrame)][0]).CreateGeometryMesh(square, 3));
    Add(((FeatureLayer)objects[typeof(FeatureLayer)][0]).QueryPairs((Layer)objects[typeof(FeatureLayer)][0]));
  }

  void Add(AlidadeObject item) {
    for (Type type = item.GetType(); type != typeof(AlidadeObject); type = type.BaseType) {
      List<object> known;
      if (!objects.TryGetValue(type, out known)) objects.Add(type, known = new List<object>());
      if (known.Count < 8) known.Add(item);
      else if (!(item is Runtime)) known[1 + random.Next(7)] = item;
    }
  }

  void Call() {
    Assembly binding = typeof(Map).Assembly;
    MethodInfo[] methods = binding.GetTypes()
        .Where(type => type.IsPublic && (type.IsSubclassOf(typeof(AlidadeObject)) || type == typeof(Library)))
        .SelectMany(type => type.GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static |
                                            BindingFlags.DeclaredOnly))
        .Where(method => !method.IsSpecialName && !IsLeftOut(method)).ToArray();
    int calls = 0, results = 0;
    for (int round = 0; round < Rounds; round++)
      foreach (MethodInfo method in methods) {
        guarded = 0;
        object self = method.IsStatic ? null : Pick(method.DeclaringType);
        if (!method.IsStatic && self == null) {
          Report.Check(false, "no object for " + method.DeclaringType + "." + method.Name);
          return;
        }
        object[] arguments = method.GetParameters().Select(Argument).ToArray();
        calls++;
        try {
          results += Take(method.Invoke(self, arguments)) ? 1 : 0;
          foreach (object argument in arguments.OfType<AlidadeObject>()) GC.KeepAlive(argument);
        } catch (Exception exception) {
          // A list throws when it is walked, a method inside of Invoke.
          Exception inner = exception is TargetInvocationException ? exception.InnerException : exception;
          Type type = inner.GetType();
          int count;
          thrown.TryGetValue(type, out count);
          thrown[type] = count + 1;
          if (!(inner is AlidadeException || inner is ArgumentException || inner is ObjectDisposedException))
            Report.Check(false, method.DeclaringType.Name + "." + method.Name + ": " + inner);
        }
        if (calls % 50 == 0) Release();
      }
    Console.WriteLine(calls + " calls of " + methods.Length + " methods, " + results + " with a result; thrown: " +
                      string.Join(", ", thrown.OrderBy(t => t.Key.Name).Select(t => t.Value + " " + t.Key.Name)));
    Report.Check(methods.Length > 450, "the methods are found");
    Report.Check(results > calls / 10, "some calls succeed");
    Report.Check(Map.Create(runtime).GetLayerCount() == 0, "the library goes on");
  }

  // A result may be an object, which is used from now on, or a list.
  bool Take(object result) {
    var item = result as AlidadeObject;
    if (!ReferenceEquals(item, null)) Add(item);
    var list = result as IEnumerable;
    if (list != null && !(result is string)) list.Cast<object>().Take(3).ToArray();
    return result != null;
  }

  // Some objects are disposed of, and stay in use.
  void Release() {
    List<object>[] lists = objects.Values.Where(list => list.Count > 2).ToArray();
    if (lists.Length == 0) return;
    List<object> some = lists[random.Next(lists.Length)];
    ((AlidadeObject)some[2 + random.Next(some.Count - 2)]).Dispose();
  }

  object Pick(Type type) {
    List<object> known;
    return objects.TryGetValue(type, out known) ? known[random.Next(known.Count)] : null;
  }

  object Argument(ParameterInfo parameter) {
    Type type = parameter.ParameterType;
    if (parameter.IsOut) return null;
    // A call that waits must come back.
    if (parameter.Name == "timeoutMs") return 0U;
    if (parameter.Name == "maxCount") return random.Next(-1, 20);
    return Value(type.IsByRef ? type.GetElementType() : type, 0);
  }

  static readonly double[] Numbers = { 0, 1, -1, 0.5, 3, 100, 1e6, -1e300, double.NaN, double.PositiveInfinity, 1e-300 };
  static readonly long[] Integers = { 0, 0, 0, 1, 1, 2, 3, 8, 16, 24, 255, -1, int.MaxValue, int.MinValue };

  object Value(Type type, int depth) {
    if (type == typeof(double)) return Numbers[random.Next(Numbers.Length)];
    if (type == typeof(float)) return (float)Numbers[random.Next(Numbers.Length)];
    if (type == typeof(string)) return texts[random.Next(texts.Length)];
    if (type.IsEnum) return Enum.ToObject(type, Value(Enum.GetUnderlyingType(type), depth));
    if (type == typeof(int)) return (int)Integers[random.Next(Integers.Length)];
    if (type == typeof(uint)) return unchecked((uint)Integers[random.Next(Integers.Length)]);
    if (type == typeof(long)) return Integers[random.Next(Integers.Length)];
    if (type == typeof(ulong)) return unchecked((ulong)Integers[random.Next(Integers.Length)]);
    if (type == typeof(byte)) return unchecked((byte)Integers[random.Next(Integers.Length)]);
    if (type == typeof(IntPtr)) return IntPtr.Zero;
    if (type.IsSubclassOf(typeof(AlidadeObject))) return random.Next(10) == 0 ? null : Pick(type);
    if (type == typeof(RequestOptions)) return random.Next(3) == 0 ? null : new RequestOptions { Completion = ended => {} };
    if (type == typeof(Points)) {
      int stride = 16 + 8 * random.Next(2), count = random.Next(5);
      // The last pair ends where the page ends.
      return new Points(Guarded(Math.Max(count * stride - (stride - 16), 0)), stride, count);
    }
    if (type == typeof(Vertices)) {
      int stride = 12 + 4 * random.Next(2), count = random.Next(5);
      return new Vertices(Guarded(Math.Max(count * stride - (stride - 12), 0)), stride, count);
    }
    if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Slice<>)) {
      if (random.Next(4) == 0) return Activator.CreateInstance(type);
      Type item = type.GetGenericArguments()[0];
      int count = random.Next(6);
      int size = Marshal.SizeOf(item.IsEnum ? Enum.GetUnderlyingType(item) : item);
      return Activator.CreateInstance(type, Guarded(count * size), count);
    }
    if (Nullable.GetUnderlyingType(type) != null)
      return random.Next(3) == 0 ? null : Value(Nullable.GetUnderlyingType(type), depth);
    if (type.IsArray) {
      if (depth > 3 || random.Next(4) == 0) return null;
      var array = Array.CreateInstance(type.GetElementType(), random.Next(4));
      for (int index = 0; index < array.Length; index++) array.SetValue(Value(type.GetElementType(), depth + 1), index);
      return array;
    }
    // A struct: some of its fields. Most often few, so that some calls succeed.
    object made = Activator.CreateInstance(type);
    int rarity = 1 + random.Next(8);
    foreach (var field in type.GetFields())
      if (!field.IsInitOnly && !field.IsLiteral && random.Next(rarity) == 0) field.SetValue(made, Value(field.FieldType, depth + 1));
    return made;
  }

  // Memory outside of the garbage collector

  [DllImport("libc")] static extern IntPtr mmap(IntPtr address, IntPtr size, int protection, int flags, int file, IntPtr offset);
  [DllImport("libc")] static extern int mprotect(IntPtr address, IntPtr size, int protection);

  const int Page = 4096;
  readonly List<IntPtr> pages = new List<IntPtr>();

  // So many bytes in front of a page without access; each array of a call has pages of its own.
  IntPtr Guarded(int bytes) {
    if (guarded == pages.Count) {
      IntPtr made = mmap(IntPtr.Zero, (IntPtr)(2 * Page), 3, 0x22, -1, IntPtr.Zero); // to read and write; private, no file
      if (mprotect(made + Page, (IntPtr)Page, 0) != 0) throw new InvalidOperationException("no page can be guarded");
      pages.Add(made);
    }
    return pages[guarded++] + (Page - bytes);
  }
}
