// Runs the table of cases in C#: conformance.exe CASES, in the root of the repository.
//
// Prints a line for each case that fails and, last, "N passed, N failed". The head of cases.tsv explains the
// operations.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using Alidade;

// A case that runs: a runtime, the arguments, and the values that were found. Its public methods are the operations.
sealed class Case {
  readonly Runtime runtime;
  readonly string[] arguments;
  readonly List<object> found = new List<object>();

  Case(Runtime runtime, string[] arguments) {
    this.runtime = runtime;
    this.arguments = arguments;
  }

  // Arguments

  double Number(int index) {
    double number;
    if (!TryParse(arguments[index], out number)) throw new FormatException("no number: " + arguments[index]);
    return number;
  }

  bool IsGiven(int index) { return arguments[index] != "-"; }
  Point PointAt(int index) { return new Point { X = Number(index), Y = Number(index + 1) }; }

  Point[] PointsFrom(int index) {
    return Enumerable.Range(0, (arguments.Length - index) / 2).Select(n => PointAt(index + 2 * n)).ToArray();
  }

  SpatialReference ReferenceAt(int index) {
    return IsGiven(index) ? SpatialReference.Create(runtime, arguments[index]) : null;
  }

  Geometry GeometryAt(int index, SpatialReference reference = null) {
    return Geometry.CreateFromWkt(runtime, arguments[index], reference);
  }

  Unit UnitAt(int index) { return IsGiven(index) ? Library.UnitFindByName(arguments[index]) : Unit.None; }

  MeasureOptions Measure() {
    return new MeasureOptions { Kind = IsGiven(1) ? (MeasureKind)Number(1) : 0, Unit = UnitAt(2) };
  }

  Layer LayerAt(int index, int symbol = 0) {
    if (arguments[index].EndsWith(".tif")) return RasterLayer.CreateFromPath(runtime, arguments[index]);
    var layer = FeatureLayer.CreateFromPath(runtime, arguments[index]);
    if (symbol != 0) {
      var drawn = new Symbol { Kind = (SymbolKind)symbol, Color = new Rgba { Alpha = 255 }, SizeDip = 8 };
      layer.SetRenderer(new GraphicsRenderer { Kind = GraphicsRendererKind.Simple, Symbol = drawn });
    }
    return layer;
  }

  // Longitude, latitude, scale and rotation are the first four arguments. A path and a symbol may be the next but two.
  View MakeView() {
    var map = Map.Create(runtime, SpatialReference.CreateFromCode(runtime, 3857));
    if (arguments.Length > 8) {
      Layer shown = LayerAt(6, IsGiven(7) ? (int)Number(7) : 0);
      shown.Load();
      map.AddLayer(shown);
    }
    var made = Alidade.View.Create(map, new ViewOptions { WidthDip = 800, HeightDip = 600 });
    made.SetViewpoint(new Viewpoint {
      Fields = ViewpointFields.Center | ViewpointFields.Scale | ViewpointFields.Rotation, Center = PointAt(0),
      SpatialReference = SpatialReference.CreateFromCode(runtime, 4326), Scale = Number(2), RotationDeg = Number(3)
    });
    return made;
  }

  FeatureSet Selected() {
    return FeatureSource.Open(runtime, arguments[0])
        .Query(new FeatureQuery { Where = IsGiven(1) ? arguments[1] : null });
  }

  // Values

  void Put(params object[] values) { found.AddRange(values); }

  void Put(Point point) { Put(point.X, point.Y); }

  void PutIdentified(IdentifyResult result) {
    using (result) {
      Put(result.GetInfo().ElementCount);
      foreach (IdentifyElement element in result.Elements().Take(1)) {
        Put(element.Kind);
        if (element.Kind == ElementKind.RasterCell) {
          IdentifyCell cell = result.GetCellAt(0);
          Put(cell.Column, cell.Row);
        } else {
          Put(element.Id);
        }
        ElementAttribute attribute = result.FindAttribute(0, arguments[9]);
        Put(element.Text, attribute.Type);
        if (attribute.Type == AttributeType.Integer) Put(attribute.Integer);
        if (attribute.Type == AttributeType.Unsigned) Put(attribute.UnsignedInteger);
        if (attribute.Type == AttributeType.Real) Put(attribute.Real);
        if (attribute.Type == AttributeType.Text) Put(attribute.Text);
      }
    }
  }

