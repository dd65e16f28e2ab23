// Ownership, what wrong use throws, and how texts, arrays and structs with pointers reach the library.
using System;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using Alidade;

static class ObjectTest {
  const string Cities = "examples/world_identify/data/cities.fgb";

  public static void Run(string path) {
    using (Runtime runtime = Runtime.Create()) {
      Ownership(runtime, path);
      Equality(runtime, path);
      WrongUse(runtime, path);
      Errors(runtime, path);
      Texts(runtime, path);
      Arrays(runtime);
      Columns(runtime);
      InputStructs(runtime, path);
      Viewpoints(runtime);
      Graphics(runtime);
      Report.Equal(Count(runtime), 1UL, "only the handle of the runtime is left");
    }
    RuntimeIsKept(path);
    Policies(path);
    Threads(path);
  }

  // The handles that live, after all garbage is gone.
  static ulong Count(Runtime runtime) {
    for (int round = 0; round < 5; round++) {
      GC.Collect();
      GC.WaitForPendingFinalizers();
    }
    return runtime.GetHandleCount();
  }

  // In a method of its own: Mono's collector takes whatever lies on the stack for a reference.
  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Apart(Action action) {
    var thread = new Thread(() => action());
    thread.Start();
    thread.Join();
  }

  static void Ownership(Runtime runtime, string path) {
    ulong before = Count(runtime);
    Raster raster = Raster.Open(runtime, path);
    Report.Check(raster.IsOwned && raster.Runtime == runtime, "what is opened is owned");
    RasterLayer layer = RasterLayer.Create(raster);
    Map map = Map.Create(runtime);
    map.AddLayer(layer);
    ulong after = runtime.GetHandleCount();
    Report.Equal(after, before + 3, "three objects");
    using (Layer borrowed = map.GetLayerAt(0)) Report.Check(!borrowed.IsOwned, "a getter gives a borrowed object");
    Report.Equal(runtime.GetHandleCount(), after, "a borrowed object releases nothing");
    layer.Dispose();
    Report.Equal(map.GetLayerAt(0).AsRaster().GetRaster().GetInfo().Driver, "GTiff", "the map keeps the layer");
    Report.Throws<ObjectDisposedException>(() => layer.IsVisible(), "a layer that was disposed of");
    map.Dispose();
    map.Dispose();
    raster.Dispose();
    Report.Equal(runtime.GetHandleCount(), before, "all are released");

    // Nobody disposes of these: the collector does.
    Apart(() => {
      for (int index = 0; index < 1000; index++) Geometry.CreateFromWkt(runtime, "POINT (1 2)");
    });
    Report.Equal(Count(runtime), before, "the collector releases what is forgotten");
    // A borrowed object whose owner has gone is an error, and no other object.
    Geometry gone = Geometry.CreateFromWkt(runtime, "POINT (1 2)");
    Geometry stale = Geometry.Borrow(runtime, gone.Handle);
    gone.Dispose();
    using (Geometry.CreateFromWkt(runtime, "POINT (3 4)")) {
      var why = Report.Throws<AlidadeException>(() => stale.GetWkt(), "a stale object");
      Report.Equal(why.Status, Status.InvalidHandle, "the status of a stale object");
    }
  }

  static void Equality(Runtime runtime, string path) {
    using (var map = Map.Create(runtime))
    using (var layer = RasterLayer.CreateFromPath(runtime, path))
    using (var other = RasterLayer.CreateFromPath(runtime, path)) {
      map.AddLayer(layer);
      Layer borrowed = map.GetLayerAt(0);
      Report.Check(borrowed == layer && borrowed.Equals((object)layer), "both name the layer");
      Report.Check(borrowed.GetHashCode() == layer.GetHashCode(), "and have the same hash");
      Report.Check(borrowed != other && borrowed != null && !(null == borrowed), "others differ");
      Report.Check(borrowed.Handle == layer.Handle, "their handles are equal");
      AlidadeObject nothing = null;
      Report.Check(nothing == null, "null is null");
    }
  }

