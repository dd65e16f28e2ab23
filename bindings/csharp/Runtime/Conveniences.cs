using System;

namespace Alidade {

static unsafe partial class Native {
  /// <summary>libalidade.so in the plugin folder, or where the system looks for libraries.</summary>
  const string Library = "alidade";
}

public partial class Layer {
  /// <summary>The same layer with the functions of raster layers.</summary>
  public RasterLayer AsRaster() { return RasterLayer.Wrap(Handle, this); }

  /// <summary>The same layer with the functions of feature layers.</summary>
  public FeatureLayer AsFeature() { return FeatureLayer.Wrap(Handle, this); }

  /// <summary>The same layer with the functions of group layers.</summary>
  public GroupLayer AsGroup() { return GroupLayer.Wrap(Handle, this); }
}

public sealed partial class Geometry {
  internal override unsafe bool IsAlive() {
    var info = new GeometryInfo { StructSize = (uint)sizeof(GeometryInfo) };
    return Native.ald_geometry_get_info(Handle, &info, null) == Status.Ok;
  }
}

public sealed partial class GeometryArray {
  internal override unsafe bool IsAlive() {
    var info = new GeometryArrayInfo { StructSize = (uint)sizeof(GeometryArrayInfo) };
    return Native.ald_geometry_array_get_info(Handle, &info, null) == Status.Ok;
  }
}

public partial struct Coordinates {
  /// <summary>How many points the columns have.</summary>
  public int Count {
    get {
      return Scope.Length("Coordinates", Scope.LengthOf(X, StrideBytes), Scope.LengthOf(Y, StrideBytes),
                          Scope.LengthOf(Z, StrideBytes), Scope.LengthOf(T, StrideBytes));
    }
  }

  /// <summary>The points of an array, where they lie.</summary>
  public static Coordinates Of(Point[] points) {
    return new Coordinates {
      X = new Slice<double>(points, 0), Y = new Slice<double>(points, sizeof(double)), StrideBytes = 16
    };
  }
}

public partial struct ProjectedCoordinates {
  /// <summary>The points of an array, where they lie. It may be the array of the input.</summary>
  public static ProjectedCoordinates Of(Point[] points) {
    return new ProjectedCoordinates {
      X = new Slice<double>(points, 0), Y = new Slice<double>(points, sizeof(double)), StrideBytes = 16
    };
  }

  /// <summary>Refuses columns that are too short before the library writes to them.</summary>
  internal void Check(int count) {
    foreach (Slice<double> column in new[] { X, Y, Z })
      if (!column.IsNull && Scope.LengthOf(column, StrideBytes) < count)
        throw new ArgumentException("The columns must hold as many numbers as there are points.", "images");
  }
}

public partial struct GraphicAttributes {
  int Length {
    get {
      return Scope.Length(
          "Attributes", Scope.LengthOf(Integers), Scope.LengthOf(Reals), Scope.LengthOf(Texts), Scope.LengthOf(Nulls));
    }
  }

  /// <summary>The number of graphics that attributes describe; -1 without attributes.</summary>
  internal static int SharedLength(GraphicAttributes[] attributes) {
    if (attributes == null || attributes.Length == 0) return -1;
    var lengths = new int[attributes.Length];
    for (int index = 0; index < lengths.Length; index++) lengths[index] = attributes[index].Length;
    return Scope.Length("Attributes", lengths);
  }
}

}
