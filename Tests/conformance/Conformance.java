// Runs the table of cases in Java: Conformance CASES, in the root of the repository.
//
// Prints a line for each case that fails and, last, "N passed, N failed". The head of cases.tsv explains the operations.
import alidade.*;
import alidade.Constants.*;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A case that runs: a runtime, the arguments, and the values that were found. Its public methods are the operations. */
public final class Conformance {
  private final alidade.Runtime runtime;
  private final String[] arguments;
  private final List<Object> found = new ArrayList<>();

  private Conformance(alidade.Runtime runtime, String[] arguments) {
    this.runtime = runtime;
    this.arguments = arguments;
  }

  // Arguments

  private double number(int index) {
    return parsed(arguments[index]);
  }

  private boolean isGiven(int index) {
    return !arguments[index].equals("-");
  }

  private double numberOrZero(int index) {
    return isGiven(index) ? number(index) : 0;
  }

  private double[] points(int from, int to) {
    double[] points = new double[to - from];
    for (int index = from; index < to; index++) points[index - from] = number(index);
    return points;
  }

  private SpatialReference reference(int index) throws AlidadeException {
    return isGiven(index) ? SpatialReference.create(runtime, arguments[index]) : null;
  }

  private SpatialReference epsg(int code) throws AlidadeException {
    return SpatialReference.createFromCode(runtime, "EPSG", code);
  }

  private Geometry geometry(int index, SpatialReference reference) throws AlidadeException {
    return Geometry.createFromWkt(runtime, arguments[index], reference);
  }

  private int unit(int index) throws AlidadeException {
    return isGiven(index) ? Alidade.unitFindByName(arguments[index]) : 0;
  }

  private Structs.MeasureOptions measure() throws AlidadeException {
    if (!isGiven(1)) return null;
    Structs.MeasureOptions options = new Structs.MeasureOptions();
    options.kind = (int) number(1);
    options.unit = unit(2);
    return options;
  }

  private Layer layer(int index) throws AlidadeException {
    String path = arguments[index];
    return path.endsWith(".tif") ? RasterLayer.createFromPath(runtime, path, null)
                                 : FeatureLayer.createFromPath(runtime, path, null);
  }

  /** Longitude, latitude, scale and rotation are the first four arguments. A path and a symbol may be the next but two. */
  private View makeView() throws AlidadeException {
    Map map = Map.create(runtime, epsg(3857));
    if (arguments.length > 8) {
      Layer layer = layer(6);
      if (isGiven(7)) {
        Structs.GraphicsRenderer renderer = new Structs.GraphicsRenderer();
        renderer.kind = GraphicsRendererKind.SIMPLE;
        renderer.symbol.kind = (int) number(7);
        renderer.symbol.color.alpha = (byte) 255;
        renderer.symbol.sizeDip = 8;
        ((FeatureLayer) layer).setRenderer(renderer);
      }
      layer.load();
      map.addLayer(layer);
    }
    Structs.ViewOptions size = new Structs.ViewOptions();
    size.widthDip = 800;
    size.heightDip = 600;
    View view = View.create(map, size);
    view.setCenter(number(0), number(1), epsg(4326));
    view.setScale(number(2));
    view.setRotation(number(3));
    return view;
  }

  private FeatureSet selected() throws AlidadeException {
    Structs.FeatureQuery query = new Structs.FeatureQuery();
    query.where = isGiven(1) ? arguments[1] : null;
    return FeatureSource.open(runtime, arguments[0], null).query(query);
  }

  // Values

  private void put(Object... values) {
    for (Object value : values) {
      if (value instanceof Structs.Point) put(((Structs.Point) value).x, ((Structs.Point) value).y);
      else found.add(value);
    }
  }

  private void putNumbers(double... values) {
    for (double value : values) found.add(value);
  }

  private void putIdentified(IdentifyResult result) throws AlidadeException {
    int count = result.getInfo().elementCount;
    put(count);
    if (count == 0) return;
    Structs.IdentifyElement element = result.getElementAt(0);
    put(element.kind);
    if (element.kind == ElementKind.RASTER_CELL) {
      Structs.IdentifyCell cell = result.getCellAt(0);
      put(cell.column, cell.row);
    } else {
      put(element.id);
    }
    Structs.Attribute attribute = result.findAttribute(0, arguments[9]);
    put(element.text, attribute.type);
    switch (attribute.type) {
      case AttributeType.INTEGER: put(attribute.integer); break;
      case AttributeType.UNSIGNED: put(Long.toUnsignedString(attribute.unsignedInteger)); break;
      case AttributeType.REAL: put(attribute.real); break;
      case AttributeType.TEXT: put(attribute.text); break;
      default:
    }
  }