  static void WrongUse(Runtime runtime, string path) {
    var geometry = Geometry.CreateFromWkt(runtime, "POINT (1 2)");
    var disposed = Geometry.CreateFromWkt(runtime, "POINT (1 2)");
    disposed.Dispose();
    Report.Throws<ObjectDisposedException>(() => disposed.GetWkt(), "this is disposed of");
    Report.Throws<ObjectDisposedException>(() => geometry.Distance(disposed), "an argument is disposed of");
    Report.Throws<ObjectDisposedException>(
        () => Geometry.CreateCollection(runtime, new[] { geometry, disposed }), "one of many is disposed of");
    Report.Throws<ObjectDisposedException>(() => Map.Create(runtime).SetInitialViewpoint(new Viewpoint {
      Fields = ViewpointFields.Geometry, Geometry = disposed
    }), "an object in a struct is disposed of");
    Report.Equal(Report.Throws<ArgumentNullException>(() => geometry.Distance(null), "a null object").ParamName, "b",
                 "the name of the parameter");
    Report.Throws<ArgumentNullException>(() => Geometry.CreateFromWkt(runtime, null), "a null text");
    Report.Throws<ArgumentNullException>(() => Geometry.CreateFromWkt(null, "POINT (1 2)"), "a null runtime");
    Report.Throws<ArgumentNullException>(() => Geometry.CreateCollection(runtime, null), "a null array of objects");
    Report.Throws<ArgumentNullException>(
        () => Geometry.CreateCollection(runtime, new Geometry[] { null }), "a null object in an array");
    using (var reference = SpatialReference.CreateFromCode(runtime, 4326)) {
      var two = new Point[2];
      var one = new Point[1];
      Report.Throws<ArgumentException>(() => reference.ProjectPoints(reference, two, one), "too short for the images");
      Report.Throws<ArgumentException>(
          () => reference.ProjectPoints(reference, two, two, new PointStatus[1]), "too short for the statuses");
      Report.Throws<ArgumentException>(() => reference.ProjectPoints(reference, new double[3], two), "half a pair");
      Report.Throws<ArgumentOutOfRangeException>(() => new Slice<double>(new double[3], 2, 2), "outside of an array");
      Report.Throws<ArgumentOutOfRangeException>(() => new Slice<double>(new double[3], -1, 2), "before an array");
      Report.Throws<ArgumentNullException>(() => new Slice<double>(IntPtr.Zero, 2), "elements at no address");
      Report.Throws<ArgumentOutOfRangeException>(() => new Points((IntPtr)16, 8, 2), "a stride for half a pair");
      Report.Throws<ArgumentException>(() => Vertices.Of(new[] { 1.0 }), "a vertex of 8 bytes");
      var state = new double[2];
      Report.Throws<ArgumentException>(
          () => reference.ProjectCoordinates(reference, new Coordinates { X = state, Y = state },
                                             new ProjectedCoordinates { X = new double[1], Y = state }),
          "a column of images that is too short");
      Report.Throws<ArgumentException>(
          () => reference.ProjectCoordinates(reference, new Coordinates { X = state, Y = new double[1] },
                                             new ProjectedCoordinates { X = state, Y = state }),
          "columns of two lengths");
    }
    using (var layer = RasterLayer.CreateFromPath(runtime, path))
    using (var view = Host.MakeView(runtime, layer, 60, 40)) {
      layer.Load();
      var grid = new ScreenGrid { Columns = 60, Rows = 40 };
      Report.Throws<ArgumentException>(
          () => view.ReadRgba(layer, new byte[60 * 40 * 4], grid, 0, new byte[60 * 40 - 1]), "verdicts that do not fit");
      Report.Equal(Report.Throws<AlidadeException>(() => view.ReadRgba(layer, new byte[60 * 40 * 4 - 1], grid), "pixels")
                       .Status, Status.BufferTooSmall, "pixels that do not fit");
      Report.Throws<ArgumentOutOfRangeException>(
          () => view.ReadRgba(layer, new byte[60 * 40 * 4], grid, -4), "a negative stride");
    }
    // Wrong lengths inside of structs: the library would read after the end of the array.
    Report.Throws<ArgumentException>(() => Geometry.Create(runtime, new GeometryColumns {
      Kinds = new byte[] { 3, 3 }, PartOffsets = new int[0], PathOffsets = new[] { 0, 1 }, VertexOffsets = new[] { 0, 2 },
      Xy = new double[4]
    }), "offsets without a number");
    Report.Throws<ArgumentException>(() => Geometry.Create(runtime, new GeometryColumns {
      Kind = GeometryKind.Polyline, Xy = new double[6], Z = new double[4], ZStrideBytes = 16
    }), "four heights at every second number are two");
    using (var reference = SpatialReference.CreateFromCode(runtime, 4326)) {
      double[] three = new double[3], five = new double[5];
      var strided = new Coordinates { X = five, Y = five, StrideBytes = 16 };
      Report.Equal(strided.Count, 3, "five numbers, of which every second is meant");
      reference.ProjectCoordinates(reference, strided, new ProjectedCoordinates { X = three, Y = new double[3] });
      Report.Throws<ArgumentException>(
          () => reference.ProjectCoordinates(reference, strided, new ProjectedCoordinates {
            X = three, Y = three, StrideBytes = 16
          }), "images with a stride");
      Report.Equal(Coordinates.Of(new Point[7]).Count, 7, "the points of an array");
      Report.Equal(Coordinates.Of(new Point[0]).Count, 0, "an array without points");
      Report.Throws<ArgumentException>(
          () => reference.ProjectCoordinates(reference, Coordinates.Of(new Point[3]), ProjectedCoordinates.Of(new Point[2])),
          "fewer images than points");
    }
    Report.Throws<ArgumentException>(() => Points.Of(new[] { new System.Collections.Generic.KeyValuePair<string, string>() }),
                                     "structs with references");
    var bands = new int[2];
    using (var layer = RasterLayer.CreateFromPath(runtime, path))
      Report.Throws<ArgumentException>(
          () => layer.SetRenderer(new RasterRenderer { Bands = bands }), "a field of three numbers");
    geometry.Dispose();
  }