  // The operations

  public void unit() { Put(Library.UnitConvert(Number(0), UnitAt(1), UnitAt(2))); }

  public void reference() {
    SpatialReferenceInfo info = ReferenceAt(0).GetInfo();
    Put(info.Kind, info.Name, info.Authority, info.Code, info.UnitName);
    Put(info.MetresPerUnit, info.SemiMajorAxisM, info.InverseFlattening);
  }

  public void project() {
    Point[] points = PointsFrom(2);
    var statuses = new PointStatus[points.Length];
    ReferenceAt(0).ProjectPoints(ReferenceAt(1), points, points, statuses); // in place
    for (int index = 0; index < points.Length; index++) {
      Put(statuses[index]);
      if (statuses[index] == PointStatus.Ok) Put(points[index]);
    }
  }

  public void geodesic() {
    double[] distance = { 0 }, azimuth = { 0 }, endAzimuth = { 0 };
    ReferenceAt(0).GeodesicInverse(
        CurveType.Geodesic, new[] { PointAt(1) }, new[] { PointAt(3) }, distance, azimuth, endAzimuth);
    Put(distance[0], azimuth[0], endAzimuth[0]);
  }

  public void geometry() {
    Geometry geometry = GeometryAt(0);
    GeometryInfo info = geometry.GetInfo();
    Put(info.Kind, info.Flags, info.VertexCount, BitConverter.ToString(geometry.GetWkb()).Replace("-", ""));
    Put(geometry.GetWkt());
  }

  public void from_wkb() {
    string digits = arguments[0];
    var bytes = new byte[digits.Length / 2];
    for (int index = 0; index < bytes.Length; index++) bytes[index] = Convert.ToByte(digits.Substring(2 * index, 2), 16);
    Put(Geometry.CreateFromWkb(runtime, bytes).GetWkt());
  }

  public void area() { Put(GeometryAt(3, ReferenceAt(0)).Area(Measure())); }

  public void lengths() {
    SpatialReference reference = ReferenceAt(0);
    Geometry[] geometries = Enumerable.Range(3, arguments.Length - 3).Select(n => GeometryAt(n, reference)).ToArray();
    var lengths = new double[geometries.Length];
    GeometryArray.CreateFromGeometries(runtime, geometries).Lengths(lengths, Measure());
    Put(lengths.Cast<object>().ToArray());
  }

  public void distance() {
    SpatialReference reference = ReferenceAt(0);
    DistanceResult result = GeometryAt(3, reference).Distance(GeometryAt(4, reference), Measure());
    Put(result.Distance);
    Put(result.PointA);
    Put(result.PointB);
  }

  public void relate() { Put(GeometryAt(0).Relate(GeometryAt(1))); }

  public void test() { Put(GeometryAt(1).Test(GeometryAt(2), (Predicate)Number(0))); }

  public void buffer() {
    var options = new BufferOptions { Unit = UnitAt(2), QuadrantSegments = IsGiven(3) ? (uint)Number(3) : 0 };
    Put(GeometryAt(4, ReferenceAt(0)).CreateBuffer(Number(1), options).Area());
  }

  public void geodesic_buffer() {
    GeodesicBufferReport report;
    var options = new GeodesicBufferOptions { Unit = UnitAt(2), MaximumDeviation = IsGiven(3) ? Number(3) : 0 };
    Geometry made = GeometryAt(4, ReferenceAt(0)).CreateGeodesicBuffer(Number(1), out report, options);
    Put(made.Area(new MeasureOptions { Kind = MeasureKind.Geodesic }), report.MaximumDeviationM);
    Put(report.AchievedDeviationM <= report.MaximumDeviationM);
  }

  public void transformations() {
    var list = TransformationList.Create(ReferenceAt(0), ReferenceAt(1));
    Put(list.GetRowCount());
    foreach (TransformationRow row in list.Rows().Take(1)) {
      TransformationInfo info = row.Transformation.GetInfo();
      Put(info.Name, info.AccuracyM);
    }
  }