  // The operations

  public void unit() throws AlidadeException {
    put(Alidade.unitConvert(number(0), unit(1), unit(2)));
  }

  public void reference() throws AlidadeException {
    Structs.SpatialReferenceInfo info = reference(0).getInfo();
    put(info.kind, info.name, info.authority, info.code, info.unitName);
    put(info.metresPerUnit, info.semiMajorAxisM, info.inverseFlattening);
  }

  public void project() throws AlidadeException {
    double[] points = points(2, arguments.length);
    byte[] statuses = new byte[points.length / 2];
    reference(0).projectPoints(reference(1), points, points, statuses); // in place
    for (int index = 0; index < statuses.length; index++) {
      put(statuses[index]);
      if (statuses[index] == PointStatus.OK) put(points[2 * index], points[2 * index + 1]);
    }
  }

  public void geodesic() throws AlidadeException {
    double[] distance = new double[1], azimuth = new double[1], endAzimuth = new double[1];
    reference(0).geodesicInverse(CurveType.GEODESIC, points(1, 3), points(3, 5), distance, azimuth, endAzimuth);
    put(distance[0], azimuth[0], endAzimuth[0]);
  }

  public void geometry() throws AlidadeException {
    Geometry geometry = geometry(0, null);
    Structs.GeometryInfo info = geometry.getInfo();
    StringBuilder digits = new StringBuilder();
    for (byte value : geometry.getWkb(0)) digits.append(String.format("%02X", value));
    put(info.kind, info.flags, info.vertexCount, digits.toString(), geometry.getWkt(null));
  }

  public void from_wkb() throws AlidadeException {
    byte[] wkb = new byte[arguments[0].length() / 2];
    for (int index = 0; index < wkb.length; index++) {
      wkb[index] = (byte) Integer.parseInt(arguments[0].substring(2 * index, 2 * index + 2), 16);
    }
    put(Geometry.createFromWkb(runtime, wkb, null).getWkt(null));
  }

  public void area() throws AlidadeException {
    put(geometry(3, reference(0)).area(measure()));
  }

  public void lengths() throws AlidadeException {
    SpatialReference reference = reference(0);
    Geometry[] geometries = new Geometry[arguments.length - 3];
    for (int index = 0; index < geometries.length; index++) geometries[index] = geometry(index + 3, reference);
    double[] lengths = new double[geometries.length];
    GeometryArray.createFromGeometries(runtime, geometries, null).lengths(measure(), lengths);
    putNumbers(lengths);
  }

  public void distance() throws AlidadeException {
    SpatialReference reference = reference(0);
    Structs.Distance found = geometry(3, reference).distance(geometry(4, reference), measure(), null);
    put(found.distance, found.pointA, found.pointB);
  }

  public void relate() throws AlidadeException {
    put(geometry(0, null).relate(geometry(1, null), null));
  }

  public void test() throws AlidadeException {
    put(geometry(1, null).test(geometry(2, null), (int) number(0), null));
  }

  public void buffer() throws AlidadeException {
    Structs.BufferOptions options = new Structs.BufferOptions();
    options.unit = unit(2);
    options.quadrantSegments = (int) numberOrZero(3);
    put(geometry(4, reference(0)).createBuffer(number(1), options).area(null));
  }

  public void geodesic_buffer() throws AlidadeException {
    Structs.GeodesicBufferOptions options = new Structs.GeodesicBufferOptions();
    options.unit = unit(2);
    options.maximumDeviation = numberOrZero(3);
    Structs.GeodesicBufferReport report = new Structs.GeodesicBufferReport();
    Geometry buffer = geometry(4, reference(0)).createGeodesicBuffer(number(1), options, report);
    Structs.MeasureOptions geodesic = new Structs.MeasureOptions();
    geodesic.kind = MeasureKind.GEODESIC;
    put(buffer.area(geodesic), report.maximumDeviationM, report.achievedDeviationM <= report.maximumDeviationM);
  }