  static void Errors(Runtime runtime, string path) {
    var why = Report.Throws<AlidadeException>(() => Raster.Open(runtime, "no/such/file.tif"), "a file that is missing");
    Report.Equal(why.Status, Status.NotFound, "its status");
    Report.Equal(why.Argument, 2, "its argument");
    Report.Check(why.Message.Contains("no/such/file.tif"), "the message names the file: " + why.Message);
    why = Report.Throws<AlidadeException>(() => Raster.Open(runtime, "README.md"), "a file that is no raster");
    Report.Equal(why.Domain, ErrorDomain.Gdal, "its domain");
    // An error of 960 bytes is cut at a whole character.
    string longName = new string('海', 1000);
    why = Report.Throws<AlidadeException>(() => Raster.Open(runtime, longName), "a long name");
    Report.Check(!why.Message.Contains("\uFFFD"), "its message is whole characters");
    // A function that fails gives no object, and its out parameters are not set.
    Report.Throws<AlidadeException>(() => Geometry.CreateFromWkt(runtime, "POINT (1"), "half a geometry");
  }

  static void Texts(Runtime runtime, string path) {
    using (var layer = RasterLayer.CreateFromPath(runtime, path)) {
      foreach (string text in new[] { "Æbelø 海 🌍", "", "a\nb", new string('é', 5000) }) {
        layer.SetText(LayerTextKind.Name, text);
        Report.Equal(layer.GetText(LayerTextKind.Name), text, "a text comes back");
      }
      layer.SetProperty("schlüssel", "値");
      Report.Equal(layer.GetProperty("schlüssel"), "値", "a property");
      Report.Check(layer.PropertyKeys().SequenceEqual(new[] { "schlüssel" }), "its key");
      layer.SetProperty("schlüssel", null);
      Report.Equal(layer.GetPropertyCount(), 0U, "null removes a property, an empty text does not");
      Report.Throws<ArgumentException>(() => layer.SetText(LayerTextKind.Name, "a\0b"), "a text with a NUL");
      Report.Throws<ArgumentException>(() => layer.SetText(LayerTextKind.Name, "\uD800"), "half a character");
    }
    // Texts of a struct stay after their object has gone.
    SpatialReferenceInfo info;
    using (var reference = SpatialReference.CreateFromCode(runtime, 2154)) info = reference.GetInfo();
    Report.Equal(info.Name, "RGF93 v1 / Lambert-93", "a text of a struct");
    Report.Equal(info.VerticalName, "", "a text that is empty");
    Report.Equal(Library.GetVersionText(), "0.1.0", "a static text");
    Report.Equal(runtime.GetLibraryVersions().Gdal.Split('.').Length, 3, "the version of GDAL");
    Report.Check(runtime.GetReport(ReportFormat.Json).StartsWith("{"), "a text of unknown length");
  }

