// The structs of the binding have the layout that the C compiler gives them, and the library has every function that the
// binding imports.
using System;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using Alidade;

sealed class LayoutTest {
  public int Structs;

  public static void Run() {
    var test = new LayoutTest();
    LayoutTable.Check(test);
    Console.WriteLine(test.Structs + " structs");
    // ECMA 335 gives an imported function no body: what is imported is asked for from the library here.
    MethodInfo[] functions = typeof(Native).GetMethods(BindingFlags.Public | BindingFlags.Static)
                                 .Where(method => method.GetCustomAttribute<DllImportAttribute>() != null)
                                 .ToArray();
    foreach (MethodInfo function in functions)
      try {
        Marshal.Prelink(function);
        Report.Check(true, function.Name);
      } catch (Exception exception) {
        Report.Check(false, function.Name + ": " + exception.Message);
      }
    Console.WriteLine(functions.Length + " functions");
    Report.Check(Library.GetVersion() == (Native.ALD_VERSION_MAJOR << 16 | Native.ALD_VERSION_MINOR << 8 |
                                          Native.ALD_VERSION_PATCH), "the library is of the binding's version");
  }

  // The size in memory, and the size that marshalling gives it, which is the same for structs that need none.
  public void Size(string name, Type type, int found, int expected) {
    Structs++;
    Report.Equal(found, expected, "the size of " + name);
    Report.Equal(Marshal.SizeOf(type), expected, "the marshalled size of " + name);
  }

  // Where a field begins and ends.
  public void Field(string name, long begin, long end, int expectedBegin, int expectedEnd) {
    Report.Equal(begin, expectedBegin, "the offset of " + name);
    Report.Equal(end, expectedEnd, "the end of " + name);
  }

  // A field that programs do not see.
  public void Hidden(Type type, string name, int expected) {
    Report.Equal(Marshal.OffsetOf(type, name).ToInt64(), expected, "the offset of " + type.Name + "." + name);
  }
}