  public void transformations() throws AlidadeException {
    TransformationList list = TransformationList.create(reference(0), reference(1), null);
    put(list.getRowCount());
    if (list.getRowCount() == 0) return;
    Structs.TransformationInfo info = list.getRowAt(0).transformation.getInfo();
    put(info.name, info.accuracyM);
  }

  public void raster() throws AlidadeException {
    Raster raster = Raster.open(runtime, arguments[0], null);
    Structs.RasterInfo info = raster.getInfo();
    Structs.BandInfo band = raster.getBandInfo(1);
    put(info.driver, info.width, info.height, info.bandCount, raster.getSpatialReference().getInfo().code);
    put(info.extent.xMin, info.extent.yMin, info.extent.xMax, info.extent.yMax, band.type);
    if ((band.facts & BandFacts.NODATA) != 0) put(band.nodata);
  }

  public void cells() throws AlidadeException {
    Raster raster = Raster.open(runtime, arguments[0], null);
    double[] points = points(1, arguments.length);
    int bands = raster.getInfo().bandCount;
    Structs.Cell[] cells = new Structs.Cell[points.length / 2];
    Structs.BandValue[] values = new Structs.BandValue[cells.length * bands];
    raster.readPoints(epsg(4326), points, cells, values);
    for (int index = 0; index < cells.length; index++) {
      put(cells[index].verdict);
      if (cells[index].verdict == CellVerdict.OUTSIDE) continue;
      put(cells[index].column, cells[index].row);
      for (Structs.BandValue value : Arrays.copyOfRange(values, index * bands, (index + 1) * bands)) {
        if (value.type == DataType.INT64) put(value.integer);
        else put(value.value);
      }
    }
  }

  public void features() throws AlidadeException {
    FeatureSet set = selected();
    put(set.getInfo().featureCount);
    Arrays.stream(set.getColumns().ids).limit(5).forEach(id -> put(id));
  }

  public void feature() throws AlidadeException {
    FeatureSet set = selected();
    Structs.AttributeValue value = set.getAttribute(0, (int) number(2));
    boolean isPresent = value.state == ValueState.PRESENT;
    put(set.getGeometries().createGeometry(0).getWkt(null), value.type, isPresent);
    if (!isPresent) return;
    switch (value.type) {
      case FieldType.INTEGER: put(value.integer); break;
      case FieldType.REAL: put(value.real); break;
      case FieldType.TEXT: put(value.text); break;
      case FieldType.TEXT_LIST: put((Object[]) value.texts); break;
      case FieldType.DATE_TIME: {
        Structs.DateTime time = value.dateTime;
        put(time.year, time.month, time.day, time.hour, time.minute, time.second);
        break;
      }
      default:
    }
  }

  public void view() throws AlidadeException {
    View view = makeView();
    Structs.ViewState state = view.getState();
    put(state.center, state.scale, state.rotationDeg, state.unitsPerDip);
    double[] image = new double[2];
    view.screenToMap(points(4, 6), image);
    putNumbers(image);
    view.mapToScreen(points(6, 8), image);
    putNumbers(image);
  }

  public void identify() throws AlidadeException {
    putIdentified(makeView().identify(number(4), number(5), number(8), 0, null));
  }

  public void identify_async() throws AlidadeException {
    List<Request> calls = new ArrayList<>();
    RequestOptions options = new RequestOptions();
    options.onDone = calls::add;
    Request request = makeView().identifyAsync(number(4), number(5), number(8), 0, null, options);
    int state = request.waitFor(Constants.ALL);
    runtime.pump(Constants.ALL);
    put(request.getInfo().kind, state, calls.equals(List.of(request)));
    putIdentified(request.takeIdentifyResult());
  }

  public void snap() throws AlidadeException {
    Structs.SnapOptions options = new Structs.SnapOptions();
    options.kinds = (int) number(9);
    Structs.Snap found = makeView().snap(number(4), number(5), number(8), options);
    put(found.kind);
    if (found.kind != 0) put(found.id, found.mapPoint, found.screenPoint, found.distanceDip);
  }

  public void layer_names() throws AlidadeException {
    Map map = Map.create(runtime, null);
    for (String name : Arrays.copyOfRange(arguments, 1, arguments.length)) {
      try (Layer layer = layer(0)) {
        layer.setText(LayerTextKind.NAME, name);
        map.addLayer(layer);
      }
    }
    for (int index = map.getLayerCount() - 1; index >= 0; index--) put(map.getLayerAt(index).getText(LayerTextKind.NAME));
  }