  static void Arrays(Runtime runtime) {
    using (var from = SpatialReference.CreateFromCode(runtime, 4326))
    using (var to = SpatialReference.CreateFromCode(runtime, 3857)) {
      var none = new Point[0];
      from.ProjectPoints(to, none, none);
      from.ProjectPoints(to, default(Points), default(Points));
      Report.Check(true, "no points are no error");
      // x of web Mercator is the longitude times the radius.
      double expected = 6378137 * Math.PI / 18;
      var numbers = new double[] { 10, 20, 10, 30 };
      from.ProjectPoints(to, numbers, numbers);
      Report.Check(Math.Abs(numbers[2] - expected) < 1e-6, "numbers in place");
      var part = new Point[] { new Point { X = 10, Y = 1 }, new Point { X = 10, Y = 1 }, new Point { X = 10, Y = 1 } };
      from.ProjectPoints(to, new ArraySegment<Point>(part, 1, 1), new ArraySegment<Point>(part, 1, 1));
      Report.Check(part[0].X == 10 && Math.Abs(part[1].X - expected) < 1e-6 && part[2].X == 10, "a part of an array");
      IntPtr memory = Marshal.AllocHGlobal(3 * 40);
      for (int index = 0; index < 3; index++) Marshal.Copy(new double[] { 10, 20 }, 0, memory + 40 * index, 2);
      from.ProjectPoints(to, new Points(memory, 40, 3), new Points(memory, 40, 3));
      var last = new double[1];
      Marshal.Copy(memory + 80, last, 0, 1);
      Marshal.FreeHGlobal(memory);
      Report.Check(Math.Abs(last[0] - expected) < 1e-6, "memory outside of the collector, with a stride");
      var points = new[] { new Point { X = 10, Y = 20 }, new Point { X = 20, Y = 40 } };
      var operations = new uint[2];
      ProjectionReceipt receipt;
      from.ProjectCoordinates(to, Coordinates.Of(points), ProjectedCoordinates.Of(points), out receipt,
                              default(ProjectionOptions), default(Slice<PointStatus>), operations);
      using (receipt) Report.Equal(receipt.GetInfo().PointCount, 2UL, "the receipt");
      Report.Check(Math.Abs(points[1].X - 2 * expected) < 1e-6, "columns that are fields of an array");
      double[] xs = { 10, 20 }, ys = { 0, 0 }, heights = { 5, 6 };
      from.ProjectCoordinates(to, new Coordinates { X = xs, Y = ys, Z = heights },
                              new ProjectedCoordinates { X = xs, Y = ys, Z = heights });
      Report.Check(Math.Abs(xs[1] - 2 * expected) < 1e-6 && heights[1] == 6, "columns of their own");
    }
    var pieces = new[] { "POINT (1 2)", "LINESTRING (0 0, 3 4)" }.Select(w => Geometry.CreateFromWkt(runtime, w)).ToArray();
    using (var array = GeometryArray.CreateFromGeometries(runtime, pieces)) {
      foreach (Geometry piece in pieces) piece.Dispose();
      ulong[] offsets;
      byte[] wkb = array.GetWkb(out offsets);
      Report.Check(offsets.SequenceEqual(new ulong[] { 0, 21, 62 }) && wkb.Length == 62, "bytes and their offsets");
      using (var again = GeometryArray.CreateFromWkb(runtime, wkb, offsets))
      using (Geometry line = again.CreateGeometry(1)) Report.Equal(line.Length(), 5.0, "geometries of bytes");
    }
  }