  public void raster() {
    var raster = Raster.Open(runtime, arguments[0]);
    RasterInfo info = raster.GetInfo();
    BandInfo band = raster.GetBandInfo(1);
    Put(info.Driver, info.Width, info.Height, info.BandCount, raster.GetSpatialReference().GetInfo().Code);
    Put(info.Extent.XMin, info.Extent.YMin, info.Extent.XMax, info.Extent.YMax, band.Type);
    if ((band.Facts & BandFacts.Nodata) != 0) Put(band.Nodata);
  }

  public void cells() {
    var raster = Raster.Open(runtime, arguments[0]);
    Point[] points = PointsFrom(1);
    int bandCount = raster.GetInfo().BandCount;
    var cells = new Cell[points.Length];
    var values = new BandValue[points.Length * bandCount];
    raster.ReadPoints(points, SpatialReference.CreateFromCode(runtime, 4326), cells, values);
    for (int index = 0; index < cells.Length; index++) {
      Put(cells[index].Verdict);
      if (cells[index].Verdict == CellVerdict.Outside) continue;
      Put(cells[index].Column, cells[index].Row);
      foreach (BandValue value in values.Skip(index * bandCount).Take(bandCount))
        Put(value.Type == DataType.Int64 ? (object)value.Integer : value.Value);
    }
  }

  public void features() {
    FeatureSet set = Selected();
    Put(set.GetInfo().FeatureCount);
    Int64Column ids = set.GetColumns().Ids;
    for (int index = 0; index < Math.Min(ids.Count, 5); index++) Put(ids[index]);
  }

  public void feature() {
    FeatureSet set = Selected();
    Put(set.GetGeometries().CreateGeometry(0).GetWkt());
    AttributeValue value = set.GetAttribute(0, (uint)Number(2));
    Put(value.Type, value.State == ValueState.Present);
    if (value.State != ValueState.Present) return;
    switch (value.Type) {
    case FieldType.Integer: Put(value.Integer); break;
    case FieldType.Real: Put(value.Real); break;
    case FieldType.Text: Put(value.Text); break;
    case FieldType.TextList: Put(value.Texts); break;
    case FieldType.DateTime: {
      DateAndTime time = value.DateTime;
      Put(time.Year, time.Month, time.Day, time.Hour, time.Minute, time.Second);
      break;
    }
    }
  }

  public void view() {
    View view = MakeView();
    ViewState state = view.GetState();
    Put(state.Center);
    Put(state.Scale, state.RotationDeg, state.UnitsPerDip);
    Put(view.ScreenToMap(PointAt(4)));
    Put(view.MapToScreen(PointAt(6)));
  }

  public void identify() { PutIdentified(MakeView().Identify(PointAt(4), Number(8))); }

  public void identify_async() {
    int calls = 0;
    View view = MakeView();
    Request request = view.IdentifyAsync(
        PointAt(4), Number(8), requestOptions: new RequestOptions { Completion = ended => calls++ });
    RequestState state = request.Wait();
    runtime.Pump();
    Put(request.GetInfo().Kind, state, calls);
    PutIdentified(request.TakeIdentifyResult());
  }

  public void snap() {
    SnapResult result =
        MakeView().Snap(PointAt(4), Number(8), new SnapOptions { Kinds = (SnapFlags)Number(9) });
    Put(result.Kind);
    if (result.Kind == 0) return;
    Put(result.Id);
    Put(result.MapPoint);
    Put(result.ScreenPoint);
    Put(result.DistanceDip);
  }

  public void layer_names() {
    var map = Map.Create(runtime);
    foreach (string name in arguments.Skip(1))
      using (Layer owned = LayerAt(0)) {
        owned.SetText(LayerTextKind.Name, name);
        map.AddLayer(owned);
      }
    foreach (Layer layer in map.Layers().Reverse()) Put(layer.GetText(LayerTextKind.Name));
  }