  public void released() throws AlidadeException {
    Geometry geometry = geometry(0, null);
    geometry.close();
    geometry.close();
    put(geometry.getWkt(null));
  }

  public void load() throws AlidadeException {
    Layer layer = layer(0);
    Request request = layer.loadAsync(null);
    Structs.Event finished = new Structs.Event(), loaded = new Structs.Event();
    while ((finished.kind == 0 || loaded.loadStatus < LoadStatus.LOADED) && runtime.waitFor(60000)) {
      for (Structs.Event event : runtime.pollEvents(8)) {
        if (event.kind == EventKind.LOAD_STATUS_CHANGED && layer.equals(event.layer)) loaded = event;
        else if (event.kind == EventKind.REQUEST_FINISHED && request.equals(event.request)) finished = event;
      }
    }
    put(finished.requestState, loaded.loadStatus, Alidade.statusGetName(loaded.status));
  }

  // The table

  /** The values of a case. An operation that fails has three: the status, the argument and the message. */
  private static List<Object> values(String name, String[] arguments) throws AlidadeException, IllegalAccessException {
    Method operation;
    try {
      operation = Conformance.class.getMethod(name);
    } catch (NoSuchMethodException why) {
      return List.of("no such operation");
    }
    try (alidade.Runtime runtime = alidade.Runtime.create(null)) {
      Conformance running = new Conformance(runtime, arguments);
      operation.invoke(running);
      return running.found;
    } catch (InvocationTargetException outer) {
      if (!(outer.getCause() instanceof AlidadeException)) return List.of("not an error of Alidade: " + outer.getCause());
      AlidadeException why = (AlidadeException) outer.getCause();
      return List.of(why.statusName(), why.argument, why.getMessage());
    }
  }

  /** A value as the table writes it. */
  private static String shown(Object value) {
    if (value instanceof Boolean) return (Boolean) value ? "1" : "0";
    if (value == null || value.equals("")) return "\"\"";
    return value.toString().replace("\n", "\\n");
  }

  /** Whether a value is the one expected: NUMBER~TOLERANCE, *PART OF A TEXT*, or the text itself. */
  private static boolean fits(Object found, String expected) {
    if (found instanceof Double) {
      String[] parts = expected.split("~", -1);
      if (parts.length != 2) return false;
      double number = (Double) found, wanted = parsed(parts[0]), tolerance = parsed(parts[1]);
      return Math.abs(number - wanted) <= tolerance || (Double.isNaN(number) && parts[0].equals("nan"));
    }
    if (expected.length() > 2 && expected.startsWith("*") && expected.endsWith("*")) {
      return shown(found).contains(expected.substring(1, expected.length() - 1));
    }
    return shown(found).equals(expected);
  }

  private static double parsed(String text) {
    if (text.equals("inf")) return Double.POSITIVE_INFINITY;
    return text.equals("nan") ? Double.NaN : Double.parseDouble(text);
  }

  public static void main(String[] paths) throws AlidadeException, IOException, IllegalAccessException {
    int passed = 0, failed = 0;
    for (String line : Files.readAllLines(Paths.get(paths[0]))) {
      if (line.isEmpty() || line.startsWith("#")) continue;
      String[] cells = line.split("\t", -1);
      int equals = Arrays.asList(cells).indexOf("=");
      String[] expected = Arrays.copyOfRange(cells, equals + 1, cells.length);
      List<Object> found = values(cells[1], Arrays.copyOfRange(cells, 2, equals));
      boolean holds = found.size() == expected.length;
      for (int index = 0; holds && index < expected.length; index++) holds = fits(found.get(index), expected[index]);
      if (holds) {
        passed++;
        continue;
      }
      failed++;
      List<String> texts = new ArrayList<>();
      for (Object value : found) texts.add(shown(value));
      System.out.printf("FAILED  %s: expected | %s, found | %s%n", cells[0], String.join(" | ", expected), String.join(" | ", texts));
    }
    System.out.printf("%d passed, %d failed%n", passed, failed);
    System.exit(failed == 0 && passed > 0 ? 0 : 1);
  }
}