  static void Columns(Runtime runtime) {
    Geometry line = Geometry.Create(runtime, new GeometryColumns {
      Kind = GeometryKind.Polyline, Xy = new double[] { 0, 0, 3, 4, 3, 5 }
    });
    Report.Equal(line.Length(), 6.0, "a line of columns");
    GeometryColumnsView columns = line.GetColumns();
    Report.Check(columns.VertexCount == 3 && columns.Xy.Count == 3 && columns.Xy[1].Y == 4, "columns of a line");
    Report.Check(columns.Z.IsNull && columns.Z.Count == 0, "a column that is absent");
    Report.Throws<ArgumentOutOfRangeException>(() => columns.Xy[3].GetHashCode(), "after the last element");
    Report.Throws<ArgumentOutOfRangeException>(() => columns.Xy[-1].GetHashCode(), "before the first element");
    PointColumn xy = columns.Xy;
    line.Dispose();
    Report.Throws<ObjectDisposedException>(() => xy[0].GetHashCode(), "columns of a geometry that is gone");
    Report.Throws<ObjectDisposedException>(() => xy.ToArray(), "all elements of a geometry that is gone");

    byte polyline = (byte)GeometryKind.Polyline;
    using (GeometryArray two = GeometryArray.Create(runtime, new GeometryColumns {
             Kinds = new[] { polyline, polyline }, PartOffsets = new[] { 0, 1, 2 }, PathOffsets = new[] { 0, 1, 2 },
             VertexOffsets = new[] { 0, 2, 4 }, Xy = new double[] { 0, 0, 3, 4, 0, 0, 5, 12 }
           })) {
      var lengths = new double[2];
      two.Lengths(lengths);
      Report.Check(lengths[0] == 5 && lengths[1] == 13, "two lines of columns with offsets");
      Report.Check(two.GetColumns().VertexOffsets.ToArray().SequenceEqual(new[] { 0, 2, 4 }), "their offsets");
    }

    // Columns keep their object from the collector.
    PointColumn kept = default(PointColumn);
    Apart(() => { kept = Geometry.CreateFromWkt(runtime, "LINESTRING (0 0, 7 8)").GetColumns().Xy; });
    Count(runtime);
    Report.Equal(kept[1].X, 7.0, "columns keep their geometry");
    kept = default(PointColumn);

    FeatureSet set;
    using (var source = FeatureSource.Open(runtime, Cities)) set = source.Query(new FeatureQuery { Limit = 10 });
    Int64Column ids = set.GetColumns().Ids;
    Report.Check(ids.Count == 10 && ids.ToArray().SequenceEqual(Enumerable.Range(0, 10).Select(n => (long)n)), "ids");
    GeometryColumnsView points = set.GetGeometries().GetColumns();
    Report.Equal(points.Xy.Count, 10, "the geometries of a set");
    ByteColumn names = set.GetAttributeColumn(0).Bytes;
    Report.Check(names.Count > 10 && names.ToArray()[names.Count - 1] == 0, "the texts of a column end with a NUL");
    set.Dispose();
    Report.Throws<ObjectDisposedException>(() => points.Xy[0].GetHashCode(), "geometries of a set that is gone");

    // A borrowed geometry whose owner was disposed of on its own.
    Geometry owner = Geometry.CreateFromWkt(runtime, "LINESTRING (0 0, 7 8)");
    PointColumn borrowed = Geometry.Borrow(runtime, owner.Handle).GetColumns().Xy;
    Report.Equal(borrowed[1].Y, 8.0, "columns of a borrowed geometry");
    owner.Dispose();
    Report.Throws<ObjectDisposedException>(() => borrowed[1].GetHashCode(), "a borrowed geometry that is gone");
  }