  public void released() {
    Geometry owned = GeometryAt(0);
    Geometry borrowed = Geometry.Borrow(runtime, owned.Handle);
    owned.Dispose();
    owned.Dispose();
    Put(borrowed.GetWkt());
  }

  public void load() {
    Layer layer = LayerAt(0);
    Request request = layer.LoadAsync();
    AlidadeEvent loaded = default(AlidadeEvent), finished = default(AlidadeEvent);
    var events = new AlidadeEvent[8];
    while ((finished.Kind == 0 || loaded.LoadStatus < LoadStatus.Loaded) && runtime.Wait(60000)) {
      for (int count = runtime.PollEvents(events), index = 0; index < count; index++) {
        if (events[index].Kind == EventKind.LoadStatusChanged && events[index].Layer == layer.Handle)
          loaded = events[index];
        else if (events[index].Kind == EventKind.RequestFinished && events[index].Request == request.Handle)
          finished = events[index];
      }
    }
    Put(finished.RequestState, loaded.LoadStatus, Library.StatusGetName(loaded.Status));
  }

  // An operation that fails has three values: the status, the argument and the message.
  static List<object> Run(string name, string[] arguments) {
    MethodInfo operation = typeof(Case).GetMethod(name, BindingFlags.Public | BindingFlags.Instance |
                                                            BindingFlags.DeclaredOnly);
    if (operation == null) return new List<object> { "no such operation" };
    using (var runtime = Runtime.Create()) {
      var running = new Case(runtime, arguments);
      try {
        operation.Invoke(running, null);
        return running.found;
      } catch (TargetInvocationException outer) {
        var why = outer.InnerException as AlidadeException;
        if (why == null) return new List<object> { "not an error of Alidade: " + outer.InnerException };
        return new List<object> { Library.StatusGetName(why.Status), why.Argument, why.Message };
      }
    }
  }

  // A value as the table writes it.
  static string Shown(object value) {
    if (value is bool) return (bool)value ? "1" : "0";
    if (value is Enum) value = Convert.ChangeType(value, Enum.GetUnderlyingType(value.GetType()));
    if (value is double) return ((double)value).ToString("R", CultureInfo.InvariantCulture);
    string text = Convert.ToString(value, CultureInfo.InvariantCulture).Replace("\n", "\\n");
    return text == "" ? "\"\"" : text;
  }

  // Whether a value is the one expected: NUMBER~TOLERANCE, *PART OF A TEXT*, or the text itself.
  static bool Fits(object found, string expected) {
    if (found is double) {
      string[] parts = expected.Split('~');
      double wanted, tolerance;
      if (parts.Length != 2 || !TryParse(parts[0], out wanted) || !TryParse(parts[1], out tolerance)) return false;
      return Math.Abs((double)found - wanted) <= tolerance || (double.IsNaN(wanted) && double.IsNaN((double)found));
    }
    string text = Shown(found);
    if (expected.Length > 2 && expected.StartsWith("*") && expected.EndsWith("*"))
      return text.Contains(expected.Substring(1, expected.Length - 2));
    return text == expected;
  }

  static bool TryParse(string text, out double number) {
    number = text == "inf" ? double.PositiveInfinity : double.NaN;
    return text == "nan" || text == "inf" || double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out number);
  }

  static int Main(string[] paths) {
    int passed = 0, failed = 0;
    foreach (string line in File.ReadLines(paths[0])) {
      if (line == "" || line[0] == '#') continue;
      string[] cells = line.Split('\t');
      int equals = Array.IndexOf(cells, "=");
      string[] expected = cells.Skip(equals + 1).ToArray();
      List<object> found = Run(cells[1], cells.Skip(2).Take(equals - 2).ToArray());
      if (found.Count == expected.Length && found.Zip(expected, Fits).All(fits => fits)) {
        passed++;
        continue;
      }
      failed++;
      Console.WriteLine("FAILED  " + cells[0] + ": expected | " + string.Join(" | ", expected) + ", found | " +
                        string.Join(" | ", found.Select(Shown)));
    }
    Console.WriteLine(passed + " passed, " + failed + " failed");
    return failed == 0 && passed > 0 ? 0 : 1;
  }
}