  static void InputStructs(Runtime runtime, string path) {
    using (var source = FeatureSource.Open(runtime, Cities)) {
      var query = new FeatureQuery {
        Flags = FeatureQueryFlags.HasIds | FeatureQueryFlags.HasFields, Ids = new long[] { 3, 5 },
        FieldIndexes = new uint[] { 0 }
      };
      using (FeatureSet set = source.Query(query)) {
        Report.Check(set.GetColumns().Ids.ToArray().SequenceEqual(new long[] { 3, 5 }), "features of ids");
        Report.Equal(set.GetInfo().FieldCount, 1U, "and of one field");
      }
      Report.Equal(source.QueryCount(new FeatureQuery { Where = "name = 'São Luís'" }), 1UL, "a text in a struct");
      source.BuildIndex();
      var found = new NearestFeature[3];
      var origin = new Point { X = 2.35, Y = 48.85 };
      Report.Equal(source.QueryNearest(origin, 1e9, found), 3, "into an array of the caller");
      Report.Check(source.QueryNearest(origin, 1e9, 2).Length == 2, "into a new array");
      var box = new Envelope { XMin = -180, YMin = -90, XMax = 180, YMax = 90 };
      long[] every = source.QueryIds(box);
      Report.Equal((ulong)every.Length, source.QueryCount(), "a list that is longer than the first buffer");
      Report.Equal(Report.Throws<AlidadeException>(() => source.QueryIds(box, new long[1]), "too short").Status,
                   Status.BufferTooSmall, "an array of the caller that is too short");
    }
    using (var features = FeatureLayer.CreateFromPath(runtime, Cities))
    using (var map = Map.Create(runtime)) {
      features.Load();
      features.SetRenderer(new GraphicsRenderer {
        Kind = GraphicsRendererKind.UniqueValue, Fields = new[] { "adm0name" },
        Symbols = new[] { Marker(10), Marker(20) },
        Values = new[] { Value("Brazil"), Value("Chile") }
      });
      map.AddLayer(features);
      using (var view = View.Create(map, new ViewOptions { WidthDip = 800, HeightDip = 600 })) {
        view.SetCenter(new Point { X = -44.3, Y = -2.516 }); // São Luís
        view.SetScale(1e6);
        var center = new Point { X = 400, Y = 300 };
        SnapResult hit = view.Snap(center, 100, new SnapOptions { Kinds = SnapFlags.Vertex, Layers = new Layer[] { features } });
        Report.Check(hit.Layer == features && hit.Id == 830, "an array of objects in a struct");
        using (IdentifyResult result = view.Identify(center, 50)) {
          IdentifyElement element = result.GetElementAt(0);
          Report.Check(element.Layer == features && element.Overlay == null, "objects in a result");
          Report.Equal(result.FindAttribute(0, "name").Text, "São Luís", "and texts");
        }
        LayerViewFlags[] states = { 0 };
        view.GetLayerStates(new Layer[] { features }, states);
        Report.Check(states[0] == view.GetLayerState(features).Flags, "states of many layers");
      }
      Report.Throws<ArgumentException>(() => features.SetRenderer(new GraphicsRenderer { Fields = new[] { "\0" } }), "NUL");
    }
    RasterRenderer renderer = new RasterRenderer {
      Kind = RasterRendererKind.Stretch, Ramp = new[] { new Rgba { Alpha = 255 }, new Rgba { Red = 9, Alpha = 255 } }
    };
    using (var layer = RasterLayer.CreateFromPath(runtime, path)) {
      layer.Load();
      layer.SetRenderer(renderer);
      RasterRenderer back = layer.GetRenderer();
      Report.Check(back.Kind == RasterRendererKind.Stretch && back.Bands[0] == 1 && back.Ramp.IsNull, "a struct both ways");
      using (View view = Host.MakeView(runtime, layer, 60, 40)) {
        var pixels = new byte[60 * 40 * 4];
        view.ReadRgba(layer, pixels, new ScreenGrid { Columns = 60, Rows = 40 });
        byte reddest = pixels.Where((value, index) => index % 4 == 0).Max();
        Report.Check(reddest > 2 && reddest <= 9 && pixels.Where((v, i) => i % 4 == 1).Max() == 0, "an array in a struct");
      }
    }
    runtime.SetGridDirectories(new GridDirectories { Directories = new string[0] });
    Report.Check(true, "an empty array of texts");
  }

  static void Viewpoints(Runtime runtime) {
    using (var map = Map.Create(runtime)) {
      Apart(() => {
        // The struct holds on to the spatial reference, however often the collector runs.
        var viewpoint = new Viewpoint {
          Fields = ViewpointFields.Center | ViewpointFields.Scale, Center = new Point { X = 1, Y = 2 }, Scale = 5000,
          SpatialReference = SpatialReference.CreateFromCode(runtime, 4326)
        };
        Count(runtime);
        map.AddBookmark("hier", viewpoint);
      });
      Viewpoint found = map.FindBookmark("hier");
      Report.Check(found.Center.Y == 2 && found.Scale == 5000 && found.Geometry == null, "a viewpoint comes back");
      Report.Equal(found.SpatialReference.GetInfo().Code, "4326", "with a borrowed spatial reference");
      Report.Check(!found.SpatialReference.IsOwned, "which is borrowed");
      string json = Library.ViewpointGetJson(runtime, found);
      SpatialReference made;
      Geometry none;
      Viewpoint again = Library.ViewpointCreateFromJson(runtime, json, out made, out none);
      using (made) Report.Check(again.Scale == 5000 && none == null, "an object that a function does not give is null");
    }
  }

  static void Graphics(Runtime runtime) {
    using (var overlay = GraphicsOverlay.Create(runtime))
    using (var points = GeometryArray.CreateFromGeojson(
               runtime, "{\"type\":\"MultiPoint\",\"coordinates\":[[0,0]]}")) {
      Symbol[] symbols = { Marker(12) };
      var columns = new GraphicColumns {
        ZIndexes = new[] { 7 }, SymbolIndexes = new uint[] { 0 }, Symbols = symbols,
        Attributes = new[] {
          new GraphicAttributes { Name = "größe", Type = GraphicValueType.Integer, Integers = new long[] { 42 } },
          new GraphicAttributes { Name = "name", Type = GraphicValueType.Text, Texts = new[] { "ø" } }
        }
      };
      ulong id = overlay.AddGraphics(points, columns);
      OverlayGraphic graphic = overlay.GetGraphic(id);
      Report.Check(graphic.ZIndex == 7 && graphic.Symbol.SizeDip == 12 && graphic.AttributeCount == 2, "columns of columns");
      string text;
      GraphicValue value;
      text = overlay.FindAttribute(id, "name", out value);
      Report.Equal(value.Text ?? text, "ø", "a text in a column");
      text = overlay.FindAttribute(id, "größe", out value);
      Report.Equal(value.Integer, 42L, "a number in a column");
      Report.Throws<ArgumentException>(() => overlay.AddGraphics(points, new GraphicColumns {
        ZIndexes = new[] { 1 }, Attributes = new[] { new GraphicAttributes { Name = "a", Integers = new long[2] } }
      }), "columns of two lengths");
    }
  }

  static Symbol Marker(double size) {
    return new Symbol { Kind = SymbolKind.Marker, Color = new Rgba { Alpha = 255 }, SizeDip = size };
  }

  static GraphicValue Value(string text) { return new GraphicValue { Type = GraphicValueType.Text, Text = text }; }

  // Nobody holds the runtime but the map.
  static void RuntimeIsKept(string path) {
    Map map = null;
    Apart(() => map = Map.Create(Runtime.Create()));
    for (int round = 0; round < 20; round++) {
      GC.Collect();
      GC.WaitForPendingFinalizers();
    }
    Report.Equal(map.GetLayerCount(), 0U, "a map keeps its runtime");
    map.Runtime.Dispose();
    Report.Equal(Report.Throws<AlidadeException>(() => map.GetLayerCount(), "after its runtime").Status,
                 Status.InvalidHandle, "an object of a runtime that was disposed of");
    Report.Throws<ObjectDisposedException>(() => Map.Create(map.Runtime), "a runtime that was disposed of");
    map.Dispose();
  }

  // A struct in a struct, with arrays of texts.
  static void Policies(string path) {
    var policy = new Policy { Drivers = new[] { "PNG", "AAIGrid" } };
    using (Runtime runtime = Runtime.Create(new RuntimeOptions { ThreadCount = 2, Policy = policy }))
      Report.Check(Report.Throws<AlidadeException>(() => Raster.Open(runtime, path), "a driver").Status != Status.Ok,
                   "a driver that is not allowed");
    var why = Report.Throws<AlidadeException>(
        () => Runtime.Create(new RuntimeOptions { ProjDirectory = Path.GetTempPath() + "/nö" }), "a folder");
    Report.Check(why.Status == Status.NotFound && why.Message.Contains("nö"), "a text next to a struct");
  }

  // One thread disposes of what others use: an exception, never a crash.
  static void Threads(string path) {
    using (Runtime runtime = Runtime.Create()) {
      int thrown = 0, others = 0, calls = 0;
      for (int round = 0; round < 200; round++) {
        Geometry shared = Geometry.CreateFromWkt(runtime, "LINESTRING (0 0, 3 4)");
        PointColumn xy = shared.GetColumns().Xy;
        var threads = Enumerable.Range(0, 2).Select(n => new Thread(() => {
          try {
            while (true) {
              if (xy[1].Y != 4 || shared.Length() != 5) Interlocked.Increment(ref others);
              Interlocked.Increment(ref calls);
            }
          } catch (ObjectDisposedException) {
            Interlocked.Increment(ref thrown);
          }
        })).ToArray();
        foreach (Thread thread in threads) thread.Start();
        if (round % 4 == 0) Thread.Sleep(1);
        shared.Dispose();
        foreach (Thread thread in threads) thread.Join();
      }
      Console.WriteLine(calls + " reads while another thread disposes");
      Report.Equal(thrown, 400, "each thread ends with ObjectDisposedException");
      Report.Equal(others, 0, "no read found other values");
      Report.Equal(Count(runtime), 1UL, "all were released");
    }
  }
}
